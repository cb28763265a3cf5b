//! `throng live`: the units of a scenario in the live world, refereed.

mod engine;
mod goals;
mod instance;
mod run;
mod run_file;
mod summary;
mod watch;

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use throng::model::MovementProfile;
use throng::model::limits::{HORIZON_MAX, PACE_MAX, UNITS_MAX, WINDOW_TICKS};
use throng::world::WorldOptions;

use self::engine::{Engine, LocalRepairEngine, WorldEngine};
use self::goals::Renewal;
use self::instance::LiveInstance;
use self::run::Course;
use self::run_file::RunFile;
use crate::files::Output;
use crate::inputs::{MapArguments, Moves, footprint_range};
use crate::report::Report;
use crate::signals;

/// Run a scenario in the live world, tick by tick
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct LiveArguments {
    #[command(flatten)]
    map: MapArguments,
    /// The MovingAI scenario with starts and goals
    #[arg(short = 'i', long = "scen", value_name = "SCEN")]
    scenario: PathBuf,
    /// How many units: the first of the scenario [default: all]
    #[arg(short = 'N', long, value_name = "UNITS", value_parser = units_range())]
    units: Option<u64>,
    /// Stop after this many ticks [default: 10000, with --renew 1000]
    #[arg(long, value_name = "T", value_parser = ticks_range())]
    ticks: Option<u32>,
    /// Give a unit that arrives a new goal: a cell that it can reach, drawn by seed
    #[arg(long)]
    renew: bool,
    /// Straight steps only, or diagonal ones too
    #[arg(long, value_name = "4|8", default_value = "4")]
    moves: Moves,
    /// Side of each unit's square footprint, in cells. Units that do not fit on their start and
    /// goal are left out
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = footprint_range())]
    size: u8,
    /// Ticks per step of each unit
    #[arg(long, value_name = "P", default_value_t = 1, value_parser = pace_range())]
    pace: u8,
    /// How far ahead units plan, in ticks [default: 16]
    #[arg(long, value_name = "W", value_parser = window_range())]
    window: Option<u32>,
    /// About how many nodes may be expanded per tick [default: 65536]
    #[arg(long, value_name = "N")]
    budget: Option<NonZeroU64>,
    /// About how many milliseconds planning may take per tick. The run is then not reproducible
    #[arg(long, value_name = "MS")]
    budget_ms: Option<NonZeroU64>,
    /// How many threads to use. The result is the same for any number
    #[arg(long, value_name = "N", default_value = "1")]
    threads: NonZeroUsize,
    /// The seed of random choices: the goals of --renew, the noise of lra
    #[arg(short, long, default_value_t = 0)]
    seed: u64,
    /// The planner that moves the units
    #[arg(long, value_name = "PLANNER", default_value = "whca")]
    planner: PlannerName,
    /// Write the run to a file: FILE.gif or FILE.svg (a film), FILE.json (orders, and cells per
    /// tick), any other name: kei18 text
    #[arg(short, long, value_name = "RUN")]
    output: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
Examples:
  throng live -m room.map -i room-random-1.scen -N 100
  throng live -m room.map -i room-random-1.scen -N 100 --moves 8 -o run.gif
  throng live -m room.map -i room-random-1.scen -N 200 --renew --ticks 500 --json
  throng live -m room.map -i room-random-1.scen -N 20 --size 2 --pace 3
  throng live -m room.map -i room-random-1.scen -N 100 --planner lra
  throng live -m room.map -i room-random-1.scen -N 100 -o run.txt
  throng render -m room.map -p run.txt -o run.gif

All units get their orders at tick 0. The run ends when all stand on their goals, or after --ticks. \
Only planning and moving are timed; the referee checks every tick apart from that. Under lra (LRA*) \
units plan alone, as in most games: some get stuck. If not all arrive, the first few units that did not \
are named, and what each waits for.

--json: us_per_unit_tick_mean and us_per_unit_tick_p99 are microseconds per unit and tick, \
longest_stall_ticks the longest time that a unit short of its goal did not move, memory_bytes the \
most memory of the whole process, skipped the units that do not fit, reproducible whether the same \
command gives the same run (not if --budget-ms or a signal cut it short).

Ctrl-C (or SIGTERM) stops the run; what happened so far is reported and written.

Exit code 0: all units stand on their goals; with --renew: no rule was broken. 2: not all do. 3: the \
referee found a collision or an illegal step.";

/// What moves the units, as typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum PlannerName {
    /// The live world: units plan around each other's plans (Silver's WHCA*)
    Whca,
    /// LRA*: units plan alone and repair their paths
    Lra,
}

impl PlannerName {
    fn name(self) -> &'static str {
        match self {
            Self::Whca => "whca",
            Self::Lra => "lra",
        }
    }
}

const TICKS_DEFAULT: u32 = 10_000;
const TICKS_RENEWED: u32 = 1_000;

fn ticks_range() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=i64::from(HORIZON_MAX))
}

fn units_range() -> clap::builder::RangedU64ValueParser {
    clap::value_parser!(u64).range(1..=UNITS_MAX as u64)
}

fn pace_range() -> clap::builder::RangedI64ValueParser<u8> {
    clap::value_parser!(u8).range(1..=i64::from(PACE_MAX))
}

fn window_range() -> clap::builder::RangedI64ValueParser<u32> {
    let (min, max) = (*WINDOW_TICKS.start(), *WINDOW_TICKS.end());
    clap::value_parser!(u32).range(i64::from(min)..=i64::from(max))
}

impl LiveArguments {
    fn ticks_max(&self) -> u32 {
        self.ticks.unwrap_or(if self.renew { TICKS_RENEWED } else { TICKS_DEFAULT })
    }

    fn movement(&self) -> MovementProfile {
        MovementProfile {
            neighbours: self.moves.neighbours(),
            footprint: self.size,
            pace: self.pace,
            ..MovementProfile::eight_connected()
        }
    }

    /// The limit of work per tick. Time takes its place if only time is given.
    fn expansions(&self) -> Option<u64> {
        match (self.budget, self.budget_ms) {
            (Some(budget), _) => Some(budget.get()),
            (None, Some(_)) => None,
            (None, None) => WorldOptions::default().expansions_per_tick,
        }
    }

    fn tick_limit(&self) -> Option<Duration> {
        self.budget_ms.map(|limit| Duration::from_millis(limit.get()))
    }

    fn world_options(&self) -> WorldOptions {
        let default = WorldOptions::default();
        WorldOptions {
            window: self.window.unwrap_or(default.window),
            expansions_per_tick: self.expansions(),
            threads: self.threads.get(),
            ..default
        }
    }

    /// The file for the run, which must not be one that is read.
    fn output(&self) -> Result<Option<Output>> {
        // The table that lies beside the map may be read too.
        let beside = self.map.map.with_extension("terrain");
        let mut inputs: Vec<&Path> = self.map.inputs();
        inputs.extend([self.scenario.as_path(), beside.as_path()]);
        self.output.clone().map(|path| Output::new(path, &inputs)).transpose()
    }

    /// Refuses options that mean nothing to LRA*.
    fn check_planner(&self) -> Result<()> {
        let given = [
            ("--renew", self.renew),
            ("--window", self.window.is_some()),
            ("--budget", self.budget.is_some()),
            ("--budget-ms", self.budget_ms.is_some()),
        ];
        match given.into_iter().find(|&(_, is_given)| is_given) {
            Some((option, _)) if self.planner == PlannerName::Lra => {
                bail!("{option}: not an option of lra; leave it out, or use --planner whca")
            }
            _ => Ok(()),
        }
    }
}

pub(crate) fn run(arguments: &LiveArguments) -> Result<Report> {
    arguments.check_planner()?;
    let output = arguments.output()?;
    let instance = LiveInstance::read(arguments)?;
    let file = output.map(|output| RunFile::new(output, arguments, &instance)).transpose()?;
    signals::stop_by_itself();
    let problem = &instance.problem;
    let for_lra = (arguments.planner == PlannerName::Lra).then(|| instance.space_time());
    let mut engine: Box<dyn Engine + '_> = match &for_lra {
        None => {
            let options = arguments.world_options();
            Box::new(WorldEngine::new(problem, options, arguments.tick_limit())?)
        }
        Some(space_time) => Box::new(LocalRepairEngine::new(space_time, arguments.seed)),
    };
    let renewal = arguments.renew.then(|| Renewal::new(problem, arguments.seed)).transpose()?;
    let course = Course { problem, ticks_max: arguments.ticks_max(), renewal, file };
    let run = course.run(engine.as_mut())?;
    summary::report(arguments, &instance, &run)
}
