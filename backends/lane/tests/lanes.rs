//! Allocations of random shaders, with many registers and with few.

use parallax_core::{Bound, Shader, verify};
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
