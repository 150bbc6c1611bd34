//! Texture lookups in code: four texels blended, the arithmetic of [`parallax_core::exec::FlatImage`].
//!
//! Numbers of texels and weights are computed for all lanes at once. Then a vector takes the four components of the texels of
//! four lanes (one of each quarter of the block), because texels lie so in memory; at the end the components are put side by
//! side.

use super::step::{UNORDERED, zmm};
use super::{Avx512, K7, RESULT, S0, S1, S2};
use crate::asm::{Operand, Target};
use crate::emit::Emitter;
use crate::lookup::{self, of_axis};
use iced_x86::Code;
use parallax_core::TexOp;
use parallax_lane::{Place, Reg};

/// Predicates of comparisons.
const NOT_BELOW: u8 = 0x0d;
const ABOVE: u8 = 0x0e;
/// Classes of numbers: quiet and signalling NaN, both infinities.
const NOT_FINITE: u8 = 0x99;

impl Emitter<'_, Avx512> {
    pub(super) fn flat_lookup(&mut self, image: usize, tex: &TexOp, elsewhere: Target, uses: &[Reg], defs: &[Reg]) {
        // cmp qword [texels], 0
        self.asm.at_arena(&[0x48, 0x83, 0xbb], image + lookup::TEXELS);
        self.asm.bytes(&[0]);
        self.asm.jump(&[0x0f, 0x84], elsewhere);
        for axis in 0..2 {
            self.lookup_axis(image, tex, axis, elsewhere, uses);
        }
        let scratch = self.layout.scratch;
        for (n, corner) in lookup::CORNERS.into_iter().enumerate() {
            let side = |upper: bool, axis: usize| if upper { lookup::UPPER[axis] } else { lookup::LOWER[axis] };
            let (x, y) = (side(n & 1 != 0, 0), side(n & 2 != 0, 1));
            self.load_line(scratch + x, S0);
            self.asm.op(Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, &[zmm(S0), zmm(S0), Operand::Memory(scratch + y)]);
            self.store_line(scratch + corner, S0);
        }
        // mov rcx, [texels]
        self.asm.at_arena(&[0x48, 0x8b, 0x8b], image + lookup::TEXELS);
        for quarter in 0..4 {
            self.lookup_quarter(quarter);
        }
        self.lookup_components(image, defs);
    }

    fn load_line(&mut self, at: usize, to: u8) {
        self.asm.op(Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512, &[zmm(to), Operand::Memory(at)]);
    }

    fn store_line(&mut self, at: usize, from: u8) {
        self.asm.op(Code::EVEX_Vmovdqa32_zmmm512_k1z_zmm, &[Operand::Memory(at), zmm(from)]);
    }

    /// Numbers of the lower and the upper texel, in bytes, and the weight of the upper one.
    fn lookup_axis(&mut self, image: usize, tex: &TexOp, axis: usize, elsewhere: Target, uses: &[Reg]) {
        let of = |property: usize| Operand::Broadcast(of_axis(image, axis, property));
        let number = |number: usize| Operand::Broadcast(image + number);
        let mut coordinate = self.load(uses[1 + axis], S0);
        if tex.project {
            let divisor = self.operand(uses[4], false, S1);
            self.asm.op(Code::EVEX_Vdivps_zmm_k1z_zmm_zmmm512b32_er, &[zmm(S0), zmm(coordinate), divisor]);
            coordinate = S0;
        }
        self.asm.op(Code::EVEX_Vmulps_zmm_k1z_zmm_zmmm512b32_er, &[zmm(S0), zmm(coordinate), of(lookup::SCALE)]);
        let class = [Operand::K(K7), zmm(S0), Operand::Imm(NOT_FINITE)];
        self.asm.op(Code::EVEX_Vfpclassps_kr_k1_zmmm512b32_imm8, &class);
        self.asm.masked(Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32, K7, false, &[zmm(S0), zmm(S0), zmm(S0)]);
        self.asm.op(Code::EVEX_Vsubps_zmm_k1z_zmm_zmmm512b32_er, &[zmm(S0), zmm(S0), number(lookup::HALF)]);
        // What is too large for numbers of 32 bits.
        let magnitude = Operand::Broadcast(crate::layout::MAGNITUDE32);
        self.asm.op(Code::EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32, &[zmm(S1), zmm(S0), magnitude]);
        let compare = Code::EVEX_Vcmpps_kr_k1_zmm_zmmm512b32_imm8_sae;
        self.asm.op(compare, &[Operand::K(K7), zmm(S1), number(lookup::INTEGERS), Operand::Imm(NOT_BELOW)]);
        self.asm.op(Code::VEX_Kortestw_kr_kr, &[Operand::K(K7), Operand::K(K7)]);
        self.asm.jump(&[0x0f, 0x85], elsewhere);
        // The largest integer that is not above.
        self.asm.op(Code::EVEX_Vcvttps2dq_zmm_k1z_zmmm512b32_sae, &[zmm(S1), zmm(S0)]);
        self.asm.op(Code::EVEX_Vcvtdq2ps_zmm_k1z_zmmm512b32_er, &[zmm(S2), zmm(S1)]);
        self.asm.op(compare, &[Operand::K(K7), zmm(S2), zmm(S0), Operand::Imm(ABOVE)]);
        let one_less = [zmm(S2), zmm(S2), number(lookup::ONE)];
        self.asm.masked(Code::EVEX_Vsubps_zmm_k1z_zmm_zmmm512b32_er, K7, false, &one_less);
        self.asm.op(Code::EVEX_Vsubps_zmm_k1z_zmm_zmmm512b32_er, &[zmm(S0), zmm(S0), zmm(S2)]);
        self.store_line(self.layout.scratch + lookup::WEIGHT[axis], S0);
        self.asm.op(Code::EVEX_Vcvttps2dq_zmm_k1z_zmmm512b32_sae, &[zmm(S1), zmm(S2)]);
        if tex.offset[axis] != 0 {
            self.asm.op(Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, &[zmm(S1), zmm(S1), of(lookup::OFFSET)]);
        }
        for (n, line) in [lookup::LOWER[axis], lookup::UPPER[axis]].into_iter().enumerate() {
            if n == 1 {
                let minus_one = Operand::Broadcast(crate::layout::MINUS_ONE32);
                self.asm.op(Code::EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32, &[zmm(S1), zmm(S1), minus_one]);
            }
            self.asm.op(Code::EVEX_Vpmaxsd_zmm_k1z_zmm_zmmm512b32, &[zmm(S0), zmm(S1), of(lookup::LOW)]);
            self.asm.op(Code::EVEX_Vpminsd_zmm_k1z_zmm_zmmm512b32, &[zmm(S0), zmm(S0), of(lookup::HIGH)]);
            self.asm.op(Code::EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32, &[zmm(S0), zmm(S0), of(lookup::BITS)]);
            if axis == 0 {
                let shift = Operand::Imm(lookup::TEXEL.trailing_zeros() as u8);
                self.asm.op(Code::EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8, &[zmm(S0), zmm(S0), shift]);
            } else {
                let row = Operand::Broadcast(image + lookup::ROW);
                self.asm.op(Code::EVEX_Vpmulld_zmm_k1z_zmm_zmmm512b32, &[zmm(S0), zmm(S0), row]);
            }
            self.store_line(self.layout.scratch + line, S0);
        }
    }

    /// The texels of a corner for one lane of each quad of the block, side by side.
    fn corner(&mut self, corner: usize, lane_of_quad: usize, to: u8) {
        for quad in 0..4 {
            // mov eax, the texel
            let at = self.layout.scratch + lookup::CORNERS[corner] + 4 * (4 * quad + lane_of_quad);
            self.asm.at_arena(&[0x8b, 0x83], at);
            if quad == 0 {
                self.asm.op(Code::EVEX_Vmovups_xmm_k1z_xmmm128, &[Operand::Xmm(to), Operand::Texel]);
            } else {
                let operands = [zmm(to), zmm(to), Operand::Texel, Operand::Imm(quad as u8)];
                self.asm.op(Code::EVEX_Vinsertf32x4_zmm_k1z_zmm_xmmm128_imm8, &operands);
            }
        }
    }

    /// p + w (q - p), with the weight of a lane for its four components.
    fn blend(&mut self, p: u8, q: u8, weight: u8) {
        self.asm.op(Code::EVEX_Vsubps_zmm_k1z_zmm_zmmm512b32_er, &[zmm(q), zmm(q), zmm(p)]);
        self.asm.op(Code::EVEX_Vmulps_zmm_k1z_zmm_zmmm512b32_er, &[zmm(q), zmm(weight), zmm(q)]);
        self.asm.op(Code::EVEX_Vaddps_zmm_k1z_zmm_zmmm512b32_er, &[zmm(p), zmm(p), zmm(q)]);
    }

    fn weight(&mut self, axis: usize, lane_of_quad: usize, to: u8) {
        let line = Operand::Memory(self.layout.scratch + lookup::WEIGHT[axis]);
        let order = Operand::Imm(0x55 * lane_of_quad as u8);
        self.asm.op(Code::EVEX_Vpermilps_zmm_k1z_zmmm512b32_imm8, &[zmm(to), line, order]);
    }

    /// What the lane of this number in its quad gets, in all quads of the block.
    fn lookup_quarter(&mut self, lane_of_quad: usize) {
        self.corner(0, lane_of_quad, RESULT);
        self.corner(1, lane_of_quad, S0);
        self.weight(0, lane_of_quad, S1);
        self.blend(RESULT, S0, S1);
        self.corner(2, lane_of_quad, S0);
        self.corner(3, lane_of_quad, S2);
        self.blend(S0, S2, S1);
        self.weight(1, lane_of_quad, S1);
        self.blend(RESULT, S0, S1);
        self.store_line(self.layout.scratch + lookup::RESULTS[lane_of_quad], RESULT);
    }

    /// From four components of a lane side by side to all lanes of a component side by side; a NaN gets its bits.
    fn lookup_components(&mut self, image: usize, defs: &[Reg]) {
        let results = lookup::RESULTS.map(|line| self.layout.scratch + line);
        let is_read = |emitter: &Self, comp: usize| {
            defs.get(comp).is_some_and(|&def| emitter.allocation.place(def) != Place::Nowhere)
        };
        let pairs =
            [(Code::EVEX_Vunpcklps_zmm_k1z_zmm_zmmm512b32, 0), (Code::EVEX_Vunpckhps_zmm_k1z_zmm_zmmm512b32, 2)];
        for (pair, first) in pairs {
            if !is_read(self, first) && !is_read(self, first + 1) {
                continue;
            }
            for (to, [a, b]) in [(S0, [results[0], results[1]]), (S1, [results[2], results[3]])] {
                self.load_line(a, to);
                self.asm.op(pair, &[zmm(to), zmm(to), Operand::Memory(b)]);
            }
            let halves = [Code::EVEX_Vunpcklpd_zmm_k1z_zmm_zmmm512b64, Code::EVEX_Vunpckhpd_zmm_k1z_zmm_zmmm512b64];
            for (comp, half) in (first..).zip(halves) {
                if !is_read(self, comp) {
                    continue;
                }
                let def = defs[comp];
                let to = self.result(def);
                self.asm.op(half, &[zmm(to), zmm(S0), zmm(S1)]);
                let nan = [Operand::K(K7), zmm(to), zmm(to), Operand::Imm(UNORDERED)];
                self.asm.op(Code::EVEX_Vcmpps_kr_k1_zmm_zmmm512b32_imm8_sae, &nan);
                let fixed = [zmm(to), Operand::Memory(image + lookup::NAN)];
                self.asm.masked(Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32, K7, false, &fixed);
                self.store(def);
            }
        }
    }
}
