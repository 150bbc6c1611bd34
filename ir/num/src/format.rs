//! Number formats and the containers their values travel in.

use std::fmt;

/// Which bit patterns with the largest exponent are special.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Specials {
    /// IEEE 754: infinities and NaN.
    InfNan,
    /// No infinities; the all-ones pattern is NaN, the rest of that binade are numbers.
    NanOnly,
    /// Neither: the largest exponent is a binade like any other.
    None,
}

/// A binary float: sign, `exp` exponent bits with bias 2^(exp-1)-1, `frac` stored fraction bits.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FloatFormat {
    /// Exponent bits, 2 to 11.
    pub exp: u8,
    /// Stored fraction bits, 1 to 52.
    pub frac: u8,
    /// Whether the smallest binade is filled with denormals; without it, exponent field 0 means zero only.
    pub denormals: bool,
    /// Meaning of the largest exponent.
    pub specials: Specials,
}

/// A two's complement fixed-point number of `int + frac` bits, the sign counted in `int`.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FixedFormat {
    /// Integer bits, sign included.
    pub int: u8,
    /// Fraction bits.
    pub frac: u8,
}

/// The set of values a rule rounds to.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// Binary floating point.
    Float(FloatFormat),
    /// Two's complement fixed point.
    Fixed(FixedFormat),
}

/// The container of a float value at run time. Its bits stand in the low bits of a `u64` lane word: binary16,
/// binary32, binary64 as their patterns; fixed point as the value times 2^frac, sign-extended to 32 bits.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Storage {
    /// IEEE binary16 pattern.
    F16,
    /// IEEE binary32 pattern.
    F32,
    /// IEEE binary64 pattern.
    F64,
    /// Fixed point, sign-extended to 32 bits.
    Fixed(FixedFormat),
}

impl FloatFormat {
    const fn ieee(exp: u8, frac: u8) -> Self {
        FloatFormat { exp, frac, denormals: true, specials: Specials::InfNan }
    }

    /// Exponent bias, 2^(exp-1)-1.
    pub const fn bias(self) -> i32 {
        (1 << (self.exp - 1)) - 1
    }

    /// Exponent of the smallest normal number.
    pub const fn min_exp(self) -> i32 {
        1 - self.bias()
    }

    /// Exponent of the largest finite number.
    pub const fn max_exp(self) -> i32 {
        match self.specials {
            Specials::InfNan => self.bias(),
            Specials::NanOnly | Specials::None => self.bias() + 1,
        }
    }

    /// Significand bits, the hidden one included.
    pub const fn precision(self) -> u32 {
        self.frac as u32 + 1
    }

    /// Whether every value of `self` is a value of `wider`.
    pub const fn fits(self, wider: FloatFormat) -> bool {
        let lowest = self.min_exp() - if self.denormals { self.frac as i32 } else { 0 };
        let wider_lowest = wider.min_exp() - if wider.denormals { wider.frac as i32 } else { 0 };
        self.frac <= wider.frac && self.max_exp() <= wider.max_exp() && lowest >= wider_lowest
    }
}

impl Format {
    /// IEEE binary16.
    pub const F16: Format = Format::Float(FloatFormat::ieee(5, 10));
    /// IEEE binary32.
    pub const F32: Format = Format::Float(FloatFormat::ieee(8, 23));
    /// IEEE binary64.
    pub const F64: Format = Format::Float(FloatFormat::ieee(11, 52));
    /// bfloat16: 1.8.7.
    pub const BF16: Format = Format::Float(FloatFormat::ieee(8, 7));
    /// TensorFloat-32: 1.8.10.
    pub const TF32: Format = Format::Float(FloatFormat::ieee(8, 10));
    /// The 24-bit float of R300-class fragment units: 1.7.16, no denormals.
    pub const FP24: Format =
        Format::Float(FloatFormat { exp: 7, frac: 16, denormals: false, specials: Specials::InfNan });
    /// s12: two's complement 2.10, -2 to 2047/1024.
    pub const FX12: Format = Format::Fixed(FixedFormat { int: 2, frac: 10 });
    /// s0.8: two's complement 1.8, -1 to 255/256.
    pub const FX9: Format = Format::Fixed(FixedFormat { int: 1, frac: 8 });

    /// The smallest container that holds every value of the format.
    pub const fn storage(self) -> Storage {
        match self {
            Format::Fixed(f) => Storage::Fixed(f),
            Format::Float(f) => {
                if f.fits(FloatFormat::ieee(5, 10)) {
                    Storage::F16
                } else if f.fits(FloatFormat::ieee(8, 23)) {
                    Storage::F32
                } else {
                    Storage::F64
                }
            }
        }
    }

    /// Whether every value of `self` is a value of `wider` (a fixed-point format fits itself only).
    pub const fn fits(self, wider: Format) -> bool {
        match (self, wider) {
            (Format::Float(a), Format::Float(b)) => a.fits(b),
            (Format::Fixed(a), Format::Fixed(b)) => a.int == b.int && a.frac == b.frac,
            _ => false,
        }
    }

    /// Reads what [`fmt::Display`] prints, and the slot names of the same formats (`fp32`, `half`, `fp16`, `fp64`, `s12`).
    /// Parametric floats must fit binary64; fixed point has 1 to 32 bits.
    pub fn from_name(name: &str) -> Option<Format> {
        let known = match name {
            "f16" | "fp16" | "half" => Format::F16,
            "f32" | "fp32" => Format::F32,
            "f64" | "fp64" => Format::F64,
            "bf16" => Format::BF16,
            "tf32" => Format::TF32,
            "fp24" => Format::FP24,
            "fx12" | "s12" => Format::FX12,
            "fx9" => Format::FX9,
            _ => return Format::parametric(name),
        };
        Some(known)
    }

    fn parametric(name: &str) -> Option<Format> {
        let (class, rest) = name.split_once('(')?;
        let mut words = rest.strip_suffix(')')?.split_ascii_whitespace();
        let mut sizes = words.next()?.split('.').map(|n| n.parse::<u8>().ok());
        let format = match class {
            "float" => {
                let (sign, exp, frac) = (sizes.next()??, sizes.next()??, sizes.next()??);
                if sign != 1 || !(2..=11).contains(&exp) || !(1..=52).contains(&frac) {
                    return None;
                }
                let mut format = FloatFormat::ieee(exp, frac);
                for word in words {
                    match word {
                        "no-denormals" => format.denormals = false,
                        "nan-only" => format.specials = Specials::NanOnly,
                        "no-specials" => format.specials = Specials::None,
                        _ => return None,
                    }
                }
                Format::Float(format)
            }
            "fixed" => {
                let (int, frac) = (sizes.next()??, sizes.next()??);
                if int == 0 || int > 32 || frac > 32 || int + frac > 32 || words.next().is_some() {
                    return None;
                }
                Format::Fixed(FixedFormat { int, frac })
            }
            _ => return None,
        };
        if sizes.next().is_some() {
            return None;
        }
        match format {
            Format::Float(f) if !f.fits(FloatFormat::ieee(11, 52)) => None,
            other => Some(other),
        }
    }

    /// Total bits of the format's own pattern (not of its container).
    pub const fn bits(self) -> u32 {
        match self {
            Format::Float(f) => 1 + f.exp as u32 + f.frac as u32,
            Format::Fixed(f) => f.int as u32 + f.frac as u32,
        }
    }
}

impl Storage {
    /// The container's own format.
    pub const fn format(self) -> Format {
        match self {
            Storage::F16 => Format::F16,
            Storage::F32 => Format::F32,
            Storage::F64 => Format::F64,
            Storage::Fixed(f) => Format::Fixed(f),
        }
    }

    /// Bits of a lane word that carry the value: 16, 32 or 64 (fixed point uses 32).
    pub const fn bits(self) -> u32 {
        match self {
            Storage::F16 => 16,
            Storage::F32 | Storage::Fixed(_) => 32,
            Storage::F64 => 64,
        }
    }

    /// The sign bit of a float container; 0 for fixed point, whose negation is arithmetic.
    pub const fn sign_bit(self) -> u64 {
        match self {
            Storage::F16 => 1 << 15,
            Storage::F32 => 1 << 31,
            Storage::F64 => 1 << 63,
            Storage::Fixed(_) => 0,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Format::F16 => f.write_str("f16"),
            Format::F32 => f.write_str("f32"),
            Format::F64 => f.write_str("f64"),
            Format::BF16 => f.write_str("bf16"),
            Format::TF32 => f.write_str("tf32"),
            Format::FP24 => f.write_str("fp24"),
            Format::FX12 => f.write_str("fx12"),
            Format::FX9 => f.write_str("fx9"),
            Format::Float(x) => {
                write!(f, "float(1.{}.{}", x.exp, x.frac)?;
                if !x.denormals {
                    f.write_str(" no-denormals")?;
                }
                match x.specials {
                    Specials::InfNan => f.write_str(")"),
                    Specials::NanOnly => f.write_str(" nan-only)"),
                    Specials::None => f.write_str(" no-specials)"),
                }
            }
            Format::Fixed(x) => write!(f, "fixed({}.{})", x.int, x.frac),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_print_and_parse() {
        for text in ["f16", "bf16", "fp24", "fx12", "float(1.6.9)", "float(1.4.3 no-denormals nan-only)", "fixed(4.12)"]
        {
            assert_eq!(Format::from_name(text).map(|f| f.to_string()).as_deref(), Some(text));
        }
        assert_eq!(Format::from_name("s12"), Some(Format::FX12));
        for text in
            ["f8", "float(1.12.3)", "float(2.8.7)", "float(1.8.7.1)", "float(1.11.52 no-specials)", "fixed(0.8)"]
        {
            assert_eq!(Format::from_name(text), None, "{text}");
        }
    }

    #[test]
    fn each_format_gets_the_smallest_container() {
        assert_eq!(Format::FP24.storage(), Storage::F32);
        assert_eq!(Format::BF16.storage(), Storage::F32);
        assert_eq!(Format::F16.storage(), Storage::F16);
        assert_eq!(Format::F64.storage(), Storage::F64);
        assert_eq!(Format::FX12.storage(), Storage::Fixed(FixedFormat { int: 2, frac: 10 }));
        // A float with a wider exponent than binary32 needs binary64.
        let odd = Format::Float(FloatFormat { exp: 9, frac: 10, denormals: true, specials: Specials::InfNan });
        assert_eq!(odd.storage(), Storage::F64);
    }
}
