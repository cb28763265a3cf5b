//! Worlds in two forms, as spaces and as lists for brute force, and the comparison of both.

use rand::RngExt as _;
use throng_model::{Budget, Silent, Weight};
use throng_optimal::{JointAStar, JointOutcome};
use throng_spaces::{HexSpace, Road, RoadNetwork, RoadSpace, Traffic};
use throng_spacetime::{Instance, InstanceUnit, Position, Space};
use throng_testkit::timed_moves::{Kind, TimedMove, Traveller, check, optimum};

use crate::help::{OBJECTIVES, planners};

pub(crate) fn travellers<'k, S>(instance: &Instance<S>, kinds: &'k [Kind]) -> Vec<Traveller<'k>> {
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
    kinds: &[Kind],
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
    assert_eq!(check(&units, &paths, planner.objective), Ok(cost), "{planner:?} {paths:?}");
    assert!(bound <= cost && cost <= planner.weight.times(bound), "{bound} {cost} {planner:?}");
    Some(cost)
}

/// Every combination of techniques finds what brute force finds.
#[track_caller]
pub(crate) fn agrees<S: Space + Sync>(instance: &Instance<S>, kinds: &[Kind]) -> bool {
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
pub(crate) fn roads(crossings: usize, roads: &[Road], ends_held: bool) -> (RoadSpace, Kind) {
    let mut network = RoadNetwork::new();
    let standing: Vec<_> = (0..crossings as u32).map(|crossing| vec![crossing]).collect();
    for _ in 0..crossings {
        network.crossing(0, 0).unwrap();
    }
    let (mut moves, mut next) = (Vec::new(), crossings as u32);
    for &road in roads {
        network.road(road).unwrap();
        // Numbers for the slots of each lane and, on a single track, for its gaps.
        let (first, lane) = (next, 2 * road.ticks);
        next += 2 * lane;
        let ticks = road.ticks;
        let held = |back: bool| {
            let first =
                if back && road.traffic == Traffic::TwoLanes { first + lane } else { first };
            let along = move |tick: u32| if back { ticks - tick } else { tick };
            let at = move |tick: u32| {
                let slot = (tick < ticks).then_some(first + 2 * along(tick));
                let gap = first + along(tick).min(along(tick - 1)) * 2 + 1;
                let gap = (road.traffic == Traffic::SingleTrack).then_some(gap);
                let end = if back { road.from.0 } else { road.to.0 };
                let end = (ends_held && tick < ticks).then_some(end);
                slot.into_iter().chain(gap).chain(end).collect()
            };
            (1..=ticks).map(at).collect()
        };
        let (from, to) = (road.from.get(), road.to.get());
        moves.push(TimedMove { from, to, held: held(false) });
        if road.traffic != Traffic::OneWay {
            moves.push(TimedMove { from: to, to: from, held: held(true) });
        }
    }
    let space = network.build();
    let space = if ends_held { space.holding_ends() } else { space };
    (space, Kind { standing, moves })
}

/// Hexagons twice: as a space, and as lists by the distance of their centres.
pub(crate) fn hexagons(rows: &[String], pace: u8) -> (HexSpace, Kind) {
    let width = rows[0].len();
    let free: Vec<bool> = rows.concat().chars().map(|symbol| symbol == '.').collect();
    let centre = |at: usize| (2 * (at % width) + at / width % 2, at / width);
    let is_near = |a: usize, b: usize| {
        let (one, other) = (centre(a), centre(b));
        let (across, down) = (one.0.abs_diff(other.0), one.1.abs_diff(other.1));
        (across, down) == (2, 0) || (across, down) == (1, 1)
    };
    let (count, mut moves) = (free.len(), Vec::new());
    for from in 0..count {
        for to in (0..count).filter(|&to| free[from] && free[to] && is_near(from, to)) {
            let gap = (count + from.min(to) * count + from.max(to)) as u32;
            let mut held = vec![vec![from as u32, to as u32]; usize::from(pace) - 1];
            held.push(if pace == 1 { vec![gap] } else { Vec::new() });
            moves.push(TimedMove { from, to, held });
        }
    }
    let standing = (0..count as u32).map(|at| vec![at]).collect();
    (HexSpace::from_rows(rows, pace).unwrap(), Kind { standing, moves })
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
