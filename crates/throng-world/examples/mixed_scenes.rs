//! Runs random scenes of mixed sizes and paces in the live world, and lists those that stay open.
//!
//! `mixed_scenes [--kind mixed|shuffled|pairs] [--from SEED] [--scenes COUNT] [--ticks TICKS]
//! [--window TICKS] [--strict] [--show] [--plans COUNT]`. With `--plans`, the cluster planner is
//! asked so often for a plan of a scene that does not end: from its start, and from where its units
//! are. Several processes can share a range of seeds. A scene ends when all units stand on their
//! goals. One that does not end is *open* if a plan is known: an order in which units walk one by
//! one, the way in which the scene was made, or a plan of the cluster planner. Every tick is
//! checked by the referee.
//!
//! **Open cases**, default window, 3,000 ticks, of 100,000 scenes: mixed 0 to 49,999, shuffled 0 to
//! 29,999 and pairs 0 to 19,999. They were run before jams were first planned for all their units
//! and before routes led past standing units; ten were open then: mixed 14393, 18973, 20084, 27105,
//! 33243, 35928, 37566, 43354, 43385 and 46511. Of these six are open now: 14393, 20084, 27105,
//! 33243, 37566 and 46511; the other scenes were not repeated.
//! In those looked at, a search of two million expansions finds a plan from the start, and hardly
//! ever one from where the units have got to.
#![expect(clippy::print_stdout, reason = "it is a command")]

use std::process::ExitCode;

use throng_anytime::{ClusterOutcome, ClusterPlanner, ClusterUnit};
use throng_model::{Conflicts, Problem, UnitId};
use throng_referee::{Heading, LiveReferee, Sighting};
use throng_spacetime::{FootprintRules, GridSpace, PassingRule};
use throng_testkit::{mixed_scene, one_by_one, pair_scene, shuffled_scene};
use throng_world::{Order, Spawn, Step, UnitStatus, World, WorldOptions};

/// Expansions of the cluster planner when it is asked whether a scene has a plan.
const EXPANSIONS: u64 = 2_000_000;

struct Settings {
    kind: String,
    from: u64,
    scenes: u64,
    ticks: u32,
    window: u32,
    is_strict: bool,
    shows: bool,
    plans: u64,
}

impl Settings {
    fn read() -> Result<Self, String> {
        let mut settings = Self {
            kind: "mixed".to_owned(),
            from: 0,
            scenes: 1000,
            ticks: 3000,
            window: WorldOptions::default().window,
            is_strict: false,
            shows: false,
            plans: 0,
        };
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let mut number = || {
                let given = words.next().and_then(|number| number.parse::<u64>().ok());
                given.ok_or_else(|| format!("{word} needs a number"))
            };
            match word.as_str() {
                "--from" => settings.from = number()?,
                "--scenes" => settings.scenes = number()?,
                "--ticks" => settings.ticks = number()?.min(u32::MAX.into()) as u32,
                "--window" => settings.window = number()?.min(48) as u32,
                "--plans" => settings.plans = number()?,
                "--strict" => settings.is_strict = true,
                "--show" => settings.shows = true,
                "--kind" => settings.kind = words.next().ok_or("--kind needs a name")?,
                _ => return Err(format!("`{word}` means nothing here; see the head of the file")),
            }
        }
        Ok(settings)
    }

    fn scene(&self, seed: u64) -> Result<Problem, String> {
        match self.kind.as_str() {
            "mixed" => Ok(mixed_scene(seed)),
            "shuffled" => Ok(shuffled_scene(seed)),
            "pairs" => Ok(pair_scene(seed)),
            other => Err(format!("there are no scenes `{other}`: give mixed, shuffled or pairs")),
        }
    }

    /// Whether a plan is known before the scene is run.
    fn has_order(&self, problem: &Problem) -> bool {
        self.kind == "shuffled" && !self.is_strict || one_by_one(problem, self.is_strict).is_some()
    }

    fn options(&self) -> WorldOptions {
        let passing =
            if self.is_strict { PassingRule::DoubleClaims } else { PassingRule::default() };
        WorldOptions { window: self.window, passing, ..WorldOptions::default() }
    }
}

/// A unit is restless if it moves when all units are on their goals, in the next so many ticks; or
/// in the last so many of a scene that does not end, though it has arrived.
const QUIET: u32 = 50;
const LAST: u32 = 500;

/// A scene in the live world.
struct Run {
    /// The tick of the last step of each unit.
    moved: Vec<u32>,
    world: World,
    units: Vec<UnitId>,
    referee: LiveReferee,
}

impl Run {
    fn new(problem: &Problem, options: WorldOptions) -> Result<Self, String> {
        let world = World::new(problem.map.clone(), options);
        let mut world = world.map_err(|error| error.to_string())?;
        let mut units = Vec::new();
        for unit in &problem.units {
            let spawn = Spawn::new(problem.movements[unit.movement].clone());
            let spawned = world.spawn(unit.start, &spawn);
            units.push(spawned.map_err(|error| error.to_string())?);
        }
        for (&unit, goal) in units.iter().zip(problem.units.iter().map(|unit| unit.goal)) {
            world.order(unit, Order::go(goal)).map_err(|error| error.to_string())?;
        }
        let (moved, referee) = (vec![0; units.len()], LiveReferee::new(Conflicts::default()));
        Ok(Self { moved, world, units, referee })
    }

    /// Ticks until all units are on their goals. Returns how many ticks that took.
    fn settle(&mut self, problem: &Problem, ticks: u32) -> Result<Option<u32>, String> {
        for tick in 1..=ticks {
            self.world.tick();
            self.note_moves(tick);
            let sightings: Vec<_> =
                self.world.steps().iter().filter_map(|step| sighting(&self.world, step)).collect();
            let violations = self.referee.tick(self.world.map(), &sightings, &[]);
            if let Some(violation) = violations.first() {
                return Err(format!("the referee found a violation: {violation}"));
            }
            if self.away(problem) == 0 {
                return Ok(Some(tick));
            }
        }
        Ok(None)
    }

    fn note_moves(&mut self, tick: u32) {
        for step in self.world.steps().iter().filter(|step| step.from != step.at) {
            let number = self.units.iter().position(|&unit| unit == step.unit);
            number.into_iter().for_each(|number| self.moved[number] = tick);
        }
    }

    /// How many units move though their orders are done, after a scene of so many ticks.
    fn restless(&mut self, settled: Option<u32>, ticks: u32) -> usize {
        if let Some(tick) = settled {
            for tick in tick + 1..=tick + QUIET {
                self.world.tick();
                self.note_moves(tick);
            }
            return self.moved.iter().filter(|&&moved| moved > tick).count();
        }
        let units = self.units.iter().zip(&self.moved);
        let late = units.filter(|(_, moved)| **moved + LAST > ticks);
        late.filter(|(unit, _)| self.world.status(**unit) == Some(UnitStatus::Arrived)).count()
    }

    /// How many units do not stand on their goals.
    fn away(&self, problem: &Problem) -> usize {
        let goals = self.units.iter().zip(&problem.units);
        goals.filter(|(id, unit)| self.world.location(**id) != Some((unit.goal, None))).count()
    }

    fn show(&self) -> String {
        let map = self.world.map();
        let row = |y: u16| (0..map.width()).map(move |x| throng_model::Cell::new(x, y));
        let mut rows: Vec<Vec<char>> = (0..map.height())
            .map(|y| row(y).map(|cell| if map.is_passable(cell) { '.' } else { '#' }).collect())
            .collect();
        let mut list = String::new();
        for (number, &unit) in self.units.iter().enumerate() {
            let Some((at, _)) = self.world.location(unit) else { continue };
            let Some(movement) = self.world.movement(unit) else { continue };
            let side = u16::from(movement.footprint);
            for (dx, dy) in (0..side).flat_map(|dy| (0..side).map(move |dx| (dx, dy))) {
                rows[usize::from(at.y + dy)][usize::from(at.x + dx)] =
                    char::from_digit(number as u32 % 36, 36).unwrap_or('?');
            }
            let (status, to) = (self.world.status(unit), self.world.destination(unit));
            let why = self.world.why(unit);
            list += &format!(
                "{number} at {at} size {side} pace {} {status:?} to {to:?} {why:?}\n",
                movement.pace
            );
        }
        let rows: Vec<String> = rows.into_iter().map(String::from_iter).collect();
        format!("{}\n{list}", rows.join("\n"))
    }
}

fn sighting<'a>(world: &'a World, step: &Step) -> Option<Sighting<'a>> {
    let heading = step.heading.map(|heading| Heading {
        to: heading.to,
        ticks_left: u8::try_from(heading.ticks_left).unwrap_or(u8::MAX),
    });
    let movement = world.movement(step.unit)?;
    Some(Sighting { unit: step.unit, movement, at: step.at, heading, team: 0, layer: 0 })
}

/// The expansions after which the cluster planner finds a plan for the scene, if it does.
fn plan_of(problem: &Problem, options: WorldOptions, seed: u64) -> Option<u64> {
    let rules = FootprintRules { passing: options.passing, ..FootprintRules::default() };
    let space = |kind: &throng_model::MovementProfile| {
        GridSpace::new(&problem.map, kind.clone(), &rules).ok()
    };
    let spaces: Option<Vec<_>> = problem.movements.iter().map(space).collect();
    let spaces = spaces?;
    let unit = |unit: &throng_model::Unit| {
        let space = &spaces[unit.movement];
        let (at, goal) = (space.position(unit.start)?, space.position(unit.goal)?);
        Some(ClusterUnit { space: unit.movement, at, goal: Some(goal), holds: false })
    };
    let units: Vec<_> = problem.units.iter().filter_map(unit).collect();
    let mut planner = ClusterPlanner::default();
    let outcome = planner.plan(&spaces, &units, |_| true, EXPANSIONS, seed);
    matches!(outcome, ClusterOutcome::Solved(_)).then(|| planner.expansions())
}

/// Prints how long the cluster planner searches for plans, from the start and from where the units
/// of a run are.
fn ask_planner(problem: &Problem, run: &Run, settings: &Settings) {
    let mut later = problem.clone();
    for (unit, &id) in later.units.iter_mut().zip(&run.units) {
        let place = run.world.location(id);
        unit.start = place.map_or(unit.start, |(at, heading)| heading.map_or(at, |h| h.to));
    }
    for (name, problem) in [("start", problem), ("end", &later)] {
        let plan = |seed| plan_of(problem, settings.options(), seed);
        let plans: Vec<_> = (1..=settings.plans).map(plan).collect();
        if !plans.is_empty() {
            println!("expansions for plans from the {name}: {plans:?}");
        }
    }
}

#[derive(Default)]
struct Totals {
    settled: u64,
    /// Scenes that did not end, without a known plan.
    without_plan: u64,
    open: Vec<u64>,
    /// Scenes with units that move after all have arrived.
    restless: Vec<u64>,
    /// Scenes that did not end, with units that move though they have arrived.
    oscillating: Vec<u64>,
    open_units: usize,
    ticks: Vec<u32>,
}

fn run(settings: &Settings) -> Result<Totals, String> {
    let mut totals = Totals::default();
    let options = settings.options();
    for seed in settings.from..settings.from + settings.scenes {
        let problem = settings.scene(seed)?;
        let has_order = settings.has_order(&problem);
        let mut run = Run::new(&problem, options).map_err(|why| format!("scene {seed}: {why}"))?;
        let settled = run.settle(&problem, settings.ticks);
        let settled = settled.map_err(|why| format!("scene {seed}: {why}"))?;
        if run.restless(settled, settings.ticks) > 0 {
            if settings.shows {
                println!("restless in scene {seed}\n{}", run.show());
            }
            if settled.is_some() { &mut totals.restless } else { &mut totals.oscillating }
                .push(seed);
        }
        if settled.is_none() {
            ask_planner(&problem, &run, settings);
        }
        match settled {
            Some(ticks) => {
                totals.settled += 1;
                totals.ticks.push(ticks);
            }
            None if has_order || plan_of(&problem, options, 1).is_some() => {
                totals.open.push(seed);
                totals.open_units += run.away(&problem);
                if settings.shows {
                    println!("scene {seed}, one by one: {has_order}\n{}", run.show());
                }
            }
            None => totals.without_plan += 1,
        }
    }
    Ok(totals)
}

fn main() -> ExitCode {
    let done = Settings::read().and_then(|settings| Ok((run(&settings)?, settings)));
    let (mut totals, settings) = match done {
        Ok(done) => done,
        Err(why) => {
            println!("{why}");
            return ExitCode::FAILURE;
        }
    };
    totals.ticks.sort_unstable();
    let rank = |part: usize| totals.ticks.get((totals.ticks.len() * part / 1000).saturating_sub(1));
    println!(
        "{} scenes `{}` from {}: {} settled (ticks: median {:?}, 99% {:?}, max {:?}), {} without a known plan",
        settings.scenes,
        settings.kind,
        settings.from,
        totals.settled,
        rank(500),
        rank(990),
        totals.ticks.last(),
        totals.without_plan,
    );
    println!("open: {} scenes, {} units: {:?}", totals.open.len(), totals.open_units, totals.open);
    println!("restless after the end: {:?}", totals.restless);
    println!("arrived and moving in scenes without an end: {:?}", totals.oscillating);
    if totals.open.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
