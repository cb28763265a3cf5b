//! Rust source taken apart into code and comments, without a parser.

/// Code and comments of one file. Both have the bytes of the file at their places, and
/// spaces where the other (or the content of a literal) stood; line breaks are in both.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Source {
    pub(crate) code: String,
    pub(crate) comments: String,
}

#[derive(Clone, Copy, PartialEq)]
enum Part {
    Code,
    Comment,
    Literal,
}

impl Source {
    pub(crate) fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut parts = vec![Part::Code; bytes.len()];
        let mut at = 0;
        while at < bytes.len() {
            let (length, part) = token(bytes, at);
            let end = (at + length).min(bytes.len());
            parts[at..end].fill(part);
            at = end;
        }
        Self { code: keep(bytes, &parts, Part::Code), comments: keep(bytes, &parts, Part::Comment) }
    }
}

fn keep(bytes: &[u8], parts: &[Part], wanted: Part) -> String {
    let shown = |(&byte, &part): (&u8, &Part)| {
        let visible = byte == b'\n' || part == wanted && byte.is_ascii();
        if visible { char::from(byte) } else { ' ' }
    };
    bytes.iter().zip(parts).map(shown).collect()
}

/// How many bytes the token at `at` has (at least one), and what it is.
fn token(bytes: &[u8], at: usize) -> (usize, Part) {
    let rest = &bytes[at..];
    let starts_word = at == 0 || !is_word(bytes[at - 1]);
    match rest {
        [b'/', b'/', ..] => (until_line_end(rest), Part::Comment),
        [b'/', b'*', ..] => (block_comment(rest), Part::Comment),
        [b'"', ..] => (string(rest), Part::Literal),
        [b'\'', ..] => char_literal(rest).map_or((1, Part::Code), |n| (n, Part::Literal)),
        [b'r' | b'b' | b'c', ..] if starts_word => prefixed(rest),
        _ => (1, Part::Code),
    }
}

pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn until_line_end(rest: &[u8]) -> usize {
    rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len())
}

/// Block comments nest.
fn block_comment(rest: &[u8]) -> usize {
    let (mut depth, mut at) = (0_u32, 0);
    while at < rest.len() {
        match &rest[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] if depth == 1 => return at + 2,
            [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
    }
    at
}

fn string(rest: &[u8]) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    at
}

/// A quote starts a character (`'x'`, `'\n'`) or a lifetime (`'x`).
fn char_literal(rest: &[u8]) -> Option<usize> {
    if rest.get(1) == Some(&b'\\') {
        return rest.iter().skip(3).position(|&byte| byte == b'\'').map(|n| n + 4);
    }
    let text = std::str::from_utf8(&rest[1..rest.len().min(6)]);
    let valid = text.map_or_else(|error| error.valid_up_to(), str::len);
    let first = std::str::from_utf8(&rest[1..=valid]).ok()?.chars().next()?;
    let end = 1 + first.len_utf8();
    (rest.get(end) == Some(&b'\'')).then_some(end + 1)
}

/// `r"…"`, `r#"…"#`, `b"…"`, `b'x'`, `br#"…"#`, `c"…"`; otherwise a plain letter.
fn prefixed(rest: &[u8]) -> (usize, Part) {
    let letters = rest.iter().take(2).take_while(|byte| b"rbc".contains(byte)).count();
    let hashes = rest[letters..].iter().take_while(|&&byte| byte == b'#').count();
    let raw = rest[..letters].contains(&b'r');
    let open = letters + hashes;
    match rest.get(open) {
        Some(b'"') if raw => (raw_string(rest, open, hashes), Part::Literal),
        Some(b'"') if hashes == 0 => (letters + string(&rest[letters..]), Part::Literal),
        Some(b'\'') if rest[0] == b'b' && open == 1 => {
            char_literal(&rest[1..]).map_or((1, Part::Code), |n| (n + 1, Part::Literal))
        }
        _ => (1, Part::Code),
    }
}

fn raw_string(rest: &[u8], open: usize, hashes: usize) -> usize {
    let close = [&b"\""[..], &b"#".repeat(hashes)].concat();
    let body = &rest[open + 1..];
    let end = body.windows(close.len()).position(|window| window == close);
    end.map_or(rest.len(), |n| open + 1 + n + close.len())
}

/// Every word of a text with its byte offset.
pub(crate) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let bytes = text.as_bytes();
    let starts = (0..bytes.len())
        .filter(move |&at| is_word(bytes[at]) && (at == 0 || !is_word(bytes[at - 1])));
    starts.map(move |at| {
        let length = bytes[at..].iter().take_while(|&&byte| is_word(byte)).count();
        (at, &text[at..at + length])
    })
}

/// The line of a byte offset, counted from 1.
pub(crate) fn line_at(text: &str, offset: usize) -> usize {
    1 + text.as_bytes()[..offset].iter().filter(|&&byte| byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, code: &str, comments: &str) {
        let source = Source::new(text);
        assert_eq!((source.code.trim_end(), source.comments.trim_end()), (code, comments));
        assert_eq!((source.code.len(), source.comments.len()), (text.len(), text.len()));
    }

    #[test]
    fn comments_leave_the_code() {
        check("a // b\nc", "a     \nc", "  // b");
        check("a /* x /* y */ z */ b", "a                   b", "  /* x /* y */ z */");
        check("/// d\nfn", "     \nfn", "/// d");
    }

    #[test]
    fn literals_leave_both() {
        check(r#"f("{ \" // }") }"#, "f(           ) }", "");
        check("f(r#\"a\" { \"#) }", "f(          ) }", "");
        check("f(b\"{\", c\"{\", br\"{\")", "f(    ,     ,      )", "");
        check("f(r\"\\\") }", "f(    ) }", "");
        check("a \"open", "a", "");
    }

    #[test]
    fn quotes_are_characters_or_lifetimes() {
        check("m('{', b'}', '\\'', '\\u{7d}')", "m(   ,     ,     ,         )", "");
        check("fn f<'a>(x: &'a str) { '}' }", "fn f<'a>(x: &'a str) {     }", "");
        check("'ä' }", "     }", "");
    }

    #[test]
    fn words_that_only_begin_like_a_prefix_are_code() {
        check("brick r bar number\"x\"", "brick r bar number", "");
    }

    #[test]
    fn anything_can_be_taken_apart() {
        for text in ["'", "\"", "r#", "b'", "/*", "'\\", "ä'ä", "r#\"", "br##\"#", "\\"] {
            assert_eq!(Source::new(text).code.len(), text.len(), "{text}");
        }
    }

    #[test]
    fn words_have_places() {
        assert_eq!(words("a b_1(c)").collect::<Vec<_>>(), [(0, "a"), (2, "b_1"), (6, "c")]);
        assert_eq!(line_at("a\nb\nc", 4), 3);
    }
}
