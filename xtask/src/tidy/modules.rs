//! No dead files: every Rust file of a package is a target of Cargo's or a module of one.

use std::collections::BTreeSet;

use super::repository::Repository;
use super::source::{Source, words};

pub(crate) fn rule(repository: &Repository) -> Vec<String> {
    let mut reached = BTreeSet::new();
    for (path, _) in repository.rust().filter(|(path, _)| is_target(repository, path)) {
        reach(repository, path, true, &mut reached);
    }
    let dead = repository.rust().filter(|(path, _)| !reached.contains(*path));
    dead.map(|(path, _)| format!("{path}: no module leads to this file; delete it or declare it"))
        .collect()
}

/// The folder of the package that a file belongs to: the longest with a manifest.
fn package<'a>(repository: &Repository, path: &'a str) -> &'a str {
    let folders = path.match_indices('/').map(|(at, _)| &path[..=at]);
    let mut packages =
        folders.filter(|folder| repository.text(&format!("{folder}Cargo.toml")).is_some());
    packages.next_back().unwrap_or("")
}

/// Whether Cargo compiles the file by itself: by its place, or because the manifest says so.
fn is_target(repository: &Repository, path: &str) -> bool {
    let package = package(repository, path);
    let inside = &path[package.len()..];
    let manifest = repository.text(&format!("{package}Cargo.toml")).unwrap_or("");
    let parts: Vec<_> = inside.split('/').collect();
    let by_place = matches!(
        parts[..],
        ["build.rs"]
            | ["src", "lib.rs" | "main.rs"]
            | ["src", "bin", _]
            | ["src", "bin", _, "main.rs"]
            | ["tests" | "benches" | "examples", _]
            | ["tests" | "benches" | "examples", _, "main.rs"]
    );
    by_place || manifest.contains(&format!("path = \"{inside}\""))
}

/// Follows the module declarations of a file. The modules of a target, and of a `mod.rs`,
/// are files beside it; those of another file are in the folder of its name.
fn reach(repository: &Repository, path: &str, is_target: bool, reached: &mut BTreeSet<String>) {
    let Some(text) = repository.text(path) else { return };
    if !reached.insert(path.to_owned()) {
        return;
    }
    let beside = is_target || path.ends_with("/mod.rs");
    let (folder, _) = path.rsplit_once('/').unwrap_or(("", path));
    let home = if beside { folder } else { path.strip_suffix(".rs").unwrap_or(path) };
    for module in declared(text) {
        for file in [format!("{home}/{module}.rs"), format!("{home}/{module}/mod.rs")] {
            reach(repository, &file, false, reached);
        }
    }
}

/// The names in `mod name;`.
fn declared(text: &str) -> Vec<String> {
    let code = Source::new(text).code;
    let pairs = words(&code).zip(words(&code).skip(1));
    let modules = pairs.filter(|&((_, word), (at, name))| {
        word == "mod" && code[at + name.len()..].trim_start().starts_with(';')
    });
    modules.map(|(_, (_, name))| name.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::check;

    #[test]
    fn declarations_are_found_and_inline_modules_are_not() {
        let text = "mod a; pub mod b ;\n#[cfg(test)]\nmod tests { fn f() {} } // mod c;";
        assert_eq!(declared(text), ["a", "b"]);
    }

    #[test]
    fn modules_are_followed_through_folders() {
        let files = [
            ("crates/x/Cargo.toml", "[[bench]]\npath = \"speed/all.rs\""),
            ("crates/x/src/lib.rs", "mod a; mod c;"),
            ("crates/x/src/a.rs", "mod b;"),
            ("crates/x/src/a/b.rs", ""),
            ("crates/x/src/c/mod.rs", "mod d;"),
            ("crates/x/src/c/d.rs", ""),
            ("crates/x/src/bin/tool.rs", ""),
            ("crates/x/tests/it/main.rs", "mod e;"),
            ("crates/x/tests/it/e.rs", ""),
            ("crates/x/speed/all.rs", ""),
        ];
        check(rule, &files, &[]);
    }

    #[test]
    fn a_file_that_nothing_declares_is_dead() {
        let files = [
            ("crates/x/Cargo.toml", ""),
            ("crates/x/src/lib.rs", "mod a; // mod old;"),
            ("crates/x/src/a.rs", ""),
            ("crates/x/src/b.rs", ""),
            ("crates/x/src/old.rs", "mod older;"),
            ("crates/x/src/old/older.rs", ""),
        ];
        let dead = |path| format!("{path}: no module leads to this file; delete it or declare it");
        let expected =
            ["b.rs", "old.rs", "old/older.rs"].map(|f| dead(format!("crates/x/src/{f}")));
        check(rule, &files, &expected.each_ref().map(String::as_str));
    }
}
