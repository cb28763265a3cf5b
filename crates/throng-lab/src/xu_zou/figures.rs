//! Figures 2 to 6. The engine finds every path; none is drawn by hand.

use throng::grid::{AStar, FirstDiscovered, Ground, Path, PathSearch};
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
    study.section(
        "Figures 2 to 6",
        "The paper's maps have no coordinates: these are drawn after its pictures. Every path is \
         found by the engine.",
    );
    let doors = [
        ("figure-2", "2", [FIGURE_2_LEFT, FIGURE_2_RIGHT]),
        ("figure-3", "3", [FIGURE_3_LEFT, FIGURE_3_RIGHT]),
        ("figure-4", "4", [FIGURE_4_LEFT, FIGURE_4_RIGHT]),
    ];
    for (name, number, [left, right]) in doors {
        let caption = format!("Figure {number}: without obstacles, and with them.");
        let pictures = [door_figure(number, left)?, door_figure(number, right)?];
        study.figure_beside(name, &caption, beside(&pictures));
    }
    let ([plain, considered], is_around) = terrain_figures()?;
    let caption = "Figure 5: terrain costs ignored, and considered.";
    study.figure_beside("figure-5", caption, beside(&[plain, considered]));
    let ([before, after], is_repaired) = bridge_figure()?;
    let caption = "Figure 6: before and after the bridge is destroyed.";
    study.figure_beside("figure-6", caption, beside(&[before, after]));
    judge(is_around, is_repaired, study)
}

/// The doors that the paper names, and those that the search as printed takes.
fn judge(is_around: bool, is_repaired: bool, study: &mut Study<'_>) -> Result<(), LabError> {
    let expected = [
        (FIGURE_2_LEFT, FIGURE_2_RIGHT, [((5, 5), None), ((5, 1), None)]),
        (FIGURE_3_LEFT, FIGURE_3_RIGHT, [((1, 1), Some((9, 4))), ((1, 1), Some((13, 4)))]),
        (FIGURE_4_LEFT, FIGURE_4_RIGHT, [((5, 5), Some((10, 7))), ((5, 1), Some((14, 7)))]),
    ];
    let mut are_so = [true, true, true, is_around, is_repaired];
    let mut details: [String; 5] = Default::default();
    for ((is_so, detail), (left, right, wanted)) in
        are_so.iter_mut().zip(&mut details).zip(expected)
    {
        for (drawing, (exit, entrance)) in [left, right].into_iter().zip(wanted) {
            let figure = FigureMap::new("", drawing)?;
            let matches = |trip: &Trip| {
                trip.from.cell == Cell::from(exit)
                    && entrance.is_none_or(|entrance| trip.to.cell == Cell::from(entrance))
            };
            let ours = best_trip(&figure, &mut AStar::default())?;
            let printed = best_trip(&figure, &mut FirstDiscovered::default())?;
            *is_so &= matches(&ours);
            let same = if matches(&printed) { "the same" } else { "other" };
            let list = if detail.is_empty() { "the search as printed takes " } else { ", " };
            *detail += &format!("{list}{same} doors at cost {}", printed.path.cost);
        }
    }
    super::claims::figures(are_so, details, study);
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
    let trip = best_trip(&figure, &mut AStar::default())?;
    let doors = figure.all('a').into_iter().chain(figure.all('b'));
    let unused = doors.filter(|&door| door != trip.from.cell && door != trip.to.cell);
    let picture = unused.fold(Picture::new(&figure.map), |p, door| p.mark(MarkKind::Door, door));
    let cost = figure.referee(&trip.path.cells)?;
    let caption = format!("cost {cost}, from {} to {}", trip.from.cell, trip.to.cell);
    Ok(svg(&with_ends(picture.path("path", &trip.path.cells), &trip.path.cells)
        .caption(&caption)
        .legend()))
}

fn best_trip(figure: &FigureMap, search: &mut impl PathSearch) -> Result<Trip, LabError> {
    let ground = Ground::new(&figure.map, MovementProfile::eight_connected())?;
    let (exits, entrances) = (figure.all('a'), figure.all('b'));
    let (start, goal) = (figure.all('s'), figure.all('g'));
    let (a, b) = (Building::with_doors("A", exits), Building::with_doors("B", entrances));
    let from = if start.is_empty() { Endpoint::Building(&a) } else { Endpoint::Cells(&start) };
    let to = if goal.is_empty() { Endpoint::Building(&b) } else { Endpoint::Cells(&goal) };
    let journey = Journey::new(&ground, &[from], &[to])?;
    match journey.find(&ground, search, Budget::unlimited())? {
        JourneyAnswer::Found(trip) => Ok(trip),
        _ => Err(figure.error("no path")),
    }
}

/// Over the mountain when its factor is ignored, around it otherwise; and whether that is so and
/// costs less.
fn terrain_figures() -> Result<([String; 2], bool), LabError> {
    let figure = FigureMap::new("5", FIGURE_5)?;
    let mut ignored = MovementProfile::eight_connected();
    ignored.terrain = vec![TerrainOverride { terrain: MOUNTAIN, factor: Some(Factor::ONE) }];
    let over = path_across(&figure, &Ground::new(&figure.map, ignored)?)?;
    let ground = Ground::new(&figure.map, MovementProfile::eight_connected())?;
    let around = path_across(&figure, &ground)?;
    let climbs =
        |path: &Path| path.cells.iter().any(|&cell| figure.map.terrain_at(cell) == Some(MOUNTAIN));
    let picture = |path: &Path, said: &str| {
        let true_cost = figure.referee(&path.cells)?;
        let caption = format!("{said} terrain factors; true cost {true_cost}");
        let picture = Picture::new(&figure.map).path("path", &path.cells);
        Ok::<_, LabError>(svg(&with_ends(picture, &path.cells).caption(&caption).legend()))
    };
    let costs_less = figure.referee(&around.cells)? < figure.referee(&over.cells)?;
    let is_so = climbs(&over) && !climbs(&around) && costs_less;
    Ok(([picture(&over, "without")?, picture(&around, "with")?], is_so))
}

fn path_across(figure: &FigureMap, ground: &Ground) -> Result<Path, LabError> {
    let (start, goal) = (figure.cell('s')?, figure.cell('g')?);
    let path = best_path(ground, &mut AStar::default(), start, goal)?;
    path.ok_or_else(|| figure.error("no path"))
}

/// The path over the bridge, and the unit's path after the bridge was destroyed; and whether it then
/// leads over the other bridge to the goal.
fn bridge_figure() -> Result<([String; 2], bool), LabError> {
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
    let goal = figure.cell('g')?;
    let crosses = walked.iter().any(|cell| figure.all('=').contains(cell));
    Ok(([before, after], crosses && walked.last() == Some(&goal)))
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
        let figure = FigureMap::new("", drawing).unwrap();
        let trip = best_trip(&figure, &mut AStar::default()).unwrap();
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
