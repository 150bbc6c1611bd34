//! OpenEXR: the first layer of flat pixels, channels of halves and binary32 numbers.

use super::{Capture, MOST, Unit, coloured};
use exr::prelude::{FlatSamples, ReadChannels, ReadLayers};
use std::io::Cursor;

/// Red, green and blue, with alpha where there is one; or a grey channel, `Y`.
pub(super) fn read(bytes: &[u8]) -> Result<Capture, String> {
    let layers = exr::prelude::read().no_deep_data().largest_resolution_level().all_channels();
    let image = layers.first_valid_layer().all_attributes().from_buffered(Cursor::new(bytes));
    let layer = image.map_err(|e| format!("is no OpenEXR that can be read: {e}"))?.layer_data;
    let (width, height) = (layer.size.x(), layer.size.y());
    if width.saturating_mul(height) > MOST {
        return Err(format!("has {width}x{height} pixels: at most {MOST} are read"));
    }
    let channel = |name: &str| layer.channel_data.list.iter().find(|channel| channel.name.eq(name));
    let colours = ["R", "G", "B"].map(channel);
    let chosen: Vec<_> = match (colours, channel("Y"), channel("A")) {
        ([Some(r), Some(g), Some(b)], _, alpha) => [r, g, b].into_iter().chain(alpha).collect(),
        (_, Some(grey), alpha) => [grey].into_iter().chain(alpha).collect(),
        _ => return Err("has no channels R, G and B, and no Y".into()),
    };
    let mut planes = Vec::new();
    for channel in &chosen {
        if channel.sampling.x() != 1 || channel.sampling.y() != 1 {
            return Err(format!("channel {} has not every pixel", channel.name));
        }
        planes.push(match &channel.sample_data {
            FlatSamples::F16(values) => values.iter().map(|v| v.to_f64()).collect::<Vec<f64>>(),
            FlatSamples::F32(values) => values.iter().map(|v| f64::from(*v)).collect(),
            FlatSamples::U32(_) => return Err(format!("channel {} holds integers", channel.name)),
        });
    }
    let samples = (0..width * height).flat_map(|at| planes.iter().map(move |plane| plane[at])).collect();
    let (components, values) = coloured(planes.len(), samples);
    Ok(Capture { width: width as u32, height: height as u32, unit: Unit::Floats, components, values })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An attribute of a header, as the format's description has it.
    fn attribute(name: &str, kind: &str, value: &[u8]) -> Vec<u8> {
        [name.as_bytes(), b"\0", kind.as_bytes(), b"\0", &(value.len() as u32).to_le_bytes()[..], value].concat()
    }

    /// A file without compression: a row after the other, in each the channels by name. `kind` is 0 for integers, 1 for halves, 2 for
    /// binary32.
    fn file(width: u32, channels: &[(&str, u32)], rows: &[Vec<u8>]) -> Vec<u8> {
        let mut list = Vec::new();
        for (name, kind) in channels {
            list.extend([name.as_bytes(), b"\0", &kind.to_le_bytes()[..], &[0; 4], &[1, 0, 0, 0, 1, 0, 0, 0]].concat());
        }
        list.push(0);
        let window = [0, 0, width - 1, rows.len() as u32 - 1].map(u32::to_le_bytes).concat();
        let mut out = [0x76, 0x2f, 0x31, 0x01, 2, 0, 0, 0].to_vec();
        for (name, kind, value) in [
            ("channels", "chlist", &list[..]),
            ("compression", "compression", &[0]),
            ("dataWindow", "box2i", &window),
            ("displayWindow", "box2i", &window),
            ("lineOrder", "lineOrder", &[0]),
            ("pixelAspectRatio", "float", &1f32.to_le_bytes()),
            ("screenWindowCenter", "v2f", &[0; 8]),
            ("screenWindowWidth", "float", &1f32.to_le_bytes()),
        ] {
            out.extend(attribute(name, kind, value));
        }
        out.push(0);
        let mut at = out.len() as u64 + 8 * rows.len() as u64;
        for row in rows {
            out.extend(at.to_le_bytes());
            at += 8 + row.len() as u64;
        }
        for (y, row) in (0u32..).zip(rows) {
            out.extend([&y.to_le_bytes()[..], &(row.len() as u32).to_le_bytes(), row].concat());
        }
        out
    }

    #[test]
    fn halves_and_floats_are_exact() {
        let halves = |words: [u16; 2]| words.map(u16::to_le_bytes).concat();
        let floats = |values: [f32; 2]| values.map(f32::to_le_bytes).concat();
        // Blue 1 and the smallest denormal, green -2 and infinity, red 0.1 and a NaN.
        let first = [halves([0x3c00, 1]), halves([0xc000, 0x7c00]), floats([0.1, f32::NAN])].concat();
        let second = [halves([0, 0x3800]), halves([0, 0]), floats([3.5, -0.0])].concat();
        let channels = [("B", 1), ("G", 1), ("R", 2)];
        let found = Capture::parse(&file(2, &channels, &[first, second])).expect("a picture");
        assert_eq!((found.width, found.height, found.unit, found.components), (2, 2, Unit::Floats, 3));
        assert_eq!(found.pixel((0, 0)), [f64::from(0.1f32), -2.0, 1.0]);
        assert!(found.pixel((1, 0))[0].is_nan());
        assert_eq!(found.pixel((1, 0))[1..], [f64::INFINITY, 2f64.powi(-24)]);
        assert_eq!(found.pixel((0, 1)), [3.5, 0.0, 0.0]);
        assert_eq!(found.pixel((1, 1)), [0.0, 0.0, 0.5]);
        // Grey, with alpha, which comes last.
        let grey = [floats([0.25, 0.5]), floats([7.0, 8.0])].concat();
        let found = Capture::parse(&file(2, &[("A", 2), ("Y", 2)], &[grey])).expect("a picture");
        assert_eq!((found.components, found.pixel((1, 0))), (4, &[8.0, 8.0, 8.0, 0.5][..]));
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        let row = vec![0; 8];
        for (bytes, said) in [
            (file(2, &[("Y", 0)], std::slice::from_ref(&row)), "channel Y holds integers"),
            (file(2, &[("Z", 2)], std::slice::from_ref(&row)), "has no channels R, G and B, and no Y"),
            (file(2, &[("Y", 2)], &[vec![0; 3]]), "is no OpenEXR that can be read"),
            (vec![0x76, 0x2f, 0x31, 0x01], "is no OpenEXR that can be read"),
        ] {
            let found = Capture::parse(&bytes);
            assert!(found.as_ref().is_err_and(|message| message.contains(said)), "{said}: {found:?}");
        }
    }
}
