//! Drawings, decoded again.
#![expect(clippy::unwrap_used, reason = "a broken test should stop at once")]

use throng_draw::plot::{Axis, BarChart, Chart, PlotError};
use throng_draw::{
    Animation, Body, Colour, Disc, DrawError, FilmOptions, Mark, MarkKind, Picture, Point, Scale,
    Stroke, gif, png, stroke_colour, svg, svg_film, terminal, terrain_colour, unit_colour,
};
use throng_model::{Cell, Factor, Map, Plan, TerrainClass, TerrainId};
use throng_testkit::{map, random_map};

mod gifs;
mod goldens;
mod plots;
mod pngs;
mod scenes;
mod svgs;

const LAKE: &str = "
    .....@
    .22..@
    .23...
    ......";

fn cells(places: &[(u16, u16)]) -> Vec<Cell> {
    places.iter().map(|&place| place.into()).collect()
}

/// A picture with something of everything.
fn rich(map: &Map) -> Picture<'_> {
    let path = cells(&[(0, 0), (0, 3), (3, 3), (4, 2)]);
    let mut values = vec![None; map.terrain().len()];
    values[7] = Some(1.0);
    values[8] = Some(9.5);
    Picture::new(map)
        .caption("<Lake> & \"shore\"")
        .legend()
        .heat("expanded & <settled>", &values)
        .unwrap()
        .path("A*", &path)
        .stroke(Stroke::new("old > new", &cells(&[(5, 3), (1, 0)]), stroke_colour(1)).dashed())
        .mark(MarkKind::Start, path[0])
        .mark(MarkKind::Door, Cell::new(2, 3))
        .mark(MarkKind::Broken, Cell::new(3, 1))
        .marked(Mark::new(MarkKind::Goal, path[3]).coloured(unit_colour(3)))
        .disc(Disc::unit(3, Point::centre(Cell::new(1, 1), 2), 2))
}
