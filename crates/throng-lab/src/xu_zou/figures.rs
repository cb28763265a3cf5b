//! Figures 2 to 6, found again by the engine: no path here is drawn by hand.

use throng::grid::{
    Endpoint, Follower, FollowerOptions, FollowerStep, Journey, JourneyAnswer, Trip,
};
use throng::{
    AStar, Budget, Building, Cell, Factor, Ground, MovementProfile, Path, TerrainOverride,
};
use throng_draw::{Colour, MarkKind, Picture, Stroke, stroke_colour, svg};

use super::worlds::best_path;
use crate::pictures::beside;
use crate::sketch::{MOUNTAIN, RIVER, Sketch};
use crate::{Experiment, LabError};

/// The colour of paths that are no longer walked.
const FADED: Colour = Colour::hex(0x80_80_80);

pub(super) fn draw(experiment: &mut Experiment) -> Result<(), LabError> {
    for (name, left, right) in [
        ("figure-2", door_figure("2", FIGURE_2_LEFT)?, door_figure("2", FIGURE_2_RIGHT)?),
        ("figure-3", door_figure("3", FIGURE_3_LEFT)?, door_figure("3", FIGURE_3_RIGHT)?),
        ("figure-4", door_figure("4", FIGURE_4_LEFT)?, door_figure("4", FIGURE_4_RIGHT)?),
        ("figure-5", terrain_figure(false)?, terrain_figure(true)?),
    ] {
        experiment.add_picture(name, beside(&[left, right]));
    }
    let (before, after) = bridge_figure()?;
    experiment.add_picture("figure-6", beside(&[before, after]));
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
fn door_figure(figure: &'static str, drawing: &str) -> Result<String, LabError> {
    let sketch = Sketch::new(figure, drawing)?;
    let trip = best_trip(&sketch)?;
    let doors = sketch.all('a').into_iter().chain(sketch.all('b'));
    let unused = doors.filter(|&door| door != trip.from.cell && door != trip.to.cell);
    let picture = unused.fold(Picture::new(&sketch.map), |p, door| p.mark(MarkKind::Door, door));
    let cost = sketch.referee(&trip.path.cells)?;
    let caption = format!("cost {cost}, from {} to {}", trip.from.cell, trip.to.cell);
    Ok(svg(&with_ends(picture.path("path", &trip.path.cells), &trip.path.cells)
        .caption(&caption)
        .legend()))
}

fn best_trip(sketch: &Sketch) -> Result<Trip, LabError> {
    let ground = Ground::new(&sketch.map, MovementProfile::eight_connected())?;
    let (exits, entrances) = (sketch.all('a'), sketch.all('b'));
    let (start, goal) = (sketch.all('s'), sketch.all('g'));
    let (a, b) = (Building::with_doors("A", exits), Building::with_doors("B", entrances));
    let from = if start.is_empty() { Endpoint::Building(&a) } else { Endpoint::Cells(&start) };
    let to = if goal.is_empty() { Endpoint::Building(&b) } else { Endpoint::Cells(&goal) };
    let journey = Journey::new(&ground, &[from], &[to])?;
    match journey.find(&ground, &mut AStar::default(), Budget::unlimited())? {
        JourneyAnswer::Found(trip) => Ok(trip),
        _ => Err(sketch.error("no way")),
    }
}

/// Over the mountain when its factor is not looked at, around it when it is.
fn terrain_figure(considered: bool) -> Result<String, LabError> {
    let sketch = Sketch::new("5", FIGURE_5)?;
    let mut movement = MovementProfile::eight_connected();
    if !considered {
        movement.terrain = vec![TerrainOverride { terrain: MOUNTAIN, factor: Some(Factor::ONE) }];
    }
    let ground = Ground::new(&sketch.map, movement)?;
    let path = path_across(&sketch, &ground)?;
    let true_cost = sketch.referee(&path.cells)?;
    let said = if considered { "with" } else { "without" };
    let caption = format!("{said} terrain factors; in truth it costs {true_cost}");
    let picture = Picture::new(&sketch.map).path("path", &path.cells);
    Ok(svg(&with_ends(picture, &path.cells).caption(&caption).legend()))
}

fn path_across(sketch: &Sketch, ground: &Ground) -> Result<Path, LabError> {
    let (start, goal) = (sketch.place('s')?, sketch.place('g')?);
    let path = best_path(ground, &mut AStar::default(), start, goal)?;
    path.ok_or_else(|| sketch.error("no way"))
}

/// The path over the bridge, and where the unit walks when it blows up before its eyes.
fn bridge_figure() -> Result<(String, String), LabError> {
    let mut sketch = Sketch::new("6", FIGURE_6)?;
    let mut ground = Ground::new(&sketch.map, MovementProfile::eight_connected())?;
    let path = path_across(&sketch, &ground)?;
    let picture = Picture::new(&sketch.map).path("path", &path.cells);
    let caption = format!("before: cost {}", sketch.referee(&path.cells)?);
    let before = svg(&with_ends(picture, &path.cells).caption(&caption).legend());
    let bridge: Vec<Cell> =
        sketch.all('=').into_iter().filter(|cell| path.cells.contains(cell)).collect();
    let options = FollowerOptions { look_ahead: 4, ..FollowerOptions::default() };
    let follower = Follower::new(&ground, &path, options);
    let mut follower = follower.ok_or_else(|| sketch.error("the path is empty"))?;
    let change = sketch.map.paint(&bridge, RIVER)?;
    ground.apply(&sketch.map, &change);
    let walked = walked(&ground, &mut follower)?;
    let cost = sketch.referee(&walked)?;
    let expanded = follower.statistics().expanded;
    let caption = format!("after: cost {cost}, repaired with {expanded} nodes");
    let broken = bridge.iter().fold(
        Picture::new(&sketch.map)
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

fn with_ends<'a>(picture: Picture<'a>, path: &[Cell]) -> Picture<'a> {
    match path {
        [start, .., goal] => picture.mark(MarkKind::Start, *start).mark(MarkKind::Goal, *goal),
        _ => picture,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doors(drawing: &str) -> (Cell, Cell) {
        let trip = best_trip(&Sketch::new("", drawing).unwrap()).unwrap();
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
