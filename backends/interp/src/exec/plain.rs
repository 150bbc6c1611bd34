//! Ops that neither hold regions nor end them.

use super::{Run, blocks};
use crate::Scratch;
use crate::arena::{Arena, BLOCK, Row, Word, each_width};
use crate::mask::{Bits, Mask};
use crate::program::{Inst, Lookup, PlaceRows};
use parallax_core::exec::{Inputs, InterpolateAt, Memory, PlaneMut, TexRows};
use parallax_core::{Axis, SysVal};
use parallax_num::eval;
use parallax_step::Call;
use smallvec::SmallVec;

/// The samples a lane shades, as [`Inst::DiscardSamples`] counts them.
fn shaded_samples(inputs: &Inputs<'_>, lane: usize) -> u32 {
    let value = |value: SysVal| inputs.sysvals.get(value as usize * inputs.lanes + lane).copied();
    match value(SysVal::SampleShading) {
        None => u32::from(inputs.covered.get(lane).copied().unwrap_or(false)),
        Some(0) => value(SysVal::SampleMask).unwrap_or(0),
        Some(_) => 1,
    }
}

/// An operation by the reference evaluation, in one lane.
#[cold]
#[inline(never)]
pub(crate) fn call(call: &Call, args: &[Row], arena: &Arena, lane: usize) -> u64 {
    let words: SmallVec<[u64; 8]> = args.iter().map(|&row| arena.word(row, lane)).collect();
    eval(call.op, &call.rule, &words)
}

/// The lanes of all quads in which a lane executes, of 64 lanes.
fn whole_quads(exec: u64) -> u64 {
    const FIRST: u64 = 0x1111_1111_1111_1111;
    let any = (exec | exec >> 1 | exec >> 2 | exec >> 3) & FIRST;
    any * 0xf
}

impl Run<'_> {
    /// Fills a row from a lane number.
    fn fill(&mut self, out: u32, word: impl Fn(&Arena, usize) -> u32) {
        let (start, end) = (self.start, self.end);
        let arena = &mut self.scratch.arena;
        let mut row = arena.take::<u32>(out);
        for (n, slot) in row.as_flattened_mut()[start..end].iter_mut().enumerate() {
            *slot = word(arena, start + n);
        }
        arena.put(out, row);
    }

    /// An attribute component, straight from where the caller has it.
    fn attribute(&mut self, plane: u32, out: u32) {
        let inputs = self.inputs;
        let at = plane as usize * inputs.lanes;
        match inputs.attrs.get(at + self.start..at + self.end) {
            Some(words) => {
                self.scratch.arena.words_mut::<u32>(out)[self.start..self.end].copy_from_slice(words);
            }
            // Inputs that are too short read as zero bits.
            None => self.fill(out, |_, lane| inputs.attrs.get(at + lane).copied().unwrap_or(0)),
        }
    }

    /// Ops that neither hold regions nor end them.
    pub(super) fn plain(&mut self, inst: Inst) {
        let program = self.program;
        let inputs = self.inputs;
        let lanes = inputs.lanes;
        match inst {
            Inst::Call { call, slow, args, out } => {
                self.call(&program.calls[call as usize], slow, &program.rows[args.range()], out);
            }
            Inst::Attr { plane, out } => self.attribute(plane, out),
            Inst::AttrPlace { attr, comp, place, out } => {
                let (attr, comp) = (usize::from(attr), usize::from(comp));
                self.fill(out, |arena, lane| {
                    let word = |row: u32| arena.words::<u32>(row)[lane];
                    let place = match place {
                        PlaceRows::Sample(number) => InterpolateAt::Sample(word(number)),
                        PlaceRows::Offset(x, y) => InterpolateAt::Offset([word(x), word(y)]),
                        PlaceRows::Centroid => InterpolateAt::Centroid,
                    };
                    let given = || inputs.attrs.get((attr * 4 + comp) * lanes + lane).copied();
                    inputs.interpolator.at(attr, comp, lane, place).or_else(given).unwrap_or(0)
                });
            }
            Inst::AttrAt { base, comp, index, out } => {
                let count = program.attrs;
                self.fill(out, |arena, lane| {
                    let attr = i64::from(base) + i64::from(arena.words::<u32>(index)[lane] as i32);
                    let attr = usize::try_from(attr).ok().filter(|&a| a < count);
                    let at = attr.map(|a| (a * 4 + comp as usize) * lanes + lane);
                    at.and_then(|at| inputs.attrs.get(at)).copied().unwrap_or(0)
                });
            }
            Inst::ConstAt { bank, base, comp, index, out } => {
                let bank = inputs.banks.get(bank as usize).copied().unwrap_or(&[]);
                self.fill(out, |arena, lane| {
                    let vector = i64::from(base) + i64::from(arena.words::<u32>(index)[lane] as i32);
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
                self.fill(out, |arena, lane| {
                    let position = positions.get(arena.words::<u32>(index)[lane] as usize);
                    position.map_or(0, |p| i32::from(p[axis]) as u32)
                });
            }
            Inst::Sys { value, out } => self.fill(out, |_, lane| match value {
                SysVal::HelperLane => {
                    if inputs.covered.get(lane).copied().unwrap_or(false) {
                        0
                    } else {
                        u32::MAX
                    }
                }
                SysVal::QuadLane => (lane & 3) as u32,
                SysVal::SubgroupLane => lane as u32 % program.subgroup,
                given => inputs.sysvals.get(given as usize * lanes + lane).copied().unwrap_or(0),
            }),
            Inst::QuadXor { mask, arg, out } => self.permute(arg, out, [0, 1, 2, 3].map(|lane| lane ^ mask as usize)),
            Inst::QuadLane { arg, lane, out } => self.permute(arg, out, [lane.into(); 4]),
            Inst::QuadShuffle { arg, index, out } => {
                let (start, end) = (self.start, self.end);
                let arena = &mut self.scratch.arena;
                each_width!(out.width, W => {
                    let mut row = arena.take::<W>(out.number);
                    let (from, index) = (arena.words::<W>(arg.number), arena.words::<u32>(index));
                    for lane in start..end {
                        row.as_flattened_mut()[lane] = from[lane & !3 | (index[lane] & 3) as usize];
                    }
                    arena.put(out.number, row);
                });
            }
            Inst::QuadVote { all, arg, out } => self.vote(all, arg, out),
            Inst::GroupShuffle { arg, index, out } => {
                let (start, end, width) = (self.start, self.end, program.subgroup as usize);
                let Scratch { arena, exec, covered, .. } = &mut *self.scratch;
                let is_active = |lane: usize| exec[lane / 64] & covered[lane / 64] & 1 << (lane % 64) != 0;
                for lane in start..end {
                    let index = arena.words::<u32>(index)[lane] as usize;
                    let from = lane - lane % width + index.min(width);
                    let word = if index < width && from < lanes && is_active(from) { arena.word(arg, from) } else { 0 };
                    arena.set(out, lane, word);
                }
            }
            Inst::GroupBallot { word, arg, out } => {
                let (start, end, width) = (self.start, self.end, program.subgroup as usize);
                let Scratch { arena, exec, covered, .. } = &mut *self.scratch;
                for lane in start..end {
                    let first = lane - lane % width;
                    let mut bits = 0;
                    for n in usize::from(word) * 32..(usize::from(word) * 32 + 32).min(width).min(lanes - first) {
                        let from = first + n;
                        let is_active = exec[from / 64] & covered[from / 64] & 1 << (from % 64) != 0;
                        bits |= u32::from(is_active && arena.words::<u8>(arg)[from] & 1 != 0) << (n % 32);
                    }
                    arena.words_mut::<u32>(out)[lane] = bits;
                }
            }
            Inst::Tex { tex } => self.lookup(&program.lookups[tex as usize]),
            Inst::ArrayLoad { array, index, out } => {
                let array = program.arrays[array as usize];
                let arena = &mut self.scratch.arena;
                for lane in self.start..self.end {
                    let index = arena.words::<u32>(index)[lane];
                    let word = if index < array.len { arena.word(array.element(index), lane) } else { 0 };
                    arena.set(out, lane, word);
                }
            }
            Inst::ArrayStore { array, index, value } => {
                let array = program.arrays[array as usize];
                let arena = &mut self.scratch.arena;
                for lane in Mask::new(&self.scratch.exec).lanes() {
                    let index = arena.words::<u32>(index)[lane];
                    if index < array.len {
                        let word = arena.word(value, lane);
                        arena.set(array.element(index), lane, word);
                    }
                }
            }
            Inst::BufferLoad { buffer, address, out } => {
                let memory = std::mem::replace(&mut self.memory, Memory::NONE);
                self.fill(out, |arena, lane| memory.load(buffer, arena.words::<u32>(address)[lane]));
                self.memory = memory;
            }
            Inst::TextureSize { unit, comp, level, out } => self.fill(out, |arena, lane| {
                inputs.textures.size(unit, arena.words::<u32>(level)[lane])[usize::from(comp & 3)]
            }),
            Inst::ImageAddress { buffer, at, out } => {
                let image = inputs.textures.image(buffer);
                self.fill(out, |arena, lane| {
                    let [x, y, z, sample] = at.map(|row| arena.words::<u32>(row)[lane]);
                    image.map_or(u32::MAX, |image| image.address([x, y, z], sample))
                });
            }
            Inst::ImageLoad { buffer, comp, address, out } => {
                let image = inputs.textures.image(buffer);
                let memory = std::mem::replace(&mut self.memory, Memory::NONE);
                self.fill(out, |arena, lane| {
                    let at = arena.words::<u32>(address)[lane];
                    image.map_or(0, |image| image.load(&memory, buffer, at)[usize::from(comp & 3)])
                });
                self.memory = memory;
            }
            Inst::ImageStore { buffer, address, texel } => {
                let Some(image) = inputs.textures.image(buffer) else { return };
                let arena = &self.scratch.arena;
                let word = |row: u32, lane: usize| arena.words::<u32>(row)[lane];
                let acting = self.scratch.exec.iter().zip(&self.scratch.covered).map(|(exec, covered)| exec & covered);
                for lane in acting.enumerate().flat_map(|(w, bits)| Bits(bits).map(move |bit| w * 64 + bit)) {
                    let texel = texel.map(|row| word(row, lane));
                    image.store(&mut self.memory, buffer, word(address, lane), texel);
                }
            }
            Inst::ImageSize { buffer, comp, out } => {
                let extent = inputs.textures.image(buffer).map_or(0, |image| image.extent(comp));
                self.fill(out, |_, _| extent);
            }
            Inst::BufferSize { buffer, out } => {
                let size = self.memory.size(buffer);
                self.fill(out, |_, _| size);
            }
            Inst::BufferStore { buffer, address, value } => {
                let arena = &self.scratch.arena;
                let word = |row: u32, lane: usize| arena.words::<u32>(row)[lane];
                let acting = self.scratch.exec.iter().zip(&self.scratch.covered).map(|(exec, covered)| exec & covered);
                for lane in acting.enumerate().flat_map(|(w, bits)| Bits(bits).map(move |bit| w * 64 + bit)) {
                    self.memory.store(buffer, word(address, lane), word(value, lane));
                }
            }
            Inst::Atomic { op, buffer, address, operand, second, out } => {
                self.fill(out, |_, _| 0);
                let arena = &mut self.scratch.arena;
                let acting = self.scratch.exec.iter().zip(&self.scratch.covered).map(|(exec, covered)| exec & covered);
                for lane in acting.enumerate().flat_map(|(w, bits)| Bits(bits).map(move |bit| w * 64 + bit)) {
                    let word = |row: u32| arena.words::<u32>(row)[lane];
                    let old = self.memory.atomic(op, buffer, word(address), word(operand), word(second));
                    arena.words_mut::<u32>(out)[lane] = old;
                }
            }
            Inst::Out { plane, value } => self.output(plane, value),
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
                    *discarded |= arena.words::<u32>(mask)[lane];
                    if left != 0 && left & !*discarded == 0 {
                        self.scratch.covered[lane / 64] &= !(1 << (lane % 64));
                    }
                }
            }
            Inst::Steps(_)
            | Inst::Trace { .. }
            | Inst::End
            | Inst::Barrier
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

    /// The reference evaluation in slow lanes of executing quads, elsewhere the value that was computed; without one in all of
    /// them.
    fn call(&mut self, of: &Call, slow: Option<(u32, Row)>, args: &[Row], out: Row) {
        if let Some((_, value)) = slow
            && value != out
        {
            self.copy(value, out);
        }
        for block in blocks(self.start..self.end) {
            let mut lanes = whole_quads(self.scratch.exec[block]);
            let arena = &mut self.scratch.arena;
            if let Some((mask, _)) = slow {
                let mask = arena.row::<u8>(mask, &(block..block + 1))[0];
                if mask.iter().fold(0, |any, &lane| any | lane) == 0 {
                    continue;
                }
                let set = mask.iter().enumerate().fold(0, |set, (lane, &slow)| set | u64::from(slow & 1) << lane);
                lanes &= set;
            }
            for lane in Bits(lanes) {
                let lane = block * BLOCK + lane;
                let word = call(of, args, arena, lane);
                arena.set(out, lane, word);
            }
        }
    }

    /// Writes an output component in the executing lanes.
    fn output(&mut self, plane: u32, value: Row) {
        let lanes = self.inputs.lanes;
        let (arena, exec) = (&self.scratch.arena, &self.scratch.exec);
        let Some(plane) = self.outputs.planes.get_mut(plane as usize).filter(|plane| plane.len() == lanes) else {
            return;
        };
        each_width!(value.width, W => {
            let row = &arena.words::<W>(value.number)[..lanes];
            match plane.as_mut() {
                PlaneMut::U8(to) => write_masked(exec, row, to, |word| word.widen() as u8),
                PlaneMut::U16(to) => write_masked(exec, row, to, |word| word.widen() as u16),
                PlaneMut::U32(to) => write_masked(exec, row, to, |word| word.widen() as u32),
                PlaneMut::U64(to) => write_masked(exec, row, to, Word::widen),
            }
        });
    }

    /// Lane `l` of each quad takes the value of its lane `from[l]`.
    fn permute(&mut self, arg: Row, out: Row, from: [usize; 4]) {
        let lanes = self.start..self.end;
        let arena = &mut self.scratch.arena;
        each_width!(out.width, W => {
            let mut row = arena.take::<W>(out.number);
            let (to, _) = row.as_flattened_mut()[lanes.clone()].as_chunks_mut::<4>();
            let (quads, _) = arena.words::<W>(arg.number)[lanes].as_chunks::<4>();
            for (to, quad) in to.iter_mut().zip(quads) {
                *to = from.map(|lane| quad[lane]);
            }
            arena.put(out.number, row);
        });
    }

    fn vote(&mut self, all: bool, arg: u32, out: u32) {
        let arena = &mut self.scratch.arena;
        let mut row = arena.take::<u8>(out);
        let arg = arena.words::<u8>(arg);
        for first in (self.start..self.end).step_by(4) {
            let lanes = self.scratch.exec[first / 64] >> (first % 64) & 0xf;
            let holds = (0..4).fold(0, |m, lane| m | u64::from(arg[first + lane] & 1) << lane);
            let vote = if all { lanes & !holds == 0 } else { lanes & holds != 0 };
            row.as_flattened_mut()[first..first + 4].fill(u8::from(vote));
        }
        arena.put(out, row);
    }

    fn lookup(&mut self, lookup: &Lookup) {
        let end = self.end;
        let mut start = self.start;
        let exec = &self.scratch.exec;
        let arena = &mut self.scratch.arena;
        let mut outs = lookup.outs.map(|out| arena.take::<u32>(out));
        while start < end {
            // Quads side by side in which a lane executes.
            let executes = |quad: usize| exec[quad / 64] >> (quad % 64) & 0xf != 0;
            if !executes(start) {
                start += 4;
                continue;
            }
            let mut stop = start + 4;
            while stop < end && executes(stop) {
                stop += 4;
            }
            let mut texels = outs.each_mut().map(|out| &mut out.as_flattened_mut()[start..stop]);
            let row = |n: usize| match lookup.args.get(n) {
                Some(&row) => &arena.words::<u32>(row)[start..stop],
                None => &[],
            };
            self.inputs.textures.sample_rows(&lookup.op, &TexRows::of(&lookup.op, row), &mut texels);
            start = stop;
        }
        for (out, row) in lookup.outs.into_iter().zip(outs) {
            arena.put(out, row);
        }
    }
}

/// Copies converted words in the lanes of a mask.
fn write_masked<F: Copy, T: Copy>(words: &[u64], from: &[F], to: &mut [T], convert: impl Fn(F) -> T) {
    for ((&word, from), to) in words.iter().zip(from.chunks(64)).zip(to.chunks_mut(64)) {
        if word.count_ones() as usize == to.len() {
            to.iter_mut().zip(from).for_each(|(to, &from)| *to = convert(from));
        } else {
            for bit in Bits(word) {
                to[bit] = convert(from[bit]);
            }
        }
    }
}
