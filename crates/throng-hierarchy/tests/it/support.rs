//! What the tests share: a ground with its hierarchy, asked and judged.

use rand::RngExt;
use throng_grid::{AStar, Answer, Ground, Path, PathSearch, Query};
use throng_hierarchy::{GridHierarchy, HierarchyMemory, HierarchySearch};
use throng_model::{
    Budget, Cell, CornerRule, Cost, DiagonalCost, Map, MovementProfile, Neighbours, TerrainId,
};

/// A map, and what is derived from it.
pub(crate) struct World {
    pub(crate) map: Map,
    pub(crate) ground: Ground,
    pub(crate) hierarchy: GridHierarchy,
    pub(crate) memory: HierarchyMemory,
    exact: AStar,
}

/// By what factor paths cost more than the best.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lengths {
    pub(crate) found: u32,
    pub(crate) sum: f64,
    pub(crate) longest: f64,
}

impl Lengths {
    pub(crate) fn add(&mut self, path: &Path, best: Cost) {
        let ratio = if best.0 == 0 { 1.0 } else { path.cost.0 as f64 / best.0 as f64 };
        self.found += 1;
        self.sum += ratio;
        self.longest = self.longest.max(ratio);
    }

    pub(crate) fn mean(self) -> f64 {
        self.sum / f64::from(self.found.max(1))
    }
}

impl World {
    pub(crate) fn new(map: Map, movement: MovementProfile) -> Self {
        let ground = Ground::new(&map, movement).unwrap();
        let hierarchy = GridHierarchy::new(&ground);
        let (memory, exact) = Default::default();
        Self { map, ground, hierarchy, memory, exact }
    }

    pub(crate) fn set(&mut self, cell: Cell, terrain: TerrainId) {
        let change = self.map.set(cell, terrain).unwrap();
        self.ground.apply(&self.map, &change);
        self.hierarchy.apply(&self.ground, &change);
    }

    pub(crate) fn ask(&mut self, query: &Query<'_>) -> Answer {
        let mut search = HierarchySearch::new(&self.hierarchy, &mut self.memory);
        search.find(&self.ground, query, Budget::unlimited()).unwrap()
    }

    /// Asks for a path between two cells where the unit can stand, and compares with A*.
    pub(crate) fn check(&mut self, from: Cell, to: Cell, lengths: &mut Lengths) {
        let ends = [from, to];
        let query = Query::new(&ends[..1], &ends[1..]);
        let answer = self.ask(&query);
        let best = self.exact.find(&self.ground, &query, Budget::unlimited()).unwrap();
        match (answer, best) {
            (Answer::Found(path), Answer::Found(best)) => {
                assert_eq!((path.start(), path.end()), (Some(from), Some(to)));
                let walked =
                    throng_referee::check_path(&self.map, self.ground.movement(), &path.cells);
                assert_eq!(walked, Ok(path.cost), "{from} to {to}");
                assert!(path.cost >= best.cost, "{from} to {to}: better than the best");
                lengths.add(&path, best.cost);
            }
            (Answer::Unreachable { nearest: None }, Answer::Unreachable { .. }) => {}
            (answer, best) => panic!("{from} to {to}: {answer:?}, but A* says {best:?}"),
        }
        // A missing transition would go unnoticed without this.
        assert_eq!(self.memory.exact_fallbacks(), 0, "{from} to {to}: not found by clusters");
    }

    /// Checks this many pairs of random cells.
    pub(crate) fn check_random(&mut self, seed: u64, queries: u32) -> Lengths {
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

/// All ways to move that differ for the hierarchy.
pub(crate) fn movements() -> Vec<MovementProfile> {
    let mut all = Vec::new();
    for footprint in 1..=3 {
        all.push(MovementProfile { footprint, ..MovementProfile::four_connected() });
        for corners in [CornerRule::NeverCut, CornerRule::OneSideFree, CornerRule::AlwaysCut] {
            for diagonal in [DiagonalCost::TrueLength, DiagonalCost::OneTick] {
                let neighbours = Neighbours::Eight;
                let movement = MovementProfile::eight_connected();
                all.push(MovementProfile { neighbours, corners, diagonal, footprint, ..movement });
            }
        }
    }
    all
}
