//! Footnote 5: "if there is no solution to the problem, no method outlined in this paper will have a
//! significant impact on the discovery of this fact".
//!
//! Three units in a corridor whose goals lie in another order than their starts. Every planner of the
//! paper proves it by searching all joint states that it can reach.

use rand::RngExt as _;
use throng::model::{Budget, Map, Outcome, Problem, Silent, Unit, ValidProblem};

use super::instances::movement;
use super::methods::Method;
use crate::harness::clock::timed;
use crate::harness::{CaseId, Row, Rows, Rule, Statement, Study, row};
use crate::{LabError, Table};

const STAGE: &str = "unsolvable";
const PER_SEED: usize = 10;
const PER_SEED_QUICK: usize = 3;
/// Length of the corridors, in cells.
const LENGTH: u16 = 24;
const UNITS: usize = 3;
/// The paper's planners. The first has none of the techniques.
const METHODS: [Method; 6] = [
    Method::Standard,
    Method::Decomposition,
    Method::Partial,
    Method::StandardIndependent,
    Method::DecompositionIndependent,
    Method::PartialIndependent,
];

const NO_SOLUTION: Statement = Statement::new(
    "Operator decomposition, footnote 5",
    "without a solution no technique has \"a significant impact on the discovery of this fact\": time of S by that of \
     the fastest technique",
    "none: below 2, as we read it",
    Rule::below(2.0),
)
.shown("times", 2)
.because("a group that cannot be solved proves it for all units, and it is smaller");

pub(super) fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    let per_seed = if study.options().quick { PER_SEED_QUICK } else { PER_SEED };
    let rows = study.trials(STAGE, "instances", per_seed, run_case)?;
    let text = format!(
        "Three units in a corridor of {LENGTH} cells whose goals lie in another order than their starts, \
         so that each can reach its goal and not all can. Every planner proves it; times are sums over \
         the instances."
    );
    study.section("Footnote 5: instances without a solution", &text);
    study.table(table(&rows));
    let time = |rows: &Rows, method: Method| rows.of(method.name()).sum("ms");
    let by = |rows: &Rows| {
        let others = METHODS[1..].iter().map(|&method| time(rows, method));
        Some(time(rows, METHODS[0]) / others.reduce(f64::min)?.max(f64::MIN_POSITIVE))
    };
    study.judge(&NO_SOLUTION, &rows.by_seed(by));
    Ok(())
}

fn run_case(id: &CaseId) -> Result<Vec<Row>, LabError> {
    let problem = corridor(id)?;
    METHODS.iter().map(|&method| proof(id, &problem, method)).collect()
}

/// Units whose goals lie in another order than their starts.
fn corridor(id: &CaseId) -> Result<ValidProblem, LabError> {
    const TRIES: u32 = 100;
    let mut rng = id.rng();
    let mut places = || {
        let mut cells: Vec<u16> = (0..LENGTH).collect();
        for at in 0..UNITS {
            let other = rng.random_range(at..cells.len());
            cells.swap(at, other);
        }
        cells.truncate(UNITS);
        cells
    };
    for _ in 0..TRIES {
        let (starts, goals) = (places(), places());
        let is_before = |cells: &[u16], a: usize, b: usize| cells[a] < cells[b];
        let pairs = [(0, 1), (0, 2), (1, 2)];
        if pairs.iter().all(|&(a, b)| is_before(&starts, a, b) == is_before(&goals, a, b)) {
            continue;
        }
        let units = starts.iter().zip(&goals).map(|(&from, &to)| Unit::new((from, 0), (to, 0)));
        let map = Map::empty(u32::from(LENGTH), 1)?;
        return id.valid(Problem::new(map, movement(), units.collect()));
    }
    Err(id.no_case(TRIES))
}

/// The row of a planner, which must prove that there is no solution.
fn proof(id: &CaseId, problem: &ValidProblem, method: Method) -> Result<Row, LabError> {
    let planner = method.planner();
    let (report, milliseconds) =
        timed(|| planner.plan_detailed(problem, Budget::unlimited(), &mut Silent));
    let report = report.map_err(|error| id.illegal(error.to_string()))?;
    if !matches!(report.report.outcome, Outcome::ProvenUnsolvable(_)) {
        return Err(id.illegal(format!("{} solves what cannot be solved", method.name())));
    }
    let statistics = report.statistics;
    Ok(Row::of(method.name(), format!("units={UNITS}"))
        .outcome("proven unsolvable")
        .spent(statistics.expanded, milliseconds, statistics.bytes)
        .metric("generated", statistics.generated as f64)
        .metric("largest", statistics.largest_group as f64))
}

fn table(rows: &Rows) -> Table {
    let title = "What it takes to prove that there is no solution: means";
    let columns = ["planner", "instances", "nodes expanded", "generated", "largest group", "ms"];
    let mut table = Table::new("unsolvable-time", title, &columns);
    for method in METHODS {
        let of = rows.of(method.name());
        let number = |metric: &str, decimals: usize| of.mean(metric).map(|mean| (mean, decimals));
        table.push(row![
            method.name(),
            of.len(),
            number("work", 0),
            number("generated", 0),
            number("largest", 1),
            number("ms", 3),
        ]);
    }
    table
}
