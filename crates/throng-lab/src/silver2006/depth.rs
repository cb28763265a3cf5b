//! "Limiting the Search Depth": how far to look ahead, for all units or for each.

use throng::cooperative::{CrewOptions, Fleet, Simulation};
use throng::spacetime::{GridSpace, Position, Rra};
use throng::{Cell, ValidProblem};
use throng_draw::plot::{Axis, Chart};
use throng_draw::{Colour, Disc, MarkKind, Picture, Point, Stroke, stroke_colour, svg};

use super::SCENARIOS;
use super::team::Team;
use crate::case::CaseId;
use crate::crowd::{Fate, Run, Tally};
use crate::pictures::beside;
use crate::silver2005::arena::{self, TURNS, UNITS_MAX};
use crate::statistics::mean;
use crate::{Experiment, LabError, Options, Progress, Table, Value, parallel};

const STAGE: &str = "depth";

/// How deep units search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    /// All alike.
    All(u32),
    /// The half of the units with more others around them the second, the rest the first.
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

/// How many units start within so many steps.
fn others(problem: &ValidProblem, at: Cell) -> usize {
    const STEPS: u16 = 6;
    let near = |cell: Cell| cell.x.abs_diff(at.x) + cell.y.abs_diff(at.y) <= STEPS;
    problem.units.iter().filter(|unit| near(unit.start)).count()
}

struct Trial {
    fates: Vec<Fate>,
    expanded_first: u64,
    expanded: Vec<u64>,
}

/// What came of all runs with one depth.
struct Outcome {
    tally: Tally,
    first: f64,
    turn: f64,
    turn_max: f64,
}

pub(super) fn run(
    options: &Options,
    progress: &mut dyn FnMut(Progress),
    experiment: &mut Experiment,
) -> Result<(), LabError> {
    let scenarios = options.cases(SCENARIOS);
    let work =
        |(): &mut (), case: usize| trials(&CaseId { stage: STAGE, seed: options.seed, case });
    let cases = parallel::cases(STAGE, scenarios, options.threads, progress, work)?;
    let outcomes: Vec<Outcome> =
        (0..DEPTHS.len()).map(|at| outcome(cases.iter().map(|case| &case[at]))).collect();
    experiment.add_table(table(scenarios, &outcomes));
    claims(&outcomes, experiment);
    experiment.add_picture("depth-ticks", ticks_chart(&outcomes)?);
    experiment.add_picture("depth-nodes", nodes_chart(&outcomes)?);
    experiment.add_picture("figure-4", windows(options.seed)?);
    Ok(())
}

fn trials(id: &CaseId) -> Result<Vec<Trial>, LabError> {
    let problem = arena::problem(id.seed, id.case, UNITS_MAX)?;
    let fleet = arena::fleet(&problem);
    let trial = |depth: Depth| {
        let depths = depth.of_units(&problem);
        let mut team = Team::new(&fleet, CrewOptions::default()).looking(|unit| depths[unit]);
        let run = Run::of(&mut team, TURNS);
        id.judge_plan(&problem, &run.plan(&fleet))?;
        let fates = run.fates(&fleet, &mut team);
        Ok(Trial { fates, expanded_first: run.expanded_first, expanded: run.expanded })
    };
    DEPTHS.into_iter().map(trial).collect()
}

fn outcome<'a>(trials: impl Iterator<Item = &'a Trial> + Clone) -> Outcome {
    let turns = trials.clone().flat_map(|trial| trial.expanded.iter().map(|&nodes| nodes as f64));
    let maxima = trials.clone().map(|t| t.expanded.iter().copied().max().unwrap_or(0) as f64);
    Outcome {
        first: mean(trials.clone().map(|trial| trial.expanded_first as f64)),
        turn: mean(turns),
        turn_max: mean(maxima),
        tally: Tally::of(trials.flat_map(|trial| &trial.fates), TURNS),
    }
}

fn table(scenarios: usize, outcomes: &[Outcome]) -> Table {
    let title = format!("Search depth ({scenarios} crowds of {UNITS_MAX}, {TURNS} turns)");
    let columns = [
        "depth",
        "arrived %",
        "of shortest, failed = 100",
        "cycles",
        "nodes first",
        "nodes a turn",
        "nodes turn max",
    ];
    let mut table = Table::new(STAGE, &title, &columns);
    for (depth, outcome) in DEPTHS.iter().zip(outcomes) {
        let tally = &outcome.tally;
        let numbers = [
            (tally.success, 2),
            (tally.ratio_all(), 3),
            (tally.cycles, 2),
            (outcome.first, 0),
            (outcome.turn, 0),
            (outcome.turn_max, 0),
        ];
        let numbers = numbers.map(|(number, decimals)| Value::Number(number, decimals));
        table.push([depth.name().as_str().into()].into_iter().chain(numbers).collect());
    }
    table
}

fn claims(outcomes: &[Outcome], experiment: &mut Experiment) {
    let of = |depth: Depth| {
        let at = DEPTHS.iter().position(|&known| known == depth);
        at.and_then(|at| outcomes.get(at))
    };
    let (four, eight, deep) = (of(Depth::All(4)), of(Depth::All(8)), of(Depth::All(32)));
    let mixed = of(Depth::Crowded(8, 32));
    let (Some(four), Some(eight), Some(deep), Some(mixed)) = (four, eight, deep, mixed) else {
        return;
    };
    let alike = &outcomes[..outcomes.len() - 1];
    let text = "the deeper the search, the more nodes before anyone moves".to_owned();
    experiment.claim(alike.is_sorted_by(|a, b| a.first < b.first), text);
    let text = format!(
        "who looks 4 ticks ahead needs longer and runs in more circles than who looks 32: \
         {:.3} against {:.3} times the shortest path, {:.2} against {:.2} cycles",
        four.tally.ratio_all(),
        deep.tally.ratio_all(),
        four.tally.cycles,
        deep.tally.cycles
    );
    let better =
        four.tally.ratio_all() > deep.tally.ratio_all() && four.tally.cycles > deep.tally.cycles;
    experiment.claim(better, text);
    let text = format!(
        "at any depth from 8 on at least 99% arrive: {:.2}% at least",
        outcomes[1..].iter().map(|outcome| outcome.tally.success).fold(100.0, f64::min)
    );
    experiment.claim(outcomes[1..].iter().all(|outcome| outcome.tally.success >= 99.0), text);
    let text = format!(
        "depths can differ: 8 for half of the units and 32 for the others takes {:.0} nodes \
         before anyone moves, between {:.0} and {:.0}",
        mixed.first, eight.first, deep.first
    );
    experiment.claim(mixed.first > eight.first && mixed.first < deep.first, text);
}

/// The depths that are the same for all, with something of their outcomes.
fn line(outcomes: &[Outcome], value: fn(&Outcome) -> f64) -> Vec<(f64, f64)> {
    let alike = DEPTHS.iter().zip(outcomes).filter_map(|(depth, outcome)| match depth {
        Depth::All(depth) => Some((f64::from(*depth), value(outcome))),
        Depth::Crowded(..) => None,
    });
    alike.collect()
}

fn ticks_chart(outcomes: &[Outcome]) -> Result<String, LabError> {
    let title = "Search depth: turns until arrival";
    let y = Axis::linear("turns, multiple of the shortest path");
    let chart = Chart::new(title, Axis::linear("search depth (ticks)"), y);
    let failed = line(outcomes, |outcome| outcome.tally.ratio_all());
    Ok(chart.line("100 units", &failed).svg()?)
}

fn nodes_chart(outcomes: &[Outcome]) -> Result<String, LabError> {
    let title = "Search depth: work of 100 units together";
    let chart = Chart::new(title, Axis::linear("search depth (ticks)"), Axis::log("nodes, mean"));
    let chart = chart.line("before anyone moves", &line(outcomes, |outcome| outcome.first));
    let chart = chart.line("dearest turn", &line(outcomes, |outcome| outcome.turn_max));
    Ok(chart.line("a turn", &line(outcomes, |outcome| outcome.turn)).svg()?)
}

/// Figure 4: the partial path of one unit, and the rest of its way as the true distance
/// has it.
fn windows(seed: u64) -> Result<String, LabError> {
    let problem = arena::problem(seed, 0, UNITS_MAX)?;
    let fleet = arena::fleet(&problem);
    let farthest = |&(_, unit): &(usize, &throng::Unit)| {
        unit.start.x.abs_diff(unit.goal.x) + unit.start.y.abs_diff(unit.goal.y)
    };
    let unit = problem.units.iter().enumerate().max_by_key(farthest).map_or(0, |(unit, _)| unit);
    let picture = |depth| window(&problem, &fleet, unit, depth);
    Ok(beside(&[picture(8), picture(24)]))
}

fn window(problem: &ValidProblem, fleet: &Fleet<GridSpace>, unit: usize, depth: u32) -> String {
    const OTHERS: Colour = Colour::hex(0xb8_bc_c4);
    let mut team = Team::new(fleet, CrewOptions::default()).looking(|_| depth);
    team.prepare();
    let partial = team.crew.path(unit as u32).map(|path| path.positions()).unwrap_or_default();
    let space = fleet.space(unit);
    let cells = |path: &[Position]| path.iter().map(|&at| space.cell(at)).collect::<Vec<_>>();
    let rest = partial.last().map(|&end| downhill(fleet, unit, end)).unwrap_or_default();
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

/// The rest of the way, as if the unit were alone.
fn downhill(fleet: &Fleet<GridSpace>, unit: usize, from: Position) -> Vec<Position> {
    use throng::spacetime::Space as _;
    let (space, rider) = (fleet.space(unit), fleet.riders[unit]);
    let mut distances: Rra = Rra::default();
    distances.begin(space, [(rider.goal, 0)], from);
    let mut path = vec![from];
    let mut at = from;
    while at != rider.goal {
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
