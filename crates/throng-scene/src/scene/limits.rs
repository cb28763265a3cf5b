//! How large anything in a scene may be. A file beyond a limit is refused, not tried.

/// Longest side of a scene, in units.
pub const SIDE_MAX: f64 = 10_000.0;
/// Largest coordinate a polygon may have, in units.
pub const COORDINATE_MAX: f64 = SIDE_MAX;
/// Most levels.
pub const LEVELS_MAX: u8 = 32;
/// Most corners of one polygon.
pub const CORNERS_MAX: usize = 1024;
/// Most corners of all polygons of a scene.
pub const CORNERS_TOTAL_MAX: usize = 200_000;
/// Most obstacles.
pub const OBSTACLES_MAX: usize = 50_000;
/// Most zones.
pub const ZONES_MAX: usize = 10_000;
/// Most gates.
pub const GATES_MAX: usize = 40_000;
/// Most items, and most players.
pub const BODIES_MAX: usize = 100_000;
/// Longest name, in bytes.
pub const NAME_BYTES_MAX: usize = 100;
/// Longest file, in bytes.
pub const FILE_BYTES_MAX: usize = 64 << 20;
/// Most pairs of edges that are compared to find out how the zones lie to each other.
pub const EDGE_PAIRS_MAX: usize = 50_000_000;
/// Largest radius of a body, in units.
pub const RADIUS_MAX: f64 = 100.0;
/// Most mistakes that are reported at once.
pub const ERRORS_MAX: usize = 32;
