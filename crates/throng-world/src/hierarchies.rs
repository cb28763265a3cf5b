//! Hierarchies of large grounds on which there is no jumping.
//!
//! Where all ground costs the same and diagonals have their length, jump point search finds
//! routes faster than any hierarchy. On terrain of several costs there would be A* only, which
//! takes milliseconds for every order on a large map; there routes are found from cluster to
//! cluster.

use throng_grid::{Ground, Jps};
use throng_hierarchy::GridHierarchy;
use throng_model::Change;
use throng_spacetime::GridSpace;

/// Smaller maps have no hierarchy: A* is soon done there.
const POSITIONS: usize = 1 << 16;

/// The hierarchy of each kind of unit that needs one, made when it is first asked for. It
/// depends on the ground alone, so that it need not be saved.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hierarchies(Vec<Option<GridHierarchy>>);

fn is_needed(ground: &Ground) -> bool {
    (ground.width() * ground.height()) as usize >= POSITIONS && !Jps::supports(ground)
}

impl Hierarchies {
    /// Makes the hierarchy of a kind, if it needs one and has none.
    pub(crate) fn prepare(&mut self, kind: usize, ground: &Ground) {
        if !is_needed(ground) {
            return;
        }
        if self.0.len() <= kind {
            self.0.resize_with(kind + 1, || None);
        }
        self.0[kind].get_or_insert_with(|| GridHierarchy::new(ground));
    }

    /// The hierarchy of a kind that was prepared.
    pub(crate) fn get(&self, kind: usize, ground: &Ground) -> Option<&GridHierarchy> {
        self.0.get(kind)?.as_ref().filter(|_| is_needed(ground))
    }

    /// Takes over an edit of the map.
    pub(crate) fn apply(&mut self, spaces: &[GridSpace], change: &Change) {
        for (hierarchy, space) in self.0.iter_mut().zip(spaces) {
            hierarchy.iter_mut().for_each(|hierarchy| hierarchy.apply(space.ground(), change));
        }
    }
}
