//! Planning and moving in turns, as games do and as the papers measure it.

use throng_model::{Effort, Observer, Progress, SearchStatus, UnitId};
use throng_spacetime::{Position, Space};

use crate::{Instance, InstanceOutcome, InstanceReport};

/// A planner at work on an instance, one turn at a time.
pub trait Simulation {
    /// Plans what must be planned before any unit moves.
    fn prepare(&mut self, effort: &mut Effort<'_>);

    /// Plans what this turn needs, then every unit moves one tick. When the effort is stopped,
    /// the turn is worth nothing.
    fn turn(&mut self, effort: &mut Effort<'_>);

    /// Where the units are now. A moving unit is where it comes from until it arrives.
    fn positions(&self) -> &[Position];

    /// Whether any unit is in the middle of a move.
    fn is_any_moving(&self) -> bool;

    /// Nodes expanded so far, of all searches together.
    fn expanded(&self) -> u64;

    /// Nodes generated so far.
    fn generated(&self) -> u64;

    /// The cost of the unit's path without the others; `None` if there is none, or the effort was
    /// stopped.
    fn shortest(&mut self, unit: UnitId, effort: &mut Effort<'_>) -> Option<u64>;

    /// Most nodes open at once so far.
    fn peak_open(&self) -> u64;
}

/// Plays turns until all units are on their goals at once.
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

/// The cost of each unit's path without the others; an outcome if that is not found.
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
