//! Measures several sides in turn, so that a disturbance of the machine affects all of them.
#![expect(clippy::disallowed_types, reason = "a measurement needs a clock")]

use std::time::{Duration, Instant};

/// The result of some work, and the time that it took.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begin = Instant::now();
    (work(), begin.elapsed())
}

/// Runs the sides in turn for a number of rounds, each over all items. Returns, for each side,
/// the sum over the items of their fastest runs in seconds: other load on the machine can only
/// make a run slower.
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

/// The geometric mean of ratios.
pub(crate) fn geometric_mean(ratios: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) =
        ratios.fold((0.0, 0_u32), |(sum, count), ratio| (sum + ratio.ln(), count + 1));
    (sum / f64::from(count.max(1))).exp()
}

/// Whether a requirement is met, as a word.
pub(crate) fn verdict(met: bool) -> &'static str {
    if met { "met" } else { "MISSED" }
}
