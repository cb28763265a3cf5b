//! Ids of units and buildings: a slot and the generation of its owner.
//!
//! A slot is reused after its owner was removed, and the next owner gets the next generation.
//! So an id that was kept too long never names another unit. An id fits into 32 bits: the
//! reservation table stores millions of them.

use std::fmt;

/// How many bits of an id are the slot's number: ten times as many slots as a problem may have
/// units. The other 12 bits are the generation.
const SLOT_BITS: u32 = 20;
const SLOT_MASK: u32 = (1 << SLOT_BITS) - 1;
const GENERATION_MAX: u32 = u32::MAX >> SLOT_BITS;

macro_rules! slot_id {
    ($(#[$doc:meta])* $id:ident, $word:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub struct $id(u32);

        impl $id {
            /// The id of the first owner of a slot. Only the low 20 bits of `slot` count.
            #[inline]
            #[must_use]
            pub const fn new(slot: u32) -> Self {
                Self(slot & SLOT_MASK)
            }

            /// The slot, as an index into arrays.
            #[inline]
            #[must_use]
            pub const fn index(self) -> usize {
                (self.0 & SLOT_MASK) as usize
            }

            /// The number of owners that the slot had before this one.
            #[inline]
            #[must_use]
            pub const fn generation(self) -> u32 {
                self.0 >> SLOT_BITS
            }

            /// The id of the slot's next owner; `None` when its generations are used up.
            #[must_use]
            pub const fn next_generation(self) -> Option<Self> {
                if self.generation() == GENERATION_MAX { None } else { Some(Self(self.0 + (1 << SLOT_BITS))) }
            }

            /// Slot and generation in one number, to be sent or stored.
            #[inline]
            #[must_use]
            pub const fn to_bits(self) -> u32 {
                self.0
            }

            /// The id that [`to_bits`](Self::to_bits) turned into this number. Every number is
            /// an id; only its world knows whether a unit or building has it.
            #[inline]
            #[must_use]
            pub const fn from_bits(bits: u32) -> Self {
                Self(bits)
            }
        }

        /// By slot, then by generation.
        impl Ord for $id {
            #[inline]
            fn cmp(&self, other: &Self) -> std::cmp::Ordering {
                let key = |id: &Self| id.0.rotate_right(SLOT_BITS);
                key(self).cmp(&key(other))
            }
        }

        impl PartialOrd for $id {
            #[inline]
            fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }

        impl fmt::Display for $id {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{} {}", $word, self.index())?;
                match self.generation() {
                    0 => Ok(()),
                    generation => write!(f, " (generation {generation})"),
                }
            }
        }
    };
}

slot_id! {
    /// The id of a unit: its index in a problem, or its slot and generation in a live world.
    ///
    /// ```
    /// use throng_model::UnitId;
    /// let first = UnitId::new(7);
    /// let second = first.next_generation().expect("4095 more");
    /// assert_eq!((first.index(), second.index()), (7, 7));
    /// assert_ne!(first, second);
    /// assert_eq!(second.to_string(), "unit 7 (generation 1)");
    /// ```
    UnitId, "unit"
}

slot_id! {
    /// The id of a building of a live world.
    BuildingId, "building"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_ordered_by_slot_first() {
        let (low, high) = (UnitId::new(3), UnitId::new(4));
        let later = low.next_generation().unwrap();
        assert!(low < later && later < high);
    }

    #[test]
    fn generations_end_and_never_change_the_slot() {
        let mut id = UnitId::new(SLOT_MASK);
        let mut owners = 1;
        while let Some(next) = id.next_generation() {
            assert_eq!(next.index(), id.index());
            assert_eq!(next.generation(), id.generation() + 1);
            id = next;
            owners += 1;
        }
        assert_eq!(owners, 4096);
        assert_eq!(UnitId::from_bits(id.to_bits()), id);
    }
}
