//! What the moves of grid units need, as the papers draw it; and that what is claimed is
//! always there to be claimed.

use std::collections::BTreeSet;

use rand::RngExt;
use throng_model::{Cell, Cost, Map, MovementProfile};
use throng_spacetime::{
    Action, Entry, FootprintRules, Grain, GridSpace, Manoeuvre, Move, PassingRule, Position, Space,
};

use throng_testkit::case;

fn moves(space: &GridSpace, from: Position) -> Vec<Move> {
    let mut found = Vec::new();
    space.for_each_move(from, |step| found.push(step));
    found
}

/// What an action holds besides the place where it begins, as columns, rows and ticks.
fn held(space: &GridSpace, columns: u32, from: Position, action: Action) -> Vec<(u32, u32, u32)> {
    let mut held = Vec::new();
    space.footprint(from, action, |entry, tick| {
        held.push((entry.0 % columns, entry.0 / columns, tick));
        true
    });
    held
}

/// The footprint of a step from (2,2) on a map of 8 x 8 cells.
fn check(
    movement: MovementProfile,
    rules: &FootprintRules,
    to: (u16, u16),
    expected: &[(u32, u32, u32)],
) {
    let map = Map::empty(8, 8).unwrap();
    let space = GridSpace::new(&map, movement, rules).unwrap();
    let at = |x, y| space.position(Cell::new(x, y)).unwrap();
    let steps = moves(&space, at(2, 2));
    let step = steps.iter().find(|step| step.to == at(to.0, to.1)).unwrap();
    let mut found = held(&space, 8, at(2, 2), step.action);
    found.sort_unstable_by_key(|&(x, y, tick)| (tick, y, x));
    assert_eq!(found, expected);
}

#[test]
fn figure_6a_a_diagonal_move_is_a_cube_of_eight() {
    let rules = FootprintRules { passing: PassingRule::DoubleClaims, ..FootprintRules::default() };
    let square = [(2, 2), (3, 2), (2, 3), (3, 3)];
    let cube: Vec<_> =
        [0, 1].into_iter().flat_map(|tick| square.map(|(x, y)| (x, y, tick))).collect();
    check(MovementProfile::eight_connected(), &rules, (3, 3), &cube);
    check(MovementProfile::eight_connected(), &FootprintRules::default(), (3, 3), &[(3, 3, 1)]);
}

#[test]
fn figure_6b_a_large_unit_is_wide() {
    let large = MovementProfile { footprint: 2, ..MovementProfile::four_connected() };
    let expected = [(3, 2, 1), (4, 2, 1), (3, 3, 1), (4, 3, 1)];
    check(large, &FootprintRules::default(), (3, 2), &expected);
}

#[test]
fn figure_5a_a_slow_unit_is_long() {
    let slow = MovementProfile { pace: 3, ..MovementProfile::four_connected() };
    let expected = [(2, 2, 1), (3, 2, 1), (2, 2, 2), (3, 2, 2), (3, 2, 3)];
    check(slow, &FootprintRules::default(), (3, 2), &expected);
}

fn grains() -> [Grain; 7] {
    [
        Grain::Cell,
        Grain::Coarser(0),
        Grain::Coarser(1),
        Grain::Coarser(3),
        Grain::Finer(0),
        Grain::Finer(1),
        Grain::Finer(2),
    ]
}

/// Forwards and backwards there are the same moves, every entry is in the table, and every
/// move ends with the body in its place.
fn check_contract(space: &GridSpace, what: &str) {
    let (mut onward, mut back) = (BTreeSet::new(), BTreeSet::new());
    for at in (0..space.positions() as u32).map(Position) {
        let key = |from: Position, to: Position, step: &Move| {
            (from, to, step.cost, step.ticks, step.action)
        };
        if !space.ground().can_stand(space.cell(at)) {
            // Units leave a wall that was built around them, but none plans through it.
            continue;
        }
        let steps = moves(space, at);
        for step in steps.iter().copied() {
            assert_eq!(space.move_by(at, step.action), Some(step), "{what}");
            let last = steps.iter().rfind(|other| other.to == step.to);
            assert_eq!(space.move_to(at, step.to).as_ref(), last, "{what}");
            assert!(step.ticks <= space.move_ticks_max(), "{what}");
            onward.insert(key(at, step.to, &step));
            check_entries(space, at, step, what);
        }
        space.for_each_move_back(at, |step| {
            back.insert(key(step.to, at, &step));
        });
    }
    assert!(onward == back, "{what}: other moves backwards");
}

fn check_entries(space: &GridSpace, at: Position, step: Move, what: &str) {
    let mut end = BTreeSet::new();
    space.footprint(at, step.action, |entry, tick| {
        assert!(entry.get() < space.entries(), "{what}: {entry:?} is no entry");
        assert!(tick <= step.ticks, "{what}: holds after its end");
        if tick == step.ticks {
            end.insert(entry);
        }
        true
    });
    space.passings(at, step.action, |before, after| {
        assert!(before.max(after).get() < space.entries(), "{what}");
        true
    });
    let mut bodies = 0;
    space.standing(step.to, |entry: Entry| {
        bodies += 1;
        assert!(end.contains(&entry), "{what}: the body is not where it ends");
        true
    });
    assert!(bodies > 0, "{what}: a body without entries");
}

#[test]
fn every_grain_keeps_the_contract() {
    for seed in 0..120 {
        let case = case(seed);
        let mut rng = throng_testkit::rng(seed);
        for grain in grains() {
            let rules = FootprintRules {
                grain,
                passing: [PassingRule::ExplicitTest, PassingRule::DoubleClaims][seed as usize % 2],
                corners_kept: rng.random(),
                ..FootprintRules::default()
            };
            let pace = rng.random_range(1..4);
            let movement = MovementProfile { pace, ..case.movement.clone() };
            let space = GridSpace::new(&case.map, movement, &rules).unwrap();
            check_contract(&space, &format!("case {seed}, {rules:?}"));
        }
    }
}

#[test]
fn a_manoeuvre_never_holds_what_is_not_in_the_table() {
    // A wide turn that swings out to the left of where it begins.
    let turn = Manoeuvre {
        to: (1, 2),
        ticks: 3,
        cost: Cost(50_000),
        over: vec![(0, 1)],
        holds: vec![((0, 0), 1), ((-1, 1), 1), ((0, 1), 2), ((1, 1), 2)],
    };
    let rules = FootprintRules { manoeuvres: vec![turn], ..FootprintRules::default() };
    let map = Map::empty(5, 6).unwrap();
    for movement in [MovementProfile::four_connected(), MovementProfile::eight_connected()] {
        let space = GridSpace::new(&map, movement, &rules).unwrap();
        check_contract(&space, "a turn");
        let at = |x, y| space.position(Cell::new(x, y)).unwrap();
        let turns = |from| moves(&space, from).iter().any(|step| step.action == Action(8));
        assert!(turns(at(1, 1)));
        assert!(!turns(at(0, 1)), "it would swing out of the map");
    }
}
