//! Jump point search: optimal paths on ground of a single factor, with few nodes.
//!
//! D. Harabor and A. Grastien, "Online graph pruning for pathfinding on grid maps" (AAAI
//! 2011) and "Improving jump point search" (ICAPS 2014): between two cells where a path
//! has to turn nothing needs to enter the open list. Jumps scan the map's bits, and the
//! cells where a diagonal jump branches off stay out of the open list too.

use throng_model::{Budget, Cell, CellIndex, CornerRule};

use crate::ground::directions::Direction;
use crate::ground::jump_map::JumpMap;
use crate::kit::BitGrid;
use crate::search::estimate::Estimate;
use crate::search::frontier::{Expand, Frontier};
use crate::{Ground, Path, PathSearch, Query, QueryError, SearchStatus};

/// A start has no parent.
const NO_PARENT: u32 = u32::MAX;

/// Jump point search. Owns its memory: after the first queries on a map nothing is
/// allocated.
///
/// - Needs: eight-connected movement with diagonals of true length, and one factor for all
///   terrain; any corner rule, any footprint. See [`Jps::supports`].
/// - Optimal: yes (with a `throng_model::Weight`: within that factor of the best).
/// - Complete: yes; unreachable goals are recognised without a search.
/// - Ties: deterministic, by the order of expansion.
/// - [`nearest`](PathSearch::nearest) knows jump points only; ask [`AStar`](crate::AStar)
///   where the nearest cell of all matters.
///
/// ```
/// use throng_model::{Budget, Cell, Map, MovementProfile};
/// use throng_grid::{Ground, Jps, PathSearch, Query};
/// let ground = Ground::new(&Map::empty(500, 500)?, MovementProfile::eight_connected())?;
/// let (start, goal) = ([Cell::new(1, 1)], [Cell::new(400, 480)]);
/// let mut search = Jps::default();
/// let answer = search.find(&ground, &Query::new(&start, &goal), Budget::unlimited())?;
/// assert_eq!(answer.found().ok_or("no path")?.cells.len(), 480);
/// assert!(search.expanded() < 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Jps {
    frontier: Frontier<JumpPoint>,
    goals: GoalLanes,
}

/// What is kept of a node beside its cost.
#[derive(Clone, Copy, Debug, Default)]
struct JumpPoint {
    /// Where the jump came from.
    parent: u32,
    /// The directions that lead on.
    onward: u8,
}

impl Jps {
    /// Whether jump point search can run on this ground.
    #[must_use]
    pub fn supports(ground: &Ground) -> bool {
        ground.jump_map().is_some() && ground.uniform_factor().is_some()
    }

    /// Nodes generated for this query: ends of jumps.
    #[must_use]
    pub fn generated(&self) -> u64 {
        self.frontier.generated
    }

    /// Writes the path to a node. Returns false if there is no node.
    fn trace(&self, ground: &Ground, end: Option<u32>, path: &mut Path) -> bool {
        path.clear();
        let Some(mut at) = end else { return false };
        path.cells.push(ground.cell(CellIndex(at)));
        loop {
            let parent = self.frontier.nodes.with(at as usize).parent;
            if parent == NO_PARENT {
                break;
            }
            let (from, to) = (ground.cell(CellIndex(parent)), ground.cell(CellIndex(at)));
            walk_back(from, to, &mut path.cells);
            path.cost.0 += jump_cost(ground, from, to);
            at = parent;
        }
        path.cells.reverse();
        true
    }
}

impl PathSearch for Jps {
    fn begin(&mut self, ground: &Ground, query: &Query<'_>) -> Result<(), QueryError> {
        if !Self::supports(ground) {
            return Err(QueryError::Unsupported(
                "jump point search needs eight-connected movement, true diagonal lengths and \
                 one factor for all terrain; use A* here",
            ));
        }
        self.frontier.begin(ground, query)?;
        self.goals.reset(ground, &self.frontier.goals);
        for &start in &self.frontier.starts {
            *self.frontier.nodes.with_mut(start.get()) =
                JumpPoint { parent: NO_PARENT, onward: ground.legal_steps(start) };
        }
        Ok(())
    }

    fn run(&mut self, ground: &Ground, budget: Budget<'_>) -> Result<SearchStatus, QueryError> {
        let map = ground.jump_map().ok_or(QueryError::GroundChanged)?;
        let mut jumps = Jumps::new(ground, map, &self.goals);
        self.frontier.run(ground, &mut jumps, budget)
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

/// The cost of a jump. Costs are summed over the jumps, because the stored cost of a node is too
/// high if a better path to its parent was found and the parent was not expanded again.
fn jump_cost(ground: &Ground, from: Cell, to: Cell) -> u64 {
    let (dx, dy) = (u64::from(from.x.abs_diff(to.x)), u64::from(from.y.abs_diff(to.y)));
    let (straight, diagonal) = ground.movement().step_costs();
    let plain = dx.min(dy) * diagonal.0 + dx.abs_diff(dy) * straight.0;
    plain * ground.least_factor()
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

/// The current cell of a jump, and the cost to reach it.
#[derive(Clone, Copy)]
struct Place {
    x: i32,
    y: i32,
    cost: u64,
}

/// Jumps to the next cells where a path may have to turn.
struct Jumps<'a> {
    ground: &'a Ground,
    map: &'a JumpMap,
    goals: &'a GoalLanes,
    width: i32,
    straight: u64,
    diagonal: u64,
    /// Whether a turn can be forced in the middle of a diagonal.
    diagonal_turns: bool,
}

impl<'a> Jumps<'a> {
    fn new(ground: &'a Ground, map: &'a JumpMap, goals: &'a GoalLanes) -> Self {
        let (straight, diagonal) = ground.movement().step_costs();
        Self {
            ground,
            map,
            goals,
            width: ground.width() as i32,
            straight: straight.0 * ground.least_factor(),
            diagonal: diagonal.0 * ground.least_factor(),
            diagonal_turns: ground.movement().corners != CornerRule::NeverCut,
        }
    }

    #[inline]
    fn index(&self, place: Place) -> usize {
        (place.y * self.width + place.x) as usize
    }

    /// How far a straight jump goes.
    #[inline(always)]
    fn distance(&self, direction: Direction, Place { x, y, .. }: Place) -> Option<u32> {
        let (map, goals) = (self.map, self.goals);
        let in_row = || goals.in_row[y as usize].then_some(&goals.rows);
        let in_column = || goals.in_column[x as usize].then_some(&goals.columns);
        match direction.0 {
            0 => map.columns().behind(y, x, in_column()),
            1 => map.rows().ahead(x, y, in_row()),
            2 => map.columns().ahead(y, x, in_column()),
            _ => map.rows().behind(x, y, in_row()),
        }
    }

    /// Whether a goal is on a place's row or column.
    #[inline]
    fn may_see_goal(&self, Place { x, y, .. }: Place) -> bool {
        self.goals.in_row[y as usize] || self.goals.in_column[x as usize]
    }

    #[inline(always)]
    fn jump_straight<E: Estimate>(
        &self,
        jump: &mut Jump<'_, E>,
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
            self.reach(jump, direction, place);
        }
    }

    /// Walks diagonally and branches off straight jumps, until a wall, a goal, or a cell
    /// where a turn is forced.
    #[inline(always)]
    fn jump_diagonally<E: Estimate>(
        &self,
        jump: &mut Jump<'_, E>,
        direction: Direction,
        mut place: Place,
    ) {
        let (dx, dy) = direction.offset();
        let [vertical, horizontal] = [1 + dy, 2 - dx].map(|index| Direction(index as u8));
        let step_tables = self.ground.step_tables();
        let mut view = self.map.view(self.index(place));
        while step_tables.legal(view.around) & direction.bit() != 0 {
            (place.x, place.y) = (place.x + dx, place.y + dy);
            place.cost += self.diagonal;
            view = self.map.view(self.index(place));
            let sees_goal = self.may_see_goal(place);
            if (sees_goal && self.goals.contains(place.x, place.y))
                || (self.diagonal_turns && self.is_turn(direction, view.around))
            {
                return self.reach(jump, direction, place);
            }
            if view.leads & vertical.bit() != 0 || sees_goal {
                self.jump_straight(jump, vertical, place);
            }
            if view.leads & horizontal.bit() != 0 || sees_goal {
                self.jump_straight(jump, horizontal, place);
            }
        }
    }

    /// Whether a diagonal jump must stop where these cells are free around it.
    fn is_turn(&self, direction: Direction, around: u8) -> bool {
        let (dx, dy) = direction.offset();
        let natural = [(dx, dy), (dx, 0), (0, dy)];
        let onward = self.ground.step_tables().canonical(direction.bit(), around);
        Direction::each(onward).any(|step| !natural.contains(&step.offset()))
    }

    /// Adds the end of a jump to the frontier.
    fn reach<E: Estimate>(&self, jump: &mut Jump<'_, E>, arrival: Direction, place: Place) {
        let at = self.index(place);
        let onward = self.ground.step_tables().canonical(arrival.bit(), self.map.view(at).around);
        let frontier = &mut *jump.frontier;
        frontier.generated += 1;
        if frontier.nodes.improve(at, place.cost) {
            *frontier.nodes.with_mut(at) = JumpPoint { parent: jump.parent, onward };
            frontier.open(at as u32, place.cost, jump.estimate.at(place.x, place.y));
        }
    }
}

/// The expansion that jumps belong to.
struct Jump<'a, E> {
    frontier: &'a mut Frontier<JumpPoint>,
    estimate: &'a mut E,
    parent: u32,
}

impl Expand for Jumps<'_> {
    type Node = JumpPoint;

    fn expand<E: Estimate>(
        &mut self,
        frontier: &mut Frontier<JumpPoint>,
        estimate: &mut E,
        node: u32,
        g: u64,
    ) {
        let from = Place { x: node as i32 % self.width, y: node as i32 / self.width, cost: g };
        let onward = frontier.nodes.with(node as usize).onward;
        let jump = &mut Jump { frontier, estimate, parent: node };
        // Each direction by itself, so that the compiler can fold its offsets.
        for direction in Direction::each(onward) {
            match direction.0 {
                0 => self.jump_straight(jump, Direction(0), from),
                1 => self.jump_straight(jump, Direction(1), from),
                2 => self.jump_straight(jump, Direction(2), from),
                3 => self.jump_straight(jump, Direction(3), from),
                4 => self.jump_diagonally(jump, Direction(4), from),
                5 => self.jump_diagonally(jump, Direction(5), from),
                6 => self.jump_diagonally(jump, Direction(6), from),
                _ => self.jump_diagonally(jump, Direction(7), from),
            }
        }
    }
}
