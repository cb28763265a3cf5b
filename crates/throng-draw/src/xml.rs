//! Writing XML: escaped text and short numbers.

use std::borrow::Cow;

/// Escapes the five special characters, and drops those that XML cannot contain.
pub(crate) fn escape(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| entity(c).is_some() || is_forbidden(c)) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars().filter(|&c| !is_forbidden(c)) {
        match entity(c) {
            Some(entity) => escaped.push_str(entity),
            None => escaped.push(c),
        }
    }
    Cow::Owned(escaped)
}

fn entity(c: char) -> Option<&'static str> {
    match c {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '"' => Some("&quot;"),
        '\'' => Some("&apos;"),
        _ => None,
    }
}

fn is_forbidden(c: char) -> bool {
    (c.is_control() && !matches!(c, '\t' | '\n' | '\r')) || matches!(c, '\u{fffe}' | '\u{ffff}')
}

/// Appends to the text. Writing to a `String` cannot fail.
macro_rules! put {
    ($svg:expr, $($part:tt)*) => { let _ = write!($svg, $($part)*); };
}
pub(crate) use put;

/// At most three decimals, without trailing zeros.
pub(crate) fn short(value: f64) -> String {
    without_zeros(&format!("{value:.3}"))
}

/// At most one decimal: enough for pixels.
pub(crate) fn tenths(value: f64) -> String {
    without_zeros(&format!("{value:.1}"))
}

fn without_zeros(text: &str) -> String {
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::{escape, short};

    #[test]
    fn escapes_and_drops() {
        let check = |text, expected: &str| assert_eq!(escape(text), expected);
        check("plain, ümläut", "plain, ümläut");
        check("<a & 'b' \"c\">", "&lt;a &amp; &apos;b&apos; &quot;c&quot;&gt;");
        check("\u{0}\u{1b}[31mred\u{ffff}\n", "[31mred\n");
    }

    #[test]
    fn numbers_are_short() {
        let check = |value, expected| assert_eq!(short(value), expected);
        check(1.0, "1");
        check(0.126_4, "0.126");
        check(-0.000_01, "0");
        check(100.0, "100");
    }
}
