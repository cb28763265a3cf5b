//! Bytes to lines, fields and numbers, with line and column for error messages.

use std::ops::RangeInclusive;

use throng_model::limits::{FILE_BYTES_MAX, MAP_SIDE_MAX};

use crate::FormatError;

/// The bytes as text, without byte order mark.
pub(crate) fn decode<'a>(bytes: &'a [u8], expected: &str) -> Result<&'a str, FormatError> {
    let remedy = || format!("give {expected}");
    if bytes.len() as u64 > FILE_BYTES_MAX {
        let problem = format!("{} bytes: the limit is {FILE_BYTES_MAX}", bytes.len());
        return Err(FormatError::new(problem, "split the file"));
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(FormatError::new("the file is UTF-16 text", "save it as UTF-8"));
    }
    let bytes = bytes.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(bytes);
    let text = match std::str::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => text,
        not_text => {
            let zero = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
            let at = not_text.map_or_else(|error| error.valid_up_to().min(zero), |_| zero);
            return Err(not_text_at(bytes, at, remedy()));
        }
    };
    if text.trim().is_empty() {
        return Err(FormatError::new("the file is empty", remedy()));
    }
    Ok(text)
}

fn not_text_at(bytes: &[u8], at: usize, remedy: String) -> FormatError {
    let before = &bytes[..at];
    let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
    let line_start = before.iter().rposition(|&b| b == b'\n').map_or(0, |i| i + 1);
    let column = String::from_utf8_lossy(&before[line_start..]).chars().count() + 1;
    let problem = format!("byte 0x{:02x}: this is not a text file", bytes[at]);
    FormatError::new(problem, remedy).at(line, column)
}

/// One line without its line ending.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line<'a> {
    pub(crate) number: usize,
    pub(crate) text: &'a str,
}

/// The lines of a text. Line endings may be LF, CRLF or a mixture.
pub(crate) fn lines(text: &str) -> impl Iterator<Item = Line<'_>> + Clone {
    let ends_clean = text.strip_suffix('\n').unwrap_or(text);
    let numbered = ends_clean.split('\n').enumerate();
    numbered.map(|(i, text)| Line { number: i + 1, text: text.trim_end_matches('\r') })
}

impl<'a> Line<'a> {
    pub(crate) fn is_blank(self) -> bool {
        self.text.trim().is_empty()
    }

    /// A mistake at a byte offset of this line.
    pub(crate) fn error(
        self,
        offset: usize,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) -> FormatError {
        let before = self.text.get(..offset).unwrap_or(self.text);
        FormatError::new(problem, remedy).at(self.number, before.chars().count() + 1)
    }

    /// The fields between separators, trimmed, each with its byte offset.
    pub(crate) fn split(
        self,
        separator: impl Fn(char) -> bool + 'a,
    ) -> impl Iterator<Item = Field<'a>> {
        let mut offset = 0;
        self.text.split(move |c: char| separator(c)).map(move |raw| {
            let lead = raw.len() - raw.trim_start().len();
            let field = Field { line: self, offset: offset + lead, text: raw.trim() };
            // Every separator used is a single ASCII character.
            offset += raw.len() + 1;
            field
        })
    }
}

/// A part of a line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field<'a> {
    pub(crate) line: Line<'a>,
    pub(crate) offset: usize,
    pub(crate) text: &'a str,
}

impl Field<'_> {
    pub(crate) fn error(
        self,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) -> FormatError {
        self.line.error(self.offset, problem, remedy)
    }

    /// The field as a whole number; `what` names it in the error.
    pub(crate) fn whole(self, what: &str, range: RangeInclusive<u32>) -> Result<u32, FormatError> {
        let is_digits = !self.text.is_empty() && self.text.bytes().all(|b| b.is_ascii_digit());
        let (min, max) = (range.start(), range.end());
        match self.text.parse() {
            Ok(value) if is_digits && range.contains(&value) => Ok(value),
            _ => {
                let wrong = if is_digits { "out of bounds" } else { "not a whole number" };
                let problem = format!("{what} {} is {wrong}", quote(self.text));
                Err(self.error(problem, format!("give a whole number from {min} to {max}")))
            }
        }
    }

    /// The field as a side of a map.
    pub(crate) fn side(self, what: &str) -> Result<u16, FormatError> {
        self.whole(what, 1..=MAP_SIDE_MAX).map(|value| value as u16)
    }

    /// The field as a column or row of a map that has `side` of them.
    pub(crate) fn coordinate(self, what: &str, side: u32) -> Result<u16, FormatError> {
        let last = side.clamp(1, MAP_SIDE_MAX) - 1;
        self.whole(what, 0..=last).map(|value| value as u16)
    }
}

/// A token for an error message: shortened, and without control characters.
pub(crate) fn quote(token: &str) -> String {
    const SHOWN: usize = 24;
    let shown: String = token.chars().take(SHOWN).collect();
    let more = if shown.len() < token.len() { "..." } else { "" };
    format!("'{}{more}'", shown.escape_debug())
}

/// Reads a line from left to right.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    pub(crate) line: Line<'a>,
    pub(crate) offset: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(line: Line<'a>, offset: usize) -> Self {
        Self { line, offset }
    }

    pub(crate) fn rest(&self) -> &'a str {
        self.line.text.get(self.offset..).unwrap_or("")
    }

    /// The rest of the line, as a field.
    pub(crate) fn rest_field(mut self) -> Field<'a> {
        self.skip_spaces();
        Field { line: self.line, offset: self.offset, text: self.rest().trim() }
    }

    pub(crate) fn skip_spaces(&mut self) {
        self.offset += self.rest().len() - self.rest().trim_start().len();
    }

    /// Steps over `token` if it comes next.
    pub(crate) fn eat(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        self.offset += if found { token.len() } else { 0 };
        found
    }

    pub(crate) fn expect(&mut self, token: &str, form: &str) -> Result<(), FormatError> {
        if self.eat(token) {
            return Ok(());
        }
        let found = match self.rest().chars().next() {
            Some(found) => quote(&found.to_string()),
            None => "the end of the line".to_owned(),
        };
        Err(self.error(format!("{found} where '{token}' is expected"), format!("write {form}")))
    }

    /// The characters up to the first one that fits `stop`, as a field.
    pub(crate) fn until(&mut self, stop: impl Fn(char) -> bool) -> Field<'a> {
        let rest = self.rest();
        let length = rest.find(stop).unwrap_or(rest.len());
        let field = Field { line: self.line, offset: self.offset, text: &rest[..length] };
        self.offset += length;
        field
    }

    /// Two coordinates in brackets: `(3,4)`.
    pub(crate) fn pair(&mut self, names: [&str; 2]) -> Result<(u16, u16), FormatError> {
        let form = format!("a cell as ({},{})", names[0], names[1]);
        self.expect("(", &form)?;
        let first = self.coordinate(names[0])?;
        self.expect(",", &form)?;
        let second = self.coordinate(names[1])?;
        Ok((first, second))
    }

    fn coordinate(&mut self, name: &str) -> Result<u16, FormatError> {
        let field = self.until(|c| matches!(c, ',' | '(' | ')'));
        field.coordinate(name, MAP_SIDE_MAX)
    }

    pub(crate) fn error(
        &self,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) -> FormatError {
        self.line.error(self.offset, problem, remedy)
    }
}
