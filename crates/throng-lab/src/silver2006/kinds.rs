//! "Reservation Table Revisited": units of every size and speed in one world.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use throng::cooperative::{Instance, Location, PlanningOptions};
use throng::grid::{AStar, Ground};
use throng::model::Conflicts;
use throng::model::UnitId;
use throng::model::{Cell, MovementProfile, Problem, Unit, ValidProblem};
use throng::spacetime::{FootprintRules, GridSpace};
use throng_draw::{Disc, Mark, Picture, Point, Stroke, svg, unit_colour};

use super::crowd_simulation::CrowdSimulation;
use crate::crowd::UnitSummary;
use crate::harness::best_path::best_path;
use crate::harness::{CaseId, Row, Rows, Rule, Statement, Study, row};
use crate::{LabError, Table, generate};

const STAGE: &str = "kinds";
const SIDE: u32 = 48;
const OBSTACLES_PERCENT: u32 = 3;
/// Side of the squares in whose corners units start and end, in cells: between two of the largest
/// units there is room for a third.
const SLOT: u16 = 6;
/// Steps that units plan ahead.
const STEPS: u32 = 32;
/// Units of each movement profile.
const UNITS: usize = 6;
const TURNS: u32 = 400;
/// The tick of the figure.
const MOMENT: u32 = 40;
/// Worlds per seed.
const WORLDS: usize = 2;

/// Three sizes times three speeds.
fn movements() -> Vec<MovementProfile> {
    let kinds = (1..=3).flat_map(|footprint| (1..=3).map(move |pace| (footprint, pace)));
    let kind = |(footprint, pace)| MovementProfile {
        footprint,
        pace,
        ..MovementProfile::eight_connected()
    };
    kinds.map(kind).collect()
}

/// Squares in a random order.
fn slots(rng: &mut Pcg64Mcg) -> Vec<Cell> {
    let along = SIDE as u16 / SLOT;
    let slot = |at: u16| Cell::new(at % along * SLOT, at / along * SLOT);
    let mut slots: Vec<Cell> = (0..along * along).map(slot).collect();
    for last in (1..slots.len()).rev() {
        slots.swap(last, rng.random_range(0..=last as u32) as usize);
    }
    slots
}

/// Removes the first suitable square.
fn take(slots: &mut Vec<Cell>, suits_unit: impl Fn(Cell) -> bool) -> Option<Cell> {
    let at = slots.iter().position(|&slot| suits_unit(slot))?;
    Some(slots.remove(at))
}

fn world(id: &CaseId) -> Result<ValidProblem, LabError> {
    let mut rng = id.rng();
    let map = generate::random(SIDE, SIDE, OBSTACLES_PERCENT, rng.random())?;
    let (mut starts, mut goals) = (slots(&mut rng), slots(&mut rng));
    let movements = movements();
    let mut units = Vec::new();
    // The largest first: fewest squares suit them.
    for (kind, movement) in movements.iter().enumerate().rev() {
        let ground = Ground::new(&map, movement.clone())?;
        for _ in 0..UNITS {
            let start = take(&mut starts, |slot| ground.can_stand(slot));
            let start = start.ok_or_else(|| id.no_case(1))?;
            let goal =
                take(&mut goals, |slot| ground.can_stand(slot) && ground.is_connected(start, slot));
            let goal = goal.ok_or_else(|| id.no_case(1))?;
            units.push(Unit { start, goal, movement: kind });
        }
    }
    let problem = Problem { map, movements, units, conflicts: Conflicts::default() };
    id.valid(problem)
}

/// All units plan the same number of steps ahead, at any pace. Large bodies take long to yield:
/// with half the depth some never do.
fn crowd<'a>(problem: &ValidProblem, instance: &'a Instance<GridSpace>) -> CrowdSimulation<'a> {
    let pace = |unit: usize| problem.movements[problem.units[unit].movement].pace;
    let crowd = CrowdSimulation::new(instance, PlanningOptions::default());
    crowd.with_depth(|unit| STEPS * u32::from(pace(unit)))
}

const SHARED: Statement = Statement::new(
    "Figure 5C",
    "\"the reservation table is shared between both units, despite their differences\": units of 3 sizes and 3 speeds that arrive, none collides",
    "shared; no number",
    Rule::at_least(99.0),
)
.shown("%", 2)
.because("large bodies block each other between obstacles");

pub(super) fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    let worlds = if study.options().quick { 1 } else { WORLDS };
    let rows = study.trials(STAGE, "worlds", worlds, trial)?;
    let text = "Worlds of 48 x 48 cells with 3% obstacles: bodies of 1 to 3 cells per side, 1 to 3 ticks per step.";
    study.section("Units of every size and speed", text);
    study.table(table(&rows));
    study.figure(STAGE, moment(&study.case(STAGE, 0))?);
    study.judge(&SHARED, &rows.by_seed(|rows| rows.mean("arrived")));
    Ok(())
}

fn trial(id: &CaseId) -> Result<Vec<Row>, LabError> {
    let problem = world(id)?;
    let instance = Instance::of(&problem, &FootprintRules::default());
    let run = crowd(&problem, &instance).run(id, &problem, TURNS)?;
    let mut units = run.units.clone();
    for (unit, result) in units.iter_mut().enumerate() {
        result.shortest = shortest_ticks(&instance, unit)?;
    }
    let row = |(kind, movement): (usize, &MovementProfile)| {
        let of_kind = problem.units.iter().zip(&units).filter(|(unit, _)| unit.movement == kind);
        let units = UnitSummary::of(of_kind.map(|(_, result)| result), TURNS);
        let parameters = format!("side={} pace={}", movement.footprint, movement.pace);
        let row = run.row("WHCA*".to_owned(), parameters, TURNS);
        let row = row.metric("arrived", units.success).metric("there", units.there);
        row.metric("ratio", units.ratio)
    };
    Ok(movements().iter().enumerate().map(row).collect())
}

/// The ticks of the unit's shortest path. Diagonal steps cost more than straight ones but take as
/// many ticks.
fn shortest_ticks(instance: &Instance<GridSpace>, unit: usize) -> Result<u64, LabError> {
    let (spec, space) = (instance.units[unit], instance.space(unit));
    let ends = [spec.start, spec.goal].map(|at| space.cell(at));
    let path = best_path(space.ground(), &mut AStar::default(), ends[0], ends[1])?;
    let steps = path.map_or(0, |path| path.cells.len().saturating_sub(1));
    Ok(steps as u64 * u64::from(space.ground().movement().pace))
}

fn table(rows: &Rows) -> Table {
    let title = format!(
        "Sizes and speeds in one world ({} units, {TURNS} ticks)",
        UNITS * movements().len()
    );
    let columns =
        ["cells per side", "ticks per step", "arrived %", "there at the end %", "of shortest"];
    let mut table = Table::new(STAGE, &title, &columns);
    for movement in movements() {
        let (side, pace) = (movement.footprint.to_string(), movement.pace.to_string());
        let of = rows.with("side", &side).with("pace", &pace);
        let number = |metric: &str, decimals: usize| of.mean(metric).map(|mean| (mean, decimals));
        table.push(row![side, pace, number("arrived", 2), number("there", 2), number("ratio", 3)]);
    }
    table
}

/// One tick of the first world: bodies, the paths behind them, their goals.
fn moment(id: &CaseId) -> Result<String, LabError> {
    let problem = world(id)?;
    let instance = Instance::of(&problem, &FootprintRules::default());
    let mut crowd = crowd(&problem, &instance);
    let run = crowd.run(id, &problem, MOMENT)?;
    let mut picture = Picture::new(&problem.map);
    for (unit, at) in problem.units.iter().enumerate() {
        let side = problem.movements[at.movement].footprint;
        let (body, colour) = (body(&instance, &crowd, unit, side), unit_colour(unit));
        let path = run.paths[unit].iter().map(|&cell| Point::centre(cell, side));
        let path: Vec<Point> = path.chain(body).collect();
        picture = picture
            .stroke(Stroke::through("", path, colour))
            .marked(Mark::ring(unit, at.goal, side));
        if let Some(centre) = body {
            picture = picture.disc(Disc { centre, footprint: side, colour });
        }
    }
    let caption = format!(
        "tick {MOMENT}: bodies of 1 to 3 cells per side, 1 to 3 ticks per step, and their goals"
    );
    Ok(svg(&picture.caption(&caption)))
}

/// The centre of a unit's body, also between two cells.
fn body(
    instance: &Instance<GridSpace>,
    crowd: &CrowdSimulation<'_>,
    unit: usize,
    side: u8,
) -> Option<Point> {
    let space = instance.space(unit);
    let centre = |at| Point::centre(space.cell(at), side);
    let pace = f64::from(space.ground().movement().pace);
    match crowd.store.location(UnitId::new(unit as u32))? {
        Location::Standing(at) => Some(centre(at)),
        Location::Moving { from, to, arrival } => {
            let left = f64::from(arrival.0.saturating_sub(crowd.store.now().0));
            Some(centre(from).towards(centre(to), 1.0 - left / pace))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng::model::Map;

    #[test]
    fn every_slot_is_drawn_once() {
        let mut rng = CaseId { stage: STAGE, seed: 1, case: 0 }.rng();
        let mut drawn = slots(&mut rng);
        drawn.sort_unstable();
        drawn.dedup();
        assert_eq!(drawn.len(), 64);
        assert!(Map::empty(SIDE, SIDE).unwrap().contains(Cell::new(42 + 5, 42 + 5)));
    }
}
