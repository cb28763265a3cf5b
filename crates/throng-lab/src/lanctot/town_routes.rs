//! The players' knowledge of the town: every location that a body reaches, and routes between them.
//!
//! Human players see the map and find their way by eye. Ours search a graph of the ghost's
//! steps, which is made once a scene; it is no part of what the experiment measures.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use throng_scene::Location;
use throng_scene::{
    CollisionMeter, GateKind, Ghost, GhostNode, GhostOptions, Level, Point, ValidScene, explore,
    length_millionths,
};

use crate::LabError;

/// Possible coordinates of a random location, along a side.
const SHARES: u32 = 1 << 20;
/// Tries to find a random location.
const TRIES: u32 = 1000;
/// Most locations of a scene that players know.
const PLACES_MAX: usize = 1_000_000;
/// The heuristic is inflated by three halves: players take good routes, not shortest ones.
const ESTIMATE_HALVES: u64 = 3;

/// Every location of a scene that a body reaches from the first player's start, and the steps
/// between them.
pub struct TownRoutes<'a> {
    ghost: Ghost<'a>,
    nodes: Vec<GhostNode>,
    number_of: BTreeMap<GhostNode, u32>,
    /// The steps of location `i` are `steps[first[i]..first[i + 1]]`: target and length.
    first: Vec<u32>,
    steps: Vec<(u32, u64)>,
}

/// Memory of a search, to be used again.
#[derive(Clone, Debug, Default)]
pub(crate) struct RouteSearch {
    /// Search number, length of the path and parent. Valid for the present search number only.
    reached: Vec<(u32, u64, u32)>,
    mark: u32,
    open: BinaryHeap<(Reverse<u64>, Reverse<u32>)>,
}

impl<'a> TownRoutes<'a> {
    /// Explores the whole scene from its first player's start; without players from a corner, a
    /// gate, or the middle of a zone.
    ///
    /// # Errors
    /// When the body cannot be a ghost, or fits at none of these places.
    pub fn new(
        scene: &'a ValidScene,
        options: GhostOptions,
        meter: &'a CollisionMeter,
    ) -> Result<Self, LabError> {
        let ghost = Ghost::new(scene, options, meter)?;
        let start = scene.start_candidates().find_map(|start| ghost.snap(start.at, start.level));
        let start = start.ok_or(LabError::NoRoom)?;
        let nodes = explore(&ghost, start, PLACES_MAX);
        let number_of: BTreeMap<GhostNode, u32> = nodes.iter().copied().zip(0..).collect();
        let (mut first, mut steps, mut moves) = (vec![0], Vec::new(), Vec::new());
        for node in &nodes {
            ghost.moves(*node, &mut moves);
            let known = moves.iter().filter_map(|step| {
                number_of.get(&step.to).map(|number| (*number, step.length_millionths))
            });
            steps.extend(known);
            first.push(steps.len() as u32);
        }
        Ok(Self { ghost, nodes, number_of, first, steps })
    }

    /// The body that walks.
    #[must_use]
    pub fn ghost(&self) -> &Ghost<'a> {
        &self.ghost
    }

    /// The number of locations.
    #[must_use]
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// The location with a number; numbers wrap around.
    #[must_use]
    pub fn location(&self, number: u32) -> Location {
        let node = self.nodes[number as usize % self.nodes.len()];
        Location::new(self.ghost.point(node), node.level)
    }

    /// The lattice node next to a location, if one straight step leads there.
    #[must_use]
    pub fn nearest(&self, location: Location) -> Option<u32> {
        let node = self.ghost.snap(location.at, location.level)?;
        self.number_of.get(&node).copied()
    }

    /// A location by chance, uniformly over all that is reached on all levels; and the location of
    /// the lattice next to it.
    pub(crate) fn any(&self, rng: &mut Pcg64Mcg) -> (Location, u32) {
        let scene = self.ghost.scene();
        let levels = scene.levels().count().max(1) as u32;
        let mut share = || f64::from(rng.random_range(0..=SHARES)) / f64::from(SHARES);
        for _ in 0..TRIES {
            let point = Point::new(share() * scene.width(), share() * scene.height());
            let level = (share() * f64::from(levels)).min(f64::from(levels - 1)) as u8;
            let location = Location::new(point, Level(level));
            let is_free = self.ghost.is_free(point, location.level);
            if let Some(number) = is_free.then(|| self.nearest(location)).flatten() {
                return (location, number);
            }
        }
        // A scene with next to no room: not quite uniform, but there.
        let number = rng.random_range(0..self.nodes.len() as u32);
        (self.location(number), number)
    }

    /// A good route from one location to another, both included, with both ends of stairs.
    /// `None` when there is none.
    pub(crate) fn way(
        &self,
        from: u32,
        to: u32,
        search: &mut RouteSearch,
    ) -> Option<Vec<Location>> {
        search.begin(self.nodes.len());
        search.reach(from, 0, from, self.estimate(from, to));
        while let Some((_, Reverse(at))) = search.open.pop() {
            if at == to {
                return Some(self.locations(&search.trace(from, to)));
            }
            let (_, length, _) = search.reached[at as usize];
            for &(next, step) in self.steps_of(at) {
                search.reach(next, length + step, at, self.estimate(next, to));
            }
        }
        None
    }

    fn steps_of(&self, location: u32) -> &[(u32, u64)] {
        let at = |index: u32| self.first[index as usize] as usize;
        &self.steps[at(location)..at(location + 1)]
    }

    fn estimate(&self, from: u32, to: u32) -> u64 {
        let [from, to] = [from, to].map(|location| self.ghost.point(self.nodes[location as usize]));
        length_millionths(from.distance(to)) * ESTIMATE_HALVES / 2
    }

    /// The locations of a route, with both ends of each stairs inserted.
    fn locations(&self, way: &[u32]) -> Vec<Location> {
        let mut locations: Vec<Location> = Vec::with_capacity(way.len());
        for location in way.iter().map(|number| self.location(*number)) {
            if let Some(before) = locations.last().filter(|before| before.level != location.level) {
                let ends = self.stairs(*before, location);
                locations.extend(ends.into_iter().flatten());
            }
            locations.push(location);
        }
        locations
    }

    /// The foot and the head of the stairs that a step between levels takes.
    fn stairs(&self, from: Location, to: Location) -> Option<[Location; 2]> {
        let scene = self.ghost.scene();
        let zone = scene.zone_of(from.at, from.level)?;
        let gates = scene.gates_of(zone).iter().filter_map(|id| scene.gate(*id));
        let stairs = gates.filter(|gate| gate.kind == GateKind::Stairs);
        let sides = stairs.filter_map(|gate| gate.from_zone(zone));
        let fitting = sides.filter(|(_, far)| {
            let node = self.ghost.snap(far.at, far.level);
            far.level == to.level && node.is_some_and(|node| self.ghost.point(node) == to.at)
        });
        let distance = |near: Point| near.distance(from.at);
        let (near, far) = fitting.min_by(|a, b| distance(a.0.at).total_cmp(&distance(b.0.at)))?;
        Some([near, far].map(|side| Location::new(side.at, side.level)))
    }
}

impl RouteSearch {
    fn begin(&mut self, locations: usize) {
        self.open.clear();
        self.mark = self.mark.wrapping_add(1);
        if self.reached.len() != locations || self.mark == 0 {
            self.reached = vec![(0, 0, 0); locations];
            self.mark = 1;
        }
    }

    fn reach(&mut self, location: u32, length: u64, before: u32, estimate: u64) {
        let reached = &mut self.reached[location as usize];
        if reached.0 != self.mark || length < reached.1 {
            *reached = (self.mark, length, before);
            self.open.push((Reverse(length + estimate), Reverse(location)));
        }
    }

    fn trace(&self, from: u32, to: u32) -> Vec<u32> {
        let mut way = vec![to];
        let mut at = to;
        while at != from {
            at = self.reached[at as usize].2;
            way.push(at);
        }
        way.reverse();
        way
    }
}
