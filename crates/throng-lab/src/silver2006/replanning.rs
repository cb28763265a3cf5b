//! "A good compromise is to replan halfway through the partial path": from every time-step to the
//! end of the path.

use throng::cooperative::PlanningOptions;
use throng_draw::plot::{Axis, Chart};

use super::DEPTH;
use super::crowd_simulation::CrowdSimulation;
use crate::harness::{CaseId, Row, Rows, Rule, Statement, Study, row};
use crate::silver2005::arena::{self, TURNS, UNITS_MAX};
use crate::{LabError, Table};

const STAGE: &str = "replanning";
/// Steps of its path of 16 after which a unit plans again.
const AFTER: [u32; 5] = [1, DEPTH / 4, DEPTH / 2, 3 * DEPTH / 4, DEPTH];

const END: Statement = Statement::new(
    "Interleaving searches",
    "as a unit \"comes to the end of the partial path, it becomes less and less cooperative\": turns when it replans at \
     the end by halfway",
    "more",
    Rule::above(1.0),
)
.shown("times", 3)
.because("no difference");

const EVERY: Statement = Statement::new(
    "Interleaving searches",
    "\"replanning every time-step would be prohibitively expensive\": nodes when replanning at every step by halfway",
    "prohibitive: above 2, as we read it",
    Rule::above(2.0).or_above(1.0),
)
.shown("times", 2)
.because("many nodes either way are those of backward searches, which are kept");

const HALFWAY: Statement = Statement::new(
    "Interleaving searches",
    "\"a good compromise is to replan halfway through the partial path\": fewer turns than at the end, and fewer nodes \
     than at a quarter and at every step",
    "halfway",
    Rule::is_so(),
)
.because("which of two fractions brings units there sooner changes from crowd to crowd");

pub(super) fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    let rows = study.trials(STAGE, "crowds", super::scenarios(study.options()), run_case)?;
    let text = "The same crowds under WHCA* as printed with paths of 16 steps. Units plan again after some of \
                these steps, or when they have no plan; they are staggered.";
    study.section("Replanning halfway", text);
    study.table(table(&rows));
    study.figure(STAGE, chart(&rows)?);
    let value = |rows: &Rows, after: u32, metric: &str| rows.of(&name(after)).mean(metric);
    let [every, quarter, half, _, end] = AFTER;
    let by = |one: u32, other: u32, metric: &'static str| {
        rows.by_seed(|rows| Some(value(rows, one, metric)? / value(rows, other, metric)?))
    };
    study.judge(&END, &by(end, half, "ratio-all"));
    study.judge(&EVERY, &by(every, half, "work"));
    let is_compromise = |rows: &Rows| {
        let sooner = value(rows, half, "ratio-all")? < value(rows, end, "ratio-all")?;
        let nodes = value(rows, half, "work")?;
        let cheaper = nodes < value(rows, quarter, "work")? && nodes < value(rows, every, "work")?;
        Some(f64::from(u8::from(sooner && cheaper)))
    };
    study.judge(&HALFWAY, &rows.by_seed(is_compromise));
    Ok(())
}

fn name(after: u32) -> String {
    match after {
        1 => "every step".to_owned(),
        after => format!("after {after} of {DEPTH} steps"),
    }
}

fn run_case(id: &CaseId) -> Result<Vec<Row>, LabError> {
    let problem = arena::problem(id.seed, id.case, UNITS_MAX)?;
    let instance = arena::instance(&problem);
    let run = |&after: &u32| {
        let crowd = CrowdSimulation::new(&instance, PlanningOptions::silver2005());
        let mut crowd = crowd.with_depth(|_| DEPTH).replanning_after(after);
        let run = crowd.run(id, &problem, TURNS)?;
        Ok(run.row(name(after), format!("units={UNITS_MAX} after={after}"), TURNS))
    };
    AFTER.iter().map(run).collect()
}

fn table(rows: &Rows) -> Table {
    let title = format!("When to replan (crowds of {UNITS_MAX}, paths of {DEPTH} steps)");
    let columns = ["units plan again", "arrived %", "of shortest, failed = 100", "cycles", "nodes"];
    let mut table = Table::new(STAGE, &title, &columns);
    for after in AFTER {
        let of = rows.of(&name(after));
        let number = |metric: &str, decimals: usize| of.mean(metric).map(|mean| (mean, decimals));
        table.push(row![
            name(after),
            number("arrived", 2),
            number("ratio-all", 3),
            number("cycles", 2),
            number("work", 0),
        ]);
    }
    table
}

fn chart(rows: &Rows) -> Result<String, LabError> {
    let points = |metric: &str| -> Vec<(f64, f64)> {
        let point = |&after: &u32| Some((f64::from(after), rows.of(&name(after)).mean(metric)?));
        AFTER.iter().filter_map(point).collect()
    };
    let axis = || Axis::linear("steps of 16 after which units plan again");
    let y = Axis::linear("turns, multiple of the shortest path");
    let chart = Chart::new("When to replan: turns until arrival", axis(), y);
    let turns = chart.line("100 units", &points("ratio-all")).svg()?;
    let chart = Chart::new("When to replan: work", axis(), Axis::log("nodes of all turns, mean"));
    let nodes = chart.line("100 units", &points("work")).svg()?;
    Ok(crate::harness::svg_layout::beside(&[turns, nodes]))
}
