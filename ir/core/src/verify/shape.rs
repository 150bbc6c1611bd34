//! What each kind of op asks of its operands, results, slot and immediates: the table of kinds, checked.

use super::Checker;
use crate::op::{Immediates, SlotUse};
use crate::{ArrayId, OpData, OpId, OpKind, Operand, Reduction, SysVal, TexOp, Type, ValueId};
use parallax_num::{Decl, FixedFormat, Storage};
use std::convert::Infallible;

/// Types an op's list of operands or results may take, found on the way.
#[derive(Default)]
struct Found {
    /// Format of the op's slot.
    decl: Option<Decl>,
    /// The type all [`Operand::Same`] and [`Operand::SameFloat`] have.
    same: Option<Type>,
    /// Type of the array's elements.
    element: Option<Type>,
    /// Declared type of the output component; `Some(None)` if none is declared.
    declared: Option<Option<Type>>,
}

impl Checker<'_> {
    /// Checks an op by itself: everything that does not depend on where it stands.
    pub(super) fn shape(&mut self, op: OpId, data: &OpData) {
        let (operands, results) = (data.kind.operands(), data.kind.results());
        if self.is_sound_arithmetic(data, operands, results) {
            return;
        }
        self.count("ir-operands", "operands", op, data.args.len(), operands);
        self.count("ir-results", "results", op, data.results.len(), results);
        let result = data.results.first().and_then(|&r| self.ty(r));
        let decl = self.slot(op, data, result);
        let mut found = Found { decl, ..Found::default() };
        let mut kind = data.kind;
        let mut visitor = Visitor { checker: self, op, result, found: &mut found, output: 0 };
        let Ok(()) = kind.immediates(&mut visitor);
        self.list("ir-operands", "operand", op, &data.args, operands, &mut found);
        self.list("ir-results", "result", op, &data.results, results, &mut found);
    }

    /// Whether an op without immediates has just the values that are asked for. Most ops are such.
    fn is_sound_arithmetic(&self, data: &OpData, operands: &[Operand], results: &[Operand]) -> bool {
        if !matches!(data.kind, OpKind::Num(_)) {
            return false;
        }
        let slot = match (data.kind.slot_use(), data.slot) {
            (SlotUse::Always, Some(slot)) => self.func.slots.get(slot),
            (SlotUse::Never, None) => None,
            _ => return false,
        };
        let is_sound = |(&value, &asked): (&ValueId, &Operand)| match asked {
            Operand::Slot => slot.is_some_and(|slot| self.ty(value) == Some(Type::Float(slot.decl))),
            Operand::Is(wanted) => self.ty(value) == Some(wanted),
            _ => false,
        };
        data.args.len() == operands.len()
            && data.results.len() == results.len()
            && data.args.iter().zip(operands).all(is_sound)
            && data.results.iter().zip(results).all(is_sound)
    }

    fn count(&mut self, code: &'static str, what: &str, op: OpId, found: usize, asked: &[Operand]) {
        let (least, more) = match asked {
            [first @ .., Operand::Rest] => (first.len(), true),
            all => (all.len(), false),
        };
        if found < least || (found > least && !more) {
            let or_more = if more { " or more" } else { "" };
            self.report(code, op, format_args!("expected {least}{or_more} {what}, found {found}"));
        }
    }

    /// Checks types against what is asked; missing values and unknown types are reported elsewhere.
    fn list(
        &mut self,
        code: &'static str,
        what: &str,
        op: OpId,
        values: &[ValueId],
        asked: &[Operand],
        found: &mut Found,
    ) {
        for (n, (&value, &asked)) in values.iter().zip(asked).enumerate() {
            let Some(ty) = self.ty(value) else { continue };
            let float = ty.decl().is_some();
            let mut report =
                |wanted: &str| self.report(code, op, format_args!("{what} {n} is {ty}, expected {wanted}"));
            let wanted = match asked {
                Operand::Is(wanted) => Some(wanted),
                // A slot that is missing is reported by itself.
                Operand::Slot if found.decl.is_none() && float => None,
                Operand::Slot => match found.decl {
                    Some(decl) => Some(Type::Float(decl)),
                    None => {
                        report("a float of its slot's format");
                        None
                    }
                },
                Operand::Float | Operand::SameFloat if !float => {
                    report("a float");
                    None
                }
                Operand::Same | Operand::SameFloat => Some(*found.same.get_or_insert(ty)),
                Operand::Read if !float && ty != Type::I32 => {
                    report("a float or i32");
                    None
                }
                Operand::Element => found.element,
                Operand::Declared => {
                    if let Some(declared) = found.declared.filter(|declared| *declared != Some(ty)) {
                        let declared = declared.map_or("nothing", Type::name);
                        self.report("ir-output", op, format_args!("writes {ty}, declared is {declared}"));
                    }
                    None
                }
                // Floats are compared with the slot, further values with the regions or the target.
                Operand::Float | Operand::Read | Operand::Value | Operand::Rest => None,
            };
            if let Some(wanted) = wanted.filter(|wanted| *wanted != ty) {
                self.report(code, op, format_args!("{what} {n} is {ty}, expected {wanted}"));
            }
        }
    }

    /// Checks the slot and gives its format.
    fn slot(&mut self, op: OpId, data: &OpData, result: Option<Type>) -> Option<Decl> {
        let asks = data.kind.slot_use();
        let wanted = match asks {
            SlotUse::Always => true,
            SlotUse::Never => false,
            SlotUse::ByResult => matches!(result, Some(Type::Float(_))),
        };
        let slot = match (wanted, data.slot) {
            (true, Some(slot)) => slot,
            (false, None) => return None,
            (true, None) => {
                self.report("ir-slot", op, "names no slot");
                return None;
            }
            (false, Some(slot)) => {
                self.report("ir-slot", op, format_args!("names slot {slot}, but needs none"));
                return None;
            }
        };
        let Some(decl) = self.func.slots.get(slot).map(|s| s.decl) else {
            self.report("ir-entity", op, format_args!("slot {slot} does not exist"));
            return None;
        };
        if asks == SlotUse::ByResult && result != Some(Type::Float(decl)) {
            let found = result.map_or("?", Type::name);
            self.report("ir-slot", op, format_args!("result is {found}, slot {slot} is {decl}"));
        }
        Some(decl)
    }

    /// Checks a number of something the interface declares `count` of.
    fn declared(&mut self, op: OpId, what: &str, number: u16, count: usize) {
        if usize::from(number) >= count {
            self.report("ir-interface", op, format_args!("{what} {number} of {count}"));
        }
    }

    fn literal(&mut self, op: OpId, bits: u64, ty: Type) {
        let fits = match ty {
            Type::Float(decl) => match self.bound {
                // A pattern moved into a fixed-point container may lie outside of the format.
                Some(bound) => bits.checked_shr(bound.storage(decl).bits()).unwrap_or(0) == 0,
                None => fits_storage(bits, decl.format().storage()),
            },
            Type::I64 => true,
            Type::I32 => bits >> 32 == 0,
            Type::I16 => bits >> 16 == 0,
            Type::Pred => bits <= 1,
            Type::Cc => bits <= 3,
        };
        if !fits {
            self.report("ir-literal", op, format_args!("{bits:#x} is no pattern of {ty}"));
        }
    }
}

/// Checks immediates.
struct Visitor<'c, 'a, 'f> {
    checker: &'c mut Checker<'a>,
    op: OpId,
    /// Type of the first result.
    result: Option<Type>,
    found: &'f mut Found,
    /// The output just visited.
    output: u16,
}

impl Immediates for Visitor<'_, '_, '_> {
    type Stop = Infallible;

    fn literal(&mut self, bits: &mut u64) -> Result<(), Infallible> {
        if let Some(ty) = self.result {
            self.checker.literal(self.op, *bits, ty);
        }
        Ok(())
    }

    fn bank(&mut self, bank: &mut u16) -> Result<(), Infallible> {
        let count = self.checker.func.iface.banks.len();
        self.checker.declared(self.op, "bank", *bank, count);
        Ok(())
    }

    fn vector(&mut self, _: &mut u32) -> Result<(), Infallible> {
        Ok(())
    }

    fn index(&mut self, _: &mut i32) -> Result<(), Infallible> {
        Ok(())
    }

    fn comp(&mut self, comp: &mut u8) -> Result<(), Infallible> {
        if *comp > 3 {
            self.checker.report("ir-comp", self.op, format_args!("component {comp}"));
            self.found.declared = None;
        } else if let Some(output) = self.checker.func.iface.outputs.get(usize::from(self.output)) {
            self.found.declared = Some(output.types[usize::from(*comp)]);
        }
        Ok(())
    }

    fn attr(&mut self, index: &mut u16) -> Result<(), Infallible> {
        let count = self.checker.func.iface.attrs.len();
        self.checker.declared(self.op, "attribute", *index, count);
        Ok(())
    }

    fn attr_at(&mut self, _: &mut i32) -> Result<(), Infallible> {
        Ok(())
    }

    fn sys(&mut self, _: &mut SysVal) -> Result<(), Infallible> {
        Ok(())
    }

    fn mask(&mut self, mask: &mut u8) -> Result<(), Infallible> {
        let least = u8::from(matches!(self.checker.func.ops[self.op].kind, OpKind::QuadXor { .. }));
        if !(least..=3).contains(mask) {
            self.checker.report("ir-quad", self.op, format_args!("mask {mask}"));
        }
        Ok(())
    }

    fn reduction(&mut self, reduction: &mut Reduction) -> Result<(), Infallible> {
        let Reduction { op, cluster, .. } = *reduction;
        if !Reduction::OPS.contains(&op) {
            self.checker.report("ir-group", self.op, format_args!("a reduction by {op}"));
        }
        if cluster != 0 && !cluster.is_power_of_two() {
            self.checker.report("ir-group", self.op, format_args!("clusters of {cluster}"));
        }
        Ok(())
    }

    fn tex(&mut self, tex: &mut TexOp) -> Result<(), Infallible> {
        let units = &self.checker.func.iface.textures;
        if !units.iter().any(|t| t.unit == tex.unit && t.target == tex.target) {
            let (unit, target) = (tex.unit, tex.target.name());
            let message = format_args!("texture unit {unit} is not declared as {target}");
            self.checker.report("ir-interface", self.op, message);
        }
        Ok(())
    }

    fn array(&mut self, array: &mut ArrayId) -> Result<(), Infallible> {
        self.found.element = self.checker.func.arrays.get(*array).map(|a| a.ty);
        if self.found.element.is_none() {
            self.checker.report("ir-entity", self.op, format_args!("array {array} does not exist"));
        }
        Ok(())
    }

    fn buffer(&mut self, buffer: &mut u16) -> Result<(), Infallible> {
        let count = self.checker.func.iface.buffers.len();
        self.checker.declared(self.op, "buffer", *buffer, count);
        Ok(())
    }

    fn whole_buffer(&mut self, buffer: &mut u16) -> Result<(), Infallible> {
        self.buffer(buffer)
    }

    fn unit(&mut self, unit: &mut u16) -> Result<(), Infallible> {
        if !self.checker.func.iface.textures.iter().any(|t| t.unit == *unit) {
            self.checker.report("ir-interface", self.op, format_args!("texture unit {unit} is not declared"));
        }
        Ok(())
    }

    fn output(&mut self, index: &mut u16) -> Result<(), Infallible> {
        self.output = *index;
        let count = self.checker.func.iface.outputs.len();
        self.checker.declared(self.op, "output", *index, count);
        Ok(())
    }

    // Targets are checked with the place of the terminator.
    fn target(&mut self, _: &mut OpId) -> Result<(), Infallible> {
        Ok(())
    }
}

/// Whether `bits` is a value of the container's format.
fn fits_storage(bits: u64, storage: Storage) -> bool {
    match storage {
        Storage::F16 => bits >> 16 == 0,
        Storage::F32 => bits >> 32 == 0,
        Storage::F64 => true,
        Storage::Fixed(FixedFormat { int, frac }) => {
            let width = u32::from(int) + u32::from(frac);
            let value = i64::from(bits as u32 as i32);
            let limit = 1i64 << (width.clamp(1, 32) - 1);
            bits >> 32 == 0 && (-limit..limit).contains(&value)
        }
    }
}
