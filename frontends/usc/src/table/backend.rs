//! Backend operations.

use super::row::{rows, table, why};
use crate::fields::{IS4, S1, W0, W0P};
use crate::number::{count, number, one_less, register};
use crate::operand::*;
use crate::{isa::Usc, opcode::Opcode::*};
use parallax_isa::Meaning::{Lift, Unsupported};
use parallax_isa::{Family, Item, Row, Table};

/// What output 0 holds, behind everything else.
const OUTPUT0_FEED: Item = output!(
    &W0P,
    &W0,
    "a register or a feed-through",
    Item::Names(&IS4, &[("ft0", 0), ("ft1", 1), ("ft2", 2), ("fte", 3)], FEED)
);

/// A cache mode, from this bit on.
macro_rules! cache {
    ($lo:expr) => {
        Item::Names(field!("cache", $lo, 2), &[("", 0), ("cache1", 1), ("cache2", 2), ("cache3", 3)], "a cache mode")
    };
}

/// Modifiers of a lookup: those every lookup has, and those of the three bytes that may follow. Each byte stands from the bit in
/// its brackets on.
macro_rules! lookup_mods {
    ($($name:ident [$($a:literal)?] [$($b:literal)?] [$($c:literal)?];)*) => {
        operands! {
            $($name = concat!(
                $(notation!($a "[.proj]"),)? "[.fcnorm]", $(notation!($a "[.nncoords]"),)?
                "[.bias | .replace | .gradient]", $(notation!($a "[.pplod][.tao][.soo][.sno]"),)?
                $(notation!($b "[.wrt]"),)? $(notation!($a "[.data | .info | .both]"),)?
                $(notation!($c "[.array][.integer][.comparison]"),)? $(notation!($b "[.schedswap]"),)?
                $(notation!($c "[.direct]"),)? $(notation!($b "[.cacheN][.f16]"),)?
            ), suffixes![
                $(flag!($a + 6, "proj"),)?
                flag!(4, "fcnorm"),
                $(flag!($a + 3, "nncoords"),)?
                Item::Names(
                    field!("lod", 8, 2),
                    &[("", 0), ("bias", 1), ("replace", 2), ("gradient", 3)],
                    "a level of detail",
                ),
                $(flag!($a + 7, "pplod"), flag!($a, "tao"), flag!($a + 1, "soo"), flag!($a + 2, "sno"),)?
                $(flag!($b, "write", "wrt"),)?
                $(Item::Names(
                    field!("sbmode", $a + 4, 2),
                    &[("", 0), ("data", 1), ("info", 2), ("both", 3)],
                    "`data`, `info` or `both`",
                ),)?
                $(flag!($c, "array"), flag!($c + 1, "integer"), flag!($c + 2, "comparison"),)?
                $(flag!($b + 3, "swap", "schedswap"),)?
                $(flag!($c + 4, "direct"),)?
                $(cache!($b + 1), flag!($b + 4, "f16"),)?
            ];)*
        }
    };
}
macro_rules! notation {
    ($lo:literal $text:literal) => {
        $text
    };
}
lookup_mods! {
    LOOKUP_MODS [] [] [];
    LOOKUP_MODS_A [16] [] [];
    LOOKUP_MODS_B [] [16] [];
    LOOKUP_MODS_AB [16] [24] [];
    LOOKUP_MODS_BC [] [16] [24];
    LOOKUP_MODS_ABC [16] [24] [32];
}

operands! {
    WRITTEN = "{w0, w1}", instead!(field!("w1", 4, 1), 1, "w1", "an output", OUTPUT0_FEED);
    OUTPUT0_HELD = "{reg, ftN}", OUTPUT0_FEED;
    ADDRESS = "n", Item::Number(&number(field!("address", 8, 8)));
    ADDRESS_SOURCE = "reg", any_source!("slot", 8);
    STREAM = "n", Item::Number(&number(field!("stream", 8, 2)));
    ALPHA_MODS = "[.ifb]", suffixes![flag!(0, "ifb")];
    ALPHA_P0 = "{p0, _}", p0(field!("p0", 2, 1));
    ITERATION_MODS = ".{pixel,sample,centroid}[.sat]", suffixes![place(field!("mode", 0, 2)), flag!(12, "sat")];
    ITERATION_COUNT = "count", Item::Number(&count(field!("count", 8, 4)));
    COUNTER = "drcN", counter(field!("drc", 3, 1));
    COORDINATES_BC = "b[.f16]", Item::Number(&register(&S1)), dots![flag!(27, "f16coords", "f16")];
    COORDINATES_ABC = "b[.f16]", Item::Number(&register(&S1)), dots![flag!(35, "f16coords", "f16")];
    CHANNELS = "n", Item::Number(&one_less(field!("channels", 10, 2)));
    // Of memory.
    CACHE = "[.cacheN]", suffixes![cache!(8)];
    BURST = "n", Item::Number(&count(field!("burst", 10, 3, 16, 1)));
    BURST_SOURCE = "reg", any_source!("slot", 10), Item::Set(field!("burst.high", 16, 1), 0);
    LOAD_BURST_SOURCE = "reg", any_source!("slot", 10);
    MEMORY_ADDRESS = "reg", any_source!("slot.address", 13);
    STORED = "reg", any_source!("slot.data", 20);
    STORED_SIZE = "{0, 1, 2}", Item::Number(&number(field!("size", 18, 2)));
    STORE_MASK = "reg", any_source!("slot.mask", 24);
    NO_MASK = "[, _]", NOTHING;
    FENCE_SOURCE = "reg", any_source!("slot", 8);
    ATOMIC_SOURCE = "reg", any_source!("slot", 8);
    ATOMIC_RESULT = "reg", any_source!("slot.dest", 16);
    ATOMIC = ".op", suffixes![Item::Names(
        field!("op", 12, 4),
        &[
            ("add", 0), ("sub", 1), ("xchg", 2), ("op3", 3), ("umin", 4), ("imin", 5), ("umax", 6), ("imax", 7), ("and", 8),
            ("or", 9), ("xor", 10), ("op11", 11), ("op12", 12), ("op13", 13), ("op14", 14), ("op15", 15),
        ],
        "an operation",
    )];
    // Of tasks.
    MASK_MODE = ".modeN", suffixes![Item::Names(
        field!("mode", 0, 3),
        &[
            ("mode0", 0), ("mode1", 1), ("mode2", 2), ("mode3", 3), ("mode4", 4), ("mode5", 5), ("mode6", 6), ("mode7", 7),
        ],
        "a mode",
    )];
    MASK_SOURCE = "reg", any_source!("slot", 8);
    PHASE_END = "[.end]", suffixes![flag!(1, "end")];
    PHASE_ADDRESS = "reg", any_source!("slot", 2);
    PHASE_RATE = "n", Item::Number(&number(field!("rate", 14, 2)));
    PHASE_TEMPORARIES = "n", Item::Number(&number(field!("temps", 8, 6)));
    PHASE_SOURCE = "reg", any_source!("slot", 8);
    LINK_OUTPUT = "{w0, w1}", Item::Names(field!("w1", 0, 1), &[("w0", 0), ("w1", 1)], "`w0` or `w1`");
    FREED = "[.freep]", suffixes![flag!(0, "free", "freep")];
}

const VERTEX: &[Row<Usc>] = rows! { "section 6.6", Observed;
    "uvsw", Lift(Uvsw), "uvsw.write {w}, {n}", "Writes a vertex output.", [w: WRITTEN] {
        "write" "-{8} 000- 1000", [n: ADDRESS];
        "write, address in a register" "ooooo--- 000- 0000", [n: ADDRESS_SOURCE];
    }
    "uvsw", Lift(Uvsw), "uvsw.emit.endtask", "The vertex is complete and the task ends.", [] {
        "emit and end, other spelling, no encoding" "1 o{119} 1110 0011";
    }
    "uvsw", Lift(Uvsw), "uvsw.emit", "The vertex is complete.", [] { "emit" "000o 0001"; }
    "uvsw", Lift(Uvsw), "uvsw.emit {n}", "The vertex is complete.", [n: STREAM] { "emit, stream" "o{6}-- 000o 1001"; }
    "uvsw", Lift(Uvsw), "uvsw.cut", "The strip is complete.", [] { "cut" "000o 0010"; }
    "uvsw", Lift(Uvsw), "uvsw.cut {n}", "The strip is complete.", [n: STREAM] { "cut, stream" "o{6}-- 000o 1010"; }
    "uvsw", Lift(Uvsw), "uvsw.emitcut", "The vertex and its strip are complete.", [] { "emit and cut" "000o 0011"; }
    "uvsw", Lift(Uvsw), "uvsw.emitcut {n}", "The vertex and its strip are complete.", [n: STREAM] {
        "emit and cut, stream" "o{6}-- 000o 1011";
    }
    "uvsw", Lift(Uvsw), "uvsw.endtask", "The task ends.", [] { "end" "000o o100"; }
    "uvsw", Lift(Uvsw), "uvsw.emitthenendtask", "The vertex is complete and the task ends.", [] {
        "emit and end" "000o o101";
    }
    "uvsw", Lift(Uvsw), "uvsw.writethenemitthenendtask {w}, {n}",
        "Writes a vertex output; the vertex is complete and the task ends.", [w: WRITTEN] {
            "write, emit and end" "-{8} 000- 1110", [n: ADDRESS];
            "write, emit and end, address in a register" "ooooo--- 000- 0110", [n: ADDRESS_SOURCE];
        }
    "tessw", Unsupported(why::TASKS), "tessw{m} {x}", "Writes tessellator data.", [m: ANY_SUFFIX, x: OPERANDS] {
        "no encoding" "1 o{62}- o{56} 1110 0111";
    }
};

const MASKS: &[Row<Usc>] = rows! { "not in the document", Implemented;
    "savmsk", Unsupported(why::TASKS), "savmsk{m}", "Saves a mask of instances.", [m: MASK_MODE] { "" "001 0 o ---"; }
    "movmsk", Unsupported(why::TASKS), "movmsk{m}", "Loads a mask of instances.", [m: MASK_MODE] { "" "001 1 0 ---"; }
    "movmsk", Unsupported(why::TASKS), "movmsk.sm{m} {a}", "Loads a mask of instances from a source.",
        [m: MASK_MODE, a: MASK_SOURCE] { "source" "ooooo--- 001 1 1 ---"; }
    "phas", Unsupported(why::TASKS), "phas{e} {a}, {r}, {n}", "Starts another phase of the pixel.",
        [e: PHASE_END, a: PHASE_ADDRESS, r: PHASE_RATE, n: PHASE_TEMPORARIES] { "" "-- -{6} 010 --- - 1"; }
    "phas", Unsupported(why::TASKS), "phas{e} {a}, {b}", "Starts another phase of the pixel.",
        [e: PHASE_END, a: PHASE_ADDRESS, b: PHASE_SOURCE] { "source" "ooooo--- 010 --- - 0"; }
    "setl", Unsupported(why::LIBRARY), "setl {w}", "Sets the link address.", [w: LINK_OUTPUT] { "" "011 oooo -"; }
    "emitpix", Unsupported(why::TASKS), "emitpix{m}", "Hands the pixel on.", [m: FREED] { "" "110 oooo -"; }
};

const PIXELS: &[Row<Usc>] = rows! { "section 6.6", Observed;
    "atst", Lift(Atst), "atst{m} {p}, {reference}, {tested}, {relation}", "Alpha test.",
        [m: ALPHA_MODS, p: ALPHA_P0, reference: FIRST, tested: SECOND, relation: THIRD] { "" "100 oo- 1 -"; }
    "depthf", Lift(Depthf), "depthf {w}", "Depth feedback.", [w: OUTPUT0_HELD] { "" "100 ooo 0 o"; }
    "fitr", Lift(Fitr), "fitr{m} {result}, {r}, {coefficients}, {n}", "Interpolates components.",
        [m: ITERATION_MODS, result: FOURTH, r: COUNTER, coefficients: FIRST, n: ITERATION_COUNT] {
            "" "ooo - ---- 101 0 - o --";
        }
    ("fitrp" "fitr"), Lift(Fitrp), "fitrp{m} {result}, {r}, {coefficients}, {w}, {n}",
        "Interpolates components, with perspective.",
        [m: ITERATION_MODS, result: FOURTH, r: COUNTER, coefficients: FIRST, w: THIRD, n: ITERATION_COUNT] {
            "" "ooo - ---- 101 1 - o --";
        }
};

/// Texture lookups of one number of dimensions: which of the three further bytes of modifiers are there.
macro_rules! lookups {
    ($($name:literal, $dimension:literal;)*) => {
        rows! { "section 6.6", Observed;
            $(
            $name, Lift(Smp), concat!($name, "{m} {r}, {state}, {coordinates}, {sampler}, {level}, {result}, {n}"),
                "Samples a texture.",
                [r: COUNTER, state: FIRST, sampler: THIRD, level: FOURTH_OPTIONAL, result: FIFTH, n: CHANNELS] {
                "" concat!("0 ", $dimension, " 0 -- -- 111 - - 100"), [m: LOOKUP_MODS, coordinates: SECOND];
                "modifiers" concat!("- - -- - - - - 0 ", $dimension, " 1 -- -- 111 - - 100"),
                    [m: LOOKUP_MODS_A, coordinates: SECOND];
                "format" concat!("0oo - - -- - 1 ", $dimension, " 0 -- -- 111 - - 100"),
                    [m: LOOKUP_MODS_B, coordinates: SECOND];
                "modifiers, format" concat!("0oo - - -- - - - -- - - - - 1 ", $dimension, " 1 -- -- 111 - - 100"),
                    [m: LOOKUP_MODS_AB, coordinates: SECOND];
                "format, coordinates" concat!("ooo - - - - - 1oo - - -- - 1 ", $dimension, " 0 -- -- 111 - - 100"),
                    [m: LOOKUP_MODS_BC, coordinates: COORDINATES_BC];
                "modifiers, format, coordinates"
                    concat!("ooo - - - - - 1oo - - -- - - - -- - - - - 1 ", $dimension, " 1 -- -- 111 - - 100"),
                    [m: LOOKUP_MODS_ABC, coordinates: COORDINATES_ABC];
            }
            )*
        }
    };
}

const LOOKUPS: &[Row<Usc>] = lookups! {
    "smp1d", "01";
    "smp2d", "10";
    "smp3d", "11";
};

const MEMORY: &[Row<Usc>] = rows! { "section 6.6", Implemented;
    "idf", Unsupported(why::MEMORY), "idf {r}, {a}", "A data fence.", [r: COUNTER, a: FENCE_SOURCE] {
        "" "ooooo--- 111 o - 000";
    }
    "ld", Unsupported(why::MEMORY), "ld{m} {d}, {r}, {n}, {a}", "Loads words from memory.",
        [m: CACHE, d: FOURTH, r: COUNTER, a: MEMORY_ADDRESS] {
            "" "o{7}- --- --- -- 111 1 - 001", [n: BURST];
            "burst in a register" "--- --- -- 111 0 - 001", [n: LOAD_BURST_SOURCE];
        }
    "st", Unsupported(why::MEMORY), "st{m} {d}, {s}, {r}, {n}, {a}{e}", "Stores words to memory.",
        [m: CACHE, d: STORED, s: STORED_SIZE, r: COUNTER, a: MEMORY_ADDRESS, e: NO_MASK] {
            "" "0 --- -- o - --- --- -- 111 1 - 010", [n: BURST];
            "burst in a register" "0 --- -- o - --- --- -- 111 0 - 010", [n: BURST_SOURCE];
        }
    "st", Unsupported(why::MEMORY), "st.tiled{m} {d}, {s}, {r}, {n}, {a}, {e}", "Stores words to memory, under a mask.",
        [m: CACHE, d: STORED, s: STORED_SIZE, r: COUNTER, a: MEMORY_ADDRESS, e: STORE_MASK] {
            "tiled" "ooooo--- 1 --- -- o - --- --- -- 111 1 - 010", [n: BURST];
            "tiled, burst in a register" "ooooo--- 1 --- -- o - --- --- -- 111 0 - 010", [n: BURST_SOURCE];
        }
    "st", Unsupported(why::MEMORY), "st.texelmode {x}", "Stores a texel.", [x: OPERANDS] {
        "texel mode, no encoding" "1 o{62}- o{56} 1110 0110";
    }
    "atom", Unsupported(why::MEMORY), "atom{m} {d}, {r}, {a}", "An atomic operation on memory.",
        [m: ATOMIC, d: ATOMIC_RESULT, r: COUNTER, a: ATOMIC_SOURCE] { "" "ooooo--- ---- o--- 111 o - 101"; }
};

/// The backend.
pub(crate) static BACKEND: Table<Usc> = table(
    "usc backend",
    "Backend operations",
    "One to five bytes. They see the outputs of the group.",
    &[
        Family { title: "Vertex outputs", rows: VERTEX },
        Family { title: "Tasks", rows: MASKS },
        Family { title: "Pixels", rows: PIXELS },
        Family { title: "Textures", rows: LOOKUPS },
        Family { title: "Memory", rows: MEMORY },
    ],
);
