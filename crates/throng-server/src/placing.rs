//! Puts units on a map by seed: no two starts overlap, no two goals overlap, every goal can be
//! reached.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use throng::grid::Ground;
use throng::model::{Cell, Map, Rect};

use crate::error::Refusal;
use crate::setup::Profile;

/// Draws that are made for one unit before every cell is tried.
const DRAWS_MAX: u32 = 64;
/// Starts that are tried for one unit.
const STARTS_MAX: u32 = 8;

/// A part of the map, in percent of its sides: left, top, right, bottom.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Area(pub(crate) u32, pub(crate) u32, pub(crate) u32, pub(crate) u32);

impl Area {
    pub(crate) const ALL: Self = Self(0, 0, 100, 100);

    pub(crate) fn on(self, map: &Map) -> Rect {
        let share = |side: u16, percent: u32| (u32::from(side) * percent.min(100) / 100) as u16;
        let (left, top) = (share(map.width(), self.0), share(map.height(), self.1));
        let (right, bottom) = (share(map.width(), self.2), share(map.height(), self.3));
        Rect::new(Cell::new(left, top), right - left, bottom - top)
    }
}

/// Draws places for units.
pub(crate) struct Placer {
    rng: Pcg64Mcg,
    grounds: Vec<Ground>,
    width: usize,
    starts: Vec<bool>,
    goals: Vec<bool>,
}

/// Which of the two bodies of a unit is placed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Start,
    Goal,
}

impl Placer {
    pub(crate) fn new(map: &Map, profiles: &[Profile], seed: u64) -> Result<Self, Refusal> {
        let ground = |profile: &Profile| {
            let ground = Ground::new(map, profile.movement.clone());
            ground.map_err(|error| Refusal::bad(error.to_string()))
        };
        let cells = map.terrain().len();
        Ok(Self {
            rng: Pcg64Mcg::seed_from_u64(seed),
            grounds: profiles.iter().map(ground).collect::<Result<_, _>>()?,
            width: usize::from(map.width()),
            starts: vec![false; cells],
            goals: vec![false; cells],
        })
    }

    /// A start in one area and a goal in another; `None` where there is no room.
    pub(crate) fn place(&mut self, profile: usize, from: Rect, to: Rect) -> Option<(Cell, Cell)> {
        // From some starts no goal can be reached.
        (0..STARTS_MAX).find_map(|_| self.try_place(profile, from, to))
    }

    fn try_place(&mut self, profile: usize, from: Rect, to: Rect) -> Option<(Cell, Cell)> {
        let start = self.draw(profile, from, End::Start, |_, _| true)?;
        let reached =
            move |ground: &Ground, goal: Cell| goal != start && ground.is_connected(start, goal);
        let goal = self.draw(profile, to, End::Goal, reached)?;
        self.cover(profile, start, End::Start);
        self.cover(profile, goal, End::Goal);
        Some((start, goal))
    }

    fn draw(
        &mut self,
        profile: usize,
        area: Rect,
        end: End,
        accept: impl Fn(&Ground, Cell) -> bool,
    ) -> Option<Cell> {
        if area.width == 0 || area.height == 0 {
            return None;
        }
        let fits = |placer: &Self, cell: Cell| {
            let ground = &placer.grounds[profile];
            ground.can_stand(cell) && placer.is_free(profile, cell, end) && accept(ground, cell)
        };
        for _ in 0..DRAWS_MAX {
            let x = area.origin.x + self.rng.random_range(0..area.width);
            let y = area.origin.y + self.rng.random_range(0..area.height);
            if fits(self, Cell::new(x, y)) {
                return Some(Cell::new(x, y));
            }
        }
        let cells = area.cells().count() as u32;
        let first = self.rng.random_range(0..cells) as usize;
        let all = || area.cells();
        all().skip(first).chain(all().take(first)).find(|&cell| fits(self, cell))
    }

    fn body(&self, profile: usize, at: Cell) -> impl Iterator<Item = usize> + use<> {
        let side = usize::from(self.grounds[profile].movement().footprint);
        let (width, first) = (self.width, usize::from(at.y) * self.width + usize::from(at.x));
        (0..side).flat_map(move |y| (0..side).map(move |x| first + y * width + x))
    }

    fn is_free(&self, profile: usize, at: Cell, end: End) -> bool {
        let taken = if end == End::Start { &self.starts } else { &self.goals };
        self.body(profile, at).all(|cell| !taken[cell])
    }

    fn cover(&mut self, profile: usize, at: Cell, end: End) {
        for cell in self.body(profile, at) {
            let taken = if end == End::Start { &mut self.starts } else { &mut self.goals };
            taken[cell] = true;
        }
    }
}
