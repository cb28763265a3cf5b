//! The solvers that are compared.

use throng::Solver;
use throng::solver::SpecError;

/// A solver of throng.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    LocalRepair,
    Cooperative,
    Hierarchical,
    Windowed,
    Lacam,
    Lns,
    Auto,
    Joint,
}

/// Most units for which an optimal plan with proof is searched.
const JOINT_UNITS_MAX: usize = 20;

impl Method {
    pub(super) const ALL: [Self; 8] = [
        Self::LocalRepair,
        Self::Cooperative,
        Self::Hierarchical,
        Self::Windowed,
        Self::Lacam,
        Self::Lns,
        Self::Auto,
        Self::Joint,
    ];

    /// Its name on the command line.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::LocalRepair => "lra",
            Self::Cooperative => "ca",
            Self::Hierarchical => "hca",
            Self::Windowed => "whca",
            Self::Lacam => "lacam",
            Self::Lns => "lns",
            Self::Auto => "auto",
            Self::Joint => "joint",
        }
    }

    /// Whether it is run with this many units.
    pub(super) fn takes(self, units: usize) -> bool {
        self != Self::Joint || units <= JOINT_UNITS_MAX
    }

    pub(super) fn solver(self) -> Result<Solver, SpecError> {
        Solver::parse(if self == Self::Joint { "joint,od,pe,id" } else { self.name() })
    }
}
