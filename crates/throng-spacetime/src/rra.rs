//! True distances by Reverse Resumable A*.
//!
//! D. Silver, "Cooperative pathfinding" (AIIDE 2005), algorithm 1: a backward search from
//! the goal towards the unit's original position. When it closes a position, the cost found
//! is the true distance from there to the goal. A query for a position that is not closed
//! resumes the search until it is.
//!
//! The paper's algorithm returns at the requested node before it generates the node's
//! successors; when resumed, it would never search behind it. Here a node is expanded first
//! and reported then.

use throng_grid::kit::{CostStore, LevelQueue, PagedCosts};
use throng_model::{Effort, SearchStatus};

use crate::space::{Position, Space};

/// **RRA***: true distances to one or several goals, computed on demand.
///
/// All units with the same goal and space can share one. As in the paper, the heuristic always
/// leads towards the position given to [`begin`](Self::begin), so that it stays consistent. If
/// units were pushed far away and the search has grown too large, begin it again.
///
/// ```
/// use throng_model::{Cell, Map, MovementProfile};
/// use throng_spacetime::{FootprintRules, GridSpace, Rra};
/// let space = GridSpace::new(&Map::empty(30, 20)?, MovementProfile::four_connected(), &FootprintRules::default())?;
/// let at = |x, y| space.position(Cell::new(x, y)).ok_or("off the map");
/// let mut distances: Rra = Rra::default();
/// distances.begin(&space, [(at(3, 3)?, 0)], at(20, 9)?);
/// assert_eq!(distances.distance(&space, at(20, 9)?), Some(23));
/// let before = distances.expanded();
/// assert_eq!(distances.distance(&space, at(19, 9)?), Some(22));
/// assert!(distances.expanded() <= before + 1, "one step on is found at once");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Rra<L = PagedCosts> {
    nodes: L,
    open: LevelQueue,
    /// The number of positions of its space.
    positions: usize,
    towards: Option<Position>,
    expanded: u64,
    generated: u64,
}

impl<L: CostStore> Rra<L> {
    /// Begins a search from goals, each with its remaining cost (0 for a real goal, the rest
    /// of the route for a waypoint), towards a position. Positions that the space does not
    /// have are skipped.
    pub fn begin<S: Space>(
        &mut self,
        space: &S,
        roots: impl IntoIterator<Item = (Position, u64)>,
        towards: Position,
    ) {
        let positions = space.positions();
        self.nodes.begin(positions);
        self.positions = positions;
        self.open.clear();
        self.towards = Some(towards).filter(|towards| towards.get() < positions);
        (self.expanded, self.generated) = (0, 0);
        let Some(towards) = self.towards else { return };
        for (root, cost) in roots.into_iter().filter(|(root, _)| root.get() < positions) {
            self.generated += 1;
            if self.nodes.improve(root.0, cost) {
                self.open.push(cost + space.estimate(root, towards), root.0);
            }
        }
    }

    /// The true distance from a position to the nearest goal; `None` if there is no path.
    #[inline]
    pub fn distance<S: Space>(&mut self, space: &S, from: Position) -> Option<u64> {
        self.known(from).or_else(|| self.resume(space, from, &mut Effort::unlimited()))
    }

    /// Resumes the search until the distance from a position is known, within an effort. After
    /// [`SearchStatus::Found`], [`known`](Self::known) returns it. The next call resumes a
    /// stopped search.
    pub fn run<S: Space>(
        &mut self,
        space: &S,
        from: Position,
        effort: &mut Effort<'_>,
    ) -> SearchStatus {
        if self.known(from).is_some() || self.resume(space, from, effort).is_some() {
            return SearchStatus::Found;
        }
        effort.stopped().unwrap_or(SearchStatus::Exhausted)
    }

    /// The true distance, if it is known without resuming the search.
    #[inline]
    #[must_use]
    pub fn known(&self, from: Position) -> Option<u64> {
        if from.get() < self.positions { self.nodes.closed(from.0) } else { None }
    }

    fn resume<S: Space>(
        &mut self,
        space: &S,
        until: Position,
        effort: &mut Effort<'_>,
    ) -> Option<u64> {
        let towards = self.towards.filter(|_| until.get() < self.positions)?;
        let (nodes, open, generated) = (&mut self.nodes, &mut self.open, &mut self.generated);
        while effort.may_expand() {
            let Some(node) = open.pop() else { break };
            let Some(cost) = nodes.close(node) else { continue };
            effort.count();
            self.expanded += 1;
            space.for_each_move_back(Position(node), |step| {
                let offer = cost + step.cost;
                *generated += 1;
                if nodes.improve(step.to.0, offer) {
                    open.push(offer + space.estimate(step.to, towards), step.to.0);
                }
            });
            if node == until.0 {
                return Some(cost);
            }
        }
        None
    }

    /// Nodes expanded since it began.
    #[must_use]
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Nodes generated since it began.
    #[must_use]
    pub fn generated(&self) -> u64 {
        self.generated
    }

    /// The position towards which the search expands.
    #[must_use]
    pub fn towards(&self) -> Option<Position> {
        self.towards
    }

    /// Bytes of memory held by the nodes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.nodes.bytes()
    }
}
