//! Validation: turns a scene as written into a valid scene, or names every mistake.

use std::collections::{BTreeMap, BTreeSet};

use throng_model::Revision;

use crate::geometry::nesting::apart_or_nested;
use crate::scene::crowding::crowding;
use crate::scene::error::Subject;
use crate::scene::limits::{
    BODIES_MAX, CORNERS_TOTAL_MAX, EDGE_PAIRS_MAX, GATES_MAX, LEVELS_MAX, NAME_BYTES_MAX,
    OBSTACLES_MAX, RADIUS_MAX, SIDE_MAX, ZONES_MAX,
};
use crate::scene::obstacles::{Obstacle, Obstacles};
use crate::scene::slants::Slants;
use crate::scene::valid::{Frame, Gate, GateId, GateSide, ValidScene, Zone, ZoneId, index_zones};
use crate::scene::{GateKind, GateRecord, GateSideRecord, ObstacleRecord, ZoneRecord};
use crate::{Level, Point, Polygon, Scene, SceneError, SceneErrors};

pub(crate) fn validate(scene: Scene) -> Result<ValidScene, SceneErrors> {
    let mut errors = SceneErrors(Vec::new());
    check_sizes(&scene, &mut errors);
    check_names(&scene, &mut errors);
    stop_at(&errors)?;
    let frame = Frame { width: scene.width, height: scene.height, levels: scene.levels };
    let obstacles = collect(scene.obstacles, &mut errors, |record| obstacle_of(record, &frame));
    let zones = collect(scene.zones, &mut errors, |record| zone_of(record, &frame));
    check_nesting(&zones, &mut errors);
    stop_at(&errors)?;
    let mut valid = ValidScene {
        name: scene.name,
        width: scene.width,
        height: scene.height,
        levels: scene.levels,
        slants: Slants::new(&obstacles, scene.levels),
        obstacles: Obstacles::new(obstacles, scene.levels),
        zone_index: index_zones(&zones, scene.levels),
        zone_names: zones.iter().zip(0..).map(|(z, id)| (z.name.clone(), ZoneId(id))).collect(),
        zones,
        gates: Vec::new(),
        gates_of: Vec::new(),
        items: scene.items,
        players: scene.players,
        revision: Revision::default(),
    };
    valid.gates = collect(scene.gates, &mut errors, |record| gate_of(record, &valid));
    check_bodies(&valid, &mut errors);
    stop_at(&errors)?;
    valid.gates_of = gates_by_zone(&valid);
    for zone in 0..valid.zones.len() {
        valid.zones[zone].crowding = crowding(&valid, ZoneId(zone as u32));
    }
    Ok(valid)
}

fn stop_at(errors: &SceneErrors) -> Result<(), SceneErrors> {
    if errors.0.is_empty() { Ok(()) } else { Err(errors.clone()) }
}

/// Converts the records; mistakes go to `errors`.
fn collect<Record, Made>(
    records: Vec<Record>,
    errors: &mut SceneErrors,
    make: impl Fn(Record) -> Result<Made, SceneError>,
) -> Vec<Made> {
    let keep = |made: Result<Made, SceneError>| made.map_err(|error| errors.push(error)).ok();
    records.into_iter().map(make).filter_map(keep).collect()
}

fn check_sizes(scene: &Scene, errors: &mut SceneErrors) {
    let (width, height) = (scene.width, scene.height);
    if [width, height].iter().any(|side| !(*side > 0.0 && *side <= SIDE_MAX)) {
        errors.push(SceneError::Size { width, height });
    }
    if !(1..=LEVELS_MAX).contains(&scene.levels) {
        errors.push(SceneError::Levels { given: scene.levels });
    }
    let corners = scene.obstacles.iter().map(|obstacle| obstacle.corners.len()).sum::<usize>()
        + scene.zones.iter().map(|zone| zone.corners.len()).sum::<usize>();
    let counts = [
        ("obstacles", scene.obstacles.len(), OBSTACLES_MAX),
        ("zones", scene.zones.len(), ZONES_MAX),
        ("gates", scene.gates.len(), GATES_MAX),
        ("items", scene.items.len(), BODIES_MAX),
        ("players", scene.players.len(), BODIES_MAX),
        ("corners", corners, CORNERS_TOTAL_MAX),
    ];
    for (what, given, max) in counts.into_iter().filter(|(_, given, max)| given > max) {
        errors.push(SceneError::TooMany { what, given, max });
    }
}

fn check_names(scene: &Scene, errors: &mut SceneErrors) {
    check_names_of("obstacle", scene.obstacles.iter().map(|o| &o.name), errors);
    check_names_of("zone", scene.zones.iter().map(|z| &z.name), errors);
    check_names_of("gate", scene.gates.iter().map(|g| &g.name), errors);
    check_names_of("item", scene.items.iter().map(|i| &i.name), errors);
    check_names_of("player", scene.players.iter().map(|p| &p.name), errors);
}

fn check_names_of<'a>(
    kind: &'static str,
    names: impl Iterator<Item = &'a String>,
    errors: &mut SceneErrors,
) {
    let mut seen = BTreeSet::new();
    for name in names {
        if let Err(error) = check_name(kind, name) {
            errors.push(error);
        } else if !seen.insert(name) {
            errors.push(SceneError::DuplicateName(Subject { kind, name: name.clone() }));
        }
    }
}

fn check_name(kind: &'static str, name: &str) -> Result<(), SceneError> {
    match name.len() {
        1..=NAME_BYTES_MAX => Ok(()),
        bytes => {
            let subject = Subject { kind, name: name.chars().take(20).collect() };
            Err(SceneError::Name { subject, bytes })
        }
    }
}

/// An obstacle from its record.
pub(crate) fn obstacle_of(record: ObstacleRecord, frame: &Frame) -> Result<Obstacle, SceneError> {
    check_name("obstacle", &record.name)?;
    let subject = Subject { kind: "obstacle", name: record.name.clone() };
    let polygon = polygon_of(subject, record.level, &record.corners, frame)?;
    Ok(Obstacle { name: record.name, kind: record.kind, level: record.level, polygon })
}

fn zone_of(record: ZoneRecord, frame: &Frame) -> Result<Zone, SceneError> {
    let subject = Subject { kind: "zone", name: record.name.clone() };
    let polygon = polygon_of(subject, record.level, &record.corners, frame)?;
    Ok(Zone { name: record.name, level: record.level, polygon, crowding: 0.0 })
}

fn polygon_of(
    subject: Subject,
    level: Level,
    corners: &[Point],
    frame: &Frame,
) -> Result<Polygon, SceneError> {
    check_level(&subject, level, frame)?;
    let polygon = match Polygon::new(corners) {
        Ok(polygon) => polygon,
        Err(error) => return Err(SceneError::Polygon { subject, error }),
    };
    for corner in polygon.corners() {
        check_on_map(&subject, *corner, frame)?;
    }
    Ok(polygon)
}

fn check_level(subject: &Subject, level: Level, frame: &Frame) -> Result<(), SceneError> {
    if level.0 < frame.levels {
        return Ok(());
    }
    let last = Level(frame.levels.saturating_sub(1));
    Err(SceneError::NoSuchLevel { subject: subject.clone(), level, last })
}

fn check_on_map(subject: &Subject, at: Point, frame: &Frame) -> Result<(), SceneError> {
    let (width, height) = (frame.width, frame.height);
    if (0.0..=width).contains(&at.x) && (0.0..=height).contains(&at.y) {
        return Ok(());
    }
    Err(SceneError::OutsideMap { subject: subject.clone(), at, width, height })
}

/// Compares every pair of zones whose boxes touch, up to a limit of work.
fn check_nesting(zones: &[Zone], errors: &mut SceneErrors) {
    let mut edge_pairs = 0;
    for (number, first) in zones.iter().enumerate() {
        for second in &zones[..number] {
            let (a, b) = (&first.polygon, &second.polygon);
            if first.level != second.level || !a.bounds().touches(b.bounds()) {
                continue;
            }
            edge_pairs += a.corners().len() * b.corners().len();
            if edge_pairs > EDGE_PAIRS_MAX {
                return errors.push(SceneError::ZonesTooComplex { zone: first.name.clone() });
            }
            if !apart_or_nested(a, b) {
                let (first, second) = (second.name.clone(), first.name.clone());
                errors.push(SceneError::ZonesOverlap { first, second });
            }
        }
    }
}

fn gate_of(record: GateRecord, scene: &ValidScene) -> Result<Gate, SceneError> {
    let GateRecord { name, kind, sides: [from, to] } = record;
    let sides = [side_of(&name, &from, scene)?, side_of(&name, &to, scene)?];
    if sides[0].zone == sides[1].zone {
        return Err(SceneError::GateToItself { gate: name, zone: from.zone });
    }
    let [from, to] = [sides[0].level, sides[1].level];
    if (kind == GateKind::Door) != (from == to) {
        return Err(SceneError::GateLevels { gate: name, from, to });
    }
    Ok(Gate { name, kind, sides })
}

fn side_of(gate: &str, side: &GateSideRecord, scene: &ValidScene) -> Result<GateSide, SceneError> {
    let subject = Subject { kind: "gate", name: gate.to_owned() };
    let Some(zone) = scene.zone_named(&side.zone) else {
        return Err(SceneError::UnknownZone { gate: subject.name, zone: side.zone.clone() });
    };
    let level = scene.zones[zone.index()].level;
    check_on_map(&subject, side.at, &scene.frame())?;
    let found = scene.zone_of(side.at, level);
    if found != Some(zone) {
        let found = found.map_or("in no zone".to_owned(), |found| {
            format!("in zone \"{}\"", scene.zones[found.index()].name)
        });
        let (gate, zone) = (subject.name, side.zone.clone());
        return Err(SceneError::GateOutsideZone { gate, at: side.at, zone, found });
    }
    check_outside_obstacles(subject, side.at, level, scene)?;
    Ok(GateSide { zone, level, at: side.at })
}

fn check_outside_obstacles(
    subject: Subject,
    at: Point,
    level: Level,
    scene: &ValidScene,
) -> Result<(), SceneError> {
    match scene.obstacles.containing(at, level) {
        Some(obstacle) => {
            Err(SceneError::InsideObstacle { subject, at, obstacle: obstacle.name.clone() })
        }
        None => Ok(()),
    }
}

fn check_bodies(scene: &ValidScene, errors: &mut SceneErrors) {
    let items = scene.items.iter().map(|item| ("item", &item.name, item.level, item.at));
    let players = scene.players.iter().map(|body| ("player", &body.name, body.level, body.at));
    for (kind, name, level, at) in items.chain(players) {
        let subject = Subject { kind, name: name.clone() };
        if let Err(error) = check_body(subject, level, at, scene) {
            errors.push(error);
        }
    }
    for body in &scene.players {
        let radius = body.radius;
        if !(radius > 0.0 && radius <= RADIUS_MAX) {
            let subject = Subject { kind: "player", name: body.name.clone() };
            errors.push(SceneError::Radius { subject, radius });
        }
    }
}

fn check_body(
    subject: Subject,
    level: Level,
    at: Point,
    scene: &ValidScene,
) -> Result<(), SceneError> {
    let frame = scene.frame();
    check_level(&subject, level, &frame)?;
    check_on_map(&subject, at, &frame)?;
    if scene.zone_of(at, level).is_none() {
        return Err(SceneError::InNoZone { subject, at });
    }
    check_outside_obstacles(subject, at, level, scene)
}

fn gates_by_zone(scene: &ValidScene) -> Vec<Vec<GateId>> {
    let mut by_zone: BTreeMap<usize, Vec<GateId>> = BTreeMap::new();
    for (gate, id) in scene.gates.iter().zip(0..) {
        for side in &gate.sides {
            by_zone.entry(side.zone.index()).or_default().push(GateId(id));
        }
    }
    (0..scene.zones.len()).map(|zone| by_zone.remove(&zone).unwrap_or_default()).collect()
}
