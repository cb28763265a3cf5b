//! The result text of Kei Okumura's solvers (lacam, pibt2, mapf-IR), which
//! mapf-visualizer shows: throng's default plan format.
//!
//! ```text
//! agents=2
//! map_file=town.map
//! solver=throng
//! solved=1
//! soc=3
//! makespan=2
//! starts=(0,0),(3,1),
//! goals=(2,0),(3,0),
//! solution=
//! 0:(0,0),(3,1),
//! 1:(1,0),(3,0),
//! 2:(2,0),(3,0),
//! ```
//!
//! x is the column. The viewer needs the comma after every cell.
//!
//! A value is one line. Control characters in it (file names can contain them) are written as
//! `\u{9}`, and so are spaces at either end. The reader reverses this.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use throng_model::limits::{HORIZON_MAX, UNITS_MAX};
use throng_model::{Cell, Plan};

use crate::document::PlanSize;
use crate::text::{self, Cursor, Line};
use crate::{FormatError, PlanDocument};

const EXPECTED: &str = "a kei18 result text";
const CELL_FORM: &str = "cells as (x,y), with a comma after each";

/// Reads a result text.
///
/// Headings (`(3,4,X_PLUS)`) and tasks (`(3,4)->(5,6):7`) are accepted and ignored. Starts
/// default to the first configuration. Keys other than `agents`, `map_file`, `solver`, `starts`
/// and `goals` go to the metadata, including the costs that the file claims.
///
/// # Errors
/// When a line does not belong to the format, ticks are missing, configurations differ in
/// size, or a coordinate is not a number.
pub fn read(bytes: &[u8]) -> Result<PlanDocument, FormatError> {
    let text = text::decode(bytes, EXPECTED)?;
    let mut reader = Reader::default();
    for line in text::lines(text).filter(|line| !line.is_blank()) {
        reader.line(line)?;
    }
    reader.finish()
}

#[derive(Default)]
struct Reader {
    document: PlanDocument,
    starts: Option<Vec<Cell>>,
    agents: Option<usize>,
    ticks: usize,
    in_solution: bool,
    /// The line of each key.
    lines: BTreeMap<String, usize>,
}

impl Reader {
    fn line(&mut self, line: Line<'_>) -> Result<(), FormatError> {
        let starts_with_digit = line.text.starts_with(|c: char| c.is_ascii_digit());
        if self.in_solution || starts_with_digit {
            return self.configuration(line);
        }
        let Some((key, value)) = line.text.split_once('=') else {
            return Err(no_key(line));
        };
        let cursor = Cursor::new(line, key.len() + 1);
        let key = key.trim();
        if !is_key(key) || (key == "solution" && !value.trim().is_empty()) {
            return Err(no_key(line));
        }
        if self.lines.insert(key.to_owned(), line.number).is_some() {
            let problem = format!("{} is given twice", text::quote(key));
            return Err(line.error(0, problem, "remove one of the lines"));
        }
        let value = unescape(value.trim());
        match key {
            "solution" => self.in_solution = true,
            "agents" => {
                let agents = cursor.rest_field().whole("agents", 0..=UNITS_MAX as u32)?;
                self.agents = Some(agents as usize);
            }
            "starts" => self.starts = Some(cells(cursor)?),
            "goals" => self.document.goals = Some(cells(cursor)?),
            "map_file" => self.document.map_file = Some(value),
            "solver" => self.document.solver = Some(value),
            key => {
                self.document.metadata.insert(key.to_owned(), value);
            }
        }
        Ok(())
    }

    fn configuration(&mut self, line: Line<'_>) -> Result<(), FormatError> {
        let mut cursor = Cursor::new(line, 0);
        let tick = cursor.until(|c| c == ':');
        let is_next = tick.whole("tick", 0..=HORIZON_MAX)? as usize == self.ticks;
        if !is_next {
            let problem = format!("tick {} where tick {} is due", tick.text, self.ticks);
            return Err(line.error(0, problem, "give every tick once, in order"));
        }
        cursor.expect(":", "a tick as 0:(x,y),")?;
        let cells = cells(cursor)?;
        let paths = &mut self.document.plan.paths;
        if self.ticks == 0 {
            paths.resize(cells.len(), Vec::new());
        }
        if cells.len() != paths.len() {
            let problem = format!("{} cells where tick 0 has {}", cells.len(), paths.len());
            return Err(line.error(cursor.offset, problem, "give every unit a cell in each tick"));
        }
        self.ticks += 1;
        PlanSize::rectangle(cells.len(), self.ticks).map_err(|error| error.at_line(line.number))?;
        paths.iter_mut().zip(cells).for_each(|(path, cell)| path.push(cell));
        Ok(())
    }

    fn finish(mut self) -> Result<PlanDocument, FormatError> {
        let paths = &mut self.document.plan.paths;
        let from_lists = self.starts.as_ref().or(self.document.goals.as_ref()).map(Vec::len);
        let units = if self.ticks > 0 { Some(paths.len()) } else { self.agents.or(from_lists) };
        let Some(units) = units else {
            return Err(FormatError::new("no agents and no solution", format!("give {EXPECTED}")));
        };
        paths.resize(units, Vec::new());
        let goals = self.document.goals.as_ref().map(Vec::len);
        let starts = self.starts.as_ref().map(Vec::len);
        for (name, count) in [("agents", self.agents), ("starts", starts), ("goals", goals)] {
            if let Some(count) = count.filter(|&count| count != units) {
                let problem = format!("{name} says {count} units, the solution has {units}");
                let error = FormatError::new(problem, format!("correct {name}"));
                return Err(self.lines.get(name).map_or(error.clone(), |&l| error.at_line(l)));
            }
        }
        let first = paths.iter().filter_map(|path| path.first()).copied();
        self.document.starts = self.starts.unwrap_or_else(|| first.collect());
        Ok(self.document)
    }
}

fn no_key(line: Line<'_>) -> FormatError {
    let problem = format!("{} is no key=value", text::quote(line.text));
    line.error(0, problem, "write key=value, 'solution=', or a tick as 0:(x,y),")
}

fn cells(mut cursor: Cursor<'_>) -> Result<Vec<Cell>, FormatError> {
    let mut cells = Vec::new();
    cursor.skip_spaces();
    while !cursor.rest().trim_end().is_empty() {
        let (x, y) = cursor.pair(["x", "y"])?;
        if cursor.eat(",") {
            heading(&mut cursor)?;
        }
        cursor.expect(")", CELL_FORM)?;
        if cursor.eat("->") {
            task(&mut cursor)?;
        }
        cells.push(Cell::new(x, y));
        if !cursor.eat(",") && !cursor.rest().trim().is_empty() {
            cursor.expect(",", CELL_FORM)?;
        }
        cursor.skip_spaces();
    }
    Ok(cells)
}

fn heading(cursor: &mut Cursor<'_>) -> Result<(), FormatError> {
    let heading = cursor.until(|c| c == ')');
    match heading.text {
        "X_MINUS" | "X_PLUS" | "Y_MINUS" | "Y_PLUS" => Ok(()),
        other => {
            let problem = format!("heading {}", text::quote(other));
            Err(heading.error(problem, "use X_MINUS, X_PLUS, Y_MINUS or Y_PLUS"))
        }
    }
}

/// The target and task number that pibt2 writes after a cell: `(5,6):7`.
fn task(cursor: &mut Cursor<'_>) -> Result<(), FormatError> {
    const FORM: &str = "a task as (x,y)->(x,y):number";
    cursor.pair(["x", "y"])?;
    cursor.expect(")", FORM)?;
    cursor.expect(":", FORM)?;
    cursor.eat("-");
    cursor.until(|c| c == ',').whole("task", 0..=u32::MAX)?;
    Ok(())
}

/// The keys that are written first, in the format's order.
const KEYS: [&str; 9] = [
    "solved",
    "soc",
    "soc_lb",
    "makespan",
    "makespan_lb",
    "sum_of_loss",
    "sum_of_loss_lb",
    "comp_time",
    "seed",
];

/// Writes a result text. Costs that the metadata does not give are computed from the plan;
/// a unit whose path is shorter than the others' waits at its end.
///
/// # Errors
/// When only some units have a path, or the metadata has a key that cannot begin a line.
pub fn write(document: &PlanDocument) -> Result<String, FormatError> {
    let is_unfinished = document.plan.paths.iter().all(Vec::is_empty);
    let paths = if is_unfinished { &[][..] } else { document.full_paths()? };
    let mut out = format!("agents={}\n", document.plan.paths.len());
    for (key, value) in [("map_file", &document.map_file), ("solver", &document.solver)] {
        value.as_ref().map_or(Ok(()), |value| pair(&mut out, key, value))?;
    }
    for key in KEYS {
        if let Some(value) = document.metadata.get(key).cloned().or_else(|| computed(document, key))
        {
            pair(&mut out, key, &value)?;
        }
    }
    for (key, value) in document.metadata.iter().filter(|(key, _)| !KEYS.contains(&key.as_str())) {
        pair(&mut out, key, value)?;
    }
    if !document.starts.is_empty() {
        list(&mut out, "starts=", document.starts.iter().copied());
    }
    if let Some(goals) = &document.goals {
        list(&mut out, "goals=", goals.iter().copied());
    }
    out.push_str("solution=\n");
    configurations(&mut out, paths)?;
    Ok(out)
}

fn configurations(out: &mut String, paths: &[Vec<Cell>]) -> Result<(), FormatError> {
    let ticks = paths.iter().map(Vec::len).max().unwrap_or(0);
    PlanSize::rectangle(paths.len(), ticks)?;
    for tick in 0..ticks {
        let at = |path: &Vec<Cell>| path.get(tick).or(path.last()).copied();
        list(out, &format!("{tick}:"), paths.iter().filter_map(at));
    }
    Ok(())
}

fn list(out: &mut String, head: &str, cells: impl Iterator<Item = Cell>) {
    out.push_str(head);
    for cell in cells {
        // Writing to a String cannot fail.
        let _ = write!(out, "({},{}),", cell.x, cell.y);
    }
    out.push('\n');
}

/// Whether a line may begin with this key. A tick is not a key.
fn is_key(key: &str) -> bool {
    let begins_like_a_tick = key.starts_with(|c: char| c.is_ascii_digit());
    !key.is_empty()
        && key.trim() == key
        && !begins_like_a_tick
        && !key.contains(|c: char| c == '=' || c.is_control())
}

fn pair(out: &mut String, key: &str, value: &str) -> Result<(), FormatError> {
    if !is_key(key) {
        let problem = format!("metadata {}={}", text::quote(key), text::quote(value));
        return Err(FormatError::new(problem, "use keys of visible characters without '='"));
    }
    let _ = writeln!(out, "{key}={}", escape(value));
    Ok(())
}

/// How an escaped character begins; it ends with `}`.
const ESCAPE: &str = "\\u{";

/// A value as one line without control characters. Only what [`unescape`] would change or
/// lose is escaped: other tools' values, such as Windows paths, stay as they are.
fn escape(value: &str) -> String {
    let is_inside = |at: usize| value[..at].trim() != "" && value[at..].trim() != "";
    let mut out = String::with_capacity(value.len());
    for (at, letter) in value.char_indices() {
        let is_lost = letter.is_whitespace() && !is_inside(at);
        if letter.is_control() || is_lost || value[at..].starts_with(ESCAPE) {
            let _ = write!(out, "{ESCAPE}{:x}}}", u32::from(letter));
        } else {
            out.push(letter);
        }
    }
    out
}

/// The value that [`escape`] wrote.
fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((plain, after)) = rest.split_once(ESCAPE) {
        out.push_str(plain);
        let letter = after.split_once('}').and_then(|(digits, next)| {
            let number = u32::from_str_radix(digits, 16).ok()?;
            Some((char::from_u32(number)?, next))
        });
        rest = match letter {
            Some((letter, next)) => {
                out.push(letter);
                next
            }
            None => {
                out.push_str(ESCAPE);
                after
            }
        };
    }
    out + rest
}

fn computed(document: &PlanDocument, key: &str) -> Option<String> {
    match key {
        "solved" => document.is_solved().map(|solved| u8::from(solved).to_string()),
        "soc" => document.sum_of_costs().map(|cost| cost.to_string()),
        "makespan" => Some(document.makespan().to_string()),
        "sum_of_loss" => sum_of_loss(&document.plan, document.goals.as_deref()?),
        _ => None,
    }
}

/// Ticks that units do not spend resting on their goals: a step costs one unless it starts
/// and ends there.
fn sum_of_loss(plan: &Plan, goals: &[Cell]) -> Option<String> {
    let ticks = plan.paths.iter().map(Vec::len).max().unwrap_or(0);
    let loss = |path: &Vec<Cell>, goal: Cell| {
        let waits_elsewhere = if path.last() == Some(&goal) { 0 } else { ticks - path.len() };
        let is_away = |step: &&[Cell]| step.iter().any(|&cell| cell != goal);
        path.windows(2).filter(is_away).count() + waits_elsewhere
    };
    let is_complete = goals.len() == plan.paths.len() && plan.paths.iter().all(|p| !p.is_empty());
    let losses = plan.paths.iter().zip(goals).map(|(path, &goal)| loss(path, goal));
    is_complete.then(|| losses.sum::<usize>().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_any_characters_are_one_line_and_read_back() {
        for value in ["a\nb", "\u{1b}[2J", " a\t", "\r", "C:\\new\\u{9}", "\u{85}", "\\u{9", "é"] {
            let written = escape(value);
            assert!(!written.contains(char::is_control), "{written:?}");
            assert_eq!(written.trim(), written, "{value:?}");
            assert_eq!(unescape(&written), value, "{written:?}");
        }
        assert_eq!(escape("C:\\new\\town.map"), "C:\\new\\town.map");
        assert_eq!(unescape("\\u{110000}\\u{zz}\\u{"), "\\u{110000}\\u{zz}\\u{");
    }
}
