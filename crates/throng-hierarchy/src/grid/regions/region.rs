//! One region: its cells, its doors, and the ways between them.

use throng_model::Cell;

use super::Gate;
use super::distances::Distances;
use crate::grid::plane::{DIRECTIONS, Rules, Steps};

/// A cell of a region, and the steps from it that stay inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) cell: Cell,
    pub(super) inside: Steps,
}

/// A step out of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Exit {
    /// The row of the door from which it leads.
    pub(super) row: u16,
    /// Where it leads.
    pub(super) to: Cell,
    pub(super) cost: u32,
    /// Whether it is the only one of its door.
    pub(super) is_alone: bool,
}

/// What is known of a region.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Region {
    /// Its cells, by their numbers.
    pub(super) places: Vec<Place>,
    pub(super) gates: Vec<Gate>,
    pub(super) exits: Vec<Exit>,
    /// Numbers of the cells from which exits lead, in order. A door's place in here is its
    /// row.
    pub(super) doors: Vec<u16>,
    /// From each door (a row) to each door.
    table: Vec<u32>,
    /// For each door (a row) and each cell: the direction back along the best way from it.
    arrows: Vec<u8>,
    /// The node of its first door, counted from the first of its block.
    pub(super) first_node: u32,
}

impl Region {
    pub(super) fn new(places: Vec<Place>) -> Self {
        Self { places, ..Self::default() }
    }

    /// Takes the distances from what the region was before, if they are still the same, or
    /// finds them.
    pub(super) fn find_ways(
        &mut self,
        before: Self,
        distances: &mut Distances,
        rules: Rules,
        number_of: impl Fn(i32, i32) -> u16,
    ) {
        if before.doors == self.doors && before.places == self.places {
            (self.table, self.arrows) = (before.table, before.arrows);
            return;
        }
        distances.take(&self.places, rules, number_of);
        self.arrows.resize(self.doors.len() * self.places.len(), 0);
        for (&door, arrows) in self.doors.iter().zip(self.arrows.chunks_mut(self.places.len())) {
            distances.fill(door, arrows);
            self.table.extend(self.doors.iter().map(|&to| distances.to(to)));
        }
    }

    /// The row of a door.
    #[inline]
    pub(super) fn row(&self, number: u16) -> Option<usize> {
        self.doors.binary_search(&number).ok()
    }

    /// From a door to all of them.
    #[inline]
    pub(super) fn ways(&self, row: usize) -> &[u32] {
        let doors = self.doors.len();
        self.table.get(row * doors..(row + 1) * doors).unwrap_or_default()
    }

    /// The cell of a door.
    pub(super) fn door(&self, row: usize) -> Option<Cell> {
        let &number = self.doors.get(row)?;
        Some(self.places[usize::from(number)].cell)
    }

    /// The direction back to a door along the best way from it.
    #[inline]
    pub(super) fn back(&self, row: usize, number: u16) -> Option<(i32, i32)> {
        let arrow = *self.arrows.get(row * self.places.len() + usize::from(number))?;
        DIRECTIONS.get(usize::from(arrow)).copied()
    }

    pub(super) fn bytes(&self) -> usize {
        self.places.capacity() * size_of::<Place>()
            + self.gates.capacity() * size_of::<Gate>()
            + self.exits.capacity() * size_of::<Exit>()
            + self.doors.capacity() * size_of::<u16>()
            + self.table.capacity() * size_of::<u32>()
            + self.arrows.capacity()
            + size_of::<Self>()
    }
}
