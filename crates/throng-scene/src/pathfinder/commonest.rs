//! The commonest places of samples, at least a spread apart.

use super::{Place, Sample};

/// The places with the largest weights, at least `spread` from each other on a level, at most
/// `count` of them, commonest first. Of equally common ones the lowest level, then the
/// lowest, then the leftmost comes first.
pub(crate) fn commonest(
    samples: &[Sample],
    spread: f64,
    count: usize,
    mut can_stand: impl FnMut(Place) -> bool,
) -> Vec<Place> {
    let mut sorted: Vec<Sample> = samples.to_vec();
    sorted.sort_by(|a, b| {
        let (p, q) = (a.place, b.place);
        b.weight
            .cmp(&a.weight)
            .then(p.level.cmp(&q.level))
            .then(p.at.y.total_cmp(&q.at.y))
            .then(p.at.x.total_cmp(&q.at.x))
    });
    let mut chosen: Vec<Place> = Vec::new();
    for Sample { place, .. } in sorted {
        if chosen.len() >= count {
            break;
        }
        let is_close = |other: &Place| {
            other.level == place.level && other.at.distance_squared(place.at) < spread * spread
        };
        if !chosen.iter().any(is_close) && can_stand(place) {
            chosen.push(place);
        }
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_commonest_come_first_and_keep_apart() {
        let sample = |x: f64, weight| Sample { place: Place::ground(x, 1.0), weight };
        let samples = [sample(5.0, 1), sample(1.0, 3), sample(1.5, 9), sample(3.0, 3)];
        let check = |spread, count, expected: &[f64]| {
            let chosen = commonest(&samples, spread, count, |_| true);
            assert_eq!(chosen.iter().map(|place| place.at.x).collect::<Vec<_>>(), expected);
        };
        check(1.0, 9, &[1.5, 3.0, 5.0]);
        check(0.1, 9, &[1.5, 1.0, 3.0, 5.0]);
        check(0.1, 2, &[1.5, 1.0]);
        check(2.0, 9, &[1.5, 5.0]);
        let odd = commonest(&samples, 0.1, 9, |place| place.at.x < 1.2);
        assert_eq!(odd, [Place::ground(1.0, 1.0)]);
    }
}
