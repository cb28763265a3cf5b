//! A second truth about teams: what every start costs, by one search back from the goals.
//!
//! The oracle of the test kit searches forward for one instance at a time. This one fills a
//! table for all starts at once, in which a unit on its goal for good is a post of its own,
//! and shares nothing with the planner or with the other oracle.

use throng_model::{Cell, CornerRule, Map, MovementProfile, Neighbours, Objective};

/// What it costs to get to the goals, by the units' posts. A post is the number of a free
/// cell, or one more than the last: on the goal for good.
pub(crate) struct Table {
    free: Vec<Cell>,
    goals: Vec<usize>,
    costs: Vec<u16>,
}

/// The goals are unreachable.
const NEVER: u16 = u16::MAX;

/// Where a unit was a tick before, and what the tick cost it.
#[derive(Clone, Copy)]
struct Back {
    before: usize,
    from: Cell,
    to: Cell,
    price: usize,
}

impl Table {
    /// For units of one movement on free cells of one map; swaps and crossings are illegal.
    pub(crate) fn new(
        map: &Map,
        movement: &MovementProfile,
        objective: Objective,
        goals: &[Cell],
    ) -> Self {
        let free: Vec<Cell> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
        let number = |cell: &Cell| free.iter().position(|other| other == cell).unwrap();
        let goals: Vec<usize> = goals.iter().map(number).collect();
        let near = |a: Cell, b: Cell| is_step(map, movement, a, b);
        let backs: Vec<_> =
            goals.iter().map(|&goal| ways_back(&free, goal, objective, &near)).collect();
        let mut table = Self { costs: Vec::new(), free, goals };
        table.fill(&backs);
        table
    }

    /// What the best plan from these starts costs, if there is any.
    pub(crate) fn cost(&self, starts: &[Cell]) -> Option<u64> {
        let number = |cell: &Cell| self.free.iter().position(|other| other == cell).unwrap();
        let mut posts: Vec<Vec<usize>> = vec![Vec::new()];
        for (start, &goal) in starts.iter().zip(&self.goals) {
            let at = number(start);
            let for_good = (at == goal).then_some(self.free.len());
            let options = std::iter::once(at).chain(for_good);
            let with = |post| posts.iter().map(move |posts| [&posts[..], &[post]].concat());
            posts = options.flat_map(with).collect();
        }
        let costs = posts.iter().map(|posts| self.costs[self.index(posts)]);
        costs.min().filter(|&cost| cost != NEVER).map(u64::from)
    }

    fn index(&self, posts: &[usize]) -> usize {
        posts.iter().fold(0, |index, post| index * (self.free.len() + 1) + post)
    }

    fn posts(&self, mut index: usize) -> Vec<usize> {
        let base = self.free.len() + 1;
        let mut posts: Vec<usize> = self
            .goals
            .iter()
            .map(|_| {
                let post = index % base;
                index /= base;
                post
            })
            .collect();
        posts.reverse();
        posts
    }

    /// Dijkstra's algorithm back from the goals, with a list of states for every cost.
    fn fill(&mut self, backs: &[Vec<Vec<Back>>]) {
        let units = self.goals.len();
        self.costs = vec![NEVER; (self.free.len() + 1).pow(units as u32)];
        let last = self.index(&vec![self.free.len(); units]);
        self.costs[last] = 0;
        let mut buckets = vec![vec![last]];
        let mut cost = 0;
        while cost < buckets.len() {
            while let Some(index) = buckets[cost].pop() {
                if usize::from(self.costs[index]) != cost {
                    continue;
                }
                let posts = self.posts(index);
                let ways: Vec<_> =
                    posts.iter().zip(backs).map(|(&post, back)| &back[post][..]).collect();
                self.go_back(&ways, &mut Vec::new(), cost, &mut buckets);
            }
            cost += 1;
        }
    }

    /// Lists every state from which a state is reached in one tick.
    fn go_back(
        &mut self,
        ways: &[&[Back]],
        taken: &mut Vec<Back>,
        cost: usize,
        buckets: &mut Vec<Vec<usize>>,
    ) {
        let Some(options) = ways.get(taken.len()) else {
            let index =
                taken.iter().fold(0, |index, way| index * (self.free.len() + 1) + way.before);
            if usize::from(self.costs[index]) > cost {
                self.costs[index] = u16::try_from(cost).unwrap();
                buckets.resize_with(buckets.len().max(cost + 1), Vec::new);
                buckets[cost].push(index);
            }
            return;
        };
        for &way in *options {
            if !taken.iter().any(|&other| is_conflict(way, other)) {
                taken.push(way);
                self.go_back(ways, taken, cost + way.price, buckets);
                taken.pop();
            }
        }
    }
}

/// Whether two units cannot both have done so. That they do not stand on one cell afterwards
/// is known already.
fn is_conflict(a: Back, b: Back) -> bool {
    let middle = |way: Back| (way.from.x + way.to.x, way.from.y + way.to.y);
    a.from == b.from || middle(a) == middle(b)
}

/// By the post of a unit now: where it may have been a tick before.
fn ways_back(
    free: &[Cell],
    goal: usize,
    objective: Objective,
    near: &dyn Fn(Cell, Cell) -> bool,
) -> Vec<Vec<Back>> {
    let for_good = free.len();
    let place = |post: usize| *free.get(post).unwrap_or(&free[goal]);
    let way = |before: usize, now: usize| {
        let (from, to) = (place(before), place(now));
        let is_legal = match (objective, before == for_good, now == for_good) {
            (_, true, true) => return Some(Back { before, from, to, price: 0 }),
            (_, true, false) => false,
            // Time away counts rests on the goal as they come: "for good" is the same post.
            (Objective::TimeAway, false, true) => near(from, to) || from == to,
            (Objective::SumOfCosts, false, true) => near(from, to),
            (_, false, false) => near(from, to) || from == to,
        };
        let rests = objective == Objective::TimeAway && from == to && before == goal;
        is_legal.then_some(Back { before, from, to, price: usize::from(!rests) })
    };
    (0..=for_good)
        .map(|now| (0..=for_good).filter_map(|before| way(before, now)).collect())
        .collect()
}

/// Whether a unit can step from one cell onto another.
fn is_step(map: &Map, movement: &MovementProfile, from: Cell, to: Cell) -> bool {
    let (columns, rows) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
    if columns + rows == 1 {
        return true;
    }
    let sides = [Cell::new(from.x, to.y), Cell::new(to.x, from.y)];
    let walls = sides.into_iter().filter(|&cell| !map.is_passable(cell)).count();
    let walls_max = match movement.corners {
        CornerRule::NeverCut => 0,
        CornerRule::OneSideFree => 1,
        CornerRule::AlwaysCut => 2,
    };
    (columns, rows) == (1, 1) && movement.neighbours == Neighbours::Eight && walls <= walls_max
}
