//! Cases on several threads, with the same results for any number of threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use super::LabError;

/// Runs the cases `0..count` and returns their results in order. Each thread has memory of its own
/// and takes the next case when it is done with one. `finished` hears of each case as it ends, in
/// any order. Of several errors, that of the first case is returned.
pub(crate) fn cases<M: Default, T: Send>(
    stage: &'static str,
    count: usize,
    threads: usize,
    mut finished: impl FnMut(usize, &T),
    work: impl Fn(&mut M, usize) -> Result<T, LabError> + Sync,
) -> Result<Vec<T>, LabError> {
    let next = AtomicUsize::new(0);
    let mut results: Vec<Option<T>> = (0..count).map(|_| None).collect();
    let mut first_error: Option<(usize, LabError)> = None;
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        let workers: Vec<_> = (0..threads.clamp(1, count.max(1)))
            .map(|_| {
                let (sender, next, work) = (sender.clone(), &next, &work);
                scope.spawn(move || {
                    let mut memory = M::default();
                    loop {
                        let case = next.fetch_add(1, Ordering::Relaxed);
                        if case >= count || sender.send((case, work(&mut memory, case))).is_err() {
                            return;
                        }
                    }
                })
            })
            .collect();
        drop(sender);
        for (case, result) in receiver {
            match result {
                Ok(result) => {
                    finished(case, &result);
                    results[case] = Some(result);
                }
                Err(error) => {
                    // Cases before this one have begun; no later one begins.
                    next.store(count, Ordering::Relaxed);
                    if first_error.as_ref().is_none_or(|(first, _)| case < *first) {
                        first_error = Some((case, error));
                    }
                }
            }
        }
        workers
            .into_iter()
            .try_for_each(|worker| worker.join().map_err(|_| LabError::Worker(stage)))
    })?;
    match first_error {
        Some((_, error)) => Err(error),
        None => Ok(results.into_iter().flatten().collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn squares(count: usize, threads: usize) -> (Result<Vec<usize>, LabError>, Vec<usize>) {
        let mut heard = Vec::new();
        let square = |_: &mut (), case: usize| Ok(case * case);
        let results = cases("squares", count, threads, |case, _| heard.push(case), square);
        heard.sort_unstable();
        (results, heard)
    }

    #[test]
    fn results_come_in_order_for_any_number_of_threads() {
        for count in [0, 1, 49, 50, 51, 137] {
            let expected: Vec<usize> = (0..count).map(|case| case * case).collect();
            for threads in [0, 1, 2, 3, 64] {
                let (results, heard) = squares(count, threads);
                assert_eq!(results, Ok(expected.clone()), "{count} on {threads}");
                assert_eq!(heard, (0..count).collect::<Vec<_>>());
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
            assert_eq!(cases("s", 100, threads, |_, _| {}, fail), expected);
        }
    }
}
