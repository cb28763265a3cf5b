//! All games of the server, by id.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Semaphore;

use super::saving::SavedTable;
use super::source::{GameSetup, GameSource};
use super::table::{Answer, Ask, GameHandle};
use crate::error::Refusal;
use crate::rooms::{MAIN, checked_id};

/// Most games at a time.
const GAMES_MAX: usize = 4;
/// Most logs that are written out at a time.
const DOWNLOADS_MAX: usize = 2;

/// All games.
pub(crate) struct Games {
    games: Mutex<BTreeMap<String, Arc<GameHandle>>>,
    pub(super) downloads: Arc<Semaphore>,
}

impl Games {
    /// The games that were saved, and the first game, which is made when somebody asks for it.
    pub(crate) fn new(setup: GameSetup, saved: &[SavedTable]) -> Result<Self, Refusal> {
        let downloads = Arc::new(Semaphore::new(DOWNLOADS_MAX));
        let games = Self { games: Mutex::default(), downloads };
        for game in saved {
            let restored = GameSource::Restored(Box::new(game.restore()?));
            games.start(Some(&game.id), restored)?;
        }
        if games.get(MAIN).is_err() {
            games.create(Some(MAIN), setup)?;
        }
        Ok(games)
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Arc<GameHandle>>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn all(&self) -> Vec<Arc<GameHandle>> {
        self.lock().values().cloned().collect()
    }

    pub(super) fn get(&self, id: &str) -> Result<Arc<GameHandle>, Refusal> {
        let found = self.lock().get(id).cloned();
        found.ok_or_else(|| {
            Refusal::missing(format!("no game {id:?}; list the games with GET /v1/games"))
        })
    }

    /// Starts a game. Without an id it gets a free one.
    pub(super) fn create(
        &self,
        id: Option<&str>,
        setup: GameSetup,
    ) -> Result<Arc<GameHandle>, Refusal> {
        self.start(id, GameSource::New(Box::new(setup)))
    }

    fn start(&self, id: Option<&str>, source: GameSource) -> Result<Arc<GameHandle>, Refusal> {
        let mut games = self.lock();
        let id = match id {
            Some(id) => checked_id(id, "game")?,
            None => {
                let mut free = (1_u32..).map(|number| format!("game-{number}"));
                free.find(|id| !games.contains_key(id)).unwrap_or_default()
            }
        };
        if games.contains_key(&id) {
            return Err(Refusal::conflict(format!("there is a game {id:?}; choose another id")));
        }
        if games.len() >= GAMES_MAX {
            let full = format!("{GAMES_MAX} games, the limit; delete one first");
            return Err(Refusal::conflict(full));
        }
        let game = GameHandle::start(&id, source)?;
        games.insert(id, game.clone());
        Ok(game)
    }

    /// Ends a game. Its connections are closed.
    pub(super) async fn remove(&self, id: &str) -> Result<(), Refusal> {
        let game = self.get(id)?;
        self.lock().remove(id);
        // One that could not be made is gone too.
        let _ = game.ask(Ask::Close).await;
        Ok(())
    }

    /// What is saved of all games.
    pub(crate) async fn save(&self) -> Result<Vec<SavedTable>, Refusal> {
        let mut saved = Vec::new();
        for game in self.all() {
            match game.ask(Ask::Save).await {
                Ok(Answer::Saved(table)) => saved.extend(table.map(|table| *table)),
                // It was removed meanwhile.
                _ if self.get(&game.id).is_err() => {}
                Ok(_) => {}
                Err(refusal) => return Err(refusal),
            }
        }
        Ok(saved)
    }

    /// Ends all games.
    pub(crate) async fn close(&self) {
        for game in self.all() {
            let _ = game.ask(Ask::Close).await;
        }
    }

    /// The connections of all games.
    pub(crate) fn connections(&self) -> usize {
        self.all().iter().map(|game| game.connections()).sum()
    }
}
