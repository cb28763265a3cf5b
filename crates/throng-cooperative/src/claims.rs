//! Which unit holds which entry at which tick: a hash table made for it.

use throng_spacetime::Entry;

use crate::reservations::Claim;

const EMPTY: u64 = u64::MAX;

/// Claims by entry and tick. Linear probing, and removal closes the gap, so that nothing is
/// left behind by the millions of claims that come and go.
#[derive(Clone, Debug, Default)]
pub(crate) struct Claims {
    /// A power of two of them, at most half of them used.
    slots: Vec<(u64, Claim)>,
    len: usize,
}

fn key(entry: Entry, tick: u32) -> u64 {
    u64::from(entry.0) << 32 | u64::from(tick)
}

impl Claims {
    #[inline]
    fn home(&self, key: u64) -> usize {
        let mixed = (key ^ key >> 29).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 32) as usize & (self.slots.len() - 1)
    }

    #[inline]
    fn place(&self, key: u64) -> usize {
        let mut at = self.home(key);
        while self.slots[at].0 != key && self.slots[at].0 != EMPTY {
            at = (at + 1) & (self.slots.len() - 1);
        }
        at
    }

    #[inline]
    pub(crate) fn get(&self, entry: Entry, tick: u32) -> Option<Claim> {
        if self.slots.is_empty() {
            return None;
        }
        let (found, claim) = self.slots[self.place(key(entry, tick))];
        (found != EMPTY).then_some(claim)
    }

    pub(crate) fn insert(&mut self, entry: Entry, tick: u32, claim: Claim) {
        if self.len * 2 >= self.slots.len() {
            self.grow();
        }
        let key = key(entry, tick);
        let at = self.place(key);
        self.len += usize::from(self.slots[at].0 == EMPTY);
        self.slots[at] = (key, claim);
    }

    pub(crate) fn remove(&mut self, entry: Entry, tick: u32) {
        if self.slots.is_empty() {
            return;
        }
        let mask = self.slots.len() - 1;
        let mut gap = self.place(key(entry, tick));
        if self.slots[gap].0 == EMPTY {
            return;
        }
        self.len -= 1;
        let mut at = (gap + 1) & mask;
        while self.slots[at].0 != EMPTY {
            // An entry that would be nearer to its home slot in the gap moves there.
            let home = self.home(self.slots[at].0);
            if at.wrapping_sub(home) & mask >= at.wrapping_sub(gap) & mask {
                self.slots[gap] = self.slots[at];
                gap = at;
            }
            at = (at + 1) & mask;
        }
        self.slots[gap].0 = EMPTY;
    }

    #[cold]
    fn grow(&mut self) {
        let larger = (self.slots.len() * 2).max(64);
        let old = std::mem::replace(&mut self.slots, vec![(EMPTY, Claim::NONE); larger]);
        for slot in old.into_iter().filter(|&(key, _)| key != EMPTY) {
            let at = self.place(slot.0);
            self.slots[at] = slot;
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// All claims, in no order that means anything.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Entry, u32, Claim)> {
        let used = self.slots.iter().filter(|&&(key, _)| key != EMPTY);
        used.map(|&(key, claim)| (Entry((key >> 32) as u32), key as u32, claim))
    }
}
