//! From gates to steps: the best way through each cluster.

use throng_model::Cell;

use super::crossings::Gate;
use super::hierarchy::GridHierarchy;
use super::lanes::{self, FAR, Field};
use super::overlay::{locate, position};
use super::plane::{Plane, STRAIGHT};
use super::tile::{self, CELLS, STRIDE, Tile};

/// Makes steps of a way over gates.
#[derive(Clone, Debug)]
pub(crate) struct Refiner {
    field: Box<Field<u32, 1>>,
    backwards: Vec<usize>,
}

impl Default for Refiner {
    fn default() -> Self {
        Self { field: Box::new([[0]; CELLS]), backwards: Vec::new() }
    }
}

impl Refiner {
    /// Appends the steps from a cell out of its cluster and in at a gate; false if there are
    /// none.
    pub(crate) fn leave(
        &mut self,
        hierarchy: &GridHierarchy,
        from: Cell,
        gate: Gate,
        steps: &mut Vec<Cell>,
    ) -> bool {
        let plane = &hierarchy.plane;
        let (cluster, start) = locate(plane, from);
        let tile = self.flood(plane, cluster, start);
        let exits = &hierarchy.clusters[cluster as usize].exits;
        let doors = exits.iter().filter(|(_, exit)| exit.to == gate).map(|(_, exit)| {
            let (x, y) = exit.from.within();
            (self.field[tile::at(x, y)][0].saturating_add(exit.cost), tile::at(x, y))
        });
        let Some((_, door)) = doors.min().filter(|&(cost, _)| cost != FAR) else { return false };
        self.trace(plane, cluster, &tile, door, steps);
        let (x, y) = position(plane, gate);
        steps.push(Cell::new(x as u16, y as u16));
        true
    }

    /// Appends the steps between two cells of a cluster; false if there are none.
    pub(crate) fn arrive(
        &mut self,
        plane: &Plane,
        from: Cell,
        goal: Cell,
        steps: &mut Vec<Cell>,
    ) -> bool {
        let (cluster, start) = locate(plane, from);
        let (_, end) = locate(plane, goal);
        let tile = self.flood(plane, cluster, start);
        let reached = self.field[end][0] != FAR;
        if reached {
            self.trace(plane, cluster, &tile, end, steps);
        }
        reached
    }

    fn flood(&mut self, plane: &Plane, cluster: u32, start: usize) -> Tile {
        let tile = Tile::new(plane, cluster);
        lanes::fill::<u32, 1, false>(&tile, plane.rules, &[start], &mut self.field);
        tile
    }

    /// Appends the way to a cell from where the flood began, that cell left out.
    fn trace(
        &mut self,
        plane: &Plane,
        cluster: u32,
        tile: &Tile,
        end: usize,
        steps: &mut Vec<Cell>,
    ) {
        self.backwards.clear();
        let mut at = end;
        while self.field[at][0] != 0 {
            self.backwards.push(at);
            let Some(before) = self.before(tile, at, plane.rules.diagonal) else { break };
            at = before;
        }
        let (left, top) = plane.origin(cluster);
        steps.extend(self.backwards.iter().rev().map(|&at| {
            let (x, y) = ((at % STRIDE - 1) as u32, (at / STRIDE - 1) as u32);
            Cell::new((left + x) as u16, (top + y) as u16)
        }));
    }

    /// The cell from which the best way comes to a cell.
    fn before(&self, tile: &Tile, at: usize, diagonal: u32) -> Option<usize> {
        let factor = u32::from(tile.factors[at]);
        let cost = self.field[at][0];
        let fits = |from: usize, base: u32| {
            let known = self.field[from][0];
            known != FAR && known + base * factor == cost
        };
        let legal = tile.diagonals(at);
        let corners = [at - STRIDE - 1, at - STRIDE + 1, at + STRIDE - 1, at + STRIDE + 1];
        let diagonals = corners.into_iter().zip(legal).filter_map(|(from, ok)| ok.then_some(from));
        let straights = [at - STRIDE, at - 1, at + 1, at + STRIDE];
        let mut diagonals = diagonals;
        diagonals
            .find(|&from| fits(from, diagonal))
            .or_else(|| straights.into_iter().find(|&from| fits(from, STRAIGHT)))
    }
}
