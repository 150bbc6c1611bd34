//! Control bits as operands. What stands here is in no word of the instruction itself, and the vendor's disassembler shows
//! none of it but the reuse flags of operands.

use super::Kind;
use crate::fields::{READ_BARRIER, REUSE_UNUSED, SCHEDULE, WAIT_MASK, WRITE_BARRIER};
use crate::number;
use parallax_isa::{Code, Field, Item, Operand, operand};

const REQ: Item = Item::Optional {
    open: " &req={",
    absent: &[(&WAIT_MASK, 0)],
    printed: false,
    items: &[Item::Number(&number::WAIT_MASK), Item::Text("}")],
};
const RD: Item = Item::Optional {
    open: " &rd=",
    absent: &[(&READ_BARRIER, 7)],
    printed: false,
    items: &[Item::Number(&number::READ_BARRIER)],
};
const WR: Item = Item::Optional {
    open: " &wr=",
    absent: &[(&WRITE_BARRIER, 7)],
    printed: false,
    items: &[Item::Number(&number::WRITE_BARRIER)],
};
const SCHED: Item = Item::Optional {
    open: " ?",
    absent: &[(&SCHEDULE, 0)],
    printed: false,
    items: &[Item::Names(&SCHEDULE, SCHEDULES, "`stall` or `yield` and a number of cycles, or `dual`")],
};
/// Stall cycles; `yield` where another warp may take over; `dual` where the next instruction is issued together with this.
#[rustfmt::skip]
const SCHEDULES: &[(&str, u64)] = &[
    ("yield0", 0), ("yield1", 1), ("yield2", 2), ("yield3", 3), ("yield4", 4), ("yield5", 5), ("yield6", 6), ("yield7", 7),
    ("yield8", 8), ("yield9", 9), ("yield10", 10), ("yield11", 11), ("yield12", 12), ("yield13", 13), ("yield14", 14),
    ("yield15", 15), ("dual", 16), ("stall0", 16), ("stall1", 17), ("stall2", 18), ("stall3", 19), ("stall4", 20),
    ("stall5", 21), ("stall6", 22), ("stall7", 23), ("stall8", 24), ("stall9", 25), ("stall10", 26), ("stall11", 27),
    ("stall12", 28), ("stall13", 29), ("stall14", 30), ("stall15", 31),
];
pub(super) const REUSE_A: Item = Item::Flag(&crate::fields::REUSE_A, ".reuse");
pub(super) const REUSE_B: Item = Item::Flag(&crate::fields::REUSE_B, ".reuse");
pub(super) const REUSE_C: Item = Item::Flag(&crate::fields::REUSE_C, ".reuse");
// Reuse flags of operands that do not show them.
const REUSE_A_APART: Item = Item::Flag(&crate::fields::REUSE_A, " &reuse.a");
const REUSE_B_APART: Item = Item::Flag(&crate::fields::REUSE_B, " &reuse.b");
const REUSE_C_APART: Item = Item::Flag(&crate::fields::REUSE_C, " &reuse.c");
const REUSE_U_APART: Item = Item::Flag(&REUSE_UNUSED, " &reuse.unused");
const SPARE: Item = Item::Flag(&crate::fields::SPARE, " &spare");
const BITS: Item = Item::Annotations(" <- ", &[Item::Bits("bits")], "`bits`");
/// In texture instructions two of the reuse flags are the phase.
const PHASE_ITEM: Item = Item::Names(
    &const { Field::new("phase", Code::SIDE + 17, 2) },
    &[("", 0), (".T", 1), (".P", 2), (".INVALIDPHASE3", 3)],
    ".T or .P",
);

/// The control bits, and which reuse flags they show.
macro_rules! controls {
    ($($id:ident: $($apart:ident),*;)*) => {
        $(operand!($id = "control", "[ &req={n,...}][ &rd=n][ &wr=n][ ?schedule]":
            Item::Exact(&[REQ, RD, WR, SCHED, $($apart,)* REUSE_U_APART, SPARE]), BITS);)*
    };
}

controls! {
    CONTROL_A: REUSE_B_APART, REUSE_C_APART;
    CONTROL_AB: REUSE_C_APART;
    CONTROL_ABC: ;
    CONTROL_AC: REUSE_B_APART;
    CONTROL_B: REUSE_A_APART, REUSE_C_APART;
    CONTROL_NONE: REUSE_A_APART, REUSE_B_APART, REUSE_C_APART;
}

operand!(PHASE = "phase", "[.T|.P]": PHASE_ITEM);

/// The control bits of an instruction with these operands: they show the reuse flags that no operand does.
pub(crate) const fn control(operands: &[Operand<Kind>]) -> Operand<Kind> {
    let (mut shown, mut n) = (0, 0);
    while n < operands.len() {
        shown |= operands[n].kind.0.bits_of_fields().side();
        n += 1;
    }
    let flags = shown >> 17 & 7;
    match (flags & 1 != 0, flags & 2 != 0, flags & 4 != 0) {
        (true, true, true) => CONTROL_ABC,
        (true, true, false) => CONTROL_AB,
        (true, false, true) => CONTROL_AC,
        (true, false, false) => CONTROL_A,
        (false, true, false) => CONTROL_B,
        (false, false, false) => CONTROL_NONE,
        _ => panic!("no row shows these reuse flags"),
    }
}
