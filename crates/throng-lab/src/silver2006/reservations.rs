//! "The number of reservations at any time-step should correspond roughly to the number of units."

use throng::cooperative::{PlanningOptions, Simulation as _};
use throng::model::{Effort, Tick};
use throng::spacetime::{Entry, Space as _};

use super::DEPTH;
use super::crowd_simulation::CrowdSimulation;
use crate::harness::statistics::mean;
use crate::harness::{CaseId, Row, Rule, Statement, Study, row};
use crate::silver2005::arena::{self, UNITS_MAX};
use crate::{LabError, Table};

const STAGE: &str = "reservations";

const ROUGHLY: Statement = Statement::new(
    "Reservation table",
    "\"the number of reservations at any time-step should correspond roughly to the number of units\": entries that are \
     reserved per tick, by units",
    "1",
    Rule::about(1.0),
)
.because("a unit that cannot plan reserves the place where it stands for one tick only");

pub(super) fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    let rows = study.trials(STAGE, "crowds", super::scenarios(study.options()), run_case)?;
    let text = "Crowds of 100 units, depth 16: entries of the table that are reserved at each of the first nine \
                ticks, after all units have planned and before any moves.";
    study.section("Reservations per time-step", text);
    let mut table =
        Table::new(STAGE, "Reserved entries per tick", &["units", "crowds", "entries per tick"]);
    table.push(row![UNITS_MAX, rows.len(), rows.mean("per-tick").map(|mean| (mean, 1))]);
    study.table(table);
    study.judge(&ROUGHLY, &rows.by_seed(|rows| rows.mean("per-unit")));
    Ok(())
}

fn run_case(id: &CaseId) -> Result<Vec<Row>, LabError> {
    let problem = arena::problem(id.seed, id.case, UNITS_MAX)?;
    let instance = arena::instance(&problem);
    let mut crowd =
        CrowdSimulation::new(&instance, PlanningOptions::default()).with_depth(|_| DEPTH);
    crowd.prepare(&mut Effort::unlimited());
    let (space, table) = (instance.space(0), crowd.store.table());
    let entries = || (0..space.entries() as u32).map(Entry);
    let reserved =
        |tick: u32| entries().filter(|&entry| table.holder(entry, Tick(tick)).is_some()).count();
    let per_tick = mean((0..=DEPTH / 2).map(|tick| reserved(tick) as f64));
    let row = Row::of("WHCA*(16)", format!("units={UNITS_MAX}")).outcome("planned");
    let row = row.spent(crowd.expanded(), 0.0, 0).metric("per-tick", per_tick);
    Ok(vec![row.metric("per-unit", per_tick / UNITS_MAX as f64)])
}
