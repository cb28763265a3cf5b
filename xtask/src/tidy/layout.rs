//! Every Rust file says at its top what it is for.

use super::repository::Repository;

pub(crate) fn rule(repository: &Repository) -> Vec<String> {
    let undocumented = repository.rust().filter(|(_, text)| !text.starts_with("//!"));
    undocumented
        .map(|(path, _)| format!("{path}:1: begin with a `//!` line: what is it for?"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::check;

    #[test]
    fn a_file_begins_with_its_purpose() {
        let files = [("a.rs", "//! Cells.\n"), ("b.rs", "use a;\n//! Late."), ("c.rs", "")];
        let expected = [
            "b.rs:1: begin with a `//!` line: what is it for?",
            "c.rs:1: begin with a `//!` line: what is it for?",
        ];
        check(rule, &files, &expected);
    }
}
