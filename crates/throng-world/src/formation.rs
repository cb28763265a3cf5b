//! Orders to groups that keep a formation and a common pace.
//!
//! The places of the formation are given out when the order is given, so that a group that splits
//! at a door forms again behind it. All units go at the pace of the slowest until they get another
//! order, so that they arrive together.

use serde::{Deserialize, Serialize};
use throng_model::{Cell, Rect, UnitId};
use throng_spacetime::Space;

use crate::cell_set::{CellBox, CellSet};
use crate::group_orders::{can_reach, uncross};
use crate::phases::marches::{March, is_in_formation};
use crate::queries::reach;
use crate::{Order, World, WorldError};

/// The most units beside each other in a line.
const LINE_MAX: usize = 20;
/// How many units are beside each other in a column.
const COLUMN_FILES: usize = 2;

/// How the units of a group stand at the end of their way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Formation {
    /// Beside each other, in ranks of at most 20.
    Line,
    /// One behind the other, two abreast.
    Column,
    /// In a square.
    Box,
    /// In ranks of 1, 3, 5 and so on.
    Wedge,
    /// As they stand to each other now.
    AsTheyStand,
}

/// Which way a formation faces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Facing {
    /// To the top of the map.
    North,
    /// To the right.
    East,
    /// To the bottom.
    South,
    /// To the left.
    West,
}

/// A group that was ordered into a formation, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormedGroup {
    /// How it stands there.
    pub formation: Formation,
    /// Which way it faces.
    pub facing: Facing,
    /// Where the middle of its first rank is; of a group as it stands, its own middle.
    pub spot: Cell,
    /// Its units, in the order in which they were given.
    pub units: Vec<UnitId>,
}

impl Facing {
    /// Columns and rows of a place that is so many cells to the right and behind.
    fn turn(self, right: i32, behind: i32) -> (i32, i32) {
        match self {
            Self::North => (right, behind),
            Self::East => (-behind, right),
            Self::South => (-right, -behind),
            Self::West => (behind, -right),
        }
    }
}

impl Formation {
    /// The places of this many units, as numbers of files to the right and ranks behind.
    fn places(self, count: usize) -> Vec<(i32, i32)> {
        let files = match self {
            Self::Line => count.min(LINE_MAX),
            Self::Column => COLUMN_FILES,
            _ => (1..=count).find(|side| side * side >= count).unwrap_or(1),
        };
        let mut places = Vec::with_capacity(count);
        let mut rank = 0;
        while places.len() < count {
            let wide = if self == Self::Wedge { 2 * rank + 1 } else { files };
            let wide = wide.min(count - places.len());
            let first = -(wide as i32 / 2);
            places.extend((0..wide as i32).map(|file| (first + file, rank as i32)));
            rank += 1;
        }
        places
    }
}

impl World {
    /// Sends units to a spot in a formation that faces one way, at the pace of the slowest.
    /// Returns their destinations, in the order of `units`.
    ///
    /// A place of the formation on which its unit cannot stand is moved to the nearest one where
    /// it can. There is a free lane between units. A unit goes at its own pace again with its next
    /// order. A group that was drawn out by a door comes together again: those that are near their
    /// places wait for those that are much farther away.
    ///
    /// # Errors
    /// When a unit does not exist or is listed twice, the spot is off the map, or there is not
    /// enough room. No unit gets an order then.
    pub fn order_formation(
        &mut self,
        units: &[UnitId],
        spot: impl Into<Cell>,
        facing: Facing,
        formation: Formation,
    ) -> Result<Vec<Cell>, WorldError> {
        let spot = spot.into();
        if !self.map().contains(spot) {
            return Err(WorldError::OffMap { cell: spot });
        }
        let mut sorted = units.to_vec();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(WorldError::Twice(pair[0]));
        }
        let wanted = self.formation_cells(units, spot, facing, formation)?;
        let mut cells = self.free_cells(units, spot, &wanted)?;
        if formation != Formation::AsTheyStand {
            uncross(&self.state, units, spot, &mut cells);
        }
        let paces = units.iter().filter_map(|&unit| self.own_pace(unit));
        let slowest = paces.max().unwrap_or(1);
        for march in &mut self.state.marches {
            march.group.units.retain(|unit| sorted.binary_search(unit).is_err());
        }
        for (&unit, &cell) in units.iter().zip(&cells) {
            self.order(unit, Order::go(cell))?;
            self.state.march(unit, slowest)?;
        }
        let group = FormedGroup { formation, facing, spot, units: units.to_vec() };
        self.state.marches.push(March::new(group, self.now()));
        Ok(cells)
    }

    /// The formation that a unit was ordered into, until it has another order or gets another
    /// movement profile. Its place there is its [`destination`](Self::destination).
    #[must_use]
    pub fn formation(&self, unit: UnitId) -> Option<FormedGroup> {
        let is_member = |unit: &UnitId| is_in_formation(&self.state, *unit);
        let groups = self.state.marches.iter().map(|march| &march.group);
        let group = groups.rev().find(|group| group.units.contains(&unit) && is_member(&unit))?;
        let units = group.units.iter().copied().filter(is_member).collect();
        Some(FormedGroup { units, ..*group })
    }

    /// The ticks per step of a unit, without those of a group that it goes with.
    fn own_pace(&self, unit: UnitId) -> Option<u8> {
        let own = self.state.assignment(unit)?.own_pace;
        own.map(|own| own.0).or_else(|| self.movement(unit).map(|movement| movement.pace))
    }

    /// Where the units of a formation would stand on open ground.
    fn formation_cells(
        &self,
        units: &[UnitId],
        spot: Cell,
        facing: Facing,
        formation: Formation,
    ) -> Result<Vec<Option<Cell>>, WorldError> {
        let mut largest = 1;
        for &unit in units {
            let record = self.state.record(unit)?;
            largest = largest.max(self.state.space(record).ground().movement().footprint);
        }
        if formation == Formation::AsTheyStand {
            return Ok(self.as_they_stand(units, spot));
        }
        let pitch = i32::from(largest) + 1;
        let places = formation.places(units.len()).into_iter();
        let cells = places.map(|(right, behind)| facing.turn(right * pitch, behind * pitch));
        Ok(cells.map(|(dx, dy)| spot.offset(dx, dy)).collect())
    }

    /// The cells around a spot that are to each other as the units are now.
    fn as_they_stand(&self, units: &[UnitId], spot: Cell) -> Vec<Option<Cell>> {
        let at = |unit: &UnitId| self.location(*unit).map_or(spot, |(at, _)| at);
        let places: Vec<Cell> = units.iter().map(at).collect();
        let middle = |sum: i64| sum / places.len().max(1) as i64;
        let x = middle(places.iter().map(|at| i64::from(at.x)).sum());
        let y = middle(places.iter().map(|at| i64::from(at.y)).sum());
        let cell =
            |at: &Cell| spot.offset((i64::from(at.x) - x) as i32, (i64::from(at.y) - y) as i32);
        places.iter().map(cell).collect()
    }

    /// For each unit the nearest cell to the wanted one where it can stand and get to, and that is
    /// not another's destination.
    fn free_cells(
        &self,
        units: &[UnitId],
        spot: Cell,
        wanted: &[Option<Cell>],
    ) -> Result<Vec<Cell>, WorldError> {
        let (state, map) = (&self.state, self.map());
        let mut given = CellSet::new(map);
        let mut cells = Vec::with_capacity(units.len());
        for (&unit, &wanted) in units.iter().zip(wanted) {
            let space = state.space(state.record(unit)?);
            let side = u16::from(space.ground().movement().footprint);
            let is_anothers = |owner: UnitId| !units.contains(&owner);
            let fits = |&cell: &Cell| {
                let is_free = |entry| !state.units.goals().owner(entry).is_some_and(is_anothers);
                !given.meets(CellBox::square(cell, side))
                    && can_reach(state, unit, cell)
                    && space.position(cell).is_some_and(|at| space.standing(at, is_free))
            };
            let from = wanted.filter(|&cell| map.contains(cell)).unwrap_or(spot);
            let (asked, room) = (units.len(), cells.len());
            let cell = from.rings(reach(map, from)).find(fits);
            let cell = cell.ok_or(WorldError::NoRoom { spot, asked, room })?;
            Rect::new(cell, side, side).cells().for_each(|cell| given.add(cell));
            cells.push(cell);
        }
        Ok(cells)
    }
}
