//! Scenes on the command line: made, checked, drawn, edited and searched.

use crate::{Folder, Run};

/// A house of two rooms with a door, and an attic.
const HOUSE: &str = r#"{
  "version": 1, "name": "small house", "width": 8, "height": 4, "levels": 2,
  "obstacles": [
    {"name": "inner wall", "kind": "wall", "level": 0,
     "corners": [[3.9, 0], [4.1, 0], [4.1, 3], [3.9, 3]]}
  ],
  "zones": [
    {"name": "kitchen", "level": 0, "corners": [[0, 0], [4, 0], [4, 4], [0, 4]]},
    {"name": "parlour", "level": 0, "corners": [[4, 0], [8, 0], [8, 4], [4, 4]]},
    {"name": "attic", "level": 1, "corners": [[0, 0], [8, 0], [8, 4], [0, 4]]}
  ],
  "gates": [
    {"name": "door", "kind": "door",
     "sides": [{"zone": "kitchen", "at": [3.5, 3.5]}, {"zone": "parlour", "at": [4.5, 3.5]}]},
    {"name": "stairs", "kind": "stairs",
     "sides": [{"zone": "kitchen", "at": [1, 1]}, {"zone": "attic", "at": [1, 1]}]}
  ],
  "items": [{"name": "orb", "level": 1, "at": [7, 2]}],
  "players": [{"name": "anna", "level": 0, "at": [2, 2], "radius": 0.12}]
}"#;

const METHODS: [&str; 6] = ["gr", "sz", "rd", "rd+", "vz", "vz+"];

fn house(name: &str) -> Folder {
    Folder::new(name).with("house.json", HOUSE)
}

fn words(folder: &Folder, words: &[&str]) -> Run {
    folder.run_words(words, &[], b"")
}

#[test]
fn a_town_is_made_checked_searched_and_drawn() {
    let folder = Folder::new("scene-town");
    let town = "gen scene town --side 15 --houses 6 --players 4 -s 3 -o town.json --json";
    let made = folder.throng(town).exits(0).json();
    assert_eq!(
        (&made["kind"], &made["levels"], &made["players"]),
        (&"town".into(), &2.into(), &4.into())
    );
    let checked = folder.throng("scene check town.json --json").exits(0).json();
    assert_eq!(checked["valid"], true);
    assert_eq!(checked["unreached"], serde_json::json!([]));
    for key in ["zones", "doors", "stairs", "obstacles", "name"] {
        assert_eq!(checked[key], made[key], "{key}");
    }
    let mut lengths = Vec::new();
    for method in METHODS {
        let path = format!(
            "path --scene town.json --from 0.5,0.5 --to 14.5,14.5 --method {method} -o {method}.svg"
        );
        let json = folder.throng(&format!("{path} --json")).exits(0).json();
        assert_eq!((&json["status"], &json["method"]), (&"found".into(), &method.into()));
        let stretches = json["stretches"].as_array().unwrap();
        let sum: f64 = stretches.iter().map(|s| s["length"].as_f64().unwrap()).sum();
        assert!((sum - json["length"].as_f64().unwrap()).abs() < 1e-6, "{method}");
        assert!(folder.text(&format!("{method}.svg")).contains(&format!("path by {method}")));
        lengths.push(json["length"].as_f64().unwrap());
    }
    // The diagonal is a lower bound; only plain Voronoi zones make large detours.
    assert!(lengths.iter().all(|length| *length >= 14.0 * 2.0_f64.sqrt()), "{lengths:?}");
    assert!([1, 2, 4].iter().all(|&row| lengths[row] < lengths[0] * 1.3), "{lengths:?}");
    let parts = "zones,gates,graph,roadmap,voronoi,voronoi+,grid,items,players";
    for file in ["all.svg", "all.png"] {
        folder.throng(&format!("render --scene town.json --show {parts} -o {file}")).exits(0);
    }
    let svg = folder.text("all.svg");
    for label in ["town 3: level 0", "town 3: level 1", "wall", "door", "stairs", "player", "item"]
    {
        assert!(svg.contains(&format!(">{label}</text>")), "{label}");
    }
    assert!(folder.read("all.png").starts_with(b"\x89PNG"));
}

#[test]
fn a_seed_gives_the_same_town_and_sizes_that_make_no_sense_are_refused() {
    let folder = Folder::new("scene-seeds");
    for (seed, name) in [(1, "a"), (1, "b"), (2, "c")] {
        let words = format!("gen scene town --side 12 --houses 2 -s {seed} -o {name}.json");
        folder.throng(&words).exits(0);
    }
    assert_eq!(folder.read("a.json"), folder.read("b.json"));
    assert_ne!(folder.read("a.json"), folder.read("c.json"));
    folder.throng("gen scene town --houses 9999 -o d.json").exits(1).says("or a longer side");
    folder.throng("gen scene town --side 5000 -o d.json").exits(1).says("at most 1000");
    folder.throng("gen scene village -o d.json").exits(1);
    assert_eq!(folder.names(), ["a.json", "b.json", "c.json"]);
}

#[test]
fn every_method_and_cache_finds_the_way_upstairs() {
    let folder = house("scene-methods");
    for method in METHODS {
        for caches in ["none", "cc", "pc", "cc,pc", "cc,spc"] {
            let path = format!(
                "path --scene house.json --from 7,1 --to 7,2,1 --method {method} --caches {caches}"
            );
            let json = folder.throng(&format!("{path} --json")).exits(0).json();
            let stretches = json["stretches"].as_array().unwrap();
            let last = stretches.last().unwrap()["locations"].as_array().unwrap().last().unwrap();
            assert_eq!(last, &serde_json::json!([7.0, 2.0, 1]), "{method} {caches}");
            let length = json["length"].as_f64().unwrap();
            // To the door, to the stairs, up by one unit, and to the goal.
            assert!((14.0..24.0).contains(&length), "{method} {caches}: {length}");
        }
    }
}

#[test]
fn answers_are_honest() {
    let folder = house("scene-answers");
    let check = |words: &str, code: i32, status: &str| {
        let run = folder.throng(&format!("path --scene house.json {words} --json")).exits(code);
        assert_eq!(run.json()["status"], status, "{words}");
        folder.throng(&format!("path --scene house.json {words}")).exits(code);
    };
    check("--from 1,3 --to 7,1", 0, "found");
    check("--from 1,3 --to 7,1 --expansions 3", 2, "budget");
    check("--from 4,1 --to 7,1", 3, "start_blocked");
    check("--from 1,3 --to 4,1", 3, "goal_blocked");
    check("--from 1,3 --to 7,1 --radius 0.6", 3, "unreachable");
}

#[test]
fn queries_that_make_no_sense_are_refused() {
    let folder = house("scene-queries");
    let check = |words: &str, said: &str| {
        folder.throng(&format!("path {words}")).exits(1).says(said);
    };
    let scene = "--scene house.json";
    check(&format!("{scene} --from 1,3"), "--to");
    check(&format!("{scene} --from 1;3 --to 2,2"), "as X,Y or X,Y,LEVEL");
    check(&format!("{scene} --from 1,3,x --to 2,2"), "as X,Y or X,Y,LEVEL");
    check(&format!("{scene} --from 1,3 --to 99,2"), "off the map of 8 x 4 units");
    check(&format!("{scene} --from -1,3 --to 2,2"), "off the map");
    check(&format!("{scene} --from 1,3 --to 2,2,7"), "the scene has levels 0 to 1");
    check(&format!("{scene} --from 1,3 --from 2,2 --to 2,2"), "give it once");
    check(&format!("{scene} --from 1,3 --to 2,2 --method astar"), "vz+");
    check(&format!("{scene} --from 1,3 --to 2,2 --caches none,cc"), "give one of the two");
    check(&format!("{scene} --from 1,3 --to 2,2 --radius 0"), "above 0");
    check(&format!("{scene} --from 1,3 --to 2,2 --step 0"), "steps of 0 units");
    check(&format!("{scene} --from 1,3 --to 2,2 --slant-reach -1"), "0 for none");
    check(&format!("{scene} --from 1,3 --to 2,2 --smooth"), "cannot be used with");
    check(&format!("{scene} -m a.map --from 1,3 --to 2,2"), "cannot be used with");
    check("-m a.map --from 1,3 --to 2,2 --method rd", "cannot be used with");
    check("-m a.map --from 1,3 --to 2,2 --radius 1", "cannot be used with");
    check("-m a.map --from 1,3 --to 2,2 --caches cc", "cannot be used with");
    check("--from 1,3 --to 2,2", "--scene");
    check(&format!("{scene} --from 1,3 --to 2,2 -o house.json"), "would overwrite the input");
    check(&format!("{scene} --from 1,3 --to 2,2 --logs house.json"), "line 1: a log begins with");
    assert_eq!(folder.names(), ["house.json"]);
}

#[test]
fn broken_scenes_are_named_with_file_place_and_remedy() {
    let crossed = HOUSE.replace("[4.1, 0], [4.1, 3]", "[4.1, 3], [4.1, 0]");
    let folder = house("scene-broken")
        .with("crossed.json", crossed)
        .with("cut.json", &HOUSE[..200])
        .with("unknown.json", HOUSE.replace("\"zones\"", "\"zoness\""))
        .with("future.json", HOUSE.replace("\"version\": 1", "\"version\": 2"))
        .with("binary.json", [0xff, 0x00, 0x80]);
    let checked = folder.throng("scene check crossed.json --json").exits(3).json();
    assert_eq!(checked["valid"], false);
    let error = checked["errors"][0].as_str().unwrap();
    assert!(error.contains("obstacle \"inner wall\"") && error.contains("meet"), "{error}");
    folder.throng("scene check crossed.json").exits(3).says("not valid:");
    let files = [
        ("crossed.json", "crossed.json: obstacle \"inner wall\""),
        ("cut.json", "cut.json: line 5"),
        ("unknown.json", "unknown field `zoness`"),
        ("future.json", "this program reads version 1"),
        ("binary.json", "binary.json: line 1"),
        ("none.json", "none.json: no such file"),
    ];
    for (file, said) in files {
        folder.throng(&format!("path --scene {file} --from 1,1 --to 2,2")).exits(1).says(said);
        folder.throng(&format!("render --scene {file} -o a.svg")).exits(1).says(said);
        if file != "crossed.json" {
            folder.throng(&format!("scene check {file}")).exits(1).says(said);
        }
    }
}

#[test]
fn what_a_body_does_not_reach_is_a_warning() {
    let folder = house("scene-warnings");
    folder.throng("scene check house.json").exits(0).says("reaches");
    let json = folder.throng("scene check house.json --radius 0.8 --json").exits(0).json();
    let unreached = json["unreached"].as_array().unwrap();
    assert!(unreached.contains(&"gate \"door\"".into()), "{unreached:?}");
    folder.throng("scene check house.json --radius 0.8").exits(0).says("widen its passage");
}

#[test]
fn edits_change_what_they_name_and_nothing_else() {
    let folder = house("scene-edit");
    let edit = |more: &[&str], output: &str| {
        let all = [&["scene", "edit", "house.json"], more, &["-o", output, "--json"]].concat();
        words(&folder, &all).exits(0).json()
    };
    let blocked = edit(&["--add-obstacle", "big crate=3.9,3 4.1,4"], "blocked.json");
    assert_eq!((&blocked["added"], &blocked["obstacles"]), (&1.into(), &2.into()));
    let path = "--from 1,3 --to 7,1";
    folder.throng(&format!("path --scene blocked.json {path}")).exits(3).says("unreachable");
    words(&folder, &["scene", "edit", "blocked.json", "--remove", "big crate", "-o", "same.json"])
        .exits(0);
    folder.throng(&format!("path --scene same.json {path}")).exits(0);
    // The same scene again, but for the order in which corners are listed.
    edit(&["--rename", "small house"], "written.json");
    assert_eq!(folder.text("same.json"), folder.text("written.json"));
    let more = edit(
        &["--add-item", "key=1,3", "--add-player", "bert=7,3,1", "--remove", "player:anna"],
        "more.json",
    );
    assert_eq!((&more["items"], &more["players"]), (&2.into(), &1.into()));
    let ramp = ["--add-obstacle", "ramp=1,2 2,2 2,3", "--kind", "wall", "--level", "1"];
    assert_eq!(edit(&ramp, "ramp.json")["obstacles"], 2);
}

#[test]
fn edits_that_would_break_a_scene_are_refused() {
    let folder = house("scene-edit-bad");
    let check = |more: &[&str], said: &str| {
        let all = [&["scene", "edit", "house.json"], more, &["-o", "out.json"]].concat();
        words(&folder, &all).exits(1).says(said);
    };
    check(&[], "nothing to edit");
    check(&["--remove", "nobody"], "no obstacle, gate, item or player has this name");
    check(&["--remove", "gate:orb"], "the scene has no gate of this name");
    check(&["--add-obstacle", "crate"], "such as \"crate=3,4 4,5\"");
    check(&["--add-obstacle", "crate=1,1 2"], "as X,Y or X,Y,LEVEL");
    check(&["--add-obstacle", "crate=1,1"], "a polygon needs at least 3");
    check(&["--add-obstacle", "inner wall=1,1 2,2"], "exists twice");
    check(&["--add-obstacle", "crate=0.5,0.5 1.5,1.5"], "gate \"stairs\"");
    check(&["--add-obstacle", "crate=7,3 9,4"], "the map is 8 x 4 units");
    check(&["--add-item", "key=4,1"], "inside obstacle \"inner wall\"");
    check(&["--add-player", "bert=1,1,9"], "levels 0 to 1");
    let over = ["scene", "edit", "house.json", "--rename", "x", "-o", "house.json"];
    words(&folder, &over).exits(1).says("would overwrite the input");
    let both = HOUSE.replace("\"name\": \"orb\"", "\"name\": \"door\"");
    let folder = Folder::new("scene-edit-names").with("both.json", both);
    let remove = |name: &str| {
        words(&folder, &["scene", "edit", "both.json", "--remove", name, "-o", "out.json"])
    };
    remove("door").exits(1).says("a gate and an item have this name; write gate:door");
    remove("item:door").exits(0).says("0 items");
}

#[test]
fn pictures_show_what_was_asked_for() {
    let folder = house("scene-pictures");
    let drawn = |more: &str| {
        folder.throng(&format!("render --scene house.json {more} -o a.svg")).exits(0);
        folder.text("a.svg")
    };
    let plain = drawn("");
    assert!(plain.contains("small house: level 0") && plain.contains("small house: level 1"));
    assert!(!plain.contains(">door<") && !plain.contains(">player<"));
    let ground = drawn("--level 0 --show gates,players");
    assert!(
        !ground.contains("level 1") && ground.contains(">door<") && ground.contains(">player<")
    );
    let paths = drawn("--path 1,3:7,1 --path 1,3:7,2,1 --method gr,rd --show grid");
    assert!(paths.contains(">gr<") && paths.contains(">rd<") && paths.contains("ghost player"));
    let check = |more: &str, said: &str| {
        folder.throng(&format!("render --scene house.json {more}")).exits(1).says(said);
    };
    check("-o b.gif", "use .png or .svg");
    check("-o b.svg --level 2", "levels 0 to 1");
    check("-o b.svg --show towers", "possible values");
    check("-o b.svg --show interest", "give the logs of games");
    check("-o b.svg --path 1,3", "give both ends");
    check("-o b.svg --path 1,3:4,1", "no path (GoalBlocked)");
    check("-o b.png --scale 64 --tick-ms 3", "cannot be used with");
    check("-o house.json", "would overwrite the input");
    assert_eq!(folder.names(), ["a.svg", "house.json"]);
}

/// A small town in its folder.
fn town(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.throng("gen scene town --side 15 --houses 6 --players 8 -s 3 -o town.json").exits(0);
    folder
}

#[test]
fn a_game_is_played_to_its_end_and_its_log_is_read_back() {
    let folder = town("scene-play");
    let play = |more: &str, log: &str| {
        let words = format!("scene play town.json --players 12 --teams 3 {more} -o {log} --json");
        folder.throng(&words).exits(0).json()
    };
    let won = play("--orbs 20 --orbs-to-win 3 -s 4", "won.csv");
    assert_eq!(won["ending"], "won");
    let winner = won["winner"].as_u64().unwrap() as usize;
    let delivered = |team: usize| won["teams"][team]["delivered"].as_u64().unwrap();
    assert!((0..3).all(|team| (delivered(team) >= 3) == (team == winner)), "{won}");
    assert!(won["seconds"].as_f64().unwrap() < 900.0);
    let log = folder.text("won.csv");
    assert!(log.starts_with("time_ms,action,player,x,y,level,to_x,to_y\n"));
    let lines = log.lines().count() as u64 - 1;
    let events = |key: &str| won[key].as_u64().unwrap();
    assert_eq!(lines, events("move_updates") + events("set_destinations"));
    assert!(
        log.lines()
            .skip(1)
            .all(|line| line.split(',').nth(2).unwrap().parse::<u32>().unwrap() < 12)
    );

    let again = play("--orbs 20 --orbs-to-win 3 -s 4", "again.csv");
    assert_eq!((folder.text("again.csv"), &again["winner"]), (log, &won["winner"]));
    let bodies = play("--ticks 200 --bodies", "bodies.csv");
    assert_eq!(bodies["players"], 12);
    let long = play("--ticks 200 --orbs-to-win 0", "long.csv");
    assert_ne!(folder.text("bodies.csv"), folder.text("long.csv"));
    assert_eq!((&long["ending"], &long["seconds"]), (&"time_up".into(), &20.0.into()));

    for words in [
        "render --scene town.json --show interest,roadmap,voronoi+ --logs won.csv long.csv -o a.png",
        "path --scene town.json --from 0.5,0.5 --to 14.5,14.5 --method rd --logs won.csv",
        "path --scene town.json --from 0.5,0.5 --to 14.5,14.5 --method vz+ --logs won.csv",
    ] {
        folder.throng(words).exits(0);
    }
}

#[test]
fn games_that_make_no_sense_are_refused() {
    let folder = town("scene-play-bad");
    let check = |words: &str, said: &str| {
        folder.throng(&format!("scene play town.json {words} -o a.csv")).exits(1).says(said);
    };
    check("--players 2 --teams 3", "at most one team per player");
    check("--players 0", "1..=1000");
    check("--ticks 0", "1..=100000");
    check("--radius 5", "make it smaller");
    let over = "scene play town.json -o town.json";
    folder.throng(over).exits(1).says("would overwrite the input");
    assert_eq!(folder.names(), ["town.json"]);
}

#[test]
fn the_lab_takes_a_scene_and_its_logs() {
    let folder = town("scene-lab");
    folder.throng("scene play town.json --players 8 --teams 2 --ticks 600 -o game.csv").exits(0);
    let words =
        "lab lanctot --scene town.json --logs game.csv --quick --threads 1 --out out --json";
    let run = folder.throng(words);
    let json = run.exits(0).json();
    let tables = &json["experiments"]["lanctot"]["tables"];
    assert_eq!(tables["games"].as_array().unwrap().len(), 1);
    assert_eq!(tables["table-2"].as_array().unwrap().len(), 20);
    assert!(folder.path("out/lanctot/figure-8.svg").is_file());
    let refused = "lab xu-zou --quick --scene town.json";
    folder.throng(refused).exits(1).says("only lanctot uses them");
    folder.throng("lab lanctot --quick --scene game.csv").exits(1).says("game.csv: line 1");
}
