//! One case of an experiment: its random numbers, its referee, its errors.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use throng::grid::Path;
use throng::model::{Map, MovementProfile, Plan, Problem, ValidProblem};
use throng::referee::{Violation, ViolationKind};

use crate::LabError;

/// A case of a stage. It determines the random numbers, and errors name it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CaseId {
    pub(crate) stage: &'static str,
    pub(crate) seed: u64,
    pub(crate) case: usize,
}

impl CaseId {
    pub(crate) fn rng(&self) -> Pcg64Mcg {
        // FNV-1a: no two cases of an experiment share their random numbers.
        let words = [self.seed, self.case as u64].map(u64::to_le_bytes);
        let bytes = self.stage.bytes().chain(words.into_iter().flatten());
        let mixed = bytes.fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Pcg64Mcg::seed_from_u64(mixed)
    }

    /// The problem, once it is validated.
    pub(crate) fn valid(&self, problem: Problem) -> Result<ValidProblem, LabError> {
        problem.validate().map_err(|errors| self.illegal(errors.to_string()))
    }

    pub(crate) fn no_case(&self, tries: u32) -> LabError {
        LabError::NoCase { stage: self.stage, case: self.case, tries }
    }

    /// A random number of the case, for generators that take a seed.
    pub(crate) fn number(&self) -> u64 {
        self.rng().random()
    }

    pub(crate) fn illegal(&self, why: impl Into<String>) -> LabError {
        LabError::Illegal { stage: self.stage, case: self.case, why: why.into() }
    }

    /// Checks a path and its cost with the referee.
    pub(crate) fn judge(
        &self,
        map: &Map,
        movement: &MovementProfile,
        path: &Path,
    ) -> Result<(), LabError> {
        let verdict = throng::referee::check_path(map, movement, &path.cells);
        match verdict {
            Ok(cost) if cost == path.cost => Ok(()),
            Ok(cost) => Err(self.illegal(format!("it costs {cost}, not {}", path.cost))),
            Err(violations) => {
                let all: Vec<String> = violations.iter().map(ToString::to_string).collect();
                Err(self.illegal(all.join("; ")))
            }
        }
    }

    /// Checks the paths of all units with the referee. They need not have arrived.
    pub(crate) fn judge_plan(&self, problem: &Problem, plan: &Plan) -> Result<(), LabError> {
        let verdict = throng::referee::check(problem, plan);
        if verdict.is_legal() {
            return Ok(());
        }
        let legal = |violation: &&Violation| violation.kind != ViolationKind::Goal;
        let first = verdict.violations.iter().find(legal).map(ToString::to_string);
        Err(self.illegal(first.unwrap_or_default()))
    }
}
