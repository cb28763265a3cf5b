//! Everything that can be measured without a clock.

use super::arena::{self, MAPS, Method, TURNS};
use super::{SCENARIOS, counts};
use crate::case::CaseId;
use crate::crowd::{Fate, Run, Tally};
use crate::statistics::mean;
use crate::{LabError, Options, Progress, Table, Value, parallel};

const STAGE: &str = "trials";

/// One planner's run.
struct Trial {
    fates: Vec<Fate>,
    expanded_first: u64,
    expanded_turn_max: u64,
    expanded_all: u64,
}

/// What came of all runs of one planner with one number of units.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Result {
    pub(super) tally: Tally,
    /// Mean nodes before anyone moved.
    pub(super) expanded_first: f64,
    /// Mean nodes of the dearest turn.
    pub(super) expanded_turn_max: f64,
    /// Mean nodes of the whole run.
    pub(super) expanded_all: f64,
}

impl Result {
    fn of(trials: &[&Trial]) -> Self {
        let mean_of = |value: fn(&Trial) -> u64| mean(trials.iter().map(|t| value(t) as f64));
        Self {
            tally: Tally::of(trials.iter().flat_map(|trial| &trial.fates), TURNS),
            expanded_first: mean_of(|trial| trial.expanded_first),
            expanded_turn_max: mean_of(|trial| trial.expanded_turn_max),
            expanded_all: mean_of(|trial| trial.expanded_all),
        }
    }
}

/// The results by number of units and planner, as in [`Method::ALL`].
pub(super) struct Results {
    pub(super) counts: &'static [usize],
    pub(super) scenarios: usize,
    pub(super) by_count: Vec<[Result; Method::ALL.len()]>,
}

/// Runs every planner on every scenario with every number of units.
pub(super) fn run(
    options: &Options,
    progress: &mut dyn FnMut(Progress),
) -> std::result::Result<Results, LabError> {
    let (counts, scenarios) = (counts(options), options.cases(SCENARIOS));
    let work = |(): &mut (), case: usize| {
        // Numbers of units take turns, so that all threads have the same share of crowds.
        let (units, scenario) = (counts[case % counts.len()], case / counts.len());
        trials(&CaseId { stage: STAGE, seed: options.seed, case }, scenario, units)
    };
    let cases = parallel::cases(STAGE, scenarios * counts.len(), options.threads, progress, work)?;
    let result = |count: usize, method: usize| {
        let of_count = cases.iter().skip(count).step_by(counts.len());
        Result::of(&of_count.map(|trials| &trials[method]).collect::<Vec<_>>())
    };
    let row = |count| std::array::from_fn(|method| result(count, method));
    Ok(Results { counts, scenarios, by_count: (0..counts.len()).map(row).collect() })
}

/// Each planner's run of one scenario.
fn trials(id: &CaseId, scenario: usize, units: usize) -> std::result::Result<Vec<Trial>, LabError> {
    let problem = arena::problem(id.seed, scenario, units)?;
    let fleet = arena::fleet(&problem);
    let trial = |method: Method| {
        let mut simulation = method.simulate(&fleet, id.seed);
        let run = Run::of(&mut *simulation, TURNS);
        let expanded_all = simulation.expanded();
        id.judge_plan(&problem, &run.plan(&fleet))?;
        Ok(Trial {
            fates: run.fates(&fleet, &mut *simulation),
            expanded_first: run.expanded_first,
            expanded_turn_max: run.expanded_turn_max(),
            expanded_all,
        })
    };
    Method::ALL.into_iter().map(trial).collect()
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
    pub(super) fn fullest(&self, method: Method) -> Result {
        self.of(self.counts.len() - 1, method)
    }

    /// The result of a planner with the n-th number of units.
    pub(super) fn of(&self, count: usize, method: Method) -> Result {
        let at = Method::ALL.iter().position(|&known| known == method);
        at.zip(self.by_count.get(count)).map_or(Result::default(), |(at, row)| row[at])
    }

    pub(super) fn table(&self) -> Table {
        let title = format!(
            "Cooperative pathfinding on {MAPS} environments ({} scenarios, {TURNS} turns; means \
             per unit; nodes per run)",
            self.scenarios
        );
        let mut table = Table::new("results", &title, &COLUMNS);
        for (count, results) in self.counts.iter().zip(&self.by_count) {
            for (method, result) in Method::ALL.iter().zip(results) {
                table.push(row(*count, *method, result));
            }
        }
        table
    }
}

fn row(units: usize, method: Method, result: &Result) -> Vec<Value> {
    let tally = &result.tally;
    let numbers = [
        (tally.success, 2),
        (tally.length, 2),
        (tally.ratio, 3),
        (tally.length_all, 2),
        (tally.ratio_all(), 3),
        (tally.shortest, 2),
        (tally.cycles, 2),
        (tally.cycles_on_the_way, 2),
        (tally.there, 2),
        (result.expanded_first, 0),
        (result.expanded_turn_max, 0),
        (result.expanded_all, 0),
    ];
    let name = method.name();
    let numbers = numbers.map(|(number, decimals)| Value::Number(number, decimals));
    [units.into(), name.as_str().into()].into_iter().chain(numbers).collect()
}
