//! The maps, the numbers of units on them, and the scenarios.

use throng::model::{Map, MovementProfile, Problem, ValidProblem};

use crate::generate::{self, GenerateError, Warehouse};
use crate::harness::CaseId;
use crate::{LabError, Options};

/// Most units in a quick run.
const QUICK_UNITS_MAX: usize = 300;

/// A kind of map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ground {
    Random,
    Maze,
    Rooms,
    Warehouse,
}

impl Ground {
    pub(super) const ALL: [Self; 4] = [Self::Random, Self::Maze, Self::Rooms, Self::Warehouse];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Maze => "maze",
            Self::Rooms => "rooms",
            Self::Warehouse => "warehouse",
        }
    }

    /// For the title of a chart.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Random => "random 32 x 32, 20% obstacles",
            Self::Maze => "maze 32 x 32, corridors of 2",
            Self::Rooms => "rooms of 7 x 7 on 64 x 64",
            Self::Warehouse => "warehouse 161 x 63, aisles of 1",
        }
    }

    /// The numbers of units: the largest fills about half of the small maps, a third of the rooms
    /// and a fifth of the warehouse.
    fn counts(self) -> [usize; 6] {
        match self {
            Self::Random => [20, 50, 100, 200, 300, 400],
            Self::Maze => [20, 50, 100, 150, 200, 300],
            Self::Rooms | Self::Warehouse => [20, 100, 200, 400, 600, 1000],
        }
    }

    /// Those that a run uses: in a quick one, every other up to 300.
    pub(super) fn counts_of(self, options: &Options) -> Vec<usize> {
        let all = self.counts().into_iter();
        if options.quick {
            all.step_by(2).filter(|&units| units <= QUICK_UNITS_MAX).collect()
        } else {
            all.collect()
        }
    }

    fn map(self, seed: u64) -> Result<Map, GenerateError> {
        match self {
            Self::Random => generate::random(32, 32, 20, seed),
            Self::Maze => generate::maze(32, 32, 2, 0, seed),
            Self::Rooms => generate::rooms(64, 64, 7, seed),
            Self::Warehouse => generate::warehouse(&Warehouse::default()),
        }
    }

    /// A scenario with its own map (there is one warehouse). A smaller number of units is a prefix
    /// of a larger.
    pub(super) fn problem(
        self,
        seed: u64,
        scenario: usize,
        units: usize,
    ) -> Result<ValidProblem, LabError> {
        let id = CaseId { stage: self.name(), seed, case: scenario };
        let map = self.map(id.number())?;
        let movement = MovementProfile::four_connected();
        let most = self.counts().into_iter().max().unwrap_or(units);
        let mut placed = generate::scenario(&map, &movement, most, 0, id.number())?;
        placed.truncate(units);
        id.valid(Problem::new(map, movement, placed))
    }
}
