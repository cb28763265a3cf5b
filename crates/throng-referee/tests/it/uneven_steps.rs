//! Diagonal steps with ticks of their own and terrain that slows: each step is accepted with its
//! own ticks, and reported with any other number, in plans and in live worlds.

use throng_model::{
    Cell, Conflicts, DiagonalCost, Factor, Map, MovementProfile, Plan, Problem, SlowTerrain,
    TerrainClass, TerrainId, Unit, UnitId,
};
use throng_referee::{Heading, LiveReferee, Sighting, check};

const SWAMP: TerrainId = TerrainId(2);
const BOG: TerrainId = TerrainId(3);

/// Ground, with swamp from column 4 on and bog from column 8 on.
fn map() -> Map {
    let classes = vec![
        TerrainClass::passable("ground", '.', Factor::ONE),
        TerrainClass::blocked("wall", '@'),
        TerrainClass::passable("swamp", 'S', Factor::new(3).unwrap()),
        TerrainClass::passable("bog", 'B', Factor::ONE),
    ];
    let class = |x: usize| [0, 2, 3][(x / 4).min(2)];
    let cells = (0..12 * 12).map(|at| TerrainId(class(at % 12))).collect();
    Map::new(12, 12, classes, cells).unwrap()
}

fn kind(pace: u8, diagonal: u8, footprint: u8) -> MovementProfile {
    let slow = |terrain, times| SlowTerrain { terrain, times };
    MovementProfile {
        pace,
        footprint,
        diagonal: DiagonalCost::Ticks(diagonal),
        // The last entry of a class counts.
        slow: vec![slow(SWAMP, 9), slow(BOG, 3), slow(SWAMP, 2)],
        ..MovementProfile::eight_connected()
    }
}

/// A profile, a step, and the ticks that it takes.
type Case = (MovementProfile, (u16, u16), (u16, u16), usize);

fn cases() -> Vec<Case> {
    let mut cases = vec![
        (kind(1, 2, 1), (1, 1), (2, 1), 1),
        (kind(1, 2, 1), (1, 1), (2, 2), 2),
        (kind(1, 1, 1), (3, 1), (4, 2), 2),
        (kind(5, 7, 1), (3, 1), (4, 1), 10),
        (kind(5, 7, 1), (3, 1), (4, 2), 14),
        (kind(5, 7, 1), (7, 5), (8, 4), 21),
        (kind(5, 7, 1), (8, 5), (7, 5), 10),
        (kind(5, 7, 1), (4, 5), (3, 5), 5),
        // The slowest cell under the footprint counts.
        (kind(2, 3, 2), (2, 5), (3, 5), 4),
        (kind(2, 3, 2), (6, 5), (7, 6), 9),
    ];
    let even = MovementProfile { diagonal: DiagonalCost::TrueLength, ..kind(4, 4, 1) };
    cases.push((even, (7, 5), (8, 6), 12));
    cases
}

fn in_plan((movement, from, to, _): &Case, stood: usize) -> Vec<String> {
    let mut path = vec![Cell::from(*from); stood];
    path.push((*to).into());
    let problem = Problem::new(map(), movement.clone(), vec![Unit::new(*from, *to)]);
    let verdict = check(&problem, &Plan { paths: vec![path] });
    verdict.violations.iter().map(ToString::to_string).collect()
}

/// Shows a step whose heading appears with so many ticks left, and counts down.
fn in_world((movement, from, to, _): &Case, begins: usize) -> Vec<String> {
    let (map, mut referee) = (map(), LiveReferee::new(Conflicts::default()));
    let mut found = Vec::new();
    let mut show = |at: (u16, u16), ticks_left: usize| {
        let ticks_left = u8::try_from(ticks_left).unwrap();
        let heading = (ticks_left > 0).then_some(Heading { to: (*to).into(), ticks_left });
        let unit = UnitId::new(1);
        let sighting = Sighting { unit, movement, at: at.into(), heading, team: 0, layer: 0 };
        found.extend(referee.tick(&map, &[sighting], &[]).iter().map(|v| v.kind.name()));
    };
    show(*from, 0);
    (1..=begins).rev().for_each(|left| show(*from, left));
    show(*to, 0);
    found.iter().map(ToString::to_string).collect()
}

#[test]
fn each_step_is_accepted_with_its_own_ticks() {
    for case in cases() {
        assert!(in_plan(&case, case.3).is_empty(), "{case:?}: {:?}", in_plan(&case, case.3));
        assert!(in_plan(&case, case.3 + 2).is_empty(), "{case:?}");
        assert!(
            in_world(&case, case.3 - 1).is_empty(),
            "{case:?}: {:?}",
            in_world(&case, case.3 - 1)
        );
    }
}

#[test]
fn a_step_that_is_too_quick_is_reported() {
    for case in cases() {
        for ticks in 1..case.3 {
            let found = in_plan(&case, ticks);
            assert_eq!(found.len(), 1, "{case:?} in {ticks}: {found:?}");
            assert!(found[0].contains("pace") || found[0].contains("ticks"), "{found:?}");
            assert_eq!(in_world(&case, ticks - 1), ["pace"], "{case:?} in {ticks}");
        }
    }
}

#[test]
fn a_step_that_is_too_slow_is_reported() {
    for case in cases() {
        let longest = case.0.step_ticks_max() as usize;
        let found = in_world(&case, case.3);
        // A heading that lasts longer than any step is impossible in itself.
        assert!(found.contains(&"heading".to_owned()), "{case:?} of {longest}: {found:?}");
    }
}

/// A slow step holds both its ends, and its square, until it is over.
#[test]
fn a_slow_step_holds_what_it_sweeps_as_long_as_it_takes() {
    let (slow, quick) = (kind(1, 2, 1), MovementProfile::eight_connected());
    let mut problem = Problem::new(map(), slow, vec![Unit::new((3, 5), (4, 6))]);
    problem.movements.push(quick);
    let walk = |stood: usize| {
        let mut path = vec![Cell::new(3, 5); stood];
        path.push(Cell::new(4, 6));
        path
    };
    // The diagonal step onto swamp takes four ticks. The other crosses its square in the middle.
    let crossing: Vec<Cell> = [(2, 6), (2, 6), (3, 6), (2, 6)].map(Cell::from).to_vec();
    let mut other = Unit::new((2, 6), (2, 6));
    other.movement = 1;
    problem.units.push(other);
    let found = check(&problem, &Plan { paths: vec![walk(4), crossing] }).violations;
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].to_string(), "tick 2: unit 0 and unit 1 hold the same cells: (3,6)");
}

#[test]
fn a_step_in_progress_keeps_its_ticks_when_the_map_changes() {
    let movement = kind(5, 7, 1);
    let mut map = map();
    let mut referee = LiveReferee::new(Conflicts::default());
    let mut show = |map: &Map, at: (u16, u16), left: u8| {
        let heading = (left > 0).then_some(Heading { to: Cell::new(4, 5), ticks_left: left });
        let unit = UnitId::new(1);
        let movement = &movement;
        let sighting = Sighting { unit, movement, at: at.into(), heading, team: 0, layer: 0 };
        referee.tick(map, &[sighting], &[])
    };
    assert!(show(&map, (3, 5), 0).is_empty());
    assert!(show(&map, (3, 5), 9).is_empty());
    map.set(Cell::new(4, 5), Map::GROUND).unwrap();
    (1..9).rev().for_each(|left| assert!(show(&map, (3, 5), left).is_empty(), "{left}"));
    assert!(show(&map, (4, 5), 0).is_empty());
}

/// An edit of the map ends a step: where it would have ended is free for an enemy in the same tick.
/// Where a unit stood it is not.
#[test]
fn an_abandoned_step_leaves_its_end_to_an_enemy() {
    let (slow, quick) = (kind(5, 7, 1), MovementProfile::eight_connected());
    let (map, mut referee) = (map(), LiveReferee::new(Conflicts::default()));
    referee.set_enemies(&[(0, 1)]);
    let mut show = |at: (u16, u16), left: u8, enemy: (u16, u16)| {
        let heading = (left > 0).then_some(Heading { to: Cell::new(2, 5), ticks_left: left });
        let (unit, other) = (UnitId::new(1), UnitId::new(2));
        let movement = &slow;
        let stands = Sighting { unit, movement, at: at.into(), heading, team: 0, layer: 0 };
        let movement = &quick;
        let enemy =
            Sighting { unit: other, movement, at: enemy.into(), heading: None, team: 1, layer: 0 };
        let found = referee.tick(&map, &[stands, enemy], &[]);
        found.iter().map(|v| v.kind.name()).collect::<Vec<_>>()
    };
    assert!(show((1, 5), 0, (3, 5)).is_empty());
    assert!(show((1, 5), 4, (3, 5)).is_empty());
    assert!(show((1, 5), 0, (2, 5)).is_empty());
    assert!(show((1, 5), 0, (3, 5)).is_empty());
}
