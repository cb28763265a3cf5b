//! The catalogue of bad input, through the command line: an error that names the file, exit
//! code 1, nothing written.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::{Folder, GAP};

#[track_caller]
fn refuses_map(content: &[u8], said: &str) {
    let folder = Folder::new("bad-map").with("a.map", content);
    let run = folder.throng("path -m a.map --from 0,0 --to 1,0 -o out.svg").exits(1);
    run.says("a.map").says(said);
    assert_eq!(folder.names(), ["a.map"]);
}

#[test]
fn broken_maps() {
    refuses_map(b"", "the file is empty");
    refuses_map(b"\x00\x01\x02\xff", "this is not a text file");
    refuses_map(b"type octile\nheight 2\nwidth 2\n", "the header has no end");
    refuses_map(b"type octile\nheight 2\nmap\n..\n..\n", "lacks the width");
    refuses_map(
        b"type octile\nheight 2\nwidth 3\nmap\n..\n...\n",
        "a.map:5:3: row 0 has 2 of 3 cells",
    );
    refuses_map(b"type octile\nheight 2\nwidth 2\nmap\n..\n", "ends after 1 of 2 rows");
    refuses_map(b"type octile\nheight 1\nwidth 2\nmap\n..\n..\n", "a row past the height");
    refuses_map(b"type octile\nheight 0\nwidth 2\nmap\n", "give a whole number from 1 to 4096");
    refuses_map(b"type octile\nheight 99999999999\nwidth 99999999999\nmap\n", "out of bounds");
    refuses_map(b"type octile\nheight -1\nwidth 2\nmap\n..\n", "not a whole number");
    refuses_map(
        b"type octile\nheight 1\nwidth 2\nmap\n.?\n",
        "a.map:5:2: '?' is no MovingAI terrain",
    );
}

#[test]
fn strange_but_sound_maps_are_read() {
    let crlf = GAP.replace('\n', "\r\n");
    let folder = Folder::new("sound-map")
        .with("crlf.map", format!("\u{feff}{crlf}\r\n"))
        .with("rows.map", "2,3\n...\n...\n");
    folder.throng("path -m crlf.map --from 0,0 --to 6,0").exits(0);
    folder.throng("path -m rows.map --from 0,0 --to 2,1").exits(0);
}

#[track_caller]
fn refuses_scenario(row: &str, said: &str) {
    let folder =
        Folder::new("bad-scen").with("a.map", GAP).with("a.scen", format!("version 1\n{row}\n"));
    folder.throng("path -m a.map --scen a.scen").exits(1).says("a.scen").says(said);
}

#[test]
fn broken_scenarios() {
    refuses_scenario("0\ta.map\t7\t4\t0\t0\t6", "the goal y is missing");
    refuses_scenario("0\ta.map\t7\t4\t0\t0\t6\t0\t9\t9", "a tenth field");
    refuses_scenario("0\ta.map\t7\t4\t7\t0\t6\t0\t9", "a.scen:2:13: start x '7' is out of bounds");
    refuses_scenario("0\ta.map\t7\t4\t0\t0\t6\t0\tNaN", "optimal length 'NaN' is no length");
    refuses_scenario("0\ta.map\t7\t4\t0\t0\t6\t0\tinf", "is no length");
    refuses_scenario("0\ta.map\t7\t4\t-1\t0\t6\t0\t9", "not a whole number");
    refuses_scenario(
        "0\ta.map\t7\t4\t0\t0\t6\t0\t9\n0\ta.map\t8\t4\t0\t0\t6\t0\t9",
        "give a scenario for a single map",
    );
}

#[track_caller]
fn refuses_plan(plan: &[u8], said: &str) {
    let scen = "version 1\n0\ta.map\t7\t4\t0\t0\t1\t0\t1\n";
    let folder =
        Folder::new("bad-plan").with("a.map", GAP).with("a.scen", scen).with("plan.txt", plan);
    folder.throng("check -m a.map -i a.scen -p plan.txt").exits(1).says("plan.txt").says(said);
}

#[test]
fn broken_plans() {
    refuses_plan(b"", "the file is empty");
    refuses_plan(b"hello", "no known plan format");
    refuses_plan(
        b"agents=1\nsolution=\n0:(0,0),(1,0),\n",
        "agents says 1 units, the solution has 2",
    );
    refuses_plan(b"agents=1\nsolution=\n0:(0,99999),\n", "plan.txt:3");
    refuses_plan(b"agents=9999999\nsolution=\n0:(0,0),\n", "plan.txt:1");
    refuses_plan(b"Agent 0: (0,0)->(x,0)->\n", "plan.txt:1");
    refuses_plan(b"{\"actionModel\": \"MAPF\"}", "plan.txt");
}

#[test]
fn broken_terrain_tables() {
    let check = |table: &str, said: &str| {
        let folder = Folder::new("bad-terrain").with("a.map", GAP).with("a.terrain", table);
        let words = "path -m a.map --terrain a.terrain --from 0,0 --to 1,0";
        folder.throng(words).exits(1).says("a.terrain").says(said);
    };
    check("", "the file is empty");
    check("F forest 0\n", "a.terrain:1:10: factor '0' is out of bounds");
    check("F forest -3\n", "give a whole number from 1 to 255");
    check("F 3\n", "the name or the factor is missing");
}

#[test]
fn cells_where_no_unit_can_be() {
    let folder = Folder::new("bad-cells").with("a.map", GAP);
    let check = |ends: &str, said: &str| {
        folder.throng(&format!("path -m a.map {ends}")).exits(1).says(said);
    };
    check("--from 3,0 --to 6,0", "start (3,0) is blocked");
    check("--from 0,0 --to 3,0", "goal (3,0) is blocked");
    check("--from 7,0 --to 6,0", "--from 7,0: off the map of 7 x 4 cells");
    check("--from 0,0 --to 0,4", "--to 0,4: off the map");
    folder.throng("path -m a.map --from 0,0 --to 0,0").exits(0).says("0 steps");
}

#[test]
fn files_that_are_none() {
    let folder = Folder::new("bad-files").with("a.map", GAP);
    let check = |map: &str, said: &str| {
        folder.throng(&format!("path -m {map} --from 0,0 --to 1,0")).exits(1).says(said);
    };
    check("none.map", "none.map: no such file; check the path");
    check(".", ".: this is a folder; give a file in it");
    check("a.map/b", "a.map/b:");
    let output = "path -m a.map --from 0,0 --to 1,0 -o";
    folder.throng(&format!("{output} a.map")).exits(1).says("would overwrite the input");
    folder.throng(&format!("{output} ./../bad-files/a.map")).exits(1).says("would overwrite");
    folder.throng(&format!("{output} a.gif")).exits(1).says("use .png or .svg");
    folder.throng(&format!("{output} no/a.svg")).exits(1).says("the folder does not exist");
    assert_eq!(folder.names(), ["a.map"]);
    assert_eq!(folder.text("a.map"), GAP);
}

#[test]
fn a_dash_reads_standard_input() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_throng"))
        .args(["path", "-m", "-", "--from", "0,0", "--to", "6,0"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(GAP.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert!(String::from_utf8(output.stdout).unwrap().contains("found: 8 steps"));
}

#[test]
fn existing_outputs_are_replaced_and_no_litter_is_left() {
    let folder = Folder::new("replace").with("a.map", GAP).with("out.svg", "old");
    folder.throng("path -m a.map --from 0,0 --to 1,0 -o out.svg").exits(0);
    assert!(folder.text("out.svg").starts_with("<svg"));
    assert_eq!(folder.names(), ["a.map", "out.svg"]);
}

#[test]
fn standard_input_serves_one_input() {
    let folder = Folder::new("stdin-twice").with("a.map", GAP);
    let run = folder.run_with_input("solve -m - -i -", GAP.as_bytes());
    run.exits(1).says("standard input (-) can be read only once");
}

#[test]
fn a_plan_for_more_units_than_the_scenario_has_is_named() {
    let plan = "0:".to_owned() + &"(0,0),".repeat(100_000) + "\n";
    let folder = Folder::new("plan-large").with("a.map", GAP).with("plan.txt", plan);
    let folder = folder.with("a.scen", "version 1\n0\ta.map\t7\t4\t0\t0\t2\t0\t2\n");
    let run = folder.throng("check -m a.map -i a.scen -p plan.txt").exits(1);
    run.says("plan.txt: the plan has 100000 units, the scenario 1; give the scenario");
}

#[cfg(unix)]
#[test]
fn control_characters_of_a_file_name_are_escaped_in_plans() {
    let name = "a\u{1b}[31m\nb.map";
    let folder = Folder::new("control-name").with(name, GAP);
    let folder = folder.with("a.scen", "version 1\n0\ta.map\t7\t4\t0\t0\t2\t0\t2\n");
    let run = folder.run_words(&["solve", "-m", name, "-i", "a.scen", "-o", "plan.txt"], &[], b"");
    run.exits(0);
    let plan = folder.text("plan.txt");
    assert!(plan.contains("map_file=a\\u{1b}[31m\\u{a}b.map\n"), "{plan}");
    folder.throng("convert plan.txt again.txt --to kei18").exits(0);
    assert_eq!(folder.text("again.txt"), plan);
}
