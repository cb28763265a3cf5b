//! Jump point search: optimal paths on ground of a single factor, with few nodes.
//!
//! D. Harabor and A. Grastien, "Online graph pruning for pathfinding on grid maps" (AAAI
//! 2011) and "Improving jump point search" (ICAPS 2014): between two cells where a path
//! has to turn nothing needs to enter the open list. Jumps scan the map's bits, and the
//! cells where a diagonal jump branches off stay out of the open list too.

use throng_model::{Budget, Cell, CellIndex, Cost, DiagonalCost, Neighbours};

use crate::bits::BitGrid;
use crate::compass::Direction;
use crate::estimate::Estimate;
use crate::frontier::{Expand, Frontier};
use crate::lanes::Lanes;
use crate::nodes::Offer;
use crate::{Ground, Path, PathSearch, Query, QueryError, Status};

/// A start has no parent.
const NO_PARENT: u32 = u32::MAX;

/// Jump point search. Owns its memory: after the first queries on a map nothing is
/// allocated.
///
/// - Needs: eight-connected movement with diagonals of true length, and one factor for all
///   terrain; any corner rule, any footprint. See [`Jps::suits`].
/// - Optimal: yes (with a [`Weight`](crate::Weight): within that factor of the best).
/// - Complete: yes; unreachable goals are recognised without a search.
/// - Ties: deterministic, by the order of expansion.
/// - [`nearest`](PathSearch::nearest) knows jump points only; ask [`AStar`](crate::AStar)
///   where the nearest cell of all matters.
///
/// ```
/// use throng_model::{Budget, Cell, Map, Movement};
/// use throng_search::{Ground, Jps, PathSearch, Query};
/// let ground = Ground::new(&Map::open(500, 500)?, Movement::eight_connected())?;
/// let (start, goal) = ([Cell::new(1, 1)], [Cell::new(400, 480)]);
/// let mut search = Jps::default();
/// let answer = search.find(&ground, &Query::new(&start, &goal), Budget::unlimited())?;
/// assert_eq!(answer.found().ok_or("no path")?.cells.len(), 480);
/// assert!(search.expanded() < 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Jps {
    frontier: Frontier,
    parents: Vec<u32>,
    /// The directions that lead on from each node.
    onward: Vec<u8>,
    goals: GoalLanes,
}

impl Jps {
    /// Whether jump point search can run on this ground.
    #[must_use]
    pub fn suits(ground: &Ground) -> bool {
        let movement = ground.movement();
        movement.neighbours == Neighbours::Eight
            && movement.diagonal == DiagonalCost::TrueLength
            && ground.uniform_factor().is_some()
    }

    fn trace(&self, ground: &Ground, end: u32) -> Option<Path> {
        let cost = Cost(self.frontier.nodes.cost(end as usize)?);
        let mut cells = vec![ground.cell(CellIndex(end))];
        let mut at = end;
        while self.parents[at as usize] != NO_PARENT {
            let parent = self.parents[at as usize];
            walk_back(ground.cell(CellIndex(parent)), ground.cell(CellIndex(at)), &mut cells);
            at = parent;
        }
        cells.reverse();
        Some(Path { cells, cost })
    }
}

impl PathSearch for Jps {
    fn begin(&mut self, ground: &Ground, query: &Query<'_>) -> Result<(), QueryError> {
        if !Self::suits(ground) {
            return Err(QueryError::Unsuited(
                "jump point search needs eight-connected movement, true diagonal lengths and \
                 one factor for all terrain; use A* here",
            ));
        }
        self.frontier.begin(ground, query)?;
        self.goals.reset(ground, &self.frontier.goals);
        self.parents.resize(ground.factors().len(), NO_PARENT);
        self.onward.resize(ground.factors().len(), 0);
        for &start in &self.frontier.starts {
            self.parents[start.get()] = NO_PARENT;
            self.onward[start.get()] = ground.legal_steps(start);
        }
        Ok(())
    }

    fn run(&mut self, ground: &Ground, budget: Budget<'_>) -> Result<Status, QueryError> {
        let mut jumps = Jumps::new(ground, &mut self.parents, &mut self.onward, &self.goals);
        self.frontier.run(ground, &mut jumps, budget)
    }

    fn path(&self, ground: &Ground) -> Option<Path> {
        self.frontier.goal_reached(ground).and_then(|goal| self.trace(ground, goal))
    }

    fn nearest(&self, ground: &Ground) -> Option<Path> {
        self.frontier.nearest_node(ground).and_then(|node| self.trace(ground, node))
    }

    fn expanded(&self) -> u64 {
        self.frontier.expanded
    }
}

/// Adds the cells of a jump, from before its end back to its start: diagonal steps come
/// first in a jump, so last here.
fn walk_back(from: Cell, to: Cell, cells: &mut Vec<Cell>) {
    let (mut x, mut y) = (to.x, to.y);
    let toward = |at: &mut u16, goal: u16| *at = if *at < goal { *at + 1 } else { *at - 1 };
    while (x, y) != (from.x, from.y) {
        let (dx, dy) = (x.abs_diff(from.x), y.abs_diff(from.y));
        if dx >= dy {
            toward(&mut x, from.x);
        }
        if dy >= dx {
            toward(&mut y, from.y);
        }
        cells.push(Cell::new(x, y));
    }
}

/// The goals as bits, along rows and along columns.
#[derive(Clone, Debug, Default)]
struct GoalLanes {
    rows: BitGrid,
    columns: BitGrid,
    /// Whether a row, and whether a column, has any goal.
    in_row: Vec<bool>,
    in_column: Vec<bool>,
    set: Vec<Cell>,
}

impl GoalLanes {
    fn reset(&mut self, ground: &Ground, goals: &[CellIndex]) {
        let (width, height) = (ground.width(), ground.height());
        if (self.in_column.len(), self.in_row.len()) == (width as usize, height as usize) {
            while let Some(cell) = self.set.pop() {
                self.mark(cell, false);
            }
        } else {
            self.rows = BitGrid::new(width, height);
            self.columns = BitGrid::new(height, width);
            (self.in_row, self.in_column) =
                (vec![false; height as usize], vec![false; width as usize]);
        }
        self.set.clear();
        self.set.extend(goals.iter().map(|&goal| ground.cell(goal)));
        for index in 0..self.set.len() {
            self.mark(self.set[index], true);
        }
    }

    fn mark(&mut self, cell: Cell, value: bool) {
        let (x, y) = (u32::from(cell.x), u32::from(cell.y));
        self.rows.set(x, y, value);
        self.columns.set(y, x, value);
        self.in_row[usize::from(cell.y)] = value;
        self.in_column[usize::from(cell.x)] = value;
    }

    fn contains(&self, x: i32, y: i32) -> bool {
        self.in_row[y as usize] && self.rows.get(x, y)
    }
}

/// Where a jump is, and what it cost to come there.
#[derive(Clone, Copy)]
struct Place {
    x: i32,
    y: i32,
    cost: u64,
}

/// Jumps to the next cells where a path may have to turn.
struct Jumps<'a> {
    ground: &'a Ground,
    parents: &'a mut [u32],
    onward: &'a mut [u8],
    goals: &'a GoalLanes,
    rows: &'a Lanes,
    columns: &'a Lanes,
    width: i32,
    straight: u64,
    diagonal: u64,
}

impl<'a> Jumps<'a> {
    fn new(
        ground: &'a Ground,
        parents: &'a mut [u32],
        onward: &'a mut [u8],
        goals: &'a GoalLanes,
    ) -> Self {
        let (straight, diagonal) = ground.movement().step_costs();
        Self {
            rows: ground.rows(),
            columns: ground.columns(),
            width: ground.width() as i32,
            straight: straight.0 * ground.least_factor(),
            diagonal: diagonal.0 * ground.least_factor(),
            ground,
            parents,
            onward,
            goals,
        }
    }

    /// How far a straight jump goes.
    #[inline]
    fn distance(&self, direction: Direction, from: Place) -> Option<u32> {
        let Place { x, y, .. } = from;
        if direction.offset().0 == 0 {
            let goals = self.goals.in_column[x as usize].then_some(&self.goals.columns);
            match direction.0 {
                0 => self.columns.behind(y, x, goals),
                _ => self.columns.ahead(y, x, goals),
            }
        } else {
            let goals = self.goals.in_row[y as usize].then_some(&self.goals.rows);
            match direction.0 {
                1 => self.rows.ahead(x, y, goals),
                _ => self.rows.behind(x, y, goals),
            }
        }
    }

    #[inline]
    fn jump_straight<E: Estimate>(
        &mut self,
        frontier: &mut Frontier,
        estimate: &mut E,
        parent: u32,
        direction: Direction,
        from: Place,
    ) {
        if let Some(distance) = self.distance(direction, from) {
            let (dx, dy) = direction.offset();
            let place = Place {
                x: from.x + dx * distance as i32,
                y: from.y + dy * distance as i32,
                cost: from.cost + u64::from(distance) * self.straight,
            };
            self.reach(frontier, estimate, parent, direction, place);
        }
    }

    /// Walks diagonally and branches off straight jumps, until a wall, a goal, or a cell
    /// where a turn is forced.
    fn jump_diagonally<E: Estimate>(
        &mut self,
        frontier: &mut Frontier,
        estimate: &mut E,
        parent: u32,
        direction: Direction,
        mut place: Place,
    ) {
        let (dx, dy) = direction.offset();
        let [vertical, horizontal] = [1 - dy, 2 - dx].map(|index| Direction(index as u8));
        let natural = direction.bit() | vertical.bit() | horizontal.bit();
        let ground = self.ground;
        let mut around = ground.around()[self.index(place)];
        while ground.compass().legal(around) & direction.bit() != 0 {
            (place.x, place.y) = (place.x + dx, place.y + dy);
            place.cost += self.diagonal;
            around = ground.around()[self.index(place)];
            let onward = ground.compass().canonical(direction.bit(), around);
            if onward & !natural != 0 || self.goals.contains(place.x, place.y) {
                return self.reach(frontier, estimate, parent, direction, place);
            }
            self.jump_straight(frontier, estimate, parent, vertical, place);
            self.jump_straight(frontier, estimate, parent, horizontal, place);
        }
    }

    #[inline]
    fn index(&self, place: Place) -> usize {
        (place.y * self.width + place.x) as usize
    }

    /// Offers the frontier the end of a jump.
    #[inline]
    fn reach<E: Estimate>(
        &mut self,
        frontier: &mut Frontier,
        estimate: &mut E,
        parent: u32,
        arrival: Direction,
        place: Place,
    ) {
        let at = self.index(place);
        let onward = self.ground.compass().canonical(arrival.bit(), self.ground.around()[at]);
        frontier.generated += 1;
        match frontier.nodes.offer(at, place.cost) {
            Offer::Better => {
                self.parents[at] = parent;
                self.onward[at] = onward;
                let h = estimate.at(place.x, place.y);
                frontier.open(at as u32, place.cost, h);
            }
            // Another best path, which may lead on where the first one does not.
            Offer::Equal if onward & !self.onward[at] != 0 => {
                self.onward[at] |= onward;
                if frontier.nodes.is_closed(at) {
                    frontier.reopen(at as u32, place.cost, estimate.at(place.x, place.y));
                }
            }
            Offer::Equal | Offer::Worse => {}
        }
    }
}

impl Expand for Jumps<'_> {
    fn expand<E: Estimate>(
        &mut self,
        frontier: &mut Frontier,
        estimate: &mut E,
        node: u32,
        g: u64,
    ) {
        let (x, y) = (node as i32 % self.width, node as i32 / self.width);
        let from = Place { x, y, cost: g };
        for direction in Direction::each(self.onward[node as usize]) {
            if direction.is_diagonal() {
                self.jump_diagonally(frontier, estimate, node, direction, from);
            } else {
                self.jump_straight(frontier, estimate, node, direction, from);
            }
        }
    }
}
