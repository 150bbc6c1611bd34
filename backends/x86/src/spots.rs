//! Where values are for the instructions of a block.
//!
//! Instructions ask for this more than for anything else, so it is found out once for each register and for all blocks that run
//! side by side: registers and slots of the second block lie as far behind those of the first one everywhere.

use crate::layout::{self, At, Layout};
use crate::level::Level;
use parallax_lane::{Allocation, Class, Function, Place, Reg, Source};

/// Where a value of the first block is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Spot {
    /// In a vector register.
    Vector(u8),
    /// It never changes, and is in a spare vector register for all blocks.
    Lent(u8),
    /// In a mask register.
    Mask(u8),
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
pub(crate) struct Behind {
    /// Numbers of registers.
    pub(crate) vectors: u8,
    pub(crate) masks: u8,
    /// Bytes of slots.
    pub(crate) slots: u32,
    pub(crate) mask_slots: u32,
}

/// Where all values are.
pub(crate) struct Spots {
    level: Level,
    of: Vec<Spot>,
    /// Of the block whose code is written.
    pub(crate) behind: Behind,
    /// Values that never change and are in a spare register for the instructions of all blocks, with where else they are.
    lent: [(Reg, Spot); SPARE],
    /// A bit for each spare register that holds one.
    holding: u8,
}

impl Spots {
    /// Those of a stream with these places.
    pub(crate) fn new(level: Level, function: &Function, layout: &Layout, allocation: &Allocation) -> Spots {
        let mut constants = layout.constants();
        let spot = |(data, place): (&parallax_lane::RegData, &Place)| match (data.source, *place) {
            (Some(source @ (Source::Bits32(_) | Source::Bits64(_))), _) => {
                // They stand there in the order of their registers.
                let at = constants.next().unwrap_or_default() as u32;
                if matches!(source, Source::Bits32(_)) { Spot::Word(at) } else { Spot::Double(at) }
            }
            (Some(source), _) => match (source, layout.source(source)) {
                (Source::QuadLane | Source::KeptMask(_), At::Line(at)) => Spot::OwnLine(at as u32),
                (_, At::Line(at)) => Spot::Line(at as u32),
                (_, At::Word(at)) => Spot::Word(at as u32),
                (_, At::Double(at)) => Spot::Double(at as u32),
                (_, At::Mask(at)) => Spot::Bits(at as u32),
            },
            (None, Place::Vector(n)) => Spot::Vector(n),
            (None, Place::Mask(n)) => Spot::Mask(n),
            (None, Place::VectorSlot(n)) => Spot::Slot((layout.slots + level.line() * n as usize) as u32),
            (None, Place::MaskSlot(n)) => Spot::MaskSlot((layout.mask_slots + 8 * n as usize) as u32),
            (None, _) if data.class == Class::Mask && !allocation.masks_in_vectors => Spot::NoMask,
            (None, _) => Spot::Nowhere,
        };
        let of = function.regs.iter().zip(&allocation.places).map(spot).collect();
        Spots { level, of, behind: Behind::default(), lent: [(0, Spot::Nowhere); SPARE], holding: 0 }
    }

    #[inline]
    fn spot(&self, reg: Reg) -> Spot {
        self.of[reg as usize]
    }

    /// The vector register that a value is in.
    #[inline]
    pub(crate) fn vector(&self, reg: Reg) -> Option<u8> {
        match self.spot(reg) {
            Spot::Vector(n) => Some(n + self.behind.vectors),
            Spot::Lent(n) => Some(n),
            _ => None,
        }
    }

    /// The mask register that a mask is in.
    #[inline]
    pub(crate) fn mask(&self, reg: Reg) -> Option<u8> {
        match self.spot(reg) {
            Spot::Mask(n) => Some(n + self.behind.masks),
            _ => None,
        }
    }

    /// Where a value is in memory that an instruction sets, if that is where it belongs: a line, or a bit for each lane.
    #[inline]
    pub(crate) fn slot(&self, reg: Reg) -> Option<usize> {
        match self.spot(reg) {
            Spot::Slot(at) => Some((at + self.behind.slots) as usize),
            Spot::MaskSlot(at) => Some((at + self.behind.mask_slots) as usize),
            _ => None,
        }
    }

    /// Where a value is in memory, when registers have been saved there.
    #[inline]
    pub(crate) fn at(&self, reg: Reg) -> At {
        let spot = match self.spot(reg) {
            Spot::Lent(_) => self.lent.iter().find(|lent| lent.0 == reg).map_or(Spot::Nowhere, |lent| lent.1),
            spot => spot,
        };
        match spot {
            Spot::Vector(n) | Spot::Lent(n) => {
                At::Line(layout::VECTORS + self.level.line() * usize::from(n + self.behind.vectors))
            }
            Spot::Mask(n) => At::Mask(layout::MASKS + 8 * usize::from(n + self.behind.masks)),
            Spot::Slot(at) => At::Line((at + self.behind.slots) as usize),
            Spot::MaskSlot(at) => At::Mask((at + self.behind.mask_slots) as usize),
            Spot::Line(at) | Spot::OwnLine(at) => At::Line(at as usize),
            Spot::Word(at) => At::Word(at as usize),
            Spot::Double(at) => At::Double(at as usize),
            Spot::Bits(at) => At::Mask(at as usize),
            Spot::Nowhere => At::Line(layout::MASKS - self.level.line()),
            Spot::NoMask => At::Mask(layout::MASKS),
        }
    }

    /// The number of a spare register that blocks can share a value in: it never changes and is in none yet. It is one that
    /// holds none of these operands. A bit for each says which there are.
    #[inline(always)]
    pub(crate) fn free_for(&self, reg: Reg, spare: u8, operands: &[Reg]) -> Option<usize> {
        if !matches!(self.spot(reg), Spot::Line(_) | Spot::Word(_) | Spot::Double(_)) {
            return None;
        }
        let holds_one =
            |n: usize| self.holding >> n & 1 != 0 && operands.iter().any(|&operand| operand == self.lent[n].0);
        (0..SPARE).find(|&n| spare >> n & 1 != 0 && !holds_one(n))
    }

    /// From here on a spare register, which is this one, holds a value for all blocks, and no other one.
    #[inline]
    pub(crate) fn lend(&mut self, reg: Reg, spare: usize, register: u8) {
        self.keep_lent(!(1 << spare));
        self.lent[spare] = (reg, self.spot(reg));
        self.holding |= 1 << spare;
        self.of[reg as usize] = Spot::Lent(register);
    }

    /// From here on spare registers hold nothing for all blocks, but those whose bits are set.
    #[inline]
    pub(crate) fn keep_lent(&mut self, kept: u8) {
        if self.holding & !kept != 0 {
            self.forget(kept);
        }
    }

    fn forget(&mut self, kept: u8) {
        for (n, &(reg, spot)) in self.lent.iter().enumerate() {
            if (self.holding & !kept) >> n & 1 != 0 {
                self.of[reg as usize] = spot;
            }
        }
        self.holding &= kept;
    }
}
