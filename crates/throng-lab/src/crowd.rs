//! A crowd under a planner, turn by turn: the run, and its row.

mod unit_result;

use throng::cooperative::{Instance, InstanceUnit, Simulation};
use throng::model::{Cell, Problem};
use throng::model::{Effort, UnitId};
use throng::spacetime::{GridSpace, Position, Space};

use crate::LabError;
use crate::harness::clock::timed;
use crate::harness::statistics::mean;
use crate::harness::{CaseId, Row};
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
    /// Processor time before the first move, in milliseconds.
    pub(crate) first_ms: f64,
    /// Processor time of each turn.
    pub(crate) turns_ms: Vec<f64>,
    /// Most nodes open at once.
    pub(crate) peak_open: u64,
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
        let ((), first_ms) = timed(|| simulation.prepare(&mut Effort::unlimited()));
        let expanded_first = simulation.expanded();
        let (mut expanded, mut turns_ms) = (Vec::new(), Vec::new());
        for _ in 0..turns {
            let before = simulation.expanded();
            let ((), turn_ms) = timed(|| simulation.turn(&mut Effort::unlimited()));
            turns_ms.push(turn_ms);
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
        let peak_open = simulation.peak_open();
        Ok(Self {
            units,
            paths: plan.paths,
            expanded_first,
            expanded,
            first_ms,
            turns_ms,
            peak_open,
        })
    }

    /// The run as a row of a method: arrivals, lengths, cycles, work and time.
    pub(crate) fn row(&self, solver: String, parameters: String, turns: u32) -> Row {
        let units = UnitSummary::of(self.units.iter(), turns);
        let arrived = self.units.iter().filter(|unit| unit.arrival.is_some()).count();
        let work = self.expanded_first + self.expanded.iter().sum::<u64>();
        let milliseconds = self.first_ms + self.turns_ms.iter().sum::<f64>();
        Row::of(solver, parameters)
            .outcome(format!("{arrived} of {} arrived", self.units.len()))
            .spent(work, milliseconds, 0)
            .metric("arrived", units.success)
            .metric("there", units.there)
            .metric("turns", units.length)
            .metric("ratio", units.ratio)
            .metric("turns-all", units.length_all)
            .metric("ratio-all", units.ratio_all())
            .metric("shortest", units.shortest)
            .metric("cycles", units.cycles)
            .metric("first-nodes", self.expanded_first as f64)
            .metric("turn-nodes", self.expanded_turn_max() as f64)
            .metric("mean-nodes", mean(self.expanded.iter().map(|&nodes| nodes as f64)))
            .metric("first-ms", self.first_ms)
            .metric("turn-ms", self.turns_ms.iter().copied().fold(0.0, f64::max))
            .metric("peak-open", self.peak_open as f64)
    }

    fn expanded_turn_max(&self) -> u64 {
        self.expanded.iter().copied().max().unwrap_or(0)
    }
}
