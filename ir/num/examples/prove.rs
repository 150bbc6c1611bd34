//! Correct rounding of the unary recipes for every binary32 input, against an independent library.
//!
//! `cargo run --release -p parallax-num --features oracle-c --example prove -- [FUNCTION...]`
//!
//! With `--hard` it lists instead the inputs whose results lie nearest to a rounding boundary of any direction:
//! `tests/hard.rs` holds that list.
//!
//! The oracle is CORE-MATH, whose functions are correctly rounded: its binary32 functions for rounding to nearest, its
//! binary64 functions for the directed modes. A binary64 result that is no binary32 number lies on the same side of every
//! binary32 number as the exact value, so rounding it again in a direction is right; where it is one, the side is
//! known from the function or asked of an arbitrary-precision library.
#![allow(clippy::print_stdout, clippy::print_stderr, missing_docs)]

use dashu_float::FBig;
use dashu_float::round::mode::HalfEven;
use parallax_num::{Decl, Format, Op, Round, Rule, counters, eval, fast};
use std::cmp::Ordering;
use std::sync::atomic::{AtomicU64, Ordering as Atomic};
use std::time::Instant;

const MODES: [Round; 4] = [Round::NearestEven, Round::Zero, Round::Up, Round::Down];
const CHUNK: u64 = 1 << 14;
const THREADS: usize = 2;

struct Function {
    op: Op,
    /// Correctly rounded to nearest in binary32.
    single: fn(f32) -> f32,
    /// Correctly rounded to nearest in binary64.
    double: fn(f64) -> f64,
    /// Whether the exact value is below, at or above this binary32 number, which is the binary64 result.
    side: fn(f32, f64) -> Ordering,
    domain: fn(f32) -> bool,
    /// Results outside of the domain by IEEE 754-2019, sections 6.2 and 9.2.1, other than NaN.
    special: fn(f32) -> Option<f32>,
    /// The binary64 program whose error is measured on the way.
    program: fn(f64) -> f64,
}

const FUNCTIONS: [Function; 7] = [
    Function {
        op: Op::Rcp,
        single: |x| 1.0 / x,
        double: |x| 1.0 / x,
        side: |x, y| {
            // 1 - x y is exact up to its sign: 48 bits.
            let product = x as f64 * y;
            if y > 0.0 { 1f64.total_cmp(&product) } else { product.total_cmp(&1.0) }
        },
        domain: |x| x != 0.0 && x.is_finite(),
        special: |x| {
            if x == 0.0 { Some(f32::INFINITY.copysign(x)) } else { x.is_infinite().then_some(0f32.copysign(x)) }
        },
        program: |x| 1.0 / x,
    },
    Function {
        op: Op::Rsq,
        single: core_math::rsqrtf,
        double: core_math::rsqrt,
        side: |x, y| compare(big(1.0), big(x as f64) * big(y) * big(y)),
        domain: |x| x > 0.0 && x.is_finite(),
        special: |x| if x == 0.0 { Some(f32::INFINITY.copysign(x)) } else { (x == f32::INFINITY).then_some(0.0) },
        program: |x| 1.0 / x.sqrt(),
    },
    Function {
        op: Op::Sqrt,
        single: f32::sqrt,
        double: f64::sqrt,
        side: |x, y| (x as f64).total_cmp(&(y * y)),
        domain: |x| x > 0.0 && x.is_finite(),
        special: |x| (x == 0.0 || x == f32::INFINITY).then_some(x),
        program: f64::sqrt,
    },
    Function {
        op: Op::Exp2,
        single: core_math::exp2f,
        double: core_math::exp2,
        side: |x, y| match x {
            _ if y == 0.0 => Ordering::Greater,
            _ if y.is_infinite() => Ordering::Less,
            x if x == x.trunc() => Ordering::Equal,
            x if y == 1.0 => x.total_cmp(&0.0),
            _ => compare(big(2.0).powf(&big(x as f64)), big(y)),
        },
        domain: |x| x != 0.0 && x.is_finite(),
        special: |x| if x == 0.0 { Some(1.0) } else { x.is_infinite().then_some(x.max(0.0)) },
        program: |x| if x.abs() < 150.0 { fast::exp2(x) } else { f64::NAN },
    },
    Function {
        op: Op::Log2,
        single: core_math::log2f,
        double: core_math::log2,
        side: |x, y| {
            let bits = (x as f64).to_bits();
            if bits << 12 == 0 { Ordering::Equal } else { compare(big(x as f64).log2(), big(y)) }
        },
        domain: |x| x > 0.0 && x != 1.0 && x.is_finite(),
        special: |x| if x == 0.0 { Some(-f32::INFINITY) } else { (x == 1.0 || x == f32::INFINITY).then_some(x - 1.0) },
        program: fast::log2,
    },
    Function {
        op: Op::Sin,
        single: core_math::sinf,
        double: core_math::sin,
        side: |x, y| {
            if y == x as f64 {
                // |sin x| < |x|.
                0f32.total_cmp(&x)
            } else {
                compare(precise(x).sin(), big(y))
            }
        },
        domain: |x| x != 0.0 && x.is_finite(),
        special: |x| (x == 0.0).then_some(x),
        program: |x| if x.abs() < fast::TRIG_LIMIT { fast::sin(x) } else { fast::sin_of_turn(fast::turn_large(x)) },
    },
    Function {
        op: Op::Cos,
        single: core_math::cosf,
        double: core_math::cos,
        side: |x, y| if y == 1.0 { Ordering::Less } else { compare(precise(x).cos(), big(y)) },
        domain: |x| x != 0.0 && x.is_finite(),
        special: |x| (x == 0.0).then_some(1.0),
        program: |x| {
            if x.abs() < fast::TRIG_LIMIT {
                return fast::cos(x);
            }
            let (quadrant, rest) = fast::turn_large(x);
            fast::sin_of_turn((quadrant.wrapping_add(1), rest))
        },
    },
];

type Big = FBig<HalfEven, 2>;

fn big(v: f64) -> Big {
    Big::try_from(v).unwrap_or(Big::ZERO).with_precision(200).value()
}

/// With digits to spare for the reduction of a large angle.
fn precise(x: f32) -> Big {
    big(x as f64).with_precision(500).value()
}

fn compare(a: Big, b: Big) -> Ordering {
    a.partial_cmp(&b).unwrap_or(Ordering::Equal)
}

/// The exact value rounded in a direction, from its binary64 rounding and the side it lies on.
fn directed(y: f64, side: impl FnOnce() -> Ordering, round: Round) -> f32 {
    let near = y as f32;
    let (down, up) = match (near as f64).total_cmp(&y) {
        Ordering::Less => (near, near.next_up()),
        Ordering::Greater => (near.next_down(), near),
        Ordering::Equal => match side() {
            Ordering::Equal => (near, near),
            Ordering::Greater => (near, near.next_up()),
            Ordering::Less => (near.next_down(), near),
        },
    };
    match round {
        Round::Up => up,
        Round::Down => down,
        _ if y < 0.0 => up,
        _ => down,
    }
}

/// The pattern outside of the domain: NaN operands are quieted, other NaN results are the default one of x86.
fn special(function: &Function, x: f32) -> u32 {
    match (function.special)(x) {
        Some(y) => y.to_bits(),
        None if x.is_nan() => x.to_bits() | 1 << 22,
        None => 0xffc0_0000,
    }
}

#[derive(Default)]
struct Tally {
    wrong: AtomicU64,
    wide: AtomicU64,
    nanoseconds: AtomicU64,
}

fn prove(function: &Function) -> u64 {
    let rules = MODES.map(|round| Rule { round, ..Rule::ieee(Decl::F32, Format::F32) });
    let tallies: [Tally; 4] = Default::default();
    let next = AtomicU64::new(0);
    // Largest relative error of the binary64 program, as a pattern: patterns of positive numbers are in their order.
    let largest = AtomicU64::new(0);
    let start = Instant::now();
    let work = || {
        let mut row = vec![0u64; CHUNK as usize];
        let mut out = vec![0u64; CHUNK as usize];
        let mut doubles = vec![0f64; CHUNK as usize];
        loop {
            let first = next.fetch_add(CHUNK, Atomic::Relaxed);
            if first >= 1 << 32 {
                return;
            }
            if first.is_multiple_of(1 << 28) {
                eprintln!("{}: {first:08x} after {:.0} s", function.op, start.elapsed().as_secs_f64());
            }
            for (i, word) in row.iter_mut().enumerate() {
                *word = first + i as u64;
            }
            for (word, y) in row.iter().zip(&mut doubles) {
                *y = (function.double)(f32::from_bits(*word as u32) as f64);
            }
            let mut error = 0f64;
            for (word, y) in row.iter().zip(&doubles) {
                let x = f32::from_bits(*word as u32);
                if (function.domain)(x) {
                    // NaN where the program is not meant to be used.
                    error = error.max(((function.program)(x as f64) / y - 1.0).abs());
                }
            }
            largest.fetch_max(error.to_bits(), Atomic::Relaxed);
            for (k, round) in MODES.into_iter().enumerate() {
                let wide = counters::WIDE.get();
                let clock = Instant::now();
                out.iter_mut().zip(&row).for_each(|(out, &word)| *out = eval(function.op, &rules[k], &[word]));
                let tally = &tallies[k];
                tally.nanoseconds.fetch_add(clock.elapsed().as_nanos() as u64, Atomic::Relaxed);
                tally.wide.fetch_add(counters::WIDE.get() - wide, Atomic::Relaxed);
                for ((word, got), y) in row.iter().zip(&out).zip(&doubles) {
                    let x = f32::from_bits(*word as u32);
                    let want = if !(function.domain)(x) {
                        u64::from(special(function, x))
                    } else if round == Round::NearestEven {
                        (function.single)(x).to_bits() as u64
                    } else {
                        directed(*y, || (function.side)(x, *y), round).to_bits() as u64
                    };
                    if *got != want && tally.wrong.fetch_add(1, Atomic::Relaxed) < 5 {
                        eprintln!("{} {}: {word:08x} gives {got:08x}, not {want:08x}", function.op, round.name());
                    }
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(work);
        }
    });
    let wall = start.elapsed().as_secs_f64();
    let mut wrong = 0;
    for (tally, round) in tallies.iter().zip(MODES) {
        let get = |n: &AtomicU64| n.load(Atomic::Relaxed);
        wrong += get(&tally.wrong);
        println!(
            "| {} | {} | {} | {} | {:.1} |",
            function.op,
            round.name(),
            get(&tally.wrong),
            get(&tally.wide),
            get(&tally.nanoseconds) as f64 / 4_294_967_296.0,
        );
    }
    let error = f64::from_bits(largest.into_inner());
    println!("| {} | binary64 program | largest relative error {error:.3e} = 2^{:.1} | | |", function.op, error.log2());
    eprintln!("{}: {wall:.0} s for all directions with the oracle, {THREADS} threads", function.op);
    wrong
}

/// Most inputs listed per function.
const HARDEST: usize = 24;

/// Distance of a value from the nearest boundary (a binary32 number or the middle of two), in ulps of binary32. The grid
/// is that of the value's binade, and of the smallest numbers below the normal ones.
fn distance(y: f64) -> f64 {
    let exponent = ((y.to_bits() >> 52 & 0x7ff) as i64 - 1023).max(-126);
    // Half an ulp is a power of two, so the quotient is exact.
    let half = f64::from_bits(((exponent - 24 + 1023) as u64) << 52);
    let quotient = y / half;
    (quotient - quotient.round_ties_even()).abs() / 2.0
}

/// Prints the inputs nearest to a boundary. Left out: exact results, results at the ends of the range, and arguments so
/// small that the first terms of the series decide (the result is then near the argument or near 1 for all of them).
fn hardest(function: &Function) {
    let small = match function.op {
        Op::Sin | Op::Cos => f32::from_bits((127 - 11) << 23),
        Op::Exp2 => f32::from_bits((127 - 22) << 23),
        _ => 0.0,
    };
    let found = std::sync::Mutex::new(Vec::<(f64, u32)>::new());
    let next = AtomicU64::new(0);
    let work = || {
        let mut mine = Vec::new();
        loop {
            let first = next.fetch_add(CHUNK, Atomic::Relaxed);
            if first >= 1 << 32 {
                break;
            }
            for word in first as u32..=(first + CHUNK - 1) as u32 {
                let x = f32::from_bits(word);
                if !(function.domain)(x) || x.abs() < small {
                    continue;
                }
                let y = (function.double)(x as f64);
                let far = distance(y);
                // 2^-24 ulp: about a thousand inputs of a function come so near.
                if far > 6e-8 || !(1e-45..3.4e38).contains(&y.abs()) {
                    continue;
                }
                if far > 0.0 || (function.side)(x, y) != Ordering::Equal {
                    mine.push((far, word));
                }
            }
        }
        found.lock().expect("no thread panics").append(&mut mine);
    };
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(work);
        }
    });
    let mut found = found.into_inner().expect("no thread panics");
    found.sort_by(|a, b| a.partial_cmp(b).expect("distances are numbers"));
    // Roots, reciprocals and logarithms repeat from binade to binade: two inputs of each significand are enough.
    let mut seen = std::collections::HashSet::new();
    let repeats = matches!(function.op, Op::Rcp | Op::Rsq | Op::Sqrt | Op::Log2);
    found.retain(|(_, word)| !repeats || seen.insert(word & 0x00ff_ffff));
    found.truncate(HARDEST);
    let words: Vec<String> = found.iter().map(|(_, word)| format!("{word:#010x}")).collect();
    println!("{}: {}", function.op, words.join(", "));
    let farthest = found.last().map_or(0.0, |(far, _)| *far);
    eprintln!("{}: all nearer than {farthest:.1e} ulp", function.op);
}

fn main() -> std::process::ExitCode {
    let (options, asked): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|arg| arg.starts_with("--"));
    let chosen = FUNCTIONS.iter().filter(|f| asked.is_empty() || asked.iter().any(|name| name == f.op.name()));
    if options.iter().any(|option| option == "--hard") {
        chosen.for_each(hardest);
        return std::process::ExitCode::SUCCESS;
    }
    let mut wrong = 0;
    println!("| function | rounding | mismatches | wide evaluations | ns per lane |");
    println!("|---|---|---|---|---|");
    for function in chosen {
        wrong += prove(function);
    }
    std::process::ExitCode::from((wrong > 0) as u8)
}
