//! Orders to many units at once.

use throng_model::{Cell, Rect, UnitId};
use throng_spacetime::Space;

use crate::phases::routes::first_cells;
use crate::state::State;
use crate::{Order, World, WorldError};

/// Limits on the work of a group order, which is given between two ticks: passes over all
/// units, and pairs of units compared per pass.
const PASSES_MAX: u32 = 8;
const COMPARISONS_MAX: usize = 1 << 20;

impl World {
    /// Sends units to one spot and returns their destinations, in the order of `units`.
    ///
    /// Each unit gets its own cell around the spot. Cells are assigned so that paths cross as
    /// little as possible: the units in front go furthest. Units in buildings come out and go
    /// too, as with [`order`](Self::order).
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
    let exits = exits(state, unit).iter().copied();
    let exit = exits.min_by_key(|&exit| (distance_squared(exit, spot), exit));
    state.location(unit).map(|(at, _)| at).or(exit).unwrap_or(spot)
}

/// The exits of the building that a unit is in; none if it is on the map.
fn exits(state: &State, unit: UnitId) -> &[Cell] {
    let building = state.assignment(unit).and_then(|assignment| assignment.building());
    let building = building.and_then(|building| state.building(building).ok());
    building.map_or(&[], |building| &building.exits)
}

/// Exchanges the cells of units of one profile while this lowers the sum of squared distances.
/// At the minimum straight paths do not cross, so no unit has to pass through units that have
/// arrived.
fn uncross(state: &State, units: &[UnitId], spot: Cell, cells: &mut [Cell]) {
    let from: Vec<Cell> = units.iter().map(|&unit| start_of(state, unit, spot)).collect();
    let profile = |index: usize| state.units.get(units[index]).map(|record| record.space);
    let mut order: Vec<usize> = (0..units.len()).collect();
    order.sort_by_key(|&index| (profile(index), from[index], index));
    let reach = (COMPARISONS_MAX / units.len().max(1)).max(1);
    for _ in 0..PASSES_MAX {
        let mut is_changed = false;
        for (place, &a) in order.iter().enumerate() {
            for &b in order[place + 1..].iter().take(reach) {
                is_changed |= exchange(state, (units, &from), cells, a, b);
            }
        }
        if !is_changed {
            return;
        }
    }
}

/// Exchanges the cells of two units if they have the same profile, the cells are connected, and
/// the sum of squared distances falls. Returns whether it did.
fn exchange(
    state: &State,
    (units, from): (&[UnitId], &[Cell]),
    cells: &mut [Cell],
    a: usize,
    b: usize,
) -> bool {
    let before = distance_squared(from[a], cells[a]) + distance_squared(from[b], cells[b]);
    let after = distance_squared(from[a], cells[b]) + distance_squared(from[b], cells[a]);
    let profile = |unit: usize| state.units.get(units[unit]).map(|record| record.space);
    if after >= before || profile(a) != profile(b) {
        return false;
    }
    let ground = profile(a).map(|profile| state.terrain.spaces[profile].ground());
    let is_joined = ground.is_some_and(|ground| ground.is_connected(cells[a], cells[b]));
    if is_joined {
        cells.swap(a, b);
    }
    is_joined
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
    let mut cells = vec![spot; units.len()];
    let mut given = vec![false; map.terrain().len()];
    let mut group: Vec<UnitId> = units.iter().map(|&(unit, _)| unit).collect();
    group.sort_unstable();
    let reach = map.width().max(map.height());
    // For units of one profile, the search continues where the last one found its cell.
    let mut around: Vec<_> = state.terrain.spaces.iter().map(|_| spot.rings(reach)).collect();
    for (room, &(unit, index)) in units.iter().enumerate() {
        let record = state.record(unit)?;
        let space = state.space(record);
        let at = state.units.free_at(unit);
        let starts = at.map_or_else(|| exits(state, unit).to_vec(), |at| first_cells(space, at));
        let is_anothers = |owner: UnitId| group.binary_search(&owner).is_err();
        let cell = around[record.space].find(|&cell| {
            let ground = space.ground();
            ground.can_stand(cell)
                && starts.iter().any(|&start| ground.is_connected(start, cell))
                && space.position(cell).is_some_and(|at| {
                    space.standing(at, |entry| {
                        let owner = state.units.goals().owner(entry);
                        !given[entry.get()] && !owner.is_some_and(is_anothers)
                    })
                })
        });
        let asked = units.len();
        cells[index] = cell.ok_or(WorldError::NoRoom { spot, asked, room })?;
        let movement = space.ground().movement();
        let side = u16::from(movement.footprint);
        let is_agile = side == 1 && movement.pace == 1;
        let side = side + if is_agile { 0 } else { lane };
        for cell in Rect::new(cells[index], side, side).cells() {
            map.index(cell).into_iter().for_each(|at| given[at.get()] = true);
        }
    }
    Ok(cells)
}

fn distance_squared(a: Cell, b: Cell) -> u32 {
    let (dx, dy) = (u32::from(a.x.abs_diff(b.x)), u32::from(a.y.abs_diff(b.y)));
    dx * dx + dy * dy
}
