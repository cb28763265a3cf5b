//! Which map a query is about: an uploaded one, or that of a world as it is now.

use std::sync::Arc;

use serde::Deserialize;
use throng::model::Map;

use crate::error::Refusal;
use crate::maps::MapKey;
use crate::room::{Answer, Ask};
use crate::server::Shared;

/// The map of a query: one of the two.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct MapName {
    /// The id of an uploaded map.
    pub(crate) map: Option<String>,
    /// The id of a world.
    pub(crate) world: Option<String>,
}

impl MapName {
    /// The map, and what identifies its content.
    pub(crate) async fn find(&self, shared: &Shared) -> Result<(MapKey, Arc<Map>), Refusal> {
        match (&self.map, &self.world) {
            (Some(id), None) => Ok((key(id.clone(), 0), shared.maps.get(id)?)),
            (None, Some(id)) => {
                let room = shared.rooms.get(id)?;
                let key = key(format!("world {id}"), room.frame().map.edition);
                match room.ask(Ask::Map).await? {
                    Answer::Map(map) => Ok((key, Arc::from(map))),
                    _ => Err(Refusal::conflict("the world gave no map")),
                }
            }
            _ => {
                Err(Refusal::bad("give one of map (an uploaded map's id) and world (a world's id)"))
            }
        }
    }
}

fn key(id: String, edition: u64) -> MapKey {
    MapKey { id, edition, is_exact: false }
}
