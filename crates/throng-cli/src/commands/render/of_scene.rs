//! Pictures of scenes: the wireframe map and everything that can be shown on it.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::{Args, ValueEnum};
use serde::Serialize;
use throng::scene::{GhostOptions, Level, Location, Sample, ValidScene, WalkOutcome};
use throng_draw::{HeatSquare, Scale, SceneParts, ScenePath, ScenePicture, scene_png, scene_svg};
use throng_lab::lanctot::{GameLog, interest_map};

use super::RenderArguments;
use crate::files::Output;
use crate::report::{Exit, Report};
use crate::scene_inputs::{
    BodyArguments, CacheName, FinderOptions, MethodName, parse_location, read_logs, read_scene,
};

/// Which scene, and what of it, as typed.
#[derive(Args, Debug)]
pub(super) struct SceneArguments {
    /// A scene instead of a map (docs/scenes.md); `-` reads standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["terrain", "passable", "plan", "scenario", "tick_ms", "trail"])]
    scene: Option<PathBuf>,
    /// A scene: one level only [default: all, side by side]
    #[arg(long, value_name = "LEVEL", conflicts_with = "map")]
    level: Option<u8>,
    /// A scene: what to show besides obstacles, separated by commas
    #[arg(long, value_name = "PARTS", value_delimiter = ',', conflicts_with = "map")]
    show: Vec<PartName>,
    /// A scene: paths to search and show, FROM:TO, each X,Y or X,Y,LEVEL
    #[arg(long, value_name = "FROM:TO", conflicts_with = "map")]
    path: Vec<String>,
    /// A scene: how paths are found, separated by commas
    #[arg(
        long,
        value_name = "METHODS",
        default_value = "sz",
        value_delimiter = ',',
        requires = "path"
    )]
    method: Vec<MethodName>,
    #[command(flatten)]
    body: BodyArguments,
    /// A scene: logs of games, which say where players walk [default: evenly spread points]
    #[arg(long, value_name = "FILE", num_args = 1..)]
    logs: Vec<PathBuf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PartName {
    /// Each zone in a tint of its own
    Zones,
    /// Doors and stairs
    Gates,
    /// The graph of zones and gates
    Graph,
    /// The roadmap (rd)
    Roadmap,
    /// The roadmap with known paths (rd+)
    #[value(name = "roadmap+")]
    RoadmapPlus,
    /// Voronoi zones (vz)
    Voronoi,
    /// Voronoi zones that respect walls (vz+)
    #[value(name = "voronoi+")]
    VoronoiPlus,
    /// The steps of the ghost player
    Grid,
    /// Items
    Items,
    /// Players at their starting points
    Players,
    /// Where players walk, by --logs
    Interest,
}

#[derive(Serialize)]
struct RenderJson {
    output: PathBuf,
    bytes: usize,
    levels: usize,
    obstacles: usize,
    paths: usize,
}

pub(super) fn run(arguments: &RenderArguments) -> Result<Report> {
    let typed = &arguments.scene;
    let Some(file) = &typed.scene else { bail!("give a map (-m MAP) or a scene (--scene FILE)") };
    let inputs: Vec<&Path> = typed.logs.iter().chain([file]).map(PathBuf::as_path).collect();
    let output = Output::new(arguments.output.clone(), &inputs)?;
    output.expect_extension(&["png", "svg"])?;
    let queries = typed.path.iter().map(|text| query(text)).collect::<Result<Vec<_>>>()?;
    let logs = read_logs(&typed.logs)?;
    if typed.show.contains(&PartName::Interest) && logs.is_empty() {
        bail!("--show interest: give the logs of games (--logs FILE)");
    }
    let scene = read_scene(file)?;
    let sheet = Sheet { typed, scene: &scene, logs: &logs, ghost: typed.body.ghost() };
    let picture = sheet.picture(&queries)?;
    let bytes = match output.extension().as_str() {
        "svg" => scene_svg(&picture).into_bytes(),
        _ => scene_png(&picture, arguments.scale.map_or(Scale::Auto, Scale::Pixels))?,
    };
    output.write(&bytes)?;
    let json = RenderJson {
        output: output.path().to_owned(),
        bytes: bytes.len(),
        levels: scene.levels().count(),
        obstacles: scene.obstacles().count(),
        paths: queries.len() * typed.method.len(),
    };
    let text = format!("{}: {} bytes\n", json.output.display(), json.bytes);
    Report::new(Exit::Success, text, &json)
}

/// Both ends of a path, as typed.
fn query(text: &str) -> Result<[Location; 2]> {
    let (from, to) = text
        .split_once(':')
        .with_context(|| format!("--path {text}: give both ends, such as 0.5,0.5:29,29,1"))?;
    Ok([parse_location("--path", from)?, parse_location("--path", to)?])
}

/// What is needed to draw.
struct Sheet<'a> {
    typed: &'a SceneArguments,
    scene: &'a ValidScene,
    logs: &'a [GameLog],
    ghost: GhostOptions,
}

impl<'a> Sheet<'a> {
    fn picture(&self, queries: &[[Location; 2]]) -> Result<ScenePicture<'a>> {
        let shows = |part: PartName| self.typed.show.contains(&part);
        let parts = SceneParts {
            zones: shows(PartName::Zones),
            gates: shows(PartName::Gates),
            graph: shows(PartName::Graph),
            items: shows(PartName::Items),
            players: shows(PartName::Players),
        };
        let mut picture = ScenePicture::new(self.scene).parts(parts);
        if let Some(level) = self.typed.level {
            picture = picture.levels(vec![self.level(level)?]);
        }
        if shows(PartName::Interest) {
            picture = picture.heat("where players walk, rarely to often", self.heat());
        }
        if shows(PartName::Grid) {
            picture = picture.grid(self.ghost, self.start(queries)?);
        }
        let upper = [
            (PartName::Roadmap, MethodName::Rd, "roadmap"),
            (PartName::RoadmapPlus, MethodName::RdPlus, "roadmap+"),
            (PartName::Voronoi, MethodName::Vz, "vz"),
            (PartName::VoronoiPlus, MethodName::VzPlus, "vz+"),
        ];
        for (_, method, label) in upper.into_iter().filter(|(part, ..)| shows(*part)) {
            let finder = self.options(method).finder(self.scene)?;
            picture = picture.upper_level(label, finder.upper_level(self.scene));
        }
        for &method in &self.typed.method {
            for query in queries {
                picture = picture.path(self.path(method, *query)?);
            }
        }
        Ok(picture)
    }

    fn level(&self, level: u8) -> Result<Level> {
        let count = self.scene.levels().count();
        match usize::from(level) < count {
            true => Ok(Level(level)),
            false => bail!("--level {level}: the scene has levels 0 to {}", count - 1),
        }
    }

    fn options(&self, method: MethodName) -> FinderOptions<'a> {
        let caches = &[CacheName::Cc];
        FinderOptions { method, caches, ghost: self.ghost, logs: self.logs, nodes_max: None }
    }

    /// Where the ghost player starts: at the first path's start, a player or a gate.
    fn start(&self, queries: &[[Location; 2]]) -> Result<Location> {
        let path = queries.first().map(|query| query[0]);
        let player = self.scene.players().first().map(|p| Location::new(p.at, p.level));
        let gate = self.scene.gates().first().map(|gate| gate.sides[0]);
        let gate = gate.map(|side| Location::new(side.at, side.level));
        path.or(player).or(gate).context(
            "--show grid: the scene has no player and no gate to start from; give --path FROM:TO",
        )
    }

    fn path(&self, method: MethodName, [from, to]: [Location; 2]) -> Result<ScenePath> {
        let mut finder = self.options(method).finder(self.scene)?;
        let mut walk = finder.find(self.scene, from, to)?;
        let mut path = ScenePath {
            label: method.name().to_owned(),
            locations: vec![from],
            joints: Vec::new(),
        };
        while let Some(stretch) = walk.next_stretch(&mut finder, self.scene) {
            path.joints.extend(stretch.locations.last());
            path.locations.extend(stretch.locations.into_iter().skip(1));
        }
        path.joints.pop();
        match walk.outcome() {
            WalkOutcome::Arrived => Ok(path),
            outcome => bail!(
                "--path from {} to {} by {}: no path ({outcome:?}); `throng path --scene` says more",
                from.at,
                to.at,
                method.name()
            ),
        }
    }

    /// The interest maps of all levels. The scale goes by the square root: a few places where
    /// everyone stands would hide all others.
    fn heat(&self) -> Vec<HeatSquare> {
        let mut squares = Vec::new();
        for level in self.scene.levels() {
            let map = interest_map(self.logs, self.scene, level);
            let is_inside =
                |sample: &Sample| self.scene.zone_of(sample.location.at, level).is_some();
            for sample in map.samples(level).into_iter().filter(is_inside) {
                let share = (sample.weight as f64 / 1e6).sqrt();
                squares.push(HeatSquare { centre: sample.location, side: map.cell(), share });
            }
        }
        squares
    }
}
