//! A house: rooms on one or two levels, doors, stairs, furniture.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use super::builder::{Builder, OUTSIDE, Rect, point};
use super::rooms::{DOOR, Door, Rooms, Wall, cut};
use crate::scene::{GateKind, ObstacleKind};
use crate::{Level, Point};

/// Least distance of a house from the edge of its lot, in eighths: half a street.
const STREET_HALF: i32 = 6;
/// Shortest side of a house.
const HOUSE_MIN: i32 = 20;
/// Longest side of a house.
const HOUSE_MAX: i32 = 64;
/// Side of a stair landing in the corner of a room.
const LANDING: i32 = 6;
/// Half a wall, in units.
const WALL_HALF: f64 = 0.0625;
/// How far from the middle of a wall the passage points of a door are.
const PASSAGE: i32 = 2;
/// From this side on a room has a table in its middle.
const FURNISHED_MIN: i32 = 16;
/// How far from the walls of its room an orb lies.
const ORB: i32 = 3;

/// A corner of a house, and the direction into the house from there.
#[derive(Clone, Copy)]
struct Corner {
    at: (i32, i32),
    inwards: (i32, i32),
}

impl Corner {
    fn inside(self, by: i32) -> (i32, i32) {
        (self.at.0 + by * self.inwards.0, self.at.1 + by * self.inwards.1)
    }

    fn landing(self) -> Rect {
        let (x, y) = self.inside(LANDING);
        let (x0, y0) = (self.at.0.min(x), self.at.1.min(y));
        Rect::sized(x0, y0, LANDING, LANDING)
    }
}

/// Puts a house on a lot. Every second house has an upper level.
pub(super) fn add(town: &mut Builder, rng: &mut Pcg64Mcg, number: u32, lot: Rect) {
    let (x, width) = stretch(lot.x0, lot.width(), rng);
    let (y, height) = stretch(lot.y0, lot.height(), rng);
    let rect = Rect::sized(x, y, width, height);
    town.taken.push(rect);
    let corner = choose_corner(rect, rng);
    let has_stairs = number.is_multiple_of(2);
    for level in (0..=u8::from(has_stairs)).map(Level) {
        let rooms = cut(rect, rng);
        let storey = Storey { name: format!("house {number} level {level}"), level, rooms };
        storey.add_zones(town);
        storey.add_inner_walls(town, rng);
        storey.add_outer_walls(town, rng, rect, corner);
        if has_stairs {
            storey.add_landing(town, corner);
        }
        storey.furnish(town, corner);
    }
    if has_stairs {
        let landings = [0, 1].map(|level| format!("house {number} level {level} landing"));
        let at = corner.inside(PASSAGE);
        town.gate(GateKind::Stairs, [(&landings[0], at), (&landings[1], at)]);
    }
}

/// Where a house begins along a side of its lot, and how long it is.
fn stretch(lot_from: i32, lot_length: i32, rng: &mut Pcg64Mcg) -> (i32, i32) {
    let room = lot_length - 2 * STREET_HALF;
    let longest = room.min(HOUSE_MAX);
    let shortest = HOUSE_MIN.max(lot_length / 2).min(longest);
    let length = rng.random_range(shortest..=longest);
    (lot_from + STREET_HALF + rng.random_range(0..=room - length), length)
}

fn choose_corner(rect: Rect, rng: &mut Pcg64Mcg) -> Corner {
    let (x, right) = if rng.random() { (rect.x0, 1) } else { (rect.x1, -1) };
    let (y, up) = if rng.random() { (rect.y0, 1) } else { (rect.y1, -1) };
    Corner { at: (x, y), inwards: (right, up) }
}

/// One level of a house.
struct Storey {
    name: String,
    level: Level,
    rooms: Rooms,
}

impl Storey {
    fn zone_name(&self, room: Option<usize>) -> String {
        room.map_or(OUTSIDE.to_owned(), |room| format!("{} room {}", self.name, room + 1))
    }

    fn add_zones(&self, town: &mut Builder) {
        for (number, room) in self.rooms.rooms.iter().enumerate() {
            let corners = room.corners().map(point).to_vec();
            town.zone(&self.zone_name(Some(number)), self.level, corners);
        }
    }

    fn add_inner_walls(&self, town: &mut Builder, rng: &mut Pcg64Mcg) {
        for wall in &self.rooms.walls {
            let door = self.rooms.door(*wall, rng);
            self.add_wall(town, *wall, door);
        }
    }

    /// The walls around. On the ground one of those away from the landing's corner has a
    /// door, sometimes both.
    fn add_outer_walls(&self, town: &mut Builder, rng: &mut Pcg64Mcg, rect: Rect, corner: Corner) {
        let front = rng.random_range(0..3_u32);
        for is_upright in [true, false] {
            let (from, to, sides) = match is_upright {
                true => (rect.y0, rect.y1, [rect.x0, rect.x1]),
                false => (rect.x0, rect.x1, [rect.y0, rect.y1]),
            };
            let landing_at = if is_upright { corner.at.0 } else { corner.at.1 };
            for at in sides {
                let wall = Wall { is_upright, at, from, to };
                let wants_door = front == 2 || (front == 1) == is_upright;
                let is_front = self.level == Level::GROUND && at != landing_at && wants_door;
                let door = if is_front { self.rooms.door(wall, rng) } else { None };
                self.add_wall(town, wall, door);
            }
        }
    }

    /// A wall as one obstacle, or two beside a door.
    fn add_wall(&self, town: &mut Builder, wall: Wall, door: Option<Door>) {
        let [from, to] = [wall.from, wall.to].map(length);
        let (from, to) = (from - WALL_HALF, to + WALL_HALF);
        let mut add = |from, to| {
            let corners = wall_corners(wall, from, to);
            town.obstacle(&self.name, ObstacleKind::Wall, self.level, corners);
        };
        let Some(door) = door else { return add(from, to) };
        add(from, length(door.from));
        add(length(door.from + DOOR), to);
        let middle = door.from + DOOR / 2;
        let at = |across: i32| match wall.is_upright {
            true => (wall.at + across, middle),
            false => (middle, wall.at + across),
        };
        let [before, behind] = [door.before, door.behind].map(|room| self.zone_name(room));
        town.gate(GateKind::Door, [(&before, at(-PASSAGE)), (&behind, at(PASSAGE))]);
    }

    /// The landing of the stairs: a zone in the corner of a room, open to that room.
    fn add_landing(&self, town: &mut Builder, corner: Corner) {
        let name = format!("{} landing", self.name);
        let landing = corner.landing();
        town.zone(&name, self.level, landing.corners().map(point).to_vec());
        let room = self.rooms.rooms.iter().position(|room| room.touches(landing.grown(-1)));
        let sides = [(corner.inside(LANDING - 2)), corner.inside(LANDING + 2)];
        town.gate(GateKind::Door, [(&name, sides[0]), (&self.zone_name(room), sides[1])]);
    }

    /// Tables in the large rooms, an orb in the last room.
    fn furnish(&self, town: &mut Builder, corner: Corner) {
        for room in &self.rooms.rooms {
            let is_large = room.width().min(room.height()) >= FURNISHED_MIN;
            if is_large && !room.touches(corner.landing()) {
                let (x, y) = room.centre();
                let diamond = [(x + 2, y), (x, y + 2), (x - 2, y), (x, y - 2)].map(point);
                let kind = ObstacleKind::Furniture;
                town.obstacle(&self.name, kind, self.level, diamond.to_vec());
            }
        }
        if let Some(room) = self.rooms.rooms.last() {
            town.item(self.level, (room.x0 + ORB, room.y0 + ORB));
        }
    }
}

/// Eighths as a length in units.
fn length(eighths: i32) -> f64 {
    point((eighths, 0)).x
}

fn wall_corners(wall: Wall, from: f64, to: f64) -> Vec<Point> {
    let at = length(wall.at);
    let (before, behind) = (at - WALL_HALF, at + WALL_HALF);
    let corners = [(before, from), (behind, from), (behind, to), (before, to)];
    let turn = |(across, along)| match wall.is_upright {
        true => Point::new(across, along),
        false => Point::new(along, across),
    };
    corners.map(turn).to_vec()
}
