//! The rows, by family.
//!
//! Patterns are put together from named pieces, most significant bits first: the second word (reserved byte, swizzle and
//! register of sources three and two, result register, swizzle and register of source one), then the first word
//! (reserved bits, relative address, mask, saturation and bank of the result, modifiers and banks of the sources, guard
//! and flags, operation).

use crate::{Attila, Kind};
use parallax_isa::{Confidence, Family, Meaning, Operand, Row, Table};

/// Pieces of patterns. `used` is read or written, `void` is ignored and written as the original encoder does.
macro_rules! bits {
    // Swizzle and register of a source.
    (reg used) => {
        "-{8} -{8} "
    };
    (reg named) => {
        "oooiioii -{8} "
    };
    (reg plain) => {
        "oooiioii o{8} "
    };
    (reg zero) => {
        "o{8} o{8} "
    };
    (imm) => {
        "-{32} o{8} "
    };
    // Result register.
    (dst used) => {
        "-{8} "
    };
    (dst void) => {
        "o{8} "
    };
    // Reserved bits and relative address.
    (rel used) => {
        "| o{10} -{9} -- -- - "
    };
    (rel void) => {
        "| o{10} o{9} oo oo o "
    };
    // Mask, saturation and bank of the result.
    (res used) => {
        "---- - --- "
    };
    (res void) => {
        "iiii o iii "
    };
    (res test) => {
        "iooo o oio "
    };
    (res and) => {
        "iiii - oio "
    };
    // Absolute, negate and bank of a source.
    (src used) => {
        "- - --- "
    };
    (src void) => {
        "o o iii "
    };
    (src imm) => {
        "- - 110 "
    };
    (src unit) => {
        "o o ooo "
    };
    (src sample) => {
        "o o ooi "
    };
    // Guard and flags.
    (flags) => {
        "-{5} - - - - "
    };
}

/// The pattern of a shape with an operation.
macro_rules! pattern {
    ($op:literal: $r3:ident $r2:ident $dst:ident $r1:ident; $rel:ident $res:ident $s3:ident $s2:ident $s1:ident) => {
        parallax_isa::Pattern::new(concat!(
            "o{8} ",
            bits!(reg $r3), bits!(reg $r2), bits!(dst $dst), bits!(reg $r1),
            bits!(rel $rel), bits!(res $res), bits!(src $s3), bits!(src $s2), bits!(src $s1),
            bits!(flags), $op
        ))
    };
    // A literal takes the places of source three and of the swizzle of source two.
    ($op:literal: imm $dst:ident $r1:ident; $rel:ident $res:ident $s3:ident $s2:ident $s1:ident) => {
        parallax_isa::Pattern::new(concat!(
            bits!(imm), bits!(dst $dst), bits!(reg $r1),
            bits!(rel $rel), bits!(res $res), bits!(src $s3), bits!(src $s2), bits!(src $s1),
            bits!(flags), $op
        ))
    };
}

/// One row: shape, mnemonic, operation bits, meaning, section of the source document, sentence.
macro_rules! row {
    (@ $name:literal $form:literal $pattern:expr, $operands:expr, $text:expr, $sem:expr, $section:literal, $doc:literal) => {
        parallax_isa::Row {
            name: $name,
            aliases: &[],
            form: $form,
            pattern: $pattern,
            operands: $operands,
            text: concat!("{guard}", $name, $text, "{annotations}"),
            doc: $doc,
            source: concat!("ATTILA shader ISA, ", $section),
            confidence: parallax_isa::Confidence::Documented,
            meaning: parallax_isa::Meaning::Lift($sem),
        }
    };
    (bare $name:literal, $op:literal, $sem:expr, $section:literal, $doc:literal) => {
        row!(@ $name "" pattern!($op: plain plain void plain; void void void void void),
            super::NONE, "", $sem, $section, $doc)
    };
    (one $name:literal, $op:literal, $sem:expr, $section:literal, $doc:literal) => {
        row!(@ $name "" pattern!($op: plain plain used used; used used void void used),
            super::ONE, "{sat} {dst}, {a}", $sem, $section, $doc)
    };
    (two $name:literal, $op:literal, $sem:expr, $section:literal, $doc:literal) => {
        row!(@ $name "" pattern!($op: plain used used used; used used void used used),
            super::TWO, "{sat} {dst}, {a}, {b}", $sem, $section, $doc)
    };
    (two_float $name:literal, $op:literal, $sem:expr, $section:literal, $doc:literal) => {
        row!(@ $name "literal" pattern!($op: imm used used; used used void imm used),
            super::TWO_FLOAT, "{sat} {dst}, {a}, {b}", $sem, $section, $doc)
    };
    (two_int $name:literal, $op:literal, $sem:expr, $section:literal, $doc:literal) => {
        row!(@ $name "literal" pattern!($op: imm used used; used used void imm used),
            super::TWO_INT, "{sat} {dst}, {a}, {b}", $sem, $section, $doc)
    };
    (three $name:literal, $op:literal, $sem:expr, $section:literal, $doc:literal) => {
        row!(@ $name "" pattern!($op: used used used used; used used used used used),
            super::THREE, "{sat} {dst}, {a}, {b}, {c}", $sem, $section, $doc)
    };
    (test $name:literal, $op:literal, $sem:expr, $section:literal, $doc:literal) => {
        row!(@ $name "" pattern!($op: plain used used used; used test void used used),
            super::TEST, " {dst}, {a}, {b}", $sem, $section, $doc)
    };
    (test_float $name:literal, $op:literal, $sem:expr, $section:literal, $doc:literal) => {
        row!(@ $name "literal" pattern!($op: imm used used; used test void imm used),
            super::TEST_FLOAT, " {dst}, {a}, {b}", $sem, $section, $doc)
    };
    (test_int $name:literal, $op:literal, $sem:expr, $section:literal, $doc:literal) => {
        row!(@ $name "literal" pattern!($op: imm used used; used test void imm used),
            super::TEST_INT, " {dst}, {a}, {b}", $sem, $section, $doc)
    };
    (andp $name:literal, $op:literal, $sem:expr, $section:literal, $doc:literal) => {
        row!(@ $name "" pattern!($op: zero used used used; used and void used used),
            super::AND, " {dst}, {a}, {b}", $sem, $section, $doc)
    };
    (jump $name:literal, $op:literal, $sem:expr, $section:literal, $doc:literal) => {
        row!(@ $name "" pattern!($op: imm void used; used void void void used),
            super::JUMP, " {a}, {target}", $sem, $section, $doc)
    };
    (unit $name:literal, $op:literal, $sem:expr, $section:literal, $doc:literal) => {
        row!(@ $name "" pattern!($op: plain named used used; used used void unit used),
            super::UNIT, "{sat} {dst}, {a}, {unit}", $sem, $section, $doc)
    };
    (attribute $name:literal, $op:literal, $sem:expr, $section:literal, $doc:literal) => {
        row!(@ $name "" pattern!($op: plain named used used; used used void unit used),
            super::ATTRIBUTE, "{sat} {dst}, {a}, {unit}", $sem, $section, $doc)
    };
    (effect $name:literal, $op:literal, $sem:expr, $section:literal, $doc:literal) => {
        row!(@ $name "" pattern!($op: plain plain void used; used void void void used),
            super::EFFECT, " {a}", $sem, $section, $doc)
    };
    (sample $name:literal, $op:literal, $sem:expr, $section:literal, $doc:literal) => {
        row!(@ $name "" pattern!($op: plain named void used; used void void sample used),
            super::SAMPLE, " {a}{sample}", $sem, $section, $doc)
    };
    (refused $name:literal, $op:literal, $reason:literal, $section:literal, $doc:literal) => {
        parallax_isa::Row {
            name: $name,
            aliases: &[],
            form: "",
            pattern: parallax_isa::Pattern::new(concat!("o{64} | o{56} ", $op)),
            operands: &[],
            text: "",
            doc: $doc,
            source: concat!("ATTILA shader ISA, ", $section),
            confidence: parallax_isa::Confidence::Documented,
            meaning: parallax_isa::Meaning::Refused($reason),
        }
    };
}
// The families see the macros because they are declared behind them.
mod address;
mod arith;
mod compare;
mod control;
mod fixed;
mod integer;
mod pixel;
mod reserved;
mod texture;
mod vector;

type Operands = &'static [Operand<Kind>];

const fn op(name: &'static str, kind: Kind) -> Operand<Kind> {
    Operand { name, kind }
}

const GUARD: Operand<Kind> = op("guard", Kind::Guard);
const ANNOTATIONS: Operand<Kind> = op("annotations", Kind::Annotations);
const SAT: Operand<Kind> = op("sat", Kind::Saturate);
const DST: Operand<Kind> = op("dst", Kind::Result);
const A: Operand<Kind> = op("a", Kind::Source1);
const B: Operand<Kind> = op("b", Kind::Source2);

const NONE: Operands = &[GUARD, ANNOTATIONS];
const ONE: Operands = &[GUARD, SAT, DST, A, ANNOTATIONS];
const TWO: Operands = &[GUARD, SAT, DST, A, B, ANNOTATIONS];
const TWO_FLOAT: Operands = &[GUARD, SAT, DST, A, op("b", Kind::FloatLiteral), ANNOTATIONS];
const TWO_INT: Operands = &[GUARD, SAT, DST, A, op("b", Kind::IntLiteral), ANNOTATIONS];
const THREE: Operands = &[GUARD, SAT, DST, A, B, op("c", Kind::Source3), ANNOTATIONS];
const TEST: Operands = &[GUARD, op("dst", Kind::PredicateResult), A, B, ANNOTATIONS];
const TEST_FLOAT: Operands = &[GUARD, op("dst", Kind::PredicateResult), A, op("b", Kind::FloatLiteral), ANNOTATIONS];
const TEST_INT: Operands = &[GUARD, op("dst", Kind::PredicateResult), A, op("b", Kind::IntLiteral), ANNOTATIONS];
const AND: Operands =
    &[GUARD, op("dst", Kind::AndResult), op("a", Kind::Condition1), op("b", Kind::Condition2), ANNOTATIONS];
const JUMP: Operands = &[GUARD, op("a", Kind::Condition1), op("target", Kind::Target), ANNOTATIONS];
const UNIT: Operands = &[GUARD, SAT, DST, A, op("unit", Kind::Unit), ANNOTATIONS];
const ATTRIBUTE: Operands = &[GUARD, SAT, DST, A, op("unit", Kind::Attribute), ANNOTATIONS];
const EFFECT: Operands = &[GUARD, A, ANNOTATIONS];
const SAMPLE: Operands = &[GUARD, A, op("sample", Kind::Sample), ANNOTATIONS];

/// A row with other mnemonics that are read.
const fn also(mut row: Row<Attila>, aliases: &'static [&'static str]) -> Row<Attila> {
    row.aliases = aliases;
    row
}

/// A row the source document gets wrong or leaves open; taken from the behaviour of the original simulator.
const fn observed(mut row: Row<Attila>) -> Row<Attila> {
    row.confidence = Confidence::Observed;
    row
}

/// All rows.
pub static TABLE: Table<Attila> = Table {
    name: "attila",
    title: "ATTILA shader instructions",
    widths: &[128],
    about: "\
Instructions are 128 bits: two 64-bit words, little-endian, here numbered 0 to 127 from the lowest bit of the first. \
Sources are read as: register, swizzle, absolute value, negate. A *scalar* source takes one component, the one its \
swizzle names for w; so an unswizzled scalar source reads w. Results are clamped to [0, 1] by `_sat`, then masked, then \
written where the guard predicate holds. The second source of an instruction with exactly two may be a literal. With \
a relative address, `address register + offset + register number` counts for every constant of the instruction. In \
patterns, `o` and `i` are bits the decoder ignores and the encoder writes as 0 and 1.",
    families: &[
        Family { title: "Float arithmetic", rows: arith::ROWS },
        Family { title: "Vectors", rows: vector::ROWS },
        Family { title: "Comparisons and predicates", rows: compare::ROWS },
        Family { title: "Integers", rows: integer::ROWS },
        Family { title: "Address registers", rows: address::ROWS },
        Family { title: "Textures and attributes", rows: texture::ROWS },
        Family { title: "Pixels and samples", rows: pixel::ROWS },
        Family { title: "Fixed point", rows: fixed::ROWS },
        Family { title: "Control", rows: control::ROWS },
        Family { title: "Reserved", rows: reserved::ROWS },
    ],
};

/// Whether a row is lifted.
pub(crate) fn sem(row: &Row<Attila>) -> Option<crate::Sem> {
    match row.meaning {
        Meaning::Lift(sem) => Some(sem),
        _ => None,
    }
}
