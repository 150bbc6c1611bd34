//! The primitives at the level of AVX2, one pattern each.
//!
//! A pattern writes its result last, or as one instruction: the place of the result may be that of an operand that is not
//! needed any more, or the third scratch register. Fuel, which cannot, is early in [`parallax_lane::Op::is_early`].

use super::{Avx2, Line, S0, S1, S2, TEMPORARY, ymm};
use crate::emit::Emitter;
use crate::layout;
use crate::operand::Operand;
use iced_x86::Code;
use parallax_lane::{Part, Reg};
use parallax_step::{Direction, Mode, Prim, Table, Ty};

const fn is_wide(ty: Ty) -> bool {
    matches!(ty, Ty::F64 | Ty::I64)
}

/// Immediate of `vround` and `vcvtps2ph`.
const fn rounding(direction: Direction) -> u8 {
    match direction {
        Direction::Nearest => 0,
        Direction::Down => 1,
        Direction::Up => 2,
        Direction::Zero => 3,
    }
}

/// Predicates of comparisons.
const EQUAL: u8 = 0;
const LESS: u8 = 1;
const LESS_OR_EQUAL: u8 = 2;
const UNORDERED: u8 = 3;
const UNEQUAL: u8 = 4;
const MORE_OR_EQUAL: u8 = 13;
const MORE: u8 = 14;
const ORDERED: u8 = 7;
const UNEQUAL_AND_ORDERED: u8 = 12;

impl Emitter<'_, Avx2> {
    /// A primitive.
    pub(super) fn step(&mut self, prim: Prim, ty: Ty, imm: u64, part: Part, uses: &[Reg], def: Reg) {
        let wide = is_wide(ty);
        let by = |single: Code, double: Code| if wide { double } else { single };
        let direction = Mode::from_word(imm).map_or(Direction::Nearest, |mode| mode.direction);
        let to = self.result(def);
        match prim {
            Prim::Const => {
                let code =
                    if imm & 1 != 0 { Code::VEX_Vpcmpeqd_ymm_ymm_ymmm256 } else { Code::VEX_Vpxor_ymm_ymm_ymmm256 };
                self.asm.op(code, &[ymm(to), ymm(to), ymm(to)]);
            }
            Prim::Select if uses.len() == 2 => {
                let lanes = self.mask_of(uses[0], part, S0);
                let chosen = self.operand(uses[1]);
                self.asm.op(Code::VEX_Vpand_ymm_ymm_ymmm256, &[ymm(to), ymm(lanes), chosen]);
            }
            Prim::Select => {
                let lanes = self.mask_of(uses[0], part, S0);
                let other = self.load(uses[2], S1);
                let chosen = self.operand(uses[1]);
                self.asm.op(Code::VEX_Vblendvps_ymm_ymm_ymmm256_ymm, &[ymm(to), ymm(other), chosen, ymm(lanes)]);
            }
            Prim::Fmin => self.two(by(Code::VEX_Vminps_ymm_ymm_ymmm256, Code::VEX_Vminpd_ymm_ymm_ymmm256), uses, to),
            Prim::Fmax => self.two(by(Code::VEX_Vmaxps_ymm_ymm_ymmm256, Code::VEX_Vmaxpd_ymm_ymm_ymmm256), uses, to),
            Prim::Fadd => self.two(by(Code::VEX_Vaddps_ymm_ymm_ymmm256, Code::VEX_Vaddpd_ymm_ymm_ymmm256), uses, to),
            Prim::Fsub => self.two(by(Code::VEX_Vsubps_ymm_ymm_ymmm256, Code::VEX_Vsubpd_ymm_ymm_ymmm256), uses, to),
            Prim::Fmul => self.two(by(Code::VEX_Vmulps_ymm_ymm_ymmm256, Code::VEX_Vmulpd_ymm_ymm_ymmm256), uses, to),
            Prim::Fmulz => self.product(wide, uses, to),
            Prim::Fdiv => self.two(by(Code::VEX_Vdivps_ymm_ymm_ymmm256, Code::VEX_Vdivpd_ymm_ymm_ymmm256), uses, to),
            Prim::Fsqrt => self.one(by(Code::VEX_Vsqrtps_ymm_ymmm256, Code::VEX_Vsqrtpd_ymm_ymmm256), uses, to),
            Prim::Fma => self.fma(wide, uses, to),
            Prim::FaddOdd => self.add_odd(uses, to),
            Prim::Fneg => {
                let sign = if wide { Line::Sign64 } else { Line::Sign32 };
                self.with(Code::VEX_Vxorps_ymm_ymm_ymmm256, uses[0], sign, to);
            }
            Prim::Fabs => {
                let magnitude = if wide { Line::Magnitude64 } else { Line::Magnitude32 };
                self.with(Code::VEX_Vandps_ymm_ymm_ymmm256, uses[0], magnitude, to);
            }
            Prim::Round => {
                let from = self.operand(uses[0]);
                let code = by(Code::VEX_Vroundps_ymm_ymmm256_imm8, Code::VEX_Vroundpd_ymm_ymmm256_imm8);
                self.asm.op(code, &[ymm(to), from, Operand::Imm(rounding(direction))]);
            }
            Prim::Flush => self.flush(wide, uses[0], to),
            Prim::First => self.first(wide, uses, to),
            Prim::Feq | Prim::Flt | Prim::Fle | Prim::Funo | Prim::Eq | Prim::Lt | Prim::Ult | Prim::Disjoint => {
                self.compare(prim, wide, uses, to);
            }
            Prim::Widen => {
                let from = self.half(uses[0], part, S0);
                self.asm.op(Code::VEX_Vcvtps2pd_ymm_xmmm128, &[ymm(to), from]);
            }
            Prim::Narrow => self.halves(Code::VEX_Vcvtpd2ps_xmm_ymmm256, uses, to),
            Prim::FromHalf => {
                let from = self.load(uses[0], S0);
                self.asm.op(Code::VEX_Vpshufb_ymm_ymm_ymmm256, &[ymm(S0), ymm(from), Line::PackWords.operand()]);
                let order = Operand::Imm(0b11_01_10_00);
                self.asm.op(Code::VEX_Vpermq_ymm_ymmm256_imm8, &[ymm(S0), ymm(S0), order]);
                self.asm.op(Code::VEX_Vcvtph2ps_ymm_xmmm128, &[ymm(to), Operand::Xmm(S0)]);
            }
            Prim::ToHalf => {
                let from = self.load(uses[0], S0);
                let operands = [Operand::Xmm(S0), ymm(from), Operand::Imm(rounding(direction))];
                self.asm.op(Code::VEX_Vcvtps2ph_xmmm128_ymm_imm8, &operands);
                self.asm.op(Code::VEX_Vpmovzxwd_ymm_xmmm128, &[ymm(to), Operand::Xmm(S0)]);
            }
            Prim::FromInt if wide => {
                let from = self.half(uses[0], part, S0);
                self.asm.op(Code::VEX_Vcvtdq2pd_ymm_xmmm128, &[ymm(to), from]);
            }
            Prim::FromInt => self.one(Code::VEX_Vcvtdq2ps_ymm_ymmm256, uses, to),
            Prim::ToInt if wide => self.halves(Code::VEX_Vcvttpd2dq_xmm_ymmm256, uses, to),
            Prim::ToInt => self.one(Code::VEX_Vcvttps2dq_ymm_ymmm256, uses, to),
            Prim::Add => self.either(by(Code::VEX_Vpaddd_ymm_ymm_ymmm256, Code::VEX_Vpaddq_ymm_ymm_ymmm256), uses, to),
            Prim::Sub => self.two(by(Code::VEX_Vpsubd_ymm_ymm_ymmm256, Code::VEX_Vpsubq_ymm_ymm_ymmm256), uses, to),
            Prim::Mul if wide => self.multiply(uses, to),
            Prim::Mul => self.two(Code::VEX_Vpmulld_ymm_ymm_ymmm256, uses, to),
            Prim::And => self.either(Code::VEX_Vpand_ymm_ymm_ymmm256, uses, to),
            Prim::Or => self.either(Code::VEX_Vpor_ymm_ymm_ymmm256, uses, to),
            Prim::Xor => self.either(Code::VEX_Vpxor_ymm_ymm_ymmm256, uses, to),
            Prim::Not => self.with(Code::VEX_Vpxor_ymm_ymm_ymmm256, uses[0], Line::Ones, to),
            Prim::Shl | Prim::Shr | Prim::Sar => self.shift(prim, part, wide, uses, to),
            Prim::LeadingZeros if wide => self.counted(Self::leading_zeros_64, uses, to),
            Prim::LeadingZeros => self.leading_zeros(uses[0], to),
            Prim::Ones if wide => self.counted(Self::ones_64, uses, to),
            Prim::Ones => {
                self.ones_of_bytes(uses[0]);
                self.asm.op(Code::VEX_Vpmaddubsw_ymm_ymm_ymmm256, &[ymm(S0), ymm(S0), Line::Byte.operand()]);
                self.asm.op(Code::VEX_Vpmaddwd_ymm_ymm_ymmm256, &[ymm(to), ymm(S0), Line::Short.operand()]);
            }
            Prim::Low => {
                let (low, high) = (self.load(uses[0], S0), self.operand(uses[1]));
                self.join(to, low, high);
            }
            Prim::Zext | Prim::Sext => {
                let from = self.half(uses[0], part, S0);
                let code =
                    if prim == Prim::Zext { Code::VEX_Vpmovzxdq_ymm_xmmm128 } else { Code::VEX_Vpmovsxdq_ymm_xmmm128 };
                self.asm.op(code, &[ymm(to), from]);
            }
            Prim::Table => self.table(imm, part, uses[0], to),
            // `bits` and `float` are no instructions.
            _ => self.load_to(uses[0], to),
        }
        self.store(def);
    }

    /// One operand, one instruction.
    fn one(&mut self, code: Code, uses: &[Reg], to: u8) {
        let from = self.operand(uses[0]);
        self.asm.op(code, &[ymm(to), from]);
    }

    /// Two operands, one instruction.
    fn two(&mut self, code: Code, uses: &[Reg], to: u8) {
        let a = self.load(uses[0], S0);
        let b = self.operand(uses[1]);
        self.asm.op(code, &[ymm(to), ymm(a), b]);
    }

    /// A product that is +0 where an operand is a zero. A third operand has all bits but the sign if the one that is the same in
    /// all lanes is no zero, and none if it is one.
    fn product(&mut self, wide: bool, uses: &[Reg], to: u8) {
        let by = |single: Code, double: Code| if wide { double } else { single };
        let compare = by(Code::VEX_Vcmpps_ymm_ymm_ymmm256_imm8, Code::VEX_Vcmppd_ymm_ymm_ymmm256_imm8);
        let not_zero = |to: u8, from: u8| [ymm(to), ymm(from), Line::Zero.operand(), Operand::Imm(UNEQUAL)];
        let code = by(Code::VEX_Vmulps_ymm_ymm_ymmm256, Code::VEX_Vmulpd_ymm_ymm_ymmm256);
        if let Some(&digits) = uses.get(2) {
            let varying = usize::from(self.is_uniform(uses[0]));
            let vector = self.load(uses[varying], S0);
            let digits = self.operand(digits);
            self.asm.op(Code::VEX_Vpand_ymm_ymm_ymmm256, &[ymm(S2), ymm(vector), digits]);
            let zero = by(Code::VEX_Vpcmpeqd_ymm_ymm_ymmm256, Code::VEX_Vpcmpeqq_ymm_ymm_ymmm256);
            self.asm.op(zero, &[ymm(S2), ymm(S2), Line::Zero.operand()]);
            if varying == 0 {
                let other = self.operand(uses[1]);
                self.asm.op(code, &[ymm(S0), ymm(vector), other]);
            } else {
                let other = self.load(uses[0], S1);
                self.asm.op(code, &[ymm(S0), ymm(other), ymm(vector)]);
            }
            return self.asm.op(Code::VEX_Vpandn_ymm_ymm_ymmm256, &[ymm(to), ymm(S2), ymm(S0)]);
        }
        let (a, b) = (self.load(uses[0], S0), self.load(uses[1], S1));
        self.asm.op(compare, &not_zero(S2, a));
        self.asm.op(code, &[ymm(S0), ymm(a), ymm(b)]);
        self.asm.op(compare, &not_zero(S1, b));
        self.asm.op(Code::VEX_Vpand_ymm_ymm_ymmm256, &[ymm(S2), ymm(S2), ymm(S1)]);
        self.asm.op(Code::VEX_Vpand_ymm_ymm_ymmm256, &[ymm(to), ymm(S0), ymm(S2)]);
    }

    /// Two operands whose order does not matter, one instruction: the last one may be in memory.
    fn either(&mut self, code: Code, uses: &[Reg], to: u8) {
        let order = if self.register(uses[0]).is_none() { [uses[1], uses[0]] } else { [uses[0], uses[1]] };
        self.two(code, &order, to);
    }

    /// An operand and a line.
    fn with(&mut self, code: Code, from: Reg, line: Line, to: u8) {
        let from = self.load(from, to);
        self.asm.op(code, &[ymm(to), ymm(from), line.operand()]);
    }

    /// a * b + c. The form is chosen by where the result goes; in all of them a NaN among a, b, c is taken in this order.
    fn fma(&mut self, wide: bool, uses: &[Reg], to: u8) {
        let by = |single: Code, double: Code| if wide { double } else { single };
        let first = by(Code::VEX_Vfmadd132ps_ymm_ymm_ymmm256, Code::VEX_Vfmadd132pd_ymm_ymm_ymmm256);
        let second = by(Code::VEX_Vfmadd213ps_ymm_ymm_ymmm256, Code::VEX_Vfmadd213pd_ymm_ymm_ymmm256);
        let third = by(Code::VEX_Vfmadd231ps_ymm_ymm_ymmm256, Code::VEX_Vfmadd231pd_ymm_ymm_ymmm256);
        let is = |emitter: &Self, n: usize| emitter.register(uses[n]) == Some(to);
        // (form, what stands in the result's register, the middle operand, the last one, which may be in memory)
        let (code, tied, middle, last) = if is(self, 0) {
            (first, 0, 2, 1)
        } else if is(self, 1) {
            (second, 1, 0, 2)
        } else if is(self, 2) {
            (third, 2, 0, 1)
        } else if self.register(uses[2]).is_none() {
            (second, 1, 0, 2)
        } else {
            (first, 0, 2, 1)
        };
        self.load_to(uses[tied], to);
        let middle = self.load(uses[middle], S0);
        let last = self.operand(uses[last]);
        self.asm.op(code, &[ymm(to), ymm(middle), last]);
    }

    /// The sum to nearest and its error; where there is one, of the two neighbours the odd one.
    fn add_odd(&mut self, uses: &[Reg], to: u8) {
        let (add, subtract) = (Code::VEX_Vaddpd_ymm_ymm_ymmm256, Code::VEX_Vsubpd_ymm_ymm_ymmm256);
        let (a, b) = (self.operand(uses[0]), self.operand(uses[1]));
        let one = Line::One64.operand();
        self.load_to(uses[0], S2);
        self.asm.op(add, &[ymm(S2), ymm(S2), b]);
        self.asm.op(subtract, &[ymm(S0), ymm(S2), a]);
        self.asm.op(subtract, &[ymm(S1), ymm(S2), ymm(S0)]);
        // Both parts of the error with the other sign, and then the error.
        self.asm.op(subtract, &[ymm(S1), ymm(S1), a]);
        self.asm.op(subtract, &[ymm(S0), ymm(S0), b]);
        self.asm.op(add, &[ymm(S1), ymm(S1), ymm(S0)]);
        let inexact = [ymm(S0), ymm(S1), Line::Zero.operand(), Operand::Imm(UNEQUAL_AND_ORDERED)];
        self.asm.op(Code::VEX_Vcmppd_ymm_ymm_ymmm256_imm8, &inexact);
        // One more where it has the sign of the sum, else one less.
        self.asm.op(Code::VEX_Vpxor_ymm_ymm_ymmm256, &[ymm(S1), ymm(S1), ymm(S2)]);
        self.asm.op(Code::VEX_Vpsrlq_ymm_ymm_imm8, &[ymm(S1), ymm(S1), Operand::Imm(63)]);
        self.asm.op(Code::VEX_Vpaddq_ymm_ymm_ymmm256, &[ymm(S1), ymm(S1), ymm(S1)]);
        self.asm.op(Code::VEX_Vpsubq_ymm_ymm_ymmm256, &[ymm(S1), ymm(S1), one]);
        self.asm.op(Code::VEX_Vpand_ymm_ymm_ymmm256, &[ymm(S1), ymm(S1), ymm(S0)]);
        // Odd ones stay.
        self.asm.op(Code::VEX_Vpand_ymm_ymm_ymmm256, &[ymm(S0), ymm(S2), one]);
        self.asm.op(Code::VEX_Vpsubq_ymm_ymm_ymmm256, &[ymm(S0), ymm(S0), one]);
        self.asm.op(Code::VEX_Vpand_ymm_ymm_ymmm256, &[ymm(S1), ymm(S1), ymm(S0)]);
        self.asm.op(Code::VEX_Vpaddq_ymm_ymm_ymmm256, &[ymm(to), ymm(S2), ymm(S1)]);
    }

    fn flush(&mut self, wide: bool, from: Reg, to: u8) {
        let (magnitude, denormals, sign, more) = if wide {
            (Line::Magnitude64, Line::Denormals64, Line::Sign64, Code::VEX_Vpcmpgtq_ymm_ymm_ymmm256)
        } else {
            (Line::Magnitude32, Line::Denormals32, Line::Sign32, Code::VEX_Vpcmpgtd_ymm_ymm_ymmm256)
        };
        let from = self.load(from, S0);
        self.asm.op(Code::VEX_Vpand_ymm_ymm_ymmm256, &[ymm(S1), ymm(from), magnitude.operand()]);
        self.asm.op(more, &[ymm(S1), ymm(S1), denormals.operand()]);
        self.asm.op(Code::VEX_Vpor_ymm_ymm_ymmm256, &[ymm(S1), ymm(S1), sign.operand()]);
        self.asm.op(Code::VEX_Vpand_ymm_ymm_ymmm256, &[ymm(to), ymm(from), ymm(S1)]);
    }

    /// The first operand unless it is NaN, then the first NaN among those from the third on, quieted, or the second. What
    /// does not need the first operand comes first: it is the one that is waited for.
    fn first(&mut self, wide: bool, uses: &[Reg], to: u8) {
        let by = |single: Code, double: Code| if wide { double } else { single };
        let compare = by(Code::VEX_Vcmpps_ymm_ymm_ymmm256_imm8, Code::VEX_Vcmppd_ymm_ymm_ymmm256_imm8);
        let blend = by(Code::VEX_Vblendvps_ymm_ymm_ymmm256_ymm, Code::VEX_Vblendvpd_ymm_ymm_ymmm256_ymm);
        let quiet = if wide { Line::Quiet64 } else { Line::Quiet32 };
        if uses.len() == 3 && uses[0] == uses[2] {
            let from = self.load(uses[0], S0);
            self.asm.op(compare, &[ymm(S1), ymm(from), ymm(from), Operand::Imm(UNORDERED)]);
            self.asm.op(Code::VEX_Vpand_ymm_ymm_ymmm256, &[ymm(S1), ymm(S1), quiet.operand()]);
            return self.asm.op(Code::VEX_Vpor_ymm_ymm_ymmm256, &[ymm(to), ymm(S1), ymm(from)]);
        }
        let mut chosen = self.operand(uses[1]);
        for &other in uses[2..].iter().rev() {
            let other = self.load(other, S0);
            self.asm.op(compare, &[ymm(S2), ymm(other), ymm(other), Operand::Imm(ORDERED)]);
            self.asm.op(Code::VEX_Vpor_ymm_ymm_ymmm256, &[ymm(S0), ymm(other), quiet.operand()]);
            self.asm.op(blend, &[ymm(S1), ymm(S0), chosen, ymm(S2)]);
            chosen = ymm(S1);
        }
        if chosen != ymm(S1) {
            self.load_to(uses[1], S1);
        }
        let value = self.load(uses[0], S0);
        self.asm.op(compare, &[ymm(S2), ymm(value), ymm(value), Operand::Imm(ORDERED)]);
        self.asm.op(blend, &[ymm(to), ymm(S1), ymm(value), ymm(S2)]);
    }

    fn compare(&mut self, prim: Prim, wide: bool, uses: &[Reg], to: u8) {
        if !wide {
            return self.compare_part(prim, wide, [uses[0], uses[1]], [S0, S1], to);
        }
        self.compare_part(prim, wide, [uses[0], uses[2]], [S0, S1], S0);
        if uses[0] == uses[1] && uses[2] == uses[3] {
            // The same in all lanes.
            return self.join(to, S0, ymm(S0));
        }
        self.compare_part(prim, wide, [uses[1], uses[3]], [S1, S2], S1);
        self.join(to, S0, ymm(S1));
    }

    /// One comparison, with two scratch registers.
    fn compare_part(&mut self, prim: Prim, wide: bool, [a, b]: [Reg; 2], [s, t]: [u8; 2], to: u8) {
        let by = |single: Code, double: Code| if wide { double } else { single };
        let more = by(Code::VEX_Vpcmpgtd_ymm_ymm_ymmm256, Code::VEX_Vpcmpgtq_ymm_ymm_ymmm256);
        let predicate = match prim {
            Prim::Feq => EQUAL,
            Prim::Flt => LESS,
            Prim::Fle => LESS_OR_EQUAL,
            Prim::Funo => UNORDERED,
            Prim::Eq => {
                let (a, b) = (self.load(a, s), self.operand(b));
                let code = by(Code::VEX_Vpcmpeqd_ymm_ymm_ymmm256, Code::VEX_Vpcmpeqq_ymm_ymm_ymmm256);
                return self.asm.op(code, &[ymm(to), ymm(a), b]);
            }
            Prim::Lt => {
                let (b, a) = (self.load(b, s), self.operand(a));
                return self.asm.op(more, &[ymm(to), ymm(b), a]);
            }
            Prim::Disjoint => {
                let (a, b) = (self.load(a, s), self.operand(b));
                self.asm.op(Code::VEX_Vpand_ymm_ymm_ymmm256, &[ymm(s), ymm(a), b]);
                let code = by(Code::VEX_Vpcmpeqd_ymm_ymm_ymmm256, Code::VEX_Vpcmpeqq_ymm_ymm_ymmm256);
                return self.asm.op(code, &[ymm(to), ymm(s), Line::Zero.operand()]);
            }
            _ => {
                // As signed numbers, with the other sign.
                let sign = if wide { Line::Sign64 } else { Line::Sign32 };
                self.with(Code::VEX_Vpxor_ymm_ymm_ymmm256, a, sign, s);
                self.with(Code::VEX_Vpxor_ymm_ymm_ymmm256, b, sign, t);
                return self.asm.op(more, &[ymm(to), ymm(t), ymm(s)]);
            }
        };
        let code = by(Code::VEX_Vcmpps_ymm_ymm_ymmm256_imm8, Code::VEX_Vcmppd_ymm_ymm_ymmm256_imm8);
        // The last operand may be in memory: where the first one is, they change places.
        let (a, b, predicate) = match predicate {
            LESS if self.register(a).is_none() => (b, a, MORE),
            LESS_OR_EQUAL if self.register(a).is_none() => (b, a, MORE_OR_EQUAL),
            _ => (a, b, predicate),
        };
        let (a, b) = (self.load(a, s), self.operand(b));
        self.asm.op(code, &[ymm(to), ymm(a), b, Operand::Imm(predicate)]);
    }

    /// Each half of a 64-bit value to 32 bits.
    fn halves(&mut self, code: Code, uses: &[Reg], to: u8) {
        for (&reg, scratch) in uses.iter().zip([S0, S1]) {
            let from = self.operand(reg);
            self.asm.op(code, &[Operand::Xmm(scratch), from]);
        }
        let operands = [ymm(to), ymm(S0), Operand::Xmm(S1), Operand::Imm(1)];
        self.asm.op(Code::VEX_Vinserti128_ymm_ymm_xmmm128_imm8, &operands);
    }

    /// The low half of a 64-bit product.
    fn multiply(&mut self, uses: &[Reg], to: u8) {
        let product = Code::VEX_Vpmuludq_ymm_ymm_ymmm256;
        let (a, b) = (self.load(uses[0], S0), self.operand(uses[1]));
        let upper = Operand::Imm(32);
        self.asm.op(Code::VEX_Vpsrlq_ymm_ymm_imm8, &[ymm(S2), ymm(a), upper]);
        self.asm.op(product, &[ymm(S2), ymm(S2), b]);
        let factor = self.load(uses[1], S1);
        self.asm.op(Code::VEX_Vpsrlq_ymm_ymm_imm8, &[ymm(S1), ymm(factor), upper]);
        self.asm.op(product, &[ymm(S1), ymm(S1), ymm(a)]);
        self.asm.op(Code::VEX_Vpaddq_ymm_ymm_ymmm256, &[ymm(S2), ymm(S2), ymm(S1)]);
        self.asm.op(Code::VEX_Vpsllq_ymm_ymm_imm8, &[ymm(S2), ymm(S2), upper]);
        self.asm.op(product, &[ymm(S1), ymm(a), b]);
        self.asm.op(Code::VEX_Vpaddq_ymm_ymm_ymmm256, &[ymm(to), ymm(S1), ymm(S2)]);
    }

    fn shift(&mut self, prim: Prim, part: Part, wide: bool, uses: &[Reg], to: u8) {
        let amount = match self.bits(uses[1]) {
            Some(bits) => Operand::Imm((bits % if wide { 64 } else { 32 }) as u8),
            None if wide => {
                let amount = self.half(uses[1], part, S1);
                self.asm.op(Code::VEX_Vpmovzxdq_ymm_xmmm128, &[ymm(S1), amount]);
                self.asm.op(Code::VEX_Vpand_ymm_ymm_ymmm256, &[ymm(S1), ymm(S1), Line::Amount64.operand()]);
                ymm(S1)
            }
            None => {
                self.with(Code::VEX_Vpand_ymm_ymm_ymmm256, uses[1], Line::Amount32, S1);
                ymm(S1)
            }
        };
        let fixed = matches!(amount, Operand::Imm(_));
        let code = match (prim, wide, fixed) {
            (Prim::Shl, false, true) => Code::VEX_Vpslld_ymm_ymm_imm8,
            (Prim::Shl, true, true) => Code::VEX_Vpsllq_ymm_ymm_imm8,
            (Prim::Shl, false, false) => Code::VEX_Vpsllvd_ymm_ymm_ymmm256,
            (Prim::Shl, true, false) => Code::VEX_Vpsllvq_ymm_ymm_ymmm256,
            (Prim::Sar, false, true) => Code::VEX_Vpsrad_ymm_ymm_imm8,
            (Prim::Sar, false, false) => Code::VEX_Vpsravd_ymm_ymm_ymmm256,
            (_, false, true) => Code::VEX_Vpsrld_ymm_ymm_imm8,
            (_, false, false) => Code::VEX_Vpsrlvd_ymm_ymm_ymmm256,
            (_, true, true) => Code::VEX_Vpsrlq_ymm_ymm_imm8,
            (_, true, false) => Code::VEX_Vpsrlvq_ymm_ymm_ymmm256,
        };
        if prim == Prim::Sar && wide {
            // Negative numbers are turned around, shifted with zeros from above, and turned back.
            let from = self.operand(uses[0]);
            self.asm.op(Code::VEX_Vpxor_ymm_ymm_ymmm256, &[ymm(S0), ymm(S0), ymm(S0)]);
            self.asm.op(Code::VEX_Vpcmpgtq_ymm_ymm_ymmm256, &[ymm(S0), ymm(S0), from]);
            self.asm.op(Code::VEX_Vpxor_ymm_ymm_ymmm256, &[ymm(S2), ymm(S0), from]);
            self.asm.op(code, &[ymm(S2), ymm(S2), amount]);
            return self.asm.op(Code::VEX_Vpxor_ymm_ymm_ymmm256, &[ymm(to), ymm(S2), ymm(S0)]);
        }
        let from = self.load(uses[0], S0);
        self.asm.op(code, &[ymm(to), ymm(from), amount]);
    }

    /// Zeros above the highest bit of 32-bit words: by the exponent of the number without the bit below the highest one, so
    /// that it is not rounded up.
    fn leading_zeros(&mut self, from: Reg, to: u8) {
        let from = self.load(from, S0);
        self.asm.op(Code::VEX_Vpsrld_ymm_ymm_imm8, &[ymm(S1), ymm(from), Operand::Imm(1)]);
        self.asm.op(Code::VEX_Vpandn_ymm_ymm_ymmm256, &[ymm(S1), ymm(S1), ymm(from)]);
        self.asm.op(Code::VEX_Vcvtdq2ps_ymm_ymmm256, &[ymm(S1), ymm(S1)]);
        self.asm.op(Code::VEX_Vpsrld_ymm_ymm_imm8, &[ymm(S1), ymm(S1), Operand::Imm(23)]);
        self.asm.op(Code::VEX_Vmovdqa_ymm_ymmm256, &[ymm(S0), Line::Top32.operand()]);
        self.asm.op(Code::VEX_Vpsubd_ymm_ymm_ymmm256, &[ymm(S0), ymm(S0), ymm(S1)]);
        // Of zero there is no exponent; the highest bit makes a number negative.
        self.asm.op(Code::VEX_Vpminsd_ymm_ymm_ymmm256, &[ymm(S0), ymm(S0), Line::Word32.operand()]);
        self.asm.op(Code::VEX_Vpmaxsd_ymm_ymm_ymmm256, &[ymm(to), ymm(S0), Line::Zero.operand()]);
    }

    /// Those of 64-bit words, in the lower half of each in the first scratch register.
    fn leading_zeros_64(&mut self, from: Reg) {
        self.leading_zeros(from, S0);
        self.asm.op(Code::VEX_Vpsrlq_ymm_ymm_imm8, &[ymm(S1), ymm(S0), Operand::Imm(32)]);
        self.asm.op(Code::VEX_Vpcmpeqq_ymm_ymm_ymmm256, &[ymm(S2), ymm(S1), Line::Wide32.operand()]);
        // Those of the lower half count where the upper half is zero.
        self.asm.op(Code::VEX_Vpand_ymm_ymm_ymmm256, &[ymm(S0), ymm(S0), ymm(S2)]);
        self.asm.op(Code::VEX_Vpaddd_ymm_ymm_ymmm256, &[ymm(S0), ymm(S0), ymm(S1)]);
    }

    /// How many bits are set in each byte, in the first scratch register.
    fn ones_of_bytes(&mut self, from: Reg) {
        let from = self.load(from, S0);
        let low = Line::Nibble.operand();
        self.asm.op(Code::VEX_Vpand_ymm_ymm_ymmm256, &[ymm(S1), ymm(from), low]);
        self.asm.op(Code::VEX_Vpsrlw_ymm_ymm_imm8, &[ymm(S0), ymm(from), Operand::Imm(4)]);
        self.asm.op(Code::VEX_Vpand_ymm_ymm_ymmm256, &[ymm(S0), ymm(S0), low]);
        self.asm.op(Code::VEX_Vmovdqa_ymm_ymmm256, &[ymm(S2), Line::NibbleOnes.operand()]);
        self.asm.op(Code::VEX_Vpshufb_ymm_ymm_ymmm256, &[ymm(S1), ymm(S2), ymm(S1)]);
        self.asm.op(Code::VEX_Vpshufb_ymm_ymm_ymmm256, &[ymm(S0), ymm(S2), ymm(S0)]);
        self.asm.op(Code::VEX_Vpaddb_ymm_ymm_ymmm256, &[ymm(S0), ymm(S0), ymm(S1)]);
    }

    /// How many bits are set in 64-bit words, in the first scratch register.
    fn ones_64(&mut self, from: Reg) {
        self.ones_of_bytes(from);
        self.asm.op(Code::VEX_Vpsadbw_ymm_ymm_ymmm256, &[ymm(S0), ymm(S0), Line::Zero.operand()]);
    }

    /// A number for each lane of both halves of a 64-bit value.
    fn counted(&mut self, count: fn(&mut Self, Reg), uses: &[Reg], to: u8) {
        count(self, uses[0]);
        self.asm.op(Code::VEX_Vmovdqa_ymmm256_ymm, &[Operand::Memory(TEMPORARY), ymm(S0)]);
        count(self, uses[1]);
        self.asm.op(Code::VEX_Vmovdqa_ymm_ymmm256, &[ymm(S1), Operand::Memory(TEMPORARY)]);
        self.join(to, S1, ymm(S0));
    }

    fn table(&mut self, table: u64, part: Part, index: Reg, to: u8) {
        let rows = Table::ALL.get(table as usize).map_or(1, |table| table.rows().len());
        let index = self.half(index, part, S0);
        if index != Operand::Xmm(S0) {
            self.asm.op(Code::VEX_Vmovdqu_xmm_xmmm128, &[Operand::Xmm(S0), index]);
        }
        // Tables have a power of two of rows: the low bits are the rest of the division.
        let bits = rows.trailing_zeros() as u8;
        for code in [Code::VEX_Vpslld_xmm_xmm_imm8, Code::VEX_Vpsrld_xmm_xmm_imm8] {
            self.asm.op(code, &[Operand::Xmm(S0), Operand::Xmm(S0), Operand::Imm(32 - bits)]);
        }
        self.pointer(layout::TABLES + 8 * table as usize);
        // Result, numbers and mask are three registers.
        self.asm.op(Code::VEX_Vpcmpeqd_ymm_ymm_ymmm256, &[ymm(S1), ymm(S1), ymm(S1)]);
        self.asm.op(Code::VEX_Vpgatherdq_ymm_vm32x_ymm, &[ymm(S2), Operand::GatherXmm(S0), ymm(S1)]);
        if to != S2 {
            self.asm.op(Code::VEX_Vmovdqa_ymm_ymmm256, &[ymm(to), ymm(S2)]);
        }
    }
}
