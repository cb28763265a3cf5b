//! Zones and gates: the free ground of a map as rectangles, and the openings between them.
//!
//! Lanctot et al. (2006) divide a scene into convex zones that are joined by gates. A grid has no
//! zones of its own: the ground is covered by rectangles, from the top left, each as wide as it can
//! be and then as high.

use throng::grid::Ground;
use throng::model::{Cell, Map, Rect};

/// The part of a border that two zones share, from one corner of a cell to another.
pub(crate) type Gate = [u16; 4];

/// The zones of a map and the gates between them.
pub(crate) struct Zones {
    pub(crate) zones: Vec<Rect>,
    pub(crate) gates: Vec<Gate>,
}

const NONE: u32 = u32::MAX;

impl Zones {
    /// The zones of the cells on which a unit can stand.
    pub(crate) fn new(map: &Map, ground: &Ground) -> Self {
        let mut cover = Cover::new(map, ground);
        let mut zones = Vec::new();
        for cell in map.cells() {
            if cover.is_open(cell) {
                let zone = cover.largest_from(cell);
                cover.fill(zone, zones.len() as u32);
                zones.push(zone);
            }
        }
        let gates = zones.iter().flat_map(|zone| cover.gates_of(*zone)).collect();
        Self { zones, gates }
    }
}

/// Which zone covers each cell.
struct Cover {
    width: u16,
    height: u16,
    is_free: Vec<bool>,
    zone: Vec<u32>,
}

impl Cover {
    fn new(map: &Map, ground: &Ground) -> Self {
        let is_free: Vec<bool> = map.cells().map(|cell| ground.can_stand(cell)).collect();
        let zone = vec![NONE; is_free.len()];
        Self { width: map.width(), height: map.height(), is_free, zone }
    }

    fn index(&self, x: u16, y: u16) -> usize {
        usize::from(y) * usize::from(self.width) + usize::from(x)
    }

    /// Whether a cell is free and in no zone yet.
    fn is_open(&self, cell: Cell) -> bool {
        let index = self.index(cell.x, cell.y);
        self.is_free[index] && self.zone[index] == NONE
    }

    fn largest_from(&self, corner: Cell) -> Rect {
        let is_open = |x: u16, y: u16| self.is_open(Cell::new(x, y));
        let right = (corner.x..self.width).find(|&x| !is_open(x, corner.y)).unwrap_or(self.width);
        let is_row_open = |y: u16| (corner.x..right).all(|x| is_open(x, y));
        let bottom = (corner.y..self.height).find(|&y| !is_row_open(y)).unwrap_or(self.height);
        Rect::new(corner, right - corner.x, bottom - corner.y)
    }

    fn fill(&mut self, zone: Rect, number: u32) {
        for cell in zone.cells() {
            let index = self.index(cell.x, cell.y);
            self.zone[index] = number;
        }
    }

    /// The gates at the right and the lower side of a zone.
    fn gates_of(&self, zone: Rect) -> Vec<Gate> {
        let Rect { origin: Cell { x, y }, width, height } = zone;
        let (right, bottom) = (x + width, y + height);
        let mut gates = Vec::new();
        if right < self.width {
            let along = (y..bottom).map(|y| self.zone[self.index(right, y)]);
            gates.extend(stretches(along).map(|(from, to)| [right, y + from, right, y + to]));
        }
        if bottom < self.height {
            let along = (x..right).map(|x| self.zone[self.index(x, bottom)]);
            gates.extend(stretches(along).map(|(from, to)| [x + from, bottom, x + to, bottom]));
        }
        gates
    }
}

/// The stretches of equal numbers, as first and after the last; not those of [`NONE`].
fn stretches(numbers: impl Iterator<Item = u32>) -> impl Iterator<Item = (u16, u16)> {
    let numbers: Vec<u32> = numbers.collect();
    let mut at = 0;
    let stretches: Vec<(u32, u16, u16)> = numbers
        .chunk_by(|a, b| a == b)
        .map(|stretch| {
            let from = at;
            at += stretch.len() as u16;
            (stretch[0], from, at)
        })
        .collect();
    stretches.into_iter().filter(|stretch| stretch.0 != NONE).map(|(_, from, to)| (from, to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng::model::MovementProfile;

    /// Zones as letters, and the gates.
    fn check(rows: &[&str], zones: &[&str], gates: &[Gate]) {
        let (width, height) = (rows[0].len() as u16, rows.len() as u16);
        let mut map = Map::empty(width.into(), height.into()).unwrap();
        let of = |row: usize, wanted: u8| {
            let places = rows[row].bytes().enumerate().filter(move |place| place.1 == wanted);
            places.map(move |(column, _)| Cell::new(column as u16, row as u16))
        };
        let walls: Vec<Cell> = (0..rows.len()).flat_map(|row| of(row, b'@')).collect();
        map.paint(&walls, Map::WALL).unwrap();
        let ground = Ground::new(&map, MovementProfile::four_connected()).unwrap();
        let found = Zones::new(&map, &ground);
        let letter = |cell: Cell| {
            let zone = found.zones.iter().position(|zone| zone.cells().any(|it| it == cell));
            zone.map_or('@', |zone| char::from(b'a' + zone as u8))
        };
        let line = |y: u16| -> String { (0..width).map(|x| letter(Cell::new(x, y))).collect() };
        assert_eq!((0..height).map(line).collect::<Vec<_>>(), zones);
        assert_eq!(found.gates, gates);
    }

    #[test]
    fn rooms_are_zones_and_doors_join_them() {
        check(
            &["..@..", ".....", "..@.."],
            &["aa@bb", "aacbb", "aa@bb"],
            &[[2, 1, 2, 2], [3, 1, 3, 2]],
        );
        check(&["...", "..@"], &["aaa", "bb@"], &[[0, 1, 2, 1]]);
        check(&["@@", "@@"], &["@@", "@@"], &[]);
    }
}
