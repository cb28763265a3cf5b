//! Paths: found stretch by stretch while players follow them, within a budget per tick.
//!
//! Lanctot et al. (2006), "Movement and pathfinding": the way over the zones comes first, then the
//! paths between their gates are resolved gradually. The first stretch is found in the tick after
//! the command, so that the player starts at once.

use throng_scene::{ScenePathfinder, WalkOutcome};

use crate::ground::Ground;
use crate::player::{Motion, Player, Route};

/// Lattice nodes that all searches of a tick may expand together. The search that passes the limit is
/// finished: a stretch has a limit of its own.
const NODES_PER_TICK: u64 = 8_000;
/// Most nodes of the searches for one stretch.
pub(crate) const NODES_MAX: u32 = 20_000;
/// What a search costs beside its nodes, in nodes.
const SEARCH_COST: u64 = 50;
/// The next stretch is found when less than this is known ahead, in units.
const KNOWN_AHEAD: f64 = 2.0;

/// What came of the searches of a tick.
pub(crate) struct Planned {
    /// What they cost, in nodes.
    pub(crate) spent: u64,
    /// The players whose paths cannot be found.
    pub(crate) failed: Vec<usize>,
}

/// Finds the next stretches of players that need them: people first, then computer players, each in
/// turn.
pub(crate) fn plan(
    players: &mut [Player],
    finder: &mut ScenePathfinder,
    ground: &Ground,
    turn: usize,
) -> Planned {
    let count = players.len();
    let in_turn = (0..count).map(|index| (index + turn) % count);
    let (people, computers): (Vec<usize>, Vec<usize>) =
        in_turn.partition(|&index| players[index].is_person());
    let mut planned = Planned { spent: 0, failed: Vec::new() };
    for index in people.into_iter().chain(computers) {
        if planned.spent >= NODES_PER_TICK {
            break;
        }
        let player = &mut players[index];
        let location = player.location;
        let Motion::Path(route) = &mut player.motion else { continue };
        if !needs_stretch(route, player.location) {
            continue;
        }
        let (spent, is_found) = extend(route, location, finder, ground);
        planned.spent += spent;
        player.route_edition = player.route_edition.wrapping_add(1);
        if !is_found {
            planned.failed.push(index);
        }
    }
    planned
}

fn needs_stretch(route: &Route, here: throng_scene::Location) -> bool {
    let Some(walk) = &route.walk else { return true };
    if walk.outcome() != WalkOutcome::Walking {
        return false;
    }
    let mut known = 0.0;
    let mut before = here;
    for next in &route.ahead {
        known += before.at.distance(next.at);
        if known >= KNOWN_AHEAD {
            return false;
        }
        before = *next;
    }
    true
}

/// Adds the next stretch to a route. Returns the nodes that it cost, and whether there was one.
fn extend(
    route: &mut Route,
    here: throng_scene::Location,
    finder: &mut ScenePathfinder,
    ground: &Ground,
) -> (u64, bool) {
    let work = |walk: &throng_scene::Walk| walk.metrics().nodes + walk.metrics().waypoints;
    // A walk that begins has searched its way over the zones already.
    let before = route.walk.as_ref().map_or(0, work);
    if route.walk.is_none() {
        route.ahead.clear();
        route.walk = finder.find(&ground.scene, here, route.goal).ok();
    }
    let Some(walk) = &mut route.walk else { return (SEARCH_COST, false) };
    let stretch = walk.next_stretch(finder, &ground.scene);
    let spent = work(walk) - before + SEARCH_COST;
    let Some(stretch) = stretch else {
        // Where the known part ends the player stops.
        return (spent, !route.ahead.is_empty());
    };
    route.ahead.extend(stretch.locations.into_iter().skip(1));
    (spent, true)
}
