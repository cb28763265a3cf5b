//! The experiments of Silver's papers: every claim is judged, and all but the times is reproducible.

use std::cell::RefCell;
use std::sync::LazyLock;

use roxmltree::Document;
use throng_lab::{
    Experiment, File, Journal, Options, Paper, Row, Value, Verdict, silver2005, silver2006,
};

const OPTIONS: Options = Options { seed: 1, seeds: 2, quick: true, threads: 2 };

fn run(paper: Paper, threads: usize) -> Experiment {
    paper.run(&Options { threads, ..OPTIONS }, &mut |_| {}).unwrap()
}

static OF_2005: LazyLock<Experiment> = LazyLock::new(|| run(silver2005::PAPER, 2));
static OF_2006: LazyLock<Experiment> = LazyLock::new(|| run(silver2006::PAPER, 2));

fn both() -> [&'static Experiment; 2] {
    [&*OF_2005, &*OF_2006]
}

#[test]
fn all_claims_are_judged() {
    for claim in both().into_iter().flat_map(|experiment| &experiment.claims) {
        assert!(!claim.place.is_empty() && !claim.paper.is_empty(), "{claim:?}");
        assert!(claim.verdict == Verdict::Holds || !claim.reason.is_empty(), "{claim:?}");
        assert_eq!(claim.verdict == Verdict::NotTried, claim.seeds == 0, "{claim:?}");
        assert_eq!(claim.sample.is_empty(), claim.seeds == 0, "{claim:?}");
    }
    assert_eq!(both().map(|experiment| experiment.claims.len()), [35, 36]);
    let figure_1 = OF_2005.claims.iter().find(|claim| claim.place == "Figure 1").unwrap();
    assert_eq!(figure_1.verdict, Verdict::Holds, "{figure_1:?}");
}

/// The reproducible part of the rows: all but the times.
fn steady(rows: &[Row]) -> Vec<Row> {
    let mut rows = rows.to_vec();
    for row in &mut rows {
        row.milliseconds = 0.0;
        row.metrics.retain(|name, _| !name.ends_with("-ms"));
    }
    rows
}

#[test]
fn the_same_rows_come_out_on_any_number_of_threads() {
    assert_eq!(steady(&OF_2006.rows), steady(&run(silver2006::PAPER, 1).rows));
}

/// The first run writes rows; the second knows half of them and runs the rest.
#[test]
fn an_interrupted_run_is_resumed() {
    let half: Vec<Row> = OF_2005.rows[..OF_2005.rows.len() / 2].to_vec();
    let heard = RefCell::new(Vec::new());
    let finished = |rows: &[Row]| heard.borrow_mut().extend_from_slice(rows);
    let lines: String = half.iter().map(Row::line).collect();
    let known = lines.lines().filter_map(Row::parse).collect();
    let journal =
        Journal { known, known_only: false, build: "b".to_owned(), finished: Box::new(finished) };
    let resumed = silver2005::PAPER.resume(&OPTIONS, journal, &mut |_| {}).unwrap();
    assert_eq!(resumed.rows.len(), OF_2005.rows.len());
    let heard = heard.into_inner();
    assert!(heard.len() < OF_2005.rows.len() && heard.len() >= half.len(), "{}", heard.len());
    let mut same = resumed.rows.clone();
    same.iter_mut().for_each(|row| row.build.clear());
    assert_eq!(steady(&same), steady(&OF_2005.rows));
}

#[test]
fn no_unit_is_faster_than_its_shortest_path() {
    for row in OF_2005.rows.iter().filter(|row| row.stage != "searches") {
        assert!(row.metrics["ratio"] >= 1.0, "{row:?}");
        assert!(row.metrics["turns-all"] >= row.metrics["shortest"], "{row:?}");
        assert!(row.work as f64 >= row.metrics["first-nodes"] + row.metrics["turn-nodes"]);
    }
}

#[test]
fn every_table_has_a_file_that_says_the_same() {
    for table in both().into_iter().flat_map(|experiment| &experiment.tables) {
        let values = table.rows.iter().flatten().map(Value::to_string);
        assert!(values.into_iter().all(|value| value != "NaN" && value != "inf"), "{table}");
    }
    for experiment in both() {
        for table in &experiment.tables {
            let name = format!("{}.csv", table.name);
            let file = experiment.files.iter().find(|file| file.name == name).unwrap();
            assert_eq!(std::str::from_utf8(&file.bytes).unwrap(), table.csv());
        }
    }
}

#[test]
fn every_picture_is_well_formed() {
    let pictures = both().map(|experiment| {
        let pictures = experiment.files.iter().filter(|file| file.name.ends_with(".svg"));
        pictures.inspect(|file| assert_well_formed(file)).count()
    });
    assert_eq!(pictures, [9, 14]);
}

fn assert_well_formed(picture: &File) {
    let document = Document::parse(std::str::from_utf8(&picture.bytes).unwrap()).unwrap();
    let drawn = |node: &roxmltree::Node<'_, '_>| {
        ["path", "polyline", "circle", "rect"].iter().any(|name| node.has_tag_name(*name))
    };
    assert!(document.descendants().filter(drawn).count() > 4, "{}", picture.name);
}
