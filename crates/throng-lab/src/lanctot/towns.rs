//! Every row of tables 2 to 4 on every workload, in a town of each seed.

use throng_scene::{Method, PathCacheOptions, PathfinderOptions, ScenePathfinder};

use super::journey::Journey;
use super::stored_paths;
use super::{Configuration, Input, Query, Setting};
use crate::harness::{Rows, Study};
use crate::{LabError, Row};

const STAGE: &str = "towns";
/// Repetitions of every journey in a full run. The least time counts: it is least disturbed.
const REPEATS: usize = 3;

/// Measures the town of each seed: its games, its workloads, and all journeys.
pub(super) fn run(input: &Input, study: &mut Study<'_>) -> Result<Rows, LabError> {
    let quick = study.options().quick;
    study.trials(STAGE, "towns", 1, |id| {
        let setting = Setting::of_input(input, id.seed, quick)?;
        let mut rows = setting.rows();
        for configuration in &Configuration::ALL {
            rows.extend(journeys(configuration, &setting, id.seed, quick)?);
        }
        rows.push(repeated(&setting)?);
        for (name, queries) in &setting.workloads {
            let options = PathfinderOptions { method: Method::Gr, ..PathfinderOptions::default() };
            let mut finder = ScenePathfinder::new(&setting.scene, options, &[])?;
            rows.push(stored_paths::measure(&mut finder, &setting.scene, (name, queries))?);
        }
        Ok(rows)
    })
}

/// The journeys of one configuration on every workload.
fn journeys(
    configuration: &Configuration,
    setting: &Setting,
    seed: u64,
    quick: bool,
) -> Result<Vec<Row>, LabError> {
    let finder = configuration.pathfinder(setting, seed)?;
    let repeats = if quick { 1 } else { REPEATS };
    let journey = |(name, queries): &(&str, Vec<Query>)| {
        let once = || Journey::of(configuration, finder.clone(), &setting.scene, queries);
        let least = (1..repeats).try_fold(once()?, |least, _| Ok(least.least(&once()?)));
        least.map(|journey: Journey| journey.row(configuration, name))
    };
    setting.workloads.iter().map(journey).collect()
}

/// Figure 5: nodes of a search between two points, and of the same search once the path is cached.
fn repeated(setting: &Setting) -> Result<Row, LabError> {
    let mut finder = caching_finder(setting)?;
    let query = setting.longest_query();
    let mut nodes = || match finder.find(&setting.scene, query.from, query.to) {
        Ok(mut walk) => {
            walk.finish(&mut finder, &setting.scene);
            walk.metrics().nodes as f64
        }
        Err(_) => 0.0,
    };
    let (first, again) = (nodes(), nodes());
    Ok(Row::of("figure 5", "").metric("first", first).metric("again", again))
}

/// Grid level with an empty path cache.
pub(super) fn caching_finder(setting: &Setting) -> Result<ScenePathfinder, LabError> {
    let options = PathfinderOptions {
        method: Method::Gr,
        path_cache: Some(PathCacheOptions::default()),
        ..PathfinderOptions::default()
    };
    Ok(ScenePathfinder::new(&setting.scene, options, &[])?)
}
