//! The crate `hierarchical_pathfinding`, four-connected, with the same costs.

use hierarchical_pathfinding::prelude::*;
use throng_grid::Ground;
use throng_model::Cell;

/// Its cache of paths over one ground.
pub(crate) struct Peer<'a> {
    ground: &'a Ground,
    cache: PathCache<ManhattanNeighborhood>,
}

impl<'a> Peer<'a> {
    pub(crate) fn new(ground: &'a Ground) -> Self {
        let size = (ground.width() as usize, ground.height() as usize);
        let neighbourhood = ManhattanNeighborhood::new(size.0, size.1);
        let cost = |at| cost(ground, at);
        let cache = PathCache::new(size, cost, neighbourhood, PathCacheConfig::default());
        Self { ground, cache }
    }

    /// The cost of its path, in plain steps. All its steps are computed.
    pub(crate) fn find(&self, (from, to): (Cell, Cell)) -> Option<u64> {
        let point = |cell: Cell| (usize::from(cell.x), usize::from(cell.y));
        let path = self.cache.find_path(point(from), point(to), |at| cost(self.ground, at))?;
        let total = path.cost() as u64;
        let steps: Vec<(usize, usize)> = path.collect();
        std::hint::black_box(steps);
        Some(total)
    }
}

fn cost(ground: &Ground, (x, y): (usize, usize)) -> isize {
    let factor = ground.factor(Cell::new(x as u16, y as u16));
    factor.map_or(-1, |factor| isize::from(factor.get()))
}
