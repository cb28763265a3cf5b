//! The ghost's lattice: keys, distances, and the nodes of waypoints.

use crate::{
    GateKind, Ghost, GhostMove, GhostNode, Point, STAIRS_LENGTH, ZoneId, length_millionths,
};

use super::Location;

/// A lattice node as one number.
pub(crate) fn key(node: GhostNode) -> u64 {
    // A side is at most 10,000 units of at most 1,024 steps each: 24 bits.
    let bits = |value: i32| u64::from(value.cast_unsigned() & 0x0fff_ffff);
    u64::from(node.level.0) << 56 | bits(node.y) << 28 | bits(node.x)
}

/// The location of a lattice node.
pub(crate) fn location(ghost: &Ghost<'_>, node: GhostNode) -> Location {
    Location::new(ghost.point(node), node.level)
}

/// The paper's "diagonal distance", plus the stairs between the levels, in millionths.
///
/// It is admissible on a lattice of one step size. Where the step size changes, or where the
/// last step is straight, it can overestimate a step by up to 8.3%, so a path is at most that
/// much longer than the shortest on the lattice.
pub(crate) fn diagonal_distance(from: Location, to: Location) -> u64 {
    let (dx, dy) = ((from.at.x - to.at.x).abs(), (from.at.y - to.at.y).abs());
    let flat = dx.max(dy) + (std::f64::consts::SQRT_2 - 1.0) * dx.min(dy);
    let levels = f64::from(from.level.0.abs_diff(to.level.0));
    // Rounded down, so that rounding never makes it inadmissible.
    ((flat + STAIRS_LENGTH * levels) * 1e6) as u64
}

/// The straight distance in millionths.
pub(crate) fn straight_distance(from: Point, to: Point) -> u64 {
    length_millionths(from.distance(to))
}

/// How far from a lattice node a goal may be for the last straight step, in units.
pub(crate) fn reach(ghost: &Ghost<'_>) -> f64 {
    2.0 * f64::from(ghost.options().stride_max) * ghost.options().step
}

/// The lattice node of a waypoint near a location; with a zone, only a node in that zone.
pub(crate) fn stand(ghost: &Ghost<'_>, near: Location, zone: Option<ZoneId>) -> Option<GhostNode> {
    let node = ghost.snap(near.at, near.level)?;
    (zone.is_none() || ghost.zone(node) == zone).then_some(node)
}

/// The locations along a lattice path without its first node, with both ends of the stairs
/// between levels.
pub(crate) fn locations(ghost: &Ghost<'_>, steps: &[GhostMove]) -> Vec<Location> {
    let mut locations = Vec::with_capacity(steps.len());
    for step in steps.windows(2) {
        if let &[GhostMove { to: from, .. }, GhostMove { to, .. }] = step {
            if from.level != to.level {
                locations.extend(stairs(ghost, from, to).into_iter().flatten());
            }
            locations.push(location(ghost, to));
        }
    }
    locations
}

/// Both ends of the shortest stairs between two nodes.
fn stairs(ghost: &Ghost<'_>, from: GhostNode, to: GhostNode) -> Option<[Location; 2]> {
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
        usable.then_some((length, [near, far].map(|side| Location::new(side.at, side.level))))
    });
    stairs.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, sides)| sides)
}
