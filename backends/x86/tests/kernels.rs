//! Kernels whose results are known, as code of every level: who runs together, barriers, atomics, words outside of buffers.

use parallax_core::exec::{FUEL, Inputs, Memory, NoInterpolator, NoTextures, Outputs};
use parallax_core::num::Model;
use parallax_core::text::read;
use parallax_core::{SysVal, verify};
use parallax_step::Programs;
use parallax_x86::{Level, Turns, compile};

/// Invocations: whole blocks of 16, or of 8, and a quad.
const COUNT: usize = 44;

/// Runs invocations whose numbers along x are these, on the numbers from 1: the words of the buffer afterwards, and which lanes
/// missed a barrier. %0 is the number of an invocation, %2 four times that, %3 the word there.
fn run(body: &str, turns: Turns, places: [u32; COUNT]) -> (Vec<u32>, Vec<usize>) {
    let text = format!(
        "shader \"kernel\" stage(compute) from(\"test\") {{\n  workgroup 44 1 1\n  buffer 0 \"DATA\"\n  \
         buffer 1 \"SHARED\" workgroup(44)\n  %0: i32 = sys local_x\n  %1: i32 = lit 2\n  %2: i32 = shl %0, %1\n  \
         %3: i32 = buffer.load b0[%2]\n{body}  yield\n}}\n"
    );
    let symbolic = read(&text).unwrap_or_else(|diags| panic!("{diags:#?}"));
    let shader = symbolic.bind(&Model::builtin("ieee").expect("built in"));
    let mut sysvals = vec![0; SysVal::ALL.len() * COUNT];
    sysvals[SysVal::LocalX as usize * COUNT..][..COUNT].copy_from_slice(&places);
    let inputs = Inputs {
        lanes: COUNT,
        attrs: &[],
        banks: &[],
        sysvals: &sysvals,
        covered: &[true; COUNT],
        textures: &NoTextures,
        interpolator: &NoInterpolator,
        fuel: FUEL,
    };
    let found = Level::ALL.into_iter().filter(|level| level.is_supported()).map(|level| {
        let program = compile(verify(&shader).expect("sound"), level, &mut Programs::default()).expect("compiles");
        assert_eq!(program.takes_turns(), Some(turns), "{body}");
        let mut buffers = [(1..=COUNT as u32).collect(), vec![0; COUNT]];
        let mut outputs = Outputs::default();
        program.run(&inputs, Memory::Exclusive(&mut buffers), &mut outputs);
        let [words, _] = buffers;
        let missed = outputs.missed_barrier.iter().enumerate().filter(|(_, missed)| **missed).map(|(lane, _)| lane);
        (words, missed.collect::<Vec<usize>>())
    });
    found
        .reduce(|a, b| {
            assert_eq!(a, b, "{body}");
            a
        })
        .unwrap_or_default()
}

fn in_order() -> [u32; COUNT] {
    std::array::from_fn(|lane| lane as u32)
}

#[test]
fn words_come_over_a_barrier() {
    if Level::best().is_none() {
        return;
    }
    let body = "  buffer.store b0[%2], %0\n  buffer.store b1[%2], %3\n  barrier\n  %4: i32 = lit 172\n  %5: i32 = isub %4, %2\n  \
                %6: i32 = buffer.load b1[%5]\n  buffer.store b0[%2], %6\n";
    let reversed = ((1..=COUNT as u32).rev().collect(), vec![]);
    // The first load and store are of each one's own word.
    assert_eq!(run(body, Turns::Rows, in_order()), reversed);
    // Where invocations do not follow each other quads take turns.
    let mut mixed = in_order();
    mixed.reverse();
    mixed.swap(3, 30);
    assert_eq!(run(body, Turns::Rows, mixed), reversed);
}

/// Sums of all before, in a loop with two barriers.
#[test]
fn sums_grow_from_barrier_to_barrier() {
    if Level::best().is_none() {
        return;
    }
    let body = "  buffer.store b1[%2], %3\n  %4: i32 = lit 4\n  %5: i32 = lit 176\n  %6: i32 = lit 0\n  barrier\n  \
                loop ^7 (%8: i32 = %4) {\n  %9: i32 = isub %2, %8\n  %10: pred = ile %8, %2\n  \
                %11: i32 = buffer.load b1[%9]\n  %12: i32 = select %10, %11, %6\n  %13: i32 = buffer.load b1[%2]\n  \
                %14: i32 = iadd %12, %13\n  barrier\n  buffer.store b1[%2], %14\n  barrier\n  %16: i32 = iadd %8, %8\n  \
                %17: pred = ilt %16, %5\n  if %17 {\n  yield\n  } else {\n  break ^7\n  }\n  continue ^7 %16\n  }\n  \
                %18: i32 = buffer.load b1[%2]\n  buffer.store b0[%2], %18\n";
    let sums = (1..=COUNT as u32).map(|n| n * (n + 1) / 2);
    assert_eq!(run(body, Turns::Blocks, in_order()), (sums.collect(), vec![]));
}

/// The numbers that an atomic gives out are those of invocations in their order: in blocks, and where each quad sees what the one
/// before it left.
#[test]
fn tickets_are_given_out_in_order() {
    if Level::best().is_none() {
        return;
    }
    let tickets: Vec<u32> = (0..COUNT as u32).map(|n| 3 * n).collect();
    let body = "  %4: i32 = lit 0\n  %5: i32 = lit 3\n  %6: i32 = atomic.add b1[%4], %5\n  barrier\n  buffer.store b0[%2], %6\n";
    assert_eq!(run(body, Turns::Blocks, in_order()), (tickets, vec![]));
    // Adds three, lane by lane, then reads: each lane of a quad reads what all four left.
    let body = "  %4: i32 = lit 0\n  %5: i32 = lit 3\n  %6: i32 = atomic.add b1[%4], %5\n  %7: i32 = buffer.load b1[%4]\n  \
                barrier\n  buffer.store b0[%2], %7\n";
    let seen = (0..COUNT as u32).map(|n| 12 * (n / 4 + 1)).collect();
    assert_eq!(run(body, Turns::Quads, in_order()), (seen, vec![]));
}

/// Of lanes that store one word the last one wins; what is outside is 0 and stays away.
#[test]
fn the_last_lane_wins_and_nothing_is_outside() {
    if Level::best().is_none() {
        return;
    }
    let body = "  %4: i32 = lit 0\n  buffer.store b1[%4], %0\n  barrier\n  %5: i32 = buffer.load b1[%4]\n  \
                %6: i32 = lit 80\n  %7: i32 = iadd %2, %6\n  %8: i32 = buffer.load b1[%7]\n  %9: i32 = iadd %5, %8\n  \
                buffer.store b0[%7], %9\n";
    // The first load is of other words than the store.
    let wanted = (0..COUNT as u32).map(|n| if n < 20 { n + 1 } else { 43 });
    assert_eq!(run(body, Turns::Blocks, in_order()), (wanted.collect(), vec![]));
}

#[test]
fn who_misses_a_barrier_is_named() {
    if Level::best().is_none() {
        return;
    }
    let body = "  %4: i32 = lit 5\n  %5: pred = ilt %0, %4\n  buffer.store b0[%2], %4\n  if %5 {\n  yield\n  } else {\n  \
                barrier\n  buffer.store b0[%2], %0\n  yield\n  }\n";
    assert_eq!(run(body, Turns::Quads, in_order()), (vec![5; COUNT], (0..5).collect()));
}
