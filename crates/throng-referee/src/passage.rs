//! One unit of a live world from a tick to the next: what it does wrong, others aside.

use throng_model::{Cell, UnitId};

use crate::ground::Ground;
use crate::sighting::{Heading, Seen, Sighting};
use crate::walk::judge_place;
use crate::{Violation, ViolationKind};

/// What is known of a unit at the tick before, and what is seen of it now.
pub(crate) struct Passage<'a> {
    ground: Ground<'a>,
    tick: usize,
    unit: UnitId,
    /// `None` for a unit that is new, or was put where it is.
    before: Option<&'a Seen>,
    at: Cell,
    pub(crate) heading: Option<Heading>,
}

impl<'a> Passage<'a> {
    /// A heading that makes no sense is reported, and not looked at any more.
    pub(crate) fn new(
        ground: Ground<'a>,
        tick: usize,
        before: Option<&'a Seen>,
        sighting: &Sighting<'_>,
        violations: &mut Vec<Violation>,
    ) -> Self {
        let Sighting { unit, at, heading, .. } = *sighting;
        let passage = Self { ground, tick, unit, before, at, heading: None };
        let sound = heading.filter(|&heading| passage.makes_sense(heading));
        if let (Some(heading), None) = (heading, sound) {
            passage.report(ViolationKind::Heading, at, heading.to, violations);
        }
        Self { heading: sound, ..passage }
    }

    /// Only a slow unit can be in the middle of a step, for less ticks than the step takes.
    fn makes_sense(&self, heading: Heading) -> bool {
        heading.to != self.at && (1..self.pace()).contains(&heading.ticks_left)
    }

    fn pace(&self) -> u8 {
        self.ground.movement.pace
    }

    /// Where the unit was a tick ago, as far as is known, and where it is.
    pub(crate) fn ends(&self) -> (Cell, Cell) {
        (self.before.map_or(self.at, |before| before.at), self.at)
    }

    fn report(&self, kind: ViolationKind, from: Cell, to: Cell, violations: &mut Vec<Violation>) {
        violations.push(Violation::of_one(kind, self.tick, self.unit, vec![from, to]));
    }

    /// Reports everything that is wrong.
    pub(crate) fn judge(&self, violations: &mut Vec<Violation>) {
        match self.before {
            None => self.judge_appearance(violations),
            Some(before) if before.at == self.at => self.judge_stay(before.heading, violations),
            Some(before) => self.judge_arrival(before, violations),
        }
    }

    /// A unit may appear anywhere where it can stand, and in the middle of a step.
    fn judge_appearance(&self, violations: &mut Vec<Violation>) {
        judge_place(&self.ground, self.unit, self.tick, self.at, violations);
        if let Some(heading) = self.heading {
            self.judge_step(self.at, heading.to, violations);
        }
    }

    /// A unit that is where it was may rest, begin a step, carry it on, or abandon it.
    /// Whatever was built under its feet is not its fault.
    fn judge_stay(&self, before: Option<Heading>, violations: &mut Vec<Violation>) {
        let Some(now) = self.heading else { return };
        let carried_on = before.filter(|before| before.to == now.to);
        if carried_on.is_none() {
            self.judge_step(self.at, now.to, violations);
        }
        let ticks_due = carried_on.map_or(self.pace(), |before| before.ticks_left) - 1;
        if now.ticks_left < ticks_due {
            self.report(ViolationKind::Pace, self.at, now.to, violations);
        }
        let turned = before.is_some() && carried_on.is_none();
        if turned || now.ticks_left > ticks_due {
            self.report(ViolationKind::Heading, self.at, now.to, violations);
        }
    }

    fn judge_arrival(&self, before: &Seen, violations: &mut Vec<Violation>) {
        self.judge_step(before.at, self.at, violations);
        if self.pace() > 1 {
            let fault = match before.heading {
                Some(heading) if heading.to != self.at => Some(ViolationKind::Heading),
                Some(heading) if heading.ticks_left == 1 => None,
                _ => Some(ViolationKind::Pace),
            };
            if let Some(kind) = fault {
                self.report(kind, before.at, self.at, violations);
            }
        }
        if let Some(next) = self.heading {
            // It stands for a tick before it is under way again.
            self.report(ViolationKind::Pace, self.at, next.to, violations);
            self.judge_step(self.at, next.to, violations);
        }
    }

    /// Judges a step by the map as it is now, whether it begins or ends.
    fn judge_step(&self, from: Cell, to: Cell, violations: &mut Vec<Violation>) {
        judge_place(&self.ground, self.unit, self.tick, to, violations);
        if let Some(kind) = self.ground.fault_of_step(from, to) {
            self.report(kind, from, to, violations);
        }
    }
}
