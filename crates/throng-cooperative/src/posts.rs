//! Respect for the destinations of others.
//!
//! A unit that walks over the place where another rests, or will be soon, drives it away or
//! keeps it waiting. That is not forbidden, but it has a price, so that a way around is
//! taken where there is one.

use throng_model::Tick;
use throng_spacetime::{Entry, Position, Space, TimedObstacles};

use crate::View;

const NOBODY: u32 = u32::MAX;

/// Whose destination each entry is, and since when its unit is there or can be.
#[derive(Clone, Debug, Default)]
pub(crate) struct Posts {
    /// Empty while nobody has one.
    owner: Vec<u32>,
    /// By unit.
    ready: Vec<Tick>,
    /// The highest toll, in ticks.
    toll_max: u32,
}

impl Posts {
    pub(crate) fn new(toll_max: u32) -> Self {
        Self { toll_max, ..Self::default() }
    }

    pub(crate) fn set<S: Space>(&mut self, space: &S, unit: u32, at: Position, ready: Tick) {
        self.owner.resize(space.entries(), NOBODY);
        if self.ready.len() <= unit as usize {
            self.ready.resize(unit as usize + 1, Tick(0));
        }
        self.ready[unit as usize] = ready;
        self.set_owner(space, at, NOBODY, unit);
    }

    pub(crate) fn clear<S: Space>(&mut self, space: &S, unit: u32, at: Position) {
        self.set_owner(space, at, unit, NOBODY);
    }

    fn set_owner<S: Space>(&mut self, space: &S, at: Position, from: u32, to: u32) {
        let owner = &mut self.owner;
        space.standing(at, |entry| {
            if let Some(owner) = owner.get_mut(entry.get()).filter(|owner| **owner == from) {
                *owner = to;
            }
            true
        });
    }

    /// From when on the unit is at its post, or could be.
    pub(crate) fn set_ready(&mut self, unit: u32, ready: Tick) {
        if let Some(known) = self.ready.get_mut(unit as usize) {
            *known = ready;
        }
    }

    pub(crate) fn ready(&self, unit: u32) -> Tick {
        self.ready.get(unit as usize).copied().unwrap_or_default()
    }

    /// Where posts are another unit's than in the other list, and whose they are.
    pub(crate) fn unlike(&self, other: &Self) -> Vec<(Entry, Option<u32>)> {
        let owner = |posts: &Self, entry: usize| posts.owner.get(entry).copied().unwrap_or(NOBODY);
        (0..self.owner.len().max(other.owner.len()))
            .filter(|&entry| owner(self, entry) != owner(other, entry))
            .map(|entry| (Entry(entry as u32), Some(owner(self, entry)).filter(|&o| o != NOBODY)))
            .collect()
    }

    /// Gives posts to others than they were set for.
    pub(crate) fn correct(&mut self, entries: usize, owners: &[(Entry, Option<u32>)]) {
        for &(entry, owner) in owners {
            self.owner.resize(entries, NOBODY);
            let owner = owner.unwrap_or(NOBODY);
            self.owner[entry.get()] = owner;
            if owner != NOBODY && self.ready.len() <= owner as usize {
                self.ready.resize(owner as usize + 1, Tick(0));
            }
        }
    }

    #[inline]
    fn toll(&self, unit: u32, entry: Entry, tick: Tick) -> u32 {
        let owner = self.owner.get(entry.get()).copied().unwrap_or(NOBODY);
        if owner == NOBODY || owner == unit {
            return 0;
        }
        let ready = self.ready[owner as usize];
        (tick.0 + 1).saturating_sub(ready.0).min(self.toll_max)
    }
}

/// The reservation table for a unit that respects posts.
pub(crate) struct Polite<'a> {
    pub(crate) view: View<'a>,
    pub(crate) posts: &'a Posts,
    pub(crate) unit: u32,
    /// What a tick costs.
    pub(crate) pause_cost: u64,
}

impl TimedObstacles for Polite<'_> {
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
        u64::from(self.posts.toll(self.unit, entry, tick)) * self.pause_cost
    }

    fn free_from(&self, entry: Entry) -> Option<Tick> {
        self.view.free_from(entry)
    }

    fn last_tick(&self) -> Tick {
        self.view.last_tick()
    }
}
