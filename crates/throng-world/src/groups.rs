//! Orders to many units at once.

use throng_model::{Cell, UnitId};
use throng_search::Space;

use crate::{Order, World, WorldError};

/// The cells around a spot, nearest ring first, within each in a fixed order.
pub(crate) fn rings(spot: Cell, reach: u16) -> impl Iterator<Item = Cell> {
    let reach = i32::from(reach);
    (0..=reach).flat_map(move |ring| {
        let side = (-ring..=ring).flat_map(move |dy| {
            let edge = dy.abs() == ring;
            let step = if edge || ring == 0 { 1 } else { 2 * ring as usize };
            (-ring..=ring).step_by(step).map(move |dx| (dx, dy))
        });
        let mut cells: Vec<(i32, i32)> = side.collect();
        cells.sort_by_key(|&(dx, dy)| (dx * dx + dy * dy, dy, dx));
        cells.into_iter().filter_map(move |(dx, dy)| spot.offset(dx, dy))
    })
}

impl World {
    /// Sends units to one spot. Each gets a cell of its own around it, the nearest unit the
    /// nearest cell, so that none fights with another for its place. Gives the cells, in the
    /// order of `units`.
    ///
    /// # Errors
    /// When a unit does not exist, or there is not room for all; nobody is told anything
    /// then.
    pub fn order_group(&mut self, units: &[UnitId], spot: Cell) -> Result<Vec<Cell>, WorldError> {
        if !self.map.contains(spot) {
            return Err(WorldError::OffMap { cell: spot });
        }
        let mut ranked = Vec::with_capacity(units.len());
        for (index, &unit) in units.iter().enumerate() {
            let (at, _) = self.place(unit).ok_or_else(|| match self.resident(unit) {
                Ok(_) => WorldError::Inside(unit),
                Err(error) => error,
            })?;
            ranked.push((distance_squared(at, spot), unit, index));
        }
        ranked.sort_unstable();
        let order: Vec<_> = ranked.iter().map(|&(_, unit, index)| (unit, index)).collect();
        let cells = self.hand_out(&order, spot)?;
        for (&unit, &cell) in units.iter().zip(&cells) {
            self.order(unit, Order::go(cell))?;
        }
        Ok(cells)
    }

    /// Cells for units, which are told nearest first, with their places in the answer.
    fn hand_out(&self, units: &[(UnitId, usize)], spot: Cell) -> Result<Vec<Cell>, WorldError> {
        let mut cells = vec![spot; units.len()];
        let mut given = vec![false; self.destinations.len()];
        let mut members: Vec<UnitId> = units.iter().map(|&(unit, _)| unit).collect();
        members.sort_unstable();
        let reach = self.map.width().max(self.map.height());
        // Units of one kind go on where the last one found its place.
        let mut around: Vec<_> = self.spaces.iter().map(|_| rings(spot, reach)).collect();
        for (room, &(unit, index)) in units.iter().enumerate() {
            let resident = self.resident(unit)?;
            let space = &self.spaces[resident.kind];
            let start = self.place(unit).map_or(spot, |(at, _)| at);
            let cell = around[resident.kind].find(|&cell| {
                let others = |owner: u32| {
                    members.binary_search(&UnitId(owner)).is_err() && owner != crate::world::NOBODY
                };
                let ground = space.ground();
                ground.can_stand(cell)
                    && ground.is_connected(start, cell)
                    && space.position(cell).is_some_and(|at| {
                        space.standing(at, |entry| {
                            !given[entry.get()] && !others(self.destinations[entry.get()])
                        })
                    })
            });
            let asked = units.len();
            cells[index] = cell.ok_or(WorldError::NoRoom { spot, asked, room })?;
            space.position(cells[index]).into_iter().for_each(|at| {
                space.standing(at, |entry| {
                    given[entry.get()] = true;
                    true
                });
            });
        }
        Ok(cells)
    }
}

fn distance_squared(a: Cell, b: Cell) -> u32 {
    let (dx, dy) = (u32::from(a.x.abs_diff(b.x)), u32::from(a.y.abs_diff(b.y)));
    dx * dx + dy * dy
}
