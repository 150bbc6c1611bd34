//! What each kind of op asks of its operands, results, slot and numbers.

use super::Checker;
use crate::{OpData, OpId, OpKind, TexMode, TexOp, Type};
use parallax_num::{Decl, FixedFormat, Kind, Storage};

/// Whether an op names a slot.
#[derive(Copy, Clone, PartialEq)]
enum Asks {
    /// Always.
    Slot,
    /// Never.
    NoSlot,
    /// Exactly when its result is a float.
    ByResult,
}

impl Checker<'_> {
    /// Checks an op by itself: everything that does not depend on where it stands.
    pub(super) fn shape(&mut self, op: OpId, data: &OpData) {
        let asks = match data.kind {
            OpKind::Num(n) if n.has_slot() => Asks::Slot,
            OpKind::Deriv { .. } | OpKind::Tex(_) => Asks::Slot,
            OpKind::Literal(_)
            | OpKind::Const { .. }
            | OpKind::ConstAt { .. }
            | OpKind::Attr { .. }
            | OpKind::AttrAt { .. } => Asks::ByResult,
            _ => Asks::NoSlot,
        };
        let result = data.results.first().and_then(|&r| self.ty(r));
        let decl = self.slot(op, data, asks, result);
        match data.kind {
            OpKind::Num(n) => {
                let row = n.info();
                self.arity(op, data, row.args.len(), 1);
                for (n, (&arg, &kind)) in data.args.iter().zip(row.args).enumerate() {
                    let Some(found) = self.ty(arg) else { continue };
                    if !matches(found, kind, decl) {
                        self.operand(op, n, kind_name(kind, decl), found);
                    }
                }
                if let Some(found) = result
                    && !matches(found, row.result, decl)
                {
                    self.result(op, 0, kind_name(row.result, decl), found);
                }
            }
            OpKind::Literal(bits) => {
                self.arity(op, data, 0, 1);
                if let Some(ty) = result {
                    self.literal(op, bits, ty);
                }
            }
            OpKind::Select => {
                self.arity(op, data, 3, 1);
                self.expect_operand(op, data, 0, Some(Type::Pred));
                let ty = data.args.get(1).and_then(|&a| self.ty(a));
                self.expect_operand(op, data, 2, ty);
                self.expect_result(op, data, 0, ty);
            }
            OpKind::Const { bank, comp, .. } => {
                self.arity(op, data, 0, 1);
                self.bank(op, bank);
                self.comp(op, comp);
                self.read_result(op, result);
            }
            OpKind::ConstAt { bank, comp, .. } => {
                self.arity(op, data, 1, 1);
                self.expect_operand(op, data, 0, Some(Type::I32));
                self.bank(op, bank);
                self.comp(op, comp);
                self.read_result(op, result);
            }
            OpKind::Attr { index, comp } => {
                self.arity(op, data, 0, 1);
                let count = self.func.iface.attrs.len();
                if usize::from(index) >= count {
                    self.report("ir-interface", op, format_args!("attribute {index} of {count}"));
                }
                self.comp(op, comp);
                self.read_result(op, result);
            }
            OpKind::AttrAt { comp, .. } => {
                self.arity(op, data, 1, 1);
                self.expect_operand(op, data, 0, Some(Type::I32));
                self.comp(op, comp);
                self.read_result(op, result);
            }
            OpKind::Sys(_) => {
                self.arity(op, data, 0, 1);
                self.expect_result(op, data, 0, Some(Type::I32));
            }
            OpKind::Deriv { .. } => {
                self.arity(op, data, 1, 1);
                self.expect_operand(op, data, 0, decl.map(Type::Float));
                self.expect_result(op, data, 0, decl.map(Type::Float));
            }
            OpKind::QuadXor { mask } => {
                self.arity(op, data, 1, 1);
                let ty = data.args.first().and_then(|&a| self.ty(a));
                self.expect_result(op, data, 0, ty);
                if !(1..=3).contains(&mask) {
                    self.report("ir-quad", op, format_args!("mask {mask}"));
                }
            }
            OpKind::QuadAny | OpKind::QuadAll => {
                self.arity(op, data, 1, 1);
                self.expect_operand(op, data, 0, Some(Type::Pred));
                self.expect_result(op, data, 0, Some(Type::Pred));
            }
            OpKind::Tex(tex) => self.tex(op, data, tex, decl),
            OpKind::ArrayLoad(array) => {
                self.arity(op, data, 1, 1);
                self.expect_operand(op, data, 0, Some(Type::I32));
                let ty = self.array(op, array);
                self.expect_result(op, data, 0, ty);
            }
            OpKind::ArrayStore(array) => {
                self.arity(op, data, 2, 0);
                self.expect_operand(op, data, 0, Some(Type::I32));
                let ty = self.array(op, array);
                self.expect_operand(op, data, 1, ty);
            }
            OpKind::Out { index, comp } => {
                self.arity(op, data, 1, 0);
                self.comp(op, comp);
                let ty = data.args.first().and_then(|&a| self.ty(a));
                let count = self.func.iface.outputs.len();
                match self.func.iface.outputs.get(usize::from(index)) {
                    None => self.report("ir-interface", op, format_args!("output {index} of {count}")),
                    Some(out) => {
                        let asked = out.types.get(usize::from(comp)).copied().flatten();
                        if asked != ty && usize::from(comp) < 4 {
                            let (found, asked) = (ty.map_or("?", Type::name), asked.map_or("nothing", Type::name));
                            let message = format_args!("writes {found}, declared is {asked}");
                            self.report("ir-output", op, message);
                        }
                    }
                }
            }
            OpKind::Discard => {
                self.arity(op, data, 1, 0);
                self.expect_operand(op, data, 0, Some(Type::Pred));
            }
            OpKind::If => {
                self.operand_count(op, data, 1);
                self.expect_operand(op, data, 0, Some(Type::Pred));
            }
            // Operands against parameters: with the region.
            OpKind::Loop => {}
            OpKind::Block => self.operand_count(op, data, 0),
            // Operands against the target: with the terminator.
            OpKind::Yield | OpKind::Break(_) | OpKind::Continue(_) => self.result_count(op, data, 0),
        }
    }

    /// Checks the slot and gives its format.
    fn slot(&mut self, op: OpId, data: &OpData, asks: Asks, result: Option<Type>) -> Option<Decl> {
        let wanted = match asks {
            Asks::Slot => true,
            Asks::NoSlot => false,
            Asks::ByResult => matches!(result, Some(Type::Float(_))),
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
        if asks == Asks::ByResult && result != Some(Type::Float(decl)) {
            let found = result.map_or("?", Type::name);
            self.report("ir-slot", op, format_args!("result is {found}, slot {slot} is {decl}"));
        }
        Some(decl)
    }

    fn arity(&mut self, op: OpId, data: &OpData, operands: usize, results: usize) {
        self.operand_count(op, data, operands);
        self.result_count(op, data, results);
    }

    fn operand_count(&mut self, op: OpId, data: &OpData, asked: usize) {
        let found = data.args.len();
        if found != asked {
            self.report("ir-operands", op, format_args!("expected {asked} operands, found {found}"));
        }
    }

    fn result_count(&mut self, op: OpId, data: &OpData, asked: usize) {
        let found = data.results.len();
        if found != asked {
            self.report("ir-results", op, format_args!("expected {asked} results, found {found}"));
        }
    }

    fn operand(&mut self, op: OpId, n: usize, asked: &str, found: Type) {
        self.report("ir-operands", op, format_args!("operand {n} is {found}, expected {asked}"));
    }

    fn result(&mut self, op: OpId, n: usize, asked: &str, found: Type) {
        self.report("ir-results", op, format_args!("result {n} is {found}, expected {asked}"));
    }

    /// Checks an operand's type; missing operands and unknown types are reported elsewhere.
    fn expect_operand(&mut self, op: OpId, data: &OpData, n: usize, asked: Option<Type>) {
        if let (Some(found), Some(asked)) = (data.args.get(n).and_then(|&a| self.ty(a)), asked)
            && found != asked
        {
            self.operand(op, n, asked.name(), found);
        }
    }

    fn expect_result(&mut self, op: OpId, data: &OpData, n: usize, asked: Option<Type>) {
        if let (Some(found), Some(asked)) = (data.results.get(n).and_then(|&r| self.ty(r)), asked)
            && found != asked
        {
            self.result(op, n, asked.name(), found);
        }
    }

    /// Reads give a float (checked with the slot) or raw bits.
    fn read_result(&mut self, op: OpId, result: Option<Type>) {
        if let Some(found) = result
            && !matches!(found, Type::Float(_) | Type::I32)
        {
            self.result(op, 0, "a float or i32", found);
        }
    }

    fn bank(&mut self, op: OpId, bank: u16) {
        let count = self.func.iface.banks.len();
        if usize::from(bank) >= count {
            self.report("ir-interface", op, format_args!("bank {bank} of {count}"));
        }
    }

    fn comp(&mut self, op: OpId, comp: u8) {
        if comp > 3 {
            self.report("ir-comp", op, format_args!("component {comp}"));
        }
    }

    fn array(&mut self, op: OpId, array: crate::ArrayId) -> Option<Type> {
        let ty = self.func.arrays.get(array).map(|a| a.ty);
        if ty.is_none() {
            self.report("ir-entity", op, format_args!("array {array} does not exist"));
        }
        ty
    }

    fn tex(&mut self, op: OpId, data: &OpData, tex: TexOp, decl: Option<Decl>) {
        self.arity(op, data, tex.mode.operands(), 4);
        let first = data.args.first().and_then(|&a| self.ty(a));
        let asked = match (tex.mode, first) {
            (TexMode::Fetch, _) => Some(Type::I32),
            (_, Some(Type::Float(_))) => first,
            (_, Some(found)) => {
                self.operand(op, 0, "a float", found);
                None
            }
            (_, None) => None,
        };
        for n in 0..data.args.len() {
            self.expect_operand(op, data, n, asked);
        }
        for n in 0..data.results.len() {
            self.expect_result(op, data, n, decl.map(Type::Float));
        }
        let declared = self.func.iface.textures.iter().any(|t| t.unit == tex.unit && t.target == tex.target);
        if !declared {
            let (unit, target) = (tex.unit, tex.target.name());
            self.report("ir-interface", op, format_args!("texture unit {unit} is not declared as {target}"));
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

/// Whether a type satisfies a row's kind; with a missing slot, which is reported by itself, any float does.
fn matches(found: Type, kind: Kind, decl: Option<Decl>) -> bool {
    found.matches(kind, decl) || (kind == Kind::F && decl.is_none() && found.decl().is_some())
}

fn kind_name(kind: Kind, decl: Option<Decl>) -> &'static str {
    match kind {
        Kind::F => decl.map_or("a float of its slot's format", Decl::name),
        Kind::AnyF => "a float",
        Kind::I32 => "i32",
        Kind::I64 => "i64",
        Kind::Pred => "pred",
        Kind::Cc => "cc",
    }
}
