//! Integers and predicates.

use crate::prim::{Direction, Mode, Prim, Ty};
use crate::program::{Code, Id, Program};
use parallax_num::{Kind, Op};

fn ty(kind: Kind) -> Ty {
    match kind {
        Kind::I64 => Ty::I64,
        Kind::Pred => Ty::Mask,
        _ => Ty::I32,
    }
}

/// An operation without rule.
pub(super) fn program(op: Op) -> Option<Program> {
    let types: Vec<Ty> = op.info().args.iter().map(|&kind| ty(kind)).collect();
    let mut code = Code::new(&types);
    let c = &mut code;
    let result = match op {
        Op::Iadd | Op::Iadd64 => c.op(Prim::Add, &[0, 1]),
        Op::Isub | Op::Isub64 => c.op(Prim::Sub, &[0, 1]),
        Op::Imul | Op::Imul64 => c.op(Prim::Mul, &[0, 1]),
        Op::Iand | Op::Iand64 | Op::Pand => c.and(0, 1),
        Op::Ior | Op::Ior64 | Op::Por => c.or(0, 1),
        Op::Ixor | Op::Ixor64 | Op::Pxor => c.op(Prim::Xor, &[0, 1]),
        Op::Pnot => c.not(0),
        Op::Inot => {
            let ones = c.int(-1);
            c.op(Prim::Xor, &[0, ones])
        }
        Op::Inot64 => {
            let ones = c.long(u64::MAX);
            c.op(Prim::Xor, &[0, ones])
        }
        Op::Ineg | Op::Ineg64 => {
            let zero = zero(c, types[0]);
            c.op(Prim::Sub, &[zero, 0])
        }
        Op::Iabs | Op::Iabs64 => {
            let zero = zero(c, types[0]);
            let (minus, below) = (c.op(Prim::Sub, &[zero, 0]), c.op(Prim::Lt, &[0, zero]));
            c.select(below, minus, 0)
        }
        Op::Isign | Op::Isign64 => {
            let width = if types[0] == Ty::I32 { 31 } else { 63 };
            let zero = zero(c, types[0]);
            let sign = c.shift(Prim::Sar, 0, width);
            let minus = c.op(Prim::Sub, &[zero, 0]);
            let some = c.shift(Prim::Shr, minus, width);
            c.or(sign, some)
        }
        Op::Shl | Op::Shl64 => c.op(Prim::Shl, &[0, 1]),
        Op::Ishr | Op::Ishr64 => c.op(Prim::Sar, &[0, 1]),
        Op::Ushr | Op::Ushr64 => c.op(Prim::Shr, &[0, 1]),
        Op::Imin | Op::Imin64 => choose(c, Prim::Lt, 0, 1),
        Op::Imax | Op::Imax64 => choose(c, Prim::Lt, 1, 0),
        Op::Umin | Op::Umin64 => choose(c, Prim::Ult, 0, 1),
        Op::Umax | Op::Umax64 => choose(c, Prim::Ult, 1, 0),
        Op::Ieq | Op::Ieq64 => c.op(Prim::Eq, &[0, 1]),
        Op::Ine | Op::Ine64 => {
            let equal = c.op(Prim::Eq, &[0, 1]);
            c.not(equal)
        }
        Op::Ilt | Op::Ilt64 => c.op(Prim::Lt, &[0, 1]),
        Op::Ult | Op::Ult64 => c.op(Prim::Ult, &[0, 1]),
        Op::Ile | Op::Ile64 => {
            let greater = c.op(Prim::Lt, &[1, 0]);
            c.not(greater)
        }
        Op::Ule | Op::Ule64 => {
            let greater = c.op(Prim::Ult, &[1, 0]);
            c.not(greater)
        }
        Op::CcEq => code_is(c, 1),
        Op::CcLt => code_is(c, 0),
        Op::CcGt => code_is(c, 2),
        Op::CcNe => {
            let equal = code_is(c, 1);
            c.not(equal)
        }
        Op::CcLe => {
            let two = c.int(2);
            c.op(Prim::Ult, &[0, two])
        }
        Op::CcGe => {
            let (equal, greater) = (code_is(c, 1), code_is(c, 2));
            c.or(equal, greater)
        }
        Op::Join => {
            let (low, high) = (c.op(Prim::Zext, &[0]), c.op(Prim::Zext, &[1]));
            let high = c.shift(Prim::Shl, high, 32);
            c.or(low, high)
        }
        Op::Low => c.op(Prim::Low, &[0]),
        Op::High => {
            let high = c.shift(Prim::Shr, 0, 32);
            c.op(Prim::Low, &[high])
        }
        Op::Sext64 => c.op(Prim::Sext, &[0]),
        Op::Zext64 => c.op(Prim::Zext, &[0]),
        Op::ImulHi => high_word(c, Prim::Sext),
        Op::UmulHi => high_word(c, Prim::Zext),
        Op::UmulHi64 => high_of_long(c),
        Op::ImulHi64 => {
            // Each negative factor counted 2^64 too much.
            let unsigned = high_of_long(c);
            let (a, b) = (c.shift(Prim::Sar, 0, 63), c.shift(Prim::Sar, 1, 63));
            let (a, b) = (c.and(a, 1), c.and(b, 0));
            let v = c.op(Prim::Sub, &[unsigned, a]);
            c.op(Prim::Sub, &[v, b])
        }
        Op::Idiv | Op::Imod => quotient(c, true, op == Op::Imod),
        Op::Udiv | Op::Umod => quotient(c, false, op == Op::Umod),
        Op::Popc => c.op(Prim::Ones, &[0]),
        Op::Umsb => top_bit(c, 0, 31),
        Op::Umsb64 => top_bit(c, 0, 63),
        Op::Imsb => {
            let sign = c.shift(Prim::Sar, 0, 31);
            let v = c.op(Prim::Xor, &[0, sign]);
            top_bit(c, v, 31)
        }
        Op::Lsb => {
            let zero = c.int(0);
            let minus = c.op(Prim::Sub, &[zero, 0]);
            let lowest = c.and(0, minus);
            top_bit(c, lowest, 31)
        }
        Op::Brev => reversed(c),
        Op::FunnelShl | Op::FunnelShr => {
            let (low, high) = (c.op(Prim::Zext, &[0]), c.op(Prim::Zext, &[1]));
            let high = c.shift(Prim::Shl, high, 32);
            let both = c.or(low, high);
            let mask = c.int(31);
            let amount = c.and(2, mask);
            if op == Op::FunnelShl {
                let v = c.op(Prim::Shl, &[both, amount]);
                let v = c.shift(Prim::Shr, v, 32);
                c.op(Prim::Low, &[v])
            } else {
                let v = c.op(Prim::Shr, &[both, amount]);
                c.op(Prim::Low, &[v])
            }
        }
        Op::Ubfe | Op::Ibfe => field(c, op == Op::Ibfe),
        Op::Bfi => insert(c),
        Op::Lop3 => lookup(c),
        _ => return None,
    };
    Some(code.finish(result))
}

fn zero(c: &mut Code, ty: Ty) -> Id {
    c.constant_of(ty, 0)
}

/// The first operand of the operation where the comparison of a and b holds, else the second.
fn choose(c: &mut Code, test: Prim, a: Id, b: Id) -> Id {
    let holds = c.op(test, &[a, b]);
    c.select(holds, 0, 1)
}

fn code_is(c: &mut Code, code: i32) -> Id {
    let code = c.int(code);
    c.op(Prim::Eq, &[0, code])
}

/// Upper half of the product of two words.
fn high_word(c: &mut Code, extend: Prim) -> Id {
    let (a, b) = (c.op(extend, &[0]), c.op(extend, &[1]));
    let product = c.op(Prim::Mul, &[a, b]);
    let high = c.shift(Prim::Shr, product, 32);
    c.op(Prim::Low, &[high])
}

/// Upper 64 bits of the unsigned product of two 64-bit words, by halves.
fn high_of_long(c: &mut Code) -> Id {
    let mask = c.long(0xffff_ffff);
    let (a0, b0) = (c.and(0, mask), c.and(1, mask));
    let (a1, b1) = (c.shift(Prim::Shr, 0, 32), c.shift(Prim::Shr, 1, 32));
    let low = c.op(Prim::Mul, &[a0, b0]);
    let (m1, m2) = (c.op(Prim::Mul, &[a1, b0]), c.op(Prim::Mul, &[a0, b1]));
    let high = c.op(Prim::Mul, &[a1, b1]);
    let carry = c.shift(Prim::Shr, low, 32);
    let (m1_low, m2_low) = (c.and(m1, mask), c.and(m2, mask));
    let middle = c.op(Prim::Add, &[carry, m1_low]);
    let middle = c.op(Prim::Add, &[middle, m2_low]);
    let (x, y, z) = (c.shift(Prim::Shr, m1, 32), c.shift(Prim::Shr, m2, 32), c.shift(Prim::Shr, middle, 32));
    let v = c.op(Prim::Add, &[high, x]);
    let v = c.op(Prim::Add, &[v, y]);
    c.op(Prim::Add, &[v, z])
}

/// Quotient or remainder of words: the binary64 quotient of two 32-bit integers lies on the right side of every integer.
fn quotient(c: &mut Code, signed: bool, rest: bool) -> Id {
    let as_double = |c: &mut Code, v: Id| {
        if signed {
            return c.of_int(Ty::F64, Direction::Nearest, v);
        }
        let flip = c.int(i32::MIN);
        let flipped = c.op(Prim::Xor, &[v, flip]);
        let v = c.of_int(Ty::F64, Direction::Nearest, flipped);
        let middle = c.number(Ty::F64, 2_147_483_648.0);
        c.fadd(Mode::PLAIN, v, middle)
    };
    let (a, b) = (as_double(c, 0), as_double(c, 1));
    let q = c.fdiv(Mode::PLAIN, a, b);
    let q = c.round(Direction::Zero, q);
    let q = if signed {
        // INT_MIN / -1 is out of range and gives INT_MIN.
        c.op(Prim::ToInt, &[q])
    } else {
        let (middle, flip) = (c.number(Ty::F64, 2_147_483_648.0), c.int(i32::MIN));
        let v = c.fsub(Mode::PLAIN, q, middle);
        let v = c.op(Prim::ToInt, &[v]);
        c.op(Prim::Xor, &[v, flip])
    };
    let (zero, ones) = (c.int(0), c.int(-1));
    let by_zero = c.op(Prim::Eq, &[1, zero]);
    if !rest {
        return c.select(by_zero, if signed { zero } else { ones }, q);
    }
    let back = c.op(Prim::Mul, &[q, 1]);
    let r = c.op(Prim::Sub, &[0, back]);
    c.select(by_zero, ones, r)
}

/// Index of the highest set bit, -1 if none.
fn top_bit(c: &mut Code, v: Id, last: i32) -> Id {
    let (zeros, last) = (c.op(Prim::LeadingZeros, &[v]), c.int(last));
    c.op(Prim::Sub, &[last, zeros])
}

/// Bits in the reverse order: neighbours change places, then pairs, and so on.
fn reversed(c: &mut Code) -> Id {
    let mut v = 0;
    for (shift, mask) in [(1, 0x5555_5555), (2, 0x3333_3333), (4, 0x0f0f_0f0f), (8, 0x00ff_00ff), (16, 0x0000_ffff)] {
        let mask = c.int(mask);
        let high = c.shift(Prim::Shr, v, shift);
        let (high, low) = (c.and(high, mask), c.and(v, mask));
        let low = c.shift(Prim::Shl, low, shift);
        v = c.or(high, low);
    }
    v
}

/// A bit field of a: offset b, width c, clipped at bit 31.
fn field(c: &mut Code, signed: bool) -> Id {
    let (mask, all, zero) = (c.int(31), c.int(32), c.int(0));
    let offset = c.and(1, mask);
    let width = c.and(2, mask);
    // Bits above the field are pushed out at the top, then those below at the bottom.
    let end = c.op(Prim::Add, &[offset, width]);
    let past = c.op(Prim::Lt, &[all, end]);
    let end = c.select(past, all, end);
    let kept = c.op(Prim::Sub, &[end, offset]);
    let up = c.op(Prim::Sub, &[all, end]);
    let v = c.op(Prim::Shl, &[0, up]);
    let down = c.op(Prim::Sub, &[all, kept]);
    let v = c.op(if signed { Prim::Sar } else { Prim::Shr }, &[v, down]);
    let none = c.op(Prim::Eq, &[width, zero]);
    let v = c.select(none, zero, v);
    // Width 32 with offset 0 is the whole word.
    let (is_all, at_zero) = (c.op(Prim::Eq, &[2, all]), c.op(Prim::Eq, &[offset, zero]));
    let whole = c.and(is_all, at_zero);
    c.select(whole, 0, v)
}

/// a with the low d bits of b at offset c.
fn insert(c: &mut Code) -> Id {
    let (mask, one, ones, all) = (c.int(31), c.int(1), c.int(-1), c.int(32));
    let (offset, width) = (c.and(2, mask), c.and(3, mask));
    let field = c.op(Prim::Shl, &[one, width]);
    let field = c.op(Prim::Sub, &[field, one]);
    let field = c.op(Prim::Shl, &[field, offset]);
    let inserted = c.op(Prim::Shl, &[1, offset]);
    let inserted = c.and(inserted, field);
    let rest = c.op(Prim::Xor, &[field, ones]);
    let rest = c.and(0, rest);
    let v = c.or(inserted, rest);
    let whole = c.op(Prim::Eq, &[3, all]);
    c.select(whole, 1, v)
}

/// The function of a, b, c that the table d says: the sum of its true rows.
fn lookup(c: &mut Code) -> Id {
    let (ones, one) = (c.int(-1), c.int(1));
    let not: Vec<Id> = (0..3).map(|n| c.op(Prim::Xor, &[n, ones])).collect();
    let mut sum = c.int(0);
    for row in 0..8u32 {
        let bit = c.shift(Prim::Shr, 3, row as i32);
        let bit = c.and(bit, one);
        let zero = c.int(0);
        let all = c.op(Prim::Sub, &[zero, bit]);
        let pick = |n: usize| if row >> (2 - n) & 1 != 0 { n as Id } else { not[n] };
        let (x, y, z) = (pick(0), pick(1), pick(2));
        let v = c.and(x, y);
        let v = c.and(v, z);
        let v = c.and(v, all);
        sum = c.or(sum, v);
    }
    sum
}
