//! The modules of a crate, parsed from its source files.

use std::collections::BTreeMap;

use syn::{Attribute, Item, UseTree, Visibility};

/// A path of names.
pub(crate) type Names = Vec<String>;

/// A crate: its modules by path from the root.
pub(crate) struct Crate {
    pub(crate) modules: BTreeMap<Names, Module>,
}

/// The items, imports and child modules of one module.
#[derive(Default)]
pub(crate) struct Module {
    pub(crate) items: Vec<Item>,
    pub(crate) imports: Vec<Import>,
    pub(crate) children: Vec<Child>,
}

/// One name that a `use` brings into a module.
pub(crate) struct Import {
    pub(crate) is_public: bool,
    /// The path that is imported, without a trailing `*`.
    pub(crate) path: Names,
    /// The name in the importing module; `None` for a glob.
    pub(crate) name: Option<String>,
    /// The `#[cfg(…)]` of the import, with a trailing space.
    pub(crate) condition: String,
}

/// A module inside another.
pub(crate) struct Child {
    pub(crate) name: String,
    pub(crate) is_public: bool,
}

impl Crate {
    /// Parses the crate in a folder, from `src/lib.rs` on.
    pub(crate) fn load(files: &BTreeMap<String, String>, folder: &str) -> Result<Self, String> {
        let mut loaded = Self { modules: BTreeMap::new() };
        let root = format!("{folder}/src/lib.rs");
        loaded.load_file(files, &root, &format!("{folder}/src"), &[])?;
        Ok(loaded)
    }

    fn load_file(
        &mut self,
        files: &BTreeMap<String, String>,
        file: &str,
        home: &str,
        path: &[String],
    ) -> Result<(), String> {
        let Some(text) = files.get(file) else { return Ok(()) };
        let parsed = syn::parse_file(text).map_err(|error| format!("{file}: {error}"))?;
        self.load_items(files, parsed.items, home, path)
    }

    /// `home` is the folder in which the files of child modules are.
    fn load_items(
        &mut self,
        files: &BTreeMap<String, String>,
        items: Vec<Item>,
        home: &str,
        path: &[String],
    ) -> Result<(), String> {
        let mut module = Module::default();
        for item in items {
            match item {
                Item::Mod(child) if !is_left_out(&child.attrs) => {
                    let name = child.ident.to_string();
                    let inside = [path, std::slice::from_ref(&name)].concat();
                    let folder = format!("{home}/{name}");
                    module.children.push(Child { name, is_public: is_public(&child.vis) });
                    if let Some((_, items)) = child.content {
                        self.load_items(files, items, &folder, &inside)?;
                    } else {
                        self.load_file(files, &format!("{folder}.rs"), &folder, &inside)?;
                        self.load_file(files, &format!("{folder}/mod.rs"), &folder, &inside)?;
                    }
                }
                Item::Use(import) if !is_left_out(&import.attrs) => {
                    let stem = Import {
                        is_public: is_public(&import.vis),
                        path: Vec::new(),
                        name: None,
                        condition: condition(&import.attrs),
                    };
                    flatten(&import.tree, &stem, &mut module.imports);
                }
                Item::Mod(_) | Item::Use(_) => {}
                other => module.items.push(other),
            }
        }
        self.modules.insert(path.to_vec(), module);
        Ok(())
    }
}

/// Adds an import for each name in the tree of a `use`.
fn flatten(tree: &UseTree, stem: &Import, imports: &mut Vec<Import>) {
    let extended = |name: Option<String>| Import {
        path: stem.path.iter().cloned().chain(name).collect(),
        name: None,
        condition: stem.condition.clone(),
        is_public: stem.is_public,
    };
    match tree {
        UseTree::Path(path) => {
            flatten(&path.tree, &extended(Some(path.ident.to_string())), imports);
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| flatten(tree, stem, imports)),
        UseTree::Glob(_) => imports.push(extended(None)),
        UseTree::Name(name) => {
            let name = name.ident.to_string();
            let (path, local) = match (&name[..], stem.path.last()) {
                ("self", Some(last)) => (extended(None), last.clone()),
                _ => (extended(Some(name.clone())), name),
            };
            imports.push(Import { name: Some(local), ..path });
        }
        UseTree::Rename(rename) => {
            let path = extended(Some(rename.ident.to_string()));
            imports.push(Import { name: Some(rename.rename.to_string()), ..path });
        }
    }
}

pub(crate) fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Whether an item is not part of the interface: test code, or hidden from the documentation.
pub(crate) fn is_left_out(attributes: &[Attribute]) -> bool {
    let has = |name: &str, word: &str| {
        let text = |attribute: &Attribute| match &attribute.meta {
            syn::Meta::List(list) => list.tokens.to_string(),
            _ => String::new(),
        };
        attributes.iter().any(|a| a.path().is_ident(name) && text(a) == word)
    };
    has("cfg", "test") || has("cfg", "doctest") || has("doc", "hidden")
}

/// The `#[cfg(…)]` attributes with a trailing space; empty without one.
pub(crate) fn condition(attributes: &[Attribute]) -> String {
    let conditions = attributes.iter().filter(|attribute| attribute.path().is_ident("cfg"));
    conditions.map(|attribute| format!("{} ", super::print::tokens(attribute))).collect()
}
