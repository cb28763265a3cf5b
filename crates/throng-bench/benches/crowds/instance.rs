//! An instance of the benchmark, planned and refereed.

use throng::Solver;
use throng_formats::{MapOptions, map, scen};
use throng_model::{
    Budget, MovementProfile, Outcome, Planner as _, Problem, Silent, Solution, ValidProblem,
};

use crate::memory::peak_mib;
use crate::processor::{timed, used_ms};

/// A map and a scenario of the MovingAI benchmark.
pub(crate) struct Instance {
    pub(crate) map: String,
    pub(crate) scenario: u32,
    pub(crate) problem: ValidProblem,
}

/// A refereed plan.
pub(crate) struct Planned {
    pub(crate) milliseconds: f64,
    /// The peak memory of the process when the plan was ready.
    pub(crate) peak_mib: f64,
    /// Sum of costs, and makespan; `None` when not all units arrived in time.
    pub(crate) solved: Option<(u64, u32)>,
}

impl Instance {
    /// The first units of a scenario, all of them if `units` is `None`.
    pub(crate) fn load(name: &str, scenario: u32, units: Option<usize>) -> Result<Self, String> {
        let read = |folder: &str, file: String| {
            let folder = throng_testkit::bench_data::folder(folder);
            let folder =
                folder.ok_or("set THRONG_BENCH to the folder of the MovingAI benchmark")?;
            Ok::<_, String>(throng_testkit::bench_data::read(&folder.join(file)))
        };
        let bytes = read("maps", format!("{name}.map"))?;
        let map = map::read(&bytes, MapOptions::default()).map_err(|error| error.to_string())?;
        let bytes = read("scen/random", format!("{name}-random-{scenario}.scen"))?;
        let rows = scen::read(&bytes).map_err(|error| error.to_string())?;
        let problem = rows.problem(&map, units, MovementProfile::four_connected());
        let problem = problem.map_err(|error| error.to_string())?;
        Ok(Self { map: name.to_owned(), scenario, problem: valid(problem)? })
    }

    pub(crate) fn units(&self) -> usize {
        self.problem.units.len()
    }
}

pub(crate) fn valid(problem: Problem) -> Result<ValidProblem, String> {
    problem.validate().map_err(|errors| errors.to_string())
}

/// The names of all maps, in order.
pub(crate) fn maps() -> Result<Vec<String>, String> {
    let folder = throng_testkit::bench_data::folder("maps");
    let folder = folder.ok_or("set THRONG_BENCH to the folder of the MovingAI benchmark")?;
    let entries = std::fs::read_dir(folder).map_err(|error| error.to_string())?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> =
        names.filter_map(|name| Some(name.strip_suffix(".map")?.to_owned())).collect();
    names.sort_unstable();
    Ok(names)
}

/// Plans once within some seconds of processor time, and lets the referee check the plan.
pub(crate) fn plan(spec: &str, problem: &ValidProblem, seconds: f64) -> Result<Planned, String> {
    let solver = Solver::parse(spec).map_err(|error| error.to_string())?;
    let end = used_ms() + seconds * 1e3;
    let is_over = || used_ms() >= end;
    let budget = Budget::unlimited().with_interrupt(&is_over);
    let (report, milliseconds) = timed(|| solver.plan(problem, 1, budget, &mut Silent));
    let peak_mib = peak_mib();
    let solved = match report.map_err(|error| error.to_string())?.outcome {
        Outcome::Solved(solution) => Some(judged(problem, &solution)?),
        Outcome::ProvenUnsolvable(why) => return Err(why),
        _ => None,
    };
    Ok(Planned { milliseconds, peak_mib, solved })
}

/// Sum of costs and makespan by the referee.
fn judged(problem: &ValidProblem, solution: &Solution) -> Result<(u64, u32), String> {
    let verdict = throng_referee::check(problem, &solution.plan);
    if let Some(violation) = verdict.violations.first() {
        return Err(format!("the referee found a violation: {violation}"));
    }
    if verdict.sum_of_costs != solution.cost {
        return Err(format!("it costs {}, not {}", verdict.sum_of_costs, solution.cost));
    }
    Ok((verdict.sum_of_costs, verdict.makespan.0))
}

/// A cost as a multiple of the sum of the shortest paths.
pub(crate) fn over_bound(problem: &ValidProblem, cost: u64) -> f64 {
    let bound = throng::lower_bound(problem).map_or(0, |bound| bound.sum_of_costs);
    cost as f64 / bound.max(1) as f64
}

pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
