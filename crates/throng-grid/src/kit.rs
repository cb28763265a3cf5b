//! The search kit: the data structures that every search of throng is built from.
//!
//! | type | what it is | complexity | ties |
//! |---|---|---|---|
//! | [`BucketQueue`] | open list of buckets of cost | push and pop O(1) | newest first within a bucket |
//! | [`LevelQueue`] | open list, a stack for each distinct priority | pop O(1), push O(levels open) | newest first |
//! | [`Nodes`] | cost and closed mark of every cell | O(1), no clearing | |
//! | [`CostStore`] | the same for searches kept to be resumed, dense or in pages | O(1) | |
//! | [`StampedArray`] | array that forgets all in one step | O(1) | |
//! | [`IndexTable`] | dense numbers for sparse keys | O(1) expected | numbered by first appearance |
//! | [`SparseTable`] | values by sparse keys, with removal | O(1) expected | |
//! | [`pick_mut`] | exclusive references to some elements | O(1) each | |
//! | [`mix`] | hash mixer | | |
//!
//! Two searches keep queues of their own: the hierarchy's bucket list, whose entries are no `u32`,
//! and joint A*'s open list, whose memory is counted against a limit.
//!
//! Public for the other crates of throng; not part of what a user needs. Nothing in it
//! depends on hash order, so that every search gives the same answer on every machine.

mod bit_grid;
mod bucket_queue;
mod cost_store;
mod index_table;
mod level_queue;
mod mix;
mod nodes;
mod pick_mut;
mod sparse_table;
mod stamped_array;

pub(crate) use bit_grid::BitGrid;
pub use bucket_queue::BucketQueue;
pub use cost_store::{CostStore, DenseCosts, PagedCosts};
pub use index_table::IndexTable;
pub use level_queue::LevelQueue;
pub use mix::mix;
pub use nodes::Nodes;
pub use pick_mut::pick_mut;
pub use sparse_table::SparseTable;
pub use stamped_array::StampedArray;
