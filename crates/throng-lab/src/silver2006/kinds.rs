//! "Reservation Table Revisited": units of every size and speed in one world.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use throng::cooperative::{CrewOptions, Fleet, Whereabouts};
use throng::model::Conflicts;
use throng::spacetime::{FootprintRules, GridSpace};
use throng::{AStar, Cell, Ground, MovementProfile, Problem, Unit, ValidProblem};
use throng_draw::{Disc, Mark, Picture, Point, Stroke, svg, unit_colour};

use super::team::Team;
use crate::case::CaseId;
use crate::crowd::{Fate, Run, Tally};
use crate::xu_zou::best_path;
use crate::{Experiment, LabError, Options, Progress, Table, Value, generate, parallel};

const STAGE: &str = "kinds";
const SIDE: u32 = 48;
const OBSTACLES_PERCENT: u32 = 3;
/// Units start and end in the corners of squares of so many cells: between two of the
/// largest there is room for a third.
const SLOT: u16 = 6;
/// How many steps units look ahead.
const STEPS: u32 = 32;
/// Of each kind.
const UNITS: usize = 6;
const TURNS: u32 = 400;
/// When the picture is taken.
const MOMENT: u32 = 40;
/// Worlds.
const WORLDS: usize = 10;

/// Three sizes, three speeds.
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

/// Takes the first square that will do.
fn take(slots: &mut Vec<Cell>, will_do: impl Fn(Cell) -> bool) -> Option<Cell> {
    let at = slots.iter().position(|&slot| will_do(slot))?;
    Some(slots.remove(at))
}

fn world(id: &CaseId) -> Result<ValidProblem, LabError> {
    let mut rng = id.rng();
    let map = generate::random(SIDE, SIDE, OBSTACLES_PERCENT, rng.random())?;
    let (mut starts, mut goals) = (slots(&mut rng), slots(&mut rng));
    let movements = movements();
    let mut units = Vec::new();
    // The largest first: they have the least choice.
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
    problem.validate().map_err(|errors| id.illegal(errors.to_string()))
}

/// Everybody looks as many steps ahead, however slow. Large bodies take long to get out of
/// each other's way: with half the depth some never do.
fn team<'a>(problem: &ValidProblem, fleet: &'a Fleet<GridSpace>) -> Team<'a> {
    let pace = |unit: usize| problem.movements[problem.units[unit].movement].pace;
    Team::new(fleet, CrewOptions::default()).looking(|unit| STEPS * u32::from(pace(unit)))
}

/// Fates by unit, with the unit's kind.
type Trial = Vec<(usize, Fate)>;

pub(super) fn run(
    options: &Options,
    progress: &mut dyn FnMut(Progress),
    experiment: &mut Experiment,
) -> Result<(), LabError> {
    let id = |case| CaseId { stage: STAGE, seed: options.seed, case };
    let work = |(): &mut (), case: usize| trial(&id(case));
    let worlds = options.cases(WORLDS);
    let cases = parallel::cases(STAGE, worlds, options.threads, progress, work)?;
    let trials: Vec<(usize, Fate)> = cases.into_iter().flatten().collect();
    experiment.add_table(table(worlds, &trials));
    claims(&trials, experiment);
    experiment.add_picture(STAGE, moment(&id(0))?);
    Ok(())
}

fn trial(id: &CaseId) -> Result<Trial, LabError> {
    let problem = world(id)?;
    let fleet = Fleet::of(&problem, &FootprintRules::default());
    let mut team = team(&problem, &fleet);
    let run = Run::of(&mut team, TURNS);
    id.judge_plan(&problem, &run.plan(&fleet))?;
    let mut fates = run.fates(&fleet, &mut team);
    for (unit, fate) in fates.iter_mut().enumerate() {
        fate.shortest = shortest_ticks(&fleet, unit)?;
    }
    Ok(problem.units.iter().map(|unit| unit.movement).zip(fates).collect())
}

/// How long the unit's shortest path takes: diagonals are longer than straight steps, and
/// take as many ticks.
fn shortest_ticks(fleet: &Fleet<GridSpace>, unit: usize) -> Result<u64, LabError> {
    let (rider, space) = (fleet.riders[unit], fleet.space(unit));
    let ends = [rider.start, rider.goal].map(|at| space.cell(at));
    let path = best_path(space.ground(), &mut AStar::default(), ends[0], ends[1])?;
    let steps = path.map_or(0, |path| path.cells.len().saturating_sub(1));
    Ok(steps as u64 * u64::from(space.ground().movement().pace))
}

fn table(worlds: usize, trials: &[(usize, Fate)]) -> Table {
    let title = format!(
        "Sizes and speeds in one world ({worlds} worlds of {SIDE} x {SIDE} cells, {} units, \
         {TURNS} ticks)",
        UNITS * movements().len()
    );
    let columns =
        ["cells a side", "ticks a step", "units", "arrived %", "there at the end %", "of shortest"];
    let mut table = Table::new(STAGE, &title, &columns);
    for (kind, movement) in movements().iter().enumerate() {
        let of_kind = trials.iter().filter(|(known, _)| *known == kind).map(|(_, fate)| fate);
        let tally = Tally::of(of_kind, TURNS);
        table.push(vec![
            usize::from(movement.footprint).into(),
            usize::from(movement.pace).into(),
            tally.units.into(),
            Value::Number(tally.success, 2),
            Value::Number(tally.there, 2),
            Value::Number(tally.ratio, 3),
        ]);
    }
    table
}

fn claims(trials: &[(usize, Fate)], experiment: &mut Experiment) {
    let tally = Tally::of(trials.iter().map(|(_, fate)| fate), TURNS);
    let text = format!(
        "units of three sizes and three speeds never collide, and at least 99% of {} arrive: \
         {:.2}%",
        tally.units, tally.success
    );
    experiment.claim(tally.success >= 99.0, text);
}

/// A moment of the first world: bodies where they are, the ways they came, their goals.
fn moment(id: &CaseId) -> Result<String, LabError> {
    let problem = world(id)?;
    let fleet = Fleet::of(&problem, &FootprintRules::default());
    let mut team = team(&problem, &fleet);
    let plan = Run::of(&mut team, MOMENT).plan(&fleet);
    let mut picture = Picture::new(&problem.map);
    for (unit, at) in problem.units.iter().enumerate() {
        let side = problem.movements[at.movement].footprint;
        let (body, colour) = (body(&fleet, &team, unit, side), unit_colour(unit));
        let way = plan.paths[unit].iter().map(|&cell| Point::centre(cell, side));
        let way: Vec<Point> = way.chain(body).collect();
        picture = picture
            .stroke(Stroke::through("", way, colour))
            .marked(Mark::ring(unit, at.goal, side));
        if let Some(centre) = body {
            picture = picture.disc(Disc { centre, footprint: side, colour });
        }
    }
    let caption = format!(
        "tick {MOMENT}: bodies of 1 to 3 cells a side, 1 to 3 ticks a step, and their goals"
    );
    Ok(svg(&picture.caption(&caption)))
}

/// Where a unit's body is, between two cells too.
fn body(fleet: &Fleet<GridSpace>, team: &Team<'_>, unit: usize, side: u8) -> Option<Point> {
    let space = fleet.space(unit);
    let centre = |at| Point::centre(space.cell(at), side);
    let pace = f64::from(space.ground().movement().pace);
    match team.crew.whereabouts(unit as u32)? {
        Whereabouts::Standing(at) => Some(centre(at)),
        Whereabouts::UnderWay { from, to, arrival } => {
            let left = f64::from(arrival.0.saturating_sub(team.crew.now().0));
            Some(centre(from).towards(centre(to), 1.0 - left / pace))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng::Map;

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
