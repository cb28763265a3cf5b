//! The hierarchy of one ground, kept up to date with its edits.

use throng_grid::Ground;
use throng_model::{Cell, Change, Revision};

use super::cluster::{Cluster, Workshop};
use super::plane::{Plane, SIDE};

/// A ground cut into square clusters, with the crossings between them and the distances
/// inside each.
///
/// It answers queries through a [`HierarchySearch`](crate::HierarchySearch). Paths are not
/// the shortest, but nearly: about a quarter of a percent longer on average. Where there is a path
/// one is found.
///
/// An edit costs time in proportion to the edit. What the hierarchy holds depends on the
/// ground as it is now and on nothing else: not on the edits that led there, nor on what
/// was asked.
///
/// ```
/// use throng_hierarchy::{GridHierarchy, HierarchyMemory, HierarchySearch};
/// use throng_model::{Budget, Cell, Map, MovementProfile};
/// use throng_grid::{Ground, PathSearch, Query};
/// let mut map = Map::empty(300, 200)?;
/// let mut ground = Ground::new(&map, MovementProfile::eight_connected())?;
/// let mut hierarchy = GridHierarchy::new(&ground);
///
/// let change = map.set(Cell::new(7, 5), Map::WALL)?;
/// ground.apply(&map, &change);
/// hierarchy.apply(&ground, &change);
///
/// let mut memory = HierarchyMemory::default();
/// let mut search = HierarchySearch::new(&hierarchy, &mut memory);
/// let ends = [Cell::new(3, 3), Cell::new(290, 150)];
/// let query = Query::new(&ends[..1], &ends[1..]);
/// let path = search.find(&ground, &query, Budget::unlimited())?.found().ok_or("no way")?;
/// assert!(path.cost.in_cells() < 1.01 * 347.9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GridHierarchy {
    pub(crate) plane: Plane,
    pub(crate) clusters: Vec<Cluster>,
    revision: Revision,
    fingerprint: u64,
    workshop: Workshop,
}

impl GridHierarchy {
    /// Derives the hierarchy of a ground.
    #[must_use]
    pub fn new(ground: &Ground) -> Self {
        let plane = Plane::new(ground);
        let mut clusters = vec![Cluster::default(); plane.cluster_count()];
        let mut workshop = Workshop::default();
        for (index, cluster) in clusters.iter_mut().enumerate() {
            cluster.update(&plane, index as u32, true, &mut workshop);
        }
        let (revision, fingerprint) = (ground.revision(), ground.fingerprint());
        Self { plane, clusters, revision, fingerprint, workshop }
    }

    /// Takes over an edit of the map that the ground has taken over already. If edits were
    /// missed, everything is derived anew.
    pub fn apply(&mut self, ground: &Ground, change: &Change) {
        if change.before != self.revision || change.after != ground.revision() {
            *self = Self::new(ground);
            return;
        }
        self.update(ground, change.cells.iter().map(|changed| changed.cell));
    }

    /// Takes over what has become of some cells since, be it by edits of the map or by
    /// obstacles on the ground. All that have changed must be among them.
    pub fn update(&mut self, ground: &Ground, cells: impl IntoIterator<Item = Cell>) {
        if !self.plane.fits(ground) {
            *self = Self::new(ground);
            return;
        }
        let mut changed = Vec::new();
        for cell in cells {
            self.plane.update(ground, cell, |position| changed.push(position));
        }
        for (cluster, inside_changed) in self.clusters_around(&changed) {
            let index = cluster as usize;
            self.clusters[index].update(&self.plane, cluster, inside_changed, &mut self.workshop);
        }
        (self.revision, self.fingerprint) = (ground.revision(), ground.fingerprint());
    }

    /// The clusters in which the positions lie, and those that touch one of them.
    fn clusters_around(&self, positions: &[Cell]) -> Vec<(u32, bool)> {
        let mut found = Vec::new();
        for position in positions {
            let own = self.plane.cluster_of(*position);
            let (x, y) = (i32::from(position.x), i32::from(position.y));
            let side = SIDE as i32;
            for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
                let (column, row) = ((x + dx).div_euclid(side), (y + dy).div_euclid(side));
                let inside = column >= 0
                    && row >= 0
                    && (column as u32) < self.plane.clusters_wide
                    && (row as u32) < self.plane.clusters_high;
                if inside {
                    let cluster = row as u32 * self.plane.clusters_wide + column as u32;
                    found.push((cluster, cluster != own));
                }
            }
        }
        found.sort_unstable();
        // Of the same cluster, the entry that says that it has changed inside comes first.
        found.dedup_by_key(|&mut (cluster, _)| cluster);
        found.into_iter().map(|(cluster, beside)| (cluster, !beside)).collect()
    }

    /// Whether it shows this ground as it is now.
    #[must_use]
    pub fn is_current(&self, ground: &Ground) -> bool {
        self.fingerprint == ground.fingerprint()
    }

    /// About how much memory it holds.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let cells = (self.plane.width * self.plane.height) as usize;
        cells + self.clusters.iter().map(Cluster::bytes).sum::<usize>()
    }
}

/// The same clusters, crossings and distances.
impl PartialEq for GridHierarchy {
    fn eq(&self, other: &Self) -> bool {
        self.fingerprint == other.fingerprint
            && self.plane == other.plane
            && self.clusters == other.clusters
    }
}
