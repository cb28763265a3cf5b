//! The search for one unit, around the others or through them at a price.

use throng_grid::kit::{LevelQueue, StampedArray, mix};
use throng_spacetime::Action;

use super::board::{Board, Units};
use super::region::Region;

/// Random tolls are less than this, in steps.
const NOISE: u64 = 4;

/// How a unit may walk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    /// The unit.
    pub(super) unit: usize,
    /// What it costs, in steps, to enter the body of another unit.
    pub(super) price: u32,
    /// Units whose bodies it may not enter.
    pub(super) closed: Units,
    /// Whether a step costs more where other bodies have few places without it.
    pub(super) pays_tolls: bool,
    /// Unless zero, positions cost up to so many steps more, by their hashes with it.
    pub(super) noise: u64,
}

impl Manner {
    /// Around all other units.
    pub(super) fn around(unit: usize) -> Self {
        Self { unit, price: 0, closed: Units::MAX, pays_tolls: false, noise: 0 }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Visit {
    cost: u32,
    before: u32,
    /// Which of the steps from there.
    step: u16,
    is_closed: bool,
}

/// A path of one unit.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    pub(super) places: Vec<u32>,
    pub(super) actions: Vec<Action>,
    /// The units in its way.
    pub(super) blockers: Units,
    /// The entries that it needs.
    pub(super) entries: Vec<u32>,
}

/// The memory of the searches, and how many positions they expanded.
#[derive(Clone, Debug, Default)]
pub(super) struct Walks {
    visits: StampedArray<Visit>,
    open: LevelQueue,
    pub(super) expansions: u64,
}

impl Walks {
    /// A* from the unit's place to the nearest position that is a target. The heuristic is in
    /// steps and consistent.
    pub(super) fn find(
        &mut self,
        region: &Region,
        board: &Board,
        manner: Manner,
        heuristic: impl Fn(u32) -> u32,
        mut is_target: impl FnMut(u32) -> bool,
    ) -> Option<u32> {
        let Manner { unit, price, closed, pays_tolls, noise } = manner;
        let (kind, start) = (&region.kinds()[board.kind(unit)], board.place(unit));
        self.visits.begin(region.positions_max());
        self.open.clear();
        self.visits.set(start as usize, Visit { before: start, ..Visit::default() });
        self.open.push(u64::from(heuristic(start)), start);
        while let Some(at) = self.open.pop() {
            let mut visit = self.visits.get(at as usize).unwrap_or_default();
            if visit.is_closed {
                continue;
            }
            if is_target(at) {
                return Some(at);
            }
            self.expansions += 1;
            visit.is_closed = true;
            self.visits.set(at as usize, visit);
            let inside = board.overlaps(unit, at);
            for (number, step) in kind.steps(at).iter().enumerate() {
                let blockers = board.blockers(region, unit, step);
                let estimate = heuristic(step.to);
                if blockers & closed != 0 || estimate == u32::MAX {
                    continue;
                }
                let toll = if pays_tolls { kind.toll(step.to) } else { 0 };
                let noise =
                    if noise == 0 { 0 } else { (mix(noise ^ u64::from(step.to)) % NOISE) as u32 };
                let cost =
                    visit.cost + 1 + toll + noise + price * (blockers & !inside).count_ones();
                let known = self.visits.get(step.to as usize);
                if known.is_none_or(|known| cost < known.cost) {
                    let step_number = number as u16;
                    let found = Visit { cost, before: at, step: step_number, is_closed: false };
                    self.visits.set(step.to as usize, found);
                    self.open.push(u64::from(cost) + u64::from(estimate), step.to);
                }
            }
        }
        None
    }

    /// The path to a position that the last search found.
    pub(super) fn path(&self, region: &Region, board: &Board, unit: usize, to: u32) -> Path {
        let kind = &region.kinds()[board.kind(unit)];
        let mut path = Path { places: vec![to], ..Path::default() };
        let mut at = to;
        while at != board.place(unit)
            && let Some(visit) = self.visits.get(at as usize)
        {
            let step = &kind.steps(visit.before)[usize::from(visit.step)];
            path.blockers |= board.blockers(region, unit, step);
            path.entries.extend(kind.standing(at).iter().chain(kind.extras(step)));
            path.actions.push(step.action);
            at = visit.before;
            path.places.push(at);
        }
        path.places.reverse();
        path.actions.reverse();
        path
    }
}
