//! A journey: one player walks from destination to destination.
//!
//! Lanctot et al. (2006), "Measurements" and "Experimental analysis".

use throng_scene::ValidScene;
use throng_scene::{ScenePathfinder, WalkMetrics, WalkOutcome};

use super::judge::judge;
use super::{Query, Row};
use crate::LabError;
use crate::harness::clock::timed;

/// The cost of a collision test in the paper, relative to the rest of a node.
///
/// Time, nodes and searches of tables 2 to 4 give 7.4 to 8.0 ms per node without the collision
/// cache (GR, VZ), 2.5 to 3.1 ms with it. If one step in ten is then still unknown, as it is
/// here, one of a node's eight tests costs 0.26 to 0.39 of the rest of the node.
pub(super) const TEST_WORK: f64 = 0.3;

/// The stage, for errors.
pub(super) const STAGE: &str = "journeys";

/// The work of a journey. Everything but the times is reproducible.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Journey {
    pub(super) queries: u64,
    pub(super) counts: WalkMetrics,
    /// The part before the first step of each walk.
    pub(super) first: WalkMetrics,
    /// Milliseconds until the pathfinder was ready.
    pub(super) prepared_ms: f64,
    pub(super) first_ms: f64,
    pub(super) total_ms: f64,
}

impl Journey {
    /// Walks all queries of a workload, one after the other, with a pathfinder of its own. Every
    /// walk is checked.
    pub(super) fn of(
        row: &Row,
        mut finder: ScenePathfinder,
        scene: &ValidScene,
        queries: &[Query],
    ) -> Result<Self, LabError> {
        let mut journey = Self::default();
        for (case, query) in queries.iter().enumerate() {
            journey.walk(&mut finder, scene, query).map_err(|why| {
                let why = format!("{}, {query:?}: {why}", row.name);
                LabError::Illegal { stage: STAGE, case, why }
            })?;
        }
        Ok(journey)
    }

    fn walk(
        &mut self,
        finder: &mut ScenePathfinder,
        scene: &ValidScene,
        query: &Query,
    ) -> Result<(), String> {
        let (begun, first_ms) = timed(|| {
            let mut walk = finder.find(scene, query.from, query.to)?;
            let stretch = walk.next_stretch(finder, scene);
            Ok((walk, stretch))
        });
        let (mut walk, stretch) =
            begun.map_err(|error: throng_scene::LocationError| error.to_string())?;
        self.first.add(walk.metrics());
        let (rest, rest_ms) = timed(|| walk.finish(finder, scene));
        if walk.outcome() != WalkOutcome::Arrived {
            return Err(format!("{:?}", walk.outcome()));
        }
        let mut locations = stretch.map_or(Vec::new(), |stretch| stretch.locations);
        locations.extend(rest.into_iter().skip(1));
        let length = walk.metrics().length_millionths;
        judge(scene, query, &locations, length, finder.options().ghost.radius)?;
        self.queries += 1;
        self.counts.add(walk.metrics());
        self.first_ms += first_ms;
        self.total_ms += first_ms + rest_ms;
        Ok(())
    }

    /// The smaller of each time.
    pub(super) fn least(self, other: &Self) -> Self {
        Self {
            first_ms: self.first_ms.min(other.first_ms),
            total_ms: self.total_ms.min(other.total_ms),
            ..self
        }
    }

    /// The length of all walks, in units.
    pub(super) fn distance(&self) -> f64 {
        self.counts.length_millionths as f64 / 1e6
    }

    pub(super) fn nodes_per_search(&self) -> f64 {
        self.counts.nodes as f64 / self.counts.searches.max(1) as f64
    }

    /// The work at the paper's prices: nodes of both levels, and collision tests by their cost
    /// relative to a node.
    pub(super) fn work(&self) -> f64 {
        work(&self.counts)
    }

    /// The work before a player starts to move, on average.
    pub(super) fn first_work(&self) -> f64 {
        work(&self.first) / self.queries.max(1) as f64
    }

    /// The percentage of steps in the collision cache, if there is one.
    pub(super) fn collision_hits(&self) -> Option<f64> {
        share(self.counts.collision_hits, self.counts.collision_misses)
    }

    /// The percentage of searches that the path cache finished, if there is one.
    pub(super) fn path_hits(&self) -> Option<f64> {
        share(self.counts.path_hits, self.counts.path_misses)
    }
}

fn work(counts: &WalkMetrics) -> f64 {
    (counts.nodes + counts.waypoints) as f64 + TEST_WORK * counts.collision_tests as f64
}

fn share(hits: u64, misses: u64) -> Option<f64> {
    (hits + misses > 0).then(|| 100.0 * hits as f64 / (hits + misses) as f64)
}
