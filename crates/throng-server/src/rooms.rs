//! All worlds of the server, by id.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use crate::error::Refusal;
use crate::options::WORLDS_MAX;
use crate::room::{Ask, Beginning, RoomHandle, Source};
use crate::saving::SavedWorld;

/// The id of the world that the server starts with.
pub(crate) const MAIN: &str = "main";

/// All worlds.
pub(crate) struct Rooms {
    rooms: Mutex<BTreeMap<String, Arc<RoomHandle>>>,
    tick_hz: f64,
}

impl Rooms {
    pub(crate) fn new(tick_hz: f64) -> Self {
        Self { rooms: Mutex::default(), tick_hz }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Arc<RoomHandle>>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn all(&self) -> Vec<Arc<RoomHandle>> {
        self.lock().values().cloned().collect()
    }

    pub(crate) fn get(&self, id: &str) -> Result<Arc<RoomHandle>, Refusal> {
        let found = self.lock().get(id).cloned();
        found.ok_or_else(|| {
            Refusal::missing(format!("no world {id:?}; list the worlds with GET /v1/worlds"))
        })
    }

    /// Starts a world. Without an id it gets a free one.
    pub(crate) fn create(
        &self,
        id: Option<&str>,
        source: Source,
    ) -> Result<Arc<RoomHandle>, Refusal> {
        let id = self.free_id(id)?;
        self.start(id, Beginning::New(source))
    }

    /// Goes on with a world that was saved.
    pub(crate) fn restore(&self, saved: SavedWorld) -> Result<Arc<RoomHandle>, Refusal> {
        let id = self.free_id(Some(&saved.id))?;
        self.start(id, Beginning::Saved(Box::new(saved)))
    }

    fn start(&self, id: String, begin: Beginning) -> Result<Arc<RoomHandle>, Refusal> {
        // Built without the lock: other worlds stay reachable meanwhile.
        let room = RoomHandle::start(&id, begin, self.tick_hz)?;
        let mut rooms = self.lock();
        check_room(&rooms, &id)?;
        rooms.insert(id, room.clone());
        Ok(room)
    }

    fn free_id(&self, id: Option<&str>) -> Result<String, Refusal> {
        let rooms = self.lock();
        let id = match id {
            Some(id) => checked_id(id, "world")?,
            None => (1_u32..)
                .map(|number| format!("world-{number}"))
                .find(|id| !rooms.contains_key(id))
                .unwrap_or_default(),
        };
        check_room(&rooms, &id)?;
        Ok(id)
    }

    /// Ends a world. Its viewers are disconnected.
    pub(crate) async fn remove(&self, id: &str) -> Result<(), Refusal> {
        let room = self.get(id)?;
        self.lock().remove(id);
        room.ask(Ask::Close).await.map(|_| ())
    }
}

fn check_room(rooms: &BTreeMap<String, Arc<RoomHandle>>, id: &str) -> Result<(), Refusal> {
    if rooms.contains_key(id) {
        return Err(Refusal::conflict(format!("there is a world {id:?}; choose another id")));
    }
    if rooms.len() >= WORLDS_MAX {
        return Err(Refusal::conflict(format!("{WORLDS_MAX} worlds, the limit; delete one first")));
    }
    Ok(())
}

/// An id that may stand in an address and in metrics; `what` it is for.
pub(crate) fn checked_id(id: &str, what: &str) -> Result<String, Refusal> {
    let letters =
        id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_');
    if !letters || id.is_empty() || id.len() > 32 {
        return Err(Refusal::bad(format!("a {what}'s id has 1 to 32 letters, digits, - and _")));
    }
    Ok(id.to_owned())
}

/// A world as listed.
pub(crate) fn world_json(room: &RoomHandle) -> Value {
    let frame = room.frame();
    let mut json = frame.info.hello["world"].clone();
    json["speed"] = json!(frame.status.speed);
    json["paused"] = json!(frame.status.paused);
    json["tick"] = json!(frame.status.tick);
    json["units"] = json!(frame.status.units);
    json["viewers"] = json!(room.viewers());
    json
}
