//! Which cells are taken at which ticks: one bit per cell, one board of bits per tick.
//!
//! The boards have the bits of [`Occupancy`](super::occupancy::Occupancy) in another order. There
//! a row of bits tells when one position is taken. Here a board tells which cells are taken at
//! one tick, so that a search can move 64 cells with one instruction. Boards pay where the map
//! and the plan are small: they take a bit for every cell, tick and kind of passage.

use throng_model::Conflicts;

use crate::{Graph, Vertex};

const BITS: usize = u64::BITS as usize;
const NO_POSITION: u32 = u32::MAX;

/// Where the cells of a map are on a board.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// Bits from a cell to the one below it. The last cell of a row is never one, so that a step
    /// to the east of a row does not reach the next one.
    pub(crate) row: usize,
    /// Bits from a cell to the farthest one that a step reaches.
    pub(crate) reach: usize,
    /// Words without a cell before the first row, and after the last one.
    pub(crate) guard: usize,
    /// Words per board, with both guards.
    pub(crate) words: usize,
    /// The diagonal steps, if there are any.
    pub(crate) diagonals: Option<Diagonals>,
    /// The bit of each position.
    bits: Vec<u32>,
    /// The position of each bit.
    positions: Vec<u32>,
    /// Whether two units may not exchange places.
    has_passages: bool,
    /// Boards per tick.
    kinds: usize,
}

/// The 2 x 2 blocks of cells that walls and the corner rule let a unit pass diagonally: a bit at
/// the north-western cell of each.
#[derive(Clone, Debug)]
pub(crate) struct Diagonals {
    /// Between the north-western and the south-eastern cell.
    pub(crate) falling: Vec<u64>,
    /// Between the north-eastern and the south-western cell.
    pub(crate) rising: Vec<u64>,
}

impl Layout {
    /// The layout of a map; `None` if units exchange places diagonally less freely than they
    /// cross, which no board tells.
    pub(crate) fn new(graph: &Graph, conflicts: Conflicts) -> Option<Self> {
        let is_eight = graph.has_diagonals();
        if is_eight && conflicts.swap && !conflicts.crossing {
            return None;
        }
        let row = (graph.width() as usize + 1) | 1;
        let guard = row / BITS + 1 + usize::from(is_eight);
        let words = (row * graph.height() as usize).div_ceil(BITS) + 2 * guard;
        let cells = (0..graph.len() as u32).map(|at| graph.cell(Vertex(at)));
        let bit = |x: u16, y: u16| (guard * BITS + usize::from(y) * row + usize::from(x)) as u32;
        let bits: Vec<u32> = cells.map(|cell| bit(cell.x, cell.y)).collect();
        let mut positions = vec![NO_POSITION; words * BITS];
        for (position, &bit) in bits.iter().enumerate() {
            positions[bit as usize] = position as u32;
        }
        Some(Self {
            row,
            reach: row + usize::from(is_eight),
            guard,
            words,
            diagonals: is_eight.then(|| Diagonals::new(graph, &bits, (row, words))),
            bits,
            positions,
            has_passages: conflicts.swap,
            kinds: if is_eight && conflicts.crossing { KINDS_MAX } else { KINDS_MAX - 1 },
        })
    }

    /// The bit of a position.
    #[inline]
    pub(crate) fn bit(&self, position: u32) -> usize {
        self.bits[position as usize] as usize
    }

    /// The board and bit of the passage between two cells; `None` if no unit can block it.
    #[inline]
    fn passage(&self, from: usize, to: usize) -> Option<(Kind, usize)> {
        match Passage::between(self.row, from, to)? {
            Passage::East(bit) if self.has_passages => Some((Kind::East, bit)),
            Passage::South(bit) if self.has_passages => Some((Kind::South, bit)),
            Passage::Falling(bit) | Passage::Rising(bit) if self.has_blocks() => {
                Some((Kind::Block, bit))
            }
            _ => None,
        }
    }

    /// Whether two diagonal steps in one block conflict.
    #[inline]
    pub(crate) fn has_blocks(&self) -> bool {
        self.kinds == KINDS_MAX
    }

    /// The position of a bit that belongs to one.
    #[inline]
    pub(crate) fn position(&self, bit: usize) -> u32 {
        self.positions[bit]
    }
}

impl Diagonals {
    fn new(graph: &Graph, bits: &[u32], (row, words): (usize, usize)) -> Self {
        let mut diagonals = Self { falling: vec![0; words], rising: vec![0; words] };
        for from in (0..graph.len() as u32).map(Vertex) {
            for &to in graph.neighbours(from) {
                let [from, to] = [from, to].map(|at| bits[at.get()] as usize);
                match Passage::between(row, from, to) {
                    Some(Passage::Falling(block)) => {
                        diagonals.falling[block / BITS] |= 1 << (block % BITS);
                    }
                    Some(Passage::Rising(block)) => {
                        diagonals.rising[block / BITS] |= 1 << (block % BITS);
                    }
                    _ => {}
                }
            }
        }
        diagonals
    }
}

/// The boards of a tick.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// Cells that units stand on. Walls are taken at every tick.
    Cells,
    /// Steps that end at the tick between a cell and its eastern neighbour.
    East,
    /// Steps that end at the tick between a cell and its southern neighbour.
    South,
    /// Diagonal steps that end at the tick, by the north-western cell of their 2 x 2 block. Two
    /// of them in one block cross or exchange places.
    Block,
}

const KINDS_MAX: usize = 4;

/// What is taken at each tick up to a horizon.
#[derive(Clone, Debug)]
pub(crate) struct Boards {
    boards: Vec<u64>,
    ticks: usize,
}

impl Boards {
    /// Nothing but walls is taken. All ticks up to `last_tick` can be.
    pub(crate) fn new(layout: &Layout, last_tick: u32) -> Self {
        let ticks = last_tick as usize + 1;
        let mut tick = vec![0; layout.kinds * layout.words];
        let (cells, _) = tick.split_at_mut(layout.words);
        for (bit, _) in layout.positions.iter().enumerate().filter(|(_, at)| **at == NO_POSITION) {
            cells[bit / BITS] |= 1 << (bit % BITS);
        }
        Self { boards: tick.repeat(ticks), ticks }
    }

    /// The last tick that can be taken.
    pub(crate) fn last_tick(&self) -> u32 {
        self.ticks as u32 - 1
    }

    /// One of the boards of a tick.
    #[inline]
    pub(crate) fn board(&self, layout: &Layout, tick: usize, kind: Kind) -> &[u64] {
        &self.boards[(layout.kinds * tick + kind as usize) * layout.words..][..layout.words]
    }

    #[inline]
    fn flip(&mut self, layout: &Layout, tick: usize, kind: Kind, bit: usize) {
        let word = (layout.kinds * tick + kind as usize) * layout.words + bit / BITS;
        self.boards[word] ^= 1 << (bit % BITS);
    }

    #[inline]
    pub(crate) fn is_set(&self, layout: &Layout, tick: usize, kind: Kind, bit: usize) -> bool {
        let word = (layout.kinds * tick + kind as usize) * layout.words + bit / BITS;
        self.boards[word] >> (bit % BITS) & 1 == 1
    }

    /// Takes the cells and passages of a path, and its last cell forever. Frees them if they are
    /// taken.
    pub(crate) fn toggle(&mut self, layout: &Layout, path: &[u32]) {
        let Some((&last, moving)) = path.split_last() else { return };
        let mut from = None;
        for (tick, &position) in moving.iter().enumerate() {
            let bit = layout.bit(position);
            self.flip(layout, tick, Kind::Cells, bit);
            self.toggle_passage(layout, tick, from, bit);
            from = Some(bit);
        }
        let bit = layout.bit(last);
        self.toggle_passage(layout, moving.len(), from, bit);
        for tick in moving.len()..self.ticks {
            self.flip(layout, tick, Kind::Cells, bit);
        }
    }

    #[inline]
    fn toggle_passage(&mut self, layout: &Layout, tick: usize, from: Option<usize>, to: usize) {
        if let Some((kind, bit)) = from.and_then(|from| layout.passage(from, to)) {
            self.flip(layout, tick, kind, bit);
        }
    }

    /// Whether a path conflicts with nothing that is taken.
    pub(crate) fn is_free(&self, layout: &Layout, path: &[u32]) -> bool {
        let Some(&last) = path.last() else { return true };
        let is_vacant = |(tick, &at): (usize, &u32)| !self.is_taken(layout, at, tick);
        let is_passable = |(tick, pair): (usize, &[u32])| {
            let passage = layout.passage(layout.bit(pair[0]), layout.bit(pair[1]));
            passage.is_none_or(|(kind, bit)| !self.is_set(layout, tick + 1, kind, bit))
        };
        path.iter().enumerate().all(is_vacant)
            && path.windows(2).enumerate().all(is_passable)
            && (path.len()..self.ticks).all(|tick| !self.is_taken(layout, last, tick))
    }

    #[inline]
    pub(crate) fn is_taken(&self, layout: &Layout, position: u32, tick: usize) -> bool {
        self.is_set(layout, tick, Kind::Cells, layout.bit(position))
    }

    /// The first tick from which on a position stays free; `None` if a unit ends there.
    pub(crate) fn free_from(&self, layout: &Layout, position: u32) -> Option<u32> {
        let last_taken = (0..self.ticks).rev().find(|&tick| self.is_taken(layout, position, tick));
        let free_from = last_taken.map_or(0, |tick| tick + 1);
        (free_from < self.ticks).then_some(free_from as u32)
    }
}

/// What lies between two neighbours.
#[derive(Clone, Copy, Debug)]
enum Passage {
    /// Named by the western cell.
    East(usize),
    /// Named by the northern cell.
    South(usize),
    /// A diagonal, named by the north-western cell of its block.
    Falling(usize),
    Rising(usize),
}

impl Passage {
    /// The passage between two bits; `None` for a rest.
    #[inline]
    fn between(row: usize, from: usize, to: usize) -> Option<Self> {
        let first = from.min(to);
        match from.abs_diff(to) {
            0 => None,
            1 => Some(Self::East(first)),
            apart if apart == row => Some(Self::South(first)),
            apart if apart < row => Some(Self::Rising(first - 1)),
            _ => Some(Self::Falling(first)),
        }
    }
}
