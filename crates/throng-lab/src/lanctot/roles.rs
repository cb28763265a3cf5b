//! The roles of players, one for each player of a team.

use throng_game::Role;
use throng_scene::Location;

use super::game::{CARRIED_MAX, Player, World};

/// Radius that a guard protects around its base, in units.
const GUARDED_RADIUS: f64 = 12.0;
/// Ticks that a player runs to an opponent's last location before it looks again.
const CHASE_TICKS: u64 = 15;
/// Random locations of which an explorer takes the farthest.
const CANDIDATES: u32 = 3;

/// Whether a player continues at once when it arrives.
pub(super) fn is_hasty(role: Role) -> bool {
    role == Role::Hunt
}

/// A player's next destination, and after how many ticks it chooses again.
pub(super) fn next_destination(
    role: Role,
    world: &mut World<'_>,
    player: usize,
) -> (u32, Option<u64>) {
    let me = &world.players[player];
    let home = world.bases[me.team];
    let has_enough = me.carried == CARRIED_MAX;
    match role {
        Role::Gather | Role::Explore if has_enough => (home, None),
        Role::Gather => (world.nearest_orb(player).unwrap_or(home), None),
        Role::Explore => (world.far_away(player), None),
        Role::Hunt => world.chase(player, |_| true),
        Role::Guard => {
            let base = world.routes.location(home);
            world.chase(player, |location| location.estimated_distance(base) <= GUARDED_RADIUS)
        }
    }
}

impl World<'_> {
    fn nearest_orb(&self, player: usize) -> Option<u32> {
        let here = self.players[player].movement.location;
        let distance = |orb: u32| self.routes.location(orb).estimated_distance(here);
        self.orbs.iter().copied().min_by(|&a, &b| distance(a).total_cmp(&distance(b)))
    }

    fn far_away(&mut self, player: usize) -> u32 {
        let here = self.players[player].movement.location;
        let mut candidates = (0..CANDIDATES).map(|_| self.routes.any(&mut self.rng));
        let first = candidates
            .next()
            .map_or((0.0, 0), |(location, number)| (location.estimated_distance(here), number));
        let farther = |best: (f64, u32), (location, number): (Location, u32)| {
            let distance = location.estimated_distance(here);
            if distance > best.0 { (distance, number) } else { best }
        };
        candidates.fold(first, farther).1
    }

    /// Whether a player should be chased: an opponent that gathers orbs and can be tagged.
    /// Opponents that tag are not chased, or the taggers would only chase each other.
    fn should_be_chased(&self, other: &Player, team: usize) -> bool {
        other.team != team && !other.role.tags() && !self.is_safe(other)
    }

    /// Chases the nearest opponent in a region; one that carries orbs counts as half as far
    /// away. Without one, the player walks to a random location of the region.
    fn chase(&mut self, player: usize, region: impl Fn(Location) -> bool) -> (u32, Option<u64>) {
        let me = &self.players[player];
        let others = self.players.iter().filter(|other| self.should_be_chased(other, me.team));
        let locations = others.filter(|other| region(other.movement.location)).map(|other| {
            let distance = other.movement.location.estimated_distance(me.movement.location);
            (if other.carried > 0 { distance / 2.0 } else { distance }, other.movement.location)
        });
        let nearest = locations.min_by(|a, b| a.0.total_cmp(&b.0));
        let opponent = nearest.and_then(|(_, location)| self.routes.nearest(location));
        if let Some(opponent) = opponent {
            return (opponent, Some(CHASE_TICKS));
        }
        let home = self.bases[me.team];
        let mut tries = (0..100).map(|_| self.routes.any(&mut self.rng));
        (tries.find(|(location, _)| region(*location)).map_or(home, |(_, number)| number), None)
    }
}
