//! What a program leaves behind: vertex outputs, colours, coverage, depth.

use super::Ctx;
use super::named::VERTEX_OUTPUTS;
use super::settings::Pixel;
use crate::operation::{Address, Operation};
use crate::register::{Bank, Register};
use crate::view::{Name, Source};
use crate::{group::Group, opcode::Opcode};
use parallax_core::{OutputRole, Type};
use parallax_lift::Deferred;
use parallax_num::{Decl, Op};

/// Pixel output registers.
const OUTPUTS: u16 = 8;

impl Ctx<'_, '_> {
    /// UVSW: an output of the group to a vertex output. In a repeated group the address advances.
    pub(super) fn vertex_output(&mut self, group: &Group, operation: &Operation, outputs: [Deferred; 2]) {
        let Some(address) = operation.written() else { return };
        let val = outputs[usize::from(operation.has(Name::IsOutput1))];
        let known = match address {
            Address::Literal(address) => Some(u32::from(address) + u32::from(self.iteration)),
            Address::Source(n) => group.source(n.into()).constant(),
        };
        match (known, self.registers.vertex_array) {
            (Some(known), _) if known >= VERTEX_OUTPUTS => {}
            (Some(known), Some(array)) => {
                let at = self.l.b.i32(known);
                self.stores.push((array, at, val));
            }
            (Some(known), None) => self.set(self.registers.vertex_outputs.offset(known), val),
            (None, Some(array)) => {
                let Address::Source(n) = address else { return };
                let at = self.source(group, n.into());
                let at = self.l.force(at, Type::I32);
                self.stores.push((array, at, val));
            }
            (None, None) => {}
        }
    }

    /// What a vertex output holds at the end.
    pub(super) fn vertex_output_at(&mut self, n: u32) -> Deferred {
        match self.registers.vertex_array {
            Some(array) => {
                let at = self.l.b.i32(n);
                self.l.load(array, at)
            }
            None => self.l.get(self.registers.vertex_outputs.offset(n)),
        }
    }

    /// ATST: s1 against the reference s0 by the relation in the low three bits of the state word s2, in the order never, less,
    /// equal, less or equal, greater, not equal, greater or equal, always. Instances that fail lose their coverage.
    pub(super) fn alpha_test(&mut self, group: &Group, operation: &Operation) {
        let [reference, data] = [Source::Reference, Source::Tested].map(|source| {
            let val = self.operand(group, operation, source);
            self.l.force(val, Type::F32)
        });
        let state = self.operand(group, operation, Source::Relation);
        let known = group.source(operation.source(Source::Relation)).constant();
        let slot = self.slot(false);
        // A relation is the set of outcomes it accepts; not equal and always accept unordered numbers, too.
        let outcomes = [(Op::FLt, 1), (Op::FEq, 2), (Op::FGt, 4), (Op::Funo, 5)];
        let mut passes = None;
        for (op, bits) in outcomes {
            if known.is_some_and(|state| state & bits != bits) {
                continue;
            }
            let mut accepted = self.l.b.num(op, slot, &[data, reference]);
            if known.is_none() {
                let word = self.l.force(state, Type::I32);
                let bits = self.l.b.i32(bits);
                let set = self.l.b.int(Op::Iand, &[word, bits]);
                let set = self.l.b.int(Op::Ieq, &[set, bits]);
                accepted = self.l.b.int(Op::Pand, &[set, accepted]);
            }
            passes = Some(match passes {
                None => accepted,
                Some(other) => self.l.b.int(Op::Por, &[other, accepted]),
            });
        }
        let passes = passes.unwrap_or_else(|| self.l.b.pred(false));
        if operation.has(Name::WritesP0) {
            self.set(self.registers.p0, passes);
        }
        let mut fails = self.l.b.int(Op::Pnot, &[passes]);
        if let Some(guard) = self.guard {
            fails = self.l.b.int(Op::Pand, &[guard, fails]);
        }
        self.discard(fails);
    }

    /// At the end: outputs by what the registers hold.
    pub(super) fn finish(&mut self) {
        if self.flow.does(Opcode::Uvsw) {
            self.finish_vertex();
        } else {
            self.finish_pixel();
        }
    }

    fn finish_vertex(&mut self) {
        // Where addresses are computed, any output may be written.
        let mut written = [self.registers.vertex_array.is_some(); VERTEX_OUTPUTS as usize];
        for (_, group, _) in self.flow.groups(self.program) {
            for address in group.operations.iter().filter_map(Operation::written) {
                let (first, count) = match address {
                    Address::Literal(address) => (Some(address.into()), group.head.repeat.into()),
                    Address::Source(n) => (group.source(n.into()).constant(), 1),
                };
                if let Some(first) = first {
                    written.iter_mut().skip(first as usize).take(count).for_each(|w| *w = true);
                }
            }
        }
        for (n, four) in written.chunks(4).enumerate() {
            if !four.contains(&true) {
                continue;
            }
            let mut comps = [None; 4];
            for (k, comp) in comps.iter_mut().enumerate().filter(|(k, _)| four[*k]) {
                *comp = Some(self.vertex_output_at((4 * n + k) as u32));
            }
            let role = if n == 0 { OutputRole::Position } else { OutputRole::Generic(n as u16) };
            self.l.output(format!("vo{}", 4 * n), role, comps, Type::F32);
        }
    }

    fn finish_pixel(&mut self) {
        let mut written = [false; OUTPUTS as usize];
        for &visit in &self.registers.pixels {
            let group = self.flow.group(self.program, visit);
            for code in
                [0, 1].into_iter().filter_map(|n| group.output_code(n)).filter(|code| !Register::is_plain(*code))
            {
                let register = Register::decode(code);
                if register.bank == Bank::PixelOutput {
                    // The word that iterations fill has one register.
                    let packs = group.operations.iter().any(|operation| operation.opcode() == Opcode::Pck);
                    let count = match register.index {
                        Some(_) => OUTPUTS.into(),
                        None if packs => 1,
                        None => group.head.repeat.into(),
                    };
                    written.iter_mut().skip(register.number.into()).take(count).for_each(|w| *w = true);
                }
            }
        }
        self.iteration = 0;
        let per_colour = match self.settings.pixel {
            Pixel::F32 => 4,
            Pixel::F16 => 2,
            Pixel::Unorm8 => 1,
        };
        let mut colour = 0;
        for (n, registers) in written.chunks(per_colour).enumerate() {
            if !registers.contains(&true) {
                continue;
            }
            let mut comps = [None; 4];
            for (k, _) in registers.iter().enumerate().filter(|(_, written)| **written) {
                let number = (n * per_colour + k) as u16;
                let val = self.register(Register { bank: Bank::PixelOutput, number, index: None });
                match self.settings.pixel {
                    Pixel::F32 => comps[k] = Some(val),
                    Pixel::F16 => (0..2).for_each(|half| comps[2 * k + half] = Some(self.half(val, half as u32))),
                    Pixel::Unorm8 => comps = [0, 1, 2, 3].map(|byte| Some(self.byte(val, byte))),
                }
            }
            self.l.output(format!("o{}", n * per_colour), OutputRole::Color(colour), comps, Type::F32);
            colour += 1;
        }
        if self.flow.does(Opcode::Depthf) {
            let depth = self.l.get(self.registers.depth);
            self.l.output("depth", OutputRole::Depth, [None, None, Some(depth), None], Type::F32);
        }
    }

    /// A half of a word as a number.
    pub(super) fn half(&mut self, val: Deferred, half: u32) -> Deferred {
        let word = self.l.force(val, Type::I32);
        let bits = self.element(word, 16 * half, 16, false);
        let slot = self.l.plain(Decl::F16);
        let value = self.l.b.num(Op::BitsTo, slot, &[bits]);
        value.into()
    }

    fn byte(&mut self, val: Deferred, byte: u32) -> Deferred {
        let word = self.l.force(val, Type::I32);
        let bits = self.element(word, 8 * byte, 8, false);
        let slot = self.slot(false);
        self.l.b.num(Op::UpUnorm8, slot, &[bits]).into()
    }
}
