//! The costs of a plan. The crate's documentation defines them.

use throng_model::{Cell, Plan, Problem, Tick};

/// The totals over all units.
#[derive(Default)]
pub(crate) struct Metrics {
    pub(crate) sum_of_costs: u64,
    pub(crate) time_away: u64,
    pub(crate) makespan: Tick,
    pub(crate) arrived: usize,
}

pub(crate) fn measure(problem: &Problem, plan: &Plan) -> Metrics {
    let length = plan.last_tick();
    let mut metrics = Metrics::default();
    for (index, unit) in problem.units.iter().enumerate() {
        let path = plan.paths.get(index).map_or(&[][..], Vec::as_slice);
        let arrival = last_arrival(path, unit.goal);
        let cost = arrival.unwrap_or(length);
        metrics.arrived += usize::from(arrival.is_some());
        metrics.sum_of_costs += u64::from(cost.0);
        metrics.time_away += u64::from(cost.0) - ticks_at_rest(path, unit.goal, cost);
        metrics.makespan = metrics.makespan.max(cost);
    }
    metrics
}

/// The tick after which the unit stays on its goal; `None` if it does not end there.
fn last_arrival(path: &[Cell], goal: Cell) -> Option<Tick> {
    let away = path.iter().rposition(|&cell| cell != goal);
    let arrival = away.map_or(0, |index| index + 1);
    (arrival < path.len()).then(|| Tick(u32::try_from(arrival).unwrap_or(u32::MAX)))
}

/// The ticks up to `until` that the unit both began and ended on its goal.
fn ticks_at_rest(path: &[Cell], goal: Cell, until: Tick) -> u64 {
    let seen = path.get(..=until.0 as usize).unwrap_or(path);
    seen.windows(2).filter(|pair| pair[0] == goal && pair[1] == goal).count() as u64
}
