//! Terrain tables (`.terrain`): name and cost factor of the letters of a map.
//!
//! The MovingAI map format has few letters and no costs. A table beside the map adds letters
//! and changes the costs of known ones.
//!
//! ```text
//! # letter  name     factor from 1 to 255, or blocked
//! .  road            1
//! F  forest          3
//! S  swamp           4
//! =  wooden bridge   1
//! W  water           blocked
//! ```
//!
//! The name is everything between the letter and the last word. A line that begins with `#` is
//! a comment, so `#` cannot be the letter of a terrain.

use std::fmt::Write as _;

use throng_model::{Factor, Map, TerrainClass};

use crate::text::{self, Field, Line};
use crate::{FormatError, MapOptions, map};

const EXPECTED: &str = "a terrain table: lines of letter, name and factor";
const FORM: &str = "write '<letter> <name> <factor>', the factor being 1 to 255 or 'blocked'";
const BLOCKED: &str = "blocked";

/// A terrain class for each of some letters. No letter has two.
///
/// ```
/// use throng_formats::{MapOptions, map, terrain};
/// let table = terrain::read(b"F forest 3\nS swamp 4\n")?;
/// let town = b"type octile\nheight 1\nwidth 3\nmap\n.FS\n";
/// let map = map::read_with(town, MapOptions::default(), &table)?;
/// let factors = map.terrain().iter().map(|t| map.classes()[t.get()].factor.map(|f| f.get()));
/// assert!(factors.eq([Some(1), Some(3), Some(4)]));
/// # Ok::<(), throng_formats::FormatError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TerrainTable {
    classes: Vec<TerrainClass>,
}

/// Reads a table.
///
/// # Errors
/// When a line lacks a part, a letter is not visible ASCII or given twice, or a factor is
/// no number from 1 to 255.
pub fn read(bytes: &[u8]) -> Result<TerrainTable, FormatError> {
    let text = text::decode(bytes, EXPECTED)?;
    let mut table = TerrainTable::default();
    for line in text::lines(text).filter(|line| !line.is_blank() && !is_comment(*line)) {
        let (symbol, class) = read_class(line)?;
        if table.class(class.symbol).is_some() {
            let problem = format!("'{}' is given twice", class.symbol);
            return Err(symbol.error(problem, "remove one of the lines"));
        }
        table.classes.push(class);
    }
    if table.classes.is_empty() {
        return Err(FormatError::new("the table is empty", FORM));
    }
    Ok(table)
}

fn is_comment(line: Line<'_>) -> bool {
    line.text.trim_start().starts_with('#')
}

fn read_class(line: Line<'_>) -> Result<(Field<'_>, TerrainClass), FormatError> {
    let fields: Vec<_> =
        line.split(|c| c.is_ascii_whitespace()).filter(|field| !field.text.is_empty()).collect();
    let [symbol, name @ .., factor] = fields.as_slice() else {
        return Err(line.error(0, "a line of one word", FORM));
    };
    if name.is_empty() {
        return Err(factor.error("the name or the factor is missing", FORM));
    }
    let name = name.iter().map(|word| word.text).collect::<Vec<_>>().join(" ");
    let class = TerrainClass { name, symbol: read_symbol(*symbol)?, factor: read_factor(*factor)? };
    Ok((*symbol, class))
}

fn read_symbol(field: Field<'_>) -> Result<char, FormatError> {
    let mut letters = field.text.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) if letter.is_ascii_graphic() => Ok(letter),
        _ => {
            let problem = format!("{} is no letter of a map", text::quote(field.text));
            Err(field.error(problem, "give one visible ASCII character"))
        }
    }
}

fn read_factor(field: Field<'_>) -> Result<Option<Factor>, FormatError> {
    if field.text == BLOCKED {
        return Ok(None);
    }
    let factor = field.text.parse().ok().and_then(|value| Factor::new(value).ok());
    factor.map(Some).ok_or_else(|| {
        let problem = format!("factor {} is out of bounds", text::quote(field.text));
        field.error(problem, "give a whole number from 1 to 255, or 'blocked'")
    })
}

/// Writes a table.
#[must_use]
pub fn write(table: &TerrainTable) -> String {
    let width = table.classes.iter().map(|class| class.name.chars().count()).max().unwrap_or(0);
    let mut out = String::from("# letter, name, factor (what a step onto it costs) or blocked\n");
    for TerrainClass { name, symbol, factor } in &table.classes {
        let factor = factor.map_or(BLOCKED.to_owned(), |factor| factor.to_string());
        let _ = writeln!(out, "{symbol} {name:width$} {factor}");
    }
    out
}

impl TerrainTable {
    /// The table of the classes that occur on a map.
    ///
    /// # Errors
    /// When a letter is not visible ASCII, is `#`, or belongs to two classes, or a name is
    /// empty or would not be read back as it is.
    pub fn of_map(map: &Map) -> Result<Self, FormatError> {
        let mut used = vec![false; map.classes().len()];
        map.terrain().iter().for_each(|terrain| used[terrain.get()] = true);
        let mut table = Self::default();
        for (class, _) in map.classes().iter().zip(used).filter(|(_, used)| *used) {
            table.add(class)?;
        }
        Ok(table)
    }

    fn add(&mut self, class: &TerrainClass) -> Result<(), FormatError> {
        let TerrainClass { name, symbol, .. } = class;
        let words: Vec<_> = name.split_whitespace().collect();
        let refused = |problem: String, remedy| Err(FormatError::new(problem, remedy));
        if !symbol.is_ascii_graphic() || *symbol == '#' {
            let problem = format!("{} has the letter {symbol:?}", text::quote(name));
            refused(problem, "give it a visible ASCII character other than '#'")
        } else if self.class(*symbol).is_some() {
            let problem = format!("{} shares '{symbol}' with another terrain", text::quote(name));
            refused(problem, "give it a letter of its own")
        } else if words.is_empty() || words.join(" ") != *name || name.contains('\0') {
            refused(format!("terrain '{symbol}' has no plain name"), "give it one")
        } else {
            self.classes.push(class.clone());
            Ok(())
        }
    }

    /// The classes, in the table's order.
    #[must_use]
    pub fn classes(&self) -> &[TerrainClass] {
        &self.classes
    }

    /// The class of a letter.
    #[must_use]
    pub fn class(&self, symbol: char) -> Option<&TerrainClass> {
        self.classes.iter().find(|class| class.symbol == symbol)
    }

    /// Whether the table differs from the terrain that the map's file alone, read with these
    /// options, would have.
    #[must_use]
    pub fn is_needed(&self, options: MapOptions) -> bool {
        self.classes
            .iter()
            .any(|class| map::plain_factor(class.symbol, options) != Some(class.factor))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_error(text: &str, expected: &str) {
        assert_eq!(read(text.as_bytes()).unwrap_err().to_string(), expected, "{text:?}");
    }

    #[test]
    fn names_may_have_several_words() {
        let table = read(b"# c\r\n\r\n  =  wooden  bridge\t1\r\nW water blocked").unwrap();
        let expected = [
            TerrainClass::passable("wooden bridge", '=', Factor::ONE),
            TerrainClass::blocked("water", 'W'),
        ];
        assert_eq!(table.classes(), expected);
    }

    #[test]
    fn mistakes_are_named_with_their_place() {
        check_error(
            "",
            "the file is empty; give a terrain table: lines of letter, name and factor",
        );
        check_error(
            "# only\n",
            "the table is empty; write '<letter> <name> <factor>', the factor being 1 to 255 or \
             'blocked'",
        );
        check_error("F", &format!("line 1, column 1: a line of one word; {FORM}"));
        check_error("F 3", &format!("line 1, column 3: the name or the factor is missing; {FORM}"));
        check_error(
            ". road 1\nFF forest 3",
            "line 2, column 1: 'FF' is no letter of a map; give one visible ASCII character",
        );
        for factor in ["0", "256", "-1", "1.5", "NaN", "99999999999999999999", "Blocked"] {
            check_error(
                &format!("F forest {factor}"),
                &format!(
                    "line 1, column 10: factor '{factor}' is out of bounds; give a whole number \
                     from 1 to 255, or 'blocked'"
                ),
            );
        }
        check_error(
            "F a 1\nF b 2",
            "line 2, column 1: 'F' is given twice; remove one of the lines",
        );
    }

    #[test]
    fn what_is_written_reads_back() {
        let table = read(b". road 1\nF deep forest 255\nW water blocked\n").unwrap();
        assert_eq!(read(write(&table).as_bytes()), Ok(table));
    }

    #[test]
    fn classes_that_a_table_cannot_hold_are_refused() {
        let check = |name: &str, symbol: char| {
            let classes = vec![
                TerrainClass::passable("ground", '.', Factor::ONE),
                TerrainClass::blocked(name, symbol),
            ];
            let map = Map::new(2, 1, classes, vec![Map::GROUND, Map::WALL]).unwrap();
            TerrainTable::of_map(&map).is_err()
        };
        assert!(!check("wall", '@'));
        assert!(check("wall", '#') && check("wall", '\n') && check("wall", '.'));
        assert!(check("", '@') && check("a  b", '@') && check("a\nb", '@'));
    }

    #[test]
    fn a_table_is_needed_where_the_letters_alone_say_something_else() {
        let needed = |text: &str, passable| {
            read(text.as_bytes()).unwrap().is_needed(MapOptions { passable })
        };
        use crate::Passable::{Mapf, MovingAi, Strict};
        assert!(!needed(". ground 1\n@ wall blocked\n3 mud 3\nS swamp 1", MovingAi));
        assert!(needed("S swamp 4", MovingAi) && needed("F forest 1", MovingAi));
        assert!(!needed("F forest 1", Mapf) && needed("F forest 1", Strict));
    }
}
