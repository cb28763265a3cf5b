//! MovingAI scenarios (`.scen`): path queries, or the units of a MAPF instance.
//!
//! <https://movingai.com/benchmarks/formats.html>; Stern et al., "Multi-Agent Pathfinding:
//! Definitions, Variants, and Benchmarks", 2019.
//!
//! ```text
//! version 1
//! bucket  map  map_width  map_height  start_x  start_y  goal_x  goal_y  optimal_length
//! ```

use std::borrow::Cow;
use std::fmt::Write as _;

use throng_model::limits::UNITS_MAX;
use throng_model::{Cell, Map, MovementProfile, Problem, Unit};

use crate::FormatError;
use crate::text::{self, Field, Line};

const EXPECTED: &str = "a MovingAI .scen file";
const FIELDS: [&str; 9] = [
    "bucket",
    "map name",
    "map width",
    "map height",
    "start x",
    "start y",
    "goal x",
    "goal y",
    "optimal length",
];

/// A MovingAI scenario.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scenario {
    /// What follows `version` on the first line; old files have no such line.
    pub version: Option<String>,
    /// The queries, in the file's order.
    pub rows: Vec<ScenarioRow>,
}

/// One line of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct ScenarioRow {
    /// A quarter of the length, rounded down: the files sort by it.
    pub bucket: u32,
    /// The map's file name as written, often with folders of another machine.
    pub map: String,
    /// Columns of the map that start and goal refer to.
    pub map_width: u16,
    /// Rows of that map.
    pub map_height: u16,
    /// Where the unit starts.
    pub start: Cell,
    /// The unit's goal.
    pub goal: Cell,
    /// Length of a shortest path, 8-connected without corner cutting, in cells. Not a
    /// 4-connected length, in MAPF scenarios neither.
    pub optimal_length: f64,
    /// The line it came from, counted from 1; 0 when it came from no file.
    pub line: usize,
}

/// Reads a scenario.
///
/// Fields are separated by TABs (map names may then hold spaces) or by spaces. The version
/// line may be missing. Blank lines are passed over; any other line that is not a whole row
/// is a mistake.
///
/// # Errors
/// When a field is missing or no number, or a start or goal lies off the size that its line
/// gives.
pub fn read(bytes: &[u8]) -> Result<Scenario, FormatError> {
    let text = text::decode(bytes, EXPECTED)?;
    let mut scenario = Scenario::default();
    for line in text::lines(text).filter(|line| !line.is_blank()) {
        if line.number == 1 && line.text.starts_with("version") {
            scenario.version = Some(read_version(line)?);
            continue;
        }
        if scenario.rows.len() == UNITS_MAX {
            let problem = format!("more than {UNITS_MAX} rows");
            return Err(line.error(0, problem, "split the scenario"));
        }
        scenario.rows.push(read_row(line)?);
    }
    Ok(scenario)
}

fn read_version(line: Line<'_>) -> Result<String, FormatError> {
    match line.text["version".len()..].trim() {
        version @ ("1" | "1.0") => Ok(version.to_owned()),
        other => {
            let problem = format!("scenario version {}", text::quote(other));
            Err(line.error(0, problem, "give a scenario of version 1"))
        }
    }
}

fn read_row(line: Line<'_>) -> Result<ScenarioRow, FormatError> {
    let fields = row_fields(line)?;
    let map_width = fields[2].side(FIELDS[2])?;
    let map_height = fields[3].side(FIELDS[3])?;
    let cell = |at: usize| -> Result<Cell, FormatError> {
        let x = fields[at].coordinate(FIELDS[at], u32::from(map_width))?;
        let y = fields[at + 1].coordinate(FIELDS[at + 1], u32::from(map_height))?;
        Ok(Cell::new(x, y))
    };
    Ok(ScenarioRow {
        bucket: fields[0].whole(FIELDS[0], 0..=u32::MAX)?,
        map: fields[1].text.to_owned(),
        map_width,
        map_height,
        start: cell(4)?,
        goal: cell(6)?,
        optimal_length: length(fields[8])?,
        line: line.number,
    })
}

fn row_fields(line: Line<'_>) -> Result<Vec<Field<'_>>, FormatError> {
    let by_tabs = line.text.contains('\t');
    let is_separator = move |c: char| if by_tabs { c == '\t' } else { c == ' ' };
    // Runs of spaces are one separator; two TABs have an empty field between them.
    let kept = |field: &Field<'_>| by_tabs || !field.text.is_empty();
    // One more than there may be, so that a line of a million fields is not collected.
    let mut fields: Vec<_> = line.split(is_separator).filter(kept).take(FIELDS.len() + 1).collect();
    if fields.len() > FIELDS.len() && fields[FIELDS.len()].text.is_empty() {
        fields.pop();
    }
    if fields.len() > FIELDS.len() {
        let remedy = "separate bucket, map, width, height, start x, start y, goal x, goal y and \
                      length by TABs";
        return Err(fields[FIELDS.len()].error("a tenth field: a row has 9", remedy));
    }
    let lacking = fields.iter().position(|field| field.text.is_empty()).unwrap_or(fields.len());
    match FIELDS.get(lacking) {
        None => Ok(fields),
        Some(name) => {
            let at = fields.get(lacking).map_or(line.text.len(), |field| field.offset);
            let problem = format!("the {name} is missing: field {} of 9", lacking + 1);
            Err(line.error(at, problem, "complete the row or remove it"))
        }
    }
}

fn length(field: Field<'_>) -> Result<f64, FormatError> {
    match field.text.parse::<f64>() {
        Ok(value) if value.is_finite() && value >= 0.0 => Ok(value.abs()),
        _ => {
            let problem = format!("optimal length {} is no length", text::quote(field.text));
            Err(field.error(problem, "give a finite number of at least 0"))
        }
    }
}

/// Writes a scenario, separated by TABs. Lengths keep every digit they have.
///
/// # Errors
/// When a map name is empty, holds a TAB or a line break, or begins or ends with a space.
pub fn write(scenario: &Scenario) -> Result<String, FormatError> {
    let mut out = String::new();
    if let Some(version) = &scenario.version {
        let _ = writeln!(out, "version {version}");
    }
    for row in &scenario.rows {
        let is_trimmed = row.map.trim() == row.map && !row.map.is_empty();
        if !is_trimmed || row.map.contains(['\t', '\n']) {
            let problem = format!("the map name {} does not fit a row", text::quote(&row.map));
            return Err(FormatError::new(problem, "rename the map file").at_line(row.line));
        }
        let ScenarioRow { bucket, map, map_width, map_height, start, goal, .. } = row;
        let _ = writeln!(
            out,
            "{bucket}\t{map}\t{map_width}\t{map_height}\t{}\t{}\t{}\t{}\t{}",
            start.x, start.y, goal.x, goal.y, row.optimal_length
        );
    }
    Ok(out)
}

impl Scenario {
    /// The scenario of these units on a map, for writing. Lengths are in cells.
    #[must_use]
    pub fn new(map_name: &str, map: &Map, units: &[(Cell, Cell, f64)]) -> Self {
        let row = |&(start, goal, optimal_length): &(Cell, Cell, f64)| ScenarioRow {
            // A float-to-integer cast saturates: no length overflows.
            #[expect(clippy::cast_sign_loss, reason = "a length is not negative")]
            bucket: (optimal_length / 4.0) as u32,
            map: map_name.to_owned(),
            map_width: map.width(),
            map_height: map.height(),
            start,
            goal,
            optimal_length,
            line: 0,
        };
        Self { version: Some("1".to_owned()), rows: units.iter().map(row).collect() }
    }

    /// The first `units` rows (all, if `None`) as a problem on the map, which is scaled if
    /// the rows were made for another size.
    ///
    /// # Errors
    /// When there are fewer rows, or they were made for maps of different sizes.
    pub fn problem(
        &self,
        map: &Map,
        units: Option<usize>,
        movement: MovementProfile,
    ) -> Result<Problem, FormatError> {
        let rows = self.first(units)?;
        let map = scale_for(rows, map)?;
        let units = rows.iter().map(|row| Unit::new(row.start, row.goal)).collect();
        Ok(Problem::new(map.into_owned(), movement, units))
    }

    /// The first `units` rows, or all.
    ///
    /// # Errors
    /// When there are fewer rows.
    pub fn first(&self, units: Option<usize>) -> Result<&[ScenarioRow], FormatError> {
        let count = units.unwrap_or(self.rows.len());
        self.rows.get(..count).ok_or_else(|| {
            let problem = format!("{count} units asked for, the scenario has {}", self.rows.len());
            FormatError::new(problem, format!("ask for at most {}", self.rows.len()))
        })
    }
}

/// The map at the size that all these rows were made for.
///
/// # Errors
/// When the rows were made for maps of different sizes.
pub fn scale_for<'a>(rows: &[ScenarioRow], map: &'a Map) -> Result<Cow<'a, Map>, FormatError> {
    let size = |row: &ScenarioRow| (row.map_width, row.map_height);
    let Some(first) = rows.first() else { return Ok(Cow::Borrowed(map)) };
    if let Some(other) = rows.iter().find(|row| size(row) != size(first)) {
        let (width, height) = size(other);
        let problem = format!(
            "a map of {width} x {height} cells, and {} x {} before",
            first.map_width, first.map_height
        );
        let remedy = "give a scenario for a single map";
        return Err(FormatError::new(problem, remedy).at_line(other.line));
    }
    scale(map, first.map_width, first.map_height)
}

/// The map at another size, nearest neighbour: cell (x, y) is the old map's cell
/// (x * old width / new width, y * old height / new height), as in MovingAI's own reader.
///
/// # Errors
/// When a side is out of bounds.
pub fn scale(map: &Map, width: u16, height: u16) -> Result<Cow<'_, Map>, FormatError> {
    if (width, height) == (map.width(), map.height()) {
        return Ok(Cow::Borrowed(map));
    }
    let size = Map::checked_size(u64::from(width), u64::from(height));
    size.map_err(|error| FormatError::new(error.to_string(), "correct the size"))?;
    let old = |at: u16, old: u16, new: u16| usize::from(at) * usize::from(old) / usize::from(new);
    let row = |y| old(y, map.height(), height) * usize::from(map.width());
    let cells = (0..height)
        .flat_map(|y| (0..width).map(move |x| map.terrain()[row(y) + old(x, map.width(), width)]));
    Map::new(width, height, map.classes().to_vec(), cells.collect())
        .map(Cow::Owned)
        .map_err(|error| FormatError::new(error.to_string(), "correct the size"))
}
