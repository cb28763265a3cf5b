//! Units at rest that are in the way and cannot step aside make way.
//!
//! A unit that rests gives way to those who come, a step at a time. In a dead end that only
//! takes it deeper in: whoever comes can neither pass nor turn it out, and the two would
//! drive each other for ever. So when a unit is promoted because it does not get on, those
//! that rest on its remaining way are looked at. One that cannot leave that way without
//! passing the other, or could not come home once the other has arrived, gets an *errand*:
//! to a place beside the way where it divides nothing. It goes there before everybody else,
//! waits until the other is past its home, and returns.
//!
//! Other units are ignored when the place is chosen. Whether anybody may step anywhere is
//! still the reservation table's to say: errands only change who goes where, and first.

use std::collections::{BTreeSet, VecDeque};

use throng_cooperative::{CrewEvent, Stance, Whereabouts};
use throng_model::{Tick, UnitId};
use throng_spacetime::{GridSpace, Position, Space};

use crate::resident::{Resident, UnitStatus};
use crate::world::NOBODY;
use crate::{Event, World};

/// How much of a unit's way is looked at, in steps.
const WAY_MAX: usize = 128;
/// Nodes expanded at most to find a place for one unit.
const LOOK_AROUND: usize = 4096;
/// Promoted units whose ways are looked at in one tick.
const WAYS_A_TICK: usize = 4;
/// An errand lasts at most so many windows, and as long again as it takes both units to walk
/// there and back.
const ERRAND_WINDOWS: u32 = 8;
/// More ticks than any errand lasts.
pub(crate) const ERRAND_TICKS_MAX: u32 = 1 << 20;

/// To get out of another unit's way, wait, and come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Errand {
    pub(crate) for_unit: UnitId,
    /// Where it waits.
    pub(crate) to: Position,
    /// What the other must have passed: its destination, or where it rested.
    pub(crate) home: Position,
    pub(crate) until: Tick,
}

/// Cells, as entries of the reservation table.
type Cells = BTreeSet<u32>;

/// The way that a unit still has to go.
struct Way {
    steps: u32,
    /// All that its body covers on it.
    swept: Cells,
    /// Where its body is now, and where it will be in the end.
    body: Cells,
    goal: Cells,
}

impl World {
    /// Ends errands that are over, and begins those that are called for.
    pub(crate) fn make_way(&mut self) -> u64 {
        let mut expanded = 0;
        for unit in self.units().collect::<Vec<_>>() {
            if let Some(errand) = self.resident(unit).ok().and_then(|resident| resident.errand) {
                expanded += self.go_on_errand(unit, errand);
            }
        }
        let promoted = self.crew.events().iter().filter_map(|event| match event {
            CrewEvent::Promoted { unit } => Some(UnitId::new(*unit)),
            _ => None,
        });
        for unit in promoted.take(WAYS_A_TICK).collect::<Vec<_>>() {
            if self.wants_through(unit) {
                expanded += self.clear_way_of(unit);
            }
        }
        expanded
    }

    /// Whether the unit has somewhere to go, and no errand itself: of two that could make way
    /// for each other only one does.
    fn wants_through(&self, unit: UnitId) -> bool {
        let Ok(resident) = self.resident(unit) else { return false };
        let at = self.crew.whereabouts(unit.to_bits());
        let away = at != resident.destination.map(Whereabouts::Standing);
        match resident.status {
            UnitStatus::Going | UnitStatus::Routing => true,
            UnitStatus::Arrived => away && resident.errand.is_none(),
            _ => false,
        }
    }

    fn go_on_errand(&mut self, unit: UnitId, errand: Errand) -> u64 {
        let for_unit = errand.for_unit;
        let there = self.crew.whereabouts(unit.to_bits()) == Some(Whereabouts::Standing(errand.to));
        if there && self.crew.stance(unit.to_bits()) == Some(Stance::MakingWay) {
            self.crew.set_stance(unit.to_bits(), Stance::Resting);
        }
        let kind = self.resident(unit).map_or(0, |resident| resident.kind);
        let over = self.now() >= errand.until
            || !self.wants_through(for_unit)
            || self
                .way(for_unit)
                .is_some_and(|way| !touches(&self.spaces[kind], errand.home, &way.swept));
        if over { self.end_errand(unit) } else { 0 }
    }

    /// The unit goes back to where it belongs, if it does anywhere.
    fn end_errand(&mut self, unit: UnitId) -> u64 {
        let Ok(resident) = self.resident_mut(unit) else { return 0 };
        resident.errand = None;
        let home = resident.destination.filter(|_| resident.status == UnitStatus::Arrived);
        self.crew.set_stance(unit.to_bits(), Stance::Resting);
        let Some(home) = home else {
            self.guides.clear(unit.to_bits());
            return 0;
        };
        let (found, expanded) = self.guide_to(unit.to_bits(), home);
        if !found {
            self.ask_for_route(unit.to_bits());
        }
        expanded
    }

    /// Sends those away that rest on the unit's way and cannot get out of it by themselves.
    fn clear_way_of(&mut self, unit: UnitId) -> u64 {
        let Some(way) = self.way(unit) else { return 0 };
        let mut expanded = way.steps.into();
        let now = self.now();
        let holders = way.swept.iter().filter_map(|&cell| {
            let holder = self.crew.table().holder(throng_spacetime::Entry(cell), now);
            holder.map(|claim| claim.unit)
        });
        let holders: BTreeSet<u32> = holders.filter(|&holder| holder != unit.to_bits()).collect();
        for holder in holders {
            let holder = UnitId::new(holder);
            if !self.resident(holder).is_ok_and(is_at_ease) {
                continue;
            }
            let (errand, looked_at) = self.errand_for(holder, unit, &way);
            expanded += looked_at as u64;
            if let Some(errand) = errand {
                expanded += self.send(holder, errand);
            }
        }
        expanded
    }

    fn send(&mut self, unit: UnitId, errand: Errand) -> u64 {
        let (found, expanded) = self.guide_to(unit.to_bits(), errand.to);
        if found && let Ok(resident) = self.resident_mut(unit) {
            resident.errand = Some(errand);
            self.crew.set_stance(unit.to_bits(), Stance::MakingWay);
            self.events.push(Event::MakingWay { unit, for_unit: errand.for_unit });
        }
        expanded
    }

    /// What a unit has to do to get out of another's way, if it cannot help it, and the
    /// number of places looked at.
    fn errand_for(&self, unit: UnitId, other: UnitId, way: &Way) -> (Option<Errand>, usize) {
        let none = (None, 0);
        let Ok(resident) = self.resident(unit) else { return none };
        let Ok(passer) = self.resident(other) else { return none };
        let places = self.crew.free_at(unit.to_bits()).zip(self.crew.free_at(other.to_bits()));
        let Some((at, from)) = places else { return none };
        let (space, passing) = (&self.spaces[resident.kind], &self.spaces[passer.kind]);
        let home = resident.destination;
        let is_aside = |place: Position| {
            !touches(space, place, &way.swept)
                && !self.is_spoken_for(unit, place)
                && !divides(space, passing, place)
        };
        // Once the other is at its goal, it is not to be between the unit and its home.
        let past_goal = |place: Position| home.is_none() || !touches(space, place, &way.goal);
        let mut found = Flood::default();
        let rests_at = home.unwrap_or(at);
        let has_room =
            |place: Position| is_aside(place) && leaves_room(space, (at, place), passing, from);
        let aside = found.nearest(space, rests_at, past_goal, has_room);
        let comes_home = aside.is_some() && found.reaches(space, at, past_goal);
        // If it has to be, the other will make way for it when it comes back.
        let aside = aside.or_else(|| {
            found = Flood::default();
            found.nearest(space, rests_at, |_| true, has_room)
        });
        let free = |place: Position| past_goal(place) && !touches(space, place, &way.body);
        let mut beside = Flood::default();
        let steps_aside = comes_home && beside.nearest(space, at, free, is_aside).is_some();
        let looked_at = found.seen.len() + beside.seen.len();
        let Some(to) = aside.filter(|_| !steps_aside) else { return (None, looked_at) };
        let pace = passing.move_ticks_max().max(space.move_ticks_max());
        let walk = (way.steps + found.depth).saturating_mul(2 * pace);
        let ticks = ERRAND_WINDOWS * resident.window.max(passer.window) + walk;
        let until = Tick(self.now().0.saturating_add(ticks.min(ERRAND_TICKS_MAX)));
        let errand = Errand { for_unit: other, to, home: home.unwrap_or(at), until };
        (Some(errand), looked_at)
    }

    /// Whether part of the place is where another unit goes, on its order or an errand.
    fn is_spoken_for(&self, unit: UnitId, place: Position) -> bool {
        let Ok(resident) = self.resident(unit) else { return true };
        let space = &self.spaces[resident.kind];
        let mut cells = Cells::new();
        let free = space.standing(place, |entry| {
            cells.insert(entry.0);
            let owner = self.destinations[entry.get()];
            owner == NOBODY || owner == unit.to_bits()
        });
        !free
            || self.units.iter().flatten().any(|other| {
                let errand = other.errand.map(|errand| errand.to);
                errand.is_some_and(|to| touches(&self.spaces[other.kind], to, &cells))
            })
    }

    /// The shortest way of a unit to its destination, as far as it is looked at.
    fn way(&mut self, unit: UnitId) -> Option<Way> {
        let kind = self.resident(unit).ok()?.kind;
        let goal = self.resident(unit).ok()?.destination;
        let at = self.crew.free_at(unit.to_bits())?;
        let space = &self.spaces[kind];
        let mut body = cells_of(space, at);
        if let Some(Whereabouts::UnderWay { from, .. }) = self.crew.whereabouts(unit.to_bits()) {
            body.append(&mut cells_of(space, from));
        }
        let places = self.guides.way(space, unit.to_bits(), at, WAY_MAX);
        let mut swept = body.clone();
        for step in places.windows(2) {
            let mut action = None;
            space.for_each_move(step[0], |by| {
                action = action.or((by.to == step[1]).then_some(by.action));
            });
            space.footprint(step[0], action?, |entry, _| {
                swept.insert(entry.0);
                true
            });
        }
        let goal = goal.map(|goal| cells_of(space, goal)).unwrap_or_default();
        Some(Way { steps: places.len() as u32, swept, body, goal })
    }
}

/// Whether a unit rests and may be sent away.
fn is_at_ease(resident: &Resident) -> bool {
    let rests =
        matches!(resident.status, UnitStatus::Idle | UnitStatus::Arrived | UnitStatus::Unreachable);
    rests && resident.errand.is_none()
}

fn cells_of(space: &GridSpace, at: Position) -> Cells {
    let mut cells = Cells::new();
    space.standing(at, |entry| {
        cells.insert(entry.0);
        true
    });
    cells
}

/// Whether a unit that stands there covers one of the cells.
fn touches(space: &GridSpace, at: Position, cells: &Cells) -> bool {
    !space.standing(at, |entry| !cells.contains(&entry.0))
}

/// Whether a unit of one kind that stands there keeps those of the other kind on its one side
/// from getting to the other. Only what is next to it is looked at: a way around that is
/// longer does not count.
fn divides(space: &GridSpace, passing: &GridSpace, at: Position) -> bool {
    let body = cells_of(space, at);
    let (corner, side) = (space.cell(at), i32::from(space.ground().movement().footprint));
    let reach = i32::from(passing.ground().movement().footprint);
    let near = |place: Position| {
        let cell = passing.cell(place);
        let offsets = [(cell.x, corner.x), (cell.y, corner.y)];
        offsets.iter().all(|&(x, from)| (-reach..=side).contains(&(i32::from(x) - i32::from(from))))
    };
    let stands = |place: Position| {
        near(place)
            && passing.ground().can_stand(passing.cell(place))
            && !touches(passing, place, &body)
    };
    let mut around = Vec::new();
    for (dx, dy) in (-reach..=side).flat_map(|dy| (-reach..=side).map(move |dx| (dx, dy))) {
        let cell = [(corner.x, dx), (corner.y, dy)]
            .map(|(from, by)| u16::try_from(i32::from(from) + by).ok());
        let [Some(x), Some(y)] = cell else { continue };
        around.extend(passing.position((x, y).into()).filter(|&place| stands(place)));
    }
    let Some(&first) = around.first() else { return false };
    let mut flood = Flood::default();
    flood.nearest(passing, first, stands, |_| false);
    around.iter().any(|place| !flood.seen.contains(place))
}

/// Whether a unit that goes from one place to another leaves one that is in between somewhere
/// to go: into a dead end it would drive that one before it.
fn leaves_room(
    space: &GridSpace,
    (at, to): (Position, Position),
    passing: &GridSpace,
    from: Position,
) -> bool {
    let (behind, end) = (cells_of(space, at), cells_of(space, to));
    let may_enter = |place: Position| !touches(passing, place, &behind);
    let is_aside =
        |place: Position| !touches(passing, place, &end) && !divides(passing, space, place);
    Flood::default().nearest(passing, from, may_enter, is_aside).is_some()
}

/// A search in all directions at once.
#[derive(Default)]
struct Flood {
    seen: BTreeSet<Position>,
    open: VecDeque<(Position, u32)>,
    /// Steps from the start to the place that was found.
    depth: u32,
}

impl Flood {
    /// The place with the fewest steps to it that is wanted, over such as may be entered.
    fn nearest(
        &mut self,
        space: &GridSpace,
        start: Position,
        may_enter: impl Fn(Position) -> bool,
        is_wanted: impl Fn(Position) -> bool,
    ) -> Option<Position> {
        self.seen.insert(start);
        self.open.push_back((start, 0));
        while let Some((at, depth)) = self.open.pop_front() {
            if is_wanted(at) {
                self.depth = depth;
                // Whoever goes on goes on from here.
                self.open.push_front((at, depth));
                return Some(at);
            }
            self.spread(space, at, depth, &may_enter);
            if self.seen.len() > LOOK_AROUND {
                break;
            }
        }
        None
    }

    fn spread(
        &mut self,
        space: &GridSpace,
        at: Position,
        depth: u32,
        may_enter: &impl Fn(Position) -> bool,
    ) {
        space.for_each_move(at, |step| {
            if may_enter(step.to) && self.seen.insert(step.to) {
                self.open.push_back((step.to, depth + 1));
            }
        });
    }

    /// Whether a place is reached, now or later.
    fn reaches(
        &mut self,
        space: &GridSpace,
        place: Position,
        may_enter: impl Fn(Position) -> bool,
    ) -> bool {
        while !self.seen.contains(&place) && self.seen.len() <= LOOK_AROUND {
            let Some((at, depth)) = self.open.pop_front() else { break };
            self.spread(space, at, depth, &may_enter);
        }
        self.seen.contains(&place)
    }
}
