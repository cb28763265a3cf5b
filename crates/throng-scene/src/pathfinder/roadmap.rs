//! The roadmap (RD): where players walk, as a layer between zones and lattice.
//!
//! Lanctot, Ng Man Sun, Verbrugge (2006): visibility checks between the most commonly
//! occurring sample points; the roadmap is attached to the exit waypoints of all buildings.
//! After Kavraki, Svestka, Latombe, Overmars: *Probabilistic Roadmaps for Path Planning in
//! High-Dimensional Configuration Spaces* (1996).

use std::collections::BTreeSet;

use crate::{GateKind, Ghost, ZoneId};

use super::Place;
use super::cells::Cells;
use super::crossings::Surveyor;
use super::lattice::stand;
use super::layer::{add_gates, waypoint};
use super::route::Near;
use super::waypoints::{Via, Wanted, Waypoints};

/// A zone with fewer points needs no roadmap.
const POINTS_MIN: usize = 4;
/// So many nearest waypoints of the same zone are looked at from each.
const NEIGHBOURS: usize = 12;
/// So many nearest waypoints are looked at from an end of the way; so many of those in sight
/// and so many of the others are taken.
const LOOKED_AT: usize = 16;
const SEEN: usize = 6;
const UNSEEN: usize = 4;
/// So many nearest waypoints are joined to a gate even if it takes a way around.
const AROUND_GATES: usize = 4;

/// A roadmap over points, in the zones with enough of them, joined to all gates.
pub(crate) fn build(surveyor: &mut Surveyor<'_, '_>, points: &[Place]) -> (Waypoints, Cells) {
    let ghost = surveyor.ghost();
    let cells = Cells { sites: Vec::new(), zoned: true };
    let mut graph = Waypoints::with_cells(cells.count(ghost.scene()));
    add_gates(&ghost, &mut graph, &cells, &[GateKind::Door, GateKind::Stairs]);
    let zone = |place: &Place| ghost.scene().zone_of(place.at, place.level);
    for zone_id in (0..).zip(ghost.scene().zones()).map(|(number, _)| ZoneId(number)) {
        let inside: Vec<&Place> = points.iter().filter(|p| zone(p) == Some(zone_id)).collect();
        if inside.len() < POINTS_MIN {
            continue;
        }
        graph.is_open[zone_id.index()] = false;
        let gates = graph.members(zone_id.0).to_vec();
        for place in inside.into_iter().filter(|p| stand(&ghost, **p, Some(zone_id)).is_some()) {
            graph.add(waypoint(&ghost, *place, Some(zone_id), [zone_id.0; 2]));
        }
        join_members(surveyor, &mut graph, zone_id.0, &gates);
    }
    (graph, cells)
}

/// Joins what sees each other, and by ways around the gates and what would be cut off
/// otherwise.
fn join_members(surveyor: &mut Surveyor<'_, '_>, graph: &mut Waypoints, cell: u32, gates: &[u32]) {
    let pairs = near_pairs(graph, cell);
    for &gate in gates {
        for (to, _) in nearest(graph, cell, graph.place(gate), AROUND_GATES + 1) {
            if to != gate {
                surveyor.join(graph, gate, to, Wanted::StraightOrAround);
            }
        }
    }
    let mut parts: Vec<u32> = (0..graph.waypoints.len() as u32).collect();
    for &(_, a, b) in &pairs {
        if !is_joined(graph, a, b) {
            surveyor.join(graph, a, b, Wanted::Straight);
        }
        if is_joined(graph, a, b) {
            unite(&mut parts, a, b);
        }
    }
    for &(_, a, b) in &pairs {
        if part(&parts, a) != part(&parts, b) {
            surveyor.join(graph, a, b, Wanted::StraightOrAround);
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

/// Every member of a cell with its nearest ones, the nearest pairs first.
fn near_pairs(graph: &Waypoints, cell: u32) -> Vec<(u64, u32, u32)> {
    let mut pairs = BTreeSet::new();
    for &from in graph.members(cell) {
        for (to, length) in nearest(graph, cell, graph.place(from), NEIGHBOURS + 1) {
            if to != from {
                pairs.insert((length, from.min(to), from.max(to)));
            }
        }
    }
    pairs.into_iter().collect()
}

/// The waypoints of a cell nearest to a place, with their straight distances.
fn nearest(graph: &Waypoints, cell: u32, to: Place, count: usize) -> Vec<Near> {
    let distance =
        |waypoint: u32| crate::length_millionths(graph.place(waypoint).at.distance(to.at));
    let mut members: Vec<Near> =
        graph.members(cell).iter().map(|&waypoint| (waypoint, distance(waypoint))).collect();
    members.sort_unstable_by_key(|&(waypoint, length)| (length, waypoint));
    members.truncate(count);
    members
}

/// Where the roadmap can be entered from a place: the nearest waypoints in sight and, as if
/// they were farther, the nearest out of sight.
pub(crate) fn entries(ghost: &Ghost<'_>, graph: &Waypoints, cell: u32, from: Place) -> Vec<Near> {
    let near = nearest(graph, cell, from, LOOKED_AT);
    let is_seen = |near: &Near| ghost.can_step(from.at, graph.place(near.0).at, from.level);
    let (mut seen, mut unseen): (Vec<Near>, Vec<Near>) = near.into_iter().partition(is_seen);
    seen.truncate(SEEN);
    unseen.truncate(UNSEEN);
    seen.extend(unseen.into_iter().map(|(waypoint, length)| (waypoint, length + length / 2)));
    seen
}
