//! What lies in a buffer: data types with their layout, and image formats.

use parallax_core::exec::ImageFormat;

/// What the bits of a component mean.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// A signed integer.
    Int(u32),
    /// An unsigned integer.
    Uint(u32),
    /// A float.
    Float(u32),
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
    /// Bytes from the beginning of the element.
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
}

impl Scalar {
    /// Its bits.
    pub fn bits(self) -> u32 {
        match self {
            Scalar::Int(bits)
            | Scalar::Uint(bits)
            | Scalar::Float(bits)
            | Scalar::Unorm(bits)
            | Scalar::Snorm(bits)
            | Scalar::Srgb(bits) => bits,
        }
    }

    fn bytes(self) -> usize {
        self.bits() as usize / 8
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
                // Amber cuts what halves have no room for, and the tests expect what follows from that.
                Some(if bits == 16 { u64::from(half_below(value)) } else { float_bits(bits, value) })
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

/// A binary16 number.
fn half(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 0x3ff));
    let size = match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
    };
    if bits >> 15 == 1 { -size } else { size }
}

/// The binary16 number nearest to another.
fn half_bits(value: f64) -> u16 {
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    let size = value.abs();
    if value.is_nan() {
        return sign | 0x7e00;
    }
    let exponent = if size == 0.0 { -14 } else { (size.log2().floor() as i32).max(-14) };
    // In steps of the last place; what rounds up to the next power of two carries into the exponent.
    let steps = (size / 2f64.powi(exponent - 10)).round_ties_even();
    if exponent > 15 || exponent == 15 && steps >= 2048.0 {
        return sign | 0x7c00;
    }
    sign | (((exponent + 14) as u16) << 10).wrapping_add(steps as u16)
}

/// The binary16 number next to another on the side of zero.
fn half_below(value: f64) -> u16 {
    let nearest = half_bits(value);
    if half(nearest).abs() > value.abs() { nearest - 1 } else { nearest }
}

impl Format {
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
        let in_order = self.places().iter().enumerate().all(|(n, place)| *place == Some(n));
        let is_tight = self.size == self.segments.len() * first.bytes();
        if !in_order || !is_tight || self.segments.iter().any(|segment| segment.scalar != first) {
            return None;
        }
        let suffix = match first {
            Scalar::Int(_) => "i",
            Scalar::Uint(_) => "ui",
            Scalar::Float(_) => "f",
            Scalar::Unorm(_) => "",
            Scalar::Snorm(_) => "_snorm",
            Scalar::Srgb(_) => return None,
        };
        let letters = "rgba".get(..self.segments.len())?;
        ImageFormat::from_name(&format!("{letters}{}{suffix}", first.bits()))
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
        let column = if is_padded { 4 } else { rows } * scalar.bytes();
        let segments = (0..columns * rows).map(|n| Segment {
            offset: n / rows * column + n % rows * scalar.bytes(),
            component: Component::Red,
            scalar,
        });
        Some(Format { segments: segments.collect(), size: columns * column })
    }

    /// An image format whose components are bytes or larger.
    fn of_image(name: &str) -> Option<Format> {
        let mut segments = Vec::new();
        let mut pending = Vec::new();
        let mut at = 0;
        for part in name.split('_') {
            let mode: Option<fn(u32) -> Scalar> = match part {
                "UNORM" => Some(Scalar::Unorm),
                "SNORM" => Some(Scalar::Snorm),
                "UINT" => Some(Scalar::Uint),
                "SINT" => Some(Scalar::Int),
                "SFLOAT" => Some(Scalar::Float),
                "SRGB" => Some(Scalar::Srgb),
                _ => None,
            };
            match mode {
                Some(mode) => {
                    for (component, bits) in pending.drain(..) {
                        segments.push(Segment { offset: at, component, scalar: mode(bits) });
                        at += bits as usize / 8;
                    }
                }
                None => {
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
                        let bits: u32 = part[pair[0] + 1..pair[1]].parse().ok()?;
                        if !matches!(bits, 8 | 16 | 32 | 64) {
                            return None;
                        }
                        pending.push((component, bits));
                    }
                }
            }
        }
        (pending.is_empty() && !segments.is_empty()).then_some(Format { segments, size: at })
    }
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
        assert_eq!(offsets, [0, 4, 8, 16, 20, 24]);
        assert_eq!(Format::named("float3", false), None);
    }

    #[test]
    fn image_formats_have_their_components_in_order() {
        let format = Format::named("B8G8R8A8_UNORM", false).unwrap();
        assert_eq!((format.size, format.segments[0].component, format.segments[3].offset), (4, Component::Blue, 3));
        assert_eq!(format.segments[0].scalar, Scalar::Unorm(8));
        assert_eq!(format.places(), [Some(2), Some(1), Some(0), Some(3)]);
        assert_eq!(Format::named("vec2<float>", false).unwrap().places(), [Some(0), Some(1)]);
        let format = Format::named("D32_SFLOAT_S8_UINT", false).unwrap();
        assert_eq!((format.size, format.segments[1].scalar), (5, Scalar::Uint(8)));
        assert_eq!(Format::named("B10G11R11_UFLOAT_PACK32", false), None);
    }

    #[test]
    fn every_half_is_read_and_written() {
        for bits in (0..=0xffffu16).filter(|bits| !half(*bits).is_nan()) {
            assert_eq!(half_bits(half(bits)), bits);
        }
        assert_eq!([half_bits(65519.0), half_bits(65520.0), half_bits(f64::NAN)], [0x7bff, 0x7c00, 0x7e00]);
        assert_eq!(
            [half_below(1.9999), half_below(-1.9999), half_below(2.0), half_below(1e9)],
            [0x3fff, 0xbfff, 0x4000, 0x7bff]
        );
        assert_eq!([half_bits(2f64.powi(-25)), half_bits(3.0 * 2f64.powi(-25))], [0, 2]);
    }

    #[test]
    fn numbers_are_taken_as_their_type_says() {
        assert_eq!(Scalar::Int(32).encode("-1"), Some(0xffff_ffff));
        assert_eq!(Scalar::Uint(8).encode("0x1ff"), Some(0xff));
        assert_eq!(Scalar::Float(32).encode("1"), Some(0x3f80_0000));
        assert_eq!(Scalar::Float(64).encode("nan").map(|bits| f64::from_bits(bits).is_nan()), Some(true));
        assert_eq!(Scalar::Int(8).number(0xff), -1.0);
        assert_eq!(Scalar::Unorm(8).stored(Component::Red, 0.5), 128);
        assert_eq!(Scalar::Snorm(8).stored(Component::Red, -2.0), 0x81);
    }
}
