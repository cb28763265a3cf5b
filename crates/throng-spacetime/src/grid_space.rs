//! A grid as a [`Space`].

use throng_grid::{Direction, Ground};
use throng_model::{
    Cell, CellIndex, Change, DiagonalCost, Map, MovementError, MovementProfile, Neighbours,
    STRAIGHT,
};

use crate::footprint::{Footprints, levels};
use crate::space::{Action, Entry, Move, Position, Space};
use crate::{FootprintRules, Manoeuvre, PassingRule};

/// A grid as a space: the ground of one movement profile, and the footprints of its moves in the
/// reservation table.
///
/// Positions are the map's cells, row by row. If all steps have the same length
/// ([`Neighbours::Four`] or [`DiagonalCost::OneTick`]), costs are counted in ticks on plain
/// ground; otherwise in the unit of [`throng_model::Cost`]. [`cost_unit`](Self::cost_unit)
/// converts.
///
/// Positions off the map have no moves. Unknown actions are not legal.
///
/// ```
/// use throng_model::{Cell, Map, MovementProfile};
/// use throng_spacetime::{FootprintRules, GridSpace, Space};
/// let map = Map::empty(8, 8)?;
/// let tank = MovementProfile { footprint: 2, pace: 3, ..MovementProfile::eight_connected() };
/// let space = GridSpace::new(&map, tank, &FootprintRules::default())?;
/// let mut held = 0;
/// space.standing(space.position(Cell::new(3, 3)).ok_or("off the map")?, |_| {
///     held += 1;
///     true
/// });
/// assert_eq!(held, 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct GridSpace {
    ground: Ground,
    footprints: Footprints,
    manoeuvres: Vec<Manoeuvre>,
    /// The cost of a step in each direction on plain ground, in the space's unit.
    costs: [u64; 8],
    offsets: [i32; 8],
    pause_cost: u64,
    /// The space's unit of cost, in the unit of [`throng_model::Cost`].
    unit: u64,
    /// The ticks of a step in each direction on ground that does not slow.
    ticks: [u32; 8],
    /// How many times longer steps take on terrain that slows, in order, if there is any. A slow
    /// step is an action of its own, so that its duration does not change when the map does.
    levels: Vec<u8>,
    ticks_max: u32,
    passing: PassingRule,
    /// The ground's smallest factor, by which the heuristic multiplies.
    least_factor: u64,
    /// The factor of all passable ground, if it is the same everywhere. Then the factors of single
    /// cells, which are seldom in the processor's cache, need not be read.
    uniform_factor: Option<u64>,
}

impl GridSpace {
    /// The space of units with this movement profile.
    ///
    /// # Errors
    /// When the profile is outside its limits.
    pub fn new(
        map: &Map,
        movement: MovementProfile,
        rules: &FootprintRules,
    ) -> Result<Self, MovementError> {
        Ok(Self::over(Ground::new(map, movement)?, rules))
    }

    /// The space over an existing ground.
    #[must_use]
    pub fn over(ground: Ground, rules: &FootprintRules) -> Self {
        let movement = ground.movement();
        let pace = u64::from(movement.pace);
        let in_ticks = movement.neighbours == Neighbours::Four
            || movement.diagonal != DiagonalCost::TrueLength;
        let (straight, diagonal) = movement.step_costs();
        let unit = if in_ticks { (STRAIGHT / pace).max(1) } else { 1 };
        let by_ticks = movement.step_ticks();
        let ticks_of =
            |step: Direction| u32::from(if step.is_diagonal() { by_ticks.1 } else { by_ticks.0 });
        let cost = |step: Direction| {
            let cost = if step.is_diagonal() { diagonal } else { straight };
            if in_ticks { u64::from(ticks_of(step)) } else { cost.0 }
        };
        Self {
            footprints: Footprints::new(movement, rules, (ground.width(), ground.height())),
            manoeuvres: rules.manoeuvres.clone(),
            costs: Direction::ALL.map(cost),
            offsets: ground.index_offsets(),
            pause_cost: if in_ticks { 1 } else { STRAIGHT / pace },
            unit,
            ticks: Direction::ALL.map(ticks_of),
            levels: levels(movement),
            ticks_max: movement.step_ticks_max(),
            passing: rules.passing,
            least_factor: ground.least_factor(),
            uniform_factor: uniform_factor(&ground),
            ground,
        }
    }

    /// The ground of the space.
    #[must_use]
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// Sets how many planes the reservation table has: spaces that share a table need the same
    /// number of entries. See [`FootprintRules::plane`].
    pub fn set_planes(&mut self, planes: u8) {
        self.footprints.set_planes(planes.into());
    }

    /// Updates the space after an edit of the map.
    pub fn apply(&mut self, map: &Map, change: &Change) {
        self.ground.apply(map, change);
        self.least_factor = self.ground.least_factor();
        self.uniform_factor = uniform_factor(&self.ground);
    }

    /// Adds an obstacle that is not part of the map, as [`Ground::add_obstacle`] does.
    pub fn add_obstacle(&mut self, cell: Cell) {
        self.ground.add_obstacle(cell);
        self.least_factor = self.ground.least_factor();
    }

    /// Removes one obstacle from a cell.
    pub fn remove_obstacle(&mut self, cell: Cell) {
        self.ground.remove_obstacle(cell);
        self.least_factor = self.ground.least_factor();
    }

    /// The position at a cell, if it is on the map.
    #[must_use]
    pub fn position(&self, cell: Cell) -> Option<Position> {
        self.ground.index(cell).map(|index| Position(index.0))
    }

    /// The cell of a position.
    #[must_use]
    #[inline]
    pub fn cell(&self, at: Position) -> Cell {
        self.ground.cell(CellIndex(at.0))
    }

    /// The space's unit of cost, in the unit of [`throng_model::Cost`].
    #[must_use]
    pub fn cost_unit(&self) -> u64 {
        self.unit
    }

    /// Whether the cost of a path equals its number of ticks: all steps have the same length,
    /// and all ground is plain.
    #[must_use]
    pub fn costs_are_ticks(&self) -> bool {
        self.unit > 1 && self.ground.uniform_factor() == Some(throng_model::Factor::ONE)
    }

    /// Whether the quickest steps leave the cells that they do not end on free in the next tick,
    /// so that another unit can follow at once.
    #[must_use]
    pub fn leaves_at_once(&self) -> bool {
        self.ticks[0] == 1 && self.passing != PassingRule::DoubleClaims
    }

    /// Whether all steps take equally long, in every direction and on every terrain.
    #[must_use]
    #[inline]
    pub fn has_even_steps(&self) -> bool {
        self.ticks_max == self.ticks[0]
    }

    /// A lower bound of the ticks between two positions.
    #[must_use]
    pub fn ticks_at_least(&self, from: Position, to: Position) -> u64 {
        let (from, to) = (self.cell(from), self.cell(to));
        let (dx, dy) = (u64::from(from.x.abs_diff(to.x)), u64::from(from.y.abs_diff(to.y)));
        let steps = match self.ground.movement().neighbours {
            Neighbours::Four => dx + dy,
            Neighbours::Eight => dx.max(dy),
        };
        steps * u64::from(self.ticks[0])
    }

    /// A lower bound of the cost of a path across this many columns and rows.
    #[inline]
    pub(crate) fn estimate_across(&self, columns: usize, rows: usize) -> u64 {
        let (less, more) = (columns.min(rows) as u64, columns.max(rows) as u64);
        let (straight, diagonal) = (self.costs[0], self.costs[4]);
        let steps = match self.ground.movement().neighbours {
            Neighbours::Four => (less + more) * straight,
            Neighbours::Eight => less * diagonal + (more - less) * straight,
        };
        steps * self.least_factor
    }

    #[inline]
    fn factor(&self, at: u32) -> u64 {
        self.ground.factors().get(at as usize).map_or(0, |&factor| u64::from(factor))
    }

    /// The step in a direction, which must be legal.
    #[inline]
    fn step(&self, from: Position, direction: usize) -> Move {
        let to = from.0.wrapping_add_signed(self.offsets[direction]);
        let factor = self.uniform_factor.unwrap_or_else(|| self.factor(to));
        let cost = self.costs[direction] * factor;
        let (ticks, action) = self.pace_of(direction, to);
        Move { to: Position(to), cost, ticks, action }
    }

    /// The ticks and the action of a step in a direction to a position.
    #[inline]
    fn pace_of(&self, direction: usize, to: u32) -> (u32, Action) {
        let ticks = self.ticks[direction];
        if self.levels.is_empty() {
            return (ticks, Action(direction as u16));
        }
        let times = self.ground.slowness(CellIndex(to));
        let action = match self.levels.binary_search(&times) {
            Ok(level) => self.first_slow_action() + 8 * level + direction,
            Err(_) => direction,
        };
        (ticks * u32::from(times), Action(action as u16))
    }

    /// The number of the first action that is a step onto terrain that slows.
    fn first_slow_action(&self) -> usize {
        8 + self.manoeuvres.len()
    }

    /// The direction and the ticks of a step, on any terrain; `None` for another
    /// action.
    #[inline]
    fn step_of(&self, action: Action) -> Option<(usize, u32)> {
        let number = usize::from(action.0);
        if number < 8 {
            return Some((number, self.ticks[number]));
        }
        let slow = number.checked_sub(self.first_slow_action())?;
        let times = u32::from(*self.levels.get(slow / 8)?);
        Some((slow % 8, self.ticks[slow % 8] * times))
    }

    fn manoeuvre_end(&self, from: Position, manoeuvre: &Manoeuvre, back: bool) -> Option<Position> {
        let sign = if back { -1 } else { 1 };
        let end = self.cell(from).offset(sign * manoeuvre.to.0, sign * manoeuvre.to.1)?;
        let start = if back { end } else { self.cell(from) };
        let over = manoeuvre.over.iter().chain([&(0, 0), &manoeuvre.to]);
        let free =
            |&(dx, dy): &(i32, i32)| start.offset(dx, dy).is_some_and(|c| self.ground.can_stand(c));
        let (begin, width) = (self.position(start)?.0, self.ground.width());
        let on_table = |&(offset, _): &_| self.footprints.has_entry(begin, width, offset);
        let legal = over.into_iter().all(free) && manoeuvre.holds.iter().all(on_table);
        legal.then(|| self.position(end)).flatten()
    }

    fn for_each_manoeuvre(&self, from: Position, back: bool, mut visit: impl FnMut(Move)) {
        for (number, manoeuvre) in self.manoeuvres.iter().enumerate() {
            if let Some(to) = self.manoeuvre_end(from, manoeuvre, back) {
                let (ticks, action) =
                    (u32::from(manoeuvre.ticks.max(1)), Action(8 + number as u16));
                let cost = (manoeuvre.cost.0 / self.unit).max(self.estimate(from, to));
                visit(Move { to, cost, ticks, action });
            }
        }
    }
}

fn uniform_factor(ground: &Ground) -> Option<u64> {
    ground.uniform_factor().map(|factor| factor.get().into())
}

impl Space for GridSpace {
    fn positions(&self) -> usize {
        self.ground.factors().len()
    }

    fn entries(&self) -> usize {
        self.footprints.entries()
    }

    fn estimate(&self, from: Position, to: Position) -> u64 {
        let (from, to) = (self.cell(from), self.cell(to));
        self.estimate_across(from.x.abs_diff(to.x).into(), from.y.abs_diff(to.y).into())
    }

    fn pause_cost(&self) -> u64 {
        self.pause_cost
    }

    fn move_ticks_max(&self) -> u32 {
        let longest = self.manoeuvres.iter().map(|manoeuvre| u32::from(manoeuvre.ticks)).max();
        self.ticks_max.max(longest.unwrap_or(0))
    }

    /// A body leaves its cells completely after as many steps as it is wide, for example
    /// sideways into a bay.
    fn ticks_to_clear(&self) -> u32 {
        let steps = u32::from(self.ground.movement().footprint);
        let tail = u32::from(self.passing == PassingRule::DoubleClaims);
        steps * self.ticks_max - 1 + tail
    }

    #[inline]
    fn for_each_move(&self, from: Position, mut visit: impl FnMut(Move)) {
        let mut bits = self.ground.legal_steps(CellIndex(from.0));
        while bits != 0 {
            let direction = bits.trailing_zeros() as usize;
            bits &= bits - 1;
            visit(self.step(from, direction));
        }
        if !self.manoeuvres.is_empty() {
            self.for_each_manoeuvre(from, false, visit);
        }
    }

    #[inline]
    fn for_each_move_back(&self, to: Position, mut visit: impl FnMut(Move)) {
        let backward = self.ground.legal_steps(CellIndex(to.0));
        // The bits of the actions that lead here: the opposites of the legal steps from here.
        // They are visited from the last to the first, so that ties break as in a forward search.
        let mut bits = (backward & 0x33) << 2 | (backward & 0xcc) >> 2;
        let factor = self.factor(to.0);
        if factor == 0 {
            // A unit can leave a wall that was built on it, but no move leads into one.
            return;
        }
        while bits != 0 {
            let action = 7 - bits.leading_zeros() as usize;
            bits &= !(1 << action);
            let from = to.0.wrapping_add_signed(self.offsets[action ^ 2]);
            let cost = self.costs[action] * factor;
            let (ticks, action) = self.pace_of(action, to.0);
            visit(Move { to: Position(from), cost, ticks, action });
        }
        if !self.manoeuvres.is_empty() {
            self.for_each_manoeuvre(to, true, visit);
        }
    }

    /// A step keeps the ticks with which it began, even if the terrain has changed since.
    fn move_by(&self, from: Position, action: Action) -> Option<Move> {
        let Some((direction, ticks)) = self.step_of(action) else {
            let mut found = None;
            self.for_each_manoeuvre(from, false, |step| {
                if step.action == action {
                    found = Some(step);
                }
            });
            return found;
        };
        let is_legal = self.ground.legal_steps(CellIndex(from.0)) >> direction & 1 != 0;
        is_legal.then(|| Move { ticks, action, ..self.step(from, direction) })
    }

    fn may_begin(&self, from: Position, action: Action) -> bool {
        let as_now = |step: Move| match self.step_of(action) {
            Some((direction, _)) => self.pace_of(direction, step.to.0).1 == action,
            None => true,
        };
        self.move_by(from, action).is_some_and(as_now)
    }

    fn move_to(&self, from: Position, to: Position) -> Option<Move> {
        let legal = self.ground.legal_steps(CellIndex(from.0));
        let leads_there = |&direction: &usize| {
            legal >> direction & 1 != 0
                && from.0.wrapping_add_signed(self.offsets[direction]) == to.0
        };
        let mut found = (0..8).find(leads_there).map(|direction| self.step(from, direction));
        self.for_each_manoeuvre(from, false, |manoeuvre| {
            if manoeuvre.to == to {
                found = Some(manoeuvre);
            }
        });
        found
    }

    #[inline]
    fn standing(&self, at: Position, mut visit: impl FnMut(Entry) -> bool) -> bool {
        let (base, held) = self.footprints.held(at.0, self.ground.width(), None);
        held.iter().all(|&(offset, _)| visit(Entry(base.wrapping_add_signed(offset))))
    }

    #[inline]
    fn footprint(
        &self,
        from: Position,
        action: Action,
        mut visit: impl FnMut(Entry, u32) -> bool,
    ) -> bool {
        let action = (action != Action::PAUSE).then_some(action.0);
        let (base, held) = self.footprints.held(from.0, self.ground.width(), action);
        !held.is_empty()
            && held
                .iter()
                .all(|&(offset, tick)| visit(Entry(base.wrapping_add_signed(offset)), tick))
    }

    #[inline]
    fn passings(
        &self,
        from: Position,
        action: Action,
        mut visit: impl FnMut(Entry, Entry) -> bool,
    ) -> bool {
        let action = (action != Action::PAUSE).then_some(action.0);
        let (base, passings) = self.footprints.passings(from.0, self.ground.width(), action);
        let entry = |offset| Entry(base.wrapping_add_signed(offset));
        passings.iter().all(|&(before, after)| visit(entry(before), entry(after)))
    }
}
