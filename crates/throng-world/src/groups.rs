//! Orders to many units at once.

use throng_model::{Cell, Rect, UnitId};
use throng_spacetime::Space;

use crate::resident::{Resident, UnitStatus};
use crate::routing::footing;
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

/// The cells that would do in the nearest ring in which any does.
pub(crate) fn nearest_ring(spot: Cell, reach: u16, would_do: impl Fn(&Cell) -> bool) -> Vec<Cell> {
    let ring = |cell: Cell| cell.x.abs_diff(spot.x).max(cell.y.abs_diff(spot.y));
    let mut found = rings(spot, reach).filter(would_do).peekable();
    let nearest = found.peek().map(|&cell| ring(cell));
    found.take_while(|&cell| Some(ring(cell)) == nearest).collect()
}

impl World {
    /// Sends units to one spot. Each gets a cell of its own around it, so that none fights
    /// with another for its place, and such a one that their ways cross as little as can be:
    /// those in front go furthest. Gives the cells, in the order of `units`. Those in
    /// buildings come out and go too, as with [`order`](Self::order).
    ///
    /// # Errors
    /// When a unit does not exist or is named twice, or there is not room for all; nobody is
    /// told anything then.
    pub fn order_group(&mut self, units: &[UnitId], spot: Cell) -> Result<Vec<Cell>, WorldError> {
        if !self.map.contains(spot) {
            return Err(WorldError::OffMap { cell: spot });
        }
        let mut ranked = Vec::with_capacity(units.len());
        for (index, &unit) in units.iter().enumerate() {
            let at = self.sets_out_from(self.resident(unit)?, unit, spot);
            ranked.push((distance_squared(at, spot), unit, index));
        }
        ranked.sort_unstable();
        if let Some(pair) = ranked.windows(2).find(|pair| pair[0].1 == pair[1].1) {
            return Err(WorldError::Twice(pair[0].1));
        }
        let order: Vec<_> = ranked.iter().map(|&(_, unit, index)| (unit, index)).collect();
        let roomy = self.hand_out(&order, spot, 1);
        let mut cells = roomy.or_else(|_| self.hand_out(&order, spot, 0))?;
        self.untangle(units, spot, &mut cells);
        for (&unit, &cell) in units.iter().zip(&cells) {
            self.order(unit, Order::go(cell))?;
        }
        Ok(cells)
    }

    /// Where a unit is; for one in a building, the exit that is nearest to the spot.
    fn sets_out_from(&self, resident: &Resident, unit: UnitId, spot: Cell) -> Cell {
        let exits = self.exits(resident).iter().copied();
        let exit = exits.min_by_key(|&exit| (distance_squared(exit, spot), exit));
        self.place(unit).map(|(at, _)| at).or(exit).unwrap_or(spot)
    }

    /// Where a unit comes out; none if it is not in a building.
    fn exits(&self, resident: &Resident) -> &[Cell] {
        match resident.status {
            UnitStatus::Inside(building) => self.building(building).map_or(&[], |c| &c.exits),
            _ => &[],
        }
    }

    /// Lets units of one kind exchange their cells as long as that makes the sum of the
    /// squared distances less. Where it is least, straight ways do not cross: nobody has to
    /// pass through those who are there already.
    fn untangle(&self, units: &[UnitId], spot: Cell, cells: &mut [Cell]) {
        let resident = |index: usize| self.resident(units[index]).ok();
        let place = |&unit: &UnitId| {
            self.resident(unit).map_or(spot, |resident| self.sets_out_from(resident, unit, spot))
        };
        let from: Vec<Cell> = units.iter().map(place).collect();
        let mut order: Vec<usize> = (0..units.len()).collect();
        order.sort_by_key(|&index| (resident(index).map(|r| r.kind), from[index], index));
        let reach = (COMPARISONS_MAX / units.len().max(1)).max(1);
        for _ in 0..PASSES_MAX {
            let mut changed = false;
            for (place, &a) in order.iter().enumerate() {
                for &b in order[place + 1..].iter().take(reach) {
                    changed |= self.exchange((units, &from), cells, a, b);
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// Exchanges the cells of two units if they are of one kind, can both get there, and are
    /// better off; whether they were.
    fn exchange(
        &self,
        (units, from): (&[UnitId], &[Cell]),
        cells: &mut [Cell],
        a: usize,
        b: usize,
    ) -> bool {
        let as_is = distance_squared(from[a], cells[a]) + distance_squared(from[b], cells[b]);
        let crossed = distance_squared(from[a], cells[b]) + distance_squared(from[b], cells[a]);
        let kind = |unit: usize| self.resident(units[unit]).ok().map(|resident| resident.kind);
        if crossed >= as_is || kind(a) != kind(b) {
            return false;
        }
        let ground = kind(a).map(|kind| self.spaces[kind].ground());
        let joined = ground.is_some_and(|ground| ground.is_connected(cells[a], cells[b]));
        if joined {
            cells.swap(a, b);
        }
        joined
    }

    /// Cells for units, which are told nearest first, with their places in the answer. Slow
    /// and large ones, which find it hard to get past each other, have lanes beside them.
    fn hand_out(
        &self,
        units: &[(UnitId, usize)],
        spot: Cell,
        lane: u16,
    ) -> Result<Vec<Cell>, WorldError> {
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
            let at = self.crew.free_at(unit.to_bits());
            let starts = at.map_or_else(|| self.exits(resident).to_vec(), |at| footing(space, at));
            let cell = around[resident.kind].find(|&cell| {
                let others = |owner: u32| {
                    members.binary_search(&UnitId::new(owner)).is_err()
                        && owner != crate::world::NOBODY
                };
                let ground = space.ground();
                ground.can_stand(cell)
                    && starts.iter().any(|&start| ground.is_connected(start, cell))
                    && space.position(cell).is_some_and(|at| {
                        space.standing(at, |entry| {
                            !given[entry.get()] && !others(self.destinations[entry.get()])
                        })
                    })
            });
            let asked = units.len();
            cells[index] = cell.ok_or(WorldError::NoRoom { spot, asked, room })?;
            let movement = space.ground().movement();
            let side = u16::from(movement.footprint);
            let agile = side == 1 && movement.pace == 1;
            let side = side + if agile { 0 } else { lane };
            for cell in Rect::new(cells[index], side, side).cells() {
                self.map.index(cell).into_iter().for_each(|at| given[at.get()] = true);
            }
        }
        Ok(cells)
    }
}

/// How often units are looked at, and how many pairs of them each time: a group order is
/// given between two ticks.
const PASSES_MAX: u32 = 8;
const COMPARISONS_MAX: usize = 1 << 20;

fn distance_squared(a: Cell, b: Cell) -> u32 {
    let (dx, dy) = (u32::from(a.x.abs_diff(b.x)), u32::from(a.y.abs_diff(b.y)));
    dx * dx + dy * dy
}
