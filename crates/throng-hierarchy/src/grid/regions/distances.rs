//! Distances inside of one region: Dijkstra's search over buckets (Dial 1969).

use super::block::NONE;
use super::region::Place;
use crate::grid::plane::{DIRECTIONS, Rules};

/// Not reached.
const FAR: u32 = u32::MAX;
/// Where the search began: there is no way back from there.
pub(super) const NO_ARROW: u8 = u8::MAX;

/// Memory that is used again for region after region.
#[derive(Clone, Debug, Default)]
pub(super) struct Distances {
    /// What each direction costs at factor 1.
    bases: [u32; 8],
    factors: Vec<u32>,
    /// The number of the cell to which each direction leads, if it stays inside.
    beside: Vec<[u16; 8]>,
    costs: Vec<u32>,
    /// Cells by cost, modulo their count, which is a power of two above any step's cost.
    buckets: Vec<Vec<u16>>,
}

impl Distances {
    /// Gets ready for a region. `number_of` tells the number of a cell of it.
    pub(super) fn take(
        &mut self,
        places: &[Place],
        rules: Rules,
        number_of: impl Fn(i32, i32) -> u16,
    ) {
        self.bases = rules.bases();
        self.factors.clear();
        self.factors.extend(places.iter().map(|place| u32::from(place.inside.factor)));
        self.beside.clear();
        self.beside.extend(places.iter().map(|place| {
            let (x, y) = (i32::from(place.cell.x), i32::from(place.cell.y));
            std::array::from_fn(|direction| {
                let (dx, dy) = DIRECTIONS[direction];
                let inside = place.inside.legal >> direction & 1 != 0;
                if inside { number_of(x + dx, y + dy) } else { NONE }
            })
        }));
        let dearest = self.factors.iter().max().unwrap_or(&1) * self.bases[0].max(self.bases[7]);
        self.buckets.resize((dearest + 1).next_power_of_two() as usize, Vec::new());
    }

    /// Finds the distances from a cell to all others, and for each the direction back.
    pub(super) fn fill(&mut self, from: u16, arrows: &mut [u8]) {
        self.costs.clear();
        self.costs.resize(self.factors.len(), FAR);
        self.costs[usize::from(from)] = 0;
        arrows.fill(NO_ARROW);
        self.buckets[0].push(from);
        let (mut cost, mut waiting) = (0_u32, 1);
        let mask = self.buckets.len() - 1;
        while waiting > 0 {
            while let Some(number) = self.buckets[cost as usize & mask].pop() {
                waiting -= 1;
                if self.costs[usize::from(number)] == cost {
                    waiting += self.expand(number, cost, arrows);
                }
            }
            cost += 1;
        }
    }

    /// How many cells wait in buckets for it.
    #[inline]
    fn expand(&mut self, number: u16, cost: u32, arrows: &mut [u8]) -> usize {
        let (mask, mut pushed) = (self.buckets.len() - 1, 0);
        for (direction, &next) in self.beside[usize::from(number)].iter().enumerate() {
            if next == NONE {
                continue;
            }
            let next_cost = cost + self.bases[direction] * self.factors[usize::from(next)];
            if next_cost < self.costs[usize::from(next)] {
                self.costs[usize::from(next)] = next_cost;
                // Opposite directions differ in this bit.
                arrows[usize::from(next)] = direction as u8 ^ 2;
                self.buckets[next_cost as usize & mask].push(next);
                pushed += 1;
            }
        }
        pushed
    }

    /// The distance to a cell from where the search began.
    pub(super) fn to(&self, number: u16) -> u32 {
        self.costs[usize::from(number)]
    }
}
