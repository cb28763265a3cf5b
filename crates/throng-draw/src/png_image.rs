//! PNG: pictures as pixels.

use png::{BitDepth, ColorType, Encoder};

use crate::canvas::Canvas;
use crate::raster::{Terrain, overlays};
use crate::{DrawError, Picture, Scale};

/// The longer side for an automatic scale, in pixels.
const SIDE_WANTED_PX: u32 = 1024;

/// The picture as PNG, without caption and legend: they would need a font.
///
/// # Errors
/// When the scale is 0, or the picture would have more than
/// [`PIXELS_MAX`](crate::PIXELS_MAX) pixels.
pub fn png(picture: &Picture<'_>, scale: Scale) -> Result<Vec<u8>, DrawError> {
    let cell_px = scale.cell_px(picture.map, SIDE_WANTED_PX)?;
    let mut canvas = Terrain::new(picture.map, cell_px).canvas(picture.map, u32::MAX)?;
    overlays(&mut canvas, picture, cell_px);
    encode(&canvas)
}

/// The pixels of a canvas as PNG.
pub(crate) fn encode(canvas: &Canvas) -> Result<Vec<u8>, DrawError> {
    let mut bytes = Vec::new();
    let mut encoder = Encoder::new(&mut bytes, canvas.width, canvas.height);
    encoder.set_color(ColorType::Rgb);
    encoder.set_depth(BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    let samples: Vec<u8> = canvas.pixels.iter().flat_map(|c| [c.r, c.g, c.b]).collect();
    writer.write_image_data(&samples)?;
    writer.finish()?;
    Ok(bytes)
}
