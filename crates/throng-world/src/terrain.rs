//! The map and what is derived from it: one space per movement profile, and its hierarchy.

use throng_hierarchy::LazyHierarchy;
use throng_model::{Cell, Change, Conflicts, Map, MovementProfile, Rect, TerrainClass, TerrainId};
use throng_spacetime::{FootprintRules, GridSpace, PassingRule, Position};

use crate::WorldError;

/// Most movement profiles at once: each has its own view of the whole map.
pub(crate) const PROFILES_MAX: usize = 64;

/// The map as each movement profile sees it. An edit reaches all views by one call.
#[derive(Clone, Debug)]
pub(crate) struct Terrain {
    map: Map,
    /// By profile, all over the same entries.
    pub(crate) spaces: Vec<GridSpace>,
    /// By profile; built when a route first needs it. It depends on the map alone, so that it
    /// need not be saved.
    pub(crate) hierarchies: Vec<LazyHierarchy>,
    rules: FootprintRules,
}

impl Terrain {
    pub(crate) fn new(map: Map, meeting: PassingRule, conflicts: Conflicts) -> Self {
        let rules = FootprintRules { meeting, conflicts, ..FootprintRules::default() };
        Self { map, spaces: Vec::new(), hierarchies: Vec::new(), rules }
    }

    pub(crate) fn map(&self) -> &Map {
        &self.map
    }

    pub(crate) fn add_class(&mut self, class: TerrainClass) -> Result<TerrainId, WorldError> {
        Ok(self.map.add_class(class)?)
    }

    /// The profile of units that move like this, if there is one.
    pub(crate) fn find_profile(&self, movement: &MovementProfile) -> Option<usize> {
        self.spaces.iter().position(|space| space.ground().movement() == movement)
    }

    /// The profile of units that move like this, made if it is new. When all are taken, the
    /// first one that no unit uses is replaced.
    pub(crate) fn profile(
        &mut self,
        movement: &MovementProfile,
        is_used: impl Fn(usize) -> bool,
    ) -> Result<usize, WorldError> {
        if let Some(known) = self.find_profile(movement) {
            return Ok(known);
        }
        let space = GridSpace::new(&self.map, movement.clone(), &self.rules)?;
        if self.spaces.len() < PROFILES_MAX {
            self.spaces.push(space);
            self.hierarchies.push(LazyHierarchy::default());
            return Ok(self.spaces.len() - 1);
        }
        let unused = (0..self.spaces.len()).find(|&profile| !is_used(profile));
        let profile = unused.ok_or(WorldError::TooManyProfiles(PROFILES_MAX))?;
        self.spaces[profile] = space;
        self.hierarchies[profile] = LazyHierarchy::default();
        Ok(profile)
    }

    /// Forgets profiles that were made last, down to this many.
    pub(crate) fn truncate_profiles(&mut self, count: usize) {
        self.spaces.truncate(count);
        self.hierarchies.truncate(count);
    }

    /// Changes the terrain of cells.
    pub(crate) fn paint(&mut self, cells: &[Cell], to: TerrainId) -> Result<Change, WorldError> {
        let change = self.map.paint(cells, to)?;
        self.follow(&change);
        Ok(change)
    }

    /// Changes the terrain of a rectangle.
    pub(crate) fn fill(&mut self, rect: Rect, to: TerrainId) -> Result<Change, WorldError> {
        let change = self.map.fill(rect, to)?;
        self.follow(&change);
        Ok(change)
    }

    fn follow(&mut self, change: &Change) {
        for (space, hierarchy) in self.spaces.iter_mut().zip(&mut self.hierarchies) {
            space.apply(&self.map, change);
            hierarchy.apply(space.ground(), change);
        }
    }

    /// The position at a cell, if the whole body of a unit is on the map there.
    pub(crate) fn position_on_map(&self, profile: usize, cell: Cell) -> Option<Position> {
        let space = &self.spaces[profile];
        let side = u16::from(space.ground().movement().footprint);
        let inside = |at: u16, size: u16| at.checked_add(side).is_some_and(|end| end <= size);
        let fits = inside(cell.x, self.map.width()) && inside(cell.y, self.map.height());
        space.position(cell).filter(|_| fits)
    }
}
