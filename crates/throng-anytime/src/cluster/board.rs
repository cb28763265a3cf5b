//! A configuration: where the units stand, and which of them overlap which position.

use throng_grid::kit::mix;

use super::region::{Region, Step};

/// A set of units, one bit per unit.
pub(super) type Units = u32;

/// The largest number of units of a cluster.
pub(super) const UNITS_MAX: usize = 32;

/// The units of a set, in order.
pub(super) fn members(units: Units) -> impl Iterator<Item = usize> {
    let mut rest = units;
    std::iter::from_fn(move || {
        let unit = rest.trailing_zeros() as usize;
        rest &= rest.wrapping_sub(1);
        (unit < UNITS_MAX).then_some(unit)
    })
}

/// The current configuration. All lists are kept up to date with each unit that is put elsewhere.
#[derive(Clone, Debug, Default)]
pub(super) struct Board {
    places: Vec<u32>,
    kinds: Vec<usize>,
    /// By entry: the units on it.
    holders: Vec<Units>,
    /// By kind and position: the units that a body there would overlap. Empty for kinds without
    /// a unit.
    overlaps: Vec<Vec<Units>>,
    hash: u64,
}

impl Board {
    /// Empties the board for units of these kinds at these positions.
    pub(super) fn begin(&mut self, region: &Region, units: impl Iterator<Item = (usize, u32)>) {
        self.places.clear();
        self.kinds.clear();
        self.holders.clear();
        self.holders.resize(region.entries(), 0);
        self.overlaps.resize(region.kinds().len(), Vec::new());
        self.overlaps.iter_mut().for_each(Vec::clear);
        self.hash = 0;
        for (unit, (kind, at)) in units.enumerate() {
            self.kinds.push(kind);
            self.places.push(at);
            self.overlaps[kind].resize(region.kinds()[kind].len(), 0);
            self.hash ^= key(unit, at);
        }
        (0..self.places.len()).for_each(|unit| self.write(region, unit, true));
    }

    pub(super) fn places(&self) -> &[u32] {
        &self.places
    }

    #[inline]
    pub(super) fn place(&self, unit: usize) -> u32 {
        self.places[unit]
    }

    #[inline]
    pub(super) fn kind(&self, unit: usize) -> usize {
        self.kinds[unit]
    }

    /// The Zobrist hash of the configuration.
    pub(super) fn hash(&self) -> u64 {
        self.hash
    }

    /// The hash after one unit has moved.
    pub(super) fn hash_after(&self, unit: usize, to: u32) -> u64 {
        self.hash ^ key(unit, self.places[unit]) ^ key(unit, to)
    }

    /// Puts a unit elsewhere.
    pub(super) fn relocate(&mut self, region: &Region, unit: usize, to: u32) {
        if self.places[unit] != to {
            self.write(region, unit, false);
            self.hash = self.hash_after(unit, to);
            self.places[unit] = to;
            self.write(region, unit, true);
        }
    }

    /// Puts all units to the places of a configuration.
    pub(super) fn set(&mut self, region: &Region, places: &[u16]) {
        let moved = |(unit, &to): (usize, &u16)| {
            (self.places[unit] != u32::from(to)).then_some((unit, u32::from(to)))
        };
        let moved: Vec<_> = places.iter().enumerate().filter_map(moved).collect();
        moved.into_iter().for_each(|(unit, to)| self.relocate(region, unit, to));
    }

    fn write(&mut self, region: &Region, unit: usize, is_there: bool) {
        let bit = 1 << unit;
        let with = |units: Units| if is_there { units | bit } else { units & !bit };
        for &entry in region.kinds()[self.kinds[unit]].standing(self.places[unit]) {
            let holders = &mut self.holders[entry as usize];
            *holders = with(*holders);
            let used = self.overlaps.iter_mut().zip(region.kinds());
            for (overlaps, kind) in used.filter(|(overlaps, _)| !overlaps.is_empty()) {
                for &at in kind.covering(entry) {
                    overlaps[at as usize] = with(overlaps[at as usize]);
                }
            }
        }
    }

    /// The other units that a unit's body would overlap at a position.
    #[inline]
    pub(super) fn overlaps(&self, unit: usize, at: u32) -> Units {
        self.overlaps[self.kinds[unit]][at as usize] & !(1 << unit)
    }

    /// The other units that stand in the way of a step.
    #[inline]
    pub(super) fn blockers(&self, region: &Region, unit: usize, step: &Step) -> Units {
        let kind = &region.kinds()[self.kinds[unit]];
        let beside = kind.extras(step).iter().map(|&entry| self.holders[entry as usize]);
        let beside = beside.fold(0, |all, units| all | units) & !(1 << unit);
        self.overlaps(unit, step.to) | beside
    }
}

fn key(unit: usize, at: u32) -> u64 {
    mix((unit as u64) << 32 | u64::from(at))
}
