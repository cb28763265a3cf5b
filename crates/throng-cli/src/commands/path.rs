//! `throng path`: one query on a map or in a scene, or every query of a scenario.

mod in_scene;
mod scenario;
mod single;

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::{ArgGroup, Args, ValueEnum};
use throng::grid::Path;
use throng::hierarchy::Algorithm;
use throng::model::{Budget, Cell, Map, MovementProfile, Weight};
use throng::referee;

use crate::files::Output;
use crate::inputs::{MapArguments, MovementArguments, Moves, OptionalMapArguments, parse_cell};
use crate::report::Report;
use crate::screen::Screen;

/// Find a path between cells of a map or locations of a scene, or answer every query of a scenario
#[derive(Args, Debug)]
#[command(
    after_help = AFTER_HELP,
    allow_negative_numbers = true,
    group = ArgGroup::new("query").args(["from", "scen"]).required(true),
    group = ArgGroup::new("world").args(["map", "scene"]).required(true)
)]
pub(crate) struct PathArguments {
    #[command(flatten)]
    map: OptionalMapArguments,
    #[command(flatten)]
    scene: in_scene::SceneArguments,
    /// Where the path may start; give several to let the search choose
    #[arg(long, value_name = "X,Y", requires = "to", allow_hyphen_values = true)]
    from: Vec<String>,
    /// Where it may end; give several to let the search choose
    #[arg(long, value_name = "X,Y", requires = "from", allow_hyphen_values = true)]
    to: Vec<String>,
    /// Answer every query of this MovingAI scenario
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from", "to", "smooth", "nearest", "output"])]
    scen: Option<PathBuf>,
    /// Straight steps only, or diagonal ones too
    #[arg(long, value_name = "4|8", default_value = "8")]
    moves: Moves,
    #[command(flatten)]
    movement: MovementArguments,
    /// Which search; auto takes jump points on uniform ground, else the hierarchy on large maps
    #[arg(long, value_name = "SEARCH", default_value = "auto")]
    search: SearchName,
    /// Accept paths up to this much of the shortest, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 100, value_parser = weight_range())]
    weight: u16,
    /// Give up after N node expansions per query; in a scene, per search at grid level
    #[arg(long, value_name = "N")]
    expansions: Option<u64>,
    /// Pull the path tight: straight lines at any angle
    #[arg(long)]
    smooth: bool,
    /// If no goal can be reached, or it is blocked, find the path to the nearest cell
    #[arg(long)]
    nearest: bool,
    /// Draw the path to FILE.png or FILE.svg
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
Examples:
  throng path -m town.map --from 3,4 --to 60,20
  throng path -m town.map --from 3,4 --from 3,9 --to 60,20 --to 61,20   best of all pairs
  throng path -m town.map --terrain tank.terrain --footprint 2 --from 3,4 --to 60,20 --smooth
  throng path -m arena.map --scen arena.map.scen --search jps --json
  throng path --scene town.json --from 0.5,0.5 --to 22,17,1 --method rd -o way.svg

In a scene, --from and --to are X,Y or X,Y,LEVEL, in units from the bottom left.

With --scen, lengths are compared with those of the file where these apply (8-connected, \
corners never cut, units of one cell, exact search, no terrain table); otherwise wrong_length is \
null. A query that starts on water is answered for a boat.

Exit code 0: every query answered, no length wrong. 2: budget spent. 3: a query without a \
path (in a scene: on the lattice of the ghost player), or with another length than the file's.";

fn weight_range() -> clap::builder::RangedI64ValueParser<u16> {
    clap::value_parser!(u16).range(100..=1000)
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SearchName {
    Auto,
    Astar,
    Jps,
    Hierarchy,
    /// A* to the first stop node discovered, as Xu and Zou print it
    FirstDiscovered,
}

/// What both forms have in common.
#[derive(Clone, Debug)]
struct SearchOptions {
    movement: MovementProfile,
    moves: u8,
    algorithm: Algorithm,
    weight: Weight,
    expansions: Option<u64>,
}

impl SearchOptions {
    fn budget(&self) -> Budget<'static> {
        self.expansions.map_or(Budget::unlimited(), Budget::expansions)
    }
}

pub(crate) fn run(arguments: &PathArguments, screen: &Screen) -> Result<Report> {
    let search = SearchOptions {
        movement: arguments.movement.movement(arguments.moves),
        moves: arguments.moves.count(),
        algorithm: match arguments.search {
            SearchName::Auto => Algorithm::Auto,
            SearchName::Astar => Algorithm::AStar,
            SearchName::Jps => Algorithm::Jps,
            SearchName::Hierarchy => Algorithm::Hierarchy,
            SearchName::FirstDiscovered => Algorithm::FirstDiscovered,
        },
        weight: Weight::from_permille(u32::from(arguments.weight) * 10)?,
        expansions: arguments.expansions,
    };
    let map = arguments.map.given();
    let mut inputs = map.as_ref().map_or(Vec::new(), MapArguments::inputs);
    inputs.extend(arguments.scene.inputs());
    let output = arguments.output.clone().map(|path| Output::new(path, &inputs)).transpose()?;
    if let Some(output) = &output {
        output.expect_extension(&["png", "svg"])?;
    }
    let Some(map) = &map else { return in_scene::run(arguments, output.as_ref()) };
    match &arguments.scen {
        Some(file) => scenario::run(&scenario::ScenarioOptions { map, file, search }),
        None => single::run(
            &single::SingleOptions {
                map,
                from: &cells("--from", &arguments.from)?,
                to: &cells("--to", &arguments.to)?,
                search,
                smooth: arguments.smooth,
                nearest: arguments.nearest,
                output,
            },
            screen,
        ),
    }
}

/// Cells as they were typed.
fn cells(option: &str, typed: &[String]) -> Result<Vec<Cell>> {
    let cell = |text: &String| match parse_cell(text) {
        Ok(cell) => Ok(cell),
        Err(remedy) => bail!("{option} {text}: {remedy}"),
    };
    typed.iter().map(cell).collect()
}

/// Has the referee judge a path. It shares no code with the search, so that a disagreement
/// is a mistake in one of them and never in the input.
fn check_with_referee(map: &Map, movement: &MovementProfile, path: &Path) -> Result<()> {
    let judged = referee::check_path(map, movement, &path.cells);
    match judged {
        Ok(cost) if cost == path.cost => Ok(()),
        Ok(cost) => Err(internal(&format!("the search says {}, the referee {cost}", path.cost))),
        Err(violations) => {
            Err(internal(&violations.first().map_or(String::new(), ToString::to_string)))
        }
    }
}

fn internal(disagreement: &str) -> anyhow::Error {
    anyhow::anyhow!(
        "internal: search and referee disagree about a path: {disagreement}; this is a bug in \
         throng, please report it with the map and the command"
    )
}

/// A cell as a pair in JSON.
fn pair(cell: Cell) -> [u16; 2] {
    [cell.x, cell.y]
}
