//! The true distances of a fleet's units, kept or thrown away as memory allows.

use throng_grid::kit::{DenseCosts, PagedCosts};
use throng_model::Effort;
use throng_spacetime::{Distance, Position, Rra, Space};

use crate::{Heuristic, Rider};

/// What becomes of a unit's distances when it has planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    /// It will plan again soon.
    Always,
    /// It plans once, and again only when the planner begins anew: kept while all of them
    /// together have at most so many nodes, if each flooded the map.
    UpToNodes(usize),
}

impl Keep {
    /// For planners that plan once for each unit.
    pub(crate) const ONCE: Self = Self::UpToNodes(1 << 23);
}

/// What guides the units of a fleet.
#[derive(Clone, Debug)]
pub(crate) struct Distances {
    heuristic: Heuristic,
    riders: Vec<Rider>,
    /// One for each goal and space, where there is memory for it.
    kept: Vec<Option<Rra<PagedCosts>>>,
    /// By unit, which of the kept ones is its own: units with the same goal share one.
    share: Vec<u32>,
    /// Otherwise the one of the unit that is planning.
    dense: Rra<DenseCosts>,
    dense_of: Option<u32>,
    expanded: u64,
    generated: u64,
}

impl Distances {
    pub(crate) fn new<S: Space>(
        spaces: &[S],
        riders: &[Rider],
        heuristic: Heuristic,
        keep: Keep,
    ) -> Self {
        let mut goals: Vec<_> = riders.iter().map(|rider| (rider.space, rider.goal)).collect();
        goals.sort_unstable();
        goals.dedup();
        let share =
            |rider: &Rider| goals.binary_search(&(rider.space, rider.goal)).unwrap_or(0) as u32;
        let positions = spaces.iter().map(Space::positions).max().unwrap_or(0);
        let keeps = match keep {
            Keep::Always => true,
            Keep::UpToNodes(nodes) => goals.len().saturating_mul(positions) <= nodes,
        };
        Self {
            heuristic,
            riders: riders.to_vec(),
            share: riders.iter().map(share).collect(),
            kept: if keeps { vec![None; goals.len()] } else { Vec::new() },
            dense: Rra::default(),
            dense_of: None,
            expanded: 0,
            generated: 0,
        }
    }

    /// The distance from a position to the unit's goal, or the estimate of it.
    #[inline]
    pub(crate) fn get<S: Space>(&mut self, spaces: &[S], unit: u32, at: Position) -> Option<u64> {
        self.get_in(&spaces[self.riders[unit as usize].space], unit, at)
    }

    /// The same, with the unit's own space.
    #[inline]
    pub(crate) fn get_in<S: Space>(&mut self, space: &S, unit: u32, at: Position) -> Option<u64> {
        let rider = self.riders[unit as usize];
        if self.heuristic == Heuristic::Estimate {
            return Some(space.estimate(at, rider.goal));
        }
        self.true_distance(space, rider, unit, at)
    }

    /// The distances of one unit, in its own space.
    pub(crate) fn of_unit<'a, S: Space>(
        &'a mut self,
        space: &'a S,
        unit: u32,
    ) -> impl Distance + 'a {
        OfUnit { distances: self, space, unit }
    }

    #[inline]
    fn at_hand<S: Space>(&self, space: &S, unit: u32, at: Position) -> Option<u64> {
        if self.heuristic == Heuristic::Estimate {
            return Some(space.estimate(at, self.riders[unit as usize].goal));
        }
        match self.kept.get(self.share[unit as usize] as usize) {
            Some(kept) => kept.as_ref()?.known(at),
            None if self.dense_of == Some(unit) => self.dense.known(at),
            None => None,
        }
    }

    /// How long the unit's way is: the distance where distances are kept, else the estimate.
    pub(crate) fn rough<S: Space>(&mut self, spaces: &[S], unit: u32) -> u64 {
        let rider = self.riders[unit as usize];
        if self.kept.is_empty() {
            return spaces[rider.space].estimate(rider.start, rider.goal);
        }
        self.get(spaces, unit, rider.start).unwrap_or(u64::MAX)
    }

    #[inline]
    fn true_distance<S: Space>(
        &mut self,
        space: &S,
        rider: Rider,
        unit: u32,
        at: Position,
    ) -> Option<u64> {
        let Some(kept) = self.kept.get_mut(self.share[unit as usize] as usize) else {
            return self.distance_now(space, rider, unit, at);
        };
        let search = kept.get_or_insert_with(|| begun(space, rider));
        if let Some(known) = search.known(at) {
            return Some(known);
        }
        let before = (search.expanded(), search.generated());
        let found = search.distance(space, at);
        self.expanded += search.expanded() - before.0;
        self.generated += search.generated() - before.1;
        found
    }

    fn distance_now<S: Space>(
        &mut self,
        space: &S,
        rider: Rider,
        unit: u32,
        at: Position,
    ) -> Option<u64> {
        if self.dense_of.replace(unit) != Some(unit) {
            self.dense.begin(space, [(rider.goal, 0)], rider.start);
        }
        let before = (self.dense.expanded(), self.dense.generated());
        let found = self.dense.distance(space, at);
        self.expanded += self.dense.expanded() - before.0;
        self.generated += self.dense.generated() - before.1;
        found
    }

    /// How many units there are.
    pub(crate) fn len(&self) -> usize {
        self.riders.len()
    }

    /// Whether it gives true distances, not estimates.
    pub(crate) fn is_exact(&self) -> bool {
        self.heuristic == Heuristic::TrueDistance
    }

    /// Whether the unit can get to its goal at all.
    pub(crate) fn is_reachable<S: Space>(&mut self, spaces: &[S], unit: u32) -> bool {
        let rider = self.riders[unit as usize];
        self.true_distance(&spaces[rider.space], rider, unit, rider.start).is_some()
    }

    pub(crate) fn expanded(&self) -> u64 {
        self.expanded
    }

    pub(crate) fn generated(&self) -> u64 {
        self.generated
    }
}

struct OfUnit<'a, S> {
    distances: &'a mut Distances,
    space: &'a S,
    unit: u32,
}

impl<S: Space> Distance for OfUnit<'_, S> {
    #[inline]
    fn distance(&mut self, from: Position, _: &mut Effort<'_>) -> Option<u64> {
        self.distances.get_in(self.space, self.unit, from)
    }

    #[inline]
    fn known(&self, from: Position) -> Option<u64> {
        self.distances.at_hand(self.space, self.unit, from)
    }
}

fn begun<S: Space>(space: &S, rider: Rider) -> Rra<PagedCosts> {
    let mut search = Rra::default();
    search.begin(space, [(rider.goal, 0)], rider.start);
    search
}
