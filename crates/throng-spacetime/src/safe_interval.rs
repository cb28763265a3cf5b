//! A* over safe intervals (SIPP): far fewer nodes than space-time A*.
//!
//! M. Phillips and M. Likhachev, "SIPP: Safe interval path planning for dynamic environments"
//! (2011). A safe interval of a position is a maximal interval of time in which no other unit
//! claims it. A unit that arrives at its beginning can wait there until any later tick of it,
//! so a node is a position and an interval instead of a position and a tick. Space-time search
//! would expand every position at every tick if the unit has to arrive late.
//!
//! Costs need not be ticks (diagonals, terrain, penalties). The earliest arrival at a node is
//! then not always the cheapest. A node therefore has several *labels* (tick and cost), none
//! of which is dominated: both later and more expensive than another.
//!
//! Most moves of a label lead away from the goal or arrive too late. A label is therefore
//! expanded partially (T. Yoshizumi et al., 2000): moves with a higher priority than the label
//! are not generated until the label is popped again with their priority. A move with the
//! label's own priority is followed at once; the other moves are generated only if that fails.
//! Without obstacles the search thus generates one move per step of the path, and needs no
//! distance that is not yet known.
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
const INFLATION_PARTS: u64 = 10;

/// One way to reach a position: an arrival tick and its cost.
#[derive(Clone, Copy, Debug)]
struct Label {
    cost: u64,
    /// A lower bound of the priorities of the moves that were not generated yet.
    priority: u64,
    tick: Tick,
    /// The end of the safe interval: the first tick at which another unit is here, `u32::MAX`
    /// if there is none. It identifies the interval.
    until: u32,
    parent: u32,
    /// The next label of the same position.
    next: u32,
    /// The number of the position, see [`VisitedPositions`].
    number: u32,
    action: Action,
    /// A bit for each of the first 32 moves that need not be tried again.
    finished: u32,
    /// Whether another label of the same interval is as early and as cheap.
    dominated: bool,
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
        dominated: false,
    };
}

/// The result of trying a move from a label.
enum MoveResult {
    /// It gave a new label whose priority is not above the label's.
    Continues,
    /// Its priority is above the label's: this is it. The move is tried again then.
    Later(u64),
    /// It need not be tried again.
    Done,
}

/// Searches a path to a goal on which the unit can stay forever.
///
/// It answers the same question as [`SpaceTimeSearch`](crate::SpaceTimeSearch) with
/// [`Until::Parked`](crate::Until::Parked). The path costs at most 10% more, and far fewer nodes
/// are expanded. Penalties must not decrease with time: a later arrival could then be cheaper,
/// and this search would miss it. Memory is reused between searches.
#[derive(Clone, Debug, Default)]
pub struct SafeIntervalSearch {
    visited: VisitedPositions,
    /// For each number of a position, its first label.
    first: Vec<u32>,
    labels: Vec<Label>,
    open: LevelQueue,
    /// The label that ends on the goal, and the tick from which the unit can stay there.
    found: Option<(u32, Tick)>,
    expanded: u64,
    generated: u64,
    peak_open: usize,
}

/// The parameters of one search.
#[derive(Clone, Copy, Debug)]
struct Task {
    /// The first tick from which the goal stays free.
    arrival: Tick,
    last: Tick,
    pause_cost: u64,
}

impl Task {
    /// The priority of a label: its cost plus the inflated heuristic, in tenths. A unit that
    /// would arrive too early has to wait somewhere, which costs at least its pauses.
    #[inline]
    fn priority(&self, cost: u64, distance: u64, tick: Tick) -> u64 {
        let early = u64::from(self.arrival.0.saturating_sub(tick.0));
        cost * INFLATION_PARTS + distance.max(early * self.pause_cost) * (INFLATION_PARTS + 1)
    }
}

impl SafeIntervalSearch {
    /// Searches a path from a position at a tick to the goal.
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
        // Ticks near `u32::MAX` are refused, so that no sum overflows.
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
            if label.dominated {
                continue;
            }
            if label.until == NONE && self.visited.get(label.number).0 == goal {
                // A unit that already stands there may have to wait until the goal stays free.
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

    /// Tries the moves of a label until one continues with the label's priority. Moves whose
    /// distances are already known come first. If none continues, returns the lowest priority
    /// with which the label has to be opened again.
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
        let (mut least, mut continues) = (None, false);
        for known_only in [true, false] {
            let mut bit = 1_u32;
            space.for_each_move(at, |step| {
                if continues || self.labels[index as usize].finished & bit != 0 {
                    bit <<= 1;
                    return;
                }
                let number = match known_only {
                    true => self.number_if_known(step.to, distance),
                    false => self.number(step.to, || distance.distance(step.to, effort)),
                };
                if let Some(number) = number {
                    match self.try_move(space, obstacles, task, index, (at, &step, number)) {
                        MoveResult::Continues => continues = true,
                        MoveResult::Later(next) => least = least.into_iter().chain([next]).min(),
                        MoveResult::Done => self.labels[index as usize].finished |= bit,
                    }
                }
                // Moves beyond the 32nd have no bit and are tried each time.
                bit <<= 1;
            });
            if continues {
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

    /// Tries a move at the earliest tick for each safe interval of its end, in order of time.
    /// Stops when it continues, or when its priority is above the label's.
    fn try_move<S: Space>(
        &mut self,
        space: &S,
        obstacles: &impl TimedObstacles,
        task: &Task,
        index: u32,
        (at, step, number): (Position, &Move, u32),
    ) -> MoveResult {
        let Label { cost, priority, tick, until, .. } = self.labels[index as usize];
        let distance = self.visited.get(number).1;
        let mut begin = tick;
        while begin.0 < until {
            let arrival = Tick(begin.0 + step.ticks);
            let cost = cost + u64::from(begin.0 - tick.0) * task.pause_cost + step.cost;
            let next = task.priority(cost, distance, arrival);
            if next > priority {
                return MoveResult::Later(next);
            }
            if is_legal(space, obstacles, at, step.action, begin) {
                let cost = cost + penalty(space, obstacles, step.to, arrival);
                let until = free_until(space, obstacles, step.to, arrival);
                if self.offer(task, index, (number, step.action), (arrival, until), cost) {
                    return MoveResult::Continues;
                }
                if until == NONE {
                    return MoveResult::Done;
                }
                begin = Tick(until + 1 - step.ticks);
            } else if begin > task.last {
                // After the last tick of all obstacles nothing changes.
                return MoveResult::Done;
            } else {
                match free_again(space, obstacles, step.to, Tick(arrival.0 + 1)) {
                    Some(free) => begin = Tick(free.0 - step.ticks),
                    None => return MoveResult::Done,
                }
            }
        }
        MoveResult::Done
    }

    /// Adds a label unless it is dominated. Returns whether its priority is not above its
    /// parent's. The parent is then opened again below it, for the case that it fails.
    fn offer(
        &mut self,
        task: &Task,
        parent: u32,
        (number, action): (u32, Action),
        (tick, until): (Tick, u32),
        cost: u64,
    ) -> bool {
        self.generated += 1;
        if self.is_dominated(task, number, (tick, until), cost) {
            return false;
        }
        let parent_priority = self.labels[parent as usize].priority;
        let continues = task.priority(cost, self.visited.get(number).1, tick) <= parent_priority;
        if continues {
            self.open.push(parent_priority, parent);
        }
        let next = self.first[number as usize];
        self.push(task, Label { cost, tick, until, parent, next, number, action, ..Label::NEW });
        continues
    }

    /// Whether a known label dominates the given one. If not, marks the labels that the given
    /// one dominates.
    fn is_dominated(
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
                // An earlier label dominates a later one if it is as cheap after waiting for it.
                let waiting = |from: Tick, to: Tick| u64::from(to.0 - from.0) * task.pause_cost;
                if label.tick <= tick && label.cost + waiting(label.tick, tick) <= cost {
                    return true;
                }
                label.dominated |=
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

    /// Writes the path of the last search; an empty one if none was found.
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

    /// The largest number of open nodes.
    #[must_use]
    pub fn peak_open(&self) -> u64 {
        self.peak_open as u64
    }
}

/// The pauses from one tick to another, the last one first.
fn pauses(from: Position, begin: Tick, end: Tick) -> impl Iterator<Item = Leg> {
    let pause = move |tick| Leg { from, tick: Tick(tick), action: Action::PAUSE };
    (begin.0..end.0).rev().map(pause)
}

/// The first tick from which a unit can stand at a position forever.
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
