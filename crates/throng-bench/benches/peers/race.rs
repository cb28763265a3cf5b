//! Measuring several sides in turn, so that a disturbance of the machine meets all of them.
#![expect(clippy::disallowed_types, reason = "a measurement needs a clock")]

use std::time::{Duration, Instant};

/// How long a piece of work takes.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begin = Instant::now();
    (work(), begin.elapsed())
}

/// Runs the sides in turn, round after round. The fastest round of each side counts: what
/// else the machine does can only make a round slower. In seconds.
pub(crate) fn race<const N: usize>(rounds: u32, mut sides: [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut best = [f64::INFINITY; N];
    for _ in 0..rounds {
        for (side, best) in sides.iter_mut().zip(&mut best) {
            *best = best.min(timed(side).1.as_secs_f64());
        }
    }
    best
}

/// The mean of ratios.
pub(crate) fn geometric_mean(ratios: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) =
        ratios.fold((0.0, 0_u32), |(sum, count), ratio| (sum + ratio.ln(), count + 1));
    (sum / f64::from(count.max(1))).exp()
}

/// A measured ratio beside the one required.
pub(crate) fn verdict(met: bool) -> &'static str {
    if met { "met" } else { "MISSED" }
}
