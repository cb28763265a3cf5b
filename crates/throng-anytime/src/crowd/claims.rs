//! Which unit holds which entry now, and which claims it for the next tick.
//!
//! An entry has one holder now and one claim. A claim says nothing about ticks: an action
//! claims every entry of its footprint from its first tick on, which is never less than what
//! it holds. So two claims of one tick conflict exactly when they share an entry.

use throng_spacetime::Entry;

/// No unit.
pub(super) const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Slot {
    /// The unit that holds the entry now.
    now: u32,
    /// The unit that claims it for the next tick.
    next: u32,
    /// How many units have it in their first choice, in a byte for each of four sides; sides
    /// beyond share a byte.
    wanted: u32,
    /// The number of the last escape from an area that it belongs to.
    area: u32,
}

impl Slot {
    const EMPTY: Self = Self { now: NONE, next: NONE, wanted: 0, area: 0 };
}

/// Holders and claims of all entries. Only touched entries are cleared.
#[derive(Clone, Debug)]
pub(super) struct Claims {
    slots: Vec<Slot>,
    touched: Vec<Entry>,
    area: u32,
}

/// Marks a unit that has left an entry but holds it at this tick.
const TAIL: u32 = 1 << 31;

/// Who holds an entry now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holder {
    /// No unit.
    Nobody,
    /// A unit that is there.
    Body(u32),
    /// A unit that has just left, and holds the entry until this tick is over.
    Tail(u32),
}

/// The first bit of a side's byte.
#[inline]
fn lane(side: u8) -> u32 {
    u32::from(side & 3) * 8
}

impl Claims {
    pub(super) fn new(entries: usize) -> Self {
        Self { slots: vec![Slot::EMPTY; entries], touched: Vec::new(), area: 0 }
    }

    pub(super) fn entries(&self) -> usize {
        self.slots.len()
    }

    pub(super) fn clear(&mut self) {
        for entry in self.touched.drain(..) {
            self.slots[entry.get()] = Slot::EMPTY;
        }
    }

    #[inline]
    pub(super) fn now(&self, entry: Entry) -> Holder {
        match self.slots[entry.get()].now {
            NONE => Holder::Nobody,
            unit if unit & TAIL != 0 => Holder::Tail(unit & !TAIL),
            unit => Holder::Body(unit),
        }
    }

    /// The unit that is there, or [`NONE`].
    #[inline]
    pub(super) fn body(&self, entry: Entry) -> u32 {
        match self.now(entry) {
            Holder::Body(unit) => unit,
            _ => NONE,
        }
    }

    #[inline]
    pub(super) fn next(&self, entry: Entry) -> u32 {
        self.slots[entry.get()].next
    }

    #[inline]
    pub(super) fn wanted(&self, entry: Entry, side: u8) -> u32 {
        self.slots[entry.get()].wanted >> lane(side) & 0xff
    }

    /// The slot, which is cleared after the tick. `None`: there is no such entry.
    #[inline]
    fn touch(&mut self, entry: Entry) -> Option<&mut Slot> {
        let slot = self.slots.get_mut(entry.get())?;
        if slot.now == NONE && slot.next == NONE && slot.wanted == 0 && slot.area == 0 {
            self.touched.push(entry);
        }
        Some(slot)
    }

    #[inline]
    pub(super) fn hold_now(&mut self, entry: Entry, unit: u32) {
        if let Some(slot) = self.touch(entry) {
            slot.now = unit;
        }
    }

    /// Holds an entry that a unit has just left, unless another is there.
    pub(super) fn hold_tail(&mut self, entry: Entry, unit: u32) {
        if self.slots.get(entry.get()).is_some_and(|slot| slot.now == NONE) {
            self.hold_now(entry, unit | TAIL);
        }
    }

    /// Begins an area that is empty.
    pub(super) fn begin_area(&mut self) {
        self.area = self.area.wrapping_add(1).max(1);
    }

    /// Adds an entry to the area.
    pub(super) fn add_to_area(&mut self, entry: Entry) {
        let area = self.area;
        if let Some(slot) = self.touch(entry) {
            slot.area = area;
        }
    }

    #[inline]
    pub(super) fn is_in_area(&self, entry: Entry) -> bool {
        self.slots[entry.get()].area == self.area
    }

    /// Claims an entry unless another unit does.
    #[inline]
    pub(super) fn claim(&mut self, entry: Entry, unit: u32) {
        if let Some(slot) = self.touch(entry)
            && slot.next == NONE
        {
            slot.next = unit;
        }
    }

    /// Ends a unit's claim.
    #[inline]
    pub(super) fn release(&mut self, entry: Entry, unit: u32) {
        // An entry that is empty again is listed again when it is next written.
        let slot = &mut self.slots[entry.get()];
        if slot.next == unit {
            slot.next = NONE;
        }
    }

    #[inline]
    pub(super) fn want(&mut self, entry: Entry, side: u8) {
        if let Some(slot) = self.touch(entry)
            && slot.wanted >> lane(side) & 0xff < 0xff
        {
            slot.wanted += 1 << lane(side);
        }
    }
}
