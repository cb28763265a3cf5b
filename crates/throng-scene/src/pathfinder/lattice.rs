//! The ghost's lattice: keys, distances, and the places where waypoints can stand.

use crate::{
    GateKind, Ghost, GhostMove, GhostNode, Point, STAIRS_LENGTH, ZoneId, length_millionths,
};

use super::Place;

/// A place of the lattice as one number.
pub(crate) fn key(node: GhostNode) -> u64 {
    // A side is at most 10,000 units of at most 1,024 steps each: 24 bits.
    let bits = |value: i32| u64::from(value.cast_unsigned() & 0x0fff_ffff);
    u64::from(node.level.0) << 56 | bits(node.y) << 28 | bits(node.x)
}

/// Where a place of the lattice is.
pub(crate) fn place(ghost: &Ghost<'_>, node: GhostNode) -> Place {
    Place::new(ghost.point(node), node.level)
}

/// The paper's "diagonal distance", and the stairs between the levels, in millionths.
///
/// On a lattice of one width it never overestimates. Where the width changes, or where the
/// last step is straight, a step may be up to 8.3 % shorter than it says, so a path is at
/// most that much longer than the shortest of the lattice.
pub(crate) fn diagonal_distance(from: Place, to: Place) -> u64 {
    let (dx, dy) = ((from.at.x - to.at.x).abs(), (from.at.y - to.at.y).abs());
    let flat = dx.max(dy) + (std::f64::consts::SQRT_2 - 1.0) * dx.min(dy);
    let levels = f64::from(from.level.0.abs_diff(to.level.0));
    // Rounded down, so that rounding never makes it too long.
    ((flat + STAIRS_LENGTH * levels) * 1e6) as u64
}

/// The straight distance in millionths.
pub(crate) fn straight_distance(from: Point, to: Point) -> u64 {
    length_millionths(from.distance(to))
}

/// How far from a place of the lattice a goal may be for the last straight step.
pub(crate) fn reach(ghost: &Ghost<'_>) -> f64 {
    2.0 * f64::from(ghost.options().stride_max) * ghost.options().step
}

/// Where a waypoint near a place stands on the lattice; with a zone, only in that.
pub(crate) fn stand(ghost: &Ghost<'_>, near: Place, zone: Option<ZoneId>) -> Option<GhostNode> {
    let node = ghost.snap(near.at, near.level)?;
    (zone.is_none() || ghost.zone(node) == zone).then_some(node)
}

/// The places passed on the way along lattice places, the first one left out: the lattice
/// places, and both ends of the stairs between levels.
pub(crate) fn places(ghost: &Ghost<'_>, steps: &[GhostMove]) -> Vec<Place> {
    let mut places = Vec::with_capacity(steps.len());
    for step in steps.windows(2) {
        if let &[GhostMove { to: from, .. }, GhostMove { to, .. }] = step {
            if from.level != to.level {
                places.extend(stairs(ghost, from, to).into_iter().flatten());
            }
            places.push(place(ghost, to));
        }
    }
    places
}

/// Both ends of the shortest stairs that take a ghost from a place to another.
fn stairs(ghost: &Ghost<'_>, from: GhostNode, to: GhostNode) -> Option<[Place; 2]> {
    let (scene, at) = (ghost.scene(), ghost.point(from));
    let zone = ghost.zone(from)?;
    let reach = f64::from(ghost.stride(zone)) * ghost.options().step;
    let gates = scene.gates_of(zone).iter().filter_map(|id| scene.gate(*id));
    let stairs = gates.filter(|gate| gate.kind == GateKind::Stairs).filter_map(|gate| {
        let (near, far) = gate.from_zone(zone)?;
        let distance = at.distance(near.at);
        let usable = distance <= reach
            && ghost.can_step(at, near.at, near.level)
            && ghost.snap(far.at, far.level) == Some(to);
        let length = distance + gate.length() + far.at.distance(ghost.point(to));
        usable.then_some((length, [near, far].map(|side| Place::new(side.at, side.level))))
    });
    stairs.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, sides)| sides)
}
