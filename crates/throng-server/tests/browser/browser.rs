//! One browser window with the page: scripts, mouse, keys, screenshots, logs.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use fantoccini::actions::{InputSource, MouseActions, PointerAction};
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder};
use serde_json::{Value, json};

use crate::driver::Driver;

/// Most waits end within a second; a loaded machine draws a few frames per second.
const WAIT_MAX: Duration = Duration::from_secs(60);
const POLL: Duration = Duration::from_millis(50);
pub(crate) const LEFT: u64 = 0;
pub(crate) const RIGHT: u64 = 2;

/// Browsers draw in software here: one at a time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

pub(crate) struct Browser {
    client: Client,
    runtime: tokio::runtime::Runtime,
    _driver: Driver,
    _turn: MutexGuard<'static, ()>,
}

/// A command of Chromium's driver beyond the standard: path below the session, and body.
#[derive(Debug)]
struct Extra(&'static str, Value);

impl WebDriverCompatibleCommand for Extra {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.0))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(self.1.to_string()))
    }
}

fn capabilities(driver: &Driver) -> Value {
    let flags = [
        "--headless=new",
        // Tests of containers run as root, which Chromium refuses otherwise.
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--use-gl=angle",
        "--use-angle=swiftshader",
        "--enable-unsafe-swiftshader",
    ];
    json!({
        "goog:chromeOptions": { "binary": driver.browser, "args": flags },
        "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
    })
}

impl Browser {
    /// None, with a message, where there is no browser.
    pub(crate) fn start() -> Option<Self> {
        let turn = ONE_AT_A_TIME.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let driver = Driver::start()?;
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let connector = hyper_util::client::legacy::connect::HttpConnector::new();
        let mut builder = ClientBuilder::new(connector);
        let Value::Object(wanted) = capabilities(&driver) else { unreachable!() };
        builder.capabilities(wanted);
        let address = format!("http://127.0.0.1:{}", driver.port);
        let client = runtime.block_on(builder.connect(&address)).unwrap();
        let browser = Self { client, runtime, _driver: driver, _turn: turn };
        browser.resize(1280, 800);
        Some(browser)
    }

    fn extra(&self, path: &'static str, body: Value) -> Value {
        self.runtime.block_on(self.client.issue_cmd(Extra(path, body))).unwrap()
    }

    fn devtools(&self, command: &str, parameters: &Value) {
        self.extra("goog/cdp/execute", json!({ "cmd": command, "params": parameters }));
    }

    pub(crate) fn resize(&self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", &size);
    }

    /// The system's choice of light or dark.
    pub(crate) fn prefer(&self, theme: &str) {
        let feature = json!([{ "name": "prefers-color-scheme", "value": theme }]);
        self.devtools("Emulation.setEmulatedMedia", &json!({ "features": feature }));
    }

    /// Opens an address and waits until units are drawn.
    pub(crate) fn open(&self, address: &str) {
        self.runtime.block_on(self.client.goto(address)).unwrap();
        self.wait("units are drawn", "throng.pane?.instances.count > 0");
    }

    /// The value of an expression in the page.
    pub(crate) fn value(&self, expression: &str) -> Value {
        let script = format!("return ({expression});");
        self.runtime.block_on(self.client.execute(&script, vec![])).unwrap()
    }

    pub(crate) fn number(&self, expression: &str) -> f64 {
        self.value(expression).as_f64().unwrap()
    }

    /// Waits until an expression is true.
    #[track_caller]
    pub(crate) fn wait(&self, what: &str, expression: &str) {
        let polls = WAIT_MAX.as_millis() / POLL.as_millis();
        let script = format!("return Boolean(window.throng && ({expression}));");
        for _ in 0..polls {
            let answer = self.runtime.block_on(self.client.execute(&script, vec![]));
            if answer.unwrap() == json!(true) {
                return;
            }
            std::thread::sleep(POLL);
        }
        self.keep("failed");
        panic!("waited in vain until {what}; see target/screenshots/failed.png");
    }

    pub(crate) fn click(&self, selector: &str) {
        let find = self.client.find(fantoccini::Locator::Css(selector));
        let element = self.runtime.block_on(find).unwrap();
        self.runtime.block_on(element.click()).unwrap();
    }

    /// Types into the element that has the focus.
    pub(crate) fn press(&self, keys: &str) {
        let body = self.runtime.block_on(self.client.find(fantoccini::Locator::Css("body")));
        self.runtime.block_on(body.unwrap().send_keys(keys)).unwrap();
    }

    /// Gives a file to a file input.
    pub(crate) fn choose_file(&self, selector: &str, path: &std::path::Path) {
        let find = self.client.find(fantoccini::Locator::Css(selector));
        let element = self.runtime.block_on(find).unwrap();
        self.runtime.block_on(element.send_keys(path.to_str().unwrap())).unwrap();
    }

    /// The pixel of the window at the middle of a cell, in a pane.
    fn pixel(&self, pane: usize, cell: (u32, u32)) -> (i64, i64) {
        let (x, y) = cell;
        let at = self.value(&format!(
            "(() => {{ const pane = throng.panes[{pane}], box = pane.marks.getBoundingClientRect(); \
             const [x, y] = pane.camera.toScreen({x} + 0.5, {y} + 0.5); return [x + box.left, y + box.top]; }})()"
        ));
        (at[0].as_f64().unwrap() as i64, at[1].as_f64().unwrap() as i64)
    }

    /// Presses a mouse button at the first cell and releases it at the last.
    pub(crate) fn drag(&self, button: u64, cells: &[(u32, u32)]) {
        let mut mouse = MouseActions::new("mouse".to_owned());
        let [first, rest @ ..] = cells else { return };
        let to = |cell: &(u32, u32)| {
            let (x, y) = self.pixel(0, *cell);
            let duration = Some(Duration::from_millis(40));
            PointerAction::MoveTo { duration, x: x as f64, y: y as f64 }
        };
        mouse = mouse.then(to(first)).then(PointerAction::Down { button });
        for cell in rest {
            mouse = mouse.then(to(cell));
        }
        mouse = mouse.then(PointerAction::Up { button });
        self.runtime.block_on(self.client.perform_actions(mouse)).unwrap();
    }

    pub(crate) fn click_cell(&self, button: u64, cell: (u32, u32)) {
        self.drag(button, &[cell]);
    }

    /// Keeps a screenshot as `target/screenshots/NAME.png`.
    pub(crate) fn keep(&self, name: &str) {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("../screenshots");
        std::fs::create_dir_all(&folder).unwrap();
        let picture = self.runtime.block_on(self.client.screenshot()).unwrap();
        std::fs::write(folder.join(format!("{name}.png")), picture).unwrap();
    }

    /// What the page wrote to the console as errors.
    pub(crate) fn console_errors(&self) -> Vec<String> {
        let entries = self.extra("se/log", json!({ "type": "browser" }));
        let severe = |entry: &&Value| entry["level"] == "SEVERE";
        let message = |entry: &Value| entry["message"].as_str().unwrap_or_default().to_owned();
        entries.as_array().unwrap().iter().filter(severe).map(message).collect()
    }

    /// The addresses of all requests since the start.
    pub(crate) fn requests(&self) -> Vec<String> {
        let entries = self.extra("se/log", json!({ "type": "performance" }));
        let address = |entry: &Value| {
            let message: Value = serde_json::from_str(entry["message"].as_str()?).ok()?;
            let message = &message["message"];
            let address = match message["method"].as_str()? {
                "Network.requestWillBeSent" => &message["params"]["request"]["url"],
                "Network.webSocketCreated" => &message["params"]["url"],
                _ => return None,
            };
            Some(address.as_str()?.to_owned())
        };
        entries.as_array().unwrap().iter().filter_map(address).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.runtime.block_on(self.client.clone().close());
    }
}
