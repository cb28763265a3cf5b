//! What every experiment is made of: a paper with its parts, cases on several threads, tables,
//! figures and claims.

pub(crate) mod best_path;
pub(crate) mod case;
pub(crate) mod clock;
mod error;
pub(crate) mod figure_map;
mod finding;
mod paper;
mod parallel;
mod results;
pub(crate) mod statistics;
mod study;
pub(crate) mod svg_layout;
mod table;

pub(crate) use case::CaseId;
pub use error::LabError;
pub use finding::{Finding, Verdict};
pub use paper::Paper;
pub use results::{Claim, Experiment, File, Options, Progress};
pub(crate) use study::{Study, try_map};
pub(crate) use table::row;
pub use table::{Table, Value};
