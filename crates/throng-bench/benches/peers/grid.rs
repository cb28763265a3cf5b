//! The grid in the form that suits general graph searches best: a flat array with a border.
//! Its rows have a power of two as length, so that a node is one number.

use throng_model::{Cell, DIAGONAL, Map, STRAIGHT};

/// A cell of a [`Grid`].
pub(crate) type Node = u32;

const STRAIGHT_COST: u32 = STRAIGHT as u32;
const DIAGONAL_COST: u32 = DIAGONAL as u32;

/// Which cells are free. Costs have 32 bits: half the memory for the peers. The comparison with
/// throng's 64 bits would show an overflow.
pub(crate) struct Grid {
    free: Vec<bool>,
    row_shift: u32,
}

impl Grid {
    pub(crate) fn new(map: &Map) -> Self {
        let stride = (usize::from(map.width()) + 2).next_power_of_two();
        let free = vec![false; stride * (usize::from(map.height()) + 2)];
        let mut grid = Self { free, row_shift: stride.ilog2() };
        for cell in map.cells().filter(|&cell| map.is_passable(cell)) {
            let node = grid.node(cell);
            grid.free[node as usize] = true;
        }
        grid
    }

    pub(crate) fn node(&self, cell: Cell) -> Node {
        ((u32::from(cell.y) + 1) << self.row_shift) + u32::from(cell.x) + 1
    }

    pub(crate) fn nodes(&self) -> impl Iterator<Item = Node> {
        (0..self.free.len() as u32).filter(|&node| self.free[node as usize])
    }

    fn coordinates(&self, node: Node) -> (u32, u32) {
        (node & ((1 << self.row_shift) - 1), node >> self.row_shift)
    }

    /// The octile distance.
    pub(crate) fn estimate(&self, from: Node, to: Node) -> u32 {
        let ((x, y), (goal_x, goal_y)) = (self.coordinates(from), self.coordinates(to));
        let (dx, dy) = (x.abs_diff(goal_x), y.abs_diff(goal_y));
        STRAIGHT_COST * dx.abs_diff(dy) + DIAGONAL_COST * dx.min(dy)
    }

    /// The neighbours with their costs, in ascending order. A diagonal step needs both cells
    /// beside it.
    pub(crate) fn successors(&self, node: Node) -> impl Iterator<Item = (Node, u32)> + use<> {
        let (up, down) = (node - (1 << self.row_shift), node + (1 << self.row_shift));
        let free = |node: Node| self.free[node as usize];
        let (north, south, west, east) = (free(up), free(down), free(node - 1), free(node + 1));
        [
            (north && west && free(up - 1), up - 1, DIAGONAL_COST),
            (north, up, STRAIGHT_COST),
            (north && east && free(up + 1), up + 1, DIAGONAL_COST),
            (west, node - 1, STRAIGHT_COST),
            (east, node + 1, STRAIGHT_COST),
            (south && west && free(down - 1), down - 1, DIAGONAL_COST),
            (south, down, STRAIGHT_COST),
            (south && east && free(down + 1), down + 1, DIAGONAL_COST),
        ]
        .into_iter()
        .filter_map(|(legal, next, cost)| legal.then_some((next, cost)))
    }
}
