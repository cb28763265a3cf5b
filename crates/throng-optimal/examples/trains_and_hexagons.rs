//! Optimal plans on two worlds that are not square grids, with proof: thirty trains on a railway,
//! and ten units on hexagons. Prints what each plan costs and the timetable of some units. The
//! referee checks each plan, from lists of its own.
//!
//! `cargo run --release -p throng-optimal --example trains_and_hexagons`
#![expect(clippy::print_stdout, reason = "a timetable to be read")]

use std::error::Error;

use throng_model::{Budget, Objective, Silent};
use throng_optimal::{JointAStar, JointOutcome};
use throng_referee::{MoveLists, Traveller, check_moves};
use throng_spaces::{HexSpace, Road, RoadError, RoadNetwork, RoadSpace, Traffic};
use throng_spacetime::{Instance, InstanceUnit, Position, Space};

const STATIONS: u32 = 16;
const TRAINS: u32 = 30;
/// Units whose timetable is printed.
const PRINTED: usize = 4;

fn main() -> Result<(), Box<dyn Error>> {
    println!("A railway: {TRAINS} trains, {STATIONS} stations with a one-way loop each.");
    println!("From every loop a single track leads north and another south.\n");
    let units = (0..TRAINS).map(|train| InstanceUnit {
        start: depot(train),
        goal: depot((train * 7 + 11) % TRAINS),
        space: 0,
    });
    let railway = Instance { spaces: vec![railway()?], units: units.collect() };
    let name =
        |at: Position| format!("{}{}", at.0 / 6, ["w", "u", "d", "e", "N", "S"][at.get() % 6]);
    plan(&railway, &railway_lists(), name)?;

    println!("\nHexagons: five units from each side change places.\n");
    let rows = ["........", "...##...", "........", ".#....#.", "........", "...##...", "........"];
    let space = HexSpace::from_rows(&rows, 1)?;
    let at = |column, row| space.position(column, row).ok_or("off the map");
    let mut units = Vec::new();
    for row in [0, 2, 3, 4, 6] {
        let (west, east) = (at(0, row)?, at(7, row)?);
        units.push(InstanceUnit { start: west, goal: east, space: 0 });
        units.push(InstanceUnit { start: east, goal: west, space: 0 });
    }
    let name = |at| {
        let (column, row) = space.coordinates(at);
        format!("{column},{row}")
    };
    let instance = Instance { spaces: vec![space.clone()], units };
    plan(&instance, &MoveLists::hexagons(&rows, 1), name)
}

/// The end of a branch line.
fn depot(number: u32) -> Position {
    Position(6 * (number / 2) + 4 + number % 2)
}

/// ```text
///                 N
///                 |
///            ,-> up ->.
/// === west :          : east ===
///            `<-down<-'
///                 |
///                 S
/// ```
fn roads() -> Vec<Road> {
    let mut roads = Vec::new();
    for station in 0..STATIONS {
        let [west, up, down, east, north, south] =
            [0, 1, 2, 3, 4, 5].map(|place| Position(6 * station + place));
        let the_loop = [(west, up), (up, east), (east, down), (down, west)];
        roads.extend(the_loop.map(|(from, to)| Road::one_way(from, to, 2)));
        roads.push(Road::single_track(north, up, 3));
        roads.push(Road::single_track(south, down, 3));
        if station + 1 < STATIONS {
            roads.push(Road::two_lanes(east, Position(6 * station + 6), 4));
        }
    }
    roads
}

/// The railway for the planner.
fn railway() -> Result<RoadSpace, RoadError> {
    let mut network = RoadNetwork::new();
    for station in 0..STATIONS as i32 {
        for (x, y) in [(0, 0), (2, 2), (2, -2), (4, 0), (2, 5), (2, -5)] {
            network.crossing(8 * station + x, y)?;
        }
    }
    roads().into_iter().try_for_each(|road| network.road(road))?;
    Ok(network.build())
}

/// The railway for the referee.
fn railway_lists() -> MoveLists {
    let mut lists = MoveLists::of_places(6 * STATIONS);
    for Road { from, to, ticks, traffic } in roads() {
        match traffic {
            Traffic::OneWay => lists.one_way(from.get(), to.get(), ticks),
            Traffic::SingleTrack => lists.single_track(from.get(), to.get(), ticks),
            Traffic::TwoLanes => lists.two_lanes(from.get(), to.get(), ticks),
        }
    }
    lists
}

/// Plans for both objectives, has the plans checked and prints what was found.
fn plan<S: Space + Sync>(
    instance: &Instance<S>,
    lists: &MoveLists,
    name: impl Fn(Position) -> String,
) -> Result<(), Box<dyn Error>> {
    for objective in [Objective::SumOfCosts, Objective::TimeAway] {
        let planner = JointAStar::new().with_objective(objective);
        let report = planner.plan_instance(instance, Budget::unlimited(), &mut Silent)?;
        let JointOutcome::Solved { paths, cost, proven_bound } = report.outcome else {
            return Err(format!("no plan: {:?}", report.outcome).into());
        };
        println!(
            "{objective:?}: cost {cost}, proven bound {proven_bound}, {} nodes expanded, {} groups, \
             the largest of {} units",
            report.statistics.expanded, report.statistics.groups, report.statistics.largest_group
        );
        referee(instance, lists, &paths, (objective, cost))?;
        if objective == Objective::SumOfCosts {
            paths.iter().take(PRINTED).for_each(|path| println!("  {}", timetable(path, &name)));
        }
    }
    Ok(())
}

/// Checks the plan and its cost.
fn referee<S>(
    instance: &Instance<S>,
    lists: &MoveLists,
    paths: &[Vec<Position>],
    (objective, cost): (Objective, u64),
) -> Result<(), Box<dyn Error>> {
    let traveller = |unit: &InstanceUnit| Traveller {
        kind: lists,
        start: unit.start.get(),
        goal: unit.goal.get(),
    };
    let units: Vec<_> = instance.units.iter().map(traveller).collect();
    let places = |path: &Vec<Position>| path.iter().map(|at| at.get()).collect();
    let verdict = check_moves(&units, &paths.iter().map(places).collect::<Vec<_>>());
    if let Some(violation) = verdict.violations.first() {
        return Err(violation.to_string().into());
    }
    let refereed = match objective {
        Objective::SumOfCosts => verdict.sum_of_costs,
        Objective::TimeAway => verdict.time_away,
    };
    if refereed != cost {
        return Err(format!("it costs {refereed}, not {cost}").into());
    }
    println!("  the referee finds no violation, and the same cost");
    Ok(())
}

/// The stops of a unit, each with the tick of its arrival.
fn timetable(path: &[Position], name: impl Fn(Position) -> String) -> String {
    let is_arrival = |&(tick, at): &(usize, &Position)| tick == 0 || path[tick - 1] != *at;
    let stops = path.iter().enumerate().filter(is_arrival);
    let named: Vec<_> = stops.map(|(tick, &at)| format!("{} at {tick}", name(at))).collect();
    named.join(", ")
}
