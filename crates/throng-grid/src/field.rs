//! True distances from every cell to the nearest of some goals, other units ignored.
//!
//! D. Silver, "Cooperative pathfinding" (2005), calls this the true distance heuristic.
//! Computed once, it leads any number of units that go to the same place.

pub(crate) mod shared_fields;

use throng_model::{Cell, CellIndex, Cost, DiagonalCost, Effort, Neighbours};

use crate::ground::directions::{Direction, StepTables};
use crate::kit::BucketQueue;
use crate::search::query::usable_cells;
use crate::{Ground, Path, QueryError};

/// Buckets narrower than the cheapest step: nodes of one bucket cannot improve each other,
/// so every distance is final when its bucket is empty.
const BUCKET_SHIFT: u32 = 13;

/// The distance from every cell to the nearest goal.
///
/// Distances take four bytes per cell; eight where the map is too large and costly for four.
///
/// ```
/// use throng_model::{Cell, Map, MovementProfile};
/// use throng_grid::{Field, Ground};
/// let ground = Ground::new(&Map::empty(40, 30)?, MovementProfile::four_connected())?;
/// let field = Field::new(&ground, &[Cell::new(39, 29)])?;
/// let cost = field.distance(Cell::new(0, 0)).ok_or("unreachable")?;
/// assert_eq!(cost.in_cells(), 68.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Field {
    layout: Layout,
    fingerprint: u64,
    /// What one unit of distance costs.
    unit: u64,
    distances: Distances,
}

/// Where a cell's distance is.
#[derive(Clone, Copy, Debug)]
struct Layout {
    width: u32,
    /// From one row to the next.
    stride: u32,
    /// Before the first row.
    border: u32,
}

impl Layout {
    fn plain(ground: &Ground) -> Self {
        Self { width: ground.width(), stride: ground.width(), border: 0 }
    }

    /// A wall around everything: a row above and below, and a cell between any two rows.
    fn walled(ground: &Ground) -> Self {
        let stride = ground.width() + 1;
        Self { width: ground.width(), stride, border: stride }
    }

    fn index(self, cell: Cell) -> usize {
        (self.border + u32::from(cell.y) * self.stride + u32::from(cell.x)) as usize
    }
}

#[derive(Clone, Debug)]
enum Distances {
    Narrow(Vec<u32>),
    Wide(Vec<u64>),
}

/// What stands for a wall in breadth-first distances: not unreached, so never entered.
const WALL: u32 = u32::MAX - 1;

/// An integer that holds distances. Its largest value means: unreachable.
trait Width: Copy + PartialOrd {
    const UNREACHED: Self;
    /// The memory of a field given back, if it is of this width.
    fn memory(spare: Distances) -> Option<Vec<Self>>;
    fn fit(distance: u64) -> Option<Self>;
    fn get(self) -> u64;
}

impl Width for u32 {
    const UNREACHED: Self = Self::MAX;
    fn memory(spare: Distances) -> Option<Vec<Self>> {
        match spare {
            Distances::Narrow(memory) => Some(memory),
            Distances::Wide(_) => None,
        }
    }
    fn fit(distance: u64) -> Option<Self> {
        Self::try_from(distance).ok().filter(|&d| d < WALL)
    }
    fn get(self) -> u64 {
        u64::from(self)
    }
}

impl Width for u64 {
    const UNREACHED: Self = Self::MAX;
    fn memory(spare: Distances) -> Option<Vec<Self>> {
        match spare {
            Distances::Narrow(_) => None,
            Distances::Wide(memory) => Some(memory),
        }
    }
    fn fit(distance: u64) -> Option<Self> {
        Some(distance)
    }
    fn get(self) -> u64 {
        self
    }
}

impl Field {
    /// Computes the field of these goals. To compute many, keep a [`FieldSearch`].
    ///
    /// # Errors
    /// When there is no goal on which a unit can stand.
    pub fn new(ground: &Ground, goals: &[Cell]) -> Result<Self, QueryError> {
        FieldSearch::default().compute(ground, goals)
    }

    /// The cost of the best path from the cell to a goal; `None`: there is none.
    #[must_use]
    pub fn distance(&self, cell: Cell) -> Option<Cost> {
        if u32::from(cell.x) >= self.layout.width {
            return None;
        }
        let index = self.layout.index(cell);
        let distance = match &self.distances {
            Distances::Narrow(d) => d.get(index).filter(|&&d| d < WALL)?.get(),
            Distances::Wide(d) => d.get(index).copied().filter(|&d| d != u64::MAX)?,
        };
        Some(Cost(distance * self.unit))
    }

    /// Whether the field was computed for the ground as it is now.
    #[must_use]
    pub fn is_current(&self, ground: &Ground) -> bool {
        self.fingerprint == ground.fingerprint()
    }

    /// The next cell on a best path to a goal: straight steps before diagonal ones, in the
    /// order north, east, south, west. `None` on a goal and where no goal can be reached.
    #[must_use]
    pub fn next_step(&self, ground: &Ground, from: Cell) -> Option<Cell> {
        let here = self.distance(from).filter(|&here| here > Cost::ZERO)?;
        let steps = Direction::each(ground.legal_steps(ground.index(from)?));
        let mut neighbours = steps.filter_map(|step| {
            let (dx, dy) = step.offset();
            from.offset(dx, dy)
        });
        neighbours.find(|&next| {
            let onward = self.distance(next).zip(ground.step_cost(from, next));
            onward.is_some_and(|(rest, step)| rest + step == here)
        })
    }

    /// A best path from the cell to a goal.
    #[must_use]
    pub fn path_from(&self, ground: &Ground, from: Cell) -> Option<Path> {
        let cost = self.distance(from).filter(|_| self.is_current(ground))?;
        let cells = std::iter::successors(Some(from), |&at| self.next_step(ground, at)).collect();
        Some(Path { cells, cost })
    }
}

/// The legal steps from every cell of a ground, as the inner loops read them.
struct Steps<'a> {
    around: &'a [u8],
    step_tables: &'a StepTables,
    offsets: [i32; 8],
}

impl<'a> Steps<'a> {
    fn of(ground: &'a Ground) -> Self {
        let offsets = ground.index_offsets();
        Self { around: ground.around(), step_tables: ground.step_tables(), offsets }
    }

    /// A bit for each direction in which a step from the cell is legal.
    #[inline]
    fn legal(&self, at: u32) -> u8 {
        self.step_tables.legal(self.around[at as usize])
    }
}

/// Visits cells, each of which counts as an expansion, until the effort is stopped; whether all
/// were visited.
#[inline]
fn for_each_granted(effort: &mut Effort<'_>, cells: &[u32], mut visit: impl FnMut(u32)) -> bool {
    let mut rest = cells;
    while !rest.is_empty() {
        let count = effort.expand_many(rest.len() as u64) as usize;
        if count == 0 {
            return false;
        }
        let (granted, later) = rest.split_at(count);
        granted.iter().copied().for_each(&mut visit);
        rest = later;
    }
    true
}

/// Computes fields; owns the memory that takes.
#[derive(Clone, Debug, Default)]
pub struct FieldSearch {
    goals: Vec<CellIndex>,
    /// The cells that are expanded now, all of one level or bucket.
    level: Vec<u32>,
    /// The cells of the next level.
    frontier: Vec<u32>,
    queue: BucketQueue,
    /// The last field given back, whose memory is used again.
    spare: Option<Distances>,
}

impl FieldSearch {
    /// Computes the field of these goals.
    ///
    /// # Errors
    /// When there is no goal on which a unit can stand.
    pub fn compute(&mut self, ground: &Ground, goals: &[Cell]) -> Result<Field, QueryError> {
        let field = self.compute_within(ground, goals, &mut Effort::unlimited())?;
        // An unlimited effort is never stopped.
        field.ok_or(QueryError::GroundChanged)
    }

    /// Computes the field of these goals within an effort. `None` if that was stopped first;
    /// the search cannot be resumed.
    ///
    /// # Errors
    /// When there is no goal on which a unit can stand.
    pub fn compute_within(
        &mut self,
        ground: &Ground,
        goals: &[Cell],
        effort: &mut Effort<'_>,
    ) -> Result<Option<Field>, QueryError> {
        usable_cells(ground, "goal", goals, false, &mut self.goals)?;
        let (straight, diagonal) = ground.movement().step_costs();
        let movement = ground.movement();
        let fingerprint = ground.fingerprint();
        let layout = Layout::plain(ground);
        let unit = straight.0 * ground.least_factor();
        let is_uniform = ground.uniform_factor().is_some();
        let field = if is_uniform && movement.neighbours == Neighbours::Four {
            let layout = Layout::walled(ground);
            let distances = Distances::Narrow(self.sweep_four(ground, layout, effort));
            Field { layout, fingerprint, unit, distances }
        } else if is_uniform && movement.diagonal == DiagonalCost::OneTick {
            let distances = Distances::Narrow(self.sweep(ground, effort));
            Field { layout, fingerprint, unit, distances }
        } else {
            let costs = [straight.0, diagonal.0];
            let narrow = self.spread::<u32>(ground, costs, effort).map(Distances::Narrow);
            let wide =
                || Distances::Wide(self.spread::<u64>(ground, costs, effort).unwrap_or_default());
            let distances = narrow.unwrap_or_else(wide);
            Field { layout, fingerprint, unit: 1, distances }
        };
        if effort.stopped().is_some() {
            self.recycle(field);
            return Ok(None);
        }
        Ok(Some(field))
    }

    /// Takes a field's memory back for the next one.
    pub fn recycle(&mut self, field: Field) {
        self.spare = Some(field.distances);
    }

    /// Distances that are all unreached yet, in memory given back if there is any.
    fn blank<W: Width>(&mut self, cells: usize) -> Vec<W> {
        let mut memory = self.spare.take().and_then(W::memory).unwrap_or_default();
        memory.clear();
        memory.resize(cells, W::UNREACHED);
        memory
    }

    /// The cells of the next level, which is the current one from now on.
    fn begin_level(&mut self) -> Vec<u32> {
        let mut level = std::mem::take(&mut self.level);
        level.clear();
        std::mem::swap(&mut level, &mut self.frontier);
        level
    }

    /// Breadth-first over straight steps. Walls are marked in the distances themselves, so a
    /// neighbour needs one look.
    fn sweep_four(&mut self, ground: &Ground, layout: Layout, effort: &mut Effort<'_>) -> Vec<u32> {
        let (width, stride) = (layout.width as usize, layout.stride);
        let mut distances = self.spare.take().and_then(u32::memory).unwrap_or_default();
        distances.clear();
        distances.resize(stride as usize, WALL);
        for row in ground.factors().chunks_exact(width) {
            let free = row.iter().map(|&factor| if factor == 0 { WALL } else { u32::MAX });
            distances.extend(free.chain([WALL]));
        }
        distances.resize(distances.len() + stride as usize, WALL);
        self.frontier.clear();
        for &goal in &self.goals {
            let at = layout.index(ground.cell(goal));
            if distances[at] != 0 {
                distances[at] = 0;
                self.frontier.push(at as u32);
            }
        }
        let mut distance = 0;
        while !self.frontier.is_empty() {
            distance += 1;
            let level = self.begin_level();
            let is_done = for_each_granted(effort, &level, |at| {
                for reached in [at - stride, at + 1, at + stride, at - 1] {
                    let known = &mut distances[reached as usize];
                    if *known == u32::MAX {
                        *known = distance;
                        self.frontier.push(reached);
                    }
                }
            });
            self.level = level;
            if !is_done {
                break;
            }
        }
        distances
    }

    /// Breadth-first over straight and diagonal steps that cost the same.
    fn sweep(&mut self, ground: &Ground, effort: &mut Effort<'_>) -> Vec<u32> {
        let mut distances = self.blank::<u32>(ground.factors().len());
        let steps = Steps::of(ground);
        self.frontier.clear();
        for goal in &self.goals {
            if distances[goal.get()] != 0 {
                distances[goal.get()] = 0;
                self.frontier.push(goal.0);
            }
        }
        let mut distance = 0;
        while !self.frontier.is_empty() {
            distance += 1;
            let level = self.begin_level();
            let is_done = for_each_granted(effort, &level, |at| {
                let mut legal = steps.legal(at);
                while legal != 0 {
                    let step = legal.trailing_zeros() as usize % 8;
                    legal &= legal - 1;
                    let reached = at.wrapping_add_signed(steps.offsets[step]);
                    let known = &mut distances[reached as usize];
                    if *known == u32::MAX {
                        *known = distance;
                        self.frontier.push(reached);
                    }
                }
            });
            self.level = level;
            if !is_done {
                break;
            }
        }
        distances
    }

    /// Dijkstra's algorithm backwards from the goals; `None` when a distance does not fit, or
    /// the effort was stopped.
    fn spread<W: Width>(
        &mut self,
        ground: &Ground,
        costs: [u64; 2],
        effort: &mut Effort<'_>,
    ) -> Option<Vec<W>> {
        let mut distances = self.blank::<W>(ground.factors().len());
        let shift = BUCKET_SHIFT + ground.least_factor().ilog2();
        self.queue.reset(0, shift);
        for goal in &self.goals {
            distances[goal.get()] = W::fit(0)?;
            self.queue.push(0, goal.0);
        }
        let steps = Steps::of(ground);
        loop {
            // Nodes of one bucket cannot improve each other, so a bucket is taken as a whole.
            let mut level = std::mem::take(&mut self.level);
            self.queue.take_current(&mut level);
            let bucket = self.queue.cursor();
            let mut fits = true;
            let is_done = for_each_granted(effort, &level, |at| {
                let distance = distances[at as usize].get();
                // Otherwise it has its final distance already, from an earlier bucket.
                if distance >> shift == bucket {
                    let factor = u64::from(ground.factors()[at as usize]);
                    let offers = costs.map(|cost| distance + cost * factor);
                    fits &= self.offer_neighbours(&steps, &mut distances, at, offers).is_some();
                }
            });
            self.level = level;
            if !(is_done && fits) {
                return None;
            }
            if !self.queue.advance(u64::MAX) {
                return Some(distances);
            }
        }
    }

    /// Every step is legal in both directions; it costs what the cell entered costs, which
    /// here is the one that the search comes from.
    #[inline]
    fn offer_neighbours<W: Width>(
        &mut self,
        steps: &Steps<'_>,
        distances: &mut [W],
        at: u32,
        offers: [u64; 2],
    ) -> Option<()> {
        let [straight, diagonal] = [W::fit(offers[0])?, W::fit(offers[1])?];
        let mut legal = steps.legal(at);
        while legal != 0 {
            let step = legal.trailing_zeros() as usize % 8;
            legal &= legal - 1;
            let reached = at.wrapping_add_signed(steps.offsets[step]);
            let offer = if step < 4 { straight } else { diagonal };
            if offer < distances[reached as usize] {
                distances[reached as usize] = offer;
                self.queue.push(offer.get(), reached);
            }
        }
        Some(())
    }
}
