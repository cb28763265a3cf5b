//! The properties of standard output: terminal, colours, size.

use std::ffi::OsStr;
use std::io::IsTerminal;

/// How to write to standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Screen {
    /// It is a terminal.
    pub(crate) is_terminal: bool,
    /// Colours may be used.
    pub(crate) colour: bool,
    /// Characters per line.
    pub(crate) width: usize,
    /// How many lines can be redrawn in place; `None` where none can.
    pub(crate) redrawn_lines: Option<usize>,
}

/// Used where the size is unknown.
const WIDTH_DEFAULT: usize = 80;
const HEIGHT_DEFAULT: usize = 24;

impl Screen {
    pub(crate) fn detect() -> Self {
        let is_terminal = std::io::stdout().is_terminal();
        let variable = |name: &str| std::env::var_os(name);
        let is_dumb = variable("TERM").is_some_and(|term| term == "dumb");
        let colour = wants_colour(
            variable("NO_COLOR").as_deref(),
            variable("CLICOLOR_FORCE").as_deref(),
            is_terminal && !is_dumb,
        );
        let (width, height) = terminal_size::terminal_size()
            .map_or((WIDTH_DEFAULT, HEIGHT_DEFAULT), |(w, h)| (usize::from(w.0), usize::from(h.0)));
        let redrawn_lines = (is_terminal && !is_dumb).then_some(height);
        Self { is_terminal, colour, width, redrawn_lines }
    }

    /// The same for output that a program reads: only the result is written.
    pub(crate) fn for_program(self) -> Self {
        Self { redrawn_lines: None, ..self }
    }

    /// The text in bold, if colours may be used.
    pub(crate) fn bold(&self, text: &str) -> String {
        if self.colour { format!("\x1b[1m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// The conventions of no-color.org and of bixense.com/clicolors.
fn wants_colour(no_color: Option<&OsStr>, force: Option<&OsStr>, is_terminal: bool) -> bool {
    if no_color.is_some_and(|value| !value.is_empty()) {
        return false;
    }
    is_terminal || force.is_some_and(|value| !value.is_empty() && value != "0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_follow_terminal_and_environment() {
        let check = |no: Option<&str>, force: Option<&str>, terminal, expected| {
            let found = wants_colour(no.map(OsStr::new), force.map(OsStr::new), terminal);
            assert_eq!(found, expected, "{no:?} {force:?} {terminal}");
        };
        check(None, None, true, true);
        check(None, None, false, false);
        check(Some("1"), None, true, false);
        check(Some(""), None, true, true);
        check(None, Some("1"), false, true);
        check(None, Some("0"), false, false);
        check(Some("1"), Some("1"), false, false);
    }
}
