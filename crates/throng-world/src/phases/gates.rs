//! A phase of the tick: which units wait in front of a narrow place.
//!
//! Large units from both sides of a door block each other: no body can pass another in it, and
//! the units that wait at the end leave no room to come out. So where units that want through a
//! [gate](crate::gate_map) from both sides do not fit beside each other, the gate is open
//! from one side at a time. The units of the other side wait, and keep an area in front of it
//! clear. After a while, or when no unit is left, it is the other side's turn; the gate must be
//! clear first.
//!
//! Units that rest beside such a gate make room until it is not controlled any more.
//!
//! Each side and layer has turns of its own: where the units of others want to go is not known.
//!
//! A unit that waits is not locked: the places in front of the gate are the last ones that it
//! chooses. Doors that only units of one cell want to pass are not controlled, and units of one cell
//! are looked at only where a larger one comes to a gate.

use std::cmp::Reverse;

use serde::{Deserialize, Serialize};
use throng_model::{Cell, Map, Tick, UnitId};
use throng_spacetime::{GridSpace, Position};

use crate::gate_map::{Gate, GateMap, Side};
use crate::state::State;

/// How far ahead on its route a unit looks for a gate, in steps.
const LOOK_AHEAD: usize = 32;
/// With fewer units a gate is not controlled.
const CROWD: usize = 12;
/// Units that wait leave so many cells free, besides the largest body that comes out.
const CLEAR: u16 = 2;
/// Units that wait have so many times as many cells as their bodies cover.
const SPACING: u32 = 2;
/// A unit that is so near to a gate, in cells, and has not to go through, has come through.
const BESIDE: u16 = 2;
/// A gate is open from one side for so many ticks, and so many more for each tick per step of
/// the slowest unit.
const TURN: u32 = 32;
const TURN_BY_PACE: u32 = 24;

/// A gate that is open from one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct GateTurn {
    /// A cell by which the gate is known.
    pub(crate) cell: Cell,
    /// The plane of its units.
    pub(crate) plane: u8,
    /// Whether it is open from the low side.
    pub(crate) from_low: bool,
    pub(crate) since: Tick,
}

impl GateTurn {
    /// What turns are sorted by.
    pub(crate) fn place(&self) -> (u16, u16, u8) {
        (self.cell.y, self.cell.x, self.plane)
    }

    fn open_side(&self) -> Side {
        if self.from_low { Side::Low } else { Side::High }
    }
}

/// A unit that wants through a gate.
#[derive(Clone, Copy, Debug)]
struct Comer {
    gate: u32,
    plane: u8,
    unit: UnitId,
    from: Side,
    footprint: u16,
    pace: u32,
    is_inside: bool,
    /// The cells between it and the gate.
    gap: u16,
    /// It has come through.
    is_leaving: bool,
    /// Its destination is in the gate or beside it, and it is there or on that side.
    stays: bool,
}

/// What a unit must do at a gate.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Turn {
    /// Go on: it is in the gate, or has just come through.
    Leave,
    /// Go through.
    Go,
    /// Wait, with so many cells between it and the gate.
    Wait(Gate, u16),
}

/// By slot: what the unit must do at a contested gate. It holds nothing from tick to tick.
#[derive(Clone, Debug, Default)]
pub(crate) struct Turns {
    by_slot: Vec<Option<Turn>>,
    comers: Vec<Comer>,
    near: NearGates,
}

impl Turns {
    pub(crate) fn of(&self, unit: UnitId) -> Option<&Turn> {
        self.by_slot.get(unit.index())?.as_ref()
    }
}

/// Decides which units go and which wait in this tick.
pub(crate) fn run(state: &mut State, turns: &mut Turns) {
    turns.by_slot.clear();
    let mut comers = std::mem::take(&mut turns.comers);
    comers.clear();
    find_comers(state, &mut turns.near, &mut comers);
    let mut gates = Vec::new();
    if !comers.is_empty() {
        turns.by_slot.resize(state.units.slots(), None);
    }
    comers.sort_by_key(|comer| (comer.gate, comer.plane));
    for comers in comers.chunk_by_mut(|a, b| (a.gate, a.plane) == (b.gate, b.plane)) {
        gates.extend(control(state, comers, turns));
    }
    turns.comers = comers;
    gates.sort_unstable_by_key(GateTurn::place);
    state.gates = gates;
}

/// Finds the units that want through a gate: those of several cells, and of the others those that
/// could come to such a gate.
fn find_comers(state: &mut State, near: &mut NearGates, comers: &mut Vec<Comer>) {
    let is_large = |space: &GridSpace| space.ground().movement().footprint > 1;
    let is_large: Vec<bool> = state.terrain.spaces.iter().map(is_large).collect();
    if !is_large.contains(&true) {
        return;
    }
    let large = state.units.iter().filter(|(_, record)| is_large[record.space]);
    for unit in large.map(|(unit, _)| unit).collect::<Vec<_>>() {
        comers.extend(find_gate(state, unit));
    }
    if comers.is_empty() {
        return;
    }
    near.begin(state.terrain.map());
    comers.iter().for_each(|comer| near.add(state.terrain.gate_map.get(comer.gate)));
    let small = state.units.iter().filter(|(unit, record)| {
        let at = state.units.free_at(*unit).map(|at| state.space(record).cell(at));
        !is_large[record.space] && at.is_some_and(|at| near.contains(at))
    });
    for unit in small.map(|(unit, _)| unit).collect::<Vec<_>>() {
        comers.extend(find_gate(state, unit));
    }
}

/// Where units can be that look ahead to one of some gates, in blocks.
#[derive(Clone, Debug, Default)]
struct NearGates {
    columns: usize,
    blocks: Vec<bool>,
}

impl NearGates {
    /// The side of a block, in cells.
    const BLOCK: usize = LOOK_AHEAD;

    fn begin(&mut self, map: &Map) {
        let blocks = |cells: u16| usize::from(cells).div_ceil(Self::BLOCK);
        self.columns = blocks(map.width());
        self.blocks.clear();
        self.blocks.resize(self.columns * blocks(map.height()), false);
    }

    /// Adds the blocks that are within a unit's sight of a gate.
    fn add(&mut self, gate: &Gate) {
        let (low, high) = gate.bounds();
        let first = |at: u16| usize::from(at).saturating_sub(LOOK_AHEAD) / Self::BLOCK;
        let last = |at: u16| (usize::from(at) + LOOK_AHEAD) / Self::BLOCK;
        let rows = self.blocks.chunks_mut(self.columns).skip(first(low.y));
        for row in rows.take(last(high.y) + 1 - first(low.y)) {
            let end = row.len().min(last(high.x) + 1);
            row[first(low.x)..end].fill(true);
        }
    }

    fn contains(&self, at: Cell) -> bool {
        let block = |at: u16| usize::from(at) / Self::BLOCK;
        self.blocks[block(at.y) * self.columns + block(at.x)]
    }
}

/// The next gate on a unit's route.
fn find_gate(state: &mut State, unit: UnitId) -> Option<Comer> {
    let at = state.units.free_at(unit)?;
    let record = state.units.get(unit)?;
    if !record.activity.follows_route() {
        return None;
    }
    let (space, plane) =
        (&state.terrain.spaces[record.space], state.terrain.plane_of(record.space));
    let movement = space.ground().movement();
    let (footprint, pace) = (u16::from(movement.footprint), u32::from(movement.pace));
    let middle = |Cell { x, y }: Cell| Cell::new(x + (footprint - 1) / 2, y + (footprint - 1) / 2);
    let (corner, destination) = (space.cell(at), record.destination());
    let ahead = state.distances.route_ahead(space, unit, &record.activity, at);
    let mut ahead = ahead.iter().take(LOOK_AHEAD).map(|&to| middle(space.cell(to)));
    let (map, gates) = (&state.terrain.map, &mut state.terrain.gate_map);
    let mut before = middle(corner);
    let comer = |number: u32, gate: &Gate, from: Side, is_leaving: bool| {
        let (is_inside, gap) = (gate.holds(corner, footprint), gate.gap(corner, footprint));
        let is_near = |to: Position| gate.gap(space.cell(to), footprint) <= BESIDE;
        let stays = is_leaving && destination.is_some_and(is_near);
        let is_inside = is_inside && !(stays && destination == Some(at));
        Comer {
            gate: number,
            plane,
            unit,
            from,
            footprint,
            pace,
            is_inside,
            gap,
            is_leaving,
            stays,
        }
    };
    if let Some(number) = gates.at(map, before) {
        // It comes from the end that it does not go to.
        let leaves = ahead.find(|&to| gates.at(map, to) != Some(number));
        let gate = gates.get(number);
        let to = leaves.map_or(gate.side(before), |leaves| gate.side(leaves));
        return Some(comer(number, gate, to.other(), leaves.is_none()));
    }
    for to in ahead {
        if let Some(number) = gates.at(map, to) {
            let gate = gates.get(number);
            return Some(comer(number, gate, gate.side(before), false));
        }
        before = to;
    }
    // It may have come through one just now.
    let number = gate_beside(map, gates, corner, footprint)?;
    let gate = gates.get(number);
    Some(comer(number, gate, gate.side(middle(corner)).other(), true))
}

/// A gate that a body is in, or near to.
fn gate_beside(map: &Map, gates: &mut GateMap, corner: Cell, footprint: u16) -> Option<u32> {
    let rows = corner.y.saturating_sub(BESIDE)..corner.y + footprint + BESIDE;
    let columns = corner.x.saturating_sub(BESIDE)..corner.x + footprint + BESIDE;
    let mut cells = rows.flat_map(|y| columns.clone().map(move |x| Cell::new(x, y)));
    cells.find_map(|cell| gates.at(map, cell))
}

/// Decides who goes through one gate; `None` if all can at once.
fn control(state: &mut State, comers: &mut [Comer], turns: &mut Turns) -> Option<GateTurn> {
    let gate = *state.terrain.gate_map.get(comers[0].gate);
    let coming = comers.iter().filter(|comer| !comer.is_leaving || comer.is_inside);
    let mut footprints: Vec<u16> = coming.map(|comer| comer.footprint).collect();
    footprints.sort_unstable_by_key(|&footprint| Reverse(footprint));
    let [largest, second, ..] = footprints[..] else { return None };
    if footprints.len() < CROWD || largest == 1 || largest + second <= gate.width {
        return None;
    }
    let (turn, is_open) = turn_of(state, &gate, comers);
    comers.sort_unstable_by_key(|comer| (!comer.is_inside, comer.gap, comer.unit));
    for side in [Side::Low, Side::High] {
        let may_enter = is_open && turn.open_side() == side;
        let mut queue = Queue::new(&gate, largest, may_enter);
        for comer in comers.iter().filter(|comer| comer.from == side) {
            let told = queue.next(comer);
            turns.by_slot[comer.unit.index()] = Some(told);
            if let Some(assignment) = state.assignment_mut(comer.unit) {
                assignment.crowding.join(matches!(told, Turn::Wait(..)));
            }
        }
    }
    Some(turn)
}

/// The units on one side of a gate, the nearest first.
struct Queue {
    gate: Gate,
    /// Where the next row of units waits that may enter, the cells that are left in the row, and
    /// how long its units are.
    row: Option<(u16, u16, u16)>,
    /// How far away the first unit waits that may not enter, and the next one.
    clear_room: u16,
    room: u16,
    /// The cells that are nearer than where the first one waits.
    clear: u32,
    /// The cells of bodies that wait.
    waiting: u32,
}

impl Queue {
    fn new(gate: &Gate, largest: u16, may_enter: bool) -> Self {
        let room = largest + CLEAR;
        let row = may_enter.then_some((0, gate.width, 0));
        let clear = cells_within(gate, room);
        Self { gate: *gate, row, clear_room: room, room, clear, waiting: 0 }
    }

    fn next(&mut self, comer: &Comer) -> Turn {
        if comer.stays && !comer.is_inside {
            return Turn::Wait(self.gate, self.clear_room);
        }
        if comer.is_inside || comer.is_leaving {
            return Turn::Leave;
        }
        self.waiting += u32::from(comer.footprint).pow(2);
        while cells_within(&self.gate, self.room) < self.clear + SPACING * self.waiting {
            self.room += 1;
        }
        let room = self.next_in_row(comer.footprint).map_or(self.room, |room| room.min(self.room));
        if room == 0 { Turn::Go } else { Turn::Wait(self.gate, room) }
    }

    /// Where the next unit that may enter waits.
    fn next_in_row(&mut self, footprint: u16) -> Option<u16> {
        let (room, left, length) = self.row.as_mut()?;
        if *left < footprint {
            (*room, *left, *length) = (*room + *length, self.gate.width, 0);
        }
        (*left, *length) = (left.saturating_sub(footprint), footprint.max(*length));
        Some(*room)
    }
}

/// The number of cells on one side of a gate that are this near to it.
fn cells_within(gate: &Gate, gap: u16) -> u32 {
    u32::from(gap) * u32::from(2 * gap + gate.width)
}

/// From which side a gate is open in this tick, and whether units may enter.
fn turn_of(state: &State, gate: &Gate, comers: &[Comer]) -> (GateTurn, bool) {
    let (cell, plane, now) = (gate.cell(), comers[0].plane, state.now());
    let pace = comers.iter().map(|comer| comer.pace).max().unwrap_or(1);
    let inside = |side: Side| comers.iter().filter(|c| c.is_inside && c.from == side).count();
    let Some(gate) = state.gates.iter().find(|gate| (gate.cell, gate.plane) == (cell, plane))
    else {
        let from_low = inside(Side::Low) >= inside(Side::High);
        let gate = GateTurn { cell, plane, from_low, since: now };
        return (gate, inside(gate.open_side().other()) == 0);
    };
    let comes = |side: Side| comers.iter().any(|comer| comer.from == side && !comer.is_leaving);
    let (own, other) = (comes(gate.open_side()), comes(gate.open_side().other()));
    let is_over =
        other && (!own || now.0.saturating_sub(gate.since.0) >= TURN + TURN_BY_PACE * pace);
    if is_over && inside(gate.open_side()) == 0 {
        return (GateTurn { from_low: !gate.from_low, since: now, ..*gate }, true);
    }
    (*gate, !is_over && inside(gate.open_side().other()) == 0)
}
