//! The steps of `cargo xtask test`: what each runs, how long it took, how it went.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use crate::counts::Counts;
use crate::tidy;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Tidy,
    Fmt,
    Clippy,
    Unit,
    Doctest,
    Doc,
    Fuzz,
}

/// How a step went.
enum Went {
    Well,
    /// Failed, with a remedy if there is one to tell.
    Wrong(Option<String>),
    Skipped(&'static str),
}

impl Step {
    /// The quick ones first.
    pub(crate) const ALL: [Self; 7] =
        [Self::Tidy, Self::Fmt, Self::Clippy, Self::Unit, Self::Doctest, Self::Doc, Self::Fuzz];

    pub(crate) fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|step| step.name() == name)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Fmt => "fmt",
            Self::Clippy => "clippy",
            Self::Unit => "unit",
            Self::Doctest => "doctest",
            Self::Doc => "doc",
            Self::Tidy => "tidy",
            Self::Fuzz => "fuzz",
        }
    }

    /// What cargo is asked to do.
    fn arguments(self) -> &'static str {
        match self {
            Self::Fmt => "fmt --all -- --check",
            Self::Clippy => "clippy --workspace --all-targets -- -D warnings",
            // Benches are compiled by clippy; running them here would only measure noise.
            Self::Unit => "test --workspace --no-fail-fast --lib --bins --tests --examples",
            Self::Doctest => "test --workspace --no-fail-fast --doc",
            Self::Doc => "doc --workspace --no-deps",
            Self::Tidy => "xtask tidy",
            Self::Fuzz => "run --release -p throng-fuzz -- --target all --cases 20000",
        }
    }

    fn run(self, root: &Path, tests: &mut Counts) -> Went {
        let mut command = cargo(root);
        command.args(self.arguments().split(' '));
        match self {
            Self::Tidy => {
                tidy::run(root).map_or_else(|why| Went::Wrong(Some(why)), |()| Went::Well)
            }
            Self::Fmt => with_component(root, "fmt", "rustfmt", &mut command),
            Self::Clippy => with_component(root, "clippy", "clippy", &mut command),
            Self::Unit | Self::Doctest => succeed_counting(&mut command, tests),
            Self::Doc => succeed(command.env("RUSTDOCFLAGS", "-D warnings")),
            Self::Fuzz if !has_fuzz(root) => Went::Skipped("there is no crates/throng-fuzz yet"),
            Self::Fuzz => succeed(&mut command),
        }
    }
}

fn cargo(root: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    command.current_dir(root);
    command
}

fn has_fuzz(root: &Path) -> bool {
    root.join("crates/throng-fuzz/Cargo.toml").exists()
}

fn succeed(command: &mut Command) -> Went {
    match command.status() {
        Ok(status) if status.success() => Went::Well,
        Ok(_) => Went::Wrong(None),
        Err(error) => Went::Wrong(Some(format!("cargo did not start: {error}"))),
    }
}

/// Some toolchains come without these two.
fn with_component(root: &Path, subcommand: &str, component: &str, command: &mut Command) -> Went {
    let mut probe = cargo(root);
    probe.args([subcommand, "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
    match succeed(&mut probe) {
        Went::Well => succeed(command),
        _ => Went::Wrong(Some(format!(
            "{component} is not installed; add it: rustup component add {component}"
        ))),
    }
}

/// Shows the output while it counts the tests in it.
fn succeed_counting(command: &mut Command, tests: &mut Counts) -> Went {
    let mut child = match command.stdout(Stdio::piped()).spawn() {
        Ok(child) => child,
        Err(error) => return Went::Wrong(Some(format!("cargo did not start: {error}"))),
    };
    if let Some(output) = child.stdout.take() {
        for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line);
            println!("{line}");
            tests.add_line(&line);
        }
    }
    match child.wait() {
        Ok(status) if status.success() => Went::Well,
        _ => Went::Wrong(None),
    }
}

/// Runs the steps, all of them even if one fails, and says in the end how they went.
pub(crate) fn run_all(root: &Path, steps: &[Step]) -> ExitCode {
    let (mut tests, mut total) = (Counts::default(), Counts::default());
    let mut lines = Vec::new();
    for &step in steps {
        println!("--- {}: cargo {}", step.name(), step.arguments());
        let start = Instant::now();
        let went = step.run(root, &mut tests);
        let seconds = start.elapsed().as_secs_f64();
        if !matches!(went, Went::Skipped(_)) {
            total.add(matches!(went, Went::Well));
        }
        lines.push(summary(step, &went, seconds));
        println!("{}\n", summary(step, &went, seconds));
    }
    if steps.len() > 1 {
        println!("{}", lines.join("\n"));
    }
    if tests != Counts::default() {
        println!("tests: {tests}");
    }
    println!("steps: {total}");
    if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn summary(step: Step, went: &Went, seconds: f64) -> String {
    let how = match went {
        Went::Well => "ok".to_owned(),
        Went::Wrong(None) => "FAILED".to_owned(),
        Went::Wrong(Some(why)) => format!("FAILED: {why}"),
        Went::Skipped(why) => format!("skipped: {why}"),
    };
    format!("{:<8} {seconds:>7.1} s  {how}", step.name())
}

/// The fuzz step alone; arguments given replace those of the short run.
pub(crate) fn run_fuzz(root: &Path, arguments: &[String]) -> ExitCode {
    if arguments.is_empty() || !has_fuzz(root) {
        return run_all(root, &[Step::Fuzz]);
    }
    let mut command = cargo(root);
    command.args(["run", "--release", "-p", "throng-fuzz", "--"]).args(arguments);
    if matches!(succeed(&mut command), Went::Well) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
