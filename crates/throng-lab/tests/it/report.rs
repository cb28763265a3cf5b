//! The report and the summary of papers that were run.

use roxmltree::Document;
use throng_lab::{Options, PAPERS, report, xu_zou};

/// A report of one paper: every claim stands in the page and in the summary.
#[test]
fn report_and_summary_have_every_claim() {
    let options = Options { quick: true, threads: 2, seeds: 2, ..Options::default() };
    let experiment = xu_zou::PAPER.run(&options, &mut |_| {}).unwrap();
    let results = [(xu_zou::PAPER, &experiment)];
    let page = report::html(&results, &options);
    let summary = report::markdown(&results, &options);
    for claim in &experiment.claims {
        let place = claim.place.replace('&', "&amp;");
        assert!(page.contains(&place) && summary.contains(&claim.place), "{claim:?}");
    }
    assert!(page.contains("prefers-color-scheme: dark"));
    assert!(!page.contains("http://") || !page.contains("src="), "nothing is loaded");
    let body = page.split_once("<body>").unwrap().1.split_once("</body>").unwrap().0;
    Document::parse(&format!("<body>{body}</body>")).unwrap();
    assert_eq!(PAPERS.len(), 5);
}
