//! The combinations of techniques that the paper compares, and ours.

use throng::model::Objective;
use throng::model::Weight;
use throng::optimal::{ExpansionOrder, Heuristic, Independence, JointAStar};

/// A combination of techniques.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    /// OD+PE+ID with what we added: groups first avoid each other, and the heuristic counts what
    /// pairs of units cost each other.
    Ours,
    /// [`Ours`](Self::Ours), within 10% of the optimum.
    OursWeighted,
    /// The paper's S: standard A*, all units move at once.
    Standard,
    /// The paper's OD: operator decomposition.
    Decomposition,
    /// The paper's OD+PE: OD with partial expansion.
    Partial,
    /// The paper's S+ID: S with independence detection.
    StandardIndependent,
    /// The paper's OD+ID.
    DecompositionIndependent,
    /// The paper's OD+PE+ID: groups in conflict are merged at once.
    PartialIndependent,
    /// The paper's OD+PE+ID with weight 1.1.
    Weighted,
}

/// "Guaranteed to be within 10% of the optimal solution."
const WEIGHT_PERMILLE: u32 = 1100;

impl Method {
    /// The strongest first: instances that it does not solve get less time with the others.
    pub(super) const ALL: [Self; 9] = [
        Self::Ours,
        Self::OursWeighted,
        Self::Weighted,
        Self::PartialIndependent,
        Self::DecompositionIndependent,
        Self::StandardIndependent,
        Self::Partial,
        Self::Decomposition,
        Self::Standard,
    ];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Ours => "ours: OD+PE+ID with avoidance and pair costs",
            Self::OursWeighted => "ours, w = 1.1",
            Self::Standard => "S",
            Self::Decomposition => "OD",
            Self::Partial => "OD+PE",
            Self::StandardIndependent => "S+ID",
            Self::DecompositionIndependent => "OD+ID",
            Self::PartialIndependent => "OD+PE+ID",
            Self::Weighted => "OD+PE+ID, w = 1.1",
        }
    }

    /// The planner with one technique more, if the paper has it. Where that fails, this one is
    /// given little time.
    pub(super) fn stronger(self) -> Option<Self> {
        match self {
            Self::Ours | Self::OursWeighted => None,
            Self::Weighted => Some(Self::OursWeighted),
            Self::PartialIndependent => Some(Self::Ours),
            Self::DecompositionIndependent | Self::Partial => Some(Self::PartialIndependent),
            Self::StandardIndependent => Some(Self::DecompositionIndependent),
            Self::Decomposition => Some(Self::Partial),
            Self::Standard => Some(Self::Decomposition),
        }
    }

    /// Whether its plans are proven optimal.
    pub(super) fn is_optimal(self) -> bool {
        !matches!(self, Self::Weighted | Self::OursWeighted)
    }

    pub(super) fn planner(self) -> JointAStar {
        let paper = JointAStar::standard().with_heuristic(Heuristic::Sum);
        let merging = paper.clone().with_independence(Independence::Merge);
        let weight = Weight::from_permille(WEIGHT_PERMILLE).unwrap_or_default();
        let planner = match self {
            Self::Ours => JointAStar::new(),
            Self::OursWeighted => JointAStar::new().with_weight(weight),
            Self::Standard => paper,
            Self::Decomposition => paper.with_decomposition(ExpansionOrder::Dynamic),
            Self::Partial => {
                paper.with_decomposition(ExpansionOrder::Dynamic).with_partial_expansion()
            }
            Self::StandardIndependent => merging,
            Self::DecompositionIndependent => merging.with_decomposition(ExpansionOrder::Dynamic),
            Self::PartialIndependent => JointAStar::standley(),
            Self::Weighted => JointAStar::standley().with_weight(weight),
        };
        planner.with_objective(Objective::TimeAway)
    }
}
