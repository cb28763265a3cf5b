//! A crowd with one order per unit, and a search depth and a priority level for each.

use throng::Problem;
use throng::cooperative::{
    Crew, CrewEvent, CrewOptions, Fleet, Guide, Simulation, Stance, Whereabouts,
};
use throng::spacetime::{GridSpace, Position, Rra, Space};

use crate::LabError;
use crate::crowd::CrowdRun;
use crate::harness::CaseId;

/// Units that plan in windows and never get another order.
pub(super) struct CrowdSimulation<'a> {
    fleet: &'a Fleet<GridSpace>,
    pub(super) crew: Crew,
    distances: Distances,
    positions: Vec<Position>,
    /// Units promoted so far.
    pub(super) promotions: usize,
}

/// The true distances of each unit, by its own RRA*.
#[derive(Default)]
struct Distances {
    searches: Vec<Rra>,
    expanded: u64,
    generated: u64,
}

impl Guide<GridSpace> for Distances {
    fn distance(&mut self, space: &GridSpace, unit: u32, at: Position) -> Option<u64> {
        let search = &mut self.searches[unit as usize];
        let before = (search.expanded(), search.generated());
        let found = search.distance(space, at);
        self.expanded += search.expanded() - before.0;
        self.generated += search.generated() - before.1;
        found
    }

    fn expanded(&self) -> u64 {
        self.expanded
    }
}

impl<'a> CrowdSimulation<'a> {
    /// Every unit stands at its start with its goal as order, and plans 16 ticks ahead.
    pub(super) fn new(fleet: &'a Fleet<GridSpace>, options: CrewOptions) -> Self {
        let spaces = &fleet.spaces;
        let entries = spaces.iter().map(Space::entries).max().unwrap_or(0);
        let mut crew = Crew::new(entries, options);
        let mut distances = Distances::default();
        for (unit, rider) in (0..).zip(&fleet.riders) {
            // Starts do not overlap in a valid problem.
            let _ = crew.add(spaces, unit, rider.space, rider.start);
            crew.set_stance(unit, Stance::Going);
            crew.set_post(spaces, unit, Some(rider.goal));
            let mut search = Rra::default();
            search.begin(&spaces[rider.space], [(rider.goal, 0)], rider.start);
            distances.searches.push(search);
        }
        let positions = fleet.riders.iter().map(|rider| rider.start).collect();
        Self { fleet, crew, distances, positions, promotions: 0 }
    }

    /// Sets the search depth of each unit.
    pub(super) fn with_depth(mut self, depth: impl Fn(usize) -> u32) -> Self {
        (0..self.positions.len()).for_each(|unit| self.crew.set_depth(unit as u32, depth(unit)));
        self
    }

    /// Runs for a number of turns; the referee checks the run.
    pub(super) fn run(
        &mut self,
        id: &CaseId,
        problem: &Problem,
        turns: u32,
    ) -> Result<CrowdRun, LabError> {
        let fleet = self.fleet;
        CrowdRun::of(id, problem, fleet, self, turns)
    }

    /// Sets the priority level of each unit.
    pub(super) fn with_level(mut self, level: impl Fn(usize) -> u8) -> Self {
        (0..self.positions.len()).for_each(|unit| self.crew.set_level(unit as u32, level(unit)));
        self
    }

    /// Marks the units on their destination as resting: they yield to the others.
    fn mark_resting(&mut self) {
        for (unit, (&at, rider)) in (0..).zip(self.positions.iter().zip(&self.fleet.riders)) {
            self.crew.set_resting(unit, at == rider.goal);
        }
    }
}

impl Simulation for CrowdSimulation<'_> {
    fn prepare(&mut self) {
        self.crew.plan_due(&self.fleet.spaces, &mut self.distances, u64::MAX);
    }

    fn turn(&mut self) {
        self.mark_resting();
        self.crew.tick(&self.fleet.spaces, &mut self.distances, u64::MAX);
        let promoted = |event: &&CrewEvent| matches!(event, CrewEvent::Promoted { .. });
        self.promotions += self.crew.events().iter().filter(promoted).count();
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
        self.crew.search().expanded() + self.distances.expanded
    }

    fn generated(&self) -> u64 {
        self.crew.search().generated() + self.distances.generated
    }

    fn shortest(&mut self, unit: u32) -> Option<u64> {
        let rider = self.fleet.riders[unit as usize];
        self.distances.distance(&self.fleet.spaces[rider.space], unit, rider.start)
    }

    fn limit(&mut self, _: u64) {}

    fn peak_open(&self) -> u64 {
        self.crew.search().peak_open()
    }
}
