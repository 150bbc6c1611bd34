//! Where things stand in an instruction (manual, chapter 13, "Microcode Formats").

use parallax_isa::{Code, Field};

/// Result of VOP1 and VOP2.
pub const VDST: Field = Field::new("vdst", 17, 8);
/// Second source of VOP2.
pub const VSRC1: Field = Field::new("vsrc1", 9, 8);
/// Result of VOP3.
pub const VDST3: Field = Field::new("vdst", 0, 8);
/// Clamps the result of VOP3 to [0, 1].
pub const CLAMP: Field = Field::new("clamp", 15, 1);
/// Multiplies the result of VOP3 by 1, 2, 4 or 1/2.
pub const OMOD: Field = Field::new("omod", 59, 2);
/// The literal behind an instruction.
pub const LITERAL: Field = Field::new("literal", Code::SIDE, 32);

/// A source of nine bits, and its modifiers in VOP3.
#[derive(Copy, Clone, Debug)]
pub struct SourceFields {
    /// Number of a register, or the code of a constant.
    pub code: Field,
    /// Whether it is a vector register.
    pub is_vector: Field,
    /// Takes the absolute value.
    pub abs: Field,
    /// Negates, behind the absolute value.
    pub neg: Field,
}

const fn source(name: &'static str, at: u8, n: u8) -> SourceFields {
    let (code, is_vector) = (Field::new(name, at, 8), Field::new("vector", at + 8, 1));
    SourceFields { code, is_vector, abs: Field::new("abs", 8 + n, 1), neg: Field::new("neg", 61 + n, 1) }
}

/// First source of VOP1 and VOP2, which have no modifiers.
pub const SRC0: SourceFields = source("src0", 0, 0);
/// Sources of VOP3.
pub const SOURCES3: [SourceFields; 3] = [source("src0", 32, 0), source("src1", 41, 1), source("src2", 50, 2)];
/// Code of a source that is the literal.
pub const IS_LITERAL: u64 = 255;
/// Scalar registers that programs have.
pub const SGPRS: u64 = 102;

/// Result of VINTRP.
pub const INTERP_DST: Field = Field::new("vdst", 18, 8);
/// The register with a barycentric coordinate.
pub const INTERP_SRC: Field = Field::new("vsrc", 0, 8);
/// Attribute.
pub const ATTR: Field = Field::new("attr", 10, 6).up_to(32);
/// Component of the attribute.
pub const ATTR_CHAN: Field = Field::new("attrchan", 8, 2);

/// The colour target of an export.
pub const TARGET: Field = Field::new("tgt", 4, 6).up_to(7);
/// The last export of the program.
pub const DONE: Field = Field::new("done", 11, 1);
/// The export says which lanes are there.
pub const VM: Field = Field::new("vm", 12, 1);
/// Registers that are exported.
pub const EXPORTED: [Field; 4] =
    [Field::new("vsrc0", 32, 8), Field::new("vsrc1", 40, 8), Field::new("vsrc2", 48, 8), Field::new("vsrc3", 56, 8)];
