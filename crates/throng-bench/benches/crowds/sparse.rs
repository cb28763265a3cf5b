//! Many units with much room: 10,000 on large maps, growth at equal density, 100,000 at once.
//!
//! Each row has a process of its own, so that the peak of its memory is that of one world. A unit
//! that arrives gets a new random order. Runs are capped by ticks and by time. The bench `live`
//! has the referee check such worlds. In the rows of growth a goal is at most half the side of the
//! smallest map away in columns and rows, so that routes are as long on every map.

use std::process::Command;

use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;
use throng_lab::{Table, generate};
use throng_model::{Cell, Map, MovementProfile, UnitId};
use throng_world::{Event, Order, Spawn, World, WorldOptions};

use crate::memory::peak_mib;
use crate::processor::{used_by_all_ms, used_ms};
use crate::{Report, Settings};

/// The argument of a process that measures the row of this number.
pub(crate) const CHILD: &str = "sparse-of=";

/// Ticks before anything counts, and ticks that count.
const WARM_UP: u32 = 10;
const TICKS: u32 = 50;
/// Seconds after which either of both ends.
const SECONDS: f64 = 30.0;

/// A world of units that walk to random cells.
struct Row {
    name: &'static str,
    units: usize,
    side: u32,
    is_caves: bool,
    threads: usize,
    /// How many columns and rows a goal may be away.
    reach: u16,
    /// Whether it has the budget of [`WorldOptions::default`]; else it has none.
    has_budget: bool,
}

impl Row {
    const fn random(name: &'static str, units: usize, side: u32) -> Self {
        let (is_caves, has_budget, threads) = (false, false, 1);
        Self { name, units, side, is_caves, threads, reach: u16::MAX, has_budget }
    }

    const fn growth(units: usize, side: u32) -> Self {
        Self { reach: 158, ..Self::random("growth", units, side) }
    }
}

/// About a hundred cells per unit, unless the name says otherwise.
const ROWS: [Row; 8] = [
    Row::random("5% obstacles", 10_000, 1024),
    Row { is_caves: true, ..Row::random("caves", 10_000, 1024) },
    Row::growth(1_000, 316),
    Row::growth(10_000, 1_000),
    Row::growth(100_000, 3_162),
    Row { threads: 2, ..Row::random("dense, 2 threads", 100_000, 1024) },
    Row { has_budget: true, ..Row::random("5% obstacles, default budget", 10_000, 1024) },
    Row { has_budget: true, is_caves: true, ..Row::random("caves, default budget", 10_000, 1024) },
];

const COLUMNS: [&str; 10] = [
    "world",
    "units",
    "side",
    "ticks",
    "CPU us per unit and tick",
    "ticks per second",
    "first tick ms",
    "longest tick ms",
    "bytes per unit",
    "arrivals",
];

pub(crate) fn measure(settings: &Settings) -> Result<Report, String> {
    let title = format!(
        "Units with random goals (mean of at most {TICKS} ticks after {WARM_UP}; CPU time of all \
         threads)"
    );
    let mut table = Table::new("sparse", &title, &COLUMNS);
    for (number, row) in ROWS.iter().enumerate() {
        if settings.quick && row.units > 10_000 {
            continue;
        }
        let [ticks, us, per_second, first_ms, longest_ms, bytes, arrivals] =
            in_child(number, settings.seed)
                .map_err(|why| format!("{} units, {}: {why}", row.units, row.name))?;
        table.push(vec![
            row.name.into(),
            row.units.into(),
            u64::from(row.side).into(),
            (ticks, 0).into(),
            (us, 3).into(),
            (per_second, 2).into(),
            (first_ms, 1).into(),
            (longest_ms, 1).into(),
            (bytes, 0).into(),
            (arrivals, 0).into(),
        ]);
    }
    Ok(Report { table, plots: Vec::new() })
}

/// What [`child`] prints, from a process of its own.
fn in_child(number: usize, seed: u64) -> Result<[f64; 7], String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let output = Command::new(program).arg(format!("{CHILD}{number}:{seed}")).output();
    let output = output.map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers: Result<Vec<f64>, _> = text.split_whitespace().map(str::parse).collect();
    let numbers = numbers.map_err(|error| error.to_string())?;
    numbers.try_into().map_err(|_| text.into_owned())
}

/// Measures one row: ticks, CPU microseconds per unit and tick, ticks per second, milliseconds of
/// the first and of the longest tick, bytes per unit and arrivals, as text.
pub(crate) fn child(given: &str) -> Result<String, String> {
    let (number, seed) = given.split_once(':').unwrap_or((given, "1"));
    let row = number.parse().ok().and_then(|number: usize| ROWS.get(number));
    let row = row.ok_or_else(|| format!("`{number}` is no row"))?;
    let seed: u64 = seed.parse().map_err(|_| format!("`{seed}` is no seed"))?;
    let map = match row.is_caves {
        true => generate::caves(row.side, row.side, seed),
        false => generate::random(row.side, row.side, 5, seed),
    };
    let map = map.map_err(|error| error.to_string())?;
    let before_mib = peak_mib();
    let mut crowd = Crowd::new(row, map, seed)?;
    let (first_ms, _) = crowd.ticks(1)?;
    crowd.ticks(WARM_UP - 1)?;
    crowd.arrivals = 0;
    let used = if row.threads > 1 { used_by_all_ms } else { used_ms };
    let begin_ms = used();
    let (wall_ms, ticks) = crowd.ticks(TICKS)?;
    let cpu_us = (used() - begin_ms) * 1e3 / f64::from(ticks) / row.units as f64;
    let per_second = f64::from(ticks) / (wall_ms / 1e3);
    let bytes = (peak_mib() - before_mib) * 1024.0 * 1024.0 / row.units as f64;
    let Crowd { longest_ms, arrivals, .. } = crowd;
    Ok(format!("{ticks} {cpu_us} {per_second} {first_ms} {longest_ms} {bytes} {arrivals}"))
}

struct Crowd {
    world: World,
    /// The cells where units can stand; all are connected.
    cells: Vec<Cell>,
    reach: u16,
    rng: Pcg64Mcg,
    arrivals: u64,
    longest_ms: f64,
}

impl Crowd {
    fn new(row: &Row, map: Map, seed: u64) -> Result<Self, String> {
        let cells: Vec<Cell> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
        let defaults = WorldOptions::default();
        let expansions_per_tick = defaults.expansions_per_tick.filter(|_| row.has_budget);
        let options = WorldOptions { threads: row.threads, expansions_per_tick, ..defaults };
        let world = World::new(map, options).map_err(|error| error.to_string())?;
        let rng = Pcg64Mcg::seed_from_u64(seed);
        let mut crowd = Self { world, cells, reach: row.reach, rng, arrivals: 0, longest_ms: 0.0 };
        let spawn = Spawn::new(MovementProfile::eight_connected());
        let mut placed = 0;
        while placed < row.units {
            let start = crowd.any_cell();
            // A spawn on an occupied cell is refused; the loop tries other cells.
            if let Ok(unit) = crowd.world.spawn(start, &spawn) {
                crowd.send(unit)?;
                placed += 1;
            }
        }
        Ok(crowd)
    }

    fn any_cell(&mut self) -> Cell {
        self.cells[self.rng.random_range(0..self.cells.len() as u32) as usize]
    }

    /// Sends a unit to a random cell within reach.
    fn send(&mut self, unit: UnitId) -> Result<(), String> {
        let (from, _) = self.world.location(unit).ok_or("a unit without a cell")?;
        let goal = loop {
            let cell = if self.reach == u16::MAX { self.any_cell() } else { self.near(from) };
            if self.world.map().is_passable(cell) {
                break cell;
            }
        };
        self.world.order(unit, Order::go(goal)).map_err(|error| error.to_string())
    }

    /// A random cell of the map within reach, passable or not.
    fn near(&mut self, from: Cell) -> Cell {
        let (map, reach) = (self.world.map(), self.reach);
        let range = |at: u16, side: u16| at.saturating_sub(reach)..side.min(at + reach + 1);
        let (columns, rows) = (range(from.x, map.width()), range(from.y, map.height()));
        Cell::new(self.rng.random_range(columns), self.rng.random_range(rows))
    }

    /// Runs so many ticks, fewer if they take too long. Returns the milliseconds of all ticks, and
    /// how many there were.
    #[expect(clippy::disallowed_types, reason = "a measurement")]
    fn ticks(&mut self, most: u32) -> Result<(f64, u32), String> {
        let (mut all_ms, mut ticks) = (0.0, 0);
        while ticks < most && all_ms < SECONDS * 1e3 {
            let begin = std::time::Instant::now();
            let events = self.world.tick().events;
            let tick_ms = begin.elapsed().as_secs_f64() * 1e3;
            self.longest_ms = self.longest_ms.max(tick_ms);
            all_ms += tick_ms;
            ticks += 1;
            for event in events {
                if let Event::Arrived { unit, .. } | Event::Unreachable { unit } = event {
                    self.arrivals += 1;
                    self.send(unit)?;
                }
            }
        }
        Ok((all_ms, ticks))
    }
}
