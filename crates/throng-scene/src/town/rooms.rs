//! A rectangle cut into rooms, with a door in every wall between them.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use super::builder::Rect;

/// Shortest side of a room between the middles of its walls, in eighths.
const ROOM_MIN: i32 = 10;
/// Width of a door.
pub(super) const DOOR: i32 = 4;
/// Least distance of a door from the end of the rooms that it joins.
const DOOR_MARGIN: i32 = 2;

/// A straight wall, by the line in its middle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wall {
    /// Whether it runs from bottom to top.
    pub(super) is_upright: bool,
    /// Its x when upright, else its y.
    pub(super) at: i32,
    /// Where it begins along its line.
    pub(super) from: i32,
    /// Where it ends.
    pub(super) to: i32,
}

/// A door: where it begins along its wall, and the rooms on both sides. The outside is no
/// room.
#[derive(Clone, Copy, Debug)]
pub(super) struct Door {
    pub(super) from: i32,
    pub(super) before: Option<usize>,
    pub(super) behind: Option<usize>,
}

/// Rooms that fill a rectangle, and the walls between them.
pub(super) struct Rooms {
    pub(super) rooms: Vec<Rect>,
    pub(super) walls: Vec<Wall>,
}

/// Cuts a rectangle into rooms.
pub(super) fn cut(rect: Rect, rng: &mut Pcg64Mcg) -> Rooms {
    let mut plan = Rooms { rooms: Vec::new(), walls: Vec::new() };
    let mut left = vec![rect];
    while let Some(rect) = left.pop() {
        let longest = rect.width().max(rect.height());
        let is_small = longest < 2 * ROOM_MIN;
        // The first cut is always made: a house has several rooms.
        let may_stay = longest < 3 * ROOM_MIN && !plan.walls.is_empty();
        if is_small || (may_stay && rng.random_range(0..4_u32) == 0) {
            plan.rooms.push(rect);
            continue;
        }
        let cut = ROOM_MIN + rng.random_range(0..=longest - 2 * ROOM_MIN);
        let (first, second, wall) = halves(rect, cut);
        plan.walls.push(wall);
        left.extend([first, second]);
    }
    plan
}

/// The rectangle cut across its longer side.
fn halves(rect: Rect, cut: i32) -> (Rect, Rect, Wall) {
    if rect.width() >= rect.height() {
        let at = rect.x0 + cut;
        let wall = Wall { is_upright: true, at, from: rect.y0, to: rect.y1 };
        return (Rect { x1: at, ..rect }, Rect { x0: at, ..rect }, wall);
    }
    let at = rect.y0 + cut;
    let wall = Wall { is_upright: false, at, from: rect.x0, to: rect.x1 };
    (Rect { y1: at, ..rect }, Rect { y0: at, ..rect }, wall)
}

impl Rooms {
    /// A door somewhere in a wall where it fits: between two rooms, or between a room and
    /// the outside. A wall between rooms always has a place: the first rooms on its sides
    /// begin together, and both are long enough.
    pub(super) fn door(&self, wall: Wall, rng: &mut Pcg64Mcg) -> Option<Door> {
        let before = self.along(wall, |rect| if wall.is_upright { rect.x1 } else { rect.y1 });
        let behind = self.along(wall, |rect| if wall.is_upright { rect.x0 } else { rect.y0 });
        let mut doors = Vec::new();
        for (before, from, to) in &before {
            for (behind, other_from, other_to) in &behind {
                let from = *from.max(other_from) + DOOR_MARGIN;
                let to = *to.min(other_to) - DOOR_MARGIN - DOOR;
                doors.extend((from..=to).map(|from| Door {
                    from,
                    before: *before,
                    behind: *behind,
                }));
            }
        }
        let choice = rng.random_range(0..doors.len().max(1) as u64);
        doors.get(choice as usize).copied()
    }

    /// The rooms whose edge lies on a wall, with where they begin and end along it. Without
    /// any, it is the outside.
    fn along(&self, wall: Wall, edge: impl Fn(&Rect) -> i32) -> Vec<(Option<usize>, i32, i32)> {
        let span = |rect: &Rect| match wall.is_upright {
            true => (rect.y0, rect.y1),
            false => (rect.x0, rect.x1),
        };
        let rooms = self.rooms.iter().enumerate().filter(|(_, rect)| {
            let (from, to) = span(rect);
            edge(rect) == wall.at && wall.from <= from && to <= wall.to
        });
        let mut along: Vec<_> =
            rooms.map(|(room, rect)| (Some(room), span(rect).0, span(rect).1)).collect();
        if along.is_empty() {
            along.push((None, wall.from, wall.to));
        }
        along
    }
}
