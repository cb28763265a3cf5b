//! "Unit Priorities": some units are more important than others.

use throng::cooperative::CrewOptions;
use throng_draw::plot::BarChart;

use super::team::Team;
use super::{DEPTH, SCENARIOS};
use crate::case::CaseId;
use crate::crowd::{Fate, Run, Tally};
use crate::silver2005::arena::{self, TURNS, UNITS_MAX};
use crate::statistics::Summary;
use crate::{Experiment, LabError, Options, Progress, Table, Value, parallel};

const STAGE: &str = "levels";
/// The first units of each scenario are the important ones.
const HEROES: usize = 10;
const SWITCH: [(&str, u8); 2] = [("all equal", 0), ("heroes first", 1)];
const GROUPS: [(&str, std::ops::Range<usize>); 2] =
    [("heroes", 0..HEROES), ("others", HEROES..UNITS_MAX)];

/// The fates of the heroes and of the others, without and with levels.
type Trial = [Vec<Fate>; 2];

pub(super) fn run(
    options: &Options,
    progress: &mut dyn FnMut(Progress),
    experiment: &mut Experiment,
) -> Result<(), LabError> {
    let scenarios = options.cases(SCENARIOS);
    let work = |(): &mut (), case: usize| {
        let id = CaseId { stage: STAGE, seed: options.seed, case };
        Ok([trial(&id, SWITCH[0].1)?, trial(&id, SWITCH[1].1)?])
    };
    let cases = parallel::cases(STAGE, scenarios, options.threads, progress, work)?;
    let outcomes = GROUPS.map(|(_, group)| [0, 1].map(|at| Outcome::of(&cases, at, &group)));
    experiment.add_table(table(scenarios, &outcomes));
    claims(&outcomes, experiment);
    experiment.add_picture(STAGE, chart(&outcomes)?);
    Ok(())
}

fn trial(id: &CaseId, level: u8) -> Result<Vec<Fate>, LabError> {
    let problem = arena::problem(id.seed, id.case, UNITS_MAX)?;
    let fleet = arena::fleet(&problem);
    let team = Team::new(&fleet, CrewOptions::default()).looking(|_| DEPTH);
    let mut team = team.ranked(|unit| if unit < HEROES { level } else { 0 });
    let run = Run::of(&mut team, TURNS);
    id.judge_plan(&problem, &run.plan(&fleet))?;
    Ok(run.fates(&fleet, &mut team))
}

struct Outcome {
    tally: Tally,
    delay: Summary,
}

impl Outcome {
    fn of(cases: &[Trial], switch: usize, group: &std::ops::Range<usize>) -> Self {
        let fates = || cases.iter().flat_map(|case| &case[switch][group.clone()]);
        let delay = Summary::of(fates().map(|fate| fate.delay(TURNS)));
        Self { tally: Tally::of(fates(), TURNS), delay }
    }
}

fn table(scenarios: usize, outcomes: &[[Outcome; 2]; 2]) -> Table {
    let title = format!(
        "Levels of priority ({scenarios} crowds of {UNITS_MAX}, of them {HEROES} heroes; ticks \
         beyond the shortest path)"
    );
    let columns = ["units", "levels", "arrived %", "delay mean", "median", "p95", "cycles"];
    let mut table = Table::new(STAGE, &title, &columns);
    for ((group, _), of_group) in GROUPS.iter().zip(outcomes) {
        for ((name, _), Outcome { tally, delay }) in SWITCH.iter().zip(of_group) {
            let numbers = [
                (tally.success, 2),
                (delay.mean, 2),
                (delay.median, 0),
                (delay.p95, 0),
                (tally.cycles, 2),
            ];
            let numbers = numbers.map(|(number, decimals)| Value::Number(number, decimals));
            table.push([(*group).into(), (*name).into()].into_iter().chain(numbers).collect());
        }
    }
    table
}

fn claims([heroes, others]: &[[Outcome; 2]; 2], experiment: &mut Experiment) {
    let delay = |group: &[Outcome; 2]| [group[0].delay.mean, group[1].delay.mean];
    let ([equal, first], [before, after]) = (delay(heroes), delay(others));
    let text = format!(
        "levels at least halve the delay of heroes: {first:.2} ticks instead of {equal:.2}"
    );
    experiment.claim(first * 2.0 <= equal, text);
    let text = format!(
        "that costs each of the others less than a tick: {after:.2} ticks instead of {before:.2}"
    );
    experiment.claim(after - before < 1.0, text);
}

fn chart(outcomes: &[[Outcome; 2]; 2]) -> Result<String, LabError> {
    let names = GROUPS.map(|(group, _)| group);
    let title = "Levels of priority: delay in a crowd of 100";
    let mut chart = BarChart::new(title, "units", "ticks beyond the shortest path, mean", &names);
    for (at, (name, _)) in SWITCH.iter().enumerate() {
        let delays = outcomes.each_ref().map(|group| group[at].delay.mean);
        chart = chart.series(name, &delays);
    }
    Ok(chart.svg()?)
}
