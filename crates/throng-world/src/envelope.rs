//! The header of everything that is stored: what it is, its version, and a checksum.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | letters that say what it is |
//! | 4 | version of the format, least byte first |
//! | 8 | bytes of content, least byte first |
//! | 8 | checksum (FNV-1a, 64 bits) of the bytes before and after it, least byte first |
//! | | content (postcard) |

use serde::Serialize;
use serde::de::DeserializeOwned;

const HEADER: usize = 28;
const CHECKSUM: std::ops::Range<usize> = 20..28;

/// What something that is stored is called.
pub(crate) struct Envelope {
    pub(crate) what: &'static str,
    pub(crate) letters: [u8; 8],
    pub(crate) version: u32,
}

/// Why bytes cannot be read at all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// Something else.
    #[error("this is not a throng {0}: it begins with other letters")]
    Foreign(&'static str),
    /// Written by a version that is not known here.
    #[error("written in version {found} of the format, and up to {known} is known; update throng")]
    Version {
        /// The version it says.
        found: u32,
        /// The newest that is known.
        known: u32,
    },
    /// The end is missing.
    #[error("cut off after {found} of {expected} bytes; copy it again")]
    Truncated {
        /// How many bytes there should be.
        expected: u64,
        /// How many there are.
        found: u64,
    },
    /// There is more behind it.
    #[error("{0} bytes follow after its end; copy it alone")]
    TooLong(u64),
    /// A byte was changed.
    #[error("damaged: the checksum is not that of the content; copy it again")]
    Damaged,
    /// The content is not what its kind has.
    #[error("makes no sense from byte {at} on")]
    Malformed {
        /// Where.
        at: usize,
    },
}

impl Envelope {
    pub(crate) fn write(&self, content: &impl Serialize) -> Vec<u8> {
        // Only lists of unknown length can fail, and there are none.
        let content = postcard::to_allocvec(content).unwrap_or_default();
        let mut bytes = Vec::with_capacity(HEADER + content.len());
        bytes.extend(self.letters);
        bytes.extend(self.version.to_le_bytes());
        bytes.extend((content.len() as u64).to_le_bytes());
        let checksum = fnv(fnv(FNV_START, &bytes), &content);
        bytes.extend(checksum.to_le_bytes());
        bytes.extend(content);
        bytes
    }

    pub(crate) fn read<T: DeserializeOwned>(&self, bytes: &[u8]) -> Result<T, FileError> {
        let content = self.open(bytes)?;
        let mut reader = postcard::Deserializer::from_bytes(content);
        let read = T::deserialize(&mut reader);
        let left = reader.finalize().map_or(0, <[u8]>::len);
        let at = bytes.len() - left;
        match read {
            Ok(read) if left == 0 => Ok(read),
            _ => Err(FileError::Malformed { at }),
        }
    }

    fn open<'a>(&self, bytes: &'a [u8]) -> Result<&'a [u8], FileError> {
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

const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a: no change of a single byte goes unnoticed.
fn fnv(start: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(start, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
