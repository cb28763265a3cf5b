//! A phase of the tick: which units are in a crowd.
//!
//! Windowed plans need room: in a crowd they are overridden as fast as they are made. A unit is
//! in a crowd when the bodies around it fill more than a certain share of the cells on which it
//! can stand, or when its planning has failed. There `crowd.rs` decides its steps, one tick at a
//! time. It leaves the crowd some ticks after the bodies around it have become few.
//!
//! Bodies and cells are counted in blocks, so that a unit looks at nine numbers.

use throng_cooperative::{PlanEvent, UnitRecord};
use throng_model::{Cell, Tick, UnitId};
use throng_spacetime::GridSpace;

use crate::shares::by_shares;
use crate::state::State;
use crate::unit::{Assignment, Crowding, Doing};

/// The side of a block, in cells. A unit looks at three by three blocks.
const BLOCK: u16 = 4;
/// A unit of one cell and one tick per step is in a crowd if the bodies of others cover one in so
/// many cells around it.
///
/// With 9, a hundred units of mixed sizes in a town take up to 450 ticks; with 5 and 3, up to 280.
const CROWDED_SHARE: u32 = 5;
/// The same for large and slow units, which gain more from looking ahead.
const CROWDED_SHARE_LARGE: u32 = 3;
/// A unit stays in the crowd for at least so many ticks after it last was crowded.
pub(super) const LINGER: u32 = 8;
/// A unit whose planning failed is in the crowd for so many ticks.
const FAILED: u32 = 24;

/// How many cells of each block a body of one movement profile can stand on.
#[derive(Clone, Debug)]
pub(crate) struct Room {
    columns: usize,
    standable: Vec<u8>,
}

impl Room {
    pub(crate) fn new(space: &GridSpace) -> Self {
        let (columns, rows) = blocks(space);
        let mut room = Self { columns, standable: vec![0; columns * rows] };
        for block in 0..columns * rows {
            room.count(space, block);
        }
        room
    }

    /// Counts again around an edited cell.
    pub(crate) fn update(&mut self, space: &GridSpace, cell: Cell) {
        let reach = u16::from(space.ground().movement().footprint);
        let first = |at: u16| usize::from(at.saturating_sub(reach - 1) / BLOCK);
        for row in first(cell.y)..=usize::from(cell.y / BLOCK) {
            for column in first(cell.x)..=usize::from(cell.x / BLOCK) {
                self.count(space, row * self.columns + column);
            }
        }
    }

    fn count(&mut self, space: &GridSpace, block: usize) {
        let corner = |at: usize| at as u16 * BLOCK;
        let (x, y) = (corner(block % self.columns), corner(block / self.columns));
        let cells = (y..y + BLOCK).flat_map(|y| (x..x + BLOCK).map(move |x| Cell::new(x, y)));
        let standable = cells.filter(|&cell| space.ground().can_stand(cell)).count();
        self.standable[block] = standable as u8;
    }
}

fn blocks(space: &GridSpace) -> (usize, usize) {
    let side = usize::from(BLOCK);
    let (width, height) = (space.ground().width() as usize, space.ground().height() as usize);
    (width.div_ceil(side), height.div_ceil(side))
}

/// The cells that bodies cover, by block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Density {
    columns: usize,
    bodies: Vec<u32>,
    touched: Vec<u32>,
}

impl Density {
    /// Counts the bodies of this tick.
    pub(crate) fn count(&mut self, state: &State) {
        let Some(space) = state.terrain.spaces.first() else { return };
        let (columns, rows) = blocks(space);
        self.columns = columns;
        self.bodies.resize(columns * rows, 0);
        for block in self.touched.drain(..) {
            self.bodies[block as usize] = 0;
        }
        for (unit, record) in state.units.iter() {
            let Some(at) = state.units.free_at(unit) else { continue };
            let space = state.space(record);
            let block = self.block(space.cell(at));
            if self.bodies[block] == 0 {
                self.touched.push(block as u32);
            }
            self.bodies[block] += area(space);
        }
    }

    /// Whether the bodies of others fill the cells around a unit.
    pub(crate) fn surrounds(&self, state: &State, unit: UnitId) -> bool {
        let (Some(record), Some(at)) = (state.units.get(unit), state.units.free_at(unit)) else {
            return false;
        };
        let (space, room) = (state.space(record), &state.terrain.rooms[record.space]);
        self.is_crowded(room, space, space.cell(at))
    }

    fn block(&self, cell: Cell) -> usize {
        usize::from(cell.y / BLOCK) * self.columns + usize::from(cell.x / BLOCK)
    }

    /// Whether the bodies of others fill the cells around a unit.
    fn is_crowded(&self, room: &Room, space: &GridSpace, cell: Cell) -> bool {
        let rows = self.bodies.len() / self.columns;
        let (column, row) = (usize::from(cell.x / BLOCK), usize::from(cell.y / BLOCK));
        let (mut bodies, mut standable) = (0, 0);
        for row in row.saturating_sub(1)..=(row + 1).min(rows - 1) {
            let first = row * self.columns;
            for block in
                first + column.saturating_sub(1)..=first + (column + 1).min(self.columns - 1)
            {
                bodies += self.bodies[block];
                standable += u32::from(room.standable[block]);
            }
        }
        (bodies - area(space)) * crowded_share(space) >= standable
    }
}

fn crowded_share(space: &GridSpace) -> u32 {
    let is_agile = area(space) == 1 && space.ground().movement().pace == 1;
    if is_agile { CROWDED_SHARE } else { CROWDED_SHARE_LARGE }
}

/// The number of cells that a body covers.
fn area(space: &GridSpace) -> u32 {
    let side = u32::from(space.ground().movement().footprint);
    side * side
}

/// Decides which units are in a crowd in this tick.
pub(crate) fn run(state: &mut State, density: &Density, threads: usize) {
    let changed = by_shares(threads, state.units.slots(), |slots| {
        let changed = |(unit, record): (UnitId, &UnitRecord<Assignment>)| {
            let crowding = next_crowding(state, density, unit, record)?;
            (crowding != record.activity.crowding).then_some((unit, crowding))
        };
        state.units.iter_slots(slots).filter_map(changed).collect::<Vec<_>>()
    });
    for (unit, crowding) in changed.into_iter().flatten() {
        let Some(assignment) = state.assignment_mut(unit) else { continue };
        let was_crowded = assignment.crowding.is_crowded;
        assignment.crowding = crowding;
        if was_crowded && !crowding.is_crowded {
            state.units.plan_again(unit);
        }
    }
}

/// Units whose planning has failed in this tick are in a crowd.
pub(crate) fn add_failed(state: &mut State) {
    let until = Tick(state.now().0 + FAILED);
    let failed = state.units.events().iter().filter_map(|event| match event {
        PlanEvent::NoPath { unit } | PlanEvent::NoProgress { unit } => Some(*unit),
        _ => None,
    });
    for unit in failed.collect::<Vec<_>>() {
        if let Some(assignment) = state.assignment_mut(unit).filter(|a| a.follows_route()) {
            assignment.crowding.until = until;
            assignment.crowding.is_crowded = true;
        }
    }
}

fn next_crowding(
    state: &State,
    density: &Density,
    unit: UnitId,
    record: &UnitRecord<Assignment>,
) -> Option<Crowding> {
    let (at, now) = (state.units.free_at(unit)?, state.now());
    let wants_to_move = record.activity.follows_route() && record.destination() != Some(at);
    let (space, room) = (state.space(record), &state.terrain.rooms[record.space]);
    let is_dense = wants_to_move && density.is_crowded(room, space, space.cell(at));
    let mut crowding = record.activity.crowding;
    crowding.waits_for_turn = false;
    if is_dense {
        crowding.until = crowding.until.max(Tick(now.0 + LINGER));
    }
    crowding.is_crowded =
        wants_to_move && (now < crowding.until || crowding.attempts.are_hopeless());
    if !wants_to_move {
        crowding.attempts.forget(now);
    }
    if wants_to_move && record.activity.doing == Doing::Arrived {
        crowding.displaced = crowding.displaced.saturating_add(1);
    }
    Some(crowding)
}
