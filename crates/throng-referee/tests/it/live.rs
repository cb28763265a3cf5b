//! Live worlds: valid runs are accepted, each rule has its case, and a plan shown tick by tick
//! gets the same violations as from `check`.

use std::collections::BTreeSet;

use throng_model::{Cell, Conflicts, CornerRule, Map, MovementProfile, Plan, Problem, UnitId};
use throng_referee::{Heading, LiveReferee, Sighting, ViolationKind, check};

use crate::cases::{Finding, findings, random_walks, valid_case};
use crate::naive_checker::{self, corrupted_case};
use crate::safe_world::{Frame, OwnedSighting, Recording};

/// Counts what happened in the runs, to be sure that they exercise the rules.
#[derive(Debug, Default)]
struct Tally {
    steps: u32,
    followed: u32,
    completed: u32,
    abandoned: u32,
    placed: u32,
    walled_in: u32,
    refitted: u32,
}

impl Tally {
    fn count(&mut self, before: &Frame, now: &Frame) {
        self.placed += now.placed.len() as u32;
        let left: BTreeSet<Cell> = before.sightings.iter().map(|sighting| sighting.at).collect();
        for sighting in &now.sightings {
            let Some(old) = before.find(sighting.unit) else { continue };
            let moved = old.at != sighting.at;
            let placed = now.placed.contains(&UnitId::new(sighting.unit));
            let point = naive_checker::point(sighting.at);
            let stands = naive_checker::stands(&now.map, &sighting.movement, point);
            self.refitted += u32::from(old.movement != sighting.movement);
            self.steps += u32::from(moved && !placed);
            self.followed += u32::from(moved && !placed && left.contains(&sighting.at));
            self.completed += u32::from(moved && !placed && old.heading.is_some());
            let stopped = old.heading.is_some() && sighting.heading.is_none();
            self.abandoned += u32::from(!moved && stopped);
            self.walled_in += u32::from(!moved && !stands);
        }
    }
}

#[test]
fn valid_runs_are_accepted() {
    let mut tally = Tally::default();
    for seed in 0..250 {
        let recording = Recording::new(seed, 40);
        assert_eq!(recording.judge(), [], "seed {seed}");
        recording.frames.windows(2).for_each(|pair| tally.count(&pair[0], &pair[1]));
    }
    let Tally { steps, followed, completed, abandoned, placed, walled_in, refitted } = tally;
    let rarest = [followed, completed, abandoned, placed, walled_in, refitted].into_iter().min();
    assert!(steps > 10_000 && rarest > Some(100), "{tally:?}");
}

#[test]
fn unit_ticks_count_what_was_checked() {
    let recording = Recording::new(3, 20);
    let mut referee = LiveReferee::new(recording.conflicts);
    assert_eq!(referee.unit_ticks(), 0);
    for frame in &recording.frames {
        assert!(frame.show_to(&mut referee).is_empty());
    }
    let shown: usize = recording.frames.iter().map(|frame| frame.sightings.len()).sum();
    assert!(shown > 50);
    assert_eq!(referee.unit_ticks(), shown as u64);
}

/// Unit, cell, and for a slow step in progress its target and the ticks left.
type Shown = (u32, (u16, u16), Option<((u16, u16), u8)>);

fn slow(pace: u8) -> MovementProfile {
    MovementProfile { pace, ..MovementProfile::eight_connected() }
}

/// Shows units of one movement profile on an empty map, and returns the violations.
fn violations_of(movement: &MovementProfile, ticks: &[&[Shown]]) -> Vec<String> {
    let map = Map::empty(8, 8).unwrap();
    let mut referee = LiveReferee::new(Conflicts::default());
    let mut found = Vec::new();
    for shown in ticks {
        let sighting = |&(unit, at, heading): &Shown| Sighting {
            unit: UnitId::new(unit),
            movement,
            at: at.into(),
            heading: heading.map(|(to, ticks_left)| Heading { to: to.into(), ticks_left }),
            team: 0,
            layer: 0,
        };
        let sightings: Vec<_> = shown.iter().map(sighting).collect();
        found.extend(referee.tick(&map, &sightings, &[]).iter().map(ToString::to_string));
    }
    found
}

#[test]
fn a_slow_step_is_begun_continued_and_completed() {
    let walk: [&[Shown]; 7] = [
        &[(5, (0, 0), None)],
        &[(5, (0, 0), Some(((1, 1), 2)))],
        &[(5, (0, 0), Some(((1, 1), 1)))],
        &[(5, (1, 1), None)],
        &[(5, (1, 1), Some(((2, 1), 2)))],
        &[(5, (1, 1), None)],
        &[(5, (1, 1), Some(((1, 0), 2)))],
    ];
    assert!(violations_of(&slow(3), &walk).is_empty());
}

#[test]
fn a_slow_step_takes_its_pace() {
    let hasty = |ticks: &[&[Shown]]| violations_of(&slow(3), ticks);
    let pace =
        |tick, ends| [format!("tick {tick}: unit 5 steps sooner than its pace allows: {ends}")];
    let (rest, far, near) =
        ((5, (0, 0), None), (5, (0, 0), Some(((1, 0), 2))), (5, (0, 0), Some(((1, 0), 1))));
    let there = (5, (1, 0), None);
    assert_eq!(hasty(&[&[rest], &[there]]), pace(1, "(0,0) (1,0)"));
    assert_eq!(hasty(&[&[rest], &[near], &[there]]), pace(1, "(0,0) (1,0)"));
    assert_eq!(hasty(&[&[rest], &[far], &[there]]), pace(2, "(0,0) (1,0)"));
    let at_once = (5, (1, 0), Some(((2, 0), 2)));
    assert_eq!(hasty(&[&[near], &[at_once]]), pace(1, "(1,0) (2,0)"));
}

#[test]
fn a_slow_step_keeps_its_target() {
    let lost = |ticks: &[&[Shown]]| violations_of(&slow(4), ticks);
    let heading = |tick, ends| {
        [format!("tick {tick}: unit 5 is in the middle of a step that it cannot be in: {ends}")]
    };
    let begun = (5, (1, 1), Some(((2, 1), 2)));
    let cases: [(Shown, &str); 8] = [
        ((5, (1, 1), Some(((2, 1), 2))), "(1,1) (2,1)"),
        ((5, (1, 1), Some(((2, 1), 3))), "(1,1) (2,1)"),
        ((5, (1, 1), Some(((1, 2), 3))), "(1,1) (1,2)"),
        ((5, (1, 2), None), "(1,1) (1,2)"),
        ((5, (1, 1), Some(((2, 1), 0))), "(1,1) (2,1)"),
        ((5, (1, 1), Some(((2, 1), 4))), "(1,1) (2,1)"),
        ((5, (1, 1), Some(((2, 1), 255))), "(1,1) (2,1)"),
        ((5, (1, 1), Some(((1, 1), 1))), "(1,1) (1,1)"),
    ];
    for (shown, ends) in cases {
        assert_eq!(lost(&[&[begun], &[shown]]), heading(1, ends), "{shown:?}");
    }
    let quick = violations_of(&slow(1), &[&[(5, (1, 1), Some(((2, 1), 1)))]]);
    assert_eq!(quick, heading(0, "(1,1) (2,1)"));
}

/// The heading of the first unit holds cells that the second one may not hold.
#[test]
fn a_step_in_progress_holds_its_swept_square_and_a_jump_holds_nothing() {
    let cutting = MovementProfile { corners: CornerRule::AlwaysCut, ..slow(2) };
    for (to, beside, expected) in [
        ((2, 2), (2, 1), &["tick 0: unit 1 and unit 2 hold the same cells: (2,1)"][..]),
        ((2, 2), (1, 2), &["tick 0: unit 1 and unit 2 hold the same cells: (1,2)"]),
        ((2, 2), (2, 2), &["tick 0: unit 1 and unit 2 hold the same cells: (2,2)"]),
        ((2, 1), (2, 1), &["tick 0: unit 1 and unit 2 hold the same cells: (2,1)"]),
        ((2, 1), (1, 2), &[]),
        ((3, 1), (3, 1), &["tick 0: unit 1 jumps to a cell that is no neighbour: (1,1) (3,1)"]),
    ] {
        let found = violations_of(&cutting, &[&[(1, (1, 1), Some((to, 1))), (2, beside, None)]]);
        assert_eq!(found, expected, "{to:?} {beside:?}");
    }
}

#[test]
fn units_are_shown_in_order_and_once() {
    let seen = |unit, x| (unit, (x, 0), None);
    let ticks: [&[Shown]; 2] =
        [&[seen(4, 0), seen(4, 5), seen(2, 3), seen(9, 1)], &[seen(4, 1), seen(9, 2)]];
    let expected = [2, 4]
        .map(|unit| format!("tick 0: unit {unit} is seen twice at one tick, or out of order"));
    assert_eq!(violations_of(&slow(1), &ticks), expected);
}

#[test]
fn units_that_vanish_or_are_placed_have_no_past() {
    const LAST: u32 = (1 << 20) - 1;
    let (near, far) = ((LAST, (0, 0), None), (LAST, (7, 7), None));
    assert!(violations_of(&slow(1), &[&[near], &[], &[far], &[], &[near]]).is_empty());
    let jump = "tick 1: unit 1048575 jumps to a cell that is no neighbour: (0,0) (7,7)";
    assert_eq!(violations_of(&slow(1), &[&[near], &[far]]), [jump]);
    let (map, quick) = (Map::empty(8, 8).unwrap(), slow(1));
    let mut referee = LiveReferee::new(Conflicts::default());
    let sight = |unit, x| Sighting {
        unit: UnitId::new(unit),
        movement: &quick,
        at: Cell::new(x, 0),
        heading: None,
        team: 0,
        layer: 0,
    };
    assert!(referee.tick(&map, &[sight(1, 0), sight(3, 7)], &[]).is_empty());
    let placed = [UnitId::new(8), UnitId::new(3), UnitId::new(1), UnitId::new(3)];
    assert!(referee.tick(&map, &[sight(1, 7), sight(3, 0)], &placed).is_empty());
    let found = referee.tick(&map, &[sight(1, 4), sight(3, 4)], &placed);
    assert_eq!(found.iter().map(|v| v.kind).collect::<Vec<_>>(), [ViolationKind::Vertex]);
}

#[test]
fn a_profile_outside_its_limits_is_reported_once_and_its_unit_not_checked() {
    for (footprint, pace) in [(0, 1), (200, 1), (1, 0), (1, 255)] {
        let bad = MovementProfile { footprint, pace, ..MovementProfile::eight_connected() };
        let ticks: [&[Shown]; 3] = [
            &[(1, (0, 0), None), (2, (0, 0), None)],
            &[(1, (9, 9), Some(((9, 9), 0))), (2, (0, 0), None)],
            &[(1, (0, 0), None)],
        ];
        let expected = [1, 2].map(|unit| {
            format!("tick 0: unit {unit} has a movement that does not exist or is past its limits")
        });
        assert_eq!(violations_of(&bad, &ticks), expected);
    }
}

/// The map of each tick is the one that counts.
#[test]
fn the_map_may_change_under_a_unit() {
    let (open, mut walled) = (Map::empty(4, 4).unwrap(), Map::empty(4, 4).unwrap());
    walled.paint(&[Cell::new(1, 0), Cell::new(1, 1)], Map::WALL).unwrap();
    let run = |movement: MovementProfile, shown: &[(&Map, (u16, u16), Option<Heading>)]| {
        let frame = |&(map, at, heading): &(&Map, (u16, u16), _)| Frame {
            map: map.clone(),
            sightings: vec![OwnedSighting {
                unit: 0,
                movement: movement.clone(),
                at: at.into(),
                heading,
            }],
            placed: Vec::new(),
        };
        let frames = shown.iter().map(frame).collect();
        let found = Recording { conflicts: Conflicts::default(), frames }.judge();
        found.iter().map(|v| (v.tick.0, v.name())).collect::<Vec<_>>()
    };
    let onto = |x, y| Some(Heading { to: Cell::new(x, y), ticks_left: 1 });
    // A unit inside a new wall may leave; a wall is gone on arrival, or just built.
    assert_eq!(
        run(slow(1), &[(&open, (1, 1), None), (&walled, (1, 1), None), (&walled, (2, 1), None)]),
        []
    );
    assert_eq!(run(slow(1), &[(&walled, (0, 0), None), (&open, (1, 0), None)]), []);
    assert_eq!(run(slow(1), &[(&open, (0, 0), None), (&walled, (1, 0), None)]), [(1, "terrain")]);
    assert_eq!(run(slow(1), &[(&open, (0, 1), None), (&walled, (1, 2), None)]), [(1, "corner")]);
    // A slow step is checked when it begins and when it ends, and may be abandoned.
    let begun = (&open, (0, 0), onto(1, 0));
    assert_eq!(run(slow(2), &[begun, (&walled, (0, 0), None)]), []);
    assert_eq!(run(slow(2), &[begun, (&walled, (1, 0), None)]), [(1, "terrain")]);
    let (rest, into_wall) = ((&open, (0, 0), None), (&walled, (0, 0), onto(1, 0)));
    assert_eq!(run(slow(2), &[rest, into_wall, (&open, (1, 0), None)]), [(1, "terrain")]);
    assert_eq!(
        run(slow(2), &[(&open, (0, 1), onto(1, 2)), (&walled, (1, 2), None)]),
        [(1, "corner")]
    );
    // No unit may be placed in a wall, and the map may change its size.
    assert_eq!(run(slow(1), &[(&walled, (1, 1), None)]), [(0, "terrain")]);
    let small = Map::empty(2, 2).unwrap();
    let off = [(&open, (3, 3), None), (&small, (3, 3), None), (&small, (3, 2), None)];
    assert_eq!(run(slow(1), &off), [(2, "bounds")]);
}

/// A plan, shown tick by tick.
fn stream(problem: &Problem, plan: &Plan) -> Recording {
    let frame = |tick: usize| {
        let pairs = problem.units.iter().zip(&plan.paths).enumerate();
        let sightings = pairs.filter_map(|(index, (unit, path))| {
            let movement = problem.movements.get(unit.movement)?.clone();
            let at = *path.get(tick).or(path.last())?;
            let heading = naive_checker::ahead(&movement, path, tick)
                .map(|(arrival, to)| Heading { to, ticks_left: (arrival - tick) as u8 });
            Some(OwnedSighting { unit: index as u32, movement, at, heading })
        });
        Frame { map: problem.map.clone(), sightings: sightings.collect(), placed: Vec::new() }
    };
    let frames = (0..=plan.last_tick().0 as usize).map(frame).collect();
    Recording { conflicts: problem.conflicts, frames }
}

/// The findings of `check` as the live referee reports them. It knows no starts and goals. It
/// checks a slow step when it begins and when it ends, and reports a step that is too quick
/// when its heading appears too late.
fn as_seen_live(problem: &Problem, plan: &Plan, findings: BTreeSet<Finding>) -> BTreeSet<Finding> {
    let mut seen = BTreeSet::new();
    for (tick, units, name) in findings {
        let unit = problem.units.get(units[0] as usize);
        let movement = unit.and_then(|unit| problem.movements.get(unit.movement));
        let path = plan.paths.get(units[0] as usize).filter(|path| !path.is_empty());
        let (Some(movement), Some(path)) = (movement, path) else { continue };
        let stood = path[..path.len().min(tick as usize)].iter().rev();
        let from = stood.clone().next();
        let since = tick - stood.take_while(|&cell| Some(cell) == from).count() as u32;
        let first_seen = since.max((tick + 1).saturating_sub(u32::from(movement.pace)));
        match name {
            "start" | "goal" | "unit_count" | "empty_path" => {}
            "pace" if since == 0 => {}
            "pace" => drop(seen.insert((since, units, name))),
            "bounds" | "terrain" | "contiguity" | "corner" => {
                seen.insert((first_seen, units.clone(), name));
                seen.insert((tick, units, name));
            }
            _ => drop(seen.insert((tick, units, name))),
        }
    }
    seen
}

fn agree(problem: &Problem, plan: &Plan, seed: u64) -> BTreeSet<Finding> {
    let found = findings(&stream(problem, plan).judge());
    let expected = as_seen_live(problem, plan, findings(&check(problem, plan).violations));
    let only_live: Vec<_> = found.difference(&expected).collect();
    let only_check: Vec<_> = expected.difference(&found).collect();
    let same = found == expected;
    assert!(same, "seed {seed}: only live {only_live:?}, only check {only_check:?}\n{plan:?}");
    found
}

#[test]
fn valid_plans_shown_tick_by_tick_have_no_violation() {
    for seed in 0..200 {
        let (problem, plan) = valid_case(seed);
        assert!(agree(&problem, &plan, seed).is_empty());
    }
}

#[test]
fn live_referee_agrees_with_check_on_colliding_plans() {
    let mut kinds = BTreeSet::new();
    for seed in 0..400 {
        let (problem, plan) = random_walks(&mut throng_testkit::rng(seed), 12, 14);
        let found = agree(&problem, &plan, seed);
        // Legal but for collisions: nothing to translate.
        let mut expected = findings(&check(&problem, &plan).violations);
        expected.retain(|finding| finding.2 != "goal");
        assert_eq!(found, expected);
        kinds.extend(found.into_iter().map(|finding| finding.2));
    }
    assert_eq!(kinds.into_iter().collect::<Vec<_>>(), ["crossing", "swap", "swept", "vertex"]);
}

#[test]
fn live_referee_agrees_with_check_on_corrupted_plans() {
    let mut kinds = BTreeSet::new();
    for seed in 0..400 {
        let (problem, plan) = corrupted_case(seed);
        kinds.extend(agree(&problem, &plan, seed).into_iter().map(|finding| finding.2));
    }
    for name in ["bounds", "terrain", "contiguity", "corner", "pace", "vertex"] {
        assert!(kinds.contains(name), "{name} is missing: {kinds:?}");
    }
}

#[test]
fn units_of_different_layers_do_not_meet_and_enemies_are_not_pushed_aside() {
    let movement = MovementProfile::four_connected();
    let shown = |unit, x, team, layer| Sighting {
        unit: UnitId::new(unit),
        movement: &movement,
        at: Cell::new(x, 0),
        heading: None,
        team,
        layer,
    };
    let map = Map::empty(8, 1).unwrap();
    let mut referee = LiveReferee::new(Conflicts::default());
    referee.set_enemies(&[(0, 1)]);
    let ticks = [
        [shown(0, 1, 0, 0), shown(1, 1, 1, 1), shown(2, 2, 1, 0), shown(3, 5, 0, 0)],
        // The enemy leaves (2,0) and is followed at once; a friend would be no fault.
        [shown(0, 2, 0, 0), shown(1, 2, 1, 1), shown(2, 3, 1, 0), shown(3, 4, 0, 0)],
        [shown(0, 2, 0, 0), shown(1, 3, 1, 1), shown(2, 3, 1, 0), shown(3, 4, 0, 0)],
    ];
    let found = ticks.iter().flat_map(|tick| referee.tick(&map, tick, &[]));
    let found: Vec<String> = found.map(|violation| violation.to_string()).collect();
    let expected = "tick 1: unit 0 enters a cell on which an enemy stood at the tick before: (2,0)";
    assert_eq!(found, [expected]);
}

/// An enemy in the middle of a step holds the cells to which it leads. When a wall has undone the
/// step, the enemy was never there; when the step has ended, it was.
#[test]
fn an_enemy_that_abandoned_its_step_has_not_stood_where_it_led() {
    let (slow, quick) = (
        MovementProfile { pace: 3, ..MovementProfile::four_connected() },
        MovementProfile::four_connected(),
    );
    let enemy = |x, heading: Option<(u16, u8)>| Sighting {
        unit: UnitId::new(0),
        movement: &slow,
        at: Cell::new(x, 0),
        heading: heading.map(|(to, ticks_left)| Heading { to: Cell::new(to, 0), ticks_left }),
        team: 1,
        layer: 0,
    };
    let unit = |x| Sighting {
        unit: UnitId::new(1),
        movement: &quick,
        at: Cell::new(x, 0),
        heading: None,
        team: 0,
        layer: 0,
    };
    let map = Map::empty(8, 1).unwrap();
    let kinds = |ticks: &[[Sighting<'_>; 2]]| {
        let mut referee = LiveReferee::new(Conflicts::default());
        referee.set_enemies(&[(0, 1)]);
        let found = ticks.iter().flat_map(|tick| referee.tick(&map, tick, &[]));
        found.map(|violation| violation.kind).collect::<Vec<_>>()
    };
    let begins = [enemy(0, Some((1, 2))), unit(2)];
    assert_eq!(kinds(&[begins, [enemy(0, None), unit(1)]]), []);
    assert!(
        kinds(&[begins, [enemy(0, Some((1, 1))), unit(1)]]).contains(&ViolationKind::EnemyCell)
    );
    let ends = [[enemy(0, Some((1, 1))), unit(2)], [enemy(1, None), unit(1)]];
    assert!(kinds(&ends).contains(&ViolationKind::EnemyCell));
}
