//! "Only 2n/w searches need be performed per turn": how many units plan in each turn.
//!
//! A unit has planned in a turn if its plan ends at another place or tick than before.

use throng::cooperative::{Simulation as _, Windowed, WindowedSimulation};
use throng::model::{Effort, Tick, UnitId};
use throng::spacetime::{GridSpace, Position};

use super::arena::{self, TURNS, UNITS_MAX};
use crate::harness::statistics::mean;
use crate::harness::{CaseId, Row, Rows, Rule, Statement, Study, row};
use crate::{LabError, Table};

const STAGE: &str = "searches";
const WINDOWS: [u32; 3] = [8, 16, 32];

const SEARCHES: Statement = Statement::new(
    "Windowed Hierarchical Cooperative A*",
    "\"only 2n/w searches need be performed per turn\": units that plan per turn by 2n/w, 100 units, the window \
     furthest from 1 of 8, 16 and 32",
    "1",
    Rule::about(1.0).or_below(2.0),
)
.because("a unit whose way is blocked plans in every turn until it is free");

pub(super) fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    let scenarios = if study.options().quick { 1 } else { arena::MAPS };
    let rows = study.trials(STAGE, "crowds", scenarios, run_case)?;
    let text = "Crowds of 100 units under WHCA* as printed. The mean is over all turns; units plan in \
                different turns.";
    study.section("Searches per turn", text);
    study.table(table(&rows));
    let furthest = |rows: &Rows| {
        let factors = WINDOWS.iter().filter_map(|&window| factor(rows, window));
        factors.max_by(|a, b| (a - 1.0).abs().total_cmp(&(b - 1.0).abs()))
    };
    study.judge(&SEARCHES, &rows.by_seed(furthest));
    Ok(())
}

fn name(window: u32) -> String {
    format!("WHCA*({window})")
}

/// 2n/w.
fn expected(window: u32) -> f64 {
    2.0 * UNITS_MAX as f64 / f64::from(window)
}

fn factor(rows: &Rows, window: u32) -> Option<f64> {
    Some(rows.of(&name(window)).mean("searches")? / expected(window))
}

fn run_case(id: &CaseId) -> Result<Vec<Row>, LabError> {
    let problem = arena::problem(id.seed, id.case, UNITS_MAX)?;
    let instance = arena::instance(&problem);
    let run = |&window: &u32| {
        let planner = Windowed { window, ..Windowed::silver2005() };
        let mut simulation = planner.simulate(&instance, id.seed);
        simulation.prepare(&mut Effort::unlimited());
        let searches: Vec<usize> = (0..TURNS).map(|_| searches_of_turn(&mut simulation)).collect();
        let most = searches.iter().max().map_or(0, |&most| most);
        Row::of(name(window), format!("units={UNITS_MAX}"))
            .outcome(format!("{TURNS} turns"))
            .spent(simulation.expanded(), 0.0, 0)
            .metric("searches", mean(searches.iter().map(|&count| count as f64)))
            .metric("most", most as f64)
    };
    Ok(WINDOWS.iter().map(run).collect())
}

/// Runs a turn; how many units planned in it.
fn searches_of_turn(simulation: &mut WindowedSimulation<'_, GridSpace>) -> usize {
    let before = ends(simulation);
    simulation.turn(&mut Effort::unlimited());
    before.iter().zip(ends(simulation)).filter(|(before, after)| **before != *after).count()
}

/// Where and when the plan of each unit ends.
fn ends(simulation: &WindowedSimulation<'_, GridSpace>) -> Vec<Option<(Position, Tick)>> {
    let units = (0..UNITS_MAX as u32).map(UnitId::new);
    units.map(|unit| simulation.store().get(unit)?.plan_end()).collect()
}

fn table(rows: &Rows) -> Table {
    let title = format!("Searches per turn, {UNITS_MAX} units: means over crowds");
    let columns = ["planner", "crowds", "2n/w", "searches per turn", "most in a turn"];
    let mut table = Table::new(STAGE, &title, &columns);
    for window in WINDOWS {
        let of = rows.of(&name(window));
        table.push(row![
            name(window),
            of.len(),
            (expected(window), 2),
            of.mean("searches").map(|mean| (mean, 2)),
            of.mean("most").map(|mean| (mean, 1)),
        ]);
    }
    table
}
