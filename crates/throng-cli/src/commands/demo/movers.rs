//! The two ways in which the units of the demo are moved.

use anyhow::Result;
use throng::cooperative::{Fleet, LocalRepair, LocalRepairSimulation, Simulation};
use throng::referee::{Heading, LiveReferee, Sighting};
use throng::spacetime::GridSpace;
use throng::world::Order;
use throng::{Cell, Spawn, UnitId, World, WorldOptions};

use super::cast::Cast;

/// The longest window that the world allows.
pub(super) const WINDOW_MAX: u32 = 48;

/// Whoever moves the units.
pub(super) trait Mover {
    /// Everybody plans and moves one tick.
    fn tick(&mut self);

    /// Where everybody is; on its way, a slow unit is where its step began.
    fn places(&self) -> Vec<Cell>;

    /// The first thing that the referee has against the tick, if it is judged as it goes.
    fn judge(&mut self) -> Option<String>;
}

/// The live world, with WHCA*.
pub(super) struct LiveWorld {
    world: World,
    units: Vec<UnitId>,
    referee: LiveReferee,
}

impl LiveWorld {
    pub(super) fn new(cast: &Cast, window: u32) -> Result<Self> {
        let problem = &cast.problem;
        let options =
            WorldOptions { window, conflicts: problem.conflicts, ..WorldOptions::default() };
        let mut world = World::new(problem.map.clone(), options)?;
        let mut units = Vec::new();
        for (number, unit) in problem.units.iter().enumerate() {
            let movement = cast.movement(number).clone();
            // Slow units look as many steps ahead as quick ones do.
            let window = (window * u32::from(movement.pace)).min(WINDOW_MAX);
            units.push(world.spawn(unit.start, &Spawn { window, ..Spawn::new(movement) })?);
        }
        for (&id, unit) in units.iter().zip(&problem.units) {
            world.order(id, Order::go(unit.goal))?;
        }
        Ok(Self { world, units, referee: LiveReferee::new(problem.conflicts) })
    }
}

impl Mover for LiveWorld {
    fn tick(&mut self) {
        self.world.tick();
    }

    fn places(&self) -> Vec<Cell> {
        let places = self.units.iter().filter_map(|&unit| self.world.place(unit));
        places.map(|(at, _)| at).collect()
    }

    fn judge(&mut self) -> Option<String> {
        let sighting = |&unit: &UnitId| {
            let (at, heading) = self.world.place(unit)?;
            let heading = heading.map(|heading| Heading {
                to: heading.to,
                ticks_left: u8::try_from(heading.ticks_left).unwrap_or(u8::MAX),
            });
            Some(Sighting { unit, movement: self.world.movement(unit)?, at, heading })
        };
        let sightings: Vec<_> = self.units.iter().filter_map(sighting).collect();
        let found = self.referee.tick(self.world.map(), &sightings, &[]);
        found.first().map(ToString::to_string)
    }
}

/// LRA*: nobody sees another's plan.
pub(super) struct LocalRepairs<'a> {
    fleet: &'a Fleet<GridSpace>,
    simulation: LocalRepairSimulation<'a, GridSpace>,
}

impl<'a> LocalRepairs<'a> {
    pub(super) fn new(fleet: &'a Fleet<GridSpace>, seed: u64) -> Self {
        Self { fleet, simulation: LocalRepair::default().simulate(fleet, seed) }
    }
}

impl Mover for LocalRepairs<'_> {
    fn tick(&mut self) {
        self.simulation.turn();
    }

    fn places(&self) -> Vec<Cell> {
        let positions = self.simulation.positions().iter().enumerate();
        positions.map(|(unit, &at)| self.fleet.space(unit).cell(at)).collect()
    }

    /// Which steps slow units are in is known only afterwards.
    fn judge(&mut self) -> Option<String> {
        None
    }
}
