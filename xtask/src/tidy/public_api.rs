//! The checked-in listing of the public interface is up to date.

use super::repository::Repository;
use crate::api::{FILE, difference, listing};

/// The most differences that are shown.
const SHOWN_MAX: usize = 40;

pub(crate) fn rule(repository: &Repository) -> Vec<String> {
    let Some(old) = repository.text(FILE) else { return Vec::new() };
    let new = match listing(&repository.files) {
        Ok(new) => new,
        Err(why) => return vec![why],
    };
    let mut lines = difference(old, &new);
    if lines.is_empty() {
        return Vec::new();
    }
    let count = lines.len();
    lines.truncate(SHOWN_MAX);
    let shown = lines.join("\n  ");
    vec![format!(
        "{FILE}: {count} lines differ from the source; if the change of the interface is meant, run \
         cargo xtask api\n  {shown}"
    )]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::check;

    #[test]
    fn a_listing_that_is_out_of_date_is_reported_with_its_difference() {
        let lib = ("crates/throng/src/lib.rs", "pub struct World;");
        let files = [(lib.0.to_owned(), lib.1.to_owned())].into();
        let current = listing(&files).unwrap();
        check(rule, &[lib, (FILE, &current)], &[]);
        let stale = current.replace("World", "Old");
        let expected = "docs/public-api.txt: 2 lines differ from the source; if the change of the \
                        interface is meant, run cargo xtask api\n  - pub struct throng::Old\n  + pub \
                        struct throng::World";
        check(rule, &[lib, (FILE, &stale)], &[expected]);
    }
}
