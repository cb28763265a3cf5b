//! Queries per second on threads that share one hierarchy, with reused memory and with fresh
//! memory for each query.

use std::fmt::Write;
use std::hint::black_box;

use serde_json::json;
use throng_grid::{Ground, PathSearch, Query};
use throng_hierarchy::{GridHierarchy, HierarchyMemory, HierarchySearch};
use throng_lab::generate;
use throng_model::{Budget, Cell, MovementProfile};

use crate::Report;
use crate::race::timed;
use crate::terrain::with_terrain;

pub(crate) fn measure(quick: bool) -> Result<Report, String> {
    let caves = generate::caves(512, 512, 1).map_err(|error| error.to_string())?;
    let map = with_terrain(&caves, 1)?;
    let movement = MovementProfile::eight_connected();
    let count = if quick { 100 } else { 1_000 };
    let units =
        generate::scenario(&map, &movement, count, 1, 2).map_err(|error| error.to_string())?;
    let ground = Ground::new(&map, movement).map_err(|error| error.to_string())?;
    let hierarchy = GridHierarchy::new(&ground);
    let ends: Vec<(Cell, Cell)> = units.iter().map(|unit| (unit.start, unit.goal)).collect();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut text = format!(
        "Threads: queries a second on 512 x 512 caves with terrain ({cores} cores here).\n\
         threads,warm,cold\n"
    );
    let mut points = Vec::new();
    for threads in [1, 2, 4, 8] {
        let rate = |warm: bool| {
            let ((), time) = timed(|| ask_all(&hierarchy, &ground, &ends, threads, warm));
            ends.len() as f64 / time.as_secs_f64()
        };
        let (warm, cold) = (rate(true), rate(false));
        let _ = writeln!(text, "{threads},{warm:.0},{cold:.0}");
        points.push(json!({ "threads": threads, "warm": warm, "cold": cold }));
    }
    Ok(Report { text, json: json!(points), files: Vec::new() })
}

fn ask_all(
    hierarchy: &GridHierarchy,
    ground: &Ground,
    ends: &[(Cell, Cell)],
    threads: usize,
    warm: bool,
) {
    std::thread::scope(|scope| {
        for part in ends.chunks(ends.len().div_ceil(threads)) {
            scope.spawn(move || {
                let mut memory = HierarchyMemory::default();
                for (from, to) in part {
                    if !warm {
                        memory = HierarchyMemory::default();
                    }
                    let mut search = HierarchySearch::new(hierarchy, &mut memory);
                    let query = Query::new(std::slice::from_ref(from), std::slice::from_ref(to));
                    let _ = black_box(search.find(ground, &query, Budget::unlimited()));
                }
            });
        }
    });
}
