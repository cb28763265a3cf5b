//! `throng demo`: many units of mixed size and speed cross a town, all at once.

mod bridge;
mod cast;
mod movers;
mod planner;
mod play;
mod show;
mod summary;

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, Subcommand};
use throng_draw::{FilmOptions, Scale, gif, svg_film};

use self::cast::Cast;
use self::planner::DemoPlanner;
use self::play::{Play, play};
use self::show::Show;
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
    /// Who plans: whca, whca,window=TICKS, or lra
    #[arg(long, value_name = "SPEC", default_value = "whca,window=16")]
    planner: DemoPlanner,
    /// How many units
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = cast::units_range())]
    units: u64,
    /// Decides where units start and where they want to go
    #[arg(short, long, default_value_t = 0)]
    seed: u64,
    /// Where to save the film: FILE.gif or FILE.svg
    #[arg(short, long, value_name = "FILE", default_value = "throng-demo.gif")]
    output: PathBuf,
}

const AFTER_HELP: &str = "\
Examples:
  throng demo
  throng demo --planner lra -o jam.gif
  throng demo --units 40 -s 7 -o town.svg
  throng demo bridge

Half of the units start in the west, half in the east, and all want to the other side. Under \
whca (Silver's WHCA*) they see each other's plans; under lra (LRA*) they do not, as in most \
games, and get stuck. A terminal shows it live. The referee judges every tick.

Exit code 0: the film is saved, no rule was broken, and under whca everybody arrived. 2: under \
whca somebody did not. 3: the referee found a collision or an illegal step.";

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
    let cast = Cast::choose(arguments.units, arguments.seed)?;
    let mut mover = arguments.planner.mover(&cast, arguments.seed)?;
    let mut show = Show::new(screen);
    let played = play(&cast, mover.as_mut(), |scene| show.frame(&cast, scene))?;
    let film = film(&cast, &played, &output.extension())?;
    output.write(&film)?;
    summarise(arguments, &output, film.len(), &cast, &played)
}

const CELL_PX: u16 = 9;
const TICK_MS: u32 = 80;
/// Frames of a tick make steps glide, but a file for a page has room for only so many.
const FRAMES_MAX: u32 = 420;
const HOLD_MS: u32 = 2500;

fn film(cast: &Cast, played: &Play, extension: &str) -> Result<Vec<u8>> {
    let options = FilmOptions {
        scale: Scale::Pixels(CELL_PX),
        tick_ms: TICK_MS,
        frames_per_tick: if played.ticks * 2 <= FRAMES_MAX { 2 } else { 1 },
        // A unit that got stuck does not end on its goal.
        goals: false,
        colours: cast.colours(),
        marks: cast.goal_marks(),
        hold_ms: HOLD_MS,
        ..FilmOptions::default()
    };
    let (map, plan, bodies) = (&cast.problem.map, &played.plan, cast.bodies());
    Ok(match extension {
        "svg" => svg_film(map, plan, &bodies, &options).into_bytes(),
        _ => gif(map, plan, &bodies, &options)?,
    })
}
