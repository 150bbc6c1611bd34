//! Fields of the operand map, which is the side data of every operation, and of headers.
//!
//! All operations of a group share its operands: six sources, two destinations and the selectors of internal sources. They
//! stand in parts of their own; side data of every operation holds them all, so that an operation prints and reads its operands
//! where they belong. Phase 1 sees the upper sources in place of the lower ones.

use parallax_isa::{Code, Field};

const SIDE: u8 = Code::SIDE;
const UPPER: u8 = SIDE + 64;
/// Bits of a register's code: 11 of the number, 3 of the bank.
pub(crate) const REGISTER: u8 = 14;

macro_rules! fields {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $lo:expr, $len:expr;)*) => {
        $($(#[$doc])* pub(crate) const $name: Field = Field::new($text, $lo, $len);)*
    };
}

fields! {
    /// Source 0.
    S0 = "s0", SIDE, REGISTER;
    /// Source 1.
    S1 = "s1", SIDE + 14, REGISTER;
    /// Source 2.
    S2 = "s2", SIDE + 28, REGISTER;
    /// Source 3.
    S3 = "s3", UPPER, REGISTER;
    /// Source 4.
    S4 = "s4", UPPER + 14, REGISTER;
    /// Source 5.
    S5 = "s5", UPPER + 28, REGISTER;
    /// The register of output 0.
    W0 = "w0", SIDE + 42, REGISTER;
    /// The register of output 1.
    W1 = "w1", UPPER + 42, REGISTER;
    /// Which source is `is0`: 0 s0, 1 s3, 2 s4, 3 s5, 4 s1, 5 s2.
    IS0 = "is0", UPPER + 56, 3;
    /// First test operand: 0 ft0, 1 fte.
    IS1 = "is1", SIDE + 56, 1;
    /// Second test operand: 0 ft1, 1 fte.
    IS2 = "is2", SIDE + 57, 1;
    /// Pack operand: 0 ft0, 1 ft1, 3 fte.
    IS3 = "is3", SIDE + 58, 2;
    /// Default of output 0: 0 ft0, 1 ft1, 2 ft2, 3 fte.
    IS4 = "is4", UPPER + 59, 2;
    /// Default of output 1.
    IS5 = "is5", UPPER + 61, 2;
    /// Whether fte is the high result of a 64-bit operation.
    WIDE = "wide", SIDE + 60, 1;
    /// Whether the operation stands in phase 1.
    PHASE = "phase", SIDE + 61, 1;
    /// Whether output 0 goes to a register.
    W0P = "w0p", SIDE + 62, 1;
    /// Whether output 1 goes to a register.
    W1P = "w1p", SIDE + 63, 1;
}

/// The sources, in their order.
pub(crate) const SOURCES: [&Field; 6] = [&S0, &S1, &S2, &S3, &S4, &S5];
/// The source that each code of `is0` stands for.
pub(crate) const IS0_SOURCES: [usize; 6] = [0, 3, 4, 5, 1, 2];

macro_rules! halves {
    ($($name:ident $number:ident $bank:ident $text:literal $lo:expr;)*) => {
        $(
            /// Number of the register.
            pub(crate) const $number: Field = Field::new(concat!($text, ".number"), $lo, 11);
            /// Bank of the register.
            pub(crate) const $bank: Field = Field::new(concat!($text, ".bank"), $lo + 11, 3);
        )*
    };
}

halves! {
    S0 S0_NUMBER S0_BANK "s0" SIDE;
    S1 S1_NUMBER S1_BANK "s1" SIDE + 14;
    S2 S2_NUMBER S2_BANK "s2" SIDE + 28;
    S3 S3_NUMBER S3_BANK "s3" UPPER;
    S4 S4_NUMBER S4_BANK "s4" UPPER + 14;
    S5 S5_NUMBER S5_BANK "s5" UPPER + 28;
    W0 W0_NUMBER W0_BANK "w0" SIDE + 42;
    W1 W1_NUMBER W1_BANK "w1" UPPER + 42;
}

/// The header's first two bytes.
pub(crate) mod header {
    use super::Field;
    fields! {
        /// Bytes to what follows the late operations.
        DA = "da", 4, 4;
        /// Length in words of 16 bits; 0 means 16.
        LENGTH = "length", 0, 4;
        /// A third byte follows.
        EXTENDED = "ext", 15, 1;
        /// Phases: a code in main groups, a mask in bitwise ones.
        PHASES = "phases", 12, 3;
        /// Overlap check.
        OVERLAP = "olchk", 11, 1;
        /// Output 1 goes to a register.
        W1P = "w1p", 10, 1;
        /// Output 0 goes to a register.
        W0P = "w0p", 9, 1;
        /// Low bit of the condition.
        CONDITION = "cc.low", 8, 1;
    }
}

/// The header's third byte.
pub(crate) mod extension {
    use super::Field;
    fields! {
        /// The program ends behind the group.
        END = "end", 7, 1;
        /// What the group is: 0 main, 2 bitwise, else control.
        KIND = "kind", 5, 2;
        /// Atomic.
        ATOMIC = "atom", 3, 1;
        /// Repetitions less one.
        REPEAT = "rpt", 1, 2;
        /// High bit of the condition.
        CONDITION = "cc.high", 0, 1;
        /// In control groups: counter of `wdf`, end of `nop`.
        MISC = "misc", 7, 1;
    }
}
