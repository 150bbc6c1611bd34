//! Where things stand in an instruction: two little-endian 64-bit words, here as one 128-bit word, the first in the low
//! half (source document, section "Encoding").

use parallax_isa::Field;

/// Operation.
pub const OPCODE: Field = Field::new("opcode", 0, 8);
/// Last instruction of the program.
pub const END: Field = Field::new("endflag", 8, 1);
/// Wait for pending data; no effect on results.
pub const WAIT: Field = Field::new("waitpoint", 9, 1);
/// Whether the guard predicate counts.
pub const PREDICATED: Field = Field::new("predicated", 10, 1);
/// Run where the guard predicate is false.
pub const INVERT_GUARD: Field = Field::new("invertpred", 11, 1);
/// Guard predicate.
pub const GUARD: Field = Field::new("predreg", 12, 5);

/// The fields of a source operand.
#[derive(Copy, Clone, Debug)]
pub struct SourceFields {
    /// Register bank; only readable banks are valid.
    pub bank: Field,
    /// Register bank where the operation takes a predicate: every value means something.
    pub any_bank: Field,
    /// Negate, or invert a predicate.
    pub negate: Field,
    /// Absolute value, or "literal" for predicates.
    pub absolute: Field,
    /// Register number.
    pub register: Field,
    /// Source component of each result component, x in the high bits.
    pub swizzle: Field,
}

/// Banks an operation can read: in, param, temp, addr, param2.
const READABLE: &[u8] = &[0, 2, 3, 4, 5];

const fn source(names: [&'static str; 5], bank: u8, register: u8) -> SourceFields {
    SourceFields {
        bank: Field::new(names[0], bank, 3).only(READABLE),
        any_bank: Field::new(names[0], bank, 3),
        negate: Field::new(names[1], bank + 3, 1),
        absolute: Field::new(names[2], bank + 4, 1),
        register: Field::new(names[3], register, 8),
        swizzle: Field::new(names[4], register + 8, 8),
    }
}

/// Source operands one to three.
pub const SOURCES: [SourceFields; 3] = [
    source(["op1bank", "op1negate", "op1absolute", "op1reg", "op1swizzle"], 17, 64),
    source(["op2bank", "op2negate", "op2absolute", "op2reg", "op2swizzle"], 22, 88),
    source(["op3bank", "op3negate", "op3absolute", "op3reg", "op3swizzle"], 27, 104),
];

/// Where the modifiers of a source start in the first word, and its register and swizzle in the second.
#[derive(Copy, Clone)]
struct SourceShifts {
    modifiers: u8,
    register: u8,
}

static PLACES: [SourceShifts; 3] = {
    let mut all = [SourceShifts { modifiers: 0, register: 0 }; 3];
    let mut n = 0;
    while n < 3 {
        let f = &SOURCES[n];
        let (banks, registers) = (f.any_bank.mask().word(), f.register.mask().word());
        let (modifiers, register) = (banks.trailing_zeros(), registers.trailing_zeros());
        assert!(f.negate.mask().word() == 8 << modifiers && f.absolute.mask().word() == 16 << modifiers);
        assert!(f.swizzle.mask().word() == 0xff00 << register && register >= 64 && modifiers < 64);
        all[n] = SourceShifts { modifiers: modifiers as u8, register: register as u8 - 64 };
        n += 1;
    }
    all
};

/// All fields of a source at once. Which bits are looked at is data: one piece of code reads all three sources.
#[derive(Copy, Clone, Debug)]
pub(crate) struct SourceBits {
    /// Bank, negate, absolute from the lowest bit on.
    pub(crate) modifiers: u8,
    pub(crate) register: u8,
    pub(crate) swizzle: u8,
}

impl SourceBits {
    /// Those of source `n`, 0 to 2.
    #[inline(always)]
    pub(crate) fn of(n: usize, low: u64, high: u64) -> SourceBits {
        let place = PLACES[n];
        let register = high >> (place.register & 63);
        SourceBits {
            modifiers: (low >> (place.modifiers & 63)) as u8 & 31,
            register: register as u8,
            swizzle: (register >> 8) as u8,
        }
    }

    /// The register's component that component `lane` of an operation reads.
    #[inline(always)]
    pub(crate) fn component(self, lane: usize) -> u8 {
        self.swizzle >> (6 - 2 * (lane & 3)) & 3
    }

    /// Register number; constants go on behind 255.
    #[inline(always)]
    pub(crate) fn index(self) -> u16 {
        u16::from(self.register) | u16::from(self.bank() == bank::PARAM2) << 8
    }

    #[inline(always)]
    pub(crate) fn bank(self) -> u64 {
        u64::from(self.modifiers & 7)
    }

    /// Neither negated nor made absolute.
    #[inline(always)]
    pub(crate) fn is_plain(self) -> bool {
        self.modifiers & 24 == 0
    }

    #[inline(always)]
    pub(crate) fn negate(self) -> bool {
        self.modifiers & 8 != 0
    }

    #[inline(always)]
    pub(crate) fn absolute(self) -> bool {
        self.modifiers & 16 != 0
    }
}

/// Bank of the result; only out, temp and addr can be written.
pub const RESULT_BANK: Field = Field::new("resbank", 32, 3).only(&[1, 3, 4]);
/// Clamp to [0, 1], or invert a predicate.
pub const SATURATE: Field = Field::new("saturatedres", 35, 1);
/// Components written: bit 3 x, bit 0 w.
pub const MASK: Field = Field::new("mask", 36, 4);
/// Register number of the result.
pub const RESULT: Field = Field::new("resreg", 80, 8);

/// Constants are addressed relative to an address register.
pub const RELATIVE: Field = Field::new("relmode", 40, 1);
/// The address register.
pub const ADDRESS: Field = Field::new("reladdr", 41, 2);
/// Its component, 0 = x.
pub const ADDRESS_COMPONENT: Field = Field::new("reladcomp", 43, 2);
/// Added to it.
pub const ADDRESS_OFFSET: Field = Field::new("reloffset", 45, 9).signed();

/// Literal in place of the second source, or jump distance.
pub const IMMEDIATE: Field = Field::new("immediate", 96, 32);

/// Bank codes.
pub mod bank {
    /// Input registers.
    pub const IN: u64 = 0;
    /// Output registers.
    pub const OUT: u64 = 1;
    /// Constants 0 to 255.
    pub const PARAM: u64 = 2;
    /// Temporaries.
    pub const TEMP: u64 = 3;
    /// Address registers.
    pub const ADDR: u64 = 4;
    /// Constants 256 to 511.
    pub const PARAM2: u64 = 5;
    /// A literal.
    pub const IMM: u64 = 6;
}

/// Swizzle that changes nothing.
pub const IDENTITY: u64 = 0x1b;
