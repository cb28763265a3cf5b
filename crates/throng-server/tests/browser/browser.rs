//! One browser window with the page: scripts, mouse, keys, screenshots, logs.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use base64::Engine as _;
use serde_json::{Value, json};

use crate::driver::Driver;
use crate::wire;

/// Most waits end within a second; a loaded machine draws a few frames per second.
const WAIT_MAX: Duration = Duration::from_secs(60);
const POLL: Duration = Duration::from_millis(50);
pub(crate) const LEFT: u64 = 0;
pub(crate) const RIGHT: u64 = 2;
/// The key of an element in the answers of the driver.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// Browsers draw in software here: one at a time.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

pub(crate) struct Browser {
    session: String,
    driver: Driver,
    _turn: MutexGuard<'static, ()>,
}

/// What a browser is started with.
#[derive(Clone, Copy, Default)]
pub(crate) struct Wishes {
    /// Whether requests are logged. Each frame of a WebSocket is, too: it takes time.
    pub(crate) logs_requests: bool,
    pub(crate) is_without_webgl: bool,
}

fn capabilities(driver: &Driver, wishes: Wishes) -> Value {
    let mut flags = vec![
        "--headless=new",
        // Tests of containers run as root, which Chromium refuses otherwise.
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        // WebGL2 in software; the page around it without a graphics card.
        "--disable-gpu",
        "--enable-unsafe-swiftshader",
    ];
    if wishes.is_without_webgl {
        flags.push("--disable-3d-apis");
    }
    let logs = match wishes.logs_requests {
        true => json!({ "browser": "ALL", "performance": "ALL" }),
        false => json!({ "browser": "ALL" }),
    };
    let wanted = json!({
        "goog:chromeOptions": { "binary": driver.browser, "args": flags },
        "timeouts": { "script": 20_000, "pageLoad": 60_000 },
        "goog:loggingPrefs": logs,
    });
    json!({ "capabilities": { "alwaysMatch": wanted } })
}

impl Browser {
    /// None, with a message, where there is no browser.
    pub(crate) fn start() -> Option<Self> {
        Self::with(Wishes::default())
    }

    pub(crate) fn with(wishes: Wishes) -> Option<Self> {
        let turn = ONE_AT_A_TIME.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let driver = Driver::start()?;
        let session =
            wire::command(driver.port, "POST", "/session", Some(&capabilities(&driver, wishes)));
        let session = match session {
            Ok(session) => session["sessionId"].as_str().unwrap().to_owned(),
            Err(error) => {
                eprintln!("skipped: the browser does not start here: {error}");
                return None;
            }
        };
        let browser = Self { session, driver, _turn: turn };
        browser.resize(1280, 800);
        if let Err(error) = browser.draws() {
            eprintln!("skipped: the browser draws nothing here: {error}");
            return None;
        }
        Some(browser)
    }

    /// Whether the browser draws frames: some sandboxes let it start and then starve it.
    fn draws(&self) -> Result<(), String> {
        let script = "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done(true)));";
        let path = format!("/session/{}/execute/async", self.session);
        let body = json!({ "script": script, "args": [] });
        wire::command(self.driver.port, "POST", &path, Some(&body)).map(|_| ())
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        let path = format!("/session/{}/{path}", self.session);
        wire::command(self.driver.port, "POST", &path, Some(body)).unwrap()
    }

    fn devtools(&self, command: &str, parameters: &Value) -> Value {
        self.post("goog/cdp/execute", &json!({ "cmd": command, "params": parameters }))
    }

    pub(crate) fn resize(&self, width: u32, height: u32) {
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", &size);
    }

    /// The system's choice of light or dark.
    pub(crate) fn prefer(&self, theme: &str) {
        let feature = json!([{ "name": "prefers-color-scheme", "value": theme }]);
        self.devtools("Emulation.setEmulatedMedia", &json!({ "features": feature }));
    }

    /// Opens an address and waits until units are drawn.
    pub(crate) fn open(&self, address: &str) {
        self.post("url", &json!({ "url": address }));
        self.wait("units are drawn", "throng.pane?.instances.count > 0");
    }

    /// Opens an address.
    pub(crate) fn visit(&self, address: &str) {
        self.post("url", &json!({ "url": address }));
    }

    /// Opens another window, and works with that; the one before is the answer.
    pub(crate) fn open_window(&self) -> String {
        let path = format!("/session/{}/window", self.session);
        let before = wire::command(self.driver.port, "GET", &path, None).unwrap();
        let opened = self.post("window/new", &json!({ "type": "window" }));
        self.switch_to(opened["handle"].as_str().unwrap());
        before.as_str().unwrap().to_owned()
    }

    /// Works with a window.
    pub(crate) fn switch_to(&self, window: &str) {
        self.post("window", &json!({ "handle": window }));
    }

    /// Clicks at a pixel of the window.
    pub(crate) fn click_pixel(&self, button: u64, (x, y): (i64, i64)) {
        let actions = json!([
            { "type": "pointerMove", "duration": 40, "x": x, "y": y, "origin": "viewport" },
            { "type": "pointerDown", "button": button },
            { "type": "pointerUp", "button": button },
        ]);
        let mouse = json!({ "type": "pointer", "id": "mouse", "actions": actions });
        self.post("actions", &json!({ "actions": [mouse] }));
    }

    /// Keeps the picture of a canvas as `target/screenshots/NAME.png`; `expression` is its data URL.
    pub(crate) fn keep_canvas(&self, name: &str, expression: &str) {
        let picture = self.value(&format!("({expression}).split(',')[1]"));
        let picture = base64::engine::general_purpose::STANDARD.decode(picture.as_str().unwrap());
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("../screenshots");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("{name}.png")), picture.unwrap()).unwrap();
    }

    /// The value of an expression in the page.
    pub(crate) fn value(&self, expression: &str) -> Value {
        let script = format!("return ({expression});");
        self.post("execute/sync", &json!({ "script": script, "args": [] }))
    }

    pub(crate) fn number(&self, expression: &str) -> f64 {
        self.value(expression).as_f64().unwrap()
    }

    /// Waits until an expression is true.
    #[track_caller]
    pub(crate) fn wait(&self, what: &str, expression: &str) {
        let polls = WAIT_MAX.as_millis() / POLL.as_millis();
        let expression = format!("Boolean(window.throng && ({expression}))");
        for _ in 0..polls {
            if self.value(&expression) == json!(true) {
                return;
            }
            std::thread::sleep(POLL);
        }
        let seen = self.value("document.querySelector('#stage')?.innerText");
        panic!("waited in vain until {what}; the page shows {seen}");
    }

    pub(crate) fn click(&self, selector: &str) {
        self.post(&format!("{}/click", self.element(selector)), &json!({}));
    }

    /// The path of the element that a selector of CSS names.
    fn element(&self, selector: &str) -> String {
        let found = self.post("element", &json!({ "using": "css selector", "value": selector }));
        format!("element/{}", found[ELEMENT].as_str().unwrap())
    }

    pub(crate) fn type_into(&self, selector: &str, text: &str) {
        self.post(&format!("{}/value", self.element(selector)), &json!({ "text": text }));
    }

    /// Types into the page.
    pub(crate) fn press(&self, keys: &str) {
        self.type_into("body", keys);
    }

    /// Gives a file to a file input.
    pub(crate) fn choose_file(&self, selector: &str, path: &Path) {
        self.type_into(selector, path.to_str().unwrap());
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
        let to = |cell: &(u32, u32)| {
            let (x, y) = self.pixel(0, *cell);
            json!({ "type": "pointerMove", "duration": 40, "x": x, "y": y, "origin": "viewport" })
        };
        let mut actions: Vec<Value> = cells.iter().map(to).collect();
        actions.insert(1, json!({ "type": "pointerDown", "button": button }));
        actions.push(json!({ "type": "pointerUp", "button": button }));
        let mouse = json!({ "type": "pointer", "id": "mouse", "actions": actions });
        self.post("actions", &json!({ "actions": [mouse] }));
    }

    pub(crate) fn click_cell(&self, button: u64, cell: (u32, u32)) {
        self.drag(button, &[cell]);
    }

    /// Keeps a picture of the window as `target/screenshots/NAME.png`.
    pub(crate) fn keep(&self, name: &str) {
        let picture = self.devtools("Page.captureScreenshot", &json!({ "format": "png" }));
        let picture = picture["data"].as_str().unwrap();
        let picture = base64::engine::general_purpose::STANDARD.decode(picture).unwrap();
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("../screenshots");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("{name}.png")), picture).unwrap();
    }

    /// Two clicks in a row on a cell.
    pub(crate) fn double_click_cell(&self, cell: (u32, u32)) {
        let (x, y) = self.pixel(0, cell);
        let to =
            json!({ "type": "pointerMove", "duration": 0, "x": x, "y": y, "origin": "viewport" });
        let press = json!({ "type": "pointerDown", "button": LEFT });
        let release = json!({ "type": "pointerUp", "button": LEFT });
        let actions = json!([to, press, release, press, release]);
        let mouse = json!({ "type": "pointer", "id": "mouse", "actions": actions });
        self.post("actions", &json!({ "actions": [mouse] }));
    }

    /// Fingers that go from cell to cell at the same time.
    pub(crate) fn touch(&self, fingers: &[[(u32, u32); 2]]) {
        let finger = |(number, [from, to]): (usize, &[(u32, u32); 2])| {
            let go = |cell, duration| {
                let (x, y) = self.pixel(0, cell);
                json!({ "type": "pointerMove", "duration": duration, "x": x, "y": y, "origin": "viewport" })
            };
            let press = json!({ "type": "pointerDown", "button": LEFT });
            let release = json!({ "type": "pointerUp", "button": LEFT });
            let actions = json!([go(*from, 0), press, go(*to, 100), release]);
            json!({ "type": "pointer", "id": format!("finger{number}"), "actions": actions, "parameters": { "pointerType": "touch" } })
        };
        let fingers: Vec<Value> = fingers.iter().enumerate().map(finger).collect();
        self.post("actions", &json!({ "actions": fingers }));
    }

    /// What the page wrote to the console as errors.
    pub(crate) fn console_errors(&self) -> Vec<String> {
        let entries = self.post("se/log", &json!({ "type": "browser" }));
        let severe = |entry: &&Value| entry["level"] == "SEVERE";
        let message = |entry: &Value| entry["message"].as_str().unwrap_or_default().to_owned();
        entries.as_array().unwrap().iter().filter(severe).map(message).collect()
    }

    /// The addresses of all requests since the start, if they are logged.
    pub(crate) fn requests(&self) -> Vec<String> {
        let entries = self.post("se/log", &json!({ "type": "performance" }));
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
        let path = format!("/session/{}", self.session);
        let _ = wire::command(self.driver.port, "DELETE", &path, None);
    }
}
