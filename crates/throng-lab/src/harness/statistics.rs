//! Mean, median and percentiles.

/// A summary of numbers. Without numbers, all fields are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Summary {
    pub(crate) mean: f64,
    pub(crate) median: f64,
    /// The 95th percentile.
    pub(crate) p95: f64,
}

impl Summary {
    pub(crate) fn of(values: impl Iterator<Item = f64>) -> Self {
        let mut sorted: Vec<f64> = values.collect();
        sorted.sort_unstable_by(f64::total_cmp);
        Self {
            mean: mean(sorted.iter().copied()),
            median: percentile(&sorted, 50),
            p95: percentile(&sorted, 95),
        }
    }
}

pub(crate) fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    if count > 0.0 { sum / count } else { 0.0 }
}

/// The mean, and the ends of its 95% confidence interval over independent values.
pub(crate) fn interval(values: &[f64]) -> (f64, f64, f64) {
    let (count, middle) = (values.len() as f64, mean(values.iter().copied()));
    let squares: f64 = values.iter().map(|value| (value - middle).powi(2)).sum();
    let error = if count > 1.0 { 1.96 * (squares / (count - 1.0) / count).sqrt() } else { 0.0 };
    (middle, middle - error, middle + error)
}

/// The given percentile of sorted values, by the nearest-rank method.
pub(crate) fn percentile(sorted: &[f64], percent: usize) -> f64 {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or(0.0)
}

/// The cumulative distribution: each value in order, and the percentage that is no larger.
pub(crate) fn cumulative(values: impl Iterator<Item = f64>) -> Vec<(f64, f64)> {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let percent = |rank: usize| (rank + 1) as f64 * 100.0 / sorted.len() as f64;
    sorted.iter().enumerate().map(|(rank, &value)| (value, percent(rank))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_says_where_the_numbers_lie() {
        let summary = Summary::of((1..=100).rev().map(f64::from));
        assert_eq!(summary, Summary { mean: 50.5, median: 50.0, p95: 95.0 });
        assert_eq!(Summary::of([7.0].into_iter()), Summary { mean: 7.0, median: 7.0, p95: 7.0 });
        assert_eq!(Summary::of([].into_iter()), Summary::default());
    }

    #[test]
    fn an_interval_is_around_the_mean() {
        let (mean, low, high) = interval(&[1.0, 2.0, 3.0]);
        let error = 1.96 / 3.0_f64.sqrt();
        assert!((mean - 2.0).abs() < 1e-9 && (mean - low - error).abs() < 1e-9);
        assert!((high - mean - error).abs() < 1e-9);
        assert_eq!(interval(&[7.0]), (7.0, 7.0, 7.0));
    }

    #[test]
    fn a_distribution_ends_with_all() {
        assert_eq!(cumulative([4.0, 2.0].into_iter()), [(2.0, 50.0), (4.0, 100.0)]);
        assert_eq!(cumulative([].into_iter()), []);
    }
}
