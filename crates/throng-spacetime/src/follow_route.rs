//! Plans that need no search: along the route, if no other unit has claimed it.
//!
//! A path through space-time that follows a shortest route without a pause costs what the true
//! distance says, and no path costs less. If it is free there is nothing to search.

use throng_model::Tick;

use crate::space::{Action, Position, Space};
use crate::space_time::{Leg, TimedPath, is_legal, penalty};
use crate::timed::TimedObstacles;

/// Writes the path along a shortest route to the depth, pausing at its end. False if another
/// unit has claimed part of it, or a penalty would be due; then the path ends before that.
pub fn follow_route<S: Space>(
    space: &S,
    obstacles: &impl TimedObstacles,
    route: &[Position],
    start: Tick,
    depth: u32,
    path: &mut TimedPath,
) -> bool {
    let Some(&first) = route.first() else { return false };
    path.legs.clear();
    path.end = Some((first, start));
    let (mut at, mut tick) = (first, start);
    let mut ahead = route[1..].iter().copied();
    while tick.0 < start.0 + depth {
        let (action, to, ticks) = match ahead.next() {
            None => (Action::PAUSE, at, 1),
            Some(next) => match space.move_to(at, next) {
                Some(step) => (step.action, next, step.ticks),
                None => return false,
            },
        };
        let arrival = Tick(tick.0 + ticks);
        if !is_legal(space, obstacles, at, action, tick)
            || (action != Action::PAUSE && penalty(space, obstacles, to, arrival) > 0)
        {
            return false;
        }
        path.legs.push(Leg { from: at, tick, action });
        (at, tick) = (to, arrival);
        path.end = Some((at, tick));
    }
    true
}

/// Extends a plan that follows a route until the later of two ticks: writes what is to be added.
/// False if the plan leaves the route, or if it ends before the earlier tick because another
/// unit has claimed part of the route, or a penalty would be due.
pub fn extend_along_route<S: Space>(
    space: &S,
    obstacles: &impl TimedObstacles,
    (kept, end): (&[Leg], Option<(Position, Tick)>),
    route: &[Position],
    [enough, until]: [Tick; 2],
    path: &mut TimedPath,
) -> bool {
    let Some((end, last)) = end.filter(|_| kept.len() < route.len()) else { return false };
    let ends = kept.iter().skip(1).map(|leg| (leg.from, leg.tick)).chain([(end, last)]);
    let mut steps = kept.iter().zip(ends).zip(route.windows(2));
    let same = steps.all(|((leg, (to, arrival)), step)| {
        leg.from == step[0] && to == step[1] && penalty(space, obstacles, to, arrival) == 0
    });
    same && (last >= until
        || follow_route(space, obstacles, &route[kept.len()..], last, until.0 - last.0, path)
        || path.lasts_until(enough))
}
