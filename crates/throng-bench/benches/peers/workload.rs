//! The maps and queries: the MovingAI benchmark where it is at hand, generated ones where
//! it is not.
#![expect(clippy::disallowed_methods, reason = "a benchmark is told where its data is")]

use std::path::{Path, PathBuf};

use throng_formats::{MapOptions, map, scen};
use throng_lab::generate::{self, GenerateError};
use throng_model::{Cell, Map, MovementProfile};

/// The sets of real games and cities: what the required ratios are about.
const WORLDS: [&str; 5] = ["dao", "sc1", "bg512", "da2", "cities"];
/// The sets made by a program.
const SYNTHETIC: [&str; 3] = ["mazes", "rooms", "random"];

/// A map and what is asked on it.
pub(crate) struct Workload {
    pub(crate) set: &'static str,
    pub(crate) name: String,
    pub(crate) map: Map,
    pub(crate) queries: Vec<(Cell, Cell)>,
}

impl Workload {
    /// Whether the map is a game's or a city's, or made to be like one.
    pub(crate) fn is_world(&self) -> bool {
        !SYNTHETIC.contains(&self.set)
    }
}

/// All workloads, and where they come from.
pub(crate) struct Workloads {
    pub(crate) source: &'static str,
    pub(crate) all: Vec<Workload>,
}

/// At most so many queries a map.
pub(crate) fn workloads(queries: usize) -> Result<Workloads, String> {
    match folder() {
        Some(folder) => {
            Ok(Workloads { source: "MovingAI benchmark", all: read_all(&folder, queries)? })
        }
        None => Ok(Workloads {
            source: "generated maps (no MovingAI benchmark found; set THRONG_BENCH)",
            all: generate_all(queries).map_err(|error| error.to_string())?,
        }),
    }
}

/// `THRONG_BENCH`, or beside the workspace; the one that holds the sets.
fn folder() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/bench");
    let given = std::env::var("THRONG_BENCH").map_or(beside, PathBuf::from);
    let has_sets = |folder: &PathBuf| sets().any(|set| folder.join(set).is_dir());
    [given.join("single-agent"), given].into_iter().find(has_sets)
}

fn sets() -> impl Iterator<Item = &'static str> {
    WORLDS.into_iter().chain(SYNTHETIC)
}

fn read_all(folder: &Path, queries: usize) -> Result<Vec<Workload>, String> {
    let mut all = Vec::new();
    for set in sets() {
        let Ok(entries) = std::fs::read_dir(folder.join(set)) else { continue };
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        let mut scenarios: Vec<_> = paths.filter(|path| ends_with(path, "scen")).collect();
        scenarios.sort();
        for scenario in scenarios {
            all.push(read(set, &scenario, queries)?);
        }
    }
    Ok(all)
}

fn ends_with(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}

/// Reads `NAME.map.scen` and `NAME.map` beside it.
fn read(set: &'static str, path: &Path, queries: usize) -> Result<Workload, String> {
    let map_path = path.with_extension("");
    let name = map_path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let map = map::read(&bytes(&map_path)?, MapOptions::default())
        .map_err(|error| error.in_file(map_path.display().to_string()).to_string())?;
    let scenario = scen::read(&bytes(path)?)
        .map_err(|error| error.in_file(path.display().to_string()).to_string())?;
    let ends: Vec<_> = scenario.rows.iter().map(|row| (row.start, row.goal)).collect();
    Ok(Workload { set, name, map, queries: evenly(&ends, queries) })
}

fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// So many of them at most, near and far ones alike: scenarios are sorted by length.
fn evenly<T: Copy>(all: &[T], count: usize) -> Vec<T> {
    let count = count.min(all.len());
    (0..count).map(|i| all[(2 * i + 1) * all.len() / (2 * count)]).collect()
}

fn generate_all(queries: usize) -> Result<Vec<Workload>, GenerateError> {
    let maps = [
        ("caves", "caves-512", generate::caves(512, 512, 1)?),
        ("caves", "caves-1024", generate::caves(1024, 1024, 2)?),
        ("town", "town-512", walls_only(&generate::town(512, 512, 3)?)),
        ("mazes", "maze-512-1", generate::maze(512, 512, 1, 0, 4)?),
        ("mazes", "maze-512-4", generate::maze(512, 512, 4, 0, 5)?),
        ("rooms", "rooms-512-8", generate::rooms(512, 512, 8, 6)?),
        ("rooms", "rooms-512-16", generate::rooms(512, 512, 16, 7)?),
        ("random", "random-512-10", generate::random(512, 512, 10, 8)?),
        ("random", "random-512-40", generate::random(512, 512, 40, 9)?),
    ];
    let workload = |(set, name, map): (&'static str, &str, Map)| {
        let units = generate::scenario(&map, &MovementProfile::eight_connected(), queries, 1, 10)?;
        let queries = units.iter().map(|unit| (unit.start, unit.goal)).collect();
        Ok(Workload { set, name: name.to_owned(), map, queries })
    };
    maps.into_iter().map(workload).collect()
}

/// The same map with one kind of ground: what all of the searches compared can do.
fn walls_only(map: &Map) -> Map {
    let mut plain = map.clone();
    let ground: Vec<_> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
    if let Some(floor) = map.class_by_name("floor") {
        // Cells of this map and a class of this map: it cannot fail.
        let _ = plain.paint(&ground, floor);
    }
    plain
}
