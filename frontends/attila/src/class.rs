//! Kinds of operands.

use crate::fields::*;
use parallax_isa::Field;

/// A kind of operand: which fields it takes and how it is written.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Class {
    /// `(p1)` or `(!p1)` in front.
    Guard,
    /// `_sat` behind the mnemonic.
    Saturate,
    /// Result register with mask.
    Result,
    /// Predicate written by a comparison.
    PredicateResult,
    /// Predicate written by ANDP, which can be inverted.
    AndResult,
    /// First source.
    Source1,
    /// Second source.
    Source2,
    /// Third source.
    Source3,
    /// Float literal as second source.
    FloatLiteral,
    /// Integer literal as second source.
    IntLiteral,
    /// Predicate, constant or `true`/`false` as first source.
    Condition1,
    /// The same as second source.
    Condition2,
    /// Texture unit.
    Unit,
    /// Attribute number of LDA.
    Attribute,
    /// Sample number, with the comma before it.
    Sample,
    /// Jump distance or label.
    Target,
    /// `<- end`, `<- wait`, and bits without a spelling.
    Marks,
}

const S1: SourceFields = SOURCES[0];
const S2: SourceFields = SOURCES[1];
const S3: SourceFields = SOURCES[2];

/// Fields of a source, with the relative address all constants of an instruction share.
const fn with_relative(s: &SourceFields) -> [Field; 9] {
    [s.bank, s.negate, s.absolute, s.register, s.swizzle, RELATIVE, ADDRESS, ADDRESS_COMPONENT, ADDRESS_OFFSET]
}

const fn condition(s: &SourceFields) -> [Field; 9] {
    [s.any_bank, s.negate, s.absolute, s.register, s.swizzle, RELATIVE, ADDRESS, ADDRESS_COMPONENT, ADDRESS_OFFSET]
}

const SOURCE1: [Field; 9] = with_relative(&S1);
const SOURCE2: [Field; 9] = with_relative(&S2);
const SOURCE3: [Field; 9] = with_relative(&S3);
const CONDITION1: [Field; 9] = condition(&S1);
const CONDITION2: [Field; 9] = condition(&S2);

impl Class {
    /// The fields.
    pub const fn fields(self) -> &'static [Field] {
        match self {
            Class::Guard => &[GUARD, INVERT_GUARD, PREDICATED],
            Class::Saturate => &[SATURATE],
            Class::Result => &[RESULT_BANK, RESULT, MASK],
            Class::PredicateResult => &[RESULT],
            Class::AndResult => &[RESULT, SATURATE],
            Class::Source1 => &SOURCE1,
            Class::Source2 => &SOURCE2,
            Class::Source3 => &SOURCE3,
            Class::FloatLiteral | Class::IntLiteral => &[IMMEDIATE, S2.negate, S2.absolute],
            Class::Condition1 => &CONDITION1,
            Class::Condition2 => &CONDITION2,
            Class::Unit | Class::Attribute | Class::Sample => &[S2.register],
            Class::Target => &[IMMEDIATE],
            Class::Marks => &[END, WAIT],
        }
    }

    /// Its syntax in short notation.
    pub const fn syntax(self) -> &'static str {
        match self {
            Class::Guard => "[(pN) | (!pN)] ",
            Class::Saturate => "[_sat]",
            Class::Result => "{o,r,a}N[.mask | !INV!]",
            Class::PredicateResult => "pN",
            Class::AndResult => "[!]pN",
            Class::Source1 | Class::Source2 | Class::Source3 => "[-][|]{iN, rN, aN, cN, cN[aM.k + off]}[.swizzle][|]",
            Class::FloatLiteral => "[-][|]number[|]",
            Class::IntLiteral => "[-][|]integer[|]",
            Class::Condition1 | Class::Condition2 => "{[!]pN, [!]cN.k, [!]cN[aM.k + off].k, true, false}",
            Class::Unit => "tN",
            Class::Attribute => "{t,i}N",
            Class::Sample => "[, sN]",
            Class::Target => "{distance, label}",
            Class::Marks => "[ <- end | <- noend][ <- wait][ <- bits LOW HIGH]",
        }
    }

    /// What it is, for messages.
    pub const fn expected(self) -> &'static str {
        match self {
            Class::Guard => "a guard `(pN)`",
            Class::Saturate => "`_sat`",
            Class::Result => "a result register `o`, `r` or `a`",
            Class::PredicateResult => "a predicate `pN`",
            Class::AndResult => "a predicate `pN` or `!pN`",
            Class::Source1 | Class::Source2 | Class::Source3 => "a source register `i`, `r`, `c` or `a`",
            Class::FloatLiteral => "a number",
            Class::IntLiteral => "an integer",
            Class::Condition1 | Class::Condition2 => "a predicate, a constant, `true` or `false`",
            Class::Unit => "a texture unit `tN`",
            Class::Attribute => "an attribute `tN`",
            Class::Sample => "a sample `sN`",
            Class::Target => "a distance or a label",
            Class::Marks => "`end`, `wait`, `noend` or `bits`",
        }
    }
}
