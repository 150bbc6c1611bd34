//! The reference evaluation of a primitive in one lane.

use crate::exact::{self, Float};
use crate::prim::{Direction, Mode, Prim, Ty};
use crate::program::Inst;
use crate::table;

/// Which NaN arithmetic gives where a row promises no more than *some NaN*.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Nans {
    /// The negative quiet NaN without payload.
    Plain,
    /// A quiet NaN that a hash of the primitive, its operands and this seed chooses. No result of a shader may depend on the
    /// seed: that is how the tests find a missing fix-up.
    Scrambled(u64),
}

impl Nans {
    /// A NaN of a float type.
    fn some(self, inst: &Inst, ty: Ty, args: [u64; 4]) -> u64 {
        let (quiet, payload, sign) = quiet_bits(ty);
        match self {
            Nans::Plain => sign | quiet,
            Nans::Scrambled(seed) => {
                let mut hash = seed ^ (inst.prim as u64) << 32;
                for word in args {
                    hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                    hash ^= hash >> 29;
                }
                quiet | hash & (payload | sign)
            }
        }
    }
}

/// Exponent with the quiet bit, payload bits, sign bit.
pub(crate) const fn quiet_bits(ty: Ty) -> (u64, u64, u64) {
    match ty {
        Ty::F32 => (0x7fc0_0000, 0x3f_ffff, 1 << 31),
        _ => (0x7ff8_0000_0000_0000, 0x7_ffff_ffff_ffff, 1 << 63),
    }
}

/// Whether a pattern is a NaN of a float type.
pub(crate) const fn is_nan(ty: Ty, word: u64) -> bool {
    match ty {
        Ty::F32 => word & 0x7fff_ffff > 0x7f80_0000,
        Ty::F64 => word & !(1 << 63) > 0x7ff0_0000_0000_0000,
        _ => false,
    }
}

/// Whether a pattern is a nonzero denormal of a float type.
pub(crate) const fn is_denormal(ty: Ty, word: u64) -> bool {
    let (magnitude, least) = match ty {
        Ty::F32 => (word & 0x7fff_ffff, 0x80_0000),
        Ty::F64 => (word & !(1 << 63), 1 << 52),
        _ => return false,
    };
    magnitude != 0 && magnitude < least
}

fn single(word: u64) -> f32 {
    f32::from_bits(word as u32)
}

fn double(word: u64) -> f64 {
    f64::from_bits(word)
}

/// The exact value of a float.
fn value(ty: Ty, word: u64) -> f64 {
    if ty == Ty::F32 { f64::from(single(word)) } else { double(word) }
}

/// A number of a float type that holds it exactly.
fn pattern(ty: Ty, v: f64) -> u64 {
    if ty == Ty::F32 { u64::from((v as f32).to_bits()) } else { v.to_bits() }
}

fn arithmetic(op: Float, ty: Ty, args: [u64; 3], mode: Mode) -> u64 {
    match ty {
        Ty::F32 => u64::from(exact::single(op, args.map(single), mode).to_bits()),
        _ => exact::double(op, args.map(double), mode).to_bits(),
    }
}

fn signed(ty: Ty, word: u64) -> i64 {
    if ty == Ty::I32 { i64::from(word as u32 as i32) } else { word as i64 }
}

/// Evaluates a primitive. Operands beyond those it has are ignored; words beyond a type's width must be zero.
pub fn eval(inst: &Inst, args: [u64; 4], nans: Nans) -> u64 {
    let ty = inst.ty;
    let [a, b, c, _] = args;
    let (_, _, sign) = quiet_bits(ty);
    let mode = Mode::from_word(inst.imm).unwrap_or(Mode::PLAIN);
    let width = if ty == Ty::I32 { 32 } else { 64 };
    let amount = b as u32 % width;
    let word = match inst.prim {
        Prim::Const => inst.imm,
        Prim::Select => {
            if a & 1 != 0 {
                b
            } else {
                c
            }
        }
        Prim::Fadd => arithmetic(Float::Add, ty, [a, b, 0], mode),
        Prim::Fsub => arithmetic(Float::Add, ty, [a, b ^ sign, 0], mode),
        Prim::Fmul => arithmetic(Float::Mul, ty, [a, b, 0], mode),
        Prim::Fmulz if value(ty, a) == 0.0 || value(ty, b) == 0.0 => 0,
        Prim::Fmulz => arithmetic(Float::Mul, ty, [a, b, 0], mode),
        Prim::Fdiv => arithmetic(Float::Div, ty, [a, b, 0], mode),
        Prim::Fsqrt => arithmetic(Float::Sqrt, ty, [a, 0, 0], mode),
        Prim::Fma => arithmetic(Float::Fma, ty, [a, b, c], mode),
        Prim::FaddOdd => exact::add_odd(double(a), double(b)).to_bits(),
        Prim::Fneg => a ^ sign,
        Prim::Fabs => a & !sign,
        Prim::Fmin => {
            if value(ty, a) < value(ty, b) {
                a
            } else {
                b
            }
        }
        Prim::Fmax => {
            if value(ty, a) > value(ty, b) {
                a
            } else {
                b
            }
        }
        Prim::Round => pattern(ty, exact::integral(value(ty, a), mode.direction)),
        Prim::Flush => {
            if is_denormal(ty, a) {
                a & sign
            } else {
                a
            }
        }
        Prim::First => {
            let others = &args[1..usize::from(inst.count)];
            let (quiet, ..) = quiet_bits(ty);
            match others.iter().find(|&&word| is_nan(ty, word)) {
                _ if !is_nan(ty, a) => a,
                Some(nan) => nan | quiet,
                None => inst.imm,
            }
        }
        Prim::Feq => u64::from(value(ty, a) == value(ty, b)),
        Prim::Flt => u64::from(value(ty, a) < value(ty, b)),
        Prim::Fle => u64::from(value(ty, a) <= value(ty, b)),
        Prim::Funo => u64::from(is_nan(ty, a) || is_nan(ty, b)),
        Prim::Widen if is_nan(Ty::F32, a) => (a & 1 << 31) << 32 | 0x7ff8_0000_0000_0000 | (a & 0x7f_ffff) << 29,
        Prim::Widen => f64::from(single(a)).to_bits(),
        Prim::Narrow if is_nan(Ty::F64, a) => a >> 32 & 1 << 31 | 0x7fc0_0000 | a >> 29 & 0x7f_ffff,
        Prim::Narrow => u64::from(exact::narrow(double(a), mode).to_bits()),
        Prim::FromHalf => u64::from(exact::from_half(a as u32)),
        Prim::ToHalf => u64::from(exact::to_half(a as u32, mode.direction)),
        Prim::FromInt => {
            let v = f64::from(a as u32 as i32);
            if ty == Ty::F32 { u64::from(exact::to_single(v, mode).to_bits()) } else { v.to_bits() }
        }
        Prim::ToInt => {
            let v = value(ty, a).trunc();
            let fits = (-2_147_483_648.0..2_147_483_648.0).contains(&v);
            if fits { u64::from(v as i32 as u32) } else { 0x8000_0000 }
        }
        Prim::Bits | Prim::Float => a,
        Prim::Add => a.wrapping_add(b),
        Prim::Sub => a.wrapping_sub(b),
        Prim::Mul => a.wrapping_mul(b),
        Prim::And => a & b,
        Prim::Or => a | b,
        Prim::Xor => a ^ b,
        Prim::Shl => a << amount,
        Prim::Shr => a >> amount,
        Prim::Sar => (signed(ty, a) >> amount) as u64,
        Prim::LeadingZeros => u64::from(a.leading_zeros() - (64 - width)),
        Prim::Ones => u64::from(a.count_ones()),
        Prim::Eq => u64::from(a == b),
        Prim::Lt => u64::from(signed(ty, a) < signed(ty, b)),
        Prim::Ult => u64::from(a < b),
        Prim::Disjoint => u64::from(a & b == 0),
        Prim::Low | Prim::Zext => a & 0xffff_ffff,
        Prim::Sext => a as u32 as i32 as u64,
        Prim::Not => !a,
        Prim::Table => table::row(inst.imm, a as u32),
    };
    let result = inst.prim.result(ty);
    let word = word & result.bits();
    if inst.prim.row().nan == crate::prim::NanEffect::Some && is_nan(result, word) {
        return nans.some(inst, result, args);
    }
    word
}

/// A direction's number as an immediate.
pub(crate) const fn direction_word(direction: Direction) -> u64 {
    direction as u64
}
