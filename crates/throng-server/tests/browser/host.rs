//! A server of this crate that a test starts, stops and starts again.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

use throng_server::{Server, ServerOptions};

/// A running server; it stops when dropped.
pub(crate) struct Host {
    pub(crate) address: SocketAddr,
    stopped: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Host {
    pub(crate) fn start(options: &ServerOptions) -> Self {
        let server = Server::start(options).unwrap();
        let address = server.address();
        let stopped = Arc::new(AtomicBool::new(false));
        let stop = stopped.clone();
        let run = move || server.run(|| stop.load(Ordering::Relaxed)).unwrap();
        Self { address, stopped, thread: Some(std::thread::spawn(run)) }
    }

    /// A scenario with its own number of units.
    pub(crate) fn with(scenario: &str) -> Self {
        let mut options = ServerOptions::default();
        scenario.clone_into(&mut options.scenario);
        Self::start(&options)
    }

    pub(crate) fn url(&self, rest: &str) -> String {
        format!("http://{}/{rest}", self.address)
    }

    /// The body of an answer.
    pub(crate) fn get(&self, path: &str) -> Vec<u8> {
        let mut stream = TcpStream::connect(self.address).unwrap();
        let address = self.address;
        let head = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        answer.split_off(end + 4)
    }

    pub(crate) fn stop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
    }
}
