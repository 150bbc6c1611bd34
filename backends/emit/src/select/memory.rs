//! Memory of kernels, and where an invocation of one is.

use super::Select;
use crate::form::{Arg, Base, Instr, Node, Operand, SystemValue};
use crate::target::Meaning;
use parallax_core::{Access, OpId, OpKind, SysVal};
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
        if decl.and_then(|decl| decl.workgroup).is_some_and(|words| words < MEMORY) {
            self.notes.inexact(LARGER);
        }
        if let (Meaning::Size, Some(words)) = (meaning, decl.and_then(|decl| decl.workgroup)) {
            // A text does not say how much memory a workgroup shares.
            return self.hold(data.results[0], Arg::imm(words.saturating_mul(4)));
        }
        let Some(row) = self.rows.get(meaning) else { return self.missing(data.kind.word()) };
        let mut operands: SmallVec<[Operand; 3]> = SmallVec::new();
        operands.extend(buffer.map(|buffer| Operand::one(Arg::plain(Base::Buffer(buffer)))));
        for &arg in &data.args {
            let arg = self.arg(arg);
            let arg = self.signed(row, operands.len(), arg);
            operands.push(Operand::one(arg));
        }
        let changes = !matches!(meaning, Meaning::Load | Meaning::Size);
        let result = data.results.first().map(|&result| self.own(result));
        let instr = Instr { changes, ..Instr::one(row, false, operands, result, self.origin) };
        self.nodes.push(Node::Op(Box::new(instr)));
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

/// Words of a memory that a workgroup shares, where a text does not say how many (docs/tgsi.md).
pub(crate) const MEMORY: u32 = 32_768 / 4;

const LARGER: &str = "memory of a workgroup as 32,768 bytes: other words where a program reads behind its own";

const ATOMIC: &str = "atomic loads and stores of words as plain ones: a search for races sees others";
