//! Recipes: functions whose exact value is not a rational number of a few bits.
//!
//! [`wide`] evaluates them in integer arithmetic with a relative error far below any format's last bit.

mod accuracy;
mod functions;
mod wide;

pub(crate) use functions::recipe;
