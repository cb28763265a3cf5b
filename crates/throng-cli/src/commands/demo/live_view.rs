//! The demo live in the terminal.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::time::Duration;

use anyhow::Result;
use throng_draw::{Disc, Picture, Point};

use super::recording::Frame;
use super::scenario::DemoScenario;
use crate::clock::Stopwatch;
use crate::screen::Screen;
use crate::signals;

/// How long a tick is shown. The longest demo takes a quarter of a minute.
const FRAME: Duration = Duration::from_millis(33);

/// Draws every tick over the last one, where that is possible.
pub(super) struct LiveView<'a> {
    screen: &'a Screen,
    lines: usize,
    frames: u32,
    stopwatch: Stopwatch,
}

impl<'a> LiveView<'a> {
    pub(super) fn new(screen: &'a Screen) -> Self {
        if screen.redrawn_lines.is_some() {
            // Otherwise the terminal keeps the last colour after an interrupted demo.
            signals::reset_colours();
        }
        Self { screen, lines: 0, frames: 0, stopwatch: Stopwatch::start() }
    }

    pub(super) fn show(&mut self, scenario: &DemoScenario, frame: &Frame<'_>) -> Result<()> {
        let Some(height) = self.screen.redrawn_lines else { return Ok(()) };
        // The first frame begins where the cursor is, each other one where the first began.
        let mut text = String::new();
        if self.lines > 0 {
            let _ = write!(text, "\x1b[{}A\r", self.lines);
        }
        let picture = self.picture(scenario, frame, height);
        self.lines = picture.lines().count() + 1;
        text += &picture;
        let _ = writeln!(text, "{}\x1b[K", cut(&status(scenario, frame), self.screen.width));
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()?;
        self.wait();
        Ok(())
    }

    /// Sleeps until the frame has been seen.
    fn wait(&mut self) {
        self.frames += 1;
        let until = FRAME * self.frames;
        std::thread::sleep(until.saturating_sub(self.stopwatch.elapsed()));
    }

    /// The town and all units, as large as fits.
    fn picture(&self, scenario: &DemoScenario, frame: &Frame<'_>, height: usize) -> String {
        let mut picture = Picture::new(&scenario.problem.map);
        for (unit, &at) in frame.cells.iter().enumerate() {
            let footprint = scenario.movement(unit).footprint;
            let centre = Point::centre(at, footprint);
            picture = picture.disc(Disc { centre, footprint, colour: scenario.colour(unit) });
        }
        let mut width = self.screen.width.min(usize::from(scenario.problem.map.width()));
        loop {
            let text = throng_draw::terminal(&picture, self.screen.colour, width);
            // The status line and the line of the cursor need room too.
            if text.lines().count() + 2 <= height || width <= 1 {
                return text;
            }
            width = width.div_ceil(2);
        }
    }
}

fn status(scenario: &DemoScenario, frame: &Frame<'_>) -> String {
    let Frame { tick, arrived, waiting, mean, .. } = frame;
    let units = scenario.problem.units.len();
    let mean_ms = mean.as_secs_f64() * 1e3;
    format!("tick {tick}  arrived {arrived}/{units}  waiting {waiting}  {mean_ms:.2} ms per tick")
}

/// A line that is too long would make the terminal scroll.
fn cut(line: &str, width: usize) -> String {
    line.chars().take(width.saturating_sub(1)).collect()
}
