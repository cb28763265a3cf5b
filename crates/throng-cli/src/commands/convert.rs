//! `throng convert`: from any format that throng reads to any that can say the same.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use clap::{Args, ValueEnum};
use serde::Serialize;
use throng::formats::{
    Context, FormatKind, LorrYear, PlanVizOptions, Scenario, UpDown, detect, lorr, map,
    multi_robot, read_plan, scen, write_plan,
};
use throng::model::{Map, MovementProfile, Plan, Problem};
use throng::referee;

use super::generate::scenario::with_lengths;
use crate::files::{self, Input, Output};
use crate::inputs::ReadingArguments;
use crate::report::{Exit, Report};

/// Convert plans, problems, maps and scenarios between file formats
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct ConvertArguments {
    /// The file to convert; its format is told by content
    #[arg(value_name = "IN")]
    from: PathBuf,
    /// The file to write
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// The format to write [default: told by the name of OUT]
    #[arg(long, value_name = "FORMAT", value_parser = parse_format)]
    to: Option<FormatKind>,
    /// The map, where the formats need it
    #[arg(short, long, value_name = "MAP")]
    map: Option<PathBuf>,
    #[command(flatten)]
    reading: ReadingArguments,
    /// The scenario, where the plan's format leaves out starts or goals
    #[arg(short = 'i', long = "scen", value_name = "SCEN")]
    scenario: Option<PathBuf>,
    /// How many units: chooses among the plans of a file that holds several
    #[arg(short = 'N', long, value_name = "UNITS")]
    units: Option<usize>,
    /// Which way U goes in PlanViz files: as it reads them today, or as its old examples do
    #[arg(long, value_name = "WAY", default_value = "head")]
    planviz_updown: UpDownName,
    /// Which year's form PlanViz files have
    #[arg(long, value_name = "YEAR", default_value = "2024")]
    lorr_year: YearName,
}

const AFTER_HELP: &str = "\
Examples:
  throng convert plan.txt plan.json                         kei18 text to PlanViz
  throng convert paths.txt plan.txt --to kei18              Jiaoyang Li's paths to kei18 text
  throng convert plan.txt plan.csv -m den312d.map -i den312d-random-1.scen
  throng convert room.scen room.yaml -m room.map            a problem for libMultiRobotPlanning
  throng convert problem.yaml room.map

Formats: map, scen, kei18, li-paths, multi-robot-problem, multi-robot-schedule, \
tracker-json, tracker-yaml, tracker-csv, planviz; lorr-problem is read only.
Names: .map .scen .txt (kei18) .paths (li-paths) .json (planviz) .csv (tracker-csv) .yaml \
(multi-robot-problem or -schedule).";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum UpDownName {
    Head,
    Legacy,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum YearName {
    #[value(name = "2023")]
    Y2023,
    #[value(name = "2024")]
    Y2024,
}

fn parse_format(name: &str) -> Result<FormatKind, String> {
    name.parse().map_err(|error: throng::formats::FormatError| error.to_string())
}

#[derive(Serialize)]
struct ConvertJson {
    from: &'static str,
    to: &'static str,
    output: PathBuf,
    bytes: usize,
}

/// The arguments, with the content of the files that they name.
struct Conversion<'a> {
    input: Input,
    kind: FormatKind,
    target: FormatKind,
    map: Option<Map>,
    scenario: Option<Scenario>,
    arguments: &'a ConvertArguments,
}

pub(crate) fn run(arguments: &ConvertArguments) -> Result<Report> {
    let files = [Some(&arguments.from), arguments.map.as_ref(), arguments.scenario.as_ref()];
    let inputs: Vec<&Path> = files.into_iter().flatten().map(PathBuf::as_path).collect();
    let output = Output::new(arguments.output.clone(), &inputs)?;
    let conversion = Conversion::new(arguments, &output)?;
    let text = conversion.write()?;
    output.write(text.as_bytes())?;
    let json = ConvertJson {
        from: conversion.kind.name(),
        to: conversion.target.name(),
        output: output.path().to_owned(),
        bytes: text.len(),
    };
    let message = format!("{}: {} from {}\n", json.output.display(), json.to, json.from);
    Report::new(Exit::Success, message, &json)
}

impl<'a> Conversion<'a> {
    fn new(arguments: &'a ConvertArguments, output: &Output) -> Result<Self> {
        let input = files::read(&arguments.from)?;
        let kind = detect(&input.bytes).ok_or_else(|| {
            let names = FormatKind::ALL.map(FormatKind::name).join(", ");
            anyhow!("{}: no known format; give a file of {names}", input.name)
        })?;
        let target = match arguments.to {
            Some(target) => target,
            None => target_by_name(output, kind)?,
        };
        let map = arguments.map.as_deref().map(|file| arguments.reading.read(file)).transpose()?;
        let scenario = match &arguments.scenario {
            Some(file) => Some(files::read(file)?.parse(scen::read)?),
            None => None,
        };
        Ok(Self { input, kind, target, map, scenario, arguments })
    }

    fn write(&self) -> Result<String> {
        match (self.kind, self.target) {
            (from, to) if from.is_plan() && to.is_plan() => self.write_plan(),
            (FormatKind::Map, FormatKind::Map) => {
                let options = self.arguments.reading.options();
                Ok(map::write(&self.input.parse(|bytes| map::read(bytes, options))?)?)
            }
            (FormatKind::Scenario, FormatKind::Scenario) => {
                Ok(scen::write(&self.input.parse(scen::read)?)?)
            }
            (
                FormatKind::Scenario | FormatKind::MultiRobotProblem | FormatKind::LorrProblem,
                FormatKind::Map | FormatKind::Scenario | FormatKind::MultiRobotProblem,
            ) => self.write_problem(&self.problem()?),
            (from, to) => bail!("{}: {from} does not hold what {to} needs", self.input.name),
        }
    }

    fn write_plan(&self) -> Result<String> {
        let scenario_name = self.arguments.scenario.as_deref().map(files::base_name);
        let context = Context {
            map: self.map.as_ref(),
            scenario: self.scenario.as_ref(),
            scenario_name: scenario_name.as_deref(),
            units: self.arguments.units,
        };
        let mut document = self.input.parse(|bytes| read_plan(bytes, &context))?;
        if document.map_file.is_none() {
            document.map_file = self.arguments.map.as_deref().map(files::base_name);
        }
        let options = PlanVizOptions {
            up_down: match self.arguments.planviz_updown {
                UpDownName::Head => UpDown::UpAddsRow,
                UpDownName::Legacy => UpDown::UpSubtractsRow,
            },
            year: match self.arguments.lorr_year {
                YearName::Y2023 => LorrYear::Y2023,
                YearName::Y2024 => LorrYear::Y2024,
            },
            all_valid: self.judge(&document.plan)?,
        };
        Ok(write_plan(self.target, &document, &context, options)?)
    }

    /// What the referee says of the plan, where map and scenario are given.
    fn judge(&self, plan: &Plan) -> Result<Option<bool>> {
        let Some((map, scenario)) = self.map.as_ref().zip(self.scenario.as_ref()) else {
            return Ok(None);
        };
        let units = Some(plan.paths.len());
        let problem = scenario.problem(map, units, MovementProfile::four_connected())?;
        Ok(Some(referee::check(&problem, plan).is_valid()))
    }

    /// The problem that the input tells, with the other files that it needs.
    fn problem(&self) -> Result<Problem> {
        let movement = MovementProfile::four_connected();
        match self.kind {
            FormatKind::Scenario => {
                let Some(map) = &self.map else {
                    bail!("{}: a scenario needs its map (-m MAP)", self.input.name);
                };
                let scenario = self.input.parse(scen::read)?;
                self.input.parse(|_| scenario.problem(map, self.arguments.units, movement))
            }
            FormatKind::LorrProblem => self.lorr_problem(movement),
            _ => self.input.parse(multi_robot::read_problem),
        }
    }

    /// The files that a LoRR problem names lie beside it.
    fn lorr_problem(&self, movement: MovementProfile) -> Result<Problem> {
        let problem = self.input.parse(lorr::read_problem)?;
        let folder = self.arguments.from.parent().unwrap_or(Path::new(""));
        let map = match &self.map {
            Some(map) => map.clone(),
            None => self.arguments.reading.read(&folder.join(&problem.map_file))?,
        };
        let agents = files::read(&folder.join(&problem.agent_file))?.parse(lorr::read_agents)?;
        let tasks = files::read(&folder.join(&problem.task_file))?.parse(lorr::read_tasks)?;
        self.input.parse(|_| problem.opening(&map, &agents, &tasks, movement))
    }

    fn write_problem(&self, problem: &Problem) -> Result<String> {
        match self.target {
            FormatKind::Map => Ok(map::write(&problem.map)?),
            FormatKind::Scenario => {
                let stem = self.arguments.output.with_extension("map");
                let name = self.arguments.map.as_deref().unwrap_or(&stem);
                let scenario = with_lengths(&files::base_name(name), &problem.map, &problem.units)?;
                Ok(scen::write(&scenario)?)
            }
            _ => Ok(multi_robot::write_problem(problem)?),
        }
    }
}

/// What the name of the output says.
fn target_by_name(output: &Output, from: FormatKind) -> Result<FormatKind> {
    Ok(match output.extension().as_str() {
        "map" => FormatKind::Map,
        "scen" => FormatKind::Scenario,
        "txt" => FormatKind::Kei18,
        "paths" => FormatKind::LiPaths,
        "json" => FormatKind::PlanViz,
        "csv" => FormatKind::TrackerCsv,
        "yaml" | "yml" if from.is_plan() => FormatKind::MultiRobotSchedule,
        "yaml" | "yml" => FormatKind::MultiRobotProblem,
        _ => {
            let names = FormatKind::ALL.map(FormatKind::name).join(", ");
            bail!(
                "{}: the name tells no format; add --to with one of {names}",
                output.path().display()
            )
        }
    })
}
