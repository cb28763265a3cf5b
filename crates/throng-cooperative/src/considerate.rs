//! Consideration for those who have not planned yet.
//!
//! In CA* and HCA* a unit takes the shortest way that earlier ones leave it. If that leads
//! over the goal of a later one, the later one cannot park there before: it may lose more
//! than the earlier one gains. So the way over another's goal costs what that one loses.

use throng_model::Tick;
use throng_spacetime::{Entry, Space, TimedObstacles};

use crate::{Fleet, View};

const NOBODY: u32 = u32::MAX;

/// The goals of units that have not planned yet.
#[derive(Clone, Debug)]
pub(crate) struct Goals {
    /// By entry, whose goal it is.
    owner: Vec<u32>,
    /// By unit, the first tick at which it can park, as far as is known.
    ready: Vec<u32>,
    /// What a tick costs.
    pause_cost: u64,
}

impl Goals {
    pub(crate) fn new<S: Space>(fleet: &Fleet<S>, mut ready: impl FnMut(u32) -> u32) -> Self {
        let entries = fleet.spaces.iter().map(Space::entries).max().unwrap_or(0);
        let units = 0..fleet.riders.len() as u32;
        let mut goals = Self {
            owner: vec![NOBODY; entries],
            ready: units.clone().map(&mut ready).collect(),
            pause_cost: fleet.spaces.first().map_or(1, Space::pause_cost),
        };
        units.for_each(|unit| goals.set_owner(fleet, unit, unit));
        goals
    }

    fn set_owner<S: Space>(&mut self, fleet: &Fleet<S>, unit: u32, owner: u32) {
        let goal = fleet.riders[unit as usize].goal;
        fleet.space(unit as usize).standing(goal, |entry| {
            self.owner[entry.get()] = owner;
            true
        });
    }

    /// The unit has planned: it needs no consideration any more.
    pub(crate) fn done<S: Space>(&mut self, fleet: &Fleet<S>, unit: u32) {
        self.set_owner(fleet, unit, NOBODY);
    }

    /// Somebody will be on the entry at a tick: its owner can park only after that.
    pub(crate) fn pass(&mut self, entry: Entry, tick: Tick) {
        if let Some(ready) = self.ready.get_mut(self.owner[entry.get()] as usize) {
            *ready = (*ready).max(tick.0 + 1);
        }
    }
}

/// The reservation table for a considerate unit.
pub(crate) struct Considerate<'a> {
    pub(crate) view: View<'a>,
    pub(crate) goals: &'a Goals,
    pub(crate) unit: u32,
}

impl TimedObstacles for Considerate<'_> {
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
        let owner = self.goals.owner[entry.get()];
        if owner == NOBODY || owner == self.unit {
            return 0;
        }
        let late = (tick.0 + 1).saturating_sub(self.goals.ready[owner as usize]);
        u64::from(late) * self.goals.pause_cost
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
