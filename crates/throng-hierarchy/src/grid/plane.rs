//! The ground as the hierarchy keeps it: a factor for each position, cut into clusters.

use std::iter::Sum;
use std::ops::Mul;

use throng_grid::Ground;
use throng_model::{Cell, CornerRule, Cost, MovementProfile, Neighbours, Rect};

/// Cells a side of a cluster.
pub(crate) const SIDE: u32 = 16;
/// What a straight step onto plain ground costs in here. Small numbers, so that sixteen
/// distances fit into two registers; 17 to 12 is the diagonal of a square but for 0.2%,
/// and nothing that leaves the hierarchy is counted in it.
pub(crate) const STRAIGHT: u32 = 12;
const DIAGONAL: u32 = 17;

/// Rows of walls above and below the map.
pub(crate) const MARGIN_ROWS: u32 = 5;

/// Columns and rows to where each direction leads: up, right, down, left, then the
/// diagonals clockwise from up and right.
pub(crate) const DIRECTIONS: [(i32, i32); 8] =
    [(0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)];

/// How units step from cell to cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rules {
    pub(crate) has_diagonals: bool,
    pub(crate) corners: CornerRule,
    /// What a diagonal step onto plain ground costs.
    pub(crate) diagonal: u32,
}

impl Rules {
    fn new(movement: &MovementProfile) -> Self {
        let (straight, diagonal) = movement.step_costs();
        Self {
            has_diagonals: movement.neighbours == Neighbours::Eight,
            corners: movement.corners,
            diagonal: if straight == diagonal { STRAIGHT } else { DIAGONAL },
        }
    }

    /// Whether a diagonal step is legal between two cells that can be stood on.
    pub(crate) fn passes(self, beside: [bool; 2]) -> bool {
        self.has_diagonals
            && match self.corners {
                CornerRule::NeverCut => beside[0] && beside[1],
                CornerRule::OneSideFree => beside[0] || beside[1],
                CornerRule::AlwaysCut => true,
            }
    }

    /// What each direction costs at factor 1.
    pub(crate) fn bases(self) -> [u32; 8] {
        std::array::from_fn(|direction| if direction < 4 { STRAIGHT } else { self.diagonal })
    }

    /// Whether diagonal steps join what straight ones do not.
    pub(crate) fn corners_join(self) -> bool {
        self.has_diagonals && self.corners == CornerRule::AlwaysCut
    }

    /// What the way between two cells costs at least, at factor 1: for each cell along the
    /// longer side of the rectangle between them, and for each along the shorter.
    pub(crate) fn least_costs(self) -> [u32; 2] {
        let aside = if self.has_diagonals { self.diagonal - STRAIGHT } else { STRAIGHT };
        [STRAIGHT, aside]
    }

    /// What the way between two cells costs at least, at factor 1.
    pub(crate) fn estimate(self, dx: u32, dy: u32) -> u64 {
        let [along, aside] = self.least_costs().map(u64::from);
        u64::from(dx.max(dy)) * along + u64::from(dx.min(dy)) * aside
    }
}

/// What can be done at a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Steps {
    /// A bit for each direction in which there is a legal step.
    pub(crate) legal: u8,
    /// What it costs to come here, 0 where no unit can stand.
    pub(crate) factor: u8,
}

/// What a step onto each position costs, 0 where no unit can stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Plane {
    pub(crate) rules: Rules,
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) clusters_wide: u32,
    pub(crate) clusters_high: u32,
    footprint: u8,
    step_costs: (Cost, Cost),
    factors: Vec<u8>,
    /// Once more with the legal steps, so that one look tells both; see [`Plane::place`].
    steps: Vec<Steps>,
    /// How many positions have each factor.
    histogram: Vec<u32>,
}

impl Plane {
    pub(crate) fn new(ground: &Ground) -> Self {
        let (width, height) = (ground.width(), ground.height());
        let cells = (0..height).flat_map(|y| (0..width).map(move |x| cell(x, y)));
        let factors: Vec<u8> = cells.map(|cell| factor_of(ground, cell)).collect();
        let mut histogram = vec![0; 256];
        factors.iter().for_each(|&factor| histogram[usize::from(factor)] += 1);
        let mut plane = Self {
            rules: Rules::new(ground.movement()),
            width,
            height,
            clusters_wide: width.div_ceil(SIDE),
            clusters_high: height.div_ceil(SIDE),
            footprint: ground.movement().footprint,
            step_costs: ground.movement().step_costs(),
            steps: vec![Steps::default(); ((width + 1) * (height + 2 * MARGIN_ROWS)) as usize],
            factors,
            histogram,
        };
        for y in 0..height as i32 {
            (0..width as i32).for_each(|x| plane.find_steps(x, y));
        }
        plane
    }

    fn find_steps(&mut self, x: i32, y: i32) {
        if self.factor(x, y) == 0 {
            if (x as u32) < self.width && (y as u32) < self.height {
                let place = self.place(x as u32, y as u32);
                self.steps[place] = Steps::default();
            }
            return;
        }
        let free = DIRECTIONS.map(|(dx, dy)| self.factor(x + dx, y + dy) != 0);
        let mut legal = 0;
        for direction in 0..8 {
            // A diagonal passes between the straight direction before and the one after it.
            let beside = [free[direction % 4], free[(direction + 1) % 4]];
            if free[direction] && (direction < 4 || self.rules.passes(beside)) {
                legal |= 1 << direction;
            }
        }
        let place = self.place(x as u32, y as u32);
        self.steps[place] = Steps { legal, factor: self.factor(x, y) };
    }

    /// Whether the plane can have been made of this ground at some time.
    pub(crate) fn fits(&self, ground: &Ground) -> bool {
        let size = (ground.width(), ground.height()) == (self.width, self.height);
        let movement = ground.movement();
        size && Rules::new(movement) == self.rules && movement.footprint == self.footprint
    }

    /// Takes over what the ground is now at the positions that cover a cell; calls back for
    /// each that is not what it was.
    pub(crate) fn update(&mut self, ground: &Ground, edited: Cell, mut changed: impl FnMut(Cell)) {
        let reach = u16::from(self.footprint - 1);
        let origin = Cell::new(edited.x.saturating_sub(reach), edited.y.saturating_sub(reach));
        let covering = Rect::new(origin, edited.x - origin.x + 1, edited.y - origin.y + 1);
        for position in covering.cells() {
            let (x, y) = (u32::from(position.x), u32::from(position.y));
            if x >= self.width || y >= self.height {
                continue;
            }
            let now = factor_of(ground, position);
            let before = std::mem::replace(&mut self.factors[(y * self.width + x) as usize], now);
            if before != now {
                self.histogram[usize::from(before)] -= 1;
                self.histogram[usize::from(now)] += 1;
                let (x, y) = (x as i32, y as i32);
                self.find_steps(x, y);
                DIRECTIONS.iter().for_each(|(dx, dy)| self.find_steps(x + dx, y + dy));
                changed(position);
            }
        }
    }

    /// The factor of a position, 0 off the map.
    #[inline]
    pub(crate) fn factor(&self, x: i32, y: i32) -> u8 {
        let inside = (x as u32) < self.width && (y as u32) < self.height;
        if inside { self.factors[y as usize * self.width as usize + x as usize] } else { 0 }
    }

    /// What can be done at a position of the map.
    #[inline]
    pub(crate) fn steps(&self, x: u32, y: u32) -> Steps {
        self.steps[self.place(x, y)]
    }

    /// What can be done, place by place.
    pub(crate) fn all_steps(&self) -> &[Steps] {
        &self.steps
    }

    /// Where a position is among all steps: row by row, with a wall at the end of each row
    /// and [`MARGIN_ROWS`] of walls above and below, so that nobody who looks a few cells
    /// around need ask where the map ends.
    #[inline]
    pub(crate) fn place(&self, x: u32, y: u32) -> usize {
        ((y + MARGIN_ROWS) * self.stride() + x) as usize
    }

    /// Places from one row to the next.
    #[inline]
    pub(crate) fn stride(&self) -> u32 {
        self.width + 1
    }

    /// What a path costs, in the hierarchy's own measure.
    pub(crate) fn cost_within(&self, path: &[Cell]) -> u32 {
        self.sum(path, STRAIGHT, self.rules.diagonal)
    }

    /// What a path costs, in everybody's measure.
    pub(crate) fn cost(&self, path: &[Cell]) -> Cost {
        let (straight, diagonal) = self.step_costs;
        Cost(self.sum(path, straight.0, diagonal.0))
    }

    fn sum<T: From<u8> + Copy + Mul<Output = T> + Sum>(
        &self,
        path: &[Cell],
        straight: T,
        diagonal: T,
    ) -> T {
        let cost = |step: &[Cell]| {
            let aside = step[0].x != step[1].x && step[0].y != step[1].y;
            let base = if aside { diagonal } else { straight };
            base * T::from(self.steps(u32::from(step[1].x), u32::from(step[1].y)).factor)
        };
        path.windows(2).map(cost).sum()
    }

    /// Part of a row of the map.
    pub(crate) fn row(&self, y: u32, from_x: u32, to_x: u32) -> &[u8] {
        let start = (y * self.width) as usize;
        &self.factors[start + from_x as usize..start + to_x as usize]
    }

    /// The smallest factor of any position.
    pub(crate) fn least_factor(&self) -> u8 {
        (1..=255).find(|&factor| self.histogram[usize::from(factor)] > 0).unwrap_or(1)
    }

    pub(crate) fn cluster_count(&self) -> usize {
        (self.clusters_wide * self.clusters_high) as usize
    }

    /// The cluster in which a cell lies.
    pub(crate) fn cluster_of(&self, cell: Cell) -> u32 {
        u32::from(cell.y) / SIDE * self.clusters_wide + u32::from(cell.x) / SIDE
    }

    /// The top-left cell of a cluster.
    pub(crate) fn origin(&self, cluster: u32) -> (u32, u32) {
        (cluster % self.clusters_wide * SIDE, cluster / self.clusters_wide * SIDE)
    }
}

fn cell(x: u32, y: u32) -> Cell {
    Cell::new(x as u16, y as u16)
}

fn factor_of(ground: &Ground, cell: Cell) -> u8 {
    ground.factor(cell).map_or(0, |factor| factor.get())
}
