//! Sums with a product become multiply-adds: `a*b + c`, `a*b - c` and `c - a*b`, also with the product negated. A sum takes its first
//! operand that it can. A product and a sum that ask for another format, rounding or treatment of denormals stay apart, and so do
//! those that a program wants to round each (`precise`, NoContraction). What the multiply-add then rounds is up to the model.

use crate::edit::live_ops;
use parallax_core::num::{Contract, Op, Saturate, Slot};
use parallax_core::{EntityRef, Func, OpData, OpId, OpKind, RegionId, SlotId, Type, ValueId};

/// Which products become a part of a multiply-add.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Feeds {
    /// Those that only sums read.
    Sums,
    /// The same, but for a product with a literal whose sum is with a literal, each read nowhere else.
    SumsOfVariables,
    /// Those that nothing but one sum of the same block reads.
    OneSum,
}

/// A product, perhaps negated.
struct Product {
    factors: [ValueId; 2],
    slot: SlotId,
    is_negated: bool,
}

pub(super) fn run(func: &mut Func, feeds: Feeds) {
    let mut readers: Vec<Vec<OpId>> = vec![Vec::new(); func.values.len()];
    let mut home: Vec<Option<RegionId>> = vec![None; func.ops.len()];
    func.walk(|region, op| {
        home[op.index()] = Some(region);
        func.ops[op].args.iter().for_each(|arg| readers[arg.index()].push(op));
    });
    let pass = Pass { feeds, readers, home };
    // All are found before any is made: what becomes a multiply-add is a sum for its neighbours.
    let found: Vec<(OpId, [ValueId; 3], [bool; 3], SlotId)> =
        live_ops(func).into_iter().filter_map(|op| pass.contracted(func, op)).collect();
    for (op, args, negated, slot) in found {
        let mut args = args;
        for (arg, _) in args.iter_mut().zip(negated).filter(|(_, negated)| *negated) {
            *arg = negation(func, op, pass.home[op.index()], *arg, slot);
        }
        let data = &mut func.ops[op];
        data.kind = OpKind::Num(Op::Mad);
        data.args = args.into_iter().collect();
    }
}

/// A new op before another one.
fn negation(func: &mut Func, before: OpId, region: Option<RegionId>, value: ValueId, slot: SlotId) -> ValueId {
    let origins = func.ops[before].origins.clone();
    let args = [value].into_iter().collect();
    let op = func.ops.push(OpData { slot: Some(slot), args, origins, ..OpData::new(OpKind::Num(Op::Neg)) });
    let ty: Type = func.ty(value);
    func.add_results(op, [ty]);
    if let Some(region) = region {
        let ops = &mut func.regions[region].ops;
        let at = ops.iter().position(|&other| other == before).unwrap_or(0);
        ops.insert(at, op);
    }
    func.ops[op].results[0]
}

struct Pass {
    feeds: Feeds,
    /// Who reads each value.
    readers: Vec<Vec<OpId>>,
    /// Where each op stands.
    home: Vec<Option<RegionId>>,
}

impl Pass {
    /// Operands of the multiply-add that a sum becomes, which of them are negated, and the slot of a negation.
    fn contracted(&self, func: &Func, sum: OpId) -> Option<(OpId, [ValueId; 3], [bool; 3], SlotId)> {
        let data = &func.ops[sum];
        let is_difference = data.kind == OpKind::Num(Op::Sub);
        if !is_difference && data.kind != OpKind::Num(Op::Add) {
            return None;
        }
        let slot = func.slots[data.slot?];
        let [first, second] = data.args[..] else { return None };
        for (value, addend, is_second) in [(first, second, false), (second, first, true)] {
            let Some(product) = self.product(func, value).filter(|product| may_join(&func.slots[product.slot], &slot))
            else {
                continue;
            };
            if self.feeds == Feeds::OneSum && !self.is_for_one(func, value, sum)
                || self.feeds == Feeds::SumsOfVariables && self.has_constants(func, &product, addend)
            {
                continue;
            }
            let [a, b] = product.factors;
            let negates_product = product.is_negated != (is_difference && is_second);
            let negates_addend = is_difference && !is_second;
            return Some((sum, [a, b, addend], [negates_product, false, negates_addend], product.slot));
        }
        None
    }

    /// The product that a value is and that only sums read.
    fn product(&self, func: &Func, value: ValueId) -> Option<Product> {
        let mut is_negated = false;
        let mut value = value;
        loop {
            if !self.only_sums_read(func, value, 0) {
                return None;
            }
            let data = &func.ops[func.def_op(value)?];
            match (data.kind, &data.args[..]) {
                (OpKind::Num(Op::Neg), &[of]) => (value, is_negated) = (of, !is_negated),
                (OpKind::Num(Op::Mul), &[a, b]) => {
                    return Some(Product { factors: [a, b], slot: data.slot?, is_negated });
                }
                _ => return None,
            }
        }
    }

    /// Whether sums alone read a value, or its negation.
    fn only_sums_read(&self, func: &Func, value: ValueId, depth: usize) -> bool {
        /// Negations of negations.
        const DEEP: usize = 4;
        self.readers[value.index()].iter().all(|&op| match func.ops[op].kind {
            OpKind::Num(Op::Add | Op::Sub) => true,
            OpKind::Num(Op::Neg) => depth < DEEP && self.only_sums_read(func, func.ops[op].results[0], depth + 1),
            _ => false,
        })
    }

    /// Whether a product, or its negation, is read by one sum in its own block.
    fn is_for_one(&self, func: &Func, value: ValueId, sum: OpId) -> bool {
        let mut value = value;
        loop {
            let Some(op) = func.def_op(value) else { return false };
            if self.readers[value.index()].len() != 1 || self.home[op.index()] != self.home[sum.index()] {
                return false;
            }
            match (func.ops[op].kind, &func.ops[op].args[..]) {
                (OpKind::Num(Op::Neg), &[of]) => value = of,
                _ => return true,
            }
        }
    }

    /// Whether a factor and the addend are literals that nothing else reads.
    fn has_constants(&self, func: &Func, product: &Product, addend: ValueId) -> bool {
        let is_constant = |value: ValueId| {
            let kind = func.def_op(value).map(|op| func.ops[op].kind);
            matches!(kind, Some(OpKind::Literal(_))) && self.readers[value.index()].len() == 1
        };
        is_constant(addend) && product.factors.into_iter().any(is_constant)
    }
}

/// Whether a product under one slot and a sum under another may round once.
fn may_join(product: &Slot, sum: &Slot) -> bool {
    let plain = |slot: &Slot| Slot { saturate: Saturate::None, scale: 0, ..*slot };
    product.saturate == Saturate::None
        && product.scale == 0
        && *product == plain(sum)
        && product.contract == Contract::Model
}
