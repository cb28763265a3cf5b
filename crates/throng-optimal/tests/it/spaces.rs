//! Joint A* on roads and hexagons against brute force. The lists of the brute force are made from
//! the documentation of roads and hexagons, not from their code.

use rand::RngExt as _;
use throng_model::{Budget, Silent};
use throng_optimal::{Heuristic, Independence, InstanceError, JointAStar, JointOutcome};
use throng_referee::MoveLists;
use throng_spaces::{Road, RoadSpace};
use throng_spacetime::{Action, Entry, Instance, InstanceUnit, Move, Position, Space};
use throng_testkit::timed_moves::optimum;

use crate::help::OBJECTIVES;
use crate::worlds::{agrees, checked, hexagons, random_units, roads, travellers};

#[test]
fn random_road_networks() {
    let mut solvable = 0;
    for seed in 0..40 {
        let mut rng = throng_testkit::rng(seed);
        let (crossings, count) = [(4, 2), (5, 2), (5, 3), (6, 2)][seed as usize % 4];
        let mut list = Vec::new();
        for to in 1..crossings {
            for from in 0..to {
                if from + 1 == to || rng.random_range(0..100_u32) < 25 {
                    let (from, to) = (Position(from), Position(to));
                    let ticks = rng.random_range(1..=3);
                    list.push(match rng.random_range(0..5_u32) {
                        0 => Road::one_way(from, to, ticks),
                        1 => Road::one_way(to, from, ticks),
                        2 => Road::two_lanes(from, to, ticks),
                        _ => Road::single_track(from, to, ticks),
                    });
                }
            }
        }
        let (space, kind) = roads(crossings, &list, seed % 3 == 0);
        let places: Vec<u32> = (0..crossings).collect();
        let units = random_units(&mut rng, &places, count, 1);
        solvable += usize::from(agrees(&Instance { spaces: vec![space], units }, &[kind]));
    }
    assert!((10..=38).contains(&solvable), "both kinds occur: {solvable}");
}

#[test]
fn random_hexagons_of_one_and_of_two_paces() {
    let mut solvable = 0;
    for seed in 0..40 {
        let mut rng = throng_testkit::rng(seed);
        let (width, height) = [(3, 2), (3, 3), (4, 2)][seed as usize % 3];
        let mut symbol = |_| if rng.random_range(0..100_u32) < 20 { '#' } else { '.' };
        let rows: Vec<String> =
            (0..height).map(|_| (0..width).map(&mut symbol).collect()).collect();
        let free = rows.concat();
        let free: Vec<u32> =
            free.char_indices().filter(|at| at.1 == '.').map(|at| at.0 as u32).collect();
        if free.len() < 3 {
            continue;
        }
        let paces: &[u8] = if seed % 2 == 0 { &[1] } else { &[1, 2] };
        let (spaces, kinds): (Vec<_>, Vec<_>) =
            paces.iter().map(|&pace| hexagons(&rows, pace)).unzip();
        let units = random_units(&mut rng, &free, 2 + seed as usize % 2, paces.len());
        solvable += usize::from(agrees(&Instance { spaces, units }, &kinds));
    }
    assert!((20..40).contains(&solvable), "both kinds occur: {solvable}");
}

/// A railway: a main line of stations with a loop at each, and a station at the end of a branch
/// from every loop.
fn railway(stations: u32) -> (RoadSpace, MoveLists) {
    let mut list = Vec::new();
    for station in 0..stations {
        let [west, up, down, east] = [0, 1, 2, 3].map(|place| Position(6 * station + place));
        let [north, south] = [4, 5].map(|place| Position(6 * station + place));
        list.push(Road::one_way(west, up, 2));
        list.push(Road::one_way(up, east, 2));
        list.push(Road::one_way(east, down, 2));
        list.push(Road::one_way(down, west, 2));
        list.push(Road::single_track(north, up, 3));
        list.push(Road::single_track(south, down, 3));
        if station + 1 < stations {
            list.push(Road::two_lanes(east, Position(6 * station + 6), 4));
        }
    }
    roads(6 * stations, &list, false)
}

#[test]
fn thirty_trains_on_a_railway() {
    let (space, kind) = railway(16);
    let mut rng = throng_testkit::rng(3);
    let ends: Vec<u32> = (0..16).flat_map(|station| [6 * station + 4, 6 * station + 5]).collect();
    let units = random_units(&mut rng, &ends, 30, 1);
    let (spaces, kinds) = (vec![space], [kind]);
    let instance = Instance { spaces, units };
    for objective in OBJECTIVES {
        let optimal = JointAStar::new().with_objective(objective);
        let cost = checked(&optimal, &instance, &kinds).unwrap();
        let alone: u64 = travellers(&instance, &kinds)
            .iter()
            .map(|&unit| optimum(&[unit], objective).unwrap())
            .sum();
        assert!(alone < cost, "they are in each other's way: {alone} {cost}");
        let merging =
            optimal.with_independence(Independence::Merge).with_heuristic(Heuristic::Pairs);
        assert_eq!(checked(&merging, &instance, &kinds), Some(cost));
    }
}

#[test]
fn ten_units_on_hexagons() {
    let rows: Vec<String> =
        ["........", "...##...", "........", ".#....#.", "........", "...##...", "........"]
            .map(String::from)
            .into();
    let (space, kind) = hexagons(&rows, 1);
    let at = |column, row| space.position(column, row).unwrap();
    let mut units = Vec::new();
    for row in [0, 2, 3, 4, 6] {
        units.push(InstanceUnit { start: at(0, row), goal: at(7, row), space: 0 });
        units.push(InstanceUnit { start: at(7, row), goal: at(0, row), space: 0 });
    }
    let instance = Instance { spaces: vec![space.clone()], units };
    let kinds = [kind];
    for objective in OBJECTIVES {
        let optimal = JointAStar::new().with_objective(objective);
        let cost = checked(&optimal, &instance, &kinds);
        assert!(cost.is_some());
        for threads in [2, 3] {
            assert_eq!(checked(&optimal.clone().with_threads(threads), &instance, &kinds), cost);
        }
    }
}

/// A unit cannot leave a one-way road's dead end: moves into it are not tried.
#[test]
fn a_dead_end_is_not_entered() {
    let [a, b, end] = [0, 1, 2].map(Position);
    let list = [Road::single_track(a, b, 2), Road::one_way(a, end, 1)];
    let (space, kind) = roads(3, &list, false);
    let unit = |start, goal| InstanceUnit { start, goal, space: 0 };
    let spaces = vec![space];
    let instance = Instance { spaces: spaces.clone(), units: vec![unit(a, b)] };
    assert_eq!(checked(&JointAStar::new(), &instance, &[kind]), Some(2));
    let stuck = Instance { spaces, units: vec![unit(end, a)] };
    let report = JointAStar::new().plan_instance(&stuck, Budget::unlimited(), &mut Silent).unwrap();
    assert!(matches!(report.outcome, JointOutcome::Unreachable(unit) if unit.index() == 0));
}

#[test]
fn what_is_not_supported_is_refused_by_name() {
    let (space, _) = roads(2, &[Road::single_track(Position(0), Position(1), 2)], false);
    let refusal = |instance: &Instance<RoadSpace>| {
        JointAStar::new()
            .plan_instance(instance, Budget::unlimited(), &mut Silent)
            .unwrap_err()
            .to_string()
    };
    let unit =
        |start, goal, space| InstanceUnit { start: Position(start), goal: Position(goal), space };
    let with = |units| Instance { spaces: vec![space.clone()], units };
    assert_eq!(
        refusal(&with(vec![unit(0, 1, 3)])),
        "unit 0 is in space 3, but there are 1; add it, or choose another"
    );
    assert_eq!(
        refusal(&with(vec![unit(0, 7, 0)])),
        "position 7 of unit 0 does not exist: its space has 2"
    );
    assert_eq!(
        refusal(&with(vec![unit(0, 1, 0), unit(0, 0, 0)])),
        "unit 0 and unit 1 overlap at their starts; move one of them"
    );
    assert_eq!(
        refusal(&with(vec![unit(0, 1, 0), unit(1, 1, 0)])),
        "unit 0 and unit 1 overlap at their goals; move one of them"
    );
    let (other, _) = roads(1, &[], false);
    let spaces = vec![space.clone(), other];
    assert_eq!(
        refusal(&Instance { spaces, units: Vec::new() }),
        "space 1 has 1 entries, space 0 has 5: make them equal"
    );
}

/// A line of two positions whose only move is as strange as a test wants it.
#[derive(Clone)]
struct Strange {
    moves: Vec<Move>,
    held_at: u32,
}

impl Space for Strange {
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
        2
    }

    fn for_each_move(&self, from: Position, visit: impl FnMut(Move)) {
        self.moves.iter().copied().filter(|_| from.0 == 0).for_each(visit);
    }

    fn for_each_move_back(&self, to: Position, mut visit: impl FnMut(Move)) {
        let back = |step: &Move| Move { to: Position(0), ..*step };
        self.moves.iter().filter(|_| to.0 == 1).for_each(|step| visit(back(step)));
    }

    fn standing(&self, at: Position, mut visit: impl FnMut(Entry) -> bool) -> bool {
        visit(Entry(at.0))
    }

    fn footprint(&self, _: Position, _: Action, mut visit: impl FnMut(Entry, u32) -> bool) -> bool {
        visit(Entry(1), self.held_at)
    }

    fn passings(&self, _: Position, _: Action, _: impl FnMut(Entry, Entry) -> bool) -> bool {
        true
    }
}

#[test]
fn strange_moves_are_refused_by_name() {
    let plain = Move { to: Position(1), cost: 1, ticks: 1, action: Action(0) };
    let refusal = |moves: Vec<Move>, held_at| {
        let instance = Instance { spaces: vec![Strange { moves, held_at }], units: Vec::new() };
        JointAStar::new().plan_instance(&instance, Budget::unlimited(), &mut Silent).unwrap_err()
    };
    let from = Position(0);
    assert_eq!(
        refusal(vec![Move { cost: 3, ..plain }], 1),
        InstanceError::Cost { space: 0, from, cost: 3, ticks: 1 }
    );
    assert_eq!(
        refusal(vec![plain], 0),
        InstanceError::Footprint { space: 0, from, ticks: 1, tick: 0 }
    );
    assert_eq!(
        refusal(vec![plain, Move { action: Action(1), ..plain }], 1),
        InstanceError::Parallel { space: 0, from, to: Position(1) }
    );
}
