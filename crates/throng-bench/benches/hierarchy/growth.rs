//! Time against the size of the map, as a plot.

use std::fmt::Write;
use std::hint::black_box;

use serde_json::{Value, json};
use throng_draw::plot::{Axis, Chart};
use throng_lab::generate;
use throng_model::MovementProfile;

use crate::Report;
use crate::race::{race, timed};
use crate::searches::Searches;
use crate::terrain::with_terrain;

pub(crate) fn measure(quick: bool) -> Result<Report, String> {
    let sides: &[u32] = if quick { &[256, 512] } else { &[256, 512, 1024, 2048, 4096] };
    let mut text = String::from(
        "Growth: caves with terrain, eight-connected, as comma-separated values.\n\
         side,build_ms,query_us,first_step_us,astar_us,bytes\n",
    );
    let mut points = Vec::new();
    for &side in sides {
        let caves = generate::caves(side, side, 1).map_err(|error| error.to_string())?;
        let map = with_terrain(&caves, 1)?;
        let movement = MovementProfile::eight_connected();
        let units =
            generate::scenario(&map, &movement, 20, 1, 2).map_err(|error| error.to_string())?;
        let mut searches = Searches::new(&map, movement.clone())?;
        let mut exact = Searches::new(&map, movement.clone())?;
        let mut first = Searches::new(&map, movement)?;
        let ground = searches.ground.clone();
        let (_, build) = timed(|| black_box(throng_hierarchy::GridHierarchy::new(&ground)));
        let bytes = searches.hierarchy.bytes();
        let ends: Vec<_> = units.iter().map(|unit| (unit.start, unit.goal)).collect();
        let times = race(
            2,
            ends.len(),
            [
                &mut |i| {
                    black_box(searches.over_hierarchy(ends[i]));
                },
                &mut |i| {
                    black_box(first.first_steps(ends[i]));
                },
                &mut |i| {
                    black_box(exact.exactly(ends[i]));
                },
            ],
        );
        let [query, first_step, astar] = times.map(|seconds| seconds * 1e6 / ends.len() as f64);
        let build = build.as_secs_f64() * 1e3;
        let _ = writeln!(text, "{side},{build:.1},{query:.1},{first_step:.1},{astar:.1},{bytes}");
        points.push(json!({
            "side": side, "build_ms": build, "query_us": query, "first_step_us": first_step,
            "astar_us": astar, "bytes": bytes,
        }));
    }
    let plot = plot(&points)?;
    let csv = text.lines().skip(1).map(|line| format!("{line}\n")).collect();
    let files = vec![("growth.csv", csv), ("growth.svg", plot)];
    Ok(Report { text, json: json!(points), files })
}

/// Both axes logarithmic: a line is a power of the side.
fn plot(points: &[Value]) -> Result<String, String> {
    let mut chart = Chart::new(
        "A query on caves with terrain",
        Axis::log("cells per side"),
        Axis::log("microseconds"),
    );
    let series = [("A*", "astar_us"), ("hierarchy", "query_us"), ("first step", "first_step_us")];
    for (name, key) in series {
        let at = |point: &Value| Some((point["side"].as_f64()?, point[key].as_f64()?));
        chart = chart.line(name, &points.iter().filter_map(at).collect::<Vec<_>>());
    }
    chart.svg().map_err(|error| error.to_string())
}
