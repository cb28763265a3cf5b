//! Clusters drawn by hand: exchanges, pockets, dead ends, units that hold.

use throng_anytime::{ClusterOutcome, ClusterPlanner};
use throng_model::{MovementProfile, Problem, Unit};
use throng_testkit::{find, map, place};

use super::raw::RawCluster;

#[derive(Debug, PartialEq, Eq)]
enum Answer {
    /// By a plan of at most so many steps.
    Within(usize),
    Unsolvable,
}

/// Units of these sizes stand on the small letters and go to the capital ones. A unit without a
/// capital letter may end anywhere.
fn cluster(drawing: &str, sizes: &[u8]) -> RawCluster {
    let kind = |&footprint| MovementProfile { footprint, ..MovementProfile::four_connected() };
    let letters = ('a'..).take(sizes.len());
    let unit = |(movement, letter): (usize, char)| {
        let start = place(drawing, letter);
        let goal = find(drawing, letter.to_ascii_uppercase()).first().copied();
        Unit { movement, ..Unit::new(start, goal.unwrap_or(start)) }
    };
    let problem = Problem {
        movements: sizes.iter().map(kind).collect(),
        units: letters.clone().enumerate().map(unit).collect(),
        ..Problem::new(map(drawing), MovementProfile::four_connected(), Vec::new())
    };
    let mut cluster = RawCluster::new(problem);
    cluster.has_goal =
        letters.map(|letter| !find(drawing, letter.to_ascii_uppercase()).is_empty()).collect();
    cluster
}

#[track_caller]
fn check_cluster(cluster: &RawCluster, expected: &Answer) {
    for seed in 0..3 {
        let outcome = cluster.plan(&mut ClusterPlanner::default(), 1_000_000, seed);
        match (outcome, expected) {
            (ClusterOutcome::Solved(steps), Answer::Within(limit)) => {
                assert!(steps.len() <= *limit, "{} steps: {steps:?}", steps.len());
            }
            (ClusterOutcome::ProvenUnsolvable, Answer::Unsolvable) => {}
            (outcome, _) => panic!("{outcome:?} instead of {expected:?}"),
        }
    }
}

#[track_caller]
fn check(drawing: &str, sizes: &[u8], expected: &Answer) {
    check_cluster(&cluster(drawing, sizes), expected);
}

#[test]
fn an_exchange_in_a_corridor_needs_a_pocket() {
    check("aB.bA", &[1, 1], &Answer::Unsolvable);
    check("aB.bA\n##.##", &[1, 1], &Answer::Within(9));
    check("aB...bA\n#####.#", &[1, 1], &Answer::Within(12));
}

#[test]
fn large_units_exchange_where_a_pocket_is_as_large() {
    check("a.B.b.A.\n........\n##..####", &[2, 2], &Answer::Unsolvable);
    check("a.B.b.A.\n........\n##..####\n##..####", &[2, 2], &Answer::Within(16));
}

#[test]
fn a_queue_leaves_a_dead_end_for_the_unit_that_goes_in() {
    check("a.#####\nB..bcA#\nC.#####\n..#####", &[1, 1, 1], &Answer::Within(20));
}

#[test]
fn a_unit_without_a_goal_makes_room_and_stays_away() {
    check("a.bA\n##.#", &[1, 1], &Answer::Within(4));
    check("a.bA", &[1, 1], &Answer::Unsolvable);
}

#[test]
fn a_unit_that_holds_is_a_wall() {
    let mut cluster = cluster("a.bA\n....", &[1, 1]);
    cluster.holds[1] = true;
    check_cluster(&cluster, &Answer::Within(5));
    cluster.closed = vec![throng_model::Cell::new(2, 1)];
    check_cluster(&cluster, &Answer::Unsolvable);
}

#[test]
fn two_of_many_units_are_enough_to_prove_that_there_is_no_plan() {
    let drawing = "aB.bA######\n#####...c..\n.........eD\nd..E......C";
    check(drawing, &[1, 1, 1, 1, 1], &Answer::Unsolvable);
}
