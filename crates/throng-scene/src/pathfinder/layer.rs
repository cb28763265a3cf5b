//! The layer above the lattice: which waypoints lead from a place to another.

use crate::{GateKind, Ghost, SceneChange, ValidScene, ZoneId};

use super::cells::Cells;
use super::crossings::Surveyor;
use super::lattice::{diagonal_distance, place, stand};
use super::options::{Method, SceneOptions};
use super::route::Near;
use super::waypoints::{Edge, Via, Wanted, Waypoint, Waypoints};
use super::{Place, Sample, roadmap, voronoi};

/// What a way at grid level is taken to be longer than straight, in percent.
const DETOUR_PERCENT: u64 = 15;

/// A layer above the lattice.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    pub(crate) graph: Waypoints,
    pub(crate) cells: Cells,
    method: Method,
    /// How far beyond a change a body feels it.
    margin: f64,
}

impl Layer {
    /// The layer of a method; none for grid level only.
    pub(crate) fn build(
        surveyor: &mut Surveyor<'_, '_>,
        options: &SceneOptions,
        samples: &[Sample],
        margin: f64,
    ) -> Option<Self> {
        let ghost = surveyor.ghost();
        let sites = |spread| voronoi::sites(&ghost, samples, spread, options.points_max);
        let (graph, cells) = match options.method {
            Method::Gr => return None,
            Method::Sz => static_zones(&ghost),
            Method::Rd => roadmap::build(surveyor, &sites(options.roadmap_spread)),
            Method::Vz => voronoi::plain(&ghost, sites(options.interest_spread)),
            Method::VzPlus => voronoi::plus(surveyor, sites(options.interest_spread)),
        };
        Some(Self { graph, cells, method: options.method, margin })
    }

    /// Whether zones left behind may be blocked: only where cells keep to zones. A Voronoi
    /// cell that ignores walls may have to be crossed again.
    pub(crate) fn blocks_zones(&self) -> bool {
        self.cells.zoned
    }

    /// Whether a waypoint may be passed by when the one after it is in sight: where edges are
    /// known to lead there.
    pub(crate) fn looks_ahead(&self) -> bool {
        matches!(self.method, Method::Rd | Method::VzPlus)
    }

    /// The waypoints by which a place is joined to the layer.
    pub(crate) fn near(&self, ghost: &Ghost<'_>, place: Place) -> Vec<Near> {
        let Some(cell) = self.cells.cell_of(ghost.scene(), place) else { return Vec::new() };
        if self.method == Method::Rd && !self.graph.is_open[cell as usize] {
            return roadmap::entries(ghost, &self.graph, cell, place);
        }
        let near =
            |&waypoint: &u32| (waypoint, diagonal_distance(place, self.graph.place(waypoint)));
        self.graph.members(cell).iter().map(near).collect()
    }

    /// How long the way without waypoints is taken to be: in a cell of its own as far as the
    /// places are apart; inside a zone whose ways are known, somewhat more, so that it is
    /// taken only where those make a detour.
    pub(crate) fn direct(&self, scene: &ValidScene, from: Place, to: Place) -> Option<u64> {
        let cell = self.cells.cell_of(scene, from)?;
        let apart = diagonal_distance(from, to);
        let is_open = self.method != Method::Rd || self.graph.is_open[cell as usize];
        if is_open && self.cells.cell_of(scene, to) == Some(cell) {
            return Some(apart);
        }
        let zone_of = |place: Place| scene.zone_of(place.at, place.level);
        let is_known = self.looks_ahead() && zone_of(from) == zone_of(to);
        is_known.then_some(apart + apart * DETOUR_PERCENT / 100)
    }

    /// Takes note of an edit: what it touched is looked at again when somebody comes there.
    pub(crate) fn apply(&mut self, ghost: &Ghost<'_>, change: &SceneChange) {
        let bounds = change.bounds.grown(self.margin);
        for waypoint in &mut self.graph.waypoints {
            let is_near =
                waypoint.place.level == change.level && bounds.contains(waypoint.place.at);
            if is_near && waypoint.node.is_none() {
                *waypoint = self::waypoint(ghost, waypoint.place, waypoint.zone, waypoint.cells);
            }
        }
        for edge in self.graph.edges.iter_mut().flatten() {
            edge.apply(change, self.margin);
        }
    }
}

/// Static zones (SZ): the scene's zones, joined by their gates.
fn static_zones(ghost: &Ghost<'_>) -> (Waypoints, Cells) {
    let cells = Cells { sites: Vec::new(), zoned: true };
    let mut graph = Waypoints::with_cells(cells.count(ghost.scene()));
    add_gates(ghost, &mut graph, &cells, &[GateKind::Door, GateKind::Stairs]);
    (graph, cells)
}

/// A waypoint near a place, on the lattice if there is room.
pub(crate) fn waypoint(
    ghost: &Ghost<'_>,
    near: Place,
    zone: Option<ZoneId>,
    cells: [u32; 2],
) -> Waypoint {
    let node = stand(ghost, near, zone);
    let place = node.map_or(near, |node| place(ghost, node));
    let zone = zone.or_else(|| ghost.scene().zone_of(place.at, place.level));
    Waypoint { place, node, zone, cells }
}

/// Both sides of every gate of some kinds, joined to each other.
pub(crate) fn add_gates(
    ghost: &Ghost<'_>,
    graph: &mut Waypoints,
    cells: &Cells,
    kinds: &[GateKind],
) {
    for gate in ghost.scene().gates().iter().filter(|gate| kinds.contains(&gate.kind)) {
        let sides = gate.sides.map(|side| {
            let at = Place::new(side.at, side.level);
            let cell = cells.cell_of(ghost.scene(), at).unwrap_or(u32::MAX);
            let waypoint = waypoint(ghost, at, Some(side.zone), [cell; 2]);
            (graph.add(waypoint), at)
        });
        let [(a, p), (b, q)] = sides;
        let bounds = crate::Bounds::of(p.at, q.at);
        let length_millionths = crate::length_millionths(gate.length());
        for (from, to, level) in [(a, b, p.level), (b, a, q.level)] {
            let (via, wanted) = (Via::Gate, Wanted::Way);
            let edge = Edge { to, length_millionths, via, bounds, level, wanted, is_stale: false };
            graph.edges[from as usize].push(edge);
        }
    }
}
