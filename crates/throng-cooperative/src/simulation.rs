//! Planning and moving in turns, as games do and as the papers measure it.

use throng_model::{Observer, Progress};
use throng_spacetime::{Position, Space};

use crate::leash::Leash;
use crate::{Fleet, FleetOutcome, FleetReport};

/// A planner at work on a fleet, one turn at a time.
pub trait Simulation {
    /// Plans what must be planned before anyone moves.
    fn prepare(&mut self);

    /// Plans what this turn needs, then everybody moves one tick.
    fn turn(&mut self);

    /// Where the units are now. A unit under way is where it comes from until it arrives.
    fn positions(&self) -> &[Position];

    /// Whether anyone is in the middle of a move.
    fn is_under_way(&self) -> bool;

    /// Nodes expanded so far, of all searches together.
    fn expanded(&self) -> u64;

    /// Nodes generated so far.
    fn generated(&self) -> u64;

    /// What the unit's way costs without the others; `None`: there is none.
    fn shortest(&mut self, unit: u32) -> Option<u64>;

    /// Most expansions of the next turn, where the planner can be limited.
    fn limit(&mut self, expansions: u64);

    /// Most nodes open at once so far.
    fn peak_open(&self) -> u64;
}

/// Plays turns until everybody is on its goal at once.
pub(crate) fn play<S: Space>(
    fleet: &Fleet<S>,
    simulation: &mut impl Simulation,
    turns: u32,
    leash: &Leash<'_>,
    observer: &mut dyn Observer,
) -> FleetReport {
    let mut shortest = vec![None; fleet.riders.len()];
    let outcome = match find_ways(simulation, leash, &mut shortest) {
        Err(why) => why,
        Ok(()) => play_out(fleet, simulation, turns, leash, observer),
    };
    FleetReport {
        outcome,
        expanded: simulation.expanded(),
        generated: simulation.generated(),
        peak_open: simulation.peak_open(),
        shortest,
        interrupted: leash.interrupted(),
    }
}

/// What each unit's way costs without the others; an outcome if that is not found.
fn find_ways(
    simulation: &mut impl Simulation,
    leash: &Leash<'_>,
    shortest: &mut [Option<u64>],
) -> Result<(), FleetOutcome> {
    for (unit, known) in (0..).zip(shortest) {
        let found = simulation.shortest(unit);
        leash.note(simulation.expanded());
        if leash.is_spent() {
            return Err(FleetOutcome::BudgetSpent(None));
        }
        *known = Some(found.ok_or(FleetOutcome::Unreachable(unit))?);
    }
    Ok(())
}

fn play_out<S: Space>(
    fleet: &Fleet<S>,
    simulation: &mut impl Simulation,
    turns: u32,
    leash: &Leash<'_>,
    observer: &mut dyn Observer,
) -> FleetOutcome {
    let mut paths: Vec<_> = fleet.riders.iter().map(|rider| vec![rider.start]).collect();
    for turn in 0..=turns {
        let units_done = arrived(fleet, simulation);
        if units_done == fleet.riders.len() && !simulation.is_under_way() {
            return FleetOutcome::Solved(paths);
        }
        if turn == turns {
            break;
        }
        // One more than is left shows that it was not enough.
        simulation.limit(leash.left().saturating_add(1));
        simulation.turn();
        let expanded = simulation.expanded();
        leash.note(expanded);
        if leash.is_spent() {
            return FleetOutcome::BudgetSpent((turn > 0).then_some(paths));
        }
        observer.progress(Progress { expanded, units_done, ..Progress::default() });
        for (path, &at) in paths.iter_mut().zip(simulation.positions()) {
            path.push(at);
        }
    }
    FleetOutcome::Partial(paths)
}

fn arrived<S: Space>(fleet: &Fleet<S>, simulation: &impl Simulation) -> usize {
    let ends = simulation.positions().iter().zip(&fleet.riders);
    ends.filter(|(at, rider)| **at == rider.goal).count()
}
