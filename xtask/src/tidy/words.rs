//! No placeholders, no debugging macros and no disabled tests are left in the code.

use super::repository::Repository;
use super::source::{Source, line_at, words};

/// Forbidden in code: the beginning of a macro or attribute.
const CODE: [&str; 4] = ["todo!", "unimplemented!", "dbg!", "#[ignore"];
/// Forbidden in comments, as whole words.
const COMMENTS: [&str; 4] = ["TODO", "FIXME", "XXX", "HACK"];

pub(crate) fn rule(repository: &Repository) -> Vec<String> {
    let mut complaints = Vec::new();
    for (path, text) in repository.rust() {
        let mut found = forbidden(&Source::new(text));
        found.sort_unstable();
        complaints.extend(found.into_iter().map(|(offset, word)| {
            format!("{path}:{}: `{word}`: finish it or leave it out", line_at(text, offset))
        }));
    }
    complaints
}

fn forbidden(source: &Source) -> Vec<(usize, &'static str)> {
    let in_code = CODE
        .into_iter()
        .flat_map(|word| source.code.match_indices(word).map(move |(offset, _)| (offset, word)));
    let in_comments = words(&source.comments).filter_map(|(offset, found)| {
        COMMENTS.into_iter().find(|&word| word == found).map(|word| (offset, word))
    });
    in_code.chain(in_comments).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::check;

    #[test]
    fn leftovers_are_found_with_their_lines() {
        let text = "fn a() {\n  todo!()\n}\n// FIXME: b\n#[ignore = \"slow\"]\ndbg!(x);";
        let expected = [
            "a.rs:2: `todo!`: finish it or leave it out",
            "a.rs:4: `FIXME`: finish it or leave it out",
            "a.rs:5: `#[ignore`: finish it or leave it out",
            "a.rs:6: `dbg!`: finish it or leave it out",
        ];
        check(rule, &[("a.rs", text)], &expected);
    }

    #[test]
    fn literals_and_longer_words_are_let_pass() {
        check(rule, &[("a.rs", "let x = \"todo!() // FIXME\"; // HACKNEY XXXL hack")], &[]);
        check(rule, &[("a.md", "FIXME")], &[]);
    }
}
