//! Subgroups: four neighbouring invocations, a quad.

use super::value::{Scalars, Value};
use super::{Ctx, Lift};
use crate::module::Instruction;
use crate::types::Scalar;
use parallax_core::{OpKind, SysVal, ValueId};
use parallax_num::Op;
use rspirv::spirv::{GroupOperation, Op as Code};

/// Invocations of a subgroup.
pub(super) const SIZE: u32 = 4;

/// What a reduction or scan combines values with.
#[derive(Copy, Clone)]
enum Combine {
    Integer(Op),
    Float(Op),
    Logic(Op),
}

impl Ctx<'_, '_> {
    /// Number of the invocation in its subgroup.
    pub(super) fn lane(&mut self) -> ValueId {
        self.system_word(SysVal::QuadLane)
    }

    pub(super) fn is_lane(&mut self, number: u32) -> ValueId {
        let (lane, number) = (self.lane(), self.l.b.i32(number));
        self.l.b.int(Op::Ieq, &[lane, number])
    }

    /// A bit for each executing invocation whose predicate is true.
    fn ballot(&mut self, pred: ValueId) -> ValueId {
        let mut bits = self.l.b.i32(0);
        for n in 0..SIZE {
            let is_it = self.is_lane(n);
            let both = self.l.b.int(Op::Pand, &[pred, is_it]);
            let holds = self.l.b.quad(OpKind::QuadAny, both);
            let (bit, zero) = (self.l.b.i32(1 << n), self.l.b.i32(0));
            let bit = self.l.b.select(holds, bit, zero);
            bits = self.l.b.int(Op::Ior, &[bits, bit]);
        }
        bits
    }

    /// A bit for each executing invocation.
    fn active(&mut self) -> ValueId {
        let all = self.l.b.pred(true);
        self.ballot(all)
    }

    /// What the invocation of a number holds.
    fn held_by(&mut self, value: ValueId, lane: ValueId) -> ValueId {
        self.l.b.value(OpKind::QuadShuffle, None, &[value, lane])
    }

    fn first_active(&mut self) -> ValueId {
        let active = self.active();
        self.l.b.int(Op::Lsb, &[active])
    }

    /// Instructions on subgroups; `None` for others.
    pub(super) fn group(&mut self, instruction: &Instruction, words: &[u32]) -> Lift<Option<Value>> {
        if let Some(value) = self.reduce(instruction, words)? {
            return Ok(Some(value));
        }
        let ty = instruction.ty;
        let out: Vec<ValueId> = match instruction.op {
            Code::GroupNonUniformElect => {
                let (lane, first) = (self.lane(), self.first_active());
                vec![self.l.b.int(Op::Ieq, &[lane, first])]
            }
            Code::GroupNonUniformAll | Code::GroupNonUniformAny | Code::SubgroupAllKHR | Code::SubgroupAnyKHR => {
                let is_all = matches!(instruction.op, Code::GroupNonUniformAll | Code::SubgroupAllKHR);
                let pred = self.single(words[words.len() - 1])?;
                vec![self.l.b.quad(if is_all { OpKind::QuadAll } else { OpKind::QuadAny }, pred)]
            }
            Code::GroupNonUniformAllEqual | Code::SubgroupAllEqualKHR => {
                let id = words[words.len() - 1];
                let (scalar, first) = (self.scalar_of(id)?, self.first_active());
                let mut all = self.l.b.pred(true);
                for value in self.forced(id)? {
                    let other = self.held_by(value, first);
                    let same = match scalar {
                        Scalar::Bool => {
                            let differs = self.l.b.int(Op::Pxor, &[value, other]);
                            self.l.b.int(Op::Pnot, &[differs])
                        }
                        Scalar::Int { .. } => self.integer(Op::Ieq, scalar, &[value, other])?,
                        Scalar::Float(decl) => self.float(instruction.id, Op::FEq, decl, &[value, other]),
                    };
                    all = self.l.b.int(Op::Pand, &[all, same]);
                }
                vec![self.l.b.quad(OpKind::QuadAll, all)]
            }
            Code::GroupNonUniformBallot | Code::SubgroupBallotKHR => {
                let pred = self.single(words[words.len() - 1])?;
                let (bits, zero) = (self.ballot(pred), self.l.b.i32(0));
                vec![bits, zero, zero, zero]
            }
            Code::GroupNonUniformInverseBallot | Code::GroupNonUniformBallotBitExtract => {
                let bits = self.forced(words[1])?[0];
                let at = match words.get(2) {
                    Some(&id) => self.index(id)?,
                    None => self.lane(),
                };
                let (shifted, one) = (self.l.b.int(Op::Ushr, &[bits, at]), self.l.b.i32(1));
                let bit = self.l.b.int(Op::Iand, &[shifted, one]);
                vec![self.l.b.int(Op::Ieq, &[bit, one])]
            }
            Code::GroupNonUniformBallotFindLSB | Code::GroupNonUniformBallotFindMSB => {
                let (bits, all) = (self.forced(words[1])?[0], self.l.b.i32((1 << SIZE) - 1));
                let bits = self.l.b.int(Op::Iand, &[bits, all]);
                let op = if instruction.op == Code::GroupNonUniformBallotFindLSB { Op::Lsb } else { Op::Umsb };
                vec![self.l.b.int(op, &[bits])]
            }
            Code::GroupNonUniformBallotBitCount => {
                let bits = self.forced(words[2])?[0];
                let mask = match GroupOperation::from_u32(words[1]) {
                    Some(GroupOperation::Reduce) => self.l.b.i32((1 << SIZE) - 1),
                    Some(operation @ (GroupOperation::InclusiveScan | GroupOperation::ExclusiveScan)) => {
                        let lane = self.lane();
                        let two = self.l.b.i32(if operation == GroupOperation::InclusiveScan { 2 } else { 1 });
                        let (above, one) = (self.l.b.int(Op::Shl, &[two, lane]), self.l.b.i32(1));
                        self.l.b.int(Op::Isub, &[above, one])
                    }
                    _ => return self.unsupported("spirv-group-unsupported", "a group operation of this kind"),
                };
                let bits = self.l.b.int(Op::Iand, &[bits, mask]);
                vec![self.l.b.int(Op::Popc, &[bits])]
            }
            Code::GroupNonUniformBroadcastFirst | Code::SubgroupFirstInvocationKHR => {
                let first = self.first_active();
                self.of_lane(words[words.len() - 1], first)?
            }
            Code::GroupNonUniformBroadcast | Code::GroupNonUniformShuffle | Code::GroupNonUniformQuadBroadcast => {
                let lane = self.index(words[2])?;
                self.of_lane(words[1], lane)?
            }
            Code::GroupNonUniformShuffleXor | Code::GroupNonUniformShuffleUp | Code::GroupNonUniformShuffleDown => {
                let (lane, by) = (self.lane(), self.index(words[2])?);
                let op = match instruction.op {
                    Code::GroupNonUniformShuffleXor => Op::Ixor,
                    Code::GroupNonUniformShuffleUp => Op::Isub,
                    _ => Op::Iadd,
                };
                let from = self.l.b.int(op, &[lane, by]);
                self.of_lane(words[1], from)?
            }
            Code::GroupNonUniformQuadSwap => {
                let lane = self.lane();
                let direction = self.index(words[2])?;
                let one = self.l.b.i32(1);
                let by = self.l.b.int(Op::Iadd, &[direction, one]);
                let from = self.l.b.int(Op::Ixor, &[lane, by]);
                self.of_lane(words[1], from)?
            }
            _ => return Ok(None),
        };
        self.scalars_for(ty, out).map(Some)
    }

    fn of_lane(&mut self, id: u32, lane: ValueId) -> Lift<Vec<ValueId>> {
        let values = self.forced(id)?;
        Ok(values.into_iter().map(|value| self.held_by(value, lane)).collect())
    }

    /// Reductions and scans over the executing invocations, in the order of their numbers.
    fn reduce(&mut self, instruction: &Instruction, words: &[u32]) -> Lift<Option<Value>> {
        use Combine::*;
        // All ones, the largest and the smallest signed number have the width of the type.
        let (combine, identity): (Combine, f64) = match instruction.op {
            Code::GroupNonUniformIAdd => (Integer(Op::Iadd), 0.0),
            Code::GroupNonUniformFAdd => (Float(Op::Add), 0.0),
            Code::GroupNonUniformIMul => (Integer(Op::Imul), 1.0),
            Code::GroupNonUniformFMul => (Float(Op::Mul), 1.0),
            Code::GroupNonUniformSMin => (Integer(Op::Imin), f64::INFINITY),
            Code::GroupNonUniformUMin => (Integer(Op::Umin), -1.0),
            Code::GroupNonUniformFMin => (Float(Op::Min), f64::INFINITY),
            Code::GroupNonUniformSMax => (Integer(Op::Imax), f64::NEG_INFINITY),
            Code::GroupNonUniformUMax => (Integer(Op::Umax), 0.0),
            Code::GroupNonUniformFMax => (Float(Op::Max), f64::NEG_INFINITY),
            Code::GroupNonUniformBitwiseAnd => (Integer(Op::Iand), -1.0),
            Code::GroupNonUniformBitwiseOr => (Integer(Op::Ior), 0.0),
            Code::GroupNonUniformBitwiseXor => (Integer(Op::Ixor), 0.0),
            Code::GroupNonUniformLogicalAnd => (Logic(Op::Pand), 1.0),
            Code::GroupNonUniformLogicalOr => (Logic(Op::Por), 0.0),
            Code::GroupNonUniformLogicalXor => (Logic(Op::Pxor), 0.0),
            _ => return Ok(None),
        };
        let operation = GroupOperation::from_u32(words[1]);
        if operation == Some(GroupOperation::ClusteredReduce) {
            let Some(&cluster) = words.get(3) else { return self.invalid("a clustered reduction without a size") };
            if self.needs_constant(cluster)? < SIZE {
                return self.unsupported("spirv-group-unsupported", "reductions of clusters below a subgroup");
            }
        } else if !matches!(
            operation,
            Some(GroupOperation::Reduce | GroupOperation::InclusiveScan | GroupOperation::ExclusiveScan)
        ) {
            return self.unsupported("spirv-group-unsupported", "a group operation of this kind");
        }
        let scalar = self.scalar_of(words[2])?;
        let start = self.identity(scalar, identity);
        let lane = self.lane();
        let active = self.active();
        let mut out = Scalars::new();
        for value in self.forced(words[2])? {
            let mut sum = start;
            for n in 0..SIZE {
                let number = self.l.b.i32(n);
                let other = self.held_by(value, number);
                let next = match combine {
                    Integer(op) => self.integer(op, scalar, &[sum, other])?,
                    Float(op) => {
                        let decl = self.decl(scalar)?;
                        self.float(instruction.id, op, decl, &[sum, other])
                    }
                    Logic(op) => self.l.b.int(op, &[sum, other]),
                };
                let (bit, zero) = (self.l.b.i32(1 << n), self.l.b.i32(0));
                let bit = self.l.b.int(Op::Iand, &[active, bit]);
                let mut counts = self.l.b.int(Op::Ine, &[bit, zero]);
                let before = match operation {
                    Some(GroupOperation::InclusiveScan) => Some(Op::Ule),
                    Some(GroupOperation::ExclusiveScan) => Some(Op::Ult),
                    _ => None,
                };
                if let Some(op) = before {
                    let is_before = self.l.b.int(op, &[number, lane]);
                    counts = self.l.b.int(Op::Pand, &[counts, is_before]);
                }
                sum = self.l.b.select(counts, next, sum);
            }
            out.push(sum.into());
        }
        Ok(Some(Value::Scalars(out)))
    }

    /// What leaves the other operand as it is. Infinities stand for the extreme numbers of signed integers, -1 for all ones.
    fn identity(&mut self, scalar: Scalar, value: f64) -> ValueId {
        match scalar {
            Scalar::Bool => self.l.b.pred(value != 0.0),
            Scalar::Float(decl) => self.number(decl, value),
            Scalar::Int { bits, .. } => {
                let largest = (1u64 << (bits - 1)) - 1;
                let bits = match value {
                    f64::INFINITY => largest,
                    f64::NEG_INFINITY => largest + 1,
                    -1.0 => u64::MAX,
                    value => value as u64,
                };
                self.integer_literal(scalar, bits)
            }
        }
    }
}
