//! A store of units under random orders: the table holds exactly what is planned, and units never
//! collide.

use std::collections::BTreeMap;

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use throng_cooperative::{
    Destination, Location, PlanEvent, PlanningOptions, Priority, Reservations, Role, TrueDistances,
    UnitStore,
};
use throng_model::{Budget, Conflicts, Effort, Map, MovementProfile, Tick, UnitId};
use throng_referee::{Heading, LiveReferee, Sighting};
use throng_spacetime::{Entry, FootprintRules, GridSpace, PassingRule, Position, Rra, Space};

use crate::cases;

/// Each unit has its own destination and its own RRA*.
#[derive(Default)]
struct Goals {
    searches: BTreeMap<UnitId, (Position, Rra)>,
    /// The shortest way of those who know it beforehand.
    route: Option<(UnitId, Vec<Position>)>,
    expanded: u64,
}

impl TrueDistances<GridSpace, Role> for Goals {
    fn begin(&mut self, space: &GridSpace, unit: UnitId, _: &mut Role, at: Position, _: u32) {
        self.route = None;
        let Some(mut remaining) = self.get(space, unit, at) else { return };
        let mut route = vec![at];
        while remaining > 0 {
            let mut steps = Vec::new();
            space.for_each_move(route[route.len() - 1], |step| steps.push(step));
            let nearer = steps.into_iter().find(|step| {
                let onward = self.get(space, unit, step.to);
                onward.is_some_and(|onward| onward + step.cost == remaining)
            });
            let step = nearer.unwrap();
            route.push(step.to);
            remaining -= step.cost;
        }
        self.route = unit.index().is_multiple_of(2).then_some((unit, route));
    }

    fn route<'a>(&'a self, unit: UnitId, _: &'a Role, at: Position) -> Option<&'a [Position]> {
        let (owner, route) = self.route.as_ref()?;
        (*owner == unit && route[0] == at).then_some(&route[..])
    }

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

impl Goals {
    fn get(&mut self, space: &GridSpace, unit: UnitId, at: Position) -> Option<u64> {
        let (_, search) = self.searches.get_mut(&unit)?;
        let before = search.expanded();
        let distance = search.distance(space, at);
        self.expanded += search.expanded() - before;
        distance
    }
}

type Holders = BTreeMap<(Entry, Tick), UnitId>;

struct Scene {
    rng: Pcg64Mcg,
    map: Map,
    movements: Vec<MovementProfile>,
    spaces: Vec<GridSpace>,
    store: UnitStore<Role>,
    goals: Goals,
    /// Which movement each unit has.
    kind: BTreeMap<UnitId, usize>,
    referee: LiveReferee,
    placed: Vec<UnitId>,
    units_max: u32,
}

impl Scene {
    fn new(seed: u64, passing: PassingRule) -> Self {
        let mut rng = throng_testkit::rng(seed);
        let map = cases::map(&mut rng, 18);
        let kinds = rng.random_range(1..=3);
        let movements: Vec<_> = (0..kinds).map(|_| cases::movement(&mut rng)).collect();
        let rules = FootprintRules {
            passing,
            corners_kept: rng.random_range(0..5) == 0,
            ..FootprintRules::default()
        };
        let spaces = cases::spaces(&map, &movements, &rules);
        let options = PlanningOptions {
            promotion: rng.random(),
            interleaved: rng.random(),
            resting_yield: rng.random(),
            patience_windows: rng.random_range(0..4),
            promotion_windows: rng.random_range(1..4),
            complete: rng.random_range(0..5) == 0,
            goal_penalty_max: rng.random_range(0..6),
        };
        Self {
            store: UnitStore::new(spaces[0].entries(), options),
            units_max: cases::pick(&mut rng, &[2, 10, 40]),
            goals: Goals::default(),
            kind: BTreeMap::new(),
            referee: LiveReferee::new(Conflicts::default()),
            placed: Vec::new(),
            rng,
            map,
            movements,
            spaces,
        }
    }

    fn add(&mut self) {
        let kind = self.rng.random_range(0..self.spaces.len() as u32) as usize;
        let Some(at) = cases::place(&mut self.rng, &self.map, &self.spaces[kind]) else { return };
        let holder = self.store.holder_at(&self.spaces[kind], at);
        let unit = self.store.insert(kind, 16, 0, Role::Resting);
        let added = self.store.place(&self.spaces, unit, at);
        assert_eq!(added.err().map(|occupied| occupied.0), holder);
        if holder.is_some() {
            self.store.remove(&self.spaces, unit);
        } else {
            self.kind.insert(unit, kind);
            self.placed.push(unit);
            self.send(unit);
        }
    }

    /// Gives a unit a destination, which it may not be able to reach.
    fn send(&mut self, unit: UnitId) {
        let space = &self.spaces[self.kind[&unit]];
        let Some(goal) = cases::place(&mut self.rng, &self.map, space) else { return };
        let at = self.store.location(unit).unwrap().position();
        let mut search = Rra::default();
        search.begin(space, [(goal, 0)], at);
        self.goals.searches.insert(unit, (goal, search));
        self.store.set_activity(unit, Role::Going);
        let is_exclusive = self.rng.random_range(0..4) != 0;
        let destination = Destination { at: goal, is_exclusive };
        self.store.set_destination(&self.spaces, unit, Some(destination));
    }

    /// Adds and removes walls, also on the cells of units.
    fn edit(&mut self) {
        let rng = &mut self.rng;
        let terrain = cases::pick(rng, &[Map::WALL, Map::GROUND]);
        let count = rng.random_range(1..4);
        let cells: Vec<_> = (0..count).map(|_| cases::cell(rng, &self.map)).collect();
        let change = self.map.paint(&cells, terrain).unwrap();
        self.spaces.iter_mut().for_each(|space| space.apply(&self.map, &change));
        for (&unit, &kind) in &self.kind {
            let at = self.store.location(unit).unwrap().position();
            if let Some((goal, search)) = self.goals.searches.get_mut(&unit) {
                search.begin(&self.spaces[kind], [(*goal, 0)], at);
            }
            self.store.check_plan(&self.spaces, unit);
        }
    }

    fn disturb(&mut self) {
        if (self.kind.len() as u32) < self.units_max && self.rng.random_range(0..2) == 0 {
            self.add();
        }
        if self.kind.is_empty() {
            return;
        }
        let nth = self.rng.random_range(0..self.kind.len() as u32) as usize;
        let unit = *self.kind.keys().nth(nth).unwrap();
        let rng = &mut self.rng;
        let stances = [Role::Going, Role::Resting, Role::Holding];
        match rng.random_range(0..24) {
            0 => self.store.set_activity(unit, cases::pick(rng, &stances)),
            1 => self.store.set_level(unit, cases::pick(rng, &[0, 1, 7, 255])),
            2 => self.store.set_depth(unit, cases::pick(rng, &[0, 1, 2, 3, 8, 16, 70])),
            3 => {
                let role = if rng.random() { Role::Resting } else { Role::Going };
                *self.store.activity_mut(unit).unwrap() = role;
            }
            4 | 5 => self.send(unit),
            6 => {
                assert!(self.store.remove(&self.spaces, unit).is_some());
                assert!(self.store.get(unit).is_none(), "a stale id");
                self.kind.remove(&unit);
                self.goals.searches.remove(&unit);
            }
            7 => {
                self.store.plan_unit(&self.spaces, &mut self.goals, unit, &mut Effort::unlimited());
            }
            // A unit that the referee has not seen yet may not appear in a wall.
            8 if self.placed.is_empty() => self.edit(),
            _ => {}
        }
    }

    fn tick(&mut self) {
        let expansions = cases::pick(&mut self.rng, &[0, 1, 30, 300, u64::MAX, u64::MAX]);
        let effort = &mut Effort::unlimited();
        self.store.tick(&self.spaces, &mut self.goals, Budget::expansions(expansions), effort);
        for event in self.store.events() {
            let (PlanEvent::Promoted { unit }
            | PlanEvent::Overridden { unit, .. }
            | PlanEvent::NoPath { unit }
            | PlanEvent::NoProgress { unit }
            | PlanEvent::Blocked { unit }) = event;
            assert!(self.kind.contains_key(unit), "{event:?} of no unit");
        }
    }

    /// The table is what the units' paths need from now on, and nothing else.
    fn check_table(&self, what: &str) {
        let mut expected = Holders::new();
        for (&unit, &kind) in &self.kind {
            let path = self.store.path(unit).unwrap();
            let now = self.store.now();
            Reservations::for_each_claim(&self.spaces[kind], path, now, |entry, tick| {
                let other = *expected.entry((entry, tick)).or_insert(unit);
                assert_eq!(other, unit, "{what}: two claim {entry:?} at {tick}");
            });
        }
        let table = self.store.table();
        let claims = table.sorted_claims();
        assert_eq!(claims.len(), table.len());
        let found = claims.into_iter().map(|(entry, tick, claim)| ((entry, tick), claim.unit));
        let found: Holders = found.collect();
        let only_in = |mut a: Holders, b: &Holders| {
            a.retain(|at, unit| b.get(at) != Some(unit));
            a
        };
        let (lost, left) = (only_in(expected.clone(), &found), only_in(found, &expected));
        assert!(lost.is_empty() && left.is_empty(), "{what}: lost {lost:?}, left over {left:?}");
    }

    /// Nothing passes over bodies and what they have begun.
    fn check_fixed(&self, what: &str) {
        let (table, now) = (self.store.table(), self.store.now());
        for (&unit, &kind) in &self.kind {
            let fixed = |at: Position, tick: Tick| {
                for entry in cases::body(&self.spaces[kind], at) {
                    let holder = table.holder(Entry(entry as u32), tick).unwrap();
                    assert_eq!((holder.unit, holder.priority), (unit, Priority::FIXED), "{what}");
                }
            };
            match self.store.location(unit).unwrap() {
                Location::Standing(at) => fixed(at, now),
                Location::Moving { from, to, arrival } => {
                    assert!(arrival > now, "{what}");
                    fixed(from, now);
                    (now.0..=arrival.0).for_each(|tick| fixed(to, Tick(tick)));
                }
            }
        }
    }

    fn check_referee(&mut self, what: &str) {
        let now = self.store.now();
        let sighting = |(&unit, &kind): (&UnitId, &usize)| {
            let location = self.store.location(unit).unwrap();
            let cell = |at| self.spaces[kind].cell(at);
            let heading = match location {
                Location::Standing(_) => None,
                Location::Moving { to, arrival, .. } => {
                    Some(Heading { to: cell(to), ticks_left: (arrival.0 - now.0) as u8 })
                }
            };
            let (at, movement) = (cell(location.position()), &self.movements[kind]);
            Sighting { unit, movement, at, heading, team: 0, layer: 0 }
        };
        let sightings: Vec<_> = self.kind.iter().map(sighting).collect();
        let violations = self.referee.tick(&self.map, &sightings, &self.placed);
        let said: Vec<_> = violations.iter().map(ToString::to_string).collect();
        assert!(said.is_empty(), "{what}: {said:?}");
        self.placed.clear();
    }
}

/// Plays a scene; how many units were judged in how many ticks.
fn play(seed: u64, passing: PassingRule, ticks: u32) -> u64 {
    let mut scene = Scene::new(seed, passing);
    for _ in 0..scene.units_max {
        scene.add();
    }
    scene.check_referee(&format!("scene {seed}, start"));
    for tick in 0..ticks {
        let what = format!("scene {seed}, {passing:?}, tick {tick}");
        scene.disturb();
        scene.tick();
        scene.check_table(&what);
        scene.check_fixed(&what);
        scene.check_referee(&what);
    }
    scene.referee.unit_ticks()
}

#[test]
fn units_never_collide_when_moves_are_tested() {
    let unit_ticks: u64 = (0..100).map(|seed| play(seed, PassingRule::ExplicitTest, 100)).sum();
    assert!(unit_ticks > 80_000, "only {unit_ticks}");
}

#[test]
fn units_never_collide_when_moves_claim_twice() {
    let unit_ticks: u64 = (0..60).map(|seed| play(seed, PassingRule::DoubleClaims, 100)).sum();
    assert!(unit_ticks > 40_000, "only {unit_ticks}");
}

#[test]
fn a_unit_that_is_placed_again_leaves_nothing_behind() {
    let map = Map::empty(9, 1).unwrap();
    let spaces =
        cases::spaces(&map, &[MovementProfile::four_connected()], &FootprintRules::default());
    let mut store = UnitStore::new(spaces[0].entries(), PlanningOptions::default());
    let insert = |store: &mut UnitStore<Role>| store.insert(0, 16, 0, Role::Resting);
    let unit = insert(&mut store);
    store.place(&spaces, unit, Position(2)).unwrap();
    store.tick(&spaces, &mut Goals::default(), Budget::unlimited(), &mut Effort::unlimited());
    store.place(&spaces, unit, Position(7)).unwrap();
    let places: Vec<_> = store.table().sorted_claims().iter().map(|claim| claim.0).collect();
    assert_eq!(places, [Entry(7)]);
    let (second, third) = (insert(&mut store), insert(&mut store));
    assert!(store.place(&spaces, second, Position(2)).is_ok());
    assert_eq!(store.place(&spaces, third, Position(7)).unwrap_err().0, unit);
}

#[test]
fn slots_are_reused_and_ids_are_not() {
    let mut store: UnitStore<Role> = UnitStore::new(9, PlanningOptions::default());
    let spaces: [GridSpace; 0] = [];
    let first = store.insert(0, 16, 0, Role::Resting);
    let other = store.insert(0, 16, 0, Role::Resting);
    assert!(store.remove(&spaces, first).is_some());
    assert!(store.remove(&spaces, first).is_none(), "removed twice");
    let second = store.insert(0, 16, 0, Role::Resting);
    assert_eq!((first.index(), second.generation()), (second.index(), 1));
    assert!(store.get(first).is_none() && store.get(other).is_some());
    assert_eq!(store.units().collect::<Vec<_>>(), [second, other]);
}
