//! One path query: from any of some cells to any of others.

use std::fmt::Write as _;

use anyhow::Result;
use serde::Serialize;
use throng::Pathfinder;
use throng::grid::{Answer, Path, Query};
use throng::grid::{Smoothed, smooth};
use throng::hierarchy::PathAnswer;
use throng::model::{Cell, Map};
use throng_draw::{MarkKind, Picture, Point, Scale, Stroke, stroke_colour};

use super::{SearchOptions, check_with_referee, pair};
use crate::files::Output;
use crate::inputs::{MapArguments, check_on_map};
use crate::report::{Exit, Report};
use crate::screen::Screen;

/// The options of one path query.
pub(super) struct SingleOptions<'a> {
    pub(super) map: &'a MapArguments,
    pub(super) from: &'a [Cell],
    pub(super) to: &'a [Cell],
    pub(super) search: SearchOptions,
    pub(super) smooth: bool,
    pub(super) nearest: bool,
    pub(super) output: Option<Output>,
}

/// The result of one path query.
struct Found {
    status: &'static str,
    exit: Exit,
    /// The path to a goal, or else to the nearest cell, if there is one.
    path: Option<Path>,
    smoothed: Option<Smoothed>,
    expanded: u64,
    search: &'static str,
}

#[derive(Serialize)]
struct SingleJson {
    status: &'static str,
    cost: Option<f64>,
    from: Option<[u16; 2]>,
    to: Option<[u16; 2]>,
    expanded: u64,
    search: &'static str,
    moves: u8,
    cells: Option<Vec<[u16; 2]>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    smoothed: Option<SmoothedJson>,
    /// The path to the nearest cell, where no path to a goal was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    nearest: Option<NearestJson>,
}

#[derive(Serialize)]
struct SmoothedJson {
    cost: f64,
    waypoints: Vec<[u16; 2]>,
}

#[derive(Serialize)]
struct NearestJson {
    cost: f64,
    cells: Vec<[u16; 2]>,
}

pub(super) fn run(options: &SingleOptions<'_>, screen: &Screen) -> Result<Report> {
    let map = options.map.read()?;
    check_on_map(&map, "--from", options.from)?;
    check_on_map(&map, "--to", options.to)?;
    let finder = Pathfinder::new(map, options.search.movement.clone())?;
    let mut finder = finder.with_algorithm(options.search.algorithm);
    let found = find(options, &mut finder)?;
    if let Some(output) = &options.output {
        draw(output, &picture(finder.map(), options, &found))?;
    }
    let text = text(options, &found, finder.map(), screen);
    Report::new(found.exit, text, &json(options, found))
}

fn find(options: &SingleOptions<'_>, finder: &mut Pathfinder) -> Result<Found> {
    let query = Query::new(options.from, options.to).with_weight(options.search.weight);
    let query = Query { nearest_if_unreachable: options.nearest, ..query };
    let PathAnswer { answer, algorithm, expanded } =
        finder.find(&query, options.search.budget())?;
    let (status, exit, path) = match answer {
        Answer::Found(path) => ("found", Exit::Success, Some(path)),
        Answer::Unreachable { nearest } => ("unreachable", Exit::Refuted, nearest),
        Answer::CostLimit => ("unreachable", Exit::Refuted, None),
        Answer::BudgetSpent { nearest, .. } => ("budget", Exit::BudgetSpent, Some(nearest)),
    };
    if let Some(path) = &path {
        check_with_referee(finder.map(), &options.search.movement, path)?;
    }
    let smoothed = match &path {
        Some(path) if options.smooth => smooth(finder.ground(), path),
        _ => None,
    };
    Ok(Found { status, exit, path, smoothed, expanded, search: algorithm.name() })
}

fn json(options: &SingleOptions<'_>, found: Found) -> SingleJson {
    let Found { status, path, smoothed, expanded, search, exit } = found;
    let (reached, nearest) = if exit == Exit::Success { (path, None) } else { (None, path) };
    let pairs = |cells: Vec<Cell>| cells.into_iter().map(pair).collect::<Vec<_>>();
    SingleJson {
        status,
        cost: reached.as_ref().map(|path| path.cost.in_cells()),
        from: reached.as_ref().and_then(Path::start).map(pair),
        to: reached.as_ref().and_then(Path::end).map(pair),
        expanded,
        search,
        moves: options.search.moves,
        cells: reached.map(|path| pairs(path.cells)),
        smoothed: smoothed.map(|smoothed| SmoothedJson {
            cost: smoothed.cost.in_cells(),
            waypoints: pairs(smoothed.waypoints),
        }),
        nearest: nearest
            .map(|path| NearestJson { cost: path.cost.in_cells(), cells: pairs(path.cells) }),
    }
}

fn text(options: &SingleOptions<'_>, found: &Found, map: &Map, screen: &Screen) -> String {
    let mut text = String::new();
    if screen.is_terminal {
        text += &throng_draw::terminal(&picture(map, options, found), screen.colour, screen.width);
    }
    let _ = writeln!(text, "{}", screen.bold(&headline(found)));
    let _ = writeln!(text, "{} nodes expanded by {}", found.expanded, found.search);
    // The picture shows them already.
    if let Some(path) = found.path.as_ref().filter(|_| !screen.is_terminal) {
        let _ = writeln!(text, "cells: {}", joined(&path.cells));
    }
    if let Some(smoothed) = &found.smoothed {
        let waypoints = joined(&smoothed.waypoints);
        let _ = writeln!(text, "smoothed: cost {}, {waypoints}", smoothed.cost);
    }
    if let Some(output) = &options.output {
        let _ = writeln!(text, "drawn to {}", output.path().display());
    }
    text
}

fn headline(found: &Found) -> String {
    let steps_and_cost = |path: &Path| {
        let end = |cell: Option<Cell>| cell.map_or(String::new(), |cell| cell.to_string());
        let (steps, cost) = (path.cells.len().saturating_sub(1), path.cost);
        format!("{steps} steps from {} to {}, cost {cost}", end(path.start()), end(path.end()))
    };
    match (found.status, &found.path) {
        ("found", Some(path)) => format!("found: {}", steps_and_cost(path)),
        ("budget", Some(path)) => format!("budget spent; nearest so far: {}", steps_and_cost(path)),
        ("unreachable", Some(path)) => format!("unreachable; nearest: {}", steps_and_cost(path)),
        (status, _) => format!("{status}: no way leads from any start to any goal"),
    }
}

fn joined(cells: &[Cell]) -> String {
    cells.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn picture<'a>(map: &'a Map, options: &SingleOptions<'_>, found: &Found) -> Picture<'a> {
    let side = options.search.movement.footprint;
    let through = |label: &str, cells: &[Cell], number: usize| {
        let points = cells.iter().map(|&cell| Point::centre(cell, side)).collect();
        Stroke::through(label, points, stroke_colour(number))
    };
    let mut picture = Picture::new(map).legend();
    if let Some(path) = &found.path {
        picture = picture.stroke(through("path", &path.cells, 0));
    }
    if let Some(smoothed) = &found.smoothed {
        picture = picture.stroke(through("smoothed", &smoothed.waypoints, 1));
    }
    let starts = options.from.iter().map(|&cell| (MarkKind::Start, cell));
    let goals = options.to.iter().map(|&cell| (MarkKind::Goal, cell));
    starts.chain(goals).fold(picture, |picture, (kind, cell)| picture.mark(kind, cell))
}

fn draw(output: &Output, picture: &Picture<'_>) -> Result<()> {
    match output.extension().as_str() {
        "svg" => output.write(throng_draw::svg(picture).as_bytes()),
        _ => output.write(&throng_draw::png(picture, Scale::Auto)?),
    }
}
