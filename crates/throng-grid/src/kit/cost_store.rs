//! Costs of positions, for searches that are kept and resumed.

use crate::kit::{IndexTable, Nodes};

/// The best cost known for each position, and whether it is final.
pub trait CostStore: Default {
    /// Forgets everything, for a space of `positions` positions.
    fn begin(&mut self, positions: usize);

    /// Stores a cost as open if it is lower than the known one. Returns whether it was.
    fn improve(&mut self, at: u32, cost: u64) -> bool;

    /// Makes the cost final and returns it; `None` if it was already final.
    fn close(&mut self, at: u32) -> Option<u64>;

    /// The cost, if it is final.
    fn closed(&self, at: u32) -> Option<u64>;

    /// Bytes of memory held.
    fn bytes(&self) -> usize;
}

/// Costs in an array over all positions, reused between searches without clearing.
///
/// The fastest store, for one search at a time.
#[derive(Clone, Debug, Default)]
pub struct DenseCosts {
    nodes: Nodes<()>,
    positions: usize,
}

impl CostStore for DenseCosts {
    fn begin(&mut self, positions: usize) {
        self.positions = positions;
        self.nodes.begin(positions);
    }

    #[inline]
    fn improve(&mut self, at: u32, cost: u64) -> bool {
        self.nodes.improve(at as usize, cost)
    }

    #[inline]
    fn close(&mut self, at: u32) -> Option<u64> {
        self.nodes.close(at as usize)
    }

    #[inline]
    fn closed(&self, at: u32) -> Option<u64> {
        self.nodes.closed_cost(at as usize)
    }

    fn bytes(&self) -> usize {
        self.positions * size_of::<u64>()
    }
}

/// Consecutive positions per page: 16 costs fill two cache lines.
const PAGE: usize = 16;
const PAGE_SHIFT: u32 = PAGE.trailing_zeros();
const UNKNOWN: u64 = u64::MAX;
/// The lowest bit of an entry marks a final cost; the cost is above it.
const COST_SHIFT: u32 = 1;
const CLOSED: u64 = 1;

/// Costs in pages that are allocated when a search first visits them.
///
/// A hash table finds the page. Memory grows with the positions visited, so that thousands of
/// searches can be kept and resumed.
///
/// `cargo bench -p throng-bench --bench reservations` measures it beside an array over the
/// map and a hash from each single position.
#[derive(Clone, Debug, Default)]
pub struct PagedCosts {
    pages: IndexTable<u32>,
    /// Page by page: the cost, shifted by [`COST_SHIFT`], and the bit [`CLOSED`].
    costs: Vec<u64>,
}

impl PagedCosts {
    #[inline]
    fn find_or_make(&mut self, at: u32) -> usize {
        let page = self.pages.insert(at >> PAGE_SHIFT) as usize;
        if page * PAGE == self.costs.len() {
            self.costs.resize(self.costs.len() + PAGE, UNKNOWN);
        }
        page * PAGE + at as usize % PAGE
    }
}

impl CostStore for PagedCosts {
    fn begin(&mut self, _: usize) {
        self.pages.clear();
        self.costs.clear();
    }

    #[inline]
    fn improve(&mut self, at: u32, cost: u64) -> bool {
        let at = self.find_or_make(at);
        let known = &mut self.costs[at];
        let better = cost < *known >> COST_SHIFT;
        if better {
            *known = cost << COST_SHIFT;
        }
        better
    }

    #[inline]
    fn close(&mut self, at: u32) -> Option<u64> {
        let at = self.find_or_make(at);
        let known = &mut self.costs[at];
        let open = *known & CLOSED == 0;
        *known |= CLOSED;
        open.then_some(*known >> COST_SHIFT)
    }

    #[inline]
    fn closed(&self, at: u32) -> Option<u64> {
        let page = self.pages.get(at >> PAGE_SHIFT)? as usize;
        let known = self.costs[page * PAGE + at as usize % PAGE];
        (known != UNKNOWN && known & CLOSED != 0).then_some(known >> COST_SHIFT)
    }

    fn bytes(&self) -> usize {
        self.pages.bytes() + self.costs.capacity() * size_of::<u64>()
    }
}
