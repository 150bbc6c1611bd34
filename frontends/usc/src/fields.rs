//! Fields: of the operations' words, and of the operand map, which is the side data of every operation.
//!
//! All operations of a group share its operands: six sources, two destinations and the selectors of internal sources. They
//! stand in parts of their own; side data of every operation holds them all, so that an operation prints and reads its operands
//! where they belong. Phase 1 sees the upper sources in place of the lower ones.

use parallax_isa::{Code, Field};

const SIDE: u8 = Code::SIDE;
const UPPER: u8 = SIDE + 64;
/// Bits of a register's code: 11 of the number, 3 of the bank.
pub const REGISTER: u8 = 14;

macro_rules! fields {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $lo:expr, $len:expr;)*) => {
        $($(#[$doc])* pub const $name: Field = Field::new($text, $lo, $len);)*
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
pub const SOURCES: [&Field; 6] = [&S0, &S1, &S2, &S3, &S4, &S5];
/// The source that each code of `is0` stands for.
pub const IS0_SOURCES: [usize; 6] = [0, 3, 4, 5, 1, 2];

macro_rules! halves {
    ($($name:ident $number:ident $bank:ident $text:literal $lo:expr;)*) => {
        $(
            /// Number of the register.
            pub const $number: Field = Field::new(concat!($text, ".number"), $lo, 11);
            /// Bank of the register.
            pub const $bank: Field = Field::new(concat!($text, ".bank"), $lo + 11, 3);
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
pub mod header {
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
pub mod extension {
    use super::Field;
    fields! {
        /// The program ends behind the group.
        END = "end", 7, 1;
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

/// Main operations in phase 0 and 1.
pub mod alu {
    use super::Field;
    fields! {
        /// Low precision, of fadd and fmul.
        LOW = "lp", 5, 1;
        /// Clamp to 0 to 1, of fadd and fmul.
        SAT = "sat", 4, 1;
        /// Source 0 of fadd and fmul.
        NEG0 = "s0neg", 3, 1;
        /// Source 0 of fadd and fmul.
        ABS0 = "s0abs", 2, 1;
        /// Source 1 of fadd and fmul.
        ABS1 = "s1abs", 1, 1;
        /// Source 0 of fadd and fmul.
        FLR0 = "s0flr", 0, 1;
        /// Source 0 of fmad.
        MAD_NEG0 = "s0neg", 3, 1;
        /// Source 0 of fmad.
        MAD_ABS0 = "s0abs", 2, 1;
        /// Source 2 of fmad.
        MAD_NEG2 = "s2neg", 1, 1;
        /// Clamp to 0 to 1, of fmad.
        MAD_SAT = "sat", 0, 1;
        /// Low precision, of fmad.
        MAD_LOW = "lp", 12, 1;
        /// Source 1 of fmad.
        MAD_ABS1 = "s1abs", 11, 1;
        /// Source 1 of fmad.
        MAD_NEG1 = "s1neg", 10, 1;
        /// Source 2 of fmad.
        MAD_FLR2 = "s2flr", 9, 1;
        /// Source 2 of fmad.
        MAD_ABS2 = "s2abs", 8, 1;
        /// Source of operations with one source.
        ONE_NEG = "s0neg", 9, 1;
        /// Source of operations with one source.
        ONE_ABS = "s0abs", 8, 1;
        /// Half of an F16 source: in words that exist in texts only.
        HALF = "half", 64, 1;
        /// Part b of fred.
        PART_B = "partb", 15, 1;
        /// Iteration of fred.
        ITERATION = "iteration", 12, 3;
        /// Cosine, of fred.
        COSINE = "cos", 11, 1;
        /// fred writes p0.
        RED_P0 = "p0", 10, 1;
        /// Element of unpck.
        UNPACK_ELEMENT = "element", 14, 2;
        /// Scale, or rounding towards zero, of unpck.
        UNPACK_SCALE = "scale", 13, 1;
        /// Format of unpck.
        UNPACK_FORMAT = "format", 8, 5;
        /// Signed 8- and 16-bit operation.
        NARROW_SIGNED = "signed", 1, 1;
        /// 16-bit operation.
        NARROW_16 = "wide16", 0, 1;
        /// Element 2 or 3 of source 2, of imad8 and its like.
        NARROW_UPPER2 = "s2upper", 2, 1;
        /// High element of source 2.
        NARROW_HIGH2 = "s2high", 15, 1;
        /// Source 2.
        NARROW_NEG2 = "s2neg", 13, 1;
        /// Source 2.
        NARROW_ABS2 = "s2abs", 12, 1;
        /// Source 1.
        NARROW_ABS1 = "s1abs", 11, 1;
        /// Source 0.
        NARROW_NEG0 = "s0neg", 10, 1;
        /// Source 0.
        NARROW_ABS0 = "s0abs", 9, 1;
        /// Clamp to the range of the type.
        NARROW_SAT = "sat", 8, 1;
        /// Element of source 1.
        NARROW_ELEMENT1 = "s1element", 18, 2;
        /// Element of source 0.
        NARROW_ELEMENT0 = "s0element", 16, 2;
        /// Signed 32- and 64-bit operation.
        WORD_SIGNED = "signed", 3, 1;
        /// Source 2 of 32- and 64-bit operations.
        WORD_NEG2 = "s2neg", 2, 1;
        /// p0 is added.
        CARRY = "carry", 14, 1;
        /// Source 1.
        WORD_NEG1 = "s1neg", 13, 1;
        /// Source 0.
        WORD_NEG0 = "s0neg", 12, 1;
        /// Source 0.
        WORD_ABS0 = "s0abs", 10, 1;
        /// Source 1.
        WORD_ABS1 = "s1abs", 9, 1;
        /// Source 2.
        WORD_ABS2 = "s2abs", 8, 1;
    }
    /// Element of source 2 of 8-bit operations.
    pub const NARROW_ELEMENT2: Field = Field::new("s2element", 15, 1).then(2, 1);
}

/// Operations of phase 2.
pub mod late {
    use super::Field;
    fields! {
        /// What output 0 takes: 0 ft0, 1 ft1, 2 ft2, 3 fte.
        MOVE0 = "movw0", 0, 2;
        /// What output 1 takes.
        MOVE1 = "movw1", 2, 2;
        /// Bytes of output 0, the lowest in the lowest bit.
        MASK = "mask", 10, 4;
        /// Byte 0 of output 0.
        BYTE0 = "e0", 10, 1;
        /// Byte 1 of output 0.
        BYTE1 = "e1", 11, 1;
        /// Byte 2 of output 0.
        BYTE2 = "e2", 12, 1;
        /// Byte 3 of output 0.
        BYTE3 = "e3", 13, 1;
        /// Whether it moves without looking at the test.
        ALWAYS = "aw", 9, 1;
        /// Last operation of the phase.
        MOVE_LAST = "last", 8, 1;
        /// The test writes p0.
        TEST_P0 = "p0", 0, 1;
        /// What is tested, in the short form.
        RELATION_SHORT = "op", 1, 3;
        /// Last operation of the phase.
        TEST_LAST = "last", 12, 1;
        /// Element of both operands.
        TEST_ELEMENT = "element", 10, 2;
        /// Format from fte.
        PROGRAMMABLE = "prog", 15, 1;
        /// Rounding towards zero.
        ROUND_ZERO = "rtz", 14, 1;
        /// Normalised conversion.
        SCALE = "scale", 13, 1;
        /// Format of pck.
        FORMAT = "format", 8, 5;
    }
    /// Type of the operands.
    pub const TYPE: Field = Field::new("type", 13, 3).up_to(6);
    /// What is tested.
    pub const RELATION: Field = Field::new("op", 1, 3).then(8, 1);
}

/// Bitwise units.
pub mod bitwise {
    use super::Field;
    fields! {
        /// The count unit reads ft2, not s2.
        COUNT_FT2 = "count.ft2", 6, 1;
        /// Literal of 16 bits.
        LITERAL16 = "literal", 8, 16;
        /// Literal of 32 bits.
        LITERAL32 = "literal", 8, 32;
        /// s3 under the inverted mask ft1.
        MASK_S3 = "s3.mask", 5, 1;
        /// ft2 under the mask ft1.
        MASK_FT2 = "ft2.mask", 3, 1;
        /// The test reads ft3, not ft5.
        TEST_FT3 = "test.ft3", 4, 1;
    }
}

/// Backend operations.
pub mod backend {
    use super::Field;
    fields! {
        /// Output 1 is written, not output 0.
        UVSW_W1 = "w1", 4, 1;
        /// Address.
        ADDRESS = "address", 8, 8;
        /// Source that holds the address.
        ADDRESS_SLOT = "address.slot", 8, 3;
        /// Stream.
        STREAM = "stream", 8, 2;
        /// p0 is written.
        ATST_P0 = "p0", 2, 1;
        /// In front of the buffer.
        IFB = "ifb", 0, 1;
        /// Counter of an interpolation.
        FITR_COUNTER = "drc", 3, 1;
        /// Place: 0 pixel, 1 sample, 2 centroid.
        FITR_MODE = "mode", 0, 2;
        /// Clamp to 0 to 1.
        FITR_SAT = "sat", 12, 1;
        /// Components; 0 means 16.
        FITR_COUNT = "count", 8, 4;
        /// Counter of a memory operation.
        COUNTER = "drc", 3, 1;
        /// Fixed-point data become floats.
        FCNORM = "fcnorm", 4, 1;
        /// Dimensions: 1 to 3.
        DIMENSION = "dimension", 13, 2;
        /// Channels less one.
        CHANNELS = "channels", 10, 2;
        /// Level of detail: 0 computed, 1 bias, 2 replace, 3 gradient.
        LOD = "lod", 8, 2;
        /// Level of detail for every pixel.
        PPLOD = "pplod", 23, 1;
        /// Coordinates are divided.
        PROJ = "proj", 22, 1;
        /// What is returned: 0 the filtered texel, 1 data, 2 info, 3 both.
        SBMODE = "sbmode", 20, 2;
        /// Coordinates count texels.
        NNCOORDS = "nncoords", 19, 1;
        /// A sample number is supplied.
        SNO = "sno", 18, 1;
        /// An offset is supplied.
        SOO = "soo", 17, 1;
        /// Address override.
        TAO = "tao", 16, 1;
        /// Second byte of modifiers without the first: packed halves.
        B_F16 = "f16", 20, 1;
        /// Let other tasks run.
        B_SWAP = "swap", 19, 1;
        /// Cache mode.
        B_CACHE = "cache", 17, 2;
        /// It writes.
        B_WRITE = "write", 16, 1;
        /// Behind the first byte: packed halves.
        AB_F16 = "f16", 28, 1;
        /// Let other tasks run.
        AB_SWAP = "swap", 27, 1;
        /// Cache mode.
        AB_CACHE = "cache", 25, 2;
        /// It writes.
        AB_WRITE = "write", 24, 1;
        /// Third byte, behind the second alone: direct.
        BC_DIRECT = "direct", 28, 1;
        /// Coordinates are packed halves.
        BC_F16 = "f16coords", 27, 1;
        /// Comparison.
        BC_COMPARISON = "comparison", 26, 1;
        /// Integer coordinates.
        BC_INTEGER = "integer", 25, 1;
        /// Layers.
        BC_ARRAY = "array", 24, 1;
        /// Third byte, behind both others: direct.
        ABC_DIRECT = "direct", 36, 1;
        /// Coordinates are packed halves.
        ABC_F16 = "f16coords", 35, 1;
        /// Comparison.
        ABC_COMPARISON = "comparison", 34, 1;
        /// Integer coordinates.
        ABC_INTEGER = "integer", 33, 1;
        /// Layers.
        ABC_ARRAY = "array", 32, 1;
        /// Cache mode of ld and st.
        DMA_CACHE = "cache", 8, 2;
        /// High bit of the burst of st.
        BURST_HIGH = "burst.high", 16, 1;
        /// Size of what st stores: 8, 16, 32 bits.
        ST_SIZE = "size", 18, 2;
        /// Operation of atom.
        ATOM_OP = "op", 12, 4;
        /// Mode of savmsk and movmsk.
        MASK_MODE = "mode", 0, 3;
        /// The last phase.
        PHAS_END = "end", 1, 1;
        /// Rate.
        PHAS_RATE = "rate", 14, 2;
        /// Temporaries in sets of four.
        PHAS_TEMPS = "temps", 8, 6;
        /// From output 1.
        SETL_W1 = "w1", 0, 1;
        /// The partition is given back.
        FREE = "free", 0, 1;
        /// Number of a source.
        SLOT_2 = "slot", 2, 3;
        /// Number of a source.
        SLOT_8 = "slot", 8, 3;
        /// Number of a source.
        SLOT_10 = "slot", 10, 3;
        /// Number of a source.
        SLOT_13 = "slot.address", 13, 3;
        /// Number of a source.
        SLOT_16 = "slot.dest", 16, 3;
        /// Number of a source.
        SLOT_20 = "slot.data", 20, 3;
        /// Number of a source.
        SLOT_24 = "slot.mask", 24, 3;
    }
    /// Burst of ld and st.
    pub const BURST: Field = Field::new("burst", 10, 3).then(16, 1);
}

/// Control operations; their words start with the header's third byte.
pub mod control {
    use super::Field;
    fields! {
        /// Save the address of the next group.
        LINK = "link", 12, 1;
        /// Who decides: 0 the condition, 1 all instances, 2 any.
        WHO = "who", 10, 2;
        /// The target is an address, not an offset.
        ABSOLUTE = "absolute", 9, 1;
        /// Adjustment of the mask count.
        ADJUST = "adjust", 13, 2;
        /// Condition: 0 always, 1 p0, 2 never, 3 not p0.
        PCND = "pcnd", 11, 2;
        /// Number of a mutex.
        MUTEX = "mutex", 8, 4;
        /// Shared registers, not coefficients.
        SBO_SHARED = "shared", 8, 1;
    }
    /// Target of a branch in bytes.
    pub const TARGET: Field = Field::new("target", 16, 32).signed();
    /// Place, of the longest itrsmp.
    pub const IT_MODE_LONG: Field = Field::new("mode", 24, 1).then(64, 1);
    /// Offset of sbo.
    pub const SBO: Field = Field::new("offset", 9, 7).then(16, 1);
    fields! {
        /// Destination of ditr and itrsmp.
        DEST = "dest", 8, 8;
        /// Coefficients in sets of four.
        COEFF = "coeff", 18, 6;
        /// Perspective.
        PERSPECTIVE = "perspective", 16, 2;
        /// Sets of four of the coefficients of W, of ditr.
        DITR_W = "wcoeff", 26, 6;
        /// Place, of ditr.
        DITR_MODE = "mode", 24, 2;
        /// Count of ditr.
        DITR_COUNT = "count", 36, 4;
        /// Counter of ditr.
        DITR_COUNTER = "drc", 41, 1;
        /// Clamp, of ditr.
        DITR_SAT = "sat", 40, 1;
        /// Packed halves, of ditr.
        DITR_F16 = "f16", 46, 1;
        /// Schedule of ditr.
        DITR_SCHEDULE = "schedule", 42, 2;
        /// Index of the coefficients, of ditr.
        DITR_INDEX = "index", 34, 2;
        /// Index of the coefficients of W, of ditr.
        DITR_INDEX_W = "windex", 32, 2;
        /// Sets of four of the texture state.
        IT_TEXTURE = "texture", 26, 6;
        /// Counter of itrsmp.
        IT_COUNTER = "drc", 25, 1;
        /// Place, of itrsmp.
        IT_MODE = "mode", 24, 1;
        /// Sets of four of the sampler state.
        IT_SAMPLER = "sampler", 34, 6;
        /// Dimensions of itrsmp: 1 to 3.
        IT_DIMENSION = "dimension", 32, 2;
        /// Sets of four of the coefficients of W, of itrsmp.
        IT_W = "wcoeff", 42, 6;
        /// Projection, of itrsmp.
        IT_PROJ = "proj", 41, 1;
        /// Clamp, of itrsmp.
        IT_SAT = "sat", 40, 1;
        /// Packed halves, of itrsmp.
        IT_F16 = "f16", 54, 1;
        /// Schedule of itrsmp.
        IT_SCHEDULE = "schedule", 52, 2;
        /// Channels less one, of itrsmp.
        IT_CHANNELS = "channels", 50, 2;
        /// Coordinates count texels, of itrsmp.
        IT_NNCOORDS = "nncoords", 49, 1;
        /// Fixed-point data become floats, of itrsmp.
        IT_FCNORM = "fcnorm", 48, 1;
        /// Count of itrsmp.
        IT_COUNT = "count", 59, 4;
        /// Comparison, of itrsmp.
        IT_COMPARISON = "comparison", 58, 1;
        /// Index of the coefficients, of itrsmp.
        IT_INDEX = "index", 67, 2;
        /// Index of the coefficients of W, of itrsmp.
        IT_INDEX_W = "windex", 65, 2;
    }
}

/// Sums of products. Nobody knows their encoding: these are fields of words that exist in programs read from text only.
pub mod sop {
    use super::{Field, REGISTER};

    /// Fields of one operand.
    #[derive(Copy, Clone, Debug)]
    pub struct FactorFields {
        /// What is read.
        pub register: Field,
        /// How: one of the constants beside this type.
        pub width: Field,
        /// Half or byte.
        pub element: Field,
        /// Negated.
        pub negate: Field,
        /// Absolute value.
        pub absolute: Field,
        /// Clamped to 0 to 1.
        pub clamp: Field,
        /// 1 - x.
        pub one_minus: Field,
    }

    /// A whole register, as F32.
    pub const F32: u64 = 0;
    /// A half.
    pub const F16: u64 = 1;
    /// A byte.
    pub const U8: u64 = 2;
    /// The constant 0.
    pub const ZERO: u64 = 3;

    const fn factor(lo: u8) -> FactorFields {
        FactorFields {
            register: Field::new("operand", lo, REGISTER),
            width: Field::new("width", lo + 14, 2),
            element: Field::new("element", lo + 16, 2),
            negate: Field::new("neg", lo + 18, 1),
            absolute: Field::new("abs", lo + 19, 1),
            clamp: Field::new("clamp", lo + 20, 1),
            one_minus: Field::new("oneminus", lo + 21, 1),
        }
    }

    const fn shape(lo: u8) -> Field {
        Field::new("shape", lo + 14, 4)
    }

    /// Width and element of each.
    pub static SHAPES: [Field; 4] = [shape(16), shape(40), shape(64), shape(88)];
    /// Stands for operands nobody keeps.
    pub const ANYTHING: Field = Field::new("operand", 64, 1);
    /// a, e, b, f.
    pub static FACTORS: [FactorFields; 4] = [factor(16), factor(40), factor(64), factor(88)];
    fields! {
        /// 0 line j, 1 line k.
        LINE = "line", 110, 1;
        /// add, sub, rsub, min, max.
        OPERATOR = "operator", 111, 3;
        /// 0 the sum, 1 operand a, 2 operand b.
        RESULT = "result", 114, 2;
        /// 0 the whole output, 1 its low half, 2 its high half.
        HALF = "half", 116, 2;
    }
}
