//! The log of a game, read from and written to a text file.
//!
//! Lanctot et al. (2006), "Orbius": the server logs the time, the action, the player, and
//! the new position of a move update (MV) or the position and the destination of a set
//! destination action (SD).
//!
//! The file is CSV with this first line, and then one event per line, in the order of time:
//!
//! ```text
//! time_ms,action,player,x,y,level,to_x,to_y
//! 100,SD,3,1.5,2.25,0,4,5.5
//! 200,MV,3,1.62,2.33,0,,
//! ```
//!
//! Empty lines and lines that begin with `#` are ignored. A destination is on the level
//! of the player who sets it. Logs of real games in this format can be used in location of
//! ours.

use std::fmt::Write as _;

use throng_scene::Location;
use throng_scene::limits::{COORDINATE_MAX, LEVELS_MAX};
use throng_scene::{Level, Point};

/// The first line of a log.
pub const HEADER: &str = "time_ms,action,player,x,y,level,to_x,to_y";
/// Most events of a log that is read.
pub const EVENTS_MAX: usize = 10_000_000;
/// Players have numbers below this.
pub const PLAYERS_MAX: u32 = 100_000;

/// What a player did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// MV: it moved to where it is now.
    MoveUpdate,
    /// SD: it clicked on a destination.
    SetDestination(Point),
}

/// One line of a log.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// Milliseconds since the game began.
    pub time_ms: u64,
    /// The player's number, from 0.
    pub player: u32,
    /// Where the player is now.
    pub location: Location,
    /// What it did.
    pub action: Action,
}

/// The log of a game: events in the order of time.
///
/// ```
/// use throng_lab::lanctot::GameLog;
/// let text = "time_ms,action,player,x,y,level,to_x,to_y\n\
///             100,SD,3,1.5,2.25,0,4,5.5\n\
///             200,MV,3,1.62,2.33,0,,\n";
/// let log = GameLog::read(text)?;
/// assert_eq!((log.move_updates(), log.set_destinations()), (1, 1));
/// assert_eq!(log.write(), text);
/// # Ok::<(), throng_lab::lanctot::LogError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameLog {
    events: Vec<Event>,
}

/// Why a log cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct LogError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: LogProblem,
}

/// What is wrong with a line of a log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LogProblem {
    /// The first line is not the header.
    #[error("a log begins with the line \"{HEADER}\"")]
    Header,
    /// Too few fields, or too many.
    #[error("{0} fields instead of 8: {HEADER}")]
    Fields(usize),
    /// A field is not what it should be.
    #[error("{field} is {given:?}: give {wanted}")]
    Field {
        /// Which field.
        field: &'static str,
        /// What is there.
        given: String,
        /// What should be there.
        wanted: &'static str,
    },
    /// The event is older than the one before.
    #[error("{time_ms} ms comes after {before_ms} ms: sort the events by time")]
    Order {
        /// The event's time.
        time_ms: u64,
        /// The time of the event before.
        before_ms: u64,
    },
    /// The log is too long.
    #[error("more than {EVENTS_MAX} events: split the log")]
    TooLong,
}

impl GameLog {
    /// Reads a log.
    ///
    /// # Errors
    /// Names the first line that is wrong, and what should be there.
    pub fn read(text: &str) -> Result<Self, LogError> {
        let mut lines = text.lines().zip(1..).filter(|(line, _)| is_content(line));
        let header = lines.next();
        if header.is_none_or(|(line, _)| line.trim() != HEADER) {
            let line = header.map_or(1, |(_, line)| line);
            return Err(LogError { line, problem: LogProblem::Header });
        }
        let mut log = Self::default();
        for (text, line) in lines {
            let event = event_of(text).and_then(|event| log.push(event));
            event.map_err(|problem| LogError { line, problem })?;
        }
        Ok(log)
    }

    /// Writes the log; reading it gives the same log again.
    #[must_use]
    pub fn write(&self) -> String {
        let mut text = format!("{HEADER}\n");
        for Event { time_ms, player, location: Location { at: point, level }, action } in
            &self.events
        {
            let (x, y) = (point.x, point.y);
            let _ = match action {
                Action::MoveUpdate => writeln!(text, "{time_ms},MV,{player},{x},{y},{level},,"),
                Action::SetDestination(to) => {
                    writeln!(text, "{time_ms},SD,{player},{x},{y},{level},{},{}", to.x, to.y)
                }
            };
        }
        text
    }

    /// Adds an event at the end.
    ///
    /// # Errors
    /// When it is older than the last, or there are too many.
    pub fn push(&mut self, event: Event) -> Result<(), LogProblem> {
        let before_ms = self.duration_ms();
        if event.time_ms < before_ms {
            return Err(LogProblem::Order { time_ms: event.time_ms, before_ms });
        }
        if self.events.len() >= EVENTS_MAX {
            return Err(LogProblem::TooLong);
        }
        self.events.push(event);
        Ok(())
    }

    /// All events in the order of time.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// When the last event happened.
    #[must_use]
    pub fn duration_ms(&self) -> u64 {
        self.events.last().map_or(0, |event| event.time_ms)
    }

    /// How many move updates there are (the paper's MV).
    #[must_use]
    pub fn move_updates(&self) -> usize {
        self.events.iter().filter(|event| event.action == Action::MoveUpdate).count()
    }

    /// How many set destination actions there are (the paper's SD).
    #[must_use]
    pub fn set_destinations(&self) -> usize {
        self.events.len() - self.move_updates()
    }
}

fn is_content(line: &str) -> bool {
    !line.trim().is_empty() && !line.trim_start().starts_with('#')
}

fn event_of(line: &str) -> Result<Event, LogProblem> {
    let fields: Vec<&str> = line.split(',').map(str::trim).collect();
    let [time_ms, action, player, x, y, level, to_x, to_y] = fields[..] else {
        return Err(LogProblem::Fields(fields.len()));
    };
    let point = Point::new(coordinate("x", x)?, coordinate("y", y)?);
    let level = bounded("level", level, u64::from(LEVELS_MAX) - 1, "a level from 0 to 31")?;
    Ok(Event {
        time_ms: bounded("time_ms", time_ms, u64::MAX, "whole milliseconds")?,
        player: bounded("player", player, u64::from(PLAYERS_MAX) - 1, "a number below 100000")?
            as u32,
        location: Location::new(point, Level(level as u8)),
        action: action_of(action, to_x, to_y)?,
    })
}

fn action_of(action: &str, to_x: &str, to_y: &str) -> Result<Action, LogProblem> {
    match action {
        "SD" => {
            let to = Point::new(coordinate("to_x", to_x)?, coordinate("to_y", to_y)?);
            Ok(Action::SetDestination(to))
        }
        "MV" => {
            let empty = |field, text| wrong(field, text, "nothing: the action is MV");
            match (to_x, to_y) {
                ("", "") => Ok(Action::MoveUpdate),
                ("", _) => Err(empty("to_y", to_y)),
                _ => Err(empty("to_x", to_x)),
            }
        }
        _ => Err(wrong("action", action, "MV or SD")),
    }
}

fn bounded(
    field: &'static str,
    text: &str,
    max: u64,
    wanted: &'static str,
) -> Result<u64, LogProblem> {
    let number = text.parse().ok().filter(|number| *number <= max);
    number.ok_or_else(|| wrong(field, text, wanted))
}

fn coordinate(field: &'static str, text: &str) -> Result<f64, LogProblem> {
    let on_a_map = |number: &f64| number.abs() <= COORDINATE_MAX;
    let number = text.parse().ok().filter(on_a_map);
    number.ok_or_else(|| wrong(field, text, "units, at most 10000"))
}

fn wrong(field: &'static str, given: &str, wanted: &'static str) -> LogProblem {
    // A line may be of any length; the message is not.
    let given = given.chars().take(40).collect();
    LogProblem::Field { field, given, wanted }
}
