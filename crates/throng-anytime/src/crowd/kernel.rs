//! The public entry of the crowd kernel: one tick of a crowd.

use std::cmp::Reverse;

use throng_model::{Tick, UnitId};
use throng_spacetime::{Action, GridSpace, Leg, Position, Space};

use super::candidates::Candidate;
use super::claims::Claims;
use super::escape::EscapeSearch;
use super::turn::{Frame, Record, Turn};

/// One unit as the kernel sees it at a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrowdUnit {
    /// Which unit it is. Ties break by it; no two units of a tick have the same.
    pub unit: UnitId,
    /// The number of its space among those given to [`CrowdKernel::decide`].
    pub space: usize,
    /// Where it stands, or where it began the step that it is in the middle of.
    pub at: Position,
    /// Units of higher priority decide first, and others make room for them.
    pub priority: u64,
    /// It stays and is never asked to move: it holds its place, or belongs to another side.
    pub holds: bool,
    /// The last move that it began, if it is not over yet, or is over since this very tick. A
    /// move that is over counts only where it holds more than its end at its last tick, as under
    /// [`PassingRule::DoubleClaims`](throng_spacetime::PassingRule::DoubleClaims).
    pub begun: Option<Leg>,
}

/// Where the units of a crowd want to go. Units are named by their index in the slice given
/// to [`CrowdKernel::decide`].
pub trait Preferences {
    /// The true distance from a position to the unit's destination: 0 there, `None` if there is
    /// no path. Any unit of cost will do, as only distances of one unit are compared.
    fn distance(&mut self, unit: usize, at: Position) -> Option<u64>;

    /// The next move of the unit's plan, if it has one. It is tried first. A caller drops it for
    /// a unit that is delayed, because plans ranked above distances can livelock.
    fn planned(&mut self, unit: usize) -> Option<Action> {
        let _ = unit;
        None
    }

    /// Whether the unit, among equally short ways, avoids the first choices of others
    /// (Okumura and Nagai's hindrance). A caller returns false for a unit that is delayed.
    fn avoids_hindrance(&mut self, unit: usize) -> bool {
        let _ = unit;
        true
    }

    /// Whether the unit asks others to make room for it. One that does not moves only where nobody
    /// is, unless another unit asks it.
    fn asks(&self, unit: usize) -> bool {
        let _ = unit;
        true
    }

    /// The side of the unit. Units of one side make room for each other. A unit of another side
    /// is an obstacle: it is never asked to move, and what it leaves in a tick is not entered in
    /// the same tick.
    fn side(&self, unit: usize) -> u8 {
        let _ = unit;
        0
    }
}

/// Why spaces cannot be used by a [`CrowdKernel`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CrowdError {
    /// Two spaces do not share their entries.
    #[error(
        "space {space} has {entries} entries, space 0 has {expected}: give spaces over the same map"
    )]
    EntriesDiffer {
        /// The number of the space.
        space: usize,
        /// How many entries it has.
        entries: usize,
        /// How many the first space has.
        expected: usize,
    },
    /// A move that does not hold, at its last tick, what standing at its end holds.
    #[error(
        "space {space}: action {} from position {} does not hold where it ends: add these entries \
         to its footprint", .action.0, .from.0
    )]
    EndNotHeld {
        /// The number of the space.
        space: usize,
        /// Where the move begins.
        from: Position,
        /// The move.
        action: Action,
    },
}

/// What the kernel knows about the moves of a space.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    /// A unit that stands holds one entry.
    pub(super) is_single: bool,
    /// Some move leaves all of its start free in the next tick, so that another unit can follow
    /// at once.
    pub(super) is_quick: bool,
    /// Other moves do not: it depends on where the unit is.
    pub(super) is_mixed: bool,
}

/// The memory of the kernel, reused from tick to tick.
#[derive(Clone, Debug)]
pub(super) struct Memory {
    pub(super) kinds: Vec<Kind>,
    pub(super) claims: Claims,
    pub(super) records: Vec<Record>,
    pub(super) candidates: Vec<Candidate>,
    pub(super) order: Vec<u32>,
    pub(super) frames: Vec<Frame>,
    pub(super) blockers: Vec<u32>,
    /// The units that were decided since the root's turn began, in order.
    pub(super) log: Vec<u32>,
    /// How many decisions were undone since the root's turn began.
    pub(super) undone: u32,
    pub(super) escape: EscapeSearch,
}

/// Decides the next step of every unit of a crowd, by priority inheritance with backtracking.
///
/// **What it does.** Units decide in order of priority. A unit ranks its moves and staying by
/// the true distance that remains, and takes the first that no decided unit forbids. If
/// undecided units hold what a move needs, they are asked to leave first and inherit the turn;
/// if one cannot, the next move is tried. A large body may ask several units. A unit that is
/// asked stays only if it has no move. In corridors and dead ends two units of one cell that
/// must exchange places go back to where they can (the swap of Okumura's LaCAM).
///
/// A unit that leaves slowly (pace above 1,
/// [`PassingRule::DoubleClaims`](throng_spacetime::PassingRule::DoubleClaims)) does not make
/// room within the tick. It is asked all the same, and the unit that asked waits and keeps the
/// rest of what it needs. So it does for a large body that takes several steps to leave. A unit
/// in the middle of a step is not asked.
///
/// Units that hold are passed only where a step past them brings a unit nearer: a caller whose
/// distances know nothing of them has to find another way around a line of them.
///
/// **Arguments.** [`new`](Self::new) takes the spaces, [`decide`](Self::decide) the units of a
/// tick in any order. Bodies must not overlap. A unit that is not in the list is not seen.
///
/// **Returns** an action for each unit, in the order of the list: [`Action::PAUSE`] to stay, or
/// to go on with a step that was begun.
///
/// **Legal** in every scene: under footprints and passings of the spaces no two actions
/// conflict, now and until they are over, and after that every unit can stay where it is. All
/// entries of a footprint are claimed from the first tick on, so spaces whose slow moves reach
/// their entries later are used with more distance than needed. A passing is found by the unit
/// that decides later, as in the reservation table: for two units that pass through each other
/// both spaces must list the pair, as those of grids do where swaps count.
///
/// **Complete?** No: this is one step without search. Repeated, with [`Waiting`](super::Waiting)
/// as priority, every unit of one cell and one tick per step arrives at some time if every edge
/// lies on a cycle (Okumura et al.). There is no such proof for larger or slower units: large
/// bodies that must pass each other in a passage of their own width do not exchange places.
///
/// **Ties** break by hindrance (how many units have the place as their first choice), then
/// staying before moving, then a hash of seed, tick and unit; between units by their number.
///
/// **Time.** Each unit is decided once, and at most 64 decisions (and the chain that is then
/// under way) are undone for each unit that decides in its own turn; after that it asks no
/// more, and the result is still legal. A decision looks at the footprint of each move of the
/// unit. Walks along a corridor end after 256 cells, searches for a way out in several steps
/// after 96 positions, three times per unit that is asked. **Memory**: 16 bytes per entry, 4 per
/// position, about 400 per unit; nothing is allocated once the vectors have grown.
///
/// K. Okumura et al., "Priority Inheritance with Backtracking for Iterative Multi-agent Path
/// Finding" (2022); K. Okumura, "Improving LaCAM for Scalable Eventually Optimal Multi-Agent
/// Pathfinding" (2023), for the swap; K. Okumura and H. Nagai, "Lightweight and Effective
/// Preference Construction in PIBT" (2025), for hindrance.
///
/// ```
/// use throng_anytime::{CrowdKernel, CrowdUnit, Preferences};
/// use throng_model::{Map, MovementProfile, Tick, UnitId};
/// use throng_spacetime::{Action, FootprintRules, GridSpace, Position, Space};
///
/// // Unit 0 goes right, unit 1 stands in its way and has nothing to do.
/// struct Row;
/// impl Preferences for Row {
///     fn distance(&mut self, unit: usize, at: Position) -> Option<u64> {
///         let goal = [3, 1][unit];
///         Some(u64::from(at.0.abs_diff(goal)))
///     }
/// }
/// let map = Map::empty(4, 1)?;
/// let space =
///     GridSpace::new(&map, MovementProfile::four_connected(), &FootprintRules::default())?;
/// let spaces = [space];
/// let unit = |number, priority| CrowdUnit {
///     unit: UnitId::new(number),
///     space: 0,
///     at: Position(number),
///     priority,
///     holds: false,
///     begun: None,
/// };
/// let mut kernel = CrowdKernel::new(&spaces, 1)?;
/// let actions = kernel.decide(&spaces, &[unit(0, 9), unit(1, 0)], Tick(0), &mut Row);
/// let ends = [0, 1].map(|at| spaces[0].move_by(Position(at), actions[at as usize]));
/// assert_eq!(ends.map(|step| step.map(|step| step.to.0)), [Some(1), Some(2)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct CrowdKernel {
    memory: Memory,
    actions: Vec<Action>,
    seed: u64,
}

impl CrowdKernel {
    /// A kernel for these spaces, over the same entries. Ties are drawn by the seed.
    ///
    /// # Errors
    /// When the spaces do not share their entries, or a move does not hold its end. That is
    /// tried at up to 4,096 positions of each space, spread over all.
    pub fn new<S: Space>(spaces: &[S], seed: u64) -> Result<Self, CrowdError> {
        let expected = spaces.first().map_or(0, Space::entries);
        let mut kinds = Vec::with_capacity(spaces.len());
        for (number, space) in spaces.iter().enumerate() {
            let entries = space.entries();
            if entries != expected {
                return Err(CrowdError::EntriesDiffer { space: number, entries, expected });
            }
            kinds.push(kind_of(space, number)?);
        }
        let mut kernel = Self::for_grids(expected, seed);
        kernel.memory.kinds = kinds;
        Ok(kernel)
    }

    /// A kernel for grids, of this many entries; [`use_grids`](Self::use_grids) names them.
    #[must_use]
    pub fn for_grids(entries: usize, seed: u64) -> Self {
        let memory = Memory {
            kinds: Vec::new(),
            claims: Claims::new(entries),
            records: Vec::new(),
            candidates: Vec::new(),
            order: Vec::new(),
            frames: Vec::new(),
            blockers: Vec::new(),
            log: Vec::new(),
            undone: 0,
            escape: EscapeSearch::default(),
        };
        Self { memory, actions: Vec::new(), seed }
    }

    /// Sets the spaces of the next ticks, which share this many entries. What the kernel has
    /// to know about them follows from their movement profiles, so nothing is tried.
    pub fn use_grids(&mut self, spaces: &[GridSpace], entries: usize) {
        if self.memory.claims.entries() != entries {
            self.memory.claims = Claims::new(entries);
        }
        self.memory.kinds.clear();
        self.memory.kinds.extend(spaces.iter().map(|space| Kind {
            is_single: space.ground().movement().footprint == 1,
            is_quick: space.leaves_at_once(),
            is_mixed: space.leaves_at_once() && !space.has_even_steps(),
        }));
    }

    /// Decides what each unit does from this tick on, in the order of `units`.
    ///
    /// The spaces are those of [`new`](Self::new), as the map is now. A unit whose space or
    /// position does not exist is not seen by others and pauses.
    pub fn decide<S: Space>(
        &mut self,
        spaces: &[S],
        units: &[CrowdUnit],
        now: Tick,
        preferences: &mut impl Preferences,
    ) -> &[Action] {
        let Self { memory, actions, seed } = self;
        let mut order = std::mem::take(&mut memory.order);
        order.clear();
        order.extend(0..units.len() as u32);
        order.sort_unstable_by_key(|&index| {
            let unit = &units[index as usize];
            (Reverse(unit.priority), unit.unit)
        });
        let mut turn = Turn { spaces, units, now, seed: *seed, preferences, memory };
        turn.place_all();
        turn.gather_all();
        order.iter().for_each(|&root| turn.run(root));
        memory.order = order;
        memory.claims.clear();
        actions.clear();
        actions.extend(memory.records.iter().map(Record::decided_action));
        actions
    }
}

/// At most this many positions of a space are looked at when a kernel is made.
const PROBES_MAX: usize = 4096;

fn kind_of<S: Space>(space: &S, number: usize) -> Result<Kind, CrowdError> {
    let mut kind = Kind { is_single: true, is_quick: false, is_mixed: false };
    let mut fault = None;
    let stride = space.positions().div_ceil(PROBES_MAX).max(1);
    for from in (0..space.positions() as u32).step_by(stride).map(Position) {
        let mut standing = 0;
        space.standing(from, |_| {
            standing += 1;
            true
        });
        kind.is_single &= standing <= 1;
        space.for_each_move(from, |step| {
            kind.is_quick |= leaves_at_once(space, from, step.action);
            if !holds_end(space, from, step.action, step.to) {
                fault.get_or_insert((from, step.action));
            }
        });
    }
    let not_held = |(from, action)| CrowdError::EndNotHeld { space: number, from, action };
    fault.map(not_held).map_or(Ok(kind), Err)
}

fn holds_end<S: Space>(space: &S, from: Position, action: Action, to: Position) -> bool {
    space.standing(to, |entry| !space.footprint(from, action, |held, _| held != entry))
}

/// Whether an action holds no entry of its start after its beginning, but those of its end.
fn leaves_at_once<S: Space>(space: &S, from: Position, action: Action) -> bool {
    let Some(step) = space.move_by(from, action) else { return false };
    let is_start = |entry| !space.standing(from, |start| start != entry);
    let is_end = |entry| !space.standing(step.to, |end| end != entry);
    space.footprint(from, action, |entry, _| !is_start(entry) || is_end(entry))
}
