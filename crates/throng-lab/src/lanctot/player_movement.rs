//! How a player moves: it clicks on the map and walks in a straight line to the click.
//!
//! Lanctot et al. (2006), "Movement and pathfinding", the basic movement: the player moves
//! straight towards the destination, and stops when it is there or blocked;
//! a new destination can be set at any time.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use throng_scene::Location;
use throng_scene::{Point, STAIRS_LENGTH};

use super::town_routes::TownRoutes;

/// Milliseconds between two move updates.
pub(crate) const TICK_MS: u64 = 100;
/// The distance that a player walks per tick, in units of length: 1.5 per second.
const STRIDE: f64 = 0.15;
/// How far a player sees, in units of length.
const SIGHT: f64 = 5.0;
/// Largest error of a click, in thousandths of a unit, in each direction.
const CLICK_ERROR_THOUSANDTHS: i32 = 60;

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
        }
    }

    /// Whether it is resting.
    pub(crate) fn is_resting(&self) -> bool {
        self.rest_ticks > 0
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
    }

    /// Rests for a while, then continues.
    pub(crate) fn rest(&mut self, ticks: u32) {
        self.rest_ticks = self.rest_ticks.max(ticks);
    }

    /// Moves for one tick.
    pub(crate) fn tick(&mut self, routes: &TownRoutes<'_>, rng: &mut Pcg64Mcg) -> Tick {
        if self.rest_ticks > 0 {
            self.rest_ticks -= 1;
            return Tick::default();
        }
        if self.climb_ticks > 0 || self.is_at_stairs() {
            self.climb();
            return Tick { click: None, has_moved: true };
        }
        let click = self.click(routes, rng);
        Tick { click, has_moved: self.walk(routes) }
    }

    /// Whether it stands where the next location is at the other end of stairs.
    fn is_at_stairs(&self) -> bool {
        self.route.get(self.next).is_some_and(|next| next.level != self.location.level)
    }

    /// Climbs stairs: half of the ticks at this end, the rest at the other.
    fn climb(&mut self) {
        let Some(end) = self.route.get(self.next).copied() else { return };
        if self.climb_ticks == 0 {
            let levels = f64::from(end.level.0.abs_diff(self.location.level.0));
            let length = self.location.at.distance(end.at) + STAIRS_LENGTH * levels;
            self.climb_ticks = 2 * (length / STRIDE / 2.0).ceil().max(1.0) as u32;
            self.change_at_ticks = self.climb_ticks / 2;
            self.destination = None;
        }
        self.climb_ticks -= 1;
        if self.climb_ticks == self.change_at_ticks {
            self.location = end;
            self.origin = end.at;
        }
        if self.climb_ticks == 0 {
            self.next += 1;
            self.click_in_ticks = 0;
        }
    }

    /// Clicks when it is time, on the farthest visible location of its route.
    fn click(&mut self, routes: &TownRoutes<'_>, rng: &mut Pcg64Mcg) -> Option<Point> {
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
            None if self.destination.is_none() => self.origin,
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

    /// Walks towards the destination. Returns whether the player has moved.
    fn walk(&mut self, routes: &TownRoutes<'_>) -> bool {
        let Some(to) = self.destination else { return false };
        let Location { at: point, level } = self.location;
        let Some(next) = routes.ghost().advance(point, to, level, STRIDE) else {
            self.destination = None;
            self.click_in_ticks = 0;
            return false;
        };
        self.location.at = next;
        if next == to {
            self.destination = None;
            self.click_in_ticks = 0;
            if to == self.route[self.next].at {
                self.next += 1;
            }
        }
        next != point
    }
}
