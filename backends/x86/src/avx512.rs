//! Patterns of AVX-512: 16 lanes, truth values in mask registers.

mod gather;
mod lookup;
mod memory_access;
mod step;

use crate::asm::Target;
use crate::emit::{Emitter, Patterns};
use crate::gather::{Array, Read};
use crate::layout::{self, At};
use crate::level::Level;
use crate::locations::SPARE;
use crate::lookup::Lookup;
use crate::operand::Operand;
use iced_x86::{Code, Register};
use parallax_core::TexOp;
use parallax_lane::{Op, Part, Reg};
use parallax_step::{Prim, Ty};

/// The level, for [`Emitter`].
pub(crate) struct Avx512;

/// Result of an instruction whose place is in memory.
const RESULT: u8 = 28;
/// Operands from memory, and intermediate values.
const S0: u8 = 29;
const S1: u8 = 30;
const S2: u8 = 31;
/// Masks from memory, and intermediate masks; the first cannot say which lanes act.
/// Predicate of a comparison of numbers without sign.
const NOT_BELOW: u8 = 5;

const K0: u8 = 0;
const K6: u8 = 6;
const K7: u8 = 7;

impl Patterns for Emitter<'_, Avx512> {
    const LEVEL: Level = Level::Avx512;
    const SPARE: [u8; SPARE] = [S2; SPARE];

    fn operation(&mut self, op: &Op, uses: &[Reg], defs: &[Reg]) {
        match *op {
            Op::Step(prim, ty, imm, part) => self.step(prim, ty, imm, part, uses, defs[0]),
            Op::Move if self.is_mask(defs[0]) => {
                let (from, to) = (self.mask(uses[0], K7), self.mask_result(defs[0]));
                self.masks(Code::VEX_Korw_kr_kr_kr, to, from, from);
                self.store_mask(defs[0]);
            }
            Op::Move => match self.register(defs[0]) {
                Some(to) => self.load_to(uses[0], to),
                None => {
                    let from = self.load(uses[0], S0);
                    self.store_from(defs[0], from);
                }
            },
            Op::Merge(part) => self.merge(part, uses, defs[0]),
            Op::Without => {
                let (a, b, to) = (self.mask(uses[0], K6), self.mask(uses[1], K7), self.mask_result(defs[0]));
                // The first operand is the one that is turned around.
                self.masks(Code::VEX_Kandnw_kr_kr_kr, to, b, a);
                self.store_mask(defs[0]);
            }
            Op::QuadXor(bits, part) => self.quad_xor(bits, part, uses, defs[0]),
            Op::QuadShuffle(part) => self.quad_shuffle(part, uses, defs[0]),
            Op::Vote { all } => self.vote(all, uses, defs[0]),
            Op::HelperLanes => {
                let to = self.result(defs[0]);
                self.asm.op(Code::VEX_Kmovw_kr_km16, &[Operand::K(K7), Operand::Block(layout::COVERED_AT_START)]);
                self.asm.op(Code::VEX_Knotw_kr_kr, &[Operand::K(K7), Operand::K(K7)]);
                self.asm.op(Code::EVEX_Vpmovm2d_zmm_kr, &[Operand::Zmm(to), Operand::K(K7)]);
                self.store(defs[0]);
            }
            Op::Out { plane, bits, ty, masked } => self.out(plane, bits, ty, masked, uses),
            Op::Fuel(cost) => self.fuel(cost, uses[0], defs[0]),
            Op::Discard => {
                let (lanes, predicate) = (self.mask(uses[0], K6), self.mask(uses[1], K7));
                self.masks(Code::VEX_Kandw_kr_kr_kr, K7, lanes, predicate);
                self.asm.op(Code::VEX_Kmovw_kr_km16, &[Operand::K(K6), Operand::Block(layout::COVERED)]);
                self.masks(Code::VEX_Kandnw_kr_kr_kr, K6, K7, K6);
                self.asm.op(Code::VEX_Kmovw_m16_kr, &[Operand::Block(layout::COVERED), Operand::K(K6)]);
            }
            Op::Keep(source) => match self.layout.source(source) {
                At::Mask(at) => {
                    let mask = self.mask(uses[0], K7);
                    self.asm.op(Code::VEX_Kmovw_m16_kr, &[Operand::Memory(at), Operand::K(mask)]);
                }
                At::Line(at) | At::Word(at) | At::Double(at) => {
                    let from = self.load(uses[0], S0);
                    self.asm.op(Code::EVEX_Vmovdqa32_zmmm512_k1z_zmm, &[Operand::Memory(at), Operand::Zmm(from)]);
                }
            },
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
                let to = self.mask_result(defs[0]);
                self.asm.op(Code::VEX_Kmovw_kr_km16, &[Operand::K(to), Operand::Frame(layout::FRAME_LANES)]);
                self.store_mask(defs[0]);
            }
        }
    }

    fn test(&mut self, mask: Reg) {
        let mask = self.mask(mask, K7);
        self.asm.op(Code::VEX_Kortestw_kr_kr, &[Operand::K(mask), Operand::K(mask)]);
    }

    fn save(&mut self, vectors: u8, masks: u8) {
        for n in 0..vectors {
            let at = layout::VECTORS + 64 * usize::from(n);
            self.asm.op(Code::EVEX_Vmovdqa64_zmmm512_k1z_zmm, &[Operand::Memory(at), Operand::Zmm(n)]);
        }
        for n in 0..masks {
            let at = layout::MASKS + 8 * usize::from(n);
            self.asm.op(Code::VEX_Kmovw_m16_kr, &[Operand::Memory(at), Operand::K(n)]);
        }
    }

    fn restore(&mut self, vectors: u8, masks: u8) {
        for n in 0..masks {
            let at = layout::MASKS + 8 * usize::from(n);
            self.asm.op(Code::VEX_Kmovw_kr_km16, &[Operand::K(n), Operand::Memory(at)]);
        }
        for n in 0..vectors {
            let at = layout::VECTORS + 64 * usize::from(n);
            self.asm.op(Code::EVEX_Vmovdqa64_zmm_k1z_zmmm512, &[Operand::Zmm(n), Operand::Memory(at)]);
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

    fn load_elements(&mut self, array: Array, ty: Ty, uses: &[Reg], defs: &[Reg]) {
        self.load_elements(array, ty, uses, defs);
    }

    fn store_elements(&mut self, array: Array, ty: Ty, uses: &[Reg]) {
        self.store_elements(array, ty, uses);
    }

    fn attr(&mut self, plane: usize, uses: &[Reg], def: Reg) {
        let (x, y, to) = (self.load(uses[0], S0), self.load(uses[1], S1), self.result(def));
        let [a0, dadx, dady] = [0, 1, 2].map(|n| self.layout.coefficient(plane, n));
        let fma = Code::EVEX_Vfmadd231ps_zmm_k1z_zmm_zmmm512b32_er;
        self.asm.op(Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32, &[Operand::Zmm(to), Operand::Memory(a0)]);
        self.asm.op(fma, &[Operand::Zmm(to), Operand::Zmm(x), Operand::Broadcast(dadx)]);
        self.asm.op(fma, &[Operand::Zmm(to), Operand::Zmm(y), Operand::Broadcast(dady)]);
    }

    fn read(&mut self, pointer: usize, def: Reg) {
        self.pointer(pointer);
        let to = self.result(def);
        self.asm.op(Code::EVEX_Vmovdqu32_zmm_k1z_zmmm512, &[Operand::Zmm(to), Operand::Plane(4, 0)]);
    }

    fn settle(&mut self, def: Reg) {
        self.store(def);
    }

    fn spare(op: &Op) -> u8 {
        use Prim::{Add, And, Eq, Fadd, Fdiv, Feq, Fle, Flt, Fma, Fmax, Fmin, Fmul, Fmulz, Fsub};
        use Prim::{Lt, Or, Select, Sub, Ult, Xor};
        match *op {
            Op::Step(_, Ty::Mask, ..) => 0,
            Op::Step(Fadd | Fsub | Fmul | Fmulz | Fdiv | Fma | Fmin | Fmax | Select, ..) => 1,
            Op::Step(Feq | Flt | Fle | Eq | Lt | Ult | Add | Sub | And | Or | Xor, ..) | Op::Attr(_) => 1,
            _ => 0,
        }
    }

    fn load_to(&mut self, reg: Reg, to: u8) {
        self.load_to(reg, to);
    }

    fn out_to_rows(&mut self, value: Reg) {
        let mut from = self.load(value, S0);
        if self.layout.discards {
            self.asm.op(Code::VEX_Kmovw_kr_km16, &[Operand::K(K7), Operand::Block(layout::COVERED)]);
            self.asm.masked(Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512, K7, true, &[Operand::Zmm(S0), Operand::Zmm(from)]);
            from = S0;
        }
        self.asm.op(Code::EVEX_Vmovdqa64_zmm_k1z_zmmm512, &[Operand::Zmm(S1), Operand::Memory(layout::ROWS_OF_PAIRS)]);
        self.asm
            .op(Code::EVEX_Vpermq_zmm_k1z_zmm_zmmm512b64, &[Operand::Zmm(S0), Operand::Zmm(S1), Operand::Zmm(from)]);
        self.asm.op(Code::EVEX_Vmovups_ymmm256_k1z_ymm, &[Operand::Row(Register::RAX, 0), Operand::Ymm(S0)]);
        let upper = [Operand::Row(Register::RCX, 0), Operand::Zmm(S0), Operand::Imm(1)];
        self.asm.op(Code::EVEX_Vextractf32x8_ymmm256_k1z_zmm_imm8, &upper);
    }

    fn refuel(&mut self) {
        let start = [Operand::Zmm(S0), Operand::Memory(layout::FUEL_START)];
        self.asm.op(Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32, &start);
        let fuel = [Operand::Memory(layout::FUEL), Operand::Zmm(S0)];
        self.asm.op(Code::EVEX_Vmovdqa32_zmmm512_k1z_zmm, &fuel);
    }

    fn move_fuel(&mut self, to_frame: bool) {
        let (arena, frame) = (Operand::Memory(layout::FUEL), Operand::Frame(layout::FRAME_FUEL));
        let (from, to) = if to_frame { (arena, frame) } else { (frame, arena) };
        self.asm.op(Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512, &[Operand::Zmm(S0), from]);
        self.asm.op(Code::EVEX_Vmovdqa32_zmmm512_k1z_zmm, &[to, Operand::Zmm(S0)]);
    }

    fn store_lanes(&mut self, reg: Reg, at: usize) {
        if self.is_mask(reg) {
            let mask = self.mask(reg, K7);
            return self.asm.op(Code::VEX_Kmovw_m16_kr, &[Operand::Frame(at), Operand::K(mask)]);
        }
        let from = self.load(reg, S0);
        self.asm.op(Code::EVEX_Vmovdqa32_zmmm512_k1z_zmm, &[Operand::Frame(at), Operand::Zmm(from)]);
    }

    fn load_lanes(&mut self, reg: Reg, at: usize) {
        if self.is_mask(reg) {
            let to = self.mask_result(reg);
            self.asm.op(Code::VEX_Kmovw_kr_km16, &[Operand::K(to), Operand::Frame(at)]);
            return self.store_mask(reg);
        }
        let to = self.result(reg);
        self.asm.op(Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512, &[Operand::Zmm(to), Operand::Frame(at)]);
        self.store(reg);
    }

    fn run_out(&mut self, lanes: Reg) {
        let lanes = self.mask(lanes, K7);
        self.add_dry(lanes);
    }

    fn wait(&mut self, lanes: Reg) {
        let lanes = self.mask(lanes, K7);
        self.asm.op(Code::VEX_Kmovw_m16_kr, &[Operand::Frame(layout::FRAME_WAITING), Operand::K(lanes)]);
    }
}

impl Emitter<'_, Avx512> {
    /// The vector register that holds a value, which is loaded to `scratch` if none does.
    pub(crate) fn load(&mut self, reg: Reg, scratch: u8) -> u8 {
        if let Some(n) = self.register(reg) {
            return n;
        }
        self.load_to(reg, scratch);
        scratch
    }

    /// Loads or copies a value to a vector register.
    pub(crate) fn load_to(&mut self, reg: Reg, to: u8) {
        if let Some(n) = self.register(reg) {
            if n != to {
                self.asm.op(Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512, &[Operand::Zmm(to), Operand::Zmm(n)]);
            }
            return;
        }
        let (code, at) = match self.locations.at(reg) {
            At::Word(at) => (Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32, at),
            At::Double(at) => (Code::EVEX_Vpbroadcastq_zmm_k1z_xmmm64, at),
            At::Line(at) | At::Mask(at) => (Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512, at),
        };
        self.asm.op(code, &[Operand::Zmm(to), Operand::Memory(at)]);
    }

    /// A value as last operand: a register, or memory where the instruction can take it. `wide`: of 64-bit lanes.
    pub(crate) fn operand(&mut self, reg: Reg, wide: bool, scratch: u8) -> Operand {
        if let Some(n) = self.register(reg) {
            return Operand::Zmm(n);
        }
        match self.at(reg) {
            At::Line(at) => Operand::Memory(at),
            At::Word(at) if !wide => Operand::Broadcast(at),
            At::Double(at) if wide => Operand::Broadcast(at),
            _ => Operand::Zmm(self.load(reg, scratch)),
        }
    }

    /// Half of the lanes of a 32-bit value as a register of half the width.
    pub(crate) fn half(&mut self, reg: Reg, part: Part, scratch: u8) -> Operand {
        let from = self.load(reg, scratch);
        if part != Part::High {
            return Operand::Ymm(from);
        }
        self.asm.op(
            Code::EVEX_Vextractf32x8_ymmm256_k1z_zmm_imm8,
            &[Operand::Ymm(scratch), Operand::Zmm(from), Operand::Imm(1)],
        );
        Operand::Ymm(scratch)
    }

    /// The vector register that a result is computed in.
    pub(crate) fn result(&self, reg: Reg) -> u8 {
        self.register(reg).unwrap_or(RESULT)
    }

    /// Brings a result to its place.
    pub(crate) fn store(&mut self, reg: Reg) {
        self.store_from(reg, RESULT);
    }

    /// Brings a register to memory, if that is where the place of a value is.
    fn store_from(&mut self, reg: Reg, from: u8) {
        if let Some(at) = self.locations.slot(reg) {
            self.asm.op(Code::EVEX_Vmovdqa32_zmmm512_k1z_zmm, &[Operand::Memory(at), Operand::Zmm(from)]);
        }
    }

    /// The mask register that holds a mask, which is loaded to `scratch` if none does.
    pub(crate) fn mask(&mut self, reg: Reg, scratch: u8) -> u8 {
        if let Some(n) = self.locations.mask(reg) {
            return n;
        }
        let (At::Mask(at) | At::Line(at) | At::Word(at) | At::Double(at)) = self.at(reg);
        self.asm.op(Code::VEX_Kmovw_kr_km16, &[Operand::K(scratch), Operand::Memory(at)]);
        scratch
    }

    /// A mask for one part of a 64-bit value: its upper half moves down.
    pub(crate) fn mask_of(&mut self, reg: Reg, part: Part, scratch: u8) -> u8 {
        let mask = self.mask(reg, scratch);
        if part != Part::High {
            return mask;
        }
        self.asm.op(Code::VEX_Kshiftrw_kr_kr_imm8, &[Operand::K(scratch), Operand::K(mask), Operand::Imm(8)]);
        scratch
    }

    /// The mask register that a result is computed in.
    pub(crate) fn mask_result(&self, reg: Reg) -> u8 {
        self.locations.mask(reg).unwrap_or(K6)
    }

    /// Brings a mask to its place.
    pub(crate) fn store_mask(&mut self, reg: Reg) {
        if let Some(at) = self.locations.slot(reg) {
            self.asm.op(Code::VEX_Kmovw_m16_kr, &[Operand::Memory(at), Operand::K(K6)]);
        }
    }

    /// An instruction on three mask registers.
    pub(crate) fn masks(&mut self, code: Code, to: u8, a: u8, b: u8) {
        self.asm.op(code, &[Operand::K(to), Operand::K(a), Operand::K(b)]);
    }

    fn merge(&mut self, part: Part, uses: &[Reg], def: Reg) {
        if self.is_mask(def) {
            let lanes = self.mask(uses[0], K7);
            let value = self.mask(uses[1], K0);
            self.masks(Code::VEX_Kandw_kr_kr_kr, K0, value, lanes);
            let to = self.mask(def, K6);
            self.masks(Code::VEX_Kandnw_kr_kr_kr, K7, lanes, to);
            self.masks(Code::VEX_Korw_kr_kr_kr, to, K0, K7);
            return self.store_mask(def);
        }
        let wide = part != Part::Whole;
        let lanes = self.mask_of(uses[0], part, K7);
        let old = self.load(def, RESULT);
        let value = self.operand(uses[1], wide, S0);
        let code = if wide {
            Code::EVEX_Vpblendmq_zmm_k1z_zmm_zmmm512b64
        } else {
            Code::EVEX_Vpblendmd_zmm_k1z_zmm_zmmm512b32
        };
        self.asm.masked(code, lanes, false, &[Operand::Zmm(old), Operand::Zmm(old), value]);
        self.store(def);
    }

    fn out(&mut self, plane: u32, bits: u32, ty: Ty, masked: bool, uses: &[Reg]) {
        self.pointer(self.layout.outputs + 8 * plane as usize);
        let values = &uses[usize::from(masked)..];
        let parts: &[Part] = if values.len() > 1 { &[Part::Low, Part::High] } else { &[Part::Whole] };
        for (n, (&part, &value)) in parts.iter().zip(values).enumerate() {
            let from = if ty == Ty::Mask {
                let mask = self.mask(value, K7);
                self.asm.masked(
                    Code::EVEX_Vpbroadcastd_zmm_k1z_xmmm32,
                    mask,
                    true,
                    &[Operand::Zmm(S0), Operand::Memory(layout::ONE32)],
                );
                S0
            } else {
                self.load(value, S0)
            };
            let (code, operands) = match bits {
                0..=8 => (Code::EVEX_Vpmovdb_xmmm128_k1z_zmm, [Operand::Plane(1, 0), Operand::Zmm(from)]),
                9..=16 => (Code::EVEX_Vpmovdw_ymmm256_k1z_zmm, [Operand::Plane(2, 0), Operand::Zmm(from)]),
                17..=32 => (Code::EVEX_Vmovdqu32_zmmm512_k1z_zmm, [Operand::Plane(4, 0), Operand::Zmm(from)]),
                _ => (Code::EVEX_Vmovdqu64_zmmm512_k1z_zmm, [Operand::Plane(8, 64 * n), Operand::Zmm(from)]),
            };
            if masked {
                let lanes = self.mask_of(uses[0], part, K7);
                self.asm.masked(code, lanes, false, &operands);
            } else {
                self.asm.op(code, &operands);
            }
        }
    }

    fn fuel(&mut self, cost: u32, lanes: Reg, def: Reg) {
        let lanes = self.mask(lanes, K7);
        let to = self.mask_result(def);
        let fuel = Operand::Memory(layout::FUEL);
        self.asm.op(Code::EVEX_Vmovdqa32_zmm_k1z_zmmm512, &[Operand::Zmm(S0), fuel]);
        self.number_to_eax(cost);
        self.asm.op(Code::EVEX_Vpbroadcastd_zmm_k1z_r32, &[Operand::Zmm(S1), Operand::Eax]);
        let has = [Operand::K(to), Operand::Zmm(S0), Operand::Zmm(S1), Operand::Imm(NOT_BELOW)];
        self.asm.masked(Code::EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8, lanes, false, &has);
        let less = [Operand::Zmm(S0), Operand::Zmm(S0), Operand::Zmm(S1)];
        self.asm.masked(Code::EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32, to, false, &less);
        self.masks(Code::VEX_Kandnw_kr_kr_kr, K7, to, lanes);
        let none = [Operand::Zmm(S0), Operand::Zmm(S0), Operand::Zmm(S0)];
        self.asm.masked(Code::EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32, K7, false, &none);
        self.asm.op(Code::EVEX_Vmovdqa32_zmmm512_k1z_zmm, &[fuel, Operand::Zmm(S0)]);
        self.add_dry(K7);
        self.store_mask(def);
    }

    fn add_dry(&mut self, lanes: u8) {
        self.asm.op(Code::VEX_Kmovw_kr_km16, &[Operand::K(K0), Operand::Block(layout::DRY)]);
        self.masks(Code::VEX_Korw_kr_kr_kr, K0, K0, lanes);
        self.asm.op(Code::VEX_Kmovw_m16_kr, &[Operand::Block(layout::DRY), Operand::K(K0)]);
    }

    /// The lanes of a mask as all ones, in a vector.
    fn spread(&mut self, mask: Reg, to: u8) {
        let mask = self.mask(mask, K7);
        self.asm.op(Code::EVEX_Vpmovm2d_zmm_kr, &[Operand::Zmm(to), Operand::K(mask)]);
    }

    /// The mask of lanes whose sign bit is set.
    fn gather_signs(&mut self, from: u8, def: Reg) {
        let to = self.mask_result(def);
        self.asm.op(Code::EVEX_Vpmovd2m_kr_zmm, &[Operand::K(to), Operand::Zmm(from)]);
        self.store_mask(def);
    }

    fn quad_xor(&mut self, bits: u8, part: Part, uses: &[Reg], def: Reg) {
        let order = (0..4).fold(0, |order, lane: u8| order | ((lane ^ bits) & 3) << (2 * lane));
        let shuffle = Code::EVEX_Vpshufd_zmm_k1z_zmmm512b32_imm8;
        if self.is_mask(def) {
            self.spread(uses[0], S0);
            self.asm.op(shuffle, &[Operand::Zmm(S0), Operand::Zmm(S0), Operand::Imm(order)]);
            return self.gather_signs(S0, def);
        }
        let to = self.result(def);
        let wide = part != Part::Whole;
        let from = self.operand(uses[0], wide, S0);
        let code = if wide { Code::EVEX_Vpermq_zmm_k1z_zmmm512b64_imm8 } else { shuffle };
        self.asm.op(code, &[Operand::Zmm(to), from, Operand::Imm(order)]);
        self.store(def);
    }

    fn quad_shuffle(&mut self, part: Part, uses: &[Reg], def: Reg) {
        let permute = Code::EVEX_Vpermilps_zmm_k1z_zmm_zmmm512b32;
        if self.is_mask(def) {
            self.spread(uses[0], S0);
            let lanes = self.operand(uses[1], false, S1);
            self.asm.op(permute, &[Operand::Zmm(S0), Operand::Zmm(S0), lanes]);
            return self.gather_signs(S0, def);
        }
        let to = self.result(def);
        if part == Part::Whole {
            let from = self.load(uses[0], S0);
            let lanes = self.operand(uses[1], false, S1);
            self.asm.op(permute, &[Operand::Zmm(to), Operand::Zmm(from), lanes]);
            return self.store(def);
        }
        // Lanes of the half, with the first one of their quad.
        let lanes = self.half(uses[1], part, S0);
        self.asm.op(Code::EVEX_Vpmovzxdq_zmm_k1z_ymmm256, &[Operand::Zmm(S0), lanes]);
        let low = [Operand::Zmm(S0), Operand::Zmm(S0), Operand::Broadcast(layout::LANE64)];
        self.asm.op(Code::EVEX_Vpandq_zmm_k1z_zmm_zmmm512b64, &low);
        let first = [Operand::Zmm(S0), Operand::Zmm(S0), Operand::Memory(layout::QUAD_FIRST64)];
        self.asm.op(Code::EVEX_Vporq_zmm_k1z_zmm_zmmm512b64, &first);
        let from = self.operand(uses[0], true, S1);
        self.asm.op(Code::EVEX_Vpermq_zmm_k1z_zmm_zmmm512b64, &[Operand::Zmm(to), Operand::Zmm(S0), from]);
        self.store(def);
    }

    /// A mask of the quads that another is true anywhere in, by way of two vectors.
    fn any_of_quad(&mut self, from: u8, to: u8, [a, b]: [u8; 2]) {
        let zmm = Operand::Zmm;
        self.asm.op(Code::EVEX_Vpmovm2d_zmm_kr, &[zmm(a), Operand::K(from)]);
        for order in [0b10_11_00_01, 0b01_00_11_10] {
            self.asm.op(Code::EVEX_Vpshufd_zmm_k1z_zmmm512b32_imm8, &[zmm(b), zmm(a), Operand::Imm(order)]);
            self.asm.op(Code::EVEX_Vpord_zmm_k1z_zmm_zmmm512b32, &[zmm(a), zmm(a), zmm(b)]);
        }
        self.asm.op(Code::EVEX_Vpmovd2m_kr_zmm, &[Operand::K(to), zmm(a)]);
    }

    fn vote(&mut self, all: bool, uses: &[Reg], def: Reg) {
        let (lanes, predicate) = (self.mask(uses[0], K6), self.mask(uses[1], K7));
        // All: none of the lanes is without.
        if all {
            self.masks(Code::VEX_Kandnw_kr_kr_kr, K7, predicate, lanes);
        } else {
            self.masks(Code::VEX_Kandw_kr_kr_kr, K7, predicate, lanes);
        }
        let to = self.mask_result(def);
        self.any_of_quad(K7, to, [S0, S1]);
        if all {
            self.asm.op(Code::VEX_Knotw_kr_kr, &[Operand::K(to), Operand::K(to)]);
        }
        self.store_mask(def);
    }
}
