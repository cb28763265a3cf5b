//! Plans on roads, hexagons and other lists: legal ones cost what they cost, and each rule is broken
//! by a plan that is refused for it alone.

use throng_referee::{MoveLists, MoveVerdict, TimedMove, Traveller, check_moves};

/// Four stations: a single track of two ticks, two lanes of one tick, a one-way road of three.
fn railway() -> MoveLists {
    let mut lists = MoveLists::of_places(4);
    lists.single_track(0, 1, 2);
    lists.two_lanes(1, 2, 1);
    lists.one_way(2, 3, 3);
    lists
}

fn judged(lists: &MoveLists, trains: &[(usize, usize)], paths: &[&[usize]]) -> MoveVerdict {
    let unit = |&(start, goal): &(usize, usize)| Traveller { kind: lists, start, goal };
    let units: Vec<_> = trains.iter().map(unit).collect();
    check_moves(&units, &paths.iter().map(|path| path.to_vec()).collect::<Vec<_>>())
}

#[track_caller]
fn check(lists: &MoveLists, trains: &[(usize, usize)], paths: &[&[usize]], expected: &[&str]) {
    let verdict = judged(lists, trains, paths);
    let violations: Vec<_> = verdict.violations.iter().map(ToString::to_string).collect();
    assert_eq!(violations, expected);
    assert_eq!(verdict.is_valid(), expected.is_empty());
}

#[track_caller]
fn check_costs(train: (usize, usize), path: &[usize], sum_of_costs: u64, time_away: u64) {
    let verdict = judged(&railway(), &[train], &[path]);
    assert_eq!(verdict.violations, []);
    assert_eq!((verdict.sum_of_costs, verdict.time_away), (sum_of_costs, time_away), "{path:?}");
}

#[test]
fn costs_are_ticks_until_the_last_arrival_and_ticks_away() {
    check_costs((0, 0), &[0], 0, 0);
    check_costs((0, 0), &[0, 0, 0], 0, 0);
    check_costs((0, 1), &[0, 0, 1, 1], 2, 2);
    check_costs((0, 1), &[0, 0, 0, 1], 3, 3);
    check_costs((0, 3), &[0, 0, 1, 2, 2, 2, 3], 6, 6);
    // Three ticks of rest on the goal, then to 0 and back: the rest is free in one of the two.
    check_costs((1, 1), &[1, 1, 1, 1, 1, 0, 0, 1], 7, 4);
    // A tick on the goal in between two moves is no rest.
    check_costs((2, 1), &[2, 1, 2, 1], 3, 3);
}

#[test]
fn trains_follow_each_other_and_pass_on_two_lanes() {
    let lists = railway();
    check(&lists, &[(1, 2), (2, 1)], &[&[1, 2], &[2, 1]], &[]);
    check(
        &lists,
        &[(1, 3), (2, 3)],
        &[&[1, 2, 2, 2, 3], &[2, 2, 2, 3, 3]],
        &["tick 4: unit 0 and unit 1 hold the same place or track"],
    );
    // One tick behind the other on the single track, which a train leaves as the next one arrives.
    check(
        &lists,
        &[(0, 2), (1, 0)],
        &[&[0, 0, 1, 2], &[1, 2, 1, 1, 0]],
        &["tick 2: unit 0 and unit 1 hold the same place or track"],
    );
    check(&lists, &[(0, 2), (1, 0)], &[&[0, 0, 1, 2], &[1, 2, 2, 1, 1, 0]], &[]);
}

#[test]
fn trains_on_a_single_track_meet_in_the_middle_or_at_a_border() {
    for ticks in 1..=5 {
        for later in 0..=ticks {
            let mut lists = MoveLists::of_places(2);
            lists.single_track(0, 1, ticks);
            let ticks = ticks as usize;
            let one = [vec![0; ticks], vec![1]].concat();
            let other = [vec![1; ticks + later as usize], vec![0]].concat();
            let verdict = judged(&lists, &[(0, 1), (1, 0)], &[&one, &other]);
            // The unit that enters last meets the other, or finds it at the end of the track.
            assert_eq!(verdict.violations.len(), 1, "{ticks} ticks, {later} later");
        }
    }
}

#[test]
fn each_broken_rule_is_named() {
    let lists = railway();
    check(&lists, &[(0, 1)], &[], &["0 paths for 1 units"]);
    check(
        &lists,
        &[(0, 1)],
        &[&[]],
        &["unit 0 begins elsewhere than on its start", "unit 0 ends elsewhere than on its goal"],
    );
    check(&lists, &[(2, 1)], &[&[1]], &["unit 0 begins elsewhere than on its start"]);
    check(&lists, &[(9, 9)], &[&[9]], &["unit 0 begins elsewhere than on its start"]);
    check(&lists, &[(0, 1)], &[&[0, 0]], &["unit 0 ends elsewhere than on its goal"]);
    check(
        &lists,
        &[(0, 1)],
        &[&[0, 1]],
        &["tick 1: unit 0 moves from place 0 to place 1 too soon"],
    );
    check(
        &lists,
        &[(0, 1)],
        &[&[0, 0, 2, 1]],
        &["tick 2: unit 0 has no move from place 0 to place 2"],
    );
    check(
        &lists,
        &[(3, 2)],
        &[&[3, 3, 3, 2]],
        &["tick 3: unit 0 has no move from place 3 to place 2"],
    );
    check(
        &lists,
        &[(0, 1), (1, 0)],
        &[&[0, 0, 1], &[1, 1, 0]],
        &["tick 1: unit 0 and unit 1 hold the same place or track"],
    );
    // The first has arrived for good, and the second drives into it long after.
    check(
        &lists,
        &[(1, 2), (1, 2)],
        &[&[1, 2], &[1, 1, 1, 2]],
        &["tick 0: unit 0 and unit 1 hold the same place or track"],
    );
    check(
        &lists,
        &[(1, 2), (0, 2)],
        &[&[1, 2], &[0, 0, 1, 2]],
        &["tick 3: unit 0 and unit 1 hold the same place or track"],
    );
}

#[test]
fn ends_can_be_held_from_the_first_tick_of_a_move() {
    let paths: [&[usize]; 2] = [&[0, 0, 1], &[1, 1, 2]];
    check(&railway(), &[(0, 1), (1, 2)], &paths, &[]);
    check(
        &railway().holding_ends(),
        &[(0, 1), (1, 2)],
        &paths,
        &["tick 1: unit 0 and unit 1 hold the same place or track"],
    );
}

/// Each hexagon inside has six neighbours; the odd row stands half a hexagon to the right.
#[test]
fn hexagons_touch_six_others() {
    let lists = MoveLists::hexagons(&["...", "...", "..#"], 1);
    let from = |place| {
        let mut ends: Vec<_> =
            lists.moves.iter().filter(|step| step.from == place).map(|step| step.to).collect();
        ends.sort_unstable();
        ends
    };
    assert_eq!(from(4), [1, 2, 3, 5, 7], "the sixth is a wall");
    assert_eq!(from(0), [1, 3]);
    assert_eq!(from(3), [0, 1, 4, 6, 7]);
    assert_eq!(from(8), [] as [usize; 0]);
    let swap: [&[usize]; 2] = [&[0, 1], &[1, 0]];
    check(
        &lists,
        &[(0, 1), (1, 0)],
        &swap,
        &["tick 1: unit 0 and unit 1 hold the same place or track"],
    );
    check(&lists, &[(0, 3), (3, 1), (1, 0)], &[&[0, 3], &[3, 1], &[1, 0]], &[]);
    let slow = MoveLists::hexagons(&["...", "...", "..#"], 2);
    check(
        &slow,
        &[(0, 3), (3, 4)],
        &[&[0, 0, 3], &[3, 3, 4]],
        &["tick 1: unit 0 and unit 1 hold the same place or track"],
    );
}

#[test]
fn lists_of_ones_own_may_be_malformed() {
    let jump = TimedMove { from: 0, to: 7, held: vec![vec![], vec![5]] };
    let instant = TimedMove { from: 0, to: 1, held: vec![] };
    let lists = MoveLists::new(vec![vec![0]], vec![jump, instant]);
    check(&lists, &[(0, 7)], &[&[0, 0, 7, 7]], &[]);
    check(&lists, &[(0, 1)], &[&[0, 1]], &[]);
    check(&MoveLists::new(Vec::new(), Vec::new()), &[], &[&[1, 2]], &["1 paths for 0 units"]);
}
