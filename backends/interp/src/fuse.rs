//! Primitives that run as one: what recurs in step programs and would cost a pass over a row each.

use crate::steps::{MAX_ADDENDS, SMALLEST_ADDEND, With};
use parallax_step::{Direction, Function, Id, Inst, Mode, OpNumber, Prim, RegionNumber, Ty};
use smallvec::SmallVec;

/// No op, or no value.
const NONE: u32 = u32::MAX;

/// What is known of an op.
#[derive(Copy, Clone)]
struct Part {
    /// Whether it runs as part of a later one.
    is_part: bool,
    /// The earlier op that runs as part of this one.
    earlier: OpNumber,
    /// The factor that all terms of a polynomial have, if it is the last one of some.
    factor: Id,
    /// Number of these terms.
    terms: u32,
}

/// What is fused in a function.
pub(crate) struct Fused {
    parts: Vec<Part>,
    /// Of each value the op that makes it, if that is a primitive with a row of its own.
    maker: Vec<OpNumber>,
}

/// Finds the primitives that run as one. `root` are the values in whose rows values lie.
pub(crate) fn fuse(function: &Function, root: &[Id]) -> Fused {
    let values = function.values.len();
    let mut uses = vec![0u32; values];
    let mut home: Vec<RegionNumber> = vec![0; values];
    let part = Part { is_part: false, earlier: NONE, factor: NONE, terms: 0 };
    let mut fused = Fused { parts: vec![part; function.ops.len()], maker: vec![NONE; values] };
    function.walk(|region, number| {
        let op = &function.ops[number as usize];
        function.args(op).iter().for_each(|&arg| uses[root[arg as usize] as usize] += 1);
        if op.inst().is_some() && root[op.result() as usize] == op.result() {
            fused.maker[op.result() as usize] = number;
            home[op.result() as usize] = region;
        }
    });
    function.walk(|region, number| {
        let Some(inst) = function.ops[number as usize].inst() else { return };
        // Both run where the later one stands: nothing else may need the earlier one, nor another region.
        let is_free = |value: Id| uses[value as usize] == 1 && home[value as usize] == region;
        match inst.prim {
            Prim::First if is_free(inst.args[0]) => fused.choice(function, number, inst),
            Prim::Fma if inst.ty == Ty::F64 => fused.term(function, number, inst, is_free),
            _ => {}
        }
    });
    fused
}

impl Fused {
    /// A choice of the NaN runs with the rounding primitive before it.
    fn choice(&mut self, function: &Function, number: OpNumber, first: &Inst) {
        let made = self.maker[first.args[0] as usize];
        let Some(inst) = function.ops.get(made as usize).and_then(|op| op.inst()) else { return };
        let rounds = matches!(
            inst.prim,
            Prim::Fadd | Prim::Fsub | Prim::Fmul | Prim::Fmulz | Prim::Fdiv | Prim::Fsqrt | Prim::Fma | Prim::Round
        );
        if rounds && self.parts[made as usize].earlier == NONE {
            self.join(made, number);
        }
    }

    /// A term of a polynomial, `fma(x, sum, addend)`, runs with those before it.
    fn term(&mut self, function: &Function, number: OpNumber, inst: &Inst, is_free: impl Fn(Id) -> bool) {
        let nearest = Mode::from_word(inst.imm).is_some_and(|mode| mode.direction == Direction::Nearest);
        let addend = self.number(function, inst.args[2]);
        if !nearest || addend.is_none_or(|addend| addend.abs() < SMALLEST_ADDEND) {
            return;
        }
        let [a, b, ..] = inst.args;
        for (x, sum) in [(a, b), (b, a)] {
            if self.number(function, sum).is_some() {
                // The first term has a constant in the place of the sum.
                (self.parts[number as usize].factor, self.parts[number as usize].terms) = (x, 1);
                return;
            }
            let made = self.maker[sum as usize];
            let Some(before) = self.parts.get(made as usize).copied().filter(|_| is_free(sum)) else { continue };
            let continues = before.factor == x && (before.terms as usize) <= MAX_ADDENDS;
            if continues && function.ops[made as usize].inst().is_some_and(|earlier| earlier.imm == inst.imm) {
                self.join(made, number);
                (self.parts[number as usize].factor, self.parts[number as usize].terms) = (x, before.terms + 1);
                return;
            }
        }
    }

    fn join(&mut self, earlier: OpNumber, later: OpNumber) {
        self.parts[earlier as usize].is_part = true;
        self.parts[later as usize].earlier = earlier;
    }

    /// The bits of a constant.
    pub(crate) fn constant(&self, function: &Function, value: Id) -> Option<u64> {
        let inst = function.ops.get(self.maker[value as usize] as usize)?.inst()?;
        (inst.prim == Prim::Const).then_some(inst.imm)
    }

    /// A constant of binary64.
    fn number(&self, function: &Function, value: Id) -> Option<f64> {
        self.constant(function, value).map(f64::from_bits)
    }

    /// Whether an op runs as part of a later one.
    pub(crate) fn is_part(&self, op: OpNumber) -> bool {
        self.parts[op as usize].is_part
    }

    /// The first instruction of those that run where an op stands, what runs together with it, and the values that they read,
    /// once for each time.
    pub(crate) fn whole(&self, function: &Function, op: OpNumber, last: Inst) -> (Inst, With, SmallVec<[Id; 8]>) {
        let mut read: SmallVec<[Id; 8]> = SmallVec::new();
        let mut addends = Vec::new();
        let (mut at, mut inst) = (op, last);
        while let Some(&earlier) = function.ops.get(self.parts[at as usize].earlier as usize).and_then(|op| op.inst()) {
            if inst.prim == Prim::First {
                read.extend_from_slice(&inst.args()[1..]);
            } else {
                addends.extend(self.number(function, inst.args[2]));
                read.extend([self.parts[at as usize].factor, inst.args[2]]);
            }
            at = self.parts[at as usize].earlier;
            inst = earlier;
        }
        read.extend_from_slice(inst.args());
        let with = match (last.prim, addends.is_empty()) {
            (Prim::First, _) if at != op => With::First(last),
            (_, true) => With::Nothing,
            (_, false) => {
                addends.reverse();
                // The factor of all terms stands first.
                if inst.args[0] != self.parts[at as usize].factor {
                    inst.args.swap(0, 1);
                }
                With::Polynomial(addends.into())
            }
        };
        (inst, with, read)
    }
}
