//! The two engines that can move the units of the demo: the live world and LRA*.

use anyhow::Result;
use throng::World;
use throng::cooperative::{Instance, LocalRepair, LocalRepairSimulation, Simulation};
use throng::model::Effort;
use throng::model::limits::WINDOW_TICKS;
use throng::model::{Cell, UnitId};
use throng::referee::{Heading, LiveReferee, Sighting};
use throng::spacetime::GridSpace;
use throng::world::Order;
use throng::world::{Spawn, WorldOptions};

use super::scenario::DemoScenario;

/// Moves the units of the demo.
pub(super) trait Engine {
    /// Plans and moves every unit by one tick.
    fn tick(&mut self);

    /// The cell of every unit. A slow unit within a step is on the cell where it began.
    fn cells(&self) -> Vec<Cell>;

    /// The first violation that the referee finds in the tick, where ticks are judged live.
    fn judge(&mut self) -> Option<String>;
}

/// The live world, with WHCA*.
pub(super) struct WorldEngine {
    world: World,
    units: Vec<UnitId>,
    referee: LiveReferee,
}

impl WorldEngine {
    pub(super) fn new(scenario: &DemoScenario, window: u32) -> Result<Self> {
        let problem = &scenario.problem;
        let options =
            WorldOptions { window, conflicts: problem.conflicts, ..WorldOptions::default() };
        let mut world = World::new(problem.map.clone(), options)?;
        let mut units = Vec::new();
        for (number, unit) in problem.units.iter().enumerate() {
            let movement = scenario.movement(number).clone();
            // Slow units look ahead by as many steps as fast ones.
            let window = (window * u32::from(movement.pace)).min(*WINDOW_TICKS.end());
            units.push(world.spawn(unit.start, &Spawn { window, ..Spawn::new(movement) })?);
        }
        for (&id, unit) in units.iter().zip(&problem.units) {
            world.order(id, Order::go(unit.goal))?;
        }
        Ok(Self { world, units, referee: LiveReferee::new(problem.conflicts) })
    }
}

impl Engine for WorldEngine {
    fn tick(&mut self) {
        self.world.tick();
    }

    fn cells(&self) -> Vec<Cell> {
        let cells = self.units.iter().filter_map(|&unit| self.world.location(unit));
        cells.map(|(at, _)| at).collect()
    }

    fn judge(&mut self) -> Option<String> {
        let sighting = |&unit: &UnitId| {
            let (at, heading) = self.world.location(unit)?;
            let heading = heading.map(|heading| Heading {
                to: heading.to,
                ticks_left: u8::try_from(heading.ticks_left).unwrap_or(u8::MAX),
            });
            let movement = self.world.movement(unit)?;
            Some(Sighting { unit, movement, at, heading, team: 0, layer: 0 })
        };
        let sightings: Vec<_> = self.units.iter().filter_map(sighting).collect();
        let found = self.referee.tick(self.world.map(), &sightings, &[]);
        found.first().map(ToString::to_string)
    }
}

/// LRA*: no unit knows another's plan.
pub(super) struct LocalRepairEngine<'a> {
    instance: &'a Instance<GridSpace>,
    simulation: LocalRepairSimulation<'a, GridSpace>,
}

impl<'a> LocalRepairEngine<'a> {
    pub(super) fn new(instance: &'a Instance<GridSpace>, seed: u64) -> Self {
        Self { instance, simulation: LocalRepair::default().simulate(instance, seed) }
    }
}

impl Engine for LocalRepairEngine<'_> {
    fn tick(&mut self) {
        self.simulation.turn(&mut Effort::unlimited());
    }

    fn cells(&self) -> Vec<Cell> {
        let positions = self.simulation.positions().iter().enumerate();
        positions.map(|(unit, &at)| self.instance.space(unit).cell(at)).collect()
    }

    /// Not judged live: the steps of slow units are known only afterwards.
    fn judge(&mut self) -> Option<String> {
        None
    }
}
