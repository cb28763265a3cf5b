//! The house rules that neither rustfmt nor clippy can check.
//!
//! A rule is a function from the repository's text to complaints; its tests need no files.

mod architecture;
mod functions;
mod layout;
mod modules;
mod prose;
mod public_api;
mod repository;
mod source;
mod versions;
mod words;

use std::path::Path;

use repository::Repository;

type Rule = fn(&Repository) -> Vec<String>;

const RULES: [Rule; 8] = [
    functions::rule,
    words::rule,
    layout::rule,
    modules::rule,
    architecture::rule,
    versions::rule,
    public_api::rule,
    prose::rule,
];

/// Checks all rules and prints every complaint.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let repository = Repository::load(root).map_err(|error| error.to_string())?;
    let complaints: Vec<_> = RULES.iter().flat_map(|rule| rule(&repository)).collect();
    complaints.iter().for_each(|complaint| println!("{complaint}"));
    println!("{}", functions::statistics(&repository));
    match complaints.len() {
        0 => Ok(()),
        count => Err(format!("{count} complaints")),
    }
}

/// The listing of the public interface, from the source as it is.
pub(crate) fn listing(root: &Path) -> Result<String, String> {
    let repository = Repository::load(root).map_err(|error| error.to_string())?;
    crate::api::listing(&repository.files)
}

/// Runs a rule over a repository of these files and compares the complaints.
#[cfg(test)]
#[track_caller]
fn check(rule: Rule, files: &[(&str, &str)], expected: &[&str]) {
    let files = files.iter().map(|&(path, text)| (path.to_owned(), text.to_owned())).collect();
    assert_eq!(rule(&Repository { files }), expected);
}
