//! Planning and moving in turns, as games do and as the papers measure it.

use throng_model::{Budget, Observer, Progress};
use throng_search::{Position, Space};

use crate::effort::Allowance;
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
    budget: Budget<'_>,
    observer: &mut dyn Observer,
) -> FleetReport {
    let mut allowance = Allowance::new(budget);
    let units = 0..fleet.riders.len() as u32;
    let shortest: Vec<_> = units.map(|unit| simulation.shortest(unit)).collect();
    let outcome = match shortest.iter().position(Option::is_none) {
        Some(unit) => FleetOutcome::Unreachable(unit as u32),
        None => play_out(fleet, simulation, turns, &mut allowance, observer),
    };
    FleetReport {
        outcome,
        expanded: simulation.expanded(),
        generated: simulation.generated(),
        peak_open: simulation.peak_open(),
        shortest,
        interrupted: allowance.interrupted(),
    }
}

fn play_out<S: Space>(
    fleet: &Fleet<S>,
    simulation: &mut impl Simulation,
    turns: u32,
    allowance: &mut Allowance<'_>,
    observer: &mut dyn Observer,
) -> FleetOutcome {
    let mut paths: Vec<_> = fleet.riders.iter().map(|rider| vec![rider.start]).collect();
    for turn in 0..=turns {
        let units_done = arrived(fleet, simulation);
        if units_done == fleet.riders.len() && !simulation.is_under_way() {
            return FleetOutcome::Solved(paths);
        }
        if allowance.is_spent() {
            return FleetOutcome::BudgetSpent;
        }
        if turn == turns {
            break;
        }
        let before = simulation.expanded();
        simulation.limit(allowance.left());
        simulation.turn();
        allowance.spend(simulation.expanded() - before);
        let expanded = simulation.expanded();
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
