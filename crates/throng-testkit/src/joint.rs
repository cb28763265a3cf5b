//! The slow and simple truth about teams: Dijkstra's algorithm over the positions of all
//! units, derived from the raw map. Shares no code with the planners.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use throng_model::{Cell, Objective, Problem};

use crate::oracle::steps;

/// Where a unit is, and whether it has decided to stay there for ever.
type Post = (Cell, bool);

/// What the best plan costs; `None` if there is none. For units of one cell and one tick a
/// step, and few of them on a small map.
#[must_use]
pub fn optimum(problem: &Problem, objective: Objective) -> Option<u64> {
    let starts: Vec<Post> = problem.units.iter().map(|unit| (unit.start, false)).collect();
    let mut done = BTreeMap::new();
    let mut open = BinaryHeap::from([Reverse((0, starts))]);
    while let Some(Reverse((cost, posts))) = open.pop() {
        let at_goal = |(post, unit): (&Post, &throng_model::Unit)| post.0 == unit.goal;
        if posts.iter().zip(&problem.units).all(at_goal) {
            return Some(cost);
        }
        if done.insert(posts.clone(), cost).is_some() {
            continue;
        }
        let mut ways = vec![(cost, Vec::new())];
        for unit in 0..posts.len() {
            ways = onward(problem, objective, &posts, unit, &ways);
        }
        open.extend(ways.into_iter().filter(|way| !done.contains_key(&way.1)).map(Reverse));
    }
    None
}

/// Every way in which one more unit can move.
fn onward(
    problem: &Problem,
    objective: Objective,
    posts: &[Post],
    unit: usize,
    ways: &[(u64, Vec<Post>)],
) -> Vec<(u64, Vec<Post>)> {
    let options = options(problem, objective, posts[unit], unit);
    let mut found = Vec::new();
    for (cost, moved) in ways {
        for &(price, to) in &options {
            let meets = |other: usize| {
                conflict(problem, [posts[other].0, moved[other].0], [posts[unit].0, to.0])
            };
            if !(0..unit).any(meets) {
                let mut moved = moved.clone();
                moved.push(to);
                found.push((cost + price, moved));
            }
        }
    }
    found
}

/// What a unit can do in a tick, and what that costs.
fn options(
    problem: &Problem,
    objective: Objective,
    (at, rests): Post,
    unit: usize,
) -> Vec<(u64, Post)> {
    if rests {
        return vec![(0, (at, true))];
    }
    let unit = &problem.units[unit];
    let mut options: Vec<_> = steps(&problem.map, &problem.movements[unit.movement], at)
        .into_iter()
        .map(|(to, _)| (1, (to, false)))
        .collect();
    match objective {
        Objective::TimeAway => options.push((u64::from(at != unit.goal), (at, false))),
        Objective::SumOfCosts => {
            options.push((1, (at, false)));
            if at == unit.goal {
                options.push((0, (at, true)));
            }
        }
    }
    options
}

fn conflict(problem: &Problem, a: [Cell; 2], b: [Cell; 2]) -> bool {
    let middle = |[from, to]: [Cell; 2]| (from.x + to.x, from.y + to.y);
    if a[1] == b[1] {
        return true;
    }
    let is_swap = a[0] == b[1] && a[1] == b[0];
    let is_crossing = !is_swap && middle(a) == middle(b);
    (is_swap && problem.conflicts.swap) || (is_crossing && problem.conflicts.crossing)
}
