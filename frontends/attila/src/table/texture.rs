//! Texture lookups and attribute loads.

use super::row::observed;
use crate::isa::Attila;
use crate::sem::{Lookup, Sem::*};
use parallax_isa::Row;

#[rustfmt::skip]
pub(super) const ROWS: &[Row<Attila>] = &[
    row!(unit "tex", "0010 0110", Texture(Lookup::Plain),   "TEX", "Texel at a.xyz."),
    observed(row!(unit "txb", "0010 0111", Texture(Lookup::Bias),    "TXB", "Texel at a.xyz, level biased by a.w.")),
    observed(row!(unit "txl", "0010 0101", Texture(Lookup::Level),   "TXL", "Texel at a.xyz of level a.w.")),
    observed(row!(unit "txp", "0010 1000", Texture(Lookup::Project), "TXP", "Texel at a.xyz / a.w.")),
    observed(row!(attribute "lda", "0011 0000", LoadAttribute, "LDA",
        "Element number a.x (an integer) of a vertex attribute.")),
];
