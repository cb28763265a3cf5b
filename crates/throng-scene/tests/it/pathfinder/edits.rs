//! Scenes that change: no way through what was built, and every way that was opened.

use throng_scene::{
    Level, ObstacleId, ObstacleKind, ObstacleRecord, Point, SceneChange, ValidScene,
};
use throng_scene::{Method, Place, ScenePathfinder, WalkOutcome};

use super::kit::{Places, all_caches, plain, rooms, samples, small_town, walk};

/// A block somewhere, from a post to a wall across half the map.
fn block(name: u32, places: &mut Places, scene: &ValidScene) -> ObstacleRecord {
    let Place { at, level } = places.any(scene);
    let length = |places: &mut Places| f64::from(1 + places.number(12)) / 8.0;
    let (mut width, mut height) = (length(places), length(places));
    match places.number(8) {
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
    places: &mut Places,
) -> SceneChange {
    if built.len() > 12 || (!built.is_empty() && places.number(3) == 0) {
        let which = places.number(built.len() as u32) as usize;
        return scene.remove_obstacle(built.swap_remove(which)).unwrap();
    }
    let (id, change) = scene.add_obstacle(block(number, places, scene)).unwrap();
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
    let (mut places, mut built) = (Places::new(21), Vec::new());
    // A few goals again and again, so that the caches are full of ways that edits cut.
    let goals = [(); 6].map(|()| places.free(&scene));
    let mut outcomes = [0; 3];
    for number in 0..1000 {
        let change = edit(number, &mut scene, &mut built, &mut places);
        for finder in &mut finders {
            finder.apply(&scene, &change);
        }
        let from = match number % 8 {
            0 => places.any(&scene),
            _ => places.free(&scene),
        };
        let to = goals[number as usize % goals.len()];
        let mut grid = ScenePathfinder::new(&scene, plain(Method::Gr), &[]).unwrap();
        let expected = walk(&mut grid, &scene, from, to).0;
        outcomes[match expected {
            WalkOutcome::Arrived => 0,
            WalkOutcome::NoWay => 1,
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
        let (from, to) = (Place::ground(1.0, 1.0), Place::ground(3.0, 1.0));
        let mut finder = ScenePathfinder::new(&scene, options, &[]).unwrap();
        assert_eq!(walk(&mut finder, &scene, from, to).0, WalkOutcome::Arrived);
        let (id, _) = scene.add_obstacle(plug()).unwrap();
        assert_eq!(walk(&mut finder, &scene, from, to).0, WalkOutcome::NoWay, "{options:?}");
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
        let mut places = Places::new(31);
        let mut finder = ScenePathfinder::new(&scene, all_caches(method)[3], &samples).unwrap();
        for number in 0..40 {
            let (from, to) = (places.free(&scene), places.free(&scene));
            let mut walk = finder.find(&scene, from, to).unwrap();
            let Some(first) = walk.next_stretch(&mut finder, &scene) else { continue };
            let mut here = *first.places.last().unwrap();
            let (id, change) = scene.add_obstacle(block(number, &mut places, &scene)).unwrap();
            finder.apply(&scene, &change);
            while let Some(stretch) = walk.next_stretch(&mut finder, &scene) {
                let end = *stretch.places.last().unwrap();
                // Whoever stands in the new block cannot go on; nobody else is stopped.
                super::checker::judge(&scene, &stretch.places, here, end).unwrap();
                here = end;
            }
            closed += u32::from(walk.outcome() != WalkOutcome::Arrived);
            let change = scene.remove_obstacle(id).unwrap();
            finder.apply(&scene, &change);
        }
    }
    assert!(closed < 60, "most get there: {closed}");
}
