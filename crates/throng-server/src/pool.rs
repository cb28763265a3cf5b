//! Work that takes the processor for long runs here, never on the threads that serve connections.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Semaphore;

use crate::error::Refusal;

/// Most pieces of work that wait for a thread.
const WAITING_MAX: usize = 64;

/// A bounded number of threads for work, and a bounded queue before them.
#[derive(Clone)]
pub(crate) struct Pool {
    threads: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
}

/// Counts a piece of work as waiting until it is dropped.
struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Pool {
    pub(crate) fn new() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Self { threads: Arc::new(Semaphore::new(threads)), waiting: Arc::default() }
    }

    /// Runs the work on a thread of the pool. It must be bounded by itself: it is not stopped.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= WAITING_MAX {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            return Err(Refusal::busy(format!("{WAITING_MAX} queries wait; try again later")));
        }
        let waiting = Waiting(&self.waiting);
        let failed = || Refusal::busy("the server stops");
        let permit = self.threads.clone().acquire_owned().await.map_err(|_| failed())?;
        drop(waiting);
        let done = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(permit);
            done
        });
        // A panic in the work is a bug; the other requests go on.
        let crashed = |_| {
            let status = axum::http::StatusCode::INTERNAL_SERVER_ERROR;
            Refusal::new(status, "the query failed by a bug of throng; please report it")
        };
        done.await.map_err(crashed)?
    }
}
