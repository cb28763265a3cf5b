//! MovingAI maps (`.map`), and the headerless `rows,cols` variant of MAPF tools.
//!
//! <https://movingai.com/benchmarks/formats.html>; Sturtevant, "Benchmarks for Grid-Based
//! Pathfinding", 2012.
//!
//! ```text
//! type octile
//! height 2
//! width 5
//! map
//! ..@.T
//! .W3.S
//! ```
//!
//! The digits `2` to `9` are throng's own addition: ground of that cost factor. Other
//! letters, and other costs, come from a [terrain table](crate::terrain) beside the map.

use throng_model::{Factor, Map, MapError, TerrainClass, TerrainId, TerrainOverride};

use crate::FormatError;
use crate::terrain::TerrainTable;
use crate::text::{self, Field, Line};

const EXPECTED: &str = "a MovingAI .map file";

/// Which letters are free ground: tools read them differently.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Passable {
    /// As MovingAI defines them: `.` `G` ground, `S` swamp that costs the same, `W` water
    /// that land units cannot enter (see [`boat_overrides`]), `@` `O` `T` blocked, `2` to
    /// `9` ground of that factor. Other letters are mistakes.
    #[default]
    MovingAi,
    /// As most MAPF tools read them (Kei18's, PlanViz, the LoRR kit, MAPF tracker): `@` and
    /// `T` blocked, everything else free.
    Mapf,
    /// As Jiaoyang Li's solvers read them: only `.` is free.
    Strict,
}

/// How to read a map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MapOptions {
    /// Which letters are free ground.
    pub passable: Passable,
}

/// Reads a map.
///
/// The classes of [`Passable::MovingAi`] are always all there, in the same order, the first
/// two being [`Map::GROUND`] and [`Map::WALL`]: an override of swamp (`S`) can be set up
/// without looking whether the map has any. The other readings add letters as they come.
///
/// Accepted besides the official form: CRLF, a byte order mark, trailing blank lines,
/// `width` before `height`, rows longer than the width (the surplus is ignored), and
/// `rows,cols` in place of the header.
///
/// # Errors
/// When the header is incomplete, a side is out of bounds, a row is short, missing or too
/// many, or a letter means nothing.
pub fn read(bytes: &[u8], options: MapOptions) -> Result<Map, FormatError> {
    read_with(bytes, options, &TerrainTable::default())
}

/// Reads a map whose letters a table explains. What the table says of a letter counts
/// before what the reading says; of other letters the reading decides.
///
/// # Errors
/// As [`read`].
pub fn read_with(
    bytes: &[u8],
    options: MapOptions,
    table: &TerrainTable,
) -> Result<Map, FormatError> {
    let text = text::decode(bytes, EXPECTED)?;
    let mut lines = text::lines(text);
    let (width, height) = read_header(&mut lines)?;
    let mut palette = Palette::new(options.passable, table);
    let mut cells = Vec::new();
    for row in 0..height {
        let line = lines.next().ok_or_else(|| missing_row(text, row, height))?;
        read_row(line, row, width, &mut palette, &mut cells)?;
    }
    if let Some(extra) = lines.find(|line| !line.is_blank()) {
        let problem = format!("a row past the height of {height}");
        return Err(extra.error(0, problem, "correct the height or remove the row"));
    }
    Map::new(width, height, palette.classes, cells).map_err(|error| size_error(&error))
}

fn missing_row(text: &str, row: u16, height: u16) -> FormatError {
    let problem = format!("the map ends after {row} of {height} rows");
    let end = text::lines(text).count() + 1;
    FormatError::new(problem, "correct the height or add the rows").at_line(end)
}

fn read_row(
    line: Line<'_>,
    row: u16,
    width: u16,
    palette: &mut Palette,
    cells: &mut Vec<TerrainId>,
) -> Result<(), FormatError> {
    let bytes = line.text.as_bytes();
    let Some(letters) = bytes.get(..usize::from(width)) else {
        let problem = format!("row {row} has {} of {width} cells", bytes.len());
        let remedy = "correct the width or add the cells";
        return Err(line.error(bytes.len(), problem, remedy));
    };
    for (x, &letter) in letters.iter().enumerate() {
        let terrain = palette.terrain(letter).ok_or_else(|| palette.unknown(line, x))?;
        cells.push(terrain);
    }
    Ok(())
}

fn size_error(error: &MapError) -> FormatError {
    FormatError::new(error.to_string(), "correct the header")
}

fn read_header<'a>(lines: &mut impl Iterator<Item = Line<'a>>) -> Result<(u16, u16), FormatError> {
    let mut sides: [Option<Field<'a>>; 2] = [None; 2];
    let mut line_count = 0;
    for line in lines {
        line_count = line.number;
        if line.number == 1 && line.text.contains(',') {
            return read_rows_and_columns(line);
        }
        let mut fields = line.split(char::is_whitespace).filter(|f| !f.text.is_empty());
        let key = fields.next().map_or("", |field| field.text);
        match (key, fields.next()) {
            ("map", None) => return header_size(line, sides),
            ("height", Some(value)) => set_once(&mut sides[1], "height", value)?,
            ("width", Some(value)) => set_once(&mut sides[0], "width", value)?,
            ("type", Some(value)) if value.text != "hex" => {}
            ("type", Some(value)) => {
                return Err(value.error("a hexagonal map", "give a map of square cells"));
            }
            ("", None) => {}
            _ => return Err(unknown_header(line)),
        }
    }
    let remedy = "end the header with a line 'map' and let the rows follow";
    Err(FormatError::new("the header has no end", remedy).at_line(line_count + 1))
}

fn unknown_header(line: Line<'_>) -> FormatError {
    let problem = format!("{} in the header", text::quote(line.text));
    line.error(0, problem, "give 'type octile', 'height H', 'width W', then 'map' and the rows")
}

fn set_once<'a>(
    side: &mut Option<Field<'a>>,
    key: &str,
    value: Field<'a>,
) -> Result<(), FormatError> {
    match side.replace(value) {
        None => Ok(()),
        Some(_) => Err(value.error(format!("{key} is given twice"), "remove one of the lines")),
    }
}

fn header_size(end: Line<'_>, sides: [Option<Field<'_>>; 2]) -> Result<(u16, u16), FormatError> {
    let missing = |key: &str| {
        let remedy = format!("add a line '{key} N' before 'map'");
        end.error(0, format!("the header lacks the {key}"), remedy)
    };
    let width = sides[0].ok_or_else(|| missing("width"))?;
    let height = sides[1].ok_or_else(|| missing("height"))?;
    Ok((width.side("width")?, height.side("height")?))
}

fn read_rows_and_columns(line: Line<'_>) -> Result<(u16, u16), FormatError> {
    let fields: Vec<_> = line.split(|c| c == ',').collect();
    match fields[..] {
        [rows, columns] => Ok((columns.side("width")?, rows.side("height")?)),
        _ => Err(line.error(0, "a first line that is no header", "give 'rows,cols'")),
    }
}

/// The terrain classes of a map that is being read.
struct Palette {
    passable: Passable,
    classes: Vec<TerrainClass>,
    /// The class of each ASCII letter seen or known.
    by_letter: [Option<TerrainId>; 128],
}

impl Palette {
    fn new(passable: Passable, table: &TerrainTable) -> Self {
        let mut palette = Self { passable, classes: Vec::new(), by_letter: [None; 128] };
        let known = if passable == Passable::MovingAi { MOVING_AI } else { b".@" };
        known.iter().for_each(|&letter| {
            palette.add(plain_class(letter, passable));
        });
        table.classes().iter().for_each(|class| palette.explain(class));
        palette
    }

    /// Takes over what a table says of a letter.
    fn explain(&mut self, class: &TerrainClass) {
        match self.by_letter.get(class.symbol as usize) {
            Some(Some(known)) => self.classes[known.get()] = class.clone(),
            Some(None) => {
                self.add(class.clone());
            }
            None => {}
        }
    }

    fn terrain(&mut self, letter: u8) -> Option<TerrainId> {
        let known = *self.by_letter.get(usize::from(letter))?;
        let may_add = self.passable != Passable::MovingAi && letter.is_ascii_graphic();
        known.or_else(|| may_add.then(|| self.add(plain_class(letter, self.passable))))
    }

    fn add(&mut self, class: TerrainClass) -> TerrainId {
        // At most 94 graphic ASCII letters, so the id fits.
        let id = TerrainId(self.classes.len() as u8);
        self.by_letter[class.symbol as usize] = Some(id);
        self.classes.push(class);
        id
    }

    fn unknown(&self, line: Line<'_>, offset: usize) -> FormatError {
        let letter = line.text.get(offset..).and_then(|rest| rest.chars().next());
        let letter = letter.unwrap_or(char::REPLACEMENT_CHARACTER).to_string();
        let quoted = text::quote(&letter);
        match self.passable {
            Passable::MovingAi => line.error(
                offset,
                format!("{quoted} is no MovingAI terrain"),
                "use one of . G S W @ O T, a digit 2 to 9 as cost factor, explain the letter in \
                 a terrain table, or read the map as mapf or strict",
            ),
            Passable::Mapf | Passable::Strict => line.error(
                offset,
                format!("{quoted} is not a visible ASCII character"),
                "use '.' for free cells and '@' for blocked ones",
            ),
        }
    }
}

/// The letters that the MovingAI reading knows.
const MOVING_AI: &[u8] = b".@GSWOT23456789";

/// What a reading makes of a letter without any table; `None` if it is a mistake there.
pub(crate) fn plain_factor(symbol: char, options: MapOptions) -> Option<Option<Factor>> {
    let letter = u8::try_from(symbol).ok().filter(u8::is_ascii_graphic)?;
    let known = options.passable != Passable::MovingAi || MOVING_AI.contains(&letter);
    known.then(|| plain_class(letter, options.passable).factor)
}

fn plain_class(letter: u8, passable: Passable) -> TerrainClass {
    let factor = match (passable, letter) {
        (Passable::MovingAi, b'2'..=b'9') => Factor::new(i64::from(letter - b'0')).ok(),
        (Passable::MovingAi, b'.' | b'G' | b'S') | (Passable::Strict, b'.') => Some(Factor::ONE),
        (Passable::MovingAi | Passable::Strict, _) | (Passable::Mapf, b'@' | b'T') => None,
        (Passable::Mapf, _) => Some(Factor::ONE),
    };
    TerrainClass { name: name(letter), symbol: char::from(letter), factor }
}

fn name(letter: u8) -> String {
    match letter {
        b'.' => "ground".to_owned(),
        b'@' => "wall".to_owned(),
        b'G' => "grass".to_owned(),
        b'S' => "swamp".to_owned(),
        b'W' => "water".to_owned(),
        b'O' => "out of bounds".to_owned(),
        b'T' => "trees".to_owned(),
        b'E' => "emitter".to_owned(),
        b'2'..=b'9' => format!("factor {}", char::from(letter)),
        other => format!("terrain {}", char::from(other)),
    }
}

/// What makes a unit a boat: water (`W`) costs 1, everything else keeps it out. (MovingAI
/// lets a unit step from water to water only.)
#[must_use]
pub fn boat_overrides(map: &Map) -> Vec<TerrainOverride> {
    let factor = |class: &TerrainClass| (class.symbol == 'W').then_some(Factor::ONE);
    let classes = map.classes().iter().enumerate();
    classes
        .map(|(i, class)| TerrainOverride { terrain: TerrainId(i as u8), factor: factor(class) })
        .collect()
}

/// Writes a map, each cell as its class's symbol.
///
/// Reading it the way it was read before gives the same map again.
///
/// # Errors
/// When a class on the map has a symbol that is not visible ASCII, or shares it with a class
/// of another factor: the file could not be read back.
pub fn write(map: &Map) -> Result<String, FormatError> {
    let letters = letters(map)?;
    let (width, height) = (usize::from(map.width()), usize::from(map.height()));
    let mut out = format!("type octile\nheight {height}\nwidth {width}\nmap\n");
    out.reserve((width + 1) * height);
    for row in map.terrain().chunks(width) {
        out.extend(row.iter().map(|terrain| letters[terrain.get()]));
        out.push('\n');
    }
    Ok(out)
}

/// The letter of each class, checked for those that are on the map.
fn letters(map: &Map) -> Result<Vec<char>, FormatError> {
    let mut used = vec![false; map.classes().len()];
    map.terrain().iter().for_each(|terrain| used[terrain.get()] = true);
    let mut factor_of: [Option<Option<Factor>>; 128] = [None; 128];
    let on_map = map.classes().iter().zip(&used).filter(|(_, used)| **used);
    for (class, _) in on_map {
        let symbol = class.symbol;
        let problem = if !symbol.is_ascii_graphic() {
            format!("the symbol of {} is not visible ASCII", text::quote(&class.name))
        } else if factor_of[symbol as usize].is_some_and(|other| other != class.factor) {
            format!("{} shares '{symbol}' with another terrain", text::quote(&class.name))
        } else {
            factor_of[symbol as usize] = Some(class.factor);
            continue;
        };
        return Err(FormatError::new(problem, "give the class a letter of its own"));
    }
    Ok(map.classes().iter().map(|class| class.symbol).collect())
}
