//! A grid of hexagons as a [`Space`].
//!
//! The hexagons stand on a corner ("pointy-top"), and every odd row is shifted right by
//! half a hexagon ("odd-r"), as A. Patel names it in "Hexagonal grids" (Red Blob Games).

use throng_model::limits::{MAP_SIDE_MAX, PACE_MAX};

use throng_spacetime::{Action, Entry, Move, Position, Space};

const DIRECTIONS: usize = 6;

/// Column and row offset of each direction, for even and for odd rows: clockwise from
/// north-east, so that a direction's opposite is three further.
const OFFSETS: [[(i32, i32); DIRECTIONS]; 2] = [
    [(0, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (-1, -1)],
    [(1, -1), (1, 0), (1, 1), (0, 1), (-1, 0), (0, -1)],
];

/// A grid of hexagons, some of them blocked.
///
/// Positions and entries are the hexagons, row by row; costs are counted in ticks. Units
/// cannot exchange places. A step of several ticks holds both its ends during the ticks in
/// between, as on a square grid, so that units of different pace can share a reservation table.
///
/// ```
/// use throng_spaces::HexSpace;
/// use throng_spacetime::Space;
/// let space = HexSpace::from_rows(&["....", ".#..", "...."], 1)?;
/// let from = space.position(1, 0).ok_or("off the map")?;
/// let mut reached = Vec::new();
/// space.for_each_move(from, |step| reached.push(space.coordinates(step.to)));
/// assert_eq!(reached, [(2, 0), (0, 1), (0, 0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HexSpace {
    width: u32,
    height: u32,
    pace: u32,
    free: Vec<bool>,
    /// For each hexagon, a bit for each direction that leads to a free hexagon.
    steps: Vec<u8>,
}

/// Why rows of symbols are not a valid grid of hexagons. Rows and columns are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HexError {
    /// A side is zero or too long.
    #[error("{width} x {height} hexagons: each side must be 1 to {MAP_SIDE_MAX}")]
    Size {
        /// Columns given.
        width: usize,
        /// Rows given.
        height: usize,
    },
    /// A row is shorter or longer than the first.
    #[error("row {row} ends at column {columns}: make it {expected} long, like row 0")]
    RowLength {
        /// The row.
        row: usize,
        /// How many hexagons it has.
        columns: usize,
        /// How many the first row has.
        expected: usize,
    },
    /// An unknown symbol.
    #[error(
        "{symbol:?} in row {row}, column {column}: draw '.' for free, '#', '@' or 'T' for blocked"
    )]
    Symbol {
        /// The symbol.
        symbol: char,
        /// Its row.
        row: usize,
        /// Its column.
        column: usize,
    },
    /// The pace is 0 or above the limit.
    #[error("a pace of {0} ticks per step; give 1 to {PACE_MAX}")]
    Pace(u8),
}

impl HexSpace {
    /// A grid drawn in rows: `.` is free; `#`, `@` and `T` are blocked. Every step takes
    /// `pace` ticks.
    ///
    /// # Errors
    /// When the rows differ in length, another symbol is drawn, or a limit is passed.
    pub fn from_rows(rows: &[impl AsRef<str>], pace: u8) -> Result<Self, HexError> {
        if pace == 0 || pace > PACE_MAX {
            return Err(HexError::Pace(pace));
        }
        let width = rows.first().map_or(0, |row| row.as_ref().chars().count());
        let height = rows.len();
        let side = 1..=MAP_SIDE_MAX as usize;
        if !side.contains(&width) || !side.contains(&height) {
            return Err(HexError::Size { width, height });
        }
        let mut free = Vec::with_capacity(width * height);
        for (row, drawn) in rows.iter().enumerate() {
            read_row(&mut free, row, width, drawn.as_ref())?;
        }
        let (width, height) = (width as u32, height as u32);
        let mut made = Self { width, height, pace: u32::from(pace), free, steps: Vec::new() };
        made.steps = (0..width * height).map(|at| made.free_around(Position(at))).collect();
        Ok(made)
    }

    /// Columns.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The position at a column and row, if it is on the grid.
    #[must_use]
    pub fn position(&self, column: u32, row: u32) -> Option<Position> {
        (column < self.width && row < self.height).then(|| Position(row * self.width + column))
    }

    /// Column and row of a position.
    #[must_use]
    pub fn coordinates(&self, at: Position) -> (u32, u32) {
        (at.0 % self.width, at.0 / self.width)
    }

    /// Whether a position is on the grid and not blocked.
    #[must_use]
    pub fn is_free(&self, at: Position) -> bool {
        self.free.get(at.get()).is_some_and(|&free| free)
    }

    fn neighbour(&self, from: Position, direction: usize) -> Option<Position> {
        let (column, row) = self.coordinates(from);
        let (right, down) = OFFSETS[row as usize % 2][direction];
        self.position(column.checked_add_signed(right)?, row.checked_add_signed(down)?)
    }

    fn free_around(&self, at: Position) -> u8 {
        let is_free = |&direction: &usize| {
            self.is_free(at) && self.neighbour(at, direction).is_some_and(|to| self.is_free(to))
        };
        (0..DIRECTIONS).filter(is_free).fold(0, |bits, direction| bits | 1 << direction)
    }

    /// Where a legal step leads.
    #[inline]
    fn step(&self, from: Position, direction: usize) -> Option<Position> {
        let legal = direction < DIRECTIONS && self.steps.get(from.get())? >> direction & 1 == 1;
        legal.then(|| {
            let (right, down) = OFFSETS[(from.0 / self.width) as usize % 2][direction];
            Position(from.0.wrapping_add_signed(down * self.width as i32 + right))
        })
    }

    fn move_to(&self, to: Position, direction: usize) -> Move {
        let action = Action(direction as u16);
        Move { to, cost: u64::from(self.pace), ticks: self.pace, action }
    }

    /// Axial coordinates, whose axes meet at 60 degrees. The distance formula is simple in them.
    fn axial(&self, at: Position) -> (i64, i64) {
        let (column, row) = self.coordinates(at);
        (i64::from(column) - i64::from(row / 2), i64::from(row))
    }
}

fn read_row(free: &mut Vec<bool>, row: usize, width: usize, drawn: &str) -> Result<(), HexError> {
    let columns = drawn.chars().count();
    if columns != width {
        return Err(HexError::RowLength { row, columns, expected: width });
    }
    for (column, symbol) in drawn.chars().enumerate() {
        free.push(match symbol {
            '.' => true,
            '#' | '@' | 'T' => false,
            _ => return Err(HexError::Symbol { symbol, row, column }),
        });
    }
    Ok(())
}

impl Space for HexSpace {
    fn positions(&self) -> usize {
        self.free.len()
    }

    fn entries(&self) -> usize {
        self.free.len()
    }

    fn estimate(&self, from: Position, to: Position) -> u64 {
        let ((from_q, from_r), (to_q, to_r)) = (self.axial(from), self.axial(to));
        let (q, r) = (to_q - from_q, to_r - from_r);
        let steps = (q.unsigned_abs() + r.unsigned_abs() + (q + r).unsigned_abs()) / 2;
        steps * u64::from(self.pace)
    }

    fn pause_cost(&self) -> u64 {
        1
    }

    fn move_ticks_max(&self) -> u32 {
        self.pace
    }

    fn ticks_to_clear(&self) -> u32 {
        self.pace - 1
    }

    #[inline]
    fn for_each_move(&self, from: Position, mut visit: impl FnMut(Move)) {
        for direction in 0..DIRECTIONS {
            if let Some(to) = self.step(from, direction) {
                visit(self.move_to(to, direction));
            }
        }
    }

    #[inline]
    fn for_each_move_back(&self, to: Position, mut visit: impl FnMut(Move)) {
        for direction in (0..DIRECTIONS).rev() {
            if let Some(from) = self.step(to, direction) {
                visit(self.move_to(from, (direction + DIRECTIONS / 2) % DIRECTIONS));
            }
        }
    }

    #[inline]
    fn standing(&self, at: Position, mut visit: impl FnMut(Entry) -> bool) -> bool {
        visit(Entry(at.0))
    }

    /// False for an action that is not legal there.
    #[inline]
    fn footprint(
        &self,
        from: Position,
        action: Action,
        mut visit: impl FnMut(Entry, u32) -> bool,
    ) -> bool {
        if action == Action::PAUSE {
            return visit(Entry(from.0), 1);
        }
        let Some(to) = self.step(from, usize::from(action.0)) else { return false };
        let mut between = 1..self.pace;
        between.all(|tick| visit(Entry(from.0), tick) && visit(Entry(to.0), tick))
            && visit(Entry(to.0), self.pace)
    }

    /// A slow step needs no passings: it holds both ends while another unit could pass.
    #[inline]
    fn passings(
        &self,
        from: Position,
        action: Action,
        mut visit: impl FnMut(Entry, Entry) -> bool,
    ) -> bool {
        if self.pace > 1 {
            return true;
        }
        let to = self.step(from, usize::from(action.0));
        to.is_none_or(|to| visit(Entry(to.0), Entry(from.0)))
    }
}
