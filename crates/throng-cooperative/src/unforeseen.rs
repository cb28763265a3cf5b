//! CA* and HCA* as the paper runs them: complete routes, and units that have arrived are
//! obstacles that nobody had foreseen.
//!
//! D. Silver, "Cooperative pathfinding" (2005). Routes end on the destination, at any time.
//! When a unit arrives it stays, whoever has plans for the place; those find a new route.

use throng_spacetime::{Position, Space};

use crate::distances::{Distances, Keep};
use crate::order::order;
use crate::{
    CooperativeAStar, Crew, CrewOptions, Fleet, Heuristic, Simulation, Stance, Whereabouts,
};

/// A fleet under CA* or HCA* of the paper, turn by turn.
#[derive(Clone, Debug)]
pub struct CooperativeSimulation<'a, S> {
    fleet: &'a Fleet<S>,
    crew: Crew,
    distances: Distances,
    /// To know whether there is a way at all.
    true_distances: Distances,
    units: Vec<u32>,
    positions: Vec<Position>,
    expansions: u64,
    prepared: bool,
}

impl CooperativeAStar {
    /// The fleet under this planner as in the paper, before anyone has planned.
    #[must_use]
    pub fn simulate<'a, S: Space>(
        &self,
        fleet: &'a Fleet<S>,
        seed: u64,
    ) -> CooperativeSimulation<'a, S> {
        let spaces = &fleet.spaces[..];
        let mut distances = Distances::new(spaces, &fleet.riders, self.heuristic, Keep::Always);
        let units = order(spaces, self.order, seed, &mut distances);
        let entries = spaces.iter().map(Space::entries).max().unwrap_or(0);
        let mut crew = Crew::new(entries, CrewOptions::complete());
        for (unit, rider) in (0..).zip(&fleet.riders) {
            // Starts do not overlap in a valid problem.
            let _ = crew.add(spaces, unit, rider.space, rider.start);
            crew.set_depth(unit, HOLD_TICKS);
            crew.set_stance(unit, Stance::Going);
            crew.set_post(spaces, unit, Some(rider.goal));
        }
        CooperativeSimulation {
            fleet,
            crew,
            distances,
            true_distances: Distances::new(
                spaces,
                &fleet.riders,
                Heuristic::TrueDistance,
                Keep::ONCE,
            ),
            units,
            positions: fleet.riders.iter().map(|rider| rider.start).collect(),
            expansions: u64::MAX,
            prepared: false,
        }
    }
}

/// How far ahead a unit that has arrived claims its place: longer than any route through
/// the crowd is likely to take.
const HOLD_TICKS: u32 = 256;

impl<S: Space> CooperativeSimulation<'_, S> {
    fn hold_arrived(&mut self) {
        for (unit, rider) in (0..).zip(&self.fleet.riders) {
            let there = self.crew.whereabouts(unit) == Some(Whereabouts::Standing(rider.goal));
            if there && self.crew.stance(unit) == Some(Stance::Going) {
                self.crew.set_stance(unit, Stance::Holding);
            }
        }
    }
}

impl<S: Space> Simulation for CooperativeSimulation<'_, S> {
    fn prepare(&mut self) {
        self.prepared = true;
        self.hold_arrived();
        let most = self.expanded().saturating_add(self.expansions);
        for rank in 0..self.units.len() {
            if self.expanded() >= most {
                return;
            }
            self.crew.plan_unit(&self.fleet.spaces, &mut self.distances, self.units[rank]);
        }
    }

    fn turn(&mut self) {
        if !self.prepared {
            self.prepare();
        }
        self.hold_arrived();
        self.crew.tick(&self.fleet.spaces, &mut self.distances, self.expansions);
        for (unit, at) in (0..).zip(&mut self.positions) {
            *at = self.crew.whereabouts(unit).map_or(*at, Whereabouts::position);
        }
    }

    fn positions(&self) -> &[Position] {
        &self.positions
    }

    fn is_under_way(&self) -> bool {
        self.crew.is_under_way()
    }

    fn expanded(&self) -> u64 {
        let distances = self.distances.expanded() + self.true_distances.expanded();
        self.crew.search().expanded() + distances
    }

    fn generated(&self) -> u64 {
        let distances = self.distances.generated() + self.true_distances.generated();
        self.crew.search().generated() + distances
    }

    fn shortest(&mut self, unit: u32) -> Option<u64> {
        let start = self.fleet.riders[unit as usize].start;
        self.true_distances.get(&self.fleet.spaces, unit, start)
    }

    fn limit(&mut self, expansions: u64) {
        self.expansions = expansions;
    }

    fn peak_open(&self) -> u64 {
        self.crew.search().peak_open()
    }
}
