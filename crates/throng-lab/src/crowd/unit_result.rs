//! The result of one unit of a crowd, and the summary of many.

use throng::spacetime::Position;

/// The result of one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UnitResult {
    /// Ticks of its shortest path without other units.
    pub(crate) shortest: u64,
    /// The tick at which it first reached its destination.
    pub(crate) arrival: Option<u64>,
    /// How often it moved to a cell where it had been before. Waiting does not count.
    pub(crate) cycles: u64,
    /// Cycles before it first arrived.
    pub(crate) cycles_on_the_way: u64,
    /// Whether it was on its destination at the end.
    pub(crate) ends_there: bool,
}

impl UnitResult {
    pub(super) fn of(path: &[Position], goal: Position, shortest: u64, positions: usize) -> Self {
        let arrival = path.iter().position(|&at| at == goal).map(|tick| tick as u64);
        let mut visited = vec![false; positions];
        let (mut cycles, mut cycles_on_the_way) = (0, 0);
        let mut before = None;
        for (tick, &at) in (0..).zip(path) {
            let was_here = std::mem::replace(&mut visited[at.get()], true);
            let cycle = u64::from(was_here && before != Some(at));
            cycles += cycle;
            cycles_on_the_way +=
                if arrival.is_none_or(|arrival| tick < arrival) { cycle } else { 0 };
            before = Some(at);
        }
        let ends_there = path.last() == Some(&goal);
        Self { shortest, arrival, cycles, cycles_on_the_way, ends_there }
    }

    /// Ticks beyond the shortest path. A unit that did not arrive counts as `turns`.
    pub(crate) fn delay(&self, turns: u32) -> f64 {
        self.arrival.unwrap_or(u64::from(turns)).saturating_sub(self.shortest) as f64
    }
}

/// The results of many units together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct UnitSummary {
    /// The number of units.
    pub(crate) units: usize,
    /// Units that arrived in time, in percent.
    pub(crate) success: f64,
    /// Units on their destination at the end, in percent.
    pub(crate) there: f64,
    /// Mean ticks until the first arrival, of the units that arrived.
    pub(crate) length: f64,
    /// The same, as a multiple of the shortest paths of the same units.
    pub(crate) ratio: f64,
    /// Mean ticks of all units; one that did not arrive counts as all turns.
    pub(crate) length_all: f64,
    /// Mean of the shortest paths of all units.
    pub(crate) shortest: f64,
    /// Mean cycles.
    pub(crate) cycles: f64,
    /// Mean cycles before the first arrival.
    pub(crate) cycles_on_the_way: f64,
}

impl UnitSummary {
    pub(crate) fn of<'a>(results: impl Iterator<Item = &'a UnitResult>, turns: u32) -> Self {
        let results: Vec<&UnitResult> = results.collect();
        let mean = |value: &dyn Fn(&UnitResult) -> f64| {
            results.iter().map(|result| value(result)).sum::<f64>() / results.len().max(1) as f64
        };
        let arrived =
            || results.iter().filter_map(|result| Some((result.arrival?, result.shortest)));
        let (ticks, least) = arrived().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        let percent = |is: bool| if is { 100.0 } else { 0.0 };
        Self {
            units: results.len(),
            success: mean(&|result| percent(result.arrival.is_some())),
            there: mean(&|result| percent(result.ends_there)),
            length: ticks as f64 / arrived().count().max(1) as f64,
            ratio: ticks as f64 / least.max(1) as f64,
            length_all: mean(&|result| result.arrival.unwrap_or(u64::from(turns)) as f64),
            shortest: mean(&|result| result.shortest as f64),
            cycles: mean(&|result| result.cycles as f64),
            cycles_on_the_way: mean(&|result| result.cycles_on_the_way as f64),
        }
    }

    /// Ticks as a multiple of the shortest paths; a unit that did not arrive counts as all
    /// turns.
    pub(crate) fn ratio_all(&self) -> f64 {
        if self.shortest > 0.0 { self.length_all / self.shortest } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(path: &[u32], goal: u32) -> UnitResult {
        let path: Vec<_> = path.iter().map(|&at| Position(at)).collect();
        UnitResult::of(&path, Position(goal), 2, 10)
    }

    #[test]
    fn only_a_return_is_a_cycle() {
        assert_eq!(result(&[0, 0, 0, 1, 1, 2], 2).cycles, 0, "waiting");
        assert_eq!(result(&[0, 1, 0, 1, 2], 2).cycles, 2, "back and forth");
        let aside = result(&[0, 1, 2, 3, 2], 2);
        assert_eq!((aside.cycles, aside.cycles_on_the_way), (1, 0), "yielded and returned");
        assert_eq!((aside.arrival, aside.ends_there), (Some(2), true));
        let displaced = result(&[2, 3, 3], 2);
        assert_eq!((displaced.arrival, displaced.ends_there), (Some(0), false));
    }

    #[test]
    fn a_unit_that_never_arrives_counts_as_all_turns() {
        let results = [result(&[0, 0, 1, 2], 2), result(&[0, 1, 0, 1], 9)];
        let summary = UnitSummary::of(results.iter(), 10);
        assert_eq!((summary.units, results[1].arrival), (2, None));
        let found =
            [summary.success, summary.there, summary.length, summary.ratio, summary.length_all];
        let expected = [50.0, 50.0, 3.0, 1.5, 6.5];
        found.iter().zip(expected).for_each(|(a, b)| assert!((a - b).abs() < 1e-9, "{summary:?}"));
        assert!((summary.ratio_all() - 3.25).abs() < 1e-9);
        assert!((results[1].delay(10) - 8.0).abs() < 1e-9);
        assert_eq!(UnitSummary::of([].iter(), 10).units, 0);
    }
}
