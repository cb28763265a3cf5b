//! What the paper says: every figure and every statement of its text, and the value to compare.
//!
//! The paper has no measurements, so most statements have a direction and no number.

use super::breaks::{FULL, PRINTED_SPLICE};
use super::many_to_many::{
    ALL_PAIRS, BEST_PAIR, IN_ORDER, NO_ESTIMATE, ONE, PRINTED, PRINTED_PAIR, STRAIGHT,
};
use super::zig_zag::MOVES;
use crate::harness::{Comparison, Rows, Rule, Statement, Study, Values, row};
use crate::{Table, Value};

/// A statement, and its value by the rows of one seed.
type Judged = (Statement, fn(&Rows) -> Option<f64>);

const fn says(
    place: &'static str,
    says: &'static str,
    paper: &'static str,
    rule: Rule,
    reason: &'static str,
) -> Statement {
    Statement::new(place, says, paper, rule).because(reason)
}

fn judge(judged: &[Judged], rows: &Rows, study: &mut Study<'_>) {
    for (statement, value) in judged {
        study.judge(statement, &rows.by_seed(value));
    }
}

/// The mean of a metric of one method, divided by that of another.
fn ratio(rows: &Rows, one: &str, other: &str, metric: &str) -> Option<f64> {
    Some(rows.of(one).mean(metric)? / rows.of(other).mean(metric)?.max(f64::MIN_POSITIVE))
}

/// The share of cases whose path costs no more than the best, in percent.
fn best_found(rows: &Rows, solver: &str) -> Option<f64> {
    let of_solver = rows.of(solver);
    let best = of_solver.values("ratio").filter(|ratio| *ratio <= 1.0).count();
    (of_solver.len() > 0).then(|| 100.0 * best as f64 / of_solver.len() as f64)
}

pub(super) fn doors(rows: &Rows, study: &mut Study<'_>) {
    judge(DOORS, rows, study);
    let title = "The search as printed, and ours, on the same cases (cost as multiple of the best)";
    let columns =
        ["search", "whose", "cases", "nodes mean", "best found %", "cost mean", "cost worst"];
    let mut table = Table::new("as-printed", title, &columns);
    let searches = [
        (PRINTED, "printed: Manhattan, ends at the first stop node discovered"),
        (ONE, "ours: octile distance, ends when no open node leads to a cheaper path"),
        (PRINTED_PAIR, "printed, one start and one stop node"),
        (BEST_PAIR, "ours, one start and one stop node"),
    ];
    for (solver, whose) in searches {
        table.push(line(rows, solver, whose));
    }
    study.table(table);
    study.compare(compared(rows));
}

fn compared(rows: &Rows) -> Vec<Comparison> {
    let solvers = [PRINTED, ONE];
    let methods = ["search that ends at the first stop node discovered", "A* with many ends"];
    let instances = format!("{} pairs of barracks with doors", rows.of(PRINTED).len());
    [
        (("best pair of doors found (%)", 1), solvers.map(|solver| best_found(rows, solver))),
        (("cost by the best, mean", 4), solvers.map(|solver| rows.of(solver).mean("ratio"))),
        (("nodes expanded, mean", 0), solvers.map(|solver| rows.of(solver).mean("work"))),
    ]
    .into_iter()
    .filter_map(|(measure, values)| Comparison::new(methods, &instances, measure, values))
    .collect()
}

fn line(rows: &Rows, solver: &str, whose: &str) -> Vec<Value> {
    let of_solver = rows.of(solver);
    row![
        solver,
        whose,
        of_solver.len(),
        of_solver.mean("work").map(|nodes| (nodes, 1)),
        best_found(rows, solver).map(|percent| (percent, 1)),
        of_solver.mean("ratio").map(|ratio| (ratio, 4)),
        (of_solver.values("ratio").fold(1.0, f64::max), 4),
    ]
}

const PRINTED_REASON: &str = "the Manhattan distance overestimates where diagonal steps are allowed, and \
                              the first stop node discovered need not be the best; our A* has neither \
                              rule and finds the best pair in every case";

const DOORS: &[Judged] = &[
    (
        says(
            "abstract, section 3.2, figure 1",
            "one traverse finds a shortest path between multiple start and stop nodes: cases in which \
             the search as printed does",
            "100%",
            Rule::at_least(100.0),
            PRINTED_REASON,
        )
        .shown("%", 1),
        |rows| best_found(rows, PRINTED),
    ),
    (
        says(
            "section 3.2",
            "the same, by how much its path is longer than the best, mean",
            "0%",
            Rule::at_most(0.0),
            PRINTED_REASON,
        )
        .shown("%", 2),
        |rows| Some((rows.of(PRINTED).mean("ratio")? - 1.0) * 100.0),
    ),
    (
        says(
            "section 2",
            "A* with the Manhattan estimate finds the optimum between two nodes (eight neighbours)",
            "100% (\"admissible\")",
            Rule::at_least(100.0),
            "the Manhattan distance is admissible with four neighbours only",
        )
        .shown("%", 1),
        |rows| best_found(rows, PRINTED_PAIR),
    ),
    (
        says(
            "abstract, sections 3.1 and 3.2",
            "avoids frequent calls of the algorithm: nodes of one search per pair / as printed",
            "above 1, no number",
            Rule::above(1.0),
            "",
        )
        .shown("times", 1),
        |rows| ratio(rows, ALL_PAIRS, PRINTED, "work"),
    ),
    (
        says(
            "abstract, sections 3.1 and 3.2",
            "the same with our search, which finds the best pair: nodes of one search per pair / ours",
            "above 1, no number",
            Rule::above(1.0),
            "",
        )
        .shown("times", 1),
        |rows| ratio(rows, ALL_PAIRS, ONE, "work"),
    ),
    (
        says(
            "section 2",
            "breadth-first search (h = 0) finds the optimum slowly: its nodes / those of A*",
            "above 1, no number",
            Rule::above(1.0),
            "",
        )
        .shown("times", 1),
        |rows| ratio(rows, NO_ESTIMATE, BEST_PAIR, "work"),
    ),
    (
        says(
            "section 3.1",
            "doors in a predefined order make units walk around: cost / best, mean",
            "above 1, no number",
            Rule::above(1.0),
            "",
        )
        .shown("", 3),
        |rows| rows.of(IN_ORDER).mean("ratio"),
    ),
    (
        says(
            "section 3.1",
            "the door with the least straight distance ignores obstacles: cost / best, mean",
            "above 1, no number",
            Rule::above(1.0),
            "",
        )
        .shown("", 3),
        |rows| rows.of(STRAIGHT).mean("ratio"),
    ),
];

pub(super) fn breaks(rows: &Rows, study: &mut Study<'_>) {
    judge(BREAKS, rows, study);
    study.compare(["house", "bridge", "unit"].into_iter().filter_map(|event| {
        let of = [PRINTED_SPLICE, DEFAULT].map(|method| rows.with("event", event).of(method));
        let instances = format!("{} paths that a {event} breaks", of[0].len());
        let methods = ["link around the break", "link to one of 32 cells, or a full search"];
        let values = of.map(|rows| rows.mean("work"));
        Comparison::new(methods, &instances, ("nodes expanded, mean", 0), values)
    }));
}

const DEFAULT: &str = "throng's default";
const BRIDGE: &str = "where a bridge was, the detour is long for every method: the splice searches nearly \
                      as far as a search to the goal does";
const BRIDGE_DEFAULT: &str = "where a bridge was, our default gives a splice up when it gets costly and \
                              searches the whole path as well";

/// Nodes of a method after an event, as a share of those of a full search.
fn of_full(rows: &Rows, method: &str, event: &str) -> Option<f64> {
    ratio(&rows.with("event", event), method, FULL, "work")
}

/// Steps checked with a look-ahead, as a multiple of those checked one ahead.
fn checked(rows: &Rows, ahead: &str) -> Option<f64> {
    let of = |ahead: &str| rows.of(FULL).with("ahead", ahead).mean("checked");
    Some(of(ahead)? / of("1")?)
}

const BREAKS: &[Judged] = &[
    (
        says(
            "section 5",
            "a link around the break improves efficiency: nodes as printed / full search, house",
            "below 1, no number",
            Rule::below(1.0),
            "",
        ),
        |rows| of_full(rows, PRINTED_SPLICE, "house"),
    ),
    (
        says(
            "section 5, figure 6",
            "a link around the break improves efficiency: nodes as printed / full search, bridge",
            "below 1, no number",
            Rule::below(1.0),
            BRIDGE,
        ),
        |rows| of_full(rows, PRINTED_SPLICE, "bridge"),
    ),
    (
        says(
            "section 5",
            "a link around the break improves efficiency: nodes as printed / full search, other unit",
            "below 1, no number",
            Rule::below(1.0),
            "",
        ),
        |rows| of_full(rows, PRINTED_SPLICE, "unit"),
    ),
    (
        says(
            "section 5",
            "the same with throng's default, house",
            "below 1, no number",
            Rule::below(1.0),
            "",
        ),
        |rows| of_full(rows, DEFAULT, "house"),
    ),
    (
        says(
            "section 5, figure 6",
            "the same with throng's default, bridge",
            "below 1, no number",
            Rule::below(1.0),
            BRIDGE_DEFAULT,
        ),
        |rows| of_full(rows, DEFAULT, "bridge"),
    ),
    (
        says(
            "section 5",
            "the same with throng's default, other unit",
            "below 1, no number",
            Rule::below(1.0),
            "",
        ),
        |rows| of_full(rows, DEFAULT, "unit"),
    ),
    (
        says(
            "section 5",
            "checking more steps ahead increases time: steps checked 4 ahead / 1 ahead",
            "above 1, no number",
            Rule::above(1.0),
            "",
        )
        .shown("times", 1),
        |rows| checked(rows, "4"),
    ),
    (
        says(
            "section 5",
            "checking more steps ahead increases time: steps checked 16 ahead / 1 ahead",
            "above 1, no number",
            Rule::above(1.0),
            "",
        )
        .shown("times", 1),
        |rows| checked(rows, "16"),
    ),
    (
        says(
            "section 5",
            "the search adapts to dynamic changes: walks that arrive after their path broke",
            "all",
            Rule::at_least(100.0),
            "",
        )
        .shown("%", 1),
        |rows| Some(100.0 * (1.0 - rows.mean("stuck")?)),
    ),
];

pub(super) fn zig_zag(rows: &Rows, study: &mut Study<'_>) {
    judge(ZIG_ZAG, rows, study);
}

const ZIG_ZAG: &[Judged] = &[(
    says(
        "section 2",
        "grid paths are often zigzag: turns before / after smoothing, eight neighbours",
        "above 1, no number",
        Rule::above(1.0),
        "",
    )
    .shown("times", 1),
    |rows| {
        let of_eight = rows.of(MOVES[0]);
        Some(of_eight.mean("before")? / of_eight.mean("after")?.max(f64::MIN_POSITIVE))
    },
)];

/// What the figures show, in the order of [`FIGURES`]: whether it is so.
pub(super) fn figures(are_so: [bool; 5], details: [String; 5], study: &mut Study<'_>) {
    for ((statement, is_so), detail) in FIGURES.iter().zip(are_so).zip(details) {
        study.judge_with(statement, &Values::so(is_so), &detail);
    }
    for statement in NOT_TRIED {
        study.judge(statement, &Values::none());
    }
}

const FIGURES: [Statement; 5] = [
    says(
        "figure 2",
        "without obstacles the right bottom exit is the best; with obstacles the top right one, though \
         the right bottom is nearest in a straight line",
        "bottom right, top right",
        Rule::is_so(),
        "the drawing is ours: the paper's map has no coordinates",
    ),
    says(
        "figure 3",
        "without obstacles the left top entrance is the best; with obstacles the top right one",
        "top left, top right",
        Rule::is_so(),
        "the drawing is ours: the paper's map has no coordinates",
    ),
    says(
        "figure 4",
        "without obstacles from A's right bottom exit to B's left top entrance; with obstacles both change",
        "changed",
        Rule::is_so(),
        "the drawing is ours: the paper's map has no coordinates",
    ),
    says(
        "figure 5, section 4",
        "with factors lawn 1 and mountain road 2 the path leads around, and costs less",
        "around",
        Rule::is_so(),
        "the drawing is ours: the paper's map has no coordinates",
    ),
    says(
        "figure 6",
        "after the bridge is destroyed the path leads over the other one",
        "another path is found",
        Rule::is_so(),
        "the drawing is ours: the paper's map has no coordinates",
    ),
];

const NOT_TRIED: &[Statement] = &[says(
    "section 4",
    "terrain costs make paths more intelligent and realistic",
    "no number",
    Rule::is_so(),
    "realism is not measured; figure 5 shows the path",
)];
