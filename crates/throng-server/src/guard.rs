//! Who may ask, and how often.
//!
//! A page of any site can make the browser of a user send requests to this server. Two headers that
//! such a page cannot forge stop it: `Origin` (the page's site) and `Host` (which is a foreign name
//! if such a name was made to lead here). What cannot be read is refused. A server that other
//! machines can reach has a token besides.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use subtle::ConstantTimeEq as _;

use crate::error::Refusal;
use crate::limiter::Bucket;
use crate::options::{BODY_BYTES_MAX, ServerOptions};
use crate::server::Shared;

/// The cookie that holds the token in browsers.
const COOKIE: &str = "throng_token";
/// Requests at once and address, in seconds of the rate that is set.
const REQUESTS_AT_ONCE_SECONDS: f64 = 2.0;
/// The part of them that may take long: plans, worlds, uploads; and how many of those at once, in
/// seconds of their rate.
const HEAVY_PART: f64 = 0.004;
const HEAVY_AT_ONCE_SECONDS: f64 = 5.0;
/// Bytes of bodies per second and address, and at once: what a request makes the server do grows
/// with them.
const BYTES_PER_SECOND: f64 = 16e6;
const BYTES_AT_ONCE: f64 = 128e6;
/// Most addresses whose requests are counted.
const CLIENTS_MAX: usize = 4_096;
/// A request that is not answered within this time is given up.
const ANSWER_WAIT: Duration = Duration::from_secs(60);

/// The names under which the server may be asked, its token, and the counts of requests.
pub(crate) struct Guard {
    port: u16,
    hosts: Vec<String>,
    /// Whether the server listens at every address of the machine.
    is_everywhere: bool,
    token: Option<String>,
    requests_per_second: f64,
    clients: Mutex<BTreeMap<IpAddr, Client>>,
}

#[derive(Clone, Copy)]
struct Client {
    requests: Bucket,
    heavy: Bucket,
    bytes: Bucket,
}

impl Guard {
    pub(crate) fn new(address: SocketAddr, options: &ServerOptions) -> Self {
        let mut hosts = options.hosts.clone();
        hosts.extend(["localhost", "127.0.0.1", "[::1]"].map(str::to_owned));
        if let Some((name, _)) = address.to_string().rsplit_once(':') {
            hosts.push(name.to_owned());
        }
        Self {
            port: address.port(),
            hosts,
            is_everywhere: address.ip().is_unspecified(),
            token: options.token.clone(),
            requests_per_second: options.requests_per_second,
            clients: Mutex::default(),
        }
    }

    /// Whether a host, with its port, is this server.
    fn knows(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
            _ => (host, Some(80)),
        };
        // No foreign name can be made to lead here under an address.
        let is_address = || name.trim_matches(['[', ']']).parse::<IpAddr>().is_ok();
        let is_own = self.hosts.iter().any(|known| known.eq_ignore_ascii_case(name));
        port == Some(self.port) && (is_own || self.is_everywhere && is_address())
    }

    /// Refuses what comes from elsewhere.
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
        if !site.is_some_and(|site| site.eq_ignore_ascii_case(host)) {
            return forbidden(format!("pages of {origin:?} may not use this server"));
        }
        Ok(())
    }

    /// Whether the request shows the token, if there is one.
    fn is_trusted(&self, headers: &HeaderMap) -> bool {
        let Some(token) = &self.token else { return true };
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or("");
        let bearer = text(header::AUTHORIZATION).strip_prefix("Bearer ");
        let cookies = text(header::COOKIE).split("; ");
        let cookie = cookies.filter_map(|cookie| cookie.split_once('=')).find(|it| it.0 == COOKIE);
        let shown = bearer.or(cookie.map(|it| it.1)).unwrap_or("");
        is_equal(shown, token)
    }

    /// Counts a request of an address; whether it is within the limits.
    fn count(&self, address: IpAddr, is_heavy: bool, bytes: f64) -> bool {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if clients.len() >= CLIENTS_MAX && !clients.contains_key(&address) {
            clients.clear();
        }
        let rate = self.requests_per_second;
        let client = clients.entry(address).or_insert_with(|| Client {
            requests: Bucket::new(rate, rate * REQUESTS_AT_ONCE_SECONDS),
            heavy: Bucket::new(rate * HEAVY_PART, rate * HEAVY_PART * HEAVY_AT_ONCE_SECONDS),
            bytes: Bucket::new(BYTES_PER_SECOND, BYTES_AT_ONCE),
        });
        client.requests.take(1.0)
            && (!is_heavy || client.heavy.take(1.0))
            && client.bytes.take(bytes)
    }

    /// The page opened with the token in its address: the browser keeps it as a cookie.
    fn accept_token(&self, request: &Request) -> Option<Response> {
        let page = ["/", "/play"].into_iter().find(|page| *page == request.uri().path())?;
        let token = self.token.as_ref()?;
        let mut fields = request.uri().query()?.split('&');
        let shown = fields.find_map(|field| field.strip_prefix("token="))?;
        if !is_equal(shown, token) {
            return None;
        }
        let cookie = format!("{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/");
        let mut response = Redirect::to(page).into_response();
        response.headers_mut().insert(header::SET_COOKIE, HeaderValue::from_str(&cookie).ok()?);
        Some(response)
    }
}

/// Compares in a time that does not depend on how much is equal.
fn is_equal(shown: &str, token: &str) -> bool {
    shown.as_bytes().ct_eq(token.as_bytes()).into()
}

/// The bytes of a request's body. A length that is not said counts as the longest.
fn body_bytes(request: &Request) -> f64 {
    if [Method::GET, Method::HEAD, Method::DELETE].contains(request.method()) {
        return 0.0;
    }
    let length = request.headers().get(header::CONTENT_LENGTH);
    let length = length.and_then(|length| length.to_str().ok()?.parse().ok());
    length.unwrap_or(BODY_BYTES_MAX).min(BODY_BYTES_MAX) as f64
}

/// Whether a request makes the server work for long.
fn is_heavy(request: &Request) -> bool {
    let path = request.uri().path();
    let named =
        ["/v1/plan", "/v1/worlds", "/v1/maps", "/v1/recordings", "/v1/replays", "/v1/games"]
            .contains(&path);
    let is_long = ["/restore", "/tick"].iter().any(|end| path.ends_with(end));
    request.method() == Method::POST && (named || is_long)
}

/// Every request passes here first.
pub(crate) async fn check(
    State(shared): State<Shared>,
    request: Request,
    next: Next,
) -> Result<Response, Refusal> {
    let guard = &shared.guard;
    guard.judge(request.headers(), request.uri())?;
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let address = peer.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |peer| peer.0.ip());
    if !guard.count(address, is_heavy(&request), body_bytes(&request)) {
        let message = "too many requests per second; send fewer, or use batches";
        return Err(Refusal::new(StatusCode::TOO_MANY_REQUESTS, message));
    }
    if request.uri().path() != "/healthz" && !guard.is_trusted(request.headers()) {
        let refused = || {
            let message = "show the token: Authorization: Bearer TOKEN, or open /?token=TOKEN";
            Refusal::new(StatusCode::UNAUTHORIZED, message)
        };
        return guard.accept_token(&request).ok_or_else(refused);
    }
    match tokio::time::timeout(ANSWER_WAIT, next.run(request)).await {
        Ok(response) => Ok(response),
        Err(_) => Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, "the request took too long")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(listen: &str, host: &str, origin: Option<&str>) -> bool {
        let guard = Guard::new(listen.parse().unwrap(), &ServerOptions::default());
        let mut headers = HeaderMap::new();
        headers.insert(header::HOST, host.parse().unwrap());
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, origin.parse().unwrap());
        }
        guard.judge(&headers, &Uri::from_static("/")).is_ok()
    }

    #[test]
    fn other_sites_are_refused() {
        let own = "127.0.0.1:8080";
        assert!(judged(own, own, None) && judged("[::1]:8080", "[::1]:8080", None));
        assert!(judged(own, "LocalHost:8080", Some("http://localhost:8080")));
        for host in
            ["evil.example:8080", "localhost", "127.0.0.1:80", "10.0.0.1:8080", "", ":", "[:"]
        {
            assert!(!judged(own, host, None), "{host}");
        }
        let origins = [
            "null",
            "http://evil.example",
            "http://localhost",
            "localhost:8080",
            "",
            "http://127.0.0.1:8080",
        ];
        for origin in origins {
            assert!(!judged(own, "localhost:8080", Some(origin)), "{origin}");
        }
        assert!(
            judged("0.0.0.0:80", "10.0.0.1", None) && !judged("0.0.0.0:80", "evil.example", None)
        );
    }

    #[test]
    fn the_token_is_needed_and_compared_whole() {
        let options =
            ServerOptions { token: Some("secret".to_owned()), ..ServerOptions::default() };
        let guard = Guard::new(([127, 0, 0, 1], 1).into(), &options);
        let trusted = |name: header::HeaderName, value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(name, value.parse().unwrap());
            guard.is_trusted(&headers)
        };
        assert!(trusted(header::AUTHORIZATION, "Bearer secret"));
        assert!(trusted(header::COOKIE, "a=b; throng_token=secret"));
        for wrong in ["Bearer secre", "Bearer secrets", "secret", "Bearer ", "bearer secret"] {
            assert!(!trusted(header::AUTHORIZATION, wrong), "{wrong}");
        }
        assert!(!trusted(header::COOKIE, "throng_token=") && !guard.is_trusted(&HeaderMap::new()));
    }

    #[test]
    fn addresses_are_counted_within_bounds() {
        let guard = Guard::new(([127, 0, 0, 1], 1).into(), &ServerOptions::default());
        let address = IpAddr::V4(Ipv4Addr::LOCALHOST);
        let heavy = (0..1_000).filter(|_| guard.count(address, true, 0.0)).count();
        assert!((100..150).contains(&heavy), "{heavy}");
        for number in 0..20_000_u32 {
            guard.count(IpAddr::V4(Ipv4Addr::from(number)), false, 0.0);
        }
        assert!(guard.clients.lock().unwrap().len() <= CLIENTS_MAX);
    }
}
