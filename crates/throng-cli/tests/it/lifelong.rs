//! `throng solve --lifelong` and `throng gen lorr`: runs of scenarios and of problems in the format
//! of the League of Robot Runners.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::Folder;
use crate::solve::{SOLVE, crossing};

/// A folder with a problem of the League on a random map.
fn league(name: &str, options: &str) -> Folder {
    let folder = Folder::new(name);
    folder.throng("gen map random --width 16 --height 16 -s 3 -o a.map").exits(0);
    folder.throng(&format!("gen lorr -m a.map -N 30 -s 2 -o problem.json {options}")).exits(0);
    folder
}

#[test]
fn a_scenario_runs_and_the_object_has_the_names_of_the_contract() {
    let folder = crossing("lifelong");
    let words = format!("{SOLVE} --lifelong 50 -s 4");
    folder.throng(&words).exits(0).says("solved: 2 units reach").says("goals per tick");
    let mut json = folder.throng(&format!("{words} --json")).exits(0).json();
    assert!(json["goals"].as_u64().unwrap() > 10 && json["expanded"].as_u64().unwrap() > 0);
    let per_tick = json["goals"].as_f64().unwrap() / 50.0;
    assert!((json["goals_per_tick"].as_f64().unwrap() - per_tick).abs() < 1e-9);
    for varying in ["goals", "goals_per_tick", "expanded", "us_per_tick_mean"] {
        assert!(json[varying].is_number(), "{varying}");
        json.as_object_mut().unwrap().remove(varying);
    }
    let expected = json!({
        "status": "solved", "units": 2, "ticks": 50, "seed": 4, "reproducible": true,
        "violations": 0,
    });
    assert_eq!(json, expected);
}

#[test]
fn the_trace_begins_with_the_goals_of_the_scenario() {
    let folder = crossing("lifelong-trace");
    for (file, moves) in [("a.txt", 4), ("b.json", 4), ("c.txt", 8)] {
        let words = format!("{SOLVE} --lifelong 30 --moves {moves} -o {file}");
        folder.throng(&words).exits(0).says(&format!("{file}: written"));
    }
    let text = folder.text("a.txt");
    assert!(text.contains("solver=lifelong") && text.contains("\n30:("), "{text}");
    let json: Value = serde_json::from_slice(&folder.read("b.json")).unwrap();
    assert_eq!(json["actionModel"], "MAPF");
    assert_eq!(json["tasks"][0], json!([0, 2, 4]));
    assert_eq!(json["events"][1][0], json!([1, 0, "assigned"]));
    let refused = folder.throng(&format!("{SOLVE} --lifelong 9 --moves 8 -o d.json"));
    refused.exits(1).says("no diagonal steps");
}

#[test]
fn the_same_seed_gives_the_same_file() {
    let folder = league("lifelong-seed", "--tasks 500");
    for (file, seed) in [("a", 1), ("b", 1), ("c", 2)] {
        let words = format!("solve -i problem.json --lifelong 60 -s {seed} -o {file}.json");
        folder.throng(&words).exits(0);
    }
    assert_eq!(folder.read("a.json"), folder.read("b.json"));
    assert_ne!(folder.read("a.json"), folder.read("c.json"));
}

#[test]
fn repairs_can_be_limited_and_left_out() {
    let folder = crossing("lifelong-repairs");
    for most in [0, 1, 1000] {
        let words = format!("{SOLVE} --lifelong 40 --repairs-per-tick {most} --json");
        assert_eq!(folder.throng(&words).exits(0).json()["violations"], 0);
    }
    let folder = league("lifelong-repairs-turns", "--tasks 100");
    let words = "solve -i problem.json --lifelong 9 --repairs-per-tick";
    folder.throng(&format!("{words} 0")).exits(0);
    folder.throng(&format!("{words} 7")).exits(1).says("units that turn plan one tick at a time");
}

/// Where a unit is and how it is turned: row, column, heading as in the start kit.
type State = (i64, i64, usize);

fn after([row, column, heading]: [i64; 3], action: &str) -> State {
    let steps = [(0, 1), (1, 0), (0, -1), (-1, 0)];
    let ahead = steps[heading as usize];
    match action {
        "F" => (row + ahead.0, column + ahead.1, heading as usize),
        "R" => (row, column, (heading as usize + 1) % 4),
        "C" => (row, column, (heading as usize + 3) % 4),
        "W" => (row, column, heading as usize),
        other => panic!("{other} is no action"),
    }
}

fn integers(value: &Value) -> Vec<i64> {
    value.as_array().unwrap().iter().filter_map(Value::as_i64).collect()
}

/// Replays an output file by the rules of the start kit, written apart from all other code.
/// Returns the number of goals reached.
#[track_caller]
fn replay(map: &str, output: &Value) -> usize {
    let rows: Vec<&[u8]> = map.lines().skip(4).map(str::as_bytes).collect();
    let tasks: BTreeMap<i64, Vec<i64>> = output["tasks"]
        .as_array()
        .unwrap()
        .iter()
        .map(integers)
        .map(|task| (task[0], task[1..].to_vec()))
        .collect();
    let mut states: Vec<State> = output["start"]
        .as_array()
        .unwrap()
        .iter()
        .map(integers)
        .map(|start| (start[0], start[1], 0))
        .collect();
    let paths: Vec<Vec<&str>> = output["actualPaths"]
        .as_array()
        .unwrap()
        .iter()
        .map(|path| path.as_str().unwrap().split(',').collect())
        .collect();
    let mut finished = 0;
    let ticks = output["makespan"].as_u64().unwrap() as usize;
    assert!(paths.iter().all(|path| path.len() == ticks));
    for tick in 0..ticks {
        let before = states.clone();
        for (unit, (state, path)) in states.iter_mut().zip(&paths).enumerate() {
            *state = after([state.0, state.1, state.2 as i64], path[tick]);
            assert_eq!(rows[state.0 as usize][state.1 as usize], b'.', "unit {unit} in a wall");
        }
        for a in 0..states.len() {
            for b in 0..a {
                let place = |states: &[State], unit: usize| (states[unit].0, states[unit].1);
                assert_ne!(place(&states, a), place(&states, b), "{a} and {b} at {tick}");
                let swap = place(&states, a) == place(&before, b)
                    && place(&states, b) == place(&before, a);
                assert!(!swap, "{a} and {b} swap at {tick}");
            }
        }
        for (unit, events) in output["events"].as_array().unwrap().iter().enumerate() {
            for event in events.as_array().unwrap() {
                if event[2] == "finished" && event[1] == json!(tick + 1) {
                    let goal = &tasks[&event[0].as_i64().unwrap()];
                    assert_eq!((states[unit].0, states[unit].1), (goal[0], goal[1]));
                    finished += 1;
                }
            }
        }
    }
    finished
}

#[test]
fn league_problems_run_by_the_rules_of_the_start_kit() {
    for strategy in ["roundrobin", "greedy", "roundrobin_fixed"] {
        let options = format!("--tasks 90 --strategy {strategy}");
        let folder = league(&format!("lifelong-{strategy}"), &options);
        assert_eq!(
            folder.names(),
            ["a.map", "problem.agents", "problem.json", "problem.map", "problem.tasks"]
        );
        let words = "solve -i problem.json --lifelong 400 -o out.json --json";
        let json = folder.throng(words).exits(0).json();
        assert_eq!((&json["units"], &json["violations"]), (&json!(30), &json!(0)));
        let output: Value = serde_json::from_slice(&folder.read("out.json")).unwrap();
        assert_eq!(
            (&output["actionModel"], &output["AllValid"]),
            (&json!("MAPF_T"), &json!("Yes"))
        );
        let goals = replay(&folder.text("problem.map"), &output) as u64;
        assert_eq!(json["goals"].as_u64(), Some(goals));
        assert_eq!(output["numTaskFinished"].as_u64(), Some(goals));
        let expected = if strategy == "roundrobin" { goals > 200 } else { goals == 90 };
        assert!(expected, "{strategy}: {goals} goals");
    }
}

#[test]
fn a_limit_ends_the_run_early() {
    let folder = crossing("lifelong-limit");
    let words = format!("{SOLVE} --lifelong 1000 --expansions 300 --json");
    let json = folder.throng(&words).exits(2).json();
    assert_eq!((&json["status"], &json["reproducible"]), (&json!("budget"), &json!(true)));
    assert!(json["ticks"].as_u64().unwrap() < 1000);
    folder.throng(&format!("{SOLVE} --lifelong 20 --expansions-per-tick 0")).exits(0);
}

#[test]
fn what_cannot_run_is_refused_by_name() {
    let folder = league("lifelong-refusals", "--tasks 40");
    let start = folder.text("problem.agents").lines().nth(1).unwrap().to_owned();
    let folder = folder
        .with("none.json", folder_problem("nowhere.agents", "problem.tasks", "", 3))
        .with("few.json", folder_problem("problem.agents", "problem.tasks", "", 31))
        .with(
            "new.json",
            folder_problem("problem.agents", "problem.tasks", "\"version\":\"2024 LoRR\",", 3),
        )
        .with(
            "odd.json",
            folder_problem(
                "problem.agents",
                "problem.tasks",
                "\"taskAssignmentStrategy\":\"odd\",",
                3,
            ),
        )
        .with("wide.json", folder_problem("problem.agents", "wide.tasks", "", 3))
        .with("long.json", folder_problem("problem.agents", "long.tasks", "", 3))
        .with("same.json", folder_problem("same.agents", "problem.tasks", "", 2))
        .with("wide.tasks", "1\n256\n")
        .with("long.tasks", "1\n3,4\n")
        .with("same.agents", format!("2\n{start}\n{start}\n"));
    let check = |words: &str, said: &str| {
        folder.throng(words).exits(1).says(said);
    };
    check("solve -i none.json --lifelong 5", "nowhere.agents: no such file");
    check("solve -i few.json --lifelong 5", "30 starts for a team of 31");
    check("solve -i new.json --lifelong 5", "only problems of 2023 run");
    check("solve -i odd.json --lifelong 5", "use roundrobin, greedy or roundrobin_fixed");
    check("solve -i wide.json --lifelong 5", "location 256 is off the map");
    check("solve -i long.json --lifelong 5", "task 0 has 2 errands");
    check("solve -i same.json --lifelong 5", "units 0 and 1 both start at");
    check("solve -i problem.json --lifelong 5 --moves 8", "straight steps only");
    check("solve -i problem.json --lifelong 5 -o problem.tasks", "would overwrite the input");
    check("solve -i problem.json --lifelong 0", "0 is not in 1..");
    check("solve -i problem.json --lifelong 5 --solver hca", "cannot be used with");
    check("solve -i problem.json", "--map");
    check("gen lorr -m a.map -N 9999 -o b.json", "of 9999 units");
    check("gen lorr -m a.map -N 9 -o b.txt", "use .json");
    check("gen lorr -m problem.map -N 9 -o problem.json", "would overwrite the input");
}

fn folder_problem(agents: &str, tasks: &str, more: &str, team: usize) -> String {
    format!(
        "{{\"mapFile\":\"problem.map\",\"agentFile\":\"{agents}\",\"taskFile\":\"{tasks}\",{more}\
         \"teamSize\":{team},\"numTasksReveal\":1}}"
    )
}
