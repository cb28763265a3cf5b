//! Part of the crowd phase: a passage of one cell is used in batches of one direction.
//!
//! Two crowds that meet at a door or bridge of one cell block each other's exits: each unit that
//! comes out has to push through the queue on the other side. So units of one direction pass for
//! a while, and those of the other stop a few cells before the passage and make room. Moves that
//! lead beyond this stop line are ranked behind all others; they are not forbidden, so that a
//! unit can be pushed anywhere. A passage that is used in one direction has no batches.
//!
//! For 300 units at a door of one cell this takes about 400 ticks instead of 600. Doors of two and
//! three cells pass both directions at once, and batches or lanes gained nothing there. Units of
//! several cells have no batches: smaller ones pass the same gate beside each other. Each side and
//! layer has batches of its own: where the units of others want to go is not known.
//!
//! Large units at narrow places have turns by `gates.rs`. Both share that one direction goes at a
//! time; they differ in the rest, and neither can stand for the other:
//!
//! - **Where.** A passage is a chain of positions of one movement profile, with bends. A gate is a
//!   straight strip of up to six cells that bodies of all sizes share.
//! - **When.** A passage counts when a dozen units want through from both sides. A gate counts when
//!   two bodies that want through do not fit beside each other, even from one side.
//! - **How units wait.** Units of one cell stop behind a line along their routes and are pushed
//!   across it if need be: outside of the passage they always get past each other. Large bodies need
//!   a free area to come out, so they wait in rows, by cells between them and the gate.
//! - **When it turns.** A batch turns at once when the other queue is four times as long: what is in
//!   the passage can go back. A gate must be empty first, as no body gets past another inside.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use throng_cooperative::Location;
use throng_model::{Cell, CornerRule, Neighbours, Tick, UnitId};
use throng_spacetime::{GridSpace, Position, Space};

use crate::distances::DistanceSource;
use crate::state::State;

/// How many cells of a unit's route are searched for a passage.
const LOOK_AHEAD: usize = 14;
/// The distance of the stop line from a passage, in straight steps.
const STOP_STEPS: u64 = 6;
/// The ticks of a batch, without the time to walk through the passage and back.
const BATCH: u32 = 64;
/// A batch ends so many ticks after the last unit of the other direction was seen. Meanwhile the
/// units that came out get past those that wait.
const LINGER: u32 = 12;
/// So many units have to be before a passage and in it. Fewer find their way by their plans.
const UNITS_MIN: u32 = 12;
/// The longest passage, in cells.
const LENGTH_MAX: u32 = 64;

/// Which side of a passage has its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Batch {
    /// The plane of its units.
    pub(crate) plane: u8,
    /// The cells before both ends of the passage, the lower first.
    pub(crate) mouths: [Position; 2],
    /// The index of the mouth at which units enter.
    pub(crate) side: u8,
    pub(crate) since: Tick,
    /// When units of both directions were last before the passage or in it.
    pub(crate) both_at: Tick,
}

/// A passage that a unit is about to enter or is in, in this tick.
#[derive(Clone, Debug)]
struct Passage {
    plane: u8,
    mouths: [Position; 2],
    length: u32,
    /// By side at which they enter: the units before the passage, and in it.
    before: [u32; 2],
    within: [u32; 2],
    /// Which units have to stop; set from the batch.
    stops: [bool; 2],
}

/// A unit before a passage.
#[derive(Clone, Copy, Debug)]
struct Approach {
    member: usize,
    passage: usize,
    side: usize,
    /// The remaining cost of the unit's route at the stop line.
    stop_line: u64,
}

/// The passages of a tick. The memory is reused.
#[derive(Clone, Debug, Default)]
pub(crate) struct Passages {
    passages: Vec<Passage>,
    /// By movement profile, mouth and first cell: the passage and the side, `None` if no passage begins there. Many
    /// units enter at one door, and it is walked through once.
    entrances: BTreeMap<(usize, Position, Position), Option<(usize, usize)>>,
    approaches: Vec<Approach>,
    /// By member: the remaining cost below which its moves are ranked last.
    stop_lines: Vec<Option<u64>>,
}

impl Passages {
    /// Finds the passages before the members of a crowd, and decides which members have to stop.
    pub(crate) fn run(&mut self, state: &mut State, members: &[UnitId]) {
        self.passages.clear();
        self.entrances.clear();
        self.approaches.clear();
        self.stop_lines.clear();
        self.stop_lines.resize(members.len(), None);
        for (member, &unit) in members.iter().enumerate() {
            self.add(state, member, unit);
        }
        self.update_batches(state);
        for approach in &self.approaches {
            let Approach { member, passage, side, stop_line } = *approach;
            if self.passages[passage].stops[side] {
                self.stop_lines[member] = Some(stop_line);
            }
        }
    }

    /// The remaining cost below which a member's moves are ranked last, if it has to stop.
    pub(crate) fn stop_line(&self, member: usize) -> Option<u64> {
        self.stop_lines[member]
    }

    fn add(&mut self, state: &State, member: usize, unit: UnitId) {
        let Some(record) = state.units.get(unit) else { return };
        let Some(Location::Standing(at)) = state.units.location(unit) else { return };
        let space = state.space(record);
        let DistanceSource::Route(route) = &record.activity.source else { return };
        if !has_passages(space) || record.destination() == Some(at) || is_narrow(space, at) {
            return;
        }
        let cells = route.ahead().zip(route.ahead().skip(1)).take(LOOK_AHEAD);
        let mut steps = cells.map(|((mouth, rest), (next, _))| (mouth, next, rest));
        let enters = |&(_, next, _): &(_, Position, _)| is_narrow(space, next);
        let Some((mouth, entrance, rest)) = steps.find(enters) else { return };
        if is_narrow(space, mouth) {
            // It was pushed out of the passage, and is not where its route leads in.
            return;
        }
        let (key, plane) = ((record.space, mouth, entrance), state.terrain.plane_of(record.space));
        let known = self.entrances.get(&key).copied();
        let found = known.unwrap_or_else(|| {
            let found = self.find(state, (space, plane), mouth, entrance);
            self.entrances.insert(key, found);
            found
        });
        if let Some((passage, side)) = found {
            let stop_line = rest + STOP_STEPS * space.estimate(mouth, entrance);
            self.passages[passage].before[side] += 1;
            self.approaches.push(Approach { member, passage, side, stop_line });
        }
    }

    /// The passage that begins behind a mouth, and the side on which that is.
    fn find(
        &mut self,
        state: &State,
        (space, plane): (&GridSpace, u8),
        mouth: Position,
        entrance: Position,
    ) -> Option<(usize, usize)> {
        let (end, length) = walk(space, mouth, entrance, |_| {})?;
        let mouths = [mouth.min(end), mouth.max(end)];
        let side = usize::from(mouth != mouths[0]);
        let is_same = |passage: &Passage| (passage.mouths, passage.plane) == (mouths, plane);
        let known = self.passages.iter().position(is_same);
        let index = known.unwrap_or_else(|| {
            let mut passage = Passage::new(plane, mouths, length);
            walk(space, mouth, entrance, |at| passage.count(state, space, at));
            self.passages.push(passage);
            self.passages.len() - 1
        });
        Some((index, side))
    }

    /// Begins, turns and ends batches.
    fn update_batches(&mut self, state: &mut State) {
        let now = state.now();
        let before = std::mem::take(&mut state.batches);
        for passage in &mut self.passages {
            let place = (passage.mouths, passage.plane);
            let known = before.binary_search_by_key(&place, Batch::place);
            if let Some(batch) = passage.batch(known.ok().map(|at| before[at]), now) {
                state.batches.push(batch);
            }
        }
        state.batches.sort_unstable_by_key(Batch::place);
    }
}

impl Batch {
    /// What batches are sorted by.
    pub(crate) fn place(&self) -> ([Position; 2], u8) {
        (self.mouths, self.plane)
    }
}

impl Passage {
    fn new(plane: u8, mouths: [Position; 2], length: u32) -> Self {
        Self { plane, mouths, length, before: [0; 2], within: [0; 2], stops: [false; 2] }
    }

    /// Counts the unit at a cell of the passage, by the side from which it came.
    fn count(&mut self, state: &State, space: &GridSpace, at: Position) {
        let (mut holder, now) = (None, state.now());
        space.standing(at, |entry| {
            holder = state.units.table().holder(entry, now);
            false
        });
        let record = holder.and_then(|claim| state.units.get(claim.unit));
        let Some(DistanceSource::Route(route)) = record.map(|record| &record.activity.source)
        else {
            return;
        };
        let mut ahead = route.ahead().take(LENGTH_MAX as usize + 1);
        let exit = ahead.find_map(|(at, _)| self.mouths.iter().position(|&mouth| mouth == at));
        if let Some(exit) = exit {
            self.within[1 - exit] += 1;
        }
    }

    /// The batch from this tick on, and which units have to stop; `None` if all may go.
    fn batch(&mut self, known: Option<Batch>, now: Tick) -> Option<Batch> {
        let wanted = [0, 1].map(|side| self.before[side] + self.within[side]);
        let is_two_way = !wanted.contains(&0);
        let begins = is_two_way && wanted[0] + wanted[1] >= UNITS_MIN;
        let first = u8::from((self.within[1], self.before[1]) > (self.within[0], self.before[0]));
        let (plane, mouths) = (self.plane, self.mouths);
        let new = Batch { plane, mouths, side: first, since: now, both_at: now };
        let mut batch = known.or(begins.then_some(new))?;
        if is_two_way {
            batch.both_at = now;
        } else if now.0.saturating_sub(batch.both_at.0) > LINGER {
            return None;
        }
        let age = now.0.saturating_sub(batch.since.0);
        let others = usize::from(1 - batch.side);
        let is_long = age >= BATCH + 2 * self.length && self.before[others] > 0;
        let is_last = age >= self.length && 4 * self.before[1 - others] < self.before[others];
        if is_long || is_last {
            (batch.side, batch.since) = (1 - batch.side, now);
        }
        let side = usize::from(batch.side);
        self.stops[1 - side] = true;
        // Those that are still in the passage leave it first, if they can.
        let is_new = now.0.saturating_sub(batch.since.0) <= 2 * self.length;
        self.stops[side] = is_new && self.within[1 - side] > 0;
        Some(batch)
    }
}

/// The passage from its first cell on: the cell behind its other end, and its length.
fn walk(
    space: &GridSpace,
    mouth: Position,
    entrance: Position,
    mut visit: impl FnMut(Position),
) -> Option<(Position, u32)> {
    let (mut behind, mut at) = (mouth, entrance);
    for length in 1..=LENGTH_MAX {
        visit(at);
        let next = beside(space, at).into_iter().flatten().find(|&next| next != behind)?;
        (behind, at) = (at, next);
        if at == mouth || at == entrance {
            return None;
        }
        if !is_narrow(space, at) {
            return Some((at, length));
        }
    }
    None
}

/// Whether units of this profile can meet in passages of one cell.
fn has_passages(space: &GridSpace) -> bool {
    let movement = space.ground().movement();
    let cuts_corners =
        movement.neighbours == Neighbours::Eight && movement.corners != CornerRule::NeverCut;
    movement.footprint == 1 && !cuts_corners
}

/// The positions above, right, below and left, where a unit can stand.
fn beside(space: &GridSpace, at: Position) -> [Option<Position>; 4] {
    let cell = space.cell(at);
    [(0, -1), (1, 0), (0, 1), (-1, 0)].map(|(dx, dy)| {
        let next = cell.offset(dx, dy).filter(|&next| space.ground().can_stand(next))?;
        space.position(next)
    })
}

/// Whether a unit that passes the cell lets no other pass: two sides are open and not connected
/// beside the cell.
fn is_narrow(space: &GridSpace, at: Position) -> bool {
    let Cell { x, y } = space.cell(at);
    let is_open = |dx: i32, dy: i32| {
        Cell::new(x, y).offset(dx, dy).is_some_and(|cell| space.ground().can_stand(cell))
    };
    let (up, right, down, left) = (is_open(0, -1), is_open(1, 0), is_open(0, 1), is_open(-1, 0));
    match (up, right, down, left) {
        (true, false, true, false) | (false, true, false, true) => true,
        (true, true, false, false) => !is_open(1, -1),
        (false, true, true, false) => !is_open(1, 1),
        (false, false, true, true) => !is_open(-1, 1),
        (true, false, false, true) => !is_open(-1, -1),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use throng_model::MovementProfile;
    use throng_spacetime::FootprintRules;

    use super::*;

    fn space(drawing: &str) -> GridSpace {
        let map = throng_testkit::map(drawing);
        GridSpace::new(&map, MovementProfile::eight_connected(), &FootprintRules::default())
            .unwrap()
    }

    /// The cells that are narrow, as a drawing.
    fn narrow(drawing: &str) -> String {
        let space = space(drawing);
        let (width, height) = (space.ground().width() as u16, space.ground().height() as u16);
        let mark = |x, y| match space.position(Cell::new(x, y)) {
            Some(at) if is_narrow(&space, at) && space.ground().can_stand(space.cell(at)) => 'n',
            _ => '.',
        };
        let row = |y| (0..width).map(|x| mark(x, y)).collect::<String>();
        (0..height).map(row).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn doors_and_corridors_are_narrow_and_corners_of_rooms_are_not() {
        assert_eq!(narrow("..#..\n.....\n..#.."), "..... ..n.. .....");
        assert_eq!(narrow("..#..\n.....\n.....\n..#.."), "..... ..... ..... .....");
        assert_eq!(narrow("####\n#...\n#.##\n#.##"), ".... .nn. .n.. ....");
        assert_eq!(narrow("...\n...\n..."), "... ... ...");
    }

    #[test]
    fn a_passage_has_two_mouths_and_a_length() {
        let space = space("....####....\n............\n....####....");
        let at = |x| space.position(Cell::new(x, 1)).unwrap();
        assert_eq!(walk(&space, at(3), at(4), |_| {}), Some((at(8), 4)));
        assert_eq!(walk(&space, at(8), at(7), |_| {}), Some((at(3), 4)));
    }

    #[test]
    fn a_closed_ring_is_no_passage() {
        let space = space("#####\n#...#\n#.#.#\n#...#\n#####");
        let at = |x, y| space.position(Cell::new(x, y)).unwrap();
        assert_eq!(walk(&space, at(1, 1), at(2, 1), |_| {}), None);
    }
}
