//! Reads and writes files. No other module of the command opens files, but for temporary ones.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result, anyhow, bail};
use throng::formats::FormatError;
use throng::model::limits::FILE_BYTES_MAX;

use crate::signals::TemporaryFile;

/// A file that was read, with the name it goes by in messages.
pub(crate) struct Input {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

/// Reads a file whole; `-` is standard input.
pub(crate) fn read(path: &Path) -> Result<Input> {
    if path == Path::new("-") {
        static IS_READ: AtomicBool = AtomicBool::new(false);
        if IS_READ.swap(true, Ordering::Relaxed) {
            bail!("standard input (-) can be read only once; give a file for one of the inputs");
        }
        let bytes = read_limited(io::stdin().lock(), "standard input")?;
        return Ok(Input { name: "standard input".to_owned(), bytes });
    }
    let name = path.display().to_string();
    let file = open(path, &name)?;
    let bytes = read_limited(file, &name)?;
    Ok(Input { name, bytes })
}

fn open(path: &Path, name: &str) -> Result<File> {
    let about = |error: io::Error| match error.kind() {
        ErrorKind::NotFound => anyhow!("{name}: no such file; check the path"),
        ErrorKind::PermissionDenied => anyhow!("{name}: not readable; check its permissions"),
        _ => anyhow!("{name}: {error}; check the path"),
    };
    let is_folder = fs::metadata(path).map_err(about)?.is_dir();
    if is_folder {
        bail!("{name}: this is a folder; give a file in it");
    }
    File::open(path).map_err(about)
}

fn read_limited(source: impl Read, name: &str) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = source.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes);
    read.with_context(|| format!("{name}: reading failed"))?;
    if bytes.len() as u64 > FILE_BYTES_MAX {
        bail!("{name}: larger than {} MiB, the limit; split the file", FILE_BYTES_MAX >> 20);
    }
    Ok(bytes)
}

impl Input {
    /// The parsed content; errors name the file.
    pub(crate) fn parse<T>(
        &self,
        parse: impl FnOnce(&[u8]) -> Result<T, FormatError>,
    ) -> Result<T> {
        Ok(parse(&self.bytes).map_err(|error| error.in_file(&self.name))?)
    }
}

/// A file to write, checked before the work that makes its content.
#[derive(Clone, Debug)]
pub(crate) struct Output {
    path: PathBuf,
}

impl Output {
    /// Refuses paths that cannot or must not be written: folders, missing folders, inputs.
    pub(crate) fn new(path: PathBuf, inputs: &[&Path]) -> Result<Self> {
        let name = path.display();
        if path == Path::new("-") {
            bail!("cannot write to standard output; give a file name");
        }
        let ends_in_slash = path.as_os_str().as_encoded_bytes().ends_with(b"/");
        if path.is_dir() || path.file_name().is_none() || ends_in_slash {
            bail!("{name}: this is a folder; give a file name in it");
        }
        if !folder_of(&path).is_dir() {
            bail!("{name}: the folder does not exist; make it first");
        }
        if let Some(input) = inputs.iter().find(|input| is_same_file(input, &path)) {
            bail!("{name}: would overwrite the input {}; choose another name", input.display());
        }
        Ok(Self { path })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The extension of the file name, in lower case.
    pub(crate) fn extension(&self) -> String {
        let extension = self.path.extension().unwrap_or_default();
        extension.to_string_lossy().to_lowercase()
    }

    /// Refuses a file name with another extension.
    pub(crate) fn expect_extension(&self, known: &[&str]) -> Result<()> {
        if known.contains(&self.extension().as_str()) {
            return Ok(());
        }
        let known: Vec<_> = known.iter().map(|extension| format!(".{extension}")).collect();
        bail!("{}: unknown file extension; use {}", self.path.display(), known.join(" or "))
    }

    /// Writes all or nothing: a temporary file in the same folder replaces the file. A device
    /// or pipe is written into instead.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<()> {
        // Behind a link it is the file that changes, not the link.
        let target = fs::canonicalize(&self.path).unwrap_or_else(|_| self.path.clone());
        let written = match fs::metadata(&target) {
            Ok(found) if !found.is_file() => OpenOptions::new()
                .write(true)
                .open(&target)
                .and_then(|mut file| file.write_all(bytes)),
            found => replace(&target, bytes, found.ok().map(|found| found.permissions())),
        };
        written.map_err(|error| {
            anyhow!("{}: writing failed: {error}; check room and permissions", self.path.display())
        })
    }
}

/// Puts a new file in the place of an old one, with its permissions.
fn replace(target: &Path, bytes: &[u8], permissions: Option<Permissions>) -> io::Result<()> {
    if permissions.as_ref().is_some_and(Permissions::readonly) {
        return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
    }
    let temporary = folder_of(target).join(format!(".throng-{}.part", std::process::id()));
    let mut temporary = TemporaryFile::create(temporary)?;
    temporary.file.write_all(bytes)?;
    if let Some(permissions) = permissions {
        temporary.file.set_permissions(permissions)?;
    }
    temporary.file.sync_all()?;
    temporary.rename(target)
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

fn is_same_file(a: &Path, b: &Path) -> bool {
    match (fs::canonicalize(a), fs::canonicalize(b)) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

/// A file that grows line by line.
pub(crate) struct Appended {
    file: File,
    name: String,
}

impl Appended {
    /// Opens the file behind what it has, or as a new one that begins with `first`.
    pub(crate) fn open(path: &Path, fresh: bool, first: &str) -> Result<Self> {
        let name = path.display().to_string();
        let is_new = fresh || !path.is_file();
        let mut options = OpenOptions::new();
        let options = options.create(true).append(!is_new).write(true).truncate(is_new);
        let file = options.open(path).with_context(|| format!("{name}: cannot be written"))?;
        let mut appended = Self { file, name };
        // The last line of an interrupted run may lack its end.
        appended.add(if is_new { first } else { "\n" })?;
        Ok(appended)
    }

    pub(crate) fn add(&mut self, lines: &str) -> Result<()> {
        let written = self.file.write_all(lines.as_bytes()).and_then(|()| self.file.flush());
        written.with_context(|| format!("{}: writing failed", self.name))
    }
}

/// A name of this build: the version and a hash (FNV-1a) of the program.
pub(crate) fn build_name() -> String {
    let program = std::env::current_exe().ok().and_then(|path| read(&path).ok());
    let program = program.map_or(Vec::new(), |input| input.bytes);
    let hash = program.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{}+{:08x}", env!("CARGO_PKG_VERSION"), hash as u32)
}

/// The most memory that this process has held so far, in bytes; `None` where the system does not
/// report it in a file, as Linux does.
pub(crate) fn peak_memory_bytes() -> Option<u64> {
    let status = File::open("/proc/self/status").ok()?;
    let bytes = read_limited(status, "/proc/self/status").ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let line = text.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    kibibytes.checked_mul(1024)
}

/// Makes a folder and those above it, where they are missing.
pub(crate) fn make_folder(path: &Path) -> Result<()> {
    let made = fs::create_dir_all(path);
    made.map_err(|error| anyhow!("{}: {error}; give another folder", path.display()))
}

/// The file's name without its folders.
pub(crate) fn base_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
