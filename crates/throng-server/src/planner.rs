//! What moves the units of a world.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What moves the units of a world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlannerName {
    /// The live world of throng: units plan around each other's plans.
    #[default]
    Throng,
    /// LRA*: units plan alone and repair their paths, as in most games.
    Lra,
}

impl PlannerName {
    /// The name in messages and options.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Throng => "throng",
            Self::Lra => "lra",
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
        match text {
            "throng" => Ok(Self::Throng),
            "lra" => Ok(Self::Lra),
            other => Err(format!("no planner {other:?}; use throng or lra")),
        }
    }
}
