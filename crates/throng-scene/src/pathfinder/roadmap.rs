//! The roadmap of where players walk, a layer between zones and lattice: as the paper has it (RD),
//! and with known paths (RD+).
//!
//! Lanctot, Ng Man Sun, Verbrugge (2006): visibility checks between the most commonly
//! occurring sample points; the roadmap is attached to the exit waypoints of all buildings.
//! After Kavraki, Svestka, Latombe, Overmars: *Probabilistic Roadmaps for Path Planning in
//! High-Dimensional Configuration Spaces* (1996).

use std::collections::BTreeSet;

use crate::{GateKind, Ghost, ZoneId};

use super::Location;
use super::edge_builder::EdgeBuilder;
use super::lattice::stand;
use super::partition::Partition;
use super::waypoint_layer::{add_gates, waypoint};
use super::waypoint_search::Near;
use super::waypoints::{EdgeRule, Via, Waypoints};

/// A zone with fewer points needs no roadmap.
const POINTS_MIN: usize = 4;
/// Nearest waypoints of the same zone to which each waypoint is connected, if visible.
const NEIGHBOURS: usize = 12;
/// The same without known paths, where a visibility check is all that an edge costs. It bounds the
/// work on large scenes; the paper's map has fewer points, so all that see each other are joined.
const NEIGHBOURS_IN_SIGHT: usize = 200;
/// Nearest waypoints that are examined from an end of the path; most visible and most hidden
/// ones that are then used.
const LOOKED_AT: usize = 16;
const SEEN: usize = 6;
const UNSEEN: usize = 4;
/// Nearest waypoints that are joined to a gate even if that takes a detour.
const AROUND_GATES: usize = 4;

/// How the members of a region are joined; the last argument lists the gates among them.
type Join = fn(&mut EdgeBuilder<'_, '_>, &mut Waypoints, u32, &[u32]);

/// The paper's roadmap (RD): points and gates are joined where they see each other.
pub(crate) fn visible(
    builder: &mut EdgeBuilder<'_, '_>,
    points: &[Location],
) -> (Waypoints, Partition) {
    build(builder, points, join_visible)
}

/// The roadmap with known paths (RD+).
pub(crate) fn plus(
    builder: &mut EdgeBuilder<'_, '_>,
    points: &[Location],
) -> (Waypoints, Partition) {
    build(builder, points, join_all)
}

/// A roadmap over points, in the zones with enough of them, joined to all gates.
fn build(
    builder: &mut EdgeBuilder<'_, '_>,
    points: &[Location],
    join: Join,
) -> (Waypoints, Partition) {
    let ghost = builder.ghost();
    let regions = Partition { sites: Vec::new(), within_zones: true };
    let mut graph = Waypoints::with_regions(regions.count(ghost.scene()));
    add_gates(&ghost, &mut graph, &regions, &[GateKind::Door, GateKind::Stairs]);
    let zone = |location: &Location| ghost.scene().zone_of(location.at, location.level);
    for zone_id in (0..).zip(ghost.scene().zones()).map(|(number, _)| ZoneId(number)) {
        let inside: Vec<&Location> = points.iter().filter(|p| zone(p) == Some(zone_id)).collect();
        if inside.len() < POINTS_MIN {
            continue;
        }
        graph.is_open[zone_id.index()] = false;
        let gates = graph.members(zone_id.0).to_vec();
        for location in inside.into_iter().filter(|p| stand(&ghost, **p, Some(zone_id)).is_some()) {
            graph.add(waypoint(&ghost, *location, Some(zone_id), [zone_id.0; 2]));
        }
        join(builder, &mut graph, zone_id.0, &gates);
    }
    (graph, regions)
}

fn join_visible(
    builder: &mut EdgeBuilder<'_, '_>,
    graph: &mut Waypoints,
    region: u32,
    _gates: &[u32],
) {
    for (_, a, b) in near_pairs(graph, region, NEIGHBOURS_IN_SIGHT) {
        builder.join(graph, a, b, EdgeRule::Visible);
    }
}

/// Joins waypoints that see each other. Gates, and parts that would be disconnected, are also
/// joined by detours.
fn join_all(builder: &mut EdgeBuilder<'_, '_>, graph: &mut Waypoints, region: u32, gates: &[u32]) {
    let pairs = near_pairs(graph, region, NEIGHBOURS);
    for &gate in gates {
        for (to, _) in nearest(graph, region, graph.location(gate), AROUND_GATES + 1) {
            if to != gate {
                builder.join(graph, gate, to, EdgeRule::StraightOrAround);
            }
        }
    }
    let mut parts: Vec<u32> = (0..graph.waypoints.len() as u32).collect();
    for &(_, a, b) in &pairs {
        if !is_joined(graph, a, b) {
            builder.join(graph, a, b, EdgeRule::Straight);
        }
        if is_joined(graph, a, b) {
            unite(&mut parts, a, b);
        }
    }
    for &(_, a, b) in &pairs {
        if part(&parts, a) != part(&parts, b) {
            builder.join(graph, a, b, EdgeRule::StraightOrAround);
            if is_joined(graph, a, b) {
                unite(&mut parts, a, b);
            }
        }
    }
}

fn is_joined(graph: &Waypoints, a: u32, b: u32) -> bool {
    [(a, b), (b, a)]
        .into_iter()
        .all(|(from, to)| graph.edge(from, to).is_some_and(|edge| edge.via != Via::Closed))
}

fn part(parts: &[u32], mut of: u32) -> u32 {
    while parts[of as usize] != of {
        of = parts[of as usize];
    }
    of
}

fn unite(parts: &mut [u32], a: u32, b: u32) {
    let (a, b) = (part(parts, a), part(parts, b));
    parts[a.max(b) as usize] = a.min(b);
}

/// Every waypoint of a region paired with its `count` nearest ones, the nearest pairs first.
fn near_pairs(graph: &Waypoints, region: u32, count: usize) -> Vec<(u64, u32, u32)> {
    let mut pairs = BTreeSet::new();
    for &from in graph.members(region) {
        for (to, length) in nearest(graph, region, graph.location(from), count + 1) {
            if to != from {
                pairs.insert((length, from.min(to), from.max(to)));
            }
        }
    }
    pairs.into_iter().collect()
}

/// The waypoints of a region nearest to a location, with their straight distances.
fn nearest(graph: &Waypoints, region: u32, to: Location, count: usize) -> Vec<Near> {
    let distance =
        |waypoint: u32| crate::length_millionths(graph.location(waypoint).at.distance(to.at));
    let mut members: Vec<Near> =
        graph.members(region).iter().map(|&waypoint| (waypoint, distance(waypoint))).collect();
    members.sort_unstable_by_key(|&(waypoint, length)| (length, waypoint));
    members.truncate(count);
    members
}

/// Where the roadmap can be entered from a location: the nearest visible waypoints and, at a
/// penalty of half their distance, the nearest hidden ones.
pub(crate) fn entries(
    ghost: &Ghost<'_>,
    graph: &Waypoints,
    region: u32,
    from: Location,
) -> Vec<Near> {
    let near = nearest(graph, region, from, LOOKED_AT);
    let is_seen = |near: &Near| ghost.can_step(from.at, graph.location(near.0).at, from.level);
    let (mut seen, mut unseen): (Vec<Near>, Vec<Near>) = near.into_iter().partition(is_seen);
    seen.truncate(SEEN);
    unseen.truncate(UNSEEN);
    seen.extend(unseen.into_iter().map(|(waypoint, length)| (waypoint, length + length / 2)));
    seen
}
