//! A* from any of many starts to any of many goals in one traversal.
//!
//! X. Xu and K. Zou, "An improved pathfinding algorithm in RTS games", section 3.2: every
//! start enters the open list with G = 0, and the first stop node that is reached for good
//! ends the search. The estimate is the least over all goals.
//!
//! On ground of a single factor, successors that have a more canonical path are pruned
//! (see [`compass`](crate::compass)): the same answers from far fewer nodes generated.

use throng_model::{Budget, CellIndex, Cost};

use crate::compass::{Direction, OFFSETS};
use crate::estimate::{Estimate, ManyGoals, Metric, OneGoal};
use crate::nodes::{Nodes, Offer};
use crate::query::{Relevance, usable_cells};
use crate::queue::BucketQueue;
use crate::{Ground, Path, PathSearch, Query, QueryError, Status};

/// Bucket width as a power of two: a third of a straight step. Narrower buckets mean more
/// of them, wider ones mean nodes expanded twice.
const BUCKET_SHIFT: u32 = 12;
/// How many expansions pass between two looks at the interrupt.
const INTERRUPT_INTERVAL: u64 = 4096;

/// A* search. Owns its memory: after the first queries on a map nothing is allocated.
///
/// - Optimal: yes (with a [`Weight`](crate::Weight): within that factor of the best).
/// - Complete: yes; unreachable goals are recognised without a search.
/// - Ties: deterministic, by the order of expansion; among starts and goals given, the
///   order does not depend on how many times a cell is named.
///
/// ```
/// use throng_model::{Budget, Cell, Map, Movement};
/// use throng_search::{AStar, Ground, PathSearch, Query};
/// let map = Map::open(100, 100)?;
/// let ground = Ground::new(&map, Movement::eight_connected())?;
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
    nodes: Nodes,
    /// For each cell, the directions in which its best paths arrive; none for a start.
    arrivals: Vec<u8>,
    queue: BucketQueue,
    starts: Vec<CellIndex>,
    goals: Vec<CellIndex>,
    relevance: Relevance,
    metric: Metric,
    many_goals: ManyGoals,
    /// Starts that are not in the queue yet, by estimate, the nearest last.
    waiting: Vec<(u64, u32)>,
    best_goal: Option<(u64, u32)>,
    nearest: Option<(u64, u32)>,
    state: State,
    expanded: u64,
    generated: u64,
}

/// For which ground a query was begun, and whether it is answered.
#[derive(Clone, Debug, Default)]
struct State {
    ground_version: u64,
    cells: usize,
    finished: Option<Status>,
}

impl AStar {
    /// Nodes generated for this query: costs offered to a cell.
    #[must_use]
    pub fn generated(&self) -> u64 {
        self.generated
    }

    /// Most nodes that were open at once.
    #[must_use]
    pub fn peak_open(&self) -> u64 {
        self.queue.peak_len() as u64
    }

    fn seed<E: Estimate>(&mut self, ground: &Ground, estimate: &mut E) {
        let starts = std::mem::take(&mut self.starts);
        for &start in &starts {
            if self.nodes.offer(start.get(), 0) == Offer::Better {
                self.arrivals[start.get()] = 0;
                let cell = ground.cell(start);
                let h = estimate.at(i32::from(cell.x), i32::from(cell.y));
                self.waiting.push((h, start.0));
                self.note_nearest(h, start.0);
                if h == 0 && self.best_goal.is_none() {
                    self.best_goal = Some((0, start.0));
                }
            }
        }
        self.starts = starts;
        self.waiting.sort_unstable_by(|a, b| b.cmp(a));
        let least = self.waiting.last().map_or(0, |&(h, _)| h);
        let (_, diagonal) = ground.movement().step_costs();
        let rise_max = diagonal.0 * ground.largest_factor() + self.metric.step_max();
        self.queue.reset(least, BUCKET_SHIFT + ground.least_factor().ilog2(), rise_max);
        self.admit_waiting(self.queue.bucket(least));
    }

    /// Puts the waiting starts of a bucket into the queue.
    fn admit_waiting(&mut self, bucket: u64) {
        while let Some(&(h, start)) = self.waiting.last()
            && self.queue.bucket(h) <= bucket
        {
            self.queue.push(h, start);
            self.waiting.pop();
        }
    }

    fn note_nearest(&mut self, h: u64, cell: u32) {
        if self.nearest.is_none_or(|(least, _)| h < least) {
            self.nearest = Some((h, cell));
        }
    }

    /// The loop of the paper's figure 1.
    fn search<const UNIFORM: bool, E: Estimate>(
        &mut self,
        ground: &Ground,
        estimate: &mut E,
        budget: Budget<'_>,
    ) -> Status {
        let spent_at = budget.expansions.map_or(u64::MAX, |n| self.expanded.saturating_add(n));
        let expansion = Expansion::<UNIFORM>::new(ground);
        loop {
            while let Some(node) = self.queue.pop_current() {
                if self.expanded >= spent_at {
                    self.queue.push(0, node);
                    return Status::Running;
                }
                if self
                    .best_goal
                    .is_some_and(|(cost, _)| self.is_hopeless(ground, estimate, node, cost))
                {
                    continue;
                }
                let Some(g) = self.nodes.close(node as usize) else { continue };
                self.expanded += 1;
                self.expand(&expansion, estimate, node, g);
                if self.expanded.is_multiple_of(INTERRUPT_INTERVAL) && budget.is_interrupted() {
                    return Status::Interrupted;
                }
            }
            if let Some(status) = self.next_bucket() {
                return status;
            }
        }
    }

    /// Whether no path through the node can beat the one found.
    fn is_hopeless<E: Estimate>(
        &self,
        ground: &Ground,
        estimate: &mut E,
        node: u32,
        best: u64,
    ) -> bool {
        let cell = ground.cell(CellIndex(node));
        let h = estimate.at(i32::from(cell.x), i32::from(cell.y));
        self.nodes.cost(node as usize).is_none_or(|g| g + h >= best)
    }

    /// Moves on to the next bucket, or says how the search ended.
    fn next_bucket(&mut self) -> Option<Status> {
        let queued = self.queue.next_bucket();
        let waiting = self.waiting.last().map(|&(h, _)| self.queue.bucket(h));
        let next = queued.into_iter().chain(waiting).min();
        let best = self.best_goal.map(|(cost, _)| self.queue.bucket(cost));
        match (next, best) {
            (None, None) => Some(Status::Unreachable),
            (None, Some(_)) => Some(Status::Found),
            (Some(next), Some(best)) if next > best => Some(Status::Found),
            (Some(next), _) => {
                self.queue.advance(next);
                self.admit_waiting(next);
                None
            }
        }
    }

    #[inline]
    fn expand<const UNIFORM: bool, E: Estimate>(
        &mut self,
        expansion: &Expansion<'_, UNIFORM>,
        estimate: &mut E,
        node: u32,
        g: u64,
    ) {
        let (x, y) = ((node % expansion.width) as i32, (node / expansion.width) as i32);
        let mut steps = expansion.steps(node as usize, self.arrivals[node as usize]);
        self.generated += u64::from(steps.count_ones());
        while steps != 0 {
            let d = steps.trailing_zeros() as usize % 8;
            steps &= steps - 1;
            let next = node.wrapping_add_signed(expansion.offsets[d]);
            let cost = g + expansion.cost(d, next as usize);
            match self.nodes.offer(next as usize, cost) {
                Offer::Better => {
                    self.arrivals[next as usize] = 1 << d;
                    let h = estimate.at(x + OFFSETS[d].0, y + OFFSETS[d].1);
                    self.open(next, cost, h);
                }
                Offer::Equal if UNIFORM => {
                    self.join(expansion, next, d, cost, |x, y| estimate.at(x, y));
                }
                Offer::Equal | Offer::Worse => {}
            }
        }
    }

    #[inline]
    fn open(&mut self, node: u32, g: u64, h: u64) {
        self.note_nearest(h, node);
        if h == 0 {
            // The offer was better, so this is the best path to this goal; of several
            // goals with one cost the first found stays.
            if self.best_goal.is_none_or(|(best, _)| g < best) {
                self.best_goal = Some((g, node));
            }
        } else {
            self.queue.push(g + h, node);
        }
    }

    /// Another best path to a node, arriving in another direction: with pruning, it may
    /// lead on where the first one does not.
    #[cold]
    fn join<const UNIFORM: bool>(
        &mut self,
        expansion: &Expansion<'_, UNIFORM>,
        node: u32,
        direction: usize,
        g: u64,
        estimate: impl FnOnce(i32, i32) -> u64,
    ) {
        let at = node as usize;
        let known = self.arrivals[at];
        let both = known | 1 << direction;
        // A start leads everywhere already.
        if known == 0 || both == known {
            return;
        }
        let leads_on = expansion.steps(at, both) != expansion.steps(at, known);
        self.arrivals[at] = both;
        if leads_on && self.nodes.is_closed(at) {
            self.nodes.reopen(at);
            let (x, y) = ((node % expansion.width) as i32, (node / expansion.width) as i32);
            self.queue.push(g + estimate(x, y), node);
        }
    }

    fn trace(&self, ground: &Ground, end: u32) -> Option<Path> {
        let cost = Cost(self.nodes.cost(end as usize)?);
        let mut at = end;
        let offsets = ground.index_offsets();
        let mut cells = vec![ground.cell(CellIndex(at))];
        while self.arrivals[at as usize] != 0 {
            let direction = self.arrivals[at as usize].trailing_zeros() as usize;
            at = at.wrapping_add_signed(-offsets[direction]);
            cells.push(ground.cell(CellIndex(at)));
        }
        cells.reverse();
        Some(Path { cells, cost })
    }

    fn is_for(&self, ground: &Ground) -> bool {
        self.state.ground_version == ground.version() && self.state.cells == ground.factors().len()
    }
}

impl PathSearch for AStar {
    fn begin(&mut self, ground: &Ground, query: &Query<'_>) -> Result<(), QueryError> {
        usable_cells(ground, "start", query.starts, &mut self.starts)?;
        usable_cells(ground, "goal", query.goals, &mut self.goals)?;
        let cells = ground.factors().len();
        let reachable = self.relevance.filter(ground, &mut self.starts, &mut self.goals);
        let skip = !reachable && !query.nearest_if_unreachable;
        self.state = State {
            ground_version: ground.version(),
            cells,
            finished: skip.then_some(Status::Unreachable),
        };
        (self.expanded, self.generated) = (0, 0);
        (self.best_goal, self.nearest) = (None, None);
        self.waiting.clear();
        self.nodes.begin(cells);
        self.arrivals.resize(cells, 0);
        self.metric = Metric::new(ground, query.weight);
        let mut many_goals = std::mem::take(&mut self.many_goals);
        many_goals.reset(ground, self.metric, self.goals.iter().map(|&goal| ground.cell(goal)));
        self.seed(ground, &mut many_goals);
        self.many_goals = many_goals;
        Ok(())
    }

    fn run(&mut self, ground: &Ground, budget: Budget<'_>) -> Result<Status, QueryError> {
        if !self.is_for(ground) {
            return Err(QueryError::GroundChanged);
        }
        if let Some(status) = self.state.finished {
            return Ok(status);
        }
        let uniform = ground.uniform_factor().is_some();
        let status = if let [goal] = self.goals[..] {
            let cell = ground.cell(goal);
            let (x, y) = (i32::from(cell.x), i32::from(cell.y));
            let mut estimate = OneGoal { metric: self.metric, x, y };
            match uniform {
                true => self.search::<true, _>(ground, &mut estimate, budget),
                false => self.search::<false, _>(ground, &mut estimate, budget),
            }
        } else {
            let mut estimate = std::mem::take(&mut self.many_goals);
            let status = match uniform {
                true => self.search::<true, _>(ground, &mut estimate, budget),
                false => self.search::<false, _>(ground, &mut estimate, budget),
            };
            self.many_goals = estimate;
            status
        };
        if !matches!(status, Status::Running | Status::Interrupted) {
            self.state.finished = Some(status);
        }
        Ok(status)
    }

    fn path(&self, ground: &Ground) -> Option<Path> {
        let found = self.state.finished == Some(Status::Found) && self.is_for(ground);
        self.best_goal.filter(|_| found).and_then(|(_, goal)| self.trace(ground, goal))
    }

    fn nearest(&self, ground: &Ground) -> Option<Path> {
        self.nearest.filter(|_| self.is_for(ground)).and_then(|(_, cell)| self.trace(ground, cell))
    }

    fn expanded(&self) -> u64 {
        self.expanded
    }
}

/// What the innermost loop reads of the ground.
struct Expansion<'a, const UNIFORM: bool> {
    ground: &'a Ground,
    width: u32,
    offsets: [i32; 8],
    /// What each direction costs, the single factor worked in.
    costs: [u64; 8],
}

impl<'a, const UNIFORM: bool> Expansion<'a, UNIFORM> {
    fn new(ground: &'a Ground) -> Self {
        let factor = if UNIFORM { ground.least_factor() } else { 1 };
        Self {
            ground,
            width: ground.width(),
            offsets: ground.index_offsets(),
            costs: Direction::ALL.map(|direction| ground.base_cost(direction) * factor),
        }
    }

    #[inline]
    fn steps(&self, at: usize, arrivals: u8) -> u8 {
        let around = self.ground.around()[at];
        let compass = self.ground.compass();
        if UNIFORM { compass.canonical(arrivals, around) } else { compass.legal(around) }
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
