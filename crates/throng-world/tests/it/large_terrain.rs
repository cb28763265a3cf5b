//! Large maps with terrain of several costs, where routes are found over a hierarchy.

use rand::RngExt;
use throng_grid::{AStar, Ground, PathSearch, Query};
use throng_model::{Budget, Cell, Map, MovementProfile, TerrainId, UnitId};
use throng_world::{Event, Order, Spawn, World, WorldOptions};

const SIDE: u16 = 280;

/// Fields of several kinds of ground, with some rocks.
fn fields(seed: u64) -> Map {
    let mut rng = throng_testkit::rng(seed);
    let symbols: Vec<char> =
        (0..35 * 35).map(|_| ['.', '2', '4', '8'][pick(&mut rng, 4)]).collect();
    let mut drawing = String::new();
    for y in 0..usize::from(SIDE) {
        let row = (0..usize::from(SIDE)).map(|x| symbols[y / 14 * 35 + x / 14]);
        drawing.extend(row.map(|symbol| if pick(&mut rng, 100) < 8 { '#' } else { symbol }));
        drawing.push('\n');
    }
    throng_testkit::map(&drawing)
}

fn pick(rng: &mut rand_pcg::Pcg64Mcg, count: u32) -> usize {
    rng.random_range(0..count) as usize
}

fn cell(rng: &mut rand_pcg::Pcg64Mcg) -> Cell {
    Cell::new(rng.random_range(0..SIDE), rng.random_range(0..SIDE))
}

fn at(world: &World, unit: UnitId) -> Option<Cell> {
    world.location(unit).map(|(at, _)| at)
}

/// Where a unit goes that is alone in the world, until it arrives.
fn walk(world: &mut World, unit: UnitId, to: Cell) -> Vec<Cell> {
    world.order(unit, Order::go(to)).unwrap();
    let mut cells = vec![at(world, unit).unwrap()];
    while cells.len() < 4 * usize::from(SIDE) {
        let arrived =
            world.tick().events.iter().any(|event| matches!(event, Event::Arrived { .. }));
        cells.extend(at(world, unit).filter(|at| cells.last() != Some(at)));
        if arrived {
            return cells;
        }
    }
    panic!("{unit:?} does not arrive at {to}");
}

/// One unit crosses the map again and again while the map changes: its ways are hardly longer
/// than the best.
#[test]
fn routes_are_nearly_the_best_also_after_edits() {
    let movement = MovementProfile::eight_connected();
    let mut rng = throng_testkit::rng(5);
    let mut world = World::new(fields(3), WorldOptions::default()).unwrap();
    let (mut walked, mut best) = (0, 0);
    let mut unit = None;
    for _ in 0..12 {
        for _ in 0..6 {
            let terrain = [Map::WALL, Map::GROUND, TerrainId(2)][pick(&mut rng, 3)];
            let rect = throng_model::Rect::new(cell(&mut rng), 9, 9);
            let _ = world.fill(rect, terrain);
        }
        let ground = Ground::new(world.map(), movement.clone()).unwrap();
        let known = unit.and_then(|unit| at(&world, unit));
        let Some(from) = known.or_else(|| Some(cell(&mut rng))).filter(|&at| ground.can_stand(at))
        else {
            continue;
        };
        let to = cell(&mut rng);
        if !ground.is_connected(from, to) {
            continue;
        }
        let unit =
            *unit.get_or_insert_with(|| world.spawn(from, &Spawn::new(movement.clone())).unwrap());
        let (ends, cells) = ([from, to], walk(&mut world, unit, to));
        let query = Query::new(&ends[..1], &ends[1..]);
        let answer = AStar::default().find(&ground, &query, Budget::unlimited()).unwrap();
        let (cost, least) = (ground.path_cost(&cells).unwrap(), answer.found().unwrap().cost);
        assert!(cost.0 <= least.0 * 11 / 10, "from {from} to {to}: {cost} instead of {least}");
        (walked, best) = (walked + cost.0, best + least.0);
    }
    assert!(best > 0 && walked <= best + best / 50, "{walked} instead of {best}");
}

/// A world that was saved and loaded has no hierarchy yet, and goes on in the same way.
#[test]
fn a_world_that_was_loaded_finds_the_same_routes() {
    let mut rng = throng_testkit::rng(8);
    let options = WorldOptions { threads: 2, ..WorldOptions::default() };
    let mut world = World::new(fields(4), options).unwrap();
    let tank = Spawn::new(MovementProfile { footprint: 2, ..MovementProfile::eight_connected() });
    let scout = Spawn::new(MovementProfile::four_connected());
    for spawn in [&tank, &scout].into_iter().cycle().take(60) {
        let _ = world.spawn(cell(&mut rng), spawn);
    }
    let mut loaded: Option<World> = None;
    for tick in 0..120 {
        let edit = [cell(&mut rng), cell(&mut rng)];
        let terrain = [Map::WALL, Map::GROUND][pick(&mut rng, 2)];
        let orders: Vec<_> = world.units().filter(|_| pick(&mut rng, 30) == 0).collect();
        let to = cell(&mut rng);
        for world in [Some(&mut world), loaded.as_mut()].into_iter().flatten() {
            world.paint(&edit, terrain).unwrap();
            orders.iter().for_each(|&unit| world.order(unit, Order::go(to)).unwrap());
        }
        let hash = world.tick().hash;
        if let Some(loaded) = &mut loaded {
            assert_eq!(loaded.tick().hash, hash, "tick {tick}");
        }
        if tick % 40 == 39 {
            loaded = Some(World::restore(&world.snapshot(), 1).unwrap());
        }
    }
}
