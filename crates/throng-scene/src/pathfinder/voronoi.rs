//! Voronoi zones of interest points (VZ), and what makes them good (VZ+).
//!
//! Lanctot, Ng Man Sun, Verbrugge (2006): waypoints are the midpoints of the edges of the
//! interest points' Delaunay triangulation. The paper finds that such zones ignore walls and
//! names two remedies, which are VZ+: zones constrained by the map (here: cells keep to the
//! scene's zones, whose gates are waypoints, too, and the other waypoints lie along the cells'
//! borders, wherever a body passes), and cross-zone paths that are known beforehand.

use crate::{GateKind, Ghost, GhostNode, Point, ValidScene, ZoneId};
use spade::{DelaunayTriangulation, Point2, Triangulation};

use super::cells::{Cells, Site};
use super::crossings::Surveyor;
use super::lattice::{place, stand};
use super::layer::{add_gates, waypoint};
use super::waypoints::{Wanted, Waypoints};
use super::{Place, Sample};

/// How far apart the places of a border are that are looked at, in units.
const BORDER_STEP: f64 = 0.5;
/// A stretch of a border so long has one waypoint, in units.
const BORDER_SPACING: f64 = 3.0;

/// The plain zones: they know nothing of walls.
pub(crate) fn plain(ghost: &Ghost<'_>, sites: Vec<Place>) -> (Waypoints, Cells) {
    let cells = Cells { sites: with_zones(ghost, sites), zoned: false };
    let mut graph = Waypoints::with_cells(cells.count(ghost.scene()));
    add_gates(ghost, &mut graph, &cells, &[GateKind::Stairs]);
    for level in ghost.scene().levels() {
        for (a, b) in neighbours(&cells.sites, |site| site.place.level == level) {
            let [p, q] = [a, b].map(|site| cells.sites[site as usize].place.at);
            let middle = Place::new(p.midpoint(q), level);
            graph.add(waypoint(ghost, middle, None, [a, b]));
        }
    }
    (graph, cells)
}

/// The constrained zones with known ways.
pub(crate) fn plus(surveyor: &mut Surveyor<'_, '_>, sites: Vec<Place>) -> (Waypoints, Cells) {
    let ghost = surveyor.ghost();
    let cells = Cells { sites: with_zones(&ghost, sites), zoned: true };
    let mut graph = Waypoints::with_cells(cells.count(ghost.scene()));
    add_gates(&ghost, &mut graph, &cells, &[GateKind::Door, GateKind::Stairs]);
    for zone in (0..).zip(ghost.scene().zones()).map(|(number, _)| ZoneId(number)) {
        let inside = |site: &Site| site.zone == zone;
        let sites: Vec<Place> =
            cells.sites.iter().filter(|site| inside(site)).map(|site| site.place).collect();
        for (a, b) in neighbours(&cells.sites, inside) {
            let ends = [a, b].map(|site| cells.sites[site as usize].place);
            for place in crossings(surveyor, &sites, ends, zone) {
                graph.add(waypoint(&ghost, place, Some(zone), [a, b]));
            }
        }
    }
    survey_cells(surveyor, &mut graph);
    (graph, cells)
}

/// Where a body passes the border of two sites' cells: in the middle of every stretch of it
/// where the body can stand, in long stretches more often.
fn crossings(
    surveyor: &mut Surveyor<'_, '_>,
    sites: &[Place],
    ends: [Place; 2],
    zone: ZoneId,
) -> Vec<Place> {
    let ghost = surveyor.ghost();
    let sides = ends.map(|end| stand(&ghost, end, Some(zone)));
    let border = border(ghost.scene(), sites, ends);
    let nodes: Vec<Option<GhostNode>> =
        border.into_iter().map(|place| stand(&ghost, place?, Some(zone))).collect();
    let mut crossings = Vec::new();
    for open in nodes.split(Option::is_none) {
        let count = (open.len() as f64 * BORDER_STEP / BORDER_SPACING).ceil() as usize;
        let chosen =
            (0..count).filter_map(|number| open[(2 * number + 1) * open.len() / (2 * count)]);
        for node in chosen {
            // Not in a corner that only looks near. A site at a door may have its place on the
            // lattice beyond it, and then says nothing.
            let mut is_near = |side: Option<GhostNode>| {
                side.is_none_or(|side| surveyor.way(side, node).is_some())
            };
            if sides.into_iter().all(&mut is_near) {
                crossings.push(place(&ghost, node));
            }
        }
    }
    crossings
}

/// Places along the line halfway between two sites, from end to end of the map; `None` where
/// it is off the map or a third site is nearer.
fn border(scene: &ValidScene, sites: &[Place], [from, to]: [Place; 2]) -> Vec<Option<Place>> {
    let middle = from.at.midpoint(to.at);
    let apart = from.at.distance(to.at);
    let (dx, dy) = ((from.at.y - to.at.y) / apart, (to.at.x - from.at.x) / apart);
    // A map's sides have a limit.
    let reach = ((scene.width() + scene.height()) / BORDER_STEP) as i32;
    let places = (-reach..=reach).map(|number| {
        let along = f64::from(number) * BORDER_STEP;
        let at = Point::new(middle.x + dx * along, middle.y + dy * along);
        let own = at.distance_squared(from.at).max(at.distance_squared(to.at));
        let is_nearer =
            |site: &Place| *site != from && *site != to && at.distance_squared(site.at) < own;
        let is_border = scene.bounds().contains(at) && !sites.iter().any(is_nearer);
        is_border.then_some(Place::new(at, from.level))
    });
    places.collect()
}

/// Finds the ways between all waypoints of every cell.
fn survey_cells(surveyor: &mut Surveyor<'_, '_>, graph: &mut Waypoints) {
    for cell in 0..graph.members.len() {
        graph.is_open[cell] = false;
        let members = graph.members[cell].clone();
        for (number, &a) in members.iter().enumerate() {
            for &b in &members[number + 1..] {
                surveyor.join(graph, a, b, Wanted::Way);
            }
        }
    }
}

fn with_zones(ghost: &Ghost<'_>, places: Vec<Place>) -> Vec<Site> {
    let zone = |place: Place| ghost.scene().zone_of(place.at, place.level);
    places.into_iter().filter_map(|place| Some(Site { place, zone: zone(place)? })).collect()
}

/// The pairs of sites, of those wanted, that a Delaunay triangulation joins.
fn neighbours(sites: &[Site], wanted: impl Fn(&Site) -> bool) -> Vec<(u32, u32)> {
    let mut triangulation = DelaunayTriangulation::<Point2<f64>>::new();
    let mut numbers = Vec::new();
    for (site, number) in sites.iter().zip(0_u32..).filter(|(site, _)| wanted(site)) {
        let at = site.place.at;
        // Sites are on the map and a spread apart: none is refused or the same as another.
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

/// The samples' commonest places, where a body can stand.
pub(crate) fn sites(
    ghost: &Ghost<'_>,
    samples: &[Sample],
    spread: f64,
    count: usize,
) -> Vec<Place> {
    let can_stand =
        |place: Place| place.check(ghost.scene()).is_ok() && ghost.is_free(place.at, place.level);
    super::commonest::commonest(samples, spread, count, can_stand)
}
