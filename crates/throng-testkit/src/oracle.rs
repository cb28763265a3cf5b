//! A brute-force oracle for paths. It works on the raw map and shares no code with the searches.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use throng_model::{Cell, CornerRule, Map, MovementProfile, Neighbours};

/// The largest cost factor under the footprint; `None` where the unit cannot stand.
#[must_use]
pub fn standing_factor(map: &Map, movement: &MovementProfile, x: i32, y: i32) -> Option<u64> {
    let side = i32::from(movement.footprint);
    let mut largest = 0;
    for (dy, dx) in (0..side).flat_map(|dy| (0..side).map(move |dx| (dy, dx))) {
        let cell = Cell::new(u16::try_from(x + dx).ok()?, u16::try_from(y + dy).ok()?);
        let terrain = map.terrain_at(cell)?;
        let overridden = movement.terrain.iter().rev().find(|given| given.terrain == terrain);
        let factor = match overridden {
            Some(given) => given.factor?,
            None => map.classes()[terrain.get()].factor?,
        };
        largest = largest.max(u64::from(factor.get()));
    }
    Some(largest)
}

/// The legal steps from a position, with their costs.
#[must_use]
pub fn steps(map: &Map, movement: &MovementProfile, from: Cell) -> Vec<(Cell, u64)> {
    let (x, y) = (i32::from(from.x), i32::from(from.y));
    let (straight, diagonal) = movement.step_costs();
    let mut found = Vec::new();
    for (dx, dy) in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (dx, dy))) {
        let is_diagonal = dx != 0 && dy != 0;
        if (dx, dy) == (0, 0) || (is_diagonal && movement.neighbours == Neighbours::Four) {
            continue;
        }
        let stands = |x, y| standing_factor(map, movement, x, y);
        let free_sides =
            u8::from(stands(x + dx, y).is_some()) + u8::from(stands(x, y + dy).is_some());
        let corner_allows = match movement.corners {
            CornerRule::NeverCut => free_sides == 2,
            CornerRule::OneSideFree => free_sides >= 1,
            CornerRule::AlwaysCut => true,
        };
        if let Some(factor) = stands(x + dx, y + dy)
            && (!is_diagonal || corner_allows)
            && let Some(to) = from.offset(dx, dy)
        {
            let base = if is_diagonal { diagonal.0 } else { straight.0 };
            found.push((to, base * factor));
        }
    }
    found
}

/// The cost of the shortest path from any of the starts to each cell, row by row: Dijkstra's
/// algorithm with a binary heap.
#[must_use]
pub fn costs_from(map: &Map, movement: &MovementProfile, starts: &[Cell]) -> Vec<Option<u64>> {
    let index = |cell: Cell| usize::from(cell.y) * usize::from(map.width()) + usize::from(cell.x);
    let mut costs = vec![None; usize::from(map.width()) * usize::from(map.height())];
    let mut open = BinaryHeap::new();
    for &start in starts {
        if standing_factor(map, movement, i32::from(start.x), i32::from(start.y)).is_some() {
            open.push(Reverse((0, start)));
        }
    }
    while let Some(Reverse((cost, at))) = open.pop() {
        if costs[index(at)].is_some() {
            continue;
        }
        costs[index(at)] = Some(cost);
        let onward = steps(map, movement, at);
        open.extend(onward.into_iter().map(|(to, step)| Reverse((cost + step, to))));
    }
    costs
}
