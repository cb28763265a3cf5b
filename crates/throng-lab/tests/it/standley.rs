//! The experiment on Standley's paper: every claim is judged, the referee checks every plan, planners
//! agree.

use roxmltree::Document;
use throng_lab::{Options, Verdict, standley};

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
    assert_eq!(last.map(|progress| progress.done), Some(8));
    assert_eq!(experiment.rows.len(), 8 * 10, "nine planners and WHCA* on each instance");
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
