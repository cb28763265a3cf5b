//! What computer players want: each has a role, and gives the commands that a person could give.

use rand::RngExt;
use throng_scene::Location;

use crate::game::{Command, Game};
use crate::options::CARRIED_MAX;
use crate::player::{Motion, Player, Role};

/// Radius that a guard protects around its base, in units.
const GUARDED_RADIUS: f64 = 10.0;
/// How far a hunter sees an opponent, in units.
const HUNTED_RADIUS: f64 = 14.0;
/// Ticks until a player that chases an opponent looks again.
const CHASE_TICKS: u64 = 12;
/// Ticks until another player chooses another destination although it has not arrived.
const DESTINATION_TICKS: u64 = 150;
/// Most ticks that a player rests where it has arrived.
const REST_TICKS_MAX: u64 = 12;
/// Random places of which an explorer takes the farthest.
const CANDIDATES: u32 = 3;
/// Orbs so near are taken along, in units.
const DETOUR: f64 = 4.0;
/// A destination so near is walked to straight if it is seen, in units.
const SIGHT: f64 = 5.0;
/// Random places of which a guard takes the first near its base.
const TRIES: u32 = 30;

/// What a computer player decided: where to, and after how many ticks it decides again.
type Decision = (Location, u64);

impl Game {
    /// A computer player tags who is in reach, and decides where to go when it is time.
    pub(crate) fn think(&mut self, index: usize) {
        let player = &self.players[index];
        let Some(computer) = player.computer else { return };
        if player.still_until > self.tick {
            return;
        }
        let tags = computer.role.tags() || player.carried == 0;
        if tags && !player.is_safe(self.tick) && self.opponent_in_reach(index).is_some() {
            // There is one in reach, and it may tag.
            let _ = self.tag(index);
            return;
        }
        let stands = matches!(player.motion, Motion::Stands);
        let climbs = matches!(player.motion, Motion::Climbs { .. });
        if climbs || computer.decides_at > self.tick {
            // A player that has arrived before its time rests only a little.
            if stands && computer.decides_at > self.tick + REST_TICKS_MAX {
                let rest = match computer.role {
                    Role::Hunt => 0,
                    _ => self.rng.random_range(0..=REST_TICKS_MAX),
                };
                self.set_decision(index, rest);
            }
            return;
        }
        let (goal, ticks) = self.decide(index, computer.role);
        self.set_decision(index, ticks);
        self.send(index, goal);
    }

    fn set_decision(&mut self, index: usize, ticks: u64) {
        if let Some(computer) = &mut self.players[index].computer {
            computer.decides_at = self.tick + ticks;
        }
    }

    /// Straight to a place that it sees, by a path to any other.
    fn send(&mut self, index: usize, goal: Location) {
        let here = self.players[index].location;
        let is_seen = here.level == goal.level
            && here.at.distance(goal.at) <= SIGHT
            && self.ground.can_step(here, goal.at, None);
        let command = if is_seen { Command::Straight(goal.at) } else { Command::Path(goal) };
        // A place where nobody fits is no good: it decides again when its time comes.
        let _ = self.carry_out(index, command);
    }

    fn decide(&mut self, index: usize, role: Role) -> Decision {
        let me = &self.players[index];
        let home = self.bases[me.team as usize];
        let orb = self.nearest_orb(me);
        let here = me.location;
        if me.carried == CARRIED_MAX || me.carried > 0 && orb.is_none() {
            return (home, DESTINATION_TICKS);
        }
        let is_near = |orb: &Location| orb.estimated_distance(here) <= DETOUR;
        if let Some(orb) = orb.filter(is_near) {
            return (orb, DESTINATION_TICKS);
        }
        // What it has is brought home before it goes far.
        if me.carried > 0 && home.estimated_distance(here) <= DETOUR {
            return (home, DESTINATION_TICKS);
        }
        match role {
            Role::Gather => {
                let orb = self.nearest_orb(&self.players[index]).unwrap_or(home);
                (orb, DESTINATION_TICKS)
            }
            Role::Explore => (self.far_away(here), DESTINATION_TICKS),
            Role::Hunt => self.chase(index, here, HUNTED_RADIUS),
            Role::Guard => self.chase(index, home, GUARDED_RADIUS),
        }
    }

    fn nearest_orb(&self, player: &Player) -> Option<Location> {
        let distance = |orb: &Location| orb.estimated_distance(player.location);
        self.orbs.iter().copied().min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }

    fn far_away(&mut self, here: Location) -> Location {
        let mut best = self.ground.any(&mut self.rng);
        for _ in 1..CANDIDATES {
            let next = self.ground.any(&mut self.rng);
            if next.estimated_distance(here) > best.estimated_distance(here) {
                best = next;
            }
        }
        best
    }

    /// Chases the nearest opponent around a place; one that carries orbs counts as half as far away.
    /// Without one, the player walks to a random place there.
    fn chase(&mut self, index: usize, around: Location, radius: f64) -> Decision {
        let me = &self.players[index];
        let is_chased = |other: &&Player| {
            other.team != me.team
                && !other.is_safe(self.tick)
                && other.location.estimated_distance(around) <= radius
        };
        let effort = |other: &Player| {
            let distance = other.location.estimated_distance(me.location);
            if other.carried > 0 { distance / 2.0 } else { distance }
        };
        let others = self.players.iter().filter(is_chased);
        let nearest = others.min_by(|a, b| effort(a).total_cmp(&effort(b)));
        if let Some(other) = nearest.filter(|_| !me.is_safe(self.tick)) {
            return (other.location, CHASE_TICKS);
        }
        let mut place = self.bases[me.team as usize];
        for _ in 0..TRIES {
            let next = self.ground.any(&mut self.rng);
            if next.estimated_distance(around) <= radius {
                place = next;
                break;
            }
        }
        (place, DESTINATION_TICKS)
    }
}
