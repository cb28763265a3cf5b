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
    assert_eq!(experiment.comparisons.len(), 6, "three measures of a search, three breaks");
    for both in &experiment.comparisons {
        let line = format!("| {} | {} | {} |", both.measure, both.values[0], both.values[1]);
        assert!(summary.contains(&line), "{line}");
        assert!(page.contains(&format!("<td>{}</td>", both.instances)), "{both:?}");
    }
    assert!(page.contains("prefers-color-scheme: dark"));
    assert!(!page.contains("http://") || !page.contains("src="), "nothing is loaded");
    let body = page.split_once("<body>").unwrap().1.split_once("</body>").unwrap().0;
    Document::parse(&format!("<body>{body}</body>")).unwrap();
    assert_eq!(PAPERS.len(), 5);
}
