//! Working memory of a run, kept from batch to batch.

use crate::arena::Arena;
use crate::mask::{self, words_for};
use crate::program::{Bytecode, Uniform};
use parallax_core::exec::Inputs;

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
    pub(crate) dry: Vec<u64>,
    /// Back edges left, per lane.
    pub(crate) fuel: Vec<u32>,
    /// Raw word each constant row was last filled from.
    constants: Vec<Option<u32>>,
}

impl Scratch {
    /// Gets everything ready for one batch.
    pub(crate) fn prepare(&mut self, program: &Bytecode, inputs: &Inputs<'_>) {
        let lanes = inputs.lanes;
        if self.program != program.id || self.arena.stride < lanes {
            self.program = program.id;
            self.arena.reset(program.row_counts, lanes);
            self.constants.clear();
            self.constants.resize(program.uniforms.len(), None);
            for &(row, uniform) in &program.uniforms {
                if let Uniform::Word(word) = uniform {
                    self.arena.row_mut(row, 0..lanes).fill(word);
                }
            }
        } else {
            for array in program.arrays.iter().filter(|array| array.is_touched) {
                for element in 0..array.len {
                    self.arena.row_mut(array.element(element), 0..lanes).fill(0);
                }
            }
        }
        self.fill_constants(program, inputs);

        let words = words_for(lanes);
        self.mask_words = words;
        // Masks of control ops are set before they are read.
        self.masks.resize(program.mask_count as usize * words, 0);
        self.pred.resize(words, 0);
        self.dry.clear();
        self.dry.resize(words, 0);
        self.exec.clear();
        self.exec.extend((0..words).map(|w| mask::full_word(lanes, w)));
        self.covered.clear();
        self.covered.resize(words, 0);
        mask::from_flags(&inputs.covered[..lanes.min(inputs.covered.len())], &mut self.covered);
        self.fuel.clear();
        self.fuel.resize(lanes, inputs.fuel);
    }

    /// Constants rarely change between batches: rows are refilled only where the word did.
    fn fill_constants(&mut self, program: &Bytecode, inputs: &Inputs<'_>) {
        for (at, &(row, uniform)) in program.uniforms.iter().enumerate() {
            let Uniform::Const { bank, index, comp, cvt } = uniform else { continue };
            let vector = inputs.banks.get(bank as usize).and_then(|b| b.get(index as usize));
            let raw = vector.map_or(0, |v| v[comp as usize]);
            if self.constants[at] == Some(raw) {
                continue;
            }
            self.constants[at] = Some(raw);
            let raw = u64::from(raw);
            let word = cvt.map_or(raw, |kernel| program.kernels[kernel as usize].eval(&[raw]));
            // Also the lanes beyond this batch: the next may be longer.
            self.arena.row_mut(row, 0..self.arena.stride).fill(word);
        }
    }
}
