//! Reads request bodies; errors say what is wrong and what to do.

use axum::body::Bytes;
use serde::de::DeserializeOwned;

use crate::error::Refusal;

/// The JSON of a body. An empty body counts as an empty object.
pub(crate) fn parse<T: DeserializeOwned>(body: &Bytes) -> Result<T, Refusal> {
    let bytes: &[u8] = if body.is_empty() { b"{}" } else { body };
    // A list in place of an object would be read by the order of fields.
    if bytes.trim_ascii_start().first() == Some(&b'[') {
        return Err(Refusal::bad("the body is a list; give an object, see GET /openapi.json"));
    }
    serde_json::from_slice(bytes).map_err(|error| {
        let what = if error.is_data() { "not understood" } else { "not JSON" };
        Refusal::bad(format!("the body is {what}: {error}; GET /openapi.json describes it"))
    })
}
