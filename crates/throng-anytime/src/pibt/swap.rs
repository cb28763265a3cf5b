//! Swap: two units that block each other in a corridor or a dead end exchange places.
//!
//! K. Okumura, "Improving LaCAM for scalable eventually optimal multi-agent pathfinding"
//! (IJCAI 2023). A unit swaps when both hold:
//!
//! - *required*: if it pushed the unit ahead, that unit would find no junction to step aside
//!   before their wishes collide;
//! - *possible*: if the unit ahead pulled it back, they would come to a junction.
//!
//! It then goes away from its goal and pulls the other into the cell that it leaves.

use super::{NOBODY, Pibt, TrueDistances};
use crate::Vertex;

/// Where a corridor leads on from a cell.
enum Onward {
    /// Two ways at least.
    Junction,
    /// One way.
    To(Vertex),
    /// No way.
    DeadEnd,
}

impl Pibt<'_> {
    /// The unit to swap with, or [`NOBODY`]. `best` is the cell that the unit prefers.
    pub(super) fn swap_partner<D: TrueDistances>(
        &self,
        unit: u32,
        best: Vertex,
        distances: &mut D,
    ) -> u32 {
        let at = self.now[unit as usize];
        if best == at {
            return NOBODY;
        }
        let ahead = self.occupied_now[best.get()];
        if ahead != NOBODY
            && self.next[ahead as usize] == Vertex::NONE
            && self.is_swap_required(unit, ahead, at, best, distances)
            && self.is_swap_possible(best, at)
        {
            return ahead;
        }
        self.partner_behind(unit, at, best, distances)
    }

    /// A unit beside that will need a swap once this one has gone on: the junction is cleared
    /// for it now.
    fn partner_behind<D: TrueDistances>(
        &self,
        unit: u32,
        at: Vertex,
        best: Vertex,
        distances: &mut D,
    ) -> u32 {
        // Where the unit would be pushed is a junction at once: no swap is required.
        if self.graph.degree(best) > 2 && matches!(self.onward(at, best, 2), Onward::Junction) {
            return NOBODY;
        }
        for &beside in self.graph.neighbours(at) {
            let other = self.occupied_now[beside.get()];
            if other != NOBODY
                && beside != best
                && self.is_swap_required(other, unit, at, best, distances)
                && self.is_swap_possible(best, at)
            {
                return other;
            }
        }
        NOBODY
    }

    /// The ways on from a cell that was entered from `from`, for some units that are pushed
    /// ahead: those with room for all of them.
    fn onward(&self, from: Vertex, at: Vertex, pushed: u32) -> Onward {
        let mut onward = Onward::DeadEnd;
        for &to in self.graph.neighbours(at) {
            if to == from || !self.branches.has_room(at, to, pushed) {
                continue;
            }
            match onward {
                Onward::DeadEnd => onward = Onward::To(to),
                _ => return Onward::Junction,
            }
        }
        onward
    }

    /// Whether `pusher`, at `behind`, and `puller`, ahead of it, get past each other only by a
    /// swap: the pusher pushes on while that brings it closer to its goal.
    fn is_swap_required<D: TrueDistances>(
        &self,
        pusher: u32,
        puller: u32,
        mut behind: Vertex,
        mut ahead: Vertex,
        distances: &mut D,
    ) -> bool {
        let (pusher, puller) = (pusher as usize, puller as usize);
        let mut to_ahead = distances.get(pusher, ahead);
        let mut to_behind = distances.get(pusher, behind);
        let mut pushed = 0;
        while to_ahead < to_behind {
            // A unit that goes on from its goal can go first.
            if distances.are_goals_renewed() && distances.get(puller, ahead) == 0 {
                return false;
            }
            pushed += u32::from(pushed == 0 || self.occupied_now[ahead.get()] != NOBODY);
            match self.onward(behind, ahead, pushed) {
                Onward::Junction => return false,
                Onward::DeadEnd => break,
                Onward::To(further) => {
                    (behind, ahead) = (ahead, further);
                    to_behind = to_ahead;
                    to_ahead = distances.get(pusher, ahead);
                }
            }
        }
        distances.get(puller, behind) < distances.get(puller, ahead)
            && (to_behind == 0 || to_ahead < to_behind)
    }

    /// Whether there is a junction behind: the walk goes from `first` over `at` and away.
    fn is_swap_possible(&self, first: Vertex, mut at: Vertex) -> bool {
        let mut from = first;
        let mut pushed = 0;
        while at != first {
            pushed += u32::from(self.occupied_now[at.get()] != NOBODY);
            match self.onward(from, at, pushed.max(1)) {
                Onward::Junction => return true,
                Onward::DeadEnd => return false,
                Onward::To(further) => (from, at) = (at, further),
            }
        }
        false
    }
}
