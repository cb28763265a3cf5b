//! The clock: the only file of the server that reads it. Time decides when a world ticks, never
//! what happens in a tick.
#![expect(clippy::disallowed_types, reason = "the server is an edge: worlds tick at a set rate")]

use std::time::{Duration, Instant};

/// A moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Moment(Instant);

impl Moment {
    pub(crate) fn now() -> Self {
        Self(Instant::now())
    }

    pub(crate) fn elapsed(self) -> Duration {
        self.0.elapsed()
    }

    pub(crate) fn after(self, wait: Duration) -> Self {
        Self(self.0 + wait)
    }

    /// The time from another moment until this one; none if that is later.
    pub(crate) fn since(self, other: Self) -> Duration {
        self.0.saturating_duration_since(other.0)
    }

    /// The time that is left until this moment.
    pub(crate) fn wait(self) -> Duration {
        self.since(Self::now())
    }
}
