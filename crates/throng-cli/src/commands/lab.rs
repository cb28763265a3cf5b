//! `throng lab`: repeats the experiments of papers, and compares solvers.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::{Args, ValueEnum};
use serde::Serialize;
use throng_lab::lanctot::Input;
use throng_lab::{
    Claim, Experiment, File, LabError, Options, PAPERS, Paper, Progress, Table, Value,
    dense_crowds, lanctot, silver2005, silver2006, standley, xu_zou,
};

use crate::files::{self, Output};
use crate::progress;
use crate::report::{Exit, Report};
use crate::scene_inputs::{read_logs, read_scene};

/// Repeat a paper's experiments: tables, figures, and whether its claims hold
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct LabArguments {
    /// Which experiments
    experiment: ExperimentName,
    /// A tenth of the cases, for a first look
    #[arg(long)]
    quick: bool,
    /// Write tables (CSV) and figures (SVG) to a folder of the experiment's name in here
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How many threads work; the results are the same for any number [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// The seed of every random case
    #[arg(short, long, default_value_t = Options::default().seed)]
    seed: u64,
    /// lanctot: logs of real games, one a file, instead of games of our own (docs/logs.md)
    #[arg(long, value_name = "FILE", num_args = 1..)]
    logs: Vec<PathBuf>,
    /// lanctot: a scene of your own instead of the town of the seed (docs/scenes.md)
    #[arg(long, value_name = "FILE")]
    scene: Option<PathBuf>,
}

const AFTER_HELP: &str = "\
Examples:
  throng lab xu-zou --quick
  throng lab silver2005 --out out
  throng lab crowds --out out --threads 1
  throng lab lanctot --scene town.json --logs game.csv --quick --out out

Exit code 0: every claim holds. 3: one does not.";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ExperimentName {
    /// Every solver in dense crowds: cost and time against the number of units
    Crowds,
    /// Lanctot et al.: players of a large multiplayer game, and where they walk
    Lanctot,
    /// Silver 2005: LRA*, CA*, HCA* and WHCA* in crowded mazes
    Silver2005,
    /// Silver 2006: windows, priorities, interleaving, footprints
    Silver2006,
    /// Standley: optimal plans for teams of up to 30
    Standley,
    /// Xu and Zou: buildings with many doors, terrain, paths that break
    XuZou,
    /// All of them, one after the other
    All,
}

impl ExperimentName {
    fn papers(self) -> Vec<Paper> {
        match self {
            Self::Crowds => vec![dense_crowds::PAPER],
            Self::Lanctot => vec![lanctot::PAPER],
            Self::Silver2005 => vec![silver2005::PAPER],
            Self::Silver2006 => vec![silver2006::PAPER],
            Self::Standley => vec![standley::PAPER],
            Self::XuZou => vec![xu_zou::PAPER],
            Self::All => PAPERS.to_vec(),
        }
    }
}

#[derive(Serialize)]
struct LabJson {
    holds: bool,
    seed: u64,
    quick: bool,
    experiments: BTreeMap<&'static str, ExperimentJson>,
}

#[derive(Serialize)]
struct ExperimentJson {
    claims: Vec<ClaimJson>,
    /// The rows of each table, by column.
    tables: BTreeMap<String, Vec<BTreeMap<String, serde_json::Value>>>,
    files: Vec<PathBuf>,
}

#[derive(Serialize)]
struct ClaimJson {
    text: String,
    holds: bool,
}

pub(crate) fn run(arguments: &LabArguments) -> Result<Report> {
    let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let options = Options {
        seed: arguments.seed,
        quick: arguments.quick,
        threads: arguments.threads.unwrap_or_else(cores).get(),
    };
    let mut json = LabJson {
        holds: true,
        seed: options.seed,
        quick: options.quick,
        experiments: BTreeMap::new(),
    };
    let mut input = read_input(arguments)?;
    let mut text = String::new();
    for paper in arguments.experiment.papers() {
        let name = paper.name;
        let folder = arguments.out.as_ref().map(|out| out.join(name));
        folder.as_deref().map_or(Ok(()), files::make_folder)?;
        let experiment = match input.take() {
            Some(input) => with_progress(name, &options, |options, progress| {
                lanctot::run_with(input, options, progress)
            }),
            None => with_progress(name, &options, |options, progress| paper.run(options, progress)),
        }?;
        let files = folder.map_or(Ok(Vec::new()), |folder| write_files(&folder, &experiment))?;
        json.holds &= experiment.holds();
        describe(&mut text, &experiment, &files);
        json.experiments.insert(name, experiment_json(&experiment, files));
    }
    let exit = if json.holds { Exit::Success } else { Exit::Refuted };
    Report::new(exit, text, &json)
}

/// The scene and the logs to be used; none when the experiment is as in the paper.
fn read_input(arguments: &LabArguments) -> Result<Option<Input>> {
    if arguments.logs.is_empty() && arguments.scene.is_none() {
        return Ok(None);
    }
    if !matches!(arguments.experiment, ExperimentName::Lanctot) {
        bail!("--logs and --scene: only lanctot uses them; leave them out");
    }
    let scene = arguments.scene.as_deref().map(read_scene).transpose()?;
    Ok(Some(Input { scene, logs: read_logs(&arguments.logs)? }))
}

fn with_progress(
    name: &str,
    options: &Options,
    run: impl FnOnce(&Options, &mut dyn FnMut(Progress)) -> Result<Experiment, LabError>,
) -> Result<Experiment> {
    let bar = progress::bar(0, "cases");
    let experiment = run(options, &mut |progress| {
        bar.set_length(progress.of as u64);
        bar.set_position(progress.done as u64);
        bar.set_message(progress.stage);
    });
    bar.finish_and_clear();
    match experiment {
        Err(LabError::NoRoom) => Err(LabError::NoRoom.into()),
        experiment => {
            experiment.with_context(|| format!("internal: {name}; this is a bug, please report it"))
        }
    }
}

/// Writes what the experiment made.
fn write_files(folder: &Path, experiment: &Experiment) -> Result<Vec<PathBuf>> {
    let write = |file: &File| {
        let output = Output::new(folder.join(&file.name), &[])?;
        output.write(&file.bytes)?;
        Ok(output.path().to_owned())
    };
    experiment.files.iter().map(write).collect()
}

fn describe(text: &mut String, experiment: &Experiment, files: &[PathBuf]) {
    for table in &experiment.tables {
        let _ = writeln!(text, "{table}");
    }
    for Claim { text: claim, holds } in &experiment.claims {
        let _ = writeln!(text, "{} {claim}", if *holds { "holds:" } else { "FAILS:" });
    }
    if let Some(folder) = files.first().and_then(|file| file.parent()) {
        let _ = writeln!(text, "{} files written to {}", files.len(), folder.display());
    }
}

fn experiment_json(experiment: &Experiment, files: Vec<PathBuf>) -> ExperimentJson {
    let claim = |claim: &Claim| ClaimJson { text: claim.text.clone(), holds: claim.holds };
    let tables = experiment.tables.iter().map(|table| (table.name.clone(), rows(table)));
    ExperimentJson {
        claims: experiment.claims.iter().map(claim).collect(),
        tables: tables.collect(),
        files,
    }
}

fn rows(table: &Table) -> Vec<BTreeMap<String, serde_json::Value>> {
    let row =
        |values: &Vec<Value>| table.columns.iter().cloned().zip(values.iter().map(value)).collect();
    table.rows.iter().map(row).collect()
}

fn value(value: &Value) -> serde_json::Value {
    match value {
        Value::Text(text) => text.as_str().into(),
        Value::Count(count) => (*count).into(),
        Value::Number(number, _) => (*number).into(),
        Value::Missing => serde_json::Value::Null,
    }
}
