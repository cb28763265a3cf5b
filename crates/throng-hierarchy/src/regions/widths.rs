//! The width of the ground at each cell: the side of the largest free square that contains
//! the cell, in classes. This is the morphological opening by squares.
//!
//! The distance to the nearest wall would separate the middle of a hall from its rim. With the
//! largest square all cells of a rectangular room have one width, its corners included, and a
//! door is narrow no matter what lies in front of it.

use throng_grid::Ground;

/// Cells per side of a block.
pub(super) const SIDE: u32 = 32;
/// Columns and rows around a block that decide its widths: the reach of the largest square,
/// and one more, because classes are also needed one cell beyond the block.
pub(super) const MARGIN: u32 = 16;
/// The square sides at which a class begins. Cells in no such square have width 1. All that
/// is wider than the last is open ground.
const SQUARES: [u32; 5] = [2, 3, 5, 9, 16];
/// Rows of a block with its margins.
const ROWS: usize = (SIDE + 2 * MARGIN) as usize;

type Bits = [u64; ROWS];

/// The class of each cell of a block, and of the cells just beyond its edges.
pub(super) struct Widths {
    opened: [Bits; SQUARES.len()],
}

impl Widths {
    pub(super) fn new(ground: &Ground, left: u32, top: u32) -> Self {
        let free = free_bits(ground, left, top);
        Self { opened: SQUARES.map(|side| dilate(&erode(&free, side), side)) }
    }

    /// The class of a free cell, by column and row from the block's first: -1 to 32.
    #[inline]
    pub(super) fn class(&self, x: i32, y: i32) -> u8 {
        let (x, y) = (x + MARGIN as i32, (y + MARGIN as i32) as usize);
        self.opened.iter().filter(|bits| bits[y] >> x & 1 != 0).count() as u8
    }
}

/// The least width of a class.
pub(super) fn narrowest(class: u8) -> u32 {
    class.checked_sub(1).map_or(1, |before| SQUARES[usize::from(before)])
}

/// The greatest width of a class; the last class has no limit.
pub(super) fn widest(class: u8) -> u32 {
    SQUARES.get(usize::from(class)).map_or(u32::MAX, |next| next - 1)
}

/// One bit per cell on which the unit can stand.
fn free_bits(ground: &Ground, left: u32, top: u32) -> Bits {
    let from = left.saturating_sub(MARGIN);
    let to = (left + SIDE + MARGIN).min(ground.width());
    let shift = from + MARGIN - left;
    let mut bits = [0; ROWS];
    for (row, y) in bits.iter_mut().zip(i64::from(top) - i64::from(MARGIN)..) {
        if (0..i64::from(ground.height())).contains(&y) {
            let start = y as u32 * ground.width();
            let factors = &ground.factors()[(start + from) as usize..(start + to) as usize];
            for (x, &factor) in factors.iter().enumerate() {
                *row |= u64::from(factor != 0) << (x as u32 + shift);
            }
        }
    }
    bits
}

/// The top-left cells of free squares.
fn erode(free: &Bits, side: u32) -> Bits {
    let across = free.map(|row| (1..side).fold(row, |all, shift| all & row >> shift));
    let mut squares = [0; ROWS];
    for (square, rows) in squares.iter_mut().zip(across.windows(side as usize)) {
        *square = rows.iter().fold(u64::MAX, |all, row| all & row);
    }
    squares
}

/// The cells of the squares with these top-left cells.
fn dilate(squares: &Bits, side: u32) -> Bits {
    let across = squares.map(|row| (1..side).fold(row, |all, shift| all | row << shift));
    let mut covered = [0; ROWS];
    for (y, row) in covered.iter_mut().enumerate() {
        let from = (y + 1).saturating_sub(side as usize);
        *row = across[from..=y].iter().fold(0, |all, row| all | row);
    }
    covered
}
