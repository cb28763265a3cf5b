//! Routes in few bytes: runs of equal steps.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use throng_spacetime::Position;

/// The start, then how far the index changes and for how many steps. Runs are short, so that a
/// few bytes from a stranger never ask for much memory.
type Packed = (Option<Position>, Vec<(i32, u8)>);

pub(crate) fn serialize<S: Serializer>(cells: &[Position], to: S) -> Result<S::Ok, S::Error> {
    let mut runs: Vec<(i32, u8)> = Vec::new();
    for step in cells.windows(2) {
        let shift = step[1].0.wrapping_sub(step[0].0) as i32;
        match runs.last_mut() {
            Some((same, count)) if *same == shift && *count < u8::MAX => *count += 1,
            _ => runs.push((shift, 1)),
        }
    }
    (cells.first(), runs).serialize(to)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Position>, D::Error> {
    let (start, runs) = Packed::deserialize(from)?;
    let mut cells: Vec<Position> = start.into_iter().collect();
    let Some(Position(mut at)) = start else { return Ok(cells) };
    for (shift, count) in runs {
        for _ in 0..count {
            let next = at.checked_add_signed(shift);
            at = next.ok_or_else(|| D::Error::custom("a route leaves the map"))?;
            cells.push(Position(at));
        }
    }
    Ok(cells)
}
