//! The raw map as one movement profile sees it: where a unit can stand, and which steps are legal.

use throng_model::{Cell, CornerRule, DiagonalCost, Factor, Map, MovementProfile, Neighbours};

use crate::ViolationKind;

/// A map seen through one movement profile.
pub(crate) struct PassableMap<'a> {
    map: &'a Map,
    pub(crate) movement: &'a MovementProfile,
    /// The cost factor of each terrain class after the profile's overrides; `None` is impassable.
    factors: Vec<Option<Factor>>,
}

impl<'a> PassableMap<'a> {
    /// `None` for a movement profile outside its limits.
    pub(crate) fn new(map: &'a Map, movement: &'a MovementProfile) -> Option<Self> {
        movement.validate().ok()?;
        let overridden = |class: usize| {
            let mut latest_first = movement.terrain.iter().rev();
            latest_first.find(|given| given.terrain.get() == class).map(|given| given.factor)
        };
        let classes = map.classes().iter().enumerate();
        let factors = classes.map(|(i, class)| overridden(i).unwrap_or(class.factor)).collect();
        Some(Self { map, movement, factors })
    }

    /// The side of the footprint, in cells.
    pub(crate) fn side(&self) -> i32 {
        i32::from(self.movement.footprint)
    }

    /// The row-major index of a cell; `None` off the map.
    pub(crate) fn index(&self, x: i32, y: i32) -> Option<usize> {
        let (width, height) = (i32::from(self.map.width()), i32::from(self.map.height()));
        let inside = (0..width).contains(&x) && (0..height).contains(&y);
        if inside { usize::try_from(y * width + x).ok() } else { None }
    }

    /// The ticks of a step: those of its direction on plain ground, times the most that a cell
    /// under the footprint at its end slows.
    pub(crate) fn ticks_of_step(&self, from: Cell, to: Cell) -> usize {
        let MovementProfile { pace, diagonal, .. } = *self.movement;
        let plain = match diagonal {
            DiagonalCost::Ticks(ticks) if is_diagonal(from, to) => ticks,
            _ => pace,
        };
        let slow = self.covered(to).map(|cell| self.times(cell)).max().unwrap_or(1);
        usize::from(plain) * usize::from(slow)
    }

    /// How many times longer a step onto a cell takes: the last entry of its class counts.
    fn times(&self, cell: Cell) -> u8 {
        let index = self.index(i32::from(cell.x), i32::from(cell.y));
        let class = index.and_then(|index| self.map.terrain().get(index));
        let mut times = 1;
        for slow in &self.movement.slow {
            if Some(&slow.terrain) == class {
                times = slow.times;
            }
        }
        times
    }

    /// Whether the whole footprint is on the map.
    pub(crate) fn is_inside(&self, at: Cell) -> bool {
        let last = self.side() - 1;
        self.index(i32::from(at.x) + last, i32::from(at.y) + last).is_some()
    }

    fn factor_of(&self, cell: Cell) -> Option<Factor> {
        let index = self.index(i32::from(cell.x), i32::from(cell.y))?;
        let class = self.map.terrain().get(index)?.get();
        self.factors.get(class).copied().flatten()
    }

    /// The cells of the footprint that are on the map.
    fn covered(&self, at: Cell) -> impl Iterator<Item = Cell> {
        let side = self.side();
        let cells = (0..side).flat_map(move |dy| (0..side).map(move |dx| (dx, dy)));
        cells
            .filter_map(move |(dx, dy)| at.offset(dx, dy))
            .filter(|cell| cell.x < self.map.width() && cell.y < self.map.height())
    }

    /// The impassable cells under the footprint.
    pub(crate) fn obstacles(&self, at: Cell) -> Vec<Cell> {
        self.covered(at).filter(|&cell| self.factor_of(cell).is_none()).collect()
    }

    /// Whether the whole footprint is on passable ground.
    pub(crate) fn can_stand(&self, at: Cell) -> bool {
        self.is_inside(at) && self.covered(at).all(|cell| self.factor_of(cell).is_some())
    }

    /// The largest cost factor under the footprint, slowness included; 0 where nothing is
    /// passable.
    pub(crate) fn factor(&self, at: Cell) -> u64 {
        let product = |cell: Cell| {
            let factor = u64::from(self.factor_of(cell)?.get());
            Some((factor * u64::from(self.times(cell))).min(255))
        };
        self.covered(at).filter_map(product).max().unwrap_or(0)
    }

    /// The rule that the step itself breaks, whether or not the unit can stand at its end.
    pub(crate) fn fault_of_step(&self, from: Cell, to: Cell) -> Option<ViolationKind> {
        if !is_adjacent(from, to) {
            return Some(ViolationKind::Contiguity);
        }
        if !is_diagonal(from, to) {
            return None;
        }
        if self.movement.neighbours == Neighbours::Four {
            return Some(ViolationKind::Contiguity);
        }
        let sides = [Cell::new(to.x, from.y), Cell::new(from.x, to.y)];
        let free = sides.into_iter().filter(|&side| self.can_stand(side)).count();
        let needed = match self.movement.corners {
            CornerRule::NeverCut => 2,
            CornerRule::OneSideFree => 1,
            CornerRule::AlwaysCut => 0,
        };
        (free < needed).then_some(ViolationKind::Corner)
    }
}

/// Whether the cells are neighbours or the same.
pub(crate) fn is_adjacent(from: Cell, to: Cell) -> bool {
    from.x.abs_diff(to.x) <= 1 && from.y.abs_diff(to.y) <= 1
}

pub(crate) fn is_diagonal(from: Cell, to: Cell) -> bool {
    from.x != to.x && from.y != to.y
}
