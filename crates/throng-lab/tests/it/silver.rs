//! The experiments of Silver's papers: their claims hold, and all but the times is reproducible.

use std::sync::LazyLock;

use roxmltree::Document;
use throng_lab::{Experiment, File, Options, Paper, Progress, Value, silver2005, silver2006};

fn run(paper: Paper, threads: usize) -> Experiment {
    let options = Options { quick: true, threads, ..Options::default() };
    paper.run(&options, &mut |_| {}).unwrap()
}

static OF_2005: LazyLock<Experiment> = LazyLock::new(|| run(silver2005::PAPER, 1));
static OF_2006: LazyLock<Experiment> = LazyLock::new(|| run(silver2006::PAPER, 1));

fn both() -> [&'static Experiment; 2] {
    [&*OF_2005, &*OF_2006]
}

fn number(table: &str, row: &[&str], column: &str) -> f64 {
    let tables = both().into_iter().flat_map(|experiment| &experiment.tables);
    let table = tables.into_iter().find(|known| known.name == table).unwrap();
    let column = table.columns.iter().position(|name| name == column).unwrap();
    let starts = |values: &&Vec<Value>| {
        row.iter().zip(values.iter()).all(|(word, value)| *word == value.to_string())
    };
    table.rows.iter().find(starts).unwrap()[column].to_string().parse().unwrap()
}

#[test]
fn all_claims_hold() {
    for claim in both().into_iter().flat_map(|experiment| &experiment.checks) {
        assert!(claim.holds, "{}", claim.text);
    }
    assert_eq!(both().map(|experiment| experiment.checks.len()), [12, 24]);
}

/// The reproducible part: all but the times.
fn steady(experiment: &Experiment) -> (Vec<String>, Vec<&File>, Vec<String>) {
    let tables = experiment.tables.iter().filter(|table| table.name != "times");
    let files = experiment.files.iter().filter(|file| !file.name.contains("time"));
    let claims = experiment.checks.iter().map(|check| check.text.clone());
    (tables.map(ToString::to_string).collect(), files.collect(), claims.collect())
}

#[test]
fn the_same_bytes_come_out_on_any_number_of_threads() {
    for threads in [2, 8] {
        assert_eq!(steady(&OF_2005), steady(&run(silver2005::PAPER, threads)), "{threads}");
        assert_eq!(steady(&OF_2006), steady(&run(silver2006::PAPER, threads)), "{threads}");
    }
    let times = OF_2005.files.iter().filter(|file| file.name.contains("time"));
    let times: Vec<_> = times.map(|file| file.name.as_str()).collect();
    assert_eq!(times, ["times.csv", "figure-6-time.svg", "figure-7-time.svg"]);
    assert!(OF_2006.files.iter().all(|file| !file.name.contains("time")));
}

#[test]
fn no_unit_is_faster_than_its_shortest_path() {
    for units in ["20", "60", "100"] {
        for planner in ["LRA*", "CA*", "HCA*", "WHCA*(8)", "WHCA*(16)", "WHCA*(32)"] {
            let of = |column| number("results", &[units, planner], column);
            assert!(of("of shortest") >= 1.0, "{planner} {units}");
            assert!(of("turns, failed = 100") >= of("shortest"), "{planner} {units}");
            assert!(of("cycles") >= of("cycles on the way"), "{planner} {units}");
            assert!(of("nodes all") >= of("nodes first") + of("nodes turn max"));
            assert!(number("times", &[units, planner], "first ms") >= 0.0);
        }
    }
}

#[test]
fn every_table_has_a_file_that_says_the_same() {
    for experiment in both() {
        for table in &experiment.tables {
            let name = format!("{}.csv", table.name);
            let file = experiment.files.iter().find(|file| file.name == name).unwrap();
            assert_eq!(std::str::from_utf8(&file.bytes).unwrap(), table.csv());
            let values = table.rows.iter().flatten().map(Value::to_string);
            assert!(values.into_iter().all(|value| value != "NaN" && value != "inf"), "{name}");
        }
    }
    let rows = both().map(|e| e.tables.iter().map(|t| t.rows.len()).collect::<Vec<_>>());
    assert_eq!(rows, [vec![18, 18], vec![3, 8, 2, 4, 4, 8, 3, 9]]);
}

#[test]
fn every_picture_is_well_formed() {
    let pictures = both().map(|experiment| {
        let pictures = experiment.files.iter().filter(|file| file.name.ends_with(".svg"));
        pictures.inspect(|file| assert_well_formed(file)).count()
    });
    assert_eq!(pictures, [8, 12]);
}

fn assert_well_formed(picture: &File) {
    let document = Document::parse(std::str::from_utf8(&picture.bytes).unwrap()).unwrap();
    let drawn = |node: &roxmltree::Node<'_, '_>| {
        ["path", "polyline", "circle", "rect"].iter().any(|name| node.has_tag_name(*name))
    };
    assert!(document.descendants().filter(drawn).count() > 4, "{}", picture.name);
}

#[test]
fn progress_counts_every_case_of_every_stage() {
    let mut finished = Vec::new();
    let options = Options { quick: true, threads: 2, ..Options::default() };
    let mut note = |report: Progress| {
        if report.done == report.of {
            finished.push((report.stage, report.of));
        }
    };
    silver2006::PAPER.run(&options, &mut note).unwrap();
    let stages = [("depth", 4), ("interleaving", 4), ("levels", 4), ("promotion", 52)];
    assert_eq!(finished, [&stages[..], &[("jams", 4), ("kinds", 1)]].concat());
}
