//! Reads and changes of buffers.

use super::{Avx2, S0, S1, S2, TEMPORARY, ymm};
use crate::asm::Target;
use crate::emit::Emitter;
use crate::layout;
use crate::memory::{self, Accesses, LaneLines};
use crate::operand::Operand;
use iced_x86::{Code, Register};
use parallax_core::AtomicOp;
use parallax_lane::{Reg, Stride};

const LINES: LaneLines =
    LaneLines { numbers: TEMPORARY, operands: TEMPORARY + 32, second: TEMPORARY + 64, results: TEMPORARY + 96 };

impl Emitter<'_, Avx2> {
    /// Numbers of the words at addresses to the first scratch register; in the third one, which lanes have one of the words that
    /// a table counts: none has a sign.
    fn word_numbers(&mut self, address: Reg, offset: u32, count: usize) {
        let mut address = self.load(address, S0);
        if offset != 0 {
            self.number_to_eax(offset);
            self.asm.op(Code::VEX_Vmovd_xmm_rm32, &[Operand::Xmm(S1), Operand::Eax]);
            self.asm.op(Code::VEX_Vpbroadcastd_ymm_xmmm32, &[ymm(S1), Operand::Xmm(S1)]);
            self.asm.op(Code::VEX_Vpaddd_ymm_ymm_ymmm256, &[ymm(S0), ymm(address), ymm(S1)]);
            address = S0;
        }
        self.asm.op(Code::VEX_Vpsrld_ymm_ymm_imm8, &[ymm(S0), ymm(address), Operand::Imm(2)]);
        self.asm.op(Code::VEX_Vpbroadcastd_ymm_xmmm32, &[ymm(S2), Operand::Memory(count)]);
        self.asm.op(Code::VEX_Vpcmpgtd_ymm_ymm_ymmm256, &[ymm(S2), ymm(S2), ymm(S0)]);
    }

    /// Whether the numbers of words follow each other: then the first one is in eax, else code goes elsewhere. Or whether they are
    /// one number.
    fn first_number(&mut self, is_row: bool, elsewhere: Target) {
        let mut numbers = S0;
        if is_row {
            let lanes = Operand::Memory(layout::LANE_NUMBERS);
            self.asm.op(Code::VEX_Vpsubd_ymm_ymm_ymmm256, &[ymm(S1), ymm(S0), lanes]);
            numbers = S1;
        }
        self.asm.op(Code::VEX_Vpbroadcastd_ymm_xmmm32, &[ymm(S2), Operand::Xmm(numbers)]);
        self.asm.op(Code::VEX_Vpcmpeqd_ymm_ymm_ymmm256, &[ymm(S2), ymm(S2), ymm(numbers)]);
        self.asm.op(Code::VEX_Vmovmskps_r32_ymm, &[Operand::Eax, ymm(S2)]);
        // cmp al, -1; jne
        self.asm.bytes(&[0x3c, 0xff]);
        self.asm.jump(&[0x0f, 0x85], elsewhere);
        self.asm.op(Code::VEX_Vmovd_rm32_xmm, &[Operand::Eax, Operand::Xmm(numbers)]);
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
        let address = self.load(address, S0);
        self.asm.op(Code::VEX_Vpsrld_ymm_ymm_imm8, &[ymm(S0), ymm(address), Operand::Imm(2)]);
        let is_row = stride.bytes == 4;
        self.first_number(is_row, elsewhere);
        self.word_address(table, table + count, if is_row { 7 } else { 0 }, elsewhere);
        Operand::Pointed(Register::RDX)
    }

    /// All ones in the third scratch register in lanes that execute and are covered, and for which it has them already.
    fn changing(&mut self, lanes: Reg) {
        let lanes = self.operand(lanes);
        self.asm.op(Code::VEX_Vpand_ymm_ymm_ymmm256, &[ymm(S2), ymm(S2), lanes]);
        self.lanes_of(Operand::Block(layout::COVERED), S1);
        self.asm.op(Code::VEX_Vpand_ymm_ymm_ymmm256, &[ymm(S2), ymm(S2), ymm(S1)]);
    }

    /// Operands to the arena; in eax a bit for each lane that executes, is covered, and whose word can be changed.
    fn acting(&mut self, table: usize, uses: &[Reg], offset: u32) {
        self.word_numbers(uses[1], offset, table + memory::WRITABLE);
        self.changing(uses[0]);
        let store = Code::VEX_Vmovdqa_ymmm256_ymm;
        self.asm.op(store, &[Operand::Memory(LINES.numbers), ymm(S0)]);
        for (&operand, at) in uses[2..].iter().zip([LINES.operands, LINES.second]) {
            let operand = self.load(operand, S0);
            self.asm.op(store, &[Operand::Memory(at), ymm(operand)]);
        }
        self.asm.op(Code::VEX_Vmovmskps_r32_ymm, &[Operand::Eax, ymm(S2)]);
    }
}

impl Accesses for Emitter<'_, Avx2> {
    fn load_words(&mut self, table: usize, stride: Stride, address: Reg, def: Reg, elsewhere: Target) {
        let is_row = stride.bytes == 4;
        let end = if is_row { memory::ROW_END } else { memory::WORD_END };
        let words = self.first_of(table, stride, [end, memory::WORDS], address, elsewhere);
        let code = if is_row { Code::VEX_Vmovdqu_ymm_ymmm256 } else { Code::VEX_Vpbroadcastd_ymm_xmmm32 };
        let to = self.result(def);
        self.asm.op(code, &[ymm(to), words]);
        self.store(def);
    }

    fn load_anywhere(&mut self, table: usize, address: Reg, offset: u32, def: Reg) {
        self.word_numbers(address, offset, table + memory::WORDS);
        self.pointer(table + memory::POINTER);
        let words = Operand::Numbered(Register::RAX, Register::YMM0 + u32::from(S0), 4, 0);
        self.gather(Code::VEX_Vpgatherdd_ymm_vm32y_ymm, words);
        self.give(def);
    }

    fn store_words(&mut self, table: usize, stride: Stride, uses: &[Reg], elsewhere: Target) {
        let ends = [memory::WRITABLE_END, memory::WRITABLE];
        let words = self.first_of(table, stride, ends, uses[1], elsewhere);
        if stride.is_by_all {
            let value = self.load(uses[2], S0);
            return self.asm.op(Code::VEX_Vmovdqu_ymmm256_ymm, &[words, ymm(value)]);
        }
        self.asm.op(Code::VEX_Vpcmpeqd_ymm_ymm_ymmm256, &[ymm(S2), ymm(S2), ymm(S2)]);
        self.changing(uses[0]);
        let value = self.load(uses[2], S0);
        let row = [words, ymm(S2), ymm(value)];
        self.asm.op(Code::VEX_Vpmaskmovd_m256_ymm_ymm, &row);
    }

    /// There are no scatters: lane by lane.
    fn store_anywhere(&mut self, table: usize, uses: &[Reg], offset: u32) {
        self.acting(table, uses, offset);
        self.store_lane_by_lane(table, LINES);
    }

    fn change_words(&mut self, table: usize, op: AtomicOp, uses: &[Reg], def: Reg) {
        self.acting(table, uses, 0);
        self.asm.op(Code::VEX_Vpxor_ymm_ymm_ymmm256, &[ymm(S0), ymm(S0), ymm(S0)]);
        self.asm.op(Code::VEX_Vmovdqa_ymmm256_ymm, &[Operand::Memory(LINES.results), ymm(S0)]);
        self.change_lane_by_lane(table, op, LINES);
        let to = self.result(def);
        self.asm.op(Code::VEX_Vmovdqa_ymm_ymmm256, &[ymm(to), Operand::Memory(LINES.results)]);
        self.store(def);
    }

    fn first_to_eax(&mut self, reg: Reg) {
        let from = self.load(reg, S0);
        self.asm.op(Code::VEX_Vmovd_rm32_xmm, &[Operand::Eax, Operand::Xmm(from)]);
    }

    fn buffer_size(&mut self, table: usize, def: Reg) {
        let to = self.result(def);
        let size = Operand::Memory(table + memory::BYTES);
        self.asm.op(Code::VEX_Vpbroadcastd_ymm_xmmm32, &[ymm(to), size]);
        self.store(def);
    }
}
