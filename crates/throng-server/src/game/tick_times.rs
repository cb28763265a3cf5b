//! How long the ticks of a game took, since it began: a histogram of fixed size.

use std::time::Duration;

/// Buckets per doubling of the duration: a quantile is exact to a sixteenth.
const PER_DOUBLING: u32 = 16;
const BUCKETS: usize = 33 * PER_DOUBLING as usize;

/// The durations of all ticks.
#[derive(Debug)]
pub(super) struct TickTimes {
    /// Ticks by duration.
    buckets: Vec<u64>,
    count: u64,
    longest_us: u32,
}

/// Milliseconds per tick, since the game began.
#[derive(Clone, Copy, Debug, Default, serde::Serialize)]
pub(crate) struct TickMilliseconds {
    /// The median.
    pub(crate) tick_ms_p50: f64,
    /// The 99th percentile.
    pub(crate) tick_ms_p99: f64,
    /// The longest.
    pub(crate) tick_ms_max: f64,
}

impl Default for TickTimes {
    fn default() -> Self {
        Self { buckets: vec![0; BUCKETS], count: 0, longest_us: 0 }
    }
}

impl TickTimes {
    pub(super) fn note(&mut self, took: Duration) {
        let took_us = u32::try_from(took.as_micros()).unwrap_or(u32::MAX);
        self.buckets[bucket(took_us)] += 1;
        self.count += 1;
        self.longest_us = self.longest_us.max(took_us);
    }

    pub(super) fn milliseconds(&self) -> TickMilliseconds {
        let milliseconds = |us: u32| f64::from(us) / 1e3;
        TickMilliseconds {
            tick_ms_p50: milliseconds(self.quantile_us(50)),
            tick_ms_p99: milliseconds(self.quantile_us(99)),
            tick_ms_max: milliseconds(self.longest_us),
        }
    }

    /// The upper end of the bucket in which a percentile is.
    fn quantile_us(&self, percent: u64) -> u32 {
        let mut left = (self.count * percent).div_ceil(100);
        for (index, ticks) in self.buckets.iter().enumerate() {
            if left <= *ticks && left > 0 {
                return upper_end_us(index as u32).min(self.longest_us);
            }
            left -= ticks;
        }
        0
    }
}

/// The bucket of a duration: which doubling, and which sixteenth of it.
fn bucket(us: u32) -> usize {
    if us < PER_DOUBLING {
        return us as usize;
    }
    let doubling = us.ilog2() - PER_DOUBLING.ilog2();
    (doubling * PER_DOUBLING + (us >> doubling)) as usize
}

fn upper_end_us(bucket: u32) -> u32 {
    if bucket < PER_DOUBLING {
        return bucket;
    }
    let doubling = bucket / PER_DOUBLING - 1;
    let end = (u64::from(PER_DOUBLING + bucket % PER_DOUBLING) + 1) << doubling;
    u32::try_from(end - 1).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_exact_to_a_sixteenth() {
        let mut times = TickTimes::default();
        for us in 1..=10_000 {
            times.note(Duration::from_micros(us));
        }
        let TickMilliseconds { tick_ms_p50, tick_ms_p99, tick_ms_max } = times.milliseconds();
        assert!((5.0..=5.0 * 17.0 / 16.0).contains(&tick_ms_p50), "{tick_ms_p50}");
        assert!((9.9..=10.0).contains(&tick_ms_p99), "{tick_ms_p99}");
        assert!((tick_ms_max - 10.0).abs() < 1e-9);
        times.note(Duration::from_secs(1 << 40));
        assert!((times.milliseconds().tick_ms_max - f64::from(u32::MAX) / 1e3).abs() < 1e-6);
    }

    #[test]
    fn every_duration_is_in_its_bucket() {
        for us in (0..5_000).chain([1 << 20, u32::MAX - 1, u32::MAX]) {
            let bucket = bucket(us) as u32;
            assert!(us <= upper_end_us(bucket), "{us}");
            assert!(bucket == 0 || us > upper_end_us(bucket - 1), "{us}");
        }
        assert!(bucket(u32::MAX) < BUCKETS);
    }
}
