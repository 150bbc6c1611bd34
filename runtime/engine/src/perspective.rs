//! Attributes as a model's unit makes them of planes: with perspective ([`Interpolation`]), as colours ([`ColorAttribute`]), as halves.

use crate::interpolate::{fma, settled};
use crate::render_target::Code;
use parallax_core::backend::Operation;
use parallax_core::num::{ColorAttribute, Decl, FixedFunctions, Format, Interpolation, Op, Rule, Storage, eval};
use parallax_core::{AttrSemantic, Bound, RasterSteps, Shader};
use parallax_interp::Interpreter;
use std::sync::Arc;

/// How quotients by 1/w are made.
#[derive(Clone, Debug)]
pub(crate) struct Perspective {
    /// What is computed.
    pub(crate) how: Interpolation,
    steps: Option<Steps>,
}

/// The unit's operations.
#[derive(Clone, Debug)]
struct Steps {
    rules: RasterSteps,
    rcp: Operation,
    mul: Operation,
    add: Operation,
}

impl Default for Perspective {
    /// Quotients, to nearest.
    fn default() -> Perspective {
        Perspective { how: Interpolation::Divide, steps: None }
    }
}

impl Perspective {
    /// That of a model. One that computes in another container than binary32 divides.
    pub(crate) fn of(bound: &Bound) -> Perspective {
        let steps = bound.raster_steps.as_deref().map(|rules| Steps {
            rules: rules.clone(),
            rcp: Interpreter::operation(Op::Rcp, &rules.rcp),
            mul: Interpreter::operation(Op::Mul, &rules.mul),
            add: Interpreter::operation(Op::Add, &rules.add),
        });
        match bound.fixed.raster.interpolation {
            Interpolation::TimesRcp | Interpolation::SlopeTimesW if steps.is_none() => Perspective::default(),
            how => Perspective { how, steps },
        }
    }

    /// Whether what is interpolated is the distance of an attribute from its value at the first vertex.
    pub(crate) fn is_from_first(&self) -> bool {
        self.how == Interpolation::SlopeTimesW
    }

    /// The value at one place, from that over w, or its distance from `first`, and from 1/w.
    pub(crate) fn at(&self, over_w: f32, inverse_w: f32, first: f32) -> u32 {
        let one = |op: Op, rule: &Rule, args: &[u32]| {
            let args: Vec<u64> = args.iter().map(|&word| u64::from(settled(word))).collect();
            eval(op, rule, &args) as u32
        };
        match (self.how, &self.steps) {
            (Interpolation::TimesRcp, Some(Steps { rules, .. })) => {
                let w = one(Op::Rcp, &rules.rcp, &[inverse_w.to_bits()]);
                settled(one(Op::Mul, &rules.mul, &[over_w.to_bits(), w]))
            }
            (Interpolation::SlopeTimesW, Some(Steps { rules, .. })) => {
                let product = one(Op::Mul, &rules.mul, &[over_w.to_bits(), (1.0 / inverse_w).to_bits()]);
                settled(one(Op::Add, &rules.add, &[product, first.to_bits()]))
            }
            _ => settled((over_w / inverse_w).to_bits()),
        }
    }

    /// The same for a row of lanes; `over_w` becomes the values.
    pub(crate) fn row(&self, over_w: &mut [u32], inverse_w: &[u32], first: f32) {
        let wide = |words: &[u32]| words.iter().map(|&word| u64::from(word)).collect::<Vec<u64>>();
        let mut out = vec![0; over_w.len()];
        match (self.how, &self.steps) {
            (Interpolation::TimesRcp, Some(Steps { rcp, mul, .. })) => {
                rcp.runner().run(&[&wide(inverse_w)], &mut out);
                let w = std::mem::replace(&mut out, vec![0; over_w.len()]);
                mul.runner().run(&[&wide(over_w), &w], &mut out);
            }
            (Interpolation::SlopeTimesW, Some(Steps { mul, add, .. })) => {
                let w = inverse_w.iter().map(|&word| u64::from(settled((1.0 / f32::from_bits(word)).to_bits())));
                mul.runner().run(&[&wide(over_w), &w.collect::<Vec<u64>>()], &mut out);
                let products = std::mem::replace(&mut out, vec![0; over_w.len()]);
                let first = vec![u64::from(settled(first.to_bits())); over_w.len()];
                add.runner().run(&[&products, &first], &mut out);
            }
            _ => {
                for (out, (over_w, inverse_w)) in out.iter_mut().zip(over_w.iter().zip(inverse_w)) {
                    *out = u64::from((f32::from_bits(*over_w) / f32::from_bits(*inverse_w)).to_bits());
                }
            }
        }
        over_w.iter_mut().zip(out).for_each(|(to, word)| *to = settled(word as u32));
    }
}

/// An attribute by the place in a triangle: its value at the first vertex, and how much more it is at the others.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Barycentric {
    pub(crate) first: f32,
    pub(crate) more: [f32; 2],
}

impl Barycentric {
    /// The value where the second and the third vertex have these shares.
    #[inline(always)]
    pub(crate) fn at(&self, [i, j]: [f32; 2]) -> u32 {
        settled(fma(self.more[1], j, fma(self.more[0], i, self.first)).to_bits())
    }
}

/// What a shader reads of an attribute that was interpolated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Narrowing {
    /// The number itself.
    #[default]
    None,
    /// What becomes of colours.
    Color(ColorAttribute),
    /// The number as a half, by this conversion from binary32.
    Half(Arc<Rule>),
}

/// The word that a shader reads of an attribute whose interpolated value is this one: models make halves of some attributes, and
/// colours of their own of others.
pub fn attribute_as_read(shader: &Shader<Bound>, attr: usize, word: u32) -> u32 {
    let Some(decl) = shader.func.iface.attrs.get(attr) else { return word };
    let halves = shader.state.halves.as_deref().filter(|halves| halves.attrs.contains(&(attr as u16)));
    let half = halves.map(|halves| Arc::new(halves.cvt));
    Narrowing::new(decl.semantic, shader.state.fixed.raster.color, half.as_ref()).of(word)
}

impl Narrowing {
    /// That of an attribute; `half` makes halves of it.
    pub(crate) fn new(semantic: AttrSemantic, color: ColorAttribute, half: Option<&Arc<Rule>>) -> Narrowing {
        match half {
            _ if matches!(semantic, AttrSemantic::Color(_)) && color != ColorAttribute::Binary32 => {
                Narrowing::Color(color)
            }
            Some(half) => Narrowing::Half(half.clone()),
            None => Narrowing::None,
        }
    }

    /// The word that the shader reads.
    pub(crate) fn of(&self, word: u32) -> u32 {
        match self {
            Narrowing::None => word,
            Narrowing::Color(how) => color(word, *how),
            Narrowing::Half(cvt) => {
                let widen = Rule { source: Storage::F16, ..Rule::ieee(Decl::F32, Format::F32) };
                eval(Op::Cvt, &widen, &[eval(Op::Cvt, cvt, &[u64::from(word)])]) as u32
            }
        }
    }
}

/// What a shader reads of a colour that was interpolated.
fn color(word: u32, how: ColorAttribute) -> u32 {
    const FLOAT20: Code = Code::Float { exponent: 7, fraction: 12, sign: true };
    let value = f32::from_bits(word);
    match how {
        ColorAttribute::Binary32 => word,
        ColorAttribute::Float20 if value.is_nan() => word,
        ColorAttribute::Float20 => {
            let code = FLOAT20.encode(f64::from(value), 0.0, &FixedFunctions::IEEE.target);
            (FLOAT20.decode(code) as f32).to_bits()
        }
        // NaN becomes 0.
        ColorAttribute::Clamped => if value > 0.0 { value.min(1.0) } else { 0.0 }.to_bits(),
    }
}

#[cfg(test)]
mod tests;
