//! Workloads: the queries of the benchmark.
//!
//! Lanctot et al. (2006), "Orbius-based data" and "Path-finding results". RANDOM and MODELED
//! are journeys of one player from destination to destination, as in the paper; EXTRACTED are
//! the paths between the stops of the players of real games.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use throng_scene::Location;
use throng_scene::{Level, Point};

use super::log::{Action, GameLog};
use super::town_routes::TownRoutes;

/// One query: a path from one location to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Query {
    /// Where the player is.
    pub from: Location,
    /// Where it wants to be.
    pub to: Location,
}

/// RANDOM: destinations from a uniform distribution over all that a body reaches, each
/// query from the destination of the one before.
#[must_use]
pub fn random(routes: &TownRoutes<'_>, queries: usize, seed: u64) -> Vec<Query> {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let mut from = routes.any(&mut rng).0;
    let query = |_| {
        let to = routes.any(&mut rng).0;
        Query { from: std::mem::replace(&mut from, to), to }
    };
    (0..queries).map(query).collect()
}

/// MODELED: journeys between the locations of a short list, never to the same one twice in a row.
/// Empty with fewer than two locations.
#[must_use]
pub fn modeled(locations: &[Location], queries: usize, seed: u64) -> Vec<Query> {
    let Some(others @ 1..) = u32::try_from(locations.len()).ok().and_then(|n| n.checked_sub(1))
    else {
        return Vec::new();
    };
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let mut at = rng.random_range(0..=others);
    let query = |_| {
        let next = rng.random_range(0..others);
        // Skips the present location.
        let to = if next >= at { next + 1 } else { next };
        let from = std::mem::replace(&mut at, to);
        Query { from: locations[from as usize], to: locations[to as usize] }
    };
    (0..queries).map(query).collect()
}

/// The locations of MODELED, as in the caption of table 3: interest points, which are nearly all
/// outside, "along with some random interior points". Interior is every zone but the largest
/// of the ground.
#[must_use]
pub fn modeled_locations(
    routes: &TownRoutes<'_>,
    interest: &[Point],
    interior: usize,
    seed: u64,
) -> Vec<Location> {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let outside = interest.iter().map(|&point| Location::new(point, Level::GROUND));
    let mut locations: Vec<Location> = outside.collect();
    // Every scene may be without interior: a limit instead of an endless search.
    for _ in 0..interior.saturating_mul(100) {
        if locations.len() == interest.len() + interior {
            break;
        }
        let (location, _) = routes.any(&mut rng);
        if is_interior(routes, location) {
            locations.push(location);
        }
    }
    locations
}

fn is_interior(routes: &TownRoutes<'_>, location: Location) -> bool {
    let scene = routes.ghost().scene();
    let on_ground = scene.zones().iter().filter(|zone| zone.level == Level::GROUND);
    let largest = on_ground.map(|zone| zone.polygon.area()).fold(0.0, f64::max);
    let zone = scene.zone_of(location.at, location.level).and_then(|zone| scene.zone(zone));
    zone.is_some_and(|zone| zone.level != Level::GROUND || zone.polygon.area() < largest)
}

/// EXTRACTED: the paths between the stops of each player, player by player.
///
/// A player stops where the time between two successive move updates exceeds
/// T = mean + `deviations` * standard deviation of that player's intervals (the paper's
/// k = 1); two successive stops are a query. Stops at the same location are none.
#[must_use]
pub fn extracted(log: &GameLog, deviations: f64) -> Vec<Query> {
    let mut moves: Vec<Vec<(u64, Location)>> = Vec::new();
    for event in log.events().iter().filter(|event| event.action == Action::MoveUpdate) {
        let player = event.player as usize;
        if moves.len() <= player {
            moves.resize(player + 1, Vec::new());
        }
        moves[player].push((event.time_ms, event.location));
    }
    let ways = moves.iter().flat_map(|moves| {
        let stops = stops(moves, deviations);
        stops.windows(2).map(|pair| Query { from: pair[0], to: pair[1] }).collect::<Vec<_>>()
    });
    ways.filter(|way| way.from != way.to).collect()
}

/// Where a player stopped.
fn stops(moves: &[(u64, Location)], deviations: f64) -> Vec<Location> {
    let intervals = || moves.windows(2).map(|pair| (pair[1].0 - pair[0].0) as f64);
    let count = intervals().count().max(1) as f64;
    let mean = intervals().sum::<f64>() / count;
    let variance = intervals().map(|interval| (interval - mean).powi(2)).sum::<f64>() / count;
    let threshold = mean + deviations * variance.sqrt();
    let stopped = intervals().zip(moves).filter(|(interval, _)| *interval > threshold);
    stopped.map(|(_, (_, location))| *location).collect()
}
