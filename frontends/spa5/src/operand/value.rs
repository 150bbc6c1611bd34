//! Registers, constants and literals, with their signs, bars and parts.

use super::control::{REUSE_A, REUSE_B, REUSE_C};
use super::special::{FLOAT_TYPES_FIELD, PART_ITEM, PD_FRONT};
use super::{D_FIELD, NEGATES_48, NEGATES_51, NEGATES_55, REGISTER, REGISTERS};
use crate::number;
use parallax_isa::{Allowed, Field, Form, Item, Problem, Register, operand};

const CONST_OPEN: Item = Item::Text("c[");
const BANK: Item = Item::Number(&number::BANK);
const CONST_NEXT: Item = Item::Text("[");
const CONST_APART: Item = Item::Text("] [");
const CONST_OFFSET: Item = Item::Number(&number::CONST_OFFSET);
const CONST_CLOSE: Item = Item::Text("]");
const HALF_ITEM: Item = Item::Flag(field!("half", 41, 1), ".H1");
/// Formats of F2F whose source is a half.
const OF_HALF: Allowed = Allowed::Set(0xf0);
/// F2F shows a half only of sources that are halves.
const HALF_OF_HALF: Item = Item::If(&FLOAT_TYPES_FIELD, OF_HALF, &[HALF_ITEM], &[Item::Exact(&[HALF_ITEM])]);
/// F2F has a blank in constants that are halves.
const CONST_BETWEEN_HALF: Item = Item::If(&FLOAT_TYPES_FIELD, OF_HALF, &[CONST_APART], &[CONST_CLOSE, CONST_NEXT]);

const ADDEND_PROBLEM: Problem = Problem {
    code: "addend",
    message: "the addend of FFMA32I and HFMA2_32I is their result register",
    help: "use FFMA or HFMA2",
};

operand!(FIRST_ONCE = "a", "Rn": register!(crate::fields::A));
operand!(THIRD_IN_RESULT_NEG57 = "c", "[-]Rd[.reuse]":
    Item::Flag(field!("neg_c", 57, 1), "-"), Item::Shared(&[register!(D_FIELD)], &ADDEND_PROBLEM), REUSE_C);
operand!(FIRST_BYTE41 = "a", "Rn[.B1|.B2|.B3][.reuse]":
    register!(crate::fields::A), Item::Names(field!("byte", 41, 2), &[("", 0), (".B1", 1), (".B2", 2), (".B3", 3)], ".B1, .B2 or .B3"), REUSE_A);
operand!(FIRST_HALF53 = "a", "Rn[.H1][.reuse]":
    register!(crate::fields::A), Item::Flag(field!("half_a", 53, 1), ".H1"), REUSE_A);
operand!(FIRST_INV39 = "a", "[~]Rn[.reuse]":
    Item::Flag(field!("inv_a", 39, 1), "~"), register!(crate::fields::A), REUSE_A);
operand!(FIRST_INV55 = "a", "[~]Rn[.reuse]":
    Item::Flag(field!("inv_a", 55, 1), "~"), register!(crate::fields::A), REUSE_A);
operand!(FIRST_NEG37 = "a", "[-]Rn[.reuse]":
    Item::Flag(field!("neg_a", 37, 1), "-"), register!(crate::fields::A), REUSE_A);
operand!(FIRST_NEG43_ABS54 = "a", "[-]|Rn|[.reuse]":
    Item::Flag(field!("neg_a", 43, 1), "-"), Item::Between(field!("abs_a", 54, 1), "|", &[register!(crate::fields::A)]), REUSE_A);
operand!(FIRST_NEG43_ABS7 = "a", "[-]|Rn|[.reuse]":
    Item::Flag(field!("neg_a", 43, 1), "-"), Item::Between(field!("abs_a", 7, 1), "|", &[register!(crate::fields::A)]), REUSE_A);
operand!(FIRST_NEG45 = "a", "[-]Rn[.reuse]":
    Item::Flag(field!("neg_a", 45, 1), "-"), register!(crate::fields::A), REUSE_A);
operand!(FIRST_NEG48_ABS46_ONCE = "a", "[-]|Rn|":
    Item::Flag(field!("neg_a", 48, 1), "-"), Item::Between(field!("abs_a", 46, 1), "|", &[register!(crate::fields::A)]));
operand!(FIRST_NEG48_ABS46 = "a", "[-]|Rn|[.reuse]":
    Item::Flag(field!("neg_a", 48, 1), "-"), Item::Between(field!("abs_a", 46, 1), "|", &[register!(crate::fields::A)]), REUSE_A);
operand!(FIRST_NEG51_HALF35 = "a", "[-]Rn[.H0|.H1][.reuse]":
    Item::Flag(field!("neg_a", 51, 1), "-"), register!(crate::fields::A), Item::Names(field!("half_a", 35, 2), &[("", 0), (".H0", 1), (".H1", 2), (".???3", 3)], ".H0 or .H1"), REUSE_A);
operand!(FIRST_NEG51 = "a", "[-]Rn[.reuse]":
    Item::Flag(field!("neg_a", 51, 1), "-"), register!(crate::fields::A), REUSE_A);
operand!(FIRST_NEG56_ABS54 = "a", "[-]|Rn|[.reuse]":
    Item::Flag(field!("neg_a", 56, 1), "-"), Item::Between(field!("abs_a", 54, 1), "|", &[register!(crate::fields::A)]), REUSE_A);
operand!(FIRST_NEG56 = "a", "[-]Rn[.reuse]":
    Item::Flag(field!("neg_a", 56, 1), "-"), register!(crate::fields::A), REUSE_A);
operand!(FIRST_PRODUCT = "a", "[-]Rn": Item::When(&NEGATES_51, 2, "-"), register!(crate::fields::A));
operand!(FIRST_NEGATED_55 = "a", "[-]Rn[.reuse]": Item::When(&NEGATES_55, 2, "-"), register!(crate::fields::A), REUSE_A);
operand!(FIRST_NEGATED = "a", "[-]Rn[.reuse]": Item::When(&NEGATES_48, 2, "-"), register!(crate::fields::A), REUSE_A);
operand!(FIRST = "a", "Rn[.reuse]": register!(crate::fields::A), REUSE_A);
operand!(SECOND_REGISTER_ONCE = "b", "Rn": register!(crate::fields::B));
operand!(SECOND_AT_THIRD_HALF52 = "b", "Rn[.H1][.reuse]":
    register!(crate::fields::C), Item::Flag(field!("half_b", 52, 1), ".H1"), REUSE_B);
operand!(SECOND_AT_THIRD_NEG48 = "b", "[-]Rn[.reuse]":
    Item::Flag(field!("neg_b", 48, 1), "-"), register!(crate::fields::C), REUSE_B);
operand!(SECOND_AT_THIRD_ONCE = "b", "Rn": register!(crate::fields::C));
operand!(SECOND_AT_THIRD = "b", "Rn[.reuse]": register!(crate::fields::C), REUSE_B);
operand!(SECOND_REGISTER_HALF35 = "b", "Rn[.H1][.reuse]":
    register!(crate::fields::B), Item::Flag(field!("half_b", 35, 1), ".H1"), REUSE_B);
operand!(SECOND_REGISTER_INV40_ONCE = "b", "[~]Rn": Item::Flag(field!("inv_b", 40, 1), "~"), register!(crate::fields::B));
operand!(SECOND_REGISTER_INV40 = "b", "[~]Rn[.reuse]":
    Item::Flag(field!("inv_b", 40, 1), "~"), register!(crate::fields::B), REUSE_B);
operand!(SECOND_REGISTER_NEG45_ABS49_HALF_OF_HALF41_ONCE = "b", "[-]|Rn|[.H1]":
    Item::Flag(field!("neg_b", 45, 1), "-"), Item::Between(field!("abs_b", 49, 1), "|", &[register!(crate::fields::B), HALF_OF_HALF]));
operand!(SECOND_REGISTER_NEG45_ABS49_HALF41_ONCE = "b", "[-]|Rn|[.H1]":
    Item::Flag(field!("neg_b", 45, 1), "-"), Item::Between(field!("abs_b", 49, 1), "|", &[register!(crate::fields::B), HALF_ITEM]));
operand!(SECOND_REGISTER_NEG45_ABS49_PART41_ONCE = "b", "[-]|Rn|[.B1|.B2|.B3|.H1]":
    Item::Flag(field!("neg_b", 45, 1), "-"), Item::Between(field!("abs_b", 49, 1), "|", &[register!(crate::fields::B), PART_ITEM]));
operand!(SECOND_REGISTER_NEG45_ABS49_FADD = "b", "[-]|Rn|[.reuse]":
    Item::Flag(field!("neg_b", 45, 1), "-"), Item::Between(field!("abs_b", 49, 1), "|", &[register!(crate::fields::B)]), REUSE_C);
operand!(SECOND_REGISTER_NEG45_ABS49 = "b", "[-]|Rn|[.reuse]":
    Item::Flag(field!("neg_b", 45, 1), "-"), Item::Between(field!("abs_b", 49, 1), "|", &[register!(crate::fields::B)]), REUSE_B);
operand!(SECOND_REGISTER_NEG48 = "b", "[-]Rn[.reuse]":
    Item::Flag(field!("neg_b", 48, 1), "-"), register!(crate::fields::B), REUSE_B);
operand!(SECOND_REGISTER_NEG50_HALF33 = "b", "[-]Rn[.H0|.H1][.reuse]":
    Item::Flag(field!("neg_b", 50, 1), "-"), register!(crate::fields::B), Item::Names(field!("half_b", 33, 2), &[("", 0), (".H0", 1), (".H1", 2), (".???3", 3)], ".H0 or .H1"), REUSE_B);
operand!(SECOND_REGISTER_NEG53_ABS44 = "b", "[-]|Rn|[.reuse]":
    Item::Flag(field!("neg_b", 53, 1), "-"), Item::Between(field!("abs_b", 44, 1), "|", &[register!(crate::fields::B)]), REUSE_B);
operand!(SECOND_REGISTER_NEG6_ABS44 = "b", "[-]|Rn|[.reuse]":
    Item::Flag(field!("neg_b", 6, 1), "-"), Item::Between(field!("abs_b", 44, 1), "|", &[register!(crate::fields::B)]), REUSE_B);
operand!(SECOND_REGISTER_NEGATED = "b", "[-]Rn[.reuse]": Item::When(&NEGATES_48, 1, "-"), register!(crate::fields::B), REUSE_B);
operand!(SECOND_REGISTER = "b", "Rn[.reuse]": register!(crate::fields::B), REUSE_B);
operand!(SECOND_REGISTER_SWIZZLED = "b", "Rn[.reuse]": register!(crate::fields::B), REUSE_C);
operand!(THIRD_REGISTER_ONCE = "c", "Rn": register!(crate::fields::C));
operand!(SECOND_CONSTANT = "b", "c[bank][offset]": CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE);
operand!(SECOND_CONSTANT_INV40 = "b", "c[bank][offset]":
    Item::Flag(field!("inv_b", 40, 1), "~"), CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE);
operand!(SECOND_CONSTANT_NEG45_ABS49 = "b", "c[bank][offset]":
    Item::Flag(field!("neg_b", 45, 1), "-"), Item::Between(field!("abs_b", 49, 1), "|", &[CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE]));
operand!(SECOND_CONSTANT_NEG45_ABS49_HALF41 = "b", "c[bank][offset][.H1]":
    Item::Flag(field!("neg_b", 45, 1), "-"), Item::Between(field!("abs_b", 49, 1), "|", &[CONST_OPEN, BANK, CONST_BETWEEN_HALF, CONST_OFFSET, CONST_CLOSE, HALF_OF_HALF]));
operand!(SECOND_CONSTANT_NEG45_APART_ABS49_HALF41 = "b", "c[bank][offset][.H1]":
    Item::Flag(field!("neg_b", 45, 1), "-"), Item::Between(field!("abs_b", 49, 1), "|", &[CONST_OPEN, BANK, CONST_APART, CONST_OFFSET, CONST_CLOSE, HALF_ITEM]));
operand!(SECOND_CONSTANT_NEG45_APART_ABS49_PART41 = "b", "c[bank][offset][.B1|.B2|.B3|.H1]":
    Item::Flag(field!("neg_b", 45, 1), "-"), Item::Between(field!("abs_b", 49, 1), "|", &[CONST_OPEN, BANK, CONST_APART, CONST_OFFSET, CONST_CLOSE, PART_ITEM]));
operand!(SECOND_CONSTANT_NEG48 = "b", "c[bank][offset]":
    Item::Flag(field!("neg_b", 48, 1), "-"), CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE);
operand!(SECOND_CONSTANT_NEG50 = "b", "c[bank][offset]":
    Item::Flag(field!("neg_b", 50, 1), "-"), CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE);
operand!(SECOND_CONSTANT_NEG53_ABS44 = "b", "c[bank][offset]":
    Item::Flag(field!("neg_b", 53, 1), "-"), Item::Between(field!("abs_b", 44, 1), "|", &[CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE]));
operand!(SECOND_CONSTANT_NEG6_ABS44 = "b", "c[bank][offset]":
    Item::Flag(field!("neg_b", 6, 1), "-"), Item::Between(field!("abs_b", 44, 1), "|", &[CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE]));
operand!(SECOND_CONSTANT_NEGATED = "b", "[-]c[bank][offset]":
    Item::When(&NEGATES_48, 1, "-"), CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE);
operand!(SECOND_CONSTANT_APART_HALF52 = "b", "c[bank][offset][.H1]":
    CONST_OPEN, BANK, CONST_APART, CONST_OFFSET, CONST_CLOSE, Item::Flag(field!("half_b", 52, 1), ".H1"));
operand!(THIRD_CONSTANT = "c", "c[bank][offset]": CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE);
operand!(THIRD_CONSTANT_ADDEND = "c", "[-]c[bank][offset]":
    Item::When(&NEGATES_51, 1, "-"), CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE);
operand!(THIRD_CONSTANT_NEG49 = "c", "c[bank][offset]":
    Item::Flag(field!("neg_c", 49, 1), "-"), CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE);
operand!(THIRD_REGISTER_ADDEND = "c", "[-]Rn": Item::When(&NEGATES_51, 1, "-"), register!(crate::fields::C));
operand!(THIRD_REGISTER_NEG49_HALF31 = "c", "[-]Rn[.H0|.H1][.reuse]":
    Item::Flag(field!("neg_c", 49, 1), "-"), register!(crate::fields::C), Item::Names(field!("half_c", 31, 2), &[("", 0), (".H0", 1), (".H1", 2), (".???3", 3)], ".H0 or .H1"), REUSE_C);
operand!(THIRD_REGISTER_NEG49 = "c", "[-]Rn[.reuse]":
    Item::Flag(field!("neg_c", 49, 1), "-"), register!(crate::fields::C), REUSE_C);
operand!(THIRD_REGISTER = "c", "Rn[.reuse]": register!(crate::fields::C), REUSE_C);
operand!(RESULT = "d", "Rd": register!(D_FIELD));
operand!(RESULT_CC47 = "d", "Rd[.CC]": register!(D_FIELD), Item::Flag(field!("cc", 47, 1), ".CC"));
operand!(RESULT_CC52 = "d", "Rd[.CC]": register!(D_FIELD), Item::Flag(field!("cc", 52, 1), ".CC"));
operand!(SECOND_FLOAT20 = "b", "float": Item::Number(&number::FLOAT20));
operand!(SECOND_FLOAT20_NEG45_ABS49 = "b", "float[.NEG][.ABS]":
    Item::Number(&number::FLOAT20), Item::Flag(field!("neg_b", 45, 1), ".NEG"), Item::Flag(field!("abs_b", 49, 1), ".ABS"));
operand!(SECOND_FLOAT20_NEG45_ABS49_HALF41 = "b", "float[.NEG][.ABS][.H1]":
    Item::Number(&number::FLOAT20), Item::Flag(field!("neg_b", 45, 1), ".NEG"), Item::Flag(field!("abs_b", 49, 1), ".ABS"), HALF_ITEM);
operand!(SECOND_FLOAT20_NEG45_ABS49_HALF_OF_HALF41 = "b", "float[.NEG][.ABS][.H1]":
    Item::Number(&number::FLOAT20), Item::Flag(field!("neg_b", 45, 1), ".NEG"), Item::Flag(field!("abs_b", 49, 1), ".ABS"), HALF_OF_HALF);
operand!(SECOND_FLOAT20_NEG48 = "b", "float[.NEG]":
    Item::Number(&number::FLOAT20), Item::Flag(field!("neg_b", 48, 1), ".NEG"));
operand!(SECOND_FLOAT20_NEG53_ABS44 = "b", "float[.NEG][.ABS]":
    Item::Number(&number::FLOAT20), Item::Flag(field!("neg_b", 53, 1), ".NEG"), Item::Flag(field!("abs_b", 44, 1), ".ABS"));
operand!(SECOND_FLOAT20_NEG6_ABS44 = "b", "float[.NEG][.ABS]":
    Item::Number(&number::FLOAT20), Item::Flag(field!("neg_b", 6, 1), ".NEG"), Item::Flag(field!("abs_b", 44, 1), ".ABS"));
operand!(SECOND_FLOAT32 = "b", "float": Item::Number(&number::FLOAT32));
operand!(SECOND_FLOAT32_NEG53_ABS57 = "b", "float[.NEG][.ABS]":
    Item::Number(&number::FLOAT32), Item::Flag(field!("neg_b", 53, 1), ".NEG"), Item::Flag(field!("abs_b", 57, 1), ".ABS"));
operand!(SECOND_INT20 = "b", "n": Item::Number(&number::INT_20));
operand!(SECOND_INT20_INV40 = "b", "n[.INV]": Item::Number(&number::INT_20), Item::Flag(field!("inv_b", 40, 1), ".INV"));
operand!(SECOND_INT20_NEG45_ABS49_PART41 = "b", "n[.NEG][.ABS][.B1|.B2|.B3|.H1]":
    Item::Number(&number::INT_20), Item::Flag(field!("neg_b", 45, 1), ".NEG"), Item::Flag(field!("abs_b", 49, 1), ".ABS"), PART_ITEM);
operand!(SECOND_INT20_NEGATED = "b", "n[.NEG]": Item::Number(&number::INT_20), Item::When(&NEGATES_48, 1, ".NEG"));
operand!(SECOND_INT32 = "b", "n": Item::Number(&number::INT_32));
// The sign that adds one together with that of the first source; alone it is no instruction, so it is never written.
operand!(SECOND_INT32_NEGATED_55 = "b", "n": Item::Number(&number::INT_32), Item::When(&NEGATES_55, 1, ".NEG"));
operand!(SECOND_INT16 = "b", "n":
    Item::If(field!("signed", 48, 2), Allowed::Set(0b1100), &[Item::Number(&number::SINT16)], &[Item::Number(&number::UINT16)]));
operand!(SECOND_UINT20 = "b", "n": Item::Number(&number::UINT_20));
operand!(SECOND_UINT20_NEG50 = "b", "n[.NEG]":
    Item::Number(&number::UINT_20), Item::Flag(field!("neg_b", 50, 1), ".NEG"));
operand!(SECOND_UINT32 = "b", "n": Item::Number(&number::UINT_32));
operand!(SECOND_UINT32_INV56 = "b", "n[.INV]":
    Item::Number(&number::UINT_32), Item::Flag(field!("inv_b", 56, 1), ".INV"));
operand!(SECOND_UINT6_20 = "b", "n": Item::Number(&number::UINT6_20));
operand!(PREDICATE_AND_RESULT_CC47 = "d", "[Pn, ]Rd[.CC]": PD_FRONT, register!(D_FIELD), Item::Flag(field!("cc", 47, 1), ".CC"));
operand!(SECOND_DOUBLE20_NEG45_ABS49 = "b", "double[.NEG][.ABS]":
    Item::Number(&number::DOUBLE20), Item::Flag(field!("neg_b", 45, 1), ".NEG"), Item::Flag(field!("abs_b", 49, 1), ".ABS"));
operand!(SECOND_DOUBLE20_NEG48 = "b", "double[.NEG]":
    Item::Number(&number::DOUBLE20), Item::Flag(field!("neg_b", 48, 1), ".NEG"));
operand!(SECOND_DOUBLE20_NEG53_ABS44 = "b", "double[.NEG][.ABS]":
    Item::Number(&number::DOUBLE20), Item::Flag(field!("neg_b", 53, 1), ".NEG"), Item::Flag(field!("abs_b", 44, 1), ".ABS"));
operand!(SECOND_DOUBLE20_NEG6_ABS44 = "b", "double[.NEG][.ABS]":
    Item::Number(&number::DOUBLE20), Item::Flag(field!("neg_b", 6, 1), ".NEG"), Item::Flag(field!("abs_b", 44, 1), ".ABS"));
operand!(SECOND_CONSTANT_NEG43_ABS54 = "b", "c[bank][offset]":
    Item::Flag(field!("neg_b", 43, 1), "-"), Item::Between(field!("abs_b", 54, 1), "|", &[CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE]));
operand!(SECOND_CONSTANT_NEG56_ABS54 = "b", "c[bank][offset]":
    Item::Flag(field!("neg_b", 56, 1), "-"), Item::Between(field!("abs_b", 54, 1), "|", &[CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE]));
operand!(SECOND_CONSTANT_NEG56 = "b", "c[bank][offset]":
    Item::Flag(field!("neg_b", 56, 1), "-"), CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE);
operand!(THIRD_CONSTANT_NEG51 = "c", "c[bank][offset]":
    Item::Flag(field!("neg_c", 51, 1), "-"), CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE);
operand!(THIRD_IN_RESULT_NEG52 = "c", "[-]Rd[.reuse]":
    Item::Flag(field!("neg_c", 52, 1), "-"), Item::Shared(&[register!(D_FIELD)], &ADDEND_PROBLEM), REUSE_C);
