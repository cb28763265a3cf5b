//! All placements of a few units on a small map, and which of them can be reached from each
//! other: brute force that shares nothing with the planner.
//!
//! A joint move can be made backwards too. So the placements fall into components, and an
//! instance is solvable when its starts and goals are in the same one.

use throng_model::{Cell, Map, MovementProfile};
use throng_testkit::oracle;

pub(crate) struct Placements {
    free: Vec<Cell>,
    units: usize,
    /// Component of each placement; 0 for what is none.
    labels: Vec<u32>,
    /// For each free cell the cells one tick away, itself included.
    steps: Vec<Vec<usize>>,
}

impl Placements {
    pub(crate) fn new(map: &Map, movement: &MovementProfile, units: usize) -> Self {
        let free: Vec<Cell> = map.cells().filter(|&cell| map.is_passable(cell)).collect();
        let number = |cell: Cell| free.iter().position(|&other| other == cell).unwrap();
        let steps = free.iter().map(|&cell| {
            let onward = oracle::steps(map, movement, cell).into_iter().map(|(to, _)| number(to));
            onward.chain([number(cell)]).collect()
        });
        let steps = steps.collect();
        let labels = vec![0; free.len().pow(units as u32)];
        let mut placements = Self { free, units, labels, steps };
        placements.label();
        placements
    }

    /// Every placement of distinguishable units.
    pub(crate) fn all(&self) -> Vec<Vec<Cell>> {
        let indices = (0..self.labels.len()).map(|index| self.cells_of(index));
        let placed = indices.filter(|cells| is_placement(cells));
        placed.map(|cells| cells.into_iter().map(|cell| self.free[cell]).collect()).collect()
    }

    pub(crate) fn is_solvable(&self, starts: &[Cell], goals: &[Cell]) -> bool {
        self.label_of(starts) == self.label_of(goals)
    }

    fn label_of(&self, cells: &[Cell]) -> u32 {
        let number = |cell: &Cell| self.free.iter().position(|other| other == cell).unwrap();
        self.labels[self.index(&cells.iter().map(number).collect::<Vec<_>>())]
    }

    fn index(&self, cells: &[usize]) -> usize {
        cells.iter().fold(0, |index, cell| index * self.free.len() + cell)
    }

    fn cells_of(&self, mut index: usize) -> Vec<usize> {
        let mut cells = vec![0; self.units];
        for cell in cells.iter_mut().rev() {
            *cell = index % self.free.len();
            index /= self.free.len();
        }
        cells
    }

    fn label(&mut self) {
        let mut label = 0;
        for first in 0..self.labels.len() {
            if self.labels[first] != 0 || !is_placement(&self.cells_of(first)) {
                continue;
            }
            label += 1;
            self.labels[first] = label;
            let mut open = vec![first];
            while let Some(at) = open.pop() {
                let from = self.cells_of(at);
                self.spread(&from, &mut Vec::new(), label, &mut open);
            }
        }
    }

    /// Labels all placements one tick away.
    fn spread(&mut self, from: &[usize], to: &mut Vec<usize>, label: u32, open: &mut Vec<usize>) {
        let Some(&at) = from.get(to.len()) else {
            let index = self.index(to);
            if self.labels[index] == 0 {
                self.labels[index] = label;
                open.push(index);
            }
            return;
        };
        for step in self.steps[at].clone() {
            let meets = |other: usize| {
                to[other] == step || self.middle(from[other], to[other]) == self.middle(at, step)
            };
            if !(0..to.len()).any(meets) {
                to.push(step);
                self.spread(from, to, label, open);
                to.pop();
            }
        }
    }

    /// Two units with one middle exchange places or cross.
    fn middle(&self, from: usize, to: usize) -> (u16, u16) {
        let (from, to) = (self.free[from], self.free[to]);
        (from.x + to.x, from.y + to.y)
    }
}

fn is_placement(cells: &[usize]) -> bool {
    (0..cells.len()).all(|unit| !cells[..unit].contains(&cells[unit]))
}

/// The maps of this size, one of every kind that turns and reflections make equal.
pub(crate) fn maps(width: u32, height: u32) -> Vec<Map> {
    let turns = turns(width, height);
    let is_first = |mask: &u32| turns.iter().all(|turn| image(*mask, turn) >= *mask);
    let masks = (0..1_u32 << (width * height)).filter(is_first);
    masks.map(|mask| walled(width, height, mask)).collect()
}

fn walled(width: u32, height: u32, mask: u32) -> Map {
    let mut map = Map::empty(width, height).unwrap();
    let cells: Vec<Cell> = map.cells().collect();
    let walls: Vec<Cell> =
        cells.iter().enumerate().filter(|(n, _)| mask >> n & 1 == 1).map(|(_, &c)| c).collect();
    map.paint(&walls, Map::WALL).unwrap();
    map
}

fn image(mask: u32, turn: &[u32]) -> u32 {
    turn.iter().enumerate().fold(0, |turned, (from, to)| turned | (mask >> from & 1) << to)
}

/// Where each cell comes to by the turns and reflections that keep a map's sides.
fn turns(width: u32, height: u32) -> Vec<Vec<u32>> {
    let kinds = (0..8).filter(|kind| kind & 4 == 0 || width == height);
    let turned = |kind: u32, cell: u32| {
        let (x, y) = (cell % width, cell / width);
        let x = if kind & 1 == 0 { x } else { width - 1 - x };
        let y = if kind & 2 == 0 { y } else { height - 1 - y };
        if kind & 4 == 0 { y * width + x } else { x * width + y }
    };
    kinds.map(|kind| (0..width * height).map(|cell| turned(kind, cell)).collect()).collect()
}
