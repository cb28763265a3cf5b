//! Scenes that change: no way through what was built, and every way that was opened.

use throng_scene::{
    Level, ObstacleId, ObstacleKind, ObstacleRecord, Point, SceneChange, ValidScene,
};
use throng_scene::{Location, Method, ScenePathfinder, WalkOutcome};

use super::kit::{Places, all_caches, plain, rooms, samples, small_town, walk};

/// A block somewhere, from a post to a wall across half the map.
fn block(name: u32, locations: &mut Places, scene: &ValidScene) -> ObstacleRecord {
    let Location { at, level } = locations.any(scene);
    let length = |locations: &mut Places| f64::from(1 + locations.number(12)) / 8.0;
    let (mut width, mut height) = (length(locations), length(locations));
    match locations.number(8) {
        0 => width = scene.width() / 2.0,
        1 => height = scene.height() / 2.0,
        _ => {}
    }
    let (right, top) = ((at.x + width).min(scene.width()), (at.y + height).min(scene.height()));
    let corners = [(at.x, at.y), (right, at.y), (right, top), (at.x, top)];
    let corners = corners.map(|(x, y)| Point::new(x, y)).to_vec();
    ObstacleRecord { name: format!("block {name}"), kind: ObstacleKind::Block, level, corners }
}

/// One random edit.
fn edit(
    number: u32,
    scene: &mut ValidScene,
    built: &mut Vec<ObstacleId>,
    locations: &mut Places,
) -> SceneChange {
    if built.len() > 12 || (!built.is_empty() && locations.number(3) == 0) {
        let which = locations.number(built.len() as u32) as usize;
        return scene.remove_obstacle(built.swap_remove(which)).unwrap();
    }
    let (id, change) = scene.add_obstacle(block(number, locations, scene)).unwrap();
    built.push(id);
    change
}

#[test]
fn a_thousand_edits_with_queries_between() {
    let mut scene = small_town(1);
    let samples = samples(&scene, 30);
    let mut finders: Vec<ScenePathfinder> = Method::ALL
        .iter()
        .map(|method| ScenePathfinder::new(&scene, all_caches(*method)[3], &samples).unwrap())
        .collect();
    let (mut locations, mut built) = (Places::new(21), Vec::new());
    // A few goals again and again, so that the caches are full of ways that edits cut.
    let goals = [(); 6].map(|()| locations.free(&scene));
    let mut outcomes = [0; 3];
    for number in 0..1000 {
        let change = edit(number, &mut scene, &mut built, &mut locations);
        for finder in &mut finders {
            finder.apply(&scene, &change);
        }
        let from = match number % 8 {
            0 => locations.any(&scene),
            _ => locations.free(&scene),
        };
        let to = goals[number as usize % goals.len()];
        let mut grid = ScenePathfinder::new(&scene, plain(Method::Gr), &[]).unwrap();
        let expected = walk(&mut grid, &scene, from, to).0;
        outcomes[match expected {
            WalkOutcome::Arrived => 0,
            WalkOutcome::Unreachable => 1,
            _ => 2,
        }] += 1;
        let finder = &mut finders[number as usize % 5];
        let outcome = walk(finder, &scene, from, to).0;
        let method = finder.options().method;
        assert_eq!(outcome, expected, "{method:?} after edit {number}: {from:?} to {to:?}");
    }
    assert!(outcomes.iter().all(|&count| count > 30), "a fair mixture: {outcomes:?}");
}

#[test]
fn an_edit_that_nobody_told_is_noticed() {
    for options in Method::ALL.into_iter().flat_map(all_caches) {
        let mut scene = rooms();
        let (from, to) = (Location::ground(1.0, 1.0), Location::ground(3.0, 1.0));
        let mut finder = ScenePathfinder::new(&scene, options, &[]).unwrap();
        assert_eq!(walk(&mut finder, &scene, from, to).0, WalkOutcome::Arrived);
        let (id, _) = scene.add_obstacle(plug()).unwrap();
        assert_eq!(walk(&mut finder, &scene, from, to).0, WalkOutcome::Unreachable, "{options:?}");
        scene.remove_obstacle(id).unwrap();
        assert_eq!(walk(&mut finder, &scene, from, to).0, WalkOutcome::Arrived, "{options:?}");
    }
}

/// Closes the door between the two rooms.
fn plug() -> ObstacleRecord {
    let corners = [[1.9, 1.5], [2.1, 1.5], [2.1, 2.0], [1.9, 2.0]].map(Point::from).to_vec();
    let (name, kind) = ("plug".to_owned(), ObstacleKind::Block);
    ObstacleRecord { name, kind, level: Level::GROUND, corners }
}

#[test]
fn an_edit_before_the_next_stretch_is_honoured() {
    let mut closed = 0;
    for method in Method::ALL {
        let mut scene = small_town(2);
        let samples = samples(&scene, 30);
        let mut locations = Places::new(31);
        let mut finder = ScenePathfinder::new(&scene, all_caches(method)[3], &samples).unwrap();
        for number in 0..40 {
            let (from, to) = (locations.free(&scene), locations.free(&scene));
            let mut walk = finder.find(&scene, from, to).unwrap();
            let Some(first) = walk.next_stretch(&mut finder, &scene) else { continue };
            let mut here = *first.locations.last().unwrap();
            let (id, change) = scene.add_obstacle(block(number, &mut locations, &scene)).unwrap();
            finder.apply(&scene, &change);
            while let Some(stretch) = walk.next_stretch(&mut finder, &scene) {
                let end = *stretch.locations.last().unwrap();
                // A player in the new block cannot continue; no other player is stopped.
                super::checker::judge(&scene, &stretch.locations, here, end).unwrap();
                here = end;
            }
            closed += u32::from(walk.outcome() != WalkOutcome::Arrived);
            let change = scene.remove_obstacle(id).unwrap();
            finder.apply(&scene, &change);
        }
    }
    assert!(closed < 60, "most get there: {closed}");
}
