//! Narrow places of the map: doors and straight corridors.
//!
//! A *line* is a row or column of open cells between two obstacles, at most [`WIDTH_MAX`] cells
//! wide. Lines beside each other that overlap, each with one line only, form a *gate* if it is
//! open at both ends. Which gate a cell belongs to follows from the map around it alone. It is
//! looked for when it is first asked for, and forgotten when the map changes.

use throng_model::{Cell, Map};

/// Wider places are not narrow.
const WIDTH_MAX: u16 = 6;
/// Longer corridors are no gates, in cells.
const LENGTH_MAX: u16 = 64;

/// Not looked for yet, and part of no gate.
const UNKNOWN: u32 = u32::MAX;
const NONE: u32 = u32::MAX - 1;

/// The direction in which units go through a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Axis {
    /// From left to right, or back. Its lines are columns.
    Horizontal,
    /// From top to bottom, or back. Its lines are rows.
    Vertical,
}

impl Axis {
    /// How far along and across the gate a cell is.
    fn split(self, Cell { x, y }: Cell) -> (u16, u16) {
        match self {
            Self::Horizontal => (x, y),
            Self::Vertical => (y, x),
        }
    }

    fn cell(self, along: u16, across: u16) -> Cell {
        match self {
            Self::Horizontal => Cell::new(along, across),
            Self::Vertical => Cell::new(across, along),
        }
    }
}

/// One of the two ends of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The left end, or the top.
    Low,
    /// The right end, or the bottom.
    High,
}

impl Side {
    pub(crate) fn other(self) -> Self {
        match self {
            Self::Low => Self::High,
            Self::High => Self::Low,
        }
    }
}

/// A door or a straight corridor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gate {
    axis: Axis,
    /// Its first and last line.
    ends: (u16, u16),
    /// The cells that its lines cover, first and last.
    sides: (u16, u16),
    /// The cells of its narrowest line.
    pub(crate) width: u16,
}

impl Gate {
    /// A cell of it by which it is known.
    pub(crate) fn cell(&self) -> Cell {
        self.axis.cell(self.ends.0, self.sides.0)
    }

    /// The first and the last cell of the rectangle around it.
    pub(crate) fn bounds(&self) -> (Cell, Cell) {
        (self.cell(), self.axis.cell(self.ends.1, self.sides.1))
    }

    /// On which side of it a cell is. Cells between its ends count to the nearer one.
    pub(crate) fn side(&self, cell: Cell) -> Side {
        let along = u32::from(self.axis.split(cell).0);
        let middle = u32::from(self.ends.0) + u32::from(self.ends.1);
        if 2 * along <= middle { Side::Low } else { Side::High }
    }

    /// Whether part of a body is in the gate.
    pub(crate) fn holds(&self, corner: Cell, side: u16) -> bool {
        let (along, across) = self.axis.split(corner);
        let meets = |at: u16, (first, last): (u16, u16)| at <= last && at + side > first;
        meets(along, self.ends) && meets(across, self.sides)
    }

    /// How many cells are between a body and the gate; 0 beside it or in it.
    pub(crate) fn gap(&self, corner: Cell, side: u16) -> u16 {
        let (along, across) = self.axis.split(corner);
        let gap = |at: u16, (first, last): (u16, u16)| {
            (at.saturating_sub(last + 1)).max(first.saturating_sub(at + side))
        };
        gap(along, self.ends).max(gap(across, self.sides))
    }
}

/// The open cells of a line, first and last.
type Line = (u16, u16);

/// The gates that were looked for since the map last changed.
#[derive(Clone, Debug, Default)]
pub(crate) struct GateMap {
    found: Vec<Gate>,
    /// By cell.
    numbers: Vec<u32>,
    known: Vec<u32>,
}

impl GateMap {
    /// Forgets all of them.
    pub(crate) fn clear(&mut self) {
        self.found.clear();
        for cell in self.known.drain(..) {
            self.numbers[cell as usize] = UNKNOWN;
        }
    }

    pub(crate) fn get(&self, number: u32) -> &Gate {
        &self.found[number as usize]
    }

    /// The number of the gate at a cell.
    pub(crate) fn at(&mut self, map: &Map, cell: Cell) -> Option<u32> {
        let index = map.index(cell)?.get();
        if self.numbers.is_empty() {
            self.numbers.resize(map.terrain().len(), UNKNOWN);
        }
        if self.numbers[index] == UNKNOWN {
            self.find(map, cell);
        }
        Some(self.numbers[index]).filter(|&number| number < NONE)
    }

    /// Looks for the gate of a cell: horizontal if it has one, or else vertical.
    fn find(&mut self, map: &Map, cell: Cell) {
        let horizontal = find_chain(map, Axis::Horizontal, cell);
        let found = horizontal.or_else(|| find_chain(map, Axis::Vertical, cell));
        let Some((gate, lines)) = found else { return self.set(map, cell, NONE) };
        let number = self.found.len() as u32;
        let is_own = |cell| {
            gate.axis == Axis::Horizontal || find_chain(map, Axis::Horizontal, cell).is_none()
        };
        for (along, line) in (gate.ends.0..).zip(&lines) {
            let cells = (line.0..=line.1).map(|across| gate.axis.cell(along, across));
            cells.filter(|&cell| is_own(cell)).for_each(|cell| self.set(map, cell, number));
        }
        self.found.push(gate);
    }

    fn set(&mut self, map: &Map, cell: Cell, number: u32) {
        if let Some(index) = map.index(cell) {
            self.numbers[index.get()] = number;
            self.known.push(index.0);
        }
    }
}

/// The gate that goes through a cell in one direction, with its lines.
fn find_chain(map: &Map, axis: Axis, cell: Cell) -> Option<(Gate, Vec<Line>)> {
    let (along, across) = axis.split(cell);
    let line = line_at(map, axis, along, across)?;
    let (mut low, low_open) = follow(map, axis, (along, line), Side::Low);
    let (high, high_open) = follow(map, axis, (along, line), Side::High);
    let length = low.len() + 1 + high.len();
    if !low_open || !high_open || length > usize::from(LENGTH_MAX) {
        return None;
    }
    let first = along - low.len() as u16;
    low.reverse();
    let lines: Vec<Line> = low.into_iter().chain([line]).chain(high).collect();
    let width = lines.iter().map(|line| line.1 - line.0 + 1).min()?;
    let sides = lines.iter().fold(line, |all, line| (all.0.min(line.0), all.1.max(line.1)));
    let ends = (first, first + length as u16 - 1);
    Some((Gate { axis, ends, sides, width }, lines))
}

/// The line through a cell, if it is narrow.
fn line_at(map: &Map, axis: Axis, along: u16, across: u16) -> Option<Line> {
    let is_open = |across: u16| map.is_passable(axis.cell(along, across));
    if !is_open(across) {
        return None;
    }
    let (mut first, mut last) = (across, across);
    while first > 0 && is_open(first - 1) {
        first -= 1;
        if last - first >= WIDTH_MAX {
            return None;
        }
    }
    while is_open(last + 1) {
        last += 1;
        if last - first >= WIDTH_MAX {
            return None;
        }
    }
    Some((first, last))
}

/// The lines that follow in one direction, and whether open ground is at the end of them.
fn follow(map: &Map, axis: Axis, from: (u16, Line), to: Side) -> (Vec<Line>, bool) {
    let (mut along, mut line) = from;
    let mut lines = Vec::new();
    while lines.len() <= usize::from(LENGTH_MAX) {
        let next = match to {
            Side::Low => along.checked_sub(1),
            Side::High => Some(along + 1),
        };
        let Some(next) = next else { return (lines, false) };
        let is_open = |across: &u16| map.is_passable(axis.cell(next, *across));
        let Some(across) = (line.0..=line.1).find(is_open) else { return (lines, false) };
        // A wide place beside it, or a second line, ends the gate.
        let Some(beside) = line_at(map, axis, next, across) else { return (lines, true) };
        let other = |line: Line, along: u16, beside: Line| {
            let is_open = |across: &u16| map.is_passable(axis.cell(along, *across));
            (beside.0..=beside.1).filter(is_open).any(|at| !(line.0..=line.1).contains(&at))
        };
        if other(beside, next, line) || other(line, along, beside) {
            return (lines, true);
        }
        lines.push(beside);
        (along, line) = (next, beside);
    }
    (lines, false)
}

#[cfg(test)]
mod tests {
    use throng_testkit::{find, map};

    use super::*;

    /// Cells with the letter `p` are the gates of the drawing.
    fn check(drawing: &str, count: usize, width: u16) {
        let (map, mut gates) = (map(drawing), GateMap::default());
        let expected = find(drawing, 'p');
        let cells: Vec<Cell> = map.cells().collect();
        let found = cells.iter().copied().filter(|&cell| gates.at(&map, cell).is_some());
        assert_eq!(found.collect::<Vec<_>>(), expected, "{drawing}");
        assert_eq!(gates.found.len(), count, "{drawing}");
        assert!(gates.found.iter().all(|gate| gate.width == width), "{drawing}");
        // The order of the questions does not matter.
        let ids = |gates: &mut GateMap, cells: &mut dyn Iterator<Item = Cell>| {
            let mut id = |cell| gates.at(&map, cell).map(|at| gates.get(at).cell());
            let mut ids: Vec<_> = cells.map(|cell| (cell, id(cell))).collect();
            ids.sort_unstable();
            ids
        };
        let forward = ids(&mut gates, &mut cells.iter().copied());
        gates.clear();
        assert_eq!(ids(&mut gates, &mut cells.iter().rev().copied()), forward, "{drawing}");
    }
    #[test]
    fn doors_and_corridors_are_passages() {
        check(
            "........#........
             ........#........
             ........#........
             ........p........
             ........p........
             ........#........
             ........#........
             ........#........",
            1,
            2,
        );
        check(
            "........
             ........
             ........
             ........
             ........
             ........
             ........
             ##pp####
             ###p####
             ###ppp##
             ........
             ........
             ........
             ........
             ........
             ........
             ........",
            1,
            1,
        );
    }

    #[test]
    fn dead_ends_and_rooms_are_none() {
        check(
            "........###
             ...........
             ........###
             ........###
             ........###
             ........###
             ........###",
            0,
            0,
        );
        check("....\n....\n....\n....", 0, 0);
    }

    #[test]
    fn sides_and_gaps() {
        let drawing = "...#...\n...#...\n...#...\n...p...\n...#...\n...#...\n...#...";
        let (map, mut gates) = (map(drawing), GateMap::default());
        let number = gates.at(&map, Cell::new(3, 3)).unwrap();
        let door = *gates.get(number);
        assert_eq!(door.side(Cell::new(2, 6)), Side::Low);
        assert_eq!(door.side(Cell::new(4, 0)), Side::High);
        let gaps = [((2, 3), 1), ((2, 2), 1), ((0, 2), 1), ((0, 3), 2), ((4, 5), 1), ((5, 3), 3)];
        let gaps = gaps.map(|((x, y), side)| door.gap(Cell::new(x, y), side));
        assert_eq!(gaps, [0, 0, 2, 1, 1, 1]);
    }
}
