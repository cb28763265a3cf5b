//! SVG pictures: well-formed, and true to the map.

use super::*;
use roxmltree::Document;

/// How many cells the picture shows in each colour, from the rectangles of its shapes.
fn area(document: &Document<'_>, colour: &str) -> usize {
    let shapes = document
        .descendants()
        .filter(|node| node.has_tag_name("path") && node.attribute("fill") == Some(colour));
    let rectangles = shapes.flat_map(|node| node.attribute("d").unwrap().split('z'));
    let sizes = rectangles.filter(|r| !r.is_empty()).map(|r| {
        let (_, size) = r.split_once('h').unwrap();
        let (width, rest) = size.split_once('v').unwrap();
        let (height, _) = rest.split_once("h-").unwrap();
        width.parse::<usize>().unwrap() * height.parse::<usize>().unwrap()
    });
    sizes.sum()
}

#[test]
fn the_picture_is_well_formed_and_says_what_it_shows() {
    let map = map(LAKE);
    let text = svg(&rich(&map));
    let document = Document::parse(&text).unwrap();
    let texts: Vec<&str> = document
        .descendants()
        .filter(|n| n.has_tag_name("text"))
        .filter_map(|n| n.text())
        .collect();
    let expected = [
        "<Lake> & \"shore\"",
        "ground",
        "wall",
        "factor 2 × 2",
        "factor 3 × 3",
        "expanded & <settled>: 1 (light) to 9.5 (dark)",
        "A*",
        "old > new",
        "start",
        "goal",
        "door",
        "broken",
    ];
    assert_eq!(texts, expected);
}

#[test]
fn rectangles_cover_exactly_the_walls() {
    let map = random_map(3, 61, 40, 35);
    let text = svg(&Picture::new(&map));
    let walls = map.cells().filter(|&cell| !map.is_passable(cell)).count();
    assert_eq!(area(&Document::parse(&text).unwrap(), "#3d424b"), walls);
}

#[test]
fn large_maps_stay_small_files() {
    let text = svg(&Picture::new(&random_map(3, 512, 512, 30)));
    assert!(text.len() < 1 << 20, "{} bytes", text.len());
    assert!(svg(&Picture::new(&Map::empty(4096, 4096).unwrap())).len() < 1000);
}

#[test]
fn names_from_files_cannot_break_the_picture() {
    let evil = "\u{0}</text><script>alert('x')</script>\u{ffff}";
    let classes = vec![TerrainClass::passable(evil, '\u{1}', Factor::ONE)];
    let map = Map::new(1, 1, classes, vec![TerrainId(0)]).unwrap();
    let text = svg(&Picture::new(&map).caption(evil).legend().path(evil, &[]));
    let document = Document::parse(&text).unwrap();
    assert!(document.descendants().all(|node| !node.has_tag_name("script")));
    assert!(!terminal(&Picture::new(&map), false, 9).contains('\u{1}'));
}

#[test]
fn a_film_moves_every_unit_through_its_places_and_rests() {
    let map = Map::empty(8, 4).unwrap();
    let slow = Body { footprint: 2, pace: 2 };
    let paths = vec![cells(&[(0, 1), (1, 1)]), cells(&[(4, 1), (4, 1), (5, 1)]), Vec::new()];
    let options = FilmOptions { tick_ms: 100, hold_ms: 200, ..FilmOptions::default() };
    let film = svg_film(&map, &Plan { paths }, &[Body::default(), slow], &options);
    let document = Document::parse(&film).unwrap();
    let animated = document.descendants().filter(|node| node.has_tag_name("animate"));
    let columns: Vec<_> = animated
        .filter(|node| node.attribute("attributeName") == Some("cx"))
        .map(|node| (node.attribute("values").unwrap(), node.attribute("dur").unwrap()))
        .collect();
    assert_eq!(columns, [("0.5;1.5;1.5;1.5;1.5;1.5", "500ms"), ("5;5.5;6;6;6;6", "500ms")]);
}
