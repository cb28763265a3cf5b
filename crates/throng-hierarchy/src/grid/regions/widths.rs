//! How wide the ground is around each cell: the side of the largest free square in which
//! the cell lies, in classes. It is the morphological opening by squares.
//!
//! The distance to the nearest wall would tell the middle of a hall from its rim. The
//! largest square does not: all cells of a rectangular room are equally wide, its corners
//! too, and a door is narrow whatever lies before it.

use crate::grid::plane::Plane;

/// Cells a side of a block.
pub(super) const SIDE: u32 = 32;
/// Columns and rows around a block that are looked at: where the largest square can reach
/// from, and one more, because classes are also asked for one cell beyond the block.
pub(super) const MARGIN: u32 = 16;
/// Sides of the squares that begin a class. Cells in no such square are one wide. What is
/// wider than the last is just open ground.
const SQUARES: [u32; 5] = [2, 3, 5, 9, 16];
/// Of a block with its margins.
const ROWS: usize = (SIDE + 2 * MARGIN) as usize;

type Bits = [u64; ROWS];

/// The class of each cell of a block, and of those just beyond its lines.
pub(super) struct Widths {
    opened: [Bits; SQUARES.len()],
}

impl Widths {
    pub(super) fn new(plane: &Plane, left: u32, top: u32) -> Self {
        let free = free_bits(plane, left, top);
        Self { opened: SQUARES.map(|side| dilate(&erode(&free, side), side)) }
    }

    /// The class of a free cell; column and row count from the block's, -1 to 32.
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

/// The greatest width of a class but the last.
pub(super) fn widest(class: u8) -> u32 {
    SQUARES.get(usize::from(class)).map_or(u32::MAX, |next| next - 1)
}

/// A bit for each cell that can be stood on.
fn free_bits(plane: &Plane, left: u32, top: u32) -> Bits {
    let from = left.saturating_sub(MARGIN);
    let to = (left + SIDE + MARGIN).min(plane.width);
    let shift = from + MARGIN - left;
    let mut bits = [0; ROWS];
    for (row, y) in bits.iter_mut().zip(i64::from(top) - i64::from(MARGIN)..) {
        if (0..i64::from(plane.height)).contains(&y) {
            for (x, &factor) in plane.row(y as u32, from, to).iter().enumerate() {
                *row |= u64::from(factor != 0) << (x as u32 + shift);
            }
        }
    }
    bits
}

/// The cells that are the top-left one of a free square.
fn erode(free: &Bits, side: u32) -> Bits {
    let across = free.map(|row| (1..side).fold(row, |all, shift| all & row >> shift));
    let mut squares = [0; ROWS];
    for (square, rows) in squares.iter_mut().zip(across.windows(side as usize)) {
        *square = rows.iter().fold(u64::MAX, |all, row| all & row);
    }
    squares
}

/// The cells of the squares that have these for their top-left one.
fn dilate(squares: &Bits, side: u32) -> Bits {
    let across = squares.map(|row| (1..side).fold(row, |all, shift| all | row << shift));
    let mut covered = [0; ROWS];
    for (y, row) in covered.iter_mut().enumerate() {
        let from = (y + 1).saturating_sub(side as usize);
        *row = across[from..=y].iter().fold(0, |all, row| all | row);
    }
    covered
}
