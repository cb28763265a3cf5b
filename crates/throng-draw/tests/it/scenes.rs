//! Pictures of scenes: what is where, and that all of it is there.

use roxmltree::Document;
use throng_draw::{HeatSquare, SceneParts, ScenePath, ScenePicture, scene_png, scene_svg};
use throng_scene::{
    GhostOptions, Level, Location, Method, PathfinderOptions, Sample, Scene, ScenePathfinder,
    TownOptions, ValidScene, town_with,
};

use super::*;
use crate::pngs::decoded;

const ALL: SceneParts =
    SceneParts { zones: true, gates: true, graph: true, items: true, players: true };

fn town() -> ValidScene {
    let options = TownOptions { side: 15, houses: 6, trees: 20, players: 4 };
    town_with(2, options).unwrap().validate().unwrap()
}

/// A picture with something of everything.
fn full(scene: &ValidScene) -> ScenePicture<'_> {
    let sample = |number: u32| {
        let at = |part: u32| f64::from(part) * 2.0 + 0.5;
        Sample { location: Location::ground(at(number % 7), at(number / 7)), weight: 1 }
    };
    let samples: Vec<Sample> = (0..49).map(sample).collect();
    let options = PathfinderOptions { method: Method::VzPlus, ..PathfinderOptions::default() };
    let finder = ScenePathfinder::new(scene, options, &samples).unwrap();
    let square = HeatSquare { centre: Location::ground(1.0, 1.0), side: 0.5, share: 0.5 };
    let locations = vec![Location::ground(0.5, 0.5), Location::ground(14.5, 0.5)];
    let path = ScenePath { label: "a < b".to_owned(), joints: vec![locations[0]], locations };
    ScenePicture::new(scene)
        .parts(ALL)
        .grid(GhostOptions::default(), Location::ground(0.5, 0.5))
        .upper_level("vz+", finder.upper_level(scene))
        .heat("where players walk", vec![square])
        .path(path)
}

#[test]
fn an_svg_is_well_formed_and_explains_everything_in_it() {
    let scene = town();
    let svg = scene_svg(&full(&scene));
    let document = Document::parse(&svg).unwrap();
    let texts: Vec<&str> = document.descendants().filter_map(|node| node.text()).collect();
    for label in [
        "town 2: level 0",
        "town 2: level 1",
        "wall",
        "tree",
        "border of a zone",
        "where players walk",
        "step of the ghost player",
        "zone to its gates",
        "door",
        "stairs",
        "vz+: border of Voronoi zones",
        "vz+: known path",
        "vz+: interest point",
        "item",
        "player",
        "a < b",
        "end of a stretch",
        "start",
        "goal",
    ] {
        assert!(texts.contains(&label), "{label}: {texts:?}");
    }
    let plain = scene_svg(&ScenePicture::new(&scene).levels(vec![Level(1)]));
    assert!(plain.len() < svg.len() && !plain.contains("level 0"));
}

#[test]
fn pixels_are_where_the_scene_says() {
    let file = r#"{"version": 1, "name": "yard", "width": 4, "height": 2, "levels": 2,
      "obstacles": [{"name": "slab", "kind": "wall", "level": 0,
                     "corners": [[1, 0], [2, 0], [2, 1], [1, 1]]}],
      "zones": [{"name": "yard", "level": 0, "corners": [[0, 0], [4, 0], [4, 2], [0, 2]]}]}"#;
    let scene = Scene::read(file.as_bytes()).unwrap().validate().unwrap();
    let png = scene_png(&ScenePicture::new(&scene), Scale::Pixels(50)).unwrap();
    let (width, height, pixels) = decoded(&png);
    // Twenty pixels around and between the levels, and a line for their names above.
    assert_eq!((width, height), (20 + 2 * (200 + 20), 26 + 100 + 20));
    let at = |level: u32, x: f64, y: f64| {
        let pixel = |value: f64| (value * 50.0) as u32;
        pixels[((26 + 100 - pixel(y)) * width + 20 + level * 220 + pixel(x)) as usize]
    };
    assert_eq!(at(0, 1.5, 0.5), [0x4a, 0x4f, 0x59], "the slab");
    assert_eq!(at(0, 3.0, 0.5), [0xfb, 0xf9, 0xf4], "the yard");
    assert_eq!(at(0, 1.5, 1.5), [0xfb, 0xf9, 0xf4], "behind the slab: y points upwards");
    assert_eq!(at(1, 1.5, 0.5), [0xdd, 0xdf, 0xe2], "the upper level has no zone");
}

#[test]
fn bad_scales_are_refused() {
    let scene = town();
    let drawn = |scale| scene_png(&ScenePicture::new(&scene), scale).map(|_| ());
    assert_eq!(drawn(Scale::Pixels(0)), Err(DrawError::ZeroScale));
    assert!(matches!(drawn(Scale::Pixels(u16::MAX)), Err(DrawError::TooLarge { .. })));
}

/// FNV-1a. A change here is a change of look: look at it, then write down the new hash.
#[test]
fn pictures_of_scenes_are_the_same_everywhere() {
    let scene = town();
    let picture = full(&scene);
    let png = scene_png(&picture, Scale::Pixels(20)).unwrap();
    let found = [crate::goldens::hash(scene_svg(&picture)), crate::goldens::hash(png)];
    assert_eq!(found.map(|hash| format!("{hash:016x}")), ["b83c226f825c7c1c", "50c73c885b241494"]);
}
