//! Routes through links: which of them a unit takes, if any.
//!
//! Dijkstra's algorithm over the ends of links. A node is the unit's start or the end of a link; its
//! successors are the beginnings of other links and the goals, at the cost of a shortest path on the
//! grid. A path is searched only if its lower bound is below the best known way, with that as its
//! limit. Ties go to the direct way, then to the link of the lower number.

use throng_grid::{Answer, Ground, Path, Query};
use throng_model::{Budget, Cell, Cost, Interrupt};
use throng_spacetime::{GridSpace, Space};

use super::routes::{Reply, SearchEnd};
use crate::link::{Link, LinkId};

/// A link that a unit could take.
#[derive(Clone, Debug)]
pub(super) struct Hop {
    pub(super) id: LinkId,
    from: Cell,
    to: Cell,
    cost: u64,
}

impl Hop {
    pub(super) fn new(id: LinkId, link: &Link, space: &GridSpace) -> Self {
        Self { id, from: link.from, to: link.to, cost: link.cost(space) }
    }
}

/// A node of the search: how it is reached.
#[derive(Clone, Debug)]
struct Node {
    cost: u64,
    /// The first hop on the way there.
    first: Option<usize>,
    is_done: bool,
}

/// The best way found so far.
struct Best {
    cost: u64,
    first: Option<usize>,
    direct: Option<Path>,
}

/// A search for the best way. The function answers queries on the grid.
pub(super) struct WaySearch<'a, F> {
    pub(super) space: &'a GridSpace,
    pub(super) hops: &'a [Hop],
    pub(super) find: F,
    pub(super) budget: u64,
    pub(super) interrupt: Option<Interrupt<'a>>,
    expanded: u64,
    is_spent: bool,
    /// As much of the direct path as the budget allowed.
    partial: Option<Path>,
}

impl<'a, F> WaySearch<'a, F>
where
    F: FnMut(&Ground, &Query<'_>, Budget<'_>) -> (Option<Answer>, u64),
{
    pub(super) fn new(
        space: &'a GridSpace,
        hops: &'a [Hop],
        find: F,
        budget: u64,
        interrupt: Option<Interrupt<'a>>,
    ) -> Self {
        Self { space, hops, find, budget, interrupt, expanded: 0, is_spent: false, partial: None }
    }

    /// The first part of the best way from one of the starts to one of the goals.
    pub(super) fn run(mut self, starts: &[Cell], goals: &[Cell]) -> Reply {
        let unknown = Node { cost: u64::MAX, first: None, is_done: false };
        let mut nodes = vec![unknown; self.hops.len() + 1];
        nodes[0].cost = 0;
        let mut first_paths: Vec<Option<Path>> = vec![None; self.hops.len()];
        let mut best = Best { cost: u64::MAX, first: None, direct: None };
        while let Some(at) = nearest(&nodes).filter(|&at| nodes[at].cost < best.cost) {
            nodes[at].is_done = true;
            let Node { cost, first, .. } = nodes[at];
            let end = at.checked_sub(1).map(|hop| [self.hops[hop].to]);
            let from = end.as_ref().map_or(starts, |end| end);
            if let Some(path) = self.path(from, goals, best.cost - cost, at == 0) {
                let total = cost + path.cost.0;
                if total < best.cost {
                    best = Best { cost: total, first, direct: (at == 0).then_some(path) };
                }
            }
            for next in 0..self.hops.len() {
                let (begin, inside) = (self.hops[next].from, self.hops[next].cost);
                let known = nodes[next + 1].cost.min(best.cost);
                let most = known.saturating_sub(cost).saturating_sub(inside);
                if nodes[next + 1].is_done || most == 0 {
                    continue;
                }
                let Some(path) = self.path(from, &[begin], most, false) else { continue };
                let total = cost + path.cost.0 + inside;
                if total < known {
                    let first = first.or(Some(next));
                    nodes[next + 1] = Node { cost: total, first, is_done: false };
                    if at == 0 {
                        first_paths[next] = Some(path);
                    }
                }
            }
        }
        self.reply(best, first_paths)
    }

    fn reply(self, best: Best, mut first_paths: Vec<Option<Path>>) -> Reply {
        let Self { expanded, is_spent, partial, hops, .. } = self;
        let found = |path, via| Reply {
            path: Some(path),
            expanded,
            end: SearchEnd::Found,
            via,
            ..Reply::default()
        };
        let hop = best.first.and_then(|first| Some((first_paths[first].take()?, hops[first].id)));
        match (best.direct, hop) {
            (Some(path), _) => found(path, None),
            (None, Some((path, id))) => found(path, Some(id)),
            _ if is_spent => Reply { path: partial, expanded, ..Reply::default() },
            _ => Reply { expanded, end: SearchEnd::Unreachable, ..Reply::default() },
        }
    }

    /// A shortest path below a cost, if there is one within the budget.
    fn path(
        &mut self,
        starts: &[Cell],
        goals: &[Cell],
        below: u64,
        keeps_part: bool,
    ) -> Option<Path> {
        let ground = self.space.ground();
        let mut pairs =
            starts.iter().flat_map(|&start| goals.iter().map(move |&goal| (start, goal)));
        let may_be = |(start, goal): (Cell, Cell)| {
            ground.is_connected(start, goal) && self.at_least(start, goal) < below
        };
        if self.is_spent || !pairs.any(may_be) {
            return None;
        }
        let query = Query::new(starts, goals);
        let query = if below == u64::MAX { query } else { query.with_cost_max(Cost(below - 1)) };
        let left = self.budget.saturating_sub(self.expanded);
        let budget = Budget { expansions: Some(left), interrupt: self.interrupt };
        let (answer, expanded) = (self.find)(ground, &query, budget);
        self.expanded += expanded;
        match answer? {
            Answer::Found(path) => Some(path),
            Answer::BudgetSpent { nearest, .. } => {
                self.is_spent = true;
                let is_useful = keeps_part && nearest.cells.len() > 1;
                self.partial = Some(nearest).filter(|_| is_useful);
                None
            }
            _ => None,
        }
    }

    /// A lower bound of the cost between two cells.
    fn at_least(&self, from: Cell, to: Cell) -> u64 {
        let ends = self.space.position(from).zip(self.space.position(to));
        ends.map_or(0, |(from, to)| self.space.estimate(from, to) * self.space.cost_unit())
    }
}

/// The node with the lowest cost that is not done, the first of equals.
fn nearest(nodes: &[Node]) -> Option<usize> {
    let open = nodes.iter().enumerate().filter(|(_, node)| !node.is_done && node.cost < u64::MAX);
    open.min_by_key(|&(at, node)| (node.cost, at)).map(|(at, _)| at)
}
