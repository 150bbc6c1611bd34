//! Where arithmetic gives the NaN that is asked for by itself.
//!
//! The operations of x86 give their first NaN operand, quieted, and the negative quiet NaN where no operand is one. That is
//! what `first` with that NaN chooses, if it names the operands in the order in which the operation has them: then it is no
//! instruction at all. Operands of sums and products are put into the order asked for.

use parallax_step::{Function, Id, Inst, Kind, OpNumber, Prim, RegionNumber, Ty};
use smallvec::SmallVec;

/// What was found.
pub(crate) struct NanOrder {
    /// For each value the one that it is the same as; itself for most.
    pub(crate) same: Vec<Id>,
    /// For each op whether its two operands change places.
    pub(crate) swapped: Vec<bool>,
    /// For values that a primitive computes, and does not only hand on, the region it stands in.
    pub(crate) made_in: Vec<Option<RegionNumber>>,
    /// How often each value is read. A choice of NaN that is no instruction reads nothing.
    pub(crate) uses: Vec<u32>,
    /// For each op whether the order of its operands says whose NaN comes out, and that is asked for.
    pub(crate) settled: Vec<bool>,
    /// For values that are others with their NaN quieted, the other; itself for most.
    loud: Vec<Id>,
}

impl NanOrder {
    /// What a value is before NaN are quieted.
    pub(crate) fn loud(&self, value: Id) -> Id {
        self.loud[self.same[value as usize] as usize]
    }
}

struct Finder<'a> {
    function: &'a Function,
    /// Op that makes each value.
    made_by: Vec<OpNumber>,
    /// Values that are never NaN.
    numbers: Vec<bool>,
    found: NanOrder,
}

/// Looks at all ops of a function.
pub(crate) fn find(function: &Function) -> NanOrder {
    let mut finder = Finder {
        function,
        made_by: vec![OpNumber::MAX; function.values.len()],
        numbers: vec![false; function.values.len()],
        found: NanOrder {
            settled: vec![false; function.ops.len()],
            same: (0..function.values.len() as Id).collect(),
            swapped: vec![false; function.ops.len()],
            made_in: vec![None; function.values.len()],
            uses: vec![0; function.values.len()],
            loud: (0..function.values.len() as Id).collect(),
        },
    };
    function.walk(|region, number| finder.op(region, number));
    finder.found
}

impl<'a> Finder<'a> {
    fn op(&mut self, region: RegionNumber, number: OpNumber) {
        let op = &self.function.ops[number as usize];
        if let Kind::Step(inst) = &op.kind {
            let result = op.result();
            self.step(region, number, result, inst);
            if self.found.same[result as usize] != result {
                return;
            }
        }
        for &arg in self.function.args(op) {
            self.found.uses[self.found.same[arg as usize] as usize] += 1;
        }
    }

    fn step(&mut self, region: RegionNumber, number: OpNumber, result: Id, inst: &Inst) {
        let (result, args) = (result as usize, inst.args());
        self.made_by[result] = number;
        if !matches!(inst.prim, Prim::Bits | Prim::Float) {
            self.found.made_in[result] = Some(region);
        }
        self.numbers[result] = self.is_number(inst);
        if inst.prim != Prim::First {
            return;
        }
        if let [a, b] = *args
            && self.found.loud(a) == self.found.loud(b)
        {
            self.found.loud[result] = self.found.loud(a);
        }
        let negative = if inst.ty == Ty::F32 { 0xffc0_0000 } else { 0xfff8_0000_0000_0000 };
        if inst.imm == negative && self.gives(args[0], &args[1..]) {
            self.found.same[result] = self.found.same[args[0] as usize];
        }
    }

    fn maker(&self, value: Id) -> Option<&'a Inst> {
        self.function.ops.get(self.made_by[value as usize] as usize)?.inst()
    }

    fn is_number(&self, inst: &Inst) -> bool {
        let Inst { imm, args, .. } = *inst;
        let of = |n: usize| self.numbers[args[n] as usize];
        match inst.prim {
            Prim::Const => match inst.ty {
                Ty::F32 => imm & 0x7fff_ffff <= 0x7f80_0000,
                Ty::F64 => imm & !(1 << 63) <= 0x7ff0_0000_0000_0000,
                _ => false,
            },
            Prim::FromInt => true,
            Prim::Fneg | Prim::Fabs | Prim::Flush | Prim::Round | Prim::Widen | Prim::Narrow => of(0),
            Prim::First => (0..inst.args().len()).all(of),
            Prim::Fmin | Prim::Fmax => of(1),
            Prim::Select => {
                // A value that a comparison has found true of is a number.
                let test = self.maker(args[0]);
                let compared = test.is_some_and(|test| {
                    matches!(test.prim, Prim::Feq | Prim::Flt | Prim::Fle) && test.args().contains(&args[1])
                });
                let ordered = test.is_some_and(|test| test.prim == Prim::Funo && test.args().contains(&args[2]));
                (of(1) || compared) && (of(2) || ordered)
            }
            _ => false,
        }
    }

    /// The value whose NaN bits this one has.
    fn root(&self, mut value: Id) -> Id {
        loop {
            value = self.found.loud(value);
            match self.maker(value) {
                Some(inst) if inst.prim == Prim::Flush => value = inst.args[0],
                Some(inst) if matches!(inst.prim, Prim::Fmin | Prim::Fmax) => value = inst.args[1],
                _ => return value,
            }
        }
    }

    /// Whether a value that is NaN has the bits of the first NaN among others, or the default ones.
    fn gives(&mut self, value: Id, others: &[Id]) -> bool {
        let Some(inst) = self.maker(value) else { return false };
        let (prim, args) = (inst.prim, inst.args());
        let number = self.made_by[value as usize] as usize;
        match prim {
            Prim::Flush => return self.gives(args[0], others),
            Prim::Fmin | Prim::Fmax => return self.gives(args[1], others),
            Prim::Select if self.numbers[args[1] as usize] => return self.gives(args[2], others),
            Prim::Select if self.numbers[args[2] as usize] => return self.gives(args[1], others),
            Prim::Fadd | Prim::Fmul | Prim::Fmulz | Prim::Fsub | Prim::Fdiv | Prim::Fma | Prim::Fsqrt => {}
            _ => return false,
        }
        if args == others && !self.found.swapped[number] {
            let may_be_nan = args.iter().filter(|&&arg| !self.numbers[arg as usize]);
            self.found.settled[number] |= may_be_nan.count() > 1;
            return true;
        }
        let listed = |ids: &[Id]| {
            let mut roots: SmallVec<[Id; 4]> = SmallVec::new();
            for &id in ids.iter().filter(|&&id| !self.numbers[id as usize]) {
                let root = self.root(id);
                if !roots.contains(&root) {
                    roots.push(root);
                }
            }
            roots
        };
        let (mut has, wanted) = (listed(args), listed(others));
        let swapped = self.found.swapped[number];
        if swapped {
            has.reverse();
        }
        if has == wanted {
            if has.len() > 1 {
                self.found.settled[number] = true;
            }
            return true;
        }
        has.reverse();
        if has == wanted && !self.found.settled[number] && matches!(prim, Prim::Fadd | Prim::Fmul | Prim::Fmulz) {
            self.found.settled[number] = true;
            self.found.swapped[number] = true;
            return true;
        }
        false
    }
}
