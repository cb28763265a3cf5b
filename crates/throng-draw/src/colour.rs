//! The colours of terrain, units, strokes and heat.
//!
//! Terrain differs in lightness as well as in hue, so that it stays readable for people who cannot
//! distinguish red from green. Strokes and series use the colours of Okabe and Ito (2008).

use std::fmt;

use throng_model::TerrainClass;

/// A colour in sRGB. Displays as `#rrggbb`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Colour {
    /// Red.
    pub r: u8,
    /// Green.
    pub g: u8,
    /// Blue.
    pub b: u8,
}

impl Colour {
    /// White.
    pub const WHITE: Self = Self::hex(0xff_ff_ff);
    /// The dark grey of text and outlines.
    pub const INK: Self = Self::hex(0x26_2a_30);

    /// The colour `0xrrggbb`.
    #[must_use]
    pub const fn hex(rgb: u32) -> Self {
        Self { r: (rgb >> 16) as u8, g: (rgb >> 8) as u8, b: rgb as u8 }
    }

    /// This colour with `other` blended over it; `opacity` 0 keeps this, 1 gives the other.
    #[must_use]
    pub fn under(self, other: Self, opacity: f64) -> Self {
        // In steps of 1/256, so that rounding is that of integers.
        let over = (opacity.clamp(0.0, 1.0) * 256.0) as i32;
        let mix = |a: u8, b: u8| {
            let (a, b) = (i32::from(a), i32::from(b));
            u8::try_from(a + (((b - a) * over) >> 8)).unwrap_or(u8::MAX)
        };
        Self { r: mix(self.r, other.r), g: mix(self.g, other.g), b: mix(self.b, other.b) }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.r, self.g, self.b)
    }
}

const GROUND: Colour = Colour::hex(0xf3_ef_e6);
const WALL: Colour = Colour::hex(0x3d_42_4b);

/// Words in a class's name, and their colours. The first word that the name contains decides.
const BY_NAME: &[(&str, Colour)] = &[
    ("bridge", Colour::hex(0xb5_83_5a)),
    ("mountain", Colour::hex(0xb3_a7_98)),
    ("rock", Colour::hex(0x7c_76_70)),
    ("road", Colour::hex(0xe9_dc_c0)),
    ("street", Colour::hex(0xe9_dc_c0)),
    ("shelf", Colour::hex(0x8a_6f_57)),
    ("door", Colour::hex(0xe6_a8_3c)),
    ("floor", Colour::hex(0xfa_f6_ec)),
    ("grass", Colour::hex(0xb4_d4_92)),
    ("lawn", Colour::hex(0xb4_d4_92)),
    ("swamp", Colour::hex(0x86_a0_8f)),
    ("marsh", Colour::hex(0x86_a0_8f)),
    ("forest", Colour::hex(0x5d_97_5a)),
    ("tree", Colour::hex(0x2f_5c_3e)),
    ("water", Colour::hex(0x6a_a9_da)),
    ("river", Colour::hex(0x6a_a9_da)),
    ("sand", Colour::hex(0xee_dd_a4)),
    ("building", Colour::hex(0x7a_5a_4a)),
    ("house", Colour::hex(0x7a_5a_4a)),
    ("wall", WALL),
    ("out of bounds", WALL),
    ("ground", GROUND),
];

/// The colour of a terrain class: by its name, else by its letter in MovingAI's maps, else by its
/// factor (a higher factor is darker).
#[must_use]
pub fn terrain_colour(class: &TerrainClass) -> Colour {
    let name = class.name.to_lowercase();
    let by_name = BY_NAME.iter().find(|(word, _)| name.contains(word));
    if let Some(&(_, colour)) = by_name {
        return colour;
    }
    match (class.factor, class.symbol) {
        (_, 'W') => Colour::hex(0x6a_a9_da),
        (None, 'T') => Colour::hex(0x2f_5c_3e),
        (None, _) => WALL,
        (Some(_), 'S') => Colour::hex(0x86_a0_8f),
        (Some(factor), _) => by_factor(factor.get()),
    }
}

/// From the colour of ground to a dark ochre; the middle is at factor 5.
fn by_factor(factor: u8) -> Colour {
    let excess = f64::from(factor - 1);
    GROUND.under(Colour::hex(0x7d_55_20), excess / (excess + 4.0))
}

/// The colour of a unit. Consecutive units are far apart in hue (by the golden angle) and alternate
/// between light and dark.
#[must_use]
pub fn unit_colour(unit: usize) -> Colour {
    // 137.508 degrees per unit, in thousandths, so that no rounding accumulates.
    let hue = (unit as u64 % 360_000) * 137_508 % 360_000;
    let lightness = [0.42, 0.55, 0.34][unit % 3];
    from_hue(hue as f64 / 60_000.0, 0.78, lightness)
}

/// HSL to RGB, with the hue in sixths of the circle.
#[expect(clippy::cast_sign_loss, reason = "hue and channels are never negative")]
fn from_hue(sixth: f64, saturation: f64, lightness: f64) -> Colour {
    let chroma = (1.0 - (2.0 * lightness - 1.0).abs()) * saturation;
    let second = chroma * (1.0 - (sixth % 2.0 - 1.0).abs());
    let (r, g, b) = match sixth as u32 {
        0 => (chroma, second, 0.0),
        1 => (second, chroma, 0.0),
        2 => (0.0, chroma, second),
        3 => (0.0, second, chroma),
        4 => (second, 0.0, chroma),
        _ => (chroma, 0.0, second),
    };
    let base = lightness - chroma / 2.0;
    let byte = |part: f64| ((part + base) * 255.0) as u8;
    Colour { r: byte(r), g: byte(g), b: byte(b) }
}

/// Okabe and Ito's colours, those with most contrast on light ground first, and a grey; without
/// yellow.
const STROKES: [Colour; 8] = [
    Colour::hex(0xd5_5e_00),
    Colour::hex(0x00_72_b2),
    Colour::hex(0x00_9e_73),
    Colour::hex(0xcc_79_a7),
    Colour::hex(0xe6_9f_00),
    Colour::hex(0x56_b4_e9),
    Colour::hex(0x33_33_33),
    Colour::hex(0x9a_9a_9a),
];

/// The colour of the n-th path of a picture or series of a plot.
#[must_use]
pub fn stroke_colour(number: usize) -> Colour {
    STROKES[number % STROKES.len()]
}

/// Stops of a scale that darkens evenly for every kind of colour vision (after viridis).
const HEAT: [Colour; 6] = [
    Colour::hex(0xfd_e7_25),
    Colour::hex(0x7a_d1_51),
    Colour::hex(0x22_a8_84),
    Colour::hex(0x2a_78_8e),
    Colour::hex(0x41_44_87),
    Colour::hex(0x44_01_54),
];

/// The colour of a share between 0 (light) and 1 (dark) of the largest value.
#[must_use]
pub fn heat_colour(share: f64) -> Colour {
    let place = share.clamp(0.0, 1.0) * (HEAT.len() - 1) as f64;
    #[expect(clippy::cast_sign_loss, reason = "clamped to 0 and more")]
    let stop = (place as usize).min(HEAT.len() - 2);
    HEAT[stop].under(HEAT[stop + 1], place - stop as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_model::Factor;

    #[test]
    fn names_win_over_letters_and_letters_over_factors() {
        let check = |name: &str, symbol, factor: i64, expected: u32| {
            let factor = Factor::new(factor).ok();
            let class = TerrainClass { name: name.to_owned(), symbol, factor };
            assert_eq!(terrain_colour(&class), Colour::hex(expected), "{name} {symbol}");
        };
        check("Deep Water", '.', 1, 0x6a_a9_da);
        check("mountain road", '.', 2, 0xb3_a7_98);
        check("x", 'W', 0, 0x6a_a9_da);
        check("x", 'T', 0, 0x2f_5c_3e);
        check("x", 'Q', 0, 0x3d_42_4b);
        check("x", 'Q', 1, 0xf3_ef_e6);
        check("x", 'Q', 255, 0x7e_57_23);
    }

    #[test]
    fn higher_factors_are_darker() {
        let lightness = |factor| {
            let c = by_factor(factor);
            u32::from(c.r) + u32::from(c.g) + u32::from(c.b)
        };
        assert!((1..255).all(|f| lightness(f) >= lightness(f + 1)));
        assert!((1..12).all(|f| lightness(f) > lightness(f + 1)));
    }

    #[test]
    fn neighbouring_units_differ_clearly() {
        for unit in (0..500).chain(usize::MAX - 3..usize::MAX) {
            let (a, b) = (unit_colour(unit), unit_colour(unit.wrapping_add(1)));
            let apart = |a: u8, b: u8| u32::from(a.abs_diff(b));
            let distance = apart(a.r, b.r) + apart(a.g, b.g) + apart(a.b, b.b);
            assert!(distance > 100, "{unit}: {a} {b}");
        }
    }

    #[test]
    fn laying_over_reaches_both_ends() {
        let (a, b) = (Colour::hex(0x10_ff_00), Colour::hex(0xf0_00_80));
        assert_eq!((a.under(b, 0.0), a.under(b, 1.0)), (a, b));
        assert_eq!(a.under(b, f64::NAN), a);
    }
}
