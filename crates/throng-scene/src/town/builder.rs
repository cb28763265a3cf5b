//! What all parts of a town are put into, and the rectangles they are made of.

use crate::scene::{
    GateKind, GateRecord, GateSideRecord, ItemRecord, ObstacleKind, ObstacleRecord, PlayerRecord,
    ZoneRecord,
};
use crate::{GhostOptions, Level, Point, Scene};

/// Eighths in a unit.
pub(super) const EIGHTHS: i32 = 8;
/// The zone around all houses and parks.
pub(super) const OUTSIDE: &str = "outside";

/// A rectangle, in eighths of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rect {
    pub(super) x0: i32,
    pub(super) y0: i32,
    pub(super) x1: i32,
    pub(super) y1: i32,
}

impl Rect {
    pub(super) fn sized(x: i32, y: i32, width: i32, height: i32) -> Self {
        Self { x0: x, y0: y, x1: x + width, y1: y + height }
    }

    pub(super) fn width(self) -> i32 {
        self.x1 - self.x0
    }

    pub(super) fn height(self) -> i32 {
        self.y1 - self.y0
    }

    pub(super) fn centre(self) -> (i32, i32) {
        (i32::midpoint(self.x0, self.x1), i32::midpoint(self.y0, self.y1))
    }

    pub(super) fn grown(self, by: i32) -> Self {
        Self { x0: self.x0 - by, y0: self.y0 - by, x1: self.x1 + by, y1: self.y1 + by }
    }

    pub(super) fn touches(self, other: Self) -> bool {
        self.x0 <= other.x1 && other.x0 <= self.x1 && self.y0 <= other.y1 && other.y0 <= self.y1
    }

    pub(super) fn corners(self) -> [(i32, i32); 4] {
        let Self { x0, y0, x1, y1 } = self;
        [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
    }
}

/// A point given in eighths.
pub(super) fn point((x, y): (i32, i32)) -> Point {
    Point::new(f64::from(x) / f64::from(EIGHTHS), f64::from(y) / f64::from(EIGHTHS))
}

/// A town that is being built.
pub(super) struct Builder {
    pub(super) scene: Scene,
    /// Where no tree may stand: houses, parks, trees, and the starting points of players.
    pub(super) taken: Vec<Rect>,
    pub(super) side: i32,
}

impl Builder {
    /// An empty town with one zone: the outside.
    pub(super) fn new(name: &str, side: i32) -> Self {
        let length = f64::from(side) / f64::from(EIGHTHS);
        let mut town =
            Self { scene: Scene::empty(name, length, length, 1), taken: Vec::new(), side };
        let corners = Rect::sized(0, 0, side, side).corners().map(point);
        town.zone(OUTSIDE, Level::GROUND, corners.to_vec());
        town
    }

    pub(super) fn obstacle(
        &mut self,
        name: &str,
        kind: ObstacleKind,
        level: Level,
        corners: Vec<Point>,
    ) {
        self.scene.levels = self.scene.levels.max(level.0 + 1);
        let name = format!("{name} {}", self.scene.obstacles.len());
        self.scene.obstacles.push(ObstacleRecord { name, kind, level, corners });
    }

    pub(super) fn zone(&mut self, name: &str, level: Level, corners: Vec<Point>) {
        self.scene.levels = self.scene.levels.max(level.0 + 1);
        self.scene.zones.push(ZoneRecord { name: name.to_owned(), level, corners });
    }

    pub(super) fn gate(&mut self, kind: GateKind, sides: [(&str, (i32, i32)); 2]) {
        let word = if kind == GateKind::Door { "door" } else { "stairs" };
        let name = format!("{word} {}", self.scene.gates.len());
        let sides = sides.map(|(zone, at)| GateSideRecord { zone: zone.to_owned(), at: point(at) });
        self.scene.gates.push(GateRecord { name, kind, sides });
    }

    pub(super) fn item(&mut self, level: Level, at: (i32, i32)) {
        let name = format!("orb {}", self.scene.items.len() + 1);
        self.scene.items.push(ItemRecord { name, level, at: point(at) });
    }

    /// Players start where the edges of lots cross; nothing is built there.
    pub(super) fn place_players(&mut self, players: u32, lots: i32, lot_side: i32) {
        let crossings = (lots + 1) * (lots + 1);
        let at = |crossing: i32| {
            let along = |number: i32| (number * lot_side).clamp(4, self.side - 4);
            (along(crossing % (lots + 1)), along(crossing / (lots + 1)))
        };
        let middle = |(x, y): (i32, i32)| Rect { x0: x, y0: y, x1: x, y1: y };
        self.taken.extend((0..crossings).map(|crossing| middle(at(crossing)).grown(3)));
        for (player, crossing) in (1..=players).zip((0..crossings).cycle()) {
            self.scene.players.push(PlayerRecord {
                name: format!("player {player}"),
                level: Level::GROUND,
                at: point(at(crossing)),
                radius: GhostOptions::default().radius,
            });
        }
    }

    pub(super) fn finish(self) -> Scene {
        self.scene
    }
}
