//! Control operations. Their words start with the third byte of the header, which holds the opcode.

use super::row::{rows, table, why};
use crate::{isa::Usc, opcode::Opcode::*};
use parallax_isa::Meaning::{Lift, Unsupported};
use parallax_isa::{Family, Row, Table};

const FLOW: &[Row<Usc>] = rows! { "section 6.5, flow control", Observed;
    "br", "", "-{32} 000 0 -- 0 o o11 0000 -", [h: HIDDEN_CC, m: WHO, t: TARGET], "br{m} {t}{h}", Lift(Branch),
        "Branches by an offset from the start of the group.";
    "brl", "", "-{32} 000 1 -- 0 o o11 0000 -", [h: HIDDEN_CC, m: WHO, t: TARGET], "brl{m} {t}{h}", Lift(Branch),
        "Saves the address of the next group and branches by an offset.";
    "ba", "", "-{32} 000 0 -- 1 o o11 0000 -", [h: HIDDEN_CC, m: WHO, t: TARGET], "ba{m} {t}{h}", Lift(Branch),
        "Branches to an address.";
    "bal", "", "-{32} 000 1 -- 1 o o11 0000 -", [h: HIDDEN_CC, m: WHO, t: TARGET], "bal{m} {t}{h}", Lift(Branch),
        "Saves the address of the next group and branches to an address.";
    "lapc", "", "o11 0001 -", [h: HIDDEN_CC], "lapc{h}", Lift(Lapc), "Goes to the link address.";
    "savl", "", "o11 0010 -", [h: HIDDEN_CC, d: W0_REG], "savl {d}{h}", Lift(Savl), "Saves the link address.";
    "bpret", "no encoding", "1 o{119} 11111111", [], "bpret", Unsupported("breakpoints are not done"),
        "Returns from a breakpoint.";
};

const CONDITIONAL: &[Row<Usc>] = rows! { "section 6.8", Observed;
    "cndst", "", "o -- -- 000 o11 0011 -", [h: HIDDEN_CC, c: PCND, d: W0_REG, a: A, n: ADJUST], "cndst {c}, {d}, {a}, {n}{h}",
        Lift(Cndst), "Starts a conditional.";
    "cndef", "", "o -- -- 001 o11 0011 -", [h: HIDDEN_CC, c: PCND, d: W0_REG, a: A, n: ADJUST], "cndef {c}, {d}, {a}, {n}{h}",
        Lift(Cndef), "The other branch of a conditional.";
    "cndsm" = "cndstm", "", "o oo -- 010 o11 0011 -", [h: HIDDEN_CC, c: PCND, d: W0_REG, a: A, b: C], "cndsm {c}, {d}, {a}, {b}{h}",
        Lift(Cndsm), "Sets the mask count.";
    "cndlt", "", "o -- -- 011 o11 0011 -", [h: HIDDEN_CC, c: PCND, d: W0_REG, a: A, n: ADJUST],
        "cndlt {c}, {d}, p0, {a}, {n}{h}", Lift(Cndlt), "Tests a loop.";
    "cndend", "", "o -- oo 100 o11 0011 -", [h: HIDDEN_CC, d: W0_REG, a: A, n: ADJUST], "cndend {d}, {a}, {n}{h}", Lift(Cndend),
        "Ends a conditional.";
    "cndsetl", "part b", "o oo oo 101 o11 0011 -", [h: HIDDEN_CC, d: W0_REG, a: A, b: C], "cndsetl.b {d}, {a}, {b}{h}",
        Lift(CndsetlB), "Sets the link address of a call loop.";
    "cndlpc", "", "o oo oo 110 o11 0011 -", [h: HIDDEN_CC, d: W0_REG, a: A], "cndlpc {d}, {a}{h}", Lift(Cndlpc),
        "Next address of a call loop.";
    "cndsetl", "part a", "o oo oo 111 o11 0011 -", [h: HIDDEN_CC, d: W0_REG, a: A, b: C], "cndsetl.a {d}, {a}, {b}{h}",
        Lift(CndsetlA), "Prepares the link address of a call loop.";
};

const WAITING: &[Row<Usc>] = rows! { "section 6.9", Observed;
    "wop", "", "o11 0100 -", [h: HIDDEN_CC], "wop{h}", Lift(Wop), "Waits for everything outstanding.";
    "wdf", "", "-11 0101 -", [h: HIDDEN_CC, r: MISC_DRC], "wdf {r}{h}", Lift(Wdf), "Waits for a counter.";
    "mutex", "release", "00oo ---- o11 0110 -", [h: HIDDEN_CC, n: MUTEX], "mutex.release {n}{h}", Unsupported(why::TASKS),
        "Gives a mutex back.";
    "mutex", "release and sleep", "01oo ---- o11 0110 -", [h: HIDDEN_CC, n: MUTEX], "mutex.sleep {n}{h}", Unsupported(why::TASKS),
        "Gives a mutex back and sleeps.";
    "mutex", "release and wake up", "10oo ---- o11 0110 -", [h: HIDDEN_CC, n: MUTEX], "mutex.wakeup {n}{h}",
        Unsupported(why::TASKS), "Gives a mutex back and wakes another task up.";
    "mutex", "lock", "11oo ---- o11 0110 -", [h: HIDDEN_CC, n: MUTEX], "mutex.lock {n}{h}", Unsupported(why::TASKS),
        "Takes a mutex.";
    "nop", "end", "0000 0000 111 0111 -", [h: HIDDEN_CC], "nop.end{h}", Lift(Nop), "The program ends.";
    "nop", "", "0000 0000 011 0111 -", [h: HIDDEN_CC], "nop{h}", Lift(Nop), "Nothing.";
    "sbo", "coefficients", "o{7}- -{7} 0 o11 1011 -", [h: HIDDEN_CC, n: SBO_N], "sbo.coeff {n}{h}", Lift(Sbo),
        "Adds to later numbers of coefficient registers.";
    "sbo", "shared", "o{7}- -{7} 1 o11 1011 -", [h: HIDDEN_CC, n: SBO_N], "sbo.shared {n}{h}", Lift(Sbo),
        "Adds to later numbers of shared registers.";
};

const ITERATION: &[Row<Usc>] = rows! { "section 6.9", Observed;
    "ditr", "", "o-oo --- - -{4} -- -- -{6} -- -{6} -- -{8} o11 1100 -",
        [h: HIDDEN_CC, m: DITR_MODS, d: DITR_DEST, r: DITR_DRC, a: DITR_COEFF, n: DITR_COUNT, p: PERSPECTIVE, w: DITR_W],
        "ditr{m} {d}, {r}, {a}, {n}, {p}, {w}{h}", Lift(Ditr), "Interpolates without the ALU.";
};

/// Lookups with interpolated coordinates, of one number of dimensions: six, seven or eight bytes behind the opcode.
macro_rules! lookups {
    ($($name:literal $(= $alias:literal)*, $dimension:literal;)*) => {
        rows! { "section 6.9.2", Implemented;
            $(
            $name $(= $alias)*, "", concat!("0---- -- - -{6} - - -{6} ", $dimension, " -{6} -- -{6} -- -{8} o11 1000 -"),
                [h: HIDDEN_CC, m: IT_MODS, d: IT_DEST, p: PERSPECTIVE, r: IT_DRC, a: COEFF, t: IT_TEXTURE, s: IT_SAMPLER, n: IT_CHANNELS, w: IT_W],
                concat!($name, "{m} {d}, {p}, {r}, {a}, {t}, {s}, {n}, {w}{h}"), Lift(Itrsmp),
                "Interpolates coordinates and samples a texture.";
            $name $(= $alias)*, "count", concat!("0---- - oo 1---- -- - -{6} - - -{6} ", $dimension, " -{6} -- -{6} -- -{8} o11 1000 -"),
                [h: HIDDEN_CC, m: IT_MODS2, d: IT_DEST, p: PERSPECTIVE, r: IT_DRC, a: COEFF, t: IT_TEXTURE, s: IT_SAMPLER, n: IT_CHANNELS, c: IT_COUNT, w: IT_W],
                concat!($name, "{m} {d}, {p}, {r}, {a}, {t}, {s}, {n}, {c}, {w}{h}"), Lift(Itrsmp),
                "Interpolates coordinates and samples a texture.";
            $name $(= $alias)*, "count and indices",
                concat!("ooo -- -- - 1---- - oo 1---- -- - -{6} - - -{6} ", $dimension, " -{6} -- -{6} -- -{8} o11 1000 -"),
                [h: HIDDEN_CC, m: IT_MODS3, d: IT_DEST, p: PERSPECTIVE, r: IT_DRC, a: IT_COEFF3, t: IT_TEXTURE, s: IT_SAMPLER, n: IT_CHANNELS, c: IT_COUNT, w: IT_W3],
                concat!($name, "{m} {d}, {p}, {r}, {a}, {t}, {s}, {n}, {c}, {w}{h}"), Lift(Itrsmp),
                "Interpolates coordinates and samples a texture.";
            )*
        }
    };
}

const LOOKUPS: &[Row<Usc>] = lookups! {
    "itrsmp1d" = "itrsm1d", "01";
    "itrsmp2d" = "itrsm2d", "10";
    "itrsmp3d" = "itrsm3d", "11";
};

/// Control groups.
pub(crate) static CONTROL: Table<Usc> = table(
    "usc control",
    "Control operations",
    "One to nine bytes, from the third byte of the header on.",
    &[
        Family { title: "Flow", rows: FLOW },
        Family { title: "Conditional execution", rows: CONDITIONAL },
        Family { title: "Waiting and offsets", rows: WAITING },
        Family { title: "Interpolation", rows: ITERATION },
        Family { title: "Interpolation and lookup", rows: LOOKUPS },
    ],
);
