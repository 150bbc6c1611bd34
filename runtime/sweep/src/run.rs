//! Running shards.

use crate::part::{Part, part_path, read_part, write_part};
use crate::plan::{BLOCK, Bound, Plan, Reference};
use crate::tally::{Class, Tally, binade};
use crate::{PlanError, SweepError};
use parallax_num::{Decl, FloatFormat, Format, Kernel, Model, Op, Storage, ulp};
use rayon::prelude::*;
use std::path::Path;

/// Lanes evaluated at a time: rows stay in the first-level cache.
const ROW: usize = 1024;

/// Told how far a sweep is; may stop it.
pub trait Progress: Sync {
    /// `inputs` more were evaluated.
    fn advance(&self, inputs: u64);
    /// Whether to stop before the next block.
    fn stop(&self) -> bool {
        false
    }
}

/// Runs the shards of `shards` that have no finished part under `dir` yet, one after the other, each on all threads. Every
/// finished shard is kept, whatever happens to later ones.
pub fn run(
    plan: &Plan,
    model: &Model,
    against: Option<&Model>,
    dir: &Path,
    shards: impl IntoIterator<Item = u32>,
    total: u32,
    progress: &dyn Progress,
) -> Result<(), SweepError> {
    let bound = plan.bind(model, against)?;
    let parts = dir.join("parts");
    std::fs::create_dir_all(&parts).map_err(|error| file_error("create", &parts, error))?;
    for shard in shards {
        if shard == 0 || shard > total {
            return Err(PlanError::Shard { shard, total }.into());
        }
        let path = part_path(dir, shard, total);
        if path.exists() {
            let part = read_part(&path)?;
            if part.plan != *plan {
                let message = "belongs to another sweep; choose another folder".to_string();
                return Err(SweepError::Part { path: path.display().to_string(), message });
            }
            progress.advance(part.tally.inputs);
            continue;
        }
        let tally = run_shard(plan, &bound, shard, total, progress).ok_or(SweepError::Interrupted)?;
        write_part(&path, &Part { schema: Part::SCHEMA, plan: plan.clone(), shard, total, tally })?;
    }
    Ok(())
}

pub(crate) fn file_error(what: &'static str, path: &Path, error: std::io::Error) -> SweepError {
    SweepError::File { what, path: path.display().to_string(), error }
}

/// Evaluates one shard: the blocks whose number is `shard - 1` modulo `total`. `None` when it was stopped.
pub fn run_shard(plan: &Plan, bound: &Bound, shard: u32, total: u32, progress: &dyn Progress) -> Option<Tally> {
    let count = plan.inputs.count(bound.decl, bound.arity);
    let blocks: Vec<u64> =
        (0..count.div_ceil(BLOCK)).filter(|b| b % u64::from(total) == u64::from(shard - 1)).collect();
    let merged = blocks
        .par_iter()
        .map_init(
            || Worker::new(bound),
            |worker, &block| {
                if progress.stop() {
                    return None;
                }
                let start = block * BLOCK;
                let len = BLOCK.min(count - start);
                let tally = worker.block(plan, start, len, count);
                progress.advance(len);
                Some(tally)
            },
        )
        .try_reduce_with(|mut sum, tally| {
            sum.merge(&tally);
            Some(sum)
        });
    // Without blocks there is nothing to reduce, and nothing was stopped.
    merged.unwrap_or_else(|| Some(Tally::new(bound.arity)))
}

/// Direction of a function where it is monotonic on each side of zero.
fn direction(op: Op) -> i8 {
    match op {
        Op::Exp2 | Op::Log2 | Op::Sqrt | Op::Floor | Op::Ceil | Op::Trunc | Op::Rint | Op::Sign | Op::Exp2Part => 1,
        Op::Rcp | Op::Rsq => -1,
        _ => 0,
    }
}

/// Buffers and kernels of one thread.
struct Worker<'b> {
    bound: &'b Bound,
    kernel: Kernel,
    correct: Kernel,
    reference: Kernel,
    rows: Vec<Vec<u64>>,
    /// Operands in the containers of the model, of the reference.
    own: Vec<Vec<u64>>,
    wide: Vec<Vec<u64>>,
    got: Vec<u64>,
    right: Vec<u64>,
    value: Vec<u64>,
    direction: i8,
    smallest: f64,
    error: ErrorScale,
}

impl<'b> Worker<'b> {
    fn new(bound: &'b Bound) -> Self {
        let (Reference::Wide(reference) | Reference::Rule(reference)) = &bound.reference;
        let rows = || vec![vec![0; ROW]; bound.arity];
        let smallest = match bound.decl.format() {
            Format::Float(f) => 2f64.powi(f.min_exp()),
            Format::Fixed(_) => 0.0,
        };
        Worker {
            bound,
            kernel: Kernel::new(bound.op, &bound.rule),
            correct: Kernel::new(bound.op, &bound.correct),
            reference: Kernel::new(bound.op, reference),
            rows: rows(),
            own: rows(),
            wide: rows(),
            got: vec![0; ROW],
            right: vec![0; ROW],
            value: vec![0; ROW],
            direction: direction(bound.op),
            smallest,
            error: ErrorScale::new(bound.decl.format()),
        }
    }

    fn block(&mut self, plan: &Plan, start: u64, len: u64, count: u64) -> Tally {
        let mut tally = Tally::new(self.bound.arity);
        let mut at = start;
        while at < start + len {
            let n = (start + len - at).min(ROW as u64) as usize;
            self.row(plan, at, n, &mut tally);
            at += n as u64;
        }
        if self.direction != 0 && self.bound.arity == 1 {
            self.monotonic_across(plan, start, start + len, count, &mut tally);
        }
        tally
    }

    fn row(&mut self, plan: &Plan, at: u64, n: usize, tally: &mut Tally) {
        for row in &mut self.rows {
            row.resize(n, 0);
        }
        plan.inputs.fill(self.bound.decl, at, &mut self.rows);
        let declared = self.bound.decl.format().storage();
        for (k, row) in self.rows.iter().enumerate() {
            widen(row, declared, self.bound.rule.storage, &self.bound.rule, &mut self.own[k]);
            let (Reference::Wide(rule) | Reference::Rule(rule)) = &self.bound.reference;
            widen(row, declared, rule.storage, rule, &mut self.wide[k]);
        }
        self.got.resize(n, 0);
        self.value.resize(n, 0);
        evaluate(&self.kernel, &self.own, &mut self.got);
        evaluate(&self.reference, &self.wide, &mut self.value);
        if !self.bound.same {
            self.right.resize(n, 0);
            evaluate(&self.correct, &self.rows, &mut self.right);
        }
        let storage = self.bound.rule.storage;
        let (Reference::Wide(rule) | Reference::Rule(rule)) = &self.bound.reference;
        tally.inputs += n as u64;
        let mut before = f64::NAN;
        for i in 0..n {
            let got = as_f64(self.got[i], storage);
            let want = as_f64(self.value[i], rule.storage);
            let first = as_f64(self.rows[0][i], declared);
            let right = self.bound.same || {
                // Containers may differ: compare as numbers then, with the sign of zero.
                if storage == declared {
                    self.got[i] == self.right[i]
                } else {
                    same(got, as_f64(self.right[i], declared))
                }
            };
            tally.correct += u64::from(right);
            let number = at + i as u64;
            match self.error.of(got, want) {
                Some(error) => tally.error(error, number, binade(first)),
                None => tally.special_mismatch += u64::from(!same_special(got, want)),
            }
            let mut cell = Class::of(first, self.smallest) as usize;
            if self.bound.arity > 1 {
                let second = as_f64(self.rows[1][i], declared);
                cell = cell * Class::COUNT + Class::of(second, self.smallest) as usize;
            }
            tally.matrix[cell * Class::COUNT + Class::of(got, self.smallest) as usize] += 1;
            if self.direction != 0 && self.bound.arity == 1 && i > 0 {
                let previous = as_f64(self.rows[0][i - 1], declared);
                self.check_order(previous, first, before, got, number, tally);
            }
            before = got;
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
            for row in &mut self.rows {
                row.resize(2, 0);
            }
            plan.inputs.fill(self.bound.decl, edge - 1, &mut self.rows);
            widen(&self.rows[0], declared, self.bound.rule.storage, &self.bound.rule, &mut self.own[0]);
            self.got.resize(2, 0);
            evaluate(&self.kernel, &self.own, &mut self.got);
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

/// Copies patterns of the declared format into another container. Every container a model uses for a format either holds
/// the pattern's value exactly, or is narrower and rounds it as reading a register would.
fn widen(row: &[u64], from: Storage, to: Storage, rule: &parallax_num::Rule, out: &mut Vec<u64>) {
    out.resize(row.len(), 0);
    if from == to {
        out.copy_from_slice(row);
        return;
    }
    if (from, to) == (Storage::F32, Storage::F64) {
        for (out, bits) in out.iter_mut().zip(row) {
            *out = f64::from(f32::from_bits(*bits as u32)).to_bits();
        }
        return;
    }
    let read = parallax_num::Rule { source: from, ..*rule };
    Kernel::new(Op::Cvt, &read).run(&[row], out);
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

/// Errors in ulps of a format, fast for its normal range.
struct ErrorScale {
    format: Format,
    float: Option<FloatFormat>,
}

impl ErrorScale {
    fn new(format: Format) -> Self {
        let float = match format {
            Format::Float(f) if f.frac < 52 => Some(f),
            _ => None,
        };
        ErrorScale { format, float }
    }

    /// Signed error of `got` against `want`, in steps of the format at `want`; `None` unless both are finite, or a
    /// number beyond the range met the infinity it overflows to.
    #[inline]
    fn of(&self, got: f64, want: f64) -> Option<f64> {
        if let Some(f) = self.float {
            let exp = (want.to_bits() >> 52 & 0x7ff) as i32 - 1023;
            if got.is_finite() && exp >= f.min_exp() && exp < f.max_exp() {
                // The difference of two close binary64 numbers is exact, and scaling by a power of two is.
                let scale = f64::from_bits(((1023 - exp + i32::from(f.frac)) as u64) << 52);
                return Some((got - want) * scale);
            }
        }
        ulp::error(got.to_bits(), Storage::F64, want, self.format)
    }
}

/// The operands of input number `n`, for naming an input in a report.
pub(crate) fn operands(plan: &Plan, n: u64) -> Result<Vec<u64>, PlanError> {
    let (op, decl): (Op, Decl) = Plan::resolve(&plan.op, &plan.format)?;
    let mut rows = vec![vec![0]; op.info().args.len()];
    plan.inputs.fill(decl, n, &mut rows);
    Ok(rows.into_iter().map(|row| row[0]).collect())
}
