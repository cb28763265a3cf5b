//! A path that is found stretch by stretch while the player follows it.
//!
//! Lanctot, Ng Man Sun, Verbrugge (2006), "Movement and pathfinding" and figure 4: grid-level
//! paths are gradually resolved between the source, the waypoints and the destination, and a
//! zone that was left is blocked for the rest.

use std::collections::VecDeque;

use crate::{GhostMove, GhostNode, ValidScene, ZoneId};
use throng_model::Revision;

use super::Location;
use super::edge_builder::EdgeBuilder;
use super::finder::{ScenePathfinder, WalkParts};
use super::ghost_search::{GhostPath, SearchOutcome, SearchRequest, Target};
use super::lattice::{location, locations, reach, straight_distance};
use super::metrics::WalkMetrics;
use super::waypoint_layer::WaypointLayer;
use super::waypoint_search::RouteEnds;
use super::waypoints::Via;

/// The state of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkOutcome {
    /// More stretches follow.
    Walking,
    /// The last stretch ended at the goal.
    Arrived,
    /// The body does not fit at the start, or no lattice node can be reached from it.
    StartBlocked,
    /// The body does not fit at the goal.
    GoalBlocked,
    /// No path leads to the goal: every lattice node in reach was searched.
    Unreachable,
    /// A search expanded more nodes than allowed; a path may still exist.
    BudgetSpent,
}

/// A part of the path, walked in straight lines from location to location. A change of level
/// is a flight of stairs.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// The locations, from the body's present one.
    pub locations: Vec<Location>,
    /// The length, in millionths of a unit.
    pub length_millionths: u64,
}

/// A path that is found stretch by stretch.
#[derive(Clone, Debug)]
pub struct Walk {
    goal: Location,
    here: Location,
    /// The node where the walk entered the lattice, and the node it has reached.
    start: Option<GhostNode>,
    node: Option<GhostNode>,
    /// The waypoint that the walk has reached, and those ahead.
    waypoint: Option<u32>,
    route: VecDeque<u32>,
    blocked: Vec<ZoneId>,
    walked: Vec<Location>,
    generation: u64,
    revision: Revision,
    outcome: WalkOutcome,
    metrics: WalkMetrics,
    nodes_max: u32,
    /// The nodes that were expanded before the present stretch.
    nodes_before: u64,
}

/// Waypoints ahead that are tested for visibility, so that some can be skipped.
const LOOK_AHEAD: usize = 6;

/// The next part of the path.
enum Leg {
    Straight(u32),
    Known(u32, GhostPath),
    Search(Option<u32>, Target),
}

impl Walk {
    pub(super) fn new(
        finder: &mut ScenePathfinder,
        scene: &ValidScene,
        from: Location,
        goal: Location,
    ) -> Self {
        finder.sync(scene);
        let mut walk = Self {
            goal,
            here: from,
            start: None,
            node: None,
            waypoint: None,
            route: VecDeque::new(),
            blocked: Vec::new(),
            walked: vec![from],
            generation: finder.generation,
            revision: scene.revision(),
            outcome: WalkOutcome::Walking,
            metrics: WalkMetrics::default(),
            nodes_max: finder.options.nodes_max,
            nodes_before: 0,
        };
        walk.measured(finder, scene, Self::plan);
        walk
    }

    /// The state of the walk.
    #[must_use]
    pub fn outcome(&self) -> WalkOutcome {
        self.outcome
    }

    /// The work done so far.
    #[must_use]
    pub fn metrics(&self) -> &WalkMetrics {
        &self.metrics
    }

    /// The next stretch; `None` when there is none, and [`Walk::outcome`] says why.
    ///
    /// The scene may have been edited since the last call. The rest of the path respects the edit;
    /// stretches that were returned before do not.
    pub fn next_stretch(
        &mut self,
        finder: &mut ScenePathfinder,
        scene: &ValidScene,
    ) -> Option<Stretch> {
        if self.outcome != WalkOutcome::Walking {
            return None;
        }
        finder.sync(scene);
        if self.generation != finder.generation {
            self.generation = finder.generation;
            self.forget_route();
        }
        self.nodes_before = self.metrics.nodes;
        let stretch = self.measured(finder, scene, Self::advance).flatten()?;
        self.metrics.length_millionths += stretch.length_millionths;
        self.walked.extend(stretch.locations.iter().skip(1));
        self.here = stretch.locations.last().copied().unwrap_or(self.here);
        Some(stretch)
    }

    /// The rest of the path at once: every location from the body's present one.
    pub fn finish(&mut self, finder: &mut ScenePathfinder, scene: &ValidScene) -> Vec<Location> {
        let mut all = vec![self.here];
        while let Some(stretch) = self.next_stretch(finder, scene) {
            all.extend(stretch.locations.into_iter().skip(1));
        }
        all
    }

    /// Runs a part of the work and counts its collision tests.
    fn measured<R>(
        &mut self,
        finder: &mut ScenePathfinder,
        scene: &ValidScene,
        work: impl FnOnce(&mut Self, &mut WalkParts<'_>) -> R,
    ) -> Option<R> {
        let tests = finder.meter.tests();
        let mut metrics = std::mem::take(&mut self.metrics);
        let result = match finder.parts(scene, &mut metrics) {
            Ok(mut parts) => Some(work(self, &mut parts)),
            Err(_) => {
                // The ghost's options were checked for a scene of another size.
                self.outcome = WalkOutcome::StartBlocked;
                None
            }
        };
        metrics.collision_tests += finder.meter.tests().wrapping_sub(tests);
        self.metrics = metrics;
        result
    }

    /// Chooses the waypoints.
    fn plan(&mut self, parts: &mut WalkParts<'_>) {
        let ghost = parts.cached.ghost;
        if !ghost.is_free(self.goal.at, self.goal.level) {
            self.outcome = WalkOutcome::GoalBlocked;
            return;
        }
        self.start = ghost.snap(self.here.at, self.here.level);
        self.node = self.start;
        if self.start.is_none() && !self.is_beside_goal(parts) {
            self.outcome = WalkOutcome::StartBlocked;
            return;
        }
        let Some(layer) = parts.layer.as_deref_mut() else { return };
        let ends = RouteEnds {
            near_start: layer.near(&ghost, self.here),
            near_goal: layer.near(&ghost, self.goal),
            direct: layer.direct(&ghost, self.here, self.goal),
            goal: self.goal,
        };
        let mut builder = EdgeBuilder { cached: &mut parts.cached, search: parts.search };
        let route = parts.routes.find(&mut layer.graph, &mut builder, &ends);
        parts.cached.metrics.waypoints += parts.routes.expanded;
        parts.cached.metrics.fallbacks += u64::from(route.is_empty() && ends.direct.is_none());
        self.route = route.into();
    }

    fn is_beside_goal(&self, parts: &WalkParts<'_>) -> bool {
        let ghost = &parts.cached.ghost;
        self.here.level == self.goal.level
            && self.here.at.distance(self.goal.at) <= reach(ghost)
            && ghost.can_step(self.here.at, self.goal.at, self.goal.level)
    }

    fn advance(&mut self, parts: &mut WalkParts<'_>) -> Option<Stretch> {
        if self.is_beside_goal(parts) {
            self.outcome = WalkOutcome::Arrived;
            let length_millionths = straight_distance(self.here.at, self.goal.at);
            return Some(Stretch { locations: vec![self.here, self.goal], length_millionths });
        }
        while let Some(node) = self.node {
            let (waypoint, stretch) = match self.next_leg(parts) {
                Leg::Straight(waypoint) => {
                    let to = parts
                        .layer
                        .as_deref()
                        .map_or(self.here, |layer| layer.graph.location(waypoint));
                    let length_millionths = straight_distance(self.here.at, to.at);
                    let locations = vec![self.here, to];
                    (Some(waypoint), Stretch { locations, length_millionths })
                }
                Leg::Known(waypoint, path) => (Some(waypoint), self.stretch_of(parts, &path, None)),
                Leg::Search(waypoint, target) => match self.search(parts, node, target) {
                    Some(stretch) => (waypoint, stretch),
                    None if waypoint.is_some() && self.outcome == WalkOutcome::Walking => {
                        parts.cached.metrics.fallbacks += 1;
                        self.forget_route();
                        continue;
                    }
                    None => return self.retrace(parts),
                },
            };
            self.arrive(parts, waypoint);
            if stretch.length_millionths > 0 || self.outcome != WalkOutcome::Walking {
                return Some(stretch);
            }
        }
        self.outcome = WalkOutcome::StartBlocked;
        None
    }

    /// The next part: the next waypoint where the body fits, or the goal.
    fn next_leg(&mut self, parts: &WalkParts<'_>) -> Leg {
        let goal = Leg::Search(None, Target::Location(self.goal));
        let Some(layer) = parts.layer.as_deref() else { return goal };
        let ghost = &parts.cached.ghost;
        if layer.looks_ahead() && self.pass_by(parts, layer) {
            // Every skipped edge is known to be walkable, so the direct line is safe too.
            if let Some(waypoint) = self.route.pop_front() {
                return Leg::Straight(waypoint);
            }
        }
        while let Some(waypoint) = self.route.pop_front() {
            let Some(node) = layer.graph.waypoints[waypoint as usize].node else { continue };
            let edge = self.waypoint.and_then(|from| layer.graph.edge(from, waypoint));
            match edge.map(|edge| &edge.via) {
                Some(Via::Straight) => return Leg::Straight(waypoint),
                Some(Via::Known(path)) => return Leg::Known(waypoint, path.clone()),
                _ if self.is_gate_ahead(layer, waypoint) => continue,
                _ if !ghost.is_free(ghost.point(node), node.level) => continue,
                _ => return Leg::Search(Some(waypoint), Target::Node(node)),
            }
        }
        goal
    }

    /// Drops the waypoints ahead that can be skipped because the one after them is visible. True
    /// when the next one is visible and all edges to it are known.
    fn pass_by(&mut self, parts: &WalkParts<'_>, layer: &WaypointLayer) -> bool {
        let sees = |location: Location| {
            location.level == self.here.level
                && parts.cached.ghost.can_step(self.here.at, location.at, location.level)
        };
        let mut is_known = self.waypoint.is_some();
        let mut at = self.waypoint;
        let mut passed = 0;
        for (number, &next) in self.route.iter().enumerate().take(LOOK_AHEAD) {
            let via = at.and_then(|at| layer.graph.edge(at, next)).map(|edge| &edge.via);
            if number > 0 {
                let is_walkable = matches!(via, Some(Via::Straight | Via::Known(_)));
                if !is_walkable || !sees(layer.graph.location(next)) {
                    break;
                }
                passed = number;
            } else {
                is_known &= matches!(via, Some(Via::Straight | Via::Known(_)));
            }
            at = Some(next);
        }
        self.route.drain(..passed);
        if self.route.len() == 1 && sees(self.goal) {
            self.route.clear();
        }
        is_known && passed > 0
    }

    /// Whether a gate follows a waypoint: then the search goes straight to its far side.
    fn is_gate_ahead(&self, layer: &WaypointLayer, waypoint: u32) -> bool {
        let next = self.route.front().and_then(|next| layer.graph.edge(waypoint, *next));
        next.is_some_and(|edge| edge.via == Via::Gate)
    }

    /// A stretch found at grid level; if that fails, the blocked zones are allowed again.
    fn search(
        &mut self,
        parts: &mut WalkParts<'_>,
        from: GhostNode,
        to: Target,
    ) -> Option<Stretch> {
        let mut found = self.found(parts, from, to);
        if found == SearchOutcome::Exhausted && !self.blocked.is_empty() {
            parts.cached.metrics.fallbacks += 1;
            self.blocked.clear();
            found = self.found(parts, from, to);
        }
        let end = match to {
            Target::Location(location) => Some(location),
            Target::Node(_) => None,
        };
        match found {
            SearchOutcome::Found(path) => Some(self.stretch_of(parts, &path, end)),
            SearchOutcome::Exhausted => None,
            SearchOutcome::BudgetSpent => {
                self.outcome = WalkOutcome::BudgetSpent;
                None
            }
        }
    }

    fn found(&self, parts: &mut WalkParts<'_>, from: GhostNode, to: Target) -> SearchOutcome {
        // A stretch that is tried in several ways shares the limit.
        let expanded = parts.cached.metrics.nodes - self.nodes_before;
        let nodes_max = u64::from(self.nodes_max).saturating_sub(expanded) as u32;
        let blocked = &self.blocked;
        let request = SearchRequest { from, to, blocked, nodes_max, length_max: u64::MAX };
        parts.search.find(&mut parts.cached, &request, parts.paths.as_deref_mut())
    }

    /// The locations of a path from the body's location, and a last one beside the lattice.
    fn stretch_of(
        &self,
        parts: &WalkParts<'_>,
        path: &GhostPath,
        end: Option<Location>,
    ) -> Stretch {
        let ghost = &parts.cached.ghost;
        let mut all = vec![self.here];
        let mut length_millionths = path.length_millionths;
        if let Some(&GhostMove { to: first, .. }) = path.steps.first() {
            let first = location(ghost, first);
            length_millionths += straight_distance(self.here.at, first.at);
            all.push(first);
        }
        all.extend(locations(ghost, &path.steps));
        all.extend(end);
        all.dedup();
        Stretch { locations: all, length_millionths }
    }

    /// Records the arrival at a waypoint, or at the goal.
    fn arrive(&mut self, parts: &WalkParts<'_>, waypoint: Option<u32>) {
        let (Some(layer), Some(waypoint)) = (parts.layer.as_deref(), waypoint) else {
            self.outcome = WalkOutcome::Arrived;
            return;
        };
        if layer.blocks_zones() {
            self.block_left_zone(parts, layer, waypoint);
        }
        self.waypoint = Some(waypoint);
        self.node = layer.graph.waypoints[waypoint as usize].node;
    }

    /// Blocks the zone that is being left, unless the path returns to it.
    fn block_left_zone(&mut self, parts: &WalkParts<'_>, layer: &WaypointLayer, waypoint: u32) {
        let zone_of =
            |location: Location| parts.cached.ghost.scene().zone_of(location.at, location.level);
        let zone = |waypoint: &u32| layer.graph.waypoints[*waypoint as usize].zone;
        let left = zone_of(self.here);
        let comes_again = zone(&waypoint) == left
            || zone_of(self.goal) == left
            || self.route.iter().any(|ahead| zone(ahead) == left);
        if let (Some(left), false) = (left, comes_again) {
            self.blocked.push(left);
        }
    }

    fn forget_route(&mut self) {
        self.route.clear();
        self.blocked.clear();
        self.waypoint = None;
    }

    /// Handles a dead end. Where the lattice gets coarser a step may be one-way, so the walk
    /// returns to its start if a path leads from there.
    fn retrace(&mut self, parts: &mut WalkParts<'_>) -> Option<Stretch> {
        if self.outcome != WalkOutcome::Walking {
            return None;
        }
        self.outcome = WalkOutcome::Unreachable;
        let is_same_scene = self.revision == parts.cached.ghost.scene().revision();
        let start = self.start.filter(|start| self.node != Some(*start) && is_same_scene)?;
        parts.cached.metrics.fallbacks += 1;
        let path = match self.found(parts, start, Target::Location(self.goal)) {
            SearchOutcome::Found(path) => path,
            SearchOutcome::Exhausted => return None,
            SearchOutcome::BudgetSpent => {
                self.outcome = WalkOutcome::BudgetSpent;
                return None;
            }
        };
        let mut back = self.walked.clone();
        back.reverse();
        self.here = back.last().copied()?;
        let ahead = self.stretch_of(parts, &path, Some(self.goal));
        back.extend(ahead.locations.into_iter().skip(1));
        let length_millionths = ahead.length_millionths + parts.cached.metrics.length_millionths;
        self.outcome = WalkOutcome::Arrived;
        Some(Stretch { locations: back, length_millionths })
    }
}
