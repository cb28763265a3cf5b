//! The units of the demo with their starts and goals.

use anyhow::{Context as _, Result};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use throng::cooperative::Instance;
use throng::formats::{MapOptions, map, terrain};
use throng::grid::Ground;
use throng::model::Conflicts;
use throng::model::{
    Cell, Factor, Map, MovementProfile, Problem, TerrainId, TerrainOverride, Unit, ValidProblem,
};
use throng::spacetime::{FootprintRules, GridSpace};
use throng_draw::{Body, Colour};

const TOWN: &[u8] = include_bytes!("gate.map");
const TERRAIN: &[u8] = include_bytes!("gate.terrain");
/// How many columns at the edges of the map the two parties start from.
const SIDE: u16 = 24;
/// A cell in the gate: cells connected with it are connected with both sides.
const GATE: Cell = Cell::new(30, 21);

/// The kinds of units.
const KINDS: [Body; 2] = [Body { footprint: 1, pace: 1 }, Body { footprint: 2, pace: 1 }];
/// One unit in so many is large.
const LARGE: usize = 20;

/// The colours of the parties, after Okabe and Ito (2008): people who see few colours can tell them
/// apart too.
const COLOURS: [u32; 2] = [0xe6_5a_00, 0x00_5f_c8];

/// The units with their starts and goals.
pub(super) struct DemoScenario {
    pub(super) problem: ValidProblem,
    /// The same for LRA*.
    pub(super) instance: Instance<GridSpace>,
    /// By unit, whether it starts in the west (0) or in the east (1).
    parties: Vec<usize>,
}

pub(super) fn units_range() -> clap::builder::RangedU64ValueParser {
    clap::value_parser!(u64).range(1..=400)
}

impl DemoScenario {
    /// Units with random starts and goals.
    pub(super) fn choose(units: u64, seed: u64) -> Result<Self> {
        let town = map::read_with(TOWN, MapOptions::default(), &terrain::read(TERRAIN)?)?;
        let movements = KINDS.map(|body| movement(&town, body));
        // The party of the first unit alternates per twenty, so that both have all kinds.
        let parties: Vec<usize> = (0..units as usize).map(|unit| (unit + unit / 20) % 2).collect();
        let mut cells = [FreeCells::new(&town, seed), FreeCells::new(&town, seed ^ u64::MAX)];
        let mut units = vec![Unit::new((0, 0), (0, 0)); parties.len()];
        // The large units first: they fit in fewer places.
        for (kind, movement) in movements.iter().enumerate().rev() {
            let ground = Ground::new(&town, movement.clone())?;
            let those =
                (0..units.len()).filter(|unit| usize::from(unit % LARGE == LARGE / 2) == kind);
            for unit in those.collect::<Vec<_>>() {
                let party = parties[unit];
                let start = cells[0].take(&ground, party)?;
                let goal = cells[1].take(&ground, 1 - party)?;
                units[unit] = Unit { start, goal, movement: kind };
            }
        }
        let conflicts = Conflicts::default();
        let problem = Problem { map: town, movements: movements.to_vec(), units, conflicts };
        let problem = problem.validate()?;
        let instance = Instance::of(&problem, &FootprintRules::default());
        Ok(Self { problem, instance, parties })
    }

    pub(super) fn movement(&self, unit: usize) -> &MovementProfile {
        &self.problem.movements[self.problem.units[unit].movement]
    }

    pub(super) fn bodies(&self) -> Vec<Body> {
        (0..self.parties.len()).map(|unit| Body::from(self.movement(unit))).collect()
    }

    pub(super) fn colours(&self) -> Vec<Colour> {
        (0..self.parties.len()).map(|unit| self.colour(unit)).collect()
    }

    pub(super) fn colour(&self, unit: usize) -> Colour {
        Colour::hex(COLOURS[self.parties[unit]])
    }
}

/// Every terrain costs the same, since a step takes the same time on it.
fn movement(town: &Map, Body { footprint, pace }: Body) -> MovementProfile {
    let classes = (0..).map(TerrainId).zip(town.classes());
    let passable = classes.filter(|(_, class)| class.factor.is_some());
    let factor = Some(Factor::ONE);
    let terrain = passable.map(|(terrain, _)| TerrainOverride { terrain, factor }).collect();
    MovementProfile { footprint, pace, terrain, ..MovementProfile::eight_connected() }
}

/// Draws free cells at random, so that units do not overlap.
struct FreeCells {
    rng: Pcg64Mcg,
    width: u16,
    height: u16,
    taken: Vec<bool>,
}

impl FreeCells {
    fn new(town: &Map, seed: u64) -> Self {
        let rng = Pcg64Mcg::seed_from_u64(seed);
        let (width, height) = (town.width(), town.height());
        Self { rng, width, height, taken: vec![false; town.terrain().len()] }
    }

    /// A free cell in the west (0) or east (1).
    fn take(&mut self, ground: &Ground, side: usize) -> Result<Cell> {
        const TRIES_MAX: u32 = 10_000;
        let footprint = u16::from(ground.movement().footprint);
        let first = if side == 0 { 0 } else { self.width - SIDE };
        let mut tries = (0..TRIES_MAX).map(|_| {
            let x = self.rng.random_range(first..=first + SIDE - footprint);
            Cell::new(x, self.rng.random_range(0..=self.height - footprint))
        });
        let (taken, width) = (&mut self.taken, usize::from(self.width));
        let body = |at: Cell| {
            let rows = at.y..at.y + footprint;
            let cell = move |x: u16, y: u16| usize::from(y) * width + usize::from(x);
            rows.flat_map(move |y| (at.x..at.x + footprint).map(move |x| cell(x, y)))
        };
        let is_free =
            |at: &Cell| ground.is_connected(*at, GATE) && !body(*at).any(|cell| taken[cell]);
        let found =
            tries.find(is_free).context("no room for this many units; give fewer --units")?;
        body(found).for_each(|cell| taken[cell] = true);
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_parties_have_units_of_all_kinds_and_room() {
        let scenario = DemoScenario::choose(300, 0).unwrap();
        let count = |kind| scenario.problem.units.iter().filter(|u| u.movement == kind).count();
        assert_eq!([0, 1].map(count), [285, 15]);
        for party in 0..2 {
            assert_eq!(scenario.parties.iter().filter(|&&p| p == party).count(), 150);
        }
        for seed in 0..20 {
            let scenario = DemoScenario::choose(400, seed).unwrap();
            for (unit, &party) in scenario.problem.units.iter().zip(&scenario.parties) {
                let (west, east) =
                    if party == 0 { (unit.start, unit.goal) } else { (unit.goal, unit.start) };
                assert!(west.x < SIDE && east.x >= scenario.problem.map.width() - SIDE);
            }
        }
    }
}
