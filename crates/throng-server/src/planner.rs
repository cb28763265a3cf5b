//! What moves the units of a world.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What moves the units of a world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlannerName {
    /// The live world of throng: units plan around each other's plans, in windows and step by step
    /// in crowds.
    #[default]
    Throng,
    /// WHCA* as Silver published it: units plan around each other's plans, in windows.
    Whca,
    /// LRA*: units plan alone and repair their paths, as in most games.
    Lra,
}

/// A planner of the papers, which knows orders to go, hold and stop only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PaperPlanner {
    /// LRA*.
    LocalRepair,
    /// WHCA*.
    Windowed,
}

impl PlannerName {
    /// Every planner.
    pub const ALL: [Self; 3] = [Self::Throng, Self::Whca, Self::Lra];

    /// The name in messages and options.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Throng => "throng",
            Self::Whca => "whca",
            Self::Lra => "lra",
        }
    }

    /// The planner of the papers that it is, if it is one.
    pub(crate) fn of_paper(self) -> Option<PaperPlanner> {
        match self {
            Self::Throng => None,
            Self::Whca => Some(PaperPlanner::Windowed),
            Self::Lra => Some(PaperPlanner::LocalRepair),
        }
    }
}

impl PaperPlanner {
    /// The name as users know it.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::LocalRepair => "LRA*",
            Self::Windowed => "WHCA*",
        }
    }

    pub(crate) fn name(self) -> PlannerName {
        match self {
            Self::LocalRepair => PlannerName::Lra,
            Self::Windowed => PlannerName::Whca,
        }
    }
}

impl fmt::Display for PlannerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for PlannerName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|planner| planner.name() == text);
        found.ok_or_else(|| format!("no planner {text:?}; use throng, whca or lra"))
    }
}
