//! The primitives at the level of AVX-512, one pattern each.
//!
//! A pattern writes its result last, or as one instruction: the place of the result may be that of an operand that is not
//! needed any more. Those that cannot (`first`, fuel) are early in [`parallax_lane::Op::is_early`].

use super::{Avx512, K0, K6, K7, S0, S1, S2};
use crate::emit::Emitter;
use crate::layout;
use crate::operand::Operand;
use iced_x86::Code;
use parallax_lane::{Part, Reg};
use parallax_step::{Direction, Mode, Prim, Table, Ty};

const fn is_wide(ty: Ty) -> bool {
    matches!(ty, Ty::F64 | Ty::I64)
}

/// Immediate of `vrndscale` and `vcvtps2ph`.
const fn rounding(direction: Direction) -> u8 {
    match direction {
        Direction::Nearest => 0,
        Direction::Down => 1,
        Direction::Up => 2,
        Direction::Zero => 3,
    }
}

/// Classes of `vfpclass`: denormals.
const DENORMAL: u8 = 0x20;
/// Predicates of comparisons.
const EQUAL: u8 = 0;
const LESS: u8 = 1;
const LESS_OR_EQUAL: u8 = 2;
pub(super) const UNORDERED: u8 = 3;
const NOT_EQUAL: u8 = 4;
const MORE_INTEGER: u8 = 6;
const MORE_OR_EQUAL: u8 = 13;
const MORE: u8 = 14;

pub(super) fn zmm(n: u8) -> Operand {
    Operand::Zmm(n)
}

impl Emitter<'_, Avx512> {
    /// A primitive.
    pub(crate) fn step(&mut self, prim: Prim, ty: Ty, imm: u64, part: Part, uses: &[Reg], def: Reg) {
        let wide = is_wide(ty);
        let by = |single: Code, double: Code| if wide { double } else { single };
        let direction = Mode::from_word(imm).map_or(Direction::Nearest, |mode| mode.direction);
        match prim {
            Prim::Const => {
                let code = if imm & 1 != 0 { Code::VEX_Kxnorw_kr_kr_kr } else { Code::VEX_Kxorw_kr_kr_kr };
                let to = self.mask_result(def);
                self.masks(code, to, to, to);
                return self.store_mask(def);
            }
            Prim::Select if ty == Ty::Mask => return self.select_mask(uses, def),
            Prim::And | Prim::Or | Prim::Xor if ty == Ty::Mask => {
                let code = match prim {
                    Prim::And => Code::VEX_Kandw_kr_kr_kr,
                    Prim::Or => Code::VEX_Korw_kr_kr_kr,
                    _ => Code::VEX_Kxorw_kr_kr_kr,
                };
                let (a, b, to) = (self.mask(uses[0], K6), self.mask(uses[1], K7), self.mask_result(def));
                self.masks(code, to, a, b);
                return self.store_mask(def);
            }
            Prim::Not => {
                let (from, to) = (self.mask(uses[0], K7), self.mask_result(def));
                self.asm.op(Code::VEX_Knotw_kr_kr, &[Operand::K(to), Operand::K(from)]);
                return self.store_mask(def);
            }
            Prim::Feq | Prim::Flt | Prim::Fle | Prim::Funo | Prim::Eq | Prim::Lt | Prim::Ult | Prim::Disjoint => {
                return self.compare(prim, ty, uses, def);
            }
            _ => {}
        }
        let to = self.result(def);
        match prim {
            Prim::Select if uses.len() == 2 => {
                let lanes = self.mask_of(uses[0], part, K7);
                let (code, chosen) = match self.operand(uses[1], wide, S0) {
                    Operand::Broadcast(at) => (
                        by(Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32, Code::EVEX_Vpbroadcastq_zmm_k1z_xmmm64),
                        Operand::Memory(at),
                    ),
                    chosen => (by(Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512, Code::EVEX_Vmovdqa64_zmm_k1z_zmmm512), chosen),
                };
                self.asm.masked(code, lanes, true, &[zmm(to), chosen]);
            }
            Prim::Select => {
                let lanes = self.mask_of(uses[0], part, K7);
                let other = self.load(uses[2], S0);
                let chosen = self.operand(uses[1], wide, S1);
                let code = by(Code::EVEX_Vpblendmd_zmm_k1z_zmm_zmmm512b32, Code::EVEX_Vpblendmq_zmm_k1z_zmm_zmmm512b64);
                self.asm.masked(code, lanes, false, &[zmm(to), zmm(other), chosen]);
            }
            Prim::Fadd => self.arithmetic(
                by(Code::EVEX_Vaddps_zmm_k1z_zmm_zmmm512b32_er, Code::EVEX_Vaddpd_zmm_k1z_zmm_zmmm512b64_er),
                direction,
                wide,
                uses,
                to,
            ),
            Prim::Fsub => self.arithmetic(
                by(Code::EVEX_Vsubps_zmm_k1z_zmm_zmmm512b32_er, Code::EVEX_Vsubpd_zmm_k1z_zmm_zmmm512b64_er),
                direction,
                wide,
                uses,
                to,
            ),
            Prim::Fmul => self.arithmetic(
                by(Code::EVEX_Vmulps_zmm_k1z_zmm_zmmm512b32_er, Code::EVEX_Vmulpd_zmm_k1z_zmm_zmmm512b64_er),
                direction,
                wide,
                uses,
                to,
            ),
            Prim::Fmin => self.two(
                by(Code::EVEX_Vminps_zmm_k1z_zmm_zmmm512b32_sae, Code::EVEX_Vminpd_zmm_k1z_zmm_zmmm512b64_sae),
                wide,
                uses,
                to,
            ),
            Prim::Fmax => self.two(
                by(Code::EVEX_Vmaxps_zmm_k1z_zmm_zmmm512b32_sae, Code::EVEX_Vmaxpd_zmm_k1z_zmm_zmmm512b64_sae),
                wide,
                uses,
                to,
            ),
            Prim::Fmulz => self.product(direction, wide, uses, to),
            Prim::Fdiv => self.arithmetic(
                by(Code::EVEX_Vdivps_zmm_k1z_zmm_zmmm512b32_er, Code::EVEX_Vdivpd_zmm_k1z_zmm_zmmm512b64_er),
                direction,
                wide,
                uses,
                to,
            ),
            Prim::Fsqrt => {
                let code = by(Code::EVEX_Vsqrtps_zmm_k1z_zmmm512b32_er, Code::EVEX_Vsqrtpd_zmm_k1z_zmmm512b64_er);
                self.one_rounded(code, direction, wide, uses[0], to);
            }
            Prim::Fma => self.fma(direction, wide, uses, to),
            Prim::FaddOdd => {
                let (a, b) = (self.load(uses[0], S0), self.load(uses[1], S1));
                let add = Code::EVEX_Vaddpd_zmm_k1z_zmm_zmmm512b64_er;
                self.asm.rounded(add, Direction::Down, &[zmm(S2), zmm(a), zmm(b)]);
                self.asm.rounded(add, Direction::Up, &[zmm(S0), zmm(a), zmm(b)]);
                // Of two neighbours the odd one; of equal ones the second, whose zeros are those of rounding to nearest.
                let odd = [Operand::K(K7), zmm(S2), Operand::Broadcast(layout::ONE64)];
                self.asm.op(Code::EVEX_Vptestmq_kr_k1_zmm_zmmm512b64, &odd);
                let blend = Code::EVEX_Vpblendmq_zmm_k1z_zmm_zmmm512b64;
                self.asm.masked(blend, K7, false, &[zmm(to), zmm(S0), zmm(S2)]);
            }
            Prim::Fneg | Prim::Fabs => {
                let (code, at) = match (prim, wide) {
                    (Prim::Fneg, false) => (Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32, layout::SIGN32),
                    (Prim::Fneg, true) => (Code::EVEX_Vpxorq_zmm_k1z_zmm_zmmm512b64, layout::SIGN64),
                    (_, false) => (Code::EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32, layout::MAGNITUDE32),
                    (_, true) => (Code::EVEX_Vpandq_zmm_k1z_zmm_zmmm512b64, layout::MAGNITUDE64),
                };
                let from = self.load(uses[0], S0);
                self.asm.op(code, &[zmm(to), zmm(from), Operand::Broadcast(at)]);
            }
            Prim::Round => {
                let from = self.operand(uses[0], wide, S0);
                let code = by(
                    Code::EVEX_Vrndscaleps_zmm_k1z_zmmm512b32_imm8_sae,
                    Code::EVEX_Vrndscalepd_zmm_k1z_zmmm512b64_imm8_sae,
                );
                self.asm.op(code, &[zmm(to), from, Operand::Imm(rounding(direction))]);
            }
            Prim::Flush => {
                let from = self.load(uses[0], S0);
                let class =
                    by(Code::EVEX_Vfpclassps_kr_k1_zmmm512b32_imm8, Code::EVEX_Vfpclasspd_kr_k1_zmmm512b64_imm8);
                self.asm.op(class, &[Operand::K(K7), zmm(from), Operand::Imm(DENORMAL)]);
                if from != to {
                    self.asm.op(Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512, &[zmm(to), zmm(from)]);
                }
                let (and, sign) = if wide {
                    (Code::EVEX_Vpandq_zmm_k1z_zmm_zmmm512b64, layout::SIGN64)
                } else {
                    (Code::EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32, layout::SIGN32)
                };
                self.asm.masked(and, K7, false, &[zmm(to), zmm(to), Operand::Broadcast(sign)]);
            }
            Prim::First => self.first(wide, uses, to),
            Prim::Widen => {
                let from = self.half(uses[0], part, S0);
                self.asm.op(Code::EVEX_Vcvtps2pd_zmm_k1z_ymmm256b32_sae, &[zmm(to), from]);
            }
            Prim::Narrow => {
                for (reg, scratch) in [(uses[0], S0), (uses[1], S1)] {
                    let from = self.load(reg, scratch);
                    let code = Code::EVEX_Vcvtpd2ps_ymm_k1z_zmmm512b64_er;
                    let operands = [Operand::Ymm(scratch), zmm(from)];
                    match direction {
                        Direction::Nearest => self.asm.op(code, &operands),
                        _ => self.asm.rounded(code, direction, &operands),
                    }
                }
                self.join(to);
            }
            Prim::FromHalf => {
                let from = self.load(uses[0], S0);
                self.asm.op(Code::EVEX_Vpmovdw_ymmm256_k1z_zmm, &[Operand::Ymm(S0), zmm(from)]);
                self.asm.op(Code::EVEX_Vcvtph2ps_zmm_k1z_ymmm256_sae, &[zmm(to), Operand::Ymm(S0)]);
            }
            Prim::ToHalf => {
                let from = self.load(uses[0], S0);
                let operands = [Operand::Ymm(S0), zmm(from), Operand::Imm(rounding(direction))];
                self.asm.op(Code::EVEX_Vcvtps2ph_ymmm256_k1z_zmm_imm8_sae, &operands);
                self.asm.op(Code::EVEX_Vpmovzxwd_zmm_k1z_ymmm256, &[zmm(to), Operand::Ymm(S0)]);
            }
            Prim::FromInt if wide => {
                let from = self.half(uses[0], part, S0);
                self.asm.op(Code::EVEX_Vcvtdq2pd_zmm_k1z_ymmm256b32_er, &[zmm(to), from]);
            }
            Prim::FromInt => {
                self.one_rounded(Code::EVEX_Vcvtdq2ps_zmm_k1z_zmmm512b32_er, direction, false, uses[0], to);
            }
            Prim::ToInt if wide => self.halves(Code::EVEX_Vcvttpd2dq_ymm_k1z_zmmm512b64_sae, uses, to),
            Prim::ToInt => {
                let from = self.operand(uses[0], false, S0);
                self.asm.op(Code::EVEX_Vcvttps2dq_zmm_k1z_zmmm512b32_sae, &[zmm(to), from]);
            }
            Prim::Add => self.two(
                by(Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, Code::EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64),
                wide,
                uses,
                to,
            ),
            Prim::Sub => self.two(
                by(Code::EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32, Code::EVEX_Vpsubq_zmm_k1z_zmm_zmmm512b64),
                wide,
                uses,
                to,
            ),
            Prim::Mul => self.two(
                by(Code::EVEX_Vpmulld_zmm_k1z_zmm_zmmm512b32, Code::EVEX_Vpmullq_zmm_k1z_zmm_zmmm512b64),
                wide,
                uses,
                to,
            ),
            Prim::And => self.two(
                by(Code::EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32, Code::EVEX_Vpandq_zmm_k1z_zmm_zmmm512b64),
                wide,
                uses,
                to,
            ),
            Prim::Or => self.two(
                by(Code::EVEX_Vpord_zmm_k1z_zmm_zmmm512b32, Code::EVEX_Vporq_zmm_k1z_zmm_zmmm512b64),
                wide,
                uses,
                to,
            ),
            Prim::Xor => self.two(
                by(Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32, Code::EVEX_Vpxorq_zmm_k1z_zmm_zmmm512b64),
                wide,
                uses,
                to,
            ),
            Prim::Shl | Prim::Shr | Prim::Sar => self.shift(prim, part, wide, uses, to),
            Prim::LeadingZeros if wide => self.counted(Code::EVEX_Vplzcntq_zmm_k1z_zmmm512b64, uses, to),
            Prim::Ones if wide => self.counted(Code::EVEX_Vpopcntq_zmm_k1z_zmmm512b64, uses, to),
            Prim::LeadingZeros | Prim::Ones => {
                let from = self.operand(uses[0], false, S0);
                let code = if prim == Prim::Ones {
                    Code::EVEX_Vpopcntd_zmm_k1z_zmmm512b32
                } else {
                    Code::EVEX_Vplzcntd_zmm_k1z_zmmm512b32
                };
                self.asm.op(code, &[zmm(to), from]);
            }
            Prim::Low => {
                // The lower words of both halves, pairs in turns, then in order.
                let low = self.load(uses[0], S0);
                let high = self.operand(uses[1], true, S1);
                let words = [zmm(S0), zmm(low), high, Operand::Imm(0b10_00_10_00)];
                self.asm.op(Code::EVEX_Vshufps_zmm_k1z_zmm_zmmm512b32_imm8, &words);
                self.asm.op(Code::EVEX_Vmovdqa64_zmm_k1z_zmmm512, &[zmm(S1), Operand::Memory(layout::ROWS_OF_PAIRS)]);
                self.asm.op(Code::EVEX_Vpermq_zmm_k1z_zmm_zmmm512b64, &[zmm(to), zmm(S1), zmm(S0)]);
            }
            Prim::Zext | Prim::Sext => {
                let from = self.half(uses[0], part, S0);
                let code = if prim == Prim::Zext {
                    Code::EVEX_Vpmovzxdq_zmm_k1z_ymmm256
                } else {
                    Code::EVEX_Vpmovsxdq_zmm_k1z_ymmm256
                };
                self.asm.op(code, &[zmm(to), from]);
            }
            Prim::Table => self.table(imm, part, uses[0], to),
            // `bits` and `float` are no instructions; what has a mask as result is above.
            _ => self.load_to(uses[0], to),
        }
        self.store(def);
    }

    /// Two operands, one instruction.
    fn two(&mut self, code: Code, wide: bool, uses: &[Reg], to: u8) {
        let a = self.load(uses[0], S0);
        let b = self.operand(uses[1], wide, S1);
        self.asm.op(code, &[zmm(to), zmm(a), b]);
    }

    fn arithmetic(&mut self, code: Code, direction: Direction, wide: bool, uses: &[Reg], to: u8) {
        if direction == Direction::Nearest {
            return self.two(code, wide, uses, to);
        }
        let (a, b) = (self.load(uses[0], S0), self.load(uses[1], S1));
        self.asm.rounded(code, direction, &[zmm(to), zmm(a), zmm(b)]);
    }

    /// A product that is +0 where an operand is a zero: the multiplication under a mask of the lanes where none is. A third
    /// operand has all bits but the sign if the one that is the same in all lanes is no zero, and none if it is one.
    fn product(&mut self, direction: Direction, wide: bool, uses: &[Reg], to: u8) {
        let by = |single: Code, double: Code| if wide { double } else { single };
        let compare =
            by(Code::EVEX_Vcmpps_kr_k1_zmm_zmmm512b32_imm8_sae, Code::EVEX_Vcmppd_kr_k1_zmm_zmmm512b64_imm8_sae);
        let mut lanes = 0;
        let [a, b] = if let Some(&digits) = uses.get(2) {
            let varying = usize::from(self.is_uniform(uses[0]));
            let vector = self.load(uses[varying], S0);
            let digits = self.operand(digits, wide, S1);
            let test = by(Code::EVEX_Vptestmd_kr_k1_zmm_zmmm512b32, Code::EVEX_Vptestmq_kr_k1_zmm_zmmm512b64);
            self.asm.op(test, &[Operand::K(K7), zmm(vector), digits]);
            lanes = K7;
            let other = match (varying, direction) {
                (0, Direction::Nearest) => self.operand(uses[1], wide, S1),
                _ => zmm(self.load(uses[1 - varying], S1)),
            };
            if varying == 0 { [zmm(vector), other] } else { [other, zmm(vector)] }
        } else {
            let [a, b] = [self.load(uses[0], S0), self.load(uses[1], S1)];
            for (&reg, vector) in uses.iter().zip([a, b]) {
                // A constant that is no zero needs no test.
                if self.bits(reg).is_some_and(|bits| bits << if wide { 1 } else { 33 } != 0) {
                    continue;
                }
                let test = [Operand::K(K7), zmm(vector), Operand::Broadcast(layout::ZERO), Operand::Imm(NOT_EQUAL)];
                self.asm.masked(compare, lanes, false, &test);
                lanes = K7;
            }
            [zmm(a), zmm(b)]
        };
        let code = by(Code::EVEX_Vmulps_zmm_k1z_zmm_zmmm512b32_er, Code::EVEX_Vmulpd_zmm_k1z_zmm_zmmm512b64_er);
        let operands = [zmm(to), a, b];
        match direction {
            Direction::Nearest => self.asm.masked(code, lanes, lanes != 0, &operands),
            _ => self.asm.masked_rounded(code, direction, lanes, &operands),
        }
    }

    fn one_rounded(&mut self, code: Code, direction: Direction, wide: bool, from: Reg, to: u8) {
        if direction == Direction::Nearest {
            let from = self.operand(from, wide, S0);
            return self.asm.op(code, &[zmm(to), from]);
        }
        let from = self.load(from, S0);
        self.asm.rounded(code, direction, &[zmm(to), zmm(from)]);
    }

    /// a * b + c. The form is chosen by where the result goes; in all of them a NaN among a, b, c is taken in this order.
    fn fma(&mut self, direction: Direction, wide: bool, uses: &[Reg], to: u8) {
        let by = |single: Code, double: Code| if wide { double } else { single };
        let first =
            by(Code::EVEX_Vfmadd132ps_zmm_k1z_zmm_zmmm512b32_er, Code::EVEX_Vfmadd132pd_zmm_k1z_zmm_zmmm512b64_er);
        let second =
            by(Code::EVEX_Vfmadd213ps_zmm_k1z_zmm_zmmm512b32_er, Code::EVEX_Vfmadd213pd_zmm_k1z_zmm_zmmm512b64_er);
        let third =
            by(Code::EVEX_Vfmadd231ps_zmm_k1z_zmm_zmmm512b32_er, Code::EVEX_Vfmadd231pd_zmm_k1z_zmm_zmmm512b64_er);
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
        if direction == Direction::Nearest {
            let last = self.operand(uses[last], wide, S1);
            self.asm.op(code, &[zmm(to), zmm(middle), last]);
        } else {
            let last = self.load(uses[last], S1);
            self.asm.rounded(code, direction, &[zmm(to), zmm(middle), zmm(last)]);
        }
    }

    /// The first operand unless it is NaN, then the first NaN among those from the third on, quieted, or the second.
    fn first(&mut self, wide: bool, uses: &[Reg], to: u8) {
        let by = |single: Code, double: Code| if wide { double } else { single };
        let compare =
            by(Code::EVEX_Vcmpps_kr_k1_zmm_zmmm512b32_imm8_sae, Code::EVEX_Vcmppd_kr_k1_zmm_zmmm512b64_imm8_sae);
        let blend = by(Code::EVEX_Vpblendmd_zmm_k1z_zmm_zmmm512b32, Code::EVEX_Vpblendmq_zmm_k1z_zmm_zmmm512b64);
        let or = by(Code::EVEX_Vpord_zmm_k1z_zmm_zmmm512b32, Code::EVEX_Vporq_zmm_k1z_zmm_zmmm512b64);
        let quiet = if wide { layout::QUIET64 } else { layout::QUIET32 };
        let value = self.load(uses[0], S0);
        self.asm.op(compare, &[Operand::K(K7), zmm(value), zmm(value), Operand::Imm(UNORDERED)]);
        let default = self.operand(uses[1], wide, S1);
        self.asm.masked(blend, K7, false, &[zmm(to), zmm(value), default]);
        for &other in uses[2..].iter().rev() {
            let other = self.load(other, S0);
            self.asm.masked(compare, K7, false, &[Operand::K(K6), zmm(other), zmm(other), Operand::Imm(UNORDERED)]);
            self.asm.masked(or, K6, false, &[zmm(to), zmm(other), Operand::Broadcast(quiet)]);
        }
    }

    fn compare(&mut self, prim: Prim, ty: Ty, uses: &[Reg], def: Reg) {
        let wide = is_wide(ty);
        let by = |single: Code, double: Code| if wide { double } else { single };
        let float =
            by(Code::EVEX_Vcmpps_kr_k1_zmm_zmmm512b32_imm8_sae, Code::EVEX_Vcmppd_kr_k1_zmm_zmmm512b64_imm8_sae);
        let signed = by(Code::EVEX_Vpcmpd_kr_k1_zmm_zmmm512b32_imm8, Code::EVEX_Vpcmpq_kr_k1_zmm_zmmm512b64_imm8);
        let unsigned = by(Code::EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8, Code::EVEX_Vpcmpuq_kr_k1_zmm_zmmm512b64_imm8);
        let disjoint = by(Code::EVEX_Vptestnmd_kr_k1_zmm_zmmm512b32, Code::EVEX_Vptestnmq_kr_k1_zmm_zmmm512b64);
        // The predicate, if there is one, and what it is with the operands the other way round.
        let operation = match prim {
            Prim::Feq => (float, Some((EQUAL, EQUAL))),
            Prim::Flt => (float, Some((LESS, MORE))),
            Prim::Fle => (float, Some((LESS_OR_EQUAL, MORE_OR_EQUAL))),
            Prim::Funo => (float, Some((UNORDERED, UNORDERED))),
            Prim::Eq => (signed, Some((EQUAL, EQUAL))),
            Prim::Lt => (signed, Some((LESS, MORE_INTEGER))),
            Prim::Ult => (unsigned, Some((LESS, MORE_INTEGER))),
            _ => (disjoint, None),
        };
        let to = self.mask_result(def);
        if !wide {
            self.compare_part(operation, wide, [uses[0], uses[1]], to);
        } else {
            self.compare_part(operation, wide, [uses[0], uses[2]], K7);
            if uses[0] == uses[1] && uses[2] == uses[3] {
                // The same in all lanes.
                self.masks(Code::VEX_Kunpckbw_kr_kr_kr, to, K7, K7);
            } else {
                self.compare_part(operation, wide, [uses[1], uses[3]], K0);
                self.masks(Code::VEX_Kunpckbw_kr_kr_kr, to, K0, K7);
            }
        }
        self.store_mask(def);
    }

    /// One comparison. The last operand may be in memory: where only the first one is, they change places.
    fn compare_part(&mut self, (code, predicates): (Code, Option<(u8, u8)>), wide: bool, [a, b]: [Reg; 2], to: u8) {
        let turn = self.register(a).is_none() && self.register(b).is_some();
        let (a, b) = if turn { (b, a) } else { (a, b) };
        let a = self.load(a, S0);
        let b = self.operand(b, wide, S1);
        let operands = [Operand::K(to), zmm(a), b];
        match predicates {
            None => self.asm.op(code, &operands),
            Some((straight, turned)) => {
                let [to, a, b] = operands;
                self.asm.op(code, &[to, a, b, Operand::Imm(if turn { turned } else { straight })]);
            }
        }
    }

    fn select_mask(&mut self, uses: &[Reg], def: Reg) {
        let lanes = self.mask(uses[0], K0);
        let chosen = self.mask(uses[1], K6);
        self.masks(Code::VEX_Kandw_kr_kr_kr, K6, lanes, chosen);
        let other = self.mask(uses[2], K7);
        self.masks(Code::VEX_Kandnw_kr_kr_kr, K7, lanes, other);
        let to = self.mask_result(def);
        self.masks(Code::VEX_Korw_kr_kr_kr, to, K6, K7);
        self.store_mask(def);
    }

    /// Two lower halves, in the first two scratch registers, side by side.
    fn join(&mut self, to: u8) {
        let operands = [zmm(to), zmm(S0), Operand::Ymm(S1), Operand::Imm(1)];
        self.asm.op(Code::EVEX_Vinsertf32x8_zmm_k1z_zmm_ymmm256_imm8, &operands);
    }

    /// Both halves of a 64-bit value to 32 bits.
    fn halves(&mut self, code: Code, uses: &[Reg], to: u8) {
        for (&reg, scratch) in uses.iter().zip([S0, S1]) {
            let from = self.load(reg, scratch);
            self.asm.op(code, &[Operand::Ymm(scratch), zmm(from)]);
        }
        self.join(to);
    }

    /// A number for each lane of both halves of a 64-bit value.
    fn counted(&mut self, code: Code, uses: &[Reg], to: u8) {
        for (&reg, scratch) in uses.iter().zip([S0, S1]) {
            let from = self.operand(reg, true, scratch);
            self.asm.op(code, &[zmm(scratch), from]);
            self.asm.op(Code::EVEX_Vpmovqd_ymmm256_k1z_zmm, &[Operand::Ymm(scratch), zmm(scratch)]);
        }
        self.join(to);
    }

    fn shift(&mut self, prim: Prim, part: Part, wide: bool, uses: &[Reg], to: u8) {
        let width = if wide { 64 } else { 32 };
        if let Some(amount) = self.bits(uses[1]) {
            let code = match (prim, wide) {
                (Prim::Shl, false) => Code::EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8,
                (Prim::Shl, true) => Code::EVEX_Vpsllq_zmm_k1z_zmmm512b64_imm8,
                (Prim::Shr, false) => Code::EVEX_Vpsrld_zmm_k1z_zmmm512b32_imm8,
                (Prim::Shr, true) => Code::EVEX_Vpsrlq_zmm_k1z_zmmm512b64_imm8,
                (_, false) => Code::EVEX_Vpsrad_zmm_k1z_zmmm512b32_imm8,
                (_, true) => Code::EVEX_Vpsraq_zmm_k1z_zmmm512b64_imm8,
            };
            let from = self.operand(uses[0], wide, S0);
            return self.asm.op(code, &[zmm(to), from, Operand::Imm((amount % width) as u8)]);
        }
        let code = match (prim, wide) {
            (Prim::Shl, false) => Code::EVEX_Vpsllvd_zmm_k1z_zmm_zmmm512b32,
            (Prim::Shl, true) => Code::EVEX_Vpsllvq_zmm_k1z_zmm_zmmm512b64,
            (Prim::Shr, false) => Code::EVEX_Vpsrlvd_zmm_k1z_zmm_zmmm512b32,
            (Prim::Shr, true) => Code::EVEX_Vpsrlvq_zmm_k1z_zmm_zmmm512b64,
            (_, false) => Code::EVEX_Vpsravd_zmm_k1z_zmm_zmmm512b32,
            (_, true) => Code::EVEX_Vpsravq_zmm_k1z_zmm_zmmm512b64,
        };
        if wide {
            let amount = self.half(uses[1], part, S1);
            self.asm.op(Code::EVEX_Vpmovzxdq_zmm_k1z_ymmm256, &[zmm(S1), amount]);
            let low = [zmm(S1), zmm(S1), Operand::Broadcast(layout::AMOUNT64)];
            self.asm.op(Code::EVEX_Vpandq_zmm_k1z_zmm_zmmm512b64, &low);
        } else {
            let amount = self.load(uses[1], S1);
            let low = [zmm(S1), zmm(amount), Operand::Broadcast(layout::AMOUNT32)];
            self.asm.op(Code::EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32, &low);
        }
        let from = self.load(uses[0], S0);
        self.asm.op(code, &[zmm(to), zmm(from), zmm(S1)]);
    }

    fn table(&mut self, table: u64, part: Part, index: Reg, to: u8) {
        let rows = Table::ALL.get(table as usize).map_or(1, |table| table.rows().len());
        let index = self.half(index, part, S0);
        self.asm.op(Code::EVEX_Vpmovzxdq_zmm_k1z_ymmm256, &[zmm(S0), index]);
        // Tables have a power of two of rows: the low bits are the rest of the division.
        let bits = rows.trailing_zeros() as u8;
        for code in [Code::EVEX_Vpsllq_zmm_k1z_zmmm512b64_imm8, Code::EVEX_Vpsrlq_zmm_k1z_zmmm512b64_imm8] {
            self.asm.op(code, &[zmm(S0), zmm(S0), Operand::Imm(64 - bits)]);
        }
        self.pointer(layout::TABLES + 8 * table as usize);
        self.masks(Code::VEX_Kxnorw_kr_kr_kr, K7, K7, K7);
        self.asm.masked(Code::EVEX_Vpgatherqq_zmm_k1_vm64z, K7, false, &[zmm(to), Operand::Gather(S0)]);
    }
}
