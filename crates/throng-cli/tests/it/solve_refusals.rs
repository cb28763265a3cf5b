//! `throng solve`: what it refuses, and that nothing is written then.

use crate::solve::{SOLVE, crossing, open_map, scenario};
use crate::{Folder, GAP};

#[track_caller]
fn refuses(words: &str, said: &str) {
    let folder = crossing("solve-bad");
    let before = folder.names();
    folder.throng(&format!("{SOLVE} -o plan.txt {words}")).exits(1).says(said);
    assert_eq!(folder.names(), before);
}

#[test]
fn specs_that_mean_nothing() {
    refuses(
        "--solver joy",
        "--solver: no solver \"joy\"; the solvers are lra, ca, hca, whca, silver-ca, \
         silver-hca, silver-whca, lacam, lns, auto, joint, \
         standley",
    );
    refuses("--solver whac", "did you mean whca?");
    refuses("--solver=", "no solver is named");
    refuses("--solver whca,windw=8", "no option \"windw\"; did you mean window?");
    refuses("--solver whca,window=1", "window cannot be \"1\"; use 2 to 4096");
    refuses("--solver whca,window=8,window=9", "window is given twice");
    refuses("--solver hca,order=", "order needs a value");
    refuses("--solver hca,", "no option \"\"");
}

#[test]
fn units_that_the_solver_cannot_plan_for() {
    let folder = Folder::new("solve-large-units").with("a.map", open_map(5, 5));
    let folder = folder.with("a-random-1.scen", scenario(5, 5, &[[0, 0, 3, 3]]));
    let before = folder.names();
    let run = folder.throng(&format!("{SOLVE} --solver lacam --footprint 2 -o plan.txt"));
    run.exits(1).says(
        "--solver lacam: LaCAM does not support a footprint of 2 x 2 cells (unit 0); use HCA* or \
         WHCA*",
    );
    assert_eq!(folder.names(), before);
}

#[test]
fn numbers_out_of_bounds() {
    refuses("-N 0", "1..=100000");
    refuses("-N -1", "-1");
    refuses("-N 3", "a-random-1.scen: 3 units asked for, the scenario has 2");
    refuses("-N 99999999999999999999", "99999999999999999999");
    for time in ["0", "-1", "NaN", "inf", "1e99", "soon"] {
        refuses(&format!("-t={time}"), "give a number of seconds above 0");
    }
    refuses("--threads 0", "0");
    refuses("--moves 6", "[possible values: 4, 8]");
    refuses("--objective length", "[possible values: soc, time-away]");
}

#[test]
fn scenarios_that_cannot_be() {
    let check = |scen: &str, said: &str| {
        let folder = Folder::new("solve-bad-scen").with("a.map", GAP).with("a.scen", scen);
        folder.throng("solve -m a.map -i a.scen -o plan.txt").exits(1).says("a.scen").says(said);
        assert_eq!(folder.names(), ["a.map", "a.scen"]);
    };
    let rows = |units: &[[u16; 4]]| scenario(7, 4, units);
    check("", "empty");
    check("version 1\n", "a.scen: the scenario has no units");
    check(
        &rows(&[[0, 0, 1, 0], [0, 0, 2, 0]]),
        "a.scen:3: unit 0 and unit 1 have the same start (0,0)",
    );
    check(&rows(&[[0, 0, 1, 0], [2, 0, 1, 0]]), "unit 0 and unit 1 have the same goal (1,0)");
    check(&rows(&[[0, 0, 3, 0]]), "a.scen:2: unit 0: goal (3,0) is on impassable");
    check(&rows(&[[3, 1, 0, 0]]), "unit 0: start (3,1) is on impassable");
    check(&rows(&[[7, 0, 0, 0]]), "a.scen:2:13: start x '7' is out of bounds");
    let crowd: Vec<_> = (0..15).map(|_| [0, 0, 1, 0]).collect();
    check(&rows(&crowd), "and 18 more");
    check("0\ta.map\t7\t4\t0\t0\t6", "the goal y is missing");
}

#[test]
fn outputs_that_cannot_or_must_not_be_written() {
    refuses("-o other.txt", "at most one file for the plan");
    let folder = crossing("solve-bad-out").with("a.terrain", "F forest 3\n");
    let check = |words: &str, said: &str| {
        folder.throng(&format!("{SOLVE} {words}")).exits(1).says(said);
    };
    check("-o a.map", "a.map: would overwrite the input a.map");
    check("-o a-random-1.scen", "would overwrite the input");
    check("-o a.terrain", "would overwrite the input");
    check("-o no/plan.txt", "the folder does not exist");
    check("-o .", "this is a folder");
    check("-o -", "cannot write to standard output");
    check("--format kei18", "--output <FILE>");
    check("-o plan.txt --format map", "no format of plans; use one of kei18, li-paths");
    check("-o plan.txt --format gif", "no format of plans");
    assert_eq!(folder.names(), ["a-random-1.scen", "a.map", "a.terrain"]);
}

#[test]
fn a_read_only_plan_is_kept() {
    let folder = crossing("solve-read-only").with("plan.txt", "old");
    let path = folder.path("plan.txt");
    let mut permissions = std::fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    std::fs::set_permissions(&path, permissions).unwrap();
    folder.throng(&format!("{SOLVE} -o plan.txt")).exits(1).says("read-only");
    assert_eq!(folder.text("plan.txt"), "old");
}

#[test]
fn formats_that_need_to_know_more() {
    let scen = scenario(5, 5, &[[0, 0, 4, 4]]);
    let folder = Folder::new("solve-tracker").with("a.map", open_map(5, 5)).with("a.scen", scen);
    let words = "solve -m a.map -i a.scen -o plan.csv --format tracker-csv";
    folder.throng(words).exits(1).says("plan.csv").says("-i MAP-random-1.scen");
    assert_eq!(folder.names(), ["a.map", "a.scen"]);
}

#[test]
fn usage() {
    let folder = crossing("solve-usage");
    folder.throng("solve -m a.map").exits(1).says("--scen <SCEN>");
    folder.throng("solve -i a-random-1.scen").exits(1).says("--map <MAP>");
    folder.throng("solve --list -m a.map").exits(1).says("cannot be used with");
    folder.throng("solve -m b.map -i a-random-1.scen").exits(1).says("b.map: no such file");
    folder.throng("solve -m a.map -i b.scen").exits(1).says("b.scen: no such file");
}
