//! Who is where: the stays of units on each position, in order of time.

use super::occupancy::NEVER;

/// A unit's stay on a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Visit {
    first: u32,
    /// [`NEVER`] for a unit that ends there.
    last: u32,
    unit: u32,
}

/// The visits of every position.
#[derive(Clone, Debug)]
pub(crate) struct Visits {
    by_position: Vec<Vec<Visit>>,
}

impl Visits {
    pub(crate) fn new(positions: usize, paths: &[Vec<u32>]) -> Self {
        let mut visits = Self { by_position: vec![Vec::new(); positions] };
        for (unit, path) in paths.iter().enumerate() {
            visits.add(unit, path);
        }
        visits
    }

    pub(crate) fn add(&mut self, unit: usize, path: &[u32]) {
        for (position, first, last) in stays(path) {
            let visits = &mut self.by_position[position as usize];
            let at = visits.partition_point(|visit| visit.first < first);
            visits.insert(at, Visit { first, last, unit: unit as u32 });
        }
    }

    pub(crate) fn remove(&mut self, unit: usize, path: &[u32]) {
        for (position, first, _) in stays(path) {
            let visits = &mut self.by_position[position as usize];
            let at = visits.partition_point(|visit| visit.first < first);
            if visits.get(at).is_some_and(|visit| visit.unit == unit as u32) {
                visits.remove(at);
            }
        }
    }

    /// The unit on a position at a tick.
    pub(crate) fn unit_at(&self, position: u32, tick: u32) -> Option<usize> {
        let visits = &self.by_position[position as usize];
        let after = visits.partition_point(|visit| visit.first <= tick);
        let visit = visits[..after].last()?;
        (visit.last >= tick).then_some(visit.unit as usize)
    }
}

/// Position, first and last tick of each stay of a path.
fn stays(path: &[u32]) -> impl Iterator<Item = (u32, u32, u32)> {
    let mut first = 0;
    path.chunk_by(|a, b| a == b).map(move |stay| {
        let from = first;
        first += stay.len();
        let last = if first == path.len() { NEVER } else { first as u32 - 1 };
        (stay[0], from as u32, last)
    })
}
