//! "Interleaving Searches": each unit plans in its own tick, or all at once.

use throng::cooperative::PlanningOptions;
use throng_draw::plot::{Axis, Chart};

use super::DEPTH;
use super::crowd_simulation::CrowdSimulation;
use crate::harness::{CaseId, Row, Rows, Rule, Statement, Study, row};
use crate::silver2005::arena::{self, TURNS, UNITS_MAX};
use crate::{LabError, Table};

const STAGE: &str = "interleaving";
const SWITCH: [(&str, bool); 2] = [("all at once", false), ("interleaved", true)];

const PERFORMANCE: Statement = Statement::new(
    "Interleaving searches",
    "interleaving improves \"the performance\": nodes of the most expensive turn, interleaved by all at once",
    "below 1",
    Rule::below(1.0),
)
.shown("of it", 2)
.because("no gain");

const ROBUSTNESS: Statement = Statement::new(
    "Interleaving searches",
    "and \"the robustness\": units that arrive, interleaved less all at once",
    "more: above 0",
    Rule::above(0.0),
)
.shown("percentage points", 2)
.because("nearly all arrive either way; promotion already frees those that are stuck");

pub(super) fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    let rows = study.trials(STAGE, "crowds", super::scenarios(study.options()), runs)?;
    study.section(
        "Interleaving searches",
        "The same crowds, depth 16: all units plan at the same ticks, or not.",
    );
    study.table(table(&rows));
    study.figure(STAGE, chart(&rows)?);
    let value = |rows: &Rows, name: &str, metric: &str| rows.of(name).mean(metric);
    let [(at_once, _), (interleaved, _)] = SWITCH;
    let by = |rows: &Rows| {
        Some(value(rows, interleaved, "turn-nodes")? / value(rows, at_once, "turn-nodes")?)
    };
    study.judge(&PERFORMANCE, &rows.by_seed(by));
    let more =
        |rows: &Rows| Some(value(rows, interleaved, "arrived")? - value(rows, at_once, "arrived")?);
    study.judge(&ROBUSTNESS, &rows.by_seed(more));
    Ok(())
}

fn metric_of(turn: u32) -> String {
    format!("turn-{turn:03}")
}

fn runs(id: &CaseId) -> Result<Vec<Row>, LabError> {
    let problem = arena::problem(id.seed, id.case, UNITS_MAX)?;
    let instance = arena::instance(&problem);
    let run = |&(name, interleaved): &(&str, bool)| {
        let options = PlanningOptions { interleaved, ..PlanningOptions::default() };
        let mut crowd = CrowdSimulation::new(&instance, options).with_depth(|_| DEPTH);
        let run = crowd.run(id, &problem, TURNS)?;
        let row = run.row(name.to_owned(), format!("units={UNITS_MAX}"), TURNS);
        let turns = (0..TURNS).zip(&run.expanded);
        Ok(turns.fold(row, |row, (turn, &nodes)| row.metric(&metric_of(turn), nodes as f64)))
    };
    SWITCH.iter().map(run).collect()
}

fn table(rows: &Rows) -> Table {
    let title =
        format!("Interleaving (crowds of {UNITS_MAX}, depth {DEPTH}; nodes of all units together)");
    let columns = [
        "searches",
        "arrived %",
        "of shortest, failed = 100",
        "cycles",
        "nodes per turn",
        "most expensive turn",
    ];
    let mut table = Table::new(STAGE, &title, &columns);
    for (name, _) in SWITCH {
        let of = rows.of(name);
        let number = |metric: &str, decimals: usize| of.mean(metric).map(|mean| (mean, decimals));
        table.push(row![
            name,
            number("arrived", 2),
            number("ratio-all", 3),
            number("cycles", 2),
            number("mean-nodes", 0),
            number("turn-nodes", 0),
        ]);
    }
    table
}

fn chart(rows: &Rows) -> Result<String, LabError> {
    let title = "Interleaving: work of 100 units together, turn by turn";
    let mut chart = Chart::new(title, Axis::linear("turn"), Axis::linear("nodes expanded, mean"));
    for (name, _) in SWITCH {
        let of = rows.of(name);
        let nodes = |turn: u32| Some((f64::from(turn + 1), of.mean(&metric_of(turn))?));
        let points: Vec<_> = (0..TURNS).filter_map(nodes).collect();
        chart = chart.line(name, &points);
    }
    Ok(chart.svg()?)
}
