//! The instruction loop.

mod plain;
mod report;
mod workgroup;

pub(crate) use plain::call;

use crate::arena::{BLOCK, Row, each_width};
use crate::mask::{self, Bits, Mask, copy_masked};
use crate::program::{Bytecode, Copy, Inst, MaskSlot, Pc, Span};
use crate::steps;
use crate::{Event, Scratch, Trace};
use parallax_core::OpId;
use parallax_core::exec::{Inputs, Memory, Outputs, PlaneType};
use parallax_num::Processor;
use std::ops::Range;

/// A run under way.
struct Run<'a> {
    program: &'a Bytecode,
    inputs: &'a Inputs<'a>,
    scratch: &'a mut Scratch,
    outputs: &'a mut Outputs,
    memory: Memory<'a>,
    processor: Processor,
    /// Lanes from the first to the last executing quad.
    start: usize,
    end: usize,
}

pub(crate) fn run(
    program: &Bytecode,
    inputs: &Inputs<'_>,
    memory: Memory<'_>,
    scratch: &mut Scratch,
    outputs: &mut Outputs,
    trace: &mut dyn Trace,
) {
    assert!(inputs.lanes.is_multiple_of(4), "a batch consists of whole quads");
    let processor = Processor::best();
    scratch.prepare(program, inputs, processor);
    outputs.planes.resize_with(program.planes.len(), Default::default);
    for (plane, ty) in outputs.planes.iter_mut().zip(&program.planes) {
        plane.reset(ty.map_or(0, PlaneType::bits), if ty.is_some() { inputs.lanes } else { 0 });
    }
    outputs.discarded.clear();
    outputs.discarded.resize(inputs.lanes, 0);
    outputs.missed_barrier.clear();
    // Subgroups that write memory run one after the other.
    let step = if program.serial { program.subgroup as usize } else { inputs.lanes.max(4) };
    let mut run = Run { program, inputs, scratch, outputs, memory, processor, start: 0, end: 0 };
    if program.waits {
        run.run_workgroup(trace);
    }
    for start in (0..if program.waits { 0 } else { inputs.lanes }).step_by(step) {
        (run.start, run.end) = (start, inputs.lanes.min(start + step));
        if program.serial {
            mask::set_part(&mut run.scratch.exec, start, u128::MAX >> (128 - (run.end - start)));
        }
        run.run(0, trace);
    }
    mask::to_flags(&scratch.covered, inputs.lanes, &mut outputs.covered);
    mask::to_flags(&scratch.out_of_fuel, inputs.lanes, &mut outputs.out_of_fuel);
}

/// Blocks that hold lanes.
fn blocks(lanes: Range<usize>) -> Range<usize> {
    lanes.start / BLOCK..lanes.end.div_ceil(BLOCK)
}

impl<'a> Run<'a> {
    /// Runs from an instruction on: to the end, or to a barrier; then gives the instruction behind it.
    fn run(&mut self, pc: Pc, trace: &mut dyn Trace) -> Option<Pc> {
        let program = self.program;
        let mut pc = pc as usize;
        while let Some(&inst) = program.code.get(pc) {
            pc += 1;
            match inst {
                Inst::End => return None,
                Inst::Barrier => return Some(pc as Pc),
                Inst::Steps(span) => {
                    let steps = &program.steps[span.range()];
                    let (arena, blocks) = (&mut self.scratch.arena, blocks(self.start..self.end));
                    steps::run(steps, arena, &blocks, program.nans, self.processor);
                }
                Inst::If { pred, other, joined, else_pc, copies, place } => {
                    self.initialise(place.op, copies, trace);
                    self.pred_mask(pred);
                    let words = self.scratch.mask_words;
                    for w in 0..words {
                        let exec = self.scratch.exec[w];
                        self.scratch.exec[w] = exec & self.scratch.pred[w];
                        self.scratch.masks[other as usize * words + w] = exec & !self.scratch.pred[w];
                        self.scratch.masks[joined as usize * words + w] = 0;
                    }
                    if !self.focus() {
                        pc = else_pc as usize;
                    } else {
                        self.entered(place, trace);
                    }
                }
                Inst::Else { other, end_pc, place } => {
                    self.load_exec(other);
                    if !self.focus() {
                        pc = end_pc as usize;
                    } else {
                        self.entered(place, trace);
                    }
                }
                Inst::Block { joined, copies, place } => {
                    self.clear_mask(joined);
                    self.initialise(place.op, copies, trace);
                    self.entered(place, trace);
                }
                Inst::Loop { next, joined, copies, place } => {
                    self.clear_mask(next);
                    self.clear_mask(joined);
                    self.initialise(place.op, copies, trace);
                    self.entered(place, trace);
                }
                Inst::Again { next, body_pc, copies, place } => {
                    self.load_exec(next);
                    if self.focus() {
                        self.clear_mask(next);
                        self.assign(place.op, copies, trace);
                        pc = body_pc as usize;
                        self.entered(place, trace);
                    }
                }
                Inst::Join { joined, skip_pc, op } => {
                    self.load_exec(joined);
                    if !self.focus() {
                        pc = skip_pc as usize;
                    } else {
                        trace.event(Event::Join { op, exec: Mask::new(&self.scratch.exec) });
                    }
                }
                Inst::Leave { joined, copies, op } => {
                    trace.event(Event::Leave { op, exec: Mask::new(&self.scratch.exec) });
                    self.assign(op, copies, trace);
                    let words = self.scratch.mask_words;
                    for w in 0..words {
                        self.scratch.masks[joined as usize * words + w] |= std::mem::take(&mut self.scratch.exec[w]);
                    }
                }
                Inst::Continue { next, joined, cost, copies, op } => {
                    trace.event(Event::Leave { op, exec: Mask::new(&self.scratch.exec) });
                    self.burn_fuel(joined, cost);
                    self.assign(op, copies, trace);
                    let words = self.scratch.mask_words;
                    for w in 0..words {
                        self.scratch.masks[next as usize * words + w] |= std::mem::take(&mut self.scratch.exec[w]);
                    }
                }
                Inst::Trace { op, args, results } => self.report(op, args, results, trace),
                plain => self.plain(plain),
            }
        }
        None
    }

    // Masks.

    fn clear_mask(&mut self, slot: MaskSlot) {
        let words = self.scratch.mask_words;
        self.scratch.masks[slot as usize * words..][..words].fill(0);
    }

    fn load_exec(&mut self, slot: MaskSlot) {
        let words = self.scratch.mask_words;
        self.scratch.exec.copy_from_slice(&self.scratch.masks[slot as usize * words..][..words]);
    }

    /// Limits work to the executing quads; false when there are none.
    fn focus(&mut self) -> bool {
        match mask::quad_span(&self.scratch.exec) {
            Some((start, end)) => {
                (self.start, self.end) = (start, end);
                true
            }
            None => false,
        }
    }

    /// The predicate of every lane as a mask.
    fn pred_mask(&mut self, pred: u32) {
        let row = &self.scratch.arena.words::<u8>(pred)[..self.inputs.lanes];
        mask::from_row(row, &mut self.scratch.pred);
    }

    /// Takes what a back edge costs from every executing lane; those with too little fuel lose it and go to `joined` instead.
    fn burn_fuel(&mut self, joined: MaskSlot, cost: u32) {
        let words = self.scratch.mask_words;
        for w in 0..words {
            let mut empty = 0;
            for bit in Bits(self.scratch.exec[w]) {
                let fuel = &mut self.scratch.fuel[w * 64 + bit];
                match fuel.checked_sub(cost) {
                    Some(left) => *fuel = left,
                    None => {
                        *fuel = 0;
                        empty |= 1 << bit;
                    }
                }
            }
            self.scratch.exec[w] &= !empty;
            self.scratch.out_of_fuel[w] |= empty;
            self.scratch.masks[joined as usize * words + w] |= empty;
        }
    }

    // Rows.

    /// Copies in the executing lanes.
    fn assign(&mut self, op: OpId, copies: Span, trace: &mut dyn Trace) {
        let program = self.program;
        for &Copy { from, to, value } in &program.copies[copies.range()] {
            let Scratch { arena, exec, .. } = &mut *self.scratch;
            each_width!(to.width, W => {
                let mut row = arena.take::<W>(to.number);
                copy_masked(exec, arena.words::<W>(from.number), row.as_flattened_mut());
                arena.put(to.number, row);
            });
            self.assigned(op, value, to, trace);
        }
    }

    /// Copies in all lanes of the executing quads.
    fn initialise(&mut self, op: OpId, copies: Span, trace: &mut dyn Trace) {
        let program = self.program;
        for &Copy { from, to, value } in &program.copies[copies.range()] {
            self.copy(from, to);
            self.assigned(op, value, to, trace);
        }
    }

    /// Copies in all lanes of the executing quads.
    fn copy(&mut self, from: Row, to: Row) {
        let lanes = self.start..self.end;
        let arena = &mut self.scratch.arena;
        each_width!(to.width, W => {
            let mut row = arena.take::<W>(to.number);
            row.as_flattened_mut()[lanes.clone()].copy_from_slice(&arena.words::<W>(from.number)[lanes]);
            arena.put(to.number, row);
        });
    }
}
