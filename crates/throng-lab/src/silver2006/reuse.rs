//! "Resuming Backwards Search": is the backward search of a unit kept from plan to plan, or begun
//! again from where the unit is now?
//!
//! Units of crowds walk as WHCA* as printed leads them. Every eight ticks each asks for the true
//! distances of all cells of its next sixteen steps: of the search that was begun towards its
//! start and is resumed, and of a search that is begun again.

use throng::cooperative::Windowed;
use throng::spacetime::{GridSpace, Position, Rra};

use super::DEPTH;
use crate::crowd::CrowdRun;
use crate::harness::{CaseId, Row, Rows, Rule, Statement, Study, row};
use crate::silver2005::arena::{self, TURNS, UNITS_MAX};
use crate::{LabError, Table};

const STAGE: &str = "reuse";
/// A search has grown too large when a plan makes it expand more nodes than it had when the unit
/// had planned first.
const ALL: &str = "all plans";
const GROWN: &str = "plans for which the search kept had to grow by more than its first size";

const SAVINGS: Statement = Statement::new(
    "Resuming backwards search",
    "can it be reused when units replan? \"Happily, the answer is yes\" (2005: \"the savings from reuse should in general \
     outweigh any additional expansions\"): nodes of searches begun again by searches kept",
    "above 1",
    Rule::above(1.0),
)
.shown("times", 2)
.because("units are pushed far away too often");

const RESTART: Statement = Statement::new(
    "Resuming backwards search",
    "\"if it grows too large, then it is probably worth restarting it from scratch\": nodes of searches kept by searches \
     begun again, where it grew by more than its first size",
    "above 1",
    Rule::above(1.0),
)
.shown("times", 2)
.because("what the search kept has closed already is near the goal, where a new search must go too");

pub(super) fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    let rows = study.trials(STAGE, "crowds", super::scenarios(study.options()), run_case)?;
    let text = "Crowds of 100 units under WHCA*(16) as printed. At each plan after the first a unit asks for the \
                true distances along its next 16 steps.";
    study.section("Resuming backwards search", text);
    study.table(table(&rows));
    let by = |name: &'static str, one: &'static str, other: &'static str| {
        rows.by_seed(|rows| {
            let of = rows.of(name);
            let sum = |metric: &str| of.sum(metric);
            (sum(other) > 0.0).then(|| sum(one) / sum(other))
        })
    };
    study.judge(&SAVINGS, &by(ALL, "again", "kept"));
    study.judge(&RESTART, &by(GROWN, "kept", "again"));
    Ok(())
}

/// Plans, and the nodes that their true distances take.
#[derive(Clone, Copy, Default)]
struct Counted {
    plans: u64,
    kept: u64,
    again: u64,
}

fn run_case(id: &CaseId) -> Result<Vec<Row>, LabError> {
    let problem = arena::problem(id.seed, id.case, UNITS_MAX)?;
    let instance = arena::instance(&problem);
    let planner = Windowed { window: DEPTH, ..Windowed::silver2005() };
    let mut simulation = planner.simulate(&instance, id.seed);
    let run = CrowdRun::of(id, &problem, &instance, &mut simulation, TURNS)?;
    let [mut all, mut grown] = [Counted::default(); 2];
    for (unit, path) in run.paths.iter().enumerate() {
        let space = instance.space(unit);
        let path: Vec<Position> = path.iter().filter_map(|&cell| space.position(cell)).collect();
        count(space, &path, instance.units[unit].goal, &mut all, &mut grown);
    }
    let row = |(name, counted): (&str, Counted)| {
        Row::of(name, format!("units={UNITS_MAX}"))
            .outcome(format!("{} plans", counted.plans))
            .spent(counted.kept, 0.0, 0)
            .metric("plans", counted.plans as f64)
            .metric("kept", counted.kept as f64)
            .metric("again", counted.again as f64)
    };
    Ok([(ALL, all), (GROWN, grown)].into_iter().map(row).collect())
}

/// Counts the plans of one unit after its first.
fn count(
    space: &GridSpace,
    path: &[Position],
    goal: Position,
    all: &mut Counted,
    grown: &mut Counted,
) {
    let depth = DEPTH as usize;
    let search = |from: Position| {
        let mut search: Rra = Rra::default();
        search.begin(space, [(goal, 0)], from);
        search
    };
    let ask = |search: &mut Rra, from: usize| {
        let before = search.expanded();
        for &at in path.iter().skip(from).take(depth + 1) {
            let _ = search.distance(space, at);
        }
        search.expanded() - before
    };
    let Some(&start) = path.first() else { return };
    let mut kept = search(start);
    let first = ask(&mut kept, 0);
    for (tick, &at) in path.iter().enumerate().skip(depth / 2).step_by(depth / 2) {
        if path[tick..].iter().all(|&at| at == goal) {
            return;
        }
        let plan = [ask(&mut kept, tick), ask(&mut search(at), tick)];
        let has_grown = plan[0] > first;
        for counted in [Some(&mut *all), has_grown.then_some(&mut *grown)].into_iter().flatten() {
            counted.plans += 1;
            counted.kept += plan[0];
            counted.again += plan[1];
        }
    }
}

fn table(rows: &Rows) -> Table {
    let title = "Nodes of backward searches after the first plan: sums over all crowds";
    let columns = ["plans", "number", "search kept and resumed", "search begun again"];
    let mut table = Table::new(STAGE, title, &columns);
    for name in [ALL, GROWN] {
        let of = rows.of(name);
        let sum = |metric: &str| (of.sum(metric), 0);
        table.push(row![name, sum("plans"), sum("kept"), sum("again")]);
    }
    table
}
