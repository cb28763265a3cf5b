//! `throng live`: scenarios in the live world.

use serde_json::{Value, json};

use crate::solve::{crossing, open_map, scenario};
use crate::{Folder, SPLIT};

const LIVE: &str = "live -m a.map -i a-random-1.scen";

#[test]
fn a_crossing_is_run_and_told() {
    let folder = crossing("live");
    let run = folder.throng(LIVE).exits(0).says("all 2 units on their goals at tick 5");
    let run = run.says("planner        whca, window 16").says("us per unit and tick");
    run.says("longest stall  1 ticks").says("referee        12 unit-ticks, no violation");
    folder.throng(&format!("{LIVE} --moves 8 -N 1")).exits(0).says("all 1 units").says("tick 4");
}

#[test]
fn the_object_has_the_names_of_the_contract() {
    let folder = crossing("live-json");
    let mut json = folder.throng(&format!("{LIVE} --json")).exits(0).json();
    for name in ["us_per_unit_tick_mean", "us_per_unit_tick_p99", "tick_ms_max"] {
        assert!(json[name].as_f64().unwrap() >= 0.0, "{name}");
        json.as_object_mut().unwrap().remove(name);
    }
    assert!(json["memory_bytes"].is_null() || json["memory_bytes"].as_u64().unwrap() > 1 << 20);
    assert_eq!(json["hash"].as_str().unwrap().len(), 16);
    for name in ["memory_bytes", "hash"] {
        json.as_object_mut().unwrap().remove(name);
    }
    let expected = json!({
        "units": 2, "arrived": 2, "ticks": 5, "all_arrived_tick": 5, "longest_stall_ticks": 1,
        "violations": 0, "skipped": 0, "reproducible": true,
    });
    assert_eq!(json, expected);
}

#[test]
fn a_limit_in_milliseconds_is_obeyed_and_told() {
    let folder = thirty("live-limit");
    let json = folder.throng(&format!("{LIVE} --budget-ms 60000 --json")).exits(0).json();
    assert_eq!(json["reproducible"], json!(true), "nothing was cut short");
    folder.throng(&format!("{LIVE} --budget-ms 1")).exits(0).says("no violation");
    let lra = folder.throng(&format!("{LIVE} --planner lra --budget-ms 5")).exits(1);
    lra.says("--budget-ms: not an option of lra");
    folder.throng(&format!("{LIVE} --budget-ms 0")).exits(1).says("--budget-ms");
}

/// The object without what differs from run to run.
fn lasting(mut json: Value) -> Value {
    for name in ["us_per_unit_tick_mean", "us_per_unit_tick_p99", "tick_ms_max", "memory_bytes"] {
        json.as_object_mut().unwrap().remove(name).unwrap();
    }
    json
}

/// A folder with thirty units on a random map.
fn thirty(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.throng("gen map random --width 16 --height 16 -s 3 -o a.map").exits(0);
    folder.throng("gen scen -m a.map -N 30 -s 2 -o a-random-1.scen").exits(0);
    folder
}

#[test]
fn the_same_seed_gives_the_same_run_for_any_number_of_threads() {
    let folder = thirty("live-seed");
    let run = |words: &str| {
        let words = format!("{LIVE} --renew --ticks 60 --json {words}");
        lasting(folder.throng(&words).exits(0).json())
    };
    let first = run("-s 1");
    assert_eq!((&first["ticks"], &first["all_arrived_tick"]), (&json!(60), &Value::Null));
    let goals = first["goals"].as_u64().unwrap();
    assert!(goals > 30, "{goals}");
    assert!((first["goals_per_tick"].as_f64().unwrap() - goals as f64 / 60.0).abs() < 1e-9);
    assert_eq!(run("-s 1 --threads 2"), first);
    assert_ne!(run("-s 2")["hash"], first["hash"]);
}

#[test]
fn renewed_goals_are_reached_and_can_be_reached() {
    let units = [[0, 0, 1, 1], [3, 0, 4, 1]];
    let scen = scenario(5, 2, &units);
    let folder = Folder::new("live-renew").with("a.map", SPLIT).with("a-random-1.scen", scen);
    folder
        .throng(&format!("{LIVE} --renew --ticks 50 -o run.json"))
        .exits(0)
        .says("goals per tick");
    let json: Value = serde_json::from_slice(&folder.read("run.json")).unwrap();
    let orders = json["orders"].as_array().unwrap();
    assert!(orders.len() > 10, "{orders:?}");
    for order in orders {
        let is_east = order[2].as_u64().unwrap() >= 3;
        assert_eq!(is_east, order[1] == 1, "the other side cannot be reached: {order}");
    }
    let cells = json["cells"].as_array().unwrap();
    assert_eq!((cells.len(), &cells[0]), (51, &json!([[0, 0], [3, 0]])));
    // Each unit is on a goal at the tick in which it gets the next one.
    for unit in [0, 1] {
        let own: Vec<_> = orders.iter().filter(|order| order[1] == unit).collect();
        for pair in own.windows(2) {
            let tick = pair[1][0].as_u64().unwrap() as usize;
            assert_eq!(cells[tick][unit], json!([pair[0][2], pair[0][3]]));
        }
    }
}

#[test]
fn units_that_do_not_arrive_are_told_from_those_that_cannot() {
    let scen = scenario(5, 2, &[[0, 0, 4, 0], [0, 1, 1, 1]]);
    let folder = Folder::new("live-split").with("a.map", SPLIT).with("a-random-1.scen", scen);
    let run = folder.throng(&format!("{LIVE} --ticks 20")).exits(2);
    let run = run.says("1 of 2 units on their goals after 20 ticks of whca");
    run.says("unreachable    1 units").says("not all arrived: no path leads to the other goals");
    folder.throng(&format!("{LIVE} --ticks 20 --planner lra")).exits(2).says("unreachable    1");
    let folder = crossing("live-short");
    let json = folder.throng(&format!("{LIVE} --ticks 2 --json")).exits(2).json();
    assert_eq!((&json["ticks"], &json["all_arrived_tick"]), (&json!(2), &Value::Null));
    folder.throng(&format!("{LIVE} --ticks 2")).exits(2).says("give more --ticks");
}

#[test]
fn large_and_slow_units_keep_the_rules_and_those_that_do_not_fit_are_counted() {
    let units = [[0, 0, 9, 9], [1, 1, 5, 5], [4, 0, 0, 8], [8, 0, 4, 5], [0, 5, 8, 5]];
    let scen = scenario(11, 11, &units);
    let folder =
        Folder::new("live-size").with("a.map", open_map(11, 11)).with("a-random-1.scen", scen);
    for planner in ["whca", "lra"] {
        let words = format!("{LIVE} --size 2 --pace 3 --moves 8 --planner {planner} --ticks 300");
        // The second unit starts on the first, and the fourth covers the second's goal.
        let json = folder.throng(&format!("{words} --json")).json();
        let numbers = ["units", "skipped", "violations"].map(|name| json[name].as_u64().unwrap());
        assert_eq!(numbers, [4, 1, 0], "{planner}");
    }
    folder
        .throng(&format!("{LIVE} --size 2 --ticks 300"))
        .says("1 units of 2 x 2 cells do not fit");
    folder.throng(&format!("{LIVE} --size 12")).exits(1).says("give a smaller --size");
}

#[test]
fn a_run_can_be_looked_at_again() {
    let folder = crossing("live-output");
    let write = |file: &str, said: &str| {
        let words = format!("{LIVE} --moves 8 -s 3 -o {file}");
        folder.throng(&words).exits(0).says(&format!("{file}: {said} of "));
    };
    write("run.gif", "film");
    write("run.svg", "film");
    write("run.json", "orders and cells");
    write("run.txt", "kei18 plan");
    assert!(folder.read("run.gif").starts_with(b"GIF89a"));
    assert!(folder.text("run.svg").contains("<animate "));
    let text = folder.text("run.txt");
    for line in ["agents=2", "map_file=a.map", "solver=live-whca", "solved=1", "seed=3"] {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
    folder.throng("check -m a.map -i a-random-1.scen -p run.txt --moves 8").exits(0);
    folder.throng("render -m a.map -p run.txt -o again.gif").exits(0);
    let json: Value = serde_json::from_slice(&folder.read("run.json")).unwrap();
    assert_eq!((&json["units"], &json["planner"]), (&json!(2), &json!("whca")));
    assert_eq!(json["orders"], json!([[0, 0, 4, 2], [0, 1, 2, 4]]));
    assert_eq!(json["cells"][0], json!([[0, 2], [2, 0]]));
}

#[test]
fn units_that_repair_their_paths_alone_get_stuck_and_keep_the_rules() {
    let folder = thirty("live-lra");
    let run = |planner: &str| {
        let words = format!("{LIVE} --planner {planner} --ticks 300 --json");
        let json = folder.throng(&words).json();
        assert_eq!(json["violations"], 0, "{planner}");
        json["arrived"].as_u64().unwrap()
    };
    assert!(run("lra") <= run("whca"));
}

#[test]
fn what_cannot_run_is_refused_by_name() {
    let folder = crossing("live-refusals")
        .with("wall.scen", scenario(5, 2, &[[0, 0, 2, 0]]))
        .with("same.scen", scenario(5, 5, &[[0, 0, 1, 0], [0, 0, 2, 0]]))
        .with("none.scen", "version 1\n")
        .with("split.map", SPLIT);
    let check = |words: &str, said: &str| {
        folder.throng(words).exits(1).says(said);
    };
    check("live -m a.map", "--scen");
    check("live -m none.map -i a-random-1.scen", "none.map: no such file");
    check("live -m split.map -i wall.scen", "wall.scen:2: unit 0: goal (2,0)");
    check("live -m a.map -i same.scen", "same.scen:3:");
    check("live -m a.map -i none.scen", "none.scen: the scenario has no units; add rows");
    check(&format!("{LIVE} -N 3"), "3 units asked for, the scenario has 2");
    check(&format!("{LIVE} -N 0"), "0 is not in 1..");
    check(&format!("{LIVE} --ticks 0"), "0 is not in 1..");
    check(&format!("{LIVE} --size 17"), "17 is not in 1..=16");
    check(&format!("{LIVE} --pace 0"), "0 is not in 1..=64");
    check(&format!("{LIVE} --window 49"), "49 is not in 2..=48");
    check(&format!("{LIVE} --budget 0"), "--budget");
    check(&format!("{LIVE} --threads 0"), "--threads");
    check(&format!("{LIVE} --planner hca"), "[possible values: whca, lra]");
    check(&format!("{LIVE} --planner lra --renew"), "--renew: not an option of lra");
    check(&format!("{LIVE} --planner lra --window 8"), "--window: not an option of lra");
    check(&format!("{LIVE} -o a.map"), "would overwrite the input");
    check(&format!("{LIVE} -o none/run.gif"), "the folder does not exist");
}

/// Two units face each other in a corridor of one row: who does not arrive is named, with the reason.
#[test]
fn units_that_do_not_arrive_are_named() {
    let folder = Folder::new("live-short")
        .with("a.map", "type octile\nheight 1\nwidth 8\nmap\n........\n")
        .with("a-random-1.scen", scenario(8, 1, &[[1, 0, 6, 0], [6, 0, 1, 0]]));
    let run = folder.throng(&format!("{LIVE} --ticks 60")).exits(2).says("0 of 2 units");
    run.says("short of goal  unit 0 at (").says("goal (6,0): ").says("not all arrived");
}
