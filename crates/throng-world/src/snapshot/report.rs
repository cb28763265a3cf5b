//! What came of the last tick, as stored in a snapshot: where units were is where their next
//! step comes from.

use serde::{Deserialize, Serialize};
use throng_model::{Cell, UnitId};

use super::{SnapshotError, steps, wrong};
use crate::{Event, Heading, Step, World};

#[derive(Serialize, Deserialize)]
pub(super) struct ReportImage {
    hash: [u8; 8],
    expanded: u64,
    /// Units passed over since the one before, and the step.
    steps: Vec<(u32, StepImage)>,
    events: Vec<Event>,
}

#[derive(Serialize, Deserialize)]
enum StepImage {
    /// The unit is still there, and came with this step.
    Here(u8),
    /// It was moved or removed since then, or came from afar.
    Elsewhere {
        from: Cell,
        at: Cell,
        /// Column, row and ticks left.
        heading: Option<(u16, u16, u32)>,
    },
}

impl World {
    pub(super) fn report_image(&self) -> ReportImage {
        let mut next = 0;
        let steps = self.steps.iter().map(|step| {
            let gap = step.unit.to_bits() - std::mem::replace(&mut next, step.unit.to_bits() + 1);
            let here = self.place(step.unit) == Some((step.at, step.heading));
            let came = steps::between(step.from, step.at).filter(|_| here);
            (gap, came.map_or_else(|| StepImage::elsewhere(step), StepImage::Here))
        });
        ReportImage {
            hash: self.hash.to_le_bytes(),
            expanded: self.expanded,
            steps: steps.collect(),
            events: self.events.clone(),
        }
    }

    pub(super) fn restore_report(&mut self, report: ReportImage) -> Result<(), SnapshotError> {
        let mut next = 0_u32;
        for (gap, image) in &report.steps {
            let unit = next.checked_add(*gap).filter(|&unit| unit < u32::MAX);
            let unit = unit.ok_or_else(|| wrong("the steps", "too many units"))?;
            next = unit + 1;
            let step = image.step(self, UnitId::new(unit));
            let problem = "its last step is impossible";
            self.steps.push(step.ok_or_else(|| wrong(format!("unit {unit}"), problem))?);
        }
        self.hash = u64::from_le_bytes(report.hash);
        self.expanded = report.expanded;
        self.events = report.events;
        Ok(())
    }
}

impl StepImage {
    fn elsewhere(step: &Step) -> Self {
        let heading = step.heading.map(|heading| (heading.to.x, heading.to.y, heading.ticks_left));
        Self::Elsewhere { from: step.from, at: step.at, heading }
    }

    fn step(&self, world: &World, unit: UnitId) -> Option<Step> {
        let on_map = |cell: Cell| world.map.contains(cell).then_some(cell);
        match *self {
            Self::Here(came) => {
                let (at, heading) = world.place(unit)?;
                let from = on_map(steps::start(at, came)?)?;
                Some(Step { unit, from, at, heading })
            }
            Self::Elsewhere { from, at, heading } => {
                let heading =
                    heading.map(|(x, y, ticks_left)| Heading { to: (x, y).into(), ticks_left });
                Some(Step { unit, from: on_map(from)?, at: on_map(at)?, heading })
            }
        }
    }
}
