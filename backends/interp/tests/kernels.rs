//! Kernels with barriers and memory of the workgroup: known results, and random ones by the reference executor as well.

use parallax_core::exec::{FUEL, Inputs, Memory, NoInterpolator, NoTextures, Outputs};
use parallax_core::num::Model;
use parallax_core::{Bound, Shader, SysVal, text, verify};
use parallax_gen::{Batch, choices, kernel};
use parallax_interp::{Bytecode, Scratch};

fn bound(body: &str) -> Shader<Bound> {
    let text = format!(
        "shader \"kernel\" stage(compute) from(\"test\") {{\n  workgroup 36 1 1\n  buffer 0 \"DATA\"\n  \
         buffer 1 \"SHARED\" workgroup(36)\n  %0: i32 = sys local_x\n  %1: i32 = lit 2\n  %2: i32 = shl %0, %1\n  \
         %3: i32 = buffer.load b0[%2]\n{body}  yield\n}}\n"
    );
    let symbolic = text::read(&text).unwrap_or_else(|diags| panic!("{diags:#?}"));
    symbolic.bind(&Model::builtin("ieee").expect("built in"))
}

/// Runs 36 invocations on the numbers from 1 by both executors: the buffer afterwards and which lanes missed a barrier.
fn run(body: &str) -> (Vec<u32>, Vec<usize>) {
    let shader = bound(body);
    let verified = verify(&shader).unwrap_or_else(|diags| panic!("{diags:#?}"));
    let mut sysvals = vec![0; SysVal::ALL.len() * 36];
    let local = SysVal::LocalX as usize * 36;
    (0..36).for_each(|lane| sysvals[local + lane] = lane as u32);
    let inputs = Inputs {
        lanes: 36,
        attrs: &[],
        banks: &[],
        sysvals: &sysvals,
        covered: &[true; 36],
        textures: &NoTextures,
        interpolator: &NoInterpolator,
        fuel: FUEL,
    };
    type Run<'a> = &'a dyn Fn(Memory<'_>, &mut Outputs);
    let runs: [Run<'_>; 2] =
        [&|memory, outputs| parallax_reference::run(verified, &inputs, memory, outputs), &|memory, outputs| {
            Bytecode::new(verified).run_in(&inputs, memory, &mut Scratch::default(), outputs)
        }];
    let [reference, interpreter] = runs.map(|run| {
        let mut buffers = [(1..37).collect(), vec![0; 36]];
        let mut outputs = Outputs::default();
        run(Memory::Exclusive(&mut buffers), &mut outputs);
        let [words, _] = buffers;
        let missed = outputs.missed_barrier.iter().enumerate().filter(|(_, missed)| **missed).map(|(lane, _)| lane);
        (words, missed.collect::<Vec<usize>>())
    });
    assert_eq!(reference, interpreter);
    reference
}

#[test]
fn what_others_stored_is_there_behind_a_barrier() {
    let body = "  buffer.store b1[%2], %3\n  barrier\n  %4: i32 = lit 140\n  %5: i32 = isub %4, %2\n  \
                %6: i32 = buffer.load b1[%5]\n  buffer.store b0[%2], %6\n";
    assert_eq!(run(body), ((1..37).rev().collect(), vec![]));
}

/// Sums of all before: each doubles its reach until that is all. Two barriers in each iteration of a loop.
#[test]
fn barriers_stand_in_loops() {
    let body = "  buffer.store b1[%2], %3\n  %4: i32 = lit 4\n  %5: i32 = lit 144\n  %6: i32 = lit 0\n  barrier\n  \
                loop ^7 (%8: i32 = %4) {\n  %9: i32 = isub %2, %8\n  %10: pred = ile %8, %2\n  \
                %11: i32 = buffer.load b1[%9]\n  %12: i32 = select %10, %11, %6\n  %13: i32 = buffer.load b1[%2]\n  \
                %14: i32 = iadd %12, %13\n  barrier\n  buffer.store b1[%2], %14\n  barrier\n  %16: i32 = iadd %8, %8\n  \
                %17: pred = ilt %16, %5\n  if %17 {\n  yield\n  } else {\n  break ^7\n  }\n  continue ^7 %16\n  }\n  \
                %18: i32 = buffer.load b1[%2]\n  buffer.store b0[%2], %18\n";
    let sums = (1..37u32).map(|n| n * (n + 1) / 2);
    assert_eq!(run(body), (sums.collect(), vec![]));
}

/// Invocations 0 to 4 leave out a barrier: they are named, and what comes behind it does not happen.
#[test]
fn who_misses_a_barrier_is_named() {
    let body = "  %4: i32 = lit 5\n  %5: pred = ilt %0, %4\n  buffer.store b0[%2], %4\n  if %5 {\n  yield\n  } else {\n  \
                barrier\n  buffer.store b0[%2], %0\n  yield\n  }\n";
    assert_eq!(run(body), (vec![5; 36], (0..5).collect()));
    // The same barrier in other iterations is another one: of these nobody gets to the second but 1.
    let body = "  %4: i32 = lit 0\n  %5: i32 = lit 1\n  loop ^6 (%7: i32 = %4) {\n  barrier\n  \
                %8: pred = ilt %7, %0\n  %9: pred = ieq %0, %5\n  %10: pred = pand %8, %9\n  if %10 {\n  yield\n  } else {\n  \
                break ^6\n  }\n  %11: i32 = iadd %7, %5\n  continue ^6 %11\n  }\n";
    assert_eq!(run(body).1, (0..36).filter(|&lane| lane != 1).collect::<Vec<usize>>());
}

#[test]
fn random_kernels_give_the_bits_of_the_reference() {
    let models = Model::builtins();
    let (mut reached, mut missed) = (0, 0);
    for seed in 0..300u64 {
        let n = seed as usize;
        let shader = kernel(&choices(seed, 40 + n * 7 % 400)).bind(&models[n % models.len()]);
        let batch = Batch::new(&choices(seed, 4000), &shader.func.iface, [16, 4, 36, 68][n % 4]);
        let (mut wanted, mut buffers) = (Outputs::default(), batch.buffers());
        let (mut found, mut after) = (Outputs::default(), batch.buffers());
        let verified = verify(&shader).expect("sound");
        batch.with(|inputs| {
            parallax_reference::run(verified, inputs, Memory::Exclusive(&mut buffers), &mut wanted);
            let memory = Memory::Exclusive(&mut after);
            Bytecode::new(verified).run_in(inputs, memory, &mut Scratch::default(), &mut found);
        });
        assert!(wanted == found, "seed {seed}: {found:x?}, not {wanted:x?}\n{}", text::print(&shader));
        assert!(buffers == after, "seed {seed}: {after:x?}, not {buffers:x?}\n{}", text::print(&shader));
        let misses = wanted.missed_barrier.contains(&true);
        missed += usize::from(misses);
        reached += usize::from(!misses && !wanted.missed_barrier.is_empty());
    }
    assert!(reached > 120 && missed > 5, "{reached} {missed}");
}
