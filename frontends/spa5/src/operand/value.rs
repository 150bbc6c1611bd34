//! Registers, constants and literals, with their signs, bars and parts.

use super::control::{REUSE_A, REUSE_B, REUSE_C};
use super::special::{PART_ITEM, PD_FRONT};
use super::{D_FIELD, Kind, NEGATES_48, NEGATES_51, REGISTER, REGISTERS};
use crate::number;
use parallax_isa::{Allowed, Field, Form, Item, Operand, Problem, Register, Syntax};

const CONST_OPEN: Item = Item::Text("c[");
const BANK: Item = Item::Number(&number::BANK);
const CONST_NEXT: Item = Item::Text("[");
const CONST_APART: Item = Item::Text("] [");
const CONST_OFFSET: Item = Item::Number(&number::CONST_OFFSET);
const CONST_CLOSE: Item = Item::Text("]");

const ADDEND_PROBLEM: Problem =
    Problem { code: "addend", message: "the addend of FFMA32I is its result register", help: "use FFMA" };

operand!(A = "a", "Rn": register!(crate::fields::A));
operand!(ADDEND_N57 = "c", "[-]Rd":
    Item::Flag(field!("neg_c", 57, 1), "-"), Item::Shared(&[register!(D_FIELD)], &ADDEND_PROBLEM));
operand!(A_B41_R = "a", "Rn[.B1|.B2|.B3][.reuse]":
    register!(crate::fields::A), Item::Names(field!("byte", 41, 2), &[("", 0), (".B1", 1), (".B2", 2), (".B3", 3)], ".B1, .B2 or .B3"), REUSE_A);
operand!(A_H53_R = "a", "Rn[.H1][.reuse]":
    register!(crate::fields::A), Item::Flag(field!("half_a", 53, 1), ".H1"), REUSE_A);
operand!(A_I39_R = "a", "[~]Rn[.reuse]":
    Item::Flag(field!("inv_a", 39, 1), "~"), register!(crate::fields::A), REUSE_A);
operand!(A_I55_R = "a", "[~]Rn[.reuse]":
    Item::Flag(field!("inv_a", 55, 1), "~"), register!(crate::fields::A), REUSE_A);
operand!(A_N37_R = "a", "[-]Rn[.reuse]":
    Item::Flag(field!("neg_a", 37, 1), "-"), register!(crate::fields::A), REUSE_A);
operand!(A_N43_M54_R = "a", "[-]|Rn|[.reuse]":
    Item::Flag(field!("neg_a", 43, 1), "-"), Item::Between(field!("abs_a", 54, 1), "|", &[register!(crate::fields::A)]), REUSE_A);
operand!(A_N43_M7_R = "a", "[-]|Rn|[.reuse]":
    Item::Flag(field!("neg_a", 43, 1), "-"), Item::Between(field!("abs_a", 7, 1), "|", &[register!(crate::fields::A)]), REUSE_A);
operand!(A_N45_R = "a", "[-]Rn[.reuse]":
    Item::Flag(field!("neg_a", 45, 1), "-"), register!(crate::fields::A), REUSE_A);
operand!(A_N48_M46 = "a", "[-]|Rn|":
    Item::Flag(field!("neg_a", 48, 1), "-"), Item::Between(field!("abs_a", 46, 1), "|", &[register!(crate::fields::A)]));
operand!(A_N48_M46_R = "a", "[-]|Rn|[.reuse]":
    Item::Flag(field!("neg_a", 48, 1), "-"), Item::Between(field!("abs_a", 46, 1), "|", &[register!(crate::fields::A)]), REUSE_A);
operand!(A_N51_H35_R = "a", "[-]Rn[.H0|.H1][.reuse]":
    Item::Flag(field!("neg_a", 51, 1), "-"), register!(crate::fields::A), Item::Names(field!("half_a", 35, 2), &[("", 0), (".H0", 1), (".H1", 2), (".???3", 3)], ".H0 or .H1"), REUSE_A);
operand!(A_N51_R = "a", "[-]Rn[.reuse]":
    Item::Flag(field!("neg_a", 51, 1), "-"), register!(crate::fields::A), REUSE_A);
operand!(A_N56_M54_R = "a", "[-]|Rn|[.reuse]":
    Item::Flag(field!("neg_a", 56, 1), "-"), Item::Between(field!("abs_a", 54, 1), "|", &[register!(crate::fields::A)]), REUSE_A);
operand!(A_N56_R = "a", "[-]Rn[.reuse]":
    Item::Flag(field!("neg_a", 56, 1), "-"), register!(crate::fields::A), REUSE_A);
operand!(A_NEGATED_R = "a", "[-]Rn[.reuse]": Item::When(&NEGATES_48, 2, "-"), register!(crate::fields::A), REUSE_A);
operand!(A_R = "a", "Rn[.reuse]": register!(crate::fields::A), REUSE_A);
operand!(B = "b", "Rn": register!(crate::fields::B));
operand!(B_AT_C_H52_R = "b", "Rn[.H1][.reuse]":
    register!(crate::fields::C), Item::Flag(field!("half_b", 52, 1), ".H1"), REUSE_C);
operand!(B_AT_C_N48_R = "b", "[-]Rn[.reuse]":
    Item::Flag(field!("neg_b", 48, 1), "-"), register!(crate::fields::C), REUSE_C);
operand!(B_AT_C_PRODUCT = "b", "[-]Rn": Item::When(&NEGATES_51, 2, "-"), register!(crate::fields::C));
operand!(B_AT_C_R = "b", "Rn[.reuse]": register!(crate::fields::C), REUSE_C);
operand!(B_H35_R = "b", "Rn[.H1][.reuse]":
    register!(crate::fields::B), Item::Flag(field!("half_b", 35, 1), ".H1"), REUSE_B);
operand!(B_I40 = "b", "[~]Rn": Item::Flag(field!("inv_b", 40, 1), "~"), register!(crate::fields::B));
operand!(B_I40_R = "b", "[~]Rn[.reuse]":
    Item::Flag(field!("inv_b", 40, 1), "~"), register!(crate::fields::B), REUSE_B);
operand!(B_N45_M49 = "b", "[-]|Rn|":
    Item::Flag(field!("neg_b", 45, 1), "-"), Item::Between(field!("abs_b", 49, 1), "|", &[register!(crate::fields::B)]));
operand!(B_N45_M49_H41 = "b", "[-]|Rn|[.H1]":
    Item::Flag(field!("neg_b", 45, 1), "-"), Item::Between(field!("abs_b", 49, 1), "|", &[register!(crate::fields::B)]), Item::Flag(field!("half", 41, 1), ".H1"));
operand!(B_N45_M49_P41 = "b", "[-]|Rn|[.B1|.B2|.B3|.H1]":
    Item::Flag(field!("neg_b", 45, 1), "-"), Item::Between(field!("abs_b", 49, 1), "|", &[register!(crate::fields::B)]), PART_ITEM);
operand!(B_N45_M49_R = "b", "[-]|Rn|[.reuse]":
    Item::Flag(field!("neg_b", 45, 1), "-"), Item::Between(field!("abs_b", 49, 1), "|", &[register!(crate::fields::B)]), REUSE_B);
operand!(B_N48_R = "b", "[-]Rn[.reuse]":
    Item::Flag(field!("neg_b", 48, 1), "-"), register!(crate::fields::B), REUSE_B);
operand!(B_N50_H33_R = "b", "[-]Rn[.H0|.H1][.reuse]":
    Item::Flag(field!("neg_b", 50, 1), "-"), register!(crate::fields::B), Item::Names(field!("half_b", 33, 2), &[("", 0), (".H0", 1), (".H1", 2), (".???3", 3)], ".H0 or .H1"), REUSE_B);
operand!(B_N53_M44_R = "b", "[-]|Rn|[.reuse]":
    Item::Flag(field!("neg_b", 53, 1), "-"), Item::Between(field!("abs_b", 44, 1), "|", &[register!(crate::fields::B)]), REUSE_B);
operand!(B_N6_M44_R = "b", "[-]|Rn|[.reuse]":
    Item::Flag(field!("neg_b", 6, 1), "-"), Item::Between(field!("abs_b", 44, 1), "|", &[register!(crate::fields::B)]), REUSE_B);
operand!(B_NEGATED_R = "b", "[-]Rn[.reuse]": Item::When(&NEGATES_48, 1, "-"), register!(crate::fields::B), REUSE_B);
operand!(B_PRODUCT = "b", "[-]Rn": Item::When(&NEGATES_51, 2, "-"), register!(crate::fields::B));
operand!(B_R = "b", "Rn[.reuse]": register!(crate::fields::B), REUSE_B);
operand!(C = "c", "Rn": register!(crate::fields::C));
operand!(CONST_B = "b", "c[bank][offset]": CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE);
operand!(CONST_B_I40 = "b", "c[bank][offset]":
    Item::Flag(field!("inv_b", 40, 1), "~"), CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE);
operand!(CONST_B_N45_M49 = "b", "c[bank][offset]":
    Item::Flag(field!("neg_b", 45, 1), "-"), Item::Between(field!("abs_b", 49, 1), "|", &[CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE]));
operand!(CONST_B_N45_M49_H41 = "b", "c[bank][offset][.H1]":
    Item::Flag(field!("neg_b", 45, 1), "-"), Item::Between(field!("abs_b", 49, 1), "|", &[CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE]), Item::Flag(field!("half", 41, 1), ".H1"));
operand!(CONST_B_N45_S_M49_H41 = "b", "c[bank][offset][.H1]":
    Item::Flag(field!("neg_b", 45, 1), "-"), Item::Between(field!("abs_b", 49, 1), "|", &[CONST_OPEN, BANK, CONST_APART, CONST_OFFSET, CONST_CLOSE]), Item::Flag(field!("half", 41, 1), ".H1"));
operand!(CONST_B_N45_S_M49_P41 = "b", "c[bank][offset][.B1|.B2|.B3|.H1]":
    Item::Flag(field!("neg_b", 45, 1), "-"), Item::Between(field!("abs_b", 49, 1), "|", &[CONST_OPEN, BANK, CONST_APART, CONST_OFFSET, CONST_CLOSE]), PART_ITEM);
operand!(CONST_B_N48 = "b", "c[bank][offset]":
    Item::Flag(field!("neg_b", 48, 1), "-"), CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE);
operand!(CONST_B_N50 = "b", "c[bank][offset]":
    Item::Flag(field!("neg_b", 50, 1), "-"), CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE);
operand!(CONST_B_N53_M44 = "b", "c[bank][offset]":
    Item::Flag(field!("neg_b", 53, 1), "-"), Item::Between(field!("abs_b", 44, 1), "|", &[CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE]));
operand!(CONST_B_N6_M44 = "b", "c[bank][offset]":
    Item::Flag(field!("neg_b", 6, 1), "-"), Item::Between(field!("abs_b", 44, 1), "|", &[CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE]));
operand!(CONST_B_NEGATED = "b", "[-]c[bank][offset]":
    Item::When(&NEGATES_48, 1, "-"), CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE);
operand!(CONST_B_PRODUCT = "b", "[-]c[bank][offset]":
    Item::When(&NEGATES_51, 2, "-"), CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE);
operand!(CONST_B_S_H52 = "b", "c[bank][offset][.H1]":
    CONST_OPEN, BANK, CONST_APART, CONST_OFFSET, CONST_CLOSE, Item::Flag(field!("half_b", 52, 1), ".H1"));
operand!(CONST_C = "c", "c[bank][offset]": CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE);
operand!(CONST_C_ADDEND = "c", "[-]c[bank][offset]":
    Item::When(&NEGATES_51, 1, "-"), CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE);
operand!(CONST_C_N49 = "c", "c[bank][offset]":
    Item::Flag(field!("neg_c", 49, 1), "-"), CONST_OPEN, BANK, CONST_CLOSE, CONST_NEXT, CONST_OFFSET, CONST_CLOSE);
operand!(C_ADDEND = "c", "[-]Rn": Item::When(&NEGATES_51, 1, "-"), register!(crate::fields::C));
operand!(C_N49_H31_R = "c", "[-]Rn[.H0|.H1][.reuse]":
    Item::Flag(field!("neg_c", 49, 1), "-"), register!(crate::fields::C), Item::Names(field!("half_c", 31, 2), &[("", 0), (".H0", 1), (".H1", 2), (".???3", 3)], ".H0 or .H1"), REUSE_C);
operand!(C_N49_R = "c", "[-]Rn[.reuse]":
    Item::Flag(field!("neg_c", 49, 1), "-"), register!(crate::fields::C), REUSE_C);
operand!(C_R = "c", "Rn[.reuse]": register!(crate::fields::C), REUSE_C);
operand!(D = "d", "Rd": register!(D_FIELD));
operand!(D_CC47 = "d", "Rd[.CC]": register!(D_FIELD), Item::Flag(field!("cc", 47, 1), ".CC"));
operand!(D_CC52 = "d", "Rd[.CC]": register!(D_FIELD), Item::Flag(field!("cc", 52, 1), ".CC"));
operand!(IMM_FLOAT20 = "b", "float": Item::Number(&number::FLOAT20));
operand!(IMM_FLOAT20_N45_M49 = "b", "float[.NEG][.ABS]":
    Item::Number(&number::FLOAT20), Item::Flag(field!("neg_b", 45, 1), ".NEG"), Item::Flag(field!("abs_b", 49, 1), ".ABS"));
operand!(IMM_FLOAT20_N45_M49_H41 = "b", "float[.NEG][.ABS][.H1]":
    Item::Number(&number::FLOAT20), Item::Flag(field!("neg_b", 45, 1), ".NEG"), Item::Flag(field!("abs_b", 49, 1), ".ABS"), Item::Flag(field!("half", 41, 1), ".H1"));
operand!(IMM_FLOAT20_N48 = "b", "float[.NEG]":
    Item::Number(&number::FLOAT20), Item::Flag(field!("neg_b", 48, 1), ".NEG"));
operand!(IMM_FLOAT20_N53_M44 = "b", "float[.NEG][.ABS]":
    Item::Number(&number::FLOAT20), Item::Flag(field!("neg_b", 53, 1), ".NEG"), Item::Flag(field!("abs_b", 44, 1), ".ABS"));
operand!(IMM_FLOAT20_N6_M44 = "b", "float[.NEG][.ABS]":
    Item::Number(&number::FLOAT20), Item::Flag(field!("neg_b", 6, 1), ".NEG"), Item::Flag(field!("abs_b", 44, 1), ".ABS"));
operand!(IMM_FLOAT32 = "b", "float": Item::Number(&number::FLOAT32));
operand!(IMM_FLOAT32_N53_M57 = "b", "float[.NEG][.ABS]":
    Item::Number(&number::FLOAT32), Item::Flag(field!("neg_b", 53, 1), ".NEG"), Item::Flag(field!("abs_b", 57, 1), ".ABS"));
operand!(IMM_INT20 = "b", "n": Item::Number(&number::INT_20));
operand!(IMM_INT20_I40 = "b", "n[.INV]": Item::Number(&number::INT_20), Item::Flag(field!("inv_b", 40, 1), ".INV"));
operand!(IMM_INT20_N45_M49_P41 = "b", "n[.NEG][.ABS][.B1|.B2|.B3|.H1]":
    Item::Number(&number::INT_20), Item::Flag(field!("neg_b", 45, 1), ".NEG"), Item::Flag(field!("abs_b", 49, 1), ".ABS"), PART_ITEM);
operand!(IMM_INT20_NEGATED = "b", "n[.NEG]": Item::Number(&number::INT_20), Item::When(&NEGATES_48, 1, ".NEG"));
operand!(IMM_INT20_PRODUCT = "b", "n[.NEG]": Item::Number(&number::INT_20), Item::When(&NEGATES_51, 2, ".NEG"));
operand!(IMM_INT32 = "b", "n": Item::Number(&number::INT_32));
operand!(IMM_UINT16 = "b", "n": Item::Number(&number::UINT16));
operand!(IMM_UINT20 = "b", "n": Item::Number(&number::UINT_20));
operand!(IMM_UINT20_N50 = "b", "n[.NEG]":
    Item::Number(&number::UINT_20), Item::Flag(field!("neg_b", 50, 1), ".NEG"));
operand!(IMM_UINT32 = "b", "n": Item::Number(&number::UINT_32));
operand!(IMM_UINT32_I56 = "b", "n[.INV]":
    Item::Number(&number::UINT_32), Item::Flag(field!("inv_b", 56, 1), ".INV"));
operand!(IMM_UINT6_20 = "b", "n": Item::Number(&number::UINT6_20));
operand!(PD_D_CC47 = "d", "[Pn, ]Rd[.CC]": PD_FRONT, register!(D_FIELD), Item::Flag(field!("cc", 47, 1), ".CC"));
