//! Allocations of random shaders, with many registers and with few.

use parallax_core::{Bound, Shader, verify};
use parallax_forms::lanes::read;
use parallax_gen::{choices, kernel, shader};
use parallax_lane::{
    Allocation, Directions, Function, Op, Place, Registers, Site, Stream, Turns, allocate, check, lower, place_modes,
    print,
};
use parallax_num::Model;
use parallax_opt::{NoObserver, canonicalise, optimise};
use parallax_step::{Programs, legalise};

fn lanes(bound: &Shader<Bound>) -> Option<Function> {
    let steps = legalise(verify(bound).expect("sound"), &mut Programs::default());
    let mut function = lower(&steps, 16).ok()?;
    place_modes(&mut function, Directions::Instruction);
    Some(function)
}

const NONE: Registers<'static> = Registers { vectors: &[], masks: Some(&[]) };
const FEW: Registers<'static> = Registers { vectors: &[0, 1, 2], masks: Some(&[1, 2]) };
const MANY: Registers<'static> =
    Registers { vectors: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], masks: Some(&[1, 2, 3, 4, 5]) };
/// Masks live in vector registers.
const SHARED: Registers<'static> = Registers { vectors: &[0, 1, 2, 3, 4, 5, 6, 7], masks: None };

#[test]
fn every_use_of_random_shaders_finds_its_value() {
    let models = Model::builtins();
    let (mut checked, mut spilled) = (0, 0);
    for seed in 0..60u64 {
        let made = if seed % 3 == 2 { kernel } else { shader };
        let symbolic = made(&choices(seed, 40 + seed as usize * 5));
        let model = &models[seed as usize % models.len()];
        // As they are and optimised, in turn.
        let bound = match seed % 2 {
            0 => symbolic.bind(model),
            _ => optimise(canonicalise(symbolic).bind(model), &mut NoObserver),
        };
        let Some(function) = lanes(&bound) else { continue };
        for registers in [NONE, FEW, MANY, SHARED] {
            for stream in [&function.prologue, &function.body] {
                let allocation = allocate(&function, stream, registers);
                assert_eq!(check(&function, stream, &allocation), Ok(()), "{}", print(&function, None));
                checked += 1;
                spilled += usize::from(allocation.slots.0 > 0);
            }
        }
    }
    assert!(checked > 200 && spilled > 50, "{checked} {spilled}");
}

/// Another register that lives at the same time in the place of one.
fn spoilt(function: &Function, stream: &Stream, allocation: &Allocation) -> Option<Allocation> {
    for inst in &stream.code {
        if let [a, b, ..] = *stream.uses(inst)
            && let (Place::Vector(_), Place::Vector(_)) = (allocation.place(a), allocation.place(b))
            && a != b
        {
            let mut places = allocation.places.clone();
            places[a as usize] = places[b as usize];
            return Some(Allocation { places, ..allocation.clone() });
        }
    }
    let _ = function;
    None
}

#[test]
fn two_values_in_one_place_are_found() {
    let mut found = 0;
    for seed in 0..30u64 {
        let Some(function) = lanes(&shader(&choices(seed, 200)).bind(&Model::builtin("ieee").expect("built in")))
        else {
            continue;
        };
        let allocation = allocate(&function, &function.body, MANY);
        if let Some(spoilt) = spoilt(&function, &function.body, &allocation) {
            assert!(check(&function, &function.body, &spoilt).is_err(), "seed {seed}");
            found += 1;
        }
    }
    assert!(found > 10, "{found}");
}

#[test]
fn slots_are_few_where_values_follow_each_other() {
    for seed in 0..20u64 {
        let Some(function) = lanes(&shader(&choices(seed, 300)).bind(&Model::builtin("ieee").expect("built in")))
        else {
            continue;
        };
        let few = allocate(&function, &function.body, FEW).slots.0;
        let none = allocate(&function, &function.body, NONE).slots.0;
        assert!(few <= none && (none as usize) < function.regs.len().max(1), "{few} {none}");
    }
}

#[test]
fn texts_of_random_shaders_read_back_as_the_same_functions() {
    let models = Model::builtins();
    let find = |label: &str| Model::builtins().into_iter().find(|model| model.label() == label);
    let (mut checked, mut sites, mut found) = (0, 0, [0; 4]);
    for seed in 0..240u64 {
        let made = if seed % 2 == 0 { shader } else { kernel };
        let symbolic = made(&choices(seed, 30 + seed as usize % 120 * 5));
        let bound = symbolic.bind(&models[seed as usize % models.len()]);
        let steps = legalise(verify(&bound).expect("sound"), &mut Programs::default());
        let Ok(mut function) = lower(&steps, 16) else { continue };
        let text = print(&function, None);
        let again = read(&text, &find).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(print(&again, None), text);
        // The text does not say from which ops instructions come.
        for inst in function.prologue.code.iter_mut().chain(&mut function.body.code) {
            inst.origin = 0;
        }
        // All that code is made of.
        assert_eq!(again, function, "{text}");
        place_modes(&mut function, Directions::State);
        let text = print(&function, None);
        let again = read(&text, &find).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(print(&again, None), text);
        checked += 1;
        sites += function.sites.len();
        let ops: Vec<Op> = function.body.code.iter().map(|inst| inst.op).collect();
        let has = |wanted: fn(&Op) -> bool| ops.iter().filter(|op| wanted(op)).count();
        let is_exact = |site: &&Site| site.stride.is_some_and(|stride| stride.is_exact);
        for (n, count) in [
            has(|op| matches!(op, Op::Exchange(..))),
            has(|op| matches!(op, Op::FuelUniform(..))),
            has(|op| matches!(op, Op::Spend(..))),
            function.sites.iter().filter(is_exact).count(),
        ]
        .into_iter()
        .enumerate()
        {
            found[n] += count;
        }
    }
    assert!(checked > 120 && sites > 120, "{checked} {sites}");
    // What is exchanged, loops that all lanes take alike, those that are unrolled, accesses of neighbours.
    assert!(found.iter().all(|&count| count > 10), "{found:?}");
}

#[test]
fn texts_that_are_no_functions_are_refused_with_a_line() {
    let head = "lanes \"t\" model(\"ieee\")\noutputs 32\nbody {\n";
    let cases = [
        ("", 1, "expected `lanes`"),
        ("lanes \"t\" model(\"nobody\")", 1, "unknown model"),
        ("lanes \"t\" model(\"ieee\")\nwhat 3", 2, "expected a declaration"),
        ("lanes \"t\" model(\"ieee\")\nslot p1 = fp32", 2, "expected `p0`"),
        (head, 4, "expected `}` of the body"),
        ("v0 = attr 0.4\n}", 4, "no component 4"),
        ("v0 = fmul.i32 v1, v1\n}", 4, "is not defined over"),
        ("v0 = fmul.f32.up v1, v1\n}", 4, "expected a direction"),
        ("v0 = frob.f32 v1\n}", 4, "expected an instruction"),
        ("v0 = move uniform0\n}", 4, "expected a register"),
        ("v0 = move \u{e9}\n}", 4, "expected a register"),
        ("v0 = move v\n}", 4, "expected a register"),
        ("v0 = move v1\u{e9}\n}", 4, "expected a register"),
        ("v0 = move 0x123\n}", 4, "8 or 16 digits"),
        ("v0 = first.f32 v1, v2\n}", 4, "expected a NaN"),
        ("out 0.0 bits 16 f32 v0\n}", 4, "no output"),
        ("v0 = redo mul p0 f32 (f32 f32 -> f32) m1, v2, v2, v0\n}", 4, "slot p0 does not exist"),
        ("v0 = redo mul - f32 m1, v2, v2, v0\n}", 4, "expected `(types -> types)`"),
        ("jump L3\n}", 5, "`L3` stands nowhere"),
        ("L1:\nL1:\n}", 5, "stands twice"),
        ("}\nbody {", 5, "after the body"),
    ];
    let models = |label: &str| Model::builtin(label);
    for (text, line, message) in cases {
        let text =
            if text.starts_with("lanes") || text.is_empty() { text.to_string() } else { format!("{head}{text}") };
        let error = read(&text, &models).expect_err(&text);
        assert!(error.line == line && error.message.contains(message), "{text}\n{error}");
    }
}

/// A kernel of 32 invocations in a row; %0 is the number of one of them, %2 four times that.
fn kernel_of(body: &str) -> Function {
    let text = format!(
        "shader \"kernel\" stage(compute) from(\"test\") {{\n  workgroup 32 1 1\n  bank 0 \"C\" len(1)\n  buffer 0 \"A\"\n  \
         buffer 1 \"SHARED\" workgroup(64)\n  %0: i32 = sys local_x\n  %1: i32 = lit 2\n  %2: i32 = shl %0, %1\n{body}  \
         yield\n}}\n"
    );
    let symbolic = parallax_core::text::read(&text).unwrap_or_else(|diags| panic!("{diags:#?}"));
    lanes(&symbolic.bind(&Model::builtin("ieee").expect("built in"))).expect("a lane form")
}

#[test]
fn lanes_run_together_where_nobody_can_tell() {
    use Turns::{Blocks, Quads, Rows};
    let loaded = "  %3: i32 = buffer.load b0[%2]\n";
    let waits = "  loop ^6 (%7: i32 = %3) {\n  barrier\n  %8: i32 = iadd %7, %1\n  %9: pred = ilt %7, %1\n  if %9 {\n  yield\n  \
                 } else {\n  break ^6\n  }\n  continue ^6 %8\n  }\n  buffer.store b0[%2], %0\n";
    for (wanted, body) in [
        // What each changes once, and nobody reads.
        (Blocks, "  buffer.store b0[%2], %0\n"),
        (Blocks, "  buffer.store b0[%1], %0\n"),
        (Blocks, "  %3: i32 = atomic.add b0[%1], %0\n  buffer.store b1[%2], %3\n"),
        // Sums whose parts nobody sees, however many.
        (Blocks, "  %3: i32 = atomic.add b0[%1], %0\n  %4: i32 = atomic.add b0[%2], %0\n"),
        (Quads, "  %3: i32 = atomic.add b0[%1], %0\n  %4: i32 = atomic.max_u b0[%2], %0\n"),
        (Quads, "  %3: i32 = atomic.add b0[%1], %0\n  %4: i32 = atomic.add b0[%3], %0\n"),
        // What a neighbour reads.
        (Quads, "  buffer.store b0[%2], %0\n  %3: i32 = buffer.load b0[%0]\n  buffer.store b1[%2], %3\n"),
        (Blocks, "  buffer.store b0[%2], %0\n  barrier\n  %3: i32 = buffer.load b0[%0]\n  buffer.store b1[%2], %3\n"),
        // Each its own word.
        (Rows, &format!("{loaded}  %4: i32 = iadd %3, %0\n  buffer.store b0[%2], %4\n")),
        (
            Rows,
            "  %3: i32 = sys group_x\n  %4: i32 = const c0[0].x\n  %5: i32 = imul %3, %4\n  %6: i32 = iadd %2, %5\n  \
             %7: i32 = buffer.load b0[%6]\n  buffer.store b0[%6], %7\n  buffer.store b0[%6], %0\n",
        ),
        // Pairs of words: each its own, or the second one that of a neighbour.
        (
            Rows,
            "  %3: i32 = shl %2, %1\n  %4: i32 = lit 4\n  %5: i32 = iadd %3, %4\n  buffer.store b0[%3], %0\n  \
             buffer.store b0[%5], %0\n",
        ),
        (Quads, "  %4: i32 = lit 4\n  %5: i32 = iadd %2, %4\n  buffer.store b0[%2], %0\n  buffer.store b0[%5], %0\n"),
        // Barriers in a loop that all take alike, unless some lanes have run out of fuel in an earlier one.
        (Blocks, &format!("  %3: i32 = lit 0\n{waits}")),
        (
            Quads,
            &format!(
                "  %3: i32 = lit 0\n  %4: pred = ilt %0, %1\n  if %4 {{\n  loop ^5 {{\n  continue ^5\n  }}\n  yield\n  \
                 }} else {{\n  yield\n  }}\n{waits}"
            ),
        ),
        // One after the other in a loop; with a barrier between them.
        (
            Quads,
            "  %3: i32 = lit 0\n  loop ^4 (%5: i32 = %3) {\n  buffer.store b0[%5], %0\n  %6: i32 = iadd %5, %1\n  \
             %7: pred = ilt %6, %1\n  if %7 {\n  yield\n  } else {\n  break ^4\n  }\n  continue ^4 %6\n  }\n",
        ),
        (
            Blocks,
            "  %3: i32 = lit 0\n  loop ^4 (%5: i32 = %3) {\n  buffer.store b0[%5], %0\n  barrier\n  %6: i32 = iadd %5, %1\n  \
             %7: pred = ilt %6, %1\n  if %7 {\n  yield\n  } else {\n  break ^4\n  }\n  continue ^4 %6\n  }\n",
        ),
        // The same with a number of iterations of each one's own.
        (
            Quads,
            "  %3: i32 = lit 0\n  loop ^4 (%5: i32 = %3) {\n  buffer.store b0[%5], %0\n  barrier\n  %6: i32 = iadd %5, %1\n  \
             %7: pred = ilt %6, %0\n  if %7 {\n  yield\n  } else {\n  break ^4\n  }\n  continue ^4 %6\n  }\n",
        ),
        // A barrier that some may not get to.
        (Quads, "  %3: pred = ilt %0, %1\n  if %3 {\n  barrier\n  yield\n  } else {\n  yield\n  }\n"),
        (
            Blocks,
            "  %3: i32 = sys group_x\n  %4: pred = ilt %3, %1\n  if %4 {\n  barrier\n  yield\n  } else {\n  yield\n  }\n",
        ),
    ] {
        assert_eq!(kernel_of(body).turns, Some(wanted), "{body}");
    }
    let reads = shader(&choices(1, 0)).bind(&Model::builtin("ieee").expect("built in"));
    assert_eq!(lanes(&reads).expect("a lane form").turns, None);
}

/// What lives over a barrier is found nowhere else behind it.
#[test]
fn a_value_that_is_not_kept_over_a_barrier_is_found() {
    let function = kernel_of("  %3: i32 = buffer.load b0[%2]\n  barrier\n  buffer.store b0[%2], %3\n");
    for registers in [NONE, FEW, MANY, SHARED] {
        let allocation = allocate(&function, &function.body, registers);
        assert_eq!(check(&function, &function.body, &allocation), Ok(()));
        // The word; the mask of lanes and the address are computed again.
        assert_eq!(allocation.kept[0].len(), 1);
        for n in 0..1 {
            let mut spoilt = allocation.clone();
            spoilt.kept[0].remove(n);
            assert!(check(&function, &function.body, &spoilt).is_err());
        }
    }
}
