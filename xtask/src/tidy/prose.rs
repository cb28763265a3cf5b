//! Words that show unclear prose are kept out of Rust, Markdown and TOML files.
//!
//! Each has a plain replacement, which the complaint names. CONTRIBUTING.md says how we write.

use super::repository::Repository;
use super::source::line_at;

/// Unwanted words, in lower case, with the remedy. Parts of names with underscores count too.
const WORDS: [(&str, &str); 8] = [
    ("dear", COSTLY),
    ("dearer", COSTLY),
    ("dearest", COSTLY),
    ("whoever", "write \"the unit that\", \"any unit\" or \"users\""),
    ("whatever", "write \"any\", \"every\" or what it is"),
    ("anew", "write \"again\" or \"from scratch\""),
    ("manieth", "write \"the number of the attempt\" or the like"),
    ("whomever", "write \"the unit that\" or \"any unit\""),
];

const COSTLY: &str = "write \"costly\", \"expensive\" or \"costs more\"";

/// Unwanted sequences of words, with the remedy.
const PHRASES: [(&str, &str); 2] = [
    ("be it", "write \"even if\" or \"whether\""),
    ("seed 00", "cite the paper by its authors; a seed is a number for a random generator"),
];

/// A measure followed by "a" and one of [`PER`] means "per".
const MEASURES: [&str; 10] = [
    "budget",
    "bytes",
    "bits",
    "bit",
    "microseconds",
    "milliseconds",
    "nanoseconds",
    "ms",
    "ns",
    "kilobytes",
];
const PER: [&str; 9] =
    ["tick", "unit", "query", "node", "step", "cell", "position", "search", "field"];

/// This file has to name the words.
const EXEMPT: &str = "xtask/src/tidy/prose.rs";

pub(crate) fn rule(repository: &Repository) -> Vec<String> {
    let mut complaints = Vec::new();
    for (path, text) in repository.files.iter().filter(|(path, _)| is_checked(path)) {
        complaints.extend(faults(text).into_iter().map(|(offset, found, remedy)| {
            format!("{path}:{}: \"{found}\": {remedy}", line_at(text, offset))
        }));
    }
    complaints
}

fn is_checked(path: &str) -> bool {
    path != EXEMPT && !path.ends_with(".txt")
}

/// Every unwanted word or phrase, with its offset and remedy, in order.
fn faults(text: &str) -> Vec<(usize, String, &'static str)> {
    let text = text.to_ascii_lowercase();
    let words: Vec<(usize, &str)> = words(&text).collect();
    let mut found = Vec::new();
    for (index, &(offset, word)) in words.iter().enumerate() {
        let known = WORDS.iter().find(|known| known.0 == word);
        found.extend(known.map(|&(word, remedy)| (offset, word.to_owned(), remedy)));
        if let [(_, "a" | "an"), (_, thing), ..] = words[index + 1..]
            && MEASURES.contains(&word)
            && PER.contains(&thing)
        {
            found.push((offset, format!("{word} a {thing}"), "write \"per\""));
        }
    }
    for (phrase, remedy) in PHRASES {
        let starts = text.match_indices(phrase).map(|(offset, _)| offset);
        let whole = starts.filter(|&offset| is_whole(&text, offset, phrase));
        found.extend(whole.map(|offset| (offset, phrase.to_owned(), remedy)));
    }
    found.sort_unstable();
    found
}

/// Runs of letters: an underscore, a digit or a space ends a word.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let runs = text.split(|c: char| !c.is_alphabetic()).filter(|run| !run.is_empty());
    runs.map(|run| (run.as_ptr() as usize - text.as_ptr() as usize, run))
}

/// Whether a phrase is not part of longer words. A phrase that ends in a digit may be followed
/// by more digits.
fn is_whole(text: &str, offset: usize, phrase: &str) -> bool {
    let before = text[..offset].chars().next_back();
    let after = text[offset + phrase.len()..].chars().next();
    let goes_on = phrase.ends_with(|c: char| c.is_ascii_digit());
    !before.is_some_and(char::is_alphabetic) && (goes_on || !after.is_some_and(char::is_alphabetic))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::check;

    #[track_caller]
    fn finds(text: &str, expected: &[&str]) {
        let found: Vec<_> = faults(text).into_iter().map(|(_, found, _)| found).collect();
        assert_eq!(found, expected, "in {text}");
    }

    #[test]
    fn unwanted_words_are_reported_with_line_and_remedy() {
        let expected = [
            "a.md:2: \"dearer\": write \"costly\", \"expensive\" or \"costs more\"",
            "a.rs:1: \"anew\": write \"again\" or \"from scratch\"",
        ];
        let files = [("a.md", "A cheap\nor Dearer path."), ("a.rs", "// Begun anew.")];
        check(rule, &files, &expected);
    }

    #[test]
    fn whole_words_count_in_any_case_and_in_names() {
        finds("Whoever gets whatever, the how manieth", &["whoever", "whatever", "manieth"]);
        finds("let too_dear = 1;", &["dear"]);
        finds("endearing, renewed, a newer one, Deari", &[]);
    }

    #[test]
    fn phrases_count_as_whole_words() {
        finds("a crossing, be it costly; see seed 002", &["be it", "seed 00"]);
        finds("maybe items; a tribe it; seed 7; seed 10", &[]);
    }

    #[test]
    fn measures_want_per() {
        finds(
            "a budget a tick, 3 bytes a cell, 20 ns a node",
            &["budget a tick", "bytes a cell", "ns a node"],
        );
        finds("bytes per cell; the budget of a tick; nodes a search may expand", &[]);
    }

    #[test]
    fn the_list_itself_and_listings_are_exempt() {
        check(rule, &[(EXEMPT, "dear"), ("docs/public-api.txt", "pub fn dear()")], &[]);
    }
}
