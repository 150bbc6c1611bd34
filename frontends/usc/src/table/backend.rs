//! Backend operations.

use super::row::{rows, table, why};
use crate::{isa::Usc, opcode::Opcode::*};
use parallax_isa::Meaning::{Lift, Unsupported};
use parallax_isa::{Family, Row, Table};

const VERTEX: &[Row<Usc>] = rows! { "section 6.6", Observed;
    "uvsw", "write", "-{8} 000- 1000", [w: WRITTEN, n: ADDRESS], "uvsw.write {w}, {n}", Lift(Uvsw), "Writes a vertex output.";
    "uvsw", "write, address in a register", "ooooo--- 000- 0000", [w: WRITTEN, n: ADDRESS_SLOT], "uvsw.write {w}, {n}",
        Lift(Uvsw), "Writes a vertex output.";
    "uvsw", "emit and end, other spelling, no encoding", "1 o{119} 1110 0011", [], "uvsw.emit.endtask", Lift(Uvsw),
        "The vertex is complete and the task ends.";
    "uvsw", "emit", "000o 0001", [], "uvsw.emit", Lift(Uvsw), "The vertex is complete.";
    "uvsw", "emit, stream", "o{6}-- 000o 1001", [n: STREAM], "uvsw.emit {n}", Lift(Uvsw), "The vertex is complete.";
    "uvsw", "cut", "000o 0010", [], "uvsw.cut", Lift(Uvsw), "The strip is complete.";
    "uvsw", "cut, stream", "o{6}-- 000o 1010", [n: STREAM], "uvsw.cut {n}", Lift(Uvsw), "The strip is complete.";
    "uvsw", "emit and cut", "000o 0011", [], "uvsw.emitcut", Lift(Uvsw), "The vertex and its strip are complete.";
    "uvsw", "emit and cut, stream", "o{6}-- 000o 1011", [n: STREAM], "uvsw.emitcut {n}", Lift(Uvsw),
        "The vertex and its strip are complete.";
    "uvsw", "end", "000o o100", [], "uvsw.endtask", Lift(Uvsw), "The task ends.";
    "uvsw", "emit and end", "000o o101", [], "uvsw.emitthenendtask", Lift(Uvsw), "The vertex is complete and the task ends.";
    "uvsw", "write, emit and end", "-{8} 000- 1110", [w: WRITTEN, n: ADDRESS], "uvsw.writethenemitthenendtask {w}, {n}",
        Lift(Uvsw), "Writes a vertex output; the vertex is complete and the task ends.";
    "uvsw", "write, emit and end, address in a register", "ooooo--- 000- 0110", [w: WRITTEN, n: ADDRESS_SLOT],
        "uvsw.writethenemitthenendtask {w}, {n}", Lift(Uvsw),
        "Writes a vertex output; the vertex is complete and the task ends.";
    "tessw", "no encoding", "1 o{62}- o{56} 1110 0111", [m: ANY_SUFFIX, x: OPERANDS], "tessw{m} {x}",
        Unsupported(why::TASKS), "Writes tessellator data.";
};

const MASKS: &[Row<Usc>] = rows! { "not in the document", Implemented;
    "savmsk", "", "001 0 o ---", [m: MASK_MODE], "savmsk{m}", Unsupported(why::TASKS), "Saves a mask of instances.";
    "movmsk", "", "001 1 0 ---", [m: MASK_MODE], "movmsk{m}", Unsupported(why::TASKS), "Loads a mask of instances.";
    "movmsk", "source", "ooooo--- 001 1 1 ---", [m: MASK_MODE, a: MASK_SLOT], "movmsk.sm{m} {a}", Unsupported(why::TASKS),
        "Loads a mask of instances from a source.";
    "phas", "", "-- -{6} 010 --- - 1", [e: PHAS_END, a: PHAS_ADDRESS, r: PHAS_RATE, n: PHAS_TEMPS], "phas{e} {a}, {r}, {n}",
        Unsupported(why::TASKS), "Starts another phase of the pixel.";
    "phas", "source", "ooooo--- 010 --- - 0", [e: PHAS_END, a: PHAS_ADDRESS, b: PHAS_SLOT], "phas{e} {a}, {b}",
        Unsupported(why::TASKS), "Starts another phase of the pixel.";
    "setl", "", "011 oooo -", [w: SETL_OUTPUT], "setl {w}", Unsupported(why::LIBRARY), "Sets the link address.";
    "emitpix", "", "110 oooo -", [m: FREE], "emitpix{m}", Unsupported(why::TASKS), "Hands the pixel on.";
};

const PIXELS: &[Row<Usc>] = rows! { "section 6.6", Observed;
    "atst", "", "100 oo- 1 -", [m: ATST_MODS, p: ATST_P0, a: A, b: B, c: C], "atst{m} {p}, {a}, {b}, {c}", Lift(Atst),
        "Alpha test.";
    "depthf", "", "100 ooo 0 o", [w: OUTPUT_FEED], "depthf {w}", Lift(Depthf), "Depth feedback.";
    "fitr", "", "ooo - ---- 101 0 - o --", [m: FITR_MODS, d: D, r: FITR_DRC, a: A, n: FITR_COUNT],
        "fitr{m} {d}, {r}, {a}, {n}", Lift(Fitr), "Interpolates components.";
    "fitrp" = "fitr", "", "ooo - ---- 101 1 - o --", [m: FITR_MODS, d: D, r: FITR_DRC, a: A, c: C, n: FITR_COUNT],
        "fitrp{m} {d}, {r}, {a}, {c}, {n}", Lift(Fitrp), "Interpolates components, with perspective.";
};

/// Texture lookups of one number of dimensions: which of the three further bytes of modifiers are there.
macro_rules! lookups {
    ($($name:literal, $dimension:literal;)*) => {
        rows! { "section 6.6", Observed;
            $(
            $name, "", concat!("0 ", $dimension, " 0 -- -- 111 - - 100"),
                [m: SMP_MODS, r: DRC_OP, a: A, b: B, c: C, d: D_OPTIONAL, e: E, n: CHANNELS],
                concat!($name, "{m} {r}, {a}, {b}, {c}, {d}, {e}, {n}"), Lift(Smp), "Samples a texture.";
            $name, "modifiers", concat!("- - -- - - - - 0 ", $dimension, " 1 -- -- 111 - - 100"),
                [m: SMP_MODS_A, r: DRC_OP, a: A, b: B, c: C, d: D_OPTIONAL, e: E, n: CHANNELS],
                concat!($name, "{m} {r}, {a}, {b}, {c}, {d}, {e}, {n}"), Lift(Smp), "Samples a texture.";
            $name, "format", concat!("0oo - - -- - 1 ", $dimension, " 0 -- -- 111 - - 100"),
                [m: SMP_MODS_B, r: DRC_OP, a: A, b: B, c: C, d: D_OPTIONAL, e: E, n: CHANNELS],
                concat!($name, "{m} {r}, {a}, {b}, {c}, {d}, {e}, {n}"), Lift(Smp), "Samples a texture.";
            $name, "modifiers, format", concat!("0oo - - -- - - - -- - - - - 1 ", $dimension, " 1 -- -- 111 - - 100"),
                [m: SMP_MODS_AB, r: DRC_OP, a: A, b: B, c: C, d: D_OPTIONAL, e: E, n: CHANNELS],
                concat!($name, "{m} {r}, {a}, {b}, {c}, {d}, {e}, {n}"), Lift(Smp), "Samples a texture.";
            $name, "format, coordinates", concat!("ooo - - - - - 1oo - - -- - 1 ", $dimension, " 0 -- -- 111 - - 100"),
                [m: SMP_MODS_BC, r: DRC_OP, a: A, b: SMP_COORDS_BC, c: C, d: D_OPTIONAL, e: E, n: CHANNELS],
                concat!($name, "{m} {r}, {a}, {b}, {c}, {d}, {e}, {n}"), Lift(Smp), "Samples a texture.";
            $name, "modifiers, format, coordinates",
                concat!("ooo - - - - - 1oo - - -- - - - -- - - - - 1 ", $dimension, " 1 -- -- 111 - - 100"),
                [m: SMP_MODS_ABC, r: DRC_OP, a: A, b: SMP_COORDS_ABC, c: C, d: D_OPTIONAL, e: E, n: CHANNELS],
                concat!($name, "{m} {r}, {a}, {b}, {c}, {d}, {e}, {n}"), Lift(Smp), "Samples a texture.";
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
    "idf", "", "ooooo--- 111 o - 000", [r: DRC_OP, a: IDF_SOURCE], "idf {r}, {a}", Unsupported(why::MEMORY), "A data fence.";
    "ld", "", "o{7}- --- --- -- 111 1 - 001", [m: CACHE, d: D, r: DRC_OP, n: BURST, a: DMA_ADDRESS],
        "ld{m} {d}, {r}, {n}, {a}", Unsupported(why::MEMORY), "Loads words from memory.";
    "ld", "burst in a register", "--- --- -- 111 0 - 001", [m: CACHE, d: D, r: DRC_OP, n: LD_BURST_SLOT, a: DMA_ADDRESS],
        "ld{m} {d}, {r}, {n}, {a}", Unsupported(why::MEMORY), "Loads words from memory.";
    "st", "", "0 --- -- o - --- --- -- 111 1 - 010",
        [m: CACHE, d: ST_DATA, s: ST_SIZE, r: DRC_OP, n: BURST, a: DMA_ADDRESS, e: NO_MASK],
        "st{m} {d}, {s}, {r}, {n}, {a}{e}", Unsupported(why::MEMORY), "Stores words to memory.";
    "st", "burst in a register", "0 --- -- o - --- --- -- 111 0 - 010",
        [m: CACHE, d: ST_DATA, s: ST_SIZE, r: DRC_OP, n: BURST_SLOT, a: DMA_ADDRESS, e: NO_MASK],
        "st{m} {d}, {s}, {r}, {n}, {a}{e}", Unsupported(why::MEMORY), "Stores words to memory.";
    "st", "tiled", "ooooo--- 1 --- -- o - --- --- -- 111 1 - 010",
        [m: CACHE, d: ST_DATA, s: ST_SIZE, r: DRC_OP, n: BURST, a: DMA_ADDRESS, e: ST_MASK],
        "st.tiled{m} {d}, {s}, {r}, {n}, {a}, {e}", Unsupported(why::MEMORY), "Stores words to memory, under a mask.";
    "st", "tiled, burst in a register", "ooooo--- 1 --- -- o - --- --- -- 111 0 - 010",
        [m: CACHE, d: ST_DATA, s: ST_SIZE, r: DRC_OP, n: BURST_SLOT, a: DMA_ADDRESS, e: ST_MASK],
        "st.tiled{m} {d}, {s}, {r}, {n}, {a}, {e}", Unsupported(why::MEMORY), "Stores words to memory, under a mask.";
    "st", "texel mode, no encoding", "1 o{62}- o{56} 1110 0110", [x: OPERANDS], "st.texelmode {x}", Unsupported(why::MEMORY),
        "Stores a texel.";
    "atom", "", "ooooo--- ---- o--- 111 o - 101", [m: ATOM_OP, d: ATOM_DEST, r: DRC_OP, a: ATOM_SOURCE],
        "atom{m} {d}, {r}, {a}", Unsupported(why::MEMORY), "An atomic operation on memory.";
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
