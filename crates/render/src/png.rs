//! Pictures as PNG.

use std::sync::{Arc, OnceLock};

use resvg::{tiny_skia, usvg};

/// Pictures with more pixels than this are refused: each takes four bytes of memory.
pub const MOST_PIXELS: u64 = 60_000_000;
/// Longer SVG texts are refused.
pub const MOST_BYTES: usize = 64 * 1024 * 1024;

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    /// The SVG cannot be read.
    #[error("the picture cannot be read: {0}")]
    Svg(#[from] usvg::Error),
    /// The scale is not a number above zero.
    #[error("the scale {0} is not above zero")]
    Scale(f32),
    /// The SVG is too long.
    #[error("the picture has {0} bytes of text, more than {MOST_BYTES}")]
    TooLong(usize),
    /// The picture would be too large.
    #[error("the picture would be {width} x {height} pixels; at most {MOST_PIXELS} pixels are drawn")]
    TooLarge {
        /// Its width.
        width: u64,
        /// Its height.
        height: u64,
    },
    /// The pixels cannot be written as PNG.
    #[error("the picture cannot be written: {0}")]
    Encoding(String),
}

/// The fonts of the maps; free under the SIL Open Font License, texts beside the files.
const FONTS: [&[u8]; 7] = [
    include_bytes!("../fonts/EBGaramond-Regular.ttf"),
    include_bytes!("../fonts/EBGaramond-Italic.ttf"),
    include_bytes!("../fonts/IMFellEnglish-Regular.ttf"),
    include_bytes!("../fonts/IMFellEnglish-Italic.ttf"),
    include_bytes!("../fonts/IMFellEnglishSC-Regular.ttf"),
    include_bytes!("../fonts/AlegreyaSans-Regular.ttf"),
    include_bytes!("../fonts/AlegreyaSans-Bold.ttf"),
];

fn fonts() -> Arc<usvg::fontdb::Database> {
    static FONT_BASE: OnceLock<Arc<usvg::fontdb::Database>> = OnceLock::new();
    Arc::clone(FONT_BASE.get_or_init(|| {
        let mut base = usvg::fontdb::Database::new();
        for font in FONTS {
            base.load_font_data(font.to_vec());
        }
        base.set_serif_family("EB Garamond");
        base.set_sans_serif_family("Alegreya Sans");
        Arc::new(base)
    }))
}

/// Draws an SVG as PNG, `scale` times its size. System fonts, files and the network are never asked, so the same text
/// gives the same picture everywhere.
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>, PngError> {
    if svg.len() > MOST_BYTES {
        return Err(PngError::TooLong(svg.len()));
    }
    if !(scale.is_finite() && scale > 0.0) {
        return Err(PngError::Scale(scale));
    }
    let options = usvg::Options {
        fontdb: fonts(),
        font_family: "EB Garamond".to_owned(),
        ..usvg::Options::default()
    };
    let tree = usvg::Tree::from_str(svg, &options)?;
    let width = (tree.size().width() * scale).ceil().max(1.0) as u64;
    let height = (tree.size().height() * scale).ceil().max(1.0) as u64;
    let too_large = PngError::TooLarge { width, height };
    if width.saturating_mul(height) > MOST_PIXELS {
        return Err(too_large);
    }
    let Some(mut pixels) = tiny_skia::Pixmap::new(width as u32, height as u32) else {
        return Err(too_large);
    };
    let transform = tiny_skia::Transform::from_scale(scale, scale);
    resvg::render(&tree, transform, &mut pixels.as_mut());
    pixels
        .encode_png()
        .map_err(|error| PngError::Encoding(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: &str =
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"10\" height=\"10\"><rect width=\"10\" height=\"10\"/></svg>";

    #[test]
    fn a_small_picture_becomes_a_png() {
        let bytes = png(SQUARE, 2.0).unwrap();
        assert!(bytes.starts_with(b"\x89PNG"));
    }

    #[test]
    fn nonsense_is_an_error_and_no_panic() {
        assert!(matches!(png("no picture", 1.0), Err(PngError::Svg(_))));
        assert!(matches!(png(SQUARE, 0.0), Err(PngError::Scale(_))));
        assert!(matches!(png(SQUARE, f32::NAN), Err(PngError::Scale(_))));
        assert!(matches!(png(SQUARE, f32::INFINITY), Err(PngError::Scale(_))));
    }

    #[test]
    fn a_picture_beyond_the_limit_is_refused() {
        // 10 x 10 units at scale 774 are 59.9 million pixels, at 775 they are 60,062,500.
        let error = png(SQUARE, 775.0).unwrap_err();
        assert!(matches!(
            error,
            PngError::TooLarge {
                width: 7750,
                height: 7750
            }
        ));
    }
}
