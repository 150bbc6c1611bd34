//! One thread of a sweep: evaluates rows of inputs and counts what came out.

use crate::plan::{Bound, Plan, Reference};
use crate::tally::{Class, Tally, binade};
use parallax_num::{FloatFormat, Format, Kernel, Op, Rule, Specials, Storage, ulp};

/// Lanes evaluated at a time: rows stay in the first-level cache.
const ROW: usize = 512;

/// Direction of a function where it is monotonic on each side of zero.
fn direction(op: Op) -> i8 {
    match op {
        Op::Exp2 | Op::Log2 | Op::Sqrt | Op::Floor | Op::Ceil | Op::Trunc | Op::Rint | Op::Sign | Op::Exp2Part => 1,
        Op::Rcp | Op::Rsq => -1,
        _ => 0,
    }
}

/// Buffers and kernels of one thread.
pub(crate) struct Worker<'b> {
    bound: &'b Bound,
    kernel: Kernel,
    correct: Kernel,
    reference: Kernel,
    reference_rule: Rule,
    rows: Vec<Vec<u64>>,
    /// Operands in the containers of the model, of the reference.
    own: Vec<Vec<u64>>,
    wide: Vec<Vec<u64>>,
    got: Vec<u64>,
    right: Vec<u64>,
    value: Vec<u64>,
    /// The same as numbers: result, reference, first and second operand.
    numbers: [Vec<f64>; 4],
    direction: i8,
    classes: Classes,
    error: ErrorScale,
}

impl<'b> Worker<'b> {
    pub(crate) fn new(bound: &'b Bound) -> Self {
        let format = bound.decl.format();
        let (reference, reference_rule) = match &bound.reference {
            Reference::Wide(rule) => (Kernel::reference(bound.op, rule, format), *rule),
            Reference::Rule(rule) => (Kernel::new(bound.op, rule), *rule),
        };
        let rows = || vec![Vec::new(); bound.arity];
        Worker {
            bound,
            kernel: Kernel::new(bound.op, &bound.rule),
            correct: Kernel::new(bound.op, &bound.correct),
            reference,
            reference_rule,
            rows: rows(),
            own: rows(),
            wide: rows(),
            got: Vec::new(),
            right: Vec::new(),
            value: Vec::new(),
            numbers: Default::default(),
            direction: if bound.arity == 1 { direction(bound.op) } else { 0 },
            classes: Classes::new(format),
            error: ErrorScale::new(format),
        }
    }

    /// Counts inputs `start..start + len` of `count`.
    pub(crate) fn block(&mut self, plan: &Plan, start: u64, len: u64, count: u64) -> Tally {
        let mut tally = Tally::new(self.bound.arity);
        let mut at = start;
        while at < start + len {
            let n = (start + len - at).min(ROW as u64) as usize;
            self.row(plan, at, n, &mut tally);
            at += n as u64;
        }
        if self.direction != 0 {
            self.monotonic_across(plan, start, start + len, count, &mut tally);
        }
        tally
    }

    fn row(&mut self, plan: &Plan, at: u64, n: usize, tally: &mut Tally) {
        let bound = self.bound;
        let declared = bound.decl.format().storage();
        let storage = bound.rule.storage;
        for row in &mut self.rows {
            row.resize(n, 0);
        }
        plan.inputs.fill(bound.decl, at, &mut self.rows);
        for words in [&mut self.got, &mut self.value, &mut self.right] {
            words.resize(n, 0);
        }
        let own = operands_in(&self.rows, declared, &bound.rule, &mut self.own);
        evaluate(&self.kernel, own, &mut self.got);
        let wide = operands_in(&self.rows, declared, &self.reference_rule, &mut self.wide);
        evaluate(&self.reference, wide, &mut self.value);
        let [got, want, first, second] = &mut self.numbers;
        numbers(&self.got, storage, got);
        numbers(&self.value, self.reference_rule.storage, want);
        numbers(&self.rows[0], declared, first);
        numbers(self.rows.get(1).unwrap_or(&self.rows[0]), declared, second);
        tally.inputs += n as u64;
        tally.correct += if bound.same {
            n as u64
        } else {
            evaluate(&self.correct, &self.rows, &mut self.right);
            if storage == declared {
                self.got.iter().zip(&self.right).filter(|(a, b)| a == b).count() as u64
            } else {
                // Containers differ: compare as numbers then, with the sign of zero.
                let right = self.right.iter().map(|bits| as_f64(*bits, declared));
                self.numbers[0].iter().zip(right).filter(|(a, b)| same(**a, *b)).count() as u64
            }
        };
        match (bound.arity, self.error.float) {
            (1, Some(_)) => self.count::<false, true>(at, tally),
            (1, None) => self.count::<false, false>(at, tally),
            (_, Some(_)) => self.count::<true, true>(at, tally),
            (_, None) => self.count::<true, false>(at, tally),
        }
        if self.direction != 0 {
            self.monotonic_in(at, tally);
        }
    }

    /// Counts errors and classes of the row in `numbers`. `TWO`: of two operands or more; `FLOAT`: errors have the
    /// short way.
    #[inline(never)]
    fn count<const TWO: bool, const FLOAT: bool>(&self, at: u64, tally: &mut Tally) {
        let [got, want, first, second] = self.numbers.each_ref().map(|row| &row[..self.numbers[0].len()]);
        let (classes, scale) = (self.classes, self.error);
        for i in 0..got.len() {
            let (y, z, a) = (got[i], want[i], first[i]);
            let short = if FLOAT { scale.short(y, z) } else { None };
            let error = match short {
                Some(error) => Some(error),
                None => scale.of(y, z),
            };
            match error {
                Some(error) => tally.error(error, at + i as u64, binade(a)),
                None => tally.special_mismatch += u64::from(!same_special(y, z)),
            }
            let mut cell = classes.of(a);
            if TWO {
                cell = cell * Class::COUNT + classes.of(second[i]);
            }
            tally.matrix[cell * Class::COUNT + classes.of(y)] += 1;
        }
    }

    /// Compares neighbours inside the row in `numbers`.
    fn monotonic_in(&self, at: u64, tally: &mut Tally) {
        let [got, _, first, _] = &self.numbers;
        let wrong = |a: f64, b: f64| if self.direction > 0 { b < a } else { b > a };
        let any = got.windows(2).fold(false, |any, pair| any | wrong(pair[0], pair[1]));
        if !any {
            return;
        }
        for i in 1..got.len() {
            self.check_order(first[i - 1], first[i], got[i - 1], got[i], at + i as u64, tally);
        }
    }

    /// Compares neighbours across the borders of rows, and the last input of a block with the first of the next.
    fn monotonic_across(&mut self, plan: &Plan, start: u64, end: u64, count: u64, tally: &mut Tally) {
        let mut edges: Vec<u64> = (1..).map(|row| start + row * ROW as u64).take_while(|edge| *edge < end).collect();
        if end < count {
            edges.push(end);
        }
        let declared = self.bound.decl.format().storage();
        for edge in edges {
            self.rows[0].resize(2, 0);
            plan.inputs.fill(self.bound.decl, edge - 1, &mut self.rows);
            let own = operands_in(&self.rows, declared, &self.bound.rule, &mut self.own);
            self.got.resize(2, 0);
            evaluate(&self.kernel, own, &mut self.got);
            let value = |bits: u64| as_f64(bits, self.bound.rule.storage);
            let (a, b) = (as_f64(self.rows[0][0], declared), as_f64(self.rows[0][1], declared));
            self.check_order(a, b, value(self.got[0]), value(self.got[1]), edge, tally);
        }
    }

    fn check_order(&self, a: f64, b: f64, fa: f64, fb: f64, number: u64, tally: &mut Tally) {
        let one_side = a.is_sign_negative() == b.is_sign_negative();
        let wrong = if self.direction > 0 { fb < fa } else { fb > fa };
        if one_side && wrong && a != b {
            tally.not_monotonic += 1;
            tally.first_not_monotonic = Some(tally.first_not_monotonic.map_or(number, |n| n.min(number)));
        }
    }
}

fn evaluate(kernel: &Kernel, rows: &[Vec<u64>], out: &mut [u64]) {
    // The widest operation has eight operands.
    let mut args: [&[u64]; 8] = [&[]; 8];
    for (slot, row) in args.iter_mut().zip(rows) {
        *slot = &row[..out.len()];
    }
    kernel.run(&args[..rows.len()], out);
}

/// Patterns of the declared format in the container of a rule; `space` is used where that is another one. Every container
/// a model uses for a format either holds the pattern's value exactly, or is narrower and rounds it as reading a register
/// would.
fn operands_in<'a>(rows: &'a [Vec<u64>], from: Storage, rule: &Rule, space: &'a mut [Vec<u64>]) -> &'a [Vec<u64>] {
    if from == rule.storage {
        return rows;
    }
    for (row, out) in rows.iter().zip(space.iter_mut()) {
        out.resize(row.len(), 0);
        if (from, rule.storage) == (Storage::F32, Storage::F64) {
            for (out, bits) in out.iter_mut().zip(row) {
                *out = f64::from(f32::from_bits(*bits as u32)).to_bits();
            }
        } else {
            let read = Rule { source: from, ..*rule };
            Kernel::new(Op::Cvt, &read).run(&[row], out);
        }
    }
    space
}

/// Words as numbers.
fn numbers(words: &[u64], storage: Storage, out: &mut Vec<f64>) {
    out.clear();
    match storage {
        Storage::F32 => out.extend(words.iter().map(|bits| f64::from(f32::from_bits(*bits as u32)))),
        Storage::F64 => out.extend(words.iter().map(|bits| f64::from_bits(*bits))),
        Storage::Fixed(f) => {
            let step = 1.0 / (1u64 << f.frac) as f64;
            out.extend(words.iter().map(|bits| f64::from(*bits as u32 as i32) * step));
        }
        Storage::F16 => out.extend(words.iter().map(|bits| ulp::to_f64(*bits, storage))),
    }
}

#[inline]
fn as_f64(bits: u64, storage: Storage) -> f64 {
    match storage {
        Storage::F32 => f64::from(f32::from_bits(bits as u32)),
        Storage::F64 => f64::from_bits(bits),
        _ => ulp::to_f64(bits, storage),
    }
}

fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan()
}

/// Whether two results of which at least one is no finite number say the same.
fn same_special(a: f64, b: f64) -> bool {
    a == b || a.is_nan() && b.is_nan()
}

/// [`Class::of`], fast for normal numbers.
#[derive(Copy, Clone)]
struct Classes {
    smallest: f64,
    /// Exponent field of the smallest normal number in binary64.
    lowest: u64,
}

impl Classes {
    fn new(format: Format) -> Classes {
        let smallest = match format {
            Format::Float(f) => 2f64.powi(f.min_exp()),
            Format::Fixed(_) => 0.0,
        };
        Classes { smallest, lowest: (smallest.to_bits() >> 52).max(1) }
    }

    #[inline(always)]
    fn of(self, value: f64) -> usize {
        let bits = value.to_bits();
        let exp = bits >> 52 & 0x7ff;
        if exp.wrapping_sub(self.lowest) < 0x7ff - self.lowest {
            let (below, above) = (Class::NegNormal as usize, Class::Normal as usize);
            return above - (bits >> 63) as usize * (above - below);
        }
        Class::of(value, self.smallest) as usize
    }
}

/// Errors in ulps of a format.
#[derive(Copy, Clone)]
struct ErrorScale {
    format: Format,
    /// For float formats whose steps binary64 can scale.
    float: Option<FloatFormat>,
    min_exp: i32,
    max_exp: i32,
    frac: i32,
}

impl ErrorScale {
    fn new(format: Format) -> Self {
        let float = match format {
            Format::Float(f) if f.frac < 52 && f.specials == Specials::InfNan => Some(f),
            _ => None,
        };
        let (min_exp, max_exp, frac) = float.map_or((0, 0, 0), |f| (f.min_exp(), f.max_exp(), i32::from(f.frac)));
        ErrorScale { format, float, min_exp, max_exp, frac }
    }

    /// [`ErrorScale::of`] where both are finite, or both the same special value.
    #[inline(always)]
    fn short(self, got: f64, want: f64) -> Option<f64> {
        if got.abs() < f64::INFINITY && want.abs() < f64::INFINITY {
            let exp = ((want.to_bits() >> 52 & 0x7ff) as i32 - 1023).max(self.min_exp).min(self.max_exp);
            // The difference of two close binary64 numbers is exact, and scaling by a power of two is.
            let scale = f64::from_bits(((1023 - exp + self.frac) as u64) << 52);
            return Some((got - want) * scale);
        }
        let beyond = f64::from_bits(((self.max_exp + 1024) as u64) << 52);
        let overflow = got.abs() == f64::INFINITY && want.abs() >= beyond && (got > 0.0) == (want > 0.0);
        (overflow || got.is_nan() && want.is_nan()).then_some(0.0)
    }

    /// Signed error of `got` against `want`, in steps of the format at `want`; `None` unless both are finite, or a
    /// number beyond the range met the infinity it overflows to.
    #[cold]
    #[inline(never)]
    fn of(&self, got: f64, want: f64) -> Option<f64> {
        ulp::error(got.to_bits(), Storage::F64, want, self.format)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parallax_num::Decl;

    #[test]
    fn short_ways_say_what_the_long_ones_say() {
        let mut values = vec![0.0, 1.0, 1.5, f64::INFINITY, f64::NAN, 1e-310, f64::MIN_POSITIVE, f64::MAX];
        for exp in [-1000, -160, -150, -149, -130, -127, -126, -125, -24, -14, -1, 0, 15, 16, 126, 127, 128, 129, 500] {
            for m in [1.0, 1.0 + 2f64.powi(-44), 1.3, 2.0 - 2f64.powi(-23), 2.0 - 2f64.powi(-24), 2.0 - 2f64.powi(-52)]
            {
                values.push(m * 2f64.powi(exp));
            }
        }
        values.extend(values.clone().iter().map(|v| -v));
        for decl in [Decl::F32, Decl::F16] {
            let (scale, classes) = (ErrorScale::new(decl.format()), Classes::new(decl.format()));
            for got in &values {
                assert_eq!(classes.of(*got), Class::of(*got, classes.smallest) as usize, "{got:e}");
                for want in &values {
                    if let Some(error) = scale.short(*got, *want) {
                        let long = scale.of(*got, *want).map(f64::abs);
                        assert_eq!(Some(error.abs()), long, "{decl} {got:e} {want:e}");
                    }
                }
            }
        }
    }
}
