//! Accepts connections: a bounded number, each with a limit on how slowly it may ask.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tower_service::Service as _;

/// Most connections at a time. Further ones are closed at once.
pub(crate) const CONNECTIONS_MAX: usize = 768;
/// A client must send the head of its next request within this time.
const HEAD_WAIT: Duration = Duration::from_secs(20);
/// Most bytes of a request's head.
const HEAD_BYTES_MAX: usize = 32 << 10;
/// After an error of the listener, such as too many open files, the next attempt waits.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Accepts connections for ever.
pub(crate) async fn accept(listener: TcpListener, router: Router) {
    let places = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    loop {
        let Ok((stream, peer)) = listener.accept().await else {
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        // Without a place the stream is dropped, which closes the connection.
        if let Ok(place) = places.clone().try_acquire_owned() {
            tokio::spawn(serve(stream, peer, router.clone(), place));
        }
    }
}

async fn serve(stream: TcpStream, peer: SocketAddr, router: Router, place: OwnedSemaphorePermit) {
    // Frames are small and must not wait for each other.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        router.clone().call(request)
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_WAIT)
        .max_buf_size(HEAD_BYTES_MAX)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    // An error is a client that is gone or talks something else: there is no one to tell.
    let _ = connection.await;
    drop(place);
}
