//! Checks a walk against the scene itself, without the pathfinder and its caches.

use throng_scene::Location;
use throng_scene::{GateKind, GateSide, STAIRS_LENGTH, ValidScene};

use super::Query;

/// The rounding error of a step, in units.
const TOLERANCE: f64 = 1e-6;

/// Checks that a walk of a body with a radius answers a query and has the stated length.
///
/// # Errors
/// Says what is wrong with it.
pub fn judge(
    scene: &ValidScene,
    query: &Query,
    locations: &[Location],
    length_millionths: u64,
    radius: f64,
) -> Result<(), String> {
    if locations.first() != Some(&query.from) || locations.last() != Some(&query.to) {
        return Err(format!("it leads from {:?} to {:?}", locations.first(), locations.last()));
    }
    let steps = locations.windows(2).map(|step| judge_step(scene, step[0], step[1], radius));
    let length = steps.sum::<Result<f64, String>>()?;
    let told = length_millionths as f64 / 1e6;
    let is_right = (length - told).abs() <= TOLERANCE * locations.len() as f64;
    is_right.then_some(()).ok_or(format!("it is {length} units long, not {told}"))
}

/// How long a step is.
fn judge_step(
    scene: &ValidScene,
    from: Location,
    to: Location,
    radius: f64,
) -> Result<f64, String> {
    let length = from.at.distance(to.at);
    if from.level == to.level {
        let is_clear = scene.is_clear(from.at, to.at, from.level, radius);
        return is_clear.then_some(length).ok_or(format!(
            "something is between {} and {} of level {}",
            from.at, to.at, to.level
        ));
    }
    let is_at = |side: &GateSide, location: Location| {
        side.at == location.at && side.level == location.level
    };
    let joins = |[a, b]: &[GateSide; 2]| is_at(a, from) && is_at(b, to);
    let is_stairs = scene.gates().iter().any(|gate| {
        let [a, b] = gate.sides;
        gate.kind == GateKind::Stairs && (joins(&[a, b]) || joins(&[b, a]))
    });
    let climb = STAIRS_LENGTH * f64::from(from.level.0.abs_diff(to.level.0));
    is_stairs.then_some(length + climb).ok_or(format!("no stairs from {from:?} to {to:?}"))
}
