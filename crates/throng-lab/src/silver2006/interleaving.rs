//! "Interleaving Searches": everybody plans at a time of its own, or all at once.

use throng::cooperative::CrewOptions;
use throng_draw::plot::{Axis, Chart};

use super::team::Team;
use super::{DEPTH, SCENARIOS};
use crate::case::CaseId;
use crate::crowd::{Fate, Run, Tally};
use crate::silver2005::arena::{self, TURNS, UNITS_MAX};
use crate::statistics::{Summary, mean};
use crate::{Experiment, LabError, Options, Progress, Table, Value, parallel};

const STAGE: &str = "interleaving";
const SWITCH: [(&str, bool); 2] = [("all at once", false), ("interleaved", true)];

struct Trial {
    fates: Vec<Fate>,
    expanded: Vec<u64>,
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
    let outcomes = [0, 1].map(|at| Outcome::of(cases.iter().map(|case| &case[at])));
    experiment.add_table(table(scenarios, &outcomes));
    claims(&outcomes, experiment);
    experiment.add_picture(STAGE, chart(&outcomes)?);
    Ok(())
}

fn trials(id: &CaseId) -> Result<Vec<Trial>, LabError> {
    let problem = arena::problem(id.seed, id.case, UNITS_MAX)?;
    let fleet = arena::fleet(&problem);
    let trial = |(_, interleaved)| {
        let options = CrewOptions { interleaved, ..CrewOptions::default() };
        let mut team = Team::new(&fleet, options).looking(|_| DEPTH);
        let run = Run::of(&mut team, TURNS);
        id.judge_plan(&problem, &run.plan(&fleet))?;
        Ok(Trial { fates: run.fates(&fleet, &mut team), expanded: run.expanded })
    };
    SWITCH.into_iter().map(trial).collect()
}

/// What came of all runs of one kind.
struct Outcome {
    tally: Tally,
    /// Nodes of a turn, over all turns.
    turn: Summary,
    turn_max: f64,
    /// By turn, the mean over all runs.
    by_turn: Vec<f64>,
}

impl Outcome {
    fn of<'a>(trials: impl Iterator<Item = &'a Trial> + Clone) -> Self {
        let turns = trials.clone().flat_map(|t| t.expanded.iter().map(|&nodes| nodes as f64));
        let maxima = trials.clone().map(|t| t.expanded.iter().copied().max().unwrap_or(0) as f64);
        let at_turn = |turn: usize| mean(trials.clone().map(|trial| trial.expanded[turn] as f64));
        Self {
            turn: Summary::of(turns),
            turn_max: mean(maxima),
            by_turn: (0..TURNS as usize).map(at_turn).collect(),
            tally: Tally::of(trials.flat_map(|trial| &trial.fates), TURNS),
        }
    }
}

fn table(scenarios: usize, outcomes: &[Outcome; 2]) -> Table {
    let title = format!(
        "Interleaving ({scenarios} crowds of {UNITS_MAX}, depth {DEPTH}, {TURNS} turns; nodes of \
         all units together)"
    );
    let columns = [
        "searches",
        "arrived %",
        "of shortest, failed = 100",
        "cycles",
        "nodes a turn",
        "p95",
        "dearest turn",
    ];
    let mut table = Table::new(STAGE, &title, &columns);
    for ((name, _), outcome) in SWITCH.iter().zip(outcomes) {
        let numbers = [
            (outcome.tally.success, 2),
            (outcome.tally.ratio_all(), 3),
            (outcome.tally.cycles, 2),
            (outcome.turn.mean, 0),
            (outcome.turn.p95, 0),
            (outcome.turn_max, 0),
        ];
        let numbers = numbers.map(|(number, decimals)| Value::Number(number, decimals));
        table.push([(*name).into()].into_iter().chain(numbers).collect());
    }
    table
}

fn claims([at_once, interleaved]: &[Outcome; 2], experiment: &mut Experiment) {
    let text = format!(
        "interleaving brings the dearest turn down to less than a third: {:.0} nodes instead of \
         {:.0}",
        interleaved.turn_max, at_once.turn_max
    );
    experiment.claim(interleaved.turn_max * 3.0 < at_once.turn_max, text);
    let text = format!(
        "interleaving costs nobody the arrival: {:.2}% arrive, {:.2}% without",
        interleaved.tally.success, at_once.tally.success
    );
    experiment.claim(interleaved.tally.success + 0.5 >= at_once.tally.success, text);
}

fn chart(outcomes: &[Outcome; 2]) -> Result<String, LabError> {
    let title = "Interleaving: work of 100 units together, turn by turn";
    let mut chart = Chart::new(title, Axis::linear("turn"), Axis::linear("nodes expanded, mean"));
    for ((name, _), outcome) in SWITCH.iter().zip(outcomes) {
        let points = (1..).zip(&outcome.by_turn).map(|(turn, &nodes)| (f64::from(turn), nodes));
        chart = chart.line(name, &points.collect::<Vec<_>>());
    }
    Ok(chart.svg()?)
}
