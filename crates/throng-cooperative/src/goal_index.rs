//! Which unit wants to stay where, and the penalty for crossing another unit's goal.
//!
//! A unit that crosses the place where another rests, or soon will, pushes that one off or
//! keeps it waiting. That is legal, but it costs a penalty, so that a path around is taken
//! where there is one. CA* and HCA* use the same penalty for units that have not planned yet:
//! a path across such a goal costs what the later unit loses.

use throng_model::{Tick, UnitId};
use throng_spacetime::{Entry, Position, Space, TimedObstacles};

use crate::View;

/// By entry of the reservation table, the unit that wants to stay there.
#[derive(Clone, Debug, Default)]
pub struct GoalIndex {
    /// Empty while no unit has a goal.
    owner: Vec<Option<UnitId>>,
    /// By unit, the first tick at which it is on its goal or could be.
    ready: Vec<Tick>,
    /// The highest penalty, in ticks.
    penalty_max: u32,
}

impl GoalIndex {
    pub(crate) fn new(penalty_max: u32) -> Self {
        Self { penalty_max, ..Self::default() }
    }

    /// Registers a unit's goal. Entries that another unit owns stay that unit's.
    pub(crate) fn set<S: Space>(&mut self, space: &S, unit: UnitId, at: Position, ready: Tick) {
        self.owner.resize(space.entries().max(self.owner.len()), None);
        if self.ready.len() <= unit.index() {
            self.ready.resize(unit.index() + 1, Tick(0));
        }
        self.ready[unit.index()] = ready;
        self.replace_owner(space, at, None, Some(unit));
    }

    pub(crate) fn clear<S: Space>(&mut self, space: &S, unit: UnitId, at: Position) {
        self.replace_owner(space, at, Some(unit), None);
    }

    fn replace_owner<S: Space>(
        &mut self,
        space: &S,
        at: Position,
        from: Option<UnitId>,
        to: Option<UnitId>,
    ) {
        let owner = &mut self.owner;
        space.standing(at, |entry| {
            if let Some(owner) = owner.get_mut(entry.get()).filter(|owner| **owner == from) {
                *owner = to;
            }
            true
        });
    }

    /// The unit that wants to stay on an entry.
    #[inline]
    #[must_use]
    pub fn owner(&self, entry: Entry) -> Option<UnitId> {
        self.owner.get(entry.get()).copied().flatten()
    }

    /// Notes from which tick on the unit is on its goal, or could be.
    pub(crate) fn set_ready(&mut self, unit: UnitId, ready: Tick) {
        if let Some(known) = self.ready.get_mut(unit.index()) {
            *known = ready;
        }
    }

    pub(crate) fn ready(&self, unit: UnitId) -> Tick {
        self.ready.get(unit.index()).copied().unwrap_or_default()
    }

    /// A unit will be on the entry at a tick: its owner can park only after that.
    pub(crate) fn delay_owner(&mut self, entry: Entry, tick: Tick) {
        let owner = self.owner(entry).map(UnitId::index);
        if let Some(ready) = owner.and_then(|owner| self.ready.get_mut(owner)) {
            *ready = Tick(ready.0.max(tick.0 + 1));
        }
    }

    #[inline]
    fn penalty_ticks(&self, unit: UnitId, entry: Entry, tick: Tick) -> u32 {
        let Some(owner) = self.owner(entry).filter(|&owner| owner != unit) else { return 0 };
        let ready = self.ready[owner.index()];
        (tick.0 + 1).saturating_sub(ready.0).min(self.penalty_max)
    }
}

/// The reservation table as a unit sees it that pays for crossing other units' goals.
pub(crate) struct PenalizedView<'a> {
    pub(crate) view: View<'a>,
    pub(crate) goals: &'a GoalIndex,
    pub(crate) unit: UnitId,
    /// What a tick of penalty costs; 0 for a unit that pays none.
    pub(crate) pause_cost: u64,
}

impl TimedObstacles for PenalizedView<'_> {
    #[inline]
    fn is_free(&self, entry: Entry, tick: Tick) -> bool {
        self.view.is_free(entry, tick)
    }

    #[inline]
    fn may_pass(&self, before: Entry, after: Entry, tick: Tick) -> bool {
        self.view.may_pass(before, after, tick)
    }

    #[inline]
    fn penalty(&self, entry: Entry, tick: Tick) -> u64 {
        u64::from(self.goals.penalty_ticks(self.unit, entry, tick)) * self.pause_cost
    }

    fn free_from(&self, entry: Entry) -> Option<Tick> {
        self.view.free_from(entry)
    }

    fn last_tick(&self) -> Tick {
        self.view.last_tick()
    }

    #[inline]
    fn next_taken(&self, entry: Entry, tick: Tick) -> Option<Tick> {
        self.view.next_taken(entry, tick)
    }

    #[inline]
    fn next_free(&self, entry: Entry, tick: Tick) -> Option<Tick> {
        self.view.next_free(entry, tick)
    }
}
