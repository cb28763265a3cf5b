//! The compared searches, each behind one call.

use std::hint::black_box;

use grid_pathfinding::{PathingGrid, waypoints_to_path};
use grid_util::grid::ValueGrid;
use grid_util::point::Point;
use petgraph::csr::Csr;
use throng_grid::{Ground, PathSearch, Query};
use throng_model::{Budget, Cell, DIAGONAL, Map, STRAIGHT};

use crate::grid::{Grid, Node};

/// A path search.
pub(crate) trait Rival {
    /// Finds a path. Returns its cost, if the search reports one.
    fn find(&mut self, from: Cell, to: Cell) -> Option<u64>;
}

/// One of throng's searches. It returns every cell of the path.
pub(crate) struct Throng<'a, S> {
    pub(crate) ground: &'a Ground,
    pub(crate) search: S,
}

impl<S: PathSearch> Rival for Throng<'_, S> {
    fn find(&mut self, from: Cell, to: Cell) -> Option<u64> {
        let (starts, goals) = ([from], [to]);
        let query = Query::new(&starts, &goals);
        let answer = self.search.find(self.ground, &query, Budget::unlimited()).ok()?;
        black_box(answer).found().map(|path| path.cost.0)
    }
}

/// `pathfinding::prelude::astar`.
pub(crate) struct Pathfinding<'a>(pub(crate) &'a Grid);

impl Rival for Pathfinding<'_> {
    fn find(&mut self, from: Cell, to: Cell) -> Option<u64> {
        let (start, goal) = (self.0.node(from), self.0.node(to));
        let answer = pathfinding::prelude::astar(
            &start,
            |&node| self.0.successors(node),
            |&node| self.0.estimate(node, goal),
            |&node| node == goal,
        );
        black_box(answer).map(|(_, cost)| u64::from(cost))
    }
}

/// `petgraph::algo::astar` over compressed rows, petgraph's most compact graph.
pub(crate) struct Petgraph<'a> {
    grid: &'a Grid,
    graph: Csr<(), u32>,
}

impl<'a> Petgraph<'a> {
    pub(crate) fn new(grid: &'a Grid) -> Result<Self, String> {
        let edges: Vec<(Node, Node, u32)> = grid
            .nodes()
            .flat_map(|node| grid.successors(node).map(move |(next, cost)| (node, next, cost)))
            .collect();
        let graph = Csr::from_sorted_edges(&edges).map_err(|error| format!("{error:?}"))?;
        Ok(Self { grid, graph })
    }
}

impl Rival for Petgraph<'_> {
    fn find(&mut self, from: Cell, to: Cell) -> Option<u64> {
        let goal = self.grid.node(to);
        let answer = petgraph::algo::astar(
            &self.graph,
            self.grid.node(from),
            |node| node == goal,
            |edge| *petgraph::visit::EdgeRef::weight(&edge),
            |node| self.grid.estimate(node, goal),
        );
        black_box(answer).map(|(cost, _)| u64::from(cost))
    }
}

/// `grid_pathfinding`'s jump point search. It cuts corners, which is an easier problem. It is
/// asked for the jump points only, which is its cheapest call.
pub(crate) struct GridPathfinding(PathingGrid);

impl GridPathfinding {
    pub(crate) fn new(map: &Map, improved_pruning: bool) -> Self {
        let mut grid = PathingGrid::new(usize::from(map.width()), usize::from(map.height()), true);
        for cell in map.cells() {
            grid.grid.set(i32::from(cell.x), i32::from(cell.y), !map.is_passable(cell));
        }
        grid.allow_diagonal_move = true;
        grid.improved_pruning = improved_pruning;
        grid.initialize();
        grid.generate_components();
        Self(grid)
    }

    fn waypoints(&self, from: Cell, to: Cell) -> Option<Vec<Point>> {
        self.0.get_waypoints_single_goal(point(from), point(to), false)
    }

    /// The cost of its path: for checks, not for measurements.
    pub(crate) fn cost(&self, from: Cell, to: Cell) -> Option<u64> {
        let path = waypoints_to_path(self.waypoints(from, to)?);
        let step = |step: &[Point]| {
            let is_diagonal = step[0].x != step[1].x && step[0].y != step[1].y;
            if is_diagonal { DIAGONAL } else { STRAIGHT }
        };
        Some(path.windows(2).map(step).sum())
    }
}

fn point(cell: Cell) -> Point {
    Point::new(i32::from(cell.x), i32::from(cell.y))
}

impl Rival for GridPathfinding {
    fn find(&mut self, from: Cell, to: Cell) -> Option<u64> {
        black_box(self.waypoints(from, to)).map(|_| 0)
    }
}
