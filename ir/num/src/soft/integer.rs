//! Integer, predicate and condition-code operations. They ignore the rule.

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
        Op::FunnelShl => (u64::from(b) << 32 | u64::from(a)).wrapping_shl(word(2) & 31).wrapping_shr(32) as u32,
        Op::FunnelShr => ((u64::from(b) << 32 | u64::from(a)) >> (word(2) & 31)) as u32,
        Op::Prmt => permute(u64::from(b) << 32 | u64::from(a), word(2)),
        Op::Lop3 => lop3(a, b, word(2), word(3)),
        _ => return integer64(op, args),
    };
    result as u64
}

/// Evaluates an operation that has 64-bit operands or a 64-bit result.
#[inline(always)]
fn integer64(op: Op, args: &[u64]) -> u64 {
    let arg = |i: usize| args.get(i).copied().unwrap_or(0);
    let (a, b) = (arg(0), arg(1));
    let (sa, sb) = (a as i64, b as i64);
    let amount = b as u32 & 63;
    match op {
        Op::Join => a & 0xffff_ffff | b << 32,
        Op::Low => a & 0xffff_ffff,
        Op::High => a >> 32,
        Op::Sext64 => a as i32 as u64,
        Op::Zext64 => a & 0xffff_ffff,
        Op::Iadd64 => a.wrapping_add(b),
        Op::Isub64 => a.wrapping_sub(b),
        Op::Imul64 => a.wrapping_mul(b),
        Op::ImulHi64 => ((i128::from(sa) * i128::from(sb)) >> 64) as u64,
        Op::UmulHi64 => ((u128::from(a) * u128::from(b)) >> 64) as u64,
        Op::Idiv64 => {
            if sb == 0 {
                0
            } else {
                sa.wrapping_div(sb) as u64
            }
        }
        Op::Imod64 => {
            if sb == 0 {
                u64::MAX
            } else {
                sa.wrapping_rem(sb) as u64
            }
        }
        Op::Udiv64 => a.checked_div(b).unwrap_or(u64::MAX),
        Op::Umod64 => a.checked_rem(b).unwrap_or(u64::MAX),
        Op::Iand64 => a & b,
        Op::Ior64 => a | b,
        Op::Ixor64 => a ^ b,
        Op::Shl64 => a << amount,
        Op::Ishr64 => (sa >> amount) as u64,
        Op::Ushr64 => a >> amount,
        Op::Imin64 => sa.min(sb) as u64,
        Op::Imax64 => sa.max(sb) as u64,
        Op::Umin64 => a.min(b),
        Op::Umax64 => a.max(b),
        Op::Inot64 => !a,
        Op::Ineg64 => a.wrapping_neg(),
        Op::Iabs64 => sa.wrapping_abs() as u64,
        Op::Isign64 => sa.signum() as u64,
        Op::Umsb64 => u64::from(63u32.wrapping_sub(a.leading_zeros())),
        Op::Ieq64 => u64::from(a == b),
        Op::Ine64 => u64::from(a != b),
        Op::Ilt64 => u64::from(sa < sb),
        Op::Ile64 => u64::from(sa <= sb),
        Op::Ult64 => u64::from(a < b),
        Op::Ule64 => u64::from(a <= b),
        _ => 0,
    }
}

/// Four bytes of a pair of words, one by each nibble of `selector`; bit 3 of a nibble spreads the byte's sign.
fn permute(pair: u64, selector: u32) -> u32 {
    (0..4).fold(0, |word, n| {
        let nibble = selector >> (4 * n) & 0xf;
        let byte = (pair >> (8 * (nibble & 7))) as u8;
        let byte = if nibble & 8 != 0 { ((byte as i8) >> 7) as u8 } else { byte };
        word | u32::from(byte) << (8 * n)
    })
}

/// The bitwise function of three words with this table.
fn lop3(a: u32, b: u32, c: u32, table: u32) -> u32 {
    (0..8).filter(|row| table >> row & 1 != 0).fold(0, |word, row| {
        let pick = |v: u32, bit: u32| if row & bit != 0 { v } else { !v };
        word | pick(a, 4) & pick(b, 2) & pick(c, 1)
    })
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

#[cfg(test)]
mod tests {
    use crate::{Decl, Format, Op, Rule, eval};

    fn run(op: Op, args: &[u64]) -> u64 {
        eval(op, &Rule::ieee(Decl::F32, Format::F32), args)
    }

    const MIN: u64 = i64::MIN as u64;
    const ONES: u64 = u64::MAX;

    #[test]
    fn halves_and_extensions() {
        assert_eq!(run(Op::Join, &[0x1_0000_0002, 3]), 0x3_0000_0002);
        assert_eq!(run(Op::Low, &[0x1234_5678_9abc_def0]), 0x9abc_def0);
        assert_eq!(run(Op::High, &[0x1234_5678_9abc_def0]), 0x1234_5678);
        assert_eq!(run(Op::Sext64, &[0x8000_0000]), 0xffff_ffff_8000_0000);
        assert_eq!(run(Op::Zext64, &[0x8000_0000]), 0x8000_0000);
    }

    #[test]
    fn arithmetic_of_64_bits_wraps() {
        assert_eq!(run(Op::Iadd64, &[ONES, 2]), 1);
        assert_eq!(run(Op::Isub64, &[1, 2]), ONES);
        assert_eq!(run(Op::Imul64, &[0x1_0000_0001, 0x1_0000_0001]), 0x2_0000_0001);
        assert_eq!(run(Op::UmulHi64, &[ONES, ONES]), ONES - 1);
        assert_eq!(run(Op::ImulHi64, &[ONES, ONES]), 0);
        assert_eq!(run(Op::ImulHi64, &[MIN, 2]), ONES);
        assert_eq!(run(Op::Ineg64, &[MIN]), MIN);
        assert_eq!(run(Op::Iabs64, &[MIN]), MIN);
        assert_eq!(run(Op::Iabs64, &[ONES]), 1);
        assert_eq!(run(Op::Isign64, &[MIN]), ONES);
        assert_eq!(run(Op::Isign64, &[0]), 0);
    }

    #[test]
    fn division_of_64_bits_by_zero_and_of_the_least_integer() {
        for (op, by_zero) in [(Op::Idiv64, 0), (Op::Imod64, ONES), (Op::Udiv64, ONES), (Op::Umod64, ONES)] {
            assert_eq!(run(op, &[7, 0]), by_zero, "{op}");
        }
        assert_eq!(run(Op::Idiv64, &[MIN, ONES]), MIN);
        assert_eq!(run(Op::Imod64, &[MIN, ONES]), 0);
        assert_eq!(run(Op::Idiv64, &[-7i64 as u64, 2]), -3i64 as u64);
        assert_eq!(run(Op::Imod64, &[-7i64 as u64, 2]), ONES);
        assert_eq!(run(Op::Udiv64, &[ONES, 2]), ONES >> 1);
        assert_eq!(run(Op::Umod64, &[ONES, 10]), 5);
    }

    #[test]
    fn shifts_of_64_bits_take_the_amount_modulo_64() {
        assert_eq!(run(Op::Shl64, &[1, 63]), MIN);
        assert_eq!(run(Op::Shl64, &[1, 65]), 2);
        assert_eq!(run(Op::Ishr64, &[MIN, 63]), ONES);
        assert_eq!(run(Op::Ushr64, &[MIN, 63]), 1);
        assert_eq!(run(Op::Ushr64, &[MIN, 64]), MIN);
    }

    #[test]
    fn comparisons_of_64_bits_know_their_sign() {
        assert_eq!(run(Op::Imin64, &[MIN, 1]), MIN);
        assert_eq!(run(Op::Imax64, &[MIN, 1]), 1);
        assert_eq!(run(Op::Umin64, &[MIN, 1]), 1);
        assert_eq!(run(Op::Umax64, &[MIN, 1]), MIN);
        for (op, holds) in
            [(Op::Ieq64, 0), (Op::Ine64, 1), (Op::Ilt64, 1), (Op::Ile64, 1), (Op::Ult64, 0), (Op::Ule64, 0)]
        {
            assert_eq!(run(op, &[MIN, 1]), holds, "{op}");
        }
        // The upper halves count.
        assert_eq!(run(Op::Ieq64, &[1 << 40, 1 << 41]), 0);
        assert_eq!(run(Op::Umsb64, &[1 << 40]), 40);
        assert_eq!(run(Op::Umsb64, &[0]), 0xffff_ffff);
        assert_eq!(run(Op::Iand64, &[!0xf, 0xff]), 0xf0);
        assert_eq!(run(Op::Ior64, &[MIN, 1]), MIN | 1);
        assert_eq!(run(Op::Ixor64, &[ONES, 1]), ONES - 1);
        assert_eq!(run(Op::Inot64, &[1]), ONES - 1);
    }

    #[test]
    fn funnel_shifts_draw_from_both_words() {
        let (low, high) = (0x89ab_cdef, 0x0123_4567);
        assert_eq!(run(Op::FunnelShl, &[low, high, 8]), 0x2345_6789);
        assert_eq!(run(Op::FunnelShl, &[low, high, 32]), high);
        assert_eq!(run(Op::FunnelShr, &[low, high, 8]), 0x6789_abcd);
        assert_eq!(run(Op::FunnelShr, &[low, high, 0]), low);
    }

    #[test]
    fn byte_permutes_copy_and_spread_signs() {
        let (low, high) = (0x4433_22f1, 0x8877_6655);
        assert_eq!(run(Op::Prmt, &[low, high, 0x3210]), low);
        assert_eq!(run(Op::Prmt, &[low, high, 0x7654]), high);
        assert_eq!(run(Op::Prmt, &[low, high, 0x0123]), 0xf122_3344);
        assert_eq!(run(Op::Prmt, &[low, high, 0xf9e8]), 0xff00_00ff);
        assert_eq!(run(Op::Prmt, &[low, high, 0xabc_7777]), 0x8888_8888);
    }

    #[test]
    fn three_input_logic_follows_its_table() {
        let (a, b, c) = (0xf0f0_f0f0, 0xcccc_cccc, 0xaaaa_aaaa);
        for table in 0..256u64 {
            assert_eq!(run(Op::Lop3, &[a, b, c, table | 0x700]), table * 0x0101_0101, "{table:#x}");
        }
    }
}
