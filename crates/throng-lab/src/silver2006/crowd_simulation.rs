//! A crowd with one order per unit, and a search depth and a priority level for each.

use throng::cooperative::{
    Destination, Instance, Location, PlanEvent, PlanningOptions, Role, Simulation, TrueDistances,
    UnitRecord, UnitStore,
};
use throng::model::Problem;
use throng::model::{Budget, Effort, UnitId};
use throng::spacetime::{GridSpace, Position, Rra, Space};

use crate::LabError;
use crate::crowd::CrowdRun;
use crate::harness::CaseId;

/// Units that plan in windows and never get another order.
pub(super) struct CrowdSimulation<'a> {
    instance: &'a Instance<GridSpace>,
    pub(super) store: UnitStore<Role>,
    distances: Distances,
    positions: Vec<Position>,
    /// Units promoted so far.
    pub(super) promotions: usize,
    /// The steps after which a unit plans again, if not halfway through its plan.
    replans_after: Option<u32>,
}

/// The true distances of each unit, by a backward search of its own.
#[derive(Default)]
struct Distances {
    searches: Vec<Rra>,
    expanded: u64,
    generated: u64,
}

impl Distances {
    fn get(&mut self, space: &GridSpace, unit: UnitId, at: Position) -> Option<u64> {
        let search = &mut self.searches[unit.index()];
        let before = (search.expanded(), search.generated());
        let found = search.distance(space, at);
        self.expanded += search.expanded() - before.0;
        self.generated += search.generated() - before.1;
        found
    }
}

impl TrueDistances<GridSpace, Role> for Distances {
    fn distance(
        &mut self,
        space: &GridSpace,
        unit: UnitId,
        _: &Role,
        at: Position,
        _: &mut Effort<'_>,
    ) -> Option<u64> {
        self.get(space, unit, at)
    }

    fn expanded(&self) -> u64 {
        self.expanded
    }
}

/// All units of a store by index.
fn ids(count: usize) -> impl Iterator<Item = UnitId> {
    (0..count as u32).map(UnitId::new)
}

impl<'a> CrowdSimulation<'a> {
    /// Every unit stands at its start, on the way to its goal, and plans 16 ticks ahead.
    pub(super) fn new(instance: &'a Instance<GridSpace>, options: PlanningOptions) -> Self {
        let spaces = &instance.spaces;
        let entries = spaces.iter().map(Space::entries).max().unwrap_or(0);
        let mut store = UnitStore::new(entries, options);
        let mut distances = Distances::default();
        for spec in &instance.units {
            let unit = store.insert(spec.space, 16, 0, Role::Going);
            // Starts do not overlap in a valid problem.
            let _ = store.place(spaces, unit, spec.start);
            let goal = Destination { at: spec.goal, is_exclusive: true };
            store.set_destination(spaces, unit, Some(goal));
            let mut search = Rra::default();
            search.begin(&spaces[spec.space], [(spec.goal, 0)], spec.start);
            distances.searches.push(search);
        }
        let positions = instance.units.iter().map(|spec| spec.start).collect();
        Self { instance, store, distances, positions, promotions: 0, replans_after: None }
    }

    /// Sets the search depth of each unit.
    pub(super) fn with_depth(mut self, depth: impl Fn(usize) -> u32) -> Self {
        for unit in ids(self.positions.len()) {
            self.store.set_depth(unit, depth(unit.index()));
        }
        self
    }

    /// Units plan again after this many steps, at different ticks. Only for units that override no
    /// other.
    pub(super) fn replanning_after(self, steps: u32) -> Self {
        Self { replans_after: Some(steps.max(1)), ..self }
    }

    /// Plans for the units that have taken so many steps, and for those without a plan.
    fn plan_after(&mut self, steps: u32, effort: &mut Effort<'_>) {
        let (now, count) = (self.store.now(), self.positions.len());
        for turn in 0..count {
            // Every unit is the first to plan for one tick.
            let unit = UnitId::new(((turn + count - now.0 as usize % count) % count) as u32);
            let is_due = (now.0 + unit.index() as u32).is_multiple_of(steps);
            let end = self.store.get(unit).and_then(UnitRecord::plan_end);
            if is_due || end.is_none_or(|(_, tick)| tick <= now) {
                self.store.plan_unit(&self.instance.spaces, &mut self.distances, unit, effort);
            }
        }
    }

    /// Runs for a number of turns; the referee checks the run.
    pub(super) fn run(
        &mut self,
        id: &CaseId,
        problem: &Problem,
        turns: u32,
    ) -> Result<CrowdRun, LabError> {
        let instance = self.instance;
        CrowdRun::of(id, problem, instance, self, turns)
    }

    /// Sets the priority level of each unit.
    pub(super) fn with_level(mut self, level: impl Fn(usize) -> u8) -> Self {
        for unit in ids(self.positions.len()) {
            self.store.set_level(unit, level(unit.index()));
        }
        self
    }

    /// A unit on its destination rests, and yields to those that are not.
    fn update_roles(&mut self) {
        let units = ids(self.positions.len());
        for (unit, (&at, spec)) in units.zip(self.positions.iter().zip(&self.instance.units)) {
            let role = if at == spec.goal { Role::Resting } else { Role::Going };
            self.store.activity_mut(unit).into_iter().for_each(|activity| *activity = role);
        }
    }
}

impl Simulation for CrowdSimulation<'_> {
    fn prepare(&mut self, effort: &mut Effort<'_>) {
        self.store.plan_due(
            &self.instance.spaces,
            &mut self.distances,
            Budget::unlimited(),
            effort,
        );
    }

    fn turn(&mut self, effort: &mut Effort<'_>) {
        self.update_roles();
        let (spaces, budget) = (&self.instance.spaces, Budget::unlimited());
        match self.replans_after {
            None => self.store.tick(spaces, &mut self.distances, budget, effort),
            Some(steps) => {
                self.plan_after(steps, effort);
                self.store.advance(spaces, &mut self.distances, effort);
            }
        }
        let promoted = |event: &&PlanEvent| matches!(event, PlanEvent::Promoted { .. });
        self.promotions += self.store.events().iter().filter(promoted).count();
        for (unit, at) in ids(self.positions.len()).zip(&mut self.positions) {
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
        self.store.search().expanded() + self.distances.expanded
    }

    fn generated(&self) -> u64 {
        self.store.search().generated() + self.distances.generated
    }

    fn shortest(&mut self, unit: UnitId, _: &mut Effort<'_>) -> Option<u64> {
        let spec = self.instance.units[unit.index()];
        self.distances.get(&self.instance.spaces[spec.space], unit, spec.start)
    }

    fn peak_open(&self) -> u64 {
        self.store.search().peak_open()
    }
}
