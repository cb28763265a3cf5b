//! Every planner on every scenario: all that is measured without a clock.

use super::arena::{self, MAPS, Method, TURNS};
use super::{SCENARIOS, claims, counts, figures};
use crate::crowd::{CrowdRun, CrowdSummary};
use crate::harness::{CaseId, Study, row, try_map};
use crate::{LabError, Table};

const STAGE: &str = "trials";

/// The results by number of units and planner, as in [`Method::ALL`].
pub(super) struct Results {
    pub(super) counts: &'static [usize],
    scenarios: usize,
    by_count: Vec<[CrowdSummary; Method::ALL.len()]>,
}

pub(super) fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    let results = measure(study)?;
    study.table(results.table());
    claims::check(&results, study);
    figures::draw(&results, study)
}

/// Runs every planner on every scenario with every number of units.
fn measure(study: &mut Study<'_>) -> Result<Results, LabError> {
    let (counts, scenarios) = (counts(study.options()), study.scaled(SCENARIOS));
    let by_method = study.variants(STAGE, scenarios * counts.len(), |id| {
        // Numbers of units alternate, so that all threads get large crowds.
        runs(id, id.case / counts.len(), counts[id.case % counts.len()])
    })?;
    let summaries = |count: usize| {
        let of_count = |runs: &Vec<CrowdRun>| {
            CrowdSummary::of(runs.iter().skip(count).step_by(counts.len()), TURNS)
        };
        by_method.each_ref().map(of_count)
    };
    Ok(Results { counts, scenarios, by_count: (0..counts.len()).map(summaries).collect() })
}

/// Each planner's run of one scenario.
fn runs(
    id: &CaseId,
    scenario: usize,
    units: usize,
) -> Result<[CrowdRun; Method::ALL.len()], LabError> {
    let problem = arena::problem(id.seed, scenario, units)?;
    let instance = arena::instance(&problem);
    try_map(Method::ALL, |method| {
        let mut simulation = method.simulate(&instance, id.seed);
        CrowdRun::of(id, &problem, &instance, &mut *simulation, TURNS)
    })
}

const COLUMNS: [&str; 14] = [
    "units",
    "planner",
    "arrived %",
    "turns",
    "of shortest",
    "turns, failed = 100",
    "of shortest, failed = 100",
    "shortest",
    "cycles",
    "cycles on the way",
    "there at the end %",
    "nodes first",
    "nodes turn max",
    "nodes all",
];

impl Results {
    /// The result of a planner with the most units.
    pub(super) fn fullest(&self, method: Method) -> CrowdSummary {
        self.of(self.counts.len() - 1, method)
    }

    /// The result of a planner with the n-th number of units.
    pub(super) fn of(&self, count: usize, method: Method) -> CrowdSummary {
        let at = Method::ALL.iter().position(|&known| known == method);
        at.zip(self.by_count.get(count)).map_or(CrowdSummary::default(), |(at, row)| row[at])
    }

    fn table(&self) -> Table {
        let title = format!(
            "Cooperative pathfinding on {MAPS} environments ({} scenarios, {TURNS} turns; means \
             per unit; nodes per run)",
            self.scenarios
        );
        let mut table = Table::new("results", &title, &COLUMNS);
        for (&count, results) in self.counts.iter().zip(&self.by_count) {
            for (method, result) in Method::ALL.iter().zip(results) {
                let units = &result.units;
                table.push(row![
                    count,
                    method.name(),
                    (units.success, 2),
                    (units.length, 2),
                    (units.ratio, 3),
                    (units.length_all, 2),
                    (units.ratio_all(), 3),
                    (units.shortest, 2),
                    (units.cycles, 2),
                    (units.cycles_on_the_way, 2),
                    (units.there, 2),
                    (result.expanded_first, 0),
                    (result.expanded_turn_max, 0),
                    (result.expanded_all, 0),
                ]);
            }
        }
        table
    }
}
