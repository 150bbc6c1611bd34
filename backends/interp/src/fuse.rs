//! Primitives that run as one: what recurs in step programs and would cost a pass over a row each.

use crate::steps::{COEFFICIENTS, Finish, MAX_ADDENDS, Polynomial, Shifts, With};
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
    /// Number of these terms; 0 where a later one goes on. A polynomial whose terms have sums starts with one of degree one, which does
    /// not count.
    terms: u32,
    /// The sum of the factor and a constant that stands in the term in its place, if one does.
    shifted: Id,
    /// The op that makes the factor, a square, if it runs as part of the polynomial.
    squared: OpNumber,
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
    let part = Part { is_part: false, earlier: NONE, factor: NONE, terms: 0, shifted: NONE, squared: NONE };
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
        let is_free_in = |inst: &Inst, value: Id| {
            let read = inst.args().iter().filter(|&&arg| arg == value).count() as u32;
            uses[value as usize] == read && home[value as usize] == region
        };
        let is_free = |value: Id| is_free_in(inst, value);
        match (inst.prim, inst.ty) {
            (Prim::First, _) => fused.choice(function, number, inst, is_free),
            (Prim::Fma, Ty::F64) => fused.term(function, number, inst, is_free),
            (Prim::Fmul, Ty::F64) => fused.finish(function, number, inst, is_free),
            (Prim::Disjoint, Ty::I32) => fused.disjoint(function, number, inst, is_free_in),
            (Prim::Add | Prim::Xor, Ty::I64) => fused.shifted(function, number, inst, is_free),
            _ => {}
        }
    });
    // A square that only the terms of one polynomial read.
    for number in 0..fused.parts.len() {
        let Part { factor, terms, .. } = fused.parts[number];
        if terms < 2 {
            continue;
        }
        let made = fused.maker[factor as usize];
        let Some(inst) = function.ops.get(made as usize).and_then(|op| op.inst()) else { continue };
        let last = function.ops[number].inst();
        let is_square = inst.prim == Prim::Fmul && inst.args[0] == inst.args[1];
        let home_of = |op: usize| home[function.ops[op].result() as usize];
        if is_square
            && last.is_some_and(|last| last.imm == inst.imm)
            && uses[factor as usize] == terms
            && home_of(made as usize) == home_of(number)
        {
            fused.parts[made as usize].is_part = true;
            fused.parts[number].squared = made;
        }
    }
    fused
}

impl Fused {
    /// A choice of the NaN runs with the rounding primitive before it.
    fn choice(&mut self, function: &Function, number: OpNumber, first: &Inst, is_free: impl Fn(Id) -> bool) {
        let made = self.maker[first.args[0] as usize];
        let Some(inst) = function.ops.get(made as usize).and_then(|op| op.inst()) else { return };
        let rounds = matches!(
            inst.prim,
            Prim::Fadd
                | Prim::Fsub
                | Prim::Fmul
                | Prim::Fmulz
                | Prim::Fdiv
                | Prim::Fsqrt
                | Prim::Fma
                | Prim::Round
                | Prim::Flush
        );
        if rounds && self.parts[made as usize].earlier == NONE && is_free(first.args[0]) {
            self.join(made, number);
        }
    }

    /// A term of a polynomial, `fma(x, sum, addend)` or `fma(x + c, sum, addend)`, runs with those before it.
    fn term(&mut self, function: &Function, number: OpNumber, inst: &Inst, is_free: impl Fn(Id) -> bool) {
        if !rounds_to_nearest(inst) || !self.is_coefficient(function, inst.args[2]) {
            return self.finish(function, number, inst, is_free);
        }
        let [a, b, ..] = inst.args;
        for (x, sum) in [(a, b), (b, a)] {
            let sum_of = self.with_constant(function, x, inst).filter(|_| is_free(x));
            let (factor, shifted) = sum_of.map_or((x, NONE), |(factor, _)| (factor, x));
            if shifted == NONE && self.is_coefficient(function, sum) {
                // The first term has a constant in the place of the sum.
                (self.parts[number as usize].factor, self.parts[number as usize].terms) = (x, 1);
                return;
            }
            let made = self.maker[sum as usize];
            let Some(before) = self.parts.get(made as usize).copied().filter(|_| is_free(sum)) else { continue };
            let rounds_alike = function.ops[made as usize].inst().is_some_and(|earlier| earlier.imm == inst.imm);
            let continues = before.factor == factor
                && (before.shifted == NONE) == (shifted == NONE)
                && (before.terms as usize) <= MAX_ADDENDS;
            // The first term with a sum has one of another polynomial, of degree one, in the place of the sum so far.
            let starts = shifted != NONE && before.shifted == NONE && before.terms == 1;
            if rounds_alike && (continues || starts) {
                let terms = if continues { before.terms + 1 } else { 1 };
                self.parts[number as usize] = Part { factor, shifted, terms, ..self.parts[number as usize] };
                self.join(made, number);
                if continues {
                    self.parts[made as usize].terms = 0;
                }
                if shifted != NONE {
                    self.parts[self.maker[shifted as usize] as usize].is_part = true;
                }
                return;
            }
        }
        self.finish(function, number, inst, is_free);
    }

    /// The operands of a sum of a value and a coefficient that rounds as an instruction does.
    fn with_constant(&self, function: &Function, sum: Id, like: &Inst) -> Option<(Id, Id)> {
        let made = *self.maker.get(sum as usize)?;
        let inst = function.ops.get(made as usize)?.inst()?;
        let [a, b, ..] = inst.args;
        let is_sum = inst.prim == Prim::Fadd && inst.ty == Ty::F64 && inst.imm == like.imm;
        [(a, b), (b, a)].into_iter().find(|&(_, constant)| is_sum && self.is_coefficient(function, constant))
    }

    /// Whether a value is a constant that polynomials may have.
    fn is_coefficient(&self, function: &Function, value: Id) -> bool {
        self.number(function, value).is_some_and(|number| COEFFICIENTS.contains(&number.abs()))
    }

    /// A product with a polynomial, or a sum with that product, runs with the polynomial.
    fn finish(&mut self, function: &Function, number: OpNumber, inst: &Inst, is_free: impl Fn(Id) -> bool) {
        let [a, b, c, _] = inst.args;
        for (sum, other) in [(b, a), (a, b)] {
            let made = self.maker[sum as usize];
            let Some(before) = self.parts.get(made as usize) else { continue };
            let is_last = before.terms > 1 && is_free(sum) && sum != other && (inst.count == 2 || sum != c);
            if is_last && function.ops[made as usize].inst().is_some_and(|earlier| earlier.imm == inst.imm) {
                return self.join(made, number);
            }
        }
    }

    /// An integer is taken with a shifted value.
    fn shifted(&mut self, function: &Function, number: OpNumber, inst: &Inst, is_free: impl Fn(Id) -> bool) {
        let [a, b, ..] = inst.args;
        for value in [a, b] {
            let Some((made, earlier)) = self.made(function, value, Prim::Shl) else { continue };
            if self.constant(function, earlier.args[1]).is_some() && a != b && is_free(value) {
                return self.join(made, number);
            }
        }
    }

    /// A sum with a lower half is tested for common bits.
    fn disjoint(&mut self, function: &Function, number: OpNumber, inst: &Inst, is_free: impl Fn(&Inst, Id) -> bool) {
        let [a, b, ..] = inst.args;
        for sum in [a, b] {
            let Some((added, add)) = self.made(function, sum, Prim::Add) else { continue };
            for half in [add.args[0], add.args[1]] {
                let Some((taken, _)) = self.made(function, half, Prim::Low) else { continue };
                if a != b && is_free(inst, sum) && add.args[0] != add.args[1] && is_free(add, half) {
                    self.join(taken, added);
                    return self.join(added, number);
                }
            }
        }
    }

    /// The op that makes a value, if it is such a primitive and runs alone.
    fn made<'f>(&self, function: &'f Function, value: Id, prim: Prim) -> Option<(OpNumber, &'f Inst)> {
        let made = self.maker[value as usize];
        let inst = function.ops.get(made as usize)?.inst()?;
        (inst.prim == prim && self.parts[made as usize].earlier == NONE).then_some((made, inst))
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
        let before = |op: OpNumber| {
            let earlier = self.parts[op as usize].earlier;
            function.ops.get(earlier as usize).and_then(|made| made.inst()).map(|&inst| (earlier, inst))
        };
        let mut read: SmallVec<[Id; 8]> = SmallVec::new();
        let Some((made, earlier)) = before(op) else {
            read.extend_from_slice(last.args());
            return (last, With::Nothing, read);
        };
        let result = function.ops[made as usize].result();
        // The operands of the last one but for what the earlier one gives.
        let others = last.args().iter().copied().filter(|&arg| arg != result);
        match last.prim {
            Prim::Fma | Prim::Fmul => {}
            Prim::First => {
                read.extend(others);
                read.extend_from_slice(earlier.args());
                return (earlier, With::First(last), read);
            }
            _ if earlier.prim == Prim::Shl => {
                let by = self.constant(function, earlier.args[1]).unwrap_or(0) as u32 % 64;
                let mut inst = last;
                read.extend(others);
                inst.args[0] = read[0];
                inst.args[1] = earlier.args[0];
                read.extend_from_slice(earlier.args());
                return (inst, With::Shl(by), read);
            }
            _ => {
                let (taken, half) = before(made).unwrap_or((made, earlier));
                let result = function.ops[taken as usize].result();
                read.extend(others);
                read.extend(earlier.args().iter().copied().filter(|&arg| arg != result));
                let (bits, plus) = (read[0], read[1]);
                read.extend_from_slice(half.args());
                return (half, With::Disjoint { plus, bits }, read);
            }
        }
        let (mut at, mut inst, mut finish) = (op, last, Finish::Nothing);
        if self.parts[op as usize].terms == 0 {
            let mut others = others;
            let (by, plus) = (others.next().unwrap_or(result), others.next());
            finish = plus.map_or(Finish::Times(by), |plus| Finish::TimesPlus(by, plus));
            read.push(by);
            read.extend(plus);
            (at, inst) = (made, earlier);
        }
        let Part { factor, squared, .. } = self.parts[at as usize];
        let (mut addends, mut shifts, mut start) = (Vec::new(), Vec::new(), None);
        let mut shift = |at: OpNumber, inst: &Inst, read: &mut SmallVec<[Id; 8]>| {
            if let Some((_, constant)) = self.with_constant(function, self.parts[at as usize].shifted, inst) {
                shifts.extend(self.number(function, constant));
                read.push(constant);
            }
        };
        while let Some((made, earlier)) = before(at) {
            if self.parts[at as usize].shifted != NONE && self.parts[made as usize].shifted == NONE {
                start = Some((made, earlier));
                break;
            }
            addends.extend(self.number(function, inst.args[2]));
            read.extend([factor, inst.args[2]]);
            shift(at, &inst, &mut read);
            (at, inst) = (made, earlier);
        }
        shift(at, &inst, &mut read);
        addends.reverse();
        shifts.reverse();
        // The factor of all terms stands first.
        let shifted = self.parts[at as usize].shifted;
        let x = if shifted == NONE { factor } else { shifted };
        if inst.args[0] != x {
            inst.args.swap(0, 1);
        }
        inst.args[0] = factor;
        let start = start.map(|(made, first)| {
            let y = self.parts[made as usize].factor;
            let by = if first.args[0] == y { first.args[1] } else { first.args[0] };
            read.extend([by, first.args[2]]);
            inst.args[1] = y;
            [by, first.args[2]].map(|constant| self.number(function, constant).unwrap_or(f64::NAN))
        });
        read.extend_from_slice(inst.args());
        let square = function.ops.get(squared as usize).and_then(|op| op.inst());
        if let Some(square) = square {
            read.retain(|value| *value != factor);
            read.extend_from_slice(square.args());
            inst.args[0] = square.args[0];
        }
        let shifts = start.map(|start| Shifts { start, sums: shifts });
        (inst, With::Polynomial(Box::new(Polynomial { addends, shifts, is_square: square.is_some(), finish })), read)
    }
}

fn rounds_to_nearest(inst: &Inst) -> bool {
    Mode::from_word(inst.imm).is_some_and(|mode| mode.direction == Direction::Nearest)
}
