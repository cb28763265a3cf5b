//! What moves the units: the live world, or LRA*.

use std::time::Duration;

use anyhow::{Result, bail};
use throng::World;
use throng::cooperative::{Instance, LocalRepair, LocalRepairSimulation, Simulation};
use throng::grid::kit::mix;
use throng::model::{Cell, Effort, UnitId, ValidProblem};
use throng::referee::Heading;
use throng::spacetime::{GridSpace, Position};
use throng::world::{Order, Spawn, UnitStatus, WorldOptions};

use crate::clock::Stopwatch;

/// Where a unit is, and the step that it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) at: Cell,
    pub(super) heading: Option<Heading>,
}

impl Seen {
    /// Whether the unit stands there, and is not about to leave.
    pub(super) fn is_on(self, cell: Cell) -> bool {
        self.at == cell && self.heading.is_none()
    }
}

/// Moves the units of a run.
pub(super) trait Engine {
    /// Plans and moves every unit by one tick.
    fn tick(&mut self);

    /// Where every unit is. A slow unit within a step is on the cell where it began.
    fn see(&self) -> Vec<Seen>;

    /// Whether [`see`](Self::see) knows the steps that slow units are in.
    fn sees_headings(&self) -> bool;

    /// Sends a unit to another goal.
    fn send(&mut self, unit: usize, goal: Cell) -> Result<()>;

    /// How many units have no path to their goals.
    fn unreachable(&self) -> usize;

    /// What a unit is doing, or why it does nothing, if that is known.
    fn why(&self, unit: usize) -> Option<String>;

    /// A hash of the state.
    fn hash(&self) -> u64;

    /// Whether a limit in milliseconds cut planning short in some tick.
    fn is_cut_short(&self) -> bool {
        false
    }
}

/// The live world.
pub(super) struct WorldEngine {
    world: World,
    units: Vec<UnitId>,
    /// The time that planning may take per tick.
    limit: Option<Duration>,
    is_cut_short: bool,
}

impl WorldEngine {
    /// A world in which every unit has its order.
    pub(super) fn new(
        problem: &ValidProblem,
        options: WorldOptions,
        limit: Option<Duration>,
    ) -> Result<Self> {
        let options = WorldOptions { conflicts: problem.conflicts, ..options };
        let mut world = World::new(problem.map.clone(), options)?;
        let spawns: Vec<Spawn> = problem.movements.iter().cloned().map(Spawn::new).collect();
        let mut units = Vec::with_capacity(problem.units.len());
        for unit in &problem.units {
            units.push(world.spawn(unit.start, &spawns[unit.movement])?);
        }
        for (&id, unit) in units.iter().zip(&problem.units) {
            world.order(id, Order::go(unit.goal))?;
        }
        Ok(Self { world, units, limit, is_cut_short: false })
    }
}

impl Engine for WorldEngine {
    fn tick(&mut self) {
        let Some(limit) = self.limit else {
            self.world.tick();
            return;
        };
        let watch = Stopwatch::start();
        let report = self.world.tick_within(&|| watch.elapsed() >= limit);
        self.is_cut_short |= report.is_interrupted;
    }

    fn see(&self) -> Vec<Seen> {
        let seen = |&unit: &UnitId| {
            let (at, heading) = self.world.location(unit)?;
            let heading = heading.map(|heading| Heading {
                to: heading.to,
                ticks_left: u8::try_from(heading.ticks_left).unwrap_or(u8::MAX),
            });
            Some(Seen { at, heading })
        };
        self.units.iter().filter_map(seen).collect()
    }

    fn sees_headings(&self) -> bool {
        true
    }

    fn send(&mut self, unit: usize, goal: Cell) -> Result<()> {
        Ok(self.world.order(self.units[unit], Order::go(goal))?)
    }

    fn unreachable(&self) -> usize {
        let status = |&unit: &UnitId| self.world.status(unit);
        self.units.iter().filter_map(status).filter(|&it| it == UnitStatus::Unreachable).count()
    }

    fn why(&self, unit: usize) -> Option<String> {
        self.world.why(self.units[unit]).map(|why| why.to_string())
    }

    fn hash(&self) -> u64 {
        self.world.hash()
    }

    fn is_cut_short(&self) -> bool {
        self.is_cut_short
    }
}

/// LRA*: no unit knows another's plan.
pub(super) struct LocalRepairEngine<'a> {
    instance: &'a Instance<GridSpace>,
    simulation: LocalRepairSimulation<'a, GridSpace>,
    hash: u64,
}

impl<'a> LocalRepairEngine<'a> {
    pub(super) fn new(instance: &'a Instance<GridSpace>, seed: u64) -> Self {
        let simulation = LocalRepair::default().simulate(instance, seed);
        Self { instance, simulation, hash: 0 }
    }
}

impl Engine for LocalRepairEngine<'_> {
    fn tick(&mut self) {
        self.simulation.turn(&mut Effort::unlimited());
        let fold = |hash: u64, at: &Position| mix(hash ^ u64::from(at.0));
        self.hash = self.simulation.positions().iter().fold(mix(self.hash), fold);
    }

    fn see(&self) -> Vec<Seen> {
        let positions = self.simulation.positions().iter().enumerate();
        let cells = positions.map(|(unit, &at)| self.instance.space(unit).cell(at));
        cells.map(|at| Seen { at, heading: None }).collect()
    }

    fn sees_headings(&self) -> bool {
        false
    }

    fn send(&mut self, unit: usize, goal: Cell) -> Result<()> {
        bail!("unit {unit} cannot be sent to {goal}: goals are fixed under lra; use --planner whca")
    }

    fn unreachable(&self) -> usize {
        let instance = self.instance;
        let is_cut_off = |&unit: &usize| {
            let (space, spec) = (instance.space(unit), instance.units[unit]);
            !space.ground().is_connected(space.cell(spec.start), space.cell(spec.goal))
        };
        (0..instance.units.len()).filter(is_cut_off).count()
    }

    fn why(&self, _: usize) -> Option<String> {
        None
    }

    fn hash(&self) -> u64 {
        self.hash
    }
}
