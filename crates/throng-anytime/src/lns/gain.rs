//! The stop rule for runs without a limit: twice the work gains little.

/// The work after which the gain is looked at first, in expansions: for any plan, and per unit.
/// Small crowds in mazes improve slowly at first.
const FIRST_LOOK: u64 = 10_000_000;
const FIRST_LOOK_PER_UNIT: u64 = 20_000;

/// Compares the cost each time that the work has doubled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gain {
    /// The least gain that is worth going on, in thousandths of the cost; 0: any.
    permille: u32,
    /// The work at the next look.
    next: u64,
    /// The cost at the last look.
    cost: u64,
}

impl Gain {
    pub(crate) fn new(permille: u32, units: usize, cost: u64) -> Self {
        Self { permille, next: FIRST_LOOK + FIRST_LOOK_PER_UNIT * units as u64, cost }
    }

    /// Whether the work since the last look has gained too little.
    pub(crate) fn is_small(&mut self, expanded: u64, cost: u64) -> bool {
        if self.permille == 0 || expanded < self.next {
            return false;
        }
        let gained = self.cost.saturating_sub(cost);
        let is_small = gained * 1000 < u64::from(self.permille) * self.cost;
        (self.next, self.cost) = (expanded * 2, cost);
        is_small
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_looks_when_the_work_has_doubled() {
        let mut gain = Gain::new(10, 1, 1000);
        assert!(!gain.is_small(10_019_999, 1000), "too early");
        assert!(!gain.is_small(10_020_000, 990), "a hundredth is enough");
        assert!(!gain.is_small(20_039_999, 990), "not twice the work");
        assert!(gain.is_small(20_040_000, 981));
        assert!(!Gain::new(0, 1, 1000).is_small(u64::MAX, 1000), "never");
    }
}
