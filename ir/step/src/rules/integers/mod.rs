//! Functions in integers: in every lane, whatever the machine has.
//!
//! Operands and results are binary64 patterns, operands with at most 24 digits. Results have 53 digits and are rounded to odd: the last
//! one is set where there would be more, so that rounding to a shorter format is the only rounding. Values are in 64 bits and off by
//! less than 2^-58 of themselves, roots by less than 2^-54. No result of these functions lies so near to a number of 25 digits without
//! being one; those of roots, of which there are 2^24, keep a distance of 2^-51. Exact results are known from their operands.

mod angle;
pub(super) mod double;
mod exponential;
mod logarithm;
mod number;
mod power;
mod root;
mod series;
mod words;

pub(super) use angle::{sine_of_radians, sine_of_turns};
pub(super) use exponential::exp2;
pub(super) use logarithm::{Base, logarithm};
pub(super) use power::{power_of_doubles, power_of_operands};
pub(super) use root::{quotient, reciprocal_root, root};
