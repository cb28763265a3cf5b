//! "Limiting the Search Depth": how far to plan ahead, the same for all units or not.

use throng::cooperative::{Instance, PlanningOptions, Simulation};
use throng::model::{Cell, ValidProblem};
use throng::model::{Effort, UnitId};
use throng::spacetime::{GridSpace, Position, Rra};
use throng_draw::plot::{Axis, Chart};
use throng_draw::{Colour, Disc, MarkKind, Picture, Point, Stroke, stroke_colour, svg};

use super::crowd_simulation::CrowdSimulation;
use crate::harness::statistics::interval;
use crate::harness::svg_layout::beside;
use crate::harness::{CaseId, Row, Rows, Rule, Statement, Study, row};
use crate::silver2005::arena::{self, TURNS, UNITS_MAX};
use crate::{LabError, Table};

const STAGE: &str = "depth";

/// How deep units search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    /// The same for all units.
    All(u32),
    /// The first for most units; the second for the half with more units around their start.
    Crowded(u32, u32),
}

const DEPTHS: [Depth; 8] = [
    Depth::All(4),
    Depth::All(8),
    Depth::All(12),
    Depth::All(16),
    Depth::All(24),
    Depth::All(32),
    Depth::All(48),
    Depth::Crowded(8, 32),
];

impl Depth {
    fn name(self) -> String {
        match self {
            Self::All(depth) => depth.to_string(),
            Self::Crowded(few, many) => format!("{many} in the crowd and {few} elsewhere"),
        }
    }

    fn of_units(self, problem: &ValidProblem) -> Vec<u32> {
        match self {
            Self::All(depth) => vec![depth; problem.units.len()],
            Self::Crowded(few, many) => {
                let around: Vec<_> =
                    problem.units.iter().map(|u| others(problem, u.start)).collect();
                let mut sorted = around.clone();
                sorted.sort_unstable();
                let median = sorted.get(sorted.len() / 2).copied().unwrap_or(0);
                around.iter().map(|&others| if others > median { many } else { few }).collect()
            }
        }
    }
}

/// How many units start near a cell.
fn others(problem: &ValidProblem, at: Cell) -> usize {
    const STEPS: u16 = 6;
    let near = |cell: Cell| cell.x.abs_diff(at.x) + cell.y.abs_diff(at.y) <= STEPS;
    problem.units.iter().filter(|unit| near(unit.start)).count()
}

const FARTHER: Statement = Statement::new(
    "Limiting the search depth",
    "\"looking far ahead in time has a significant cost\": nodes before the first move, depth 48 by 8",
    "significant: above 1",
    Rule::above(1.0),
)
.shown("times", 2);

const PARTIAL: Statement = Statement::new(
    "Limiting the search depth",
    "\"a partial path in this context will not normally lead to disaster\": units that arrive with depth 16",
    "normally: above 95%, as we read it",
    Rule::above(95.0),
)
.shown("%", 2)
.because("more fail");

const COOPERATIVE: Statement = Statement::new(
    "Interleaving searches",
    "as a unit \"comes to the end of the partial path, it becomes less and less cooperative\": turns with depth 4 by 32",
    "more",
    Rule::above(1.0),
)
.shown("times", 3)
.because("no difference");

const LOCALITY: Statement = Statement::new(
    "Limiting the search depth",
    "the depth \"should take account of ... the number of units in that locality\": turns with 32 in the crowd and 8 elsewhere by 16 for all",
    "better: below 1",
    Rule::below(1.0),
)
.shown("times", 3)
.because("16 for all costs about as many nodes; where units start is a poor guess of where they will meet");

const TEXT: &str = "Crowds of 100 units as in the paper of 2005, 8 per seed (1 in a quick run), with our planner: \
                    promotion, yielding and goal penalties are on. The article does not measure.";

pub(super) fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    let rows = study.trials(STAGE, "crowds", super::scenarios(study.options()), runs)?;
    study.section("Figure 4: limiting the search depth", TEXT);
    study.table(table(&rows));
    study.figure("depth-ticks", ticks_chart(&rows)?);
    study.figure("depth-nodes", nodes_chart(&rows)?);
    let caption = "Figure 4: a partial path of d steps, and the rest of the path by true distance, for which one terminal \
                   node stands. The article draws d = 8. Other units are grey, where they start.";
    study.figure_beside("figure-4", caption, windows(study.options().seed)?);
    let by = |one: Depth, other: Depth, metric: &'static str| {
        rows.by_seed(|rows| {
            Some(rows.of(&one.name()).mean(metric)? / rows.of(&other.name()).mean(metric)?)
        })
    };
    study.judge(&FARTHER, &by(Depth::All(48), Depth::All(8), "first-nodes"));
    let sixteen = rows.of(&Depth::All(16).name());
    study.judge(&PARTIAL, &sixteen.by_seed(|rows| rows.mean("arrived")));
    study.judge(&COOPERATIVE, &by(Depth::All(4), Depth::All(32), "ratio-all"));
    study.judge(&LOCALITY, &by(Depth::Crowded(8, 32), Depth::All(16), "ratio-all"));
    Ok(())
}

fn runs(id: &CaseId) -> Result<Vec<Row>, LabError> {
    let problem = arena::problem(id.seed, id.case, UNITS_MAX)?;
    let instance = arena::instance(&problem);
    let run = |depth: &Depth| {
        let depths = depth.of_units(&problem);
        let simulation = CrowdSimulation::new(&instance, PlanningOptions::default());
        let run = simulation.with_depth(|unit| depths[unit]).run(id, &problem, TURNS)?;
        Ok(run.row(depth.name(), format!("units={UNITS_MAX}"), TURNS))
    };
    DEPTHS.iter().map(run).collect()
}

fn table(rows: &Rows) -> Table {
    let title = format!("Search depth (crowds of {UNITS_MAX}, {TURNS} turns)");
    let columns = [
        "depth",
        "arrived %",
        "of shortest, failed = 100",
        "cycles",
        "nodes first",
        "nodes per turn",
        "nodes turn max",
    ];
    let mut table = Table::new(STAGE, &title, &columns);
    for depth in DEPTHS {
        let of = rows.of(&depth.name());
        let number = |metric: &str, decimals: usize| of.mean(metric).map(|mean| (mean, decimals));
        table.push(row![
            depth.name(),
            number("arrived", 2),
            number("ratio-all", 3),
            number("cycles", 2),
            number("first-nodes", 0),
            number("mean-nodes", 0),
            number("turn-nodes", 0),
        ]);
    }
    table
}

/// The depths that are the same for all units: mean of a metric, and its confidence interval.
fn line(rows: &Rows, metric: &str) -> Vec<(f64, f64, f64, f64)> {
    let uniform = DEPTHS.iter().filter_map(|depth| match depth {
        Depth::All(ticks) => Some((f64::from(*ticks), rows.of(&depth.name()))),
        Depth::Crowded(..) => None,
    });
    let point = |(depth, rows): (f64, Rows)| {
        rows.values(metric).next()?;
        let (mean, low, high) = interval(&rows.values(metric).collect::<Vec<_>>());
        // An interval may reach below zero, which an axis of logarithms has not.
        Some((depth, mean, low.max(0.1), high))
    };
    uniform.filter_map(point).collect()
}

fn ticks_chart(rows: &Rows) -> Result<String, LabError> {
    let title = "Search depth: turns until arrival";
    let y = Axis::linear("turns, multiple of the shortest path");
    let chart = Chart::new(title, Axis::linear("search depth (ticks)"), y);
    Ok(chart.line_with_band("100 units", &line(rows, "ratio-all")).svg()?)
}

fn nodes_chart(rows: &Rows) -> Result<String, LabError> {
    let title = "Search depth: work of 100 units together";
    let chart = Chart::new(title, Axis::linear("search depth (ticks)"), Axis::log("nodes, mean"));
    let chart = chart.line_with_band("before the first move", &line(rows, "first-nodes"));
    let chart = chart.line_with_band("most expensive turn", &line(rows, "turn-nodes"));
    Ok(chart.line_with_band("per turn", &line(rows, "mean-nodes")).svg()?)
}

/// Figure 4: the partial path of one unit, and the rest of its path by true distance.
fn windows(seed: u64) -> Result<String, LabError> {
    let problem = arena::problem(seed, 0, UNITS_MAX)?;
    let instance = arena::instance(&problem);
    let farthest = |&(_, unit): &(usize, &throng::model::Unit)| {
        unit.start.x.abs_diff(unit.goal.x) + unit.start.y.abs_diff(unit.goal.y)
    };
    let unit = problem.units.iter().enumerate().max_by_key(farthest).map_or(0, |(unit, _)| unit);
    let picture = |depth| window(&problem, &instance, unit, depth);
    Ok(beside(&[picture(8), picture(24)]))
}

fn window(
    problem: &ValidProblem,
    instance: &Instance<GridSpace>,
    unit: usize,
    depth: u32,
) -> String {
    const OTHERS: Colour = Colour::hex(0xb8_bc_c4);
    let mut crowd =
        CrowdSimulation::new(instance, PlanningOptions::default()).with_depth(|_| depth);
    crowd.prepare(&mut Effort::unlimited());
    let partial =
        crowd.store.path(UnitId::new(unit as u32)).map(|path| path.positions()).unwrap_or_default();
    let space = instance.space(unit);
    let cells = |path: &[Position]| path.iter().map(|&at| space.cell(at)).collect::<Vec<_>>();
    let rest = partial.last().map(|&end| downhill(instance, unit, end)).unwrap_or_default();
    let mut picture = Picture::new(&problem.map)
        .stroke(Stroke::new("by true distance", &cells(&rest), stroke_colour(1)).dashed())
        .stroke(Stroke::new("planned with the others", &cells(&partial), stroke_colour(0)));
    for (other, at) in problem.units.iter().enumerate().filter(|&(other, _)| other != unit) {
        let body = Disc::unit(other, Point::centre(at.start, 1), 1);
        picture = picture.disc(Disc { colour: OTHERS, ..body });
    }
    let ends = problem.units[unit];
    let picture = picture.mark(MarkKind::Start, ends.start).mark(MarkKind::Goal, ends.goal);
    svg(&picture.caption(&format!("search depth {depth}")).legend())
}

/// The rest of the path without other units.
fn downhill(instance: &Instance<GridSpace>, unit: usize, from: Position) -> Vec<Position> {
    use throng::spacetime::Space as _;
    let (space, spec) = (instance.space(unit), instance.units[unit]);
    let mut distances: Rra = Rra::default();
    distances.begin(space, [(spec.goal, 0)], from);
    let mut path = vec![from];
    let mut at = from;
    while at != spec.goal {
        let mut next = Vec::new();
        space.for_each_move(at, |step| next.push(step.to));
        let here = distances.distance(space, at);
        let nearer = next.into_iter().find(|&to| {
            let there = distances.distance(space, to);
            there.zip(here).is_some_and(|(there, here)| there < here)
        });
        let Some(nearer) = nearer else { break };
        at = nearer;
        path.push(at);
    }
    path
}
