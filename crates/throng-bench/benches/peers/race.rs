//! Measuring several sides in turn, so that a disturbance of the machine meets all of them.
#![expect(clippy::disallowed_types, reason = "a measurement needs a clock")]

use std::time::{Duration, Instant};

/// How long a piece of work takes.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begin = Instant::now();
    (work(), begin.elapsed())
}

/// Runs the sides in turn, round after round, each over all items. The fastest run of an
/// item counts: what else the machine does can only make it slower, and the shorter a run,
/// the likelier it is left alone. The sum over the items in seconds, side by side.
pub(crate) fn race<const N: usize>(
    rounds: u32,
    items: usize,
    mut sides: [&mut dyn FnMut(usize); N],
) -> [f64; N] {
    let mut best = [(); N].map(|()| vec![Duration::MAX; items]);
    for _ in 0..rounds {
        for (side, best) in sides.iter_mut().zip(&mut best) {
            for (item, best) in best.iter_mut().enumerate() {
                *best = timed(|| side(item)).1.min(*best);
            }
        }
    }
    best.map(|items| items.iter().sum::<Duration>().as_secs_f64())
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
