//! A phase of the tick: bodies of other sides are obstacles to plans.
//!
//! D. Silver, "Cooperative pathfinding" (2005): units cooperate within a side. A unit of another
//! side is seen where it is, and where a step in progress ends. Plans treat these cells as walls;
//! what the other side plans is in another plane of the table. Near such a body steps are decided
//! one by one, by bodies, in `crowd.rs`.

use throng_cooperative::Location;
use throng_model::{Cell, CellIndex, Rect, UnitId};
use throng_spacetime::Entry;

use crate::state::State;

/// Two units of different sides can want one cell if so many columns or rows are between them.
const REACH: u16 = 2;

/// Marks the bodies of other sides.
pub(crate) fn run(state: &mut State) {
    if !state.terrain.planes.sides_meet() {
        return;
    }
    let mut marked = Vec::new();
    for (unit, record) in state.units.iter() {
        let Some(location) = state.units.location(unit) else { continue };
        let (plane, space) = (state.terrain.plane_of(record.space), state.space(record));
        let side = u16::from(space.ground().movement().footprint);
        let ends = match location {
            Location::Standing(at) => [Some(at), None],
            Location::Moving { from, to, .. } => [Some(from), Some(to)],
        };
        let cells = ends.into_iter().flatten();
        let cells = cells.flat_map(|at| Rect::new(space.cell(at), side, side).cells());
        for index in cells.filter_map(|cell| state.terrain.map().index(cell)) {
            mark(state, plane, index, &mut marked);
        }
    }
    state.units.set_obstacles(marked.into_iter());
}

/// Marks a cell in all planes of the layer but one.
fn mark(state: &State, plane: u8, index: CellIndex, marked: &mut Vec<Entry>) {
    let planes = &state.terrain.planes;
    let others = planes.of_layer(plane).filter(|&other| other != plane);
    marked.extend(others.map(|other| planes.entry(other, index)));
}

/// Whether a unit of another side is so near that both could want one cell.
pub(super) fn is_near_stranger(state: &State, unit: UnitId) -> bool {
    let (Some(record), map) = (state.units.get(unit), state.terrain.map()) else { return false };
    let Some((at, heading)) = state.location(unit) else { return false };
    let plane = state.terrain.plane_of(record.space);
    let side = u16::from(state.space(record).ground().movement().footprint);
    let to = heading.map_or(at, |heading| heading.to);
    let (left, top) = (at.x.min(to.x).saturating_sub(REACH), at.y.min(to.y).saturating_sub(REACH));
    let right = (at.x.max(to.x) + side + REACH).min(map.width());
    let bottom = (at.y.max(to.y) + side + REACH).min(map.height());
    let mut cells = (top..bottom).flat_map(|y| (left..right).map(move |x| Cell::new(x, y)));
    cells.any(|cell| {
        let entry = map.index(cell).map(|index| state.terrain.planes.entry(plane, index));
        entry.is_some_and(|entry| state.units.is_obstacle(entry))
    })
}
