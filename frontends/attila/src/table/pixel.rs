//! Killing and depth export.

use super::row::observed;
use crate::{isa::Attila, sem::Sem::*};
use parallax_isa::Row;

#[rustfmt::skip]
pub(super) const ROWS: &[Row<Attila>] = &[
    observed(row!(effect "kil", "0010 1001", Kill, "KIL",
        "Kills the current sample if a component of a is below zero; the program goes on.")),
    row!(sample "kls", "0010 1010", KillSample, "KLS", "Kills a sample if a component of a is below zero."),
    row!(effect "zxp", "0010 1011", ExportDepth, "ZXP", "Exports a.x as the pixel's depth."),
    observed(row!(sample "zxs", "0010 1100", ExportSampleDepths, "ZXS",
        "Exports a as the depths of four samples from the current one on.")),
    row!(bare   "chs", "0010 1111", NextSample, "CHS", "Makes the next sample the current one."),
];
