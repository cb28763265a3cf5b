//! The lines of the listing: public items at the paths under which a user finds them.

use std::collections::{BTreeMap, BTreeSet};

use syn::punctuated::Punctuated;
use syn::{Fields, ImplItem, Item, ItemImpl, ItemTrait, Meta, Signature, Token, TraitItem, Type};

use super::print::{list, tokens};
use super::resolve::{Crates, Target, resolve};
use super::tree::{Names, condition, is_left_out, is_public};

/// Collects the lines of the façade and of the crates that it leads to.
pub(crate) struct Listing<'a> {
    crates: &'a Crates,
    /// Every public path of an item or module: the shortest comes first.
    paths: BTreeMap<Target, BTreeSet<(usize, String)>>,
    conditions: BTreeMap<String, String>,
    /// Crates still to visit, and all found so far.
    found: Vec<String>,
}

impl<'a> Listing<'a> {
    pub(crate) fn new(crates: &'a Crates) -> Self {
        let (paths, conditions) = (BTreeMap::new(), BTreeMap::new());
        Self { crates, paths, conditions, found: Vec::new() }
    }

    /// The listing from the crate named on, sorted by path.
    pub(crate) fn lines(mut self, facade: &str) -> Vec<String> {
        self.found.push(facade.to_owned());
        let mut next = 0;
        while let Some(krate) = self.found.get(next).cloned() {
            self.walk(&krate, &[], &krate);
            next += 1;
        }
        let mut lines = BTreeSet::new();
        for (target, paths) in &self.paths {
            self.print_target(target, paths, &mut lines);
        }
        for krate in &self.found {
            self.print_impls(krate, &mut lines);
        }
        lines.into_iter().map(|(_, line)| line).collect()
    }

    /// Notes every public path below a module.
    fn walk(&mut self, krate: &str, module: &[String], path: &str) {
        let crates = self.crates;
        let Some(found) = crates.get(krate).and_then(|krate| krate.modules.get(module)) else {
            return;
        };
        for item in found.items.iter().filter(|item| is_listed(item)) {
            let Some(name) = name_of(item) else { continue };
            let full = format!("{path}::{name}");
            self.conditions.insert(full.clone(), condition(attributes_of(item)));
            let (krate, module) = (krate.to_owned(), module.to_vec());
            self.note(Target::Item { krate, module, name }, &full);
        }
        for child in found.children.iter().filter(|child| child.is_public) {
            let inside = [module, std::slice::from_ref(&child.name)].concat();
            let target = Target::Module { krate: krate.to_owned(), path: inside };
            self.note_and_walk(target, &format!("{path}::{}", child.name));
        }
        for import in found.imports.iter().filter(|import| import.is_public) {
            let Some(target) = resolve(crates, krate, module, &import.path) else { continue };
            match &import.name {
                Some(name) => {
                    let full = format!("{path}::{name}");
                    self.conditions.insert(full.clone(), import.condition.clone());
                    self.note_and_walk(target, &full);
                }
                None => self.walk_glob(&target, path),
            }
        }
    }

    fn walk_glob(&mut self, target: &Target, path: &str) {
        if let Target::Module { krate, path: module } = target {
            self.walk(krate, module, path);
        }
    }

    /// Returns whether the target had no public path before.
    fn note(&mut self, target: Target, path: &str) -> bool {
        let owner = match &target {
            Target::Item { krate, .. } | Target::Module { krate, .. } => krate.clone(),
        };
        if !self.found.contains(&owner) {
            self.found.push(owner);
        }
        let paths = self.paths.entry(target).or_default();
        paths.insert((path.matches("::").count(), path.to_owned()));
        paths.len() == 1
    }

    /// Modules of the same crate are walked where they are found first; other crates are
    /// listed by their own paths.
    fn note_and_walk(&mut self, target: Target, path: &str) {
        let is_new = self.note(target.clone(), path);
        if let Target::Module { krate, path: module } = target
            && is_new
            && path.split("::").next() == Some(&krate)
        {
            self.walk(&krate, &module, path);
        }
    }

    /// The path under which a target is listed in full: in its own crate, the shortest.
    fn home(&self, target: &Target) -> Option<String> {
        let own = match target {
            Target::Module { krate, path } if path.is_empty() => return Some(krate.clone()),
            Target::Item { krate, .. } | Target::Module { krate, .. } => krate,
        };
        let paths = self.paths.get(target)?;
        let inside = |path: &&(usize, String)| path.1.split("::").next() == Some(own);
        let path = paths.iter().find(inside).or(paths.first())?;
        Some(path.1.clone())
    }

    fn print_target(
        &self,
        target: &Target,
        paths: &BTreeSet<(usize, String)>,
        lines: &mut BTreeSet<(Names, String)>,
    ) {
        let Some(home) = self.home(target) else { return };
        for (_, path) in paths.iter().filter(|(_, path)| *path != home) {
            let condition = self.conditions.get(path).map_or("", String::as_str);
            lines.insert((key(path), format!("{condition}pub use {path} = {home}")));
        }
        match target {
            Target::Module { path, .. } if path.is_empty() => {}
            Target::Module { .. } => {
                lines.insert((key(&home), format!("pub mod {home}")));
            }
            Target::Item { krate, module, name } => {
                let items = &self.crates[krate].modules[module].items;
                let named = items.iter().filter(|item| name_of(item).as_ref() == Some(name));
                let listed = named.filter(|item| is_listed(item));
                let condition = self.conditions.get(&home).map_or("", String::as_str);
                listed.for_each(|item| print_item(item, &home, condition, lines));
            }
        }
    }

    /// The `impl` blocks of a crate, for types that are public.
    fn print_impls(&self, krate: &str, lines: &mut BTreeSet<(Names, String)>) {
        for (module, found) in &self.crates[krate].modules {
            for item in &found.items {
                let Item::Impl(block) = item else { continue };
                let target = type_names(&block.self_ty)
                    .and_then(|names| resolve(self.crates, krate, module, &names));
                if let Some(home) = target.and_then(|target| self.home(&target))
                    && !is_left_out(&block.attrs)
                {
                    print_impl(block, &home, lines);
                }
            }
        }
    }
}

/// Lines are sorted by path, part by part.
fn key(path: &str) -> Names {
    path.split("::").map(str::to_owned).collect()
}

/// Traits come after the type's own line and before its fields and functions.
fn impl_key(path: &str) -> Names {
    key(&format!("{path}:: "))
}

/// The path of a named type; `None` for references, tuples and the like.
fn type_names(named: &Type) -> Option<Names> {
    let Type::Path(path) = named else { return None };
    Some(path.path.segments.iter().map(|segment| segment.ident.to_string()).collect())
}

/// The name of an item that a path can lead to.
pub(crate) fn name_of(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        _ => return None,
    };
    Some(ident.to_string())
}

fn attributes_of(item: &Item) -> &[syn::Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        _ => &[],
    }
}

fn is_listed(item: &Item) -> bool {
    let visibility = match item {
        Item::Const(item) => &item.vis,
        Item::Enum(item) => &item.vis,
        Item::Fn(item) => &item.vis,
        Item::Static(item) => &item.vis,
        Item::Struct(item) => &item.vis,
        Item::Trait(item) => &item.vis,
        Item::Type(item) => &item.vis,
        _ => return false,
    };
    is_public(visibility) && !is_left_out(attributes_of(item))
}

/// The item's own line, and those of its fields, variants and derived traits.
fn print_item(item: &Item, path: &str, condition: &str, lines: &mut BTreeSet<(Names, String)>) {
    let attributes = attributes_of(item);
    let closed = attributes.iter().any(|a| a.path().is_ident("non_exhaustive"));
    let prefix = format!("{condition}{}pub ", if closed { "#[non_exhaustive] " } else { "" });
    let line = match item {
        Item::Const(item) => format!("const {path}: {}", tokens(&item.ty)),
        Item::Enum(item) => format!("enum {path}{}", tokens(&item.generics)),
        Item::Fn(item) => function(&item.sig, path),
        Item::Static(item) => format!("static {path}: {}", tokens(&item.ty)),
        Item::Struct(item) => format!("struct {path}{}", tokens(&item.generics)),
        Item::Trait(item) if item.supertraits.is_empty() => {
            format!("trait {path}{}", tokens(&item.generics))
        }
        Item::Trait(item) => {
            format!("trait {path}{}: {}", tokens(&item.generics), tokens(&item.supertraits))
        }
        Item::Type(item) => {
            format!("type {path}{} = {}", tokens(&item.generics), tokens(&item.ty))
        }
        _ => return,
    };
    lines.insert((key(path), prefix + &line));
    print_derived(attributes, path, lines);
    match item {
        Item::Struct(item) => print_fields(&item.fields, path, lines),
        Item::Enum(item) => item.variants.iter().for_each(|variant| {
            let path = format!("{path}::{}", variant.ident);
            let fields = match &variant.fields {
                Fields::Unit => String::new(),
                Fields::Unnamed(fields) => {
                    format!("({})", list(fields.unnamed.iter().map(|field| &field.ty)))
                }
                Fields::Named(fields) => {
                    let field = |field: &syn::Field| {
                        let name = field.ident.as_ref().map(ToString::to_string);
                        format!("{}: {}", name.unwrap_or_default(), tokens(&field.ty))
                    };
                    let fields: Vec<_> = fields.named.iter().map(field).collect();
                    format!(" {{ {} }}", fields.join(", "))
                }
            };
            lines.insert((key(&path), format!("pub {path}{fields}")));
        }),
        Item::Trait(item) => print_trait_items(item, path, lines),
        _ => {}
    }
}

/// One line for all derived traits, and one for those of each `cfg_attr`.
fn print_derived(attributes: &[syn::Attribute], path: &str, lines: &mut BTreeSet<(Names, String)>) {
    let mut derived: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for attribute in attributes {
        if attribute.path().is_ident("derive") {
            derived.entry(String::new()).or_default().extend(trait_names(&attribute.meta));
        }
        let parts = attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
        if let (true, Ok(parts)) = (attribute.path().is_ident("cfg_attr"), parts)
            && let Some(condition) = parts.first()
        {
            let traits = parts.iter().skip(1).filter(|part| part.path().is_ident("derive"));
            let condition = format!("#[cfg({})] ", tokens(condition));
            derived.entry(condition).or_default().extend(traits.flat_map(trait_names));
        }
    }
    for (condition, traits) in derived.into_iter().filter(|(_, traits)| !traits.is_empty()) {
        let traits: Vec<_> = traits.into_iter().collect();
        let line = format!("{condition}impl {} for {path}", traits.join(" + "));
        lines.insert((impl_key(path), line));
    }
}

/// The names in `derive(…)`.
fn trait_names(derive: &Meta) -> Vec<String> {
    let Meta::List(list) = derive else { return Vec::new() };
    let paths = list.parse_args_with(Punctuated::<syn::Path, Token![,]>::parse_terminated);
    let last = |path: &syn::Path| path.segments.last().map(|last| last.ident.to_string());
    paths.iter().flatten().filter_map(last).collect()
}

fn print_fields(fields: &Fields, path: &str, lines: &mut BTreeSet<(Names, String)>) {
    for (index, field) in fields.iter().enumerate().filter(|(_, field)| is_public(&field.vis)) {
        let name = field.ident.as_ref().map_or(index.to_string(), ToString::to_string);
        let path = format!("{path}::{name}");
        lines.insert((key(&path), format!("pub {path}: {}", tokens(&field.ty))));
    }
}

fn print_trait_items(item: &ItemTrait, path: &str, lines: &mut BTreeSet<(Names, String)>) {
    for item in &item.items {
        let (name, line) = match item {
            TraitItem::Fn(item) => {
                let path = format!("{path}::{}", item.sig.ident);
                let provided = if item.default.is_some() { " { .. }" } else { "" };
                (item.sig.ident.to_string(), format!("{}{provided}", function(&item.sig, &path)))
            }
            TraitItem::Type(item) => {
                (item.ident.to_string(), format!("type {path}::{}", item.ident))
            }
            TraitItem::Const(item) => {
                let line = format!("const {path}::{}: {}", item.ident, tokens(&item.ty));
                (item.ident.to_string(), line)
            }
            _ => continue,
        };
        lines.insert((key(&format!("{path}::{name}")), format!("pub {line}")));
    }
}

fn print_impl(block: &ItemImpl, path: &str, lines: &mut BTreeSet<(Names, String)>) {
    if let Some((_, name, _)) = &block.trait_ {
        lines.insert((impl_key(path), format!("impl {} for {path}", tokens(name))));
        return;
    }
    for item in &block.items {
        let (name, line) = match item {
            ImplItem::Fn(item) if is_public(&item.vis) && !is_left_out(&item.attrs) => {
                let name = item.sig.ident.to_string();
                (name.clone(), function(&item.sig, &format!("{path}::{name}")))
            }
            ImplItem::Const(item) if is_public(&item.vis) && !is_left_out(&item.attrs) => {
                let line = format!("const {path}::{}: {}", item.ident, tokens(&item.ty));
                (item.ident.to_string(), line)
            }
            _ => continue,
        };
        lines.insert((key(&format!("{path}::{name}")), format!("pub {line}")));
    }
}

/// A function's signature under its path.
fn function(signature: &Signature, path: &str) -> String {
    let constant = if signature.constness.is_some() { "const " } else { "" };
    let generics = tokens(&signature.generics);
    let inputs = list(&signature.inputs);
    let output = match &signature.output {
        syn::ReturnType::Default => String::new(),
        syn::ReturnType::Type(_, output) => format!(" -> {}", tokens(output)),
    };
    let bounds = signature.generics.where_clause.as_ref().map(tokens);
    let bounds =
        bounds.map_or(String::new(), |bounds| format!(" {}", bounds.trim_end_matches(',')));
    format!("{constant}fn {path}{generics}({inputs}){output}{bounds}")
}
