//! Queries while the map changes: after every few queries a wall is added or removed. The
//! hierarchy's time includes its updates; A* needs none.

use std::fmt::Write;

use serde_json::{Value, json};
use throng_grid::Path;
use throng_model::{Cell, Map, MovementProfile};

use crate::Report;
use crate::queries::{is_large, kind, movements};
use crate::race::{geometric_mean, timed};
use crate::searches::Searches;
use crate::terrain::with_terrain;
use crate::walls::Walls;
use crate::workload::{Workload, workloads};

/// Queries between two edits.
const QUERIES_PER_EDIT: usize = 10;
/// How often each side runs all queries and edits, in turn; the fastest run counts.
const ROUNDS: usize = 2;

/// The results of one movement profile on one map, in microseconds per query.
struct Row {
    name: String,
    kind: String,
    queries: usize,
    ours: f64,
    astar: f64,
}

pub(crate) fn measure(quick: bool) -> Result<Report, String> {
    let loads = workloads(if quick { 40 } else { 200 })?;
    let mut rows = Vec::new();
    for load in loads.all.iter().filter(|load| is_large(load)) {
        let map = with_terrain(&load.map, 1)?;
        for movement in movements(quick) {
            rows.push(measure_kind(load, &map, &movement)?);
        }
    }
    Ok(Report { text: text(&rows), json: json(&rows), files: Vec::new() })
}

fn measure_kind(load: &Workload, map: &Map, movement: &MovementProfile) -> Result<Row, String> {
    let (mut ours, mut astar, mut count) = (f64::INFINITY, f64::INFINITY, 0);
    for _ in 0..ROUNDS {
        let pass = Pass::run(map, movement, &load.queries, Searches::over_hierarchy)?;
        ours = ours.min(pass.queries + pass.updates);
        count = pass.count;
        let pass = Pass::run(map, movement, &load.queries, Searches::exactly)?;
        astar = astar.min(pass.queries);
    }
    let [ours, astar] = [ours, astar].map(|seconds| seconds * 1e6 / count.max(1) as f64);
    Ok(Row { name: load.name.clone(), kind: kind(movement), queries: count, ours, astar })
}

/// Runs all queries and edits once. Returns seconds.
#[derive(Default)]
struct Pass {
    count: usize,
    queries: f64,
    updates: f64,
}

impl Pass {
    fn run(
        map: &Map,
        movement: &MovementProfile,
        queries: &[(Cell, Cell)],
        mut answer: impl FnMut(&mut Searches, (Cell, Cell)) -> Option<Path>,
    ) -> Result<Self, String> {
        let mut map = map.clone();
        let mut walls = Walls::new(&map, 3);
        let mut searches = Searches::new(&map, movement.clone())?;
        let mut pass = Self::default();
        for burst in queries.chunks(QUERIES_PER_EDIT) {
            let change = walls.edit(&mut map)?;
            searches.ground.apply(&map, &change);
            let (hierarchy, ground) = (&mut searches.hierarchy, &searches.ground);
            pass.updates += timed(|| hierarchy.apply(ground, &change)).1.as_secs_f64();
            for ends in searches.answerable(burst) {
                let (path, time) = timed(|| answer(&mut searches, ends));
                path.ok_or_else(|| {
                    format!("no way from {} to {}, but there is one", ends.0, ends.1)
                })?;
                pass.queries += time.as_secs_f64();
                pass.count += 1;
            }
        }
        Ok(pass)
    }
}

fn text(rows: &[Row]) -> String {
    let mut text = format!(
        "Changing maps: an edit after every {QUERIES_PER_EDIT} queries, microseconds per query, the \
         hierarchy's edits included.\n\n{:<16} {:<6} {:>7} {:>8} {:>18}\n",
        "map", "kind", "queries", "ours", "A*"
    );
    for row in rows {
        let _ = writeln!(
            text,
            "{:<16} {:<6} {:>7} {:>8.1} {:>10.0} ({:.1}x)",
            row.name,
            row.kind,
            row.queries,
            row.ours,
            row.astar,
            row.astar / row.ours
        );
    }
    let faster = geometric_mean(rows.iter().map(|row| row.astar / row.ours));
    let _ = writeln!(text, "geometric mean: {faster:.1}x as fast as A*");
    text
}

fn json(rows: &[Row]) -> Value {
    let row = |row: &Row| {
        json!({
            "map": row.name, "kind": row.kind, "queries": row.queries, "ours_us": row.ours,
            "astar_us": row.astar,
        })
    };
    json!(rows.iter().map(row).collect::<Vec<_>>())
}
