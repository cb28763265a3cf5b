//! Scenes, locations and pathfinders for the tests.

use std::collections::BTreeMap;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use throng_scene::{
    CollisionMeter, GateKind, GateRecord, GateSideRecord, Ghost, GhostOptions, Level, ObstacleKind,
    ObstacleRecord, Point, Scene, TownOptions, ValidScene, ZoneRecord, town_with,
};
use throng_scene::{
    Location, Method, PathCacheOptions, PathfinderOptions, Sample, ScenePathfinder, WalkMetrics,
    WalkOutcome,
};

/// Two rooms with a door half a unit wide at the top.
pub(crate) fn rooms() -> ValidScene {
    let file = r#"{
      "version": 1, "name": "two rooms", "width": 4, "height": 2, "levels": 1,
      "obstacles": [
        {"name": "wall", "kind": "wall", "level": 0,
         "corners": [[1.9, 0], [2.1, 0], [2.1, 1.5], [1.9, 1.5]]}
      ],
      "zones": [
        {"name": "left", "level": 0, "corners": [[0, 0], [2, 0], [2, 2], [0, 2]]},
        {"name": "right", "level": 0, "corners": [[2, 0], [4, 0], [4, 2], [2, 2]]}
      ],
      "gates": [
        {"name": "door", "kind": "door",
         "sides": [{"zone": "left", "at": [1.75, 1.75]}, {"zone": "right", "at": [2.25, 1.75]}]}
      ]
    }"#;
    Scene::read(file.as_bytes()).unwrap().validate().unwrap()
}

/// Four houses with a door each, made here so that golden values depend on no generator.
pub(crate) fn hamlet() -> ValidScene {
    let mut scene = Scene::empty("hamlet", 12.0, 12.0, 1);
    let rectangle = |x: f64, y: f64, width: f64, height: f64| {
        let corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)];
        corners.map(|(x, y)| Point::new(x, y)).to_vec()
    };
    let zone = |name: &str, corners| ZoneRecord { name: name.to_owned(), level: Level(0), corners };
    scene.zones.push(zone("outside", rectangle(0.0, 0.0, 12.0, 12.0)));
    for (number, (x, y)) in [(1.5, 1.5), (7.0, 2.0), (2.0, 7.5), (7.5, 7.0)].into_iter().enumerate()
    {
        let name = format!("house {number}");
        let sides = [("outside", y - 0.25), (name.as_str(), y + 0.5)].map(|(zone, height)| {
            GateSideRecord { zone: zone.to_owned(), at: Point::new(x + 1.75, height) }
        });
        scene.gates.push(GateRecord { name: name.clone(), kind: GateKind::Door, sides });
        scene.zones.push(zone(&name, rectangle(x, y, 3.0, 3.0)));
        let walls = [
            (x, y, 1.5, 0.25),
            (x + 2.0, y, 1.0, 0.25),
            (x, y + 2.75, 3.0, 0.25),
            (x, y + 0.25, 0.25, 2.5),
            (x + 2.75, y + 0.25, 0.25, 2.5),
        ];
        for (side, (x, y, width, height)) in walls.into_iter().enumerate() {
            let name = format!("{name} wall {side}");
            let corners = rectangle(x, y, width, height);
            let kind = ObstacleKind::Wall;
            scene.obstacles.push(ObstacleRecord { name, kind, level: Level(0), corners });
        }
    }
    scene.validate().unwrap()
}

/// A town of nine lots: enough for all methods, small enough to search often.
pub(crate) fn small_town(seed: u64) -> ValidScene {
    let options = TownOptions { side: 15, houses: 6, trees: 20, players: 0 };
    town_with(seed, options).unwrap().validate().unwrap()
}

/// Random locations where the default body can be.
pub(crate) struct Places {
    rng: Pcg64Mcg,
}

impl Places {
    pub(crate) fn new(seed: u64) -> Self {
        Self { rng: Pcg64Mcg::seed_from_u64(seed) }
    }

    pub(crate) fn number(&mut self, below: u32) -> u32 {
        self.rng.random_range(0..below)
    }

    pub(crate) fn any(&mut self, scene: &ValidScene) -> Location {
        let x = self.rng.random_range(0.0..scene.width());
        let y = self.rng.random_range(0.0..scene.height());
        let levels = scene.levels().count() as u32;
        Location::new(Point::new(x, y), Level(self.number(levels) as u8))
    }

    pub(crate) fn free(&mut self, scene: &ValidScene) -> Location {
        let meter = CollisionMeter::new();
        let ghost = Ghost::new(scene, GhostOptions::default(), &meter).unwrap();
        loop {
            let location = self.any(scene);
            if ghost.is_free(location.at, location.level) {
                return location;
            }
        }
    }
}

/// Where players would have been seen: the locations of walks between random locations.
pub(crate) fn samples(scene: &ValidScene, walks: u32) -> Vec<Sample> {
    let mut finder = ScenePathfinder::new(scene, all_caches(Method::Gr)[1], &[]).unwrap();
    let mut locations = Places::new(77);
    let mut counts = BTreeMap::new();
    for _ in 0..walks {
        let (from, to) = (locations.free(scene), locations.free(scene));
        let mut walk = finder.find(scene, from, to).unwrap();
        for location in walk.finish(&mut finder, scene) {
            let square = |value: f64| (value * 2.0) as u32;
            *counts
                .entry((location.level, square(location.at.y), square(location.at.x)))
                .or_insert(0) += 1;
        }
    }
    let middle = |square: u32| f64::from(square) / 2.0 + 0.25;
    let sample = |((level, y, x), weight)| {
        let location = Location::new(Point::new(middle(x), middle(y)), level);
        Sample { location, weight }
    };
    counts.into_iter().map(sample).collect()
}

/// A method without caches.
pub(crate) fn plain(method: Method) -> PathfinderOptions {
    PathfinderOptions {
        method,
        collision_cache: None,
        path_cache: None,
        ..PathfinderOptions::default()
    }
}

/// A method with every choice of caches.
pub(crate) fn all_caches(method: Method) -> Vec<PathfinderOptions> {
    let choices =
        [(None, None), (Some(1 << 16), None), (None, Some(())), (Some(1 << 16), Some(()))];
    let options = |(collision_cache, path): (Option<usize>, Option<()>)| PathfinderOptions {
        collision_cache,
        path_cache: path.map(|()| PathCacheOptions::default()),
        ..plain(method)
    };
    choices.into_iter().map(options).collect()
}

/// A whole walk, judged: how it ended, its locations and what it cost.
pub(crate) fn walk(
    finder: &mut ScenePathfinder,
    scene: &ValidScene,
    from: Location,
    to: Location,
) -> (WalkOutcome, Vec<Location>, WalkMetrics) {
    let mut walk = finder.find(scene, from, to).unwrap();
    let locations = walk.finish(finder, scene);
    let options = finder.options();
    if walk.outcome() == WalkOutcome::Arrived {
        let length = super::checker::judge(scene, &locations, from, to)
            .unwrap_or_else(|wrong| panic!("{}, {options:?}: {wrong}", scene.name()));
        let told = walk.metrics().length_millionths as f64 / 1e6;
        assert!((length - told).abs() < 1e-3, "{options:?}: {told} told, {length} walked");
    }
    (walk.outcome(), locations, *walk.metrics())
}
