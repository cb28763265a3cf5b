//! The demo live in the terminal.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::time::Duration;

use anyhow::Result;
use throng::model::Cell;
use throng_draw::{Picture, Point};

use super::panels::{Panels, name};
use super::recording::Frame;
use super::scenario::DemoScenario;
use crate::clock::Stopwatch;
use crate::screen::Screen;
use crate::signals;

/// How long a tick is shown. The longest demo takes a third of a minute.
const FRAME: Duration = Duration::from_millis(33);

/// Draws every tick over the last one, where that is possible.
pub(super) struct LiveView<'a> {
    screen: &'a Screen,
    panels: Panels,
    lines: usize,
    frames: u32,
    stopwatch: Stopwatch,
}

impl<'a> LiveView<'a> {
    pub(super) fn new(screen: &'a Screen, scenario: &DemoScenario, runs: usize) -> Result<Self> {
        if screen.redrawn_lines.is_some() {
            // Otherwise the terminal keeps the last colour after an interrupted demo.
            signals::reset_colours();
        }
        let panels = Panels::new(scenario, runs)?;
        Ok(Self { screen, panels, lines: 0, frames: 0, stopwatch: Stopwatch::start() })
    }

    pub(super) fn show(
        &mut self,
        scenario: &DemoScenario,
        tick: u32,
        frames: &[Frame<'_>],
    ) -> Result<()> {
        let Some(height) = self.screen.redrawn_lines else { return Ok(()) };
        // The first frame begins where the cursor is, each other one where the first began.
        let mut text = String::new();
        if self.lines > 0 {
            let _ = write!(text, "\x1b[{}A\r", self.lines);
        }
        let picture = self.picture(scenario, frames, height)?;
        self.lines = picture.lines().count() + 1;
        text += &picture;
        let _ = writeln!(text, "{}\x1b[K", cut(&status(scenario, tick, frames), self.screen.width));
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

    /// All runs side by side if the screen is wide enough, otherwise the last one.
    fn picture(
        &mut self,
        scenario: &DemoScenario,
        frames: &[Frame<'_>],
        height: usize,
    ) -> Result<String> {
        let units = scenario.problem.units.len();
        for (run, frame) in frames.iter().enumerate() {
            let count = format!("{}/{units}", frame.arrived);
            self.panels.write(run, name(frame.planner), &count)?;
        }
        let wide = usize::from(self.panels.map().width());
        let cells: Vec<&[Cell]> = frames.iter().map(|frame| frame.cells).collect();
        Ok(if wide <= self.screen.width {
            self.fit(&self.panels.picture(scenario, &cells), wide, height)
        } else {
            let one = single(scenario, cells.last().copied().unwrap_or_default());
            self.fit(&one, usize::from(scenario.problem.map.width()), height)
        })
    }

    /// A picture as large as fits.
    fn fit(&self, picture: &Picture<'_>, width: usize, height: usize) -> String {
        let mut width = self.screen.width.min(width);
        loop {
            let text = throng_draw::terminal(picture, self.screen.colour, width);
            // The status line and the line of the cursor need room too.
            if text.lines().count() + 2 <= height || width <= 1 {
                return text;
            }
            width = width.div_ceil(2);
        }
    }
}

/// The map with the units of one run.
fn single<'a>(scenario: &'a DemoScenario, cells: &[Cell]) -> Picture<'a> {
    let picture = Picture::new(&scenario.problem.map);
    cells.iter().enumerate().fold(picture, |picture, (unit, &at)| {
        let centre = Point::centre(at, scenario.movement(unit).footprint);
        picture.disc(scenario.disc(unit, at, centre))
    })
}

fn status(scenario: &DemoScenario, tick: u32, frames: &[Frame<'_>]) -> String {
    let units = scenario.problem.units.len();
    let mut text = format!("tick {tick}");
    for frame in frames {
        let (title, arrived) = (frame.planner.title(), frame.arrived);
        let mean_ms = frame.mean.as_secs_f64() * 1e3;
        let _ = write!(text, "  {title} {arrived}/{units} arrived, {mean_ms:.2} ms per tick");
    }
    text
}

/// A line that is too long would make the terminal scroll.
fn cut(line: &str, width: usize) -> String {
    line.chars().take(width.saturating_sub(1)).collect()
}
