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

/// The required ratio of `pathfinding`'s time to A*'s.
const ASTAR_REQUIRED: f64 = 5.0;
/// The required ratio of `grid_pathfinding`'s time to jump point search's.
const JPS_REQUIRED: f64 = 8.0;

/// The results on one map, in microseconds per query.
struct Row {
    set: &'static str,
    name: String,
    is_world: bool,
    queries: usize,
    astar: f64,
    pathfinding: f64,
    petgraph: f64,
    /// The time to build petgraph's graph, in milliseconds.
    petgraph_build_ms: f64,
    jps: f64,
    grid_pathfinding: f64,
    /// The number of its paths that cost more than the optimum, although they may cut corners.
    grid_pathfinding_costlier: usize,
}

/// The peers' times divided by throng's.
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

/// Runs of each query. Jump point queries are short and easily disturbed, so they run more often.
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
    let mut costlier = [0, 0];
    for &(from, to) in queries {
        let exact: [&mut dyn Rival; 4] = [&mut astar, &mut jps, &mut pathfinding, &mut petgraph];
        let costs = exact.map(|rival| rival.find(from, to));
        let exact = check(costs, from, to).map_err(|why| format!("{set}/{name}: {why}"))?;
        for (cutting, costlier) in [&pruned, &plain].into_iter().zip(&mut costlier) {
            *costlier += usize::from(costs_more(cutting, exact, from, to));
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
        grid_pathfinding_costlier: costlier[usize::from(plain < pruned)],
    })
}

/// The mean time per query of each rival.
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

/// Returns the common cost; an error if the exact searches disagree.
fn check(costs: [Option<u64>; 4], from: Cell, to: Cell) -> Result<u64, String> {
    let [astar, jps, pathfinding, petgraph] = costs;
    astar.filter(|_| costs == [astar; 4]).ok_or_else(|| {
        format!(
            "from {from} to {to} the searches disagree: A* {astar:?}, jump points {jps:?}, \
             pathfinding {pathfinding:?}, petgraph {petgraph:?}"
        )
    })
}

/// Whether a path that may cut corners costs more than the optimum without cut corners. The
/// peer's diagonal is 99:70, so equal paths may differ slightly in our costs.
fn costs_more(cutting: &GridPathfinding, exact: u64, from: Cell, to: Cell) -> bool {
    cutting.cost(from, to).is_none_or(|cut| cut > exact + exact / 10_000)
}

fn text(source: &str, rows: &[Row]) -> String {
    let queries = rows.iter().map(|row| row.queries).max().unwrap_or(0);
    let mut text = format!(
        "Searches: {source}, {queries} queries per map, microseconds per query, each the best of \
         {ASTAR_ROUNDS} runs ({JPS_ROUNDS} for jumps).\n\
         In brackets: the peer's time divided by throng's. All but \
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
    let costlier: usize = rows.iter().map(|row| row.grid_pathfinding_costlier).sum();
    let asked: usize = rows.iter().map(|row| row.queries).sum();
    let _ = writeln!(
        text,
        "costlier than the optimum although corners may be cut: {costlier} of {asked} paths of grid_pathfinding"
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
            "grid_pathfinding_costlier": row.grid_pathfinding_costlier,
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
