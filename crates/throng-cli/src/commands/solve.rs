//! `throng solve`: brings every unit of a scenario to its goal.

mod instance;
mod judgement;
mod lifelong;
mod list;
mod plan_file;
mod summary;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use clap::{Args, ValueEnum};
use throng::formats::FormatKind;
use throng::model::limits::{HORIZON_MAX, UNITS_MAX};
use throng::model::{Budget, MovementProfile, Objective, Planner as _};
use throng::{Solver, lower_bound_within, model};

use self::instance::Instance;
use self::judgement::{Status, judge};
use self::plan_file::PlanFile;
use self::summary::{Effort, Summary};
use crate::clock::{Stopwatch, timed};
use crate::files::{self, Output};
use crate::inputs::{MovementArguments, Moves, ReadingArguments};
use crate::progress::PlanningProgress;
use crate::report::Report;
use crate::signals;

/// Plan collision-free paths for all units of a scenario
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP, override_usage = USAGE)]
pub(crate) struct SolveArguments {
    /// The map: MovingAI's format; `-` reads standard input
    #[arg(short, long, value_name = "MAP", required_unless_present_any = ["list", "lifelong"])]
    map: Option<PathBuf>,
    #[command(flatten)]
    reading: ReadingArguments,
    /// The MovingAI scenario with starts and goals; with --lifelong also a problem file of the
    /// League of Robot Runners, 2023
    #[arg(short = 'i', long = "scen", value_name = "SCEN", required_unless_present = "list")]
    scenario: Option<PathBuf>,
    /// How many units: the first of the scenario [default: all]
    #[arg(short = 'N', long, value_name = "UNITS", value_parser = units_range())]
    units: Option<u64>,
    /// The solver: NAME or NAME,OPTION=VALUE,...; --list names them
    #[arg(long, value_name = "SPEC", default_value = "auto")]
    solver: String,
    /// Name the solvers and their options
    #[arg(long, conflicts_with_all = ["map", "scenario"])]
    list: bool,
    /// Run for this many ticks: a unit that reaches its goal gets the next one. Goals after the
    /// scenario's own are drawn by seed
    #[arg(long, value_name = "TICKS", value_parser = ticks_range())]
    #[arg(conflicts_with_all = ["solver", "list", "objective", "format"])]
    lifelong: Option<u32>,
    /// With --lifelong: improve guide paths only while a tick has expanded fewer nodes
    #[arg(long, value_name = "N", requires = "lifelong")]
    expansions_per_tick: Option<u64>,
    /// With --lifelong: repair the plan of the next ticks with at most this many nodes per tick
    /// (50000 if not given); 0: plan one tick at a time
    #[arg(long, value_name = "N", requires = "lifelong")]
    repairs_per_tick: Option<u64>,
    /// Straight steps only, or diagonal ones too
    #[arg(long, value_name = "4|8", default_value = "4")]
    moves: Moves,
    #[command(flatten)]
    movement: MovementArguments,
    /// The cost that joint, lns and auto minimise, and that is compared with the lower bound
    #[arg(long, value_name = "OBJECTIVE", default_value = "soc")]
    objective: ObjectiveName,
    /// Stop planning after this many seconds; the result may then differ from run to run. The
    /// lower bound is computed if it takes no more than the time left and a tenth
    #[arg(short = 't', long = "time", value_name = "SECONDS", default_value = "60", value_parser = parse_seconds)]
    time_limit: Duration,
    /// Stop planning after this many node expansions
    #[arg(long, value_name = "N")]
    expansions: Option<u64>,
    /// The seed of the solver's random choices
    #[arg(short, long, default_value_t = 0)]
    seed: u64,
    /// How many threads to use, by lacam, lns, auto and joint,id. The result is the same for any
    /// number
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Write the plan to a file; a name that ends in .svg gets the curve of its cost over time.
    /// Give it twice for both
    #[arg(short, long, value_name = "FILE")]
    output: Vec<PathBuf>,
    /// The format of the plan [default: kei18]
    #[arg(long, value_name = "FORMAT", value_parser = parse_format, requires = "output")]
    format: Option<FormatKind>,
}

const USAGE: &str = "throng solve --map <MAP> --scen <SCEN> [OPTIONS]
       throng solve --lifelong <TICKS> --scen <PROBLEM.json> [OPTIONS]
       throng solve --list";

const AFTER_HELP: &str = "\
Examples:
  throng solve -m room.map -i room-random-1.scen -N 50
  throng solve -m room.map -i room-random-1.scen --solver lns -t 10 -o plan.txt -o curve.svg
  throng solve -m room.map -i room-random-1.scen --solver lns,bound=1.05 --json
  throng solve -m room.map -i room-random-1.scen -N 50 --solver whca,window=16 -o plan.txt
  throng solve -m room.map -i room-random-1.scen --solver hca,order=random -s 7 -t 5 --json
  throng solve -m room.map -i room-random-1.scen -N 50 --lifelong 1000 --json
  throng solve -i problem.json --lifelong 1000 -o output.json
  throng solve --list

Plan formats: kei18, li-paths, multi-robot-schedule, tracker-json, tracker-yaml, tracker-csv, \
planviz. The referee judges every plan before it is printed or written.

With --lifelong, -o writes the output JSON of the League of Robot Runners to a name that ends in \
.json, kei18 text to any other. Its units turn before they move; a scenario's do not.

Ctrl-C (or SIGTERM) stops planning; the best plan so far is judged and written. A second one ends \
the program at once.

Exit code 0: solved. 2: not solved, within the budget or by this solver. 3: proven unsolvable.";

/// What a plan is judged by, as typed.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum ObjectiveName {
    /// Sum of costs: ticks until each unit's last arrival
    Soc,
    /// Ticks that units do not rest on their goals
    TimeAway,
}

fn ticks_range() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=i64::from(HORIZON_MAX))
}

fn units_range() -> clap::builder::RangedU64ValueParser {
    clap::value_parser!(u64).range(1..=UNITS_MAX as u64)
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    const SECONDS_MAX: f64 = 1e6;
    let seconds = text.parse().ok().filter(|&seconds| seconds > 0.0 && seconds <= SECONDS_MAX);
    let duration = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or_else(|| "give a number of seconds above 0, at most a million".to_owned())
}

fn parse_format(name: &str) -> Result<FormatKind, String> {
    let mut plans = FormatKind::ALL.into_iter().filter(|kind| kind.is_plan());
    plans.clone().find(|kind| kind.name() == name).ok_or_else(|| {
        let first = plans.next().map_or("", FormatKind::name).to_owned();
        let names = plans.fold(first, |names, kind| names + ", " + kind.name());
        format!("no format of plans; use one of {names}")
    })
}

/// The arguments, parsed and checked.
struct SolveOptions<'a> {
    map: &'a Path,
    reading: &'a ReadingArguments,
    scenario: &'a Path,
    units: Option<usize>,
    movement: MovementProfile,
    solver: Solver,
    objective: Objective,
    time_limit: Duration,
    expansions: Option<u64>,
    seed: u64,
    file: Option<PlanFile>,
    curve: Option<Output>,
}

pub(crate) fn run(arguments: &SolveArguments) -> Result<Report> {
    if arguments.list {
        return list::run();
    }
    if let Some(ticks) = arguments.lifelong {
        return lifelong::run(arguments, ticks);
    }
    let options = SolveOptions::new(arguments)?;
    let instance = Instance::read(&options)?;
    if let Some(file) = &options.file {
        file.check(&options, &instance)?;
    }
    let stopwatch = Stopwatch::start();
    signals::stop_by_itself();
    let is_late = || signals::is_stopped() || stopwatch.elapsed() >= options.time_limit;
    let budget = Budget { expansions: options.expansions, interrupt: Some(&is_late) };
    let mut progress = PlanningProgress::new(stopwatch, instance.problem.units.len());
    let planned =
        timed(|| options.solver.plan(&instance.problem, options.seed, budget, &mut progress));
    let mut log = progress.finish();
    let (report, runtime) = planned;
    let report = report.with_context(|| format!("--solver {}", options.solver.name()))?;
    let model::Report { outcome, expanded, generated, peak_open, reproducible } = report;
    let effort = Effort { runtime, expanded, generated, peak_open, reproducible };
    let judged = judge(&instance.problem, options.solver.objective(), outcome)?;
    let is_solvable = judged.status != Status::Unsolvable;
    // A solver that improves its plan takes all the time; the bound gets a tenth more.
    let bound_limit = options.time_limit + options.time_limit / 10;
    let is_very_late = || signals::is_stopped() || stopwatch.elapsed() >= bound_limit;
    let bound = is_solvable.then(|| lower_bound_within(&instance.problem, &is_very_late)).flatten();
    let units = instance.problem.units.len();
    if let (true, Some((_, verdict))) = (options.curve.is_some(), judged.plan())
        && log.curve.is_empty()
        && verdict.is_valid()
    {
        // A solver that does not improve its plan has one point.
        let bound = bound.map_or(verdict.sum_of_costs, |bound| bound.sum_of_costs);
        log.curve.add(runtime, expanded, verdict.sum_of_costs, bound);
    }
    let summary = Summary { options: &options, units, effort, log: &log, judged: &judged, bound };
    let report = summary.report()?;
    if let (Some(file), Some((plan, verdict))) = (&options.file, judged.plan()) {
        file.write(&options, &instance, plan, verdict, bound)?;
    }
    if let Some(output) = &options.curve {
        let title = format!("{}, {units} units: {}", files::base_name(options.map), options.solver);
        if let Some(picture) = log.curve.svg(&title)? {
            output.write(picture.as_bytes())?;
        }
    }
    Ok(report)
}

impl<'a> SolveOptions<'a> {
    fn new(arguments: &'a SolveArguments) -> Result<Self> {
        let (Some(map), Some(scenario)) = (&arguments.map, &arguments.scenario) else {
            bail!("give a map (-m MAP) and a scenario (-i SCEN)");
        };
        let reading = &arguments.reading;
        let objective = match arguments.objective {
            ObjectiveName::Soc => Objective::SumOfCosts,
            ObjectiveName::TimeAway => Objective::TimeAway,
        };
        let solver = Solver::parse(&arguments.solver).context("--solver")?;
        let threads = arguments.threads.map_or(1, NonZeroUsize::get);
        let solver = solver.with_objective(objective).with_threads(threads);
        let movement = arguments.movement.movement(arguments.moves);
        // The table that lies beside the map may be read too.
        let beside = map.with_extension("terrain");
        let terrain = reading.terrain.as_ref().unwrap_or(&beside);
        let inputs = [map.as_path(), scenario, terrain];
        let outputs = arguments.output.iter().map(|path| Output::new(path.clone(), &inputs));
        let outputs = outputs.collect::<Result<Vec<_>>>()?;
        let (curves, plans): (Vec<_>, Vec<_>) =
            outputs.into_iter().partition(|output| output.extension() == "svg");
        if curves.len() > 1 || plans.len() > 1 {
            bail!("-o: give at most one file for the plan and one .svg for the curve");
        }
        let format = arguments.format.unwrap_or(FormatKind::Kei18);
        Ok(Self {
            map,
            reading,
            scenario,
            units: arguments.units.map(|units| units as usize),
            movement,
            solver,
            objective,
            time_limit: arguments.time_limit,
            expansions: arguments.expansions,
            seed: arguments.seed,
            file: plans.into_iter().next().map(|output| PlanFile { output, format }),
            curve: curves.into_iter().next(),
        })
    }
}
