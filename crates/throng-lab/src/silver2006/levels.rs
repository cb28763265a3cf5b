//! "Unit Priorities": some units are more important than others.

use std::ops::Range;

use throng::cooperative::PlanningOptions;
use throng_draw::plot::BarChart;

use super::crowd_simulation::CrowdSimulation;
use super::{DEPTH, SCENARIOS};
use crate::crowd::{CrowdRun, UnitSummary};
use crate::harness::statistics::Summary;
use crate::harness::{CaseId, Study, row, try_map};
use crate::silver2005::arena::{self, TURNS, UNITS_MAX};
use crate::{LabError, Table};

const STAGE: &str = "levels";
/// The first units of each scenario are the important ones.
const HEROES: usize = 10;
const SWITCH: [(&str, u8); 2] = [("all equal", 0), ("heroes first", 1)];
const GROUPS: [(&str, Range<usize>); 2] = [("heroes", 0..HEROES), ("others", HEROES..UNITS_MAX)];

pub(super) fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    let scenarios = study.scaled(SCENARIOS);
    let runs =
        study.variants(STAGE, scenarios, |id| try_map(SWITCH, |(_, level)| one(id, level)))?;
    let outcomes = GROUPS.map(|(_, group)| runs.each_ref().map(|runs| Outcome::of(runs, &group)));
    study.table(table(scenarios, &outcomes));
    claims(&outcomes, study);
    study.figure(STAGE, chart(&outcomes)?);
    Ok(())
}

fn one(id: &CaseId, level: u8) -> Result<CrowdRun, LabError> {
    let problem = arena::problem(id.seed, id.case, UNITS_MAX)?;
    let instance = arena::instance(&problem);
    let crowd = CrowdSimulation::new(&instance, PlanningOptions::default()).with_depth(|_| DEPTH);
    let mut crowd = crowd.with_level(|unit| if unit < HEROES { level } else { 0 });
    crowd.run(id, &problem, TURNS)
}

/// The results of one group of units.
struct Outcome {
    units: UnitSummary,
    delay: Summary,
}

impl Outcome {
    fn of(runs: &[CrowdRun], group: &Range<usize>) -> Self {
        let units = || runs.iter().flat_map(|run| &run.units[group.clone()]);
        let delay = Summary::of(units().map(|unit| unit.delay(TURNS)));
        Self { units: UnitSummary::of(units(), TURNS), delay }
    }
}

fn table(scenarios: usize, outcomes: &[[Outcome; 2]; 2]) -> Table {
    let title = format!(
        "Levels of priority ({scenarios} crowds of {UNITS_MAX}, of them {HEROES} heroes; ticks \
         beyond the shortest path)"
    );
    let columns = ["units", "levels", "arrived %", "delay mean", "median", "p95", "cycles"];
    let mut table = Table::new(STAGE, &title, &columns);
    for ((group, _), of_group) in GROUPS.iter().zip(outcomes) {
        for ((name, _), Outcome { units, delay }) in SWITCH.iter().zip(of_group) {
            table.push(row![
                *group,
                *name,
                (units.success, 2),
                (delay.mean, 2),
                (delay.median, 0),
                (delay.p95, 0),
                (units.cycles, 2),
            ]);
        }
    }
    table
}

fn claims([heroes, others]: &[[Outcome; 2]; 2], study: &mut Study<'_>) {
    let delay = |group: &[Outcome; 2]| [group[0].delay.mean, group[1].delay.mean];
    let ([equal, first], [before, after]) = (delay(heroes), delay(others));
    let text = format!(
        "levels at least halve the delay of heroes: {first:.2} ticks instead of {equal:.2}"
    );
    study.check(first * 2.0 <= equal, text);
    let text = format!(
        "that costs each of the others less than a tick: {after:.2} ticks instead of {before:.2}"
    );
    study.check(after - before < 1.0, text);
}

fn chart(outcomes: &[[Outcome; 2]; 2]) -> Result<String, LabError> {
    let names = GROUPS.map(|(group, _)| group);
    let title = "Levels of priority: delay in a crowd of 100";
    let mut chart = BarChart::new(title, "units", "ticks beyond the shortest path, mean", &names);
    for (at, (name, _)) in SWITCH.iter().enumerate() {
        let delays = outcomes.each_ref().map(|group| group[at].delay.mean);
        chart = chart.series(name, &delays);
    }
    Ok(chart.svg()?)
}
