//! A player's hand and feet: clicks on the map, and straight lines to where it clicked.
//!
//! Lanctot et al. (2006), "Movement and pathfinding", the basic movement: the player moves
//! straight towards the destination, and stops when it is there or something is in the way;
//! a new destination can be set at any time.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use throng::scene::Location;
use throng_scene::{Point, STAIRS_LENGTH};

use super::walkways::Walkways;

/// Milliseconds between two move updates.
pub(crate) const TICK_MS: u64 = 100;
/// Units that a player walks in a tick: one and a half in a second.
const STRIDE: f64 = 0.15;
/// How far a player sees, in units.
const SIGHT: f64 = 5.0;
/// How far beside the wanted location a click can be, in thousandths of a unit, both ways.
const TREMOR_THOUSANDTHS: i32 = 60;

/// A player as it walks.
#[derive(Clone, Debug)]
pub(crate) struct Walker {
    pub(crate) location: Location,
    /// What is left of the way: the last one clicked at first.
    way: Vec<Location>,
    next: usize,
    destination: Option<Point>,
    /// Where it was at its last click: from there it saw the next location of its way.
    origin: Point,
    rest_ticks: u32,
    click_in_ticks: u32,
    /// What is left of a climb, and when it is at the other end.
    climb_ticks: u32,
    change_at_ticks: u32,
    /// Mean ticks between two clicks.
    habit_ticks: u32,
}

/// What a walker did in a tick.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tick {
    pub(crate) click: Option<Point>,
    pub(crate) has_moved: bool,
}

impl Walker {
    pub(crate) fn new(location: Location, habit_ticks: u32) -> Self {
        Self {
            location,
            way: Vec::new(),
            next: 0,
            destination: None,
            origin: location.at,
            rest_ticks: 0,
            click_in_ticks: 0,
            climb_ticks: 0,
            change_at_ticks: 0,
            habit_ticks,
        }
    }

    /// Whether it only stands.
    pub(crate) fn is_resting(&self) -> bool {
        self.rest_ticks > 0
    }

    /// Whether it is where it wanted to be.
    pub(crate) fn has_arrived(&self) -> bool {
        self.next >= self.way.len()
    }

    /// Where a new way can begin: at a location of the lattice next to it. `None` on stairs, and
    /// in corners without such a location; then it follows its old way for now.
    pub(crate) fn way_start(&self, walkways: &Walkways<'_>) -> Option<u32> {
        if self.climb_ticks > 0 {
            return None;
        }
        walkways.nearest(self.location)
    }

    /// Takes another way.
    pub(crate) fn follow(&mut self, way: Vec<Location>) {
        self.way = way;
        self.next = 0;
        self.destination = None;
        self.origin = self.location.at;
        self.click_in_ticks = 0;
    }

    /// Stays where it is for a while, and then goes on.
    pub(crate) fn rest(&mut self, ticks: u32) {
        self.rest_ticks = self.rest_ticks.max(ticks);
    }

    /// Lives through a tick.
    pub(crate) fn tick(&mut self, walkways: &Walkways<'_>, rng: &mut Pcg64Mcg) -> Tick {
        if self.rest_ticks > 0 {
            self.rest_ticks -= 1;
            return Tick::default();
        }
        if self.climb_ticks > 0 || self.is_at_stairs() {
            self.climb();
            return Tick { click: None, has_moved: true };
        }
        let click = self.click(walkways, rng);
        Tick { click, has_moved: self.walk(walkways) }
    }

    /// Whether it stands where the next location is at the other end of stairs.
    fn is_at_stairs(&self) -> bool {
        self.way.get(self.next).is_some_and(|next| next.level != self.location.level)
    }

    /// Stays at this end of the stairs for half of the climb, and at the other for the rest.
    fn climb(&mut self) {
        let Some(end) = self.way.get(self.next).copied() else { return };
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

    /// Clicks when it is time to: as far along its way as it sees.
    fn click(&mut self, walkways: &Walkways<'_>, rng: &mut Pcg64Mcg) -> Option<Point> {
        if self.has_arrived() || self.click_in_ticks > 0 {
            self.click_in_ticks = self.click_in_ticks.saturating_sub(1);
            return None;
        }
        let to = match self.farthest_seen(walkways) {
            Some(seen) => {
                self.next = seen;
                self.origin = self.location.at;
                self.aimed(seen, walkways, rng)
            }
            // Something is between it and its way: back to where it saw more.
            None if self.destination.is_none() => self.origin,
            None => return None,
        };
        self.click_in_ticks = rng.random_range(1..=2 * self.habit_ticks);
        self.destination = Some(to);
        Some(to)
    }

    /// The location of the way that is clicked at, or one beside it that is in sight, too.
    fn aimed(&self, seen: usize, walkways: &Walkways<'_>, rng: &mut Pcg64Mcg) -> Point {
        let Location { at: exact, level } = self.way[seen];
        let leads_on = |next: &Location| next.level == level;
        let must_be_exact = !self.way.get(seen + 1).is_some_and(leads_on);
        let mut tremor =
            || f64::from(rng.random_range(-TREMOR_THOUSANDTHS..=TREMOR_THOUSANDTHS)) / 1000.0;
        let beside = Point::new(exact.x + tremor(), exact.y + tremor());
        let is_seen = || walkways.ghost().can_step(self.location.at, beside, level);
        if must_be_exact || !is_seen() { exact } else { beside }
    }

    /// The farthest location of the way that it sees, by steps that double while it sees what is
    /// there, and then halve.
    fn farthest_seen(&self, walkways: &Walkways<'_>) -> Option<usize> {
        let sees = |index: usize| {
            let location =
                self.way.get(index).filter(|location| location.level == self.location.level)?;
            let is_near = index == self.next || location.at.distance(self.location.at) <= SIGHT;
            let ghost = walkways.ghost();
            (is_near && ghost.can_step(self.location.at, location.at, location.level))
                .then_some(index)
        };
        let mut seen = sees(self.next)?;
        // Not past stairs: what lies behind them may be on this level again.
        let same = |location: &&Location| location.level == self.location.level;
        let end = self.next + self.way[self.next..].iter().take_while(same).count();
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

    /// Moves on; says whether it did.
    fn walk(&mut self, walkways: &Walkways<'_>) -> bool {
        let Some(to) = self.destination else { return false };
        let Location { at: point, level } = self.location;
        let Some(next) = walkways.ghost().advance(point, to, level, STRIDE) else {
            self.destination = None;
            self.click_in_ticks = 0;
            return false;
        };
        self.location.at = next;
        if next == to {
            self.destination = None;
            self.click_in_ticks = 0;
            if to == self.way[self.next].at {
                self.next += 1;
            }
        }
        next != point
    }
}
