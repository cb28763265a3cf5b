//! **WHCA*(w)** for an instance: a store of units, each with one destination.
//!
//! D. Silver, "Cooperative pathfinding" (2005), "Windowed Hierarchical Cooperative A*".

use throng_model::{Budget, Effort, UnitId};
use throng_spacetime::{Position, Space};

use crate::distances::{Distances, Keep};
use crate::held::Held;
use crate::planning_order::order;
use crate::{
    Destination, Heuristic, Instance, InstanceUnit, Location, PlanningOptions, Role, Simulation,
    TrueDistances, UnitStore, Windowed,
};

/// An instance under WHCA*, turn by turn.
#[derive(Clone, Debug)]
pub struct WindowedSimulation<'a, S> {
    spaces: Held<'a, [S]>,
    /// The units in the order in which they first plan. Their ids in the store are their ranks in
    /// this order.
    units: Vec<InstanceUnit>,
    rank_of: Vec<UnitId>,
    store: UnitStore<Role>,
    distances: Distances,
    positions: Vec<Position>,
}

impl<S: Space> TrueDistances<S, Role> for Distances {
    #[inline]
    fn distance(
        &mut self,
        space: &S,
        unit: UnitId,
        _: &Role,
        at: Position,
        effort: &mut Effort<'_>,
    ) -> Option<u64> {
        self.get(space, unit, at, effort)
    }

    fn expanded(&self) -> u64 {
        Self::expanded(self)
    }
}

/// A store with every unit at its start, on the way to its goal.
pub(crate) fn store_of<S: Space>(
    spaces: &[S],
    units: &[InstanceUnit],
    options: PlanningOptions,
    depth: u32,
) -> UnitStore<Role> {
    let entries = spaces.iter().map(Space::entries).max().unwrap_or(0);
    let mut store = UnitStore::new(entries, options);
    for spec in units {
        let unit = store.insert(spec.space, depth.max(2), 0, Role::Going);
        // Starts do not overlap in a valid problem.
        let _ = store.place(spaces, unit, spec.start);
        let goal = Destination { at: spec.goal, is_exclusive: true };
        store.set_destination(spaces, unit, Some(goal));
    }
    store
}

impl Windowed {
    /// The instance under this planner, before any unit has planned.
    #[must_use]
    pub fn simulate<'a, S: Space>(
        &self,
        instance: &'a Instance<S>,
        seed: u64,
    ) -> WindowedSimulation<'a, S> {
        self.simulation(Held::Borrowed(&instance.spaces), &instance.units, seed)
    }

    /// The same with spaces of its own, for a simulation that is kept.
    #[must_use]
    pub fn simulate_owned<S: Space>(
        &self,
        instance: Instance<S>,
        seed: u64,
    ) -> WindowedSimulation<'static, S> {
        let spaces = Held::Owned(instance.spaces.into_boxed_slice());
        self.simulation(spaces, &instance.units, seed)
    }

    fn simulation<'a, S: Space>(
        &self,
        spaces: Held<'a, [S]>,
        given: &[InstanceUnit],
        seed: u64,
    ) -> WindowedSimulation<'a, S> {
        let mut rough = Distances::new(&spaces, given, Heuristic::Estimate, Keep::Always);
        let order = order(&spaces, self.order, seed, &mut rough, &mut Effort::unlimited());
        let units: Vec<_> = order.iter().map(|unit| given[unit.index()]).collect();
        let mut rank_of = vec![UnitId::new(0); order.len()];
        (0..).zip(&order).for_each(|(rank, unit)| rank_of[unit.index()] = UnitId::new(rank));
        WindowedSimulation {
            store: store_of(&spaces, &units, self.planning, self.window),
            distances: Distances::new(&spaces, &units, Heuristic::TrueDistance, Keep::Always),
            positions: given.iter().map(|spec| spec.start).collect(),
            spaces,
            units,
            rank_of,
        }
    }
}

impl<S: Space> WindowedSimulation<'_, S> {
    /// The store of the units. Their ids are their ranks in the order of first planning.
    #[must_use]
    pub fn store(&self) -> &UnitStore<Role> {
        &self.store
    }

    /// The spaces that units move in.
    #[must_use]
    pub fn spaces(&self) -> &[S] {
        &self.spaces
    }

    /// The id in the store of a unit of the instance.
    #[must_use]
    pub fn id_in_store(&self, unit: usize) -> UnitId {
        self.rank_of[unit]
    }

    /// Sends a unit to another goal. It plans in the next turn.
    pub fn send(&mut self, unit: usize, goal: Position) {
        let rank = self.rank_of[unit];
        let at = self.store.free_at(rank).unwrap_or(self.positions[unit]);
        let spec = &mut self.units[rank.index()];
        (spec.start, spec.goal) = (at, goal);
        self.distances.send(rank, at, goal);
        let destination = Destination { at: goal, is_exclusive: true };
        self.store.set_destination(&self.spaces, rank, Some(destination));
        self.store.set_activity(rank, Role::Going);
    }

    /// The step that a unit is in: where it ends, the turns left and the turns in all.
    #[must_use]
    pub fn step_in_progress(&self, unit: usize) -> Option<(Position, u32, u32)> {
        let rank = self.rank_of[unit];
        let Some(Location::Moving { to, arrival, .. }) = self.store.location(rank) else {
            return None;
        };
        let begun = self.store.last_move(rank)?.tick;
        Some((to, arrival.0 - self.store.now().0, arrival.0 - begun.0))
    }

    /// The positions that a unit plans to be at, from now on, one per tick.
    #[must_use]
    pub fn plan(&self, unit: usize) -> Vec<Position> {
        let path = self.store.path(self.rank_of[unit]);
        let Some((path, first)) = path.and_then(|path| Some((path, path.legs.first()?.tick)))
        else {
            return Vec::new();
        };
        let over = self.store.now().0.saturating_sub(first.0) as usize;
        path.positions().into_iter().skip(over).collect()
    }

    /// Units on their destination rest and yield to the others.
    fn update_roles(&mut self) {
        for (rank, spec) in (0..).map(UnitId::new).zip(&self.units) {
            let at = self.store.location(rank).map(Location::position);
            let role = if at == Some(spec.goal) { Role::Resting } else { Role::Going };
            self.store.activity_mut(rank).into_iter().for_each(|activity| *activity = role);
        }
    }

    fn note_positions(&mut self) {
        for (at, &rank) in self.positions.iter_mut().zip(&self.rank_of) {
            *at = self.store.location(rank).map_or(*at, Location::position);
        }
    }
}

impl<S: Space> Simulation for WindowedSimulation<'_, S> {
    fn prepare(&mut self, effort: &mut Effort<'_>) {
        self.store.plan_due(&self.spaces, &mut self.distances, Budget::unlimited(), effort);
    }

    fn turn(&mut self, effort: &mut Effort<'_>) {
        self.update_roles();
        self.store.tick(&self.spaces, &mut self.distances, Budget::unlimited(), effort);
        self.note_positions();
    }

    fn positions(&self) -> &[Position] {
        &self.positions
    }

    fn is_any_moving(&self) -> bool {
        self.store.is_any_moving()
    }

    fn expanded(&self) -> u64 {
        self.store.search().expanded() + self.distances.expanded()
    }

    fn generated(&self) -> u64 {
        self.store.search().generated() + self.distances.generated()
    }

    fn shortest(&mut self, unit: UnitId, effort: &mut Effort<'_>) -> Option<u64> {
        self.distances.start_distance(&self.spaces, self.rank_of[unit.index()], effort)
    }

    fn peak_open(&self) -> u64 {
        self.store.search().peak_open()
    }
}
