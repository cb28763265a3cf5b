//! Finds Chromium and its WebDriver on this machine, and starts the driver on a free port.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

const DRIVERS: [&str; 3] =
    ["chromedriver", "/usr/lib/chromium/chromedriver", "/usr/lib/chromium-browser/chromedriver"];
const BROWSERS: [&str; 4] =
    ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// The driver's process. It and its browsers end when it is dropped.
pub(crate) struct Driver {
    process: Child,
    pub(crate) port: u16,
    pub(crate) browser: PathBuf,
}

impl Driver {
    /// None, with a message, if a part is missing.
    pub(crate) fn start() -> Option<Self> {
        let Some((driver, browser)) = find(&DRIVERS).zip(find(&BROWSERS)) else {
            eprintln!(
                "skipped: no Chromium with its WebDriver here; \
                 on Debian: apt-get install chromium chromium-driver"
            );
            return None;
        };
        let mut command = Command::new(driver);
        command.arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().unwrap();
        let port = port_of(process.stdout.take().unwrap());
        Some(Self { process, port, browser })
    }
}

/// The driver prints its port when it is ready.
fn port_of(output: impl std::io::Read) -> u16 {
    let lines = BufReader::new(output).lines().map_while(Result::ok);
    let port = |line: String| {
        let (_, rest) = line.split_once("started successfully on port ")?;
        rest.trim_end_matches('.').parse().ok()
    };
    lines.into_iter().find_map(port).unwrap()
}

/// The first of these programs that exists.
fn find(names: &[&str]) -> Option<PathBuf> {
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    let places = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    places.into_iter().find(|place| place.is_file())
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
