//! `parallax_num::arithmetic` in programs: every operation adds its instruction.

use crate::prim::{Direction, Mode, Prim, Ty};
use crate::program::{Code, Emit, Id, Inst};
use parallax_num::arithmetic::{Choice, Doubles, Floats, Integer, Integers, Numbers, Singles, Values};
use parallax_num::nv_sfu::{Operand, Table, Unit};

/// A program that steps are added to.
pub(super) struct Steps<'c> {
    pub(super) code: &'c mut Code,
    /// Type of numbers.
    ty: Ty,
    /// How steps of numbers are rounded, and whether tiny results are flushed.
    mode: Mode,
    /// Whether a product and the sum with it are rounded once.
    fused: bool,
}

impl<'c> Steps<'c> {
    /// Binary32 rounded to nearest.
    pub(super) fn single(code: &'c mut Code, flush: bool, fused: bool) -> Steps<'c> {
        Steps { code, ty: Ty::F32, mode: Mode { direction: Direction::Nearest, flush }, fused }
    }

    /// Binary64 rounded to nearest, for results that are never tiny.
    pub(super) fn double(code: &'c mut Code) -> Steps<'c> {
        let mode = code.plain();
        Steps { code, ty: Ty::F64, mode, fused: true }
    }
}

impl Values for Steps<'_> {
    type Word = Id;
    type Long = Id;
    type Truth = Id;

    fn word(&mut self, n: i32) -> Id {
        self.code.int(n)
    }

    fn long(&mut self, n: u64) -> Id {
        self.code.long(n)
    }

    fn low(&mut self, v: Id) -> Id {
        self.code.op(Prim::Low, &[v])
    }

    fn zext(&mut self, v: Id) -> Id {
        self.code.op(Prim::Zext, &[v])
    }

    fn sext(&mut self, v: Id) -> Id {
        self.code.op(Prim::Sext, &[v])
    }

    fn not(&mut self, a: Id) -> Id {
        self.code.not(a)
    }

    fn both(&mut self, a: Id, b: Id) -> Id {
        self.code.and(a, b)
    }

    fn either(&mut self, a: Id, b: Id) -> Id {
        self.code.or(a, b)
    }
}

impl Choice<Id> for Steps<'_> {
    fn select(&mut self, condition: Id, a: Id, b: Id) -> Id {
        self.code.select(condition, a, b)
    }
}

impl Integer<Id> for Steps<'_> {
    fn add(&mut self, a: Id, b: Id) -> Id {
        self.code.op(Prim::Add, &[a, b])
    }

    fn sub(&mut self, a: Id, b: Id) -> Id {
        self.code.op(Prim::Sub, &[a, b])
    }

    fn mul(&mut self, a: Id, b: Id) -> Id {
        self.code.op(Prim::Mul, &[a, b])
    }

    fn and(&mut self, a: Id, b: Id) -> Id {
        self.code.and(a, b)
    }

    fn or(&mut self, a: Id, b: Id) -> Id {
        self.code.or(a, b)
    }

    fn xor(&mut self, a: Id, b: Id) -> Id {
        self.code.op(Prim::Xor, &[a, b])
    }

    fn shl_by(&mut self, v: Id, amount: Id) -> Id {
        self.code.op(Prim::Shl, &[v, amount])
    }

    fn shr_by(&mut self, v: Id, amount: Id) -> Id {
        self.code.op(Prim::Shr, &[v, amount])
    }

    fn sar_by(&mut self, v: Id, amount: Id) -> Id {
        self.code.op(Prim::Sar, &[v, amount])
    }

    fn leading_zeros(&mut self, v: Id) -> Id {
        self.code.op(Prim::LeadingZeros, &[v])
    }

    fn equal(&mut self, a: Id, b: Id) -> Id {
        self.code.op(Prim::Eq, &[a, b])
    }

    fn less(&mut self, a: Id, b: Id) -> Id {
        self.code.op(Prim::Lt, &[a, b])
    }
}

impl Numbers for Steps<'_> {
    type Number = Id;

    fn number(&mut self, v: f64) -> Id {
        self.code.number(self.ty, v)
    }

    fn fsub(&mut self, a: Id, b: Id) -> Id {
        self.code.fsub(self.mode, a, b)
    }

    fn fmul(&mut self, a: Id, b: Id) -> Id {
        self.code.fmul(self.mode, a, b)
    }
}

impl Floats for Steps<'_> {
    fn fadd(&mut self, a: Id, b: Id) -> Id {
        self.code.fadd(self.mode, a, b)
    }

    fn fdiv(&mut self, a: Id, b: Id) -> Id {
        self.code.fdiv(self.mode, a, b)
    }

    fn mad(&mut self, a: Id, b: Id, c: Id) -> Id {
        if self.fused {
            return self.code.float(Prim::Fma, self.mode, &[a, b, c]);
        }
        let product = self.fmul(a, b);
        self.fadd(product, c)
    }
}

impl Singles for Steps<'_> {
    fn bits(&mut self, v: Id) -> Id {
        self.code.bits(v)
    }

    fn float(&mut self, bits: Id) -> Id {
        self.code.float_of(bits)
    }

    fn fabs(&mut self, a: Id) -> Id {
        self.code.op(Prim::Fabs, &[a])
    }

    fn fless(&mut self, a: Id, b: Id) -> Id {
        self.code.op(Prim::Flt, &[a, b])
    }

    fn floor(&mut self, v: Id) -> Id {
        self.code.round(Direction::Down, v)
    }

    fn to_integer(&mut self, v: Id) -> Id {
        self.code.op(Prim::ToInt, &[v])
    }

    fn of_integer(&mut self, v: Id) -> Id {
        self.code.of_int(self.ty, Direction::Nearest, v)
    }
}

impl Doubles for Steps<'_> {
    fn bits(&mut self, v: Id) -> Id {
        self.code.bits(v)
    }

    fn float(&mut self, bits: Id) -> Id {
        self.code.float_of(bits)
    }

    fn fneg(&mut self, a: Id) -> Id {
        self.code.op(Prim::Fneg, &[a])
    }

    fn sqrt(&mut self, v: Id) -> Id {
        self.code.float(Prim::Fsqrt, self.mode, &[v])
    }
}

/// Results are patterns of binary32.
impl Unit for Steps<'_> {
    type Output = Id;

    fn row(&mut self, table: Table, number: Id) -> Id {
        self.code.emit(Inst::new(Prim::Table, Ty::I64, crate::Table::Unit(table).number(), &[number]))
    }

    fn finite(&mut self, exp: Id, fraction: Id) -> Id {
        let biased = self.plus(exp, 127);
        let up = self.shl(biased, 23);
        self.or(up, fraction)
    }

    fn special(&mut self, v: f32) -> Id {
        let bits = if v.is_nan() { 0x7fc0_0000 } else { v.to_bits() };
        self.word(bits.cast_signed())
    }

    fn signed(&mut self, v: Id, sign: Id) -> Id {
        self.or(v, sign)
    }

    fn choose(&mut self, condition: Id, a: Id, b: Id) -> Id {
        self.select(condition, a, b)
    }

    fn underflow(&mut self, x: &Operand<Self>, tiny: Id, v: Id) -> Id {
        if self.mode.flush {
            let zero = self.word(0);
            return self.select(tiny, zero, v);
        }
        let special = self.either(x.zero, x.infinite);
        let special = self.either(special, x.nan);
        let ordinary = self.not(special);
        let tiny = self.both(ordinary, tiny);
        self.code.slow(tiny);
        v
    }
}
