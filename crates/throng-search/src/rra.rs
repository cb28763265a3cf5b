//! True distances by Reverse Resumable A*.
//!
//! D. Silver, "Cooperative pathfinding" (AIIDE 2005), algorithm 1: a backward search from
//! the goal towards the unit's original position. When it closes a position, the cost found
//! is the true distance from there to the goal. Asked for a position that is not closed, it
//! goes on until it is.
//!
//! The paper's listing ends at the node it was asked for before that node's successors are
//! generated; resumed, it would never look behind it. Here a node is expanded, then
//! reported.

use crate::ledger::{Ledger, PagedLedger};
use crate::levels::Levels;
use crate::space::{Action, Position, Space};

/// **RRA***: distances to one goal or several, found when they are asked for.
///
/// All units with the same goal (and the same space) can share one. The search always heads
/// for the position given when it began, as the paper has it, so that its estimates stay
/// consistent; when it has grown too large because units were pushed far off,
/// [`begin`](Self::begin) it anew from where they are.
///
/// ```
/// use throng_model::{Cell, Map, Movement};
/// use throng_search::{FootprintRules, GridSpace, Rra};
/// let space = GridSpace::new(&Map::open(30, 20)?, Movement::four_connected(), &FootprintRules::default())?;
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
pub struct Rra<L = PagedLedger> {
    nodes: L,
    open: Levels,
    towards: Option<Position>,
    expanded: u64,
    generated: u64,
}

impl<L: Ledger> Rra<L> {
    /// Begins a search from goals, each with what is still to be paid there (0 for a real
    /// goal, the rest of the way for a waypoint), towards a position.
    pub fn begin<S: Space>(
        &mut self,
        space: &S,
        roots: impl IntoIterator<Item = (Position, u64)>,
        towards: Position,
    ) {
        self.nodes.begin(space.positions());
        self.open.clear();
        self.towards = Some(towards);
        (self.expanded, self.generated) = (0, 0);
        for (root, cost) in roots {
            self.generated += 1;
            if self.nodes.improve(root.0, cost, Action::PAUSE) {
                self.open.push(cost + space.estimate(root, towards), root.0);
            }
        }
    }

    /// The true distance from a position to the nearest goal; `None` if there is no way.
    #[inline]
    pub fn distance<S: Space>(&mut self, space: &S, from: Position) -> Option<u64> {
        self.known(from).or_else(|| self.resume(space, from, |_| true))
    }

    /// The distance over those positions only that `inside` allows; it must be the same
    /// from beginning to end of a search.
    #[inline]
    pub fn distance_within<S: Space>(
        &mut self,
        space: &S,
        from: Position,
        inside: impl Fn(Position) -> bool,
    ) -> Option<u64> {
        let known = self.known(from);
        known.or_else(|| if inside(from) { self.resume(space, from, inside) } else { None })
    }

    /// The true distance, if it is known without searching on.
    #[inline]
    #[must_use]
    pub fn known(&self, from: Position) -> Option<u64> {
        self.nodes.closed(from.0)
    }

    fn resume<S: Space>(
        &mut self,
        space: &S,
        until: Position,
        inside: impl Fn(Position) -> bool,
    ) -> Option<u64> {
        let towards = self.towards?;
        let (nodes, open, generated) = (&mut self.nodes, &mut self.open, &mut self.generated);
        while let Some(node) = open.pop() {
            let Some(cost) = nodes.close(node) else { continue };
            self.expanded += 1;
            space.for_each_move_back(Position(node), |step| {
                let offer = cost + step.cost;
                *generated += 1;
                if inside(step.to) && nodes.improve(step.to.0, offer, step.action) {
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

    /// Where the search heads.
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

impl Rra {
    /// The way from a position to a goal, both included, that the search itself found: the
    /// same whatever else it was asked. Empty where the distance is not known yet.
    ///
    /// ```
    /// use throng_model::{Cell, Map, Movement};
    /// use throng_search::{FootprintRules, GridSpace, Rra};
    /// let space = GridSpace::new(&Map::open(9, 9)?, Movement::four_connected(), &FootprintRules::default())?;
    /// let at = |x, y| space.position(Cell::new(x, y)).ok_or("off the map");
    /// let mut distances: Rra = Rra::default();
    /// distances.begin(&space, [(at(3, 3)?, 0)], at(6, 3)?);
    /// assert!(distances.way(&space, at(6, 3)?).is_empty());
    /// assert_eq!(distances.distance(&space, at(6, 3)?), Some(3));
    /// let way: Vec<Cell> = distances.way(&space, at(6, 3)?).into_iter().map(|at| space.cell(at)).collect();
    /// assert_eq!(way, [Cell::new(6, 3), Cell::new(5, 3), Cell::new(4, 3), Cell::new(3, 3)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn way<S: Space>(&self, space: &S, from: Position) -> Vec<Position> {
        let onward = |&at: &Position| {
            let action = self.nodes.onward(at.0)?;
            space.move_by(at, action).map(|step| step.to)
        };
        let first = self.known(from).map(|_| from);
        std::iter::successors(first, onward).collect()
    }
}
