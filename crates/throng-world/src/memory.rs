//! How much memory a restored world needs, counted before it is allocated.
//!
//! A snapshot is short: a few bytes can describe the largest map and many movement profiles. The
//! caller sets a limit, and a snapshot or replay that needs more is refused. The constants are upper
//! bounds of what was measured; a test compares them with the allocator.

use throng_model::{MovementProfile, Tick};

/// The limit if the caller sets none, in bytes: 1 GiB.
pub(crate) const MEMORY_MAX: u64 = 1 << 30;

/// Bytes per cell of the map, for the reservation table and the memory of crowds.
const CELL: u64 = 44;
/// Bytes per cell of the map and movement profile. A view of standing units needs as much again.
const PROFILE_CELL: u64 = 20;
/// Bytes per slot for a unit.
const SLOT: u64 = 2048;
/// Bytes per action of a plan, and per cell and tick that a plan claims.
const LEG: u64 = 32;
const CLAIM: u64 = 48;
/// Bytes per cell of a route.
const ROUTE_CELL: u64 = 24;
/// Bytes for each byte of the parts of a snapshot without units.
const HEAD: u64 = 64;

/// A snapshot or replay needs more memory than the caller allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "it needs {needed} bytes of memory or more, and the limit is {limit}; give a higher limit if \
     you trust its source"
)]
pub struct MemoryError {
    /// How many bytes it needs at least.
    pub needed: u64,
    /// The limit, in bytes.
    pub limit: u64,
}

/// The memory that was counted so far, and its limit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemoryCount {
    needed: u64,
    limit: u64,
}

impl MemoryCount {
    pub(crate) fn new(limit: u64) -> Self {
        Self { needed: 0, limit }
    }

    fn add(&mut self, count: u64, bytes: u64) -> Result<(), MemoryError> {
        self.needed = self.needed.saturating_add(count.saturating_mul(bytes));
        let Self { needed, limit } = *self;
        if needed <= limit { Ok(()) } else { Err(MemoryError { needed, limit }) }
    }

    /// The bytes themselves.
    pub(crate) fn add_read(&mut self, bytes: usize) -> Result<(), MemoryError> {
        self.add(bytes as u64, 1)
    }

    /// The part of a snapshot without units, of this many bytes.
    pub(crate) fn add_head(&mut self, bytes: usize) -> Result<(), MemoryError> {
        self.add(bytes as u64, HEAD)
    }

    /// A map of this many cells.
    pub(crate) fn add_map(&mut self, cells: u64) -> Result<(), MemoryError> {
        self.add(cells, CELL)
    }

    /// The reservation table, for plans of so many ticks. It has a bit per cell and tick, and is
    /// copied when it grows.
    pub(crate) fn add_table(&mut self, cells: u64, ticks: u32) -> Result<(), MemoryError> {
        self.add(cells, (u64::from(ticks) + 1).next_power_of_two() / 4)
    }

    /// Views of the map, for movement profiles and standing units.
    pub(crate) fn add_views(&mut self, cells: u64, views: u64) -> Result<(), MemoryError> {
        self.add(cells.saturating_mul(views), PROFILE_CELL)
    }

    /// A unit's slot and its plan.
    pub(crate) fn add_slot(
        &mut self,
        movement: Option<&MovementProfile>,
        (legs, end): (usize, Tick),
        now: Tick,
    ) -> Result<(), MemoryError> {
        let side = movement.map_or(0, |movement| u64::from(movement.footprint) + 1);
        let ticks = u64::from(end.0.saturating_sub(now.0)) + 1;
        self.add_slots(1)?;
        self.add(legs as u64, LEG)?;
        self.add(side * side * ticks, CLAIM)
    }

    /// Slots of units without a plan.
    pub(crate) fn add_slots(&mut self, slots: u64) -> Result<(), MemoryError> {
        self.add(slots, SLOT)
    }

    /// A route of this many cells.
    pub(crate) fn add_route(&mut self, cells: usize) -> Result<(), MemoryError> {
        self.add(cells as u64, ROUTE_CELL)
    }
}
