//! The real command on real files: what it prints, writes and exits with.
#![expect(clippy::disallowed_methods, reason = "tests look at the files that the command wrote")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a broken test should stop at once")]

mod bad_input;
mod bench;
mod checks;
mod conversions;
mod crowds;
mod demo;
mod generators;
mod help;
mod lifelong;
mod live;
mod outputs;
mod papers_audit;
mod paths;
mod pictures;
mod scenes;
mod serve;
mod signals;
mod solve;
mod solve_refusals;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// A folder of a test's own, with files in it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn with(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        std::fs::write(self.0.join(name), content).unwrap();
        self
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.0.join(name)).unwrap()
    }

    fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    /// The names of the files in it, sorted.
    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Runs the command in this folder; the words are separated by spaces.
    fn throng(&self, words: &str) -> Run {
        self.run(words, &[])
    }

    fn run(&self, words: &str, variables: &[(&str, &str)]) -> Run {
        self.run_words(&words.split_whitespace().collect::<Vec<_>>(), variables, b"")
    }

    /// Runs the command with this on its standard input.
    fn run_with_input(&self, words: &str, input: &[u8]) -> Run {
        self.run_words(&words.split_whitespace().collect::<Vec<_>>(), &[], input)
    }

    fn run_words(&self, words: &[&str], variables: &[(&str, &str)], input: &[u8]) -> Run {
        let mut command = Command::new(env!("CARGO_BIN_EXE_throng"));
        command.current_dir(&self.0).args(words).stdin(Stdio::piped());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        for name in ["NO_COLOR", "CLICOLOR_FORCE"] {
            command.env_remove(name);
        }
        let mut child = command.envs(variables.iter().copied()).spawn().unwrap();
        // A command that does not read its input may have ended already.
        let _ = child.stdin.take().unwrap().write_all(input);
        let output = child.wait_with_output().unwrap();
        Run {
            words: words.join(" "),
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// What came of a command.
struct Run {
    words: String,
    code: Option<i32>,
    out: String,
    err: String,
}

impl Run {
    /// Checks the exit code. Errors are told on standard error, results never.
    #[track_caller]
    fn exits(self, code: i32) -> Self {
        let Self { words, out, err, .. } = &self;
        assert_eq!(self.code, Some(code), "throng {words}\n{out}\n{err}");
        if code == 1 {
            assert_eq!(out, "", "throng {words}");
            assert!(err.starts_with("error: "), "throng {words}\n{err}");
        } else {
            assert_eq!(err, "", "throng {words}");
        }
        self
    }

    #[track_caller]
    fn says(self, text: &str) -> Self {
        let Self { words, out, err, .. } = &self;
        assert!(out.contains(text) || err.contains(text), "throng {words}\n{out}\n{err}");
        self
    }

    /// The one JSON object on standard output.
    #[track_caller]
    fn json(&self) -> Value {
        let value: Value = serde_json::from_str(&self.out)
            .unwrap_or_else(|error| panic!("throng {}: {error}\n{}", self.words, self.out));
        assert!(value.is_object(), "throng {}", self.words);
        assert_eq!(self.out.lines().count(), 1, "throng {}", self.words);
        value
    }
}

/// A map with a wall that has a gap below.
const GAP: &str = "type octile\nheight 4\nwidth 7\nmap\n...@...\n...@...\n...@...\n.......\n";

/// A map in two parts.
const SPLIT: &str = "type octile\nheight 2\nwidth 5\nmap\n..@..\n..@..\n";
