//! A grid of bits that is read 64 cells at a time.

/// One bit per cell, in lanes: rows, or columns of a transposed map. Lanes have a border of
/// zeros on every side, so that neighbours can be read without a test.
#[derive(Clone, Debug, Default)]
pub(crate) struct BitGrid {
    words: Vec<u64>,
    words_per_lane: usize,
}

/// Words of border before the first cell of a lane.
const BORDER: usize = 1;

impl BitGrid {
    pub(crate) fn new(cells_per_lane: u32, lanes: u32) -> Self {
        let words_per_lane = cells_per_lane.div_ceil(64) as usize + 2 * BORDER;
        Self { words: vec![0; words_per_lane * (lanes as usize + 2)], words_per_lane }
    }

    /// The cells of a map that are not 0, in lanes along its rows.
    pub(crate) fn along_rows(cells: &[u8], width: u32) -> Self {
        let mut grid = Self::new(width, cells.len() as u32 / width);
        for (y, row) in cells.chunks_exact(width as usize).enumerate() {
            let first = (y + 1) * grid.words_per_lane + BORDER;
            for (word, chunk) in row.chunks(64).enumerate() {
                let bits = chunk.iter().rev().map(|&cell| u64::from(cell != 0));
                grid.words[first + word] = bits.fold(0, |word, bit| word << 1 | bit);
            }
        }
        grid
    }

    /// The same in lanes along its columns. Goes through the map row by row all the same:
    /// 64 rows fill one word of every column, and those words stay in the cache.
    pub(crate) fn along_columns(cells: &[u8], width: u32) -> Self {
        let mut grid = Self::new(cells.len() as u32 / width, width);
        for (y, row) in cells.chunks_exact(width as usize).enumerate() {
            let (mut word, bit) = grid.position(y as i32, 0);
            for &cell in row {
                grid.words[word] |= u64::from(cell != 0) << bit;
                word += grid.words_per_lane;
            }
        }
        grid
    }

    /// Word and bit of a cell; cells and lanes may be one outside of the grid.
    #[inline]
    pub(crate) fn position(&self, at: i32, lane: i32) -> (usize, u32) {
        let column = (at + 64) as u32;
        ((lane + 1) as usize * self.words_per_lane + (column / 64) as usize, column % 64)
    }

    pub(crate) fn set(&mut self, at: u32, lane: u32, value: bool) {
        let (word, bit) = self.position(at as i32, lane as i32);
        self.words[word] = self.words[word] & !(1 << bit) | u64::from(value) << bit;
    }

    #[inline]
    pub(crate) fn get(&self, at: i32, lane: i32) -> bool {
        let (word, bit) = self.position(at, lane);
        self.words[word] >> bit & 1 != 0
    }

    #[inline]
    pub(crate) fn word(&self, word: usize) -> u64 {
        self.words[word]
    }

    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    pub(crate) fn words_per_lane(&self) -> usize {
        self.words_per_lane
    }

    /// A word of bits, each moved one cell ahead or behind within the lanes.
    pub(crate) fn shifted_ahead(&self, word: usize) -> u64 {
        self.words[word] << 1 | word.checked_sub(1).map_or(0, |w| self.words[w] >> 63)
    }

    /// The same backwards.
    pub(crate) fn shifted_behind(&self, word: usize) -> u64 {
        self.words[word] >> 1 | self.words.get(word + 1).map_or(0, |next| next << 63)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_reads_the_same_along_rows_and_columns() {
        let (width, height) = (131, 70);
        let cells: Vec<u8> = (0..width * height).map(|cell| (cell * 7 % 5 % 2) as u8).collect();
        let rows = BitGrid::along_rows(&cells, width);
        let columns = BitGrid::along_columns(&cells, width);
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            let expected = cells[(y * width + x) as usize] != 0;
            let (x, y) = (x as i32, y as i32);
            assert_eq!((rows.get(x, y), columns.get(y, x)), (expected, expected), "({x},{y})");
        }
    }

    #[test]
    fn shifts_move_every_cell_by_one() {
        let mut grid = BitGrid::new(200, 3);
        for at in [0, 1, 63, 64, 127, 128, 199] {
            grid.set(at, 1, true);
        }
        for at in -1..=200 {
            let (word, bit) = grid.position(at, 1);
            let (ahead, behind) = (grid.shifted_ahead(word), grid.shifted_behind(word));
            assert_eq!(ahead >> bit & 1 != 0, grid.get(at - 1, 1), "ahead at {at}");
            assert_eq!(behind >> bit & 1 != 0, grid.get(at + 1, 1), "behind at {at}");
        }
    }
}
