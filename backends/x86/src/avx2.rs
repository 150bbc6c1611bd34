//! Patterns of AVX2 with FMA and F16C: 8 lanes, truth values as words of all ones or zeros in vector registers.
//!
//! The direction of rounding is a state of the processor here. What is the same in all lanes stands eight times in the
//! arena, so that every instruction can read it from there.

mod gather;
mod lookup;
mod memory_access;
mod step;

use crate::asm::Target;
use crate::emit::{Emitter, Patterns};
use crate::gather::{Array, Read};
use crate::layout::{self, At};
use crate::level::Level;
use crate::lines::Line;
use crate::locations::SPARE;
use crate::lookup::Lookup;
use crate::operand::Operand;
use iced_x86::{Code, Register};
use parallax_core::TexOp;
use parallax_lane::{Op, Part, Reg};
use parallax_step::{Prim, Ty};

/// The level, for [`Emitter`].
pub(crate) struct Avx2;

/// The register that two blocks leave over.
const LEFT: u8 = 12;
/// Operands from memory, and intermediate values.
const S0: u8 = 13;
const S1: u8 = 14;
const S2: u8 = 15;
/// Result of an instruction whose place is in memory.
const RESULT: u8 = S2;

impl Line {
    /// Offset in the arena.
    const fn at(self) -> usize {
        layout::FIXED + 32 * self as usize
    }

    const fn operand(self) -> Operand {
        Operand::Memory(self.at())
    }
}

/// Lines for intermediate values: where registers would be saved that this level has not.
const TEMPORARY: usize = layout::VECTORS + 32 * 16;

fn ymm(n: u8) -> Operand {
    Operand::Ymm(n)
}

impl Patterns for Emitter<'_, Avx2> {
    const LEVEL: Level = Level::Avx2;
    const SPARE: [u8; SPARE] = [LEFT, S1];

    fn operation(&mut self, op: &Op, uses: &[Reg], defs: &[Reg]) {
        match *op {
            Op::Step(prim, ty, imm, part) => self.step(prim, ty, imm, part, uses, defs[0]),
            Op::Move => match self.register(defs[0]) {
                Some(to) => self.load_to(uses[0], to),
                None => {
                    let from = self.load(uses[0], S0);
                    self.store_from(defs[0], from);
                }
            },
            Op::Merge(part) => self.merge(part, uses, defs[0]),
            Op::Without => {
                // The first operand is the one that is turned around.
                let (b, a, to) = (self.load(uses[1], S0), self.operand(uses[0]), self.result(defs[0]));
                self.asm.op(Code::VEX_Vpandn_ymm_ymm_ymmm256, &[ymm(to), ymm(b), a]);
                self.store(defs[0]);
            }
            Op::QuadXor(bits, part) => self.quad_xor(bits, part, uses, defs[0]),
            Op::QuadShuffle(part) => self.quad_shuffle(part, uses, defs[0]),
            Op::Vote { all } => self.vote(all, uses, defs[0]),
            Op::HelperLanes => {
                let to = self.result(defs[0]);
                let covered = Operand::Block(layout::COVERED_AT_START);
                self.asm.op(Code::VEX_Vpbroadcastb_ymm_xmmm8, &[ymm(S0), covered]);
                self.asm.op(Code::VEX_Vpand_ymm_ymm_ymmm256, &[ymm(S0), ymm(S0), Line::LaneBits.operand()]);
                self.asm.op(Code::VEX_Vpcmpeqd_ymm_ymm_ymmm256, &[ymm(to), ymm(S0), Line::Zero.operand()]);
                self.store(defs[0]);
            }
            Op::Out { plane, bits, ty, masked } => self.out(plane, bits, ty, masked, uses),
            Op::Fuel(cost) => self.fuel(cost, uses[0], defs[0]),
            Op::Discard => {
                let (lanes, predicate) = (self.load(uses[0], S0), self.operand(uses[1]));
                self.asm.op(Code::VEX_Vpand_ymm_ymm_ymmm256, &[ymm(S0), ymm(lanes), predicate]);
                self.asm.op(Code::VEX_Vmovmskps_r32_ymm, &[Operand::Eax, ymm(S0)]);
                // not eax; and [covered], al
                self.asm.bytes(&[0xf7, 0xd0]);
                self.block_byte(0x20, layout::COVERED);
            }
            Op::Keep(source) => {
                let from = self.load(uses[0], S0);
                let (At::Line(at) | At::Mask(at) | At::Word(at) | At::Double(at)) = self.layout.source(source);
                self.asm.op(Code::VEX_Vmovdqa_ymmm256_ymm, &[Operand::Memory(at), ymm(from)]);
            }
            // The shared part has done it.
            Op::Label(_) | Op::Jump(_) | Op::JumpUnlessAny(_) | Op::JumpIfAny(_) | Op::Mode(_) | Op::Call(_) => {}
            Op::Attr(_)
            | Op::PixelX
            | Op::System(_)
            | Op::Barrier(_)
            | Op::Exchange(..)
            | Op::FuelUniform(..)
            | Op::Spend(..) => {}
            Op::Turn => {
                let to = self.result(defs[0]);
                self.lanes_of(Operand::Frame(layout::FRAME_LANES), to);
                self.store(defs[0]);
            }
        }
    }

    fn test(&mut self, mask: Reg) {
        let mask = self.load(mask, S0);
        self.asm.op(Code::VEX_Vptest_ymm_ymmm256, &[ymm(mask), ymm(mask)]);
    }

    fn save(&mut self, vectors: u8, _: u8) {
        for n in 0..vectors {
            let at = Operand::Memory(layout::VECTORS + 32 * usize::from(n));
            self.asm.op(Code::VEX_Vmovdqa_ymmm256_ymm, &[at, ymm(n)]);
        }
    }

    fn restore(&mut self, vectors: u8, _: u8) {
        for n in 0..vectors {
            let at = Operand::Memory(layout::VECTORS + 32 * usize::from(n));
            self.asm.op(Code::VEX_Vmovdqa_ymm_ymmm256, &[ymm(n), at]);
        }
    }

    fn lookup_places(&mut self, lookup: Lookup, tex: &TexOp, uses: &[Reg]) {
        self.flat_places(lookup, tex, uses);
    }

    fn lookup_texels(&mut self, lookup: Lookup, elsewhere: Target, defs: &[Reg]) {
        self.flat_texels(lookup, elsewhere, defs);
    }

    fn settle_texels(&mut self, image: usize, defs: &[Reg]) {
        self.settle_components(image, defs);
    }

    fn gather_vectors(&mut self, table: usize, read: Read, elsewhere: Target, index: Reg, def: Reg) {
        self.gather_vectors(table, read, elsewhere, index, def);
    }

    fn load_elements(&mut self, array: Array, _: Ty, uses: &[Reg], defs: &[Reg]) {
        self.load_elements(array, uses, defs);
    }

    fn store_elements(&mut self, array: Array, _: Ty, uses: &[Reg]) {
        self.store_elements(array, uses);
    }

    fn attr(&mut self, plane: usize, uses: &[Reg], def: Reg) {
        let (x, y, to) = (self.load(uses[0], S0), self.load(uses[1], S1), self.result(def));
        let [a0, dadx, dady] = [0, 1, 2].map(|n| Operand::Memory(self.layout.coefficient(plane, n)));
        self.asm.op(Code::VEX_Vmovdqa_ymm_ymmm256, &[ymm(to), a0]);
        self.asm.op(Code::VEX_Vfmadd231ps_ymm_ymm_ymmm256, &[ymm(to), ymm(x), dadx]);
        self.asm.op(Code::VEX_Vfmadd231ps_ymm_ymm_ymmm256, &[ymm(to), ymm(y), dady]);
    }

    fn read(&mut self, pointer: usize, def: Reg) {
        self.pointer(pointer);
        let to = self.result(def);
        self.asm.op(Code::VEX_Vmovdqu_ymm_ymmm256, &[ymm(to), Operand::Plane(4, 0)]);
    }

    fn settle(&mut self, def: Reg) {
        self.store(def);
    }

    fn spare(op: &Op) -> u8 {
        use Prim::{Add, And, Fadd, Fdiv, Fma, Fmax, Fmin, Fmul, Fsub, Or, Sub, Xor};
        match *op {
            Op::Step(Fadd | Fsub | Fmul | Fdiv | Fma | Fmin | Fmax | Add | Sub | And | Or | Xor, ..) => 0b11,
            Op::Step(..) | Op::Attr(_) => 1,
            _ => 0,
        }
    }

    fn load_to(&mut self, reg: Reg, to: u8) {
        self.load_to(reg, to);
    }

    fn out_to_rows(&mut self, value: Reg) {
        let mut from = self.load(value, S0);
        if self.layout.discards {
            self.lanes_of(Operand::Block(layout::COVERED), S1);
            self.asm.op(Code::VEX_Vpand_ymm_ymm_ymmm256, &[ymm(S0), ymm(S1), ymm(from)]);
            from = S0;
        }
        // The first and third pair of lanes, then the others.
        self.asm.op(Code::VEX_Vpermq_ymm_ymmm256_imm8, &[ymm(S0), ymm(from), Operand::Imm(0xd8)]);
        self.asm.op(Code::VEX_Vmovups_xmmm128_xmm, &[Operand::Row(Register::RAX, 0), Operand::Xmm(S0)]);
        let upper = [Operand::Row(Register::RCX, 0), ymm(S0), Operand::Imm(1)];
        self.asm.op(Code::VEX_Vextractf128_xmmm128_ymm_imm8, &upper);
    }

    fn refuel(&mut self) {
        let start = [ymm(S0), Operand::Memory(layout::FUEL_START)];
        self.asm.op(Code::VEX_Vpbroadcastd_ymm_xmmm32, &start);
        self.asm.op(Code::VEX_Vmovdqa_ymmm256_ymm, &[Operand::Memory(layout::FUEL), ymm(S0)]);
    }

    fn move_fuel(&mut self, to_frame: bool) {
        let (arena, frame) = (Operand::Memory(layout::FUEL), Operand::Frame(layout::FRAME_FUEL));
        let (from, to) = if to_frame { (arena, frame) } else { (frame, arena) };
        self.asm.op(Code::VEX_Vmovdqa_ymm_ymmm256, &[ymm(S0), from]);
        self.asm.op(Code::VEX_Vmovdqa_ymmm256_ymm, &[to, ymm(S0)]);
    }

    fn store_lanes(&mut self, reg: Reg, at: usize) {
        let from = self.load(reg, S0);
        self.asm.op(Code::VEX_Vmovdqa_ymmm256_ymm, &[Operand::Frame(at), ymm(from)]);
    }

    fn load_lanes(&mut self, reg: Reg, at: usize) {
        let to = self.result(reg);
        self.asm.op(Code::VEX_Vmovdqa_ymm_ymmm256, &[ymm(to), Operand::Frame(at)]);
        self.store(reg);
    }

    fn run_out(&mut self, lanes: Reg) {
        let lanes = self.load(lanes, S1);
        self.add_dry(lanes);
    }

    fn wait(&mut self, lanes: Reg) {
        let lanes = self.load(lanes, S0);
        self.asm.op(Code::VEX_Vmovmskps_r32_ymm, &[Operand::Eax, ymm(lanes)]);
        // mov [r15 + waiting], eax
        self.asm.bytes(&[0x41, 0x89, 0x47, layout::FRAME_WAITING as u8]);
    }
}

impl Emitter<'_, Avx2> {
    // Registers and memory.

    /// Where a value is that is in memory.
    fn memory(&self, reg: Reg) -> usize {
        let (At::Line(at) | At::Mask(at) | At::Word(at) | At::Double(at)) = self.at(reg);
        at
    }

    /// The register that holds a value or mask, which is loaded to `scratch` if none does.
    fn load(&mut self, reg: Reg, scratch: u8) -> u8 {
        match self.register(reg) {
            Some(n) => n,
            None => {
                self.load_to(reg, scratch);
                scratch
            }
        }
    }

    /// Loads or copies a value or mask to a register.
    fn load_to(&mut self, reg: Reg, to: u8) {
        let from = self.operand(reg);
        if from != ymm(to) {
            self.asm.op(Code::VEX_Vmovdqa_ymm_ymmm256, &[ymm(to), from]);
        }
    }

    /// A value or mask as last operand: a register, or memory.
    fn operand(&self, reg: Reg) -> Operand {
        match self.register(reg) {
            Some(n) => Operand::Ymm(n),
            None => Operand::Memory(self.memory(reg)),
        }
    }

    /// Half of the lanes of a 32-bit value or mask as last operand.
    fn half(&mut self, reg: Reg, part: Part, scratch: u8) -> Operand {
        let is_high = part == Part::High;
        match self.register(reg) {
            None => Operand::Memory(self.memory(reg) + 16 * usize::from(is_high)),
            Some(n) if !is_high => Operand::Xmm(n),
            Some(n) => {
                let operands = [Operand::Xmm(scratch), ymm(n), Operand::Imm(1)];
                self.asm.op(Code::VEX_Vextracti128_xmmm128_ymm_imm8, &operands);
                Operand::Xmm(scratch)
            }
        }
    }

    /// The register that holds a mask for one part of a value: words of 64 bits for half of the lanes.
    fn mask_of(&mut self, reg: Reg, part: Part, scratch: u8) -> u8 {
        if part == Part::Whole {
            return self.load(reg, scratch);
        }
        let half = self.half(reg, part, scratch);
        self.asm.op(Code::VEX_Vpmovsxdq_ymm_xmmm128, &[ymm(scratch), half]);
        scratch
    }

    /// The register that a result is computed in.
    fn result(&self, reg: Reg) -> u8 {
        self.register(reg).unwrap_or(RESULT)
    }

    /// Brings a result to its place.
    fn store(&mut self, reg: Reg) {
        self.store_from(reg, RESULT);
    }

    /// Brings a register to memory, if that is where the place of a value is.
    fn store_from(&mut self, reg: Reg, from: u8) {
        if let Some(at) = self.locations.slot(reg) {
            self.asm.op(Code::VEX_Vmovdqa_ymmm256_ymm, &[Operand::Memory(at), ymm(from)]);
        }
    }

    /// Words of 64 bits, lanes 0 to 3 and lanes 4 to 7, become their lower halves side by side.
    fn join(&mut self, to: u8, low: u8, high: Operand) {
        self.asm.op(Code::VEX_Vshufps_ymm_ymm_ymmm256_imm8, &[ymm(to), ymm(low), high, Operand::Imm(0b10_00_10_00)]);
        self.asm.op(Code::VEX_Vpermq_ymm_ymmm256_imm8, &[ymm(to), ymm(to), Operand::Imm(0b11_01_10_00)]);
    }

    /// The lanes whose bits are set in a byte, as a mask.
    fn lanes_of(&mut self, byte: Operand, to: u8) {
        let bits = Line::LaneBits.operand();
        self.asm.op(Code::VEX_Vpbroadcastb_ymm_xmmm8, &[ymm(to), byte]);
        self.asm.op(Code::VEX_Vpand_ymm_ymm_ymmm256, &[ymm(to), ymm(to), bits]);
        self.asm.op(Code::VEX_Vpcmpeqd_ymm_ymm_ymmm256, &[ymm(to), ymm(to), bits]);
    }

    /// An instruction `op [arena + at + block], al`.
    fn block_byte(&mut self, opcode: u8, at: usize) {
        // Base rbx, index r13, a distance of 32 bits.
        let ahead = self.asm.ahead / 8;
        self.asm.at_arena(&[0x42, opcode, 0x84, 0x2b], at + ahead);
    }

    // Instructions.

    fn merge(&mut self, part: Part, uses: &[Reg], def: Reg) {
        let lanes = self.mask_of(uses[0], part, S0);
        let old = self.load(def, RESULT);
        let value = self.operand(uses[1]);
        self.asm.op(Code::VEX_Vblendvps_ymm_ymm_ymmm256_ymm, &[ymm(old), ymm(old), value, ymm(lanes)]);
        self.store(def);
    }

    /// Words of 32 bits to words of 8 or 16 bits, in the lower half of a scratch register or in its lowest quarter.
    fn narrowed(&mut self, from: u8, bits: u32, to: u8) {
        let pack = if bits <= 8 { Line::PackBytes } else { Line::PackWords };
        self.asm.op(Code::VEX_Vpshufb_ymm_ymm_ymmm256, &[ymm(to), ymm(from), pack.operand()]);
        if bits <= 8 {
            // The first four bytes of each half.
            self.asm.op(Code::VEX_Vpermq_ymm_ymmm256_imm8, &[ymm(to), ymm(to), Operand::Imm(0b11_01_10_00)]);
            self.asm.op(Code::VEX_Vpshufd_ymm_ymmm256_imm8, &[ymm(to), ymm(to), Operand::Imm(0b11_01_10_00)]);
        } else {
            self.asm.op(Code::VEX_Vpermq_ymm_ymmm256_imm8, &[ymm(to), ymm(to), Operand::Imm(0b11_01_10_00)]);
        }
    }

    fn out(&mut self, plane: u32, bits: u32, ty: Ty, masked: bool, uses: &[Reg]) {
        self.pointer(self.layout.outputs + 8 * plane as usize);
        let values = &uses[usize::from(masked)..];
        let parts: &[Part] = if values.len() > 1 { &[Part::Low, Part::High] } else { &[Part::Whole] };
        for (n, (&part, &value)) in parts.iter().zip(values).enumerate() {
            let mut from = self.load(value, S0);
            if ty == Ty::Mask {
                // All ones become one.
                self.asm.op(Code::VEX_Vpand_ymm_ymm_ymmm256, &[ymm(S0), ymm(from), Line::One32.operand()]);
                from = S0;
            }
            if bits <= 16 {
                self.narrowed(from, bits, S0);
                let (load, store, to) = if bits <= 8 {
                    (Code::VEX_Vmovq_xmm_xmmm64, Code::VEX_Vmovq_xmmm64_xmm, Operand::Plane(1, 0))
                } else {
                    (Code::VEX_Vmovdqu_xmm_xmmm128, Code::VEX_Vmovdqu_xmmm128_xmm, Operand::Plane(2, 0))
                };
                if masked {
                    let lanes = self.load(uses[0], S1);
                    self.narrowed(lanes, bits, S1);
                    self.asm.op(load, &[Operand::Xmm(S2), to]);
                    let blend = [Operand::Xmm(S0), Operand::Xmm(S2), Operand::Xmm(S0), Operand::Xmm(S1)];
                    self.asm.op(Code::VEX_Vpblendvb_xmm_xmm_xmmm128_xmm, &blend);
                }
                self.asm.op(store, &[to, Operand::Xmm(S0)]);
                continue;
            }
            let to = if bits <= 32 { Operand::Plane(4, 0) } else { Operand::Plane(8, 32 * n) };
            if masked {
                let lanes = self.mask_of(uses[0], part, S1);
                let code =
                    if bits <= 32 { Code::VEX_Vpmaskmovd_m256_ymm_ymm } else { Code::VEX_Vpmaskmovq_m256_ymm_ymm };
                self.asm.op(code, &[to, ymm(lanes), ymm(from)]);
            } else {
                self.asm.op(Code::VEX_Vmovdqu_ymmm256_ymm, &[to, ymm(from)]);
            }
        }
    }

    fn fuel(&mut self, cost: u32, lanes: Reg, def: Reg) {
        let fuel = Operand::Memory(layout::FUEL);
        let to = self.result(def);
        let lanes = self.operand(lanes);
        self.asm.op(Code::VEX_Vmovdqa_ymm_ymmm256, &[ymm(S0), fuel]);
        self.number_to_eax(cost);
        self.asm.op(Code::VEX_Vmovd_xmm_rm32, &[Operand::Xmm(S1), Operand::Eax]);
        self.asm.op(Code::VEX_Vpbroadcastd_ymm_xmmm32, &[ymm(S1), Operand::Xmm(S1)]);
        // Those that have as much.
        self.asm.op(Code::VEX_Vpminud_ymm_ymm_ymmm256, &[ymm(S2), ymm(S0), ymm(S1)]);
        self.asm.op(Code::VEX_Vpcmpeqd_ymm_ymm_ymmm256, &[ymm(S2), ymm(S2), ymm(S1)]);
        self.asm.op(Code::VEX_Vpand_ymm_ymm_ymmm256, &[ymm(to), ymm(S2), lanes]);
        self.asm.op(Code::VEX_Vpand_ymm_ymm_ymmm256, &[ymm(S1), ymm(S1), ymm(to)]);
        self.asm.op(Code::VEX_Vpsubd_ymm_ymm_ymmm256, &[ymm(S0), ymm(S0), ymm(S1)]);
        // The others have none left.
        self.asm.op(Code::VEX_Vpandn_ymm_ymm_ymmm256, &[ymm(S1), ymm(to), lanes]);
        self.asm.op(Code::VEX_Vpandn_ymm_ymm_ymmm256, &[ymm(S0), ymm(S1), ymm(S0)]);
        self.asm.op(Code::VEX_Vmovdqa_ymmm256_ymm, &[fuel, ymm(S0)]);
        self.add_dry(S1);
        self.store(def);
    }

    fn add_dry(&mut self, lanes: u8) {
        self.asm.op(Code::VEX_Vmovmskps_r32_ymm, &[Operand::Eax, ymm(lanes)]);
        // or [dry], al
        self.block_byte(0x08, layout::DRY);
    }

    fn quad_xor(&mut self, bits: u8, part: Part, uses: &[Reg], def: Reg) {
        let order = (0..4).fold(0, |order, lane: u8| order | ((lane ^ bits) & 3) << (2 * lane));
        let code =
            if part == Part::Whole { Code::VEX_Vpshufd_ymm_ymmm256_imm8 } else { Code::VEX_Vpermq_ymm_ymmm256_imm8 };
        let (from, to) = (self.operand(uses[0]), self.result(def));
        self.asm.op(code, &[ymm(to), from, Operand::Imm(order)]);
        self.store(def);
    }

    fn quad_shuffle(&mut self, part: Part, uses: &[Reg], def: Reg) {
        let to = self.result(def);
        if part == Part::Whole {
            let (from, lanes) = (self.load(uses[0], S0), self.operand(uses[1]));
            self.asm.op(Code::VEX_Vpermilps_ymm_ymm_ymmm256, &[ymm(to), ymm(from), lanes]);
            return self.store(def);
        }
        // Half of the lanes is one quad. The words 2n and 2n + 1 of it for lane n.
        let lanes = self.half(uses[1], part, S0);
        self.asm.op(Code::VEX_Vpmovzxdq_ymm_xmmm128, &[ymm(S0), lanes]);
        self.asm.op(Code::VEX_Vpand_ymm_ymm_ymmm256, &[ymm(S0), ymm(S0), Line::QuadLow.operand()]);
        self.asm.op(Code::VEX_Vpaddd_ymm_ymm_ymmm256, &[ymm(S0), ymm(S0), ymm(S0)]);
        self.asm.op(Code::VEX_Vpsllq_ymm_ymm_imm8, &[ymm(S1), ymm(S0), Operand::Imm(32)]);
        self.asm.op(Code::VEX_Vpor_ymm_ymm_ymmm256, &[ymm(S0), ymm(S0), ymm(S1)]);
        self.asm.op(Code::VEX_Vpaddd_ymm_ymm_ymmm256, &[ymm(S0), ymm(S0), Line::UpperOne.operand()]);
        let from = self.operand(uses[0]);
        self.asm.op(Code::VEX_Vpermd_ymm_ymm_ymmm256, &[ymm(to), ymm(S0), from]);
        self.store(def);
    }

    fn vote(&mut self, all: bool, uses: &[Reg], def: Reg) {
        // All: none of the lanes is without.
        if all {
            let (predicate, lanes) = (self.load(uses[1], S0), self.operand(uses[0]));
            self.asm.op(Code::VEX_Vpandn_ymm_ymm_ymmm256, &[ymm(S0), ymm(predicate), lanes]);
        } else {
            let (lanes, predicate) = (self.load(uses[0], S0), self.operand(uses[1]));
            self.asm.op(Code::VEX_Vpand_ymm_ymm_ymmm256, &[ymm(S0), ymm(lanes), predicate]);
        }
        for order in [0b10_11_00_01, 0b01_00_11_10] {
            self.asm.op(Code::VEX_Vpshufd_ymm_ymmm256_imm8, &[ymm(S1), ymm(S0), Operand::Imm(order)]);
            self.asm.op(Code::VEX_Vpor_ymm_ymm_ymmm256, &[ymm(S0), ymm(S0), ymm(S1)]);
        }
        let to = self.result(def);
        let (code, with) = if all {
            (Code::VEX_Vpxor_ymm_ymm_ymmm256, Line::Ones.operand())
        } else {
            (Code::VEX_Vpor_ymm_ymm_ymmm256, ymm(S0))
        };
        self.asm.op(code, &[ymm(to), ymm(S0), with]);
        self.store(def);
    }
}
