//! `throng gen lorr`: problems in the format of the League of Robot Runners, 2023.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde::Serialize;
use throng::formats::lorr::{self, LorrProblem};
use throng::formats::{MapOptions, Passable, map};
use throng::model::CellIndex;
use throng_lab::generate;

use crate::files::{self, Output};
use crate::report::{Exit, Report};

/// Make a problem for lifelong runs: a League of Robot Runners file with map, agents and tasks
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct LorrArguments {
    /// The map: MovingAI's format, read as in the League: all but `@` and `T` free
    #[arg(short, long, value_name = "MAP")]
    map: PathBuf,
    /// How many units
    #[arg(short = 'N', long, value_name = "UNITS", value_parser = clap::value_parser!(u64).range(1..))]
    units: u64,
    /// How many tasks
    #[arg(long, value_name = "TASKS", default_value_t = 10_000, value_parser = tasks_range())]
    tasks: u32,
    /// Which unit gets which task
    #[arg(long, value_name = "STRATEGY", default_value = "roundrobin")]
    strategy: StrategyName,
    /// The seed: each gives other starts and tasks
    #[arg(short, long, default_value_t = 0)]
    seed: u64,
    /// Where to write the problem, NAME.json; NAME.map, NAME.agents and NAME.tasks go beside it
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

const AFTER_HELP: &str = "\
Examples:
  throng gen lorr -m warehouse.map -N 400 --tasks 5000 -s 1 -o problem.json
  throng solve -i problem.json --lifelong 1000 -o output.json

Starts and tasks are on the largest connected part of the map.";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum StrategyName {
    /// Unit i of n: tasks i, i + n, ... and again from the beginning
    #[value(name = "roundrobin")]
    RoundRobin,
    /// A unit that needs a task: the first that is left
    Greedy,
    /// As roundrobin, each task once
    #[value(name = "roundrobin_fixed")]
    RoundRobinFixed,
}

impl StrategyName {
    fn name(self) -> &'static str {
        match self {
            Self::RoundRobin => "roundrobin",
            Self::Greedy => "greedy",
            Self::RoundRobinFixed => "roundrobin_fixed",
        }
    }
}

fn tasks_range() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=1_000_000)
}

#[derive(Serialize)]
struct LorrJson {
    problem: PathBuf,
    units: usize,
    tasks: usize,
    seed: u64,
}

pub(super) fn run(arguments: &LorrArguments) -> Result<Report> {
    let inputs = [arguments.map.as_path()];
    let output = Output::new(arguments.output.clone(), &inputs)?;
    output.expect_extension(&["json"])?;
    let beside = |extension: &str| Output::new(arguments.output.with_extension(extension), &inputs);
    let (map_output, agents, tasks) = (beside("map")?, beside("agents")?, beside("tasks")?);
    let input = files::read(&arguments.map)?;
    let map = input.parse(|bytes| map::read(bytes, MapOptions { passable: Passable::Mapf }))?;
    let (units, seed) = (arguments.units as usize, arguments.seed);
    let (starts, goals) = generate::lorr(&map, units, arguments.tasks as usize, seed)?;
    let problem = LorrProblem {
        map_file: name(&map_output),
        agent_file: name(&agents),
        task_file: name(&tasks),
        team_size: units,
        num_tasks_reveal: 1.0,
        version: None,
        task_assignment_strategy: Some(arguments.strategy.name().to_owned()),
    };
    let goals: Vec<Vec<CellIndex>> = goals.into_iter().map(|goal| vec![goal]).collect();
    map_output.write(&input.bytes)?;
    agents.write(lorr::write_agents(&starts).as_bytes())?;
    tasks.write(lorr::write_tasks(&goals).as_bytes())?;
    output.write(lorr::write_problem(&problem)?.as_bytes())?;
    let json = LorrJson { problem: output.path().to_owned(), units, tasks: goals.len(), seed };
    let text = format!("{}: {units} units, {} tasks\n", json.problem.display(), json.tasks);
    Report::new(Exit::Success, text, &json)
}

fn name(output: &Output) -> String {
    files::base_name(Path::new(output.path()))
}
