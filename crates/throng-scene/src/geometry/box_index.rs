//! Finds the polygons of a level near a box: an R*-tree of their bounding boxes.

use std::ops::ControlFlow;

use rstar::{AABB, RTree, RTreeObject};

use crate::{Bounds, Point};

/// The boxes of one level's polygons, each with a slot number.
#[derive(Clone, Debug, Default)]
pub(crate) struct BoxIndex {
    tree: RTree<IndexedBox>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct IndexedBox {
    pub(crate) bounds: Bounds,
    pub(crate) slot: u32,
}

impl RTreeObject for IndexedBox {
    type Envelope = AABB<[f64; 2]>;

    fn envelope(&self) -> Self::Envelope {
        envelope(self.bounds)
    }
}

fn envelope(bounds: Bounds) -> AABB<[f64; 2]> {
    AABB::from_corners(bounds.min.into(), bounds.max.into())
}

impl BoxIndex {
    pub(crate) fn new(entries: Vec<IndexedBox>) -> Self {
        Self { tree: RTree::bulk_load(entries) }
    }

    pub(crate) fn insert(&mut self, entry: IndexedBox) {
        self.tree.insert(entry);
    }

    pub(crate) fn remove(&mut self, entry: &IndexedBox) {
        self.tree.remove(entry);
    }

    /// The slots whose box touches the given one, in no stated order: the tree's shape depends on
    /// earlier edits.
    pub(crate) fn touching(&self, bounds: Bounds) -> impl Iterator<Item = u32> {
        self.tree.locate_in_envelope_intersecting(envelope(bounds)).map(|entry| entry.slot)
    }

    /// Whether `wanted` is true for any slot whose box touches the given one.
    pub(crate) fn any(&self, bounds: Bounds, mut wanted: impl FnMut(u32) -> bool) -> bool {
        let visit = |entry: &IndexedBox| match wanted(entry.slot) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        self.tree.locate_in_envelope_intersecting_int(envelope(bounds), visit).is_break()
    }

    /// Calls `visit` with every slot whose box contains a point, in no stated order.
    pub(crate) fn visit_at(&self, point: Point, mut visit: impl FnMut(u32)) {
        self.any(Bounds { min: point, max: point }, |slot| {
            visit(slot);
            false
        });
    }
}
