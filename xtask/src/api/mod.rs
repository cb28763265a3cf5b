//! The listing of the public interface: `docs/public-api.txt`, one sorted line per item.
//!
//! It covers the façade crate `throng` and every crate of ours that it re-exports, so that a
//! review shows each change of the interface. `cargo xtask api` writes it; `cargo xtask tidy`
//! fails when it is out of date. The lister reads the source with `syn`, because rustdoc's
//! JSON needs nightly Rust. It does not expand macros.

mod listing;
mod print;
mod resolve;
mod tree;

use std::collections::{BTreeMap, BTreeSet};

use listing::Listing;
use tree::Crate;

/// Where the listing is kept.
pub(crate) const FILE: &str = "docs/public-api.txt";
/// The crate that a user adds.
const FACADE: &str = "throng";

const HEAD: &str = "\
# The public interface of `throng` and of the crates that it re-exports.
# Written by `cargo xtask api`; do not edit.
";

/// The listing for the Rust files of a repository, by path from the root.
///
/// # Errors
/// When a file cannot be parsed; the message names it.
pub(crate) fn listing(files: &BTreeMap<String, String>) -> Result<String, String> {
    let mut crates = BTreeMap::new();
    for folder in files.keys().filter_map(|path| path.strip_suffix("/src/lib.rs")) {
        let Some(name) = folder.strip_prefix("crates/") else { continue };
        let loaded = Crate::load(files, folder)?;
        crates.insert(name.replace('-', "_"), loaded);
    }
    let mut lines = Listing::new(&crates).lines(FACADE);
    lines.insert(0, HEAD.to_owned());
    Ok(lines.join("\n") + "\n")
}

/// The lines that only one of two listings has: removed ones first, then added ones.
pub(crate) fn difference(old: &str, new: &str) -> Vec<String> {
    let (before, after): (BTreeSet<&str>, BTreeSet<&str>) =
        (old.lines().collect(), new.lines().collect());
    let removed = old.lines().filter(|line| !after.contains(line)).map(|line| format!("- {line}"));
    let added = new.lines().filter(|line| !before.contains(line)).map(|line| format!("+ {line}"));
    removed.chain(added).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(files: &[(&str, &str)], expected: &[&str]) {
        let files = files.iter().map(|&(path, text)| (path.to_owned(), text.to_owned())).collect();
        let listed = listing(&files).unwrap();
        let lines: Vec<_> = listed.lines().skip(HEAD.lines().count() + 1).collect();
        assert_eq!(lines, expected);
    }

    #[test]
    fn items_are_listed_with_their_signatures() {
        let text = "
            /// Doc.
            #[derive(Clone, Debug)]
            #[cfg_attr(feature = \"serde\", derive(serde::Serialize))]
            #[non_exhaustive]
            pub struct Map<T> { pub width: u16, cells: Vec<T> }
            pub struct Tick(pub u32);
            impl<T: Copy> Map<T> {
                pub const SIDE: usize = 4;
                #[must_use]
                pub fn at(&self, (x, y): (u16, u16)) -> Option<&'_ T> { None }
                fn hidden(&self) {}
            }
            impl From<u32> for Tick { fn from(t: u32) -> Self { Self(t) } }
            pub enum Step { Move { to: u8 }, Wait(u8), Stop }
            pub trait Space: Clone { type Entry; fn steps(&self) -> u8; fn len(&self) -> u8 { 0 } }
            pub fn plan<F>(f: F) -> Result<(), [u8; 4]> where F: Fn(&mut u8) -> bool { Ok(()) }
            pub const MAX: u32 = 1;
            pub type Pair = (u8, u8);
            struct Private;
            impl Private { pub fn unseen(&self) {} }
            pub(crate) fn internal() {}
            #[cfg(test)] pub mod tests { pub fn f() {} }";
        let expected = [
            "pub const throng::MAX: u32",
            "#[non_exhaustive] pub struct throng::Map<T>",
            "#[cfg(feature = \"serde\")] impl Serialize for throng::Map",
            "impl Clone + Debug for throng::Map",
            "pub const throng::Map::SIDE: usize",
            "pub fn throng::Map::at(&self, (x, y): (u16, u16)) -> Option<&'_ T>",
            "pub throng::Map::width: u16",
            "pub type throng::Pair = (u8, u8)",
            "pub trait throng::Space: Clone",
            "pub type throng::Space::Entry",
            "pub fn throng::Space::len(&self) -> u8 { .. }",
            "pub fn throng::Space::steps(&self) -> u8",
            "pub enum throng::Step",
            "pub throng::Step::Move { to: u8 }",
            "pub throng::Step::Stop",
            "pub throng::Step::Wait(u8)",
            "pub struct throng::Tick",
            "impl From<u32> for throng::Tick",
            "pub throng::Tick::0: u32",
            "pub fn throng::plan<F>(f: F) -> Result<(), [u8; 4]> where F: Fn(&mut u8) -> bool",
        ];
        check(&[("crates/throng/src/lib.rs", text)], &expected);
    }

    #[test]
    fn private_modules_are_listed_where_they_are_re_exported() {
        let files = [
            (
                "crates/throng/src/lib.rs",
                "mod a; pub mod prelude; pub use a::{World, b::Cell as C};",
            ),
            ("crates/throng/src/a.rs", "pub mod b; pub struct World; pub struct Unseen;"),
            (
                "crates/throng/src/a/b.rs",
                "use super::World; pub struct Cell; impl World { pub fn tick(&mut self) {} }",
            ),
            ("crates/throng/src/prelude.rs", "pub use crate::a::*;"),
        ];
        let expected = [
            "pub struct throng::C",
            "pub struct throng::World",
            "pub fn throng::World::tick(&mut self)",
            "pub mod throng::prelude",
            "pub struct throng::prelude::Unseen",
            "pub use throng::prelude::World = throng::World",
        ];
        let listed = listing(&files.map(|(p, t)| (p.to_owned(), t.to_owned())).into()).unwrap();
        for line in &expected {
            assert!(listed.lines().any(|l| l == *line), "{line} is missing in\n{listed}");
        }
    }

    #[test]
    fn re_exported_crates_are_listed_by_their_own_paths() {
        let files = [
            (
                "crates/throng/src/lib.rs",
                "#[cfg(feature = \"lab\")] pub use throng_lab as lab; pub use throng_model::Map;",
            ),
            ("crates/throng-lab/src/lib.rs", "pub fn run(map: &throng_model::Map) {}"),
            ("crates/throng-model/src/lib.rs", "pub struct Map;"),
            ("crates/throng-other/src/lib.rs", "pub struct Unused;"),
        ];
        let expected = [
            "pub use throng::Map = throng_model::Map",
            "#[cfg(feature = \"lab\")] pub use throng::lab = throng_lab",
            "pub fn throng_lab::run(map: &throng_model::Map)",
            "pub struct throng_model::Map",
        ];
        check(&files, &expected);
    }

    #[test]
    fn a_difference_shows_what_went_and_what_came() {
        let (old, new) = ("pub fn throng::a()\npub fn throng::b()\n", "pub fn throng::a()\nx\n");
        assert_eq!(difference(old, new), ["- pub fn throng::b()", "+ x"]);
        assert!(difference(old, old).is_empty());
    }
}
