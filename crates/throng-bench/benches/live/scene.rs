//! A world of units that get a new order whenever they arrive.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use throng_formats::MapOptions;
use throng_grid::Ground;
use throng_model::{Cell, Conflicts, Map, MovementProfile, UnitId};
use throng_referee::{Heading, LiveReferee, Sighting};
use throng_world::{Event, Order, Spawn, World, WorldOptions};

use crate::memory::peak_mib;

/// The length and the budget of a run.
#[derive(Clone, Copy)]
pub(crate) struct Settings {
    pub(crate) ticks: usize,
    pub(crate) warm_up: usize,
    pub(crate) expansions_per_tick: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { ticks: 600, warm_up: 60, expansions_per_tick: 200_000 }
    }
}

/// A map and the number of units on it.
pub(crate) struct Scene {
    pub(crate) name: String,
    pub(crate) units: usize,
    map: Map,
    /// Cells that can be reached from each other.
    cells: Vec<Cell>,
    settings: Settings,
}

/// What a timed run measured.
#[derive(Default)]
pub(crate) struct Timed {
    pub(crate) warm_up_ms: Vec<f64>,
    pub(crate) ticks_ms: Vec<f64>,
    pub(crate) expanded: Vec<u64>,
    pub(crate) arrivals: usize,
    pub(crate) promotions: usize,
    pub(crate) memory_mib: f64,
    pub(crate) hash: u64,
}

impl Timed {
    pub(crate) fn percentile(&self, share: f64) -> f64 {
        let mut sorted = self.ticks_ms.clone();
        sorted.sort_by(f64::total_cmp);
        let at = (share * sorted.len() as f64).ceil() as usize;
        sorted.get(at.max(1) - 1).copied().unwrap_or(0.0)
    }

    pub(crate) fn expanded_mean(&self) -> f64 {
        self.expanded.iter().sum::<u64>() as f64 / self.expanded.len().max(1) as f64
    }
}

/// The result of the run with the referee.
pub(crate) struct Judged {
    pub(crate) hash: u64,
    pub(crate) unit_ticks: u64,
    pub(crate) violation: Option<String>,
}

impl Scene {
    pub(crate) fn new(part: &str, settings: Settings) -> Result<Self, String> {
        let (units, folder, file, side) = match part {
            "city" => (1_000, "maps", "Berlin_1_256.map", 256),
            "commands" => (5_000, "single-agent/cities", "Berlin_0_512.map", 512),
            _ => (10_000, "single-agent/cities", "Berlin_0_512.map", 1024),
        };
        let (name, map) = match throng_testkit::bench_data::folder(folder) {
            Some(folder) => {
                let bytes = throng_testkit::bench_data::read(&folder.join(file));
                (format!("{file} at {side} x {side}"), read(&bytes, side)?)
            }
            None => (format!("a generated town of {side} x {side}"), generated(side)?),
        };
        let ground =
            Ground::new(&map, MovementProfile::eight_connected()).map_err(|e| e.to_string())?;
        let cells = largest_component(&map, &ground);
        Ok(Self { name, units, map, cells, settings })
    }

    pub(crate) fn world(&self, rng: &mut Pcg64Mcg) -> Result<World, String> {
        let options = WorldOptions {
            expansions_per_tick: Some(self.settings.expansions_per_tick),
            ..WorldOptions::default()
        };
        let mut world = World::new(self.map.clone(), options).map_err(|e| e.to_string())?;
        let spawn = Spawn::new(MovementProfile::eight_connected());
        while world.units().count() < self.units {
            // A spawn on an occupied cell is refused; the loop tries other cells.
            for _ in 0..self.units - world.units().count() {
                let _ = world.spawn(self.any_cell(rng), &spawn);
            }
        }
        for unit in world.units().collect::<Vec<_>>() {
            self.send(&mut world, unit, rng)?;
        }
        Ok(world)
    }

    pub(crate) fn any_cell(&self, rng: &mut Pcg64Mcg) -> Cell {
        self.cells[rng.random_range(0..self.cells.len() as u32) as usize]
    }

    fn send(&self, world: &mut World, unit: UnitId, rng: &mut Pcg64Mcg) -> Result<(), String> {
        world.order(unit, Order::go(self.any_cell(rng))).map_err(|error| error.to_string())
    }

    /// Runs one tick and gives new orders to units that arrived. Returns arrivals and promotions.
    pub(crate) fn tick(
        &self,
        world: &mut World,
        rng: &mut Pcg64Mcg,
    ) -> Result<(usize, usize), String> {
        let events = world.tick().events.to_vec();
        let promotions = events.iter().filter(|e| matches!(e, Event::Promoted { .. })).count();
        let mut arrivals = 0;
        for event in events {
            if let Event::Arrived { unit, .. } | Event::Unreachable { unit } = event {
                arrivals += 1;
                self.send(world, unit, rng)?;
            }
        }
        Ok((arrivals, promotions))
    }

    #[expect(clippy::disallowed_types, reason = "a measurement")]
    pub(crate) fn run_timed(&self) -> Result<Timed, String> {
        let mut rng = Pcg64Mcg::seed_from_u64(1);
        let mut world = self.world(&mut rng)?;
        let mut timed = Timed::default();
        for tick in 0..self.settings.warm_up + self.settings.ticks {
            let begin = std::time::Instant::now();
            let (arrivals, promotions) = self.tick(&mut world, &mut rng)?;
            let milliseconds = begin.elapsed().as_secs_f64() * 1e3;
            if tick < self.settings.warm_up {
                timed.warm_up_ms.push(milliseconds);
            } else {
                timed.ticks_ms.push(milliseconds);
                timed.expanded.push(world.expanded());
                timed.arrivals += arrivals;
                timed.promotions += promotions;
            }
        }
        timed.memory_mib = peak_mib();
        timed.hash = world.hash();
        Ok(timed)
    }

    pub(crate) fn run_judged(&self) -> Result<Judged, String> {
        let mut rng = Pcg64Mcg::seed_from_u64(1);
        let mut world = self.world(&mut rng)?;
        let mut referee = LiveReferee::new(Conflicts::default());
        for _ in 0..self.settings.warm_up + self.settings.ticks {
            self.tick(&mut world, &mut rng)?;
            let violations = referee.tick(world.map(), &sightings(&world), &[]);
            if let Some(violation) = violations.first() {
                let (hash, unit_ticks) = (world.hash(), referee.unit_ticks());
                return Ok(Judged { hash, unit_ticks, violation: Some(violation.to_string()) });
            }
        }
        Ok(Judged { hash: world.hash(), unit_ticks: referee.unit_ticks(), violation: None })
    }
}

fn sightings(world: &World) -> Vec<Sighting<'_>> {
    let steps = world.steps();
    let sighting = |step: &throng_world::Step| {
        let heading = step.heading.map(|heading| Heading {
            to: heading.to,
            ticks_left: u8::try_from(heading.ticks_left).unwrap_or(u8::MAX),
        });
        let movement = world.movement(step.unit)?;
        Some(Sighting { unit: step.unit, movement, at: step.at, heading, team: 0, layer: 0 })
    };
    steps.iter().filter_map(sighting).collect()
}

/// The map, each cell doubled until the map has the given side.
fn read(bytes: &[u8], side: u16) -> Result<Map, String> {
    let map = throng_formats::map::read(bytes, MapOptions::default());
    let map = map.map_err(|error| error.to_string())?;
    let scaled = throng_formats::scen::scale(&map, side, side);
    scaled.map(std::borrow::Cow::into_owned).map_err(|error| error.to_string())
}

fn generated(side: u16) -> Result<Map, String> {
    let town = throng_lab::generate::town(side.into(), side.into(), 1);
    town.map_err(|error| error.to_string())
}

fn largest_component(map: &Map, ground: &Ground) -> Vec<Cell> {
    let components = ground.components();
    let of = |cell: Cell| map.index(cell).and_then(|index| components.component_of(index));
    let size = |cell: &Cell| map.index(*cell).map_or(0, |index| components.size_of(index));
    let largest = map.cells().max_by_key(size).and_then(of);
    map.cells().filter(|&cell| largest.is_some() && of(cell) == largest).collect()
}
