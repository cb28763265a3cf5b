//! Every example runs, succeeds, and prints what it promises.
//!
//! `cargo test` builds the examples before the tests, into `examples/` beside the folder of the
//! test program.

use std::path::PathBuf;
use std::process::Command;

/// Each example with a line of its output.
const EXAMPLES: [(&str, &str); 9] = [
    ("building", "5 entered, 0 inside"),
    ("edit_map", "the scout arrived at tick"),
    ("gate", "30 units through one gate in"),
    ("lockstep", "after a lost command the hashes are different"),
    ("mapf_file", "violations: 0, valid: true"),
    ("optimal", "joint,od,pe,id: cost 19, at least 19: optimal"),
    ("rts", "16 of 16 soldiers of red are in formation"),
    ("rts_loop", "loads in 120 ticks"),
    ("shared_field", "100 units arrived after"),
];

fn program(example: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let profile = test.parent().and_then(|deps| deps.parent()).unwrap();
    profile.join("examples").join(example).with_extension(std::env::consts::EXE_EXTENSION)
}

#[test]
fn every_example_runs_and_prints_its_result() {
    for (example, line) in EXAMPLES {
        let program = program(example);
        let output = Command::new(&program).output();
        let output = output.unwrap_or_else(|error| panic!("{}: {error}", program.display()));
        let text = String::from_utf8(output.stdout).unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{example}: {errors}");
        assert!(text.contains(line), "{example} did not print {line:?}:\n{text}");
    }
}

#[test]
fn every_example_is_in_the_list() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let mut names: Vec<String> =
        files.map(|path| path.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    names.sort();
    assert_eq!(names, EXAMPLES.map(|(name, _)| name));
}
