//! The maps of the random cases.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use throng::grid::AStar;
use throng::grid::{Ground, Path};
use throng::model::{Cell, Map, TerrainId};

use crate::harness::best_path::best_path;
use crate::{LabError, generate};

/// Side of every map, in cells.
pub(super) const SIDE: u32 = 128;

/// The kind of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum World {
    Open,
    Random,
    Rooms,
    Caves,
    Town,
}

impl World {
    pub(super) const ALL: [Self; 5] =
        [Self::Open, Self::Random, Self::Rooms, Self::Caves, Self::Town];

    /// The kind of the n-th case: kinds alternate.
    pub(super) fn in_turn(number: usize) -> Self {
        Self::ALL[number % Self::ALL.len()]
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Random => "random 20%",
            Self::Rooms => "rooms",
            Self::Caves => "caves",
            Self::Town => "town",
        }
    }

    pub(super) fn map(self, seed: u64) -> Result<Map, LabError> {
        Ok(match self {
            Self::Open => Map::empty(SIDE, SIDE)?,
            Self::Random => generate::random(SIDE, SIDE, 20, seed)?,
            Self::Rooms => generate::rooms(SIDE, SIDE, 12, seed)?,
            Self::Caves => generate::caves(SIDE, SIDE, seed)?,
            Self::Town => generate::town(SIDE, SIDE, seed)?,
        })
    }
}

/// The terrain class of obstacles.
pub(super) fn wall(map: &Map) -> TerrainId {
    map.class_by_name("wall").unwrap_or(Map::WALL)
}

pub(super) fn random_cell(rng: &mut Pcg64Mcg) -> Cell {
    let mut side = || rng.random_range(0..SIDE) as u16;
    Cell::new(side(), side())
}

/// The distance of two cells in steps, without obstacles.
pub(super) fn steps_between(a: Cell, b: Cell) -> u16 {
    a.x.abs_diff(b.x).max(a.y.abs_diff(b.y))
}

/// A path between two random cells that are at least a quarter of the map apart.
pub(super) fn random_path(
    ground: &Ground,
    search: &mut AStar,
    rng: &mut Pcg64Mcg,
) -> Result<Option<Path>, LabError> {
    const TRIES: u32 = 100;
    for _ in 0..TRIES {
        let (start, goal) = (random_cell(rng), random_cell(rng));
        if u32::from(steps_between(start, goal)) < SIDE / 4 {
            continue;
        }
        if let Some(path) = best_path(ground, search, start, goal)? {
            return Ok(Some(path));
        }
    }
    Ok(None)
}
