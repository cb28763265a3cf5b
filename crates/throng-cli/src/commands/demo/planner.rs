//! The planner of the demo, as typed.

use std::fmt;
use std::str::FromStr;

use anyhow::Result;
use throng::model::limits::WINDOW_TICKS;

use super::engine::{Engine, LocalRepairEngine, WorldEngine};
use super::scenario::DemoScenario;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DemoPlanner {
    /// The live world.
    Windowed {
        window: u32,
    },
    LocalRepair,
}

const WINDOW_DEFAULT: u32 = 16;

impl Default for DemoPlanner {
    fn default() -> Self {
        Self::Windowed { window: WINDOW_DEFAULT }
    }
}

impl DemoPlanner {
    pub(super) fn engine(self, scenario: &DemoScenario, seed: u64) -> Result<Box<dyn Engine + '_>> {
        Ok(match self {
            Self::Windowed { window } => Box::new(WorldEngine::new(scenario, window)?),
            Self::LocalRepair => Box::new(LocalRepairEngine::new(&scenario.instance, seed)),
        })
    }

    /// Its name in the literature.
    pub(super) fn title(self) -> String {
        match self {
            Self::Windowed { window } => format!("WHCA*({window})"),
            Self::LocalRepair => "LRA*".to_owned(),
        }
    }
}

impl FromStr for DemoPlanner {
    type Err = String;

    fn from_str(spec: &str) -> Result<Self, String> {
        if let Some(window) = spec.strip_prefix("whca,window=") {
            let window = window.parse().ok().filter(|window| WINDOW_TICKS.contains(window));
            let window = window.ok_or_else(|| {
                let (min, max) = (WINDOW_TICKS.start(), WINDOW_TICKS.end());
                format!("give a window of {min} to {max} ticks")
            })?;
            return Ok(Self::Windowed { window });
        }
        match spec {
            "lra" => Ok(Self::LocalRepair),
            "whca" => Ok(Self::default()),
            _ => Err("give whca, whca,window=16 or lra; `throng solve` has all planners".into()),
        }
    }
}

impl fmt::Display for DemoPlanner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Windowed { window } => write!(f, "whca,window={window}"),
            Self::LocalRepair => f.write_str("lra"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_are_read_and_shown() {
        let check = |spec: &str, expected: Option<&str>| {
            let planner = spec.parse::<DemoPlanner>().ok();
            assert_eq!(planner.map(|planner| planner.to_string()).as_deref(), expected, "{spec}");
        };
        check("lra", Some("lra"));
        check("whca", Some("whca,window=16"));
        check("whca,window=8", Some("whca,window=8"));
        for wrong in
            ["", "hca", "whca,", "whca,8", "whca,window=1", "whca,window=x", "lra,window=8"]
        {
            check(wrong, None);
        }
    }
}
