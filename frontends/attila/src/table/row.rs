//! How rows are written.
//!
//! Patterns are put together from named pieces, most significant bits first: the second word (reserved byte, swizzle and
//! register of sources three and two, result register, swizzle and register of source one), then the first word
//! (reserved bits, relative address, mask, saturation and bank of the result, modifiers and banks of the sources, guard
//! and flags, operation).

use crate::{isa::Attila, kind::Kind};
use parallax_isa::{Confidence, Operand, Row};

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
            super::row::NONE, "", $sem, $section, $doc)
    };
    (one $name:literal, $op:literal, $sem:expr, $section:literal, $doc:literal) => {
        row!(@ $name "" pattern!($op: plain plain used used; used used void void used),
            super::row::ONE, "{sat} {dst}, {a}", $sem, $section, $doc)
    };
    (two $name:literal, $op:literal, $sem:expr, $section:literal, $doc:literal) => {
        row!(@ $name "" pattern!($op: plain used used used; used used void used used),
            super::row::TWO, "{sat} {dst}, {a}, {b}", $sem, $section, $doc)
    };
    (two_float $name:literal, $op:literal, $sem:expr, $section:literal, $doc:literal) => {
        row!(@ $name "literal" pattern!($op: imm used used; used used void imm used),
            super::row::TWO_FLOAT, "{sat} {dst}, {a}, {b}", $sem, $section, $doc)
    };
    (two_int $name:literal, $op:literal, $sem:expr, $section:literal, $doc:literal) => {
        row!(@ $name "literal" pattern!($op: imm used used; used used void imm used),
            super::row::TWO_INT, "{sat} {dst}, {a}, {b}", $sem, $section, $doc)
    };
    (three $name:literal, $op:literal, $sem:expr, $section:literal, $doc:literal) => {
        row!(@ $name "" pattern!($op: used used used used; used used used used used),
            super::row::THREE, "{sat} {dst}, {a}, {b}, {c}", $sem, $section, $doc)
    };
    (test $name:literal, $op:literal, $sem:expr, $section:literal, $doc:literal) => {
        row!(@ $name "" pattern!($op: plain used used used; used test void used used),
            super::row::TEST, " {dst}, {a}, {b}", $sem, $section, $doc)
    };
    (test_float $name:literal, $op:literal, $sem:expr, $section:literal, $doc:literal) => {
        row!(@ $name "literal" pattern!($op: imm used used; used test void imm used),
            super::row::TEST_FLOAT, " {dst}, {a}, {b}", $sem, $section, $doc)
    };
    (test_int $name:literal, $op:literal, $sem:expr, $section:literal, $doc:literal) => {
        row!(@ $name "literal" pattern!($op: imm used used; used test void imm used),
            super::row::TEST_INT, " {dst}, {a}, {b}", $sem, $section, $doc)
    };
    (andp $name:literal, $op:literal, $sem:expr, $section:literal, $doc:literal) => {
        row!(@ $name "" pattern!($op: zero used used used; used and void used used),
            super::row::AND, " {dst}, {a}, {b}", $sem, $section, $doc)
    };
    (jump $name:literal, $op:literal, $sem:expr, $section:literal, $doc:literal) => {
        row!(@ $name "" pattern!($op: imm void used; used void void void used),
            super::row::JUMP, " {a}, {target}", $sem, $section, $doc)
    };
    (unit $name:literal, $op:literal, $sem:expr, $section:literal, $doc:literal) => {
        row!(@ $name "" pattern!($op: plain named used used; used used void unit used),
            super::row::UNIT, "{sat} {dst}, {a}, {unit}", $sem, $section, $doc)
    };
    (attribute $name:literal, $op:literal, $sem:expr, $section:literal, $doc:literal) => {
        row!(@ $name "" pattern!($op: plain named used used; used used void unit used),
            super::row::ATTRIBUTE, "{sat} {dst}, {a}, {unit}", $sem, $section, $doc)
    };
    (effect $name:literal, $op:literal, $sem:expr, $section:literal, $doc:literal) => {
        row!(@ $name "" pattern!($op: plain plain void used; used void void void used),
            super::row::EFFECT, " {a}", $sem, $section, $doc)
    };
    (sample $name:literal, $op:literal, $sem:expr, $section:literal, $doc:literal) => {
        row!(@ $name "" pattern!($op: plain named void used; used void void sample used),
            super::row::SAMPLE, " {a}{sample}", $sem, $section, $doc)
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

pub(super) type Operands = &'static [Operand<Kind>];

pub(super) const fn op(name: &'static str, kind: Kind) -> Operand<Kind> {
    Operand { name, kind }
}

pub(super) const GUARD: Operand<Kind> = op("guard", Kind::Guard);
pub(super) const ANNOTATIONS: Operand<Kind> = op("annotations", Kind::Annotations);
pub(super) const SAT: Operand<Kind> = op("sat", Kind::Saturate);
pub(super) const DST: Operand<Kind> = op("dst", Kind::Result);
pub(super) const A: Operand<Kind> = op("a", Kind::Source1);
pub(super) const B: Operand<Kind> = op("b", Kind::Source2);

pub(super) const NONE: Operands = &[GUARD, ANNOTATIONS];
pub(super) const ONE: Operands = &[GUARD, SAT, DST, A, ANNOTATIONS];
pub(super) const TWO: Operands = &[GUARD, SAT, DST, A, B, ANNOTATIONS];
pub(super) const TWO_FLOAT: Operands = &[GUARD, SAT, DST, A, op("b", Kind::FloatLiteral), ANNOTATIONS];
pub(super) const TWO_INT: Operands = &[GUARD, SAT, DST, A, op("b", Kind::IntLiteral), ANNOTATIONS];
pub(super) const THREE: Operands = &[GUARD, SAT, DST, A, B, op("c", Kind::Source3), ANNOTATIONS];
pub(super) const TEST: Operands = &[GUARD, op("dst", Kind::PredicateResult), A, B, ANNOTATIONS];
pub(super) const TEST_FLOAT: Operands =
    &[GUARD, op("dst", Kind::PredicateResult), A, op("b", Kind::FloatLiteral), ANNOTATIONS];
pub(super) const TEST_INT: Operands =
    &[GUARD, op("dst", Kind::PredicateResult), A, op("b", Kind::IntLiteral), ANNOTATIONS];
pub(super) const AND: Operands =
    &[GUARD, op("dst", Kind::AndResult), op("a", Kind::Condition1), op("b", Kind::Condition2), ANNOTATIONS];
pub(super) const JUMP: Operands = &[GUARD, op("a", Kind::Condition1), op("target", Kind::Target), ANNOTATIONS];
pub(super) const UNIT: Operands = &[GUARD, SAT, DST, A, op("unit", Kind::Unit), ANNOTATIONS];
pub(super) const ATTRIBUTE: Operands = &[GUARD, SAT, DST, A, op("unit", Kind::Attribute), ANNOTATIONS];
pub(super) const EFFECT: Operands = &[GUARD, A, ANNOTATIONS];
pub(super) const SAMPLE: Operands = &[GUARD, A, op("sample", Kind::Sample), ANNOTATIONS];

/// A row with other mnemonics that are read.
pub(super) const fn also(mut row: Row<Attila>, aliases: &'static [&'static str]) -> Row<Attila> {
    row.aliases = aliases;
    row
}

/// A row the source document gets wrong or leaves open; taken from the behaviour of the original simulator.
pub(super) const fn observed(mut row: Row<Attila>) -> Row<Attila> {
    row.confidence = Confidence::Observed;
    row
}
