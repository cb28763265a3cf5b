//! Cases on several threads, with the same results for any number of threads.

use super::{LabError, Progress};

/// Cases between two reports of progress. It does not depend on the number of threads, so that the
/// reports are the same too.
const BATCH: usize = 50;

/// Runs the cases `0..count` and returns their results in order. Each thread has memory of its own.
/// Of several errors, that of the first case is returned.
pub(crate) fn cases<M: Default, T: Send>(
    stage: &'static str,
    count: usize,
    threads: usize,
    progress: &mut dyn FnMut(Progress),
    work: impl Fn(&mut M, usize) -> Result<T, LabError> + Sync,
) -> Result<Vec<T>, LabError> {
    let mut results = Vec::with_capacity(count);
    progress(Progress { stage, done: 0, of: count });
    while results.len() < count {
        let batch = results.len()..count.min(results.len() + BATCH);
        let share = batch.len().div_ceil(threads.max(1));
        let parts = batch.clone().step_by(share).map(|from| from..batch.end.min(from + share));
        let part_of = |part: std::ops::Range<usize>| {
            let mut memory = M::default();
            part.map(|case| work(&mut memory, case)).collect::<Result<Vec<T>, LabError>>()
        };
        let done: Vec<_> = std::thread::scope(|scope| {
            let workers: Vec<_> = parts.map(|part| scope.spawn(|| part_of(part))).collect();
            workers.into_iter().map(|w| w.join().map_err(|_| LabError::Worker(stage))).collect()
        });
        for part in done {
            results.extend(part??);
        }
        progress(Progress { stage, done: results.len(), of: count });
    }
    Ok(results)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(count: usize, threads: usize) -> (Result<Vec<usize>, LabError>, Vec<Progress>) {
        let mut reports = Vec::new();
        let square = |_: &mut (), case: usize| Ok(case * case);
        let results = cases("squares", count, threads, &mut |p| reports.push(p), square);
        (results, reports)
    }

    #[test]
    fn results_come_in_order_for_any_number_of_threads() {
        for count in [0, 1, 49, 50, 51, 137] {
            let expected: Vec<usize> = (0..count).map(|case| case * case).collect();
            for threads in [0, 1, 2, 3, 64] {
                let (results, reports) = squares(count, threads);
                assert_eq!(results, Ok(expected.clone()), "{count} on {threads}");
                assert_eq!(reports, squares(count, 1).1);
                assert_eq!(reports.last().map(|report| report.done), Some(count));
            }
        }
    }

    #[test]
    fn the_first_error_is_returned() {
        let fail = |_: &mut (), case: usize| match case {
            60..=63 => Err(LabError::NoCase { stage: "s", case, tries: 1 }),
            _ => Ok(()),
        };
        let expected = Err(LabError::NoCase { stage: "s", case: 60, tries: 1 });
        for threads in [1, 2, 7] {
            assert_eq!(cases("s", 100, threads, &mut |_| {}, fail), expected);
        }
    }
}
