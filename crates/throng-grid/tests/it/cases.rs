//! Random cases for the searches, with the ground of their movement.

use throng_grid::Ground;
use throng_model::{Cell, Map, MovementProfile};

/// One random case.
pub(crate) struct Case {
    pub(crate) map: Map,
    pub(crate) movement: MovementProfile,
    pub(crate) ground: Ground,
    pub(crate) starts: Vec<Cell>,
    pub(crate) goals: Vec<Cell>,
}

/// The case of a seed. Starts and goals can be anywhere, in walls too.
pub(crate) fn case(seed: u64) -> Case {
    let throng_testkit::Case { map, movement, starts, goals } = throng_testkit::case(seed);
    let ground = Ground::new(&map, movement.clone()).unwrap();
    Case { map, movement, ground, starts, goals }
}
