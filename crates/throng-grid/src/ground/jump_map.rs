//! What jump point search knows of a map before it searches, kept right under edits.

use throng_model::{Cell, CornerRule};

use crate::ground::directions::{Direction, StepTables};
use crate::ground::lanes::Lanes;
use crate::kit::BitGrid;

/// The straight directions.
const STRAIGHT: [Direction; 4] = [Direction(0), Direction(1), Direction(2), Direction(3)];

/// What a diagonal jump wants to know of every cell that it passes, in one place: the free
/// cells around it, and the straight directions that lead to a turn, as bits.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct View {
    pub(crate) around: u8,
    pub(crate) leads: u8,
}

/// Rows and columns to jump along, and for every position the straight directions in which a
/// jump comes to a turn before it comes to a wall.
///
/// Most jumps that branch off a diagonal end at a wall. One bit tells that without a look at
/// the map.
#[derive(Clone, Debug)]
pub(crate) struct JumpMap {
    rows: Lanes,
    columns: Lanes,
    views: Vec<View>,
    /// By the free cells around a position: in which directions a jump must stop there.
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

    /// A position whose neighbour in the direction leads on, or is itself a turn, leads on.
    /// North and west look at neighbours that come first, south and east at later ones.
    fn find_all_leads(&mut self, factors: &[u8]) {
        for at in 0..factors.len() {
            self.find_leads(at, factors, [STRAIGHT[0], STRAIGHT[3]]);
        }
        for at in (0..factors.len()).rev() {
            self.find_leads(at, factors, [STRAIGHT[1], STRAIGHT[2]]);
        }
    }

    fn find_leads(&mut self, at: usize, factors: &[u8], ways: [Direction; 2]) {
        if factors[at] != 0 {
            let leads = ways.map(|way| self.lead(at, way));
            self.views[at].leads |= leads[0] | leads[1];
        }
    }

    /// The direction's bit, if a jump from the position comes to a turn.
    #[inline]
    fn lead(&self, at: usize, way: Direction) -> u8 {
        if self.views[at].around & way.bit() == 0 {
            return 0;
        }
        let (dx, dy) = way.offset();
        let next = at.wrapping_add_signed((dy * self.width as i32 + dx) as isize);
        let View { around, leads } = self.views[next];
        (self.turns[usize::from(around)] | leads) & way.bit()
    }

    /// Takes over that a position can be stood on now, or not any more; `around` shows it.
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
        for way in STRAIGHT {
            for beside in -1..=1 {
                self.update_leads(position, way, beside, factors);
            }
        }
    }

    /// Finds the leads again along a lane beside or through an edited position, against the
    /// direction of the jump, from one cell past the edit until nothing changes any more.
    fn update_leads(&mut self, edited: Cell, way: Direction, beside: i32, factors: &[u8]) {
        let (dx, dy) = way.offset();
        for along in (i32::MIN..=1).rev() {
            let x = i32::from(edited.x) + dx * along + dy * beside;
            let y = i32::from(edited.y) + dy * along + dx * beside;
            let Some(at) = self.index(x, y) else {
                if along < 0 {
                    return;
                }
                continue;
            };
            let lead = if factors[at] == 0 { 0 } else { self.lead(at, way) };
            let leads = &mut self.views[at].leads;
            // The turns of the cells next to the edit may be others; before them, only the
            // lead of the cell ahead counts.
            if along < -2 && *leads & way.bit() == lead {
                return;
            }
            *leads = *leads & !way.bit() | lead;
        }
    }

    fn index(&self, x: i32, y: i32) -> Option<usize> {
        let inside = (0..self.width as i32).contains(&x) && (0..self.height as i32).contains(&y);
        inside.then(|| (y * self.width as i32 + x) as usize)
    }
}

/// The straight directions of arrival for which more than straight on counts.
fn turns(step_tables: &StepTables, around: u8) -> u8 {
    let turning =
        STRAIGHT.iter().filter(|way| step_tables.canonical(way.bit(), around) & !way.bit() != 0);
    turning.fold(0, |turns, way| turns | way.bit())
}
