//! Every mistake that validation finds, each in a scene that is right but for it.

use throng_scene::limits::{CORNERS_MAX, ERRORS_MAX, LEVELS_MAX, NAME_BYTES_MAX};
use throng_scene::{
    GateKind, GateRecord, GateSideRecord, ItemRecord, Level, PlayerRecord, Point, Scene,
};

use crate::{corners, field, obstacle, rectangle, valid, zone};

/// Two rooms with a door on the ground, a room above the left one, stairs, an item, a player.
fn house() -> Scene {
    let mut scene = Scene::empty("house", 8.0, 4.0, 2);
    scene.zones.push(zone("left", rectangle(0.0, 0.0, 4.0, 4.0)));
    scene.zones.push(zone("right", rectangle(4.0, 0.0, 8.0, 4.0)));
    let mut upper = zone("upper", rectangle(0.0, 0.0, 4.0, 4.0));
    upper.level = Level(1);
    scene.zones.push(upper);
    scene.obstacles.push(obstacle("wall", rectangle(3.9, 0.0, 4.1, 3.0)));
    scene.gates.push(gate("door", GateKind::Door, ("left", 3.5, 3.5), ("right", 4.5, 3.5)));
    scene.gates.push(gate("stairs", GateKind::Stairs, ("left", 1.0, 1.0), ("upper", 1.0, 1.0)));
    scene.items.push(item("orb", 2.0, 2.0));
    scene.players.push(player("anna", 5.0, 2.0));
    scene
}

fn gate(name: &str, kind: GateKind, a: (&str, f64, f64), b: (&str, f64, f64)) -> GateRecord {
    let side = |(zone, x, y): (&str, f64, f64)| GateSideRecord {
        zone: zone.to_owned(),
        at: Point::new(x, y),
    };
    GateRecord { name: name.to_owned(), kind, sides: [side(a), side(b)] }
}

fn item(name: &str, x: f64, y: f64) -> ItemRecord {
    ItemRecord { name: name.to_owned(), level: Level::GROUND, at: Point::new(x, y) }
}

fn player(name: &str, x: f64, y: f64) -> PlayerRecord {
    let (level, at) = (Level::GROUND, Point::new(x, y));
    PlayerRecord { name: name.to_owned(), level, at, radius: 0.12 }
}

/// The house with a mistake is refused with exactly that message, from code and from a file.
fn check(mistake: impl Fn(&mut Scene), expected: &str) {
    let mut scene = house();
    mistake(&mut scene);
    if let Ok(text) = scene.write() {
        let read = Scene::read(text.as_bytes()).unwrap();
        assert_eq!(read.validate().unwrap_err().to_string(), expected);
    }
    assert_eq!(scene.validate().unwrap_err().to_string(), expected);
}

#[test]
fn the_house_itself_is_right() {
    let scene = valid(house());
    assert_eq!(scene.gates_of(scene.zone_named("left").unwrap()).len(), 2);
}

#[test]
fn sizes() {
    check(|s| s.width = 0.0, "a scene of 0 x 4 units: each side must be above 0, at most 10000");
    check(
        |s| s.height = f64::NAN,
        "a scene of 8 x NaN units: each side must be above 0, at most 10000",
    );
    check(
        |s| s.width = 1e9,
        "a scene of 1000000000 x 4 units: each side must be above 0, at most 10000",
    );
    check(|s| s.levels = 0, "0 levels: a scene has 1 to 32");
    check(|s| s.levels = LEVELS_MAX + 1, "33 levels: a scene has 1 to 32");
}

#[test]
fn too_many() {
    let many = |s: &mut Scene| s.zones = vec![zone("z", Vec::new()); 10_001];
    let mut scene = house();
    many(&mut scene);
    let errors = scene.validate().unwrap_err();
    assert!(errors.to_string().starts_with("10001 zones: at most 10000 are allowed"), "{errors}");
    assert_eq!(errors.0.len(), ERRORS_MAX);
    let corners = |s: &mut Scene| s.obstacles[0].corners = vec![Point::default(); 300_000];
    check(corners, "300012 corners: at most 200000 are allowed; split the scene");
}

#[test]
fn names() {
    check(
        |s| s.obstacles[0].name.clear(),
        "obstacle \"\" has a name of 0 bytes: give it one of 1 to 100",
    );
    check(
        |s| s.items[0].name = "x".repeat(NAME_BYTES_MAX + 1),
        "item \"xxxxxxxxxxxxxxxxxxxx\" has a name of 101 bytes: give it one of 1 to 100",
    );
    let twice = |s: &mut Scene| s.players.push(s.players[0].clone());
    check(twice, "player \"anna\" exists twice: names must differ");
    let twice = |s: &mut Scene| s.obstacles.push(s.obstacles[0].clone());
    check(twice, "obstacle \"wall\" exists twice: names must differ");
    let twice = |s: &mut Scene| s.gates.push(s.gates[0].clone());
    check(twice, "gate \"door\" exists twice: names must differ");
    let twice = |s: &mut Scene| s.items.push(s.items[0].clone());
    check(twice, "item \"orb\" exists twice: names must differ");
}

#[test]
fn levels() {
    check(
        |s| s.obstacles[0].level = Level(2),
        "obstacle \"wall\" is on level 2: the scene has levels 0 to 1",
    );
    check(
        |s| s.items[0].level = Level(9),
        "item \"orb\" is on level 9: the scene has levels 0 to 1",
    );
}

fn check_wall(pairs: &[(f64, f64)], expected: &str) {
    check(|s| s.obstacles[0].corners = corners(pairs), &format!("obstacle \"wall\"{expected}"));
}

#[test]
fn polygons() {
    check_wall(&[(1.0, 1.0), (2.0, 2.0)], ": it has 2 corners: a polygon needs at least 3");
    check_wall(&[], ": it has 0 corners: a polygon needs at least 3");
    check_wall(
        &vec![(0.0, 0.0); CORNERS_MAX + 1],
        ": it has 1025 corners: at most 1024 are allowed; split the polygon",
    );
    check_wall(
        &[(1.0, f64::NAN), (2.0, 2.0), (1.0, 2.0)],
        ": corner 0 is (1, NaN): coordinates must be within plus or minus 10000",
    );
    check_wall(
        &[(1.0, 1.0), (f64::INFINITY, 2.0), (1.0, 2.0)],
        ": corner 1 is (inf, 2): coordinates must be within plus or minus 10000",
    );
    check_wall(
        &[(1.0, 1.0), (2.0, 2.0), (2.0, 1.0), (1.0, 2.0)],
        ": the edges from corner 0 (1, 1) and from corner 2 (2, 1) meet: list the corners once, around the outside",
    );
    check_wall(
        &[(5.0, 1.0), (9.0, 1.0), (5.0, 2.0)],
        " reaches (9, 1): the map is 8 x 4 units from (0, 0)",
    );
}

#[test]
fn degenerate_polygons() {
    let meets = |pairs: &[(f64, f64)]| {
        let mut scene = house();
        scene.obstacles[0].corners = corners(pairs);
        let message = scene.validate().unwrap_err().to_string();
        assert!(message.contains("meet:"), "{pairs:?}: {message}");
    };
    meets(&[(1.0, 1.0), (2.0, 2.0), (3.0, 3.0)]);
    meets(&[(1.0, 1.0), (1.0, 1.0), (3.0, 1.0), (2.0, 3.0)]);
    meets(&[(1.0, 1.0), (3.0, 1.0), (3.0, 3.0), (1.0, 1.0)]);
    meets(&[(1.0, 1.0), (3.0, 1.0), (2.0, 1.0), (2.0, 3.0)]);
    meets(&[(1.0, 1.0), (3.0, 1.0), (3.0, 3.0), (2.0, 1.0), (1.0, 3.0)]);
    meets(&[(1.0, 1.0); 4]);
}

#[test]
fn zones() {
    let overlap = |s: &mut Scene| s.zones[1].corners = rectangle(3.5, 0.0, 8.0, 4.0);
    check(
        overlap,
        "zone \"left\" and zone \"right\" overlap: zones are apart, or one is inside the other",
    );
    let same = |s: &mut Scene| s.zones.push(zone("twin", rectangle(4.0, 0.0, 8.0, 4.0)));
    check(
        same,
        "zone \"right\" and zone \"twin\" overlap: zones are apart, or one is inside the other",
    );
    let across = |s: &mut Scene| s.zones.push(zone("hall", rectangle(3.0, 1.0, 5.0, 2.0)));
    check(
        across,
        "zone \"left\" and zone \"hall\" overlap: zones are apart, or one is inside the other\n\
         zone \"right\" and zone \"hall\" overlap: zones are apart, or one is inside the other",
    );
}

#[test]
fn zones_that_only_touch_or_nest_are_right() {
    let with = |shape: Vec<Point>| {
        let mut scene = field(8.0);
        scene.zones.push(zone("first", corners(&[(2.0, 2.0), (6.0, 3.0), (5.0, 6.0), (2.0, 6.0)])));
        scene.zones.push(zone("second", shape));
        scene.validate().is_ok()
    };
    assert!(with(corners(&[(2.0, 2.0), (6.0, 3.0), (6.0, 1.0)])), "a common edge askew");
    assert!(with(corners(&[(2.0, 2.0), (6.0, 3.0), (5.0, 6.0)])), "nested, two common edges");
    assert!(with(rectangle(0.0, 0.0, 2.0, 8.0)), "a part of an edge in common");
    assert!(with(rectangle(3.0, 3.0, 4.0, 4.0)), "nested");
    assert!(with(corners(&[(6.0, 3.0), (8.0, 2.0), (8.0, 4.0)])), "a corner in common");
    assert!(!with(corners(&[(2.0, 2.0), (6.0, 3.0), (5.0, 6.0), (3.0, 6.5)])), "beyond an edge");
    assert!(!with(corners(&[(2.0, 2.0), (5.0, 6.0), (8.0, 8.0)])), "through two corners and out");
}

#[test]
fn too_many_corners_in_zones_that_lie_in_each_other_stop_the_comparison() {
    let mut scene = field(8000.0);
    // Rings within rings, each with 600 corners.
    for ring in 0..200_u32 {
        let size = 7000.0 - 30.0 * f64::from(ring);
        let steps = (0..300).map(f64::from);
        let lower = steps.clone().map(|i| (500.0 + i * size / 300.0, 500.0 + i * i / 90.0));
        let upper = steps.rev().map(|i| (500.0 + i * size / 300.0, 7000.0 - f64::from(ring)));
        scene
            .zones
            .push(zone(&format!("ring {ring}"), corners(&lower.chain(upper).collect::<Vec<_>>())));
    }
    let message = scene.validate().unwrap_err().to_string();
    assert!(message.contains("too many corners near each other"), "{message}");
}

#[test]
fn gates() {
    let lost = |s: &mut Scene| s.gates[0].sides[1].zone = "attic".to_owned();
    check(lost, "gate \"door\" leads to zone \"attic\", which does not exist");
    let moved = |s: &mut Scene| s.gates[0].sides[1].at = Point::new(3.0, 3.5);
    check(
        moved,
        "gate \"door\": its point (3, 3.5) is not in zone \"right\" but in zone \"left\"; move the point",
    );
    let nowhere = |s: &mut Scene| s.gates[1].sides[1].at = Point::new(7.0, 1.0);
    check(
        nowhere,
        "gate \"stairs\": its point (7, 1) is not in zone \"upper\" but in no zone; move the point",
    );
    let off = |s: &mut Scene| s.gates[0].sides[1].at = Point::new(9.0, f64::NAN);
    check(off, "gate \"door\" reaches (9, NaN): the map is 8 x 4 units from (0, 0)");
    let walled = |s: &mut Scene| s.gates[0].sides[0].at = Point::new(3.95, 1.0);
    check(walled, "gate \"door\" at (3.95, 1) is inside obstacle \"wall\": move one of them");
    let itself = |s: &mut Scene| {
        s.gates[0] = gate("door", GateKind::Door, ("left", 1.0, 1.0), ("left", 2.0, 1.0));
    };
    check(itself, "gate \"door\" leads from zone \"left\" to itself: name two zones");
    let flat = |s: &mut Scene| s.gates[0].kind = GateKind::Stairs;
    check(
        flat,
        "gate \"door\" leads from level 0 to level 0: doors stay on a level, stairs leave it",
    );
    let steep = |s: &mut Scene| s.gates[1].kind = GateKind::Door;
    check(
        steep,
        "gate \"stairs\" leads from level 0 to level 1: doors stay on a level, stairs leave it",
    );
}

#[test]
fn items_and_players() {
    check(
        |s| s.items[0].at = Point::new(4.0, 1.0),
        "item \"orb\" at (4, 1) is inside obstacle \"wall\": move one of them",
    );
    check(
        |s| s.players[0].at = Point::new(-1.0, 1.0),
        "player \"anna\" reaches (-1, 1): the map is 8 x 4 units from (0, 0)",
    );
    check(
        |s| (s.players[0].level, s.players[0].at) = (Level(1), Point::new(7.0, 1.0)),
        "player \"anna\" at (7, 1) is in no zone: move it, or draw a zone there",
    );
    check(
        |s| s.players[0].radius = 0.0,
        "player \"anna\" has radius 0: give a number above 0 and at most 100",
    );
    check(
        |s| s.players[0].radius = f64::INFINITY,
        "player \"anna\" has radius inf: give a number above 0 and at most 100",
    );
}
