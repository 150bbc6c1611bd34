//! Arithmetic on floats, component by component or on one scalar.

use super::row::observed;
use crate::{isa::Attila, sem::Sem::*};
use parallax_core::Axis;
use parallax_isa::Row;
use parallax_lift::vector::VectorOp::{self, Componentwise, Derivative, Scalar};
use parallax_num::Op;

#[rustfmt::skip]
pub(super) const ROWS: &[Row<Attila>] = &[
    row!(one        "mov", "0001 0110", Vector(VectorOp::MOV),           "MOV", "a."),
    row!(two        "add", "0000 0001", Vector(Componentwise(Op::Add)),  "ADD", "a + b."),
    row!(two_float  "add", "0000 0001", Vector(Componentwise(Op::Add)),  "ADD", "a + b, b a literal."),
    row!(two        "mul", "0001 0111", Vector(Componentwise(Op::Mul)),  "MUL", "a * b."),
    row!(two_float  "mul", "0001 0111", Vector(Componentwise(Op::Mul)),  "MUL", "a * b, b a literal."),
    row!(three      "mad", "0001 0011", Vector(Componentwise(Op::Mad)),  "MAD",
        "a * b + c, the product rounded first."),
    observed(row!(two        "max", "0001 0100", Vector(Componentwise(Op::Max)),  "MAX",
        "a > b ? a : b, so a NaN gives b.")),
    observed(row!(two_float  "max", "0001 0100", Vector(Componentwise(Op::Max)),  "MAX",
        "a > b ? a : b, b a literal.")),
    observed(row!(two        "min", "0001 0101", Vector(Componentwise(Op::Min)),  "MIN",
        "a < b ? a : b, so a NaN gives b.")),
    observed(row!(two_float  "min", "0001 0101", Vector(Componentwise(Op::Min)),  "MIN",
        "a < b ? a : b, b a literal.")),
    row!(one        "frc", "0000 1111", Vector(Componentwise(Op::Frac)), "FRC",
        "a - floor(a), rounded; a tiny negative gives 1."),
    row!(one        "rcp", "0001 1001", Vector(Scalar(Op::Rcp)),         "RCP", "1 / a of a scalar, broadcast."),
    observed(row!(one        "rsq", "0001 1011", Vector(Scalar(Op::Rsq)),         "RSQ",
        "sqrt(1 / |a|) of a scalar, broadcast; -0 gives NaN.")),
    row!(one        "ex2", "0000 1100", Vector(Scalar(Op::Exp2)),        "EX2", "2^a of a scalar, broadcast."),
    row!(one        "lg2", "0001 0000", Vector(Scalar(Op::Log2)),        "LG2",
        "Base-2 logarithm of a scalar, broadcast."),
    row!(one        "sin", "0010 0000", Vector(Scalar(Op::Sin)),         "SIN",
        "Sine of a scalar in radians, broadcast."),
    row!(one        "cos", "0000 0111", Vector(Scalar(Op::Cos)),         "COS",
        "Cosine of a scalar in radians, broadcast."),
    row!(one        "ddx", "0011 0100", Vector(Derivative { axis: Axis::X, fine: true }), "DDX",
        "Value on the right minus value on the left, in the pixel's own row of the 2x2 block."),
    row!(one        "ddy", "0011 0101", Vector(Derivative { axis: Axis::Y, fine: true }), "DDY",
        "Value below minus value above, in the pixel's own column of the 2x2 block."),
];
