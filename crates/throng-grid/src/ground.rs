//! Where units of one movement profile can stand and step, derived from a map.
//!
//! A step costs the factor of the position entered; for a footprint, the largest factor under
//! it. Fields are computed backwards with the same rule, so that field and search agree to the
//! last digit.
//!
//! Data derived from a ground is valid for one [`fingerprint`](Ground::fingerprint), a hash of
//! the rules and of every position's factor. Undoing an edit makes old results valid again.

pub(crate) mod components;
pub(crate) mod directions;
pub(crate) mod jump_map;
mod lanes;
mod slowness;
#[cfg(test)]
mod tests;

use throng_model::{
    Cell, CellChange, CellIndex, Change, Cost, DiagonalCost, Factor, Map, MovementError,
    MovementProfile, Neighbours, Rect, Revision,
};

use crate::kit::mix;
use components::{Components, Connectivity};
use directions::{Direction, StepTables};
use jump_map::JumpMap;
use slowness::Slowness;

/// The map as one movement profile sees it: with its terrain overrides, footprint and corner
/// rule, and with obstacles (parked units) and higher costs that are not part of the map.
///
/// Every search takes a `Ground`. Updating it after an edit takes time in proportion to the
/// edit, not to the map.
///
/// ```
/// use throng_model::{Cell, Map, MovementProfile};
/// use throng_grid::Ground;
/// let mut map = Map::empty(5, 3)?;
/// let mut ground = Ground::new(&map, MovementProfile::four_connected())?;
/// for y in 0..3 {
///     let change = map.set(Cell::new(2, y), Map::WALL)?;
///     ground.apply(&map, &change);
/// }
/// assert!(!ground.is_connected(Cell::new(0, 0), Cell::new(4, 0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ground {
    movement: MovementProfile,
    step_tables: StepTables,
    width: u32,
    height: u32,
    /// 2^40 divided by the width, rounded up. A division by the width becomes a multiplication
    /// and a shift.
    per_width: u64,
    revision: Revision,
    fingerprint: u64,
    /// The factor of each terrain class; 0 is impassable.
    class_factors: Vec<u8>,
    /// The factor of each single cell without obstacles; 0 is impassable.
    cell_factors: Vec<u8>,
    /// The number of obstacles on each cell; empty until the first obstacle is added.
    obstacles: Vec<u16>,
    /// How many times as much as by the map a step onto each cell costs; empty until one is set.
    multiples: Vec<u8>,
    /// The largest factor under the footprint at each position; 0 where a unit cannot stand.
    factors: Vec<u8>,
    /// For each position, a bit for each of the eight neighbours on which a unit can stand.
    around: Vec<u8>,
    /// For jump point search; `None` if the movement profile does not allow it.
    jump_map: Option<JumpMap>,
    /// The number of positions with each factor.
    histogram: Box<[u32; 256]>,
    components: Components,
    /// Where steps take longer; `None` if the movement profile does not say so.
    slowness: Option<Slowness>,
}

impl Ground {
    /// Derives the ground for units of this movement profile.
    ///
    /// # Errors
    /// When the profile is outside its limits.
    pub fn new(map: &Map, movement: MovementProfile) -> Result<Self, MovementError> {
        movement.validate()?;
        let (width, height) = (u32::from(map.width()), u32::from(map.height()));
        let class_factors = class_factors(map, &movement);
        let cell_factors: Vec<u8> =
            map.terrain().iter().map(|terrain| class_factors[terrain.get()]).collect();
        let factors = footprint_factors(&cell_factors, width, height, movement.footprint);
        let step_tables = StepTables::new(&movement);
        let around = around(&factors, width as usize);
        let jumps = movement.neighbours == Neighbours::Eight
            && movement.diagonal == DiagonalCost::TrueLength;
        let mut histogram = Box::new([0; 256]);
        factors.iter().for_each(|&factor| histogram[usize::from(factor)] += 1);
        Ok(Self {
            width,
            height,
            per_width: (1 << 40) / u64::from(width) + 1,
            revision: map.revision(),
            fingerprint: fingerprint(&movement, width, &factors),
            class_factors,
            cell_factors,
            obstacles: Vec::new(),
            multiples: Vec::new(),
            jump_map: jumps
                .then(|| JumpMap::new(&factors, &around, width, movement.corners, &step_tables)),
            around,
            step_tables,
            histogram,
            components: Components::new(width, height, connectivity(&movement), &factors),
            factors,
            slowness: Slowness::new(map, &movement),
            movement,
        })
    }

    /// Updates the ground after an edit of the map. If the change does not lead from the
    /// ground's state to the map's (edits were missed, or it is a change of another map),
    /// everything is derived from the map again, as by [`refresh`](Self::refresh).
    pub fn apply(&mut self, map: &Map, change: &Change) {
        if !self.follows(map, change) {
            return self.refresh(map);
        }
        if map.classes().len() != self.class_factors.len() {
            self.class_factors = class_factors(map, &self.movement);
        }
        self.revision = change.after;
        for &CellChange { cell, new, .. } in &change.cells {
            if let Some(index) = self.index(cell) {
                self.cell_factors[index.get()] = self.class_factors[new.get()];
                if let Some(slowness) = &mut self.slowness {
                    slowness.set(index, self.movement.slowness(new));
                }
                self.update_positions(cell);
            }
        }
    }

    /// Whether a change leads from the ground's state to the map's.
    fn follows(&self, map: &Map, change: &Change) -> bool {
        let size = (u32::from(map.width()), u32::from(map.height()));
        size == (self.width, self.height)
            && (change.before, change.after) == (self.revision, map.revision())
            && change.cells.iter().all(|edit| map.terrain_at(edit.cell) == Some(edit.new))
    }

    /// Derives the ground from the map again, after any number of edits. Obstacles and multiples
    /// are kept, unless the map has another size.
    pub fn refresh(&mut self, map: &Map) {
        let obstacles = std::mem::take(&mut self.obstacles);
        let multiples = std::mem::take(&mut self.multiples);
        if let Ok(fresh) = Self::new(map, self.movement.clone()) {
            *self = fresh;
        }
        if obstacles.len() == self.cell_factors.len() {
            for (index, &count) in obstacles.iter().enumerate() {
                (0..count).for_each(|_| self.add_obstacle(self.cell(CellIndex(index as u32))));
            }
        }
        if multiples.len() == self.cell_factors.len() {
            for (index, &times) in multiples.iter().enumerate().filter(|(_, times)| **times > 1) {
                self.set_multiple(self.cell(CellIndex(index as u32)), times);
            }
        }
    }

    /// Adds an obstacle that is not part of the map, such as a parked unit or a closed door.
    /// A cell may have several. Cells off the map are ignored.
    pub fn add_obstacle(&mut self, cell: Cell) {
        let Some(index) = self.index(cell) else { return };
        if self.obstacles.is_empty() {
            self.obstacles = vec![0; self.cell_factors.len()];
        }
        self.obstacles[index.get()] = self.obstacles[index.get()].saturating_add(1);
        self.update_positions(cell);
    }

    /// Removes one obstacle from a cell.
    pub fn remove_obstacle(&mut self, cell: Cell) {
        let Some(index) = self.index(cell) else { return };
        if let Some(count) = self.obstacles.get_mut(index.get()) {
            *count = count.saturating_sub(1);
            self.update_positions(cell);
        }
    }

    /// From now on a step onto the cell costs so many times as much as by the map, at most a
    /// factor of 255; 1 is as by the map. Cells off the map are ignored.
    pub fn set_multiple(&mut self, cell: Cell, times: u8) {
        let Some(index) = self.index(cell) else { return };
        if self.multiples.is_empty() {
            self.multiples = vec![1; self.cell_factors.len()];
        }
        self.multiples[index.get()] = times.max(1);
        self.update_positions(cell);
    }

    /// Updates the positions whose footprint covers the cell.
    fn update_positions(&mut self, cell: Cell) {
        let reach = u16::from(self.movement.footprint - 1);
        let origin = Cell::new(cell.x.saturating_sub(reach), cell.y.saturating_sub(reach));
        let region = Rect::new(origin, cell.x - origin.x + 1, cell.y - origin.y + 1);
        for position in region.cells() {
            self.set_factor(position, self.footprint_factor(position));
            if let (Some(index), Some(slowness)) = (self.index(position), &mut self.slowness) {
                slowness.update(index, (self.width, self.movement.footprint));
            }
        }
    }

    fn footprint_factor(&self, position: Cell) -> u8 {
        let side = u16::from(self.movement.footprint);
        let mut largest = 0;
        for cell in Rect::new(position, side, side).cells() {
            let Some(index) = self.index(cell) else { return 0 };
            let occupied = self.obstacles.get(index.get()).is_some_and(|&count| count > 0);
            let factor = self.cell_factors[index.get()];
            if occupied || factor == 0 {
                return 0;
            }
            let times = self.multiples.get(index.get()).copied().unwrap_or(1);
            largest = largest.max(factor.saturating_mul(times));
        }
        largest
    }

    fn set_factor(&mut self, position: Cell, new: u8) {
        let Some(index) = self.index(position) else { return };
        let old = std::mem::replace(&mut self.factors[index.get()], new);
        if old == new {
            return;
        }
        self.fingerprint ^= mixed(index.0, old) ^ mixed(index.0, new);
        self.histogram[usize::from(old)] -= 1;
        self.histogram[usize::from(new)] += 1;
        if (old == 0) != (new == 0) {
            self.set_standable(position, index, new != 0);
        }
    }

    fn set_standable(&mut self, position: Cell, index: CellIndex, standable: bool) {
        for direction in Direction::ALL {
            let (dx, dy) = direction.offset();
            if let Some(neighbour) = position.offset(dx, dy).and_then(|cell| self.index(cell)) {
                self.around[neighbour.get()] ^= direction.reversed().bit();
            }
        }
        if let Some(jump_map) = &mut self.jump_map {
            jump_map.set(position, standable, &self.factors, &self.around);
        }
        if standable {
            self.components.insert(index);
        } else {
            self.components.remove(index);
        }
    }

    /// Columns.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Rows.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The movement profile for which the ground was derived.
    #[must_use]
    pub fn movement(&self) -> &MovementProfile {
        &self.movement
    }

    /// The revision of the map from which the ground was derived.
    #[must_use]
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// A hash of the movement rules and of every position's factor, and of nothing else. Data
    /// derived from a ground is valid for every ground with the same fingerprint.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// The cell's index, if it is on the map.
    #[must_use]
    pub fn index(&self, cell: Cell) -> Option<CellIndex> {
        let (x, y) = (u32::from(cell.x), u32::from(cell.y));
        (x < self.width && y < self.height).then_some(CellIndex(y * self.width + x))
    }

    /// The cell at an index of this ground.
    #[must_use]
    #[inline]
    pub fn cell(&self, index: CellIndex) -> Cell {
        // Exact: the index is below 2^24, so rounding `per_width` up adds less than 2^-16 to
        // the quotient, and the next integer is at least 1/width >= 2^-12 above it.
        // An index off the map gives a meaningless cell, but no panic.
        let y = (u64::from(index.0).wrapping_mul(self.per_width) >> 40) as u32;
        Cell::new(index.0.wrapping_sub(y.wrapping_mul(self.width)) as u16, y as u16)
    }

    /// Whether a unit can stand on the cell, with its whole footprint.
    #[must_use]
    pub fn can_stand(&self, cell: Cell) -> bool {
        self.index(cell).is_some_and(|index| self.factors[index.get()] != 0)
    }

    /// The cost factor of a step onto the cell; `None` where no unit can stand.
    #[must_use]
    pub fn factor(&self, cell: Cell) -> Option<Factor> {
        let index = self.index(cell)?;
        Factor::new(i64::from(self.factors[index.get()])).ok()
    }

    /// How many times longer a step onto a cell takes: the most of the cells under the footprint.
    #[must_use]
    #[inline]
    pub fn slowness(&self, index: CellIndex) -> u8 {
        self.slowness.as_ref().map_or(1, |slowness| slowness.at(index))
    }

    /// The cost of the step from a cell to a neighbour; `None` if it is not legal.
    #[must_use]
    pub fn step_cost(&self, from: Cell, to: Cell) -> Option<Cost> {
        let step = Direction::between(from, to)?;
        let (at, target) = (self.index(from)?, self.index(to)?);
        let legal = self.can_stand(from) && self.legal_steps(at) & step.bit() != 0;
        legal.then(|| Cost(self.base_cost(step) * u64::from(self.factors[target.get()])))
    }

    /// The cost of a path of single steps; `None` if it is empty or a step is not legal.
    #[must_use]
    pub fn path_cost(&self, cells: &[Cell]) -> Option<Cost> {
        let first = *cells.first()?;
        if !self.can_stand(first) {
            return None;
        }
        cells.windows(2).map(|step| self.step_cost(step[0], step[1])).sum()
    }

    /// Whether there is a path between two cells. This reads component labels and searches
    /// nothing.
    #[must_use]
    pub fn is_connected(&self, a: Cell, b: Cell) -> bool {
        let pair = self.index(a).zip(self.index(b));
        pair.is_some_and(|(a, b)| self.components.connected(a, b))
    }

    /// The connected components of the ground.
    #[must_use]
    pub fn components(&self) -> &Components {
        &self.components
    }

    /// The factor of all positions, if they have only one. Jump point search requires this.
    #[must_use]
    pub fn uniform_factor(&self) -> Option<Factor> {
        let mut present = (1..256_usize).filter(|&factor| self.histogram[factor] > 0);
        let first = present.next().unwrap_or(1);
        if present.next().is_some() { None } else { Factor::new(first as i64).ok() }
    }

    /// The smallest factor of any position. The heuristic multiplies by it to stay admissible.
    #[inline]
    #[must_use]
    pub fn least_factor(&self) -> u64 {
        (1..256).find(|&factor| self.histogram[factor] > 0).unwrap_or(1) as u64
    }

    /// The largest factor of any position.
    #[inline]
    #[must_use]
    pub fn factor_max(&self) -> u64 {
        (1..256).rfind(|&factor| self.histogram[factor] > 0).unwrap_or(1) as u64
    }

    /// The factor of each position; 0 where the unit cannot stand.
    #[inline]
    #[must_use]
    pub fn factors(&self) -> &[u8] {
        &self.factors
    }

    /// For each position, a bit for each neighbour on which a unit can stand.
    #[inline]
    #[must_use]
    pub fn around(&self) -> &[u8] {
        &self.around
    }

    #[inline]
    pub(crate) fn step_tables(&self) -> &StepTables {
        &self.step_tables
    }

    /// The data for jump point search, if the movement profile allows it.
    pub(crate) fn jump_map(&self) -> Option<&JumpMap> {
        self.jump_map.as_ref()
    }

    /// The bits of the directions in which a step from a position is legal; 0 off the map.
    #[inline]
    #[must_use]
    pub fn legal_steps(&self, at: CellIndex) -> u8 {
        self.around.get(at.get()).map_or(0, |&around| self.step_tables.legal(around))
    }

    /// The bits of the legal steps for each set of free neighbours. The index is a value of
    /// [`around`](Self::around).
    #[must_use]
    pub fn steps_by_around(&self) -> &[u8; 256] {
        self.step_tables.legal_table()
    }

    pub(crate) fn base_cost(&self, step: Direction) -> u64 {
        let (straight, diagonal) = self.movement.step_costs();
        if step.is_diagonal() { diagonal.0 } else { straight.0 }
    }

    /// The difference of indices of a step in each direction.
    #[inline]
    #[must_use]
    pub fn index_offsets(&self) -> [i32; 8] {
        directions::OFFSETS.map(|(dx, dy)| dy * self.width as i32 + dx)
    }
}

/// The connectivity of the components. Diagonal steps connect more than straight steps do only
/// if they may pass between two obstacles.
fn connectivity(movement: &MovementProfile) -> Connectivity {
    let corners_join = movement.corners == throng_model::CornerRule::AlwaysCut;
    match movement.neighbours {
        Neighbours::Eight if corners_join => Connectivity::Eight,
        _ => Connectivity::Four,
    }
}

/// The hash of a ground: an exclusive or over all positions, so that an edit removes the old
/// factor and adds the new one in constant time.
fn fingerprint(movement: &MovementProfile, width: u32, factors: &[u8]) -> u64 {
    let (diagonal, ticks) = match movement.diagonal {
        DiagonalCost::TrueLength => (0, None),
        DiagonalCost::OneTick => (1, None),
        DiagonalCost::Ticks(ticks) => (2, Some([movement.pace, ticks])),
    };
    let slow = movement.slow.iter().flat_map(|slow| [slow.terrain.0, slow.times]);
    let rules = [movement.neighbours as u8, movement.corners as u8, diagonal, movement.footprint];
    let rules = rules.into_iter().chain(ticks.into_iter().flatten()).chain(slow);
    let rules = rules.fold(u64::from(width), |all, rule| mix(all << 8 | u64::from(rule)));
    let positions = factors.iter().enumerate();
    positions.fold(rules, |all, (index, &factor)| all ^ mixed(index as u32, factor))
}

fn mixed(index: u32, factor: u8) -> u64 {
    mix(u64::from(index) << 8 | u64::from(factor))
}

fn class_factors(map: &Map, movement: &MovementProfile) -> Vec<u8> {
    movement.factors(map).iter().map(|factor| factor.map_or(0, Factor::get)).collect()
}

/// The largest factor under the footprint at each position, 0 where a cell of it is
/// impassable or off the map: first along rows, then along columns.
fn footprint_factors(cells: &[u8], width: u32, height: u32, side: u8) -> Vec<u8> {
    let (width, height, side) = (width as usize, height as usize, usize::from(side));
    if side == 1 {
        return cells.to_vec();
    }
    let along_row = |index: usize| {
        let in_row = index % width + side <= width;
        if in_row { joint_factor(cells[index..index + side].iter().copied()) } else { 0 }
    };
    let rows: Vec<u8> = (0..cells.len()).map(along_row).collect();
    let along_column = |index: usize| {
        let in_column = index / width + side <= height;
        if in_column { joint_factor((0..side).map(|dy| rows[index + dy * width])) } else { 0 }
    };
    (0..cells.len()).map(along_column).collect()
}

/// The largest of the factors, or 0 if one of them is 0.
fn joint_factor(mut factors: impl Iterator<Item = u8>) -> u8 {
    factors.try_fold(0, |largest: u8, f| (f != 0).then_some(largest.max(f))).unwrap_or(0)
}

/// The bits of the eight neighbours of every position.
fn around(factors: &[u8], width: usize) -> Vec<u8> {
    let height = factors.len() / width;
    let blocked = vec![0; width];
    let row = |y: usize| &factors[y * width..(y + 1) * width];
    let mut around = Vec::with_capacity(factors.len());
    for y in 0..height {
        let above = if y == 0 { &blocked } else { row(y - 1) };
        let below = if y + 1 == height { &blocked } else { row(y + 1) };
        around.extend((0..width).map(|x| around_one(above, row(y), below, x)));
    }
    around
}

fn around_one(above: &[u8], row: &[u8], below: &[u8], x: usize) -> u8 {
    let west = |r: &[u8]| u8::from(x > 0 && r[x - 1] != 0);
    let east = |r: &[u8]| u8::from(x + 1 < r.len() && r[x + 1] != 0);
    u8::from(above[x] != 0)
        | east(row) << 1
        | u8::from(below[x] != 0) << 2
        | west(row) << 3
        | east(above) << 4
        | east(below) << 5
        | west(below) << 6
        | west(above) << 7
}
