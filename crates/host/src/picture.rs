//! Pictures for the newspaper: read, checked and written anew, so that only the picture is left of what was sent.
//!
//! PNG and JPEG are decoded and encoded again: notes about places and cameras, colour profiles, previews and whatever follows the
//! end are gone. SVG goes the way of the arms.

mod jpeg;

use crate::arms::{ArmsError, svg};
use crate::limits;

/// Why a picture is not taken. [`PictureError::code`] is the key of its wording.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PictureError {
    /// More bytes than allowed.
    #[error("the picture has more than {} bytes", limits::PICTURE_BYTES)]
    TooLarge,
    /// Neither PNG nor JPEG nor SVG.
    #[error("that is no PNG, JPEG or SVG picture")]
    UnknownKind,
    /// Cut or altered.
    #[error("the picture is damaged")]
    Damaged,
    /// Too many or too few points.
    #[error(
        "a picture has {} to {} points on each side",
        limits::PICTURE_SIDE_MIN,
        limits::PICTURE_SIDE
    )]
    WrongSize,
    /// The SVG drawing is not taken.
    #[error(transparent)]
    Drawing(#[from] ArmsError),
}

impl PictureError {
    /// Key of the wording.
    pub const fn code(self) -> &'static str {
        match self {
            Self::TooLarge => "picture-too-large",
            Self::UnknownKind => "picture-unknown-kind",
            Self::Damaged => "picture-damaged",
            Self::WrongSize => "picture-wrong-size",
            Self::Drawing(error) => error.code(),
        }
    }
}

/// What a picture is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Media {
    /// PNG.
    Png,
    /// JPEG.
    Jpeg,
    /// SVG, cleaned.
    Svg,
}

impl Media {
    /// Its name on the wire.
    pub const fn mime(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Svg => "image/svg+xml",
        }
    }

    pub(crate) fn from_mime(text: &str) -> Option<Self> {
        [Self::Png, Self::Jpeg, Self::Svg]
            .into_iter()
            .find(|media| media.mime() == text)
    }
}

/// A picture written by this program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    /// What it is.
    pub media: Media,
    /// Points from left to right.
    pub width: u32,
    /// Points from top to bottom.
    pub height: u32,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

/// Reads a picture and writes it anew.
///
/// # Errors
/// If it is too large, of another kind, or damaged.
pub fn clean(bytes: &[u8]) -> Result<Picture, PictureError> {
    let limit = if is_drawing(bytes) {
        limits::ENGRAVING_BYTES
    } else {
        limits::PICTURE_BYTES
    };
    if bytes.len() > limit {
        return Err(PictureError::TooLarge);
    }
    if is_photograph(bytes) {
        return jpeg::redraw(bytes);
    }
    clean_again(bytes)
}

fn is_photograph(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0xff, 0xd8])
}

/// Reads a picture again that this program wrote: it may have grown in the writing.
pub(crate) fn clean_again(bytes: &[u8]) -> Result<Picture, PictureError> {
    if bytes.len() > limits::PICTURE_BYTES * 2 {
        return Err(PictureError::TooLarge);
    }
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        png_picture(bytes)
    } else if is_photograph(bytes) {
        jpeg::walk(bytes)
    } else if is_drawing(bytes) {
        let cleaned = svg::clean_again(bytes, svg::Frame::Own)?;
        Ok(Picture {
            media: Media::Svg,
            width: cleaned.width,
            height: cleaned.height,
            bytes: cleaned.svg.into_bytes(),
        })
    } else {
        Err(PictureError::UnknownKind)
    }
}

/// Whether it begins like XML, perhaps after a mark of its byte order.
fn is_drawing(bytes: &[u8]) -> bool {
    bytes.iter().find(|byte| !byte.is_ascii_whitespace() && **byte < 0x80) == Some(&b'<')
}

fn check_size(width: u32, height: u32) -> Result<(), PictureError> {
    let sides = limits::PICTURE_SIDE_MIN..=limits::PICTURE_SIDE;
    if sides.contains(&width) && sides.contains(&height) {
        Ok(())
    } else {
        Err(PictureError::WrongSize)
    }
}

fn png_picture(bytes: &[u8]) -> Result<Picture, PictureError> {
    let limit = png::Limits {
        // The largest picture with four bytes a point, twice.
        bytes: (limits::PICTURE_SIDE as usize).pow(2) * 8,
    };
    let mut decoder = png::Decoder::new_with_limits(std::io::Cursor::new(bytes), limit);
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    decoder.ignore_checksums(false);
    let header = decoder.read_header_info().map_err(|_| PictureError::Damaged)?;
    let (width, height) = (header.width, header.height);
    check_size(width, height)?;
    let mut reader = decoder.read_info().map_err(|_| PictureError::Damaged)?;
    let size = reader.output_buffer_size().ok_or(PictureError::WrongSize)?;
    let mut points = vec![0; size];
    // Of a moving picture only the first image is taken.
    let frame = reader.next_frame(&mut points).map_err(|_| PictureError::Damaged)?;
    points.truncate(frame.buffer_size());
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, frame.width, frame.height);
    encoder.set_color(frame.color_type);
    encoder.set_depth(frame.bit_depth);
    encoder.set_compression(png::Compression::Balanced);
    let mut writer = encoder.write_header().map_err(|_| PictureError::Damaged)?;
    writer.write_image_data(&points).map_err(|_| PictureError::Damaged)?;
    writer.finish().map_err(|_| PictureError::Damaged)?;
    if out.len() > limits::PICTURE_BYTES * 2 {
        return Err(PictureError::TooLarge);
    }
    Ok(Picture {
        media: Media::Png,
        width,
        height,
        bytes: out,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn png(width: u32, height: u32) -> Vec<u8> {
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, width, height);
        encoder.set_color(png::ColorType::Rgb);
        encoder
            .add_text_chunk("Comment".into(), "Lindenstrasse 7".into())
            .expect("text");
        let mut writer = encoder.write_header().expect("header");
        writer
            .write_image_data(&vec![90; (width * height * 3) as usize])
            .expect("points");
        writer.finish().expect("end");
        out
    }

    /// A JPEG of the right shape; nobody draws it here.
    fn jpeg(width: u16, height: u16, extra: &[u8]) -> Vec<u8> {
        let mut out = vec![0xff, 0xd8];
        out.extend([0xff, 0xe1, 0, 10]);
        out.extend(b"Exif GPS");
        out.extend_from_slice(extra);
        let [high, tall] = height.to_be_bytes();
        let [wide, thin] = width.to_be_bytes();
        out.extend([0xff, 0xc0, 0, 11, 8, high, tall, wide, thin, 1, 1, 0x11, 0]);
        out.extend([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 1, 2, 3, 0xff, 0, 4, 0xff, 0xd0, 5]);
        out.extend([0xff, 0xd9]);
        out.extend(b"<script>alert(1)</script>");
        out
    }

    fn contains(bytes: &[u8], words: &[u8]) -> bool {
        bytes.windows(words.len()).any(|window| window == words)
    }

    #[test]
    fn a_png_loses_its_notes_and_keeps_its_points() {
        let picture = clean(&png(40, 30)).expect("sound");
        assert_eq!((picture.media, picture.width, picture.height), (Media::Png, 40, 30));
        assert!(!contains(&picture.bytes, b"Lindenstrasse"));
        assert_eq!(clean(&picture.bytes).expect("sound").bytes, picture.bytes);
    }

    #[test]
    fn a_jpeg_read_again_loses_its_notes_and_what_follows_it() {
        let picture = clean_again(&jpeg(64, 48, b"")).expect("sound");
        assert_eq!((picture.media, picture.width, picture.height), (Media::Jpeg, 64, 48));
        assert!(!contains(&picture.bytes, b"GPS") && !contains(&picture.bytes, b"script"));
        assert!(contains(
            &picture.bytes,
            &[1, 2, 3, 0xff, 0, 4, 0xff, 0xd0, 5, 0xff, 0xd9]
        ));
        assert_eq!(clean_again(&picture.bytes).expect("sound"), picture);
    }

    #[test]
    fn sides_are_tested_at_their_limits() {
        let limit = limits::PICTURE_SIDE as u16;
        assert!(clean_again(&jpeg(limit, 20, b"")).is_ok());
        assert_eq!(clean_again(&jpeg(limit + 1, 20, b"")), Err(PictureError::WrongSize));
        let least = limits::PICTURE_SIDE_MIN as u16;
        assert!(clean_again(&jpeg(least, least, b"")).is_ok());
        assert_eq!(clean_again(&jpeg(least, least - 1, b"")), Err(PictureError::WrongSize));
        assert_eq!(
            clean(&png(limits::PICTURE_SIDE_MIN - 1, 20)),
            Err(PictureError::WrongSize)
        );
    }

    #[test]
    fn a_header_that_promises_a_giant_is_refused_before_it_is_unpacked() {
        let mut bomb = png(40, 30);
        bomb[16..20].copy_from_slice(&60_000_u32.to_be_bytes());
        // The checksum of the header, so that only the size is wrong.
        let mut crc = u32::MAX;
        for byte in &bomb[12..29] {
            crc ^= u32::from(*byte);
            for _ in 0..8 {
                crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
            }
        }
        bomb[29..33].copy_from_slice(&(!crc).to_be_bytes());
        assert_eq!(clean(&bomb), Err(PictureError::WrongSize));
    }

    #[test]
    fn cut_altered_and_foreign_files_are_refused() {
        let whole = png(40, 30);
        for length in [8, 20, 33, whole.len() - 14] {
            assert_eq!(clean(&whole[..length]), Err(PictureError::Damaged), "{length}");
        }
        let whole = jpeg(64, 48, b"");
        for length in [2, 3, 5, 20, 40] {
            assert_eq!(clean(&whole[..length]), Err(PictureError::Damaged), "{length}");
        }
        assert_eq!(clean(b"GIF89a"), Err(PictureError::UnknownKind));
        assert_eq!(clean(b""), Err(PictureError::UnknownKind));
        assert_eq!(
            clean(b"<html><script>"),
            Err(PictureError::Drawing(ArmsError::NoDrawing))
        );
        assert_eq!(clean(&vec![0; limits::PICTURE_BYTES + 1]), Err(PictureError::TooLarge));
    }

    #[test]
    fn bent_pictures_never_panic() {
        let mut state: u64 = 11;
        for seed in [png(20, 20), jpeg(20, 20, b"\xff\xfe\0\x04hi")] {
            for _ in 0..20_000 {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let mut bytes = seed.clone();
                let at = (state >> 33) as usize % bytes.len();
                bytes[at] = (state >> 20) as u8;
                if let Ok(picture) = clean_again(&bytes) {
                    assert!(!contains(&picture.bytes, b"Linden") && !contains(&picture.bytes, b"script"));
                    assert!(clean_again(&picture.bytes).is_ok());
                }
            }
        }
    }
}
