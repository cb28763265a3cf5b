//! One path query in a scene, by any method of the pathfinder.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use clap::Args;
use serde::Serialize;
use throng::scene::{Location, Stretch, ValidScene, WalkMetrics, WalkOutcome};
use throng_draw::{Scale, SceneParts, ScenePath, ScenePicture, scene_png, scene_svg};
use throng_lab::lanctot::{Query, judge};

use super::PathArguments;
use crate::files::Output;
use crate::report::{Exit, Report};
use crate::scene_inputs::{
    BodyArguments, CacheName, FinderOptions, MethodName, parse_location, read_logs, read_scene,
};

/// Which scene, and how paths are found in it, as typed.
#[derive(Args, Debug)]
pub(super) struct SceneArguments {
    /// A scene instead of a map (docs/scenes.md); `-` reads standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["terrain", "passable", "moves", "corners", "footprint", "search", "weight", "smooth", "nearest", "scen"])]
    scene: Option<PathBuf>,
    /// A scene: how the path is found
    #[arg(long, value_name = "METHOD", default_value = "sz")]
    method: MethodName,
    /// A scene: which caches the pathfinder has, separated by commas
    #[arg(
        long,
        value_name = "CACHES",
        default_value = "cc,pc",
        value_delimiter = ',',
        conflicts_with = "map"
    )]
    caches: Vec<CacheName>,
    #[command(flatten)]
    body: BodyArguments,
    /// A scene: logs of games, which say where players walk, for rd, rd+, vz and vz+ [default: evenly
    /// spread points]
    #[arg(long, value_name = "FILE", num_args = 1..)]
    logs: Vec<PathBuf>,
}

impl SceneArguments {
    /// The files that must not be overwritten.
    pub(super) fn inputs(&self) -> Vec<&Path> {
        self.scene.iter().chain(&self.logs).map(PathBuf::as_path).collect()
    }
}

#[derive(Serialize)]
struct SceneJson {
    status: &'static str,
    method: &'static str,
    /// In units.
    length: Option<f64>,
    stretches: Vec<StretchJson>,
    nodes: u64,
    searches: u64,
    waypoints: u64,
    collision_tests: u64,
    collision_hits: u64,
    path_hits: u64,
    fallbacks: u64,
}

#[derive(Serialize)]
struct StretchJson {
    /// In units.
    length: f64,
    /// x, y and level.
    locations: Vec<(f64, f64, u8)>,
}

/// A walk to its end.
struct Walked {
    outcome: WalkOutcome,
    stretches: Vec<Stretch>,
    metrics: WalkMetrics,
}

pub(super) fn run(arguments: &PathArguments, output: Option<&Output>) -> Result<Report> {
    let typed = &arguments.scene;
    let Some(file) = &typed.scene else { bail!("give a map (-m MAP) or a scene (--scene FILE)") };
    let query = Query {
        from: one_location("--from", &arguments.from)?,
        to: one_location("--to", &arguments.to)?,
    };
    let logs = read_logs(&typed.logs)?;
    let scene = read_scene(file)?;
    let options = FinderOptions {
        method: typed.method,
        caches: &typed.caches,
        ghost: typed.body.ghost(),
        logs: &logs,
        nodes_max: arguments.expansions,
    };
    let walked = walk(&scene, &options, query)?;
    if let Some(output) = output {
        draw(output, &scene, &walked, typed.method)?;
    }
    let (exit, status) = match walked.outcome {
        WalkOutcome::Walking | WalkOutcome::Arrived => (Exit::Success, "found"),
        WalkOutcome::StartBlocked => (Exit::Refuted, "start_blocked"),
        WalkOutcome::GoalBlocked => (Exit::Refuted, "goal_blocked"),
        WalkOutcome::Unreachable => (Exit::Refuted, "unreachable"),
        WalkOutcome::BudgetSpent => (Exit::BudgetSpent, "budget"),
    };
    let mut text = text(&walked, typed.method);
    if let Some(output) = output {
        let _ = writeln!(text, "drawn to {}", output.path().display());
    }
    Report::new(exit, text, &json(&walked, status, typed.method))
}

fn one_location(option: &str, typed: &[String]) -> Result<Location> {
    match typed {
        [text] => parse_location(option, text),
        _ => bail!("{option}: a path in a scene has one start and one goal; give it once"),
    }
}

fn walk(scene: &ValidScene, options: &FinderOptions<'_>, query: Query) -> Result<Walked> {
    let mut finder = options.finder(scene)?;
    let mut walk = finder.find(scene, query.from, query.to)?;
    let mut stretches = Vec::new();
    while let Some(stretch) = walk.next_stretch(&mut finder, scene) {
        stretches.push(stretch);
    }
    let walked = Walked { outcome: walk.outcome(), stretches, metrics: *walk.metrics() };
    if walked.outcome == WalkOutcome::Arrived {
        let radius = options.ghost.radius;
        let length = walked.metrics.length_millionths;
        judge(scene, &query, &walked.locations(), length, radius).map_err(|why| {
            anyhow!(
                "internal: the path is not legal: {why}; this is a bug in throng, please report \
                 it with the scene and the command"
            )
        })?;
    }
    Ok(walked)
}

impl Walked {
    /// The locations of all stretches; where two meet, the location is there once.
    fn locations(&self) -> Vec<Location> {
        let mut all: Vec<Location> = Vec::new();
        for stretch in &self.stretches {
            all.extend(stretch.locations.iter().skip(usize::from(!all.is_empty())));
        }
        all
    }
}

fn json(walked: &Walked, status: &'static str, method: MethodName) -> SceneJson {
    let WalkMetrics { nodes, searches, waypoints, .. } = walked.metrics;
    let stretch = |stretch: &Stretch| StretchJson {
        length: units(stretch.length_millionths),
        locations: stretch.locations.iter().map(|l| (l.at.x, l.at.y, l.level.0)).collect(),
    };
    SceneJson {
        status,
        method: method.name(),
        length: (status == "found").then(|| units(walked.metrics.length_millionths)),
        stretches: walked.stretches.iter().map(stretch).collect(),
        nodes,
        searches,
        waypoints,
        collision_tests: walked.metrics.collision_tests,
        collision_hits: walked.metrics.collision_hits,
        path_hits: walked.metrics.path_hits,
        fallbacks: walked.metrics.fallbacks,
    }
}

fn units(millionths: u64) -> f64 {
    millionths as f64 / 1e6
}

fn text(walked: &Walked, method: MethodName) -> String {
    let WalkMetrics { nodes, searches, waypoints, collision_tests, .. } = walked.metrics;
    let mut text = String::new();
    let count = walked.stretches.len();
    let _ = match walked.outcome {
        WalkOutcome::Arrived | WalkOutcome::Walking => {
            let length = units(walked.metrics.length_millionths);
            writeln!(text, "found: {length:.3} units in {count} stretches by {}", method.name())
        }
        WalkOutcome::StartBlocked => {
            writeln!(text, "start blocked: the body does not fit there; move it, or give --radius")
        }
        WalkOutcome::GoalBlocked => {
            writeln!(text, "goal blocked: the body does not fit there; move it, or give --radius")
        }
        WalkOutcome::Unreachable => {
            writeln!(
                text,
                "unreachable: every place of the lattice that can be reached was searched"
            )
        }
        WalkOutcome::BudgetSpent => {
            writeln!(text, "budget spent; a path may still exist: give more --expansions")
        }
    };
    let _ = writeln!(
        text,
        "{nodes} nodes in {searches} searches, {waypoints} waypoints, {collision_tests} collision tests"
    );
    for (number, stretch) in walked.stretches.iter().enumerate() {
        let ends = [stretch.locations.first(), stretch.locations.last()];
        let [from, to] = ends.map(|end| end.map_or(String::new(), place));
        let length = units(stretch.length_millionths);
        let _ = writeln!(text, "stretch {}: {length:.3} units from {from} to {to}", number + 1);
    }
    text
}

fn place(location: &Location) -> String {
    format!("{},{},{}", location.at.x, location.at.y, location.level)
}

fn draw(output: &Output, scene: &ValidScene, walked: &Walked, method: MethodName) -> Result<()> {
    let ends = walked.stretches.iter().filter_map(|stretch| stretch.locations.last());
    let inner = walked.stretches.len().saturating_sub(1);
    let path = ScenePath {
        label: format!("path by {}", method.name()),
        joints: ends.take(inner).copied().collect(),
        locations: walked.locations(),
    };
    let parts = SceneParts { gates: true, ..SceneParts::default() };
    let mut picture = ScenePicture::new(scene).parts(parts).path(path);
    let mut levels: Vec<_> = walked.locations().iter().map(|location| location.level).collect();
    levels.sort_unstable();
    levels.dedup();
    if !levels.is_empty() {
        picture = picture.levels(levels);
    }
    match output.extension().as_str() {
        "svg" => output.write(scene_svg(&picture).as_bytes()),
        _ => output.write(&scene_png(&picture, Scale::Auto)?),
    }
}
