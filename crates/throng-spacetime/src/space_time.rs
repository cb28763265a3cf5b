//! A* through space-time.
//!
//! D. Silver, "Cooperative pathfinding" (2005 and 2006). A node is a position at a tick;
//! the actions are the moves of a [`Space`] and Pause; [`TimedObstacles`] say what other units
//! have reserved.
//!
//! A search ends in one of two ways. *At a depth* (WHCA*): it runs to exactly depth d, whether
//! or not the destination is reached. A node at depth d then costs its true distance to the
//! destination, and pausing on the destination is free. *On the goal* (CA*, HCA*): it ends when
//! the goal is reached or, with [`Until::Parked`], when the unit can stay there forever.

use throng_grid::kit::{IndexTable, LevelQueue};
use throng_model::{Effort, SearchStatus, Tick};

use crate::distance::Distance;
use crate::space::{Action, Move, Position, Space};
use crate::timed::TimedObstacles;
use crate::visited_positions::VisitedPositions;

/// An action of a timed path, with the position and tick at which it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Leg {
    /// Where it begins.
    pub from: Position,
    /// When it begins.
    pub tick: Tick,
    /// The action; it may take several ticks.
    pub action: Action,
}

/// A path through space-time: a sequence of actions, and where and when it ends.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TimedPath {
    /// The actions in the order of time, without gaps.
    pub legs: Vec<Leg>,
    /// Position and tick after the last action; without actions, those of the unit.
    pub end: Option<(Position, Tick)>,
}

impl TimedPath {
    /// Whether it does not end before a tick.
    #[must_use]
    pub fn lasts_until(&self, tick: Tick) -> bool {
        self.end.is_some_and(|(_, last)| last >= tick)
    }

    /// The unit's position at each tick of the path. During an action it is the position where
    /// the action began.
    #[must_use]
    pub fn positions(&self) -> Vec<Position> {
        let Some((end, last)) = self.end else { return Vec::new() };
        let starts = self.legs.iter().map(|leg| leg.tick.0).skip(1).chain([last.0]);
        let mut positions: Vec<_> = self
            .legs
            .iter()
            .zip(starts)
            .flat_map(|(leg, next)| (leg.tick.0..next).map(|_| leg.from))
            .collect();
        positions.push(end);
        positions
    }
}

/// When a search ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// After this many ticks, at any position.
    Depth(u32),
    /// On the goal, at any time.
    Goal(Position),
    /// On the goal, at a tick from which the goal stays free.
    Parked(Position),
}

impl Until {
    fn goal(self) -> Option<Position> {
        match self {
            Self::Depth(_) => None,
            Self::Goal(goal) | Self::Parked(goal) => Some(goal),
        }
    }
}

/// Below this depth the states of a position are stored in one array, indexed by tick.
const DENSE_DEPTH_MAX: u32 = 1 << 12;
/// The cost of a state that was not reached yet.
const UNREACHED: u64 = u64::MAX;
/// The distance of a start without a path to the goal: more than any real distance, and small
/// enough that no sum overflows.
const NO_PATH: u64 = 1 << 44;
const NO_PARENT: u32 = u32::MAX;
/// The low bits of a priority hold the tie-break.
const TIE_BITS: u32 = 16;
const TIE_MAX: u64 = (1 << TIE_BITS) - 1;
/// Ticks per block of states of a position, where the depth is not known beforehand.
const BLOCK: u32 = 16;

#[derive(Clone, Copy, Debug)]
struct State {
    /// Twice the cost, plus 1 if it was expanded.
    cost: u64,
    parent: u32,
    /// Ticks since the start; the largest value stands for all later ticks.
    time: u32,
    /// The number of the position, see [`VisitedPositions`].
    slot: u32,
    action: Action,
}

impl State {
    const NEW: Self =
        Self { cost: UNREACHED, parent: NO_PARENT, time: 0, slot: 0, action: Action::PAUSE };
}

/// A* over positions and ticks.
///
/// Its memory is reused. It grows with the states visited, not with the map times the ticks:
/// positions are numbered in the order in which they are visited, and the states of a position
/// lie side by side. With a depth they are found by index, without one by a hash of blocks of
/// 16 ticks.
#[derive(Clone, Debug, Default)]
pub struct SpaceTimeSearch {
    visited: VisitedPositions,
    states: Vec<State>,
    /// The block of states for a position's number and a block of ticks. Used without a depth.
    blocks: IndexTable<u64>,
    open: LevelQueue,
    expanded: u64,
    generated: u64,
    peak_open: usize,
}

/// The parameters of one search.
#[derive(Clone, Copy, Debug)]
struct Task {
    start: Tick,
    /// The last time with states of its own; later times share them.
    time_max: u32,
    /// States per position; 0 if they are stored in blocks.
    span: u32,
    /// The earliest time that counts as arrival.
    arrival: u32,
    until: Until,
    pause_cost: u64,
}

impl SpaceTimeSearch {
    /// Searches from a position at a tick. `distance` is called once per position.
    ///
    /// - [`SearchStatus::Found`]: [`path_into`](Self::path_into) writes the cheapest path.
    /// - [`SearchStatus::Exhausted`], or a stopped search: `path_into` writes the path that
    ///   lasts longest without a conflict.
    pub fn run<S: Space>(
        &mut self,
        space: &S,
        obstacles: &impl TimedObstacles,
        start: (Position, Tick),
        until: Until,
        distance: &mut impl Distance,
        effort: &mut Effort<'_>,
    ) -> SearchStatus {
        self.begin(space.positions());
        let Some(task) = task(space, obstacles, start, until) else {
            return SearchStatus::Exhausted;
        };
        // The start may have no path to the goal: a wall may just have been built on the unit.
        let first =
            self.number(&task, start.0, || distance.distance(start.0, effort).or(Some(NO_PATH)));
        let Some(first) = first else { return SearchStatus::Exhausted };
        let state = self.state(&task, first, 0);
        self.states[state as usize] = State { cost: 0, slot: first, ..State::NEW };
        self.open.push(self.visited.get(first).1, state);
        let mut longest = state;
        while let Some(state) = self.open.pop() {
            let State { cost, slot, time, .. } = self.states[state as usize];
            if cost & 1 != 0 {
                continue;
            }
            if self.is_end(&task, slot, time) {
                return self.end(state, SearchStatus::Found);
            }
            if !effort.expand() {
                break;
            }
            self.expanded += 1;
            self.states[state as usize].cost |= 1;
            if time > self.states[longest as usize].time {
                longest = state;
            }
            self.expand(space, obstacles, &task, state, distance, effort);
            self.peak_open = self.peak_open.max(self.open.len());
        }
        self.end(longest, effort.stopped().unwrap_or(SearchStatus::Exhausted))
    }

    /// Follows the true distances downhill without a search, pausing only on the destination.
    ///
    /// If no obstacle is in the way, this path costs exactly the true distance, so it is
    /// optimal. Returns false if an obstacle is in the way.
    pub fn descend<S: Space>(
        &mut self,
        space: &S,
        obstacles: &impl TimedObstacles,
        start: (Position, Tick),
        until: Until,
        distance: &mut impl FnMut(Position) -> Option<u64>,
        path: &mut TimedPath,
    ) -> bool {
        path.legs.clear();
        path.end = None;
        let Some(task) = task(space, obstacles, start, until) else { return false };
        let Some(mut left) = distance(start.0) else { return false };
        let (mut at, mut tick) = start;
        loop {
            let time = tick.0 - start.1.0;
            let done = match until {
                Until::Depth(depth) => time >= depth,
                Until::Goal(goal) | Until::Parked(goal) => at == goal,
            };
            if done {
                path.end = Some((at, tick));
                return time >= task.arrival;
            }
            if left == 0 && !matches!(until, Until::Depth(_)) {
                return false;
            }
            let Some((step, rest)) = descending_move(space, obstacles, (at, tick), left, distance)
            else {
                return false;
            };
            self.expanded += 1;
            path.legs.push(Leg { from: at, tick, action: step.action });
            (at, tick, left) = (step.to, Tick(tick.0 + step.ticks), rest);
        }
    }

    fn begin(&mut self, positions: usize) {
        self.visited.begin(positions);
        self.blocks.clear();
        self.states.clear();
        self.open.clear();
    }

    /// Stores the last state as the only open one, from which `path_into` traces the path.
    fn end(&mut self, state: u32, status: SearchStatus) -> SearchStatus {
        self.open.clear();
        self.open.push(0, state);
        status
    }

    fn is_end(&self, task: &Task, slot: u32, time: u32) -> bool {
        match task.until {
            Until::Depth(depth) => time >= depth,
            Until::Goal(goal) | Until::Parked(goal) => {
                time >= task.arrival && self.visited.get(slot).0 == goal
            }
        }
    }

    #[inline]
    fn expand<S: Space>(
        &mut self,
        space: &S,
        obstacles: &impl TimedObstacles,
        task: &Task,
        state: u32,
        distance: &mut impl Distance,
        effort: &mut Effort<'_>,
    ) {
        let State { cost, slot, time, .. } = self.states[state as usize];
        let (at, remaining) = self.visited.get(slot);
        let now = Tick(task.start.0 + time);
        let resting = remaining == 0 && matches!(task.until, Until::Depth(_));
        let pause = if resting { 0 } else { task.pause_cost };
        let cost = cost >> 1;
        let stay = Move { to: at, cost: pause, ticks: 1, action: Action::PAUSE };
        if is_legal(space, obstacles, at, stay.action, now) {
            self.offer(task, (slot, state), time, cost, &stay);
        }
        space.for_each_move(at, |mut step| {
            if is_legal(space, obstacles, at, step.action, now)
                && let Some(next) =
                    self.number(task, step.to, || distance.distance(step.to, effort))
            {
                step.cost += penalty(space, obstacles, step.to, Tick(now.0 + step.ticks));
                self.offer(task, (next, state), time, cost, &step);
            }
        });
    }

    /// The number of a position, assigned on the first visit.
    #[inline]
    fn number(
        &mut self,
        task: &Task,
        at: Position,
        distance: impl FnOnce() -> Option<u64>,
    ) -> Option<u32> {
        let (number, is_new) = self.visited.number(at, distance)?;
        if is_new {
            self.states.resize(self.states.len() + task.span as usize, State::NEW);
        }
        Some(number)
    }

    #[inline]
    fn offer(
        &mut self,
        task: &Task,
        (slot, parent): (u32, u32),
        time: u32,
        cost: u64,
        step: &Move,
    ) {
        self.generated += 1;
        let time = (time + step.ticks).min(task.time_max);
        let cost = cost + step.cost;
        let index = self.state(task, slot, time);
        let state = &mut self.states[index as usize];
        if cost << 1 >= state.cost & !1 {
            return;
        }
        *state = State { cost: cost << 1, parent, time, slot, action: step.action };
        let distance = self.visited.get(slot).1;
        // A unit that would arrive too early has to wait somewhere.
        let early = u64::from(task.arrival.saturating_sub(time)) * task.pause_cost;
        let priority = cost + distance.max(early);
        // If the goal is not free yet, very many paths cost the same: ties go to the state
        // nearest to the goal.
        let tie = if task.arrival > 0 { distance.min(TIE_MAX) } else { 0 };
        self.open.push(priority << TIE_BITS | tie, index);
    }

    #[inline]
    fn state(&mut self, task: &Task, slot: u32, time: u32) -> u32 {
        if task.span > 0 { slot * task.span + time } else { self.state_in_block(slot, time) }
    }

    fn state_in_block(&mut self, slot: u32, time: u32) -> u32 {
        let block = self.blocks.insert(u64::from(slot) << 32 | u64::from(time / BLOCK));
        let first = block * BLOCK;
        if first as usize == self.states.len() {
            self.states.resize(self.states.len() + BLOCK as usize, State::NEW);
        }
        first + time % BLOCK
    }

    /// Writes the path of the last search: the one found, or the one that lasts longest.
    pub fn path_into<S: Space>(&mut self, space: &S, start: Tick, path: &mut TimedPath) {
        path.legs.clear();
        path.end = None;
        let Some(mut state) = self.open.pop() else { return };
        self.open.push(0, state);
        let end = self.visited.get(self.states[state as usize].slot).0;
        while self.states[state as usize].parent != NO_PARENT {
            let State { parent, action, .. } = self.states[state as usize];
            let from = self.visited.get(self.states[parent as usize].slot).0;
            path.legs.push(Leg { from, tick: Tick(0), action });
            state = parent;
        }
        path.legs.reverse();
        let mut tick = start;
        for leg in &mut path.legs {
            leg.tick = tick;
            tick.0 += ticks(space, leg.from, leg.action);
        }
        path.end = Some((end, tick));
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

/// The penalty for entering a position at a tick: the largest penalty of its entries.
///
/// It is not the sum, because a large body that covers another unit's goal with several entries
/// still disturbs only one unit.
#[inline]
pub fn penalty<S: Space>(
    space: &S,
    obstacles: &impl TimedObstacles,
    at: Position,
    tick: Tick,
) -> u64 {
    let mut penalty = 0;
    space.standing(at, |entry| {
        penalty = obstacles.penalty(entry, tick).max(penalty);
        true
    });
    penalty
}

/// The first free move without penalty whose cost equals the decrease of the distance; on the
/// destination the pause. Also returns the remaining distance.
fn descending_move<S: Space>(
    space: &S,
    obstacles: &impl TimedObstacles,
    (at, now): (Position, Tick),
    left: u64,
    distance: &mut impl FnMut(Position) -> Option<u64>,
) -> Option<(Move, u64)> {
    if left == 0 {
        let pause = Move { to: at, cost: 0, ticks: 1, action: Action::PAUSE };
        return is_legal(space, obstacles, at, Action::PAUSE, now).then_some((pause, 0));
    }
    let mut found = None;
    space.for_each_move(at, |step| {
        if found.is_some() || step.cost > left {
            return;
        }
        let falls = distance(step.to).is_some_and(|rest| rest + step.cost == left);
        if falls
            && is_legal(space, obstacles, at, step.action, now)
            && penalty(space, obstacles, step.to, Tick(now.0 + step.ticks)) == 0
        {
            found = Some((step, left - step.cost));
        }
    });
    found
}

/// The ticks that an action takes.
fn ticks<S: Space>(space: &S, from: Position, action: Action) -> u32 {
    if action == Action::PAUSE { 1 } else { space.move_by(from, action).map_or(1, |m| m.ticks) }
}

/// Whether an action can begin at a tick: no other unit holds an entry that it needs or passes
/// through the unit.
#[inline]
pub fn is_legal<S: Space>(
    space: &S,
    obstacles: &impl TimedObstacles,
    from: Position,
    action: Action,
    now: Tick,
) -> bool {
    space.footprint(from, action, |entry, later| obstacles.is_free(entry, Tick(now.0 + later)))
        && space.passings(from, action, |before, after| obstacles.may_pass(before, after, now))
}

/// The parameters of a search. `None` if it cannot begin: start or goal is not in the space, the
/// goal is never free for good, or the ticks would overflow.
fn task<S: Space>(
    space: &S,
    obstacles: &impl TimedObstacles,
    (at, start): (Position, Tick),
    until: Until,
) -> Option<Task> {
    let ends = [Some(at), until.goal()].into_iter().flatten();
    if ends.into_iter().any(|position| position.get() >= space.positions()) {
        return None;
    }
    let mut arrival = Some(0);
    if let Until::Parked(goal) = until {
        space.standing(goal, |entry| {
            let free = obstacles.free_from(entry).map(|tick| tick.0.saturating_sub(start.0));
            arrival = arrival.zip(free).map(|(a, b): (u32, u32)| a.max(b));
            arrival.is_some()
        });
    }
    let longest = space.move_ticks_max();
    let (time_max, span) = match until {
        Until::Depth(depth) if depth < DENSE_DEPTH_MAX => (depth + longest, depth + longest + 1),
        Until::Depth(depth) => (depth.saturating_add(longest), 0),
        // After the last tick at which an obstacle changes, all times share their states.
        _ => (obstacles.last_tick().0.saturating_sub(start.0) + longest + 1, 0),
    };
    // Ticks near `u32::MAX` are refused, so that no sum overflows.
    start.0.checked_add(time_max)?.checked_add(longest + 1)?;
    Some(Task { start, time_max, span, arrival: arrival?, until, pause_cost: space.pause_cost() })
}
