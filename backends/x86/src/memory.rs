//! Buffers: a *table* in the arena leads to the words of each, for code that reads and changes them.

use crate::arena;
use crate::asm::Target;
use crate::emit::{Cold, Emitter, Patterns};
use crate::layout::{self, Layout};
use crate::operand::Operand;
use crate::program::{pointer, pointer_mut};
use iced_x86::Register;
use parallax_core::exec::Memory;
use parallax_core::{AtomicOp, OpKind};
use parallax_lane::{Function, Reg, Site, SiteKind, Stride};
use std::cmp::Reverse;

/// Of a table: where the first word is.
pub(crate) const POINTER: usize = 0;
/// How many words can be read.
pub(crate) const WORDS: usize = 8;
/// Bytes, as shaders ask for them.
pub(crate) const BYTES: usize = 12;
/// How many words can be changed: all, or none.
pub(crate) const WRITABLE: usize = 16;
/// Where a row of words, the words of all lanes of a block, no longer starts in the buffer, in bytes; the same of one word, and of rows
/// that can be changed. 0 where the lanes of blocks are no neighbours, or where there are too few words.
pub(crate) const ROW_END: usize = 20;
pub(crate) const WORD_END: usize = 24;
pub(crate) const WRITABLE_END: usize = 28;
/// Bytes of a table.
pub(crate) const SIZE: usize = 32;

/// More words have no address.
const MOST_WORDS: usize = 1 << 30;

/// The buffer that a site is about, if code does what it is.
pub(crate) fn buffer(site: &Site) -> Option<u16> {
    match site.kind {
        SiteKind::Ir(
            OpKind::BufferLoad { buffer, .. }
            | OpKind::BufferStore { buffer, .. }
            | OpKind::Atomic { buffer, .. }
            | OpKind::BufferSize { buffer },
        ) => Some(buffer),
        _ => None,
    }
}

/// Fills in the tables of all buffers. Again, whenever the host has changed one.
pub(crate) fn describe(layout: &Layout, arena: &mut [u64], memory: &mut Memory<'_>) {
    let rows = arena::word(arena, layout::FLAGS) & u32::from(layout::ROWS) != 0;
    for (&buffer, &at) in &layout.buffers {
        let size = memory.size(buffer);
        let (first, words, writable) = match memory.words_mut(buffer) {
            Some(words) => (pointer_mut(words), words.len(), true),
            None => (pointer(memory.words(buffer)), memory.words(buffer).len(), false),
        };
        let words = words.min(MOST_WORDS) as u32;
        arena[(at + POINTER) / 8] = first;
        arena::set_word(arena, at + WORDS, words);
        arena::set_word(arena, at + BYTES, size);
        arena::set_word(arena, at + WRITABLE, if writable { words } else { 0 });
        let end = |count: usize| {
            let bytes = 4 * u64::from(words) + 1;
            if rows { bytes.saturating_sub(4 * count as u64) as u32 } else { 0 }
        };
        arena::set_word(arena, at + ROW_END, end(layout.level.lanes()));
        arena::set_word(arena, at + WORD_END, end(1));
        arena::set_word(arena, at + WRITABLE_END, if writable { end(layout.level.lanes()) } else { 0 });
    }
}

/// A register that keeps something, the move from eax to it, and the sum of it and a number to eax.
struct Keeper {
    register: Register,
    from_eax: [u8; 3],
    to_eax: [u8; 3],
}

/// Registers that keep what the first lanes of addresses hold. Nothing but calls of the host, lookups and some atomics changes them.
const FIRST_LANES: [Keeper; 4] = [
    Keeper { register: Register::R10, from_eax: [0x41, 0x89, 0xc2], to_eax: [0x41, 0x8d, 0x82] },
    Keeper { register: Register::R11, from_eax: [0x41, 0x89, 0xc3], to_eax: [0x41, 0x8d, 0x83] },
    Keeper { register: Register::R8, from_eax: [0x41, 0x89, 0xc0], to_eax: [0x41, 0x8d, 0x80] },
    Keeper { register: Register::R9, from_eax: [0x41, 0x89, 0xc1], to_eax: [0x41, 0x8d, 0x81] },
];

/// Registers that lead to buffers, with the move from the arena. Calls keep them, and nothing else uses them in kernels.
const POINTERS: [(Register, [u8; 3]); 2] = [(Register::RBP, [0x48, 0x8b, 0xab]), (Register::R14, [0x4c, 0x8b, 0xb3])];

/// Which buffers registers lead to: tables.
#[derive(Debug, Default)]
pub(crate) struct Pointers {
    of: [Option<usize>; POINTERS.len()],
}

impl Pointers {
    /// The buffers that most accesses of a kernel for whole workgroups are to, of those with neighbouring words.
    pub(crate) fn of(function: &Function, layout: &Layout) -> Pointers {
        let mut pointers = Pointers::default();
        if function.group.is_none() || function.attributes > 0 {
            return pointers;
        }
        let is_exact = |site: &&Site| site.stride.is_some_and(|stride| stride.is_exact);
        let used: Vec<u16> = function.sites.iter().filter(is_exact).filter_map(buffer).collect();
        let mut buffers = used.clone();
        buffers.sort_unstable();
        buffers.dedup();
        buffers.sort_by_key(|&buffer| Reverse(used.iter().filter(|&&used| used == buffer).count()));
        for (pointer, buffer) in pointers.of.iter_mut().zip(buffers) {
            *pointer = layout.buffers.get(&buffer).copied();
        }
        pointers
    }

    fn find(&self, table: usize) -> Option<Register> {
        self.of.iter().position(|&of| of == Some(table)).map(|n| POINTERS[n].0)
    }
}

/// Whose first lanes they keep: the register, and the block.
#[derive(Debug, Default)]
pub(crate) struct FirstLanes {
    kept: [Option<(Reg, usize)>; FIRST_LANES.len()],
    /// The one that is given up next.
    next: usize,
}

impl FirstLanes {
    fn find(&self, reg: Reg, block: usize) -> Option<usize> {
        self.kept.iter().position(|&kept| kept == Some((reg, block)))
    }

    fn keep(&mut self, reg: Reg, block: usize) -> usize {
        let n = self.next;
        self.kept[n] = Some((reg, block));
        self.next = (n + 1) % FIRST_LANES.len();
        n
    }

    /// An instruction sets registers.
    pub(crate) fn set(&mut self, regs: &[Reg]) {
        for kept in &mut self.kept {
            *kept = kept.filter(|(reg, _)| !regs.contains(reg));
        }
    }

    /// Nothing is known any more.
    pub(crate) fn forget(&mut self) {
        self.kept = [None; FIRST_LANES.len()];
    }
}

/// Lines of the arena with a word for each lane, for what is done lane by lane: numbers of words, operands, what comes out.
#[derive(Copy, Clone)]
pub(crate) struct LaneLines {
    pub(crate) numbers: usize,
    pub(crate) operands: usize,
    pub(crate) second: usize,
    pub(crate) results: usize,
}

/// How a level reads and changes buffers.
pub(crate) trait Accesses {
    /// Loads what the first lane holds to eax.
    fn first_to_eax(&mut self, reg: Reg);
    /// Reads words of the buffer of a table at addresses with a stride of 0 or 4; goes elsewhere if they have not.
    fn load_words(&mut self, table: usize, stride: Stride, address: Reg, def: Reg, elsewhere: Target);
    /// Reads them at any addresses, so many bytes further on.
    fn load_anywhere(&mut self, table: usize, address: Reg, offset: u32, def: Reg);
    /// The size of the buffer of a table.
    fn buffer_size(&mut self, table: usize, def: Reg);
    /// Writes words side by side of lanes that execute and are covered; goes elsewhere if they are not side by side.
    fn store_words(&mut self, table: usize, stride: Stride, uses: &[Reg], elsewhere: Target);
    /// Writes them at any addresses, so many bytes further on, in the order of lanes.
    fn store_anywhere(&mut self, table: usize, uses: &[Reg], offset: u32);
    /// Changes words likewise and gives what they were.
    fn change_words(&mut self, table: usize, op: AtomicOp, uses: &[Reg], def: Reg);
}

impl<'a, L> Emitter<'a, L>
where
    Self: Patterns,
{
    /// The code of a site that reads or changes a buffer; false if it is another one.
    pub(crate) fn access(&mut self, site: &Site, uses: &'a [Reg], defs: &'a [Reg]) -> bool {
        let Some(&table) = buffer(site).and_then(|buffer| self.layout.buffers.get(&buffer)) else { return false };
        let mut stride = site.stride;
        if let (Some(stride), Some(&address)) = (&mut stride, uses.get(1))
            && self.locations.is_shared(address)
        {
            // The first block holds it.
            let distance = self.locations.distance(address, self.block).unwrap_or_default();
            stride.offset = stride.offset.wrapping_add(distance);
        }
        match (site.kind, stride) {
            (SiteKind::Ir(OpKind::BufferLoad { .. }), Some(stride @ Stride { bytes: 0 | 4, .. })) => {
                let (elsewhere, end) = (self.asm.target(), self.asm.target());
                self.load_words(table, stride, uses[1], defs[0], elsewhere);
                self.asm.place(end);
                self.set_aside(Cold::Load(table, uses[1], stride.offset, defs[0]), elsewhere, end);
            }
            (SiteKind::Ir(OpKind::BufferStore { .. }), Some(stride @ Stride { bytes: 4, .. })) => {
                let (elsewhere, end) = (self.asm.target(), self.asm.target());
                self.store_words(table, stride, uses, elsewhere);
                self.asm.place(end);
                self.set_aside(Cold::Store(table, uses, stride.offset), elsewhere, end);
            }
            (SiteKind::Ir(OpKind::BufferLoad { .. }), stride) => {
                self.load_anywhere(table, uses[1], stride.map_or(0, |stride| stride.offset), defs[0]);
            }
            (SiteKind::Ir(OpKind::BufferStore { .. }), stride) => {
                self.store_anywhere(table, uses, stride.map_or(0, |stride| stride.offset));
            }
            (SiteKind::Ir(OpKind::BufferSize { .. }), _) => self.buffer_size(table, defs[0]),
            (SiteKind::Ir(OpKind::Atomic { op, .. }), _) => self.change_words(table, op, uses, defs[0]),
            _ => return false,
        }
        true
    }

    /// Registers lead to buffers.
    pub(crate) fn load_pointers(&mut self) {
        for (table, (_, load)) in self.pointers.of.into_iter().zip(POINTERS) {
            if let Some(table) = table {
                self.asm.at_arena(&load, table + POINTER);
            }
        }
    }

    /// The register that leads to the buffer of a table: rdx, if none does yet.
    fn lead_to(&mut self, table: usize) -> Register {
        self.pointers.find(table).unwrap_or_else(|| {
            // mov rdx, [first word]
            self.asm.at_arena(&[0x48, 0x8b, 0x93], table + POINTER);
            Register::RDX
        })
    }

    /// The register that keeps what the first lane of an address holds, if there is one, and how far behind that the first lane of this
    /// block is.
    fn kept_first_lane(&self, address: Reg) -> Option<(usize, u32)> {
        let block = self.block_of_first_lane(address);
        if let Some(n) = self.first_lanes.find(address, block) {
            return Some((n, 0));
        }
        // Longer ones are no part of an instruction.
        let distance = self.locations.distance(address, block).filter(|&distance| distance < 1 << 24)?;
        Some((self.first_lanes.find(address, 0)?, distance))
    }

    /// The block whose first lane of an address this one has.
    fn block_of_first_lane(&self, address: Reg) -> usize {
        if self.locations.is_shared(address) { 0 } else { self.block }
    }

    /// Keeps what the first lane of an address holds, which comes to eax, too.
    fn keep_first_lane(&mut self, address: Reg) -> usize {
        self.first_to_eax(address);
        let n = self.first_lanes.keep(address, self.block_of_first_lane(address));
        self.asm.bytes(&FIRST_LANES[n].from_eax);
        n
    }

    /// The first word of lanes that are surely neighbours and whose words are in the buffer.
    pub(crate) fn word_inside(&mut self, address: Reg, stride: Stride, table: usize) -> Operand {
        let (n, further) = self.kept_first_lane(address).unwrap_or_else(|| (self.keep_first_lane(address), 0));
        Operand::Behind(self.lead_to(table), FIRST_LANES[n].register, stride.offset + further)
    }

    /// A number to eax.
    pub(crate) fn number_to_eax(&mut self, number: u32) {
        self.asm.bytes(&[0xb8]);
        self.asm.bytes(&number.to_le_bytes());
    }

    /// The first word of lanes that are surely neighbours, so many bytes behind an address; goes elsewhere if it is not in front of an end
    /// of the table. What the first lane of the address holds stays in a register for accesses to come. Uses rax and rdx.
    pub(crate) fn first_word(
        &mut self,
        address: Reg,
        stride: Stride,
        table: usize,
        end: usize,
        elsewhere: Target,
    ) -> Operand {
        let Stride { offset, is_aligned, .. } = stride;
        match self.kept_first_lane(address) {
            Some((n, further)) => {
                // lea eax, [kept + offset]
                self.asm.bytes(&FIRST_LANES[n].to_eax);
                self.asm.bytes(&offset.wrapping_add(further).to_le_bytes());
            }
            None => {
                self.keep_first_lane(address);
                if offset != 0 {
                    // add eax, offset
                    self.asm.bytes(&[0x05]);
                    self.asm.bytes(&offset.to_le_bytes());
                }
            }
        }
        let asm = &mut self.asm;
        if !is_aligned {
            // and eax, -4
            asm.bytes(&[0x83, 0xe0, 0xfc]);
        }
        // cmp eax, [end]; jae
        asm.at_arena(&[0x3b, 0x83], table + end);
        asm.jump(&[0x0f, 0x83], elsewhere);
        Operand::Sum(self.lead_to(table), Register::RAX)
    }

    /// The address of the word whose number is in eax to rdx; goes elsewhere unless that many words more exist in a table's count.
    /// Leaves eax alone.
    pub(crate) fn word_address(&mut self, table: usize, count: usize, more: u8, elsewhere: Target) {
        let asm = &mut self.asm;
        // lea ecx, [rax + more]; cmp ecx, [count]; jae
        asm.bytes(&[0x8d, 0x48, more]);
        asm.at_arena(&[0x3b, 0x8b], count);
        asm.jump(&[0x0f, 0x83], elsewhere);
        // mov rdx, [first word]; lea rdx, [rdx + 4 rax]
        asm.at_arena(&[0x48, 0x8b, 0x93], table + POINTER);
        asm.bytes(&[0x48, 0x8d, 0x14, 0x82]);
    }

    /// For each lane whose bit is set in eax, in their order: its number in rcx, the address of its word of the buffer in rdx.
    fn lane_by_lane(&mut self, table: usize, lines: LaneLines, each: impl FnOnce(&mut Self)) {
        let (top, end) = (self.asm.target(), self.asm.target());
        // mov rsi, [first word]
        self.asm.at_arena(&[0x48, 0x8b, 0xb3], table + POINTER);
        self.asm.place(top);
        // test eax, eax; jz
        self.asm.bytes(&[0x85, 0xc0]);
        self.asm.jump(&[0x0f, 0x84], end);
        // bsf ecx, eax; lea edx, [rax - 1]; and eax, edx
        self.asm.bytes(&[0x0f, 0xbc, 0xc8, 0x8d, 0x50, 0xff, 0x21, 0xd0]);
        // mov edx, [numbers + 4 rcx]; lea rdx, [rsi + 4 rdx]
        self.asm.at_arena(&[0x8b, 0x94, 0x8b], lines.numbers);
        self.asm.bytes(&[0x48, 0x8d, 0x14, 0x96]);
        each(self);
        self.asm.jump(&[0xe9], top);
        self.asm.place(end);
    }

    /// Stores the operands of lanes whose bits are set in eax.
    pub(crate) fn store_lane_by_lane(&mut self, table: usize, lines: LaneLines) {
        self.lane_by_lane(table, lines, |this| {
            // mov edi, [operands + 4 rcx]; mov [rdx], edi
            this.asm.at_arena(&[0x8b, 0xbc, 0x8b], lines.operands);
            this.asm.bytes(&[0x89, 0x3a]);
        });
    }

    /// Changes words for lanes whose bits are set in eax.
    pub(crate) fn change_lane_by_lane(&mut self, table: usize, op: AtomicOp, lines: LaneLines) {
        self.lane_by_lane(table, lines, |this| {
            let asm = &mut this.asm;
            // mov r8d, [rdx]; mov [results + 4 rcx], r8d; mov r9d, [operands + 4 rcx]
            asm.bytes(&[0x44, 0x8b, 0x02]);
            asm.at_arena(&[0x44, 0x89, 0x84, 0x8b], lines.results);
            asm.at_arena(&[0x44, 0x8b, 0x8c, 0x8b], lines.operands);
            // cmp r8d, r9d
            let compare: &[u8] = &[0x45, 0x39, 0xc8];
            match op {
                // add, and, or, xor r9d, r8d
                AtomicOp::Add => asm.bytes(&[0x45, 0x01, 0xc1]),
                AtomicOp::And => asm.bytes(&[0x45, 0x21, 0xc1]),
                AtomicOp::Or => asm.bytes(&[0x45, 0x09, 0xc1]),
                AtomicOp::Xor => asm.bytes(&[0x45, 0x31, 0xc1]),
                AtomicOp::Exchange => {}
                // cmovb, cmova, cmovl, cmovg r9d, r8d
                AtomicOp::MinU | AtomicOp::MaxU | AtomicOp::MinI | AtomicOp::MaxI => {
                    let condition = match op {
                        AtomicOp::MinU => 0x42,
                        AtomicOp::MaxU => 0x47,
                        AtomicOp::MinI => 0x4c,
                        _ => 0x4f,
                    };
                    asm.bytes(compare);
                    asm.bytes(&[0x45, 0x0f, condition, 0xc8]);
                }
                AtomicOp::CompareExchange => {
                    // mov r10d, [second + 4 rcx]; cmp; mov r9d, r8d; cmove r9d, r10d
                    asm.at_arena(&[0x44, 0x8b, 0x94, 0x8b], lines.second);
                    asm.bytes(compare);
                    asm.bytes(&[0x45, 0x89, 0xc1, 0x45, 0x0f, 0x44, 0xca]);
                }
                AtomicOp::IncWrap => {
                    // lea r10d, [r8 + 1]; cmp; mov r9d, 0; cmovb r9d, r10d
                    asm.bytes(&[0x45, 0x8d, 0x50, 0x01]);
                    asm.bytes(compare);
                    asm.bytes(&[0x41, 0xb9, 0, 0, 0, 0, 0x45, 0x0f, 0x42, 0xca]);
                }
                // lea r10d, [r8 - 1]; cmp r10d, r9d; cmovb r9d, r10d: of zero it is the greatest number.
                AtomicOp::DecWrap => {
                    asm.bytes(&[0x45, 0x8d, 0x50, 0xff, 0x45, 0x39, 0xca, 0x45, 0x0f, 0x42, 0xca]);
                }
                AtomicOp::Insert => {
                    // xor r9d, r8d; and r9d, [second + 4 rcx]; xor r9d, r8d
                    asm.bytes(&[0x45, 0x31, 0xc1]);
                    asm.at_arena(&[0x44, 0x23, 0x8c, 0x8b], lines.second);
                    asm.bytes(&[0x45, 0x31, 0xc1]);
                }
            }
            // mov [rdx], r9d
            asm.bytes(&[0x44, 0x89, 0x0a]);
        });
    }
}
