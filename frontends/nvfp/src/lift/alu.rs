//! Arithmetic, packs, and what every instruction does with its result.

use super::Unit;
use super::registers::file_decl;
use crate::{Base, Clamp, Dialect, Dst, Group, Instr, Precision};
use parallax_core::{OpKind, SlotId, Type, ValueId};
use parallax_lift::Deferred;
use parallax_num::{Decl, Op, Saturate, Slot};
use smallvec::SmallVec;

/// Results per component, as they come out of the operation.
pub(super) type Results = [Option<Deferred>; 4];

impl Unit<'_, '_> {
    /// Format of a destination.
    pub(super) fn dst_decl(&self, dst: &Dst) -> Decl {
        if let Base::Cc(file) = dst.base {
            return file_decl(file);
        }
        self.registers.of_base(self.program, &dst.base).map_or(Decl::F32, |r| self.registers.decl(r))
    }

    /// Format an arithmetic instruction runs in.
    fn op_decl(&self, instr: &Instr, dst: Decl) -> Decl {
        match self.program.dialect {
            Dialect::Patent => dst,
            Dialect::Fp10 | Dialect::Arb => {
                if instr.srcs.iter().any(|s| self.reads_full_attribute(s)) {
                    return Decl::F32;
                }
                match instr.suffix.precision {
                    Some(Precision::Fp32) => Decl::F32,
                    Some(Precision::Fp16) => Decl::F16,
                    Some(Precision::Fixed) => Decl::Fx12,
                    None => dst,
                }
            }
        }
    }

    /// The slot of an instruction: its format and clamp.
    pub(super) fn slot_of(&mut self, instr: &Instr, decl: Decl) -> SlotId {
        let saturate = match instr.suffix.clamp {
            Clamp::None => Saturate::None,
            Clamp::Sat => Saturate::Unsigned,
            Clamp::SSat => Saturate::Signed,
        };
        self.lifter.b.slot(Slot { saturate, ..Slot::plain(decl) })
    }

    /// An arithmetic, pack or unpack instruction.
    pub(super) fn compute(&mut self, instr: &Instr) {
        let Some(dst) = &instr.dst else { return };
        let results = match instr.row.group {
            Group::Pack => self.pack(instr),
            Group::Unpack => self.unpack(instr),
            _ => self.alu(instr, dst, self.op_decl(instr, self.dst_decl(dst))),
        };
        self.write(instr, dst, results);
    }

    /// Operands of one component.
    fn operands(&mut self, instr: &Instr, comp: u8, decl: Decl) -> SmallVec<[ValueId; 3]> {
        instr.srcs.iter().map(|src| self.fetch(src, comp, decl)).collect()
    }

    /// One operation per component.
    fn lanes(&mut self, instr: &Instr, slot: SlotId, decl: Decl, mask: u8, op: Op) -> Results {
        let mut out = [None; 4];
        for comp in components(mask) {
            let args = self.operands(instr, comp, decl);
            out[usize::from(comp)] = Some(Deferred::value(self.lifter.b.num(op, slot, &args)));
        }
        out
    }

    /// One operation on the first component of each operand, in all components.
    fn scalar(&mut self, instr: &Instr, slot: SlotId, decl: Decl, op: Op) -> Results {
        let args = self.operands(instr, 0, decl);
        [Some(Deferred::value(self.lifter.b.num(op, slot, &args))); 4]
    }

    /// A dot product: `widths[k]` components of operand k.
    fn dot(&mut self, instr: &Instr, slot: SlotId, decl: Decl, op: Op, widths: &[u8]) -> Results {
        let mut args = SmallVec::<[ValueId; 8]>::new();
        for (src, &width) in instr.srcs.iter().zip(widths) {
            for comp in 0..width {
                args.push(self.fetch(src, comp, decl));
            }
        }
        [Some(Deferred::value(self.lifter.b.num(op, slot, &args))); 4]
    }

    /// 1 where a comparison holds, else 0.
    fn compare(&mut self, instr: &Instr, slot: SlotId, decl: Decl, mask: u8, op: Op) -> Results {
        let mut out = [None; 4];
        for comp in components(mask) {
            let a = self.fetch(&instr.srcs[0], comp, decl);
            let b = self.fetch(&instr.srcs[1], comp, decl);
            let pred = self.lifter.b.num(op, slot, &[a, b]);
            let (one, zero) = (self.one(decl), self.zero(decl));
            out[usize::from(comp)] = Some(Deferred::value(self.lifter.b.select(pred, one, zero)));
        }
        out
    }

    pub(super) fn one(&mut self, decl: Decl) -> ValueId {
        let bits = match decl {
            Decl::F32 => 0x3f80_0000,
            Decl::F16 => 0x3c00,
            Decl::F64 => 0x3ff0_0000_0000_0000,
            Decl::Fx12 => 1024,
            Decl::Fx9 => 255,
        };
        let slot = self.lifter.plain(decl);
        self.lifter.b.float(slot, bits)
    }

    pub(super) fn zero(&mut self, decl: Decl) -> ValueId {
        let slot = self.lifter.plain(decl);
        self.lifter.b.float(slot, 0)
    }

    fn alu(&mut self, instr: &Instr, dst: &Dst, decl: Decl) -> Results {
        let mask = dst.mask;
        let slot = self.slot_of(instr, decl);
        let plain = self.lifter.plain(decl);
        let all = |v: ValueId| [Some(Deferred::value(v)); 4];
        match instr.row.name {
            "ADD" => self.lanes(instr, slot, decl, mask, Op::Add),
            "SUB" => self.lanes(instr, slot, decl, mask, Op::Sub),
            "MUL" => self.lanes(instr, slot, decl, mask, Op::Mul),
            "MAD" => self.lanes(instr, slot, decl, mask, Op::Mad),
            "LRP" => self.lanes(instr, slot, decl, mask, Op::Lrp),
            "MIN" => self.lanes(instr, slot, decl, mask, Op::Min),
            "MAX" => self.lanes(instr, slot, decl, mask, Op::Max),
            "FLR" => self.lanes(instr, slot, decl, mask, Op::Floor),
            "FRC" => self.lanes(instr, slot, decl, mask, Op::Frac),
            "COS" => self.scalar(instr, slot, decl, Op::Cos),
            "SIN" => self.scalar(instr, slot, decl, Op::Sin),
            "EX2" => self.scalar(instr, slot, decl, Op::Exp2),
            "LG2" => self.scalar(instr, slot, decl, Op::Log2),
            "RCP" => self.scalar(instr, slot, decl, Op::Rcp),
            "RSQ" => self.scalar(instr, slot, decl, Op::Rsq),
            "POW" => self.scalar(instr, slot, decl, Op::Pow),
            "DP2" => self.dot(instr, slot, decl, Op::Dot2, &[2, 2]),
            "DP2A" => self.dot(instr, slot, decl, Op::Dp2a, &[2, 2, 1]),
            "DP3" => self.dot(instr, slot, decl, Op::Dot3, &[3, 3]),
            "DP4" => self.dot(instr, slot, decl, Op::Dot4, &[4, 4]),
            "DPH" => self.dot(instr, slot, decl, Op::Dph, &[3, 4]),
            "SEQ" => self.compare(instr, plain, decl, mask, Op::FEq),
            "SNE" => self.compare(instr, plain, decl, mask, Op::FNe),
            "SGE" => self.compare(instr, plain, decl, mask, Op::FGe),
            "SGT" => self.compare(instr, plain, decl, mask, Op::FGt),
            "SLE" => self.compare(instr, plain, decl, mask, Op::FLe),
            "SLT" => self.compare(instr, plain, decl, mask, Op::FLt),
            "SFL" => all(self.zero(decl)),
            "STR" => all(self.one(decl)),
            "MOV" | "ABS" => self.copy(instr, dst, slot, decl),
            "SWZ" => self.swz(instr, slot, decl, mask),
            "CMP" => self.cmp(instr, slot, decl, mask),
            "DDX" | "DDY" => {
                let axis = if instr.row.name == "DDX" { parallax_core::Axis::X } else { parallax_core::Axis::Y };
                let mut out = [None; 4];
                for comp in components(mask) {
                    let a = self.fetch(&instr.srcs[0], comp, decl);
                    let kind = OpKind::Deriv { axis, fine: self.fine };
                    out[usize::from(comp)] = Some(Deferred::value(self.lifter.b.deriv(kind, slot, a)));
                }
                out
            }
            "DIV" => {
                let mut out = [None; 4];
                let b = self.fetch(&instr.srcs[1], 0, decl);
                for comp in components(mask) {
                    let a = self.fetch(&instr.srcs[0], comp, decl);
                    out[usize::from(comp)] = Some(Deferred::value(self.lifter.b.num(Op::Div, slot, &[a, b])));
                }
                out
            }
            "NRM" => {
                let [x, y, z] = [0, 1, 2].map(|c| self.fetch(&instr.srcs[0], c, decl));
                let mut out = [None; 4];
                for (comp, v) in [x, y, z].into_iter().enumerate() {
                    out[comp] = Some(Deferred::value(self.lifter.b.num(Op::Nrm, slot, &[v, x, y, z])));
                }
                // w is undefined; zero keeps results the same everywhere.
                out[3] = Some(Deferred::value(self.zero(decl)));
                out
            }
            _ => self.composite(instr, slot, plain, decl),
        }
    }

    /// Instructions whose components differ in what they compute.
    fn composite(&mut self, instr: &Instr, slot: SlotId, plain: SlotId, decl: Decl) -> Results {
        let some = |v: ValueId| Some(Deferred::value(v));
        let srcs = &instr.srcs;
        match instr.row.name {
            "DST" => {
                let (ay, by) = (self.fetch(&srcs[0], 1, decl), self.fetch(&srcs[1], 1, decl));
                let (az, bw) = (self.fetch(&srcs[0], 2, decl), self.fetch(&srcs[1], 3, decl));
                let y = self.lifter.b.num(Op::Dst, slot, &[ay, by]);
                [some(self.one(decl)), some(y), some(self.clamped(slot, az)), some(self.clamped(slot, bw))]
            }
            "LIT" => {
                let [x, y, w] = [0, 1, 3].map(|c| self.fetch(&srcs[0], c, decl));
                let diffuse = self.lifter.b.num(Op::LitY, slot, &[x]);
                let specular = self.lifter.b.num(Op::LitZ, slot, &[x, y, w]);
                [some(self.one(decl)), some(diffuse), some(specular), some(self.one(decl))]
            }
            "EXP" => {
                let a = self.fetch(&srcs[0], 0, decl);
                let parts = [Op::Exp2Floor, Op::Frac, Op::Exp2Part].map(|op| self.lifter.b.num(op, slot, &[a]));
                [some(parts[0]), some(parts[1]), some(parts[2]), some(self.one(decl))]
            }
            "LOG" => {
                let a = self.fetch(&srcs[0], 0, decl);
                let parts = [Op::LogExp, Op::LogMant, Op::Log2Part].map(|op| self.lifter.b.num(op, slot, &[a]));
                [some(parts[0]), some(parts[1]), some(parts[2]), some(self.one(decl))]
            }
            "SCS" => {
                let a = self.fetch(&srcs[0], 0, decl);
                let (cos, sin) = (self.lifter.b.num(Op::Cos, slot, &[a]), self.lifter.b.num(Op::Sin, slot, &[a]));
                // z and w are undefined.
                let zero = some(self.zero(decl));
                [some(cos), some(sin), zero, zero]
            }
            "XPD" => {
                let [ax, ay, az] = [0, 1, 2].map(|c| self.fetch(&srcs[0], c, decl));
                let [bx, by, bz] = [0, 1, 2].map(|c| self.fetch(&srcs[1], c, decl));
                let mut cross = |p: [ValueId; 2], n: [ValueId; 2]| {
                    let second = self.lifter.b.num(Op::Mul, plain, &n);
                    let second = self.lifter.b.num(Op::Neg, plain, &[second]);
                    self.lifter.b.num(Op::Mad, slot, &[p[0], p[1], second])
                };
                let (x, y, z) = (cross([ay, bz], [az, by]), cross([az, bx], [ax, bz]), cross([ax, by], [ay, bx]));
                [some(x), some(y), some(z), some(self.zero(decl))]
            }
            "X2D" => {
                let mut out = [None; 4];
                for comp in 0..4u8 {
                    let (row, a) = (comp % 2, comp % 2);
                    let base = self.fetch(&srcs[0], a, decl);
                    let (bx, by) = (self.fetch(&srcs[1], 0, decl), self.fetch(&srcs[1], 1, decl));
                    let cx = self.fetch(&srcs[2], row * 2, decl);
                    let cy = self.fetch(&srcs[2], row * 2 + 1, decl);
                    let first = self.lifter.b.num(Op::Mad, plain, &[bx, cx, base]);
                    out[usize::from(comp)] = some(self.lifter.b.num(Op::Mad, slot, &[by, cy, first]));
                }
                out
            }
            "RFL" => {
                let axis = [0, 1, 2].map(|c| self.fetch(&srcs[0], c, decl));
                let dir = [0, 1, 2].map(|c| self.fetch(&srcs[1], c, decl));
                let dot = |unit: &mut Self, a: [ValueId; 3], b: [ValueId; 3]| {
                    unit.lifter.b.num(Op::Dot3, plain, &[a[0], a[1], a[2], b[0], b[1], b[2]])
                };
                // (2 (axis . dir) / (axis . axis)) axis - dir, each step rounded.
                let (length, along) = (dot(self, axis, axis), dot(self, axis, dir));
                let twice = self.lifter.b.num(Op::Add, plain, &[along, along]);
                let scale = self.lifter.b.num(Op::Div, plain, &[twice, length]);
                let mut out = [None; 4];
                for comp in 0..3 {
                    let product = self.lifter.b.num(Op::Mul, plain, &[scale, axis[comp]]);
                    out[comp] = some(self.lifter.b.num(Op::Sub, slot, &[product, dir[comp]]));
                }
                out
            }
            other => {
                let message = format!("opcode `{other}` has no lifting");
                self.diags.push(parallax_text::Diag::internal("nvfp-lift", None, message));
                [None; 4]
            }
        }
    }

    /// The clamp of the instruction on a component that is only copied.
    fn clamped(&mut self, slot: SlotId, value: ValueId) -> ValueId {
        if self.lifter.b.func.slots[slot].saturate == Saturate::None {
            return value;
        }
        self.lifter.b.num(Op::Cvt, slot, &[value])
    }

    /// MOV and ABS. A MOV moves bits where source, operation and destination have one format.
    fn copy(&mut self, instr: &Instr, dst: &Dst, slot: SlotId, decl: Decl) -> Results {
        let src = &instr.srcs[0];
        let plain = instr.row.name == "MOV" && Self::is_plain(src) && instr.suffix.clamp == Clamp::None;
        let moves = plain && self.dst_decl(dst) == decl;
        let mut out = [None; 4];
        for comp in components(dst.mask) {
            let (val, stored) = self.stored(src, comp);
            out[usize::from(comp)] = Some(if moves && stored == decl {
                val
            } else {
                let mut value = self.fetch(src, comp, decl);
                if instr.row.name == "ABS" {
                    let plain = self.lifter.plain(decl);
                    value = self.lifter.b.num(Op::Abs, plain, &[value]);
                }
                Deferred::value(self.clamped(slot, value))
            });
        }
        out
    }

    fn swz(&mut self, instr: &Instr, slot: SlotId, decl: Decl, mask: u8) -> Results {
        let Some(selectors) = instr.selectors else { return [None; 4] };
        let plain = self.lifter.plain(decl);
        let mut out = [None; 4];
        for comp in components(mask) {
            let selector = selectors[usize::from(comp)];
            let mut value = match selector.source {
                4 => self.zero(decl),
                5 => self.one(decl),
                // The operand carries no swizzle of its own, so component numbers select directly.
                c => self.fetch(&instr.srcs[0], c, decl),
            };
            if selector.negate {
                value = self.lifter.b.num(Op::Neg, plain, &[value]);
            }
            out[usize::from(comp)] = Some(Deferred::value(self.clamped(slot, value)));
        }
        out
    }

    fn cmp(&mut self, instr: &Instr, slot: SlotId, decl: Decl, mask: u8) -> Results {
        let plain = self.lifter.plain(decl);
        let mut out = [None; 4];
        for comp in components(mask) {
            let [a, b, c] = [0, 1, 2].map(|n| self.fetch(&instr.srcs[n], comp, decl));
            let zero = self.zero(decl);
            let pred = self.lifter.b.num(Op::FLt, plain, &[a, zero]);
            let value = self.lifter.b.select(pred, b, c);
            out[usize::from(comp)] = Some(Deferred::value(self.clamped(slot, value)));
        }
        out
    }

    /// Packs take their operand at fp32 and give one word in all components.
    fn pack(&mut self, instr: &Instr) -> Results {
        let (op, count) = match instr.row.name {
            "PK2" | "PK2H" => (Op::PackHalf2, 2),
            "PK2US" => (Op::PackUnorm2, 2),
            "PK4UB" => (Op::PackUnorm4, 4),
            _ => (Op::PackBiased4, 4),
        };
        let slot = self.lifter.plain(Decl::F32);
        let args: Vec<ValueId> = (0..count).map(|c| self.fetch(&instr.srcs[0], c, Decl::F32)).collect();
        [Some(Deferred::value(self.lifter.b.num(op, slot, &args))); 4]
    }

    fn unpack(&mut self, instr: &Instr) -> Results {
        let word = self.word(&instr.srcs[0]);
        let slot = self.slot_of(instr, Decl::F32);
        let (op, width) = match instr.row.name {
            "UP2" | "UP2H" => (Op::UpHalf, 16),
            "UP2US" => (Op::UpUnorm16, 16),
            "UP4UB" => (Op::UpUnorm8, 8),
            _ => (Op::UpBiased8, 8),
        };
        let mut field = |n: u32| {
            let shift = self.lifter.b.i32(n * width);
            let low = self.lifter.b.int(Op::Ushr, &[word, shift]);
            Some(Deferred::value(self.lifter.b.num(op, slot, &[low])))
        };
        if width == 16 {
            let (low, high) = (field(0), field(1));
            [low, high, low, high]
        } else {
            [field(0), field(1), field(2), field(3)]
        }
    }

    /// Converts, writes under mask and test, updates the condition code.
    pub(super) fn write(&mut self, instr: &Instr, dst: &Dst, results: Results) {
        let decl = self.dst_decl(dst);
        let register = self.registers.of_base(self.program, &dst.base);
        let mut writes = SmallVec::<[(u8, Deferred, Option<ValueId>); 4]>::new();
        for comp in components(dst.mask) {
            let Some(val) = results[usize::from(comp)] else { continue };
            let val = match self.lifter.type_of(val) {
                Some(Type::Float(from)) if from != decl => {
                    let value = self.lifter.force(val, Type::Float(from));
                    Deferred::value(self.in_decl(value, decl))
                }
                _ => val,
            };
            let pred = dst.test.and_then(|test| self.component_test(test, comp));
            writes.push((comp, val, pred));
        }
        if let Some(register) = register {
            self.registers.retag(&mut self.lifter, register);
            for &(comp, val, pred) in &writes {
                self.registers.write(&mut self.lifter, register, comp, val, pred);
            }
        }
        if instr.suffix.cc {
            let slot = self.lifter.plain(decl);
            for (comp, val, pred) in writes {
                let value = self.lifter.force(val, Type::Float(decl));
                let code = self.lifter.b.num(Op::CcOf, slot, &[value]);
                let variable = self.cc.offset(u32::from(comp));
                match pred {
                    None => self.lifter.set(variable, code),
                    Some(pred) => self.lifter.set_if(pred, variable, code),
                }
            }
        }
    }
}

/// Components of a mask, in order.
pub(super) fn components(mask: u8) -> impl Iterator<Item = u8> {
    (0..4u8).filter(move |c| mask >> c & 1 == 1)
}
