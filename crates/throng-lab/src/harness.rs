//! What every experiment is made of.
//!
//! A paper ([`Paper`]) is a list of parts; a part is a function of a [`Study`]. It does three things:
//!
//! 1. **Measure.** [`Study::trials`] runs cases of every seed on several threads. A case is named by
//!    its [`CaseId`] (stage, seed, case), which determines its random numbers. It returns [`Row`]s,
//!    one per method and parameters: outcome, work, processor time, memory, other results by name.
//!    Rows are written as they finish, and a run that is resumed does not run them again. So
//!    what takes long must be in rows, and tables, figures and claims must be made of rows alone.
//! 2. **Report.** [`Study::section`] begins a section of the HTML report with a text: set-up, number
//!    of instances, what the paper has. [`Study::table`], [`Study::figure`] and
//!    [`Study::figure_beside`] add to it.
//! 3. **Judge.** Each figure, table and number of the paper is a constant [`Statement`]: where it
//!    stands, what it says, the paper's value, and a [`Rule`] whose thresholds come from the paper.
//!    [`Study::judge`] takes its value for each seed ([`Rows::by_seed`]) and judges the median; the
//!    row says how many cases it was made of. What cannot be shown is judged without values: `not
//!    tried`, with the reason.
//!
//! ```ignore
//! const FAILS: Statement = Statement::new(
//!     "figure 3",
//!     "with 100 agents 20% fail under LRA*",
//!     "20%",
//!     Rule::about(20.0).or_above(2.0),
//! )
//! .shown("%", 1)
//! .because("why our value differs");
//!
//! fn run(study: &mut Study<'_>) -> Result<(), LabError> {
//!     let per_seed = if study.options().quick { 2 } else { 10 };
//!     let rows = study.trials("crowds", "crowds", per_seed, |id| {
//!         let failed = 14.0;
//!         let row = Row::of("LRA*", "units=100").outcome("86 of 100 arrived");
//!         Ok(vec![row.spent(12_000, 3.5, 0).metric("failed", failed)])
//!     })?;
//!     study.section("Figure 3", "Ten crowds per seed. The paper has ten in all.");
//!     study.judge(&FAILS, &rows.of("LRA*").by_seed(|rows| rows.mean("failed")));
//!     Ok(())
//! }
//! ```
//!
//! Quick and full runs have the same statements; only the number of cases per seed differs. A
//! [`Check`] is different: a statement about throng that must hold (`Study::check`). Papers have
//! claims; checks are for our own comparisons.

pub(crate) mod best_path;
pub(crate) mod case;
mod claim;
pub(crate) mod clock;
mod comparison;
mod error;
pub(crate) mod figure_map;
mod journal;
pub(crate) mod number_grid;
mod paper;
mod parallel;
pub mod report;
mod results;
mod rows;
pub(crate) mod statistics;
mod study;
pub(crate) mod svg_layout;
mod table;
mod values;
mod verdict;

pub(crate) use case::CaseId;
pub use claim::Claim;
pub(crate) use claim::Statement;
pub use comparison::Comparison;
pub use error::LabError;
pub use journal::{Journal, Listener};
pub use paper::Paper;
pub use results::{Block, Check, Experiment, File, Options, Progress, Section, Stage};
pub(crate) use rows::Rows;
pub use rows::{ROW_COLUMNS, Row};
pub(crate) use study::{Study, try_map};
pub(crate) use table::row;
pub use table::{Table, Value};
pub(crate) use values::Values;
pub(crate) use verdict::Rule;
pub use verdict::Verdict;
