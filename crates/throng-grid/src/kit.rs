//! The parts that every search is built from: open lists, node stores, bits along lanes.
//!
//! Public for the other crates of throng; not part of what a user needs.

mod bits;
mod ledger;
mod levels;
mod nodes;
mod queue;

pub(crate) use bits::BitGrid;
pub use ledger::{DenseLedger, Ledger, PagedLedger};
pub use levels::Levels;
pub use nodes::Nodes;
pub use queue::BucketQueue;
