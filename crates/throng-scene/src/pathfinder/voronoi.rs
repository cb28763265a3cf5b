//! Voronoi zones of interest points (VZ), and the paper's two remedies for them (VZ+).
//!
//! Lanctot, Ng Man Sun, Verbrugge (2006): waypoints are the midpoints of the edges of the
//! interest points' Delaunay triangulation. The paper finds that such zones ignore walls and
//! names two remedies. First, zones constrained by the map: here regions stay within the scene's
//! zones, gates are waypoints too, and the other waypoints lie along the borders of regions where
//! a body fits. Second, precomputed cross-zone paths.

use crate::{GateKind, Ghost, GhostNode, Point, ValidScene, ZoneId};
use spade::{DelaunayTriangulation, Point2, Triangulation};

use super::edge_builder::EdgeBuilder;
use super::lattice::{location, stand};
use super::partition::{Partition, Site};
use super::waypoint_layer::{add_gates, waypoint};
use super::waypoints::{EdgeRule, Waypoints};
use super::{Location, Sample};

/// Distance between the points of a border that are tested, in units.
const BORDER_STEP: f64 = 0.5;
/// Length of a border per waypoint, in units.
const BORDER_SPACING: f64 = 3.0;

/// The plain zones: they ignore walls.
pub(crate) fn plain(ghost: &Ghost<'_>, sites: Vec<Location>) -> (Waypoints, Partition) {
    let regions = Partition { sites: with_zones(ghost, sites), within_zones: false };
    let mut graph = Waypoints::with_regions(regions.count(ghost.scene()));
    add_gates(ghost, &mut graph, &regions, &[GateKind::Stairs]);
    for level in ghost.scene().levels() {
        for (a, b) in neighbours(&regions.sites, |site| site.location.level == level) {
            let [p, q] = [a, b].map(|site| regions.sites[site as usize].location.at);
            let middle = Location::new(p.midpoint(q), level);
            graph.add(waypoint(ghost, middle, None, [a, b]));
        }
    }
    (graph, regions)
}

/// The constrained zones with precomputed paths.
pub(crate) fn plus(
    builder: &mut EdgeBuilder<'_, '_>,
    sites: Vec<Location>,
) -> (Waypoints, Partition) {
    let ghost = builder.ghost();
    let regions = Partition { sites: with_zones(&ghost, sites), within_zones: true };
    let mut graph = Waypoints::with_regions(regions.count(ghost.scene()));
    add_gates(&ghost, &mut graph, &regions, &[GateKind::Door, GateKind::Stairs]);
    for zone in (0..).zip(ghost.scene().zones()).map(|(number, _)| ZoneId(number)) {
        let inside = |site: &Site| site.zone == zone;
        let sites: Vec<Location> =
            regions.sites.iter().filter(|site| inside(site)).map(|site| site.location).collect();
        for (a, b) in neighbours(&regions.sites, inside) {
            let ends = [a, b].map(|site| regions.sites[site as usize].location);
            for location in border_waypoints(builder, &sites, ends, zone) {
                graph.add(waypoint(&ghost, location, Some(zone), [a, b]));
            }
        }
    }
    join_regions(builder, &mut graph);
    (graph, regions)
}

/// Waypoints on the border of two sites' regions: in the middle of every stretch of it where the
/// body fits; long stretches have several.
fn border_waypoints(
    builder: &mut EdgeBuilder<'_, '_>,
    sites: &[Location],
    ends: [Location; 2],
    zone: ZoneId,
) -> Vec<Location> {
    let ghost = builder.ghost();
    let sides = ends.map(|end| stand(&ghost, end, Some(zone)));
    let border = border(ghost.scene(), sites, ends);
    let nodes: Vec<Option<GhostNode>> =
        border.into_iter().map(|location| stand(&ghost, location?, Some(zone))).collect();
    let mut chosen_locations = Vec::new();
    for open in nodes.split(Option::is_none) {
        let count = (open.len() as f64 * BORDER_STEP / BORDER_SPACING).ceil() as usize;
        let chosen =
            (0..count).filter_map(|number| open[(2 * number + 1) * open.len() / (2 * count)]);
        for node in chosen {
            // Not in a corner that is near only in a straight line. The lattice node of a site at a
            // door may lie beyond the door; such a site is not tested.
            let mut is_near = |side: Option<GhostNode>| {
                side.is_none_or(|side| builder.path(side, node).is_some())
            };
            if sides.into_iter().all(&mut is_near) {
                chosen_locations.push(location(&ghost, node));
            }
        }
    }
    chosen_locations
}

/// Points along the bisector of two sites, across the whole map; `None` where it is off the map
/// or a third site is nearer.
fn border(
    scene: &ValidScene,
    sites: &[Location],
    [from, to]: [Location; 2],
) -> Vec<Option<Location>> {
    let middle = from.at.midpoint(to.at);
    let apart = from.at.distance(to.at);
    let (dx, dy) = ((from.at.y - to.at.y) / apart, (to.at.x - from.at.x) / apart);
    // The sides of a map are limited.
    let reach = ((scene.width() + scene.height()) / BORDER_STEP) as i32;
    let locations = (-reach..=reach).map(|number| {
        let along = f64::from(number) * BORDER_STEP;
        let at = Point::new(middle.x + dx * along, middle.y + dy * along);
        let own = at.distance_squared(from.at).max(at.distance_squared(to.at));
        let is_nearer =
            |site: &Location| *site != from && *site != to && at.distance_squared(site.at) < own;
        let is_border = scene.bounds().contains(at) && !sites.iter().any(is_nearer);
        is_border.then_some(Location::new(at, from.level))
    });
    locations.collect()
}

/// Computes the paths between all waypoints of every region.
fn join_regions(builder: &mut EdgeBuilder<'_, '_>, graph: &mut Waypoints) {
    for region in 0..graph.members.len() {
        graph.is_open[region] = false;
        let members = graph.members[region].clone();
        for (number, &a) in members.iter().enumerate() {
            for &b in &members[number + 1..] {
                builder.join(graph, a, b, EdgeRule::LatticePath);
            }
        }
    }
}

fn with_zones(ghost: &Ghost<'_>, locations: Vec<Location>) -> Vec<Site> {
    let zone = |location: Location| ghost.scene().zone_of(location.at, location.level);
    locations
        .into_iter()
        .filter_map(|location| Some(Site { location, zone: zone(location)? }))
        .collect()
}

/// The pairs of selected sites that a Delaunay triangulation joins.
pub(crate) fn neighbours(sites: &[Site], rule: impl Fn(&Site) -> bool) -> Vec<(u32, u32)> {
    let mut triangulation = DelaunayTriangulation::<Point2<f64>>::new();
    let mut numbers = Vec::new();
    for (site, number) in sites.iter().zip(0_u32..).filter(|(site, _)| rule(site)) {
        let at = site.location.at;
        // Sites are on the map and a spread apart: none is refused or a duplicate.
        let vertex = triangulation.insert(Point2::new(at.x, at.y));
        if vertex.is_ok_and(|vertex| vertex.index() == numbers.len()) {
            numbers.push(number);
        }
    }
    let mut pairs: Vec<(u32, u32)> = triangulation
        .undirected_edges()
        .map(|edge| edge.vertices().map(|vertex| numbers[vertex.fix().index()]))
        .map(|[a, b]| (a.min(b), a.max(b)))
        .collect();
    pairs.sort_unstable();
    pairs
}

/// The most visited locations of the samples where a body fits.
pub(crate) fn sites(
    ghost: &Ghost<'_>,
    samples: &[Sample],
    spread: f64,
    count: usize,
) -> Vec<Location> {
    let can_stand = |location: Location| {
        location.check(ghost.scene()).is_ok() && ghost.is_free(location.at, location.level)
    };
    super::most_visited::most_visited(samples, spread, count, can_stand)
}
