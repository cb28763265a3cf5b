//! The same answers on every machine and in any order of queries.

use rand::RngExt;
use throng_grid::{Answer, Query};
use throng_model::{Cell, MovementProfile};

use crate::support::World;

/// All paths of some queries, in the order given, as one number.
fn hash_of(world: &mut World, queries: &[(Cell, Cell)]) -> Vec<u64> {
    let mut ask = |&(from, to): &(Cell, Cell)| {
        let answer = world.ask(&Query::new(&[from], &[to]));
        let Answer::Found(path) = answer else { return 0 };
        throng_testkit::hash(&format!("{:?}", path.cells))
    };
    queries.iter().map(&mut ask).collect()
}

#[test]
fn answers_are_pinned_and_do_not_depend_on_what_was_asked_before() {
    let map = throng_testkit::random_terrain(1, 200, 200, 10, 8);
    let mut world = World::new(map, MovementProfile::eight_connected());
    let mut rng = throng_testkit::rng(2);
    let mut cell = || loop {
        let cell = Cell::new(rng.random_range(0..200), rng.random_range(0..200));
        if world.ground.can_stand(cell) {
            return cell;
        }
    };
    let mut queries: Vec<_> = (0..50).map(|_| (cell(), cell())).collect();
    let forwards = hash_of(&mut world, &queries);
    queries.reverse();
    let mut backwards = hash_of(&mut world, &queries);
    backwards.reverse();
    assert_eq!(forwards, backwards);
    // The cost buffer is cleared only after about a thousand sections: go beyond that.
    queries.reverse();
    for _ in 0..20 {
        assert_eq!(hash_of(&mut world, &queries), forwards);
    }
    let all = forwards.iter().fold(0_u64, |all, hash| all.rotate_left(1) ^ hash);
    assert_eq!(all, 15_763_332_528_747_582_287);
}
