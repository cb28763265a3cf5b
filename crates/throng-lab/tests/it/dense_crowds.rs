//! The experiment on dense crowds: its checks hold, and all but the times is reproducible.

use std::sync::LazyLock;

use roxmltree::Document;
use throng_lab::{Experiment, File, Options, Table, dense_crowds};

/// A quick run. It fails when the referee rejects a single plan.
fn run(threads: usize) -> Experiment {
    let options = Options { quick: true, threads, ..Options::default() };
    let mut progress = |report: throng_lab::Progress| assert!(report.done <= report.of);
    dense_crowds::PAPER.run(&options, &mut progress).unwrap()
}

static QUICK: LazyLock<Experiment> = LazyLock::new(|| run(2));

fn table(name: &str) -> &'static Table {
    QUICK.tables.iter().find(|table| table.name == name).unwrap()
}

/// The values of a solver's column, by crowd; none where it was not run or solved nothing.
fn column(name: &str, solver: &str) -> Vec<Option<f64>> {
    let at = table(name).columns.iter().position(|column| column == solver).unwrap();
    table(name).rows.iter().map(|row| row[at].to_string().parse().ok()).collect()
}

#[test]
fn all_checks_hold() {
    for check in &QUICK.checks {
        assert!(check.holds, "{}", check.text);
    }
    assert_eq!(QUICK.checks.len(), 10);
}

#[test]
fn the_same_bytes_come_out_on_one_thread() {
    let steady = |experiment: &Experiment| {
        let files = experiment.files.iter().filter(|file| !file.name.contains("time"));
        files.cloned().collect::<Vec<File>>()
    };
    let one = run(1);
    assert_eq!(steady(&one), steady(&QUICK));
    assert_eq!(one.checks, QUICK.checks);
    assert_eq!(QUICK.files.len() - steady(&QUICK).len(), 2, "times.csv and times.svg");
}

#[test]
fn costs_are_between_the_lower_bound_and_those_of_the_first_plan() {
    let (lacam, lns) = (column("cost", "lacam"), column("cost", "lns"));
    assert_eq!(lacam.len(), 10);
    for (lacam, lns) in lacam.iter().zip(&lns) {
        assert!(1.0 <= lns.unwrap() && lns <= lacam, "{lns:?} {lacam:?}");
    }
    let joint: Vec<_> = column("cost", "joint").into_iter().flatten().collect();
    assert!((1..=4).contains(&joint.len()), "only the smallest crowds: {joint:?}");
    assert!(column("spread", "lns").iter().flatten().all(|&spread| spread >= 0.0));
    assert!(column("times", "lns").iter().all(|&time| time.unwrap() > 0.0));
}

#[test]
fn every_run_is_listed_and_every_picture_well_formed() {
    let text = |name: &str| {
        let file = QUICK.files.iter().find(|file| file.name == name).unwrap();
        std::str::from_utf8(&file.bytes).unwrap()
    };
    // Seven solvers in ten crowds, and joint in four, with two scenarios each.
    assert_eq!(text("results.csv").lines().count(), 1 + 7 * 10 + 4);
    assert_eq!(text("runs.csv").lines().count(), 1 + 2 * (7 * 10 + 4));
    for name in ["cost.svg", "solved.svg", "times.svg"] {
        let document = Document::parse(text(name)).unwrap();
        let drawn = document
            .descendants()
            .filter(|node| node.has_tag_name("circle") || node.has_tag_name("rect"));
        assert!(drawn.count() > 40, "{name}");
    }
}
