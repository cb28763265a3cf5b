//! `throng solve`: what comes of a scenario.

use serde_json::{Value, json};

use crate::{Folder, Run, SPLIT};

/// A scenario of units from (x, y) to (x, y) on a map of a size.
pub(crate) fn scenario(width: u16, height: u16, units: &[[u16; 4]]) -> String {
    let mut text = "version 1\n".to_owned();
    for [x, y, goal_x, goal_y] in units {
        let row = format!("0\ta.map\t{width}\t{height}\t{x}\t{y}\t{goal_x}\t{goal_y}\t1\n");
        text.push_str(&row);
    }
    text
}

pub(crate) fn open_map(width: usize, height: usize) -> String {
    let row = ".".repeat(width) + "\n";
    format!("type octile\nheight {height}\nwidth {width}\nmap\n{}", row.repeat(height))
}

/// Two units whose ways cross.
pub(crate) fn crossing(name: &str) -> Folder {
    let scen = scenario(5, 5, &[[0, 2, 4, 2], [2, 0, 2, 4]]);
    Folder::new(name).with("a.map", open_map(5, 5)).with("a-random-1.scen", scen)
}

pub(crate) const SOLVE: &str = "solve -m a.map -i a-random-1.scen";

#[test]
fn a_crossing_is_solved_and_measured() {
    let folder = crossing("solve");
    let run = folder.throng(&format!("{SOLVE} --solver hca -o plan.txt")).exits(0);
    let run = run.says("solved: 2 of 2 units arrive");
    let run = run.says("sum of costs   9, 1.125 times the lower bound of 8");
    run.says("throng render -m a.map -p plan.txt -o plan.gif");
    folder.throng("check -m a.map -i a-random-1.scen -p plan.txt").exits(0);
    folder.throng("render -m a.map -p plan.txt -o plan.gif").exits(0);
    let text = folder.text("plan.txt");
    for line in
        ["agents=2", "map_file=a.map", "solver=hca", "solved=1", "soc=9", "soc_lb=8", "seed=0"]
    {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
}

#[test]
fn the_object_has_the_names_of_the_contract() {
    let json =
        crossing("solve-json").throng(&format!("{SOLVE} --solver hca -s 5 --json")).exits(0).json();
    let names: Vec<_> = json.as_object().unwrap().keys().cloned().collect();
    let mut expected = [
        "status",
        "solver",
        "units",
        "arrived",
        "sum_of_costs",
        "time_away",
        "makespan",
        "lower_bound",
        "proven_bound",
        "optimal",
        "first_solution_ms",
        "runtime_ms",
        "expanded",
        "generated",
        "peak_open",
        "seed",
        "reproducible",
    ];
    expected.sort_unstable();
    assert_eq!(names, expected);
    let check = |name: &str, value: Value| assert_eq!(json[name], value, "{name}");
    check("status", json!("solved"));
    check("solver", json!("hca"));
    check("units", json!(2));
    check("arrived", json!(2));
    check("sum_of_costs", json!(9));
    check("time_away", json!(9));
    check("makespan", json!(5));
    check("lower_bound", json!(8));
    check("optimal", json!(false));
    check("seed", json!(5));
    check("reproducible", json!(true));
    let bound = json["proven_bound"].as_u64().unwrap();
    assert!((8..=9).contains(&bound), "{bound}");
    let first = json["first_solution_ms"].as_f64().unwrap();
    assert!(first > 0.0 && first <= json["runtime_ms"].as_f64().unwrap());
    let nodes = |name: &str| json[name].as_u64().unwrap();
    assert!(nodes("expanded") > 0 && nodes("generated") > 0 && nodes("peak_open") > 0);
}

#[test]
fn every_solver_gives_plans_that_the_check_finds_valid() {
    let folder = crossing("solve-all");
    let specs = ["lra", "ca", "hca", "whca", "whca,window=8", "hca,order=random,restarts=3"];
    let crowd = ["lacam", "lacam,swap=off,passes=0", "lns", "lns,first=hca", "auto"];
    let double = ["ca,passing=double", "hca,passing=double", "whca,passing=double"];
    for solver in specs.into_iter().chain(double).chain(crowd) {
        let words = format!("{SOLVE} --solver {solver} -o plan.txt --json");
        let json = folder.throng(&words).exits(0).json();
        assert_eq!((&json["status"], &json["solver"]), (&json!("solved"), &json!(solver)));
        let checked = folder.throng("check -m a.map -i a-random-1.scen -p plan.txt --json");
        let checked = checked.exits(0).json();
        for name in ["sum_of_costs", "time_away", "makespan", "arrived"] {
            assert_eq!(json[name], checked[name], "{solver} {name}");
        }
    }
}

#[test]
fn units_that_need_not_move_are_a_best_plan() {
    let scen = scenario(5, 5, &[[0, 0, 0, 0], [1, 0, 1, 0]]);
    let folder =
        Folder::new("solve-rest").with("a.map", open_map(5, 5)).with("a-random-1.scen", scen);
    let json = folder.throng(&format!("{SOLVE} --json")).exits(0).json();
    assert_eq!((&json["sum_of_costs"], &json["lower_bound"]), (&json!(0), &json!(0)));
    assert_eq!((&json["optimal"], &json["proven_bound"]), (&json!(true), &json!(0)));
}

#[test]
fn the_first_units_are_a_problem_of_their_own() {
    let folder = crossing("solve-first");
    let json = folder.throng(&format!("{SOLVE} -N 1 --json")).exits(0).json();
    assert_eq!((&json["units"], &json["sum_of_costs"]), (&json!(1), &json!(4)));
    assert_eq!(json["optimal"], true);
    folder.throng(&format!("{SOLVE} -N 1")).exits(0).says("lower bound of 4: optimal");
}

#[test]
fn diagonal_steps_and_large_units() {
    let scen = scenario(8, 8, &[[0, 0, 6, 6], [6, 0, 0, 6]]);
    let folder =
        Folder::new("solve-eight").with("a.map", open_map(8, 8)).with("a-random-1.scen", scen);
    let bound = |words: &str| {
        let json = folder.throng(&format!("{SOLVE} {words} -o plan.txt --json")).exits(0).json();
        let check = format!("check -m a.map -i a-random-1.scen -p plan.txt {words}");
        folder.throng(&check).exits(0);
        json["lower_bound"].as_u64().unwrap()
    };
    assert_eq!(bound("--moves 4"), 24);
    assert_eq!(bound("--moves 8"), 12);
    assert_eq!(bound("--moves 8 --footprint 2"), 12);
}

#[test]
fn the_objective_chooses_what_is_compared_with_the_bound() {
    let folder = crossing("solve-objective");
    let run = folder.throng(&format!("{SOLVE} --objective time-away")).exits(0);
    run.says("time away      9, 1.125 times the lower bound of 8").says("sum of costs   9\n");
}

/// Two units face each other in a corridor without a bay.
fn corridor(name: &str) -> Folder {
    let scen = scenario(6, 1, &[[0, 0, 5, 0], [5, 0, 0, 0]]);
    Folder::new(name).with("a.map", open_map(6, 1)).with("a-random-1.scen", scen)
}

#[test]
fn what_is_not_solved_is_not_called_so() {
    let folder = corridor("solve-partial");
    for solver in ["lra,turns=50", "ca", "hca", "whca,turns=50"] {
        let words = format!("{SOLVE} --solver {solver} -o plan.txt");
        let json = folder.throng(&format!("{words} --json")).exits(2).json();
        assert_eq!((&json["status"], &json["optimal"]), (&json!("partial"), &json!(false)));
        assert_eq!((&json["first_solution_ms"], &json["lower_bound"]), (&json!(null), &json!(10)));
        assert!(json["arrived"].as_u64().unwrap() < 2, "{solver}");
        let run = folder.throng(&words).exits(2).says("partial: ").says("not every unit arrives");
        run.says("not proven unsolvable");
        let check = folder.throng("check -m a.map -i a-random-1.scen -p plan.txt --json");
        let kinds = check.exits(3).json()["violations"].clone();
        assert!(kinds.as_array().unwrap().iter().all(|violation| violation["kind"] == "goal"));
        assert!(folder.text("plan.txt").contains("solved=0\n"));
    }
}

#[test]
fn a_goal_behind_a_wall_is_proven_unsolvable() {
    let scen = scenario(5, 2, &[[0, 0, 1, 1], [1, 0, 4, 1]]);
    let folder = Folder::new("solve-wall").with("a.map", SPLIT).with("a-random-1.scen", scen);
    for solver in ["lra", "ca", "hca", "whca"] {
        let words = format!("{SOLVE} --solver {solver} -o plan.txt");
        let run = folder.throng(&words).exits(3).says("unsolvable: ").says("unit 1");
        run.says("plan.txt: not written");
        let json = folder.throng(&format!("{words} --json")).exits(3).json();
        assert_eq!((&json["status"], &json["sum_of_costs"]), (&json!("unsolvable"), &json!(null)));
        assert!(json["reason"].as_str().unwrap().contains("unit 1"));
    }
    assert_eq!(folder.names(), ["a-random-1.scen", "a.map"]);
    folder.throng(&format!("{SOLVE} -N 1")).exits(0);
}

#[test]
fn a_budget_of_expansions_is_kept_and_reproducible() {
    let folder = crossing("solve-budget");
    let json = folder.throng(&format!("{SOLVE} --expansions 1 --json")).exits(2).json();
    assert_eq!((&json["status"], &json["reproducible"]), (&json!("budget"), &json!(true)));
    assert_eq!((&json["optimal"], &json["lower_bound"]), (&json!(false), &json!(8)));
    folder.throng(&format!("{SOLVE} --expansions 1")).exits(2).says("--expansions");
}

#[test]
fn the_clock_is_heard_in_the_middle_of_a_search() {
    let units: Vec<[u16; 4]> = (0..200).map(|i| [0, 10 * i, 2047, 2047 - 10 * i]).collect();
    let folder = Folder::new("solve-late")
        .with("a.map", open_map(2048, 2048))
        .with("a-random-1.scen", scenario(2048, 2048, &units));
    for solver in ["lra", "ca", "hca", "hca,arrival=obstacle", "whca"] {
        let words = format!("{SOLVE} --solver {solver} -t 0.2");
        let json = folder.throng(&format!("{words} --json")).exits(2).json();
        assert_eq!((&json["status"], &json["reproducible"]), (&json!("budget"), &json!(false)));
        // On a fast machine some units have their plans by then.
        let arrived = json["arrived"].as_u64().unwrap_or(0);
        assert!(json["lower_bound"].is_null() && arrived < 200, "{solver}: {json}");
    }
    folder.throng(&format!("{SOLVE} -t 0.2")).exits(2).says("lower bound    not computed");
}

#[test]
fn no_film_is_proposed_of_a_plan_that_is_too_long_for_one() {
    let folder = corridor("solve-long");
    let words = |turns: u32| format!("{SOLVE} --solver whca,turns={turns} -o plan.txt");
    folder.throng(&words(1666)).exits(2).says("look at it: throng render");
    folder.throng("render -m a.map -p plan.txt -o plan.gif --scale 1").exits(0);
    let run = folder.throng(&words(1667)).exits(2).says("plan.txt: kei18 plan");
    assert!(!run.out.contains("render"), "{}", run.out);
    folder.throng("render -m a.map -p plan.txt -o plan.gif --scale 1").exits(1);
}

#[test]
fn seed_and_command_decide_every_byte_and_threads_none() {
    let units: Vec<[u16; 4]> = (0..12).map(|i| [i, 0, 11 - i, 11]).collect();
    let folder = Folder::new("solve-bytes")
        .with("a.map", open_map(12, 12))
        .with("a-random-1.scen", scenario(12, 12, &units));
    for solver in ["hca,order=random", "whca,order=random", "lra"] {
        let plan = |words: &str| {
            let words = format!("{SOLVE} --solver {solver} -s 3 {words} -o plan.txt");
            assert!(matches!(folder.throng(&words).code, Some(0 | 2)), "{words}");
            folder.text("plan.txt")
        };
        let first = plan("");
        assert_eq!(first, plan("-t 600"));
        assert_eq!(first, plan("--threads 1"));
        assert_eq!(first, plan("--threads 8"));
    }
}

#[test]
fn plans_are_written_in_every_format() {
    let folder = crossing("solve-formats");
    let formats = [
        "kei18",
        "li-paths",
        "multi-robot-schedule",
        "tracker-json",
        "tracker-yaml",
        "tracker-csv",
        "planviz",
    ];
    for format in formats {
        let run = folder.throng(&format!("{SOLVE} -o plan.out --format {format}")).exits(0);
        run.says(&format!("plan.out: {format} plan"));
        let check = folder.throng("check -m a.map -i a-random-1.scen -p plan.out --json");
        let json = check.exits(0).json();
        assert_eq!((&json["format"], &json["sum_of_costs"]), (&json!(format), &json!(9)));
    }
}

#[test]
fn solvers_are_listed_with_their_options() {
    let folder = Folder::new("solve-list");
    let run: Run = folder.throng("solve --list").exits(0);
    let run = run.says("whca   WHCA*").says("window=16").says("2 to 4096");
    run.says("order=longest").says("given, longest or random");
    let json = folder.throng("solve --list --json").exits(0).json();
    let solvers = json["solvers"].as_array().unwrap();
    let names: Vec<_> = solvers.iter().map(|solver| solver["name"].as_str().unwrap()).collect();
    let papers = ["lra", "ca", "hca", "whca", "silver-ca", "silver-hca", "silver-whca"];
    assert_eq!(names[..7], papers);
    assert_eq!(names[7..], ["lacam", "lns", "auto", "joint", "standley"]);
    let window = &solvers[3]["options"][0];
    assert_eq!((&window["name"], &window["range"]), (&json!("window"), &json!([2, 4096])));
    let arrival = &solvers[2]["options"][0];
    assert_eq!(
        (&arrival["default"], &arrival["values"]),
        (&json!("parked"), &json!(["parked", "obstacle"]))
    );
}
