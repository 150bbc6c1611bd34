//! The fields of an instruction: four words of 32 bits, here bits 0 to 127, the first word lowest (nouveau, `nv40_vertprog.h`;
//! RPCS3, `RSXVertexProgram.h`).

use parallax_isa::Field;

const fn flag(name: &'static str, at: u8) -> Field {
    Field::new(name, at, 1)
}

// Word 0: addresses, test, destination of the vector operation.
/// Component and number of the address register that indexes.
pub(super) static ADDRESS: Field = Field::new("address", 0, 2).then(24, 1);
/// The same register without a component.
pub(super) static ADDRESS_NUMBER: Field = flag("address register", 24);
/// Components tested, x highest.
pub(super) static TEST_SWIZZLE: Field = Field::new("test swizzle", 2, 8);
/// Test of a condition code: less 1, equal 2, greater 4; and which code is tested.
pub(super) static TEST: Field = Field::new("test", 10, 3).then(25, 1);
/// Writes depend on the test.
pub(super) static TESTED: Field = flag("test enable", 13);
/// The first condition code is updated.
pub(super) static UPDATE_FIRST: Field = flag("condition update", 14);
/// The second one is.
pub(super) static UPDATE_SECOND: Field = flag("second condition update", 29);
/// Number of the register that the vector operation writes.
pub(super) static VECTOR_REGISTER: Field = Field::new("vector destination", 15, 6);
/// Results are clamped to [0, 1].
pub(super) static SATURATE: Field = flag("saturate", 26);
/// The attribute's number is relative to an address register.
pub(super) static INDEX_INPUT: Field = flag("index input", 27);
/// The vector operation writes the result, not the scalar one.
pub(super) static VECTOR_RESULT: Field = flag("vector result", 30);

// Word 1: what is read, and the operations.
/// The one attribute of an instruction.
pub(super) static INPUT: Field = Field::new("input", 40, 4);
/// The one constant of an instruction.
pub(super) static CONSTANT: Field = Field::new("constant", 44, 10);
pub(super) static VECTOR_OPCODE: Field = Field::new("vector opcode", 54, 5);
pub(super) static SCALAR_OPCODE: Field = Field::new("scalar opcode", 59, 5);
/// The scalar opcode beside a vector operation that leaves the third source alone.
pub(super) static SECOND: Field =
    Field::new("second opcode", 59, 5).only(&[0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18]);
/// The same beside one that reads the third source, where targets stand otherwise.
pub(super) static SECOND_DATA: Field =
    Field::new("second opcode", 59, 5).only(&[0, 1, 2, 3, 4, 5, 6, 7, 13, 14, 15, 16]);

// Word 3: destinations.
/// The program ends behind this instruction.
pub(super) static END: Field = flag("end", 96);
/// The constant's number is relative to an address register.
pub(super) static INDEX_CONSTANT: Field = flag("index constant", 97);
/// The one result of an instruction.
pub(super) static RESULT: Field = Field::new("result", 98, 5);
/// Number of the register that the scalar operation writes.
pub(super) static SCALAR_REGISTER: Field = Field::new("scalar destination", 103, 6);
/// Components of the vector operation, x highest.
pub(super) static VECTOR_MASK: Field = Field::new("vector mask", 109, 4);
/// Those of the scalar one.
pub(super) static SCALAR_MASK: Field = Field::new("scalar mask", 113, 4);

/// Where a jump leads, as the number of an instruction. It takes bits of the third source.
pub(super) static TARGET: Field = Field::new("target", 125, 3).then(64, 6).then(23, 1);
/// Number of the Boolean constant that a jump depends on.
pub(super) static BOOLEAN: Field = Field::new("boolean", 119, 5);
/// Whether it must be set.
pub(super) static BOOLEAN_SET: Field = flag("boolean set", 124);
/// The texture unit, in the number of the second source.
pub(super) static UNIT: Field = Field::new("unit", 72, 6).up_to(15);

/// The number that stands for no register.
pub(super) const NO_REGISTER: u64 = 63;
/// The number that stands for no result.
pub(super) const NO_RESULT: u64 = 31;
/// The test that always passes.
pub(super) const ALWAYS: u64 = 7;
/// The swizzle that changes nothing.
pub(super) const IDENTITY: u64 = 0x1b;

/// The fields of a source.
pub(super) struct SourceFields {
    pub(super) file: Field,
    pub(super) register: Field,
    pub(super) swizzle: Field,
    pub(super) negate: Field,
    pub(super) absolute: Field,
}

const NAMES: [&str; 5] = ["source type", "source register", "source swizzle", "negate", "absolute"];
const FILES: [u8; 3] = [file::REGISTER as u8, file::INPUT as u8, file::CONSTANT as u8];

/// The sources; runs of bits that cross words are split.
pub(super) static SOURCES: [SourceFields; 3] = [
    SourceFields {
        file: Field::new(NAMES[0], 87, 2).only(&FILES),
        register: Field::new(NAMES[1], 89, 6),
        swizzle: Field::new(NAMES[2], 95, 1).then(32, 7),
        negate: flag(NAMES[3], 39),
        absolute: flag(NAMES[4], 21),
    },
    SourceFields {
        file: Field::new(NAMES[0], 70, 2).only(&FILES),
        register: Field::new(NAMES[1], 72, 6),
        swizzle: Field::new(NAMES[2], 78, 8),
        negate: flag(NAMES[3], 86),
        absolute: flag(NAMES[4], 22),
    },
    SourceFields {
        file: Field::new(NAMES[0], 117, 2).only(&FILES),
        register: Field::new(NAMES[1], 119, 6),
        swizzle: Field::new(NAMES[2], 125, 3).then(64, 5),
        negate: flag(NAMES[3], 69),
        absolute: flag(NAMES[4], 23),
    },
];

/// The third source where an instruction may read it or not: its type is then not checked by itself.
pub(super) static THIRD_FILE: Field = Field::new(NAMES[0], 117, 2);

/// Values of [`SourceFields::file`].
pub(super) mod file {
    pub(in crate::nv40vp) const REGISTER: u64 = 1;
    pub(in crate::nv40vp) const INPUT: u64 = 2;
    pub(in crate::nv40vp) const CONSTANT: u64 = 3;
}

/// What compilers leave in sources that nothing reads: an attribute without a change.
pub(super) const UNREAD: [u128; 3] = [
    2 << 87 | (IDENTITY as u128 & 1) << 95 | (IDENTITY as u128 >> 1) << 32,
    2 << 70 | (IDENTITY as u128) << 78,
    2 << 117 | (IDENTITY as u128 & 7) << 125 | (IDENTITY as u128 >> 3) << 64,
];

/// Scalar opcodes that are sets of bits.
pub(super) mod scalar {
    /// Operations that compute.
    pub(in crate::nv40vp) const DATA: u64 = 0b1_1110_0000_1111_1110;
    /// Jumps that depend on a condition code: BRI, CAL, CLI, RET.
    pub(in crate::nv40vp) const TESTED: u64 = 1 << 9 | TARGETED_CALLS | 1 << RETURN;
    pub(in crate::nv40vp) const TARGETED_CALLS: u64 = 1 << 10 | 1 << 11;
    /// Jumps that depend on a Boolean constant: BRB, CLB.
    pub(in crate::nv40vp) const BOOLEAN: u64 = 1 << 17 | 1 << 18;
    pub(in crate::nv40vp) const RETURN: u64 = 12;
    /// A jump to an address register.
    pub(in crate::nv40vp) const INDIRECT: u64 = 8;
    /// All jumps that are lifted.
    pub(in crate::nv40vp) const JUMPS: u64 = TESTED | BOOLEAN;

    /// Whether an opcode is in a set.
    pub(in crate::nv40vp) const fn has(set: u64, opcode: u64) -> bool {
        set >> opcode & 1 != 0
    }
}
