//! Building, queries and path lengths: the hierarchy beside A* and the peer.

use std::fmt::Write;
use std::hint::black_box;

use serde_json::{Value, json};
use throng_grid::Jps;
use throng_model::{Map, MovementProfile, Neighbours, STRAIGHT};

use crate::Report;
use crate::peer::Peer;
use crate::race::{geometric_mean, race, timed, verdict};
use crate::searches::Searches;
use crate::terrain::with_terrain;
use crate::workload::{Workload, workloads};

const FASTER_REQUIRED: f64 = 10.0;
const BUILD_FASTER_REQUIRED: f64 = 5.0;
/// Smaller maps do not need a hierarchy.
const SIDE_MIN: u16 = 512;

/// The results of one movement profile on one map: microseconds per query, milliseconds to build.
struct Row {
    name: String,
    kind: String,
    movement: MovementProfile,
    /// Whether the map has several cost factors, not only ground and walls.
    is_weighted: bool,
    queries: usize,
    astar: f64,
    /// Jump point search, where it can run.
    jps: Option<f64>,
    ours: f64,
    first_step: f64,
    build: f64,
    /// Query and build times of the peer, which is four-connected only.
    peer: Option<(f64, f64)>,
    mean: f64,
    longest: f64,
}

pub(crate) fn measure(quick: bool) -> Result<Report, String> {
    let loads = workloads(if quick { 40 } else { 200 })?;
    let mut rows = Vec::new();
    for load in loads.all.iter().filter(|load| is_large(load)) {
        let weighted = with_terrain(&load.map, 1)?;
        for movement in movements(quick) {
            rows.push(measure_kind(load, (&weighted, true), movement.clone())?);
            // Small units on plain ground are for jump point search.
            if movement.footprint > 1 {
                rows.push(measure_kind(load, (&load.map, false), movement)?);
            }
        }
    }
    Ok(Report { text: text(loads.source, &rows), json: json(&rows), files: Vec::new() })
}

/// Whether the map is that of a game or city and large enough for a hierarchy.
pub(crate) fn is_large(load: &Workload) -> bool {
    load.is_world() && load.map.width().max(load.map.height()) >= SIDE_MIN
}

/// Neighbours and footprint, as tables name them.
pub(crate) fn kind(movement: &MovementProfile) -> String {
    let neighbours = if movement.neighbours == Neighbours::Four { 4 } else { 8 };
    format!("{neighbours} x{}", movement.footprint)
}

pub(crate) fn movements(quick: bool) -> Vec<MovementProfile> {
    let footprints = if quick { 1..=2 } else { 1..=3_u8 };
    let of = |movement: MovementProfile| {
        move |footprint| MovementProfile { footprint, ..movement.clone() }
    };
    let four = footprints.clone().map(of(MovementProfile::four_connected()));
    four.chain(footprints.map(of(MovementProfile::eight_connected()))).collect()
}

fn measure_kind(
    load: &Workload,
    (map, is_weighted): (&Map, bool),
    movement: MovementProfile,
) -> Result<Row, String> {
    let four = movement.neighbours == Neighbours::Four;
    let kind = format!("{}{}", kind(&movement), if is_weighted { "" } else { " plain" });
    let mut searches = Searches::new(map, movement.clone())?;
    let mut exact = Searches::new(map, movement.clone())?;
    let queries = searches.answerable(&load.queries);
    let (mean, longest) = lengths(&mut searches, &queries)?;
    let ground = exact.ground.clone();
    let (peer, peer_build) = timed(|| four.then(|| Peer::new(&ground)));
    let mut first = Searches::new(map, ground.movement().clone())?;
    let mut jumping = Searches::new(map, ground.movement().clone())?;
    let jumps = Jps::supports(&ground);
    let [ours, astar, peer_time, first_step, jps] = race(
        3,
        queries.len(),
        [
            &mut |i| {
                black_box(searches.over_hierarchy(queries[i]));
            },
            &mut |i| {
                black_box(exact.exactly(queries[i]));
            },
            &mut |i| {
                black_box(peer.as_ref().map(|peer| peer.find(queries[i])));
            },
            &mut |i| {
                black_box(first.first_steps(queries[i]));
            },
            &mut |i| {
                black_box(jumps.then(|| jumping.by_jumps(queries[i])));
            },
        ],
    )
    .map(|seconds| seconds * 1e6 / queries.len().max(1) as f64);
    let [build] = race(
        5,
        1,
        [&mut |_| {
            black_box(throng_hierarchy::GridHierarchy::new(&ground));
        }],
    );
    Ok(Row {
        name: load.name.clone(),
        kind,
        movement,
        is_weighted,
        queries: queries.len(),
        astar,
        jps: jumps.then_some(jps),
        ours,
        first_step,
        build: build * 1e3,
        peer: four.then_some((peer_time, peer_build.as_secs_f64() * 1e3)),
        mean,
        longest,
    })
}

/// The cost of the paths over the hierarchy divided by the optimum: mean and maximum.
fn lengths(
    searches: &mut Searches,
    queries: &[(throng_model::Cell, throng_model::Cell)],
) -> Result<(f64, f64), String> {
    let (mut sum, mut longest) = (0.0, 1.0_f64);
    for &query in queries {
        let ours = searches.over_hierarchy(query).ok_or("the hierarchy found no path")?;
        let best = searches.exactly(query).ok_or("A* found no path")?;
        let ratio = ours.cost.0.max(STRAIGHT) as f64 / best.cost.0.max(STRAIGHT) as f64;
        sum += ratio;
        longest = longest.max(ratio);
    }
    Ok((sum / queries.len().max(1) as f64, longest))
}

fn text(source: &str, rows: &[Row]) -> String {
    let mut text = format!(
        "Queries: {source}, terrain of factors 1 to 8 where not plain; microseconds per query, best of 3 runs; \
         milliseconds to build.\nKinds: neighbours x footprint. In brackets: how many times as \
         long as the hierarchy it takes.\n\n\
         {:<16} {:<10} {:>4} {:>8} {:>8} {:>17} {:>13} {:>18} {:>8} {:>16} {:>8} {:>8}\n",
        "map",
        "kind",
        "n",
        "ours",
        "1st step",
        "A*",
        "jump points",
        "hierarchical_p.",
        "build",
        "peer's build",
        "longer",
        "most"
    );
    for row in rows {
        let against = |time: f64, ours: f64| format!("{time:.0} ({:.1}x)", time / ours);
        let (peer, peer_build) = row.peer.map_or_else(Default::default, |(query, build)| {
            (against(query, row.ours), against(build, row.build))
        });
        let _ = writeln!(
            text,
            "{:<16} {:<10} {:>4} {:>8.1} {:>8.1} {:>17} {:>13} {:>18} {:>8.1} {:>16} {:>7.2}% {:>7.2}%",
            row.name,
            row.kind,
            row.queries,
            row.ours,
            row.first_step,
            against(row.astar, row.ours),
            row.jps.map_or_else(String::new, |jps| against(jps, row.ours)),
            peer,
            row.build,
            peer_build,
            100.0 * (row.mean - 1.0),
            100.0 * (row.longest - 1.0),
        );
    }
    text.push_str(&summary(rows));
    text
}

fn summary(rows: &[Row]) -> String {
    let weighted = || rows.iter().filter(|row| row.is_weighted);
    let faster = geometric_mean(weighted().map(|row| row.astar / row.ours));
    let peers = || weighted().filter_map(|row| Some((row, row.peer?)));
    let than_peer = geometric_mean(peers().map(|(row, peer)| peer.0 / row.ours));
    let build = geometric_mean(peers().map(|(row, peer)| peer.1 / row.build));
    format!(
        "geometric means on terrain: {faster:.1}x A* (required {FASTER_REQUIRED}: {}), \
         {than_peer:.1}x the peer ({}), building {build:.1}x (required {BUILD_FASTER_REQUIRED}: \
         {})\n{}{}{}",
        verdict(faster >= FASTER_REQUIRED),
        verdict(than_peer >= FASTER_REQUIRED),
        verdict(build >= BUILD_FASTER_REQUIRED),
        by_kind(rows),
        on_plain_ground(rows),
        lengths_summary(rows),
    )
}

/// How many times faster than A* the hierarchy is, for each kind of map.
fn by_kind(rows: &[Row]) -> String {
    let mut kinds: Vec<&str> = rows.iter().map(|row| row.kind.as_str()).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let faster = |kind: &&str| {
        let of_kind = rows.iter().filter(|row| row.kind == **kind);
        format!("{kind}: {:.1}x", geometric_mean(of_kind.map(|row| row.astar / row.ours)))
    };
    format!("by kind: {}\n", kinds.iter().map(faster).collect::<Vec<_>>().join(", "))
}

/// How many times faster than A* jump point search is, on plain ground.
fn on_plain_ground(rows: &[Row]) -> String {
    let plain = || rows.iter().filter_map(|row| Some((row, row.jps?)));
    format!(
        "on plain ground, 8-connected: jump point search {:.1}x A*, the hierarchy {:.1}x\n",
        geometric_mean(plain().map(|(row, jps)| row.astar / jps)),
        geometric_mean(plain().map(|(row, _)| row.astar / row.ours)),
    )
}

fn lengths_summary(rows: &[Row]) -> String {
    let queries: usize = rows.iter().map(|row| row.queries).sum();
    let sum: f64 = rows.iter().map(|row| row.mean * row.queries as f64).sum();
    let mean = sum / queries.max(1) as f64;
    let costliest = rows.iter().map(|row| row.mean).fold(0.0, f64::max);
    let longest = rows.iter().map(|row| row.longest).fold(0.0, f64::max);
    format!(
        "lengths: {:.2}% over the best on average (within 1%: {}), {:.2}% on the worst map \
         (within 1%: {}), {:.2}% at most (none over 10%: {})\n",
        100.0 * (mean - 1.0),
        verdict(mean <= 1.01),
        100.0 * (costliest - 1.0),
        verdict(costliest <= 1.01),
        100.0 * (longest - 1.0),
        verdict(longest <= 1.10),
    )
}

fn json(rows: &[Row]) -> Value {
    let row = |row: &Row| {
        json!({
            "map": row.name, "kind": row.kind, "is_weighted": row.is_weighted,
            "footprint": row.movement.footprint, "queries": row.queries,
            "query_us": row.ours, "first_step_us": row.first_step, "astar_us": row.astar, "jps_us": row.jps,
            "build_ms": row.build,
            "peer_us": row.peer.map(|peer| peer.0), "peer_build_ms": row.peer.map(|peer| peer.1),
            "mean_ratio": row.mean, "longest_ratio": row.longest,
        })
    };
    json!(rows.iter().map(row).collect::<Vec<_>>())
}
