//! What an edit of a large map costs beside labelling the map afresh.
//!
//! `cargo run --release -p throng-grid --example edits`
#![expect(clippy::print_stdout, clippy::unwrap_used, reason = "a measurement to be read")]
#![expect(clippy::disallowed_types, reason = "a measurement needs a clock")]

use std::time::{Duration, Instant};

use rand::RngExt;
use throng_grid::Ground;
use throng_model::{Cell, CornerRule, Map, MovementProfile};
use throng_testkit::{random_map, rng};

const SIDE: u32 = 1024;
const EDITS: u32 = 10_000;

fn main() {
    println!("{SIDE} x {SIDE} cells, {EDITS} random edits; a flood fill is the bare one");
    println!("map           moves   flood fill  new ground     an edit   share  the slowest");
    for (name, map) in [
        ("open", Map::empty(SIDE, SIDE).unwrap()),
        ("random 20%", random_map(1, SIDE, SIDE, 20)),
        ("random 40%", random_map(2, SIDE, SIDE, 40)),
        ("rooms", rooms()),
        ("maze", maze()),
        ("one corridor", corridor()),
    ] {
        for corners in [CornerRule::NeverCut, CornerRule::AlwaysCut] {
            measure(name, map.clone(), corners);
        }
    }
}

fn measure(name: &str, mut map: Map, corners: CornerRule) {
    let movement = MovementProfile { corners, ..MovementProfile::eight_connected() };
    let (_, flood) = timed(|| flood_fill(&map, corners == CornerRule::AlwaysCut));
    let (mut ground, derived) = timed(|| Ground::new(&map, movement).unwrap());
    let mut rng = rng(7);
    let (mut sum, mut slowest) = (Duration::ZERO, Duration::ZERO);
    for _ in 0..EDITS {
        let cell = Cell::new(rng.random_range(0..SIDE as u16), rng.random_range(0..SIDE as u16));
        let terrain = if map.is_passable(cell) { Map::WALL } else { Map::GROUND };
        let change = map.set(cell, terrain).unwrap();
        let ((), elapsed) = timed(|| ground.apply(&map, &change));
        sum += elapsed;
        slowest = slowest.max(elapsed);
    }
    let mean = sum / EDITS;
    let share = 100.0 * mean.as_secs_f64() / flood.as_secs_f64();
    let joins = if corners == CornerRule::AlwaysCut { "8" } else { "4" };
    println!(
        "{name:<12} {joins:>6} {flood:>12.1?} {derived:>11.1?} {mean:>11.1?} {share:>6.3}% {slowest:>11.1?}",
    );
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begin = Instant::now();
    (work(), begin.elapsed())
}

/// The plainest labelling: a queue over a flat array.
fn flood_fill(map: &Map, corners_join: bool) -> u32 {
    let width = SIDE as i32 + 2;
    let mut labels = vec![u32::MAX; (width * width) as usize];
    let at = |cell: Cell| ((i32::from(cell.y) + 1) * width + i32::from(cell.x) + 1) as usize;
    map.cells().filter(|&cell| map.is_passable(cell)).for_each(|cell| labels[at(cell)] = 0);
    let steps = [1, -1, width, -width, width + 1, width - 1, 1 - width, -1 - width];
    let steps = if corners_join { &steps[..] } else { &steps[..4] };
    let (mut parts, mut queue) = (0, Vec::new());
    for first in 0..labels.len() {
        if labels[first] != 0 {
            continue;
        }
        parts += 1;
        labels[first] = parts;
        queue.push(first);
        while let Some(cell) = queue.pop() {
            for &step in steps {
                let next = (cell as i32 + step) as usize;
                if labels[next] == 0 {
                    labels[next] = parts;
                    queue.push(next);
                }
            }
        }
    }
    parts
}

fn walled(is_wall: impl Fn(u32, u32) -> bool) -> Map {
    let mut map = Map::empty(SIDE, SIDE).unwrap();
    let walls: Vec<Cell> =
        map.cells().filter(|c| is_wall(u32::from(c.x), u32::from(c.y))).collect();
    map.paint(&walls, Map::WALL).unwrap();
    map
}

/// Rooms of 15 x 15 with a door in every wall.
fn rooms() -> Map {
    walled(|x, y| (x % 16 == 0 && y % 16 != 7) || (y % 16 == 0 && x % 16 != 5))
}

/// One corridor that winds through the whole map: a cut halves it.
fn corridor() -> Map {
    walled(|x, y| y % 2 == 1 && x != if y % 4 == 1 { SIDE - 1 } else { 0 })
}

/// A maze without loops, dug in depth-first order: long corridors.
fn maze() -> Map {
    let mut map = Map::empty(SIDE, SIDE).unwrap();
    let all: Vec<Cell> = map.cells().collect();
    map.paint(&all, Map::WALL).unwrap();
    let mut rng = rng(3);
    let mut dug = vec![Cell::new(0, 0)];
    map.set(dug[0], Map::GROUND).unwrap();
    while let Some(&cell) = dug.last() {
        let ahead: Vec<(Cell, Cell)> = [(1, 0), (-1, 0), (0, 1), (0, -1)]
            .iter()
            .filter_map(|&(dx, dy)| cell.offset(dx, dy).zip(cell.offset(2 * dx, 2 * dy)))
            .filter(|&(_, next)| map.contains(next) && !map.is_passable(next))
            .collect();
        if ahead.is_empty() {
            dug.pop();
            continue;
        }
        let (between, next) = ahead[rng.random_range(0..ahead.len() as u32) as usize];
        map.paint(&[between, next], Map::GROUND).unwrap();
        dug.push(next);
    }
    map
}
