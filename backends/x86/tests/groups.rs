//! Whole workgroups as code of every level: blocks in pairs, stops, fuel, batches that are no whole workgroups.

use parallax_core::exec::{FUEL, Inputs, Memory, NoInterpolator, NoTextures, Outputs};
use parallax_core::num::Model;
use parallax_core::text::read;
use parallax_core::{SysVal, verify};
use parallax_step::Programs;
use parallax_x86::{Level, Program, compile};

/// A kernel with 64 invocations in rows: `b0` is data, `b1` is of the workgroup. %0 and %1 are where an invocation is, %4 is four times its
/// number.
fn kernel(rows: [u32; 2], body: &str) -> String {
    let [x, y] = rows;
    format!(
        "shader \"kernel\" stage(compute) from(\"test\") {{\n  workgroup {x} {y} 1\n  buffer 0 \"DATA\"\n  \
         buffer 1 \"SHARED\" workgroup(64)\n  %0: i32 = sys local_x\n  %1: i32 = sys local_y\n  %2: i32 = lit {}\n  \
         %90: i32 = lit 2\n  %91: i32 = shl %1, %2\n  %92: i32 = shl %0, %90\n  %4: i32 = iadd %91, %92\n{body}  yield\n}}\n",
        x.trailing_zeros() + 2
    )
}

fn programs(text: &str) -> Vec<Program> {
    let symbolic = read(text).unwrap_or_else(|diags| panic!("{diags:#?}"));
    let shader = symbolic.bind(&Model::builtin("ieee").expect("built in"));
    let levels = Level::ALL.into_iter().filter(|level| level.is_supported());
    levels
        .map(|level| compile(verify(&shader).expect("sound"), level, &mut Programs::default()).expect("compiles"))
        .collect()
}

/// Runs so many invocations of rows of `width`, of which these are covered, on the numbers from 1.
fn run(program: &Program, width: u32, covered: &[bool], fuel: u32) -> (Vec<u32>, Outputs) {
    let lanes = covered.len();
    let mut sysvals = vec![0; SysVal::ALL.len() * lanes];
    for lane in 0..lanes {
        sysvals[SysVal::LocalX as usize * lanes + lane] = lane as u32 % width;
        sysvals[SysVal::LocalY as usize * lanes + lane] = lane as u32 / width;
    }
    let inputs = Inputs {
        lanes,
        attrs: &[],
        banks: &[],
        sysvals: &sysvals,
        covered,
        textures: &NoTextures,
        interpolator: &NoInterpolator,
        fuel,
    };
    let (mut buffers, mut outputs) = ([(1..=64).collect(), vec![0; 64]], Outputs::default());
    program.run(&inputs, Memory::Exclusive(&mut buffers), &mut outputs);
    let [words, _] = buffers;
    (words, outputs)
}

/// Every invocation adds up its row of a matrix and its column, as the product of matrices does.
const ROW_AND_COLUMN: &str = "  %5: i32 = buffer.load b0[%4]\n  buffer.store b1[%4], %5\n  barrier\n  %6: i32 = lit 0\n  \
     %7: i32 = lit 1\n  %8: i32 = lit 4\n  %13: i32 = loop ^14 (%15: i32 = %6, %16: i32 = %6) initial(%6) {\n    \
     %17: i32 = shl %15, %90\n    %18: i32 = iadd %91, %17\n    %19: i32 = buffer.load b1[%18]\n    %20: i32 = shl %15, %2\n    \
     %21: i32 = iadd %92, %20\n    %22: i32 = buffer.load b1[%21]\n    %23: i32 = imul %19, %22\n    %24: i32 = iadd %16, %23\n    \
     %25: i32 = iadd %15, %7\n    %26: pred = ilt %25, %8\n    if %26 {\n      yield\n    } else {\n      break ^14 %24\n    }\n    \
     continue ^14 %25, %24\n  }\n  buffer.store b0[%4], %13\n";

#[test]
fn pairs_of_blocks_share_what_they_have_alike() {
    // Rows of a block, of a pair, and both of less than a pair.
    for [x, y] in [[16, 4], [32, 2], [64, 1], [8, 8]] {
        let word = |at: u32| at + 1;
        let wanted: Vec<u32> = (0..64)
            .map(|at| {
                let (row, column) = (at / x, at % x);
                let outside = |at: u32| if at < 64 { word(at) } else { 0 };
                (0..4).map(|n| outside(row * x + n) * outside(n * x + column)).sum()
            })
            .collect();
        for program in programs(&kernel([x, y], ROW_AND_COLUMN)) {
            let (words, outputs) = run(&program, x, &[true; 64], FUEL);
            assert_eq!(words, wanted, "{x} by {y}");
            assert!(outputs.missed_barrier.iter().all(|&missed| !missed) && outputs.out_of_fuel == [false; 64]);
            let is_in_pairs = x as usize >= program.level().lanes();
            assert!(program.blocks() > 1 || !is_in_pairs, "{x} by {y}: {}", program.level());
        }
    }
}

/// A loop with barriers that spends fuel: all lanes run out of it at the same stop.
#[test]
fn all_turns_run_out_of_fuel_alike() {
    let body = "  %5: i32 = lit 1\n  %6: i32 = lit 100\n  %7: i32 = lit 0\n  %8: i32 = loop ^9 (%10: i32 = %7) initial(%6) {\n    \
                buffer.store b1[%4], %10\n    barrier\n    %11: i32 = buffer.load b1[%4]\n    %12: i32 = iadd %11, %5\n    \
                %13: pred = ilt %12, %6\n    if %13 {\n      yield\n    } else {\n      break ^9 %12\n    }\n    barrier\n    \
                continue ^9 %12\n  }\n  %14: i32 = buffer.load b1[%4]\n  %15: i32 = imul %8, %6\n  %16: i32 = iadd %15, %14\n  \
                buffer.store b0[%4], %16\n";
    for program in programs(&kernel([64, 1], body)) {
        for (fuel, word, is_out) in [(FUEL, 100 * 100 + 99, false), (7, 100 * 100 + 7, true), (0, 100 * 100, true)] {
            let (words, outputs) = run(&program, 64, &[true; 64], fuel);
            assert_eq!((words, outputs.out_of_fuel), (vec![word; 64], vec![is_out; 64]), "fuel {fuel}");
        }
    }
}

/// The same program takes batches that are less than a workgroup, and lanes that are not covered, which change nothing.
#[test]
fn other_batches_are_run_too() {
    let body = "  %5: i32 = lit 252\n  %6: i32 = buffer.load b0[%4]\n  buffer.store b1[%4], %6\n  barrier\n  %7: i32 = isub %5, %4\n  \
                %8: i32 = buffer.load b1[%7]\n  buffer.store b0[%4], %8\n";
    for program in programs(&kernel([64, 1], body)) {
        let (words, _) = run(&program, 64, &[true; 64], FUEL);
        assert_eq!(words, (1..=64).rev().collect::<Vec<u32>>());
        let mut covered = [true; 64];
        covered[5] = false;
        let (words, _) = run(&program, 64, &covered, FUEL);
        let of_uncovered = |at: u32| {
            if at == 5 {
                6
            } else if at == 58 {
                0
            } else {
                64 - at
            }
        };
        assert_eq!(words, (0..64).map(of_uncovered).collect::<Vec<u32>>());
        let (words, _) = run(&program, 64, &[true; 20], FUEL);
        assert_eq!(words, (0..64).map(|at| if at < 20 { 0 } else { at + 1 }).collect::<Vec<u32>>());
    }
}

/// Where blocks of a shader without turns are interleaved, a word outside of the buffer is zero in the second one, too.
#[test]
fn interleaved_blocks_read_outside_of_buffers() {
    let mut text = "shader \"reads\" stage(fragment) from(\"test\") {\n  attr 0 \"A\" generic(0) perspective center\n  output 0 \"O\" color(0) i32 - - -\n  buffer 0 \"DATA\"\n  \
                    bank 0 \"C\" len(1)\n  slot p0 = fp32\n  %0: p0 = attr in0.x\n  %1: i32 = const c0[0].x\n  \
                    %2: i32 = buffer.load b0[%1]\n  %3: i32 = bits.of %0 under p0\n"
        .to_string();
    let mut last = 3;
    for n in 4..80 {
        text += &format!("  %{n}: i32 = {} %{last}, %{}\n", if n % 2 == 0 { "imul" } else { "ixor" }, (n / 2).max(3));
        last = n;
    }
    text += &format!("  %80: i32 = iadd %{last}, %2\n  out o0.x, %80\n  yield\n}}\n");
    let lanes = 64;
    let attrs: Vec<u32> = (0..4 * lanes).map(|n| (n as f32).to_bits()).collect();
    for program in programs(&text) {
        assert_eq!(program.blocks(), 2);
        let planes = [[[0; 4]], [[4096, 0, 0, 0]]].map(|bank| {
            let inputs = Inputs {
                lanes,
                attrs: &attrs,
                banks: &[&bank],
                sysvals: &[],
                covered: &[true; 64],
                textures: &NoTextures,
                interpolator: &NoInterpolator,
                fuel: FUEL,
            };
            let mut outputs = Outputs::default();
            program.run(&inputs, Memory::Shared(&[vec![1000; 4]]), &mut outputs);
            outputs.planes[0].to_words()
        });
        let without: Vec<_> = planes[0].iter().map(|word| (*word as u32).wrapping_sub(1000)).collect();
        assert_eq!(without, planes[1].iter().map(|word| *word as u32).collect::<Vec<u32>>());
    }
}
