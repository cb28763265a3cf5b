//! RRA* in a square around a unit.
//!
//! D. Silver, "Cooperative pathfinding" (2006), begins RRA* again when it has grown too large.
//! This one begins again for every plan and never leaves a square around the unit. Its nodes
//! lie in one small array that stays in the cache, where the index of a neighbour differs by a
//! constant.

use throng_model::{Cell, Rect};

use crate::GridSpace;
use crate::space::{Action, Position, Space};
use throng_grid::OFFSETS;
use throng_grid::kit::LevelQueue;

const UNKNOWN: u64 = u64::MAX;
/// The value of the margin around the square. No cost is lower, so the search never enters it.
const OUTSIDE: u64 = 0;
/// The bits below the cost hold the next action and, in the lowest bit, whether the cost is
/// final. 47 bits of cost are enough for 4096 x 4096 cells of factor 255.
const COST_SHIFT: u32 = 17;
const CLOSED: u64 = 1;

/// **RRA*** within a square: distances to one or several goals, computed on demand.
///
/// The heuristic leads towards the middle of the square, where the unit is.
///
/// ```
/// use throng_model::{Cell, Map, MovementProfile};
/// use throng_spacetime::{FootprintRules, GridSpace, LocalRra};
/// let space = GridSpace::new(&Map::empty(90, 90)?, MovementProfile::four_connected(), &FootprintRules::default())?;
/// let at = |x, y| space.position(Cell::new(x, y)).ok_or("off the map");
/// let mut distances = LocalRra::default();
/// // From a cell of a longer path, of which 100 steps are left there.
/// distances.begin(&space, Cell::new(40, 40), 8, [(at(43, 40)?, 100)]);
/// assert_eq!(distances.distance(&space, at(40, 41)?), Some(104));
/// assert_eq!(distances.path(&space, at(40, 41)?).len(), 5);
/// assert_eq!(distances.distance(&space, at(40, 60)?), None, "outside of the square");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct LocalRra {
    /// Cost, next action and closed bit for each cell of the square and of a margin around it.
    /// The length of a row is a power of two.
    nodes: Vec<u64>,
    row_log2: u32,
    open: LevelQueue,
    /// The part of the square that lies on the map.
    within: Rect,
    /// Column and row of the middle of the square in the array.
    middle: (usize, usize),
    /// For each action, the difference of indices to the cell from which it leads.
    back: [isize; 8],
}

impl LocalRra {
    /// Begins a search in the square that reaches `reach` cells around `middle`. Roots are goals
    /// with their remaining cost: 0 for a real goal, the rest of the route for a waypoint. Roots
    /// outside the square are skipped.
    pub fn begin(
        &mut self,
        space: &GridSpace,
        middle: Cell,
        reach: u16,
        roots: impl IntoIterator<Item = (Position, u64)>,
    ) {
        self.lay_out(space, middle, reach);
        self.open.clear();
        for (root, cost) in roots {
            if let Some(node) = self.node(space.cell(root)) {
                self.offer(space, node, cost, Action::PAUSE);
            }
        }
    }

    /// The part of the square that lies on the map.
    #[must_use]
    pub fn area(&self) -> Rect {
        self.within
    }

    fn lay_out(&mut self, space: &GridSpace, middle: Cell, reach: u16) {
        let (width, height) = (space.ground().width() as u16, space.ground().height() as u16);
        let (left, columns) = clip(middle.x, reach, width);
        let (top, rows) = clip(middle.y, reach, height);
        self.within = Rect::new(Cell::new(left, top), columns, rows);
        // The margin comes first.
        self.middle = (usize::from(middle.x - left) + 1, usize::from(middle.y - top) + 1);
        let columns = usize::from(columns);
        self.row_log2 = (columns + 2).next_power_of_two().trailing_zeros();
        let row = 1 << self.row_log2;
        self.back = OFFSETS.map(|(dx, dy)| -(dx as isize + dy as isize * row as isize));
        self.nodes.clear();
        self.nodes.resize(row, OUTSIDE);
        for _ in 0..rows {
            self.nodes.push(OUTSIDE);
            self.nodes.resize(self.nodes.len() + columns, UNKNOWN);
            self.nodes.resize(self.nodes.len().next_multiple_of(row), OUTSIDE);
        }
        self.nodes.resize(self.nodes.len() + row, OUTSIDE);
    }

    /// The index of a cell in the array, if it is in the square.
    #[inline]
    fn node(&self, cell: Cell) -> Option<usize> {
        let Rect { origin, width, height } = self.within;
        let (x, y) = (cell.x.wrapping_sub(origin.x), cell.y.wrapping_sub(origin.y));
        let inside = x < width && y < height;
        inside.then_some((usize::from(y) + 1) << self.row_log2 | (usize::from(x) + 1))
    }

    #[inline]
    fn column_and_row(&self, node: usize) -> (usize, usize) {
        (node & ((1 << self.row_log2) - 1), node >> self.row_log2)
    }

    #[inline]
    fn position(&self, space: &GridSpace, node: usize) -> Position {
        let (column, row) = self.column_and_row(node);
        let (x, y) = (
            column - 1 + usize::from(self.within.origin.x),
            row - 1 + usize::from(self.within.origin.y),
        );
        Position((y * space.ground().width() as usize + x) as u32)
    }

    /// The distance over cells of the square from a position to the nearest goal; `None` if
    /// there is no path.
    #[inline]
    pub fn distance(&mut self, space: &GridSpace, from: Position) -> Option<u64> {
        let node = self.node(space.cell(from))?;
        let known = self.nodes[node];
        let is_final = known & CLOSED != 0 && known != UNKNOWN;
        if is_final { Some(known >> COST_SHIFT) } else { self.resume(space, node) }
    }

    /// The distance, if it is known without resuming the search.
    #[must_use]
    pub fn known(&self, space: &GridSpace, from: Position) -> Option<u64> {
        self.closed(space, from).map(|known| known >> COST_SHIFT)
    }

    fn closed(&self, space: &GridSpace, at: Position) -> Option<u64> {
        let known = self.nodes[self.node(space.cell(at))?];
        (known & CLOSED != 0 && known != UNKNOWN).then_some(known)
    }

    fn resume(&mut self, space: &GridSpace, until: usize) -> Option<u64> {
        while let Some(node) = self.open.pop() {
            let node = node as usize;
            if self.nodes[node] & CLOSED != 0 {
                continue;
            }
            let cost = self.nodes[node] >> COST_SHIFT;
            self.nodes[node] |= CLOSED;
            space.for_each_move_back(self.position(space, node), |step| {
                let from = match self.back.get(usize::from(step.action.0)) {
                    Some(&back) => node.wrapping_add_signed(back),
                    // A manoeuvre, which may lead anywhere.
                    None => self.node(space.cell(step.to)).unwrap_or(0),
                };
                self.offer(space, from, cost + step.cost, step.action);
            });
            if node == until {
                return Some(cost);
            }
        }
        None
    }

    #[inline]
    fn offer(&mut self, space: &GridSpace, node: usize, cost: u64, onward: Action) {
        if cost < self.nodes[node] >> COST_SHIFT {
            self.nodes[node] = cost << COST_SHIFT | u64::from(onward.0) << 1;
            let (column, row) = self.column_and_row(node);
            let (middle_column, middle_row) = self.middle;
            let (dx, dy) = (column.abs_diff(middle_column), row.abs_diff(middle_row));
            let estimate = space.estimate_across(dx, dy);
            self.open.push(cost + estimate, node as u32);
        }
    }

    /// The path from a position to a goal, both included, that the search itself found. It
    /// does not depend on earlier questions. Empty where the distance is not known yet.
    #[must_use]
    pub fn path(&self, space: &GridSpace, from: Position) -> Vec<Position> {
        let onward = |&at: &Position| {
            let action = Action((self.closed(space, at)? >> 1) as u16);
            space.move_by(at, action).map(|step| step.to)
        };
        let first = self.closed(space, from).map(|_| from);
        std::iter::successors(first, onward).collect()
    }
}

/// Start and length, along one axis, of the part of the square that lies on the map.
fn clip(middle: u16, reach: u16, side: u16) -> (u16, u16) {
    let first = middle.saturating_sub(reach);
    let end = middle.saturating_add(reach).saturating_add(1).min(side);
    (first, end.saturating_sub(first))
}
