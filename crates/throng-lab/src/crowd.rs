//! A crowd under a planner, turn by turn, and what is measured of it.

use throng::Plan;
use throng::cooperative::{Fleet, Simulation};
use throng::spacetime::{GridSpace, Position, Space};

/// What happened.
pub(crate) struct Run {
    /// By unit, where it was at each tick.
    pub(crate) paths: Vec<Vec<Position>>,
    /// Nodes expanded before anyone moved.
    pub(crate) expanded_first: u64,
    /// By turn, nodes expanded in it.
    pub(crate) expanded: Vec<u64>,
}

impl Run {
    /// Lets everybody move for so many turns.
    pub(crate) fn of(simulation: &mut dyn Simulation, turns: u32) -> Self {
        let mut paths: Vec<_> = simulation.positions().iter().map(|&at| vec![at]).collect();
        simulation.prepare();
        let expanded_first = simulation.expanded();
        let mut expanded = Vec::new();
        for _ in 0..turns {
            let before = simulation.expanded();
            simulation.turn();
            expanded.push(simulation.expanded() - before);
            paths.iter_mut().zip(simulation.positions()).for_each(|(path, &at)| path.push(at));
        }
        Self { paths, expanded_first, expanded }
    }

    /// For the referee.
    pub(crate) fn plan(&self, fleet: &Fleet<GridSpace>) -> Plan {
        fleet.plan(&self.paths)
    }

    /// What became of each unit.
    pub(crate) fn fates(
        &self,
        fleet: &Fleet<GridSpace>,
        simulation: &mut dyn Simulation,
    ) -> Vec<Fate> {
        let units = (0_u32..).zip(&self.paths).zip(&fleet.riders);
        let fate = |((unit, path), rider): ((u32, &Vec<Position>), &throng::cooperative::Rider)| {
            let positions = fleet.spaces[rider.space].positions();
            Fate::of(path, rider.goal, simulation.shortest(unit).unwrap_or(0), positions)
        };
        units.map(fate).collect()
    }

    /// Nodes expanded in the dearest turn.
    pub(crate) fn expanded_turn_max(&self) -> u64 {
        self.expanded.iter().copied().max().unwrap_or(0)
    }
}

/// What became of one unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fate {
    /// Ticks of its shortest path, as if it were alone.
    pub(crate) shortest: u64,
    /// The tick at which it first was on its destination.
    pub(crate) arrival: Option<u64>,
    /// How often it came to a cell where it had been before. To stay is not to come.
    pub(crate) cycles: u64,
    /// Those before it first arrived.
    pub(crate) cycles_on_the_way: u64,
    /// Whether it was on its destination in the end.
    pub(crate) ends_there: bool,
}

impl Fate {
    fn of(path: &[Position], goal: Position, shortest: u64, positions: usize) -> Self {
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

    /// Ticks beyond the shortest path; of a unit that did not arrive, until `turns`.
    pub(crate) fn delay(&self, turns: u32) -> f64 {
        self.arrival.unwrap_or(u64::from(turns)).saturating_sub(self.shortest) as f64
    }
}

/// What is said about the fates of many units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Tally {
    /// How many.
    pub(crate) units: usize,
    /// Arrived in time, in percent.
    pub(crate) success: f64,
    /// On their destination at the end, in percent.
    pub(crate) there: f64,
    /// Mean ticks until the first arrival of those that arrived.
    pub(crate) length: f64,
    /// The same, as a multiple of the shortest paths of the same units.
    pub(crate) ratio: f64,
    /// Mean ticks of all, where one that did not arrive counts as all turns.
    pub(crate) length_all: f64,
    /// Mean of the shortest paths of all.
    pub(crate) shortest: f64,
    /// Mean cycles.
    pub(crate) cycles: f64,
    /// Mean cycles before the first arrival.
    pub(crate) cycles_on_the_way: f64,
}

impl Tally {
    pub(crate) fn of<'a>(fates: impl Iterator<Item = &'a Fate>, turns: u32) -> Self {
        let fates: Vec<&Fate> = fates.collect();
        let mean = |value: &dyn Fn(&Fate) -> f64| {
            fates.iter().map(|fate| value(fate)).sum::<f64>() / fates.len().max(1) as f64
        };
        let arrived = || fates.iter().filter_map(|fate| Some((fate.arrival?, fate.shortest)));
        let (ticks, least) = arrived().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        let percent = |is: bool| if is { 100.0 } else { 0.0 };
        Self {
            units: fates.len(),
            success: mean(&|fate| percent(fate.arrival.is_some())),
            there: mean(&|fate| percent(fate.ends_there)),
            length: ticks as f64 / arrived().count().max(1) as f64,
            ratio: ticks as f64 / least.max(1) as f64,
            length_all: mean(&|fate| fate.arrival.unwrap_or(u64::from(turns)) as f64),
            shortest: mean(&|fate| fate.shortest as f64),
            cycles: mean(&|fate| fate.cycles as f64),
            cycles_on_the_way: mean(&|fate| fate.cycles_on_the_way as f64),
        }
    }

    /// Ticks as a multiple of the shortest paths, where one that did not arrive counts as
    /// all turns.
    pub(crate) fn ratio_all(&self) -> f64 {
        if self.shortest > 0.0 { self.length_all / self.shortest } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fate(path: &[u32], goal: u32) -> Fate {
        let path: Vec<_> = path.iter().map(|&at| Position(at)).collect();
        Fate::of(&path, Position(goal), 2, 10)
    }

    #[test]
    fn only_coming_back_is_a_cycle() {
        assert_eq!(fate(&[0, 0, 0, 1, 1, 2], 2).cycles, 0, "waiting");
        assert_eq!(fate(&[0, 1, 0, 1, 2], 2).cycles, 2, "to and fro");
        let aside = fate(&[0, 1, 2, 3, 2], 2);
        assert_eq!((aside.cycles, aside.cycles_on_the_way), (1, 0), "made way and came back");
        assert_eq!((aside.arrival, aside.ends_there), (Some(2), true));
        let driven_off = fate(&[2, 3, 3], 2);
        assert_eq!((driven_off.arrival, driven_off.ends_there), (Some(0), false));
    }

    #[test]
    fn who_never_arrives_counts_as_all_turns() {
        let fates = [fate(&[0, 0, 1, 2], 2), fate(&[0, 1, 0, 1], 9)];
        let tally = Tally::of(fates.iter(), 10);
        assert_eq!((tally.units, fates[1].arrival), (2, None));
        let found = [tally.success, tally.there, tally.length, tally.ratio, tally.length_all];
        let expected = [50.0, 50.0, 3.0, 1.5, 6.5];
        found.iter().zip(expected).for_each(|(a, b)| assert!((a - b).abs() < 1e-9, "{tally:?}"));
        assert!((tally.ratio_all() - 3.25).abs() < 1e-9);
        assert!((fates[1].delay(10) - 8.0).abs() < 1e-9);
        assert_eq!(Tally::of([].iter(), 10).units, 0);
    }
}
