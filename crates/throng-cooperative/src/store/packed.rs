//! A compact encoding of plans: runs of equal actions.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use throng_model::Tick;
use throng_spacetime::{Action, Leg, Position, TimedPath};

/// The most actions of one plan: far more than a window has.
const LEGS_MAX: usize = 1 << 12;

#[derive(Serialize, Deserialize)]
struct Packed {
    at: Position,
    tick: Tick,
    runs: Vec<Run>,
}

/// Consecutive actions that differ only in position and tick. The count is limited, so that a
/// few bytes of untrusted input cannot allocate much memory.
#[derive(Serialize, Deserialize, PartialEq)]
struct Run {
    action: Action,
    /// How far the index of the position changes.
    shift: i32,
    ticks: u32,
    count: u8,
}

pub(super) fn serialize<S: Serializer>(path: &TimedPath, to: S) -> Result<S::Ok, S::Error> {
    let end = path.end.unwrap_or((Position(0), Tick(0)));
    let (at, tick) = path.legs.first().map_or(end, |leg| (leg.from, leg.tick));
    let ends = path.legs.iter().skip(1).map(|leg| (leg.from, leg.tick)).chain([end]);
    let mut runs: Vec<Run> = Vec::new();
    for (leg, (to, then)) in path.legs.iter().zip(ends) {
        let shift = to.0.wrapping_sub(leg.from.0) as i32;
        let ticks = then.0.wrapping_sub(leg.tick.0);
        match runs.last_mut() {
            Some(run)
                if (run.action, run.shift, run.ticks) == (leg.action, shift, ticks)
                    && run.count < u8::MAX =>
            {
                run.count += 1;
            }
            _ => runs.push(Run { action: leg.action, shift, ticks, count: 1 }),
        }
    }
    Packed { at, tick, runs }.serialize(to)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<TimedPath, D::Error> {
    let Packed { mut at, mut tick, runs } = Packed::deserialize(from)?;
    let mut legs = Vec::new();
    if runs.iter().map(|run| usize::from(run.count)).sum::<usize>() > LEGS_MAX {
        return Err(D::Error::custom("a plan is too long"));
    }
    for run in runs {
        for _ in 0..run.count {
            legs.push(Leg { from: at, tick, action: run.action });
            let next = at.0.checked_add_signed(run.shift).zip(tick.0.checked_add(run.ticks));
            let (to, then) = next.ok_or_else(|| D::Error::custom("a path leaves the map"))?;
            (at, tick) = (Position(to), Tick(then));
        }
    }
    Ok(TimedPath { legs, end: Some((at, tick)) })
}
