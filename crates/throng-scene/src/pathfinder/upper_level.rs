//! The level above the lattice as plain data: what pictures and tools show of a pathfinder.

use crate::{Point, ValidScene, ZoneId};

use super::Location;
use super::lattice::locations;
use super::partition::{Partition, Site};
use super::voronoi::neighbours;
use super::waypoint_layer::WaypointLayer;
use super::waypoints::{Edge, Via};

/// Distance between the points at which a border is tested for the zone it is in, in units.
const BORDER_PIECE: f64 = 0.05;

/// The level above the lattice: waypoints, the paths between them, and Voronoi zones. It is
/// empty for [`crate::Method::Gr`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UpperLevel {
    /// Every waypoint: both sides of gates, roadmap points, points on borders of Voronoi zones.
    pub waypoints: Vec<Location>,
    /// The passages between waypoints, each once. Where none is known, a path is searched at grid
    /// level.
    pub passages: Vec<Passage>,
    /// The interest points: centres of Voronoi zones.
    pub sites: Vec<Location>,
    /// The borders between Voronoi zones, as straight lines.
    pub borders: Vec<[Location; 2]>,
}

/// A passage between two waypoints.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// How it is walked.
    pub kind: PassageKind,
    /// The locations from one waypoint to the other, both included.
    pub locations: Vec<Location>,
}

/// How a passage is walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassageKind {
    /// Through a gate, searched at grid level.
    Gate,
    /// Between two points that see each other, searched at grid level.
    Visible,
    /// In a straight line that is free.
    Straight,
    /// Along a path that was computed before any query.
    Known,
}

impl UpperLevel {
    pub(super) fn of(ghost: &crate::Ghost<'_>, layer: &WaypointLayer) -> Self {
        let graph = &layer.graph;
        let ends = |from: usize, to: u32| [graph.waypoints[from].location, graph.location(to)];
        let passage = |from: usize, edge: &Edge| {
            let [start, end] = ends(from, edge.to);
            let kind = match &edge.via {
                Via::Gate => PassageKind::Gate,
                Via::Visible => PassageKind::Visible,
                Via::Straight => PassageKind::Straight,
                Via::Known(path) => {
                    let mut all = vec![start];
                    all.extend(locations(ghost, &path.steps));
                    return Some(Passage { kind: PassageKind::Known, locations: all });
                }
                Via::Closed => return None,
            };
            Some(Passage { kind, locations: vec![start, end] })
        };
        let edges = graph.edges.iter().enumerate().flat_map(|(from, edges)| {
            let once = edges.iter().filter(move |edge| (edge.to as usize) > from);
            once.filter(|edge| !edge.is_stale).filter_map(move |edge| passage(from, edge))
        });
        Self {
            waypoints: graph.waypoints.iter().map(|waypoint| waypoint.location).collect(),
            passages: edges.collect(),
            sites: layer.regions.sites.iter().map(|site| site.location).collect(),
            borders: borders(ghost.scene(), &layer.regions),
        }
    }
}

/// The borders between the Voronoi zones of all levels, or of all zones.
fn borders(scene: &ValidScene, regions: &Partition) -> Vec<[Location; 2]> {
    match regions.within_zones {
        true => (0..scene.zones().len() as u32)
            .flat_map(|zone| {
                let zone = ZoneId(zone);
                let lines = lines(scene, &regions.sites, |site| site.zone == zone);
                lines.into_iter().flat_map(move |line| within(scene, zone, line))
            })
            .collect(),
        false => scene
            .levels()
            .flat_map(|level| lines(scene, &regions.sites, |site| site.location.level == level))
            .collect(),
    }
}

/// The borders between some sites: the part of each bisector where no third site is nearer.
fn lines(
    scene: &ValidScene,
    sites: &[Site],
    rule: impl Fn(&Site) -> bool + Copy,
) -> Vec<[Location; 2]> {
    let all: Vec<Point> = sites.iter().filter(|s| rule(s)).map(|s| s.location.at).collect();
    let pairs = neighbours(sites, rule).into_iter();
    let line = |(a, b): (u32, u32)| {
        let [a, b] = [a, b].map(|site| sites[site as usize].location);
        let ends = bisector(scene, &all, a.at, b.at)?;
        Some(ends.map(|at| Location::new(at, a.level)))
    };
    pairs.filter_map(line).collect()
}

/// The part of the bisector of two points that is on the map and nearer to them than to all
/// others.
fn bisector(scene: &ValidScene, others: &[Point], a: Point, b: Point) -> Option<[Point; 2]> {
    let middle = a.midpoint(b);
    let (dx, dy) = (a.y - b.y, b.x - a.x);
    let (mut from, mut to) = (f64::NEG_INFINITY, f64::INFINITY);
    // Keeps the part where `at + share * slope` is not negative.
    let mut keep = |at: f64, slope: f64| {
        if slope > 0.0 {
            from = from.max(-at / slope);
        } else if slope < 0.0 {
            to = to.min(-at / slope);
        } else if at < 0.0 {
            to = f64::NEG_INFINITY;
        }
    };
    keep(middle.x, dx);
    keep(scene.width() - middle.x, -dx);
    keep(middle.y, dy);
    keep(scene.height() - middle.y, -dy);
    for other in others.iter().filter(|other| **other != a && **other != b) {
        let at = middle.distance_squared(*other) - middle.distance_squared(a);
        keep(at, 2.0 * (dx * (a.x - other.x) + dy * (a.y - other.y)));
    }
    let point = |share: f64| Point::new(middle.x + dx * share, middle.y + dy * share);
    (from < to).then(|| [point(from), point(to)])
}

/// The parts of a line that are in a zone.
fn within(scene: &ValidScene, zone: ZoneId, [from, to]: [Location; 2]) -> Vec<[Location; 2]> {
    let pieces = (from.at.distance(to.at) / BORDER_PIECE).ceil().max(1.0) as u32;
    let at = |piece: f64| {
        let share = piece / f64::from(pieces);
        let between = |a: f64, b: f64| a + (b - a) * share;
        Point::new(between(from.at.x, to.at.x), between(from.at.y, to.at.y))
    };
    let is_inside =
        |piece: &u32| scene.zone_of(at(f64::from(*piece) + 0.5), from.level) == Some(zone);
    let inside: Vec<u32> = (0..pieces).filter(is_inside).collect();
    let parts = inside.chunk_by(|a, b| a + 1 == *b);
    let ends = parts.filter_map(|part| Some([*part.first()?, *part.last()? + 1]));
    ends.map(|ends| ends.map(|end| Location::new(at(f64::from(end)), from.level))).collect()
}
