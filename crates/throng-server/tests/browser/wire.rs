//! The WebDriver protocol: JSON over HTTP/1.1 on loopback, one connection per command.
//!
//! A client crate would bring about sixty crates; the protocol needs one function.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

/// A command that takes longer than this has failed.
const ANSWER_MAX: Duration = Duration::from_secs(70);

/// Sends a command to the driver at a port; the value of its answer, or its error.
pub(crate) fn command(
    port: u16,
    method: &str,
    path: &str,
    body: Option<&Value>,
) -> Result<Value, String> {
    let text = body.map(Value::to_string).unwrap_or_default();
    let answer = exchange(port, method, path, &text).map_err(|error| error.to_string())?;
    let mut json: Value = serde_json::from_slice(&answer).map_err(|error| error.to_string())?;
    let value = json["value"].take();
    match value["error"].as_str() {
        Some(error) => Err(format!("{error}: {}", value["message"])),
        None => Ok(value),
    }
}

fn exchange(port: u16, method: &str, path: &str, body: &str) -> std::io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(ANSWER_MAX))?;
    let length = body.len();
    write!(
        stream,
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    )?;
    let mut reader = BufReader::new(stream);
    let mut answer = vec![0; content_length(&mut reader)?];
    reader.read_exact(&mut answer)?;
    Ok(answer)
}

/// Reads the head of an answer.
fn content_length(reader: &mut impl BufRead) -> std::io::Result<usize> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        if line.trim().is_empty() {
            return Ok(length);
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().map_err(std::io::Error::other)?;
        }
    }
}
