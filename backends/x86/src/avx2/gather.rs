//! Reads and writes at computed places.

use super::{Avx2, Line, S0, S1, S2, TEMPORARY, ymm};
use crate::asm::Target;
use crate::emit::Emitter;
use crate::gather::{self, Array, Read};
use crate::layout;
use crate::operand::Operand;
use iced_x86::{Code, Register};
use parallax_lane::Reg;

/// Lines for numbers of words, which lanes there are, and values.
const NUMBERS: usize = TEMPORARY;
const INSIDE: usize = TEMPORARY + 32;
const VALUES: usize = TEMPORARY + 64;

impl Emitter<'_, Avx2> {
    /// The same number in all lanes.
    fn number(&mut self, number: u32, to: u8) {
        // mov eax, number
        self.asm.bytes(&[0xb8]);
        self.asm.bytes(&number.to_le_bytes());
        self.asm.op(Code::VEX_Vmovd_xmm_rm32, &[Operand::Xmm(to), Operand::Eax]);
        self.asm.op(Code::VEX_Vpbroadcastd_ymm_xmmm32, &[ymm(to), Operand::Xmm(to)]);
    }

    /// In the third scratch register: where the number in the first one is at most that in the second.
    fn at_most(&mut self) {
        self.asm.op(Code::VEX_Vpminud_ymm_ymm_ymmm256, &[ymm(S2), ymm(S0), ymm(S1)]);
        self.asm.op(Code::VEX_Vpcmpeqd_ymm_ymm_ymmm256, &[ymm(S2), ymm(S2), ymm(S0)]);
    }

    /// The words of the numbers in the first scratch register, where the third one says so, to the second one.
    pub(super) fn gather(&mut self, code: Code, words: Operand) {
        self.asm.op(Code::VEX_Vpxor_ymm_ymm_ymmm256, &[ymm(S1), ymm(S1), ymm(S1)]);
        self.asm.op(code, &[ymm(S1), words, ymm(S2)]);
    }

    /// A result from the second scratch register.
    pub(super) fn give(&mut self, def: Reg) {
        let to = self.result(def);
        self.asm.op(Code::VEX_Vmovdqa_ymm_ymmm256, &[ymm(to), ymm(S1)]);
        self.store(def);
    }

    pub(super) fn gather_vectors(&mut self, table: usize, read: Read, elsewhere: Target, index: Reg, def: Reg) {
        self.load_to(index, S0);
        if read.base != 0 {
            self.number(read.base as u32, S1);
            self.asm.op(Code::VEX_Vpaddd_ymm_ymm_ymmm256, &[ymm(S0), ymm(S0), ymm(S1)]);
        }
        // mov rax, [pointer]; test rax, rax
        self.pointer(table + gather::POINTER);
        self.asm.bytes(&[0x48, 0x85, 0xc0]);
        self.asm.jump(&[0x0f, 0x84], elsewhere);
        self.asm.op(Code::VEX_Vpbroadcastd_ymm_xmmm32, &[ymm(S1), Operand::Memory(table + gather::LAST)]);
        self.at_most();
        self.asm.op(Code::VEX_Vpbroadcastd_ymm_xmmm32, &[ymm(S1), Operand::Memory(table + gather::STRIDE)]);
        self.asm.op(Code::VEX_Vpmulld_ymm_ymm_ymmm256, &[ymm(S0), ymm(S0), ymm(S1)]);
        if read.of_lanes {
            let lanes = Operand::Memory(layout::LANE_NUMBERS);
            self.asm.op(Code::VEX_Vpaddd_ymm_ymm_ymmm256, &[ymm(S0), ymm(S0), lanes]);
            // lea rax, [rax + 4 r12 + what lies ahead]
            self.asm.bytes(&[0x4a, 0x8d, 0x44, 0xa0, 4 * self.asm.ahead as u8]);
        }
        let words = Operand::Numbered(Register::RAX, Register::YMM0 + u32::from(S0), 4, 0);
        self.gather(Code::VEX_Vpgatherdd_ymm_vm32y_ymm, words);
        self.give(def);
    }

    /// From numbers of elements to numbers of words, in the first scratch register.
    fn words_of_elements(&mut self) {
        self.asm.op(Code::VEX_Vpslld_ymm_ymm_imm8, &[ymm(S0), ymm(S0), Operand::Imm(3)]);
        let lanes = Operand::Memory(layout::LANE_NUMBERS);
        self.asm.op(Code::VEX_Vpaddd_ymm_ymm_ymmm256, &[ymm(S0), ymm(S0), lanes]);
    }

    pub(super) fn load_elements(&mut self, array: Array, uses: &[Reg], defs: &[Reg]) {
        self.load_to(uses[1], S0);
        let Some(last) = array.len.checked_sub(1) else {
            for &def in defs {
                self.asm.op(Code::VEX_Vmovdqa_ymm_ymmm256, &[ymm(S1), Line::Zero.operand()]);
                self.give(def);
            }
            return;
        };
        self.number(last, S1);
        self.at_most();
        self.words_of_elements();
        if defs.len() == 1 {
            let words = Operand::Numbered(Register::RBX, Register::YMM0 + u32::from(S0), 4, array.start);
            self.gather(Code::VEX_Vpgatherdd_ymm_vm32y_ymm, words);
            return self.give(defs[0]);
        }
        for (at, from) in [(NUMBERS, S0), (INSIDE, S2)] {
            self.asm.op(Code::VEX_Vmovdqa_ymmm256_ymm, &[Operand::Memory(at), ymm(from)]);
        }
        for (half, &def) in defs.iter().enumerate() {
            self.asm.op(Code::VEX_Vmovdqu_xmm_xmmm128, &[Operand::Xmm(S0), Operand::Memory(NUMBERS + 16 * half)]);
            self.asm.op(Code::VEX_Vpmovsxdq_ymm_xmmm128, &[ymm(S2), Operand::Memory(INSIDE + 16 * half)]);
            let words = Operand::Numbered(Register::RBX, Register::XMM0 + u32::from(S0), 8, array.start);
            self.gather(Code::VEX_Vpgatherdq_ymm_vm32x_ymm, words);
            self.give(def);
        }
    }

    /// There are no scatters: lane by lane. What is not to be stored goes to the element that nobody reads.
    pub(super) fn store_elements(&mut self, array: Array, uses: &[Reg]) {
        let Some(last) = array.len.checked_sub(1) else { return };
        self.load_to(uses[1], S0);
        self.number(last, S1);
        self.at_most();
        let lanes = self.operand(uses[0]);
        self.asm.op(Code::VEX_Vpand_ymm_ymm_ymmm256, &[ymm(S2), ymm(S2), lanes]);
        self.asm.op(Code::VEX_Vpsubd_ymm_ymm_ymmm256, &[ymm(S1), ymm(S1), Line::Ones.operand()]);
        self.asm.op(Code::VEX_Vblendvps_ymm_ymm_ymmm256_ymm, &[ymm(S0), ymm(S1), ymm(S0), ymm(S2)]);
        self.words_of_elements();
        self.asm.op(Code::VEX_Vmovdqa_ymmm256_ymm, &[Operand::Memory(NUMBERS), ymm(S0)]);
        let values = &uses[2..];
        for (n, &value) in values.iter().enumerate() {
            let from = self.load(value, S0);
            self.asm.op(Code::VEX_Vmovdqa_ymmm256_ymm, &[Operand::Memory(VALUES + 32 * n), ymm(from)]);
        }
        for lane in 0..8 {
            // mov eax, [number]
            self.asm.at_arena(&[0x8b, 0x83], NUMBERS + 4 * lane);
            if values.len() == 1 {
                // mov ecx, [value]; mov [rbx + 4 rax + start], ecx
                self.asm.at_arena(&[0x8b, 0x8b], VALUES + 4 * lane);
                self.asm.at_arena(&[0x89, 0x8c, 0x83], array.start);
            } else {
                // mov rcx, [value]; mov [rbx + 8 rax + start], rcx
                self.asm.at_arena(&[0x48, 0x8b, 0x8b], VALUES + 8 * lane);
                self.asm.at_arena(&[0x48, 0x89, 0x8c, 0xc3], array.start);
            }
        }
    }
}
