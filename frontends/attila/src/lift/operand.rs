//! Reading sources, writing results.

use super::Ctx;
use crate::{Bank, Condition, Dst, Instr, Source};
use parallax_core::{Type, ValueId};
use parallax_lift::{CellId, Val};
use parallax_num::{Decl, Op};

/// Where a predicated write goes.
pub(super) type Writes = [Option<Val>; 4];

/// What an instruction reads as its source `n`.
#[derive(Copy, Clone)]
pub(super) enum From {
    Register(Source),
    /// Bits of a literal, with its modifiers.
    Literal(u32, bool, bool),
}

impl Ctx<'_, '_> {
    #[inline]
    fn from(&mut self, instr: &Instr, n: usize) -> From {
        if let Some(known) = self.sources[n] {
            return known;
        }
        let source = instr.source(n);
        let from = if n == 1 && instr.second_is_literal() {
            From::Literal(instr.immediate(), source.absolute, source.negate)
        } else {
            From::Register(source)
        };
        self.sources[n] = Some(from);
        from
    }

    /// Component `comp` (of the register, not of the swizzle) of a source register, unmodified.
    fn register(&mut self, instr: &Instr, source: &Source, comp: u8) -> Val {
        if source.bank == Bank::Param {
            return self.constant(instr, source.index, comp);
        }
        let place = self.registers.input(source.bank, source.index, comp);
        match place {
            Some(val) => val,
            None => {
                let cell = self.registers.cell(source.bank, source.index, comp);
                self.l.get(cell)
            }
        }
    }

    fn constant(&mut self, instr: &Instr, index: u16, comp: u8) -> Val {
        let Some(relative) = instr.relative() else {
            return self.l.constant(0, u32::from(index), comp);
        };
        let address = match self.index {
            Some(address) => address,
            None => {
                let cell = self.registers.cell(Bank::Addr, u16::from(relative.register), relative.component);
                let address = self.l.read_bits(cell);
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
        match self.from(instr, n) {
            From::Literal(bits, absolute, negate) => {
                let bits = if absolute { bits & 0x7fff_ffff } else { bits };
                let bits = if negate { bits ^ 0x8000_0000 } else { bits };
                let word = Val::word(bits);
                self.l.force(word, Type::F32)
            }
            From::Register(source) => {
                let val = self.register(instr, &source, source.swizzle[lane]);
                let mut value = self.l.force(val, Type::F32);
                if source.absolute || source.negate {
                    let slot = self.l.plain(Decl::F32);
                    if source.absolute {
                        value = self.l.b.num(Op::Abs, slot, &[value]);
                    }
                    if source.negate {
                        value = self.l.b.num(Op::Neg, slot, &[value]);
                    }
                }
                value
            }
        }
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
    pub(super) fn moved(&mut self, instr: &Instr, n: usize, lane: usize) -> Val {
        match self.from(instr, n) {
            From::Register(source) if !source.absolute && !source.negate => {
                self.register(instr, &source, source.swizzle[lane])
            }
            _ => self.float(instr, n, lane).into(),
        }
    }

    /// Component `lane` of source `n` as an integer, modifiers applied, wrapping.
    pub(super) fn int(&mut self, instr: &Instr, n: usize, lane: usize) -> ValueId {
        let (mut value, absolute, negate) = match self.from(instr, n) {
            From::Literal(bits, absolute, negate) => (self.l.b.i32(bits), absolute, negate),
            From::Register(source) => {
                let val = self.register(instr, &source, source.swizzle[lane]);
                (self.l.force(val, Type::I32), source.absolute, source.negate)
            }
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
                let cell = self.registers.predicate(index);
                (self.l.read_as(cell, Type::Pred), invert)
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
        let cell = self.registers.predicate(guard.predicate);
        let value = self.l.read_as(cell, Type::Pred);
        Some(if guard.invert { self.l.b.int(Op::Pnot, &[value]) } else { value })
    }

    fn set(&mut self, cell: CellId, val: Val) {
        match self.guard {
            Some(guard) => self.l.set_if(guard, cell, val),
            None => self.l.set(cell, val),
        }
    }

    /// Writes the masked components.
    pub(super) fn write(&mut self, dst: &Dst, vals: Writes) {
        for (comp, val) in vals.into_iter().enumerate() {
            if let (true, Some(val)) = (dst.mask[comp], val) {
                let cell = self.registers.cell(dst.bank, dst.index, comp as u8);
                self.set(cell, val);
            }
        }
    }

    /// Writes cells that are no register components, such as the accumulator's.
    pub(super) fn write_cell(&mut self, cell: CellId, val: impl Into<Val>) {
        self.set(cell, val.into());
    }

    /// Writes a predicate.
    pub(super) fn write_predicate(&mut self, index: u8, value: ValueId) {
        let cell = self.registers.predicate(index);
        self.set(cell, value.into());
    }

    /// Computes each masked component and writes them all.
    pub(super) fn per_component(&mut self, instr: &Instr, mut compute: impl FnMut(&mut Self, usize) -> Val) {
        let dst = instr.dst();
        let mut vals: Writes = [None; 4];
        for (lane, val) in vals.iter_mut().enumerate() {
            if dst.mask[lane] {
                *val = Some(compute(self, lane));
            }
        }
        self.write(&dst, vals);
    }

    /// Applies `_sat` to a value that comes of no operation that would.
    pub(super) fn saturated(&mut self, instr: &Instr, val: Val) -> Val {
        if !instr.dst().saturate {
            return val;
        }
        let value = self.l.force(val, Type::F32);
        let slot = self.slot(true);
        self.l.b.num(Op::Cvt, slot, &[value]).into()
    }
}
