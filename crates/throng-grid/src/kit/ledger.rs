//! Where a resumable search keeps what it knows of positions.

use crate::kit::Nodes;

/// What a resumable search knows of positions: the best cost of each, and whether that is
/// final.
pub trait Ledger: Default {
    /// Forgets everything, for a space of so many positions.
    fn begin(&mut self, positions: usize);

    /// Offers a cost; whether it is the best so far. It is then stored, and open.
    fn improve(&mut self, at: u32, cost: u64) -> bool;

    /// Makes the cost final, and gives it; `None` if it was final already.
    fn close(&mut self, at: u32) -> Option<u64>;

    /// The cost, if it is final.
    fn closed(&self, at: u32) -> Option<u64>;

    /// Bytes of memory held.
    fn bytes(&self) -> usize;
}

/// An array over all positions, reused from search to search without clearing: the fastest,
/// for one search at a time.
#[derive(Clone, Debug, Default)]
pub struct DenseLedger {
    nodes: Nodes<()>,
    positions: usize,
}

impl Ledger for DenseLedger {
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
const NO_PAGE: u32 = u32::MAX;
/// Below the cost is the mark of what is final.
const COST_SHIFT: u32 = 1;
const CLOSED: u64 = 1;

/// Pages of positions, made when a search first comes there and found by a hash of their
/// number: small, for thousands of searches that are kept to be resumed.
///
/// `cargo bench -p throng-bench --bench reservations` measures it beside an array over the
/// map and a hash from each single position.
#[derive(Clone, Debug, Default)]
pub struct PagedLedger {
    /// By hash: page number, and where its costs begin. A power of two long.
    directory: Vec<(u32, u32)>,
    /// Cost, and whether that is final.
    costs: Vec<u64>,
}

impl PagedLedger {
    #[inline]
    fn slot(&self, page: u32) -> usize {
        let mask = self.directory.len() - 1;
        let mut slot = (page.wrapping_mul(0x9e37_79b1) >> 7) as usize & mask;
        while self.directory[slot].0 != page && self.directory[slot].0 != NO_PAGE {
            slot = (slot + 1) & mask;
        }
        slot
    }

    #[inline]
    fn find(&self, at: u32) -> Option<usize> {
        let (page, first) = *self.directory.get(self.slot_if_any(at >> PAGE_SHIFT)?)?;
        (page != NO_PAGE).then_some(first as usize + at as usize % PAGE)
    }

    #[inline]
    fn slot_if_any(&self, page: u32) -> Option<usize> {
        (!self.directory.is_empty()).then(|| self.slot(page))
    }

    #[inline]
    fn find_or_make(&mut self, at: u32) -> usize {
        let page = at >> PAGE_SHIFT;
        let pages = self.costs.len() / PAGE;
        if pages * 2 >= self.directory.len() {
            self.grow();
        }
        let slot = self.slot(page);
        if self.directory[slot].0 == NO_PAGE {
            self.directory[slot] = (page, self.costs.len() as u32);
            self.costs.resize(self.costs.len() + PAGE, UNKNOWN);
        }
        self.directory[slot].1 as usize + at as usize % PAGE
    }

    #[cold]
    fn grow(&mut self) {
        let larger = (self.directory.len() * 2).max(16);
        let old = std::mem::replace(&mut self.directory, vec![(NO_PAGE, 0); larger]);
        for entry in old.into_iter().filter(|&(page, _)| page != NO_PAGE) {
            let slot = self.slot(entry.0);
            self.directory[slot] = entry;
        }
    }
}

impl Ledger for PagedLedger {
    fn begin(&mut self, _: usize) {
        self.directory.fill((NO_PAGE, 0));
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
        let known = self.costs[self.find(at)?];
        (known != UNKNOWN && known & CLOSED != 0).then_some(known >> COST_SHIFT)
    }

    fn bytes(&self) -> usize {
        self.directory.capacity() * size_of::<(u32, u32)>()
            + self.costs.capacity() * size_of::<u64>()
    }
}
