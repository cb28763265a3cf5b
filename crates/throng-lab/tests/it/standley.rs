//! The experiment on Standley's paper: every claim is judged, the referee checks every plan, planners
//! agree.

use roxmltree::Document;
use throng_lab::{Options, Row, Verdict, standley};

/// Disagreement between planners and what the referee rejects are errors of the run itself.
#[test]
fn claims_are_judged_and_figures_are_drawn() {
    let options = Options { quick: true, threads: 2, seeds: 2, ..Options::default() };
    let mut last = None;
    let experiment = standley::PAPER
        .run(&options, &mut |progress| {
            assert!(progress.done <= progress.of);
            last = Some(progress);
        })
        .unwrap();
    assert_eq!(last.map(|progress| progress.done), Some(6));
    let of = |stage: &str| experiment.rows.iter().filter(|row| row.stage == stage).count();
    assert_eq!(of("instances"), 8 * 10, "nine planners and WHCA* on each instance");
    assert_eq!(of("unsolvable"), 6 * 6, "the paper's six planners on each instance");
    let final_plan = experiment.claims.iter().find(|claim| claim.statement.contains("re-plan"));
    let sample: usize = final_plan.unwrap().sample.trim_end_matches(" instances").parse().unwrap();
    let merged = |row: &&Row| {
        let (largest, is_solved) = (row.metrics.get("largest"), row.metrics.contains_key("cost"));
        row.solver == "OD+PE+ID" && is_solved && largest.is_some_and(|&largest| largest > 1.0)
    };
    let instances = experiment.rows.iter().filter(|row| row.stage == "instances");
    assert_eq!(sample, instances.filter(merged).count(), "a row says what it is made of");
    for claim in &experiment.claims {
        assert!(!claim.paper.is_empty() && !claim.place.is_empty(), "{claim:?}");
        assert!(claim.verdict == Verdict::Holds || !claim.reason.is_empty(), "{claim:?}");
    }
    let children = experiment.claims.iter().find(|claim| claim.statement.contains("59k"));
    let nodes = "59048 nodes";
    assert_eq!(children.unwrap().ours, nodes, "nine moves of five units, less one: all stay");
    for file in experiment.files.iter().filter(|file| file.name.ends_with(".svg")) {
        Document::parse(std::str::from_utf8(&file.bytes).unwrap()).unwrap();
    }
    for figure in ["1", "2", "3", "4", "5", "6-time"] {
        let name = format!("figure-{figure}.svg");
        assert!(experiment.files.iter().any(|file| file.name == name), "{name}");
    }
    let moves = experiment.claims.iter().filter(|claim| claim.place.starts_with("Figure "));
    let drawn: Vec<_> = moves.filter(|claim| claim.ours == "so in 1 of 1").collect();
    assert_eq!(drawn.len(), 3, "figures 2, 3 and 4: {drawn:?}");
    let methods: Vec<_> = experiment.comparisons.iter().map(|both| &both.methods[0]).collect();
    assert_eq!(methods.len(), 8, "four measures of two planners: {methods:?}");
}
