//! Counts collision tests and, for experiments, makes each one costlier.
//!
//! In the paper a collision test calls a whole physics engine and costs far more than a node of
//! the search; ours takes a fraction of a microsecond. To compare with the paper, a test can be
//! given idle work that has no other effect.

use std::cell::Cell;
use std::hint::black_box;

/// Counts collision tests, and can add idle work to each.
///
/// ```
/// use throng_scene::CollisionMeter;
/// let meter = CollisionMeter::with_work(1000);
/// meter.record();
/// assert_eq!(meter.tests(), 1);
/// ```
#[derive(Clone, Debug, Default)]
pub struct CollisionMeter {
    tests: Cell<u64>,
    work_units: u32,
}

impl CollisionMeter {
    /// A meter that only counts.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A meter with which every test also does `work_units` units of idle work. A unit is a
    /// multiplication that waits for the one before: about a nanosecond.
    #[must_use]
    pub fn with_work(work_units: u32) -> Self {
        Self { tests: Cell::new(0), work_units }
    }

    /// How many tests there were.
    #[must_use]
    pub fn tests(&self) -> u64 {
        self.tests.get()
    }

    /// The idle work that a test does.
    #[must_use]
    pub fn work_units(&self) -> u32 {
        self.work_units
    }

    /// Starts to count from zero again.
    pub fn reset(&self) {
        self.tests.set(0);
    }

    /// Counts a test, and does its work. A [`crate::Ghost`] calls this by itself.
    pub fn record(&self) {
        self.tests.set(self.tests.get().wrapping_add(1));
        let mut state = self.tests.get();
        for _ in 0..self.work_units {
            state = black_box(state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1));
        }
    }
}
