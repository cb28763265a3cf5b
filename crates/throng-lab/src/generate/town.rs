//! A town: terrain of every kind.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use throng_model::{Factor, FactorError, Map, TerrainClass, TerrainId};

use super::GenerateError;
use super::components::Components;
use super::grid::rng;

/// Shortest side of a town.
pub const TOWN_SIDE_MIN: u32 = 16;

const ROAD: TerrainId = TerrainId(0);
const GRASS: TerrainId = TerrainId(1);
const FOREST: TerrainId = TerrainId(2);
const SWAMP: TerrainId = TerrainId(3);
const WATER: TerrainId = TerrainId(4);
const BRIDGE: TerrainId = TerrainId(5);
const WALL: TerrainId = TerrainId(6);
const FLOOR: TerrainId = TerrainId(7);
const DOOR: TerrainId = TerrainId(8);

fn classes() -> Result<Vec<TerrainClass>, FactorError> {
    Ok(vec![
        TerrainClass::passable("road", '.', Factor::ONE),
        TerrainClass::passable("grass", 'G', Factor::new(2)?),
        TerrainClass::passable("forest", 'F', Factor::new(3)?),
        TerrainClass::passable("swamp", 'S', Factor::new(4)?),
        TerrainClass::blocked("water", 'W'),
        TerrainClass::passable("bridge", '=', Factor::ONE),
        TerrainClass::blocked("wall", '@'),
        TerrainClass::passable("floor", ':', Factor::ONE),
        TerrainClass::passable("door", '+', Factor::ONE),
    ])
}

/// A town with rivers and bridges, roads (factor 1), grass (2), forest (3), swamp (4), and
/// houses with walls and doors along the roads.
///
/// # Errors
/// When a side is out of bounds or below [`TOWN_SIDE_MIN`].
pub fn town(width: u32, height: u32, seed: u64) -> Result<Map, GenerateError> {
    let (map_width, map_height) = Map::checked_size(u64::from(width), u64::from(height))?;
    if width.min(height) < TOWN_SIDE_MIN {
        let least = TOWN_SIDE_MIN;
        return Err(GenerateError::TooSmall { what: "a town", width, height, least });
    }
    let cells = vec![GRASS; usize::from(map_width) * usize::from(map_height)];
    let (w, h) = (i32::from(map_width), i32::from(map_height));
    let mut site = Site { width: w, height: h, cells, rng: rng(seed) };
    site.patches();
    site.rivers();
    site.streets();
    site.houses();
    site.wall_up_what_is_cut_off();
    Ok(Map::new(map_width, map_height, classes()?, site.cells)?)
}

/// A rectangle of cells: left, top, width, height.
type Plot = (i32, i32, i32, i32);

/// A town under construction.
struct Site {
    width: i32,
    height: i32,
    cells: Vec<TerrainId>,
    rng: Pcg64Mcg,
}

impl Site {
    fn index(&self, x: i32, y: i32) -> Option<usize> {
        let inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        if inside { usize::try_from(y * self.width + x).ok() } else { None }
    }

    fn at(&self, x: i32, y: i32) -> Option<TerrainId> {
        self.index(x, y).map(|index| self.cells[index])
    }

    fn put(&mut self, x: i32, y: i32, terrain: TerrainId) {
        if let Some(index) = self.index(x, y) {
            self.cells[index] = terrain;
        }
    }

    fn between(&mut self, least: i32, largest: i32) -> i32 {
        self.rng.random_range(least..=largest.max(least))
    }

    fn area(&self) -> i32 {
        self.width * self.height
    }

    fn patches(&mut self) {
        for _ in 0..self.area() / 500 + 2 {
            let terrain = if self.between(0, 3) == 0 { SWAMP } else { FOREST };
            let (x, y) = (self.between(0, self.width - 1), self.between(0, self.height - 1));
            self.patch(x, y, terrain);
        }
    }

    /// An ellipse with ragged edges, on grass.
    fn patch(&mut self, x: i32, y: i32, terrain: TerrainId) {
        let (rx, ry) = (self.between(2, 9), self.between(2, 7));
        for dy in -ry..=ry {
            for dx in -rx..=rx {
                let reach = dx * dx * ry * ry + dy * dy * rx * rx;
                let ragged = self.between(60, 120);
                let inside = reach * 100 <= rx * rx * ry * ry * ragged;
                if inside && self.at(x + dx, y + dy) == Some(GRASS) {
                    self.put(x + dx, y + dy, terrain);
                }
            }
        }
    }

    /// One river per stretch of a fixed number of columns.
    fn rivers(&mut self) {
        const STRETCH: i32 = 192;
        let count = (self.width / STRETCH).max(1);
        for river in 0..count {
            self.river(self.width * river / count, self.width * (river + 1) / count);
        }
    }

    /// Winds from top to bottom between two columns. It moves less than a cell per row, so that
    /// the land on each side stays connected.
    fn river(&mut self, from: i32, to: i32) {
        const PARTS: i32 = 16;
        let (left, right) = ((from + 4) * PARTS, (to - 5) * PARTS);
        let mut x = self.between((left * 2 + right) / 3, (left + right * 2) / 3);
        let (mut slope, mut breadth) = (0, 3);
        for y in 0..self.height {
            slope = (slope + self.between(-3, 3)).clamp(-11, 11);
            x = (x + slope).clamp(left, right);
            if x == left || x == right {
                slope = 0;
            }
            if self.between(0, 7) == 0 {
                breadth = self.between(3, 5);
            }
            let first = x / PARTS - breadth / 2;
            (first..first + breadth).for_each(|x| self.put(x, y, WATER));
            if self.between(0, 35) == 0 {
                let side = if self.between(0, 1) == 0 { -5 } else { 5 };
                self.patch(x / PARTS + side, y, SWAMP);
            }
        }
    }

    /// Roads across, two cells wide, with bridges; lanes down, one cell wide, without.
    fn streets(&mut self) {
        let mut rows = vec![self.between(5, (self.height - 6).min(14))];
        while let Some(&last) = rows.last()
            && last + 32 < self.height
        {
            rows.push(last + self.between(16, 26));
        }
        let sure = self.between(0, rows.len() as i32 - 1);
        for (number, &y) in (0..).zip(&rows) {
            let crosses = number == sure || self.between(0, 4) < 3;
            (0..self.width).for_each(|x| {
                self.pave(x, y, crosses);
                self.pave(x, y + 1, crosses);
            });
        }
        let mut x = self.between(4, 14);
        while x < self.width - 3 {
            (0..self.height).for_each(|y| self.pave(x, y, false));
            x += self.between(17, 30);
        }
    }

    fn pave(&mut self, x: i32, y: i32, crosses: bool) {
        match self.at(x, y) {
            Some(WATER) if crosses => self.put(x, y, BRIDGE),
            Some(WATER | BRIDGE) | None => {}
            Some(_) => self.put(x, y, ROAD),
        }
    }

    fn houses(&mut self) {
        for _ in 0..self.area() / 20 {
            let (width, height) = (self.between(4, 8), self.between(4, 7));
            let left = self.between(1, self.width - width - 1);
            let top = self.between(1, self.height - height - 1);
            self.house((left, top, width, height));
        }
    }

    /// Builds a house, if the ground is free and a road is near its door.
    fn house(&mut self, plot: Plot) {
        let (left, top, width, height) = plot;
        let around = (left - 1, top - 1, width + 2, height + 2);
        let clear = cells_of(around).all(|(x, y)| matches!(self.at(x, y), Some(GRASS | FOREST)));
        if !clear {
            return;
        }
        let (door, outward) = self.door(plot);
        let Some(way) = self.way_to_road(door, outward) else { return };
        cells_of(plot).for_each(|(x, y)| self.put(x, y, WALL));
        let inside = (left + 1, top + 1, width - 2, height - 2);
        cells_of(inside).for_each(|(x, y)| self.put(x, y, FLOOR));
        self.put(door.0, door.1, DOOR);
        (1..=way).for_each(|step| {
            self.put(door.0 + outward.0 * step, door.1 + outward.1 * step, ROAD);
        });
    }

    /// A cell in the wall, not in a corner, and the direction out.
    fn door(&mut self, (left, top, width, height): Plot) -> ((i32, i32), (i32, i32)) {
        let x = left + self.between(1, width - 2);
        let y = top + self.between(1, height - 2);
        match self.between(0, 3) {
            0 => ((x, top), (0, -1)),
            1 => ((x, top + height - 1), (0, 1)),
            2 => ((left, y), (-1, 0)),
            _ => ((left + width - 1, y), (1, 0)),
        }
    }

    /// The number of garden cells between the door and a road straight ahead.
    fn way_to_road(&self, door: (i32, i32), outward: (i32, i32)) -> Option<i32> {
        const FURTHEST: i32 = 6;
        let ahead = |step: i32| self.at(door.0 + outward.0 * step, door.1 + outward.1 * step);
        let end = (1..=FURTHEST).find(|&step| !matches!(ahead(step), Some(GRASS | FOREST)))?;
        (ahead(end) == Some(ROAD)).then_some(end - 1)
    }

    fn wall_up_what_is_cut_off(&mut self) {
        let free: Vec<bool> = self.cells.iter().map(|&t| t != WATER && t != WALL).collect();
        let width = usize::try_from(self.width).unwrap_or(1);
        let components = Components::new(width, &free);
        let largest = components.largest();
        for ((cell, free), &label) in self.cells.iter_mut().zip(free).zip(&components.labels) {
            if free && Some(label) != largest {
                *cell = WALL;
            }
        }
    }
}

fn cells_of((left, top, width, height): Plot) -> impl Iterator<Item = (i32, i32)> {
    (top..top + height).flat_map(move |y| (left..left + width).map(move |x| (x, y)))
}
