//! What Mesa's algebraic pass makes of a program before llvmpipe runs it: a shader without `precise` is reassociated at will. The
//! rows are those measured on Mesa 22.3.6 with short programs; c stands for a literal:
//!
//! | program | computed |
//! |---|---|
//! | (a*b)*c, used once; (a*c1)*c2 | (a*c)*b; a*(c1*c2) |
//! | (a+b)+c, used once; (a+c1)+c2 | (a+c)+b; a+(c1+c2) |
//! | (p*q+a)+c, (p*q-a)+c, used once | (a+c)+p*q, (c-a)+p*q |
//! | (p*q + r*s) + t, t no product; with a difference in the place of either sum | (p*q + t) + r*s |
//! | a*b + a*c | a*(b+c) |
//! | a blend of y and x by t, computed as y*t + x*(1-t), + or - z, which is neither product nor blend | (x*(1-t) + z) + y*t |
//! | c1 - (a+c2) | (c1-c2) - a |
//! | (a+b)-b | a |
//! | a-a, a*0 | 0 |
//! | a+0, a*1, a/1, 1/(1/a), exp2(log2 a), pow(a, 1) | a |
//! | 0-a | -a |
//! | rcp(rsq a) | sqrt(abs a) |
//! | rcp(exp2 a), rsq(exp2 a) | exp2(-a), exp2(a * -0.5) |
//! | log2(exp2 a), log2(rcp a), log2(pow(a, b)) | a, -log2(a), log2(a) * b |
//! | exp2(b*log2 a) | pow(a, b) |
//! | pow(a, 2), pow(a, 4) | a*a, (a*a)*(a*a) |
//! | a blend by a literal t | y*t + x*(1-t) |
//! | a blend by t of y and x, not both literals: where y is 1, or another blend has the same t and the same y or x | x*(1-t) + y*t |
//! | any other blend | x + t*(y-x), a sum as above |
//! | a blend of y, no literal, with 1 by t | (1-t) + y*t |
//! | (p ? 1 : 0) * c | p ? c : 0*c |
//! | a blend by (p ? 1 : 0) | p ? y : x |
//!
//! A multiply-add is a product and a sum here, as llvmpipe has none, and a dot product is products and sums in the order of the model.
//! What operations make of literals is a literal. Only plain binary32 operations take part: what asks for a clamp, a scale, a rounding
//! or for precision stays as it is.

use crate::edit::{Subst, live_ops};
use parallax_core::{
    EntityRef, Func, OpData, OpId, OpKind, Origins, OutputRole, RegionId, Shader, SlotId, Symbolic, Type, ValueId,
};
use parallax_num::{Decl, DotOrder, Lrp, Model, Op, Slot, Storage, eval};

const ONE: u64 = 0x3f80_0000;
const MINUS_HALF: u64 = 0xbf00_0000;
const SIGN: u64 = 0x8000_0000;
const TWO: u64 = 0x4000_0000;
const FOUR: u64 = 0x4080_0000;

/// Most rounds over the program: a rewrite may make room for another. Mesa goes on until nothing changes; here a literal passes at most so
/// many terms of a sum.
const ROUNDS: usize = 64;

/// Rewrites a program of a model.
pub(super) fn run(shader: &mut Shader<Symbolic>, model: &Model) {
    let func = &mut shader.func;
    let Some(slot) = func.slots.iter().find(|(_, slot)| **slot == Slot::plain(Decl::F32)).map(|(id, _)| id) else {
        return;
    };
    let lrp = model.rule(Op::Lrp, &Slot::plain(Decl::F32), Storage::F32).0.lrp;
    let mut kept = Vec::new();
    let mut blends = Vec::new();
    for op in live_ops(func) {
        let data = &func.ops[op];
        if data.kind == OpKind::Num(Op::Lrp) && data.slot == Some(slot) {
            blends.push([data.args[0], data.args[1], data.args[2]]);
        }
    }
    for _ in 0..ROUNDS {
        let mut uses = vec![0u32; func.values.len()];
        let mut is_read = vec![false; func.values.len()];
        let mut constant = vec![false; func.values.len()];
        let ops = live_ops(func);
        for &op in ops.iter().rev() {
            let data = &func.ops[op];
            // What an earlier round replaced still stands there, and reads nothing.
            let is_replaced = matches!(data.kind, OpKind::Num(_) | OpKind::Select)
                && data.results.iter().all(|result| !is_read[result.index()]);
            if is_replaced {
                continue;
            }
            // To watch a value is no use of it.
            let is_watched = matches!(data.kind, OpKind::Out { index, .. }
                if func.iface.outputs.get(usize::from(index)).is_some_and(|output| output.role == OutputRole::Watch));
            for arg in &data.args {
                is_read[arg.index()] = true;
                uses[arg.index()] += u32::from(!is_watched);
            }
        }
        for op in ops {
            let data = &func.ops[op];
            let is_constant = match data.kind {
                OpKind::Literal(_) => true,
                OpKind::Num(_) => data.args.iter().all(|arg| constant[arg.index()]),
                _ => false,
            };
            data.results.iter().for_each(|result| constant[result.index()] = is_constant);
        }
        let subst = Subst::default();
        let mut pass = Pass {
            func,
            model,
            slot,
            lrp,
            // In the first round all of them become sums.
            blends: std::mem::take(&mut blends),
            uses,
            is_read,
            constant,
            subst,
            kept,
            origins: Origins::default(),
            region: RegionId::new(0),
            changed: false,
        };
        let body = pass.func.body;
        pass.in_region(body);
        let Pass { subst, changed, kept: still, .. } = pass;
        kept = still;
        subst.apply(func);
        if !changed {
            return;
        }
    }
}

struct Pass<'f> {
    func: &'f mut Func,
    model: &'f Model,
    /// Plain binary32.
    slot: SlotId,
    /// How the model computes blends.
    lrp: Lrp,
    /// Operands of the blends: t, y, x.
    blends: Vec<[ValueId; 3]>,
    /// Uses of each value when the round began; what is made later has one.
    uses: Vec<u32>,
    /// Which values were read when the round began, by watchers, too.
    is_read: Vec<bool>,
    /// Which values were made of literals alone when the round began.
    constant: Vec<bool>,
    subst: Subst,
    /// Results that no row takes apart again.
    kept: Vec<ValueId>,
    /// Origins and region of the op at hand.
    origins: Origins,
    region: RegionId,
    changed: bool,
}

impl Pass<'_> {
    fn in_region(&mut self, region: RegionId) {
        let ops = std::mem::take(&mut self.func.regions[region].ops);
        // From the end, as Mesa does: what uses a value is seen before what makes it.
        let mut pieces: Vec<Vec<OpId>> = Vec::with_capacity(ops.len());
        for op in ops.into_iter().rev() {
            for n in 0..self.func.ops[op].regions.len() {
                let inner = self.func.ops[op].regions[n];
                self.in_region(inner);
            }
            self.region = region;
            self.origins = self.func.ops[op].origins.clone();
            let result = self.func.ops[op].results.first().copied();
            if let (Some(result), Some(value)) = (result, self.rewritten(op)) {
                self.subst.set(result, value);
                self.changed = true;
            }
            // What it was stands behind what it became; it may still be read in a way of its own.
            let mut piece = std::mem::take(&mut self.func.regions[region].ops);
            piece.push(op);
            pieces.push(piece);
        }
        self.func.regions[region].ops = pieces.into_iter().rev().flatten().collect();
    }

    /// The value that takes the place of an op's result, if a row applies.
    fn rewritten(&mut self, op: OpId) -> Option<ValueId> {
        let data = &self.func.ops[op];
        let OpKind::Num(asked) = data.kind else { return None };
        let stays = |result: &ValueId| self.kept.contains(result) || self.is_read.get(result.index()) == Some(&false);
        if data.slot != Some(self.slot) || data.results.first().is_some_and(stays) {
            return None;
        }
        let args: Vec<ValueId> = data.args.iter().copied().collect();
        if let Some(bits) = self.folded(asked, &args) {
            return Some(self.made_literal(bits));
        }
        // Mesa folds the other operations on literals as well, so no row sees them: inf - inf is a NaN, and not 0.
        if args.iter().all(|arg| self.constant.get(arg.index()) == Some(&true)) {
            return None;
        }
        let once = data.results.first().is_none_or(|&result| self.is_used_once(result));
        match (asked, args[..].as_ref()) {
            (Op::Mad, &[a, b, c]) => {
                let product = self.made(Op::Mul, &[a, b]);
                Some(self.made(Op::Add, &[product, c]))
            }
            (Op::Mul, &[a, b]) => self.product(a, b, once).or_else(|| self.product(b, a, once)),
            (Op::Add, &[a, b]) => match (self.num(a), self.num(b)) {
                // A difference in another spelling.
                (_, Some((Op::Neg, minus))) => self.difference(a, minus[0], once),
                (Some((Op::Neg, minus)), _) => self.difference(b, minus[0], once),
                _ => self.shared_factor(a, b).or_else(|| self.sum(a, b, once)).or_else(|| self.sum(b, a, once)),
            },
            (Op::Sub, &[a, b]) => self.difference(a, b, once),
            (Op::Dot2 | Op::Dot3 | Op::Dot4, _) => self.dot(asked, &args),
            (Op::Div, &[_, b]) if self.literal(b) == Some(ONE) => Some(args[0]),
            (Op::Div, &[a, b]) if self.literal(a) == Some(ONE) => Some(self.made(Op::Rcp, &[b])),
            (Op::Lrp, &[t, y, x]) => self.blend(t, y, x),
            (Op::Rcp, &[a]) => match self.num(a)? {
                (Op::Rcp, args) => Some(args[0]),
                (Op::Rsq, args) => {
                    let size = self.made(Op::Abs, &[args[0]]);
                    Some(self.made(Op::Sqrt, &[size]))
                }
                (Op::Exp2, args) => {
                    let minus = self.made(Op::Neg, &[args[0]]);
                    Some(self.made(Op::Exp2, &[minus]))
                }
                _ => None,
            },
            (Op::Rsq, &[a]) => match self.num(a)? {
                (Op::Exp2, args) => {
                    let half = self.made_literal(MINUS_HALF);
                    let scaled = self.made(Op::Mul, &[args[0], half]);
                    Some(self.made(Op::Exp2, &[scaled]))
                }
                _ => None,
            },
            (Op::Log2, &[a]) => match self.num(a)? {
                (Op::Exp2, args) => Some(args[0]),
                (Op::Rcp, args) => {
                    let log = self.made(Op::Log2, &[args[0]]);
                    Some(self.made(Op::Neg, &[log]))
                }
                (Op::Pow, args) => {
                    let log = self.made(Op::Log2, &[args[0]]);
                    Some(self.made(Op::Mul, &[log, args[1]]))
                }
                _ => None,
            },
            (Op::Exp2, &[a]) => match self.num(a)? {
                (Op::Log2, args) => Some(args[0]),
                (Op::Mul, args) => [(args[0], args[1]), (args[1], args[0])].into_iter().find_map(|(log, b)| {
                    let (Op::Log2, base) = self.num(log)? else { return None };
                    Some(self.made(Op::Pow, &[base[0], b]))
                }),
                _ => None,
            },
            (Op::Pow, &[a, b]) => match self.literal(b)? {
                ONE => Some(a),
                TWO => Some(self.made(Op::Mul, &[a, a])),
                FOUR => {
                    let square = self.made(Op::Mul, &[a, a]);
                    Some(self.made(Op::Mul, &[square, square]))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// What an operation makes of literals.
    fn folded(&self, op: Op, args: &[ValueId]) -> Option<u64> {
        if !matches!(op, Op::Add | Op::Sub | Op::Mul | Op::Neg | Op::Rcp | Op::Div) {
            return None;
        }
        let words = args.iter().map(|&arg| self.literal(arg)).collect::<Option<Vec<u64>>>()?;
        Some(eval(op, &self.model.rule(op, &Slot::plain(Decl::F32), Storage::F32).0, &words))
    }

    /// A dot product as products and sums, in the order of the model.
    fn dot(&mut self, op: Op, args: &[ValueId]) -> Option<ValueId> {
        let (a, b) = args.split_at(args.len() / 2);
        let mut factors: Vec<[ValueId; 2]> = a.iter().zip(b).map(|(&x, &y)| [x, y]).collect();
        let rule = self.model.rule(op, &Slot::plain(Decl::F32), Storage::F32).0;
        match rule.dot.order {
            _ if rule.dot.fused => return None,
            DotOrder::LeftToRight => {}
            DotOrder::RightToLeft | DotOrder::RightToLeftInner => factors.reverse(),
            DotOrder::Pairwise | DotOrder::Exact => return None,
        }
        let products: Vec<ValueId> = factors.iter().map(|pair| self.made(Op::Mul, pair)).collect();
        let mut sum = products[0];
        for &product in &products[1..] {
            sum = self.made(Op::Add, &[sum, product]);
        }
        Some(sum)
    }

    /// a * b, with b as the literal. `once`: whether the product is used once.
    fn product(&mut self, a: ValueId, b: ValueId, once: bool) -> Option<ValueId> {
        if let Some(condition) = self.one_or_zero(a) {
            let zero = self.made_literal(0);
            let otherwise = self.made(Op::Mul, &[zero, b]);
            self.kept.push(otherwise);
            return Some(self.made_select(condition, b, otherwise));
        }
        match self.literal(b)? {
            0 => return Some(self.made_literal(0)),
            ONE => return Some(a),
            _ => {}
        }
        let (Op::Mul, inner) = self.num(a)? else { return None };
        match (self.literal(inner[0]), self.literal(inner[1])) {
            (None, None) if once && self.is_used_once(a) => {
                let scaled = self.made(Op::Mul, &[inner[0], b]);
                Some(self.made(Op::Mul, &[scaled, inner[1]]))
            }
            (None, Some(_)) => {
                let factor = self.made(Op::Mul, &[inner[1], b]);
                Some(self.made(Op::Mul, &[inner[0], factor]))
            }
            (Some(_), None) => {
                let factor = self.made(Op::Mul, &[inner[0], b]);
                Some(self.made(Op::Mul, &[inner[1], factor]))
            }
            _ => None,
        }
    }

    /// a + b where both are products with a factor in common.
    fn shared_factor(&mut self, a: ValueId, b: ValueId) -> Option<ValueId> {
        let (common, p, q) = self.common_factor(a, b)?;
        let sum = self.made(Op::Add, &[p, q]);
        Some(self.made(Op::Mul, &[common, sum]))
    }

    /// The factor that two products have in common, and their other ones.
    fn common_factor(&self, a: ValueId, b: ValueId) -> Option<(ValueId, ValueId, ValueId)> {
        let ((Op::Mul, x), (Op::Mul, y)) = (self.num(a)?, self.num(b)?) else { return None };
        for (common, p) in [(x[0], x[1]), (x[1], x[0])] {
            for (other, q) in [(y[0], y[1]), (y[1], y[0])] {
                if self.is_same(common, other) {
                    return Some((common, p, q));
                }
            }
        }
        None
    }

    /// a + b, with b as the literal, or as what is no product. `once`: whether the sum is used once.
    fn sum(&mut self, a: ValueId, b: ValueId, once: bool) -> Option<ValueId> {
        if self.literal(b) == Some(0) {
            return Some(a);
        }
        if let Some(value) = self.product_apart(a, b, Op::Add).or_else(|| self.blend_apart(a, b, Op::Add)) {
            return Some(value);
        }
        self.literal_joins(a, b, once)
    }

    /// a + b, with b as a literal and a as a sum or a difference, of which it joins what is no product.
    fn literal_joins(&mut self, a: ValueId, b: ValueId, once: bool) -> Option<ValueId> {
        self.literal(b)?;
        let (inner @ (Op::Add | Op::Sub), args) = self.num(a)? else { return None };
        let [x, y] = [args[0], args[1]];
        match (self.literal(x).is_some(), self.literal(y).is_some()) {
            (false, false) if once && self.is_used_once(a) => {
                let is_product = |v: ValueId| matches!(self.num(v), Some((Op::Mul, _)));
                if is_product(x) && !is_product(y) {
                    // The literal and the second one, in the order in which they stand.
                    let rest = if inner == Op::Sub { self.made(Op::Sub, &[b, y]) } else { self.made(Op::Add, &[y, b]) };
                    return Some(self.made(Op::Add, &[rest, x]));
                }
                let shifted = self.made(Op::Add, &[x, b]);
                Some(self.made(inner, &[shifted, y]))
            }
            (false, true) => {
                let shift = match inner {
                    Op::Sub => self.made(Op::Sub, &[b, y]),
                    _ => self.made(Op::Add, &[y, b]),
                };
                Some(self.made(Op::Add, &[x, shift]))
            }
            (true, false) => {
                let shift = self.made(Op::Add, &[x, b]);
                let args = if inner == Op::Sub { [shift, y] } else { [y, shift] };
                Some(self.made(inner, &args))
            }
            _ => None,
        }
    }

    /// (p*q +- r*s) +- b, where b is no product and no literal, as (p*q +- b) +- r*s.
    fn product_apart(&mut self, a: ValueId, b: ValueId, outer: Op) -> Option<ValueId> {
        let (inner, args) = self.num(a)?;
        let is_product = |v: ValueId| matches!(self.num(v), Some((Op::Mul, _)));
        let is_sum = matches!(inner, Op::Add | Op::Sub) && args.iter().all(|&v| is_product(v) && self.is_used_once(v));
        if !is_sum || !self.is_used_once(a) || is_product(b) || self.literal(b).is_some() {
            return None;
        }
        let first = self.made(outer, &[args[0], b]);
        Some(self.made(inner, &[first, args[1]]))
    }

    /// A blend +- b, where b is no product and no blend.
    fn blend_apart(&mut self, a: ValueId, b: ValueId, outer: Op) -> Option<ValueId> {
        let (Op::Lrp, args) = self.num(a)? else { return None };
        let is_plain = self.lrp == Lrp::Blend && self.is_used_once(a) && self.literal(args[0]).is_none();
        if !is_plain || matches!(self.num(b), Some((Op::Mul | Op::Lrp, _))) {
            return None;
        }
        let one = self.made_literal(ONE);
        let rest = self.made(Op::Sub, &[one, args[0]]);
        let second = self.made(Op::Mul, &[args[2], rest]);
        let first = self.made(outer, &[second, b]);
        let product = self.made(Op::Mul, &[args[1], args[0]]);
        Some(self.made(Op::Add, &[first, product]))
    }

    /// a - b. `once`: whether the difference is used once.
    fn difference(&mut self, a: ValueId, b: ValueId, once: bool) -> Option<ValueId> {
        if self.is_same(a, b) {
            return Some(self.made_literal(0));
        }
        if self.literal(a) == Some(0) {
            return Some(self.made(Op::Neg, &[b]));
        }
        if self.literal(a).is_some()
            && let Some((Op::Add, inner)) = self.num(b)
        {
            for (rest, literal) in [(inner[0], inner[1]), (inner[1], inner[0])] {
                if self.literal(literal).is_some() && self.literal(rest).is_none() {
                    let shift = self.made(Op::Sub, &[a, literal]);
                    return Some(self.made(Op::Sub, &[shift, rest]));
                }
            }
        }
        // A common factor is seen first here.
        let is_shared =
            matches!(self.num(a), Some((Op::Add, inner)) if self.common_factor(inner[0], inner[1]).is_some());
        if !is_shared && let Some(value) = self.product_apart(a, b, Op::Sub) {
            return Some(value);
        }
        if let Some(value) = self.blend_apart(a, b, Op::Sub) {
            return Some(value);
        }
        if let Some((Op::Add, inner)) = self.num(a) {
            for (rest, other) in [(inner[0], inner[1]), (inner[1], inner[0])] {
                if self.is_same(other, b) {
                    return Some(rest);
                }
            }
        }
        let minus = self.literal(b)? ^ SIGN;
        let minus = self.made_literal(minus);
        self.literal_joins(a, minus, once)
    }

    /// The blend of y and x by t.
    fn blend(&mut self, t: ValueId, y: ValueId, x: ValueId) -> Option<ValueId> {
        if let Some(condition) = self.one_or_zero(t) {
            return Some(self.made_select(condition, y, x));
        }
        if self.literal(t).is_some() {
            let first = self.made(Op::Mul, &[y, t]);
            let one = self.made_literal(ONE);
            let rest = self.made(Op::Sub, &[one, t]);
            let second = self.made(Op::Mul, &[x, rest]);
            return Some(self.made(Op::Add, &[first, second]));
        }
        let is_literal = [x, y].map(|end| self.literal(end).is_some());
        if self.literal(x) == Some(ONE) && !(self.lrp == Lrp::Difference && is_literal[1]) {
            let rest = self.made(Op::Sub, &[x, t]);
            let product = self.made(Op::Mul, &[y, t]);
            return Some(self.made(Op::Add, &[rest, product]));
        }
        if self.lrp == Lrp::Difference {
            // A sum like others: what is added behind it joins it. Where another blend has the same product, that one is computed.
            let shares = |other: &&[ValueId; 3]| {
                self.is_same(other[0], t) && (self.is_same(other[1], y) || self.is_same(other[2], x))
            };
            let is_expanded = self.literal(y) == Some(ONE) || self.blends.iter().filter(shares).count() > 1;
            if is_expanded && is_literal != [true; 2] {
                let one = self.made_literal(ONE);
                let rest = self.made(Op::Sub, &[one, t]);
                let (first, second) = (self.made(Op::Mul, &[x, rest]), self.made(Op::Mul, &[y, t]));
                return Some(self.made(Op::Add, &[first, second]));
            }
            let step = self.made(Op::Sub, &[y, x]);
            let product = self.made(Op::Mul, &[t, step]);
            return Some(self.made(Op::Add, &[x, product]));
        }
        None
    }

    /// A plain binary32 operation and its operands.
    fn num(&self, value: ValueId) -> Option<(Op, Vec<ValueId>)> {
        let data = &self.func.ops[self.func.def_op(self.subst.get(value))?];
        match data.kind {
            OpKind::Num(op) if data.slot == Some(self.slot) => {
                Some((op, data.args.iter().map(|arg| self.subst.get(*arg)).collect()))
            }
            _ => None,
        }
    }

    fn literal(&self, value: ValueId) -> Option<u64> {
        let data = &self.func.ops[self.func.def_op(self.subst.get(value))?];
        match data.kind {
            OpKind::Literal(bits) if data.slot == Some(self.slot) => Some(bits),
            _ => None,
        }
    }

    /// The condition of `p ? 1 : 0`.
    fn one_or_zero(&self, value: ValueId) -> Option<ValueId> {
        let data = &self.func.ops[self.func.def_op(self.subst.get(value))?];
        let (OpKind::Select, [p, a, b]) = (data.kind, &data.args[..]) else { return None };
        (self.literal(*a) == Some(ONE) && self.literal(*b) == Some(0)).then_some(*p)
    }

    /// One value, or two reads of the same.
    fn is_same(&self, a: ValueId, b: ValueId) -> bool {
        let (a, b) = (self.subst.get(a), self.subst.get(b));
        let (Some(x), Some(y)) = (self.func.def_op(a), self.func.def_op(b)) else { return a == b };
        let (x, y) = (&self.func.ops[x], &self.func.ops[y]);
        let is_read = matches!(x.kind, OpKind::Attr { .. } | OpKind::Const { .. } | OpKind::Literal(_));
        a == b || is_read && x.args.is_empty() && x.kind == y.kind && x.slot == y.slot && y.args.is_empty()
    }

    fn is_used_once(&self, value: ValueId) -> bool {
        self.uses.get(self.subst.get(value).index()).is_none_or(|&uses| uses == 1)
    }

    fn made(&mut self, op: Op, args: &[ValueId]) -> ValueId {
        if let Some(bits) = self.folded(op, args) {
            return self.made_literal(bits);
        }
        self.push(OpKind::Num(op), Some(self.slot), args)
    }

    fn made_literal(&mut self, bits: u64) -> ValueId {
        self.push(OpKind::Literal(bits), Some(self.slot), &[])
    }

    fn made_select(&mut self, condition: ValueId, yes: ValueId, no: ValueId) -> ValueId {
        self.push(OpKind::Select, None, &[condition, yes, no])
    }

    fn push(&mut self, kind: OpKind, slot: Option<SlotId>, args: &[ValueId]) -> ValueId {
        let data = OpData {
            kind,
            slot,
            rule: None,
            args: args.iter().map(|arg| self.subst.get(*arg)).collect(),
            regions: Default::default(),
            results: Default::default(),
            origins: self.origins.clone(),
        };
        let op = self.func.push_op(self.region, data, &[Type::F32]);
        self.func.ops[op].results[0]
    }
}
