//! Every view in light and dark, on a laptop and a tablet, without console errors and without a
//! request to another host.

use crate::browser::Browser;
use crate::host::Host;

const SIZES: [(u32, u32); 2] = [(1280, 800), (800, 1000)];

#[test]
fn the_page_loads_without_errors_and_asks_only_its_host() {
    let Some(browser) = Browser::start() else { return };
    let host = Host::with("town");
    browser.open(&host.url(""));
    browser.wait(
        "the status is shown",
        "document.querySelector('.hud').textContent.includes('arrived')",
    );
    assert_eq!(browser.console_errors(), Vec::<String>::new());
    let own = [format!("http://{}/", host.address), format!("ws://{}/", host.address)];
    let is_own = |address: &String| {
        own.iter().any(|own| address.starts_with(own)) || address.starts_with("data:")
    };
    let (inside, outside): (Vec<_>, Vec<_>) = browser.requests().into_iter().partition(is_own);
    assert_eq!(outside, Vec::<String>::new());
    assert!(inside.len() > 10, "{inside:?}");
}

#[test]
fn every_view_is_kept_as_a_picture() {
    let Some(browser) = Browser::start() else { return };
    let host = Host::with("town");
    for theme in ["light", "dark"] {
        browser.prefer(theme);
        for (width, height) in SIZES {
            browser.resize(width, height);
            browser.open(&host.url(""));
            let name = |view: &str| format!("{view}-{theme}-{width}");
            browser.keep(&name("town"));
            browser.value("throng.select([...throng.pane.table.slots.keys()].slice(0, 6))");
            browser.wait("the unit is explained", "document.querySelector('#why')");
            browser.keep(&name("inspector"));
            browser.press("\u{e00c}o");
            browser.wait(
                "scenarios are listed",
                "document.querySelectorAll('dialog .scenario').length > 3",
            );
            browser.keep(&name("scenarios"));
            browser.value("document.querySelector('dialog').close()");
            browser.press("?");
            browser.wait("the help is shown", "document.querySelector('dialog.help')");
            browser.keep(&name("help"));
            browser.value("document.querySelector('dialog').close()");
        }
    }
    assert_eq!(browser.console_errors(), Vec::<String>::new());
}
