//! Every solver on every instance, and the summary of its runs.

use super::instances::Ground;
use super::methods::Method;
use super::runs::Run;
use super::{claims, figures, tables};
use crate::harness::statistics::{Summary, mean};
use crate::harness::{CaseId, Study, try_map};
use crate::{LabError, Options};

const STAGE: &str = "crowds";
/// Scenarios of each map and number of units.
const SCENARIOS: usize = 5;
const SCENARIOS_QUICK: usize = 2;
/// Expansions that every solver may spend, per unit.
const EXPANSIONS_PER_UNIT: u64 = 20_000;
const EXPANSIONS_PER_UNIT_QUICK: u64 = 5_000;

/// A map and a number of units on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Crowd {
    pub(super) ground: Ground,
    pub(super) units: usize,
}

/// All runs.
pub(super) struct Results {
    pub(super) crowds: Vec<Crowd>,
    pub(super) scenarios: usize,
    pub(super) expansions_per_unit: u64,
    /// By solver as in [`Method::ALL`], then by scenario and crowd.
    by_method: [Vec<Option<Run>>; Method::ALL.len()],
}

pub(super) fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    let results = Results::measure(study)?;
    tables::add(&results, study);
    claims::check(&results, study);
    figures::draw(&results, study)
}

fn crowds(options: &Options) -> Vec<Crowd> {
    let of = |ground: Ground| {
        let counts = ground.counts_of(options).into_iter();
        counts.map(move |units| Crowd { ground, units })
    };
    Ground::ALL.into_iter().flat_map(of).collect()
}

impl Results {
    fn measure(study: &mut Study<'_>) -> Result<Self, LabError> {
        let (crowds, is_quick) = (crowds(study.options()), study.options().quick);
        let scenarios = if is_quick { SCENARIOS_QUICK } else { SCENARIOS };
        let expansions_per_unit =
            if is_quick { EXPANSIONS_PER_UNIT_QUICK } else { EXPANSIONS_PER_UNIT };
        // Crowds alternate, so that all threads get large ones.
        let by_method = study.variants(STAGE, scenarios * crowds.len(), |id| {
            let (scenario, crowd) = (id.case / crowds.len(), crowds[id.case % crowds.len()]);
            runs(id, scenario, crowd, expansions_per_unit)
        })?;
        Ok(Self { crowds, scenarios, expansions_per_unit, by_method })
    }

    /// The runs of a solver in a crowd, by scenario; none where the solver was not run.
    pub(super) fn runs(&self, method: Method, crowd: Crowd) -> impl Iterator<Item = &Run> {
        let at = self.crowds.iter().position(|&known| known == crowd).unwrap_or(usize::MAX);
        let by_method = Method::ALL.iter().zip(&self.by_method);
        let of_method = by_method.filter(move |(known, _)| **known == method);
        let runs = of_method.flat_map(|(_, runs)| runs);
        runs.skip(at).step_by(self.crowds.len().max(1)).flatten()
    }

    /// The summary of a solver in a crowd; `None` where it was not run.
    pub(super) fn summary(&self, method: Method, crowd: Crowd) -> Option<CrowdResult> {
        let runs: Vec<&Run> = self.runs(method, crowd).collect();
        (!runs.is_empty()).then(|| CrowdResult::of(&runs, crowd.units))
    }

    /// The runs of two solvers on the same instances that both solved.
    pub(super) fn both(&self, a: Method, b: Method) -> impl Iterator<Item = (&Run, &Run)> {
        let pairs = self.crowds.iter().flat_map(move |&crowd| {
            let pairs = self.runs(a, crowd).zip(self.runs(b, crowd));
            pairs.collect::<Vec<_>>()
        });
        pairs.filter(|(a, b)| a.solved.is_some() && b.solved.is_some())
    }
}

/// Each solver's run of one instance.
fn runs(
    id: &CaseId,
    scenario: usize,
    Crowd { ground, units }: Crowd,
    expansions_per_unit: u64,
) -> Result<[Option<Run>; Method::ALL.len()], LabError> {
    let problem = ground.problem(id.seed, scenario, units)?;
    let bound = throng::lower_bound(&problem).ok_or_else(|| id.illegal("no way to a goal"))?;
    let expansions = expansions_per_unit * units as u64;
    try_map(Method::ALL, |method| {
        let run = || Run::of(id, method, &problem, bound.sum_of_costs, expansions);
        method.takes(units).then(run).transpose()
    })
}

/// The runs of one solver in one crowd together.
#[derive(Clone, Copy, Debug)]
pub(super) struct CrowdResult {
    pub(super) runs: usize,
    pub(super) solved: usize,
    /// Units that end on their goals, in percent, over all runs.
    pub(super) arrived: f64,
    /// Mean, least and largest cost over the lower bound of the runs that were solved.
    pub(super) cost: Option<(f64, f64, f64)>,
    /// Mean of the runs that were solved.
    pub(super) makespan: f64,
    pub(super) expanded: f64,
    /// The median.
    pub(super) milliseconds: f64,
}

impl CrowdResult {
    fn of(runs: &[&Run], units: usize) -> Self {
        let costs: Vec<f64> = runs.iter().filter_map(|run| run.cost()).collect();
        let ends =
            costs.iter().copied().reduce(f64::min).zip(costs.iter().copied().reduce(f64::max));
        let arrived = runs.iter().map(|run| run.arrived as f64 * 100.0 / units.max(1) as f64);
        let makespans = runs.iter().filter_map(|run| Some(f64::from(run.solved?.1)));
        Self {
            runs: runs.len(),
            solved: costs.len(),
            arrived: mean(arrived),
            cost: ends.map(|(least, largest)| (mean(costs.iter().copied()), least, largest)),
            makespan: mean(makespans),
            expanded: mean(runs.iter().map(|run| run.expanded as f64)),
            milliseconds: Summary::of(runs.iter().map(|run| run.milliseconds)).median,
        }
    }

    /// Whether at least half of the scenarios were solved.
    pub(super) fn mostly_solves(&self) -> bool {
        2 * self.solved >= self.runs
    }
}
