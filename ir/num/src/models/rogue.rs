//! `rogue`: PowerVR Rogue (Series6) unified shading clusters.

use super::{Builtin, EVERY_OP, EVERY_SLOT, FLOATS, FP32, FP32_HALF, HALF, Row};
use crate::Tier;

pub(super) const MODEL: Builtin = Builtin {
    name: "rogue",
    title: "PowerVR Rogue (Series6)",
    about: "What the public instruction set reference says: binary32 operations, a 16-bit sum of products that rounds every \
            product, special values of FRCP, FRSQ, FLOG and FEXP. Chips without the core feature usc_alu_roundingmode_rne, such as \
            the Series6XT GX6250, truncate, and so does this model; those that have it are rogue[round=rne]. Whether binary32 \
            denormals are flushed is not promised either way: rogue[fp32.denorm_in=keep,fp32.denorm_out=keep] is the alternative. \
            There are no error bounds, and a fused FMAD is assumed.",
    inherits: Some("ieee"),
    definition: false,
    inherited: None,
    rows: &[
        Row {
            slots: FP32,
            ops: EVERY_OP,
            set: &[("format", "f32")],
            tier: Tier::Format,
            source: "PowerVR Rogue instruction set reference, floating point instructions: 32-bit registers",
        },
        Row {
            slots: HALF,
            ops: EVERY_OP,
            set: &[("format", "f16")],
            tier: Tier::Format,
            source: "PowerVR Rogue instruction set reference, F16SOP: operands and results are 16-bit floats",
        },
        Row {
            slots: FLOATS,
            ops: EVERY_OP,
            set: &[("round", "rtz")],
            tier: Tier::Format,
            source: "Mesa, src/imagination, vulkan/pvr_physical_device.c: rounding toward zero without the core feature \
                     usc_alu_roundingmode_rne, to nearest even with it; pco/pco_nir_alu.c speaks of cores that truncate binary32",
        },
        Row {
            slots: FLOATS,
            ops: &["cvt", "pack.half2"],
            set: &[("round", "rne")],
            tier: Tier::Assumed,
            source: "PowerVR Rogue instruction set reference, PCK: ROUNDZERO is a modifier; without it to nearest is assumed",
        },
        Row {
            slots: HALF,
            ops: EVERY_OP,
            set: &[("denorm_in", "keep"), ("denorm_out", "keep")],
            tier: Tier::Format,
            source: "Mesa, src/imagination, vulkan/pvr_physical_device.c: 16-bit denormals are preserved",
        },
        Row {
            slots: FP32,
            ops: EVERY_OP,
            set: &[("denorm_in", "flush"), ("denorm_out", "flush")],
            tier: Tier::Assumed,
            source: "Mesa, src/imagination, vulkan/pvr_physical_device.c: for 32 bits neither preserved nor flushed is promised",
        },
        Row {
            slots: FP32,
            ops: &["cvt"],
            set: &[("denorm_in", "keep"), ("denorm_out", "keep")],
            tier: Tier::Assumed,
            source: "PowerVR Rogue instruction set reference, MBYP: a move copies bits",
        },
        Row {
            slots: FP32_HALF,
            ops: EVERY_OP,
            set: &[("mad", "fused"), ("dot_fused", "true")],
            tier: Tier::Assumed,
            source: "PowerVR Rogue instruction set reference does not say; the plainest reading of a fused multiply-add unit",
        },
        Row {
            slots: HALF,
            ops: EVERY_OP,
            set: &[("mad", "separate"), ("dot_order", "left-to-right"), ("dot_fused", "false"), ("lrp", "a*b+(1-a)*c")],
            tier: Tier::Format,
            source: "PowerVR Rogue instruction set reference, F16SOP: every product and the sum are 16-bit results",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("sat_zero", "positive")],
            tier: Tier::Format,
            source: "PowerVR Rogue instruction set reference, table 1: CLAMP is to [+0, 1]",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("sat_nan", "zero")],
            tier: Tier::Assumed,
            source: "PowerVR Rogue instruction set reference, SAT: clamps to 0..1; NaN is not mentioned",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["rcp", "rsq", "sqrt", "exp2", "exp2.part", "log2", "log2.part", "sin", "cos"],
            set: &[("nan_result", "default"), ("nan_bits", "7fc00000")],
            tier: Tier::Format,
            source: "PowerVR Rogue instruction set reference, FRCP, FRSQ, FLOG, FEXP, FSINC: positive NaN; its fraction is ours",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["rsq"],
            set: &[("rsq_negative", "nan")],
            tier: Tier::Exact,
            source: "PowerVR Rogue instruction set reference, FRSQ: NaN below zero, -infinity of -0",
        },
        Row {
            slots: EVERY_SLOT,
            ops: EVERY_OP,
            set: &[("log_negative", "nan")],
            tier: Tier::Exact,
            source: "PowerVR Rogue instruction set reference, FLOG: NaN below zero, -infinity of both zeros",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["rcp", "rsq", "sqrt", "exp2", "exp2.part", "log2", "log2.part", "sin", "cos"],
            set: &[("accuracy", "correct")],
            tier: Tier::Format,
            source: "PowerVR Rogue instruction set reference, FRCP, FRSQ, FLOG, FEXP, FSINC: special values only, no error bound",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["pow"],
            set: &[("pow", "exp2(b*log2(a))")],
            tier: Tier::Assumed,
            source: "PowerVR Rogue instruction set reference has no power; the usual FLOG, FMUL, FEXP",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["to-int"],
            set: &[("to_int", "saturate")],
            tier: Tier::Format,
            source: "PowerVR Rogue instruction set reference, PCK.S32 and PCK.U32: saturating; NaN is not mentioned",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["compare"],
            set: &[("nan_compare", "false")],
            tier: Tier::Format,
            source: "Mesa, src/imagination, pco/pco_nir_alu.c lowers not-equal around NaN: every comparison with one is false",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["min", "max"],
            set: &[("minmax_nan", "compare-lt-ge")],
            tier: Tier::Format,
            source: "Mesa, src/imagination, pco/pco_nir_alu.c lowers min and max around NaN; PowerVR Rogue instruction set \
                     reference, TSTMIN is less than, TSTMAX greater or equal",
        },
        Row {
            slots: FLOATS,
            ops: EVERY_OP,
            set: &[("overflow", "ieee"), ("zero_sign", "keep")],
            tier: Tier::Format,
            source: "Mesa, src/imagination, vulkan/pvr_physical_device.c: signed zero, infinity and NaN are preserved",
        },
        Row {
            slots: EVERY_SLOT,
            ops: &["packing"],
            set: &[("pack_round", "rne")],
            tier: Tier::Assumed,
            source: "PowerVR Rogue instruction set reference, PCK: ROUNDZERO is a modifier, what happens without it is not said",
        },
    ],
};
