//! Recipes: functions whose exact value is not a rational number of a few bits.
//!
//! [`fast`] evaluates them in binary64 with a known error bound; where that error could change the rounding, and for
//! wider formats, [`wide`] evaluates them in integer arithmetic far below any format's last bit.

mod accuracy;
pub mod fast;
mod functions;
mod wide;

pub(crate) use accuracy::hash;
pub(crate) use functions::recipe;
