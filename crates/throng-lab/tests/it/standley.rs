//! The experiment on Standley's paper: its claims hold, the referee checks every plan, planners agree.

use roxmltree::Document;
use throng_lab::{Experiment, Options, Verdict, standley};

/// Disagreement between planners and what the referee rejects are errors of the run itself.
#[test]
fn claims_hold_and_figures_are_drawn() {
    let options = Options { quick: true, threads: 2, ..Options::default() };
    let mut stages = Vec::new();
    let experiment = standley::PAPER
        .run(&options, &mut |progress| {
            assert!(progress.done <= progress.of);
            stages.push(progress.stage);
        })
        .unwrap();
    stages.dedup();
    assert_eq!(stages.len(), 9, "{stages:?}");
    for claim in &experiment.claims {
        assert!(claim.holds, "{}", claim.text);
    }
    assert_eq!(experiment.claims.len(), 2);
    findings(&experiment);

    assert_eq!(experiment.tables[0].rows.len(), 9);
    let names: Vec<_> = experiment.files.iter().map(|file| file.name.as_str()).collect();
    let expected = [
        "summary-time.csv",
        "runs-time.csv",
        "figure-6-time.svg",
        "growth-time.svg",
        "growth-memory.svg",
        "findings.csv",
    ];
    assert_eq!(names, expected);
    for file in experiment.files.iter().filter(|file| file.name.ends_with(".svg")) {
        Document::parse(std::str::from_utf8(&file.bytes).unwrap()).unwrap();
    }
    let runs = String::from_utf8(experiment.files[1].bytes.clone()).unwrap();
    assert_eq!(runs.lines().count(), 1 + 9 * 20, "a line for each planner and instance");
}

/// Every finding has values and a verdict, and a reason where it does not hold.
fn findings(experiment: &Experiment) {
    assert_eq!(experiment.findings.len(), 7);
    for finding in &experiment.findings {
        assert!(!finding.paper.is_empty() && !finding.ours.is_empty(), "{finding:?}");
        assert_eq!(finding.verdict == Verdict::Holds, finding.reason.is_empty(), "{finding:?}");
    }
    assert_eq!(
        experiment.findings[0].ours, "59048",
        "nine moves of each of five units, less one: all stay"
    );
}
