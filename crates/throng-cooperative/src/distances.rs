//! The true distances of an instance's units, kept if there is enough memory.

use throng_grid::kit::{CostStore, DenseCosts, PagedCosts};
use throng_model::{Effort, UnitId};
use throng_spacetime::{Distance, Position, Rra, Space};

use crate::{Heuristic, InstanceUnit};

/// Whether a unit's distances are kept after it has planned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    /// Always: units plan again soon.
    Always,
    /// Only if the distances of all units, each over the whole map, have at most this many nodes.
    /// Units plan once, and again only when the planner restarts.
    UpToNodes(usize),
}

impl Keep {
    /// For planners that plan once per unit: 2^23 nodes.
    pub(crate) const ONCE: Self = Self::UpToNodes(1 << 23);
}

/// The heuristic of each unit: RRA* or the space's estimate.
#[derive(Clone, Debug)]
pub(crate) struct Distances {
    heuristic: Heuristic,
    units: Vec<InstanceUnit>,
    /// One search per goal and space; empty if searches are not kept.
    kept: Vec<Option<Rra<PagedCosts>>>,
    /// For each unit, the index of its search in `kept`: units with the same goal share one.
    share: Vec<u32>,
    /// If searches are not kept: the search of the unit that is planning.
    dense: Rra<DenseCosts>,
    dense_of: Option<UnitId>,
    expanded: u64,
    generated: u64,
}

impl Distances {
    pub(crate) fn new<S: Space>(
        spaces: &[S],
        units: &[InstanceUnit],
        heuristic: Heuristic,
        keep: Keep,
    ) -> Self {
        let mut goals: Vec<_> = units.iter().map(|spec| (spec.space, spec.goal)).collect();
        goals.sort_unstable();
        goals.dedup();
        let share =
            |spec: &InstanceUnit| goals.binary_search(&(spec.space, spec.goal)).unwrap_or(0) as u32;
        let positions = spaces.iter().map(Space::positions).max().unwrap_or(0);
        let keeps = match keep {
            Keep::Always => true,
            Keep::UpToNodes(nodes) => goals.len().saturating_mul(positions) <= nodes,
        };
        Self {
            heuristic,
            units: units.to_vec(),
            share: units.iter().map(share).collect(),
            kept: if keeps { vec![None; goals.len()] } else { Vec::new() },
            dense: Rra::default(),
            dense_of: None,
            expanded: 0,
            generated: 0,
        }
    }

    /// The unit has another goal. It shares the search of a unit of its space with the same goal,
    /// takes over the one that it had alone, or gets one more. For distances that are always kept.
    pub(crate) fn send(&mut self, unit: UnitId, start: Position, goal: Position) {
        let index = unit.index();
        let space = self.units[index].space;
        self.units[index] = InstanceUnit { start, goal, space };
        let mut others = (0..self.units.len()).filter(|&other| other != index);
        let same = others.clone().find(|&other| {
            let other = &self.units[other];
            (other.space, other.goal) == (space, goal)
        });
        if let Some(other) = same {
            self.share[index] = self.share[other];
        } else if others.all(|other| self.share[other] != self.share[index]) {
            self.kept[self.share[index] as usize] = None;
        } else {
            self.share[index] = self.free_search();
        }
    }

    /// The index of a search that no unit has.
    fn free_search(&mut self) -> u32 {
        let mut is_used = vec![false; self.kept.len()];
        self.share.iter().for_each(|&search| is_used[search as usize] = true);
        let free = is_used.iter().position(|is_used| !is_used).unwrap_or(self.kept.len());
        match self.kept.get_mut(free) {
            Some(kept) => *kept = None,
            None => self.kept.push(None),
        }
        free as u32
    }

    /// The distance from a position to the unit's goal, or the estimate of it.
    #[inline]
    pub(crate) fn get<S: Space>(
        &mut self,
        space: &S,
        unit: UnitId,
        at: Position,
        effort: &mut Effort<'_>,
    ) -> Option<u64> {
        if self.heuristic == Heuristic::Estimate {
            return Some(space.estimate(at, self.units[unit.index()].goal));
        }
        self.true_distance(space, unit, at, effort)
    }

    /// The distance from a unit's start to its goal, or the estimate of it.
    pub(crate) fn start_distance<S: Space>(
        &mut self,
        spaces: &[S],
        unit: UnitId,
        effort: &mut Effort<'_>,
    ) -> Option<u64> {
        let spec = self.units[unit.index()];
        self.get(&spaces[spec.space], unit, spec.start, effort)
    }

    /// The distances of one unit, in its own space.
    pub(crate) fn of_unit<'a, S: Space>(
        &'a mut self,
        space: &'a S,
        unit: UnitId,
    ) -> impl Distance + 'a {
        OfUnit { distances: self, space, unit }
    }

    #[inline]
    fn known<S: Space>(&self, space: &S, unit: UnitId, at: Position) -> Option<u64> {
        if self.heuristic == Heuristic::Estimate {
            return Some(space.estimate(at, self.units[unit.index()].goal));
        }
        match self.kept.get(self.share[unit.index()] as usize) {
            Some(kept) => kept.as_ref()?.known(at),
            None if self.dense_of == Some(unit) => self.dense.known(at),
            None => None,
        }
    }

    /// The length of the unit's path: the true distance if distances are kept, else the estimate.
    pub(crate) fn rough_length<S: Space>(
        &mut self,
        spaces: &[S],
        unit: UnitId,
        effort: &mut Effort<'_>,
    ) -> u64 {
        let spec = self.units[unit.index()];
        if self.kept.is_empty() {
            return spaces[spec.space].estimate(spec.start, spec.goal);
        }
        self.start_distance(spaces, unit, effort).unwrap_or(u64::MAX)
    }

    #[inline]
    fn true_distance<S: Space>(
        &mut self,
        space: &S,
        unit: UnitId,
        at: Position,
        effort: &mut Effort<'_>,
    ) -> Option<u64> {
        let spec = self.units[unit.index()];
        let counts = (&mut self.expanded, &mut self.generated);
        if let Some(kept) = self.kept.get_mut(self.share[unit.index()] as usize) {
            return resume(
                kept.get_or_insert_with(|| begun(space, spec)),
                space,
                at,
                effort,
                counts,
            );
        }
        if self.dense_of.replace(unit) != Some(unit) {
            self.dense.begin(space, [(spec.goal, 0)], spec.start);
        }
        resume(&mut self.dense, space, at, effort, counts)
    }

    /// The number of units.
    pub(crate) fn len(&self) -> usize {
        self.units.len()
    }

    /// Whether it gives true distances, not estimates.
    pub(crate) fn is_exact(&self) -> bool {
        self.heuristic == Heuristic::TrueDistance
    }

    /// Whether the unit can reach its goal. False also if the effort was stopped.
    pub(crate) fn is_reachable<S: Space>(
        &mut self,
        spaces: &[S],
        unit: UnitId,
        effort: &mut Effort<'_>,
    ) -> bool {
        let spec = self.units[unit.index()];
        self.true_distance(&spaces[spec.space], unit, spec.start, effort).is_some()
    }

    pub(crate) fn expanded(&self) -> u64 {
        self.expanded
    }

    pub(crate) fn generated(&self) -> u64 {
        self.generated
    }
}

/// The distance, after resuming the search if necessary. Adds its effort to the counts.
#[inline]
fn resume<S: Space, C: CostStore>(
    search: &mut Rra<C>,
    space: &S,
    at: Position,
    effort: &mut Effort<'_>,
    (expanded, generated): (&mut u64, &mut u64),
) -> Option<u64> {
    if let Some(known) = search.known(at) {
        return Some(known);
    }
    let before = (search.expanded(), search.generated());
    search.run(space, at, effort);
    *expanded += search.expanded() - before.0;
    *generated += search.generated() - before.1;
    search.known(at)
}

struct OfUnit<'a, S> {
    distances: &'a mut Distances,
    space: &'a S,
    unit: UnitId,
}

impl<S: Space> Distance for OfUnit<'_, S> {
    #[inline]
    fn distance(&mut self, from: Position, effort: &mut Effort<'_>) -> Option<u64> {
        self.distances.get(self.space, self.unit, from, effort)
    }

    #[inline]
    fn known(&self, from: Position) -> Option<u64> {
        self.distances.known(self.space, self.unit, from)
    }
}

fn begun<S: Space>(space: &S, spec: InstanceUnit) -> Rra<PagedCosts> {
    let mut search = Rra::default();
    search.begin(space, [(spec.goal, 0)], spec.start);
    search
}
