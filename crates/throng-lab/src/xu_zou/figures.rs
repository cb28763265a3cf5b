//! Figures 2 to 6. The engine finds every path; none is drawn by hand.

use throng::grid::{AStar, Ground, Path};
use throng::grid::{
    Endpoint, Follower, FollowerOptions, FollowerStep, Journey, JourneyAnswer, Trip,
};
use throng::model::{Budget, Building, Cell, Factor, MovementProfile, TerrainOverride};
use throng_draw::{Colour, MarkKind, Picture, Stroke, stroke_colour, svg};

use crate::LabError;
use crate::harness::Study;
use crate::harness::best_path::best_path;
use crate::harness::figure_map::{FigureMap, MOUNTAIN, RIVER, with_ends};
use crate::harness::svg_layout::beside;

/// The colour of outdated paths.
const FADED: Colour = Colour::hex(0x80_80_80);

pub(super) fn draw(study: &mut Study<'_>) -> Result<(), LabError> {
    for (name, left, right) in [
        ("figure-2", door_figure("2", FIGURE_2_LEFT)?, door_figure("2", FIGURE_2_RIGHT)?),
        ("figure-3", door_figure("3", FIGURE_3_LEFT)?, door_figure("3", FIGURE_3_RIGHT)?),
        ("figure-4", door_figure("4", FIGURE_4_LEFT)?, door_figure("4", FIGURE_4_RIGHT)?),
        ("figure-5", terrain_figure(false)?, terrain_figure(true)?),
    ] {
        study.figure(name, beside(&[left, right]));
    }
    let (before, after) = bridge_figure()?;
    study.figure("figure-6", beside(&[before, after]));
    Ok(())
}

/// Letters: exits `a`, entrances `b`; or a single start `s`, a single goal `g`.
const FIGURE_2_LEFT: &str = "
    ................
    .a.a.a..........
    ..HHH...........
    .aHHHa..........
    ..HHH...........
    .a.a.a..........
    ................
    ................
    ................
    ..............g.
    ................";
const FIGURE_2_RIGHT: &str = "
    ................
    .a.a.a..........
    ..HHH...........
    .aHHHa#.........
    ..HHH.#.........
    .a.a.a#.........
    .######.........
    ................
    ................
    ..............g.
    ................";
const FIGURE_3_LEFT: &str = "
    ................
    .s..............
    ................
    ................
    .........b.b.b..
    ..........HHH...
    .........bHHHb..
    ..........HHH...
    .........b.b.b..
    ................
    ................";
const FIGURE_3_RIGHT: &str = "
    ................
    .s..............
    ................
    .......######...
    .......#.b.b.b..
    .......#..HHH...
    .......#.bHHHb..
    .......#..HHH...
    .......#.b.b.b..
    .......########.
    ................";
const FIGURE_4_LEFT: &str = "
    ................
    .a.a.a..........
    ..HHH...........
    .aHHHa..........
    ..HHH...........
    .a.a.a..........
    ................
    ..........b.b.b.
    ...........HHH..
    ..........bHHHb.
    ...........HHH..
    ..........b.b.b.
    ................";
const FIGURE_4_RIGHT: &str = "
    ................
    .a.a.a..........
    ..HHH..#........
    .aHHHa.#........
    ..HHH..#........
    .a.a.a.#........
    .#############..
    .........#b.b.b.
    .........#.HHH..
    .........#bHHHb.
    .........#.HHH..
    .........#b.b.b.
    ................";
const FIGURE_5: &str = "
    ................
    ................
    ......^^^^......
    .....^^^^^^.....
    .....^^^^^^.....
    .s...^^^^^^...g.
    .....^^^^^^.....
    .....^^^^^^.....
    .....^^^^^^.....
    ......^^^.......
    ................";
const FIGURE_6: &str = "
    .......~~.......
    .......==.......
    .......~~.......
    .......~~.......
    .......~~.......
    .s.....~~.....g.
    .......==.......
    .......~~.......
    .......~~.......
    .......~~.......
    .......~~.......";

/// Leaves by the best exit and enters by the best entrance.
fn door_figure(name: &'static str, drawing: &str) -> Result<String, LabError> {
    let figure = FigureMap::new(name, drawing)?;
    let trip = best_trip(&figure)?;
    let doors = figure.all('a').into_iter().chain(figure.all('b'));
    let unused = doors.filter(|&door| door != trip.from.cell && door != trip.to.cell);
    let picture = unused.fold(Picture::new(&figure.map), |p, door| p.mark(MarkKind::Door, door));
    let cost = figure.referee(&trip.path.cells)?;
    let caption = format!("cost {cost}, from {} to {}", trip.from.cell, trip.to.cell);
    Ok(svg(&with_ends(picture.path("path", &trip.path.cells), &trip.path.cells)
        .caption(&caption)
        .legend()))
}

fn best_trip(figure: &FigureMap) -> Result<Trip, LabError> {
    let ground = Ground::new(&figure.map, MovementProfile::eight_connected())?;
    let (exits, entrances) = (figure.all('a'), figure.all('b'));
    let (start, goal) = (figure.all('s'), figure.all('g'));
    let (a, b) = (Building::with_doors("A", exits), Building::with_doors("B", entrances));
    let from = if start.is_empty() { Endpoint::Building(&a) } else { Endpoint::Cells(&start) };
    let to = if goal.is_empty() { Endpoint::Building(&b) } else { Endpoint::Cells(&goal) };
    let journey = Journey::new(&ground, &[from], &[to])?;
    match journey.find(&ground, &mut AStar::default(), Budget::unlimited())? {
        JourneyAnswer::Found(trip) => Ok(trip),
        _ => Err(figure.error("no path")),
    }
}

/// Over the mountain when its factor is ignored, around it otherwise.
fn terrain_figure(considered: bool) -> Result<String, LabError> {
    let figure = FigureMap::new("5", FIGURE_5)?;
    let mut movement = MovementProfile::eight_connected();
    if !considered {
        movement.terrain = vec![TerrainOverride { terrain: MOUNTAIN, factor: Some(Factor::ONE) }];
    }
    let ground = Ground::new(&figure.map, movement)?;
    let path = path_across(&figure, &ground)?;
    let true_cost = figure.referee(&path.cells)?;
    let said = if considered { "with" } else { "without" };
    let caption = format!("{said} terrain factors; true cost {true_cost}");
    let picture = Picture::new(&figure.map).path("path", &path.cells);
    Ok(svg(&with_ends(picture, &path.cells).caption(&caption).legend()))
}

fn path_across(figure: &FigureMap, ground: &Ground) -> Result<Path, LabError> {
    let (start, goal) = (figure.cell('s')?, figure.cell('g')?);
    let path = best_path(ground, &mut AStar::default(), start, goal)?;
    path.ok_or_else(|| figure.error("no path"))
}

/// The path over the bridge, and the unit's path after the bridge was destroyed.
fn bridge_figure() -> Result<(String, String), LabError> {
    let mut figure = FigureMap::new("6", FIGURE_6)?;
    let mut ground = Ground::new(&figure.map, MovementProfile::eight_connected())?;
    let path = path_across(&figure, &ground)?;
    let picture = Picture::new(&figure.map).path("path", &path.cells);
    let caption = format!("before: cost {}", figure.referee(&path.cells)?);
    let before = svg(&with_ends(picture, &path.cells).caption(&caption).legend());
    let bridge: Vec<Cell> =
        figure.all('=').into_iter().filter(|cell| path.cells.contains(cell)).collect();
    let options = FollowerOptions { look_ahead: 4, ..FollowerOptions::default() };
    let follower = Follower::new(&ground, &path, options);
    let mut follower = follower.ok_or_else(|| figure.error("the path is empty"))?;
    let change = figure.map.paint(&bridge, RIVER)?;
    ground.apply(&figure.map, &change);
    let walked = walked(&ground, &mut follower)?;
    let cost = figure.referee(&walked)?;
    let expanded = follower.statistics().expanded;
    let caption = format!("after: cost {cost}, repaired with {expanded} nodes");
    let broken = bridge.iter().fold(
        Picture::new(&figure.map)
            .stroke(Stroke::new("path before", &path.cells, FADED).dashed())
            .stroke(Stroke::new("walked", &walked, stroke_colour(0))),
        |picture, &cell| picture.mark(MarkKind::Broken, cell),
    );
    let after = svg(&with_ends(broken, &walked).caption(&caption).legend());
    Ok((before, after))
}

fn walked(ground: &Ground, follower: &mut Follower) -> Result<Vec<Cell>, LabError> {
    let mut search = AStar::default();
    let mut cells = vec![follower.position()];
    while let FollowerStep::Move { to, .. } =
        follower.advance(ground, &mut search, Budget::unlimited())?
    {
        cells.push(to);
    }
    Ok(cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doors(drawing: &str) -> (Cell, Cell) {
        let trip = best_trip(&FigureMap::new("", drawing).unwrap()).unwrap();
        (trip.from.cell, trip.to.cell)
    }

    #[test]
    fn obstacles_turn_the_best_doors_as_in_the_paper() {
        assert_eq!(doors(FIGURE_2_LEFT).0, Cell::new(5, 5), "bottom right");
        assert_eq!(doors(FIGURE_2_RIGHT).0, Cell::new(5, 1), "top right");
        assert_eq!(doors(FIGURE_3_LEFT).1, Cell::new(9, 4), "top left");
        assert_eq!(doors(FIGURE_3_RIGHT).1, Cell::new(13, 4), "top right");
        assert_eq!(doors(FIGURE_4_LEFT), (Cell::new(5, 5), Cell::new(10, 7)));
        assert_eq!(doors(FIGURE_4_RIGHT), (Cell::new(5, 1), Cell::new(14, 7)));
    }
}
