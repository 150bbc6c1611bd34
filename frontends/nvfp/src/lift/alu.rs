//! Arithmetic, packs, and what every instruction does with its result.

use super::Unit;
use super::registers::file_decl;
use crate::ast::Selector;
use crate::ast::{Base, Clamp, Dst, Instr, Precision, Src};
use crate::table::Sem;
use crate::{dialect::Dialect, table::Group};
use parallax_core::{SlotId, Type, ValueId};
use parallax_lift::vector::{self, Form, Operands, Results, VectorOp, components};
use parallax_lift::{Deferred, Lifter};
use parallax_num::{Decl, Op, Saturate, Slot};
use smallvec::SmallVec;

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
            Dialect::ArbVertex => Decl::F32,
            Dialect::Fp10 | Dialect::Arb | Dialect::Nv40 => {
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

    /// The address register from a float, rounded down (ARB_vertex_program, section 2.14.5.3).
    pub(super) fn set_address(&mut self, instr: &Instr) {
        let (Some(Dst { base: Base::Name(id, _), .. }), [src]) = (&instr.dst, instr.srcs.as_slice()) else { return };
        let value = self.fetch(src, 0, Decl::F32);
        let slot = self.lifter.plain(Decl::F32);
        let floor = self.lifter.b.num(Op::F2iFloor, slot, &[value]);
        let variable = self.registers.address(self.program.target(*id));
        self.lifter.set(variable, floor);
    }

    /// An instruction that computes.
    pub(super) fn compute(&mut self, instr: &Instr, sem: Sem) {
        let Some(dst) = &instr.dst else { return };
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
            Sem::Microcode(op) => {
                let results = self.microcode(instr, op, &form);
                return self.write(instr, dst, results);
            }
            Sem::Pack(op) => VectorOp::Pack(op),
            Sem::Unpack(op, width) => VectorOp::Unpack(op, width),
            _ => {
                let results = self.copy(instr, sem, dst, &form);
                return self.write(instr, dst, results);
            }
        };
        let results = vector::compute(&mut Sources { unit: self, instr, decl }, op, &form);
        self.write(instr, dst, results);
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

    /// Converts, writes under mask and test, updates the condition code.
    pub(super) fn write(&mut self, instr: &Instr, dst: &Dst, results: Results) {
        let decl = self.dst_decl(dst);
        if let (Base::Temp(file, n), None, false) = (&dst.base, dst.test, instr.suffix.cc)
            && let Some(first) = self.registers.sole(*file, *n, 0)
        {
            for (comp, val) in results.into_iter().enumerate().filter(|(comp, _)| dst.mask >> comp & 1 != 0) {
                let Some(val) = val else { continue };
                let val = self.stored_as(val, decl);
                self.lifter.set(first.offset(comp as u32), val);
            }
            return;
        }
        let register = self.registers.of_base(self.program, &dst.base);
        let mut writes = SmallVec::<[(u8, Deferred, Option<ValueId>); 4]>::new();
        for comp in components(dst.mask) {
            let Some(val) = results[comp] else { continue };
            let val = self.stored_as(val, decl);
            let pred = dst.test.and_then(|test| self.component_test(test, comp as u8));
            writes.push((comp as u8, val, pred));
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
                let variable = self.code(instr.suffix.code, comp);
                match pred {
                    None => self.lifter.set(variable, code),
                    Some(pred) => self.lifter.set_if(pred, variable, code),
                }
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
