//! The page: its files are part of the binary.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::error::Refusal;

/// Every file of the page. `index.html` is served at `/`, all at `/page/NAME`.
const FILES: [(&str, &[u8]); 1] = [("index.html", include_bytes!("../page/index.html"))];

/// Scripts, styles and connections of this server only.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; \
                      img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A file of the page.
pub(crate) fn file(name: &str) -> Response {
    let found = FILES.iter().find(|(known, _)| *known == name);
    let Some((name, bytes)) = found else {
        return Refusal::missing(format!("no file {name:?}; the page is at /")).into_response();
    };
    let headers = [
        (header::CONTENT_TYPE, content_type(name)),
        (header::CACHE_CONTROL, "no-cache"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    (StatusCode::OK, headers, *bytes).into_response()
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        Some("png") => "image/png",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file that is not listed would be missing in the browser.
    #[test]
    fn every_file_of_the_page_is_listed() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("page");
        let mut names: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        let mut listed: Vec<&str> = FILES.iter().map(|file| file.0).collect();
        listed.sort_unstable();
        assert_eq!(names, listed);
    }
}
