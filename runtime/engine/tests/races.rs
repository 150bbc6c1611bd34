//! Races of kernels: what is reported, and what is none.

use parallax::{Dispatch, NamedWords, RACE, check_races};
use parallax_core::num::Model;
use parallax_core::{Shader, Symbolic, text};
use parallax_text::Diag;

pub(crate) fn races_of(shader: &Shader<Symbolic>, grid: [u32; 3], words: NamedWords) -> Vec<Diag> {
    let dispatch = Dispatch { grid, words, ..Dispatch::default() };
    let found = check_races(shader, &Model::builtin("ieee").expect("built in"), &dispatch);
    found.err().map_or(Vec::new(), |found| found.diags)
}

/// A kernel of the IR with a buffer and memory of workgroups of 8; `%0` is the local number, `%2` four times that and `%5` four
/// times the global one.
fn kernel(body: &str) -> Shader<Symbolic> {
    let source = format!(
        "shader \"t\" stage(compute) from(\"test\") {{\n  workgroup 8 1 1\n  buffer 0 \"B\"\n  buffer 1 \"S\" workgroup(8)\n  \
         %0: i32 = sys local_x\n  %1: i32 = lit 4\n  %2: i32 = imul %0, %1\n  %3: i32 = sys group_x\n  %4: i32 = lit 32\n  \
         %6: i32 = imul %3, %4\n  %5: i32 = iadd %2, %6\n  %7: i32 = lit 28\n  %8: i32 = isub %7, %2\n{body}  yield\n}}\n"
    );
    text::read(&source).unwrap_or_else(|diags| panic!("{diags:#?}"))
}

fn found(body: &str, grid: [u32; 3]) -> Vec<Diag> {
    races_of(&kernel(body), grid, vec![("B".into(), vec![0; 64])])
}

pub(crate) fn are_races(diags: &[Diag], count: usize) {
    assert_eq!(diags.len(), count, "{diags:#?}");
    assert!(diags.iter().all(|diag| diag.code == RACE), "{diags:#?}");
}

#[test]
fn a_missing_barrier_is_a_race() {
    let turned = |between: &str| {
        format!("  buffer.store b1[%2], %0\n{between}  %9: i32 = buffer.load b1[%8]\n  buffer.store b0[%5], %9\n")
    };
    assert_eq!(found(&turned("  barrier\n"), [2, 1, 1]), []);
    let diags = found(&turned(""), [2, 1, 1]);
    are_races(&diags, 1);
    let message = &diags[0].message;
    // The first quad reads what the second has not stored, which then stores it.
    assert!(message.contains("invocations 3,0,0 and 4,0,0 race for `S` at byte 0x10"), "{message}");
}

#[test]
fn the_subgroups_of_other_languages_are_no_order() {
    // Within one quad, at different ops.
    let swapped = |between: &str| {
        format!(
            "  %20: i32 = ixor %2, %1\n  buffer.store b1[%2], %0\n{between}  %9: i32 = buffer.load b1[%20]\n  \
             buffer.store b0[%5], %9\n"
        )
    };
    are_races(&found(&swapped(""), [1; 3]), 1);
    assert_eq!(found(&swapped("  group.barrier\n"), [1; 3]), []);
    // It does not reach beyond a subgroup, whose width `ieee` leaves at a quad.
    let turned = "  buffer.store b1[%2], %0\n  group.barrier\n  %9: i32 = buffer.load b1[%8]\n";
    are_races(&found(&format!("{turned}  buffer.store b0[%5], %9\n"), [1; 3]), 1);
}

#[test]
fn equal_values_race_all_the_same() {
    let diags = found("  %9: i32 = lit 0\n  %10: i32 = lit 7\n  buffer.store b0[%9], %10\n", [1; 3]);
    are_races(&diags, 1);
    assert!(diags[0].message.contains("both write"), "{}", diags[0].message);
    // One invocation alone may.
    let guarded = "  %9: i32 = lit 0\n  %10: pred = ieq %5, %9\n  if %10 {\n    buffer.store b0[%9], %1\n    yield\n  } else {\n    \
                   yield\n  }\n";
    assert_eq!(found(guarded, [2, 1, 1]), []);
}

#[test]
fn atomics_race_with_plain_accesses_alone() {
    let zero = "  %9: i32 = lit 0\n";
    let add = "  %10: i32 = atomic.add b0[%9], %1\n";
    assert_eq!(found(&format!("{zero}{add}"), [3, 1, 1]), []);
    assert_eq!(found(&format!("{zero}{add}  %11: i32 = buffer.load.atomic b0[%9]\n"), [3, 1, 1]), []);
    assert_eq!(found(&format!("{zero}{add}  buffer.store.atomic b0[%9], %1\n"), [3, 1, 1]), []);
    are_races(&found(&format!("{zero}{add}  %11: i32 = buffer.load b0[%9]\n"), [3, 1, 1]), 1);
    are_races(&found(&format!("{zero}{add}  buffer.store b0[%9], %1\n"), [3, 1, 1]), 2);
}

#[test]
fn barriers_order_no_workgroups() {
    let body = "  buffer.store b0[%2], %0\n  barrier\n  %9: i32 = buffer.load b0[%8]\n";
    assert_eq!(found(body, [1; 3]), []);
    let diags = found(body, [2, 1, 1]);
    are_races(&diags, 2);
    assert!(diags[0].message.contains("invocations 0,0,0 and 8,0,0 race for `B`"), "{}", diags[0].message);
    assert!(diags[0].help[0].contains("nothing orders workgroups"), "{:?}", diags[0].help);
    // Memory of workgroups is another one in each.
    assert_eq!(found(&body.replace("b0", "b1"), [2, 1, 1]), []);
}

#[test]
fn parts_of_words_are_told_apart() {
    let masked = |width: u32| {
        let bytes = 8 * width;
        format!(
            "  %20: i32 = lit 3\n  %21: i32 = lit {width}\n  %22: i32 = imul %0, %21\n  %23: i32 = iand %22, %20\n  \
             %24: i32 = shl %23, %20\n  %25: i32 = lit {}\n  %26: i32 = shl %25, %24\n  \
             %27: i32 = buffer.insert b1[%22], %0, %26\n",
            (1u64 << bytes) - 1
        )
    };
    assert_eq!(found(&masked(1), [1; 3]), []);
    assert_eq!(found(&masked(2), [1; 3]), []);
    // Its own byte, and then the word around it.
    assert_eq!(found(&format!("{}  %30: i32 = buffer.load.byte b1[%22]\n", masked(1)), [1; 3]), []);
    are_races(&found(&format!("{}  %30: i32 = buffer.load.half b1[%22]\n", masked(1)), [1; 3]), 1);
    are_races(&found(&format!("{}  %30: i32 = buffer.load b1[%22]\n", masked(1)), [1; 3]), 1);
}

#[test]
fn accesses_outside_and_of_uncovered_lanes_touch_nothing() {
    let body = "  %9: i32 = lit 4000\n  buffer.store b0[%9], %0\n";
    assert_eq!(found(body, [1; 3]), []);
    // Lanes beyond the workgroup fill up its last quad.
    let source =
        text::print(&kernel("  %9: i32 = lit 0\n  %10: i32 = buffer.load b0[%9]\n  buffer.store b0[%5], %10\n"));
    let alone = text::read(&source.replace("workgroup 8 1 1", "workgroup 1 1 1")).expect("a shader");
    assert_eq!(races_of(&alone, [1; 3], vec![("B".into(), vec![0; 64])]), []);
}

#[test]
fn other_stages_are_refused() {
    let source = text::print(&kernel("  buffer.store b0[%5], %0\n"));
    let source = source.replace("stage(compute)", "stage(fragment)").replace("  workgroup 8 1 1\n", "");
    let fragment = text::read(&source).expect("a shader");
    assert_eq!(races_of(&fragment, [1; 3], Vec::new())[0].code, "race-stage");
}
