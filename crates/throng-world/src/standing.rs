//! The field of standing units: bodies that keep their place for long.
//!
//! A unit on hold is not part of the map. Routes would lead through it, and units would push
//! against it forever. In this field it is a wall, but only for routes and for the distances around
//! units; map, plans and reservations do not change.
//!
//! Units that stand for long without a hold are no walls, as they make room. They only cost more: see
//! `standing_costs.rs`.
//!
//! Each movement profile has a *view*: a copy of its space with the walls as obstacles. A view is
//! made when a route of the profile first leads through a wall, and then follows every wall that
//! comes or goes, in time that does not depend on the map's size.

use throng_grid::Ground;
use throng_hierarchy::LazyHierarchy;
use throng_model::limits::FOOTPRINT_MAX;
use throng_model::{Cell, Change, Map, Rect, Tick};
use throng_spacetime::{Entry, GridSpace, Position, Space};

use crate::cell_set::CellBox;
use crate::standing_costs::StandingCosts;

/// The walls of standing units, and the map with them as each movement profile sees it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Standing {
    /// After how many ticks a unit on hold is a wall.
    pub(crate) patience: u32,
    walls: usize,
    /// By entry of the reservation table (cells of the map, once for each plane), how many walls
    /// cover it; empty until there is one.
    cover: Vec<u8>,
    views: Vec<Option<Box<View>>>,
    /// What units cost that are no walls.
    pub(crate) costs: StandingCosts,
    /// When a wall last left its place.
    pub(crate) opened: Tick,
    /// A box with all cells that changed since the last call of [`follow`](Self::follow).
    changed: CellBox,
}

/// The map with the walls, as one movement profile sees it.
#[derive(Clone, Debug)]
pub(crate) struct View {
    pub(crate) space: GridSpace,
    plane: u8,
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

    /// A body becomes a wall in some planes.
    pub(crate) fn add(&mut self, map: &Map, body: Rect, planes: &[u8]) {
        self.walls += 1;
        planes.iter().for_each(|&plane| self.cover(map, body, plane));
    }

    /// A body that is a wall is one in this plane too.
    pub(crate) fn cover(&mut self, map: &Map, body: Rect, plane: u8) {
        let entries = map.terrain().len() * (usize::from(plane) + 1);
        self.cover.resize(entries.max(self.cover.len()), 0);
        for cell in body.cells() {
            self.change(map, cell, plane, 1);
            self.views_of(plane).for_each(|view| view.space.add_obstacle(cell));
        }
    }

    fn views_of(&mut self, plane: u8) -> impl Iterator<Item = &mut Box<View>> {
        self.views.iter_mut().flatten().filter(move |view| view.plane == plane)
    }

    /// Forgets the walls of planes from this one on.
    pub(crate) fn truncate_planes(&mut self, planes: usize, map: &Map) {
        self.cover.truncate(map.terrain().len() * planes.max(1));
        self.costs.truncate_planes(planes, map);
        for view in &mut self.views {
            view.take_if(|view| usize::from(view.plane) >= planes);
        }
    }

    /// A body is a wall no longer.
    pub(crate) fn remove(&mut self, map: &Map, body: Rect, planes: &[u8], now: Tick) {
        self.walls -= 1;
        self.opened = now;
        for &plane in planes {
            for cell in body.cells() {
                self.change(map, cell, plane, -1);
                self.views_of(plane).for_each(|view| view.space.remove_obstacle(cell));
            }
        }
    }

    fn change(&mut self, map: &Map, cell: Cell, plane: u8, by: i8) {
        self.changed.add(cell);
        self.costs.note_change(cell, plane);
        self.views_of(plane).for_each(|view| view.pending.push(cell));
        let first = map.terrain().len() * usize::from(plane);
        let index = map.index(cell).map(|index| first + index.get());
        if let Some(count) = index.and_then(|index| self.cover.get_mut(index)) {
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
        self.costs.apply(map, change);
        for view in self.views.iter_mut().flatten() {
            view.space.apply(map, change);
            view.hierarchy.apply(view.space.ground(), change);
        }
    }

    /// Drops views of profiles that do not exist any more.
    pub(crate) fn retain_profiles(&mut self, spaces: &[GridSpace], plane_of: impl Fn(usize) -> u8) {
        self.views.truncate(spaces.len());
        for (profile, (view, space)) in self.views.iter_mut().zip(spaces).enumerate() {
            let (movement, plane) = (space.ground().movement(), plane_of(profile));
            view.take_if(|view| view.plane != plane || view.space.ground().movement() != movement);
        }
    }

    /// Makes the view of a profile, if it is missing.
    pub(crate) fn make_view(&mut self, map: &Map, (profile, plane): (usize, u8), of: &GridSpace) {
        if self.views.len() <= profile {
            self.views.resize_with(profile + 1, || None);
        }
        if self.views[profile].is_some() {
            return;
        }
        let mut space = of.clone();
        let cover = self.cover.iter().skip(map.terrain().len() * usize::from(plane));
        for (cell, &count) in map.cells().zip(cover) {
            (0..count).for_each(|_| space.add_obstacle(cell));
            if count > 0 {
                self.changed.add(cell);
            }
        }
        let (hierarchy, pending) = (LazyHierarchy::default(), Vec::new());
        self.views[profile] = Some(Box::new(View { space, plane, hierarchy, pending }));
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

    /// The ground of a profile on which walls and other standing units are costly.
    pub(crate) fn cost_ground(
        &mut self,
        map: &Map,
        of_profile: (usize, u8),
        space: &GridSpace,
    ) -> &Ground {
        let cover = &self.cover;
        let is_wall = |entry: usize| cover.get(entry).is_some_and(|&count| count > 0);
        self.costs.ground(map, of_profile, space, is_wall)
    }

    /// Whether a body of the space would stand on a wall.
    pub(crate) fn is_on_wall(&self, space: &GridSpace, at: Position) -> bool {
        let is_clear = |entry: Entry| self.cover.get(entry.get()).is_none_or(|&count| count == 0);
        self.walls > 0 && !space.standing(at, is_clear)
    }

    /// A box with all positions to which distances may have changed since
    /// [`follow`](Self::follow) was called.
    pub(crate) fn changed(&self) -> Option<CellBox> {
        let is_changed = self.changed != CellBox::default();
        is_changed.then(|| self.changed.grown(FOOTPRINT_MAX.into(), 1))
    }
}
