//! Part of jam planning: which units form a jam, the area in which they may move, and their goals.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use throng_anytime::ClusterUnit;
use throng_cooperative::{Activity, Role, UnitRecord};
use throng_model::{Cell, Rect, UnitId};
use throng_spacetime::{Entry, Position, Space};

use super::jam_planning::stuck_after;
use super::jams::UNITS_MAX;
use crate::state::State;
use crate::unit::{Assignment, UnitStatus};

/// In a queue a unit has to be stuck for so many times as long.
const LONG: u32 = 12;
/// For each so many units on their way in its jam, the unit has to be stuck for that time once more.
const CROWD: u32 = 8;
/// How many steps of a unit's path are looked at.
const PATH_MAX: usize = 32;
/// The longest side of the area of a jam, in cells, not counting what lies beyond its bodies.
const SIDE_MAX: u16 = 40;

/// How far from a body others belong to its jam, and how far beyond the bodies and destinations
/// of a jam its units may go, in cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    pub(super) near: u16,
    pub(super) margin: u16,
    /// Whether the other units of the area belong to the jam, too.
    pub(super) is_whole: bool,
}

/// Which units of a jam have to be on their destinations in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Wanted {
    /// All.
    All,
    /// The stuck unit, and those that had arrived.
    Arrived,
    /// The stuck unit.
    Stuck,
}

impl Wanted {
    /// What is tried if there is no plan for this.
    pub(super) fn next(self) -> Option<Self> {
        match self {
            Self::All => Some(Self::Arrived),
            Self::Arrived => Some(Self::Stuck),
            Self::Stuck => None,
        }
    }
}

/// The units of the jam that a unit is in; `None` if it is too early for a plan. A queue is no jam:
/// the more units are on their way, the longer priority inheritance has time to resolve it.
pub(super) fn gather(state: &mut State, unit: UnitId, reach: Reach) -> Option<Vec<UnitId>> {
    let mut units = vec![unit];
    let mut next = 0;
    let mut is_cut = false;
    while let Some(&unit) = units.get(next) {
        next += 1;
        for other in met_by(state, unit, reach.near) {
            if !units.contains(&other) && is_free(state, other) {
                units.push(other);
            }
        }
        is_cut |= units.len() > UNITS_MAX;
        units.truncate(UNITS_MAX);
    }
    let record = state.units.get(unit)?;
    let patience = stuck_after(state.space(record));
    let crowding = &record.activity.crowding;
    let stalled = crowding.displaced.max(crowding.waiting.stalled());
    let going = units.iter().filter(|&&unit| !state.is_home(unit)).count() as u32;
    let is_queue = is_cut && going > CROWD;
    if stalled < patience * (1 + going / CROWD) * if is_queue { LONG } else { 1 } {
        return None;
    }
    if reach.is_whole {
        add_units_within(state, &mut units, reach.margin);
    }
    units.sort_unstable();
    Some(units)
}

fn is_free(state: &State, unit: UnitId) -> bool {
    state.assignment(unit).is_some_and(|assignment| !assignment.crowding.is_jammed)
}

/// Adds the other units in the area of a jam, those with the lowest numbers first.
fn add_units_within(state: &State, units: &mut Vec<UnitId>, margin: u16) {
    let area = area(state, units, margin);
    let plane = units.first().map(|&unit| state.plane_of(unit));
    let is_beside =
        |record: &UnitRecord<Assignment>| Some(state.terrain.plane_of(record.space)) == plane;
    for (other, record) in state.units.iter().filter(|(_, record)| is_beside(record)) {
        let Some(at) = state.units.free_at(other) else { continue };
        let cell = state.space(record).cell(at);
        let inside = cell.x.wrapping_sub(area.origin.x) < area.width
            && cell.y.wrapping_sub(area.origin.y) < area.height;
        if inside && units.len() < UNITS_MAX && !units.contains(&other) && is_free(state, other) {
            units.push(other);
        }
    }
}

/// The units near a unit's body and on its path.
fn met_by(state: &mut State, unit: UnitId, reach: u16) -> Vec<UnitId> {
    let (Some(record), Some(at)) = (state.units.get(unit), state.units.free_at(unit)) else {
        return Vec::new();
    };
    let space = &state.terrain.spaces[record.space];
    let side = u16::from(space.ground().movement().footprint);
    let is_home = record.destination() == Some(at) || !record.activity.follows_route();
    let path = if is_home {
        vec![at]
    } else {
        let source = (unit, &record.activity.source);
        state.distances.path_ahead(space, source, at, PATH_MAX)
    };
    let (map, table, now) = (state.terrain.map(), state.units.table(), state.now());
    let (planes, plane) = (&state.terrain.planes, state.plane_of(unit));
    let mut met = Vec::new();
    for (step, &place) in path.iter().enumerate() {
        let (cell, near) = (space.cell(place), if step == 0 { reach } else { 0 });
        for y in cell.y.saturating_sub(near)..(cell.y + side + near).min(map.height()) {
            for x in cell.x.saturating_sub(near)..(cell.x + side + near).min(map.width()) {
                let entry = map.index(Cell::new(x, y)).map(|index| planes.entry(plane, index));
                met.extend(
                    entry.and_then(|entry| table.holder(entry, now)).map(|claim| claim.unit),
                );
            }
        }
    }
    met.sort_unstable();
    met.dedup();
    met
}

/// The area in which the units of a jam may move.
pub(super) fn area(state: &State, units: &[UnitId], margin: u16) -> Rect {
    let mut bounds: Option<(Cell, Cell)> = None;
    let mut add = |cell: Cell, side: u16| {
        let (low, high) = bounds.get_or_insert((cell, cell));
        *low = Cell::new(low.x.min(cell.x), low.y.min(cell.y));
        *high = Cell::new(high.x.max(cell.x + side), high.y.max(cell.y + side));
    };
    for &unit in units {
        let (Some(record), Some(at)) = (state.units.get(unit), state.units.free_at(unit)) else {
            continue;
        };
        let space = state.space(record);
        let (cell, side) = (space.cell(at), u16::from(space.ground().movement().footprint));
        add(cell, side);
        let destination = record.destination().map(|at| space.cell(at));
        let is_near = |to: &Cell| to.x.abs_diff(cell.x).max(to.y.abs_diff(cell.y)) < SIDE_MAX / 2;
        destination.filter(is_near).into_iter().for_each(|to| add(to, side));
    }
    let map = state.terrain.map();
    let (low, high) = bounds.unwrap_or((Cell::new(0, 0), Cell::new(1, 1)));
    let (left, top) = (low.x.saturating_sub(margin), low.y.saturating_sub(margin));
    let (right, bottom) = ((high.x + margin).min(map.width()), (high.y + margin).min(map.height()));
    Rect::new(Cell::new(left, top), right - left, bottom - top)
}

/// Describes the units of a jam to the planner.
pub(super) struct Cluster<'a> {
    pub(super) state: &'a State,
    pub(super) area: Rect,
    pub(super) stuck: UnitId,
    pub(super) wanted: Wanted,
}

impl Cluster<'_> {
    /// The units as the planner sees them. Destinations within the area are goals. A unit that has
    /// its destination beyond the area goes as far along its route as the area reaches, where it
    /// is on no other unit's goal.
    pub(super) fn describe(&self, units: &[UnitId]) -> Vec<ClusterUnit> {
        let mut goals = BTreeSet::new();
        let mut cluster: Vec<_> = units.iter().map(|&unit| self.unit(unit)).collect();
        for (unit, &id) in cluster.iter_mut().zip(units) {
            unit.goal = self.destination(id).filter(|&to| self.is_inside(unit.space, to));
            self.claim(unit, &mut goals);
        }
        for (unit, &id) in cluster.iter_mut().zip(units) {
            let Some(record) = self.state.units.get(id) else { continue };
            if unit.goal.is_none() && self.destination(id).is_some() {
                let ends = record.activity.source.cells().iter().rev().copied();
                unit.goal = ends
                    .filter(|&to| self.is_inside(unit.space, to))
                    .find(|&to| self.is_unclaimed(unit.space, to, &goals));
                self.claim(unit, &mut goals);
            }
        }
        cluster
    }

    fn unit(&self, unit: UnitId) -> ClusterUnit {
        let place = self.state.units.get(unit).zip(self.state.units.free_at(unit));
        let Some((record, at)) = place else {
            return ClusterUnit { space: usize::MAX, at: Position(0), goal: None, holds: true };
        };
        let holds = record.activity.role() == Role::Holding;
        ClusterUnit { space: record.space, at, goal: None, holds }
    }

    /// The destination that the unit has to get to, or nearer to.
    fn destination(&self, unit: UnitId) -> Option<Position> {
        let record = self.state.units.get(unit)?;
        let is_wanted = match self.wanted {
            Wanted::All => true,
            Wanted::Arrived => record.activity.status() == UnitStatus::Arrived,
            Wanted::Stuck => false,
        };
        record.destination().filter(|_| is_wanted || unit == self.stuck)
    }

    fn is_inside(&self, profile: usize, to: Position) -> bool {
        let space = &self.state.terrain.spaces[profile];
        let side = u16::from(space.ground().movement().footprint);
        let (Cell { x, y }, Rect { origin, width, height }) = (space.cell(to), self.area);
        x >= origin.x
            && y >= origin.y
            && x + side <= origin.x + width
            && y + side <= origin.y + height
    }

    fn is_unclaimed(&self, profile: usize, to: Position, goals: &BTreeSet<Entry>) -> bool {
        self.state.terrain.spaces[profile].standing(to, |entry| !goals.contains(&entry))
    }

    fn claim(&self, unit: &ClusterUnit, goals: &mut BTreeSet<Entry>) {
        let Some(goal) = unit.goal else { return };
        self.state.terrain.spaces[unit.space].standing(goal, |entry| {
            goals.insert(entry);
            true
        });
    }
}
