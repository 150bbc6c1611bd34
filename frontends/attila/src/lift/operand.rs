//! Reading sources, writing results.

use super::Ctx;
use crate::fields::SourceBits;
use crate::instr::{Bank, Condition, Dst, Instr};
use parallax_core::{Type, ValueId};
use parallax_lift::vector::{Operands, Results, components};
use parallax_lift::{Deferred, Lifter, VarId};
use parallax_num::{Decl, Op};

/// Whether source `n` is a literal.
#[inline]
fn is_literal(instr: &Instr, n: usize) -> bool {
    n == 1 && instr.has_immediate()
}

impl Ctx<'_, '_> {
    /// What a source register holds for component `lane`, unmodified.
    fn register(&mut self, instr: &Instr, source: SourceBits, lane: usize) -> Deferred {
        let comp = source.component(lane);
        match source.named_bank() {
            Bank::Param => self.constant(instr, source.index(), comp),
            Bank::In => self.registers.input(source.index(), comp).unwrap_or(Deferred::word(0)),
            bank => {
                let variable = self.registers.variable(bank, source.index(), comp);
                self.l.get(variable)
            }
        }
    }

    fn constant(&mut self, instr: &Instr, index: u16, comp: u8) -> Deferred {
        let Some(relative) = instr.relative() else {
            return self.l.constant(0, u32::from(index), comp);
        };
        let address = match self.index {
            Some(address) => address,
            None => {
                let variable = self.registers.variable(Bank::Addr, u16::from(relative.register), relative.component);
                let address = self.l.read_bits(variable);
                self.index = Some(address);
                address
            }
        };
        // Any vector of the bank can be meant.
        self.l.need_bank(0, 512, |_| "c".to_string());
        let base = i32::from(relative.offset) + i32::from(index);
        self.l.constant_at(0, base, comp, address)
    }

    /// Component `lane` of source `n` as a float, modifiers applied.
    pub(super) fn float(&mut self, instr: &Instr, n: usize, lane: usize) -> ValueId {
        let source = instr.source_bits(n);
        if is_literal(instr, n) {
            let bits = instr.immediate();
            let bits = if source.absolute() { bits & 0x7fff_ffff } else { bits };
            let bits = if source.negate() { bits ^ 0x8000_0000 } else { bits };
            return self.l.force(Deferred::word(bits), Type::F32);
        }
        let val = self.register(instr, source, lane);
        let value = self.l.force(val, Type::F32);
        if source.is_plain() { value } else { self.modified(source, value) }
    }

    fn modified(&mut self, source: SourceBits, mut value: ValueId) -> ValueId {
        let slot = self.l.plain(Decl::F32);
        if source.absolute() {
            value = self.l.b.num(Op::Abs, slot, &[value]);
        }
        if source.negate() {
            value = self.l.b.num(Op::Neg, slot, &[value]);
        }
        value
    }

    /// The scalar source `n`: the component its swizzle names for w.
    pub(super) fn scalar(&mut self, instr: &Instr, n: usize) -> ValueId {
        self.float(instr, n, 3)
    }

    /// Component `lane` of source `n` as the bits of a float.
    pub(super) fn pattern(&mut self, instr: &Instr, n: usize, lane: usize) -> ValueId {
        let value = self.float(instr, n, lane);
        self.l.convert(value, Type::I32)
    }

    /// Component `lane` of source `n` as it is where there is no modifier, else as a float.
    pub(super) fn moved(&mut self, instr: &Instr, n: usize, lane: usize) -> Deferred {
        let source = instr.source_bits(n);
        if !source.is_plain() {
            self.float(instr, n, lane).into()
        } else if is_literal(instr, n) {
            Deferred::word(instr.immediate())
        } else {
            self.register(instr, source, lane)
        }
    }

    /// Component `lane` of source `n` as an integer, modifiers applied, wrapping.
    pub(super) fn int(&mut self, instr: &Instr, n: usize, lane: usize) -> ValueId {
        let source = instr.source_bits(n);
        let (absolute, negate) = (source.absolute(), source.negate());
        let mut value = if is_literal(instr, n) {
            self.l.b.i32(instr.immediate())
        } else {
            let val = self.register(instr, source, lane);
            self.l.force(val, Type::I32)
        };
        if absolute && self.settings.sim {
            // The simulator's absolute value is that of a float.
            let slot = self.l.plain(Decl::F32);
            let float = self.l.b.num(Op::I2f, slot, &[value]);
            let float = self.l.b.num(Op::Abs, slot, &[float]);
            value = self.l.b.num(Op::F2iTrunc, slot, &[float]);
        } else if absolute {
            value = self.l.b.int(Op::Iabs, &[value]);
        }
        if negate {
            value = self.l.b.int(Op::Ineg, &[value]);
        }
        value
    }

    /// Operand `n` of ANDP and JMP.
    pub(super) fn boolean(&mut self, instr: &Instr, n: usize) -> ValueId {
        let (value, invert) = match instr.condition(n) {
            Condition::Literal(value) => return self.l.b.pred(value),
            Condition::Predicate { index, invert } => {
                let variable = self.registers.predicate(index);
                (self.l.read_as(variable, Type::Pred), invert)
            }
            Condition::Constant { index, component, invert } => {
                let val = self.constant(instr, index, component);
                let bits = self.l.force(val, Type::I32);
                let zero = self.l.b.i32(0);
                (self.l.b.int(Op::Ine, &[bits, zero]), invert)
            }
        };
        if invert { self.l.b.int(Op::Pnot, &[value]) } else { value }
    }

    /// The guard of an instruction, if it has one.
    pub(super) fn guard_of(&mut self, instr: &Instr) -> Option<ValueId> {
        let guard = instr.guard()?;
        let variable = self.registers.predicate(guard.predicate);
        let value = self.l.read_as(variable, Type::Pred);
        Some(if guard.invert { self.l.b.int(Op::Pnot, &[value]) } else { value })
    }

    fn set(&mut self, variable: VarId, val: Deferred) {
        match self.guard {
            Some(guard) => self.l.set_if(guard, variable, val),
            None => self.l.set(variable, val),
        }
    }

    /// Writes the masked components.
    pub(super) fn write(&mut self, dst: &Dst, results: Results) {
        for comp in components(dst.mask) {
            if let Some(val) = results[comp] {
                let variable = self.registers.variable(dst.bank, dst.index, comp as u8);
                self.set(variable, val);
            }
        }
    }

    /// Writes variables that are no register components, such as the accumulator's.
    pub(super) fn write_cell(&mut self, variable: VarId, val: impl Into<Deferred>) {
        self.set(variable, val.into());
    }

    /// Writes a predicate.
    pub(super) fn write_predicate(&mut self, index: u8, value: ValueId) {
        let variable = self.registers.predicate(index);
        self.set(variable, value.into());
    }

    /// Computes each masked component and writes them all.
    pub(super) fn per_component(&mut self, instr: &Instr, mut compute: impl FnMut(&mut Self, usize) -> Deferred) {
        let dst = instr.dst();
        let mut results = [None; 4];
        components(dst.mask).for_each(|lane| results[lane] = Some(compute(self, lane)));
        self.write(&dst, results);
    }
}

/// The sources of an instruction.
pub(super) struct Sources<'c, 'a, 'f> {
    pub(super) ctx: &'c mut Ctx<'a, 'f>,
    pub(super) instr: &'c Instr,
}

impl<'f> Operands<'f> for Sources<'_, '_, 'f> {
    fn lifter(&mut self) -> &mut Lifter<'f> {
        &mut self.ctx.l
    }

    fn float(&mut self, n: usize, comp: usize) -> ValueId {
        self.ctx.float(self.instr, n, comp)
    }

    fn scalar(&mut self, n: usize) -> ValueId {
        self.ctx.scalar(self.instr, n)
    }

    fn word(&mut self, n: usize, comp: usize) -> ValueId {
        self.ctx.int(self.instr, n, comp)
    }

    fn moved(&mut self, n: usize, comp: usize) -> Deferred {
        self.ctx.moved(self.instr, n, comp)
    }
}
