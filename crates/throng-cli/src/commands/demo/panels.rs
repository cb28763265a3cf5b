//! The runs of the demo side by side in one picture, each under its name and a count of the units
//! that have arrived.

use anyhow::Result;
use throng::model::{Cell, Factor, Map, Rect, TerrainClass, TerrainId};
use throng_draw::{Colour, Disc, Picture, Point};

use super::lettering;
use super::planner::DemoPlanner;
use super::scenario::DemoScenario;

/// Rows for the text above each run, and columns between two runs.
const HEADER: u16 = lettering::HEIGHT + 4;
const GAP: u16 = 2;
/// Where the text begins.
const TEXT: Cell = Cell::new(2, 2);

/// A map with a copy of the scenario's map for each run.
pub(super) struct Panels {
    map: Map,
    /// How far each copy is from the left edge.
    lefts: Vec<u16>,
    paper: TerrainId,
    ink: TerrainId,
}

impl Panels {
    pub(super) fn new(scenario: &DemoScenario, count: usize) -> Result<Self> {
        let one = &scenario.problem.map;
        let lefts: Vec<u16> = (0..count as u16).map(|n| n * (one.width() + GAP)).collect();
        let width = lefts.last().map_or(0, |left| left + one.width());
        let mut classes = one.classes().to_vec();
        let paper = TerrainId(classes.len() as u8);
        classes.push(TerrainClass::blocked("dark wall", '-'));
        let ink = TerrainId(classes.len() as u8);
        classes.push(TerrainClass::passable("bright floor", '+', Factor::ONE));
        let height = HEADER + one.height();
        let mut terrain = vec![paper; usize::from(width) * usize::from(height)];
        for cell in one.cells() {
            for left in &lefts {
                let row = usize::from(cell.y + HEADER) * usize::from(width);
                let class = one.terrain_at(cell).unwrap_or(paper);
                terrain[row + usize::from(left + cell.x)] = class;
            }
        }
        Ok(Self { map: Map::new(width, height, classes, terrain)?, lefts, paper, ink })
    }

    pub(super) fn map(&self) -> &Map {
        &self.map
    }

    /// Writes the name of a run and how many units have arrived.
    pub(super) fn write(&mut self, run: usize, name: &str, count: &str) -> Result<()> {
        let left = self.lefts[run];
        let width = self.map.width() / self.lefts.len() as u16;
        let band = Rect::new(Cell::new(left, TEXT.y), width.min(self.map.width() - left), 5);
        self.map.fill(band, self.paper)?;
        let right = left + width - GAP - lettering::width(count);
        let name = lettering::cells(name, Cell::new(left + TEXT.x, TEXT.y));
        self.map.paint(&name, self.ink)?;
        self.map.paint(&lettering::cells(count, Cell::new(right, TEXT.y)), self.ink)?;
        Ok(())
    }

    /// The cell of the picture that shows a cell of a run.
    pub(super) fn cell(&self, run: usize, cell: Cell) -> Cell {
        Cell::new(cell.x + self.lefts[run], cell.y + HEADER)
    }

    /// All runs with their units, which are at these cells.
    pub(super) fn picture(&self, scenario: &DemoScenario, runs: &[&[Cell]]) -> Picture<'_> {
        let mut picture = Picture::new(&self.map);
        for (run, cells) in runs.iter().enumerate() {
            for (unit, &at) in cells.iter().enumerate() {
                let centre = Point::centre(self.cell(run, at), scenario.movement(unit).footprint);
                picture = picture.disc(scenario.disc(unit, at, centre));
            }
        }
        picture
    }
}

/// The name above a run.
pub(super) fn name(planner: DemoPlanner) -> &'static str {
    match planner {
        DemoPlanner::LocalRepair => "LRA*",
        DemoPlanner::Windowed { .. } => "THRONG",
    }
}

impl DemoScenario {
    /// A unit as it is drawn: one that has arrived is dark.
    pub(super) fn disc(&self, unit: usize, at: Cell, centre: Point) -> Disc {
        let has_arrived = self.problem.units[unit].goal == at;
        let colour = self.colour(unit);
        let colour = if has_arrived { colour.under(Colour::INK, 0.62) } else { colour };
        Disc { centre, footprint: self.movement(unit).footprint, colour }
    }
}
