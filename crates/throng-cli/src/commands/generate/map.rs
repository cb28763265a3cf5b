//! `throng gen map`: maps of many kinds.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Subcommand};
use serde::Serialize;
use throng::formats::{MapOptions, TerrainTable, map, terrain};
use throng::model::Map;
use throng_lab::generate::{self, GenerateError, Warehouse};

use crate::files::Output;
use crate::report::{Exit, Report};

/// Make a map
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct MapKindArguments {
    #[command(subcommand)]
    kind: MapKind,
}

const AFTER_HELP: &str = "\
Examples:
  throng gen map maze --width 65 --height 65 --corridor 2 --loops 10 -s 3 -o maze.map
  throng gen map warehouse --shelf-rows 10 -o warehouse.map
  throng gen map town -s 7 -o town.map

A map whose letters alone do not tell what terrain costs gets a terrain table beside it: \
town.map and town.terrain. Other commands find the table beside the map.";

#[derive(Subcommand, Debug)]
enum MapKind {
    /// Scattered obstacles; parts that are cut off are filled
    Random {
        #[command(flatten)]
        common: Common,
        /// Share of obstacles
        #[arg(long, value_name = "PERCENT", default_value_t = 20)]
        obstacles: u32,
    },
    /// Corridors with one way between any two places, or few
    Maze {
        #[command(flatten)]
        common: Common,
        /// Width of the corridors, in cells
        #[arg(long, value_name = "CELLS", default_value_t = 1)]
        corridor: u32,
        /// Share of the remaining walls that are opened
        #[arg(long, value_name = "PERCENT", default_value_t = 0)]
        loops: u32,
    },
    /// Square rooms with doors
    Rooms {
        #[command(flatten)]
        common: Common,
        /// Cells per side of each room
        #[arg(long, value_name = "CELLS", default_value_t = 7)]
        room: u32,
    },
    /// Winding halls with ragged walls
    Caves {
        #[command(flatten)]
        common: Common,
    },
    /// Rows of shelves with narrow aisles; the size follows from the shelves
    Warehouse(WarehouseArguments),
    /// Rivers with bridges, roads, forest, swamp, houses
    Town {
        #[command(flatten)]
        common: Common,
    },
}

#[derive(Args, Debug)]
struct Common {
    /// Columns
    #[arg(long, value_name = "CELLS", default_value_t = 64)]
    width: u32,
    /// Rows
    #[arg(long, value_name = "CELLS", default_value_t = 64)]
    height: u32,
    #[command(flatten)]
    out: Out,
}

#[derive(Args, Debug)]
struct Out {
    /// The seed: each gives another map
    #[arg(short, long, default_value_t = 0)]
    seed: u64,
    /// Where to write the map
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

#[derive(Args, Debug)]
struct WarehouseArguments {
    /// Shelves side by side
    #[arg(long, default_value_t = Warehouse::default().shelf_columns)]
    shelf_columns: u32,
    /// Shelves one below the other
    #[arg(long, default_value_t = Warehouse::default().shelf_rows)]
    shelf_rows: u32,
    /// Cells along a shelf
    #[arg(long, default_value_t = Warehouse::default().shelf_length)]
    shelf_length: u32,
    /// Cells across a shelf
    #[arg(long, default_value_t = Warehouse::default().shelf_depth)]
    shelf_depth: u32,
    /// Width of the aisles
    #[arg(long, default_value_t = Warehouse::default().aisle)]
    aisle: u32,
    /// Width of the halls on the left and on the right
    #[arg(long, default_value_t = Warehouse::default().hall)]
    hall: u32,
    #[command(flatten)]
    out: Out,
}

impl WarehouseArguments {
    fn measures(&self) -> Warehouse {
        Warehouse {
            shelf_columns: self.shelf_columns,
            shelf_rows: self.shelf_rows,
            shelf_length: self.shelf_length,
            shelf_depth: self.shelf_depth,
            aisle: self.aisle,
            hall: self.hall,
        }
    }
}

impl MapKind {
    fn name(&self) -> &'static str {
        match self {
            Self::Random { .. } => "random",
            Self::Maze { .. } => "maze",
            Self::Rooms { .. } => "rooms",
            Self::Caves { .. } => "caves",
            Self::Warehouse(_) => "warehouse",
            Self::Town { .. } => "town",
        }
    }

    fn out(&self) -> &Out {
        match self {
            Self::Random { common, .. }
            | Self::Maze { common, .. }
            | Self::Rooms { common, .. }
            | Self::Caves { common }
            | Self::Town { common } => &common.out,
            Self::Warehouse(arguments) => &arguments.out,
        }
    }

    fn make(&self) -> Result<Map, GenerateError> {
        let seed = self.out().seed;
        match self {
            Self::Random { common, obstacles } => {
                generate::random(common.width, common.height, *obstacles, seed)
            }
            Self::Maze { common, corridor, loops } => {
                generate::maze(common.width, common.height, *corridor, *loops, seed)
            }
            Self::Rooms { common, room } => {
                generate::rooms(common.width, common.height, *room, seed)
            }
            Self::Caves { common } => generate::caves(common.width, common.height, seed),
            Self::Warehouse(arguments) => generate::warehouse(&arguments.measures()),
            Self::Town { common } => generate::town(common.width, common.height, seed),
        }
    }
}

#[derive(Serialize)]
struct MapJson {
    kind: &'static str,
    seed: u64,
    width: u16,
    height: u16,
    passable_cells: usize,
    map: PathBuf,
    /// The terrain table, if the map needs one.
    terrain: Option<PathBuf>,
}

pub(super) fn run(arguments: &MapKindArguments) -> Result<Report> {
    let kind = &arguments.kind;
    let output = Output::new(kind.out().output.clone(), &[])?;
    let made = kind.make()?;
    let table = TerrainTable::of_map(&made)?;
    let beside = match table.is_needed(MapOptions::default()) {
        true => Some(Output::new(output.path().with_extension("terrain"), &[output.path()])?),
        false => None,
    };
    output.write(map::write(&made)?.as_bytes())?;
    if let Some(beside) = &beside {
        beside.write(terrain::write(&table).as_bytes())?;
    }
    let json = MapJson {
        kind: kind.name(),
        seed: kind.out().seed,
        width: made.width(),
        height: made.height(),
        passable_cells: made.cells().filter(|&cell| made.is_passable(cell)).count(),
        map: output.path().to_owned(),
        terrain: beside.map(|beside| beside.path().to_owned()),
    };
    Report::new(Exit::Success, text(&json), &json)
}

fn text(json: &MapJson) -> String {
    let MapJson { kind, width, height, passable_cells, map, terrain, .. } = json;
    let mut text = format!(
        "{}: {kind}, {width} x {height} cells, {passable_cells} of them passable\n",
        map.display()
    );
    if let Some(terrain) = terrain {
        let terrain = terrain.display();
        let _ = writeln!(text, "{terrain}: what its letters mean; commands find it beside the map");
    }
    text
}
