//! Gets the browser that the tests of the page drive: Debian's Chromium with its WebDriver.

use std::process::{Command, Stdio};

const PROGRAMS: [&str; 2] = ["chromium", "chromedriver"];
const INSTALL: [&str; 5] =
    ["install", "--yes", "--no-install-recommends", "chromium", "chromium-driver"];

/// Installs the browser if it is missing and this user may; says what to do otherwise. The tests of
/// the page pass without it, with a message.
pub(crate) fn prepare() {
    if PROGRAMS.iter().all(|name| is_in_path(name)) {
        return;
    }
    if !is_root() || !is_in_path("apt-get") {
        println!("the tests of the page need a browser: apt-get {}", INSTALL.join(" "));
        return;
    }
    println!("--- installs the browser for the tests of the page: apt-get {}", INSTALL.join(" "));
    let is_installed = apt_get(&INSTALL) || apt_get(&["update"]) && apt_get(&INSTALL);
    if !is_installed {
        println!("apt-get failed; the tests of the page will be skipped");
    }
}

fn apt_get(arguments: &[&str]) -> bool {
    let mut command = Command::new("apt-get");
    command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn is_in_path(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
}

/// The owner of this process's folder in /proc.
#[cfg(unix)]
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::path::Path::new("/proc/self").metadata().is_ok_and(|metadata| metadata.uid() == 0)
}

#[cfg(not(unix))]
fn is_root() -> bool {
    false
}
