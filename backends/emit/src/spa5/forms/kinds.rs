//! Forms that need more than operands: in lowering, and in their lines.

use super::names;

/// What lowering does besides giving a form operands that it can have.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(in crate::spa5) enum Lowering {
    Nothing,
    Move,
    Product,
    Subtraction,
    InputAtOffset,
    /// A difference between two lanes of the quad.
    Difference,
    Choice,
    /// The operand goes through this form first.
    Prepared(&'static str),
}

pub(super) fn lowering(name: &str) -> Lowering {
    match name {
        names::MOV => Lowering::Move,
        names::FMUL => Lowering::Product,
        names::ISUB => Lowering::Subtraction,
        names::AT_OFFSET => Lowering::InputAtOffset,
        names::DDX | names::DDY | names::DDX_FINE | names::DDY_FINE => Lowering::Difference,
        names::CHOOSE => Lowering::Choice,
        "MUFU.EX2" => Lowering::Prepared("RRO.EX2"),
        "MUFU.SIN" | "MUFU.COS" => Lowering::Prepared("RRO.SINCOS"),
        _ => Lowering::Nothing,
    }
}

/// How the line of a form is written.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(in crate::spa5) enum Writing {
    /// Its text with operands.
    Operands,
    Kill,
    Barrier,
    Input,
    /// A constant at an address.
    Constant,
    /// A value that waits in local memory.
    Spill,
}

pub(super) fn writing(name: &str) -> Writing {
    match name {
        names::KIL => Writing::Kill,
        names::BARRIER => Writing::Barrier,
        names::INPUT | names::AT_OFFSET => Writing::Input,
        names::LOAD => Writing::Constant,
        names::RELOAD | names::SPILL => Writing::Spill,
        _ => Writing::Operands,
    }
}
