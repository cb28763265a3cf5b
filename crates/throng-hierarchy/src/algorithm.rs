//! The one rule that chooses a search for a path query.

use throng_grid::{Answer, Ground, Jps, Path, Query};
use throng_model::Weight;

/// Positions from which on a map is large: A* takes milliseconds there on weighted terrain.
const LARGE_MAP_POSITIONS: u64 = 1 << 16;

/// Which search answers a path query.
///
/// `Auto` and `Exact` are rules that choose one of the others. The choice depends on the map's
/// content and on the query alone, never on earlier queries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Algorithm {
    /// The fastest search for this map and query.
    ///
    /// - A* if the query has a [`Weight`] above [`Weight::ONE`]: only A* uses it.
    /// - Jump point search where all ground costs the same and diagonal steps have their true
    ///   length, unless the query asks for the nearest cell; then A*.
    /// - Elsewhere the hierarchy if the map has 2^16 positions or more.
    /// - A* otherwise.
    ///
    /// Paths over the hierarchy are about a quarter of a percent longer than the shortest on
    /// average; all other paths are shortest.
    #[default]
    Auto,
    /// The fastest search that finds shortest paths: as `Auto`, but A* instead of the hierarchy.
    Exact,
    /// A*: always possible.
    AStar,
    /// Jump point search; queries that it cannot answer are refused.
    Jps,
    /// The hierarchy of clusters ([`HierarchySearch`](crate::HierarchySearch)): always possible.
    Hierarchy,
    /// A* that ends at the first stop node it discovers ([`throng_grid::FirstDiscovered`]): as Xu
    /// and Zou print it. Its paths may be longer than the shortest.
    FirstDiscovered,
}

impl Algorithm {
    /// The search that answers this query: never `Auto` or `Exact`.
    #[must_use]
    pub fn choose(self, ground: &Ground, query: &Query<'_>) -> Self {
        let is_exact = match self {
            Self::Auto => false,
            Self::Exact => true,
            chosen => return chosen,
        };
        let jumps = Jps::supports(ground);
        if query.weight > Weight::ONE || jumps && query.nearest_if_unreachable {
            Self::AStar
        } else if jumps {
            Self::Jps
        } else if !is_exact && is_large(ground) {
            Self::Hierarchy
        } else {
            Self::AStar
        }
    }

    /// The name, as the command line spells it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Exact => "exact",
            Self::AStar => "astar",
            Self::Jps => "jps",
            Self::Hierarchy => "hierarchy",
            Self::FirstDiscovered => "first-discovered",
        }
    }
}

fn is_large(ground: &Ground) -> bool {
    u64::from(ground.width()) * u64::from(ground.height()) >= LARGE_MAP_POSITIONS
}

/// The answer to a path query, and how it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathAnswer {
    /// The path, or why there is none.
    pub answer: Answer,
    /// The search that answered: never `Auto` or `Exact`.
    pub algorithm: Algorithm,
    /// Nodes expanded.
    pub expanded: u64,
}

impl PathAnswer {
    /// The complete path, if there is one.
    #[must_use]
    pub fn found(self) -> Option<Path> {
        self.answer.found()
    }
}

#[cfg(test)]
mod tests {
    use throng_model::{Cell, Factor, Map, MovementProfile, TerrainClass};

    use super::*;

    fn ground(width: u16, height: u16, is_weighted: bool) -> Ground {
        let mut map = Map::empty(width.into(), height.into()).unwrap();
        let mud = TerrainClass::passable("mud", 'm', Factor::new(3).unwrap());
        let mud = map.add_class(mud).unwrap();
        if is_weighted {
            map.set(Cell::new(1, 1), mud).unwrap();
        }
        Ground::new(&map, MovementProfile::eight_connected()).unwrap()
    }

    #[test]
    fn auto_chooses_by_map_and_query() {
        let ends = [Cell::new(0, 0)];
        let query = Query::new(&ends, &ends);
        let weighted = query.with_weight(Weight::from_permille(1_500).unwrap());
        let auto = |ground: &Ground, query: &Query<'_>| Algorithm::Auto.choose(ground, query);
        let (small, large) = (ground(255, 257, true), ground(256, 256, true));
        let plain = ground(256, 256, false);
        assert_eq!(auto(&small, &query), Algorithm::AStar);
        assert_eq!(auto(&large, &query), Algorithm::Hierarchy);
        assert_eq!(auto(&large, &query.or_nearest()), Algorithm::Hierarchy);
        assert_eq!(auto(&large, &weighted), Algorithm::AStar);
        assert_eq!(auto(&plain, &query), Algorithm::Jps);
        assert_eq!(auto(&plain, &query.or_nearest()), Algorithm::AStar);
        assert_eq!(auto(&plain, &weighted), Algorithm::AStar);
        assert_eq!(Algorithm::Exact.choose(&large, &query), Algorithm::AStar);
        assert_eq!(Algorithm::Exact.choose(&plain, &query), Algorithm::Jps);
        assert_eq!(Algorithm::Jps.choose(&large, &query), Algorithm::Jps);
    }
}
