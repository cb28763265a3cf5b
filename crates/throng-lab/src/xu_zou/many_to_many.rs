//! Section 3: from any of eight exits to any of eight entrances, in one search.
//!
//! The single search must find the best path of the 64 searches from each exit to each entrance.
//! Its work is compared with the search between the best pair (of several best pairs, the one that
//! takes the fewest nodes), and with all 64. On the same cases run the paper's search as printed,
//! which ends at the first stop node discovered, and the two simple rules for doors that the paper
//! warns of.

use throng::grid::{AStar, Field, FirstDiscovered, Jps, PathSearch};
use throng::grid::{Endpoint, Journey, JourneyAnswer};
use throng::model::{Budget, Cell, Cost};
use throng_draw::plot::{Axis, BarChart, Chart};

use super::barracks::Barracks;
use super::worlds::World;
use super::{claims, per_seed};
use crate::harness::best_path::best_path;
use crate::harness::clock::timed;
use crate::harness::statistics::{Summary, cumulative};
use crate::harness::{CaseId, Rows, Study, row};
use crate::{LabError, Row, Table, Value};

const STAGE: &str = "many-to-many";

/// The names of the rows of a case.
pub(super) const ONE: &str = "one search";
pub(super) const BEST_PAIR: &str = "best pair's own";
pub(super) const ALL_PAIRS: &str = "all 64 searches";
pub(super) const PRINTED: &str = "as printed";
pub(super) const PRINTED_PAIR: &str = "best pair's own as printed";
pub(super) const IN_ORDER: &str = "first doors in order";
pub(super) const STRAIGHT: &str = "doors nearest in a straight line";
pub(super) const NO_ESTIMATE: &str = "best pair's own with h = 0";
const JPS: [&str; 3] = ["JPS one search", "JPS best pair's own", "JPS all 64 searches"];

pub(super) fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    let rows = study.trials(STAGE, "pairs of barracks", per_seed(study), |id| {
        case(id, &Barracks::random(id)?)
    })?;
    study.section(
        "Section 3: many exits, many entrances",
        "Two barracks with eight doors each on random maps of 128 x 128 cells: open, 20% random \
         obstacles, rooms, caves, towns. In every second case a quarter of the doors is blocked. \
         The paper has no measurements.",
    );
    study.table(table(&rows));
    for solver in [ONE, JPS[0]] {
        let wrong = rows.of(solver).values("ratio").filter(|ratio| *ratio > 1.0).count();
        let all = rows.of(solver).len();
        let text =
            format!("{solver} finds the cost of the best of all pairs: {wrong} of {all} differ");
        study.check(wrong == 0, text);
    }
    study.figure("many-to-many-expanded", distribution(&rows)?);
    study.figure("many-to-many-mean", bars(&rows)?);
    study.figure("many-to-many-scatter", scatter(&rows)?);
    claims::doors(&rows, study);
    Ok(())
}

/// The best pair of doors.
#[derive(Clone, Copy)]
struct Best {
    pair: (Cell, Cell),
    cost: Cost,
    expanded: u64,
}

fn case(id: &CaseId, barracks: &Barracks) -> Result<Vec<Row>, LabError> {
    let mut rows = Vec::new();
    let best =
        compare(id, barracks, &mut AStar::default(), [ONE, BEST_PAIR, ALL_PAIRS], &mut rows)?;
    if Jps::supports(&barracks.ground) {
        compare(id, barracks, &mut Jps::default(), JPS, &mut rows)?;
    }
    let mut printed = FirstDiscovered::default();
    rows.push(one_search(id, barracks, &mut printed, PRINTED, best)?);
    let (exit, entrance) = best.pair;
    let path = best_path(&barracks.ground, &mut printed, exit, entrance)?;
    let cost = path.map_or(Cost::MAX, |path| path.cost);
    rows.push(measured(barracks, PRINTED_PAIR, printed.expanded(), 0.0, ratio(cost, best)));
    rows.extend(simple_rules(barracks, best)?);
    rows.push(without_estimate(barracks, best)?);
    Ok(rows)
}

fn measured(barracks: &Barracks, solver: &str, expanded: u64, ms: f64, ratio: f64) -> Row {
    let world = barracks.world.name().replace(' ', "-");
    Row::of(solver, format!("world={world}"))
        .outcome("found")
        .spent(expanded, ms, 0)
        .metric("ratio", ratio)
}

fn ratio(cost: Cost, best: Best) -> f64 {
    cost.0 as f64 / best.cost.0.max(1) as f64
}

/// Searches once, and then for each pair.
fn compare(
    id: &CaseId,
    barracks: &Barracks,
    search: &mut impl PathSearch,
    [one, best_pair, all_pairs]: [&str; 3],
    rows: &mut Vec<Row>,
) -> Result<Best, LabError> {
    let mut best: Option<Best> = None;
    let (mut expanded_all, mut ms_all, mut ms_best) = (0, 0.0, 0.0);
    for (exit, entrance) in barracks.pairs() {
        let (path, ms) = timed(|| best_path(&barracks.ground, search, exit, entrance));
        let Some(path) = path? else { continue };
        id.judge(&barracks.map, barracks.ground.movement(), &path)?;
        let found = Best { pair: (exit, entrance), cost: path.cost, expanded: search.expanded() };
        expanded_all += found.expanded;
        ms_all += ms;
        let key = |best: &Best| (best.cost, best.expanded);
        if best.is_none_or(|best| key(&found) < key(&best)) {
            best = Some(found);
            ms_best = ms;
        }
    }
    let best = best.ok_or_else(|| id.illegal("no pair of doors is connected"))?;
    rows.push(one_search(id, barracks, search, one, best)?);
    rows.push(measured(barracks, best_pair, best.expanded, ms_best, 1.0));
    rows.push(measured(barracks, all_pairs, expanded_all, ms_all, 1.0));
    Ok(best)
}

/// One search from all exits to all entrances.
fn one_search(
    id: &CaseId,
    barracks: &Barracks,
    search: &mut impl PathSearch,
    solver: &str,
    best: Best,
) -> Result<Row, LabError> {
    let (from, to) = ([Endpoint::Building(&barracks.from)], [Endpoint::Building(&barracks.to)]);
    let journey = Journey::new(&barracks.ground, &from, &to)?;
    let (answer, ms) = timed(|| journey.find(&barracks.ground, search, Budget::unlimited()));
    let JourneyAnswer::Found(trip) = answer? else { return Err(id.illegal("no path")) };
    id.judge(&barracks.map, barracks.ground.movement(), &trip.path)?;
    Ok(measured(barracks, solver, search.expanded(), ms, ratio(trip.path.cost, best)))
}

/// The doors of the two rules that the paper warns of: the first walkable door of a list, and the
/// doors with the least straight distance. Only where a path joins them.
fn simple_rules(barracks: &Barracks, best: Best) -> Result<Vec<Row>, LabError> {
    let apart = |(a, b): &(Cell, Cell)| {
        let square = |a: u16, b: u16| u32::from(a.abs_diff(b)).pow(2);
        square(a.x, b.x) + square(a.y, b.y)
    };
    let connected = || barracks.pairs().filter(|&(a, b)| barracks.ground.is_connected(a, b));
    let rules = [(IN_ORDER, connected().next()), (STRAIGHT, connected().min_by_key(apart))];
    let mut rows = Vec::new();
    for (rule, pair) in rules {
        let Some((exit, entrance)) = pair else { continue };
        let mut search = AStar::default();
        if let Some(path) = best_path(&barracks.ground, &mut search, exit, entrance)? {
            let ratio = ratio(path.cost, best);
            rows.push(measured(barracks, rule, search.expanded(), 0.0, ratio));
        }
    }
    Ok(rows)
}

/// A search without an estimate expands every cell that is nearer than the goal.
fn without_estimate(barracks: &Barracks, best: Best) -> Result<Row, LabError> {
    let field = Field::new(&barracks.ground, &[best.pair.1])?;
    let nearer = |cell: &Cell| field.distance(*cell).is_some_and(|cost| cost < best.cost);
    let expanded = barracks.map.cells().filter(nearer).count() as u64;
    Ok(measured(barracks, NO_ESTIMATE, expanded, 0.0, 1.0))
}

const MEASURED: [&str; 11] = [
    ONE,
    BEST_PAIR,
    ALL_PAIRS,
    PRINTED,
    PRINTED_PAIR,
    NO_ESTIMATE,
    IN_ORDER,
    STRAIGHT,
    JPS[0],
    JPS[1],
    JPS[2],
];

fn table(rows: &Rows) -> Table {
    let title = "Leave one barracks by any of 8 exits, enter another by any of 8 entrances (nodes; \
                 cost as multiple of the best pair's)";
    let columns = [
        "world",
        "measured",
        "cases",
        "expanded mean",
        "median",
        "p95",
        "of best pair's",
        "cost mean",
        "cost worst",
        "best found %",
    ];
    let mut table = Table::new(STAGE, title, &columns);
    for (name, of_world) in by_world(rows) {
        let best = of_world.of(BEST_PAIR).mean("work").unwrap_or(1.0);
        for solver in MEASURED {
            let of_solver = of_world.of(solver);
            if of_solver.len() > 0 {
                table.push(line(&name, solver, &of_solver, best));
            }
        }
    }
    table
}

fn line(world: &str, solver: &str, rows: &Rows, best: f64) -> Vec<Value> {
    let expanded = Summary::of(rows.values("work"));
    let found = rows.values("ratio").filter(|ratio| *ratio <= 1.0).count();
    row![
        world,
        solver,
        rows.len(),
        (expanded.mean, 1),
        (expanded.median, 1),
        (expanded.p95, 1),
        (expanded.mean / best, 2),
        rows.mean("ratio").map(|ratio| (ratio, 4)),
        (rows.values("ratio").fold(1.0, f64::max), 4),
        (100.0 * found as f64 / rows.len() as f64, 1),
    ]
}

/// All cases, then each world's.
fn by_world(rows: &Rows) -> Vec<(String, Rows)> {
    let all = ("all".to_owned(), rows.filter(|_| true));
    let of = |world: World| {
        let of_world = rows.with("world", &world.name().replace(' ', "-"));
        (world.name().to_owned(), of_world)
    };
    std::iter::once(all).chain(World::ALL.map(of)).collect()
}

fn distribution(rows: &Rows) -> Result<String, LabError> {
    let mut chart = Chart::new(
        "8 exits, 8 entrances: one search against 64 (A*)",
        Axis::log("nodes expanded"),
        Axis::linear("cases with no more (%)"),
    );
    for solver in [ONE, BEST_PAIR, ALL_PAIRS, PRINTED] {
        let of_solver = rows.of(solver);
        let expanded = of_solver.values("work").map(|nodes| nodes.max(1.0));
        chart = chart.line(solver, &cumulative(expanded));
    }
    Ok(chart.svg()?)
}

/// Without the 64 searches: they would dwarf the other bars.
fn bars(rows: &Rows) -> Result<String, LabError> {
    // All cases last: the legend covers the top of the first bars.
    let mut groups = by_world(rows);
    groups.rotate_left(1);
    let names: Vec<&str> = groups.iter().map(|(name, _)| name.as_str()).collect();
    let mut chart = BarChart::new(
        "8 exits, 8 entrances: the cost of not knowing the best pair",
        "world",
        "nodes expanded, mean",
        &names,
    );
    for solver in [ONE, BEST_PAIR, PRINTED] {
        let mean_of = |(_, rows): &(String, Rows)| rows.of(solver).mean("work").unwrap_or(0.0);
        chart = chart.series(solver, &groups.iter().map(mean_of).collect::<Vec<_>>());
    }
    Ok(chart.svg()?)
}

fn scatter(rows: &Rows) -> Result<String, LabError> {
    let mut chart = Chart::new(
        "One search against the best pair's own search (A*, one dot per case)",
        Axis::log("nodes expanded by the best pair's own search"),
        Axis::log("nodes expanded by the one search"),
    );
    let nodes = |row: &Row| row.get("work").unwrap_or(1.0).max(1.0);
    for (name, of_world) in by_world(rows).into_iter().skip(1) {
        let pairs = of_world.pairs(BEST_PAIR, ONE, |_| true);
        let dots: Vec<(f64, f64)> =
            pairs.into_iter().map(|(best, one)| (nodes(best), nodes(one))).collect();
        chart = chart.scatter(&name, &dots);
    }
    let own = rows.of(BEST_PAIR);
    let best = || own.values("work").map(|nodes| nodes.max(1.0));
    let ends = best().reduce(f64::min).into_iter().chain(best().reduce(f64::max));
    let line = |factor: f64| ends.clone().map(|end| (end, end * factor)).collect::<Vec<_>>();
    Ok(chart.line("equal", &line(1.0)).line("twice", &line(2.0)).svg()?)
}
