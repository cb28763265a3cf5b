//! What players do when they are there: pick up orbs, bring them home, tag opponents.

use throng_scene::Location;

use crate::game::{Event, Game};
use crate::options::{CARRIED_MAX, GameError, SAFE_TICKS, TAGGED_TICKS, TAGGER_TICKS};
use crate::player::Motion;

impl Game {
    /// Puts all orbs on the ground.
    pub(crate) fn place_orbs(&mut self) {
        self.orbs.clear();
        for _ in 0..self.options.orbs {
            self.add_orb();
        }
    }

    fn add_orb(&mut self) {
        let place = self.ground.orb_place(&self.orbs, &self.bases, &mut self.rng);
        self.orbs.push(place);
    }

    /// A player picks up the orbs in reach, and leaves those that it carries at its base.
    pub(crate) fn gather_and_deliver(&mut self, index: usize) {
        let player = &mut self.players[index];
        if player.still_until > self.tick {
            return;
        }
        let (here, team) = (player.location, player.team as usize);
        if player.carried > 0 && self.ground.is_in_reach(here, self.bases[team]) {
            let count = std::mem::take(&mut player.carried);
            player.delivered += u32::from(count);
            self.scores[team].delivered += u32::from(count);
            self.events.push(Event::Delivered { player: player.number, count });
            // For each orb at a base another one appears: their number stays.
            for _ in 0..count {
                self.add_orb();
            }
        }
        while self.players[index].carried < CARRIED_MAX {
            let near = |orb: &Location| self.ground.is_in_reach(here, *orb);
            let Some(orb) = self.orbs.iter().position(near) else { return };
            self.orbs.swap_remove(orb);
            let player = &mut self.players[index];
            player.carried += 1;
            self.scores[team].gathered += 1;
            self.events.push(Event::Gathered { player: player.number });
        }
    }

    /// The orbs that a player carries fall to the ground where it is.
    pub(crate) fn drop_orbs(&mut self, index: usize) {
        let player = &mut self.players[index];
        let count = std::mem::take(&mut player.carried);
        self.orbs.extend((0..count).map(|_| player.location));
    }

    /// The nearest opponent in reach that can be tagged.
    pub(crate) fn opponent_in_reach(&self, index: usize) -> Option<usize> {
        let me = &self.players[index];
        let can_be_tagged = |&other: &usize| {
            let other = &self.players[other];
            other.team != me.team
                && !other.is_safe(self.tick)
                && self.ground.is_in_reach(me.location, other.location)
        };
        let distance =
            |other: usize| self.players[other].location.at.distance_squared(me.location.at);
        let others = (0..self.players.len()).filter(can_be_tagged);
        others.min_by(|&a, &b| distance(a).total_cmp(&distance(b)))
    }

    /// A player tags the nearest opponent in reach: it drops its orbs, and both stand still for a
    /// while. After that it is safe for a while.
    pub(crate) fn tag(&mut self, index: usize) -> Result<(), GameError> {
        if self.players[index].is_safe(self.tick) || self.players[index].still_until > self.tick {
            return Err(GameError::NotYet);
        }
        let caught = self.opponent_in_reach(index).ok_or(GameError::NobodyInReach)?;
        self.drop_orbs(caught);
        let player = &mut self.players[caught];
        player.still_until = self.tick + TAGGED_TICKS;
        player.safe_until = self.tick + TAGGED_TICKS + SAFE_TICKS;
        // On stairs it goes on after that.
        if !matches!(player.motion, Motion::Climbs { .. }) {
            player.set_motion(Motion::Stands);
        }
        let caught = player.number;
        let tagger = &mut self.players[index];
        tagger.still_until = self.tick + TAGGER_TICKS;
        tagger.tags += 1;
        self.scores[tagger.team as usize].tags += 1;
        self.events.push(Event::Tagged { by: tagger.number, player: caught });
        Ok(())
    }
}
