//! Atomics.
//!
//! The IR has those of 32-bit integers as ops. Others are an atomic load, an operation and an atomic store that the invocations
//! that go in step do one after the other; the others of shaders that write memory do not run at the same time. So an addition of
//! floats rounds as every addition of the model does.

use super::value::{Pointer, Root, Scalars, Value};
use super::{Ctx, Lift};
use crate::module::Instruction;
use crate::types::Scalar;
use parallax_core::{AtomicOp, OpKind, Type, ValueId};
use parallax_lift::Deferred;
use parallax_num::Op;
use rspirv::spirv::Op as Code;
use std::rc::Rc;

/// What becomes of what stands in memory.
#[derive(Copy, Clone)]
enum Change {
    Integer(AtomicOp),
    /// An operation on floats.
    Float(Op),
}

/// An atomic on what a pointer leads to.
struct Atomic {
    /// The id of its result.
    id: u32,
    change: Change,
    scalar: Scalar,
    operand: ValueId,
    /// What compare-exchange stores.
    second: Option<ValueId>,
}

impl Ctx<'_, '_> {
    /// Atomics; `None` for other instructions.
    pub(super) fn atomic(&mut self, instruction: &Instruction, words: &[u32]) -> Lift<Option<Value>> {
        use AtomicOp::*;
        let change = match instruction.op {
            Code::AtomicLoad => {
                let pointer = self.atomic_pointer(words[0])?;
                return self.load(&pointer).map(Some);
            }
            Code::AtomicIAdd | Code::AtomicISub | Code::AtomicIIncrement | Code::AtomicIDecrement => {
                Change::Integer(Add)
            }
            Code::AtomicSMin => Change::Integer(MinI),
            Code::AtomicSMax => Change::Integer(MaxI),
            Code::AtomicUMin => Change::Integer(MinU),
            Code::AtomicUMax => Change::Integer(MaxU),
            Code::AtomicAnd => Change::Integer(And),
            Code::AtomicOr => Change::Integer(Or),
            Code::AtomicXor => Change::Integer(Xor),
            Code::AtomicExchange | Code::AtomicFlagTestAndSet => Change::Integer(Exchange),
            Code::AtomicCompareExchange | Code::AtomicCompareExchangeWeak => Change::Integer(CompareExchange),
            Code::AtomicFAddEXT => Change::Float(Op::Add),
            Code::AtomicFMinEXT => Change::Float(Op::Min),
            Code::AtomicFMaxEXT => Change::Float(Op::Max),
            _ => return Ok(None),
        };
        let pointer = self.atomic_pointer(words[0])?;
        let scalar = self.scalar_type(pointer.ty)?;
        if matches!(change, Change::Float(_)) != matches!(scalar, Scalar::Float(_))
            && !matches!(change, Change::Integer(Exchange))
        {
            return self.invalid(format!("Op{:?} on {scalar}", instruction.op));
        }
        let (operand, second) = match instruction.op {
            Code::AtomicIIncrement | Code::AtomicFlagTestAndSet => (self.integer_literal(scalar, 1), None),
            Code::AtomicIDecrement => (self.integer_literal(scalar, u64::MAX), None),
            Code::AtomicISub => {
                let value = self.single(words[3])?;
                (self.integer(Op::Ineg, scalar, &[value])?, None)
            }
            Code::AtomicCompareExchange | Code::AtomicCompareExchangeWeak => {
                (self.single(words[5])?, Some(self.single(words[4])?))
            }
            _ => (self.single(words[3])?, None),
        };
        let atomic = Atomic { id: instruction.id, change, scalar, operand, second };
        let old = match pointer.root {
            Root::Several(_) => {
                let result = self.old_value(scalar);
                for (test, each) in self.candidates(&pointer) {
                    self.l.begin_if(test);
                    let old = self.atomic_at(&atomic, &each);
                    self.keep(result, old)?;
                }
                self.l.get(result)
            }
            _ => self.atomic_at(&atomic, &pointer)?,
        };
        let old = match instruction.op {
            Code::AtomicFlagTestAndSet => {
                let (word, zero) = (self.l.force(old, scalar.ir()), self.integer_literal(scalar, 0));
                self.integer(Op::Ine, scalar, &[word, zero])?.into()
            }
            _ => old,
        };
        Ok(Some(Value::Scalars(Scalars::from_slice(&[old]))))
    }

    /// A pointer that is accessed atomically.
    pub(super) fn atomic_pointer(&mut self, id: u32) -> Lift<Pointer> {
        Ok(Pointer { atomic: true, ..Rc::unwrap_or_clone(self.pointer(id)?) })
    }

    /// A variable for what stood in memory.
    fn old_value(&mut self, scalar: Scalar) -> parallax_lift::VarId {
        let (result, zero) = (self.l.add_variables(1), self.literal(scalar, 0));
        self.l.set(result, zero);
        result
    }

    /// Sets what stood in memory and ends the branch in which it was found.
    fn keep(&mut self, result: parallax_lift::VarId, old: Lift<Deferred>) -> Lift<()> {
        if let Ok(old) = &old {
            self.l.set(result, *old);
        }
        self.l.end_if();
        old.map(drop)
    }

    /// An atomic at a place whose root is known; gives what stood there.
    fn atomic_at(&mut self, atomic: &Atomic, pointer: &Pointer) -> Lift<Deferred> {
        match (pointer.root, atomic.change, atomic.scalar.bits()) {
            (Root::Buffer(buffer) | Root::Shared(buffer, _), Change::Integer(op), 32) => {
                let terms = self.byte_terms(pointer);
                let at = match pointer.root {
                    Root::Shared(_, each) => pointer.at.wrapping_mul(each * 4),
                    _ => pointer.at,
                };
                let mut args = vec![self.address(terms, at)];
                for value in [Some(atomic.operand), atomic.second].into_iter().flatten() {
                    args.push(self.l.convert(value, Type::I32));
                }
                let old = self.l.b.value(OpKind::Atomic { op, buffer }, None, &args);
                Ok(self.l.convert(old, atomic.scalar.ir()).into())
            }
            (Root::Buffer(_) | Root::Shared(..), ..) => {
                let result = self.old_value(atomic.scalar);
                self.in_turn(|own| {
                    let old = own.changed_in_memory(atomic, pointer)?;
                    own.l.set(result, old);
                    Ok(())
                })?;
                Ok(self.l.get(result))
            }
            // Nobody else sees the variables of an invocation.
            (Root::Object(_), ..) => self.changed_in_memory(atomic, pointer),
            _ => self.invalid("an atomic on what is only read"),
        }
    }

    /// A load, an operation and a store; gives what was loaded.
    fn changed_in_memory(&mut self, atomic: &Atomic, pointer: &Pointer) -> Lift<Deferred> {
        let Value::Scalars(old) = self.load(pointer)? else { return self.invalid("no number stands there") };
        let old = self.l.force(old[0], atomic.scalar.ir());
        let new = self.changed(atomic, old)?;
        self.store(pointer, &[new.into()])?;
        Ok(old.into())
    }

    /// What an atomic makes of a value.
    fn changed(&mut self, atomic: &Atomic, old: ValueId) -> Lift<ValueId> {
        let Atomic { id, change, scalar, operand, second } = *atomic;
        let op = match change {
            Change::Float(op) => {
                let decl = self.decl(scalar)?;
                return Ok(self.float(id, op, decl, &[old, operand]));
            }
            Change::Integer(AtomicOp::CompareExchange) => {
                let is_equal = self.integer(Op::Ieq, scalar, &[old, operand])?;
                return Ok(self.l.b.select(is_equal, second.unwrap_or(operand), old));
            }
            Change::Integer(AtomicOp::Add) => Op::Iadd,
            Change::Integer(AtomicOp::MinI) => Op::Imin,
            Change::Integer(AtomicOp::MaxI) => Op::Imax,
            Change::Integer(AtomicOp::MinU) => Op::Umin,
            Change::Integer(AtomicOp::MaxU) => Op::Umax,
            Change::Integer(AtomicOp::And) => Op::Iand,
            Change::Integer(AtomicOp::Or) => Op::Ior,
            Change::Integer(AtomicOp::Xor) => Op::Ixor,
            Change::Integer(_) => return Ok(operand),
        };
        self.integer(op, scalar, &[old, operand])
    }
}
