//! What instructions do, as the lifter needs it.

use parallax_lift::vector::VectorOp;
use parallax_num::Op;

/// The meaning of a row.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Sem {
    /// Nothing.
    Nop,
    /// Ends the program.
    End,
    /// Jumps if a condition holds in the whole quad.
    Jump,
    /// An operation on vectors.
    Vector(VectorOp),
    /// One integer op per component, on two sources.
    Int2(Op),
    /// Logarithm with its parts, y and z of the operand with its sign.
    Log,
    /// Second source where the first is below zero, else the third; then a kill.
    CmpKill,
    /// Address registers from floats.
    Arl,
    /// Predicate from a float comparison.
    TestFloat(Op),
    /// Predicate from an integer comparison.
    TestInt(Op),
    /// Predicate from an integer comparison with the sources exchanged.
    TestIntSwapped(Op),
    /// Predicate from two conditions.
    Andp,
    /// Texture lookup.
    Texture(Lookup),
    /// Attribute fetched by number.
    LoadAttribute,
    /// Kills the current sample.
    Kill,
    /// Kills a named sample.
    KillSample,
    /// Exports depth.
    ExportDepth,
    /// Exports depths of four samples.
    ExportSampleDepths,
    /// Next sample.
    NextSample,
    /// Fixed-point product to the accumulator.
    FixedMul,
    /// Fixed-point product plus accumulator, as a float.
    FixedMad,
    /// Fixed-point product plus third source, to the accumulator.
    FixedMadTo,
}

/// Kinds of texture lookup.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// Level from the neighbours' coordinates.
    Plain,
    /// The same, with a bias in w.
    Bias,
    /// Level in w.
    Level,
    /// Coordinates divided by w.
    Project,
}
