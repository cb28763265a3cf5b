//! The cluster planner: against brute force, on scenes of mixed sizes, and on drawings.

mod drawings;
mod raw;
mod scenes;
