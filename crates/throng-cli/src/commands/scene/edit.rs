//! `throng scene edit`: a scene with things added and removed.

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use clap::{Args, ValueEnum};
use serde::Serialize;
use throng::scene::{
    GhostOptions, ItemRecord, Level, Location, ObstacleKind, ObstacleRecord, PlayerRecord, Point,
    Scene,
};

use super::Counts;
use crate::files::{self, Output};
use crate::report::{Exit, Report};
use crate::scene_inputs::{parse_location, read_record, validate};

/// Add and remove obstacles, items and players of a scene
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct EditArguments {
    /// The scene; `-` reads standard input
    scene: PathBuf,
    /// Add an obstacle by its corners; two corners make a box
    #[arg(long, value_name = "NAME=X,Y X,Y ...")]
    add_obstacle: Vec<String>,
    /// The kind of the added obstacles
    #[arg(long, default_value = "block", requires = "add_obstacle")]
    kind: KindName,
    /// The level of the added obstacles
    #[arg(long, default_value_t = 0, requires = "add_obstacle")]
    level: u8,
    /// Add an item
    #[arg(long, value_name = "NAME=X,Y[,LEVEL]")]
    add_item: Vec<String>,
    /// Add a player
    #[arg(long, value_name = "NAME=X,Y[,LEVEL]")]
    add_player: Vec<String>,
    /// The radius of the added players, in units
    #[arg(long, value_name = "R", default_value_t = GhostOptions::default().radius, requires = "add_player")]
    radius: f64,
    /// Remove an obstacle, gate, item or player; KIND:NAME where several have the name
    #[arg(long, value_name = "NAME")]
    remove: Vec<String>,
    /// Give the scene another name
    #[arg(long, value_name = "NAME")]
    rename: Option<String>,
    /// Where to write the edited scene
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

const AFTER_HELP: &str = "\
Examples:
  throng scene edit town.json --add-obstacle \"crate=3,4 4,5\" -o edited.json
  throng scene edit town.json --add-obstacle \"ramp=3,4 6,4 6,5\" --kind wall --level 1 -o edited.json
  throng scene edit town.json --remove \"tree 12\" --remove \"gate:house 3 door\" -o edited.json
  throng scene edit town.json --add-item \"orb=4,4\" --add-player \"anna=5,5,0\" -o edited.json

Things are removed first, then added. The result is checked as a whole; nothing is written \
unless it is valid.";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum KindName {
    Wall,
    Tree,
    Fence,
    Furniture,
    Block,
}

impl KindName {
    fn kind(self) -> ObstacleKind {
        match self {
            Self::Wall => ObstacleKind::Wall,
            Self::Tree => ObstacleKind::Tree,
            Self::Fence => ObstacleKind::Fence,
            Self::Furniture => ObstacleKind::Furniture,
            Self::Block => ObstacleKind::Block,
        }
    }
}

#[derive(Serialize)]
struct EditJson {
    scene: PathBuf,
    added: usize,
    removed: usize,
    #[serde(flatten)]
    counts: Counts,
}

pub(super) fn run(arguments: &EditArguments) -> Result<Report> {
    let output = Output::new(arguments.output.clone(), &[&arguments.scene])?;
    let mut scene = read_record(&arguments.scene)?;
    let removed = arguments.remove.len();
    for name in &arguments.remove {
        remove(&mut scene, name)?;
    }
    let added = add(&mut scene, arguments)?;
    if let Some(name) = &arguments.rename {
        scene.name.clone_from(name);
    } else if added + removed == 0 {
        bail!(
            "nothing to edit: give --add-obstacle, --add-item, --add-player, --remove or --rename"
        );
    }
    let valid = validate(&files::base_name(&arguments.scene), scene)?;
    output.write(valid.to_scene().write()?.as_bytes())?;
    let counts = Counts::of(&valid);
    let text = format!("{}: {added} added, {removed} removed; {counts}\n", output.path().display());
    let scene = output.path().to_owned();
    Report::new(Exit::Success, text, &EditJson { scene, added, removed, counts })
}

/// Adds what was asked for, and returns how many things these are.
fn add(scene: &mut Scene, arguments: &EditArguments) -> Result<usize> {
    for text in &arguments.add_obstacle {
        let (name, places) = named("--add-obstacle", text)?;
        scene.obstacles.push(ObstacleRecord {
            name,
            kind: arguments.kind.kind(),
            level: Level(arguments.level),
            corners: corners(places)?,
        });
    }
    for text in &arguments.add_item {
        let (name, place) = named("--add-item", text)?;
        let Location { at, level } = parse_location("--add-item", place)?;
        scene.items.push(ItemRecord { name, level, at });
    }
    for text in &arguments.add_player {
        let (name, place) = named("--add-player", text)?;
        let Location { at, level } = parse_location("--add-player", place)?;
        scene.players.push(PlayerRecord { name, level, at, radius: arguments.radius });
    }
    Ok(arguments.add_obstacle.len() + arguments.add_item.len() + arguments.add_player.len())
}

/// A name and what follows the last `=`.
fn named<'a>(option: &str, text: &'a str) -> Result<(String, &'a str)> {
    let parts = text.rsplit_once('=').with_context(|| {
        format!("{option} {text:?}: give a name, `=` and where it is, such as \"crate=3,4 4,5\"")
    })?;
    Ok((parts.0.trim().to_owned(), parts.1))
}

/// Corners separated by spaces; two are the opposite corners of a box.
fn corners(text: &str) -> Result<Vec<Point>> {
    let corner = |place: &str| {
        let location = parse_location("--add-obstacle", place)?;
        if place.split(',').count() != 2 {
            bail!("--add-obstacle: corner {place}: give X,Y; --level gives the level");
        }
        Ok(location.at)
    };
    let corners: Vec<Point> = text.split_whitespace().map(corner).collect::<Result<_>>()?;
    Ok(match corners[..] {
        [a, b] => vec![a, Point::new(b.x, a.y), b, Point::new(a.x, b.y)],
        _ => corners,
    })
}

/// Removes the one thing that has a name, or a name of the given kind.
fn remove(scene: &mut Scene, name: &str) -> Result<()> {
    let named: Vec<&'static str> = kinds_of(scene, name);
    let (kind, name) = match (name.split_once(':'), &named[..]) {
        (_, [kind]) => (*kind, name),
        (_, [first, second, ..]) => bail!(
            "--remove {name:?}: {} and {} have this name; write {first}:{name}",
            article(first),
            article(second)
        ),
        (Some((kind, rest)), []) => match kinds_of(scene, rest).iter().find(|k| **k == kind) {
            Some(kind) => (*kind, rest),
            None => bail!("--remove {name:?}: the scene has no {kind} of this name"),
        },
        (None, []) => {
            bail!("--remove {name:?}: no obstacle, gate, item or player has this name")
        }
    };
    match kind {
        "obstacle" => scene.obstacles.retain(|obstacle| obstacle.name != name),
        "gate" => scene.gates.retain(|gate| gate.name != name),
        "item" => scene.items.retain(|item| item.name != name),
        _ => scene.players.retain(|player| player.name != name),
    }
    Ok(())
}

fn article(kind: &str) -> String {
    let vowel = kind.starts_with(['o', 'i']);
    format!("{} {kind}", if vowel { "an" } else { "a" })
}

/// The kinds of which something has the name.
fn kinds_of(scene: &Scene, name: &str) -> Vec<&'static str> {
    let kinds = [
        ("obstacle", scene.obstacles.iter().any(|obstacle| obstacle.name == name)),
        ("gate", scene.gates.iter().any(|gate| gate.name == name)),
        ("item", scene.items.iter().any(|item| item.name == name)),
        ("player", scene.players.iter().any(|player| player.name == name)),
    ];
    kinds.into_iter().filter(|(_, has)| *has).map(|(kind, _)| kind).collect()
}
