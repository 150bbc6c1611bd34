//! The instruction loop.

mod plain;
mod report;

use crate::arena::Others;
use crate::mask::{self, Bits, Mask, copy_row_masked};
use crate::program::{Bytecode, Copy, Inst, KernelId, MaskSlot, Row, Span};
use crate::{Event, Scratch, Trace};
use parallax_core::OpId;
use parallax_core::exec::{Inputs, Memory, Outputs, PlaneType};
use parallax_num::{self as num, RowMut};

/// Lanes that vector instructions compute together, or a multiple of it.
const GROUP: usize = 64;

/// A run under way.
struct Run<'a> {
    program: &'a Bytecode,
    inputs: &'a Inputs<'a>,
    scratch: &'a mut Scratch,
    outputs: &'a mut Outputs,
    memory: Memory<'a>,
    /// Lanes from the first to the last executing quad.
    start: usize,
    end: usize,
}

pub(crate) fn run<const TRACE: bool>(
    program: &Bytecode,
    inputs: &Inputs<'_>,
    memory: Memory<'_>,
    scratch: &mut Scratch,
    outputs: &mut Outputs,
    trace: &mut dyn Trace,
) {
    assert!(inputs.lanes.is_multiple_of(4), "a batch consists of whole quads");
    scratch.prepare(program, inputs);
    outputs.planes.resize_with(program.planes.len(), Default::default);
    for (plane, ty) in outputs.planes.iter_mut().zip(&program.planes) {
        plane.reset(ty.map_or(0, PlaneType::bits), if ty.is_some() { inputs.lanes } else { 0 });
    }
    outputs.discarded.clear();
    outputs.discarded.resize(inputs.lanes, 0);
    // Quads that write memory run one after the other.
    let step = if program.serial { 4 } else { inputs.lanes.max(4) };
    let mut run = Run { program, inputs, scratch, outputs, memory, start: 0, end: 0 };
    for start in (0..inputs.lanes).step_by(step) {
        if program.serial {
            run.scratch.exec.fill(0);
            run.scratch.exec[start / 64] = 0xf << (start % 64);
        }
        (run.start, run.end) = (start, start + step);
        run.run::<TRACE>(trace);
    }
    mask::to_flags(&scratch.covered, inputs.lanes, &mut outputs.covered);
    mask::to_flags(&scratch.dry, inputs.lanes, &mut outputs.out_of_fuel);
}

impl<'a> Run<'a> {
    fn run<const TRACE: bool>(&mut self, trace: &mut dyn Trace) {
        let program = self.program;
        let mut pc = 0;
        while let Some(&inst) = program.code.get(pc) {
            let op = program.ops[pc];
            pc += 1;
            match inst {
                Inst::End => return,
                Inst::If { pred, other, joined, else_pc, copies, region } => {
                    self.initialise::<TRACE>(op, copies, trace);
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
                    } else if TRACE {
                        trace.event(Event::Enter { op, region, exec: Mask::new(&self.scratch.exec) });
                    }
                }
                Inst::Else { other, end_pc, region } => {
                    self.load_exec(other);
                    if !self.focus() {
                        pc = end_pc as usize;
                    } else if TRACE {
                        trace.event(Event::Enter { op, region, exec: Mask::new(&self.scratch.exec) });
                    }
                }
                Inst::Block { joined, copies, region } => {
                    self.clear_mask(joined);
                    self.initialise::<TRACE>(op, copies, trace);
                    if TRACE {
                        trace.event(Event::Enter { op, region, exec: Mask::new(&self.scratch.exec) });
                    }
                }
                Inst::Loop { next, joined, copies, region } => {
                    self.clear_mask(next);
                    self.clear_mask(joined);
                    self.initialise::<TRACE>(op, copies, trace);
                    if TRACE {
                        trace.event(Event::Enter { op, region, exec: Mask::new(&self.scratch.exec) });
                    }
                }
                Inst::Again { next, body_pc, copies, region } => {
                    self.load_exec(next);
                    if self.focus() {
                        self.clear_mask(next);
                        self.assign::<TRACE>(op, copies, trace);
                        pc = body_pc as usize;
                        if TRACE {
                            trace.event(Event::Enter { op, region, exec: Mask::new(&self.scratch.exec) });
                        }
                    }
                }
                Inst::Join { joined, skip_pc } => {
                    self.load_exec(joined);
                    if !self.focus() {
                        pc = skip_pc as usize;
                    } else if TRACE {
                        trace.event(Event::Join { op, exec: Mask::new(&self.scratch.exec) });
                    }
                }
                Inst::Leave { joined, copies } => {
                    if TRACE {
                        trace.event(Event::Leave { op, exec: Mask::new(&self.scratch.exec) });
                    }
                    self.assign::<TRACE>(op, copies, trace);
                    let words = self.scratch.mask_words;
                    for w in 0..words {
                        self.scratch.masks[joined as usize * words + w] |= std::mem::take(&mut self.scratch.exec[w]);
                    }
                }
                Inst::Continue { next, joined, copies } => {
                    if TRACE {
                        trace.event(Event::Leave { op, exec: Mask::new(&self.scratch.exec) });
                    }
                    self.burn_fuel(joined);
                    self.assign::<TRACE>(op, copies, trace);
                    let words = self.scratch.mask_words;
                    for w in 0..words {
                        self.scratch.masks[next as usize * words + w] |= std::mem::take(&mut self.scratch.exec[w]);
                    }
                }
                plain => {
                    self.plain(plain);
                    if TRACE {
                        self.report(op, plain, trace);
                    }
                }
            }
        }
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
                // Whole groups of lanes are computed sooner than parts of them, and rows may hold anything in other quads.
                let group = if self.program.serial { 4 } else { GROUP };
                self.start = start - start % group;
                self.end = end.next_multiple_of(group).min(self.inputs.lanes);
                true
            }
            None => false,
        }
    }

    /// The predicate of every lane as a mask.
    fn pred_mask(&mut self, pred: Row) {
        match self.scratch.arena.row(pred, 0..self.inputs.lanes) {
            num::Row::U8(row) => mask::from_row(row, &mut self.scratch.pred),
            other => unreachable!("a predicate has 8 bits: {other:?}"),
        }
    }

    /// Takes one back edge from every executing lane; those without fuel go to `joined` instead.
    fn burn_fuel(&mut self, joined: MaskSlot) {
        let words = self.scratch.mask_words;
        for w in 0..words {
            let mut dry = 0;
            for bit in Bits(self.scratch.exec[w]) {
                let fuel = &mut self.scratch.fuel[w * 64 + bit];
                match fuel.checked_sub(1) {
                    Some(left) => *fuel = left,
                    None => dry |= 1 << bit,
                }
            }
            self.scratch.exec[w] &= !dry;
            self.scratch.dry[w] |= dry;
            self.scratch.masks[joined as usize * words + w] |= dry;
        }
    }

    // Rows.

    /// Row `out` for writing, the others for reading, both limited to the executing quads.
    fn split(&mut self, out: Row) -> (RowMut<'_>, Others<'_>) {
        self.scratch.arena.split(out, self.start..self.end)
    }

    /// Copies in the executing lanes.
    fn assign<const TRACE: bool>(&mut self, op: OpId, copies: Span, trace: &mut dyn Trace) {
        let program = self.program;
        let lanes = self.inputs.lanes;
        for &Copy { from, to, value } in &program.copies[copies.range()] {
            let (row, others) = self.scratch.arena.split(to, 0..lanes);
            copy_row_masked(&self.scratch.exec, others.row(from), row);
            if TRACE && let Some(value) = value {
                let row = &self.scratch.arena.row(to, 0..lanes).to_words();
                trace.event(Event::Assign { op, value, exec: Mask::new(&self.scratch.exec), row });
            }
        }
    }

    /// Copies in all lanes of the executing quads.
    fn initialise<const TRACE: bool>(&mut self, op: OpId, copies: Span, trace: &mut dyn Trace) {
        let program = self.program;
        for &Copy { from, to, value } in &program.copies[copies.range()] {
            self.copy(from, to);
            if TRACE && let Some(value) = value {
                let row = &self.scratch.arena.row(to, 0..self.inputs.lanes).to_words();
                trace.event(Event::Assign { op, value, exec: Mask::new(&self.scratch.exec), row });
            }
        }
    }

    /// Copies in all lanes of the executing quads.
    fn copy(&mut self, from: Row, to: Row) {
        let (row, others) = self.split(to);
        match (row, others.row(from)) {
            (RowMut::U8(to), num::Row::U8(from)) => to.copy_from_slice(from),
            (RowMut::U16(to), num::Row::U16(from)) => to.copy_from_slice(from),
            (RowMut::U32(to), num::Row::U32(from)) => to.copy_from_slice(from),
            (RowMut::U64(to), num::Row::U64(from)) => to.copy_from_slice(from),
            (mut to, from) => (0..to.len()).for_each(|lane| to.set(lane, from.get(lane))),
        }
    }

    fn kernel(&mut self, kernel: KernelId, args: &[Row], out: Row) {
        let kernel = &self.program.kernels[kernel as usize];
        let (out, others) = self.split(out);
        // No operation has more operands.
        let mut rows: [num::Row<'_>; 8] = [num::Row::U8(&[]); 8];
        for (row, &arg) in rows.iter_mut().zip(args) {
            *row = others.row(arg);
        }
        kernel.run_rows(&rows[..args.len()], out);
    }
}
