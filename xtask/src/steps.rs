//! The steps of `cargo xtask test`, with their results and times.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use crate::browser;
use crate::counts::Counts;
use crate::tidy;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    Tidy,
    Fmt,
    Clippy,
    Examples,
    Unit,
    Doctest,
    Doc,
    Fuzz,
}

/// The result of a step.
enum StepResult {
    Passed,
    /// With the reason, if it is not in the output.
    Failed(Option<String>),
    Skipped(&'static str),
}

impl Step {
    /// The quick steps first.
    pub(crate) const ALL: [Self; 8] = [
        Self::Tidy,
        Self::Fmt,
        Self::Clippy,
        Self::Examples,
        Self::Unit,
        Self::Doctest,
        Self::Doc,
        Self::Fuzz,
    ];

    pub(crate) fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|step| step.name() == name)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Fmt => "fmt",
            Self::Clippy => "clippy",
            Self::Examples => "examples",
            Self::Unit => "unit",
            Self::Doctest => "doctest",
            Self::Doc => "doc",
            Self::Tidy => "tidy",
            Self::Fuzz => "fuzz",
        }
    }

    /// The arguments for cargo.
    fn arguments(self) -> &'static str {
        match self {
            Self::Fmt => "fmt --all -- --check",
            Self::Clippy => "clippy --workspace --all-targets -- -D warnings",
            // The tests run them.
            Self::Examples => "build --profile test --workspace --examples",
            // Benches are compiled by clippy; running them here would only measure noise.
            Self::Unit => "test --workspace --no-fail-fast --lib --bins --tests",
            Self::Doctest => "test --workspace --no-fail-fast --doc",
            Self::Doc => "doc --workspace --no-deps",
            Self::Tidy => "xtask tidy",
            Self::Fuzz => "run --release -p throng-fuzz -- --target all --cases 20000",
        }
    }

    fn run(self, root: &Path, tests: &mut Counts) -> StepResult {
        let mut command = cargo(root);
        command.args(self.arguments().split(' '));
        match self {
            Self::Tidy => tidy::run(root)
                .map_or_else(|why| StepResult::Failed(Some(why)), |()| StepResult::Passed),
            Self::Fmt => with_component(root, "fmt", "rustfmt", &mut command),
            Self::Clippy => with_component(root, "clippy", "clippy", &mut command),
            Self::Unit => {
                browser::prepare();
                succeed_counting(&mut command, tests)
            }
            Self::Doctest => succeed_counting(&mut command, tests),
            Self::Doc => succeed(command.env("RUSTDOCFLAGS", "-D warnings")),
            Self::Fuzz if !has_fuzz(root) => StepResult::Skipped("crates/throng-fuzz is missing"),
            Self::Examples | Self::Fuzz => succeed(&mut command),
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

fn succeed(command: &mut Command) -> StepResult {
    match command.status() {
        Ok(status) if status.success() => StepResult::Passed,
        Ok(_) => StepResult::Failed(None),
        Err(error) => StepResult::Failed(Some(format!("cargo did not start: {error}"))),
    }
}

/// Runs a subcommand that some toolchains lack; says how to install it.
fn with_component(
    root: &Path,
    subcommand: &str,
    component: &str,
    command: &mut Command,
) -> StepResult {
    let mut probe = cargo(root);
    probe.args([subcommand, "--version"]).stdout(Stdio::null()).stderr(Stdio::null());
    match succeed(&mut probe) {
        StepResult::Passed => succeed(command),
        _ => StepResult::Failed(Some(format!(
            "{component} is not installed; add it: rustup component add {component}"
        ))),
    }
}

/// Prints the output and counts the tests in it.
fn succeed_counting(command: &mut Command, tests: &mut Counts) -> StepResult {
    let mut child = match command.stdout(Stdio::piped()).spawn() {
        Ok(child) => child,
        Err(error) => return StepResult::Failed(Some(format!("cargo did not start: {error}"))),
    };
    if let Some(output) = child.stdout.take() {
        for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line);
            println!("{line}");
            tests.add_line(&line);
        }
    }
    match child.wait() {
        Ok(status) if status.success() => StepResult::Passed,
        _ => StepResult::Failed(None),
    }
}

/// Runs all steps, also after a failure, and prints a summary.
pub(crate) fn run_all(root: &Path, steps: &[Step]) -> ExitCode {
    let (mut tests, mut total) = (Counts::default(), Counts::default());
    let mut lines = Vec::new();
    for &step in steps {
        println!("--- {}: cargo {}", step.name(), step.arguments());
        let start = Instant::now();
        let result = step.run(root, &mut tests);
        let seconds = start.elapsed().as_secs_f64();
        if !matches!(result, StepResult::Skipped(_)) {
            total.add(matches!(result, StepResult::Passed));
        }
        lines.push(summary(step, &result, seconds));
        println!("{}\n", summary(step, &result, seconds));
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

fn summary(step: Step, result: &StepResult, seconds: f64) -> String {
    let how = match result {
        StepResult::Passed => "ok".to_owned(),
        StepResult::Failed(None) => "FAILED".to_owned(),
        StepResult::Failed(Some(why)) => format!("FAILED: {why}"),
        StepResult::Skipped(why) => format!("skipped: {why}"),
    };
    format!("{:<8} {seconds:>7.1} s  {how}", step.name())
}

/// Runs the fuzz step only. Arguments replace those of the short run.
pub(crate) fn run_fuzz(root: &Path, arguments: &[String]) -> ExitCode {
    if arguments.is_empty() || !has_fuzz(root) {
        return run_all(root, &[Step::Fuzz]);
    }
    let mut command = cargo(root);
    command.args(["run", "--release", "-p", "throng-fuzz", "--"]).args(arguments);
    if matches!(succeed(&mut command), StepResult::Passed) {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
