//! Voronoi zones of interest points (VZ), and what makes them good (VZ+).
//!
//! Lanctot, Ng Man Sun, Verbrugge (2006): waypoints are the midpoints of the edges of the
//! interest points' Delaunay triangulation. The paper finds that such zones ignore walls and
//! names two remedies, which are VZ+: zones constrained by the map (here: cells keep to the
//! scene's zones, whose gates are waypoints, too, and a blocked midpoint moves along its edge
//! or the edge goes), and cross-zone paths that are known beforehand.

use spade::{DelaunayTriangulation, Point2, Triangulation};
use throng_scene::{GateKind, Ghost, Point, ZoneId};

use super::cells::{Cells, Site};
use super::crossings::Surveyor;
use super::lattice::{place, stand};
use super::layer::{add_gates, waypoint};
use super::waypoints::{Wanted, Waypoints};
use super::{Place, Sample};

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
        for (a, b) in neighbours(&cells.sites, |site| site.zone == zone) {
            let ends = [a, b].map(|site| cells.sites[site as usize].place);
            if let Some(middle) = passable_middle(surveyor, ends, zone) {
                graph.add(waypoint(&ghost, middle, Some(zone), [a, b]));
            }
        }
    }
    survey_cells(surveyor, &mut graph);
    (graph, cells)
}

/// The edge's midpoint or, where the body cannot pass, the nearest point of the edge where it
/// can; `None` when the edge cannot be walked.
fn passable_middle(
    surveyor: &mut Surveyor<'_, '_>,
    ends: [Place; 2],
    zone: ZoneId,
) -> Option<Place> {
    let ghost = surveyor.ghost();
    let [from, to] = ends;
    let [start, end] = ends.map(|end| stand(&ghost, end, Some(zone)));
    let (start, end) = (start?, end?);
    // A tenth of the edge at a time to either side, but not to its ends.
    for tenths in [5.0, 4.0, 6.0, 3.0, 7.0, 2.0, 8.0] {
        let share = tenths / 10.0;
        let x = from.at.x + (to.at.x - from.at.x) * share;
        let at = Point::new(x, from.at.y + (to.at.y - from.at.y) * share);
        let Some(node) = stand(&ghost, Place::new(at, from.level), Some(zone)) else { continue };
        if surveyor.way(start, node).is_some() && surveyor.way(node, end).is_some() {
            return Some(place(&ghost, node));
        }
    }
    None
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
