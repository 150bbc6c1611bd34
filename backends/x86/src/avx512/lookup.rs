//! Texture lookups in code: four texels blended, the arithmetic of [`parallax_core::exec::FlatImage`].
//!
//! Numbers of texels and weights are computed for all lanes at once. Then a vector takes the four components of the texels of
//! four lanes (one of each quad of the block), because texels lie so in memory, two neighbours of a row with one load; at the
//! end the components are put side by side. Where one component alone is read, one load takes it of all four texels of a lane.
//!
//! What comes from memory goes to its place in a vector by a load of the same for all of it under a mask: that needs no port for
//! shuffles, of which there are few.

use super::step::{UNORDERED, zmm};
use super::{Avx512, K6, K7, RESULT, S0, S1, S2};
use crate::asm::Target;
use crate::emit::Emitter;
use crate::lookup::{self, Lookup, of_axis};
use crate::operand::Operand;
use iced_x86::{Code, Register};
use parallax_core::TexOp;
use parallax_lane::Reg;

/// Predicate of comparisons: not below, and a NaN operand.
const NOT_BELOW: u8 = 0x15;
/// Of two texels each in two vectors: the first ones, the second ones.
const FIRST: u8 = 0x88;
const SECOND: u8 = 0xdd;
/// Rounding to an integer: the largest that is not above, without exceptions.
const DOWN: u8 = 0x09;
/// Registers for the places of texels, and how each is loaded from the arena: movsxd.
const PLACES: [(Register, [u8; 3]); 4] = [
    (Register::RAX, [0x48, 0x63, 0x83]),
    (Register::RSI, [0x48, 0x63, 0xb3]),
    (Register::RDI, [0x48, 0x63, 0xbb]),
    (Register::R8, [0x4c, 0x63, 0x83]),
];

impl Emitter<'_, Avx512> {
    /// Weights, and of each lane the first texel: what the axes make of their numbers, added. The line of the first result says
    /// where coordinates are too large for that, or no numbers.
    pub(super) fn flat_places(&mut self, lookup: Lookup, tex: &TexOp, uses: &[Reg]) {
        let place = self.scratch() + lookup::PLACE;
        for axis in [1, 0] {
            self.lookup_axis(lookup, tex, axis, uses);
            if axis == 1 {
                self.store_line(place, S0);
            }
        }
        self.asm.op(Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, &[zmm(S0), zmm(S0), Operand::Memory(place)]);
        self.store_line(place, S0);
        self.masks(Code::VEX_Korw_kr_kr_kr, K7, K6, K7);
        if !self.is_source(uses[0]) {
            // Nobody sees what quads get in which no lane executes.
            let lanes = self.mask(uses[0], K6);
            self.any_of_quad(lanes, K6, [S1, S2]);
            self.masks(Code::VEX_Kandw_kr_kr_kr, K7, K6, K7);
        }
        let large = Operand::Memory(self.scratch() + lookup::RESULTS[0]);
        self.asm.op(Code::VEX_Kmovw_m16_kr, &[large, Operand::K(K7)]);
    }

    /// The texels at those places, blended.
    pub(super) fn flat_texels(&mut self, lookup: Lookup, elsewhere: Target, defs: &[Reg]) {
        let image = lookup.image;
        // cmp qword [texels], 0
        self.asm.at_arena(&[0x48, 0x83, 0xbb], image + lookup::TEXELS);
        self.asm.bytes(&[0]);
        self.asm.jump(&[0x0f, 0x84], elsewhere);
        // cmp word [large], 0
        self.asm.at_arena(&[0x66, 0x83, 0xbb], self.scratch() + lookup::RESULTS[0]);
        self.asm.bytes(&[0]);
        self.asm.jump(&[0x0f, 0x85], elsewhere);
        // mov rcx, [texels]
        self.asm.at_arena(&[0x48, 0x8b, 0x8b], image + lookup::TEXELS);
        let quarters = lookup::QUARTERS.map(|at| Operand::Memory(image + at));
        self.asm.op(Code::VEX_Kmovw_kr_km16, &[Operand::K(K6), quarters[0]]);
        if let Some(comp) = lookup.only {
            self.asm.op(Code::VEX_Kmovw_kr_km16, &[Operand::K(K7), quarters[1]]);
            return self.lookup_component(defs[comp]);
        }
        // mov edx, [row]; add rdx, rcx
        self.asm.at_arena(&[0x8b, 0x93], image + lookup::ROW);
        self.asm.bytes(&[0x48, 0x01, 0xca]);
        for quarter in 0..4 {
            self.lookup_quarter(quarter);
        }
        self.lookup_components(defs);
    }

    /// Where the lookup of the block keeps what it needs on its way.
    fn scratch(&self) -> usize {
        self.layout.scratch + self.block * lookup::SCRATCH
    }

    fn load_line(&mut self, at: usize, to: u8) {
        self.asm.op(Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512, &[zmm(to), Operand::Memory(at)]);
    }

    fn store_line(&mut self, at: usize, from: u8) {
        self.asm.op(Code::EVEX_Vmovdqa32_zmmm512_k1z_zmm, &[Operand::Memory(at), zmm(from)]);
    }

    /// Weights of the upper texel to memory, the number of the lower one, in bytes, to a register, whether it is too large to a
    /// mask.
    fn lookup_axis(&mut self, lookup: Lookup, tex: &TexOp, axis: usize, uses: &[Reg]) {
        let image = lookup.image;
        let of = |property: usize| Operand::Broadcast(of_axis(image, axis, property));
        let number = |number: usize| Operand::Broadcast(image + number);
        let mut coordinate = self.load(uses[1 + axis], S0);
        if tex.project {
            let divisor = self.operand(uses[4], false, S1);
            self.asm.op(Code::EVEX_Vdivps_zmm_k1z_zmm_zmmm512b32_er, &[zmm(S0), zmm(coordinate), divisor]);
            coordinate = S0;
        }
        self.asm.op(Code::EVEX_Vmulps_zmm_k1z_zmm_zmmm512b32_er, &[zmm(S0), zmm(coordinate), of(lookup::SCALE)]);
        if let Some((bits, direction)) = lookup::places(tex) {
            let places = Operand::Imm(bits << 4 | direction);
            self.asm.op(Code::EVEX_Vrndscaleps_zmm_k1z_zmmm512b32_imm8_sae, &[zmm(S0), zmm(S0), places]);
        }
        self.asm.op(Code::EVEX_Vsubps_zmm_k1z_zmm_zmmm512b32_er, &[zmm(S0), zmm(S0), number(lookup::HALF)]);
        // What is too large for numbers of 32 bits, or no number.
        let magnitude = Operand::Broadcast(crate::layout::MAGNITUDE32);
        self.asm.op(Code::EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32, &[zmm(S1), zmm(S0), magnitude]);
        let compare = Code::EVEX_Vcmpps_kr_k1_zmm_zmmm512b32_imm8_sae;
        let large = [Operand::K([K7, K6][axis]), zmm(S1), number(lookup::INTEGERS), Operand::Imm(NOT_BELOW)];
        self.asm.op(compare, &large);
        self.asm.op(Code::EVEX_Vrndscaleps_zmm_k1z_zmmm512b32_imm8_sae, &[zmm(S2), zmm(S0), Operand::Imm(DOWN)]);
        self.asm.op(Code::EVEX_Vsubps_zmm_k1z_zmm_zmmm512b32_er, &[zmm(S0), zmm(S0), zmm(S2)]);
        self.store_line(self.scratch() + lookup::WEIGHT[axis], S0);
        self.asm.op(Code::EVEX_Vcvttps2dq_zmm_k1z_zmmm512b32_sae, &[zmm(S1), zmm(S2)]);
        if tex.offset[axis] != 0 {
            self.asm.op(Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, &[zmm(S1), zmm(S1), of(lookup::OFFSET)]);
        }
        self.asm.op(Code::EVEX_Vpmaxsd_zmm_k1z_zmm_zmmm512b32, &[zmm(S0), zmm(S1), of(lookup::LOW)]);
        self.asm.op(Code::EVEX_Vpminsd_zmm_k1z_zmm_zmmm512b32, &[zmm(S0), zmm(S0), of(lookup::HIGH)]);
        self.asm.op(Code::EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32, &[zmm(S0), zmm(S0), of(lookup::BITS)]);
        if axis == 0 {
            let shift = Operand::Imm(lookup.texel().trailing_zeros() as u8);
            self.asm.op(Code::EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8, &[zmm(S0), zmm(S0), shift]);
        } else {
            let row = Operand::Broadcast(image + lookup::ROW);
            self.asm.op(Code::EVEX_Vpmulld_zmm_k1z_zmm_zmmm512b32, &[zmm(S0), zmm(S0), row]);
        }
    }

    /// Where the texels of a lane of each quad of the block are.
    fn places(&mut self, lane_of_quad: usize) {
        for (quad, (_, load)) in PLACES.iter().enumerate() {
            let at = self.scratch() + lookup::PLACE + 4 * (4 * quad + lane_of_quad);
            self.asm.at_arena(load, at);
        }
    }

    /// The two texels that a row has at those places: of two quads in each of two vectors.
    fn texels(&mut self, row: Register, to: [u8; 2]) {
        for (quad, (place, _)) in PLACES.into_iter().enumerate() {
            let (to, texels) = (to[quad / 2], Operand::Sum(row, place));
            if quad % 2 == 0 {
                self.asm.op(Code::EVEX_Vmovups_ymm_k1z_ymmm256, &[Operand::Ymm(to), texels]);
            } else {
                self.asm.masked(Code::EVEX_Vbroadcastf64x4_zmm_k1z_m256, K6, false, &[zmm(to), texels]);
            }
        }
    }

    /// Of vectors of two texels each those that come first, or second.
    fn choose(&mut self, which: u8, [a, b]: [u8; 2], to: u8) {
        let operands = [zmm(to), zmm(a), zmm(b), Operand::Imm(which)];
        self.asm.op(Code::EVEX_Vshuff64x2_zmm_k1z_zmm_zmmm512b64_imm8, &operands);
    }

    /// p + w (q - p), in the register of p.
    fn blend(&mut self, p: u8, q: u8, weight: Operand) {
        self.lerp(p, q, weight, p);
    }

    /// The same in another register; that of q is lost.
    fn lerp(&mut self, p: u8, q: u8, weight: Operand, to: u8) {
        self.asm.op(Code::EVEX_Vsubps_zmm_k1z_zmm_zmmm512b32_er, &[zmm(q), zmm(q), zmm(p)]);
        self.asm.op(Code::EVEX_Vmulps_zmm_k1z_zmm_zmmm512b32_er, &[zmm(q), zmm(q), weight]);
        self.asm.op(Code::EVEX_Vaddps_zmm_k1z_zmm_zmmm512b32_er, &[zmm(to), zmm(p), zmm(q)]);
    }

    /// The weights of some lanes of each quad.
    fn weight(&mut self, axis: usize, order: u8, to: u8) {
        let line = Operand::Memory(self.scratch() + lookup::WEIGHT[axis]);
        self.asm.op(Code::EVEX_Vpermilps_zmm_k1z_zmmm512b32_imm8, &[zmm(to), line, Operand::Imm(order)]);
    }

    /// What the lane of this number in its quad gets, in all quads of the block.
    fn lookup_quarter(&mut self, lane_of_quad: usize) {
        let order = 0x55 * lane_of_quad as u8;
        let result = self.scratch() + lookup::RESULTS[lane_of_quad];
        self.places(lane_of_quad);
        self.texels(Register::RCX, [S0, S2]);
        self.choose(FIRST, [S0, S2], RESULT);
        self.choose(SECOND, [S0, S2], S0);
        self.weight(0, order, S1);
        // There are too few registers to keep it.
        self.store_line(result, S1);
        self.blend(RESULT, S0, zmm(S1));
        self.texels(Register::RDX, [S0, S2]);
        self.choose(FIRST, [S0, S2], S1);
        self.choose(SECOND, [S0, S2], S0);
        self.blend(S1, S0, Operand::Memory(result));
        self.weight(1, order, S0);
        self.blend(RESULT, S1, zmm(S0));
        self.store_line(result, RESULT);
    }

    /// The four texels of the lane of this number in its quad, in all quads of the block: of each the upper and the lower one on the left,
    /// then those on the right.
    fn texels_of_component(&mut self, lane_of_quad: usize, to: u8) {
        self.places(lane_of_quad);
        let [a, b, c, d] = PLACES.map(|(place, _)| Operand::Sum(Register::RCX, place));
        self.asm.op(Code::EVEX_Vmovups_xmm_k1z_xmmm128, &[Operand::Xmm(to), a]);
        self.asm.masked(Code::EVEX_Vbroadcastf32x4_zmm_k1z_m128, K6, false, &[zmm(to), b]);
        // Both of the upper quarters, then the last one.
        self.asm.masked(Code::EVEX_Vbroadcastf64x2_zmm_k1z_m128, K6, false, &[zmm(to), c]);
        self.asm.masked(Code::EVEX_Vbroadcastf32x4_zmm_k1z_m128, K7, false, &[zmm(to), d]);
    }

    /// One component alone: two lanes of a quad are put side by side and blended along rows, then all four.
    fn lookup_component(&mut self, def: Reg) {
        for (pair, [left, right, other]) in [[S0, S2, S1], [S1, RESULT, S2]].into_iter().enumerate() {
            self.texels_of_component(2 * pair, left);
            self.texels_of_component(2 * pair + 1, other);
            let both = [zmm(left), zmm(other)];
            self.asm.op(Code::EVEX_Vunpckhps_zmm_k1z_zmm_zmmm512b32, &[zmm(right), both[0], both[1]]);
            self.asm.op(Code::EVEX_Vunpcklps_zmm_k1z_zmm_zmmm512b32, &[both[0], both[0], both[1]]);
            // Weights of both, for the upper row and the lower one.
            self.weight(0, [0b01_00_01_00, 0b11_10_11_10][pair], other);
            self.blend(left, right, zmm(other));
        }
        let both = [zmm(S0), zmm(S1)];
        self.asm.op(Code::EVEX_Vunpckhpd_zmm_k1z_zmm_zmmm512b64, &[zmm(S2), both[0], both[1]]);
        self.asm.op(Code::EVEX_Vunpcklpd_zmm_k1z_zmm_zmmm512b64, &[zmm(S0), both[0], both[1]]);
        let to = self.result(def);
        self.lerp(S0, S2, Operand::Memory(self.scratch() + lookup::WEIGHT[1]), to);
        self.store(def);
    }

    /// NaNs get the bits of those of textures.
    pub(super) fn settle_components(&mut self, image: usize, defs: &[Reg]) {
        for &def in defs {
            if self.layout.is_read(Some(&def)) {
                let to = self.load(def, RESULT);
                self.settle(image, to);
                self.store(def);
            }
        }
    }

    /// A NaN gets the bits of those of textures.
    fn settle(&mut self, image: usize, to: u8) {
        let nan = [Operand::K(K7), zmm(to), zmm(to), Operand::Imm(UNORDERED)];
        self.asm.op(Code::EVEX_Vcmpps_kr_k1_zmm_zmmm512b32_imm8_sae, &nan);
        let fixed = [zmm(to), Operand::Memory(image + lookup::NAN)];
        self.asm.masked(Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32, K7, false, &fixed);
    }

    /// From four components of a lane side by side to all lanes of a component side by side.
    fn lookup_components(&mut self, defs: &[Reg]) {
        let results = lookup::RESULTS.map(|line| self.scratch() + line);
        let pairs =
            [(Code::EVEX_Vunpcklps_zmm_k1z_zmm_zmmm512b32, 0), (Code::EVEX_Vunpckhps_zmm_k1z_zmm_zmmm512b32, 2)];
        for (pair, first) in pairs {
            if !self.layout.is_read(defs.get(first)) && !self.layout.is_read(defs.get(first + 1)) {
                continue;
            }
            for (to, [a, b]) in [(S0, [results[0], results[1]]), (S1, [results[2], results[3]])] {
                self.load_line(a, to);
                self.asm.op(pair, &[zmm(to), zmm(to), Operand::Memory(b)]);
            }
            let halves = [Code::EVEX_Vunpcklpd_zmm_k1z_zmm_zmmm512b64, Code::EVEX_Vunpckhpd_zmm_k1z_zmm_zmmm512b64];
            for (comp, half) in (first..).zip(halves) {
                if !self.layout.is_read(defs.get(comp)) {
                    continue;
                }
                let def = defs[comp];
                let to = self.result(def);
                self.asm.op(half, &[zmm(to), zmm(S0), zmm(S1)]);
                self.store(def);
            }
        }
    }
}
