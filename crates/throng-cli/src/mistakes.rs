//! Mistakes of a scenario, each with the line of the unit that it is about.

use anyhow::anyhow;
use throng::formats::ScenarioRow;
use throng::model::{ProblemError, ProblemErrors};

/// Most mistakes shown.
const SHOWN_MAX: usize = 10;

/// The mistakes, each with the line of the unit that it is about.
pub(crate) fn name_lines(
    file: &str,
    rows: &[ScenarioRow],
    errors: &ProblemErrors,
) -> anyhow::Error {
    let shown = errors.0.iter().take(SHOWN_MAX).map(|error| {
        let row = unit_of(error).and_then(|unit| rows.get(unit));
        row.map_or(format!("{file}: {error}"), |row| format!("{file}:{}: {error}", row.line))
    });
    let mut lines: Vec<_> = shown.collect();
    if errors.0.len() > SHOWN_MAX {
        lines.push(format!("and {} more", errors.0.len() - SHOWN_MAX));
    }
    anyhow!(lines.join("\n"))
}

fn unit_of(error: &ProblemError) -> Option<usize> {
    let unit = match error {
        ProblemError::TooManyUnits(_) | ProblemError::MovementProfile { .. } => return None,
        ProblemError::NoSuchMovement { unit, .. }
        | ProblemError::OffMap { unit, .. }
        | ProblemError::InWall { unit, .. } => unit,
        ProblemError::Shared { second, .. } | ProblemError::Overlap { second, .. } => second,
    };
    Some(unit.index())
}
