//! The layer above the lattice: which waypoints lead from one location to another.

use crate::{GateKind, Ghost, SceneChange, ZoneId};

use super::edge_builder::EdgeBuilder;
use super::lattice::{diagonal_distance, location, stand};
use super::options::{Method, PathfinderOptions};
use super::partition::Partition;
use super::waypoint_search::Near;
use super::waypoints::{Edge, EdgeRule, Via, Waypoint, Waypoints};
use super::{Location, Sample, roadmap, voronoi};

/// The assumed detour of a grid-level path over the straight line, in percent.
const DETOUR_PERCENT: u64 = 15;

/// A layer above the lattice.
#[derive(Clone, Debug)]
pub(crate) struct WaypointLayer {
    pub(crate) graph: Waypoints,
    pub(crate) regions: Partition,
    method: Method,
    blocks_zones: bool,
    /// How far beyond a change a body can be affected by it, in units.
    margin: f64,
}

impl WaypointLayer {
    /// The layer of a method; `None` for grid level only.
    pub(crate) fn build(
        builder: &mut EdgeBuilder<'_, '_>,
        options: &PathfinderOptions,
        samples: &[Sample],
        margin: f64,
    ) -> Option<Self> {
        let ghost = builder.ghost();
        let sites = |spread| voronoi::sites(&ghost, samples, spread, options.points_max);
        let (graph, regions) = match options.method {
            Method::Gr => return None,
            Method::Sz => static_zones(&ghost),
            Method::Rd => roadmap::visible(builder, &sites(options.roadmap_spread)),
            Method::RdPlus => roadmap::plus(builder, &sites(options.roadmap_spread)),
            Method::Vz => voronoi::plain(&ghost, sites(options.interest_spread)),
            Method::VzPlus => voronoi::plus(builder, sites(options.interest_spread)),
        };
        let PathfinderOptions { method, blocks_zones, .. } = *options;
        Some(Self { graph, regions, method, blocks_zones, margin })
    }

    /// Whether zones that were left may be blocked: only where regions stay within zones. A
    /// Voronoi zone that ignores walls may have to be crossed again.
    pub(crate) fn blocks_zones(&self) -> bool {
        self.blocks_zones && self.regions.within_zones
    }

    /// Whether a waypoint may be skipped when the one after it is visible: only where the edges
    /// are known to be walkable.
    pub(crate) fn looks_ahead(&self) -> bool {
        matches!(self.method, Method::RdPlus | Method::VzPlus)
    }

    /// The waypoints through which a location is connected to the layer.
    pub(crate) fn near(&self, ghost: &Ghost<'_>, location: Location) -> Vec<Near> {
        let Some(region) = self.regions.region_of(ghost.scene(), location) else {
            return Vec::new();
        };
        if self.method.has_roadmap() && !self.graph.is_open[region as usize] {
            return roadmap::entries(ghost, &self.graph, region, location);
        }
        let near = |&waypoint: &u32| {
            (waypoint, diagonal_distance(location, self.graph.location(waypoint)))
        };
        self.graph.members(region).iter().map(near).collect()
    }

    /// The assumed length of the path without waypoints. Within one region it is the diagonal
    /// distance; on a roadmap only if the ends see each other, as its points do. Within a zone
    /// with precomputed paths it is somewhat more, so that it is chosen only where those paths make
    /// a detour.
    pub(crate) fn direct(&self, ghost: &Ghost<'_>, from: Location, to: Location) -> Option<u64> {
        let scene = ghost.scene();
        let region = self.regions.region_of(scene, from)?;
        let apart = diagonal_distance(from, to);
        let is_open = !self.method.has_roadmap() || self.graph.is_open[region as usize];
        let is_same = self.regions.region_of(scene, to) == Some(region);
        let is_seen = || self.method == Method::Rd && ghost.can_step(from.at, to.at, from.level);
        if is_same && (is_open || is_seen()) {
            return Some(apart);
        }
        let zone_of = |location: Location| scene.zone_of(location.at, location.level);
        let is_known = self.looks_ahead() && zone_of(from) == zone_of(to);
        is_known.then_some(apart + apart * DETOUR_PERCENT / 100)
    }

    /// Applies an edit: edges that it touched are recomputed when a search reaches them.
    pub(crate) fn apply(&mut self, ghost: &Ghost<'_>, change: &SceneChange) {
        let bounds = change.bounds.grown(self.margin);
        for waypoint in &mut self.graph.waypoints {
            let is_near =
                waypoint.location.level == change.level && bounds.contains(waypoint.location.at);
            if is_near && waypoint.node.is_none() {
                *waypoint =
                    self::waypoint(ghost, waypoint.location, waypoint.zone, waypoint.regions);
            }
        }
        for edge in self.graph.edges.iter_mut().flatten() {
            edge.apply(change, self.margin);
        }
    }
}

/// Static zones (SZ): the scene's zones, joined by their gates.
fn static_zones(ghost: &Ghost<'_>) -> (Waypoints, Partition) {
    let regions = Partition { sites: Vec::new(), within_zones: true };
    let mut graph = Waypoints::with_regions(regions.count(ghost.scene()));
    add_gates(ghost, &mut graph, &regions, &[GateKind::Door, GateKind::Stairs]);
    (graph, regions)
}

/// A waypoint near a location, on a lattice node if the body fits.
pub(crate) fn waypoint(
    ghost: &Ghost<'_>,
    near: Location,
    zone: Option<ZoneId>,
    regions: [u32; 2],
) -> Waypoint {
    let node = stand(ghost, near, zone);
    let location = node.map_or(near, |node| location(ghost, node));
    let zone = zone.or_else(|| ghost.scene().zone_of(location.at, location.level));
    Waypoint { location, node, zone, regions }
}

/// Adds both sides of every gate of the given kinds, joined to each other.
pub(crate) fn add_gates(
    ghost: &Ghost<'_>,
    graph: &mut Waypoints,
    regions: &Partition,
    kinds: &[GateKind],
) {
    for gate in ghost.scene().gates().iter().filter(|gate| kinds.contains(&gate.kind)) {
        let sides = gate.sides.map(|side| {
            let at = Location::new(side.at, side.level);
            let region = regions.region_of(ghost.scene(), at).unwrap_or(u32::MAX);
            let waypoint = waypoint(ghost, at, Some(side.zone), [region; 2]);
            (graph.add(waypoint), at)
        });
        let [(a, p), (b, q)] = sides;
        let bounds = crate::Bounds::of(p.at, q.at);
        let length_millionths = crate::length_millionths(gate.length());
        for (from, to, level) in [(a, b, p.level), (b, a, q.level)] {
            let (via, rule) = (Via::Gate, EdgeRule::LatticePath);
            let edge = Edge { to, length_millionths, via, bounds, level, rule, is_stale: false };
            graph.edges[from as usize].push(edge);
        }
    }
}
