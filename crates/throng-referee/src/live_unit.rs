//! One unit of a live world between two ticks: the rules that it breaks on its own.

use throng_model::{Cell, UnitId};

use crate::check_path::report_position;
use crate::passable_map::PassableMap;
use crate::sighting::{Heading, PreviousSighting, Sighting};
use crate::{Violation, ViolationKind};

/// A unit at the tick before, and at this one.
pub(crate) struct LiveUnit<'a> {
    passable: PassableMap<'a>,
    tick: usize,
    unit: UnitId,
    /// `None` for a unit that is new, or that the game placed.
    before: Option<&'a PreviousSighting>,
    at: Cell,
    pub(crate) heading: Option<Heading>,
}

impl<'a> LiveUnit<'a> {
    /// An impossible heading is reported, and ignored from then on.
    pub(crate) fn new(
        passable: PassableMap<'a>,
        tick: usize,
        before: Option<&'a PreviousSighting>,
        sighting: &Sighting<'_>,
        violations: &mut Vec<Violation>,
    ) -> Self {
        let Sighting { unit, at, heading, .. } = *sighting;
        let live_unit = Self { passable, tick, unit, before, at, heading: None };
        let possible = heading.filter(|&heading| live_unit.is_possible(heading));
        if let (Some(heading), None) = (heading, possible) {
            live_unit.report(ViolationKind::Heading, at, heading.to, violations);
        }
        Self { heading: possible, ..live_unit }
    }

    /// Only a slow step can be in progress, with fewer ticks left than the slowest takes. That the
    /// terrain allows fewer is judged when the heading appears: it may change meanwhile.
    fn is_possible(&self, heading: Heading) -> bool {
        let longest = self.passable.movement.step_ticks_max();
        heading.to != self.at && (1..longest).contains(&u32::from(heading.ticks_left))
    }

    /// The unit's cells at the last tick, if known, and at this one.
    pub(crate) fn ends(&self) -> (Cell, Cell) {
        (self.before.map_or(self.at, |before| before.at), self.at)
    }

    fn report(&self, kind: ViolationKind, from: Cell, to: Cell, violations: &mut Vec<Violation>) {
        violations.push(Violation::of_one(kind, self.tick, self.unit, vec![from, to]));
    }

    /// Reports every rule that the unit breaks.
    pub(crate) fn judge(&self, violations: &mut Vec<Violation>) {
        match self.before {
            None => self.judge_appearance(violations),
            Some(before) if before.at == self.at => self.judge_stay(before.heading, violations),
            Some(before) => self.judge_arrival(before, violations),
        }
    }

    /// A unit may appear on any cell where it can stand, and in the middle of a step.
    fn judge_appearance(&self, violations: &mut Vec<Violation>) {
        report_position(&self.passable, self.unit, self.tick, self.at, violations);
        if let Some(heading) = self.heading {
            self.judge_step(self.at, heading.to, violations);
        }
    }

    /// A unit that did not change its cell may rest, begin a step, continue it, or abandon it.
    /// The terrain is not checked: the game may have built a wall on the unit's cell.
    fn judge_stay(&self, before: Option<Heading>, violations: &mut Vec<Violation>) {
        let Some(now) = self.heading else { return };
        let continued = before.filter(|before| before.to == now.to);
        if continued.is_none() {
            self.judge_step(self.at, now.to, violations);
        }
        let begins = || self.passable.ticks_of_step(self.at, now.to);
        let ticks_left = usize::from(now.ticks_left);
        let ticks_due = continued.map_or_else(begins, |before| before.ticks_left.into()) - 1;
        if ticks_left < ticks_due {
            self.report(ViolationKind::Pace, self.at, now.to, violations);
        }
        let turned = before.is_some() && continued.is_none();
        if turned || ticks_left > ticks_due {
            self.report(ViolationKind::Heading, self.at, now.to, violations);
        }
    }

    fn judge_arrival(&self, before: &PreviousSighting, violations: &mut Vec<Violation>) {
        self.judge_step(before.at, self.at, violations);
        let is_quick = || self.passable.ticks_of_step(before.at, self.at) == 1;
        let fault = match before.heading {
            Some(heading) if heading.to != self.at => Some(ViolationKind::Heading),
            Some(heading) if heading.ticks_left == 1 => None,
            None if is_quick() => None,
            _ => Some(ViolationKind::Pace),
        };
        if let Some(kind) = fault {
            self.report(kind, before.at, self.at, violations);
        }
        if let Some(next) = self.heading {
            // After a slow step the unit stands for one tick before the next one begins.
            self.report(ViolationKind::Pace, self.at, next.to, violations);
            self.judge_step(self.at, next.to, violations);
        }
    }

    /// Checks a step that begins or ends now against the map of this tick.
    fn judge_step(&self, from: Cell, to: Cell, violations: &mut Vec<Violation>) {
        report_position(&self.passable, self.unit, self.tick, to, violations);
        if let Some(kind) = self.passable.fault_of_step(from, to) {
            self.report(kind, from, to, violations);
        }
    }
}
