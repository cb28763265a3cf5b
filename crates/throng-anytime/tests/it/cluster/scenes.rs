//! Random clusters: small ones against brute force, larger ones against the oracle that walks
//! units one by one.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use throng_anytime::{ClusterOutcome, ClusterPlanner};
use throng_model::{Cell, CornerRule, MovementProfile, Neighbours, Problem, Unit};
use throng_spacetime::PassingRule;
use throng_testkit::{mixed_scene, one_by_one, oracle, shuffled_scene};

use super::raw::RawCluster;

fn pick<T: Copy>(rng: &mut Pcg64Mcg, from: &[T]) -> T {
    from[rng.random_range(0..from.len() as u32) as usize]
}

fn overlap((a, a_side): (Cell, u8), (b, b_side): (Cell, u8)) -> bool {
    let meets = |a: u16, b: u16| a < b + u16::from(b_side) && b < a + u16::from(a_side);
    meets(a.x, b.x) && meets(a.y, b.y)
}

/// Two or three units of sizes 1 to 3 on a map of up to 6 x 5 cells; `None` if they do not fit.
fn small_cluster(seed: u64) -> Option<RawCluster> {
    let rng = &mut throng_testkit::rng(seed);
    let units = pick(rng, &[2, 2, 3]);
    let (width, height) = (rng.random_range(2..=6), rng.random_range(2..=5));
    let map = throng_testkit::random_map(seed, width, height, pick(rng, &[0, 10, 25, 40]));
    let corners =
        pick(rng, &[CornerRule::NeverCut, CornerRule::OneSideFree, CornerRule::AlwaysCut]);
    let neighbours = pick(rng, &[Neighbours::Four, Neighbours::Eight]);
    let kinds = [(); 3].map(|()| MovementProfile {
        neighbours,
        corners,
        footprint: pick(rng, &[1, 1, 2, 3]),
        pace: pick(rng, &[1, 1, 3]),
        ..MovementProfile::four_connected()
    });
    let mut problem = Problem::new(map, kinds[0].clone(), Vec::new());
    problem.movements = kinds.to_vec();
    for _ in 0..60 {
        let mut cell =
            || Cell::new(rng.random_range(0..width) as u16, rng.random_range(0..height) as u16);
        let (start, goal) = (cell(), cell());
        let movement = rng.random_range(0..3_u32) as usize;
        let stands = |cell: Cell| {
            let (x, y) = (i32::from(cell.x), i32::from(cell.y));
            oracle::standing_factor(&problem.map, &kinds[movement], x, y).is_some()
        };
        let side = kinds[movement].footprint;
        let is_free = |unit: &Unit| {
            let other = kinds[unit.movement].footprint;
            !overlap((start, side), (unit.start, other))
                && !overlap((goal, side), (unit.goal, other))
        };
        if problem.units.len() < units
            && stands(start)
            && stands(goal)
            && problem.units.iter().all(is_free)
        {
            problem.units.push(Unit { start, goal, movement });
        }
    }
    if problem.units.len() < units {
        return None;
    }
    let mut cluster = RawCluster::new(problem);
    cluster.rules.passing = pick(rng, &[PassingRule::ExplicitTest, PassingRule::DoubleClaims]);
    cluster.rules.corners_kept = rng.random_range(0..4_u32) == 0;
    cluster.has_goal.iter_mut().for_each(|has| *has = rng.random_range(0..8_u32) > 0);
    cluster.holds.iter_mut().for_each(|holds| *holds = rng.random_range(0..12_u32) == 0);
    Some(cluster)
}

#[test]
fn small_clusters_are_solved_exactly_when_brute_force_solves_them() {
    let (mut planner, mut counts) = (ClusterPlanner::default(), [0, 0]);
    for seed in 0..3000 {
        let Some(cluster) = small_cluster(seed) else { continue };
        let expected = cluster.is_solvable();
        let found = match cluster.plan(&mut planner, u64::MAX, seed) {
            ClusterOutcome::Solved(_) => true,
            ClusterOutcome::ProvenUnsolvable => false,
            ClusterOutcome::BudgetSpent => panic!("seed {seed}: an endless budget is spent"),
        };
        assert_eq!(found, expected, "seed {seed}: {:?}", cluster.problem);
        counts[usize::from(expected)] += 1;
    }
    assert!(counts.iter().all(|&count| count > 300), "{counts:?}");
}

#[test]
fn every_scene_that_can_be_walked_one_by_one_is_solved() {
    let mut planner = ClusterPlanner::default();
    for seed in 0..600 {
        let problem = mixed_scene(seed);
        let has_order = one_by_one(&problem, false).is_some();
        let cluster = RawCluster::new(problem);
        let outcome = cluster.plan(&mut planner, ClusterPlanner::EXPANSIONS, seed);
        let is_solved = matches!(outcome, ClusterOutcome::Solved(_));
        assert!(is_solved || !has_order, "seed {seed}: {outcome:?}");
    }
}

#[test]
fn nearly_every_scene_made_by_random_walks_is_solved() {
    let mut planner = ClusterPlanner::default();
    let mut solved = 0;
    for seed in 0..600 {
        let cluster = RawCluster::new(shuffled_scene(seed));
        let outcome = cluster.plan(&mut planner, ClusterPlanner::EXPANSIONS, seed);
        assert_ne!(outcome, ClusterOutcome::ProvenUnsolvable, "seed {seed}");
        solved += u32::from(matches!(outcome, ClusterOutcome::Solved(_)));
    }
    assert!(solved >= 594, "{solved} of 600");
}

#[test]
fn plans_do_not_depend_on_what_was_planned_before() {
    let mut used = ClusterPlanner::default();
    for seed in 0..60 {
        let cluster = RawCluster::new(mixed_scene(seed));
        let fresh = cluster.plan(&mut ClusterPlanner::default(), 20_000, 1);
        assert_eq!(cluster.plan(&mut used, 20_000, 1), fresh, "seed {seed}");
    }
}

#[test]
fn where_a_search_pauses_changes_nothing() {
    for seed in 0..200 {
        let cluster = RawCluster::new(mixed_scene(seed));
        let (mut whole, mut sliced) = Default::default();
        let outcome = cluster.plan(&mut whole, 50_000, seed);
        assert_eq!(cluster.plan_in_slices(&mut sliced, 50_000, seed, 300), outcome, "seed {seed}");
        assert_eq!(sliced.expansions(), whole.expansions(), "seed {seed}");
    }
}
