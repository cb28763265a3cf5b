//! What a written file does to what was there before.
#![cfg(unix)]

use std::os::unix::fs::{PermissionsExt, symlink};

use super::{Folder, GAP};

const DRAW: &str = "render -m gap.map -o";

fn mode(folder: &Folder, name: &str) -> u32 {
    std::fs::metadata(folder.path(name)).unwrap().permissions().mode() & 0o777
}

#[test]
fn behind_a_link_the_file_changes_and_the_link_stays() {
    let folder = Folder::new("out-link").with("gap.map", GAP).with("real.svg", "old");
    symlink("real.svg", folder.path("link.svg")).unwrap();
    folder.throng(&format!("{DRAW} link.svg")).exits(0);
    assert!(folder.text("real.svg").starts_with("<svg"));
    assert!(std::fs::symlink_metadata(folder.path("link.svg")).unwrap().is_symlink());
}

#[test]
fn permissions_stay_as_they_were() {
    let folder = Folder::new("out-mode").with("gap.map", GAP).with("way.svg", "old");
    std::fs::set_permissions(folder.path("way.svg"), PermissionsExt::from_mode(0o600)).unwrap();
    folder.throng(&format!("{DRAW} way.svg")).exits(0);
    assert_eq!(mode(&folder, "way.svg"), 0o600);
    std::fs::set_permissions(folder.path("way.svg"), PermissionsExt::from_mode(0o444)).unwrap();
    folder.throng(&format!("{DRAW} way.svg")).exits(1).says("read-only");
    assert_eq!(folder.names(), ["gap.map", "way.svg"]);
}

#[test]
fn a_pipe_is_written_into_not_replaced() {
    let folder = Folder::new("out-pipe").with("gap.map", GAP);
    let pipe = folder.path("pipe.svg");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    if !made.is_ok_and(|status| status.success()) {
        return;
    }
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || std::fs::read_to_string(pipe).unwrap()
    });
    folder.throng(&format!("{DRAW} pipe.svg")).exits(0);
    assert!(reader.join().unwrap().starts_with("<svg"));
    assert!(!std::fs::metadata(pipe).unwrap().is_file());
}

#[test]
fn long_names_are_no_problem() {
    let folder = Folder::new("out-long").with("gap.map", GAP);
    let name = format!("{}.svg", "x".repeat(250));
    folder.throng(&format!("{DRAW} {name}")).exits(0);
    assert_eq!(folder.names().len(), 2);
}
