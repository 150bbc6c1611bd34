//! Reading sources and testing condition codes.

use super::Unit;
use super::interface::{BANK_NAMED, bank, parameters};
use crate::ast::{
    Array, Base, CcTest, Cond, ConstValue, Name, NameId, NameKind, ParamFile, ParamItem, Program, SourceFormat, Src,
};
use crate::dialect::Dialect;
use crate::dialect::{Features, VERTEX_ATTRIBUTES, VERTEX_TEX0};
use parallax_core::{Type, ValueId};
use parallax_lift::{Deferred, VarId};
use parallax_num::{Decl, Op, Saturate, Slot};

/// Number of the fog attribute.
const FOG: u8 = 3;
/// First texture coordinate.
const TEX0: u8 = 4;

impl Unit<'_, '_> {
    /// What a component of an operand holds before signs, and the format it is stored in.
    pub(super) fn held(&mut self, base: &Base, comp: u8) -> (Deferred, Decl) {
        if let Some(register) = self.registers.of_base(self.program, base) {
            let val = self.registers.read(&mut self.lifter, register, comp);
            return (val, self.registers.decl(register));
        }
        let val = match base {
            Base::Name(id, element) => {
                let name: &Name = self.program.resolve(*id);
                match &name.kind {
                    NameKind::Define(value) => self.literal(*value, comp),
                    NameKind::Declare(_) => self.named(&name.text, comp),
                    NameKind::Param { items, .. } => self.param_element(items, element.unwrap_or(0), comp),
                    NameKind::Attrib(base) => self.base_value(base, comp),
                    _ => Deferred::word(0),
                }
            }
            base => self.base_value(base, comp),
        };
        (val, Decl::F32)
    }

    fn base_value(&mut self, base: &Base, comp: u8) -> Deferred {
        match base {
            // The fog coordinate reads as (f, 0, 0, 0), in ARB programs as (f, 0, 0, 1) (NV_fragment_program, section 3.11.1.1;
            // ARB_fragment_program, table X.1).
            Base::Attr(FOG) if comp == 3 && self.program.dialect == Dialect::Arb => Deferred::word(1f32.to_bits()),
            Base::Attr(FOG) if comp > 0 && !self.program.dialect.is_vertex() => Deferred::word(0),
            Base::Attr(0) if comp < 2 && self.program.features.contains(Features::WHOLE_CENTERS) => {
                // Pixel centres lie at one half; counted as whole numbers they are the floor, exactly.
                let slot = self.lifter.plain(Decl::F32);
                let centre = self.lifter.force(Deferred::attr(0, comp), Type::F32);
                self.lifter.b.num(Op::Floor, slot, &[centre]).into()
            }
            Base::Attr(n) if self.program.dialect.is_vertex() => {
                Deferred::attr(u16::from(*n) % VERTEX_ATTRIBUTES.len() as u16, comp)
            }
            Base::Attr(n) => Deferred::attr(u16::from(*n), comp),
            Base::Relative { array, .. } => {
                let index = self.index(base);
                self.relative(*array, index, comp)
            }
            Base::AttrIndexed(offset) => {
                let index = self.a0.last().copied();
                let index = index.unwrap_or_else(|| self.lifter.b.i32(0));
                let base = i32::from(TEX0) + i32::from(*offset);
                self.lifter.attr_at(base, comp, index)
            }
            Base::Param(file, n) => self.parameter(*file, *n, comp),
            Base::Const(value) => self.literal(*value, comp),
            Base::State(text) => self.named(text, comp),
            Base::Temp(..) | Base::Cc(_) | Base::Out(_) | Base::Name(..) => Deferred::word(0),
        }
    }

    fn literal(&mut self, value: ConstValue, comp: u8) -> Deferred {
        Deferred::word(value.components()[usize::from(comp)].to_bits())
    }

    fn parameter(&mut self, file: ParamFile, n: u16, comp: u8) -> Deferred {
        self.lifter.constant(bank(file), u32::from(n), comp)
    }

    fn named(&mut self, text: &str, comp: u8) -> Deferred {
        let n = self.named.get(text).copied().unwrap_or(0);
        self.lifter.constant(BANK_NAMED, n, comp)
    }

    fn param_element(&mut self, items: &[ParamItem], element: u16, comp: u8) -> Deferred {
        let mut left = usize::from(element);
        for item in items {
            let len = match item {
                ParamItem::Range(_, a, b) => usize::from(b - a) + 1,
                _ => 1,
            };
            if left < len {
                return match item {
                    ParamItem::Const(value) => self.literal(*value, comp),
                    ParamItem::Param(file, n) => self.parameter(*file, *n, comp),
                    ParamItem::Range(file, a, _) => self.parameter(*file, a + left as u16, comp),
                    ParamItem::State(text) => self.named(text, comp),
                };
            }
            left -= len;
        }
        Deferred::word(0)
    }

    /// The number that a component of an address register and an offset name.
    pub(super) fn index(&mut self, base: &Base) -> ValueId {
        let Base::Relative { address, comp, offset, .. } = base else { return self.lifter.b.i32(0) };
        let variable = self.registers.address(self.program.target(*address)).offset(u32::from(*comp));
        let index = self.lifter.read_bits(variable);
        if *offset == 0 {
            return index;
        }
        let offset = self.lifter.b.i32(i32::from(*offset) as u32);
        self.lifter.b.int(Op::Iadd, &[index, offset])
    }

    /// An element of an array that an address register names; 0 outside of it.
    fn relative(&mut self, array: Array, index: ValueId, comp: u8) -> Deferred {
        let attributes = VERTEX_ATTRIBUTES.len() as u32;
        let (len, element) = match array {
            Array::Name(id) => return self.parameter_at(id, index, comp),
            Array::Parameters => {
                (parameters(self.program.dialect), self.lifter.constant_at(bank(ParamFile::Numbered), 0, comp, index))
            }
            Array::Attributes => (attributes, self.lifter.attr_at(0, comp, index)),
            Array::TexCoords => {
                let first = VERTEX_TEX0;
                (attributes - u32::from(first), self.lifter.attr_at(i32::from(first), comp, index))
            }
            Array::Results => return Deferred::word(0),
        };
        let count = self.lifter.b.i32(len);
        let is_inside = self.lifter.b.int(Op::Ult, &[index, count]);
        self.lifter.choose(is_inside, element, Deferred::word(0), Type::F32)
    }

    /// An element of a declared array of parameters.
    fn parameter_at(&mut self, array: NameId, index: ValueId, comp: u8) -> Deferred {
        let NameKind::Param { items, .. } = &self.program.resolve(array).kind else { return Deferred::word(0) };
        let len = Program::param_len(items);
        let mut found = Deferred::word(0);
        if let [ParamItem::Range(file, first, _)] = items.as_slice() {
            let count = self.lifter.b.i32(len as u32);
            let is_inside = self.lifter.b.int(Op::Ult, &[index, count]);
            let element = self.lifter.constant_at(bank(*file), i32::from(*first), comp, index);
            return self.lifter.choose(is_inside, element, found, Type::F32);
        }
        for n in 0..len {
            let (element, own) = (self.param_element(items, n as u16, comp), self.lifter.b.i32(n as u32));
            let is_it = self.lifter.b.int(Op::Ieq, &[index, own]);
            found = self.lifter.choose(is_it, element, found, Type::F32);
        }
        found
    }

    /// Whether nothing stands between the stored bits and the operand.
    pub(super) fn is_plain(src: &Src) -> bool {
        !(src.negate || src.abs || src.inner_negate || src.perspective) && src.format == SourceFormat::Stored
    }

    /// What destination component `comp` of a plain operand holds, and its storage format.
    pub(super) fn stored(&mut self, src: &Src, comp: u8) -> (Deferred, Decl) {
        let (val, decl) = self.held(&src.base, src.swizzle.0[usize::from(comp)]);
        if src.perspective && self.perspective && src.base != Base::Attr(0) {
            // The position's w is 1/w.
            let slot = self.lifter.plain(decl);
            let value = self.lifter.force(val, Type::Float(decl));
            let inverse = self.lifter.force(Deferred::attr(0, 3), Type::Float(decl));
            return (self.lifter.b.num(Op::Mul, slot, &[value, inverse]).into(), decl);
        }
        (val, decl)
    }

    /// A source as destination component `comp` sees it, in format `decl`.
    #[inline]
    pub(super) fn fetch(&mut self, src: &Src, comp: u8, decl: Decl) -> ValueId {
        if Self::is_plain(src)
            && let Some((first, stored)) = self.registers.sole(&src.base)
        {
            let variable = first.offset(u32::from(src.swizzle.0[usize::from(comp)]));
            let value = self.lifter.read(variable, stored);
            return if stored == decl { value } else { self.in_decl(value, decl) };
        }
        self.fetch_any(src, comp, decl)
    }

    fn fetch_any(&mut self, src: &Src, comp: u8, decl: Decl) -> ValueId {
        let (val, stored) = self.stored(src, comp);
        let value = self.lifter.force(val, Type::Float(stored));
        let value = self.signs(src, value, stored);
        self.in_decl(value, decl)
    }

    /// Brings a value to the format that microcode names for a source. What comes out has that format or, for a clamp, the
    /// one it had.
    fn in_format(&mut self, format: SourceFormat, value: ValueId, decl: Decl) -> ValueId {
        match format {
            SourceFormat::Stored => value,
            SourceFormat::Half => self.in_decl(value, Decl::F16),
            SourceFormat::Fixed => self.in_decl(value, Decl::Fx12),
            SourceFormat::Fixed9 => self.in_decl(value, Decl::Fx9),
            SourceFormat::Saturated => {
                let slot = self.lifter.b.slot(Slot { saturate: Saturate::Unsigned, ..Slot::plain(decl) });
                self.lifter.b.num(Op::Cvt, slot, &[value])
            }
        }
    }

    fn signs(&mut self, src: &Src, mut value: ValueId, decl: Decl) -> ValueId {
        let slot = self.lifter.plain(decl);
        // |-x| is |x|.
        if src.abs {
            value = self.lifter.b.num(Op::Abs, slot, &[value]);
        } else if src.inner_negate {
            value = self.lifter.b.num(Op::Neg, slot, &[value]);
        }
        if src.format != SourceFormat::Stored {
            // Signs come last, and fixed point lacks the negative of its lowest number.
            value = self.in_format(src.format, value, decl);
            value = self.in_decl(value, Decl::F32);
        }
        if src.negate {
            let slot = if src.format == SourceFormat::Stored { slot } else { self.lifter.plain(Decl::F32) };
            value = self.lifter.b.num(Op::Neg, slot, &[value]);
        }
        value
    }

    /// Converts to a declared format.
    pub(super) fn in_decl(&mut self, value: ValueId, decl: Decl) -> ValueId {
        if self.lifter.b.func.ty(value) == Type::Float(decl) {
            return value;
        }
        let slot = self.lifter.plain(decl);
        self.lifter.b.num(Op::Cvt, slot, &[value])
    }

    /// The 32-bit word of a scalar operand of an unpack; a sign flips bit 31 first.
    pub(super) fn word(&mut self, src: &Src) -> ValueId {
        let (val, stored) = self.stored(src, 0);
        if Self::is_plain(src) {
            return self.lifter.force(val, Type::I32);
        }
        let value = self.lifter.force(val, Type::Float(stored));
        let value = self.signs(src, value, stored);
        let value = self.in_decl(value, stored);
        self.lifter.convert(value, Type::I32)
    }

    /// Whether an operand reads the fog or a texture coordinate; such instructions run at fp32
    /// (NV_fragment_program rev 73, section 3.11.4.2).
    pub(super) fn reads_full_attribute(&self, src: &Src) -> bool {
        let wide = |base: &Base| match base {
            Base::Attr(n) => *n >= FOG && *n < 14,
            Base::AttrIndexed(_) => true,
            _ => false,
        };
        match &src.base {
            Base::Name(id, _) => match &self.program.resolve(*id).kind {
                NameKind::Attrib(base) => wide(base),
                _ => false,
            },
            base => wide(base),
        }
    }

    /// The variable of a component of a condition code.
    pub(super) fn code(&self, code: u8, comp: u8) -> VarId {
        self.cc.offset(u32::from(code) * 4 + u32::from(comp))
    }

    /// The test of condition code component `swizzle[comp]`; `None` when it always passes.
    pub(super) fn component_test(&mut self, test: CcTest, comp: u8) -> Option<ValueId> {
        let op = match test.cond {
            Cond::Tr => return None,
            Cond::Fl => return Some(self.lifter.b.pred(false)),
            Cond::Eq => Op::CcEq,
            Cond::Ge => Op::CcGe,
            Cond::Gt => Op::CcGt,
            Cond::Le => Op::CcLe,
            Cond::Lt => Op::CcLt,
            Cond::Ne => Op::CcNe,
        };
        let variable = self.code(test.code, test.swizzle.0[usize::from(comp)]);
        let cc = self.lifter.read_as(variable, Type::Cc);
        Some(self.lifter.b.int(op, &[cc]))
    }

    /// Whether any of the four tested components passes.
    pub(super) fn any_test(&mut self, test: CcTest) -> ValueId {
        let mut any: Option<ValueId> = None;
        for comp in 0..4u8 {
            if !test.swizzle.is_first(comp) {
                continue;
            }
            let Some(pred) = self.component_test(test, comp) else { return self.lifter.b.pred(true) };
            any = Some(match any {
                Some(other) => self.lifter.b.int(Op::Por, &[other, pred]),
                None => pred,
            });
        }
        any.unwrap_or_else(|| self.lifter.b.pred(true))
    }
}
