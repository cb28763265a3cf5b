//! The field of standing units: bodies that keep their place for long.
//!
//! A unit on hold is not part of the map. Routes would lead through it, and units would push
//! against it forever. In this field it is a wall, but only for routes and for the distances around
//! units; map, plans and reservations do not change.
//!
//! Each movement profile has a *view*: a copy of its space with the walls as obstacles. A view is
//! made when a route of the profile first leads through a wall, and then follows every wall that
//! comes or goes, in time that does not depend on the map's size.

use throng_hierarchy::LazyHierarchy;
use throng_model::limits::FOOTPRINT_MAX;
use throng_model::{Cell, Change, Map, Rect, Tick};
use throng_spacetime::{GridSpace, Position};

use crate::cell_set::CellBox;

/// The walls of standing units, and the map with them as each movement profile sees it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Standing {
    /// After how many ticks a unit on hold is a wall.
    pub(crate) patience: u32,
    walls: usize,
    /// By cell of the map, how many walls cover it; empty until there is one.
    cover: Vec<u8>,
    views: Vec<Option<Box<View>>>,
    /// When a wall last left its place.
    pub(crate) opened: Tick,
    /// A box with all cells that changed since the last call of [`follow`](Self::follow).
    changed: CellBox,
}

/// The map with the walls, as one movement profile sees it.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub(crate) space: GridSpace,
    pub(crate) hierarchy: LazyHierarchy,
    /// Cells whose change the hierarchy has not followed.
    pending: Vec<Cell>,
}

impl Standing {
    pub(crate) fn new(patience: u32) -> Self {
        Self { patience, ..Self::default() }
    }

    /// Whether no unit is a wall.
    pub(crate) fn is_empty(&self) -> bool {
        self.walls == 0
    }

    /// A body becomes a wall.
    pub(crate) fn add(&mut self, map: &Map, body: Rect) {
        self.walls += 1;
        self.cover.resize(map.terrain().len(), 0);
        for cell in body.cells() {
            self.change(map, cell, 1);
            self.views.iter_mut().flatten().for_each(|view| view.space.add_obstacle(cell));
        }
    }

    /// A body is a wall no longer.
    pub(crate) fn remove(&mut self, map: &Map, body: Rect, now: Tick) {
        self.walls -= 1;
        self.opened = now;
        for cell in body.cells() {
            self.change(map, cell, -1);
            self.views.iter_mut().flatten().for_each(|view| view.space.remove_obstacle(cell));
        }
    }

    fn change(&mut self, map: &Map, cell: Cell, by: i8) {
        self.changed.add(cell);
        self.views.iter_mut().flatten().for_each(|view| view.pending.push(cell));
        if let Some(count) = map.index(cell).and_then(|index| self.cover.get_mut(index.get())) {
            *count = count.saturating_add_signed(by);
        }
    }

    /// Lets hierarchies follow the walls that came or went, all of a tick at once.
    pub(crate) fn follow(&mut self) {
        self.changed = CellBox::default();
        for view in self.views.iter_mut().flatten().filter(|view| !view.pending.is_empty()) {
            view.hierarchy.update(view.space.ground(), view.pending.drain(..));
        }
    }

    /// Follows an edit of the map.
    pub(crate) fn apply(&mut self, map: &Map, change: &Change) {
        for view in self.views.iter_mut().flatten() {
            view.space.apply(map, change);
            view.hierarchy.apply(view.space.ground(), change);
        }
    }

    /// Drops views of profiles that do not exist any more.
    pub(crate) fn retain_profiles(&mut self, spaces: &[GridSpace]) {
        self.views.truncate(spaces.len());
        for (view, space) in self.views.iter_mut().zip(spaces) {
            let movement = space.ground().movement();
            view.take_if(|view| view.space.ground().movement() != movement);
        }
    }

    /// Makes the view of a profile, if it is missing.
    pub(crate) fn make_view(&mut self, map: &Map, profile: usize, of: &GridSpace) {
        if self.views.len() <= profile {
            self.views.resize_with(profile + 1, || None);
        }
        if self.views[profile].is_some() {
            return;
        }
        let mut space = of.clone();
        for (cell, &count) in map.cells().zip(&self.cover) {
            (0..count).for_each(|_| space.add_obstacle(cell));
            if count > 0 {
                self.changed.add(cell);
            }
        }
        let (hierarchy, pending) = (LazyHierarchy::default(), Vec::new());
        self.views[profile] = Some(Box::new(View { space, hierarchy, pending }));
    }

    /// The profiles with a view, as bits.
    pub(crate) fn viewed_profiles(&self) -> u64 {
        let bit = |(profile, view): (usize, &Option<_>)| u64::from(view.is_some()) << profile;
        self.views.iter().enumerate().map(bit).sum()
    }

    /// The view of a profile, if it has one and there are walls.
    #[inline]
    pub(crate) fn view(&self, profile: usize) -> Option<&View> {
        self.views.get(profile)?.as_deref().filter(|_| self.walls > 0)
    }

    pub(crate) fn view_mut(&mut self, profile: usize) -> Option<&mut View> {
        self.views.get_mut(profile)?.as_deref_mut()
    }

    /// Whether a body of the space would stand on a wall.
    pub(crate) fn is_on_wall(&self, map: &Map, space: &GridSpace, at: Position) -> bool {
        let side = u16::from(space.ground().movement().footprint);
        let covers = |cell: Cell| {
            let count = map.index(cell).and_then(|index| self.cover.get(index.get()));
            count.is_some_and(|&count| count > 0)
        };
        self.walls > 0 && Rect::new(space.cell(at), side, side).cells().any(covers)
    }

    /// A box with all positions to which distances may have changed since
    /// [`follow`](Self::follow) was called.
    pub(crate) fn changed(&self) -> Option<CellBox> {
        let is_changed = self.changed != CellBox::default();
        is_changed.then(|| self.changed.grown(FOOTPRINT_MAX.into(), 1))
    }
}
