//! Development tasks: `cargo xtask test` runs everything that must pass before a change lands.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command prints its results")]
#![expect(clippy::disallowed_types, reason = "it reports how long a step took")]
#![expect(clippy::disallowed_methods, reason = "this is an edge: it reads the repository")]

mod api;
mod browser;
mod counts;
mod steps;
mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use steps::Step;

const USAGE: &str = "\
Usage: cargo xtask TASK

  test       all of the following, in this order; continues after a failure
  tidy       the house rules of this repository: see CONTRIBUTING.md
  fmt        checks that the code is formatted by rustfmt
  clippy     checks that clippy has no warning
  examples   do the examples build?
  unit       unit and integration tests; they run the examples and drive a browser
  doctest    examples in the documentation
  doc        checks that the documentation builds without a warning
  fuzz       a short run of every fuzz target; further arguments go to throng-fuzz

  api        not part of test: writes docs/public-api.txt, the listing of the public interface

Exit code 0: all passed. 1: something failed, or the task is unknown.
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (task, rest) = match arguments.split_first() {
        Some((task, rest)) => (task.as_str(), rest),
        None => ("--help", &[][..]),
    };
    let wants_help = rest.iter().any(|argument| argument == "--help" || argument == "-h");
    match task {
        "--help" | "-h" | "help" => help(),
        _ if wants_help && task != "fuzz" => help(),
        "api" if rest.is_empty() => write_api(),
        "test" if rest.is_empty() => steps::run_all(&root(), &Step::ALL),
        _ => match Step::by_name(task) {
            Some(Step::Fuzz) => steps::run_fuzz(&root(), rest),
            Some(step) if rest.is_empty() => steps::run_all(&root(), &[step]),
            _ => unknown(&arguments),
        },
    }
}

fn help() -> ExitCode {
    print!("{USAGE}");
    ExitCode::SUCCESS
}

fn unknown(arguments: &[String]) -> ExitCode {
    eprint!("error: there is no task `{}`\n\n{USAGE}", arguments.join(" "));
    ExitCode::FAILURE
}

fn write_api() -> ExitCode {
    let written = tidy::listing(&root())
        .and_then(|text| std::fs::write(root().join(api::FILE), text).map_err(|e| e.to_string()));
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("error: {}: {why}", api::FILE);
            ExitCode::FAILURE
        }
    }
}

/// The repository that this command was built in.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}
