//! Tables of results: as CSV for programs, aligned for people.

use std::fmt;

/// One entry of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A label.
    Text(String),
    /// A count.
    Count(u64),
    /// A measurement, and the number of decimals to print.
    Number(f64, usize),
    /// Not measured here.
    Missing,
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Count(count) => count.fmt(f),
            Self::Number(number, decimals) => write!(f, "{number:.decimals$}"),
            Self::Missing => Ok(()),
        }
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<usize> for Value {
    fn from(count: usize) -> Self {
        Self::Count(count as u64)
    }
}

impl From<u64> for Value {
    fn from(count: u64) -> Self {
        Self::Count(count)
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<(f64, usize)> for Value {
    /// A number, and its decimals.
    fn from((number, decimals): (f64, usize)) -> Self {
        Self::Number(number, decimals)
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Missing, Into::into)
    }
}

impl From<()> for Value {
    fn from((): ()) -> Self {
        Self::Missing
    }
}

/// A row of a table from anything that becomes a [`Value`].
macro_rules! row {
    ($($value:expr),* $(,)?) => { vec![$($crate::Value::from($value)),*] };
}
pub(crate) use row;

/// A table of results. Displays with its columns aligned, under its title.
///
/// ```
/// use throng_lab::{Table, Value};
/// let mut table = Table::new("nodes", "Nodes expanded", &["map", "mean"]);
/// table.push(vec!["maze".into(), Value::Number(12.345, 1)]);
/// assert_eq!(table.csv(), "map,mean\nmaze,12.3\n");
/// assert_eq!(table.to_string(), "Nodes expanded\nmap   mean\nmaze  12.3\n");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// A short name, also of its file: `many-to-many`.
    pub name: String,
    /// The title.
    pub title: String,
    /// The titles of the columns.
    pub columns: Vec<String>,
    /// The rows, each with one value per column.
    pub rows: Vec<Vec<Value>>,
}

impl Table {
    /// A table without rows.
    #[must_use]
    pub fn new(name: &str, title: &str, columns: &[&str]) -> Self {
        Self {
            name: name.to_owned(),
            title: title.to_owned(),
            columns: columns.iter().map(|&column| column.to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a row. It is padded with missing values, or cut, to the number of columns.
    pub fn push(&mut self, mut row: Vec<Value>) {
        row.resize(self.columns.len(), Value::Missing);
        self.rows.push(row);
    }

    /// The table as CSV (RFC 4180, with plain line feeds), the titles of the columns first.
    #[must_use]
    pub fn csv(&self) -> String {
        let columns = self.columns.iter().cloned().map(Value::Text).collect();
        let lines = std::iter::once(&columns).chain(&self.rows).map(|row: &Vec<Value>| {
            let fields: Vec<String> = row.iter().map(|value| quoted(&value.to_string())).collect();
            fields.join(",") + "\n"
        });
        lines.collect()
    }

    /// How wide each column is, in characters.
    fn widths(&self) -> Vec<usize> {
        let width = |(at, name): (usize, &String)| {
            let values = self.rows.iter().map(|row| row[at].to_string().chars().count());
            values.chain([name.chars().count()]).max().unwrap_or(0)
        };
        self.columns.iter().enumerate().map(width).collect()
    }

    /// Whether the column holds labels, which are aligned left; numbers are aligned right.
    fn is_text(&self, column: usize) -> bool {
        self.rows.iter().any(|row| matches!(row[column], Value::Text(_)))
    }

    fn line(&self, widths: &[usize], fields: &[String]) -> String {
        let fields = fields.iter().zip(widths).enumerate();
        let aligned = fields.map(|(column, (field, &width))| {
            if self.is_text(column) {
                format!("{field:<width$}")
            } else {
                format!("{field:>width$}")
            }
        });
        aligned.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths = self.widths();
        writeln!(f, "{}", self.title)?;
        writeln!(f, "{}", self.line(&widths, &self.columns))?;
        for row in &self.rows {
            let fields: Vec<String> = row.iter().map(Value::to_string).collect();
            writeln!(f, "{}", self.line(&widths, &fields))?;
        }
        Ok(())
    }
}

fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new("t", "Title", &["name", "count", "a, b"]);
        table.push(vec!["ümläut".into(), 3_usize.into(), Value::Number(0.5, 2)]);
        table.push(vec!["say \"no\"".into()]);
        table
    }

    #[test]
    fn columns_are_aligned_words_left_and_numbers_right() {
        let expected = "Title\nname      count  a, b\nümläut        3  0.50\nsay \"no\"\n";
        assert_eq!(table().to_string(), expected);
    }

    #[test]
    fn csv_quotes_what_needs_it() {
        let expected = "name,count,\"a, b\"\nümläut,3,0.50\n\"say \"\"no\"\"\",,\n";
        assert_eq!(table().csv(), expected);
    }
}
