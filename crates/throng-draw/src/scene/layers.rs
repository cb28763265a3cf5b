//! The layers of a picture of a scene, from the ground upwards.

use std::collections::{BTreeMap, BTreeSet};

use throng_scene::{
    CollisionMeter, GateKind, Ghost, GhostNode, Location, ObstacleKind, PassageKind, Point,
    UpperLevel, ZoneId, explore,
};

use super::legend::{Entry, Look};
use super::shapes::{Pen, Shape, Symbol};
use super::{Drawing, HeatSquare, Layout, ScenePath, ScenePicture};
use crate::{Colour, heat_colour, stroke_colour};

/// Where no zone is.
const NOWHERE: Colour = Colour::hex(0xdd_df_e2);
/// Zones, when they have no tints.
const FLOOR: Colour = Colour::hex(0xfb_f9_f4);
const ZONE_OUTLINE: Colour = Colour::hex(0x8a_8f_98);
const GRID: Colour = Colour::hex(0xa9_b7_c6);
const DOOR: Colour = Colour::hex(0x00_9e_73);
const GOAL: Colour = Colour::hex(0xd5_5e_00);
const STAIRS: Colour = Colour::hex(0x8b_2f_8f);
const GRAPH: Colour = Colour::hex(0x00_72_b2);
const BORDER: Colour = Colour::hex(0xa3_3d_78);
const SITE: Colour = Colour::hex(0xcc_79_a7);
const ITEM: Colour = Colour::hex(0xe6_9f_00);
const PLAYER: Colour = Colour::hex(0x56_b4_e9);
/// Tints of zones, far apart in lightness and hue for most eyes; outlines separate the rest.
const TINTS: [Colour; 6] = [
    Colour::hex(0xf4_ec_d8),
    Colour::hex(0xd6_e6_f2),
    Colour::hex(0xf7_d9_c4),
    Colour::hex(0xd9_ee_e3),
    Colour::hex(0xec_d9_e6),
    Colour::hex(0xe3_e3_e3),
];
/// The strokes of paths: neither the green of doors nor the dark grey of walls.
const PATH_STROKES: [usize; 4] = [0, 1, 3, 4];
/// Most nodes of the lattice that are drawn.
const GRID_NODES_MAX: usize = 200_000;

/// Everything that the picture shows.
pub(super) fn draw(picture: &ScenePicture<'_>, layout: &Layout) -> Drawing {
    let mut painter = Painter { picture, layout, drawing: Drawing::default() };
    painter.levels();
    painter.zones();
    painter.heat();
    painter.grid();
    painter.obstacles();
    painter.graph();
    painter.gates();
    for (number, (label, upper)) in picture.upper.iter().enumerate() {
        painter.upper_level(label, upper, stroke_colour(number + 1));
    }
    painter.items();
    painter.players();
    for (number, path) in picture.paths.iter().enumerate() {
        painter.path(path, number);
    }
    painter.drawing
}

struct Painter<'a> {
    picture: &'a ScenePicture<'a>,
    layout: &'a Layout,
    drawing: Drawing,
}

impl Painter<'_> {
    fn explain(&mut self, look: Look, label: &str) {
        let entry = Entry { look, label: label.to_owned() };
        if !self.drawing.legend.contains(&entry) {
            self.drawing.legend.push(entry);
        }
    }

    fn pixels(&self, locations: &[Location]) -> Option<Vec<crate::Point>> {
        locations.iter().map(|location| self.layout.pixel(*location)).collect()
    }

    fn polygon(&self, corners: &[Point], level: throng_scene::Level) -> Option<Vec<crate::Point>> {
        corners.iter().map(|at| self.layout.pixel(Location::new(*at, level))).collect()
    }

    fn areas(&mut self, polygons: Vec<Vec<crate::Point>>, fill: Colour) {
        self.drawing.shapes.push(Shape::Areas { polygons, fill, opacity: 1.0 });
    }

    /// Lines of one look, unless none is on a level that is shown.
    fn lines(&mut self, lines: Vec<Vec<crate::Point>>, pen: Pen, label: &str) {
        if !lines.is_empty() {
            self.drawing.shapes.push(Shape::Lines { lines, pen });
            self.explain(Look::Line(pen), label);
        }
    }

    fn mark(&mut self, symbol: Symbol, at: Location, radius: f64, colour: Colour, label: &str) {
        if let Some(at) = self.layout.pixel(at) {
            self.drawing.shapes.push(Shape::Mark { symbol, at, radius, colour });
            self.explain(Look::Mark(symbol, colour), label);
        }
    }

    /// The ground of every level, and its name.
    fn levels(&mut self) {
        let (width, height) = (self.picture.scene.width(), self.picture.scene.height());
        let corners = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)];
        let corners = corners.map(|(x, y)| Point::new(x, y));
        let levels = self.layout.levels.clone();
        let name = self.picture.scene.name();
        for level in levels {
            self.areas(self.polygon(&corners, level).into_iter().collect(), NOWHERE);
            let top_left = Location::new(corners[3], level);
            if let Some(at) = self.layout.pixel(top_left) {
                let at = crate::Point { x: at.x, y: at.y - 8.0 };
                self.drawing
                    .shapes
                    .push(Shape::Text { at, text: format!("{name}: level {level}") });
            }
        }
    }

    /// The zones, large ones first: smaller ones lie inside them.
    fn zones(&mut self) {
        let tinted = self.picture.parts.zones;
        let mut zones: Vec<(usize, &throng_scene::Zone)> =
            self.picture.scene.zones().iter().enumerate().collect();
        zones.sort_by(|(_, a), (_, b)| b.polygon.area().total_cmp(&a.polygon.area()));
        for (number, zone) in zones {
            let Some(polygon) = self.polygon(zone.polygon.corners(), zone.level) else { continue };
            let mut outline = polygon.clone();
            outline.extend(polygon.first());
            self.areas(vec![polygon], if tinted { TINTS[number % TINTS.len()] } else { FLOOR });
            if tinted {
                let pen = Pen::thin(ZONE_OUTLINE, 1.2);
                self.lines(vec![outline], pen, "border of a zone");
            }
        }
    }

    /// Squares of one shade become one shape.
    fn heat(&mut self) {
        let Some((label, squares)) = &self.picture.heat else { return };
        let mut shades: BTreeMap<Colour, Vec<Vec<crate::Point>>> = BTreeMap::new();
        for HeatSquare { centre, side, share } in squares {
            // A little overlap: no background shines through between two squares.
            let half = side / 2.0 + 0.3 / self.layout.unit_px;
            let corners = [(-half, -half), (half, -half), (half, half), (-half, half)]
                .map(|(x, y)| Point::new(centre.at.x + x, centre.at.y + y));
            if let Some(polygon) = self.polygon(&corners, centre.level) {
                let shade = (share.clamp(0.0, 1.0) * 24.0).ceil() / 24.0;
                shades.entry(heat_colour(shade)).or_default().push(polygon);
            }
        }
        // Squares that are all alike mark places; no scale is needed.
        let look = match shades.first_key_value() {
            Some((&colour, _)) if shades.len() == 1 => Look::Area(colour),
            _ => Look::Heat,
        };
        shades.into_iter().for_each(|(colour, polygons)| self.areas(polygons, colour));
        self.explain(look, label);
    }

    /// The steps of the ghost player.
    fn grid(&mut self) {
        let Some((options, start)) = self.picture.grid else { return };
        let meter = CollisionMeter::new();
        let Ok(ghost) = Ghost::new(self.picture.scene, options, &meter) else { return };
        let Some(start) = ghost.snap(start.at, start.level) else { return };
        let mut moves = Vec::new();
        let mut steps = BTreeSet::new();
        for from in explore(&ghost, start, GRID_NODES_MAX) {
            ghost.moves(from, &mut moves);
            let ends = moves.iter().map(|step| step.to).filter(|to| to.level == from.level);
            // Most steps lead both ways: those to the left and downwards are drawn only once.
            let once = ends.filter(|to| (to.y, to.x) > (from.y, from.x));
            steps.extend(once.map(|to| [from, to]));
        }
        let lines = straight_lines(&steps).into_iter().filter_map(|ends| {
            self.pixels(&ends.map(|node| Location::new(ghost.point(node), node.level)))
        });
        let lines = lines.collect();
        self.lines(lines, Pen::thin(GRID, 0.6), "step of the ghost player");
    }

    fn obstacles(&mut self) {
        let scene = self.picture.scene;
        let mut kinds: BTreeMap<ObstacleKind, Vec<Vec<crate::Point>>> = BTreeMap::new();
        for (_, obstacle) in scene.obstacles() {
            let polygon = self.polygon(obstacle.polygon.corners(), obstacle.level);
            kinds.entry(obstacle.kind).or_default().extend(polygon);
        }
        for (kind, polygons) in kinds.into_iter().filter(|(_, polygons)| !polygons.is_empty()) {
            let (colour, label) = obstacle_look(kind);
            // An outline keeps walls visible that are thinner than a pixel.
            let outlines = polygons.iter().map(|polygon| {
                polygon.iter().chain(polygon.first()).copied().collect::<Vec<crate::Point>>()
            });
            let pen = Pen::thin(colour.under(Colour::hex(0), 0.35), 1.0);
            let lines = outlines.collect();
            self.areas(polygons, colour);
            self.drawing.shapes.push(Shape::Lines { lines, pen });
            self.explain(Look::Area(colour), label);
        }
    }

    /// The connectivity graph of the paper: each zone is a node, joined to its gates.
    fn graph(&mut self) {
        if !self.picture.parts.graph {
            return;
        }
        let scene = self.picture.scene;
        let mut nodes = Vec::new();
        let mut lines = Vec::new();
        for (zone, number) in scene.zones().iter().zip(0..) {
            let id = ZoneId(number);
            let gates = scene.gates_of(id).iter().filter_map(|gate| scene.gate(*gate));
            let sides: Vec<Location> = gates
                .filter_map(|gate| gate.from_zone(id))
                .map(|(near, _)| Location::new(near.at, near.level))
                .collect();
            let node = Location::new(node_of(scene, id, zone), zone.level);
            lines.extend(sides.iter().filter_map(|side| self.pixels(&[node, *side])));
            nodes.push(node);
        }
        self.lines(lines, Pen::thin(GRAPH, 1.4), "zone to its gates");
        for node in nodes {
            self.mark(Symbol::Disc, node, 6.0, GRAPH, "zone");
        }
    }

    fn gates(&mut self) {
        if !self.picture.parts.gates && !self.picture.parts.graph {
            return;
        }
        let pen = Pen { has_rim: true, ..Pen::thin(DOOR, 3.5) };
        for gate in self.picture.scene.gates() {
            let sides = gate.sides.map(|side| Location::new(side.at, side.level));
            match gate.kind {
                GateKind::Door => {
                    let lines = self.pixels(&sides).into_iter().collect();
                    self.lines(lines, pen, "door");
                }
                GateKind::Stairs => {
                    for side in sides {
                        self.mark(Symbol::Diamond, side, 9.0, STAIRS, "stairs");
                    }
                }
            }
        }
    }

    fn upper_level(&mut self, label: &str, upper: &UpperLevel, colour: Colour) {
        let looks = [
            (PassageKind::Known, Pen { is_dashed: true, ..Pen::thin(colour, 1.2) }, "known path"),
            (PassageKind::Visible, Pen::thin(colour, 0.8), "in sight, searched"),
            (PassageKind::Straight, Pen::thin(colour, 1.4), "straight path"),
            (PassageKind::Gate, Pen::thin(DOOR, 2.5), "gate"),
        ];
        let borders = upper.borders.iter().filter_map(|ends| self.pixels(ends)).collect();
        let pen = Pen { has_rim: true, ..Pen::thin(BORDER, 2.0) };
        self.lines(borders, pen, &format!("{label}: border of Voronoi zones"));
        for (kind, pen, name) in looks {
            let of_kind = upper.passages.iter().filter(|passage| passage.kind == kind);
            let lines = of_kind.filter_map(|passage| self.pixels(&passage.locations)).collect();
            self.lines(lines, pen, &format!("{label}: {name}"));
        }
        for waypoint in &upper.waypoints {
            self.mark(Symbol::Disc, *waypoint, 4.0, colour, &format!("{label}: waypoint"));
        }
        for site in &upper.sites {
            self.mark(Symbol::Ring, *site, 7.0, SITE, &format!("{label}: interest point"));
        }
    }

    fn items(&mut self) {
        if self.picture.parts.items {
            for item in self.picture.scene.items() {
                let at = Location::new(item.at, item.level);
                self.mark(Symbol::Diamond, at, 7.0, ITEM, "item");
            }
        }
    }

    fn players(&mut self) {
        if self.picture.parts.players {
            for player in self.picture.scene.players() {
                let at = Location::new(player.at, player.level);
                let radius = (player.radius * self.layout.unit_px).max(5.0);
                self.mark(Symbol::Disc, at, radius, PLAYER, "player");
            }
        }
    }

    /// A path, cut where it takes stairs, with marks where its stretches meet and at its ends.
    /// Paths beyond the number of colours are dashed.
    fn path(&mut self, path: &ScenePath, number: usize) {
        let colour = stroke_colour(PATH_STROKES[number % PATH_STROKES.len()]);
        let is_dashed = number >= PATH_STROKES.len();
        let parts = path.locations.chunk_by(|a, b| a.level == b.level);
        let lines = parts.filter_map(|part| self.pixels(part)).collect();
        let pen = Pen { has_rim: !is_dashed, is_dashed, ..Pen::thin(colour, 3.5) };
        self.lines(lines, pen, &path.label);
        for joint in &path.joints {
            self.mark(Symbol::Disc, *joint, 4.5, Colour::INK, "end of a stretch");
        }
        if let [start, .., goal] = path.locations[..] {
            self.mark(Symbol::Disc, start, 9.0, GRAPH, "start");
            self.mark(Symbol::Ring, goal, 9.0, GOAL, "goal");
        }
    }
}

/// The ends of the lines that steps form: a step that continues another in the same direction by
/// the same length is part of its line.
fn straight_lines(steps: &BTreeSet<[GhostNode; 2]>) -> Vec<[GhostNode; 2]> {
    let after = |[from, to]: [GhostNode; 2]| {
        let next = GhostNode { x: 2 * to.x - from.x, y: 2 * to.y - from.y, ..to };
        [to, next]
    };
    let before = |[from, to]: [GhostNode; 2]| {
        let [_, previous] = after([to, from]);
        [previous, from]
    };
    let first = steps.iter().copied().filter(|step| !steps.contains(&before(*step)));
    let line = |first: [GhostNode; 2]| {
        let line = std::iter::successors(Some(first), |step| {
            Some(after(*step)).filter(|next| steps.contains(next))
        });
        [first[0], line.last().map_or(first[1], |[_, end]| end)]
    };
    first.map(line).collect()
}

fn obstacle_look(kind: ObstacleKind) -> (Colour, &'static str) {
    match kind {
        ObstacleKind::Wall => (Colour::hex(0x4a_4f_59), "wall"),
        ObstacleKind::Tree => (Colour::hex(0x3f_7d_57), "tree"),
        ObstacleKind::Fence => (Colour::hex(0xa0_6a_3a), "fence"),
        ObstacleKind::Furniture => (Colour::hex(0xc8_a9_84), "furniture"),
        ObstacleKind::Block => (Colour::hex(0x8c_8c_94), "block"),
    }
}

/// Where the node of a zone is drawn: the point of a coarse grid over its box that is in the zone
/// and nearest to the middle.
fn node_of(scene: &throng_scene::ValidScene, id: ZoneId, zone: &throng_scene::Zone) -> Point {
    let bounds = zone.polygon.bounds();
    let middle = bounds.min.midpoint(bounds.max);
    let share = |part: u32| (f64::from(part) + 0.5) / 9.0;
    let between = |from: f64, to: f64, part: u32| from + (to - from) * share(part);
    let points = (0..81).map(|number| {
        let x = between(bounds.min.x, bounds.max.x, number % 9);
        Point::new(x, between(bounds.min.y, bounds.max.y, number / 9))
    });
    let inside = points.filter(|point| scene.zone_of(*point, zone.level) == Some(id));
    let distance = |point: &Point| point.distance_squared(middle);
    inside.min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap_or(middle)
}

#[cfg(test)]
mod tests {
    use throng_scene::Level;

    use super::*;

    #[test]
    fn steps_that_continue_each_other_are_one_line() {
        let node = |x, y| GhostNode { level: Level::GROUND, y, x };
        let row = [0, 1, 2].map(|x| [node(x, 0), node(x + 1, 0)]);
        let apart = [node(5, 0), node(6, 0)];
        let longer = [node(6, 0), node(8, 0)];
        let slanted = [node(1, 0), node(2, 1)];
        let steps = row.into_iter().chain([apart, longer, slanted]).collect();
        let lines = straight_lines(&steps);
        assert_eq!(lines, [[node(0, 0), node(3, 0)], slanted, apart, longer]);
    }
}
