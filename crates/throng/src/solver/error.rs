//! Errors of solver specs, and of planning with them.

use throng_model::PlanError;

use super::knob::Allowed;
use super::registry::SOLVERS;

/// Why [`plan()`](super::plan) has no report.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolveError {
    /// The spec is wrong.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The solver refuses the problem.
    #[error(transparent)]
    Plan(#[from] PlanError),
}

/// A spec that names no solver, or options that the solver does not have.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// There is no name.
    #[error("no solver is named; {}", names())]
    Empty,
    /// There is no solver of that name.
    #[error("no solver {name:?}; {}{}", did_you_mean(.nearest), names())]
    UnknownSolver {
        /// The name, shortened.
        name: String,
        /// The solver with the most similar name, if one is similar.
        nearest: Option<&'static str>,
    },
    /// The solver has no option of that name.
    #[error(
        "solver {solver} has no option {option:?}; {}it has {}",
        did_you_mean(.nearest), .known.join(", ")
    )]
    UnknownOption {
        /// The solver.
        solver: &'static str,
        /// The option, shortened.
        option: String,
        /// The option with the most similar name, if one is similar.
        nearest: Option<&'static str>,
        /// All options of the solver.
        known: Vec<&'static str>,
    },
    /// The option cannot have that value.
    #[error("solver {solver}: {option} cannot be {value:?}; use {allowed}")]
    BadValue {
        /// The solver.
        solver: &'static str,
        /// The option.
        option: &'static str,
        /// The value, shortened.
        value: String,
        /// The values that are allowed.
        allowed: Allowed,
    },
    /// The option has no value.
    #[error("solver {solver}: {option} needs a value; write {option}={allowed}")]
    NoValue {
        /// The solver.
        solver: &'static str,
        /// The option.
        option: &'static str,
        /// The values that are allowed.
        allowed: Allowed,
    },
    /// The option is given more than once.
    #[error("solver {solver}: {option} is given twice; give it once")]
    Twice {
        /// The solver.
        solver: &'static str,
        /// The option.
        option: &'static str,
    },
}

impl SpecError {
    pub(super) fn unknown_solver(name: &str) -> Self {
        let known = SOLVERS.iter().map(|entry| entry.name);
        Self::UnknownSolver { name: shortened(name), nearest: nearest(name, known) }
    }

    pub(super) fn unknown_option(
        solver: &'static str,
        option: &str,
        known: Vec<&'static str>,
    ) -> Self {
        let nearest = nearest(option, known.iter().copied());
        Self::UnknownOption { solver, option: shortened(option), nearest, known }
    }

    pub(super) fn bad_value(
        solver: &'static str,
        option: &'static str,
        value: &str,
        allowed: Allowed,
    ) -> Self {
        match value {
            "" => Self::NoValue { solver, option, allowed },
            _ => Self::BadValue { solver, option, value: shortened(value), allowed },
        }
    }
}

fn names() -> String {
    let names: Vec<_> = SOLVERS.iter().map(|entry| entry.name).collect();
    let rest = if cfg!(feature = "optimal") { "" } else { "; the feature optimal adds joint" };
    format!("the solvers are {}{rest}", names.join(", "))
}

fn did_you_mean(nearest: &Option<&str>) -> String {
    nearest.map_or(String::new(), |name| format!("did you mean {name}? "))
}

/// The beginning of what was typed: enough to recognise it in an error.
fn shortened(text: &str) -> String {
    text.chars().take(40).collect()
}

/// The name that differs least, if not more than half of its letters do.
fn nearest(typed: &str, known: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let typed: Vec<char> = shortened(typed).to_lowercase().chars().collect();
    let distance = |name: &str| edits(&typed, &name.chars().collect::<Vec<_>>());
    let near = known.map(|name| (distance(name), name));
    let near = near.filter(|&(edits, name)| edits * 2 <= name.len());
    near.min_by_key(|&(edits, _)| edits).map(|(_, name)| name)
}

/// Levenshtein's distance: how many letters to insert, remove or replace.
fn edits(a: &[char], b: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, other) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != other);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
