//! A journey: one player walks from destination to destination.
//!
//! Lanctot et al. (2006), "Measurements" and "Experimental analysis".

use throng_scene::ValidScene;
use throng_scene::{ScenePathfinder, WalkMetrics, WalkOutcome};

use super::judge::judge;
use super::{Configuration, Query};
use crate::harness::clock::timed;
use crate::{LabError, Row};

/// The stage, for errors.
const STAGE: &str = "journeys";

/// The work of a journey. Everything but the times is reproducible.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Journey {
    queries: u64,
    counts: WalkMetrics,
    /// The part before the first step of each walk.
    first: WalkMetrics,
    first_ms: f64,
    total_ms: f64,
    collision_entries: usize,
    path_entries: usize,
}

impl Journey {
    /// Walks all queries of a workload, one after the other, with a pathfinder of its own. Every
    /// walk is checked.
    pub(super) fn of(
        configuration: &Configuration,
        mut finder: ScenePathfinder,
        scene: &ValidScene,
        queries: &[Query],
    ) -> Result<Self, LabError> {
        let mut journey = Self::default();
        for (case, query) in queries.iter().enumerate() {
            journey.walk(&mut finder, scene, query).map_err(|why| {
                let why = format!("{}, {query:?}: {why}", configuration.name);
                LabError::Illegal { stage: STAGE, case, why }
            })?;
        }
        journey.collision_entries = finder.collision_entries();
        journey.path_entries = finder.path_entries();
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

    /// The measurement: one row of a table.
    pub(super) fn row(&self, configuration: &Configuration, workload: &str) -> Row {
        let Self { queries, counts, first, .. } = self;
        let per_query = |value: f64| value / (*queries).max(1) as f64;
        let per_search = |value: f64| value / counts.searches.max(1) as f64;
        let distance = counts.length_millionths as f64 / 1e6;
        let row = Row::of(configuration.name, format!("workload={workload}"))
            .outcome(format!("{queries} arrived"))
            .spent(counts.nodes, self.total_ms, 0)
            .metric("nodes", per_search(counts.nodes as f64))
            .metric("searches", counts.searches as f64)
            .metric("waypoints", counts.waypoints as f64)
            .metric("distance", distance)
            .metric("tests", counts.collision_tests as f64)
            .metric("fallbacks", counts.fallbacks as f64)
            .metric("first_nodes", per_query(first.nodes as f64))
            .metric("first_ms", per_query(self.first_ms))
            .metric("search_ms", per_search(self.total_ms))
            .metric("speed_ms", distance / self.total_ms.max(f64::MIN_POSITIVE))
            .metric("entries", self.collision_entries.max(self.path_entries) as f64);
        let hits = [
            ("cc_hits", counts.collision_hits, counts.collision_misses),
            ("pc_hits", counts.path_hits, counts.path_misses),
        ];
        hits.into_iter().filter(|(_, hits, misses)| hits + misses > 0).fold(
            row,
            |row, (name, hits, misses)| {
                row.metric(name, 100.0 * hits as f64 / (hits + misses) as f64)
            },
        )
    }
}
