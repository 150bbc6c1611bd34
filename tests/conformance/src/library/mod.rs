//! The shader library: cases of `.test` files that list values.

mod parse;
mod structs;
mod values;
mod wrap;

pub use parse::{Declared, Source, ValueType, ValuesCase, parse};
pub use values::run;
