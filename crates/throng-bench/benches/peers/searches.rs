//! A* beside A*, jump point search beside jump point search.

use std::fmt::Write;
use std::hint::black_box;

use serde_json::{Value, json};
use throng_grid::{AStar, Ground, Jps};
use throng_model::{Cell, MovementProfile};

use crate::Report;
use crate::grid::Grid;
use crate::race::{geometric_mean, race, timed, verdict};
use crate::rivals::{GridPathfinding, Pathfinding, Petgraph, Rival, Throng};
use crate::workload::{Workload, Workloads, workloads};

/// How many times faster than `pathfinding` A* has to be.
const ASTAR_REQUIRED: f64 = 5.0;
/// How many times faster than `grid_pathfinding` jump point search has to be.
const JPS_REQUIRED: f64 = 8.0;

/// What was measured on one map: microseconds a query.
struct Row {
    set: &'static str,
    name: String,
    is_world: bool,
    queries: usize,
    astar: f64,
    pathfinding: f64,
    petgraph: f64,
    /// Making petgraph's graph, in milliseconds.
    petgraph_build_ms: f64,
    jps: f64,
    grid_pathfinding: f64,
    /// How many of its paths were dearer than the best although they may cut corners.
    grid_pathfinding_dearer: usize,
}

/// How many times as long as throng's search the peers take.
struct Ratios {
    pathfinding: f64,
    petgraph: f64,
    grid_pathfinding: f64,
}

impl Row {
    fn ratios(&self) -> Ratios {
        Ratios {
            pathfinding: self.pathfinding / self.astar,
            petgraph: self.petgraph / self.astar,
            grid_pathfinding: self.grid_pathfinding / self.jps,
        }
    }
}

impl Ratios {
    fn mean<'a>(rows: impl Iterator<Item = &'a Row>) -> Self {
        let all: Vec<Self> = rows.map(Row::ratios).collect();
        let mean = |ratio: fn(&Self) -> f64| geometric_mean(all.iter().map(ratio));
        Self {
            pathfinding: mean(|ratios| ratios.pathfinding),
            petgraph: mean(|ratios| ratios.petgraph),
            grid_pathfinding: mean(|ratios| ratios.grid_pathfinding),
        }
    }

    fn json(&self) -> Value {
        json!({
            "pathfinding": self.pathfinding,
            "petgraph": self.petgraph,
            "grid_pathfinding": self.grid_pathfinding,
        })
    }
}

/// Runs of each query. Jumps are short, and so easily disturbed; but many runs cost little.
const ASTAR_ROUNDS: u32 = 3;
const JPS_ROUNDS: u32 = 15;

pub(crate) fn measure(quick: bool) -> Result<Report, String> {
    let Workloads { source, all } = workloads(if quick { 40 } else { 200 })?;
    let rows: Vec<Row> = all.iter().map(measure_map).collect::<Result<_, _>>()?;
    Ok(Report { text: text(source, &rows), json: json(source, &rows) })
}

fn measure_map(workload: &Workload) -> Result<Row, String> {
    let Workload { set, name, map, queries } = workload;
    let ground =
        Ground::new(map, MovementProfile::eight_connected()).map_err(|error| error.to_string())?;
    let grid = Grid::new(map);
    let mut astar = Throng { ground: &ground, search: AStar::default() };
    let mut jps = Throng { ground: &ground, search: Jps::default() };
    let mut pathfinding = Pathfinding(&grid);
    let (petgraph, build) = timed(|| Petgraph::new(&grid));
    let mut petgraph = petgraph?;
    let mut pruned = GridPathfinding::new(map, true);
    let mut plain = GridPathfinding::new(map, false);
    let mut dearer = [0, 0];
    for &(from, to) in queries {
        let exact: [&mut dyn Rival; 4] = [&mut astar, &mut jps, &mut pathfinding, &mut petgraph];
        let costs = exact.map(|rival| rival.find(from, to));
        let exact = check(costs, from, to).map_err(|why| format!("{set}/{name}: {why}"))?;
        for (cutting, dearer) in [&pruned, &plain].into_iter().zip(&mut dearer) {
            *dearer += usize::from(is_dearer(cutting, exact, from, to));
        }
    }
    let [jps, pruned, plain] =
        microseconds(JPS_ROUNDS, queries, [&mut jps, &mut pruned, &mut plain]);
    let [astar, pathfinding, petgraph] =
        microseconds(ASTAR_ROUNDS, queries, [&mut astar, &mut pathfinding, &mut petgraph]);
    Ok(Row {
        set,
        name: name.clone(),
        is_world: workload.is_world(),
        queries: queries.len(),
        astar,
        pathfinding,
        petgraph,
        petgraph_build_ms: build.as_secs_f64() * 1e3,
        jps,
        grid_pathfinding: pruned.min(plain),
        grid_pathfinding_dearer: dearer[usize::from(plain < pruned)],
    })
}

/// The mean time of a query, for each rival.
fn microseconds(rounds: u32, queries: &[(Cell, Cell)], rivals: [&mut dyn Rival; 3]) -> [f64; 3] {
    let mut sides = rivals.map(|rival| {
        move |query: usize| {
            let (from, to) = queries[query];
            black_box(rival.find(from, to));
        }
    });
    let [a, b, c] = &mut sides;
    race(rounds, queries.len(), [a, b, c])
        .map(|seconds| seconds * 1e6 / queries.len().max(1) as f64)
}

/// The exact searches agree to the last unit.
fn check(costs: [Option<u64>; 4], from: Cell, to: Cell) -> Result<u64, String> {
    let [astar, jps, pathfinding, petgraph] = costs;
    astar.filter(|_| costs == [astar; 4]).ok_or_else(|| {
        format!(
            "from {from} to {to} the searches disagree: A* {astar:?}, jump points {jps:?}, \
             pathfinding {pathfinding:?}, petgraph {petgraph:?}"
        )
    })
}

/// Whether a path that may cut corners is dearer than the best that does not. The peer's
/// diagonal is 99:70, so that equal paths may differ a little in our measure.
fn is_dearer(cutting: &GridPathfinding, exact: u64, from: Cell, to: Cell) -> bool {
    cutting.cost(from, to).is_none_or(|cut| cut > exact + exact / 10_000)
}

fn text(source: &str, rows: &[Row]) -> String {
    let queries = rows.iter().map(|row| row.queries).max().unwrap_or(0);
    let mut text = format!(
        "Searches: {source}, {queries} queries a map, microseconds a query, each the best of \
         {ASTAR_ROUNDS} runs ({JPS_ROUNDS} for jumps).\n\
         Behind each peer: how many times as long as throng it takes. All but \
         grid_pathfinding agree on every cost;\n\
         grid_pathfinding cuts corners (an easier problem) and returns jump points, throng \
         all cells.\n\n\
         {:<7} {:<16} {:>9} {:>20} {:>20} {:>9} {:>20}\n",
        "set", "map", "A*", "pathfinding", "petgraph", "JPS", "grid_pathfinding"
    );
    for row in rows {
        let ratios = row.ratios();
        let peer = |us: f64, ratio: f64| format!("{us:.1} {:>8}", format!("({ratio:.1}x)"));
        let _ = writeln!(
            text,
            "{:<7} {:<16} {:>9.1} {:>20} {:>20} {:>9.1} {:>20}",
            row.set,
            row.name,
            row.astar,
            peer(row.pathfinding, ratios.pathfinding),
            peer(row.petgraph, ratios.petgraph),
            row.jps,
            peer(row.grid_pathfinding, ratios.grid_pathfinding),
        );
    }
    let dearer: usize = rows.iter().map(|row| row.grid_pathfinding_dearer).sum();
    let asked: usize = rows.iter().map(|row| row.queries).sum();
    let _ = writeln!(
        text,
        "dearer than the best path, corners cut or not: {dearer} of {asked} paths of grid_pathfinding"
    );
    text.push_str(&means(rows));
    text
}

fn means(rows: &[Row]) -> String {
    let mut text = String::from("\ngeometric means of the ratios\n");
    let mut line = |name: &str, rows: Vec<&Row>| {
        let mean = Ratios::mean(rows.into_iter());
        let _ = writeln!(
            text,
            "{name:<34} {:>19.1}x {:>19.1}x {:>29.1}x",
            mean.pathfinding, mean.petgraph, mean.grid_pathfinding
        );
    };
    for part in rows.chunk_by(|a, b| a.set == b.set) {
        line(part[0].set, part.iter().collect());
    }
    line("games and cities", rows.iter().filter(|row| row.is_world).collect());
    line("mazes, rooms, random", rows.iter().filter(|row| !row.is_world).collect());
    line("all", rows.iter().collect());
    let worlds = Ratios::mean(rows.iter().filter(|row| row.is_world));
    let _ = writeln!(
        text,
        "required on games and cities: A* {ASTAR_REQUIRED}x pathfinding: {}; jump point search \
         {JPS_REQUIRED}x grid_pathfinding: {}",
        verdict(worlds.pathfinding >= ASTAR_REQUIRED),
        verdict(worlds.grid_pathfinding >= JPS_REQUIRED),
    );
    text
}

fn json(source: &str, rows: &[Row]) -> Value {
    let map = |row: &Row| {
        json!({
            "set": row.set,
            "map": row.name,
            "queries": row.queries,
            "astar_us": row.astar,
            "pathfinding_us": row.pathfinding,
            "petgraph_us": row.petgraph,
            "petgraph_build_ms": row.petgraph_build_ms,
            "jps_us": row.jps,
            "grid_pathfinding_us": row.grid_pathfinding,
            "grid_pathfinding_dearer": row.grid_pathfinding_dearer,
            "ratios": row.ratios().json(),
        })
    };
    let worlds = Ratios::mean(rows.iter().filter(|row| row.is_world));
    json!({
        "source": source,
        "astar_rounds": ASTAR_ROUNDS,
        "jps_rounds": JPS_ROUNDS,
        "maps": rows.iter().map(map).collect::<Vec<_>>(),
        "games_and_cities": worlds.json(),
        "synthetic": Ratios::mean(rows.iter().filter(|row| !row.is_world)).json(),
        "all": Ratios::mean(rows.iter()).json(),
        "required": { "pathfinding": ASTAR_REQUIRED, "grid_pathfinding": JPS_REQUIRED },
        "met": worlds.pathfinding >= ASTAR_REQUIRED && worlds.grid_pathfinding >= JPS_REQUIRED,
    })
}
