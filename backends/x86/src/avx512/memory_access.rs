//! Reads and changes of buffers.

use super::step::zmm;
use super::{Avx512, K6, K7, S0, S1, S2};
use crate::asm::Target;
use crate::emit::Emitter;
use crate::layout;
use crate::memory::{self, Accesses, LaneLines};
use crate::operand::Operand;
use iced_x86::{Code, Register};
use parallax_core::AtomicOp;
use parallax_lane::{Reg, Stride};

/// Predicates of comparisons.
const BELOW: u8 = 1;
const NOT_EQUAL: u8 = 4;

/// Where the registers of patterns would be saved: they never are.
const LINES: LaneLines = {
    const FIRST: usize = layout::VECTORS + 64 * 28;
    LaneLines { numbers: FIRST, operands: FIRST + 64, second: FIRST + 128, results: FIRST + 192 }
};

impl Emitter<'_, Avx512> {
    /// Numbers of the words at addresses to the first scratch register.
    fn word_numbers(&mut self, address: Reg, offset: u32) {
        let mut address = self.load(address, S0);
        if offset != 0 {
            self.number_to_eax(offset);
            self.asm.op(Code::EVEX_Vpbroadcastd_zmm_k1z_r32, &[zmm(S1), Operand::Eax]);
            self.asm.op(Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32, &[zmm(S0), zmm(address), zmm(S1)]);
            address = S0;
        }
        self.asm.op(Code::EVEX_Vpsrld_zmm_k1z_zmmm512b32_imm8, &[zmm(S0), zmm(address), Operand::Imm(2)]);
    }

    /// Whether the numbers of words are one number, or follow each other, as a stride says: then the first one is in eax, else code
    /// goes elsewhere. Another mask of lanes may be in k7.
    fn first_number(&mut self, is_row: bool, elsewhere: Target) {
        let mut numbers = S0;
        if is_row {
            let lanes = Operand::Memory(layout::LANE_NUMBERS);
            self.asm.op(Code::EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32, &[zmm(S1), zmm(S0), lanes]);
            numbers = S1;
        }
        self.asm.op(Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32, &[zmm(S2), Operand::Xmm(numbers)]);
        let other = [Operand::K(K6), zmm(numbers), zmm(S2), Operand::Imm(NOT_EQUAL)];
        self.asm.op(Code::EVEX_Vpcmpd_kr_k1_zmm_zmmm512b32_imm8, &other);
        self.asm.op(Code::VEX_Kortestw_kr_kr, &[Operand::K(K6), Operand::K(K6)]);
        self.asm.jump(&[0x0f, 0x85], elsewhere);
        self.asm.op(Code::EVEX_Vmovd_rm32_xmm, &[Operand::Eax, Operand::Xmm(numbers)]);
    }

    /// Where the words of a stride are; goes elsewhere if there are none. `ends`: of a table where rows end, or single words, and how
    /// many words it counts.
    fn first_of(&mut self, table: usize, stride: Stride, ends: [usize; 2], address: Reg, elsewhere: Target) -> Operand {
        let [end, count] = ends;
        if stride.is_inside {
            return self.word_inside(address, stride, table);
        }
        if stride.is_exact {
            return self.first_word(address, stride, table, end, elsewhere);
        }
        self.word_numbers(address, 0);
        let is_row = stride.bytes == 4;
        self.first_number(is_row, elsewhere);
        self.word_address(table, table + count, if is_row { 15 } else { 0 }, elsewhere);
        Operand::Pointed(Register::RDX)
    }

    /// The lanes that execute and are covered to k7.
    fn changing(&mut self, lanes: Reg) {
        let lanes = self.mask(lanes, K6);
        self.asm.op(Code::VEX_Kmovw_kr_km16, &[Operand::K(K7), Operand::Block(layout::COVERED)]);
        self.masks(Code::VEX_Kandw_kr_kr_kr, K7, K7, lanes);
    }

    /// Numbers of words to the first scratch register; in k7 the lanes that execute, are covered, and whose words can be changed.
    fn acting(&mut self, table: usize, lanes: Reg, address: Reg, offset: u32) {
        self.word_numbers(address, offset);
        self.changing(lanes);
        let inside = [Operand::K(K7), zmm(S0), Operand::Broadcast(table + memory::WRITABLE), Operand::Imm(BELOW)];
        self.asm.masked(Code::EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8, K7, false, &inside);
    }
}

impl Accesses for Emitter<'_, Avx512> {
    fn first_to_eax(&mut self, reg: Reg) {
        let from = self.load(reg, S0);
        self.asm.op(Code::EVEX_Vmovd_rm32_xmm, &[Operand::Eax, Operand::Xmm(from)]);
    }

    fn buffer_size(&mut self, table: usize, def: Reg) {
        let to = self.result(def);
        let size = Operand::Memory(table + memory::BYTES);
        self.asm.op(Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32, &[Operand::Zmm(to), size]);
        self.store(def);
    }

    fn load_words(&mut self, table: usize, stride: Stride, address: Reg, def: Reg, elsewhere: Target) {
        let is_row = stride.bytes == 4;
        let end = if is_row { memory::ROW_END } else { memory::WORD_END };
        let words = self.first_of(table, stride, [end, memory::WORDS], address, elsewhere);
        let code = if is_row { Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512 } else { Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32 };
        let to = self.result(def);
        self.asm.op(code, &[zmm(to), words]);
        self.store(def);
    }

    fn load_anywhere(&mut self, table: usize, address: Reg, offset: u32, def: Reg) {
        self.word_numbers(address, offset);
        let inside = [Operand::K(K7), zmm(S0), Operand::Broadcast(table + memory::WORDS), Operand::Imm(BELOW)];
        self.asm.op(Code::EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8, &inside);
        self.pointer(table + memory::POINTER);
        let to = self.result(def);
        self.asm.op(Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32, &[zmm(to), zmm(to), zmm(to)]);
        self.asm.masked(Code::EVEX_Vpgatherdd_zmm_k1_vm32z, K7, false, &[zmm(to), words()]);
        self.store(def);
    }

    fn store_words(&mut self, table: usize, stride: Stride, uses: &[Reg], elsewhere: Target) {
        let ends = [memory::WRITABLE_END, memory::WRITABLE];
        let words = self.first_of(table, stride, ends, uses[1], elsewhere);
        if !stride.is_by_all {
            self.changing(uses[0]);
        }
        let value = self.load(uses[2], S1);
        let row = [words, zmm(value)];
        let lanes = if stride.is_by_all { 0 } else { K7 };
        self.asm.masked(Code::EVEX_Vmovdqu32_zmmm512_k1z_zmm, lanes, false, &row);
    }

    /// A scatter writes in the order of lanes, the last one over what others wrote (Intel's manual, volume 2, VPSCATTERDD).
    fn store_anywhere(&mut self, table: usize, uses: &[Reg], offset: u32) {
        self.acting(table, uses[0], uses[1], offset);
        self.pointer(table + memory::POINTER);
        let value = self.load(uses[2], S1);
        self.asm.masked(Code::EVEX_Vpscatterdd_vm32z_k1_zmm, K7, false, &[words(), zmm(value)]);
    }

    fn change_words(&mut self, table: usize, op: AtomicOp, uses: &[Reg], def: Reg) {
        self.acting(table, uses[0], uses[1], 0);
        let store = Code::EVEX_Vmovdqa32_zmmm512_k1z_zmm;
        self.asm.op(store, &[Operand::Memory(LINES.numbers), zmm(S0)]);
        for (&operand, at) in uses[2..].iter().zip([LINES.operands, LINES.second]) {
            let operand = self.load(operand, S1);
            self.asm.op(store, &[Operand::Memory(at), zmm(operand)]);
        }
        self.asm.op(Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32, &[zmm(S0), zmm(S0), zmm(S0)]);
        self.asm.op(store, &[Operand::Memory(LINES.results), zmm(S0)]);
        self.asm.op(Code::VEX_Kmovw_r32_kr, &[Operand::Eax, Operand::K(K7)]);
        self.change_lane_by_lane(table, op, LINES);
        let to = self.result(def);
        self.asm.op(Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512, &[zmm(to), Operand::Memory(LINES.results)]);
        self.store(def);
    }
}

/// Words of the buffer that rax leads to, by the numbers in the first scratch register.
fn words() -> Operand {
    Operand::Numbered(Register::RAX, Register::ZMM0 + u32::from(S0), 4, 0)
}
