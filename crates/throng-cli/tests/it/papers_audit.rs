//! `docs/papers-audit.md` and `docs/papers.md`: what they name exists, and nothing was left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::Folder;

/// The papers in the order of the sections, and how many things the audit found in each.
const THINGS: [(&str, usize); 5] = [
    ("Silver: Cooperative Pathfinding (AIIDE 2005)", 37),
    ("Silver: Cooperative Pathfinding (AI Game Programming Wisdom 3, 2006)", 41),
    ("Standley", 31),
    ("Lanctot", 52),
    ("Xu, Zou", 30),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn document(name: &str) -> String {
    std::fs::read_to_string(root().join("docs").join(name)).unwrap()
}

/// A row of the audit's tables.
struct AuditRow {
    numbers: BTreeSet<usize>,
    places: String,
    tests: String,
    verdict: String,
    line: String,
}

/// The rows of the section of a paper.
fn rows(audit: &str, paper: &str) -> Vec<AuditRow> {
    let section = audit.split("\n## ").find(|section| section.starts_with(paper)).unwrap();
    let lines = section.lines().filter(|line| line.starts_with("| "));
    let rows = lines.filter(|line| !line.starts_with("| no. |")).map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [numbers, _, places, tests, verdict] = cells[..] else {
            panic!("not five cells: {line}")
        };
        let numbers = numbers.split(", ").filter_map(|number| number.parse().ok()).collect();
        let [places, tests, verdict] = [places, tests, verdict].map(str::to_owned);
        AuditRow { numbers, places, tests, verdict, line: line.to_owned() }
    });
    rows.collect()
}

#[test]
fn every_thing_of_the_audit_has_a_row() {
    let audit = document("papers-audit.md");
    let mut listed = 0;
    for (paper, things) in THINGS {
        let rows = rows(&audit, paper);
        let numbers: BTreeSet<usize> = rows.iter().flat_map(|row| row.numbers.clone()).collect();
        assert_eq!(numbers, (1..=things).collect(), "{paper}");
        for row in rows {
            assert!(!row.verdict.contains("missing") && !row.verdict.is_empty(), "{}", row.line);
            let says_why = row.verdict.contains([':', ';']) || row.verdict.contains("not ");
            let bare = ["as printed", "judged", "ours", "shown", "our map", "as printed, judged"];
            assert!(says_why || bare.iter().any(|b| row.verdict.starts_with(b)), "{}", row.line);
            assert!(row.tests != "-" || row.verdict.len() > 12, "why no test: {}", row.line);
        }
    }
    let list = audit.split("## The 191 things").nth(1).unwrap();
    for (_, things) in THINGS {
        assert!(list.contains(&format!("(no. 1 to {things})")), "{things}");
        listed += things;
    }
    assert_eq!(listed, 191);
    let numbered = list.split_whitespace().filter(|word| {
        word.strip_suffix('.').is_some_and(|number| number.parse::<usize>().is_ok())
    });
    assert_eq!(numbered.count(), 191);
}

/// The texts between backticks, and the word before each.
fn quoted(text: &str) -> Vec<(String, String)> {
    let parts: Vec<&str> = text.split('`').collect();
    let pairs = parts.chunks_exact(2).map(|pair| {
        let before = pair[0].split_whitespace().rfind(|word| *word != ",");
        (before.unwrap_or_default().to_owned(), pair[1].to_owned())
    });
    pairs.collect()
}

/// All Rust files below a folder, by path.
fn sources(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut files = BTreeMap::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            files.append(&mut sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.insert(path.clone(), std::fs::read_to_string(&path).unwrap());
        }
    }
    files
}

#[test]
fn every_test_that_the_audit_names_exists() {
    let audit = document("papers-audit.md");
    let mut by_crate: BTreeMap<String, BTreeMap<PathBuf, String>> = BTreeMap::new();
    for (paper, _) in THINGS {
        for row in rows(&audit, paper) {
            let mut of = String::new();
            for (before, name) in quoted(&row.tests) {
                of = if before.is_empty() || before == "," { of } else { before };
                let folder = if of == "throng" { of.clone() } else { format!("throng-{of}") };
                let folder = root().join("crates").join(folder);
                assert!(folder.is_dir(), "no crate {of}: {}", row.line);
                let files = by_crate.entry(of.clone()).or_insert_with(|| sources(&folder));
                let (name, is_start) = (name.trim_end_matches("..."), name.ends_with("..."));
                let function = if is_start { format!("fn {name}") } else { format!("fn {name}(") };
                let is_test = |(path, text): (&PathBuf, &String)| {
                    let path = path.to_string_lossy();
                    let is_module = path.contains("tests")
                        && (path.ends_with(&format!("/{name}.rs"))
                            || path.contains(&format!("/{name}/")));
                    is_module || text.contains(&function)
                };
                assert!(files.iter().any(is_test), "{of} has no test {name}: {}", row.line);
            }
        }
    }
}

/// The commands that the audit may name.
const COMMANDS: [&str; 8] = ["demo", "gen", "lab", "live", "path", "render", "scene", "solve"];

#[test]
fn every_command_type_and_option_that_the_audit_names_exists() {
    let audit = document("papers-audit.md");
    let folder = Folder::new("papers-audit");
    let solvers = folder.throng("solve --list").exits(0).out;
    let files = sources(&root().join("crates"));
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut words: BTreeSet<&str> = BTreeSet::new();
    for (path, text) in &files {
        if path.components().any(|part| part.as_os_str() == "src") {
            words.extend(text.split(|letter| !is_word(letter)));
        }
    }
    let is_file = |name: &str| files.keys().any(|path| path.ends_with(name));
    for (paper, _) in THINGS {
        for row in rows(&audit, paper) {
            for (_, piece) in quoted(&row.places) {
                let first = piece.split_whitespace().next().unwrap_or_default();
                let solver = piece.split(',').next().unwrap_or_default();
                let option = piece.split('=').next().unwrap_or_default();
                if COMMANDS.contains(&first) && piece.contains(' ') {
                    check_command(&folder, &piece, &row.line);
                } else if piece.ends_with(".rs") {
                    assert!(is_file(&piece), "no file {piece}: {}", row.line);
                } else if !solvers.contains(solver) && !solvers.contains(option) {
                    let names = piece.split(|letter| !is_word(letter));
                    let unknown: Vec<&str> =
                        names.filter(|name| !name.is_empty() && !words.contains(name)).collect();
                    assert!(unknown.is_empty(), "{unknown:?} in {piece}: {}", row.line);
                }
            }
        }
    }
}

/// Checks that a command has the options that are named, and an experiment its name.
fn check_command(folder: &Folder, piece: &str, line: &str) {
    let words: Vec<&str> = piece.split_whitespace().collect();
    let is_sub = |word: &&str| !word.starts_with('-') && words[0] != "lab" && words[0] != "solve";
    let subs: Vec<&str> = words.iter().take(2).copied().take_while(is_sub).collect();
    let subs = if subs.is_empty() { vec![words[0]] } else { subs };
    let sub = subs.join(" ");
    for alternative in sub.split('|').map(|name| name.rsplit(' ').next().unwrap_or(name)) {
        let named = if subs.len() > 1 { format!("{} {alternative}", subs[0]) } else { sub.clone() };
        let help = folder.throng(&format!("{named} --help")).exits(0).out;
        for option in words.iter().filter(|word| word.starts_with('-')) {
            assert!(help.contains(option), "{named} has no {option}: {line}");
        }
        if words[0] == "lab" {
            assert!(words.get(1).is_some_and(|name| help.contains(name)), "{piece}: {line}");
        }
    }
}
