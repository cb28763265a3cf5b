//! How a player moves: it clicks on the map and walks in a straight line to the click.
//!
//! Lanctot et al. (2006), "Movement and pathfinding", the basic movement: the player moves
//! straight towards the destination, and stops when it is there or blocked;
//! a new destination can be set at any time.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use throng_scene::Location;
use throng_scene::{Ghost, Point, STAIRS_LENGTH};

use super::town_routes::TownRoutes;

/// Milliseconds between two move updates.
pub(crate) const TICK_MS: u64 = 100;
/// The distance that a player walks per tick, in units of length: 1.5 per second.
const STRIDE: f64 = 0.15;
/// How far a player sees, in units of length.
const SIGHT: f64 = 5.0;
/// Largest error of a click, in thousandths of a unit, in each direction.
const CLICK_ERROR_THOUSANDTHS: i32 = 60;

/// Steps aside, as shares of a stride ahead and to the left: half right, right, half left, left.
const SIDE_STEPS: [(f64, f64); 4] = [(0.7, -0.7), (0.0, -1.0), (0.7, 0.7), (0.0, 1.0)];

/// How much a tick in which a body is in the way counts, and how much a free one; at the limit the
/// player retreats.
const OBSTRUCTED: u32 = 2;
const FREE: u32 = 1;
const OBSTRUCTED_MAX: u32 = 12;
/// Directions in which a player retreats, how far in units, and most ticks until it clicks again.
const RETREATS: [(f64, f64); 8] = [
    (1.0, 0.0),
    (0.7, 0.7),
    (0.0, 1.0),
    (-0.7, 0.7),
    (-1.0, 0.0),
    (-0.7, -0.7),
    (0.0, -1.0),
    (0.7, -0.7),
];
const RETREAT_DISTANCES: [f64; 3] = [1.2, 0.6, 0.2];
const RETREAT_TICKS_MAX: u32 = 20;

/// The movement of one player.
#[derive(Clone, Debug)]
pub(crate) struct PlayerMovement {
    pub(crate) location: Location,
    /// The route; `next` is the first location that is not reached.
    route: Vec<Location>,
    next: usize,
    destination: Option<Point>,
    /// Its point at the last click: from there the next location of the route was visible.
    origin: Point,
    rest_ticks: u32,
    click_in_ticks: u32,
    /// The rest of a climb, and the rest at which it changes to the other end.
    climb_ticks: u32,
    change_at_ticks: u32,
    /// Mean ticks between two clicks.
    click_interval_ticks: u32,
    /// Grows while other bodies are in the way.
    obstructed: u32,
    /// Where it clicks next, to let others pass.
    retreat: Option<Point>,
    /// It stepped aside and does not see its route any more.
    is_off_route: bool,
}

/// The actions of a player in one tick.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tick {
    pub(crate) click: Option<Point>,
    pub(crate) has_moved: bool,
}

impl PlayerMovement {
    pub(crate) fn new(location: Location, click_interval_ticks: u32) -> Self {
        Self {
            location,
            route: Vec::new(),
            next: 0,
            destination: None,
            origin: location.at,
            rest_ticks: 0,
            click_in_ticks: 0,
            climb_ticks: 0,
            change_at_ticks: 0,
            click_interval_ticks,
            obstructed: 0,
            retreat: None,
            is_off_route: false,
        }
    }

    /// Whether it is resting.
    pub(crate) fn is_resting(&self) -> bool {
        self.rest_ticks > 0
    }

    /// Whether it needs another route, because it does not see this one any more.
    pub(crate) fn is_off_route(&self) -> bool {
        self.is_off_route
    }

    /// Whether it has reached the end of its route.
    pub(crate) fn has_arrived(&self) -> bool {
        self.next >= self.route.len()
    }

    /// The lattice node at which a new route can begin. `None` on stairs, and in corners without
    /// such a node; then the player keeps its old route for now.
    pub(crate) fn route_start(&self, routes: &TownRoutes<'_>) -> Option<u32> {
        if self.climb_ticks > 0 {
            return None;
        }
        routes.nearest(self.location)
    }

    /// Takes another route.
    pub(crate) fn follow(&mut self, route: Vec<Location>) {
        self.route = route;
        self.next = 0;
        self.destination = None;
        self.origin = self.location.at;
        self.click_in_ticks = 0;
        self.is_off_route = false;
    }

    /// Rests for a while, then continues.
    pub(crate) fn rest(&mut self, ticks: u32) {
        self.rest_ticks = self.rest_ticks.max(ticks);
    }

    /// Moves for one tick. The ghost is the player's body, among others where they are obstacles.
    pub(crate) fn tick(
        &mut self,
        routes: &TownRoutes<'_>,
        body: &Ghost<'_>,
        rng: &mut Pcg64Mcg,
    ) -> Tick {
        if self.rest_ticks > 0 {
            self.rest_ticks -= 1;
            return Tick::default();
        }
        if self.climb_ticks > 0 || self.is_at_stairs() {
            let has_moved = self.climb(body, rng);
            return Tick { click: None, has_moved };
        }
        let click = self.click(routes, rng);
        Tick { click, has_moved: self.walk(routes, body, rng) }
    }

    /// Whether it stands where the next location is at the other end of stairs.
    fn is_at_stairs(&self) -> bool {
        self.route.get(self.next).is_some_and(|next| next.level != self.location.level)
    }

    /// Climbs stairs: half of the ticks at this end, the rest at the other. Returns false when it is
    /// time to change to the other end and a body is there.
    fn climb(&mut self, body: &Ghost<'_>, rng: &mut Pcg64Mcg) -> bool {
        let Some(end) = self.route.get(self.next).copied() else { return true };
        if self.climb_ticks == 0 {
            let levels = f64::from(end.level.0.abs_diff(self.location.level.0));
            let length = self.location.at.distance(end.at) + STAIRS_LENGTH * levels;
            self.climb_ticks = 2 * (length / STRIDE / 2.0).ceil().max(1.0) as u32;
            self.change_at_ticks = self.climb_ticks / 2;
            self.destination = None;
        }
        let changes = self.climb_ticks == self.change_at_ticks + 1;
        if changes && body.is_crowded(end.at, end.level) {
            if self.is_obstructed_for_long() {
                // Back to the foot, and away from it.
                self.climb_ticks = 0;
                self.next = self.next.saturating_sub(1);
                self.retreat = retreat(body, self.location, rng);
            }
            return false;
        }
        self.climb_ticks -= 1;
        if changes {
            self.location = end;
            self.origin = end.at;
        }
        if self.climb_ticks == 0 {
            self.next += 1;
            self.click_in_ticks = 0;
        }
        true
    }

    /// Clicks when it is time, on the farthest visible location of its route.
    fn click(&mut self, routes: &TownRoutes<'_>, rng: &mut Pcg64Mcg) -> Option<Point> {
        if let Some(to) = self.retreat.take() {
            self.click_in_ticks = rng.random_range(1..=RETREAT_TICKS_MAX);
            self.destination = Some(to);
            return Some(to);
        }
        if self.has_arrived() || self.click_in_ticks > 0 {
            self.click_in_ticks = self.click_in_ticks.saturating_sub(1);
            return None;
        }
        let to = match self.farthest_seen(routes) {
            Some(seen) => {
                self.next = seen;
                self.origin = self.location.at;
                self.aimed(seen, routes, rng)
            }
            // An obstacle is between it and its route: back to the point of the last click.
            None if self.destination.is_none() => {
                self.is_off_route = self.origin == self.location.at;
                self.origin
            }
            None => return None,
        };
        self.click_in_ticks = rng.random_range(1..=2 * self.click_interval_ticks);
        self.destination = Some(to);
        Some(to)
    }

    /// The point to click: the location of the route, or a visible one beside it.
    fn aimed(&self, seen: usize, routes: &TownRoutes<'_>, rng: &mut Pcg64Mcg) -> Point {
        let Location { at: exact, level } = self.route[seen];
        let leads_on = |next: &Location| next.level == level;
        let must_be_exact = !self.route.get(seen + 1).is_some_and(leads_on);
        let mut click_error = || {
            f64::from(rng.random_range(-CLICK_ERROR_THOUSANDTHS..=CLICK_ERROR_THOUSANDTHS)) / 1000.0
        };
        let beside = Point::new(exact.x + click_error(), exact.y + click_error());
        let is_seen = || routes.ghost().can_step(self.location.at, beside, level);
        if must_be_exact || !is_seen() { exact } else { beside }
    }

    /// The farthest visible location of the route, found by steps that double while locations
    /// are visible, and then halve.
    fn farthest_seen(&self, routes: &TownRoutes<'_>) -> Option<usize> {
        let sees = |index: usize| {
            let location =
                self.route.get(index).filter(|location| location.level == self.location.level)?;
            let is_near = index == self.next || location.at.distance(self.location.at) <= SIGHT;
            let ghost = routes.ghost();
            (is_near && ghost.can_step(self.location.at, location.at, location.level))
                .then_some(index)
        };
        let mut seen = sees(self.next)?;
        // Not past stairs: the route may return to this level behind them.
        let same = |location: &&Location| location.level == self.location.level;
        let end = self.next + self.route[self.next..].iter().take_while(same).count();
        let farther = |seen: usize, ahead: usize| (seen + ahead < end).then(|| sees(seen + ahead));
        let mut ahead = 1;
        while let Some(next) = farther(seen, ahead).flatten() {
            seen = next;
            ahead *= 2;
        }
        while ahead > 1 {
            ahead /= 2;
            seen = farther(seen, ahead).flatten().unwrap_or(seen);
        }
        Some(seen)
    }

    /// Walks towards the destination, around other bodies. Returns whether the player has moved.
    fn walk(&mut self, routes: &TownRoutes<'_>, body: &Ghost<'_>, rng: &mut Pcg64Mcg) -> bool {
        let Some(to) = self.destination else { return false };
        let Location { at: point, level } = self.location;
        let Some(next) = body.advance(point, to, level, STRIDE) else {
            // Alone it could go on: another body is in the way, and no obstacle.
            if routes.ghost().advance(point, to, level, STRIDE).is_some() {
                return self.pass_body(body, to, rng);
            }
            self.stop();
            return false;
        };
        self.obstructed = self.obstructed.saturating_sub(FREE);
        self.location.at = next;
        if next == to {
            self.stop();
            if to == self.route[self.next].at {
                self.next += 1;
            }
        }
        next != point
    }

    /// Steps aside for a body in the way, to the right first, so that two who meet pass each other.
    /// A place of the route on which another body stands counts as reached, unless it is the foot
    /// of stairs. A player that is obstructed for long retreats.
    fn pass_body(&mut self, body: &Ghost<'_>, to: Point, rng: &mut Pcg64Mcg) -> bool {
        let Location { at, level } = self.location;
        if self.is_obstructed_for_long() {
            self.retreat = retreat(body, self.location, rng);
        }
        let is_near = |place: &Location| {
            place.level == level && place.at.distance(at) <= 2.0 * body.options().radius + STRIDE
        };
        let is_foot = self.route.get(self.next + 1).is_some_and(|next| next.level != level);
        if !is_foot && self.route.get(self.next).is_some_and(is_near) {
            self.stop();
            self.next += 1;
            return false;
        }
        let length = at.distance(to);
        let (dx, dy) = ((to.x - at.x) / length * STRIDE, (to.y - at.y) / length * STRIDE);
        let aside = SIDE_STEPS.map(|(ahead, left)| {
            Point::new(at.x + ahead * dx - left * dy, at.y + ahead * dy + left * dx)
        });
        let free = aside.into_iter().find(|next| body.can_step(at, *next, level));
        self.location.at = free.unwrap_or(at);
        free.is_some()
    }

    /// Counts a tick in which a body was in the way; true when there were too many of them.
    fn is_obstructed_for_long(&mut self) -> bool {
        self.obstructed += OBSTRUCTED;
        let is_long = self.obstructed >= OBSTRUCTED_MAX;
        if is_long {
            self.obstructed = 0;
        }
        is_long
    }

    fn stop(&mut self) {
        self.destination = None;
        self.click_in_ticks = 0;
    }
}

/// Where a player can go to let others pass: as far as is free in a random direction.
fn retreat(body: &Ghost<'_>, from: Location, rng: &mut Pcg64Mcg) -> Option<Point> {
    let first = rng.random_range(0..RETREATS.len());
    let directions = RETREATS.iter().cycle().skip(first).take(RETREATS.len());
    let place = |distance: f64, &(x, y): &(f64, f64)| {
        Point::new(from.at.x + x * distance, from.at.y + y * distance)
    };
    let mut places = RETREAT_DISTANCES
        .iter()
        .flat_map(|distance| directions.clone().map(|direction| place(*distance, direction)));
    places.find(|to| body.can_step(from.at, *to, from.level))
}
