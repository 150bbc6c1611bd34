//! Operations on bits alone: integers, predicates, sign moves.

use super::{Kernel, RowFn, rows};
use crate::soft::integer::integer;
use crate::{Op, Rule, Storage};

macro_rules! integer_rows {
    ($op:ident: $($one:ident)* ; $($two:ident)* ; $($three:ident)* ; $($four:ident)*) => {
        match $op {
            $(Op::$one => |k, a, o| rows::<1>(k, a, o, |v, _| integer(Op::$one, &v)),)*
            $(Op::$two => |k, a, o| rows::<2>(k, a, o, |v, _| integer(Op::$two, &v)),)*
            $(Op::$three => |k, a, o| rows::<3>(k, a, o, |v, _| integer(Op::$three, &v)),)*
            $(Op::$four => |k, a, o| rows::<4>(k, a, o, |v, _| integer(Op::$four, &v)),)*
            _ => return None,
        }
    };
}

/// Integer and logic operations: the operation is known inside each loop, so nothing is decided per lane.
pub(super) fn select_integer(op: Op) -> Option<RowFn> {
    Some(integer_rows!(op:
        Inot Ineg Iabs Isign Brev Popc Lsb Umsb Imsb Pnot CcEq CcNe CcLt CcLe CcGt CcGe
        Low High Sext64 Zext64 Inot64 Ineg64 Iabs64 Isign64 Umsb64;
        Iadd Isub Imul ImulHi UmulHi Idiv Imod Udiv Umod Iand Ior Ixor Shl Ishr Ushr Imin Imax Umin Umax
        Ieq Ine Ilt Ile Ult Ule Pand Por Pxor Join
        Iadd64 Isub64 Imul64 ImulHi64 UmulHi64 Idiv64 Imod64 Udiv64 Umod64 Iand64 Ior64 Ixor64 Shl64 Ishr64 Ushr64
        Imin64 Imax64 Umin64 Umax64 Ieq64 Ine64 Ilt64 Ile64 Ult64 Ule64;
        Ibfe Ubfe FunnelShl FunnelShr Prmt;
        Bfi Lop3))
}

fn flip(kernel: &Kernel, args: &[&[u64]], out: &mut [u64]) {
    let sign = kernel.rule.storage.sign_bit();
    rows::<1>(kernel, args, out, |[w], _| w ^ sign);
}

fn clear(kernel: &Kernel, args: &[&[u64]], out: &mut [u64]) {
    let sign = kernel.rule.storage.sign_bit();
    rows::<1>(kernel, args, out, |[w], _| w & !sign);
}

fn low_word(kernel: &Kernel, args: &[&[u64]], out: &mut [u64]) {
    rows::<1>(kernel, args, out, |[w], _| w & 0xffff_ffff);
}

fn whole(kernel: &Kernel, args: &[&[u64]], out: &mut [u64]) {
    rows::<1>(kernel, args, out, |[w], _| w);
}

fn low_half(kernel: &Kernel, args: &[&[u64]], out: &mut [u64]) {
    rows::<1>(kernel, args, out, |[w], _| w & 0xffff);
}

/// Moves of the bits family.
pub(super) fn select_moves(op: Op, rule: &Rule) -> Option<RowFn> {
    let same = rule.decl.format().storage() == rule.storage;
    Some(match op {
        Op::Neg if rule.storage.sign_bit() != 0 => flip,
        Op::Abs if rule.storage.sign_bit() != 0 => clear,
        Op::BitsOf if same => low_word,
        Op::BitsTo | Op::BitsOf64 | Op::BitsTo64 if same => match rule.storage {
            Storage::F16 => low_half,
            Storage::F32 | Storage::Fixed(_) => low_word,
            Storage::F64 if op == Op::BitsTo => return None,
            Storage::F64 => whole,
        },
        _ => return None,
    })
}
