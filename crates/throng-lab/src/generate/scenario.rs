//! Units with starts and goals.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use throng_model::limits::UNITS_MAX;
use throng_model::{CellIndex, Map, MovementProfile, Neighbours, Unit};

use super::GenerateError;
use super::components::{BLOCKED, Components};
use super::grid::rng;

/// Goals that are tried for a start before another start is tried.
const GOALS_TRIED: u32 = 256;

/// `units` units at random cells. No two starts overlap, no two goals overlap, and every goal can
/// be reached from its start by straight steps (and so by any movement profile).
///
/// Start and goal are at least `distance_min` steps apart without obstacles: for units that step
/// diagonally the larger of columns and rows between them, otherwise their sum. With 0 a unit may
/// start at its goal, as in Silver's experiments. Units of one cell at any distance can fill every
/// cell; otherwise random placement can leave gaps.
///
/// # Errors
/// When there is no room for all units, or the movement profile is invalid.
pub fn scenario(
    map: &Map,
    movement: &MovementProfile,
    units: usize,
    distance_min: u32,
    seed: u64,
) -> Result<Vec<Unit>, GenerateError> {
    movement.validate()?;
    if units > UNITS_MAX {
        return Err(GenerateError::UnitLimit(units));
    }
    let mut lottery = Lottery::new(map, movement, distance_min, seed);
    let mut placed = Vec::with_capacity(units);
    let mut misses_left = 1000 + 10 * units;
    while placed.len() < units && misses_left > 0 {
        match lottery.draw() {
            Draw::Unit(unit) => placed.push(unit),
            Draw::Overlap => {}
            Draw::NoGoal => misses_left -= 1,
            Draw::NoMoreStarts => break,
        }
    }
    if placed.len() < units {
        return Err(GenerateError::TooManyUnits { asked: units, placed: placed.len() });
    }
    Ok(placed)
}

enum Draw {
    Unit(Unit),
    /// The chosen start overlaps another.
    Overlap,
    /// No goal was found for the chosen start.
    NoGoal,
    NoMoreStarts,
}

/// The cells that are left to choose from.
struct Lottery<'a> {
    map: &'a Map,
    diagonal: bool,
    distance_min: u32,
    rng: Pcg64Mcg,
    starts: Vec<u32>,
    /// The component of each position.
    labels: Vec<u32>,
    /// Goals by component.
    goals: Vec<Vec<u32>>,
    start_bodies: Bodies,
    goal_bodies: Bodies,
}

impl<'a> Lottery<'a> {
    fn new(map: &'a Map, movement: &MovementProfile, distance_min: u32, seed: u64) -> Self {
        let width = usize::from(map.width());
        let side = usize::from(movement.footprint);
        let Components { labels, sizes } = Components::new(width, &places(map, movement));
        let mut goals: Vec<Vec<u32>> =
            sizes.iter().map(|&size| Vec::with_capacity(size as usize)).collect();
        let mut starts = Vec::new();
        for (place, &label) in (0_u32..).zip(&labels).filter(|&(_, &label)| label != BLOCKED) {
            starts.push(place);
            goals[label as usize].push(place);
        }
        Self {
            map,
            diagonal: movement.neighbours == Neighbours::Eight,
            distance_min,
            rng: rng(seed),
            starts,
            goals,
            start_bodies: Bodies::new(width, side, labels.len()),
            goal_bodies: Bodies::new(width, side, labels.len()),
            labels,
        }
    }

    fn draw(&mut self) -> Draw {
        if self.starts.is_empty() {
            return Draw::NoMoreStarts;
        }
        let chosen = below(self.starts.len(), &mut self.rng);
        let start = self.starts.swap_remove(chosen);
        if self.start_bodies.overlaps(start) {
            return Draw::Overlap;
        }
        let Some(goal) = self.draw_goal(start) else { return Draw::NoGoal };
        self.start_bodies.add(start);
        self.goal_bodies.add(goal);
        let cell = |place: u32| self.map.cell(CellIndex(place));
        Draw::Unit(Unit::new(cell(start), cell(goal)))
    }

    /// A goal that is far enough away. Goals that overlap a chosen one are dropped.
    fn draw_goal(&mut self, start: u32) -> Option<u32> {
        let label = self.labels[start as usize] as usize;
        let mut pool = std::mem::take(&mut self.goals[label]);
        let mut tries = GOALS_TRIED;
        let mut found = None;
        while tries > 0 && !pool.is_empty() && found.is_none() {
            let chosen = below(pool.len(), &mut self.rng);
            if self.goal_bodies.overlaps(pool[chosen]) {
                pool.swap_remove(chosen);
            } else if self.distance(start, pool[chosen]) < self.distance_min {
                tries -= 1;
            } else {
                found = Some(pool.swap_remove(chosen));
            }
        }
        if found.is_none() && pool.len() <= GOALS_TRIED as usize {
            found = self.first_goal(start, &mut pool);
        }
        self.goals[label] = pool;
        found
    }

    /// Searches all goals of a small pool, in which random choice may miss the only suitable one.
    fn first_goal(&self, start: u32, pool: &mut Vec<u32>) -> Option<u32> {
        let will_do = |&goal: &u32| {
            !self.goal_bodies.overlaps(goal) && self.distance(start, goal) >= self.distance_min
        };
        let chosen = pool.iter().position(will_do)?;
        Some(pool.swap_remove(chosen))
    }

    fn distance(&self, from: u32, to: u32) -> u32 {
        let (from, to) = (self.map.cell(CellIndex(from)), self.map.cell(CellIndex(to)));
        let columns = u32::from(from.x.abs_diff(to.x));
        let rows = u32::from(from.y.abs_diff(to.y));
        if self.diagonal { columns.max(rows) } else { columns + rows }
    }
}

/// A number below `count`, which is not zero.
fn below(count: usize, rng: &mut Pcg64Mcg) -> usize {
    rng.random_range(0..count as u64) as usize
}

/// Where a unit of this footprint can stand: all cells that it covers are passable for it.
fn places(map: &Map, movement: &MovementProfile) -> Vec<bool> {
    let factors = movement.factors(map);
    let mut free: Vec<bool> =
        map.terrain().iter().map(|terrain| factors[terrain.get()].is_some()).collect();
    let (width, height) = (usize::from(map.width()), usize::from(map.height()));
    let side = usize::from(movement.footprint);
    for row in 0..height {
        keep_runs(&mut free, (0..width).rev().map(|x| row * width + x), side);
    }
    for column in 0..width {
        keep_runs(&mut free, (0..height).rev().map(|y| y * width + column), side);
    }
    free
}

/// Along a line that is walked from its end, keeps the cells where `side` free ones begin.
fn keep_runs(free: &mut [bool], line: impl Iterator<Item = usize>, side: usize) {
    let mut run = 0;
    for index in line {
        run = if free[index] { run + 1 } else { 0 };
        free[index] = run >= side;
    }
}

/// Cells that bodies cover. Bodies of one cell need no record: no cell is chosen twice.
struct Bodies {
    width: usize,
    side: usize,
    covered: Vec<bool>,
}

impl Bodies {
    fn new(width: usize, side: usize, cells: usize) -> Self {
        Self { width, side, covered: vec![false; if side > 1 { cells } else { 0 }] }
    }

    fn rows(&self, place: u32) -> impl Iterator<Item = std::ops::Range<usize>> + use<> {
        let (first, side, width) = (place as usize, self.side, self.width);
        (0..side).map(move |row| first + row * width..first + row * width + side)
    }

    fn overlaps(&self, place: u32) -> bool {
        self.side > 1 && self.rows(place).any(|row| self.covered[row].contains(&true))
    }

    fn add(&mut self, place: u32) {
        if self.side > 1 {
            self.rows(place).for_each(|row| self.covered[row].fill(true));
        }
    }
}
