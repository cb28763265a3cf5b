//! A grid of bits that is read 64 cells at a time.

/// One bit a cell, row by row, with a border of zeros wide enough that a window of 64
/// cells around any cell of the grid can be read without a test.
#[derive(Clone, Debug, Default)]
pub(crate) struct BitGrid {
    words: Vec<u64>,
    /// Words a row: one of border on the left, one or two on the right.
    stride: usize,
}

impl BitGrid {
    pub(crate) fn new(width: usize, height: usize) -> Self {
        let stride = width.div_ceil(64) + 3;
        Self { words: vec![0; stride * (height + 2)], stride }
    }

    /// Word and bit of a cell; columns count from -64, rows from -1.
    fn position(&self, x: i32, y: i32) -> (usize, u32) {
        let column = (x + 64) as u32;
        ((y + 1) as usize * self.stride + (column / 64) as usize, column % 64)
    }

    pub(crate) fn set(&mut self, x: u32, y: u32, value: bool) {
        let (word, bit) = self.position(x as i32, y as i32);
        self.words[word] = self.words[word] & !(1 << bit) | u64::from(value) << bit;
    }

    #[cfg(test)]
    pub(crate) fn get(&self, x: i32, y: i32) -> bool {
        let (word, bit) = self.position(x, y);
        self.words[word] >> bit & 1 != 0
    }

    /// The cells `x..x + 64` of row `y`; the lowest bit is `x`.
    #[inline]
    pub(crate) fn window(&self, x: i32, y: i32) -> u64 {
        let (word, bit) = self.position(x, y);
        // Two shifts, for a shift by 64 would be none at all.
        self.words[word] >> bit | self.words[word + 1] << 1 << (63 - bit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_shows_the_cells_from_its_column_on() {
        let mut grid = BitGrid::new(200, 3);
        for x in [0, 1, 63, 64, 127, 199] {
            grid.set(x, 1, true);
        }
        for y in -1..=3 {
            for x in -64..=200 {
                let expected = (0..64)
                    .filter(|&bit| (0..200).contains(&(x + bit)) && grid.get(x + bit, y))
                    .fold(0, |window, bit| window | 1 << bit);
                assert_eq!(grid.window(x, y), expected, "({x},{y})");
            }
        }
    }
}
