//! The best of several failed attempts, as a partial plan.
//!
//! An attempt of CA* or HCA* ends at the first unit that finds no path. That unit and all later
//! ones have no path and stay at their starts. Units that would run into one of them stay too,
//! and so on. The paths of the other units are legal: they do not collide with each other, and
//! no unit crosses the place of one that stays.

use throng_model::{Tick, UnitId};
use throng_spacetime::{Position, Space, TimedObstacles, TimedPath};

use crate::{Instance, Priority, Reservations};

/// The attempt that brought most units to their goals.
#[derive(Clone, Debug, Default)]
pub(crate) struct BestAttempt {
    arrived: usize,
    /// The path of each unit; empty for a unit that stays. Without units if no unit moves.
    paths: Vec<Vec<Position>>,
}

impl BestAttempt {
    /// Keeps an attempt if it is better than the best so far. `planned` are the units that have
    /// paths, `table` has their claims.
    pub(crate) fn consider<S: Space>(
        &mut self,
        instance: &Instance<S>,
        table: &Reservations,
        paths: &[TimedPath],
        planned: &[UnitId],
    ) {
        let mut moves = vec![false; instance.units.len()];
        planned.iter().for_each(|&unit| moves[unit.index()] = true);
        stop_blocked_units(instance, table, &mut moves);
        let arrives = |unit: &usize| {
            moves[*unit] || instance.units[*unit].start == instance.units[*unit].goal
        };
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
    pub(crate) fn best<S>(self, instance: &Instance<S>) -> Option<Vec<Vec<Position>>> {
        self.paths.iter().any(|path| path.len() > 1).then(|| self.positions(instance))
    }

    /// Where every unit is at each tick.
    pub(crate) fn positions<S>(mut self, instance: &Instance<S>) -> Vec<Vec<Position>> {
        self.paths.resize(instance.units.len(), Vec::new());
        for (path, spec) in self.paths.iter_mut().zip(&instance.units) {
            if path.is_empty() {
                path.push(spec.start);
            }
        }
        self.paths
    }
}

/// Stops all units that would run into one that stays.
fn stop_blocked_units<S: Space>(instance: &Instance<S>, table: &Reservations, moves: &mut [bool]) {
    let mut staying: Vec<usize> = (0..moves.len()).filter(|&unit| !moves[unit]).collect();
    while let Some(unit) = staying.pop() {
        let view = table.view(UnitId::new(unit as u32), Priority(0));
        instance.space(unit).standing(instance.units[unit].start, |entry| {
            let mut tick = Tick(0);
            while let Some(taken) = view.next_taken(entry, tick).filter(|&at| at <= table.last()) {
                let holder = table.holder(entry, taken).map(|claim| claim.unit.index());
                let stopped = holder.filter(|&holder| std::mem::take(&mut moves[holder]));
                staying.extend(stopped);
                tick = Tick(taken.0 + 1);
            }
            true
        });
    }
}
