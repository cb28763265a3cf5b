//! How many guide paths use each cell and each edge at each tick.
//!
//! Counts lie in blocks of 4 columns, 4 rows and 4 ticks, a cache line each: a path and the
//! alternatives to it stay within few blocks. Most of the time of a drawing is spent on reading
//! them.

use throng_model::Cell;

use crate::{Graph, Vertex};

/// Columns, rows and ticks of a block.
const SIDE: u32 = 4;
/// Counts per block.
const BLOCK: usize = (SIDE * SIDE * SIDE) as usize;
/// Tables of up to this many counts are exact: one per cell and tick. The system provides memory
/// only for the part that is touched.
const EXACT_MAX: usize = 1 << 25;
/// Counts per step of all paths in a table that is not exact.
const CELLS_PER_STEP: usize = 16;
/// The same for edges, which matter only where a path enters a cell.
const EDGES_PER_STEP: usize = 8;
/// No other table has more counts.
const COUNTS_MAX: usize = 1 << 24;

/// The counts of all paths that were entered.
#[derive(Clone, Debug)]
pub(super) struct PathCounts<'g> {
    graph: &'g Graph,
    /// Where the counts of each position at tick 0 lie.
    places: Vec<u32>,
    /// Counts between a position at one tick and [`SIDE`] ticks later.
    layer: usize,
    /// Paths by cell and tick.
    cells: Vec<u8>,
    /// Paths by cell, tick of arrival and neighbour from which they come.
    edges: Vec<u8>,
    /// Entries of `edges` per cell and tick: most neighbours that a cell has.
    sides: usize,
}

/// The counts that concern the steps from one position, which arrive at one tick.
#[derive(Clone, Copy, Debug)]
pub(super) struct Departure {
    /// Where the edges into the position begin; none if no path enters it at that tick.
    edges: Option<usize>,
    tick: u32,
}

impl<'g> PathCounts<'g> {
    /// No paths. They will have this many steps in all, and end at tick `last` or before.
    pub(super) fn new(graph: &'g Graph, steps: usize, last: u32) -> Self {
        let blocks_per_row = graph.width().div_ceil(SIDE);
        let blocks = (blocks_per_row * graph.height().div_ceil(SIDE)) as usize;
        let exact = (last / SIDE + 1) as usize * blocks * BLOCK;
        let shared = |per_step: usize| (steps * per_step).next_power_of_two().min(COUNTS_MAX);
        let is_exact = exact <= EXACT_MAX;
        let cells = if is_exact { exact } else { shared(CELLS_PER_STEP) }.next_power_of_two();
        let sides = if graph.has_diagonals() { 8 } else { 4 };
        let place = |number| {
            let Cell { x, y } = graph.cell(Vertex(number));
            let (x, y) = (u32::from(x), u32::from(y));
            let block = y / SIDE * blocks_per_row + x / SIDE;
            block * BLOCK as u32 + y % SIDE * SIDE + x % SIDE
        };
        Self {
            graph,
            places: (0..graph.len() as u32).map(place).collect(),
            layer: if is_exact { blocks } else { spread(cells / BLOCK) } * BLOCK,
            cells: vec![0; cells.max(BLOCK)],
            edges: vec![0; cells.min(shared(EDGES_PER_STEP)).max(BLOCK) * sides],
            sides,
        }
    }

    /// Counts a path.
    pub(super) fn enter(&mut self, path: &[Vertex]) {
        self.count(path, 1);
    }

    /// Takes a path out that was counted; whether it shares a cell with another one.
    pub(super) fn erase(&mut self, path: &[Vertex]) -> bool {
        self.count(path, 1_u8.wrapping_neg())
    }

    /// Changes the counts of a path; whether any cell has one then.
    fn count(&mut self, path: &[Vertex], by: u8) -> bool {
        let mut all = 0;
        for (tick, &at) in path.iter().enumerate() {
            let place = self.place(at, tick as u32) & (self.cells.len() - 1);
            self.cells[place] = self.cells[place].wrapping_add(by);
            all |= self.cells[place];
        }
        for (tick, step) in path.windows(2).enumerate() {
            let place = self.place(step[1], tick as u32 + 1);
            let edge = self.edges_into(place) + self.side(step[1], step[0]);
            self.edges[edge] = self.edges[edge].wrapping_add(by);
        }
        all != 0
    }

    /// Looks at the steps from a position that arrive at this tick.
    #[inline]
    pub(super) fn departure(&self, from: Vertex, tick: u32) -> Departure {
        let place = self.place(from, tick);
        let is_entered = self.cells[place & (self.cells.len() - 1)] != 0;
        Departure { edges: is_entered.then(|| self.edges_into(place)), tick }
    }

    /// How many paths the step to the neighbour with this place in the list of neighbours meets:
    /// on its cell, and on the edge in the opposite direction.
    #[inline]
    pub(super) fn clashes(&self, departure: Departure, side: usize, to: Vertex) -> u32 {
        let place = self.place(to, departure.tick) & (self.cells.len() - 1);
        let opposite = departure.edges.map_or(0, |edges| u32::from(self.edges[edges + side]));
        u32::from(self.cells[place]) + opposite
    }

    /// Whether a step that arrives at this tick meets no path.
    pub(super) fn is_clear(&self, from: Vertex, to: Vertex, tick: u32) -> bool {
        let side = self.side(from, to);
        self.clashes(self.departure(from, tick), side, to) == 0
    }

    #[inline]
    fn place(&self, at: Vertex, tick: u32) -> usize {
        let within = tick % SIDE * SIDE * SIDE;
        (tick / SIDE) as usize * self.layer + (self.places[at.get()] + within) as usize
    }

    #[inline]
    fn edges_into(&self, place: usize) -> usize {
        (place * self.sides) & (self.edges.len() - 1)
    }

    /// The place of a neighbour in a cell's list.
    fn side(&self, at: Vertex, neighbour: Vertex) -> usize {
        self.graph.neighbours(at).iter().position(|&to| to == neighbour).unwrap_or(0)
    }
}

/// The blocks between one layer and the next in a table whose layers overlap: the golden section
/// of the table, so that layers that lie close to each other are far apart in time.
fn spread(blocks: usize) -> usize {
    (blocks / 1000 * 618 + blocks % 1000 * 618 / 1000) | 1
}
