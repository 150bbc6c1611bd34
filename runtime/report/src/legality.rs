//! Whether what a shader's operations gave is legal in a specification: every kind of operation in a sample of the draw, judged
//! by a profile.

use crate::kept;
use crate::trust::sampled;
use parallax::{Engine, Event, Optimise, Problems, Trace, compile};
use parallax_core::{Bound, EntityRef, OpKind, Shader, SlotId, Symbolic};
use parallax_num::{Judge, Model, Op, Profile, Ruling, Storage, fast, ulp};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Results of one kind of operation in one slot that are judged; a ruling costs a thousand times what the result did.
const MOST: u64 = 256;

/// What was found about one shader under one model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Legality {
    /// Results judged.
    pub judged: u64,
    /// Among them, those for which anything is legal.
    pub free: u64,
    /// Those that are not legal.
    pub outside: u64,
    /// Operations with results that are not legal, in the order of the program.
    pub offences: Vec<Offence>,
}

/// An operation with results that are not legal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Offence {
    /// Its name.
    pub op: Cow<'static, str>,
    /// Results judged.
    pub judged: u64,
    /// Those that are not legal.
    pub outside: u64,
    /// Operands of the worst of them, as patterns of the container.
    pub args: Vec<String>,
    /// Its result.
    pub result: String,
    /// Units in the last place beyond what is legal; infinite for NaN and infinities in the place of numbers and the other way
    /// round.
    #[serde(with = "kept::number")]
    pub beyond: f64,
}

/// Judges what a shader does under a model. `draw` is an [`observed_draw`](crate::observed_draw). Only operations on the declared
/// format of the profile that it bounds are judged, without what an instruction asks of its result: clamped and scaled results
/// are left out.
///
/// # Errors
/// Those of compiling and of the draw.
pub fn legality(
    shader: &Shader<Symbolic>,
    model: &Model,
    profile: &Profile,
    draw: &parallax::Draw,
) -> Result<Legality, Problems> {
    let compiled = compile(shader, model, Optimise::No, Engine::Interp)?;
    let witness = Arc::new(Mutex::new(Witness::new(&compiled.shader, profile)));
    let draw = draw.with_vertices(&shader.func.iface, model, Engine::Interp)?;
    sampled(&compiled.observed(witness.clone())?, &draw)?;
    let witness = witness.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(witness.sum(profile))
}

/// Operands and result of one execution, as binary64 numbers and as words.
struct Case {
    args: Vec<u64>,
    result: u64,
}

/// Operations of one kind in one slot.
struct Kind {
    op: Op,
    storage: Storage,
    cases: Vec<Case>,
}

/// Collects what is to be judged.
struct Witness {
    /// Kind of each op; none for what is not judged.
    of: Vec<Option<usize>>,
    kinds: Vec<Kind>,
}

impl Witness {
    fn new(shader: &Shader<Bound>, profile: &Profile) -> Witness {
        let func = &shader.func;
        let judged = profile.ops();
        let mut of = vec![None; func.ops.len()];
        let mut kinds: Vec<Kind> = Vec::new();
        let mut known: HashMap<(Op, SlotId), usize> = HashMap::new();
        func.walk(|_, id| {
            let data = &func.ops[id];
            let (OpKind::Num(op), Some(slot)) = (&data.kind, data.slot) else { return };
            let asked = &func.slots[slot];
            let plain = asked.saturate == parallax_num::Saturate::None && asked.scale == 0;
            if asked.decl != profile.slot || !plain || !judged.contains(op) {
                return;
            }
            let storage = shader.state.storage(asked.decl);
            let kind = *known.entry((*op, slot)).or_insert_with(|| {
                kinds.push(Kind { op: *op, storage, cases: Vec::new() });
                kinds.len() - 1
            });
            of[id.index()] = Some(kind);
        });
        Witness { of, kinds }
    }

    fn sum(&self, profile: &Profile) -> Legality {
        let mut out = Legality::default();
        for kind in &self.kinds {
            let Some(judge) = Judge::new(profile, kind.op) else { continue };
            let mut offence: Option<Offence> = None;
            for case in &kind.cases {
                let args: Vec<f64> = case.args.iter().map(|w| ulp::to_f64(*w, kind.storage)).collect();
                out.judged += 1;
                match judge.rules(&args, ulp::to_f64(case.result, kind.storage), estimate(kind.op, &args)) {
                    Ruling::Inside => {}
                    Ruling::Free => out.free += 1,
                    Ruling::Outside(beyond) => {
                        out.outside += 1;
                        let worst = offence.get_or_insert_with(|| Offence {
                            op: kind.op.info().name.into(),
                            judged: kind.cases.len() as u64,
                            outside: 0,
                            args: Vec::new(),
                            result: String::new(),
                            beyond: -1.0,
                        });
                        worst.outside += 1;
                        if beyond > worst.beyond {
                            worst.beyond = beyond;
                            worst.args = case.args.iter().map(|w| ulp::hex(*w, kind.storage)).collect();
                            worst.result = ulp::hex(case.result, kind.storage);
                        }
                    }
                }
            }
            out.offences.extend(offence);
        }
        // An operation in several slots is one to the reader.
        let mut merged: Vec<Offence> = Vec::new();
        for offence in std::mem::take(&mut out.offences) {
            match merged.iter_mut().find(|known| known.op == offence.op) {
                None => merged.push(offence),
                Some(known) => {
                    let (judged, outside) = (known.judged + offence.judged, known.outside + offence.outside);
                    if offence.beyond > known.beyond {
                        *known = offence;
                    }
                    (known.judged, known.outside) = (judged, outside);
                }
            }
        }
        out.offences = merged;
        out
    }
}

/// The exact value to 2^-43 of it, or NaN: it decides how long a ruling takes, and nothing else.
fn estimate(op: Op, args: &[f64]) -> f64 {
    let small = |x: f64| x.abs() < 280.0;
    match (op, args) {
        (Op::Add, [a, b]) => a + b,
        (Op::Sub, [a, b]) => a - b,
        (Op::Mul, [a, b]) => a * b,
        (Op::Div, [a, b]) => a / b,
        (Op::Rcp, [a]) => 1.0 / a,
        (Op::Sqrt, [a]) => a.sqrt(),
        (Op::Rsq, [a]) => 1.0 / a.sqrt(),
        (Op::Exp2, [a]) if small(*a) => fast::exp2(*a),
        (Op::Log2, [a]) if a.is_normal() && *a > 0.0 => fast::log2(*a),
        (Op::Sin, [a]) if small(*a) => fast::sin(*a),
        (Op::Cos, [a]) if small(*a) => fast::cos(*a),
        _ => f64::NAN,
    }
}

impl Trace for Witness {
    fn event(&mut self, event: Event<'_>) {
        let Event::Op { op, exec, args, results: [result, ..] } = event else { return };
        let Some(kind) = self.of.get(op.index()).copied().flatten() else { return };
        let cases = &mut self.kinds[kind].cases;
        for lane in exec.lanes() {
            if cases.len() as u64 >= MOST {
                return;
            }
            cases.push(Case { args: args.iter().map(|row| row[lane]).collect(), result: result[lane] });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parallax::{Draw, LoadOptions, builtin_profile, load};

    fn found(text: &str, model: &str, profile: &str) -> Legality {
        let shader = load("x.tgsi", text.as_bytes(), &LoadOptions::default()).shader.unwrap();
        let draw = crate::observed_draw(&Draw::defaults(&shader.func.iface).unwrap());
        legality(&shader, &Model::parse(model).unwrap(), &builtin_profile(profile).unwrap(), &draw).unwrap()
    }

    const HEAD: &str =
        "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0]\nIMM FLT32 { 0.5, 0.3, 1.0, 3.0 }\n";

    #[test]
    fn a_correctly_rounded_shader_is_legal_and_a_probe_beyond_the_bound_is_not() {
        let text = format!("{HEAD}ADD TEMP[0].x, IN[0].xxxx, IMM[0].yyyy\nRSQ OUT[0].x, TEMP[0].xxxx\nEND\n");
        let fine = found(&text, "ieee", "vulkan-highp");
        assert!(fine.judged >= 200 && fine.outside == 0 && fine.offences.is_empty(), "{fine:?}");
        let far = found(&text, "ieee[rsq.accuracy=9ulp]@high", "vulkan-highp");
        assert_eq!(far.judged, fine.judged);
        let [offence] = &far.offences[..] else { panic!("{far:?}") };
        assert_eq!((offence.op.as_ref(), offence.args.len()), ("rsq", 1));
        assert!(offence.outside > offence.judged / 2 && offence.beyond >= 5.0 && offence.beyond < 9.0, "{offence:?}");
        // Another format is no matter of the profile.
        assert_eq!(found(&text, "ieee", "metal-half").judged, 0);
    }

    #[test]
    fn what_an_instruction_asks_of_its_result_is_not_judged() {
        let text = format!("{HEAD}ADD_SAT OUT[0].x, IN[0].xxxx, IMM[0].wwww\nEND\n");
        assert_eq!(found(&text, "ieee", "opencl").judged, 0);
    }
}
