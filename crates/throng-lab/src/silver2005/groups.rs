//! The window and the size of a group: "the maximum bottleneck time ... is the number of units in the
//! group. If the window size is lower than this threshold, bottleneck situations may not be resolved
//! well. If the window size is higher, then some redundant search will be performed."
//!
//! A group goes from one hall to another through a door of one cell, under WHCA* as printed.

use rand::RngExt as _;
use throng::cooperative::Windowed;
use throng::model::{Cell, Map, MovementProfile, Problem, Unit, ValidProblem};

use super::arena;
use crate::crowd::CrowdRun;
use crate::harness::{CaseId, Row, Rows, Rule, Statement, Study, row};
use crate::{LabError, Table};

const STAGE: &str = "groups";
const PER_SEED: usize = 10;
const PER_SEED_QUICK: usize = 2;
/// Units of a group.
const UNITS: usize = 24;
/// Side of each hall, in cells.
const HALL: u16 = 12;
const TURNS: u32 = 200;
/// Windows: a third of the group, two thirds, the group, and twice the group.
const WINDOWS: [u32; 4] = [8, 16, 24, 48];

const LOWER: Statement = Statement::new(
    "Discussion",
    "\"if the window size is lower\" than the number of units in the group, \"bottleneck situations may not be resolved \
     well\": turns of 24 units with a window of 8 by 24",
    "more: above 1",
    Rule::above(1.0),
)
.shown("times", 3)
.because("a queue before a door needs little foresight: all units go the same way");

const HIGHER: Statement = Statement::new(
    "Discussion",
    "\"if the window size is higher, then some redundant search will be performed\": nodes of 24 units with a window of \
     48 by 24",
    "more: above 1",
    Rule::above(1.0),
)
.shown("times", 2)
.because("a window twice as long plans half as often");

const DURATION: Statement = Statement::new(
    "Discussion",
    "the window should be \"the duration of the longest predicted bottleneck\": turns of 24 units with a window of 24 by \
     48, twice as long",
    "no more: at most 1.02, as we read it",
    Rule::at_most(1.02),
)
.shown("times", 3)
.because("the door is free again only when the last unit has walked to it");

pub(super) fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    let per_seed = if study.options().quick { PER_SEED_QUICK } else { PER_SEED };
    let rows = study.trials(STAGE, "groups", per_seed, run_case)?;
    let text = format!(
        "{UNITS} units go from random places in one hall of {HALL} x {HALL} cells to random places in \
         another, through a door of one cell, under WHCA* as printed."
    );
    study.section("The window and the size of a group", &text);
    study.table(table(&rows));
    let by = |metric: &'static str, one: u32, other: u32| {
        rows.by_seed(|rows| {
            Some(rows.of(&name(one)).mean(metric)? / rows.of(&name(other)).mean(metric)?)
        })
    };
    study.judge(&LOWER, &by("turns-all", 8, 24));
    study.judge(&HIGHER, &by("work", 48, 24));
    study.judge(&DURATION, &by("turns-all", 24, 48));
    Ok(())
}

fn name(window: u32) -> String {
    format!("WHCA*({window})")
}

fn run_case(id: &CaseId) -> Result<Vec<Row>, LabError> {
    let problem = halls(id)?;
    let instance = arena::instance(&problem);
    let run = |&window: &u32| {
        let planner = Windowed { window, ..Windowed::silver2005() };
        let mut simulation = planner.simulate(&instance, id.seed);
        let run = CrowdRun::of(id, &problem, &instance, &mut simulation, TURNS)?;
        Ok(run.row(name(window), format!("units={UNITS}"), TURNS))
    };
    WINDOWS.iter().map(run).collect()
}

/// Two halls, and a group on its way from the first to the second.
fn halls(id: &CaseId) -> Result<ValidProblem, LabError> {
    let mut rng = id.rng();
    let mut map = Map::empty(2 * u32::from(HALL) + 1, u32::from(HALL))?;
    let door = rng.random_range(0..HALL);
    for y in (0..HALL).filter(|&y| y != door) {
        map.set(Cell::new(HALL, y), Map::WALL)?;
    }
    let mut places = |left: u16| {
        let cell = |at: u16| Cell::new(left + at % HALL, at / HALL);
        let mut cells: Vec<Cell> = (0..HALL * HALL).map(cell).collect();
        for at in 0..UNITS {
            let other = rng.random_range(at..cells.len());
            cells.swap(at, other);
        }
        cells
    };
    let (starts, goals) = (places(0), places(HALL + 1));
    let pairs = starts.into_iter().zip(goals).take(UNITS);
    let units = pairs.map(|(start, goal)| Unit::new(start, goal)).collect();
    id.valid(Problem::new(map, MovementProfile::four_connected(), units))
}

fn table(rows: &Rows) -> Table {
    let title = format!("{UNITS} units through a door of one cell: means over groups");
    let columns = ["planner", "groups", "arrived %", "turns, failed = 200", "cycles", "nodes"];
    let mut table = Table::new(STAGE, &title, &columns);
    for window in WINDOWS {
        let of = rows.of(&name(window));
        let number = |metric: &str, decimals: usize| of.mean(metric).map(|mean| (mean, decimals));
        table.push(row![
            name(window),
            of.len(),
            number("arrived", 2),
            number("turns-all", 1),
            number("cycles", 2),
            number("work", 0),
        ]);
    }
    table
}
