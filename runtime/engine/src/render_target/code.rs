//! What one component of a target holds: numbers to codes and back. Every code is exact, or rounded as a model's
//! [`TargetRule`] says.

use super::srgb;
use parallax_core::num::{StoreFloat, StoreUnorm, TargetRule};

/// How a component is stored.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Code {
    /// A float with so many bits of exponent and fraction; a sign, if it has one, comes first.
    Float { exponent: u32, fraction: u32, sign: bool },
    /// So many bits, all of them set for 1.
    Unorm(u32),
    /// Two's complement of so many bits: 2^(bits - 1) - 1 for 1.
    Snorm(u32),
    /// Bytes by the curve of sRGB.
    Srgb,
    /// A fraction of nine bits under the exponent of five bits that red, green and blue share; the exponent is in the upper bits.
    Shared,
    /// No bits: 1 when it is read.
    One,
}

/// Bits of the fractions of [`Code::Shared`].
const SHARED_BITS: i32 = 9;
/// Bias of its exponent.
const SHARED_BIAS: i32 = 15;
/// Its largest number: 511 / 512 * 2^16.
const SHARED_MOST: f64 = 65408.0;

impl Code {
    /// Binary32.
    pub(crate) const SINGLE: Code = Code::Float { exponent: 8, fraction: 23, sign: true };
    /// Binary16.
    pub(crate) const HALF: Code = Code::Float { exponent: 5, fraction: 10, sign: true };

    /// Bits of a word.
    pub(crate) const fn bits(self) -> u32 {
        match self {
            Code::Float { exponent, fraction, sign } => exponent + fraction + sign as u32,
            Code::Unorm(bits) | Code::Snorm(bits) => bits,
            Code::Srgb => 8,
            Code::Shared => 14,
            Code::One => 1,
        }
    }

    /// Whether numbers beyond 1 cannot be stored.
    pub(crate) const fn is_normalised(self) -> bool {
        matches!(self, Code::Unorm(_) | Code::Snorm(_) | Code::Srgb)
    }

    /// The code of a number. Of [`Code::Shared`], `largest` is the largest of red, green and blue.
    pub(crate) fn encode(self, value: f64, largest: f64, rule: &TargetRule) -> u64 {
        match self {
            Code::Float { exponent, fraction, sign } => float(value, exponent, fraction, sign, rule.float),
            Code::Unorm(bits) => unorm(value, bits, rule.unorm),
            Code::Snorm(bits) => {
                let value = if rule.unorm == StoreUnorm::HalfTowardZero { half_toward_zero(value) } else { value };
                let size = scaled(value.abs(), (1 << (bits - 1)) - 1);
                (if value < 0.0 { size.wrapping_neg() } else { size }) & ((1 << bits) - 1)
            }
            Code::Srgb => match rule.unorm {
                StoreUnorm::HalfTowardZero => srgb::encode(half_toward_zero(value)),
                _ => srgb::encode(value),
            },
            Code::Shared => shared(value, largest, rule.float != StoreFloat::Nearest),
            Code::One => 0,
        }
    }

    /// The number of a code; that of sRGB as a part of 255, as screens take it.
    pub(crate) fn decode(self, word: u64) -> f64 {
        match self {
            Code::Float { exponent, fraction, sign } => {
                let field = (word >> fraction & ((1 << exponent) - 1)) as i32;
                let rest = (word & ((1 << fraction) - 1)) as f64;
                let (bias, last) = ((1 << (exponent - 1)) - 1, (1 << exponent) - 1);
                let size = match field {
                    _ if field == last && rest != 0.0 => f64::NAN,
                    _ if field == last => f64::INFINITY,
                    0 => rest * power(1 - bias - fraction as i32),
                    _ => (rest + power(fraction as i32)) * power(field - bias - fraction as i32),
                };
                if sign && word >> (exponent + fraction) & 1 == 1 { -size } else { size }
            }
            Code::Unorm(bits) => word as f64 / ((1u64 << bits) - 1) as f64,
            Code::Snorm(bits) => {
                let signed = (word << (64 - bits)) as i64 >> (64 - bits);
                (signed as f64 / ((1u64 << (bits - 1)) - 1) as f64).max(-1.0)
            }
            Code::Srgb => word as f64 / 255.0,
            Code::Shared => (word & 511) as f64 * power((word >> SHARED_BITS) as i32 - SHARED_BIAS - SHARED_BITS),
            Code::One => 1.0,
        }
    }

    /// The distance of two codes in steps: those of the second where steps grow with the number. `None` where one of two different
    /// codes is infinite or no number.
    pub(crate) fn steps(self, word: u64, reference: u64) -> Option<f64> {
        let (value, other) = (self.decode(word), self.decode(reference));
        match self {
            Code::Unorm(_) | Code::Srgb | Code::One => Some(word as f64 - reference as f64),
            Code::Snorm(bits) => Some(((value - other) * ((1u64 << (bits - 1)) - 1) as f64).round()),
            _ if word == reference => Some(0.0),
            _ if !value.is_finite() || !other.is_finite() => None,
            Code::Shared => {
                Some((value - other) / power((reference >> SHARED_BITS) as i32 - SHARED_BIAS - SHARED_BITS))
            }
            Code::Float { exponent, fraction, .. } => {
                let field = (reference >> fraction & ((1 << exponent) - 1)).max(1) as i32;
                Some((value - other) / power(field - ((1 << (exponent - 1)) - 1) - fraction as i32))
            }
        }
    }
}

/// 2^n, for n from -1022 to 1023.
fn power(n: i32) -> f64 {
    f64::from_bits(((n + 1023) as u64) << 52)
}

/// `value` clamped to \[0, 1\], times `most`, rounded to nearest even, exactly; NaN gives 0.
pub(super) fn scaled(value: f64, most: u64) -> u64 {
    if value >= 1.0 {
        return most;
    }
    // Not above zero, or NaN.
    if !matches!(value.partial_cmp(&0.0), Some(std::cmp::Ordering::Greater)) {
        return 0;
    }
    // value = significand * 2^-shift
    let (significand, shift) = fraction_of(value);
    let product = u128::from(significand) * u128::from(most);
    if shift > 126 {
        return 0;
    }
    let (whole, rest, half) = (product >> shift, product & ((1 << shift) - 1), 1 << (shift - 1));
    whole as u64 + u64::from(rest > half || rest == half && whole & 1 == 1)
}

/// Significand and shift of a number between 0 and 1.
fn fraction_of(value: f64) -> (u64, u32) {
    let bits = value.to_bits();
    let field = bits >> 52 & 0x7ff;
    let significand = bits & ((1 << 52) - 1) | if field == 0 { 0 } else { 1 << 52 };
    (significand, (1075 - field.max(1)) as u32)
}

fn unorm(value: f64, bits: u32, how: StoreUnorm) -> u64 {
    let most = (1u64 << bits) - 1;
    let value = if value > 0.0 { value.min(1.0) } else { 0.0 };
    match how {
        StoreUnorm::Nearest => scaled(value, most),
        // Both factors are numbers of binary32.
        StoreUnorm::Binary32 if bits < 24 => f64::from(value as f32 * most as f32).round_ties_even() as u64,
        StoreUnorm::HalfTowardZero => scaled(half_toward_zero(value), most),
        StoreUnorm::Cut12 => {
            // Both products are exact: the number has 24 bits at most, what is kept of it thirteen.
            let kept = (value * 4096.0).floor() / 4096.0;
            (kept * most as f64 + 0.5) as u64
        }
        StoreUnorm::Floor256 => ((value * power(bits as i32)) as u64).min(most),
        StoreUnorm::Gallivm if bits < 24 => {
            let scale = most as f32 / (most + 1) as f32;
            (f64::from(value as f32 * scale) * power(bits as i32)).round_ties_even() as u64
        }
        StoreUnorm::CutNarrow if bits < 8 => {
            let (significand, shift) = fraction_of(value);
            if shift > 126 { 0 } else { ((u128::from(significand) * u128::from(most)) >> shift) as u64 }
        }
        StoreUnorm::Binary32 | StoreUnorm::Gallivm | StoreUnorm::CutNarrow => scaled(value, most),
    }
}

/// The half next to a number toward zero, as a number.
fn half_toward_zero(value: f64) -> f64 {
    Code::HALF.decode(float(value, 5, 10, true, StoreFloat::TowardZero))
}

/// A number as a float of few bits. One without a sign has 0 for what lies below; a NaN is quiet and has no other bits.
fn float(value: f64, exponent: u32, fraction: u32, sign: bool, how: StoreFloat) -> u64 {
    if how == StoreFloat::HalfThenCut && fraction < 10 {
        let half = Code::HALF.decode(float(value, 5, 10, true, StoreFloat::Nearest));
        return float(half, exponent, fraction, sign, StoreFloat::TowardZero);
    }
    let last = (1u64 << exponent) - 1;
    let negative = value.is_sign_negative();
    let signed = |word: u64| if sign && negative { word | 1 << (exponent + fraction) } else { word };
    if value.is_nan() {
        return signed(last << fraction | 1 << (fraction - 1));
    }
    if !sign && negative {
        return 0;
    }
    let size = value.abs();
    if size.is_infinite() {
        return signed(last << fraction);
    }
    // In steps of the number's binade, or of denormal numbers, which is exact.
    let bias = (1i32 << (exponent - 1)) - 1;
    let binade = ((size.to_bits() >> 52) as i32 - 1023).max(1 - bias);
    let steps = size * power(fraction as i32 - binade.clamp(-900, 1000));
    let toward_zero = how == StoreFloat::TowardZero;
    let whole = if toward_zero { steps as u64 } else { steps.round_ties_even() as u64 };
    // A carry goes into the exponent.
    let field = (binade + bias - 1) as u64;
    let word = (field << fraction) + whole;
    let infinity = last << fraction;
    match word >= infinity {
        true if toward_zero => signed(infinity - 1),
        true => signed(infinity),
        false => signed(word),
    }
}

/// EXT_texture_shared_exponent: the exponent of the largest component, the fraction half up, or cut.
fn shared(value: f64, largest: f64, cut: bool) -> u64 {
    let clamp = |v: f64| if v > 0.0 { v.min(SHARED_MOST) } else { 0.0 };
    let (value, largest) = (clamp(value), clamp(largest));
    let rounded = |v: f64| if cut { v as u64 } else { (v + 0.5) as u64 };
    let binade = ((largest.to_bits() >> 52) as i32 - 1023).max(-SHARED_BIAS - 1);
    let mut field = binade + 1 + SHARED_BIAS;
    let step = |field: i32| power(SHARED_BITS + SHARED_BIAS - field);
    if rounded(largest * step(field)) == 1 << SHARED_BITS {
        field += 1;
    }
    rounded(value * step(field)) | (field as u64) << SHARED_BITS
}

#[cfg(test)]
mod tests;
