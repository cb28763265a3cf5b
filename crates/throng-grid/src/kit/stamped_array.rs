//! An array that is emptied without being cleared.

/// Values by index, of which a search forgets all in one step.
///
/// Each value lies beside the stamp of the search that wrote it; one with an older stamp
/// counts as absent. [`begin`](Self::begin) takes constant time, but for the first search,
/// another length, and one search in 2^32.
///
/// ```
/// use throng_grid::kit::StampedArray;
/// let mut array = StampedArray::default();
/// array.begin(10);
/// array.set(3, 'a');
/// assert_eq!((array.get(3), array.get(4)), (Some('a'), None));
/// array.begin(10);
/// assert_eq!(array.get(3), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct StampedArray<T> {
    entries: Vec<(u32, T)>,
    /// Never 0 once begun: that is the stamp of a cleared entry.
    stamp: u32,
}

impl<T: Copy + Default> StampedArray<T> {
    /// Forgets all values, for a search over this many indices.
    pub fn begin(&mut self, len: usize) {
        if self.entries.len() != len || self.stamp == u32::MAX {
            self.entries.clear();
            self.entries.resize(len, (0, T::default()));
            self.stamp = 0;
        }
        self.stamp += 1;
    }

    /// The value at an index, if this search has set one.
    ///
    /// # Panics
    /// When the index is not below the length, as for a slice.
    #[inline]
    #[must_use]
    pub fn get(&self, at: usize) -> Option<T> {
        let (stamp, value) = self.entries[at];
        (stamp == self.stamp).then_some(value)
    }

    /// Sets the value at an index.
    ///
    /// # Panics
    /// When the index is not below the length, as for a slice.
    #[inline]
    pub fn set(&mut self, at: usize, value: T) {
        self.entries[at] = (self.stamp, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_search_sees_nothing_of_the_old_ones() {
        let mut array = StampedArray::default();
        for round in 0..100_u64 {
            array.begin(3 + round as usize / 50);
            assert_eq!(array.get(1), None);
            array.set(1, round);
            assert_eq!((array.get(0), array.get(1)), (None, Some(round)));
        }
    }

    #[test]
    fn stamps_begin_again_when_they_run_out() {
        let mut array = StampedArray::default();
        array.begin(2);
        array.set(0, 5);
        array.stamp = u32::MAX - 1;
        array.begin(2);
        array.set(1, 6);
        array.begin(2);
        assert_eq!((array.stamp, array.get(0), array.get(1)), (1, None, None));
    }
}
