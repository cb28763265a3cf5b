//! One unit of a plan, followed tick by tick: where it is, and which rules it breaks on its own.

use throng_model::{Cell, Map, Unit, UnitId};

use crate::check_path::report_position;
use crate::occupant::Occupant;
use crate::passable_map::PassableMap;
use crate::{Violation, ViolationKind};

/// A unit at the current tick of the plan.
pub(crate) struct PlannedUnit<'a> {
    pub(crate) id: UnitId,
    passable: &'a PassableMap<'a>,
    unit: Unit,
    /// Never empty.
    path: &'a [Cell],
    /// Its cell at the current tick, and at the one before.
    at: Cell,
    before: Cell,
    /// The target of the slow step that is in progress.
    heading: Option<Cell>,
    /// The tick of arrival on the current cell, and the ticks spent on the one before.
    since: usize,
    stood: usize,
}

impl<'a> PlannedUnit<'a> {
    /// `None` for an empty path.
    pub(crate) fn new(
        id: UnitId,
        unit: Unit,
        passable: &'a PassableMap<'a>,
        path: &'a [Cell],
    ) -> Option<Self> {
        let at = *path.first()?;
        Some(Self { id, passable, unit, path, at, before: at, heading: None, since: 0, stood: 0 })
    }

    fn cell_at(&self, tick: usize) -> Cell {
        self.path.get(tick).or(self.path.last()).copied().unwrap_or(self.at)
    }

    /// Moves on to `tick`, which must be the next one.
    pub(crate) fn advance(&mut self, tick: usize) {
        self.before = self.at;
        self.at = self.cell_at(tick);
        if self.at != self.before {
            self.stood = tick - self.since;
            self.since = tick;
        }
        // A step that ends within fewer ticks than it takes has already begun.
        let mut soon = (tick + 1)..(tick + self.passable.movement.step_ticks_max() as usize);
        let next = soon.find(|&later| self.cell_at(later) != self.at);
        self.heading = next.and_then(|end| {
            let to = self.cell_at(end);
            (end - tick < self.passable.ticks_of_step(self.at, to)).then_some(to)
        });
    }

    /// What other units can be in conflict with at this tick.
    pub(crate) fn occupant(&self, map: &Map) -> Occupant {
        let came = (self.before, self.at);
        Occupant::new(map, self.passable.movement, self.id, came, self.heading)
    }

    /// Reports the rules that the unit breaks at this tick, other units ignored.
    pub(crate) fn judge(&self, tick: usize, violations: &mut Vec<Violation>) {
        let found = |kind, cells| Violation::of_one(kind, tick, self.id, cells);
        if tick == 0 && self.at != self.unit.start {
            violations.push(found(ViolationKind::Start, vec![self.at, self.unit.start]));
        }
        if tick == 0 || self.at != self.before {
            report_position(self.passable, self.id, tick, self.at, violations);
        }
        if self.at != self.before {
            let step = vec![self.before, self.at];
            let fault = self.passable.fault_of_step(self.before, self.at);
            violations.extend(fault.map(|kind| found(kind, step.clone())));
            if self.stood < self.passable.ticks_of_step(self.before, self.at) {
                violations.push(found(ViolationKind::Pace, step));
            }
        }
        if tick + 1 == self.path.len() && self.at != self.unit.goal {
            violations.push(found(ViolationKind::Goal, vec![self.at, self.unit.goal]));
        }
    }

    /// Whether the path continues after the tick.
    pub(crate) fn continues_after(&self, tick: usize) -> bool {
        self.path.len() > tick + 1
    }
}
