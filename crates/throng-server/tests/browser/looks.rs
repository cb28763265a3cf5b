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
fn every_view_is_shown_in_light_and_dark_on_laptop_and_tablet() {
    let Some(browser) = Browser::start() else { return };
    let host = Host::with("town");
    for theme in ["light", "dark"] {
        browser.prefer(theme);
        for (width, height) in SIZES {
            browser.resize(width, height);
            browser.open(&host.url(""));
            browser.keep(&format!("town-{theme}-{width}"));
            browser.value("throng.select([...throng.pane.table.slots.keys()].slice(0, 6))");
            browser.wait("the unit is explained", "document.querySelector('#why')");
            check_fit(&browser, width, &["#orders", "#tools", "#time", "#top"]);
            browser.press("\u{e00c}o");
            browser.wait(
                "scenarios are listed",
                "document.querySelectorAll('dialog .scenario').length > 3",
            );
            check_fit(&browser, width, &["dialog"]);
            browser.value("document.querySelector('dialog').close()");
            browser.press("?");
            browser.wait("the help is shown", "document.querySelector('dialog.help')");
            check_fit(&browser, width, &["dialog.help"]);
            browser.value("document.querySelector('dialog').close()");
        }
    }
    assert_eq!(browser.console_errors(), Vec::<String>::new());
}

/// Parts of the page that are shown are inside the window.
fn check_fit(browser: &Browser, width: u32, selectors: &[&str]) {
    for selector in selectors {
        let ends = browser.value(&format!(
            "(({{ left, right }}) => [left, right])(document.querySelector('{selector}').getBoundingClientRect())"
        ));
        let (left, right) = (ends[0].as_f64().unwrap(), ends[1].as_f64().unwrap());
        assert!(
            left >= 0.0 && right <= f64::from(width) + 0.5,
            "{selector} at {width} pixels: {left} to {right}"
        );
    }
}
