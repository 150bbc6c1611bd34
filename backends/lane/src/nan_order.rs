//! Where arithmetic gives the NaN that is asked for by itself.
//!
//! The operations of x86 give their first NaN operand, quieted, and the negative quiet NaN where no operand is one. That is
//! what `first` with that NaN chooses, if it names the operands in the order in which the operation has them: then it is no
//! instruction at all. Operands of sums and products are put into the order asked for.

use parallax_step::{Function, Id, Inst, Kind, OpData, OpNumber, Prim, RegionNumber, Ty};
use smallvec::SmallVec;

/// What was found.
#[derive(Default)]
pub(crate) struct NanOrder {
    /// Of each value; none where nothing chooses a NaN, and every value is itself.
    values: Vec<Value>,
    /// Of each op; none likewise.
    orders: Vec<Order>,
    /// Of each value; none where nothing is redone.
    readers: Vec<Readers>,
}

/// What is known of a value.
#[derive(Copy, Clone)]
struct Value {
    /// The value that it is the same as; itself for most.
    same: Id,
    /// The value that it is with its NaN quieted; itself for most.
    loud: Id,
    /// Op that makes it.
    made_by: OpNumber,
    /// Whether it is never NaN.
    is_number: bool,
}

/// In what order an op has its two operands.
#[derive(Copy, Clone, Default)]
pub(crate) struct Order {
    /// Whether the order says whose NaN comes out, and that is asked for.
    pub(crate) settled: bool,
    /// Whether the operands change places, which is settled then.
    pub(crate) swapped: bool,
}

/// Who reads a value.
#[derive(Copy, Clone, Default)]
pub(crate) struct Readers {
    /// How many. A choice of NaN that is no instruction reads nothing.
    pub(crate) count: u32,
    /// The region where a primitive computes it, and does not only hand it on.
    pub(crate) made_in: Option<RegionNumber>,
}

impl NanOrder {
    /// The value that this is the same as.
    #[inline]
    pub(crate) fn same(&self, value: Id) -> Id {
        self.values.get(value as usize).map_or(value, |found| found.same)
    }

    /// What a value is before NaN are quieted.
    #[inline]
    pub(crate) fn loud(&self, value: Id) -> Id {
        self.values.get(value as usize).map_or(value, |found| found.loud)
    }

    /// In what order an op has its operands.
    #[inline]
    pub(crate) fn order(&self, op: OpNumber) -> Order {
        self.orders.get(op as usize).copied().unwrap_or_default()
    }

    /// Who reads a value of a function in which something is redone.
    pub(crate) fn readers(&self, value: Id) -> Readers {
        self.readers[value as usize]
    }
}

struct Finder<'a> {
    function: &'a Function,
    found: NanOrder,
}

/// Looks at all ops of a function.
pub(crate) fn find(function: &Function) -> NanOrder {
    let count = function.values.len();
    let mut found = NanOrder::default();
    let chooses = |op: &OpData| op.inst().is_some_and(|inst| inst.prim == Prim::First);
    if function.ops.iter().any(chooses) {
        let value = |id: Id| Value { same: id, loud: id, made_by: OpNumber::MAX, is_number: false };
        found.values = (0..count as Id).map(value).collect();
        found.orders = vec![Order::default(); function.ops.len()];
    }
    if !function.calls.is_empty() {
        found.readers = vec![Readers::default(); count];
    }
    let mut finder = Finder { function, found };
    if !finder.found.values.is_empty() {
        function.walk(|_, number| finder.op(number));
    }
    if !finder.found.readers.is_empty() {
        function.walk(|region, number| finder.read(region, number));
    }
    finder.found
}

impl<'a> Finder<'a> {
    fn op(&mut self, number: OpNumber) {
        let op = &self.function.ops[number as usize];
        if let Kind::Step(inst) = &op.kind {
            let is_number = self.is_number(inst);
            let value = &mut self.found.values[op.result() as usize];
            (value.made_by, value.is_number) = (number, is_number);
            if inst.prim == Prim::First {
                self.choice(op.result(), inst);
            }
        }
    }

    /// Counts what an op reads.
    fn read(&mut self, region: RegionNumber, number: OpNumber) {
        let op = &self.function.ops[number as usize];
        if let Kind::Step(inst) = &op.kind {
            let result = op.result();
            if !matches!(inst.prim, Prim::Bits | Prim::Float) {
                self.found.readers[result as usize].made_in = Some(region);
            }
            if self.found.same(result) != result {
                return;
            }
        }
        for &arg in self.function.args(op) {
            let value = self.found.same(arg);
            self.found.readers[value as usize].count += 1;
        }
    }

    /// A choice of a NaN.
    fn choice(&mut self, result: Id, inst: &Inst) {
        let args = inst.args();
        if let [a, b] = *args
            && self.found.loud(a) == self.found.loud(b)
        {
            self.found.values[result as usize].loud = self.found.loud(a);
        }
        let negative = if inst.ty == Ty::F32 { 0xffc0_0000 } else { 0xfff8_0000_0000_0000 };
        if inst.imm == negative && self.gives(args[0], &args[1..]) {
            let same = self.found.same(args[0]);
            let loud = self.found.loud(same);
            let value = &mut self.found.values[result as usize];
            (value.same, value.loud) = (same, loud);
        }
    }

    fn maker(&self, value: Id) -> Option<&'a Inst> {
        self.function.ops.get(self.found.values[value as usize].made_by as usize)?.inst()
    }

    fn number(&self, value: Id) -> bool {
        self.found.values[value as usize].is_number
    }

    fn is_number(&self, inst: &Inst) -> bool {
        let Inst { imm, args, .. } = *inst;
        let of = |n: usize| self.number(args[n]);
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
        let number = self.found.values[value as usize].made_by as usize;
        match prim {
            Prim::Flush => return self.gives(args[0], others),
            Prim::Fmin | Prim::Fmax => return self.gives(args[1], others),
            Prim::Select if self.number(args[1]) => return self.gives(args[2], others),
            Prim::Select if self.number(args[2]) => return self.gives(args[1], others),
            Prim::Fadd | Prim::Fmul | Prim::Fmulz | Prim::Fsub | Prim::Fdiv | Prim::Fma | Prim::Fsqrt => {}
            _ => return false,
        }
        if args == others && !self.found.orders[number].swapped {
            let may_be_nan = args.iter().filter(|&&arg| !self.number(arg));
            self.found.orders[number].settled |= may_be_nan.count() > 1;
            return true;
        }
        let listed = |ids: &[Id]| {
            let mut roots: SmallVec<[Id; 4]> = SmallVec::new();
            for &id in ids.iter().filter(|&&id| !self.number(id)) {
                let root = self.root(id);
                if !roots.contains(&root) {
                    roots.push(root);
                }
            }
            roots
        };
        let (mut has, wanted) = (listed(args), listed(others));
        let swapped = self.found.orders[number].swapped;
        if swapped {
            has.reverse();
        }
        if has == wanted {
            if has.len() > 1 {
                self.found.orders[number].settled = true;
            }
            return true;
        }
        has.reverse();
        if has == wanted && !self.found.orders[number].settled && matches!(prim, Prim::Fadd | Prim::Fmul | Prim::Fmulz)
        {
            self.found.orders[number].settled = true;
            self.found.orders[number].swapped = true;
            return true;
        }
        false
    }
}
