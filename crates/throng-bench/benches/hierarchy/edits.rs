//! The time of an edit of the hierarchy, beside building it from scratch.

use std::fmt::Write;

use serde_json::{Value, json};
use throng_hierarchy::GridHierarchy;
use throng_model::{Cell, MovementProfile};

use crate::Report;
use crate::queries::is_large;
use crate::race::{geometric_mean, race, timed, verdict};
use crate::searches::Searches;
use crate::terrain::with_terrain;
use crate::walls::Walls;
use crate::workload::workloads;

const MEDIAN_US_REQUIRED: f64 = 100.0;
const SHARE_PERCENT_REQUIRED: f64 = 1.0;

struct Row {
    name: String,
    footprint: u8,
    median_us: f64,
    p99_us: f64,
    build_us: f64,
    /// The first query after an edit, over the hierarchy and by A*.
    query_us: f64,
    astar_us: f64,
}

/// Edits between two queries.
const EDITS_PER_QUERY: u32 = 10;

pub(crate) fn measure(quick: bool) -> Result<Report, String> {
    let edits = if quick { 500 } else { 4_000 };
    let mut rows = Vec::new();
    for load in workloads(1)?.all.iter().filter(|load| is_large(load)) {
        for footprint in 1..=3 {
            rows.push(measure_map(
                load.name.clone(),
                with_terrain(&load.map, 1)?,
                footprint,
                edits,
            )?);
        }
    }
    Ok(Report { text: text(edits, &rows), json: json(&rows), files: Vec::new() })
}

fn measure_map(
    name: String,
    mut map: throng_model::Map,
    footprint: u8,
    edits: u32,
) -> Result<Row, String> {
    let movement = MovementProfile { footprint, ..MovementProfile::eight_connected() };
    let mut searches = Searches::new(&map, movement)?;
    let ground = searches.ground.clone();
    let [build] = race(
        5,
        1,
        [&mut |_| {
            std::hint::black_box(GridHierarchy::new(&ground));
        }],
    );
    let mut walls = Walls::new(&map, 3);
    let mut times = Vec::new();
    let mut asking = Asking::default();
    for edit in 0..edits {
        let change = walls.edit(&mut map)?;
        searches.ground.apply(&map, &change);
        let (hierarchy, ground) = (&mut searches.hierarchy, &searches.ground);
        times.push(timed(|| hierarchy.apply(ground, &change)).1.as_secs_f64() * 1e6);
        if edit % EDITS_PER_QUERY == 0 {
            asking.ask(&mut searches, (walls.pick(), walls.pick()));
        }
    }
    if searches.hierarchy != GridHierarchy::new(&searches.ground) {
        return Err(format!("{name}: after the edits it is not the hierarchy of the ground"));
    }
    times.sort_by(f64::total_cmp);
    Ok(Row {
        name,
        footprint,
        median_us: times[times.len() / 2],
        p99_us: times[times.len() * 99 / 100],
        build_us: build * 1e6,
        query_us: asking.ours_us / f64::from(asking.count.max(1)),
        astar_us: asking.astar_us / f64::from(asking.count.max(1)),
    })
}

/// Queries between edits.
#[derive(Default)]
struct Asking {
    count: u32,
    ours_us: f64,
    astar_us: f64,
}

impl Asking {
    fn ask(&mut self, searches: &mut Searches, ends: (Cell, Cell)) {
        if searches.answerable(&[ends]).is_empty() {
            return;
        }
        self.count += 1;
        self.ours_us += timed(|| searches.over_hierarchy(ends)).1.as_secs_f64() * 1e6;
        self.astar_us += timed(|| searches.exactly(ends)).1.as_secs_f64() * 1e6;
    }
}

fn text(edits: u32, rows: &[Row]) -> String {
    let mut text = format!(
        "Edits: {edits} random cells walled or opened one by one, microseconds for the hierarchy.\n\n\
         {:<16} {:>9} {:>8} {:>8} {:>10} {:>8} {:>12} {:>18}\n",
        "map", "footprint", "median", "p99", "build", "share", "query after", "A* after"
    );
    for row in rows {
        let _ = writeln!(
            text,
            "{:<16} {:>9} {:>8.1} {:>8.1} {:>10.0} {:>7.2}% {:>12.1} {:>10.1} ({:.1}x)",
            row.name,
            row.footprint,
            row.median_us,
            row.p99_us,
            row.build_us,
            share(row),
            row.query_us,
            row.astar_us,
            row.astar_us / row.query_us
        );
    }
    let faster = geometric_mean(rows.iter().map(|row| row.astar_us / row.query_us));
    let _ = writeln!(
        text,
        "the first query after an edit: {faster:.1}x as fast as A* as the geometric mean"
    );
    let median = rows.iter().map(|row| row.median_us).fold(0.0, f64::max);
    let worst = rows.iter().map(share).fold(0.0, f64::max);
    let _ = writeln!(
        text,
        "required: a median under {MEDIAN_US_REQUIRED} us: {}; under {SHARE_PERCENT_REQUIRED}% of \
         the build: {}",
        verdict(median < MEDIAN_US_REQUIRED),
        verdict(worst < SHARE_PERCENT_REQUIRED)
    );
    text
}

fn share(row: &Row) -> f64 {
    100.0 * row.median_us / row.build_us
}

fn json(rows: &[Row]) -> Value {
    let row = |row: &Row| {
        json!({
            "map": row.name, "footprint": row.footprint, "median_us": row.median_us,
            "p99_us": row.p99_us, "build_us": row.build_us, "share_percent": share(row),
            "query_after_us": row.query_us, "astar_after_us": row.astar_us,
        })
    };
    json!(rows.iter().map(row).collect::<Vec<_>>())
}
