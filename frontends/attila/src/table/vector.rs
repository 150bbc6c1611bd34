//! Operations whose components differ.

use super::row::observed;
use crate::{isa::Attila, sem::Sem::*};
use parallax_isa::Row;
use parallax_lift::vector::VectorOp::{self, Dot};
use parallax_num::Op;

#[rustfmt::skip]
pub(super) const ROWS: &[Row<Attila>] = &[
    row!(two        "dp3", "0000 1000", Vector(Dot(Op::Dot3)), "DP3", "a.x*b.x + a.y*b.y + a.z*b.z, broadcast."),
    row!(two_float  "dp3", "0000 1000", Vector(Dot(Op::Dot3)), "DP3", "Three-component dot product with a literal."),
    row!(two        "dp4", "0000 1001", Vector(Dot(Op::Dot4)), "DP4",
        "a.x*b.x + a.y*b.y + a.z*b.z + a.w*b.w, broadcast."),
    row!(two_float  "dp4", "0000 1001", Vector(Dot(Op::Dot4)), "DP4", "Four-component dot product with a literal."),
    row!(two        "dph", "0000 1010", Vector(Dot(Op::Dph)),  "DPH", "a.x*b.x + a.y*b.y + a.z*b.z + b.w, broadcast."),
    row!(two_float  "dph", "0000 1010", Vector(Dot(Op::Dph)),  "DPH", "Homogeneous dot product with a literal."),
    observed(row!(two        "dst", "0000 1011", Vector(VectorOp::DST), "DST", "(1, a.y*b.y, a.z, b.w).")),
    observed(row!(two_float  "dst", "0000 1011", Vector(VectorOp::DST), "DST", "(1, a.y*b, a.z, b), b a literal.")),
    row!(one        "exp", "0000 1101", Vector(VectorOp::EXP), "EXP",
        "(2^floor(a), a - floor(a), 2^a, 1) of a scalar."),
    observed(row!(one        "log", "0001 0010", Log, "LOG",
        "(floor(log2|a|), a / 2^floor(log2 a), log2 a, 1) of a scalar; y and z take no absolute value.")),
    row!(one        "lit", "0001 0001", Vector(VectorOp::LIT), "LIT",
        "(1, max(x, 0), x > 0 ? max(y, 0)^clamp(w, -128, 128) : 0, 1)."),
];
