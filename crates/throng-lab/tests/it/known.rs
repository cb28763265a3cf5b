//! A report without any finished case: every claim has its row, and nothing is drawn from no values.

use throng_lab::{Claim, Experiment, Journal, Options, PAPERS, Paper, Verdict, report};

fn without_rows(paper: Paper, options: &Options) -> Experiment {
    let journal = Journal {
        known: Vec::new(),
        known_only: true,
        build: String::new(),
        finished: Box::new(|_| {}),
    };
    paper.resume(options, journal, &mut |_| {}).unwrap()
}

/// What a paper says, by claim.
fn words(experiment: &Experiment) -> Vec<[&str; 3]> {
    let claims = experiment.claims.iter();
    claims.map(|Claim { place, statement, paper, .. }| [&place[..], statement, paper]).collect()
}

#[test]
fn an_empty_folder_gives_a_report_in_which_nothing_was_tried() {
    let [full, quick] = [false, true].map(|quick| Options { quick, ..Options::default() });
    for paper in PAPERS {
        let experiment = without_rows(paper, &full);
        assert!(experiment.holds() && experiment.rows.is_empty(), "{}", paper.name);
        assert!(experiment.stages.iter().all(|stage| stage.run == 0 && stage.of > 0));
        let has_no_case = |claim: &&Claim| claim.sample.starts_with("0 ");
        for claim in &experiment.claims {
            let is_tried = !claim.sample.is_empty() && !has_no_case(&claim);
            assert_eq!(is_tried, claim.verdict != Verdict::NotTried, "{claim:?}");
            assert_eq!(has_no_case(&claim), claim.reason.contains("no case"), "{claim:?}");
        }
        assert!(experiment.claims.iter().filter(has_no_case).count() > 10, "{}", paper.name);
        assert_eq!(words(&experiment), words(&without_rows(paper, &quick)), "{}", paper.name);
        let page = report::html(&[(paper, &experiment)], &full);
        assert!(page.contains("A part of a full run"), "{}", paper.name);
        assert!(!page.contains("NaN") && !page.contains("inf"), "{}", paper.name);
    }
}
