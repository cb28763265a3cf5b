//! `throng demo` and `throng lab`.

use crate::Folder;

#[test]
fn a_few_units_change_sides_and_are_judged() {
    let folder = Folder::new("demo");
    let run = folder.throng("demo --units 12").exits(0);
    let run = run.says("LRA*: ").says("WHCA*(16): all 12 units arrived within");
    let run = run.says("referee: 12 units, ").says("no violation\n").says("film: throng-demo.gif");
    assert!(!run.out.contains('\x1b'), "nothing is drawn where nobody looks");
    assert_eq!(folder.names(), ["throng-demo.gif"]);
    let first = folder.read("throng-demo.gif");
    assert!(first.starts_with(b"GIF89a"));
    let json = folder.throng("demo --units 12 --json").exits(0).json();
    assert_eq!(folder.read("throng-demo.gif"), first, "the same film every time");
    assert_eq!(json["bytes"].as_u64(), Some(first.len() as u64));
    assert_eq!((&json["units"], &json["runs"][0]["planner"]), (&12.into(), &"lra".into()));
    let run = &json["runs"][1];
    assert_eq!(run["planner"], "whca,window=16");
    assert_eq!((&run["arrived"], &run["valid"]), (&12.into(), &true.into()));
    let number = |name: &str| run[name].as_u64().unwrap();
    assert!(json["lower_bound"].as_u64().unwrap() <= number("sum_of_costs"));
    assert!(number("sum_of_costs") <= 12 * number("ticks"));
    assert_eq!(number("unit_ticks"), 12 * number("ticks"));
    folder.throng("demo --units 12 -s 1 --planner whca").exits(0);
    assert_ne!(folder.read("throng-demo.gif"), first, "another seed, another film");
}

#[test]
fn a_crowd_gets_through_the_gate_together_and_jams_when_units_only_repair() {
    let folder = Folder::new("demo-crowd");
    let json = folder.throng("demo --units 200 -o gate.svg --json").exits(0).json();
    let arrived = [0, 1].map(|run: usize| {
        assert_eq!(json["runs"][run]["valid"], true);
        json["runs"][run]["arrived"].as_u64().unwrap()
    });
    assert!(folder.text("gate.svg").contains("<animate "));
    assert!(arrived[0] < 150 && arrived[1] == 200, "{arrived:?}");
}

#[test]
fn what_the_demo_cannot_show_is_refused() {
    let folder = Folder::new("demo-refusals");
    folder.throng("demo --planner hca").exits(1).says("give whca, whca,window=16 or lra");
    folder.throng("demo --planner whca,window=99").exits(1).says("2 to 48");
    folder.throng("demo --units 0").exits(1).says("1..=400");
    folder.throng("demo --units 100000").exits(1).says("1..=400");
    folder.throng("demo -o town.bmp").exits(1).says("use .gif or .svg");
    folder.throng("demo --units 5 bridge").exits(1).says("cannot be used with");
    assert!(folder.names().is_empty());
}

#[test]
fn the_bridge_tells_its_story_and_saves_it() {
    let folder = Folder::new("demo-bridge");
    let run = folder.throng("demo bridge").exits(0);
    run.says("6 exits (2 barred), 4 gates, one search").says("The splice").says("referee agrees");
    assert_eq!(folder.names(), ["throng-bridge.gif"]);
    let first = folder.read("throng-bridge.gif");
    assert!(first.starts_with(b"GIF89a"));
    let json = folder.throng("demo bridge --json").exits(0).json();
    assert_eq!(folder.read("throng-bridge.gif"), first, "the same film every time");
    assert_eq!(json["repair"], "splice");
    assert!(json["repair_expanded"].as_u64() < json["full_search_expanded"].as_u64());
    folder.throng("demo bridge -s 3 -o town.svg").exits(0);
    assert!(folder.text("town.svg").starts_with("<svg"));
    folder.throng("demo bridge -o town.bmp").exits(1).says("use .gif or .svg");
}

/// Every claim of every paper has a verdict, and a reason unless it holds; report and summary are
/// written. Reported again from its rows, the run has the same verdicts.
#[test]
fn the_laboratory_judges_every_claim_of_five_papers() {
    let folder = Folder::new("lab");
    let command = "lab all --quick --seeds 1 --out out --summary papers.md --json";
    let json = folder.throng(command).exits(0).json();
    assert_eq!(json["holds"], true);
    let papers = json["experiments"].as_object().unwrap();
    assert_eq!(papers.len(), 5);
    for (name, experiment) in papers {
        let claims = experiment["claims"].as_array().unwrap();
        assert!(claims.len() >= 10, "{name}");
        for claim in claims {
            let verdicts = ["holds", "holds with another factor", "differs", "not tried"];
            let verdict = claim["verdict"].as_str().unwrap();
            assert!(verdicts.contains(&verdict), "{claim}");
            assert!(verdict == "holds" || !claim["reason"].as_str().unwrap().is_empty(), "{claim}");
        }
        for file in experiment["files"].as_array().unwrap() {
            assert!(folder.path(file.as_str().unwrap()).is_file(), "{file}");
        }
        assert!(folder.text("papers.md").contains(&format!("## {name}")));
        assert!(folder.text("out/report.html").contains(&format!("id=\"{name}\"")));
    }
    let again = folder.throng("lab all --quick --seeds 1 --out out --known --json").exits(0).json();
    assert_eq!(again["verdicts"], json["verdicts"]);
}

#[test]
fn logs_that_cannot_be_used_are_named() {
    let log = "time_ms,action,player,x,y,level,to_x,to_y\n1,XX,0,1,1,0,,\n";
    let folder = Folder::new("lab-logs").with("game.csv", log);
    folder
        .throng("lab lanctot --quick --logs game.csv")
        .exits(1)
        .says("game.csv: line 2: action is \"XX\": give MV or SD");
    folder.throng("lab xu-zou --logs game.csv").exits(1).says("only lanctot uses them");
    folder.throng("lab lanctot --logs none.csv").exits(1).says("none.csv: no such file");
}
