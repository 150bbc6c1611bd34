//! One thread of a sweep: evaluates rows of inputs and counts what came out.

use crate::count::{Counter, Numbers};
use crate::inputs::Inputs;
use crate::plan::{BoundPlan, Plan};
use crate::tally::Tally;
use parallax_core::backend::OperationRunner;
use parallax_interp::Interpreter;
use parallax_num::{Judge, Legal, Op, Rule, Ruling, Storage, ulp};

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

/// Buffers and operations of one thread.
pub(crate) struct Worker<'b> {
    bound: &'b BoundPlan,
    tested: OperationRunner<'b>,
    correct: OperationRunner<'b>,
    reference: OperationRunner<'b>,
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
    counter: Counter,
    judge: Option<Judge<'b>>,
    /// Operands as the model was asked.
    asked: Vec<Vec<f64>>,
}

impl<'b> Worker<'b> {
    /// Ready to count inputs of a kind.
    pub(crate) fn new(bound: &'b BoundPlan, inputs: &Inputs) -> Self {
        let format = bound.decl.format();
        let operations = &bound.operations;
        let rows = || vec![Vec::new(); bound.arity];
        Worker {
            bound,
            tested: operations.tested.runner(),
            correct: operations.correct.runner(),
            reference: operations.reference.runner(),
            reference_rule: *bound.reference.rule(),
            rows: rows(),
            own: rows(),
            wide: rows(),
            got: Vec::new(),
            right: Vec::new(),
            value: Vec::new(),
            numbers: Default::default(),
            // Neighbours are neighbours in ranges only.
            direction: if matches!(inputs, Inputs::Unary { .. }) { direction(bound.op) } else { 0 },
            counter: Counter::new(format, bound.rule.storage),
            judge: bound.profile.as_ref().and_then(|profile| Judge::new(profile, bound.op)),
            asked: vec![Vec::new(); bound.arity],
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
        self.counter.finish(&mut tally);
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
        run(&mut self.tested, own, &mut self.got);
        let wide = operands_in(&self.rows, declared, &self.reference_rule, &mut self.wide);
        run(&mut self.reference, wide, &mut self.value);
        let [got, want, first, second] = &mut self.numbers;
        numbers(&self.got, storage, got);
        numbers(&self.value, self.reference_rule.storage, want);
        numbers(&self.rows[0], declared, first);
        numbers(self.rows.get(1).unwrap_or(&self.rows[0]), declared, second);
        tally.inputs += n as u64;
        tally.correct += if bound.same {
            n as u64
        } else {
            run(&mut self.correct, &self.rows, &mut self.right);
            if storage == declared {
                self.got.iter().zip(&self.right).filter(|(a, b)| a == b).count() as u64
            } else {
                // Containers differ: compare as numbers then, with the sign of zero.
                let right = self.right.iter().map(|bits| as_f64(*bits, declared));
                self.numbers[0].iter().zip(right).filter(|(a, b)| same(**a, *b)).count() as u64
            }
        };
        let [got, want, first, second] = &self.numbers;
        let row = Numbers { got, want, first, second: (bound.arity > 1).then_some(second) };
        self.counter.row(at, row, tally);
        if let Some(judge) = self.judge.clone() {
            self.judge(&judge, at, tally);
        }
        if self.direction != 0 {
            self.monotonic_in(at, tally);
        }
    }

    /// Judges the results of the row in `numbers`.
    fn judge(&mut self, judge: &Judge<'_>, at: u64, tally: &mut Tally) {
        let (declared, storage) = (self.bound.decl.format().storage(), self.bound.rule.storage);
        let own = if storage == declared { &self.rows } else { &self.own };
        for (words, out) in own.iter().zip(&mut self.asked) {
            numbers(words, storage, out);
        }
        let [got, want, first, second] = &self.numbers;
        let mut args = [0.0; 8];
        let args = &mut args[..self.asked.len()];
        for i in 0..got.len() {
            for (arg, row) in args.iter_mut().zip(&self.asked) {
                *arg = row[i];
            }
            // The reference is for the declared operands.
            let same = args[0] == first[i] && args.get(1).is_none_or(|arg| *arg == second[i]) && args.len() <= 2;
            match judge.rules(args, got[i], if same { want[i] } else { f64::NAN }) {
                Ruling::Inside => {}
                Ruling::Free => tally.legal.free += 1,
                Ruling::Outside(excess) => tally.legal.outside(at + i as u64, excess.to_bits(), || {
                    let result = format!("{} ({})", ulp::hex(self.got[i], storage), ulp::decimal(self.got[i], storage));
                    let intervals = match judge.legal(args) {
                        Legal::Intervals(all) => {
                            all.iter().map(|i| [i.low, i.high].map(|end| format!("{end:?}"))).collect()
                        }
                        Legal::Nan | Legal::Anything => Vec::new(),
                    };
                    (result, intervals)
                }),
            }
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
            run(&mut self.tested, own, &mut self.got);
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

/// Evaluates an operation in the lanes of `out`, the first ones of the rows.
fn run(operation: &mut OperationRunner<'_>, rows: &[Vec<u64>], out: &mut [u64]) {
    let args: Vec<&[u64]> = rows.iter().map(|row| &row[..out.len()]).collect();
    operation.run(&args, out);
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
            Interpreter::operation(Op::Cvt, &read).runner().run(&[row], out);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inputs::place_of;
    use crate::plan::Against;
    use crate::run::operands;
    use crate::tally::{Class, binade};
    use parallax_num::{Decl, Format, Model, eval};

    /// What [`Worker::block`] counts, one lane after the other and in so many words.
    fn straightforward(plan: &Plan, bound: &BoundPlan, start: u64, len: u64, count: u64) -> Tally {
        let format = bound.decl.format();
        let declared = format.storage();
        let smallest = match format {
            Format::Float(f) => 2f64.powi(f.min_exp()),
            Format::Fixed(_) => 0.0,
        };
        let inside = |words: &[u64], rule: &Rule| -> Vec<u64> {
            let read = |word: &u64| eval(Op::Cvt, &Rule { source: declared, ..*rule }, &[*word]);
            if rule.storage == declared { words.to_vec() } else { words.iter().map(read).collect() }
        };
        let result = |words: &[u64]| eval(bound.op, &bound.rule, &inside(words, &bound.rule));
        let mut tally = Tally::new(bound.arity);
        for n in start..start + len {
            let words = operands(plan, n).unwrap();
            let got = result(&words);
            let rule = bound.reference.rule();
            let want = ulp::to_f64(eval(bound.op, rule, &inside(&words, rule)), rule.storage);
            let number = ulp::to_f64(got, bound.rule.storage);
            let operand = |k: usize| ulp::to_f64(words[k], declared);
            tally.inputs += 1;
            let right = eval(bound.op, &bound.correct, &words);
            tally.correct += u64::from(if bound.rule.storage == declared {
                got == right
            } else {
                same(number, ulp::to_f64(right, declared))
            });
            match ulp::error(got, bound.rule.storage, want, format) {
                Some(error) => tally.error(error, n, binade(operand(0))),
                None => tally.special_mismatch += u64::from(!(number == want || number.is_nan() && want.is_nan())),
            }
            let class = |value: f64| Class::of(value, smallest) as usize;
            let operands = (0..bound.arity.min(2)).fold(0, |cell, k| cell * Class::COUNT + class(operand(k)));
            tally.matrix[operands * Class::COUNT + class(number)] += 1;
        }
        let direction = if matches!(plan.inputs, Inputs::Unary { .. }) { direction(bound.op) } else { 0 };
        for n in start + 1..=(start + len).min(count - 1) {
            let [a, b] = [n - 1, n].map(|n| operands(plan, n).unwrap());
            let [x, y] = [&a, &b].map(|words| ulp::to_f64(words[0], declared));
            let [fx, fy] = [&a, &b].map(|words| ulp::to_f64(result(words), bound.rule.storage));
            let wrong = if direction > 0 { fy < fx } else { fy > fx };
            if direction != 0 && wrong && x != y && x.is_sign_negative() == y.is_sign_negative() {
                tally.not_monotonic += 1;
                tally.first_not_monotonic.get_or_insert(n);
            }
        }
        tally
    }

    fn check(op: &str, decl: Decl, model: &str, against: Against, inputs: Inputs, start: u64, len: u64) {
        let plan = Plan {
            op: op.into(),
            format: decl.name().into(),
            model: model.into(),
            against,
            inputs,
            profile: None,
            fingerprint: String::new(),
            version: "test".into(),
        };
        let other = match &plan.against {
            Against::Exact => None,
            Against::Model(name) => Some(Model::parse(name).unwrap()),
        };
        let bound = plan.bind(&Model::parse(model).unwrap(), other.as_ref()).unwrap();
        let count = plan.count().unwrap();
        let (start, len) = (start.min(count - 1), len.min(count - start.min(count - 1)));
        let fast = Worker::new(&bound, &plan.inputs).block(&plan, start, len, count);
        let slow = straightforward(&plan, &bound, start, len, count);
        let what = format!("{op} {decl} {model} from {start}");
        assert_eq!(fast.max, slow.max, "{what}");
        assert_eq!((fast.measured, fast.correct), (slow.measured, slow.correct), "{what}");
        assert_eq!((fast.faithful, fast.sum), (slow.faithful, slow.sum), "{what}");
        assert!(fast == slow, "{what}: in a table");
    }

    /// Every built-in model, and all ends of bounds.
    fn models() -> Vec<String> {
        let names = Model::builtins();
        let probes = ["", "@low", "@high", "@random:7"];
        names.iter().flat_map(|m| probes.map(|probe| format!("{}{probe}", m.name()))).collect()
    }

    #[test]
    fn rows_count_what_single_lanes_count_of_pairs() {
        for (k, model) in models().iter().enumerate() {
            for op in ["add", "mul", "min", "div", "pow"] {
                let corners = Inputs::Stratified { per_cell: 1, random: 2000, seed: k as u64 };
                // The last pairs of binades, all pairs of corner values, some random ones.
                check(op, Decl::F32, model, Against::Exact, corners, (1 << 18) - 100, 1100);
                let start = k as u64 * 77_777_777 % (1 << 31);
                check(op, Decl::F16, model, Against::Exact, Inputs::Pairs, start, 600);
            }
        }
    }

    #[test]
    fn rows_count_what_single_lanes_count_of_one_operand() {
        for (k, model) in models().iter().enumerate() {
            for op in ["exp2", "log2", "rsq", "rcp", "sin", "floor"] {
                // Around NaN and infinity, around zero, at one, at the largest numbers, somewhere.
                for bits in
                    [0xff80_0100u32, 0x8000_0100, 0x3f7f_ff00, 0x7f7f_ff00, 0x1234_5678u32.wrapping_mul(k as u32 | 1)]
                {
                    let place = place_of(u64::from(bits), Decl::F32);
                    check(op, Decl::F32, model, Against::Exact, Inputs::all(Decl::F32), place, 580);
                }
                check(op, Decl::F16, model, Against::Exact, Inputs::all(Decl::F16), 31_000, 3000);
            }
        }
    }

    #[test]
    fn rows_count_what_single_lanes_count_elsewhere() {
        let other = || Against::Model("maxwell@high".into());
        check("exp2", Decl::F32, "nv-patent", other(), Inputs::all(Decl::F32), 3 << 30, 600);
        check(
            "add",
            Decl::F32,
            "ieee[fp32=half]",
            Against::Exact,
            Inputs::Stratified { per_cell: 1, random: 9, seed: 1 },
            1 << 17,
            600,
        );
        check("mul", Decl::Fx12, "nv-patent", Against::Exact, Inputs::Pairs, 1 << 23, 600);
        check(
            "mul",
            Decl::F32,
            "exact",
            Against::Exact,
            Inputs::Stratified { per_cell: 1, random: 999, seed: 1 },
            1 << 18,
            1500,
        );
        check("mad", Decl::F32, "attila", Against::Exact, Inputs::Tuples { random: 500, seed: 3 }, 21_000, 1400);
    }
}
