//! Operands of memory, atomics, surfaces and barriers.

use super::{A_FIELD, PREDICATE, PREDICATES, REGISTER, REGISTERS};
use crate::number;
use parallax_isa::{Allowed, Field, Form, Item, Problem, Register, operand};

operand!(ADDRESS_32 = "address", "[address]": address!(number::ADDRESS_32_SIGNED, number::ADDRESS_32));
operand!(ADDRESS_20_AT_28 = "address", "[address]": address!(number::ADDRESS_20_AT_28_SIGNED, number::ADDRESS_20_AT_28));
operand!(ADDRESS_20 = "address", "[address]": address!(number::ADDRESS_20_SIGNED, number::ADDRESS_20));
operand!(ADDRESS_WORDS_30 = "address", "[address]": address!(number::WORDS_30_SIGNED, number::WORDS_30));
operand!(ADDRESS_WORDS_22 = "address", "[address]": address!(number::WORDS_22_SIGNED, number::WORDS_22));
operand!(ADDRESS_LOCAL_WORDS_22 = "address", "[address]": address!(number::LOCAL_WORDS_22_SIGNED, number::LOCAL_WORDS_22));
operand!(ADDRESS_REGISTER = "address", "[Rn]": Item::Text("["), register!(A_FIELD), Item::Text("]"));

/// A predicate with a comma before it; PT is not printed.
const PREDICATE_58: Field = Field::new("predicate", 58, 3);
operand!(MEMORY_PREDICATE_58 = "predicate", "[, Pn]":
    Item::Optional { open: ", ", absent: &[(&PREDICATE_58, 7)], printed: false, items: &[predicate!(&PREDICATE_58)] });

// These instructions hold the predicate they write with its bits flipped, so that zero is PT.
#[rustfmt::skip]
const FLIPPED: &[(&str, u64)] =
    &[("PT", 0), ("P6", 1), ("P5", 2), ("P4", 3), ("P3", 4), ("P2", 5), ("P1", 6), ("P0", 7)];
#[rustfmt::skip]
const FLIPPED_OR_NONE: &[(&str, u64)] = &[
    ("", 0), ("PT, ", 0), ("P6, ", 1), ("P5, ", 2), ("P4, ", 3), ("P3, ", 4), ("P2, ", 5), ("P1, ", 6), ("P0, ", 7),
];
operand!(FLIPPED_PREDICATE_41 = "pd", "Pn": Item::Names(field!("pd_flipped", 41, 3), FLIPPED, PREDICATE));
operand!(FLIPPED_PREDICATE_51 = "pd", "Pn": Item::Names(field!("pd_flipped", 51, 3), FLIPPED, PREDICATE));
operand!(FLIPPED_PREDICATE_30 = "pd", "[Pn, ]": Item::Names(field!("pd_flipped", 30, 3), FLIPPED_OR_NONE, PREDICATE));

/// The new value of an exchange stands behind the register of the expected one.
const EXCHANGE: Problem = Problem {
    code: "exchange",
    message: "the new value of a compare and swap is in the register behind the expected one",
    help: "write `R4, R5`, or with .64 `R4, R6`",
};
/// The pair of registers of a compare and swap whose width this field tells.
macro_rules! exchange {
    ($wide:expr) => {
        Item::If(
            $wide,
            Allowed::Max(0),
            &[
                numbered!(&EXPECTED, REGISTERS, REGISTER),
                Item::Text(", "),
                Item::Shared(&[Item::Number(&number::NEXT_REGISTER)], &EXCHANGE),
            ],
            &[
                numbered!(&EXPECTED, REGISTERS, REGISTER),
                Item::Text(", "),
                Item::Shared(&[Item::Number(&number::NEXT_PAIR)], &EXCHANGE),
            ],
        )
    };
}
/// The register of the expected value; behind the last ones there is no other.
const EXPECTED: Field = Field::new("b", 20, 8).up_to(252);
operand!(EXCHANGE_49 = "b", "Rn, Rm": exchange!(field!("wide", 49, 1)));
operand!(EXCHANGE_52 = "b", "Rn, Rm": exchange!(field!("wide", 52, 1)));
operand!(EXCHANGE_WITH_ZERO = "b", "Rn, RZ": register!(crate::fields::B), Item::Text(", RZ"));
// Both of them RZ is the form above.
operand!(EXCHANGE_OF_ZERO = "b", "RZ, Rn":
    Item::Text("RZ, "), numbered!(&const { Field::new("b", 20, 8).up_to(254) }, REGISTERS, REGISTER));

// The handle of a surface: a number, or a register.
operand!(SURFACE_HANDLE_36 = "handle", "n": Item::Number(&number::HANDLE));
operand!(SURFACE_REGISTER = "c", "Rn": register!(crate::fields::C));

// A barrier: its number, or a register.
operand!(BARRIER_NUMBER_8 = "barrier", "n": Item::Number(&number::BARRIER_8));
operand!(BARRIER_REGISTER = "barrier", "Rn": register!(A_FIELD));
operand!(BARRIER_NUMBER_28 = "barrier", "n": Item::Number(&number::BARRIER_28));
const THREADS: Field = Field::new("imm", 20, 12);
// How many threads wait: a number, left out for all, or a register.
operand!(BARRIER_THREADS_20 = "b", "[, n]":
    Item::Optional { open: ", ", absent: &[(&THREADS, 0)], printed: false, items: &[Item::Number(&number::THREADS_20)] });
operand!(BARRIER_THREADS_20_ALWAYS = "b", ", n": Item::Text(", "), Item::Number(&number::THREADS_20));
const COMBINED: Item = predicate!(field!("pc", 39, 3));
const COMBINED_NOT: Item = Item::Flag(field!("pc_not", 42, 1), "!");
operand!(THREADS_AND_PREDICATE = "pc", "[, n], [!]Pn":
Item::Choice(
    &[
        Form {
            field: &THREADS,
            values: Allowed::Max(0),
            items: &[Item::Text(", "), COMBINED_NOT, COMBINED, Item::Set(&THREADS, 0)],
        },
        Form {
            field: &THREADS,
            values: Allowed::Any,
            items: &[Item::Text(", "), Item::Number(&number::THREADS_20), Item::Text(", "), COMBINED_NOT, COMBINED],
        },
    ],
    "how many threads wait, and a predicate"
));
operand!(BARRIER_THREADS_REGISTER = "b", ", Rn": Item::Text(", "), register!(crate::fields::B));
operand!(BARRIER_PREDICATE_RESULT_45 = "pd", "[, Pn]":
    Item::Optional { open: ", ", absent: &[(&BARRIER_PD, 7)], printed: false, items: &[predicate!(&BARRIER_PD)] });
const BARRIER_PD: Field = Field::new("pd", 45, 3);
operand!(TRAP_CODE_20 = "imm", "[ n]": Item::Number(&number::TRAP_CODE));
operand!(TEXTURE_CACHE_HANDLE_36 = "handle", "n": Item::Number(&number::HANDLE));
