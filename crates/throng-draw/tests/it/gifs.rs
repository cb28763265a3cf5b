//! Films: decoded again and compared frame by frame.

use super::*;

/// A decoded GIF: what the viewer sees after each frame, and for how long.
struct Decoded {
    width: usize,
    screens: Vec<Vec<[u8; 3]>>,
    delays_cs: Vec<u16>,
    /// Pixels stored in each frame.
    stored: Vec<usize>,
}

fn decoded(bytes: &[u8]) -> Decoded {
    let mut decoder = ::gif::DecodeOptions::new().read_info(bytes).unwrap();
    let palette = decoder.global_palette().unwrap().to_vec();
    assert!(palette.len() <= 256 * 3);
    let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    let mut screen = vec![[0, 0, 0]; width * height];
    let mut all = Decoded { width, screens: vec![], delays_cs: vec![], stored: vec![] };
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        let (left, top) = (usize::from(frame.left), usize::from(frame.top));
        for (i, &entry) in frame.buffer.iter().enumerate() {
            let (x, y) = (i % usize::from(frame.width), i / usize::from(frame.width));
            if frame.transparent != Some(entry) {
                let rgb = &palette[usize::from(entry) * 3..][..3];
                screen[(top + y) * width + left + x] = [rgb[0], rgb[1], rgb[2]];
            }
        }
        all.screens.push(screen.clone());
        all.delays_cs.push(frame.delay);
        all.stored.push(frame.buffer.len());
    }
    assert_eq!(decoder.repeat(), ::gif::Repeat::Infinite);
    all
}

fn walk() -> Plan {
    Plan { paths: vec![cells(&[(0, 1), (1, 1), (2, 1), (3, 1)]), cells(&[(5, 2)])] }
}

#[test]
fn units_move_and_the_last_frame_stays() {
    let map = Map::empty(8, 4).unwrap();
    let options = FilmOptions { frames_per_tick: 4, tick_ms: 200, ..FilmOptions::default() };
    let film = decoded(&gif(&map, &walk(), &[], &options).unwrap());
    assert_eq!(film.screens.len(), 3 * 4 + 1);
    assert_eq!(film.delays_cs[..12], [5; 12]);
    assert_eq!(film.delays_cs[12], 200);
    let cell_px = film.width / 8;
    let middle =
        |x: usize, y: usize| (y * cell_px + cell_px / 2) * film.width + x * cell_px + cell_px / 2;
    let unit = unit_colour(0);
    for tick in 0..=3 {
        assert_eq!(film.screens[tick * 4][middle(tick, 1)], [unit.r, unit.g, unit.b], "{tick}");
    }
    assert!(film.stored[1] < film.stored[0] / 4, "only what changed is stored");
    let still = unit_colour(1);
    assert!(film.screens.iter().all(|s| s[middle(5, 2)] == [still.r, still.g, still.b]));
}

#[test]
fn large_and_slow_units_are_drawn_as_such() {
    let map = Map::empty(8, 4).unwrap();
    let plan = Plan { paths: vec![cells(&[(0, 0), (0, 0), (1, 0)])] };
    let options = FilmOptions { frames_per_tick: 1, goals: false, ..FilmOptions::default() };
    let film = decoded(&gif(&map, &plan, &[Body { footprint: 3, pace: 2 }], &options).unwrap());
    assert_eq!(film.screens.len(), 3);
    let unit = unit_colour(0);
    let covered = film.screens[0].iter().filter(|&&p| p == [unit.r, unit.g, unit.b]).count();
    let cell = (film.width / 8).pow(2);
    assert!(covered > 2 * cell && covered < 9 * cell, "{covered} of {cell} a cell");
    assert!(film.stored[1] > 0, "halfway at tick 1");
}

#[test]
fn units_can_have_colours_and_marks_of_their_own() {
    let map = Map::empty(8, 4).unwrap();
    let (red, blue) = (Colour::hex(0xc0_20_20), Colour::hex(0x20_20_c0));
    let mark = Mark::ring(0, Cell::new(6, 0), 1).coloured(blue);
    let options = FilmOptions {
        colours: vec![red],
        marks: vec![mark],
        goals: false,
        ..FilmOptions::default()
    };
    let film = decoded(&gif(&map, &walk(), &[], &options).unwrap());
    let shown = |c: Colour| film.screens[0].contains(&[c.r, c.g, c.b]);
    assert!(shown(red) && shown(blue) && shown(unit_colour(1)) && !shown(unit_colour(0)));
}

#[test]
fn the_map_may_change_meanwhile() {
    let mut map = Map::empty(6, 3).unwrap();
    let mut film = Animation::new(&map, Scale::Pixels(4)).unwrap();
    film.frame(&Picture::new(&map), 100).unwrap();
    film.frame(&Picture::new(&map), 100).unwrap();
    map.set(Cell::new(2, 1), Map::WALL).unwrap();
    film.frame(&Picture::new(&map), 70).unwrap();
    let film = decoded(&film.finish().unwrap());
    assert_eq!(film.screens.len(), 2, "a frame without change prolongs the one before");
    assert_eq!(film.delays_cs, [20, 7]);
    assert_eq!(film.stored, [24 * 12, 4 * 4]);
    let wall = terrain_colour(&map.classes()[1]);
    assert_eq!(film.screens[1][5 * 24 + 9], [wall.r, wall.g, wall.b]);
}

#[test]
fn many_colours_share_one_palette() {
    let map = Map::empty(30, 30).unwrap();
    let paths: Vec<Vec<Cell>> =
        (0..30).flat_map(|y| (0..15).map(move |x| cells(&[(x * 2, y), (x * 2 + 1, y)]))).collect();
    let options = FilmOptions { frames_per_tick: 2, ..FilmOptions::default() };
    let film = decoded(&gif(&map, &Plan { paths }, &[], &options).unwrap());
    assert_eq!(film.screens.len(), 3);
}

#[test]
fn an_empty_plan_gives_one_frame() {
    let map = Map::empty(3, 3).unwrap();
    for plan in [Plan::default(), Plan { paths: vec![vec![]] }] {
        let film = decoded(&gif(&map, &plan, &[], &FilmOptions::default()).unwrap());
        assert_eq!(film.screens.len(), 1);
    }
}

#[test]
fn a_part_of_the_ticks_can_be_shown() {
    let map = Map::empty(8, 4).unwrap();
    let frames = |ticks| {
        let ticks = Some(ticks);
        let options = FilmOptions { frames_per_tick: 2, ticks, ..FilmOptions::default() };
        decoded(&gif(&map, &walk(), &[], &options).unwrap()).screens.len()
    };
    assert_eq!(frames(1..2), 3);
    assert_eq!(frames(0..99), 7);
    assert_eq!(frames(50..99), 1);
    #[expect(clippy::reversed_empty_ranges, reason = "what a careless caller may give")]
    let backwards = 2..1;
    assert_eq!(frames(backwards), 1);
}

#[test]
fn too_much_is_refused_before_it_is_drawn() {
    let map = Map::empty(4, 4).unwrap();
    let long = Plan { paths: vec![vec![Cell::new(0, 0); 20_000]] };
    let refused = gif(&map, &long, &[], &FilmOptions::default()).unwrap_err();
    assert_eq!(refused, DrawError::TooManyFrames { asked: 19_999 * 6 + 1 });
    assert_eq!(Animation::new(&map, Scale::Auto).unwrap().finish(), Err(DrawError::NoFrames));
    assert!(Animation::new(&map, Scale::Pixels(20_000)).is_err());
    let other = Map::empty(4, 5).unwrap();
    let refused = Animation::new(&map, Scale::Auto).unwrap().frame(&Picture::new(&other), 1);
    assert!(matches!(refused, Err(DrawError::FrameSize { given_height: 5, height: 4, .. })));
}
