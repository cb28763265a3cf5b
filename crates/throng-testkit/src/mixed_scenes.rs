//! Random scenes of units with mixed sizes and paces: rooms, gates, corridors, random walls.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use throng_model::{Cell, CornerRule, Map, MovementProfile, Problem, Unit};

use crate::bodies::{Bodies, NOBODY};

/// The scene of a seed: 2 to 12 units with sizes 1 to 4 and paces 1 to 4 on a map of 8 x 8 to
/// 24 x 24 cells.
///
/// Maps are of four kinds: random walls, rooms with gates, 10 x 16 cells with narrow gates, and
/// corridors with dead ends. Most scenes are 8-connected, some 4-connected. Starts do not
/// overlap, nor do goals. Alone on the map each unit could reach its goal, which is not its
/// start. Whether there is a plan for all is not known: ask
/// [`one_by_one`](crate::one_by_one).
#[must_use]
pub fn mixed_scene(seed: u64) -> Problem {
    let mut scene = Placing::new(seed);
    scene.place_units();
    scene.problem
}

/// The scene of a seed like [`mixed_scene`], but its goals are where units stand after random
/// walks, each while all others stand. So there is a plan in which one unit moves at a time. The
/// scenes are often tight.
#[must_use]
pub fn shuffled_scene(seed: u64) -> Problem {
    let mut scene = Placing::new(seed);
    scene.place_units();
    scene.shuffle();
    scene.problem
}

/// The scene of a seed: two units of 2 x 2 and 3 x 3 cells that take two ticks per step, on a map
/// of 10 x 16 cells with random walls or narrow gates.
#[must_use]
pub fn pair_scene(seed: u64) -> Problem {
    let mut rng = crate::rng(seed);
    let map = match rng.random_range(0..3_u32) {
        0 => rooms(&mut rng, (10, 16), (3, 6), 4),
        kind => crate::random_map(rng.random(), 10, 16, 3 * kind),
    };
    let base = MovementProfile { pace: 2, ..MovementProfile::eight_connected() };
    let movements = [2, 3].map(|footprint| MovementProfile { footprint, ..base.clone() });
    let mut scene = Placing::with_kinds(rng, map, &base, movements.to_vec());
    scene.place_units_of(&[0, 1]);
    scene.problem
}

/// A scene while it is made.
struct Placing {
    rng: Pcg64Mcg,
    problem: Problem,
    kinds: Vec<Bodies>,
}

impl Placing {
    fn new(seed: u64) -> Self {
        let mut rng = crate::rng(seed);
        let map = random_walls_or_rooms(&mut rng);
        let base = pick(
            &mut rng,
            &[
                MovementProfile::eight_connected(),
                MovementProfile::eight_connected(),
                MovementProfile::four_connected(),
                MovementProfile {
                    corners: CornerRule::OneSideFree,
                    ..MovementProfile::eight_connected()
                },
            ],
        );
        let kinds = (0..rng.random_range(1..=6_u32)).map(|_| MovementProfile {
            footprint: pick(&mut rng, &[1, 1, 2, 2, 3, 4]),
            pace: rng.random_range(1..=4_u32) as u8,
            ..base.clone()
        });
        let movements: Vec<_> = kinds.collect();
        Self::with_kinds(rng, map, &base, movements)
    }

    fn with_kinds(
        rng: Pcg64Mcg,
        map: Map,
        base: &MovementProfile,
        movements: Vec<MovementProfile>,
    ) -> Self {
        let kinds = movements.iter().map(|kind| Bodies::new(&map, kind, false)).collect();
        let problem = Problem { movements, ..Problem::new(map, base.clone(), Vec::new()) };
        Self { rng, problem, kinds }
    }

    /// A position at which a unit of this kind fits among those written.
    fn free_place(&mut self, kind: usize, holders: &[u16]) -> Option<usize> {
        let at = self.rng.random_range(0..holders.len() as u32) as usize;
        let is_open = {
            let (width, movement) =
                (usize::from(self.problem.map.width()), &self.problem.movements[kind]);
            let (x, y) = ((at % width) as i32, (at / width) as i32);
            crate::oracle::standing_factor(&self.problem.map, movement, x, y).is_some()
        };
        (is_open && self.kinds[kind].fits(holders, at, NOBODY)).then_some(at)
    }

    fn place_units(&mut self) {
        let empty = vec![NOBODY; self.problem.map.terrain().len()];
        let mut taken = [empty.clone(), empty];
        let count = self.rng.random_range(2..=12_usize);
        for _ in 0..30 * count {
            if self.problem.units.len() == count {
                break;
            }
            let kind = self.rng.random_range(0..self.kinds.len() as u32) as usize;
            self.place_unit(kind, &mut taken);
        }
    }

    /// Places one unit of each of these kinds, where there is room.
    fn place_units_of(&mut self, kinds: &[usize]) {
        let empty = vec![NOBODY; self.problem.map.terrain().len()];
        let mut taken = [empty.clone(), empty];
        for &kind in kinds {
            let units = self.problem.units.len();
            for _ in 0..300 {
                if self.problem.units.len() == units {
                    self.place_unit(kind, &mut taken);
                }
            }
        }
    }

    /// Tries to place a unit at a random start, with a random goal.
    fn place_unit(&mut self, kind: usize, [starts, goals]: &mut [Vec<u16>; 2]) {
        let Some(start) = self.free_place(kind, starts) else { return };
        let empty = vec![NOBODY; starts.len()];
        let reach = self.kinds[kind].reach(&empty, start, NOBODY, None);
        let goal = pick(&mut self.rng, &reach);
        if goal == start || !self.kinds[kind].fits(goals, goal, NOBODY) {
            return;
        }
        self.kinds[kind].put(starts, start, 0);
        self.kinds[kind].put(goals, goal, 0);
        let [start, goal] = [start, goal].map(|at| self.cell(at));
        self.problem.units.push(Unit { start, goal, movement: kind });
    }

    /// Makes goals of the places where units stand after random walks from their starts.
    fn shuffle(&mut self) {
        let mut holders = vec![NOBODY; self.problem.map.terrain().len()];
        let mut places: Vec<_> = self.problem.units.iter().map(|u| self.index(u.start)).collect();
        for (unit, &at) in places.iter().enumerate() {
            self.kinds[self.problem.units[unit].movement].put(&mut holders, at, unit as u16);
        }
        for _ in 0..40 * places.len() {
            let unit = self.rng.random_range(0..places.len() as u32) as usize;
            let kind = &self.kinds[self.problem.units[unit].movement];
            let reach = kind.reach(&holders, places[unit], unit as u16, None);
            let to = pick(&mut self.rng, &reach);
            kind.put(&mut holders, places[unit], NOBODY);
            kind.put(&mut holders, to, unit as u16);
            places[unit] = to;
        }
        for (unit, &at) in places.iter().enumerate() {
            self.problem.units[unit].goal = self.cell(at);
        }
    }

    fn index(&self, cell: Cell) -> usize {
        usize::from(cell.y) * usize::from(self.problem.map.width()) + usize::from(cell.x)
    }

    fn cell(&self, at: usize) -> Cell {
        let width = usize::from(self.problem.map.width());
        Cell::new((at % width) as u16, (at / width) as u16)
    }
}

fn pick<T: Clone>(rng: &mut Pcg64Mcg, from: &[T]) -> T {
    from[rng.random_range(0..from.len() as u32) as usize].clone()
}

fn random_walls_or_rooms(rng: &mut Pcg64Mcg) -> Map {
    let (width, height) = (rng.random_range(8..=24), rng.random_range(8..=24));
    match rng.random_range(0..4_u32) {
        0 => {
            let percent = pick(rng, &[0, 2, 4, 8, 12, 16]);
            crate::random_map(rng.random(), width, height, percent)
        }
        1 => rooms(rng, (width, height), (4, 8), 4),
        2 => {
            let size = pick(rng, &[(10, 16), (16, 10)]);
            rooms(rng, size, (3, 6), 2)
        }
        _ => corridors(rng, (width, height)),
    }
}

/// Walls from border to border every few cells, each with a gate in every room.
fn rooms(
    rng: &mut Pcg64Mcg,
    (width, height): (u32, u32),
    (side_min, side_max): (u32, u32),
    gate_max: u32,
) -> Map {
    let mut lines = |length: u32| {
        let (mut found, mut next) = (vec![0], 0);
        loop {
            next += rng.random_range(side_min..=side_max) + 1;
            if next + side_min > length {
                found.push(length + 1);
                return found;
            }
            found.push(next);
        }
    };
    let (columns, rows) = (lines(width), lines(height));
    let mut walls = vec![];
    for (lines, crossing, is_column) in [(&columns, &rows, true), (&rows, &columns, false)] {
        for &line in &lines[1..lines.len() - 1] {
            for room in crossing.windows(2) {
                let gate = rng.random_range(1..=gate_max);
                let begin =
                    rng.random_range(room[0]..room[1].saturating_sub(gate).max(room[0] + 1));
                let closed = |&at: &u32| !(begin..begin + gate).contains(&at);
                let place = |at| if is_column { (line - 1, at) } else { (at, line - 1) };
                walls.extend((room[0].saturating_sub(1)..room[1] - 1).filter(closed).map(place));
            }
        }
    }
    let mut map = Map::empty(width, height).expect("a valid size");
    let cells: Vec<Cell> = walls.into_iter().map(|(x, y)| Cell::new(x as u16, y as u16)).collect();
    map.paint(&cells, Map::WALL).expect("cells of the map");
    map
}

/// Strips of one to four cells in width, each beginning on one before: junctions, dead ends and
/// small halls where strips overlap.
fn corridors(rng: &mut Pcg64Mcg, (width, height): (u32, u32)) -> Map {
    let mut open = vec![false; (width * height) as usize];
    let (mut x, mut y) = (width / 2, height / 2);
    for _ in 0..rng.random_range(6..=14_u32) {
        let breadth = rng.random_range(1..=4_u32);
        let length = rng.random_range(3..=width.min(height) - 1);
        let (columns, rows) =
            if rng.random_range(0..2_u32) == 0 { (length, breadth) } else { (breadth, length) };
        let left = x.saturating_sub(rng.random_range(0..columns)).min(width - columns);
        let top = y.saturating_sub(rng.random_range(0..rows)).min(height - rows);
        for at in 0..columns * rows {
            open[((top + at / columns) * width + left + at % columns) as usize] = true;
        }
        (x, y) = (left + rng.random_range(0..columns), top + rng.random_range(0..rows));
    }
    let mut map = Map::empty(width, height).expect("a valid size");
    let closed = map.cells().zip(&open).filter(|&(_, &open)| !open);
    let walls: Vec<Cell> = closed.map(|(cell, _)| cell).collect();
    map.paint(&walls, Map::WALL).expect("cells of the map");
    map
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::one_by_one;

    #[test]
    fn scenes_are_valid_and_of_all_sizes() {
        let (mut sizes, mut counts) = ([0; 5], [0; 13]);
        let scenes = |seed| [mixed_scene(seed), shuffled_scene(seed), pair_scene(seed)];
        for problem in (0..300).flat_map(scenes) {
            counts[problem.units.len()] += 1;
            for unit in &problem.units {
                sizes[usize::from(problem.movements[unit.movement].footprint)] += 1;
            }
            assert!(problem.validate().is_ok());
        }
        assert!(sizes[1..].iter().all(|&count| count > 100), "{sizes:?}");
        assert!(counts[3..].iter().all(|&count| count > 10), "{counts:?}");
    }

    #[test]
    fn a_good_part_of_the_scenes_has_an_order() {
        let solved = (0..300).filter(|&seed| one_by_one(&mixed_scene(seed), false).is_some());
        let solved = solved.count();
        assert!((100..290).contains(&solved), "{solved} of 300");
    }
}
