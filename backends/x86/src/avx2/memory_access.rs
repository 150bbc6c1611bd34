//! Reads and changes of buffers.

use super::{Avx2, S0, S1, S2, TEMPORARY, ymm};
use crate::emit::Emitter;
use crate::layout;
use crate::memory::{self, LaneLines};
use crate::operand::Operand;
use iced_x86::{Code, Register};
use parallax_core::AtomicOp;
use parallax_lane::Reg;

const LINES: LaneLines =
    LaneLines { numbers: TEMPORARY, operands: TEMPORARY + 32, second: TEMPORARY + 64, results: TEMPORARY + 96 };

impl Emitter<'_, Avx2> {
    /// Numbers of the words at addresses to the first scratch register; in the third one, which lanes have one of the words that
    /// a table counts: none has a sign.
    fn word_numbers(&mut self, address: Reg, count: usize) {
        let address = self.load(address, S0);
        self.asm.op(Code::VEX_Vpsrld_ymm_ymm_imm8, &[ymm(S0), ymm(address), Operand::Imm(2)]);
        self.asm.op(Code::VEX_Vpbroadcastd_ymm_xmmm32, &[ymm(S2), Operand::Memory(count)]);
        self.asm.op(Code::VEX_Vpcmpgtd_ymm_ymm_ymmm256, &[ymm(S2), ymm(S2), ymm(S0)]);
    }

    pub(super) fn load_words(&mut self, table: usize, address: Reg, def: Reg) {
        self.word_numbers(address, table + memory::WORDS);
        self.pointer(table + memory::POINTER);
        let words = Operand::Numbered(Register::RAX, Register::YMM0 + u32::from(S0), 4, 0);
        self.gather(Code::VEX_Vpgatherdd_ymm_vm32y_ymm, words);
        self.give(def);
    }

    /// Operands to the arena; in eax a bit for each lane that executes, is covered, and whose word can be changed.
    fn acting(&mut self, table: usize, uses: &[Reg]) {
        self.word_numbers(uses[1], table + memory::WRITABLE);
        let lanes = self.operand(uses[0]);
        self.asm.op(Code::VEX_Vpand_ymm_ymm_ymmm256, &[ymm(S2), ymm(S2), lanes]);
        self.lanes_of(Operand::Block(layout::COVERED), S1);
        self.asm.op(Code::VEX_Vpand_ymm_ymm_ymmm256, &[ymm(S2), ymm(S2), ymm(S1)]);
        let store = Code::VEX_Vmovdqa_ymmm256_ymm;
        self.asm.op(store, &[Operand::Memory(LINES.numbers), ymm(S0)]);
        for (&operand, at) in uses[2..].iter().zip([LINES.operands, LINES.second]) {
            let operand = self.load(operand, S0);
            self.asm.op(store, &[Operand::Memory(at), ymm(operand)]);
        }
        self.asm.op(Code::VEX_Vmovmskps_r32_ymm, &[Operand::Eax, ymm(S2)]);
    }

    /// There are no scatters: lane by lane.
    pub(super) fn store_words(&mut self, table: usize, uses: &[Reg]) {
        self.acting(table, uses);
        self.store_lane_by_lane(table, LINES);
    }

    pub(super) fn change_words(&mut self, table: usize, op: AtomicOp, uses: &[Reg], def: Reg) {
        self.acting(table, uses);
        self.asm.op(Code::VEX_Vpxor_ymm_ymm_ymmm256, &[ymm(S0), ymm(S0), ymm(S0)]);
        self.asm.op(Code::VEX_Vmovdqa_ymmm256_ymm, &[Operand::Memory(LINES.results), ymm(S0)]);
        self.change_lane_by_lane(table, op, LINES);
        let to = self.result(def);
        self.asm.op(Code::VEX_Vmovdqa_ymm_ymmm256, &[ymm(to), Operand::Memory(LINES.results)]);
        self.store(def);
    }
}
