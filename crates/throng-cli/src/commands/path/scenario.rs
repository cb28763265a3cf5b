//! Every query of a MovingAI scenario.

use std::fmt::Write as _;
use std::path::Path as FilePath;
use std::time::Duration;

use anyhow::{Context as _, Result};
use serde::Serialize;
use throng::Pathfinder;
use throng::formats::{Passable, ScenarioRow, map, scen};
use throng::grid::{Answer, Path, Query, QueryError};
use throng::hierarchy::{Algorithm, PathAnswer};
use throng::model::{CornerRule, Factor, Map, MovementProfile, Neighbours, TerrainClass, Weight};

use super::{SearchOptions, check_with_referee};
use crate::clock::timed;
use crate::files;
use crate::inputs::MapArguments;
use crate::progress;
use crate::report::{Exit, Report};

/// Which scenario, and how to answer it.
pub(super) struct ScenarioOptions<'a> {
    pub(super) map: &'a MapArguments,
    pub(super) file: &'a FilePath,
    pub(super) search: SearchOptions,
}

/// The files round lengths to six digits.
const TOLERANCE_CELLS: f64 = 0.01;
/// How many queries of each kind of trouble are listed.
const LISTED_MAX: usize = 10;

/// What came of all queries. The names are the contract's.
#[derive(Default, Serialize)]
struct Totals {
    queries: usize,
    /// Null where the file's lengths do not apply.
    wrong_length: Option<usize>,
    unreachable: usize,
    /// Queries with a start or goal on which the unit cannot stand.
    blocked: usize,
    budget_spent: usize,
    mean_us: f64,
    p99_us: f64,
    expanded: u64,
    /// The search that answered, or several joined by `+`.
    search: String,
    moves: u8,
    map: String,
    scen: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'static str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    wrong: Vec<Wrong>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unanswered: Vec<Unanswered>,
}

/// A path of another length than the scenario's.
#[derive(Serialize)]
struct Wrong {
    line: usize,
    expected: f64,
    found: f64,
}

/// A query without a path.
#[derive(Serialize)]
struct Unanswered {
    line: usize,
    reason: String,
}

pub(super) fn run(options: &ScenarioOptions<'_>) -> Result<Report> {
    let file_map = options.map.read()?;
    let input = files::read(options.file)?;
    let scenario = input.parse(scen::read)?;
    let map = input.parse(|_| scen::scale_for(&scenario.rows, &file_map))?.into_owned();
    let mut batch = Batch::new(&map, options)?;
    let bar = progress::bar(scenario.rows.len(), "queries");
    for row in &scenario.rows {
        batch.answer(row).with_context(|| format!("{}:{}", input.name, row.line))?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    let totals = batch.close();
    Report::new(totals.exit(), totals.text(), &totals)
}

/// Why the file's lengths do not apply to such queries, if they do not.
fn other_lengths(options: &ScenarioOptions<'_>, map: &Map) -> Option<&'static str> {
    let MovementProfile { neighbours, corners, footprint, .. } = &options.search.movement;
    if *neighbours == Neighbours::Four {
        Some("the scenario's lengths are 8-connected; they were not compared")
    } else if *corners != CornerRule::NeverCut {
        Some("the scenario's lengths never cut corners; they were not compared")
    } else if *footprint > 1 {
        Some("the scenario's lengths are for units of one cell; they were not compared")
    } else if options.search.algorithm == Algorithm::Hierarchy {
        Some("paths over the hierarchy may be longer than the scenario's; they were not compared")
    } else if options.search.algorithm == Algorithm::FirstDiscovered {
        Some(
            "paths to the first stop node may be longer than the scenario's; they were not compared",
        )
    } else if options.search.weight != Weight::ONE {
        Some("with a weight paths may be longer than the scenario's; they were not compared")
    } else if options.map.reading.terrain.is_some() || has_costs(map) {
        Some("the scenario's lengths may count terrain otherwise; they were not compared")
    } else {
        None
    }
}

/// Answers queries one after the other and adds up what came of them.
struct Batch<'a> {
    search: &'a SearchOptions,
    land: Pathfinder,
    /// For queries that start on water, in the reading that has any.
    boat: Option<Pathfinder>,
    totals: Totals,
    times: Vec<Duration>,
}

impl<'a> Batch<'a> {
    fn new(map: &Map, options: &'a ScenarioOptions<'_>) -> Result<Self> {
        let search = &options.search;
        let finder = |movement: MovementProfile| -> Result<Pathfinder> {
            Ok(Pathfinder::new(map.clone(), movement)?.with_algorithm(search.algorithm))
        };
        let boat = MovementProfile { terrain: map::boat_overrides(map), ..search.movement.clone() };
        let moving_ai = options.map.reading.options().passable == Passable::MovingAi;
        let boat = if moving_ai && has_water(map) { Some(finder(boat)?) } else { None };
        let note = other_lengths(options, map);
        let totals = Totals {
            wrong_length: note.is_none().then_some(0),
            note,
            moves: search.moves,
            map: files::base_name(&options.map.map),
            scen: files::base_name(options.file),
            ..Totals::default()
        };
        Ok(Self { search, land: finder(search.movement.clone())?, boat, totals, times: Vec::new() })
    }

    fn answer(&mut self, row: &ScenarioRow) -> Result<()> {
        let is_water = self
            .land
            .map()
            .class_at(row.start)
            .is_some_and(|c| c.symbol == 'W' && c.factor.is_none());
        let finder = match &mut self.boat {
            Some(boat) if is_water => boat,
            _ => &mut self.land,
        };
        let (starts, goals) = ([row.start], [row.goal]);
        let query = Query::new(&starts, &goals).with_weight(self.search.weight);
        finder.prepare(&query);
        let (answer, time) = timed(|| finder.find(&query, self.search.budget()));
        self.totals.queries += 1;
        self.times.push(time);
        let answer = answer.map(|PathAnswer { answer, algorithm, expanded }| {
            self.totals.expanded += expanded;
            self.totals.add_search(algorithm);
            answer
        });
        match answer {
            Ok(Answer::Found(path)) => {
                check_with_referee(finder.map(), finder.ground().movement(), &path)?;
                self.totals.compare(row, &path);
            }
            Ok(Answer::Unreachable { .. } | Answer::CostLimit) => {
                self.totals.unreachable += 1;
                self.totals.list(row, "no way leads there".to_owned());
            }
            Ok(Answer::BudgetSpent { .. }) => self.totals.budget_spent += 1,
            Err(error @ QueryError::Blocked { .. }) => {
                self.totals.blocked += 1;
                self.totals.list(row, error.to_string());
            }
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    fn close(mut self) -> Totals {
        self.times.sort_unstable();
        let microseconds = |time: Duration| time.as_secs_f64() * 1e6;
        let all: Duration = self.times.iter().sum();
        let rank = (self.times.len() * 99).div_ceil(100).saturating_sub(1);
        self.totals.mean_us = microseconds(all) / self.times.len().max(1) as f64;
        self.totals.p99_us = self.times.get(rank).copied().map_or(0.0, microseconds);
        if self.totals.search.is_empty() {
            self.totals.search = self.search.algorithm.name().to_owned();
        }
        self.totals
    }
}

/// Whether any cell costs more than plain ground.
fn has_costs(map: &Map) -> bool {
    let costly = |class: &TerrainClass| class.factor.is_some_and(|factor| factor > Factor::ONE);
    map.terrain().iter().any(|terrain| costly(&map.classes()[terrain.get()]))
}

fn has_water(map: &Map) -> bool {
    let water = map.class_by_symbol('W');
    water.is_some_and(|water| map.terrain().contains(&water))
}

impl Totals {
    fn compare(&mut self, row: &ScenarioRow, path: &Path) {
        let Some(wrong_length) = &mut self.wrong_length else { return };
        let found = path.cost.in_cells();
        if (found - row.optimal_length).abs() > TOLERANCE_CELLS {
            *wrong_length += 1;
            if self.wrong.len() < LISTED_MAX {
                self.wrong.push(Wrong { line: row.line, expected: row.optimal_length, found });
            }
        }
    }

    fn add_search(&mut self, algorithm: Algorithm) {
        let name = algorithm.name();
        if !self.search.split('+').any(|known| known == name) {
            self.search += if self.search.is_empty() { "" } else { "+" };
            self.search += name;
        }
    }

    fn list(&mut self, row: &ScenarioRow, reason: String) {
        if self.unanswered.len() < LISTED_MAX {
            self.unanswered.push(Unanswered { line: row.line, reason });
        }
    }

    fn exit(&self) -> Exit {
        if self.unreachable + self.blocked > 0 || self.wrong_length.is_some_and(|wrong| wrong > 0) {
            Exit::Refuted
        } else if self.budget_spent > 0 {
            Exit::BudgetSpent
        } else {
            Exit::Success
        }
    }

    fn text(&self) -> String {
        let mut text =
            format!("{}: {} queries by {} on {}\n", self.scen, self.queries, self.search, self.map);
        let mut line = |name: &str, value: String| {
            let _ = writeln!(text, "  {name:<14} {value}");
        };
        let wrong = self.wrong_length.map_or("not compared".to_owned(), |count| count.to_string());
        line("wrong length", wrong);
        line("unreachable", self.unreachable.to_string());
        line("blocked ends", self.blocked.to_string());
        line("budget spent", self.budget_spent.to_string());
        line("mean", format!("{:.1} us", self.mean_us));
        line("99th of 100", format!("{:.1} us", self.p99_us));
        line("expanded", format!("{} nodes", self.expanded));
        for Wrong { line, expected, found } in &self.wrong {
            let _ = writeln!(text, "line {line}: length {found:.6}, the scenario says {expected}");
        }
        for Unanswered { line, reason } in &self.unanswered {
            let _ = writeln!(text, "line {line}: {reason}");
        }
        let listed = self.unanswered.len();
        if let Some(more) = (self.unreachable + self.blocked).checked_sub(listed).filter(|&n| n > 0)
        {
            let _ = writeln!(text, "and {more} more without a way");
        }
        text.extend(self.note.map(|note| format!("note: {note}\n")));
        text
    }
}
