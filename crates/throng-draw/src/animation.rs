//! Moving pictures as GIF.

use gif::{DisposalMethod, Encoder, Frame, Repeat};
use throng_model::{Map, TerrainId};

use crate::canvas::Canvas;
use crate::gif_palette::{Palette, UNCHANGED};
use crate::raster::{Terrain, overlays};
use crate::{DrawError, Mark, Picture, Scale, terrain_colour};

/// Most frames in one animation.
pub const FRAMES_MAX: usize = 10_000;

/// The longer side for an automatic scale, in pixels: smaller than a still, because every frame
/// adds to the file.
const SIDE_WANTED_PX: u32 = 720;
/// Browsers show shorter frames for a tenth of a second.
const DELAY_CS_MIN: u32 = 2;

/// An animation that grows frame by frame. Each frame is a [`Picture`], of a map that may
/// have been edited since the last one. Only what changed is stored.
///
/// ```
/// use throng_draw::{Animation, Disc, Picture, Point, Scale};
/// use throng_model::{Cell, Map};
/// let mut map = Map::empty(8, 3)?;
/// let mut film = Animation::new(&map, Scale::Pixels(16))?;
/// for x in 0..5 {
///     if x == 3 {
///         map.set(Cell::new(6, 1), Map::WALL)?;
///     }
///     let unit = Disc::unit(0, Point::centre(Cell::new(x, 1), 1), 1);
///     film.frame(&Picture::new(&map).disc(unit), 100)?;
/// }
/// let bytes = film.finish()?;
/// assert!(bytes.starts_with(b"GIF89a"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Animation {
    map_size: (u16, u16),
    cell_px: u32,
    terrain: Vec<TerrainId>,
    /// The bare map as it is in the last frame.
    ground: Canvas,
    /// The pixels after the last frame, by palette entry; empty before the first.
    shown: Vec<u8>,
    palette: Palette,
    frames: Vec<Frame<'static>>,
}

impl Animation {
    /// An animation without frames, for maps of this one's size.
    ///
    /// # Errors
    /// When the scale is 0 or the picture too large.
    pub fn new(map: &Map, scale: Scale) -> Result<Self, DrawError> {
        let cell_px = scale.cell_px(map, SIDE_WANTED_PX)?;
        let ground = Terrain::new(map, cell_px).canvas(map, u32::from(u16::MAX))?;
        let mut palette = Palette::new();
        // Terrain first, so that mixed colours cannot displace it from the palette.
        map.classes().iter().for_each(|class| {
            palette.entry(terrain_colour(class));
        });
        Ok(Self {
            map_size: (map.width(), map.height()),
            cell_px,
            terrain: map.terrain().to_vec(),
            ground,
            shown: Vec::new(),
            palette,
            frames: Vec::new(),
        })
    }

    /// Adds a frame that is shown for `delay_ms` (rounded to hundredths of a second). A frame
    /// without a change prolongs the last one.
    ///
    /// # Errors
    /// When the map has another size than the animation's, or there are too many frames.
    pub fn frame(&mut self, picture: &Picture<'_>, delay_ms: u32) -> Result<(), DrawError> {
        self.check(picture.map)?;
        self.update_ground(picture.map);
        self.name_colours(picture);
        let mut canvas = self.ground.clone();
        overlays(&mut canvas, picture, self.cell_px);
        let now: Vec<u8> = canvas.pixels.iter().map(|&c| self.palette.entry(c)).collect();
        let delay_cs = (delay_ms.saturating_add(5) / 10).max(DELAY_CS_MIN);
        if let Some(area) = self.changed(&now) {
            self.store(&now, area, delay_cs);
        } else if let Some(last) = self.frames.last_mut() {
            let longer = u32::from(last.delay).saturating_add(delay_cs);
            last.delay = u16::try_from(longer).unwrap_or(u16::MAX);
        }
        self.shown = now;
        Ok(())
    }

    /// The file. The animation repeats forever.
    ///
    /// # Errors
    /// When there is no frame.
    pub fn finish(self) -> Result<Vec<u8>, DrawError> {
        if self.frames.is_empty() {
            return Err(DrawError::NoFrames);
        }
        let (width, height) = (self.ground.width as u16, self.ground.height as u16);
        let mut encoder = Encoder::new(Vec::new(), width, height, &self.palette.bytes())?;
        encoder.set_repeat(Repeat::Infinite)?;
        for frame in &self.frames {
            encoder.write_lzw_pre_encoded_frame(frame)?;
        }
        Ok(encoder.into_inner()?)
    }

    fn check(&self, map: &Map) -> Result<(), DrawError> {
        let (width, height) = self.map_size;
        let (given_width, given_height) = (map.width(), map.height());
        if (given_width, given_height) != self.map_size {
            return Err(DrawError::FrameSize { given_width, given_height, width, height });
        }
        if self.frames.len() >= FRAMES_MAX {
            return Err(DrawError::TooManyFrames { asked: FRAMES_MAX as u64 + 1 });
        }
        Ok(())
    }

    fn update_ground(&mut self, map: &Map) {
        if self.terrain == map.terrain() {
            return;
        }
        let brush = Terrain::new(map, self.cell_px);
        for ((cell, &new), old) in map.cells().zip(map.terrain()).zip(&mut self.terrain) {
            if *old != new {
                brush.cell(&mut self.ground, u32::from(cell.x), u32::from(cell.y), new);
                *old = new;
            }
        }
    }

    /// Plain colours get their entries before the mixed ones of their edges.
    fn name_colours(&mut self, picture: &Picture<'_>) {
        let strokes = picture.strokes.iter().map(|stroke| stroke.colour);
        let marks = picture.marks.iter().map(Mark::paint);
        let discs = picture.discs.iter().map(|disc| disc.colour);
        discs.chain(marks).chain(strokes).for_each(|colour| {
            self.palette.entry(colour);
        });
    }

    /// The smallest rectangle around all pixels that differ from the last frame.
    fn changed(&self, now: &[u8]) -> Option<Area> {
        let (width, height) = (self.ground.width as usize, self.ground.height as usize);
        if self.shown.is_empty() {
            return Some(Area { left: 0, top: 0, right: width, bottom: height });
        }
        let mut area: Option<Area> = None;
        let rows = now.chunks_exact(width).zip(self.shown.chunks_exact(width));
        for (y, (new, old)) in rows.enumerate().filter(|(_, (new, old))| new != old) {
            let differs = |x: &usize| new[*x] != old[*x];
            let left = (0..width).find(differs).unwrap_or(0);
            let right = (0..width).rev().find(differs).unwrap_or(0) + 1;
            area = Some(area.map_or(Area { left, top: y, right, bottom: y + 1 }, |a| Area {
                left: a.left.min(left),
                top: a.top,
                right: a.right.max(right),
                bottom: y + 1,
            }));
        }
        area
    }

    fn store(&mut self, now: &[u8], area: Area, delay_cs: u32) {
        let width = self.ground.width as usize;
        let mut buffer = Vec::with_capacity((area.right - area.left) * (area.bottom - area.top));
        for y in area.top..area.bottom {
            let row = y * width + area.left..y * width + area.right;
            match self.shown.get(row.clone()) {
                Some(shown) => buffer.extend(
                    now[row].iter().zip(shown).map(|(n, s)| if n == s { UNCHANGED } else { *n }),
                ),
                None => buffer.extend_from_slice(&now[row]),
            }
        }
        let mut frame = Frame {
            delay: u16::try_from(delay_cs).unwrap_or(u16::MAX),
            dispose: DisposalMethod::Keep,
            transparent: Some(UNCHANGED),
            left: area.left as u16,
            top: area.top as u16,
            width: (area.right - area.left) as u16,
            height: (area.bottom - area.top) as u16,
            buffer: buffer.into(),
            ..Frame::default()
        };
        frame.make_lzw_pre_encoded();
        self.frames.push(frame);
    }
}

/// A rectangle of pixels, without its right and bottom border.
#[derive(Clone, Copy)]
struct Area {
    left: usize,
    top: usize,
    right: usize,
    bottom: usize,
}
