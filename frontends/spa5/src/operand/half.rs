//! Operands that are pairs of binary16 numbers: which half of a register each half of the result takes.

use super::control::{REUSE_A, REUSE_B, REUSE_C};
use super::{REGISTER, REGISTERS};
use crate::number;
use parallax_isa::{Allowed, Field, Form, Item, Register, operand};

/// Which parts of a register are taken: each half its own, a binary32 number, or one half twice.
macro_rules! parts {
    ($name:literal, $lo:literal) => {
        Item::Names(
            field!($name, $lo, 2),
            &[("", 0), (".F32", 1), (".H0_H0", 2), (".H1_H1", 3)],
            ".F32, .H0_H0 or .H1_H1",
        )
    };
}

operand!(HALVES_FIRST = "a", "Rn[.F32|.H0_H0|.H1_H1][.reuse]":
    register!(crate::fields::A), parts!("half_a", 47), REUSE_A);
operand!(HALVES_FIRST_ABS44 = "a", "|Rn[.F32|.H0_H0|.H1_H1]|[.reuse]":
    Item::Between(field!("abs_a", 44, 1), "|", &[register!(crate::fields::A), parts!("half_a", 47)]), REUSE_A);
operand!(HALVES_FIRST_NEG43_ABS44 = "a", "[-]|Rn[.F32|.H0_H0|.H1_H1]|[.reuse]":
    Item::Flag(field!("neg_a", 43, 1), "-"),
    Item::Between(field!("abs_a", 44, 1), "|", &[register!(crate::fields::A), parts!("half_a", 47)]), REUSE_A);
operand!(HALVES_FIRST_PARTS53 = "a", "Rn[.F32|.H0_H0|.H1_H1][.reuse]":
    register!(crate::fields::A), parts!("half_a", 53), REUSE_A);
operand!(HALVES_FIRST_NEG56_PARTS53 = "a", "[-]Rn[.F32|.H0_H0|.H1_H1][.reuse]":
    Item::Flag(field!("neg_a", 56, 1), "-"), register!(crate::fields::A), parts!("half_a", 53), REUSE_A);
operand!(HALVES_SECOND_NEG31 = "b", "[-]Rn[.F32|.H0_H0|.H1_H1][.reuse]":
    Item::Flag(field!("neg_b", 31, 1), "-"), register!(crate::fields::B), parts!("half_b", 28), REUSE_B);
operand!(HALVES_SECOND_NEG31_ABS30 = "b", "[-]|Rn[.F32|.H0_H0|.H1_H1]|[.reuse]":
    Item::Flag(field!("neg_b", 31, 1), "-"),
    Item::Between(field!("abs_b", 30, 1), "|", &[register!(crate::fields::B), parts!("half_b", 28)]), REUSE_B);
operand!(HALVES_SECOND_NEG31_ABS30_LAST = "b", "[-]|Rn[.F32|.H0_H0|.H1_H1]|[.reuse]":
    Item::Flag(field!("neg_b", 31, 1), "-"),
    Item::Between(field!("abs_b", 30, 1), "|", &[register!(crate::fields::B), parts!("half_b", 28)]), REUSE_C);
operand!(HALVES_SECOND_AT_THIRD_NEG56 = "b", "[-]Rn[.F32|.H0_H0|.H1_H1][.reuse]":
    Item::Flag(field!("neg_b", 56, 1), "-"), register!(crate::fields::C), parts!("half_b", 53), REUSE_B);
operand!(HALVES_THIRD_NEG30_PARTS35 = "c", "[-]Rn[.F32|.H0_H0|.H1_H1][.reuse]":
    Item::Flag(field!("neg_c", 30, 1), "-"), register!(crate::fields::C), parts!("half_c", 35), REUSE_C);
operand!(HALVES_THIRD_NEG51_PARTS53 = "c", "[-]Rn[.F32|.H0_H0|.H1_H1][.reuse]":
    Item::Flag(field!("neg_c", 51, 1), "-"), register!(crate::fields::C), parts!("half_c", 53), REUSE_C);
operand!(SECOND_HALVES20 = "b", "half, half":
    Item::Number(&number::HALF20_HIGH), Item::Text(", "), Item::Number(&number::HALF20_LOW));
operand!(SECOND_HALVES32 = "b", "half, half":
    Item::Number(&number::HALF32_HIGH), Item::Text(", "), Item::Number(&number::HALF32_LOW));
