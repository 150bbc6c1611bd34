//! Allocations of random shaders, with many registers and with few.

use parallax_core::{Bound, Shader, verify};
use parallax_forms::lanes::read;
use parallax_gen::{choices, shader};
use parallax_lane::{
    Allocation, Directions, Function, Place, Registers, Stream, allocate, check, lower, place_modes, print,
};
use parallax_num::Model;
use parallax_opt::{NoObserver, canonicalise, optimise};
use parallax_step::{Programs, legalise};

fn lanes(bound: &Shader<Bound>) -> Option<Function> {
    let steps = legalise(verify(bound).expect("sound"), &mut Programs::default());
    let mut function = lower(&steps).ok()?;
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
        let symbolic = shader(&choices(seed, 40 + seed as usize * 5));
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
    let (mut checked, mut sites) = (0, 0);
    for seed in 0..120u64 {
        let symbolic = shader(&choices(seed, 30 + seed as usize * 5));
        let bound = symbolic.bind(&models[seed as usize % models.len()]);
        let steps = legalise(verify(&bound).expect("sound"), &mut Programs::default());
        let Ok(mut function) = lower(&steps) else { continue };
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
    }
    assert!(checked > 60 && sites > 60, "{checked} {sites}");
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
