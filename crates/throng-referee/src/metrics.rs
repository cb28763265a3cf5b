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
        let pace = usize::from(problem.movements.get(unit.movement).map_or(1, |m| m.pace));
        metrics.time_away += u64::from(cost.0) - ticks_at_rest(path, unit.goal, pace, cost);
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

/// The ticks up to `until` that the unit rested on its goal: it was there at both ends of the
/// tick, and not on a slow step.
fn ticks_at_rest(path: &[Cell], goal: Cell, pace: usize, until: Tick) -> u64 {
    let seen = path.get(..=until.0 as usize).unwrap_or(path);
    let (mut rests, mut seen_before) = (0, 0);
    for run in seen.chunk_by(|a, b| (*a == goal) == (*b == goal)) {
        seen_before += run.len();
        if run[0] == goal {
            let stepping = if seen_before < seen.len() { pace.saturating_sub(1) } else { 0 };
            rests += (run.len() - 1).saturating_sub(stepping) as u64;
        }
    }
    rests
}
