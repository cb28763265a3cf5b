//! One unit on its way through the plan: where it is, what it holds, what it does wrong.

use throng_model::{Cell, CornerRule, Unit, UnitId};

use crate::ground::{Ground, is_adjacent, is_diagonal};
use crate::meeting::Step;
use crate::walk::judge_place;
use crate::{Violation, ViolationKind};

/// A unit at the current tick of the plan.
pub(crate) struct Walker<'a> {
    pub(crate) id: UnitId,
    pub(crate) ground: &'a Ground<'a>,
    unit: Unit,
    /// Not empty.
    path: &'a [Cell],
    /// Where it is, and where it was a tick ago.
    at: Cell,
    before: Cell,
    /// The neighbour that a slow unit is on its way to.
    heading: Option<Cell>,
    /// The tick at which it came to where it is, and how long it had stood where it was.
    since: usize,
    stood: usize,
}

/// A rectangle of positions, ends excluded.
#[derive(Clone, Copy)]
pub(crate) struct Area {
    pub(crate) x: (i32, i32),
    pub(crate) y: (i32, i32),
}

impl Area {
    fn body(at: Cell, side: i32) -> Self {
        let (x, y) = (i32::from(at.x), i32::from(at.y));
        Self { x: (x, x + side), y: (y, y + side) }
    }

    fn with(self, other: Self) -> Self {
        Self {
            x: (self.x.0.min(other.x.0), self.x.1.max(other.x.1)),
            y: (self.y.0.min(other.y.0), self.y.1.max(other.y.1)),
        }
    }

    fn contains(self, (x, y): (i32, i32)) -> bool {
        (self.x.0..self.x.1).contains(&x) && (self.y.0..self.y.1).contains(&y)
    }

    pub(crate) fn points(self) -> impl Iterator<Item = (i32, i32)> {
        (self.y.0..self.y.1).flat_map(move |y| (self.x.0..self.x.1).map(move |x| (x, y)))
    }
}

impl<'a> Walker<'a> {
    /// `None` for an empty path.
    pub(crate) fn new(
        id: UnitId,
        unit: Unit,
        ground: &'a Ground<'a>,
        path: &'a [Cell],
    ) -> Option<Self> {
        let at = *path.first()?;
        Some(Self { id, ground, unit, path, at, before: at, heading: None, since: 0, stood: 0 })
    }

    fn cell_at(&self, tick: usize) -> Cell {
        self.path.get(tick).or(self.path.last()).copied().unwrap_or(self.at)
    }

    /// Goes on to the tick, which must be the next one.
    pub(crate) fn advance(&mut self, tick: usize) {
        self.before = self.at;
        self.at = self.cell_at(tick);
        if self.at != self.before {
            self.stood = tick - self.since;
            self.since = tick;
        }
        let in_time = (tick + 1)..(tick + usize::from(self.ground.movement.pace));
        let next = in_time.map(|later| self.cell_at(later)).find(|&cell| cell != self.at);
        self.heading = next.filter(|&cell| is_adjacent(self.at, cell));
    }

    /// The step that ends at this tick, if it is one that takes a single tick and stays on
    /// the map.
    pub(crate) fn quick_step(&self) -> Option<Step> {
        let (from, to) = (self.before, self.at);
        let is_step = from != to && self.ground.movement.pace == 1 && is_adjacent(from, to);
        let inside = self.ground.is_inside(from) && self.ground.is_inside(to);
        (is_step && inside).then_some(Step { from, to, side: self.ground.side() })
    }

    /// The smallest rectangle around all that the unit holds.
    pub(crate) fn extent(&self) -> Area {
        let body = Area::body(self.at, self.ground.side());
        self.heading.map_or(body, |to| body.with(Area::body(to, self.ground.side())))
    }

    /// The smallest rectangle around all that the unit holds or has passed in this tick.
    pub(crate) fn reach(&self) -> Area {
        let passed = self.quick_step().map(|step| Area::body(step.from, step.side));
        passed.map_or(self.extent(), |body| body.with(self.extent()))
    }

    /// Whether the unit holds a cell at this tick.
    pub(crate) fn holds(&self, point: (i32, i32)) -> bool {
        let side = self.ground.side();
        let is_swept = |to| {
            let never_cut = self.ground.movement.corners == CornerRule::NeverCut;
            never_cut && is_diagonal(self.at, to) && self.extent().contains(point)
        };
        Area::body(self.at, side).contains(point)
            || self.heading.is_some_and(|to| Area::body(to, side).contains(point) || is_swept(to))
    }

    /// The cells that both units hold at this tick.
    pub(crate) fn shared(&self, other: &Self) -> Vec<Cell> {
        let points = self.extent().points().filter(|&p| self.holds(p) && other.holds(p));
        let on_map = points.filter(|&(x, y)| self.ground.index(x, y).is_some());
        on_map.filter_map(|(x, y)| Cell::new(0, 0).offset(x, y)).collect()
    }

    /// Reports what the unit does wrong at this tick, other units aside.
    pub(crate) fn judge(&self, tick: usize, violations: &mut Vec<Violation>) {
        let found = |kind, cells| Violation::of_one(kind, tick, self.id, cells);
        if tick == 0 && self.at != self.unit.start {
            violations.push(found(ViolationKind::Start, vec![self.at, self.unit.start]));
        }
        if tick == 0 || self.at != self.before {
            judge_place(self.ground, self.id, tick, self.at, violations);
        }
        if self.at != self.before {
            let step = vec![self.before, self.at];
            let fault = self.ground.fault_of_step(self.before, self.at);
            violations.extend(fault.map(|kind| found(kind, step.clone())));
            if self.stood < usize::from(self.ground.movement.pace) {
                violations.push(found(ViolationKind::Pace, step));
            }
        }
        if tick + 1 == self.path.len() && self.at != self.unit.goal {
            violations.push(found(ViolationKind::Goal, vec![self.at, self.unit.goal]));
        }
    }

    /// Whether the path goes on after the tick.
    pub(crate) fn goes_on_after(&self, tick: usize) -> bool {
        self.path.len() > tick + 1
    }
}
