//! Interest maps: where players walk.
//!
//! Lanctot et al. (2006), "Orbius-based data" and figure 8. The grade of a cell is how often
//! it was occupied. Maps are blurred, localised and averaged; "after each transformation, the
//! interest grade values are normalized": here so that the highest is 1.

use throng_scene::{Level, Point};
use throng_scene::{Location, Sample};

use super::log::{Action, GameLog};

/// A grid over a level of a scene, with a grade for each cell.
///
/// ```
/// use throng_lab::lanctot::InterestMap;
/// use throng_scene::Point;
/// let mut map = InterestMap::new(4.0, 4.0, 1.0);
/// map.visit(Point::new(2.5, 1.5));
/// let points = map.blurred().localised(3).points(1, 1.0, |_| true);
/// assert_eq!(points, [Point::new(2.5, 1.5)]);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct InterestMap {
    columns: u32,
    rows: u32,
    cell: f64,
    grades: Vec<f64>,
}

/// Most cells along a side.
const SIDE_MAX: f64 = 4096.0;

impl InterestMap {
    /// A map of grade 0 everywhere: of a width and height, with square cells of a side, all
    /// in units. There are at least one and at most 4096 cells along each side; what lies
    /// beyond counts to the last.
    #[must_use]
    pub fn new(width: f64, height: f64, cell: f64) -> Self {
        // A quotient that is not a number becomes one cell.
        let count = |side: f64| (side / cell).ceil().clamp(1.0, SIDE_MAX) as u32;
        let (columns, rows) = (count(width).max(1), count(height).max(1));
        Self { columns, rows, cell, grades: vec![0.0; (columns * rows) as usize] }
    }

    /// Counts the move updates of a level, then normalises.
    #[must_use]
    pub fn graded(mut self, log: &GameLog, level: Level) -> Self {
        let moves = log.events().iter().filter(|event| event.action == Action::MoveUpdate);
        for event in moves.filter(|event| event.location.level == level) {
            self.visit(event.location.at);
        }
        self.normalised()
    }

    /// Counts one visit.
    pub fn visit(&mut self, point: Point) {
        let at = |coordinate: f64, count: u32| ((coordinate / self.cell) as u32).min(count - 1);
        let index = at(point.y, self.rows) * self.columns + at(point.x, self.columns);
        self.grades[index as usize] += 1.0;
    }

    /// Cells from left to right.
    #[must_use]
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Cells from bottom to top.
    #[must_use]
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// A cell's side in units.
    #[must_use]
    pub fn cell(&self) -> f64 {
        self.cell
    }

    /// The grade of a cell; 0 beyond the map.
    #[must_use]
    pub fn grade(&self, column: u32, row: u32) -> f64 {
        if column >= self.columns || row >= self.rows {
            return 0.0;
        }
        self.grades[(row * self.columns + column) as usize]
    }

    /// All grades divided by the highest.
    #[must_use]
    pub fn normalised(mut self) -> Self {
        let highest = self.grades.iter().copied().fold(0.0, f64::max);
        if highest > 0.0 {
            self.grades.iter_mut().for_each(|grade| *grade /= highest);
        }
        self
    }

    /// *Blurring*: each grade becomes the average of its cell's immediate neighbourhood,
    /// diagonal neighbours and itself included. Then normalised.
    #[must_use]
    pub fn blurred(&self) -> Self {
        self.mapped(|column, row| {
            let (sum, cells) = self
                .around(column, row, 1)
                .fold((0.0, 0_u32), |(sum, cells), (_, grade)| (sum + grade, cells + 1));
            sum / f64::from(cells)
        })
    }

    /// *Localisation*: each grade becomes itself plus those of the cells nearby, each divided
    /// by its distance in cells, up to a distance of `reach`. Then normalised.
    #[must_use]
    pub fn localised(&self, reach: u32) -> Self {
        let reach_squared = u64::from(reach).pow(2);
        self.mapped(|column, row| {
            let nearby = self.around(column, row, reach);
            let influences = nearby.map(|(squared, grade)| match squared {
                0 => grade,
                _ if squared > reach_squared => 0.0,
                _ => grade / (squared as f64).sqrt(),
            });
            influences.sum()
        })
    }

    /// *Average composition* of maps of the same size: each grade becomes the average over
    /// the maps. Then normalised. `None` without maps, or when their sizes differ.
    #[must_use]
    pub fn average(maps: &[Self]) -> Option<Self> {
        let first = maps.first()?;
        let size = |map: &Self| (map.columns, map.rows, map.cell.to_bits());
        if maps.iter().any(|map| size(map) != size(first)) {
            return None;
        }
        let count = maps.len() as f64;
        Some(first.mapped(|column, row| {
            maps.iter().map(|map| map.grade(column, row)).sum::<f64>() / count
        }))
    }

    /// The centres of the cells with the highest grades, highest first, at least `spread`
    /// units apart, at most `count`. Cells of grade 0 and those that are not accepted do not
    /// count; of equal grades the lower cell comes first, then the one farther left.
    #[must_use]
    pub fn points(
        &self,
        count: usize,
        spread: f64,
        mut accept: impl FnMut(Point) -> bool,
    ) -> Vec<Point> {
        let visited = (0..self.columns * self.rows).filter(|&i| self.grades[i as usize] > 0.0);
        let mut cells: Vec<u32> = visited.collect();
        let grade = |cell: u32| self.grades[cell as usize];
        cells.sort_by(|&a, &b| grade(b).total_cmp(&grade(a)));
        let mut points: Vec<Point> = Vec::new();
        for cell in cells {
            if points.len() == count {
                break;
            }
            let point = self.centre(cell % self.columns, cell / self.columns);
            if points.iter().all(|other| other.distance(point) >= spread) && accept(point) {
                points.push(point);
            }
        }
        points
    }

    /// The centres of all cells that were visited, by their grades in millionths, as samples
    /// of the level that the map is about.
    #[must_use]
    pub fn samples(&self, level: Level) -> Vec<Sample> {
        let cells = self.grades.iter().zip(0..).filter(|(grade, _)| **grade > 0.0);
        cells
            .map(|(grade, cell)| {
                let centre = self.centre(cell % self.columns, cell / self.columns);
                let weight = (grade * 1e6).ceil() as u64;
                Sample { location: Location::new(centre, level), weight }
            })
            .collect()
    }

    fn centre(&self, column: u32, row: u32) -> Point {
        let middle = |index: u32| (f64::from(index) + 0.5) * self.cell;
        Point::new(middle(column), middle(row))
    }

    /// The cells up to `reach` columns and rows away, itself included: the square of their
    /// distance, and their grade.
    fn around(&self, column: u32, row: u32, reach: u32) -> impl Iterator<Item = (u64, f64)> {
        let range = |at: u32, count: u32| {
            at.saturating_sub(reach)..count.min(at.saturating_add(reach).saturating_add(1))
        };
        let columns = range(column, self.columns);
        let cells = range(row, self.rows).flat_map(move |r| columns.clone().map(move |c| (c, r)));
        cells.map(move |(c, r)| {
            let (dx, dy) = (u64::from(c.abs_diff(column)), u64::from(r.abs_diff(row)));
            (dx * dx + dy * dy, self.grade(c, r))
        })
    }

    /// A map of the same size with other grades, normalised.
    fn mapped(&self, grade: impl Fn(u32, u32) -> f64) -> Self {
        let cells = 0..self.columns * self.rows;
        let grades = cells.map(|cell| grade(cell % self.columns, cell / self.columns)).collect();
        Self { grades, ..*self }.normalised()
    }
}
