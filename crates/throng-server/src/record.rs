//! One unit as it is sent: 20 bytes, little endian.

use throng::model::{Cell, MovementProfile, UnitId};

use crate::engine::Seen;

/// The bytes of one unit. `docs/protocol.md` has the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Record(pub(crate) [u8; Record::BYTES]);

/// What a unit is doing, in one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Doing {
    Idle = 0,
    Going = 1,
    Arrived = 2,
    /// It is going and has not moved for some ticks.
    Waiting = 3,
    /// It is going and has not moved for long.
    Stuck = 4,
    Holding = 5,
    Unreachable = 6,
    /// It waits for its route.
    Planning = 7,
}

impl Doing {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Idle => "idle",
            Self::Going => "going",
            Self::Arrived => "arrived",
            Self::Waiting => "waiting",
            Self::Stuck => "stuck",
            Self::Holding => "holding",
            Self::Unreachable => "unreachable",
            Self::Planning => "planning",
        }
    }
}

/// A unit on the map, before it is packed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UnitView {
    pub(crate) id: UnitId,
    pub(crate) at: Cell,
    /// The end of the step in progress, or the same cell.
    pub(crate) to: Cell,
    pub(crate) ticks_done: u8,
    pub(crate) ticks_total: u8,
    pub(crate) size: u8,
    pub(crate) team: u8,
    pub(crate) doing: Doing,
    pub(crate) profile: u8,
}

impl UnitView {
    pub(crate) fn new(
        id: UnitId,
        seen: &Seen,
        movement: &MovementProfile,
        team: u8,
        doing: Doing,
        profile: u8,
    ) -> Self {
        let (to, left, total) = seen.step.unwrap_or((seen.at, 0, 0));
        let small = |ticks: u32| u8::try_from(ticks).unwrap_or(u8::MAX);
        let (ticks_done, ticks_total) = (small(total.saturating_sub(left)), small(total));
        let (at, size) = (seen.at, movement.footprint);
        Self { id, at, to, ticks_done, ticks_total, size, team, doing, profile }
    }
}

impl Record {
    pub(crate) const BYTES: usize = 20;

    pub(crate) fn new(unit: &UnitView) -> Self {
        let mut bytes = [0; Self::BYTES];
        bytes[..4].copy_from_slice(&unit.id.to_bits().to_le_bytes());
        let numbers = [unit.at.x, unit.at.y, unit.to.x, unit.to.y];
        for (place, number) in bytes[4..12].chunks_exact_mut(2).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        let small = [unit.ticks_done, unit.ticks_total, unit.size, unit.team];
        bytes[12..16].copy_from_slice(&small);
        bytes[16] = unit.doing as u8;
        bytes[17] = unit.profile;
        Self(bytes)
    }

    fn number(&self, at: usize) -> u16 {
        u16::from_le_bytes([self.0[at], self.0[at + 1]])
    }

    pub(crate) fn id(&self) -> UnitId {
        let [a, b, c, d, ..] = self.0;
        UnitId::from_bits(u32::from_le_bytes([a, b, c, d]))
    }

    pub(crate) fn at(&self) -> Cell {
        Cell::new(self.number(4), self.number(6))
    }

    pub(crate) fn to(&self) -> Cell {
        Cell::new(self.number(8), self.number(10))
    }

    pub(crate) fn size(&self) -> u16 {
        u16::from(self.0[14])
    }
}
