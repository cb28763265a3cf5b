//! `throng demo`: a crowd of large and small units changes sides through the gate of a town.

mod bridge;
mod engine;
mod film;
mod lettering;
mod live_view;
mod panels;
mod planner;
mod recording;
mod scenario;
mod summary;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Subcommand};

use self::live_view::LiveView;
use self::planner::DemoPlanner;
use self::recording::record;
use self::scenario::DemoScenario;
use self::summary::summarise;
use crate::files::Output;
use crate::report::Report;
use crate::screen::Screen;

/// Watch hundreds of units change sides through a gate, beside LRA*
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP, args_conflicts_with_subcommands = true)]
pub(crate) struct DemoArguments {
    #[command(subcommand)]
    other: Option<OtherDemo>,
    /// One planner: whca, whca,window=TICKS, or lra [default: lra and whca side by side]
    #[arg(long, value_name = "SPEC")]
    planner: Option<DemoPlanner>,
    /// The number of units
    #[arg(long, value_name = "N", default_value_t = 300, value_parser = scenario::units_range())]
    units: u64,
    /// The seed of the random starts and goals
    #[arg(short, long, default_value_t = 0)]
    seed: u64,
    /// The file for the film: FILE.gif or FILE.svg
    #[arg(short, long, value_name = "FILE", default_value = "throng-demo.gif")]
    output: PathBuf,
}

const AFTER_HELP: &str = "\
Examples:
  throng demo
  throng demo --planner lra -o jam.gif
  throng demo --units 100 -s 7 --planner whca -o gate.svg
  throng demo bridge

Half of the units start outside of the town wall, half inside; each has a goal on the other side \
of the gate. Under whca (the live world, which begins with Silver's WHCA*) units plan around each \
other's plans, and decide step by step where it is crowded. Under lra (LRA*) they plan alone, as in \
most games, and jam in the gate. Units that have arrived are dark. A terminal shows it live. The \
referee checks every tick.

Exit code 0: the film is saved, no rule was broken, and under whca every unit arrived. 2: under \
whca some unit did not. 3: the referee found a collision or an illegal step.";

#[derive(Subcommand, Debug)]
enum OtherDemo {
    Bridge(bridge::BridgeArguments),
}

pub(crate) fn run(arguments: &DemoArguments, screen: &Screen) -> Result<Report> {
    if let Some(OtherDemo::Bridge(bridge)) = &arguments.other {
        return bridge::run(bridge, screen);
    }
    let output = Output::new(arguments.output.clone(), &[])?;
    output.expect_extension(&["gif", "svg"])?;
    let scenario = DemoScenario::choose(arguments.units, arguments.seed)?;
    let planners = arguments.planners();
    let mut view = LiveView::new(screen, &scenario, planners.len())?;
    let show = |tick, frames: &[recording::Frame<'_>]| view.show(&scenario, tick, frames);
    let runs = record(&scenario, &planners, arguments.seed, show)?;
    let film = film::shoot(&scenario, &runs, &output.extension())?;
    output.write(&film)?;
    summarise(arguments, &output, film.len(), &scenario, &runs)
}

impl DemoArguments {
    /// The planners that are shown, from left to right.
    fn planners(&self) -> Vec<DemoPlanner> {
        match self.planner {
            Some(planner) => vec![planner],
            None => vec![DemoPlanner::LocalRepair, DemoPlanner::default()],
        }
    }
}
