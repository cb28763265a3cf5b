//! The data of jump point search that is computed before a search, updated with every edit.

use throng_model::{Cell, CornerRule};

use crate::ground::directions::{Direction, StepTables};
use crate::ground::lanes::Lanes;
use crate::kit::BitGrid;

/// The straight directions.
const STRAIGHT: [Direction; 4] = [Direction(0), Direction(1), Direction(2), Direction(3)];

/// The data that a diagonal jump reads at every cell, in one place: bits of the free cells around
/// it, and of the straight directions in which a jump leads to a turn.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct View {
    pub(crate) around: u8,
    pub(crate) leads: u8,
}

/// Rows and columns to jump along, and for every position the straight directions in which a
/// jump reaches a turn before a wall.
///
/// Most jumps that branch off a diagonal end at a wall. One bit tells that without reading the
/// map.
#[derive(Clone, Debug)]
pub(crate) struct JumpMap {
    rows: Lanes,
    columns: Lanes,
    views: Vec<View>,
    /// For each set of free neighbours: the directions in which a jump must stop there.
    turns: Box<[u8; 256]>,
    width: u32,
    height: u32,
}

impl JumpMap {
    pub(crate) fn new(
        factors: &[u8],
        around: &[u8],
        width: u32,
        corners: CornerRule,
        step_tables: &StepTables,
    ) -> Self {
        let mut map = Self {
            rows: Lanes::new(BitGrid::along_rows(factors, width), corners),
            columns: Lanes::new(BitGrid::along_columns(factors, width), corners),
            views: around.iter().map(|&around| View { around, leads: 0 }).collect(),
            turns: Box::new(std::array::from_fn(|around| turns(step_tables, around as u8))),
            width,
            height: factors.len() as u32 / width,
        };
        map.find_all_leads(factors);
        map
    }

    pub(crate) fn rows(&self) -> &Lanes {
        &self.rows
    }

    pub(crate) fn columns(&self) -> &Lanes {
        &self.columns
    }

    #[inline]
    pub(crate) fn view(&self, at: usize) -> View {
        self.views[at]
    }

    /// Finds the leads of all positions. A jump reaches a turn if the next cell is a turn or has
    /// a lead in the same direction. North and west need earlier cells, south and east later ones.
    fn find_all_leads(&mut self, factors: &[u8]) {
        for at in 0..factors.len() {
            self.find_leads(at, factors, [STRAIGHT[0], STRAIGHT[3]]);
        }
        for at in (0..factors.len()).rev() {
            self.find_leads(at, factors, [STRAIGHT[1], STRAIGHT[2]]);
        }
    }

    fn find_leads(&mut self, at: usize, factors: &[u8], directions: [Direction; 2]) {
        if factors[at] != 0 {
            let leads = directions.map(|direction| self.lead(at, direction));
            self.views[at].leads |= leads[0] | leads[1];
        }
    }

    /// The direction's bit, if a jump from the position reaches a turn.
    #[inline]
    fn lead(&self, at: usize, direction: Direction) -> u8 {
        if self.views[at].around & direction.bit() == 0 {
            return 0;
        }
        let (dx, dy) = direction.offset();
        let next = at.wrapping_add_signed((dy * self.width as i32 + dx) as isize);
        let View { around, leads } = self.views[next];
        (self.turns[usize::from(around)] | leads) & direction.bit()
    }

    /// Updates the map after a position became standable or blocked. `around` is already updated.
    pub(crate) fn set(&mut self, position: Cell, standable: bool, factors: &[u8], around: &[u8]) {
        let (x, y) = (u32::from(position.x), u32::from(position.y));
        self.rows.set(x, y, standable);
        self.columns.set(y, x, standable);
        for direction in Direction::ALL {
            let (dx, dy) = direction.offset();
            if let Some(at) = self.index(i32::from(position.x) + dx, i32::from(position.y) + dy) {
                self.views[at].around = around[at];
            }
        }
        for direction in STRAIGHT {
            for beside in -1..=1 {
                self.update_leads(position, direction, beside, factors);
            }
        }
    }

    /// Finds the leads again along a lane beside or through an edited position, against the
    /// direction of the jump, from one cell past the edit until nothing changes any more.
    fn update_leads(&mut self, edited: Cell, direction: Direction, beside: i32, factors: &[u8]) {
        let (dx, dy) = direction.offset();
        for along in (i32::MIN..=1).rev() {
            let x = i32::from(edited.x) + dx * along + dy * beside;
            let y = i32::from(edited.y) + dy * along + dx * beside;
            let Some(at) = self.index(x, y) else {
                if along < 0 {
                    return;
                }
                continue;
            };
            let lead = if factors[at] == 0 { 0 } else { self.lead(at, direction) };
            let leads = &mut self.views[at].leads;
            // The turns of the cells next to the edit may be others; before them, only the
            // lead of the cell ahead counts.
            if along < -2 && *leads & direction.bit() == lead {
                return;
            }
            *leads = *leads & !direction.bit() | lead;
        }
    }

    fn index(&self, x: i32, y: i32) -> Option<usize> {
        let inside = (0..self.width as i32).contains(&x) && (0..self.height as i32).contains(&y);
        inside.then(|| (y * self.width as i32 + x) as usize)
    }
}

/// The straight directions of arrival for which more than straight on counts.
fn turns(step_tables: &StepTables, around: u8) -> u8 {
    let turning = STRAIGHT
        .iter()
        .filter(|direction| step_tables.canonical(direction.bit(), around) & !direction.bit() != 0);
    turning.fold(0, |turns, direction| turns | direction.bit())
}
