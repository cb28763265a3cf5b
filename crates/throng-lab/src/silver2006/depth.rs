//! "Limiting the Search Depth": how far to plan ahead, the same for all units or not.

use throng::cooperative::{Instance, PlanningOptions, Simulation};
use throng::model::{Cell, ValidProblem};
use throng::model::{Effort, UnitId};
use throng::spacetime::{GridSpace, Position, Rra};
use throng_draw::plot::{Axis, Chart};
use throng_draw::{Colour, Disc, MarkKind, Picture, Point, Stroke, stroke_colour, svg};

use super::SCENARIOS;
use super::crowd_simulation::CrowdSimulation;
use crate::crowd::{CrowdRun, CrowdSummary};
use crate::harness::svg_layout::beside;
use crate::harness::{CaseId, Study, row, try_map};
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

pub(super) fn run(study: &mut Study<'_>) -> Result<(), LabError> {
    let scenarios = study.scaled(SCENARIOS);
    let by_depth = study.variants(STAGE, scenarios, runs)?;
    let outcomes = by_depth.each_ref().map(|runs| CrowdSummary::of(runs, TURNS));
    study.table(table(scenarios, &outcomes));
    claims(&outcomes, study);
    study.figure("depth-ticks", ticks_chart(&outcomes)?);
    study.figure("depth-nodes", nodes_chart(&outcomes)?);
    study.figure("figure-4", windows(study.options().seed)?);
    Ok(())
}

fn runs(id: &CaseId) -> Result<[CrowdRun; DEPTHS.len()], LabError> {
    let problem = arena::problem(id.seed, id.case, UNITS_MAX)?;
    let instance = arena::instance(&problem);
    try_map(DEPTHS, |depth| {
        let depths = depth.of_units(&problem);
        let simulation = CrowdSimulation::new(&instance, PlanningOptions::default());
        simulation.with_depth(|unit| depths[unit]).run(id, &problem, TURNS)
    })
}

fn table(scenarios: usize, outcomes: &[CrowdSummary]) -> Table {
    let title = format!("Search depth ({scenarios} crowds of {UNITS_MAX}, {TURNS} turns)");
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
    for (depth, outcome) in DEPTHS.iter().zip(outcomes) {
        table.push(row![
            depth.name(),
            (outcome.units.success, 2),
            (outcome.units.ratio_all(), 3),
            (outcome.units.cycles, 2),
            (outcome.expanded_first, 0),
            (outcome.expanded_turn.mean, 0),
            (outcome.expanded_turn_max, 0),
        ]);
    }
    table
}

fn claims(outcomes: &[CrowdSummary], study: &mut Study<'_>) {
    let of = |depth: Depth| {
        let at = DEPTHS.iter().position(|&known| known == depth);
        at.and_then(|at| outcomes.get(at)).copied().unwrap_or_default()
    };
    let (four, eight, deep) = (of(Depth::All(4)), of(Depth::All(8)), of(Depth::All(32)));
    let mixed = of(Depth::Crowded(8, 32)).expanded_first;
    let uniform = line(outcomes, |outcome| outcome.expanded_first);
    let text = "a deeper search expands more nodes before the first move".to_owned();
    study.check(uniform.is_sorted_by(|a, b| a.1 < b.1), text);
    let text = format!(
        "units that plan 4 ticks ahead take longer and make more cycles than those that plan 32 \
         ahead: {:.3} against {:.3} times the shortest path, {:.2} against {:.2} cycles",
        four.units.ratio_all(),
        deep.units.ratio_all(),
        four.units.cycles,
        deep.units.cycles
    );
    let better =
        four.units.ratio_all() > deep.units.ratio_all() && four.units.cycles > deep.units.cycles;
    study.check(better, text);
    let least = outcomes[1..].iter().map(|outcome| outcome.units.success).fold(100.0, f64::min);
    let text = format!("at any depth from 8 on at least 99% arrive: {least:.2}% at least");
    study.check(least >= 99.0, text);
    let (eight, deep) = (eight.expanded_first, deep.expanded_first);
    let text = format!(
        "depths can differ: 8 for half of the units and 32 for the others takes {mixed:.0} nodes \
         before the first move, between {eight:.0} and {deep:.0}"
    );
    study.check(mixed > eight && mixed < deep, text);
}

/// The depths that are the same for all units, with a value of their outcomes.
fn line(outcomes: &[CrowdSummary], value: fn(&CrowdSummary) -> f64) -> Vec<(f64, f64)> {
    let uniform = DEPTHS.iter().zip(outcomes).filter_map(|(depth, outcome)| match depth {
        Depth::All(depth) => Some((f64::from(*depth), value(outcome))),
        Depth::Crowded(..) => None,
    });
    uniform.collect()
}

fn ticks_chart(outcomes: &[CrowdSummary]) -> Result<String, LabError> {
    let title = "Search depth: turns until arrival";
    let y = Axis::linear("turns, multiple of the shortest path");
    let chart = Chart::new(title, Axis::linear("search depth (ticks)"), y);
    let failed = line(outcomes, |outcome| outcome.units.ratio_all());
    Ok(chart.line("100 units", &failed).svg()?)
}

fn nodes_chart(outcomes: &[CrowdSummary]) -> Result<String, LabError> {
    let title = "Search depth: work of 100 units together";
    let chart = Chart::new(title, Axis::linear("search depth (ticks)"), Axis::log("nodes, mean"));
    let chart =
        chart.line("before the first move", &line(outcomes, |outcome| outcome.expanded_first));
    let chart =
        chart.line("most expensive turn", &line(outcomes, |outcome| outcome.expanded_turn_max));
    Ok(chart.line("per turn", &line(outcomes, |outcome| outcome.expanded_turn.mean)).svg()?)
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
