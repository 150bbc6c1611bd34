//! Million lanes per second of a few kernels on one thread, with the share of operations that have a fast path.
//!
//! `cargo run --release -p parallax-num --example lane_speed`
#![allow(clippy::print_stdout, missing_docs)]

use parallax_num::{Kernel, Kind, Model, Op, Row, RowMut, Rule, Slot, Storage, Width};
use std::time::Instant;

const LANES: usize = 512;

/// A row of its own width.
enum Words {
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
    U64(Vec<u64>),
}

impl Words {
    fn new(width: Width, words: &[u64]) -> Words {
        match width {
            Width::W8 => Words::U8(words.iter().map(|&w| w as u8).collect()),
            Width::W16 => Words::U16(words.iter().map(|&w| w as u16).collect()),
            Width::W32 => Words::U32(words.iter().map(|&w| w as u32).collect()),
            Width::W64 => Words::U64(words.to_vec()),
        }
    }

    fn row(&self) -> Row<'_> {
        match self {
            Words::U8(words) => Row::U8(words),
            Words::U16(words) => Row::U16(words),
            Words::U32(words) => Row::U32(words),
            Words::U64(words) => Row::U64(words),
        }
    }

    fn row_mut(&mut self) -> RowMut<'_> {
        match self {
            Words::U8(words) => RowMut::U8(words),
            Words::U16(words) => RowMut::U16(words),
            Words::U32(words) => RowMut::U32(words),
            Words::U64(words) => RowMut::U64(words),
        }
    }
}

/// Words of an operand.
fn width(kind: Kind, rule: &Rule) -> Width {
    Width::of_bits(match kind {
        Kind::F => rule.storage.bits(),
        Kind::AnyF => rule.source.bits(),
        Kind::I32 => 32,
        Kind::I64 => 64,
        Kind::Pred | Kind::Cc => 8,
    })
}

fn main() {
    let mut random = parallax_random::Random::new(1);
    let mut next = || (random.word() >> 33) as u32;
    // Numbers from -8 to 8, as shaders have them.
    let rows: Vec<Vec<f64>> =
        (0..8).map(|_| (0..LANES).map(|_| (next() as i32 as f64) / (1u64 << 27) as f64).collect()).collect();
    let ops = [
        Op::Add,
        Op::Mul,
        Op::Fma,
        Op::Mad,
        Op::Dot4,
        Op::Lrp,
        Op::Min,
        Op::FLt,
        Op::Cvt,
        Op::F2iTrunc,
        Op::Div,
        Op::Rcp,
        Op::Rsq,
        Op::Exp2,
        Op::Log2,
        Op::Sin,
        Op::Pow,
        Op::LitZ,
        Op::Nrm,
    ];
    print!("{:22}", "");
    for op in ops {
        print!("{:>9}", op.name());
    }
    println!();
    for (name, slot) in [
        ("ieee", "fp32"),
        ("nv-patent", "fp32"),
        ("nvfp", "half"),
        ("nvfp", "fx12"),
        ("maxwell", "fp32.ftz"),
        ("maxwell", "fp32.rtz"),
        ("tgsi", "fp32.sat"),
        ("binary64", "fp32"),
        ("nv-patent@low", "fp32"),
    ] {
        let base = name.split('@').next().unwrap_or(name);
        let Some(mut model) = Model::builtin(base) else { continue };
        if name.ends_with("@low") {
            model = model.with_probe(parallax_num::Probe::Lowest);
        }
        let Some(slot_record) = Slot::parse(slot) else { continue };
        print!("{:22}", format!("{name} {slot}"));
        for op in ops {
            let (rule, _) = model.rule(op, &slot_record, Storage::F32);
            let to_word = |v: f64| parallax_num::ulp::from_f64(v, &rule);
            let words: Vec<Vec<u64>> = rows
                .iter()
                .map(|row| {
                    row.iter().map(|v| if op == Op::Cvt { (*v as f32).to_bits() as u64 } else { to_word(*v) }).collect()
                })
                .collect();
            let words: Vec<Words> =
                op.info().args.iter().zip(&words).map(|(&kind, row)| Words::new(width(kind, &rule), row)).collect();
            let args: Vec<Row<'_>> = words.iter().map(Words::row).collect();
            let kernel = Kernel::new(op, &rule);
            let mut out = Words::new(Width::of_result(op, &rule), &[0; LANES]);
            let start = Instant::now();
            let mut runs = 0;
            while start.elapsed().as_millis() < 20 {
                kernel.run_rows(&args, out.row_mut());
                runs += 1;
            }
            let rate = (runs * LANES) as f64 / start.elapsed().as_secs_f64() / 1e6;
            print!("{:>8.1}{}", rate, if kernel.is_slow() { '*' } else { ' ' });
        }
        println!();
    }
    println!("* every lane through eval");
}
