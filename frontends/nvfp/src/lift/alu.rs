//! Arithmetic, packs, and what every instruction does with its result.

use super::Unit;
use super::registers::file_decl;
use crate::ast::Selector;
use crate::ast::{Array, Base, Clamp, Dst, Instr, Out, Precision, Src};
use crate::dialect::{Dialect, result};
use crate::table::{Group, Sem};
use parallax_core::{SlotId, Type, ValueId};
use parallax_lift::vector::{self, Form, Operands, Results, VectorOp, components};
use parallax_lift::{Deferred, Lifter, VarId};
use parallax_num::{Decl, Op, Saturate, Slot};
use smallvec::SmallVec;

/// Components, what they get, and in which lanes.
type Writes = SmallVec<[(u8, Deferred, Option<ValueId>); 4]>;

impl Unit<'_, '_> {
    /// Format of a destination.
    pub(super) fn dst_decl(&self, dst: &Dst) -> Decl {
        if let Base::Cc(file) = dst.base {
            return file_decl(file);
        }
        if let Some((_, decl)) = self.registers.sole(&dst.base) {
            return decl;
        }
        self.registers.of_base(self.program, &dst.base).map_or(Decl::F32, |r| self.registers.decl(r))
    }

    /// Format an arithmetic instruction runs in.
    fn op_decl(&self, instr: &Instr, dst: Decl) -> Decl {
        match self.program.dialect {
            Dialect::Patent => dst,
            dialect if dialect.is_vertex() => Decl::F32,
            _ => {
                if instr.srcs.iter().any(|s| self.reads_full_attribute(s)) {
                    return Decl::F32;
                }
                match instr.suffix.precision {
                    Some(Precision::Fp32) => Decl::F32,
                    Some(Precision::Fp16) => Decl::F16,
                    Some(Precision::Fixed) => Decl::Fx12,
                    Some(Precision::Fixed9) => Decl::Fx9,
                    None => dst,
                }
            }
        }
    }

    /// The slot of an instruction: its format and clamp.
    pub(super) fn slot_of(&mut self, instr: &Instr, decl: Decl) -> SlotId {
        if instr.suffix.clamp == Clamp::None && instr.suffix.scale == 0 {
            return self.lifter.plain(decl);
        }
        let saturate = match instr.suffix.clamp {
            Clamp::None => Saturate::None,
            Clamp::Sat => Saturate::Unsigned,
            Clamp::SSat => Saturate::Signed,
        };
        self.lifter.b.slot(Slot { saturate, scale: instr.suffix.scale, ..Slot::plain(decl) })
    }

    /// What an instruction leaves in an address register (ARB_vertex_program, section 2.14.5.3; NV_vertex_program2, sections
    /// 2.14.3.3 to 2.14.3.5).
    fn addresses(&mut self, instr: &Instr, dst: &Dst) -> Results {
        let Some(src) = instr.srcs.first() else { return [None; 4] };
        match (instr.row.sem, &src.base) {
            (Sem::Address(op), _) => vector::each(dst.mask, |comp| {
                let value = self.fetch(src, comp as u8, Decl::F32);
                let slot = self.lifter.plain(Decl::F32);
                self.lifter.b.num(op, slot, &[value]).into()
            }),
            (Sem::AddressAdd, Base::Name(id, _)) => {
                let variable = self.registers.address(self.program.target(*id));
                vector::each(dst.mask, |comp| {
                    let parts = [comp % 2, comp % 2 + 2].map(|n| self.lifter.read_bits(variable.offset(n as u32)));
                    self.lifter.b.int(Op::Iadd, &parts).into()
                })
            }
            _ => [None; 4],
        }
    }

    /// What an instruction leaves in the components of its destination, before anything is written.
    pub(super) fn results(&mut self, instr: &Instr) -> Results {
        let Some(dst) = &instr.dst else { return [None; 4] };
        match instr.row.sem {
            Sem::Address(_) | Sem::AddressAdd => self.addresses(instr, dst),
            Sem::Texture(mode, project) => self.lookup(instr, mode, project),
            sem => self.computed(instr, sem, dst),
        }
    }

    /// An instruction that computes.
    fn computed(&mut self, instr: &Instr, sem: Sem, dst: &Dst) -> Results {
        let decl = match instr.row.group {
            // Words are made of and taken apart to fp32.
            Group::Pack | Group::Unpack => Decl::F32,
            _ => self.op_decl(instr, self.dst_decl(dst)),
        };
        let plain = self.lifter.plain(decl);
        // Words are written as they are.
        let slot = if instr.row.group == Group::Pack { plain } else { self.slot_of(instr, decl) };
        let form = Form { decl, slot, test: plain, mask: dst.mask };
        let op = match sem {
            Sem::Vector(VectorOp::Derivative { axis, .. }) => VectorOp::Derivative { axis, fine: self.fine },
            Sem::Vector(op) => op,
            Sem::Pack(Op::PackBiased4) if self.signed_bytes => VectorOp::Pack(Op::PackSnorm4),
            Sem::Unpack(Op::UpBiased8, width) if self.signed_bytes => VectorOp::Unpack(Op::UpSnorm8, width),
            Sem::Microcode(op) => return self.microcode(instr, op, &form),
            Sem::Sign => return self.sign(instr, &form),
            Sem::ClampedReciprocal => return self.clamped_reciprocal(instr, &form),
            Sem::Pack(op) => VectorOp::Pack(op),
            Sem::Unpack(op, width) => VectorOp::Unpack(op, width),
            _ => return self.copy(instr, sem, dst, &form),
        };
        vector::compute(&mut Sources { unit: self, instr, decl }, op, &form)
    }

    /// 1 above 0, -1 below, 0 of zeros, and NaN of NaN (NV_vertex_program2, section 2.14.3.37).
    fn sign(&mut self, instr: &Instr, form: &Form) -> Results {
        let decl = form.decl;
        vector::each(form.mask, |comp| {
            let value = self.fetch(&instr.srcs[0], comp as u8, decl);
            let [zero, one] = [0, vector::one(decl)].map(|bits| self.lifter.b.float(form.test, bits));
            let minus = self.lifter.b.num(Op::Neg, form.test, &[one]);
            let mut sign = value;
            for (op, outcome) in [(Op::FEq, zero), (Op::FLt, minus), (Op::FGt, one)] {
                let pred = self.lifter.b.num(op, form.test, &[value, zero]);
                sign = self.lifter.b.select(pred, outcome, sign);
            }
            vector::clamped(&mut self.lifter, form, sign.into())
        })
    }

    /// 1 / a, its magnitude between 2^-64 and 2^64; NaN stays (NV_vertex_program1_1, section 2.14.1.10.19). The sign is that
    /// of 1 / a, and of the operand where that may have been flushed to zero.
    fn clamped_reciprocal(&mut self, instr: &Instr, form: &Form) -> Results {
        /// 2^-64 and 2^64 as binary32.
        const LIMITS: [u64; 2] = [0x1f80_0000, 0x5f80_0000];
        const SIGN: u64 = 0x8000_0000;
        let test = form.test;
        let value = self.fetch(&instr.srcs[0], 0, form.decl);
        let reciprocal = self.lifter.b.num(Op::Rcp, test, &[value]);
        let zero = self.lifter.b.float(test, 0);
        let is_below = [value, reciprocal].map(|value| self.lifter.b.num(Op::FLt, test, &[value, zero]));
        let is_negative = self.lifter.b.int(Op::Por, &is_below);
        let mut kept = [0, SIGN].map(|sign| LIMITS.map(|bits| self.lifter.b.float(test, bits | sign)));
        kept[1].reverse();
        let [positive, negative] = kept.map(|[least, most]| {
            let is_small = self.lifter.b.num(Op::FLt, test, &[reciprocal, least]);
            let large = self.lifter.b.num(Op::FGt, test, &[reciprocal, most]);
            let value = self.lifter.b.select(is_small, least, reciprocal);
            self.lifter.b.select(large, most, value)
        });
        let value = self.lifter.b.select(is_negative, negative, positive);
        let value = vector::clamped(&mut self.lifter, form, value.into());
        vector::each(form.mask, |_| value)
    }

    /// MOV, ABS and SWZ. A MOV moves bits where source, operation and destination have one format.
    fn copy(&mut self, instr: &Instr, sem: Sem, dst: &Dst, form: &Form) -> Results {
        let (src, decl) = (&instr.srcs[0], form.decl);
        let plain = matches!(sem, Sem::Move)
            && Self::is_plain(src)
            && instr.suffix.clamp == Clamp::None
            && instr.suffix.scale == 0;
        let moves = plain && self.dst_decl(dst) == decl;
        let mut out = [None; 4];
        for comp in components(dst.mask) {
            let value = match instr.selectors {
                Some(selectors) => self.selected(src, selectors[comp], decl),
                None if moves => {
                    let (val, stored) = self.stored(src, comp as u8);
                    if stored == decl {
                        out[comp] = Some(val);
                        continue;
                    }
                    let value = self.lifter.force(val, Type::Float(stored));
                    self.in_decl(value, decl)
                }
                None => self.fetch(src, comp as u8, decl),
            };
            let value =
                if matches!(sem, Sem::Magnitude) { self.lifter.b.num(Op::Abs, form.test, &[value]) } else { value };
            out[comp] = Some(vector::clamped(&mut self.lifter, form, Deferred::value(value)));
        }
        out
    }

    /// What a selector of SWZ selects. The operand carries no swizzle of its own, so component numbers select directly.
    fn selected(&mut self, src: &Src, selector: Selector, decl: Decl) -> ValueId {
        let plain = self.lifter.plain(decl);
        let value = match selector.source {
            4 => self.lifter.b.float(plain, 0),
            5 => self.lifter.b.float(plain, vector::one(decl)),
            comp => self.fetch(src, comp, decl),
        };
        if selector.negate { self.lifter.b.num(Op::Neg, plain, &[value]) } else { value }
    }

    /// A result in the format of its destination. What is no float yet stays what it is.
    #[inline]
    fn stored_as(&mut self, val: Deferred, decl: Decl) -> Deferred {
        match self.lifter.type_of(val) {
            Some(Type::Float(from)) if from != decl => {
                let value = self.lifter.force(val, Type::Float(from));
                Deferred::value(self.in_decl(value, decl))
            }
            _ => val,
        }
    }

    /// Computes and writes.
    pub(super) fn compute(&mut self, instr: &Instr) {
        let results = self.results(instr);
        self.write(instr, results);
    }

    /// Converts, writes under mask and test, updates the condition code.
    fn write(&mut self, instr: &Instr, results: Results) {
        let Some(dst) = &instr.dst else { return };
        if let (None, false) = (dst.test, instr.suffix.cc)
            && let Some((first, decl)) = self.registers.sole(&dst.base)
        {
            for (comp, val) in results.into_iter().enumerate().filter(|(comp, _)| dst.mask >> comp & 1 != 0) {
                let Some(val) = val else { continue };
                let val = self.stored_as(val, decl);
                self.lifter.set(first.offset(comp as u32), val);
            }
            return;
        }
        let writes = self.writes_of(dst, results);
        self.commit(instr, dst, writes);
    }

    /// Instructions that all read before any writes.
    pub(super) fn compute_together(&mut self, instrs: &[Instr]) {
        let mut all = SmallVec::<[(&Instr, &Dst, Writes); 2]>::new();
        for instr in instrs {
            let results = self.results(instr);
            if let Some(dst) = &instr.dst {
                let writes = self.writes_of(dst, results);
                all.push((instr, dst, writes));
            }
        }
        for (instr, dst, writes) in all {
            self.commit(instr, dst, writes);
        }
    }

    /// The components that are written, each with what it gets and with the test it depends on.
    fn writes_of(&mut self, dst: &Dst, results: Results) -> Writes {
        let decl = self.dst_decl(dst);
        let mut writes = Writes::new();
        for comp in components(dst.mask) {
            let Some(val) = results[comp] else { continue };
            let val = self.stored_as(val, decl);
            let pred = dst.test.and_then(|test| self.component_test(test, comp as u8));
            writes.push((comp as u8, val, pred));
        }
        writes
    }

    /// Sets a component in lanes where a test holds, or in all.
    fn set(&mut self, variable: VarId, val: Deferred, pred: Option<ValueId>) {
        match pred {
            None => self.lifter.set(variable, val),
            Some(pred) => self.lifter.set_if(pred, variable, val),
        }
    }

    /// Writes, and updates the condition code.
    fn commit(&mut self, instr: &Instr, dst: &Dst, writes: Writes) {
        let decl = self.dst_decl(dst);
        match (&dst.base, instr.row.group) {
            (Base::Name(id, _), Group::Address) => {
                let variable = self.registers.address(self.program.target(*id));
                for &(comp, val, pred) in &writes {
                    self.set(variable.offset(u32::from(comp)), val, pred);
                }
            }
            (base @ Base::Relative { array: Array::Results, .. }, _) => {
                let index = self.index(base);
                for n in 0..8 {
                    let own = self.lifter.b.i32(n);
                    let is_it = self.lifter.b.int(Op::Ieq, &[index, own]);
                    let register = self.registers.output(Out::Vertex(result::TEX0 + n as u8));
                    for &(comp, val, pred) in &writes {
                        let pred = pred.map_or(is_it, |pred| self.lifter.b.int(Op::Pand, &[is_it, pred]));
                        self.registers.write(&mut self.lifter, register, comp, val, Some(pred));
                    }
                }
            }
            _ => {}
        }
        let register = self.registers.of_base(self.program, &dst.base);
        if let Some(register) = register {
            self.registers.retag(&mut self.lifter, register);
            for &(comp, val, pred) in &writes {
                self.registers.write(&mut self.lifter, register, comp, val, pred);
            }
        }
        if instr.suffix.cc {
            let slot = self.lifter.plain(decl);
            for (comp, val, pred) in writes {
                let value = match self.lifter.type_of(val) {
                    // The sign of an address.
                    Some(Type::I32) if instr.row.group == Group::Address => {
                        let value = self.lifter.force(val, Type::I32);
                        self.lifter.b.num(Op::I2f, slot, &[value])
                    }
                    _ => self.lifter.force(val, Type::Float(decl)),
                };
                let code = self.lifter.b.num(Op::CcOf, slot, &[value]);
                let variable = self.code(instr.suffix.code, comp);
                self.set(variable, code.into(), pred);
            }
        }
    }
}

/// The operands of an instruction in the format of its operation.
struct Sources<'u, 'p, 'f> {
    unit: &'u mut Unit<'p, 'f>,
    instr: &'u Instr,
    decl: Decl,
}

impl<'f> Operands<'f> for Sources<'_, '_, 'f> {
    fn lifter(&mut self) -> &mut Lifter<'f> {
        &mut self.unit.lifter
    }

    fn float(&mut self, n: usize, comp: usize) -> ValueId {
        self.unit.fetch(&self.instr.srcs[n], comp as u8, self.decl)
    }

    fn word(&mut self, n: usize, _: usize) -> ValueId {
        self.unit.word(&self.instr.srcs[n])
    }

    fn moved(&mut self, n: usize, comp: usize) -> Deferred {
        self.float(n, comp).into()
    }

    fn literal(&mut self, decl: Decl, bits: u32) -> Deferred {
        let plain = self.unit.lifter.plain(decl);
        self.unit.lifter.b.float(plain, bits.into()).into()
    }
}
