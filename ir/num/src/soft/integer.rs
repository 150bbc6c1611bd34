//! Integer, predicate and condition-code operations. They ignore the rule.

use super::sign_magnitude;
use crate::Op;

/// Evaluates an operation of the integer or logic family.
#[inline(always)]
pub(crate) fn integer(op: Op, args: &[u64]) -> u64 {
    let word = |i: usize| args.get(i).copied().unwrap_or(0) as u32;
    let (a, b) = (word(0), word(1));
    let (sa, sb) = (a as i32, b as i32);
    let result = match op {
        Op::Iadd => a.wrapping_add(b),
        Op::Isub => a.wrapping_sub(b),
        Op::Imul => a.wrapping_mul(b),
        Op::ImulHi => ((sa as i64 * sb as i64) >> 32) as u32,
        Op::UmulHi => ((a as u64 * b as u64) >> 32) as u32,
        Op::Idiv => {
            if sb == 0 {
                0
            } else {
                sa.wrapping_div(sb) as u32
            }
        }
        Op::Imod => {
            if sb == 0 {
                u32::MAX
            } else {
                sa.wrapping_rem(sb) as u32
            }
        }
        Op::Udiv => a.checked_div(b).unwrap_or(u32::MAX),
        Op::Umod => a.checked_rem(b).unwrap_or(u32::MAX),
        Op::Iand => a & b,
        Op::Ior => a | b,
        Op::Ixor => a ^ b,
        Op::Shl => a << (b & 31),
        Op::Ishr => (sa >> (b & 31)) as u32,
        Op::Ushr => a >> (b & 31),
        Op::Imin => sa.min(sb) as u32,
        Op::Imax => sa.max(sb) as u32,
        Op::Umin => a.min(b),
        Op::Umax => a.max(b),
        Op::Inot => !a,
        Op::Ineg => a.wrapping_neg(),
        Op::Iabs => sa.wrapping_abs() as u32,
        Op::Isign => sa.signum() as u32,
        Op::Ibfe => extract(a, b, word(2), true),
        Op::Ubfe => extract(a, b, word(2), false),
        Op::Bfi => insert(a, b, word(2), word(3)),
        Op::Brev => a.reverse_bits(),
        Op::Popc => a.count_ones(),
        Op::Lsb => {
            if a == 0 {
                u32::MAX
            } else {
                a.trailing_zeros()
            }
        }
        Op::Umsb => top_bit(a),
        Op::Imsb => top_bit(if sa < 0 { !a } else { a }),
        Op::Ieq => (a == b) as u32,
        Op::Ine => (a != b) as u32,
        Op::Ilt => (sa < sb) as u32,
        Op::Ile => (sa <= sb) as u32,
        Op::Ult => (a < b) as u32,
        Op::Ule => (a <= b) as u32,
        Op::Pand => a & b & 1,
        Op::Por => (a | b) & 1,
        Op::Pxor => (a ^ b) & 1,
        Op::Pnot => !a & 1,
        // Condition codes: 0 less, 1 equal, 2 greater, 3 unordered.
        Op::CcEq => (a == 1) as u32,
        Op::CcNe => (a != 1) as u32,
        Op::CcLt => (a == 0) as u32,
        Op::CcLe => (a <= 1) as u32,
        Op::CcGt => (a == 2) as u32,
        Op::CcGe => (a == 1 || a == 2) as u32,
        _ => return sign_magnitude::evaluate(op, args),
    };
    result as u64
}

/// Index of the highest set bit, all ones if there is none.
fn top_bit(a: u32) -> u32 {
    31u32.wrapping_sub(a.leading_zeros())
}

/// A bit field of `a`; what lies beyond bit 31 is clipped.
fn extract(a: u32, offset: u32, width: u32, signed: bool) -> u32 {
    let offset = offset & 31;
    if width == 32 && offset == 0 {
        return a;
    }
    let width = width & 31;
    if width == 0 {
        return 0;
    }
    let width = width.min(32 - offset);
    let high = a << (32 - offset - width);
    if signed { (high as i32 >> (32 - width)) as u32 } else { high >> (32 - width) }
}

/// `a` with the low `width` bits of `b` at `offset`; what lies beyond bit 31 is lost.
fn insert(a: u32, b: u32, offset: u32, width: u32) -> u32 {
    if width == 32 {
        return b;
    }
    let offset = offset & 31;
    let mask = ((1u32 << (width & 31)) - 1) << offset;
    a & !mask | b << offset & mask
}
