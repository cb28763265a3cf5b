//! `throng path`.

use serde_json::json;

use crate::{Folder, GAP, SPLIT};

#[test]
fn the_shortest_way_is_found_and_told() {
    let folder = Folder::new("path").with("gap.map", GAP);
    let run = folder.throng("path -m gap.map --from 0,0 --to 6,0").exits(0);
    run.says("found: 8 steps from (0,0) to (6,0), cost 9.66").says("(3,3)");
    let json = folder.throng("path -m gap.map --from 0,0 --to 6,0 --json").exits(0).json();
    assert_eq!(json["status"], "found");
    assert!((json["cost"].as_f64().unwrap() - 9.656_854).abs() < 1e-5);
    assert_eq!(json["from"], json!([0, 0]));
    assert_eq!(json["to"], json!([6, 0]));
    assert_eq!(json["cells"].as_array().unwrap().len(), 9);
    assert_eq!(json["search"], "jps");
    assert!(json["expanded"].as_u64().unwrap() > 0);
}

#[test]
fn moves_corners_footprint_and_search_count() {
    let folder = Folder::new("path-options").with("gap.map", GAP);
    let cost = |options: &str| {
        let words = format!("path -m gap.map --from 0,0 --to 5,0 --json {options}");
        folder.throng(&words).exits(0).json()["cost"].as_f64().unwrap()
    };
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-5, "{a} {b}");
    close(cost("--moves 4"), 11.0);
    close(cost("--search astar"), cost("--search jps"));
    close(cost("--corners one-side"), cost("--corners always"));
    assert!(cost("--corners always") < cost("--corners never"));
    let big = folder.throng("path -m gap.map --from 0,0 --to 5,0 --footprint 2 --json").exits(3);
    assert_eq!(big.json()["status"], "unreachable");
}

#[test]
fn the_answer_names_its_search() {
    let row = format!("{}\n", "F".repeat(300));
    let map = format!("type octile\nheight 300\nwidth 300\nmap\n{}", row.repeat(300));
    let folder = Folder::new("path-search")
        .with("wood.map", map.replacen('F', ".", 1))
        .with("wood.terrain", "F forest 2\n")
        .with("gap.map", GAP);
    let search = |words: &str| {
        let json = folder.throng(&format!("path {words} --json")).exits(0).json();
        json["search"].as_str().unwrap().to_owned()
    };
    let (small, large) = ("-m gap.map --from 0,0 --to 6,0", "-m wood.map --from 0,0 --to 299,1");
    assert_eq!(search(small), "jps");
    assert_eq!(search(&format!("{small} --nearest")), "astar");
    assert_eq!(search(&format!("{small} --weight 150")), "astar");
    assert_eq!(search(&format!("{small} --search hierarchy")), "hierarchy");
    assert_eq!(search(large), "hierarchy");
    assert_eq!(search(&format!("{large} --search astar")), "astar");
    folder.throng(&format!("path {large}")).exits(0).says("expanded by hierarchy");
}

#[test]
fn the_best_of_many_starts_and_goals_is_chosen() {
    let folder = Folder::new("path-many").with("gap.map", GAP);
    let words = "path -m gap.map --from 0,0 --from 2,3 --from 3,0 --to 6,0 --to 4,3 --json";
    let json = folder.throng(words).exits(0).json();
    assert_eq!((&json["from"], &json["to"]), (&json!([2, 3]), &json!([4, 3])));
}

#[test]
fn unreachable_is_proven_and_the_nearest_cell_offered() {
    let folder = Folder::new("path-split").with("split.map", SPLIT);
    let words = "path -m split.map --from 0,0 --to 4,0";
    folder.throng(words).exits(3).says("unreachable: no way leads");
    let json = folder.throng(&format!("{words} --json")).exits(3).json();
    assert_eq!((&json["status"], &json["cost"]), (&json!("unreachable"), &json!(null)));
    let json = folder.throng(&format!("{words} --nearest --json")).exits(3).json();
    assert_eq!(json["nearest"]["cells"], json!([[0, 0], [1, 0]]));
}

#[test]
fn a_spent_budget_is_told_apart_from_no_way() {
    let folder = Folder::new("path-budget").with("gap.map", GAP);
    let words = "path -m gap.map --from 0,0 --to 6,0 --expansions 1 --search astar --json";
    let json = folder.throng(words).exits(2).json();
    assert_eq!(json["status"], "budget");
    assert!(json["nearest"]["cells"].is_array());
}

#[test]
fn terrain_tables_add_letters_and_costs() {
    let map = "type octile\nheight 3\nwidth 5\nmap\n.....\n.FFF.\n.....\n";
    let folder = Folder::new("path-terrain")
        .with("wood.map", map)
        .with("wood.terrain", "# costs\nF forest 9\n")
        .with("elf.terrain", "F forest 1\n");
    let cells = |table: &str| {
        let words = format!("path -m wood.map --terrain {table} --from 0,1 --to 4,1 --json");
        folder.throng(&words).exits(0).json()["cells"].clone()
    };
    assert_eq!(cells("elf.terrain").as_array().unwrap()[2], json!([2, 1]));
    assert_ne!(cells("wood.terrain").as_array().unwrap()[2], json!([2, 1]));
    // The table beside the map is found by itself, but only by its name.
    let beside = folder.throng("path -m wood.map --from 0,1 --to 4,1 --json").exits(0).json();
    assert_eq!(beside["cells"], cells("wood.terrain"));
    let alone = Folder::new("path-no-terrain").with("wood.map", map);
    alone.throng("path -m wood.map --from 0,1 --to 4,1").exits(1).says("wood.map:6:2: 'F'");
    folder
        .throng("path -m wood.map --terrain wood.terrain --search jps --from 0,1 --to 4,1")
        .exits(1);
}

#[test]
fn paths_are_smoothed_and_drawn() {
    let folder = Folder::new("path-drawn").with("gap.map", GAP);
    let words = "path -m gap.map --from 0,0 --to 6,1 --smooth --json -o way.svg";
    let json = folder.throng(words).exits(0).json();
    assert!(json["smoothed"]["cost"].as_f64() <= json["cost"].as_f64());
    assert!(json["smoothed"]["waypoints"].as_array().unwrap().len() >= 2);
    assert!(folder.text("way.svg").starts_with("<svg"));
    folder.throng("path -m gap.map --from 0,0 --to 6,1 -o way.png").exits(0).says("way.png");
    assert!(folder.read("way.png").starts_with(b"\x89PNG"));
    assert_eq!(folder.names(), ["gap.map", "way.png", "way.svg"]);
}

const QUERIES: &str = "version 1\n2\tgap.map\t7\t4\t0\t0\t6\t0\t9.656854\n\
                       0\tgap.map\t7\t4\t1\t1\t1\t1\t0\n";

#[test]
fn every_query_of_a_scenario_is_answered() {
    let folder = Folder::new("scen").with("gap.map", GAP).with("gap.scen", QUERIES);
    for search in ["astar", "jps", "auto"] {
        let words = format!("path -m gap.map --scen gap.scen --search {search} --json");
        let json = folder.throng(&words).exits(0).json();
        assert_eq!(json["queries"], 2);
        assert_eq!(json["wrong_length"], 0);
        assert_eq!(json["unreachable"], 0);
        assert!(json["mean_us"].is_f64() && json["p99_us"].is_f64());
        assert!(json["expanded"].is_u64());
        assert_eq!(json["map"], "gap.map");
    }
    folder.throng("path -m gap.map --scen gap.scen").exits(0).says("2 queries by jps");
}

#[test]
fn wrong_lengths_are_counted_and_listed() {
    let wrong = QUERIES.replace("9.656854", "9.64");
    let folder = Folder::new("scen-wrong").with("gap.map", GAP).with("gap.scen", &wrong);
    let json = folder.throng("path -m gap.map --scen gap.scen --json").exits(3).json();
    assert_eq!(json["wrong_length"], 1);
    assert_eq!(json["wrong"][0]["line"], 2);
    assert_eq!(json["wrong"][0]["expected"], 9.64);
    let close = QUERIES.replace("9.656854", "9.66");
    let folder = Folder::new("scen-close").with("gap.map", GAP).with("gap.scen", &close);
    folder.throng("path -m gap.map --scen gap.scen --json").exits(0);
}

#[test]
fn lengths_are_compared_only_where_they_apply() {
    let folder = Folder::new("scen-four")
        .with("gap.map", GAP)
        .with("gap.scen", QUERIES)
        .with("plain.terrain", ". ground 1\n");
    let others = [
        "--moves 4",
        "--corners always",
        "--weight 150",
        "--terrain plain.terrain",
        "--search hierarchy",
    ];
    for other in others {
        let words = format!("path -m gap.map --scen gap.scen {other} --json");
        let json = folder.throng(&words).exits(0).json();
        assert!(json["wrong_length"].is_null() && json["note"].is_string(), "{other}");
    }
}

#[test]
fn queries_without_answer_are_told_by_line() {
    let scen = "version 1\n0\tsplit.map\t5\t2\t0\t0\t4\t0\t4\n0\tsplit.map\t5\t2\t0\t0\t2\t0\t4\n";
    let folder = Folder::new("scen-split").with("split.map", SPLIT).with("split.scen", scen);
    let json = folder.throng("path -m split.map --scen split.scen --json").exits(3).json();
    assert_eq!((&json["unreachable"], &json["blocked"]), (&json!(1), &json!(1)));
    assert_eq!(json["unanswered"][1]["line"], 3);
    assert!(json["unanswered"][1]["reason"].as_str().unwrap().contains("goal (2,0) is blocked"));
    let budget = "path -m split.map --scen split.scen --expansions 0 --search astar --json";
    folder.throng(budget).exits(3);
}

#[test]
fn queries_that_start_on_water_are_a_boats() {
    let map = "type octile\nheight 2\nwidth 5\nmap\nWWWWW\n.....\n";
    let scen = "version 1\n1\tsea.map\t5\t2\t0\t0\t4\t0\t4\n1\tsea.map\t5\t2\t0\t1\t4\t1\t4\n";
    let folder = Folder::new("scen-boat").with("sea.map", map).with("sea.scen", scen);
    let json = folder.throng("path -m sea.map --scen sea.scen --json").exits(0).json();
    assert_eq!(json["wrong_length"], 0);
}

#[test]
fn a_map_of_another_size_is_scaled() {
    let scen = "version 1\n3\tgap.map\t14\t8\t0\t0\t13\t0\t21.899495\n";
    let folder = Folder::new("scen-scale").with("gap.map", GAP).with("gap.scen", scen);
    let json = folder.throng("path -m gap.map --scen gap.scen --json").json();
    assert_eq!(json["unreachable"], 0);
    assert_eq!(json["queries"], 1);
}
