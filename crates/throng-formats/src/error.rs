//! Errors in files: what is wrong, where, and what to do.

use std::fmt;

/// A mistake in a file: where it is, what it is, and what to do about it.
///
/// Displayed as `file:line:column: problem; remedy`. Readers get bytes only; the caller that
/// opened the file adds its name with [`FormatError::in_file`].
///
/// ```
/// use throng_formats::{map, MapOptions};
/// let error = map::read(b"type octile\nheight 1\nwidth 2\nmap\n.?\n", MapOptions::default());
/// assert_eq!(
///     error.unwrap_err().in_file("town.map").to_string(),
///     "town.map:5:2: '?' is no MovingAI terrain; use one of . G S W @ O T, a digit 2 to 9 as \
///      cost factor, explain the letter in a terrain table, or read the map as mapf or strict",
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatError {
    /// The file's name, if the caller has added it.
    pub file: Option<String>,
    /// Line, counted from 1.
    pub line: Option<usize>,
    /// Column in characters, counted from 1.
    pub column: Option<usize>,
    /// What is wrong.
    pub problem: String,
    /// What to do about it.
    pub remedy: String,
}

impl FormatError {
    /// A mistake of the file as a whole.
    #[must_use]
    pub fn new(problem: impl Into<String>, remedy: impl Into<String>) -> Self {
        let (problem, remedy) = (problem.into(), remedy.into());
        Self { file: None, line: None, column: None, problem, remedy }
    }

    /// The same mistake, in a line.
    #[must_use]
    pub fn at_line(self, line: usize) -> Self {
        Self { line: Some(line), ..self }
    }

    /// The same mistake, in a line and column.
    #[must_use]
    pub fn at(self, line: usize, column: usize) -> Self {
        Self { line: Some(line), column: Some(column), ..self }
    }

    /// The same mistake, with the name of the file that was read.
    #[must_use]
    pub fn in_file(self, name: impl Into<String>) -> Self {
        Self { file: Some(name.into()), ..self }
    }

    fn place(&self) -> String {
        let mut place = self.file.clone().unwrap_or_default();
        let words = if place.is_empty() { ["line ", ", column "] } else { [":", ":"] };
        for (word, number) in words.into_iter().zip([self.line, self.column]) {
            if let Some(number) = number {
                place.push_str(word);
                place.push_str(&number.to_string());
            }
        }
        place
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.place();
        let colon = if place.is_empty() { "" } else { ": " };
        write!(f, "{place}{colon}{}; {}", self.problem, self.remedy)
    }
}

impl std::error::Error for FormatError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_place_is_shown_as_far_as_it_is_known() {
        let error = FormatError::new("short", "add cells");
        let shown = [
            error.clone(),
            error.clone().at_line(3),
            error.clone().at(3, 5),
            error.clone().in_file("a.map"),
            error.at(3, 5).in_file("a.map"),
        ]
        .map(|error| error.to_string());
        assert_eq!(
            shown,
            [
                "short; add cells",
                "line 3: short; add cells",
                "line 3, column 5: short; add cells",
                "a.map: short; add cells",
                "a.map:3:5: short; add cells",
            ]
        );
    }
}
