//! Why something could not be drawn.

use crate::animation::FRAMES_MAX;
use crate::canvas::PIXELS_MAX;

/// Why something could not be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DrawError {
    /// The picture is too large for memory or for its format.
    #[error(
        "a picture of {width} x {height} pixels: at most {side_max} per side and {PIXELS_MAX} in \
         all; give a smaller scale"
    )]
    TooLarge {
        /// Columns of pixels.
        width: u64,
        /// Rows of pixels.
        height: u64,
        /// Longest side of the format.
        side_max: u32,
    },
    /// A cell would have no pixels.
    #[error("a scale of 0 pixels per cell: give 1 or more, or leave the scale out")]
    ZeroScale,
    /// The values do not match the map's cells.
    #[error("{given} values for a map of {cells} cells: give one for each cell, row by row")]
    HeatCount {
        /// Values given.
        given: usize,
        /// Cells of the map.
        cells: usize,
    },
    /// A value that a colour scale cannot show.
    #[error("the value of cell {index} (row by row) is not finite: leave it out (`None`)")]
    HeatNotFinite {
        /// The cell.
        index: usize,
    },
    /// The animation would have too many frames.
    #[error(
        "an animation of more than {FRAMES_MAX} frames ({asked} asked): draw fewer frames per tick, \
         or only a part of the ticks"
    )]
    TooManyFrames {
        /// Frames asked for.
        asked: u64,
    },
    /// An animation needs at least one frame.
    #[error("an animation without frames: add one first")]
    NoFrames,
    /// Frames differ in size.
    #[error(
        "a frame's map is {given_width} x {given_height} cells, the animation's is {width} x \
         {height}: all frames show a map of one size"
    )]
    FrameSize {
        /// Columns of the frame's map.
        given_width: u16,
        /// Rows of the frame's map.
        given_height: u16,
        /// Columns of the animation.
        width: u16,
        /// Rows of the animation.
        height: u16,
    },
    /// The encoder failed, which the checked sizes should prevent.
    #[error("encoding failed: {0}")]
    Encoding(String),
}

impl From<png::EncodingError> for DrawError {
    fn from(error: png::EncodingError) -> Self {
        Self::Encoding(error.to_string())
    }
}

impl From<gif::EncodingError> for DrawError {
    fn from(error: gif::EncodingError) -> Self {
        Self::Encoding(error.to_string())
    }
}
