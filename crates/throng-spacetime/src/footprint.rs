//! The footprints of a grid unit's actions: which entries of the reservation table each of
//! them needs, and when.
//!
//! A footprint is a list of (entry of the reservation table, tick). Standing, stepping, slow
//! steps, large bodies, curved manoeuvres, coarse and fine tables are all such lists, made once
//! for a movement profile. What two units may not pass through between ticks is a list of pairs
//! of entries. So the table knows nothing of grids, and a [`Space`](crate::Space) can be a
//! hexagonal grid or a road network.
//!
//! D. Silver, "Cooperative pathfinding" (2006), figures 5 and 6: diagonal moves, large
//! units, slow units, curved moves, and a table whose entries are larger or smaller than
//! the map's cells.

use throng_grid::Direction;
use throng_model::{Conflicts, Cost, MovementProfile};

/// The size of the reservation table's entries, compared with the cells of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Grain {
    /// One entry per cell.
    #[default]
    Cell,
    /// One entry for a square of this many cells per side: cheaper, and keeps units apart.
    Coarser(u8),
    /// A square of this many entries per side for each cell: for manoeuvres that hold less than
    /// whole cells.
    Finer(u8),
}

/// How two units may pass each other between two ticks.
///
/// A unit's body is a square of cells that moves evenly from one position to the next. At
/// every whole tick no two bodies overlap, under either rule. Between ticks:
///
/// | rule | guarantee |
/// |---|---|
/// | [`ExplicitTest`](Self::ExplicitTest) | no swap, no crossing of diagonals; but a unit may enter a cell while another leaves it sideways, and their bodies then overlap for part of the tick, by up to two thirds of a cell in both directions |
/// | [`DoubleClaims`](Self::DoubleClaims) | bodies never overlap, at any instant |
///
/// Manoeuvres hold what their rules list, and nothing is guaranteed beyond that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum PassingRule {
    /// Swaps and crossings are recognised and refused. Units can follow each other closely.
    #[default]
    ExplicitTest,
    /// The strict rule. A move claims all entries that it touches at its first and at its last
    /// tick, a diagonal one a cube of eight. What two moves sweep is then disjoint. The price:
    /// a unit cannot enter a cell in the tick in which another leaves it.
    DoubleClaims,
}

/// A move besides the steps of the movement profile: longer, curved or slower.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Manoeuvre {
    /// Columns and rows from its start to its end.
    pub to: (i32, i32),
    /// The ticks that it takes.
    pub ticks: u8,
    /// Its cost. If it is below the heuristic between its ends, the heuristic's value is used,
    /// so that the heuristic stays admissible.
    pub cost: Cost,
    /// Positions on which the unit must be able to stand, relative to its start.
    pub over: Vec<(i32, i32)>,
    /// Entries held, relative to the entry of its start, each with a number of ticks after its
    /// beginning. The entries of its end are always held from the first tick on.
    pub holds: Vec<((i32, i32), u8)>,
}

/// The rules from which a unit's footprints follow, besides its movement profile.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct FootprintRules {
    /// The size of the table's entries.
    pub grain: Grain,
    /// How two units may pass each other between ticks.
    pub passing: PassingRule,
    /// Which conflicts count besides vertex conflicts.
    pub conflicts: Conflicts,
    /// Whether a diagonal step also keeps the two cells beside it free of other units, as
    /// [`throng_model::CornerRule::NeverCut`] does for walls.
    pub corners_kept: bool,
    /// Moves besides the steps.
    pub manoeuvres: Vec<Manoeuvre>,
    /// Which copy of the table's entries the units hold. Units of different planes do not meet.
    pub plane: u8,
}

/// The index of standing in the tables: after the eight steps.
const STANDING: usize = 8;
const FIRST_MANOEUVRE: usize = 9;

type Held = (i32, u32);
type Passing = (i32, i32);

/// For each class of positions and each action, the entries held and the forbidden passings.
///
/// Positions of one class have the same place within an entry. There is more than one class
/// only if entries are coarser than cells.
#[derive(Clone, Debug)]
pub(crate) struct Footprints {
    /// Entries per row of the table.
    columns: u32,
    rows: u32,
    grain: Grain,
    /// How many planes the table has, and the first entry of this one. The offsets in the lists
    /// below include it, so that it costs nothing.
    planes: u32,
    first: i32,
    actions: usize,
    held: Table<Held>,
    passings: Table<Passing>,
}

/// Lists stored one after the other in one array.
#[derive(Clone, Debug)]
struct Table<T> {
    all: Vec<T>,
    ends: Vec<u32>,
}

impl<T> Table<T> {
    fn new() -> Self {
        Self { all: Vec::new(), ends: vec![0] }
    }

    fn push(&mut self, list: impl IntoIterator<Item = T>) {
        self.all.extend(list);
        self.ends.push(self.all.len() as u32);
    }

    /// The list at an index; an empty one beyond the last.
    #[inline]
    fn get(&self, index: usize) -> &[T] {
        match self.ends.get(index..) {
            Some(&[begin, end, ..]) => &self.all[begin as usize..end as usize],
            _ => &[],
        }
    }
}

impl Footprints {
    pub(crate) fn new(
        movement: &MovementProfile,
        rules: &FootprintRules,
        size: (u32, u32),
    ) -> Self {
        let (columns, rows) = match rules.grain {
            Grain::Cell => size,
            Grain::Coarser(by) => (size.0.div_ceil(side(by)), size.1.div_ceil(side(by))),
            Grain::Finer(by) => (size.0 * side(by), size.1 * side(by)),
        };
        let mut made = Self {
            columns,
            rows,
            grain: rules.grain,
            planes: u32::from(rules.plane) + 1,
            first: i32::from(rules.plane) * (columns * rows) as i32,
            actions: FIRST_MANOEUVRE + rules.manoeuvres.len() + 8 * levels(movement).len(),
            held: Table::new(),
            passings: Table::new(),
        };
        let classes = if let Grain::Coarser(by) = rules.grain { side(by) * side(by) } else { 1 };
        for class in 0..classes {
            made.add_class(class, movement, rules);
        }
        made
    }

    fn add_class(&mut self, class: u32, movement: &MovementProfile, rules: &FootprintRules) {
        self.add_steps(class, movement, rules, 1);
        let standing: Vec<_> = body(movement, (0, 0)).map(|cell| (cell, 1)).collect();
        self.add(class, &standing, &[]);
        for manoeuvre in &rules.manoeuvres {
            let entries = self.manoeuvre_entries(class, movement, manoeuvre);
            self.add_entries(entries);
            self.passings.push([]);
        }
        for times in levels(movement) {
            self.add_steps(class, movement, rules, times);
        }
    }

    /// Adds the eight steps onto terrain where they take so many times the ticks.
    fn add_steps(
        &mut self,
        class: u32,
        movement: &MovementProfile,
        rules: &FootprintRules,
        times: u8,
    ) {
        let (straight, diagonal) = movement.step_ticks();
        for direction in Direction::ALL {
            let plain = if direction.is_diagonal() { diagonal } else { straight };
            let ticks = u32::from(plain) * u32::from(times);
            let step = direction.offset();
            self.add(
                class,
                &step_holds(movement, rules, step, ticks),
                &step_passings(movement, rules, step, ticks),
            );
        }
    }

    /// The entries of a manoeuvre: those that it lists, and those of its end from the first tick
    /// on.
    fn manoeuvre_entries(
        &self,
        class: u32,
        movement: &MovementProfile,
        manoeuvre: &Manoeuvre,
    ) -> Vec<Held> {
        let holds = manoeuvre.holds.iter();
        let mut entries: Vec<Held> =
            holds.map(|&(at, tick)| (self.offset(at), u32::from(tick))).collect();
        for cell in body(movement, manoeuvre.to) {
            for entry in self.entries_of(class, cell) {
                entries.extend((1..=u32::from(manoeuvre.ticks.max(1))).map(|tick| (entry, tick)));
            }
        }
        entries
    }

    fn add(&mut self, class: u32, holds: &[((i32, i32), u32)], passings: &[Pair]) {
        let entries = holds
            .iter()
            .flat_map(|&(cell, tick)| self.entries_of(class, cell).map(move |entry| (entry, tick)));
        self.add_entries(entries.collect());
        let one = |cell| self.entries_of(class, cell).next().unwrap_or(0);
        let passings: Vec<_> =
            passings.iter().map(|&(before, after)| (one(before), one(after))).collect();
        let passings = passings.into_iter().filter(|&(before, after)| before != after);
        let first = self.first;
        self.passings.push(passings.map(|(before, after)| (before + first, after + first)));
    }

    fn add_entries(&mut self, mut entries: Vec<Held>) {
        entries.sort_unstable_by_key(|&(entry, tick)| (tick, entry));
        entries.dedup();
        let first = self.first;
        self.held.push(entries.into_iter().map(|(entry, tick)| (entry + first, tick)));
    }

    /// The entries of a cell, relative to the entry of a position of the class.
    fn entries_of(&self, class: u32, (dx, dy): (i32, i32)) -> impl Iterator<Item = i32> + use<> {
        let columns = self.columns as i32;
        let (origin, by) = match self.grain {
            Grain::Cell => ((dx, dy), 1),
            Grain::Finer(by) => {
                let by = side(by) as i32;
                ((dx * by, dy * by), by)
            }
            Grain::Coarser(by) => {
                let (by, (x, y)) = (side(by) as i32, (class % side(by), class / side(by)));
                (((x as i32 + dx).div_euclid(by), (y as i32 + dy).div_euclid(by)), 1)
            }
        };
        (0..by * by).map(move |at| (origin.1 + at / by) * columns + origin.0 + at % by)
    }

    fn offset(&self, (dx, dy): (i32, i32)) -> i32 {
        dy * self.columns as i32 + dx
    }

    /// Whether the table has an entry at this offset from the entry of a position.
    pub(crate) fn has_entry(&self, at: u32, width: u32, (dx, dy): (i32, i32)) -> bool {
        let (entry, _) = self.locate(at, width);
        let column = (entry % self.columns).checked_add_signed(dx);
        let row = (entry / self.columns).checked_add_signed(dy);
        column.is_some_and(|x| x < self.columns) && row.is_some_and(|y| y < self.rows)
    }

    pub(crate) fn entries(&self) -> usize {
        self.columns as usize * self.rows as usize * self.planes as usize
    }

    /// The table has this many planes, or as many as this one needs.
    pub(crate) fn set_planes(&mut self, planes: u32) {
        let plane = self.first as u32 / (self.columns * self.rows).max(1);
        self.planes = planes.max(plane + 1);
    }

    /// The entry of a position, and the index of the lists of its class.
    #[inline(always)]
    fn locate(&self, at: u32, width: u32) -> (u32, usize) {
        match self.grain {
            Grain::Cell => (at, 0),
            Grain::Finer(by) => {
                let (x, y) = (at % width, at / width);
                (y.wrapping_mul(self.columns).wrapping_add(x).wrapping_mul(side(by)), 0)
            }
            Grain::Coarser(by) => {
                let (by, x, y) = (side(by), at % width, at / width);
                let class = (y % by) * by + x % by;
                (y / by * self.columns + x / by, class as usize * self.actions)
            }
        }
    }

    /// The entry of a position, and the entries that an action holds relative to it; `None` is
    /// standing.
    #[inline(always)]
    pub(crate) fn held(&self, at: u32, width: u32, action: Option<u16>) -> (u32, &[Held]) {
        let (entry, class) = self.locate(at, width);
        (entry, self.held.get(class + index_of(action)))
    }

    #[inline(always)]
    pub(crate) fn passings(&self, at: u32, width: u32, action: Option<u16>) -> (u32, &[Passing]) {
        let (entry, class) = self.locate(at, width);
        (entry, self.passings.get(class + index_of(action)))
    }
}

fn side(by: u8) -> u32 {
    u32::from(by.max(1))
}

/// How many times longer steps take on the terrain that slows, each value once, in order.
pub(crate) fn levels(movement: &MovementProfile) -> Vec<u8> {
    let mut levels: Vec<u8> = movement.slow.iter().map(|slow| slow.times).collect();
    levels.retain(|&times| times > 1);
    levels.sort_unstable();
    levels.dedup();
    levels
}

/// Steps are actions 0 to 7, manoeuvres follow from 8 on, and then the steps onto terrain that
/// slows, eight for each value.
#[inline]
fn index_of(action: Option<u16>) -> usize {
    match action {
        None => STANDING,
        Some(step) if step < 8 => usize::from(step),
        Some(manoeuvre) => usize::from(manoeuvre) + 1,
    }
}

type Pair = ((i32, i32), (i32, i32));

/// The cells of a body whose position is at an offset.
fn body(
    movement: &MovementProfile,
    (x, y): (i32, i32),
) -> impl Iterator<Item = (i32, i32)> + use<> {
    rectangle((x, y), i32::from(movement.footprint), i32::from(movement.footprint))
}

fn rectangle((x, y): (i32, i32), width: i32, height: i32) -> impl Iterator<Item = (i32, i32)> {
    (0..width * height).map(move |at| (x + at % width, y + at / width))
}

/// All cells that a step touches: both bodies and, for a diagonal step, the corners between them.
fn touched(
    movement: &MovementProfile,
    (dx, dy): (i32, i32),
) -> impl Iterator<Item = (i32, i32)> + use<> {
    let side = i32::from(movement.footprint);
    rectangle((dx.min(0), dy.min(0)), side + dx.abs(), side + dy.abs())
}

/// The cells that a step holds: the body at its end, and all cells that it touches at the ticks
/// in between. Steps of one tick have no ticks in between; the rules decide what else they hold.
fn step_holds(
    movement: &MovementProfile,
    rules: &FootprintRules,
    step: (i32, i32),
    ticks: u32,
) -> Vec<((i32, i32), u32)> {
    let mut holds: Vec<_> = body(movement, step).map(|cell| (cell, ticks)).collect();
    let mut hold_all = |tick| holds.extend(touched(movement, step).map(|cell| (cell, tick)));
    (1..ticks).for_each(&mut hold_all);
    let diagonal = step.0 != 0 && step.1 != 0;
    if rules.passing == PassingRule::DoubleClaims || (rules.corners_kept && diagonal) {
        [0, ticks].into_iter().for_each(hold_all);
    }
    holds
}

/// The pairs of cells between which another unit would pass through this one in a step of one
/// tick.
///
/// For bodies of one cell these are the swap and the crossing of diagonals. A larger body
/// is passed through only at its corners, by a diagonal step against its own.
fn step_passings(
    movement: &MovementProfile,
    rules: &FootprintRules,
    (dx, dy): (i32, i32),
    ticks: u32,
) -> Vec<Pair> {
    if ticks > 1 || rules.passing == PassingRule::DoubleClaims {
        return Vec::new();
    }
    let side = i32::from(movement.footprint);
    if side == 1 {
        let swap = rules.conflicts.swap.then_some(((dx, dy), (0, 0)));
        let crossing = rules.conflicts.crossing && dx != 0 && dy != 0;
        let crossings = [((dx, 0), (0, dy)), ((0, dy), (dx, 0))];
        return swap.into_iter().chain(crossings.into_iter().filter(|_| crossing)).collect();
    }
    if dx == 0 || dy == 0 {
        return Vec::new();
    }
    let mirrored = |(x, y): (i32, i32)| {
        (if dx > 0 { x } else { side - 1 - x }, if dy > 0 { y } else { side - 1 - y })
    };
    let corners = [((side, 1), (side - 1, 0)), ((1, side), (0, side - 1))];
    corners.map(|(before, after)| (mirrored(before), mirrored(after))).to_vec()
}
