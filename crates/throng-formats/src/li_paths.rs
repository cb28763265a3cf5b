//! The path files of Jiaoyang Li's solvers (CBSH2-RTC, EECBS, MAPF-LNS2).
//!
//! ```text
//! Agent 0: (0,0)->(0,1)->(0,2)->
//! Agent 1: (1,3)->(0,3)->
//! ```
//!
//! Row first, then column; an arrow after every cell.

use std::fmt::Write as _;

use throng_model::limits::UNITS_MAX;
use throng_model::{Cell, Plan};

use crate::document::PlanSize;
use crate::text::{self, Cursor, Line};
use crate::{FormatError, PlanDocument};

const FORM: &str = "a path as 'Agent 0: (row,col)->(row,col)->'";

/// Reads a path file. The space after the colon may be missing, and the last arrow.
///
/// # Errors
/// When a line is no path, or the agents are not numbered 0, 1, 2, ...
pub fn read(bytes: &[u8]) -> Result<PlanDocument, FormatError> {
    let text = text::decode(bytes, "a file of lines 'Agent 0: (row,col)->'")?;
    let mut paths = Vec::new();
    let mut size = PlanSize::default();
    for line in text::lines(text).filter(|line| !line.is_blank()) {
        let path = path(line, paths.len())?;
        size.add(path.len()).map_err(|error| error.at_line(line.number))?;
        paths.push(path);
    }
    Ok(PlanDocument::new(Plan { paths }))
}

fn path(line: Line<'_>, unit: usize) -> Result<Vec<Cell>, FormatError> {
    let mut cursor = Cursor::new(line, 0);
    cursor.skip_spaces();
    cursor.expect("Agent ", FORM)?;
    let number = cursor.until(|c| c == ':');
    if number.whole("agent", 0..=UNITS_MAX as u32)? as usize != unit {
        let problem = format!("agent {} where agent {unit} is due", number.text);
        return Err(number.error(problem, "number the agents 0, 1, 2, ... in order"));
    }
    cursor.expect(":", FORM)?;
    cursor.skip_spaces();
    let mut path = Vec::new();
    while !cursor.rest().trim().is_empty() {
        let (row, column) = cursor.pair(["row", "col"])?;
        cursor.expect(")", FORM)?;
        path.push(Cell::new(column, row));
        cursor.skip_spaces();
        if !cursor.rest().is_empty() {
            cursor.expect("->", FORM)?;
        }
    }
    Ok(path)
}

/// Writes a path file.
///
/// # Errors
/// When there are no units: the file would be empty.
pub fn write(document: &PlanDocument) -> Result<String, FormatError> {
    if document.plan.paths.is_empty() {
        return Err(FormatError::new("a plan of no units", "choose another format (kei18)"));
    }
    let mut out = String::new();
    for (unit, path) in document.plan.paths.iter().enumerate() {
        let _ = write!(out, "Agent {unit}: ");
        for cell in path {
            let _ = write!(out, "({},{})->", cell.y, cell.x);
        }
        out.push('\n');
    }
    Ok(out)
}
