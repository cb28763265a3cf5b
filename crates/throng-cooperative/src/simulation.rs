//! Planning and moving in turns of one tick, as in games and in the papers' experiments.

use throng_model::{Effort, Observer, Progress, SearchStatus, UnitId};
use throng_spacetime::{Position, Space};

use crate::{Instance, InstanceOutcome, InstanceReport};

/// A planner at work on an instance, one turn at a time.
pub trait Simulation {
    /// Plans before the first turn.
    fn prepare(&mut self, effort: &mut Effort<'_>);

    /// Plans for the units that are due, then moves every unit by one tick. If the effort is
    /// stopped, the result of the turn must not be used.
    fn turn(&mut self, effort: &mut Effort<'_>);

    /// The positions of the units. During a move it is the position where the move began.
    fn positions(&self) -> &[Position];

    /// Whether any unit is in the middle of a move.
    fn is_any_moving(&self) -> bool;

    /// Nodes expanded so far, of all searches together.
    fn expanded(&self) -> u64;

    /// Nodes generated so far.
    fn generated(&self) -> u64;

    /// The cost of the unit's shortest path, other units ignored; `None` if there is none or the
    /// effort was stopped.
    fn shortest(&mut self, unit: UnitId, effort: &mut Effort<'_>) -> Option<u64>;

    /// The largest number of open nodes so far.
    fn peak_open(&self) -> u64;
}

/// Runs turns until all units are on their goals at the same time.
pub(crate) fn play<S: Space>(
    instance: &Instance<S>,
    simulation: &mut impl Simulation,
    turns: u32,
    effort: &mut Effort<'_>,
    observer: &mut dyn Observer,
) -> InstanceReport {
    let mut shortest = vec![None; instance.units.len()];
    let outcome = match find_shortest(simulation, effort, &mut shortest) {
        Err(outcome) => outcome,
        Ok(()) => play_turns(instance, simulation, turns, effort, observer),
    };
    InstanceReport {
        outcome,
        expanded: simulation.expanded(),
        generated: simulation.generated(),
        peak_open: simulation.peak_open(),
        shortest,
        interrupted: effort.stopped() == Some(SearchStatus::Interrupted),
    }
}

/// Finds the cost of each unit's shortest path. An error is the outcome if there is none.
fn find_shortest(
    simulation: &mut impl Simulation,
    effort: &mut Effort<'_>,
    shortest: &mut [Option<u64>],
) -> Result<(), InstanceOutcome> {
    for (unit, known) in (0..).map(UnitId::new).zip(shortest) {
        let found = simulation.shortest(unit, effort);
        if effort.stopped().is_some() {
            return Err(InstanceOutcome::BudgetSpent(None));
        }
        *known = Some(found.ok_or(InstanceOutcome::Unreachable(unit))?);
    }
    Ok(())
}

fn play_turns<S: Space>(
    instance: &Instance<S>,
    simulation: &mut impl Simulation,
    turns: u32,
    effort: &mut Effort<'_>,
    observer: &mut dyn Observer,
) -> InstanceOutcome {
    let mut paths: Vec<_> = instance.units.iter().map(|spec| vec![spec.start]).collect();
    for turn in 0..=turns {
        let units_done = arrived(instance, simulation);
        if units_done == instance.units.len() && !simulation.is_any_moving() {
            return InstanceOutcome::Solved(paths);
        }
        if turn == turns {
            break;
        }
        simulation.turn(effort);
        if effort.stopped().is_some() {
            return InstanceOutcome::BudgetSpent((turn > 0).then_some(paths));
        }
        let expanded = simulation.expanded();
        observer.progress(Progress { expanded, units_done, ..Progress::default() });
        for (path, &at) in paths.iter_mut().zip(simulation.positions()) {
            path.push(at);
        }
    }
    InstanceOutcome::Partial(paths)
}

fn arrived<S: Space>(instance: &Instance<S>, simulation: &impl Simulation) -> usize {
    let ends = simulation.positions().iter().zip(&instance.units);
    ends.filter(|(at, spec)| **at == spec.goal).count()
}
