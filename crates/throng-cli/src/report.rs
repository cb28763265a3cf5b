//! The result of a command: text for people, JSON for scripts, and an exit code.

use std::process::ExitCode;

use anyhow::Result;
use serde::Serialize;

/// How a command ended. Scripts rely on the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Solved, valid, every query answered.
    Success,
    /// Bad input or usage; nothing was written.
    BadInput,
    /// The budget ran out first.
    BudgetSpent,
    /// Proven impossible, an invalid plan, a query without answer.
    Refuted,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Success => 0,
            Exit::BadInput => 1,
            Exit::BudgetSpent => 2,
            Exit::Refuted => 3,
        })
    }
}

/// The result of a command: an exit code and one result in two forms.
pub(crate) struct Report {
    pub(crate) exit: Exit,
    /// For people; ends with a line break.
    pub(crate) text: String,
    /// The one JSON object for scripts.
    pub(crate) json: String,
}

impl Report {
    pub(crate) fn new(exit: Exit, text: String, json: &impl Serialize) -> Result<Self> {
        Ok(Self { exit, text, json: serde_json::to_string(json)? + "\n" })
    }
}
