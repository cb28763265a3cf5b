//! A* over the abstract graph.
//!
//! The nodes of this search are transitions, not border cells
//! (`docs/decisions/hierarchy-graph.md`): an expansion then compares costs that lie
//! side by side in memory.

use throng_model::Cell;

use crate::border::BorderCell;
use crate::bucket_list::BucketList;
use crate::cluster::{Cluster, ReverseTransition, TRANSITIONS_MAX, TransitionEnd};
use crate::hierarchy::GridHierarchy;
use crate::layout::{ClusteredGround, STRAIGHT_COST, UNREACHED};
use crate::refinement::{LocalSearch, Travel, trace};
use crate::transitions::Transition;

/// Nodes whose estimated costs differ by less than two to the power of this are expanded in
/// any order.
const BUCKET_WIDTH_LOG2: u32 = 4;

/// A transition of a cluster, as a node of the search: the unit stands where it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TransitionId(u32);

impl TransitionId {
    #[inline]
    fn new(cluster: u32, index: usize) -> Self {
        Self(cluster * TRANSITIONS_MAX + index as u32)
    }

    fn cluster(self) -> u32 {
        self.0 / TRANSITIONS_MAX
    }

    #[inline]
    fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn transition(self, hierarchy: &GridHierarchy) -> &Transition {
        let transitions = &hierarchy.clusters[self.cluster() as usize].transitions;
        &transitions[(self.0 % TRANSITIONS_MAX) as usize]
    }
}

/// What precedes a transition on a path: another transition, or a start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Parent(u32);

impl Parent {
    /// Above all transitions: there are at most 2^16 clusters.
    const FIRST_START: u32 = 1 << 31;

    fn start(index: usize) -> Self {
        Self(Self::FIRST_START + index as u32)
    }

    /// The transition, or else the index of the start.
    fn transition(self) -> Result<TransitionId, usize> {
        if self.0 < Self::FIRST_START {
            Ok(TransitionId(self.0))
        } else {
            Err((self.0 - Self::FIRST_START) as usize)
        }
    }
}

/// An edge inserted for this query: from an abstract node to a goal in its cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct GoalEdge {
    from: BorderCell,
    goal: u32,
    cost: u32,
}

/// The best path to a goal so far.
#[derive(Clone, Copy, Debug)]
struct BestPath {
    cost: u32,
    parent: Parent,
    goal: u32,
}

/// How the search stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AbstractStatus {
    Running,
    Found,
    Exhausted,
}

/// A path over the abstract graph.
#[derive(Clone, Debug, Default)]
pub(crate) struct AbstractPath {
    pub(crate) start: Cell,
    pub(crate) transitions: Vec<TransitionId>,
    pub(crate) goal: Cell,
}

/// An admissible estimate: the cost to the rectangle around all goals at the least factor.
#[derive(Clone, Copy, Debug, Default)]
struct Heuristic {
    left: u32,
    right: u32,
    top: u32,
    bottom: u32,
    /// Least cost per cell along the longer side of the rectangle between two cells.
    along: u32,
    /// Least cost per cell along the shorter side.
    aside: u32,
}

impl Heuristic {
    fn new(ground: &ClusteredGround<'_>, goals: &[Cell]) -> Self {
        let columns = || goals.iter().map(|goal| u32::from(goal.x));
        let rows = || goals.iter().map(|goal| u32::from(goal.y));
        let factor = ground.ground.least_factor() as u32;
        let rules = ground.rules();
        let extra = rules.diagonal_cost - STRAIGHT_COST;
        Self {
            left: columns().min().unwrap_or(0),
            right: columns().max().unwrap_or(0),
            top: rows().min().unwrap_or(0),
            bottom: rows().max().unwrap_or(0),
            along: STRAIGHT_COST * factor,
            aside: if rules.has_diagonals { extra } else { STRAIGHT_COST } * factor,
        }
    }

    #[inline]
    fn estimate(&self, cell: Cell) -> u32 {
        let (x, y) = (u32::from(cell.x), u32::from(cell.y));
        let dx = self.left.saturating_sub(x) + x.saturating_sub(self.right);
        let dy = self.top.saturating_sub(y) + y.saturating_sub(self.bottom);
        dx.max(dy) * self.along + dx.min(dy) * self.aside
    }
}

/// An entry of the open list. It tells where the transition ends, so that an expansion need
/// not read the cluster behind it first.
#[derive(Clone, Copy, Debug)]
struct OpenEntry {
    transition: TransitionId,
    to: BorderCell,
    reverse: ReverseTransition,
    cost: u32,
}

/// The search and its memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct AbstractSearch {
    query: u32,
    /// For each cluster, the query that last wrote the costs of its transitions. Costs of
    /// earlier queries are void.
    queries: Vec<u32>,
    /// For each transition, the least cost at its end, by way of the node where it begins.
    ///
    /// That node may have been reached from inside the cluster or across the transition's
    /// reverse. In the second case its end was reached before, at less cost.
    costs: Vec<u32>,
    parents: Vec<Parent>,
    open: BucketList<OpenEntry>,
    goal_edges: Vec<GoalEdge>,
    goal_clusters: Vec<u32>,
    heuristic: Heuristic,
    starts: Vec<Cell>,
    goals: Vec<Cell>,
    best: Option<BestPath>,
    local: LocalSearch,
    pub(crate) expanded: u64,
}

impl AbstractSearch {
    /// Sets up a search between cells on which the unit can stand.
    pub(crate) fn begin(
        &mut self,
        hierarchy: &GridHierarchy,
        ground: &ClusteredGround<'_>,
        starts: &[Cell],
        goals: &[Cell],
    ) {
        self.void_costs(hierarchy.clusters.len());
        self.goal_edges.clear();
        self.goal_clusters.clear();
        self.goal_clusters.extend(goals.iter().map(|&goal| hierarchy.layout.cluster_of(goal)));
        self.goal_clusters.dedup();
        self.best = None;
        self.expanded = 0;
        self.heuristic = Heuristic::new(ground, goals);
        self.starts.clear();
        self.starts.extend_from_slice(starts);
        self.goals.clear();
        self.goals.extend_from_slice(goals);
        let least = starts.iter().map(|&start| self.heuristic.estimate(start)).min();
        self.open.reset(least.unwrap_or(0).into(), BUCKET_WIDTH_LOG2);
        (0..goals.len()).for_each(|goal| self.insert_goal(hierarchy, ground, goal));
        self.goal_edges.sort_unstable();
        (0..starts.len()).for_each(|start| self.insert_start(hierarchy, ground, start));
    }

    fn void_costs(&mut self, clusters: usize) {
        let transitions = clusters * TRANSITIONS_MAX as usize;
        if self.queries.len() != clusters || self.query == u32::MAX {
            self.queries.clear();
            self.queries.resize(clusters, 0);
            self.costs.resize(transitions, UNREACHED);
            self.parents.resize(transitions, Parent(0));
            self.query = 0;
        }
        self.query += 1;
    }

    /// Clears the costs of a cluster if an earlier query wrote them.
    #[inline]
    fn visit(&mut self, hierarchy: &GridHierarchy, cluster: u32) {
        let query = &mut self.queries[cluster as usize];
        if *query != self.query {
            *query = self.query;
            let count = hierarchy.clusters[cluster as usize].ends.len();
            let first = TransitionId::new(cluster, 0).index();
            self.costs[first..first + count].fill(UNREACHED);
        }
    }

    fn insert_goal(
        &mut self,
        hierarchy: &GridHierarchy,
        ground: &ClusteredGround<'_>,
        goal: usize,
    ) {
        let cell = self.goals[goal];
        let cluster = hierarchy.layout.cluster_of(cell);
        for &slot in hierarchy.clusters[cluster as usize].node_slots() {
            let from = BorderCell::new(cluster, slot);
            let cost = trace(hierarchy, ground, cell, from, Travel::FromNode, |_| {});
            if let Some(cost) = cost {
                self.goal_edges.push(GoalEdge { from, goal: goal as u32, cost });
            }
        }
    }

    fn insert_start(
        &mut self,
        hierarchy: &GridHierarchy,
        ground: &ClusteredGround<'_>,
        start: usize,
    ) {
        let cell = self.starts[start];
        let cluster = hierarchy.layout.cluster_of(cell);
        let parent = Parent::start(start);
        for goal in 0..self.goals.len() {
            let to = self.goals[goal];
            let is_local = hierarchy.layout.cluster_of(to) == cluster;
            let found =
                if is_local { self.local.find(ground, cell, to, &mut Vec::new()) } else { None };
            if let Some(cost) = found {
                self.reach_goal(BestPath { cost, parent, goal: goal as u32 });
            }
        }
        self.visit(hierarchy, cluster);
        let Cluster { transitions, ends, .. } = &hierarchy.clusters[cluster as usize];
        for (index, (transition, &end)) in transitions.iter().zip(ends).enumerate() {
            let id = TransitionId::new(cluster, index);
            let path = trace(hierarchy, ground, cell, transition.from, Travel::ToNode, |_| {});
            let cost = path.map_or(UNREACHED, |cost| cost + transition.cost);
            if cost < self.costs[id.index()] {
                self.costs[id.index()] = cost;
                self.open(id, end, cost, parent);
            }
        }
    }

    /// Expands transitions until the best path is known or `most` were expanded.
    pub(crate) fn run(&mut self, hierarchy: &GridHierarchy, most: u64) -> AbstractStatus {
        let limit = self.expanded.saturating_add(most);
        while self.expanded < limit {
            let bound = self.best.map_or(u64::MAX, |best| u64::from(best.cost));
            let Some(entry) = self.open.pop_below(bound) else {
                let is_found = self.best.is_some();
                return if is_found { AbstractStatus::Found } else { AbstractStatus::Exhausted };
            };
            // Otherwise it was reached at less cost since.
            if self.costs[entry.transition.index()] == entry.cost {
                self.expand(hierarchy, entry);
            }
        }
        AbstractStatus::Running
    }

    fn expand(
        &mut self,
        hierarchy: &GridHierarchy,
        OpenEntry { transition, to, reverse, cost }: OpenEntry,
    ) {
        self.expanded += 1;
        let entered = to.cluster();
        if self.goal_clusters.contains(&entered) {
            self.reach_goals_from(transition, to, cost);
        }
        self.visit(hierarchy, entered);
        let cluster = &hierarchy.clusters[entered as usize];
        let reverse_index = TransitionId::new(entered, cluster.reverse_index(reverse)).index();
        // The border cell was reached from inside the cluster since the entry was opened.
        if self.costs[reverse_index] <= cost + reverse.cost() {
            return;
        }
        self.costs[reverse_index] = cost + reverse.cost();
        let first = TransitionId::new(entered, 0).index();
        for (index, &cost_out) in cluster.costs_out(to.slot()).iter().enumerate() {
            let cost = cost + cost_out;
            if cost < self.costs[first + index] {
                self.costs[first + index] = cost;
                let end = cluster.ends[index];
                if !self.is_end_reached(hierarchy, end, cost) {
                    let id = TransitionId::new(entered, index);
                    self.open(id, end, cost, Parent(transition.0));
                }
            }
        }
    }

    /// Whether the end of a transition was reached from inside the next cluster at no more
    /// cost. The transitions from there were then opened already.
    #[inline]
    fn is_end_reached(
        &self,
        hierarchy: &GridHierarchy,
        TransitionEnd { to, reverse, .. }: TransitionEnd,
        cost: u32,
    ) -> bool {
        let cluster = to.cluster();
        self.queries[cluster as usize] == self.query && {
            let reverse_index = hierarchy.clusters[cluster as usize].reverse_index(reverse);
            let reverse_id = TransitionId::new(cluster, reverse_index);
            self.costs[reverse_id.index()] <= cost + reverse.cost()
        }
    }

    /// Puts a transition on the open list.
    #[inline]
    fn open(
        &mut self,
        transition: TransitionId,
        TransitionEnd { to, cell, reverse }: TransitionEnd,
        cost: u32,
        parent: Parent,
    ) {
        self.parents[transition.index()] = parent;
        let estimate = self.heuristic.estimate(cell);
        let entry = OpenEntry { transition, to, reverse, cost };
        self.open.push(u64::from(cost) + u64::from(estimate), entry);
    }

    fn reach_goals_from(&mut self, transition: TransitionId, at: BorderCell, cost: u32) {
        let first = self.goal_edges.partition_point(|edge| edge.from < at);
        for edge in first..self.goal_edges.len() {
            let GoalEdge { from, goal, cost: rest } = self.goal_edges[edge];
            if from != at {
                break;
            }
            let cost = cost + rest;
            self.reach_goal(BestPath { cost, parent: Parent(transition.0), goal });
        }
    }

    fn reach_goal(&mut self, path: BestPath) {
        if self.best.is_none_or(|best| path.cost < best.cost) {
            self.best = Some(path);
        }
    }

    /// Writes the best path found; false while there is none.
    pub(crate) fn path_into(&self, path: &mut AbstractPath) -> bool {
        path.transitions.clear();
        let Some(best) = self.best else { return false };
        path.goal = self.goals[best.goal as usize];
        let mut parent = best.parent;
        loop {
            match parent.transition() {
                Ok(transition) => {
                    path.transitions.push(transition);
                    parent = self.parents[transition.index()];
                }
                Err(start) => {
                    path.start = self.starts[start];
                    path.transitions.reverse();
                    return true;
                }
            }
        }
    }
}
