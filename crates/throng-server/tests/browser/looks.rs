//! Every view in light and dark, on a laptop and a tablet, without console errors and without a
//! request to another host.

use crate::browser::{Browser, Wishes};
use crate::host::Host;

pub(crate) const SIZES: [(u32, u32); 2] = [(1280, 800), (800, 1000)];

#[test]
fn the_page_loads_without_errors_and_asks_only_its_host() {
    let wishes = Wishes { logs_requests: true, ..Wishes::default() };
    let Some(browser) = Browser::with(wishes) else { return };
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
            browser.open(&host.url("#world=main"));
            let look = Look { browser: &browser, name: format!("{theme}-{width}"), width };
            look.at_a_unit();
            look.at_panels();
            look.at_dialogs();
            look.at_tools();
        }
    }
    assert_eq!(browser.console_errors(), Vec::<String>::new());
}

#[test]
fn two_worlds_and_the_tour_fit_into_the_window() {
    let Some(browser) = Browser::start() else { return };
    let host = Host::with("town");
    for (theme, (width, height)) in [("light", SIZES[0]), ("dark", SIZES[1])] {
        browser.prefer(theme);
        browser.resize(width, height);
        browser.open(&host.url("#compare=lra,throng&scenario=door&seed=3"));
        browser.wait("both go on", "throng.panes.every((pane) => pane.clock.time > 5)");
        let look = Look { browser: &browser, name: format!("{theme}-{width}"), width };
        look.keep("compare", &[".hud", "#top", "#time"]);
        browser.press("?");
        browser.click("dialog.help footer .main");
        for step in 1..=8 {
            look.keep(&format!("tour-{step}"), &["#tour"]);
            browser.click("#tour footer button:last-child");
        }
        assert_eq!(browser.value("document.querySelector('#tour')"), serde_json::Value::Null);
        browser.click("#compare");
        browser.wait("one world is shown", "throng.panes.length === 1");
    }
    assert_eq!(browser.console_errors(), Vec::<String>::new());
}

#[test]
fn without_webgl_the_page_draws_with_canvas() {
    let wishes = Wishes { is_without_webgl: true, ..Wishes::default() };
    let Some(browser) = Browser::with(wishes) else { return };
    let host = Host::with("town");
    browser.open(&host.url(""));
    assert_eq!(browser.value("throng.pane.drawer.name"), "Canvas2D");
    browser.wait("the drawn moment moves", "throng.pane.clock.time > 3");
    browser.keep("canvas");
    browser.value(
        "throng.moveCamera(throng.pane, (camera) => { camera.scale = 2; camera.moveTo(60, 40); })",
    );
    browser.wait("the dots are drawn", "throng.pane.drawer.dots");
    browser.keep("canvas-far");
    assert_eq!(browser.console_errors(), Vec::<String>::new());
}

/// A theme and a width, at which views are looked at.
struct Look<'a> {
    browser: &'a Browser,
    name: String,
    width: u32,
}

impl Look<'_> {
    /// Keeps a picture; these parts of the page must be inside the window.
    fn keep(&self, view: &str, selectors: &[&str]) {
        check_fit(self.browser, self.width, selectors);
        self.browser.keep(&format!("{view}-{}", self.name));
    }

    fn at_a_unit(&self) {
        let browser = self.browser;
        browser.wait("the world moves", "throng.pane.clock.time > 2");
        self.keep("town", &["#tools", "#time", "#top"]);
        browser.value("throng.select([...throng.pane.table.slots.keys()].slice(0, 6))");
        self.open_panel();
        browser.wait("the unit is explained", "document.querySelector('#why')");
        self.keep("unit", &["#orders", "#tools", "#time", "#top", "#panel"]);
    }

    fn open_panel(&self) {
        self.browser
            .value("document.querySelector('#panel').hidden && document.querySelector('#panel-toggle').click()");
    }

    fn at_panels(&self) {
        let browser = self.browser;
        browser.click("#tab-overlays");
        for layer in
            ["reservations", "distance", "heat", "components", "hierarchy", "clusters", "zones"]
        {
            browser.click(&format!("#layer-{layer}"));
            browser.wait("the layer is drawn", "throng.pane.drawer.layer || throng.pane.marked");
            self.keep(&format!("overlay-{layer}"), &["#panel"]);
        }
        browser.click("#layer-none");
        browser.click("#tab-plots");
        browser.wait("they have values", "document.querySelector('.plot output').textContent");
        self.keep("plots", &["#panel"]);
        browser.click("#tab-unit");
    }

    fn at_dialogs(&self) {
        let browser = self.browser;
        browser.press("\u{e00c}o");
        browser.wait(
            "scenarios are listed",
            "document.querySelectorAll('dialog .scenario').length > 3",
        );
        self.keep("scenarios", &["dialog"]);
        browser.value("document.querySelector('dialog').close()");
        browser.press("?");
        browser.wait("the help is shown", "document.querySelector('dialog.help')");
        self.keep("help", &["dialog.help"]);
        browser.value("document.querySelector('dialog').close()");
        browser.click("#files");
        self.keep("files", &["dialog"]);
        browser.value("document.querySelector('dialog').close()");
    }

    fn at_tools(&self) {
        for tool in ["terrain", "spawn"] {
            self.browser.click(&format!("[data-tool={tool}]"));
            self.keep(&format!("tool-{tool}"), &["#tool-options"]);
        }
        self.browser.click("[data-tool=select]");
    }
}

/// Parts of the page that are shown are inside the window.
pub(crate) fn check_fit(browser: &Browser, width: u32, selectors: &[&str]) {
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
