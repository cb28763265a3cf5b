//! Queries about places: which unit is where, and where there is room. They change nothing.

use throng_model::{Cell, Map, MovementProfile, Rect, Tick, UnitId};

use crate::{Layer, Order, Spawn, World};

/// A cell that a unit holds at a tick, now or by its plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CellClaim {
    /// The cell.
    pub cell: Cell,
    /// When.
    pub tick: Tick,
    /// The unit that holds it then.
    pub unit: UnitId,
}

impl World {
    /// The unit whose body covers a cell now: of several layers, one on the lowest. A unit in the
    /// middle of a slow step covers both ends of the step.
    #[must_use]
    pub fn unit_at(&self, cell: impl Into<Cell>) -> Option<UnitId> {
        self.units_at(cell).min_by_key(|&unit| self.layer(unit))
    }

    /// The units of all layers whose bodies cover a cell now.
    pub fn units_at(&self, cell: impl Into<Cell>) -> impl Iterator<Item = UnitId> {
        let (planes, table) = (&self.state.terrain.planes, self.state.units.table());
        let (index, now) = (self.map().index(cell.into()), self.now());
        let entries = (0..planes.list().len() as u8)
            .filter_map(move |plane| index.map(|index| planes.entry(plane, index)));
        entries.filter_map(move |entry| table.holder(entry, now)).map(|claim| claim.unit)
    }

    /// The unit on one layer whose body covers a cell now.
    #[must_use]
    pub fn unit_on(&self, layer: Layer, cell: impl Into<Cell>) -> Option<UnitId> {
        self.units_at(cell).find(|&unit| self.layer(unit) == Some(layer))
    }

    /// The units whose bodies touch a rectangle, by slot: for a selection box. A unit in the
    /// middle of a step counts where the step began.
    pub fn units_in_rect(&self, rect: Rect) -> impl Iterator<Item = UnitId> {
        self.bodies().filter(move |&(_, body)| overlaps(body, rect)).map(|(unit, _)| unit)
    }

    /// The units whose bodies touch a circle around a cell, by slot. The radius is in cells,
    /// between the middles of the cells.
    pub fn units_in_circle(
        &self,
        middle: impl Into<Cell>,
        radius: u16,
    ) -> impl Iterator<Item = UnitId> {
        let middle = middle.into();
        let is_near = move |body: Rect| {
            let gap = |at: u16, from: u16, length: u16| {
                let last = u32::from(from) + u32::from(length.max(1)) - 1;
                let nearest = u32::from(at).clamp(u32::from(from), last);
                u64::from(nearest.abs_diff(u32::from(at)))
            };
            let (dx, dy) = (
                gap(middle.x, body.origin.x, body.width),
                gap(middle.y, body.origin.y, body.height),
            );
            dx * dx + dy * dy <= u64::from(radius) * u64::from(radius)
        };
        self.bodies().filter(move |&(_, body)| is_near(body)).map(|(unit, _)| unit)
    }

    /// The nearest cell to a cell, itself included, where such a unit could be spawned now: its
    /// whole body is on ground where it can stand, and no unit of its layer is there. `None` if
    /// there is no such cell on the map.
    ///
    /// The time grows with the number of cells that are nearer.
    #[must_use]
    pub fn free_cell_near(&self, cell: impl Into<Cell>, spawn: &Spawn) -> Option<Cell> {
        self.free_cell_where(cell.into(), (&spawn.movement, spawn.layer), |_| true)
    }

    /// The same among places that are accepted.
    pub(crate) fn free_cell_where(
        &self,
        cell: Cell,
        (movement, layer): (&MovementProfile, Layer),
        accepts: impl Fn(Rect) -> bool,
    ) -> Option<Cell> {
        let map = self.map();
        let factors = movement.factors(map);
        let stands = |cell: Cell| {
            let class = map.index(cell).map(|index| map.terrain()[index.get()].get());
            class.and_then(|class| factors.get(class).copied().flatten()).is_some()
        };
        let side = u16::from(movement.footprint);
        let is_free = |&at: &Cell| {
            let body = Rect::new(at, side, side);
            let is_whole = at.x.checked_add(side).is_some() && at.y.checked_add(side).is_some();
            let is_open = |cell| stands(cell) && self.unit_on(layer, cell).is_none();
            is_whole && accepts(body) && body.cells().all(is_open)
        };
        cell.rings(reach(map, cell)).find(is_free)
    }

    /// The orders that a unit will carry out after its current one.
    pub fn queue(&self, unit: UnitId) -> impl Iterator<Item = &Order> {
        self.state.assignment(unit).into_iter().flat_map(|assignment| &assignment.queue)
    }

    /// The cells that units hold now or by their plans, at most `reach` columns and rows from a
    /// cell, by cell and tick. For debug drawing: the time grows with the number of all claims.
    #[must_use]
    pub fn claims_near(&self, cell: impl Into<Cell>, reach: u16) -> Vec<CellClaim> {
        let (near, map) = (cell.into(), self.map());
        let is_near = |claim: &CellClaim| {
            let Cell { x, y } = claim.cell;
            x.abs_diff(near.x) <= reach && y.abs_diff(near.y) <= reach
        };
        let claims = self.state.units.table().sorted_claims().into_iter();
        let claims = claims.map(|(entry, tick, claim)| CellClaim {
            cell: self.state.terrain.planes.cell(map, entry),
            tick,
            unit: claim.unit,
        });
        claims.filter(is_near).collect()
    }

    /// The units on the map with the cells that they cover.
    fn bodies(&self) -> impl Iterator<Item = (UnitId, Rect)> {
        self.state.units.iter().filter_map(|(unit, record)| {
            let (at, _) = self.state.location(unit)?;
            let side = u16::from(self.state.space(record).ground().movement().footprint);
            Some((unit, Rect::new(at, side, side)))
        })
    }
}

/// The distance from a cell to the furthest column or row of the map.
pub(crate) fn reach(map: &Map, cell: Cell) -> u16 {
    let furthest = |at: u16, size: u16| at.max(size.saturating_sub(at + 1));
    furthest(cell.x, map.width()).max(furthest(cell.y, map.height()))
}

fn overlaps(a: Rect, b: Rect) -> bool {
    let meets = |a: u16, a_length: u16, b: u16, b_length: u16| {
        let (a, b) = (u32::from(a), u32::from(b));
        a < b + u32::from(b_length) && b < a + u32::from(a_length)
    };
    meets(a.origin.x, a.width, b.origin.x, b.width)
        && meets(a.origin.y, a.height, b.origin.y, b.height)
}
