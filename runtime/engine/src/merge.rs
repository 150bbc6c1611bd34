//! Between a shader's colours and the render target: alpha test and blending.
//!
//! A fragment whose alpha fails the test is discarded. Blending is `source * s + destination * d` of red, green and blue, and of alpha,
//! or another [`Equation`]; the factors are those of OpenGL 1.4 and of Direct3D 9 to 11 with one source. The source is clamped to what a
//! normalised target can hold, the destination is what the target holds, as a number (that of sRGB is linear). A model says
//! which numbers are computed with ([`BlendArithmetic`]); by default each product and the sum are rounded to binary32.

use crate::band::Band;
use crate::render_target::{Code, Store};
use parallax_core::exec::Plane;
use parallax_core::num::{AlphaTested, BlendArithmetic, TargetRule, ulp};
use parallax_texture::{Compare, srgb_number};

/// What a colour is multiplied by.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Factor {
    /// 0.
    Zero,
    /// 1.
    One,
    /// The component of the shader's colour.
    SrcColor,
    /// 1 minus that.
    OneMinusSrcColor,
    /// The component of the target's colour.
    DstColor,
    /// 1 minus that.
    OneMinusDstColor,
    /// The shader's alpha.
    SrcAlpha,
    /// 1 minus that.
    OneMinusSrcAlpha,
    /// The target's alpha.
    DstAlpha,
    /// 1 minus that.
    OneMinusDstAlpha,
    /// The component of the constant.
    ConstantColor,
    /// 1 minus that.
    OneMinusConstantColor,
    /// The alpha of the constant.
    ConstantAlpha,
    /// 1 minus that.
    OneMinusConstantAlpha,
    /// The smaller of the shader's alpha and 1 minus the target's; 1 for alpha.
    SrcAlphaSaturate,
}

impl Factor {
    /// The factors by name.
    pub const NAMES: [(&str, Factor); 15] = [
        ("zero", Factor::Zero),
        ("one", Factor::One),
        ("src_color", Factor::SrcColor),
        ("one_minus_src_color", Factor::OneMinusSrcColor),
        ("dst_color", Factor::DstColor),
        ("one_minus_dst_color", Factor::OneMinusDstColor),
        ("src_alpha", Factor::SrcAlpha),
        ("one_minus_src_alpha", Factor::OneMinusSrcAlpha),
        ("dst_alpha", Factor::DstAlpha),
        ("one_minus_dst_alpha", Factor::OneMinusDstAlpha),
        ("constant_color", Factor::ConstantColor),
        ("one_minus_constant_color", Factor::OneMinusConstantColor),
        ("constant_alpha", Factor::ConstantAlpha),
        ("one_minus_constant_alpha", Factor::OneMinusConstantAlpha),
        ("src_alpha_saturate", Factor::SrcAlphaSaturate),
    ];
}

/// How the two products become one.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Equation {
    /// Their sum.
    Add,
    /// The source's minus the destination's.
    Subtract,
    /// The destination's minus the source's.
    ReverseSubtract,
    /// The smaller of source and destination, without factors.
    Min,
    /// The larger of them.
    Max,
}

impl Equation {
    /// The equations by name.
    pub const NAMES: [(&str, Equation); 5] = [
        ("add", Equation::Add),
        ("subtract", Equation::Subtract),
        ("reverse_subtract", Equation::ReverseSubtract),
        ("min", Equation::Min),
        ("max", Equation::Max),
    ];
}

/// How components are blended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct BlendTerm {
    /// What the shader's colour is multiplied by.
    pub source: Factor,
    /// What the target's is.
    pub destination: Factor,
    /// What becomes of the two.
    pub equation: Equation,
}

/// Blending of every colour output.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Blend {
    /// Red, green and blue.
    pub color: BlendTerm,
    /// Alpha.
    pub alpha: BlendTerm,
    /// The constant of the factors.
    pub constant: [f32; 4],
    /// What the target holds before the draw.
    pub background: [f32; 4],
}

/// A test of the alpha of colour output 0 against a reference value: a fragment that fails is discarded.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct AlphaTest {
    /// What has to hold for the alpha against the reference value.
    pub compare: Compare,
    /// The reference value, from 0 to 1.
    pub reference: f32,
}

/// What happens to colours on their way to the target.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Merge {
    /// Whether and how they are blended with what it holds.
    pub blend: Option<Blend>,
    /// Which of them get there.
    pub alpha_test: Option<AlphaTest>,
}

/// A component of a colour on its way.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Part<'a> {
    /// The shader's output plane.
    pub(crate) plane: usize,
    /// Its number among those that a band stores.
    pub(crate) stored: usize,
    /// How it is stored.
    pub(crate) store: &'a Store,
}

/// The components of a colour output, as far as the shader writes them.
pub(crate) type Parts<'a> = [Option<Part<'a>>; 4];

/// Blends the colours of a draw.
#[derive(Debug)]
pub(crate) struct Merger<'a> {
    pub(crate) blend: Blend,
    pub(crate) rule: TargetRule,
    /// Of each colour output.
    pub(crate) outputs: Vec<Parts<'a>>,
}

impl Merger<'_> {
    /// Blends the results of lanes into the samples that the band stores, before the samples count as covered: those that do not yet
    /// hold the background. `places` are lanes and samples, in order.
    pub(crate) fn write<'p>(
        &self,
        band: &mut Band<'_>,
        result: impl Fn(usize) -> &'p Plane,
        places: impl Iterator<Item = (usize, usize)>,
    ) {
        for (lane, sample) in places {
            for parts in &self.outputs {
                let mut color = [0.0, 0.0, 0.0, 1.0];
                let mut held = [0; 4];
                for (comp, part) in parts.iter().enumerate() {
                    let Some(part) = part else { continue };
                    color[comp] = ulp::to_f64(result(part.plane).get(lane), part.store.container());
                    held[comp] = band.stored[part.stored].words.as_row().get(sample);
                }
                let words = self.blended(parts, color, band.covered[sample].then_some(held));
                for (part, word) in parts.iter().zip(words) {
                    if let Some(part) = part {
                        band.stored[part.stored].words.as_row_mut().set(sample, word);
                    }
                }
            }
        }
    }

    /// The words that a target holds after a colour, and before it: of every component, where the output has it. The colour is as the
    /// shader computed it.
    pub(crate) fn blended(&self, parts: &Parts<'_>, color: [f64; 4], held: Option<[u64; 4]>) -> [u64; 4] {
        let background = self.blend.background.map(f64::from);
        let held = held.unwrap_or_else(|| self.encoded(parts, background));
        let in_codes = self.rule.blend != BlendArithmetic::Binary32
            && parts.iter().flatten().all(|part| part.store.code() == Code::Unorm(8));
        if in_codes {
            let [source, constant] = [color, self.blend.constant.map(f64::from)].map(|c| self.encoded(parts, c));
            // A target without alpha has 1.
            let has_alpha = parts[3].is_some();
            let held = if has_alpha { held } else { [held[0], held[1], held[2], 255] };
            let source = if has_alpha { source } else { [source[0], source[1], source[2], byte(color[3])] };
            let constant = if has_alpha {
                constant
            } else {
                [constant[0], constant[1], constant[2], byte(f64::from(self.blend.constant[3]))]
            };
            return self.terms(source, held, constant, &Codes(self.rule.blend));
        }
        let numbers = |words: [u64; 4]| {
            std::array::from_fn(|comp| match &parts[comp] {
                Some(part) if part.store.code() == Code::Srgb => srgb_number(words[comp] as u8),
                Some(part) => part.store.code().decode(words[comp]) as f32,
                None if comp == 3 => 1.0,
                None => 0.0,
            })
        };
        let clamped = |numbers: [f64; 4]| -> [f32; 4] {
            std::array::from_fn(|comp| {
                let value = numbers[comp] as f32;
                match parts[comp].or(parts[0]).map(|part| part.store.code()) {
                    // NaN becomes 0, as where it is stored.
                    Some(Code::Snorm(_)) if value.is_nan() => 0.0,
                    Some(Code::Snorm(_)) => value.clamp(-1.0, 1.0),
                    Some(code) if code.is_normalised() => {
                        if value > 0.0 {
                            value.min(1.0)
                        } else {
                            0.0
                        }
                    }
                    _ => value,
                }
            })
        };
        let constant = clamped(self.blend.constant.map(f64::from));
        let result = self.terms(clamped(color), numbers(held), constant, &Singles(self.rule.blend));
        self.encoded(parts, result.map(f64::from))
    }

    /// The words of numbers; 0 for components that the output does not have.
    fn encoded(&self, parts: &Parts<'_>, numbers: [f64; 4]) -> [u64; 4] {
        let largest = numbers[..3].iter().copied().fold(0.0, f64::max);
        std::array::from_fn(|comp| parts[comp].map_or(0, |part| part.store.encode(numbers[comp], largest)))
    }

    fn terms<A: Arithmetic>(
        &self,
        source: [A::Number; 4],
        held: [A::Number; 4],
        constant: [A::Number; 4],
        a: &A,
    ) -> [A::Number; 4] {
        // A minimum has no factors.
        let is_equal = |term: &BlendTerm| {
            matches!(term.equation, Equation::Min | Equation::Max) || term.source == term.destination
        };
        let takes_out = a.takes_out_equal_factors() && is_equal(&self.blend.color) && is_equal(&self.blend.alpha);
        std::array::from_fn(|comp| {
            let term = if comp == 3 { &self.blend.alpha } else { &self.blend.color };
            let (s, d) = (source[comp], held[comp]);
            let factor = |factor: Factor| match factor {
                Factor::Zero => a.zero(),
                Factor::One => a.one(),
                Factor::SrcColor => s,
                Factor::OneMinusSrcColor => a.rest(s),
                Factor::DstColor => d,
                Factor::OneMinusDstColor => a.rest(d),
                Factor::SrcAlpha => source[3],
                Factor::OneMinusSrcAlpha => a.rest(source[3]),
                Factor::DstAlpha => held[3],
                Factor::OneMinusDstAlpha => a.rest(held[3]),
                Factor::ConstantColor => constant[comp],
                Factor::OneMinusConstantColor => a.rest(constant[comp]),
                Factor::ConstantAlpha => constant[3],
                Factor::OneMinusConstantAlpha => a.rest(constant[3]),
                Factor::SrcAlphaSaturate if comp == 3 => a.one(),
                Factor::SrcAlphaSaturate => a.least(source[3], a.rest(held[3])),
            };
            let products = || [a.product(s, factor(term.source)), a.product(d, factor(term.destination))];
            if takes_out {
                let equal = factor(term.source);
                match term.equation {
                    Equation::Add => return a.product(a.sum(s, d), equal),
                    Equation::Subtract => return a.product(a.difference(s, d), equal),
                    Equation::ReverseSubtract => return a.product(a.difference(d, s), equal),
                    Equation::Min | Equation::Max => {}
                }
            }
            match term.equation {
                Equation::Min => a.least(s, d),
                Equation::Max => a.most(s, d),
                Equation::Add => {
                    let [s, d] = products();
                    a.sum(s, d)
                }
                Equation::Subtract => {
                    let [s, d] = products();
                    a.difference(s, d)
                }
                Equation::ReverseSubtract => {
                    let [s, d] = products();
                    a.difference(d, s)
                }
            }
        })
    }
}

/// The byte of a number.
fn byte(value: f64) -> u64 {
    u64::from(crate::render_target::unorm8(value))
}

/// Numbers that are blended.
trait Arithmetic {
    type Number: Copy;
    fn zero(&self) -> Self::Number;
    fn one(&self) -> Self::Number;
    /// 1 minus a number.
    fn rest(&self, a: Self::Number) -> Self::Number;
    fn product(&self, a: Self::Number, b: Self::Number) -> Self::Number;
    fn sum(&self, a: Self::Number, b: Self::Number) -> Self::Number;
    fn difference(&self, a: Self::Number, b: Self::Number) -> Self::Number;
    fn least(&self, a: Self::Number, b: Self::Number) -> Self::Number;
    fn most(&self, a: Self::Number, b: Self::Number) -> Self::Number;
    /// Whether sums and differences of products with equal factors are products of a sum, if colour and alpha have such factors.
    fn takes_out_equal_factors(&self) -> bool {
        false
    }
}

/// Binary32, every step rounded.
struct Singles(BlendArithmetic);

impl Arithmetic for Singles {
    type Number = f32;

    fn zero(&self) -> f32 {
        0.0
    }

    fn one(&self) -> f32 {
        1.0
    }

    fn rest(&self, a: f32) -> f32 {
        1.0 - a
    }

    fn product(&self, a: f32, b: f32) -> f32 {
        a * b
    }

    fn sum(&self, a: f32, b: f32) -> f32 {
        a + b
    }

    fn difference(&self, a: f32, b: f32) -> f32 {
        a - b
    }

    fn least(&self, a: f32, b: f32) -> f32 {
        if b < a { b } else { a }
    }

    fn most(&self, a: f32, b: f32) -> f32 {
        if b > a { b } else { a }
    }

    fn takes_out_equal_factors(&self) -> bool {
        self.0 == BlendArithmetic::Gallivm
    }
}

/// Bytes, 255 for 1; sums and differences stay in 0 to 255.
struct Codes(BlendArithmetic);

impl Arithmetic for Codes {
    type Number = u64;

    fn zero(&self) -> u64 {
        0
    }

    fn one(&self) -> u64 {
        255
    }

    fn rest(&self, a: u64) -> u64 {
        255 - a
    }

    fn product(&self, a: u64, b: u64) -> u64 {
        let product = a * b;
        match self.0 {
            BlendArithmetic::CodesFloor => product / 255,
            BlendArithmetic::Gallivm => (product + (product >> 8) + 128) >> 8,
            // 255 is odd: there are no ties.
            BlendArithmetic::Codes | BlendArithmetic::Binary32 => (product + 127) / 255,
        }
    }

    fn sum(&self, a: u64, b: u64) -> u64 {
        (a + b).min(255)
    }

    fn difference(&self, a: u64, b: u64) -> u64 {
        a.saturating_sub(b)
    }

    fn least(&self, a: u64, b: u64) -> u64 {
        a.min(b)
    }

    fn most(&self, a: u64, b: u64) -> u64 {
        a.max(b)
    }
}

impl AlphaTest {
    /// Whether a fragment stays: its alpha as the shader computed it, and how the target stores it.
    pub(crate) fn keeps(&self, alpha: f64, store: Option<&Store>, rule: &TargetRule) -> bool {
        let reference = f64::from(self.reference);
        let (alpha, reference) = match store {
            Some(store) if rule.alpha == AlphaTested::Stored => {
                let code = store.code();
                // The reference of a float target is a half.
                let reference = if code.is_normalised() {
                    code.decode(store.encode(reference, 0.0))
                } else {
                    Code::HALF.decode(Code::HALF.encode(reference, 0.0, rule))
                };
                (code.decode(store.encode(alpha, 0.0)), reference)
            }
            // NaN is stored as 0 in such a target.
            Some(store) if store.code().is_normalised() => (if alpha > 0.0 { alpha.min(1.0) } else { 0.0 }, reference),
            _ => (alpha, reference),
        };
        match self.compare {
            Compare::Never => false,
            Compare::Less => alpha < reference,
            Compare::Equal => alpha == reference,
            Compare::LessEqual => alpha <= reference,
            Compare::Greater => alpha > reference,
            Compare::NotEqual => alpha != reference,
            Compare::GreaterEqual => alpha >= reference,
            Compare::Always => true,
        }
    }
}

#[cfg(test)]
mod tests;
