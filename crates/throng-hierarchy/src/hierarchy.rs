//! The abstract graph of one ground, kept up to date with its edits.

use throng_grid::Ground;
use throng_model::{Cell, Change, Rect, Revision};

use crate::cluster::{BuildBuffers, Cluster};
use crate::layout::{ClusteredGround, Layout, SIDE};

/// A ground cut into square clusters, with the transitions between them and the distances
/// inside each: the abstract graph of HPA*.
///
/// A [`HierarchySearch`](crate::HierarchySearch) answers queries over it. Paths are about a
/// quarter of a percent longer than the shortest on average. Where a path exists, one is found.
///
/// The time of an edit is in proportion to the edit. The content depends on the ground as it is
/// now alone: not on the order of edits, nor on earlier queries.
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
/// let path = search.find(&ground, &query, Budget::unlimited())?.found().ok_or("no path")?;
/// assert!(path.cost.in_cells() < 1.01 * 347.9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GridHierarchy {
    pub(crate) layout: Layout,
    pub(crate) clusters: Vec<Cluster>,
    revision: Revision,
    fingerprint: u64,
    buffers: BuildBuffers,
}

impl GridHierarchy {
    /// Builds the hierarchy of a ground.
    #[must_use]
    pub fn new(ground: &Ground) -> Self {
        let view = ClusteredGround::new(ground);
        let mut clusters = vec![Cluster::default(); view.layout.cluster_count()];
        let mut buffers = BuildBuffers::default();
        for (index, cluster) in clusters.iter_mut().enumerate() {
            cluster.update(&view, index as u32, true, &mut buffers);
        }
        let (revision, fingerprint) = (ground.revision(), ground.fingerprint());
        Self { layout: view.layout, clusters, revision, fingerprint, buffers }
    }

    /// Follows an edit of the map that the ground has already followed. If edits were missed,
    /// everything is built again.
    pub fn apply(&mut self, ground: &Ground, change: &Change) {
        if change.before != self.revision || change.after != ground.revision() {
            *self = Self::new(ground);
            return;
        }
        self.update(ground, change.cells.iter().map(|changed| changed.cell));
    }

    /// Follows changes of some cells, by edits of the map or by obstacles on the ground. All
    /// changed cells must be among them.
    pub fn update(&mut self, ground: &Ground, cells: impl IntoIterator<Item = Cell>) {
        let view = ClusteredGround::new(ground);
        if view.layout != self.layout {
            *self = Self::new(ground);
            return;
        }
        let footprint = ground.movement().footprint;
        let positions = cells.into_iter().flat_map(|cell| covering_positions(cell, footprint));
        let mut positions: Vec<Cell> = positions.filter(|&at| ground.index(at).is_some()).collect();
        self.retain_changed(&view, &mut positions);
        for (cluster, inside_changed) in self.clusters_around(&positions) {
            let index = cluster as usize;
            self.clusters[index].update(&view, cluster, inside_changed, &mut self.buffers);
        }
        (self.revision, self.fingerprint) = (ground.revision(), ground.fingerprint());
    }

    /// Drops the positions in clusters whose content is what it was.
    fn retain_changed(&self, view: &ClusteredGround<'_>, positions: &mut Vec<Cell>) {
        let mut changed: Vec<u32> =
            positions.iter().map(|&position| self.layout.cluster_of(position)).collect();
        changed.sort_unstable();
        changed.dedup();
        changed.retain(|&cluster| {
            self.clusters[cluster as usize].content_hash != view.content_hash(cluster)
        });
        positions
            .retain(|&position| changed.binary_search(&self.layout.cluster_of(position)).is_ok());
    }

    /// The clusters that hold one of the positions, and those next to one; with whether they
    /// hold one.
    fn clusters_around(&self, positions: &[Cell]) -> Vec<(u32, bool)> {
        let mut found = Vec::new();
        for &position in positions {
            let own = self.layout.cluster_of(position);
            let (x, y) = (i32::from(position.x), i32::from(position.y));
            let side = SIDE as i32;
            for (dx, dy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))) {
                let (column, row) = ((x + dx).div_euclid(side), (y + dy).div_euclid(side));
                let inside = column >= 0
                    && row >= 0
                    && (column as u32) < self.layout.clusters_wide
                    && (row as u32) < self.layout.clusters_high;
                if inside {
                    let cluster = row as u32 * self.layout.clusters_wide + column as u32;
                    found.push((cluster, cluster != own));
                }
            }
        }
        found.sort_unstable();
        // The entry of a cluster that changed inside sorts before its other entries.
        found.dedup_by_key(|&mut (cluster, _)| cluster);
        found.into_iter().map(|(cluster, beside)| (cluster, !beside)).collect()
    }

    /// Whether it describes this ground as it is now.
    #[must_use]
    pub fn is_current(&self, ground: &Ground) -> bool {
        self.fingerprint == ground.fingerprint()
    }

    /// The clusters: squares of cells, row by row, cut off at the edge of the map.
    pub fn clusters(&self) -> impl Iterator<Item = Rect> {
        (0..self.layout.cluster_count() as u32).map(|cluster| self.layout.rect(cluster))
    }

    /// The transitions: the cell where a path leaves a cluster, and that where it enters the next.
    /// Each is listed once for each direction.
    pub fn transitions(&self) -> impl Iterator<Item = [Cell; 2]> {
        let transitions = self.clusters.iter().flat_map(|cluster| &cluster.transitions);
        transitions.map(|transition| [transition.from.cell(&self.layout), transition.cell])
    }

    /// About how many bytes of memory it holds.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.clusters.iter().map(Cluster::bytes).sum()
    }
}

/// The positions at which a footprint covers a cell.
pub(crate) fn covering_positions(cell: Cell, footprint: u8) -> impl Iterator<Item = Cell> {
    let reach = u16::from(footprint - 1);
    let origin = Cell::new(cell.x.saturating_sub(reach), cell.y.saturating_sub(reach));
    Rect::new(origin, cell.x - origin.x + 1, cell.y - origin.y + 1).cells()
}

/// The same clusters, transitions and distances.
impl PartialEq for GridHierarchy {
    fn eq(&self, other: &Self) -> bool {
        self.fingerprint == other.fingerprint
            && self.layout == other.layout
            && self.clusters == other.clusters
    }
}
