//! Texture lookups in code: four texels blended, the arithmetic of [`parallax_core::exec::FlatImage`].
//!
//! Numbers of texels and weights are computed for all lanes at once. Then a vector takes the four components of the texels of
//! two lanes (those of the same number in both quads of the block), because texels lie so in memory, two neighbours of a row
//! side by side; at the end the components are put side by side. Where one component alone is read, one load takes it of all four texels
//! of a lane. Loads of neighbours cost less than a gather, which takes the words of a texel one by one.

use super::{Avx2, Line, RESULT, S0, S1, S2, ymm};
use crate::asm::Target;
use crate::emit::Emitter;
use crate::lookup::{self, Lookup, line_of_axis, line_of_number};
use crate::operand::Operand;
use iced_x86::{Code, Register};
use parallax_core::TexOp;
use parallax_lane::Reg;

/// Predicates of comparisons: not below, and a NaN operand; a NaN operand.
const NOT_BELOW: u8 = 0x15;
const UNORDERED: u8 = 3;
/// Rounding to an integer: the largest that is not above, without exceptions.
const DOWN: u8 = 0x09;
/// Of the texels of two lanes in two vectors the second ones.
const UPPER_HALVES: u8 = 0x31;

impl Emitter<'_, Avx2> {
    /// Weights, and of each lane the first texel: what the axes make of their numbers, added. The line of the first result says
    /// where coordinates are too large for that, or no numbers.
    pub(super) fn flat_places(&mut self, lookup: Lookup, tex: &TexOp, uses: &[Reg]) {
        let (place, large) = (self.of_lookup(lookup::PLACE), self.of_lookup(lookup::RESULTS[0]));
        self.lookup_axis(lookup, tex, 1, uses);
        self.asm.op(Code::VEX_Vmovdqa_ymmm256_ymm, &[place, ymm(S2)]);
        self.asm.op(Code::VEX_Vmovdqa_ymmm256_ymm, &[large, ymm(S1)]);
        self.lookup_axis(lookup, tex, 0, uses);
        self.asm.op(Code::VEX_Vpor_ymm_ymm_ymmm256, &[ymm(S1), ymm(S1), large]);
        self.asm.op(Code::VEX_Vpaddd_ymm_ymm_ymmm256, &[ymm(S2), ymm(S2), place]);
        self.asm.op(Code::VEX_Vmovdqa_ymmm256_ymm, &[place, ymm(S2)]);
        if !self.is_source(uses[0]) {
            // Nobody sees what quads get in which no lane executes.
            let mut lanes = self.load(uses[0], S0);
            for order in [0b10_11_00_01, 0b01_00_11_10] {
                self.asm.op(Code::VEX_Vpshufd_ymm_ymmm256_imm8, &[ymm(S2), ymm(lanes), Operand::Imm(order)]);
                self.asm.op(Code::VEX_Vpor_ymm_ymm_ymmm256, &[ymm(S0), ymm(lanes), ymm(S2)]);
                lanes = S0;
            }
            self.asm.op(Code::VEX_Vpand_ymm_ymm_ymmm256, &[ymm(S1), ymm(S1), ymm(S0)]);
        }
        self.asm.op(Code::VEX_Vmovdqa_ymmm256_ymm, &[large, ymm(S1)]);
    }

    /// The texels at those places, blended.
    pub(super) fn flat_texels(&mut self, lookup: Lookup, elsewhere: Target, defs: &[Reg]) {
        let image = lookup.image;
        // cmp qword [texels], 0
        self.asm.at_arena(&[0x48, 0x83, 0xbb], image + lookup::TEXELS);
        self.asm.bytes(&[0]);
        self.asm.jump(&[0x0f, 0x84], elsewhere);
        let large = self.of_lookup(lookup::RESULTS[0]);
        self.asm.op(Code::VEX_Vmovdqa_ymm_ymmm256, &[ymm(S1), large]);
        self.asm.op(Code::VEX_Vptest_ymm_ymmm256, &[ymm(S1), ymm(S1)]);
        self.asm.jump(&[0x0f, 0x85], elsewhere);
        // mov rcx, [texels]
        self.asm.at_arena(&[0x48, 0x8b, 0x8b], image + lookup::TEXELS);
        if let Some(comp) = lookup.only {
            return self.lookup_component(defs[comp]);
        }
        // mov edx, [row]; add rdx, rcx
        self.asm.at_arena(&[0x8b, 0x93], line_of_number(image, lookup::ROW));
        self.asm.bytes(&[0x48, 0x01, 0xca]);
        for lane_of_quad in 0..4 {
            self.lookup_lanes(lane_of_quad);
        }
        self.lookup_components(defs);
    }

    /// A line that lookups keep.
    fn of_lookup(&self, line: usize) -> Operand {
        Operand::Memory(self.scratch() + line)
    }

    /// Where the lookup of the block keeps what it needs on its way.
    fn scratch(&self) -> usize {
        self.layout.scratch + self.block * lookup::SCRATCH
    }

    /// Weights of the upper texel to memory; the number of the lower one, in bytes, to the third scratch register, what is too
    /// large, or no number, to the second.
    fn lookup_axis(&mut self, lookup: Lookup, tex: &TexOp, axis: usize, uses: &[Reg]) {
        let image = lookup.image;
        let of = |property: usize| Operand::Memory(line_of_axis(image, axis, property));
        let number = |number: usize| Operand::Memory(line_of_number(image, number));
        let mut coordinate = self.load(uses[1 + axis], S0);
        if tex.project {
            let divisor = self.operand(uses[4]);
            self.asm.op(Code::VEX_Vdivps_ymm_ymm_ymmm256, &[ymm(S0), ymm(coordinate), divisor]);
            coordinate = S0;
        }
        self.asm.op(Code::VEX_Vmulps_ymm_ymm_ymmm256, &[ymm(S0), ymm(coordinate), of(lookup::SCALE)]);
        if let Some((_, direction)) = lookup::places(tex) {
            self.asm.op(Code::VEX_Vmulps_ymm_ymm_ymmm256, &[ymm(S0), ymm(S0), number(lookup::PLACES)]);
            self.asm.op(Code::VEX_Vroundps_ymm_ymmm256_imm8, &[ymm(S0), ymm(S0), Operand::Imm(direction)]);
            self.asm.op(Code::VEX_Vmulps_ymm_ymm_ymmm256, &[ymm(S0), ymm(S0), number(lookup::STEP)]);
        }
        self.asm.op(Code::VEX_Vsubps_ymm_ymm_ymmm256, &[ymm(S0), ymm(S0), number(lookup::HALF)]);
        self.asm.op(Code::VEX_Vandps_ymm_ymm_ymmm256, &[ymm(S1), ymm(S0), Line::Magnitude32.operand()]);
        let large = [ymm(S1), ymm(S1), number(lookup::INTEGERS), Operand::Imm(NOT_BELOW)];
        self.asm.op(Code::VEX_Vcmpps_ymm_ymm_ymmm256_imm8, &large);
        self.asm.op(Code::VEX_Vroundps_ymm_ymmm256_imm8, &[ymm(S2), ymm(S0), Operand::Imm(DOWN)]);
        self.asm.op(Code::VEX_Vsubps_ymm_ymm_ymmm256, &[ymm(S0), ymm(S0), ymm(S2)]);
        self.asm.op(Code::VEX_Vmovdqa_ymmm256_ymm, &[self.of_lookup(lookup::WEIGHT[axis]), ymm(S0)]);
        self.asm.op(Code::VEX_Vcvttps2dq_ymm_ymmm256, &[ymm(S2), ymm(S2)]);
        if tex.offset[axis] != 0 {
            self.asm.op(Code::VEX_Vpaddd_ymm_ymm_ymmm256, &[ymm(S2), ymm(S2), of(lookup::OFFSET)]);
        }
        self.asm.op(Code::VEX_Vpmaxsd_ymm_ymm_ymmm256, &[ymm(S2), ymm(S2), of(lookup::LOW)]);
        self.asm.op(Code::VEX_Vpminsd_ymm_ymm_ymmm256, &[ymm(S2), ymm(S2), of(lookup::HIGH)]);
        self.asm.op(Code::VEX_Vpand_ymm_ymm_ymmm256, &[ymm(S2), ymm(S2), of(lookup::BITS)]);
        if axis == 0 {
            let shift = Operand::Imm(lookup.texel().trailing_zeros() as u8);
            self.asm.op(Code::VEX_Vpslld_ymm_ymm_imm8, &[ymm(S2), ymm(S2), shift]);
        } else {
            self.asm.op(Code::VEX_Vpmulld_ymm_ymm_ymmm256, &[ymm(S2), ymm(S2), number(lookup::ROW)]);
        }
    }

    /// The two texels that a row has at the places of two lanes, in rax and rsi: the first ones in one register, the second ones in the
    /// other, by way of the second.
    fn texels(&mut self, row: Register, [first, second]: [u8; 2]) {
        let [a, b] = [Register::RAX, Register::RSI].map(|place| Operand::Sum(row, place));
        self.asm.op(Code::VEX_Vmovups_ymm_ymmm256, &[ymm(second), a]);
        let first_lanes = [ymm(first), ymm(second), b, Operand::Imm(1)];
        self.asm.op(Code::VEX_Vinsertf128_ymm_ymm_xmmm128_imm8, &first_lanes);
        let seconds = [ymm(second), ymm(second), b, Operand::Imm(UPPER_HALVES)];
        self.asm.op(Code::VEX_Vperm2f128_ymm_ymm_ymmm256_imm8, &seconds);
    }

    /// The weights of some lanes of both quads.
    fn weight(&mut self, axis: usize, order: u8, to: u8) {
        let operands = [ymm(to), self.of_lookup(lookup::WEIGHT[axis]), Operand::Imm(order)];
        self.asm.op(Code::VEX_Vpermilps_ymm_ymmm256_imm8, &operands);
    }

    /// p + w (q - p), in the register of q.
    fn blend(&mut self, p: Operand, q: u8, weight: Operand) {
        self.lerp(p, q, weight, q);
    }

    /// The same in another register; that of q is lost.
    fn lerp(&mut self, p: Operand, q: u8, weight: Operand, to: u8) {
        self.asm.op(Code::VEX_Vsubps_ymm_ymm_ymmm256, &[ymm(q), ymm(q), p]);
        self.asm.op(Code::VEX_Vmulps_ymm_ymm_ymmm256, &[ymm(q), ymm(q), weight]);
        self.asm.op(Code::VEX_Vaddps_ymm_ymm_ymmm256, &[ymm(to), ymm(q), p]);
    }

    /// The places of the lanes of this number in their quads, to rax and rsi.
    fn places(&mut self, lane_of_quad: usize) {
        let place = self.scratch() + lookup::PLACE + 4 * lane_of_quad;
        // movsxd rax, [place]; movsxd rsi, [place]
        self.asm.at_arena(&[0x48, 0x63, 0x83], place);
        self.asm.at_arena(&[0x48, 0x63, 0xb3], place + 16);
    }

    /// What the lanes of this number in their quads get.
    fn lookup_lanes(&mut self, lane_of_quad: usize) {
        self.places(lane_of_quad);
        let order = 0x55 * lane_of_quad as u8;
        let result = self.of_lookup(lookup::RESULTS[lane_of_quad]);
        self.texels(Register::RCX, [S0, S1]);
        self.weight(0, order, S2);
        self.blend(ymm(S0), S1, ymm(S2));
        self.asm.op(Code::VEX_Vmovaps_ymmm256_ymm, &[result, ymm(S1)]);
        self.texels(Register::RDX, [S0, S1]);
        self.blend(ymm(S0), S1, ymm(S2));
        self.weight(1, order, S2);
        self.blend(result, S1, ymm(S2));
        self.asm.op(Code::VEX_Vmovaps_ymmm256_ymm, &[result, ymm(S1)]);
    }

    /// One component alone: two lanes of a quad are put side by side and blended along rows, then all four.
    fn lookup_component(&mut self, def: Reg) {
        let upper = self.of_lookup(lookup::RESULTS[0]);
        for pair in 0..2 {
            for (lane_of_quad, to) in [(2 * pair, S0), (2 * pair + 1, S1)] {
                self.places(lane_of_quad);
                let [a, b] = [Register::RAX, Register::RSI].map(|place| Operand::Sum(Register::RCX, place));
                self.asm.op(Code::VEX_Vmovups_xmm_xmmm128, &[Operand::Xmm(to), a]);
                self.asm.op(Code::VEX_Vinsertf128_ymm_ymm_xmmm128_imm8, &[ymm(to), ymm(to), b, Operand::Imm(1)]);
            }
            // The texels on the left, of the upper row and the lower one, then those on the right.
            self.asm.op(Code::VEX_Vunpcklps_ymm_ymm_ymmm256, &[ymm(S2), ymm(S0), ymm(S1)]);
            self.asm.op(Code::VEX_Vunpckhps_ymm_ymm_ymmm256, &[ymm(S0), ymm(S0), ymm(S1)]);
            self.weight(0, [0b01_00_01_00, 0b11_10_11_10][pair], S1);
            self.blend(ymm(S2), S0, ymm(S1));
            if pair == 0 {
                self.asm.op(Code::VEX_Vmovaps_ymmm256_ymm, &[upper, ymm(S0)]);
            }
        }
        self.asm.op(Code::VEX_Vmovaps_ymm_ymmm256, &[ymm(S1), upper]);
        self.asm.op(Code::VEX_Vunpcklpd_ymm_ymm_ymmm256, &[ymm(S2), ymm(S1), ymm(S0)]);
        self.asm.op(Code::VEX_Vunpckhpd_ymm_ymm_ymmm256, &[ymm(S0), ymm(S1), ymm(S0)]);
        let to = self.result(def);
        let weight = self.of_lookup(lookup::WEIGHT[1]);
        self.lerp(ymm(S2), S0, weight, to);
        self.store(def);
    }

    /// NaNs get the bits of those of textures.
    pub(super) fn settle_components(&mut self, image: usize, defs: &[Reg]) {
        for &def in defs {
            if self.layout.is_read(Some(&def)) {
                let to = self.load(def, RESULT);
                self.asm
                    .op(Code::VEX_Vcmpps_ymm_ymm_ymmm256_imm8, &[ymm(S0), ymm(to), ymm(to), Operand::Imm(UNORDERED)]);
                let fixed = [ymm(to), ymm(to), Operand::Memory(line_of_number(image, lookup::NAN)), ymm(S0)];
                self.asm.op(Code::VEX_Vblendvps_ymm_ymm_ymmm256_ymm, &fixed);
                self.store(def);
            }
        }
    }

    /// From four components of a lane side by side to all lanes of a component side by side.
    fn lookup_components(&mut self, defs: &[Reg]) {
        let results = lookup::RESULTS.map(|line| self.of_lookup(line));
        for (pair, first) in [(Code::VEX_Vunpcklps_ymm_ymm_ymmm256, 0), (Code::VEX_Vunpckhps_ymm_ymm_ymmm256, 2)] {
            if !self.layout.is_read(defs.get(first)) && !self.layout.is_read(defs.get(first + 1)) {
                continue;
            }
            for (to, [a, b]) in [(S0, [results[0], results[1]]), (S1, [results[2], results[3]])] {
                self.asm.op(Code::VEX_Vmovaps_ymm_ymmm256, &[ymm(to), a]);
                self.asm.op(pair, &[ymm(to), ymm(to), b]);
            }
            let halves = [Code::VEX_Vunpcklpd_ymm_ymm_ymmm256, Code::VEX_Vunpckhpd_ymm_ymm_ymmm256];
            for (comp, half) in (first..).zip(halves) {
                if !self.layout.is_read(defs.get(comp)) {
                    continue;
                }
                let to = self.result(defs[comp]);
                self.asm.op(half, &[ymm(to), ymm(S0), ymm(S1)]);
                self.store(defs[comp]);
            }
        }
    }
}
