//! Versions of throng that the README and the manifests ask for are the workspace's.

use super::repository::Repository;

pub(crate) fn rule(repository: &Repository) -> Vec<String> {
    let manifest = repository.text("Cargo.toml").unwrap_or("");
    let Some(version) = workspace_version(manifest) else {
        return vec!["Cargo.toml: [workspace.package] has no version; add one".to_owned()];
    };
    let mut complaints = Vec::new();
    if repository.text("README.md").is_none() {
        complaints.push("README.md does not exist; write it".to_owned());
    }
    for path in ["Cargo.toml", "README.md"] {
        let lines = repository.text(path).unwrap_or("").lines().enumerate();
        let asked = lines.filter_map(|(index, line)| Some((index + 1, asked_version(line)?)));
        let wrong = asked.filter(|(_, asked)| !matches(asked, version));
        complaints.extend(wrong.map(|(line, asked)| {
            format!("{path}:{line}: asks for throng {asked}, but this is {version}")
        }));
    }
    complaints
}

fn workspace_version(manifest: &str) -> Option<&str> {
    let (_, section) = manifest.split_once("[workspace.package]")?;
    let lines = section.lines().skip(1).take_while(|line| !line.starts_with('['));
    lines.filter(|line| line.starts_with("version")).find_map(first_quoted)
}

fn first_quoted(text: &str) -> Option<&str> {
    text.split('"').nth(1)
}

/// The version in `throng… = "0.1"` or `throng… = { version = "0.1", … }`.
fn asked_version(line: &str) -> Option<&str> {
    let (name, value) = line.split_once('=')?;
    if !name.trim().starts_with("throng") || name.trim().contains(' ') {
        return None;
    }
    if value.trim().starts_with('"') {
        return first_quoted(value);
    }
    first_quoted(value.split_once("version")?.1)
}

/// `0` and `0.1` ask for `0.1.0` as well.
fn matches(asked: &str, version: &str) -> bool {
    version.strip_prefix(asked).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::check;

    const MANIFEST: &str = "[workspace.package]\nedition = \"2024\"\nversion = \"0.12.0\"\n[x]\n";

    #[track_caller]
    fn judges(readme: &str, expected: &[&str]) {
        check(rule, &[("Cargo.toml", MANIFEST), ("README.md", readme)], expected);
    }

    #[test]
    fn the_version_or_its_beginning_passes() {
        judges("throng = \"0.12\"\nthrong = \"0.12.0\"\nthrong-lab = { version = \"0.12\" }", &[]);
        judges("rand = \"0.10\"\nthrong path = \"x\"\nthrong = { path = \"..\" }", &[]);
    }

    #[test]
    fn another_version_does_not() {
        let wrong = |asked| format!("README.md:1: asks for throng {asked}, but this is 0.12.0");
        judges("throng = \"0.1\"", &[&wrong("0.1")]);
        judges("throng = { features = [], version = \"0.11\" }", &[&wrong("0.11")]);
    }

    #[test]
    fn the_manifest_agrees_with_itself() {
        let manifest = format!("{MANIFEST}throng-x = {{ path = \"y\", version = \"0.2\" }}");
        let expected = ["Cargo.toml:5: asks for throng 0.2, but this is 0.12.0"];
        check(rule, &[("Cargo.toml", &manifest), ("README.md", "")], &expected);
    }

    #[test]
    fn what_is_missing_is_said() {
        check(rule, &[("Cargo.toml", MANIFEST)], &["README.md does not exist; write it"]);
        let expected = ["Cargo.toml: [workspace.package] has no version; add one"];
        check(rule, &[("Cargo.toml", "version = \"1\"")], &expected);
    }
}
