//! Memory of kernels, where an invocation of one is, and arrays.

use super::Select;
use crate::form::{Arg, Base, Instr, Node, Operand, SystemValue};
use crate::target::Meaning;
use parallax_core::{Access, ArrayId, EntityRef, Func, OpId, OpKind, SysVal, Type, ValueId};
use parallax_num::{Decl, Op, Slot};
use smallvec::SmallVec;

impl Select<'_> {
    /// An access to a buffer, or a barrier.
    pub(super) fn memory(&mut self, op: OpId) {
        let func = self.func;
        let data = &func.ops[op];
        let (meaning, buffer) = match data.kind {
            OpKind::BufferLoad { buffer, access } => {
                if access == Access::Atomic {
                    self.notes.inexact_elsewhere(ATOMIC);
                }
                (Meaning::Load, Some(buffer))
            }
            OpKind::BufferStore { buffer, atomic } => {
                if atomic {
                    self.notes.inexact_elsewhere(ATOMIC);
                }
                (Meaning::Store, Some(buffer))
            }
            OpKind::BufferSize { buffer } => (Meaning::Size, Some(buffer)),
            OpKind::Atomic { op, buffer } => (Meaning::Atomic(op), Some(buffer)),
            _ => (Meaning::Barrier, None),
        };
        let decl = buffer.and_then(|buffer| func.iface.buffers.get(usize::from(buffer)));
        if decl.is_some_and(|decl| decl.image.is_some()) {
            return self.refuse(format!("images: not written for {} yet", self.target.title));
        }
        let words = decl.and_then(|decl| decl.workgroup);
        if words.is_some_and(|words| self.target.abilities.workgroup.is_some_and(|all| words < all)) {
            self.notes.inexact(LARGER);
        }
        if let (Meaning::Size, Some(words)) = (meaning, words) {
            return self.hold(data.results[0], Arg::imm(words.saturating_mul(4)));
        }
        let Some(row) = self.rows.get(meaning) else { return self.missing(data.kind.word()) };
        let mut operands: SmallVec<[Operand; 3]> = SmallVec::new();
        operands.extend(buffer.map(|buffer| Operand::one(Arg::plain(Base::Buffer(buffer)))));
        for (n, &arg) in data.args.iter().enumerate() {
            let arg = match n {
                0 => self.address_of_word(arg),
                _ => self.arg(arg),
            };
            let arg = self.signed(row, operands.len(), arg);
            operands.push(Operand::one(arg));
        }
        let changes = !matches!(meaning, Meaning::Load | Meaning::Size);
        let result = data.results.first().map(|&result| self.own(result));
        let instr = Instr { changes, ..Instr::one(row, false, operands, result, self.origin) };
        self.nodes.push(Node::Op(Box::new(instr)));
    }

    /// An access to an element of an array.
    pub(super) fn element(&mut self, op: OpId, array: ArrayId) {
        let data = &self.func.ops[op];
        let is_store = matches!(data.kind, OpKind::ArrayStore(_));
        let row = self.rows.get(if is_store { Meaning::SetElement } else { Meaning::Element });
        let Some(row) = row else { return self.missing(data.kind.word()) };
        let ty = self.func.arrays[array].ty;
        if ty == Type::Pred {
            return self.refuse(format!("arrays of conditions: {} has none", self.target.title));
        }
        if !self.fits(ty) {
            return;
        }
        let mut operands: SmallVec<[Operand; 3]> = SmallVec::from_iter([Operand::one(Arg::imm(array.index() as u32))]);
        for &arg in &data.args {
            let arg = self.arg(arg);
            operands.push(Operand::one(self.signed(row, operands.len(), arg)));
        }
        let result = data.results.first().map(|&result| self.own(result));
        let instr = Instr { changes: is_store, ..Instr::one(row, false, operands, result, self.origin) };
        self.nodes.push(Node::Op(Box::new(instr)));
    }

    /// The address of a word. Ops move it down to the word that it lies in; a set that does not gets it moved.
    fn address_of_word(&mut self, value: ValueId) -> Arg {
        let arg = self.arg(value);
        if !self.target.abilities.aligns || is_multiple_of_4(self.func, value, DEPTH) {
            return arg;
        }
        match (arg.bits(), self.rows.get(Meaning::Each(Op::Iand))) {
            (Some(bits), _) => Arg::imm(bits & !3),
            (None, Some(and)) => {
                let (arg, fresh) = (self.signed(and, 0, arg), self.fresh());
                Arg::value(self.each(and, Slot::plain(Decl::F32), &[arg, Arg::imm(!3)], fresh))
            }
            (None, None) => arg,
        }
    }

    /// A system value.
    pub(super) fn system(&mut self, op: OpId, value: SysVal) {
        let result = self.func.ops[op].results[0];
        let place = match value {
            SysVal::LocalX => (SystemValue::Thread, 0),
            SysVal::LocalY => (SystemValue::Thread, 1),
            SysVal::LocalZ => (SystemValue::Thread, 2),
            SysVal::GroupX => (SystemValue::Block, 0),
            SysVal::GroupY => (SystemValue::Block, 1),
            SysVal::GroupZ => (SystemValue::Block, 2),
            SysVal::GridX => (SystemValue::Size, 0),
            SysVal::GridY => (SystemValue::Size, 1),
            SysVal::GridZ => (SystemValue::Size, 2),
            SysVal::SampleId => (SystemValue::Sample, 0),
            SysVal::SampleMask => (SystemValue::Mask, 0),
            SysVal::HelperLane => (SystemValue::Helper, 0),
            SysVal::FrontFacing => (SystemValue::Face, 0),
            SysVal::SampleCount => (SystemValue::Samples, 0),
            SysVal::SampleShading => (SystemValue::Shading, 0),
            SysVal::QuadLane => (SystemValue::Lane, 0),
            other => return self.missing(&format!("sys.{}", other.name())),
        };
        if !self.target.abilities.system_values.contains(&value) {
            return self.missing(&format!("sys.{}", value.name()));
        }
        self.hold(result, Arg::plain(Base::System(place.0, place.1)));
    }
}

/// Most operations that are looked through for a factor of 4.
const DEPTH: u32 = 8;

/// Whether a word is known to be a multiple of 4.
fn is_multiple_of_4(func: &Func, value: ValueId, depth: u32) -> bool {
    let Some(op) = func.def_op(value).filter(|_| depth > 0) else { return false };
    let data = &func.ops[op];
    let is_one = |n: usize| is_multiple_of_4(func, data.args[n], depth - 1);
    match data.kind {
        OpKind::Literal(bits) => bits & 3 == 0,
        OpKind::Num(Op::Imul | Op::Iand) => is_one(0) || is_one(1),
        OpKind::Num(Op::Iadd | Op::Isub | Op::Ior) => is_one(0) && is_one(1),
        OpKind::Num(Op::Shl) => match func.def_op(data.args[1]).map(|op| func.ops[op].kind) {
            Some(OpKind::Literal(count)) => (2..32).contains(&count) || is_one(0),
            _ => is_one(0),
        },
        OpKind::Select => is_one(1) && is_one(2),
        _ => false,
    }
}

/// Words of a memory that a workgroup shares, where a text does not say how many (docs/tgsi.md).
pub(crate) const MEMORY: u32 = 32_768 / 4;

const LARGER: &str = "memory of a workgroup as 32,768 bytes: other words where a program reads behind its own";

const ATOMIC: &str = "atomic loads and stores of words as plain ones: a search for races sees others";
