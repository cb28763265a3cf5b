//! The files that the rules check.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

/// The repository's Rust, Markdown, TOML and text files by path from the root, with `/`.
pub(crate) struct Repository {
    pub(crate) files: BTreeMap<String, String>,
}

const EXTENSIONS: [&str; 4] = [".rs", ".md", ".toml", ".txt"];

impl Repository {
    pub(crate) fn load(root: &Path) -> io::Result<Self> {
        let mut files = BTreeMap::new();
        load_folder(root, "", &mut files)?;
        Ok(Self { files })
    }

    pub(crate) fn text(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(String::as_str)
    }

    /// All Rust files.
    pub(crate) fn rust(&self) -> impl Iterator<Item = (&str, &str)> {
        let files = self.files.iter().filter(|(path, _)| path.ends_with(".rs"));
        files.map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// The folders of the packages under `crates/`, without a slash at the end.
    pub(crate) fn crates(&self) -> impl Iterator<Item = &str> {
        let folders = self.files.keys().filter_map(|path| path.strip_suffix("/Cargo.toml"));
        folders
            .filter(|folder| folder.strip_prefix("crates/").is_some_and(|name| !name.contains('/')))
    }
}

fn load_folder(
    folder: &Path,
    prefix: &str,
    files: &mut BTreeMap<String, String>,
) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        let hidden = name.starts_with('.') || name == "target";
        if entry.file_type()?.is_dir() && !hidden {
            load_folder(&entry.path(), &format!("{path}/"), files)?;
        } else if EXTENSIONS.iter().any(|extension| name.ends_with(extension)) {
            files.insert(path, fs::read_to_string(entry.path())?);
        }
    }
    Ok(())
}
