//! WHCA* on two worlds that are not square grids: hexagons, and a railway with a passing
//! loop. Prints both timetables.
//!
//! `cargo run --release -p throng-spaces --example hexagons_and_roads`
#![expect(clippy::print_stdout, reason = "a timetable to be read")]

use std::error::Error;

use throng_cooperative::{Instance, InstanceUnit, Simulation, Windowed};
use throng_model::Effort;
use throng_spaces::{HexSpace, Road, RoadError, RoadNetwork, RoadSpace};
use throng_spacetime::{Position, Space};

const TURNS: usize = 100;

fn main() -> Result<(), Box<dyn Error>> {
    println!("Hexagons: three units from each side change places through two gaps.\n");
    hexagons()?;
    println!("\nA railway: trains from both ends meet on a loop; all else is single track.\n");
    railway()?;
    Ok(())
}

fn hexagons() -> Result<(), Box<dyn Error>> {
    let rows = ["...#...", "...#...", ".......", "...#...", "......."];
    for (number, row) in rows.iter().enumerate() {
        let shift = if number % 2 == 1 { " " } else { "" };
        println!(
            "  {shift}{}",
            row.chars().map(|hexagon| format!("{hexagon} ")).collect::<String>()
        );
    }
    let space = HexSpace::from_rows(&rows, 1)?;
    let at = |column, row| space.position(column, row).ok_or("off the map");
    let mut units = Vec::new();
    for row in [0, 2, 4] {
        let (west, east) = (at(0, row)?, at(6, row)?);
        units.push(InstanceUnit { start: west, goal: east, space: 0 });
        units.push(InstanceUnit { start: east, goal: west, space: 0 });
    }
    let name = |at| {
        let (column, row) = space.coordinates(at);
        format!("{column},{row}")
    };
    print_timetable(&Instance { spaces: vec![space.clone()], units }, name);
    Ok(())
}

const STATIONS: [&str; 8] = ["Aach", "Bonn", "west", "up", "down", "east", "York", "Zell"];

/// ```text
/// Aach --.         ,- up -->.         ,-- York
///         :- west :          :- east -:
/// Bonn --'         `<- down '         `-- Zell
/// ```
fn network() -> Result<RoadSpace, RoadError> {
    let places = [(0, 0), (0, 4), (3, 2), (5, 0), (5, 4), (7, 2), (10, 0), (10, 4)];
    let mut network = RoadNetwork::new();
    for (x, y) in places {
        network.crossing(x, y)?;
    }
    let [aach, bonn, west, up, down, east, york, zell] = [0, 1, 2, 3, 4, 5, 6, 7].map(Position);
    for (one, other) in [(aach, west), (bonn, west), (york, east), (zell, east)] {
        network.road(Road::single_track(one, other, 4))?;
    }
    for (from, to) in [(west, up), (up, east), (east, down), (down, west)] {
        network.road(Road::one_way(from, to, 3))?;
    }
    Ok(network.build())
}

fn railway() -> Result<(), Box<dyn Error>> {
    let trains = [("Aach", "York"), ("Bonn", "Zell"), ("York", "Aach"), ("Zell", "Bonn")];
    let station = |name| STATIONS.iter().position(|&station| station == name).ok_or("no station");
    let mut units = Vec::new();
    for (from, to) in trains {
        let [start, goal] = [station(from)?, station(to)?].map(|at| Position(at as u32));
        units.push(InstanceUnit { start, goal, space: 0 });
    }
    let name = |at: Position| STATIONS[at.get()].to_owned();
    print_timetable(&Instance { spaces: vec![network()?], units }, name);
    Ok(())
}

/// Prints one line per tick, with what every unit does: waits (nothing), or arrives somewhere.
fn print_timetable<S: Space>(instance: &Instance<S>, name: impl Fn(Position) -> String) {
    let line = |tick: usize, cells: &[String]| {
        println!(
            "{tick:>6}  {}",
            cells.iter().map(|cell| format!("{cell:<6}")).collect::<String>()
        );
    };
    let mut simulation = Windowed { window: 32, ..Windowed::default() }.simulate(instance, 0);
    simulation.prepare(&mut Effort::unlimited());
    println!("\n  tick  the stops of each unit");
    let goals: Vec<_> = instance.units.iter().map(|spec| spec.goal).collect();
    let mut before = simulation.positions().to_vec();
    line(0, &before.iter().map(|&at| name(at)).collect::<Vec<_>>());
    for tick in 1..=TURNS {
        if before == goals {
            return println!("all {} there after {} ticks", before.len(), tick - 1);
        }
        simulation.turn(&mut Effort::unlimited());
        let stop = |(&now, &then)| if now == then { String::from(".") } else { name(now) };
        let stops: Vec<_> = simulation.positions().iter().zip(&before).map(stop).collect();
        line(tick, &stops);
        before = simulation.positions().to_vec();
    }
    println!("not all there after {TURNS} ticks");
}
