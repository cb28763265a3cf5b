//! `throng check`.

use serde_json::{Value, json};

use crate::Folder;

const MAP: &str = "type octile\nheight 2\nwidth 3\nmap\n...\n...\n";
const SCEN: &str = "version 1\n0\ta.map\t3\t2\t0\t0\t2\t0\t2\n0\ta.map\t3\t2\t2\t1\t0\t1\t2\n";
const GOOD: &str = "agents=2\nsolution=\n0:(0,0),(2,1),\n1:(1,0),(1,1),\n2:(2,0),(0,1),\n";

fn folder(name: &str, plan: &str) -> Folder {
    Folder::new(name).with("a.map", MAP).with("a.scen", SCEN).with("plan.txt", plan)
}

const CHECK: &str = "check -m a.map -i a.scen -p plan.txt";

#[test]
fn a_solution_is_valid_and_measured() {
    let folder = folder("check", GOOD);
    folder.throng(CHECK).exits(0).says("valid: 2 of 2 units arrive; sum of costs 4");
    let json = folder.throng(&format!("{CHECK} -N 2 --json")).exits(0).json();
    assert_eq!(json["valid"], true);
    assert_eq!(json["violations"], json!([]));
    assert_eq!((&json["sum_of_costs"], &json["time_away"]), (&json!(4), &json!(4)));
    assert_eq!((&json["makespan"], &json["format"]), (&json!(2), &json!("kei18")));
}

#[test]
fn other_formats_are_told_by_content() {
    let plan = "Agent 0: (0,0)->(0,1)->(0,2)->\nAgent 1: (1,2)->(1,1)->(1,0)->\n";
    let json = folder("check-li", plan).throng(&format!("{CHECK} --json")).exits(0).json();
    assert_eq!(json["format"], "li-paths");
}

#[test]
fn every_violation_is_listed() {
    let plan = "agents=2\nsolution=\n0:(0,0),(2,1),\n1:(1,0),(1,0),\n2:(2,0),(2,0),\n";
    let folder = folder("check-bad", plan);
    let run = folder.throng(CHECK).exits(3).says("INVALID: 1 of 2 units arrive");
    run.says("hold the same cells: (1,0)").says("by kind:").says("2 vertex");
    let json = folder.throng(&format!("{CHECK} --json")).exits(3).json();
    assert_eq!(json["valid"], false);
    let first = &json["violations"][0];
    assert_eq!((&first["kind"], &first["tick"]), (&json!("vertex"), &json!(1)));
    assert_eq!((&first["units"], &first["cells"]), (&json!([0, 1]), &json!([[1, 0]])));
    let kinds = |json: &Value| -> Vec<String> {
        let violations = json["violations"].as_array().unwrap().iter();
        violations.map(|v| v["kind"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(kinds(&json), ["vertex", "contiguity", "vertex", "goal"]);
    let eight = folder.throng(&format!("{CHECK} --moves 8 --json")).exits(3).json();
    assert_eq!(kinds(&eight), ["vertex", "vertex", "goal"]);
}

#[test]
fn a_plan_for_fewer_units_fails_only_where_more_are_asked_for() {
    let plan = "agents=1\nsolution=\n0:(0,0),\n1:(1,0),\n2:(2,0),\n";
    let folder = folder("check-few", plan);
    folder.throng(CHECK).exits(0);
    folder.throng(&format!("{CHECK} -N 2")).exits(3).says("unit_count");
    folder.throng(&format!("{CHECK} -N 3")).exits(1).says("the scenario has 2");
}

#[test]
fn a_legal_plan_that_is_not_complete_is_told_apart() {
    let plan = "agents=2\nsolution=\n0:(0,0),(2,1),\n1:(1,0),(1,1),\n";
    let folder = folder("check-incomplete", plan);
    let run = folder.throng(CHECK).exits(3).says("legal but INCOMPLETE: 0 of 2 units arrive");
    assert!(!run.out.contains("INVALID"), "{}", run.out);
    let json = folder.throng(&format!("{CHECK} --json")).exits(3).json();
    assert_eq!((&json["valid"], &json["legal"]), (&json!(false), &json!(true)));
    let kinds = json["violations"].as_array().unwrap();
    assert!(kinds.len() == 2 && kinds.iter().all(|violation| violation["kind"] == "goal"));
}

#[test]
fn diagonal_steps_where_only_straight_ones_are_allowed_get_a_hint() {
    let scen = "version 1\n0\ta.map\t3\t2\t0\t0\t1\t1\t1\n";
    let plan = "agents=1\nsolution=\n0:(0,0),\n1:(1,1),\n";
    let folder = Folder::new("check-diagonal");
    let folder = folder.with("a.map", MAP).with("a.scen", scen).with("plan.txt", plan);
    folder.throng(CHECK).exits(3).says("check with --moves 8");
    let run = folder.throng(&format!("{CHECK} --moves 8")).exits(0);
    assert!(!run.out.contains("--moves 8"));
    let jump = folder.with("plan.txt", "agents=1\nsolution=\n0:(0,0),\n1:(2,1),\n2:(1,1),\n");
    let run = jump.throng(CHECK).exits(3).says("contiguity");
    assert!(!run.out.contains("--moves 8"), "{}", run.out);
}
