//! Working memory of a run, kept from batch to batch.

use crate::arena::{Arena, BLOCK};
use crate::exec::call;
use crate::mask::{self, words_for};
use crate::program::{Bytecode, Inst, Uniform};
use crate::steps;
use parallax_core::exec::Inputs;
use parallax_num::Processor;

/// Working memory for [`Bytecode::run_with`]. One per thread; it may serve any program and any number of lanes, and is
/// refilled when they change.
#[derive(Debug, Default)]
pub struct Scratch {
    /// Bytecode the rows below are filled for.
    program: u64,
    pub(crate) arena: Arena,
    /// Masks of control ops, `mask_words` words each.
    pub(crate) masks: Vec<u64>,
    pub(crate) mask_words: usize,
    /// Executing lanes.
    pub(crate) exec: Vec<u64>,
    /// Covered lanes.
    pub(crate) covered: Vec<u64>,
    /// A predicate as mask.
    pub(crate) pred: Vec<u64>,
    /// Lanes that ran out of fuel.
    pub(crate) out_of_fuel: Vec<u64>,
    /// Back edges left, per lane.
    pub(crate) fuel: Vec<u32>,
    /// Rows that a trace is told of.
    pub(crate) told: Vec<Vec<u64>>,
    /// Raw word each constant row was last filled from.
    constants: Vec<Option<u32>>,
}

impl Scratch {
    /// Gets everything ready for one batch.
    pub(crate) fn prepare(&mut self, program: &Bytecode, inputs: &Inputs<'_>, processor: Processor) {
        let lanes = inputs.lanes;
        let is_new = self.program != program.id || self.arena.lanes() < lanes;
        if is_new {
            self.program = program.id;
            self.arena.reset(program.row_counts, lanes.div_ceil(BLOCK));
            self.constants.clear();
            self.constants.resize(program.uniforms.len(), None);
            for &(row, uniform) in &program.uniforms {
                if let Uniform::Word(word) = uniform {
                    self.arena.fill(row, word);
                }
            }
        } else {
            for array in program.arrays.iter().filter(|array| array.is_touched) {
                for element in 0..array.len {
                    self.arena.fill(array.element(element), 0);
                }
            }
        }
        if self.fill_constants(program, inputs) || is_new {
            self.prologue(program, processor);
        }

        let words = words_for(lanes);
        self.mask_words = words;
        // Masks of control ops are set before they are read.
        self.masks.resize(program.mask_count as usize * words, 0);
        self.pred.resize(words, 0);
        self.out_of_fuel.clear();
        self.out_of_fuel.resize(words, 0);
        self.exec.clear();
        self.exec.extend((0..words).map(|w| mask::full_word(lanes, w)));
        self.covered.clear();
        self.covered.resize(words, 0);
        mask::from_flags(&inputs.covered[..lanes.min(inputs.covered.len())], &mut self.covered);
        self.fuel.clear();
        self.fuel.resize(lanes, inputs.fuel);
    }

    /// Constants rarely change between batches: rows are refilled only where the word did. Whether any did.
    fn fill_constants(&mut self, program: &Bytecode, inputs: &Inputs<'_>) -> bool {
        let mut changed = false;
        for (at, &(row, uniform)) in program.uniforms.iter().enumerate() {
            let Uniform::Const { bank, index, comp } = uniform else { continue };
            let vector = inputs.banks.get(bank as usize).and_then(|b| b.get(index as usize));
            let raw = vector.map_or(0, |v| v[comp as usize]);
            if self.constants[at] != Some(raw) {
                self.constants[at] = Some(raw);
                changed = true;
                // Also the lanes beyond this batch: the next may be longer.
                self.arena.fill(row, raw.into());
            }
        }
        changed
    }

    /// Computes what follows of constants: one block, then the others from its first lane.
    fn prologue(&mut self, program: &Bytecode, processor: Processor) {
        let arena = &mut self.arena;
        for inst in &program.prologue {
            match *inst {
                Inst::Steps(span) => {
                    let steps = &program.steps[span.range()];
                    steps::run(steps, arena, &(0..1), program.nans, processor);
                }
                Inst::Call { call: number, slow, args, out } => {
                    let word = match slow {
                        Some((mask, value)) if arena.words::<u8>(mask)[0] == 0 => arena.word(value, 0),
                        _ => call(&program.calls[number as usize], &program.rows[args.range()], arena, 0),
                    };
                    arena.fill(out, word);
                }
                _ => {}
            }
        }
        for &row in &program.prologue_rows {
            let word = arena.word(row, 0);
            arena.fill(row, word);
        }
    }
}
