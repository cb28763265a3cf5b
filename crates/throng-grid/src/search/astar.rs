//! A* from any of many starts to any of many goals in one traversal.
//!
//! X. Xu and K. Zou, "An improved pathfinding algorithm in RTS games", section 3.2: every
//! start enters the open list with G = 0, and the first stop node that is reached for good
//! ends the search. The estimate is the least over all goals.
//!
//! On ground of a single factor, successors with an equally cheap canonical path are pruned (see
//! [`StepTables`](crate::ground::directions::StepTables)). The answers are the same, with far
//! fewer generated nodes.

use throng_model::{Budget, CellIndex};

use crate::ground::directions::{Direction, OFFSETS};
use crate::search::estimate::Estimate;
use crate::search::frontier::{Expand, Frontier};
use crate::{Ground, Path, PathSearch, Query, QueryError, SearchStatus};

/// A* search. It reuses its memory: after the first queries on a map nothing is allocated.
///
/// - Optimal: yes (with a `throng_model::Weight`: within that factor of the best).
/// - Complete: yes; unreachable goals are recognised without a search.
/// - Ties: deterministic, by the order of expansion.
///
/// ```
/// use throng_model::{Budget, Cell, Map, MovementProfile};
/// use throng_grid::{AStar, Ground, PathSearch, Query};
/// let map = Map::empty(100, 100)?;
/// let ground = Ground::new(&map, MovementProfile::eight_connected())?;
/// let mut search = AStar::default();
/// let exits = [Cell::new(3, 3), Cell::new(9, 7)];
/// let flag = [Cell::new(90, 80)];
/// let query = Query::new(&exits, &flag);
/// let path = search.find(&ground, &query, Budget::unlimited())?.found().ok_or("no path")?;
/// assert_eq!(path.start(), Some(Cell::new(9, 7)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct AStar {
    frontier: Frontier<()>,
    /// For each cell, the bit of the direction in which its best path arrives; none for a
    /// start.
    arrivals: Vec<u8>,
}

impl AStar {
    /// Nodes generated for this query, including those that did not improve a cost.
    #[must_use]
    pub fn generated(&self) -> u64 {
        self.frontier.generated
    }

    /// The largest number of open nodes.
    #[must_use]
    pub fn peak_open(&self) -> u64 {
        self.frontier.peak_open()
    }

    /// Writes the path to a node. Returns false if there is no node.
    fn trace(&self, ground: &Ground, end: Option<u32>, path: &mut Path) -> bool {
        path.clear();
        let Some(mut at) = end else { return false };
        let offsets = ground.index_offsets();
        path.cells.push(ground.cell(CellIndex(at)));
        while self.arrivals[at as usize] != 0 {
            let direction = Direction(self.arrivals[at as usize].trailing_zeros() as u8);
            // The cost is summed over the steps: the stored cost of a node is too high if a
            // better path to its parent was found and the parent was not expanded again.
            path.cost.0 += ground.base_cost(direction) * u64::from(ground.factors()[at as usize]);
            at = at.wrapping_add_signed(-offsets[usize::from(direction.0)]);
            path.cells.push(ground.cell(CellIndex(at)));
        }
        path.cells.reverse();
        true
    }
}

impl PathSearch for AStar {
    fn begin(&mut self, ground: &Ground, query: &Query<'_>) -> Result<(), QueryError> {
        self.frontier.begin(ground, query)?;
        self.arrivals.resize(ground.factors().len(), 0);
        self.frontier.starts.iter().for_each(|start| self.arrivals[start.get()] = 0);
        Ok(())
    }

    fn run(&mut self, ground: &Ground, budget: Budget<'_>) -> Result<SearchStatus, QueryError> {
        let arrivals = &mut self.arrivals;
        if ground.uniform_factor().is_some() {
            self.frontier.run(ground, &mut Steps::<true>::new(ground, arrivals), budget)
        } else {
            self.frontier.run(ground, &mut Steps::<false>::new(ground, arrivals), budget)
        }
    }

    fn path_into(&self, ground: &Ground, path: &mut Path) -> bool {
        self.trace(ground, self.frontier.goal_reached(ground), path)
    }

    fn nearest_into(&self, ground: &Ground, path: &mut Path) -> bool {
        self.trace(ground, self.frontier.nearest_node(ground), path)
    }

    fn expanded(&self) -> u64 {
        self.frontier.expanded
    }
}

/// Single steps to neighbours, over ground of one factor or of many.
struct Steps<'a, const UNIFORM: bool> {
    ground: &'a Ground,
    arrivals: &'a mut [u8],
    width: u32,
    offsets: [i32; 8],
    /// The cost of a step in each direction; on uniform ground it includes the factor.
    costs: [u64; 8],
}

impl<'a, const UNIFORM: bool> Steps<'a, UNIFORM> {
    fn new(ground: &'a Ground, arrivals: &'a mut [u8]) -> Self {
        let factor = if UNIFORM { ground.least_factor() } else { 1 };
        Self {
            ground,
            arrivals,
            width: ground.width(),
            offsets: ground.index_offsets(),
            costs: Direction::ALL.map(|direction| ground.base_cost(direction) * factor),
        }
    }

    #[inline]
    fn steps(&self, at: usize, arrival: u8) -> u8 {
        let around = self.ground.around()[at];
        let step_tables = self.ground.step_tables();
        if UNIFORM { step_tables.canonical(arrival, around) } else { step_tables.legal(around) }
    }

    #[inline]
    fn cost(&self, direction: usize, to: usize) -> u64 {
        if UNIFORM {
            self.costs[direction]
        } else {
            self.costs[direction] * u64::from(self.ground.factors()[to])
        }
    }
}

impl<const UNIFORM: bool> Expand for Steps<'_, UNIFORM> {
    type Node = ();

    #[inline]
    fn expand<E: Estimate>(
        &mut self,
        frontier: &mut Frontier<()>,
        estimate: &mut E,
        node: u32,
        g: u64,
    ) {
        let (x, y) = ((node % self.width) as i32, (node / self.width) as i32);
        let mut steps = self.steps(node as usize, self.arrivals[node as usize]);
        frontier.generated += u64::from(steps.count_ones());
        while steps != 0 {
            let d = steps.trailing_zeros() as usize % 8;
            steps &= steps - 1;
            let next = node.wrapping_add_signed(self.offsets[d]);
            let cost = g + self.cost(d, next as usize);
            if frontier.nodes.improve(next as usize, cost) {
                self.arrivals[next as usize] = 1 << d;
                let h = estimate.at(x + OFFSETS[d].0, y + OFFSETS[d].1);
                frontier.open(next, cost, h);
            }
        }
    }
}
