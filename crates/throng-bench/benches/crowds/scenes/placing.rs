//! Draws starts and goals that do not overlap.

use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_pcg::Pcg64Mcg;
use throng_grid::Ground;
use throng_model::{Cell, Map, MovementProfile};

/// Units that are alike, and where they go.
pub(super) struct UnitPlan<'a> {
    pub(super) count: usize,
    pub(super) from: &'a [Cell],
    pub(super) to: &'a [Cell],
    pub(super) movement: &'a MovementProfile,
}

/// Puts units on a map.
pub(super) struct Placing<'a> {
    map: &'a Map,
    rng: Pcg64Mcg,
    /// By cell, whether a start or a goal covers it.
    starts: Vec<bool>,
    goals: Vec<bool>,
    units: Vec<(MovementProfile, Cell, Cell)>,
}

impl<'a> Placing<'a> {
    pub(super) fn new(map: &'a Map, seed: u64) -> Result<Self, String> {
        let cells = map.terrain().len();
        if cells == 0 {
            return Err("a map without cells".to_owned());
        }
        let rng = Pcg64Mcg::seed_from_u64(seed);
        let (starts, goals) = (vec![false; cells], vec![false; cells]);
        Ok(Self { map, rng, starts, goals, units: Vec::new() })
    }

    /// Places units of one kind.
    pub(super) fn add(&mut self, plan: &UnitPlan<'_>) -> Result<(), String> {
        let ground = Ground::new(self.map, plan.movement.clone());
        let ground = ground.map_err(|error| error.to_string())?;
        let Some(hub) = largest_component(self.map, &ground) else {
            return Err("no cell to stand on".to_owned());
        };
        let usable = |cells: &[Cell]| -> Vec<Cell> {
            let is_usable = |cell: &Cell| {
                let body = body(*cell, plan.movement.footprint);
                ground.is_connected(*cell, hub) && body.iter().all(|cell| cells.contains(cell))
            };
            cells.iter().copied().filter(is_usable).collect()
        };
        let (mut from, mut to) = (usable(plan.from), usable(plan.to));
        from.shuffle(&mut self.rng);
        to.shuffle(&mut self.rng);
        let side = plan.movement.footprint;
        let starts = take(self.map, &mut self.starts, &from, side, plan.count)?;
        let goals = take(self.map, &mut self.goals, &to, side, plan.count)?;
        let both = starts.into_iter().zip(goals);
        self.units.extend(both.map(|(start, goal)| (plan.movement.clone(), start, goal)));
        Ok(())
    }

    /// The units, in the order in which they were added.
    pub(super) fn finish(self) -> Vec<(MovementProfile, Cell, Cell)> {
        self.units
    }
}

/// The first cells whose bodies are free.
fn take(
    map: &Map,
    taken: &mut [bool],
    cells: &[Cell],
    side: u8,
    count: usize,
) -> Result<Vec<Cell>, String> {
    let mut found = Vec::with_capacity(count);
    for &cell in cells {
        if found.len() == count {
            break;
        }
        let body: Vec<usize> =
            body(cell, side).iter().filter_map(|&cell| Some(map.index(cell)?.get())).collect();
        if body.iter().all(|&index| !taken[index]) {
            body.iter().for_each(|&index| taken[index] = true);
            found.push(cell);
        }
    }
    if found.len() < count {
        return Err(format!("room for {} of {count} units of {side} x {side}", found.len()));
    }
    Ok(found)
}

fn body(at: Cell, side: u8) -> Vec<Cell> {
    let side = u16::from(side);
    (0..side).flat_map(|y| (0..side).map(move |x| Cell::new(at.x + x, at.y + y))).collect()
}

/// A cell of the largest component.
fn largest_component(map: &Map, ground: &Ground) -> Option<Cell> {
    let size = |cell: &Cell| {
        let index = map.index(*cell).filter(|_| ground.can_stand(*cell));
        index.map_or(0, |index| ground.components().size_of(index))
    };
    map.cells().max_by_key(size).filter(|cell| ground.can_stand(*cell))
}
