//! The worlds that the cases play in.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use throng::grid::{Ground, Path};
use throng::{AStar, Budget, Cell, Map, PathSearch, Query, TerrainId};

use crate::{LabError, generate};

/// Cells a side of every world.
pub(super) const SIDE: u32 = 128;

/// What a world is like.
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

    /// The worlds take turns.
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

/// The class that obstacles are made of.
pub(super) fn wall(map: &Map) -> TerrainId {
    map.class_by_name("wall").unwrap_or(Map::WALL)
}

pub(super) fn random_cell(rng: &mut Pcg64Mcg) -> Cell {
    let mut side = || rng.random_range(0..SIDE) as u16;
    Cell::new(side(), side())
}

/// How far apart two cells are, in steps over open ground.
pub(super) fn steps_between(a: Cell, b: Cell) -> u16 {
    a.x.abs_diff(b.x).max(a.y.abs_diff(b.y))
}

/// The best path from one cell to another, if both can be stood on and there is one.
pub(crate) fn best_path(
    ground: &Ground,
    search: &mut impl PathSearch,
    start: Cell,
    goal: Cell,
) -> Result<Option<Path>, LabError> {
    if !ground.can_stand(start) || !ground.can_stand(goal) {
        return Ok(None);
    }
    let (starts, goals) = ([start], [goal]);
    let answer = search.find(ground, &Query::new(&starts, &goals), Budget::unlimited())?;
    Ok(answer.found())
}

/// A path between two cells at random that are a quarter of the world apart.
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
