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
    /// Words without a cell before the first row, and after the last one.
    pub(crate) guard: usize,
    /// Words per board, with both guards.
    pub(crate) words: usize,
    /// The bit of each position.
    bits: Vec<u32>,
    /// The position of each bit.
    positions: Vec<u32>,
    /// Whether two units may not exchange places.
    has_passages: bool,
}

impl Layout {
    /// The layout of a map whose units move to four neighbours; `None` if they move to eight.
    pub(crate) fn new(graph: &Graph, conflicts: Conflicts) -> Option<Self> {
        if graph.has_diagonals() {
            return None;
        }
        let row = (graph.width() as usize + 1) | 1;
        let guard = row / BITS + 1;
        let words = (row * graph.height() as usize).div_ceil(BITS) + 2 * guard;
        let cells = (0..graph.len() as u32).map(|at| graph.cell(Vertex(at)));
        let bit = |x: u16, y: u16| (guard * BITS + usize::from(y) * row + usize::from(x)) as u32;
        let bits: Vec<u32> = cells.map(|cell| bit(cell.x, cell.y)).collect();
        let mut positions = vec![NO_POSITION; words * BITS];
        for (position, &bit) in bits.iter().enumerate() {
            positions[bit as usize] = position as u32;
        }
        Some(Self { row, guard, words, bits, positions, has_passages: conflicts.swap })
    }

    /// The bit of a position.
    #[inline]
    pub(crate) fn bit(&self, position: u32) -> usize {
        self.bits[position as usize] as usize
    }

    /// The position of a bit that belongs to one.
    #[inline]
    pub(crate) fn position(&self, bit: usize) -> u32 {
        self.positions[bit]
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
}

const KINDS: usize = 3;

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
        let mut tick = vec![0; KINDS * layout.words];
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
        &self.boards[(KINDS * tick + kind as usize) * layout.words..][..layout.words]
    }

    #[inline]
    fn flip(&mut self, layout: &Layout, tick: usize, kind: Kind, bit: usize) {
        let word = (KINDS * tick + kind as usize) * layout.words + bit / BITS;
        self.boards[word] ^= 1 << (bit % BITS);
    }

    #[inline]
    pub(crate) fn is_set(&self, layout: &Layout, tick: usize, kind: Kind, bit: usize) -> bool {
        let word = (KINDS * tick + kind as usize) * layout.words + bit / BITS;
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
        let passage = from.filter(|_| layout.has_passages).and_then(|from| passage(from, to));
        if let Some((kind, bit)) = passage {
            self.flip(layout, tick, kind, bit);
        }
    }

    /// Whether a path conflicts with nothing that is taken.
    pub(crate) fn is_free(&self, layout: &Layout, path: &[u32]) -> bool {
        let Some(&last) = path.last() else { return true };
        let is_vacant = |(tick, &at): (usize, &u32)| !self.is_taken(layout, at, tick);
        let is_passable = |(tick, pair): (usize, &[u32])| {
            let passage = passage(layout.bit(pair[0]), layout.bit(pair[1]));
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

/// The board and bit of the passage between two cells; `None` for a rest. The western or
/// northern one of both cells names it.
#[inline]
fn passage(from: usize, to: usize) -> Option<(Kind, usize)> {
    match from.abs_diff(to) {
        0 => None,
        1 => Some((Kind::East, from.min(to))),
        _ => Some((Kind::South, from.min(to))),
    }
}
