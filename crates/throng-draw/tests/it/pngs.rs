//! Pixels: decoded again and compared with the map.

use super::*;

/// Width, height and pixels of a PNG.
pub(crate) fn decoded(bytes: &[u8]) -> (u32, u32, Vec<[u8; 3]>) {
    let mut reader = ::png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut samples = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut samples).unwrap();
    let pixels = samples.chunks_exact(3).map(|rgb| [rgb[0], rgb[1], rgb[2]]).collect();
    (info.width, info.height, pixels)
}

fn colours(map: &Map) -> Vec<[u8; 3]> {
    let colour = |terrain: &TerrainId| terrain_colour(&map.classes()[terrain.get()]);
    map.terrain().iter().map(colour).map(|c| [c.r, c.g, c.b]).collect()
}

#[test]
fn every_cell_has_its_terrain_s_colour() {
    let map = random_map(1, 37, 23, 30);
    let (width, height, pixels) = decoded(&png(&Picture::new(&map), Scale::Pixels(1)).unwrap());
    assert_eq!((width, height), (37, 23));
    assert_eq!(pixels, colours(&map));
    let (width, _, pixels) = decoded(&png(&Picture::new(&map), Scale::Pixels(3)).unwrap());
    let middle = |c: Cell| (u32::from(c.y) * 3 + 1) * width + u32::from(c.x) * 3 + 1;
    let middles: Vec<_> = map.cells().map(|cell| pixels[middle(cell) as usize]).collect();
    assert_eq!(middles, colours(&map));
}

#[test]
fn automatic_scale_makes_small_maps_large_and_keeps_large_ones() {
    let check = |width, height, expected| {
        let map = Map::empty(width, height).unwrap();
        let (w, h, _) = decoded(&png(&Picture::new(&map), Scale::Auto).unwrap());
        assert_eq!((w, h), expected);
    };
    check(1, 1, (32, 32));
    check(32, 20, (1024, 640));
    check(300, 100, (900, 300));
    check(2000, 3, (2000, 3));
}

#[test]
fn a_path_and_its_marks_are_where_they_should_be() {
    let map = Map::empty(9, 3).unwrap();
    let path = cells(&[(1, 1), (7, 1)]);
    let picture = Picture::new(&map).path("", &path).mark(MarkKind::Start, path[0]);
    let (width, _, pixels) = decoded(&png(&picture, Scale::Pixels(20)).unwrap());
    let at = |x: u32, y: u32| pixels[(y * width + x) as usize];
    assert_eq!(at(90, 30), [0xd5, 0x5e, 0x00], "the line");
    assert_eq!(at(30, 30), [0x00, 0x72, 0xb2], "the start");
    assert_eq!(at(90, 50), colours(&map)[0], "beside the line");
    assert_eq!(at(165, 30), colours(&map)[0], "behind its end");
}

#[test]
fn what_lies_off_the_map_is_cut_off() {
    let map = Map::empty(2, 2).unwrap();
    let far = cells(&[(65_535, 0), (0, 65_535), (65_535, 65_535)]);
    let picture = Picture::new(&map)
        .path("", &far)
        .stroke(Stroke::new("", &far, stroke_colour(0)).dashed())
        .mark(MarkKind::Broken, far[0])
        .disc(Disc::unit(0, Point::centre(far[1], 16), 16));
    let (_, _, pixels) = decoded(&png(&picture, Scale::Pixels(1)).unwrap());
    assert_eq!(pixels, colours(&map));
    assert!(!svg(&picture).is_empty() && !terminal(&picture, true, 80).is_empty());
}

#[test]
fn bad_scales_are_refused() {
    let map = Map::empty(4096, 4096).unwrap();
    let drawn = |scale| png(&Picture::new(&map), scale).map(|_| ());
    assert_eq!(drawn(Scale::Pixels(0)), Err(DrawError::ZeroScale));
    assert!(matches!(drawn(Scale::Pixels(2)), Err(DrawError::TooLarge { width: 8192, .. })));
    assert!(matches!(drawn(Scale::Pixels(u16::MAX)), Err(DrawError::TooLarge { .. })));
}
