//! Working memory of a run, kept from batch to batch.

use crate::mask::words_for;
use crate::program::{Bytecode, Row, Uniform};
use parallax_core::exec::Inputs;

/// Working memory for [`Bytecode::run_with`]. One per thread; it may serve any program and any number of lanes, and is
/// refilled when they change.
#[derive(Debug, Default)]
pub struct Scratch {
    /// Bytecode the rows below are filled for.
    program: u64,
    /// Lanes a row has room for.
    pub(crate) stride: usize,
    /// Rows, `stride` words each.
    pub(crate) arena: Vec<u64>,
    /// Array elements, one row each.
    pub(crate) arrays: Vec<u64>,
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
        if self.program != program.id || self.stride < lanes {
            self.program = program.id;
            self.stride = lanes;
            self.arena.clear();
            self.arena.resize(program.row_count as usize * lanes, 0);
            self.arrays.clear();
            self.arrays.resize(program.array_rows * lanes, 0);
            self.constants.clear();
            self.constants.resize(program.uniforms.len(), None);
            for &(row, uniform) in &program.uniforms {
                if let Uniform::Word(word) = uniform {
                    self.row_mut(row).fill(word);
                }
            }
        } else {
            self.arrays.fill(0);
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
        self.exec.extend((0..words).map(|w| crate::mask::full_word(lanes, w)));
        self.covered.clear();
        self.covered.resize(words, 0);
        for (lane, _) in inputs.covered.iter().take(lanes).enumerate().filter(|&(_, &c)| c) {
            self.covered[lane / 64] |= 1 << (lane % 64);
        }
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
            let mut word = [u64::from(raw)];
            if let Some(kernel) = cvt {
                program.kernels[kernel as usize].run(&[&[u64::from(raw)]], &mut word);
            }
            self.row_mut(row).fill(word[0]);
        }
    }

    fn row_mut(&mut self, row: Row) -> &mut [u64] {
        let start = row as usize * self.stride;
        &mut self.arena[start..start + self.stride]
    }
}
