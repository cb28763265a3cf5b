//! A number for the whole state, to compare worlds by.

use throng_grid::kit::mix;
use throng_model::UnitId;

use crate::World;
use crate::resident::UnitStatus;

/// The hash of what came before, and of the next value.
fn fold(state: u64, value: u64) -> u64 {
    mix(state ^ value)
}

impl World {
    /// Over tick, ground, units, where they are, where they go, what they plan and
    /// for whom they make way.
    pub(crate) fn state_hash(&self) -> u64 {
        let grounds = self.spaces.iter().map(|space| space.ground().fingerprint());
        let start = grounds.fold(u64::from(self.now().0), fold);
        self.units().fold(start, |hash, unit| fold(hash, self.unit_hash(unit)))
    }

    fn unit_hash(&self, unit: UnitId) -> u64 {
        let Ok(resident) = self.resident(unit) else { return 0 };
        let (at, heading) = self.place(unit).map_or((u64::MAX, 0), |(at, heading)| {
            let step = heading
                .map_or(0, |heading| 1 + (pack(heading.to) << 8 | u64::from(heading.ticks_left)));
            (pack(at), step)
        });
        let status = match resident.status {
            UnitStatus::Idle => 1,
            UnitStatus::Holding => 2,
            UnitStatus::Routing => 3,
            UnitStatus::Going => 4,
            UnitStatus::Arrived => 5,
            UnitStatus::Unreachable => 6,
            UnitStatus::Inside(building) => 7 | u64::from(building.to_bits()) << 8,
        };
        let destination = resident.destination.map_or(0, |to| 1 + u64::from(to.0));
        let planned = self.crew.path(unit.to_bits()).and_then(|path| path.end);
        let planned = planned.map_or(0, |(at, tick)| u64::from(at.0) << 32 | u64::from(tick.0));
        let errand = resident.errand.map_or(0, |errand| {
            let rest = fold(u64::from(errand.home.0), u64::from(errand.until.0));
            fold(rest, u64::from(errand.for_unit.to_bits()) << 32 | u64::from(errand.to.0))
        });
        [at, heading, status, destination, planned, errand]
            .into_iter()
            .fold(u64::from(unit.to_bits()), fold)
    }
}

fn pack(cell: throng_model::Cell) -> u64 {
    u64::from(cell.x) << 16 | u64::from(cell.y)
}
