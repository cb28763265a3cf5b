//! CA* and HCA* as the paper runs them: complete plans, and units that have arrived are
//! unplanned obstacles.
//!
//! D. Silver, "Cooperative pathfinding" (2005). Plans end on the destination, at any time. A
//! unit that arrives stays, even where others have planned to be; those plan again.

use throng_model::{Budget, Effort, UnitId};
use throng_spacetime::{Position, Space};

use crate::distances::{Distances, Keep};
use crate::planning_order::order;
use crate::windowed::store_of;
use crate::{
    CooperativeAStar, Heuristic, Instance, Location, PlanEvent, PlanningOptions, PlanningOrder,
    Role, Simulation, UnitStore,
};

/// How far ahead a unit that has arrived claims its place, in ticks: longer than any path
/// through the crowd is likely to take.
const HOLD_TICKS: u32 = 256;

/// An instance under CA* or HCA* of the paper, turn by turn.
#[derive(Clone, Debug)]
pub struct CooperativeSimulation<'a, S> {
    instance: &'a Instance<S>,
    planning_order: PlanningOrder,
    seed: u64,
    store: UnitStore<Role>,
    distances: Distances,
    /// To know whether there is a path at all.
    true_distances: Distances,
    positions: Vec<Position>,
    prepared: bool,
    tries_again: bool,
}

impl CooperativeAStar {
    /// The instance under this planner as in the paper, before any unit has planned.
    #[must_use]
    pub fn simulate<'a, S: Space>(
        &self,
        instance: &'a Instance<S>,
        seed: u64,
    ) -> CooperativeSimulation<'a, S> {
        let (spaces, units) = (&instance.spaces[..], &instance.units[..]);
        CooperativeSimulation {
            instance,
            store: store_of(spaces, units, PlanningOptions::complete(), HOLD_TICKS),
            distances: Distances::new(spaces, units, self.heuristic, Keep::Always),
            planning_order: self.order,
            seed,
            true_distances: Distances::new(spaces, units, Heuristic::TrueDistance, Keep::ONCE),
            positions: units.iter().map(|spec| spec.start).collect(),
            prepared: false,
            tries_again: self.tries_again,
        }
    }
}

impl<S: Space> CooperativeSimulation<'_, S> {
    fn hold_arrived(&mut self) {
        for (unit, spec) in (0..).map(UnitId::new).zip(&self.instance.units) {
            let there = self.store.location(unit) == Some(Location::Standing(spec.goal));
            let going = self.store.get(unit).is_some_and(|record| record.activity == Role::Going);
            if there && going {
                self.store.set_activity(unit, Role::Holding);
            }
        }
    }

    /// Units that have just found no path stay where they are, if they do not try again.
    fn hold_failed(&mut self) {
        if self.tries_again {
            return;
        }
        let failed = |event: &PlanEvent| match event {
            PlanEvent::NoPath { unit } => Some(*unit),
            _ => None,
        };
        let failed: Vec<UnitId> = self.store.events().iter().filter_map(failed).collect();
        failed.into_iter().for_each(|unit| self.store.set_activity(unit, Role::Holding));
    }
}

impl<S: Space> Simulation for CooperativeSimulation<'_, S> {
    fn prepare(&mut self, effort: &mut Effort<'_>) {
        self.prepared = true;
        self.hold_arrived();
        let spaces = &self.instance.spaces;
        let units = order(spaces, self.planning_order, self.seed, &mut self.distances, effort);
        for unit in units {
            if effort.stopped().is_some() {
                return;
            }
            self.store.plan_unit(spaces, &mut self.distances, unit, effort);
        }
        self.hold_failed();
    }

    fn turn(&mut self, effort: &mut Effort<'_>) {
        if !self.prepared {
            self.prepare(effort);
        }
        if effort.stopped().is_some() {
            return;
        }
        self.hold_arrived();
        self.store.tick(&self.instance.spaces, &mut self.distances, Budget::unlimited(), effort);
        self.hold_failed();
        for (unit, at) in (0..).map(UnitId::new).zip(&mut self.positions) {
            *at = self.store.location(unit).map_or(*at, Location::position);
        }
    }

    fn positions(&self) -> &[Position] {
        &self.positions
    }

    fn is_any_moving(&self) -> bool {
        self.store.is_any_moving()
    }

    fn expanded(&self) -> u64 {
        let distances = self.distances.expanded() + self.true_distances.expanded();
        self.store.search().expanded() + distances
    }

    fn generated(&self) -> u64 {
        let distances = self.distances.generated() + self.true_distances.generated();
        self.store.search().generated() + distances
    }

    fn shortest(&mut self, unit: UnitId, effort: &mut Effort<'_>) -> Option<u64> {
        self.true_distances.start_distance(&self.instance.spaces, unit, effort)
    }

    fn peak_open(&self) -> u64 {
        self.store.search().peak_open()
    }
}
