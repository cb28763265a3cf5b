//! Regions: they cover the ground, hang together, follow the map's rooms and its edits; and
//! the search over them finds what A* finds.

mod division;
mod edits;
mod paths;

use rand::RngExt;
use throng_grid::{AStar, Answer, Ground, PathSearch, Query};
use throng_hierarchy::{RegionMemory, RegionSearch, Regions};
use throng_model::{Budget, Cell, Map, MovementProfile, TerrainId};

use crate::support::Lengths;

/// A map and its regions.
struct Divided {
    map: Map,
    ground: Ground,
    regions: Regions,
    memory: RegionMemory,
    exact: AStar,
}

impl Divided {
    fn new(map: Map, movement: MovementProfile) -> Self {
        let ground = Ground::new(&map, movement).unwrap();
        let regions = Regions::new(&ground);
        Self { map, ground, regions, memory: RegionMemory::default(), exact: AStar::default() }
    }

    fn set(&mut self, cell: Cell, terrain: TerrainId) {
        let change = self.map.set(cell, terrain).unwrap();
        self.ground.apply(&self.map, &change);
        self.regions.apply(&self.ground, &change);
    }

    fn ask(&mut self, query: &Query<'_>) -> Answer {
        let mut search = RegionSearch::new(&self.regions, &mut self.memory);
        search.find(&self.ground, query, Budget::unlimited()).unwrap()
    }

    /// Asks for a way between two cells that can be stood on, and compares with A*.
    fn check(&mut self, from: Cell, to: Cell, lengths: &mut Lengths) {
        let ends = [from, to];
        let query = Query::new(&ends[..1], &ends[1..]);
        let answer = self.ask(&query);
        let best = self.exact.find(&self.ground, &query, Budget::unlimited()).unwrap();
        match (answer, best) {
            (Answer::Found(path), Answer::Found(best)) => {
                assert_eq!((path.start(), path.end()), (Some(from), Some(to)));
                assert_eq!(self.ground.path_cost(&path.cells), Some(path.cost), "{from} to {to}");
                let walked =
                    throng_referee::check_path(&self.map, self.ground.movement(), &path.cells);
                assert_eq!(walked, Ok(path.cost), "{from} to {to}");
                assert!(path.cost >= best.cost, "{from} to {to}: better than the best");
                lengths.add(&path, best.cost);
            }
            (Answer::Unreachable { nearest: None }, Answer::Unreachable { .. }) => {}
            (answer, best) => panic!("{from} to {to}: {answer:?}, but A* says {best:?}"),
        }
    }

    /// Checks so many pairs of random cells.
    fn check_random(&mut self, seed: u64, queries: u32) -> Lengths {
        let mut rng = throng_testkit::rng(seed);
        let free: Vec<Cell> =
            self.map.cells().filter(|&cell| self.ground.can_stand(cell)).collect();
        let mut lengths = Lengths::default();
        for _ in 0..if free.is_empty() { 0 } else { queries } {
            let mut pick = || free[rng.random_range(0..free.len() as u32) as usize];
            let (from, to) = (pick(), pick());
            self.check(from, to, &mut lengths);
        }
        lengths
    }
}
