//! ARCHITECTURE.md names all crates, and only things that exist; so do CONTRIBUTING.md and the
//! pages in docs/decisions.
//!
//! Everything in backticks is checked: paths, crates, and names of Rust items (anything with
//! `::`, and words in camel case).

use std::collections::BTreeSet;

use super::repository::Repository;
use super::source::{Source, words};

const FILE: &str = "ARCHITECTURE.md";

pub(crate) fn rule(repository: &Repository) -> Vec<String> {
    let Some(text) = repository.text(FILE) else {
        return vec![format!("{FILE} does not exist; write it")];
    };
    let known = Known::new(repository);
    let checked = |path: &str| {
        path == FILE || path == "CONTRIBUTING.md" || path.starts_with("docs/decisions/")
    };
    let pages = repository.files.iter().filter(|(path, _)| checked(path));
    let mut complaints: Vec<String> =
        pages.flat_map(|(path, text)| unknown_names(path, text, &known)).collect();
    let crates = repository.crates().filter_map(|folder| folder.strip_prefix("crates/"));
    let missing = crates.filter(|name| !mentions(text, name));
    complaints.extend(missing.map(|name| format!("{FILE}: does not mention the crate {name}")));
    complaints
}

/// Complaints about the names in a document that nothing in the repository has.
fn unknown_names(path: &str, text: &str, known: &Known<'_>) -> Vec<String> {
    let lines = text.lines().enumerate();
    let names = lines.flat_map(|(index, line)| in_backticks(line).map(move |name| (index, name)));
    let unknown = names.filter(|(_, name)| !known.has(name));
    unknown.map(|(index, name)| format!("{path}:{}: `{name}` does not exist", index + 1)).collect()
}

fn in_backticks(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2).map(str::trim)
}

/// Whether a crate is named, and not just one whose name begins like its own.
fn mentions(text: &str, name: &str) -> bool {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_').any(|w| w == name)
}

/// What the names in the document are looked up in.
struct Known<'a> {
    repository: &'a Repository,
    words: BTreeSet<String>,
}

impl<'a> Known<'a> {
    fn new(repository: &'a Repository) -> Self {
        let sources = repository.rust().map(|(_, text)| Source::new(text).code);
        let banned = repository.text("clippy.toml").map(str::to_owned);
        let all = sources.chain(banned);
        let words =
            all.flat_map(|text| words(&text).map(|(_, w)| w.to_owned()).collect::<Vec<_>>());
        Self { repository, words: words.collect() }
    }

    fn has(&self, name: &str) -> bool {
        let name = name.trim_end_matches("()");
        let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:*".contains(c);
        if !name.chars().all(plain) || name.contains('*') {
            true
        } else if looks_like_path(name) {
            self.has_path(name.trim_end_matches('/'))
        } else if name.starts_with("throng-") {
            self.has_path(&format!("crates/{name}"))
        } else if name.contains("::") || is_camel_case(name) {
            name.split("::").all(|part| self.words.contains(part))
        } else {
            true
        }
    }

    /// A path from the root, or the end of one; a file or a folder.
    fn has_path(&self, path: &str) -> bool {
        let (folder, tail) = (format!("{path}/"), format!("/{path}"));
        let mut files = self.repository.files.keys();
        files.any(|file| file == path || file.starts_with(&folder) || file.ends_with(&tail))
    }
}

fn looks_like_path(name: &str) -> bool {
    let extension = [".rs", ".md", ".toml"].iter().any(|extension| name.ends_with(extension));
    extension || name == "xtask" || ["crates/", "xtask/"].iter().any(|top| name.starts_with(top))
}

fn is_camel_case(name: &str) -> bool {
    let starts_upper = name.starts_with(|c: char| c.is_ascii_uppercase());
    let all = name.chars().all(|c| c.is_ascii_alphanumeric());
    starts_upper && all && name.contains(|c: char| c.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::check;

    #[track_caller]
    fn judges(text: &str, expected: &[&str]) {
        let files = [
            ("ARCHITECTURE.md", text),
            ("clippy.toml", "HashMap"),
            ("crates/throng/Cargo.toml", ""),
            ("crates/throng-model/Cargo.toml", ""),
            ("crates/throng-model/src/map.rs", "pub struct Map; impl Map { fn set() {} } // Old"),
            ("xtask/src/main.rs", ""),
        ];
        check(rule, &files, expected);
    }

    const CRATES: &str = "`throng` and `throng-model`.\n";

    #[test]
    fn names_that_exist_pass() {
        let names = "`crates/throng-model/src/map.rs` `map.rs` `crates/` `xtask` `Map` `Map::set()` \
                     `HashMap` `cargo run` `x = 1` `clippy.toml` `crates/*/src` `ALL` `plain`";
        judges(&format!("{CRATES}{names}"), &[]);
    }

    #[test]
    fn names_that_are_gone_do_not() {
        let gone = "`crates/throng-old` `gone.rs` `throng-old`\n`Old` `Map::get` `xtask/src/x.rs`";
        let expected = [
            "ARCHITECTURE.md:2: `crates/throng-old` does not exist",
            "ARCHITECTURE.md:2: `gone.rs` does not exist",
            "ARCHITECTURE.md:2: `throng-old` does not exist",
            "ARCHITECTURE.md:3: `Old` does not exist",
            "ARCHITECTURE.md:3: `Map::get` does not exist",
            "ARCHITECTURE.md:3: `xtask/src/x.rs` does not exist",
        ];
        judges(&format!("{CRATES}{gone}"), &expected);
    }

    #[test]
    fn every_crate_is_named() {
        judges("`throng-model`", &["ARCHITECTURE.md: does not mention the crate throng"]);
        judges("throng", &["ARCHITECTURE.md: does not mention the crate throng-model"]);
    }

    #[test]
    fn the_document_must_exist() {
        check(rule, &[], &["ARCHITECTURE.md does not exist; write it"]);
    }
}
