//! The node storage of RRA*: an array over the map, pages found by a hash, a hash by position.

#![expect(clippy::disallowed_types, reason = "a clock to measure with, a hash to measure")]
#![expect(clippy::expect_used, reason = "the map is made right here")]

use std::collections::HashMap;
use std::time::Instant;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use throng_grid::kit::{CostStore, DenseCosts, PagedCosts};
use throng_model::{Cell, Map, MovementProfile};
use throng_spacetime::{FootprintRules, GridSpace, Position, Rra, Space};

const SIDE: u16 = 256;
const GOALS: usize = 200;

/// A hash table with an entry for every position.
#[derive(Default)]
struct HashedCosts(HashMap<u32, u64>);

impl CostStore for HashedCosts {
    fn begin(&mut self, _: usize) {
        self.0.clear();
    }

    fn improve(&mut self, at: u32, cost: u64) -> bool {
        let known = self.0.entry(at).or_insert(u64::MAX);
        let better = cost << 1 < *known & !1;
        if better {
            *known = cost << 1;
        }
        better
    }

    fn close(&mut self, at: u32) -> Option<u64> {
        let known = self.0.get_mut(&at)?;
        let open = *known & 1 == 0;
        *known |= 1;
        open.then_some(*known >> 1)
    }

    fn closed(&self, at: u32) -> Option<u64> {
        self.0.get(&at).filter(|&&known| known & 1 == 1).map(|known| known >> 1)
    }

    fn bytes(&self) -> usize {
        self.0.capacity() * (size_of::<(u32, u64)>() + 1)
    }
}

pub(crate) fn measure() -> [(&'static str, f64, f64); 3] {
    let space = space();
    [
        ("an array over the map", run::<DenseCosts>(&space)),
        ("pages by hash (kept)", run::<PagedCosts>(&space)),
        ("a hash of positions", run::<HashedCosts>(&space)),
    ]
    .map(|(name, (nanoseconds, kilobytes))| (name, nanoseconds, kilobytes))
}

fn space() -> GridSpace {
    let mut rng = Pcg64Mcg::seed_from_u64(3);
    let mut map = Map::empty(u32::from(SIDE), u32::from(SIDE)).expect("a map of good size");
    let walls: Vec<Cell> = map.cells().filter(|_| rng.random_range(0..5_u32) == 0).collect();
    map.paint(&walls, Map::WALL).expect("a map of good size");
    let rules = FootprintRules::default();
    GridSpace::new(&map, MovementProfile::four_connected(), &rules).expect("a map of good size")
}

/// Nanoseconds per node, and kilobytes per search.
fn run<L: CostStore>(space: &GridSpace) -> (f64, f64) {
    let mut rng = Pcg64Mcg::seed_from_u64(4);
    let mut position = || {
        let free = |at: &Position| space.ground().can_stand(space.cell(*at));
        let mut any = std::iter::repeat_with(|| {
            Position(rng.random_range(0..u32::from(SIDE) * u32::from(SIDE)))
        });
        any.find(free).unwrap_or(Position(0))
    };
    let pairs: Vec<_> = (0..GOALS).map(|_| (position(), position())).collect();
    let begin = Instant::now();
    let mut kept = Vec::new();
    let mut expanded = 0;
    for (goal, start) in pairs {
        let mut search: Rra<L> = Rra::default();
        search.begin(space, [(goal, 0)], start);
        search.distance(space, start);
        space.for_each_move(start, |step| {
            search.distance(space, step.to);
        });
        expanded += search.expanded();
        kept.push(search);
    }
    let seconds = begin.elapsed().as_secs_f64();
    let bytes: usize = kept.iter().map(Rra::bytes).sum();
    (seconds * 1e9 / expanded as f64, bytes as f64 / 1e3 / GOALS as f64)
}
