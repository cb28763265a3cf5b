//! RRA* against fields, and against what its paper says of it.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;
use throng_grid::kit::{DenseCosts, PagedCosts};
use throng_grid::{Field, Ground};
use throng_model::{Cell, Effort, Map, MovementProfile, Tick};
use throng_spacetime::{
    FootprintRules, GridSpace, LocalRra, NoObstacles, Position, Rra, Space, SpaceTimeSearch,
    TimedPath, Until,
};

use throng_testkit::case;

/// A space of any movement, and roots where its units can stand, with what is due there.
struct Hunt {
    space: GridSpace,
    roots: Vec<(Position, u64)>,
    rng: Pcg64Mcg,
}

fn hunt(seed: u64) -> Option<Hunt> {
    let case = case(seed);
    let mut rng = throng_testkit::rng(seed ^ 0xabc);
    // These divide the length of a step, so that ticks and costs agree exactly.
    let pace = [1, 1, 2, 3, 7][rng.random_range(0..5_u32) as usize];
    let ground = Ground::new(&case.map, MovementProfile { pace, ..case.movement }).unwrap();
    let space = GridSpace::over(ground, &FootprintRules::default());
    let stands = case.goals.iter().filter(|&&goal| space.ground().can_stand(goal));
    let goals: Vec<_> = stands.filter_map(|&goal| space.position(goal)).collect();
    let due = |_: &Position| [0, 0, 3, 40_000][rng.random_range(0..4_u32) as usize];
    let dues: Vec<u64> = goals.iter().map(due).collect();
    let roots: Vec<_> = goals.into_iter().zip(dues).collect();
    (!roots.is_empty()).then_some(Hunt { space, roots, rng })
}

impl Hunt {
    /// The truth, by a field for each root.
    fn truth(&self) -> Vec<Option<u64>> {
        let unit = self.space.cost_unit();
        let fields = self.roots.iter().map(|&(root, due)| {
            (Field::new(self.space.ground(), &[self.space.cell(root)]).unwrap(), due)
        });
        let fields: Vec<_> = fields.collect();
        let distance = |at| {
            let each = fields.iter().filter_map(|(field, due)| {
                let cost = field.distance(self.space.cell(at))?.0;
                assert_eq!(cost % unit, 0);
                Some(cost / unit + due)
            });
            each.min()
        };
        (0..self.space.positions() as u32).map(Position).map(distance).collect()
    }

    fn stands(&self, at: Position) -> bool {
        self.space.ground().can_stand(self.space.cell(at))
    }

    fn anywhere(&mut self) -> Position {
        Position(self.rng.random_range(0..self.space.positions() as u32))
    }
}

#[test]
fn distances_are_those_of_fields_in_any_order_of_questions() {
    let (mut dense, mut paged) = (Rra::<DenseCosts>::default(), Rra::<PagedCosts>::default());
    for mut hunt in (0..800).filter_map(hunt) {
        let truth = hunt.truth();
        let towards = hunt.anywhere();
        dense.begin(&hunt.space, hunt.roots.clone(), towards);
        paged.begin(&hunt.space, hunt.roots.clone(), towards);
        assert_eq!(paged.towards(), Some(towards));
        for _ in 0..60 {
            let at = hunt.anywhere();
            let known = paged.known(at);
            assert!(known.is_none() || known == truth[at.get()]);
            let before = paged.expanded();
            assert_eq!(paged.distance(&hunt.space, at), truth[at.get()]);
            assert!(known.is_none() || paged.expanded() == before, "searched for what it knew");
            assert_eq!(paged.known(at), truth[at.get()], "and does not know it now");
            assert_eq!(dense.distance(&hunt.space, at), truth[at.get()]);
            let effort = |expanded, generated| (expanded, generated);
            assert_eq!(
                effort(dense.expanded(), dense.generated()),
                effort(paged.expanded(), paged.generated())
            );
            assert!(paged.expanded() <= hunt.space.positions() as u64, "some expanded twice");
        }
    }
}

#[test]
fn before_it_begins_it_knows_nothing() {
    let map = Map::empty(4, 4).unwrap();
    let rules = FootprintRules::default();
    let space = GridSpace::new(&map, MovementProfile::four_connected(), &rules).unwrap();
    let mut search: Rra = Rra::default();
    assert_eq!((search.known(Position(3)), search.distance(&space, Position(3))), (None, None));
    search.begin(&space, [], Position(0));
    assert_eq!(search.distance(&space, Position(3)), None);
}

#[test]
fn there_is_no_way_into_a_wall() {
    let map = throng_testkit::map("...#.\n.....");
    for footprint in [1, 2] {
        let movement = MovementProfile { footprint, ..MovementProfile::eight_connected() };
        let space = GridSpace::new(&map, movement, &FootprintRules::default()).unwrap();
        let at = |x, y| space.position(Cell::new(x, y)).unwrap();
        let mut search: Rra = Rra::default();
        search.begin(&space, [(at(3, 0), 0)], at(0, 0));
        assert_eq!(search.distance(&space, at(0, 0)), None);
    }
}

#[test]
fn many_units_share_one_search_for_less_than_their_own() {
    let map = throng_testkit::random_map(3, 60, 60, 20);
    let rules = FootprintRules::default();
    let space = GridSpace::new(&map, MovementProfile::four_connected(), &rules).unwrap();
    let ground = space.ground();
    let units: Vec<_> = map.cells().filter(|&cell| ground.can_stand(cell)).step_by(50).collect();
    let at = |cell: Cell| space.position(cell).unwrap();
    let goal = at(units[0]);
    let mut shared: Rra = Rra::default();
    shared.begin(&space, [(goal, 0)], at(units[1]));
    let mut own_expanded = 0;
    for &unit in &units {
        let mut own: Rra = Rra::default();
        own.begin(&space, [(goal, 0)], at(unit));
        assert_eq!(own.distance(&space, at(unit)), shared.distance(&space, at(unit)));
        own_expanded += own.expanded();
    }
    assert!(shared.expanded() <= space.positions() as u64);
    assert!(shared.expanded() * 3 < own_expanded, "{} {own_expanded}", shared.expanded());
}

/// "If the shortest path to the destination is clear of agents then the initial call to
/// RRA* should contain the distances to all required nodes. This is achieved by reversing
/// the ordering of the successor function in RRA* to ensure that ties are broken in the same
/// direction": so it is for most ways. (The search forward also asks for the neighbours of
/// those nodes, and for these RRA* has to go on now and then.)
#[test]
fn on_a_clear_way_the_first_call_mostly_finds_what_the_search_forward_expands() {
    let (mut contained, mut ways, mut resumed, mut asked) = (0, 0, 0, 0);
    let mut search = SpaceTimeSearch::default();
    for seed in 0..300 {
        let map = throng_testkit::random_map(seed, 32, 32, 20);
        let rules = FootprintRules::default();
        let space = GridSpace::new(&map, MovementProfile::four_connected(), &rules).unwrap();
        let mut rng = throng_testkit::rng(seed);
        let mut place = || Position(rng.random_range(0..32 * 32));
        let (start, goal) = (place(), place());
        let mut distances: Rra = Rra::default();
        distances.begin(&space, [(goal, 0)], start);
        let stands = |at| space.ground().can_stand(space.cell(at));
        if !stands(start) || !stands(goal) || distances.distance(&space, start).is_none() {
            continue;
        }
        let first_call = distances.clone();
        let before = search.expanded();
        let mut distance = |at| {
            asked += 1;
            resumed += u32::from(first_call.known(at).is_none());
            distances.distance(&space, at)
        };
        let (from, until) = ((start, Tick(0)), Until::Goal(goal));
        search.run(&space, &NoObstacles, from, until, &mut distance, &mut Effort::unlimited());
        let mut path = TimedPath::default();
        search.path_into(&space, Tick(0), &mut path);
        let steps = path.legs.len() as u64;
        assert_eq!(search.expanded() - before, steps, "seed {seed}: not straight there");
        ways += 1;
        contained += u32::from(path.legs.iter().all(|leg| first_call.known(leg.from).is_some()));
    }
    assert!(ways > 100 && contained * 10 > ways * 8, "{contained} of {ways}");
    assert!(resumed * 2 < asked, "resumed {resumed} times of {asked}");
}

/// Distances over some of the positions alone, by going through them until nothing changes.
fn distances_over(hunt: &Hunt, is_inside: impl Fn(Position) -> bool) -> Vec<Option<u64>> {
    let space = &hunt.space;
    let mut distances = vec![None; space.positions()];
    for &(root, due) in hunt.roots.iter().filter(|&&(root, _)| is_inside(root)) {
        let known = &mut distances[root.get()];
        *known = Some(known.map_or(due, |known: u64| known.min(due)));
    }
    let mut changed = true;
    while std::mem::take(&mut changed) {
        let positions = (0..space.positions() as u32).map(Position);
        for at in positions.filter(|&at| is_inside(at)) {
            space.for_each_move(at, |step| {
                let Some(rest) = distances[step.to.get()].filter(|_| is_inside(step.to)) else {
                    return;
                };
                let known = &mut distances[at.get()];
                if known.is_none_or(|known| known > rest + step.cost) && hunt.stands(at) {
                    *known = Some(rest + step.cost);
                    changed = true;
                }
            });
        }
    }
    distances
}

#[test]
fn distances_in_a_square_are_those_over_its_cells_alone() {
    let mut local = LocalRra::default();
    for mut hunt in (0..400).filter_map(hunt) {
        let middle = hunt.anywhere();
        let reach = [0, 2, 5, 9, 300, u16::MAX][hunt.rng.random_range(0..6_u32) as usize];
        let middle = hunt.space.cell(middle);
        let is_inside = |at| {
            let cell = hunt.space.cell(at);
            cell.x.abs_diff(middle.x) <= reach && cell.y.abs_diff(middle.y) <= reach
        };
        let truth = distances_over(&hunt, is_inside);
        local.begin(&hunt.space, middle, reach, hunt.roots.clone());
        for _ in 0..60 {
            let at = Position(hunt.rng.random_range(0..hunt.space.positions() as u32));
            assert_eq!(local.distance(&hunt.space, at), truth[at.get()]);
            assert_eq!(local.known(&hunt.space, at), truth[at.get()]);
            check_way(&hunt, &local.path(&hunt.space, at), at, &truth);
        }
    }
}

/// The way begins at a position, every step of it is legal and gets nearer by what it costs,
/// and it ends at a goal.
fn check_way(hunt: &Hunt, way: &[Position], from: Position, truth: &[Option<u64>]) {
    let Some(distance) = truth[from.get()] else { return assert!(way.is_empty()) };
    assert_eq!(way.first(), Some(&from));
    let mut left = distance;
    for step in way.windows(2) {
        let mut cost = None;
        hunt.space.for_each_move(step[0], |to| {
            if to.to == step[1] {
                cost = Some(to.cost);
            }
        });
        left -= cost.unwrap();
        assert_eq!(truth[step[1].get()], Some(left));
    }
    assert!(hunt.roots.contains(&(*way.last().unwrap(), left)), "it ends before a goal");
}
