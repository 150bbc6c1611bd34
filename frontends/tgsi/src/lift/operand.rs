//! Reading and writing operands.

use super::Ctx;
use super::registers::Home;
use crate::ast::{Dst, Index, Reg, Src};
use crate::words::File;
use parallax_core::{Type, ValueId};
use parallax_lift::Deferred;
use parallax_lift::vector::Results;
use parallax_num::{Decl, Op};

impl Ctx<'_, '_> {
    // ---- reading ----

    /// A component of a source, modifiers not applied.
    pub(crate) fn raw(&mut self, src: &Src, comp: usize) -> Deferred {
        self.component(&src.reg, usize::from(src.swizzle[comp]))
    }

    /// A component of a source, moved: only modifiers give it a type, and they change the sign bit only, so that nothing
    /// is rounded or quieted on the way.
    pub(crate) fn moved(&mut self, src: &Src, comp: usize) -> Deferred {
        let val = self.raw(src, comp);
        if !src.negate && !src.absolute {
            return val;
        }
        let value = self.l.moved(val, Decl::F32);
        self.modified(src, value).into()
    }

    /// A component of a float source.
    pub(crate) fn float(&mut self, src: &Src, comp: usize) -> ValueId {
        let val = self.raw(src, comp);
        let value = self.l.force(val, Type::F32);
        self.modified(src, value)
    }

    /// Float modifiers: absolute value, then negation, both on the sign bit.
    pub(super) fn modified(&mut self, src: &Src, mut value: ValueId) -> ValueId {
        if src.absolute || src.negate {
            let slot = self.l.plain(Decl::F32);
            if src.absolute {
                value = self.l.b.num(Op::Abs, slot, &[value]);
            }
            if src.negate {
                value = self.l.b.num(Op::Neg, slot, &[value]);
            }
        }
        value
    }

    /// A component of an integer source: two's complement negation.
    pub(crate) fn int(&mut self, src: &Src, comp: usize) -> ValueId {
        let val = self.raw(src, comp);
        let value = self.l.force(val, Type::I32);
        if src.negate { self.l.b.int(Op::Ineg, &[value]) } else { value }
    }

    /// A component of an integer source, moved.
    pub(crate) fn moved_int(&mut self, src: &Src, comp: usize) -> Deferred {
        if src.negate { self.int(src, comp).into() } else { self.raw(src, comp) }
    }

    /// A component of a register.
    pub(crate) fn component(&mut self, reg: &Reg, comp: usize) -> Deferred {
        if reg.index.indirect.is_some() || reg.dim.is_some_and(|d| d.indirect.is_some()) {
            return self.indirect_component(reg, comp);
        }
        let index = reg.index.base as u32;
        match reg.file {
            File::Const => {
                let bank = reg.dim.map_or(0, |d| d.base as u16);
                self.l.constant(bank, index, comp as u8)
            }
            File::Imm => {
                let word = self.program.immediates.get(index as usize).map_or(0, |imm| imm.words[comp]);
                Deferred::word(word)
            }
            File::Sv => self.system_component(reg, comp),
            file => self.register_component(file, index, comp),
        }
    }

    /// A component of an input or of a register of variables.
    pub(crate) fn register_component(&mut self, file: File, index: u32, comp: usize) -> Deferred {
        if file == File::In {
            return match self.registers.input(index) {
                Some(input) => input.vals[comp],
                None => Deferred::word(0),
            };
        }
        match self.registers.file(file).map(|f| f.home(index)) {
            Some(Home::Cells(first)) => self.l.get(first.offset(comp as u32)),
            Some(Home::Array(arrays, element)) => {
                let element = self.l.b.i32(element);
                self.l.load(arrays[comp], element)
            }
            None => Deferred::word(0),
        }
    }

    fn system_component(&mut self, reg: &Reg, comp: usize) -> Deferred {
        match self.registers.system_value(reg.index.base as u32) {
            Some(Ok(vals)) => vals[comp],
            Some(Err(semantic)) => {
                let message = format!("the system value {semantic} is not executed");
                self.unsupported("tgsi-semantic-unsupported", reg.span, message);
                Deferred::word(0)
            }
            None => Deferred::word(0),
        }
    }

    /// The index a bracket names, absolute in the file; computed once per instruction.
    pub(super) fn address(&mut self, index: &Index) -> ValueId {
        if let Some(known) = self.addresses.iter().find(|a| a.0 == *index) {
            return known.1;
        }
        let value = match index.indirect {
            None => self.l.b.i32(index.base as u32),
            Some(indirect) => {
                let val = self.register_component(indirect.file, indirect.index, usize::from(indirect.comp));
                let own = self.l.force(val, Type::I32);
                if index.base == 0 {
                    own
                } else {
                    let base = self.l.b.i32(index.base as u32);
                    self.l.b.int(Op::Iadd, &[own, base])
                }
            }
        };
        self.addresses.push((*index, value));
        value
    }

    /// The place of an index inside `first..=last`: what is outside wraps to a number beyond the range.
    fn element(&mut self, index: &Index, first: u32) -> ValueId {
        let shifted = Index { base: index.base.wrapping_sub(first as i32), ..*index };
        self.address(&shifted)
    }

    fn indirect_component(&mut self, reg: &Reg, comp: usize) -> Deferred {
        match reg.file {
            File::Const => self.indirect_constant(reg, comp),
            File::In => {
                let array = reg.index.indirect.map_or(0, |i| i.array);
                let Some((attr, first, last)) = self.registers.input_range(array) else {
                    return Deferred::word(0);
                };
                // Attributes beyond the range are not inputs, so the range is tested here.
                let element = self.element(&reg.index, first);
                let count = self.l.b.i32(last - first + 1);
                let inside = self.l.b.int(Op::Ult, &[element, count]);
                let read = self.l.attr_at(i32::from(attr), comp as u8, element);
                self.l.choose(inside, read, Deferred::word(0), Type::F32)
            }
            File::Temp | File::Out => match self.array_of(reg) {
                Some((arrays, first)) => {
                    let element = self.element(&reg.index, first);
                    self.l.load(arrays[comp], element)
                }
                None => Deferred::word(0),
            },
            file => {
                let message = format!("indirect {file} registers are not executed");
                self.unsupported("tgsi-indirect-unsupported", reg.span, message);
                Deferred::word(0)
            }
        }
    }

    /// A constant whose vector, buffer, or both are named by registers. What is not declared reads zero.
    fn indirect_constant(&mut self, reg: &Reg, comp: usize) -> Deferred {
        let comp = comp as u8;
        let Some(Index { base, indirect: Some(_) }) = reg.dim else {
            let bank = reg.dim.map_or(0, |d| d.base as u16);
            let address = self.address(&Index { base: 0, ..reg.index });
            return self.l.constant_at(bank, reg.index.base, comp, address);
        };
        let dim = reg.dim.unwrap_or(Index::number(base));
        let number = self.address(&dim);
        let vector = self.address(&reg.index);
        let mut result = Deferred::word(0);
        for bank in self.registers.banks.clone() {
            let read = self.l.constant_at(bank, 0, comp, vector);
            let this = self.l.b.i32(u32::from(bank));
            let chosen = self.l.b.int(Op::Ieq, &[number, this]);
            result = self.l.choose(chosen, read, result, Type::F32);
        }
        result
    }

    /// The arrays an indirect operand reaches, and the register they start at.
    fn array_of(&self, reg: &Reg) -> Option<([parallax_core::ArrayId; 4], u32)> {
        let id = reg.index.indirect.map_or(0, |i| i.array);
        let (first, _) = self.registers.lookup.range(reg.file, id)?;
        let found = self.registers.file(reg.file)?.array(first)?;
        Some((found.comps, found.first))
    }

    // ---- writing ----

    /// Writes the components of a destination. All sources have been read by then.
    pub(crate) fn write(&mut self, dst: &Dst, results: Results) {
        let masked = dst.comps().filter_map(|comp| results[comp].map(|val| (comp, val)));
        if dst.reg.file == File::Null {
            return;
        }
        if dst.reg.index.indirect.is_some() {
            if let Some((arrays, first)) = self.array_of(&dst.reg) {
                let element = self.element(&dst.reg.index, first);
                for (comp, val) in masked {
                    self.l.store(arrays[comp], element, val);
                }
            }
            return;
        }
        let index = dst.reg.index.base as u32;
        match self.registers.file(dst.reg.file).map(|f| f.home(index)) {
            Some(Home::Cells(variable)) => {
                for (comp, val) in masked {
                    self.l.set(variable.offset(comp as u32), val);
                }
            }
            Some(Home::Array(arrays, element)) => {
                let element = self.l.b.i32(element);
                for (comp, val) in masked {
                    self.l.store(arrays[comp], element, val);
                }
            }
            None => {}
        }
    }
}
