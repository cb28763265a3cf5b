//! Who may ask: requests from pages of other sites are refused.
//!
//! A page of any site can make the browser of a user send requests to loopback. Two headers that
//! such a page cannot forge stop it: `Origin` (the page's site) and `Host` (which differs from the
//! server's own names when a foreign name was made to lead here).

use std::net::SocketAddr;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::Response;

use crate::error::Refusal;
use crate::server::Shared;

/// The names and ports under which the server may be asked.
pub(crate) struct Guard {
    hosts: Vec<String>,
}

impl Guard {
    pub(crate) fn new(address: SocketAddr) -> Self {
        let port = address.port();
        let names = ["localhost", "127.0.0.1", "[::1]"];
        let mut hosts: Vec<String> = names.iter().map(|name| format!("{name}:{port}")).collect();
        hosts.push(address.to_string());
        if port == 80 {
            hosts.extend(names.map(str::to_owned));
        }
        Self { hosts }
    }

    fn knows(&self, host: &str) -> bool {
        self.hosts.iter().any(|known| known.eq_ignore_ascii_case(host))
    }

    /// Refuses what comes from elsewhere. What cannot be read is refused too.
    fn judge(&self, headers: &HeaderMap, uri: &Uri) -> Result<(), Refusal> {
        let forbidden = |message: String| Err(Refusal::new(StatusCode::FORBIDDEN, message));
        let host = headers.get(header::HOST).map(|host| host.to_str().unwrap_or(""));
        let host = host.or(uri.authority().map(|authority| authority.as_str())).unwrap_or("");
        if !self.knows(host) {
            return forbidden(format!("the host {host:?} is not this server; use its own address"));
        }
        let Some(origin) = headers.get(header::ORIGIN) else { return Ok(()) };
        let origin = origin.to_str().unwrap_or("");
        let site = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
        if !site.is_some_and(|site| self.knows(site)) {
            return forbidden(format!("pages of {origin:?} may not use this server"));
        }
        Ok(())
    }
}

/// Every request passes here first.
pub(crate) async fn check(
    State(shared): State<Shared>,
    request: Request,
    next: Next,
) -> Result<Response, Refusal> {
    shared.guard.judge(request.headers(), request.uri())?;
    Ok(next.run(request).await)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(host: &str, origin: Option<&str>) -> bool {
        let guard = Guard::new(([127, 0, 0, 1], 8080).into());
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        guard.judge(&headers, &Uri::from_static("/")).is_ok()
    }

    #[test]
    fn other_sites_are_refused() {
        assert!(judged("127.0.0.1:8080", None));
        assert!(judged("LocalHost:8080", Some("http://localhost:8080")));
        for host in ["evil.example:8080", "localhost", "127.0.0.1:80", ""] {
            assert!(!judged(host, None), "{host}");
        }
        let origins = ["null", "http://evil.example", "http://localhost", "localhost:8080", ""];
        for origin in origins {
            assert!(!judged("localhost:8080", Some(origin)), "{origin}");
        }
    }
}
