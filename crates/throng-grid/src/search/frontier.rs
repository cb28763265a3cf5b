//! The part of a best-first search that A* and jump point search share: open list, costs, starts,
//! goals, and the test for its end.

use throng_model::{Budget, CellIndex, Cost, Effort};

use crate::kit::BucketQueue;
use crate::kit::Nodes;
use crate::search::estimate::{Estimate, ManyGoals, Metric, OneGoal};
use crate::search::query::{Relevance, usable_cells};
use crate::{Ground, Query, QueryError, SearchStatus};

/// Bucket width as a power of two: a third of a straight step. Narrower buckets mean more
/// of them, wider ones mean nodes expanded twice.
const BUCKET_SHIFT: u32 = 12;

/// How a search gets from a node to its successors.
pub(crate) trait Expand {
    /// What the search keeps beside each node's cost.
    type Node: Copy + Default;

    /// Offers the frontier every successor of `node`, which was reached at cost `g`.
    fn expand<E: Estimate>(
        &mut self,
        frontier: &mut Frontier<Self::Node>,
        estimate: &mut E,
        node: u32,
        g: u64,
    );
}

/// The state of a best-first search from any of many starts to any of many goals.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frontier<T> {
    pub(crate) nodes: Nodes<T>,
    queue: BucketQueue,
    pub(crate) starts: Vec<CellIndex>,
    pub(crate) goals: Vec<CellIndex>,
    relevance: Relevance,
    metric: Metric,
    many_goals: ManyGoals,
    /// Cost and cell of the best goal reached.
    best_goal: Option<(u64, u32)>,
    /// Estimate and cell of the node nearest to a goal.
    nearest: (u64, u32),
    /// Whether a path leads from some start to some goal, at any cost.
    is_reachable: bool,
    /// The cost limit of the query, and the largest estimate of a path within it.
    cost_max: Cost,
    estimate_max: u64,
    /// Fingerprint of the ground that the query was begun for.
    begun_for: Option<u64>,
    finished: Option<SearchStatus>,
    pub(crate) expanded: u64,
    pub(crate) generated: u64,
}

impl<T: Copy + Default> Frontier<T> {
    /// Sets up a query; forgets the one before.
    pub(crate) fn begin(&mut self, ground: &Ground, query: &Query<'_>) -> Result<(), QueryError> {
        self.begun_for = None;
        usable_cells(ground, "start", query.starts, false, &mut self.starts)?;
        let blocked_too = query.nearest_if_unreachable;
        usable_cells(ground, "goal", query.goals, blocked_too, &mut self.goals)?;
        let cells = ground.factors().len();
        let reachable = self.relevance.filter(ground, &mut self.starts, &mut self.goals);
        let skip = !reachable && !query.nearest_if_unreachable;
        self.finished = skip.then_some(SearchStatus::Exhausted);
        self.is_reachable = reachable;
        self.begun_for = Some(ground.fingerprint());
        (self.expanded, self.generated) = (0, 0);
        (self.best_goal, self.nearest) = (None, (u64::MAX, 0));
        self.nodes.begin(cells);
        self.metric = Metric::new(ground, query.weight);
        self.cost_max = query.cost_max;
        self.estimate_max = query.weight.times(query.cost_max.0);
        let goals = self.goals.iter().map(|&goal| ground.cell(goal));
        self.many_goals.reset(ground, self.metric, goals);
        self.open_starts(ground);
        Ok(())
    }

    /// Every start enters the open list with cost 0.
    fn open_starts(&mut self, ground: &Ground) {
        self.queue.reset(0, BUCKET_SHIFT + ground.least_factor().ilog2());
        for at in 0..self.starts.len() {
            let start = self.starts[at];
            if self.nodes.improve(start.get(), 0) {
                let cell = ground.cell(start);
                let h = self.many_goals.at(i32::from(cell.x), i32::from(cell.y));
                self.open(start.0, 0, h);
            }
        }
    }

    /// Adds a node with a better cost to the open list.
    #[inline]
    pub(crate) fn open(&mut self, node: u32, g: u64, h: u64) {
        if h < self.nearest.0 {
            self.nearest = (h, node);
        }
        if h > 0 {
            self.queue.push(g + h, node);
        } else if g <= self.cost_max.0 && self.best_goal.is_none_or(|(best, _)| g < best) {
            // A goal need not be expanded. Of several with one cost the first stays.
            self.best_goal = Some((g, node));
        }
    }

    /// Resumes the query within the budget.
    pub(crate) fn run(
        &mut self,
        ground: &Ground,
        expander: &mut impl Expand<Node = T>,
        budget: Budget<'_>,
    ) -> Result<SearchStatus, QueryError> {
        if !self.is_for(ground) {
            return Err(QueryError::GroundChanged);
        }
        if let Some(status) = self.finished {
            return Ok(status);
        }
        let (width, mut effort) = (ground.width(), Effort::new(budget));
        let status = if let [goal] = self.goals[..] {
            let cell = ground.cell(goal);
            let (x, y) = (i32::from(cell.x), i32::from(cell.y));
            let mut estimate = OneGoal { metric: self.metric, x, y };
            self.search(width, expander, &mut estimate, &mut effort)
        } else {
            let mut estimate = std::mem::take(&mut self.many_goals);
            let status = self.search(width, expander, &mut estimate, &mut effort);
            self.many_goals = estimate;
            status
        };
        if !status.is_stopped() {
            self.finished = Some(status);
        }
        Ok(status)
    }

    fn search<E: Estimate>(
        &mut self,
        width: u32,
        expander: &mut impl Expand<Node = T>,
        estimate: &mut E,
        effort: &mut Effort<'_>,
    ) -> SearchStatus {
        loop {
            while let Some(node) = self.queue.pop_current() {
                if !effort.may_expand() {
                    self.queue.push(0, node);
                    return effort.stopped().unwrap_or(SearchStatus::BudgetSpent);
                }
                if let Some((best, _)) = self.best_goal
                    && self.is_hopeless(estimate, node, width, best)
                {
                    continue;
                }
                let Some(g) = self.nodes.close(node as usize) else { continue };
                self.expanded += 1;
                effort.count();
                expander.expand(self, estimate, node, g);
            }
            let last = self.best_goal.map_or(self.estimate_max, |(best, _)| best);
            if !self.queue.advance(self.queue.bucket(last.min(self.estimate_max))) {
                return self.conclusion();
            }
        }
    }

    /// How the search ended, when no open node is of use any more.
    fn conclusion(&self) -> SearchStatus {
        match self.best_goal {
            Some(_) => SearchStatus::Found,
            None if self.is_reachable => SearchStatus::CostLimit,
            None => SearchStatus::Exhausted,
        }
    }

    /// Whether no path through the node can beat the one found.
    fn is_hopeless<E: Estimate>(&self, estimate: &mut E, node: u32, width: u32, best: u64) -> bool {
        let h = estimate.at((node % width) as i32, (node / width) as i32);
        self.nodes.cost(node as usize).is_none_or(|g| g + h >= best)
    }

    fn is_for(&self, ground: &Ground) -> bool {
        self.begun_for == Some(ground.fingerprint())
    }

    /// The goal reached, once the search has found its path.
    pub(crate) fn goal_reached(&self, ground: &Ground) -> Option<u32> {
        let found = self.finished == Some(SearchStatus::Found) && self.is_for(ground);
        self.best_goal.filter(|_| found).map(|(_, goal)| goal)
    }

    /// The node nearest to a goal so far.
    pub(crate) fn nearest_node(&self, ground: &Ground) -> Option<u32> {
        let (h, node) = self.nearest;
        (h < u64::MAX && self.is_for(ground)).then_some(node)
    }

    /// Most nodes that were open at once.
    pub(crate) fn peak_open(&self) -> u64 {
        self.queue.peak_len() as u64
    }
}
