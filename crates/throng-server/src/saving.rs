//! Saves all worlds and games to a file, and restores them: all or nothing.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use throng::model::limits::FILE_BYTES_MAX;

use crate::game::SavedTable;
use crate::planner::PlannerName;
use crate::setup::Errand;

/// The version of the file's layout.
const VERSION: u32 = 1;

/// All worlds and games of a server.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SavedState {
    version: u32,
    pub(crate) worlds: Vec<SavedWorld>,
    /// Files of earlier servers have none.
    #[serde(default)]
    pub(crate) games: Vec<SavedTable>,
}

/// One world.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SavedWorld {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) scenario: String,
    pub(crate) planner: PlannerName,
    pub(crate) seed: u64,
    pub(crate) units: Option<u32>,
    /// Whether the map is not the scenario's.
    pub(crate) has_own_map: bool,
    pub(crate) speed: f64,
    pub(crate) is_paused: bool,
    /// The world's own snapshot in base64. Only worlds under throng have one; others begin again.
    pub(crate) snapshot: Option<String>,
    pub(crate) tags: Vec<SavedTag>,
    /// The cells that each building covers, by its number.
    pub(crate) building_cells: Vec<(u32, Vec<[u16; 2]>)>,
}

/// What the server knows of a unit.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct SavedTag {
    pub(crate) unit: u32,
    pub(crate) profile: u8,
    pub(crate) team: u8,
    pub(crate) legs: [Errand; 2],
    pub(crate) leg: u8,
    pub(crate) is_sent_by_scenario: bool,
    pub(crate) is_attacking: bool,
}

/// Why a state file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// It cannot be read or written.
    #[error("{path}: {error}; check the path and its permissions")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// It is not a state file, or damaged.
    #[error("{path}: {problem}; move it away to begin with new worlds")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// A world did not say what is to be saved.
    #[error("the world {world:?} does not answer; the state file is the one before")]
    NoAnswer {
        /// The world's id.
        world: String,
    },
    /// A game did not say what is to be saved.
    #[error("a game is not saved: {0}; the state file is the one before")]
    Game(String),
}

impl SavedState {
    pub(crate) fn new(worlds: Vec<SavedWorld>, games: Vec<SavedTable>) -> Self {
        Self { version: VERSION, worlds, games }
    }

    /// Reads a state file; `None` if there is none yet.
    pub(crate) fn read(path: &Path) -> Result<Option<Self>, StateError> {
        let about = |error| StateError::File { path: path.to_owned(), error };
        let damaged = |problem: String| StateError::Damaged { path: path.to_owned(), problem };
        let file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(about(error)),
        };
        let mut bytes = Vec::new();
        file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(about)?;
        if bytes.len() as u64 > FILE_BYTES_MAX {
            return Err(damaged("too large for a state file".to_owned()));
        }
        let state: Self = serde_json::from_slice(&bytes)
            .map_err(|error| damaged(format!("not a state file: {error}")))?;
        if state.version != VERSION {
            let found = state.version;
            return Err(damaged(format!("of version {found}; this is version {VERSION}")));
        }
        Ok(Some(state))
    }

    /// Replaces the state file. A crash at any moment leaves the old file or the new one.
    pub(crate) fn write(&self, path: &Path) -> Result<(), StateError> {
        let about = |error| StateError::File { path: path.to_owned(), error };
        let bytes = serde_json::to_vec(self).map_err(|error| about(error.into()))?;
        let folder = match path.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".part");
        let temporary = folder.join(name);
        write_synced(&temporary, &bytes)
            .and_then(|()| fs::rename(&temporary, path))
            .and_then(|()| File::open(folder)?.sync_all())
            .map_err(about)
    }
}

fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Bytes as text.
pub(crate) fn encode(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// Bytes from text.
pub(crate) fn decode(text: &str) -> Result<Vec<u8>, String> {
    STANDARD.decode(text).map_err(|error| format!("base64 is damaged: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_no_state_is_refused_and_kept() {
        let path = std::env::temp_dir().join(format!("throng-state-{}", std::process::id()));
        assert!(SavedState::read(&path).unwrap().is_none());
        for text in ["", "{", "{\"version\":9,\"worlds\":[]}", "[]"] {
            fs::write(&path, text).unwrap();
            let error = SavedState::read(&path).unwrap_err().to_string();
            assert!(error.contains("move it away"), "{error}");
        }
        SavedState::new(Vec::new(), Vec::new()).write(&path).unwrap();
        assert_eq!(SavedState::read(&path).unwrap().unwrap().worlds.len(), 0);
        fs::remove_file(&path).unwrap();
    }
}
