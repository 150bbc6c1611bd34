//! Kernels: grids, shared memory, barriers, errors.

use parallax::{Compiled, Dispatch, Engine, Optimise, compile, run_dispatch};
use parallax_core::num::Model;
use parallax_core::text;

/// Every workgroup of six turns its part of the buffer round by shared memory.
const REVERSE: &str = "shader \"t\" stage(compute) from(\"test\") {
  workgroup 3 2 1
  buffer 0 \"B\"
  buffer 1 \"shared\" workgroup(6)
  %0: i32 = sys local_x
  %1: i32 = sys local_y
  %2: i32 = lit 3
  %3: i32 = imul %1, %2
  %4: i32 = iadd %3, %0
  %5: i32 = sys group_x
  %6: i32 = lit 6
  %7: i32 = imul %5, %6
  %8: i32 = iadd %7, %4
  %9: i32 = lit 4
  %10: i32 = imul %8, %9
  %11: i32 = imul %4, %9
  %12: i32 = buffer.load b0[%10]
  buffer.store b1[%11], %12
  barrier
  %13: i32 = lit 20
  %14: i32 = isub %13, %11
  %15: i32 = buffer.load b1[%14]
  buffer.store b0[%10], %15
  yield
}
";

/// Invocations from the third on wait for nobody.
const DIVERGENT: &str = "shader \"t\" stage(compute) from(\"test\") {
  workgroup 5 1 1
  buffer 0 \"B\"
  %0: i32 = sys local_x
  %1: i32 = lit 3
  %2: pred = ult %0, %1
  if %2 {
    barrier
    yield
  } else {
    yield
  }
  buffer.store b0[%0], %0
  yield
}
";

fn compiled(ir: &str, optimise: Optimise, engine: Engine) -> Compiled {
    let shader = text::read(ir).unwrap_or_else(|diags| panic!("{diags:#?}"));
    compile(&shader, &Model::builtin("ieee").expect("built in"), optimise, engine).expect("a valid shader")
}

fn dispatch(grid: [u32; 3], words: Vec<u32>) -> Dispatch {
    Dispatch { grid, words: vec![("B".into(), words)], ..Dispatch::default() }
}

#[test]
fn invocations_see_what_others_stored_before_a_barrier() {
    for engine in [Engine::Interp, Engine::default()] {
        for optimise in [Optimise::No, Optimise::Yes] {
            let kernel = compiled(REVERSE, optimise, engine);
            let result = run_dispatch(&kernel, &dispatch([2, 1, 1], (0..12).collect())).expect("it runs");
            assert_eq!(result.buffers[0], [5, 4, 3, 2, 1, 0, 11, 10, 9, 8, 7, 6]);
        }
    }
}

#[test]
fn invocations_that_miss_a_barrier_are_named() {
    let kernel = compiled(DIVERGENT, Optimise::Yes, Engine::Interp);
    let found = run_dispatch(&kernel, &dispatch([1; 3], vec![0; 5])).expect_err("a divergent barrier");
    assert_eq!(found.diags[0].code, "dispatch-barrier");
    assert!(found.diags[0].message.contains("invocations 3, 4 did not"), "{}", found.diags[0].message);
}

#[test]
fn grids_that_cannot_run_are_refused() {
    let kernel = compiled(REVERSE, Optimise::Yes, Engine::Interp);
    for (grid, words, code) in [
        ([0, 1, 1], "B", "dispatch-grid"),
        ([u32::MAX, u32::MAX, u32::MAX], "B", "dispatch-grid"),
        ([1, 1, 1], "C", "buffer-unknown"),
    ] {
        let asked = Dispatch { grid, words: vec![(words.into(), vec![0; 12])], ..Dispatch::default() };
        assert_eq!(run_dispatch(&kernel, &asked).expect_err("refused").diags[0].code, code);
    }
    let large = REVERSE.replace("workgroup 3 2 1", "workgroup 33 32 1");
    let found = run_dispatch(&compiled(&large, Optimise::Yes, Engine::Interp), &dispatch([1; 3], vec![0; 12]));
    assert_eq!(found.expect_err("too many").diags[0].code, "dispatch-workgroup");
    let fragment = REVERSE.replace("stage(compute)", "stage(fragment)");
    let found = run_dispatch(&compiled(&fragment, Optimise::Yes, Engine::Interp), &dispatch([1; 3], vec![0; 12]));
    assert_eq!(found.expect_err("no kernel").diags[0].code, "dispatch-stage");
}
