//! No function is longer than 70 lines; the median is at most 10.

use super::repository::Repository;
use super::source::{Source, line_at, words};

const LINES_MAX: usize = 70;
const MEDIAN_MAX: usize = 10;

#[derive(Debug, PartialEq, Eq)]
struct Function {
    name: String,
    line: usize,
    /// From the line of `fn` to the line of the closing brace.
    lines: usize,
}

pub(crate) fn rule(repository: &Repository) -> Vec<String> {
    let mut complaints = Vec::new();
    for (path, text) in repository.rust() {
        for Function { name, line, lines } in functions(text) {
            if lines > LINES_MAX {
                complaints.push(format!(
                    "{path}:{line}: `{name}` has {lines} lines; split it, {LINES_MAX} is the limit"
                ));
            }
        }
    }
    let median = median(lengths(repository));
    if median > MEDIAN_MAX {
        complaints.push(format!("the median function has {median} lines, not {MEDIAN_MAX}"));
    }
    complaints
}

/// One line about the lengths of all functions.
pub(crate) fn statistics(repository: &Repository) -> String {
    let lengths = lengths(repository);
    let (count, longest) = (lengths.len(), lengths.iter().max().copied().unwrap_or(0));
    format!("{count} functions: median {} lines, longest {longest}", median(lengths))
}

fn lengths(repository: &Repository) -> Vec<usize> {
    repository.rust().flat_map(|(_, text)| functions(text)).map(|f| f.lines).collect()
}

/// The lower one of the two in the middle.
fn median(mut lengths: Vec<usize>) -> usize {
    lengths.sort_unstable();
    lengths.get(lengths.len().saturating_sub(1) / 2).copied().unwrap_or(0)
}

/// Every function with a body.
fn functions(text: &str) -> Vec<Function> {
    let code = Source::new(text).code;
    let pairs = words(&code).zip(words(&code).skip(1));
    let named = pairs.filter(|&((at, word), (next, _))| {
        word == "fn" && code[at + 2..next].bytes().all(|byte| byte.is_ascii_whitespace())
    });
    let function = |((at, _), (next, name)): ((usize, &str), (usize, &str))| {
        let end = next + body_end(&code[next..])?;
        let (line, last) = (line_at(&code, at), line_at(&code, end));
        Some(Function { name: name.to_owned(), line, lines: last - line + 1 })
    };
    named.filter_map(function).collect()
}

/// Where the body's brace closes; `None` for a declaration that ends in a semicolon.
fn body_end(code: &str) -> Option<usize> {
    // Braces and semicolons within parentheses and brackets belong to the signature.
    let (mut nested, mut braces) = (0_u32, 0_u32);
    for (at, byte) in code.bytes().enumerate() {
        match byte {
            b'(' | b'[' if braces == 0 => nested += 1,
            b')' | b']' if braces == 0 => nested = nested.saturating_sub(1),
            b';' if nested == 0 && braces == 0 => return None,
            b'{' if nested == 0 => braces += 1,
            b'}' if nested == 0 && braces == 1 => return Some(at),
            b'}' if nested == 0 => braces = braces.saturating_sub(1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::check;

    #[track_caller]
    fn finds(text: &str, expected: &[(&str, usize, usize)]) {
        let found = functions(text);
        let found: Vec<_> = found.iter().map(|f| (f.name.as_str(), f.line, f.lines)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn lengths_are_from_fn_to_the_closing_brace() {
        finds("fn a() {}", &[("a", 1, 1)]);
        finds("\n/// {\npub fn a(\n) {\n  b();\n}\n", &[("a", 3, 4)]);
        finds("fn a() {\n if x {\n }\n}\nfn b() {\n}", &[("a", 1, 4), ("b", 5, 2)]);
        finds("fn a() {\n fn b() {\n }\n}", &[("a", 1, 4), ("b", 2, 2)]);
    }

    #[test]
    fn braces_in_literals_and_comments_do_not_count() {
        finds("fn a() {\n \"}\"; '}' // }\n}", &[("a", 1, 3)]);
        finds("// fn no() {}\nfn a<'x>() {\n r#\"fn b() {\"#\n}", &[("a", 2, 3)]);
    }

    #[test]
    fn declarations_and_function_types_are_none() {
        finds("trait T { fn a(&self) -> [u8; 3]; }", &[]);
        finds("type F = fn(u8) -> u8; struct S { f: fn() }", &[]);
        finds("fn a(x: [u8; { 3 }]) -> [u8; 3] {\n}", &[("a", 1, 2)]);
    }

    #[test]
    fn a_long_function_is_named() {
        let long = format!("fn long() {{\n{}}}", "x();\n".repeat(69));
        let short = "fn f() {}".repeat(3);
        let complaint = "a.rs:1: `long` has 71 lines; split it, 70 is the limit";
        check(rule, &[("a.rs", &long), ("b.rs", &short)], &[complaint]);
        let fits = format!("fn long() {{\n{}}}", "x();\n".repeat(68));
        check(rule, &[("a.rs", &fits), ("b.rs", &short)], &[]);
    }

    #[test]
    fn the_median_is_limited() {
        let eleven = format!("fn f() {{\n{}}}", "x();\n".repeat(9));
        check(rule, &[("a.rs", &eleven)], &["the median function has 11 lines, not 10"]);
        check(rule, &[("a.rs", &eleven), ("b.rs", "fn a() {}")], &[]);
        assert_eq!(median(vec![5, 1, 9]), 5);
        assert_eq!(median(Vec::new()), 0);
    }
}
