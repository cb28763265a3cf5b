//! Where the other groups are: what must be avoided, or what breaks ties.

use throng_model::Conflicts;

use crate::clash::{Move, Place};

/// The ways of some units, by tick.
#[derive(Default)]
pub(crate) struct Others {
    /// Arrivals: tick and place, and whose.
    arrivals: Vec<(u64, u32)>,
    /// Moves: the tick of their end and their middle, where they come from, and whose.
    passages: Vec<(u64, Place, u32)>,
    /// Where each stays in the end, since when, and who.
    rests: Vec<(Place, u32, u32)>,
}

fn key(tick: u32, number: u32) -> u64 {
    u64::from(tick) << 32 | u64::from(number)
}

impl Others {
    /// The ways of units, each with its unit.
    pub(crate) fn new<'p>(paths: impl Iterator<Item = (u32, &'p [Place])>) -> Self {
        let mut others = Self::default();
        for (owner, path) in paths {
            others.add(owner, path);
        }
        others.arrivals.sort_unstable();
        others.passages.sort_unstable();
        others.rests.sort_unstable();
        others
    }

    fn add(&mut self, owner: u32, path: &[Place]) {
        let Some(&last) = path.last() else { return };
        let end = path.iter().rposition(|&place| place != last).map_or(0, |tick| tick as u32 + 1);
        self.rests.push((last, end, owner));
        for (tick, &place) in (0..end).zip(path) {
            self.arrivals.push((key(tick, place.0), owner));
        }
        for (tick, step) in (1..=end).zip(path.windows(2)) {
            let step = Move { from: step[0], to: step[1] };
            if step.from != step.to {
                self.passages.push((key(tick, step.middle()), step.from, owner));
            }
        }
    }

    /// Visits whom a move that ends at `tick` clashes with, until told to stop.
    pub(crate) fn clashes(
        &self,
        step: Move,
        tick: u32,
        counted: Conflicts,
        mut visit: impl FnMut(u32) -> bool,
    ) {
        let at = key(tick, step.to.0);
        let first = self.arrivals.partition_point(|&(key, _)| key < at);
        for &(_, owner) in self.arrivals[first..].iter().take_while(|entry| entry.0 == at) {
            if !visit(owner) {
                return;
            }
        }
        let first = self.rests.partition_point(|&(place, ..)| place < step.to);
        let resting = self.rests[first..].iter().take_while(|entry| entry.0 == step.to);
        for &(_, since, owner) in resting {
            if since <= tick && !visit(owner) {
                return;
            }
        }
        if step.from == step.to {
            return;
        }
        let at = key(tick, step.middle());
        let first = self.passages.partition_point(|&(key, ..)| key < at);
        for &(_, from, owner) in self.passages[first..].iter().take_while(|entry| entry.0 == at) {
            let to = Place(step.middle() - from.0);
            let passes = step.passes_through(Move { from, to }, counted) && to != step.to;
            if passes && !visit(owner) {
                return;
            }
        }
    }
}

/// Some of the others.
#[derive(Clone, Copy)]
pub(crate) struct View<'t> {
    pub(crate) others: &'t Others,
    pub(crate) counted: Conflicts,
    /// Whom to see, by unit.
    pub(crate) seen: &'t [bool],
}

impl View<'_> {
    #[inline]
    fn sees(&self, owner: u32) -> bool {
        self.seen[owner as usize]
    }

    /// From then on nobody moves.
    pub(crate) fn horizon(&self) -> u32 {
        let seen = self.others.rests.iter().filter(|rest| self.sees(rest.2));
        seen.map(|rest| rest.1).max().unwrap_or(0)
    }

    /// The last tick at which somebody passes a place.
    pub(crate) fn last_visit(&self, place: Place) -> Option<u32> {
        let arrivals = self.others.arrivals.iter();
        let visits = arrivals.filter(|(key, owner)| *key as u32 == place.0 && self.sees(*owner));
        visits.map(|(key, _)| (key >> 32) as u32).max()
    }

    /// How many units a move that ends at `tick` clashes with.
    pub(crate) fn count(&self, step: Move, tick: u32) -> u16 {
        let mut count = 0;
        self.others.clashes(step, tick, self.counted, |owner| {
            count += u16::from(self.sees(owner));
            true
        });
        count
    }

    /// Whether a move that ends at `tick` clashes with any.
    #[inline]
    pub(crate) fn forbids(&self, step: Move, tick: u32) -> bool {
        let mut free = true;
        self.others.clashes(step, tick, self.counted, |owner| {
            free = !self.sees(owner);
            free
        });
        !free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrivals_rests_and_exchanges_are_seen() {
        let path = [5, 6, 7].map(Place);
        let others = Others::new([(9, &path[..])].into_iter());
        let seen = vec![true; 10];
        let view = View { others: &others, counted: Conflicts::default(), seen: &seen };
        let forbids =
            |from, to, tick| view.forbids(Move { from: Place(from), to: Place(to) }, tick);
        assert!(forbids(7, 6, 1), "same cell");
        assert!(forbids(6, 5, 1), "exchange");
        assert!(!forbids(4, 5, 1), "following");
        assert!(forbids(8, 7, 2) && forbids(8, 7, 50), "it rests there");
        assert!(!forbids(8, 7, 1), "not yet");
        assert_eq!(view.horizon(), 2);
        assert_eq!((view.last_visit(Place(6)), view.last_visit(Place(7))), (Some(1), None));
    }
}
