//! Maps of papers' figures, drawn in letters.

use throng::model::{Cell, Cost, Factor, Map, MovementProfile, TerrainClass, TerrainId};
use throng_draw::{MarkKind, Picture};

use super::LabError;

/// A figure's map, and the letters that mark cells on it. `.` and small letters are lawn,
/// `#` is an obstacle, `H` a building, `^` mountain road, `~` river, `=` bridge.
pub(crate) struct FigureMap {
    figure: &'static str,
    pub(crate) map: Map,
    letters: Vec<char>,
}

pub(crate) const MOUNTAIN: TerrainId = TerrainId(3);
pub(crate) const RIVER: TerrainId = TerrainId(4);

fn classes() -> Result<Vec<TerrainClass>, LabError> {
    Ok(vec![
        TerrainClass::passable("lawn", '.', Factor::ONE),
        TerrainClass::blocked("obstacle", '#'),
        TerrainClass::blocked("building", 'H'),
        TerrainClass::passable("mountain road", '^', Factor::new(2)?),
        TerrainClass::blocked("river", '~'),
        TerrainClass::passable("bridge", '=', Factor::ONE),
    ])
}

impl FigureMap {
    pub(crate) fn new(figure: &'static str, drawing: &str) -> Result<Self, LabError> {
        let classes = classes()?;
        let rows: Vec<&str> = drawing.split_whitespace().collect();
        let letters: Vec<char> = rows.concat().chars().collect();
        let terrain = |letter: &char| {
            let class = classes.iter().position(|class| class.symbol == *letter);
            TerrainId(class.unwrap_or(0) as u8)
        };
        let cells = letters.iter().map(terrain).collect();
        let width = letters.len().checked_div(rows.len()).unwrap_or(0);
        let (width, height) = Map::checked_size(width as u64, rows.len() as u64)?;
        let map = Map::new(width, height, classes, cells)?;
        Ok(Self { figure, map, letters })
    }

    /// The cells of a letter, row by row.
    pub(crate) fn all(&self, letter: char) -> Vec<Cell> {
        let here = self.map.cells().zip(&self.letters).filter(|&(_, &l)| l == letter);
        here.map(|(cell, _)| cell).collect()
    }

    /// The first cell of a letter that must be there.
    pub(crate) fn cell(&self, letter: char) -> Result<Cell, LabError> {
        self.all(letter).first().copied().ok_or_else(|| self.error(&format!("no '{letter}'")))
    }

    /// The cost of a path by the referee.
    pub(crate) fn referee(&self, cells: &[Cell]) -> Result<Cost, LabError> {
        let verdict =
            throng::referee::check_path(&self.map, &MovementProfile::eight_connected(), cells);
        verdict.map_err(|violations| self.error(&format!("not a legal path: {violations:?}")))
    }

    pub(crate) fn error(&self, why: &str) -> LabError {
        LabError::Figure(self.figure, why.to_owned())
    }
}

/// The picture with marks at both ends of a path.
pub(crate) fn with_ends<'a>(picture: Picture<'a>, path: &[Cell]) -> Picture<'a> {
    match path {
        [start, .., goal] => picture.mark(MarkKind::Start, *start).mark(MarkKind::Goal, *goal),
        _ => picture,
    }
}
