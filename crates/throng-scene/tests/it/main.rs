//! Tests of the crate through its public face.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a broken test should stop at once")]

mod bodies;
mod edits;
mod files;
mod geometry;
mod ghosts;
mod mistakes;
mod pathfinder;
mod slants;
mod towns;

use throng_scene::{Level, ObstacleKind, ObstacleRecord, Point, Scene, ValidScene, ZoneRecord};

/// Corners from pairs.
fn corners(pairs: &[(f64, f64)]) -> Vec<Point> {
    pairs.iter().map(|&(x, y)| Point::new(x, y)).collect()
}

/// The corners of a rectangle.
fn rectangle(x0: f64, y0: f64, x1: f64, y1: f64) -> Vec<Point> {
    corners(&[(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
}

fn obstacle(name: &str, corners: Vec<Point>) -> ObstacleRecord {
    let kind = ObstacleKind::Block;
    ObstacleRecord { name: name.to_owned(), kind, level: Level::GROUND, corners }
}

fn zone(name: &str, corners: Vec<Point>) -> ZoneRecord {
    ZoneRecord { name: name.to_owned(), level: Level::GROUND, corners }
}

/// A square field of one zone.
fn field(side: f64) -> Scene {
    let mut scene = Scene::empty("field", side, side, 1);
    scene.zones.push(zone("field", rectangle(0.0, 0.0, side, side)));
    scene
}

fn valid(scene: Scene) -> ValidScene {
    let name = scene.name.clone();
    scene.validate().unwrap_or_else(|errors| panic!("{name}: {errors}"))
}
