//! Comparisons, selections and predicates.

use super::row::{also, observed};
use crate::{isa::Attila, sem::Sem::*};
use parallax_isa::Row;
use parallax_lift::vector::VectorOp::{Select, Set};
use parallax_num::Op;

#[rustfmt::skip]
pub(super) const ROWS: &[Row<Attila>] = &[
    observed(row!(two        "slt", "0010 0010", Vector(Set(Op::FLt, true)), "SLT",
        "a < b ? 1 : 0, so a NaN gives 0.")),
    observed(row!(two_float  "slt", "0010 0010", Vector(Set(Op::FLt, true)), "SLT", "a < b ? 1 : 0, b a literal.")),
    observed(row!(two        "sge", "0001 1110", Vector(Set(Op::FLt, false)), "SGE",
        "a < b ? 0 : 1, so a NaN gives 1.")),
    observed(row!(two_float  "sge", "0001 1110", Vector(Set(Op::FLt, false)), "SGE", "a < b ? 0 : 1, b a literal.")),
    observed(row!(three      "cmp", "0010 1101", Vector(Select(Op::FLt)), "CMP", "a < 0 ? b : c.")),
    observed(row!(three      "cmpkil", "0010 1110", CmpKill, "CMPKIL",
        "a < 0 ? b : c; kills if a written component of this is below zero.")),
    also(row!(test       "setpeq", "0001 1100", TestFloat(Op::FEq), "SETPEQ", "Predicate a = b of scalars."),
        &["setppeq"]),
    row!(test_float "setpeq", "0001 1100", TestFloat(Op::FEq), "SETPEQ", "Predicate a = b, b a literal."),
    observed(row!(test       "setpgt", "0001 1101", TestFloat(Op::FGt), "SETPGT", "Predicate a > b of scalars.")),
    observed(row!(test_float "setpgt", "0001 1101", TestFloat(Op::FGt), "SETPGT", "Predicate a > b, b a literal.")),
    row!(test       "setplt", "0001 1111", TestFloat(Op::FLt), "SETPLT", "Predicate a < b of scalars."),
    row!(test_float "setplt", "0001 1111", TestFloat(Op::FLt), "SETPLT", "Predicate a < b, b a literal."),
    also(row!(test       "stpeqi", "0010 0001", TestInt(Op::Ieq), "STPEQI", "Predicate a = b of integers."),
        &["setpeqi"]),
    row!(test_int   "stpeqi", "0010 0001", TestInt(Op::Ieq), "STPEQI", "Predicate a = b, b a literal."),
    also(row!(test       "stpgti", "0010 0011", GT, "STPGTI", "Predicate a > b of signed integers."),
        &["setpgti"]),
    row!(test_int   "stpgti", "0010 0011", GT, "STPGTI", "Predicate a > b, b a literal."),
    also(row!(test       "stplti", "0010 0100", TestInt(Op::Ilt), "STPLTI", "Predicate a < b of signed integers."),
        &["setplti"]),
    row!(test_int   "stplti", "0010 0100", TestInt(Op::Ilt), "STPLTI", "Predicate a < b, b a literal."),
    row!(andp       "andp", "0000 0100", Andp, "ANDP", "Predicate a and b, inverted on request."),
];

/// a > b; there is no such op, the lifter swaps the operands of a < b.
const GT: crate::sem::Sem = TestIntSwapped(Op::Ilt);
