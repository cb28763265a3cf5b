//! The positions of a map for units of one cell, as a graph in flat arrays.

use throng_grid::{Ground, OFFSETS};
use throng_model::{Cell, CellIndex, Map, MovementError, MovementProfile, Neighbours};

/// A position of a [`Graph`], numbered row by row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Vertex(pub u32);

impl Vertex {
    /// No position.
    pub const NONE: Self = Self(u32::MAX);

    /// The number as array subscript.
    #[inline]
    #[must_use]
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

/// The cells on which units of one movement profile can stand, and the steps between them.
///
/// Positions are numbered row by row, walls left out. The neighbours of a position are in the
/// order north, east, south, west, then clockwise from north-east; steps that walls or the
/// corner rule forbid are left out. Steps can be made in both directions.
///
/// ```
/// use throng_anytime::Graph;
/// use throng_model::{Cell, Map, MovementProfile};
/// let graph = Graph::new(&Map::empty(3, 2)?, &MovementProfile::four_connected())?;
/// let corner = graph.vertex(Cell::new(0, 0)).ok_or("a wall")?;
/// assert_eq!((graph.len(), graph.neighbours(corner).len()), (6, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Graph {
    /// Most neighbours that a position has: 4 or 8.
    stride: usize,
    /// `stride` entries per position, the first `degree` of them filled.
    neighbours: Vec<Vertex>,
    degrees: Vec<u8>,
    cells: Vec<Cell>,
    /// By index of the cell in the map; [`Vertex::NONE`] for walls.
    vertices: Vec<Vertex>,
    width: u32,
    height: u32,
}

impl Graph {
    /// The graph of the positions of single cells. Footprint and pace of the profile are not
    /// looked at.
    ///
    /// # Errors
    /// When the profile makes no sense.
    pub fn new(map: &Map, movement: &MovementProfile) -> Result<Self, MovementError> {
        let movement = MovementProfile { footprint: 1, pace: 1, ..movement.clone() };
        Ok(Self::from_ground(&Ground::new(map, movement)?))
    }

    /// The graph of all positions of a ground.
    #[must_use]
    pub fn from_ground(ground: &Ground) -> Self {
        let indices = (0..ground.width() * ground.height()).map(CellIndex);
        let standable = indices.filter(|index| ground.factors()[index.get()] != 0);
        let cells: Vec<Cell> = standable.map(|index| ground.cell(index)).collect();
        let mut vertices = vec![Vertex::NONE; ground.factors().len()];
        for (number, &cell) in cells.iter().enumerate() {
            if let Some(index) = ground.index(cell) {
                vertices[index.get()] = Vertex(number as u32);
            }
        }
        let four = ground.movement().neighbours == Neighbours::Four;
        let mut graph = Self {
            stride: if four { 4 } else { 8 },
            neighbours: Vec::new(),
            degrees: Vec::new(),
            cells,
            vertices,
            width: ground.width(),
            height: ground.height(),
        };
        graph.connect(ground);
        graph
    }

    fn connect(&mut self, ground: &Ground) {
        self.neighbours = vec![Vertex::NONE; self.cells.len() * self.stride];
        self.degrees = vec![0; self.cells.len()];
        for (number, &cell) in self.cells.iter().enumerate() {
            let legal = ground.index(cell).map_or(0, |index| ground.legal_steps(index));
            for (direction, &(dx, dy)) in OFFSETS.iter().enumerate() {
                if legal >> direction & 1 == 0 {
                    continue;
                }
                if let Some(to) = cell.offset(dx, dy).and_then(|cell| self.vertex(cell)) {
                    let degree = usize::from(self.degrees[number]);
                    self.neighbours[number * self.stride + degree] = to;
                    self.degrees[number] += 1;
                }
            }
        }
    }

    /// How many positions there are.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there is no position at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Columns of the map.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows of the map.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Whether diagonal steps exist.
    #[inline]
    #[must_use]
    pub fn has_diagonals(&self) -> bool {
        self.stride == 8
    }

    /// The cell of a position.
    #[inline]
    #[must_use]
    pub fn cell(&self, vertex: Vertex) -> Cell {
        self.cells[vertex.get()]
    }

    /// The position on a cell; `None` for walls and beyond the map.
    #[must_use]
    pub fn vertex(&self, cell: Cell) -> Option<Vertex> {
        let (x, y) = (u32::from(cell.x), u32::from(cell.y));
        if x >= self.width || y >= self.height {
            return None;
        }
        let vertex = self.vertices[(y * self.width + x) as usize];
        (vertex != Vertex::NONE).then_some(vertex)
    }

    /// The positions one step away.
    #[inline]
    #[must_use]
    pub fn neighbours(&self, vertex: Vertex) -> &[Vertex] {
        let first = vertex.get() * self.stride;
        &self.neighbours[first..first + self.degree(vertex)]
    }

    /// How many positions are one step away.
    #[inline]
    #[must_use]
    pub fn degree(&self, vertex: Vertex) -> usize {
        usize::from(self.degrees[vertex.get()])
    }

    /// The two cells beside a diagonal step, `None` where there is a wall; `None` for a
    /// straight step. A step between those two crosses it.
    #[must_use]
    pub fn corners(&self, from: Vertex, to: Vertex) -> Option<[Option<Vertex>; 2]> {
        let (a, b) = (self.cell(from), self.cell(to));
        let is_diagonal = a.x != b.x && a.y != b.y;
        is_diagonal.then(|| [self.vertex(Cell::new(a.x, b.y)), self.vertex(Cell::new(b.x, a.y))])
    }

    /// The number of the 2 x 2 block of cells that a diagonal step passes through; `None` for
    /// a straight step or a rest. Below [`blocks`](Self::blocks). Two diagonal steps through one
    /// block within a tick exchange places, cross, or end on the same cell.
    #[inline]
    #[must_use]
    pub fn block(&self, from: Vertex, to: Vertex) -> Option<usize> {
        let (a, b) = (self.cell(from), self.cell(to));
        let is_diagonal = a.x != b.x && a.y != b.y;
        is_diagonal
            .then(|| (u32::from(a.y.min(b.y)) * self.width + u32::from(a.x.min(b.x))) as usize)
    }

    /// One more than the largest number of a block.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.vertices.len()
    }
}

#[cfg(test)]
mod tests {
    use throng_model::CornerRule;
    use throng_testkit::{case, map, oracle};

    use super::*;

    #[test]
    fn steps_are_those_of_the_oracle() {
        for seed in 0..200 {
            let case = case(seed);
            let movement = MovementProfile { footprint: 1, ..case.movement };
            let graph = Graph::new(&case.map, &movement).unwrap();
            let mut count = 0;
            for cell in case.map.cells() {
                let Some(vertex) = graph.vertex(cell) else { continue };
                assert_eq!(graph.cell(vertex), cell);
                let mut found: Vec<Cell> =
                    graph.neighbours(vertex).iter().map(|&to| graph.cell(to)).collect();
                let mut expected: Vec<Cell> =
                    oracle::steps(&case.map, &movement, cell).into_iter().map(|s| s.0).collect();
                found.sort();
                expected.sort();
                assert_eq!(found, expected, "at {cell} of case {seed}");
                count += 1;
            }
            assert_eq!(count, graph.len());
        }
    }

    #[test]
    fn diagonals_of_one_block_have_one_number() {
        let movement = MovementProfile {
            corners: CornerRule::AlwaysCut,
            ..MovementProfile::eight_connected()
        };
        let graph = Graph::new(&map("..#\n..."), &movement).unwrap();
        let at = |x, y| graph.vertex(Cell::new(x, y)).unwrap();
        assert_eq!(graph.block(at(0, 0), at(1, 1)), graph.block(at(0, 1), at(1, 0)));
        assert_eq!(graph.block(at(1, 0), at(2, 1)), graph.block(at(2, 1), at(1, 0)));
        assert_ne!(graph.block(at(0, 0), at(1, 1)), graph.block(at(2, 1), at(1, 0)));
        assert_eq!(graph.block(at(0, 0), at(0, 1)), None);
        assert_eq!(graph.corners(at(1, 0), at(2, 1)), Some([Some(at(1, 1)), None]));
        assert_eq!(graph.corners(at(0, 0), at(1, 0)), None);
    }
}
