//! Primitives over rows of lanes.
//!
//! One primitive at a time runs over whole blocks of lanes, in plain loops that the compiler turns into vector
//! instructions. What the host's arithmetic does not do as the primitive is defined is found a block at a time and computed
//! again lane by lane by [`parallax_step::eval()`]: results that are NaN where their bits count, and tiny ones where they are
//! flushed.

mod float;

use crate::arena::{Arena, BLOCK, Block, Width, Word, each_width};
use float::{Directed, Float, half_from, half_of, integral, odd_sum};
use parallax_num::Processor;
use parallax_step::{Direction, Inst, MAX_ARGS, Mode, Nans, Prim, Ty, eval};
use std::ops::{Range, RangeInclusive};

/// A primitive, or several that run as one, over rows.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// The primitive; its operands are numbers of rows, whose widths follow from the primitive.
    pub(crate) inst: Inst,
    /// Row of the result.
    pub(crate) out: u32,
    /// What results are looked at for.
    pub(crate) check: Check,
    /// What runs together with it.
    pub(crate) with: With,
}

/// Which results of a primitive are computed again by definition.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Check {
    Nothing,
    /// NaN.
    Nan,
    /// Those that rounding may have made of a tiny number.
    Tiny,
    /// Both, and infinite ones.
    All,
}

/// What runs together with a primitive.
#[derive(Clone, Debug)]
pub(crate) enum With {
    /// Nothing.
    Nothing,
    /// A `first` of its result: the NaN if no operand is one, and the other operands, [`OWN`] for the result itself.
    First(Inst),
    /// The second operand is shifted left before.
    Shl(u32),
    /// Whether the sum of the result, a lower half, and one row is `disjoint` from another row.
    Disjoint { plus: u32, bits: u32 },
    /// It is the first `fma` of a polynomial in binary64; its operands are the factor, a constant and the first addend.
    Polynomial(Box<Polynomial>),
}

/// In [`With::First`], the place of the result that is chosen from.
pub(crate) const OWN: u32 = u32::MAX;

/// `fma(x, fma(x, .., c1), c2)` and what becomes of it, or `fma(x + s2, fma(x + s1, fma(y, .., ..), c1), c2)`.
#[derive(Clone, Debug)]
pub(crate) struct Polynomial {
    /// Addends behind the first.
    pub(crate) addends: Vec<f64>,
    /// Terms with sums in the place of the factor, if they have some. Then the second operand is the factor of the term that it starts
    /// with.
    pub(crate) shifts: Option<Shifts>,
    /// Whether the factor is the square of the row.
    pub(crate) is_square: bool,
    pub(crate) finish: Finish,
}

/// What a polynomial in the form of Eve has besides addends.
#[derive(Clone, Debug)]
pub(crate) struct Shifts {
    /// Factor and addend of the term that it starts with.
    pub(crate) start: [f64; 2],
    /// What is added to the factor in each term, the first one as well.
    pub(crate) sums: Vec<f64>,
}

/// What becomes of a polynomial, by rows.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Finish {
    Nothing,
    /// A product.
    Times(u32),
    /// The sum of a product and a row, rounded once.
    TimesPlus(u32, u32),
}

impl Step {
    /// Type of the result.
    fn result(&self) -> Ty {
        if matches!(self.with, With::Disjoint { .. }) { Ty::Mask } else { self.inst.result() }
    }
}

/// Runs steps one after the other over some blocks. `nans` is which NaN arithmetic gives.
pub(crate) fn run(steps: &[Step], arena: &mut Arena, blocks: &Range<usize>, nans: Nans, processor: Processor) {
    for steps in steps.chunk_by(|a, b| Group::of(a) == Group::of(b)) {
        Group::of(&steps[0]).run(Run { steps, arena, blocks, nans }, processor);
    }
}

/// Primitives whose loops are compiled together. One function with the loops of all takes the compiler twice as long, one
/// for each primitive runs slower, because every step would call through a table.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Group {
    Single,
    Double,
    /// Floats rounded in a direction that the host's instructions do not have.
    Directed,
    Word32,
    Word64,
    Mask,
    /// Several primitives that run as one.
    Fused,
}

impl Group {
    fn of(step: &Step) -> Group {
        if !matches!(step.with, With::Nothing | With::First(_)) {
            return Group::Fused;
        }
        match step.inst.ty {
            Ty::F32 | Ty::F64 if is_directed(&step.inst) => Group::Directed,
            Ty::F32 => Group::Single,
            Ty::F64 => Group::Double,
            Ty::I32 => Group::Word32,
            Ty::I64 => Group::Word64,
            Ty::Mask => Group::Mask,
        }
    }

    fn run(self, run: Run<'_>, processor: Processor) {
        // A closure is inlined where it is called; a function's name would be called through a shim without the level's
        // instructions.
        macro_rules! each {
            ($one:expr) => {
                each!($one, $one)
            };
            ($split:expr, $fused:expr) => {
                run.each(
                    processor,
                    #[inline(always)]
                    |step, arena, blocks| $split(step, arena, blocks),
                    #[inline(always)]
                    |step, arena, blocks| $fused(step, arena, blocks),
                )
            };
        }
        match self {
            Group::Single => each!(single::<false>, single::<true>),
            Group::Double => each!(double::<false>, double::<true>),
            Group::Directed => each!(directed),
            Group::Word32 => each!(word32),
            Group::Word64 => each!(word64),
            Group::Mask => each!(mask),
            Group::Fused => each!(fused::<false>, fused::<true>),
        }
    }
}

/// Whether an op on floats does what no instruction of every host does: it rounds in a direction, to an integer or to
/// binary16.
fn is_directed(inst: &Inst) -> bool {
    match inst.prim {
        Prim::Round | Prim::ToHalf | Prim::FaddOdd => true,
        Prim::Fadd | Prim::Fsub | Prim::Fmul | Prim::Fmulz | Prim::Fdiv | Prim::Fsqrt | Prim::Fma | Prim::Narrow => {
            mode(inst).direction != Direction::Nearest
        }
        Prim::FromInt => inst.ty == Ty::F32 && mode(inst).direction != Direction::Nearest,
        _ => false,
    }
}

fn mode(inst: &Inst) -> Mode {
    Mode::from_word(inst.imm).unwrap_or(Mode::PLAIN)
}

/// Steps of one group.
struct Run<'a> {
    steps: &'a [Step],
    arena: &'a mut Arena,
    blocks: &'a Range<usize>,
    nans: Nans,
}

impl Run<'_> {
    /// Runs one function for each step, compiled for the processor's level: `fused` where a fused multiply-add is one
    /// instruction, else `split`.
    #[inline(never)]
    fn each(
        self,
        processor: Processor,
        split: impl Fn(&Step, &mut Arena, &Range<usize>),
        fused: impl Fn(&Step, &mut Arena, &Range<usize>),
    ) {
        processor.run_with(
            self,
            #[inline(always)]
            |run| run.each_step(split),
            #[inline(always)]
            |run| run.each_step(fused),
        );
    }

    #[inline(always)]
    fn each_step(self, one: impl Fn(&Step, &mut Arena, &Range<usize>)) {
        for step in self.steps {
            one(step, self.arena, self.blocks);
            if self.nans != Nans::Plain {
                scramble(step, self.arena, self.blocks, self.nans);
            }
        }
    }
}

/// Operand `n` of a step that no vector instruction computes, in a lane.
fn operand(inst: &Inst, n: usize, arena: &Arena, lane: usize) -> u64 {
    let ty = inst.prim.row().args[n].at(inst.ty);
    each_width!(Width::of(ty), W => arena.words::<W>(inst.args[n])[lane].widen())
}

fn operands(inst: &Inst, arena: &Arena, lane: usize) -> [u64; MAX_ARGS] {
    std::array::from_fn(|n| if n < usize::from(inst.count) { operand(inst, n, arena, lane) } else { 0 })
}

/// What a step gives in a lane, by the definition of its primitives.
fn exact(step: &Step, arena: &Arena, lane: usize, nans: Nans) -> u64 {
    let mut args = operands(&step.inst, arena, lane);
    let of_row = |row: u32| arena.words::<u64>(row)[lane];
    match &step.with {
        With::Nothing => eval(&step.inst, args, nans),
        With::First(first) => {
            let mut words = [eval(&step.inst, args, nans); MAX_ARGS];
            for (n, word) in words.iter_mut().enumerate().take(usize::from(first.count)) {
                if first.args[n] != OWN {
                    *word = operand(first, n, arena, lane);
                }
            }
            eval(first, words, nans)
        }
        With::Shl(by) => {
            args[1] <<= by;
            eval(&step.inst, args, nans)
        }
        With::Disjoint { plus, bits } => {
            let [plus, bits] = [plus, bits].map(|&row| arena.words::<u32>(row)[lane]);
            u64::from((eval(&step.inst, args, nans) as u32).wrapping_add(plus) & bits == 0)
        }
        With::Polynomial(polynomial) => {
            let times = Inst { prim: Prim::Fmul, ..step.inst };
            if polynomial.is_square {
                args[0] = eval(&times, [args[0], args[0], 0, 0], nans);
            }
            let plus = Inst { prim: Prim::Fadd, ..step.inst };
            let x = args[0];
            let factor = |term: usize| match &polynomial.shifts {
                Some(shifts) => eval(&plus, [x, shifts.sums[term].to_bits(), 0, 0], nans),
                None => x,
            };
            if let Some(Shifts { start: [by, addend], .. }) = polynomial.shifts {
                args[1] = eval(&step.inst, [args[1], by.to_bits(), addend.to_bits(), 0], nans);
            }
            args[0] = factor(0);
            let mut word = eval(&step.inst, args, nans);
            for (n, addend) in polynomial.addends.iter().enumerate() {
                word = eval(&step.inst, [factor(n + 1), word, addend.to_bits(), 0], nans);
            }
            match polynomial.finish {
                Finish::Nothing => word,
                Finish::Times(by) => eval(&times, [of_row(by), word, 0, 0], nans),
                Finish::TimesPlus(by, plus) => eval(&step.inst, [of_row(by), word, of_row(plus), 0], nans),
            }
        }
    }
}

/// Every lane of a step by definition.
#[cold]
#[inline(never)]
fn by_definition(step: &Step, arena: &mut Arena, blocks: &Range<usize>) {
    each_width!(Width::of(step.result()), W => {
        let mut out = arena.take::<W>(step.out);
        for (n, word) in out[blocks.clone()].as_flattened_mut().iter_mut().enumerate() {
            *word = W::narrow(exact(step, arena, blocks.start * BLOCK + n, Nans::Plain));
        }
        arena.put(step.out, out);
    });
}

/// Gives NaN whose bits nobody may see those that `nans` has for them.
#[cold]
#[inline(never)]
fn scramble(step: &Step, arena: &mut Arena, blocks: &Range<usize>, nans: Nans) {
    each_width!(Width::of(step.result()), W => {
        let mut out = arena.take::<W>(step.out);
        for (n, word) in out[blocks.clone()].as_flattened_mut().iter_mut().enumerate() {
            if step.result().is_float() && is_nan(step.result(), word.widen()) {
                *word = W::narrow(exact(step, arena, blocks.start * BLOCK + n, nans));
            }
        }
        arena.put(step.out, out);
    });
}

fn is_nan(ty: Ty, word: u64) -> bool {
    if ty == Ty::F32 { f32::from_bits(word as u32).is_nan() } else { f64::from_bits(word).is_nan() }
}

/// Computes the lanes of a block again whose results are NaN, tiny or infinite. `to` is the block of the result.
#[cold]
#[inline(never)]
fn recheck<T: Float>(step: &Step, arena: &Arena, to: &mut Block<T::Word>, block: usize) {
    for (n, word) in to.iter_mut().enumerate() {
        if T::is_special(*word) {
            let lane = block * BLOCK + n;
            let nan = nan_of::<T>(step, arena, lane);
            *word = nan.unwrap_or_else(|| T::Word::narrow(exact(step, arena, lane, Nans::Plain)));
        }
    }
}

/// What arithmetic gives in a lane that has a NaN among its operands, which takes no arithmetic; `None` elsewhere. Once a program has
/// made one, most of what follows has one.
fn nan_of<T: Float>(step: &Step, arena: &Arena, lane: usize) -> Option<T::Word> {
    let word = |row: u32| arena.words::<T::Word>(row)[lane];
    let is_nan = |row: &u32| T::of(word(*row)).is_nan();
    let (Inst { prim, args, count, .. }, plain) = (&step.inst, T::plain_nan());
    // The first NaN among the operands behind the one that is chosen from.
    let chosen = |first: &Inst| {
        let others = first.args[1..usize::from(first.count)].iter();
        let found = others.map(|&row| if row == OWN { plain } else { word(row) }).find(|&w| T::of(w).is_nan());
        found.map_or(T::Word::narrow(first.imm), T::quieted)
    };
    match (prim, &step.with) {
        (Prim::First, With::Nothing) => Some(if is_nan(&args[0]) { chosen(&step.inst) } else { word(args[0]) }),
        (Prim::Fadd | Prim::Fsub | Prim::Fmul | Prim::Fdiv | Prim::Fsqrt | Prim::Fma, with) => {
            let has_one = args[..usize::from(*count)].iter().any(is_nan);
            match with {
                With::Nothing if has_one => Some(plain),
                // What is not chosen from its result has another one.
                With::First(first) if has_one && first.args[0] == OWN => Some(chosen(first)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// A pure function of words, lane by lane.
#[inline(always)]
fn map<const N: usize, A: Word, O: Word>(
    step: &Step,
    arena: &mut Arena,
    blocks: &Range<usize>,
    f: impl Fn([A; N]) -> O,
) {
    let mut out = arena.take::<O>(step.out);
    let args: [&[Block<A>]; N] = std::array::from_fn(|n| arena.row::<A>(step.inst.args[n], blocks));
    for (n, to) in out[blocks.start..blocks.end].iter_mut().enumerate() {
        let args: [&Block<A>; N] = std::array::from_fn(|k| &args[k][n]);
        for lane in 0..to.len() {
            to[lane] = f(args.map(|arg| arg[lane]));
        }
    }
    arena.put(step.out, out);
}

/// A function of floats; results are looked at as the step says.
#[inline(always)]
fn round<const N: usize, A: Float, O: Float>(
    step: &Step,
    arena: &mut Arena,
    blocks: &Range<usize>,
    f: impl Fn([A; N]) -> O,
) {
    match step.check {
        Check::Nothing => round_checked::<N, A, O>(step, arena, blocks, &f, |_| false),
        Check::Nan => round_checked::<N, A, O>(step, arena, blocks, &f, |word| O::of(word).is_nan()),
        Check::Tiny => round_checked::<N, A, O>(step, arena, blocks, &f, O::is_tiny),
        Check::All => round_checked::<N, A, O>(step, arena, blocks, &f, O::is_special),
    }
}

#[inline(always)]
fn round_checked<const N: usize, A: Float, O: Float>(
    step: &Step,
    arena: &mut Arena,
    blocks: &Range<usize>,
    f: &impl Fn([A; N]) -> O,
    is_special: impl Fn(O::Word) -> bool,
) {
    let mut out = arena.take::<O::Word>(step.out);
    let args: [&[Block<A::Word>]; N] = std::array::from_fn(|n| arena.row::<A::Word>(step.inst.args[n], blocks));
    for (n, to) in out[blocks.start..blocks.end].iter_mut().enumerate() {
        let args: [&Block<A::Word>; N] = std::array::from_fn(|k| &args[k][n]);
        let mut special = false;
        for lane in 0..to.len() {
            let word = f(args.map(|arg| A::of(arg[lane]))).word();
            special |= is_special(word);
            to[lane] = word;
        }
        if special {
            recheck::<O>(step, arena, to, blocks.start + n);
        }
    }
    arena.put(step.out, out);
}

/// A comparison.
#[inline(always)]
fn compare<A: Float>(step: &Step, arena: &mut Arena, blocks: &Range<usize>, f: impl Fn(A, A) -> bool) {
    map(step, arena, blocks, |[a, b]: [A::Word; 2]| u8::from(f(A::of(a), A::of(b))));
}

#[inline(always)]
fn select<T: Word>(step: &Step, arena: &mut Arena, blocks: &Range<usize>) {
    let mut out = arena.take::<T>(step.out);
    let [mask, a, b, _] = step.inst.args;
    let (mask, a, b) = (arena.row::<u8>(mask, blocks), arena.row::<T>(a, blocks), arena.row::<T>(b, blocks));
    for (n, to) in out[blocks.start..blocks.end].iter_mut().enumerate() {
        let (mask, a, b) = (&mask[n], &a[n], &b[n]);
        for lane in 0..to.len() {
            to[lane] = if mask[lane] != 0 { a[lane] } else { b[lane] };
        }
    }
    arena.put(step.out, out);
}

/// A shift: the amounts have 32 bits.
#[inline(always)]
fn shift<T: Word>(step: &Step, arena: &mut Arena, blocks: &Range<usize>, f: impl Fn(T, u32) -> T) {
    let mut out = arena.take::<T>(step.out);
    let (a, by) = (arena.row::<T>(step.inst.args[0], blocks), arena.row::<u32>(step.inst.args[1], blocks));
    for (n, to) in out[blocks.start..blocks.end].iter_mut().enumerate() {
        let (a, by) = (&a[n], &by[n]);
        for lane in 0..to.len() {
            to[lane] = f(a[lane], by[lane]);
        }
    }
    arena.put(step.out, out);
}

/// The first operand where it is no NaN; where it is one in any lane of a block, the definition decides.
#[inline(always)]
fn first<T: Float>(step: &Step, arena: &mut Arena, blocks: &Range<usize>) {
    let mut out = arena.take::<T::Word>(step.out);
    let from = arena.row::<T::Word>(step.inst.args[0], blocks);
    for (n, to) in out[blocks.start..blocks.end].iter_mut().enumerate() {
        let mut is_nan = false;
        for lane in 0..to.len() {
            let word = from[n][lane];
            is_nan |= T::of(word).is_nan();
            to[lane] = word;
        }
        if is_nan {
            recheck::<T>(step, arena, to, blocks.start + n);
        }
    }
    arena.put(step.out, out);
}

#[inline(always)]
fn polynomial<const FUSES: bool>(step: &Step, arena: &mut Arena, blocks: &Range<usize>, of: &Polynomial) {
    if !FUSES {
        return by_definition(step, arena, blocks);
    }
    macro_rules! by_length {
        ($($length:literal)*) => {
            match of.addends.len() {
                $($length if of.shifts.is_none() => terms::<$length, false>(step, arena, blocks, of),)*
                $($length => terms::<$length, true>(step, arena, blocks, of),)*
                _ => by_definition(step, arena, blocks),
            }
        };
    }
    by_length!(0 1 2 3 4 5 6 7 8 9 10 11 12)
}

/// Most addends of a polynomial behind the first one.
pub(crate) const MAX_ADDENDS: usize = 12;

/// A block of ones, and one of what changes no sum.
const ONES: &Block<u64> = &[1.0f64.to_bits(); BLOCK];
const ZEROS: &Block<u64> = &[(-0.0f64).to_bits(); BLOCK];

#[inline(always)]
fn terms<const N: usize, const SHIFTS: bool>(step: &Step, arena: &mut Arena, blocks: &Range<usize>, of: &Polynomial) {
    let v = f64::from_bits;
    let addends: [f64; N] = std::array::from_fn(|n| of.addends[n]);
    let shift = |n: usize| of.shifts.as_ref().map_or(0.0, |shifts| shifts.sums[n]);
    let (first, shifts): (f64, [f64; N]) = (shift(0), std::array::from_fn(|n| shift(n + 1)));
    let start = of.shifts.as_ref().map_or([0.0; 2], |shifts| shifts.start);
    let is_checked = step.check != Check::Nothing;
    let (by, plus) = match of.finish {
        Finish::Nothing => (None, None),
        Finish::Times(by) => (Some(by), None),
        Finish::TimesPlus(by, plus) => (Some(by), Some(plus)),
    };
    let mut out = arena.take::<u64>(step.out);
    let [x, a, b] = std::array::from_fn(|n| arena.row::<u64>(step.inst.args[n], blocks));
    let [by, plus] = [by, plus].map(|row| row.map(|row| arena.row::<u64>(row, blocks)));
    for (n, to) in out[blocks.start..blocks.end].iter_mut().enumerate() {
        let (x, a, b) = (&x[n], &a[n], v(b[n][0]));
        // Products with 1 and sums with -0 change nothing.
        let scale = if of.is_square { x } else { ONES };
        let (by, plus) = (by.map_or(ONES, |row| &row[n]), plus.map_or(ZEROS, |row| &row[n]));
        let mut special = false;
        for lane in 0..to.len() {
            let x = v(x[lane]) * v(scale[lane]);
            let sum = if SHIFTS {
                let sum = (x + first).mul_add(v(a[lane]).mul_add(start[0], start[1]), b);
                shifts.into_iter().zip(addends).fold(sum, |sum, (shift, addend)| (x + shift).mul_add(sum, addend))
            } else {
                addends.into_iter().fold(x.mul_add(v(a[0]), b), |sum, addend| x.mul_add(sum, addend))
            };
            let word = sum.mul_add(v(by[lane]), v(plus[lane])).to_bits();
            // A sum on the way that is flushed changes no later one while x is no larger.
            let is_large = x.is_nan() | (x.abs() >= POLYNOMIAL_FLUSHES);
            special |= is_large | f64::is_tiny(sum.to_bits()) | f64::is_tiny(word);
            to[lane] = word;
        }
        if special && is_checked {
            for (lane, word) in to.iter_mut().enumerate() {
                *word = exact(step, arena, (blocks.start + n) * BLOCK + lane, Nans::Plain);
            }
        }
    }
    arena.put(step.out, out);
}

/// Magnitude of the factor of a polynomial below which tiny sums do not matter, as long as all constants are
/// [`COEFFICIENTS`]: times the factor, or a sum of it and a constant, they are less than half of an addend's last place.
const POLYNOMIAL_FLUSHES: f64 = f64::from_bits((1023 + 50) << 52);
/// Magnitudes of the constants of a polynomial.
pub(crate) const COEFFICIENTS: RangeInclusive<f64> =
    f64::from_bits((1023 - 800) << 52)..=f64::from_bits((1023 + 100) << 52);

/// Integers of 64 bits that run with another primitive.
#[inline(always)]
fn shifted(step: &Step, arena: &mut Arena, blocks: &Range<usize>, by: u32) {
    match step.inst.prim {
        Prim::Add => map(step, arena, blocks, |[a, b]: [u64; 2]| a.wrapping_add(b << by)),
        Prim::Xor => map(step, arena, blocks, |[a, b]: [u64; 2]| a ^ b << by),
        _ => by_definition(step, arena, blocks),
    }
}

/// Whether the sum of a lower half and a row has no bit in common with another row.
#[inline(always)]
fn disjoint_sum(step: &Step, arena: &mut Arena, blocks: &Range<usize>, [plus, bits]: [u32; 2]) {
    let mut out = arena.take::<u8>(step.out);
    let from = arena.row::<u64>(step.inst.args[0], blocks);
    let [plus, bits] = [plus, bits].map(|row| arena.row::<u32>(row, blocks));
    for (n, to) in out[blocks.start..blocks.end].iter_mut().enumerate() {
        let (from, plus, bits) = (&from[n], &plus[n], &bits[n]);
        for lane in 0..to.len() {
            to[lane] = u8::from((from[lane] as u32).wrapping_add(plus[lane]) & bits[lane] == 0);
        }
    }
    arena.put(step.out, out);
}

#[inline(always)]
fn fused<const FUSES: bool>(step: &Step, arena: &mut Arena, blocks: &Range<usize>) {
    match &step.with {
        With::Nothing | With::First(_) => by_definition(step, arena, blocks),
        With::Shl(by) => shifted(step, arena, blocks, *by),
        With::Disjoint { plus, bits } => disjoint_sum(step, arena, blocks, [*plus, *bits]),
        With::Polynomial(of) => polynomial::<FUSES>(step, arena, blocks, of),
    }
}

/// Rounded in any direction.
#[inline(always)]
fn directed(step: &Step, arena: &mut Arena, blocks: &Range<usize>) {
    let direction = mode(&step.inst).direction;
    let directed = Directed::new(direction);
    let wide = f64::from;
    match (step.inst.ty, step.inst.prim) {
        (Ty::F32, Prim::Fadd) => round(step, arena, blocks, |[a, b]: [f32; 2]| directed.sum(wide(a), wide(b))),
        (Ty::F32, Prim::Fsub) => round(step, arena, blocks, |[a, b]: [f32; 2]| directed.sum(wide(a), -wide(b))),
        (Ty::F32, Prim::Fmul) => round(step, arena, blocks, |[a, b]: [f32; 2]| directed.narrow(wide(a) * wide(b))),
        (Ty::F32, Prim::Fmulz) => {
            round(
                step,
                arena,
                blocks,
                |[a, b]: [f32; 2]| {
                    if (a == 0.0) | (b == 0.0) { 0.0 } else { directed.narrow(wide(a) * wide(b)) }
                },
            )
        }
        // The exact quotient or root of binary32 numbers is one of them, or further from all of them than binary64 rounds.
        (Ty::F32, Prim::Fdiv) => round(step, arena, blocks, |[a, b]: [f32; 2]| directed.narrow(wide(a) / wide(b))),
        (Ty::F32, Prim::Fsqrt) => round(step, arena, blocks, |[a]: [f32; 1]| directed.narrow(wide(a).sqrt())),
        (Ty::F32, Prim::Fma) => {
            round(step, arena, blocks, |[a, b, c]: [f32; 3]| directed.sum(wide(a) * wide(b), wide(c)))
        }
        (Ty::F32, Prim::Round) => round(step, arena, blocks, |[a]: [f32; 1]| integral(wide(a), direction) as f32),
        (Ty::F32, Prim::ToHalf) => {
            map(step, arena, blocks, |[a]: [u32; 1]| half_of(a, directed));
        }
        (Ty::F32, Prim::FromInt) => {
            map(step, arena, blocks, |[a]: [u32; 1]| directed.narrow(f64::from(a as i32)).to_bits())
        }
        (Ty::F64, Prim::FaddOdd) => round(step, arena, blocks, |[a, b]: [f64; 2]| odd_sum(a, b)),
        (Ty::F64, Prim::Fadd) => round(step, arena, blocks, |[a, b]: [f64; 2]| directed.double_sum(a, b)),
        (Ty::F64, Prim::Fsub) => round(step, arena, blocks, |[a, b]: [f64; 2]| directed.double_sum(a, -b)),
        (Ty::F64, Prim::Round) => round(step, arena, blocks, |[a]: [f64; 1]| integral(a, direction)),
        (Ty::F64, Prim::Narrow) => round(step, arena, blocks, |[a]: [f64; 1]| directed.narrow(a)),
        _ => by_definition(step, arena, blocks),
    }
}

#[inline(always)]
fn single<const FUSES: bool>(step: &Step, arena: &mut Arena, blocks: &Range<usize>) {
    let wide = f64::from;
    match step.inst.prim {
        Prim::Fadd => round(step, arena, blocks, |[a, b]: [f32; 2]| a + b),
        Prim::Fsub => round(step, arena, blocks, |[a, b]: [f32; 2]| a - b),
        Prim::Fmul => round(step, arena, blocks, |[a, b]: [f32; 2]| a * b),
        Prim::Fmulz => {
            round(step, arena, blocks, |[a, b]: [f32; 2]| if (a == 0.0) | (b == 0.0) { 0.0 } else { a * b });
        }
        Prim::Fdiv => round(step, arena, blocks, |[a, b]: [f32; 2]| a / b),
        Prim::Fsqrt => round(step, arena, blocks, |[a]: [f32; 1]| a.sqrt()),
        Prim::Fma if FUSES => round(step, arena, blocks, |[a, b, c]: [f32; 3]| a.mul_add(b, c)),
        Prim::Fma => {
            round(step, arena, blocks, |[a, b, c]: [f32; 3]| odd_sum(wide(a) * wide(b), wide(c)) as f32);
        }
        Prim::Fneg => map(step, arena, blocks, |[a]: [u32; 1]| a ^ 1 << 31),
        Prim::Fabs => map(step, arena, blocks, |[a]: [u32; 1]| a & !(1 << 31)),
        Prim::Fmin => {
            map(step, arena, blocks, |[a, b]: [u32; 2]| if f32::from_bits(a) < f32::from_bits(b) { a } else { b });
        }
        Prim::Fmax => {
            map(step, arena, blocks, |[a, b]: [u32; 2]| if f32::from_bits(a) > f32::from_bits(b) { a } else { b });
        }
        Prim::Flush => round(step, arena, blocks, |[a]: [f32; 1]| {
            let word = a.to_bits();
            f32::from_bits(if word & 0x7f80_0000 == 0 { word & 1 << 31 } else { word })
        }),
        Prim::First => first::<f32>(step, arena, blocks),
        Prim::Feq => compare::<f32>(step, arena, blocks, |a, b| a == b),
        Prim::Flt => compare::<f32>(step, arena, blocks, |a, b| a < b),
        Prim::Fle => compare::<f32>(step, arena, blocks, |a, b| a <= b),
        Prim::Funo => compare::<f32>(step, arena, blocks, |a, b| a.is_nan() | b.is_nan()),
        Prim::Widen => round(step, arena, blocks, |[a]: [f32; 1]| wide(a)),
        Prim::FromHalf => map(step, arena, blocks, |[a]: [u32; 1]| half_from(a)),
        Prim::FromInt => map(step, arena, blocks, |[a]: [u32; 1]| (a as i32 as f32).to_bits()),
        Prim::ToInt => map(step, arena, blocks, |[a]: [u32; 1]| to_int(wide(f32::from_bits(a)))),
        Prim::Select => select::<u32>(step, arena, blocks),
        _ => by_definition(step, arena, blocks),
    }
}

/// Toward zero; what does not fit, and NaN, give the least integer.
#[inline(always)]
fn to_int(v: f64) -> u32 {
    let fits = (v > -2_147_483_649.0) & (v < 2_147_483_648.0);
    if fits { v as i32 as u32 } else { 1 << 31 }
}

#[inline(always)]
fn double<const FUSES: bool>(step: &Step, arena: &mut Arena, blocks: &Range<usize>) {
    match step.inst.prim {
        Prim::Fadd => round(step, arena, blocks, |[a, b]: [f64; 2]| a + b),
        Prim::Fsub => round(step, arena, blocks, |[a, b]: [f64; 2]| a - b),
        Prim::Fmul => round(step, arena, blocks, |[a, b]: [f64; 2]| a * b),
        Prim::Fmulz => {
            round(step, arena, blocks, |[a, b]: [f64; 2]| if (a == 0.0) | (b == 0.0) { 0.0 } else { a * b });
        }
        Prim::Fdiv => round(step, arena, blocks, |[a, b]: [f64; 2]| a / b),
        Prim::Fsqrt => round(step, arena, blocks, |[a]: [f64; 1]| a.sqrt()),
        Prim::Fma if FUSES => round(step, arena, blocks, |[a, b, c]: [f64; 3]| a.mul_add(b, c)),
        Prim::Fneg => map(step, arena, blocks, |[a]: [u64; 1]| a ^ 1 << 63),
        Prim::Fabs => map(step, arena, blocks, |[a]: [u64; 1]| a & !(1 << 63)),
        Prim::Fmin => {
            map(step, arena, blocks, |[a, b]: [u64; 2]| if f64::from_bits(a) < f64::from_bits(b) { a } else { b });
        }
        Prim::Fmax => {
            map(step, arena, blocks, |[a, b]: [u64; 2]| if f64::from_bits(a) > f64::from_bits(b) { a } else { b });
        }
        Prim::Flush => round(step, arena, blocks, |[a]: [f64; 1]| {
            let word = a.to_bits();
            f64::from_bits(if word >> 52 & 0x7ff == 0 { word & 1 << 63 } else { word })
        }),
        Prim::First => first::<f64>(step, arena, blocks),
        Prim::Feq => compare::<f64>(step, arena, blocks, |a, b| a == b),
        Prim::Flt => compare::<f64>(step, arena, blocks, |a, b| a < b),
        Prim::Fle => compare::<f64>(step, arena, blocks, |a, b| a <= b),
        Prim::Funo => compare::<f64>(step, arena, blocks, |a, b| a.is_nan() | b.is_nan()),
        Prim::Narrow => round(step, arena, blocks, |[a]: [f64; 1]| a as f32),
        Prim::FromInt => map(step, arena, blocks, |[a]: [u32; 1]| f64::from(a as i32).to_bits()),
        Prim::ToInt => map(step, arena, blocks, |[a]: [u64; 1]| to_int(f64::from_bits(a))),
        Prim::Select => select::<u64>(step, arena, blocks),
        _ => by_definition(step, arena, blocks),
    }
}

#[inline(always)]
fn word32(step: &Step, arena: &mut Arena, blocks: &Range<usize>) {
    let signed = |word: u32| word as i32;
    match step.inst.prim {
        Prim::Select => select::<u32>(step, arena, blocks),
        Prim::Add => map(step, arena, blocks, |[a, b]: [u32; 2]| a.wrapping_add(b)),
        Prim::Sub => map(step, arena, blocks, |[a, b]: [u32; 2]| a.wrapping_sub(b)),
        Prim::Mul => map(step, arena, blocks, |[a, b]: [u32; 2]| a.wrapping_mul(b)),
        Prim::And => map(step, arena, blocks, |[a, b]: [u32; 2]| a & b),
        Prim::Or => map(step, arena, blocks, |[a, b]: [u32; 2]| a | b),
        Prim::Xor => map(step, arena, blocks, |[a, b]: [u32; 2]| a ^ b),
        Prim::Shl => shift(step, arena, blocks, |a: u32, by| a << (by & 31)),
        Prim::Shr => shift(step, arena, blocks, |a: u32, by| a >> (by & 31)),
        Prim::Sar => shift(step, arena, blocks, |a: u32, by| (a as i32 >> (by & 31)) as u32),
        Prim::LeadingZeros => map(step, arena, blocks, |[a]: [u32; 1]| a.leading_zeros()),
        Prim::Ones => map(step, arena, blocks, |[a]: [u32; 1]| a.count_ones()),
        Prim::Eq => map(step, arena, blocks, |[a, b]: [u32; 2]| u8::from(a == b)),
        Prim::Lt => map(step, arena, blocks, |[a, b]: [u32; 2]| u8::from(signed(a) < signed(b))),
        Prim::Ult => map(step, arena, blocks, |[a, b]: [u32; 2]| u8::from(a < b)),
        Prim::Disjoint => map(step, arena, blocks, |[a, b]: [u32; 2]| u8::from(a & b == 0)),
        _ => by_definition(step, arena, blocks),
    }
}

#[inline(always)]
fn word64(step: &Step, arena: &mut Arena, blocks: &Range<usize>) {
    let signed = |word: u64| word as i64;
    match step.inst.prim {
        Prim::Select => select::<u64>(step, arena, blocks),
        Prim::Add => map(step, arena, blocks, |[a, b]: [u64; 2]| a.wrapping_add(b)),
        Prim::Sub => map(step, arena, blocks, |[a, b]: [u64; 2]| a.wrapping_sub(b)),
        Prim::Mul => map(step, arena, blocks, |[a, b]: [u64; 2]| a.wrapping_mul(b)),
        Prim::And => map(step, arena, blocks, |[a, b]: [u64; 2]| a & b),
        Prim::Or => map(step, arena, blocks, |[a, b]: [u64; 2]| a | b),
        Prim::Xor => map(step, arena, blocks, |[a, b]: [u64; 2]| a ^ b),
        Prim::Shl => shift(step, arena, blocks, |a: u64, by| a << (by & 63)),
        Prim::Shr => shift(step, arena, blocks, |a: u64, by| a >> (by & 63)),
        Prim::Sar => shift(step, arena, blocks, |a: u64, by| (a as i64 >> (by & 63)) as u64),
        Prim::LeadingZeros => map(step, arena, blocks, |[a]: [u64; 1]| a.leading_zeros()),
        Prim::Ones => map(step, arena, blocks, |[a]: [u64; 1]| a.count_ones()),
        Prim::Eq => map(step, arena, blocks, |[a, b]: [u64; 2]| u8::from(a == b)),
        Prim::Lt => map(step, arena, blocks, |[a, b]: [u64; 2]| u8::from(signed(a) < signed(b))),
        Prim::Ult => map(step, arena, blocks, |[a, b]: [u64; 2]| u8::from(a < b)),
        Prim::Disjoint => map(step, arena, blocks, |[a, b]: [u64; 2]| u8::from(a & b == 0)),
        Prim::Low => map(step, arena, blocks, |[a]: [u64; 1]| a as u32),
        Prim::Zext => map(step, arena, blocks, |[a]: [u32; 1]| u64::from(a)),
        Prim::Sext => map(step, arena, blocks, |[a]: [u32; 1]| a as i32 as u64),
        _ => by_definition(step, arena, blocks),
    }
}

#[inline(always)]
fn mask(step: &Step, arena: &mut Arena, blocks: &Range<usize>) {
    match step.inst.prim {
        Prim::Select => select::<u8>(step, arena, blocks),
        Prim::And => map(step, arena, blocks, |[a, b]: [u8; 2]| a & b),
        Prim::Or => map(step, arena, blocks, |[a, b]: [u8; 2]| a | b),
        Prim::Xor => map(step, arena, blocks, |[a, b]: [u8; 2]| a ^ b),
        Prim::Not => map(step, arena, blocks, |[a]: [u8; 1]| a ^ 1),
        _ => by_definition(step, arena, blocks),
    }
}
