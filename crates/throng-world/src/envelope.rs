//! The header of snapshots and replays: magic number, version, length and checksum.
//!
//! | bytes | meaning |
//! |---|---|
//! | 8 | magic number: ASCII letters that identify the kind of file |
//! | 4 | version of the format, little-endian |
//! | 8 | length of the content in bytes, little-endian |
//! | 8 | checksum (FNV-1a, 64 bits) of the bytes before and after it, little-endian |
//! | | content (postcard) |

use serde::Serialize;
use serde::de::DeserializeOwned;

const HEADER: usize = 28;
const CHECKSUM: std::ops::Range<usize> = 20..28;

/// A kind of file: its name, magic number and version.
pub(crate) struct Envelope {
    pub(crate) what: &'static str,
    pub(crate) letters: [u8; 8],
    pub(crate) version: u32,
}

/// Why bytes cannot be read as a snapshot or replay.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// Another kind of file.
    #[error("this is not a throng {0}: it begins with another magic number")]
    Foreign(&'static str),
    /// A version of the format that is not supported.
    #[error("written in version {found} of the format; this throng reads version {known} only")]
    Version {
        /// The version of the file.
        found: u32,
        /// The version that is supported.
        known: u32,
    },
    /// The end is missing.
    #[error("cut off after {found} of {expected} bytes; copy it again")]
    Truncated {
        /// The length that the header says, in bytes.
        expected: u64,
        /// The actual length.
        found: u64,
    },
    /// There are more bytes than the header says.
    #[error("{0} bytes follow after its end; copy it alone")]
    TooLong(u64),
    /// A byte was changed.
    #[error("damaged: the checksum is not that of the content; copy it again")]
    Damaged,
    /// The content cannot be decoded.
    #[error("the content is malformed at byte {at}; no version of throng wrote it")]
    Malformed {
        /// The offset of the first byte that was not decoded.
        at: usize,
    },
}

impl Envelope {
    pub(crate) fn write(&self, content: &impl Serialize) -> Vec<u8> {
        self.seal(&encode(content))
    }

    /// The file with this content.
    pub(crate) fn seal(&self, content: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEADER + content.len());
        bytes.extend(self.letters);
        bytes.extend(self.version.to_le_bytes());
        bytes.extend((content.len() as u64).to_le_bytes());
        let checksum = fnv(fnv(FNV_START, &bytes), content);
        bytes.extend(checksum.to_le_bytes());
        bytes.extend(content);
        bytes
    }

    pub(crate) fn read<T: DeserializeOwned>(&self, bytes: &[u8]) -> Result<T, FileError> {
        let mut reader = self.open(bytes)?;
        let read = reader.next()?;
        reader.end()?;
        Ok(read)
    }

    /// Reads the parts of a file one by one.
    pub(crate) fn open<'a>(&self, bytes: &'a [u8]) -> Result<Reader<'a>, FileError> {
        let content = self.content(bytes)?;
        Ok(Reader { content, bytes: bytes.len() })
    }

    fn content<'a>(&self, bytes: &'a [u8]) -> Result<&'a [u8], FileError> {
        let found = bytes.len() as u64;
        let letters = bytes.len().min(self.letters.len());
        if bytes[..letters] != self.letters[..letters] {
            return Err(FileError::Foreign(self.what));
        }
        let header = FileError::Truncated { expected: HEADER as u64, found };
        let (header, content) = bytes.split_at_checked(HEADER).ok_or(header)?;
        let number = |range: std::ops::Range<usize>| {
            header[range].iter().rev().fold(0, |all, &byte| all << 8 | u64::from(byte))
        };
        let version = number(8..12) as u32;
        if version != self.version {
            return Err(FileError::Version { found: version, known: self.version });
        }
        let expected = number(12..20).saturating_add(HEADER as u64);
        if found < expected {
            return Err(FileError::Truncated { expected, found });
        }
        if found > expected {
            return Err(FileError::TooLong(found - expected));
        }
        let checksum = fnv(fnv(FNV_START, &header[..CHECKSUM.start]), content);
        if number(CHECKSUM) != checksum {
            return Err(FileError::Damaged);
        }
        Ok(content)
    }
}

/// A part of a file in bytes.
pub(crate) fn encode(part: &impl Serialize) -> Vec<u8> {
    // Serialising fails only for lists of unknown length, and there are none.
    postcard::to_allocvec(part).unwrap_or_default()
}

/// The parts of a file that are not yet read.
pub(crate) struct Reader<'a> {
    content: &'a [u8],
    /// The length of the whole file.
    bytes: usize,
}

impl Reader<'_> {
    pub(crate) fn next<T: DeserializeOwned>(&mut self) -> Result<T, FileError> {
        let mut parts = postcard::Deserializer::from_bytes(self.content);
        let read = T::deserialize(&mut parts);
        self.content = parts.finalize().unwrap_or_default();
        read.map_err(|_| self.malformed())
    }

    /// How many bytes are left.
    pub(crate) fn left(&self) -> usize {
        self.content.len()
    }

    /// Nothing may be left.
    pub(crate) fn end(self) -> Result<(), FileError> {
        if self.content.is_empty() { Ok(()) } else { Err(self.malformed()) }
    }

    fn malformed(&self) -> FileError {
        FileError::Malformed { at: self.bytes - self.content.len() }
    }
}

const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a, which detects every change of a single byte.
fn fnv(start: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(start, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
