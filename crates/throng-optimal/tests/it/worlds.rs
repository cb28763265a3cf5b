//! Worlds in two forms, as spaces and as lists for brute force, and the comparison of both.

use rand::RngExt as _;
use throng_model::{Budget, Objective, Silent, Weight};
use throng_optimal::{JointAStar, JointOutcome};
use throng_referee::{MoveLists, Traveller, check_moves};
use throng_spaces::{HexSpace, Road, RoadNetwork, RoadSpace, Traffic};
use throng_spacetime::{Instance, InstanceUnit, Position, Space};
use throng_testkit::timed_moves::optimum;

use crate::help::{OBJECTIVES, planners};

pub(crate) fn travellers<'k, S>(
    instance: &Instance<S>,
    kinds: &'k [MoveLists],
) -> Vec<Traveller<'k>> {
    let traveller = |unit: &InstanceUnit| Traveller {
        kind: &kinds[unit.space],
        start: unit.start.get(),
        goal: unit.goal.get(),
    };
    instance.units.iter().map(traveller).collect()
}

/// Plans and checks the plan: its cost, or nothing if there is provably none.
#[track_caller]
pub(crate) fn checked<S: Space + Sync>(
    planner: &JointAStar,
    instance: &Instance<S>,
    kinds: &[MoveLists],
) -> Option<u64> {
    let report = planner.plan_instance(instance, Budget::unlimited(), &mut Silent).unwrap();
    let (paths, cost, bound) = match report.outcome {
        JointOutcome::Solved { paths, cost, proven_bound } => (paths, cost, proven_bound),
        JointOutcome::Unreachable(_) | JointOutcome::Unsolvable(_) => return None,
        JointOutcome::BudgetSpent { .. } => unreachable!("there is no limit"),
    };
    let nodes = |path: &Vec<Position>| path.iter().map(|at| at.get()).collect();
    let paths: Vec<_> = paths.iter().map(nodes).collect();
    let units = travellers(instance, kinds);
    let verdict = check_moves(&units, &paths);
    assert_eq!(verdict.violations, [], "{planner:?} {paths:?}");
    let refereed = match planner.objective {
        Objective::SumOfCosts => verdict.sum_of_costs,
        Objective::TimeAway => verdict.time_away,
    };
    assert_eq!(refereed, cost, "{planner:?} {paths:?}");
    assert!(bound <= cost && cost <= planner.weight.times(bound), "{bound} {cost} {planner:?}");
    Some(cost)
}

/// Every combination of techniques finds what brute force finds.
#[track_caller]
pub(crate) fn agrees<S: Space + Sync>(instance: &Instance<S>, kinds: &[MoveLists]) -> bool {
    let mut is_solvable = true;
    for objective in OBJECTIVES {
        let expected = optimum(&travellers(instance, kinds), objective);
        is_solvable = expected.is_some();
        for planner in planners() {
            let planner = planner.with_objective(objective);
            assert_eq!(checked(&planner, instance, kinds), expected, "{planner:?}");
        }
        let weighted = JointAStar::new().with_weight(Weight::from_permille(1500).unwrap());
        let cost = checked(&weighted.with_objective(objective), instance, kinds);
        assert_eq!(cost.is_some(), expected.is_some());
        assert!(cost >= expected);
    }
    is_solvable
}

/// A road network twice: as a space, and as lists. Vehicles hold the crossing ahead if asked to.
pub(crate) fn roads(crossings: u32, roads: &[Road], ends_held: bool) -> (RoadSpace, MoveLists) {
    let mut network = RoadNetwork::new();
    let mut lists = MoveLists::of_places(crossings);
    for _ in 0..crossings {
        network.crossing(0, 0).unwrap();
    }
    for &road in roads {
        network.road(road).unwrap();
        let (from, to) = (road.from.get(), road.to.get());
        match road.traffic {
            Traffic::OneWay => lists.one_way(from, to, road.ticks),
            Traffic::SingleTrack => lists.single_track(from, to, road.ticks),
            Traffic::TwoLanes => lists.two_lanes(from, to, road.ticks),
        }
    }
    let space = network.build();
    if ends_held { (space.holding_ends(), lists.holding_ends()) } else { (space, lists) }
}

/// Hexagons twice: as a space, and as lists.
pub(crate) fn hexagons(rows: &[String], pace: u8) -> (HexSpace, MoveLists) {
    (HexSpace::from_rows(rows, pace).unwrap(), MoveLists::hexagons(rows, pace))
}

/// Different places out of these, in random order.
fn draw(rng: &mut impl rand::Rng, mut from: Vec<u32>, count: usize) -> Vec<Position> {
    let mut take = |_| Position(from.swap_remove(rng.random_range(0..from.len() as u32) as usize));
    (0..count).map(&mut take).collect()
}

pub(crate) fn random_units(
    rng: &mut impl rand::Rng,
    places: &[u32],
    count: usize,
    spaces: usize,
) -> Vec<InstanceUnit> {
    let starts = draw(rng, places.to_vec(), count);
    let goals = draw(rng, places.to_vec(), count);
    let unit = |(number, (start, goal))| InstanceUnit { start, goal, space: number % spaces };
    starts.into_iter().zip(goals).enumerate().map(unit).collect()
}
