//! One case of an experiment: what its random numbers depend on, and what errors name.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use throng::referee::{Violation, ViolationKind};
use throng::{Map, MovementProfile, Path, Plan, Problem};

use crate::LabError;

/// Which case of which stage: what its random numbers depend on, and what errors name.
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

    pub(crate) fn no_case(&self, tries: u32) -> LabError {
        LabError::NoCase { stage: self.stage, case: self.case, tries }
    }

    /// A number of the case's own, for generators that take a seed.
    pub(crate) fn number(&self) -> u64 {
        self.rng().random()
    }

    pub(crate) fn illegal(&self, why: impl Into<String>) -> LabError {
        LabError::Illegal { stage: self.stage, case: self.case, why: why.into() }
    }

    /// Lets the referee judge a path and what it is said to cost.
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

    /// Lets the referee judge where units were at each tick. They need not have arrived.
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
