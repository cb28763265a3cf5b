//! The best of attempts that failed.
//!
//! An attempt of CA* or HCA* ends at the first unit that finds no way. Those before it have
//! paths; it and those after it have none and stay where they are, and so does whoever would
//! run into one that stays, and so on. What is left moves legally: paths do not collide with
//! each other, and nobody crosses a place where somebody stays.

use throng_model::Tick;
use throng_spacetime::{Position, Space, TimedObstacles, TimedPath};

use crate::{Fleet, Priority, Reservations};

/// The attempt that brought most units to their goals.
#[derive(Clone, Debug, Default)]
pub(crate) struct Salvage {
    arrived: usize,
    /// By unit, its path; empty if it stays, all of it if nobody moves.
    paths: Vec<Vec<Position>>,
}

impl Salvage {
    /// Looks at an attempt in which these units have planned, with the table of their claims.
    pub(crate) fn take<S: Space>(
        &mut self,
        fleet: &Fleet<S>,
        table: &Reservations,
        paths: &[TimedPath],
        planned: &[u32],
    ) {
        let mut moves = vec![false; fleet.riders.len()];
        planned.iter().for_each(|&unit| moves[unit as usize] = true);
        keep_out_of_the_way(fleet, table, &mut moves);
        let arrives =
            |unit: &usize| moves[*unit] || fleet.riders[*unit].start == fleet.riders[*unit].goal;
        let arrived = (0..moves.len()).filter(arrives).count();
        if arrived > self.arrived {
            let path = |(path, moves): (&TimedPath, &bool)| {
                if *moves { path.positions() } else { Vec::new() }
            };
            self.arrived = arrived;
            self.paths = paths.iter().zip(&moves).map(path).collect();
        }
    }

    /// The best attempt's positions, if any unit moves in it.
    pub(crate) fn best<S>(self, fleet: &Fleet<S>) -> Option<Vec<Vec<Position>>> {
        self.paths.iter().any(|path| path.len() > 1).then(|| self.positions(fleet))
    }

    /// Where every unit is at each tick.
    pub(crate) fn positions<S>(mut self, fleet: &Fleet<S>) -> Vec<Vec<Position>> {
        self.paths.resize(fleet.riders.len(), Vec::new());
        for (path, rider) in self.paths.iter_mut().zip(&fleet.riders) {
            if path.is_empty() {
                path.push(rider.start);
            }
        }
        self.paths
    }
}

/// Lets all stay who would run into somebody who stays.
fn keep_out_of_the_way<S: Space>(fleet: &Fleet<S>, table: &Reservations, moves: &mut [bool]) {
    let mut staying: Vec<usize> = (0..moves.len()).filter(|&unit| !moves[unit]).collect();
    while let Some(unit) = staying.pop() {
        let view = table.view(unit as u32, Priority(0));
        fleet.space(unit).standing(fleet.riders[unit].start, |entry| {
            let mut tick = Tick(0);
            while let Some(taken) = view.next_taken(entry, tick).filter(|&at| at <= table.last()) {
                let holder = table.holder(entry, taken).map(|claim| claim.unit as usize);
                let stopped = holder.filter(|&holder| std::mem::take(&mut moves[holder]));
                staying.extend(stopped);
                tick = Tick(taken.0 + 1);
            }
            true
        });
    }
}
