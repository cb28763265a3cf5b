//! The most visited locations of samples, at least a given spread apart.

use super::{Location, Sample};

/// The locations with the largest weights, at least `spread` from each other on a level, at most
/// `count` of them, largest first. Ties go to the lowest level, then the lowest y, then the
/// lowest x.
pub(crate) fn most_visited(
    samples: &[Sample],
    spread: f64,
    count: usize,
    mut can_stand: impl FnMut(Location) -> bool,
) -> Vec<Location> {
    let mut sorted: Vec<Sample> = samples.to_vec();
    sorted.sort_by(|a, b| {
        let (p, q) = (a.location, b.location);
        b.weight
            .cmp(&a.weight)
            .then(p.level.cmp(&q.level))
            .then(p.at.y.total_cmp(&q.at.y))
            .then(p.at.x.total_cmp(&q.at.x))
    });
    let mut chosen: Vec<Location> = Vec::new();
    for Sample { location, .. } in sorted {
        if chosen.len() >= count {
            break;
        }
        let is_close = |other: &Location| {
            other.level == location.level
                && other.at.distance_squared(location.at) < spread * spread
        };
        if !chosen.iter().any(is_close) && can_stand(location) {
            chosen.push(location);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commonest_come_first_and_keep_apart() {
        let sample = |x: f64, weight| Sample { location: Location::ground(x, 1.0), weight };
        let samples = [sample(5.0, 1), sample(1.0, 3), sample(1.5, 9), sample(3.0, 3)];
        let check = |spread, count, expected: &[f64]| {
            let chosen = most_visited(&samples, spread, count, |_| true);
            assert_eq!(chosen.iter().map(|location| location.at.x).collect::<Vec<_>>(), expected);
        };
        check(1.0, 9, &[1.5, 3.0, 5.0]);
        check(0.1, 9, &[1.5, 1.0, 3.0, 5.0]);
        check(0.1, 2, &[1.5, 1.0]);
        check(2.0, 9, &[1.5, 5.0]);
        let odd = most_visited(&samples, 0.1, 9, |location| location.at.x < 1.2);
        assert_eq!(odd, [Location::ground(1.0, 1.0)]);
    }
}
