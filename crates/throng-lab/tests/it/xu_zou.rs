//! The experiment on Xu and Zou's paper: its claims are judged, and it is reproducible.

use std::sync::LazyLock;

use roxmltree::Document;
use throng_lab::{Experiment, Options, Progress, Row, Table, Value, Verdict, xu_zou};

fn run(seed: u64, threads: usize) -> Experiment {
    let options = Options { seed, quick: true, threads, ..Options::default() };
    xu_zou::PAPER.run(&options, &mut |_| {}).unwrap()
}

static QUICK: LazyLock<Experiment> = LazyLock::new(|| run(1, 1));

fn table(name: &str) -> &'static Table {
    QUICK.tables.iter().find(|table| table.name == name).unwrap()
}

/// The value in the column of the row that starts with these words.
fn number(table: &Table, row: &[&str], column: &str) -> f64 {
    let column = table.columns.iter().position(|name| name == column).unwrap();
    let starts = |values: &&Vec<Value>| {
        row.iter().zip(values.iter()).all(|(word, value)| *word == value.to_string())
    };
    let found = table.rows.iter().find(starts).unwrap();
    found[column].to_string().parse().unwrap()
}

#[test]
fn every_statement_is_judged_and_throngs_own_checks_hold() {
    for check in &QUICK.checks {
        assert!(check.holds, "{}", check.text);
    }
    assert!(QUICK.holds() && QUICK.checks.len() == 4);
    let mut failed = QUICK.clone();
    failed.checks[1].holds = false;
    assert!(!failed.holds());
    assert_eq!(QUICK.claims.len(), 25);
    for claim in QUICK.claims.iter().filter(|claim| claim.verdict != Verdict::Holds) {
        assert!(!claim.reason.is_empty(), "{claim:?}");
    }
}

/// The rows without their times.
fn timeless(experiment: &Experiment) -> Vec<Row> {
    let rows = experiment.rows.iter().cloned();
    rows.map(|row| Row { milliseconds: 0.0, ..row }).collect()
}

#[test]
fn the_same_rows_come_out_again_and_on_any_number_of_threads() {
    for threads in [1, 2] {
        let again = run(1, threads);
        assert_eq!(timeless(&QUICK), timeless(&again));
        let [steady, steady_again] = [&*QUICK, &again].map(|experiment| {
            let claims = experiment.claims.iter().filter(|claim| !claim.statement.contains("time"));
            let files = experiment.files.iter();
            let files =
                files.filter(|file| !file.name.contains("time") && file.name != "claims.csv");
            (claims.collect::<Vec<_>>(), files.collect::<Vec<_>>())
        });
        assert_eq!(steady, steady_again);
    }
}

#[test]
fn another_seed_gives_other_cases_and_the_same_truths() {
    let other = run(6, 2);
    assert_ne!(QUICK.tables, other.tables);
    assert!(other.holds(), "{:?}", other.checks);
}

/// As printed, the search is not always right: that it is was the paper's claim.
#[test]
fn the_search_as_printed_misses_some_best_paths() {
    let table = table("as-printed");
    let found = |search| number(table, &[search], "best found %");
    assert!(found("as printed") < 100.0 && found("as printed") > 20.0);
    assert!((found("one search") - 100.0).abs() < 1e-9);
    assert!(number(table, &["as printed"], "cost worst") > 1.0);
}

#[test]
fn one_search_costs_less_than_twice_the_best_pairs_own_and_far_less_than_64() {
    let table = table("many-to-many");
    for world in ["all", "open", "random 20%", "rooms", "caves", "town"] {
        let ratio = |measured| number(table, &[world, measured], "of best pair's");
        assert!((1.0..=2.0).contains(&ratio("one search")), "{world}");
        assert!((ratio("best pair's own") - 1.0).abs() < 1e-9);
        assert!(ratio("all 64 searches") > 10.0, "{world}");
    }
    assert!(number(table, &["all", "one search"], "cases") >= 100.0);
}

#[test]
fn splices_save_work_at_small_breaks_and_no_path_beats_the_shortest() {
    let table = table("breaks");
    for row in &table.rows {
        let words = [row[0].to_string(), row[1].to_string()];
        let words = words.each_ref().map(String::as_str);
        assert!(number(table, &words, "cost mean") >= 1.0, "{words:?}");
        assert!(number(table, &words, "stuck").abs() < 1e-9, "{words:?}");
    }
    for splice in ["splice as printed", "any-cell splice", "throng's default"] {
        assert!(number(table, &["unit", splice], "of full search") < 0.8, "{splice}");
    }
    let cost = |method| number(table, &["all", method], "cost mean");
    assert!(cost("any-cell splice") <= cost("splice as printed"));
    assert!(cost("throng's default") <= cost("any-cell splice"));
}

#[test]
fn every_table_is_complete_and_its_file_says_the_same() {
    let sizes = QUICK.tables.iter().map(|table| (table.name.as_str(), table.rows.len()));
    let expected = [
        ("many-to-many", 63),
        ("as-printed", 4),
        ("breaks", 28),
        ("zig-zag", 12),
        ("open-lists-time", 6),
        ("claims", 25),
    ];
    assert_eq!(sizes.collect::<Vec<_>>(), expected);
    // Fields of the others are quoted.
    let plain = |table: &&Table| table.name != "claims" && table.name != "as-printed";
    for table in QUICK.tables.iter().filter(plain) {
        let name = format!("{}.csv", table.name);
        let file = QUICK.files.iter().find(|file| file.name == name).unwrap();
        let text = std::str::from_utf8(&file.bytes).unwrap();
        assert!(!text.contains(['"', '\r']), "no field of {name} needs quotes");
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
        assert_eq!(lines[0], table.columns);
        for (line, row) in lines[1..].iter().zip(&table.rows) {
            assert_eq!(*line, row.iter().map(Value::to_string).collect::<Vec<_>>());
            assert!(!line.contains(&"NaN") && !line.contains(&"inf"), "{line:?}");
        }
        assert_eq!(lines.len(), table.rows.len() + 1);
    }
}

#[test]
fn every_picture_is_well_formed() {
    let pictures: Vec<_> = QUICK.files.iter().filter(|f| f.name.ends_with(".svg")).collect();
    let wanted = ["figure-2", "figure-3", "figure-4", "figure-5", "figure-6", "zig-zag"];
    for name in wanted {
        assert!(pictures.iter().any(|f| f.name == format!("{name}.svg")), "{name}");
    }
    assert_eq!(pictures.len(), 12);
    for picture in pictures {
        let text = std::str::from_utf8(&picture.bytes).unwrap();
        let document = Document::parse(text).unwrap();
        let lines = document.descendants().filter(|node| node.has_tag_name("polyline")).count();
        // Each side of a figure has a path at least, and a path is a line with a rim.
        assert!(!picture.name.starts_with("figure") || lines >= 4, "{}", picture.name);
    }
}

#[test]
fn progress_counts_every_case_of_every_stage() {
    let mut reports: Vec<Progress> = Vec::new();
    let options = Options { quick: true, threads: 2, ..Options::default() };
    xu_zou::PAPER.run(&options, &mut |progress| reports.push(progress)).unwrap();
    let finished = reports.iter().filter(|report| report.done == report.of);
    let finished: Vec<_> = finished.map(|report| (report.stage, report.of)).collect();
    assert_eq!(
        finished,
        [("many-to-many", 100), ("breaks", 100), ("zig-zag", 100), ("open-lists", 100)]
    );
}
