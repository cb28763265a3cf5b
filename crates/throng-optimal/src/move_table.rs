//! The moves of planned units by tick: Standley's illegal move table and conflict avoidance
//! table.
//!
//! As an illegal move table it forbids moves that conflict with another group's plan. As a
//! conflict avoidance table it breaks ties in favour of moves with fewer conflicts.

use throng_model::{Budget, Conflicts};

use crate::conflict::{Move, PackedCell};

/// Paths added between two calls of the interrupt.
const POLL_EVERY: u32 = 64;

/// The moves of planned units, by tick.
#[derive(Default)]
pub(crate) struct MoveTable {
    /// Tick and cell of each entry of a path, and its unit.
    entries: Vec<(u64, u32)>,
    /// Tick and midpoint of each move, the cell it starts from, and its unit.
    moves: Vec<(u64, PackedCell, u32)>,
    /// The last cell of each path, the tick from which the unit stays there, and the unit.
    last_cells: Vec<(PackedCell, u32, u32)>,
}

fn key(tick: u32, number: u32) -> u64 {
    u64::from(tick) << 32 | u64::from(number)
}

impl MoveTable {
    /// The table of these paths, each with its unit; `None` if interrupted.
    pub(crate) fn new<'p>(
        paths: impl Iterator<Item = (u32, &'p [PackedCell])>,
        budget: Budget<'_>,
    ) -> Option<Self> {
        let mut table = Self::default();
        for (unit, path) in paths {
            if unit.is_multiple_of(POLL_EVERY) && budget.is_interrupted() {
                return None;
            }
            table.add(unit, path);
        }
        table.entries.sort_unstable();
        table.moves.sort_unstable();
        table.last_cells.sort_unstable();
        Some(table)
    }

    fn add(&mut self, unit: u32, path: &[PackedCell]) {
        let Some(&last) = path.last() else { return };
        let end = path.iter().rposition(|&cell| cell != last).map_or(0, |tick| tick as u32 + 1);
        self.last_cells.push((last, end, unit));
        for (tick, &cell) in (0..end).zip(path) {
            self.entries.push((key(tick, cell.0), unit));
        }
        for (tick, step) in (1..=end).zip(path.windows(2)) {
            let step = Move { from: step[0], to: step[1] };
            if step.from != step.to {
                self.moves.push((key(tick, step.midpoint()), step.from, unit));
            }
        }
    }

    /// Visits the units that a move ending at `tick` conflicts with, until `visit` is false.
    pub(crate) fn conflicts_with(
        &self,
        step: Move,
        tick: u32,
        counted: Conflicts,
        mut visit: impl FnMut(u32) -> bool,
    ) {
        let at = key(tick, step.to.0);
        let first = self.entries.partition_point(|&(key, _)| key < at);
        for &(_, unit) in self.entries[first..].iter().take_while(|entry| entry.0 == at) {
            if !visit(unit) {
                return;
            }
        }
        let first = self.last_cells.partition_point(|&(cell, ..)| cell < step.to);
        let staying = self.last_cells[first..].iter().take_while(|entry| entry.0 == step.to);
        for &(_, since, unit) in staying {
            if since <= tick && !visit(unit) {
                return;
            }
        }
        if step.from == step.to {
            return;
        }
        let at = key(tick, step.midpoint());
        let first = self.moves.partition_point(|&(key, ..)| key < at);
        for &(_, from, unit) in self.moves[first..].iter().take_while(|entry| entry.0 == at) {
            let to = PackedCell(step.midpoint() - from.0);
            let passes = step.conflicts_in_passing(Move { from, to }, counted) && to != step.to;
            if passes && !visit(unit) {
                return;
            }
        }
    }
}

/// A table restricted to some units.
#[derive(Clone, Copy)]
pub(crate) struct TableView<'t> {
    pub(crate) table: &'t MoveTable,
    pub(crate) counted: Conflicts,
    /// Whether each unit is part of the view.
    pub(crate) included: &'t [bool],
}

impl TableView<'_> {
    #[inline]
    fn includes(&self, unit: u32) -> bool {
        self.included[unit as usize]
    }

    /// The tick from which no included unit moves.
    pub(crate) fn horizon(&self) -> u32 {
        let included = self.table.last_cells.iter().filter(|last| self.includes(last.2));
        included.map(|last| last.1).max().unwrap_or(0)
    }

    /// The last tick at which an included unit passes a cell.
    pub(crate) fn last_visit(&self, cell: PackedCell) -> Option<u32> {
        let entries = self.table.entries.iter();
        let passes = entries.filter(|(key, unit)| *key as u32 == cell.0 && self.includes(*unit));
        passes.map(|(key, _)| (key >> 32) as u32).max()
    }

    /// How many included units a move ending at `tick` conflicts with.
    pub(crate) fn count(&self, step: Move, tick: u32) -> u16 {
        let mut count = 0;
        self.table.conflicts_with(step, tick, self.counted, |unit| {
            count += u16::from(self.includes(unit));
            true
        });
        count
    }

    /// Whether a move ending at `tick` conflicts with an included unit.
    #[inline]
    pub(crate) fn forbids(&self, step: Move, tick: u32) -> bool {
        let mut free = true;
        self.table.conflicts_with(step, tick, self.counted, |unit| {
            free = !self.includes(unit);
            free
        });
        !free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_last_cells_and_swaps_conflict() {
        let path = [5, 6, 7].map(PackedCell);
        let paths = [(9, &path[..])].into_iter();
        let table = MoveTable::new(paths, Budget::unlimited()).unwrap();
        let included = vec![true; 10];
        let view = TableView { table: &table, counted: Conflicts::default(), included: &included };
        let forbids = |from, to, tick| {
            view.forbids(Move { from: PackedCell(from), to: PackedCell(to) }, tick)
        };
        assert!(forbids(7, 6, 1), "same cell");
        assert!(forbids(6, 5, 1), "exchange");
        assert!(!forbids(4, 5, 1), "following");
        assert!(forbids(8, 7, 2) && forbids(8, 7, 50), "the unit stays there");
        assert!(!forbids(8, 7, 1), "not yet");
        assert_eq!(view.horizon(), 2);
        assert_eq!(
            (view.last_visit(PackedCell(6)), view.last_visit(PackedCell(7))),
            (Some(1), None)
        );
    }
}
