//! What the JSON and YAML formats share: checked numbers, and errors with their place.

use serde::Deserialize;
use throng_model::Cell;
use throng_model::limits::{HORIZON_MAX, MAP_SIDE_MAX};

use crate::FormatError;

/// A whole number within bounds: a mistake is found where it stands in the file.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "i64")]
pub(crate) struct Whole<const MIN: u32, const MAX: u32>(pub(crate) u32);

impl<const MIN: u32, const MAX: u32> TryFrom<i64> for Whole<MIN, MAX> {
    type Error = String;
    fn try_from(value: i64) -> Result<Self, String> {
        let within = u32::try_from(value).ok().filter(|v| (MIN..=MAX).contains(v));
        within.map(Self).ok_or_else(|| format!("{value} is outside {MIN} to {MAX}"))
    }
}

/// A column or row that some map could have.
pub(crate) type Coordinate = Whole<0, { MAP_SIDE_MAX - 1 }>;
/// Columns or rows of a map.
pub(crate) type Side = Whole<1, MAP_SIDE_MAX>;
/// A tick of a plan.
pub(crate) type Time = Whole<0, HORIZON_MAX>;

/// The cell in this column and row.
pub(crate) fn cell(x: Coordinate, y: Coordinate) -> Cell {
    // Coordinates are below 4096.
    Cell::new(x.0 as u16, y.0 as u16)
}

/// A cell as `[x, y]`.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Pair(pub(crate) Coordinate, pub(crate) Coordinate);

impl Pair {
    pub(crate) fn cell(self) -> Cell {
        cell(self.0, self.1)
    }
}

/// Reads JSON.
pub(crate) fn from_json<'a, T: Deserialize<'a>>(
    text: &'a str,
    expected: &str,
) -> Result<T, FormatError> {
    serde_json::from_str(text).map_err(|error| {
        let message = error.to_string();
        // The place is shown by the error itself.
        let problem = message.split(" at line ").next().unwrap_or_default();
        FormatError::new(clipped(problem), format!("give {expected}"))
            .at(error.line().max(1), error.column().max(1))
    })
}

/// Reads a YAML file of one document.
pub(crate) fn from_yaml<'a, T: Deserialize<'a>>(
    text: &'a str,
    expected: &str,
) -> Result<T, FormatError> {
    let read = serde_saphyr::from_str_with_options(text, yaml_options());
    read.map_err(|error| yaml_error(&error, expected))
}

/// Reads a YAML file of one or more documents.
pub(crate) fn from_yaml_documents<'a, T: Deserialize<'a>>(
    text: &'a str,
    expected: &str,
) -> Result<Vec<T>, FormatError> {
    let read = serde_saphyr::from_multiple_with_options(text, yaml_options());
    read.map_err(|error| yaml_error(&error, expected))
}

/// Plans are larger than the configuration files that the defaults are made for, but need no
/// anchors: without those, nothing in a file grows when it is read.
fn yaml_options() -> serde_saphyr::Options {
    let budget = serde_saphyr::budget! {
        max_events: usize::MAX,
        max_nodes: usize::MAX,
        max_total_scalar_bytes: usize::MAX,
        max_anchors: 0,
        max_aliases: 0,
        max_merge_keys: 0,
    };
    serde_saphyr::options! { budget: budget, with_snippet: false }
}

fn yaml_error(error: &serde_saphyr::Error, expected: &str) -> FormatError {
    let message = error.without_snippet().to_string();
    let problem = message.lines().next().unwrap_or_default();
    let problem = problem.split(" at line ").next().unwrap_or_default();
    let wrapped = FormatError::new(clipped(in_plain_words(problem)), format!("give {expected}"));
    match error.location() {
        Some(place) => wrapped.at(place.line() as usize, place.column() as usize),
        None => wrapped,
    }
}

/// The YAML reader speaks of Rust's types and its own options.
fn in_plain_words(problem: &str) -> &str {
    match problem {
        "invalid i64" | "invalid u32" => "not a whole number",
        "invalid f64" => "not a number",
        _ if problem.starts_with("budget breached: Anchors") => "an anchor: throng reads none",
        _ => problem.split(", set ").next().unwrap_or(problem),
    }
}

/// A message that may quote the file, at most a line or two long.
fn clipped(message: &str) -> String {
    const SHOWN: usize = 160;
    let shown: String = message.chars().take(SHOWN).collect();
    let more = if shown.len() < message.len() { "..." } else { "" };
    format!("{}{more}", shown.escape_debug()).replace("\\\"", "\"").replace("\\'", "'")
}

/// A string in double quotes, which JSON and YAML read alike.
pub(crate) fn quoted(value: &str) -> String {
    serde_json::Value::from(value).to_string()
}

/// A number as JSON and YAML write it, or the text itself in quotes.
pub(crate) fn number_or_quoted(value: &str) -> String {
    let is_plain = value.parse::<f64>().is_ok_and(f64::is_finite)
        && value.bytes().all(|b| b.is_ascii_digit() || b == b'.' || b == b'-')
        && value.starts_with(|c: char| c.is_ascii_digit() || c == '-')
        && value.ends_with(|c: char| c.is_ascii_digit());
    if is_plain { value.to_owned() } else { quoted(value) }
}
