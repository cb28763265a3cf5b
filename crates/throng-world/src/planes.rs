//! Layers and sides in the reservation table.
//!
//! Units that share their plans share a *plane*: a copy of the table's entries. There is one for
//! each layer and side. Units of different layers do not meet at all. Units of one layer and
//! different sides meet with their bodies only: what one side plans is not in the plane of the
//! other. See `docs/decisions/orders-and-teams.md`.

use serde::{Deserialize, Serialize};
use throng_model::{Cell, CellIndex, Map};
use throng_spacetime::{Action, Entry, GridSpace, Move, Position, Space};

use crate::WorldError;
use crate::teams::Layer;

/// Most planes at once.
pub(crate) const PLANES_MAX: usize = 64;

/// The units of one layer and one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Plane {
    pub(crate) layer: Layer,
    pub(crate) side: u8,
}

/// The planes that were ever used.
#[derive(Clone, Debug, Default)]
pub(crate) struct Planes {
    list: Vec<Plane>,
    /// Cells of the map.
    cells: u32,
    /// Whether two of them have the same layer.
    sides_meet: bool,
}

impl Planes {
    pub(crate) fn new(map: &Map) -> Self {
        Self { cells: map.terrain().len() as u32, ..Self::default() }
    }

    pub(crate) fn list(&self) -> &[Plane] {
        &self.list
    }

    pub(crate) fn get(&self, plane: u8) -> Plane {
        self.list.get(usize::from(plane)).copied().unwrap_or_default()
    }

    pub(crate) fn find(&self, plane: Plane) -> Option<u8> {
        self.list.iter().position(|&known| known == plane).map(|at| at as u8)
    }

    /// The number of a plane, added if it is new.
    pub(crate) fn add(&mut self, plane: Plane) -> Result<u8, WorldError> {
        if let Some(known) = self.find(plane) {
            return Ok(known);
        }
        if self.list.len() >= PLANES_MAX {
            return Err(WorldError::TooManyPlanes(PLANES_MAX));
        }
        self.sides_meet |= self.list.iter().any(|known| known.layer == plane.layer);
        self.list.push(plane);
        Ok(self.list.len() as u8 - 1)
    }

    /// Forgets planes that were added last, down to this many.
    pub(crate) fn truncate(&mut self, count: usize) {
        self.list.truncate(count);
        let list = &self.list;
        let meets =
            |(at, plane): (usize, &Plane)| list[..at].iter().any(|p| p.layer == plane.layer);
        self.sides_meet = list.iter().enumerate().any(meets);
    }

    /// Whether units of different sides can be on one layer.
    pub(crate) fn sides_meet(&self) -> bool {
        self.sides_meet
    }

    /// Entries of the reservation table.
    pub(crate) fn entries(&self) -> usize {
        self.cells as usize * self.list.len().max(1)
    }

    /// Entries for bodies: one per cell and layer.
    pub(crate) fn body_entries(&self) -> usize {
        let layers = self.list.iter().map(|plane| usize::from(plane.layer.0) + 1).max();
        self.cells as usize * layers.unwrap_or(1)
    }

    /// The cell of an entry.
    pub(crate) fn cell(&self, map: &Map, Entry(entry): Entry) -> Cell {
        map.cell(CellIndex(entry % self.cells.max(1)))
    }

    /// The entry of a cell in a plane.
    pub(crate) fn entry(&self, plane: u8, CellIndex(index): CellIndex) -> Entry {
        Entry(u32::from(plane) * self.cells + index)
    }

    /// The planes of the same layer, the plane itself included.
    pub(crate) fn of_layer(&self, plane: u8) -> impl Iterator<Item = u8> {
        let layer = self.get(plane).layer;
        (0..).zip(&self.list).filter(move |(_, other)| other.layer == layer).map(|(at, _)| at)
    }

    /// The entries of the same cell in all planes of the layer, this one included.
    pub(crate) fn beside(&self, entry: Entry) -> impl Iterator<Item = Entry> {
        let (plane, index) = (entry.0 / self.cells.max(1), entry.0 % self.cells.max(1));
        self.of_layer(plane as u8).map(move |plane| self.entry(plane, CellIndex(index)))
    }

    /// A space whose entries are those of bodies.
    pub(crate) fn bodies_of<'a>(&self, space: &'a GridSpace, plane: u8) -> BodySpace<'a> {
        let first = u32::from(plane) * self.cells;
        let layer = u32::from(self.get(plane).layer.0) * self.cells;
        BodySpace { space, down: first.wrapping_sub(layer), entries: self.body_entries() }
    }
}

impl Default for Plane {
    fn default() -> Self {
        Self { layer: Layer::GROUND, side: 0 }
    }
}

/// A space in which units of all sides of a layer share their entries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BodySpace<'a> {
    space: &'a GridSpace,
    /// What is subtracted from each entry.
    down: u32,
    entries: usize,
}

impl BodySpace<'_> {
    fn body_entry(&self, Entry(entry): Entry) -> Entry {
        Entry(entry.wrapping_sub(self.down))
    }
}

impl Space for BodySpace<'_> {
    fn positions(&self) -> usize {
        self.space.positions()
    }

    fn entries(&self) -> usize {
        self.entries
    }

    fn estimate(&self, from: Position, to: Position) -> u64 {
        self.space.estimate(from, to)
    }

    fn pause_cost(&self) -> u64 {
        self.space.pause_cost()
    }

    fn move_ticks_max(&self) -> u32 {
        self.space.move_ticks_max()
    }

    fn ticks_to_clear(&self) -> u32 {
        self.space.ticks_to_clear()
    }

    fn for_each_move(&self, from: Position, visit: impl FnMut(Move)) {
        self.space.for_each_move(from, visit);
    }

    fn for_each_move_back(&self, to: Position, visit: impl FnMut(Move)) {
        self.space.for_each_move_back(to, visit);
    }

    fn move_by(&self, from: Position, action: Action) -> Option<Move> {
        self.space.move_by(from, action)
    }

    fn may_begin(&self, from: Position, action: Action) -> bool {
        self.space.may_begin(from, action)
    }

    fn move_to(&self, from: Position, to: Position) -> Option<Move> {
        self.space.move_to(from, to)
    }

    fn standing(&self, at: Position, mut visit: impl FnMut(Entry) -> bool) -> bool {
        self.space.standing(at, |entry| visit(self.body_entry(entry)))
    }

    fn footprint(
        &self,
        from: Position,
        action: Action,
        mut visit: impl FnMut(Entry, u32) -> bool,
    ) -> bool {
        self.space.footprint(from, action, |entry, later| visit(self.body_entry(entry), later))
    }

    fn passings(
        &self,
        from: Position,
        action: Action,
        mut visit: impl FnMut(Entry, Entry) -> bool,
    ) -> bool {
        self.space.passings(from, action, |before, after| {
            visit(self.body_entry(before), self.body_entry(after))
        })
    }
}
