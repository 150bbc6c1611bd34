//! Subgroups: in kernels as wide as the model says, in other stages four neighbouring invocations, a quad.

use super::value::{Scalars, Value};
use super::{Ctx, Lift};
use crate::module::Instruction;
use crate::types::Scalar;
use parallax_core::{OpKind, Reduction, Scan, Stage, SysVal, ValueId};
use parallax_num::{Decl, Op};
use rspirv::spirv::{BuiltIn, GroupOperation, Op as Code};

/// Invocations of a quad.
const QUAD: u32 = 4;

/// Words of a ballot.
const WORDS: u32 = 4;

/// The scope that is a subgroup.
pub(super) const SUBGROUP: i128 = 3;

/// What a reduction or scan combines values with.
#[derive(Copy, Clone)]
enum Combine {
    Integer(Op),
    Float(Op),
    Logic(Op),
}

/// Whether an instruction, or the variable that it makes, is about subgroups.
pub(super) fn is_of_subgroups(instruction: &Instruction, built_in: Option<BuiltIn>) -> bool {
    use BuiltIn::*;
    const CORE: std::ops::RangeInclusive<u32> =
        Code::GroupNonUniformElect as u32..=Code::GroupNonUniformQuadSwap as u32;
    const KHR: std::ops::RangeInclusive<u32> = Code::SubgroupBallotKHR as u32..=Code::SubgroupReadInvocationKHR as u32;
    let is_built_in = matches!(
        built_in,
        Some(
            SubgroupSize
                | SubgroupLocalInvocationId
                | SubgroupId
                | NumSubgroups
                | SubgroupEqMask
                | SubgroupGeMask
                | SubgroupGtMask
                | SubgroupLeMask
                | SubgroupLtMask
        )
    );
    let code = instruction.op as u32;
    is_built_in || CORE.contains(&code) || KHR.contains(&code)
}

impl Ctx<'_, '_> {
    /// Whether subgroups may be wider than a quad.
    fn is_kernel(&self) -> bool {
        self.l.b.func.iface.stage == Stage::Compute
    }

    /// Number of the invocation in its subgroup.
    pub(super) fn lane(&mut self) -> ValueId {
        self.system_word(if self.is_kernel() { SysVal::SubgroupLane } else { SysVal::QuadLane })
    }

    /// Invocations of a subgroup.
    pub(super) fn subgroup_size(&mut self) -> ValueId {
        match self.is_kernel() {
            true => self.system_word(SysVal::SubgroupSize),
            false => self.l.b.i32(QUAD),
        }
    }

    /// Lets the invocations that go in step do something one after the other, in their order.
    pub(super) fn in_turn(&mut self, mut each: impl FnMut(&mut Self) -> Lift<()>) -> Lift<()> {
        if !self.has_subgroups {
            for lane in 0..QUAD {
                self.l.begin_turn(lane);
                let done = each(self);
                self.l.end_if();
                done?;
            }
            return Ok(());
        }
        let (lane, size) = (self.lane(), self.subgroup_size());
        let turns = self.l.begin_turns(lane, size);
        let done = each(self);
        self.l.end_turns(turns);
        done
    }

    /// A bit for each active invocation whose predicate is true, in the words of a ballot.
    fn ballot(&mut self, pred: ValueId) -> [ValueId; WORDS as usize] {
        if self.is_kernel() {
            return [0, 1, 2, 3].map(|word| self.l.b.value(OpKind::GroupBallot { word }, None, &[pred]));
        }
        let (lane, zero) = (self.lane(), self.l.b.i32(0));
        let mut bits = zero;
        for n in 0..QUAD {
            let number = self.l.b.i32(n);
            let is_it = self.l.b.int(Op::Ieq, &[lane, number]);
            let both = self.l.b.int(Op::Pand, &[pred, is_it]);
            let holds = self.l.b.quad(OpKind::QuadAny, both);
            let bit = self.l.b.i32(1 << n);
            let bit = self.l.b.select(holds, bit, zero);
            bits = self.l.b.int(Op::Ior, &[bits, bit]);
        }
        [bits, zero, zero, zero]
    }

    /// The first number in the words of a ballot, or the last; all ones if there is none.
    fn found(&mut self, words: &[ValueId], last: bool) -> ValueId {
        let op = if last { Op::Umsb } else { Op::Lsb };
        let (zero, mut found) = (self.l.b.i32(0), self.l.b.i32(u32::MAX));
        let count = words.len();
        for n in 0..count {
            let n = if last { n } else { count - 1 - n };
            let (bit, first) = (self.l.b.int(op, &[words[n]]), self.l.b.i32(32 * n as u32));
            let number = self.l.b.int(Op::Iadd, &[bit, first]);
            let is_here = self.l.b.int(Op::Ine, &[words[n], zero]);
            found = self.l.b.select(is_here, number, found);
        }
        found
    }

    /// The number of the first active invocation.
    fn first_active(&mut self) -> ValueId {
        let all = self.l.b.pred(true);
        let active = self.ballot(all);
        self.found(&active, false)
    }

    /// Whether a predicate holds in all active invocations, or in any.
    fn vote(&mut self, pred: ValueId, all: bool) -> ValueId {
        if !self.is_kernel() {
            return self.l.b.quad(if all { OpKind::QuadAll } else { OpKind::QuadAny }, pred);
        }
        let asked = if all { self.l.b.int(Op::Pnot, &[pred]) } else { pred };
        let [a, b, c, d] = self.ballot(asked);
        let (ab, cd) = (self.l.b.int(Op::Ior, &[a, b]), self.l.b.int(Op::Ior, &[c, d]));
        let (bits, zero) = (self.l.b.int(Op::Ior, &[ab, cd]), self.l.b.i32(0));
        self.l.b.int(if all { Op::Ieq } else { Op::Ine }, &[bits, zero])
    }

    /// What the invocation of a number holds.
    fn held_by(&mut self, value: ValueId, lane: ValueId) -> ValueId {
        let kind = if self.is_kernel() { OpKind::GroupShuffle } else { OpKind::QuadShuffle };
        self.l.b.value(kind, None, &[value, lane])
    }

    /// The words of a mask whose lowest `count` bits are set, `count` being 0 to 128.
    fn lowest(&mut self, count: ValueId) -> [ValueId; WORDS as usize] {
        [0, 1, 2, 3].map(|word: u32| {
            let (before, zero, all) = (self.l.b.i32(32 * word), self.l.b.i32(0), self.l.b.i32(32));
            let rest = self.l.b.int(Op::Isub, &[count, before]);
            let rest = self.l.b.int(Op::Imax, &[rest, zero]);
            let (one, ones) = (self.l.b.i32(1), self.l.b.i32(u32::MAX));
            let bit = self.l.b.int(Op::Shl, &[one, rest]);
            let part = self.l.b.int(Op::Isub, &[bit, one]);
            let is_whole = self.l.b.int(Op::Ile, &[all, rest]);
            self.l.b.select(is_whole, ones, part)
        })
    }

    fn each_word(&mut self, op: Op, a: &[ValueId], b: &[ValueId]) -> Vec<ValueId> {
        a.iter().zip(b).map(|(&a, &b)| self.l.b.int(op, &[a, b])).collect()
    }

    /// The built-in masks of invocations, by how their numbers compare with the own one.
    pub(super) fn subgroup_mask(&mut self, built_in: BuiltIn) -> Vec<ValueId> {
        let (lane, size, one) = (self.lane(), self.subgroup_size(), self.l.b.i32(1));
        let next = self.l.b.int(Op::Iadd, &[lane, one]);
        let [below, up_to, all] = [lane, next, size].map(|count| self.lowest(count));
        match built_in {
            BuiltIn::SubgroupLtMask => below.to_vec(),
            BuiltIn::SubgroupLeMask => up_to.to_vec(),
            BuiltIn::SubgroupGeMask => self.each_word(Op::Ixor, &all, &below),
            BuiltIn::SubgroupGtMask => self.each_word(Op::Ixor, &all, &up_to),
            _ => self.each_word(Op::Ixor, &up_to, &below),
        }
    }

    /// The words of a ballot that is an operand, without the bits of invocations that do not exist.
    fn ballot_operand(&mut self, id: u32) -> Lift<Vec<ValueId>> {
        let (words, size) = (self.forced(id)?, self.subgroup_size());
        let all = self.lowest(size);
        Ok(self.each_word(Op::Iand, &words, &all))
    }

    /// Whether bit `at` of a ballot is set.
    fn bit_of(&mut self, words: &[ValueId], at: ValueId) -> ValueId {
        let (five, one) = (self.l.b.i32(5), self.l.b.i32(1));
        let number = self.l.b.int(Op::Ushr, &[at, five]);
        let mut word = words[0];
        for (n, &other) in words.iter().enumerate().skip(1) {
            let n = self.l.b.i32(n as u32);
            let is_it = self.l.b.int(Op::Ieq, &[number, n]);
            word = self.l.b.select(is_it, other, word);
        }
        let shifted = self.l.b.int(Op::Ushr, &[word, at]);
        let bit = self.l.b.int(Op::Iand, &[shifted, one]);
        self.l.b.int(Op::Ieq, &[bit, one])
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
                vec![self.vote(pred, is_all)]
            }
            Code::GroupNonUniformQuadAllKHR | Code::GroupNonUniformQuadAnyKHR => {
                let is_all = instruction.op == Code::GroupNonUniformQuadAllKHR;
                let pred = self.single(words[0])?;
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
                vec![self.vote(all, true)]
            }
            Code::GroupNonUniformBallot | Code::SubgroupBallotKHR => {
                let pred = self.single(words[words.len() - 1])?;
                self.ballot(pred).to_vec()
            }
            Code::GroupNonUniformInverseBallot | Code::GroupNonUniformBallotBitExtract => {
                let bits = self.forced(words[1])?;
                let at = match words.get(2) {
                    Some(&id) => self.index(id)?,
                    None => self.lane(),
                };
                vec![self.bit_of(&bits, at)]
            }
            Code::GroupNonUniformBallotFindLSB | Code::GroupNonUniformBallotFindMSB => {
                let bits = self.ballot_operand(words[1])?;
                vec![self.found(&bits, instruction.op == Code::GroupNonUniformBallotFindMSB)]
            }
            Code::GroupNonUniformBallotBitCount => {
                let mut bits = self.ballot_operand(words[2])?;
                let lane = self.lane();
                let before = match self.scan(words[1])? {
                    Scan::All => None,
                    Scan::Exclusive => Some(lane),
                    Scan::Inclusive => {
                        let one = self.l.b.i32(1);
                        Some(self.l.b.int(Op::Iadd, &[lane, one]))
                    }
                };
                if let Some(before) = before {
                    let below = self.lowest(before);
                    bits = self.each_word(Op::Iand, &bits, &below);
                }
                let mut count = self.l.b.i32(0);
                for word in bits {
                    let set = self.l.b.int(Op::Popc, &[word]);
                    count = self.l.b.int(Op::Iadd, &[count, set]);
                }
                vec![count]
            }
            Code::GroupNonUniformBroadcastFirst | Code::SubgroupFirstInvocationKHR => {
                let first = self.first_active();
                self.of_lane(words[words.len() - 1], first)?
            }
            Code::GroupNonUniformBroadcast | Code::GroupNonUniformShuffle | Code::SubgroupReadInvocationKHR => {
                let (value, lane) = (words[words.len() - 2], self.index(words[words.len() - 1])?);
                self.of_lane(value, lane)?
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
            // By a number of places inside of each cluster.
            Code::GroupNonUniformRotateKHR => {
                let (lane, by, one) = (self.lane(), self.index(words[2])?, self.l.b.i32(1));
                let size = match words.get(3) {
                    Some(&id) => self.index(id)?,
                    None => self.subgroup_size(),
                };
                let inside = self.l.b.int(Op::Isub, &[size, one]);
                let outside = self.l.b.int(Op::Inot, &[inside]);
                let turned = self.l.b.int(Op::Iadd, &[lane, by]);
                let (place, first) =
                    (self.l.b.int(Op::Iand, &[turned, inside]), self.l.b.int(Op::Iand, &[lane, outside]));
                let from = self.l.b.int(Op::Ior, &[first, place]);
                self.of_lane(words[1], from)?
            }
            Code::GroupNonUniformQuadBroadcast | Code::GroupNonUniformQuadSwap => {
                let mut lane = self.index(words[2])?;
                if instruction.op == Code::GroupNonUniformQuadSwap {
                    let (own, one) = (self.system_word(SysVal::QuadLane), self.l.b.i32(1));
                    let by = self.l.b.int(Op::Iadd, &[lane, one]);
                    lane = self.l.b.int(Op::Ixor, &[own, by]);
                }
                let values = self.forced(words[1])?.into_iter();
                values.map(|value| self.l.b.value(OpKind::QuadShuffle, None, &[value, lane])).collect()
            }
            _ => return Ok(None),
        };
        self.scalars_for(ty, out).map(Some)
    }

    fn of_lane(&mut self, id: u32, lane: ValueId) -> Lift<Vec<ValueId>> {
        let values = self.forced(id)?;
        Ok(values.into_iter().map(|value| self.held_by(value, lane)).collect())
    }

    /// Which invocations count in a group operation.
    fn scan(&self, operation: u32) -> Lift<Scan> {
        match GroupOperation::from_u32(operation) {
            Some(GroupOperation::Reduce | GroupOperation::ClusteredReduce) => Ok(Scan::All),
            Some(GroupOperation::InclusiveScan) => Ok(Scan::Inclusive),
            Some(GroupOperation::ExclusiveScan) => Ok(Scan::Exclusive),
            _ => self.unsupported("spirv-group-unsupported", "a group operation of this kind"),
        }
    }

    /// Reductions and scans over the active invocations, in the order of their numbers.
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
        let scan = self.scan(words[1])?;
        let cluster = match words.get(3) {
            Some(&id) => self.needs_constant(id)?,
            None if GroupOperation::from_u32(words[1]) == Some(GroupOperation::ClusteredReduce) => {
                return self.invalid("a clustered reduction without a size");
            }
            None => 0,
        };
        if cluster != 0 && !cluster.is_power_of_two() {
            return self.invalid(format!("a cluster of {cluster} invocations is not a power of two"));
        }
        // None are wider than the widest subgroup.
        let cluster = cluster.min(128) as u8;
        let scalar = self.scalar_of(words[2])?;
        let start = self.identity(scalar, identity);
        let mut out = Scalars::new();
        for value in self.forced(words[2])? {
            let sum = match (combine, self.is_kernel()) {
                (Integer(op), true) => {
                    self.reduced_integers(Reduction { op, scan, cluster }, scalar, [value, start])?
                }
                (Logic(op), true) => {
                    self.l.b.value(OpKind::GroupReduce(Reduction { op, scan, cluster }), None, &[value, start])
                }
                (Float(op), true) => {
                    let decl = self.decl(scalar)?;
                    self.reduced_floats(instruction.id, Reduction { op, scan, cluster }, decl, [value, start])
                }
                (_, false) => self.reduced_in_quad(instruction.id, combine, (scan, cluster), scalar, [value, start])?,
            };
            out.push(sum.into());
        }
        Ok(Some(Value::Scalars(out)))
    }

    /// Narrow integers stand in words: those that are compared by their sign are extended by it.
    fn reduced_integers(&mut self, reduction: Reduction, scalar: Scalar, args: [ValueId; 2]) -> Lift<ValueId> {
        let (bits, mut op) = (scalar.bits(), reduction.op);
        let mut args = args;
        if bits == 64 {
            match super::scalar::wide(op) {
                Some(wide) => op = wide,
                None => return self.unsupported("spirv-int64-unsupported", format!("{} of 64 bits", op.name())),
            }
        } else if matches!(op, Op::Imin | Op::Imax) {
            args = args.map(|arg| self.sign_extended(arg, bits));
        }
        let sum = self.l.b.value(OpKind::GroupReduce(Reduction { op, ..reduction }), None, &args);
        Ok(if bits < 32 { self.low_bits(sum, bits) } else { sum })
    }

    fn reduced_floats(&mut self, id: u32, reduction: Reduction, decl: Decl, args: [ValueId; 2]) -> ValueId {
        let Some(relaxed) = self.relaxed(id, decl) else {
            let slot = self.slot(id, decl);
            return self.l.b.value(OpKind::GroupReduce(reduction), Some(slot), &args);
        };
        let args = args.map(|arg| self.float_to(id, relaxed, arg));
        let slot = self.slot(id, relaxed);
        let sum = self.l.b.value(OpKind::GroupReduce(reduction), Some(slot), &args);
        self.float_to(id, decl, sum)
    }

    /// The same in a quad, step by step.
    fn reduced_in_quad(
        &mut self,
        id: u32,
        combine: Combine,
        (scan, cluster): (Scan, u8),
        scalar: Scalar,
        [value, start]: [ValueId; 2],
    ) -> Lift<ValueId> {
        let (lane, all) = (self.lane(), self.l.b.pred(true));
        let [active, ..] = self.ballot(all);
        let part = if matches!(cluster, 1 | 2) { u32::from(cluster) } else { QUAD };
        let rest = self.l.b.i32(!(part - 1));
        let own = self.l.b.int(Op::Iand, &[lane, rest]);
        let mut sum = start;
        for n in 0..QUAD {
            let number = self.l.b.i32(n);
            let other = self.held_by(value, number);
            let next = match combine {
                Combine::Integer(op) => self.integer(op, scalar, &[sum, other])?,
                Combine::Float(op) => {
                    let decl = self.decl(scalar)?;
                    self.float(id, op, decl, &[sum, other])
                }
                Combine::Logic(op) => self.l.b.int(op, &[sum, other]),
            };
            let (bit, zero) = (self.l.b.i32(1 << n), self.l.b.i32(0));
            let bit = self.l.b.int(Op::Iand, &[active, bit]);
            let mut counts = self.l.b.int(Op::Ine, &[bit, zero]);
            let before = match scan {
                Scan::Inclusive => Some((Op::Ule, lane, number)),
                Scan::Exclusive => Some((Op::Ult, lane, number)),
                // In the same cluster.
                Scan::All if part < QUAD => Some((Op::Ieq, own, self.l.b.i32(n & !(part - 1)))),
                Scan::All => None,
            };
            if let Some((op, own, number)) = before {
                let is_counted = self.l.b.int(op, &[number, own]);
                counts = self.l.b.int(Op::Pand, &[counts, is_counted]);
            }
            sum = self.l.b.select(counts, next, sum);
        }
        Ok(sum)
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
