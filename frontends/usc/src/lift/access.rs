//! How registers are read and written: reads at once, writes when everything was read.

use super::Ctx;
use super::flow::Base;
use super::inputs::Inputs;
use super::named::{Named, no_register};
use super::registers::{File, file};
use crate::group::Group;
use crate::register::{Bank, Register};
use parallax_core::{Type, ValueId};
use parallax_lift::{Access, Deferred, Options, VarId};
use parallax_num::Op;

impl Ctx<'_, '_> {
    /// A register in the current iteration of its group.
    fn advanced(&self, register: Register) -> Register {
        let step = if register.advances() { u16::from(self.iteration) } else { 0 };
        let register = self.context.base.apply(register);
        Register { number: register.number.saturating_add(step), ..register }
    }

    /// What a register holds, in the current iteration of its group.
    #[inline]
    pub(super) fn register(&mut self, register: Register) -> Deferred {
        if let Some(bits) = register.constant() {
            return Deferred::word(bits);
        }
        self.physical(self.advanced(register))
    }

    /// What source `n` of a group holds, in its current iteration.
    #[inline]
    pub(super) fn source(&mut self, group: &Group, n: usize) -> Deferred {
        let code = group.source_code(n);
        match self.registers.variable(code) {
            Some(variable) if self.iteration == 0 && self.context.base == Base::default() => self.l.get(variable),
            _ => self.register(Register::decode(code)),
        }
    }

    /// Sets output `n` of a group behind everything the group reads, if it goes to a register.
    #[inline]
    pub(super) fn write_output(&mut self, group: &Group, n: usize, val: Deferred) {
        let Some(code) = group.output_code(n) else { return };
        match self.registers.variable(code) {
            Some(variable) if self.iteration == 0 && self.context.base == Base::default() => self.set(variable, val),
            _ => self.write(Register::decode(code), val),
        }
    }

    /// What the register of this very number holds.
    pub(super) fn physical(&mut self, register: Register) -> Deferred {
        let Some(index) = register.index else {
            return self.registers.plain(&mut self.l, register.bank, register.number);
        };
        let at = self.address(register, index);
        match file(register.bank).map(|at| self.registers.files[at]) {
            Some(File::Array(array)) => self.l.load(array, at),
            Some(File::Constants(_)) => self.shared_at(at),
            _ => Deferred::word(0),
        }
    }

    /// The number of an indexed register.
    fn address(&mut self, register: Register, index: u8) -> ValueId {
        let index = self.registers.plain(&mut self.l, Bank::Index, index.into());
        let index = self.l.force(index, Type::I32);
        if register.number == 0 {
            return index;
        }
        let number = self.l.b.i32(register.number.into());
        self.l.b.int(Op::Iadd, &[index, number])
    }

    /// A shared register by its number.
    fn shared_at(&mut self, number: ValueId) -> Deferred {
        let l = &mut self.l;
        Inputs::need_all_uniforms(l);
        let (two, three) = (l.b.i32(2), l.b.i32(3));
        let vector = l.b.int(Op::Ishr, &[number, two]);
        let comp = l.b.int(Op::Iand, &[number, three]);
        let mut val = l.constant_at(0, 0, 0, vector);
        for n in 1..4u8 {
            let (this, other) = (l.b.i32(n.into()), l.constant_at(0, 0, n, vector));
            let is_it = l.b.int(Op::Ieq, &[comp, this]);
            val = l.choose(is_it, other, val, Type::F32);
        }
        for (n, preset) in &self.registers.preset_shared {
            let this = l.b.i32((*n).into());
            let is_it = l.b.int(Op::Ieq, &[number, this]);
            val = l.choose(is_it, *preset, val, Type::I32);
        }
        val
    }

    /// Sets a register behind everything the group reads.
    pub(super) fn write(&mut self, register: Register, val: Deferred) {
        let register = self.advanced(register);
        let Some(at) = file(register.bank) else { return };
        match (self.registers.files[at], register.index) {
            (File::Variables(first), None) if register.number < self.registers.counts[at] => {
                self.set(first.offset(register.number.into()), val);
            }
            (File::Array(array), index) => {
                let place = match index {
                    Some(index) => self.address(register, index),
                    None => self.l.b.i32(register.number.into()),
                };
                self.stores.push((array, place, val));
            }
            _ => {}
        }
    }

    /// Sets a variable behind everything the group reads, where the group runs.
    pub(super) fn set(&mut self, variable: VarId, val: impl Into<Deferred>) {
        match self.guard {
            None => self.buffer.set(variable, val),
            Some(guard) => self.buffer.set_if(guard, variable, val),
        }
    }

    /// Performs what was held back.
    pub(super) fn commit(&mut self) {
        self.l.commit(&mut self.buffer);
        if self.stores.is_empty() {
            return;
        }
        for (array, place, val) in std::mem::take(&mut self.stores) {
            match self.guard {
                None => self.l.store(array, place, val),
                Some(guard) => {
                    let value = self.l.force(val, Type::I32);
                    self.l.begin_if(guard);
                    self.l.store(array, place, value);
                    self.l.end_if();
                }
            }
        }
    }

    /// Reports the registers the caller watches.
    pub(super) fn watches(&mut self, options: &Options) {
        for name in &options.watch {
            let val = match Named::of(name) {
                None => {
                    self.diags.push(no_register(Access::Watch, name));
                    continue;
                }
                Some(Named::Register(register)) => {
                    self.iteration = 0;
                    self.register(register)
                }
                Some(Named::VertexOutput(n)) => self.vertex_output_at(n),
                Some(Named::P0) => self.l.read_as(self.registers.p0, Type::Pred).into(),
                Some(Named::Pe) => self.l.read_as(self.registers.pe, Type::Pred).into(),
            };
            self.l.watch(name, [Some(val), None, None, None]);
        }
    }
}
