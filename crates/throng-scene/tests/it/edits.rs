//! A thousand random edits: the index always says what a look at every obstacle says.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use throng_model::Revision;
use throng_scene::{Level, ObstacleId, ObstacleRecord, Point, SceneError, ValidScene, town};

use crate::{corners, field, obstacle, rectangle, valid};

fn random_obstacle(name: u32, rng: &mut Pcg64Mcg) -> ObstacleRecord {
    let mut eighths = |range: std::ops::Range<u32>| f64::from(rng.random_range(range)) / 8.0;
    let (x, y) = (eighths(8..200), eighths(8..200));
    let (long, short) = (eighths(1..20), eighths(1..8));
    let shape = corners(&[(x, y), (x + long, y + short), (x, y + long + 1.0)]);
    let mut record = obstacle(&format!("edit {name}"), shape);
    record.level = Level(rng.random_range(0..2_u8));
    record
}

/// Every query by looking at all obstacles.
fn check_against_scan(scene: &ValidScene, rng: &mut Pcg64Mcg) {
    let mut coordinate = || f64::from(rng.random_range(0..=30_000_u32)) / 1000.0;
    let (from, to) =
        (Point::new(coordinate(), coordinate()), Point::new(coordinate(), coordinate()));
    for level in scene.levels() {
        let on_level = || scene.obstacles().filter(move |(_, o)| o.level == level);
        let near: Vec<ObstacleId> = on_level()
            .filter(|(_, o)| o.polygon.distance_squared(from, from) <= 4.0)
            .map(|(id, _)| id)
            .collect();
        assert_eq!(scene.obstacles_near(from, level, 2.0), near);
        let radius = 0.12;
        let on_map = |p: Point| {
            (radius..=30.0 - radius).contains(&p.x) && (radius..=30.0 - radius).contains(&p.y)
        };
        let to = Point::new(from.x + (to.x - from.x) / 10.0, from.y + (to.y - from.y) / 10.0);
        let clear = on_map(from)
            && on_map(to)
            && on_level().all(|(_, o)| o.polygon.distance_squared(from, to) >= radius * radius);
        assert_eq!(scene.is_clear(from, to, level, radius), clear, "{from} {to}");
        let zones = scene.zones().iter().zip(0..).filter(|(z, _)| z.level == level);
        let smallest = zones
            .filter(|(z, _)| z.polygon.contains(from))
            .min_by(|(a, _), (b, _)| a.polygon.area().total_cmp(&b.polygon.area()));
        assert_eq!(scene.zone_of(from, level).map(|zone| zone.0), smallest.map(|(_, id)| id));
    }
}

#[test]
fn the_index_follows_a_thousand_edits() {
    let mut rng = Pcg64Mcg::seed_from_u64(5);
    let mut scene = valid(town(4));
    let mut present: Vec<ObstacleId> = scene.obstacles().map(|(id, _)| id).collect();
    let mut gone: Vec<ObstacleId> = Vec::new();
    for edit in 0..1000 {
        let before = scene.revision();
        let change = if rng.random() {
            let record = random_obstacle(edit, &mut rng);
            let (id, change) = scene.add_obstacle(record.clone()).unwrap();
            present.push(id);
            assert!(record.corners.iter().all(|corner| change.bounds.contains(*corner)));
            change
        } else {
            let chosen = rng.random_range(0..present.len() as u64) as usize;
            let id = present.swap_remove(chosen);
            gone.push(id);
            let polygon = scene.obstacle(id).unwrap().polygon.clone();
            let change = scene.remove_obstacle(id).unwrap();
            assert_eq!(change.bounds, polygon.bounds());
            change
        };
        assert_eq!((change.before, change.after), (before, Revision(before.0 + 1)));
        assert_eq!(scene.revision(), change.after);
        assert_eq!(scene.obstacles().count(), present.len());
        check_against_scan(&scene, &mut rng);
    }
    assert!(gone.len() > 300);
    for id in gone {
        assert_eq!(scene.obstacle(id), None);
        assert_eq!(scene.remove_obstacle(id), Err(SceneError::NoSuchObstacle(id)));
    }
    check_edited_scene_reads_back(&scene);
}

fn check_edited_scene_reads_back(scene: &ValidScene) {
    let data = scene.to_scene();
    // An edit may have put an obstacle on a gate, which a file must not have.
    let again = throng_scene::Scene::read(data.write().unwrap().as_bytes()).unwrap();
    assert_eq!(again, data);
}

#[test]
fn an_edit_that_is_refused_changes_nothing() {
    let mut scene = valid(field(10.0));
    scene.add_obstacle(obstacle("rock", rectangle(1.0, 1.0, 2.0, 2.0))).unwrap();
    let before = scene.to_scene();
    let refused = [
        obstacle("rock", rectangle(5.0, 5.0, 6.0, 6.0)),
        obstacle("", rectangle(5.0, 5.0, 6.0, 6.0)),
        obstacle("far", rectangle(5.0, 5.0, 16.0, 6.0)),
        obstacle("line", corners(&[(1.0, 1.0), (2.0, 2.0)])),
        ObstacleRecord { level: Level(1), ..obstacle("up", rectangle(5.0, 5.0, 6.0, 6.0)) },
    ];
    for record in refused {
        let name = record.name.clone();
        assert!(scene.add_obstacle(record).is_err(), "{name}");
        assert_eq!(scene.to_scene(), before);
        assert_eq!(scene.revision(), Revision(1));
    }
}

#[test]
fn a_handle_never_means_another_obstacle() {
    let mut scene = valid(field(10.0));
    let rock = || obstacle("rock", rectangle(1.0, 1.0, 2.0, 2.0));
    let (first, _) = scene.add_obstacle(rock()).unwrap();
    scene.remove_obstacle(first).unwrap();
    let (second, _) = scene.add_obstacle(rock()).unwrap();
    assert_ne!(first, second);
    assert_eq!(scene.obstacle(first), None);
    assert!(scene.obstacle(second).is_some());
    assert!(scene.remove_obstacle(first).is_err());
}
