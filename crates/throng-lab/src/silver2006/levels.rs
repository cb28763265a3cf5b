//! "Unit Priorities": some units are more important than others.

use std::ops::Range;

use throng::cooperative::PlanningOptions;
use throng_draw::plot::BarChart;

use super::DEPTH;
use super::crowd_simulation::CrowdSimulation;
use crate::crowd::UnitSummary;
use crate::harness::statistics::mean;
use crate::harness::{CaseId, Row, Rows, Rule, Statement, Study, row};
use crate::silver2005::arena::{self, TURNS, UNITS_MAX};
use crate::{LabError, Table};

const STAGE: &str = "levels";
/// The first units of each scenario are the important ones.
const HEROES: usize = 10;
const SWITCH: [(&str, u8); 2] = [("all equal", 0), ("heroes first", 1)];
const GROUPS: [(&str, Range<usize>); 2] = [("heroes", 0..HEROES), ("others", HEROES..UNITS_MAX)];

const GIVE_WAY: Statement = Statement::new(
    "Unit priorities",
    "\"lesser units should be giving way to more important ones\": the delay of heroes, with priorities by all equal",
    "below 1",
    Rule::below(1.0),
)
.shown("of it", 2)
.because("no gain");

const OTHERS: Statement = Statement::new(
    "Unit priorities",
    "overridden units \"must then find an alternative path\": the delay of the others, with priorities by all equal",
    "at least 1",
    Rule::at_least(1.0),
)
.shown("of it", 2)
.because("ten heroes among a hundred hardly delay the others");

pub(super) fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    let rows = study.trials(STAGE, "crowds", super::scenarios(study.options()), runs)?;
    let text = "The same crowds; ten of the hundred units are heroes whose level is higher. Delays are ticks \
                beyond the shortest path; a unit that does not arrive counts as 100.";
    study.section("Unit priorities", text);
    study.table(table(&rows));
    study.figure(STAGE, chart(&rows)?);
    for (statement, (group, _)) in [GIVE_WAY, OTHERS].iter().zip(&GROUPS) {
        let delay = |rows: &Rows, name: &str| rows.of(name).with("group", group).mean("delay");
        let [(equal, _), (first, _)] = SWITCH;
        let by = |rows: &Rows| Some(delay(rows, first)? / delay(rows, equal)?);
        study.judge(statement, &rows.by_seed(by));
    }
    Ok(())
}

fn runs(id: &CaseId) -> Result<Vec<Row>, LabError> {
    let problem = arena::problem(id.seed, id.case, UNITS_MAX)?;
    let instance = arena::instance(&problem);
    let mut rows = Vec::new();
    for (name, level) in SWITCH {
        let crowd = CrowdSimulation::new(&instance, PlanningOptions::default());
        let crowd = crowd.with_depth(|_| DEPTH);
        let mut crowd = crowd.with_level(|unit| if unit < HEROES { level } else { 0 });
        let run = crowd.run(id, &problem, TURNS)?;
        for (group, range) in GROUPS {
            let units = run.units.get(range).unwrap_or_default();
            let summary = UnitSummary::of(units.iter(), TURNS);
            let delay = mean(units.iter().map(|unit| unit.delay(TURNS)));
            let row = run.row(name.to_owned(), format!("group={group}"), TURNS);
            let row = row.metric("arrived", summary.success).metric("cycles", summary.cycles);
            rows.push(row.metric("delay", delay));
        }
    }
    Ok(rows)
}

fn table(rows: &Rows) -> Table {
    let title = format!(
        "Levels of priority (crowds of {UNITS_MAX}, of them {HEROES} heroes; ticks beyond the shortest path)"
    );
    let columns = ["units", "levels", "arrived %", "delay mean", "cycles"];
    let mut table = Table::new(STAGE, &title, &columns);
    for (group, _) in GROUPS {
        for (name, _) in SWITCH {
            let of = rows.of(name).with("group", group);
            let number = |metric: &str| of.mean(metric).map(|mean| (mean, 2));
            table.push(row![group, name, number("arrived"), number("delay"), number("cycles")]);
        }
    }
    table
}

fn chart(rows: &Rows) -> Result<String, LabError> {
    let names = GROUPS.map(|(group, _)| group);
    let title = "Levels of priority: delay in a crowd of 100";
    let mut chart = BarChart::new(title, "units", "ticks beyond the shortest path, mean", &names);
    for (name, _) in SWITCH {
        let delays =
            names.map(|group| rows.of(name).with("group", group).mean("delay").unwrap_or(0.0));
        chart = chart.series(name, &delays);
    }
    Ok(chart.svg()?)
}
