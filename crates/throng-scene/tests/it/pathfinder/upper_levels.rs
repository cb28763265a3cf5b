//! The level above the lattice as data: what it says holds in the scene.

use throng_scene::{Location, Method, PassageKind, ScenePathfinder, UpperLevel, ValidScene};

use super::kit::{all_caches, samples, small_town};

fn upper(scene: &ValidScene, method: Method) -> UpperLevel {
    let samples = samples(scene, 30);
    let finder = ScenePathfinder::new(scene, all_caches(method)[0], &samples).unwrap();
    finder.upper_level(scene)
}

#[test]
fn each_method_has_the_parts_that_it_is_made_of() {
    let scene = small_town(1);
    let gates = scene.gates().len();
    assert_eq!(upper(&scene, Method::Gr), UpperLevel::default());
    let zones = upper(&scene, Method::Sz);
    assert_eq!((zones.waypoints.len(), zones.passages.len()), (2 * gates, gates));
    let roadmap = upper(&scene, Method::Rd);
    assert!(roadmap.waypoints.len() > 2 * gates && roadmap.sites.is_empty());
    let plain = upper(&scene, Method::Vz);
    assert!(plain.sites.len() > 4 && plain.borders.len() >= plain.sites.len());
    let plus = upper(&scene, Method::VzPlus);
    assert!(plus.passages.iter().any(|passage| passage.kind == PassageKind::Known));
}

/// Every passage that is not a gate can be walked by the body in straight lines.
#[test]
fn passages_are_free() {
    let scene = small_town(2);
    for method in [Method::Rd, Method::RdPlus, Method::VzPlus] {
        let upper = upper(&scene, method);
        assert!(upper.passages.len() > 20);
        for passage in upper.passages.iter().filter(|p| p.kind != PassageKind::Gate) {
            for step in passage.locations.windows(2) {
                let [from, to] = [step[0], step[1]];
                assert!(
                    scene.is_clear(from.at, to.at, from.level, 0.12),
                    "{method:?}: {passage:?}"
                );
            }
            let ends = [passage.locations.first(), passage.locations.last()];
            assert!(ends.iter().all(|end| upper.waypoints.contains(end.unwrap())));
        }
    }
}

/// A point on a border is equally far from its two nearest sites of the level, or of the zone.
#[test]
fn borders_are_halfway_between_the_nearest_sites() {
    let scene = small_town(3);
    for method in [Method::Vz, Method::VzPlus] {
        let upper = upper(&scene, method);
        assert!(!upper.borders.is_empty());
        let zone = |location: Location| scene.zone_of(location.at, location.level);
        for [from, to] in &upper.borders {
            let middle = Location::new(from.at.midpoint(to.at), from.level);
            let counts = |site: &&Location| match method {
                Method::Vz => site.level == middle.level,
                _ => zone(**site) == zone(middle),
            };
            let sites = upper.sites.iter().filter(counts);
            let mut distances: Vec<f64> = sites.map(|site| site.at.distance(middle.at)).collect();
            distances.sort_by(f64::total_cmp);
            assert!((distances[0] - distances[1]).abs() < 1e-6, "{method:?}: {middle:?}");
        }
    }
}
