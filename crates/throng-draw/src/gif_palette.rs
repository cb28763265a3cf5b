//! The palette of an animation: at most 256 colours, collected while frames are drawn.

use crate::Colour;

/// The entry for pixels that do not change from the frame before.
pub(crate) const UNCHANGED: u8 = 0;
/// Marks a colour without an entry.
const UNKNOWN: u8 = 0;

/// Colours in the order in which they occurred; when the palette is full, the nearest is used.
///
/// Colours count as equal when their five leading bits are equal: the difference is invisible.
pub(crate) struct Palette {
    /// Entry 0 is [`UNCHANGED`] and no colour.
    entries: Vec<Colour>,
    /// The entry of every colour of 5 bits per channel.
    known: Vec<u8>,
}

impl Palette {
    pub(crate) fn new() -> Self {
        Self { entries: vec![Colour::WHITE], known: vec![UNKNOWN; 1 << 15] }
    }

    /// The entry of a colour; a new colour gets its own while there is room.
    pub(crate) fn entry(&mut self, colour: Colour) -> u8 {
        let key = usize::from(colour.r >> 3) << 10
            | usize::from(colour.g >> 3) << 5
            | usize::from(colour.b >> 3);
        if self.known[key] == UNKNOWN {
            self.known[key] = self.add_or_nearest(colour);
        }
        self.known[key]
    }

    fn add_or_nearest(&mut self, colour: Colour) -> u8 {
        if let Ok(entry) = u8::try_from(self.entries.len()) {
            self.entries.push(colour);
            return entry;
        }
        let colours = (1..=u8::MAX).zip(&self.entries[1..]);
        colours.min_by_key(|(_, entry)| distance(colour, **entry)).map_or(1, |(index, _)| index)
    }

    /// Red, green, blue of every entry.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.entries.iter().flat_map(|c| [c.r, c.g, c.b]).collect()
    }
}

/// The visible difference of two colours: the eye is most sensitive to green, least to blue.
fn distance(a: Colour, b: Colour) -> u32 {
    let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
    3 * square(a.r, b.r) + 6 * square(a.g, b.g) + square(a.b, b.b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_palette_gives_the_nearest_colour() {
        let mut palette = Palette::new();
        let grey = |v: u8| Colour { r: v, g: v, b: v };
        let entries: Vec<u8> = (0..32).map(|v| palette.entry(grey(v * 8))).collect();
        assert_eq!(entries, (1..=32).collect::<Vec<u8>>());
        for r in 0..32 {
            (0..32).for_each(|g| {
                palette.entry(Colour { r: r * 8, g: g * 8, b: 255 });
            });
        }
        assert_eq!(palette.bytes().len(), 256 * 3);
        assert_eq!(palette.entry(grey(80)), 11);
        assert_eq!(palette.entry(Colour { r: 80, g: 80, b: 72 }), 11);
        assert_ne!(palette.entry(Colour { r: 255, g: 255, b: 255 }), UNCHANGED);
    }
}
