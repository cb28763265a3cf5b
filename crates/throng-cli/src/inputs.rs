//! Arguments that several commands share: the map, how to read it, and how units move.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use throng::formats::{MapOptions, Passable, TerrainTable, map, terrain};
use throng::model::limits::FOOTPRINT_MAX;
use throng::model::{Cell, CornerRule, Map, MovementProfile, Neighbours};

use crate::files;

/// Which map, as typed.
#[derive(Args, Debug)]
pub(crate) struct MapArguments {
    /// The map: MovingAI's format; `-` reads standard input
    #[arg(short, long, value_name = "MAP")]
    pub(crate) map: PathBuf,
    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
}

/// Which map, as typed where a scene can be given instead.
#[derive(Args, Debug)]
pub(crate) struct OptionalMapArguments {
    /// The map: MovingAI's format; `-` reads standard input
    #[arg(short, long, value_name = "MAP", conflicts_with_all = ["method", "radius", "step", "slant_reach", "logs"])]
    map: Option<PathBuf>,
    #[command(flatten)]
    reading: ReadingArguments,
}

impl OptionalMapArguments {
    /// The map, if one was given.
    pub(crate) fn given(&self) -> Option<MapArguments> {
        let map = self.map.clone()?;
        Some(MapArguments { map, reading: self.reading.clone() })
    }
}

/// How to read a map, as typed.
#[derive(Args, Clone, Debug)]
pub(crate) struct ReadingArguments {
    /// A terrain table: lines of letter, name, and factor (or `blocked`) [default: MAP.terrain
    /// beside the map, where the map has letters that need one]
    #[arg(long, value_name = "FILE")]
    pub(crate) terrain: Option<PathBuf>,
    /// Which letters of the map are free ground
    #[arg(long, value_name = "READING", default_value = "movingai")]
    passable: PassableName,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum PassableName {
    /// `.` `G` `S` free, `W` for boats, digits 2 to 9 are cost factors
    #[value(name = "movingai")]
    MovingAi,
    /// All but `@` and `T` free, as in most MAPF tools
    Mapf,
    /// Only `.` free
    Strict,
}

impl MapArguments {
    /// The files that must not be overwritten.
    pub(crate) fn inputs(&self) -> Vec<&Path> {
        [Some(&self.map), self.reading.terrain.as_ref()]
            .into_iter()
            .flatten()
            .map(AsRef::as_ref)
            .collect()
    }

    pub(crate) fn read(&self) -> Result<Map> {
        self.reading.read(&self.map)
    }
}

impl ReadingArguments {
    pub(crate) fn options(&self) -> MapOptions {
        MapOptions {
            passable: match self.passable {
                PassableName::MovingAi => Passable::MovingAi,
                PassableName::Mapf => Passable::Mapf,
                PassableName::Strict => Passable::Strict,
            },
        }
    }

    /// Reads the map, with the terrain table if there is one.
    pub(crate) fn read(&self, path: &Path) -> Result<Map> {
        let table = match &self.terrain {
            Some(file) => files::read(file)?.parse(terrain::read)?,
            None => TerrainTable::default(),
        };
        let input = files::read(path)?;
        let read = |table: &TerrainTable| {
            input.parse(|bytes| map::read_with(bytes, self.options(), table))
        };
        let beside = path.with_extension("terrain");
        read(&table).or_else(|error| {
            // `throng gen` leaves the table there.
            if self.terrain.is_some() || !beside.is_file() {
                return Err(error);
            }
            let table = files::read(&beside)?.parse(terrain::read)?;
            read(&table)
        })
    }
}

/// How units move, as typed.
#[derive(Args, Debug)]
pub(crate) struct MovementArguments {
    /// When a diagonal step may pass the corner of a wall
    #[arg(long, value_name = "RULE", default_value = "never")]
    corners: CornerName,
    /// Side of the unit's square footprint, in cells
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = footprint_range())]
    footprint: u8,
}

pub(crate) fn footprint_range() -> clap::builder::RangedI64ValueParser<u8> {
    clap::value_parser!(u8).range(1..=i64::from(FOOTPRINT_MAX))
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum CornerName {
    /// Only where both cells beside the step are free
    Never,
    /// Where at least one of them is free
    OneSide,
    /// Always
    Always,
}

/// Which neighbours a step reaches, as typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Moves {
    /// Straight steps only
    #[value(name = "4")]
    Four,
    /// Straight and diagonal steps
    #[value(name = "8")]
    Eight,
}

impl Moves {
    pub(crate) fn count(self) -> u8 {
        match self {
            Self::Four => 4,
            Self::Eight => 8,
        }
    }

    pub(crate) fn neighbours(self) -> Neighbours {
        match self {
            Self::Four => Neighbours::Four,
            Self::Eight => Neighbours::Eight,
        }
    }
}

impl MovementArguments {
    pub(crate) fn movement(&self, moves: Moves) -> MovementProfile {
        MovementProfile {
            neighbours: moves.neighbours(),
            corners: match self.corners {
                CornerName::Never => CornerRule::NeverCut,
                CornerName::OneSide => CornerRule::OneSideFree,
                CornerName::Always => CornerRule::AlwaysCut,
            },
            footprint: self.footprint,
            ..MovementProfile::eight_connected()
        }
    }
}

/// A cell typed as `X,Y`.
pub(crate) fn parse_cell(text: &str) -> Result<Cell, String> {
    let cell = text.split_once(',').and_then(|(x, y)| {
        let (x, y) = (x.trim().parse().ok()?, y.trim().parse().ok()?);
        Some(Cell::new(x, y))
    });
    cell.ok_or_else(|| "give a column and a row, counted from 0, as X,Y".to_owned())
}

/// Refuses cells that are off the map.
pub(crate) fn check_on_map(map: &Map, option: &str, cells: &[Cell]) -> Result<()> {
    let Some(cell) = cells.iter().find(|&&cell| !map.contains(cell)) else { return Ok(()) };
    let (width, height) = (map.width(), map.height());
    bail!(
        "{option} {},{}: off the map of {width} x {height} cells; give a column below {width} and \
         a row below {height}",
        cell.x,
        cell.y
    )
}
