//! One operation over rows of lanes, by an engine.

use crate::engine::{Engine, backend};
use parallax_core::backend::Operation;
use parallax_interp::Interpreter;
use parallax_num::{Op, Rule};
use rustc_hash::FxHashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

/// Operations that were prepared, and why the interpreter runs them if it does.
type Prepared = FxHashMap<(Op, Rule, Engine), (Operation, Option<String>)>;

/// Whoever asks what other rules would give asks for the same operations in every shader.
static PREPARED: LazyLock<Mutex<Prepared>> = LazyLock::new(Mutex::default);
/// Operations that are kept, each with a page of code or two; then all are forgotten.
const MOST_PREPARED: usize = 8192;

/// Prepares an operation for an engine. Where that is machine code and there is none, the interpreter runs it, and the note says
/// why: the operation has no step program under the rule, or what the host lacks.
pub fn operation(op: Op, rule: &Rule, engine: Engine) -> (Operation, Option<String>) {
    let key = (op, *rule, engine);
    if let Some(known) = PREPARED.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return known.clone();
    }
    let made = match backend(engine).and_then(|backend| backend.operation(op, rule)) {
        Ok(made) => (made, None),
        Err(reason) => (Interpreter::operation(op, rule), Some(reason.0)),
    };
    let mut prepared = PREPARED.lock().unwrap_or_else(PoisonError::into_inner);
    if prepared.len() >= MOST_PREPARED {
        prepared.clear();
    }
    prepared.entry(key).or_insert(made).clone()
}

#[cfg(test)]
mod tests {
    use super::*;
    use parallax_core::num::{Decl, Kind, Model, Slot, Storage, eval};
    use parallax_random::Random;

    /// A word of a rule's container.
    fn word(bits: u64, rule: &Rule) -> u64 {
        match rule.storage {
            Storage::Fixed(format) => {
                let unused = 32 - u32::from(format.int) - u32::from(format.frac);
                u64::from((((bits as u32) << unused) as i32 >> unused) as u32)
            }
            storage => bits >> (64 - storage.bits()),
        }
    }

    #[test]
    fn operations_give_what_the_reference_evaluation_gives() {
        let mut random = Random::new(3);
        let mut compiled = 0;
        for engine in [Engine::Interp, Engine::JitAvx2, Engine::JitAvx512] {
            for model in Model::builtins().into_iter().take(4) {
                let floats = |row: &&parallax_core::num::OpInfo| {
                    row.result == Kind::F && row.args.iter().all(|kind| *kind == Kind::F)
                };
                for (n, row) in Op::ALL.iter().filter(floats).enumerate() {
                    let decl = Decl::ALL[n % Decl::ALL.len()];
                    let rule = model.rule(row.op, &Slot::plain(decl), model.storage(decl)).0;
                    let (operation, note) = operation(row.op, &rule, engine);
                    compiled += usize::from(note.is_none());
                    let mut runner = operation.runner();
                    for lanes in [1, 6, 64, 515] {
                        let rows: Vec<Vec<u64>> = (0..row.args.len())
                            .map(|_| (0..lanes).map(|_| word(random.word(), &rule)).collect())
                            .collect();
                        let args: Vec<&[u64]> = rows.iter().map(Vec::as_slice).collect();
                        let mut out = vec![0; lanes];
                        runner.run(&args, &mut out);
                        if lanes % 4 == 0 {
                            let found = runner.run_rows(lanes, |n, low, high| {
                                for (lane, word) in rows[n].iter().enumerate() {
                                    (low[lane], high[lane]) = (*word as u32, (*word >> 32) as u32);
                                }
                            });
                            assert_eq!(found.to_words()[..lanes], out, "{} in rows, {engine}", row.name);
                        }
                        for lane in 0..lanes {
                            let words: Vec<u64> = rows.iter().map(|row| row[lane]).collect();
                            let wanted = eval(row.op, &rule, &words);
                            assert_eq!(
                                out[lane],
                                wanted,
                                "{} {decl} {} of {words:x?}, {engine}",
                                row.name,
                                model.label()
                            );
                        }
                    }
                }
            }
        }
        assert!(compiled > 150 || !Engine::has_machine_code(), "{compiled}");
    }
}
