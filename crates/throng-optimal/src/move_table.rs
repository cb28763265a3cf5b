//! The moves of planned units by tick: Standley's illegal move table and conflict avoidance
//! table.
//!
//! As an illegal move table it forbids moves that conflict with another group's plan. As a
//! conflict avoidance table it breaks ties in favour of moves with fewer conflicts.

use throng_model::Budget;

use crate::rules::{Rules, Step};

/// Paths added between two calls of the interrupt.
const POLL_EVERY: u32 = 64;

/// The moves of planned units, by tick. What a unit holds is known by its number, see
/// [`Rules::for_each_held`].
pub(crate) struct MoveTable<R: Rules> {
    rules: R,
    /// Tick and number of what each step holds, and its unit.
    entries: Vec<(u64, u32)>,
    /// Tick and passing number of each step, and its unit.
    passings: Vec<(u64, Step<R::Place>, u32)>,
    /// What each unit holds at the end of its path, the tick from which it stays there, and the
    /// unit.
    last_held: Vec<(u32, u32, u32)>,
}

fn key(tick: u32, number: u32) -> u64 {
    u64::from(tick) << 32 | u64::from(number)
}

impl<R: Rules> MoveTable<R> {
    /// The table of these paths, each with its unit; `None` if interrupted.
    pub(crate) fn new<'p>(
        rules: R,
        paths: impl Iterator<Item = (u32, &'p [R::Place])>,
        budget: Budget<'_>,
    ) -> Option<Self>
    where
        R::Place: 'p,
    {
        let (entries, passings, last_held) = (Vec::new(), Vec::new(), Vec::new());
        let mut table = Self { rules, entries, passings, last_held };
        for (unit, path) in paths {
            if unit.is_multiple_of(POLL_EVERY) && budget.is_interrupted() {
                return None;
            }
            table.add(unit, path);
        }
        table.entries.sort_unstable();
        table.passings.sort_unstable();
        table.last_held.sort_unstable();
        Some(table)
    }

    fn add(&mut self, unit: u32, path: &[R::Place]) {
        let (Some(&first), Some(&last)) = (path.first(), path.last()) else { return };
        let end = path.iter().rposition(|&at| at != last).map_or(0, |tick| tick as u32 + 1);
        let (entries, passings) = (&mut self.entries, &mut self.passings);
        let last_first = self.last_held.len();
        self.rules.for_each_held(Step::pause(last), |number| {
            self.last_held.push((number, end, unit));
            true
        });
        let last_held = &self.last_held[last_first..];
        let moves = (1..=end).zip(path.windows(2));
        let steps = moves.map(|(tick, ends)| (tick, Step { from: ends[0], to: ends[1] }));
        for (tick, step) in [(0, Step::pause(first))].into_iter().chain(steps) {
            self.rules.for_each_held(step, |number| {
                if tick < end || last_held.iter().all(|held| held.0 != number) {
                    entries.push((key(tick, number), unit));
                }
                true
            });
            if step.from != step.to {
                self.rules.for_each_passing(step, |number| {
                    passings.push((key(tick, number), step, unit));
                    true
                });
            }
        }
    }

    /// Visits the units that a move ending at `tick` conflicts with, until `visit` is false. A
    /// unit is visited once for everything that both hold.
    pub(crate) fn conflicts_with(
        &self,
        step: Step<R::Place>,
        tick: u32,
        mut visit: impl FnMut(u32) -> bool,
    ) {
        let goes_on = self.rules.for_each_held(step, |number| {
            let at = key(tick, number);
            let first = self.entries.partition_point(|&(key, _)| key < at);
            let mut holding = self.entries[first..].iter().take_while(|entry| entry.0 == at);
            let first = self.last_held.partition_point(|&(held, ..)| held < number);
            let mut staying = self.last_held[first..].iter().take_while(|held| held.0 == number);
            holding.all(|&(_, unit)| visit(unit))
                && staying.all(|&(_, since, unit)| since > tick || visit(unit))
        });
        if !goes_on || step.from == step.to {
            return;
        }
        self.rules.for_each_passing(step, |number| {
            let at = key(tick, number);
            let first = self.passings.partition_point(|&(key, ..)| key < at);
            let mut passing = self.passings[first..].iter().take_while(|entry| entry.0 == at);
            passing.all(|&(_, other, unit)| {
                !self.rules.conflict_in_passing(step, other) || visit(unit)
            })
        });
    }
}

/// A table restricted to some units.
pub(crate) struct TableView<'t, R: Rules> {
    pub(crate) table: &'t MoveTable<R>,
    /// Whether each unit is part of the view.
    pub(crate) included: &'t [bool],
}

impl<R: Rules> Clone for TableView<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R: Rules> Copy for TableView<'_, R> {}

impl<R: Rules> TableView<'_, R> {
    #[inline]
    fn includes(&self, unit: u32) -> bool {
        self.included[unit as usize]
    }

    /// The tick from which no included unit moves.
    pub(crate) fn horizon(&self) -> u32 {
        let included = self.table.last_held.iter().filter(|last| self.includes(last.2));
        included.map(|last| last.1).max().unwrap_or(0)
    }

    /// The last tick at which an included unit, which moves on later, holds something that a
    /// unit standing at a place holds too.
    pub(crate) fn last_visit(&self, place: R::Place) -> Option<u32> {
        let mut last = None;
        self.table.rules.for_each_held(Step::pause(place), |number| {
            let entries = self.table.entries.iter();
            let held = entries.filter(|(key, unit)| *key as u32 == number && self.includes(*unit));
            last = last.max(held.map(|(key, _)| (key >> 32) as u32).max());
            true
        });
        last
    }

    /// How many included units a move ending at `tick` conflicts with.
    pub(crate) fn count(&self, step: Step<R::Place>, tick: u32) -> u16 {
        let mut count: u16 = 0;
        self.table.conflicts_with(step, tick, |unit| {
            count = count.saturating_add(u16::from(self.includes(unit)));
            true
        });
        count
    }

    /// Whether a move ending at `tick` conflicts with an included unit.
    #[inline]
    pub(crate) fn forbids(&self, step: Step<R::Place>, tick: u32) -> bool {
        let mut free = true;
        self.table.conflicts_with(step, tick, |unit| {
            free = !self.includes(unit);
            free
        });
        !free
    }
}

#[cfg(test)]
mod tests {
    use throng_model::Conflicts;

    use super::*;
    use crate::grid_rules::{GridRules, PackedCell};

    #[test]
    fn entries_last_cells_and_swaps_conflict() {
        let path = [5, 6, 7].map(PackedCell);
        let paths = [(9, &path[..])].into_iter();
        let rules = GridRules { counted: Conflicts::default(), width: 10 };
        let table = MoveTable::new(rules, paths, Budget::unlimited()).unwrap();
        let included = vec![true; 10];
        let view = TableView { table: &table, included: &included };
        let forbids = |from, to, tick| {
            view.forbids(Step { from: PackedCell(from), to: PackedCell(to) }, tick)
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
