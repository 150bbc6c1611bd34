//! One operation over rows of lanes, by the engine in use.

use crate::engine::Engine;
use parallax_core::backend::{Executable, Runner};
use parallax_core::exec::{Inputs, Memory, NoInterpolator, NoTextures, Outputs, Plane};
use parallax_num::{Op, Rule};
use parallax_x86::MachineCode;

/// An operation under a rule as machine code.
#[derive(Debug)]
pub struct Operation {
    program: Box<dyn Executable>,
    operands: usize,
}

/// Most lanes of a batch.
const BATCH: usize = 512;

impl Operation {
    /// Compiles an operation for the engine in use. `None` where that is the interpreter, whose way with rows of lanes is
    /// [`parallax_num::Kernel`].
    ///
    /// # Errors
    /// Why there is no machine code: the operation has no step program under the rule, or what the host lacks.
    pub fn compile(op: Op, rule: &Rule) -> Option<Result<Operation, String>> {
        Operation::compile_for(op, rule, Engine::current())
    }

    /// The same for one engine, whatever the current one is.
    pub fn compile_for(op: Op, rule: &Rule, engine: Engine) -> Option<Result<Operation, String>> {
        if engine == Engine::Interp {
            return None;
        }
        let made = MachineCode { level: engine.level(), ..MachineCode::BEST }.operation(op, rule);
        let operands = op.info().args.len();
        Some(made.map(|program| Operation { program, operands }).map_err(|reason| reason.0))
    }

    /// Something that runs it, with working memory of its own: one per thread.
    pub fn runner(&self) -> OperationRunner<'_> {
        let attrs = vec![0; self.operands * 4 * BATCH];
        OperationRunner { runner: self.program.runner(), attrs, outputs: Outputs::default() }
    }
}

/// Runs an [`Operation`].
pub struct OperationRunner<'a> {
    runner: Box<dyn Runner + 'a>,
    attrs: Vec<u32>,
    outputs: Outputs,
}

impl OperationRunner<'_> {
    /// Evaluates every lane, as [`parallax_num::eval`] does: `args[k][lane]` are the operands; all rows are as long as `out`.
    pub fn run(&mut self, args: &[&[u64]], out: &mut [u64]) {
        let mut at = 0;
        for out in out.chunks_mut(BATCH) {
            // Whole quads; what fills up the last one is nobody's.
            let lanes = out.len().next_multiple_of(4);
            for (row, planes) in args.iter().zip(self.attrs.chunks_exact_mut(4 * lanes)) {
                let (low, high) = planes.split_at_mut(lanes);
                for ((word, low), high) in row[at..at + out.len()].iter().zip(low).zip(high) {
                    (*low, *high) = (*word as u32, (*word >> 32) as u32);
                }
            }
            let inputs = Inputs {
                lanes,
                attrs: &self.attrs[..args.len() * 4 * lanes],
                banks: &[],
                sysvals: &[],
                covered: &[true; BATCH][..lanes],
                textures: &NoTextures,
                interpolator: &NoInterpolator,
                fuel: 0,
            };
            self.runner.run(&inputs, Memory::NONE, &mut self.outputs);
            match self.outputs.planes.first() {
                Some(Plane::U32(words)) => out.iter_mut().zip(words).for_each(|(out, &word)| *out = word.into()),
                Some(Plane::U64(words)) => out.iter_mut().zip(words).for_each(|(out, &word)| *out = word),
                // Results are patterns of 32 or 64 bits.
                _ => out.fill(0),
            }
            at += out.len();
        }
    }
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
                    let Some(Ok(operation)) = Operation::compile_for(row.op, &rule, engine) else { continue };
                    compiled += 1;
                    let mut runner = operation.runner();
                    for lanes in [1, 6, 64, BATCH + 3] {
                        let rows: Vec<Vec<u64>> = (0..row.args.len())
                            .map(|_| (0..lanes).map(|_| word(random.word(), &rule)).collect())
                            .collect();
                        let args: Vec<&[u64]> = rows.iter().map(Vec::as_slice).collect();
                        let mut out = vec![0; lanes];
                        runner.run(&args, &mut out);
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
        assert!(compiled > 50 || !Engine::has_machine_code(), "{compiled}");
    }
}
