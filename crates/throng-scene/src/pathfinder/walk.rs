//! A walk: a way that is found stretch by stretch while the player is on it.
//!
//! Lanctot, Ng Man Sun, Verbrugge (2006), "MovementProfile and pathfinding" and figure 4: grid-level
//! paths are gradually resolved between the source, the waypoints and the destination, and a
//! zone that was left is blocked for the rest.

use std::collections::VecDeque;

use crate::{GhostMove, GhostNode, ValidScene, ZoneId};
use throng_model::Revision;

use super::Place;
use super::crossings::Surveyor;
use super::finder::{Hands, ScenePathfinder};
use super::ghost_search::{Errand, Found, GhostPath, Target};
use super::lattice::{place, places, reach, straight_distance};
use super::layer::Layer;
use super::metrics::WalkMetrics;
use super::route::Ends;
use super::waypoints::Via;

/// How a walk stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WalkOutcome {
    /// There is more to come.
    Walking,
    /// The last stretch ended at the goal.
    Arrived,
    /// The body cannot be at the start, or there is no place of the lattice beside it.
    StartBlocked,
    /// The body cannot be at the goal.
    GoalBlocked,
    /// Nothing leads to the goal: the whole lattice was searched.
    NoWay,
    /// A search took more nodes than allowed: there may be a way.
    BudgetSpent,
}

/// A part of the way, to be walked straight from place to place. Between places of different
/// levels are stairs.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// The places, from where the body stands on.
    pub places: Vec<Place>,
    /// How long it is, in millionths of a unit.
    pub length_millionths: u64,
}

/// A way that is found stretch by stretch.
#[derive(Clone, Debug)]
pub struct Walk {
    goal: Place,
    here: Place,
    /// Where the lattice was entered, and where the walk stands on it.
    start: Option<GhostNode>,
    node: Option<GhostNode>,
    /// The waypoint where the walk stands, and those ahead.
    waypoint: Option<u32>,
    route: VecDeque<u32>,
    blocked: Vec<ZoneId>,
    walked: Vec<Place>,
    generation: u64,
    revision: Revision,
    outcome: WalkOutcome,
    metrics: WalkMetrics,
    nodes_max: u32,
}

/// So many waypoints ahead are looked at, to pass some by.
const LOOK_AHEAD: usize = 6;

/// What comes next.
enum Leg {
    Straight(u32),
    Known(u32, GhostPath),
    Search(Option<u32>, Target),
}

impl Walk {
    pub(super) fn new(
        finder: &mut ScenePathfinder,
        scene: &ValidScene,
        from: Place,
        goal: Place,
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
        };
        walk.measured(finder, scene, Self::plan);
        walk
    }

    /// How it stands.
    #[must_use]
    pub fn outcome(&self) -> WalkOutcome {
        self.outcome
    }

    /// What it has cost so far.
    #[must_use]
    pub fn metrics(&self) -> &WalkMetrics {
        &self.metrics
    }

    /// The next stretch; `None` when there is none, and [`Walk::outcome`] says why.
    ///
    /// The scene may have been edited since the last one: the rest of the way honours that,
    /// stretches given before do not.
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
        let stretch = self.measured(finder, scene, Self::advance).flatten()?;
        self.metrics.length_millionths += stretch.length_millionths;
        self.walked.extend(stretch.places.iter().skip(1));
        self.here = stretch.places.last().copied().unwrap_or(self.here);
        Some(stretch)
    }

    /// All that is left of the way at once: every place from where the body stands on.
    pub fn finish(&mut self, finder: &mut ScenePathfinder, scene: &ValidScene) -> Vec<Place> {
        let mut all = vec![self.here];
        while let Some(stretch) = self.next_stretch(finder, scene) {
            all.extend(stretch.places.into_iter().skip(1));
        }
        all
    }

    /// Does a part of the work, and counts its collision tests.
    fn measured<R>(
        &mut self,
        finder: &mut ScenePathfinder,
        scene: &ValidScene,
        work: impl FnOnce(&mut Self, &mut Hands<'_>) -> R,
    ) -> Option<R> {
        let tests = finder.meter.tests();
        let mut metrics = std::mem::take(&mut self.metrics);
        let result = match finder.hands(scene, &mut metrics) {
            Ok(mut hands) => Some(work(self, &mut hands)),
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
    fn plan(&mut self, hands: &mut Hands<'_>) {
        let ghost = hands.feet.ghost;
        if !ghost.is_free(self.goal.at, self.goal.level) {
            self.outcome = WalkOutcome::GoalBlocked;
            return;
        }
        self.start = ghost.snap(self.here.at, self.here.level);
        self.node = self.start;
        if self.start.is_none() && !self.is_beside_goal(hands) {
            self.outcome = WalkOutcome::StartBlocked;
            return;
        }
        let Some(layer) = hands.layer.as_deref_mut() else { return };
        let ends = Ends {
            near_start: layer.near(&ghost, self.here),
            near_goal: layer.near(&ghost, self.goal),
            direct: layer.direct(ghost.scene(), self.here, self.goal),
            goal: self.goal,
        };
        let mut surveyor = Surveyor { feet: &mut hands.feet, search: hands.search };
        let route = hands.routes.find(&mut layer.graph, &mut surveyor, &ends);
        hands.feet.metrics.waypoints += hands.routes.expanded;
        hands.feet.metrics.fallbacks += u64::from(route.is_empty() && ends.direct.is_none());
        self.route = route.into();
    }

    fn is_beside_goal(&self, hands: &Hands<'_>) -> bool {
        let ghost = &hands.feet.ghost;
        self.here.level == self.goal.level
            && self.here.at.distance(self.goal.at) <= reach(ghost)
            && ghost.can_step(self.here.at, self.goal.at, self.goal.level)
    }

    fn advance(&mut self, hands: &mut Hands<'_>) -> Option<Stretch> {
        if self.is_beside_goal(hands) {
            self.outcome = WalkOutcome::Arrived;
            let length_millionths = straight_distance(self.here.at, self.goal.at);
            return Some(Stretch { places: vec![self.here, self.goal], length_millionths });
        }
        while let Some(node) = self.node {
            let (waypoint, stretch) = match self.next_leg(hands) {
                Leg::Straight(waypoint) => {
                    let to = hands
                        .layer
                        .as_deref()
                        .map_or(self.here, |layer| layer.graph.place(waypoint));
                    let length_millionths = straight_distance(self.here.at, to.at);
                    let places = vec![self.here, to];
                    (Some(waypoint), Stretch { places, length_millionths })
                }
                Leg::Known(waypoint, path) => (Some(waypoint), self.stretch_of(hands, &path, None)),
                Leg::Search(waypoint, target) => match self.search(hands, node, target) {
                    Some(stretch) => (waypoint, stretch),
                    None if waypoint.is_some() && self.outcome == WalkOutcome::Walking => {
                        hands.feet.metrics.fallbacks += 1;
                        self.forget_route();
                        continue;
                    }
                    None => return self.retrace(hands),
                },
            };
            self.arrive(hands, waypoint);
            if stretch.length_millionths > 0 || self.outcome != WalkOutcome::Walking {
                return Some(stretch);
            }
        }
        self.outcome = WalkOutcome::StartBlocked;
        None
    }

    /// What comes next: the next waypoint where there is room, or the goal.
    fn next_leg(&mut self, hands: &Hands<'_>) -> Leg {
        let goal = Leg::Search(None, Target::Place(self.goal));
        let Some(layer) = hands.layer.as_deref() else { return goal };
        let ghost = &hands.feet.ghost;
        if layer.looks_ahead() && self.pass_by(hands, layer) {
            // Every edge passed by is known to be walkable, so this one is.
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

    /// Drops the waypoints ahead that need not be touched, because the one after them is in
    /// sight. True when the next one is in sight and all edges to it are known.
    fn pass_by(&mut self, hands: &Hands<'_>, layer: &Layer) -> bool {
        let sees = |place: Place| {
            place.level == self.here.level
                && hands.feet.ghost.can_step(self.here.at, place.at, place.level)
        };
        let mut is_known = self.waypoint.is_some();
        let mut at = self.waypoint;
        let mut passed = 0;
        for (number, &next) in self.route.iter().enumerate().take(LOOK_AHEAD) {
            let via = at.and_then(|at| layer.graph.edge(at, next)).map(|edge| &edge.via);
            if number > 0 {
                let is_walkable = matches!(via, Some(Via::Straight | Via::Known(_)));
                if !is_walkable || !sees(layer.graph.place(next)) {
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

    /// Whether a gate follows a waypoint: then the search goes to its far side at once.
    fn is_gate_ahead(&self, layer: &Layer, waypoint: u32) -> bool {
        let next = self.route.front().and_then(|next| layer.graph.edge(waypoint, *next));
        next.is_some_and(|edge| edge.via == Via::Gate)
    }

    /// A stretch found at grid level, if need be through zones that were left behind.
    fn search(&mut self, hands: &mut Hands<'_>, from: GhostNode, to: Target) -> Option<Stretch> {
        let mut found = self.found(hands, from, to);
        if found == Found::NoWay && !self.blocked.is_empty() {
            hands.feet.metrics.fallbacks += 1;
            self.blocked.clear();
            found = self.found(hands, from, to);
        }
        let end = match to {
            Target::Place(place) => Some(place),
            Target::Node(_) => None,
        };
        match found {
            Found::Path(path) => Some(self.stretch_of(hands, &path, end)),
            Found::NoWay => None,
            Found::BudgetSpent => {
                self.outcome = WalkOutcome::BudgetSpent;
                None
            }
        }
    }

    fn found(&self, hands: &mut Hands<'_>, from: GhostNode, to: Target) -> Found {
        let (blocked, nodes_max) = (&self.blocked, self.nodes_max);
        let errand = Errand { from, to, blocked, nodes_max, length_max: u64::MAX };
        hands.search.find(&mut hands.feet, &errand, hands.paths.as_deref_mut())
    }

    /// The places of a path from where the body stands, and a last one beside the lattice.
    fn stretch_of(&self, hands: &Hands<'_>, path: &GhostPath, end: Option<Place>) -> Stretch {
        let ghost = &hands.feet.ghost;
        let mut all = vec![self.here];
        let mut length_millionths = path.length_millionths;
        if let Some(&GhostMove { to: first, .. }) = path.steps.first() {
            let first = place(ghost, first);
            length_millionths += straight_distance(self.here.at, first.at);
            all.push(first);
        }
        all.extend(places(ghost, &path.steps));
        all.extend(end);
        all.dedup();
        Stretch { places: all, length_millionths }
    }

    /// Stands at a waypoint now, or at the goal.
    fn arrive(&mut self, hands: &Hands<'_>, waypoint: Option<u32>) {
        let (Some(layer), Some(waypoint)) = (hands.layer.as_deref(), waypoint) else {
            self.outcome = WalkOutcome::Arrived;
            return;
        };
        if layer.blocks_zones() {
            self.block_left_zone(hands, layer, waypoint);
        }
        self.waypoint = Some(waypoint);
        self.node = layer.graph.waypoints[waypoint as usize].node;
    }

    /// Blocks the zone that is being left, unless the way comes through it again.
    fn block_left_zone(&mut self, hands: &Hands<'_>, layer: &Layer, waypoint: u32) {
        let zone_of = |place: Place| hands.feet.ghost.scene().zone_of(place.at, place.level);
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

    /// Nothing leads from here to the goal. Where the lattice gets wider a way may be one-way:
    /// back to the start then, if something leads from there.
    fn retrace(&mut self, hands: &mut Hands<'_>) -> Option<Stretch> {
        if self.outcome != WalkOutcome::Walking {
            return None;
        }
        self.outcome = WalkOutcome::NoWay;
        let is_same_scene = self.revision == hands.feet.ghost.scene().revision();
        let start = self.start.filter(|start| self.node != Some(*start) && is_same_scene)?;
        hands.feet.metrics.fallbacks += 1;
        let path = match self.found(hands, start, Target::Place(self.goal)) {
            Found::Path(path) => path,
            Found::NoWay => return None,
            Found::BudgetSpent => {
                self.outcome = WalkOutcome::BudgetSpent;
                return None;
            }
        };
        let mut back = self.walked.clone();
        back.reverse();
        self.here = back.last().copied()?;
        let ahead = self.stretch_of(hands, &path, Some(self.goal));
        back.extend(ahead.places.into_iter().skip(1));
        let length_millionths = ahead.length_millionths + hands.feet.metrics.length_millionths;
        self.outcome = WalkOutcome::Arrived;
        Some(Stretch { places: back, length_millionths })
    }
}
