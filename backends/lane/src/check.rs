//! Proves an allocation: every use finds the value that it asks for.
//!
//! The code is followed with what each place holds. Where ways meet, a place holds what it holds on all of them; loops are
//! followed until that no longer changes.

use crate::form::{Function, Inst, Label, Op, Reg, Stream};
use crate::scan::{Allocation, Place};
use rustc_hash::{FxHashMap, FxHashSet};

/// The register whose value each place holds, the frame included, where it has a place for every register.
type State = FxHashMap<Held, Reg>;

/// A place.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
enum Held {
    Here(Place),
    InFrame(Reg),
}

/// What is wrong with an allocation.
///
/// # Errors
/// The first use that does not find its value.
pub fn check(function: &Function, stream: &Stream, allocation: &Allocation) -> Result<(), String> {
    let mut at_label: FxHashMap<Label, State> = FxHashMap::default();
    loop {
        let mut changed = false;
        let mut here = Some(State::default());
        for (n, inst) in stream.code.iter().enumerate() {
            if let Op::Label(label) = inst.op {
                here = match (here.take(), at_label.get(&label)) {
                    (Some(mut falling), Some(jumping)) => {
                        meet(&mut falling, jumping);
                        Some(falling)
                    }
                    (Some(falling), None) => Some(falling),
                    (None, jumping) => jumping.cloned(),
                };
                // What a loop starts with is what came from above, until a jump back says less.
                if let Some(state) = &here {
                    changed |= arrive(&mut at_label, label, state);
                }
                continue;
            }
            let Some(state) = &mut here else { continue };
            step(function, stream, allocation, inst, state).map_err(|problem| format!("instruction {n}: {problem}"))?;
            if let Some(number) = inst.op.stop() {
                let kept = allocation.kept.get(number as usize).map_or(&[][..], Vec::as_slice);
                for &(reg, is_set_once) in &allocation.framed {
                    if !is_set_once
                        && kept.contains(&reg)
                        && state.get(&Held::Here(allocation.place(reg))) == Some(&reg)
                    {
                        state.insert(Held::InFrame(reg), reg);
                    }
                }
                // Others run meanwhile, in the same places.
                let defs = stream.defs(inst);
                state.retain(|held, reg| matches!(held, Held::InFrame(_)) || defs.contains(reg));
                for &reg in kept {
                    if state.contains_key(&Held::InFrame(reg)) {
                        state.insert(Held::Here(allocation.place(reg)), reg);
                    }
                }
            }
            match inst.op {
                Op::Jump(label) => {
                    changed |= arrive(&mut at_label, label, state);
                    here = None;
                }
                op => {
                    if let Some(label) = op.jumps_to() {
                        changed |= arrive(&mut at_label, label, state);
                    }
                }
            }
        }
        if !changed {
            return Ok(());
        }
    }
}

/// What is wrong with the allocations of two blocks whose instructions alternate: a place that both have and do not share.
///
/// # Errors
/// The place.
pub fn check_apart(first: &Allocation, second: &Allocation) -> Result<(), String> {
    let taken = |allocation: &Allocation, with_shared: bool| {
        let places = allocation.places.iter().copied().enumerate();
        places
            .filter(|&(reg, place)| {
                !matches!(place, Place::Source | Place::Nowhere) && (with_shared || !allocation.is_shared(reg as Reg))
            })
            .map(|(_, place)| place)
            .collect::<FxHashSet<Place>>()
    };
    match taken(first, true).intersection(&taken(second, false)).next() {
        Some(place) => Err(format!("both blocks have {place:?}")),
        None => Ok(()),
    }
}

fn meet(into: &mut State, other: &State) {
    into.retain(|place, reg| other.get(place) == Some(reg));
}

/// A way leads to a label; whether that says something new.
fn arrive(at_label: &mut FxHashMap<Label, State>, label: Label, state: &State) -> bool {
    match at_label.get_mut(&label) {
        Some(known) => {
            let before = known.len();
            meet(known, state);
            known.len() != before
        }
        None => {
            at_label.insert(label, state.clone());
            true
        }
    }
}

fn step(
    function: &Function,
    stream: &Stream,
    allocation: &Allocation,
    inst: &Inst,
    state: &mut State,
) -> Result<(), String> {
    for &reg in stream.uses(inst) {
        let place = allocation.place(reg);
        let found = match place {
            Place::Source => function.regs[reg as usize].source.map(|_| reg),
            _ => state.get(&Held::Here(place)).copied(),
        };
        if found != Some(reg) {
            return Err(format!("register {reg} is expected in {place:?}, which holds {found:?}"));
        }
    }
    let mut set: Vec<Place> = Vec::new();
    for &reg in stream.defs(inst) {
        let place = allocation.place(reg);
        if matches!(place, Place::Source | Place::Nowhere) {
            return Err(format!("register {reg} is set, but has no place"));
        }
        let again = set.contains(&place) && state.get(&Held::Here(place)) != Some(&reg);
        let is_read_late = |used: Reg| inst.op.is_early() || allocation.is_shared(used);
        let clobbers = stream.uses(inst).iter().any(|&u| u != reg && is_read_late(u) && allocation.place(u) == place);
        if again || clobbers {
            return Err(format!("{place:?} is set to register {reg} and needed for another"));
        }
        set.push(place);
        state.insert(Held::Here(place), reg);
        // What was brought to the frame is not that any more, unless it is once more.
        state.remove(&Held::InFrame(reg));
        if allocation.framed.contains(&(reg, true)) {
            state.insert(Held::InFrame(reg), reg);
        }
    }
    Ok(())
}
