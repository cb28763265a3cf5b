//! The time of an edit on a large map, beside deriving everything from scratch.

use std::fmt::Write;
use std::hint::black_box;
use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use serde_json::{Value, json};
use throng_grid::Ground;
use throng_lab::generate;
use throng_model::{Cell, Map, MapError, MovementProfile};

use crate::Report;
use crate::bare::Bare;
use crate::race::{race, timed, verdict};

const SIDE: u16 = 1024;
/// The allowed time of an edit, in percent of a labelling from scratch.
const REQUIRED_PERCENT: f64 = 1.0;

/// The results on one map.
struct Row {
    name: &'static str,
    edit_us: f64,
    slowest_us: f64,
    labelling_us: f64,
    ground_us: f64,
}

impl Row {
    fn share_percent(&self) -> f64 {
        100.0 * self.edit_us / self.labelling_us
    }
}

pub(crate) fn measure(quick: bool) -> Result<Report, String> {
    let edits = if quick { 2_000 } else { 10_000 };
    let maps = maps().map_err(|error| error.to_string())?;
    let rows: Vec<Row> = maps
        .into_iter()
        .map(|(name, map)| measure_map(name, map, edits))
        .collect::<Result<_, String>>()?;
    Ok(Report { text: text(edits, &rows), json: json(edits, &rows) })
}

fn maps() -> Result<[(&'static str, Map); 6], generate::GenerateError> {
    let side = u32::from(SIDE);
    Ok([
        ("open", generate::random(side, side, 0, 1)?),
        ("random 20%", generate::random(side, side, 20, 2)?),
        ("random 40%", generate::random(side, side, 40, 3)?),
        ("maze", generate::maze(side, side, 1, 0, 4)?),
        ("rooms", generate::rooms(side, side, 16, 5)?),
        ("town", generate::town(side, side, 6)?),
    ])
}

fn measure_map(name: &'static str, mut map: Map, edits: u32) -> Result<Row, String> {
    let movement = MovementProfile::eight_connected();
    let fresh = |map: &Map| Ground::new(map, movement.clone()).map_err(|error| error.to_string());
    let mut ground = fresh(&map)?;
    let mut bare = Bare::new(&map);
    let [labelling, rebuilt] = race(
        5,
        1,
        [
            &mut |_| {
                black_box(bare.label());
            },
            &mut |_| {
                let _ = black_box(fresh(&map));
            },
        ],
    );
    let (sum, slowest) =
        edit_at_random(&mut map, &mut ground, edits).map_err(|error| error.to_string())?;
    check(&map, &ground).map_err(|why| format!("{name}: {why}"))?;
    Ok(Row {
        name,
        edit_us: sum.as_secs_f64() * 1e6 / f64::from(edits),
        slowest_us: slowest.as_secs_f64() * 1e6,
        labelling_us: labelling * 1e6,
        ground_us: rebuilt * 1e6,
    })
}

/// Turns walls into ground and ground into walls, at random. Returns the total time and that of
/// the slowest edit; both include the map and the ground.
fn edit_at_random(
    map: &mut Map,
    ground: &mut Ground,
    edits: u32,
) -> Result<(Duration, Duration), MapError> {
    let wall = map.class_by_name("wall").unwrap_or(Map::WALL);
    let mut rng = Pcg64Mcg::seed_from_u64(7);
    let (mut sum, mut slowest) = (Duration::ZERO, Duration::ZERO);
    for _ in 0..edits {
        let cell = Cell::new(rng.random_range(0..SIDE), rng.random_range(0..SIDE));
        let terrain = if map.is_passable(cell) { wall } else { Map::GROUND };
        let (changed, elapsed) =
            timed(|| map.set(cell, terrain).map(|change| ground.apply(map, &change)));
        changed?;
        sum += elapsed;
        slowest = slowest.max(elapsed);
    }
    Ok((sum, slowest))
}

/// After the edits, the components equal those of a flood fill from scratch.
fn check(map: &Map, ground: &Ground) -> Result<(), String> {
    let mut bare = Bare::new(map);
    let parts = bare.label() as usize;
    let components = ground.components();
    if components.count() != parts {
        return Err(format!("{} parts, but a flood fill has {parts}", components.count()));
    }
    let mut of_label = vec![None; parts];
    for cell in map.cells() {
        let found = ground.index(cell).and_then(|index| components.component_of(index));
        let agrees = match bare.value(cell) {
            Some(label) => {
                *of_label[label as usize].get_or_insert(found) == found && found.is_some()
            }
            None => found.is_none(),
        };
        if !agrees {
            return Err(format!("{cell} is in another part than a flood fill says"));
        }
    }
    Ok(())
}

fn text(edits: u32, rows: &[Row]) -> String {
    let mut text = format!(
        "Edits: {edits} random cells of {SIDE} x {SIDE} walled or opened, one by one; microseconds.\n\
         The labelling is a bare flood fill; the new ground has everything that searches need.\n\n\
         {:<12} {:>8} {:>9} {:>11} {:>11} {:>10} {:>10}\n",
        "map", "an edit", "slowest", "labelling", "new ground", "share", "of ground"
    );
    for row in rows {
        let _ = writeln!(
            text,
            "{:<12} {:>8.2} {:>9.1} {:>11.0} {:>11.0} {:>9.3}% {:>9.4}%",
            row.name,
            row.edit_us,
            row.slowest_us,
            row.labelling_us,
            row.ground_us,
            row.share_percent(),
            100.0 * row.edit_us / row.ground_us
        );
    }
    let _ = writeln!(
        text,
        "required: an edit at most {REQUIRED_PERCENT}% of a labelling on every map: {}",
        verdict(worst_percent(rows) <= REQUIRED_PERCENT)
    );
    text
}

fn worst_percent(rows: &[Row]) -> f64 {
    rows.iter().map(Row::share_percent).fold(0.0, f64::max)
}

fn json(edits: u32, rows: &[Row]) -> Value {
    let map = |row: &Row| {
        json!({
            "map": row.name,
            "edit_us": row.edit_us,
            "slowest_us": row.slowest_us,
            "labelling_us": row.labelling_us,
            "ground_us": row.ground_us,
            "share_percent": row.share_percent(),
        })
    };
    json!({
        "edits": edits,
        "maps": rows.iter().map(map).collect::<Vec<_>>(),
        "required_percent": REQUIRED_PERCENT,
        "worst_percent": worst_percent(rows),
        "met": worst_percent(rows) <= REQUIRED_PERCENT,
    })
}
