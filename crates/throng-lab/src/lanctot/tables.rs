//! Tables 1 to 4, the factors in the text, and the paper's methods beside ours.

use super::Configuration;
use super::measured::{longer, ratio, spread, value};
use super::paper::{self, WORKLOADS};
use crate::harness::statistics::Summary;
use crate::harness::{Comparison, Rows, Study, row};
use crate::{Table, Value};

pub(super) fn add(rows: &Rows, study: &mut Study<'_>) {
    study.section(
        "Games and workloads",
        "The paper's people are replaced by simulated players with simple roles. Their games last \
         as long as the paper's, and clicks and pauses are chosen to give about its counts: table \
         1 is an input here, not a result. MODELED has 30 source and destination points, of which \
         10 are inside; EXTRACTED is a sample of the players' paths with the total distance of \
         RANDOM.",
    );
    study.table(games(rows));
    study.table(workloads(rows));
    study.section(
        "Tables 2 to 4",
        "One town, five games and three workloads per seed. Values are medians over seeds (least \
         to largest). Times are processor times. The paper's delay is the mean time of a search at \
         grid level, its total time divided by the searches; the time to the first step stands \
         beside it.",
    );
    for (number, workload) in (2..).zip(WORKLOADS) {
        study.table(benchmark(rows, number, workload));
    }
    study.table(relations(rows));
    study.section(
        "As printed, and ours",
        "RD searches at grid level between roadmap points that see each other, as printed. RD+ \
         walks its edges without a search, joins parts that do not see each other by detours, and \
         skips points when a later one is visible. VZ has the midpoints of the Delaunay edges as \
         waypoints, as printed. VZ+ has the remedies that the paper names. The same queries, the \
         same seeds.",
    );
    study.table(as_printed(rows));
    study.compare(WORKLOADS.iter().flat_map(|workload| compared(rows, workload)));
}

fn compared(rows: &Rows, workload: &str) -> Vec<Comparison> {
    type Measured = fn(&Rows, &str, &str) -> Option<f64>;
    let measures: [(_, Measured); 3] = [
        (("nodes expanded", 0), |rows, test, workload| value(rows, test, workload, "work")),
        (("longer than GR (%)", 1), longer),
        (("total time (ms)", 1), |rows, test, workload| value(rows, test, workload, "ms")),
    ];
    let both = [["RD", "RD+"], ["VZ", "VZ+"]].into_iter();
    let each = both.flat_map(|tests| measures.map(|(measure, of)| (tests, measure, of)));
    each.filter_map(|(tests, measure, of)| {
        let by_seed = |test: &str| rows.by_seed(|rows| of(rows, test, workload)).list;
        let median =
            |values: Vec<f64>| (!values.is_empty()).then(|| Summary::of(values.into_iter()).median);
        let towns = by_seed(tests[0]).len();
        let instances = format!("{workload} in {towns} towns, the median town");
        let values = tests.map(|test| median(by_seed(test)));
        Comparison::new(tests, &instances, measure, values)
    })
    .collect()
}

/// The median of a value over all seeds, and its spread.
fn shown(rows: &Rows, decimals: usize, value: impl Fn(&Rows) -> Option<f64>) -> Value {
    spread(&rows.by_seed(value).list, decimals).into()
}

fn games(rows: &Rows) -> Table {
    let title = "Table 1: movement data of the games (MV: move updates, SD: destinations). The \
                 lengths are inputs; a quick run plays a tenth";
    let columns =
        ["run", "paper seconds", "seconds", "paper MV", "MV", "paper SD", "SD", "teams with orbs"];
    let mut table = Table::new("games", title, &columns);
    let runs = (1_usize..).map(|run| (run, rows.of("game").with("run", &run.to_string())));
    for (run, of_run) in runs.take_while(|(_, rows)| rows.len() > 0) {
        let paper = paper::GAMES.get(run - 1);
        let of_paper = |column: usize| paper.map(|game| game[column]);
        let ours = |metric: &str| shown(&of_run, 0, |rows| rows.mean(metric));
        table.push(row![
            run.to_string(),
            of_paper(0),
            ours("seconds"),
            of_paper(1),
            ours("moves"),
            of_paper(2),
            ours("destinations"),
            ours("gathered"),
        ]);
    }
    table
}

fn workloads(rows: &Rows) -> Table {
    let title = "Workloads: queries and their mean straight distance in units";
    let mut table = Table::new("workloads", title, &["workload", "queries", "distance"]);
    for workload in WORKLOADS {
        let of_workload = rows.of("workload").with("name", workload);
        let ours = |metric: &str, decimals| shown(&of_workload, decimals, |rows| rows.mean(metric));
        table.push(row![workload, ours("queries", 0), ours("apart", 2)]);
    }
    table
}

const COLUMNS: [&str; 16] = [
    "test",
    "paper nodes/search",
    "nodes/search",
    "paper distance",
    "distance",
    "paper total s",
    "total ms",
    "paper speed units/ms",
    "speed units/ms",
    "paper delay ms",
    "delay ms",
    "first step ms",
    "searches",
    "CC hits %",
    "PC hits %",
    "fallbacks",
];

fn benchmark(rows: &Rows, number: usize, workload: &str) -> Table {
    let title = format!("Table {number}: {workload}");
    let mut table = Table::new(&format!("table-{number}"), &title, &COLUMNS);
    for (at, test) in Configuration::ALL.iter().enumerate() {
        let paper = paper::measured(workload, at);
        let ours = |metric: &str, decimals| {
            shown(rows, decimals, |rows| value(rows, test.name, workload, metric))
        };
        table.push(row![
            test.name,
            paper.map(|paper| (paper.nodes, 0)),
            ours("nodes", 0),
            paper.map(|paper| (paper.distance, 0)),
            ours("distance", 0),
            paper.map(|paper| (paper.seconds, 1)),
            ours("ms", 1),
            paper.map(|paper| (paper.speed, 2)),
            ours("speed_ms", 0),
            paper.map(|paper| (paper.delay_ms, 0)),
            ours("search_ms", 3),
            ours("first_ms", 3),
            ours("searches", 0),
            ours("cc_hits", 0),
            ours("pc_hits", 0),
            ours("fallbacks", 0),
        ]);
    }
    table
}

/// What is compared, the slower test, the faster test.
pub(super) const RELATIONS: [(&str, &str, &str); 19] = [
    ("zones", "GR", "SZ"),
    ("zones", "GR+CC", "SZ+CC"),
    ("zones", "GR+CC+PC", "SZ+CC+PC"),
    ("zones", "GR+CC+sPC", "SZ+CC+sPC"),
    ("roadmap", "GR", "RD"),
    ("roadmap", "SZ", "RD"),
    ("Voronoi", "GR", "VZ"),
    ("CC", "SZ", "SZ+CC"),
    ("CC", "GR", "GR+CC"),
    ("CC", "RD", "RD+CC"),
    ("CC", "VZ", "VZ+CC"),
    ("PC", "SZ+CC", "SZ+CC+PC"),
    ("PC", "GR+CC", "GR+CC+PC"),
    ("PC", "VZ+CC", "VZ+CC+PC"),
    ("sPC", "SZ+CC", "SZ+CC+sPC"),
    ("sPC", "GR+CC", "GR+CC+sPC"),
    ("ours", "RD", "RD+"),
    ("ours", "VZ", "VZ+"),
    ("ours", "SZ", "VZ+"),
];

fn relations(rows: &Rows) -> Table {
    let title = "How many times faster, by total time; in brackets by nodes";
    let words = ["what", "slower", "faster"].map(str::to_owned);
    let of_workload =
        WORKLOADS.iter().flat_map(|name| [format!("{name} paper"), (*name).to_owned()]);
    let columns: Vec<String> = words.into_iter().chain(of_workload).collect();
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let mut table = Table::new("relations", title, &columns);
    let number = |name: &str| Configuration::ALL.iter().position(|test| test.name == name);
    for (what, slow, fast) in RELATIONS {
        let mut line = row![what, slow, fast];
        for workload in WORKLOADS {
            let seconds = |name| Some(paper::measured(workload, number(name)?)?.seconds);
            let paper = seconds(slow).zip(seconds(fast)).map(|(slow, fast)| (slow / fast, 2));
            let ours = |metric: &str| {
                spread(&rows.by_seed(|rows| ratio(rows, [slow, fast], workload, metric)).list, 2)
            };
            let both = ours("ms").zip(ours("work")).map(|(time, work)| format!("{time} [{work}]"));
            line.extend([Value::from(paper), Value::from(both)]);
        }
        table.push(line);
    }
    table
}

fn as_printed(rows: &Rows) -> Table {
    let title = "The paper's methods exactly as printed, and ours";
    let columns = [
        "workload",
        "method",
        "whose",
        "searches",
        "nodes/search",
        "nodes",
        "longer than GR %",
        "total ms",
        "fallbacks",
    ];
    let mut table = Table::new("as-printed", title, &columns);
    let methods = [
        ("SZ", "printed"),
        ("SZ, no zone blocked", "printed but for blocking"),
        ("RD", "printed"),
        ("RD+", "ours"),
        ("VZ", "printed"),
        ("VZ+", "ours, the paper's remedies"),
    ];
    for workload in WORKLOADS {
        for (method, whose) in methods {
            let ours = |metric: &str, decimals| {
                shown(rows, decimals, |rows| value(rows, method, workload, metric))
            };
            table.push(row![
                workload,
                method,
                whose,
                ours("searches", 0),
                ours("nodes", 0),
                ours("work", 0),
                shown(rows, 1, |rows| longer(rows, method, workload)),
                ours("ms", 1),
                ours("fallbacks", 0),
            ]);
        }
    }
    table
}
