//! Exact software arithmetic: containers unpacked to exact values, one rounding routine, exact operations.

pub(crate) mod accumulate;
pub(crate) mod arith;
pub(crate) mod compare;
pub(crate) mod convert;
pub(crate) mod divide;
pub(crate) mod integer;
pub(crate) mod mean;
pub(crate) mod pack;
pub(crate) mod round;
pub(crate) mod shape;
pub(crate) mod unpack;
pub(crate) mod value;
