//! Passes over all units, on several threads.
//!
//! Slots are divided into shares of a fixed size, and what is found in them is put together in
//! the order of the slots. So the number of threads changes nothing.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Slots that a thread takes at once. A thread costs about as much as a pass over so many.
const SLOTS_PER_SHARE: usize = 4096;

/// What a pass finds in each share of so many slots, by slot.
pub(crate) fn by_shares<T: Send>(
    threads: usize,
    slots: usize,
    find: impl Fn(Range<usize>) -> T + Sync,
) -> Vec<T> {
    let shares = slots.div_ceil(SLOTS_PER_SHARE);
    let range = |share: usize| {
        let first = share * SLOTS_PER_SHARE;
        first..(first + SLOTS_PER_SHARE).min(slots)
    };
    if threads <= 1 || shares <= 1 {
        return (0..shares).map(|share| find(range(share))).collect();
    }
    let mut found: Vec<Option<T>> = (0..shares).map(|_| None).collect();
    let rest = Mutex::new(found.iter_mut().enumerate());
    let work = || {
        let next = || rest.lock().unwrap_or_else(PoisonError::into_inner).next();
        while let Some((share, found)) = next() {
            *found = Some(find(range(share)));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(shares) {
            scope.spawn(work);
        }
        work();
    });
    found.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_change_nothing() {
        for slots in [0, 1, SLOTS_PER_SHARE, 3 * SLOTS_PER_SHARE + 7] {
            let found = |threads| by_shares(threads, slots, |share| share.collect::<Vec<_>>());
            let all: Vec<usize> = (0..slots).collect();
            assert_eq!(found(1).concat(), all);
            assert_eq!(found(2), found(1));
            assert_eq!(found(8), found(1));
        }
    }
}
