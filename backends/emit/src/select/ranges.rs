//! Which whole numbers floats have exactly: ranges of words, by abstract interpretation.
//!
//! A word is a *number* if every value it can have is between -2^24 and 2^24 and somebody computes with it; sets that compute with floats
//! alone hold it as a float then. Words that are bits of floats have no range and stay bits.

use super::intervals::interval;
use super::rounds;
use parallax_core::{EntityRef, Func, OpData, OpId, OpKind, RegionId, Type, ValueId};
use parallax_num::Op;
use rustc_hash::FxHashMap;

/// Numbers up to this one are floats.
const MOST: i64 = 1 << 24;
/// How often the range of a value grows by itself; then it grows to the next of these.
const PATIENCE: u8 = 8;
const STEPS: [i64; 4] = [0xff, 0xfff, 0xffff, 0xf_ffff];

/// The least and the greatest value; nothing where the first is larger.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) low: i64,
    pub(super) high: i64,
}

impl Range {
    const NONE: Range = Range { low: 1, high: 0 };
    const ANY: Range = Range { low: i64::MIN, high: i64::MAX };

    const fn new(low: i64, high: i64) -> Range {
        if low > high {
            Range::NONE
        } else if low < -MOST || high > MOST {
            Range::ANY
        } else {
            Range { low, high }
        }
    }

    const fn is_none(self) -> bool {
        self.low > self.high
    }

    const fn is_any(self) -> bool {
        self.low == i64::MIN
    }

    /// Whether floats have all of them.
    const fn is_proven(self) -> bool {
        !self.is_none() && !self.is_any()
    }

    /// The next range that widening stops at.
    fn widened(self) -> Range {
        let next = |end: i64| STEPS.into_iter().find(|&step| end <= step);
        let low = if self.low >= 0 { Some(0) } else { next(self.low.saturating_neg()).map(|low| -low) };
        let high = if self.high <= 0 { Some(0) } else { next(self.high) };
        match (low, high) {
            (Some(low), Some(high)) => Range::new(low, high),
            _ => Range::ANY,
        }
    }

    fn join(self, other: Range) -> Range {
        match (self.is_none(), other.is_none()) {
            (true, _) => other,
            (_, true) => self,
            _ => Range::new(self.low.min(other.low), self.high.max(other.high)),
        }
    }
}

/// The ranges of a shader's words, and which of them are numbers.
#[derive(Debug, Default)]
pub(super) struct Ranges {
    of: Vec<Range>,
    numbers: Vec<bool>,
}

/// A value and one that it may be a copy of.
type Edge = (ValueId, ValueId);

/// The value of a literal as a signed number.
pub(super) fn literal(func: &Func, value: ValueId) -> Option<i64> {
    match func.ops[func.def_op(value)?].kind {
        OpKind::Literal(bits) if func.ty(value) == Type::I32 => Some(i64::from(bits as u32 as i32)),
        _ => None,
    }
}

impl Ranges {
    /// The ranges of a shader that computes with words.
    pub(super) fn new(func: &Func) -> Ranges {
        let mut find = Find {
            func,
            of: vec![Range::NONE; func.values.len()],
            grown: vec![0; func.values.len()],
            bounds: FxHashMap::default(),
            edges: edges(func),
            changed: false,
        };
        find.run();
        let numbers = find.numbers();
        Ranges { of: find.of, numbers }
    }

    /// Whether there are none, as nobody computes with words.
    pub(super) fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// The range of a value that is a number.
    pub(super) fn number(&self, value: ValueId) -> Option<Range> {
        let is_number = self.numbers.get(value.index()).is_some_and(|&number| number);
        if is_number { self.proven(value) } else { None }
    }

    /// The range of a value whose values floats have.
    pub(super) fn proven(&self, value: ValueId) -> Option<Range> {
        self.of.get(value.index()).copied().filter(|range| range.is_proven())
    }
}

/// Whether an op computes with words as numbers.
pub(super) const fn is_counting(kind: OpKind) -> bool {
    match kind {
        OpKind::Num(op) => is_computed(op) || is_compared(op) || matches!(op, Op::I2f | Op::U2f),
        OpKind::ConstAt { .. } => true,
        _ => false,
    }
}

/// Operations whose results are numbers if their operands are.
const fn is_computed(op: Op) -> bool {
    matches!(
        op,
        Op::Iadd
            | Op::Isub
            | Op::Ineg
            | Op::Imul
            | Op::Iabs
            | Op::Imin
            | Op::Imax
            | Op::Umin
            | Op::Umax
            | Op::Shl
            | Op::Ishr
            | Op::Ushr
            | Op::Iand
            | Op::Ubfe
            | Op::F2iTrunc
            | Op::F2uTrunc
            | Op::F2iFloor
            | Op::F2uFloor
    )
}

/// Comparisons of words.
pub(super) const fn is_compared(op: Op) -> bool {
    matches!(op, Op::Ieq | Op::Ine | Op::Ilt | Op::Ile | Op::Ult | Op::Ule)
}

/// Where values go without a computation.
fn edges(func: &Func) -> Vec<Edge> {
    let mut edges: Vec<Edge> = Vec::new();
    let mut all = |to: &[ValueId], from: &[ValueId]| {
        let words = to.iter().zip(from).filter(|(to, _)| func.ty(**to) == Type::I32);
        edges.extend(words.map(|(&to, &from)| (to, from)));
    };
    let yields = |region: RegionId| {
        let last = func.regions[region].ops.last().map(|&op| &func.ops[op]);
        last.filter(|last| last.kind == OpKind::Yield)
    };
    func.walk(|_, op| {
        let data: &OpData = &func.ops[op];
        match data.kind {
            OpKind::Select => {
                all(&data.results, &data.args[1..2]);
                all(&data.results, &data.args[2..3]);
            }
            OpKind::If | OpKind::Block | OpKind::Loop => {
                all(&data.results, data.initial());
                for &region in &data.regions {
                    let params = &func.regions[region].params;
                    all(params, &data.args);
                    if let Some(last) = yields(region) {
                        all(&data.results, &last.args);
                    }
                }
            }
            OpKind::Break(to) => all(&func.ops[to].results, &data.args),
            OpKind::Continue(to) => all(&func.regions[func.ops[to].regions[0]].params, &data.args),
            _ => {}
        }
    });
    edges
}

struct Find<'a> {
    func: &'a Func,
    of: Vec<Range>,
    grown: Vec<u8>,
    /// Ranges of parameters that count rounds.
    bounds: FxHashMap<ValueId, Range>,
    edges: Vec<Edge>,
    changed: bool,
}

impl Find<'_> {
    fn run(&mut self) {
        let func = self.func;
        let mut ops: Vec<OpId> = Vec::new();
        func.walk(|_, op| ops.push(op));
        for &op in &ops {
            if func.ops[op].kind == OpKind::Loop {
                self.bound(op);
            }
        }
        let edges = std::mem::take(&mut self.edges);
        loop {
            self.changed = false;
            for &op in &ops {
                let data = &func.ops[op];
                let Some(&result) = data.results.first() else { continue };
                if func.ty(result) != Type::I32 {
                    continue;
                }
                match data.kind {
                    OpKind::Literal(bits) => self.grow(result, exact(i64::from(bits as u32 as i32))),
                    OpKind::Num(num) => {
                        let range = self.computed(num, data);
                        self.grow(result, range);
                    }
                    OpKind::Select => self.choose(result, data),
                    OpKind::If | OpKind::Block | OpKind::Loop => {}
                    _ => data.results.iter().for_each(|&result| self.grow(result, Range::ANY)),
                }
            }
            for &(to, from) in &edges {
                // Choices are looked at with what their conditions say.
                let is_choice = func.def_op(to).is_some_and(|op| func.ops[op].kind == OpKind::Select);
                if !is_choice {
                    self.grow(to, self.of[from.index()]);
                }
            }
            if !self.changed {
                break;
            }
        }
        self.edges = edges;
    }

    /// Widens the range of a value; one that keeps growing is that of a counter, or any.
    fn grow(&mut self, value: ValueId, range: Range) {
        let at = value.index();
        let joined = self.of[at].join(range);
        let grown = match self.bounds.get(&value) {
            // What lies outside of the bound is read by no round.
            Some(&bound) if !joined.is_none() => bound,
            None if joined != self.of[at] && self.grown[at] > PATIENCE => joined.widened(),
            _ => joined,
        };
        if grown == self.of[at] {
            return;
        }
        self.changed = true;
        self.grown[at] += 1;
        self.of[at] = grown;
    }

    /// The ranges of a loop's counters, if its rounds are counted.
    fn bound(&mut self, op: OpId) {
        let func = self.func;
        let Some(most) = rounds::rounds(func, op) else { return };
        let data = &func.ops[op];
        let body = data.regions[0];
        for (n, &param) in func.regions[body].params.iter().enumerate() {
            if func.ty(param) != Type::I32 {
                continue;
            }
            let first = data.args.get(n).and_then(|&first| literal(func, first));
            let steps = rounds::steps(func, op, body, param, n);
            if let (Some(first), Some((least, greatest))) = (first, steps) {
                let rounds = i64::from(most);
                let low = first + (least as i64 * rounds).min(0);
                let high = first + (greatest as i64 * rounds).max(0);
                self.bounds.insert(param, Range::new(low, high));
            }
        }
    }

    fn range(&self, value: ValueId) -> Range {
        self.of[value.index()]
    }

    /// A choice: what its condition says of a number holds in each arm.
    fn choose(&mut self, result: ValueId, data: &OpData) {
        for (arm, holds) in [(data.args[1], true), (data.args[2], false)] {
            let range = self.arm(arm, data.args[0], holds).unwrap_or(self.range(arm));
            self.grow(result, range);
        }
    }

    /// The range of a sum with a literal, or of the number itself, where a comparison of that number holds or not.
    fn arm(&self, arm: ValueId, condition: ValueId, holds: bool) -> Option<Range> {
        let func = self.func;
        let compared = &func.ops[func.def_op(condition)?];
        let OpKind::Num(num) = compared.kind else { return None };
        if !is_compared(num) {
            return None;
        }
        let (number, bound) = (compared.args[0], literal(func, compared.args[1])?);
        let mut range = self.range(number);
        if !range.is_proven() || matches!(num, Op::Ult | Op::Ule) && (range.low < 0 || bound < 0) {
            return None;
        }
        match (num, holds) {
            (Op::Ilt | Op::Ult, true) => range.high = range.high.min(bound - 1),
            (Op::Ilt | Op::Ult, false) => range.low = range.low.max(bound),
            (Op::Ile | Op::Ule, true) => range.high = range.high.min(bound),
            (Op::Ile | Op::Ule, false) => range.low = range.low.max(bound + 1),
            (Op::Ieq, true) | (Op::Ine, false) => range = Range { low: bound, high: bound },
            (Op::Ieq, false) | (Op::Ine, true) if range.low == bound => range.low += 1,
            (Op::Ieq, false) | (Op::Ine, true) if range.high == bound => range.high -= 1,
            _ => {}
        }
        if range.is_none() {
            return Some(Range::NONE);
        }
        if arm == number {
            return Some(range);
        }
        let sum = &func.ops[func.def_op(arm)?];
        let (OpKind::Num(op), true) = (sum.kind, sum.args.first() == Some(&number)) else { return None };
        let by = literal(func, *sum.args.get(1)?)?;
        match op {
            Op::Iadd => Some(Range::new(range.low + by, range.high + by)),
            Op::Isub => Some(Range::new(range.low - by, range.high - by)),
            _ => None,
        }
    }

    /// The range of a result.
    fn computed(&self, num: Op, data: &OpData) -> Range {
        let args: Vec<Range> = data.args.iter().map(|&arg| self.range(arg)).collect();
        if let Some(number) = truncated(self.func, num, data) {
            return exact(number);
        }
        if let Some((low, high)) = converted(self.func, num, data) {
            return Range::new(low, high);
        }
        if args.is_empty() || !is_computed(num) {
            return Range::ANY;
        }
        if args.iter().any(|range| range.is_none()) {
            return Range::NONE;
        }
        if !args.iter().all(|range| range.is_proven()) {
            return Range::ANY;
        }
        let (a, b) = (args[0], args.get(1).copied().unwrap_or(args[0]));
        let by = |n: usize| data.args.get(n).and_then(|&value| literal(self.func, value));
        match (num, by(1)) {
            (Op::Iadd, _) => Range::new(a.low + b.low, a.high + b.high),
            (Op::Isub, _) => Range::new(a.low - b.high, a.high - b.low),
            (Op::Ineg, _) => Range::new(-a.high, -a.low),
            (Op::Imul, _) => {
                let products = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
                Range::new(products.into_iter().min().unwrap_or(0), products.into_iter().max().unwrap_or(0))
            }
            (Op::Iabs, _) => {
                let low = if a.low <= 0 && a.high >= 0 { 0 } else { a.low.abs().min(a.high.abs()) };
                Range::new(low, a.low.abs().max(a.high.abs()))
            }
            (Op::Imin, _) => Range::new(a.low.min(b.low), a.high.min(b.high)),
            (Op::Imax, _) => Range::new(a.low.max(b.low), a.high.max(b.high)),
            (Op::Umin, _) if a.low >= 0 && b.low >= 0 => Range::new(a.low.min(b.low), a.high.min(b.high)),
            (Op::Umax, _) if a.low >= 0 && b.low >= 0 => Range::new(a.low.max(b.low), a.high.max(b.high)),
            (Op::Shl, Some(by @ 0..=24)) => Range::new(a.low << by, a.high << by),
            (Op::Ishr, Some(by @ 0..=24)) => Range::new(a.low >> by, a.high >> by),
            (Op::Ushr, Some(by @ 0..=24)) if a.low >= 0 => Range::new(a.low >> by, a.high >> by),
            (Op::Iand, Some(mask)) if a.low >= 0 && is_mask(mask) => Range::new(0, mask.min(a.high)),
            (Op::Ubfe, Some(at @ 0..=24)) if a.low >= 0 => match by(2) {
                Some(width @ 1..=24) => Range::new(0, ((1 << width) - 1).min(a.high >> at)),
                _ => Range::ANY,
            },
            _ => Range::ANY,
        }
    }

    /// The values that are numbers: results of computations, their operands, and what they are copied from and to.
    fn numbers(&self) -> Vec<bool> {
        let func = self.func;
        let mut numbers = vec![false; func.values.len()];
        func.walk(|_, op| {
            let data = &func.ops[op];
            let OpKind::Num(num) = data.kind else {
                if let (OpKind::ConstAt { .. }, Some(&at)) = (data.kind, data.args.first()) {
                    numbers[at.index()] = true;
                }
                return;
            };
            let words = || data.args.iter().filter(|&&arg| func.ty(arg) == Type::I32);
            if matches!(num, Op::F2iTrunc | Op::F2uTrunc | Op::F2iFloor | Op::F2uFloor) {
                numbers[data.results[0].index()] = self.range(data.results[0]).is_proven();
                return;
            }
            if !is_counting(data.kind) || !words().all(|&arg| self.range(arg).is_proven()) {
                return;
            }
            if !is_computed(num) || self.range(data.results[0]).is_proven() {
                words().for_each(|arg| numbers[arg.index()] = true);
            }
            if is_computed(num) {
                numbers[data.results[0].index()] = true;
            }
        });
        loop {
            let mut changed = false;
            for &(to, from) in &self.edges {
                if !self.range(to).is_proven() || !self.range(from).is_proven() {
                    continue;
                }
                let either = numbers[to.index()] || numbers[from.index()];
                // Each literal is what its reader wants.
                for value in [to, from] {
                    if either && !numbers[value.index()] && (value == to || literal(func, value).is_none()) {
                        numbers[value.index()] = true;
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        // Literals are both.
        for (at, number) in numbers.iter_mut().enumerate() {
            let value = ValueId::new(at);
            if literal(func, value).is_some() {
                *number = false;
            }
        }
        numbers
    }
}

/// Whether a word has the lowest bits alone.
pub(super) const fn is_mask(mask: i64) -> bool {
    mask > 0 && mask < MOST && mask & (mask + 1) == 0
}

fn exact(number: i64) -> Range {
    Range::new(number, number)
}

/// The range of a conversion, of a float whose interval is known.
fn converted(func: &Func, num: Op, data: &OpData) -> Option<(i64, i64)> {
    let is_floor = matches!(num, Op::F2iFloor | Op::F2uFloor);
    if !is_floor && !matches!(num, Op::F2iTrunc | Op::F2uTrunc) {
        return None;
    }
    let (low, high) = interval(func, data.args[0]).numbers()?;
    // Towards 0 is down where nothing is below 0, and below 0 words without sign end.
    let goes_down = low >= 0.0 || num == Op::F2iFloor;
    (goes_down && low.abs().max(high.abs()) <= MOST as f64).then(|| (low.floor() as i64, high.floor() as i64))
}

/// The word that a conversion makes of a literal.
pub(super) fn truncated(func: &Func, num: Op, data: &OpData) -> Option<i64> {
    if !matches!(num, Op::F2iTrunc | Op::F2uTrunc | Op::F2iFloor | Op::F2uFloor) {
        return None;
    }
    let float = func.def_op(data.args[0]).map(|op| func.ops[op].kind);
    let Some(OpKind::Literal(bits)) = float.filter(|_| func.ty(data.args[0]) == Type::F32) else { return None };
    let number = f32::from_bits(bits as u32);
    // Whole ones are the same in every rounding.
    (number.fract() == 0.0 && (0.0..=MOST as f32).contains(&number)).then_some(number as i64)
}
