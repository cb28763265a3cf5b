//! A crowd under a planner, turn by turn: the run, and the summary of many runs.

mod unit_result;

use throng::cooperative::{Instance, InstanceUnit, Simulation};
use throng::model::{Cell, Problem};
use throng::model::{Effort, UnitId};
use throng::spacetime::{GridSpace, Position, Space};

use crate::LabError;
use crate::harness::CaseId;
use crate::harness::statistics::{Summary, mean};
pub(crate) use unit_result::{UnitResult, UnitSummary};

/// One run of a crowd. The referee has checked it.
pub(crate) struct CrowdRun {
    /// The result of each unit.
    pub(crate) units: Vec<UnitResult>,
    /// By unit, its cell at each tick.
    pub(crate) paths: Vec<Vec<Cell>>,
    /// Nodes expanded before the first move.
    pub(crate) expanded_first: u64,
    /// Nodes expanded in each turn.
    pub(crate) expanded: Vec<u64>,
}

impl CrowdRun {
    /// Runs a simulation for a number of turns.
    pub(crate) fn of(
        id: &CaseId,
        problem: &Problem,
        instance: &Instance<GridSpace>,
        simulation: &mut dyn Simulation,
        turns: u32,
    ) -> Result<Self, LabError> {
        let mut paths: Vec<_> = simulation.positions().iter().map(|&at| vec![at]).collect();
        simulation.prepare(&mut Effort::unlimited());
        let expanded_first = simulation.expanded();
        let mut expanded = Vec::new();
        for _ in 0..turns {
            let before = simulation.expanded();
            simulation.turn(&mut Effort::unlimited());
            expanded.push(simulation.expanded() - before);
            paths.iter_mut().zip(simulation.positions()).for_each(|(path, &at)| path.push(at));
        }
        let plan = instance.plan(&paths);
        id.judge_plan(problem, &plan)?;
        let result = |((unit, path), spec): ((u32, &Vec<Position>), &InstanceUnit)| {
            let positions = instance.spaces[spec.space].positions();
            UnitResult::of(
                path,
                spec.goal,
                simulation.shortest(UnitId::new(unit), &mut Effort::unlimited()).unwrap_or(0),
                positions,
            )
        };
        let units = (0_u32..).zip(&paths).zip(&instance.units).map(result).collect();
        Ok(Self { units, paths: plan.paths, expanded_first, expanded })
    }

    fn expanded_turn_max(&self) -> u64 {
        self.expanded.iter().copied().max().unwrap_or(0)
    }
}

/// The results of many runs together.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CrowdSummary {
    pub(crate) units: UnitSummary,
    /// Mean nodes before the first move.
    pub(crate) expanded_first: f64,
    /// Nodes per turn, over all turns.
    pub(crate) expanded_turn: Summary,
    /// Mean nodes of each run's most expensive turn.
    pub(crate) expanded_turn_max: f64,
    /// Mean nodes of the whole run.
    pub(crate) expanded_all: f64,
}

impl CrowdSummary {
    pub(crate) fn of<'a>(runs: impl IntoIterator<Item = &'a CrowdRun>, turns: u32) -> Self {
        let runs: Vec<&CrowdRun> = runs.into_iter().collect();
        let mean_of = |value: fn(&CrowdRun) -> u64| mean(runs.iter().map(|run| value(run) as f64));
        let by_turn = runs.iter().flat_map(|run| run.expanded.iter().map(|&nodes| nodes as f64));
        Self {
            units: UnitSummary::of(runs.iter().flat_map(|run| &run.units), turns),
            expanded_first: mean_of(|run| run.expanded_first),
            expanded_turn: Summary::of(by_turn),
            expanded_turn_max: mean_of(CrowdRun::expanded_turn_max),
            expanded_all: mean_of(|run| run.expanded_first + run.expanded.iter().sum::<u64>()),
        }
    }
}
