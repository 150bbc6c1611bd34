//! Loads, stores, atomics and sizes of buffers, shared memory, counters and images (Resource Access Opcodes, Atomic opcodes).

use super::Ctx;
use super::alu::mask;
use super::buffers::Stored;
use super::image::arranged;
use crate::ast::{Index, Instruction, Reg, Src};
use crate::words::File;
use parallax_core::{Access, AtomicOp, OpKind, Type, ValueId};
use parallax_lift::Deferred;
use parallax_lift::vector::{Results, components, each};
use parallax_num::Op;
use smallvec::SmallVec;

/// An address beyond all words of any buffer, and so are those of the three words behind it.
const OUTSIDE: u32 = 0xffff_fff0;

/// A buffer that an operand may name: always, or where the index is its.
pub(super) type Candidate = (u16, Option<ValueId>);

impl Ctx<'_, '_> {
    /// The buffers that an operand may name; none after a problem.
    pub(super) fn candidates(&mut self, reg: &Reg) -> SmallVec<[Candidate; 2]> {
        let number = match (reg.file, reg.dim) {
            (File::HwAtomic, dim) => dim.unwrap_or(Index::number(0)),
            _ => reg.index,
        };
        let Some(indirect) = number.indirect else {
            let found = self.registers.memories.find(reg.file, number.base as u32);
            return found.map(|buffer| (buffer, None)).into_iter().collect();
        };
        // An array is one of numbers of registers, not of groups of counters.
        let range = match reg.file {
            File::HwAtomic => None,
            file => self.registers.lookup.range(file, indirect.array),
        };
        let (first, last) = range.unwrap_or((0, u32::MAX));
        let mut numbers = self.registers.memories.numbers(reg.file);
        numbers.retain(|index| (first..=last).contains(index));
        if !self.may_try(reg, numbers.len()) {
            return SmallVec::new();
        }
        let element = self.address(&number);
        let mut found = SmallVec::new();
        for index in numbers {
            let Some(buffer) = self.registers.memories.find(reg.file, index) else { continue };
            let own = self.l.b.i32(index);
            found.push((buffer, Some(self.l.b.int(Op::Ieq, &[element, own]))));
        }
        found
    }

    /// The address that an operand gives, in bytes: that of a counter begins at the counter.
    fn byte_address(&mut self, reg: &Reg, inst: &Instruction, n: usize) -> ValueId {
        let offset = self.int(&inst.srcs[n], 0);
        if reg.file != File::HwAtomic {
            return offset;
        }
        let (counter, two) = (self.address(&reg.index), self.l.b.i32(2));
        let first = self.l.b.int(Op::Shl, &[counter, two]);
        self.l.b.int(Op::Iadd, &[first, offset])
    }

    /// An address in this buffer where the buffer is the one that is meant, else outside.
    fn if_meant(&mut self, is_it: Option<ValueId>, address: ValueId) -> ValueId {
        let Some(is_it) = is_it else { return address };
        let outside = self.l.b.i32(OUTSIDE);
        self.l.b.select(is_it, address, outside)
    }

    /// An address from which so many words are inside, or one outside: where one is not, none is read.
    fn if_whole(&mut self, buffer: u16, address: ValueId, words: usize) -> ValueId {
        if words == 1 {
            return address;
        }
        let size = self.l.b.value(OpKind::BufferSize { buffer }, None, &[]);
        let (needed, outside) = (self.l.b.i32(4 * words as u32), self.l.b.i32(OUTSIDE));
        let is_large = self.l.b.int(Op::Ule, &[needed, size]);
        let last = self.l.b.int(Op::Isub, &[size, needed]);
        let is_before = self.l.b.int(Op::Ule, &[address, last]);
        let is_inside = self.l.b.int(Op::Pand, &[is_large, is_before]);
        self.l.b.select(is_inside, address, outside)
    }

    /// The address so many words behind.
    fn behind(&mut self, address: ValueId, words: usize) -> ValueId {
        if words == 0 {
            return address;
        }
        let bytes = self.l.b.i32(4 * words as u32);
        self.l.b.int(Op::Iadd, &[address, bytes])
    }

    /// What the buffers that may be meant give.
    pub(super) fn each_candidate<const N: usize>(
        &mut self,
        reg: &Reg,
        mut read: impl FnMut(&mut Self, Candidate) -> [Option<ValueId>; N],
    ) -> [Option<ValueId>; N] {
        let mut found = [None; N];
        for candidate in self.candidates(reg) {
            let values = read(self, candidate);
            for (found, value) in found.iter_mut().zip(values) {
                *found = match (*found, value, candidate.1) {
                    (_, Some(value), None) => Some(value),
                    (before, Some(value), Some(is_it)) => {
                        let before = before.unwrap_or_else(|| self.l.b.i32(0));
                        Some(self.l.b.select(is_it, value, before))
                    }
                    (before, None, _) => before,
                };
            }
        }
        found
    }

    fn load_words(&mut self, inst: &Instruction) -> Results {
        let src = &inst.srcs[0];
        let wanted: u8 = components(mask(inst)).fold(0, |all, comp| all | 1 << src.swizzle[comp]);
        let words = 8 - wanted.leading_zeros() as usize;
        let address = self.byte_address(&src.reg, inst, 1);
        let found = self.each_candidate(&src.reg, |own, (buffer, is_it)| {
            let address = own.if_meant(is_it, address);
            let address = own.if_whole(buffer, address, words);
            [0, 1, 2, 3].map(|n| {
                let at = (wanted >> n & 1 != 0).then(|| own.behind(address, n))?;
                Some(own.l.b.value(OpKind::BufferLoad { buffer, access: Access::Word }, None, &[at]))
            })
        });
        each(mask(inst), |comp| found[usize::from(src.swizzle[comp])].map_or(Deferred::word(0), Deferred::from))
    }

    /// Words of a bank of constants by their address in bytes.
    fn load_constants(&mut self, inst: &Instruction) -> Results {
        let src = &inst.srcs[0];
        let banks: SmallVec<[Candidate; 2]> = match src.reg.index.indirect {
            None => SmallVec::from_elem((src.reg.index.base as u16, None), 1),
            Some(_) => {
                let number = self.address(&src.reg.index);
                let candidate = |bank: u16| {
                    let own = self.l.b.i32(bank.into());
                    (bank, Some(self.l.b.int(Op::Ieq, &[number, own])))
                };
                self.registers.banks.clone().into_iter().map(candidate).collect()
            }
        };
        let address = self.int(&inst.srcs[1], 0);
        each(mask(inst), |comp| {
            let at = self.behind(address, usize::from(src.swizzle[comp]));
            let (four, two, three) = (self.l.b.i32(4), self.l.b.i32(2), self.l.b.i32(3));
            let vector = self.l.b.int(Op::Ushr, &[at, four]);
            let word = self.l.b.int(Op::Ushr, &[at, two]);
            let number = self.l.b.int(Op::Iand, &[word, three]);
            let mut found = Deferred::word(0);
            for &(bank, is_bank) in &banks {
                for n in 0..4u8 {
                    let (read, own) = (self.l.constant_at(bank, 0, n, vector), self.l.b.i32(n.into()));
                    let mut is_it = self.l.b.int(Op::Ieq, &[number, own]);
                    if let Some(is_bank) = is_bank {
                        is_it = self.l.b.int(Op::Pand, &[is_it, is_bank]);
                    }
                    found = self.l.choose(is_it, read, found, Type::F32);
                }
            }
            found
        })
    }

    /// An atomic on the words that an operand may name; gives the old one.
    fn change(&mut self, inst: &Instruction, mut change: impl FnMut(&mut Self, u16, ValueId) -> ValueId) -> Results {
        let reg = inst.srcs[0].reg;
        let old = if reg.file == File::Image {
            let Some(place) = self.texel(inst, &reg, 1) else { return Results::default() };
            self.each_candidate(&reg, |own, (buffer, is_it)| {
                let address = own.l.b.value(OpKind::ImageAddress { buffer }, None, &place);
                let address = own.if_meant(is_it, address);
                [Some(change(own, buffer, address))]
            })
        } else {
            let address = self.byte_address(&reg, inst, 1);
            self.each_candidate(&reg, |own, (buffer, is_it)| {
                let address = own.if_meant(is_it, address);
                [Some(change(own, buffer, address))]
            })
        };
        // The document names x alone.
        [Some(old[0].map_or(Deferred::word(0), Deferred::from)); 4]
    }

    /// What a component is for whoever looks at the buffer that it is stored in; `None` where nothing says it.
    fn stored(&mut self, src: &Src, comp: usize) -> Option<Stored> {
        let val = self.raw(src, comp);
        match self.l.type_of(val) {
            _ if src.negate => Some(Stored::Integer),
            _ if self.l.is_undecided(val) => None,
            Some(Type::Float(_)) => Some(Stored::Float),
            _ => {
                let word = self.l.force(val, Type::I32);
                let kind = self.l.b.func.def_op(word).map(|op| self.l.b.func.ops[op].kind);
                Some(match kind {
                    Some(OpKind::BufferLoad { buffer, .. }) => Stored::Of(buffer),
                    _ => Stored::Integer,
                })
            }
        }
    }

    /// An atomic on an integer.
    pub(super) fn atomic(&mut self, inst: &Instruction, op: AtomicOp) -> Results {
        let operand = self.int(&inst.srcs[2], 0);
        let second = inst.srcs.get(3).map(|src| self.int(src, 0));
        self.change(inst, |own, buffer, address| {
            // What is exchanged may be anything.
            if !matches!(op, AtomicOp::Exchange | AtomicOp::CompareExchange) {
                own.registers.memories.note(buffer, Stored::Integer);
            }
            let args: SmallVec<[ValueId; 3]> = [address, operand].into_iter().chain(second).collect();
            own.l.b.value(OpKind::Atomic { op, buffer }, None, &args)
        })
    }
}

pub(crate) fn load(ctx: &mut Ctx<'_, '_>, inst: &Instruction) -> Results {
    match inst.srcs[0].reg.file {
        File::Image => ctx.load_texel(inst),
        File::ConstBuf => ctx.load_constants(inst),
        _ => ctx.load_words(inst),
    }
}

/// Words outside are dropped, each by itself.
pub(crate) fn store(ctx: &mut Ctx<'_, '_>, inst: &Instruction) -> Results {
    let dst = &inst.dsts[0];
    if dst.reg.file == File::Image {
        ctx.store_texel(inst);
        return Results::default();
    }
    let mut address = ctx.byte_address(&dst.reg, inst, 0);
    if dst.mask > 1 {
        // So that no address wraps around to the first words.
        let outside = ctx.l.b.i32(OUTSIDE);
        address = ctx.l.b.int(Op::Umin, &[address, outside]);
    }
    let kinds: SmallVec<[Stored; 4]> = dst.comps().filter_map(|comp| ctx.stored(&inst.srcs[1], comp)).collect();
    let values = each(dst.mask, |comp| ctx.int(&inst.srcs[1], comp).into());
    for (buffer, is_it) in ctx.candidates(&dst.reg) {
        kinds.iter().for_each(|kind| ctx.registers.memories.note(buffer, *kind));
        let address = ctx.if_meant(is_it, address);
        for comp in dst.comps() {
            let Some(value) = values[comp] else { continue };
            let args = [ctx.behind(address, comp), ctx.l.force(value, Type::I32)];
            ctx.l.b.op(OpKind::BufferStore { buffer, atomic: false }, None, &args, &[]);
        }
    }
    Results::default()
}

/// An atomic load, a sum and an atomic store, by one lane of the quad after the other, so that it rounds as every sum of the
/// model does.
pub(crate) fn add_float(ctx: &mut Ctx<'_, '_>, inst: &Instruction) -> Results {
    let operand = ctx.float(&inst.srcs[2], 0);
    let slot = ctx.slot_with(false, inst.precise);
    let result = ctx.l.add_variables(1);
    ctx.change(inst, |own, buffer, address| {
        own.registers.memories.note(buffer, Stored::Float);
        own.l.set(result, Deferred::word(0));
        for lane in 0..4 {
            own.l.begin_turn(lane);
            let word = own.l.b.value(OpKind::BufferLoad { buffer, access: Access::Atomic }, None, &[address]);
            own.l.set(result, word);
            let old = own.l.convert(word, Type::F32);
            let sum = own.l.b.num(Op::Add, slot, &[old, operand]);
            let sum = own.l.convert(sum, Type::I32);
            own.l.b.op(OpKind::BufferStore { buffer, atomic: true }, None, &[address, sum], &[]);
            own.l.end_if();
        }
        own.l.read_bits(result)
    })
}

/// Bytes of a buffer in x; of an image, its sides and samples.
pub(crate) fn size(ctx: &mut Ctx<'_, '_>, inst: &Instruction) -> Results {
    let reg = inst.srcs[0].reg;
    let found = ctx.each_candidate(&reg, |own, (buffer, _)| {
        let Some(image) = own.l.b.func.iface.buffers[usize::from(buffer)].image else {
            return [Some(own.l.b.value(OpKind::BufferSize { buffer }, None, &[])), None, None, None];
        };
        [0, 1, 2, 3].map(|comp| {
            let side = if comp == 3 { Some(3) } else { arranged(image.shape, comp) }?;
            let size = own.l.b.value(OpKind::ImageSize { buffer, comp: side }, None, &[]);
            Some(own.layers(image.shape, side, size))
        })
    });
    let swizzle = inst.srcs[0].swizzle;
    each(mask(inst), |comp| found[usize::from(swizzle[comp])].map_or(Deferred::word(0), Deferred::from))
}

/// All invocations of the workgroup wait. One alone is the whole workgroup.
pub(crate) fn barrier(ctx: &mut Ctx<'_, '_>, _: &Instruction) -> Results {
    if ctx.l.b.func.iface.workgroup != [1; 3] {
        ctx.l.b.op(OpKind::Barrier, None, &[], &[]);
    }
    Results::default()
}

/// Every access is seen by all that come behind it, so that there is nothing to wait for.
pub(crate) fn fence(_: &mut Ctx<'_, '_>, _: &Instruction) -> Results {
    Results::default()
}
