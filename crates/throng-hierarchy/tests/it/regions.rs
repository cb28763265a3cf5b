//! Regions: they cover the ground, are connected, follow the map's rooms and its edits.

mod division;
mod edits;

use throng_grid::Ground;
use throng_hierarchy::Regions;
use throng_model::{Cell, Map, MovementProfile, TerrainId};

/// A map and its regions.
struct Divided {
    map: Map,
    ground: Ground,
    regions: Regions,
}

impl Divided {
    fn new(map: Map, movement: MovementProfile) -> Self {
        let ground = Ground::new(&map, movement).unwrap();
        let regions = Regions::new(&ground);
        Self { map, ground, regions }
    }

    fn set(&mut self, cell: Cell, terrain: TerrainId) {
        let change = self.map.set(cell, terrain).unwrap();
        self.ground.apply(&self.map, &change);
        self.regions.apply(&self.ground, &change);
    }
}
