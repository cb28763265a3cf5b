//! How fast the page draws, as it measures itself. Figures are printed, not judged: they depend on
//! the machine.
//!
//! `THRONG_PAGE_SECONDS=10 cargo test --release -p throng-server --test browser speed -- --nocapture`
#![expect(clippy::disallowed_methods, reason = "a test that is told how long")]
#![expect(clippy::print_stdout, reason = "figures are printed")]

use std::time::Duration;

use throng::model::{Cell, Map};
use throng_server::ServerOptions;

use crate::browser::Browser;
use crate::host::Host;

/// A map with blocks of walls.
fn blocks(side: u32) -> Map {
    let mut map = Map::empty(side, side).unwrap();
    let is_block = |cell: &Cell| cell.x % 32 < 8 && cell.y % 32 < 8;
    let walls: Vec<Cell> = map.cells().filter(is_block).collect();
    map.paint(&walls, Map::WALL).unwrap();
    map
}

/// What is measured, and what is done before. The past is played while the world rests, so that the
/// server does not take the processor.
const VIEWS: [(&str, &str); 3] = [
    ("live", "throng.fit()"),
    (
        "live, at 8 pixels per cell",
        "throng.moveCamera(throng.pane, (camera) => { camera.scale = 8; camera.moveTo(camera.world.width / 2, camera.world.height / 2); })",
    ),
    (
        "the past",
        "throng.fit(), throng.broadcast('pause'), throng.pane.clock.seek(throng.pane.history.first), throng.pane.clock.playing = true",
    ),
];

fn check(units: u32, side: u32, tick_hz: f64) {
    let Some(browser) = Browser::start() else { return };
    let host = Host::start(&ServerOptions {
        map: Some((format!("{side} x {side}"), blocks(side))),
        units: Some(units),
        tick_hz,
        ..ServerOptions::default()
    });
    browser.open(&host.url(""));
    browser.press("`");
    browser.wait("the server says how it is", "throng.pane.status");
    let seconds = std::env::var("THRONG_PAGE_SECONDS").ok().and_then(|text| text.parse().ok());
    for (view, prepare) in VIEWS {
        browser.value(&format!("void ({prepare})"));
        browser.value("void throngMeter.reset()");
        std::thread::sleep(Duration::from_secs(seconds.unwrap_or(1)));
        browser.wait("frames are drawn", "throngMeter.frames > 5");
        let measured = browser.value("throngMeter.measure()");
        let number = |name: &str| measured[name].as_f64().unwrap();
        println!(
            "{units} units, {side} x {side}, {tick_hz} ticks per second, {view}: {:.1} frames per second, \
             script {:.2} ms per frame (p99 {:.1}), tick {:.1} ms, first picture after {:.0} ms",
            number("fps"),
            number("work"),
            number("workP99"),
            browser.number("throng.pane.status.tick_ms"),
            number("firstPicture"),
        );
        assert_eq!(measured["drawer"], "WebGL2");
        assert!(number("work") > 0.0);
    }
    let files = browser.value(
        "(([...all]) => [all.length, all.reduce((sum, each) => sum + each.encodedBodySize, 0)])\
         ([...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')])",
    );
    println!("files and bytes of the page: {files}");
    assert_eq!(browser.console_errors(), Vec::<String>::new());
}

#[test]
fn one_thousand_units_are_drawn() {
    check(1_000, 256, 20.0);
}

#[test]
fn ten_thousand_units_are_drawn() {
    check(10_000, 1_024, 10.0);
}

#[test]
fn only_what_is_near_the_view_is_sent_of_large_worlds() {
    let Some(browser) = Browser::start() else { return };
    let host = Host::start(&ServerOptions {
        map: Some(("large".to_owned(), blocks(512))),
        units: Some(4_000),
        ..ServerOptions::default()
    });
    browser.open(&host.url(""));
    browser.wait("all are there", "throng.pane.table.alive > 3900 && throng.pane.status");
    browser.value("throng.select([...throng.pane.table.slots.keys()])");
    browser.value(
        "throng.moveCamera(throng.pane, (camera) => { camera.scale = 24; camera.moveTo(100, 100); })",
    );
    browser.wait("few are sent", "throng.pane.view && throng.pane.table.alive < 1000");
    assert!(browser.number("throng.selection.size") > 3_900.0, "orders reach units out of view");
    browser.value("throng.fit()");
    browser.wait("all are back", "!throng.pane.view && throng.pane.table.alive > 3900");
}
