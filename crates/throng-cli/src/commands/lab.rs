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
    Check, Claim, Experiment, File, Journal, LabError, Options, PAPERS, Paper, Progress,
    ROW_COLUMNS, Row, Table, Value, Verdict, dense_crowds, lanctot, report, silver2005, silver2006,
    standley, xu_zou,
};

use crate::files::{self, Output};
use crate::progress;
use crate::report::{Exit, Report};
use crate::scene_inputs::{read_logs, read_scene};

/// Repeat a paper's experiments: tables, figures, and a verdict on each of its claims
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct LabArguments {
    /// Which experiments
    experiment: ExperimentName,
    /// Fewer cases per seed, for a first look; the claims are the same
    #[arg(long)]
    quick: bool,
    /// Write tables (CSV), figures (SVG) and rows to a folder of the experiment's name in here. A run
    /// that was interrupted is resumed from its rows
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write a summary of all verdicts (Markdown) to this file
    #[arg(long, value_name = "FILE")]
    summary: Option<PathBuf>,
    /// Run all cases, also those that rows in the folder have
    #[arg(long, requires = "out")]
    fresh: bool,
    /// Run nothing that takes long: report on the rows in the folder, and say how many cases they are
    #[arg(long, requires = "out", conflicts_with = "fresh")]
    known: bool,
    /// How many threads work; the results are the same for any number [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// The first seed of the random cases
    #[arg(short, long, default_value_t = Options::default().seed)]
    seed: u64,
    /// How many seeds; claims are judged by the median over them
    #[arg(long, value_name = "N", default_value_t = Options::default().seeds,
          value_parser = clap::value_parser!(u64).range(1..=1000))]
    seeds: u64,
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
  throng lab all --out out --summary papers.md
  throng lab lanctot --scene town.json --logs game.csv --quick --out out

Exit code 0: every experiment ran and every claim of the papers was judged, with any verdict.
3: a check of throng itself fails.";

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
    /// The five papers, one after the other
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
    /// Whether all checks of throng itself hold.
    holds: bool,
    seed: u64,
    seeds: u64,
    quick: bool,
    /// How many claims of the papers have each verdict.
    verdicts: BTreeMap<String, usize>,
    experiments: BTreeMap<&'static str, ExperimentJson>,
}

#[derive(Serialize)]
struct ExperimentJson {
    claims: Vec<ClaimJson>,
    checks: Vec<CheckJson>,
    /// The rows of each table, by column.
    tables: BTreeMap<String, Vec<BTreeMap<String, serde_json::Value>>>,
    files: Vec<PathBuf>,
}

#[derive(Serialize)]
struct ClaimJson {
    place: String,
    statement: String,
    paper: String,
    ours: String,
    seeds: usize,
    /// How many cases the value is made of, over all seeds.
    sample: String,
    verdict: String,
    reason: String,
}

#[derive(Serialize)]
struct CheckJson {
    text: String,
    holds: bool,
}

pub(crate) fn run(arguments: &LabArguments) -> Result<Report> {
    let cores = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let options = Options {
        seed: arguments.seed,
        seeds: arguments.seeds,
        quick: arguments.quick,
        threads: arguments.threads.unwrap_or_else(cores).get(),
    };
    let mut input = read_input(arguments)?;
    let mut text = String::new();
    let mut done: Vec<(Paper, Experiment, Vec<PathBuf>)> = Vec::new();
    for paper in arguments.experiment.papers() {
        let folder = arguments.out.as_ref().map(|out| out.join(paper.name));
        folder.as_deref().map_or(Ok(()), files::make_folder)?;
        let experiment = match input.take() {
            Some(input) => {
                with_progress(paper.name, |progress| lanctot::run_with(&input, &options, progress))
            }
            None => run_paper(paper, &options, folder.as_deref(), arguments),
        }?;
        let files = folder.map_or(Ok(Vec::new()), |folder| write_files(&folder, &experiment))?;
        describe(&mut text, &experiment, &files);
        done.push((paper, experiment, files));
    }
    write_report(arguments, &options, &done, &mut text)?;
    let verdicts = count(done.iter().map(|(_, experiment, _)| experiment));
    text += &last_line(&verdicts);
    let json = LabJson {
        holds: done.iter().all(|(_, experiment, _)| experiment.holds()),
        seed: options.seed,
        seeds: options.seeds,
        quick: options.quick,
        verdicts: Verdict::ALL.iter().map(ToString::to_string).zip(verdicts).collect(),
        experiments: done
            .into_iter()
            .map(|(paper, experiment, files)| (paper.name, experiment_json(&experiment, files)))
            .collect(),
    };
    let exit = if json.holds { Exit::Success } else { Exit::Refuted };
    Report::new(exit, text, &json)
}

/// Runs a paper. With a folder, rows are kept there, and those of an interrupted run are not run again.
fn run_paper(
    paper: Paper,
    options: &Options,
    folder: Option<&Path>,
    arguments: &LabArguments,
) -> Result<Experiment> {
    let LabArguments { fresh, known: known_only, .. } = *arguments;
    let Some(folder) = folder else {
        return with_progress(paper.name, |progress| paper.run(options, progress));
    };
    let path = folder.join(if options.quick { "rows-quick.tsv" } else { "rows.tsv" });
    let known = if fresh { Vec::new() } else { read_rows(&path)? };
    let mut file = files::Appended::open(&path, fresh, &format!("{ROW_COLUMNS}\n"))?;
    let mut failed = None;
    let finished = |rows: &[Row]| {
        let lines: String = rows.iter().map(Row::line).collect();
        failed = failed.take().or(file.add(&lines).err());
    };
    let journal =
        Journal { known, known_only, build: files::build_name(), finished: Box::new(finished) };
    let experiment =
        with_progress(paper.name, |progress| paper.resume(options, journal, progress))?;
    failed.map_or(Ok(experiment), Err)
}

/// The rows of an earlier run; none without a file. A line that was not written to its end is
/// left out.
fn read_rows(path: &Path) -> Result<Vec<Row>> {
    if !path.is_file() {
        return Ok(Vec::new());
    }
    let input = files::read(path)?;
    let text = String::from_utf8_lossy(&input.bytes);
    Ok(text
        .split_inclusive('\n')
        .filter(|line| line.ends_with('\n'))
        .filter_map(Row::parse)
        .collect())
}

/// Writes the report of all papers to the folder, and its summary.
fn write_report(
    arguments: &LabArguments,
    options: &Options,
    done: &[(Paper, Experiment, Vec<PathBuf>)],
    text: &mut String,
) -> Result<()> {
    let results: Vec<_> = done.iter().map(|(paper, experiment, _)| (*paper, experiment)).collect();
    let page = arguments.out.as_ref().map(|out| out.join("report.html"));
    let page = page.map(|path| (path, report::html(&results, options)));
    let summary = arguments.summary.clone();
    let summary = summary.map(|path| (path, report::markdown(&results, options)));
    for (path, content) in page.into_iter().chain(summary) {
        Output::new(path.clone(), &[])?.write(content.as_bytes())?;
        let _ = writeln!(text, "written: {}", path.display());
    }
    Ok(())
}

/// How many claims have each verdict.
fn count<'a>(experiments: impl Iterator<Item = &'a Experiment>) -> [usize; 4] {
    let add = |sum: [usize; 4], one: [usize; 4]| std::array::from_fn(|at| sum[at] + one[at]);
    experiments.map(Experiment::verdicts).fold([0; 4], add)
}

fn last_line(verdicts: &[usize; 4]) -> String {
    let [holds, factor, differs, not_tried] = verdicts;
    format!(
        "claims of the papers: {holds} hold, {factor} hold with another factor, {differs} differ, \
         {not_tried} not tried\n"
    )
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
    run: impl FnOnce(&mut dyn FnMut(Progress)) -> Result<Experiment, LabError>,
) -> Result<Experiment> {
    let bar = progress::bar(0, "cases");
    let experiment = run(&mut |progress| {
        if progress.done == 0 {
            bar.reset();
        }
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
    for Check { text: check, holds } in &experiment.checks {
        let _ = writeln!(text, "{} {check}", if *holds { "holds:" } else { "FAILS:" });
    }
    if let Some(folder) = files.first().and_then(|file| file.parent()) {
        let _ = writeln!(text, "{} files written to {}", files.len(), folder.display());
    }
}

fn experiment_json(experiment: &Experiment, files: Vec<PathBuf>) -> ExperimentJson {
    let check = |check: &Check| CheckJson { text: check.text.clone(), holds: check.holds };
    let tables = experiment.tables.iter().map(|table| (table.name.clone(), rows(table)));
    ExperimentJson {
        claims: experiment.claims.iter().cloned().map(claim_json).collect(),
        checks: experiment.checks.iter().map(check).collect(),
        tables: tables.collect(),
        files,
    }
}

fn claim_json(claim: Claim) -> ClaimJson {
    let Claim { place, statement, paper, ours, seeds, sample, verdict, reason } = claim;
    let verdict = verdict.to_string();
    ClaimJson { place, statement, paper, ours, seeds, sample, verdict, reason }
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
