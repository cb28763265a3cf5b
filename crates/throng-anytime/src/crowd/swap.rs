//! The exchange of places in corridors and dead ends.
//!
//! K. Okumura, "Improving LaCAM for Scalable Eventually Optimal Multi-Agent Pathfinding"
//! (2023): PIBT cannot exchange two units where there is no room to pass. The front unit is
//! followed along the corridor as if it were pushed: if the corridor ends before a junction, a
//! swap is *required*. Then the other way is followed as if it were pulled: if there is a
//! junction, a swap is *possible*. If both hold the unit walks away from its goal and pulls the
//! other after it.

use throng_spacetime::{Action, Position, Space};

use super::claims::NONE;
use super::kernel::Preferences;
use super::turn::{State, Turn};

/// A walk along a corridor ends after this many cells, without a swap.
const WALK_MAX: usize = 256;
/// A place with more ways than this is open: two units can pass.
const WAYS_MAX: usize = 3;
/// So many neighbours of a unit are looked at.
const NEIGHBOURS_MAX: usize = 8;

/// The ways on from a place in a corridor.
enum Ways {
    /// At least two: units can exchange places here.
    Junction,
    /// One.
    On(Position),
    /// None.
    End,
}

impl<S: Space, P: Preferences> Turn<'_, S, P> {
    /// The unit that this unit must exchange places with and can, or [`NONE`].
    pub(super) fn swap_partner(&mut self, unit: u32) -> u32 {
        let kind = self.kind(unit);
        if !kind.is_single || !kind.is_quick {
            return NONE;
        }
        let best = self.memory.candidates[self.record(unit).first as usize];
        let (at, front) = (self.units[unit as usize].at, best.to);
        if best.action == Action::PAUSE || !self.is_narrow(unit, front) {
            return NONE;
        }
        let other = self.partner_at(unit, front);
        if other != NONE
            && self.record(other).state == State::Undecided
            && self.is_swap_required(unit, other, at, front)
            && self.is_swap_possible(unit, front, at)
        {
            return other;
        }
        self.partner_behind(unit, at, front)
    }

    /// A unit behind that must pass this one in the corridor ahead: it makes room by walking on.
    fn partner_behind(&mut self, unit: u32, at: Position, front: Position) -> u32 {
        let (ways, count) = self.ways(unit, at);
        for &behind in &ways[..count.min(NEIGHBOURS_MAX)] {
            let other = if behind == front { NONE } else { self.partner_at(unit, behind) };
            if other != NONE
                && self.is_swap_required(other, unit, at, front)
                && self.is_swap_possible(unit, front, at)
            {
                return other;
            }
        }
        NONE
    }

    /// The unit of the same space at a position.
    fn partner_at(&self, unit: u32, at: Position) -> u32 {
        let other = self.holder_at(unit, at);
        let is_partner = other != NONE
            && other != unit
            && self.record(other).state != State::Fixed
            && self.units[other as usize].space == self.units[unit as usize].space;
        if is_partner { other } else { NONE }
    }

    fn holder_at(&self, unit: u32, at: Position) -> u32 {
        let mut holder = NONE;
        self.space(unit).standing(at, |entry| {
            holder = self.memory.claims.body(entry);
            false
        });
        holder
    }

    /// The first ways from a position, and how many there are.
    fn ways(&self, unit: u32, at: Position) -> ([Position; NEIGHBOURS_MAX], usize) {
        let (mut ways, mut count) = ([at; NEIGHBOURS_MAX], 0);
        self.space(unit).for_each_move(at, |step| {
            if let Some(way) = ways.get_mut(count) {
                *way = step.to;
            }
            count += 1;
        });
        (ways, count)
    }

    fn is_narrow(&self, unit: u32, at: Position) -> bool {
        self.ways(unit, at).1 <= WAYS_MAX
    }

    /// Where one can go on from a place, not back and not into a dead end whose unit has arrived.
    fn ways_on(&mut self, unit: u32, at: Position, back: Position) -> Ways {
        let (ways, count) = self.ways(unit, at);
        if count > WAYS_MAX {
            return Ways::Junction;
        }
        let mut on = None;
        for &way in &ways[..count] {
            if way == back || self.is_parked_dead_end(unit, way) {
                continue;
            }
            if on.replace(way).is_some() {
                return Ways::Junction;
            }
        }
        on.map_or(Ways::End, Ways::On)
    }

    fn is_parked_dead_end(&mut self, unit: u32, at: Position) -> bool {
        if self.ways(unit, at).1 != 1 {
            return false;
        }
        let holder = self.holder_at(unit, at);
        holder != NONE && self.distance(holder, at) == 0
    }

    /// Whether one unit, pushing the other along the corridor, cannot get past it.
    fn is_swap_required(
        &mut self,
        pusher: u32,
        puller: u32,
        mut behind: Position,
        mut front: Position,
    ) -> bool {
        for _ in 0..WALK_MAX {
            if self.distance(pusher, front) >= self.distance(pusher, behind) {
                break;
            }
            match self.ways_on(pusher, front, behind) {
                Ways::Junction => return false,
                Ways::End => break,
                Ways::On(next) => (behind, front) = (front, next),
            }
        }
        let (left, further) = (self.distance(pusher, behind), self.distance(pusher, front));
        self.distance(puller, behind) < self.distance(puller, front)
            && (left == 0 || further < left)
    }

    /// Whether the corridor behind, pulled along, leads to a junction.
    fn is_swap_possible(&mut self, unit: u32, origin: Position, from: Position) -> bool {
        let (mut behind, mut front) = (origin, from);
        for _ in 0..WALK_MAX {
            if front == origin {
                return false;
            }
            match self.ways_on(unit, front, behind) {
                Ways::Junction => return true,
                Ways::End => return false,
                Ways::On(next) => (behind, front) = (front, next),
            }
        }
        false
    }
}
