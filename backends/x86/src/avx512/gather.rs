//! Reads and writes at computed places.

use super::step::zmm;
use super::{Avx512, K6, K7, S0, S1};
use crate::asm::Target;
use crate::emit::Emitter;
use crate::gather::{self, Array, Read};
use crate::layout;
use crate::operand::Operand;
use iced_x86::{Code, Register};
use parallax_lane::{Part, Reg};
use parallax_step::Ty;

/// Predicates of comparisons.
const BELOW: u8 = 1;
const AT_MOST: u8 = 2;

impl Emitter<'_, Avx512> {
    /// The same number in all lanes.
    fn number(&mut self, number: u32, to: u8) {
        // mov eax, number
        self.asm.bytes(&[0xb8]);
        self.asm.bytes(&number.to_le_bytes());
        self.asm.op(Code::EVEX_Vpbroadcastd_zmm_k1z_r32, &[zmm(to), Operand::Eax]);
    }

    pub(super) fn gather_vectors(&mut self, table: usize, read: Read, elsewhere: Target, index: Reg, def: Reg) {
        let mut number = self.load(index, S0);
        if read.base != 0 {
            self.number(read.base as u32, S1);
            self.asm.op(Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, &[zmm(S0), zmm(number), zmm(S1)]);
            number = S0;
        }
        // mov rax, [pointer]; test rax, rax
        self.pointer(table + gather::POINTER);
        self.asm.bytes(&[0x48, 0x85, 0xc0]);
        self.asm.jump(&[0x0f, 0x84], elsewhere);
        let inside = [Operand::K(K7), zmm(number), Operand::Broadcast(table + gather::LAST), Operand::Imm(AT_MOST)];
        self.asm.op(Code::EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8, &inside);
        let stride = Operand::Broadcast(table + gather::STRIDE);
        self.asm.op(Code::EVEX_Vpmulld_zmm_k1z_zmm_zmmm512b32, &[zmm(S0), zmm(number), stride]);
        if read.of_lanes {
            let lanes = Operand::Memory(layout::LANE_NUMBERS);
            self.asm.op(Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, &[zmm(S0), zmm(S0), lanes]);
            // lea rax, [rax + 4 r12 + what lies ahead]
            self.asm.bytes(&[0x4a, 0x8d, 0x44, 0xa0, 4 * self.asm.ahead as u8]);
        }
        let to = self.result(def);
        self.asm.op(Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32, &[zmm(to), zmm(to), zmm(to)]);
        let words = Operand::Numbered(Register::RAX, Register::ZMM0 + u32::from(S0), 4, 0);
        self.asm.masked(Code::EVEX_Vpgatherdd_zmm_k1_vm32z, K7, false, &[zmm(to), words]);
        self.store(def);
    }

    /// Numbers of the words of elements to the first scratch register; a mask of the lanes, of some, whose elements exist.
    fn elements(&mut self, array: Array, index: Reg, of: Option<u8>) {
        let index = self.load(index, S0);
        self.number(array.len, S1);
        let inside = [Operand::K(K7), zmm(index), zmm(S1), Operand::Imm(BELOW)];
        let compare = Code::EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8;
        match of {
            Some(lanes) => self.asm.masked(compare, lanes, false, &inside),
            None => self.asm.op(compare, &inside),
        }
        self.asm.op(Code::EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8, &[zmm(S0), zmm(index), Operand::Imm(4)]);
        let lanes = Operand::Memory(layout::LANE_NUMBERS);
        self.asm.op(Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, &[zmm(S0), zmm(S0), lanes]);
    }

    /// Words of an array by the numbers in the first scratch register, of all lanes or half of them.
    fn words(&mut self, array: Array, part: Part) -> Operand {
        let (index, bytes) = match part {
            Part::Whole => (Register::ZMM0 + u32::from(S0), 4),
            Part::Low => (Register::YMM0 + u32::from(S0), 8),
            Part::High => {
                let operands = [Operand::Ymm(S0), zmm(S0), Operand::Imm(1)];
                self.asm.op(Code::EVEX_Vextractf32x8_ymmm256_k1z_zmm_imm8, &operands);
                self.masks_down(K7);
                (Register::YMM0 + u32::from(S0), 8)
            }
        };
        Operand::Numbered(Register::RBX, index, bytes, array.start)
    }

    /// The upper lanes of a mask move down.
    fn masks_down(&mut self, mask: u8) {
        self.asm.op(Code::VEX_Kshiftrw_kr_kr_imm8, &[Operand::K(mask), Operand::K(K6), Operand::Imm(8)]);
    }

    pub(super) fn load_elements(&mut self, array: Array, ty: Ty, uses: &[Reg], defs: &[Reg]) {
        self.elements(array, uses[1], None);
        // A gather uses its mask up.
        self.masks(Code::VEX_Korw_kr_kr_kr, K6, K7, K7);
        if ty == Ty::Mask {
            let words = self.words(array, Part::Whole);
            self.asm.op(Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32, &[zmm(S1), zmm(S1), zmm(S1)]);
            self.asm.masked(Code::EVEX_Vpgatherdd_zmm_k1_vm32z, K7, false, &[zmm(S1), words]);
            let to = self.mask_result(defs[0]);
            self.asm.op(Code::EVEX_Vpmovd2m_kr_zmm, &[Operand::K(to), zmm(S1)]);
            return self.store_mask(defs[0]);
        }
        let parts: &[Part] = if defs.len() > 1 { &[Part::Low, Part::High] } else { &[Part::Whole] };
        for (&part, &def) in parts.iter().zip(defs) {
            let (words, to) = (self.words(array, part), self.result(def));
            let code = match part {
                Part::Whole => Code::EVEX_Vpgatherdd_zmm_k1_vm32z,
                _ => Code::EVEX_Vpgatherdq_zmm_k1_vm32y,
            };
            self.asm.op(Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32, &[zmm(to), zmm(to), zmm(to)]);
            self.asm.masked(code, K7, false, &[zmm(to), words]);
            self.store(def);
        }
    }

    pub(super) fn store_elements(&mut self, array: Array, ty: Ty, uses: &[Reg]) {
        let lanes = self.mask(uses[0], K6);
        // A mask of k0 would be one of all lanes; no place of a mask is that one.
        self.elements(array, uses[1], Some(lanes));
        self.masks(Code::VEX_Korw_kr_kr_kr, K6, K7, K7);
        let values = &uses[2..];
        let parts: &[Part] = if values.len() > 1 { &[Part::Low, Part::High] } else { &[Part::Whole] };
        for (&part, &value) in parts.iter().zip(values) {
            let words = self.words(array, part);
            let from = if ty == Ty::Mask {
                let mask = self.mask(value, super::K0);
                self.asm.op(Code::EVEX_Vpmovm2d_zmm_kr, &[zmm(S1), Operand::K(mask)]);
                S1
            } else {
                self.load(value, S1)
            };
            let code = match part {
                Part::Whole => Code::EVEX_Vpscatterdd_vm32z_k1_zmm,
                _ => Code::EVEX_Vpscatterdq_vm32y_k1_zmm,
            };
            self.asm.masked(code, K7, false, &[words, zmm(from)]);
        }
    }
}
