//! Limits of every size. They are checked at the edge, so that no input can exhaust memory
//! or overflow an integer further in.

/// Widest and highest map, in cells.
pub const MAP_SIDE_MAX: u32 = 4096;
/// Most terrain classes in one map: a class is a `u8`.
pub const TERRAIN_CLASSES_MAX: usize = 255;
/// Most units in one problem.
pub const UNITS_MAX: usize = 100_000;
/// Last tick that a plan may reach.
pub const HORIZON_MAX: u32 = 1 << 20;
/// Most positions in one plan (units times ticks), about 256 MiB of cells.
pub const PLAN_CELLS_MAX: usize = 1 << 26;
/// Widest footprint, in cells per side.
pub const FOOTPRINT_MAX: u8 = 16;
/// Shortest and longest window of WHCA*, in ticks.
pub const WINDOW_TICKS: std::ops::RangeInclusive<u32> = 2..=48;
/// Slowest pace, in ticks per step.
pub const PACE_MAX: u8 = 64;
/// Largest file that the edges read, in bytes.
pub const FILE_BYTES_MAX: u64 = 256 << 20;
