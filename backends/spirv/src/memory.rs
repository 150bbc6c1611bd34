//! Buffers, memory of a workgroup, barriers and atomics.
//!
//! A buffer is a list of words, as in the IR: addresses are in bytes, what is read outside is 0, and what is written there is lost.
//! Invocations of a device run at the same time, so a kernel with races may leave something else there than in parallax, which runs
//! them in turn.

use crate::entry::Main;
use crate::interface::{Buffer, Interface};
use crate::module::Id;
use parallax_core::{Access, AtomicOp, OpKind, Stage, SysVal};
use parallax_step::Ty;
use parallax_step::words::Value;
use rspirv::spirv::{BuiltIn, Decoration, LoopControl, MemorySemantics, Op, Scope, StorageClass};

/// A buffer that the shader uses.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Words {
    variable: Id,
    class: StorageClass,
    /// Number of words.
    count: Id,
}

/// What a shader does with a buffer.
#[derive(Copy, Clone, Default)]
struct Used {
    reads: bool,
    writes: bool,
    loads_atomically: bool,
    stores_atomically: bool,
}

impl Main<'_> {
    /// Declares the buffers that the shader uses, and begins with zeros in the memory of the workgroup.
    pub(crate) fn declare_buffers(&mut self) {
        let func = &self.shader.func;
        let mut used = vec![Used::default(); func.iface.buffers.len()];
        func.walk(|_, op| match func.ops[op].kind {
            OpKind::BufferLoad { buffer, access } => {
                used[usize::from(buffer)].reads = true;
                used[usize::from(buffer)].loads_atomically |= access == Access::Atomic;
            }
            OpKind::BufferStore { buffer, atomic } => {
                used[usize::from(buffer)].writes = true;
                used[usize::from(buffer)].stores_atomically |= atomic;
            }
            OpKind::Atomic { buffer, .. } => used[usize::from(buffer)].writes = true,
            OpKind::BufferSize { buffer } => used[usize::from(buffer)].reads = true,
            _ => {}
        });
        let mut shared = Vec::new();
        for (number, (decl, used)) in func.iface.buffers.iter().zip(used).enumerate() {
            if !(used.reads || used.writes) || decl.image.is_some() {
                continue;
            }
            if used.loads_atomically && used.stores_atomically {
                let message =
                    format!("atomics of floats or of 64 bits on `{}`, which are a load and a store", decl.name);
                self.refusals.add(message);
            }
            let words = match decl.workgroup {
                Some(count) => self.workgroup_words(&decl.name, count),
                None => self.buffer_words(number, used.writes),
            };
            shared.extend(decl.workgroup.map(|_| words));
            self.buffers.insert(number, words);
        }
        if !shared.is_empty() {
            shared.into_iter().for_each(|words| self.clear(words));
            self.barrier();
        }
    }

    fn buffer_words(&mut self, number: usize, is_written: bool) -> Words {
        let name = self.shader.func.iface.buffers[number].name.clone();
        let (word, list) = (self.module.word(), self.module.list());
        let block = self.module.structure(&[list]);
        self.module.decorate(block, Decoration::Block, &[]);
        self.module.decorate_member(block, 0, Decoration::Offset, &[0]);
        self.module.member_name(block, 0, "words");
        if !is_written {
            self.module.decorate_member(block, 0, Decoration::NonWritable, &[]);
        }
        let class = StorageClass::StorageBuffer;
        let variable = self.module.variable(class, block, None);
        let (set, binding) = (Interface::BUFFERS, number as u32 + 1);
        self.module.decorate(variable, Decoration::DescriptorSet, &[set]);
        self.module.decorate(variable, Decoration::Binding, &[binding]);
        if is_written {
            // Behind a barrier the others of the workgroup see what was written.
            self.module.decorate(variable, Decoration::Coherent, &[]);
        }
        self.module.name(variable, &name);
        self.interface.buffers.push(Buffer { name, buffer: number, set, binding, is_written });
        let count = self.op(Op::ArrayLength, word, &[variable, 0]);
        Words { variable, class, count }
    }

    fn workgroup_words(&mut self, name: &str, count: u32) -> Words {
        let word = self.module.word();
        let list = self.module.array(word, count.max(1), None);
        let class = StorageClass::Workgroup;
        let variable = self.module.variable(class, list, None);
        self.module.name(variable, name);
        Words { variable, class, count: self.module.constant(count) }
    }

    /// Zeros in the memory of the workgroup, each invocation its share.
    fn clear(&mut self, words: Words) {
        let (word, truth) = (self.module.word(), self.module.bool());
        let invocations = self.shader.func.iface.workgroup.iter().product();
        let (zero, step) = (self.module.constant(0), self.module.constant(invocations));
        let first = self.built_in_word(BuiltIn::LocalInvocationIndex);
        let place = self.variable(Ty::I32, None);
        self.code.op(Op::Store, &[place, first]);
        let [header, test, body, next, merge] = [(); 5].map(|()| self.module.id());
        self.code.op(Op::Branch, &[header]);
        self.code.op(Op::Label, &[header]);
        self.code.op(Op::LoopMerge, &[merge, next, LoopControl::NONE.bits()]);
        self.code.op(Op::Branch, &[test]);
        self.code.op(Op::Label, &[test]);
        let index = self.load_word(place, Ty::I32);
        let inside = self.op(Op::ULessThan, truth, &[index, words.count]);
        self.code.op(Op::BranchConditional, &[inside, body, merge]);
        self.code.op(Op::Label, &[body]);
        let pointer = self.pointer(words, index);
        self.code.op(Op::Store, &[pointer, zero]);
        self.code.op(Op::Branch, &[next]);
        self.code.op(Op::Label, &[next]);
        let index = self.load_word(place, Ty::I32);
        let index = self.op(Op::IAdd, word, &[index, step]);
        self.code.op(Op::Store, &[place, index]);
        self.code.op(Op::Branch, &[header]);
        self.code.op(Op::Label, &[merge]);
    }

    /// An op on memory; `None` where it has no translation.
    pub(crate) fn memory(&mut self, kind: OpKind, args: &[Value]) -> Option<Value> {
        let in_kernel = self.interface.stage == Stage::Compute;
        match kind {
            OpKind::BufferLoad { buffer, access } => {
                let (words, index, inside) = self.found(buffer, args[0].low())?;
                Some(Value::One(self.load_of(words, index, inside, access)))
            }
            OpKind::BufferSize { buffer } => {
                let words = *self.buffers.get(&usize::from(buffer))?;
                let (word, two) = (self.module.word(), self.module.constant(2));
                Some(Value::One(self.op(Op::ShiftLeftLogical, word, &[words.count, two])))
            }
            OpKind::BufferStore { buffer, atomic } if in_kernel => {
                let (words, index, inside) = self.found(buffer, args[0].low())?;
                let value = args[1].low();
                self.where_true(inside, |own| {
                    let pointer = own.pointer(words, index);
                    match atomic {
                        true => {
                            let [scope, order] = own.relaxed(words);
                            own.code.op(Op::AtomicStore, &[pointer, scope, order, value]);
                        }
                        false => own.code.op(Op::Store, &[pointer, value]),
                    }
                });
                // It has no result.
                Some(Value::One(0))
            }
            OpKind::Atomic { op, buffer } if in_kernel => {
                let (words, index, inside) = self.found(buffer, args[0].low())?;
                let zero = self.module.constant(0);
                let before = self.variable(Ty::I32, None);
                self.code.op(Op::Store, &[before, zero]);
                self.where_true(inside, |own| {
                    let pointer = own.pointer(words, index);
                    let value = own.atomic(op, words, pointer, args);
                    own.code.op(Op::Store, &[before, value]);
                });
                Some(Value::One(self.load_word(before, Ty::I32)))
            }
            OpKind::Barrier if in_kernel => {
                self.barrier();
                Some(Value::One(0))
            }
            _ => None,
        }
    }

    /// The buffer, the number of the word at an address in bytes, and whether the buffer has it.
    fn found(&mut self, buffer: u16, address: Id) -> Option<(Words, Id, Id)> {
        let words = *self.buffers.get(&usize::from(buffer))?;
        let (word, truth, two) = (self.module.word(), self.module.bool(), self.module.constant(2));
        let index = self.op(Op::ShiftRightLogical, word, &[address, two]);
        let inside = self.op(Op::ULessThan, truth, &[index, words.count]);
        Some((words, index, inside))
    }

    fn pointer(&mut self, words: Words, index: Id) -> Id {
        let word = self.module.word();
        let (pointer, zero) = (self.module.pointer(words.class, word), self.module.constant(0));
        match words.class {
            StorageClass::Workgroup => self.op(Op::AccessChain, pointer, &[words.variable, index]),
            _ => self.op(Op::AccessChain, pointer, &[words.variable, zero, index]),
        }
    }

    /// The word where the buffer has it, elsewhere 0: who is outside reads the first one.
    fn load_of(&mut self, words: Words, index: Id, inside: Id, access: Access) -> Id {
        let (word, zero) = (self.module.word(), self.module.constant(0));
        let index = self.op(Op::Select, word, &[inside, index, zero]);
        let pointer = self.pointer(words, index);
        let value = match access {
            Access::Atomic => {
                let [scope, order] = self.relaxed(words);
                self.op(Op::AtomicLoad, word, &[pointer, scope, order])
            }
            _ => self.op(Op::Load, word, &[pointer]),
        };
        self.op(Op::Select, word, &[inside, value, zero])
    }

    /// Does something where a mask is true.
    fn where_true(&mut self, mask: Id, what: impl FnOnce(&mut Self)) {
        let [then, rest] = [(); 2].map(|()| self.module.id());
        self.branch_if(mask, then, rest, rest);
        self.code.op(Op::Label, &[then]);
        what(self);
        self.code.op(Op::Branch, &[rest]);
        self.code.op(Op::Label, &[rest]);
    }

    /// Scope and order of an atomic: none is kept but that of accesses to the word itself.
    fn relaxed(&mut self, words: Words) -> [Id; 2] {
        let scope = if words.class == StorageClass::Workgroup { Scope::Workgroup } else { Scope::Device };
        [scope as u32, MemorySemantics::RELAXED.bits()].map(|v| self.module.constant(v))
    }

    /// What the word was before.
    fn atomic(&mut self, op: AtomicOp, words: Words, pointer: Id, args: &[Value]) -> Id {
        let word = self.module.word();
        let [scope, order] = self.relaxed(words);
        let value = args[1].low();
        let code = match op {
            AtomicOp::Add => Op::AtomicIAdd,
            AtomicOp::MinU => Op::AtomicUMin,
            AtomicOp::MaxU => Op::AtomicUMax,
            AtomicOp::MinI => Op::AtomicSMin,
            AtomicOp::MaxI => Op::AtomicSMax,
            AtomicOp::And => Op::AtomicAnd,
            AtomicOp::Or => Op::AtomicOr,
            AtomicOp::Xor => Op::AtomicXor,
            AtomicOp::Exchange => Op::AtomicExchange,
            AtomicOp::IncWrap | AtomicOp::DecWrap => {
                return self.wrapping(op == AtomicOp::IncWrap, words, pointer, value);
            }
            AtomicOp::CompareExchange => {
                let new = args[2].low();
                let operands = [pointer, scope, order, order, new, value];
                return self.op(Op::AtomicCompareExchange, word, &operands);
            }
            // Others may store into other parts of the word at the same time: theirs stay.
            AtomicOp::Insert => {
                let mask = args[2].low();
                let others = self.op(Op::Not, word, &[mask]);
                let own = self.op(Op::BitwiseAnd, word, &[value, mask]);
                let before = self.op(Op::AtomicAnd, word, &[pointer, scope, order, others]);
                self.op(Op::AtomicOr, word, &[pointer, scope, order, own]);
                return before;
            }
        };
        self.op(code, word, &[pointer, scope, order, value])
    }

    /// A count that wraps at a number, which no instruction does: tried until nobody comes between.
    fn wrapping(&mut self, is_up: bool, words: Words, pointer: Id, most: Id) -> Id {
        let (word, truth) = (self.module.word(), self.module.bool());
        let (zero, one) = (self.module.constant(0), self.module.constant(1));
        let [scope, order] = self.relaxed(words);
        let [header, body, next, merge] = [(); 4].map(|()| self.module.id());
        self.code.op(Op::Branch, &[header]);
        self.code.op(Op::Label, &[header]);
        self.code.op(Op::LoopMerge, &[merge, next, LoopControl::NONE.bits()]);
        self.code.op(Op::Branch, &[body]);
        self.code.op(Op::Label, &[body]);
        let before = self.op(Op::AtomicLoad, word, &[pointer, scope, order]);
        let after = if is_up {
            let wraps = self.op(Op::UGreaterThanEqual, truth, &[before, most]);
            let more = self.op(Op::IAdd, word, &[before, one]);
            self.op(Op::Select, word, &[wraps, zero, more])
        } else {
            let is_zero = self.op(Op::IEqual, truth, &[before, zero]);
            let is_above = self.op(Op::UGreaterThan, truth, &[before, most]);
            let wraps = self.op(Op::LogicalOr, truth, &[is_zero, is_above]);
            let less = self.op(Op::ISub, word, &[before, one]);
            self.op(Op::Select, word, &[wraps, most, less])
        };
        let found = self.op(Op::AtomicCompareExchange, word, &[pointer, scope, order, order, after, before]);
        let is_done = self.op(Op::IEqual, truth, &[found, before]);
        self.code.op(Op::BranchConditional, &[is_done, merge, next]);
        self.code.op(Op::Label, &[next]);
        self.code.op(Op::Branch, &[header]);
        self.code.op(Op::Label, &[merge]);
        found
    }

    /// All invocations of the workgroup get here, and see what the others have stored.
    fn barrier(&mut self) {
        let order =
            MemorySemantics::ACQUIRE_RELEASE | MemorySemantics::UNIFORM_MEMORY | MemorySemantics::WORKGROUP_MEMORY;
        let [scope, order] = [Scope::Workgroup as u32, order.bits()].map(|v| self.module.constant(v));
        self.code.op(Op::ControlBarrier, &[scope, scope, order]);
    }

    /// A place in the grid or in the workgroup.
    pub(crate) fn place_in_grid(&mut self, value: SysVal) -> Option<Id> {
        let (built_in, comp) = match value {
            SysVal::LocalX => (BuiltIn::LocalInvocationId, 0),
            SysVal::LocalY => (BuiltIn::LocalInvocationId, 1),
            SysVal::LocalZ => (BuiltIn::LocalInvocationId, 2),
            SysVal::GroupX => (BuiltIn::WorkgroupId, 0),
            SysVal::GroupY => (BuiltIn::WorkgroupId, 1),
            SysVal::GroupZ => (BuiltIn::WorkgroupId, 2),
            SysVal::GridX => (BuiltIn::NumWorkgroups, 0),
            SysVal::GridY => (BuiltIn::NumWorkgroups, 1),
            SysVal::GridZ => (BuiltIn::NumWorkgroups, 2),
            _ => return None,
        };
        let word = self.module.word();
        let vector = self.module.vector(word, 3);
        let variable = self.built_in(built_in, vector);
        let vector = self.op(Op::Load, vector, &[variable]);
        Some(self.op(Op::CompositeExtract, word, &[vector, comp]))
    }
}
