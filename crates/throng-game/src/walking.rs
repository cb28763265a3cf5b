//! How a player moves in a tick: straight, along its path, or on stairs.
//!
//! Lanctot et al. (2006), "Movement and pathfinding", the basic movement: the player moves straight
//! towards the destination and stops when it is there or blocked by an obstacle. On a path it goes
//! straight to the farthest location that it sees, again and again.

use throng_scene::{Location, Point, STAIRS_LENGTH};

use crate::ground::{Ground, Others};
use crate::options::STRIDE;
use crate::player::{Motion, Player, Route};

/// Steps aside, as shares of a stride ahead and to the left: half right, right, half left, left.
const SIDE_STEPS: [(f64, f64); 4] = [(0.7, -0.7), (0.0, -1.0), (0.7, 0.7), (0.0, 1.0)];
/// How much a tick in which a body is in the way counts, and how much a free one. From the limit on
/// the player pushes through, so that nobody can close a door by standing in it.
const OBSTRUCTED: u32 = 3;
const FREE: u32 = 1;
const OBSTRUCTED_MAX: u32 = 24;
/// How far ahead on its path a player looks, in units.
const SIGHT: f64 = 6.0;
/// A path that is lost so often without progress is given up.
const RESTARTS_MAX: u8 = 4;

/// What came of a player's tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Moved {
    No,
    /// It is at another point.
    Yes,
    /// Its path cannot be gone on with.
    GaveUp,
}

/// The result of a step towards a point.
enum Step {
    To(Point),
    /// Aside, because another body is in the way.
    Aside(Point),
    /// An obstacle of the scene.
    Wall,
    /// Another body, and there is no room beside it.
    Body,
}

impl Player {
    /// Moves for one tick.
    pub(crate) fn walk(&mut self, ground: &Ground, others: Others<'_>) -> Moved {
        let before = self.location;
        let motion = std::mem::replace(&mut self.motion, Motion::Stands);
        let mut moved = match motion {
            Motion::Stands => return Moved::No,
            Motion::Straight { to, stairs } => self.walk_straight(to, stairs, ground, others),
            Motion::Path(route) => self.walk_path(route, ground, others),
            Motion::Climbs { to, ticks_left, then } => {
                self.climb(to, ticks_left, then);
                Moved::No
            }
        };
        if self.location != before {
            if self.location.level == before.level {
                self.turn(before.at);
            }
            moved = Moved::Yes;
        }
        moved
    }

    /// Turns to where it has gone from a point.
    fn turn(&mut self, from: Point) {
        let length = from.distance(self.location.at);
        if length > 0.0 {
            let (dx, dy) = (self.location.at.x - from.x, self.location.at.y - from.y);
            self.heading = Point::new(dx / length, dy / length);
        }
    }

    fn walk_straight(
        &mut self,
        to: Point,
        stairs: Option<Location>,
        ground: &Ground,
        others: Others<'_>,
    ) -> Moved {
        match self.step_towards(to, ground, others) {
            Step::To(next) | Step::Aside(next) => self.location.at = next,
            Step::Wall => {
                self.set_motion(Motion::Stands);
                return Moved::No;
            }
            Step::Body => {}
        }
        match stairs {
            _ if self.location.at != to => self.motion = Motion::Straight { to, stairs },
            Some(end) => self.begin_climb(end, None),
            None => self.set_motion(Motion::Stands),
        }
        Moved::No
    }

    fn walk_path(&mut self, mut route: Box<Route>, ground: &Ground, others: Others<'_>) -> Moved {
        let Some(&next) = route.ahead.front() else {
            // It waits for the rest of its path.
            self.motion = Motion::Path(route);
            return Moved::No;
        };
        if next.level != self.location.level {
            route.ahead.pop_front();
            self.begin_climb(next, Some(route));
            return Moved::No;
        }
        let Some(seen) = self.farthest_seen(&route, ground) else {
            return self.restart(route);
        };
        let aim = route.ahead[seen];
        let step = self.step_towards(aim.at, ground, others);
        match step {
            Step::To(point) | Step::Aside(point) => self.location.at = point,
            Step::Wall => return self.restart(route),
            Step::Body => {}
        }
        // Where a body stands on a place of the path, being beside it will do; not at stairs.
        let is_foot = route.ahead.get(seen + 1).is_some_and(|next| next.level != aim.level);
        let is_near = self.location.at.distance(aim.at) <= 2.0 * STRIDE;
        let is_beside = is_near && matches!(step, Step::Aside(_) | Step::Body);
        if self.location.at == aim.at || is_beside && !is_foot {
            route.ahead.drain(..=seen);
            route.restarts = 0;
            self.route_edition = self.route_edition.wrapping_add(1);
        } else if seen > 0 {
            route.ahead.drain(..seen);
            self.route_edition = self.route_edition.wrapping_add(1);
        }
        match route.ahead.is_empty() && (aim == route.goal) {
            true => self.set_motion(Motion::Stands),
            false => self.motion = Motion::Path(route),
        }
        Moved::No
    }

    /// The path begins again from where the player is.
    fn restart(&mut self, mut route: Box<Route>) -> Moved {
        route.restarts += 1;
        if route.restarts > RESTARTS_MAX {
            self.set_motion(Motion::Stands);
            return Moved::GaveUp;
        }
        route.walk = None;
        route.ahead.clear();
        self.motion = Motion::Path(route);
        self.route_edition = self.route_edition.wrapping_add(1);
        Moved::No
    }

    /// The farthest location ahead that it sees, by steps that double while it sees them and then
    /// halve. None past stairs: the path may return to this level behind them.
    fn farthest_seen(&self, route: &Route, ground: &Ground) -> Option<usize> {
        let here = self.location;
        let end = route.ahead.iter().take_while(|next| next.level == here.level).count();
        let sees = |index: usize| {
            let to = route.ahead.get(index).filter(|_| index < end)?;
            let is_near = index == 0 || to.at.distance(here.at) <= SIGHT;
            (is_near && ground.can_step(here, to.at, None)).then_some(index)
        };
        let mut seen = sees(0)?;
        let mut ahead = 1;
        while let Some(next) = sees(seen + ahead) {
            seen = next;
            ahead *= 2;
        }
        while ahead > 1 {
            ahead /= 2;
            seen = sees(seen + ahead).unwrap_or(seen);
        }
        Some(seen)
    }

    /// A step towards a point. Other bodies are passed on a side; one that is in the way for long is
    /// pushed through.
    fn step_towards(&mut self, to: Point, ground: &Ground, others: Others<'_>) -> Step {
        let here = self.location;
        let Some(alone) = ground.advance(here, to, None) else { return Step::Wall };
        if ground.advance(here, to, others).is_some() {
            self.obstructed = self.obstructed.saturating_sub(FREE);
            return Step::To(alone);
        }
        if self.obstructed >= OBSTRUCTED_MAX {
            return Step::To(alone);
        }
        self.obstructed += OBSTRUCTED;
        let length = here.at.distance(to);
        if length == 0.0 {
            return Step::Body;
        }
        let (dx, dy) = ((to.x - here.at.x) / length * STRIDE, (to.y - here.at.y) / length * STRIDE);
        let aside = SIDE_STEPS.map(|(ahead, left)| {
            Point::new(here.at.x + ahead * dx - left * dy, here.at.y + ahead * dy + left * dx)
        });
        let free = aside.into_iter().find(|next| ground.can_step(here, *next, others));
        free.map_or(Step::Body, Step::Aside)
    }

    fn begin_climb(&mut self, to: Location, then: Option<Box<Route>>) {
        let levels = f64::from(to.level.0.abs_diff(self.location.level.0));
        let length = self.location.at.distance(to.at) + STAIRS_LENGTH * levels;
        let ticks_left = (length / STRIDE).ceil().max(1.0) as u32;
        self.motion = Motion::Climbs { to, ticks_left, then };
        self.route_edition = self.route_edition.wrapping_add(1);
    }

    fn climb(&mut self, to: Location, ticks_left: u32, then: Option<Box<Route>>) {
        if ticks_left > 1 {
            self.motion = Motion::Climbs { to, ticks_left: ticks_left - 1, then };
            return;
        }
        self.location = to;
        match then {
            Some(route) if route.goal != to => self.motion = Motion::Path(route),
            _ => self.motion = Motion::Stands,
        }
        self.route_edition = self.route_edition.wrapping_add(1);
    }
}
