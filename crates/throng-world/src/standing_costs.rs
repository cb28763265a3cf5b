//! What it costs to lead a route through units that stand for long and could step aside.
//!
//! A unit that rests is no wall: it makes room for others. But to push through many of them takes
//! long, and in a corridor they have nowhere to go. So a step onto a cell that such a unit covers
//! counts several times, the more the longer it has stood. Only the search for a way around reads
//! this field (`phases/bypasses.rs`); routes, distances, plans and walls do not depend on it.
//!
//! Each movement profile has a ground with these costs once a unit of it has searched. It follows
//! changes when it is next needed, so that a unit that begins or ends to stand costs a few bytes.

use throng_grid::Ground;
use throng_model::{Cell, Change, Map, Rect};
use throng_spacetime::GridSpace;

/// How much more a step counts onto a wall: more than any way around it.
pub(crate) const WALL: u8 = u8::MAX;

/// The costs by entry of the reservation table, and the grounds that have them.
#[derive(Clone, Debug, Default)]
pub(crate) struct StandingCosts {
    /// How many times a step onto the entry counts; 0 and 1 are the same. Empty until a unit
    /// has stood for long.
    times: Vec<u8>,
    bodies: usize,
    grounds: Vec<Option<Box<CostGround>>>,
}

/// The map with the costs, as one movement profile sees it.
#[derive(Clone, Debug)]
struct CostGround {
    ground: Ground,
    plane: u8,
    /// Cells whose change it has not followed.
    pending: Vec<Cell>,
}

impl StandingCosts {
    /// Whether no unit has stood for long.
    pub(crate) fn is_empty(&self) -> bool {
        self.bodies == 0
    }

    /// Steps onto a body count so many times from now on, for units of its plane.
    pub(crate) fn add(&mut self, map: &Map, (body, plane): (Rect, u8), times: u8) {
        self.bodies += 1;
        self.set(map, (body, plane), times);
    }

    /// Steps onto a body count as by the map again.
    pub(crate) fn remove(&mut self, map: &Map, (body, plane): (Rect, u8)) {
        self.bodies -= 1;
        self.set(map, (body, plane), 0);
    }

    fn set(&mut self, map: &Map, (body, plane): (Rect, u8), times: u8) {
        let first = map.terrain().len() * usize::from(plane);
        self.times.resize(self.times.len().max(first + map.terrain().len()), 0);
        for cell in body.cells() {
            if let Some(index) = map.index(cell) {
                self.times[first + index.get()] = times;
            }
            self.note_change(cell, plane);
        }
    }

    /// A wall came or went at a cell, or the costs there have changed.
    pub(crate) fn note_change(&mut self, cell: Cell, plane: u8) {
        for known in &mut self.grounds {
            let Some(of) = known.as_mut().filter(|of| of.plane == plane) else { continue };
            of.pending.push(cell);
            if of.pending.len() > of.ground.factors().len() {
                *known = None;
            }
        }
    }

    /// How many times as much as by the map a step onto an entry counts.
    #[inline]
    pub(crate) fn times(&self, entry: usize) -> u8 {
        self.times.get(entry).copied().unwrap_or(0).max(1)
    }

    /// Follows an edit of the map.
    pub(crate) fn apply(&mut self, map: &Map, change: &Change) {
        self.grounds.iter_mut().flatten().for_each(|of| of.ground.apply(map, change));
    }

    /// Forgets the costs and grounds of planes from this one on.
    pub(crate) fn truncate_planes(&mut self, planes: usize, map: &Map) {
        self.times.truncate(map.terrain().len() * planes.max(1));
        for ground in &mut self.grounds {
            ground.take_if(|ground| usize::from(ground.plane) >= planes);
        }
    }

    /// The ground of a profile with all costs and walls; `is_wall` says of an entry whether it is
    /// one.
    pub(crate) fn ground(
        &mut self,
        map: &Map,
        (profile, plane): (usize, u8),
        of: &GridSpace,
        is_wall: impl Fn(usize) -> bool,
    ) -> &Ground {
        let first = map.terrain().len() * usize::from(plane);
        let times = &self.times;
        let times_at = |index: usize| match is_wall(first + index) {
            true => WALL,
            false => times.get(first + index).copied().unwrap_or(0),
        };
        if self.grounds.len() <= profile {
            self.grounds.resize_with(profile + 1, || None);
        }
        let movement = of.ground().movement();
        self.grounds[profile]
            .take_if(|known| known.plane != plane || known.ground.movement() != movement);
        let known = self.grounds[profile].get_or_insert_with(|| {
            let costly = map.cells().enumerate().filter(|&(index, _)| times_at(index) > 1);
            let pending = costly.map(|(_, cell)| cell).collect();
            Box::new(CostGround { ground: of.ground().clone(), plane, pending })
        });
        for cell in known.pending.drain(..) {
            let times = map.index(cell).map_or(1, |index| times_at(index.get()));
            known.ground.set_multiple(cell, times);
        }
        &known.ground
    }
}
