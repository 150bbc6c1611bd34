//! Where things stand in an instruction: the manual's names (chapter 13, "Microcode Formats"), by format.

use parallax_isa::{Code, Field};

// VOP1 and VOP2, and the literal behind them.
pub(crate) const VDST: Field = Field::new("vdst", 17, 8);
pub(crate) const VSRC1: Field = Field::new("vsrc1", 9, 8);
pub(crate) const SRC0: SourceFields = source("src0", 0, 0);
pub(crate) const LITERAL: Field = Field::new("literal", Code::SIDE, 32);

// VOP3. The result is multiplied by 1, 2, 4 or 1/2, then clamped to [0, 1].
pub(crate) const VDST3: Field = Field::new("vdst", 0, 8);
pub(crate) const OMOD: Field = Field::new("omod", 59, 2);
pub(crate) const CLAMP: Field = Field::new("clamp", 15, 1);
pub(crate) const SOURCES3: [SourceFields; 3] = [source("src0", 32, 0), source("src1", 41, 1), source("src2", 50, 2)];

// VINTRP: `vsrc` is the register with a barycentric coordinate.
pub(crate) const INTERP_DST: Field = Field::new("vdst", 18, 8);
pub(crate) const INTERP_SRC: Field = Field::new("vsrc", 0, 8);
pub(crate) const ATTR: Field = Field::new("attr", 10, 6).up_to(32);
pub(crate) const ATTR_CHAN: Field = Field::new("attrchan", 8, 2);

// EXP, to a colour target: whether it is the program's last, and says which lanes are there.
pub(crate) const TARGET: Field = Field::new("tgt", 4, 6).up_to(7);
pub(crate) const DONE: Field = Field::new("done", 11, 1);
pub(crate) const VM: Field = Field::new("vm", 12, 1);
pub(crate) const EXPORTED: [Field; 4] =
    [Field::new("vsrc0", 32, 8), Field::new("vsrc1", 40, 8), Field::new("vsrc2", 48, 8), Field::new("vsrc3", 56, 8)];

/// A source of nine bits: a vector register, or one of the codes below. Its modifiers, the sign behind the absolute value,
/// are VOP3's.
#[derive(Copy, Clone, Debug)]
pub(crate) struct SourceFields {
    pub(crate) code: Field,
    pub(crate) is_vector: Field,
    pub(crate) abs: Field,
    pub(crate) neg: Field,
}

/// Codes below this one are scalar registers.
pub(crate) const SGPRS: u64 = 102;
/// The code of the literal.
pub(crate) const IS_LITERAL: u64 = 255;

const fn source(name: &'static str, at: u8, n: u8) -> SourceFields {
    let (code, is_vector) = (Field::new(name, at, 8), Field::new("vector", at + 8, 1));
    SourceFields { code, is_vector, abs: Field::new("abs", 8 + n, 1), neg: Field::new("neg", 61 + n, 1) }
}
