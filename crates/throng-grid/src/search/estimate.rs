//! The heuristic: a lower bound of the cost from a cell to the nearest goal, walls ignored.
//!
//! The minimum over many goals would make the cost of a node grow with their number. Therefore
//! each block of 16 x 16 cells has a list of the goals that can be nearest to one of its
//! cells. The list is made when the search first visits the block.

use throng_model::{Cell, Neighbours, Weight};

use crate::Ground;
use crate::kit::StampedArray;

/// Cells per side of the blocks for which the goals that matter are found together.
const BLOCK: i32 = 16;

/// The lower bound of a distance: the octile distance (Manhattan distance when there are no
/// diagonal steps) times the ground's smallest factor, times the weight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Metric {
    straight: u64,
    /// The cost of a diagonal step beyond a straight one.
    diagonal_extra: u64,
}

impl Metric {
    pub(crate) fn new(ground: &Ground, weight: Weight) -> Self {
        let (straight, diagonal) = ground.movement().step_costs();
        let diagonal_extra = match ground.movement().neighbours {
            Neighbours::Four => straight,
            Neighbours::Eight => diagonal - straight,
        };
        // Rounding down keeps the bound that the weight promises.
        let scaled = |cost: u64| weight.times(cost * ground.least_factor());
        Self { straight: scaled(straight.0), diagonal_extra: scaled(diagonal_extra.0) }
    }

    #[inline]
    pub(crate) fn cost(self, dx: u32, dy: u32) -> u64 {
        u64::from(dx.max(dy)) * self.straight + u64::from(dx.min(dy)) * self.diagonal_extra
    }
}

/// A heuristic that is zero on the goals and positive elsewhere.
pub(crate) trait Estimate {
    fn at(&mut self, x: i32, y: i32) -> u64;
}

/// The estimate towards a single goal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OneGoal {
    pub(crate) metric: Metric,
    pub(crate) x: i32,
    pub(crate) y: i32,
}

impl Estimate for OneGoal {
    #[inline]
    fn at(&mut self, x: i32, y: i32) -> u64 {
        self.metric.cost(x.abs_diff(self.x), y.abs_diff(self.y))
    }
}

/// The estimate towards the nearest of many goals.
///
/// Far from the goals only few of them can be nearest to a cell of a block, so the cost of a
/// node hardly depends on the number of goals.
#[derive(Clone, Debug, Default)]
pub(crate) struct ManyGoals {
    metric: Metric,
    goals: Vec<(i32, i32)>,
    blocks_wide: usize,
    /// For each block visited, the range of its goals in `nearest`.
    ranges: StampedArray<(u32, u32)>,
    nearest: Vec<(i32, i32)>,
}

impl ManyGoals {
    /// Sets the goals for a search on this ground.
    pub(crate) fn reset(
        &mut self,
        ground: &Ground,
        metric: Metric,
        goals: impl Iterator<Item = Cell>,
    ) {
        self.metric = metric;
        self.goals.clear();
        self.goals.extend(goals.map(|cell| (i32::from(cell.x), i32::from(cell.y))));
        self.nearest.clear();
        self.blocks_wide = ground.width().div_ceil(BLOCK as u32) as usize;
        let blocks_high = ground.height().div_ceil(BLOCK as u32) as usize;
        self.ranges.begin(self.blocks_wide * blocks_high);
    }

    /// Finds the goals that can be nearest to a cell of the block. Let r be the distance within
    /// which every cell of the block has one common goal. Goals farther than r from the whole
    /// block are never nearest.
    #[cold]
    fn find_nearest(&mut self, block: usize) -> (u32, u32) {
        let left = (block % self.blocks_wide) as i32 * BLOCK;
        let top = (block / self.blocks_wide) as i32 * BLOCK;
        let (right, bottom) = (left + BLOCK - 1, top + BLOCK - 1);
        let metric = self.metric;
        let farthest = |&(x, y): &(i32, i32)| {
            let dx = x.abs_diff(left).max(x.abs_diff(right));
            metric.cost(dx, y.abs_diff(top).max(y.abs_diff(bottom)))
        };
        let closest = |&(x, y): &(i32, i32)| {
            metric.cost(x.abs_diff(x.clamp(left, right)), y.abs_diff(y.clamp(top, bottom)))
        };
        let reach = self.goals.iter().map(farthest).min().unwrap_or(0);
        let start = self.nearest.len() as u32;
        self.nearest.extend(self.goals.iter().filter(|goal| closest(goal) <= reach));
        let range = (start, self.nearest.len() as u32);
        self.ranges.set(block, range);
        range
    }
}

impl Estimate for ManyGoals {
    #[inline]
    fn at(&mut self, x: i32, y: i32) -> u64 {
        let block = (y / BLOCK) as usize * self.blocks_wide + (x / BLOCK) as usize;
        let (start, end) = self.ranges.get(block).unwrap_or_else(|| self.find_nearest(block));
        let distances = self.nearest[start as usize..end as usize]
            .iter()
            .map(|&(gx, gy)| self.metric.cost(x.abs_diff(gx), y.abs_diff(gy)));
        distances.min().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use throng_model::{Map, MovementProfile};

    use super::*;

    #[test]
    fn the_nearest_of_many_goals_is_the_nearest_of_all() {
        let mut rng = throng_testkit::rng(3);
        let mut many = ManyGoals::default();
        for round in 0..60_u32 {
            let (width, height) = (rng.random_range(1..80), rng.random_range(1..80));
            let movement = if round % 2 == 0 {
                MovementProfile::eight_connected()
            } else {
                MovementProfile::four_connected()
            };
            let ground = Ground::new(&Map::empty(width, height).unwrap(), movement).unwrap();
            let goals: Vec<Cell> = (0..rng.random_range(1..20))
                .map(|_| {
                    let x = rng.random_range(0..width) as u16;
                    Cell::new(x, rng.random_range(0..height) as u16)
                })
                .collect();
            let metric = Metric::new(&ground, Weight::ONE);
            many.reset(&ground, metric, goals.iter().copied());
            for (x, y) in (0..height as i32).flat_map(|y| (0..width as i32).map(move |x| (x, y))) {
                let expected = goals
                    .iter()
                    .map(|g| metric.cost(x.abs_diff(i32::from(g.x)), y.abs_diff(i32::from(g.y))))
                    .min();
                assert_eq!(Some(many.at(x, y)), expected);
            }
        }
    }
}
