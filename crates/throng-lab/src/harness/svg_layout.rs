//! Combines several SVG pictures into one.

use std::fmt::Write as _;

/// Pixels between two pictures.
const GAP: u32 = 24;

/// Pictures from left to right.
pub(crate) fn beside(pictures: &[String]) -> String {
    together(pictures, |x, _, width, _| (x + width + GAP, 0))
}

/// Pictures from top to bottom.
pub(crate) fn below(pictures: &[String]) -> String {
    together(pictures, |_, y, _, height| (0, y + height + GAP))
}

/// A small picture at three times its size.
pub(crate) fn enlarged(picture: &str) -> String {
    const TIMES: u32 = 3;
    let (width, height) = size_of(picture);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" \
         viewBox=\"0 0 {width} {height}\">\n{picture}</svg>\n",
        width * TIMES,
        height * TIMES
    )
}

/// Pictures on white; `next` computes a picture's corner from the corner and size before it.
fn together(pictures: &[String], next: impl Fn(u32, u32, u32, u32) -> (u32, u32)) -> String {
    let mut corner = (0, 0);
    let corners: Vec<(u32, u32)> = pictures
        .iter()
        .map(|picture| {
            let (width, height) = size_of(picture);
            let following = next(corner.0, corner.1, width, height);
            std::mem::replace(&mut corner, following)
        })
        .collect();
    let ends = pictures.iter().zip(&corners).map(|(picture, &(x, y))| {
        let (width, height) = size_of(picture);
        (x + width, y + height)
    });
    let (width, height) = ends.fold((0, 0), |far, end| (far.0.max(end.0), far.1.max(end.1)));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\">\n<rect width=\"{width}\" height=\"{height}\" \
         fill=\"#fff\"/>\n"
    );
    for (picture, (x, y)) in pictures.iter().zip(corners) {
        let _ = write!(svg, "<g transform=\"translate({x} {y})\">\n{picture}</g>\n");
    }
    svg + "</svg>\n"
}

/// The width and height in the first tag of a picture.
fn size_of(svg: &str) -> (u32, u32) {
    let number = |name: &str| {
        let from = svg.find(name).map_or(svg.len(), |at| at + name.len());
        let digits = svg[from..].bytes().take_while(u8::is_ascii_digit).count();
        svg[from..from + digits].parse().unwrap_or(0)
    };
    (number(" width=\""), number(" height=\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_state_their_size() {
        assert_eq!(size_of("<svg x=\"1\" width=\"640\" height=\"48\">"), (640, 48));
        assert_eq!(size_of("<svg>"), (0, 0));
    }

    #[test]
    fn an_enlarged_picture_has_three_times_the_size() {
        let picture = enlarged("<svg width=\"20\" height=\"7\"></svg>\n");
        assert_eq!(size_of(&picture), (60, 21));
        assert!(picture.contains("viewBox=\"0 0 20 7\""), "{picture}");
    }

    #[test]
    fn all_pictures_fit() {
        let picture = |w, h| format!("<svg width=\"{w}\" height=\"{h}\"></svg>\n");
        let three = [picture(10, 20), picture(30, 5), picture(1, 1)];
        assert_eq!(size_of(&beside(&three)), (10 + 30 + 1 + 2 * GAP, 20));
        assert_eq!(size_of(&below(&three)), (30, 20 + 5 + 1 + 2 * GAP));
    }
}
