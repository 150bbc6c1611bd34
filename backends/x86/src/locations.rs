//! Where values are for the instructions of a block.
//!
//! Instructions ask for this more than for anything else, so it is found out once for each register and for all blocks that are
//! interleaved: registers and slots of a block lie as far behind those of the one before everywhere.

use crate::layout::{self, At, Layout};
use crate::level::Level;
use parallax_lane::{Allocation, Class, Distances, Function, Place, Reg, Source};

/// Where a value of the first block is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Location {
    /// In a vector register.
    Vector(u8),
    /// It never changes, and is in a spare vector register for all blocks.
    Pinned(u8),
    /// In a mask register.
    Mask(u8),
    /// The same, for all blocks.
    SharedVector(u8),
    SharedMask(u8),
    /// In memory: a line, a bit for each lane.
    Slot(u32),
    MaskSlot(u32),
    /// It never changes, and is in memory: a line, 32 bits for all lanes, 64 bits, a bit for each lane.
    Line(u32),
    Word(u32),
    Double(u32),
    Bits(u32),
    /// A line that blocks do not share in a register.
    OwnLine(u32),
    /// It is never set: nobody reads it.
    Nowhere,
    /// The same of a mask that would be in a mask register.
    NoMask,
}

/// Most registers that hold values for all blocks.
pub(crate) const SPARE: usize = 2;

/// How far what belongs to a block lies behind what belongs to the first one.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BlockOffset {
    /// Numbers of registers.
    pub(crate) vectors: u8,
    pub(crate) masks: u8,
    /// Bytes of slots.
    pub(crate) slots: u32,
    pub(crate) mask_slots: u32,
}

impl BlockOffset {
    /// That of a block so many blocks further on.
    #[inline]
    pub(crate) fn times(self, blocks: usize) -> BlockOffset {
        BlockOffset {
            vectors: self.vectors * blocks as u8,
            masks: self.masks * blocks as u8,
            slots: self.slots * blocks as u32,
            mask_slots: self.mask_slots * blocks as u32,
        }
    }
}

/// Where all values are.
pub(crate) struct Locations {
    level: Level,
    of: Vec<Location>,
    /// Of the block whose code is written.
    pub(crate) block_offset: BlockOffset,
    /// How values of interleaved blocks differ.
    distances: Distances,
    /// Values that never change and are in a spare register for the instructions of all blocks, with where else they are.
    pinned: [(Reg, Location); SPARE],
    /// A bit for each spare register that holds one.
    holding: u8,
}

impl Locations {
    /// Those of a stream with these places.
    pub(crate) fn new(level: Level, function: &Function, layout: &Layout, allocation: &Allocation) -> Locations {
        let mut constants = layout.constants();
        let location = |(reg, (data, place)): (usize, (&parallax_lane::RegData, &Place))| match (data.source, *place) {
            (Some(source @ (Source::Bits32(_) | Source::Bits64(_))), _) => {
                // They stand there in the order of their registers.
                let at = constants.next().unwrap_or_default() as u32;
                if matches!(source, Source::Bits32(_)) { Location::Word(at) } else { Location::Double(at) }
            }
            (Some(source), _) => match (source, layout.source(source)) {
                (Source::QuadLane | Source::KeptMask(_), At::Line(at)) => Location::OwnLine(at as u32),
                (_, At::Line(at)) => Location::Line(at as u32),
                (_, At::Word(at)) => Location::Word(at as u32),
                (_, At::Double(at)) => Location::Double(at as u32),
                (_, At::Mask(at)) => Location::Bits(at as u32),
            },
            (None, Place::Vector(n)) if allocation.is_shared(reg as Reg) => Location::SharedVector(n),
            (None, Place::Mask(n)) if allocation.is_shared(reg as Reg) => Location::SharedMask(n),
            (None, Place::Vector(n)) => Location::Vector(n),
            (None, Place::Mask(n)) => Location::Mask(n),
            (None, Place::VectorSlot(n)) => Location::Slot((layout.slots + level.line() * n as usize) as u32),
            (None, Place::MaskSlot(n)) => Location::MaskSlot((layout.mask_slots + 8 * n as usize) as u32),
            (None, _) if data.class == Class::Mask && !allocation.masks_in_vectors => Location::NoMask,
            (None, _) => Location::Nowhere,
        };
        let of = function.regs.iter().zip(&allocation.places).enumerate().map(location).collect();
        Locations {
            level,
            of,
            block_offset: BlockOffset::default(),
            distances: allocation.distances.clone(),
            pinned: [(0, Location::Nowhere); SPARE],
            holding: 0,
        }
    }

    #[inline]
    fn location(&self, reg: Reg) -> Location {
        self.of[reg as usize]
    }

    /// The vector register that a value is in.
    #[inline]
    pub(crate) fn vector(&self, reg: Reg) -> Option<u8> {
        match self.location(reg) {
            Location::Vector(n) => Some(n + self.block_offset.vectors),
            Location::Pinned(n) | Location::SharedVector(n) => Some(n),
            _ => None,
        }
    }

    /// Whether all blocks have a value in one register.
    pub(crate) fn is_shared(&self, reg: Reg) -> bool {
        matches!(self.location(reg), Location::SharedVector(_) | Location::SharedMask(_))
    }

    /// How much greater a value is in this block than what the first one has, which may hold it for all blocks.
    pub(crate) fn distance(&self, reg: Reg, block: usize) -> Option<u32> {
        Some(self.distances.distance(reg)?.wrapping_mul(block as u32))
    }

    /// The mask register that a mask is in.
    #[inline]
    pub(crate) fn mask(&self, reg: Reg) -> Option<u8> {
        match self.location(reg) {
            Location::Mask(n) => Some(n + self.block_offset.masks),
            Location::SharedMask(n) => Some(n),
            _ => None,
        }
    }

    /// Where a value is in memory that an instruction sets, if that is where it belongs: a line, or a bit for each lane.
    #[inline]
    pub(crate) fn slot(&self, reg: Reg) -> Option<usize> {
        match self.location(reg) {
            Location::Slot(at) => Some((at + self.block_offset.slots) as usize),
            Location::MaskSlot(at) => Some((at + self.block_offset.mask_slots) as usize),
            _ => None,
        }
    }

    /// Where a value is in memory, when registers have been saved there.
    #[inline]
    pub(crate) fn at(&self, reg: Reg) -> At {
        let location = match self.location(reg) {
            Location::Pinned(_) => {
                self.pinned.iter().find(|pinned| pinned.0 == reg).map_or(Location::Nowhere, |pinned| pinned.1)
            }
            location => location,
        };
        match location {
            Location::Vector(n) | Location::Pinned(n) => {
                At::Line(layout::VECTORS + self.level.line() * usize::from(n + self.block_offset.vectors))
            }
            Location::SharedVector(n) => At::Line(layout::VECTORS + self.level.line() * usize::from(n)),
            Location::Mask(n) => At::Mask(layout::MASKS + 8 * usize::from(n + self.block_offset.masks)),
            Location::SharedMask(n) => At::Mask(layout::MASKS + 8 * usize::from(n)),
            Location::Slot(at) => At::Line((at + self.block_offset.slots) as usize),
            Location::MaskSlot(at) => At::Mask((at + self.block_offset.mask_slots) as usize),
            Location::Line(at) | Location::OwnLine(at) => At::Line(at as usize),
            Location::Word(at) => At::Word(at as usize),
            Location::Double(at) => At::Double(at as usize),
            Location::Bits(at) => At::Mask(at as usize),
            Location::Nowhere => At::Line(layout::MASKS - self.level.line()),
            Location::NoMask => At::Mask(layout::MASKS),
        }
    }

    /// The number of a spare register that blocks can share a value in: it never changes and is in none yet. It is one that
    /// holds none of these operands. A bit for each says which there are.
    #[inline(always)]
    pub(crate) fn free_for(&self, reg: Reg, spare: u8, operands: &[Reg]) -> Option<usize> {
        if !matches!(self.location(reg), Location::Line(_) | Location::Word(_) | Location::Double(_)) {
            return None;
        }
        let holds_one =
            |n: usize| self.holding >> n & 1 != 0 && operands.iter().any(|&operand| operand == self.pinned[n].0);
        (0..SPARE).find(|&n| spare >> n & 1 != 0 && !holds_one(n))
    }

    /// From here on a spare register, which is this one, holds a value for all blocks, and no other one.
    #[inline]
    pub(crate) fn lend(&mut self, reg: Reg, spare: usize, register: u8) {
        self.keep_pinned(!(1 << spare));
        self.pinned[spare] = (reg, self.location(reg));
        self.holding |= 1 << spare;
        self.of[reg as usize] = Location::Pinned(register);
    }

    /// From here on spare registers hold nothing for all blocks, but those whose bits are set.
    #[inline]
    pub(crate) fn keep_pinned(&mut self, kept: u8) {
        if self.holding & !kept != 0 {
            self.forget(kept);
        }
    }

    fn forget(&mut self, kept: u8) {
        for (n, &(reg, location)) in self.pinned.iter().enumerate() {
            if (self.holding & !kept) >> n & 1 != 0 {
                self.of[reg as usize] = location;
            }
        }
        self.holding &= kept;
    }
}
