//! What a unit occupies at one tick: the cells that it holds, and the step that it has just
//! taken. Conflicts between two units follow from these alone.

use throng_model::{Cell, Conflicts, Map, MovementProfile, UnitId};

use crate::conflict::{self, Step};
use crate::passable_map::is_adjacent;
use crate::{Violation, ViolationKind};

/// A rectangle of cells as half-open ranges. Empty where a range ends at or before its start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Area {
    x: (i32, i32),
    y: (i32, i32),
}

impl Area {
    fn map(map: &Map) -> Self {
        Self { x: (0, i32::from(map.width())), y: (0, i32::from(map.height())) }
    }

    fn body(at: Cell, side: i32) -> Self {
        let (x, y) = (i32::from(at.x), i32::from(at.y));
        Self { x: (x, x + side), y: (y, y + side) }
    }

    /// The smallest rectangle around both.
    fn around(self, other: Self) -> Self {
        Self {
            x: (self.x.0.min(other.x.0), self.x.1.max(other.x.1)),
            y: (self.y.0.min(other.y.0), self.y.1.max(other.y.1)),
        }
    }

    /// The intersection.
    fn shared(self, other: Self) -> Self {
        Self {
            x: (self.x.0.max(other.x.0), self.x.1.min(other.x.1)),
            y: (self.y.0.max(other.y.0), self.y.1.min(other.y.1)),
        }
    }

    fn is_within(self, other: Self) -> bool {
        let within = |a: (i32, i32), b: (i32, i32)| b.0 <= a.0 && a.1 <= b.1;
        within(self.x, other.x) && within(self.y, other.y)
    }

    /// Its cells as (column, row), row by row.
    pub(crate) fn points(self) -> impl Iterator<Item = (i32, i32)> {
        (self.y.0..self.y.1).flat_map(move |y| (self.x.0..self.x.1).map(move |x| (x, y)))
    }
}

/// The area that a unit holds at one tick, and its last step.
#[derive(Clone, Debug)]
pub(crate) struct Occupant {
    id: UnitId,
    /// The cells of the map that it holds. This is always a rectangle: a straight step holds
    /// both ends, a diagonal step the whole square around them.
    pub(crate) held: Area,
    /// The step that ended at this tick, if it took one tick and stayed on the map.
    step: Option<Step>,
    layer: u8,
}

impl Occupant {
    /// A unit that was on `from` a tick ago and is on `at` now. `ahead` is the target of a slow
    /// step in progress; it holds nothing if it is no neighbour.
    pub(crate) fn new(
        map: &Map,
        movement: &MovementProfile,
        id: UnitId,
        (from, at): (Cell, Cell),
        ahead: Option<Cell>,
    ) -> Self {
        let body = |at| Area::body(at, i32::from(movement.footprint));
        let whole = Area::map(map);
        let ahead = ahead.filter(|&to| is_adjacent(at, to));
        let held = ahead.map_or(body(at), |to| body(at).around(body(to)));
        // A slow step has held both ends, so that no other can have passed through it.
        let is_step = from != at && movement.pace == 1 && is_adjacent(from, at);
        let inside = body(from).is_within(whole) && body(at).is_within(whole);
        let step = Step { from, to: at, side: i32::from(movement.footprint) };
        let step = (is_step && inside).then_some(step);
        Self { id, held: held.shared(whole), step, layer: 0 }
    }

    /// The same on another layer.
    pub(crate) fn on_layer(self, layer: u8) -> Self {
        Self { layer, ..self }
    }

    /// The smallest rectangle around the cells held now and at the start of the last step.
    pub(crate) fn reach(&self) -> Area {
        let passed = self.step.map(|step| Area::body(step.from, step.side));
        passed.map_or(self.held, |body| body.around(self.held))
    }

    /// The conflict of two units at this tick, or between the last tick and this one.
    pub(crate) fn conflict_with(
        &self,
        other: &Self,
        tick: usize,
        conflicts: Conflicts,
    ) -> Option<Violation> {
        if self.layer != other.layer {
            return None;
        }
        let units = [self.id, other.id];
        let shared = self.held.shared(other.held).points();
        let shared: Vec<_> = shared.filter_map(|(x, y)| Cell::new(0, 0).offset(x, y)).collect();
        if !shared.is_empty() {
            return Some(Violation::of_two(ViolationKind::Vertex, tick, units, shared));
        }
        let (first, second) = (self.step?, other.step?);
        let kind = conflict::conflict(first, second, conflicts)?;
        let mut cells = vec![first.from, first.to];
        if kind != ViolationKind::Swap {
            cells.extend([second.from, second.to]);
        }
        Some(Violation::of_two(kind, tick, units, cells))
    }
}
