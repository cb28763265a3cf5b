//! The commands, one file each, and the main function: from arguments to exit code.

mod check;
mod completions;
mod convert;
mod demo;
mod generate;
mod lab;
mod live;
mod path;
mod render;
mod scene;
mod serve;
mod solve;

use std::io::{self, Write};

use anyhow::Result;
use clap::error::ErrorKind;
use clap::{Parser, Subcommand};

use crate::report::{Exit, Report};
use crate::screen::Screen;
use crate::signals;

/// Pathfinding for worlds with very many moving units
#[derive(Parser, Debug)]
#[command(name = "throng", version, arg_required_else_help = true, after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// Print the result as one JSON object
    #[arg(long, global = true)]
    json: bool,
}

const AFTER_HELP: &str = "\
Cells are X,Y: column and row, counted from 0 at the top left. Locations of scenes are X,Y or \
X,Y,LEVEL, in units from the bottom left.

Exit codes:
  0  solved, valid, every query answered
  1  bad input or usage; nothing was written
  2  not solved within the budget, or not all units on their goals
  3  proven impossible, an invalid plan or run, or a query without the right answer

Colours: set NO_COLOR to have none, CLICOLOR_FORCE=1 to keep them in a pipe.";

#[derive(Subcommand, Debug)]
enum Command {
    Solve(solve::SolveArguments),
    Live(live::LiveArguments),
    Path(path::PathArguments),
    Check(check::CheckArguments),
    #[command(name = "gen")]
    Generate(generate::GenerateArguments),
    Render(render::RenderArguments),
    Scene(scene::SceneArguments),
    Convert(convert::ConvertArguments),
    Lab(lab::LabArguments),
    Demo(demo::DemoArguments),
    Serve(serve::ServeArguments),
    Completions(completions::CompletionsArguments),
}

/// Runs the command that was typed.
pub(crate) fn main() -> Exit {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return usage(&error),
    };
    signals::install();
    let screen = Screen::detect();
    let screen = if arguments.json { screen.for_program() } else { screen };
    match run(&arguments.command, &screen) {
        Ok(report) => print(&report, arguments.json),
        Err(error) => {
            print_error(&format!("error: {error:#}"));
            Exit::BadInput
        }
    }
}

fn run(command: &Command, screen: &Screen) -> Result<Report> {
    match command {
        Command::Solve(arguments) => solve::run(arguments),
        Command::Live(arguments) => live::run(arguments),
        Command::Path(arguments) => path::run(arguments, screen),
        Command::Check(arguments) => check::run(arguments),
        Command::Generate(arguments) => generate::run(arguments),
        Command::Render(arguments) => render::run(arguments),
        Command::Scene(arguments) => scene::run(arguments),
        Command::Convert(arguments) => convert::run(arguments),
        Command::Lab(arguments) => lab::run(arguments),
        Command::Demo(arguments) => demo::run(arguments, screen),
        Command::Serve(arguments) => serve::run(arguments, screen),
        Command::Completions(arguments) => completions::run(arguments),
    }
}

/// Prints help, version or a usage error. Help and version are not errors.
fn usage(error: &clap::Error) -> Exit {
    let asked = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    // When the terminal is gone there is no place to report this error.
    let _ = error.print();
    if asked { Exit::Success } else { Exit::BadInput }
}

fn print(report: &Report, json: bool) -> Exit {
    let text = if json { &report.json } else { &report.text };
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        // A reader that closes the pipe early, such as `head`, is not an error.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            print_error(&format!("error: standard output: {error}"));
            Exit::BadInput
        }
        _ => report.exit,
    }
}

fn print_error(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}
