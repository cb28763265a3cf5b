//! Help, version and usage errors.

use crate::Folder;

#[test]
fn help_and_version_are_no_mistakes() {
    let folder = Folder::new("help");
    folder.throng("--help").exits(0).says("Exit codes:");
    folder.throng("--version").exits(0).says("throng 0.1.0");
    let commands = [
        "solve",
        "live",
        "path",
        "check",
        "gen",
        "gen map",
        "gen scen",
        "gen lorr",
        "gen scene",
        "scene",
        "scene check",
        "scene edit",
        "scene play",
        "render",
        "convert",
        "lab",
        "demo",
        "demo bridge",
        "completions",
    ];
    for command in commands {
        folder.throng(&format!("{command} --help")).exits(0).says("Examples:").says("--json");
    }
}

#[test]
fn usage_errors_exit_with_1_and_say_what_is_meant() {
    let folder = Folder::new("usage");
    folder.throng("pth").exits(1).says("'path'");
    folder.throng("path -m a.map --form 1,1").exits(1).says("'--from'");
    folder.throng("path -m a.map --from 1,1").exits(1).says("--to");
    folder.throng("path -m a.map").exits(1).says("--from");
    folder.throng("path -m a.map --from 1;1 --to 2,2").exits(1).says("as X,Y");
    folder.throng("path -m a.map --from -1,1 --to 2,2").exits(1);
    folder.throng("path -m a.map --from 99999,1 --to 2,2").exits(1).says("as X,Y");
    folder
        .throng("path -m a.map --from 1,1 --to 2,2 --moves 6")
        .exits(1)
        .says("[possible values: 4, 8]");
    folder.throng("path -m a.map --from 1,1 --to 2,2 --weight 99").exits(1).says("100..=1000");
    folder.throng("path -m a.map --from 1,1 --to 2,2 --footprint 0").exits(1).says("1..=16");
    folder
        .throng("path -m a.map --from 1,1 --to 2,2 --scen a.scen")
        .exits(1)
        .says("cannot be used");
    folder.throng("solve").exits(1);
    assert!(folder.names().is_empty());
}

#[test]
fn help_says_for_which_solvers_threads_count() {
    let run = Folder::new("help-threads").throng("solve --help").exits(0);
    let words: Vec<&str> = run.out.split_whitespace().collect();
    assert!(words.join(" ").contains("by lacam, lns, auto and joint,id."), "{}", run.out);
}
