//! The fields of an instruction: four words of 32 bits, here bits 0 to 127, the first word lowest. A constant behind an
//! instruction is its side data.

use parallax_isa::{Code, Field};

/// Words of an instruction, in bits.
const WORD: u8 = 32;

/// A flag.
const fn flag(name: &'static str, at: u8) -> Field {
    Field::new(name, at, 1)
}

/// Four pairs of bits, that of x lowest in the word: the value has x highest.
const fn swizzle(name: &'static str, at: u8) -> Field {
    Field::new(name, at + 6, 2).then(at + 4, 2).then(at + 2, 2).then(at, 2)
}

// Word 0: operation and destination.
/// The program ends behind this instruction.
pub(super) static END: Field = flag("end", 0);
/// Number of the destination register.
pub(super) static RESULT: Field = Field::new("destination", 1, 6);
/// The destination is an H register.
pub(super) static RESULT_HALF: Field = flag("destination half", 7);
/// Condition code written: whether one is, and which.
pub(super) static CODE: Field = flag("condition code", 8).then(62, 1);
/// Components written, x in the highest bit of the value.
pub(super) static MASK: Field = flag("mask", 12).then(11, 1).then(10, 1).then(9, 1);
/// Input attribute, one for all sources.
pub(super) static ATTRIBUTE: Field = Field::new("attribute", 13, 4);
/// Texture unit.
pub(super) static UNIT: Field = Field::new("unit", 17, 4);
/// A texel `v` is read as `2v - 1`.
pub(super) static EXPAND: Field = flag("expand", 21);
/// Format of the operation.
pub(super) static PRECISION: Field = Field::new("precision", 22, 2);
/// Nothing but the condition code is written.
pub(super) static NO_RESULT: Field = flag("no destination", 30);
/// The result is clamped to [0, 1].
pub(super) static SATURATE: Field = flag("saturate", 31);

// Word 1: test, and whatever of sources stands beside them.
/// Test of a condition code: less 1, equal 2, greater 4; and which code is tested.
pub(super) static TEST: Field = Field::new("test", 50, 3).then(63, 1);
/// Components tested.
pub(super) static TEST_SWIZZLE: Field = swizzle("test swizzle", 53);

/// The value of [`TEST`] that always passes.
pub(super) const ALWAYS: u64 = 7;

// Words 2 and 3.
/// Power of two the result is multiplied by.
pub(super) static SCALE: Field = Field::new("scale", 92, 3);
/// What is added to the loop register.
pub(super) static DISPLACEMENT: Field = Field::new("displacement", 115, 11);
/// The attribute's number is relative to the loop register.
pub(super) static INDEXED: Field = flag("index", 126);
/// The attribute is read with the perspective flag.
pub(super) static PERSPECTIVE: Field = flag("perspective", 127);

// Flow words.
/// Where CAL goes, and where IF goes when its test fails; in words.
pub(super) static TARGET: Field = Field::new("target", 64, 31);
/// Where a block ends, in words.
pub(super) static BLOCK_END: Field = Field::new("end target", 96, 31);
/// Iterations.
pub(super) static COUNT: Field = Field::new("count", 66, 8);
/// First value of the loop register.
pub(super) static START: Field = Field::new("start", 74, 8);
/// What is added to it after each iteration.
pub(super) static STEP: Field = Field::new("step", 83, 8).signed();

/// The constant behind the instruction.
pub(super) static CONSTANT: [Field; 4] = [
    Field::new("constant x", Code::SIDE, 32),
    Field::new("constant y", Code::SIDE + 32, 32),
    Field::new("constant z", Code::SIDE + 64, 32),
    Field::new("constant w", Code::SIDE + 96, 32),
];

/// The fields of a source.
pub(super) struct SourceFields {
    /// Register 0, input 1, constant 2.
    pub(super) file: Field,
    pub(super) register: Field,
    pub(super) half: Field,
    pub(super) swizzle: Field,
    pub(super) negate: Field,
    pub(super) absolute: Field,
    pub(super) precision: Field,
}

const fn source(n: u8, absolute: u8) -> SourceFields {
    let word = WORD * (n + 1);
    SourceFields {
        file: Field::new("source type", word, 2).only(&[0, 1, 2]),
        register: Field::new("source register", word + 2, 6),
        half: flag("source half", word + 8),
        swizzle: swizzle("source swizzle", word + 9),
        negate: flag("negate", word + 17),
        absolute: flag("absolute", absolute),
        precision: Field::new("source precision", 83 + 3 * n, 3),
    }
}

/// The sources.
pub(super) static SOURCES: [SourceFields; 3] = [source(0, 61), source(1, 82), source(2, 114)];

/// Values of [`SourceFields::file`].
pub(super) mod file {
    pub(in crate::nv40) const REGISTER: u64 = 0;
    pub(in crate::nv40) const INPUT: u64 = 1;
    pub(in crate::nv40) const CONSTANT: u64 = 2;
}

/// Bit of the branch opcodes.
const BRANCH: u128 = 1 << 95;

/// Whether a constant stands behind a word: some source, used or not, is one.
#[inline(always)]
pub(super) fn constant_follows(word: u128) -> bool {
    const LOW: u128 = 1 << 32 | 1 << 64 | 1 << 96;
    word & BRANCH == 0 && (word >> 1) & !word & LOW != 0
}
