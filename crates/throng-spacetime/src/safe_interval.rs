//! A* over safe intervals: one node where space-time has a hundred.
//!
//! Beyond D. Silver, "Cooperative pathfinding" (2005): a unit that can stay somewhere from
//! one tick to another has reached all ticks between when it has reached the first. So a node
//! is a position and an interval of time in which no other unit is there (M. Phillips, M.
//! Likhachev, "SIPP: Safe interval path planning for dynamic environments", 2011). A unit that
//! must come late floods space-time; here it does not.
//!
//! Costs need not be ticks (diagonals, terrain, penalties), so that to come early and to come
//! cheaply can be two things. A node therefore has *labels*: those ways to reach it that are
//! not both later and more expensive than another.
//!
//! Most moves of a label lead away from the goal, or arrive later than need be. A label is
//! therefore expanded in parts: moves that cost more than its priority are looked at when it
//! comes up again with their priority (partial expansion: T. Yoshizumi et al., 2000). A move
//! that keeps the label's priority is followed at once, and the others wait until that has
//! failed. Where no other unit is in the way, the search looks at one move for each step of
//! the path, and asks for no distance that is not known.
//!
//! The heuristic is inflated by 10% (weighted A*: I. Pohl, 1970), so that a unit waits a tick
//! instead of exhausting every equally cheap detour.

use throng_grid::kit::LevelQueue;
use throng_model::{Effort, SearchStatus, Tick};

use crate::distance::Distance;
use crate::space::{Action, Move, Position, Space};
use crate::space_time::{Leg, TimedPath, is_legal, penalty};
use crate::timed::TimedObstacles;
use crate::visited_positions::VisitedPositions;

const NONE: u32 = u32::MAX;
/// The heuristic is inflated by one part in this many.
const PARTS: u64 = 10;

/// A way to reach a position at a tick.
#[derive(Clone, Copy, Debug)]
struct Label {
    cost: u64,
    /// The least priority of the moves that were not looked at yet, or less.
    priority: u64,
    tick: Tick,
    /// The first tick at which another unit is here, `u32::MAX` if that is never: it tells
    /// the intervals of a position apart.
    until: u32,
    parent: u32,
    /// The next label of the same position.
    next: u32,
    number: u32,
    action: Action,
    /// A bit for each of the first moves on from here that need not be looked at again.
    finished: u32,
    /// Whether another label made it superfluous.
    beaten: bool,
}

impl Label {
    const NEW: Self = Self {
        cost: 0,
        priority: 0,
        tick: Tick(0),
        until: NONE,
        parent: NONE,
        next: NONE,
        number: 0,
        action: Action::PAUSE,
        finished: 0,
        beaten: false,
    };
}

/// What came of a move on from a label.
enum Departure {
    /// It leads on at no more than the label promised.
    LeadsOn,
    /// Its priority would be this.
    For(u64),
    /// It need not be looked at again.
    Never,
}

/// The search for a path to a goal on which the unit can stay for ever. Owns its memory.
///
/// It finds what [`SpaceTimeSearch`](crate::SpaceTimeSearch) does until it is
/// [`Parked`](crate::Until::Parked), for at most a tenth more, with far fewer nodes. In return a
/// penalty may not fall with time: else it could pay to come later.
#[derive(Clone, Debug, Default)]
pub struct SafeIntervalSearch {
    visited: VisitedPositions,
    /// By number of a position, its first label.
    first: Vec<u32>,
    labels: Vec<Label>,
    open: LevelQueue,
    /// The label that ends on the goal, and from when on that counts.
    found: Option<(u32, Tick)>,
    expanded: u64,
    generated: u64,
    peak_open: usize,
}

/// What one search is about.
#[derive(Clone, Copy, Debug)]
struct Task {
    /// From here on the goal is free for ever.
    arrival: Tick,
    last: Tick,
    pause_cost: u64,
}

impl Task {
    /// The priority of a label: its cost, and the inflated heuristic. A unit that comes too
    /// early has to wait somewhere.
    #[inline]
    fn priority(&self, cost: u64, distance: u64, tick: Tick) -> u64 {
        let early = u64::from(self.arrival.0.saturating_sub(tick.0));
        cost * PARTS + distance.max(early * self.pause_cost) * (PARTS + 1)
    }
}

impl SafeIntervalSearch {
    /// Searches from a position at a tick for a path to the goal, to stay there.
    pub fn run<S: Space>(
        &mut self,
        space: &S,
        obstacles: &impl TimedObstacles,
        (at, tick): (Position, Tick),
        goal: Position,
        distance: &mut impl Distance,
        effort: &mut Effort<'_>,
    ) -> SearchStatus {
        self.begin(space.positions());
        if at.get().max(goal.get()) >= space.positions() {
            return SearchStatus::Exhausted;
        }
        let Some(arrival) = parking_from(space, obstacles, goal) else {
            return SearchStatus::Exhausted;
        };
        let (last, pause_cost) = (obstacles.last_tick().max(tick), space.pause_cost());
        // The last tick of all is never reached, so that no sum overflows.
        if last.0.checked_add(2 * space.move_ticks_max() + 2).is_none() {
            return SearchStatus::Exhausted;
        }
        let task = Task { arrival, last, pause_cost };
        let Some(number) = self.number(at, || distance.distance(at, effort)) else {
            return effort.stopped().unwrap_or(SearchStatus::Exhausted);
        };
        let until = free_until(space, obstacles, at, tick);
        self.push(&task, Label { tick, until, number, ..Label::NEW });
        while let Some(index) = self.open.pop() {
            let label = self.labels[index as usize];
            if label.beaten {
                continue;
            }
            if label.until == NONE && self.visited.get(label.number).0 == goal {
                // A unit that stands there already may still have to wait until it is free.
                self.found = Some((index, arrival.max(label.tick)));
                return SearchStatus::Found;
            }
            if !effort.expand() {
                break;
            }
            self.expanded += 1;
            if let Some(priority) = self.expand(space, obstacles, &task, index, distance, effort) {
                self.labels[index as usize].priority = priority;
                self.open.push(priority, index);
            }
            self.peak_open = self.peak_open.max(self.open.len());
        }
        effort.stopped().unwrap_or(SearchStatus::Exhausted)
    }

    fn begin(&mut self, positions: usize) {
        self.visited.begin(positions);
        self.first.clear();
        self.labels.clear();
        self.open.clear();
        self.found = None;
    }

    fn number(&mut self, at: Position, distance: impl FnOnce() -> Option<u64>) -> Option<u32> {
        let (number, is_new) = self.visited.number(at, distance)?;
        if is_new {
            self.first.resize(number as usize + 1, NONE);
        }
        Some(number)
    }

    /// Offers moves of no more than the label's priority, until one leads on; those first whose
    /// distances are at hand. The least priority of the others, unless the label is to come up
    /// again anyway.
    fn expand<S: Space>(
        &mut self,
        space: &S,
        obstacles: &impl TimedObstacles,
        task: &Task,
        index: u32,
        distance: &mut impl Distance,
        effort: &mut Effort<'_>,
    ) -> Option<u64> {
        let at = self.visited.get(self.labels[index as usize].number).0;
        let (mut least, mut leads_on) = (None, false);
        for known_only in [true, false] {
            let mut bit = 1_u32;
            space.for_each_move(at, |step| {
                if leads_on || self.labels[index as usize].finished & bit != 0 {
                    bit <<= 1;
                    return;
                }
                let number = match known_only {
                    true => self.number_if_known(step.to, distance),
                    false => self.number(step.to, || distance.distance(step.to, effort)),
                };
                if let Some(number) = number {
                    match self.depart(space, obstacles, task, index, (at, &step, number)) {
                        Departure::LeadsOn => leads_on = true,
                        Departure::For(next) => least = least.into_iter().chain([next]).min(),
                        Departure::Never => self.labels[index as usize].finished |= bit,
                    }
                }
                // Behind the last bit there are none: those moves are looked at each time.
                bit <<= 1;
            });
            if leads_on {
                return None;
            }
        }
        least
    }

    fn number_if_known(&mut self, at: Position, distance: &impl Distance) -> Option<u32> {
        let is_known = self.visited.contains(at);
        let known = if is_known { None } else { distance.known(at) };
        if is_known || known.is_some() { self.number(at, || known) } else { None }
    }

    /// Offers a move at the first tick at which it leads to each of the intervals of where it
    /// ends, while its priority is no more than the label's, and until it leads on.
    fn depart<S: Space>(
        &mut self,
        space: &S,
        obstacles: &impl TimedObstacles,
        task: &Task,
        index: u32,
        (at, step, number): (Position, &Move, u32),
    ) -> Departure {
        let Label { cost, priority, tick, until, .. } = self.labels[index as usize];
        let distance = self.visited.get(number).1;
        let mut begin = tick;
        while begin.0 < until {
            let arrival = Tick(begin.0 + step.ticks);
            let cost = cost + u64::from(begin.0 - tick.0) * task.pause_cost + step.cost;
            let next = task.priority(cost, distance, arrival);
            if next > priority {
                return Departure::For(next);
            }
            if is_legal(space, obstacles, at, step.action, begin) {
                let cost = cost + penalty(space, obstacles, step.to, arrival);
                let until = free_until(space, obstacles, step.to, arrival);
                if self.offer(task, index, (number, step.action), (arrival, until), cost) {
                    return Departure::LeadsOn;
                }
                if until == NONE {
                    return Departure::Never;
                }
                begin = Tick(until + 1 - step.ticks);
            } else if begin > task.last {
                // Nothing changes any more.
                return Departure::Never;
            } else {
                match free_again(space, obstacles, step.to, Tick(arrival.0 + 1)) {
                    Some(free) => begin = Tick(free.0 - step.ticks),
                    None => return Departure::Never,
                }
            }
        }
        Departure::Never
    }

    /// Offers a way to reach a position. Whether that leads on at no more than the label
    /// before promised: then it comes up next, and that label when it has failed.
    fn offer(
        &mut self,
        task: &Task,
        parent: u32,
        (number, action): (u32, Action),
        (tick, until): (Tick, u32),
        cost: u64,
    ) -> bool {
        self.generated += 1;
        if self.is_beaten(task, number, (tick, until), cost) {
            return false;
        }
        let promised = self.labels[parent as usize].priority;
        let leads_on = task.priority(cost, self.visited.get(number).1, tick) <= promised;
        if leads_on {
            self.open.push(promised, parent);
        }
        let next = self.first[number as usize];
        self.push(task, Label { cost, tick, until, parent, next, number, action, ..Label::NEW });
        leads_on
    }

    /// Whether a known way to reach a position is as good; if not, marks those that are made
    /// superfluous.
    fn is_beaten(
        &mut self,
        task: &Task,
        number: u32,
        (tick, until): (Tick, u32),
        cost: u64,
    ) -> bool {
        let mut known = self.first[number as usize];
        while known != NONE {
            let label = &mut self.labels[known as usize];
            if label.until == until {
                // One that waits for the other: is it as cheap when the other comes?
                let waiting = |from: Tick, to: Tick| u64::from(to.0 - from.0) * task.pause_cost;
                if label.tick <= tick && label.cost + waiting(label.tick, tick) <= cost {
                    return true;
                }
                label.beaten |=
                    tick <= label.tick && cost + waiting(tick, label.tick) <= label.cost;
            }
            known = label.next;
        }
        false
    }

    fn push(&mut self, task: &Task, mut label: Label) {
        let index = self.labels.len() as u32;
        self.first[label.number as usize] = index;
        label.priority = task.priority(label.cost, self.visited.get(label.number).1, label.tick);
        self.labels.push(label);
        self.open.push(label.priority, index);
    }

    /// Writes the path that the last search has found; none if it has not.
    pub fn path_into<S: Space>(&self, space: &S, path: &mut TimedPath) {
        path.legs.clear();
        path.end = None;
        let Some((mut index, end)) = self.found else { return };
        let label = self.labels[index as usize];
        let goal = self.visited.get(label.number).0;
        path.end = Some((goal, end));
        path.legs.extend(pauses(goal, label.tick, end));
        while self.labels[index as usize].parent != NONE {
            let label = self.labels[index as usize];
            let before = self.labels[label.parent as usize];
            let from = self.visited.get(before.number).0;
            let ticks = space.move_by(from, label.action).map_or(1, |step| step.ticks);
            let begin = Tick(label.tick.0 - ticks);
            path.legs.push(Leg { from, tick: begin, action: label.action });
            path.legs.extend(pauses(from, before.tick, begin));
            index = label.parent;
        }
        path.legs.reverse();
    }

    /// Nodes expanded by all searches so far.
    #[must_use]
    pub fn expanded(&self) -> u64 {
        self.expanded
    }

    /// Nodes generated by all searches so far.
    #[must_use]
    pub fn generated(&self) -> u64 {
        self.generated
    }

    /// Most nodes that were open at once.
    #[must_use]
    pub fn peak_open(&self) -> u64 {
        self.peak_open as u64
    }
}

/// Waiting from one tick to another, the last first.
fn pauses(from: Position, begin: Tick, end: Tick) -> impl Iterator<Item = Leg> {
    let pause = move |tick| Leg { from, tick: Tick(tick), action: Action::PAUSE };
    (begin.0..end.0).rev().map(pause)
}

/// The first tick from which on a unit can stand at a position for ever.
fn parking_from<S: Space>(
    space: &S,
    obstacles: &impl TimedObstacles,
    at: Position,
) -> Option<Tick> {
    let mut from = Some(Tick(0));
    space.standing(at, |entry| {
        from = from.zip(obstacles.free_from(entry)).map(|(a, b)| a.max(b));
        from.is_some()
    });
    from
}

/// The first tick after the given one at which another unit is there.
#[inline]
fn free_until<S: Space>(
    space: &S,
    obstacles: &impl TimedObstacles,
    at: Position,
    tick: Tick,
) -> u32 {
    let mut until = NONE;
    space.standing(at, |entry| {
        let taken = obstacles.next_taken(entry, Tick(tick.0 + 1));
        until = until.min(taken.map_or(NONE, |tick| tick.0));
        true
    });
    until
}

/// The first tick, not before the given one, at which no other unit is there.
fn free_again<S: Space>(
    space: &S,
    obstacles: &impl TimedObstacles,
    at: Position,
    mut tick: Tick,
) -> Option<Tick> {
    loop {
        let before = tick;
        let free = space.standing(at, |entry| {
            let free = obstacles.next_free(entry, tick);
            tick = free.unwrap_or(tick);
            free.is_some()
        });
        if !free {
            return None;
        }
        if tick == before {
            return Some(tick);
        }
    }
}
