//! What lies in a buffer: data types with their layout, and image formats.

use super::floats::{half, half_below, half_bits, unsigned, unsigned_bits};
use parallax_core::exec::ImageFormat;
use std::borrow::Cow;

/// What the bits of a component mean.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// A signed integer.
    Int(u32),
    /// An unsigned integer.
    Uint(u32),
    /// A float.
    Float(u32),
    /// A float without sign, of 10 or 11 bits.
    Ufloat(u32),
    /// A number from 0 to 1.
    Unorm(u32),
    /// A number from -1 to 1.
    Snorm(u32),
    /// A number from 0 to 1, but for alpha on the sRGB curve.
    Srgb(u32),
}

/// What a component of a texel stands for. Numbers of data types are red.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Component {
    /// Red, or a number.
    Red,
    /// Green.
    Green,
    /// Blue.
    Blue,
    /// Opacity.
    Alpha,
    /// Depth.
    Depth,
    /// Stencil.
    Stencil,
    /// Nothing.
    Unused,
}

/// A component of an element.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Bits from the lowest of the element.
    pub offset: usize,
    /// What it stands for.
    pub component: Component,
    /// What its bits mean.
    pub scalar: Scalar,
}

/// An element of a buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Format {
    /// Its components.
    pub segments: Vec<Segment>,
    /// Bytes from an element to the next.
    pub size: usize,
    /// Whether scripts write an element as one number.
    pub is_packed: bool,
}

impl Scalar {
    /// Its bits.
    pub fn bits(self) -> u32 {
        match self {
            Scalar::Int(bits)
            | Scalar::Uint(bits)
            | Scalar::Float(bits)
            | Scalar::Ufloat(bits)
            | Scalar::Unorm(bits)
            | Scalar::Snorm(bits)
            | Scalar::Srgb(bits) => bits,
        }
    }

    fn named(name: &str) -> Option<Scalar> {
        let float = match name {
            "float" => Some(32),
            "double" => Some(64),
            "float16" => Some(16),
            _ => None,
        };
        if let Some(bits) = float {
            return Some(Scalar::Float(bits));
        }
        let integer = |bits: &str| bits.parse().ok().filter(|bits| matches!(bits, 8 | 16 | 32 | 64));
        match name.strip_prefix("uint") {
            Some(bits) => Some(Scalar::Uint(integer(bits)?)),
            None => Some(Scalar::Int(integer(name.strip_prefix("int")?)?)),
        }
    }

    /// The bits of a number as a script writes it. Numbers of normalised components are given as the integers they are.
    pub fn encode(self, text: &str) -> Option<u64> {
        let mask = if self.bits() == 64 { u64::MAX } else { (1 << self.bits()) - 1 };
        let hex = text.strip_prefix("0x").map(|digits| u64::from_str_radix(digits, 16).ok());
        match self {
            Scalar::Float(bits) => {
                let value = match hex {
                    Some(hex) => hex? as f64,
                    None => text.parse::<f64>().ok()?,
                };
                // Amber makes a binary32 number of it first and cuts what a half has no room for, and the tests expect what
                // follows from that.
                let is_half = bits == 16;
                Some(if is_half { u64::from(half_below(f64::from(value as f32))) } else { float_bits(bits, value) })
            }
            _ => {
                let value = match hex {
                    Some(hex) => hex?,
                    None => match text.parse::<i128>() {
                        Ok(value) => value as u64,
                        Err(_) => text.parse::<f64>().ok()? as i64 as u64,
                    },
                };
                Some(value & mask)
            }
        }
    }

    /// The number that bits are; of normalised components, the integer.
    pub fn number(self, bits: u64) -> f64 {
        match self {
            Scalar::Float(16) => half(bits as u16),
            Scalar::Float(32) => f64::from(f32::from_bits(bits as u32)),
            Scalar::Float(_) => f64::from_bits(bits),
            Scalar::Ufloat(width) => unsigned(bits as u32, width),
            Scalar::Int(width) | Scalar::Snorm(width) => {
                let unused = 64 - width;
                ((bits << unused) as i64 >> unused) as f64
            }
            _ => bits as f64,
        }
    }

    /// The same as a shader would see it.
    pub fn normalised(self, component: Component, bits: u64) -> f64 {
        let number = self.number(bits);
        let most = |bits: u32| ((1u64 << bits) - 1) as f64;
        match self {
            Scalar::Unorm(bits) => number / most(bits),
            Scalar::Snorm(bits) => (number / most(bits - 1)).max(-1.0),
            Scalar::Srgb(bits) => {
                let value = number / most(bits);
                match component {
                    Component::Alpha => value,
                    _ if value <= 0.04045 => value / 12.92,
                    _ => ((value + 0.055) / 1.055).powf(2.4),
                }
            }
            _ => number,
        }
    }

    /// The bits that a colour of a shader or of a clear is stored as.
    pub fn stored(self, component: Component, value: f64) -> u64 {
        let most = |bits: u32| ((1u64 << bits) - 1) as f64;
        let clean = if value.is_nan() { 0.0 } else { value };
        let mask = |bits: u32| if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
        match self {
            Scalar::Unorm(bits) => (clean.clamp(0.0, 1.0) * most(bits)).round_ties_even() as u64,
            Scalar::Snorm(bits) => {
                (clean.clamp(-1.0, 1.0) * most(bits - 1)).round_ties_even() as i64 as u64 & mask(bits)
            }
            Scalar::Srgb(bits) => {
                let value = clean.clamp(0.0, 1.0);
                let curved = match component {
                    Component::Alpha => value,
                    _ if value <= 0.003_130_8 => value * 12.92,
                    _ => 1.055 * value.powf(1.0 / 2.4) - 0.055,
                };
                (curved * most(bits)).round_ties_even() as u64
            }
            Scalar::Float(bits) => float_bits(bits, value),
            Scalar::Ufloat(bits) => u64::from(unsigned_bits(value, bits)),
            Scalar::Int(bits) => clean as i64 as u64 & mask(bits),
            Scalar::Uint(bits) => clean as u64 & mask(bits),
        }
    }
}

fn float_bits(bits: u32, value: f64) -> u64 {
    match bits {
        16 => u64::from(half_bits(value)),
        32 => u64::from((value as f32).to_bits()),
        _ => value.to_bits(),
    }
}

impl Format {
    /// The numbers that scripts write for an element.
    pub fn numbers(&self) -> Cow<'_, [Segment]> {
        let whole = Segment { offset: 0, component: Component::Red, scalar: Scalar::Uint(8 * self.size as u32) };
        if self.is_packed { Cow::Owned(vec![whole]) } else { Cow::Borrowed(&self.segments) }
    }

    /// The place of each component in a vector or a colour: of data types that of its order.
    pub fn places(&self) -> Vec<Option<usize>> {
        let is_plain = self.segments.iter().all(|segment| segment.component == Component::Red);
        let place = |(order, segment): (usize, &Segment)| match segment.component {
            _ if is_plain => Some(order),
            Component::Red | Component::Depth => Some(0),
            Component::Green => Some(1),
            Component::Blue => Some(2),
            Component::Alpha => Some(3),
            Component::Stencil | Component::Unused => None,
        };
        self.segments.iter().enumerate().map(place).collect()
    }

    /// The format of texels that lie as the elements do.
    pub fn image(&self) -> Option<ImageFormat> {
        let first = self.segments.first()?.scalar;
        let mut end = 0;
        for (n, (segment, place)) in self.segments.iter().zip(self.places()).enumerate() {
            if place != Some(n) || segment.offset != end {
                return None;
            }
            end += segment.scalar.bits() as usize;
        }
        let bits: Vec<u32> = self.segments.iter().map(|segment| segment.scalar.bits()).collect();
        let suffix = match first {
            Scalar::Int(_) => "i",
            Scalar::Uint(_) => "ui",
            Scalar::Float(_) => "f",
            Scalar::Unorm(_) => "",
            Scalar::Snorm(_) => "_snorm",
            Scalar::Ufloat(_) => return ImageFormat::from_name("r11f_g11f_b10f").filter(|_| bits == [11, 11, 10]),
            Scalar::Srgb(_) => return None,
        };
        let letters = "rgba".get(..bits.len())?;
        let is_even = end == 8 * self.size && bits.iter().all(|width| *width == bits[0]);
        match bits.as_slice() {
            [10, 10, 10, 2] => ImageFormat::from_name(&format!("rgb10_a2{suffix}")),
            _ if is_even => ImageFormat::from_name(&format!("{letters}{}{suffix}", bits[0])),
            _ => None,
        }
    }

    /// A data type such as `vec3<float>` or `int32[]`, or an image format such as `R8G8B8A8_UNORM`.
    pub fn named(name: &str, std140: bool) -> Option<Format> {
        let (element, is_array) = match name.strip_suffix("[]") {
            Some(element) => (element, true),
            None => (name, false),
        };
        let (shape, scalar) = match element.split_once('<') {
            Some((shape, rest)) => (shape, rest.strip_suffix('>')?),
            None => ("", element),
        };
        let side = |text: &str| text.parse::<usize>().ok().filter(|side| (1..=4).contains(side));
        let (columns, rows) = match (shape.strip_prefix("vec"), shape.strip_prefix("mat")) {
            (Some(rows), _) => (1, side(rows)?),
            (_, Some(sides)) => {
                let (columns, rows) = sides.split_once('x')?;
                (side(columns)?, side(rows)?)
            }
            _ if shape.is_empty() => (1, 1),
            _ => return None,
        };
        let Some(scalar) = Scalar::named(scalar) else {
            return if shape.is_empty() && !is_array { Format::of_image(name) } else { None };
        };
        let is_padded = std140 && (columns > 1 || is_array) || rows == 3;
        let bits = scalar.bits() as usize;
        let column = if is_padded { 4 } else { rows } * bits;
        let segments = (0..columns * rows).map(|n| Segment {
            offset: n / rows * column + n % rows * bits,
            component: Component::Red,
            scalar,
        });
        Some(Format { segments: segments.collect(), size: columns * column / 8, is_packed: false })
    }

    /// An image format, as Vulkan names it. Components of packed ones are named from the highest bit down.
    fn of_image(name: &str) -> Option<Format> {
        let (name, packed) = match name.rsplit_once("_PACK") {
            Some((name, bits)) => (name, Some(bits.parse::<usize>().ok()?)),
            None => (name, None),
        };
        let mut parts: Vec<(Component, Scalar)> = Vec::new();
        let mut pending = Vec::new();
        for part in name.split('_') {
            let mode: Option<fn(u32) -> Scalar> = match part {
                "UNORM" => Some(Scalar::Unorm),
                "SNORM" => Some(Scalar::Snorm),
                "UINT" => Some(Scalar::Uint),
                "SINT" => Some(Scalar::Int),
                "SFLOAT" => Some(Scalar::Float),
                "UFLOAT" => Some(Scalar::Ufloat),
                "SRGB" => Some(Scalar::Srgb),
                _ => None,
            };
            match mode {
                Some(mode) => parts.extend(pending.drain(..).map(|(component, bits)| (component, mode(bits)))),
                None => components(part, &mut pending)?,
            }
        }
        if !pending.is_empty() || parts.is_empty() {
            return None;
        }
        if packed.is_some() {
            parts.reverse();
        }
        let mut segments = Vec::new();
        let mut at = 0;
        for (component, scalar) in parts {
            // Three numbers with one exponent are not components.
            let is_known = match scalar {
                Scalar::Float(bits) => matches!(bits, 16 | 32 | 64),
                Scalar::Ufloat(bits) => matches!(bits, 10 | 11),
                _ => packed.is_some() || matches!(scalar.bits(), 8 | 16 | 32 | 64) || component == Component::Depth,
            };
            if !is_known {
                return None;
            }
            segments.push(Segment { offset: at, component, scalar });
            at += scalar.bits() as usize;
        }
        let is_whole = at % 8 == 0 && packed.is_none_or(|bits| bits == at);
        is_whole.then_some(Format { segments, size: at / 8, is_packed: packed.is_some() })
    }
}

/// The components of a part of a name, such as `R8G8B8A8`, with their bits.
fn components(part: &str, out: &mut Vec<(Component, u32)>) -> Option<()> {
    let letters = part.match_indices(|c: char| c.is_ascii_uppercase());
    let places: Vec<usize> = letters.map(|(at, _)| at).chain([part.len()]).collect();
    for pair in places.windows(2) {
        let component = match part.as_bytes()[pair[0]] {
            b'R' => Component::Red,
            b'G' => Component::Green,
            b'B' => Component::Blue,
            b'A' => Component::Alpha,
            b'D' => Component::Depth,
            b'S' => Component::Stencil,
            b'X' => Component::Unused,
            _ => return None,
        };
        let bits = part[pair[0] + 1..pair[1]].parse().ok().filter(|bits| (1..=64).contains(bits))?;
        out.push((component, bits));
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_lie_as_their_layout_says() {
        let size = |name, std140| Format::named(name, std140).unwrap().size;
        assert_eq!([size("int32", false), size("int32", true), size("int32[]", true)], [4, 4, 16]);
        assert_eq!([size("vec3<float>", false), size("vec2<float>[]", false), size("double", false)], [16, 8, 8]);
        assert_eq!(
            [size("mat2x3<float>", false), size("mat3x2<float>", false), size("mat3x2<float>", true)],
            [32, 24, 48]
        );
        let offsets: Vec<usize> =
            Format::named("mat2x3<float>", false).unwrap().segments.iter().map(|s| s.offset).collect();
        assert_eq!(offsets, [0, 32, 64, 128, 160, 192]);
        assert_eq!(Format::named("float3", false), None);
    }

    #[test]
    fn image_formats_have_their_components_in_order() {
        let format = Format::named("B8G8R8A8_UNORM", false).unwrap();
        assert_eq!((format.size, format.segments[0].component, format.segments[3].offset), (4, Component::Blue, 24));
        assert_eq!(format.segments[0].scalar, Scalar::Unorm(8));
        assert_eq!(format.places(), [Some(2), Some(1), Some(0), Some(3)]);
        assert_eq!(Format::named("vec2<float>", false).unwrap().places(), [Some(0), Some(1)]);
        let format = Format::named("D32_SFLOAT_S8_UINT", false).unwrap();
        assert_eq!((format.size, format.segments[1].scalar), (5, Scalar::Uint(8)));
        for name in ["E5B9G9R9_UFLOAT_PACK32", "BC1_RGB_UNORM_BLOCK", "R10G10_UNORM", "R5G6B5_UNORM_PACK32"] {
            assert_eq!(Format::named(name, false), None, "{name}");
        }
    }

    #[test]
    fn packed_formats_begin_at_their_last_component() {
        let format = |name| Format::named(name, false).unwrap();
        let offsets = |name| format(name).segments.iter().map(|s| (s.component, s.offset)).collect::<Vec<_>>();
        use Component::{Alpha, Blue, Depth, Green, Red, Stencil};
        assert_eq!(offsets("A2B10G10R10_UINT_PACK32"), [(Red, 0), (Green, 10), (Blue, 20), (Alpha, 30)]);
        assert_eq!(offsets("D24_UNORM_S8_UINT"), [(Depth, 0), (Stencil, 24)]);
        let ufloat = format("B10G11R11_UFLOAT_PACK32");
        assert_eq!((ufloat.size, ufloat.numbers().len(), ufloat.segments[2].scalar), (4, 1, Scalar::Ufloat(10)));
        let image = |name| format(name).image().map(|image| image.name());
        assert_eq!(image("B10G11R11_UFLOAT_PACK32"), Some("r11f_g11f_b10f"));
        assert_eq!(image("A2B10G10R10_UINT_PACK32"), Some("rgb10_a2ui"));
        assert_eq!(image("A8B8G8R8_SNORM_PACK32"), Some("rgba8_snorm"));
        for name in ["B8G8R8A8_UNORM", "R8G8B8_UNORM", "R8G8_SRGB", "A2R10G10B10_UNORM_PACK32"] {
            assert_eq!(image(name), None, "{name}");
        }
    }

    #[test]
    fn numbers_are_taken_as_their_type_says() {
        assert_eq!(Scalar::Int(32).encode("-1"), Some(0xffff_ffff));
        assert_eq!(Scalar::Uint(8).encode("0x1ff"), Some(0xff));
        assert_eq!(Scalar::Float(32).encode("1"), Some(0x3f80_0000));
        // Written with one digit less than the half has.
        assert_eq!(Scalar::Float(16).encode("-0.00400161743164062"), Some(0x9c19));
        assert_eq!(Scalar::Float(64).encode("nan").map(|bits| f64::from_bits(bits).is_nan()), Some(true));
        assert_eq!(Scalar::Int(8).number(0xff), -1.0);
        assert_eq!(Scalar::Unorm(8).stored(Component::Red, 0.5), 128);
        assert_eq!(Scalar::Snorm(8).stored(Component::Red, -2.0), 0x81);
    }
}
