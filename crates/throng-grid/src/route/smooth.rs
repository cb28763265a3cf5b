//! Any-angle paths: smoothing of paths over the grid by string pulling.
//!
//! X. Xu and K. Zou, "An improved pathfinding algorithm in RTS games", section 2: a path
//! over the eight neighbours, "although the shortest", is "often zigzag and not realistic",
//! and "unacceptable for the smooth movement required in most RTS games today".
//!
//! The next waypoint is as far along the path as possible, if the straight line to it is free
//! and costs no more than the path. It is found by doubling and then halving the distance, so
//! the effort hardly grows with the length of the path.

use throng_model::{Cell, Cost};

use crate::{Ground, Path, segment_cost};

/// A path of straight lines, at any angle, from waypoint to waypoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Smoothed {
    /// From start to goal, both included. The straight lines between them are free.
    pub waypoints: Vec<Cell>,
    /// The sum of its lines (see [`segment_cost`]); never more than the path's.
    pub cost: Cost,
}

/// The number of failures in a row that end the doubling. One is not enough, because a point
/// farther along the path may be visible again.
const FAILURES_MAX: u32 = 2;

/// Turns a path over the grid into straight lines at any angle.
///
/// The result keeps start and end, respects footprint, corner rule and terrain, and never costs
/// more. `None` if the path is empty or one of its steps is not legal on this ground.
///
/// ```
/// use throng_model::{Budget, Cell, Map, MovementProfile};
/// use throng_grid::{AStar, Ground, PathSearch, Query, smooth};
/// let ground = Ground::new(&Map::empty(50, 50)?, MovementProfile::eight_connected())?;
/// let ends = [Cell::new(1, 1), Cell::new(40, 13)];
/// let query = Query::new(&ends[..1], &ends[1..]);
/// let path = AStar::default().find(&ground, &query, Budget::unlimited())?.found().ok_or("none")?;
/// let smoothed = smooth(&ground, &path).ok_or("not legal")?;
/// assert_eq!(smoothed.waypoints, ends);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn smooth(ground: &Ground, path: &Path) -> Option<Smoothed> {
    let mut line = Polyline::of_path(ground, path)?;
    loop {
        let shortened = line.shortened(ground);
        if shortened.points.len() == line.points.len() {
            return Some(Smoothed { cost: shortened.length(), waypoints: shortened.points });
        }
        line = shortened;
    }
}

/// Points, and the cost from the first one to each along them.
struct Polyline {
    points: Vec<Cell>,
    costs: Vec<Cost>,
}

impl Polyline {
    fn of_path(ground: &Ground, path: &Path) -> Option<Self> {
        let first = path.start().filter(|&start| ground.can_stand(start))?;
        let mut line = Self { points: vec![first], costs: vec![Cost::ZERO] };
        for step in path.cells.windows(2) {
            line.push(step[1], ground.step_cost(step[0], step[1])?);
        }
        Some(line)
    }

    fn push(&mut self, point: Cell, cost: Cost) {
        self.costs.push(self.length() + cost);
        self.points.push(point);
    }

    fn length(&self) -> Cost {
        self.costs.last().copied().unwrap_or_default()
    }

    fn shortened(&self, ground: &Ground) -> Self {
        let mut shortened = Self { points: vec![self.points[0]], costs: vec![Cost::ZERO] };
        let mut at = 0;
        while at + 1 < self.points.len() {
            let (next, cost) = self.furthest(ground, at);
            shortened.push(self.points[next], cost);
            at = next;
        }
        shortened
    }

    /// The farthest point found that a free straight line reaches at no more cost than this
    /// polyline, and the cost of that line.
    fn furthest(&self, ground: &Ground, at: usize) -> (usize, Cost) {
        let last = self.points.len() - 1;
        let mut good = (at + 1, self.costs[at + 1] - self.costs[at]);
        let mut bad = last + 1;
        let mut reach = 2;
        let mut failures = 0;
        while failures < FAILURES_MAX && good.0 < last {
            let target = (at + reach).min(last);
            match self.straight(ground, at, target) {
                Some(cost) => (good, bad, failures) = ((target, cost), last + 1, 0),
                None => (bad, failures) = (bad.min(target), failures + 1),
            }
            if target == last {
                break;
            }
            reach *= 2;
        }
        while good.0 + 1 < bad {
            let middle = good.0.midpoint(bad);
            match self.straight(ground, at, middle) {
                Some(cost) => good = (middle, cost),
                None => bad = middle,
            }
        }
        good
    }

    /// The cost of the straight line, if it is free and costs no more than this polyline.
    fn straight(&self, ground: &Ground, from: usize, to: usize) -> Option<Cost> {
        let along = self.costs[to] - self.costs[from];
        segment_cost(ground, self.points[from], self.points[to]).filter(|&cost| cost <= along)
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;
    use throng_model::{
        Budget, CornerRule, DiagonalCost, Map, MovementProfile, Neighbours, STRAIGHT, TerrainId,
    };
    use throng_testkit::{place, rng};

    use super::*;
    use crate::{AStar, PathSearch, Query, line_of_sight};

    fn path(ground: &Ground, from: Cell, to: Cell) -> Option<Path> {
        let (starts, goals) = ([from], [to]);
        let query = Query::new(&starts, &goals);
        AStar::default().find(ground, &query, Budget::unlimited()).ok()?.found()
    }

    fn smoothed(drawing: &str, movement: MovementProfile) -> (Path, Smoothed) {
        let ground = Ground::new(&throng_testkit::map(drawing), movement).unwrap();
        let path = path(&ground, place(drawing, 's'), place(drawing, 'g')).unwrap();
        let smoothed = smooth(&ground, &path).unwrap();
        (path, smoothed)
    }

    #[test]
    fn a_staircase_in_the_open_becomes_one_line() {
        let drawing = "
            s........
            .........
            .........
            ........g";
        for movement in [MovementProfile::four_connected(), MovementProfile::eight_connected()] {
            let (path, smoothed) = smoothed(drawing, movement);
            assert_eq!(smoothed.waypoints, [Cell::new(0, 0), Cell::new(8, 3)]);
            assert!(smoothed.cost < path.cost);
            let length = (73_f64.sqrt() * STRAIGHT as f64).ceil() as u64;
            assert_eq!(smoothed.cost, Cost(length));
        }
    }

    #[test]
    fn a_wall_is_passed_at_its_corner() {
        let drawing = "
            s.........
            ..........
            .......#..
            .......#.g";
        let (_, smoothed) = smoothed(drawing, MovementProfile::eight_connected());
        assert_eq!(smoothed.waypoints, [Cell::new(0, 0), Cell::new(8, 1), Cell::new(9, 3)]);
        assert_eq!(smoothed.cost.to_string(), "10.30");
    }

    #[test]
    fn a_detour_around_a_swamp_stays_a_detour() {
        let drawing = "
            s.......g
            .9999999.
            .........";
        let (path, smoothed) = smoothed(drawing, MovementProfile::eight_connected());
        assert_eq!(smoothed.cost, path.cost);
        let drawing = "
            .........
            s9999999g
            .........";
        let (path, shortened) = self::smoothed(drawing, MovementProfile::eight_connected());
        assert!(shortened.waypoints.len() > 2 && shortened.cost <= path.cost, "{shortened:?}");
    }

    #[test]
    fn where_a_step_is_a_tick_a_line_takes_as_long_as_its_steps() {
        let drawing = "
            s........
            .........
            ........g";
        let movement = MovementProfile {
            diagonal: DiagonalCost::OneTick,
            ..MovementProfile::eight_connected()
        };
        let (path, smoothed) = smoothed(drawing, movement);
        assert_eq!((smoothed.waypoints.len(), smoothed.cost), (2, path.cost));
        assert_eq!(path.cost, Cost(8 * STRAIGHT));
    }

    #[test]
    fn a_path_that_is_not_legal_is_refused() {
        let ground =
            Ground::new(&Map::empty(4, 4).unwrap(), MovementProfile::four_connected()).unwrap();
        assert_eq!(smooth(&ground, &Path::default()), None);
        let jump = vec![Cell::new(0, 0), Cell::new(2, 0)];
        assert_eq!(smooth(&ground, &Path { cells: jump, cost: Cost(0) }), None);
        let stay = Path { cells: vec![Cell::new(1, 1)], cost: Cost(0) };
        let smoothed = smooth(&ground, &stay).unwrap();
        assert_eq!((smoothed.waypoints, smoothed.cost), (stay.cells, Cost(0)));
    }

    /// A long path in the open: one line, found with few looks.
    #[test]
    fn long_paths_are_pulled_as_well() {
        let ground =
            Ground::new(&Map::empty(2000, 900).unwrap(), MovementProfile::four_connected());
        let ground = ground.unwrap();
        let path = path(&ground, Cell::new(3, 4), Cell::new(1990, 890)).unwrap();
        assert_eq!(smooth(&ground, &path).unwrap().waypoints.len(), 2);
    }

    fn random_terrain(seed: u64, side: u16) -> Map {
        let classes = throng_testkit::map("2").classes().to_vec();
        let mut rng = rng(seed);
        let cells = 0..u32::from(side) * u32::from(side);
        let cells = cells.map(|_| [1, 1, 0, 0, 0, 0, 0, 0, 2, 3][rng.random_range(0..10)]);
        Map::new(side, side, classes, cells.map(TerrainId).collect()).unwrap()
    }

    fn check(ground: &Ground, path: &Path) {
        let smoothed = smooth(ground, path).unwrap();
        let ends = (smoothed.waypoints.first().copied(), smoothed.waypoints.last().copied());
        assert_eq!(ends, (path.start(), path.end()));
        assert!(smoothed.cost <= path.cost);
        let lines = smoothed.waypoints.windows(2);
        assert!(lines.clone().all(|line| line_of_sight(ground, line[0], line[1])));
        let sum = lines.map(|line| segment_cost(ground, line[0], line[1])).sum();
        assert_eq!(Some(smoothed.cost), sum);
        let again = Polyline { costs: costs(ground, &smoothed), points: smoothed.waypoints };
        assert!(again.shortened(ground).length() <= smoothed.cost);
    }

    fn costs(ground: &Ground, smoothed: &Smoothed) -> Vec<Cost> {
        let mut sum = Cost::ZERO;
        let mut costs = vec![sum];
        for line in smoothed.waypoints.windows(2) {
            sum += segment_cost(ground, line[0], line[1]).unwrap();
            costs.push(sum);
        }
        costs
    }

    #[test]
    fn smoothed_paths_are_free_keep_their_ends_and_never_cost_more() {
        let mut found = 0;
        for seed in 0..40_u64 {
            let map = random_terrain(seed, 40);
            for corners in [CornerRule::NeverCut, CornerRule::OneSideFree, CornerRule::AlwaysCut] {
                let movement = MovementProfile {
                    corners,
                    footprint: 1 + (seed % 3) as u8,
                    neighbours: [Neighbours::Eight, Neighbours::Four][usize::from(seed % 4 == 3)],
                    diagonal: [DiagonalCost::TrueLength, DiagonalCost::OneTick]
                        [usize::from(seed % 5 == 4)],
                    ..MovementProfile::eight_connected()
                };
                let ground = Ground::new(&map, movement).unwrap();
                let mut rng = rng(seed + 7);
                for _ in 0..20 {
                    let mut cell = || Cell::new(rng.random_range(0..40), rng.random_range(0..40));
                    if let Some(path) = path(&ground, cell(), cell()) {
                        check(&ground, &path);
                        found += 1;
                    }
                }
            }
        }
        assert!(found > 300, "only {found} paths were smoothed");
    }
}
