//! The log of a round, in the format of `docs/logs.md`: when each player set a destination, and where
//! it was after each step.
//!
//! Lanctot et al. (2006), "Orbius": the server logs the time, the action, the player, and the new
//! position of a move update (MV), or the position and the destination of a set destination action (SD).

use std::fmt::Write as _;

use throng_scene::{Level, Location, Point};

use crate::options::TICK_MS;
use crate::player::PlayerNumber;

/// The first line of a log.
pub const LOG_HEADER: &str = "time_ms,action,player,x,y,level,to_x,to_y";
/// Most entries of a log. With 200 players a round of ten minutes has about a million.
const ENTRIES_MAX: usize = 2_000_000;
const ENTRY_BYTES: usize = 16;
/// Coordinates are kept in thousandths of a unit.
const THOUSANDTHS: f64 = 1000.0;

/// What a player did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LoggedAction {
    /// MV: it moved to where it is now.
    Move,
    /// SD: it set a destination.
    Destination(Point),
}

/// An entry in 16 bytes. An entry with a destination is followed by one that holds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    tick: u32,
    player: u16,
    level: u8,
    has_destination: bool,
    x: i32,
    y: i32,
}

impl Entry {
    fn of(bytes: &[u8; ENTRY_BYTES]) -> Self {
        let [t0, t1, t2, t3, p0, p1, level, destination, x0, x1, x2, x3, y0, y1, y2, y3] = *bytes;
        Self {
            tick: u32::from_le_bytes([t0, t1, t2, t3]),
            player: u16::from_le_bytes([p0, p1]),
            level,
            has_destination: destination != 0,
            x: i32::from_le_bytes([x0, x1, x2, x3]),
            y: i32::from_le_bytes([y0, y1, y2, y3]),
        }
    }
}

/// The log of a round. Its memory is bounded: 32 bytes for a destination, 16 for a move, two million at
/// most. What comes later is counted and not kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayLog {
    entries: Vec<Entry>,
    moves: usize,
    destinations: usize,
    left_out: usize,
}

impl PlayLog {
    pub(crate) fn push(
        &mut self,
        tick: u64,
        player: PlayerNumber,
        location: Location,
        action: LoggedAction,
    ) {
        if self.entries.len() + 2 > ENTRIES_MAX {
            self.left_out += 1;
            return;
        }
        let whole = |length: f64| (length * THOUSANDTHS).round() as i32;
        let entry = |point: Point, has_destination| Entry {
            tick: u32::try_from(tick).unwrap_or(u32::MAX),
            player: player.0,
            level: location.level.0,
            has_destination,
            x: whole(point.x),
            y: whole(point.y),
        };
        match action {
            LoggedAction::Move => {
                self.moves += 1;
                self.entries.push(entry(location.at, false));
            }
            LoggedAction::Destination(to) => {
                self.destinations += 1;
                self.entries.extend([entry(location.at, true), entry(to, false)]);
            }
        }
    }

    /// Move updates (the paper's MV).
    #[must_use]
    pub fn moves(&self) -> usize {
        self.moves
    }

    /// Set destination actions (the paper's SD).
    #[must_use]
    pub fn destinations(&self) -> usize {
        self.destinations
    }

    /// Actions that came when the log was full.
    #[must_use]
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// The memory of the log, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>()
    }

    /// Where players were after each move, in order.
    pub fn visits(&self) -> impl Iterator<Item = Location> {
        let mut entries = self.entries.iter();
        let units = |whole: i32| f64::from(whole) / THOUSANDTHS;
        std::iter::from_fn(move || {
            loop {
                let entry = entries.next()?;
                if !entry.has_destination {
                    let at = Point::new(units(entry.x), units(entry.y));
                    return Some(Location { at, level: Level(entry.level) });
                }
                entries.next();
            }
        })
    }

    /// The log as bytes, 16 for each entry.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(8 + self.entries.len() * ENTRY_BYTES);
        bytes.extend((self.left_out as u64).to_le_bytes());
        for entry in &self.entries {
            bytes.extend(entry.tick.to_le_bytes());
            bytes.extend(entry.player.to_le_bytes());
            bytes.extend([entry.level, u8::from(entry.has_destination)]);
            bytes.extend(entry.x.to_le_bytes());
            bytes.extend(entry.y.to_le_bytes());
        }
        bytes
    }

    /// The log that [`to_bytes`](Self::to_bytes) wrote; `None` for other bytes.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (left_out, bytes) = bytes.split_first_chunk()?;
        let (chunks, rest) = bytes.as_chunks::<ENTRY_BYTES>();
        if !rest.is_empty() || chunks.len() > ENTRIES_MAX {
            return None;
        }
        let left_out = u64::from_le_bytes(*left_out) as usize;
        let entries: Vec<Entry> = chunks.iter().map(Entry::of).collect();
        let mut log = Self { entries: Vec::new(), moves: 0, destinations: 0, left_out };
        let mut index = 0;
        while let Some(entry) = entries.get(index) {
            if entry.has_destination {
                entries.get(index + 1).filter(|to| !to.has_destination)?;
                (log.destinations, index) = (log.destinations + 1, index + 2);
            } else {
                (log.moves, index) = (log.moves + 1, index + 1);
            }
        }
        log.entries = entries;
        Some(log)
    }

    /// The log as text.
    ///
    /// ```
    /// use throng_game::{Game, GameOptions, LOG_HEADER};
    /// let mut game = Game::new(throng_scene::town(1).validate()?, GameOptions::default())?;
    /// game.tick();
    /// assert!(game.log().text().starts_with(LOG_HEADER));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("{LOG_HEADER}\n");
        if self.left_out > 0 {
            let left_out = self.left_out;
            let _ = writeln!(text, "# the log was full: {left_out} later actions are left out");
        }
        let units = |whole: i32| f64::from(whole) / THOUSANDTHS;
        let mut entries = self.entries.iter();
        while let Some(entry) = entries.next() {
            let Entry { tick, player, level, .. } = entry;
            let (time_ms, x, y) = (u64::from(*tick) * TICK_MS, units(entry.x), units(entry.y));
            let to = entry.has_destination.then(|| entries.next()).flatten();
            let _ = match to {
                None => writeln!(text, "{time_ms},MV,{player},{x},{y},{level},,"),
                Some(to) => {
                    let (to_x, to_y) = (units(to.x), units(to.y));
                    writeln!(text, "{time_ms},SD,{player},{x},{y},{level},{to_x},{to_y}")
                }
            };
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_the_format() {
        let mut log = PlayLog::default();
        let at = |x, y| Location::ground(x, y);
        let to = LoggedAction::Destination(Point::new(4.0, 5.5));
        log.push(1, PlayerNumber(3), at(1.5, 2.25), to);
        log.push(2, PlayerNumber(3), at(1.620_01, 2.33), LoggedAction::Move);
        let expected = format!("{LOG_HEADER}\n100,SD,3,1.5,2.25,0,4,5.5\n200,MV,3,1.62,2.33,0,,\n");
        assert_eq!(log.text(), expected);
        assert_eq!((log.moves(), log.destinations(), log.left_out()), (1, 1, 0));
        let bytes = log.to_bytes();
        assert_eq!(PlayLog::from_bytes(&bytes).as_ref(), Some(&log));
        for length in [0, 7, 8 + 16, 9, bytes.len() - 1] {
            assert_eq!(PlayLog::from_bytes(&bytes[..length]), None, "{length} bytes");
        }
        assert_eq!(log.visits().collect::<Vec<_>>(), [at(1.62, 2.33)]);
    }

    #[test]
    fn a_full_log_says_so_and_takes_no_more_memory() {
        let mut log = PlayLog::default();
        for tick in 0..ENTRIES_MAX as u64 + 10 {
            log.push(tick, PlayerNumber(0), Location::ground(0.0, 0.0), LoggedAction::Move);
        }
        assert!(log.left_out() > 0 && log.entries.len() <= ENTRIES_MAX);
        assert!(log.text().contains("# the log was full: "));
    }
}
