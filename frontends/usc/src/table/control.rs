//! Control operations. Their words start with the third byte of the header, which holds the opcode.

use super::row::{rows, table, why};
use crate::fields::extension;
use crate::number::{NO_INDEX, fixed_register, number, one_less};
use crate::operand::*;
use crate::{isa::Usc, opcode::Opcode::*};
use parallax_isa::Meaning::{Lift, Unsupported};
use parallax_isa::{Family, Field, Item, Number, Row, Table};

/// Target of a branch in bytes.
pub(crate) const TARGET: Field = Field::new("target", 16, 32).signed();

/// An index behind coefficients.
const fn index(field: &'static Field) -> Item {
    Item::Names(field, &[("", 0), ("index1", 1), ("index2", 2), ("index3", 3)], "an index")
}

/// What happens to the task meanwhile.
const fn schedule(field: &'static Field) -> Item {
    Item::Names(field, &[("", 0), ("schedswap", 1), ("schedwdf", 2), ("sched3", 3)], "a schedule")
}

/// Where in the pixel, of forms that can say centre or sample alone.
const CENTRE_OR_SAMPLE: Item =
    Item::Names(field!("mode", 24, 1), &[("pixel", 0), ("sample", 1)], "`pixel` or `sample`");

/// Modifiers of a lookup with iterated coordinates.
macro_rules! lookup_mods {
    ($place:expr $(, $more:expr)?) => {
        suffixes![
            $place, flag!(40, "sat"), flag!(41, "proj"), flag!(48, "fcnorm"), flag!(49, "nncoords"),
            schedule(field!("schedule", 52, 2)) $(, $more)?
        ]
    };
}

/// Trailing operands that are always empty: the state of the rasteriser and the number of forced samples.
const TRAILING: Item = Item::Optional {
    open: ",",
    absent: &[],
    printed: false,
    items: &[
        Item::Optional { open: "_", absent: &[], printed: false, items: &[] },
        Item::Optional {
            open: ",",
            absent: &[],
            printed: false,
            items: &[Item::Optional { open: "_", absent: &[], printed: false, items: &[] }],
        },
    ],
};

operands! {
    HIDDEN_CC = "", Item::Set(&extension::CONDITION, 0);
    WHO = "[.allinst | .anyinst]", suffixes![Item::Names(
        field!("who", 10, 2),
        &[("", 0), ("allinst", 1), ("anyinst", 2), ("who3", 3)],
        "`allinst` or `anyinst`",
    )];
    TO = "{n, label}", Item::Target(&number(&TARGET));
    CONDITION = "{0, 1, 2, 3}", Item::Number(&Number { what: "a condition 0 to 3", ..number(field!("pcnd", 11, 2)) });
    ADJUST = "n", Item::Number(&number(field!("adjust", 13, 2)));
    WAITED_COUNTER = "drcN", counter(&extension::MISC);
    MUTEX = "n", Item::Number(&number(field!("mutex", 8, 4)));
    OFFSET = "n", Item::Number(&number(field!("offset", 9, 7, 16, 1)));
    // Of ditr and itrsmp.
    COEFFICIENTS = "cfN", Item::Number(&fixed_register!(field!("coeff", 18, 6), "cf", 4));
    PERSPECTIVE = "n", Item::Number(&number(field!("perspective", 16, 2)));
    DITR_RESULT = "rN[.f16]", Item::Number(&fixed_register!(field!("dest", 8, 8), "r", 1)), dots![flag!(46, "f16")];
    DITR_W = "cfN[.indexN]", Item::Number(&fixed_register!(field!("wcoeff", 26, 6), "cf", 4)),
        dots![index(field!("windex", 32, 2))];
    DITR_COEFFICIENTS = "cfN[.indexN]", Item::Number(&fixed_register!(field!("coeff", 18, 6), "cf", 4)),
        dots![index(field!("index", 34, 2))];
    DITR_MODS = ".{pixel,sample,centroid}[.sat][.schedswap | .schedwdf]",
        suffixes![place(field!("mode", 24, 2)), flag!(40, "sat"), schedule(field!("schedule", 42, 2))];
    DITR_COUNT = "n", Item::Number(&number(field!("count", 36, 4)));
    DITR_COUNTER = "drcN", counter(field!("drc", 41, 1));
    LOOKUP_MODS = ".{pixel,sample}[.sat][.proj][.fcnorm][.nncoords][.schedswap | .schedwdf]",
        lookup_mods![CENTRE_OR_SAMPLE];
    LOOKUP_MODS_COUNT = ".{pixel,sample}[.sat][.proj][.fcnorm][.nncoords][.schedswap | .schedwdf][.comparison]",
        lookup_mods![CENTRE_OR_SAMPLE, flag!(58, "comparison")];
    LOOKUP_MODS_INDICES = ".{pixel,sample,centroid}[.sat][.proj][.fcnorm][.nncoords][.schedswap | .schedwdf][.comparison]",
        lookup_mods![place(field!("mode", 24, 1, 64, 1)), flag!(58, "comparison")];
    LOOKUP_RESULT = "rN[.f16]", Item::Number(&fixed_register!(field!("dest", 8, 8), "r", 1)), dots![flag!(54, "f16")];
    LOOKUP_COUNTER = "drcN", counter(field!("drc", 25, 1));
    TEXTURE = "shN", Item::Number(&fixed_register!(field!("texture", 26, 6), "sh", 4));
    SAMPLER = "shN", Item::Number(&fixed_register!(field!("sampler", 34, 6), "sh", 4));
    CHANNELS = "n", Item::Number(&one_less(field!("channels", 50, 2)));
    COUNT = "n", Item::Number(&number(field!("count", 59, 4)));
    LOOKUP_W = "cfN", Item::Number(&fixed_register!(field!("wcoeff", 42, 6), "cf", 4)), Item::Refuse(".", &NO_INDEX), TRAILING;
    LOOKUP_COEFFICIENTS_INDEX = "cfN[.indexN]", Item::Number(&fixed_register!(field!("coeff", 18, 6), "cf", 4)),
        dots![index(field!("index", 67, 2))];
    LOOKUP_W_INDEX = "cfN[.indexN]", Item::Number(&fixed_register!(field!("wcoeff", 42, 6), "cf", 4)),
        dots![index(field!("windex", 65, 2))], TRAILING;
}

/// Branches: with link or without, to an address or by an offset.
macro_rules! branches {
    ($($name:literal, $link:literal $absolute:literal, $doc:literal;)*) => {
        rows! { "section 6.5, flow control", Observed;
            $($name, Lift(Branch), concat!($name, "{m} {t}{h}"), $doc, [h: HIDDEN_CC, m: WHO, t: TO] {
                "" concat!("-{32} 000 ", $link, " -- ", $absolute, " o o11 0000 -");
            })*
            "lapc", Lift(Lapc), "lapc{h}", "Goes to the link address.", [h: HIDDEN_CC] { "" "o11 0001 -"; }
            "savl", Lift(Savl), "savl {d}{h}", "Saves the link address.", [h: HIDDEN_CC, d: OUTPUT0] { "" "o11 0010 -"; }
            "bpret", Unsupported("breakpoints are not done"), "bpret", "Returns from a breakpoint.", [] {
                "no encoding" "1 o{119} 11111111";
            }
        }
    };
}

const FLOW: &[Row<Usc>] = branches! {
    "br", "0" "0", "Branches by an offset from the start of the group.";
    "brl", "1" "0", "Saves the address of the next group and branches by an offset.";
    "ba", "0" "1", "Branches to an address.";
    "bal", "1" "1", "Saves the address of the next group and branches to an address.";
};

const CONDITIONAL: &[Row<Usc>] = rows! { "section 6.8", Observed;
    "cndst", Lift(Cndst), "cndst {c}, {d}, {a}, {n}{h}", "Starts a conditional.",
        [h: HIDDEN_CC, c: CONDITION, d: OUTPUT0, a: FIRST, n: ADJUST] { "" "o -- -- 000 o11 0011 -"; }
    "cndef", Lift(Cndef), "cndef {c}, {d}, {a}, {n}{h}", "The other branch of a conditional.",
        [h: HIDDEN_CC, c: CONDITION, d: OUTPUT0, a: FIRST, n: ADJUST] { "" "o -- -- 001 o11 0011 -"; }
    ("cndsm" "cndstm"), Lift(Cndsm), "cndsm {c}, {d}, {a}, {b}{h}", "Sets the mask count.",
        [h: HIDDEN_CC, c: CONDITION, d: OUTPUT0, a: FIRST, b: THIRD] { "" "o oo -- 010 o11 0011 -"; }
    "cndlt", Lift(Cndlt), "cndlt {c}, {d}, p0, {a}, {n}{h}", "Tests a loop.",
        [h: HIDDEN_CC, c: CONDITION, d: OUTPUT0, a: FIRST, n: ADJUST] { "" "o -- -- 011 o11 0011 -"; }
    "cndend", Lift(Cndend), "cndend {d}, {a}, {n}{h}", "Ends a conditional.",
        [h: HIDDEN_CC, d: OUTPUT0, a: FIRST, n: ADJUST] { "" "o -- oo 100 o11 0011 -"; }
    "cndsetl", Lift(CndsetlB), "cndsetl.b {d}, {a}, {b}{h}", "Sets the link address of a call loop.",
        [h: HIDDEN_CC, d: OUTPUT0, a: FIRST, b: THIRD] { "part b" "o oo oo 101 o11 0011 -"; }
    "cndlpc", Lift(Cndlpc), "cndlpc {d}, {a}{h}", "Next address of a call loop.",
        [h: HIDDEN_CC, d: OUTPUT0, a: FIRST] { "" "o oo oo 110 o11 0011 -"; }
    "cndsetl", Lift(CndsetlA), "cndsetl.a {d}, {a}, {b}{h}", "Prepares the link address of a call loop.",
        [h: HIDDEN_CC, d: OUTPUT0, a: FIRST, b: THIRD] { "part a" "o oo oo 111 o11 0011 -"; }
};

const WAITING: &[Row<Usc>] = rows! { "section 6.9", Observed;
    "wop", Lift(Wop), "wop{h}", "Waits for everything outstanding.", [h: HIDDEN_CC] { "" "o11 0100 -"; }
    "wdf", Lift(Wdf), "wdf {r}{h}", "Waits for a counter.", [h: HIDDEN_CC, r: WAITED_COUNTER] { "" "-11 0101 -"; }
    "mutex", Unsupported(why::TASKS), "mutex.release {n}{h}", "Gives a mutex back.", [h: HIDDEN_CC, n: MUTEX] {
        "release" "00oo ---- o11 0110 -";
    }
    "mutex", Unsupported(why::TASKS), "mutex.sleep {n}{h}", "Gives a mutex back and sleeps.", [h: HIDDEN_CC, n: MUTEX] {
        "release and sleep" "01oo ---- o11 0110 -";
    }
    "mutex", Unsupported(why::TASKS), "mutex.wakeup {n}{h}", "Gives a mutex back and wakes another task up.",
        [h: HIDDEN_CC, n: MUTEX] { "release and wake up" "10oo ---- o11 0110 -"; }
    "mutex", Unsupported(why::TASKS), "mutex.lock {n}{h}", "Takes a mutex.", [h: HIDDEN_CC, n: MUTEX] {
        "lock" "11oo ---- o11 0110 -";
    }
    "nop", Lift(Nop), "nop.end{h}", "The program ends.", [h: HIDDEN_CC] { "end" "0000 0000 111 0111 -"; }
    "nop", Lift(Nop), "nop{h}", "Nothing.", [h: HIDDEN_CC] { "" "0000 0000 011 0111 -"; }
    "sbo", Lift(Sbo), "sbo.coeff {n}{h}", "Adds to later numbers of coefficient registers.", [h: HIDDEN_CC, n: OFFSET] {
        "coefficients" "o{7}- -{7} 0 o11 1011 -";
    }
    "sbo", Lift(Sbo), "sbo.shared {n}{h}", "Adds to later numbers of shared registers.", [h: HIDDEN_CC, n: OFFSET] {
        "shared" "o{7}- -{7} 1 o11 1011 -";
    }
};

const ITERATION: &[Row<Usc>] = rows! { "section 6.9", Observed;
    "ditr", Lift(Ditr), "ditr{m} {d}, {r}, {a}, {n}, {p}, {w}{h}", "Interpolates without the ALU.",
        [h: HIDDEN_CC, m: DITR_MODS, d: DITR_RESULT, r: DITR_COUNTER, a: DITR_COEFFICIENTS, n: DITR_COUNT, p: PERSPECTIVE,
         w: DITR_W] { "" "o-oo --- - -{4} -- -- -{6} -- -{6} -- -{8} o11 1100 -"; }
};

/// Lookups with interpolated coordinates, of one number of dimensions: six, seven or eight bytes behind the opcode.
macro_rules! lookups {
    ($($names:tt $name:literal, $dimension:literal;)*) => {
        rows! { "section 6.9.2", Implemented;
            $(
            $names, Lift(Itrsmp), concat!($name, "{m} {d}, {p}, {r}, {a}, {t}, {s}, {n}, {w}{h}"),
                "Interpolates coordinates and samples a texture.",
                [h: HIDDEN_CC, m: LOOKUP_MODS, d: LOOKUP_RESULT, p: PERSPECTIVE, r: LOOKUP_COUNTER, a: COEFFICIENTS,
                 t: TEXTURE, s: SAMPLER, n: CHANNELS, w: LOOKUP_W] {
                "" concat!("0---- -- - -{6} - - -{6} ", $dimension, " -{6} -- -{6} -- -{8} o11 1000 -");
            }
            $names, Lift(Itrsmp), concat!($name, "{m} {d}, {p}, {r}, {a}, {t}, {s}, {n}, {c}, {w}{h}"),
                "Interpolates coordinates and samples a texture.",
                [h: HIDDEN_CC, d: LOOKUP_RESULT, p: PERSPECTIVE, r: LOOKUP_COUNTER, t: TEXTURE, s: SAMPLER, n: CHANNELS,
                 c: COUNT] {
                "count"
                    concat!("0---- - oo 1---- -- - -{6} - - -{6} ", $dimension, " -{6} -- -{6} -- -{8} o11 1000 -"),
                    [m: LOOKUP_MODS_COUNT, a: COEFFICIENTS, w: LOOKUP_W];
                "count and indices"
                    concat!(
                        "ooo -- -- - 1---- - oo 1---- -- - -{6} - - -{6} ", $dimension, " -{6} -- -{6} -- -{8} o11 1000 -"
                    ),
                    [m: LOOKUP_MODS_INDICES, a: LOOKUP_COEFFICIENTS_INDEX, w: LOOKUP_W_INDEX];
            }
            )*
        }
    };
}

const LOOKUPS: &[Row<Usc>] = lookups! {
    ("itrsmp1d" "itrsm1d") "itrsmp1d", "01";
    ("itrsmp2d" "itrsm2d") "itrsmp2d", "10";
    ("itrsmp3d" "itrsm3d") "itrsmp3d", "11";
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
