//! From lane form with places to instructions.
//!
//! The code is one function. It saves the registers that the convention of the host asks for, sets the control word, runs the
//! prologue, then the body for each block of lanes, and goes back. Register rbx leads to the arena, r12 is the first lane of
//! the block, r13 where its bits are in the words of a bit for each lane, r14 says how the code is run, r15 leads to the frame of a
//! turn where lanes take turns ([`crate::turns`]); where batches are whole workgroups rbp and r14 lead to buffers. Other registers are
//! for anybody.

use crate::asm::{Asm, Target, Wanted};
use crate::gather::{Array, Read};
use crate::layout::{self, At, Layout};
use crate::level::{Interleaving, Level};
use crate::locations::{BlockOffset, Locations, SPARE};
use crate::lookup::{self, Lookup};
use crate::memory::{Accesses, FirstLanes, Pointers};
use crate::turns::Turns;
use parallax_core::{EntityRef, OpKind, TexOp};
use parallax_lane::{Allocation, Function, Op, Place, Reg, SiteKind, Source, Stream, is_for_all};
use parallax_step::{Mode, OpNumber, Ty};
use std::marker::PhantomData;

/// Where the operands and results of a site are.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Found {
    pub(crate) uses: Vec<At>,
    pub(crate) defs: Vec<At>,
}

/// Code with what it takes to run it.
pub(crate) struct Emitted {
    pub(crate) bytes: Vec<u8>,
    pub(crate) wanted: Wanted,
    pub(crate) sites: Vec<Found>,
    /// Where the code of each instruction starts, if that was asked for.
    pub(crate) origins: Vec<Start>,
}

/// Where the code of an instruction starts: the offset, whether it is of the prologue, its number.
pub(crate) type Start = (usize, bool, usize);

/// Pieces of code that stand behind the code of most shaders.
const COLD: usize = 32;

/// Writes the code of one function, with the patterns of a level `L`.
pub(crate) struct Emitter<'a, L> {
    pub(crate) asm: Asm,
    pub(crate) function: &'a Function,
    pub(crate) layout: &'a Layout,
    pub(crate) locations: Locations,
    /// What lies how far behind in the next one of interleaved blocks, and how many there are.
    block_offset: BlockOffset,
    pub(crate) blocks: usize,
    labels: Vec<Target>,
    /// Saves the registers and calls the host.
    stub: Target,
    /// Of each block that is interleaved with the first one a list.
    sites: Vec<Found>,
    /// The block whose code is written, of those that are interleaved.
    pub(crate) block: usize,
    /// Code out of line: what, of which block, where it is gone to, where the code goes on.
    pub(crate) cold: Vec<(Cold<'a>, usize, Target, Target)>,
    /// How many registers of each class hold something when the code calls out.
    used: (u8, u8),
    /// Of which addresses a register keeps what the first lane holds.
    pub(crate) first_lanes: FirstLanes,
    /// Registers that lead to buffers.
    pub(crate) pointers: Pointers,
    /// Where turns go on and where the next one starts.
    pub(crate) turns: Turns<'a>,
    /// `None` where nobody asks.
    origins: Option<Vec<Start>>,
    level: PhantomData<L>,
}

/// What stands behind the code because it is rare.
pub(crate) enum Cold<'a> {
    /// The call of a site.
    Call(u32),
    /// The words of a table at any addresses, to a register.
    Load(usize, Reg, u32, Reg),
    /// The store to a table of words at any addresses.
    Store(usize, &'a [Reg], u32),
    /// Lanes that have run out of fuel.
    OutOfFuel(Reg),
    /// Fuel that is not spent.
    Unspend(u32),
    /// The last turn of a workgroup at a stop.
    LastTurn(usize),
    /// What a lookup gives where an image, described at an offset, makes NaNs.
    Settle(usize, &'a [Reg]),
    /// What an instruction of the body does where lanes lie in rows of their own.
    InRows(Op, &'a [Reg], &'a [Reg]),
}

/// What differs from level to level.
pub(crate) trait Patterns: Accesses {
    const LEVEL: Level;
    /// An instruction that neither leads elsewhere nor calls out.
    fn operation(&mut self, op: &Op, uses: &[Reg], defs: &[Reg]);
    /// Scratch registers that can hold something for all blocks.
    const SPARE: [u8; SPARE];
    /// A bit for each of those that the pattern of an instruction leaves alone.
    fn spare(op: &Op) -> u8;
    /// Loads or copies a value to a vector register.
    fn load_to(&mut self, reg: Reg, to: u8);
    /// Whether a mask is true anywhere: then the zero flag is clear.
    fn test(&mut self, mask: Reg);
    /// Brings the first registers to the arena.
    fn save(&mut self, vectors: u8, masks: u8);
    /// Brings them back.
    fn restore(&mut self, vectors: u8, masks: u8);
    /// Computes an attribute from where pixels are, without bringing it to its place.
    fn attr(&mut self, plane: usize, uses: &[Reg], def: Reg);
    /// Reads 32 bits for each lane from where the pointer at an offset leads, without bringing them to their place.
    fn read(&mut self, pointer: usize, def: Reg);
    /// Brings a result to its place.
    fn settle(&mut self, def: Reg);
    /// Puts a 32-bit value into the upper row of pixels, to which rax leads, and the lower one, to which rcx does.
    fn out_to_rows(&mut self, value: Reg);
    /// The first part of a lookup of a flat image: where its texels are. It comes before the other part for every block that is
    /// interleaved with the first one, so that they do not wait for each other.
    fn lookup_places(&mut self, lookup: Lookup, tex: &TexOp, uses: &[Reg]);
    /// The other part: the texels; goes elsewhere if the lookup is not possible.
    fn lookup_texels(&mut self, lookup: Lookup, elsewhere: Target, defs: &[Reg]);
    /// Gives NaNs among the components that are read the bits of those of textures.
    fn settle_texels(&mut self, image: usize, defs: &[Reg]);
    /// Reads the vectors of a table at an offset; goes elsewhere if that is not possible.
    fn gather_vectors(&mut self, table: usize, read: Read, elsewhere: Target, index: Reg, def: Reg);
    /// Reads the element of each lane at its index; zero bits where there is none.
    fn load_elements(&mut self, array: Array, ty: Ty, uses: &[Reg], defs: &[Reg]);
    /// Writes the element of each lane that executes at its index, where there is one.
    fn store_elements(&mut self, array: Array, ty: Ty, uses: &[Reg]);
    /// Gives the lanes of the block the fuel of a start.
    fn refuel(&mut self);
    /// Brings the fuel of the lanes of the block to the frame, or back.
    fn move_fuel(&mut self, to_frame: bool);
    /// Brings a value to the frame at an offset.
    fn store_lanes(&mut self, reg: Reg, at: usize);
    /// Brings it back.
    fn load_lanes(&mut self, reg: Reg, at: usize);
    /// Says in the frame which lanes wait.
    fn wait(&mut self, lanes: Reg);
    /// Says that lanes have run out of fuel.
    fn run_out(&mut self, lanes: Reg);
}

/// Places of a function: of the prologue, of the body for the first block, and how others are interleaved with it.
pub(crate) struct Places {
    pub(crate) prologue: Allocation,
    pub(crate) body: Allocation,
    pub(crate) interleaving: Option<Interleaving>,
}

impl Places {
    /// Interleaved blocks.
    pub(crate) fn blocks(&self) -> usize {
        self.interleaving.map_or(1, |interleaving| interleaving.blocks)
    }

    /// What lies how far behind in the next one of them.
    fn offset(&self, level: Level) -> BlockOffset {
        let next = self.interleaving.map(|interleaving| BlockOffset {
            vectors: interleaving.vectors,
            masks: interleaving.masks,
            slots: self.body.slots.0 * level.line() as u32,
            mask_slots: self.body.slots.1 * 8,
        });
        next.unwrap_or_default()
    }

    /// How many registers of each class hold something when the code calls out.
    fn used(&self) -> (u8, u8) {
        let mut used = (0, 0);
        let last = self.blocks() as u8 - 1;
        let further = self.interleaving.map_or((0, 0), |of| (last * of.vectors, last * of.masks));
        for (allocation, further) in [(&self.prologue, (0, 0)), (&self.body, further)] {
            for (reg, place) in (0..).zip(&allocation.places) {
                let further = if allocation.is_shared(reg) { (0, 0) } else { further };
                match place {
                    Place::Vector(n) => used.0 = used.0.max(n + further.0 + 1),
                    Place::Mask(n) => used.1 = used.1.max(n + further.1 + 1),
                    _ => {}
                }
            }
        }
        used
    }
}

/// Bytes that most instructions of lane form take, and what stands around them.
const BYTES: (usize, usize) = (14, 512);

/// Writes the code of a function. `with_origins`: where the code of each instruction starts, too.
///
/// # Errors
/// An instruction without encoding, a jump that is too far.
pub(crate) fn write<'a, L>(
    function: &'a Function,
    layout: &'a Layout,
    places: &'a Places,
    with_origins: bool,
) -> Result<Emitted, String>
where
    Emitter<'a, L>: Patterns,
{
    let level = <Emitter<'a, L> as Patterns>::LEVEL;
    let count = function.prologue.code.len() + function.body.code.len() * places.blocks();
    let mut asm = Asm::new(BYTES.0 * count + BYTES.1);
    let stub = asm.target();
    let labels = (0..function.labels).map(|_| asm.target()).collect();
    let turns = Turns::new(&mut asm, function, &places.body.kept);
    let first = if function.prologue.code.is_empty() { &places.body } else { &places.prologue };
    let mut emitter = Emitter {
        asm,
        function,
        layout,
        locations: Locations::new(level, function, layout, first),
        block_offset: places.offset(level),
        blocks: places.blocks(),
        labels,
        stub,
        sites: vec![Found::default(); function.sites.len() * places.blocks()],
        block: 0,
        cold: Vec::with_capacity(COLD),
        used: if function.sites.is_empty() { (0, 0) } else { places.used() },
        first_lanes: FirstLanes::default(),
        pointers: Pointers::of(function, layout),
        turns,
        origins: with_origins.then(Vec::new),
        level: PhantomData,
    };
    emitter.function(&places.body);
    let Emitter { asm, sites, origins, .. } = emitter;
    let (bytes, wanted) = asm.finish()?;
    Ok(Emitted { bytes, wanted, sites, origins: origins.unwrap_or_default() })
}

impl<'a, L> Emitter<'a, L>
where
    Self: Patterns,
{
    fn function(&mut self, places: &Allocation) {
        let function = self.function;
        let asm = &mut self.asm;
        let takes_turns = function.turns.is_some();
        // push rbx, r12, r13, r14
        asm.bytes(&[0x53, 0x41, 0x54, 0x41, 0x55, 0x41, 0x56]);
        if takes_turns {
            // push r15, rbp
            asm.bytes(&[0x41, 0x57, 0x55]);
        }
        // mov rbx, rdi; stmxcsr
        asm.bytes(&[0x48, 0x89, 0xfb]);
        asm.at_arena(&[0x0f, 0xae, 0x9b], layout::CONTROL_HOST);
        // mov r14d, flags
        asm.at_arena(&[0x44, 0x8b, 0xb3], layout::FLAGS);
        self.control(function.mode);
        let body = self.asm.target();
        self.jump_if(layout::STARTED, body);
        self.stream(&function.prologue, true, 1);
        if !function.prologue.code.is_empty() {
            self.locations = Locations::new(Self::LEVEL, function, self.layout, places);
        }
        let blocks = self.blocks;
        let asm = &mut self.asm;
        asm.place(body);
        let block = asm.target();
        if function.group.is_some() {
            self.start_group(block);
        } else if takes_turns {
            self.start_turn(block);
        } else {
            // xor r12d, r12d
            asm.bytes(&[0x45, 0x31, 0xe4]);
            asm.place(block);
            // mov r13, r12; shr r13, 3
            asm.bytes(&[0x4d, 0x89, 0xe5, 0x49, 0xc1, 0xed, 0x03]);
        }
        if function.has_loops {
            self.refuel();
        }
        if let Some((start, words)) = self.layout.words_of_arrays() {
            // lea rdi, [start]; mov ecx, words; xor eax, eax; rep stosq
            self.asm.at_arena(&[0x48, 0x8d, 0xbb], start);
            self.asm.at_arena(&[0xb9], words);
            self.asm.bytes(&[0x31, 0xc0, 0xf3, 0x48, 0xab]);
        }
        self.stream(&function.body, false, blocks);
        if function.group.is_some() {
            self.end_group(block);
        } else if takes_turns {
            self.end_turn(block);
        } else {
            let asm = &mut self.asm;
            // add r12, lanes of a block; cmp r12, lanes; jb block
            asm.bytes(&[0x49, 0x83, 0xc4, (Self::LEVEL.lanes() * blocks) as u8]);
            asm.at_arena(&[0x4c, 0x3b, 0xa3], layout::LANES);
            asm.jump(&[0x0f, 0x82], block);
        }
        let asm = &mut self.asm;
        asm.at_arena(&[0x0f, 0xae, 0x93], layout::CONTROL_HOST);
        if takes_turns {
            // pop rbp, r15
            asm.bytes(&[0x5d, 0x41, 0x5f]);
        }
        // vzeroupper; pop r14, r13, r12, rbx; ret
        asm.bytes(&[0xc5, 0xf8, 0x77, 0x41, 0x5e, 0x41, 0x5d, 0x41, 0x5c, 0x5b, 0xc3]);
        for (cold, block, from, back) in std::mem::take(&mut self.cold) {
            self.asm.place(from);
            self.turn_to(block);
            match cold {
                Cold::Call(site) => self.call(site),
                Cold::Load(table, address, offset, def) => self.load_anywhere(table, address, offset, def),
                Cold::Store(table, uses, offset) => self.store_anywhere(table, uses, offset),
                Cold::Unspend(count) => {
                    // add dword [fuel], count
                    self.asm.at_arena(&[0x81, 0x83], layout::FUEL);
                    self.asm.bytes(&count.to_le_bytes());
                }
                Cold::LastTurn(number) => self.last_turn(number),
                Cold::Settle(image, defs) => self.settle_texels(image, defs),
                Cold::OutOfFuel(lanes) => {
                    // mov dword [fuel], 0
                    self.asm.at_arena(&[0xc7, 0x83], layout::FUEL);
                    self.asm.bytes(&[0; 4]);
                    for block in 0..self.blocks {
                        self.turn_to(block);
                        self.run_out(lanes);
                    }
                }
                Cold::InRows(Op::Attr(plane), _, defs) => {
                    self.read(self.layout.attributes + 8 * plane as usize, defs[0]);
                }
                Cold::InRows(op, uses, defs) => self.operation(&op, uses, defs),
            }
            self.asm.jump(&[0xe9], back);
        }
        self.turn_to(0);
        if !function.sites.is_empty() {
            self.stub();
        }
    }

    /// Sets the control word of a state.
    fn control(&mut self, mode: Mode) {
        self.asm.at_arena(&[0x0f, 0xae, 0x93], layout::control(mode));
    }

    /// Goes elsewhere if a flag is set.
    fn jump_if(&mut self, flag: u8, to: Target) {
        // test r14b, flag; jnz
        self.asm.bytes(&[0x41, 0xf6, 0xc6, flag]);
        self.asm.jump(&[0x0f, 0x85], to);
    }

    /// Goes elsewhere unless a flag is set.
    fn jump_unless(&mut self, flag: u8, to: Target) {
        self.asm.bytes(&[0x41, 0xf6, 0xc6, flag]);
        self.asm.jump(&[0x0f, 0x84], to);
    }

    /// Calls the host.
    fn call(&mut self, site: u32) {
        self.asm.bytes(&[0xbe]);
        self.asm.bytes(&site.to_le_bytes());
        self.asm.jump(&[0xe8], self.stub);
    }

    /// What all calls go through: registers to the arena, the host's control word, the host, and back.
    fn stub(&mut self) {
        let (vectors, masks) = self.used;
        self.asm.place(self.stub);
        self.save(vectors, masks);
        let asm = &mut self.asm;
        // mov [lane], r12; the control words; mov rdi, [host]; vzeroupper; call [helper]
        asm.at_arena(&[0x4c, 0x89, 0xa3], layout::LANE);
        asm.at_arena(&[0x0f, 0xae, 0x9b], layout::CONTROL_SITE);
        asm.at_arena(&[0x0f, 0xae, 0x93], layout::CONTROL_HOST);
        asm.at_arena(&[0x48, 0x8b, 0xbb], layout::HOST);
        asm.bytes(&[0xc5, 0xf8, 0x77]);
        asm.at_arena(&[0xff, 0x93], layout::HELPER);
        asm.at_arena(&[0x0f, 0xae, 0x93], layout::CONTROL_SITE);
        self.restore(vectors, masks);
        self.load_pointers();
        self.asm.bytes(&[0xc3]);
    }

    /// The code of a stream: each instruction for one block after the other.
    fn stream(&mut self, stream: &'a Stream, prologue: bool, blocks: usize) {
        for (n, inst) in stream.code.iter().enumerate() {
            let (uses, defs) = stream.parts(inst);
            self.starts(prologue, n);
            if blocks > 1 {
                self.share(&inst.op, uses, defs);
            }
            match inst.op {
                Op::Step(..) => self.step_of_blocks(&inst.op, uses, defs, (prologue, n), blocks),
                op => self.inst_of_blocks(op, uses, defs, (prologue, n), blocks),
            }
            self.first_lanes.set(defs);
            if !self.layout.frame.framed.is_empty() {
                self.bring_to_frame(defs);
            }
        }
        self.turn_to(0);
        self.locations.keep_pinned(0);
        self.starts(prologue, stream.code.len());
    }

    /// A primitive for one block after the other: what most instructions are.
    #[inline]
    fn step_of_blocks(&mut self, op: &Op, uses: &[Reg], defs: &[Reg], at: (bool, usize), blocks: usize) {
        if blocks == 1 {
            return self.operation(op, uses, defs);
        }
        for block in 0..self.blocks_of(*op, defs) {
            self.turn_to(block);
            self.starts(at.0, at.1);
            self.operation(op, uses, defs);
        }
    }

    /// How many blocks an instruction is written for.
    fn blocks_of(&self, op: Op, defs: &[Reg]) -> usize {
        let is_shared = |&reg: &Reg| self.locations.is_shared(reg);
        if is_for_all(op) || !defs.is_empty() && defs.iter().all(is_shared) { 1 } else { self.blocks }
    }

    #[inline(never)]
    fn inst_of_blocks(&mut self, op: Op, uses: &'a [Reg], defs: &'a [Reg], at: (bool, usize), blocks: usize) {
        if !self.keeps_first_lanes(op) {
            self.first_lanes.forget();
        }
        if let Some((lookup, tex)) = self.lookup(op) {
            for block in 0..blocks {
                self.turn_to(block);
                self.starts(at.0, at.1);
                self.lookup_places(lookup, &tex, uses);
            }
        }
        for block in 0..if blocks == 1 { 1 } else { self.blocks_of(op, defs) } {
            self.turn_to(block);
            self.starts(at.0, at.1);
            self.inst(op, uses, defs);
        }
    }

    /// Whether the registers that keep first lanes are behind an instruction what they were before it: others may come by here, or the
    /// host is called.
    fn keeps_first_lanes(&self, op: Op) -> bool {
        let is_access = |site: u32| {
            let kind = self.function.sites[site as usize].kind;
            matches!(kind, SiteKind::Ir(OpKind::BufferLoad { .. } | OpKind::BufferStore { .. }))
        };
        match op {
            Op::Call(site) => is_access(site),
            op => op.stop().is_none() && !matches!(op, Op::Label(_)),
        }
    }

    /// The code of an instruction starts here.
    #[inline]
    fn starts(&mut self, prologue: bool, number: usize) {
        if let Some(origins) = &mut self.origins {
            origins.push((self.asm.offset(), prologue, number));
        }
    }

    /// Loads operands of an instruction that never change, for all interleaved blocks.
    fn share(&mut self, op: &Op, uses: &[Reg], defs: &[Reg]) {
        let spare = Self::spare(op);
        self.locations.keep_pinned(spare);
        if spare == 0 || self.blocks_of(*op, defs) == 1 {
            return;
        }
        for &reg in uses.iter().rev() {
            if let Some(n) = self.locations.free_for(reg, spare, uses) {
                self.load_to(reg, Self::SPARE[n]);
                self.locations.lend(reg, n, Self::SPARE[n]);
            }
        }
    }

    /// Code of this block that stands behind the rest.
    pub(crate) fn set_aside(&mut self, cold: Cold<'a>, from: Target, back: Target) {
        self.cold.push((cold, self.block, from, back));
    }

    /// From here on code is that of a block.
    #[inline]
    pub(crate) fn turn_to(&mut self, block: usize) {
        self.block = block;
        self.locations.block_offset = self.block_offset.times(block);
        self.asm.ahead = block * Self::LEVEL.lanes();
    }

    /// The lookup that an instruction is, if code does it, and where its image is described.
    #[inline]
    fn lookup(&self, op: Op) -> Option<(Lookup, TexOp)> {
        let Op::Call(site) = op else { return None };
        let lookup = self.layout.lookups.get(&site)?;
        Some((*lookup, self.function.sites[site as usize].lookup()?))
    }

    /// NaNs that a lookup gives get their bits: few images make any.
    fn settle_lookup(&mut self, lookup: Lookup, defs: &'a [Reg]) {
        let (from, back) = (self.asm.target(), self.asm.target());
        // cmp dword [flag], 0
        self.asm.at_arena(&[0x83, 0xbb], lookup::flag(Self::LEVEL, lookup.image));
        self.asm.bytes(&[0]);
        self.asm.jump(&[0x0f, 0x85], from);
        self.asm.place(back);
        self.set_aside(Cold::Settle(lookup.image, defs), from, back);
    }

    // Registers and memory.

    pub(crate) fn at(&self, reg: Reg) -> At {
        self.locations.at(reg)
    }

    /// What is known to be the same in all lanes: its bits.
    pub(crate) fn bits(&self, reg: Reg) -> Option<u64> {
        match self.function.regs[reg as usize].source? {
            Source::Bits32(bits) => Some(u64::from(bits)),
            Source::Bits64(bits) => Some(bits),
            _ => None,
        }
    }

    /// Whether a value never changes during a batch.
    pub(crate) fn is_source(&self, reg: Reg) -> bool {
        self.function.regs[reg as usize].source.is_some()
    }

    /// Whether a value is known to be the same in all lanes of a batch.
    pub(crate) fn is_uniform(&self, reg: Reg) -> bool {
        let source = self.function.regs[reg as usize].source;
        source.is_some_and(|source| !matches!(source, Source::QuadLane | Source::PixelY))
    }

    /// The vector register that a value has.
    #[inline]
    pub(crate) fn register(&self, reg: Reg) -> Option<u8> {
        self.locations.vector(reg)
    }

    pub(crate) fn is_mask(&self, reg: Reg) -> bool {
        self.function.regs[reg as usize].class == parallax_lane::Class::Mask
    }

    /// Loads the pointer at an offset to rax.
    pub(crate) fn pointer(&mut self, at: usize) {
        self.asm.at_arena(&[0x48, 0x8b, 0x83], at);
    }

    // Instructions.

    fn inst(&mut self, op: Op, uses: &'a [Reg], defs: &'a [Reg]) {
        match op {
            Op::Label(label) => self.asm.place(self.labels[label as usize]),
            Op::Jump(label) => self.asm.jump(&[0xe9], self.labels[label as usize]),
            Op::JumpUnlessAny(label) => {
                self.test(uses[0]);
                self.asm.jump(&[0x0f, 0x84], self.labels[label as usize]);
            }
            Op::JumpIfAny(label) => {
                self.test(uses[0]);
                self.asm.jump(&[0x0f, 0x85], self.labels[label as usize]);
            }
            Op::FuelUniform(label, cost) => {
                // sub dword [fuel], cost; jb
                self.asm.at_arena(&[0x81, 0xab], layout::FUEL);
                self.asm.bytes(&cost.to_le_bytes());
                let empty = self.asm.target();
                self.asm.jump(&[0x0f, 0x82], empty);
                self.set_aside(Cold::OutOfFuel(uses[0]), empty, self.labels[label as usize]);
            }
            Op::Spend(label, count) => {
                // sub dword [fuel], count; jb
                self.asm.at_arena(&[0x81, 0xab], layout::FUEL);
                self.asm.bytes(&count.to_le_bytes());
                let too_few = self.asm.target();
                self.asm.jump(&[0x0f, 0x82], too_few);
                self.set_aside(Cold::Unspend(count), too_few, self.labels[label as usize]);
            }
            Op::Mode(mode) => self.control(mode),
            Op::Barrier(number) if self.function.group.is_some() => self.stop_group(number as usize),
            Op::Barrier(number) | Op::Exchange(_, number) => self.stop(number as usize, uses, defs),
            Op::Call(site) => {
                let list = |regs: &[Reg]| regs.iter().map(|&reg| self.at(reg)).collect::<Vec<At>>();
                let found = Found { uses: list(uses), defs: list(defs) };
                let number = site + (self.block * self.function.sites.len()) as u32;
                self.sites[number as usize] = found;
                if matches!(self.function.sites[site as usize].kind, SiteKind::Redo(_)) {
                    let (from, back) = (self.asm.target(), self.asm.target());
                    self.test(uses[0]);
                    self.asm.jump(&[0x0f, 0x85], from);
                    self.asm.place(back);
                    self.set_aside(Cold::Call(number), from, back);
                } else if let SiteKind::Ir(OpKind::ArrayLoad(array)) = self.function.sites[site as usize].kind {
                    let ty = self.function.arrays[array.index()].0;
                    self.load_elements(self.layout.array(array.index()), ty, uses, defs);
                } else if let SiteKind::Ir(OpKind::ArrayStore(array)) = self.function.sites[site as usize].kind {
                    let ty = self.function.arrays[array.index()].0;
                    self.store_elements(self.layout.array(array.index()), ty, uses);
                } else if self.access(&self.function.sites[site as usize], uses, defs) {
                    // Code does it.
                } else if let Some(&(table, read)) = self.layout.tables.get(&site) {
                    let (from, back) = (self.asm.target(), self.asm.target());
                    self.gather_vectors(table, read, from, uses[1], defs[0]);
                    self.asm.place(back);
                    self.set_aside(Cold::Call(number), from, back);
                } else if let Some((lookup, _)) = self.lookup(op) {
                    let (from, back) = (self.asm.target(), self.asm.target());
                    self.lookup_texels(lookup, from, defs);
                    self.settle_lookup(lookup, defs);
                    self.asm.place(back);
                    self.set_aside(Cold::Call(number), from, back);
                } else {
                    self.call(number);
                }
            }
            Op::Attr(plane) if uses.is_empty() => {
                self.read(self.layout.attributes + 8 * plane as usize, defs[0]);
                self.settle(defs[0]);
            }
            Op::Attr(plane) => {
                let (in_rows, back) = (self.asm.target(), self.asm.target());
                self.jump_unless(layout::PLACED, in_rows);
                self.attr(plane as usize, uses, defs[0]);
                self.asm.place(back);
                self.settle(defs[0]);
                self.set_aside(Cold::InRows(op, uses, defs), in_rows, back);
            }
            Op::PixelX => {
                self.read(layout::XS, defs[0]);
                self.settle(defs[0]);
            }
            Op::System(value) => {
                self.read(self.layout.systems + 8 * value as usize, defs[0]);
                self.settle(defs[0]);
            }
            Op::Out { plane, .. } if self.layout.fills_rows => {
                let (in_rows, back) = (self.asm.target(), self.asm.target());
                self.jump_unless(layout::TO_ROWS, in_rows);
                // mov rax, [upper row]; mov rcx, [lower row]
                self.pointer(self.layout.outputs + 8 * plane as usize);
                self.asm.at_arena(&[0x48, 0x8b, 0x8b], self.layout.lower + 8 * plane as usize);
                self.out_to_rows(uses[0]);
                self.asm.place(back);
                self.set_aside(Cold::InRows(op, uses, defs), in_rows, back);
            }
            op => self.operation(&op, uses, defs),
        }
    }
}

/// The op of step form behind each instruction, for listings.
pub(crate) fn origin(function: &Function, prologue: bool, number: usize) -> Option<(Op, OpNumber)> {
    let stream = if prologue { &function.prologue } else { &function.body };
    stream.code.get(number).map(|inst| (inst.op, inst.origin))
}
