//! The checked-in counts: one line `name,instructions` per loop.
#![expect(clippy::disallowed_methods, reason = "a benchmark reads its table")]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

const HEADER: &str = "loop,instructions";

/// Instructions by the name of the loop.
pub(crate) struct Table(BTreeMap<String, u64>);

impl Table {
    pub(crate) fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let row = |(index, line): (usize, &str)| {
            let row = line.split_once(',').and_then(|(name, count)| {
                count.trim().parse().ok().map(|count| (name.to_owned(), count))
            });
            row.ok_or_else(|| format!("{}:{}: not `name,count`", path.display(), index + 1))
        };
        text.lines().enumerate().skip(1).map(row).collect::<Result<_, _>>().map(Self)
    }

    pub(crate) fn get(&self, name: &str) -> Option<u64> {
        self.0.get(name).copied()
    }

    pub(crate) fn set(&mut self, name: &str, instructions: u64) {
        self.0.insert(name.to_owned(), instructions);
    }

    pub(crate) fn write(&self, path: &Path) -> Result<(), String> {
        let mut text = format!("{HEADER}\n");
        for (name, instructions) in &self.0 {
            let _ = writeln!(text, "{name},{instructions}");
        }
        std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
    }
}
