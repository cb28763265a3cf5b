//! Scenes in the live world: ticks until all units arrive, and time per unit and tick.
//!
//! Each scene runs twice. The first run is timed; the referee checks the second one, which must
//! end with the same state hash.

use throng_lab::{Table, Value};
use throng_model::{Cell, Conflicts, UnitId};
use throng_referee::{Heading, LiveReferee, Sighting};
use throng_world::{Order, Spawn, Step, World, WorldOptions};

use crate::processor::timed;
use crate::scenes::{Scene, names, scenes};
use crate::{Report, Settings};

/// A scene is stopped after this much processor time.
const SECONDS: f64 = 20.0;
const SECONDS_QUICK: f64 = 4.0;
/// A scene without a limit is stopped after this many ticks, another one after four times its limit.
const TICKS_MAX: u32 = 3_000;
/// Microseconds per unit and tick, at most: on average, and in 99 of 100 ticks.
const MEAN_US_MAX: f64 = 5.0;
const P99_US_MAX: f64 = 20.0;

const COLUMNS: [&str; 9] = [
    "scene",
    "units",
    "arrived",
    "ticks",
    "ticks at most",
    "us mean",
    "us p99",
    "longest stall",
    "missed",
];

#[expect(clippy::print_stderr, reason = "progress of a long measurement")]
pub(crate) fn measure(settings: &Settings) -> Result<Report, String> {
    let seconds = if settings.quick { SECONDS_QUICK } else { SECONDS };
    let title = format!(
        "Scenes in the live world, seed {} (processor time per unit and tick, at most \
         {MEAN_US_MAX} us on average and {P99_US_MAX} us in 99% of ticks; stopped after {seconds} s)",
        settings.seed
    );
    let mut table = Table::new("live", &title, &COLUMNS);
    let chosen = scenes(&settings.name, settings.seed)?;
    if chosen.is_empty() {
        let names = names().join(", ");
        return Err(format!("no scene is called `{}`; there are {names}", settings.name));
    }
    for scene in &chosen {
        let run = LiveRun::timed(scene, seconds).map_err(|why| format!("{}: {why}", scene.name))?;
        run.judge(scene).map_err(|why| format!("{}: {why}", scene.name))?;
        let row = row(scene, &run);
        let shown: Vec<String> = row.iter().map(ToString::to_string).collect();
        eprintln!("{}", shown.join("  "));
        table.push(row);
    }
    Ok(Report { table, plots: Vec::new() })
}

fn row(scene: &Scene, run: &LiveRun) -> Vec<Value> {
    let (mean, p99) = (run.mean_us(), run.p99_us());
    let units = scene.units.len();
    let is_late = scene.ticks_max_required.is_some_and(|most| run.ticks > most);
    let misses = [
        ("arrival", run.arrived < units),
        ("ticks", is_late),
        ("mean", mean > MEAN_US_MAX),
        ("p99", p99 > P99_US_MAX),
    ];
    let missed = misses.into_iter().filter(|&(_, is_missed)| is_missed).map(|(name, _)| name);
    vec![
        scene.name.into(),
        units.into(),
        run.arrived.into(),
        u64::from(run.ticks).into(),
        scene.ticks_max_required.map(u64::from).into(),
        (mean, 2).into(),
        (p99, 2).into(),
        u64::from(run.longest_stall).into(),
        missed.collect::<Vec<_>>().join(", ").into(),
    ]
}

/// What a timed run measured.
struct LiveRun {
    ticks: u32,
    arrived: usize,
    longest_stall: u32,
    /// By tick: microseconds per unit.
    times_us: Vec<f64>,
    hash: u64,
}

impl LiveRun {
    fn timed(scene: &Scene, seconds: f64) -> Result<Self, String> {
        let (mut world, ids) = world(scene)?;
        let ticks_max = scene.ticks_max_required.map_or(TICKS_MAX, |limit| 4 * limit);
        let mut stalls: Vec<(Cell, u32)> = scene.units.iter().map(|unit| (unit.1, 0)).collect();
        let mut run =
            Self { ticks: 0, arrived: 0, longest_stall: 0, times_us: Vec::new(), hash: 0 };
        let mut used_ms = 0.0;
        while run.ticks < ticks_max && used_ms < seconds * 1e3 {
            let (_, milliseconds) = timed(|| world.tick());
            used_ms += milliseconds;
            run.times_us.push(milliseconds * 1e3 / scene.units.len() as f64);
            run.ticks += 1;
            run.arrived = 0;
            for ((&id, unit), stall) in ids.iter().zip(&scene.units).zip(&mut stalls) {
                let Some((at, heading)) = world.location(id) else { continue };
                let is_there = at == unit.2;
                run.arrived += usize::from(is_there);
                let is_stalled = !is_there && at == stall.0 && heading.is_none();
                *stall = (at, if is_stalled { stall.1 + 1 } else { 0 });
                run.longest_stall = run.longest_stall.max(stall.1);
            }
            if run.arrived == ids.len() {
                break;
            }
        }
        run.hash = world.hash();
        Ok(run)
    }

    /// Runs the scene again with the referee.
    fn judge(&self, scene: &Scene) -> Result<(), String> {
        let (mut world, _) = world(scene)?;
        let mut referee = LiveReferee::new(Conflicts::default());
        for _ in 0..self.ticks {
            world.tick();
            let violations = referee.tick(world.map(), &sightings(&world), &[]);
            if let Some(violation) = violations.first() {
                return Err(format!("the referee found a violation: {violation}"));
            }
        }
        if world.hash() != self.hash {
            return Err(format!("the runs differ: {:016x} and {:016x}", self.hash, world.hash()));
        }
        Ok(())
    }

    fn mean_us(&self) -> f64 {
        self.times_us.iter().sum::<f64>() / self.times_us.len().max(1) as f64
    }

    fn p99_us(&self) -> f64 {
        let mut sorted = self.times_us.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let rank = (sorted.len() * 99).div_ceil(100);
        sorted.get(rank.saturating_sub(1)).copied().unwrap_or(0.0)
    }
}

/// A world with default options in which every unit has its order.
fn world(scene: &Scene) -> Result<(World, Vec<UnitId>), String> {
    let world = World::new(scene.map.clone(), WorldOptions::default());
    let mut world = world.map_err(|error| error.to_string())?;
    let mut ids = Vec::with_capacity(scene.units.len());
    for (movement, start, _) in &scene.units {
        let id = world.spawn(*start, &Spawn::new(movement.clone()));
        ids.push(id.map_err(|error| error.to_string())?);
    }
    for (&id, unit) in ids.iter().zip(&scene.units) {
        world.order(id, Order::go(unit.2)).map_err(|error| error.to_string())?;
    }
    Ok((world, ids))
}

fn sightings(world: &World) -> Vec<Sighting<'_>> {
    let sighting = |step: &Step| {
        let heading = step.heading.map(|heading| Heading {
            to: heading.to,
            ticks_left: u8::try_from(heading.ticks_left).unwrap_or(u8::MAX),
        });
        let movement = world.movement(step.unit)?;
        Some(Sighting { unit: step.unit, movement, at: step.at, heading, team: 0, layer: 0 })
    };
    world.steps().iter().filter_map(sighting).collect()
}
