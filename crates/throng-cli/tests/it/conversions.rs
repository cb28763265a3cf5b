//! `throng convert` and `throng completions`.

use crate::{Folder, GAP};

const PLAN: &str = "agents=2\nmap_file=gap.map\nsolver=x\nsolved=1\nstarts=(0,0),(6,0),\n\
                    goals=(1,0),(5,0),\nsolution=\n0:(0,0),(6,0),\n1:(1,0),(5,0),\n";
const SCEN: &str = "version 1\n0\tgap.map\t7\t4\t0\t0\t1\t0\t1\n0\tgap.map\t7\t4\t6\t0\t5\t0\t1\n";

fn folder(name: &str) -> Folder {
    Folder::new(name).with("gap.map", GAP).with("gap-random-1.scen", SCEN).with("plan.txt", PLAN)
}

#[test]
fn a_plan_goes_through_every_plan_format_and_stays_valid() {
    let folder = folder("convert");
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
        let context = "-m gap.map -i gap-random-1.scen";
        let words = format!("convert plan.txt plan.{format} --to {format} {context} --json");
        let json = folder.throng(&words).exits(0).json();
        assert_eq!((&json["from"], &json["to"]), (&"kei18".into(), &format.into()));
        let check = format!("check {context} -N 2 -p plan.{format} --json");
        assert_eq!(folder.throng(&check).exits(0).json()["format"], format);
        let back = format!("convert plan.{format} back.txt {context} -N 2");
        folder.throng(&back).exits(0);
        assert!(folder.text("back.txt").ends_with("0:(0,0),(6,0),\n1:(1,0),(5,0),\n"), "{format}");
    }
}

#[test]
fn problems_become_maps_and_scenarios() {
    let folder = folder("convert-problem");
    folder.throng("convert gap-random-1.scen gap.yaml -m gap.map").exits(0);
    folder.throng("convert gap.yaml again.map").exits(0);
    folder.throng("convert gap.yaml again.scen").exits(0);
    assert_eq!(folder.read("again.map"), folder.read("gap.map"));
    folder.throng("path -m again.map --scen again.scen").exits(0).says("wrong length   0");
}

#[test]
fn lorr_problems_are_read_with_their_files() {
    let problem = r#"{"mapFile": "gap.map", "agentFile": "a.agents", "taskFile": "a.tasks",
        "teamSize": 1, "numTasksReveal": 1, "taskAssignmentStrategy": "roundrobin"}"#;
    let folder = folder("convert-lorr")
        .with("a.json", problem)
        .with("a.agents", "1\n0\n")
        .with("a.tasks", "1\n21\n");
    folder.throng("convert a.json a.scen").exits(0);
    assert_eq!(folder.text("a.scen"), "version 1\n0\ta.map\t7\t4\t0\t0\t0\t3\t3\n");
}

#[test]
fn what_cannot_be_converted_is_refused() {
    let folder = folder("convert-bad").with("noise.bin", b"\xff\xfe\x00");
    let before = folder.names();
    let check = |words: &str, said: &str| {
        folder.throng(&format!("convert {words}")).exits(1).says(said);
        assert_eq!(folder.names(), before, "{words}");
    };
    check("plan.txt plan", "the name tells no format; add --to");
    check("plan.txt plan.x --to nonsense", "no format 'nonsense'");
    check("plan.txt plan.txt", "would overwrite the input");
    check("plan.txt out.map", "kei18 does not hold what map needs");
    check("gap.map out.txt", "map does not hold what kei18 needs");
    check("noise.bin out.txt", "no known format");
    check("gap-random-1.scen out.yaml", "a scenario needs its map (-m MAP)");
    check("none.txt out.txt", "none.txt: no such file");
}

#[test]
fn completions_know_the_commands() {
    let folder = Folder::new("completions");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        folder.throng(&format!("completions {shell}")).exits(0).says("render");
    }
    let json = folder.throng("completions bash --json").exits(0).json();
    assert!(json["script"].as_str().unwrap().contains("throng"));
}
