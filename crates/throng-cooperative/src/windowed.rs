//! **WHCA*(w)** for a fleet: a crew that is told once where to go.
//!
//! D. Silver, "Cooperative pathfinding" (2005), "Windowed Hierarchical Cooperative A*".

use throng_model::{Budget, Observer, Progress};
use throng_search::{Position, Space};

use crate::distances::Distances;
use crate::effort::Allowance;
use crate::order::order;
use crate::{
    Crew, Fleet, FleetOutcome, FleetReport, Guide, Heuristic, Rider, Simulation, Stance, Windowed,
};

/// A fleet under WHCA*, turn by turn.
#[derive(Clone, Debug)]
pub struct WindowedSimulation<'a, S> {
    spaces: &'a [S],
    /// The units in the order in which they first plan: the crew knows them by their rank.
    riders: Vec<Rider>,
    rank_of: Vec<u32>,
    crew: Crew,
    distances: Distances,
    positions: Vec<Position>,
    /// Most expansions of the next turn.
    expansions: u64,
}

impl<S: Space> Guide<S> for Distances {
    #[inline]
    fn distance(&mut self, space: &S, unit: u32, at: Position) -> Option<u64> {
        self.get_in(space, unit, at)
    }

    fn expanded(&self) -> u64 {
        Self::expanded(self)
    }
}

impl Windowed {
    /// The fleet under this planner, before anyone has planned.
    #[must_use]
    pub fn simulate<'a, S: Space>(
        &self,
        fleet: &'a Fleet<S>,
        seed: u64,
    ) -> WindowedSimulation<'a, S> {
        let spaces = &fleet.spaces[..];
        let mut distances = Distances::new(spaces, &fleet.riders, Heuristic::TrueDistance);
        let units = order(spaces, self.order, seed, &mut distances);
        let riders: Vec<_> = units.iter().map(|&unit| fleet.riders[unit as usize]).collect();
        let mut rank_of = vec![0; units.len()];
        (0..).zip(&units).for_each(|(rank, &unit)| rank_of[unit as usize] = rank);
        let entries = spaces.iter().map(Space::entries).max().unwrap_or(0);
        let mut crew = Crew::new(entries, self.crew);
        for (rank, rider) in (0..).zip(&riders) {
            // Starts do not overlap in a valid problem.
            let _ = crew.add(spaces, rank, rider.space, rider.start);
            crew.set_depth(rank, self.window);
            crew.set_stance(rank, Stance::Going);
            crew.set_post(spaces, rank, Some(rider.goal));
        }
        WindowedSimulation {
            spaces,
            distances: Distances::new(spaces, &riders, Heuristic::TrueDistance),
            positions: fleet.riders.iter().map(|rider| rider.start).collect(),
            riders,
            rank_of,
            crew,
            expansions: u64::MAX,
        }
    }
}

impl<S: Space> WindowedSimulation<'_, S> {
    /// The crew at work.
    #[must_use]
    pub fn crew(&self) -> &Crew {
        &self.crew
    }

    /// Whoever is on its destination rests, and gives way to those that are not.
    fn tell_who_rests(&mut self) {
        for (rank, rider) in (0..).zip(&self.riders) {
            let at = self.crew.whereabouts(rank).map(crate::Whereabouts::position);
            self.crew.set_resting(rank, at == Some(rider.goal));
        }
    }

    fn note_positions(&mut self) {
        for (at, &rank) in self.positions.iter_mut().zip(&self.rank_of) {
            *at = self.crew.whereabouts(rank).map_or(*at, crate::Whereabouts::position);
        }
    }

    /// Whether everybody stands on its goal.
    #[must_use]
    pub fn is_over(&self) -> bool {
        (0..).zip(&self.riders).all(|(rank, rider)| {
            self.crew.whereabouts(rank) == Some(crate::Whereabouts::Standing(rider.goal))
        })
    }
}

impl<S: Space> Simulation for WindowedSimulation<'_, S> {
    fn prepare(&mut self) {
        self.crew.plan_due(self.spaces, &mut self.distances, self.expansions);
    }

    fn turn(&mut self) {
        self.tell_who_rests();
        self.crew.tick(self.spaces, &mut self.distances, self.expansions);
        self.note_positions();
    }

    fn positions(&self) -> &[Position] {
        &self.positions
    }

    fn expanded(&self) -> u64 {
        self.crew.search().expanded() + self.distances.expanded()
    }

    fn generated(&self) -> u64 {
        self.crew.search().generated() + self.distances.generated()
    }
}

pub(crate) fn plan_windowed<S: Space>(
    fleet: &Fleet<S>,
    options: &Windowed,
    seed: u64,
    budget: Budget<'_>,
    observer: &mut dyn Observer,
) -> FleetReport {
    let mut simulation = options.simulate(fleet, seed);
    let mut allowance = Allowance::new(budget);
    let mut paths: Vec<_> = fleet.riders.iter().map(|rider| vec![rider.start]).collect();
    let unreachable = (0..fleet.riders.len() as u32)
        .find(|&rank| !simulation.distances.is_reachable(simulation.spaces, rank));
    let mut turns = 0;
    while unreachable.is_none() && turns < options.turns && !simulation.is_over() {
        let before = simulation.expanded();
        simulation.expansions = allowance.left();
        simulation.turn();
        for (path, &at) in paths.iter_mut().zip(simulation.positions()) {
            path.push(at);
        }
        turns += 1;
        allowance.spend(simulation.expanded() - before);
        let (expanded, units_done) = (simulation.expanded(), simulation.arrived());
        observer.progress(Progress { expanded, units_done, lower_bound: None });
        if allowance.is_spent() {
            break;
        }
    }
    let outcome = match unreachable {
        Some(rank) => FleetOutcome::Unreachable(simulation.unit_of(rank)),
        None if simulation.is_over() => FleetOutcome::Solved(paths),
        None if allowance.is_spent() => FleetOutcome::BudgetSpent,
        None => FleetOutcome::Partial(paths),
    };
    FleetReport {
        outcome,
        expanded: simulation.expanded(),
        generated: simulation.generated(),
        peak_open: simulation.crew.search().peak_open(),
        shortest: simulation.shortest(),
        interrupted: allowance.interrupted(),
    }
}

impl<S: Space> WindowedSimulation<'_, S> {
    fn arrived(&self) -> usize {
        let ends = (0..).zip(&self.riders);
        let is_there =
            |rank, goal| self.crew.whereabouts(rank) == Some(crate::Whereabouts::Standing(goal));
        ends.filter(|&(rank, rider)| is_there(rank, rider.goal)).count()
    }

    fn unit_of(&self, rank: u32) -> u32 {
        self.rank_of.iter().position(|&other| other == rank).unwrap_or(0) as u32
    }

    fn shortest(&mut self) -> Vec<Option<u64>> {
        let (spaces, distances, riders) = (self.spaces, &mut self.distances, &self.riders);
        let of = |&rank: &u32| distances.get(spaces, rank, riders[rank as usize].start);
        self.rank_of.iter().map(of).collect()
    }
}
