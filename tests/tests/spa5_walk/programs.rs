//! Random words and programs.

use parallax_gen::Choices;

/// Small numbers from a list of choices.
pub(crate) struct Dice<'a>(pub(crate) Choices<'a>);

impl Dice<'_> {
    /// A number below `n`.
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        self.0.below(n as usize) as u32
    }
}

/// Where the operands of a form stand, beside the result in bits 7:0 and the first source in 15:8.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Form {
    /// b is a register.
    R,
    /// b is a constant.
    C,
    /// b is a register in the place of c, c a constant.
    Rc,
    /// b is a literal of 20 bits.
    I,
    /// b is a literal of 32 bits.
    I32,
    /// Nothing but the fields listed.
    Bare,
}

/// Words of one form: the upper 16 bits, and fields with the greatest value each takes.
struct Row {
    top: u64,
    form: Form,
    fields: &'static [(u32, u32, u64)],
}

const fn row(top: u64, form: Form, fields: &'static [(u32, u32, u64)]) -> Row {
    Row { top, form, fields }
}

use Form::{Bare, C, I, I32, R, Rc};

/// A source predicate that may be inverted, at bit 39.
const PC: (u32, u32, u64) = (39, 4, 15);

/// The condition code, where instructions with short operands and those with literals of 32 bits ask for it.
const CC: (u32, u32, u64) = (47, 1, 1);
const CC32: (u32, u32, u64) = (52, 1, 1);

type Fields = &'static [(u32, u32, u64)];
const FADD: Fields = &[CC, (39, 2, 3), (44, 2, 3), (46, 1, 1), (48, 3, 7)];
const FADD32: Fields = &[CC32, (53, 5, 31)];
const FMUL: Fields = &[CC, (39, 2, 3), (41, 3, 6), (44, 2, 2), (48, 1, 1), (50, 1, 1)];
const FMUL32: Fields = &[CC32, (53, 2, 2), (55, 1, 1)];
const FFMA: Fields = &[CC, (48, 3, 7), (51, 2, 3), (53, 2, 2)];
const FFMA32: Fields = &[CC32, (53, 2, 2), (55, 3, 7)];
const FMNMX: Fields = &[CC, PC, (44, 3, 7), (48, 2, 3)];
const FSET: Fields = &[CC, PC, (43, 2, 3), (45, 2, 2), (48, 4, 15), (52, 4, 15)];
const FSETP: Fields = &[PC, (6, 2, 3), (43, 2, 3), (45, 2, 2), (47, 5, 31)];
const FCMP: Fields = &[(47, 5, 31)];
const RRO: Fields = &[(39, 1, 1), (45, 1, 1), (49, 1, 1)];
const F2F: Fields = &[CC, (10, 2, 2), (39, 2, 3), (41, 1, 1), (44, 2, 3), (49, 2, 3)];
const F2I: Fields = &[CC, (10, 2, 2), (12, 1, 1), (39, 3, 7), (44, 2, 3), (49, 1, 1)];
const I2F: Fields = &[CC, (10, 2, 2), (13, 1, 1), (39, 4, 15), (45, 1, 1), (49, 1, 1)];
const I2I: Fields = &[CC, (10, 2, 2), (12, 2, 3), (41, 2, 3), (45, 1, 1), (49, 2, 3)];
const IADD: Fields = &[(47, 4, 15)];
const IADDX: Fields = &[(43, 1, 1), (47, 2, 3)];
const IADD32: Fields = &[(52, 3, 7), (56, 1, 1)];
const IADD3R: Fields = &[(31, 2, 2), (33, 2, 2), (35, 2, 2), (47, 5, 31)];
const IADD3S: Fields = &[(31, 2, 2), (33, 2, 2), (35, 2, 2), (37, 2, 2), (49, 3, 7)];
const IADD3: Fields = &[(47, 5, 31)];
const ISCADD: Fields = &[(39, 5, 31), (47, 3, 7)];
const ISCADD32: Fields = &[(52, 1, 1), (53, 5, 31)];
const LEA: Fields = &[(39, 5, 31), (45, 3, 7)];
const LEA_HIGH: Fields = &[(28, 5, 31), (37, 2, 3), (47, 1, 1)];
const IMNMX: Fields = &[CC, PC, (43, 2, 3), (48, 1, 1)];
const IMUL: Fields = &[CC, (39, 3, 7)];
const IMUL32: Fields = &[CC32, (53, 3, 7)];
const IMAD: Fields = &[CC, (48, 3, 7), (51, 4, 15)];
const XMAD_R: Fields = &[CC, (35, 4, 15), (48, 2, 3), (50, 2, 2), (53, 1, 1)];
const XMAD_RB: Fields = &[CC, (35, 4, 15), (48, 2, 3), (53, 1, 1)];
const XMAD_I: Fields = &[CC, (36, 3, 7), (48, 2, 3), (50, 2, 2), (53, 1, 1)];
const XMAD_C: Fields = &[CC, (48, 2, 3), (50, 2, 2), (52, 5, 31)];
const XMAD_RC: Fields = &[CC, (48, 2, 3), (50, 2, 2), (52, 3, 7)];
const SHL: Fields = &[CC, (39, 1, 1)];
const SHR: Fields = &[CC, (39, 2, 3), (48, 1, 1)];
const SHF: Fields = &[CC, (37, 2, 0), (48, 1, 1), (50, 1, 1)];
const SHF64: Fields = &[CC, (37, 2, 1), (48, 1, 1), (50, 1, 1)];
const LOP: Fields = &[CC, (39, 4, 15), (44, 2, 3), (48, 3, 7)];
const LOP32: Fields = &[CC32, (53, 4, 15)];
const LOP3R: Fields = &[CC, (28, 8, 255), (36, 2, 3), (48, 3, 7)];
const LOP3: Fields = &[CC, (48, 8, 255)];
const BFE: Fields = &[CC, (40, 1, 1), (48, 1, 1)];
const FLO: Fields = &[CC, (40, 2, 3), (48, 1, 1)];
const PRMT: Fields = &[(48, 4, 6)];
const ISET: Fields = &[CC, PC, (43, 2, 3), (45, 2, 2), (48, 4, 15)];
const ISETP: Fields = &[PC, (43, 1, 1), (45, 2, 2), (48, 4, 15)];
const ICMP: Fields = &[(48, 4, 15)];
const PSET: Fields = &[CC, PC, (12, 4, 15), (24, 2, 2), (29, 4, 15), (44, 1, 1), (45, 2, 2)];
const PSETP: Fields = &[PC, (0, 3, 7), (3, 3, 7), (12, 4, 15), (24, 2, 2), (29, 4, 15), (45, 2, 2)];
const CSETP: Fields = &[PC, (0, 3, 7), (3, 3, 7), (45, 2, 2)];
const CSET: Fields = &[CC, PC, (44, 1, 1), (45, 2, 2)];
const BYTE: Fields = &[(40, 3, 7)];
const MUFU: Fields = &[(20, 4, 5), (46, 1, 1), (48, 1, 1), (50, 1, 1)];

/// What every lane does by itself. A bit that must be set, as the lane mask of MOV, is added in [`alu`].
const ROWS: &[Row] = &[
    row(0x5c58, R, FADD),
    row(0x4c58, C, FADD),
    row(0x3858, I, FADD),
    row(0x0800, I32, FADD32),
    row(0x5c68, R, FMUL),
    row(0x4c68, C, FMUL),
    row(0x3868, I, FMUL),
    row(0x1e00, I32, FMUL32),
    row(0x5980, R, FFMA),
    row(0x5180, Rc, FFMA),
    row(0x4980, C, FFMA),
    row(0x3280, I, FFMA),
    row(0x0c00, I32, FFMA32),
    row(0x5c60, R, FMNMX),
    row(0x4c60, C, FMNMX),
    row(0x3860, I, FMNMX),
    row(0x5800, R, FSET),
    row(0x4800, C, FSET),
    row(0x3000, I, FSET),
    row(0x5bb0, R, FSETP),
    row(0x4bb0, C, FSETP),
    row(0x36b0, I, FSETP),
    row(0x5ba0, R, FCMP),
    row(0x53a0, Rc, FCMP),
    row(0x4ba0, C, FCMP),
    row(0x36a0, I, FCMP),
    row(0x5080, Bare, MUFU),
    row(0x5c90, R, RRO),
    row(0x4c90, C, RRO),
    row(0x5ca8, R, F2F),
    row(0x4ca8, C, F2F),
    row(0x5cb0, R, F2I),
    row(0x4cb0, C, F2I),
    row(0x5cb8, R, I2F),
    row(0x4cb8, C, I2F),
    row(0x38b8, I, I2F),
    row(0x5ce0, R, I2I),
    row(0x4ce0, C, I2I),
    row(0x5c10, R, IADD),
    row(0x4c10, C, IADD),
    row(0x3810, I, IADD),
    row(0x5c10, R, IADDX),
    row(0x3810, I, IADDX),
    row(0x1c00, I32, IADD32),
    row(0x5cc0, R, IADD3R),
    row(0x5cc0, R, IADD3S),
    row(0x4cc0, C, IADD3),
    row(0x38c0, I, IADD3),
    row(0x5c18, R, ISCADD),
    row(0x4c18, C, ISCADD),
    row(0x3818, I, ISCADD),
    row(0x1400, I32, ISCADD32),
    row(0x5bd0, R, LEA),
    row(0x4bd0, C, LEA),
    row(0x36d0, I, LEA),
    row(0x5bd8, R, LEA_HIGH),
    row(0x5c20, R, IMNMX),
    row(0x4c20, C, IMNMX),
    row(0x3820, I, IMNMX),
    row(0x5c38, R, IMUL),
    row(0x4c38, C, IMUL),
    row(0x3838, I, IMUL),
    row(0x1f00, I32, IMUL32),
    row(0x5a00, R, IMAD),
    row(0x5200, Rc, IMAD),
    row(0x4a00, C, IMAD),
    row(0x3400, I, IMAD),
    row(0x5b00, R, XMAD_R),
    row(0x5b10, R, XMAD_RB),
    row(0x3600, I, XMAD_I),
    row(0x4e00, C, XMAD_C),
    row(0x5100, Rc, XMAD_RC),
    row(0x5c48, R, SHL),
    row(0x4c48, C, SHL),
    row(0x3848, I, SHL),
    row(0x5c28, R, SHR),
    row(0x4c28, C, SHR),
    row(0x3828, I, SHR),
    row(0x5bf8, R, SHF),
    row(0x36f8, I, SHF),
    row(0x5cf8, R, SHF),
    row(0x38f8, I, SHF),
    row(0x5bf8, R, SHF64),
    row(0x5cf8, R, SHF64),
    row(0x5c40, R, LOP),
    row(0x4c40, C, LOP),
    row(0x3840, I, LOP),
    row(0x0400, I32, LOP32),
    row(0x5be0, R, LOP3R),
    row(0x0200, C, LOP3),
    row(0x3c00, I, LOP3),
    row(0x5c00, R, BFE),
    row(0x4c00, C, BFE),
    row(0x3800, I, BFE),
    row(0x5bf0, R, &[CC]),
    row(0x53f0, Rc, &[CC]),
    row(0x4bf0, C, &[CC]),
    row(0x36f0, I, &[CC]),
    row(0x5c30, R, FLO),
    row(0x4c30, C, FLO),
    row(0x5c08, R, &[(40, 1, 1)]),
    row(0x4c08, C, &[(40, 1, 1)]),
    row(0x5bc0, R, PRMT),
    row(0x53c0, Rc, PRMT),
    row(0x4bc0, C, PRMT),
    row(0x36c0, I, PRMT),
    row(0x5b50, R, ISET),
    row(0x4b50, C, ISET),
    row(0x3650, I, ISET),
    row(0x5b60, R, ISETP),
    row(0x4b60, C, ISETP),
    row(0x3660, I, ISETP),
    row(0x5b40, R, ICMP),
    row(0x5340, Rc, ICMP),
    row(0x4b40, C, ICMP),
    row(0x3640, I, ICMP),
    row(0x5ca0, R, &[PC]),
    row(0x4ca0, C, &[PC]),
    row(0x38a0, I, &[PC]),
    row(0x5c98, R, &[]),
    row(0x4c98, C, &[]),
    row(0x3898, I, &[]),
    row(0x0100, I32, &[]),
    row(0x5088, Bare, PSET),
    row(0x5090, Bare, PSETP),
    row(0x5098, Bare, CSET),
    row(0x50a0, Bare, CSETP),
    row(0x5ce8, R, BYTE),
    row(0x38e8, I, BYTE),
    row(0x5cf0, R, BYTE),
    row(0x38f0, I, BYTE),
    row(0xef90, Bare, &[(20, 4, 15), (36, 1, 1), (48, 3, 5)]),
    row(0xef40, Bare, &[(20, 5, 31), (48, 3, 6)]),
    row(0xef50, Bare, &[(20, 5, 31), (48, 3, 6)]),
];

/// General registers random instructions use; loops count in those above.
const USED: u64 = 8;

fn register(c: &mut Dice<'_>) -> u64 {
    match c.below(9) {
        8 => 255,
        n => u64::from(n) % USED,
    }
}

fn put(word: &mut u64, lo: u32, len: u32, value: u64) {
    let mask = (1 << len) - 1;
    *word = *word & !(mask << lo) | (value & mask) << lo;
}

/// A guard: mostly none.
fn guard(c: &mut Dice<'_>) -> u64 {
    if c.below(3) == 0 { u64::from(c.below(16)) } else { 7 }
}

/// A test of the condition code that is defined.
fn test(c: &mut Dice<'_>) -> u64 {
    match u64::from(c.below(26)) {
        n @ 0..24 => n,
        n => n + 6,
    }
}

fn tame(c: &mut Dice<'_>) -> u32 {
    match c.below(6) {
        0..3 => ((c.below(64) as i32 - 32) as f32 * 0.375).to_bits(),
        3 => c.below(64).wrapping_sub(32),
        4 => 0x0020_1c03,
        _ => c.0.word(),
    }
}

/// A word for one lane.
pub(crate) fn alu(c: &mut Dice<'_>) -> u64 {
    let at = c.below(ROWS.len() as u32) as usize;
    let row = &ROWS[at];
    let mut word = row.top << 48;
    put(&mut word, 0, 8, register(c));
    put(&mut word, 8, 8, register(c));
    let is_three = matches!(
        row.top,
        0x5980
            | 0x4980
            | 0x3280
            | 0x5ba0
            | 0x4ba0
            | 0x36a0
            | 0x5cc0
            | 0x4cc0
            | 0x38c0
            | 0x5a00
            | 0x4a00
            | 0x3400
            | 0x5b00
            | 0x5b10
            | 0x3600
            | 0x4e00
            | 0x5bf8
            | 0x36f8
            | 0x5cf8
            | 0x38f8
            | 0x5be0
            | 0x0200
            | 0x3c00
            | 0x5bf0
            | 0x4bf0
            | 0x36f0
            | 0x5bc0
            | 0x4bc0
            | 0x36c0
            | 0x5b40
            | 0x4b40
            | 0x3640
            | 0x5bd8
    );
    if is_three || row.form == Rc {
        put(&mut word, 39, 8, register(c));
    }
    match row.form {
        R => put(&mut word, 20, 8, register(c)),
        C | Rc => {
            put(&mut word, 20, 14, if c.below(12) == 0 { 0x3fff } else { u64::from(c.below(9)) });
            put(&mut word, 34, 5, u64::from(c.below(2)));
        }
        I => {
            // Small integers, or the upper bits of a tame float.
            let number = if c.below(2) == 0 { u64::from(c.below(0x900)) } else { u64::from(tame(c) >> 12) };
            let bits = if row.top == 0x3600 { 16 } else { 19 };
            put(&mut word, 20, bits, number);
            if bits == 19 {
                put(&mut word, 56, 1, u64::from(c.below(2)));
            }
        }
        I32 => {
            let number = u64::from(tame(c));
            put(&mut word, 20, 32, number);
        }
        Bare => {}
    }
    for &(lo, len, most) in row.fields {
        let value = u64::from(c.below(most as u32 + 1));
        put(&mut word, lo, len, value);
    }
    put(&mut word, 16, 4, guard(c));
    repaired(word, row.top, c)
}

/// What single fields cannot say: reserved combinations, and fields that must have a value.
fn repaired(mut word: u64, top: u64, c: &mut Dice<'_>) -> u64 {
    match top {
        // FSETP, ISETP write predicates.
        0x5bb0 | 0x4bb0 | 0x36b0 | 0x5b60 | 0x4b60 | 0x3660 => {
            let keep = word & 0xc0;
            put(&mut word, 0, 8, u64::from(c.below(64)));
            word |= keep & if matches!(top, 0x5bb0 | 0x4bb0 | 0x36b0) { 0xc0 } else { 0 };
        }
        0x5090 => word &= !0xc0,
        0x50a0 => {
            word &= !0xc0;
            put(&mut word, 8, 5, test(c));
        }
        0x5098 => put(&mut word, 8, 5, test(c)),
        0x5ca8 | 0x4ca8 => {
            let (to, from) = (1 + c.below(2), 1 + c.below(2));
            put(&mut word, 8, 2, to.into());
            put(&mut word, 10, 2, from.into());
            put(&mut word, 42, 1, u64::from(to == from) * u64::from(c.below(2)));
        }
        0x5cb0 | 0x4cb0 => {
            put(&mut word, 8, 2, u64::from(1 + c.below(2)));
            put(&mut word, 10, 2, u64::from(1 + c.below(2)));
            put(&mut word, 42, 1, 0);
        }
        0x5cb8 | 0x4cb8 | 0x38b8 => put(&mut word, 8, 2, 2),
        0x5ce0 | 0x4ce0 => put(&mut word, 8, 2, u64::from(c.below(3))),
        // A reserved width of SHF is 1; 64 bits are 2 and 3.
        0x5bf8 | 0x5cf8 | 0x36f8 | 0x38f8 if word >> 37 & 3 == 1 => put(&mut word, 37, 2, u64::from(2 + c.below(2))),
        // Carry in with both signs is a sum plus one with a carry.
        0x5c10 | 0x4c10 | 0x3810 if word >> 43 & 1 != 0 && word >> 48 & 3 == 3 => put(&mut word, 48, 1, 0),
        0x5c98 | 0x4c98 | 0x3898 => put(&mut word, 39, 4, 15),
        0x0100 => put(&mut word, 12, 4, 15),
        0x5bd0 | 0x4bd0 | 0x36d0 | 0x5bd8 => put(&mut word, 48, 3, 7),
        // Pairs and fours of registers end with the last one used.
        0xef90 | 0xef40 | 0xef50 => {
            put(&mut word, 0, 8, u64::from(c.below(4)));
            if top == 0xef90 {
                put(&mut word, 44, 2, 0);
            }
        }
        _ => {}
    }
    // The condition code of a merged word is not defined.
    let merges = match top {
        0x5b00 | 0x5b10 | 0x3600 => word >> 37 & 1 != 0,
        0x4e00 => word >> 56 & 1 != 0,
        _ => false,
    };
    if merges {
        put(&mut word, 47, 1, 0);
    }
    if top == 0x5b10 {
        // The mode that adds b: CBCC.
        put(&mut word, 50, 3, 4);
    }
    word
}

/// A word for the whole quad.
pub(crate) fn quad(c: &mut Dice<'_>) -> u64 {
    let mut word = [0x50f8_u64, 0x50d8, 0xef10, 0xf0c8, 0x5c98, 0x0100][c.below(6) as usize] << 48;
    put(&mut word, 0, 8, register(c));
    match word >> 48 {
        0x50f8 => {
            put(&mut word, 8, 8, register(c));
            put(&mut word, 20, 8, register(c));
            put(&mut word, 28, 8, u64::from(c.below(256)));
            put(&mut word, 39, 2, u64::from(c.below(4)));
            put(&mut word, 44, 1, u64::from(c.below(2)));
            put(&mut word, 47, 1, u64::from(c.below(2)));
        }
        0x5c98 => {
            put(&mut word, 20, 8, register(c));
            put(&mut word, 39, 4, u64::from(c.below(16)));
        }
        0x0100 => {
            put(&mut word, 12, 4, u64::from(c.below(16)));
            put(&mut word, 20, 32, u64::from(tame(c)));
        }
        0x50d8 => {
            put(&mut word, 39, 4, u64::from(c.below(16)));
            put(&mut word, 45, 3, u64::from(c.below(8)));
            put(&mut word, 48, 2, u64::from(c.below(3)));
        }
        0xef10 => {
            put(&mut word, 8, 8, register(c));
            if c.below(3) > 0 {
                put(&mut word, 28, 1, 1);
                put(&mut word, 20, 5, u64::from(c.below(6)));
            } else {
                put(&mut word, 20, 8, register(c));
            }
            if c.below(3) > 0 {
                put(&mut word, 29, 1, 1);
                let mask = [0x1c03_u64, 0x1f, 0x1e01, 0][c.below(4) as usize];
                put(&mut word, 34, 13, mask);
            } else {
                put(&mut word, 39, 8, register(c));
            }
            put(&mut word, 30, 2, u64::from(c.below(4)));
            put(&mut word, 48, 3, u64::from(c.below(8)));
        }
        // The number of the lane.
        _ => {}
    }
    put(&mut word, 16, 4, guard(c));
    word
}

/// When an instruction that leads control does: where its guard and its test of the condition code hold.
#[derive(Copy, Clone)]
pub(crate) struct When {
    guard: u64,
    test: u64,
}

const ALWAYS: When = When { guard: 7, test: 15 };

impl When {
    fn random(c: &mut Dice<'_>) -> When {
        let guard = u64::from(c.below(7)) | u64::from(c.below(2)) << 3;
        match c.below(4) {
            0 => When { guard, test: test(c) },
            1 => When { guard: 7, test: test(c) },
            _ => When { guard, ..ALWAYS },
        }
    }

    fn bits(self) -> u64 {
        self.guard << 16 | self.test
    }
}

/// A program in the making: words, and for those that name a place its label.
#[derive(Default)]
pub(crate) struct Assembly {
    words: Vec<(u64, Option<usize>)>,
    labels: Vec<usize>,
}

impl Assembly {
    fn label(&mut self) -> usize {
        self.labels.push(usize::MAX);
        self.labels.len() - 1
    }

    fn place(&mut self, label: usize) {
        self.labels[label] = self.words.len();
    }

    fn word(&mut self, word: u64) {
        self.words.push((word, None));
    }

    fn to(&mut self, top: u64, when: When, label: usize) {
        self.words.push((top << 48 | when.bits(), Some(label)));
    }

    /// An instruction that leads control without naming a place.
    fn flow(&mut self, top: u64, when: When) {
        self.word(top << 48 | when.bits());
    }

    /// The words, their targets filled in.
    pub(crate) fn finish(self) -> Vec<u64> {
        let address = |n: usize| (n / 3 * 32 + n % 3 * 8 + 8) as i64;
        let words = self.words.iter().enumerate().map(|(n, &(word, label))| match label {
            None => word,
            Some(label) => {
                let distance = address(self.labels[label]) - address(n) - 8;
                word | (distance as u64 & 0xff_ffff) << 20
            }
        });
        words.collect()
    }
}

const BRA: u64 = 0xe240;
const SSY: u64 = 0xe290;
const SYNC: u64 = 0xf0f8;
const PBK: u64 = 0xe2a0;
const BRK: u64 = 0xe340;
const PCNT: u64 = 0xe2b0;
const CONT: u64 = 0xe350;
const CAL: u64 = 0xe260;
const PRET: u64 = 0xe270;
const RET: u64 = 0xe320;
const EXIT: u64 = 0xe300;
/// CAL and PRET: the normal kind.
const SET: u64 = 1 << 6;

/// A program with branches, loops and calls, which ends.
pub(crate) struct Structured<'c, 'd> {
    c: &'c mut Dice<'d>,
    out: Assembly,
    functions: Vec<usize>,
    /// Loops around the place: each counts in a register of its own.
    loops: u64,
    most_loops: u64,
    /// Statements left.
    budget: usize,
}

impl<'c, 'd> Structured<'c, 'd> {
    /// Writes one.
    pub(crate) fn program(c: &'c mut Dice<'d>) -> Vec<u64> {
        let mut s =
            Structured { c, out: Assembly::default(), functions: Vec::new(), loops: 0, most_loops: 2, budget: 40 };
        let functions = s.c.below(3) as usize;
        s.functions = (0..functions).map(|_| s.out.label()).collect();
        s.block(0, 3);
        s.out.flow(EXIT, ALWAYS);
        // A function calls only those behind it.
        let labels = s.functions.clone();
        for (n, label) in labels.iter().enumerate() {
            s.out.place(*label);
            s.functions = labels[n + 1..].to_vec();
            s.budget = 12;
            // Its loops count elsewhere than those around the call.
            (s.loops, s.most_loops) = (2, 4);
            s.block(1, 1);
            let early = When::random(s.c);
            s.out.flow(RET, early);
            s.body();
            s.out.flow(RET, ALWAYS);
        }
        s.out.finish()
    }

    fn body(&mut self) {
        for _ in 0..1 + self.c.below(3) {
            let word = alu(self.c);
            self.out.word(word);
        }
    }

    fn when(&mut self) -> When {
        When::random(self.c)
    }

    fn block(&mut self, depth: u32, most: u32) {
        for _ in 0..1 + self.c.below(most) {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            match self.c.below(if depth < 3 { 8 } else { 3 }) {
                0..2 => self.body(),
                2 => self.skip(),
                3 => self.branch(depth),
                4 => self.partial(depth),
                5 | 6 if self.loops < self.most_loops => self.cycle(depth),
                7 if !self.functions.is_empty() => self.call(),
                _ => self.body(),
            }
        }
    }

    /// A jump over a few instructions.
    fn skip(&mut self) {
        let (end, when) = (self.out.label(), self.when());
        self.out.to(BRA, when, end);
        self.body();
        self.out.place(end);
    }

    /// Two arms that meet at SYNC.
    fn branch(&mut self, depth: u32) {
        let (other, end, when) = (self.out.label(), self.out.label(), self.when());
        self.out.to(SSY, ALWAYS, end);
        self.out.to(BRA, when, other);
        self.block(depth + 1, 2);
        self.out.flow(SYNC, ALWAYS);
        self.out.place(other);
        self.block(depth + 1, 2);
        self.out.flow(SYNC, ALWAYS);
        self.out.place(end);
    }

    /// Lanes leave for the meeting point one by one, some of them from the program.
    fn partial(&mut self, depth: u32) {
        let end = self.out.label();
        self.out.to(SSY, ALWAYS, end);
        self.body();
        let when = self.when();
        self.out.flow(SYNC, when);
        self.block(depth + 1, 1);
        if self.c.below(6) == 0 {
            let when = self.when();
            self.out.flow(EXIT, when);
        }
        self.out.flow(SYNC, ALWAYS);
        self.out.place(end);
    }

    /// A loop of a few rounds with BRK and CONT.
    fn cycle(&mut self, depth: u32) {
        let counter = USED + self.loops;
        self.loops += 1;
        let (head, next, end) = (self.out.label(), self.out.label(), self.out.label());
        // The counter starts again.
        self.out.word(0x0100 << 48 | 15 << 12 | 7 << 16 | counter);
        self.out.to(PBK, ALWAYS, end);
        self.out.place(head);
        let continues = self.c.below(2) == 0;
        if continues {
            self.out.to(PCNT, ALWAYS, next);
        }
        self.block(depth + 1, 2);
        if self.c.below(2) == 0 {
            let when = self.when();
            self.out.flow(BRK, when);
        }
        if continues {
            if self.c.below(2) == 0 {
                let when = self.when();
                self.out.flow(CONT, when);
                self.body();
            }
            self.out.flow(CONT, ALWAYS);
        }
        self.out.place(next);
        // IADD32I counter, counter, 1; ISETP.LT.AND P6, PT, counter, rounds, PT; @P6 BRA head; BRK.
        self.out.word(0x1c00 << 48 | 1 << 20 | 7 << 16 | counter << 8 | counter);
        let rounds = u64::from(1 + self.c.below(4));
        self.out.word(0x3660 << 48 | 1 << 49 | 7 << 39 | rounds << 20 | counter << 8 | 7 << 16 | 6 << 3 | 7);
        self.out.to(BRA, When { guard: 6, ..ALWAYS }, head);
        self.out.flow(BRK, ALWAYS);
        self.out.place(end);
        self.loops -= 1;
    }

    fn call(&mut self) {
        let at = self.c.below(self.functions.len() as u32) as usize;
        let to = self.functions[at];
        if self.c.below(3) == 0 {
            // The return address pushed by hand.
            let back = self.out.label();
            self.out.words.push((PRET << 48 | SET, Some(back)));
            self.out.to(BRA, ALWAYS, to);
            self.out.place(back);
        } else {
            self.out.words.push((CAL << 48 | SET, Some(to)));
        }
    }
}
