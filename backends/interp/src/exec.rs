//! The instruction loop.

use crate::mask::{self, Bits, Mask, copy_masked};
use crate::program::{Bytecode, Copy, Inst, KernelId, Lookup, MaskSlot, PlaceRows, Row, Span, TEMP_TEXELS};
use crate::{Event, Scratch, Trace};
use parallax_core::exec::{Inputs, InterpolateAt, Memory, Outputs, Plane, PlaneType, TexQuad};
use parallax_core::{AtomicOp, Axis, OpId, SysVal, TexMode};
use smallvec::SmallVec;

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
    let lanes = inputs.lanes;
    let unpack = |words: &[u64], flags: &mut Vec<bool>| {
        flags.clear();
        flags.extend((0..lanes).map(|lane| words[lane / 64] >> (lane % 64) & 1 != 0));
    };
    unpack(&scratch.covered, &mut outputs.covered);
    unpack(&scratch.dry, &mut outputs.out_of_fuel);
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

/// Rows of an arena while one of them is written.
struct Others<'a> {
    left: &'a [u64],
    right: &'a [u64],
    /// Index of the first word of `right` in the arena.
    right_at: usize,
    stride: usize,
    start: usize,
    end: usize,
}

impl<'a> Others<'a> {
    /// The executing part of another row.
    fn row(&self, row: Row) -> &'a [u64] {
        let at = row as usize * self.stride;
        let (words, at) = if at < self.right_at { (self.left, at) } else { (self.right, at - self.right_at) };
        &words[at + self.start..at + self.end]
    }
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
                (self.start, self.end) = (start, end.min(self.inputs.lanes));
                true
            }
            None => false,
        }
    }

    /// The predicate of every lane as a mask.
    fn pred_mask(&mut self, pred: Row) {
        let at = pred as usize * self.scratch.stride;
        mask::from_row(&self.scratch.arena[at..at + self.inputs.lanes], &mut self.scratch.pred);
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
    fn split(&mut self, out: Row) -> (&mut [u64], Others<'_>) {
        let stride = self.scratch.stride;
        let at = out as usize * stride;
        let (left, rest) = self.scratch.arena.split_at_mut(at);
        let (out, right) = rest.split_at_mut(stride);
        let others = Others { left, right, right_at: at + stride, stride, start: self.start, end: self.end };
        (&mut out[self.start..self.end], others)
    }

    fn whole_row(&self, row: Row) -> &[u64] {
        let at = row as usize * self.scratch.stride;
        &self.scratch.arena[at..at + self.inputs.lanes]
    }

    /// Copies in the executing lanes.
    fn assign<const TRACE: bool>(&mut self, op: OpId, copies: Span, trace: &mut dyn Trace) {
        let program = self.program;
        let (stride, lanes) = (self.scratch.stride, self.inputs.lanes);
        for &Copy { from, to, value } in &program.copies[copies.range()] {
            let at = to as usize * stride;
            let (left, rest) = self.scratch.arena.split_at_mut(at);
            let (to_row, right) = rest.split_at_mut(stride);
            let from = from as usize * stride;
            let from_row = if from < at { &left[from..from + lanes] } else { &right[from - at - stride..][..lanes] };
            copy_masked(&self.scratch.exec, from_row, &mut to_row[..lanes], |word| word);
            if TRACE && let Some(value) = value {
                let row = &to_row[..lanes];
                trace.event(Event::Assign { op, value, exec: Mask::new(&self.scratch.exec), row });
            }
        }
    }

    /// Copies in all lanes of the executing quads.
    fn initialise<const TRACE: bool>(&mut self, op: OpId, copies: Span, trace: &mut dyn Trace) {
        let program = self.program;
        for &Copy { from, to, value } in &program.copies[copies.range()] {
            let (to_row, others) = self.split(to);
            to_row.copy_from_slice(others.row(from));
            if TRACE && let Some(value) = value {
                let exec = Mask::new(&self.scratch.exec);
                trace.event(Event::Assign { op, value, exec, row: self.whole_row(to) });
            }
        }
    }

    fn kernel(&mut self, kernel: KernelId, args: &[Row], out: Row) {
        let kernel = &self.program.kernels[kernel as usize];
        let (out, others) = self.split(out);
        // No operation has more operands.
        let mut rows: [&[u64]; 8] = [&[]; 8];
        for (row, &arg) in rows.iter_mut().zip(args) {
            *row = others.row(arg);
        }
        kernel.run(&rows[..args.len()], out);
    }

    /// Fills a row from a lane number, through a conversion if there is one.
    fn fill(&mut self, out: Row, cvt: Option<KernelId>, word: impl Fn(&Others<'_>, usize) -> u32) {
        let start = self.start;
        // Row 0 is a temporary.
        let (row, others) = self.split(if cvt.is_some() { 0 } else { out });
        for (n, slot) in row.iter_mut().enumerate() {
            *slot = u64::from(word(&others, start + n));
        }
        if let Some(cvt) = cvt {
            self.kernel(cvt, &[0], out);
        }
    }

    /// Ops that neither hold regions nor end them.
    fn plain(&mut self, inst: Inst) {
        let program = self.program;
        let inputs = self.inputs;
        let (lanes, start) = (inputs.lanes, self.start);
        match inst {
            Inst::Num { kernel, args, out } => self.kernel(kernel, &program.rows[args.range()], out),
            Inst::Uniform { .. } => {}
            Inst::Select { pred, a, b, out } => {
                let (out, others) = self.split(out);
                let (pred, a, b) = (others.row(pred), others.row(a), others.row(b));
                for (((out, &pred), &a), &b) in out.iter_mut().zip(pred).zip(a).zip(b) {
                    *out = if pred & 1 != 0 { a } else { b };
                }
            }
            Inst::Attr { plane, cvt, out } => {
                let attrs = inputs.attrs.get(plane as usize * lanes..).unwrap_or(&[]);
                self.fill(out, cvt, |_, lane| attrs.get(lane).copied().unwrap_or(0));
            }
            Inst::AttrPlace { attr, comp, place, cvt, out } => {
                let (attr, comp) = (usize::from(attr), usize::from(comp));
                self.fill(out, cvt, |others, lane| {
                    let word = |row: Row| others.row(row)[lane - start] as u32;
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
                    let attr = i64::from(base) + i64::from(others.row(index)[lane - start] as u32 as i32);
                    let attr = usize::try_from(attr).ok().filter(|&a| a < count);
                    let at = attr.map(|a| (a * 4 + comp as usize) * lanes + lane);
                    at.and_then(|at| inputs.attrs.get(at)).copied().unwrap_or(0)
                });
            }
            Inst::ConstAt { bank, base, comp, index, cvt, out } => {
                let bank = inputs.banks.get(bank as usize).copied().unwrap_or(&[]);
                self.fill(out, cvt, |others, lane| {
                    let vector = i64::from(base) + i64::from(others.row(index)[lane - start] as u32 as i32);
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
                    let position = positions.get(others.row(index)[lane - start] as u32 as usize);
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
                self.permute(arg, 0, high);
                self.permute(arg, 1, low);
                self.kernel(kernel, &[0, 1], out);
            }
            Inst::QuadXor { mask, arg, out } => {
                self.permute(arg, out, [0, 1, 2, 3].map(|lane| lane ^ mask as usize));
            }
            Inst::QuadShuffle { arg, index, out } => {
                let (out, others) = self.split(out);
                let quads = others.row(arg).chunks_exact(4).zip(others.row(index).chunks_exact(4));
                for (out, (arg, index)) in out.chunks_exact_mut(4).zip(quads) {
                    for (out, index) in out.iter_mut().zip(index) {
                        *out = arg[(index & 3) as usize];
                    }
                }
            }
            Inst::QuadVote { all, arg, out } => self.vote(all, arg, out),
            Inst::Tex { tex } => self.lookup(&program.lookups[tex as usize]),
            Inst::ArrayLoad { array, index, out } => {
                let array = program.arrays[array as usize];
                let (stride, end) = (self.scratch.stride, self.end);
                let arrays = std::mem::take(&mut self.scratch.arrays);
                let (row, others) = self.split(out);
                for ((slot, &index), lane) in row.iter_mut().zip(others.row(index)).zip(start..end) {
                    let inside = index < u64::from(array.len);
                    *slot = if inside { arrays[(array.first + index as usize) * stride + lane] } else { 0 };
                }
                self.scratch.arrays = arrays;
            }
            Inst::ArrayStore { array, index, value } => {
                let array = program.arrays[array as usize];
                let stride = self.scratch.stride;
                let mut arrays = std::mem::take(&mut self.scratch.arrays);
                let (index, value) = (self.whole_row(index), self.whole_row(value));
                for lane in Mask::new(&self.scratch.exec).lanes() {
                    if index[lane] < u64::from(array.len) {
                        arrays[(array.first + index[lane] as usize) * stride + lane] = value[lane];
                    }
                }
                self.scratch.arrays = arrays;
            }
            Inst::BufferLoad { buffer, address, out } => {
                let memory = std::mem::replace(&mut self.memory, Memory::NONE);
                self.fill(out, None, |others, lane| memory.load(buffer, others.row(address)[lane - start] as u32));
                self.memory = memory;
            }
            Inst::BufferSize { buffer, out } => {
                let size = self.memory.size(buffer);
                self.fill(out, None, |_, _| size);
            }
            Inst::BufferStore { buffer, address, value } => {
                let (stride, arena) = (self.scratch.stride, &self.scratch.arena);
                let word = |row: Row, lane: usize| arena[row as usize * stride + lane] as u32;
                let acting = self.scratch.exec.iter().zip(&self.scratch.covered).map(|(exec, covered)| exec & covered);
                for lane in acting.enumerate().flat_map(|(w, bits)| Bits(bits).map(move |bit| w * 64 + bit)) {
                    self.memory.store(buffer, word(address, lane), word(value, lane));
                }
            }
            Inst::Atomic { op, buffer, address, operand, second, out } => {
                self.fill(out, None, |_, _| 0);
                let (stride, arena) = (self.scratch.stride, &mut self.scratch.arena);
                let acting = self.scratch.exec.iter().zip(&self.scratch.covered).map(|(exec, covered)| exec & covered);
                for lane in acting.enumerate().flat_map(|(w, bits)| Bits(bits).map(move |bit| w * 64 + bit)) {
                    let word = |row: Row| arena[row as usize * stride + lane] as u32;
                    let old = self.memory.atomic(op, buffer, word(address), word(operand), word(second));
                    arena[out as usize * stride + lane] = u64::from(old);
                }
            }
            Inst::Out { plane, value } => {
                let at = value as usize * self.scratch.stride;
                let row = &self.scratch.arena[at..at + lanes];
                if let Some(plane) = self.outputs.planes.get_mut(plane as usize).filter(|p| p.len() == lanes) {
                    let exec = &self.scratch.exec;
                    match plane {
                        Plane::U8(to) => copy_masked(exec, row, to, |word| word as u8),
                        Plane::U16(to) => copy_masked(exec, row, to, |word| word as u16),
                        Plane::U32(to) => copy_masked(exec, row, to, |word| word as u32),
                        Plane::U64(to) => copy_masked(exec, row, to, |word| word),
                    }
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
                let (stride, arena) = (self.scratch.stride, &self.scratch.arena);
                for lane in Mask::new(&self.scratch.exec).lanes() {
                    let discarded = &mut self.outputs.discarded[lane];
                    let left = shaded_samples(inputs, lane) & !*discarded;
                    *discarded |= arena[mask as usize * stride + lane] as u32;
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
        for (out, arg) in out.chunks_exact_mut(4).zip(others.row(arg).chunks_exact(4)) {
            for (out, from) in out.iter_mut().zip(from) {
                *out = arg[from];
            }
        }
    }

    fn vote(&mut self, all: bool, arg: Row, out: Row) {
        let start = self.start;
        let exec = std::mem::take(&mut self.scratch.exec);
        let (out, others) = self.split(out);
        let quads = out.chunks_exact_mut(4).zip(others.row(arg).chunks_exact(4));
        for (n, (out, arg)) in quads.enumerate() {
            let first = start + n * 4;
            let lanes = exec[first / 64] >> (first % 64) & 0xf;
            let holds = arg.iter().enumerate().fold(0, |m, (lane, &p)| m | (p & 1) << lane);
            let vote = if all { lanes & !holds == 0 } else { lanes & holds != 0 };
            out.fill(u64::from(vote));
        }
        self.scratch.exec = exec;
    }

    fn lookup(&mut self, lookup: &Lookup) {
        let mut rows: SmallVec<[Row; 10]> = SmallVec::new();
        for (n, &(row, cvt)) in lookup.args.iter().enumerate() {
            match cvt {
                Some(kernel) => {
                    self.kernel(kernel, &[row], n as Row);
                    rows.push(n as Row);
                }
                None => rows.push(row),
            }
        }
        let stride = self.scratch.stride;
        let word =
            |arena: &[u64], n: usize, lane: usize| rows.get(n).map_or(0, |&r| arena[r as usize * stride + lane] as u32);
        for first in (self.start..self.end).step_by(4) {
            if self.scratch.exec[first / 64] >> (first % 64) & 0xf == 0 {
                continue;
            }
            let mut quad = TexQuad::default();
            for lane in 0..4 {
                quad.coords[lane] = std::array::from_fn(|n| word(&self.scratch.arena, n, first + lane));
                if lookup.op.mode == TexMode::Grad {
                    quad.grads[lane] = std::array::from_fn(|n| word(&self.scratch.arena, 4 + n, first + lane));
                }
            }
            let texels = self.inputs.textures.sample(&lookup.op, &quad);
            for (lane, texel) in texels.iter().enumerate() {
                for (comp, &bits) in texel.iter().enumerate() {
                    self.scratch.arena[(TEMP_TEXELS as usize + comp) * stride + first + lane] = u64::from(bits);
                }
            }
        }
        for (comp, &out) in lookup.outs.iter().enumerate() {
            self.kernel(lookup.cvt, &[TEMP_TEXELS + comp as Row], out);
        }
    }

    /// Reports an op that was just evaluated.
    fn report(&self, op: OpId, inst: Inst, trace: &mut dyn Trace) {
        let program = self.program;
        let mut args: SmallVec<[Row; 10]> = SmallVec::new();
        let mut results: SmallVec<[Row; 4]> = SmallVec::new();
        match inst {
            Inst::Num { args: span, out, .. } => {
                args.extend_from_slice(&program.rows[span.range()]);
                results.push(out);
            }
            Inst::Uniform { out } | Inst::Attr { out, .. } | Inst::Sys { out, .. } => results.push(out),
            Inst::Select { pred, a, b, out } => {
                args.extend([pred, a, b]);
                results.push(out);
            }
            Inst::AttrPlace { place, out, .. } => {
                match place {
                    PlaceRows::Sample(number) => args.push(number),
                    PlaceRows::Offset(x, y) => args.extend([x, y]),
                    PlaceRows::Centroid => {}
                }
                results.push(out);
            }
            Inst::QuadShuffle { arg, index, out } => {
                args.extend([arg, index]);
                results.push(out);
            }
            Inst::BufferLoad { address, out, .. } => {
                args.push(address);
                results.push(out);
            }
            Inst::BufferSize { out, .. } => results.push(out),
            Inst::BufferStore { address, value, .. } => args.extend([address, value]),
            Inst::Atomic { op, address, operand, second, out, .. } => {
                args.extend([address, operand]);
                if op == AtomicOp::CompareExchange {
                    args.push(second);
                }
                results.push(out);
            }
            Inst::AttrAt { index, out, .. }
            | Inst::ConstAt { index, out, .. }
            | Inst::SamplePosition { index, out, .. }
            | Inst::ArrayLoad { index, out, .. } => {
                args.push(index);
                results.push(out);
            }
            Inst::Deriv { arg, out, .. } | Inst::QuadXor { arg, out, .. } | Inst::QuadVote { arg, out, .. } => {
                args.push(arg);
                results.push(out);
            }
            Inst::Tex { tex } => {
                let lookup = &program.lookups[tex as usize];
                args.extend(lookup.args.iter().map(|&(row, _)| row));
                results.extend(lookup.outs);
            }
            Inst::ArrayStore { index, value, .. } => args.extend([index, value]),
            Inst::Out { value, .. } => args.push(value),
            Inst::Discard { pred } => args.push(pred),
            Inst::DiscardSamples { mask } => args.push(mask),
            _ => {}
        }
        let args: SmallVec<[&[u64]; 10]> = args.iter().map(|&row| self.whole_row(row)).collect();
        let results: SmallVec<[&[u64]; 4]> = results.iter().map(|&row| self.whole_row(row)).collect();
        trace.event(Event::Op { op, exec: Mask::new(&self.scratch.exec), args: &args, results: &results });
    }
}
