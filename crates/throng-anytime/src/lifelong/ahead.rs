//! Planning ahead: PIBT fills a window, repairs improve it, and units make its first step.
//!
//! Each tick PIBT is run for all ticks of the window. A unit whose path comes from a repair keeps to
//! it, as PIBT's first preference, as long as it has the same goal and is not late. So the work
//! of the ticks before is not lost, and units with new goals still get through.
//!
//! Late units follow PIBT alone, and repairs leave their paths as they are: those of highest priority
//! come through, as without repairs.

use super::repairs::Repairs;
use super::window::Window;
use super::{Lifelong, LifelongOptions, RANK_NO_TASK, RANK_TASK, Tasks, guidance, rank};
use crate::lns::random::Random;
use crate::{Graph, Guidance, TrueDistances as _, Vertex};

/// Ticks of a window. Goals per tick on random-32-32-20 with 400 units for windows of 6, 10, 15 and 20
/// ticks: 11.3, 11.3, 10.9 and 10.6. In a longer one fewer repairs fit into the budget.
const WINDOW_TICKS: usize = 8;
/// Tells the random numbers of repairs from others.
const REPAIRS: u64 = 1;

/// The plan of the next ticks.
#[derive(Clone, Debug)]
pub(super) struct Ahead {
    window: Window,
    repairs: Repairs,
    /// The paths of the tick before.
    before: Vec<Vertex>,
    hints: Vec<Vertex>,
    /// Units that have reached their goals within the window.
    arrived: Vec<bool>,
}

impl Ahead {
    pub(super) fn new(graph: &Graph, options: &LifelongOptions, starts: &[Vertex]) -> Self {
        let mut window = Window::new(graph, options.conflicts, starts.len(), WINDOW_TICKS);
        (0..=WINDOW_TICKS).for_each(|tick| window.set(tick, starts));
        window.occupy();
        Self {
            window,
            repairs: Repairs::new(starts.len()),
            before: Vec::new(),
            hints: Vec::new(),
            arrived: Vec::new(),
        }
    }

    /// A unit does not keep to its path.
    pub(super) fn forget(&mut self, unit: usize) {
        self.repairs.is_repaired[unit] = false;
    }

    /// Keeps the paths of the tick before, and begins with where units are now.
    fn begin(&mut self, now: &[Vertex]) {
        self.before.clear();
        for unit in 0..now.len() {
            self.before.extend_from_slice(self.window.path(unit));
        }
        self.window.vacate();
        self.window.set(0, now);
        self.arrived.clear();
        self.arrived.resize(now.len(), false);
    }

    /// Collects where repaired units go from a tick of the window: what was tick `from + 1` is
    /// `from` now.
    fn hint(&mut self, from: usize, now: &[Vertex], late: &[bool]) {
        let paths = self.before.chunks(WINDOW_TICKS + 1);
        let hint = |(unit, path): (usize, &[Vertex])| {
            let follows =
                self.repairs.is_repaired[unit] && !late[unit] && path[from + 1] == now[unit];
            let next = path.get(from + 2).filter(|_| follows);
            next.copied().unwrap_or(Vertex::NONE)
        };
        self.hints.clear();
        self.hints.extend(paths.enumerate().map(hint));
    }
}

impl<T: Tasks> Lifelong<'_, T> {
    /// Plans all ticks of the window, repairs the plan and makes its first step.
    pub(super) fn step_ahead(&mut self, ahead: &mut Ahead) {
        ahead.begin(self.pibt.now());
        for tick in 0..WINDOW_TICKS {
            if tick > 0 {
                self.sort_ahead(ahead);
            }
            ahead.hint(tick, self.pibt.now(), &self.late);
            let guidance = guidance(&self.late, &self.bridges, self.round(tick as u32));
            let guidance = Guidance { hints: &ahead.hints, ..guidance };
            self.pibt.step(&self.order, &[], &mut self.costs, &guidance);
            self.pibt.advance();
            ahead.window.set(tick + 1, self.pibt.now());
        }
        ahead.window.occupy();
        let mut random = Random::new(self.options.seed, REPAIRS, u64::from(self.tick));
        let budget = self.options.repairs_per_tick;
        let Ahead { window, repairs, .. } = ahead;
        self.repaired += repairs.improve(window, &mut self.costs, &self.late, &mut random, budget);
        let next: Vec<Vertex> =
            (0..self.units.len()).map(|unit| ahead.window.path(unit)[1]).collect();
        self.pibt.place(&next);
    }

    /// Sorts units by priority at a later tick of the window. Those that have reached their goals
    /// come last: they will go elsewhere.
    fn sort_ahead(&mut self, ahead: &mut Ahead) {
        for (number, unit) in self.units.iter().enumerate() {
            let at = self.pibt.now()[number];
            ahead.arrived[number] |= at == unit.goal();
            let key = match (unit.task, self.late[number]) {
                _ if ahead.arrived[number] => RANK_NO_TASK,
                (Some(_), false) => RANK_TASK | u64::from(self.costs.get(number, at)),
                _ => continue,
            };
            self.ranks[number] = rank(key, self.options.seed, number);
        }
        self.sort_by_rank();
    }
}
