//! `throng demo`: many units of mixed size and speed cross a town, all at once.

mod bridge;
mod engine;
mod live_view;
mod planner;
mod recording;
mod scenario;
mod summary;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Subcommand};
use throng_draw::{FilmOptions, Scale, gif, svg_film};

use self::live_view::LiveView;
use self::planner::DemoPlanner;
use self::recording::{Recording, record};
use self::scenario::DemoScenario;
use self::summary::summarise;
use crate::files::Output;
use crate::report::Report;
use crate::screen::Screen;

/// Watch a hundred units of mixed size and speed cross a town
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP, args_conflicts_with_subcommands = true)]
pub(crate) struct DemoArguments {
    #[command(subcommand)]
    other: Option<OtherDemo>,
    /// The planner: whca, whca,window=TICKS, or lra
    #[arg(long, value_name = "SPEC", default_value = "whca,window=16")]
    planner: DemoPlanner,
    /// The number of units
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = scenario::units_range())]
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
  throng demo --units 40 -s 7 -o town.svg
  throng demo bridge

Half of the units start in the west, half in the east; each has a goal on the other side. Under \
whca (Silver's WHCA*) they plan around each other's plans. Under lra (LRA*) they do not, as in \
most games, and some get stuck. A terminal shows it live. The referee checks every tick.

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
    let mut engine = arguments.planner.engine(&scenario, arguments.seed)?;
    let mut view = LiveView::new(screen);
    let recorded = record(&scenario, engine.as_mut(), |frame| view.show(&scenario, frame))?;
    let film = film(&scenario, &recorded, &output.extension())?;
    output.write(&film)?;
    summarise(arguments, &output, film.len(), &scenario, &recorded)
}

const CELL_PX: u16 = 9;
const TICK_MS: u32 = 80;
/// Several frames per tick make steps smooth; more frames than this make the file too large.
const FRAMES_MAX: u32 = 420;
const HOLD_MS: u32 = 2500;

fn film(scenario: &DemoScenario, recorded: &Recording, extension: &str) -> Result<Vec<u8>> {
    let options = FilmOptions {
        scale: Scale::Pixels(CELL_PX),
        tick_ms: TICK_MS,
        frames_per_tick: if recorded.ticks * 2 <= FRAMES_MAX { 2 } else { 1 },
        // The last cell of a unit that got stuck is not its goal.
        goals: false,
        colours: scenario.colours(),
        marks: scenario.goal_marks(),
        hold_ms: HOLD_MS,
        ..FilmOptions::default()
    };
    let (map, plan, bodies) = (&scenario.problem.map, &recorded.plan, scenario.bodies());
    Ok(match extension {
        "svg" => svg_film(map, plan, &bodies, &options).into_bytes(),
        _ => gif(map, plan, &bodies, &options)?,
    })
}
