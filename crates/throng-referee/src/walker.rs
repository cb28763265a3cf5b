//! One unit on its way through the plan: where it is, what it does wrong.

use throng_model::{Cell, Map, Unit, UnitId};

use crate::ground::Ground;
use crate::presence::Presence;
use crate::walk::judge_place;
use crate::{Violation, ViolationKind};

/// A unit at the current tick of the plan.
pub(crate) struct Walker<'a> {
    pub(crate) id: UnitId,
    ground: &'a Ground<'a>,
    unit: Unit,
    /// Not empty.
    path: &'a [Cell],
    /// Where it is, and where it was a tick ago.
    at: Cell,
    before: Cell,
    /// The cell that a slow unit is on its way to.
    heading: Option<Cell>,
    /// The tick at which it came to where it is, and how long it had stood where it was.
    since: usize,
    stood: usize,
}

impl<'a> Walker<'a> {
    /// `None` for an empty path.
    pub(crate) fn new(
        id: UnitId,
        unit: Unit,
        ground: &'a Ground<'a>,
        path: &'a [Cell],
    ) -> Option<Self> {
        let at = *path.first()?;
        Some(Self { id, ground, unit, path, at, before: at, heading: None, since: 0, stood: 0 })
    }

    fn cell_at(&self, tick: usize) -> Cell {
        self.path.get(tick).or(self.path.last()).copied().unwrap_or(self.at)
    }

    /// Goes on to the tick, which must be the next one.
    pub(crate) fn advance(&mut self, tick: usize) {
        self.before = self.at;
        self.at = self.cell_at(tick);
        if self.at != self.before {
            self.stood = tick - self.since;
            self.since = tick;
        }
        let in_time = (tick + 1)..(tick + usize::from(self.ground.movement.pace));
        self.heading = in_time.map(|later| self.cell_at(later)).find(|&cell| cell != self.at);
    }

    /// What others meet of the unit at this tick.
    pub(crate) fn presence(&self, map: &Map) -> Presence {
        let came = (self.before, self.at);
        Presence::new(map, self.ground.movement, self.id, came, self.heading)
    }

    /// Reports what the unit does wrong at this tick, other units aside.
    pub(crate) fn judge(&self, tick: usize, violations: &mut Vec<Violation>) {
        let found = |kind, cells| Violation::of_one(kind, tick, self.id, cells);
        if tick == 0 && self.at != self.unit.start {
            violations.push(found(ViolationKind::Start, vec![self.at, self.unit.start]));
        }
        if tick == 0 || self.at != self.before {
            judge_place(self.ground, self.id, tick, self.at, violations);
        }
        if self.at != self.before {
            let step = vec![self.before, self.at];
            let fault = self.ground.fault_of_step(self.before, self.at);
            violations.extend(fault.map(|kind| found(kind, step.clone())));
            if self.stood < usize::from(self.ground.movement.pace) {
                violations.push(found(ViolationKind::Pace, step));
            }
        }
        if tick + 1 == self.path.len() && self.at != self.unit.goal {
            violations.push(found(ViolationKind::Goal, vec![self.at, self.unit.goal]));
        }
    }

    /// Whether the path goes on after the tick.
    pub(crate) fn goes_on_after(&self, tick: usize) -> bool {
        self.path.len() > tick + 1
    }
}
