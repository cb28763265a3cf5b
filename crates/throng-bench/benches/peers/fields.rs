//! Distance fields beside the simplest code that fills the same array.

use std::fmt::Write;
use std::hint::black_box;

use serde_json::{Value, json};
use throng_grid::{Field, FieldSearch, Ground};
use throng_lab::generate;
use throng_model::{Cell, Map, MovementProfile, STRAIGHT};

use crate::Report;
use crate::bare::Bare;
use crate::race::{race, verdict};

const SIDE: u32 = 1024;
/// The allowed ratio of a 4-connected field's time to the bare sweep's.
const REQUIRED: f64 = 2.0;

/// The results on one map, in milliseconds per field.
struct Row {
    name: &'static str,
    field4: f64,
    sweep: f64,
    field8: f64,
    dijkstra: f64,
}

pub(crate) fn measure(quick: bool) -> Result<Report, String> {
    let rounds = if quick { 5 } else { 25 };
    let maps = maps().map_err(|error| error.to_string())?;
    let rows: Vec<Row> = maps
        .iter()
        .map(|(name, map)| measure_map(name, map, rounds))
        .collect::<Result<_, String>>()?;
    Ok(Report { text: text(rounds, &rows), json: json(rounds, &rows) })
}

fn maps() -> Result<[(&'static str, Map); 5], generate::GenerateError> {
    Ok([
        ("open", generate::random(SIDE, SIDE, 0, 1)?),
        ("random 20%", generate::random(SIDE, SIDE, 20, 2)?),
        ("maze", generate::maze(SIDE, SIDE, 1, 0, 3)?),
        ("rooms", generate::rooms(SIDE, SIDE, 16, 4)?),
        ("caves", generate::caves(SIDE, SIDE, 5)?),
    ])
}

fn measure_map(name: &'static str, map: &Map, rounds: u32) -> Result<Row, String> {
    let derive = |movement| Ground::new(map, movement).map_err(|error| error.to_string());
    let (four, eight) =
        (derive(MovementProfile::four_connected())?, derive(MovementProfile::eight_connected())?);
    let goal = map.cells().filter(|&cell| map.is_passable(cell)).last().ok_or("no free cell")?;
    let mut bare = Bare::new(map);
    let mut search = FieldSearch::default();
    bare.sweep(goal);
    check(map, &compute(&mut search, &four, goal)?, &bare, STRAIGHT)?;
    bare.dijkstra(goal);
    check(map, &compute(&mut search, &eight, goal)?, &bare, 1)?;
    // Each side reuses its own memory.
    let (mut of_four, mut of_eight, mut heap) =
        (FieldSearch::default(), FieldSearch::default(), Bare::new(map));
    let [field4, sweep, field8, dijkstra] = race(
        rounds,
        1,
        [
            &mut |_| refill(&mut of_four, &four, goal),
            &mut |_| bare.sweep(black_box(goal)),
            &mut |_| refill(&mut of_eight, &eight, goal),
            &mut |_| heap.dijkstra(black_box(goal)),
        ],
    )
    .map(|seconds| seconds * 1e3);
    Ok(Row { name, field4, sweep, field8, dijkstra })
}

fn compute(search: &mut FieldSearch, ground: &Ground, goal: Cell) -> Result<Field, String> {
    search.compute(ground, &[goal]).map_err(|error| error.to_string())
}

/// Computes a field in the memory of the last one.
fn refill(search: &mut FieldSearch, ground: &Ground, goal: Cell) {
    if let Ok(field) = black_box(search.compute(ground, &[goal])) {
        search.recycle(field);
    }
}

fn check(map: &Map, field: &Field, bare: &Bare, unit: u64) -> Result<(), String> {
    let expected = |cell| bare.value(cell).map(|value| u64::from(value) * unit);
    let found = |cell| field.distance(cell).map(|cost| cost.0);
    match map.cells().find(|&cell| found(cell) != expected(cell)) {
        None => Ok(()),
        Some(cell) => Err(format!(
            "the distance of {cell} is {:?} in the field and {:?} in the bare sweep",
            found(cell),
            expected(cell)
        )),
    }
}

fn text(rounds: u32, rows: &[Row]) -> String {
    let mut text = format!(
        "Distance fields: {SIDE} x {SIDE} cells, milliseconds per field, best of {rounds} rounds.\n\
         In brackets: throng's time divided by that of the bare code.\n\n\
         {:<12} {:>17} {:>12} {:>17} {:>12}\n",
        "map", "4-connected", "bare sweep", "8-connected", "binary heap"
    );
    for row in rows {
        let ratio = |ours: f64, bare: f64| format!("{ours:.2} ({:.2}x)", ours / bare);
        let _ = writeln!(
            text,
            "{:<12} {:>17} {:>12.2} {:>17} {:>12.2}",
            row.name,
            ratio(row.field4, row.sweep),
            row.sweep,
            ratio(row.field8, row.dijkstra),
            row.dijkstra
        );
    }
    let _ = writeln!(
        text,
        "required: at most {REQUIRED}x the bare sweep on every map: {}",
        verdict(worst(rows) <= REQUIRED)
    );
    text
}

fn worst(rows: &[Row]) -> f64 {
    rows.iter().map(|row| row.field4 / row.sweep).fold(0.0, f64::max)
}

fn json(rounds: u32, rows: &[Row]) -> Value {
    let map = |row: &Row| {
        json!({
            "map": row.name,
            "field4_ms": row.field4,
            "bare_sweep_ms": row.sweep,
            "field4_ratio": row.field4 / row.sweep,
            "field8_ms": row.field8,
            "binary_heap_ms": row.dijkstra,
            "field8_ratio": row.field8 / row.dijkstra,
        })
    };
    json!({
        "rounds": rounds,
        "maps": rows.iter().map(map).collect::<Vec<_>>(),
        "required": REQUIRED,
        "worst": worst(rows),
        "met": worst(rows) <= REQUIRED,
    })
}
