//! Whole tiles as machine code against the interpreter, which is given rows of attributes: the same words and coverage.
#![allow(clippy::print_stdout, reason = "figures, shown with --nocapture")]

use parallax_core::backend::{Executable, Linear, Tile};
use parallax_core::exec::{Inputs, Memory, Outputs};
use parallax_core::text::read;
use parallax_core::{Bound, Shader, Symbolic, verify};
use parallax_gen::{Batch, choices};
use parallax_interp::{Bytecode, Scratch};
use parallax_num::Model;
use parallax_opt::{NoObserver, canonicalise, optimise};
use parallax_random::Random;
use parallax_step::Programs;
use parallax_x86::{Level, Program, compile};
use std::fmt::Write;

fn levels() -> impl Iterator<Item = Level> {
    Level::ALL.into_iter().filter(|level| level.is_supported())
}

/// A number of moderate size, a zero, or an integer.
fn coefficient(random: &mut Random) -> f32 {
    match random.word() % 8 {
        0 => 0.0,
        1 => -0.0,
        2 => (random.word() % 9) as f32 - 4.0,
        n => (random.word() as u32 as f32 / 2f32.powi(32) - 0.5) * 10f32.powi(n as i32 - 6),
    }
}

/// The pixels of a tile: where it is, how large, how far apart rows are, what fills the memory around it.
#[derive(Copy, Clone, Debug)]
struct Size {
    at: [u32; 2],
    width: usize,
    rows: usize,
    stride: usize,
}

const AROUND: u32 = 0xdead_beef;

/// Runs a tile by code, and row by row of quads by the interpreter; whether code took it.
fn same(bound: &Shader<Bound>, program: &Program, attributes: &[Option<Linear>], size: Size, what: &str) -> bool {
    let Size { at, width, rows, stride } = size;
    let lanes = 2 * width;
    let batch = Batch::new(&choices(7, 2000), &bound.func.iface, 4);
    let column = |lane: usize| (at[0] as usize + lane / 4 * 2 + lane % 2) as f32 + 0.5;
    let xs: Vec<f32> = (0..lanes).map(column).collect();
    let ys: Vec<f32> = (0..rows).map(|row| (at[1] as usize + row) as f32 + 0.5).collect();
    let mut planes = vec![vec![AROUND; rows * stride]; program.planes().len()];
    let mut covered = vec![false; rows * stride];
    let buffers = batch.buffers();
    let (taken, discarded) = batch.with(|inputs| {
        let inputs = Inputs { lanes: 0, attrs: &[], sysvals: &[], covered: &[], ..*inputs };
        let words = planes.iter_mut().map(|words| Some(words.as_mut_slice())).collect();
        let mut tile = Tile { attributes, xs: &xs, ys: &ys, stride, words, covered: &mut covered, discarded: 0 };
        let taken = Executable::runner(program).run_tile(&inputs, &Memory::Shared(&buffers), &mut tile);
        (taken, tile.discarded)
    });
    if !taken {
        assert!(planes.iter().flatten().all(|&word| word == AROUND) && !covered.contains(&true), "{what}");
        return false;
    }
    let bytecode = Bytecode::new(verify(bound).expect("sound"));
    let mut wanted_planes = vec![vec![AROUND; rows * stride]; planes.len()];
    let mut wanted_covered = vec![false; rows * stride];
    for row in (0..rows).step_by(2) {
        let value = |linear: Option<Linear>, lane: usize| {
            linear.map_or(0, |l| l.dady.mul_add(ys[row + (lane >> 1 & 1)], l.dadx.mul_add(xs[lane], l.a0)).to_bits())
        };
        let attrs: Vec<u32> =
            attributes.iter().flat_map(|&linear| (0..lanes).map(move |lane| value(linear, lane))).collect();
        let mut outputs = Outputs::default();
        batch.with(|inputs| {
            let all = vec![true; lanes];
            let inputs = Inputs { lanes, attrs: &attrs, sysvals: &[], covered: &all, ..*inputs };
            bytecode.run_in(&inputs, Memory::Shared(&buffers), &mut Scratch::default(), &mut outputs);
        });
        for lane in 0..lanes {
            let pixel = (row + (lane >> 1 & 1)) * stride + lane / 4 * 2 + lane % 2;
            wanted_covered[pixel] = outputs.covered[lane];
            for (wanted, plane) in wanted_planes.iter_mut().zip(&outputs.planes).filter(|(_, plane)| !plane.is_empty())
            {
                wanted[pixel] = if outputs.covered[lane] { plane.get(lane) as u32 } else { 0 };
            }
        }
    }
    assert!(wanted_covered == covered, "coverage of {what}");
    let left = covered.iter().map(|&covered| u64::from(covered)).sum::<u64>();
    assert_eq!(discarded + left, (width * rows) as u64, "{what}");
    for (n, (wanted, found)) in wanted_planes.iter().zip(&planes).enumerate() {
        let differs = (0..wanted.len()).find(|&at| wanted[at] != found[at]);
        if let Some(at) = differs {
            panic!("{what}, {size:?}: output {n} at {at}: {:08x}, not {:08x}", found[at], wanted[at]);
        }
    }
    true
}

/// Widths that fill blocks, one or two side by side, that do not, and one that is entered twice.
const SIZES: [Size; 5] = [
    Size { at: [0, 0], width: 16, rows: 2, stride: 16 },
    Size { at: [6, 2], width: 22, rows: 4, stride: 25 },
    Size { at: [0, 16], width: 2, rows: 2, stride: 3 },
    Size { at: [16_000, 16_000], width: 62, rows: 6, stride: 62 },
    Size { at: [2, 4], width: 550, rows: 2, stride: 551 },
];

/// A shader of random operations on attributes, constants and earlier values, with a branch and pixels that are discarded now
/// and then, whose results have 32 bits where those of the model have.
fn random_shader(random: &mut Random) -> Shader<Symbolic> {
    const OPS: [(&str, usize); 15] = [
        ("add", 2),
        ("sub", 2),
        ("mul", 2),
        ("mad", 3),
        ("lrp", 3),
        ("min", 2),
        ("max", 2),
        ("sin", 1),
        ("exp2", 1),
        ("log2", 1),
        ("rcp", 1),
        ("rsq", 1),
        ("frac", 1),
        ("neg", 1),
        ("quad.xor 1,", 1),
    ];
    let mut text = String::from(
        "shader \"random\" stage(fragment) from(\"test\") {
  attr 0 \"IN[0]\" generic(0) perspective center
  attr 1 \"IN[1]\" generic(1) linear center
  bank 0 \"CONST[0]\" len(2)
  output 0 \"OUT[0]\" color(0) fp32 fp32 fp32 fp32
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = attr in0.y
  %2: p0 = const c0[0].x
  %3: p0 = const c0[1].z
",
    );
    let (mut count, mut values) = (4, vec![0, 1, 2, 3]);
    for _ in 0..random.below(40) {
        let value = |random: &mut Random| format!("%{}", random.pick(&values));
        let _ = match random.below(12) {
            0 => writeln!(text, "  %{count}: p0 = attr in{}.{}", random.below(2), random.pick(&["x", "z", "w"])),
            1 => {
                let (a, b, c, d) = (value(random), value(random), value(random), value(random));
                count += 1;
                writeln!(
                    text,
                    "  %{}: pred = flt {a}, {b} under p0\n  %{count}: fp32 = if %{} initial({a}) {{\n  yield {c}\n  }} else {{\n  yield {d}\n  }}",
                    count - 1,
                    count - 1
                )
            }
            2 if random.below(3) == 0 => {
                let (a, b) = (value(random), value(random));
                writeln!(
                    text,
                    "  %{count}: pred = fgt {a}, {b} under p0\n  discard %{count}\n  %{}: p0 = neg {a}",
                    count + 1
                )
                .map(|()| count += 1)
            }
            _ => {
                let (op, operands) = random.pick(&OPS);
                let list: Vec<String> = (0..operands).map(|_| value(random)).collect();
                let ty = if op.starts_with("quad") { "fp32" } else { "p0" };
                writeln!(text, "  %{count}: {ty} = {op} {}", list.join(", "))
            }
        };
        values.push(count);
        count += 1;
    }
    for (n, comp) in ["x", "y", "z", "w"].into_iter().enumerate() {
        let _ = writeln!(text, "  out o0.{comp}, %{}", values[values.len() - 1 - n]);
    }
    text += "  yield\n}\n";
    read(&text).unwrap_or_else(|diags| panic!("{diags:#?}\n{text}"))
}

/// Random shaders, as they are and optimised; gives pixels, tiles that were taken, tiles in all.
fn random_tiles(seeds: impl Iterator<Item = u64>, most: u64) -> (u64, u64, u64) {
    let models = Model::builtins();
    let mut programs = Programs::default();
    let (mut pixels, mut taken, mut all) = (0, 0, 0);
    for seed in seeds {
        let n = seed as usize;
        let mut random = Random::new(seed);
        let symbolic = random_shader(&mut random);
        let model = &models[n % models.len()];
        for bound in [symbolic.bind(model), optimise(canonicalise(symbolic.clone()).bind(model), &mut NoObserver)] {
            for level in levels() {
                let program = compile(verify(&bound).expect("sound"), level, &mut programs).expect("compiles");
                let mut linear = || Linear {
                    a0: coefficient(&mut random),
                    dadx: coefficient(&mut random),
                    dady: coefficient(&mut random),
                };
                let attributes: Vec<_> = (0..4 * bound.func.iface.attrs.len()).map(|_| Some(linear())).collect();
                let size = SIZES[n / 2 % SIZES.len()];
                let what = format!("seed {seed} under {}, {level}", model.label());
                all += 1;
                if same(&bound, &program, &attributes, size, &what) {
                    taken += 1;
                    pixels += (size.width * size.rows) as u64;
                }
            }
        }
        if pixels > most {
            break;
        }
    }
    (pixels, taken, all)
}

#[test]
fn tiles_of_random_shaders_have_the_words_of_the_interpreter() {
    if Level::best().is_none() {
        return;
    }
    let (pixels, taken, all) = random_tiles(0..120, u64::MAX);
    println!("{pixels} pixels, {taken} of {all} tiles");
    assert!(taken > 60, "{taken} of {all}");
}

/// `LANES=20000000 cargo test -p parallax-x86 --release --test all tiles -- --ignored --nocapture`.
#[test]
#[ignore = "long"]
fn many_tiles() {
    let most = std::env::var("LANES").ok().and_then(|n| n.parse().ok()).unwrap_or(10_000_000);
    let (pixels, taken, all) = random_tiles(1000.., most);
    println!("{pixels} pixels, {taken} of {all} tiles");
}

/// What tiles are taken: all results are written once by all lanes, and coverage is settled before; attributes are moderate.
#[test]
fn tiles_that_are_taken() {
    const HEAD: &str = "shader \"rows\" stage(fragment) from(\"test\") {
  attr 0 \"IN[0]\" generic(0) perspective center
  output 0 \"OUT[0]\" color(0) fp32 fp32 - fp32
  output 1 \"OUT[1]\" color(1) i32 - - -
  slot p0 = fp32
  %0: p0 = attr in0.x
  %1: p0 = attr in0.y
  %2: p0 = add %0, %1
  %3: p0 = lit 0
  %4: pred = fgt %0, %3 under p0
  %5: i32 = sys quad_lane
";
    const OUT: &str = "  out o0.x, %0\n  out o0.y, %2\n  out o0.w, %1\n  out o1.x, %5\n";
    let mut programs = Programs::default();
    let plain = Linear { a0: -0.3, dadx: 0.01, dady: 0.003 };
    let cases = [
        (format!("{HEAD}{OUT}  yield\n}}"), true),
        (format!("{HEAD}  discard %4\n{OUT}  yield\n}}"), true),
        (format!("{HEAD}{OUT}  discard %4\n  yield\n}}"), false),
        (format!("{HEAD}{OUT}  out o0.x, %1\n  yield\n}}"), false),
        (format!("{HEAD}  discard.samples %5\n{OUT}  yield\n}}"), false),
        (format!("{HEAD}  if %4 {{\n  out o0.x, %0\n  yield\n  }} else {{\n  yield\n  }}\n{OUT}  yield\n}}"), false),
        (format!("{HEAD}{OUT}  yield\n}}").replace("quad_lane", "front_facing"), false),
    ];
    // Sines take long enough for two blocks to be interleaved.
    let sines = |text: &str| {
        text.replace("add %0, %1", "sin %1\n  %8: p0 = sin %0\n  %9: p0 = add %8, %2").replace("o0.y, %2", "o0.y, %9")
    };
    let long = cases.clone().map(|(text, wanted)| (sines(&text), wanted));
    for (text, wanted) in cases.into_iter().chain(long) {
        let bound = read(&text).expect("reads").bind(&Model::builtin("ieee").expect("built in"));
        for (level, size) in levels().flat_map(|level| SIZES.map(|size| (level, size))) {
            let what = format!("{text} {size:?} {level}");
            let program = compile(verify(&bound).expect("sound"), level, &mut programs).expect("compiles");
            let two = level == Level::Avx512 && text.contains("sin") && !text.contains("if %");
            assert!(program.blocks() == 2 || !two, "{what}");
            let with = |y: Option<Linear>| same(&bound, &program, &[Some(plain), y, None, None], size, &what);
            assert_eq!(with(Some(plain)), wanted, "{what}");
            for number in [f32::NAN, f32::INFINITY, 1e-40, 1e30] {
                let [a0, dadx, dady] = [number, plain.dadx, -0.0];
                assert!(!with(Some(Linear { a0, dadx, dady })), "{what}");
                assert!(!with(Some(Linear { a0: dadx, dadx: a0, dady })), "{what}");
                assert!(!with(Some(Linear { a0: dady, dadx, dady: a0 })), "{what}");
            }
            assert!(!with(None), "{what}");
        }
    }
}

/// Memory that is too small for a tile, or rows that are no quads.
#[test]
fn tiles_that_do_not_fit_are_refused() {
    let text = "shader \"one\" stage(fragment) from(\"test\") {
  attr 0 \"IN[0]\" generic(0) perspective center
  output 0 \"OUT[0]\" color(0) fp32 - - -
  slot p0 = fp32
  %0: p0 = attr in0.x
  out o0.x, %0
  yield
}";
    let bound = read(text).expect("reads").bind(&Model::builtin("ieee").expect("built in"));
    let attributes = [Some(Linear { a0: 0.0, dadx: 1.0, dady: 0.0 }), None, None, None];
    for level in levels() {
        let program = compile(verify(&bound).expect("sound"), level, &mut Programs::default()).expect("compiles");
        let batch = Batch::new(&choices(7, 200), &bound.func.iface, 4);
        let run = |xs: usize, ys: usize, stride: usize, words: usize, flags: usize| {
            let (xs, ys) = (vec![0.5; xs], vec![0.5; ys]);
            let (mut words, mut covered) = (vec![0; words], vec![false; flags]);
            let words = vec![Some(words.as_mut_slice())];
            let mut tile =
                Tile { attributes: &attributes, xs: &xs, ys: &ys, stride, words, covered: &mut covered, discarded: 0 };
            batch.with(|inputs| {
                let inputs = Inputs { lanes: 0, attrs: &[], sysvals: &[], covered: &[], ..*inputs };
                Executable::runner(&program).run_tile(&inputs, &Memory::NONE, &mut tile)
            })
        };
        // Ten pixels in each of two rows, twelve apart.
        assert!(run(20, 2, 12, 22, 22));
        assert!(!run(0, 0, 0, 0, 0));
        assert!(!run(18, 2, 12, 22, 22) && !run(20, 3, 12, 60, 60) && !run(20, 2, 9, 60, 60));
        assert!(!run(20, 2, 12, 21, 22) && !run(20, 2, 12, 22, 21));
    }
}
