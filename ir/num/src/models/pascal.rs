//! `pascal`: NVIDIA sm_60 to sm_62, and the later chips of Maxwell.

use super::{Builtin, FP32, Row};
use crate::Tier;

pub(super) const MODEL: Builtin = Builtin {
    name: "pascal",
    title: "NVIDIA Pascal (sm_6x)",
    about: "As maxwell, but the special function unit has a table of its own for the square root. The compiler uses it from sm_52 \
            on.",
    inherits: Some("maxwell"),
    definition: false,
    inherited: None,
    rows: &[Row {
        slots: FP32,
        ops: &["sqrt"],
        set: &[("sqrt", "direct")],
        tier: Tier::Measured,
        source: "bcarlet/ptx-math, src/ptxm/sqrt.c, model 6x: compared with sm_6x and sm_70 hardware over all inputs; ptxas emits \
                     MUFU.SQRT from sm_52 on",
    }],
};
