//! The page: its files are part of the binary.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::error::Refusal;

/// Pairs of a name and the bytes of that file in the folder `page`.
macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("../page/", $name)))),*]
    };
}

/// Every file of the page. `index.html` is served at `/`, all at `/page/NAME`.
const FILES: &[(&str, &[u8])] = files![
    "address.js",
    "api.js",
    "app.js",
    "camera.js",
    "clock.js",
    "dom.js",
    "draw_2d.js",
    "draw_gl.js",
    "files.js",
    "formation.js",
    "gl.js",
    "ground_pass.js",
    "help.js",
    "history.js",
    "hud.js",
    "icons.js",
    "index.html",
    "inspector.js",
    "instances.js",
    "interest.js",
    "keys.js",
    "layer_colours.js",
    "link.js",
    "loop.js",
    "main.js",
    "marks.js",
    "minimap.js",
    "orders.js",
    "overlays.js",
    "palette.js",
    "pane.js",
    "panel.js",
    "past_edits.js",
    "play.css",
    "play.html",
    "play_actions.js",
    "play_board.js",
    "play_draw.js",
    "play_help.js",
    "play_input.js",
    "play_interest.js",
    "play_join.js",
    "play_main.js",
    "play_minimap.js",
    "play_protocol.js",
    "play_scene.js",
    "play_shapes.js",
    "play_state.js",
    "play_tokens.js",
    "planners.js",
    "plots.js",
    "pointing.js",
    "protocol.js",
    "recording.js",
    "scenarios.js",
    "selection.js",
    "shaders.js",
    "strokes.js",
    "style.css",
    "terrain_map.js",
    "theme.js",
    "timebar.js",
    "toast.js",
    "tools.js",
    "tour.js",
    "unit_pass.js",
    "units.js",
    "worlds.js",
];

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

    #[test]
    fn every_module_says_what_it_is_for() {
        for (name, bytes) in FILES.iter().filter(|file| file.0.ends_with(".js")) {
            assert!(bytes.starts_with(b"/**"), "{name} begins with a comment: what is it for?");
        }
    }

    /// The page asks its own server only; the policy would stop it otherwise.
    #[test]
    fn the_page_names_no_other_host() {
        for (name, bytes) in FILES {
            let text = std::str::from_utf8(bytes).unwrap();
            let hosts =
                text.match_indices("://").map(|(at, _)| &text[at..(at + 20).min(text.len())]);
            let foreign: Vec<_> = hosts
                .filter(|host| !host.starts_with("://www.w3.org") && !host.starts_with("://${"))
                .collect();
            assert!(foreign.is_empty(), "{name}: {foreign:?}");
        }
    }
}
