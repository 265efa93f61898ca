//! Photographs: decoded, turned the right way up, made as small as a page needs, and written anew.
//!
//! A telephone writes five megabytes with four thousand points on a side, lying on its side, with the place where it was
//! taken. Nothing but the points comes out of here. What this program wrote is later read by [`walk`] alone, which copies what
//! draws and so loses nothing.

use super::{Media, Picture, PictureError};
use crate::limits;
use jpeg_encoder::{ColorType, Encoder};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// How well a photograph is kept, of 100.
const QUALITY: u8 = 85;

/// Points with three bytes each.
struct Points {
    width: usize,
    height: usize,
    bytes: Vec<u8>,
}

/// Draws a photograph anew.
pub(super) fn redraw(bytes: &[u8]) -> Result<Picture, PictureError> {
    let options = DecoderOptions::default()
        .jpeg_set_out_colorspace(ColorSpace::RGB)
        .jpeg_set_max_scans(limits::PICTURE_SCANS as usize);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(|_| PictureError::Damaged)?;
    let (width, height) = decoder.dimensions().ok_or(PictureError::Damaged)?;
    // Before anything is unpacked: the header alone says how much memory the points take.
    let least = limits::PICTURE_SIDE_MIN as usize;
    if width.min(height) < least || width.saturating_mul(height) > limits::PICTURE_POINTS {
        return Err(PictureError::WrongSize);
    }
    let orientation = decoder.exif().map_or(1, |notes| orientation(notes));
    let bytes = decoder.decode().map_err(|_| PictureError::Damaged)?;
    if bytes.len() != width * height * 3 {
        return Err(PictureError::Damaged);
    }
    let points = turned(&shrunk(Points { width, height, bytes }), orientation);
    let too_wide = |_| PictureError::WrongSize;
    let (width, height) = (
        u16::try_from(points.width).map_err(too_wide)?,
        u16::try_from(points.height).map_err(too_wide)?,
    );
    let mut out = Vec::new();
    Encoder::new(&mut out, QUALITY)
        .encode(&points.bytes, width, height, ColorType::Rgb)
        .map_err(|_| PictureError::Damaged)?;
    // So that what is stored is what reading it again gives.
    walk(&out)
}

/// Which way up the picture is, by the camera's notes: 1 to 8, and 1 if they say nothing that makes sense.
fn orientation(notes: &[u8]) -> u16 {
    read_orientation(notes).filter(|way| (1..=8).contains(way)).unwrap_or(1)
}

fn read_orientation(notes: &[u8]) -> Option<u16> {
    let little = match notes.get(..4)? {
        [b'I', b'I', 42, 0] => true,
        [b'M', b'M', 0, 42] => false,
        _ => return None,
    };
    let short = |at: usize| -> Option<u16> {
        let pair: [u8; 2] = notes.get(at..at.checked_add(2)?)?.try_into().ok()?;
        Some(if little {
            u16::from_le_bytes(pair)
        } else {
            u16::from_be_bytes(pair)
        })
    };
    let long = |at: usize| -> Option<usize> {
        let four: [u8; 4] = notes.get(at..at.checked_add(4)?)?.try_into().ok()?;
        let number = if little {
            u32::from_le_bytes(four)
        } else {
            u32::from_be_bytes(four)
        };
        usize::try_from(number).ok()
    };
    let table = long(4)?;
    let entries = usize::from(short(table)?);
    // Every entry has twelve bytes: its name, its kind, how many, and the value.
    (0..entries).find_map(|number| {
        let at = table.checked_add(2 + number * 12)?;
        (short(at)? == 0x0112 && short(at + 2)? == 3)
            .then(|| short(at + 8))
            .flatten()
    })
}

/// As small as a page needs: every point the mean of those that it stands for.
fn shrunk(from: Points) -> Points {
    let longest = from.width.max(from.height);
    let most = limits::PICTURE_SHOWN;
    if longest <= most {
        return from;
    }
    let fit = |side: usize| (side * most / longest).max(1);
    let (width, height) = (fit(from.width), fit(from.height));
    let mut bytes = Vec::with_capacity(width * height * 3);
    for y in 0..height {
        let rows = y * from.height / height..((y + 1) * from.height / height).max(y * from.height / height + 1);
        for x in 0..width {
            let left = x * from.width / width;
            let right = ((x + 1) * from.width / width).max(left + 1);
            let (mut sums, mut count) = ([0_u64; 3], 0_u64);
            for row in rows.clone() {
                let line = from
                    .bytes
                    .get((row * from.width + left) * 3..(row * from.width + right) * 3);
                for point in line.unwrap_or_default().chunks_exact(3) {
                    for (sum, value) in sums.iter_mut().zip(point) {
                        *sum += u64::from(*value);
                    }
                    count += 1;
                }
            }
            bytes.extend(sums.map(|sum| u8::try_from(sum / count.max(1)).unwrap_or(u8::MAX)));
        }
    }
    Points { width, height, bytes }
}

/// The right way up.
fn turned(from: &Points, orientation: u16) -> Points {
    let on_its_side = orientation >= 5;
    let (width, height) = match on_its_side {
        true => (from.height, from.width),
        false => (from.width, from.height),
    };
    let (right, bottom) = (from.width.saturating_sub(1), from.height.saturating_sub(1));
    let mut bytes = Vec::with_capacity(from.bytes.len());
    for y in 0..height {
        for x in 0..width {
            // Where the point that belongs here was stored.
            let (column, row) = match orientation {
                2 => (right - x, y),
                3 => (right - x, bottom - y),
                4 => (x, bottom - y),
                5 => (y, x),
                6 => (y, bottom - x),
                7 => (right - y, bottom - x),
                8 => (right - y, x),
                _ => (x, y),
            };
            let at = (row * from.width + column) * 3;
            bytes.extend_from_slice(from.bytes.get(at..at + 3).unwrap_or(&[0; 3]));
        }
    }
    Points { width, height, bytes }
}

/// Walks through the segments of a JPEG file and keeps those that draw.
pub(super) fn walk(bytes: &[u8]) -> Result<Picture, PictureError> {
    let mut out = vec![0xff, 0xd8];
    let mut size = None;
    let mut at = 2;
    let mut scans = 0;
    loop {
        // A marker may be preceded by any number of filling bytes.
        if bytes.get(at) != Some(&0xff) {
            return Err(PictureError::Damaged);
        }
        while bytes.get(at + 1) == Some(&0xff) {
            at += 1;
        }
        let marker = *bytes.get(at + 1).ok_or(PictureError::Damaged)?;
        at += 2;
        if marker == 0xd9 {
            break;
        }
        let length = match (bytes.get(at), bytes.get(at + 1)) {
            (Some(high), Some(low)) => usize::from(*high) << 8 | usize::from(*low),
            _ => return Err(PictureError::Damaged),
        };
        let segment = bytes
            .get(at..at + length)
            .filter(|s| s.len() >= 2)
            .ok_or(PictureError::Damaged)?;
        at += length;
        let keep = match marker {
            // Frames: baseline, extended and progressive with Huffman codes. Others are not drawn by browsers.
            0xc0..=0xc2 => {
                let [_, _, _, high, tall, wide, width, parts, ..] = *segment else {
                    return Err(PictureError::Damaged);
                };
                let height = u32::from(high) << 8 | u32::from(tall);
                let width = u32::from(wide) << 8 | u32::from(width);
                super::check_size(width, height)?;
                if size.is_some() || !(1..=4).contains(&parts) || segment.len() != 8 + 3 * usize::from(parts) {
                    return Err(PictureError::Damaged);
                }
                size = Some((width, height));
                true
            }
            // Huffman tables, quantisation tables, restart interval.
            0xc4 | 0xdb | 0xdd => true,
            // Adobe's note says how colours are mixed; without it some pictures turn green.
            0xee => segment.get(2..7) == Some(b"Adobe"),
            0xda => true,
            // Notes of all kinds: places, cameras, previews, profiles, comments.
            0xe0..=0xef | 0xfe => false,
            _ => return Err(PictureError::Damaged),
        };
        if keep {
            out.extend([0xff, marker]);
            out.extend_from_slice(segment);
        }
        if marker == 0xda {
            scans += 1;
            if size.is_none() || scans > limits::PICTURE_SCANS {
                return Err(PictureError::Damaged);
            }
            at = copy_scan(bytes, at, &mut out)?;
        }
    }
    let (width, height) = size.ok_or(PictureError::Damaged)?;
    if scans == 0 {
        return Err(PictureError::Damaged);
    }
    out.extend([0xff, 0xd9]);
    Ok(Picture {
        media: Media::Jpeg,
        width,
        height,
        bytes: out,
    })
}

/// Copies the coded points of a scan and returns where the next marker stands.
fn copy_scan(bytes: &[u8], from: usize, out: &mut Vec<u8>) -> Result<usize, PictureError> {
    let mut at = from;
    loop {
        match (bytes.get(at), bytes.get(at + 1)) {
            (Some(0xff), Some(0x00 | 0xd0..=0xd7)) => at += 2,
            (Some(0xff), Some(0xff)) => at += 1,
            (Some(0xff), Some(_)) => break,
            (Some(_), _) => at += 1,
            (None, _) => return Err(PictureError::Damaged),
        }
    }
    out.extend_from_slice(bytes.get(from..at).unwrap_or_default());
    Ok(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Red above, blue below, or the other way round in one corner: enough to see how a picture lies.
    fn points(width: usize, height: usize) -> Points {
        let mut bytes = Vec::new();
        for y in 0..height {
            for x in 0..width {
                bytes.extend(match (x < width / 2, y < height / 2) {
                    (true, true) => [250, 0, 0],
                    (false, true) => [0, 250, 0],
                    (true, false) => [0, 0, 250],
                    (false, false) => [250, 250, 250],
                });
            }
        }
        Points { width, height, bytes }
    }

    fn corner(points: &Points, right: bool, below: bool) -> [u8; 3] {
        let x = if right { points.width - 1 } else { 0 };
        let y = if below { points.height - 1 } else { 0 };
        points.bytes[(y * points.width + x) * 3..][..3]
            .try_into()
            .expect("a point")
    }

    /// Notes of a camera that say nothing but how it was held.
    fn notes(orientation: u16, little: bool) -> Vec<u8> {
        let short = |number: u16| {
            if little {
                number.to_le_bytes()
            } else {
                number.to_be_bytes()
            }
        };
        let long = |number: u32| {
            if little {
                number.to_le_bytes()
            } else {
                number.to_be_bytes()
            }
        };
        let mut out = if little { b"II".to_vec() } else { b"MM".to_vec() };
        out.extend(short(42));
        out.extend(long(8));
        out.extend(short(1));
        out.extend([short(0x0112), short(3)].concat());
        out.extend(long(1));
        out.extend(short(orientation));
        out.extend([0; 6]);
        out
    }

    fn photograph(width: usize, height: usize, orientation: u16) -> Vec<u8> {
        let mut out = Vec::new();
        let points = points(width, height);
        Encoder::new(&mut out, 95)
            .encode(&points.bytes, width as u16, height as u16, ColorType::Rgb)
            .expect("points");
        let notes = [b"Exif\0\0".as_slice(), &notes(orientation, true), b"Lindenstrasse 7"].concat();
        let length = u16::try_from(notes.len() + 2).expect("short").to_be_bytes();
        let mut whole = out[..2].to_vec();
        whole.extend([0xff, 0xe1]);
        whole.extend(length);
        whole.extend(notes);
        whole.extend_from_slice(&out[2..]);
        whole.extend(b"<script>alert(1)</script>");
        whole
    }

    #[test]
    fn a_camera_says_how_it_was_held() {
        for way in 1..=8 {
            assert_eq!(orientation(&notes(way, true)), way);
            assert_eq!(orientation(&notes(way, false)), way);
        }
        for way in [0, 9, u16::MAX] {
            assert_eq!(orientation(&notes(way, true)), 1);
        }
        let whole = notes(6, true);
        for length in 0..whole.len() - 6 {
            assert_eq!(orientation(&whole[..length]), 1, "{length}");
        }
        // A table that is said to lie at the end of the world.
        let mut far = whole.clone();
        far[4..8].copy_from_slice(&u32::MAX.to_le_bytes());
        assert_eq!(orientation(&far), 1);
    }

    #[test]
    fn every_way_of_holding_is_turned_upright() {
        // By the book of the notes: where the first row and the first column of what is stored belong.
        let (red, green, blue, white) = ([250, 0, 0], [0, 250, 0], [0, 0, 250], [250, 250, 250]);
        let expected = [
            (1, [red, green, blue, white]),
            (2, [green, red, white, blue]),
            (3, [white, blue, green, red]),
            (4, [blue, white, red, green]),
            (5, [red, blue, green, white]),
            (6, [blue, red, white, green]),
            (7, [white, green, blue, red]),
            (8, [green, white, red, blue]),
        ];
        for (way, corners) in expected {
            let upright = turned(&points(8, 6), way);
            let seen = [(false, false), (true, false), (false, true), (true, true)];
            let seen = seen.map(|(right, below)| corner(&upright, right, below));
            assert_eq!(seen, corners, "{way}");
            let sides = if way < 5 { (8, 6) } else { (6, 8) };
            assert_eq!((upright.width, upright.height), sides, "{way}");
        }
    }

    #[test]
    fn a_photograph_is_made_as_small_as_a_page_needs() {
        let most = limits::PICTURE_SHOWN;
        let small = shrunk(points(most * 2, most));
        assert_eq!((small.width, small.height), (most, most / 2));
        assert_eq!(corner(&small, false, false), [250, 0, 0]);
        assert_eq!(corner(&small, true, true), [250, 250, 250]);
        let same = shrunk(points(most, 20));
        assert_eq!((same.width, same.height), (most, 20));
        // A strip does not vanish.
        assert_eq!(shrunk(points(most * 40, 16)).height, 1);
    }

    #[test]
    fn nothing_but_the_points_is_left() {
        let picture = redraw(&photograph(64, 48, 6)).expect("sound");
        assert_eq!((picture.media, picture.width, picture.height), (Media::Jpeg, 48, 64));
        for note in [b"Exif".as_slice(), b"Linden", b"script"] {
            assert!(!picture.bytes.windows(note.len()).any(|part| part == note));
        }
        assert_eq!(
            walk(&picture.bytes).expect("sound"),
            picture,
            "read again it is the same"
        );
        let again = JpegDecoder::new(ZCursor::new(&picture.bytes)).decode().expect("drawn");
        // Blue lies top left once it is turned; the coding loses a little.
        assert!(again[2] > 200 && again[0] < 60, "{:?}", &again[..3]);
    }

    #[test]
    fn a_header_that_promises_a_giant_is_refused_before_it_is_unpacked() {
        let mut giant = photograph(64, 48, 1);
        let frame = giant.windows(2).position(|part| part == [0xff, 0xc0]).expect("a frame");
        giant[frame + 5..frame + 9].copy_from_slice(&[0x3f, 0xff, 0x3f, 0xff]);
        assert_eq!(redraw(&giant), Err(PictureError::WrongSize));
    }

    #[test]
    fn cut_and_bent_photographs_never_panic() {
        let whole = photograph(40, 24, 1);
        for length in 0..whole.len() {
            let _ = redraw(&whole[..length]);
        }
        let mut state: u64 = 11;
        for _ in 0..4_000 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let mut bytes = whole.clone();
            let at = (state >> 33) as usize % bytes.len();
            bytes[at] = (state >> 20) as u8;
            if let Ok(picture) = redraw(&bytes) {
                assert_eq!(walk(&picture.bytes).expect("sound"), picture);
            }
        }
    }
}
