//! **WHCA*(w)** for a fleet: a crew that is told once where to go.
//!
//! D. Silver, "Cooperative pathfinding" (2005), "Windowed Hierarchical Cooperative A*".

use throng_spacetime::{Position, Space};

use crate::distances::{Distances, Keep};
use crate::order::order;
use crate::{Crew, Fleet, Guide, Heuristic, Rider, Simulation, Stance, Windowed};

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
        let mut rough = Distances::new(spaces, &fleet.riders, Heuristic::Estimate, Keep::Always);
        let units = order(spaces, self.order, seed, &mut rough);
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
            distances: Distances::new(spaces, &riders, Heuristic::TrueDistance, Keep::Always),
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

    fn is_under_way(&self) -> bool {
        self.crew.is_under_way()
    }

    fn expanded(&self) -> u64 {
        self.crew.search().expanded() + self.distances.expanded()
    }

    fn generated(&self) -> u64 {
        self.crew.search().generated() + self.distances.generated()
    }

    fn shortest(&mut self, unit: u32) -> Option<u64> {
        let rank = self.rank_of[unit as usize];
        self.distances.get(self.spaces, rank, self.riders[rank as usize].start)
    }

    fn limit(&mut self, expansions: u64) {
        self.expansions = expansions;
    }

    fn peak_open(&self) -> u64 {
        self.crew.search().peak_open()
    }
}
