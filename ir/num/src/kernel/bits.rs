//! Operations on bits alone: integers, predicates, sign moves.

use super::{Kernel, LaneWord, Row, RowFn, RowMut, rows};
use crate::processor::Baseline;
use crate::soft::integer::integer;
use crate::{Op, Rule, Storage};

/// A row function for each operation, by the words of operands and results.
macro_rules! integer_rows {
    ($op:ident: $($operand:ident -> $result:ident, $n:literal: $($name:ident)*;)+) => {
        match $op {
            $($(Op::$name => |k, a, o| {
                rows::<$n, $operand, $result, Baseline>(k, a, o, #[inline(always)] |v, _| integer(Op::$name, &v))
            },)*)+
            _ => return None,
        }
    };
}

/// Integer and logic operations: the operation is known inside each loop, so nothing is decided per lane. Shifts of 64 bits
/// read their amount from narrower words than the rest.
pub(super) fn select_integer(op: Op) -> Option<RowFn> {
    Some(integer_rows!(op:
        u32 -> u32, 1: Inot Ineg Iabs Isign Brev Popc Lsb Umsb Imsb;
        u8 -> u8, 1: Pnot CcEq CcNe CcLt CcLe CcGt CcGe;
        u64 -> u32, 1: Low High Umsb64;
        u32 -> u64, 1: Sext64 Zext64;
        u64 -> u64, 1: Inot64 Ineg64 Iabs64 Isign64;
        u32 -> u32, 2: Iadd Isub Imul ImulHi UmulHi Idiv Imod Udiv Umod Iand Ior Ixor Shl Ishr Ushr Imin Imax Umin Umax;
        u32 -> u8, 2: Ieq Ine Ilt Ile Ult Ule;
        u8 -> u8, 2: Pand Por Pxor;
        u32 -> u64, 2: Join;
        u64 -> u64, 2: Iadd64 Isub64 Imul64 ImulHi64 UmulHi64 Idiv64 Imod64 Udiv64 Umod64 Iand64 Ior64 Ixor64 Shl64
            Ishr64 Ushr64 Imin64 Imax64 Umin64 Umax64;
        u64 -> u8, 2: Ieq64 Ine64 Ilt64 Ile64 Ult64 Ule64;
        u32 -> u32, 3: Ibfe Ubfe FunnelShl FunnelShr Prmt;
        u32 -> u32, 4: Bfi Lop3;
    ))
}

fn flip<W: LaneWord>(kernel: &Kernel, args: &[Row<'_>], out: RowMut<'_>) {
    let sign = kernel.rule.storage.sign_bit();
    rows::<1, W, W, Baseline>(
        kernel,
        args,
        out,
        #[inline(always)]
        |[w], _| w ^ sign,
    );
}

fn clear<W: LaneWord>(kernel: &Kernel, args: &[Row<'_>], out: RowMut<'_>) {
    let sign = kernel.rule.storage.sign_bit();
    rows::<1, W, W, Baseline>(
        kernel,
        args,
        out,
        #[inline(always)]
        |[w], _| w & !sign,
    );
}

/// The low bits, as many as the wider of the two has.
fn same<I: LaneWord, O: LaneWord>(kernel: &Kernel, args: &[Row<'_>], out: RowMut<'_>) {
    rows::<1, I, O, Baseline>(
        kernel,
        args,
        out,
        #[inline(always)]
        |[w], _| w,
    );
}

/// A function of the words of a container.
macro_rules! by_storage {
    ($storage:expr, $word:ident => $function:expr) => {
        match $storage {
            Storage::F16 => {
                type $word = u16;
                $function
            }
            Storage::F32 | Storage::Fixed(_) => {
                type $word = u32;
                $function
            }
            Storage::F64 => {
                type $word = u64;
                $function
            }
        }
    };
}

/// Moves of the bits family.
pub(super) fn select_moves(op: Op, rule: &Rule) -> Option<RowFn> {
    let storage = rule.storage;
    let is_declared = rule.decl.format().storage() == storage;
    let run: RowFn = match op {
        Op::Neg if storage.sign_bit() != 0 => by_storage!(storage, Word => flip::<Word>),
        Op::Abs if storage.sign_bit() != 0 => by_storage!(storage, Word => clear::<Word>),
        Op::BitsOf if is_declared => by_storage!(storage, Word => same::<Word, u32>),
        Op::BitsTo if is_declared && storage != Storage::F64 => by_storage!(storage, Word => same::<u32, Word>),
        Op::BitsOf64 if is_declared => by_storage!(storage, Word => same::<Word, u64>),
        Op::BitsTo64 if is_declared => by_storage!(storage, Word => same::<u64, Word>),
        _ => return None,
    };
    Some(run)
}
