//! Followers on drawn maps that change, and over random edits.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use throng_model::{CornerRule, Map, MovementProfile, Neighbours, Rect};
use throng_testkit::{find, place, random_map, rng};

use super::*;
use crate::AStar;

/// A unit on its way from `s` to `g` of a drawing, on ground that a test changes.
struct Scene {
    map: Map,
    ground: Ground,
    search: AStar,
    follower: Follower,
}

impl Scene {
    fn new(drawing: &str, options: FollowerOptions) -> Self {
        let map = throng_testkit::map(drawing);
        let ground = Ground::new(&map, MovementProfile::eight_connected()).unwrap();
        let mut search = AStar::default();
        let path = best(&ground, &mut search, place(drawing, 's'), place(drawing, 'g')).unwrap();
        let follower = Follower::new(&ground, &path, options).unwrap();
        assert_eq!(follower.remaining_cost(), path.cost);
        Self { map, ground, search, follower }
    }

    fn wall(&mut self, cells: &[Cell]) {
        let change = self.map.paint(cells, Map::WALL).unwrap();
        self.ground.apply(&self.map, &change);
    }

    fn advance(&mut self) -> FollowerStep {
        self.advance_within(Budget::unlimited())
    }

    /// Advances and checks the step.
    fn advance_within(&mut self, budget: Budget<'_>) -> FollowerStep {
        let from = self.follower.position();
        let step = self.follower.advance(&self.ground, &mut self.search, budget).unwrap();
        if let FollowerStep::Move { to, .. } = step {
            assert_legal(&self.map, &self.ground, from, to);
            assert_eq!(self.follower.position(), to);
        }
        step
    }

    /// Walks until something else than a move comes, and returns it with the cells walked
    /// and the repairs made.
    fn walk(&mut self) -> (FollowerStep, Vec<Cell>, Vec<Repair>) {
        let (mut cells, mut repairs) = (vec![self.follower.position()], Vec::new());
        for _ in 0..1000 {
            match self.advance() {
                FollowerStep::Move { to, repair } => {
                    cells.push(to);
                    repairs.extend(repair);
                }
                other => return (other, cells, repairs),
            }
        }
        panic!("walks forever: {cells:?}");
    }
}

fn best(ground: &Ground, search: &mut AStar, from: Cell, to: Cell) -> Option<Path> {
    let (starts, goals) = ([from], [to]);
    search.find(ground, &Query::new(&starts, &goals), Budget::unlimited()).ok()?.found()
}

/// From the raw map: the target and, for a diagonal, both cells beside it are free.
fn assert_legal(map: &Map, ground: &Ground, from: Cell, to: Cell) {
    let (dx, dy) = (i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y));
    assert!(dx.abs().max(dy.abs()) == 1, "{from} to {to} is no step");
    let side = i32::from(ground.movement().footprint);
    let stands = |x: i32, y: i32| {
        let mut body = (0..side).flat_map(|by| (0..side).map(move |bx| (x + bx, y + by)));
        body.all(|(x, y)| {
            let cell = Cell::new(x as u16, y as u16);
            x >= 0 && y >= 0 && map.is_passable(cell)
        })
    };
    let (fx, fy) = (i32::from(from.x), i32::from(from.y));
    assert!(stands(fx + dx, fy + dy) && ground.can_stand(to), "{to} is blocked");
    if dx != 0 && dy != 0 {
        assert!(ground.movement().neighbours == Neighbours::Eight);
        let free = usize::from(stands(fx + dx, fy)) + usize::from(stands(fx, fy + dy));
        let needed = match ground.movement().corners {
            CornerRule::NeverCut => 2,
            CornerRule::OneSideFree => 1,
            CornerRule::AlwaysCut => 0,
        };
        assert!(free >= needed, "{from} to {to} cuts a corner");
    }
}

const RIVER: &str = "
    ......#......
    s.....n.....g
    ......#......
    ......#......
    ......#......
    ......f......
    ......#......";

#[test]
fn figure_6_left_before_the_bridge_blows_up() {
    let (step, cells, repairs) = Scene::new(RIVER, FollowerOptions::default()).walk();
    assert_eq!((step, cells.len(), repairs.len()), (FollowerStep::Arrived, 13, 0));
    assert!(cells.contains(&place(RIVER, 'n')));
}

#[test]
fn figure_6_right_after_the_bridge_blows_up_the_path_is_spliced_over_the_other_bridge() {
    let splice = FollowerOptions {
        splice_percent: 1000,
        splice_effort: u32::MAX,
        ..FollowerOptions::default()
    };
    let mut scene = Scene::new(RIVER, splice);
    for _ in 0..3 {
        assert!(matches!(scene.advance(), FollowerStep::Move { repair: None, .. }));
    }
    scene.wall(&[place(RIVER, 'n')]);
    // Only the next cell is checked: the unit goes up to the river.
    for _ in 0..2 {
        assert!(matches!(scene.advance(), FollowerStep::Move { repair: None, .. }));
    }
    let FollowerStep::Move { repair: Some(repair), .. } = scene.advance() else {
        panic!("no repair")
    };
    assert_eq!((repair.how, repair.cost_before), (RepairKind::Splice, Cost(7 * STRAIGHT)));
    assert!(repair.expanded > 0 && repair.cost_after > repair.cost_before);
    let (step, cells, repairs) = scene.walk();
    assert_eq!((step, repairs.len()), (FollowerStep::Arrived, 0));
    assert!(cells.contains(&place(RIVER, 'f')));
    let statistics = scene.follower.statistics();
    assert_eq!((statistics.splices, statistics.full_searches), (1, 0));
    assert_eq!(statistics.expanded, repair.expanded);
}

#[test]
fn who_looks_ahead_turns_before_the_river() {
    let options = FollowerOptions { look_ahead: 6, splice_percent: 100, ..Default::default() };
    let mut scene = Scene::new(RIVER, options);
    scene.wall(&[place(RIVER, 'n')]);
    let FollowerStep::Move { to, repair: Some(repair) } = scene.advance() else {
        panic!("no repair")
    };
    assert_eq!((to, repair.how), (Cell::new(1, 2), RepairKind::Full));
    let best = best(&scene.ground, &mut scene.search, place(RIVER, 's'), place(RIVER, 'g'));
    assert_eq!(Some(repair.cost_after), best.map(|path| path.cost));
    assert_eq!(scene.walk().0, FollowerStep::Arrived);
}

#[test]
fn the_papers_rule_rejoins_at_the_first_walkable_cell() {
    let drawing = "
        .......
        s.xxx.g
        .......
        ...#...";
    for (rejoin_cells, ahead) in [(1, 1), (32, 1), (1, 3)] {
        let options = FollowerOptions {
            rejoin_cells,
            look_ahead: ahead,
            splice_percent: 300,
            ..Default::default()
        };
        let mut scene = Scene::new(drawing, options);
        scene.wall(&find(drawing, 'x'));
        let (step, cells, repairs) = scene.walk();
        assert_eq!((step, repairs.len()), (FollowerStep::Arrived, 1), "{rejoin_cells} {ahead}");
        let rejoins = cells.contains(&Cell::new(5, 1));
        assert!(rejoins || rejoin_cells > 1, "{cells:?}");
        assert!(cells.contains(&Cell::new(1, 1)), "the splice starts before the break");
    }
}

#[test]
fn a_house_is_built_on_the_path() {
    let drawing = "
        ...........
        ...........
        s.........g
        ...........
        ...........
        ...........";
    let mut scene = Scene::new(drawing, FollowerOptions { look_ahead: 2, ..Default::default() });
    scene.advance();
    let house = Rect::new(Cell::new(4, 1), 3, 4);
    let change = scene.map.fill(house, Map::WALL).unwrap();
    scene.ground.apply(&scene.map, &change);
    let (step, cells, repairs) = scene.walk();
    assert_eq!((step, repairs.len()), (FollowerStep::Arrived, 1));
    assert!(cells.iter().all(|&cell| scene.map.is_passable(cell)));
    assert_eq!(repairs[0].how, RepairKind::Splice);
}

#[test]
fn another_unit_stands_in_the_way_and_goes_again() {
    let drawing = "
        #########
        s...u...g
        #########";
    let mut scene = Scene::new(drawing, FollowerOptions::default());
    let other = place(drawing, 'u');
    scene.ground.add_obstacle(other);
    let (step, cells, _) = scene.walk();
    assert_eq!(step, FollowerStep::Blocked(Blocked::Unreachable));
    assert_eq!(cells.last(), Some(&Cell::new(3, 1)));
    assert_eq!(scene.follower.statistics().expanded, 0, "known without a search");
    assert_eq!(scene.follower.goal(), place(drawing, 'g'), "the path is kept");
    scene.ground.remove_obstacle(other);
    assert_eq!(scene.walk().0, FollowerStep::Arrived);
}

#[test]
fn another_unit_stands_on_the_goal() {
    let drawing = "s.....g";
    for look_ahead in [1, 4, 99] {
        let options = FollowerOptions { look_ahead, ..FollowerOptions::default() };
        let mut scene = Scene::new(drawing, options);
        scene.ground.add_obstacle(place(drawing, 'g'));
        let (step, cells, _) = scene.walk();
        assert_eq!((step, cells.len()), (FollowerStep::Blocked(Blocked::GoalBlocked), 6));
        scene.ground.remove_obstacle(place(drawing, 'g'));
        assert_eq!(scene.walk().0, FollowerStep::Arrived);
    }
}

#[test]
fn a_corner_that_is_built_breaks_a_diagonal_step() {
    let drawing = "
        s...
        ....
        ...g";
    let mut scene = Scene::new(drawing, FollowerOptions::default());
    let first = scene.follower.remaining().nth(1).unwrap();
    assert_eq!(first, Cell::new(1, 1), "the path starts diagonally");
    scene.wall(&[Cell::new(1, 0)]);
    let (step, cells, repairs) = scene.walk();
    assert_eq!((step, repairs.len()), (FollowerStep::Arrived, 1));
    assert_eq!(cells[1], Cell::new(0, 1));
}

#[test]
fn several_breaks_are_mended_one_by_one() {
    let drawing = "
        ................
        s..x...x...x...g
        ................";
    let mut scene = Scene::new(drawing, FollowerOptions { look_ahead: 3, ..Default::default() });
    scene.wall(&find(drawing, 'x'));
    let (step, cells, repairs) = scene.walk();
    assert_eq!((step, repairs.len()), (FollowerStep::Arrived, 3));
    assert_eq!(cells.last(), Some(&place(drawing, 'g')));
}

/// The first walkable cell after the break is a stub of the bridge that is left: the way
/// to it comes back over cells of the old path, and that loop is dropped.
#[test]
fn a_splice_that_comes_back_over_the_path_drops_the_loop() {
    let drawing = "
        .....###......
        s....xab.....g
        .....###......
        .....###......
        ..............
        .....###......";
    let options =
        FollowerOptions { rejoin_cells: 1, splice_percent: 1000, ..FollowerOptions::default() };
    let mut scene = Scene::new(drawing, options);
    scene.wall(&[place(drawing, 'x')]);
    let (step, cells, repairs) = scene.walk();
    assert_eq!((step, repairs.len()), (FollowerStep::Arrived, 1));
    assert!(!cells.contains(&place(drawing, 'a')) && !cells.contains(&place(drawing, 'b')));
    let mut once = cells.clone();
    once.sort_unstable();
    once.dedup();
    assert_eq!(once.len(), cells.len(), "no cell is walked twice");
    let before = cells.iter().position(|&cell| cell == Cell::new(4, 1)).unwrap();
    assert_eq!(scene.ground.path_cost(&cells[before..]), Some(repairs[0].cost_after));
}

#[test]
fn a_unit_over_which_a_house_is_built_steps_out() {
    let drawing = "
        .......
        .s....g
        .......";
    let mut scene = Scene::new(drawing, FollowerOptions::default());
    scene.wall(&[Cell::new(1, 1), Cell::new(2, 1), Cell::new(2, 0)]);
    let (step, cells, _) = scene.walk();
    assert_eq!(step, FollowerStep::Arrived, "{cells:?}");
    let mut scene = Scene::new(drawing, FollowerOptions::default());
    let house: Vec<Cell> = Rect::new(Cell::new(0, 0), 3, 3).cells().collect();
    scene.wall(&house);
    assert_eq!(scene.advance(), FollowerStep::Blocked(Blocked::Enclosed));
}

#[test]
fn a_pushed_unit_comes_back_to_its_path() {
    let drawing = "
        ..........
        s........g
        ..........
        ..........
        ..........";
    let mut scene = Scene::new(drawing, FollowerOptions::default());
    scene.advance();
    scene.advance();
    scene.follower.relocate(Cell::new(3, 2));
    assert!(matches!(
        scene.advance(),
        FollowerStep::Move { to: Cell { x: 4, y: 1 }, repair: None }
    ));
    scene.follower.relocate(Cell::new(5, 4));
    assert_eq!(scene.follower.position(), Cell::new(5, 4));
    let FollowerStep::Move { repair: Some(repair), .. } = scene.advance() else {
        panic!("no repair")
    };
    assert_eq!(repair.how, RepairKind::Splice);
    assert_eq!(scene.walk().0, FollowerStep::Arrived);
    // Off the goal, and onto another cell of the path: nothing to search.
    scene.follower.relocate(Cell::new(8, 0));
    let (step, cells, repairs) = scene.walk();
    assert_eq!((step, cells.len(), repairs.len()), (FollowerStep::Arrived, 2, 0));
}

#[test]
fn where_a_unit_was_pushed_to_does_not_become_part_of_its_path() {
    let drawing = "
        s.........g
        ...........
        ...........
        ...........";
    let mut scene = Scene::new(drawing, FollowerOptions::default());
    scene.follower.relocate(Cell::new(4, 3));
    let step = scene.advance_within(Budget::expansions(0));
    assert_eq!(step, FollowerStep::Blocked(Blocked::BudgetSpent));
    scene.follower.relocate(Cell::new(9, 2));
    assert!(!scene.follower.remaining().any(|cell| cell == Cell::new(4, 3)));
    // Up to the path, then along it.
    let (step, cells, _) = scene.walk();
    assert_eq!((step, cells.len()), (FollowerStep::Arrived, 4));
}

#[test]
fn a_step_that_the_unit_could_not_do_is_said_again() {
    let mut scene = Scene::new("s...g", FollowerOptions::default());
    let said = scene.advance();
    scene.follower.relocate(Cell::new(0, 0));
    assert_eq!(scene.advance(), said);
    scene.follower.relocate(Cell::new(3, 0));
    assert_eq!(scene.follower.remaining().collect::<Vec<_>>(), [Cell::new(3, 0), Cell::new(4, 0)]);
    scene.follower.relocate(Cell::new(2, 0));
    scene.follower.relocate(Cell::new(2, 0));
    assert_eq!(scene.walk().1.len(), 3);
}

#[test]
fn told_to_search_again_it_finds_the_shortcut_that_was_opened() {
    let drawing = "
        s.#..g
        ..#...
        ..#...
        ......";
    let mut scene = Scene::new(drawing, FollowerOptions::default());
    let change = scene.map.set(Cell::new(2, 0), Map::GROUND).unwrap();
    scene.ground.apply(&scene.map, &change);
    scene.follower.search_again();
    let FollowerStep::Move { repair: Some(repair), .. } = scene.advance() else {
        panic!("no repair")
    };
    assert_eq!((repair.how, repair.cost_after), (RepairKind::Full, Cost(5 * STRAIGHT)));
    assert!(repair.cost_before > repair.cost_after);
    assert!(matches!(scene.advance(), FollowerStep::Move { repair: None, .. }), "once is enough");
}

#[test]
fn without_budget_it_walks_up_to_the_break_and_says_why_it_waits() {
    let mut scene = Scene::new(RIVER, FollowerOptions { look_ahead: 9, ..Default::default() });
    scene.wall(&[place(RIVER, 'n')]);
    for _ in 0..5 {
        let step = scene.advance_within(Budget::expansions(2));
        assert!(matches!(step, FollowerStep::Move { repair: None, .. }));
    }
    let step = scene.advance_within(Budget::expansions(2));
    assert_eq!(step, FollowerStep::Blocked(Blocked::BudgetSpent));
    assert_eq!(scene.walk().0, FollowerStep::Arrived);
}

#[test]
fn always_full_never_splices() {
    let options = FollowerOptions { always_full: true, ..FollowerOptions::default() };
    let mut scene = Scene::new(RIVER, options);
    scene.wall(&[place(RIVER, 'n')]);
    assert_eq!(scene.walk().0, FollowerStep::Arrived);
    let statistics = scene.follower.statistics();
    assert_eq!((statistics.splices, statistics.full_searches), (0, 1));
}

#[test]
fn a_ground_of_another_size_is_no_disaster() {
    let mut scene = Scene::new("s......g", FollowerOptions::default());
    let small = Ground::new(&Map::empty(3, 1).unwrap(), MovementProfile::four_connected()).unwrap();
    for _ in 0..2 {
        scene.follower.advance(&small, &mut scene.search, Budget::unlimited()).unwrap();
    }
    let step = scene.follower.advance(&small, &mut scene.search, Budget::unlimited()).unwrap();
    assert_eq!(step, FollowerStep::Blocked(Blocked::GoalBlocked));
    scene.follower.relocate(Cell::new(50, 50));
    let step = scene.follower.advance(&small, &mut scene.search, Budget::unlimited()).unwrap();
    assert_eq!(step, FollowerStep::Blocked(Blocked::Enclosed));
    assert!(Follower::new(&small, &Path::default(), FollowerOptions::default()).is_none());
}

fn random_options(rng: &mut Pcg64Mcg) -> FollowerOptions {
    FollowerOptions {
        look_ahead: rng.random_range(0..8),
        rejoin_cells: [1, 4, 32][rng.random_range(0..3)],
        splice_percent: [100, 120, 200, 1000][rng.random_range(0..4)],
        splice_effort: [0, 1, 4, u32::MAX][rng.random_range(0..4)],
        always_full: rng.random_range(0..6) == 0,
    }
}

fn edit(scene: &mut Scene, rng: &mut Pcg64Mcg) {
    let cell = Cell::new(rng.random_range(0..26), rng.random_range(0..26));
    let terrain = if rng.random_range(0..5) < 3 { Map::WALL } else { Map::GROUND };
    let change = scene.map.set(cell, terrain).unwrap();
    scene.ground.apply(&scene.map, &change);
    // And something on the path itself.
    let ahead: Vec<Cell> = scene.follower.remaining().collect();
    if ahead.len() > 3 && rng.random_range(0..3) == 0 {
        let cell = ahead[rng.random_range(1..ahead.len() as u32 - 1) as usize];
        scene.wall(&[cell]);
    }
}

/// A unit walks while the map changes under it; `None` if it has no path to begin with.
/// Whether it arrived.
fn walk_while_editing(seed: u64) -> Option<bool> {
    let mut rng = rng(seed);
    let map = random_map(seed, 26, 26, 20);
    let corners = [CornerRule::NeverCut, CornerRule::OneSideFree, CornerRule::AlwaysCut];
    let movement = MovementProfile {
        corners: corners[(seed % 3) as usize],
        footprint: 1 + (seed % 2) as u8,
        neighbours: [Neighbours::Eight, Neighbours::Four][usize::from(seed.is_multiple_of(5))],
        ..MovementProfile::eight_connected()
    };
    let ground = Ground::new(&map, movement).unwrap();
    let mut cell = || Cell::new(rng.random_range(0..26), rng.random_range(0..26));
    let (from, to) = (cell(), cell());
    let mut search = AStar::default();
    let path = best(&ground, &mut search, from, to)?;
    let follower = Follower::new(&ground, &path, random_options(&mut rng))?;
    let mut scene = Scene { map, ground, search, follower };
    for tick in 0..40 {
        edit(&mut scene, &mut rng);
        if tick % 9 == 5 {
            let pushed = Cell::new(rng.random_range(0..26), rng.random_range(0..26));
            scene.follower.relocate(pushed);
        }
        if rng.random_range(0..12) == 0 {
            scene.follower.search_again();
        }
        let budget = Budget::expansions(rng.random_range(0..200));
        scene.advance_within(budget);
    }
    let (step, cells, repairs) = scene.walk();
    let here = cells[cells.len() - 1];
    for repair in repairs.iter().filter(|repair| repair.how == RepairKind::Full) {
        assert!(repair.expanded > 0);
    }
    match step {
        FollowerStep::Arrived => assert_eq!(here, to),
        FollowerStep::Blocked(Blocked::Unreachable) => {
            assert!(!scene.ground.is_connected(here, to));
        }
        FollowerStep::Blocked(Blocked::GoalBlocked) => assert!(!scene.ground.can_stand(to)),
        FollowerStep::Blocked(Blocked::Enclosed) => assert!(!scene.ground.can_stand(here)),
        other => panic!("{other:?} without a limit"),
    }
    Some(step == FollowerStep::Arrived)
}

#[test]
fn over_random_edits_every_step_is_legal_and_the_goal_is_reached_if_it_can_be() {
    let walks: Vec<bool> = (0..900).filter_map(walk_while_editing).collect();
    let arrived = walks.iter().filter(|&&arrived| arrived).count();
    assert!(walks.len() > 200 && arrived > 100, "{arrived} of {}", walks.len());
}

/// What a splice at the first cell of a broken path costs, by how many cells it may rejoin.
fn splice_cost(scene: &Scene, rejoin_cells: u32) -> Option<(Cost, u64)> {
    let options = FollowerOptions {
        rejoin_cells,
        splice_percent: u32::MAX,
        splice_effort: u32::MAX,
        ..Default::default()
    };
    let mut follower = Follower { options, ..scene.follower.clone() };
    let step = follower.advance(&scene.ground, &mut AStar::default(), Budget::unlimited());
    match step.unwrap() {
        FollowerStep::Move { repair: Some(repair), .. } => {
            let cells: Vec<Cell> = follower.remaining().collect();
            let onto = scene.ground.step_cost(scene.follower.position(), cells[0]).unwrap();
            let rest = scene.ground.path_cost(&cells).unwrap();
            assert_eq!(repair.cost_after, onto + rest, "the cost is that of the cells");
            Some((repair.cost_after, repair.expanded))
        }
        _ => None,
    }
}

/// A unit right before a break of one to three cells.
fn broken_path(seed: u64) -> Option<Scene> {
    let map = random_map(seed, 40, 40, 25);
    let mut ground = Ground::new(&map, MovementProfile::eight_connected()).unwrap();
    let mut rng = rng(seed);
    let mut cell = || Cell::new(rng.random_range(0..40), rng.random_range(0..40));
    let mut search = AStar::default();
    let path = best(&ground, &mut search, cell(), cell()).filter(|path| path.cells.len() > 7)?;
    let follower = Follower::new(&ground, &path, FollowerOptions::default())?;
    let broken = 1 + rng.random_range(0..3) as usize;
    path.cells[1..=broken].iter().for_each(|&cell| ground.add_obstacle(cell));
    Some(Scene { map, ground, search, follower })
}

#[test]
fn to_rejoin_at_any_of_many_cells_is_cheaper_and_faster_than_at_the_first() {
    let scenes = (0..300).filter_map(broken_path);
    let splices: Vec<_> =
        scenes.filter_map(|scene| splice_cost(&scene, 1).zip(splice_cost(&scene, 32))).collect();
    assert!(splices.len() > 100);
    assert!(splices.iter().all(|(one, many)| many.0 <= one.0));
    let expanded = splices.iter().fold((0, 0), |sum, (one, many)| (sum.0 + one.1, sum.1 + many.1));
    assert!(expanded.1 < expanded.0, "{expanded:?}");
}
