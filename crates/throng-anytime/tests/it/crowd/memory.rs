//! A kernel that is used again asks for no memory.

use throng_anytime::{CrowdKernel, CrowdUnit, Preferences};
use throng_model::{Map, MovementProfile, Tick, UnitId};
use throng_spacetime::{FootprintRules, GridSpace, Position};

/// All units go to the middle.
struct Middle;

impl Preferences for Middle {
    fn distance(&mut self, _: usize, at: Position) -> Option<u64> {
        Some(u64::from((at.0 % 32).abs_diff(16).max((at.0 / 32).abs_diff(16))))
    }
}

#[test]
fn after_the_first_tick_nothing_is_allocated() {
    let map = Map::empty(32, 32).unwrap();
    let kind = |footprint| MovementProfile { footprint, ..MovementProfile::eight_connected() };
    let rules = FootprintRules::default();
    let spaces = [1, 2].map(|size| GridSpace::new(&map, kind(size), &rules).unwrap());
    let mut kernel = CrowdKernel::new(&spaces, 1).unwrap();
    let unit = |number: u32| CrowdUnit {
        unit: UnitId::new(number),
        space: number.is_multiple_of(3).into(),
        at: Position(number % 10 * 3 + number / 10 * 3 * 32),
        priority: u64::from(number),
        holds: number.is_multiple_of(17),
        begun: None,
    };
    let units: Vec<_> = (0..100).map(unit).collect();
    let mut run = |ticks: std::ops::Range<u32>| {
        ticks.for_each(|now| {
            kernel.decide(&spaces, &units, Tick(now), &mut Middle);
        });
    };
    run(0..50);
    let again = allocation_counter::measure(|| run(0..50));
    assert_eq!(again.count_total, 0, "{again:?}");
}
