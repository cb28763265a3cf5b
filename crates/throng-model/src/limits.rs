//! The limits of all sizes.
//!
//! They are checked where input enters, so that no input can exhaust memory or overflow an
//! integer later.

/// The largest width and height of a map, in cells.
pub const MAP_SIDE_MAX: u32 = 4096;
/// The most terrain classes of one map: their index is a `u8`.
pub const TERRAIN_CLASSES_MAX: usize = 255;
/// The most units in one problem.
pub const UNITS_MAX: usize = 100_000;
/// The last tick that a plan may reach.
pub const HORIZON_MAX: u32 = 1 << 20;
/// The most positions in one plan (units times ticks): 256 MiB of cells.
pub const PLAN_CELLS_MAX: usize = 1 << 26;
/// The largest footprint, in cells per side.
pub const FOOTPRINT_MAX: u8 = 16;
/// The lengths that a window of WHCA* may have, in ticks.
pub const WINDOW_TICKS: std::ops::RangeInclusive<u32> = 2..=48;
/// The slowest pace, in ticks per step.
pub const PACE_MAX: u8 = 64;
/// The ticks of the slowest step: diagonal, or onto terrain that slows.
pub const STEP_TICKS_MAX: u32 = 128;
/// The largest file that the command line reads, in bytes.
pub const FILE_BYTES_MAX: u64 = 256 << 20;
