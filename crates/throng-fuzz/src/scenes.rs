//! Polygon scenes: every scene that passes validation reads back as the same, and can be explored
//! and edited.
#![expect(clippy::panic, reason = "a property that does not hold stops the case; main catches it")]

use throng_scene::{CollisionMeter, Ghost, GhostOptions, Scene, explore};

/// The longest error message, in bytes: 32 mistakes, each with two names.
const MESSAGE_BYTES_MAX: usize = 20_000;
/// The most places that the ghost explores.
const PLACES_MAX: usize = 200;

/// Reads, validates, writes and reads again; then walks, edits and compares.
pub(crate) fn scene(bytes: &[u8]) -> bool {
    let read = match Scene::read(bytes) {
        Ok(read) => read,
        Err(error) => return refused(&error.to_string()),
    };
    let mut valid = match read.validate() {
        Ok(valid) => valid,
        Err(errors) => return refused(&errors.to_string()),
    };
    let data = valid.to_scene();
    let text = data.write().unwrap_or_else(|error| panic!("not written: {error}"));
    let again = Scene::read(text.as_bytes()).unwrap_or_else(|error| panic!("{error}\nin {text}"));
    assert_eq!(again, data, "reads back as another:\n{text}");
    let meter = CollisionMeter::new();
    for player in valid.players() {
        let options = GhostOptions { radius: player.radius, ..GhostOptions::default() };
        let Ok(ghost) = Ghost::new(&valid, options, &meter) else { continue };
        let places = ghost.snap(player.at, player.level).map(|at| explore(&ghost, at, PLACES_MAX));
        let mut points = places.iter().flatten().map(|place| (ghost.point(*place), place.level));
        assert!(points.all(|(at, level)| valid.is_clear(at, at, level, player.radius)));
    }
    let obstacles: Vec<_> = valid.obstacles().map(|(id, _)| id).collect();
    for id in obstacles {
        valid.remove_obstacle(id).unwrap_or_else(|error| panic!("not removed: {error}"));
    }
    true
}

fn refused(message: &str) -> bool {
    assert!(message.len() <= MESSAGE_BYTES_MAX, "a message of {} bytes", message.len());
    assert!(!message.is_empty(), "an empty error message");
    false
}
