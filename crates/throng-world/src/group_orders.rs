//! Orders to many units at once.

use std::collections::{BTreeMap, VecDeque};

use throng_grid::ComponentId;
use throng_model::{Cell, Map, Rect, UnitId};
use throng_spacetime::{GridSpace, Space};

use crate::cell_set::{CellBox, CellSet};
use crate::matching::{ExactWork, match_cells};
use crate::phases::routes::first_cells;
use crate::state::State;
use crate::{Order, World, WorldError};

impl World {
    /// Sends units to one spot and returns their destinations, in the order of `units`.
    ///
    /// Each unit gets its own cell around the spot. Cells are assigned so that paths cross as
    /// little as possible: the units in front go furthest. Units in buildings come out and go
    /// too, as with [`order`](Self::order). The time is about n log n for n units, plus that of
    /// looking at each cell around the spot, up to the furthest one that a unit gets.
    ///
    /// # Errors
    /// When a unit does not exist or is listed twice, or there is not enough room. No unit gets
    /// an order then.
    pub fn order_group(
        &mut self,
        units: &[UnitId],
        spot: impl Into<Cell>,
    ) -> Result<Vec<Cell>, WorldError> {
        let spot = spot.into();
        if !self.map().contains(spot) {
            return Err(WorldError::OffMap { cell: spot });
        }
        let state = &self.state;
        let mut ranked = Vec::with_capacity(units.len());
        for (index, &unit) in units.iter().enumerate() {
            state.record(unit)?;
            ranked.push((distance_squared(start_of(state, unit, spot), spot), unit, index));
        }
        ranked.sort_unstable();
        if let Some(pair) = ranked.windows(2).find(|pair| pair[0].1 == pair[1].1) {
            return Err(WorldError::Twice(pair[0].1));
        }
        let order: Vec<_> = ranked.iter().map(|&(_, unit, index)| (unit, index)).collect();
        let spaced = assign_cells(state, &order, spot, 1);
        let mut cells = spaced.or_else(|_| assign_cells(state, &order, spot, 0))?;
        uncross(state, units, spot, &mut cells);
        for (&unit, &cell) in units.iter().zip(&cells) {
            self.order(unit, Order::go(cell))?;
        }
        Ok(cells)
    }
}

/// The cell of a unit; for one in a building, the exit nearest to the spot.
fn start_of(state: &State, unit: UnitId, spot: Cell) -> Cell {
    let exits = exits(state, unit).into_iter();
    let exit = exits.min_by_key(|&exit| (distance_squared(exit, spot), exit));
    state.location(unit).map(|(at, _)| at).or(exit).unwrap_or(spot)
}

/// The exits of the building that a unit is in, or the end of the link; none if it is on the map.
fn exits(state: &State, unit: UnitId) -> Vec<Cell> {
    let Some(assignment) = state.assignment(unit) else { return Vec::new() };
    if let Some(link) = assignment.crossing().and_then(|crossing| state.link(crossing.link)) {
        return vec![link.to];
    }
    let building = assignment.building().and_then(|building| state.building(building).ok());
    building.map_or_else(Vec::new, |building| building.exits.clone())
}

/// Reorders the destinations of units that can go to each other's: those of one profile whose
/// destinations are connected.
pub(crate) fn uncross(state: &State, units: &[UnitId], spot: Cell, cells: &mut [Cell]) {
    let part = |index: usize| {
        let profile = state.units.get(units[index])?.space;
        Some((profile, component(&state.terrain.spaces[profile], cells[index])))
    };
    let mut parts: Vec<_> = (0..units.len()).map(|index| (part(index), index)).collect();
    parts.sort_unstable();
    let mut work = ExactWork::default();
    for members in parts.chunk_by(|a, b| a.0 == b.0) {
        let members: Vec<usize> = members.iter().map(|&(_, index)| index).collect();
        let starts = members.iter().map(|&index| start_of(state, units[index], spot));
        let mut assigned: Vec<Cell> = members.iter().map(|&index| cells[index]).collect();
        match_cells(&starts.collect::<Vec<_>>(), &mut assigned, &mut work);
        members.iter().zip(assigned).for_each(|(&index, cell)| cells[index] = cell);
    }
}

fn component(space: &GridSpace, cell: Cell) -> Option<ComponentId> {
    let ground = space.ground();
    ground.index(cell).and_then(|index| ground.components().component_of(index))
}

/// The components that a unit can reach, without repetition.
fn components(state: &State, unit: UnitId, space: &GridSpace) -> Vec<ComponentId> {
    let at = state.units.free_at(unit);
    let starts = at.map_or_else(|| exits(state, unit), |at| first_cells(space, at));
    let profile = state.units.get(unit).map_or(0, |record| record.space);
    let starts = state.starts_beyond_links(profile, &starts);
    let parts = starts.into_iter().filter_map(|cell| component(space, cell));
    let mut parts: Vec<ComponentId> = parts.collect();
    parts.sort_unstable();
    parts.dedup();
    parts
}

/// Whether a unit can stand on a cell and get there.
pub(crate) fn can_reach(state: &State, unit: UnitId, cell: Cell) -> bool {
    let Some(record) = state.units.get(unit) else { return false };
    let space = state.space(record);
    let part = component(space, cell);
    part.is_some_and(|part| components(state, unit, space).contains(&part))
}

/// The cells around the spot for the units of one profile, the nearest first. Units in different
/// components share one search, so that each cell is looked at once.
struct CellsAround<'a> {
    space: &'a GridSpace,
    rings: Box<dyn Iterator<Item = Cell>>,
    /// For each component that a unit of the group needs, the cells that were passed over, with
    /// the place of each in the search.
    passed: BTreeMap<ComponentId, VecDeque<(usize, Cell)>>,
    searched: usize,
}

impl<'a> CellsAround<'a> {
    fn new(space: &'a GridSpace, spot: Cell, map: &Map) -> Self {
        let reach = |at: u16, size: u16| at.max(size - 1 - at);
        let reach = reach(spot.x, map.width()).max(reach(spot.y, map.height()));
        let rings = Box::new(spot.rings(reach));
        Self { space, rings, passed: BTreeMap::new(), searched: 0 }
    }

    /// Removes the nearest cell of some components.
    fn next(&mut self, parts: &[ComponentId]) -> Option<Cell> {
        let first = |part: &ComponentId| self.passed.get(part)?.front().map(|&(place, _)| place);
        let nearest = parts.iter().filter_map(|part| Some((first(part)?, *part))).min();
        if let Some((_, part)) = nearest {
            return self.passed.get_mut(&part)?.pop_front().map(|(_, cell)| cell);
        }
        // Without a component to look for, the search would look at the whole map.
        let mut rings = self.rings.by_ref().take(if parts.is_empty() { 0 } else { usize::MAX });
        rings.find(|&cell| {
            let Some(part) = component(self.space, cell) else { return false };
            let is_found = parts.contains(&part);
            self.searched += 1;
            let passed = self.passed.get_mut(&part).filter(|_| !is_found);
            passed.into_iter().for_each(|passed| passed.push_back((self.searched, cell)));
            is_found
        })
    }
}

/// A unit of a group: its index in the group, its profile, and the components it can reach.
struct Member {
    index: usize,
    profile: usize,
    parts: Vec<ComponentId>,
}

/// Assigns cells to units, which are sorted by distance and have an index into the result. Slow
/// and large units cannot easily pass each other, so they get a free lane of `lane` cells.
fn assign_cells(
    state: &State,
    units: &[(UnitId, usize)],
    spot: Cell,
    lane: u16,
) -> Result<Vec<Cell>, WorldError> {
    let map = state.terrain.map();
    let mut group: Vec<UnitId> = units.iter().map(|&(unit, _)| unit).collect();
    group.sort_unstable();
    let is_anothers = |owner: UnitId| group.binary_search(&owner).is_err();
    let spaces = state.terrain.spaces.iter();
    let mut around: Vec<_> = spaces.map(|space| CellsAround::new(space, spot, map)).collect();
    let members = members(state, units, &mut around)?;
    let mut given = CellSet::new(map);
    let mut cells = vec![spot; units.len()];
    for (room, member) in members.iter().enumerate() {
        let around = &mut around[member.profile];
        let (space, movement) = (around.space, around.space.ground().movement());
        let side = u16::from(movement.footprint);
        let cell = std::iter::from_fn(|| around.next(&member.parts)).find(|&cell| {
            let is_free = |entry| !state.units.goals().owner(entry).is_some_and(is_anothers);
            let at = space.position(cell);
            !given.meets(CellBox::square(cell, side))
                && at.is_some_and(|at| space.standing(at, is_free))
        });
        let asked = units.len();
        let cell = cell.ok_or(WorldError::NoRoom { spot, asked, room })?;
        let is_agile = side == 1 && movement.pace == 1;
        let side = side + if is_agile { 0 } else { lane };
        Rect::new(cell, side, side).cells().for_each(|cell| given.add(cell));
        cells[member.index] = cell;
    }
    Ok(cells)
}

/// The members of a group. The cells around the spot are told which components they need.
fn members(
    state: &State,
    units: &[(UnitId, usize)],
    around: &mut [CellsAround<'_>],
) -> Result<Vec<Member>, WorldError> {
    let member = |&(unit, index): &(UnitId, usize)| {
        let profile = state.record(unit)?.space;
        let around = &mut around[profile];
        let parts = components(state, unit, around.space);
        parts.iter().for_each(|&part| {
            around.passed.entry(part).or_default();
        });
        Ok(Member { index, profile, parts })
    };
    units.iter().map(member).collect()
}

fn distance_squared(a: Cell, b: Cell) -> u32 {
    let (dx, dy) = (u32::from(a.x.abs_diff(b.x)), u32::from(a.y.abs_diff(b.y)));
    dx * dx + dy * dy
}
