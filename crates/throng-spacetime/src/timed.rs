//! Obstacles in space-time, as searches see them.

use throng_model::Tick;

use crate::space::Entry;

/// Obstacles that change with time: the reservation table as one unit sees it, or the plans of
/// another group.
pub trait TimedObstacles {
    /// Whether the entry can be held at a tick.
    fn is_free(&self, entry: Entry, tick: Tick) -> bool;

    /// Whether no unit passes from one entry at a tick to the other one tick later.
    fn may_pass(&self, before: Entry, after: Entry, tick: Tick) -> bool;

    /// The penalty for entering the entry at a tick, in addition to the cost of the move. It is
    /// for moves that are allowed but disturb other units, such as crossing another unit's goal.
    /// It is in the space's unit of cost and must not depend on the path.
    #[inline]
    fn penalty(&self, entry: Entry, tick: Tick) -> u64 {
        let _ = (entry, tick);
        0
    }

    /// The first tick from which the entry stays free forever; `None` if there is none.
    fn free_from(&self, entry: Entry) -> Option<Tick>;

    /// The last tick at which anything changes.
    fn last_tick(&self) -> Tick;

    /// The first tick, not before the given one, at which the entry cannot be held.
    fn next_taken(&self, entry: Entry, tick: Tick) -> Option<Tick> {
        let end = self.last_tick().0.max(tick.0) + 1;
        (tick.0..=end).map(Tick).find(|&tick| !self.is_free(entry, tick))
    }

    /// The first tick, not before the given one, at which the entry can be held.
    fn next_free(&self, entry: Entry, tick: Tick) -> Option<Tick> {
        let end = self.last_tick().0.max(tick.0) + 1;
        (tick.0..=end).map(Tick).find(|&tick| self.is_free(entry, tick))
    }
}

/// No obstacles at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObstacles;

impl TimedObstacles for NoObstacles {
    fn is_free(&self, _: Entry, _: Tick) -> bool {
        true
    }

    fn may_pass(&self, _: Entry, _: Entry, _: Tick) -> bool {
        true
    }

    fn free_from(&self, _: Entry) -> Option<Tick> {
        Some(Tick(0))
    }

    fn last_tick(&self) -> Tick {
        Tick(0)
    }
}
