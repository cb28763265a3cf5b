//! The kernel over spaces that are no grids of squares, and over spaces that it refuses.

use throng_anytime::{CrowdError, CrowdKernel, CrowdUnit, Preferences};
use throng_model::{Map, MovementProfile, Tick, UnitId};
use throng_spaces::{HexSpace, Road, RoadNetwork};
use throng_spacetime::{Action, Entry, FootprintRules, GridSpace, Leg, Move, Position, Space};

/// Distances by unit and position.
struct Tables(Vec<Vec<Option<u64>>>);

impl Preferences for Tables {
    fn distance(&mut self, unit: usize, at: Position) -> Option<u64> {
        self.0[unit][at.get()]
    }
}

/// The distances to a goal, by Bellman and Ford.
fn table(space: &impl Space, goal: Position) -> Vec<Option<u64>> {
    let mut distances = vec![None; space.positions()];
    distances[goal.get()] = Some(0);
    for _ in 0..space.positions() {
        for at in (0..space.positions() as u32).map(Position) {
            space.for_each_move(at, |step| {
                let through = distances[step.to.get()].map(|rest: u64| rest + step.cost);
                let best = [distances[at.get()], through].into_iter().flatten().min();
                distances[at.get()] = best;
            });
        }
    }
    distances
}

/// Units that go round a list of places for ever, with a naive check of all entries in every
/// tick. Returns how often a unit has reached its goal.
fn arrivals<S: Space>(space: S, starts: &[u32], ticks: u32) -> usize {
    let spaces = [space];
    let space = &spaces[0];
    let mut kernel = CrowdKernel::new(&spaces, 3).unwrap();
    let all: Vec<_> = starts.iter().map(|&goal| table(space, Position(goal))).collect();
    let mut goals: Vec<usize> = (0..starts.len()).map(|unit| (unit + 1) % starts.len()).collect();
    let unit = |(number, &at): (usize, &u32)| CrowdUnit {
        unit: UnitId::new(number as u32),
        space: 0,
        at: Position(at),
        priority: 0,
        holds: false,
        begun: None,
    };
    let mut units: Vec<_> = starts.iter().enumerate().map(unit).collect();
    let mut arrivals = 0;
    for now in 0..ticks {
        let mut tables = Tables(goals.iter().map(|&goal| all[goal].clone()).collect());
        let actions = kernel.decide(&spaces, &units, Tick(now), &mut tables);
        for (unit, &action) in units.iter_mut().zip(actions) {
            if action != Action::PAUSE {
                unit.begun = Some(Leg { from: unit.at, tick: Tick(now), action });
            }
        }
        check(space, &units, now);
        for (number, unit) in units.iter_mut().enumerate() {
            let ended = |leg: Leg| {
                let step = space.move_by(leg.from, leg.action).unwrap();
                (leg.tick.0 + step.ticks == now + 1).then_some(step.to)
            };
            if let Some(to) = unit.begun.and_then(ended) {
                (unit.at, unit.begun, unit.priority) = (to, None, unit.priority + 1);
            }
            unit.priority += 1;
            if unit.begun.is_none() && unit.at.0 == starts[goals[number]] {
                arrivals += 1;
                unit.priority = 0;
                goals[number] = (goals[number] + 1) % starts.len();
            }
        }
    }
    arrivals
}

/// No two units hold an entry at the tick, and none that stand hold what others will need.
fn check(space: &impl Space, units: &[CrowdUnit], now: u32) {
    let mut holders = vec![None; space.entries()];
    for unit in units {
        let mut hold = |entry: Entry| {
            let holder = holders[entry.get()].get_or_insert(unit.unit);
            assert_eq!(*holder, unit.unit, "entry {} at tick {now}", entry.0);
            true
        };
        match unit.begun {
            Some(leg) => space.footprint(leg.from, leg.action, |entry, later| {
                leg.tick.0 + later <= now || hold(entry)
            }),
            None => space.standing(unit.at, hold),
        };
    }
}

#[test]
fn units_move_on_hexagons() {
    for pace in [1, 2] {
        let space = HexSpace::from_rows(&["....."; 5], pace).unwrap();
        let reached = arrivals(space, &[0, 4, 12, 20, 24, 7, 17], 300);
        assert!(reached > 100, "{reached} arrivals at pace {pace}");
    }
}

#[test]
fn vehicles_share_roads_of_several_ticks() {
    for holds_ends in [false, true] {
        let mut network = RoadNetwork::new();
        let ring: Vec<_> = (0..8).map(|_| network.crossing(0, 0).unwrap()).collect();
        for (number, &from) in ring.iter().enumerate() {
            let ticks = 1 + number as u32 % 3;
            network.road(Road::two_lanes(from, ring[(number + 1) % 8], ticks)).unwrap();
        }
        network.road(Road::single_track(ring[0], ring[4], 3)).unwrap();
        let space = network.build();
        let space = if holds_ends { space.holding_ends() } else { space };
        let reached = arrivals(space, &[0, 3, 5], 400);
        assert!(reached > 60, "{reached} arrivals, ends held: {holds_ends}");
    }
}

#[test]
fn spaces_must_share_their_entries() {
    let space = |side| {
        let map = Map::empty(side, side).unwrap();
        GridSpace::new(&map, MovementProfile::four_connected(), &FootprintRules::default()).unwrap()
    };
    let error = CrowdKernel::new(&[space(4), space(5)], 0).unwrap_err();
    assert_eq!(error, CrowdError::EntriesDiffer { space: 1, entries: 25, expected: 16 });
}

/// Two places; the move between them does not hold where it ends.
struct Careless;

impl Space for Careless {
    fn positions(&self) -> usize {
        2
    }
    fn entries(&self) -> usize {
        2
    }
    fn estimate(&self, _: Position, _: Position) -> u64 {
        0
    }
    fn pause_cost(&self) -> u64 {
        1
    }
    fn move_ticks_max(&self) -> u32 {
        1
    }
    fn for_each_move(&self, from: Position, mut visit: impl FnMut(Move)) {
        let to = Position(1 - from.0);
        visit(Move { to, cost: 1, ticks: 1, action: Action(0) });
    }
    fn for_each_move_back(&self, to: Position, visit: impl FnMut(Move)) {
        self.for_each_move(to, visit);
    }
    fn standing(&self, at: Position, mut visit: impl FnMut(Entry) -> bool) -> bool {
        visit(Entry(at.0))
    }
    fn footprint(
        &self,
        from: Position,
        _: Action,
        mut visit: impl FnMut(Entry, u32) -> bool,
    ) -> bool {
        visit(Entry(from.0), 1)
    }
    fn passings(&self, _: Position, _: Action, _: impl FnMut(Entry, Entry) -> bool) -> bool {
        true
    }
}

#[test]
fn a_move_must_hold_its_end() {
    let error = CrowdKernel::new(&[Careless], 0).unwrap_err();
    let (from, action) = (Position(0), Action(0));
    assert_eq!(error, CrowdError::EndNotHeld { space: 0, from, action });
    assert!(error.to_string().contains("action 0 from position 0"), "{error}");
}

#[test]
fn units_that_are_nowhere_pause() {
    let map = Map::empty(2, 1).unwrap();
    let rules = FootprintRules::default();
    let spaces = [GridSpace::new(&map, MovementProfile::four_connected(), &rules).unwrap()];
    let mut kernel = CrowdKernel::new(&spaces, 0).unwrap();
    let unit = |number, space, at| CrowdUnit {
        unit: UnitId::new(number),
        space,
        at: Position(at),
        priority: 0,
        holds: false,
        begun: None,
    };
    let units = [unit(0, 7, 0), unit(1, 0, 900), unit(2, 0, 0)];
    let to_the_right = vec![Some(1), Some(0)];
    let mut tables = Tables(vec![to_the_right; 3]);
    let actions = kernel.decide(&spaces, &units, Tick(0), &mut tables);
    assert_eq!(actions[..2], [Action::PAUSE; 2]);
    assert_ne!(actions[2], Action::PAUSE);
    assert_eq!(kernel.decide(&spaces, &[], Tick(1), &mut tables), []);
}
