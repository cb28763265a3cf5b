//! A phase of the tick: the steps of units in crowds, and of all units that they touch.
//!
//! K. Okumura et al., "Priority Inheritance with Backtracking for Iterative Multi-agent Path
//! Finding" (2022), by [`CrowdKernel`]: units decide in order of priority, and a unit that is in
//! the way of another inherits its turn. The work per unit is bounded in every scene.
//!
//! The kernel decides for the units in a crowd, for units without a plan, and for every unit
//! that one of these could meet in this tick. A unit that has a plan tries its plan first, and
//! keeps it if the kernel agrees.

use throng_anytime::{CrowdKernel, CrowdUnit, Preferences, Waiting};
use throng_cooperative::{Activity, Location, Role, UnitRecord, UnitStore};
use throng_model::{Cell, Tick, UnitId};
use throng_spacetime::{Action, GridSpace, Leg, Position};

use super::density::{Density, LINGER};
use super::gates::{Turn, Turns};
use super::jams;
use super::passages::Passages;
use super::sides;
use super::yielding;
use crate::distances::WorldDistances;
use crate::shares::by_shares;
use crate::state::State;
use crate::unit::Assignment;

/// The kernel draws ties by this. Worlds differ by their units and ticks.
const SEED: u64 = 0;

/// From so many members on, their distances are looked up on several threads.
const LOOK_UP_MIN: usize = 256;

/// Added to the distance of places that a unit has to keep free, for each cell that it is too near
/// to a gate: more than any distance.
const BEYOND: u64 = 1 << 48;
/// The lower of two bits of a priority for units whose turn it is at a passage: within their level.
const TURN_BIT: u32 = 38;

/// The memory of the phase. It holds nothing from tick to tick.
#[derive(Clone, Debug)]
pub(crate) struct Crowd {
    pub(crate) density: Density,
    pub(crate) turns: Turns,
    pub(crate) yielding: yielding::Scratch,
    kernel: CrowdKernel,
    /// The units for which the kernel decides.
    members: Vec<UnitId>,
    /// By slot: whether the unit is a member.
    is_member: Vec<bool>,
    passages: Passages,
    units: Vec<CrowdUnit>,
    /// By member: its side, and whether it asks others to make room.
    sides: Vec<u8>,
    asks: Vec<bool>,
    /// By member: the distance from where it is.
    here: Vec<u64>,
    planned: Vec<Option<Action>>,
    /// Moves that jams begin in this tick.
    moves: Vec<(UnitId, Action)>,
    steps: Vec<(UnitId, Action)>,
    /// Memory of this thread, beside those of the planners.
    distances: WorldDistances,
}

impl Crowd {
    pub(crate) fn new(entries: usize) -> Self {
        Self {
            density: Density::default(),
            turns: Turns::default(),
            yielding: yielding::Scratch::default(),
            kernel: CrowdKernel::for_grids(entries, SEED),
            members: Vec::new(),
            is_member: Vec::new(),
            passages: Passages::default(),
            units: Vec::new(),
            sides: Vec::new(),
            asks: Vec::new(),
            here: Vec::new(),
            planned: Vec::new(),
            moves: Vec::new(),
            steps: Vec::new(),
            distances: WorldDistances::default(),
        }
    }

    /// Decides the steps of this tick.
    pub(crate) fn run(&mut self, state: &mut State, planners: &mut [WorldDistances]) {
        let before = std::mem::take(&mut self.members);
        self.gather(state, planners.len() + 1);
        for unit in before {
            if !self.is_member.get(unit.index()).is_some_and(|&is_member| is_member) {
                state.distances.leave_crowd(unit);
            }
        }
        if self.members.is_empty() {
            return;
        }
        jams::begin_moves(state, &mut self.moves);
        self.passages.run(state, &self.members);
        if !planners.is_empty() && self.members.len() >= LOOK_UP_MIN {
            self.look_up(state, planners);
        }
        self.prepare(state);
        let (planes, spaces) = (&state.terrain.planes, &state.terrain.spaces);
        self.kernel.use_grids(spaces, planes.body_entries());
        let now = state.now();
        let mut wishes = Wishes {
            members: &self.members,
            here: &self.here,
            passages: &self.passages,
            planned: &self.planned,
            turns: &self.turns,
            units: &state.units,
            spaces,
            sides: &self.sides,
            asks: &self.asks,
            distances: &mut state.distances,
        };
        let actions = if planes.list().len() > 1 {
            let bodies = (0..).zip(spaces);
            let bodies =
                bodies.map(|(at, space)| planes.bodies_of(space, state.terrain.plane_of(at)));
            let bodies: Vec<_> = bodies.collect();
            self.kernel.decide(&bodies, &self.units, now, &mut wishes)
        } else {
            self.kernel.decide(spaces, &self.units, now, &mut wishes)
        };
        self.steps.clear();
        self.steps.extend(self.members.iter().copied().zip(actions.iter().copied()));
        for (unit, action) in &mut self.steps {
            let begun = self.moves.iter().find(|(mover, _)| mover == unit);
            begun.into_iter().for_each(|&(_, begun)| *action = begun);
        }
        state.units.take_steps(&state.terrain.spaces, &self.steps);
    }

    /// Finds the members: units in a crowd, units without a plan, and those that they could meet.
    fn gather(&mut self, state: &State, threads: usize) {
        self.members.clear();
        self.is_member.clear();
        self.is_member.resize(state.units.slots(), false);
        let first = by_shares(threads, state.units.slots(), |slots| {
            let units = state.units.iter_slots(slots);
            let crowded = units.filter(|(unit, record)| is_crowded(state, *unit, record));
            crowded.map(|(unit, _)| unit).collect::<Vec<_>>()
        });
        self.add_all(&first);
        let mut done = 0;
        while done < self.members.len() {
            let (members, is_member) = (&self.members[done..], &self.is_member);
            let found = by_shares(threads, members.len(), |share| {
                let mut found = Vec::new();
                for &unit in &members[share] {
                    for_each_neighbour(state, unit, |other| {
                        found.extend(Some(other).filter(|other| !is_member[other.index()]));
                    });
                }
                found
            });
            done = self.members.len();
            self.add_all(&found);
        }
    }

    fn add_all(&mut self, units: &[Vec<UnitId>]) {
        for &unit in units.iter().flatten() {
            if !std::mem::replace(&mut self.is_member[unit.index()], true) {
                self.members.push(unit);
            }
        }
    }

    /// Looks up the distances of the members that are on their way, on several threads.
    fn look_up(&mut self, state: &mut State, planners: &mut [WorldDistances]) {
        let mut going: Vec<(UnitId, Position, usize)> = Vec::with_capacity(self.members.len());
        going.extend(self.members.iter().filter_map(|&unit| {
            let (record, at) = (state.units.get(unit)?, state.units.location(unit)?.position());
            let is_going = record.destination() != Some(at) && record.activity.follows_route();
            is_going.then_some((unit, at, record.space))
        }));
        going.sort_unstable_by_key(|&(unit, ..)| unit.index());
        let (spaces, units) = (&state.terrain.spaces, &mut state.units);
        state.distances.look_up(spaces, units, &going, (&mut self.distances, planners));
    }

    /// Describes the members to the kernel.
    fn prepare(&mut self, state: &mut State) {
        self.units.clear();
        self.sides.clear();
        self.asks.clear();
        self.planned.clear();
        self.here.clear();
        let now = state.now();
        for (member, &unit) in self.members.iter().enumerate() {
            let Some(at) = state.units.location(unit).map(Location::position) else { continue };
            let stops = self.passages.stop_line(member).is_some();
            let planned = state.units.planned_action(unit).filter(|_| !stops);
            let (here, priority) = follow(state, unit, at, stops);
            let Some(record) = state.units.get(unit) else { continue };
            let role = record.activity.role();
            let is_jammed = record.activity.crowding.is_jammed;
            let holds = role == Role::Holding || is_jammed || state.units.is_held_back(unit);
            let begins = self.moves.iter().find(|(mover, _)| is_jammed && *mover == unit);
            let begins = begins.map(|&(_, action)| Leg { from: at, tick: now, action });
            let begun = begins.or(state.units.last_move(unit));
            // A unit that clears the way of another goes first.
            let turn = match self.turns.of(unit) {
                Some(Turn::Leave) => 2,
                Some(Turn::Go) => 1,
                _ => 0,
            };
            let priority = priority | u64::from(role == Role::Yielding) << 60 | turn << TURN_BIT;
            let space = record.space;
            self.units.push(CrowdUnit { unit, space, at, priority, holds, begun });
            self.sides.push(state.terrain.plane(space).side);
            self.asks.push(!record.activity.crowding.attempts.are_hopeless());
            self.planned.push(planned);
            self.here.push(here);
        }
    }
}

/// Whether the kernel decides for the unit, even if it is alone.
fn is_crowded(state: &State, unit: UnitId, record: &UnitRecord<Assignment>) -> bool {
    let meets_strangers =
        || state.terrain.planes.sides_meet() && sides::is_near_stranger(state, unit);
    record.is_on_map()
        && (record.activity.crowding.is_crowded
            || state.units.is_without_plan(unit)
            || meets_strangers())
}

/// Finds the units that hold, in this tick or the next one, a cell that the unit could reach.
fn for_each_neighbour(state: &State, unit: UnitId, mut found: impl FnMut(UnitId)) {
    let Some(record) = state.units.get(unit) else { return };
    let Some(at) = state.units.location(unit).map(Location::position) else { return };
    let (map, space, now) = (state.terrain.map(), state.space(record), state.now());
    let (planes, plane) = (&state.terrain.planes, state.terrain.plane_of(record.space));
    let (Cell { x, y }, side) = (space.cell(at), u16::from(space.ground().movement().footprint));
    let (right, bottom) = ((x + side).min(map.width() - 1), (y + side).min(map.height() - 1));
    let cells = (y.saturating_sub(1)..=bottom)
        .flat_map(|y| (x.saturating_sub(1)..=right).map(move |x| Cell::new(x, y)));
    for index in cells.filter_map(|cell| map.index(cell)) {
        for entry in planes.of_layer(plane).map(|plane| planes.entry(plane, index)) {
            for tick in [now, Tick(now.0 + 1)] {
                let holder = state.units.table().holder(entry, tick);
                holder.into_iter().for_each(|claim| found(claim.unit));
            }
        }
    }
}

/// Keeps the distances around a member, and counts how long it waits. Returns its distance and
/// its priority; a member that has to stop before a passage makes room for all others.
fn follow(state: &mut State, unit: UnitId, at: Position, stops: bool) -> (u64, u64) {
    let now = state.now();
    let Some(record) = state.units.get(unit) else { return (0, 0) };
    let (profile, level) = (record.space, record.level);
    let space = &state.terrain.spaces[profile];
    let at_home = record.destination() == Some(at);
    let rests = at_home || !record.activity.follows_route();
    let Some(assignment) = state.units.activity_mut(unit) else { return (0, 0) };
    if !rests {
        state.distances.follow_in_crowd(space, unit, &mut assignment.source, at);
    }
    let distance = match rests {
        true => Some(0),
        false => state.distances.crowd_distance(space, unit, &assignment.source, at),
    };
    if assignment.crowding.waits_for_turn && !rests {
        assignment.crowding.waiting.queue();
    } else {
        assignment.crowding.waiting.tick(distance);
    }
    if stops {
        // It would only plan again and again how to get past the units before it.
        assignment.crowding.is_crowded = true;
        assignment.crowding.until = assignment.crowding.until.max(Tick(now.0 + LINGER));
    }
    let waiting = if stops { Waiting::default() } else { assignment.crowding.waiting };
    (distance.unwrap_or(0), waiting.priority(level, unit, now))
}

/// Where the members want to go.
struct Wishes<'a> {
    members: &'a [UnitId],
    here: &'a [u64],
    passages: &'a Passages,
    planned: &'a [Option<Action>],
    turns: &'a Turns,
    units: &'a UnitStore<Assignment>,
    spaces: &'a [GridSpace],
    sides: &'a [u8],
    asks: &'a [bool],
    distances: &'a mut WorldDistances,
}

impl Preferences for Wishes<'_> {
    fn distance(&mut self, member: usize, at: Position) -> Option<u64> {
        let unit = self.members[member];
        let record = self.units.get(unit)?;
        let space = &self.spaces[record.space];
        let distance = self.distances.crowd_distance(space, unit, &record.activity.source, at)?;
        if let Some(Turn::Wait(gate, room)) = self.turns.of(unit) {
            let side = u16::from(space.ground().movement().footprint);
            let missing = room.saturating_sub(gate.gap(space.cell(at), side));
            return Some(distance.saturating_add(u64::from(missing) * BEYOND));
        }
        let stop_line = self.passages.stop_line(member);
        let is_beyond = |line: u64| distance < line && distance < self.here[member];
        Some(if stop_line.is_some_and(is_beyond) { distance + BEYOND } else { distance })
    }

    fn planned(&mut self, member: usize) -> Option<Action> {
        self.planned[member]
    }

    fn asks(&self, member: usize) -> bool {
        self.asks[member]
    }

    fn side(&self, member: usize) -> u8 {
        self.sides[member]
    }
}
