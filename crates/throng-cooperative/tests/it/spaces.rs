//! The planners on hexagons and roads, checked by the places of all units at every half tick.
//! The checker has its own model of hexagons and roads and does not use the spaces.

use std::collections::BTreeMap;

use rand::RngExt;
use rand::seq::SliceRandom;
use throng_cooperative::{Instance, InstanceUnit, Simulation, Windowed};
use throng_model::Effort;
use throng_spaces::{HexSpace, Road, RoadNetwork, RoadSpace, Traffic};
use throng_spacetime::{Position, Space};
use throng_testkit::rng;

const INSTANCES: u64 = 100;
/// The most turns of an instance.
const TURNS: usize = 500;

/// A world as the judge sees it.
trait Truth {
    /// How long it takes from a position to another, if one can get there at once.
    fn ticks(&self, from: Position, to: Position) -> Option<usize>;

    /// The place of a unit that left `from` for `to` this many half ticks ago.
    fn place(&self, from: Position, to: Position, half_ticks: usize) -> Place;
}

/// Two units in one place have collided.
type Place = (i64, i64, i64);

/// A unit's places, half tick by half tick, from its positions, tick by tick: it is where
/// it comes from until it arrives.
fn places(truth: &impl Truth, path: &[Position]) -> Result<Vec<Place>, String> {
    let mut places = vec![truth.place(path[0], path[0], 0)];
    for (tick, step) in path.windows(2).enumerate().map(|(before, step)| (before + 1, step)) {
        let (from, to) = (step[0], step[1]);
        if from == to {
            places.extend([truth.place(from, from, 0); 2]);
            continue;
        }
        let ticks = truth.ticks(from, to).ok_or(format!("no way {from:?} to {to:?}"))?;
        let begin = tick.checked_sub(ticks).ok_or("arrived too soon")?;
        if path[begin..tick].iter().any(|&at| at != from) {
            return Err(format!("{from:?} to {to:?} in less than {ticks} ticks"));
        }
        places.truncate(2 * begin + 1);
        places.extend((1..=2 * ticks).map(|passed| truth.place(from, to, passed)));
    }
    Ok(places)
}

/// Checks that all units move legally and that no two are in one place, up to a tick. Units that
/// have arrived stay.
fn judge(truth: &impl Truth, paths: &[Vec<Position>], last_tick: usize) -> Result<(), String> {
    let mut taken = BTreeMap::new();
    for (unit, path) in paths.iter().enumerate() {
        let places = places(truth, path)?;
        let end = places[places.len() - 1];
        let parked = std::iter::repeat(end);
        for (at, place) in places.into_iter().chain(parked).enumerate().take(2 * last_tick + 1) {
            if let Some(other) = taken.insert((at, place), unit) {
                return Err(format!("units {other} and {unit} collide at half tick {at}"));
            }
        }
    }
    Ok(())
}

struct Hexagons<'a> {
    rows: &'a [&'a str],
    pace: usize,
}

impl Hexagons<'_> {
    /// In half widths and rows.
    fn centre(&self, at: Position) -> (i64, i64) {
        let (column, row) = (at.get() % self.rows[0].len(), at.get() / self.rows[0].len());
        (2 * column as i64 + row as i64 % 2, row as i64)
    }

    fn is_free(&self, at: Position) -> bool {
        self.rows.concat().as_bytes().get(at.get()) == Some(&b'.')
    }
}

impl Truth for Hexagons<'_> {
    fn ticks(&self, from: Position, to: Position) -> Option<usize> {
        let (one, other) = (self.centre(from), self.centre(to));
        let apart = (one.0.abs_diff(other.0), one.1.abs_diff(other.1));
        let legal = matches!(apart, (2, 0) | (1, 1)) && self.is_free(from) && self.is_free(to);
        legal.then_some(self.pace)
    }

    fn place(&self, from: Position, to: Position, half_ticks: usize) -> Place {
        let ((from_x, from_y), (to_x, to_y)) = (self.centre(from), self.centre(to));
        let whole = 2 * self.pace as i64;
        let between = |from: i64, to: i64| whole * from + (to - from) * half_ticks as i64;
        (between(from_x, to_x), between(from_y, to_y), 0)
    }
}

struct Roads<'a>(&'a [Road]);

impl Roads<'_> {
    /// Which road leads there, and whether it is driven from its beginning.
    fn find(&self, from: Position, to: Position) -> Option<(usize, bool)> {
        self.0.iter().enumerate().find_map(|(number, road)| {
            let back = road.traffic != Traffic::OneWay && (road.to, road.from) == (from, to);
            let forth = (road.from, road.to) == (from, to);
            (forth || back).then_some((number, forth))
        })
    }
}

impl Truth for Roads<'_> {
    fn ticks(&self, from: Position, to: Position) -> Option<usize> {
        self.find(from, to).map(|(road, _)| self.0[road].ticks as usize)
    }

    fn place(&self, from: Position, to: Position, half_ticks: usize) -> Place {
        let crossing = |at: Position| (-1, i64::from(at.0), 0);
        let Some((number, forth)) = self.find(from, to) else { return crossing(from) };
        let road = self.0[number];
        let (driven, whole) = (half_ticks as i64, 2 * i64::from(road.ticks));
        let along = if forth { driven } else { whole - driven };
        let lane = i64::from(road.traffic == Traffic::TwoLanes && !forth);
        match driven {
            0 => crossing(from),
            _ if driven == whole => crossing(to),
            _ => (number as i64, along, lane),
        }
    }
}

/// Positions as they are listed.
fn path(numbers: &[u32]) -> Vec<Position> {
    numbers.iter().copied().map(Position).collect()
}

fn verdict(truth: &impl Truth, paths: &[&[u32]]) -> Result<(), String> {
    let paths: Vec<_> = paths.iter().map(|numbers| path(numbers)).collect();
    judge(truth, &paths, 10)
}

#[test]
fn the_judge_sees_what_is_wrong_among_hexagons() {
    // 0 1 2
    //  3 # 5
    let quick = Hexagons { rows: &["...", ".#."], pace: 1 };
    assert_eq!(
        verdict(&quick, &[&[0, 1], &[2, 2, 1, 0]]),
        Err("units 0 and 1 collide at half tick 4".into())
    );
    assert_eq!(
        verdict(&quick, &[&[0, 1], &[1, 0]]),
        Err("units 0 and 1 collide at half tick 1".into())
    );
    assert_eq!(verdict(&quick, &[&[0, 1, 2], &[3, 0, 1]]), Ok(()), "one follows the other");
    assert_eq!(verdict(&quick, &[&[0, 1, 3, 0], &[1, 3, 0, 1], &[3, 0, 1, 3]]), Ok(()), "a ring");
    assert!(verdict(&quick, &[&[0, 2]]).is_err(), "too far");
    assert!(verdict(&quick, &[&[1, 4]]).is_err(), "blocked");
    let slow = Hexagons { pace: 2, ..quick };
    assert!(verdict(&slow, &[&[0, 1]]).is_err(), "too soon");
    assert!(verdict(&slow, &[&[0, 0, 1, 2]]).is_err(), "too quick");
    assert_eq!(verdict(&slow, &[&[0, 0, 1, 1, 2]]), Ok(()));
    assert!(verdict(&slow, &[&[0, 0, 1], &[1, 1, 1, 0]]).is_err(), "head on, a tick apart");
}

#[test]
fn the_judge_sees_what_is_wrong_on_roads() {
    let [a, b, c] = [0, 1, 2].map(Position);
    let roads = [Road::single_track(a, b, 3), Road::two_lanes(b, c, 2)];
    let roads = Roads(&roads);
    assert_eq!(
        verdict(&roads, &[&[0, 0, 0, 1], &[1, 1, 1, 0]]),
        Err("units 0 and 1 collide at half tick 3".into())
    );
    assert!(verdict(&roads, &[&[0, 0, 0, 1], &[1, 1, 1, 1, 0]]).is_err(), "in a slot");
    assert_eq!(verdict(&roads, &[&[1, 1, 2], &[2, 2, 1]]), Ok(()), "two lanes");
    assert_eq!(verdict(&roads, &[&[1, 1, 2, 2], &[0, 0, 0, 1]]), Ok(()), "one follows the other");
    assert!(verdict(&roads, &[&[0, 0, 1]]).is_err(), "too quick");
    assert!(verdict(&roads, &[&[0, 0, 0, 2]]).is_err(), "no road");
}

/// `count` units with different starts and different goals among these positions.
fn random_units(seed: u64, mut places: Vec<Position>, count: usize) -> Vec<InstanceUnit> {
    let mut rng = rng(seed);
    places.shuffle(&mut rng);
    let starts = places.clone();
    places.shuffle(&mut rng);
    let pairs = starts.into_iter().zip(places).take(count);
    pairs.map(|(start, goal)| InstanceUnit { start, goal, space: 0 }).collect()
}

/// Runs an instance under WHCA* and checks every tick. Returns whether all arrive and stay.
fn run<S: Space>(truth: &impl Truth, instance: &Instance<S>, window: u32, seed: u64) -> bool {
    let mut simulation = Windowed { window, ..Windowed::default() }.simulate(instance, seed);
    let mut paths: Vec<_> = instance.units.iter().map(|spec| vec![spec.start]).collect();
    let goals: Vec<_> = instance.units.iter().map(|spec| spec.goal).collect();
    // Who has just left is still where it comes from, for as long as its move takes.
    let unseen = instance.spaces[0].move_ticks_max() as usize;
    let mut turns_there = 0;
    simulation.prepare(&mut Effort::unlimited());
    while turns_there < unseen && paths[0].len() <= TURNS {
        simulation.turn(&mut Effort::unlimited());
        paths.iter_mut().zip(simulation.positions()).for_each(|(path, &at)| path.push(at));
        turns_there = if simulation.positions() == goals { turns_there + 1 } else { 0 };
    }
    assert_eq!(judge(truth, &paths, paths[0].len() - unseen), Ok(()), "instance {seed}");
    turns_there == unseen
}

/// The number of instances in which all units arrive.
fn run_hexagons(pace: u8, window: u32) -> usize {
    let rows = [".......", ".#.#...", "....#..", "..#....", ".....#.", "......."];
    let truth = Hexagons { rows: &rows, pace: pace.into() };
    let space = HexSpace::from_rows(&rows, pace).unwrap();
    let places = || (0..space.positions() as u32).map(Position).filter(|&at| truth.is_free(at));
    let instance = |seed| {
        let units = random_units(seed, places().collect(), 10);
        Instance { spaces: vec![space.clone()], units }
    };
    (0..INSTANCES).filter(|&seed| run(&truth, &instance(seed), window, seed)).count()
}

#[test]
fn units_among_hexagons_arrive_and_never_collide() {
    assert_eq!(run_hexagons(1, 16), INSTANCES as usize);
    assert_eq!(run_hexagons(1, 4), INSTANCES as usize);
}

#[test]
fn slow_units_among_hexagons_never_collide_and_mostly_arrive() {
    let arrived = [run_hexagons(2, 16), run_hexagons(3, 24)];
    assert!(arrived.iter().all(|&arrived| arrived * 100 >= INSTANCES as usize * 85), "{arrived:?}");
}

fn road_space(crossings: u32, roads: &[Road]) -> RoadSpace {
    let mut network = RoadNetwork::new();
    (0..crossings).for_each(|_| assert!(network.crossing(0, 0).is_ok()));
    roads.iter().for_each(|&road| network.road(road).unwrap());
    network.build().holding_ends()
}

/// A ring of crossings, a road across, a yard beside every crossing.
fn random_roads(seed: u64, ring: u32, ticks_max: u32) -> Vec<Road> {
    let mut rng = rng(seed);
    let mut road = |from, to| {
        let kinds = [Road::single_track, Road::two_lanes];
        let make = kinds[rng.random_range(0..2_u32) as usize];
        make(Position(from), Position(to), rng.random_range(1..=ticks_max))
    };
    let mut roads: Vec<_> = (0..ring).map(|at| road(at, (at + 1) % ring)).collect();
    roads.extend((0..ring).map(|at| road(at, ring + at)));
    roads.push(road(0, ring / 2));
    roads
}

fn run_roads(ticks_max: u32, units: usize, window: u32) -> usize {
    let arrives = |&seed: &u64| {
        let roads = random_roads(seed, 6, ticks_max);
        let yards = (6..12).map(Position).collect();
        let spaces = vec![road_space(12, &roads)];
        let instance = Instance { spaces, units: random_units(seed, yards, units) };
        run(&Roads(&roads), &instance, window, seed)
    };
    (0..INSTANCES).filter(arrives).count()
}

#[test]
fn vehicles_on_roads_of_one_tick_arrive_and_never_collide() {
    assert_eq!(run_roads(1, 6, 16), INSTANCES as usize);
    assert_eq!(run_roads(1, 4, 4), INSTANCES as usize);
}

#[test]
fn vehicles_on_long_roads_arrive_and_never_collide() {
    assert_eq!(run_roads(4, 4, 32), INSTANCES as usize);
    run_roads(4, 8, 4);
    run_roads(6, 8, 12);
}
