//! Prints signatures and types on one line, spaced as rustfmt does.

use quote::ToTokens;

/// The tokens on one line.
pub(crate) fn tokens(part: &impl ToTokens) -> String {
    let mut text = part.to_token_stream().to_string().replace('\n', " ");
    // The printer puts a space around every token. In this order:
    const REPLACED: [(&str, &str); 30] = [
        (" :: ", "::"),
        (":: ", "::"),
        (" ::", "::"),
        (" < ", "<"),
        ("< ", "<"),
        (" <", "<"),
        (" > ", "> "),
        (" >", ">"),
        (" , ", ", "),
        (" ,", ","),
        (" ;", ";"),
        (" : ", ": "),
        ("& ", "&"),
        ("* ", "*"),
        ("? ", "?"),
        (" (", "("),
        (",(", ", ("),
        (":(", ": ("),
        ("->(", "-> ("),
        ("=(", "= ("),
        ("+(", "+ ("),
        (" []", "[]"),
        ("# [", "#["),
        (" !", "!"),
        (" ..", ".."),
        (".. ", ".."),
        (",)", ")"),
        (",>", ">"),
        ("> >", ">>"),
        ("->> ", "-> "),
    ];
    for (old, new) in REPLACED {
        text = text.replace(old, new);
    }
    // A bracket glued to a keyword by the rules above.
    for word in ["impl", "dyn", "mut", "where", "for", "const", "as"] {
        text = text.replace(&format!(" {word}("), &format!(" {word} ("));
    }
    text.trim().to_owned()
}

/// A list of parts, each on one line, joined by a comma.
pub(crate) fn list<'a, T: ToTokens + 'a>(parts: impl IntoIterator<Item = &'a T>) -> String {
    parts.into_iter().map(tokens).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    #[track_caller]
    fn check(text: &str) {
        let signature: syn::Signature = syn::parse_str(text).unwrap();
        assert_eq!(super::tokens(&signature), text);
    }

    #[test]
    fn signatures_are_spaced_as_people_write_them() {
        check("fn a(&self, x: &mut [u8], y: (u16, u16)) -> Option<&'a T>");
        check("const fn b<T: Copy + Into<u8>, const N: usize>(x: [T; N]) -> Vec<Vec<(u8, u8)>>");
        check(
            "fn c(f: impl Fn(&u8) -> bool, d: Box<dyn Fn(u8) -> u8 + Send>) -> std::io::Result<()>",
        );
        check("fn d<S: Space>(self, s: &[S]) -> impl Iterator<Item = (Cell, u64)> + '_");
        check("fn e(x: impl Into<(u16, u16)>, y: &'static [&'static str], z: Foo<'_>) -> ()");
        check("fn f<F: ?Sized>(x: &F) -> Result<[u8; 4], Error>");
    }
}
