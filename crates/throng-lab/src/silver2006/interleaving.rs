//! "Interleaving Searches": each unit plans in its own tick, or all at once.

use throng::cooperative::PlanningOptions;
use throng_draw::plot::{Axis, Chart};

use super::crowd_simulation::CrowdSimulation;
use super::{DEPTH, SCENARIOS};
use crate::crowd::{CrowdRun, CrowdSummary};
use crate::harness::statistics::mean;
use crate::harness::{CaseId, Study, row, try_map};
use crate::silver2005::arena::{self, TURNS, UNITS_MAX};
use crate::{LabError, Table};

const STAGE: &str = "interleaving";
const SWITCH: [(&str, bool); 2] = [("all at once", false), ("interleaved", true)];

pub(super) fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    let scenarios = study.scaled(SCENARIOS);
    let runs = study.variants(STAGE, scenarios, runs)?;
    let outcomes = runs.each_ref().map(|runs| CrowdSummary::of(runs, TURNS));
    study.table(table(scenarios, &outcomes));
    claims(&outcomes, study);
    study.figure(STAGE, chart(&runs)?);
    Ok(())
}

fn runs(id: &CaseId) -> Result<[CrowdRun; 2], LabError> {
    let problem = arena::problem(id.seed, id.case, UNITS_MAX)?;
    let instance = arena::instance(&problem);
    try_map(SWITCH, |(_, interleaved)| {
        let options = PlanningOptions { interleaved, ..PlanningOptions::default() };
        CrowdSimulation::new(&instance, options).with_depth(|_| DEPTH).run(id, &problem, TURNS)
    })
}

fn table(scenarios: usize, outcomes: &[CrowdSummary; 2]) -> Table {
    let title = format!(
        "Interleaving ({scenarios} crowds of {UNITS_MAX}, depth {DEPTH}, {TURNS} turns; nodes of \
         all units together)"
    );
    let columns = [
        "searches",
        "arrived %",
        "of shortest, failed = 100",
        "cycles",
        "nodes per turn",
        "p95",
        "most expensive turn",
    ];
    let mut table = Table::new(STAGE, &title, &columns);
    for ((name, _), outcome) in SWITCH.iter().zip(outcomes) {
        table.push(row![
            *name,
            (outcome.units.success, 2),
            (outcome.units.ratio_all(), 3),
            (outcome.units.cycles, 2),
            (outcome.expanded_turn.mean, 0),
            (outcome.expanded_turn.p95, 0),
            (outcome.expanded_turn_max, 0),
        ]);
    }
    table
}

fn claims([at_once, interleaved]: &[CrowdSummary; 2], study: &mut Study<'_>) {
    let text = format!(
        "interleaving cuts the most expensive turn to less than a third: {:.0} nodes instead of \
         {:.0}",
        interleaved.expanded_turn_max, at_once.expanded_turn_max
    );
    study.check(interleaved.expanded_turn_max * 3.0 < at_once.expanded_turn_max, text);
    let text = format!(
        "interleaving does not prevent arrivals: {:.2}% arrive, {:.2}% without",
        interleaved.units.success, at_once.units.success
    );
    study.check(interleaved.units.success + 0.5 >= at_once.units.success, text);
}

fn chart(runs: &[Vec<CrowdRun>; 2]) -> Result<String, LabError> {
    let title = "Interleaving: work of 100 units together, turn by turn";
    let mut chart = Chart::new(title, Axis::linear("turn"), Axis::linear("nodes expanded, mean"));
    for ((name, _), runs) in SWITCH.iter().zip(runs) {
        let nodes = |turn: u32| mean(runs.iter().map(|run| run.expanded[turn as usize] as f64));
        let points: Vec<_> = (0..TURNS).map(|turn| (f64::from(turn + 1), nodes(turn))).collect();
        chart = chart.line(name, &points);
    }
    Ok(chart.svg()?)
}
