//! Picture files as textures.

use crate::problem::guarded;
use crate::read_file::open_file;
use parallax_core::TexTarget;
use parallax_texture::{Image, TexelFormat};
use std::io::BufReader;
use std::path::Path;

/// Reads a PNG: grey, colour or palette, with or without alpha, 1 to 16 bits. Eight bits or fewer become bytes; 16 bits
/// need `rgba32f`, where a component is its value divided by the largest one, rounded to binary32. For cubes the six faces
/// stand below each other, and so do layers: as many as there are rows or cubes, of flat images `layers`. `room` refuses a
/// size there is no memory for.
pub(crate) fn read_png(
    path: &Path,
    format: TexelFormat,
    target: TexTarget,
    layers: u32,
    room: &mut dyn FnMut([u32; 3]) -> Result<(), String>,
) -> Result<Image, String> {
    // The decoder panics on some broken files.
    guarded(|| decode(path, format, target, layers, room)).unwrap_or_else(|_| Err("is broken".to_string()))
}

fn decode(
    path: &Path,
    format: TexelFormat,
    target: TexTarget,
    layers: u32,
    room: &mut dyn FnMut([u32; 3]) -> Result<(), String>,
) -> Result<Image, String> {
    let file = open_file(path).map_err(|e| format!("cannot be read: {e}"))?;
    let mut decoder = png::Decoder::new(BufReader::new(file));
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(|e| format!("is not a PNG: {e}"))?;
    if let Some(palette) = &reader.info().palette
        && !palette.len().is_multiple_of(3)
    {
        return Err(format!("is damaged: its palette has {} bytes, which is not a multiple of 3", palette.len()));
    }
    let (width, height) = (reader.info().width, reader.info().height);
    Image::check_size(width, height).map_err(|e| e.to_string())?;
    let dims = match target {
        TexTarget::D3 => return Err("volumes cannot be read from files".to_string()),
        TexTarget::CubeArray | TexTarget::ShadowCubeArray if height.is_multiple_of(width.saturating_mul(6)) => {
            [width, width, height / width]
        }
        target if target.is_cube() => match width.checked_mul(6) == Some(height) {
            true => [width, width, 6],
            false => return Err(format!("is {width}x{height}: expected six square faces below each other")),
        },
        TexTarget::D1Array | TexTarget::Shadow1DArray => [width, 1, height],
        TexTarget::D1 | TexTarget::Shadow1D if height != 1 => {
            return Err("is not a line: it has several rows".to_string());
        }
        TexTarget::D2Array | TexTarget::Shadow2DArray => match layers {
            1.. if height.is_multiple_of(layers) => [width, height / layers, layers],
            _ => return Err(format!("has {height} rows, which cannot be divided into {layers} layers")),
        },
        _ => [width, height, 1],
    };
    room(dims)?;
    let size = reader.output_buffer_size().ok_or("is too large")?;
    let mut data = vec![0; size];
    let info = reader.next_frame(&mut data).map_err(|e| format!("is damaged: {e}"))?;
    data.truncate(info.buffer_size());

    let channels = info.color_type.samples();
    let wide = info.bit_depth == png::BitDepth::Sixteen;
    let samples: Vec<u16> = if wide {
        data.chunks_exact(2).map(|b| u16::from_be_bytes([b[0], b[1]])).collect()
    } else {
        data.iter().map(|&b| u16::from(b)).collect()
    };
    let top = if wide { u16::MAX } else { 255 };
    let texels = samples.chunks_exact(channels).map(|s| match *s {
        [grey] => [grey, grey, grey, top],
        [grey, alpha] => [grey, grey, grey, alpha],
        [red, green, blue] => [red, green, blue, top],
        [red, green, blue, alpha, ..] => [red, green, blue, alpha],
        [] => [0; 4],
    });
    let image = match (format, wide) {
        (TexelFormat::Rgba8 | TexelFormat::Srgb8, true) => {
            return Err("has 16 bits per component: use format = \"rgba32f\"".to_string());
        }
        (TexelFormat::Rgba8, false) => Image::rgba8_volume(dims, texels.map(|t| t.map(|v| v as u8)).collect()),
        (TexelFormat::Srgb8, false) => Image::srgb8_volume(dims, texels.map(|t| t.map(|v| v as u8)).collect()),
        (
            TexelFormat::Rgba32F
            | TexelFormat::Depth16
            | TexelFormat::Depth24
            | TexelFormat::Rgb565
            | TexelFormat::Rgb9E5
            | TexelFormat::Stored(_),
            _,
        ) => {
            let float = |v: u16| (f32::from(v) / f32::from(top)).to_bits();
            Image::rounded_volume(dims, format, texels.map(|t| t.map(float)).collect())
        }
    };
    image.map_err(|e| e.to_string())
}
