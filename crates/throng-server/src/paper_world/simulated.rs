//! The simulations of the papers' planners that a world can run, behind one interface.

use throng::cooperative::{
    Instance, LocalRepair, LocalRepairSimulation, Simulation, Windowed, WindowedSimulation,
};
use throng::model::{Cell, Effort};
use throng::spacetime::{GridSpace, Position};

use crate::planner::PaperPlanner;

/// A simulation of units by the order in which the instance has them.
pub(super) enum Simulated {
    LocalRepair(Box<LocalRepairSimulation<'static, GridSpace>>),
    Windowed(Box<WindowedSimulation<'static, GridSpace>>),
}

impl Simulated {
    pub(super) fn new(planner: PaperPlanner, instance: Instance<GridSpace>, seed: u64) -> Self {
        match planner {
            PaperPlanner::LocalRepair => {
                let simulation = LocalRepair::default().simulate_owned(instance, seed);
                Self::LocalRepair(Box::new(simulation))
            }
            PaperPlanner::Windowed => {
                let simulation = Windowed::default().simulate_owned(instance, seed);
                Self::Windowed(Box::new(simulation))
            }
        }
    }

    fn simulation(&self) -> &dyn Simulation {
        match self {
            Self::LocalRepair(simulation) => &**simulation,
            Self::Windowed(simulation) => &**simulation,
        }
    }

    /// Plans for the units that are due, then moves every unit by one tick.
    pub(super) fn turn(&mut self) {
        let effort = &mut Effort::unlimited();
        match self {
            Self::LocalRepair(simulation) => simulation.turn(effort),
            Self::Windowed(simulation) => simulation.turn(effort),
        }
    }

    pub(super) fn send(&mut self, unit: usize, goal: Position) {
        match self {
            Self::LocalRepair(simulation) => simulation.send(unit, goal),
            Self::Windowed(simulation) => simulation.send(unit, goal),
        }
    }

    pub(super) fn position(&self, unit: usize) -> Position {
        self.simulation().positions()[unit]
    }

    /// End, ticks left and ticks in all of the step in progress.
    pub(super) fn step_in_progress(&self, unit: usize) -> Option<(Position, u32, u32)> {
        match self {
            Self::LocalRepair(simulation) => simulation.step_in_progress(unit),
            Self::Windowed(simulation) => simulation.step_in_progress(unit),
        }
    }

    /// Nodes expanded so far.
    pub(super) fn expanded(&self) -> u64 {
        self.simulation().expanded()
    }

    /// The cells that a unit means to visit: under WHCA* one per tick of its window.
    pub(super) fn path(&self, unit: usize, space: &GridSpace) -> Vec<Cell> {
        let cell = |at: Position| space.cell(at);
        match self {
            Self::LocalRepair(simulation) => simulation.route(unit).map(cell).collect(),
            Self::Windowed(simulation) => simulation.plan(unit).into_iter().map(cell).collect(),
        }
    }

    /// Under LRA*, how often a unit was blocked since it was sent.
    pub(super) fn agitation(&self, unit: usize) -> Option<u32> {
        match self {
            Self::LocalRepair(simulation) => Some(simulation.agitation(unit)),
            Self::Windowed(_) => None,
        }
    }
}
