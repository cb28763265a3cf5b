//! `throng solve` in a crowd: `lacam`, `lns` and `auto`.

use serde_json::{Value, json};

use crate::Folder;
use crate::solve::{SOLVE, crossing, open_map, scenario};

/// Sixty units on a map of 10 x 10 cells that all go to the opposite cell.
fn crowd(name: &str) -> Folder {
    let unit = |i: u16| {
        let (x, y) = (i % 10, i / 10);
        [x, y, 9 - x, 9 - y]
    };
    let units: Vec<_> = (0..60).map(unit).collect();
    Folder::new(name)
        .with("a.map", open_map(10, 10))
        .with("a-random-1.scen", scenario(10, 10, &units))
}

fn solved(folder: &Folder, words: &str) -> Value {
    let json = folder.throng(&format!("{SOLVE} {words} --json")).exits(0).json();
    assert_eq!(json["status"], "solved", "{words}: {json}");
    json
}

fn cost(json: &Value) -> u64 {
    json["sum_of_costs"].as_u64().unwrap()
}

#[test]
fn a_crowd_is_solved_and_then_solved_better() {
    let folder = crowd("crowd");
    let first = solved(&folder, "--solver lacam -o plan.txt");
    folder.throng("check -m a.map -i a-random-1.scen -p plan.txt").exits(0);
    let better = solved(&folder, "--solver lns,first=lacam --expansions 3000000 -o plan.txt");
    folder.throng("check -m a.map -i a-random-1.scen -p plan.txt").exits(0);
    assert!(cost(&better) < cost(&first), "{better}\n{first}");
    assert_eq!(better["used"], json!(["lacam", "lns"]));
    let points = better["curve"].as_array().unwrap();
    let costs: Vec<u64> = points.iter().map(|point| point["cost"].as_u64().unwrap()).collect();
    assert!(costs.len() > 1 && costs.is_sorted_by(|before, after| before > after), "{costs:?}");
    assert_eq!(costs.last(), Some(&cost(&better)));
}

#[test]
fn lacam_makes_the_first_plan_where_hca_fails() {
    // Two units exchange places in a corridor with one recess: one of them has to give way.
    let map = "type octile\nheight 2\nwidth 5\nmap\n.....\n@@.@@\n";
    let units = [[0, 0, 4, 0], [4, 0, 0, 0], [2, 1, 2, 1]];
    let folder = Folder::new("crowd-hca-fails")
        .with("a.map", map)
        .with("a-random-1.scen", scenario(5, 2, &units));
    folder.throng(&format!("{SOLVE} -N 2 --solver hca --json")).exits(2);
    let json = solved(&folder, "-N 2 --solver lns,first=hca --expansions 1000000");
    assert_eq!(json["used"], json!(["hca", "lacam", "lns"]));
}

#[test]
fn threads_change_no_byte_of_a_plan() {
    let folder = crowd("crowd-threads");
    for solver in ["lacam", "lns,first=lacam", "auto"] {
        let plan = |threads: u32| {
            let words = format!("--solver {solver} --expansions 1500000 --threads {threads}");
            let json = solved(&folder, &format!("{words} -s 4 -o plan.txt"));
            assert_eq!(json["reproducible"], json!(true), "{solver}");
            folder.text("plan.txt")
        };
        let first = plan(1);
        assert_eq!(first, plan(2), "{solver}");
        assert_eq!(first, plan(8), "{solver}");
    }
}

#[test]
fn the_curve_is_drawn_beside_the_plan() {
    let folder = crowd("crowd-curve");
    let words = "--solver lns --expansions 1000000 -o plan.txt -o curve.svg";
    folder.throng(&format!("{SOLVE} {words}")).exits(0).says("times the lower bound");
    assert!(folder.text("curve.svg").contains("cost / lower bound"));
    assert!(folder.text("plan.txt").contains("solver=lns"));
    let twice = folder.throng(&format!("{SOLVE} -o a.svg -o b.svg")).exits(1);
    twice.says("at most one file for the plan and one .svg for the curve");
    // A solver that does not improve its plan has a curve of one point.
    folder.throng(&format!("{SOLVE} --solver lacam -o plan.txt -o a.svg")).exits(0);
    assert!(folder.text("a.svg").contains("cost / lower bound"));
}

#[test]
fn a_bound_that_is_not_proven_is_not_called_solved() {
    let folder = crowd("crowd-bound");
    let met = solved(&folder, "--solver lns,bound=20");
    assert!(cost(&met) <= 20 * met["proven_bound"].as_u64().unwrap());
    let words = "--solver lns,bound=1.001 --expansions 200000 -o plan.txt --json";
    let json = folder.throng(&format!("{SOLVE} {words}")).exits(2).json();
    assert_eq!((&json["status"], &json["arrived"]), (&json!("budget"), &json!(60)));
    let text = folder.throng(&format!("{SOLVE} --solver lns,bound=1.001 --expansions 200000"));
    text.exits(2).says("every unit arrives, but the bound asked for is not proven");
    folder.throng("check -m a.map -i a-random-1.scen -p plan.txt").exits(0);
}

#[test]
fn auto_takes_what_suits_the_problem_and_names_it() {
    let json = solved(&crossing("auto-few"), "--solver auto");
    assert_eq!((&json["used"], &json["optimal"]), (&json!(["joint"]), &json!(true)));
    let dense = solved(&crowd("auto-dense"), "--solver auto --expansions 300000");
    assert_eq!(dense["used"], json!(["lacam", "lns"]));
    let units: Vec<[u16; 4]> = (0..20).map(|i| [2 * i, 0, 2 * i, 38]).collect();
    let folder = Folder::new("auto-sparse")
        .with("a.map", open_map(40, 40))
        .with("a-random-1.scen", scenario(40, 40, &units));
    let sparse = solved(&folder, "--solver auto");
    assert_eq!((&sparse["used"], &sparse["optimal"]), (&json!(["hca"]), &json!(true)));
    let large = solved(&folder, "-N 3 --footprint 2 --solver auto");
    assert_eq!(large["status"], json!("solved"));
}

#[test]
fn units_that_a_planner_cannot_move_are_named() {
    let folder = Folder::new("crowd-large")
        .with("a.map", open_map(5, 5))
        .with("a-random-1.scen", scenario(5, 5, &[[0, 0, 3, 3]]));
    for solver in ["lacam", "lns"] {
        let refused = folder.throng(&format!("{SOLVE} --solver {solver} --footprint 2")).exits(1);
        refused.says("does not support").says("footprint of 2");
    }
}

#[test]
fn what_cannot_be_solved_is_proven() {
    // Two units in a corridor exchange their places.
    let folder = Folder::new("crowd-proof")
        .with("a.map", open_map(4, 1))
        .with("a-random-1.scen", scenario(4, 1, &[[0, 0, 3, 0], [3, 0, 0, 0]]));
    for solver in ["lacam", "lns,first=lacam", "auto"] {
        let json = folder.throng(&format!("{SOLVE} --solver {solver} --json")).exits(3).json();
        assert_eq!(json["status"], "unsolvable", "{solver}");
    }
}
