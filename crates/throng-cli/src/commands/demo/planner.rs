//! Who plans in the demo, as typed.

use std::fmt;
use std::str::FromStr;

use anyhow::Result;

use super::cast::Cast;
use super::movers::{LiveWorld, LocalRepairs, Mover, WINDOW_MAX};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DemoPlanner {
    /// The live world.
    Windowed {
        window: u32,
    },
    LocalRepair,
}

const WINDOW_DEFAULT: u32 = 16;

impl DemoPlanner {
    pub(super) fn mover(self, cast: &Cast, seed: u64) -> Result<Box<dyn Mover + '_>> {
        Ok(match self {
            Self::Windowed { window } => Box::new(LiveWorld::new(cast, window)?),
            Self::LocalRepair => Box::new(LocalRepairs::new(&cast.fleet, seed)),
        })
    }

    /// The name by which its authors call it.
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
            let window = window.parse().ok().filter(|window| (2..=WINDOW_MAX).contains(window));
            let window = window.ok_or("give a window of 2 to 48 ticks")?;
            return Ok(Self::Windowed { window });
        }
        match spec {
            "lra" => Ok(Self::LocalRepair),
            "whca" => Ok(Self::Windowed { window: WINDOW_DEFAULT }),
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
