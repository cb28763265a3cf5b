//! The crowding of a zone, which decides the ghost's step size (figure 3 of the paper).

use crate::scene::valid::{ValidScene, ZoneId};
use crate::{Bounds, Point};

/// Samples along each side of a zone's box.
const SAMPLES: u32 = 16;
/// What is closer than this to an obstacle counts as crowded, in units.
const CLOSE: f64 = 0.25;

/// The share of a zone that is close to an obstacle, from 0 to 1, by sampling.
pub(crate) fn crowding(scene: &ValidScene, zone: ZoneId) -> f64 {
    let Some(Bounds { min, max }) = scene.zone(zone).map(|zone| zone.polygon.bounds()) else {
        return 0.0;
    };
    let level = scene.zones[zone.index()].level;
    let between = |from: f64, to: f64, sample: u32| {
        from + (to - from) * (f64::from(sample) + 0.5) / f64::from(SAMPLES)
    };
    let (mut inside, mut close) = (0, 0);
    for sample in 0..SAMPLES * SAMPLES {
        let x = between(min.x, max.x, sample % SAMPLES);
        let point = Point::new(x, between(min.y, max.y, sample / SAMPLES));
        if scene.zone_of(point, level) == Some(zone) {
            inside += 1;
            close += u32::from(!scene.obstacles.are_clear(point, point, level, CLOSE));
        }
    }
    f64::from(close) / f64::from(inside.max(1))
}
