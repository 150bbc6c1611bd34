//! Ops that neither hold regions nor end them.

use super::Run;
use crate::arena::Others;
use crate::mask::{Bits, Mask, copy_row_masked};
use crate::program::{Inst, KernelId, Lookup, PlaceRows, Row, TEMP_TEXELS};
use parallax_core::exec::{Inputs, InterpolateAt, Memory, TexRows};
use parallax_core::{Axis, SysVal};
use parallax_num::{self as num, RowMut, Width};
use smallvec::SmallVec;

/// Does the same with the words of rows whatever their width, which is that of one type of value.
macro_rules! same_width {
    ($out:expr, $($row:expr),+; |$to:ident, $($from:ident),+| $body:expr) => {
        match ($out, $($row),+) {
            (RowMut::U8($to), $(num::Row::U8($from)),+) => $body,
            (RowMut::U16($to), $(num::Row::U16($from)),+) => $body,
            (RowMut::U32($to), $(num::Row::U32($from)),+) => $body,
            (RowMut::U64($to), $(num::Row::U64($from)),+) => $body,
            _ => unreachable!("operands and results of one type have one width"),
        }
    };
}

/// The samples a lane shades, as [`Inst::DiscardSamples`] counts them.
fn shaded_samples(inputs: &Inputs<'_>, lane: usize) -> u32 {
    let value = |value: SysVal| inputs.sysvals.get(value as usize * inputs.lanes + lane).copied();
    match value(SysVal::SampleShading) {
        None => u32::from(inputs.covered.get(lane).copied().unwrap_or(false)),
        Some(0) => value(SysVal::SampleMask).unwrap_or(0),
        Some(_) => 1,
    }
}

impl Run<'_> {
    /// Fills a row from a lane number, through a conversion if there is one.
    fn fill(&mut self, out: Row, cvt: Option<KernelId>, word: impl Fn(&Others<'_>, usize) -> u32) {
        let start = self.start;
        let target = if cvt.is_some() { Row::temp(Width::W32, 0) } else { out };
        let (row, others) = self.split(target);
        match row {
            RowMut::U32(row) => row.iter_mut().enumerate().for_each(|(n, slot)| *slot = word(&others, start + n)),
            mut row => (0..row.len()).for_each(|n| row.set(n, u64::from(word(&others, start + n)))),
        }
        if let Some(cvt) = cvt {
            self.kernel(cvt, &[target], out);
        }
    }

    /// An attribute component, straight from where the caller has it.
    fn attribute(&mut self, plane: u32, cvt: Option<KernelId>, out: Row) {
        let (lanes, program, inputs) = (self.inputs.lanes, self.program, self.inputs);
        let at = plane as usize * lanes;
        let Some(words) = inputs.attrs.get(at + self.start..at + self.end) else {
            // Inputs that are too short read as zero bits.
            return self.fill(out, cvt, |_, lane| inputs.attrs.get(at + lane).copied().unwrap_or(0));
        };
        let (row, _) = self.split(out);
        match (cvt, row) {
            (Some(cvt), row) => program.kernels[cvt as usize].run_rows(&[num::Row::U32(words)], row),
            (None, RowMut::U32(row)) => row.copy_from_slice(words),
            (None, mut row) => words.iter().enumerate().for_each(|(n, &word)| row.set(n, u64::from(word))),
        }
    }

    /// Ops that neither hold regions nor end them.
    pub(super) fn plain(&mut self, inst: Inst) {
        let program = self.program;
        let inputs = self.inputs;
        let (lanes, start) = (inputs.lanes, self.start);
        match inst {
            Inst::Num { kernel, args, out } => self.kernel(kernel, &program.rows[args.range()], out),
            Inst::Uniform { .. } => {}
            Inst::Select { pred, a, b, out } => {
                let (out, others) = self.split(out);
                let pred = others.row(pred);
                same_width!(out, others.row(a), others.row(b); |out, a, b| select(pred, a, b, out));
            }
            Inst::Attr { plane, cvt, out } => self.attribute(plane, cvt, out),
            Inst::AttrPlace { attr, comp, place, cvt, out } => {
                let (attr, comp) = (usize::from(attr), usize::from(comp));
                self.fill(out, cvt, |others, lane| {
                    let word = |row: Row| others.row(row).get(lane - start) as u32;
                    let place = match place {
                        PlaceRows::Sample(number) => InterpolateAt::Sample(word(number)),
                        PlaceRows::Offset(x, y) => InterpolateAt::Offset([word(x), word(y)]),
                        PlaceRows::Centroid => InterpolateAt::Centroid,
                    };
                    let given = || inputs.attrs.get((attr * 4 + comp) * lanes + lane).copied();
                    inputs.interpolator.at(attr, comp, lane, place).or_else(given).unwrap_or(0)
                });
            }
            Inst::AttrAt { base, comp, index, cvt, out } => {
                let count = program.attrs;
                self.fill(out, cvt, |others, lane| {
                    let attr = i64::from(base) + i64::from(others.row(index).get(lane - start) as u32 as i32);
                    let attr = usize::try_from(attr).ok().filter(|&a| a < count);
                    let at = attr.map(|a| (a * 4 + comp as usize) * lanes + lane);
                    at.and_then(|at| inputs.attrs.get(at)).copied().unwrap_or(0)
                });
            }
            Inst::ConstAt { bank, base, comp, index, cvt, out } => {
                let bank = inputs.banks.get(bank as usize).copied().unwrap_or(&[]);
                self.fill(out, cvt, |others, lane| {
                    let vector = i64::from(base) + i64::from(others.row(index).get(lane - start) as u32 as i32);
                    let vector = usize::try_from(vector).ok().and_then(|v| bank.get(v));
                    vector.map_or(0, |v| v[comp as usize])
                });
            }
            Inst::SamplePosition { axis, index, out } => {
                let positions = inputs.interpolator.positions();
                let axis = match axis {
                    Axis::X => 0,
                    Axis::Y => 1,
                };
                self.fill(out, None, |others, lane| {
                    let position = positions.get(others.row(index).get(lane - start) as u32 as usize);
                    position.map_or(0, |p| i32::from(p[axis]) as u32)
                });
            }
            Inst::Sys { value, out } => self.fill(out, None, |_, lane| match value {
                SysVal::HelperLane => {
                    if inputs.covered.get(lane).copied().unwrap_or(false) {
                        0
                    } else {
                        u32::MAX
                    }
                }
                SysVal::QuadLane => (lane & 3) as u32,
                given => inputs.sysvals.get(given as usize * lanes + lane).copied().unwrap_or(0),
            }),
            Inst::Deriv { axis, fine, kernel, arg, out } => {
                // Lanes of the minuend and of the subtrahend.
                let (high, low) = match (axis, fine) {
                    (Axis::X, true) => ([1, 1, 3, 3], [0, 0, 2, 2]),
                    (Axis::X, false) => ([3; 4], [2; 4]),
                    (Axis::Y, true) => ([2, 3, 2, 3], [0, 1, 0, 1]),
                    (Axis::Y, false) => ([2; 4], [0; 4]),
                };
                let [first, second] = [0, 1].map(|n| Row::temp(arg.width, n));
                self.permute(arg, first, high);
                self.permute(arg, second, low);
                self.kernel(kernel, &[first, second], out);
            }
            Inst::QuadXor { mask, arg, out } => {
                self.permute(arg, out, [0, 1, 2, 3].map(|lane| lane ^ mask as usize));
            }
            Inst::QuadShuffle { arg, index, out } => {
                let (out, others) = self.split(out);
                let index = others.row(index);
                same_width!(out, others.row(arg); |out, arg| {
                    for (quad, (out, arg)) in out.chunks_exact_mut(4).zip(arg.chunks_exact(4)).enumerate() {
                        for (lane, out) in out.iter_mut().enumerate() {
                            *out = arg[(index.get(quad * 4 + lane) & 3) as usize];
                        }
                    }
                });
            }
            Inst::QuadVote { all, arg, out } => self.vote(all, arg, out),
            Inst::Tex { tex } => self.lookup(&program.lookups[tex as usize]),
            Inst::ArrayLoad { array, index, out } => {
                let array = program.arrays[array as usize];
                let (mut row, others) = self.split(out);
                let index = others.row(index);
                for lane in 0..row.len() {
                    let index = index.get(lane);
                    let inside = index < u64::from(array.len);
                    row.set(lane, if inside { others.row(array.element(index as u32)).get(lane) } else { 0 });
                }
            }
            Inst::ArrayStore { array, index, value } => {
                let array = program.arrays[array as usize];
                let arena = &mut self.scratch.arena;
                for lane in Mask::new(&self.scratch.exec).lanes() {
                    let index = arena.word(index, lane);
                    if index < u64::from(array.len) {
                        let word = arena.word(value, lane);
                        arena.set(array.element(index as u32), lane, word);
                    }
                }
            }
            Inst::BufferLoad { buffer, address, out } => {
                let memory = std::mem::replace(&mut self.memory, Memory::NONE);
                self.fill(out, None, |others, lane| memory.load(buffer, others.row(address).get(lane - start) as u32));
                self.memory = memory;
            }
            Inst::BufferSize { buffer, out } => {
                let size = self.memory.size(buffer);
                self.fill(out, None, |_, _| size);
            }
            Inst::BufferStore { buffer, address, value } => {
                let arena = &self.scratch.arena;
                let word = |row: Row, lane: usize| arena.word(row, lane) as u32;
                let acting = self.scratch.exec.iter().zip(&self.scratch.covered).map(|(exec, covered)| exec & covered);
                for lane in acting.enumerate().flat_map(|(w, bits)| Bits(bits).map(move |bit| w * 64 + bit)) {
                    self.memory.store(buffer, word(address, lane), word(value, lane));
                }
            }
            Inst::Atomic { op, buffer, address, operand, second, out } => {
                self.fill(out, None, |_, _| 0);
                let arena = &mut self.scratch.arena;
                let acting = self.scratch.exec.iter().zip(&self.scratch.covered).map(|(exec, covered)| exec & covered);
                for lane in acting.enumerate().flat_map(|(w, bits)| Bits(bits).map(move |bit| w * 64 + bit)) {
                    let word = |row: Row| arena.word(row, lane) as u32;
                    let old = self.memory.atomic(op, buffer, word(address), word(operand), word(second));
                    arena.set(out, lane, u64::from(old));
                }
            }
            Inst::Out { plane, value } => {
                let row = self.scratch.arena.row(value, 0..lanes);
                if let Some(plane) = self.outputs.planes.get_mut(plane as usize).filter(|p| p.len() == lanes) {
                    copy_row_masked(&self.scratch.exec, row, plane.as_row_mut());
                }
            }
            Inst::Discard { pred } => {
                self.pred_mask(pred);
                for ((covered, exec), pred) in
                    self.scratch.covered.iter_mut().zip(&self.scratch.exec).zip(&self.scratch.pred)
                {
                    *covered &= !(exec & pred);
                }
            }
            Inst::DiscardSamples { mask } => {
                let arena = &self.scratch.arena;
                for lane in Mask::new(&self.scratch.exec).lanes() {
                    let discarded = &mut self.outputs.discarded[lane];
                    let left = shaded_samples(inputs, lane) & !*discarded;
                    *discarded |= arena.word(mask, lane) as u32;
                    if left != 0 && left & !*discarded == 0 {
                        self.scratch.covered[lane / 64] &= !(1 << (lane % 64));
                    }
                }
            }
            Inst::End
            | Inst::If { .. }
            | Inst::Else { .. }
            | Inst::Block { .. }
            | Inst::Loop { .. }
            | Inst::Again { .. }
            | Inst::Join { .. }
            | Inst::Leave { .. }
            | Inst::Continue { .. } => {}
        }
    }

    /// Lane `l` of each quad takes the value of its lane `from[l]`.
    fn permute(&mut self, arg: Row, out: Row, from: [usize; 4]) {
        let (out, others) = self.split(out);
        same_width!(out, others.row(arg); |out, arg| {
            for (out, arg) in out.chunks_exact_mut(4).zip(arg.chunks_exact(4)) {
                for (out, from) in out.iter_mut().zip(from) {
                    *out = arg[from];
                }
            }
        });
    }

    fn vote(&mut self, all: bool, arg: Row, out: Row) {
        let start = self.start;
        let exec = std::mem::take(&mut self.scratch.exec);
        let (mut out, others) = self.split(out);
        let arg = others.row(arg);
        for quad in (0..out.len()).step_by(4) {
            let first = start + quad;
            let lanes = exec[first / 64] >> (first % 64) & 0xf;
            let holds = (0..4).fold(0, |m, lane| m | (arg.get(quad + lane) & 1) << lane);
            let vote = if all { lanes & !holds == 0 } else { lanes & holds != 0 };
            out.part(quad, quad + 4).fill(u64::from(vote));
        }
        self.scratch.exec = exec;
    }

    fn lookup(&mut self, lookup: &Lookup) {
        let mut rows: SmallVec<[Row; 10]> = SmallVec::new();
        for (n, &(row, cvt)) in lookup.args.iter().enumerate() {
            match cvt {
                Some(kernel) => {
                    let converted = Row::temp(Width::W32, n as u32);
                    self.kernel(kernel, &[row], converted);
                    rows.push(converted);
                }
                None => rows.push(row),
            }
        }
        let end = self.end;
        let mut start = self.start;
        while start < end {
            // Quads side by side in which a lane executes.
            let executes = |quad: usize| self.scratch.exec[quad / 64] >> (quad % 64) & 0xf != 0;
            if !executes(start) {
                start += 4;
                continue;
            }
            let mut stop = start + 4;
            while stop < end && executes(stop) {
                stop += 4;
            }
            let (mut texels, others) = self.scratch.arena.split_four(TEMP_TEXELS, start..stop);
            let row = |n: usize| match rows.get(n).map(|&row| others.row(row)) {
                Some(num::Row::U32(words)) => words,
                _ => &[],
            };
            self.inputs.textures.sample_rows(&lookup.op, &TexRows::of(&lookup.op, row), &mut texels);
            start = stop;
        }
        for (comp, &out) in lookup.outs.iter().enumerate() {
            self.kernel(lookup.cvt, &[texel_row(comp)], out);
        }
    }
}

/// Temporary row of a component of texture results.
fn texel_row(comp: usize) -> Row {
    Row::temp(Width::W32, TEMP_TEXELS + comp as u32)
}

/// `a` in lanes whose predicate is odd, else `b`.
fn select<T: std::marker::Copy>(pred: num::Row<'_>, a: &[T], b: &[T], out: &mut [T]) {
    match pred {
        num::Row::U8(pred) => {
            for (((out, &pred), &a), &b) in out.iter_mut().zip(pred).zip(a).zip(b) {
                *out = if pred & 1 != 0 { a } else { b };
            }
        }
        other => unreachable!("a predicate has 8 bits: {other:?}"),
    }
}
