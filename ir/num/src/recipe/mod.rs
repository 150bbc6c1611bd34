//! Recipes: functions whose exact value is not a rational number of a few bits.
//!
//! [`fast`] evaluates them in binary64 with a known error bound; where that error could change the rounding, and for
//! wider formats, [`wide`] evaluates them in integer arithmetic far below any format's last bit. Function units whose data
//! path is known have a module of their own ([`nv_sfu`], [`gallivm`]); `angle` reduces the operands of sine and cosine.

mod accuracy;
mod angle;
pub mod fast;
mod functions;
pub(crate) mod gallivm;
pub(crate) mod nv_sfu;
mod wide;

pub(crate) use accuracy::hash;
pub(crate) use functions::recipe;
