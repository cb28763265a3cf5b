//! Costs of positions, for searches that are kept and resumed.

use crate::kit::{IndexTable, Nodes};

/// The best cost known for each position, and whether it is final.
pub trait CostStore: Default {
    /// Forgets everything, for a space of `positions` positions.
    fn begin(&mut self, positions: usize);

    /// Offers a cost; whether it is the best so far. It is then stored, and open.
    fn improve(&mut self, at: u32, cost: u64) -> bool;

    /// Makes the cost final, and returns it; `None` if it was final already.
    fn close(&mut self, at: u32) -> Option<u64>;

    /// The cost, if it is final.
    fn closed(&self, at: u32) -> Option<u64>;

    /// Bytes of memory held.
    fn bytes(&self) -> usize;
}

/// An array over all positions, reused from search to search without clearing: the fastest,
/// for one search at a time.
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

/// Positions on one page: consecutive ones, so that a page is two lines of cache.
const PAGE: usize = 16;
const PAGE_SHIFT: u32 = PAGE.trailing_zeros();
const UNKNOWN: u64 = u64::MAX;
/// Below the cost is the mark of what is final.
const COST_SHIFT: u32 = 1;
const CLOSED: u64 = 1;

/// Pages of positions, made when a search first visits them and found by a hash of their
/// number: small, for thousands of searches that are kept to be resumed.
///
/// `cargo bench -p throng-bench --bench reservations` measures it beside an array over the
/// map and a hash from each single position.
#[derive(Clone, Debug, Default)]
pub struct PagedCosts {
    pages: IndexTable<u32>,
    /// Page by page: cost, and whether that is final.
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
