//! `ieee`: the root of all models.

use super::{Builtin, EVERY_SLOT, Row};
use crate::Tier;

/// Everything that no row sets is the default of [`crate::Rule::ieee`].
pub(super) const MODEL: Builtin = Builtin {
    name: "ieee",
    title: "Every operation correctly rounded",
    about: "The root of all models: every operation is correctly rounded to nearest even in its declared format. mad is fused, \
            a dot product is a left-to-right chain of fused multiply-adds that starts from the rounded first product, \
            lrp is fma(a, b, (1-a)*c). Denormals are kept. A NaN operand is passed on quieted (the first of several), a new \
            NaN is ffc00000, as x86 has it. What the other models do not say is taken from here.",
    inherits: None,
    definition: true,
    inherited: None,
    rows: &[Row {
        slots: EVERY_SLOT,
        ops: &["pow", "lit.z"],
        set: &[("accuracy", "correct")],
        tier: Tier::Bounded,
        source: "definition of this model: 0.5 ulp + 2^-20 ulp, the correctly rounded value in all but very rare cases",
    }],
};
