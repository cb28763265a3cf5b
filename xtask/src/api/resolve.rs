//! Resolves paths to definitions, through imports, globs and re-exports.

use std::collections::BTreeMap;

use super::tree::{Crate, Module, Names};

/// The crates by name, with `_` for `-`.
pub(crate) type Crates = BTreeMap<String, Crate>;

/// What a path leads to: an item, a module, or a crate (whose module path is empty).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Target {
    Item { krate: String, module: Names, name: String },
    Module { krate: String, path: Names },
}

/// Imports can be circular; no sound path is longer than this.
const DEPTH_MAX: usize = 24;

/// Resolves a path as written in a module of a crate; `None` for paths of foreign crates.
pub(crate) fn resolve(
    crates: &Crates,
    krate: &str,
    module: &[String],
    path: &[String],
) -> Option<Target> {
    resolve_within(crates, krate, module, path, DEPTH_MAX)
}

fn resolve_within(
    crates: &Crates,
    krate: &str,
    module: &[String],
    path: &[String],
    depth: usize,
) -> Option<Target> {
    let depth = depth.checked_sub(1)?;
    let (first, rest) = path.split_first()?;
    let start = |path: &[String]| Target::Module { krate: krate.to_owned(), path: path.to_vec() };
    let from = match &first[..] {
        "crate" => start(&[]),
        "self" => start(module),
        "super" => start(module.split_last()?.1),
        name => match lookup(crates, krate, module, name, depth) {
            Some(found) => found,
            None if crates.contains_key(name) => {
                Target::Module { krate: name.to_owned(), path: Vec::new() }
            }
            None => return None,
        },
    };
    rest.iter().try_fold(from, |from, name| match (from, &name[..]) {
        (Target::Module { krate, path }, "super") => {
            Some(Target::Module { krate, path: path.split_last()?.1.to_vec() })
        }
        (Target::Module { krate, path }, name) => lookup(crates, &krate, &path, name, depth),
        // A variant or an associated item: the item itself is enough.
        (item, _) => Some(item),
    })
}

/// What a name means inside a module.
fn lookup(
    crates: &Crates,
    krate: &str,
    module: &[String],
    name: &str,
    depth: usize,
) -> Option<Target> {
    let found: &Module = crates.get(krate)?.modules.get(module)?;
    if found.children.iter().any(|child| child.name == name) {
        let path = [module, &[name.to_owned()]].concat();
        return Some(Target::Module { krate: krate.to_owned(), path });
    }
    if found.items.iter().any(|item| super::listing::name_of(item).as_deref() == Some(name)) {
        let (krate, module) = (krate.to_owned(), module.to_vec());
        return Some(Target::Item { krate, module, name: name.to_owned() });
    }
    let named = found.imports.iter().filter(|import| import.name.as_deref() == Some(name));
    // `use throng_model;` names itself: it means the crate.
    let others = |path: &[String]| path.len() > 1 || path.first().is_none_or(|only| only != name);
    let named = named.filter(|import| others(&import.path));
    let mut found_named =
        named.filter_map(|import| resolve_within(crates, krate, module, &import.path, depth));
    if let Some(target) = found_named.next() {
        return Some(target);
    }
    let globs = found.imports.iter().filter(|import| import.name.is_none());
    globs
        .filter_map(|import| resolve_within(crates, krate, module, &import.path, depth))
        .filter_map(|target| match target {
            Target::Module { krate, path } => {
                lookup(crates, &krate, &path, name, depth.checked_sub(1)?)
            }
            Target::Item { .. } => None,
        })
        .next()
}
